"""A number that was printed: as people type it, and whether a score is printed as it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from corefeval.errors import CorefError, expect
from corefeval.score import Score, f1

PRINTED_NUMBER = re.compile(r"-?(?:[0-9]{1,6}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})")


def as_typed(text: str) -> str:
    """A number as Python writes it: with a decimal point, a minus, and no percent sign.

    >>> as_typed("53,03"), as_typed(" 53.03 %"), as_typed("−0,5")
    ('53.03', '53.03', '-0.5')
    """
    return text.strip().removesuffix("%").rstrip().replace(",", ".").replace("−", "-")


def cut_by_perl(score: Score) -> dict[str, Fraction]:
    """The parts of a score as the reference scorer prints them, as fractions of 1.

    It cuts a percentage off after two decimals, and reckons in doubles (CorScorer.pm, ShowRPF): F1
    is 2·P·R / (P + R) in this order. An F1 of 14/25 may so be printed as 55.99 and a recall of
    14/25 as 56. Sums of fractions (B³, CEAFₑ, LEA), which it adds up mention by mention, and the
    means of BLANC's classes are exact here.

    >>> cut_by_perl(Score(Fraction(7, 12), Fraction(7, 13), Fraction(14, 25)))["f1"]
    Fraction(5599, 10000)
    >>> cut_by_perl(Score(recall=Fraction(14, 25)))["recall"]
    Fraction(14, 25)
    """
    doubles = score.parts
    recall, precision = doubles.get("recall", 0.0), doubles.get("precision", 0.0)
    # BLANC's F1 is a mean of its classes', which this formula would not give.
    if recall + precision and _is_mean(score):
        doubles["f1"] = 2 * precision * recall / (precision + recall)
    # Python's int cuts off, as Perl's does.
    return {name: Fraction(int(value * 10000), 10000) for name, value in doubles.items()}


def _is_mean(score: Score) -> bool:
    """Whether F1 is the harmonic mean of recall and precision, as that of BLANC is not."""
    recall, precision, mean, _ = score.exact
    if recall is None or precision is None or mean is None:
        return False
    return bool(mean == f1(recall, precision))


class Printed(NamedTuple):
    """A number with so many decimals; with a percent sign, it is no fraction of 1."""

    number: Fraction
    decimals: int
    is_percent: bool

    @classmethod
    def of(cls, number: str | float) -> Printed:
        """Read a number that somebody typed, with as many decimals as were typed.

        A float has as many as Python prints: 59.60 has two only as a text. Raises `CorefError` for
        what is no number.

        >>> Printed.of("59.60").decimals, Printed.of(59.60).decimals
        (2, 1)
        """
        expect((str, int, float), 'a number as it was printed, like "59.60"', number)
        text = str(number)
        digits = as_typed(text)
        if not PRINTED_NUMBER.fullmatch(digits):
            raise CorefError(f"{text!r} is no number like 83.33 or 0.8333")
        decimals = len(digits.partition(".")[2])
        return cls(Fraction(digits), decimals, text.rstrip().endswith("%"))

    def how(self, value: Fraction) -> list[str]:
        """How a score is printed as this number: "rounded", "cut off", in percent or as it is."""
        units = 10**self.decimals
        wanted = self.number * units
        ways = []
        # A whole number is a percentage; 0.83 may be one, or a fraction of 1.
        for scale in [100, 1] if self.decimals and not self.is_percent else [100]:
            exact = value * scale * units
            if abs(exact - wanted) <= Fraction(1, 2):
                ways.append("rounded")
            elif int(exact) == wanted:
                ways.append("cut off")
        return ways

    def distance(self, value: Fraction) -> Fraction:
        """How far a score is from this number, in points of a hundred."""
        is_fraction = self.decimals and not self.is_percent and abs(self.number) <= 1
        return abs(value * 100 - self.number * (100 if is_fraction else 1))
