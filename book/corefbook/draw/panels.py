"""One response five times, as five measures see it: what each counts, and its F1 below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import comb, dist
from typing import Any, NamedTuple

from corefbook.alignment import align
from corefbook.colours import DAY
from corefbook.draw.pieces import GROUND, LETTER, WIDE, both_widths, text_at
from corefbook.draw.shapes import nothing
from corefbook.picture import Picture, drawn
from corefeval import metric
from corefeval.errors import CorefError
from corefeval.measures.ceaf import phi4
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Mention, Partition, as_partition

PANEL, TOP = 152.0, 62.0
"""The width of a panel, and where below its name it begins to draw."""
LEAST, EACH = 120.0, 40.0
"""How high a panel draws at least, and for each mention of its longest column."""
MOST = 12
"""How many mentions have room in a panel."""
ROOM, BEND = 14.0, 22.0
"""How near to a mention a link would run over it, and how far aside it is bent then."""
Point = tuple[float, float]


class Sides(NamedTuple):
    """A key and a response, the place of each mention in a panel, and where its drawing ends."""

    key: Partition
    response: Partition
    spots: dict[Mention, Point]
    bottom: float

    @property
    def table(self) -> Contingency:
        return Contingency.of(self.key, self.response)


def five(key: Any, response: Any, *, title: str = "") -> Picture:
    """Five panels of one response in a row, and on a phone two in each row: the F1 differ.

    MUC: links that both sides have, and dashed those of one side alone. B³: what each mention
    earns for recall and for precision. CEAFₑ: the aligned entities. BLANC: all pairs of mentions,
    filled where a side links them. LEA: a bar for each entity, as long as it is important, and
    filled as far as it is resolved. A side has its colour, agreement is green.

    Raises `CorefError` for more than twelve mentions.

    >>> five("{a b} {c d}", "{a d b} {c}", title="Five answers.")
    Five answers.
    Key {a b} {c d}, response {a d b} {c}. F1: MUC 0.50, B³ 0.71, CEAFₑ 0.73, BLANC 0.49, LEA 0.33.
    """
    if not (as_partition(key) and as_partition(response)):
        return nothing("a side has no mention")
    sides = _sides(as_partition(key), as_partition(response))
    scores = {name: metric(name)(sides.key, sides.response).exact.f1 for name in PANELS}

    def paint(width: float) -> tuple[list[str], float]:
        columns = len(PANELS) if width == WIDE else 2
        high = sides.bottom + 44
        parts = []
        for number, (name, (shown, counts, draw)) in enumerate(PANELS.items()):
            row, column = divmod(number, columns)
            x, y = column * width / columns, row * high
            inside = [
                text_at(PANEL / 2, 18, shown, DAY["neutral"], bold=True),
                text_at(PANEL / 2, 38, counts),
                *draw(sides),
                text_at(PANEL / 2, sides.bottom + 28, f"F1 {float(scores[name]):.2f}", bold=True),
            ]
            parts.append(f'<g transform="translate({x:.1f} {y:.1f})">{"".join(inside)}</g>')
        rows = -(-len(PANELS) // columns)
        return parts, rows * high

    in_words = ", ".join(f"{PANELS[name][0]} {float(f1):.2f}" for name, f1 in scores.items())
    said = f"Key {sides.key}, response {sides.response}. F1: {in_words}."
    picture = both_widths(paint, said, title)
    picture.examples = drawn(sides.key, sides.response)
    return picture


def _sides(key: Partition, response: Partition) -> Sides:
    """Mentions below each other by the key's entities; those that it lacks, below the last."""
    columns = [*map(list, key)]
    columns[-1] += [mention for mention in response.entity_of if mention not in key.entity_of]
    if sum(map(len, columns)) > MOST:
        raise CorefError("more than twelve mentions have no room in a panel")
    spots = {}
    bottom = TOP + max(LEAST, EACH * max(map(len, columns)))
    for number, column in enumerate(columns):
        x = PANEL * (number + 0.5) / len(columns)
        step = (bottom - TOP) / len(column)
        for place, mention in enumerate(column):
            spots[mention] = (x, TOP + step * (place + 0.5))
    return Sides(key, response, spots, bottom)


def _words(mention: Mention) -> str:
    return str(mention).replace("_", " ")


