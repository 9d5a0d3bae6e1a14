"""Labelled rows and columns, some of whose cells are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.draw.shapes import (
    CELL,
    CELLS_APART,
    OTHER,
    STACKED,
    TAG,
    Drawing,
    Frame,
    Pill,
    Shape,
)
from corefeval.errors import CorefError


def matrix(
    rows: Sequence[object],
    columns: Sequence[object],
    cells: Mapping[tuple[Any, Any], Any],
    chosen: Iterable[tuple[Any, Any]] = (),
    *,
    roles: tuple[str, str] = ("key", "response"),
) -> Drawing:
    """A table of labelled rows and columns, some of whose cells are chosen.

    ``cells`` has the text of each cell by the labels of its row and column; what it lacks stays
    empty. A text may be two, that of the key and that of the response, "" where one has none.
    ``chosen`` are the cells to outline; ``roles`` say what the labels are.

    Raises `CorefError` for a cell without a row or a column, a chosen one without a text, and for
    no cell.

    >>> matrix(["K1"], ["R1", "R2"], {("K1", "R1"): 2, ("K1", "R2"): 0}, [("K1", "R1")])
    K1: R1 2 (chosen), R2 0.
    >>> matrix("a", "bc", {("a", "b"): ("C", "N"), ("a", "c"): ("", "C")}).description
    'a: b key C response N, c response C.'
    """
    outlined = set(chosen)
    for cell in [*cells, *outlined]:
        if cell[0] not in rows or cell[1] not in columns:
            raise CorefError(f"the cell {cell!r} is in none of the rows and columns")
        if cell not in cells:
            raise CorefError(f"the chosen cell {cell!r} has no text")
    if not cells:
        raise CorefError("nothing to draw: there is no cell")
    filled = {cell: _cell(content) for cell, content in cells.items()}
    left, above = (
        [Pill.at(0, 0, text, role) for text in texts]
        for texts, role in zip((rows, columns), roles, strict=True)
    )
    high = TAG + CELL
    texts = [pill.box[2] for pills in filled.values() for pill in pills]
    wide = max(high, max(texts, default=0) + CELL, *(pill.box[2] for pill in above))
    dx, dy = 2 * wide + CELLS_APART, 2 * high + CELLS_APART
    x0 = -wide - 2 * CELLS_APART - max(pill.box[2] for pill in left)
    y0 = -high - CELLS_APART - above[0].box[3]
    shapes: list[Shape] = [pill.moved(x0, i * dy) for i, pill in enumerate(left)]
    shapes += [pill.moved(j * dx, y0) for j, pill in enumerate(above)]
    described = []
    for i, one in enumerate(rows):
        said = []
        for j, other in enumerate(columns):
            if (one, other) in cells:
                role = "chosen" if (one, other) in outlined else "possible"
                frame = Frame((-wide, -high, wide, high), role)
                shapes += [s.moved(j * dx, i * dy) for s in (frame, *filled[one, other])]
                said.append(f"{other} {_said(filled[one, other])}{CHOSEN[role]}")
        if said:
            described.append(f"{one}: {', '.join(said)}.")
    return Drawing(tuple(shapes), " ".join(described))


def _cell(content: object) -> list[Pill]:
    """One text, or the key's to the left of the response's, around (0, 0)."""
    if not isinstance(content, tuple):
        return [Pill.at(0, 0, content, "caption")]
    pills = [Pill.at(0, 0, text, side) for text, side in zip(content, OTHER, strict=True)]
    away = max(pill.box[2] for pill in pills) + STACKED / 2
    return [pill.moved(-away if pill.role == "key" else away, 0) for pill in pills if pill.text]


def _said(pills: Sequence[Pill]) -> str:
    return " ".join(p.text if p.role == "caption" else f"{p.role} {p.text}" for p in pills)


CHOSEN = {"chosen": " (chosen)", "possible": ""}
