"""Can the numbers of a printed row belong together?

A row has recall, precision and F1 of some measures, and the average of their F1. What is printed is
rounded, so that each cell stands for an interval of numbers. F1 grows with recall and with
precision, and the average with every F1; so the ends of intervals bound what the other cells can
be. All is exact, in fractions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from corefeval.errors import CorefError
from corefeval.published.intervals import ROUNDED, Bounds, Rule, in_both, mean_of, meet, outwards
from corefeval.score import f1

PARTS = ("recall", "precision", "F1")
AVERAGE = "average"
NUMBER = re.compile(r"\d{1,3}(\.\d+)?")


class Reason(NamedTuple):
    """Where an F1 or the average must lie by the cells before it, and by its own print."""

    cell: str
    by_others: Bounds
    by_print: Bounds


@dataclass(frozen=True)
class Verdict:
    """What follows from a row's cells.

    ``possible``: some numbers are printed as the row prints them. ``wrong``: the cells of which one
    alone could be wrong, where the row is impossible, and where its number would then lie; if
    there is one, it must be that; if there is none, more than one cell is wrong. ``missing``: where
    each missing cell must lie, in a row that is possible. ``reasons``: of each printed F1 and the
    average the two intervals that must meet.
    """

    possible: bool
    wrong: Mapping[str, Bounds]
    missing: Mapping[str, Bounds]
    reasons: Sequence[Reason]

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The verdict in sentences."""
        yield self.headline()
        for cell, interval in self.wrong.items():
            yield f"{cell} would have to lie {_between(interval)}."
        for cell, interval in self.missing.items():
            yield f"{cell} lies {_between(interval)}."

    def headline(self) -> str:
        """The verdict in a line."""
        if self.possible:
            return "Possible: there are numbers that are printed like this."
        if not self.wrong:
            return "Impossible, and more than one cell must be wrong."
        *others, last = self.wrong
        if not others:
            return f"Impossible. If one cell alone is wrong, it is {last}."
        return f"Impossible. One wrong cell would explain it: {', '.join(others)} or {last}."


def check(
    measures: Mapping[str, Sequence[str]], average: str = "", rule: Rule = ROUNDED, whole: int = 100
) -> Verdict:
    """The verdict on a row.

    ``measures`` has recall, precision and F1 of each measure as texts, as they are printed ("70.5":
    the decimals count); "" is a cell that is missing. ``average`` is the printed mean of all F1,
    which may have been taken of the F1 scores in full or as they are printed: both are allowed.
    ``rule`` says how numbers were made prints: rounded, or cut off. ``whole`` is the number of a
    perfect score: 100 for percentages, 1 for "0.705".

    Raises `CorefError` for a cell that is no number from 0 to ``whole``, and for a row without
    cells.

    >>> check({"MUC": ("79.2", "73.6", "76.3")})
    Possible: there are numbers that are printed like this.
    >>> check({"MUC": ("79.2", "73.6", "77.3")})
    Impossible. One wrong cell would explain it: MUC recall, MUC precision or MUC F1.
    MUC recall would have to lie between 81.220 and 81.565.
    MUC precision would have to lie between 75.348 and 75.631.
    MUC F1 would have to lie between 76.247 and 76.348.
    >>> check({"MUC": ("50", "50", "50"), "B³": ("40", "40", "40")}, "54")
    Impossible. If one cell alone is wrong, it is average.
    average would have to lie between 44.500 and 45.500.
    >>> check({"MUC": ("0.792", "", "0.763")}, whole=1)
    Possible: there are numbers that are printed like this.
    MUC precision lies between 0.734 and 0.738.
    """
    row = row_of(measures, average, rule, whole)
    if not row.printed:
        raise CorefError("the row is empty: expected at least one printed number")
    possible = row.possible()
    doubted = () if possible else (cell for cell in row.printed if row.without(cell).possible())
    missing = [cell for cell in row.cells if possible and cell not in row.printed]
    if len(measures) == 1 and AVERAGE in missing:
        missing.remove(AVERAGE)  # of one measure it is that measure's F1
    return Verdict(
        possible,
        {cell: row.without(cell).follows(cell) for cell in doubted},
        {cell: interval for cell in missing if (interval := row.follows(cell)) != row.all},
        [Reason(cell, row.by_others(cell), row.cells[cell]) for cell in row.sums()],
    )


# ------------------------------------------------------------------------------ what is printed


def cells_of(measures: Mapping[str, Sequence[str]], average: str) -> dict[str, str]:
    """The text of each cell, by its name."""
    return {
        f"{name} {part}": text.strip()
        for name, cells in measures.items()
        for part, text in zip(PARTS, _three(name, cells), strict=True)
    } | {AVERAGE: average.strip()}


