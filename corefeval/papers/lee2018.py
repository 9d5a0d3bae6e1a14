"""Lee et al. 2018: Table 1, results on the CoNLL-2012 English test set."""

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
