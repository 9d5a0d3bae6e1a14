"""Read a results table as people have it: LaTeX, Markdown, CSV, or pasted from a PDF.

Columns are found by their heads, and nothing is guessed from numbers: where the heads do not tell
which column is what, the table is refused, and the reader names the columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import NamedTuple

from companion.pages.numbers import numbers
from companion.pages.row_check import AVERAGE
from corefeval.errors import CorefError

PART = {
    "recall": re.compile(r"r|rec|recall", re.I),
    "precision": re.compile(r"p|pr|prec|precision", re.I),
    "F1": re.compile(r"f|f1|f₁|fscore|fmeasure", re.I),
}
MEASURE = re.compile(
    r"mentions?|md|mentiondetection|muc|b3|b³|bcub(ed)?|blanc|lea"
    r"|ceaf(φ|phi)?([34₃₄meₘₑ]|entity|mention)?",
    re.I,
)
MEAN = re.compile(r"avg|average|mean|conll", re.I)
HEAD_WORDS = re.compile(r"\b(?:avg|average|mean|conll)\b\.?(?: *f-?[1₁]?\b)?|[^\W_][\w-]*", re.I)
"""The words of a head that was pasted without its columns; "Avg. F1" is one."""
RULES_OF_LATEX = re.compile(
    r"(?<!\\)%.*|\\(?:hline|(?:top|mid|bottom)rule)|\\(?:cmidrule|cline)(?:\(\w*\))?\{[^}]*\}"
    r"|\\(?:begin|end)\{[^}]*\}(?:\[\w*\])?(?:\{[lcr|@{}. ]*\})?|\\(?:caption|label)\{[^}]*\}"
)
SPAN = re.compile(r"\\multicolumn\{(\d+)\}\{[^}]*\}\{(.*)\}", re.DOTALL)
MULTIROW = re.compile(r"\\multirow\{[^}]*\}\{[^}]*\}")


class Column(NamedTuple):
    """What a column has: a part of a measure's score, or an average."""

    measure: str
    part: str


class Line(NamedTuple):
    """A row of a table: what it is called, and the text of each cell that was understood."""

    label: str
    cells: dict[Column, str]


class Printed(NamedTuple):
    """A table: its columns in their order, its rows, and what was left out."""

    columns: list[Column]
    lines: list[Line]
    left_out: list[str]


def read(text: str, columns: str = "") -> Printed:
    """The table that a text has; ``columns`` names those with numbers, if the heads do not.

    >>> found = read("System & MUC P & MUC R & MUC F1 \\\\\\\\ Ours & 76.2 & 69.3 & 72.6 \\\\\\\\")
    >>> found.lines[0].label, [*found.lines[0].cells.values()]
    ('Ours', ['76.2', '69.3', '72.6'])
    """
    lines = _in_cells(text)
    first = next((place for place, line in enumerate(lines) if _is_row(line)), len(lines))
    rows = [line for line in lines[first:] if _is_row(line)]
    if not rows:
        raise CorefError("no row of numbers was found: paste the heads and the rows of a table")
    pasted = len(max(lines, key=len)) == 1
    if pasted:
        rows = [[line[0], *numbers(line[0])] for line in rows]
    if columns:
        heads = ["", *(each.strip() for each in columns.split(","))]
    elif pasted:
        heads = ["", *_pasted_heads(" ".join(line[0] for line in lines[:first]))]
    else:
        heads = _heads(lines[:first])
    found = columns_of(heads)
    if not any(column and column.part == "F1" for column in found):
        raise CorefError(
            "the heads do not tell which columns are F1, recall or precision: name the columns "
            "with numbers, such as: MUC P, MUC R, MUC F1, average"
        )
    return _with_heads(heads, found, rows, bool(columns), pasted)


def has_heads(text: str) -> bool:
    """Whether a text begins as a table does: with heads above a row, in cells or of scores.

    >>> has_heads("MUC R P F1\\nours 69.3 76.2 72.6"), has_heads("MUC 69.3 76.2 72.6")
    (True, False)
    """
    lines = _in_cells(text)
    first = next((place for place, line in enumerate(lines) if _is_row(line)), 0)
    above = [cell for line in lines[:first] for cell in line]
    known = columns_of([word for cell in above for word in HEAD_WORDS.findall(cell)])
    numbered = any("." in number for cell in above for number in numbers(cell))
    in_cells = any(len(line) > 1 for line in lines[:first])
    return (in_cells or sum(map(bool, known)) > 1) and not numbered


def _with_heads(
    heads: Sequence[str],
    found: Sequence[Column | None],
    rows: Sequence[Sequence[str]],
    named: bool,
    pasted: bool,
) -> Printed:
    lines, left_out = [], []
    for row in rows:
        if named and not pasted:  # whatever stands before them is a label
            row = [row[0], *row[len(row) - len(heads) + 1 :]]
        label = _label(row[0], pasted)
        if len(row) != len(heads):
            left_out.append(
                f"row {label!r}: {len(row) - 1} cells, and {len(heads) - 1} columns have heads"
            )
            continue
        cells = {
            column: "".join(numbers(cell)[:1])
            for column, cell in zip(found, row, strict=True)
            if column
        }
        lines.append(Line(label, cells))
    if not lines:
        raise CorefError(f"{left_out[0]}: name the columns with numbers, separated by commas")
    left_out += [f"column {head!r}" for head, c in zip(heads[1:], found[1:], strict=True) if not c]
    return Printed([column for column in found if column], lines, left_out)


