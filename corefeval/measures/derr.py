"""D-err, reconstructed: Popescu-Belis prints its values and its idea, but not its formula."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple, Self

from corefeval.contingency import Contingency, Histogram, mentions_of
from corefeval.conventions import Conventions
from corefeval.measures.distributional import side_by_side
from corefeval.registry import measure
from corefeval.score import Score
from corefeval.twinless import completed

Run = tuple[int, int, int, int]
"""(first place, last place, key size, response size)"""


class Error(NamedTuple):
    """A distributional error: how large, squared to be exact, and of which type."""

    square: Fraction
    kind: str
    """"r" (recall), "p" (precision), or nothing where the sizes are the same."""

    def __str__(self) -> str:
        """As the paper prints it: a rounded percentage and the type."""
        return f"{round(100 * self.value)}-{self.kind}".rstrip("-")

    @property
    def value(self) -> float:
        return sqrt(self.square)


def surpluses(key: Histogram, response: Histogram) -> tuple[list[Run], list[Run]]:
    """Figure 4: the places where the key's class is the larger, and those where the response's is.

    The sizes of both sides are in descending order, the shorter list filled up with zeros.

    >>> surpluses({2: 1, 3: 1}, {5: 1})
    ([(2, 2, 2, 0)], [(1, 1, 3, 5)])
    """
    first, runs = 1, []
    for times, k, r in side_by_side(key, response):
        runs.append((first, first + times - 1, k, r))
        first += times
    return [run for run in runs if run[2] > run[3]], [run for run in runs if run[2] < run[3]]


def centroid(runs: Sequence[Run]) -> tuple[Fraction, Fraction]:
    """The centre of gravity of the surplus, the strips between the two sizes of each place.

    >>> centroid([(1, 1, 3, 1), (2, 2, 2, 0)])
    (Fraction(3, 2), Fraction(3, 2))
    """
    areas = [abs(k - r) * (last - first + 1) for first, last, k, r in runs]
    x = sum(area * (first + last) for area, (first, last, _, _) in zip(areas, runs, strict=True))
    y = sum(area * (k + r) for area, (_, _, k, r) in zip(areas, runs, strict=True))
    return Fraction(x, 2 * sum(areas)), Fraction(y, 2 * sum(areas))


def d_err(key: Histogram | Sequence[int], response: Histogram | Sequence[int]) -> Error:
    """√((x_A − x_B)² + (y_A − y_B)²) / √(|E|² + (m − 1)²)

    A reconstruction, not the author's formula. ``key`` and ``response`` are the sizes of the
    classes of the same |E| mentions, or how often each occurs; sorted and padded they have m
    places. A are the places where the key's class is the larger, B those where the response's is;
    (x, y) is the centroid of the surplus of each. The type is r where A comes first, p where B
    does. Range [0, 1). It gives the published rows 1 and 3 of the paper's Table 3, and not row 2.

    Source: the idea, Popescu-Belis, section 3.7 and Figure 4.

    >>> str(d_err([7, 5, 3, 2], [9, 7, 1])), str(d_err([5, 5], [10])), str(d_err([5, 5], [1] * 10))
    ('34-p', '51-p', '42-r')
    >>> d_err([2, 1], [1, 2])
    Error(square=Fraction(0, 1), kind='')
    """
    of_key, of_response = Counter(key), Counter(response)
    surplus = surpluses(of_key, of_response)
    if not all(surplus):
        return Error(Fraction(0), "")
    (xa, ya), (xb, yb) = map(centroid, surplus)
    places = max(of_key.total(), of_response.total())
    diagonal = mentions_of(of_key) ** 2 + (places - 1) ** 2
    return Error(((xa - xb) ** 2 + (ya - yb) ** 2) / diagonal, "r" if xa < xb else "p")


class Errors(NamedTuple):
    """The distributional errors of documents, whose total is not defined."""

    each: tuple[Error, ...]

    def __add__(self, other: Self) -> Self:
        return type(self)(self.each + other.each)

    def score(self, conventions: Conventions) -> Score:
        value = self.each[0].value if len(self.each) == 1 else None
        return Score(value=value, counts=self)


@measure("derr", title="D-err (a reconstruction)", cite="popescu-belis-2000", pooled=False)
def derr(t: Contingency) -> Errors:
    """`d_err` of the sizes of either side's entities

    An error: 0 is best, and says no more than that the sizes agree. Its type is in the counts. E
    are the mentions of either side; those on one side only are completed by singletons (DEF.19).
    Range [0, 1); 0 if there are none. There is no total over several documents, even if all but
    one are empty.

    Source: Popescu-Belis, section 3.7, which gives the idea and no formula: see `d_err`.

    >>> from corefeval import metric
    >>> score = metric("derr")("{1 2 3 4 5} {6 7 8 9 10}", "{1 2 3 4 5 6 7 8 9 10}")
    >>> round(score.value, 4), score.counts.each[0].kind
    (0.5074, 'p')
    """
    t = completed(t)
    return Errors((d_err(t.key_histogram, t.T.key_histogram),))
