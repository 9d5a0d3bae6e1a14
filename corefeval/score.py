"""Counts that add up, and the scores that they become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from corefeval.conventions import Conventions
else:
    Conventions = Any

Exact = int | Fraction
Number = Fraction | float
"""Exact, or a double where the measure has logarithms or roots."""
# F1 of fractions is a fraction.
AnyNumber = TypeVar("AnyNumber", Fraction, Number)
Part = float | Any
"""A number, or None where the measure has no such part.

Any stands for that None: which measures have which parts is known to whoever asks, not to types.
"""


MOST_SHOWN = 999
"""The largest numerator or denominator that is shown; a longer fraction is shown as a decimal."""


def exactly(number: Number) -> str:
    """A fraction whose numerator and denominator have at most three digits, else four decimals.

    >>> exactly(Fraction(2, 5)), exactly(Fraction(4809, 4810)), exactly(0.5)
    ('2/5', '0.9998', '0.5')
    """
    if isinstance(number, float) or max(abs(number.numerator), number.denominator) <= MOST_SHOWN:
        return str(number)
    return f"{float(number):.4f}"


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


class ExactParts(NamedTuple):
    """The parts of a score as fractions, or doubles where the measure has logarithms or roots."""

    recall: Number | Any = None
    precision: Number | Any = None
    f1: Number | Any = None
    value: Number | Any = None
    """F1 where the measure has one."""

    @property
    def parts(self) -> dict[str, Number]:
        """Recall, precision and F1 by name, or the value of a measure that has no F1."""
        names = ("recall", "precision", "value" if self.f1 is None else "f1")
        parts = {name: getattr(self, name) for name in names}
        return {name: part for name, part in parts.items() if part is not None}

    def __repr__(self) -> str:
        return ", ".join(f"{name} {exactly(part)}" for name, part in self.parts.items())


class NoNumber:
    """A result of several numbers, which says how to take one where one is expected."""

    __slots__ = ()
    _example = ""

    # The type None is not float's, so type checkers refuse float(score) before it is run.
    def __float__(self) -> None:
        kind = type(self).__name__
        raise TypeError(f"expected one number, got a {kind}; take one, such as {self._example}")

    def __format__(self, spec: str) -> str:
        if spec:
            self.__float__()
        return str(self)


class Score(NoNumber):
    """What a measure says of a response: floats, and the same as fractions in ``exact``.

    Recall, precision, F1 and value are in [0, 1] unless the measure's docstring says otherwise,
    and None where the measure has no such part. A score is printed exactly, is equal to one with
    the same exact parts, whatever was counted, and unpacks into recall, precision and F1.

    >>> from corefeval import metric
    >>> score = metric("muc")("{a b c}", "{a b} {c}")
    >>> score, score.f1, score.exact.f1
    (recall 1/2, precision 1, f1 2/3, 0.6666666666666666, Fraction(2, 3))
    >>> recall, precision, f1 = score
    >>> score = metric("kappa")("{a b c} {d}", "{a b} {c d}")
    >>> score, score.value, score.f1
    (value -1/2, -0.5, None)
    """

    __slots__ = ("counts", "exact")
    _example = "score.f1 or score.value"
    exact: ExactParts
    """The same parts as fractions, to compare and to round."""
    counts: Any
    """`Counts`: what the parts are counted from; None for an average over documents."""

    def __init__(
        self,
        recall: Number | None = None,
        precision: Number | None = None,
        f1: Number | None = None,
        value: Number | None = None,
        counts: Any = None,
    ) -> None:
        exact = ExactParts(recall, precision, f1, value if f1 is None else f1)
        object.__setattr__(self, "exact", exact)
        object.__setattr__(self, "counts", counts)

    @property
    def recall(self) -> Part:
        """Recall as a float."""
        return _double(self.exact.recall)

    @property
    def precision(self) -> Part:
        """Precision as a float."""
        return _double(self.exact.precision)

    @property
    def f1(self) -> Part:
        """F1 as a float."""
        return _double(self.exact.f1)

    @property
    def value(self) -> Part:
        """The one number of the measure as a float: F1 where it has one."""
        return _double(self.exact.value)

    @property
    def parts(self) -> dict[str, float]:
        """By name, recall, precision and f1, or value if there is no F1: the part as a float."""
        return {name: float(part) for name, part in self.exact.parts.items()}

    def __iter__(self) -> Iterator[Part]:
        return iter((self.recall, self.precision, self.f1))

    def __eq__(self, other: object) -> bool:
        return self.exact == other.exact if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.exact)

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        raise AttributeError(f"a score cannot be changed: {name}")

    __delattr__ = __setattr__

    def __reduce__(self) -> tuple[Any, ...]:
        # What cannot be changed is copied and unpickled by being made again.
        return Score, (*self.exact, self.counts)

    def __repr__(self) -> str:
        return repr(self.exact)


def _double(part: Number | None) -> Part:
    return None if part is None else float(part)


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

    >>> from corefeval.conventions import DEFAULTS
    >>> Pair(Tally(2, 5), Tally(2, 4)).score(DEFAULTS)
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
        return Score(recall, precision, f1(recall, precision), counts=self)

    @classmethod
    def of_arrays(cls, numbers: Any, zero: int) -> dict[str, Any]:
        """Recall, precision and F1 of many pairs at once, as arrays of doubles.

        ``numbers`` is an array whose first axis has hits and total of recall, then of precision;
        ``zero`` is what 0/0 is.
        """
        hits, total, right, answered = numbers
        recall, precision = quotients(hits, total, zero), quotients(right, answered, zero)
        f1 = quotients(2 * recall * precision, recall + precision, 0)
        return {"recall": recall, "precision": precision, "f1": f1}


def quotients(numerators: Any, denominators: Any, zero: int) -> Any:
    """Divide arrays of hits by arrays of totals, as `Tally.ratio` does numbers; 0/0 is ``zero``."""
    from numpy import divide, full_like  # scores of single responses need no NumPy

    empty = full_like(numerators, zero)
    return divide(numerators, denominators, out=empty, where=denominators != 0)


def f1(recall: AnyNumber, precision: AnyNumber) -> AnyNumber:
    """2 R P / (R + P); 0 where R = P = 0 (Popescu-Belis, section 2.3; van Rijsbergen 1979).

    >>> f1(Fraction(2, 5), Fraction(1, 2)), f1(Fraction(0), Fraction(0))
    (Fraction(4, 9), Fraction(0, 1))
    """
    both = recall + precision
    return 2 * recall * precision / both if both else Fraction(0)


def mean_f1(scores: Sequence[Score], counts: Counts | None) -> Score:
    """The mean of the F1 of several measures, as a score that has nothing else."""
    mean = sum((score.exact.f1 or Fraction(0) for score in scores), Fraction(0)) / len(scores)
    return Score(f1=mean, counts=counts)
