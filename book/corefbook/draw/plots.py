"""Charts: lines, marks on rows, bars, discs. Written here, to run without Matplotlib.

Each is drawn twice, for a page's column and for a phone. Marks are filled and have a halo; those
that would cover each other in a row stand one below the other; no mark leaves its place along an
axis that measures. A chart's numbers stand in its description,
which a notebook shows as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corefbook.colours import SERIES, of_series
from corefbook.draw.pieces import (
    GROUND,
    HALO,
    LANE,
    LETTER,
    NARROW,
    RIGHT,
    ROW,
    Axis,
    Frame,
    Painted,
    Point,
    apart,
    both_widths,
    decimal,
    lanes_of,
    left_of,
    mark_at,
    picture,
    row_name,
    row_places,
    rule_at,
    text_at,
)
from corefbook.picture import Picture


def lines(series: Mapping[str, Sequence[Point]], x: Axis, y: Axis, *, title: str = "") -> Picture:
    """A line for each series through its points, with its name where it ends.

    ``title`` says what the chart shows, in a sentence. A point outside an axis is refused.

    >>> lines({"LEA": [(1, 0.8), (2, 0.6)]}, Axis.of("cut", [1, 2]), Axis.of("recall", [0, 1]))
    recall by cut. LEA: 1 0.80, 2 0.60.
    """

    def paint(width: float) -> Painted:
        room = LETTER * max(map(len, series)) + 12
        frame = Frame(46, 28, width - RIGHT - room, 300, x, y)
        parts = [*frame.level(), *frame.below()]
        spots = {
            name: [(frame.across(a), frame.down(b)) for a, b in points]
            for name, points in series.items()
        }
        for number, (name, line) in enumerate(spots.items()):
            path = "L".join(f"{across:.1f} {down:.1f}" for across, down in line)
            ink = of_series(name, number)
            parts.append(f'<path d="M{path}" fill="none" stroke="{ink}" stroke-width="2"/>')
        for number, (name, line) in enumerate(spots.items()):
            parts += [mark_at(*spot, number, name, 0.75) for spot in line]
        ends = apart([line[-1][1] for line in spots.values()])
        for number, (name, end) in enumerate(zip(spots, ends, strict=True)):
            place, ink = (frame.right + 8, end + 4.5), of_series(name, number)
            parts.append(text_at(*place, name, ink, "start", bold=True, look=" " + HALO))
        return parts, frame.bottom + 46

    texts = {
        name: ", ".join(f"{a:g} {decimal(b)}" for a, b in points) for name, points in series.items()
    }
    return picture(paint, f"{y.name} by {x.name}", texts, title)


def strip(
    rows: Mapping[str, Mapping[str, float]],
    x: Axis,
    rule: float | None = None,
    *,
    title: str = "",
) -> Picture:
    """A row for each name with a mark for each of its values; ``rule`` is drawn across all rows.

    Marks of a row that would cover each other stand one below the other. ``title`` says what the
    chart shows, in a sentence.

    >>> strip({"MUC": {"one entity": 0.69}}, Axis.of("F1", [0, 1]))
    F1. MUC: one entity 0.69.
    """
    return _in_rows(rows, POINTS, x, rule, title)


def spans(
    rows: Mapping[str, Mapping[str, Sequence[float]]],
    x: Axis,
    rule: float | None = None,
    *,
    title: str = "",
) -> Picture:
    """A row for each name with a bar for each of its intervals, one below the other.

    An interval is its two ends and, where it has one, the value that is marked in it. ``rule`` is
    drawn across all rows, ``title`` says what the chart shows.

    >>> axis = Axis.of("lead", [-1, 0, 1])
    >>> spans({"MUC": {"seeds": (-0.5, 0.5, 0)}, "B³": {"seeds": (0, 1)}}, axis)
    lead. MUC: seeds −0.50 to 0.50, marked 0; B³: seeds 0 to 1.
    """
    return _in_rows(rows, SPANS, x, rule, title)


class Marks(NamedTuple):
    """How the values of a row are shown: the lane of each, its mark, and its words."""

    lanes: Callable[[Sequence[Any], Frame], Sequence[int]]
    mark: Callable[[Frame, float, Any, int, str], Iterable[str]]
    words: Callable[[Any], str]


def _point_lanes(values: Sequence[float], frame: Frame) -> Sequence[int]:
    return lanes_of([frame.across(value) for value in values])


def _point(frame: Frame, down: float, value: float, number: int, name: str) -> Iterator[str]:
    yield mark_at(frame.across(value), down, number, name)


def _span_lanes(values: Sequence[Any], frame: Frame) -> Sequence[int]:
    return range(len(values))


def _span(
    frame: Frame, down: float, ends: Sequence[float], number: int, name: str
) -> Iterator[str]:
    """A bar from end to end, and the series' mark on the value in it, if it has one."""
    low, high, *value = map(frame.across, ends)
    path = f"M{low:.1f} {down:.1f}L{max(high, low + 1):.1f} {down:.1f}"
    ink = of_series(name, number)
    yield f'<path d="{path}" stroke="{ink}" stroke-width="5" stroke-opacity=".55"/>'
    yield mark_at(value[0] if value else (low + high) / 2, down, number, name)


