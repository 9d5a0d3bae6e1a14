"""The measures in the order of their papers, and which earlier one each answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corefbook.draw.shapes import Drawing, Line, Pill, Shape
from corefeval.errors import CorefError

PER_YEAR, LANE = 26.0, 46.0
"""The width of a year, and the height between two lanes."""


class Entry(NamedTuple):
    """A measure: its year, the lane in which it stands, and what it answers."""

    year: int
    lane: int
    answers: Sequence[str] = ()


def timeline(entries: Mapping[str, Entry]) -> Drawing:
    """Each measure at its year, with lines to the measures that it answers.

    Raises `CorefError` for a measure that answers one that is not there or not earlier.

    >>> timeline({"MUC": Entry(1995, 0), "B³": Entry(1998, 1, ["MUC"])})
    1995 MUC; 1998 B³, which answers MUC.
    """
    first = min(entry.year for entry in entries.values())
    spots = {
        name: ((entry.year - first) * PER_YEAR, entry.lane * LANE)
        for name, entry in entries.items()
    }
    lines: list[Shape] = []
    pills: list[Shape] = []
    said = []
    lowest = max(y for _, y in spots.values()) + LANE
    for name, entry in entries.items():
        for earlier in entry.answers:
            if earlier not in entries or entries[earlier].year >= entry.year:
                raise CorefError(f"{name} answers {earlier}, which is not there before it")
            lines.append(Line((*spots[earlier], *spots[name]), "possible"))
        pills.append(Pill.at(*spots[name], name, "key"))
        answered = f", which answers {' and '.join(entry.answers)}" if entry.answers else ""
        said.append(f"{entry.year} {name}{answered}")
    for year in sorted({entry.year for entry in entries.values()}):
        pills.append(Pill.at((year - first) * PER_YEAR, lowest, year, "caption"))
    return Drawing((*lines, *pills), "; ".join(said) + ".")


MEASURES = {
    "MUC": Entry(1995, 1),
    "B³": Entry(1998, 0, ["MUC"]),
    "CEAF": Entry(2005, 0, ["B³"]),
    "BLANC": Entry(2011, 2, ["MUC", "CEAF"]),
    "LEA": Entry(2016, 1, ["B³", "CEAF"]),
}
