"""Keys and responses as sets that cross, the way the MUC paper draws them.

The entities of the key are thick bands from left to right, those of the response thin bands from
top to bottom, and a mention sits where its two entities cross. So every outline holds its own
mentions and no others, and the sides differ in weight, direction, label and colour.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from corefbook.draw.layout import (
    AROUND_NESTED,
    LONG,
    NESTED,
    SHORT,
    WIDEST,
    layout,
    only,
)
from corefbook.draw.shapes import (
    ALONE,
    OTHER,
    PHONE,
    RADIUS,
    TAG,
    Drawing,
    Outline,
    Pill,
    Shape,
    around,
    labels,
    nothing,
    svg_of,
    tag_width,
)
from corefbook.picture import drawn
from corefeval.errors import CorefError
from corefeval.overlap.partition import Mention, Partition, as_partition

ROOM = 3 * LONG
"""What a drawing has beside its mentions: their outlines, and labels before them."""


def overlap(key: Any, response: Any = None) -> Drawing:
    """A key and a response as sets that cross, or a key alone.

    >>> overlap("{A B C} {D E F G}", "{A B} {C D} {F G H}")
    Key: K1 {A B C}, K2 {D E F G}. Response: R1 {A B}, R2 {C D}, R3 {F G H}. \
Only in the key: E. Only in the response: H.
    >>> [type(shape).__name__ for shape in overlap("{A}").shapes]
    ['Outline', 'Pill', 'Pill']
    """
    if not (as_partition(key) or as_partition(response or "")):
        return nothing("neither the key nor the response has a mention")
    picture = _Picture(key, response)
    sides = ["key"] if response is None else ["key", "response"]
    described = [f"{side.capitalize()}: {picture.listed(side)}." for side in sides]
    if len(sides) == 2:
        for side in sides:
            twinless = only(picture.sides[side], picture.sides[OTHER[side]])
            if twinless:
                described.append(f"Only in the {side}: {', '.join(map(str, twinless))}.")
    examples = () if response is None else drawn(*picture.sides.values())
    whole = Drawing(tuple(picture.sets(sides)), " ".join(described), examples)
    if whole.width > ALONE:
        stacked = Drawing(tuple(_Picture(key, response, PHONE - ROOM).sets(sides)), "")
        if stacked.width < whole.width:
            whole.narrow = svg_of(stacked.shapes, whole.description, least=PHONE)
    return whole


def relative_partition(
    key: Any,
    response: Any,
    side: str = "key",
    *,
    chosen: Iterable[Collection[Mention]] = (),
) -> Drawing:
    """The subsets p(S) that the other side makes of each entity S of ``side``.

    A mention that the other side does not have is a subset of its own. Mentions are where
    `overlap` puts them. ``chosen`` are the subsets to mark, as the core of each entity.

    Raises `CorefError` for a chosen set that is no subset; an empty one marks nothing.

    >>> relative_partition("{A B C D}", "{A B}")
    The entities of the key as the response parts them: K1 into {A B} {C} {D}.
    >>> relative_partition("{A B C D}", "{A B}", chosen=["AB"])
    The entities of the key as the response parts them: K1 into {A B} {C} {D}. Chosen: {A B}.
    """
    if side not in OTHER:
        raise CorefError(f"side={side!r}: expected 'key' or 'response'")
    if not as_partition(key if side == "key" else response):
        return nothing(f"the {side} has no entity")
    picture = _Picture(key, response)
    outlines = list(picture.outlines(side, LONG, AROUND_NESTED))
    marked = {frozenset(subset) for subset in chosen if subset}
    parts, drawn_subsets = [], []
    other = picture.sides[OTHER[side]].entity_of
    for name, entity in zip(picture.names[side], picture.sides[side], strict=True):
        subsets = Partition.from_labels({m: (m in other, other.get(m, m)) for m in entity})
        for subset in subsets:
            role = "chosen" if frozenset(subset) in marked else OTHER[side]
            outlines.append(picture.subset(role, subset))
            drawn_subsets += [Partition([subset])] * (role == "chosen")
        parts.append(f"{name} into {subsets}")
    if len(drawn_subsets) < len(marked):
        raise CorefError(f"chosen={chosen!r}: expected subsets as they are drawn, {parts}")
    described = f"The entities of the {side} as the {OTHER[side]} parts them: {', '.join(parts)}."
    if drawn_subsets:
        described += f" Chosen: {', '.join(map(str, drawn_subsets))}."
    return Drawing((*outlines, *picture.pills([side])), described, drawn(*picture.sides.values()))


class _Picture:
    """A key and a response laid out, and the shapes that show them."""

    def __init__(self, key: Any, response: Any, widest: float = WIDEST) -> None:
        first = as_partition(key)
        second = first if response is None else as_partition(response)
        self.sides = {"key": first, "response": second}
        self.names = {side: labels(side, len(of)) for side, of in self.sides.items()}
        room = {side: max(map(tag_width, self.names[side]), default=0.0) for side in OTHER}
        self.spots, self.bands = layout(self.sides, room, widest)

    def sets(self, sides: Sequence[str]) -> Iterator[Shape]:
        """The entities of these sides, with their mentions and labels."""
        for side in sides:
            yield from self.outlines(side, LONG, SHORT)
        yield from self.pills(sides)

    def outlines(self, side: str, along: float, across: float) -> Iterator[Outline]:
        dx, dy = (along, across) if side == "key" else (across, along)
        for number, entity in enumerate(self.sides[side]):
            x0, y0, x1, y1 = self.bands[side, number]
            box = (x0 - dx, y0 - dy, x1 + dx, y1 + dy)
            yield Outline(box, side, frozenset(entity), RADIUS + across)

    def subset(self, role: str, mentions: Sequence[Mention]) -> Outline:
        x0, y0, x1, y1 = around(Pill.at(*self.spots[m], m, "mention").box for m in mentions)
        box = (x0 - NESTED, y0 - NESTED, x1 + NESTED, y1 + NESTED)
        return Outline(box, role, frozenset(mentions), RADIUS + NESTED)

    def pills(self, sides: Sequence[str]) -> Iterator[Pill]:
        """The mentions, and the labels at the left end or on top of their bands."""
        for m in dict.fromkeys(m for side in sides for entity in self.sides[side] for m in entity):
            yield Pill.at(*self.spots[m], m, "mention")
        for side in sides:
            for name, outline in zip(self.names[side], self.outlines(side, LONG, 0), strict=True):
                x0, y0, x1, y1 = outline.box
                if side == "key":
                    yield Pill.at(x0 + 2 - tag_width(name) / 2, (y0 + y1) / 2, name, side)
                else:
                    yield Pill.at((x0 + x1) / 2, y0 + 2 - TAG, name, side)

    def listed(self, side: str) -> str:
        entities = zip(self.names[side], self.sides[side], strict=True)
        return ", ".join(f"{name} {Partition([entity])}" for name, entity in entities) or "nothing"
