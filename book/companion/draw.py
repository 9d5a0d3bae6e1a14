"""Pictures of keys and responses, of the graphs their links form, and of what measures add up.

Keys and responses are drawn as sets, the way the MUC paper draws them: the entities of the key
are thick bands from left to right, those of the response thin bands from top to bottom, and a
mention sits where its two entities cross. So every outline holds its own mentions and no others,
and the sides differ in weight, direction, label and colour.

A `Drawing` shows itself as a picture in a notebook. Its SVG is written here, without
Matplotlib: the same input gives the same bytes everywhere. It is transparent and reads on a
white and on a dark page alike: each colour keeps 4.5 : 1 to the white text on it and 3 : 1 to both
pages (no colour can keep 4.5 : 1 to both, which is why all text stands on a shape of its own).
`setup` gives charts made with Matplotlib the same looks and the same determinism.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from itertools import combinations, groupby, permutations
from typing import Any, Self

from companion.picture import Picture
from corefeval.errors import CorefError
from corefeval.partition import Link, Mention, Partition, as_partition, parse_links
from corefeval.score import Tally

_GREY = "#6d737c"
COLOURS = {
    "key": "#1f72b4",
    "response": "#c4501b",
    "missing": "#a04fb0",
    "mention": _GREY,
    "caption": _GREY,
    "possible": _GREY,
    "chosen": "#287f3c",
}
FONTS = ["Helvetica Neue", "Helvetica", "Arial", "Liberation Sans", "DejaVu Sans", "sans-serif"]
WEIGHT = {"key": 3.6, "response": 2.0, "missing": 2.4, "possible": 1.0, "chosen": 4.0}
OTHER = {"key": "response", "response": "key"}

# Lengths are in CSS pixels.
RADIUS, TAG = 15.0, 10.0  # half the height of a mention, of a label
_SIZE = {RADIUS: 16.5, TAG: 13.5}  # of their texts
APART, TWINLESS_APART = 8.0, 22.0  # between mentions that share both entities; that share one
SHORT, LONG = 9.0, 22.0  # from a mention to its outline: beside the band, at its ends
NESTED, AROUND_NESTED = 7.0, 16.0  # the same for a subset, and for the band that holds subsets
GAP = 42.0  # between neighbouring bands: LONG + SHORT, or 2 AROUND_NESTED, and air
STACKED = 4.0  # between a mention, its credit and its weight; between the two texts of a cell
PER_LINE = 6  # mentions with their credits in a line, at most
CELL, CELLS_APART = 6.0, 6.0  # from a text to the edge of its cell; between cells
WIDEST = 620.0

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Shape:
    """Something in a box, in the colour of its role."""

    box: Box
    role: str

    def moved(self, dx: float, dy: float) -> Self:
        x0, y0, x1, y1 = self.box
        return replace(self, box=(x0 + dx, y0 + dy, x1 + dx, y1 + dy))

    def svg(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Pill(Shape):
    """A text on a filled disc or pill: a mention, the label of an entity, or a caption."""

    text: str

    @classmethod
    def at(cls, x: float, y: float, text: object, role: str) -> Pill:
        high = RADIUS if role == "mention" else TAG
        wide = max(high, 0.28 * _SIZE[high] * len(str(text)) + 5.7)
        return cls((x - wide, y - high, x + wide, y + high), role, str(text))

    def svg(self) -> str:
        x0, y0, x1, y1 = self.box
        high = RADIUS if self.role == "mention" else TAG
        bold = "" if self.role == "mention" else ' font-weight="bold"'
        return (
            f'<rect {_rect(self.box, high)} fill="{COLOURS[self.role]}"/>'
            f'<text x="{_px((x0 + x1) / 2)}" y="{_px((y0 + y1) / 2 + 0.36 * _SIZE[high])}"'
            f' font-size="{_SIZE[high]}"{bold}>{escape(self.text)}</text>'
        )


@dataclass(frozen=True)
class Outline(Shape):
    """A closed curve around mentions."""

    mentions: frozenset[Mention]
    radius: float

    def svg(self) -> str:
        colour = COLOURS[self.role]
        return (
            f'<rect {_rect(self.box, self.radius)} fill="{colour}" fill-opacity=".1"'
            f' stroke="{colour}" stroke-width="{WEIGHT[self.role]}"/>'
        )


@dataclass(frozen=True)
class Line(Shape):
    """A link from one corner of the box to the opposite one."""

    def svg(self) -> str:
        x0, y0, x1, y1 = map(_px, self.box)
        style = {"missing": ' stroke-dasharray="7 5"', "possible": ' stroke-opacity=".7"'}
        return (
            f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{COLOURS[self.role]}"'
            f' stroke-width="{WEIGHT[self.role]}"{style.get(self.role, "")}/>'
        )


@dataclass(frozen=True)
class Frame(Shape):
    """The edge of a cell: a heavy one if the cell is chosen, a hairline if not."""

    def svg(self) -> str:
        faint = "" if self.role == "chosen" else ' stroke-opacity=".7"'
        return (
            f'<rect {_rect(self.box, CELL)} fill="none" stroke="{COLOURS[self.role]}"'
            f' stroke-width="{WEIGHT[self.role]}"{faint}/>'
        )


class Drawing(Picture):
    """A picture made of shapes, given from the lowest to the topmost."""

    def __init__(self, shapes: tuple[Shape, ...], description: str, caption: str = "") -> None:
        self.shapes = shapes
        self.description = description
        self.caption = caption

    @property
    def box(self) -> Box:
        """Left, top, right and bottom, with room for the strokes."""
        x0, y0, x1, y1 = _around(shape.box for shape in self.shapes)
        return x0 - 3, y0 - 3, x1 + 3, y1 + 3

    @property
    def svg(self) -> str:  # type: ignore[override]
        x0, y0, x1, y1 = self.box
        width, height = _px(math.ceil(x1 - x0)), _px(math.ceil(y1 - y0))
        fonts = ", ".join(f"'{font}'" if " " in font else font for font in FONTS)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
                f' viewBox="0 0 {width} {height}" role="img" fill="#ffffff" text-anchor="middle"'
                f' font-family="{fonts}">',
                f"<title>{escape(self.description)}</title>",
                *(shape.moved(-x0, -y0).svg() for shape in self.shapes),
                "</svg>\n",
            ]
        )

    def captioned(self, caption: str) -> Drawing:
        """The drawing with this caption."""
        return Drawing(self.shapes, self.description, caption)


def overlap(
    key: Any,
    response: Any = None,
    *,
    show: str = "both",
    names: Sequence[str] = (),
    response_names: Sequence[str] = (),
) -> Drawing:
    """A key and a response as sets that cross, or a key alone.

    ``show="key"`` and ``show="response"`` leave the other side out and every mention in its
    place. ``names`` and ``response_names`` label the entities in the order given, instead of K1,
    K2 … and R1, R2 …

    Raises `CorefError` for another ``show``, too few or too many names, and no mention at all.

    >>> overlap("{A B C} {D E F G}", "{A B} {C D} {F G H}")
    Key: K1 {A B C}, K2 {D E F G}. Response: R1 {A B}, R2 {C D}, R3 {F G H}. \
