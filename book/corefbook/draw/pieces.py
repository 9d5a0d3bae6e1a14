"""What charts are made of: axes, marks, texts and rows, in two widths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import NamedTuple

from corefbook import colours
from corefbook.colours import DAY, of_series
from corefbook.draw.shapes import FONTS
from corefbook.picture import Picture
from corefeval.errors import CorefError

WIDE, NARROW = 760.0, 360.0
"""The widths of a chart in CSS pixels: of a page's column, and of a phone."""
LETTER = 7.8
"""About as wide is a letter of the texts, which are 13.5 pixels high."""
INSET, RIGHT = 16.0, 8.0
"""How far values keep from a chart's frame, and the frame from the picture's right edge."""
ROW, LANE = 30.0, 15.0
"""The height of a row with one lane of marks, and of each further lane."""
MARKS = (
    "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z",
    "M-5.3 -5.3h10.6v10.6h-10.6z",
    "M0 -7L6.7 5h-13.4z",
    "M0 -7.4L7.4 0L0 7.4L-7.4 0z",
    "M0 7L6.7 -5h-13.4z",
    "M-2.2 -6.6h4.4v4.4h4.4v4.4h-4.4v4.4h-4.4v-4.4h-4.4v-4.4h4.4z",
    "M-3.1 -6.2L0 -3.1L3.1 -6.2L6.2 -3.1L3.1 0L6.2 3.1L3.1 6.2L0 3.1L-3.1 6.2L-6.2 3.1L-3.1 0"
    "L-6.2 -3.1z",
)
SHAPES = ["disc", "square", "triangle", "diamond", "wedge", "plus", "cross"]
"""The marks of series as paths, which differ in shape: a disc, a square, a triangle, a diamond …"""
CLEAR = 14.0
"""From the middle of a mark to that of one that does not touch it."""
NEUTRAL = DAY["neutral"]
Point = tuple[float, float]
Painted = tuple[list[str], float]
"""What a chart consists of, and how high it is."""


class Axis(NamedTuple):
    """What an axis measures, its ends, and where it has ticks with which words.

    >>> Axis.of("F1", [0, 1]).ticks
    {0: '0', 1: '1'}
    """

    name: str
    low: float
    high: float
    ticks: Mapping[float, str]
    log: bool = False

    @classmethod
    def of(
        cls, name: str, ticks: Sequence[float], *, log: bool = False, words: Sequence[str] = ()
    ) -> Axis:
        """An axis from its first tick to its last; ``words`` stand for the ticks' numbers."""
        given = words or [f"{tick:g}".replace("-", "−") for tick in ticks]
        return cls(name, ticks[0], ticks[-1], dict(zip(ticks, given, strict=True)), log)

    def share(self, value: float) -> float:
        """How far along the axis a value stands: 0 at its low end, 1 at its high one.

        >>> Axis.of("cost", [1, 100], log=True).share(10)
        0.5
        """
        if self.log:
            low, high, at = math.log(self.low), math.log(self.high), math.log(value)
        else:
            low, high, at = self.low, self.high, value
        share = (at - low) / (high - low)
        if not -1e-9 <= share <= 1 + 1e-9:
            raise CorefError(f"{value} is outside of the axis {self.name!r}: widen its ticks")
        return share


class Frame(NamedTuple):
    """The rectangle of a chart in which values stand, and its two axes.

    Values keep a distance from its edges, so that no mark lies on the names of ticks.
    """

    left: float
    top: float
    right: float
    bottom: float
    x: Axis
    y: Axis = Axis("", 0, 1, {})

    def across(self, value: float) -> float:
        """How far to the right a value stands."""
        left, right = self.left + INSET, self.right - INSET
        return left + self.x.share(value) * (right - left)

    def down(self, value: float) -> float:
        """How far down a value stands."""
        top, bottom = self.top + INSET, self.bottom - INSET
        return bottom - self.y.share(value) * (bottom - top)

    def below(self) -> Iterator[str]:
        """The ticks of the axis below the chart, and its name."""
        for tick, word in self.x.ticks.items():
            yield text_at(self.across(tick), self.bottom + 18, word)
        yield text_at((self.left + self.right) / 2, self.bottom + 38, self.x.name)

    def upright(self) -> Iterator[str]:
        """A line at each tick of the axis below the chart."""
        for tick in self.x.ticks:
            yield rule_at(self.across(tick), self.top, self.across(tick), self.bottom)

    def level(self) -> Iterator[str]:
        """A line at each tick of the axis to the left with its word, and the axis' name on top."""
        for tick, word in self.y.ticks.items():
            at = self.down(tick)
            yield rule_at(self.left, at, self.right, at)
            yield text_at(self.left - 6, at + 4.5, word, anchor="end")
        yield text_at(4, 16, self.y.name, anchor="start")


