"""Differences on rows: dots beside a line at zero."""

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
    Point,
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

HEAD = 24.0
"""The height of the name above a group of rows."""


def dots(
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    x: Axis,
    *,
    title: str = "",
    joined: bool = False,
) -> Picture:
    """Rows of dots beside a line at 0, in groups one below the other: on which side do they lie?

    Dots below 0 are brown, those above it teal; dots that would cover each other stand in lanes.
    A group without a name has no heading. ``title`` says what the chart shows. With ``joined``,
    the first dots of a group's rows are of one run, and so on: a line joins them.

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
            spots = [
                [
                    (across(value), at + ROW / 2 + LANE * lane)
                    for value, lane in zip(*each, strict=True)
                ]
                for *each, at in zip(rows.values(), lanes, tops, strict=True)
            ]
            if joined:
                parts += map(_line, zip(*spots, strict=True))
            for name, values, found, at, high in zip(
                rows, rows.values(), spots, tops, heights, strict=True
            ):
                parts.append(row_name(name, left, at, high, width))
                parts.append(rule_at(left, at + high, width - RIGHT, at + high))
                parts += map(_dot, found, values)
            top = bottom + 10
        frame = Frame(left, 0, width - RIGHT, top - 10, x)
        return [*frame.below(), *parts], top + 38

    told = {
        ", ".join(filter(None, [group, name])): ", ".join(map(decimal, values))
        for group, rows in groups.items()
        for name, values in rows.items()
    }
    return picture(paint, x.name, told, title)


def _line(run: Sequence[Point]) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in run)
    return f'<path d="M{path}" fill="none" stroke="{NEUTRAL}" stroke-opacity=".55"/>'


def _dot(spot: Point, value: float) -> str:
    x, y = spot
    ink = DAY["above"] if value > 0 else DAY["below"] if value < 0 else NEUTRAL
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="{ink}" {HALO}/>'
