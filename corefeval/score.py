"""Counts that add up, and the scores that they become."""

from collections.abc import Sequence
from fractions import Fraction
from operator import add
from typing import Any, NamedTuple, Protocol, Self, overload

from corefeval.conventions import Conventions

Exact = int | Fraction
Number = Fraction | float
"""Exact, or a double where the measure has logarithms or roots."""
Part = Number | Any
"""A number, or None where the measure has no such part.

Any stands for that None: which measures have which parts is known to whoever asks, not to types.
"""


class Tally(NamedTuple):
    """``hits`` out of ``total``, 0 ≤ hits ≤ total: both exact, but for measures with logarithms.

    >>> Tally(1, 2) + Tally(1, 3)
    Tally(hits=2, total=5)
    >>> Tally(2, 5).ratio(zero=Fraction(0)), Tally(0, 0).ratio(zero=Fraction(1))
    (Fraction(2, 5), Fraction(1, 1))
    """

    hits: Exact | float
    total: Exact | float

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self, other))

    def ratio(self, zero: Fraction) -> Number:
        """hits / total, and ``zero`` where both are 0."""
        return Fraction(self.hits) / self.total if self.total else zero

    def __str__(self) -> str:
        return f"{self.hits}/{self.total}"


class Score(NamedTuple):
    """What a measure says of a response; None where the measure has no such part.

    Numbers are in [0, 1] unless the measure's docstring says otherwise.

    >>> from corefeval import metric
    >>> score = metric("muc")("{a b c}", "{a b} {c}")
    >>> score, score.value
    (recall 1/2, precision 1, f1 2/3, Fraction(2, 3))
    >>> score = metric("kappa")("{a b c} {d}", "{a b} {c d}")
    >>> score, score.value, score.f1
    (value -1/2, Fraction(-1, 2), None)
    """

    recall: Part = None
    precision: Part = None
    f1: Part = None
    value: Part = None
    """The one number of the measure: F1 where it has one. None only where a corpus has no total."""
    counts: Any = None
    """`Counts`: what the parts are counted from; None for an average over documents."""

    @property
    def parts(self) -> dict[str, Number]:
        """Recall, precision and F1 by name, or the value of a measure that has no F1."""
        parts = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        if self.f1 is None:
            parts["value"] = self.value
        return {name: part for name, part in parts.items() if part is not None}

    def __repr__(self) -> str:
        return ", ".join(f"{name} {part}" for name, part in self.parts.items())


class Counts(Protocol):
    """What a measure counts in one document: it adds up, and knows how to become a score.

    Counts that keep recall and precision apart also have ``with_precision_of(other)``: their own
    recall with the other's precision.
    """

    def __add__(self, other: Any, /) -> Any: ...

    def score(self, conventions: Conventions) -> Score: ...


class Pair(NamedTuple):
    """A tally for recall and one for precision.

    >>> Pair(Tally(2, 5), Tally(2, 4)).score(Conventions())
    recall 2/5, precision 1/2, f1 4/9
    """

    recall: Tally
    precision: Tally

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self, other))

    def with_precision_of(self, other: Self) -> Self:
        return self._replace(precision=other.precision)

    def score(self, conventions: Conventions) -> Score:
        """Recall and precision by ``conventions.zero`` where 0/0, and their harmonic mean."""
        zero = Fraction(conventions.zero == "one")
        recall, precision = self.recall.ratio(zero), self.precision.ratio(zero)
        mean = f1(recall, precision)
        return Score(recall, precision, mean, value=mean, counts=self)


@overload
def f1(recall: Fraction, precision: Fraction) -> Fraction: ...
@overload
def f1(recall: Number, precision: Number) -> Number: ...
def f1(recall: Number, precision: Number) -> Number:
    """2 R P / (R + P); 0 where R = P = 0 (Popescu-Belis, section 2.3; van Rijsbergen 1979).

    >>> f1(Fraction(2, 5), Fraction(1, 2)), f1(Fraction(0), Fraction(0))
    (Fraction(4, 9), Fraction(0, 1))
    """
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


def mean_f1(scores: Sequence[Score], counts: Counts | None) -> Score:
    """The mean of the F1 of several measures, as a score that has nothing else."""
    mean = sum((score.f1 or Fraction(0) for score in scores), Fraction(0)) / len(scores)
    return Score(f1=mean, value=mean, counts=counts)
