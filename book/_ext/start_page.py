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
    other: tuple[str, str] = ("", "")
    """A second page behind the door, and for whom it is."""

    def html(self, built: bool) -> str:
        link = (
            f'<a href="{self.page}.html"><strong>{self.title}</strong> '
            f"<span>{escape(self.behind)}</span></a>"
        )
        page, text = self.other
        second = f'<a class="other" href="{page}.html">{escape(text)}</a>' if page else ""
        return f"<li>{link}{second}{self.told(built)}</li>"

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
        "I have files, and the number.",
        EXPLAIN,
        ("row-checker", "I have only the table."),
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
    counted = ledger_pages.tally(found)
    return (
        f"Of what {ledger.WORDS[len(read)]} papers print, read whole as far as our copies go, "
        f"{counted['equal']} figures and sentences are *equal* to what we find, "
        f"{counted['possible']} are *possible*, "
        f"{counted['cannot be checked']} *cannot be checked*, and {counted['differs']} *differ*: "
        f"{ledger.in_verdicts(found, 'differs')}; see [the papers' tables](paper-tables.md), "
        "[the ledger](ledger.md) and [the errata](errata.md)."
    )


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
