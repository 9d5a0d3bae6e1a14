"""What the chapters share: the ledger, the drawings, and searches too long for their cells.

A module per paper has what its printed figures need beyond the library's measures, under the
paper's name; a module per study has what a chapter of our own needs. ``data/`` holds what papers
and scorers print, and the texts.
"""
