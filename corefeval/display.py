"""Numbers and tables for people, and the rows and frames that they are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from html import escape
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Any

from corefeval.errors import CorefError
from corefeval.score import Pair, Score
from corefeval.signature import short

PARTS = ("recall", "precision", "f1", "value")
COUNTS = ("recall_hits", "recall_total", "precision_hits", "precision_total")
Row = dict[str, Any]
Scores = Mapping[str, Score]
"""By measure."""
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


def probability(p: float, at_floor: bool = False) -> str:
    """With four decimals, and more where these would all be 0.

    A p-value ``at_floor`` is the least that so many random swaps can give.

    >>> probability(0.0321), probability(1 / 10001, at_floor=True), probability(2e-6)
    ('0.0321', '≤ 0.0001', '0.000002')
    """
    digits = f"{p:.4f}"
    if not float(digits):
        digits = f"{Decimal(f'{p:.1g}'):f}"
    return f"≤ {digits}" if at_floor else digits


def printable(text: str) -> str:
    r"""A text as a terminal may have it: what cannot be printed is written as an escape.

    Line ends, signs that move the cursor or colour what follows, and marks that turn the direction
    of writing would forge lines of a table or hide what is there.

    >>> print(printable("a\nb \x1b[31m"), printable("Zurbarán 文"))
    a\nb \x1b[31m Zurbarán 文
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escape(sign) for sign in text)


