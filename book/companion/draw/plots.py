"""Charts: lines, marks on rows, bars, histograms. Written here, to run without Matplotlib.

Their numbers stand in their descriptions, which a notebook shows as text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from companion.draw.shapes import FONTS, GREY
from companion.picture import Picture
from corefeval.errors import CorefError

MARKS = "○■▲×◆▽●□"
"""The marks of series, which differ in shape as well as in colour."""
INKS = ("#1f72b4", "#c4501b", "#287f3c", "#a04fb0", GREY)
WIDE, INSET = 460, 14
"""The width of a chart in CSS pixels, which a phone shows legibly, and values' distance from it."""
Point = tuple[float, float]


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
        named = dict(zip(ticks, words or [f"{tick:g}" for tick in ticks], strict=True))
        return cls(name, ticks[0], ticks[-1], named, log)

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
    y: Axis

    def spot(self, point: Point) -> Point:
        """Where a point stands."""
        across, up = self.x.share(point[0]), self.y.share(point[1])
        left, right = self.left + INSET, self.right - INSET
        top, bottom = self.top + INSET, self.bottom - INSET
        return left + across * (right - left), bottom - up * (bottom - top)

    def grid(self) -> Iterator[str]:
        """The ticks of both axes with their lines, and the names of the axes."""
        for tick, word in self.x.ticks.items():
            at, _ = self.spot((tick, self.y.low))
            yield _rule(at, self.top, at, self.bottom)
            yield _text(at, self.bottom + 18, word)
        for tick, word in self.y.ticks.items():
            _, at = self.spot((self.x.low, tick))
            yield _rule(self.left, at, self.right, at)
            yield _text(self.left - 6, at + 4.5, word, anchor="end")
        yield _text((self.left + self.right) / 2, self.bottom + 36, self.x.name)
        middle = (self.top + self.bottom) / 2
        yield (
            f'<text transform="translate(14 {middle:.1f}) rotate(-90)"'
            f' text-anchor="middle" fill="{GREY}">{escape(self.y.name)}</text>'
        )


