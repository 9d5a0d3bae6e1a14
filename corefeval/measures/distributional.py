"""Measures that compare the sizes of entities, not their mentions (Popescu-Belis)."""

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import NamedTuple, Self

from corefeval.conventions import Conventions
from corefeval.overlap.contingency import Contingency, Histogram
from corefeval.overlap.twinless import completed
from corefeval.registry import measure
from corefeval.score import Score, Tally


class Share(NamedTuple):
    """A tally whose ratio is the value of a measure without recall and precision."""

    tally: Tally

    def __add__(self, other: Self) -> Self:
        return type(self)(self.tally + other.tally)

    def score(self, conventions: Conventions) -> Score:
        zero = Fraction(conventions.zero == "one")
        return Score(value=self.tally.ratio(zero), counts=self)


@measure("dmt", title="DMT (distributional match)", cite="popescu-belis-2000", pooled=False)
def dmt(t: Contingency) -> Share:
    """1 − Σ ||Kᵢ| − |Rᵢ|| / (2 (|E| − 1))

    The sizes of either side in descending order, the shorter list filled up with zeros. It is 1 for
    a response with the key's sizes, right or wrong. E are the mentions of either side; missing and
    spurious ones are completed by singletons (DEF.19). Range [0, 1]; 0/0 (one mention or none) by
    the convention ``zero``.

    Source: Popescu-Belis, section 3.7. The normaliser is not that of DEF.18, which does not give
    the paper's tables, but the maximal distance that its text names: between one entity and
    nothing but singletons.

    >>> from corefeval import metric
    >>> metric("dmt")("{a b c} {d e}", "{a d} {b c e}"), metric("dmt")("{a b c}", "{a} {b} {c}")
    (value 1, value 0)
    """
    t = completed(t)
    places = side_by_side(t.key_histogram, t.T.key_histogram)
    distance = sum(abs(k - r) * times for times, k, r in places)
    largest = 2 * max(t.key_mentions - 1, 0)
    return Share(Tally(largest - distance, largest))


def side_by_side(key: Histogram, response: Histogram) -> Iterator[tuple[int, int, int]]:
    """(times, k, r): the sizes at each place, both sides in descending order, runs of places alike.

    The shorter side is filled up with zeros.

    >>> list(side_by_side({3: 1, 1: 2}, {2: 2}))
    [(1, 3, 2), (1, 1, 2), (1, 1, 0)]
    """
    sides = [sorted(histogram.items()) for histogram in (key, response)]
    while any(sides):
        (k, many), (r, more) = (side.pop() if side else (0, inf) for side in sides)
        times = int(min(many, more))
        yield times, k, r
        for side, size, left in zip(sides, (k, r), (many - times, more - times), strict=True):
            if size and left:
                side.append((size, int(left)))