def _links(sides: Sides) -> Iterator[str]:
    """MUC: links within the parts that both have, and those that join parts on one side alone."""
    for mine, other, colour in (
        (sides.key, sides.response, "key"),
        (sides.response, sides.key, "response"),
    ):
        for entity in mine:
            parts: dict[Any, list[Mention]] = {}
            for mention in entity:
                parts.setdefault(other.entity_of.get(mention, mention), []).append(mention)
            for one, next_one in pairwise(parts.values()):
                yield _link(sides, one[0], next_one[0], colour, dashed=True)
            if colour == "key":
                for a, b in (link for part in parts.values() for link in pairwise(part)):
                    yield _link(sides, a, b, "agreement")
    yield from _named(sides)


def _link(sides: Sides, a: Mention, b: Mention, colour: str, *, dashed: bool = False) -> str:
    """A straight line, or one that is bent if the straight one would run over a mention."""
    start, end = sides.spots[a], sides.spots[b]
    others = [spot for mention, spot in sides.spots.items() if mention not in (a, b)]
    straight = [_between(start, end, step / 20) for step in range(21)]
    if any(dist(point, other) < ROOM for point in straight for other in others):
        pulled = _aside(start, end)
        ends = _beside(a, start, pulled), _beside(b, end, pulled)
        return _line(*ends, colour, dashed=dashed, pulled=pulled)
    return _line(_beside(a, start, end), _beside(b, end, start), colour, dashed=dashed)


def _aside(start: Point, end: Point) -> Point:
    """The point that pulls a link away from the mentions between its ends."""
    # Downwards a positive bend goes to the right; in both halves of the panel we bend outwards.
    right, down = start[0] + end[0] > PANEL, end[1] > start[1]
    bend = BEND if right == down else -BEND
    # The curve comes half as near to the point that pulls it as that point is far away.
    pull = 2 * bend / dist(start, end)
    x, y = _between(start, end, 0.5)
    return x + pull * (end[1] - start[1]), y - pull * (end[0] - start[0])


def _beside(mention: Mention, spot: Point, towards: Point) -> Point:
    """Where a link that goes there leaves the words of a mention."""
    room = LETTER * len(_words(mention)) / 2 + 3, 11.0
    across, down = abs(towards[0] - spot[0]), abs(towards[1] - spot[1])
    share = min(room[0] / max(across, 0.1), room[1] / max(down, 0.1), 1.0)
    return _between(spot, towards, share)


def _between(start: Point, end: Point, share: float) -> Point:
    (x0, y0), (x1, y1) = start, end
    return x0 + share * (x1 - x0), y0 + share * (y1 - y0)


def _line(
    start: Point, end: Point, colour: str, *, dashed: bool = False, pulled: Point | None = None
) -> str:
    look = f'stroke="{DAY[colour]}" stroke-width="5"'
    if dashed:
        look = f'stroke="{DAY[colour]}" stroke-width="2.5" stroke-dasharray="6 4"'
    if pulled is None:
        places = 'x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"'.format(*start, *end)
        return f"<line {places} {look}/>"
    path = "M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}".format(*start, *pulled, *end)
    return f'<path d="{path}" fill="none" {look}/>'


def _named(sides: Sides, raised: float = 0) -> Iterator[str]:
    """The mentions on a ground of the page's colour, which keeps them apart from lines."""
    for mention, (x, y) in sides.spots.items():
        yield text_at(x, y + 4.5 - raised, _words(mention), look=GROUND)


def _credits(sides: Sides) -> Iterator[str]:
    """B³: below each mention a bar for its recall and one for its precision."""
    yield from _named(sides, raised=9)
    for mention, (x, y) in sides.spots.items():
        both = _entity(sides.key, mention) & _entity(sides.response, mention)
        for number, side in enumerate(("key", "response")):
            entity = _entity(getattr(sides, side), mention)
            if entity:
                place = x - 24, y + 3 + 10 * number
                yield _bar(*place, 48, len(both) / len(entity), side, 7)


def _entity(side: Partition, mention: Mention) -> set[Mention]:
    number = side.entity_of.get(mention)
    return set() if number is None else set(side.entities[number])


def _bar(x: float, y: float, wide: float, share: float, colour: str, high: float) -> str:
    """A frame that is filled as far as the share says."""
    at = f'x="{x:.1f}" y="{y:.1f}" height="{high}"'
    return (
        f'<rect {at} width="{wide * float(share):.1f}" fill="{DAY[colour]}"/>'
        f'<rect {at} width="{wide:.1f}" fill="none" stroke="{DAY[colour]}"/>'
    )