def _three(name: str, cells: Sequence[str]) -> Sequence[str]:
    if len(cells) != len(PARTS):
        raise CorefError(f"{name}: expected recall, precision and F1, got {len(cells)} cells")
    return cells


def row_of(measures: Mapping[str, Sequence[str]], average: str, rule: Rule, whole: int) -> Row:
    texts = cells_of(measures, average)
    every = Bounds(Fraction(0), Fraction(whole))
    for cell, text in texts.items():
        if why := _fault(text, whole):
            raise CorefError(f"{cell}: {why}")
    cells = {c: in_both(rule.behind(text), every) if text else every for c, text in texts.items()}
    printed = {cell: Fraction(text) for cell, text in texts.items() if text}
    return Row(tuple(measures), cells, printed, every)


def _fault(text: str, whole: int) -> str:
    """Why a text is no number of a row; nothing if it is."""
    if not text or (NUMBER.fullmatch(text) and Fraction(text) <= whole):
        return ""
    example = "70.5" if whole == 100 else "0.705"
    return f"{text!r} is no number from 0 to {whole}, such as {example}"


# ------------------------------------------------------------------------------ what follows


@dataclass(frozen=True)
class Row:
    """A row: the numbers that each cell may stand for, and the printed ones."""

    names: Sequence[str]
    cells: Mapping[str, Bounds]
    printed: Mapping[str, Fraction]
    all: Bounds

    def without(self, cell: str) -> Row:
        """The row in which a cell is missing."""
        printed = {name: number for name, number in self.printed.items() if name != cell}
        return replace(self, cells={**self.cells, cell: self.all}, printed=printed)

    def possible(self) -> bool:
        """Whether scores exist that are printed like this: each F1, and the average of F1s."""
        allowed = [self.f1_allowed(name) for name in self.names]
        return all(low <= high for low, high in allowed) and meet(
            self.by_others(AVERAGE), self.cells[AVERAGE]
        )

    def sums(self) -> list[str]:
        """The printed cells that others decide: F1 where recall and precision are there too."""
        decided = []
        for name in self.names:
            if all(f"{name} {part}" in self.printed for part in PARTS):
                decided.append(f"{name} F1")
        return decided + [AVERAGE] * (AVERAGE in self.printed)

    def by_others(self, cell: str) -> Bounds:
        """Where the cells before it put an F1 or the average."""
        if cell == AVERAGE:
            return mean_of([self.averaged(name) for name in self.names])
        recall, precision = (self.cells[cell.removesuffix("F1") + part] for part in PARTS[:2])
        return Bounds(f1(recall.low, precision.low), f1(recall.high, precision.high))

    def f1_allowed(self, name: str) -> Bounds:
        """The F1 that a measure's three cells allow; empty (low > high) if they allow none."""
        return in_both(self.by_others(f"{name} F1"), self.cells[f"{name} F1"])

    def averaged(self, name: str) -> Bounds:
        """The numbers that may have entered the average: an F1 in full, or as it is printed."""
        low, high = self.f1_allowed(name)
        if low > high:  # the printed F1 is not that of its parts, but may have been averaged
            return self.cells[f"{name} F1"]
        number = self.printed.get(f"{name} F1", low)
        return Bounds(min(low, number), max(high, number))

    def follows(self, cell: str) -> Bounds:
        """Where a missing cell of a possible row must lie."""
        if cell == AVERAGE:
            return self.by_others(AVERAGE)
        name, part = cell.rsplit(" ", 1)
        # The average leaves this F1 what the other F1 scores do not take.
        others = [self.averaged(n) for n in self.names if n != name]
        low = len(self.names) * self.cells[AVERAGE].low - sum(bounds.high for bounds in others)
        high = len(self.names) * self.cells[AVERAGE].high - sum(bounds.low for bounds in others)
        f = in_both(self.f1_allowed(name), self._entering(name, Bounds(low, high)))
        if part == "F1":
            return f
        beside = self.cells[f"{name} {'precision' if part == 'recall' else 'recall'}"]
        return Bounds(self._other_part(f.low, beside.high), self._other_part(f.high, beside.low))

    def _entering(self, name: str, needed: Bounds) -> Bounds:
        """The F1 that the average needs; any, if the printed one will do."""
        number = self.printed.get(f"{name} F1")
        will_do = number is not None and needed.low <= number <= needed.high
        return self.all if will_do else needed

    def _other_part(self, f: Fraction, part: Fraction) -> Fraction:
        """The recall (or precision) that gives F1 f with this precision (or recall)."""
        rest = 2 * part - f
        return min(self.all.high, f * part / rest) if rest > 0 else self.all.high


# --------------------------------------------------------------------------------- for people


def _between(interval: Bounds) -> str:
    return "between {} and {}".format(*outwards(interval, 3))
