"""Where the mentions and the entities of a key and a response go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

from corefbook.draw.shapes import (
    RADIUS,
    TAG,
    Box,
    Pill,
    Point,
    around,
)
from corefeval.overlap.partition import Mention, Partition

SHORT, LONG = 9.0, 22.0  # from a mention to its outline: beside the band, at its ends
APART, TWINLESS_APART = 8.0, 22.0  # between mentions that share both entities; that share one
NESTED, AROUND_NESTED = 7.0, 16.0  # the same for a subset, and for the band that holds subsets
GAP = 42.0  # between neighbouring bands: LONG + SHORT, or 2 AROUND_NESTED, and air
WIDEST = 620.0
Cells = dict[tuple[int | None, int | None], list[Mention]]
Order = list[int | None]
Bands = dict[tuple[str, int], Box]


def layout(
    sides: dict[str, Partition], room: dict[str, float], widest: float = WIDEST
) -> tuple[dict[Mention, Point], Bands]:
    """Where each mention and each entity goes.

    The overlap table falls into connected parts; each is drawn as a table whose rows are
    entities of the key and whose columns are entities of the response, side by side as far as
    there is room.
    """
    spots: dict[Mention, Point] = {}
    bands: Bands = {}
    left = top = bottom = 0.0
    for cells in _components(sides["key"], sides["response"]):
        table, outer = _table(cells, _arranged(cells, 0), _arranged(cells, 1), room)
        _, _, width, height = around(outer.values())
        if left and left + width > widest:
            left, top = 0.0, bottom + 2 * LONG + 3 * TAG
        spots |= {m: (left + x, top + y) for m, (x, y) in table.items()}
        for band, (x0, y0, x1, y1) in outer.items():
            bands[band] = (left + x0, top + y0, left + x1, top + y1)
        left += width + 2 * LONG + room["key"] + TAG
        bottom = max(bottom, top + height)
    return spots, bands


def _components(key: Partition, response: Partition) -> list[Cells]:
    """The overlap table in its connected parts; row or column None has the twinless mentions."""
    cells: Cells = {}
    for m, number in key.entity_of.items():
        cells.setdefault((number, response.entity_of.get(m)), []).append(m)
    for m in only(response, key):
        cells.setdefault((None, response.entity_of[m]), []).append(m)
    ends = [[end for end in zip("KR", cell, strict=True) if end[1] is not None] for cell in cells]
    part = Partition(ends, repeated="merge")
    components: list[Cells] = [{} for _ in part]
    for (cell, mentions), (end, *_) in zip(cells.items(), ends, strict=True):
        components[part.entity_of[end]][cell] = mentions
    return components


def _arranged(cells: Cells, axis: int) -> Order:
    """Rows (axis 0) or columns in an order in which bands pass few cells that they do not have."""
    bands: dict[int, list[int | None]] = {}
    for cell in cells:
        if (entity := cell[1 - axis]) is not None:
            bands.setdefault(entity, []).append(cell[axis])
    longer = [band for band in bands.values() if len(band) > 1]

    def passed(order: Order) -> int:
        at = {n: i for i, n in enumerate(order)}
        spans = ([at[n] for n in band] for band in longer)
        return sum(max(span) - min(span) + 1 - len(span) for span in spans)

    order: Order = sorted({cell[axis] for cell in cells}, key=lambda n: (n is None, n or 0))
    best, better = passed(order), True
    while better and best:  # move one at a time, for as long as that helps
        better = False
        for source, target in permutations(range(len(order)), 2):
            moved = list(order)
            moved.insert(target, moved.pop(source))
            if (cost := passed(moved)) < best:
                order, best, better = moved, cost, True
    return order


def _table(
    cells: Cells, rows: Order, columns: Order, room: dict[str, float]
) -> tuple[dict[Mention, Point], Bands]:
    """Where the mentions and the entities of one table go."""
    blocks = {cell: _block(mentions, twinless=None in cell) for cell, mentions in cells.items()}
    slots: list[dict[int | None, tuple[float, float]]] = []
    for axis, order, crossing, label, least in (
        (1, columns, rows, room["key"], room["response"] - 2 * SHORT),
        (0, rows, columns, 2 * TAG, 0.0),
    ):
        labelled = {  # where a crossing band starts
            min(order.index(cell[axis]) for cell in cells if cell[1 - axis] == n)
            for n in crossing
            if n is not None
        }
        end, ends_of = -GAP, {}
        for number, n in enumerate(order):
            start = end + GAP + (label if number and number in labelled else 0.0)
            sizes = [size[1 - axis] for cell, (_, size) in blocks.items() if cell[axis] == n]
            end = start + max(least, *sizes)
            ends_of[n] = (start, end)
        slots.append(ends_of)
    spots: dict[Mention, Point] = {}
    held: dict[tuple[str, int], list[Box]] = {}
    for (i, j), (block, _) in blocks.items():
        (x0, x1), (y0, y1) = slots[0][j], slots[1][i]
        for m, (x, y) in block.items():
            spots[m] = ((x0 + x1) / 2 + x, (y0 + y1) / 2 + y)
        for side, n in (("key", i), ("response", j)):
            if n is not None:
                held.setdefault((side, n), []).append((x0, y0, x1, y1))
    return spots, {band: around(boxes) for band, boxes in held.items()}


def _block(mentions: Sequence[Mention], *, twinless: bool) -> tuple[dict[Mention, Point], Point]:
    """Mentions in lines, a little wider than high, around (0, 0); and their width and height."""
    lines = max(1, round(math.sqrt(len(mentions) / 1.7)))
    per_line = math.ceil(len(mentions) / lines)
    apart = TWINLESS_APART if twinless else APART
    dx = 2 * max(Pill.at(0, 0, m, "mention").box[2] for m in mentions) + apart
    dy = 2 * RADIUS + apart
    spots = {}
    for number, m in enumerate(mentions):
        line, column = divmod(number, per_line)
        here = min(per_line, len(mentions) - line * per_line)
        spots[m] = (dx * (column - (here - 1) / 2), dy * (line - (lines - 1) / 2))
    return spots, (per_line * dx - apart, lines * dy - apart)


def only(side: Partition, other: Partition) -> list[Mention]:
    return [m for entity in side for m in entity if m not in other.entity_of]