Only in the key: E. Only in the response: H.
    >>> [type(shape).__name__ for shape in overlap("{A}").shapes]
    ['Outline', 'Pill', 'Pill']
    """
    picture = _Picture(key, response, names, response_names)
    if show not in ("both", "key", "response"):
        raise CorefError(f"show={show!r}: expected 'both', 'key' or 'response'")
    sides = [side for side in picture.sides if show in ("both", side)]
    if response is None:
        sides = sides[:1]
    outlines = [outline for side in sides for outline in picture.outlines(side, LONG, SHORT)]
    described = [f"{side.capitalize()}: {picture.listed(side)}." for side in sides]
    if len(sides) == 2:
        for side in sides:
            twinless = _only(picture.sides[side], picture.sides[OTHER[side]])
            if twinless:
                described.append(f"Only in the {side}: {', '.join(map(str, twinless))}.")
    return Drawing((*outlines, *picture.pills(sides)), " ".join(described))


def relative_partition(
    key: Any,
    response: Any,
    side: str = "key",
    *,
    names: Sequence[str] = (),
    response_names: Sequence[str] = (),
) -> Drawing:
    """The subsets p(S) that the other side makes of each entity S of ``side``.

    A mention that the other side does not have is a subset of its own. Mentions are where
    `overlap` puts them.

    Raises `CorefError` as `overlap` does.

    >>> relative_partition("{A B C D}", "{A B}")
    The entities of the key as the response parts them: K1 into {A B} {C} {D}.
    """
    picture = _Picture(key, response, names, response_names)
    if side not in OTHER:
        raise CorefError(f"side={side!r}: expected 'key' or 'response'")
    outlines = list(picture.outlines(side, LONG, AROUND_NESTED))
    described = []
    other = picture.sides[OTHER[side]].entity_of
    for name, entity in zip(picture.names[side], picture.sides[side], strict=True):
        subsets = Partition.from_labels({m: (m in other, other.get(m, m)) for m in entity})
        outlines += [picture.subset(OTHER[side], subset) for subset in subsets]
        described.append(f"{name} into {subsets}")
    return Drawing(
        (*outlines, *picture.pills([side])),
        f"The entities of the {side} as the {OTHER[side]} parts them: {', '.join(described)}.",
    )


def links(
    mentions: Iterable[Mention],
    links: str | Iterable[Link] = (),
    missing: str | Iterable[Link] = (),
    *,
    side: str = "key",
) -> Drawing:
    """Mentions on a circle with all possible links faint, some drawn, and some dashed as missing.

    ``links`` and ``missing`` are pairs, or a text like ``"A-B B-C"``; ``side`` says whose links
    they are, and with it their weight.

    Raises `CorefError` for a link to a mention that is not among ``mentions``, and for none.

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
        raise CorefError("nothing to draw: there is no mention")
    spots = dict(zip(nodes, _circle(len(nodes)), strict=True))
    drawn = {side: _pairs(links, nodes), "missing": _pairs(missing, nodes)}
    taken = {frozenset(pair) for pairs in drawn.values() for pair in pairs}
    possible = [pair for pair in combinations(nodes, 2) if frozenset(pair) not in taken]
    lines = [
        Line((*spots[a], *spots[b]), role)
        for role, pairs in {"possible": possible, **drawn}.items()
        for a, b in pairs
    ]
    described = [f"The mentions {', '.join(map(str, nodes))}"]
    for role, words in ((side, f"linked in the {side}"), ("missing", "missing")):
        if drawn[role]:
            described.append(f"{words}: " + ", ".join(f"{a}–{b}" for a, b in drawn[role]))
    pills = [Pill.at(*spots[node], node, "mention") for node in nodes]
    return Drawing((*lines, *pills), "; ".join(described) + ".")


