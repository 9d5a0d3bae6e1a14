"""Popescu-Belis: what the paper counts, claims and leaves open, by sections.

`sample`: sections 1 to 3, the sample text. `claims`: what is said of all texts, and the search for
counterexamples. `propositions`: the thirteen, for every key and response of a few mentions;
`neighbours`: false sentences beside them; `exclusive`: how the ties of XC can fall; `coherence`:
the criteria, and how measures compare. `texts`: section 5, what follows from rounded cells.
`cells`: the tables. `lost_text`: the keys that give the cells of a text never published;
`lost_cells`: what these keys give.
"""
