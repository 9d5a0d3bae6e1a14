"""The page that lists the papers' tables: what came of each, and where it is derived."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

import ledger_pages
from companion import ledger

KINDS = {
    "published": "",
    "table": "",
    "secondary": ", as quoted",
    "summary": ", anonymous",
    "manuscript": ", manuscript",
}
"""The kinds of source that are papers, or what we have of them, and what their names add."""
TABLE = re.compile(r"Table \d+")
OTHERWISE = "text"


class Printed(NamedTuple):
    """A table of a paper, or all else that it prints, and its rows in the ledger."""

    paper: ledger.Paper
    table: str
    rows: list[ledger.Row]


def printed() -> Iterator[Printed]:
    """The tables of each paper in their order, and behind them what stands in no table."""
    for paper in (paper for kind in KINDS for paper in ledger_pages.papers()[kind]):
        parts: dict[str, list[ledger.Row]] = {}
        for row in ledger_pages.of_paper(paper):
            found = TABLE.match(row.place)
            table = found[0] if found else OTHERWISE
            parts.setdefault(table, []).append(row)
        for table in sorted(parts, key=lambda name: (name == OTHERWISE, name)):
            yield Printed(paper, table, parts[table])


def tables(book: Path) -> str:
    """A line for each."""
    lines = [_line(book, each) for each in printed()]
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("paper", "table", "what came of it", "derived in")
    )
    table = '<table class="dataframe paper-tables"><thead><tr>'
    lines = [f"{table}{head}</tr></thead><tbody>", *lines, "</tbody></table>"]
    return ledger_pages.scrolling("What came of each table", lines, "full-width")


def _line(book: Path, each: Printed) -> str:
    derived = _derived(each.rows)
    chapter = ledger_pages.title(book, derived.chapter)
    short = escape(ledger_pages.said(each.paper, "short") + KINDS[each.paper.source])
    return (
        f'<tr><th scope="row">{ledger_pages.filtered(short, paper=each.paper.name)}</th>'
        f"<td>{each.table}</td><td>{escape(came_of(each.rows))}</td>"
        f'<td><a href="{ledger_pages.proof(book, derived)}">{escape(chapter)}</a></td></tr>'
    )


def _derived(rows: list[ledger.Row]) -> ledger.Row:
    """The first figure that is computed in the chapter that has most of them."""
    computed = [row for row in rows if row.group != "restated"] or rows
    chapter = Counter(row.chapter for row in computed).most_common(1)[0][0]
    return next(row for row in computed if row.chapter == chapter)


def came_of(rows: list[ledger.Row]) -> str:
    """How many figures come out, and how many have each verdict that disputes them.

    A remark disputes nothing and stands with these, as in the ledger.
    """
    groups = ledger_pages.tally(rows)
    parts = []
    for group, number in groups.items():
        if group == "disputed":
            parts.append(ledger.in_verdicts(rows, group))
        elif group == "restated":
            parts.append(f"{number} given")
        else:
            parts.append(f"{number} {group}")
    return ", ".join(parts)