def credits(
    entities: Any,
    credit: Callable[[Mention], Tally | Fraction],
    weight: Callable[[Mention], Fraction] | None = None,
    *,
    side: str = "key",
    names: Sequence[str] = (),
) -> Drawing:
    """Each mention over its credit and its weight, by entity, with the sums of their products.

    ``credit`` and ``weight`` are called with each mention. A `Tally` is written as it is, not
    reduced. Without ``weight`` all N mentions are alike and have 1/N. ``side`` says whose entities
    they are, ``names`` label them instead of K1, K2 … or R1, R2 …

    Raises `CorefError` for another ``side``, too few or too many names, and no mention.

    >>> credits("{a b} {c}", lambda mention: Tally(1, 2) if mention in "ab" else Tally(0, 1))
    K1: a, b each 1/2 × 1/3, together 1/3. K2: c 0/1 × 1/3, together 0. Sum: 1/3.
    """
    partition = as_partition(entities)
    if side not in OTHER:
        raise CorefError(f"side={side!r}: expected 'key' or 'response'")
    if not partition:
        raise CorefError("nothing to draw: there is no mention")
    alike = Fraction(1, len(partition.mentions))
    terms = {
        m: _Term(credit(m), alike if weight is None else weight(m)) for m in partition.entity_of
    }
    stacks = {m: _stack((m, "mention"), *term.pills(side)) for m, term in terms.items()}
    x0, y0, x1, y1 = _around(pill.box for stack in stacks.values() for pill in stack)
    dx, dy = x1 - x0 + APART, y1 - y0 + APART
    longest = max(_per_line(size) for size in partition.sizes)
    sums = longest * dx + x0 + 2 * SHORT  # where they start
    shapes: list[Shape] = []
    described = []
    top = 0.0
    for label, entity in zip(_labels(side, len(partition), names), partition, strict=True):
        per_line = _per_line(len(entity))
        spots = [(n % per_line * dx, top - y0 + n // per_line * dy) for n in range(len(entity))]
        bottom = spots[-1][1] + y1
        outer = (x0 - SHORT, top - SHORT, (per_line - 1) * dx + x1 + SHORT, bottom + SHORT)
        together = sum((terms[m].product for m in entity), Fraction(0))
        middle = (top + bottom) / 2
        shapes += [
            Outline(outer, side, frozenset(entity), RADIUS + SHORT),
            Pill.at(outer[0] + 2 - _tag_width(label) / 2, middle, label, side),
            _starting(sums, middle, f"= {together}", side),
        ]
        for mention, spot in zip(entity, spots, strict=True):
            shapes += [pill.moved(*spot) for pill in stacks[mention]]
        top = bottom + 3 * SHORT
        described.append(f"{label}: {_runs(entity, terms)}, together {together}.")
    total = sum((term.product for term in terms.values()), Fraction(0))
    shapes.append(_starting(sums, top, f"Σ = {total}", side))
    return Drawing(tuple(shapes), f"{' '.join(described)} Sum: {total}.")


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


def row(drawings: Iterable[Drawing], captions: Sequence[str] = (), *, columns: int = 4) -> Drawing:
    """Drawings side by side, ``columns`` to a line, each over its caption.

    Raises `CorefError` for no drawing, and for captions that are not one each.

    >>> row([links("AB", "A-B"), links("AB")], ["key", "response"]).description
    'key: The mentions A, B; linked in the key: A–B. response: The mentions A, B.'
    """
    given = list(drawings)
    if not given:
        raise CorefError("nothing to draw: there is no drawing")
    if captions and len(captions) != len(given):
        raise CorefError(f"{len(captions)} captions for {len(given)} drawings: expected one each")
    width = max(drawing.box[2] - drawing.box[0] for drawing in given) + 2 * TAG
    shapes: list[Shape] = []
    top = 0.0
    for start in range(0, len(given), columns):
        line = given[start : start + columns]
        height = max(drawing.box[3] - drawing.box[1] for drawing in line)
        for column, drawing in enumerate(line):
            x0, y0, x1, y1 = drawing.box
            middle = column * width
            dy = top + (height - y0 - y1) / 2
            shapes += [shape.moved(middle - (x0 + x1) / 2, dy) for shape in drawing.shapes]
            if captions:
                caption = captions[start + column]
                shapes.append(Pill.at(middle, top + height + 2 * TAG, caption, "caption"))
        top += height + (5 * TAG if captions else 2 * TAG)
    named = [f"{caption}: " for caption in captions] or [""] * len(given)
    return Drawing(
        tuple(shapes), " ".join(n + d.description for n, d in zip(named, given, strict=True))
    )


def setup() -> None:
    """Give Matplotlib's charts the looks of the drawings, and the same bytes in every run.

    To be called before the first chart of a notebook, which `chart` then shows; the drawings of
    this module need it not.
    """
    import matplotlib
    from cycler import cycler

    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ModuleNotFoundError:
        shell = None
    else:
        shell = get_ipython()
    if shell is not None:
        shell.run_line_magic("matplotlib", "inline")
        set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None, "Creator": None})
    ink = COLOURS["mention"]
    cycle = cycler(
        color=[COLOURS[name] for name in ("key", "response", "missing", "mention")],
        linestyle=["-", "--", "-.", ":"],
    )
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "corefeval",
            "svg.fonttype": "none",
            "savefig.bbox": "standard",
            "savefig.transparent": True,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "figure.figsize": (5.6, 3.4),
            "figure.constrained_layout.use": True,
            "font.family": FONTS[-1],
            "font.sans-serif": [
                *FONTS[-2:0:-1],
                FONTS[0],
            ],  # metrics from the font every machine has
            "font.size": 11,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycle,
            "lines.linewidth": 2,
            "legend.frameon": False,
            **dict.fromkeys(
                ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"),
                ink,
            ),
        }
    )


