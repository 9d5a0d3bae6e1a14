"""What the first page shows: four doors, a sentence that can be moved, and the ledger in a line."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

import ledger_pages
from companion import draw, ledger
from companion.draw.timeline import MEASURES
from companion.pages import living

from playground import EXPLAIN, FOLDER, SCORE, pyodide


class Door(NamedTuple):
    """A way into the book; one that runs code has a command to type where it cannot."""

    page: str
    title: str
    behind: str
    instead: str = ""

    def html(self, built: bool) -> str:
        link = (
            f'<a href="{self.page}.html"><strong>{self.title}</strong> '
            f"<span>{escape(self.behind)}</span></a>"
        )
        return f"<li>{link}{self.told(built)}</li>"

    def told(self, built: bool) -> str:
        """What stands on the card where the page behind it cannot run."""
        if not self.instead:
            return ""
        command = f"<code>{escape(self.instead)}</code>"
        if not built:
            return f"<p>Not in this book, built without npm: {command}</p>"
        return f"<p hidden>Not from a file: <code>make serve</code>, or {command}</p>"


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
        "From your two files and the number.",
        EXPLAIN,
    ),
)
TELL = (
    '<script>if (location.protocol === "file:") for (const told of '
    'document.querySelectorAll(".doors p")) told.hidden = false;</script>'
)


def doors(book: Path) -> str:
    """The four doors; those that run code say so where they cannot."""
    built = pyodide(book.parent / FOLDER) is not None
    cards = "".join(door.html(built) for door in DOORS)
    return f'<nav class="doors" aria-label="Four ways in"><ul>{cards}</ul></nav>{TELL}'


def sentence(book: Path) -> str:
    """The sentence with its mentions, which can be moved, and the scores of the response."""
    return living.living()._repr_html_()


def ledger_line(book: Path) -> str:
    """What came of the papers that were read whole, in a sentence."""
    read = ledger_pages.papers()["published"]
    found = ledger_pages.of_kind("published")
    out = ledger_pages.tally(found)["come out"]
    names = ", ".join(ledger_pages.said(paper, "short") for paper in read)
    return (
        f"Of what the {len(read)} papers print that were read whole ({names}), {out} figures and "
        f"sentences come out. Disputed, or with a remark: {ledger.in_verdicts(found, 'disputed')}. "
        "[The ledger](ledger.md) has each, those of other sources, and what was not seen; the "
        "[errata](errata.md) have the proofs."
    )


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
