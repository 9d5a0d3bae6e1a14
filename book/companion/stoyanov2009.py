"""Stoyanov et al. 2009: the two variants of B³, as Pradhan et al. 2014 tell of them."""

from __future__ import annotations

from fractions import Fraction

from companion.ledger import Example
from companion.pradhan2014 import b3_precision


def b3_0_precision(example: Example) -> Fraction:
    """B³_0: the response's twinless mentions are discarded."""
    return b3_precision(example, "B3_0")


def b3_all_precision(example: Example) -> Fraction:
    """B³_all: they are kept, each belonging with itself."""
    return b3_precision(example, "B3_all")
