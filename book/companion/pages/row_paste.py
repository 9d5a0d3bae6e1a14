"""What a row that is pasted into the row checker may mean: its numbers, and how to lay them out.

A row says nowhere which of its numbers is what. So nothing is filled in before the reader has seen
how the row is read, and has agreed to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

MISSING = "–"
NUMBER = re.compile(
    r"(?<![\w.,:/\[-])"  # no end of a word, of a version or of a minus: "e2e", "v2.0", "-3"
    r"(?:\d{1,3}(?:[.,]\d+)?|[.,]\d+)"
    r"(?![\w:/\]]|[.,]\d)"  # no beginning of one: "2nd", "81.4.1"
    r"|(?<!\S)[-–—−](?!\S)"  # a dash alone is a cell without a number
)
SPREAD = re.compile(r"(?:±|\\pm|\+/-)\s*[\d.,]+")


class Layout(NamedTuple):
    """A way to lay numbers out: a name for people, the measures' cells, and the average."""

    name: str
    measures: Sequence[Sequence[str]]
    average: str


def numbers(text: str) -> list[str]:
    """The numbers of a pasted row; digits that stick to words, years and labels are left out.

    Where some number has decimals, whole numbers before the first such one are labels.

    >>> numbers("e2e-coref 2017 & 81.4 & 79.5")
    ['81.4', '79.5']
    >>> numbers("Lee 18 80,4 – 79,5 %")
    ['80.4', '–', '79.5']
    >>> numbers("80.4 ± 0.3, 70")
    ['80.4', '70']
    """
    text = SPREAD.sub(" ", text)
    if re.search(r"\d\.\d", text) or re.search(r"\d,\d+,\d", text):
        text = text.replace(",", " ")  # not the decimal sign here
    found = [each.replace(",", ".") for each in NUMBER.findall(text)]
    found = ["0" + each if each.startswith(".") else each for each in found]
    decimal = [place for place, each in enumerate(found) if "." in each]
    if decimal:
        return _cells(found[decimal[0] :])
    return _cells(found)


def _cells(found: Sequence[str]) -> list[str]:
    """Numbers and missing ones, from the first number on."""
    cells = [each if each[0].isdigit() else MISSING for each in found]
    first = next((i for i, each in enumerate(cells) if each != MISSING), len(cells))
    return cells[first:]


def pasted(text: str, rows: int) -> dict[str, Any]:
    """How a pasted text may be read where the form has so many rows of measures.

    ``numbers`` are those of the text, ``layouts`` the ways to lay them out, and ``likely`` says
    which of these is proposed; None where two are as likely as one another.

    >>> found = pasted("80.4 70.8 67.6 73.0", 3)
    >>> found["likely"], found["layouts"][2]["name"]
    (2, 'F1 of 3 measures, and their average')
    >>> found["layouts"][2]["measures"], found["layouts"][2]["average"]
    ([['', '', '80.4'], ['', '', '70.8'], ['', '', '67.6']], '73.0')
    >>> pasted("1 2 3 4 5", 3)["layouts"]
    []
    """
    found = numbers(text)
    layouts = list(_layouts(["" if each == MISSING else each for each in found], rows))
    return {
        "numbers": found,
        "layouts": [layout._asdict() for layout in layouts],
        "likely": _likely(len(found), rows, layouts),
    }


def _layouts(cells: Sequence[str], rows: int) -> Iterator[Layout]:
    """Three numbers a measure in either order, and F1 alone; each with an average or without."""
    measures, over = divmod(len(cells), 3)
    if measures and over < 2:
        average = cells[-1] if over else ""
        triples = [cells[3 * i : 3 * i + 3] for i in range(measures)]
        for order, arrange in ORDERS.items():
            yield Layout(
                f"{order} of {_counted(measures)}" + ", and their average" * over,
                [arrange(*triple) for triple in triples],
                average,
            )
    if len(cells) in (rows, rows + 1) and len(cells) > 1:
        name = f"F1 of {_counted(rows)}" + ", and their average" * (len(cells) > rows)
        yield Layout(name, [["", "", f1] for f1 in cells[:rows]], "".join(cells[rows:]))


def _kept(recall: str, precision: str, f1: str) -> list[str]:
    return [recall, precision, f1]


def _exchanged(precision: str, recall: str, f1: str) -> list[str]:
    return [recall, precision, f1]


ORDERS: dict[str, Callable[[str, str, str], list[str]]] = {
    "recall, precision and F1": _kept,
    "precision, recall and F1": _exchanged,
}


def _counted(measures: int) -> str:
    return f"{measures} measure" + "s" * (measures != 1)


def _likely(count: int, rows: int, layouts: Sequence[Layout]) -> int | None:
    """The place of the layout that is proposed, where one is."""
    if count == rows + 1 and layouts:
        return len(layouts) - 1
    if count // 3 == rows and layouts:
        return 0
    return None
