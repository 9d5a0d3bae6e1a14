"""What pages ask of the ledger: its rows, where they are derived, and what came of them."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from io import StringIO
from pathlib import Path
from urllib.parse import urlencode

from cell_addresses import address
from corefbook import ledger
from corefbook.studies import real
from playground import can_be_shown
from sphinx.errors import ExtensionError

from corefeval.registry import MEASURES

TABLE = re.compile(r"Table \d+")
ADDED = {
    "published": "",
    "table": "",
    "secondary": ", as quoted",
    "summary": ", anonymous",
    "manuscript": ", manuscript",
}
"""The kinds of source that are papers, or what we have of them, and what their names add."""


@cache
def every_row() -> list[ledger.Row]:
    """Every figure; one that fits no verdict stops the build."""
    figures = ledger.rows()
    if failed := [row for row in figures if row.verdict == ledger.FAILED]:
        raise ExtensionError("\n".join(map(str, failed)))
    return figures


@cache
def papers() -> list[ledger.Paper]:
    """The papers, and what else prints figures, in the order of the kinds of source."""
    every = [ledger.load(name) for name in ledger.papers()]
    return sorted(every, key=lambda paper: [*ledger.SOURCES].index(paper.source))


@cache
def rows() -> list[ledger.Row]:
    """Every figure in the order of the papers."""
    return [row for paper in papers() for row in of_paper(paper)]


def of_paper(paper: ledger.Paper) -> list[ledger.Row]:
    return [row for row in every_row() if row.paper == paper.name]


def of_kind(kind: str) -> list[ledger.Row]:
    return [row for row in rows() if paper(row).source == kind]


def paper(row: ledger.Row) -> ledger.Paper:
    """The paper that prints a figure."""
    return ledger.load(row.paper)


def said(paper: ledger.Paper, name: str) -> str:
    """An entry of a paper's data: its ``title``, its ``short`` name, how to ``cite`` it."""
    return str(paper.content["paper"].get(name, ""))


def tally(figures: Iterable[ledger.Row]) -> dict[str, int]:
    """How many rows each of the four words has, in their order, without words that have none."""
    counted = Counter(row.group for row in figures)
    return {group: counted[group] for group in ledger.GROUPED if counted[group]}


# ------------------------------------------------------------------------------ addresses


@cache
def cells(book: Path, chapter: str) -> list[tuple[str, str]]:
    """(kind, source) of a chapter's cells; none if it is not written, which the tests notice."""
    path = book / f"{chapter}.ipynb"
    stored = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.is_file() else []
    return [(cell["cell_type"], "".join(cell["source"])) for cell in stored]


def title(book: Path, chapter: str) -> str:
    sources = [source for _, source in cells(book, chapter)] or [chapter]
    return sources[0].splitlines()[0].removeprefix("# ")


def proof(row: ledger.Row) -> str:
    """The address of the cell or the section in which a row is derived.

    A row that names neither leads to its line in the fold at the chapter's end.
    """
    place = address(row.cell) if row.cell else row.section or row.id
    return f"{row.chapter}.html#{place}"


def playable(row: ledger.Row) -> str:
    """The playground's state that shows a row's example and its measure's terms, if it has it."""
    example = paper(row).examples.get(row.example)
    if not example or not can_be_shown(example):
        return ""
    name = row.measure.partition(".")[0]
    state = {"example": f"{paper(row).examples_of}/{row.example}"}
    return urlencode(state | ({"why": name} if name in MEASURES else {}), safe="/")


# --------------------------------------------------------------------------------- tables


def quoted_by(row: ledger.Row) -> str:
    """Who quotes a figure, unless that is so of its whole paper."""
    return row.secondary if row.secondary != said(paper(row), "secondary") else ""


def rows_by_table(paper: ledger.Paper) -> dict[str, list[ledger.Row]]:
    """The figures of a paper by its tables, and behind them what stands in no table."""
    parts: dict[str, list[ledger.Row]] = {}
    for row in of_paper(paper):
        table = TABLE.match(row.place)
        parts.setdefault(table[0] if table else "text", []).append(row)
    return dict(sorted(parts.items(), key=lambda part: (part[0] == "text", part[0])))


def first_derived(figures: list[ledger.Row]) -> ledger.Row:
    """The first figure that is computed in the chapter that has most of them."""
    computed = [row for row in figures if row.verdict != "given"] or figures
    chapter = Counter(row.chapter for row in computed).most_common(1)[0][0]
    return next(row for row in computed if row.chapter == chapter)


def came_of(figures: list[ledger.Row]) -> str:
    """How many figures have which of the four words; a table of intervals was not computed."""
    listed = sum(row.group == "listed" for row in figures)
    parts = [ledger.groups_in_words(figures), f"{listed} listed" if listed else ""]
    if ledger.not_computed(figures):
        parts.append("no figure was computed")
    return "; ".join(filter(None, parts))


def downloads() -> dict[str, str]:
    """The ledger as files, by name: every field of every row."""
    content = [asdict(row) for row in every_row()]
    table = StringIO()
    writer = csv.DictWriter(table, list(content[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(content)
    return {
        "ledger.csv": table.getvalue(),
        "ledger.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        "archives.csv": real.csv_of_printed(),
    }
