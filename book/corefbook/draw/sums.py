"""What each mention adds to a score."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from corefbook.draw.layout import (
    APART,
    SHORT,
)
from corefbook.draw.shapes import (
    OTHER,
    RADIUS,
    STACKED,
    Drawing,
    Outline,
    Pill,
    Shape,
    around,
    labels,
    nothing,
    tag_width,
)
from corefeval.errors import CorefError
from corefeval.overlap.partition import Mention, as_partition
from corefeval.score import Tally

PER_LINE = 6  # mentions with their credits in a line, at most


def credits(
    entities: Any,
    credit: Callable[[Mention], Tally | Fraction],
    *,
    side: str = "key",
) -> Drawing:
    """Each mention over its credit and its weight, by entity, with the sums of their products.

    ``credit`` is called with each mention. A `Tally` is written as it is, not reduced. All N
    mentions are alike and have the weight 1/N. ``side`` says whose entities they are.

    Raises `CorefError` for another ``side``.

    >>> credits("{a b} {c}", lambda mention: Tally(1, 2) if mention in "ab" else Tally(0, 1))
    K1: a, b each 1/2 × 1/3, together 1/3. K2: c 0/1 × 1/3, together 0. Sum: 1/3.
    """
    partition = as_partition(entities)
    if side not in OTHER:
        raise CorefError(f"side={side!r}: expected 'key' or 'response'")
    if not partition:
        return nothing("there is no mention")
    alike = Fraction(1, len(partition.mentions))
    terms = {mention: _Term(credit(mention), alike) for mention in partition.entity_of}
    stacks = {m: _stack((m, "mention"), *term.pills(side)) for m, term in terms.items()}
    x0, y0, x1, y1 = around(pill.box for stack in stacks.values() for pill in stack)
    dx, dy = x1 - x0 + APART, y1 - y0 + APART
    longest = max(_per_line(size) for size in partition.sizes)
    sums = longest * dx + x0 + 2 * SHORT  # where they start
    shapes: list[Shape] = []
    described = []
    top = 0.0
    for label, entity in zip(labels(side, len(partition)), partition, strict=True):
        per_line = _per_line(len(entity))
        spots = [(n % per_line * dx, top - y0 + n // per_line * dy) for n in range(len(entity))]
        bottom = spots[-1][1] + y1
        outer = (x0 - SHORT, top - SHORT, (per_line - 1) * dx + x1 + SHORT, bottom + SHORT)
        together = sum((terms[m].product for m in entity), Fraction(0))
        middle = (top + bottom) / 2
        shapes += [
            Outline(outer, side, frozenset(entity), RADIUS + SHORT),
            Pill.at(outer[0] + 2 - tag_width(label) / 2, middle, label, side),
            _starting(sums, middle, f"= {together}", side),
        ]
        for mention, spot in zip(entity, spots, strict=True):
            shapes += [pill.moved(*spot) for pill in stacks[mention]]
        top = bottom + 3 * SHORT
        described.append(f"{label}: {_runs(entity, terms)}, together {together}.")
    total = sum((term.product for term in terms.values()), Fraction(0))
    shapes.append(_starting(sums, top, f"Σ = {total}", side))
    return Drawing(tuple(shapes), f"{' '.join(described)} Sum: {total}.")


@dataclass(frozen=True)
class _Term:
    """What a mention adds to a score."""

    credit: Tally | Fraction
    weight: Fraction

    @property
    def product(self) -> Fraction:
        credit = self.credit
        share = credit.ratio(Fraction(0)) if isinstance(credit, Tally) else credit
        return self.weight * Fraction(share)

    def pills(self, side: str) -> list[tuple[str, str]]:
        return [(str(self.credit), side), (f"× {self.weight}", "caption")]


def _per_line(count: int) -> int:
    """How many of these mentions to put in a line, so that lines are as equal as can be."""
    return math.ceil(count / math.ceil(count / PER_LINE))


def _stack(*pills: tuple[object, str]) -> list[Pill]:
    """Pills below each other, the middle of the first at (0, 0)."""
    stack: list[Pill] = []
    for text, role in pills:
        pill = Pill.at(0, 0, text, role)
        stack.append(pill.moved(0, stack[-1].box[3] + STACKED - pill.box[1] if stack else 0))
    return stack


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
