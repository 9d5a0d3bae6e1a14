"""Entities of both sides as two columns, and the similarities between them as weighted lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from corefbook.draw.shapes import OTHER, Drawing, Line, Pill, Shape, nothing
from corefbook.picture import drawn
from corefeval.errors import CorefError
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition, as_partition

ROW, COLUMN = 64.0, 330.0
"""From one entity to the next, and from the key's entities to the response's."""
NEAR = 0.34
"""Where on its line a weight stands, seen from the key: those of neighbours are a weight's height
apart, whether their lines begin together or cross."""


def alignment(
    key: Any,
    response: Any,
    similarity: Callable[[int, int, int], Any],
    chosen: Iterable[tuple[int, int]] = (),
) -> Drawing:
    """The entities that overlap, joined by lines with their similarity; chosen pairs are heavy.

    ``similarity`` is called with (n, k, r) of each overlapping pair, ``chosen`` holds pairs (i, j)
    of entities counted from 0.

    Raises `CorefError` for a chosen pair that does not overlap.

    >>> alignment("{a b} {c}", "{a b c}", lambda n, k, r: n, [(0, 0)])
    K1 {a b}, K2 {c}; R1 {a b c}. K1–R1: 2 (chosen), K2–R1: 1.
    """
    sides = {"key": as_partition(key), "response": as_partition(response)}
    t = Contingency.of(sides["key"], sides["response"])
    heavy = set(chosen)
    if not (t.key_sizes and t.response_sizes):
        return nothing("a side has no entity")
    if astray := heavy - set(t.pairs):
        raise CorefError(f"the chosen pairs {sorted(astray)} do not overlap")
    tallest = max(len(t.key_sizes), len(t.response_sizes))
    spots = {
        side: _spots(x, len(sides[side]), tallest)
        for side, x in zip(OTHER, (0.0, COLUMN), strict=True)
    }
    names = {side: _names(side[0].upper(), entities) for side, entities in sides.items()}
    lines: list[Shape] = []
    weights: list[Shape] = []
    said = []
    for (i, j), n in sorted(t.pairs.items(), key=lambda pair: pair[0] in heavy):
        role = "chosen" if (i, j) in heavy else "possible"
        (x0, y0), (x1, y1) = spots["key"][i], spots["response"][j]
        weight = similarity(n, t.key_sizes[i], t.response_sizes[j])
        lines.append(Line((x0, y0, x1, y1), role))
        at = x0 + NEAR * (x1 - x0), y0 + NEAR * (y1 - y0)
        weights.append(Pill.at(*at, weight, "chosen" if role == "chosen" else "caption"))
        said.append((i, j, f"K{i + 1}–R{j + 1}: {weight}{' (chosen)' * (role == 'chosen')}"))
    tags = [
        Pill.at(*spot, name, side)
        for side in OTHER
        for spot, name in zip(spots[side], names[side], strict=True)
    ]
    described = "; ".join(", ".join(names[side]) for side in OTHER)
    pairs = ", ".join(text for *_, text in sorted(said))
    return Drawing((*lines, *weights, *tags), f"{described}. {pairs}.", drawn(*sides.values()))


def _spots(x: float, entities: int, tallest: int) -> list[tuple[float, float]]:
    """Where the entities of a side stand: one below the other, in the middle of the taller side."""
    first = (tallest - entities) * ROW / 2
    return [(x, first + i * ROW) for i in range(entities)]


def _names(letter: str, entities: Partition) -> list[str]:
    return [
        f"{letter}{i} {{{' '.join(map(str, entity))}}}"
        for i, entity in enumerate(entities, start=1)
    ]
