"""What the first page shows: printed figures beside ours, four doors, a sentence to be moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import changed_key as changes
import ledger_pages
from companion import draw, ledger
from companion.draw.timeline import MEASURES
from companion.pages import living
from playground import EXPLAIN, FOLDER, SCORE, pyodide
from templates import filled

STRIP = (
    "vilain1995-examples-with-more-complexity-second-complex-2-muc-recall",
    "baldwin1998-figure-6-b-cubed-algorithm-totals-example-1-b-precision",
    "pradhan2014-section-4-3-2-ceafe-walk-through-ceaf-f1",
    "popescubelis-table-4-example-3-b-f1",
    "pradhan2014-section-2-the-version-of-section-4-2-scenario-2-b-precision",
)
"""The figures of the first page: of each source that was read whole, and one that differs."""
KINDS = {
    "published": "{papers} papers, read whole",
    "manuscript": "a manuscript",
    "table": "a table of another paper",
    "summary": "an anonymous summary",
    "secondary": "figures that others quote",
    "test suite": "a scorer’s own tests",
    "scorer": "what scorers print",
    "archive": "scores of public archives",
}
"""The kinds of source in a few plain words; the ledger has more of them."""


def front(book: Path) -> str:
    """Some printed figures beside ours, the four doors, and the counts by kind of source."""
    of_papers, of_manuscript = map(ledger_pages.of_kind, ("published", "manuscript"))
    read = [paper for paper in ledger_pages.papers() if paper.source == "published"]
    return filled(
        "front.html",
        strip=[beside(name) for name in STRIP],
        kinds=[
            {
                "named": named.format(papers=ledger.WORDS[len(read)]),
                "tally": ledger_pages.tally(ledger_pages.of_kind(kind)),
            }
            for kind, named in KINDS.items()
        ],
        groups=[*ledger.GROUPED],
        read={_authors(paper): ledger_pages.said(paper, "cite") for paper in read},
        papers=ledger_pages.tally(of_papers),
        scores=sum(row.group == "equal" and bool(row.part) for row in of_papers),
        differing=ledger.in_verdicts(of_papers, "differs"),
        missed=sum(row.verdict == "missed" for row in of_manuscript),
        **_of_doors(book),
    )


def _authors(paper: ledger.Paper) -> str:
    """Who wrote a paper, without the year, which the bibliography has."""
    return ledger_pages.said(paper, "short").rsplit(" ", 1)[0]


def beside(name: str) -> dict[str, Any]:
    """A printed figure and ours: its row, its paper's short name, where it is derived."""
    (row,) = (each for each in ledger_pages.rows() if each.id == name)
    paper = ledger.load(row.paper)
    named = ledger_pages.said(paper, "short") + ledger_pages.ADDED[paper.source]
    return {"row": row, "paper": named, "proof": ledger_pages.proof(row)}


def _of_doors(book: Path) -> dict[str, Any]:
    built = pyodide(book.parent / FOLDER) is not None
    return {"built": built, "score": SCORE, "explain": EXPLAIN}


def sentence(book: Path) -> str:
    """The sentence with its mentions, which can be moved, and the scores of the response."""
    return living.living()._repr_html_()


def changed_key(book: Path) -> str:
    """What a chapter lists at its end once its key is changed: it runs while the book is built."""
    caption = "What chapter 1 then lists at its end, as it ran when this page was made."
    return changes.picture(book).captioned(caption)._repr_html_()


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
