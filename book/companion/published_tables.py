"""Result tables whose inputs are not public: do R, P, F1 and their average fit each other?

A table's rows are examples of the ledger: a system, and the texts of its cells. What is printed is
a rounded number, and rounding is a `Rule`: which numbers does a print stand for? F1 grows with
recall and with precision, and an average with each F1, so the ends of intervals bound them. All
is exact; percentages are numbers from 0 to 100.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from companion.ledger import Example, Interval, load
from corefeval.score import f1

AVERAGED = ("muc", "b3", "ceafe")
"""The measures of the CoNLL average."""


def rows_of(paper: str) -> list[Example]:
    """The rows of a table, in its order.

    >>> [row.name for row in rows_of("shared_task_2012")][:2]
    ['Fernandes et al.', 'Björkelund and Kuhn']
    """
    return list(load(paper).examples.values())


def cells(content: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The printed figures of a file as examples: the cells of each row, by measure and part.

    >>> rows_of("lee2018")[-1].name, rows_of("lee2018")[-1].given["average"]
    ('+ second-order inference', '73.0')
    """
    found: dict[str, dict[str, str]] = {}
    for group in content["figures"]:
        for figure in group["rows"]:
            name = figure["measure"].replace("_f1", ".f1")
            found.setdefault(group["example"], {})[name] = figure["printed"]
    return found


# ------------------------------------------------------------------------------- rounding


@dataclass(frozen=True)
class Rule:
    """How numbers become prints: by rounding to the nearest, or by cutting off."""

    name: str
    of_number: Callable[[Fraction, Fraction], Fraction]
    below: Fraction
    """How far below its print a number may be, in units of the last digit."""

    def behind(self, text: str) -> Interval:
        """The numbers that a print may stand for; ends are taken in, since ties are unknown.

        >>> ROUNDED.behind("70.5") == Interval(Fraction("70.45"), Fraction("70.55"))
        True
        >>> CUT.behind("70.5") == Interval(Fraction("70.5"), Fraction("70.6"))
        True
        """
        low = Fraction(text) - self.below * unit(text)
        return Interval(low, low + unit(text))

    def gives(self, number: Fraction, text: str) -> bool:
        """Whether this very number is printed so.

        >>> ROUNDED.gives(Fraction("70.46"), "70.5"), CUT.gives(Fraction("70.46"), "70.5")
        (True, False)
        """
        return self.of_number(number, unit(text)) == Fraction(text)

    def unlike(self, row: Example, shorter: Example) -> list[str]:
        """The cells of a row that this rule does not make those of the same row with fewer digits.

        >>> ROUNDED.unlike(rows_of("shared_task_2012")[4], rows_of("lee2018")[1])
        []
        """
        return [c for c, t in row.given.items() if not self.gives(Fraction(t), shorter.given[c])]


def unit(text: str) -> Fraction:
    """One in the last digit.

    >>> unit("70.5"), unit("70")
    (Fraction(1, 10), Fraction(1, 1))
    """
    return Fraction(1, 10 ** len(text.partition(".")[2]))


def _nearest(number: Fraction, unit: Fraction) -> Fraction:
    return floor(number / unit + Fraction(1, 2)) * unit


def _cut_off(number: Fraction, unit: Fraction) -> Fraction:
    return floor(number / unit) * unit


ROUNDED = Rule("rounded", _nearest, Fraction(1, 2))
CUT = Rule("cut off", _cut_off, Fraction(0))


# ------------------------------------------------------------------ what the cells allow


def f_between(row: Example, measure: str, rule: Rule = ROUNDED) -> Interval:
    """Every F1 of a recall and a precision that are printed as in this row.

    >>> low, high = f_between(rows_of("lee2018")[0], "muc")
    >>> f"{float(low):.4f} to {float(high):.4f}"
    '72.0944 to 72.1948'
    """
    recall, precision = (rule.behind(row.given[f"{measure}.{p}"]) for p in ("recall", "precision"))
    return Interval(f1(recall.low, precision.low), f1(recall.high, precision.high))


def f_left(row: Example, measure: str, rule: Rule = ROUNDED) -> Interval:
    """The part of `f_between` that is printed as the row's F1; empty (low > high) if none is."""
    by_parts, by_print = f_between(row, measure, rule), rule.behind(row.given[f"{measure}.f1"])
    return Interval(max(by_parts.low, by_print.low), min(by_parts.high, by_print.high))


def average_between(row: Example, rule: Rule = ROUNDED) -> Interval:
    """The mean of the three F1 scores, each as the row leaves it."""
    left = [f_left(row, measure, rule) for measure in AVERAGED]
    return Interval(*(sum(ends, Fraction(0)) / len(ends) for ends in zip(*left, strict=True)))


def average_left(row: Example, rule: Rule = ROUNDED) -> Interval:
    """The part of `average_between` that is printed as the row's average."""
    by_f, by_print = average_between(row, rule), rule.behind(row.given["average"])
    return Interval(max(by_f.low, by_print.low), min(by_f.high, by_print.high))


def adds_up(row: Example, rule: Rule = ROUNDED) -> bool:
    """Whether some recalls and precisions give all that the row prints."""
    left = [f_left(row, measure, rule) for measure in AVERAGED] + [average_left(row, rule)]
    return all(low <= high for low, high in left)


# ------------------------------------------------------------------------- for the ledger


