"""Read results tables as people have them: LaTeX, Markdown, CSV, pasted from a PDF, or a scorer's.

Columns are found by their heads, and nothing is guessed from numbers: where the heads do not tell
which column is what, the table is refused, and the reader names the columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import mode
from typing import NamedTuple

from corefeval.errors import CorefError
from corefeval.published.heads import (
    MADE_OF_ROWS,
    MEAN,
    Column,
    columns_by_heads,
    is_measure,
    known_words,
    part_of,
    pasted_heads,
)
from corefeval.published.markup import UNKNOWN, is_latex, latex_cells, plain, tabulars
from corefeval.published.numbers import numbers
from corefeval.published.row_check import AVERAGE, PARTS

BY_OPTION = "by --columns"
NAME_THEM = (
    f"name the columns with numbers, from left to right, {BY_OPTION}, such as: MUC P, MUC R, "
    "MUC F1, average"
)
NO_ROW = "no row of numbers was found: paste the heads and the rows of a table"
SCORE = re.compile(
    r"[^\w.,+↑↓−–—-]*(\d{1,3}(?:[.,]\d+)?|[.,]\d+)"
    r"(?![\w:/\]·×]|[.,]\d|\s+\d+[.,]\d|\s*[−–—-]+\s*\d)"  # and no second number: "65.0 0.3"
)
SIGNED = re.compile(r"[+↑↓−–—-]\s*[.,]?\d")
SIGNED_IN_LINE = re.compile(r"(?<=\s)[+↑↓−–—-](?=\d*[.,]\d)")
SLASH = re.compile(r"(?<=\d)\s*/\s*(?=\d*[.,]?\d)")
"""What stands between recall, precision and F1 in one cell."""
SIGN = re.compile(r"(?<![\w.])[+↑↓−–—-](?=[\d.])")
ARROW = re.compile(r"\d[%*]*\s*(?:[-=–—−]+>|[→⇒➔])\s*[.\d]")
BESIDE_SCORE = re.compile(r"\([^)]*\)|\[[^]]*\]|(?:±|\+/-|[+↑↓−–—-])\s*[\d.,]+")
"""What may stand beside a score: a number in brackets, a spread, a difference with its sign."""
SECOND = re.compile(r"\d[.,]\d|(?<![\d.,])[.,]\d|\D\s*\d{2}(?!\d)|[^\s\d]\s*\d")
"""A second score in a cell; a single digit after a space is a note."""
COUNTS = re.compile(
    r"\W*(?:#\s*[^\W\d]|(?:supports?|counts?|numbers?|sizes?|n|k|doc(?:ument)?s?|tokens|words"
    r"|sentences|mentions|entities|chains|clusters|speakers|instances|examples|samples|ranks?|shots"
    r"|epochs?|layers|runs|seeds|years?|ids?)\b)",
    re.I,
)
"""How the name of a row begins that has counts, if all its numbers are whole."""
CELL = r"\W*(?:\d{1,3}(?:[.,]\d+)?|[.,]\d+)\W*"
WHOLE_CELL = re.compile(rf"{CELL}(?:[/(±]{CELL})*")
"""A cell of numbers, with or without decimals, and nothing else."""
WHOLE = re.compile(
    r"(?:(?:^|[\s,;|&])\s*[*]*(?:\d{1,3}[*]*\s*%?|[-–—−]+)(?=[\s,;|&]|$)){3,}[\s|\\]*$"
)
"""The end of a line that was pasted: three whole numbers, or dashes for some of them."""
COUNT_AT_END = re.compile(r"(?<=\d)\s+\d{1,3}(?:,?\d{3})+\s*$")
"""A count behind the scores, such as the support in a report of scikit-learn."""
WITHOUT_NAME = re.compile(r"row \d+")
RULER = re.compile(r"[\s|:+=–—-]*")
"""A line of signs that separates the heads from the rows."""
IN_WORDS = re.compile(
    r"\b(recall|rec|r|precision|prec|p|f-?1|f)(?:[- ](?:score|measure))?\s*[:=]\s*"
    r"(?:\([^)]*\)\s*)?(\d+(?:\.\d+)?)\s*%?",
    re.I,
)
"""A part of a score with its name before it, as scorers print it."""
MEAN_LINE = re.compile(rf"\W*((?:{MEAN.pattern})[\w -]*?)\W*(\d+(?:\.\d+)?)\s*%?\W*", re.I)
"""A line with a mean and nothing else: CoNLL score: 58.31."""


class PrintedRow(NamedTuple):
    """A row of a table: what it is called, and the text of each cell that was understood."""

    label: str
    cells: dict[Column, str]

    @property
    def called(self) -> str:
        """What the row is called in a sentence: row 'ours', or row 2 if it has no name."""
        return self.label if WITHOUT_NAME.fullmatch(self.label) else f"row {self.label!r}"


class PrintedTable(NamedTuple):
    """A table: its columns in their order, its rows, and what was left out."""

    columns: list[Column]
    rows: list[PrintedRow]
    left_out: list[str]


class Refused(NamedTuple):
    """A table that cannot be checked, by its first line, and why."""

    first: str
    why: str


def read(text: str, columns: str = "") -> PrintedTable:
    """The one table that a text has; ``columns`` names those with numbers, if heads do not.

    Raises `CorefError` where it cannot be read.

    >>> table = read("System & MUC P & MUC R & MUC F1 \\\\\\\\ Ours & 76.2 & 69.3 & 72.6 \\\\\\\\")
    >>> table.rows[0].label, [*table.rows[0].cells.values()]
    ('Ours', ['76.2', '69.3', '72.6'])
    """
    first, *others = tables_in(text, columns)
    if isinstance(first, Refused):
        raise CorefError(first.why)
    if others:
        raise CorefError(f"{1 + len(others)} tables were found, expected one")
    return first


def tables_in(text: str, columns: str = "") -> list[PrintedTable | Refused]:
    """Each table of a text by itself; those that cannot be read, with the reason."""
    if printed := [*_of_scorers(text)]:
        return [*printed]
    tables: list[PrintedTable | Refused] = []
    for block in _blocks(text):
        lines = _in_cells(block)
        for part in [lines] if columns else _with_heads_of_their_own(lines):
            try:
                tables.append(_read(part, columns))
            except CorefError as error:
                first = next((" ".join(filter(None, line)) for line in part), "")
                tables.append(Refused(first[:60], str(error)))
    return tables or [Refused("", NO_ROW)]


def _read(lines: Sequence[list[str]], names: str) -> PrintedTable:
    """The table in these lines of cells."""
    first = _first_row(lines, names)
    rows: list[Sequence[str]] = [line for line in lines[first:] if _has_scores(line)]
    if not rows:
        raise CorefError(NO_ROW)
    pasted = len(max(lines, key=len)) == 1
    above = [*lines[:first]]
    if pasted:
        heads_below = above[-1][0].split() if above else []
        rows = [_pasted_row(line[0], names.split(",") if names else heads_below) for line in rows]
    if names:
        _, rows = _apart([], rows)
        heads = ["", *(name.strip() for name in names.split(","))]
        rows = _with_names(rows, heads[1:])
    elif pasted:
        heads = _heads_of_pasted([line[0] for line in above], rows)
    else:
        heads, rows = _apart(_heads(above), rows)
    columns = columns_by_heads(heads)
    if not any(column and column.part == "F1" for column in columns):
        raise CorefError(
            f"the heads do not tell which columns are F1, recall or precision: {NAME_THEM}"
        )
    if turned := _turned(columns, rows, lines):
        return turned
    table = _with_heads(heads, columns, rows, pasted)
    if pasted:
        others = [line[0] for line in lines[first:] if not _has_scores(line)]
        ending = [line for line in others if re.search(r"\s[\d.]*\d\s*%?$", line)]
        table.left_out.extend(f"Left out: line {line!r}: too few numbers" for line in ending)
    return table


def _first_row(lines: Sequence[list[str]], names: str) -> int:
    """The place of the first row; one of whole numbers needs heads above it that name columns."""
    for place, line in enumerate(lines):
        if _is_row(line):
            return place
        if _has_scores(line) and (names or any(map(_names_columns, lines[:place]))):
            return place
    return next((place for place, line in enumerate(lines) if _has_scores(line)), len(lines))


def _pasted_row(line: str, heads: Sequence[str]) -> list[str]:
    """A pasted line and its numbers, with the count at its end if the heads ask for one more."""
    line = COUNT_AT_END.sub(lambda count: count[0].replace(",", ""), line)
    cells = numbers(SLASH.sub(" ", line))
    count = COUNT_AT_END.search(line)
    if count and len(cells) + 1 == len(heads) and not columns_by_heads(heads)[-1]:
        cells.append(count[0].strip())
    return [line, *cells]


def has_heads(text: str) -> bool:
    """Whether a text begins as a table does: with heads above a row, in cells or of scores.

    >>> has_heads("MUC R P F1\\nours 69.3 76.2 72.6"), has_heads("MUC 69.3 76.2 72.6")
    (True, False)
    """
    lines = [line for block in _blocks(text) for line in _in_cells(block)]
    first = next((place for place, line in enumerate(lines) if _is_row(line)), 0)
    above = [cell for line in lines[:first] for cell in line]
    known = columns_by_heads([word for cell in above for word in known_words(cell)])
    numbered = any("." in number for cell in above for number in numbers(cell))
    in_cells = any(len(line) > 1 for line in lines[:first])
    return (in_cells or sum(map(bool, known)) > 1) and not numbered


# ---------------------------------------------------------------------------- several tables


def _blocks(text: str) -> Iterator[str]:
    """The texts of the tables in a text."""
    if is_latex(text):
        yield from tabulars(text)
        return
    lines = text.splitlines()
    if any("|" in line and "-" in line and RULER.fullmatch(line) for line in lines):
        yield from _runs(lines)
        return
    block: list[str] = []
    rows = False
    for paragraph in re.split(r"\n[^\S\n]*\n\s*?(?=\S|$)", text):
        of_paragraph = paragraph.splitlines()
        if rows and _begins_with_heads(of_paragraph):
            yield "\n".join(block)
            block, rows = [], False
        block += of_paragraph
        rows = rows or any(_has_scores([line]) for line in of_paragraph)
    yield "\n".join(block)


def _begins_with_heads(lines: Sequence[str]) -> bool:
    """Whether one of the lines before the first row names columns."""
    for line in lines:
        if _has_scores([line]):
            return False
        if len(known_words(plain(re.sub(r"[|,;\t]", " ", line)))) > 1:
            return True
    return False


def _runs(lines: Sequence[str]) -> Iterator[str]:
    """The tables in Markdown: lines with | one below the other, of which one separates heads."""
    run: list[str] = []
    for line in [*lines, ""]:
        if "|" in line:
            run.append(line)
            continue
        if any(map(RULER.fullmatch, run)):
            yield "\n".join(run)
        run = []


def _with_heads_of_their_own(lines: Sequence[list[str]]) -> Iterator[list[list[str]]]:
    """The lines of cells in pieces, each from heads on that name the columns anew."""
    piece: list[list[str]] = []
    heads: list[list[str]] = []
    rows = False
    for line in lines:
        if _has_scores(line):
            rows = True
        elif rows and line not in heads and _names_columns(line):
            yield piece
            piece, heads, rows = [], [], False
        if not rows:
            heads.append(line)
        piece.append(line)
    yield piece


def _names_columns(line: Sequence[str]) -> bool:
    if _names_rows(line) and len(line) > 1:
        return False
    words = line if len(line) > 1 else known_words(line[0])
    return sum(map(bool, columns_by_heads(words))) > 1


# --------------------------------------------------------------------------- what scorers print


def _of_scorers(text: str) -> Iterator[PrintedTable]:
    """What scorers print: a line for each measure, with the name of each part before its number."""
    cells: dict[Column, str] = {}
    before = ""
    for line in text.splitlines():
        parts = {_part(name): number for name, number in IN_WORDS.findall(line)}
        if {*parts} == {*PARTS}:
            first = IN_WORDS.search(line)
            name = (line[: first.start()] if first else "").strip(" :\t") or before
            name = name.removeprefix("METRIC ").partition(":")[0] or "measure"
            if Column(name, "F1") in cells:
                yield PrintedTable([*cells], [PrintedRow("row 1", cells)], [])
                cells = {}
            cells |= {Column(name, part): parts[part] for part in PARTS}
        elif cells and (alone := MEAN_LINE.fullmatch(line)):
            cells[Column(AVERAGE, "F1")] = alone[2]
        before = line.strip(" :\t") or before
    if cells:
        yield PrintedTable([*cells], [PrintedRow("row 1", cells)], [])


def _part(word: str) -> str:
    return part_of(word.replace("-", ""))


def _turned(
    columns: Sequence[Column | None], rows: Sequence[Sequence[str]], lines: Sequence[Sequence[str]]
) -> PrintedTable | None:
    """One row of a table whose rows are measures and their mean, or nothing if it is another."""
    scores = [column for column in columns if column]
    if [column.measure for column in scores] != ["measure 1"] * len(PARTS):
        return None
    cells: dict[Column, str] = {}
    left_out = []
    for row in rows:
        label = _label(row[0]) if numbers(row[0]) else row[0]
        is_mean = bool(MADE_OF_ROWS.match(label))
        name = AVERAGE if is_mean else label
        known = is_mean or is_measure(label)
        if not known or len(row) != len(columns) or Column(name, "F1") in cells:
            return None
        for column, cell in zip(columns, row, strict=True):
            if column and (column.part == "F1" or not is_mean):
                read_as = number(cell)
                cells[Column(name, column.part)] = read_as or ""
                if read_as is None:
                    left_out.append(f"Not read: {name} {column.part}: {cell!r}")
    below = [MEAN_LINE.fullmatch(" ".join(line)) for line in lines]
    alone = [match[2] for match in below if match]
    if len(alone) == 1:
        cells.setdefault(Column(AVERAGE, "F1"), alone[0])
    if Column(AVERAGE, "F1") not in cells or len(cells) < 1 + 2 * len(PARTS):
        return None
    return PrintedTable([*cells], [PrintedRow("row 1", cells)], left_out)


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
    columns: Sequence[Column | None],
    rows: Sequence[Sequence[str]],
    pasted: bool,
) -> PrintedTable:
    lines, left_out = [], []
    labels = _width_of_labels(columns, rows)
    fractions = _has_fractions(rows, columns)
    for place, row in enumerate(rows, 1):
        label = _label(row[0]) if pasted else " ".join(filter(None, row[:labels]))
        if pasted and _ends_in_whole(row[0]):
            label, row = _apart_from_label(row, len(columns))
        label = label.replace(UNKNOWN, "").strip()
        label = label or f"row {place}"
        called = PrintedRow(label, {}).called
        row, shifted = _in_percent(row, columns)
        if why := _why_not(row, label, columns, pasted, fractions):
            left_out.append(f"Left out: {called}: {why}")
            continue
        left_out += [f"Read: {called}, {column}: {shifted[column]}%" for column in shifted]
        cells = {}
        for column, cell in zip(columns, row, strict=True):
            if column:
                read_as = number(cell)
                cells[column] = read_as or ""
                if read_as is None:
                    left_out.append(f"Not read: {called}, {column}: {cell!r}")
        lines.append(PrintedRow(label, cells))
    if not lines:
        raise CorefError(
            f"no row can be checked. {left_out[0]}. If its columns were not understood, {NAME_THEM}"
        )
    unknown = zip(heads[labels:], columns[labels:], strict=True)
    left_out += [f"Left out: column {head!r}" for head, column in unknown if not column]
    return PrintedTable([column for column in columns if column], lines, left_out)


def _apart_from_label(row: Sequence[str], width: int) -> tuple[str, list[str]]:
    """The label of a pasted line of whole numbers, and the line with the last of them alone."""
    line, *cells = row
    cells = cells[max(0, len(cells) - width + 1) :]
    words = re.split(r"\s+", line.strip())
    return " ".join(words[: len(words) - len(cells)]), [line, *cells]


def _has_fractions(rows: Sequence[Sequence[str]], columns: Sequence[Column | None]) -> bool:
    """Whether all scores with decimals are 1 at most."""
    texts = [
        text
        for row in rows
        for column, cell in zip(columns, row, strict=False)
        if column and "." in (text := number(cell) or "")
    ]
    return bool(texts) and max(map(float, texts)) <= 1


def _in_percent(
    row: Sequence[str], columns: Sequence[Column | None]
) -> tuple[Sequence[str], dict[Column, str]]:
    """A row with % behind some scores, and fractions alone beside them: these, in percent.

    >>> _in_percent(["a", "78.4%", "0.758"], [None, Column("MUC", "recall"), Column("MUC", "F1")])
    (['a', '78.4%', '75.8'], {Column(measure='MUC', part='F1'): '0.758 as 75.8'})
    """
    scores = {
        place: text
        for place, (column, cell) in enumerate(zip(columns, row, strict=False))
        if column and (text := number(cell))
    }
    plain_ones = {place: text for place, text in scores.items() if "%" not in row[place]}
    if len(plain_ones) == len(scores) or any(float(text) > 1 for text in plain_ones.values()):
        return row, {}
    cells, shifted = [*row], {}
    for place, text in plain_ones.items():
        if column := columns[place]:
            whole, _, decimals = text.partition(".")
            digits = f"{whole}{decimals.ljust(2, '0')}"
            end = len(whole) + 2
            cells[place] = f"{int(digits[:end])}.{digits[end:]}".removesuffix(".")
            shifted[column] = f"{text} as {cells[place]}"
    return cells, shifted


def _width_of_labels(columns: Sequence[Column | None], rows: Sequence[Sequence[str]]) -> int:
    """How many columns a label has: those before the first score, of which no cell is a number."""
    count = 1
    while count < len(columns) and not columns[count]:
        if any(cell[:1].isdigit() for row in rows for cell in row[count : count + 1]):
            break
        count += 1
    return count


def _why_not(
    row: Sequence[str],
    label: str,
    columns: Sequence[Column | None],
    pasted: bool,
    fractions: bool,
) -> str:
    """Why a row is no row of scores; nothing if it is one."""
    if pasted and ARROW.search(row[0]):
        return "it has arrows between its numbers"
    if len(row) != len(columns):
        cells = f"{len(row) - 1} cell{'s' * (len(row) != 2)}"
        return f"{cells}, and {len(columns) - 1} columns have heads"
    if MADE_OF_ROWS.match(label):
        return "by its name it is made of other rows, and no system"
    scores = [cell for column, cell in zip(columns, row, strict=True) if column]
    if any(map(SIGNED.match, scores)) or (pasted and SIGNED_IN_LINE.search(row[0])):
        return "it has numbers with a sign, which are differences"
    texts = [text for cell in scores if (text := number(cell))]
    if not texts:
        return "" if any(re.search(r"\d", cell) for cell in scores) else "it has no score"
    if not any("." in text for text in texts) and (why := _why_no_scores(label, texts, fractions)):
        return why
    for column, cell in zip(columns, row, strict=True):
        is_score = column and not column.measure.startswith(AVERAGE)
        if is_score and float(number(cell) or 0) > 100:
            return f"{column}: {cell!r} is no number from 0 to 100"
    return _on_another_scale(texts)


def _why_no_scores(label: str, texts: Sequence[str], fractions: bool) -> str:
    """Why the whole numbers of a row are no scores; nothing if they may be."""
    if COUNTS.match(label):
        return "by its name it has counts, and no scores"
    if len(texts) > 2 and all(int(b) - int(a) == 1 for a, b in pairwise(texts)):
        return "its numbers count the columns"
    if fractions and max(map(int, texts)) > 1:
        return "its whole numbers are on another scale than the scores"
    return ""


def _on_another_scale(texts: Sequence[str]) -> str:
    """Which number of a row is a fraction beside percentages; nothing if none is."""
    decimals = [len(text.partition(".")[2]) for text in texts if float(text) > 1]
    small = [text for text in texts if 0 < float(text) <= 1]
    finer = [text for text in small if len(text) - 2 > max(decimals, default=len(text))]
    return f"{finer[0]} is on another scale than the other numbers" if finer else ""


def number(cell: str) -> str | None:
    """The number of a cell: "" where it has none, None where it cannot be read.

    >>> number("**80,4"), number("80.4 1"), number("n/a"), number("80.4³"), number("0.6 -> 0.5")
    ('80.4', '80.4', '', None, None)
    """
    score = None if UNKNOWN in cell else SCORE.match(cell)
    if score and SECOND.search(BESIDE_SCORE.sub(" ", cell[score.end() :])):
        return None
    if not score:
        return None if UNKNOWN in cell or re.search(r"\d", cell) else ""
    text = score[1].replace(",", ".")
    return "0" + text if text.startswith(".") else text


# ----------------------------------------------------------------------------- lines and cells


def _in_cells(text: str) -> list[list[str]]:
    """The cells of each line; of a line without separators it is the line itself."""
    if is_latex(text):
        return latex_cells(text)
    lines = [line for line in text.splitlines() if not RULER.fullmatch(line)]
    of_rows = [line for line in lines if len(numbers(line)) > 1] or lines
    for separator in "|\t;,":
        if all(line.count(separator) > 1 for line in of_rows):
            if separator == "|":
                lines = [re.sub(r"^\s*\||\|\s*$", "", line) for line in lines]
            split = csv.reader(lines, delimiter=separator)
            return [[plain(cell) for cell in row] for row in split]
    return [[line.strip()] for line in lines]


def _apart(
    heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[Sequence[str]]]:
    """The table with a column for each number where cells have several: 80.0/60.0/68.6."""
    width = max(map(len, rows))
    sizes = [1] * width
    for place in range(1, width):
        cells = [row[place] for row in rows if len(row) > place and re.search(r"\d", row[place])]
        counts = [len(parts) for cell in cells if len(parts := SLASH.split(cell)) > 1]
        if len({*counts}) == 1 and 2 * len(counts) > len(cells):
            sizes[place] = counts[0]
    split: list[Sequence[str]] = []
    for row in rows:
        parts = [_parts_of_cell(cell, size) for cell, size in zip(row, sizes, strict=False)]
        split.append([part for cell in parts for part in cell])
    named = []
    for place, head in enumerate(heads):
        size = sizes[place] if place < width else 1
        measure, names = _slashed(head)
        if size == 1:
            named.append(head)
        elif len(names) == size:
            named += [f"{measure} {name}" for name in names]
        else:  # which number is what is not known
            named += [""] * size
    return named, split


def _parts_of_cell(cell: str, size: int) -> list[str]:
    """The parts of a cell, as many as its column has; empty ones where it has none."""
    parts = SLASH.split(cell)
    return parts if len(parts) == size else [cell, *[""] * (size - 1)]


def _slashed(head: str) -> tuple[str, list[str]]:
    """The measure of a head and the parts behind it: MUC (P/R/F1)."""
    parts = re.search(r"[^\s(]+(?:\s*/\s*[^\s)/]+)+", head)
    if not parts:
        return head, []
    return head[: parts.start()].strip(" ("), re.split(r"\s*/\s*", parts[0])


def _has_scores(line: Sequence[str]) -> bool:
    """Whether a line has two numbers of which one has decimals, or cells of whole numbers."""
    if _is_row(line):
        return True
    if len(line) == 1:
        return _ends_in_whole(line[0])
    cells = [SIGN.sub(" ", cell) for cell in line[1:]]
    numbered = (WHOLE_CELL.fullmatch(cell) or re.search(r"\d[.,]\d", cell) for cell in cells)
    return any(numbered) and not (_names_rows(line) or _names_columns(line))


def _ends_in_whole(line: str) -> bool:
    """Whether a line ends in whole numbers; a long one is not searched from its beginning."""
    return bool(WHOLE.search(line[-200:]))


def _is_row(line: Sequence[str]) -> bool:
    """Whether a line has two numbers, of which one has decimals."""
    apart = [SLASH.sub(" ", SIGN.sub(" ", cell)) for cell in line]
    digits = [number for cell in apart for number in numbers(cell) if number[0].isdigit()]
    return len(digits) > 1 and any("." in number for number in digits)


def _label(cell: str) -> str:
    """What stands before the first number of a line."""
    first = re.split(r"\s+(?=[\d.,]+(?:[\s/]|$))(?=\d*[.,]\d)", cell, maxsplit=1)[0]
    return first if first != cell else cell[:30]


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
    return [
        " ".join(filter(None, column)).replace(UNKNOWN, "") for column in zip(*full, strict=True)
    ]


def _names_rows(line: Sequence[str]) -> bool:
    """Whether a line says what the rows below it are: one text, from the first column on."""
    return bool(line[0]) and len({*filter(None, line)}) == 1


def _heads_of_pasted(above: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The heads of pasted lines; those of the last line, if it has one for each number."""
    heads = pasted_heads(above)
    width = mode(len(row) for row in rows) - 1
    words = above[-1].split() if above else []
    if 0 < len(heads) < width == len(words):
        heads = words
    return ["", *heads]