class _Picture:
    """A key and a response laid out, and the shapes that show them."""

    def __init__(
        self, key: Any, response: Any, names: Sequence[str], response_names: Sequence[str]
    ) -> None:
        first = as_partition(key)
        second = first if response is None else as_partition(response)
        self.sides = {"key": first, "response": second}
        if not any(self.sides.values()):
            raise CorefError("nothing to draw: neither the key nor the response has a mention")
        self.names: dict[str, list[str]] = {}
        for side, given in (("key", names), ("response", response_names)):
            self.names[side] = _labels(side, len(self.sides[side]), given)
        room = {side: max(map(_tag_width, self.names[side]), default=0.0) for side in OTHER}
        self.spots, self.bands = _layout(self.sides, room)

    def outlines(self, side: str, along: float, across: float) -> Iterator[Outline]:
        dx, dy = (along, across) if side == "key" else (across, along)
        for number, entity in enumerate(self.sides[side]):
            x0, y0, x1, y1 = self.bands[side, number]
            box = (x0 - dx, y0 - dy, x1 + dx, y1 + dy)
            yield Outline(box, side, frozenset(entity), RADIUS + across)

    def subset(self, side: str, mentions: Sequence[Mention]) -> Outline:
        x0, y0, x1, y1 = _around(Pill.at(*self.spots[m], m, "mention").box for m in mentions)
        box = (x0 - NESTED, y0 - NESTED, x1 + NESTED, y1 + NESTED)
        return Outline(box, side, frozenset(mentions), RADIUS + NESTED)

    def pills(self, sides: Sequence[str]) -> Iterator[Pill]:
        """The mentions, and the labels at the left end or on top of their bands."""
        for m in dict.fromkeys(m for side in sides for entity in self.sides[side] for m in entity):
            yield Pill.at(*self.spots[m], m, "mention")
        for side in sides:
            for name, outline in zip(self.names[side], self.outlines(side, LONG, 0), strict=True):
                x0, y0, x1, y1 = outline.box
                if side == "key":
                    yield Pill.at(x0 + 2 - _tag_width(name) / 2, (y0 + y1) / 2, name, side)
                else:
                    yield Pill.at((x0 + x1) / 2, y0 + 2 - TAG, name, side)

    def listed(self, side: str) -> str:
        entities = zip(self.names[side], self.sides[side], strict=True)
        return ", ".join(f"{name} {Partition([entity])}" for name, entity in entities) or "nothing"


