"""The row checker: what a typed or pasted row may mean, and whether its numbers belong together.

A row says nowhere which of its numbers is what. How it was read is shown above the verdict, and
where two ways are as likely, the reader has to choose.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import NamedTuple

from corefbook.pages.answers import Answer, State, answers, scrolling
from corefbook.tables import Differs, Table
from corefeval.errors import CorefError
from corefeval.published.intervals import RULES, meet, outwards, prints
from corefeval.published.numbers import MEAN, MISSING, NUMBER, OF_ONE, numbers
from corefeval.published.read import BY_OPTION, has_heads
from corefeval.published.report import BEFORE, NEVER, Report, in_text, reports
from corefeval.published.row_check import AVERAGE, PARTS, Verdict, cells_of, check

ORDERS = {
    "recall, precision, F1": (0, 1, 2),
    "precision, recall, F1": (1, 0, 2),
    "F1 alone": (2,),
    "F1 alone, and their average": (2,),
}
"""What the numbers of a row may be, and the places of a measure's numbers among `PARTS`."""
USUAL, *_, WITH_AVERAGE = ORDERS


class Row(NamedTuple):
    """Recall, precision and F1 of each measure as they are printed, and the average."""

    measures: dict[str, list[str]]
    average: str


@answers
def verdict(
    row: str,
    order: str = "",
    rule: str = "rounded",
    whole: str = "100",
    columns: str = "",
    **_: str,
) -> Answer:
    """The verdict on a row, how it was read, and where its cells would have to be.

    ``row`` has a line for each measure, the name before the numbers, and one for the average; or it
    is one line that was pasted. ``order`` is one of `ORDERS`, or nothing where the numbers tell. A
    text with heads, or with ``columns`` in their place, is a whole table.

    >>> verdict(row="MUC 79.2 73.6 77.3").told
    'Impossible. One wrong cell would explain it: MUC recall, MUC precision or MUC F1.'
    >>> verdict(row="MUC 79.2 73.6 77.3").state, verdict(row="MUC 79.2 73.6 76.3").state
    ('wrong', 'said')
    >>> verdict(row="80.4 70.8 67.6").told
    '3 numbers in a row may be read in several ways: choose what they are'
    """
    if columns or has_heads(row):
        return answer(reports(row, columns))
    read = _read(row, order)
    texts = cells_of(*read)
    checked = check(read.measures, read.average, RULES[rule], int(whole))
    decimals = max(map(_decimals, texts.values()))
    shown = [scrolling("How the row is read", _as_read(texts, read, checked).html())]
    shown += [_places(checked, texts, decimals, rule)]
    if checked.reasons:
        shown.append(scrolling("What the other cells allow", _reasons(checked, decimals).html()))
    return Answer(checked.headline(), "\n".join(shown), "said" if checked.possible else "wrong")


# ------------------------------------------------------------------------------------ reading


def _read(text: str, order: str) -> Row:
    """The cells of a row, by its lines or, in one line, by how many numbers there are."""
    lines = [line for line in text.splitlines() if numbers(line)]
    if not lines:
        raise CorefError("type at least one printed number")
    cells = numbers(lines[0])
    if len(lines) > 1 or (OF_ONE.match(lines[0]) and len(cells) <= len(PARTS)):
        return _of_lines(lines, ORDERS[order or USUAL])
    return _of_one_line(cells, order)


def _of_lines(lines: Sequence[str], places: Sequence[int]) -> Row:
    """A measure a line, with all parts or F1 alone, and the average."""
    measures: dict[str, list[str]] = {}
    average = ""
    for number, line in enumerate(lines, 1):
        cells = numbers(line)
        if MEAN.match(line) and len(cells) == 1:
            average = cells[0]
            continue
        if len(cells) not in (1, len(places)):
            raise CorefError(
                f"line {number}, {line.strip()!r}: {len(cells)} numbers, expected "
                f"{len(places)}; a dash stands for one that is missing. If this is a table "
                "without heads, name its columns in the field Columns"
            )
        measures[_name(line, measures)] = _placed(cells, places if len(cells) > 1 else (2,))
    return Row(measures, _text(average))


def _of_one_line(cells: Sequence[str], order: str) -> Row:
    """Measures side by side, which have no names then."""
    order = order or _likely(len(cells))
    places = ORDERS[order]
    count, over = divmod(len(cells), len(places))
    if order == WITH_AVERAGE:
        count, over = count - 1, 1
    if over > 1 or not count:
        raise CorefError(
            f"{len(cells)} numbers are not {order} of some measures, with an average or without"
        )
    size = len(places)
    measures = [cells[size * i : size * (i + 1)] for i in range(count)]
    named = {f"measure {i}": _placed(each, places) for i, each in enumerate(measures, 1)}
    return Row(named, _text(cells[-1]) if over else "")


