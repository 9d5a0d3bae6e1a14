"""Averages of other measures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.registry import find, measure
from corefeval.score import Score


class Several(NamedTuple):
    """The counts of several measures, whose score is the mean of their F1."""

    counts: tuple[Any, ...]

    def __add__(self, other: Several) -> Several:
        return Several(tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    def with_precision_of(self, other: Several) -> Several:
        pairs = zip(self.counts, other.counts, strict=True)
        return Several(tuple(a.with_precision_of(b) for a, b in pairs))

    def score(self, conventions: Conventions) -> Score:
        every = [counts.score(conventions).f1 or Fraction(0) for counts in self.counts]
        return Score(None, None, sum(every, Fraction(0)) / len(every), None, self)


@measure("conll", title="CoNLL average", cite="pradhan-2014")
def conll(t: Contingency) -> Several:
    """(F1 of MUC + F1 of B³ + F1 of CEAFₑ) / 3

    The mean of the three F1 scores: of a corpus, of its total ones. There is no recall or
    precision. Range [0, 1].

    Source: Pradhan et al. 2014, section 1: the official score of the CoNLL-2011 and 2012 tasks.

    >>> from corefeval import metric
    >>> metric("conll")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    f1 126/275
    """
    return Several(tuple(find(name).counts(t) for name in ("muc", "b3", "ceafe")))
