"""An optional part: whether the numbers of a printed table can belong together. No score needs it.

Nothing here is computed from a key and a response, and no overlap table is needed.
"""
