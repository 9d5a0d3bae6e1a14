"""Entities as discs, each with a part of its mentions as a darker disc inside."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from corefbook.colours import DAY
from corefbook.draw.pieces import Painted, both_widths, text_at
from corefbook.picture import Picture

UNIT, GAP, BELOW = 6.0, 10.0, 24.0
"""The radius of one mention's disc, the space between discs, and the room for a number below."""


def discs(entities: Sequence[tuple[int, int]], part: str, *, title: str = "") -> Picture:
    """A disc for each entity, as large as its mentions are many, its number of mentions below.

    ``entities`` are pairs: how many mentions an entity has, and how many of them belong to the
    part, which is a dark disc with its number. ``part`` names these; ``title`` says what is shown.

    >>> discs([(46, 26), (2, 0)], "pronouns")
    Entities by size: 46 (pronouns 26); 2.
    """

    def paint(width: float) -> Painted:
        parts: list[str] = []
        left, middle = GAP, UNIT * sqrt(max(size for size, _ in entities)) + 4
        floor = 2 * middle
        for size, inner in entities:
            radius = max(UNIT * sqrt(size), 9)
            if left + 2 * radius > width:
                left, floor = GAP, floor + 2 * radius + BELOW + GAP
                middle = floor - radius
            x = left + radius
            parts.append(_disc(x, middle, UNIT * sqrt(size), 0.15))
            if inner:
                parts.append(_disc(x, middle, UNIT * sqrt(inner), 0.2))
                if UNIT * sqrt(inner) > 8:
                    parts.append(text_at(x, middle + 4.5, str(inner), DAY["key"], bold=True))
            parts.append(text_at(x, floor + 14, str(size)))
            left += 2 * radius + GAP
        return parts, floor + BELOW

    sizes = "; ".join(f"{n} ({part} {inner})" if inner else str(n) for n, inner in entities)
    return both_widths(paint, f"Entities by size: {sizes}.", title)


def _disc(x: float, y: float, radius: float, strength: float) -> str:
    colour = DAY["key"]
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}" '
        f'fill-opacity="{strength}" stroke="{colour}" stroke-width="1.5"/>'
    )