def listed(texts: Iterable[object]) -> str:
    """Texts in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *others, last = [printable(str(text)) for text in texts]
    return f"{', '.join(others)} and {last}" if others else last


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


# Tables

BELOW = (
    '<caption style="caption-side: bottom; text-align: left; font-size: 0.85em; '
    'padding: 0.5em; overflow-wrap: anywhere">'
)


class Table:
    """A table for people: lines of cells, the first of which is the head.

    The first cell of a line names it. The last ``right`` columns are numbers, aligned to the right.

    >>> print(Table([["measure", "F1"], ["b3_class", "44.44"]], right=1).text())
    measure      F1
    b3_class  44.44
    """

    caption = ""
    """What stands above the table."""
    has_footer = False
    """Whether the last line has the sums of those above it."""
    ids: Sequence[str] = ()
    """Addresses of the lines below the head."""

    def __init__(self, lines: Sequence[Sequence[object]], right: int = 0) -> None:
        # A system may be called by a number.
        self.lines = [[*map(str, line)] for line in lines]
        left = len(lines[0]) - right
        self.numbers = [column >= left for column in range(len(lines[0]))]

    def text(self, width: int | None = None) -> str:
        """The table for a terminal, columns of equal width; closer if it were wider than that.

        Numbers that are too many for it stand in several tables, each with the names of the lines.
        """
        columns = self._justified(printable)
        gap = "  "
        if width and sum(len(cells[0]) + len(gap) for cells in columns) - len(gap) > width:
            gap = " "
        rows = [gap.join(cells).rstrip() for cells in zip(*columns, strict=True)]
        if width and all(self.numbers[1:]) and len(columns) > 2 and max(map(len, rows)) > width:
            half = len(columns) // 2 + 1
            left = Table([line[:half] for line in self.lines], half - 1)
            right = Table([[line[0], *line[half:]] for line in self.lines], len(columns) - half)
            return f"{left.text(width)}\n\n{right.text(width)}"
        return "\n".join([self.caption, *rows] if self.caption else rows)

    def markdown(self) -> str:
        """The table in Markdown, as GitHub and many others read it.

        >>> print(Table([["measure", "F1"], ["b3_class", "44.44"]], right=1).markdown())
        | measure   |    F1 |
        |:----------|------:|
        | b3\\_class | 44.44 |
        """
        columns = []
        for cells, right in zip(self._justified(in_markdown, 3), self.numbers, strict=True):
            head, *body = [f" {cell} " for cell in cells]
            dashes = "-" * (len(head) - 1)
            columns.append([head, f"{dashes}:" if right else f":{dashes}", *body])
        return "\n".join(f"|{'|'.join(cells)}|" for cells in zip(*columns, strict=True))

    def _justified(self, shown: Callable[[str], str], least: int = 0) -> list[list[str]]:
        """The columns, each of cells of equal width."""
        columns = []
        for cells, right in zip(zip(*self.lines, strict=True), self.numbers, strict=True):
            texts = [*map(shown, cells)]
            width = max(least, *map(len, texts))
            columns.append([text.rjust(width) if right else text.ljust(width) for text in texts])
        return columns

    def html(self, below: str = "") -> str:
        """The table in HTML, its caption above it, or else a text that is given ``below`` it.

        It has the class ``dataframe``, for which notebooks know a style, and no colours of its own:
        it looks right on light and on dark.
        """
        ends = ["right" if is_number else "left" for is_number in self.numbers]
        styles = [f' style="text-align: {end}"' for end in ends]
        head, *body = self.lines
        columns = [
            f'<th scope="col"{style}>{escape(printable(cell))}</th>'
            for cell, style in zip(head, styles, strict=True)
        ]
        rows = []
        for (first, *others), name in zip_longest(body, self.ids):
            cells = [f'<th scope="row"{styles[0]}>{escape(printable(first))}</th>']
            for cell, style in zip(others, styles[1:], strict=True):
                cells.append(f"<td{style}>{self.cell(cell)}</td>")
            opened = f'<tr id="{name}">' if name else "<tr>"
            rows.append(f"{opened}{''.join(cells)}</tr>\n")
        last = f"<tfoot>\n{rows.pop()}</tfoot>\n" if self.has_footer else ""
        return (
            f'<table class="dataframe">\n{self._caption(below)}<thead>\n<tr>{"".join(columns)}</tr>'
            f"\n</thead>\n<tbody>\n{''.join(rows)}</tbody>\n{last}</table>"
        )

    def cell(self, text: str) -> str:
        """A cell in HTML."""
        return escape(printable(text))

    def _caption(self, below: str) -> str:
        if below:
            # A long word is broken, after a comma if it has one, or it would stretch the table.
            return f"{BELOW}{escape(below).replace(',', ',<wbr/>')}</caption>\n"
        return f"<caption>{escape(self.caption)}</caption>\n" if self.caption else ""


class Shown:
    """What print, a notebook and Markdown show of a result: its table, its signature below it."""

    signature: str

    @property
    def short_signature(self) -> str:
        return short(self.signature)

    def table(self) -> Table:
        """The table for people."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """The table, and the short signature below it."""
        return f"{self.table().text()}\n\n{short(self.signature)}"

    def _repr_html_(self) -> str:
        """The table and the short signature in HTML, which notebooks show."""
        return self.table().html(short(self.signature))

    def to_markdown(self, **options: Any) -> str:
        """The table in Markdown, and the short signature below it."""
        table: Callable[..., Table] = self.table
        return f"{table(**options).markdown()}\n\n`{short(self.signature)}`"


def in_markdown(cell: str) -> str:
    """A cell with the signs escaped that Markdown would take for its own."""
    return re.sub(r"([\\`*_\[\]<>|~&#])", r"\\\1", printable(cell))


def score_table(rows: Sequence[Row], level: float = 0.95) -> Table:
    """The table of `score_rows`, in percent, with intervals of this level, if any."""
    # The value of most measures is their F1; to print it twice would only be in the way.
    parts = PARTS if any(row["f1"] is None for row in rows) else PARTS[:-1]
    intervals = any("f1_low" in row for row in rows)
    lines = [["document", "measure"]]
    for part in parts:
        lines[0] += [part.replace("f1", "F1"), *[interval_name(level)] * intervals]
    for row in rows:
        lines.append([document_name(row["document"]), row["measure"]])
        for part in parts:
            if part == "value" and row["f1"] is not None:
                lines[-1] += [NONE] * (1 + intervals)
                continue
            shown = interval(row.get(f"{part}_low"), row.get(f"{part}_high"))
            lines[-1] += [percent(row[part]), *[shown] * intervals]
    if all(row["document"] is None for row in rows):
        lines = [line[1:] for line in lines]
    return Table(lines, right=len(parts) * (1 + intervals))


def interval_name(level: float) -> str:
    """What an interval of this level is called.

    >>> interval_name(0.95), interval_name(0.999)
    ('95% interval', '99.9% interval')
    """
    return f"{100 * level:g}% interval"


def interval(low: float | None, high: float | None) -> str:
    """An interval in percent.

    >>> interval(0.25, 0.5), interval(None, None)
    ('[25.00, 50.00]', '—')
    """
    return NONE if low is None else f"[{percent(low)}, {percent(high)}]"


# Rows and frames


def score_rows(
    total: Scores,
    documents: Mapping[Hashable, Scores] = MappingProxyType({}),
    intervals: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[Row]:
    """Each score with its exact counts, as text; documents first, the total last.

    Intervals, if any, are the total's.
    """
    for document, scores in [*documents.items(), (None, total)]:
        for measure, score in scores.items():
            name = None if document is None else str(document)
            row = {"document": name, "measure": measure, **score.exact._asdict()}
            row |= dict.fromkeys(COUNTS)
            tallies = score.counts._asdict() if isinstance(score.counts, Pair) else {}
            for part, tally in tallies.items():
                if not isinstance(tally.total, float):  # logarithms have no exact counts
                    row[f"{part}_hits"], row[f"{part}_total"] = map(str, tally)
            if intervals and document is None:
                ends = dict(intervals[measure])
                # The value of a measure that has an F1 is that.
                ends.setdefault("value", ends.get("f1"))
                for part in PARTS:
                    row[f"{part}_low"], row[f"{part}_high"] = ends.get(part) or (None, None)
            yield row


class ScoreRows(Shown):
    """Scores in rows: of documents, if they are asked for, and of their total."""

    def __init__(self, rows: list[Row], signature: str) -> None:
        self._rows, self.signature = rows, signature

    def rows(self) -> list[Row]:
        return self._rows

    def table(self) -> Table:
        return score_table(self._rows)

    def to_dict(self, documents: int) -> dict[str, Any]:
        """The rows by document and measure, for JSON; ``documents`` is how many were scored."""
        tree: dict[str, Any] = {"signature": self.signature, "documents": documents, "metrics": {}}
        for row in self._rows:
            numbers = dict(row)
            document, measure = numbers.pop("document"), numbers.pop("measure")
            if document is None:
                tree["metrics"][measure] = numbers
            else:
                tree.setdefault("per_document", {}).setdefault(document, {})[measure] = numbers
        return tree


def in_json(content: Any) -> str:
    """Write a result as JSON, fractions as doubles; return the text."""
    import json  # most results are tables

    return json.dumps(content, indent=2, ensure_ascii=False, default=float) + "\n"


def in_csv(rows: list[Row], signature: str) -> str:
    """The rows with doubles for fractions, and the signature in a column of its own."""
    import csv
    import io

    text = io.StringIO()
    columns = [*chain(*rows[-1:]), "signature"]
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        cells = {k: float(n) if isinstance(n, Fraction) else n for k, n in row.items()}
        writer.writerow(cells | {"signature": signature})
    return text.getvalue()


def frame_of_scores(scores: Mapping[tuple[Hashable, str], Score]) -> Any:
    """A frame of pandas with a row for each document and measure."""
    pandas = _pandas()
    index = pandas.MultiIndex.from_tuples(list(scores), names=["document", "measure"])
    parts = parts_of(scores.values())
    columns = {part: [getattr(score, part) for score in scores.values()] for part in parts}
    return pandas.DataFrame(columns, index=index, dtype=float)


def parts_of(scores: Iterable[Score]) -> tuple[str, ...]:
    """The names of recall, precision and F1; that of the value, too, if a score has no F1."""
    return PARTS if any(score.f1 is None for score in scores) else PARTS[:-1]


def frame_of_rows(rows: Iterable[Row]) -> Any:
    """A frame of pandas with these rows, numbered; fractions are doubles in it."""
    in_doubles = [
        {name: float(cell) if isinstance(cell, Fraction) else cell for name, cell in row.items()}
        for row in rows
    ]
    return _pandas().DataFrame(in_doubles)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        message = "a frame needs pandas, which is not installed: pip install pandas"
        raise CorefError(message) from None
    return pandas
