"""The cells of the paper's tables, read back from its file in ``data/``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from corefbook.ledger import Bounds, Example, load

NAME = "popescubelis"
LOST = "popescubelis_lost"
"""The file of the rows whose text was never published."""

F_MEASURES = {
    "MUC": "muc.f1",
    "B3": "b3.f1",
    "κ": "kappa.value",
    "C": "c.f1",
    "XC": "xc.f1",
    "H": "h.f1",
}
"""The columns of Table 4."""


@cache
def all_cells() -> Mapping[tuple[str, str, str], str]:
    """What is printed, with its unit, by table, example (a row of the table) and quantity.

    A figure's quantity is its ``measure``, and what a function is told ``with`` it. Rows 4 to 6 of
    Table 4 are those of the lost text, the examples example-4 to example-6.
    """
    printed = {}
    for figure in _figures(NAME):
        quantity = " ".join([figure.get("measure", ""), *map(str, figure.get("with", {}).values())])
        printed[figure["place"], figure.get("example", ""), quantity] = _printed(figure)
    for figure in _figures(LOST):
        if figure["place"].startswith("Table 4"):
            place = "Table 4", f"example-{figure['example']}", F_MEASURES[figure["measure"]]
            printed[place] = _printed(figure)
    return printed


def _figures(paper: str) -> Iterator[dict[str, Any]]:
    for group in load(paper).content["figures"]:
        yield from (group | row for row in group["rows"])


def _printed(figure: Mapping[str, Any]) -> str:
    return figure["printed"] + figure.get("unit", "")


def cell(table: str, example: str, quantity: str) -> str:
    """One cell as it is printed.

    >>> cell("Table 6", "VA", "muc_interval recall"), cell("Table 7", "LPG", "kappa_interval")
    ('70%', '9%')
    """
    return all_cells()[table, example, quantity]


def column(table: str, quantity: str) -> dict[str, str]:
    """A column of a table, by example."""
    return {e: text for (t, e, q), text in all_cells().items() if (t, q) == (table, quantity)}


def recomputed(table: str, quantity: str) -> list[tuple[Example, str]]:
    """The cells of a column whose key and response are published."""
    examples = load(NAME).examples
    return [
        (examples[e], text)
        for e, text in column(table, quantity).items()
        if e in examples and "key" in examples[e].given
    ]


def number(text: str) -> Fraction:
    """The number that is printed in a cell.

    >>> number("-18%"), number("1.72"), number("15-R")
    (Fraction(-9, 50), Fraction(43, 25), Fraction(15, 1))
    """
    match = re.match(r"-?\d+(?:\.\d+)?", text)
    if not match:
        raise ValueError(f"{text!r} begins with no number")
    return Fraction(match[0]) / (100 if text.endswith("%") else 1)


def rounding(text: str) -> Bounds:
    """All that is rounded to what is printed, half a unit of the last digit either way.

    >>> rounding("1.72")
    Bounds(low=Fraction(343, 200), high=Fraction(69, 40))
    """
    decimals = len(text.rstrip("%").partition(".")[2]) + (2 if text.endswith("%") else 0)
    half = Fraction(1, 2 * 10**decimals)
    return Bounds(number(text) - half, number(text) + half)


def share(text: str) -> Bounds:
    """`rounding`, of what is between 0 and 1.

    >>> share("100%")
    Bounds(low=Fraction(199, 200), high=Fraction(1, 1))
    """
    low, high = rounding(text)
    return Bounds(max(low, Fraction(0)), min(high, Fraction(1)))


# ------------------------------------------------------------------- the heads of Tables 3 and 4


def _heads() -> dict[str, str]:
    """The manuscript's names of columns and rows by the ledger's, the columns in their order."""
    order = "MRS MPS BRS BPS CRS CPS XRS XPS D-err DMT HRS HPS MUC B³ κ C XC H"
    heads = {head: head for head in order.split()}
    for title in "MUC", "B³", "C (core classes)", "XC (exclusive core classes)", "H (information)":
        short = title.partition(" ")[0]
        heads |= {f"{title} {part}": f"{title[0]}{part[0].upper()}S" for part in PARTS}
        heads[f"{title} F1"] = short
    heads["D-err by the proposed formula, of every text that is possible"] = "D-err"
    heads["DMT (distributional match)"] = "DMT"
    heads["B3"] = "B³"
    examples = {"sample": "1", "example-2": "2", "example-3": "3"}
    return heads | examples | {row: f"{row}†" for row in "456"}


PARTS = "recall", "precision"
HEADS = _heads()
"""The names that Tables 3 and 4 print, by the ledger's; rows of the lost text have a †."""