def _likely(count: int) -> str:
    """The order of so many numbers in a row; three may be of one measure or of three."""
    if count == 4:
        return WITH_AVERAGE
    if count > 5 and count % 3 < 2:
        return USUAL
    raise CorefError(f"{count} numbers in a row may be read in several ways: choose what they are")


def _placed(cells: Sequence[str], places: Sequence[int]) -> list[str]:
    placed = [""] * len(PARTS)
    for cell, place in zip(cells, places, strict=True):
        placed[place] = _text(cell)
    return placed


def _text(cell: str) -> str:
    return "" if cell == MISSING else cell


def _name(line: str, others: Collection[str]) -> str:
    """The name before the numbers of a line, with its own number where another has that name.

    >>> _name("B³ & 72.2 & 69.5 & 70.8", []), _name("MUC 50", ["MUC"]), _name("50", [])
    ('B³', 'MUC (2)', 'measure 1')
    """
    first = NUMBER.search(line)
    name = line[: first.start() if first else None].strip(" \t&|:;,")
    number = len(others) + 1
    if not name:
        return f"measure {number}"
    return f"{name} ({number})" if name in {*others, AVERAGE} else name


# ------------------------------------------------------------------------------------ showing


def answer(tables: Sequence[Report]) -> Answer:
    """What the page shows of tables, each by itself, and the text of it for a review."""
    if all(report.table is None for report in tables):
        raise CorefError(_by_field(tables[0].headline))
    shown = []
    for number, report in enumerate(tables, 1):
        said = "".join(f"<li>{escape(_by_field(sentence))}</li>" for sentence in report.sentences)
        if len(tables) > 1:
            shown.append(
                f"<p>Table {number} of {len(tables)}. {escape(_by_field(report.headline))}</p>"
            )
        if report.table:
            head, *rows = report.table.lines
            table = Table(head, rows, report.table.caption)
            shown.append(scrolling("What is possible in each row", table.html()))
        shown.append(f"<ul>{said}</ul>")
    shown.append(f"<p>{escape(f'{NEVER} {BEFORE}')}</p>")
    text = f"<pre>{escape(in_text(tables))}</pre>"
    shown.append(f"<details><summary>The report as text, for a review</summary>{text}</details>")
    state: State = "wrong" if any(report.faults for report in tables) else "said"
    return Answer(_headline(tables), "\n".join(shown), state)


def _by_field(text: str) -> str:
    """What the command says of its option, said of the page's field."""
    return text.replace(BY_OPTION, "in the field Columns")


def _headline(tables: Sequence[Report]) -> str:
    """What is said of all tables together."""
    if len(tables) == 1:
        return _by_field(tables[0].headline)
    faults = sum(report.faults for report in tables)
    checks = sum(report.checks for report in tables)
    if not checks:
        return f"{len(tables)} tables: nothing could be checked."
    said = f"{faults or 'none'} of their rows {'have' if faults > 1 else 'has'}"
    return f"{len(tables)} tables: {said} a number that cannot be so; {checks} checks."


def _as_read(texts: Mapping[str, str], read: Row, checked: Verdict) -> Table:
    """The row, with the cells marked that may be wrong."""

    def cell(name: str) -> str:
        text = texts[name] or MISSING
        return Differs(text) if name in checked.wrong else text

    rows = [[name, *(cell(f"{name} {part}") for part in PARTS)] for name in read.measures]
    if read.average:
        rows.append([AVERAGE, "", "", cell(AVERAGE)])
    return Table(["measure", *PARTS], rows, "How the row is read.")


def _places(checked: Verdict, texts: Mapping[str, str], decimals: int, rule: str) -> str:
    """Where wrong cells would have to be, and where missing ones are."""
    said = []
    for verb, cells in (("would have to be", checked.wrong), ("is", checked.missing)):
        for cell, interval in cells.items():
            digits = _decimals(texts[cell]) if texts[cell] else decimals
            low, high = outwards(interval, digits + 2)
            printed = " to ".join(dict.fromkeys(prints(interval, digits, RULES[rule])))
            place = f"{verb} between {low} and {high}: printed as {printed}."
            said.append(f"<li><strong>{escape(cell)}</strong> {place}</li>")
    return f"<ul>{''.join(said)}</ul>" if said else ""


def _reasons(checked: Verdict, decimals: int) -> Table:
    rows = []
    for cell, by_others, by_print in checked.reasons:
        ends = [" to ".join(outwards(interval, decimals + 2)) for interval in (by_others, by_print)]
        rows.append([cell, *ends, "meet" if meet(by_others, by_print) else "do not meet"])
    caption = "What the other cells allow, and what the printed number stands for."
    return Table(["cell", "by the others", "by its print", "they"], rows, caption)


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])
