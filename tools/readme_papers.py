"""README's table of the papers that were read whole: what is computed again, and what came of it.

The counts are the ledger's; ``make transcripts`` stores them, and a test says when they are stale.
"""

import re
from pathlib import Path

from companion import ledger

ROOT = Path(__file__).parents[1]
PAPERS = {
    "vilain1995": ("MUC: its formulas, its tables of examples, what it says of them", ["muc"]),
    "vilain1995_summary": ("the same formulas, as an anonymous summary has them", ["muc"]),
    "baldwin1998": ("B³: its algorithm, its examples, MUC beside it", ["b-cubed"]),
    "pradhan2014": (
        "its worked example under every measure, and mentions on one side only",
        ["walk-through"],
    ),
    "popescubelis": (
        "an unpublished manuscript: its framework and measures, its tables, its properties",
        ["framework", "own-measures", "tables", "properties"],
    ),
}
"""What is computed again of each, and the chapters that do."""
BETWEEN = re.compile(r"(?<=<!-- papers -->\n\n).*?(?=\n<!-- end of papers -->)", re.DOTALL)
"""Where README has the table."""


def title(chapter: str) -> str:
    """A chapter's heading."""
    text = (ROOT / "book" / f"{chapter}.ipynb").read_text("utf-8")
    return re.search(r'"# (.+?)(?:\\n)?"', text)[1]


def line(name: str) -> str:
    recomputed, chapters = PAPERS[name]
    paper = ledger.load(name)
    links = ", ".join(f"[{title(chapter)}](book/{chapter}.ipynb)" for chapter in chapters)
    came = ledger.in_groups(ledger.rows(name))
    return f"| {paper.content['paper']['short']} | {recomputed} | {came} | {links} |\n"


def table() -> str:
    """The table in Markdown."""
    head = "| paper | what is computed again | what came of it | chapters |\n|---|---|---|---|\n"
    return head + "".join(map(line, PAPERS))


def renewed(text: str) -> str:
    """README with the table of now."""
    return BETWEEN.sub(lambda _: table(), text)
