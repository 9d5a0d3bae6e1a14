"""What public archives' responses have right: counts of data/real, made by tools/real_counts.py.

A `Line` is a row of a file: what one measure counts of one response in one document, or in all
together. `report` makes a report of such counts, which scores, draws and compares like any other.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from companion.ledger import DATA

FOLDER = DATA / "real"
ARCHIVES = ("cdcr-corpora", "hypercoref", "wiki-grounded", "gum")
COUNTED = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")


class Line(NamedTuple):
    """A row of a file."""

    corpus: str
    scope: str
    """What is scored by itself: "corpus", "topics", "subtopics" or "documents"."""
    conventions: str
    """Choices that are not the defaults, as in a signature."""
    response: str
    document: str
    """The unit's number; nothing for the sum of all."""
    measure: str
    numbers: str


def path(archive: str) -> Path:
    """The file of an archive."""
    return FOLDER / f"{archive}.csv.xz"


def lines(archive: str) -> Iterator[Line]:
    """Every row of an archive's file."""
    with lzma.open(path(archive), "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        yield from map(Line._make, rows)


def write(archive: str, found: Iterable[Line]) -> None:
    """Store the rows of an archive, in an order in which alike rows stand together."""
    ordered = sorted(found, key=lambda each: (*each[:3], each.measure, each))
    preset = 9 | lzma.PRESET_EXTREME
    with lzma.open(path(archive), "wt", preset=preset, encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Line._fields)
        writer.writerows(ordered)


def leaves(counts: Any) -> list[Any]:
    """The numbers that counts consist of, in their order."""
    if isinstance(counts, tuple):
        return [number for part in counts for number in leaves(part)]
    return [counts]
