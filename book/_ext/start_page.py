"""What the first page shows: doors, a sentence that can be moved, a changed key, the ledger."""

from __future__ import annotations

from pathlib import Path

import changed_key as changes
import ledger_pages
from companion import draw, ledger
from companion.draw.timeline import MEASURES
from companion.pages import living
from templates import filled

from playground import EXPLAIN, FOLDER, SCORE, pyodide


def doors(book: Path) -> str:
    """The four doors; those that run code say so where they cannot."""
    built = pyodide(book.parent / FOLDER) is not None
    return filled("doors.html", built=built, score=SCORE, explain=EXPLAIN)


def sentence(book: Path) -> str:
    """The sentence with its mentions, which can be moved, and the scores of the response."""
    return living.living()._repr_html_()


def changed_key(book: Path) -> str:
    """What a chapter lists at its end once its key is changed: it runs while the book is built."""
    caption = "What chapter 1 then lists at its end, as it ran when this page was made."
    return changes.picture(book).captioned(caption)._repr_html_()


def ledger_line(book: Path) -> str:
    """What came of the papers that were read whole and of the manuscript, in three sentences."""
    read = ledger_pages.papers()["published"]
    found, of_manuscript = map(ledger_pages.of_kind, ("published", "manuscript"))
    return filled(
        "ledger-line.md",
        papers=ledger.WORDS[len(read)],
        names=", ".join(map(_linked, read)),
        tally=ledger_pages.tally(found),
        differing=ledger.in_verdicts(found, "differs"),
        manuscript=ledger_pages.tally(of_manuscript),
        missed=sum(row.verdict == "missed" for row in of_manuscript),
    )


def _linked(paper: ledger.Paper) -> str:
    """A paper's authors, with a link to its line in the bibliography, which has the year."""
    authors, _ = ledger_pages.said(paper, "short").rsplit(" ", 1)
    return f"[{authors}](bibliography.md#{ledger_pages.said(paper, 'cite')})"


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
