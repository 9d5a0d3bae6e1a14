"""The ledger as pages: which printed figures hold, which are wrong, and where ours come from."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cell_addresses import address
from companion import ledger
from companion.studies import real
from sphinx.errors import ExtensionError
from templates import filled, plain

from corefeval.registry import MEASURES
from playground import can_be_shown

UNSEEN = {
    "Bagga & Baldwin 1998": "B³, which its authors define in Baldwin et al. 1998 as well",
    "Barnes 2015": "pairwise precision and recall; its first sections",
    "Cai & Strube 2010": "figures of it as the tests of another scorer quote them",
    "Denis & Baldridge 2009": "the CoNLL score, for which scorers name it",
    "Luo 2005": "CEAF; its abstract and conclusions, and figures of it as the tests of another "
    "scorer quote them",
    "Luo et al. 2014": "BLANC of missing and spurious mentions; its abstract and the beginning of "
    "its introduction, and what Pradhan et al. 2014 and two scorers tell of it",
    "Menestrina et al. 2010": "pairwise F1; its abstract",
    "Moosavi & Strube 2016": "LEA, as the reference scorer and its tests have it",
    "Passonneau 1997": "κ, as Popescu-Belis quotes it",
    "Recasens 2010": "one table of this thesis, as the test of another scorer quotes it",
    "Recasens & Hovy 2011": "BLANC; its abstract, and what Pradhan et al. 2014 and the reference "
    "scorer have of it",
    "Stoyanov et al. 2009": "three figures, as Pradhan et al. 2014 quote them",
}
"""Papers that this book speaks of and that were not seen whole, and what it has of them."""


@cache
def rows() -> list[ledger.Row]:
    """Every figure; one that fits no verdict stops the build."""
    found = ledger.rows()
    if failed := [row for row in found if row.verdict == ledger.FAILED]:
        raise ExtensionError("\n".join(map(str, failed)))
    return found


@cache
def papers() -> dict[str, list[ledger.Paper]]:
    """The papers by kind of source, in the ledger's order of kinds."""
    every = [ledger.load(name) for name in ledger.papers()]
    return {kind: [p for p in every if p.source == kind] for kind in ledger.SOURCES}


def of_kind(kind: str) -> list[ledger.Row]:
    names = [paper.name for paper in papers()[kind]]
    return [row for row in rows() if row.paper in names]


def of_paper(paper: ledger.Paper) -> list[ledger.Row]:
    return [row for row in rows() if row.paper == paper.name]


def said(paper: ledger.Paper, name: str) -> str:
    """What the data say of a paper: its ``title``, its ``short`` name, how to ``cite`` it."""
    return str(paper.content["paper"][name])


def tally(found: Iterable[ledger.Row]) -> dict[str, int]:
    """How many rows each of the four words has, in their order, without words that have none."""
    counted = Counter(row.group for row in found)
    return {group: counted[group] for group in ledger.GROUPED if counted[group]}


# ------------------------------------------------------------------------------ addresses


@cache
def cells(book: Path, chapter: str) -> list[tuple[str, str]]:
    """(kind, source) of a chapter's cells; none if it is not written, which the tests notice."""
    path = book / f"{chapter}.ipynb"
    found = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.is_file() else []
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found]


def title(book: Path, chapter: str) -> str:
    sources = [source for _, source in cells(book, chapter)] or [chapter]
    return sources[0].splitlines()[0].removeprefix("# ")


def proof(row: ledger.Row) -> str:
    """The address of the cell or the section in which a row is derived.

    A row that names neither leads to its line in the fold at the chapter's end.
    """
    page = f"{row.chapter}.html"
    if row.cell:
        return f"{page}#{address(row.cell)}"
    if row.section:
        return f"{page}#{row.section}"
    return f"{page}#{row.id}"


# --------------------------------------------------------------------------------- counts


def counts(book: Path) -> str:
    """What was checked, for each kind of source: unlike things are never added up."""
    facts = {}
    for kind, described in ledger.SOURCES.items():
        if found := of_kind(kind):
            names = "; ".join(plain(said(paper, "short")) for paper in papers()[kind])
            facts[described] = f"{names}. {_counted(found)}"
    return filled("facts.md", facts=facts)


def _counted(found: list[ledger.Row]) -> str:
    """How many figures have which of the four words, with their verdicts, and what is listed."""
    parts = []
    for group, number in tally(found).items():
        words = ledger.GROUPED[group][number > 1]
        each = f": {ledger.in_verdicts(found, group)}" if len(ledger.GROUPS[group]) > 1 else ""
        parts.append(f"**{number} {words}**{each}")
    if listed := ledger.in_verdicts(found, "listed"):
        parts.append(f"listed: {listed}")
    return "; ".join(parts) + "."


def unseen(book: Path) -> str:
    """What was not seen, as a sentence."""
    return "; ".join(f"{name} ({what})" for name, what in UNSEEN.items()) + "."


