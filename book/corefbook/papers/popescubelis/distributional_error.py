"""D-err, reconstructed: the manuscript prints its values and its idea, but not its formula.

The formula below fits rows 1 and 3 of Table 3 and misses row 2, whose text is published. So it is
no measure of the library: it shows how near a guess comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from math import sqrt
from typing import NamedTuple

Strip = tuple[int, int, int]
"""(place, key size, response size)"""


class Error(NamedTuple):
    """A distributional error: how large, squared to be exact, and of which type."""

    square: Fraction
    kind: str
    """"r" (recall), "p" (precision), or nothing where the sizes are the same."""

    def __str__(self) -> str:
        """The error as the manuscript prints it: a rounded percentage and the type."""
        return f"{round(100 * self.value)}-{self.kind}".rstrip("-")

    @property
    def value(self) -> float:
        return sqrt(self.square)


def surpluses(key: Sequence[int], response: Sequence[int]) -> tuple[list[Strip], list[Strip]]:
    """Figure 4: the places where the key's class is the larger, and those where the response's is.

    The sizes of both sides are in descending order, the shorter list filled up with zeros.

    >>> surpluses([2, 3], [5])
    ([(2, 2, 0)], [(1, 3, 5)])
    """
    sides = (sorted(side, reverse=True) for side in (key, response))
    paired = enumerate(zip_longest(*sides, fillvalue=0), 1)
    strips = [(place, k, r) for place, (k, r) in paired]
    return [each for each in strips if each[1] > each[2]], [
        each for each in strips if each[1] < each[2]
    ]


def centroid(strips: Sequence[Strip]) -> tuple[Fraction, Fraction]:
    """The centre of gravity of the surplus, the strips between the two sizes of each place.

    >>> centroid([(1, 3, 1), (2, 2, 0)])
    (Fraction(3, 2), Fraction(3, 2))
    """
    area = sum(abs(k - r) for _, k, r in strips)
    x = sum(abs(k - r) * place for place, k, r in strips)
    twice_y = sum(abs(k - r) * (k + r) for _, k, r in strips)
    return Fraction(x, area), Fraction(twice_y, 2 * area)


def d_err(key: Sequence[int], response: Sequence[int]) -> Error:
    """√((x_A − x_B)² + (y_A − y_B)²) / √(|E|² + (m − 1)²)

    A reconstruction, not the author's formula. ``key`` and ``response`` are the sizes of the
    classes of the same |E| mentions; sorted and padded they have m places. A are the places where
    the key's class is the larger, B those where the response's is; (x, y) is the centroid of the
    surplus of each. The type is r where A comes first, p where B does. Range [0, 1): 0 is best, and
    says no more than that the sizes agree. It gives the published rows 1 and 3 of the manuscript's
    Table 3, and not row 2.

    Source: the idea, Popescu-Belis, section 3.7 and Figure 4.

    >>> str(d_err([7, 5, 3, 2], [9, 7, 1])), str(d_err([5, 5], [10])), str(d_err([5, 5], [1] * 10))
    ('34-p', '51-p', '42-r')
    >>> d_err([2, 1], [1, 2])
    Error(square=Fraction(0, 1), kind='')
    """
    surplus = surpluses(key, response)
    if not all(surplus):
        return Error(Fraction(0), "")
    (xa, ya), (xb, yb) = map(centroid, surplus)
    diagonal = sum(key) ** 2 + (max(len(key), len(response)) - 1) ** 2
    return Error(((xa - xb) ** 2 + (ya - yb) ** 2) / diagonal, "r" if xa < xb else "p")
