"""Numbers and tables for people."""

from collections.abc import Sequence
from fractions import Fraction

TOTAL = "TOTAL"
"""What stands before a corpus's scores, in the column of the documents."""
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


def interval(low: float | None, high: float | None) -> str:
    """In percent: from ``low`` to ``high``.

    >>> interval(0.5, 0.75)
    '[50.00, 75.00]'
    """
    return NONE if low is None or high is None else f"[{percent(low)}, {percent(high)}]"


def printable(text: str) -> str:
    r"""A text as a terminal may have it: what cannot be printed is written as an escape.

    Line ends, signs that move the cursor or colour what follows, and marks that turn the direction
    of writing would forge lines of a table or hide what is there.

    >>> print(printable("a\nb \x1b[31m"), printable("Zurbarán 文"))
    a\nb \x1b[31m Zurbarán 文
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def document_name(name: object) -> str:
    """A document's name in a table: in quotation marks if it is what totals are called.

    >>> document_name("bc/cctv_0000"), document_name("TOTAL"), document_name(None)
    ('bc/cctv_0000', "'TOTAL'", 'TOTAL')
    """
    if name is None:
        return TOTAL
    return repr(name) if str(name).strip() == TOTAL else str(name)


def aligned(rows: Sequence[Sequence[str]], right: int = 0) -> str:
    """Columns of equal width, the last ``right`` of them aligned to the right.

    What cannot be printed is written as an escape: see `printable`.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = "<" * (len(widths) - right) + ">" * right
    line = "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
    return "\n".join(line.format(*row).rstrip() for row in rows)


def as_markdown(rows: Sequence[Sequence[str]], right: int = 0) -> str:
    """A table in Markdown: the first row is its head, the last ``right`` columns end on the right.

    >>> print(as_markdown([["measure", "F1"], ["a|b", "66.67"]], right=1))
    | measure | F1 |
    | --- | ---: |
    | a\\|b | 66.67 |
    """
    lines = [[printable(cell).replace("|", "\\|") for cell in row] for row in rows]
    left = len(lines[0]) - right
    lines.insert(1, ["---"] * left + ["---:"] * right)
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)
