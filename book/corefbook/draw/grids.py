"""All pairs of mentions as a grid: which of them each side links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from corefbook.draw.shapes import COLOURS, OTHER, WEIGHT, Box, Drawing, Pill, Shape, nothing, px
from corefbook.picture import drawn
from corefeval.overlap.partition import Mention, Partition, as_partition

WIDE, HIGH = 104.0, 56.0
"""A cell of the grid, in which words stand."""
SMALL = 38.0
"""The side of a cell where mentions are single letters: colour and corner alone say what it is."""
ASIDE, ABOVE = 0.26, 0.3
"""Where the word of a half stands in its cell, seen from the half's own corner."""


@dataclass(frozen=True)
class Half(Shape):
    """Half a cell: the key's is the lower right one, the response's the upper left one."""

    linked: bool

    def svg(self) -> str:
        x0, y0, x1, y1 = map(px, self.box)
        corner = f"{x1},{y1}" if self.role == "key" else f"{x0},{y0}"
        colour = COLOURS[self.role]
        return (
            f'<polygon points="{x0},{y1} {x1},{y0} {corner}" fill="{colour}"'
            f' fill-opacity="{".6" if self.linked else "0"}" stroke="{colour}"'
            f' stroke-width="{WEIGHT[self.role] / 2}"/>'
        )


def pairs(mentions: Iterable[Mention], key: Any, response: Any) -> Drawing:
    """A cell for each pair of mentions, one half for each side, filled where that side links them.

    Half a cell stays away where its side lacks one of the two mentions. ``mentions`` gives the
    order. Cells are small where all mentions are single letters.

    >>> pairs("abc", "{a b} {c}", "{a} {b}")
    Pairs, key and response: a–b link, no link; a–c no link, missing; b–c no link, missing.
    """
    nodes = list(dict.fromkeys(mentions))
    if len(nodes) < 2:
        return nothing("a pair takes two mentions")
    sides = {"key": as_partition(key), "response": as_partition(response)}
    small = all(len(str(mention)) == 1 for mention in nodes)
    wide, high = (SMALL, SMALL) if small else (WIDE, HIGH)
    shapes: list[Shape] = []
    said = []
    for (row, a), (column, b) in combinations(enumerate(nodes), 2):
        box = (wide * column, high * row, wide * (column + 1), high * (row + 1))
        links = []
        for side in OTHER:
            linked = _linked(sides[side], a, b)
            links.append({True: "link", False: "no link", None: "missing"}[linked])
            if linked is not None:
                shapes.append(Half(box, side, linked))
            if linked and not small:
                shapes.append(_word(box, side))
        said.append(f"{a}–{b} {', '.join(links)}")
    for place, mention in enumerate(nodes):
        if place:
            shapes.append(Pill.at(wide * (place + 0.5), -high / 2, mention, "mention"))
        if place < len(nodes) - 1:
            shapes.append(_ending(wide - 4 if small else wide - 8, high * (place + 0.5), mention))
    described = f"Pairs, key and response: {'; '.join(said)}."
    return Drawing(tuple(shapes), described, drawn(*sides.values()))


def _linked(side: Partition, a: Mention, b: Mention) -> bool | None:
    of = side.entity_of
    return of[a] == of[b] if a in of and b in of else None


def _word(box: Box, side: str) -> Pill:
    x0, y0, x1, y1 = box
    if side == "key":
        return Pill.at(x1 - ASIDE * WIDE, y1 - ABOVE * HIGH, "link", side)
    return Pill.at(x0 + ASIDE * WIDE, y0 + ABOVE * HIGH, "link", side)


def _ending(x: float, y: float, mention: Mention) -> Pill:
    pill = Pill.at(0, y, mention, "mention")
    return pill.moved(x - pill.box[2], 0)