def _share(percent: Interval) -> Interval:
    """As a number up to 1, as the ledger compares percentages."""
    return Interval(percent.low / 100, percent.high / 100)


def muc_f1(row: Example) -> Interval:
    return _share(f_between(row, "muc"))


def b3_f1(row: Example) -> Interval:
    return _share(f_between(row, "b3"))


def ceafe_f1(row: Example) -> Interval:
    return _share(f_between(row, "ceafe"))


def average(row: Example) -> Interval:
    return _share(average_between(row))


def from_printed_f(row: Example, printed: str) -> str:
    """The mean of the three printed F1 scores."""
    return f"the mean of the printed F1 is {float(mean_of_prints(row)):.4f}"


# -------------------------------------------------------------------- rounded on the way


def f_of_prints(row: Example, measure: str) -> Fraction:
    """F1 of the printed recall and precision.

    >>> f"{float(f_of_prints(rows_of('lee2018')[0], 'muc')):.4f}"
    '72.1446'
    """
    recall, precision = (Fraction(row.given[f"{measure}.{p}"]) for p in ("recall", "precision"))
    return Fraction(f1(recall, precision))


def mean_of_prints(row: Example) -> Fraction:
    """The mean of the printed F1 scores."""
    return sum((Fraction(row.given[f"{m}.f1"]) for m in AVERAGED), Fraction(0)) / len(AVERAGED)


@dataclass(frozen=True)
class Hypothesis:
    """A way in which F1 scores, or averages, may have come to be."""

    name: str
    cells: tuple[str, ...]
    """What it is about: the measures, or the average."""
    explains: Callable[[Example, str], bool]
    """Whether what a row prints in a cell can have come to be so."""

    def unexplained(self, rows: list[Example]) -> list[str]:
        """The cells that cannot, by system and cell.

        >>> [len(h.unexplained(rows_of("lee2018"))) for h in HYPOTHESES[-2:]]
        [1, 1]
        """
        return [f"{r.name}, {c}" for r in rows for c in self.cells if not self.explains(r, c)]


def _f_from_all(rule: Rule) -> Hypothesis:
    def explains(row: Example, measure: str) -> bool:
        low, high = f_left(row, measure, rule)
        return low <= high

    return Hypothesis(f"F1 of scores in full, all {rule.name}", AVERAGED, explains)


def _f_from_prints(rule: Rule) -> Hypothesis:
    return Hypothesis(
        f"F1 of the printed scores, {rule.name}",
        AVERAGED,
        lambda row, m: rule.gives(f_of_prints(row, m), row.given[f"{m}.f1"]),
    )


def _average_from_all(of: Rule, rule: Rule) -> Hypothesis:
    def explains(row: Example, cell: str) -> bool:
        behind, found = rule.behind(row.given[cell]), average_between(row, of)
        return found.low <= behind.high and behind.low <= found.high

    name = f"mean of F1 in full, {rule.name}; each F1 {of.name}"
    return Hypothesis(name, ("average",), explains)


def _average_from_prints(rule: Rule) -> Hypothesis:
    return Hypothesis(
        f"mean of the printed F1, {rule.name}",
        ("average",),
        lambda row, cell: rule.gives(mean_of_prints(row), row.given[cell]),
    )


RULES = (ROUNDED, CUT)
HYPOTHESES = [
    *map(_f_from_all, RULES),
    *map(_f_from_prints, RULES),
    *(_average_from_all(of, rule) for of in RULES for rule in RULES),
    *map(_average_from_prints, RULES),
]


# ---------------------------------------------------------- how much such a check can find


def misprinted(row: Example) -> Iterator[tuple[str, Example]]:
    """The row with one digit of one cell changed, in every possible way; and which cell.

    >>> row = Example("", {"average": "7.0"})
    >>> [other.given["average"] for _, other in misprinted(row)][:10]
    ['0.0', '1.0', '2.0', '3.0', '4.0', '5.0', '6.0', '8.0', '9.0', '7.1']
    """
    for cell, text in row.given.items():
        for place, digit in enumerate(text):
            for other in "0123456789" if digit != "." else "":
                if other != digit:
                    changed = text[:place] + other + text[place + 1 :]
                    yield cell, Example(row.name, {**row.given, cell: changed})


def exchanged(row: Example, measure: str) -> Example:
    """The row with recall and precision of a measure exchanged.

    >>> exchanged(rows_of("lee2018")[0], "muc").given["muc.recall"]
    '76.7'
    """
    recall, precision = f"{measure}.recall", f"{measure}.precision"
    given = row.given
    return Example(row.name, {**given, recall: given[precision], precision: given[recall]})


# ------------------------------------------------------------------- differences of systems


def difference(one: Interval, other: Interval) -> Interval:
    """All differences of a number of the first interval and one of the second.

    >>> difference(ROUNDED.behind("73.0"), ROUNDED.behind("72.6")) == Interval(
    ...     Fraction("0.3"), Fraction("0.5"))
    True
    """
    return Interval(one.low - other.high, one.high - other.low)


def from_to(interval: Interval, decimals: int) -> str:
    """An interval for people.

    >>> from_to(Interval(Fraction(1, 3), Fraction(1, 2)), 2)
    '0.33 to 0.50'
    """
    return " to ".join(f"{float(end):.{decimals}f}" for end in interval)