def _span_words(ends: Sequence[float]) -> str:
    low, high, *value = map(decimal, ends)
    return f"{low} to {high}{f', marked {value[0]}' if value else ''}"


POINTS = Marks(_point_lanes, _point, decimal)
SPANS = Marks(_span_lanes, _span, _span_words)


def bars(counts: Mapping[str, float], x: Axis, *, title: str = "") -> Picture:
    """A bar for each count, from the low end of the axis, with its number behind it.

    ``title`` says what the chart shows, in a sentence.

    >>> bars({"all": 1000, "left": 10}, Axis.of("profiles", [0, 1000]))
    profiles. all: 1,000; left: 10.
    """

    def paint(width: float) -> Painted:
        left = left_of([*counts], width)
        longest = width - left - 12 - LETTER * max(len(f"{count:,}") for count in counts.values())
        parts = []
        heights = [24.0] * len(counts)
        tops, floor = row_places(heights, 4, width)
        for (name, count), top in zip(counts.items(), tops, strict=True):
            wide = max(x.share(count) * longest, 1.5)
            size = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="18"'
            parts.append(row_name(name, left, top, 18, width))
            parts.append(f'<rect {size} fill="{SERIES[0]}"/>')
            parts.append(text_at(left + wide + 6, top + 14, f"{count:,}", anchor="start"))
        parts.append(text_at(left, floor + 14, x.name, anchor="start"))
        return parts, floor + 24

    return picture(paint, x.name, {name: f"{count:,}" for name, count in counts.items()}, title)


def ladder(counts: Mapping[str, int], *, title: str = "") -> Picture:
    """A bar for each count: all that the row above left, dark as far as it is left here as well.

    Behind it stands by what the count above was divided. So a loss of 99 in a hundred is as large
    as it is, wherever it happens, and all rows have one scale. ``title`` says what the chart shows.
    No count is 0.

    >>> ladder({"all": 1200, "first": 10, "second": 9}, title="From 1,200 to 9.")
    From 1,200 to 9.
    all: 1,200; first: 10, ÷120; second: 9, ÷1.1.
    """
    numbers = {name: f"{count:,}" for name, count in counts.items()}
    left = [*counts.values()]
    shares = [count / before for count, before in zip(left, [left[0], *left[:-1]], strict=True)]
    divisors = [_divisor(share) for share in shares]
    behind = LETTER * max(map(len, divisors)) + 10
    longest = LETTER * max(map(len, numbers.values()))

    def paint(width: float) -> Painted:
        left = left_of([*counts], width)
        # On a phone a count has room in the line of its row's name.
        right = width - RIGHT - behind - (0 if width == NARROW else longest)
        parts = []
        tops, floor = row_places([26.0] * len(counts), 4, width)
        rows = zip(numbers.items(), shares, divisors, tops, strict=True)
        for (name, number), share, divisor, top in rows:
            parts.append(row_name(name, left, top, 20, width))
            for long, strength in ((1, 0.2), (share, 1)):
                wide = (right - left) * long
                size = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="20"'
                parts.append(f'<rect {size} fill="{SERIES[0]}" fill-opacity="{strength}"/>')
            parts.append(text_at(right + 8, top + 15, divisor, anchor="start", bold=True))
            at = top - 4 if width == NARROW else top + 15
            parts.append(text_at(width - RIGHT, at, number, anchor="end"))
        return parts, floor + 4

    rows = [
        f"{name}: {number}{divisor and f', {divisor}'}"
        for (name, number), divisor in zip(numbers.items(), divisors, strict=True)
    ]
    return both_widths(paint, f"{'; '.join(rows)}.", title)


