"""The reference scorer v8.01: the percentages it prints."""

from __future__ import annotations

from fractions import Fraction


def truncated(value: Fraction) -> str:
    """int(x · 10000) / 100: a percentage with two decimals, the rest cut off.

    >>> truncated(Fraction(2, 3)), truncated(Fraction(1))
    ('66.66', '100.00')
    """
    hundredths = int(value * 10000)
    return f"{hundredths // 100}.{hundredths % 100:02d}"
