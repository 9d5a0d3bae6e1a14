"""Read a results table as people have it: LaTeX, Markdown, CSV, or pasted from a PDF.

Columns are found by their heads, and nothing is guessed from numbers: where the heads do not tell
which column is what, the table is refused, and the reader names the columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import mode
from typing import NamedTuple

from corefeval.errors import CorefError
from corefeval.published.numbers import numbers
from corefeval.published.row_check import AVERAGE

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
SIGNS = {
    r"\phi": "phi",
    "ϕ": "φ",
    r"\pm": "±",
    r"\Delta": "Δ",
    r"\uparrow": "↑",
    r"\downarrow": "↓",
    r"\overline": "mean ",
}
ASIDE = re.compile(r"\\(?:\w*color|footnote\w*|phantom)(?:\[[^]]*\])?(?:\{[^}]*\})?")
"""A command whose argument is not printed in the cell: a colour, a note."""
RAISED = re.compile(r"[~_^]|\\(?:textsuperscript|textsubscript|tnote|[,;:!])")
"""What stands between a number and its mark: 80.4$^1$ is not 80.41."""
SCORE = re.compile(
    r"[^\w.,+↑↓−–—-]*(\d{1,3}(?:[.,]\d+)?|[.,]\d+)"
    r"(?![\w:/\]]|[.,]\d|\s+\d+[.,]\d|\s*[−–—-]+\s*\d)"  # and no second number: "65.0 0.3"
)
SIGNED = re.compile(r"[+↑↓−–—-]\s*[.,]?\d")
SIGNED_IN_LINE = re.compile(r"(?<=\s)[+↑↓−–—-](?=\d*[.,]\d)")
NO_SYSTEM = re.compile(
    r"\W*(?:(?:ma|mi)cro\b|(?:macro|micro)?\W*(?:average|avg|mean)\b|st(?:andard|d)\W*dev"
    r"|conll(?:\W*(?:score|f-?1|avg|average))?\W*$|(?:overall|mela)\b"
    r"|(?:std|sd|Δ|delta|diff|differences?|gains?|improvements?)\b)|\W*∆",
    re.I,
)
"""A row that is named after what was done with others: in it F1 is not of recall and precision."""


class Column(NamedTuple):
    """What a column has: a part of a measure's score, or an average."""

    measure: str
    part: str

    def __str__(self) -> str:
        return self.measure if self.measure == AVERAGE else f"{self.measure} {self.part}"


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
    rows: list[Sequence[str]] = [line for line in lines[first:] if _is_row(line)]
    if not rows:
        raise CorefError("no row of numbers was found: paste the heads and the rows of a table")
    pasted = len(max(lines, key=len)) == 1
    if pasted:
        rows = [[line[0], *numbers(line[0])] for line in rows]
    if columns:
        heads = ["", *(each.strip() for each in columns.split(","))]
        rows = _with_names(rows, heads[1:])
    elif pasted:
        heads = ["", *_pasted_heads([line[0] for line in lines[:first]])]
    else:
        heads = _heads(lines[:first])
    if not columns:
        _refuse_other_heads(lines[:first], lines[first:])
    found = columns_of(heads)
    if not any(column and column.part == "F1" for column in found):
        raise CorefError(
            "the heads do not tell which columns are F1, recall or precision: name the columns "
            "with numbers, such as: MUC P, MUC R, MUC F1, average"
        )
    return _with_heads(heads, found, rows, pasted)


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


def _refuse_other_heads(above: Sequence[list[str]], below: Sequence[list[str]]) -> None:
    """Refuse a table in which the columns of some rows are named anew."""
    for line in below:
        if _is_row(line) or line in above:
            continue
        heads = [line[0]] if _names_rows(line) else line
        words = heads if len(heads) > 1 else _known_words(heads[0])
        if sum(map(bool, columns_of(words))) > 1:
            told = ", ".join(filter(None, line))
            raise CorefError(f"new heads begin in the table: check from {told!r} on by itself")


def _with_names(rows: Sequence[Sequence[str]], names: Sequence[str]) -> list[Sequence[str]]:
    """The rows with one label, if each column from the first with numbers on has a name."""
    first = min(next((i for i, cell in enumerate(row) if i and number(cell)), 1) for row in rows)
    width = mode(len(row) for row in rows) - first
    if width != len(names):
        raise CorefError(
            f"{len(names)} columns are named, but {width} columns have numbers: name each of "
            f"them, from left to right. The first row is: {', '.join(rows[0])}"
        )
    return [[" ".join(filter(None, row[:first])), *row[first:]] for row in rows]


