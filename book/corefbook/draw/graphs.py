"""The graphs that links form."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

from corefbook.draw.layout import APART
from corefbook.draw.shapes import OTHER, RADIUS, Drawing, Line, Loop, Pill, Point, Shape, nothing
from corefeval.errors import CorefError
from corefeval.overlap.partition import Link, Mention, as_links


def links(
    mentions: Iterable[Mention],
    links: str | Iterable[Link] = (),
    missing: str | Iterable[Link] = (),
    *,
    side: str = "key",
) -> Drawing:
    """Mentions on a circle with all possible links faint, some drawn, and some dashed as missing.

    ``links`` and ``missing`` are pairs, or a text like ``"A-B B-C"``; a link of a mention to itself
    is a loop. ``side`` says whose links they are, and with it their weight.

    Raises `CorefError` for a link to a mention that is not among ``mentions``.

    >>> links("ABCD", "A-B C-D", missing="B-C")
    The mentions A, B, C, D; linked in the key: A–B, C–D; missing: B–C.
    >>> links("AB", "A-C")
    Traceback (most recent call last):
    corefeval.errors.CorefError: the link 'A'-'C' has the mention 'C', which is not among 'A', 'B'
    """
    if side not in OTHER:
        raise CorefError(f"side={side!r}: expected 'key' or 'response'")
    nodes = list(dict.fromkeys(mentions))
    if not nodes:
        return nothing("there is no mention")
    spots = dict(zip(nodes, _circle(nodes), strict=True))
    drawn = {side: _pairs(links, nodes), "missing": _pairs(missing, nodes)}
    taken = {frozenset(pair) for pairs in drawn.values() for pair in pairs}
    possible = [pair for pair in combinations(nodes, 2) if frozenset(pair) not in taken]
    lines = [
        _line(spots[a], spots[b], role)
        for role, pairs in {"possible": possible, **drawn}.items()
        for a, b in pairs
    ]
    described = [f"The mentions {', '.join(map(str, nodes))}"]
    for role, words in ((side, f"linked in the {side}"), ("missing", "missing")):
        if drawn[role]:
            described.append(f"{words}: " + ", ".join(f"{a}–{b}" for a, b in drawn[role]))
    pills = [Pill.at(*spots[node], node, "mention") for node in nodes]
    return Drawing((*lines, *pills), "; ".join(described) + ".")


def _line(start: Point, end: Point, role: str) -> Shape:
    if start != end:
        return Line((*start, *end), role)
    x, y = start
    return Loop((x - RADIUS, y - 3 * RADIUS, x + RADIUS, y), role)


def _circle(nodes: Sequence[Mention]) -> list[Point]:
    """Points on a circle, clockwise and clear of each other; an even number stands on a side."""
    count = len(nodes)
    wide = max(Pill.at(0, 0, node, "mention").box[2] for node in nodes)
    apart = max(2.2 * RADIUS, wide + APART)
    radius = 0.0 if count == 1 else max(52.0, apart / math.sin(math.pi / count))
    start = -math.pi / 2 - (math.pi / count if count % 2 == 0 else 0)
    angles = [start + 2 * math.pi * n / count for n in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _pairs(links: str | Iterable[Link], nodes: Sequence[Mention]) -> list[Link]:
    pairs = as_links(links)
    for a, b in pairs:
        for end in (a, b):
            if end not in nodes:
                known = ", ".join(map(repr, nodes))
                raise CorefError(
                    f"the link {a!r}-{b!r} has the mention {end!r}, which is not among {known}"
                )
    return pairs
