"""Without this room `like` and `explain` score untidy files by our reading, and say no word of it.

A file of CoNLL-2012 is untidy where other programs find other documents or mentions in it than our
reader: `foreign_readers` are theirs, `nonstandard_lines` finds the lines, `wording` says what each
reader makes of them, and `compared` counts the mentions that move. To leave it out, delete this
folder, what imports it in `facts`, `faults` and `inputs`, and the field `is_read_otherwise` of
`corefeval.readers.formats`.
"""
