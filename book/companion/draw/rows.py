"""Differences on rows: dots beside a line at zero, and two dots for each document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.colours import DAY
from companion.draw.pieces import (
    HALO,
    LANE,
    NEUTRAL,
    RIGHT,
    ROW,
    Axis,
    Frame,
    Painted,
    decimal,
    lanes_of,
    left_of,
    picture,
    row_name,
    row_places,
    rule_at,
    text_at,
)
from companion.picture import Picture

FEW = 40
"""More rows than this are thin, and have no names."""
HEAD = 24.0
"""The height of the name above a group of rows."""


def dots(
    groups: Mapping[str, Mapping[str, Sequence[float]]], x: Axis, *, title: str = ""
) -> Picture:
    """Rows of dots beside a line at 0, in groups one below the other: on which side do they lie?

    Dots below 0 are brown, those above it teal; dots that would cover each other stand in lanes.
    A group without a name has no heading. ``title`` says what the chart shows.

    >>> leads = {"FCC": {"all": [-10.8, -6.5, 0.7], "e2e": [1.5, 6.6, 16.7]}}
    >>> dots(leads, Axis.of("lead in points of B³", [-20, -10, 0, 10, 20]), title="The rule turns.")
    The rule turns.
    lead in points of B³. FCC, all: −10.80, −6.50, 0.70; FCC, e2e: 1.50, 6.60, 16.70.
    """

    def paint(width: float) -> Painted:
        names = [name for rows in groups.values() for name in rows]
        left = left_of(names, width)
        across = Frame(left, 0, width - RIGHT, 0, x).across
        parts: list[str] = []
        top = 6.0
        for group, rows in groups.items():
            if group:
                parts.append(text_at(4, top + 14, group, anchor="start", bold=True))
                top += HEAD
            lanes = [lanes_of([across(value) for value in values]) for values in rows.values()]
            heights = [ROW + LANE * max(row, default=0) for row in lanes]
            tops, bottom = row_places(heights, top, width)
            parts.append(rule_at(across(0), top, across(0), bottom, 2))
            for (name, values), row, at, high in zip(
                rows.items(), lanes, tops, heights, strict=True
            ):
                parts.append(row_name(name, left, at, high, width))
                parts.append(rule_at(left, at + high, width - RIGHT, at + high))
                for value, lane in zip(values, row, strict=True):
                    parts.append(_dot(across(value), at + ROW / 2 + LANE * lane, value))
            top = bottom + 10
        frame = Frame(left, 0, width - RIGHT, top - 10, x)
        return [*frame.below(), *parts], top + 38

    told = {
        ", ".join(filter(None, [group, name])): ", ".join(map(decimal, values))
        for group, rows in groups.items()
        for name, values in rows.items()
    }
    return picture(paint, x.name, told, title)


def _dot(x: float, y: float, value: float) -> str:
    ink = DAY["above"] if value > 0 else DAY["below"] if value < 0 else NEUTRAL
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="{ink}" {HALO}/>'


def paired(
    rows: Mapping[str, tuple[float, float]],
    x: Axis,
    names: tuple[str, str],
    *,
    title: str = "",
) -> Picture:
    """Two dots for each document joined by a line: the first hollow, the second filled.

    The line is teal where the second value is higher, brown where it is lower. ``names`` are those
    of the two. Rows stand in the order given; more than forty are thin and have no names, as their
    pattern counts. ``title`` says what the chart shows.

    >>> f1 = {"bc/cctv": (61.2, 58.0), "bn/abc": (70.1, 74.4)}
    >>> paired(f1, Axis.of("MUC F1", [50, 60, 70, 80]), ("baseline", "system"))
    MUC F1: baseline, system. bc/cctv: 61.20, 58; bn/abc: 70.10, 74.40.
    """
    many = len(rows) > FEW

    def paint(width: float) -> Painted:
        left = 8.0 if many else left_of([*rows], width)
        parts = [
            _circle(14, 14, NEUTRAL, filled=False),
            text_at(26, 18.5, names[0], anchor="start"),
            _circle(60 + 8 * len(names[0]), 14, NEUTRAL, filled=True),
            text_at(72 + 8 * len(names[0]), 18.5, names[1], anchor="start"),
        ]
        high = 7.0 if many else 22.0
        tops, bottom = row_places([high] * len(rows), 32, WIDE_ENOUGH if many else width)
        frame = Frame(left, 28, width - RIGHT, bottom + 4, x)
        parts += [*frame.upright(), *frame.below()]
        for (name, (first, second)), top in zip(rows.items(), tops, strict=True):
            y = top + high / 2
            start, end = frame.across(first), frame.across(second)
            ink = DAY["above"] if second > first else DAY["below"]
            path = f"M{start:.1f} {y:.1f}L{end:.1f} {y:.1f}"
            parts.append(f'<path d="{path}" stroke="{ink}" stroke-width="{2 if many else 3}"/>')
            small = 2.5 if many else 5.5
            parts.append(_circle(start, y, ink, filled=False, radius=small))
            parts.append(_circle(end, y, ink, filled=True, radius=small))
            if not many:
                parts.append(row_name(name, left, top, high, width))
        return parts, frame.bottom + 46

    told = {name: ", ".join(map(decimal, pair)) for name, pair in rows.items()}
    return picture(paint, f"{x.name}: {', '.join(names)}", told, title)


WIDE_ENOUGH = 1e9
"""A width at which no name stands above its row."""


def _circle(x: float, y: float, ink: str, *, filled: bool, radius: float = 5.5) -> str:
    look = f'fill="{ink}"' if filled else f'fill="{DAY["paper"]}"'
    at = f'cx="{x:.1f}" cy="{y:.1f}" r="{radius}"'
    return f'<circle {at} {look} stroke="{ink}" stroke-width="{2 if radius > 3 else 1}"/>'