def kinds() -> dict[str, list[dict[str, Any]]]:
    """By kind of source its papers, with how many figures of which group."""
    return {
        described: [_about(paper) for paper in papers()[kind]]
        for kind, described in ledger.SOURCES.items()
    }


def _about(paper: ledger.Paper) -> dict[str, Any]:
    found = of_paper(paper)
    return {
        "name": paper.name,
        "short": said(paper, "short"),
        "said": ledger.in_groups(found),
        "tally": tally(found),
        "groups": Counter(row.group for row in found),
    }


def bars(book: Path) -> str:
    """A bar per source, by kind, divided into groups; drawn by the style sheet for any width."""
    return filled("ledger-bars.html", kinds=kinds(), groups=[*tally(rows())])


def summary(book: Path) -> str:
    """The counts by paper and group; each number leads to its figures. No line adds up kinds."""
    return filled("ledger-summary.html", kinds=kinds(), groups=[*ledger.GROUPS])


def left_out(book: Path) -> str:
    """What papers print and the ledger has not, and why."""
    every = [paper for found in papers().values() for paper in found]
    return filled("ledger-left-out.md", papers=[paper for paper in every if paper.left_out])


# ---------------------------------------------------------------------------------- table

COLUMNS = ("place", "example", "quantity", "printed", "computed", "verdict")

FIRST = ("refuted", "misprint")
"""The verdicts that stand before all others."""


def in_order() -> Iterator[tuple[ledger.Paper, str, list[ledger.Row]]]:
    """The rows as the table has them: of each paper those that stand first, then its others."""
    every = [paper for found in papers().values() for paper in found]
    for said_of, wanted in ((": refuted or misprinted", True), ("", False)):
        for paper in every:
            if found := [row for row in of_paper(paper) if (row.verdict in FIRST) == wanted]:
                yield paper, said_of, found


def figures(book: Path) -> str:
    """Every row of the ledger in one table, below the form with which ledger.js filters it."""
    given = {row.verdict for row in rows()}
    groups = [
        {
            "name": group,
            "verb": _verb(group),
            "verdicts": [verdict for verdict in each if verdict in given],
        }
        for group, each in ledger.GROUPS.items()
    ]
    return filled(
        "ledger-figures.html",
        unseen=json.dumps(UNSEEN, ensure_ascii=False),
        kinds=kinds(),
        groups=groups,
        columns=COLUMNS,
        parts=[_part(*each) for each in in_order()],
    )


def _part(paper: ledger.Paper, said_of: str, found: list[ledger.Row]) -> dict[str, Any]:
    """The rows of a paper that stand together, under its name."""
    known = ", ".join(filter(None, (said(paper, "title"), _second_hand(paper.name))))
    return {
        "paper": paper.name,
        "named": said(paper, "short") + (said_of or f": {known}"),
        "figures": [
            {
                "row": row,
                "proof": proof(row),
                "example": in_playground(row),
                "flags": flags(row),
                "notes": notes(row),
            }
            for row in found
        ],
    }


def _verb(group: str) -> str:
    """The group's name as the end of "all that"."""
    return f"are {group}" if group in ("equal", "possible", "listed") else ledger.GROUPED[group][1]


def flags(row: ledger.Row) -> list[str]:
    """What stands beside the verdict."""
    said = {
        "perhaps our copy": row.copy,
        "paraphrased": row.paraphrase,
        "second-hand": row.secondary and row.secondary != _second_hand(row.paper),
    }
    return [flag for flag, holds in said.items() if holds]


def notes(row: ledger.Row) -> list[str]:
    """Sentences that stand behind the verdict, without their stops."""
    second_hand = row.secondary if row.secondary != _second_hand(row.paper) else ""
    return [note.rstrip(".") for note in (row.explained, row.copy, second_hand) if note]


def in_playground(row: ledger.Row) -> str:
    """The playground's state that shows a row's example and its measure's terms, if it has it."""
    if row.example not in _examples(row.paper):
        return ""
    name = row.measure.partition(".")[0]
    example = f"{ledger.load(row.paper).examples_of}/{row.example}"
    state = {"example": example} | ({"why": name} if name in MEASURES else {})
    return urlencode(state, safe="/")


@cache
def _examples(paper: str) -> list[str]:
    return [name for name, each in ledger.load(paper).examples.items() if can_be_shown(each)]


@cache
def _second_hand(paper: str) -> str:
    """How we know a paper that was not seen."""
    return str(ledger.load(paper).content["paper"].get("secondary", ""))


def verdicts(book: Path) -> str:
    """What each verdict means, as a definition list for each group."""
    return filled("verdicts.md", groups=ledger.GROUPS, grouped=ledger.GROUPED)


def downloads() -> dict[str, str]:
    """The ledger as files, by name: every field of every row."""
    content = [asdict(row) for row in rows()]
    table = StringIO()
    writer = csv.DictWriter(table, list(content[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(content)
    return {
        "ledger.csv": table.getvalue(),
        "ledger.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        "archives.csv": real.csv_of_printed(),
    }
