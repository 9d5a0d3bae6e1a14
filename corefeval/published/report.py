"""What is said of printed tables, for a review: in plain text and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import NamedTuple

from corefeval.display import Table
from corefeval.errors import CorefError
from corefeval.published.check import (
    CheckedRow,
    CheckedTable,
    Finding,
    Tried,
    check_table,
    in_words,
)
from corefeval.published.heads import Column
from corefeval.published.intervals import RULES, outwards
from corefeval.published.read import NAME_THEM, PrintedTable, Refused, tables_in
from corefeval.published.row_check import PARTS

NEVER = "Recall and precision exchanged are never found: F1 stays the same."
BEFORE = (
    "Before you ask the authors, compare the cells with the paper; ask whether F1 is a mean over "
    "documents or runs, and what is averaged. “Possible” does not mean right."
)
WIDTH = 80
CAPTION = (
    "(✓): possible if all were rounded, and if all were cut off. ≠: does not fit what it follows "
    "from."
)
NOTHING = f"Nothing could be checked. If the columns were not understood, {NAME_THEM}."


class Report(NamedTuple):
    """What is said of a table: a headline, its rows, and sentences."""

    headline: str
    table: Table | None
    sentences: list[str]
    checks: int = 0
    faults: int = 0

    def __str__(self) -> str:
        table = [self.table.text(), ""] if self.table else []
        sentences = [f"- {sentence}" for sentence in self.sentences]
        return "\n".join([self.headline, "", *table, *sentences])

    def in_lines(self) -> str:
        """The text with sentences in lines as wide as a terminal."""
        table = [self.table.text(), ""] if self.table else []
        sentences = [wrapped(f"- {sentence}") for sentence in self.sentences]
        return "\n".join([wrapped(self.headline), "", *table, *sentences])

    def markdown(self) -> str:
        table = [self.table.markdown(), "", self.table.caption, ""] if self.table else []
        sentences = [f"- {sentence}" for sentence in self.sentences]
        return "\n".join([f"**{self.headline}**", "", *table, *sentences])


def wrapped(text: str) -> str:
    """A sentence in lines that fit a terminal, without a word that is cut."""
    return fill(
        text,
        WIDTH,
        subsequent_indent="  " * text.startswith("- "),
        break_long_words=False,
        break_on_hyphens=False,
    )


def report(text: str, columns: str = "") -> Report:
    """What can and what cannot be so in each row of the one table that a text has.

    ``columns`` names those with numbers, from left to right, where their heads do not. Raises
    `CorefError` where it is needed, and where no row was found.

    >>> found = report("System, MUC R, MUC P, MUC F1\\nOurs, 69.3, 76.2, 73.6")
    >>> found.headline
    'The one row has a number that cannot be so; 1 number could be checked.'
    >>> found.table.lines[1]
    ['Ours', '≠ 73.6', 'MUC recall, MUC precision or MUC F1']
    """
    first, *others = reports(text, columns)
    if others:
        raise CorefError(f"{1 + len(others)} tables were found, expected one")
    if first.table is None:
        raise CorefError(first.headline)
    return first


def reports(text: str, columns: str = "") -> list[Report]:
    """A report on each table of a text; on one that cannot be read, why."""
    return [_report(table) for table in tables_in(text, columns)]


def _report(printed: PrintedTable | Refused) -> Report:
    if isinstance(printed, Refused):
        begins = [f"Not checked: the table that begins with {printed.first!r}."]
        return Report(printed.why, None, begins if printed.first else [])
    try:
        checked = check_table(printed)
    except CorefError as error:
        return Report(str(error), None, [])
    names = [*(Column(measure, "F1") for measure in checked.measures), *checked.averages]
    tried = [{cell: _tried(row, cell, checked) for cell in names} for row in checked.rows]
    checks = [check for row in tried for check in row.values() if check]
    sentences = []
    body = []
    for place, row in enumerate(checked.rows):
        finding = checked.findings.get(place, Finding([], []))
        cells = [
            _cell(row.printed.cells.get(cell, ""), tried[place][cell], cell in finding.failing)
            for cell in names
        ]
        explained = ""
        if finding.explained_by:
            explained = in_words([*map(str, finding.explained_by)], "or")
        body.append([row.printed.label, *cells, *([explained] if checked.findings else [])])
        if finding.failing:
            sentences.append(_why(row, finding, checked))
    sentences += [average.said for average in checked.averages.values()]
    sentences += [_fitting(checks)] if checks else []
    missing = [_not_held(row, checked) for row in checked.rows] if checks else []
    left_out = [*checked.notes, *printed.left_out, *filter(None, missing)]
    sentences += [f"{note.removesuffix('.')}." for note in left_out]
    numbers = sum(len(row.filled) for row in checked.rows)
    read = f"{_count(len(checked.rows), 'row')} with {_count(numbers, 'number')}"
    sentences.append(f"Read: {read}; {_count(len(checks), 'check')}.")
    heads = ["row", *map(str, names), *(["one cell explains it"] if checked.findings else [])]
    table = Table([heads, *body])
    table.caption = CAPTION
    headline = _headline(len(checked.rows), len(checked.findings), len(checks))
    return Report(headline, table, sentences, len(checks), len(checked.findings))


def _not_held(row: CheckedRow, checked: CheckedTable) -> str:
    """What of a row is held against nothing because cells are missing; nothing if all is."""
    cells = row.not_held(checked.averages)
    if not cells:
        return ""
    named = in_words([*map(str, cells)])
    return f"Left out: {row.printed.called}: {named} cannot be checked, since a cell has no number"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _headline(rows: int, bad: int, checks: int) -> str:
    if not checks:
        return NOTHING
    accused = f"{bad or 'None'} of {rows} rows {'have' if bad > 1 else 'has'} a number"
    if rows == 1:
        accused = "The one row has a number" if bad else "The one row has no number"
    return f"{accused} that cannot be so; {_count(checks, 'number')} could be checked."


def _tried(row: CheckedRow, cell: Column, checked: CheckedTable) -> Tried | None:
    """What a cell was held against: an average against the first of its likely means that fits."""
    if cell not in checked.averages:
        return row.f1(cell.measure)
    average = checked.averages[cell]
    tries = row.means(average, cell)
    if not tries or any(tries[0].possible()):
        return tries[0] if tries else None
    if any(any(tried.possible()) for tried in tries):
        return None
    return tries[0] if average.mean and row.has_possible_f1(average.mean.measures) else None


def _cell(text: str, tried: Tried | None, fails: bool) -> str:
    if fails:
        return f"≠ {text}"
    if tried is None:
        return text or "–"
    possible = tried.possible()
    if all(possible):
        return f"{text} (✓)"
    fitting = [name for name, fits in zip(RULES, possible, strict=True) if fits]
    return f"{text} if {fitting[0]}" if fitting else text


def _fitting(checks: Sequence[Tried]) -> str:
    """How many checks fit if all numbers were rounded, and if all were cut off."""
    counts = [sum(fits) for fits in zip(*(tried.possible() for tried in checks), strict=True)]
    rounded, cut = counts
    if len(checks) == 1:
        fits = ("does not fit", "fits")
        return (
            f"If all numbers were rounded, the one check {fits[rounded]}; if all were cut off, it "
            f"{fits[cut]}."
        )
    return (
        f"If all numbers were rounded, {rounded} of {len(checks)} checks fit; if all were cut off, "
        f"{cut} of them."
    )


def _why(row: CheckedRow, finding: Finding, checked: CheckedTable) -> str:
    """What fails in a row, with the intervals that do not meet, and what one cell explains."""
    sentences = [_interval(row, cell, checked) for cell in finding.failing]
    if not finding.explained_by:
        sentences.append(
            "No single changed cell would explain it: F1 may be a mean over documents or runs."
        )
        return f"{row.printed.label}: {' '.join(sentences)}"
    cells = []
    for cell in finding.explained_by:
        instead = row.instead(cell, checked.averages)
        cells.append(f"{cell} ({instead})" if instead else str(cell))
    only = "Only one changed cell" if len(cells) == 1 else "One changed cell"
    sentences.append(f"{only} would explain it: {in_words(cells, 'or')}.")
    return f"{row.printed.label}: {' '.join(sentences)}"


def _interval(row: CheckedRow, cell: Column, checked: CheckedTable) -> str:
    """Why a number does not fit, with the intervals that do not meet."""
    text = row.printed.cells[cell]
    besides = ""
    if cell in checked.averages:
        average = checked.averages[cell]
        assert average.mean
        tried, against = row.mean(average.mean, cell), f"As {average.mean} it is"
        besides = _besides(row, cell, checked)
    else:
        recall, precision = (row.printed.cells[Column(cell.measure, part)] for part in PARTS[:2])
        tried, against = row.f1(cell.measure), f"Recall {recall} and precision {precision} give"
    assert tried
    decimals = len(text.partition(".")[2]) + 2
    (by_rounded, by_cut), (rounded, cut) = (
        [" to ".join(outwards(bounds, decimals)) for bounds in both] for both in tried
    )
    mixed = " It can be if some were rounded and others cut off." * tried.if_mixed()
    return (
        f"{cell} {text} does not fit. {against} {by_rounded} if rounded, and {text} stands for "
        f"{rounded}; if cut off, {by_cut}, and {cut}.{mixed}{besides}"
    )


def _besides(row: CheckedRow, cell: Column, checked: CheckedTable) -> str:
    """What an average can be that cannot be the likely mean."""
    for mean in checked.averages[cell].others:
        tried = row.mean(mean, cell)
        if tried and any(tried.possible()):
            return f" It can be {mean}."
    return " It can be the mean of no other two to five of these columns."


# --------------------------------------------------------------------------------- several tables


def in_text(reported: Sequence[Report]) -> str:
    """The reports on all tables of a file, as plain text."""
    caution = [wrapped(NEVER), wrapped(BEFORE)] if _has_table(reported) else []
    return "\n\n".join([*_titled(reported, Report.in_lines), "\n".join(caution)]).rstrip()


def in_markdown(reported: Sequence[Report]) -> str:
    """The reports on all tables of a file, in Markdown."""
    caution = [f"{NEVER} {BEFORE}"] if _has_table(reported) else []
    return "\n\n".join([*_titled(reported, Report.markdown, "## "), *caution])


def _has_table(reported: Sequence[Report]) -> bool:
    return any(report.table for report in reported)


def _titled(reported: Sequence[Report], form: Callable[[Report], str], sign: str = "") -> list[str]:
    if len(reported) == 1:
        return [form(reported[0]).rstrip()]
    return [
        f"{sign}Table {number} of {len(reported)}\n\n{form(report).rstrip()}"
        for number, report in enumerate(reported, 1)
    ]