Cells = dict[tuple[int | None, int | None], list[Mention]]
Order = list[int | None]
Bands = dict[tuple[str, int], Box]


def _layout(
    sides: dict[str, Partition], room: dict[str, float]
) -> tuple[dict[Mention, Point], Bands]:
    """Where each mention and each entity goes.

    The overlap table falls into connected parts; each is drawn as a table whose rows are
    entities of the key and whose columns are entities of the response, side by side.
    """
    spots: dict[Mention, Point] = {}
    bands: Bands = {}
    left = top = bottom = 0.0
    for cells in _components(sides["key"], sides["response"]):
        table, outer = _table(cells, _arranged(cells, 0), _arranged(cells, 1), room)
        _, _, width, height = _around(outer.values())
        if left and left + width > WIDEST:
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
    for m in _only(response, key):
        cells.setdefault((None, response.entity_of[m]), []).append(m)
    ends = [[end for end in zip("KR", cell, strict=True) if end[1] is not None] for cell in cells]
    part = Partition(ends, repeated="merge")
    found: list[Cells] = [{} for _ in part]
    for (cell, mentions), (end, *_) in zip(cells.items(), ends, strict=True):
        found[part.entity_of[end]][cell] = mentions
    return found


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
        end, found = -GAP, {}
        for number, n in enumerate(order):
            start = end + GAP + (label if number and number in labelled else 0.0)
            sizes = [size[1 - axis] for cell, (_, size) in blocks.items() if cell[axis] == n]
            end = start + max(least, *sizes)
            found[n] = (start, end)
        slots.append(found)
    spots: dict[Mention, Point] = {}
    held: dict[tuple[str, int], list[Box]] = {}
    for (i, j), (block, _) in blocks.items():
        (x0, x1), (y0, y1) = slots[0][j], slots[1][i]
        for m, (x, y) in block.items():
            spots[m] = ((x0 + x1) / 2 + x, (y0 + y1) / 2 + y)
        for side, n in (("key", i), ("response", j)):
            if n is not None:
                held.setdefault((side, n), []).append((x0, y0, x1, y1))
    return spots, {band: _around(boxes) for band, boxes in held.items()}


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


