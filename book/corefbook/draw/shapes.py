"""Shapes, and the drawings that they make.

A `Drawing` shows itself as a picture in a notebook. Its SVG is written here, without Matplotlib:
the same input gives the same bytes everywhere. It is transparent and reads on a white and on a
dark page alike: each colour keeps 4.5 : 1 to the white text on it and 3 : 1 to both pages (no
colour can keep 4.5 : 1 to both, which is why all text stands on a shape of its own).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Self

from corefbook.colours import DAY
from corefbook.picture import Drawn, Picture
from corefeval.errors import CorefError
from corefeval.overlap.partition import Mention

COLOURS = {
    "key": DAY["key"],
    "response": DAY["response"],
    "missing": DAY["loss"],
    "chosen": DAY["agreement"],
    "mention": DAY["neutral"],
    "caption": DAY["neutral"],
    "possible": DAY["neutral"],
}
FONTS = ["Helvetica Neue", "Helvetica", "Arial", "Liberation Sans", "DejaVu Sans", "sans-serif"]
WEIGHT = {"key": 3.6, "response": 2.0, "missing": 2.4, "possible": 1.0, "chosen": 4.0}
OTHER = {"key": "response", "response": "key"}
# Lengths are in CSS pixels.
RADIUS, TAG = 15.0, 10.0  # half the height of a mention, of a label
SIZE = {RADIUS: 16.5, TAG: 13.5}  # of their texts
MARGIN = 5.7  # from the end of a text to that of its disc or pill
LONG_TEXT = 16  # letters; of more, the width is too uncertain to be guessed
PHONE = 420.0  # a line of drawings that is wider has letters on a phone that are too small
ALONE = 500.0  # a drawing that is wider has there letters that are too small
READ = 10.0  # pixels of letters that are read
STACKED = 4.0  # between a mention, its credit and its weight
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
        letter = 0.28 if role == "mention" else 0.31  # labels are bold
        wide = max(high, letter * SIZE[high] * len(str(text)) + MARGIN)
        return cls((x - wide, y - high, x + wide, y + high), role, str(text))

    def svg(self) -> str:
        x0, y0, x1, y1 = self.box
        high = RADIUS if self.role == "mention" else TAG
        bold = "" if self.role == "mention" else ' font-weight="bold"'
        fitted = ""
        if len(self.text) > LONG_TEXT:
            wide = px(x1 - x0 - 2 * MARGIN)
            fitted = f' textLength="{wide}" lengthAdjust="spacingAndGlyphs"'
        return (
            f'<rect {rect(self.box, high)} fill="{COLOURS[self.role]}"/>'
            f'<text x="{px((x0 + x1) / 2)}" y="{px((y0 + y1) / 2 + 0.36 * SIZE[high])}"'
            f' font-size="{SIZE[high]}"{bold}{fitted}>{escape(self.text)}</text>'
        )


@dataclass(frozen=True)
class Outline(Shape):
    """A closed curve around mentions."""

    mentions: frozenset[Mention]
    radius: float

    def svg(self) -> str:
        colour = COLOURS[self.role]
        return (
            f'<rect {rect(self.box, self.radius)} fill="{colour}" fill-opacity=".1"'
            f' stroke="{colour}" stroke-width="{WEIGHT[self.role]}"/>'
        )


@dataclass(frozen=True)
class Line(Shape):
    """A link from one corner of the box to the opposite one."""

    def svg(self) -> str:
        x0, y0, x1, y1 = map(px, self.box)
        return f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" {stroke(self.role)}/>'


@dataclass(frozen=True)
class Loop(Shape):
    """A link of a mention to itself: an ellipse that fills the box."""

    def svg(self) -> str:
        x0, y0, x1, y1 = self.box
        at = f'cx="{px((x0 + x1) / 2)}" cy="{px((y0 + y1) / 2)}"'
        size = f'rx="{px((x1 - x0) / 2)}" ry="{px((y1 - y0) / 2)}"'
        return f'<ellipse {at} {size} fill="none" {stroke(self.role)}/>'


class Drawing(Picture):
    """A picture made of shapes, given from the lowest to the topmost."""

    def __init__(
        self, shapes: tuple[Shape, ...], description: str, examples: tuple[Drawn, ...] = ()
    ) -> None:
        self.shapes = shapes
        self.description = description
        self.caption = ""
        self.examples = examples

    @property
    def box(self) -> Box:
        """Left, top, right and bottom, with room for the strokes."""
        return _with_strokes(self.shapes)

    @property
    def width(self) -> float:
        """How wide it is, with room for the strokes."""
        x0, _, x1, _ = self.box
        return x1 - x0

    @property
    def least(self) -> int:  # type: ignore[override]
        """The width at which the letters of its labels can be read, where a phone has less."""
        return math.ceil(self.width * READ / SIZE[TAG]) if self.width > ALONE else 0

    @property
    def svg(self) -> str:  # type: ignore[override]
        return svg_of(self.shapes, self.description)


def _with_strokes(shapes: Iterable[Shape]) -> Box:
    x0, y0, x1, y1 = around(shape.box for shape in shapes)
    return x0 - 3, y0 - 3, x1 + 3, y1 + 3


def svg_of(shapes: Sequence[Shape], description: str, least: float = 0) -> str:
    """The SVG of shapes; one that is narrower than ``least`` has as much room on both sides."""
    x0, y0, x1, y1 = _with_strokes(shapes)
    wide = max(math.ceil(x1 - x0), least)
    x0 -= (wide - math.ceil(x1 - x0)) / 2
    width, height = px(wide), px(math.ceil(y1 - y0))
    fonts = ", ".join(f"'{font}'" if " " in font else font for font in FONTS)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img" fill="{DAY["paper"]}"'
            f' text-anchor="middle"'
            f' font-family="{fonts}">',
            f"<title>{escape(description)}</title>",
            *(shape.moved(-x0, -y0).svg() for shape in shapes),
            "</svg>\n",
        ]
    )


def nothing(why: str) -> Drawing:
    """A drawing that says why there is nothing to see: a side that a reader emptied has no mention.

    >>> nothing("a side has no entity")
    Nothing to draw: a side has no entity.
    """
    said = f"Nothing to draw: {why}."
    return Drawing((Pill.at(0, 0, said, "caption"),), said)


def row(drawings: Iterable[Drawing], captions: Sequence[str] = (), *, columns: int = 4) -> Drawing:
    """Drawings side by side, ``columns`` to a line, each over its caption.

    On a phone a line has as many as are read there. Raises `CorefError` for captions that are not
    one each.

    >>> from corefbook.draw import links
    >>> row([links("AB", "A-B"), links("AB")], ["key", "response"]).description
    'key: The mentions A, B; linked in the key: A–B. response: The mentions A, B.'
    """
    given = list(drawings)
    if not given:
        return nothing("there is no drawing")
    if captions and len(captions) != len(given):
        raise CorefError(f"{len(captions)} captions for {len(given)} drawings: expected one each")
    labels = list(captions) or [""] * len(given)
    described = [
        f"{label}: {drawing.description}" if label else drawing.description
        for label, drawing in zip(labels, given, strict=True)
    ]
    examples = [
        example._replace(label=label)
        for label, drawing in zip(labels, given, strict=True)
        for example in drawing.examples
    ]
    shapes = tuple(_in_lines(given, captions, columns))
    whole = Drawing(shapes, " ".join(described), tuple(examples))
    fitting = max(1, int(PHONE / _column_width(given)))
    if fitting < min(columns, len(given)):
        stacked = tuple(_in_lines(given, captions, fitting))
        whole.narrow = svg_of(stacked, whole.description, least=PHONE)
    return whole


def _column_width(drawings: Sequence[Drawing]) -> float:
    return max(drawing.width for drawing in drawings) + 2 * TAG


def _in_lines(
    drawings: Sequence[Drawing], captions: Sequence[str], columns: int
) -> Iterator[Shape]:
    """The shapes of all drawings, moved to their places, and their captions."""
    width = _column_width(drawings)
    top = 0.0
    for start in range(0, len(drawings), columns):
        line = drawings[start : start + columns]
        height = max(drawing.box[3] - drawing.box[1] for drawing in line)
        for column, drawing in enumerate(line):
            x0, y0, x1, y1 = drawing.box
            middle = column * width
            dy = top + (height - y0 - y1) / 2
            for shape in drawing.shapes:
                yield shape.moved(middle - (x0 + x1) / 2, dy)
            if captions:
                caption = captions[start + column]
                yield Pill.at(middle, top + height + 2 * TAG, caption, "caption")
        top += height + (5 * TAG if captions else 2 * TAG)


def around(boxes: Iterable[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0 + x1), min(y0 + y1), max(x0 + x1), max(y0 + y1)


def labels(side: str, count: int) -> list[str]:
    return [f"{side[0].upper()}{n + 1}" for n in range(count)]


def tag_width(name: str) -> float:
    return 2 * Pill.at(0, 0, name, "key").box[2]


def stroke(role: str) -> str:
    """How a link of that role is drawn."""
    style = {"missing": ' stroke-dasharray="7 5"', "possible": ' stroke-opacity=".7"'}
    return f'stroke="{COLOURS[role]}" stroke-width="{WEIGHT[role]}"{style.get(role, "")}'


def rect(box: Box, radius: float) -> str:
    x0, y0, x1, y1 = box
    size = f'width="{px(x1 - x0)}" height="{px(y1 - y0)}"'
    return f'x="{px(x0)}" y="{px(y0)}" {size} rx="{px(radius)}"'


def px(length: float) -> str:
    return f"{round(length, 1) + 0:.1f}".removesuffix(".0")