def lines(series: Mapping[str, Sequence[Point]], x: Axis, y: Axis) -> Picture:
    """A line for each series through its points, which are marked.

    >>> lines({"LEA": [(1, 0.8), (2, 0.6)]}, Axis.of("cut", [1, 2]), Axis.of("recall", [0, 1]))
    recall by cut. LEA: 1 0.80, 2 0.60.
    """
    frame = Frame(50, 30, WIDE - 6, 250, x, y)
    parts = [*frame.grid(), *_legend([*series])]
    for number, points in enumerate(series.values()):
        found = [frame.spot(point) for point in points]
        path = "L".join(f"{across:.1f} {down:.1f}" for across, down in found)
        ink = INKS[number % len(INKS)]
        parts.append(f'<path d="M{path}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [_mark(*spot, number) for spot in found]
    told = {
        name: ", ".join(f"{a:g} {_number(b)}" for a, b in points) for name, points in series.items()
    }
    return _picture(parts, 292, f"{y.name} by {x.name}", told)


def strip(rows: Mapping[str, Mapping[str, float]], x: Axis, rule: float | None = None) -> Picture:
    """A row for each name with a mark for each of its values; ``rule`` is drawn across all rows.

    >>> strip({"MUC": {"one entity": 0.69}}, Axis.of("F1", [0, 1]))
    F1. MUC: one entity 0.69.
    """
    kinds = list(dict.fromkeys(kind for values in rows.values() for kind in values))
    heights = {name: 24.0 * number for number, name in enumerate(rows)}
    left, bottom = 12 + 7.4 * max(map(len, rows)), 24.0 * len(rows) + 36
    across = Frame(left, 30, WIDE - 6, bottom, x, Axis("", 0, 1, {}))
    parts = [*_legend(kinds), *across.grid()]
    if rule is not None:
        at, _ = across.spot((rule, 0))
        parts.append(_rule(at, 30, at, bottom, 2))
    for name, values in rows.items():
        y = 46 + heights[name]
        parts.append(_rule(left, y, WIDE - 6, y))
        parts.append(_text(left - 6, y + 4.5, name, anchor="end"))
        parts += [
            _mark(across.spot((value, 0))[0], y, kinds.index(kind))
            for kind, value in values.items()
        ]
    told = {
        name: ", ".join(f"{kind} {_number(value)}" for kind, value in values.items())
        for name, values in rows.items()
    }
    return _picture(parts, bottom + 44, x.name, told)


def spans(
    rows: Mapping[str, Mapping[str, Sequence[float]]], x: Axis, rule: float | None = None
) -> Picture:
    """A row for each name with a bar for each of its intervals, one below the other.

    An interval is its two ends and, where it has one, the value that is marked in it. ``rule`` is
    drawn across all rows.

    >>> axis = Axis.of("lead", [-1, 0, 1])
    >>> spans({"MUC": {"seeds": (-0.5, 0.5, 0)}, "B³": {"seeds": (0, 1)}}, axis)
    lead. MUC: seeds −0.50 to 0.50, marked 0; B³: seeds 0 to 1.
    """
    kinds = list(dict.fromkeys(kind for values in rows.values() for kind in values))
    high = 10.0 + 12 * len(kinds)
    left, bottom = 12 + 7.4 * max(map(len, rows)), 36 + high * len(rows)
    frame = Frame(left, 30, WIDE - 6, bottom, x, Axis("", 0, 1, {}))
    parts = [*_legend(kinds), *frame.grid()]
    if rule is not None:
        at, _ = frame.spot((rule, 0))
        parts.append(_rule(at, 30, at, bottom, 2))
    for number, (name, values) in enumerate(rows.items()):
        top = 34 + high * number
        parts.append(_rule(left, top, WIDE - 6, top))
        parts.append(_text(left - 6, top + high / 2 + 4.5, name, anchor="end"))
        for kind, ends in values.items():
            place = kinds.index(kind)
            parts += _span(frame, top + 11 + 12 * place, ends, place)
    told = {
        name: ", ".join(f"{kind} {_told(ends)}" for kind, ends in values.items())
        for name, values in rows.items()
    }
    return _picture(parts, bottom + 44, x.name, told)


def _span(frame: Frame, y: float, ends: Sequence[float], number: int) -> Iterator[str]:
    """A bar from end to end, and the series' mark on the value in it or in the middle."""
    low, high, *value = (frame.spot((end, 0))[0] for end in ends)
    ink = INKS[number % len(INKS)]
    path = f"M{low:.1f} {y:.1f}L{max(high, low + 1):.1f} {y:.1f}"
    yield f'<path d="{path}" stroke="{ink}" stroke-width="4" stroke-opacity=".6"/>'
    yield _mark(value[0] if value else (low + high) / 2, y, number)


def _told(ends: Sequence[float]) -> str:
    low, high, *value = map(_number, ends)
    return f"{low} to {high}{f', marked {value[0]}' if value else ''}"


def bars(counts: Mapping[str, float], x: Axis) -> Picture:
    """A bar for each count, from the low end of the axis, with its number behind it.

    >>> bars({"all": 1000, "left": 10}, Axis.of("profiles", [1, 1000], log=True))
    profiles. all: 1,000; left: 10.
    """
    left = 12 + 7.4 * max(map(len, counts))
    longest = WIDE - left - 12 - 8 * max(len(f"{count:,}") for count in counts.values())
    parts = []
    for number, (name, count) in enumerate(counts.items()):
        y = 8 + 22 * number
        wide = max(x.share(count) * longest, 1.5)
        size = f'x="{left:.1f}" y="{y}" width="{wide:.1f}" height="16"'
        parts.append(_text(left - 6, y + 13, name, anchor="end"))
        parts.append(f'<rect {size} fill="{INKS[0]}"/>')
        parts.append(_text(left + wide + 6, y + 13, f"{count:,}", anchor="start"))
    floor = 8 + 22 * len(counts)
    scale = f"{x.name}, on a logarithmic scale" if x.log else x.name
    parts.append(_text(left, floor + 14, scale, anchor="start"))
    told = {name: f"{count:,}" for name, count in counts.items()}
    return _picture(parts, floor + 24, x.name, told)


def spots(groups: Mapping[Point, Sequence[str]], x: Axis, y: Axis) -> Picture:
    """A disc at each point, larger for more names, with its one name or their number beside it.

    >>> x, y = Axis.of("MUC", [0, 1]), Axis.of("B³", [0, 1])
    >>> spots({(0, 0.5): ["a", "b"], (1, 1): ["key"]}, x, y)
    B³ by MUC. 0, 0.50: a, b; 1, 1: key.
    """
    frame = Frame(50, 6, WIDE - 6, 280, x, y)
    parts = [*frame.grid()]
    for point, names in groups.items():
        across, down = frame.spot(point)
        radius = 5 + 2.5 * len(names)
        beyond = across > (frame.left + frame.right) / 2
        beside = across - radius - 5 if beyond else across + radius + 5
        said = names[0] if len(names) == 1 else f"{len(names)} responses"
        disc = f'cx="{across:.1f}" cy="{down:.1f}" r="{radius}"'
        parts.append(f'<circle {disc} fill="{INKS[0]}" fill-opacity=".75"/>')
        parts.append(_text(beside, down + 4.5, said, anchor="end" if beyond else "start"))
    told = {", ".join(map(_number, point)): ", ".join(names) for point, names in groups.items()}
    return _picture(parts, 322, f"{y.name} by {x.name}", told)


def histogram(
    values: Sequence[float], x: Axis, marked: Mapping[str, Sequence[float]], bins: int = 40
) -> Picture:
    """How many values fall into each of equal parts of the axis, with lines at those marked.

    >>> histogram([1, 2, 2, 3], Axis.of("F1", [0, 4]), {"observed": [2]})
    how often by F1. values: 4 from 1 to 3, at most 2 in one part; observed: 2.
    """
    counts = Counter(min(int(x.share(value) * bins), bins - 1) for value in values)
    frame = Frame(50, 30, WIDE - 6, 220, x, Axis.of("how often", [0, max(counts.values())]))
    wide = (frame.right - frame.left - 2 * INSET) / bins
    _, floor = frame.spot((x.low, 0))
    parts = [*frame.grid(), *_legend([*marked])]
    for place, count in sorted(counts.items()):
        _, top = frame.spot((x.low, count))
        edge = frame.left + INSET + place * wide
        size = f'width="{wide:.2f}" height="{floor - top:.1f}"'
        parts.append(f'<rect x="{edge:.2f}" y="{top:.1f}" {size} fill="{GREY}" fill-opacity=".7"/>')
    for number, ends in enumerate(marked.values()):
        for end in ends:
            at, _ = frame.spot((end, 0))
            path = f"M{at:.1f} {frame.top + INSET:.1f}L{at:.1f} {floor:.1f}"
            ink = INKS[number % len(INKS)]
            parts.append(f'<path d="{path}" stroke="{ink}" stroke-width="2.5"/>')
            parts.append(_mark(at, frame.top + 6, number))
    reach = f"{len(values)} from {_number(min(values))} to {_number(max(values))}"
    told = {"values": f"{reach}, at most {max(counts.values())} in one part"}
    told |= {name: ", ".join(map(_number, ends)) for name, ends in marked.items()}
    return _picture(parts, 262, f"how often by {x.name}", told)


def _legend(names: Sequence[str]) -> Iterator[str]:
    """The mark of each series before its name, in a line."""
    at = 12.0
    for number, name in enumerate(names):
        said = f"{MARKS[number]} {name}"
        yield _text(at, 18, said, INKS[number % len(INKS)], "start")
        at += 7.4 * len(said) + 12


def _mark(x: float, y: float, number: int) -> str:
    return _text(x, y + 4.5, MARKS[number], INKS[number % len(INKS)])


def _text(x: float, y: float, text: str, ink: str = GREY, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{ink}">{escape(text)}</text>'


def _rule(x0: float, y0: float, x1: float, y1: float, width: float = 0.4) -> str:
    path = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
    return f'<path d="{path}" stroke="{GREY}" stroke-width="{width}"/>'


def _number(value: float) -> str:
    """
    >>> _number(0.8), _number(1.0)
    ('0.80', '1')
    """
    return f"{float(value):.2f}".removesuffix(".00").replace("-", "−")


def _picture(parts: Iterable[str], high: float, title: str, told: Mapping[str, str]) -> Picture:
    fonts = ", ".join(f"'{font}'" if " " in font else font for font in FONTS)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{high:.0f}"'
        f' viewBox="0 0 {WIDE} {high:.0f}" font-family="{fonts}" font-size="13">'
        f"{''.join(parts)}</svg>"
    )
    numbers = "; ".join(f"{name}: {value}" for name, value in told.items())
    return Picture(svg, f"{title}. {numbers}.")
