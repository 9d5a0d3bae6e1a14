"""Differences on rows, as dots beside a line at zero; and rankings, as lines between columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from corefbook.colours import DAY
from corefbook.draw.pieces import (
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
from corefbook.picture import Picture

HEAD = 24.0
"""The height of the name above a group of rows."""


def dots(
    groups: Mapping[str, Mapping[str, Sequence[float]]],
    x: Axis,
    *,
    title: str = "",
    joined: bool = False,
    marked: int | None = None,
) -> Picture:
    """Rows of dots beside a line at 0, in groups one below the other: on which side do they lie?

    Dots below 0 are brown, those above it teal; dots that would cover each other stand in lanes.
    A group without a name has no heading. ``title`` says what the chart shows. With ``joined``,
    the first dots of a group's rows are of one run, and so on: a line joins them. With ``marked``,
    the number of a run, this run is coloured, and the others are grey and without lanes.

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
            lanes = [
                [0] * len(values) if marked is not None else lanes_of([*map(across, values)])
                for values in rows.values()
            ]
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
            if joined and marked is not None:
                path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (row[marked] for row in spots))
                ink = DAY["above"]
                parts.append(f'<path d="M{path}" fill="none" stroke="{ink}" stroke-width="3"/>')
            for name, values, row_spots, at, high in zip(
                rows, rows.values(), spots, tops, heights, strict=True
            ):
                parts.append(row_name(name, left, at, high, width))
                parts.append(rule_at(left, at + high, width - RIGHT, at + high))
                if marked is None:
                    parts += map(_dot, row_spots, values)
                    continue
                parts += [_dot(spot, 0) for spot in row_spots]
                parts.append(_dot(row_spots[marked], 1))
            top = bottom + 10
        frame = Frame(left, 0, width - RIGHT, top - 10, x)
        return [*frame.below(), *parts], top + 38

    texts = {
        ", ".join(filter(None, [group, name])): ", ".join(map(decimal, values))
        for group, rows in groups.items()
        for name, values in rows.items()
    }
    return picture(paint, x.name, texts, title)


def rankings(orders: Mapping[str, Sequence[float]], *, title: str = "") -> Picture:
    """Columns of ranks, with a line for each thing that is ranked: which of them change places?

    ``orders`` has for each column the scores of the same things, in one order; the highest is
    first. A line is teal where its thing rises from one column to the next, brown where it falls.

    >>> rankings({"one scorer": [79, 75, 60], "another": [57, 58, 50]}, title="Two change places.")
    Two change places.
    rank. one scorer: 1, 2, 3; another: 2, 1, 3.
    """
    ranks = {
        name: [1 + sum(other > score for other in scores) for score in scores]
        for name, scores in orders.items()
    }

    def paint(width: float) -> Painted:
        left, step = 70.0, (width - 140) / (len(ranks) - 1)
        places = [left + step * number for number in range(len(ranks))]
        spots = [
            [(x, 40 + 19.0 * (rank - 1)) for rank in column]
            for x, column in zip(places, ranks.values(), strict=True)
        ]
        parts = [text_at(x, 18, name, bold=True) for x, name in zip(places, ranks, strict=True)]
        for before, after in pairwise(spots):
            parts += map(_step, before, after)
        parts += [
            f'<circle cx="{x}" cy="{y}" r="5" fill="{NEUTRAL}"/>' for c in spots for x, y in c
        ]
        for column, beside, anchor in ((spots[0], -12, "end"), (spots[-1], 12, "start")):
            labels = {y: f"{1 + round((y - 40) / 19)}" for _, y in column}
            x = column[0][0] + beside
            parts += [text_at(x, y + 4.5, rank, anchor=anchor) for y, rank in labels.items()]
        return parts, max(y for column in spots for _, y in column) + 16

    texts = {name: ", ".join(map(str, column)) for name, column in ranks.items()}
    return picture(paint, "rank", texts, title)


def _step(before: Point, after: Point) -> str:
    (x0, y0), (x1, y1) = before, after
    ink = DAY["above"] if y1 < y0 else DAY["below"] if y1 > y0 else NEUTRAL
    line = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
    return f'<path d="{line}" fill="none" stroke="{ink}" stroke-width="2"/>'


def _line(run: Sequence[Point]) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in run)
    return f'<path d="M{path}" fill="none" stroke="{NEUTRAL}" stroke-opacity=".55"/>'


def _dot(spot: Point, value: float) -> str:
    x, y = spot
    ink = DAY["above"] if value > 0 else DAY["below"] if value < 0 else NEUTRAL
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="{ink}" {HALO}/>'
