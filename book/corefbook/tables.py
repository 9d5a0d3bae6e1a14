"""Tables that every front end shows: HTML with a caption, and aligned plain text.

A chapter's tables need nothing but the standard library, so that they run in the reader's browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from corefbook.ratios import ZeroOfZero
from corefeval import display
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import as_partition
from corefeval.score import Score, Tally

LONGEST_FRACTION = 9
"""A fraction with more characters than this teaches nothing beside its decimals."""


class Differs(str):
    """A cell that differs from the one above it: with a sign before it, and marked.

    >>> Table(["paper"], [["0.46"], [Differs("0.45")]])
    paper
    0.46
    ≠ 0.45
    """


class Equal(str):
    """A printed cell that was computed and is equal: with a tick behind it.

    >>> Table(["paper"], [[Equal("0.46")]])
    paper
    0.46 ✓
    """


class Possible(str):
    """A printed cell that is possible, as far as can be checked: with a tick in brackets.

    >>> Table(["paper"], [[Possible("0.46")]])
    paper
    0.46 (✓)
    """


class Table(display.Table):
    """The library's table, of values: rows of cells under a head; the first cell names its row.

    Numbers stand to the right, texts to the left. ``footer`` is a last row of sums, ``ids`` are
    addresses of the rows.

    >>> Table(["entity", "mentions"], [["K1", 2], ["K2", 3]], "Sizes.")
    Sizes.
    entity  mentions
    K1             2
    K2             3
    """

    def __init__(
        self,
        head: Sequence[str],
        rows: Sequence[Sequence[Any]],
        caption: str = "",
        footer: Sequence[Any] = (),
        ids: Sequence[str] = (),
    ) -> None:
        every_row = [*rows, footer] if footer else rows
        super().__init__([head, *([shown(cell) for cell in row] for row in every_row)])
        self.numbers = [_are_numbers(cells) for _, *cells in zip(head, *every_row, strict=True)]
        self.head, self.rows, self.footer = head, rows, footer
        self.caption, self.ids, self.has_footer = caption, ids, bool(footer)

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()

    def count(self, mark: type[str]) -> int:
        """How many cells have a mark: `Equal`, `Possible` or `Differs`.

        >>> Table(["paper"], [[Equal("0.46")], [Differs("0.45")]]).count(Differs)
        1
        """
        return sum(isinstance(cell, mark) for row in self.rows for cell in row)

    def cell(self, text: str) -> str:
        """A cell in HTML: one that differs is marked, a tick has a name."""
        if text.startswith(DIFFERS):
            return f"<mark>{escape(text)}</mark>"
        for mark, said in ((POSSIBLE, "possible"), (EQUAL, "equal")):
            if text.endswith(mark):
                before = escape(text.removesuffix(mark))
                return f'{before} <span role="img" aria-label="{said}">{mark.strip()}</span>'
        return super().cell(text)


def _are_numbers(cells: Sequence[Any]) -> bool:
    filled = [cell for cell in cells if cell not in ("", None)]
    return bool(filled) and all(isinstance(cell, int | float | Fraction | Tally) for cell in filled)


DIFFERS = "≠ "
EQUAL = " ✓"
POSSIBLE = " (✓)"


def shown(value: Any) -> str:
    """A value for people: decimals first, and the exact fraction behind them while it is short.

    >>> shown(Fraction(5, 12)), shown(Fraction(15508956, 21411089)), shown(Fraction(4))
    ('0.4167 (5/12)', '0.7243', '4')
    >>> shown(Tally(2, 5)), shown(-0.5), shown(None), shown("none"), shown(True)
    ('2/5', '−0.5000', '—', 'none', 'True')
    """
    if value is None:
        return "—"
    if isinstance(value, Differs):
        return DIFFERS + value
    if isinstance(value, Equal):
        return value + EQUAL
    if isinstance(value, Possible):
        return value + POSSIBLE
    if isinstance(value, Tally):
        return f"{value.hits}/{value.total}"
    if isinstance(value, ZeroOfZero) or not isinstance(value, int | float | Fraction):
        return str(value)
    decimal = f"{float(value):.4f}".replace("-", "−")
    if isinstance(value, float):
        return decimal
    # A fraction in full, also one that would show itself shortened, as a part of a score.
    exact = str(Fraction(value) if isinstance(value, Fraction) else value).replace("-", "−")
    if value.denominator == 1:
        return exact
    return f"{decimal} ({exact})" if len(exact) <= LONGEST_FRACTION else decimal


def worked(
    key: Any, response: Any, caption: str = "", **terms: Callable[[int, int, int], Any]
) -> Table:
    """A row for each overlapping pair with n, k, r and the terms made of them, and their sums.

    >>> worked("{a b}", "{a} {b c}", links=lambda n, k, r: n - 1)
           n  k  r  links
    K1 R1  1  2  1      0
    K1 R2  1  2  2      0
    Σ      2            0
    """
    t = Contingency.of(as_partition(key), as_partition(response))
    rows = {
        f"K{i + 1} R{j + 1}": (n, t.key_sizes[i], t.response_sizes[j])
        for (i, j), n in sorted(t.pairs.items())
    }
    cells = [[*row, *(term(*row) for term in terms.values())] for row in rows.values()]
    columns = zip(*cells, strict=True) if cells else [[]] * (3 + len(terms))
    n, _, _, *sums = map(sum, columns)
    return Table(
        ["", "n", "k", "r", *(name.replace("_", " ") for name in terms)],
        [[name, *row] for name, row in zip(rows, cells, strict=True)],
        caption,
        ["Σ", n, "", "", *sums],
    )


def scores(found: Mapping[str, Score], caption: str = "", first: str = "") -> Table:
    """A row for each score: recall, precision and F1, or the one number of a measure without them.

    >>> from corefeval import metric
    >>> scores({"MUC": metric("muc")("{a b c}", "{a b}")}, first="measure")
    measure        recall  precision            F1
    MUC      0.5000 (1/2)          1  0.6667 (2/3)
    """
    exact = {name: each.exact for name, each in found.items()}
    rows = [[name, each.recall, each.precision, each.value] for name, each in exact.items()]
    return Table([first, "recall", "precision", "F1"], rows, caption)


def matrix(
    rows: Sequence[str],
    columns: Sequence[str],
    cell: Callable[[int, int], Any],
    caption: str = "",
    corner: str = "",
) -> Table:
    """A row for each of ``rows``, a column for each of ``columns``: ``cell(i, j)`` where they meet.

    >>> matrix(["K1", "K2"], ["R1", "R2"], lambda i, j: 10 * i + j)
        R1  R2
    K1   0   1
    K2  10  11
    """
    body = [[name, *(cell(i, j) for j in range(len(columns)))] for i, name in enumerate(rows)]
    return Table([corner, *columns], body, caption)
