"""The tables of papers that chapters compute again, each under one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from corefbook.ledger import as_printed
from corefbook.tables import Table
from corefeval.errors import CorefError

RECALL_OF_BOTH = "B³, every entity alike, recall of both responses"
PRECISION = "B³, every entity alike precision"
NO_SCORE = "Whether MUC's recall or precision is 0/0, so that F1 is undefined without a convention"

TABLES = {
    "Vilain 1995, Table 1": partial(
        as_printed,
        "vilain1995",
        "Table 1",
        names={
            "row-1": "row 1",
            "row-2": "row 2",
            "row-3": "row 3",
            "problem-1": "row 4",
            "problem-2": "row 5",
        },
    ),
    "Vilain 1995, larger examples": partial(
        as_printed,
        "vilain1995",
        "Examples with more complexity",
        label=["MUC recall", "MUC precision"],
        names={"complex-1": "first", "complex-2": "second"},
    ),
    "Baldwin 1998, Figure 6": partial(
        as_printed,
        "baldwin1998",
        "Figure 6, MUC",
        "Figure 6, B-CUBED Algorithm, totals",
        label=["MUC recall", "MUC precision", "B³ recall", "B³ precision"],
        names={"example-1": "first", "example-2": "second"},
    ),
    "Baldwin 1998, every entity alike": partial(
        as_printed,
        "baldwin1998",
        "Our B-CUBED Algorithm, every entity alike",
        label=[RECALL_OF_BOTH, PRECISION],
        names={
            "example-1": "first",
            "example-2": "second",
            RECALL_OF_BOTH: "recall of both",
            PRECISION: "precision",
        },
    ),
    "Luo 2005": partial(as_printed, "luo2005"),
    "Recasens 2010": partial(as_printed, "recasens2010", names={NO_SCORE: "MUC F1"}),
    "Cai and Strube 2010": partial(
        as_printed, "cai_strube2010", names={f"row-{n}": str(n) for n in range(1, 5)}
    ),
    "Pradhan 2014": partial(
        as_printed,
        "pradhan2014",
        "section 4",
        rows="title",
        columns="part",
    ),
}
"""What each paper's file calls the rows and columns that a chapter computes, and their names."""


def beside_printed(table: str, computed: Mapping[str, Sequence[Any]], caption: str = "") -> Table:
    """Show a paper's table, and under each printed row what a chapter computed.

    ``computed`` has the values of each row, in the order of the columns; `corefbook.ledger`'s
    `as_printed` says which marks they get. Without a caption the table has its place in the paper.

    Raises `CorefError` for a table that no chapter computes.

    >>> from corefeval.score import Tally
    >>> from corefbook.tables import Equal
    >>> from corefeval.score import Tally
    >>> beside_printed("Vilain 1995, Table 1", {"row 1": [Tally(2, 3), Tally(2, 2)]}).count(Equal)
    2
    """
    if table not in TABLES:
        raise CorefError(f"no table {table!r}: expected one of {', '.join(TABLES)}")
    return TABLES[table](by=computed, caption=caption)
