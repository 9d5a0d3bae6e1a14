"""Entities of the key as strips of paper, torn where the response splits them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corefbook.colours import DAY
from corefbook.draw.pieces import LETTER, Painted, both_widths, text_at
from corefbook.draw.shapes import nothing
from corefbook.picture import Picture, drawn
from corefeval.overlap.partition import Mention, Partition, as_partition

HIGH, STEP = 34.0, 68.0
"""The height of a strip, and from one strip to the next."""
TEAR, GAP = 4.0, 9.0
"""How far a torn edge goes in and out, and how wide a tear is."""
LEFT = 44.0
"""Where strips begin, behind their names."""
FEW = 20
"""Of so many mentions the description has the words, of more their numbers."""
Part = tuple[str, list[Mention]]
"""The name of an entity of the other side, none for what it lacks, and the mentions in it."""


def torn(key: Any, response: Any, *, title: str = "") -> Picture:
    """Each entity of the key as a strip, torn where the response splits it, largest first.

    Below each piece stands the entity of the response that has it; what the response lacks is
    dashed. A piece says its mentions where they have room, else how many they are. ``title`` says
    what the picture shows.

    >>> torn("{Conradin the_boy he} {Ann}", "{Conradin he} {the_boy Ann}")
    Entities of the key, torn by the response: K1: {Conradin he} in R1, {the_boy} in R2; K2: \
{Ann} in R2.
    """
    mine, other = as_partition(key), as_partition(response)
    if not mine:
        return nothing("the key has no entity")
    strips = [*_strips(mine, other)]
    longest = max(sum(len(mentions) for _, mentions in parts) for _, parts in strips)
    tears = max(len(parts) for _, parts in strips) - 1

    def paint(width: float) -> Painted:
        unit = min(90.0, (width - LEFT - 8 - GAP * tears) / longest)
        drawn_parts: list[str] = []
        for number, (name, parts) in enumerate(strips):
            top = 8 + STEP * number
            drawn_parts.append(text_at(LEFT - 8, top + 22, name, DAY["key"], "end", bold=True))
            drawn_parts += _strip(parts, top, unit)
        return drawn_parts, 8 + STEP * len(strips)

    few = sum(len(mentions) for _, parts in strips for _, mentions in parts) <= FEW
    texts = "; ".join(f"{name}: {_said(parts, in_words=few)}" for name, parts in strips)
    said = f"Entities of the key, torn by the response: {texts}."
    picture = both_widths(paint, said, title)
    picture.examples = drawn(mine, other) if few else ()
    return picture


def _strips(mine: Partition, other: Partition) -> Iterator[tuple[str, list[Part]]]:
    """Each entity's name and parts, the largest entity and the largest part first."""
    for number in sorted(range(len(mine)), key=lambda number: -mine.sizes[number]):
        parts: dict[str, list[Mention]] = {}
        for mention in mine.entities[number]:
            there = other.entity_of.get(mention)
            parts.setdefault("" if there is None else f"R{there + 1}", []).append(mention)
        ordered = sorted(parts.items(), key=lambda part: (part[0] == "", -len(part[1])))
        yield f"K{number + 1}", ordered


def _said(parts: Sequence[Part], *, in_words: bool) -> str:
    """Say which mentions, or how many, each part has; one without a name is missing.

    >>> _said([("R1", ["a"]), ("", ["b"])], in_words=True)
    '{a} in R1, {b} missing'
    """
    texts = []
    for name, mentions in parts:
        held = str(Partition([mentions])) if in_words else str(len(mentions))
        texts.append(f"{held} in {name}" if name else f"{held} missing")
    return ", ".join(texts)


def _strip(parts: Sequence[Part], top: float, unit: float) -> Iterator[str]:
    """The SVG of an entity as one strip, cut into its parts, each with its words and its name."""
    left = LEFT
    for number, (name, mentions) in enumerate(parts):
        right = left + unit * len(mentions)
        path = _outline(left, right, top, begins=number == 0, ends=number == len(parts) - 1)
        colour = DAY["key" if name else "loss"]
        look = f'fill="{colour}" fill-opacity="{".15" if name else "0"}" stroke="{colour}"'
        dashes = "" if name else ' stroke-dasharray="5 4"'
        yield f'<path d="{path}" {look} stroke-width="2"{dashes}/>'
        words = ", ".join(str(mention).replace("_", " ") for mention in mentions)
        fits = LETTER * len(words) < right - left - 8
        yield text_at((left + right) / 2, top + 22, words if fits else str(len(mentions)))
        below = text_at((left + right) / 2, top + HIGH + 17, name, DAY["response"], bold=True)
        yield below if name else text_at((left + right) / 2, top + HIGH + 17, "–", DAY["loss"])
        left = right + GAP


def _outline(left: float, right: float, top: float, *, begins: bool, ends: bool) -> str:
    """A rectangle whose edges are torn but for the strip's own ends."""
    heights = [top + HIGH * step / 4 for step in range(5)]
    edges = []
    for x, whole in ((left, begins), (right, ends)):
        out = [0.0] * 5 if whole else [0, TEAR, 0, TEAR, 0]
        edges.append([f"{x + by - TEAR / 2 * (not whole):.1f} {y:.1f}"
                      for by, y in zip(out, heights, strict=True)])  # fmt: skip
    return f"M{'L'.join(edges[0])}L{'L'.join(reversed(edges[1]))}Z"