def _alignment(sides: Sides) -> Iterator[str]:
    """CEAFₑ: entities as rows of dots, aligned ones joined by a thick line."""
    chosen = {*align(sides.table, phi4)}
    ends = {
        side: [
            (x, TOP + (sides.bottom - TOP) * (n + 0.5) / len(entities))
            for n in range(len(entities))
        ]
        for side, entities, x in (("key", sides.key, 34.0), ("response", sides.response, 118.0))
    }
    for i, j in sides.table.pairs:
        start, end = ends["key"][i], ends["response"][j]
        if (i, j) in chosen:
            yield _line(start, end, "agreement")
        else:
            yield _line(start, end, "neutral").replace('width="5"', 'width="1"')
    for side, entities in (("key", sides.key), ("response", sides.response)):
        for (x, y), entity in zip(ends[side], entities, strict=True):
            apart = min(10, 60 / len(entity))
            wide = apart * len(entity) + 8
            box = f'x="{x - wide / 2:.1f}" y="{y - 11:.1f}" width="{wide}" height="22" rx="11"'
            yield f'<rect {box} fill="{DAY["paper"]}" stroke="{DAY[side]}" stroke-width="2.5"/>'
            for n in range(len(entity)):
                at = f'cx="{x + apart * (n - (len(entity) - 1) / 2):.1f}" cy="{y:.1f}" r="3.5"'
                yield f'<circle {at} fill="{DAY[side]}"/>'


def _pairs(sides: Sides) -> Iterator[str]:
    """BLANC: right of a mention and above another is the cell of the two."""
    mentions = [*sides.spots]
    room = PANEL - 24, sides.bottom - TOP - 10
    last = len(mentions) - 1
    cell = min(30.0, room[0] / max(last, 1), room[1] / len(mentions))
    for row, mention in enumerate(mentions[:-1]):  # its name stands within the panel
        cell = min(cell, (PANEL - 16 - LETTER * len(_words(mention))) / (last - row))
    left = PANEL - 8 - cell * last
    for row, mention in enumerate(mentions):
        x, y = left + cell * row - 7, TOP + cell * (row + 0.5) + 8.5
        yield text_at(x, y, _words(mention), DAY["neutral"], "end")
    for (row, a), (column, b) in combinations(enumerate(mentions), 2):
        x0, y0 = left + cell * (column - 1), TOP + cell * row + 4
        x1, y1 = x0 + cell, y0 + cell
        for side, corner in (("key", (x1, y1)), ("response", (x0, y0))):
            of = getattr(sides, side).entity_of
            if a in of and b in of:
                fill = DAY[side] if of[a] == of[b] else "none"
                points = "{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}".format(x0, y1, x1, y0, *corner)
                yield f'<polygon points="{points}" fill="{fill}" stroke="{DAY[side]}"/>'


def _importance(sides: Sides) -> Iterator[str]:
    """LEA: entities as bars as long as their sizes, filled as far as their links are found."""
    unit = (PANEL - 32) / max(*sides.key.sizes, *sides.response.sizes)
    rows = len(sides.key) + len(sides.response)
    step = (sides.bottom - TOP) / rows
    table, row = sides.table, 0
    for side, entities, t in (
        ("key", sides.key, table),
        ("response", sides.response, table.T),
    ):
        for number, size in enumerate(entities.sizes):
            y = TOP + step * (row + 0.5) - 7
            share = _resolution(t, number, size)
            yield text_at(22, y + 12, f"{side[0].upper()}{number + 1}", DAY[side], "end", bold=True)
            yield _bar(28, y, unit * size, share, side, 14)
            row += 1


def _resolution(t: Contingency, number: int, size: int) -> float:
    """The share of an entity's links that the other side has; a singleton links to itself."""
    parts = [(n, t.response_sizes[j]) for (i, j), n in t.pairs.items() if i == number]
    if size == 1:
        return float(any(other == 1 for _, other in parts))
    return sum(comb(n, 2) for n, _ in parts) / comb(size, 2)


PANELS: dict[str, tuple[str, str, Callable[[Sides], Iterator[str]]]] = {
    "muc": ("MUC", "links", _links),
    "b3": ("B³", "credits of mentions", _credits),
    "ceafe": ("CEAFₑ", "aligned entities", _alignment),
    "blanc": ("BLANC", "all pairs", _pairs),
    "lea": ("LEA", "size × links found", _importance),
}
"""By measure its name, what it counts, and what draws that."""