def _divisor(share: float) -> str:
    """Write by what was divided; nothing where all is left.

    >>> _divisor(1 / 120), _divisor(10 / 38), _divisor(1)
    ('÷120', '÷3.8', '')
    """
    if share == 1:
        return ""
    return f"÷{1 / share:,.0f}" if share < 0.1 else f"÷{1 / share:.1f}"


def spots(groups: Mapping[Point, Sequence[str]], x: Axis, y: Axis, *, title: str = "") -> Picture:
    """A disc at each point, larger for more names, with its one name or their number beside it.

    ``title`` says what the chart shows, in a sentence.

    >>> x, y = Axis.of("MUC", [0, 1]), Axis.of("B³", [0, 1])
    >>> spots({(0, 0.5): ["a", "b"], (1, 1): ["key"]}, x, y)
    B³ by MUC. 0, 0.50: a, b; 1, 1: key.
    """

    def paint(width: float) -> Painted:
        frame = Frame(46, 28, width - RIGHT, 340, x, y)
        parts = [*frame.level(), *frame.below()]
        named: list[Point] = []  # where names stand: the next one goes below
        for point, names in groups.items():
            across, down = frame.across(point[0]), frame.down(point[1])
            radius = 6 + 2.5 * (len(names) - 1)
            beyond = across > (frame.left + frame.right) / 2
            beside = across - radius - 5 if beyond else across + radius + 5
            said = names[0] if len(names) == 1 else f"{len(names)} responses"
            disc = f'cx="{across:.1f}" cy="{down:.1f}" r="{radius}"'
            parts.append(f'<circle {disc} fill="{SERIES[0]}" {HALO}/>')
            middle = beside + (-1 if beyond else 1) * LETTER * len(said) / 2
            while any(abs(middle - a) < LETTER * 11 and abs(down - d) < 15 for a, d in named):
                down += 5
            named.append((middle, down))
            anchor = "end" if beyond else "start"
            parts.append(text_at(beside, down + 4.5, said, anchor=anchor, look=GROUND))
        return parts, frame.bottom + 46

    texts = {", ".join(map(decimal, point)): ", ".join(names) for point, names in groups.items()}
    return picture(paint, f"{y.name} by {x.name}", texts, title)


# Rows with names: beside them on a page, above them on a phone


def _in_rows(
    rows: Mapping[str, Mapping[str, Any]],
    marks: Marks,
    x: Axis,
    rule: float | None,
    title: str,
) -> Picture:
    """Rows of values that have such marks; ``rule`` is drawn across all of them."""
    kinds = list(dict.fromkeys(kind for values in rows.values() for kind in values))

    def paint(width: float) -> Painted:
        parts, top = _legend(kinds, width)
        left = left_of([*rows], width)
        frame = Frame(left, top, width - RIGHT, top, x)
        lanes = [marks.lanes([*values.values()], frame) for values in rows.values()]
        heights = [ROW + LANE * max(row, default=0) for row in lanes]
        tops, bottom = row_places(heights, top, width)
        frame = frame._replace(bottom=bottom)
        parts += [*frame.upright(), *frame.below()]
        if rule is not None:
            parts.append(rule_at(frame.across(rule), top, frame.across(rule), bottom, 2))
        for name, height, at in zip(rows, heights, tops, strict=True):
            parts.append(rule_at(left, at + height, frame.right, at + height))
            parts.append(row_name(name, left, at, height, width))
        for values, row, at in zip(rows.values(), lanes, tops, strict=True):
            for (kind, value), lane in zip(values.items(), row, strict=True):
                down = at + ROW / 2 + LANE * lane
                parts += marks.mark(frame, down, value, kinds.index(kind), kind)
        return parts, frame.bottom + 46

    texts = {
        name: ", ".join(f"{kind} {marks.words(value)}" for kind, value in values.items())
        for name, values in rows.items()
    }
    return picture(paint, x.name, texts, title)


def _legend(names: Sequence[str], width: float) -> Painted:
    """The mark of each series before its name, in lines; nothing for a single one."""
    parts: list[str] = []
    if len(names) < 2:
        return parts, 6.0
    across, down = 10.0, 14.0
    for number, name in enumerate(names):
        long = LETTER * len(name) + 34
        if across > 10 and across + long > width:
            across, down = 10.0, down + 20
        parts.append(mark_at(across, down, number, name))
        parts.append(text_at(across + 11, down + 4.5, name, of_series(name, number), "start"))
        across += long
    return parts, down + 16