def _with_heads(
    heads: Sequence[str],
    found: Sequence[Column | None],
    rows: Sequence[Sequence[str]],
    pasted: bool,
) -> Printed:
    lines, left_out = [], []
    labels = _labels(found, rows)
    for row in rows:
        label = _label(row[0]) if pasted else " ".join(filter(None, row[:labels]))
        if why := _why_not(row, label, found, pasted):
            left_out.append(f"Left out: row {label!r}: {why}")
            continue
        cells = {}
        for column, cell in zip(found, row, strict=True):
            if column:
                read_as = number(cell)
                cells[column] = read_as or ""
                if read_as is None:
                    left_out.append(f"Not read: row {label!r}, {column}: {cell!r}")
        lines.append(Line(label, cells))
    if not lines:
        raise CorefError(
            f"no row can be checked. {left_out[0]}. If its columns were not understood, name the "
            "columns with numbers, separated by commas"
        )
    unknown = zip(heads[labels:], found[labels:], strict=True)
    left_out += [f"Left out: column {head!r}" for head, column in unknown if not column]
    return Printed([column for column in found if column], lines, left_out)


def _labels(found: Sequence[Column | None], rows: Sequence[Sequence[str]]) -> int:
    """How many columns a label has: those before the first score, of which no cell is a number."""
    count = 1
    while count < len(found) and not found[count]:
        if any(cell[:1].isdigit() for row in rows for cell in row[count : count + 1]):
            break
        count += 1
    return count


def _why_not(row: Sequence[str], label: str, found: Sequence[Column | None], pasted: bool) -> str:
    """Why a row is no row of scores; nothing if it is one."""
    if len(row) != len(found):
        return f"{len(row) - 1} cells, and {len(found) - 1} columns have heads"
    if NO_SYSTEM.match(label):
        return "by its name it is made of other rows, and no system"
    scores = [cell for column, cell in zip(found, row, strict=True) if column]
    if any(map(SIGNED.match, scores)) or (pasted and SIGNED_IN_LINE.search(row[0])):
        return "it has numbers with a sign, which are differences"
    texts = [text for cell in scores if (text := number(cell))]
    decimals = [len(text.partition(".")[2]) for text in texts if float(text) > 1]
    small = [text for text in texts if 0 < float(text) <= 1]
    finer = [text for text in small if len(text) - 2 > max(decimals, default=len(text))]
    return f"{finer[0]} is on another scale than the other numbers" if finer else ""


def number(cell: str) -> str | None:
    """The number of a cell: "" where it has none, None where it cannot be read.

    >>> number("**80,4"), number("80.4 1"), number("n/a"), number("80.4³")
    ('80.4', '80.4', '', None)
    """
    found = SCORE.match(cell)
    if not found:
        return None if re.search(r"\d", cell) else ""
    text = found[1].replace(",", ".")
    return "0" + text if text.startswith(".") else text


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
    for command, sign in SIGNS.items():
        cell = cell.replace(command, sign)
    cell = RAISED.sub(" ", ASIDE.sub(" ", cell))
    return " ".join(re.sub(r"\\[A-Za-z]+\*?|[\\${}*]", "", cell).split())


def _is_row(line: Sequence[str]) -> bool:
    """Whether a line has two numbers, of which one has decimals."""
    unsigned = [re.sub(r"(?<![\w.])[+↑↓−–—-](?=[\d.])", " ", cell) for cell in line]
    found = [each for cell in unsigned for each in numbers(cell) if each[0].isdigit()]
    return len(found) > 1 and any("." in each for each in found)


def _label(cell: str) -> str:
    """What stands before the first number of a line."""
    first = re.split(r"\s+(?=[\d.,]+(?:\s|$))(?=\d*[.,]\d)", cell, maxsplit=1)[0]
    return first if first != cell else cell[:30]


# --------------------------------------------------------------------------------------- heads


def _heads(lines: Sequence[Sequence[str]]) -> list[str]:
    """A head for each column; over several of them stands one that the empty cells take."""
    lines = [line for line in lines if not _names_rows(line)]
    width = max(map(len, lines), default=0)
    full = []
    for place_of_line, line in enumerate(lines, 1):
        cells = [*line, *[""] * (width - len(line))]
        spanned = any(left and left == right for left, right in pairwise(line))
        if place_of_line < len(lines) and not spanned:
            for place in range(2, width):
                cells[place] = cells[place] or cells[place - 1]
        full.append(cells)
    return [" ".join(filter(None, column)) for column in zip(*full, strict=True)]


def _names_rows(line: Sequence[str]) -> bool:
    """Whether a line says what the rows below it are: one text, from the first column on."""
    return bool(line[0]) and len({*filter(None, line)}) == 1


def _known_words(line: str) -> list[str]:
    """The words of a line that name columns; none of a caption, which has more words of others."""
    words = HEAD_WORDS.findall(plain(line))
    known = [word for word in words if columns_of([word])[0]]
    return known if 2 * len(known) > len(words) else []


def _pasted_heads(lines: Sequence[str]) -> list[str]:
    """The heads in lines in which measures stand above recall, precision and F1."""
    words = [word for line in lines for word in _known_words(line)]
    parts = [word for word in words if _part(word)]
    means = [word for word in words if MEAN.match(word)]
    measures = [word for word in words if word not in parts and word not in means]
    if not parts:
        return words
    groups = [column.measure for column in columns_of(parts) if column]
    if means and len({*groups}) == len(measures) + len(means):  # each has its F1 below it
        measures, means = [word for word in words if word not in parts], []
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
