"""Popescu-Belis: what the paper counts, claims and leaves open, by sections.

`sample`: sections 1 to 3, the sample text. `texts`: section 5, what follows from rounded cells.
`claims`: what is said of all texts, and the search for counterexamples. `propositions`: the thirteen
and response of up to eight mentions, and what holds of them. `cells`: the tables.
"""