def _around(boxes: Iterable[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0 + x1), min(y0 + y1), max(x0 + x1), max(y0 + y1)


def _circle(count: int) -> list[Point]:
    """Points on a circle, clockwise; an even number of them stands on a side."""
    radius = 0.0 if count == 1 else max(52.0, 2.2 * RADIUS / math.sin(math.pi / count))
    start = -math.pi / 2 - (math.pi / count if count % 2 == 0 else 0)
    angles = [start + 2 * math.pi * n / count for n in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _pairs(links: str | Iterable[Link], nodes: Sequence[Mention]) -> list[Link]:
    pairs = parse_links(links) if isinstance(links, str) else list(links)
    for a, b in pairs:
        for end in (a, b):
            if end not in nodes:
                known = ", ".join(map(repr, nodes))
                raise CorefError(
                    f"the link {a!r}-{b!r} has the mention {end!r}, which is not among {known}"
                )
    return pairs


def _only(side: Partition, other: Partition) -> list[Mention]:
    return [m for entity in side for m in entity if m not in other.entity_of]


def _labels(side: str, count: int, given: Sequence[str]) -> list[str]:
    names = list(given or (f"{side[0].upper()}{n + 1}" for n in range(count)))
    if len(names) != count:
        raise CorefError(f"{len(given)} names for the {count} entities of the {side}")
    return names


@dataclass(frozen=True)
class _Term:
    """What a mention adds to a score."""

    credit: Tally | Fraction
    weight: Fraction

    @property
    def product(self) -> Fraction:
        credit = self.credit
        return self.weight * (credit.ratio(Fraction(0)) if isinstance(credit, Tally) else credit)

    def pills(self, side: str) -> list[tuple[str, str]]:
        return [(str(self.credit), side), (f"× {self.weight}", "caption")]


def _per_line(count: int) -> int:
    """Of so many mentions, in lines that are as equal as can be."""
    return math.ceil(count / math.ceil(count / PER_LINE))


def _stack(*pills: tuple[object, str]) -> list[Pill]:
    """Pills below each other, the middle of the first at (0, 0)."""
    found: list[Pill] = []
    for text, role in pills:
        pill = Pill.at(0, 0, text, role)
        found.append(pill.moved(0, found[-1].box[3] + STACKED - pill.box[1] if found else 0))
    return found


def _starting(x: float, y: float, text: str, role: str) -> Pill:
    pill = Pill.at(0, y, text, role)
    return pill.moved(x - pill.box[0], 0)


def _runs(entity: Sequence[Mention], terms: Mapping[Mention, _Term]) -> str:
    """The mentions with their terms, neighbours with equal terms taken together."""
    runs = [(list(run), term) for term, run in groupby(entity, key=lambda m: terms[m])]
    return "; ".join(
        f"{', '.join(map(str, run))}{' each' if len(run) > 1 else ''} {term.credit} × {term.weight}"
        for run, term in runs
    )


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


def _tag_width(name: str) -> float:
    return 2 * Pill.at(0, 0, name, "key").box[2]


def _rect(box: Box, radius: float) -> str:
    x0, y0, x1, y1 = box
    size = f'width="{_px(x1 - x0)}" height="{_px(y1 - y0)}"'
    return f'x="{_px(x0)}" y="{_px(y0)}" {size} rx="{_px(radius)}"'


def _px(length: float) -> str:
    return f"{round(length, 1) + 0:.1f}".removesuffix(".0")
