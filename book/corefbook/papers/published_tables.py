"""Result tables whose inputs are not public: do R, P, F1 and their average fit each other?

A table's rows are examples of the ledger: a system, and the texts of its cells. What is printed is
a rounded number, and rounding is a `Rule`: which numbers does a print stand for? F1 grows with
recall and with precision, and an average with each F1, so the ends of intervals bound them. All
is exact; percentages are numbers from 0 to 100.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from corefbook.ledger import Example, Figures, load
from corefeval.published.intervals import CUT as CUT
from corefeval.published.intervals import ROUNDED, Bounds, Rule
from corefeval.published.intervals import unit as unit
from corefeval.registry import MEASURES
from corefeval.score import f1

AVERAGED = ("muc", "b3", "ceafe")
"""The measures of the CoNLL score."""


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
    examples: dict[str, dict[str, str]] = {}
    for group in content["figures"]:
        for figure in group["rows"]:
            name = figure["measure"].replace("_f1", ".f1")
            examples.setdefault(group["example"], {})[name] = figure["printed"]
    return examples


# ------------------------------------------------------------------ what the cells allow


def f_between(row: Example, measure: str, rule: Rule = ROUNDED) -> Bounds:
    """Every F1 of a recall and a precision that are printed as in this row.

    >>> low, high = f_between(rows_of("lee2018")[0], "muc")
    >>> f"{float(low):.4f} to {float(high):.4f}"
    '72.0944 to 72.1948'
    """
    recall, precision = (rule.behind(row.given[f"{measure}.{p}"]) for p in ("recall", "precision"))
    return Bounds(f1(recall.low, precision.low), f1(recall.high, precision.high))


def f_left(row: Example, measure: str, rule: Rule = ROUNDED) -> Bounds:
    """The part of `f_between` that is printed as the row's F1; empty (low > high) if none is."""
    by_parts, by_print = f_between(row, measure, rule), rule.behind(row.given[f"{measure}.f1"])
    return Bounds(max(by_parts.low, by_print.low), min(by_parts.high, by_print.high))


def average_between(row: Example, rule: Rule = ROUNDED) -> Bounds:
    """The mean of the three F1 scores, each as the row leaves it."""
    left = [f_left(row, measure, rule) for measure in AVERAGED]
    return Bounds(*(sum(ends, Fraction(0)) / len(ends) for ends in zip(*left, strict=True)))


# ------------------------------------------------------------------------- for the ledger


def _share(percent: Bounds) -> Bounds:
    """A percentage as a number up to 1, as the ledger compares them."""
    return Bounds(percent.low / 100, percent.high / 100)


FIGURES: Figures = {
    f"{m}_f1": (f"{MEASURES[m].title} F1", lambda row, m=m: _share(f_between(row, m)))
    for m in AVERAGED
} | {"average": ("Average", lambda row: _share(average_between(row)))}
"""What bounds each printed figure, by its name in the data."""


def from_printed_f(row: Example, printed: str) -> str:
    """The mean of the three printed F1 scores."""
    mean = sum((Fraction(row.given[f"{m}.f1"]) for m in AVERAGED), Fraction(0)) / len(AVERAGED)
    return f"the mean of the printed F1 is {float(mean):.4f}"
