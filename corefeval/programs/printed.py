"""A number that was printed: as people type it, and whether a score is printed as it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from corefeval.errors import CorefError

NUMBER = re.compile(r"-?(?:[0-9]{1,6}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})")


def as_typed(text: str) -> str:
    """A number as people type or copy it, as Python writes it; what is no number is no other text.

    >>> as_typed("53,03"), as_typed(" 53.03 %"), as_typed("−0,5")
    ('53.03', '53.03', '-0.5')
    """
    return text.strip().removesuffix("%").rstrip().replace(",", ".").replace("−", "-")


class Printed(NamedTuple):
    """A number with so many decimals; with a percent sign, it is no fraction of 1."""

    number: Fraction
    decimals: int
    is_percent: bool

    @classmethod
    def of(cls, text: str) -> Printed:
        """The number of a text.

        Raises `CorefError` for what is no number.
        """
        digits = as_typed(text)
        if not NUMBER.fullmatch(digits):
            raise CorefError(f"{text!r} is no number like 83.33 or 0.8333")
        decimals = len(digits.partition(".")[2])
        return cls(Fraction(digits), decimals, text.rstrip().endswith("%"))

    def how(self, value: Fraction) -> list[str]:
        """How a score is printed as this number: "rounded", "cut off", in percent or as it is."""
        units = 10**self.decimals
        wanted = self.number * units
        found = []
        for scale in [100, 1] if self.decimals and not self.is_percent else [100]:
            exact = value * scale * units
            if abs(exact - wanted) <= Fraction(1, 2):
                found.append("rounded")
            elif int(exact) == wanted:
                found.append("cut off")
        return found

    def distance(self, value: Fraction) -> Fraction:
        """How far a score is from this number, in points of a hundred."""
        is_fraction = self.decimals and not self.is_percent and abs(self.number) <= 1
        return abs(value * 100 - self.number * (100 if is_fraction else 1))
