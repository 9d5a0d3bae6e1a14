"""What a printed number stands for: an interval, by the rule that made the print.

Percentages are numbers from 0 to 100. All is exact, in fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple


class Bounds(NamedTuple):
    """What can be said of a figure whose inputs were published rounded: it lies in here."""

    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"


@dataclass(frozen=True)
class Rule:
    """How numbers become prints: by rounding to the nearest, or by cutting off."""

    name: str
    below: Fraction
    """How far below its print a number may be, in units of the last digit."""

    def behind(self, text: str) -> Bounds:
        """The numbers that a print may stand for; ends are taken in, since ties are unknown.

        >>> ROUNDED.behind("70.5") == Bounds(Fraction("70.45"), Fraction("70.55"))
        True
        >>> CUT.behind("70.5") == Bounds(Fraction("70.5"), Fraction("70.6"))
        True
        """
        low = Fraction(text) - self.below * unit(text)
        return Bounds(low, low + unit(text))


def unit(text: str) -> Fraction:
    """The worth of one in a print's last digit.

    >>> unit("70.5"), unit("70")
    (Fraction(1, 10), Fraction(1, 1))
    """
    return Fraction(1, 10 ** len(text.partition(".")[2]))


ROUNDED = Rule("rounded", Fraction(1, 2))
CUT = Rule("cut off", Fraction(0))
RULES = {rule.name: rule for rule in (ROUNDED, CUT)}


def in_both(a: Bounds, b: Bounds) -> Bounds:
    """What two intervals share; empty (low > high) if nothing."""
    return Bounds(max(a.low, b.low), min(a.high, b.high))


def meet(a: Bounds, b: Bounds) -> bool:
    """Whether two intervals share a number."""
    return max(a.low, b.low) <= min(a.high, b.high)


def mean_of(intervals: Sequence[Bounds]) -> Bounds:
    """Where the mean of numbers lies, of which each lies in an interval."""
    low, high = (sum(ends, Fraction(0)) / len(ends) for ends in zip(*intervals, strict=True))
    return Bounds(low, high)


def prints(interval: Bounds, decimals: int, rule: Rule = ROUNDED) -> tuple[str, str]:
    """The first and the last print, with so many decimals, of the numbers in an interval.

    >>> prints(Bounds(Fraction("76.246"), Fraction("76.347")), 1)
    ('76.2', '76.3')
    >>> prints(Bounds(Fraction("76.246"), Fraction("76.347")), 1, CUT)
    ('76.2', '76.3')
    """
    step = Fraction(1, 10**decimals)
    first = max(0, ceil(interval.low / step + rule.below - 1))
    last = floor(interval.high / step + rule.below)
    return _decimal(first, decimals), _decimal(last, decimals)


def outwards(interval: Bounds, decimals: int) -> tuple[str, str]:
    """The ends as decimals, rounded so that nothing is cut off the interval.

    >>> outwards(Bounds(Fraction(1, 3), Fraction(2, 3)), 2)
    ('0.33', '0.67')
    """
    scale = 10**decimals
    return (
        _decimal(floor(interval.low * scale), decimals),
        _decimal(ceil(interval.high * scale), decimals),
    )


def _decimal(scaled: int, decimals: int) -> str:
    """A whole number of the last decimals.

    >>> _decimal(705, 1), _decimal(5, 2), _decimal(70, 0)
    ('70.5', '0.05', '70')
    """
    whole, rest = divmod(scaled, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}" if decimals else str(whole)
