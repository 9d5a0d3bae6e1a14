"""Counts that add up, and the scores that they become."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import add
from typing import Any, NamedTuple, Protocol, Self, overload

from corefeval.conventions import Conventions

Exact = int | Fraction
Number = Fraction | float
"""Exact, in a score a `Ratio`, or a double where the measure has logarithms or roots."""
Part = Number | Any
"""A number, or None where the measure has no such part.

Any stands for that None: which measures have which parts is known to whoever asks, not to types.
"""


MOST_SHOWN = 999
"""The largest numerator or denominator that is shown; a longer fraction is shown as a decimal."""
ALIGNED = re.compile(r"(.?[<>^])?[0-9]*", re.DOTALL)
"""A format that asks for a place and a width alone."""


def _kept(operation: Callable[..., Any]) -> Any:
    """An operation of fractions whose result, if it is a fraction, is a `Ratio`."""

    def of_ratio(*numbers: Any) -> Any:
        found = operation(*numbers)
        return Ratio(found) if type(found) is Fraction else found

    return of_ratio


class Ratio(Fraction):
    """An exact part of a score: a `fractions.Fraction` that is short to look at.

    It is shown exactly while numerator and denominator have at most three digits, else with four
    decimals, and is formatted as a float is, on Python 3.11 too. It is equal to the fraction, with
    the same hash; sums, differences, products and quotients with integers and fractions are exact
    and of this class, those with floats are floats. ``round`` to decimals gives a float.

    >>> part = Ratio(4809, 4810)
    >>> part, Ratio(2, 5), part == Fraction(4809, 4810)
    (0.9998, Fraction(2, 5), True)
    >>> f"{part} {part:.2%} {1 - part:.1e} {Ratio(2, 5)} {Ratio(2, 5):.2f}"
    '0.9998 99.98% 2.1e-04 2/5 0.40'
    >>> round(part, 2), part.numerator, Fraction(part)
    (1.0, 4809, Fraction(4809, 4810))
    """

    __slots__ = ()

    __add__, __radd__ = _kept(Fraction.__add__), _kept(Fraction.__radd__)
    __sub__, __rsub__ = _kept(Fraction.__sub__), _kept(Fraction.__rsub__)
    __mul__, __rmul__ = _kept(Fraction.__mul__), _kept(Fraction.__rmul__)
    __truediv__, __rtruediv__ = _kept(Fraction.__truediv__), _kept(Fraction.__rtruediv__)
    __mod__, __rmod__ = _kept(Fraction.__mod__), _kept(Fraction.__rmod__)
    __pow__, __rpow__ = _kept(Fraction.__pow__), _kept(Fraction.__rpow__)
    __neg__, __pos__, __abs__ = map(_kept, (Fraction.__neg__, Fraction.__pos__, Fraction.__abs__))

    @property
    def _is_short(self) -> bool:
        return abs(self.numerator) <= MOST_SHOWN and self.denominator <= MOST_SHOWN

    def __repr__(self) -> str:
        if self._is_short:
            return f"Fraction({self.numerator}, {self.denominator})"
        return f"{self:.4f}"

    def __str__(self) -> str:
        return super().__str__() if self._is_short else f"{self:.4f}"

    def __format__(self, spec: str) -> str:
        if ALIGNED.fullmatch(spec):
            return format(str(self), spec)
        return format(float(self), spec)

    def __round__(self, ndigits: int | None = None) -> Any:
        rounded = super().__round__(ndigits)
        return rounded if ndigits is None else float(rounded)

    def __reduce__(self) -> tuple[Any, ...]:
        # Fraction pickles its text, which a Ratio shortens; the two numbers are passed instead.
        return Ratio, (self.numerator, self.denominator)


def part(number: Number) -> Number:
    """The number as a part of a score: a `Ratio` if it is exact."""
    return Ratio(number) if isinstance(number, Fraction) else number


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
    """The one number of the measure: F1 where it has one."""
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
    recall with the other's precision. Some have ``of_arrays(numbers, zero)``: the parts of many
    scores at once, as `Pair.of_arrays`.
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
        mean = part(f1(recall, precision))
        return Score(part(recall), part(precision), mean, value=mean, counts=self)

    @classmethod
    def of_arrays(cls, numbers: Any, zero: int) -> dict[str, Any]:
        """Recall, precision and F1 of many pairs at once, as arrays of doubles.

        ``numbers`` is an array whose first axis has hits and total of recall, then of precision;
        ``zero`` is what 0/0 is.
        """
        hits, total, right, found = numbers
        recall, precision = quotients(hits, total, zero), quotients(right, found, zero)
        f1 = quotients(2 * recall * precision, recall + precision, 0)
        return {"recall": recall, "precision": precision, "f1": f1}


def quotients(numerators: Any, denominators: Any, zero: int) -> Any:
    """What `Tally.ratio` is of numbers, of arrays; 0/0 is ``zero``."""
    from numpy import divide, full_like  # scores of single responses need no NumPy

    empty = full_like(numerators, zero)
    return divide(numerators, denominators, out=empty, where=denominators != 0)


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
    mean = part(sum((score.f1 or Fraction(0) for score in scores), Fraction(0)) / len(scores))
    return Score(f1=mean, value=mean, counts=counts)