HALO = f'stroke="{DAY["paper"]}" stroke-width="2.4" paint-order="stroke"'
"""A rim in the colour of the page, which keeps a mark apart from what it lies on."""
GROUND = f" {HALO.replace('2.4', '6')}"
"""A wider one, for a text that a line would run through."""


def text_at(
    x: float,
    y: float,
    text: str,
    ink: str = NEUTRAL,
    anchor: str = "middle",
    *,
    bold: bool = False,
    look: str = "",
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    weight = ' font-weight="bold"' if bold else ""
    return f'<text {place} fill="{ink}"{weight}{look}>{escape(text)}</text>'


def mark_at(x: float, y: float, number: int, name: str, size: float = 1) -> str:
    """The mark of a series: its own, as a measure has one, or the one of its number."""
    shape = colours.MARKS.get(colours.called(name))
    mark = MARKS[SHAPES.index(shape) if shape else number % len(MARKS)]
    scale = "" if size == 1 else f" scale({size})"
    at = f'transform="translate({x:.1f} {y:.1f}){scale}" d="{mark}"'
    return f'<path {at} fill="{of_series(name, number)}" {HALO}/>'


def rule_at(x0: float, y0: float, x1: float, y1: float, width: float = 0.5) -> str:
    path = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
    return f'<path d="{path}" stroke="{NEUTRAL}" stroke-width="{width}"/>'


def decimal(value: float) -> str:
    """Write a number with two decimals, or with none if it is whole.

    >>> decimal(0.8), decimal(1.0)
    ('0.80', '1')
    """
    return f"{float(value):.2f}".removesuffix(".00").replace("-", "−")


def apart(heights: Sequence[float]) -> list[float]:
    """Heights for names, in the order given: near those of the lines' ends, clear of each other.

    >>> apart([100, 102, 50])
    [93.0, 109.0, 50.0]
    """
    order = sorted(range(len(heights)), key=heights.__getitem__)
    groups: list[list[int]] = []
    for one in order:
        groups.append([one])
        while len(groups) > 1 and _middle(groups[-2], heights) + 8 * (
            len(groups[-2]) + len(groups[-1])
        ) > _middle(groups[-1], heights):
            last = groups.pop()
            groups[-1] += last
    places = [0.0] * len(heights)
    for group in groups:
        first = _middle(group, heights) - 8.0 * (len(group) - 1)
        for place, one in enumerate(group):
            places[one] = round(first + 16 * place, 1)
    return places


def _middle(group: Sequence[int], heights: Sequence[float]) -> float:
    return sum(heights[each] for each in group) / len(group)


def lanes_of(spots: Sequence[float]) -> list[int]:
    """For each mark of a row the first lane in which it touches no other.

    >>> lanes_of([10, 12, 40, 11])
    [0, 1, 0, 2]
    """
    ends: list[list[float]] = []
    lanes = []
    for spot in spots:
        lane = next(
            (n for n, held in enumerate(ends) if all(abs(spot - at) >= CLEAR for at in held)),
            len(ends),
        )
        if lane == len(ends):
            ends.append([])
        ends[lane].append(spot)
        lanes.append(lane)
    return lanes


# Rows with names: beside them on a page, above them on a phone


def left_of(names: Sequence[str], width: float) -> float:
    """Where rows with these names begin."""
    return 4.0 if width == NARROW else 16 + LETTER * max(map(len, names))


def row_places(heights: Sequence[float], top: float, width: float) -> tuple[list[float], float]:
    """Where each row begins, below its name on a phone, and where the last ends."""
    name = 18.0 if width == NARROW else 0.0
    ends = [*accumulate((height + name for height in heights), initial=top)]
    return [end + name for end in ends[:-1]], ends[-1]


def row_name(name: str, left: float, top: float, height: float, width: float) -> str:
    if width == NARROW:
        return text_at(left, top - 4, name, anchor="start", bold=True, look=GROUND)
    return text_at(left - 8, top + height / 2 + 4.5, name, anchor="end")


# A picture of both widths


def picture(
    paint: Callable[[float], Painted], shown: str, values: Mapping[str, str], title: str
) -> Picture:
    numbers = "; ".join(f"{name}: {value}" for name, value in values.items())
    return both_widths(paint, f"{shown}. {numbers}.", title)


def both_widths(paint: Callable[[float], Painted], description: str, title: str) -> Picture:
    wide, narrow = (svg_of(*paint(width), width) for width in (WIDE, NARROW))
    return Picture(wide, description, title=title, narrow=narrow)


def svg_of(parts: Iterable[str], high: float, width: float) -> str:
    fonts = ", ".join(f"'{font}'" if " " in font else font for font in FONTS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{high:.0f}"'
        f' viewBox="0 0 {width:g} {high:.0f}" font-family="{fonts}" font-size="13.5">'
        f"{''.join(parts)}</svg>"
    )
