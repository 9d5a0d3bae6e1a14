"""Averages of other measures."""

from operator import add
from typing import Any, NamedTuple, Self

from corefeval.conventions import Conventions
from corefeval.registry import measure
from corefeval.score import Pair, Score, mean_f1


class Average(NamedTuple):
    """The counts of three measures, whose score is the mean of their F1."""

    muc: Pair
    b3: Pair
    ceafe: Pair

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self, other))

    def score(self, conventions: Conventions) -> Score:
        return mean_f1([counts.score(conventions) for counts in self], self)

    @classmethod
    def of_arrays(cls, numbers: Any, zero: int) -> dict[str, Any]:
        """The mean F1 of many at once, as `Pair.of_arrays`, of the numbers of each in turn."""
        muc, b3, ceafe = (
            Pair.of_arrays(part, zero)["f1"] for part in (numbers[:4], numbers[4:8], numbers[8:])
        )
        return {"f1": (muc + b3 + ceafe) / 3}


@measure("conll", title="CoNLL score", cite="denis-baldridge-2009", parts=("muc", "b3", "ceafe"))
def conll(muc: Pair, b3: Pair, ceafe: Pair) -> Average:
    """(F1 of MUC + F1 of B³ + F1 of CEAFₑ) / 3

    The mean of the three F1 scores: of a corpus, of its total ones. There is no recall or
    precision. Range [0, 1].

    Source: Denis and Baldridge 2009, whom scorers name for it (not seen); Pradhan et al. 2014,
    section 1: the official score of the CoNLL-2011 and CoNLL-2012 tasks.

    >>> from corefeval import metric
    >>> metric("conll")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    f1 126/275
    """
    return Average(muc, b3, ceafe)
