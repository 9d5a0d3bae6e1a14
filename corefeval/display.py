"""Numbers and tables for people."""

from collections.abc import Sequence
from fractions import Fraction

NONE = "—"
"""What stands for a number that there is not."""


def percent(value: Fraction | float | None) -> str:
    """In percent with two decimals; the exact value is rounded, halves away from zero.

    >>> percent(Fraction(2, 3)), percent(Fraction(1, 800)), percent(None)
    ('66.67', '0.13', '—')
    """
    if value is None:
        return NONE
    hundredths = (abs(Fraction(value)) * 20000 + 1) // 2
    sign = "-" if value < 0 < hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def probability(p: float | None) -> str:
    """With four decimals, and one digit where these would all be 0."""
    if p is None:
        return NONE
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.0e}"


def aligned(rows: Sequence[Sequence[str]], right: int = 0) -> str:
    """Columns of equal width, the last ``right`` of them aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = "<" * (len(widths) - right) + ">" * right
    line = "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
    return "\n".join(line.format(*row).rstrip() for row in rows)
