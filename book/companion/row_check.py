"""Can the numbers of a printed row belong together?

A row has recall, precision and F1 of some measures, and the average of their F1. What is printed is
rounded, so that each cell stands for an interval of numbers. F1 grows with recall and with
precision, and the average with every F1; so the ends of intervals bound what the other cells can
be. All is exact, in fractions from 0 to 100.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.ledger import Interval
from companion.published_tables import ROUNDED, Rule
from corefeval.errors import CorefError

PARTS = ("recall", "precision", "F1")
AVERAGE = "average"
ALL = Interval(Fraction(0), Fraction(100))
NUMBER = re.compile(r"\d{1,3}(\.\d+)?")

Cells = dict[str, Interval]


@dataclass(frozen=True)
class Verdict:
    """What follows from a row's cells.

    ``possible``: some numbers are printed as the row prints them. ``wrong``: the cells of which one
    alone could be wrong, where the row is impossible; if there is one, it must be that; if there
    is none, more than one cell is wrong. ``missing``: where each missing cell must lie, in a row
    that is possible.
    """

    possible: bool
    wrong: tuple[str, ...]
    missing: Mapping[str, Interval]

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The verdict in sentences."""
        if self.possible:
            yield "Possible: there are numbers that are printed like this."
        elif not self.wrong:
            yield "Impossible, and more than one cell must be wrong."
        elif len(self.wrong) == 1:
            yield f"Impossible. If one cell alone is wrong, it is {self.wrong[0]}."
        else:
            cells = ", ".join(self.wrong[:-1])
            yield f"Impossible. One wrong cell would explain it: {cells} or {self.wrong[-1]}."
        for cell, (low, high) in self.missing.items():
            yield f"{cell} lies between {float(low):.3f} and {float(high):.3f}."


def check(
    measures: Mapping[str, Sequence[str]], average: str = "", rule: Rule = ROUNDED
) -> Verdict:
    """The verdict on a row.

    ``measures`` has recall, precision and F1 of each measure as texts in percent, as they are
    printed ("70.5": the decimals count); "" is a cell that is missing. ``average`` is the printed
    mean of all F1. ``rule`` says how numbers were made prints: rounded, or cut off.

    Raises `CorefError` for a cell that is no number from 0 to 100, and for a row without cells.

    >>> check({"MUC": ("79.2", "73.6", "76.3")})
    Possible: there are numbers that are printed like this.
    >>> check({"MUC": ("79.2", "73.6", "77.3")})
    Impossible. One wrong cell would explain it: MUC recall, MUC precision or MUC F1.
    >>> check({"MUC": ("50", "50", "50"), "B³": ("40", "40", "40")}, "54")
    Impossible. If one cell alone is wrong, it is average.
    >>> check({"MUC": ("79.2", "", "76.3")})
    Possible: there are numbers that are printed like this.
    MUC precision lies between 73.469 and 73.741.
    """
    texts = {
        f"{name} {part}": text.strip()
        for name, cells in measures.items()
        for part, text in zip(PARTS, _three(name, cells), strict=True)
    } | {AVERAGE: average.strip()}
    row = {cell: _behind(cell, text, rule) for cell, text in texts.items()}
    if not any(texts.values()):
        raise CorefError("the row is empty: expected at least one printed number")
    names = list(measures)
    possible = _possible(names, row)
    printed = [cell for cell, text in texts.items() if text]
    wrong = () if possible else tuple(c for c in printed if _possible(names, row | {c: ALL}))
    missing = {
        cell: _follows(names, row, cell) for cell, text in texts.items() if possible and not text
    }
    if len(names) == 1:
        missing.pop(AVERAGE, None)  # of one measure it is that measure's F1
    useful = {cell: interval for cell, interval in missing.items() if interval != ALL}
    return Verdict(possible, wrong, useful)


def _three(name: str, cells: Sequence[str]) -> Sequence[str]:
    if len(cells) != len(PARTS):
        raise CorefError(f"{name}: expected recall, precision and F1, got {len(cells)} cells")
    return cells


def _behind(cell: str, text: str, rule: Rule) -> Interval:
    """The numbers that a cell may stand for."""
    if not text:
        return ALL
    if not NUMBER.fullmatch(text) or Fraction(text) > 100:
        raise CorefError(f"{cell}: {text!r} is no number from 0 to 100, such as 70.5")
    return _both(rule.behind(text), ALL)


def _both(a: Interval, b: Interval) -> Interval:
    """What two intervals share; empty (low > high) if nothing."""
    return Interval(max(a.low, b.low), min(a.high, b.high))


def _f1(recall: Fraction, precision: Fraction) -> Fraction:
    both = recall + precision
    return 2 * recall * precision / both if both else Fraction(0)


def _f1_left(name: str, row: Cells) -> Interval:
    """The F1 that a measure's three cells allow."""
    recall, precision = row[f"{name} recall"], row[f"{name} precision"]
    by_parts = Interval(_f1(recall.low, precision.low), _f1(recall.high, precision.high))
    return _both(by_parts, row[f"{name} F1"])


def _mean(intervals: Sequence[Interval]) -> Interval:
    low, high = (sum(ends, Fraction(0)) / len(ends) for ends in zip(*intervals, strict=True))
    return Interval(low, high)


def _possible(names: Sequence[str], row: Cells) -> bool:
    left = [_f1_left(name, row) for name in names]
    average = _both(_mean(left), row[AVERAGE])
    return all(low <= high for low, high in [*left, average])


def _follows(names: Sequence[str], row: Cells, cell: str) -> Interval:
    """Where a missing cell of a possible row must lie."""
    left = {name: _f1_left(name, row) for name in names}
    if cell == AVERAGE:
        return _mean(list(left.values()))
    name, part = cell.rsplit(" ", 1)
    # The average leaves this F1 what the other F1 scores do not take.
    others = [interval for other, interval in left.items() if other != name]
    low = len(names) * row[AVERAGE].low - sum(interval.high for interval in others)
    high = len(names) * row[AVERAGE].high - sum(interval.low for interval in others)
    f = _both(left[name], Interval(low, high))
    if part == "F1":
        return f
    beside = row[f"{name} {'precision' if part == 'recall' else 'recall'}"]
    return Interval(_other(f.low, beside.high), _other(f.high, beside.low))


def _other(f: Fraction, part: Fraction) -> Fraction:
    """The recall (or precision) that gives F1 f with this precision (or recall); at most 100."""
    rest = 2 * part - f
    return min(ALL.high, f * part / rest) if rest > 0 else ALL.high
