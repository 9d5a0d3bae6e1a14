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
