"""The CoNLL-2012 English test set: one table of results, as another document quotes it."""

# The ledger finds here what the figures name.
# ruff: noqa: F401

from corefeval.papers.published_tables import (
    average,
    b3_f1,
    ceafe_f1,
    cells,
    from_printed_f,
    muc_f1,
)
