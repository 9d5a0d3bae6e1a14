"""A whole printed table: which of its numbers cannot belong together.

F1 follows from recall and precision, and an average from the scores that it is a mean of. Each is
tried by the intervals of `row_check`: if all numbers were rounded, and if all were cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from corefeval.display import Table
from corefeval.published.intervals import RULES, Bounds, mean_of, meet, outwards
from corefeval.published.read import Column, Line, read
from corefeval.published.row_check import AVERAGE, PARTS, Row, row_of
from corefeval.score import f1

MOST_PARTS = 5
"""An average is looked for among the means of two to so many columns."""
CONLL = re.compile(r"muc|b\W?[3³c]|ceaf", re.IGNORECASE)
OF_F1 = "the mean of the F1 of"
F1_OF_MEANS = "the F1 of the mean recall and precision of"
NEVER = (
    "Recall and precision exchanged are never found: F1 does not change if they change places, "
    "and so no mean of F1 does."
)
BEFORE = (
    "Before you ask the authors, compare the cells with the paper. Ask, too, whether F1 is a mean "
    "over documents or runs, and what the average is an average of. “Possible” does not say that "
    "a number is right."
)
NO_HARMONIC = "BLANC’s F1 is the mean of two F1, and was not held against recall and precision."


class Tried(NamedTuple):
    """Where a number must lie by other cells, and by its own print: rounded, and cut off."""

    by_others: tuple[Bounds, ...]
    by_print: tuple[Bounds, ...]

    def possible(self) -> tuple[bool, ...]:
        return tuple(map(meet, self.by_others, self.by_print))

    def if_mixed(self) -> bool:
        """Whether it is possible where some cells were rounded and others cut off."""
        others, own = (Bounds(a.low, b.high) for a, b in self)
        return meet(others, own)


class Mean(NamedTuple):
    """What an average may be: in which way, and of which measures."""

    way: str
    measures: tuple[str, ...]

    def is_usual(self) -> bool:
        """Whether it is the CoNLL score, as tables mostly have it."""
        three = all(CONLL.match(measure) for measure in self.measures)
        return three and len(self.measures) == 3 and self.way == OF_F1

    def __str__(self) -> str:
        *others, last = self.measures
        return f"{self.way} {', '.join(others)} and {last}"


class Checked(NamedTuple):
    """A row of the table, and by each rule its cells and what of them may have been averaged."""

    line: Line
    rows: list[Row]
    averaged: list[dict[str, Bounds]]

    @classmethod
    def of(cls, line: Line, measures: Sequence[str], whole: int) -> Checked:
        texts = {m: [line.cells.get(Column(m, part), "") for part in PARTS] for m in measures}
        rows = [row_of(texts, "", rule, whole) for rule in RULES.values()]
        return cls(line, rows, [{m: row.averaged(m) for m in measures} for row in rows])

    def has(self, measures: Sequence[str], parts: Sequence[str]) -> bool:
        return all(self.line.cells.get(Column(m, part)) for m in measures for part in parts)

    def f1(self, measure: str) -> Tried | None:
        """An F1 against recall and precision; None where one of the three is missing."""
        if not self.has([measure], PARTS) or "blanc" in measure.lower():
            return None
        name = f"{measure} F1"
        others, own = (
            [row.by_others(name) for row in self.rows],
            [r.cells[name] for r in self.rows],
        )
        return Tried(tuple(others), tuple(own))

    def has_possible_f1(self, measures: Sequence[str]) -> bool:
        tried = map(self.f1, measures)
        return all(any(each.possible()) for each in tried if each)

    def mean(self, mean: Mean, column: Column) -> Tried | None:
        """An average against what it may be a mean of; None where a cell is missing."""
        of_f1 = mean.way == OF_F1
        text = self.line.cells[column]
        if not text or not self.has(mean.measures, PARTS[2:] if of_f1 else PARTS[:2]):
            return None
        if of_f1:
            others = [mean_of([ends[m] for m in mean.measures]) for ends in self.averaged]
        else:
            others = [_f1_of_means(row, mean.measures) for row in self.rows]
        return Tried(tuple(others), tuple(rule.behind(text) for rule in RULES.values()))


def _f1_of_means(row: Row, measures: Sequence[str]) -> Bounds:
    recall, precision = (
        mean_of([row.cells[f"{measure} {part}"] for measure in measures]) for part in PARTS[:2]
    )
    return Bounds(f1(recall.low, precision.low), f1(recall.high, precision.high))


# ------------------------------------------------------------------------------------ averages


def means(measures: Sequence[str]) -> Iterator[Mean]:
    """All that an average of these columns may be, the likely ones first.

    >>> [str(each) for each in means(["MUC", "B3"])]
    ['the mean of the F1 of MUC and B3', 'the F1 of the mean recall and precision of MUC and B3']
    """
    for way in (OF_F1, F1_OF_MEANS):
        for size in (3, 2, 4, MOST_PARTS):  # three are averaged for the CoNLL score
            yield from (Mean(way, chosen) for chosen in combinations(measures, size))


class Average(NamedTuple):
    """What a column of averages is taken for, what else it may be, and what is said of it."""

    mean: Mean | None
    likely: list[Mean]
    others: list[Mean]
    told: str


def average_of(rows: Sequence[Checked], column: Column, measures: Sequence[str]) -> Average:
    """The mean that is possible in most rows; none, where that is less than every other row.

    A row with an F1 that cannot be so does not speak for an F1 of means: recall and precision fit
    it, whatever the average was made of.
    """
    counted: dict[Mean, int] = {}
    printed = sum(bool(row.line.cells[column]) for row in rows)
    sound = [row for row in rows if row.line.cells[column] and row.has_possible_f1(measures)]
    for mean in means(measures):
        of = rows if mean.way == OF_F1 else sound
        tried = [found for row in of if (found := row.mean(mean, column))]
        if tried:
            counted[mean] = sum(any(found.possible()) for found in tried)
    if not counted:
        return Average(None, [], [], f"Of no row can be told what the {column.measure} is of.")
    best = max(counted, key=lambda mean: (counted[mean], mean.is_usual()))
    too_few = 2 * counted[best] < max(1, len(sound))
    if too_few and not (printed == 1 and best.is_usual()):
        told = f"The {column.measure} is no mean of two to five of these columns in most rows"
        return Average(None, [], [], f"{told}: what is it an average of?")
    others = [mean for mean in counted if mean != best]
    told = f"The {column.measure} can be {best} in {counted[best]} of {printed} rows."
    alike = [mean for mean in others if counted[mean] == counted[best] > 0]
    if alike:
        told += f" In as many it can be {alike[0]}"
        told += f", or one of {len(alike) - 1} others." if alike[1:] else "."
    likely = [*alike, *(mean for mean in others if mean.is_usual())]
    return Average(best, likely, others, told)


# -------------------------------------------------------------------------------------- report


class Report(NamedTuple):
    """What is said of a table: a headline, its rows, and sentences."""

    told: str
    table: Table
    sentences: list[str]

    def __str__(self) -> str:
        said = [f"- {each}" for each in self.sentences]
        return "\n".join([self.told, "", self.table.text(), "", *said])


def report(text: str, columns: str = "") -> Report:
    """What can and what cannot be so in each row of a table.

    ``columns`` names those with numbers, from left to right, where their heads do not. Raises
    `CorefError` where it is needed, and where no row was found.

    >>> found = report("System, MUC R, MUC P, MUC F1\\nOurs, 69.3, 76.2, 73.6")
    >>> found.told
    '1 of 1 rows has a number that cannot be so; 1 numbers could be checked.'
    >>> found.sentences[0].partition(" give ")[0]
    'Ours: MUC F1 73.6 cannot be so. Recall 69.3 and precision 76.2'
    """
    printed = read(text, columns)
    numbers = [float(cell) for line in printed.lines for cell in line.cells.values() if cell]
    whole = 1 if max(numbers, default=0) <= 1 else 100
    averages = [column for column in printed.columns if column.measure.startswith(AVERAGE)]
    measures = [c.measure for c in printed.columns if c.part == "F1" and c not in averages]
    rows = [Checked.of(line, measures, whole) for line in printed.lines]
    found = {column: average_of(rows, column, measures) for column in averages}
    body: list[list[str]] = []
    said: list[str] = []
    bad = checked = 0
    for row in rows:
        cells = [*_cells(row, measures, found)]
        impossible = [cell for cell in cells if cell.tried and not any(cell.tried.possible())]
        body.append([row.line.label, *map(_shown, cells)])
        said += (f"{row.line.label}: {_why(cell)}" for cell in impossible)
        bad += bool(impossible)
        checked += sum(cell.tried is not None for cell in cells)
    said += [average.told for average in found.values()]
    said += [f"{each}." for each in printed.left_out]
    if any("blanc" in measure.lower() for measure in measures):
        said.append(NO_HARMONIC)
    heads = ["row", *(f"{measure} F1" for measure in measures), *(c.measure for c in averages)]
    caption = "(✓): possible if all numbers were rounded, and if all were cut off."
    headline = (
        f"{bad or 'None'} of {len(rows)} rows {'have' if bad > 1 else 'has'} a number that cannot "
        f"be so; {checked} numbers could be checked."
    )
    shown = Table([heads, *body])
    shown.caption = caption
    return Report(headline, shown, [*said, NEVER, BEFORE])


class Cell(NamedTuple):
    """An F1 or an average, what it was tried against, and what else it can be."""

    name: str
    text: str
    against: str
    tried: Tried | None
    besides: str = ""


def _cells(
    row: Checked, measures: Sequence[str], averages: Mapping[Column, Average]
) -> Iterator[Cell]:
    for measure in measures:
        recall, precision, text = (row.line.cells.get(Column(measure, p), "") for p in PARTS)
        against = f"Recall {recall} and precision {precision} give"
        yield Cell(f"{measure} F1", text, against, row.f1(measure))
    for column, average in averages.items():
        tried = row.mean(average.mean, column) if average.mean else None
        if tried and not any(tried.possible()) and _may_be_right(row, column, average):
            tried = None
        besides = _besides(row, column, average.others)
        text = row.line.cells[column]
        yield Cell(column.measure, text, f"As {average.mean} it is", tried, besides)


def _may_be_right(row: Checked, column: Column, average: Average) -> bool:
    """Whether an average is another mean as likely, or was taken of an F1 that cannot be so."""
    assert average.mean
    another = _possible(row, column, average.likely)
    return bool(another) or not row.has_possible_f1(average.mean.measures)


def _besides(row: Checked, column: Column, others: Sequence[Mean]) -> str:
    """What an average can be that cannot be the likely mean."""
    if mean := _possible(row, column, others):
        return f" It can be {mean}."
    return " It can be the mean of no other two to five of these columns."


def _possible(row: Checked, column: Column, means: Sequence[Mean]) -> Mean | None:
    """The first mean that an average can be."""
    for mean in means:
        tried = row.mean(mean, column)
        if tried and any(tried.possible()):
            return mean
    return None


def _shown(cell: Cell) -> str:
    if cell.tried is None:
        return cell.text or "–"
    rounded, cut = cell.tried.possible()
    if rounded and cut:
        return f"{cell.text} (✓)"
    if rounded or cut:
        return f"{cell.text} if {'rounded' if rounded else 'cut off'}"
    return f"≠ {cell.text} cannot be so"


def _why(cell: Cell) -> str:
    """Why a number cannot be so, with the intervals that do not meet."""
    assert cell.tried
    decimals = len(cell.text.partition(".")[2]) + 2
    (by_rounded, by_cut), (rounded, cut) = (
        [" to ".join(outwards(each, decimals)) for each in both] for both in cell.tried
    )
    mixed = " It can be if some were rounded and others cut off." * cell.tried.if_mixed()
    return (
        f"{cell.name} {cell.text} cannot be so. {cell.against} {by_rounded} if rounded, and "
        f"{cell.text} stands for {rounded}; if cut off, {by_cut}, and {cut}.{mixed}{cell.besides}"
    )
