"""What the first page shows: four doors, a sentence that can be moved, and the ledger in a line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import ledger_pages
from companion import draw, ledger
from companion.draw.timeline import MEASURES
from companion.pages import living
from templates import filled

from playground import EXPLAIN, FOLDER, SCORE, pyodide


class Door(NamedTuple):
    """A way into the book; one that runs code has a command to type where it cannot."""

    page: str
    title: str
    behind: str
    instead: str = ""
    other: tuple[str, ...] = ()
    """A second page behind the door, and for whom it is."""


DOORS = (
    Door(
        "coreference", "Learn the measures", "MUC, B³, CEAF, BLANC and LEA, from one sentence on."
    ),
    Door(
        "paper-tables",
        "The papers’ tables, recomputed",
        "Paper, table, what came of it, and where.",
    ),
    Door(
        "score-files", "Score two files", "Here in your browser; nothing is sent anywhere.", SCORE
    ),
    Door(
        "which-program",
        "Which program printed this number?",
        "I have files, and the number.",
        EXPLAIN,
        ("row-checker", "I have only the table."),
    ),
)


def doors(book: Path) -> str:
    """The four doors; those that run code say so where they cannot."""
    built = pyodide(book.parent / FOLDER) is not None
    return filled("doors.html", doors=DOORS, built=built)


def sentence(book: Path) -> str:
    """The sentence with its mentions, which can be moved, and the scores of the response."""
    return living.living()._repr_html_()


def ledger_line(book: Path) -> str:
    """What came of the papers that were read whole, in a sentence."""
    read = ledger_pages.papers()["published"]
    found = ledger_pages.of_kind("published")
    return filled(
        "ledger-line.md",
        papers=ledger.WORDS[len(read)],
        tally=ledger_pages.tally(found),
        differing=ledger.in_verdicts(found, "differs"),
    )


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