# ----------------------------------------------------------------------------- lines and cells


def _in_cells(text: str) -> list[list[str]]:
    """The cells of each line; of a line without separators it is the line itself."""
    if "&" in text:
        lines = re.split(r"\\\\(?:\[[^]]*\])?|\\tabularnewline", RULES_OF_LATEX.sub("", text))
        cells = [re.split(r"(?<!\\)&", line) for line in lines if line.strip()]
        return [[plain(cell) for each in row for cell in _spanned(each)] for row in cells]
    lines = [line for line in text.splitlines() if line.strip(" |-:+=\t")]
    of_rows = [line for line in lines if len(numbers(line)) > 1] or lines
    for separator in "|\t;,":
        if all(line.count(separator) > 1 for line in of_rows):
            if separator == "|":
                lines = [re.sub(r"^\s*\||\|\s*$", "", line) for line in lines]
            split = csv.reader(lines, delimiter=separator)
            return [[plain(cell) for cell in row] for row in split]
    return [[line.strip()] for line in lines]


def _spanned(cell: str) -> list[str]:
    """A cell of LaTeX, as often as it is wide."""
    cell = MULTIROW.sub("", cell)
    found = SPAN.search(cell)
    return [found[2]] * int(found[1]) if found else [cell]


def plain(cell: str) -> str:
    """A cell without commands and marks of LaTeX and Markdown.

    >>> plain(r" CEAF$_{\\phi_4}$ "), plain(r"\\textbf{80.4}$^1$"), plain("**80.4**")
    ('CEAF phi 4', '80.4 1', '80.4')
    """
    cell = cell.replace(r"\phi", "phi").replace(r"\pm", "±")
    cell = re.sub(r"[~_^]", " ", cell)  # 80.4$^1$ is not 80.41
    return " ".join(re.sub(r"\\[A-Za-z]+\*?|[\\${}*]", "", cell).split())


def _is_row(line: Sequence[str]) -> bool:
    """Whether a line has two numbers, of which one has decimals."""
    found = [number for cell in line for number in numbers(cell) if number[0].isdigit()]
    return len(found) > 1 and any("." in number for number in found)


def _label(cell: str, pasted: bool) -> str:
    """What stands before the first number of a line."""
    if not pasted:
        return cell
    first = re.split(r"\s+(?=[\d.,]+(?:\s|$))(?=\d*[.,]\d)", cell, maxsplit=1)[0]
    return first if first != cell else cell[:30]


# --------------------------------------------------------------------------------------- heads


def _heads(lines: Sequence[Sequence[str]]) -> list[str]:
    """A head for each column; over several of them stands one that the empty cells take."""
    width = max(map(len, lines), default=0)
    full = []
    for number, line in enumerate(lines):
        cells = [*line, *[""] * (width - len(line))]
        if number + 1 < len(lines):
            for place in range(2, width):
                cells[place] = cells[place] or cells[place - 1]
        full.append(cells)
    return [" ".join(filter(None, column)) for column in zip(*full, strict=True)]


def _pasted_heads(text: str) -> list[str]:
    """The heads in a text in which measures stand above recall, precision and F1."""
    words = [word for word in HEAD_WORDS.findall(plain(text)) if columns_of([word])[0]]
    parts = [word for word in words if _part(word)]
    means = [word for word in words if MEAN.match(word)]
    measures = [word for word in words if word not in parts and word not in means]
    if not parts:
        return words
    groups = [column.measure for column in columns_of(parts) if column]
    names = dict(zip(dict.fromkeys(groups), measures, strict=False))
    if len(names) != len(measures):
        return []
    named = [f"{names.get(group, '')} {p}" for group, p in zip(groups, parts, strict=True)]
    return [*named, *means]


def _part(word: str) -> str:
    """Which part of a score a word of a head names; nothing if none."""
    return next((part for part, known in PART.items() if known.fullmatch(word)), "")


def columns_of(heads: Sequence[str]) -> list[Column | None]:
    """What each column has, by its head; None where that is no score.

    >>> [column and tuple(column) for column in columns_of(["System", "MUC P", "B3", "Avg. F1"])]
    [None, ('MUC', 'precision'), ('B3', 'F1'), ('average', 'F1')]
    """
    found: list[Column | None] = []
    measure, groups = "", 0
    for head in heads:
        column = _column(head)
        if column and not column.measure:  # the part of a measure that is named before it
            known = {Column(measure, column.part), Column(measure, "F1")}
            if not measure or known & {*found}:
                groups += 1
                measure = f"measure {groups}"
            column = Column(measure, column.part)
        elif column and column in found:
            again = 1 + sum(_column(other) == column for other in heads[: len(found)])
            column = Column(f"{column.measure} ({again})", column.part)
        if column and column.measure != AVERAGE:
            measure = column.measure
        found.append(column)
    return found


def _column(head: str) -> Column | None:
    joined = re.sub(r"\bf[-_ ]?(?=[1₁]|score|measure)", "f", head, flags=re.I)
    words = re.findall(r"[^\W_]+", joined)
    parts = [part for word in words if (part := _part(word))]
    rest = [word for word in words if not _part(word)]
    part = parts[0] if parts else "F1"
    if any(MEAN.fullmatch(word) for word in rest):
        return Column(AVERAGE, part) if part == "F1" else None
    known = MEASURE.fullmatch("".join(rest))
    if len(parts) > 1 or not (known or parts):
        return None
    return Column(re.sub(r"(?<=[A-Za-z]) (?=\d)", "", " ".join(rest)), part)
