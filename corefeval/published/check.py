"""A whole printed table: which of its numbers cannot belong together.

F1 follows from recall and precision, and an average from the scores that it is a mean of. Each is
tried by the intervals of `intervals`: if all numbers were rounded, and if all were cut off. Where
a check fails in both ways, each cell of the row is left out in turn: those without which nothing
fails are the cells of which one alone may be at fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from corefeval.published.heads import CONLL, Column
from corefeval.published.intervals import RULES, Bounds, mean_of, meet, prints
from corefeval.published.read import NAME_THEM, PrintedRow, PrintedTable
from corefeval.published.row_check import AVERAGE, PARTS, Row, row_of
from corefeval.score import f1

MOST_PARTS = 5
"""An average is looked for among the means of two to so many columns, or rows far apart."""
MOST_ROWS = 9
"""Of no more rows than these all means of two to five are tried, not those of neighbours alone."""
OF_F1 = "the mean of the F1 of"
F1_OF_MEANS = "the F1 of the mean recall and precision of"
NO_HARMONIC = "BLANC’s F1 is the mean of two F1, and was not held against recall and precision."
ASIDE = (
    "is not that of recall and precision, which no slip explains, and nobody is blamed: F1 may be "
    "a mean over documents or runs, or heads were read wrongly;"
)
SURE = 4
"""In so many rows, and two thirds of them, a mean must fit that nobody would expect."""


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
        return f"{self.way} {in_words(self.measures)}"


def in_words(names: Sequence[str], joined: str = "and") -> str:
    """Names as a sentence has them.

    >>> in_words(["a", "b", "c"]), in_words(["a"], "or")
    ('a, b and c', 'a')
    """
    *others, last = names
    return f"{', '.join(others)} {joined} {last}" if others else last


class CheckedRow:
    """A row of the table, and by each rule what its cells stand for.

    ``free`` are the measures whose F1 is not held against recall and precision.
    """

    def __init__(
        self,
        printed: PrintedRow,
        measures: Sequence[str],
        whole: int,
        free: frozenset[str] = frozenset(),
        without: Column | None = None,
    ) -> None:
        self.printed, self.measures, self.whole = printed, measures, whole
        self.free, self.left_out = free, without
        self.filled = [column for column, text in printed.cells.items() if text]

    @cached_property
    def rows(self) -> list[Row]:
        """The row by each rule, without the cell that is left out."""
        texts = {m: [self._text(Column(m, part)) for part in PARTS] for m in self.measures}
        return [row_of(texts, "", rule, self.whole) for rule in RULES.values()]

    @cached_property
    def averaged(self) -> list[dict[str, Bounds]]:
        """By each rule, what of each measure may have been averaged."""
        return [{m: self._entering(row, m) for m in self.measures} for row in self.rows]

    def _entering(self, row: Row, measure: str) -> Bounds:
        """What of a measure may have been averaged: its F1 in full, or as it is printed."""
        if measure in self.free:
            return row.cells[f"{measure} F1"]
        return row.averaged(measure)

    def without(self, column: Column) -> CheckedRow:
        """The row without a cell."""
        return CheckedRow(self.printed, self.measures, self.whole, self.free, column)

    def _text(self, column: Column) -> str:
        return "" if column == self.left_out else self.printed.cells.get(column, "")

    def has(self, measures: Sequence[str], parts: Sequence[str]) -> bool:
        return all(self.printed.cells.get(Column(m, part)) for m in measures for part in parts)

    def f1(self, measure: str) -> Tried | None:
        """An F1 against recall and precision; None where one of the three is missing."""
        if measure in self.free or not self.has([measure], PARTS):
            return None
        name = f"{measure} F1"
        others = [row.by_others(name) for row in self.rows]
        return Tried(tuple(others), tuple(row.cells[name] for row in self.rows))

    def has_possible_f1(self, measures: Sequence[str]) -> bool:
        return all(any(tried.possible()) for tried in map(self.f1, measures) if tried)

    def mean(self, mean: Mean, column: Column) -> Tried | None:
        """An average against what it may be a mean of; None where a cell is missing."""
        of_f1 = mean.way == OF_F1
        text = self._text(column)
        if not text or not self.has(mean.measures, PARTS[2:] if of_f1 else PARTS[:2]):
            return None
        if of_f1:
            others = [mean_of([ends[m] for m in mean.measures]) for ends in self.averaged]
        else:
            others = [_f1_of_means(row, mean.measures) for row in self.rows]
        return Tried(tuple(others), tuple(rule.behind(text) for rule in RULES.values()))

    def failing(self, averages: Mapping[Column, Average]) -> list[Column]:
        """The F1 and averages that cannot be so, by whichever rule."""
        failing = []
        for measure in self.measures:
            tried = self.f1(measure)
            if tried and not any(tried.possible()):
                failing.append(Column(measure, "F1"))
        for column, average in averages.items():
            tries = self.means(average, column)
            if tries and not any(any(tried.possible()) for tried in tries):
                failing.append(column)
        return failing

    def means(self, average: Average, column: Column) -> list[Tried]:
        """An average against all that it is likely to be; nothing if one cannot be tried.

        Where a cell is missing, it may be one of those averaged: then the mean must be well known
        from other rows.
        """
        if average.mean is None or not (average.well_known or all(self.printed.cells.values())):
            return []
        tries = [self.mean(mean, column) for mean in (average.mean, *average.needed)]
        if None in tries:
            return []
        tries += [self.mean(mean, column) for mean in average.likely]
        return [tried for tried in tries if tried]

    def not_held(self, averages: Mapping[Column, Average]) -> list[Column]:
        """Each F1 and average that is held against nothing because a cell is missing."""
        missing = {cell.measure for cell, text in self.printed.cells.items() if not text}
        parted = {cell.measure for cell in self.printed.cells if cell.part != "F1"}
        not_held = [Column(m, "F1") for m in self.measures if m in missing & parted - self.free]
        for column, average in averages.items():
            if average.mean and missing and not self.means(average, column):
                not_held.append(column)
        return not_held

    def explained_by(self, averages: Mapping[Column, Average]) -> list[Column]:
        """The cells without which nothing fails."""
        return [cell for cell in self.filled if not self.without(cell).failing(averages)]

    def instead(self, cell: Column, averages: Mapping[Column, Average]) -> str:
        """What would have to be printed in a cell for nothing to fail; nothing if it is unclear."""
        names: Sequence[str] = [cell.measure]
        average = ""
        for column, taken_for in averages.items():
            mean, text = taken_for.mean, self.printed.cells.get(column, "")
            if text and float(text) > self.whole:
                continue
            if (
                mean
                and text
                and mean.way == OF_F1
                and cell.measure in (*mean.measures, column.measure)
            ):
                names, average = mean.measures, text
        texts = {name: self._cells_of(name) for name in names}
        name = AVERAGE if cell in averages else f"{cell.measure} {cell.part}"
        decimals = len(self.printed.cells[cell].partition(".")[2])
        for rule in RULES.values():
            row = row_of(texts, average, rule, self.whole)
            if name in row.printed and row.without(name).possible():
                return " to ".join(
                    dict.fromkeys(prints(row.without(name).follows(name), decimals, rule))
                )
        return ""

    def _cells_of(self, measure: str) -> list[str]:
        cells = [self.printed.cells.get(Column(measure, part), "") for part in PARTS]
        return ["", "", cells[2]] if measure in self.free else cells


def _f1_of_means(row: Row, measures: Sequence[str]) -> Bounds:
    recall, precision = (
        mean_of([row.cells[f"{measure} {part}"] for measure in measures]) for part in PARTS[:2]
    )
    return Bounds(f1(recall.low, precision.low), f1(recall.high, precision.high))


# ------------------------------------------------------------------------------------ averages


def possible_means(measures: Sequence[str]) -> Iterator[Mean]:
    """All that an average of these columns may be, the likely ones first.

    >>> [str(mean) for mean in possible_means(["MUC", "B3"])]
    ['the mean of the F1 of MUC and B3', 'the F1 of the mean recall and precision of MUC and B3']
    """
    for way in (OF_F1, F1_OF_MEANS):
        for size in (3, 2, 4, MOST_PARTS):  # three are averaged for the CoNLL score
            yield from (Mean(way, chosen) for chosen in combinations(measures, size))


class Average(NamedTuple):
    """What a column of averages is taken for, what else it may be, and what is said of it."""

    said: str
    mean: Mean | None = None
    needed: Sequence[Mean] = ()
    """What else it may as well be: a row in which one of these cannot be tried accuses nobody."""
    likely: Sequence[Mean] = ()
    """What else excuses a row that it fits."""
    others: Sequence[Mean] = ()
    well_known: bool = False
    """Whether the mean fits so many rows that a missing cell of another column does not matter."""


def average_of(rows: Sequence[CheckedRow], column: Column, measures: Sequence[str]) -> Average:
    """The mean that is possible in most rows; none, where that is less than every other row.

    A mean that is not the CoNLL score must fit more rows: among so many, one fits a few by chance.
    A row with an F1 that cannot be so does not speak for an F1 of means: recall and precision fit
    it, whatever the average was made of.
    """
    counted: dict[Mean, int] = {}
    rarely_tried = []
    printed = sum(bool(row.printed.cells.get(column)) for row in rows)
    sound = [row for row in rows if row.printed.cells.get(column) and row.has_possible_f1(measures)]
    for mean in possible_means(measures):
        asked = rows if mean.way == OF_F1 else sound
        tries = [tried for row in asked if (tried := row.mean(mean, column))]
        if tries:
            counted[mean] = sum(any(tried.possible()) for tried in tries)
            if counted[mean] == len(tries) < (printed if asked is rows else len(sound)):
                rarely_tried.append(mean)
    if not counted:
        return Average(f"It is not known of what the {column} is an average.")
    best = max(counted, key=lambda mean: (counted[mean], mean.is_usual()))
    fits = counted[best]
    too_few = 2 * fits < max(1, len(sound))
    whole = all(all(row.printed.cells.values()) for row in rows)
    if too_few and not (printed == 1 and best.is_usual() and whole):
        said = f"The {column} is no mean of two to five of these columns in most rows"
        return Average(f"{said}: what is it an average of?")
    others = [mean for mean in counted if mean != best]
    said = f"The {column} can be {best} in {fits} of {printed} rows."
    if printed == 1:
        said = f"The {column} can be {best}." if fits else f"The {column} is taken for {best}."
    as_often = [mean for mean in others if counted[mean] == fits > 0]
    if as_often:
        others_too = {0: "", 1: ", or one other mean"}
        more = len(as_often) - 1
        said += f" In as many it can be {as_often[0]}"
        said += f"{others_too.get(more, f', or one of {more} others')}."
    well_known = fits >= SURE and 3 * fits >= 2 * printed
    if not (best.is_usual() or fits == printed or well_known):
        return Average(f"{said} In the other rows it was not checked.")
    needed = as_often
    likely = [mean for mean in others if mean.is_usual()] + rarely_tried
    if best.is_usual():  # the F1 of means of the same is near it in most tables, and rarely meant
        needed = [mean for mean in as_often if mean.measures != best.measures]
    needed += [mean for mean in rarely_tried if mean.measures == best.measures and mean != best]
    return Average(said, best, needed, likely, others, well_known)


# ---------------------------------------------------------- means without a name that says so


def is_mean(texts: Sequence[str], text: str) -> bool:
    """Whether a print is, to its digit, the mean of others."""
    for rule in RULES.values():
        if meet(mean_of([rule.behind(averaged) for averaged in texts]), rule.behind(text)):
            return True
    return False


def measure_of_means(
    rows: Sequence[CheckedRow], measure: str, measures: Sequence[str]
) -> Mean | None:
    """The measures of which each part of another is the mean, in at least half of the rows."""
    others = [name for name in measures if name != measure]
    whole = [row for row in rows if row.has([measure], PARTS)]
    best, fits = None, 0
    for size in range(2, MOST_PARTS + 1):
        for chosen in combinations(others, size):
            count = sum(_is_mean_of_measures(row, measure, chosen) for row in whole)
            if count > fits:
                best, fits = Mean(OF_F1, chosen), count
    return best if 2 * fits >= len(whole) else None


def _is_mean_of_measures(row: CheckedRow, measure: str, chosen: Sequence[str]) -> bool:
    cells = row.printed.cells
    for part in PARTS:
        texts = [cells.get(Column(averaged, part), "") for averaged in chosen]
        if not all(texts) or not is_mean(texts, cells[Column(measure, part)]):
            return False
    return True


def rows_averaged(rows: Sequence[PrintedRow], place: int, doubted: set[Column]) -> list[str]:
    """The labels of two or more rows of which each cell of another row is the mean; or none.

    A column in which one of them has no number says nothing. Of neighbours, one column may differ
    if an F1 that cannot be so is among its measure's.
    """
    cells = {column: text for column, text in rows[place].cells.items() if text}
    for group in _groups(len(rows), place):
        misses = []
        tried = 0
        for column, text in cells.items():
            texts = [rows[n].cells.get(column, "") for n in group]
            if not all(texts):
                continue
            tried += 1
            if not is_mean(texts, text):
                misses.append(column)
                if len(misses) > 1:
                    break
        if tried < len(PARTS):
            continue
        near = place + 1 in group or place - 1 in group
        slip = len(misses) == 1 and near and Column(misses[0].measure, "F1") in doubted
        if not misses or slip:
            return [rows[n].label for n in group]
    return []


def _groups(count: int, place: int) -> Iterator[tuple[int, ...]]:
    """Rows of which another may be the mean: neighbours, those at equal distances, any few."""
    others = [row for row in range(count) if row != place]
    if len(others) > 1:
        yield tuple(others)
    for step in range(1, max(2, count // 2)):
        for first in range(count):
            for last in range(first + step, count, step):
                group = tuple(range(first, last + 1, step))
                if place not in group:
                    yield group
    if count <= MOST_ROWS:
        for size in range(2, MOST_PARTS + 1):
            yield from combinations(others, size)


# --------------------------------------------------------------------------------- a whole table


class Finding(NamedTuple):
    """What was found in a row: what fails, and the cells that alone would explain it."""

    failing: list[Column]
    explained_by: list[Column]


class CheckedTable(NamedTuple):
    """What was found in a table."""

    rows: list[CheckedRow]
    measures: list[str]
    averages: dict[Column, Average]
    findings: dict[int, Finding]
    """What was found in the rows, by their places, in which something fails."""
    notes: list[str]


def check_table(table: PrintedTable) -> CheckedTable:
    """Check all rows of a table, means before blame.

    Where a measure's F1 fails in two thirds of the rows, or each F1 of a row does, no slip explains
    it: heads may have been read wrongly, or F1 is a mean. There it is held against nothing.
    """
    texts = [text for row in table.rows for text in row.cells.values() if text]
    whole = 1 if max(map(float, texts), default=0) <= 1 else 100
    averages = [column for column in table.columns if column.measure.startswith(AVERAGE)]
    measures = [c.measure for c in table.columns if c.part == "F1" and c not in averages]
    blanc = frozenset(measure for measure in measures if "blanc" in measure.lower())
    rows = [CheckedRow(row, measures, whole, blanc) for row in table.rows]
    notes = [NO_HARMONIC] if blanc else []
    for measure, failing in _failing_rows(rows).items():
        if failing and (mean := measure_of_means(rows, measure, measures)):
            measures = [name for name in measures if name != measure]
            averages.append(Column(measure, "F1"))
            means = in_words(mean.measures)
            notes.append(f"{measure}: recall, precision and F1 are the means of those of {means}.")
    rows = _without_rows_of_means(
        [CheckedRow(row, measures, whole, blanc) for row in table.rows], notes
    )
    free = blanc | _of_most_rows(rows, notes)
    rows = [CheckedRow(row.printed, measures, whole, free) for row in rows]
    rows = [_freed(row, notes) for row in rows]
    taken_for = {column: average_of(rows, column, measures) for column in averages}
    findings = {place: _finding(row, taken_for) for place, row in enumerate(rows)}
    faults = {place: finding for place, finding in findings.items() if finding.failing}
    return CheckedTable(rows, measures, taken_for, faults, notes)


def _failing_rows(rows: Sequence[CheckedRow]) -> dict[str, list[CheckedRow]]:
    """By measure, the rows in which its F1 cannot be so."""
    measures = rows[0].measures
    return {m: [row for row in rows if not row.has_possible_f1([m])] for m in measures}


def _without_rows_of_means(rows: Sequence[CheckedRow], notes: list[str]) -> list[CheckedRow]:
    """The rows, but for those with an F1 that cannot be so which are the means of others."""
    doubted = [
        {Column(m, "F1") for m in row.measures if not row.has_possible_f1([m])} for row in rows
    ]
    printed = [row.printed for row in rows]
    kept = []
    for place, row in enumerate(rows):
        others = set().union(*doubted[:place], *doubted[place + 1 :])
        if doubted[place] and (labels := rows_averaged(printed, place, others)):
            averaged = in_words(labels)
            notes.append(f"Left out: {row.printed.called}: it is the mean of the rows {averaged}.")
        else:
            kept.append(row)
    return kept


def _of_most_rows(rows: Sequence[CheckedRow], notes: list[str]) -> frozenset[str]:
    """The measures whose F1 fails in two thirds of the rows, and in two at least."""
    measures = set()
    for measure, failing in _failing_rows(rows).items():
        tried = sum(row.f1(measure) is not None for row in rows)
        if len(failing) > 1 and 3 * len(failing) >= 2 * tried:
            measures.add(measure)
            notes.append(f"{measure}: in {len(failing)} of {tried} rows F1 {ASIDE} {NAME_THEM}.")
    return frozenset(measures)


def _freed(row: CheckedRow, notes: list[str]) -> CheckedRow:
    """The row; if all of its F1 fail, of two or more, they are held against nothing."""
    tried = [measure for measure in row.measures if row.f1(measure)]
    if len(tried) < 2 or any(row.has_possible_f1([measure]) for measure in tried):
        return row
    notes.append(f"R{row.printed.called[1:]}: each F1 {ASIDE} compare its cells.")
    return CheckedRow(row.printed, row.measures, row.whole, row.free | {*tried})


def _finding(row: CheckedRow, averages: Mapping[Column, Average]) -> Finding:
    failing = row.failing(averages)
    explained_by = row.explained_by(averages) if failing else []
    if not explained_by:
        # An average of an F1 that cannot be so may be right.
        failing = [cell for cell in failing if cell not in averages] or failing
    return Finding(failing, explained_by)
