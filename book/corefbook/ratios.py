"""Ratios of what chapters count, 0/0 among them."""

from __future__ import annotations

from fractions import Fraction


class ZeroOfZero(Fraction):
    """0/0: it counts as 0, as in the library, but a reader sees what it is."""

    def __str__(self) -> str:
        return "0/0"

    __repr__ = __str__


def ratio(hits: float | Fraction, total: float | Fraction) -> Fraction:
    """hits / total as a fraction; 0/0 counts as 0 and is shown as it is.

    >>> ratio(3, 6), ratio(0, 0), ratio(0, 0) + ratio(1, 2), ratio(0, 0) == 0
    (Fraction(1, 2), 0/0, Fraction(1, 2), True)
    """
    if hits or total:
        return Fraction(hits) / Fraction(total)
    return ZeroOfZero()
