"""Cai and Strube 2010: an F1 that was computed from printed values."""

from __future__ import annotations

from fractions import Fraction

from companion.ledger import Example
from corefeval.score import f1
from corefeval.scoring import metric


def f1_of_rounded(example: Example) -> Fraction:
    """F1 of B³ₛᵧₛ from recall and precision as printed, rounded to three digits"""
    score = metric("b3", twinless="cai_strube")(example.key, example.response)
    assert isinstance(score.recall, Fraction) and isinstance(score.precision, Fraction)
    return f1(round(Fraction(score.recall), 3), round(Fraction(score.precision), 3))
