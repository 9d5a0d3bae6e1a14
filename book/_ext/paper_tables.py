"""The page that lists the papers' tables: what came of each, and where it is derived."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ledger_pages
from companion import ledger
from templates import filled

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
    return filled("paper-tables.html", tables=[_line(book, each) for each in printed()])


def _line(book: Path, each: Printed) -> dict[str, str]:
    derived = _derived(each.rows)
    return {
        "paper": each.paper.name,
        "short": ledger_pages.said(each.paper, "short") + KINDS[each.paper.source],
        "table": each.table,
        "came": came_of(each.rows),
        "proof": ledger_pages.proof(derived),
        "chapter": ledger_pages.title(book, derived.chapter),
    }


def _derived(rows: list[ledger.Row]) -> ledger.Row:
    """The first figure that is computed in the chapter that has most of them."""
    computed = [row for row in rows if row.verdict != "given"] or rows
    chapter = Counter(row.chapter for row in computed).most_common(1)[0][0]
    return next(row for row in computed if row.chapter == chapter)


def came_of(rows: list[ledger.Row]) -> str:
    """How many figures have which of the four words; a table of intervals was not computed."""
    listed = sum(row.group == "listed" for row in rows)
    parts = [ledger.in_groups(rows), f"{listed} listed" if listed else ""]
    if ledger.not_computed(rows):
        parts.append("no figure was computed")
    return "; ".join(filter(None, parts))


class Recomputed(NamedTuple):
    """What is computed again of a paper, and which files of the data have its figures."""

    what: str
    files: list[str]


PAPERS = [
    Recomputed("MUC: its formulas, tables and examples, what it says of them", ["vilain1995"]),
    Recomputed("the same formulas, as an anonymous summary has them", ["vilain1995_summary"]),
    Recomputed("B³: its algorithm, its examples, MUC beside it", ["baldwin1998"]),
    Recomputed(
        "its worked example under every measure, and missing and spurious mentions",
        ["pradhan2014"],
    ),
    Recomputed(
        "an unpublished manuscript: its framework and measures, its tables, its properties; of a "
        "text that it does not print, {given} cells that were used to find the text, and "
        "{tried} of a measure without a formula, of which ours misses {missed}",
        ["popescubelis", "popescubelis_lost"],
    ),
]
"""The papers that were read whole, as far as our copies go."""


def papers(book: Path) -> str:
    """A line for each paper that was read whole: what is computed again, what came of it, where."""
    return filled("papers-read.html", papers=[_paper_line(book, each) for each in PAPERS])


def _paper_line(book: Path, each: Recomputed) -> dict[str, Any]:
    first = ledger.load(each.files[0])
    rows = [row for name in each.files for row in ledger_pages.of_paper(ledger.load(name))]
    listed = ledger.in_verdicts(rows, "listed")
    last = Counter(row.verdict for row in ledger_pages.of_paper(ledger.load(each.files[-1])))
    tried = sum(last.values()) - last["given"]
    return {
        "paper": first.name,
        "short": ledger_pages.said(first, "short"),
        "what": each.what.format(given=last["given"], tried=tried, missed=last["missed"]),
        "came": ledger.in_groups(rows) + (f"; listed: {listed}" if listed else ""),
        "chapters": {row.chapter: ledger_pages.title(book, row.chapter) for row in rows},
    }
