"""Popescu-Belis, what the reconstructed MUC-6 text and the reconstructed D-err give.

A cell of rows 4 to 6 is a function of its table's head: ``MRS``, ``κ`` … It gives the values of
all solutions of `lost_text` as an interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from companion.ledger import Example, Interval, load
from companion.popescubelis.lost_text import NAMES, fits, printed, scores, solutions, table
from corefeval.measures.derr import Error, Width, between_outer_bars, d_err
from corefeval.score import Exact, Score


def __getattr__(name: str) -> Callable[[Example], Interval | Exact]:
    for measure, parts in NAMES.items():
        if name in parts:
            return lambda example: cell(example.name, measure, parts[name])
    raise AttributeError(name)


@cache
def cell(row: str, measure: str, part: str) -> Interval | Exact:
    """What the solutions give: an interval, or the one value that all of them have.

    Of the scores that XC can have by its ties, those count that give all three of its cells.
    """
    values = {Fraction(getattr(score, part)) for score in _scores(row, measure)}
    return Interval(min(values), max(values)) if len(values) > 1 else values.pop()


@cache
def _scores(row: str, measure: str) -> list[Score]:
    # Rows 4 and 5 depend on the sizes alone, which many solutions share.
    sizes = {tuple((k, 0) for k, _ in profile) for profile in solutions()}
    return [
        score
        for profile in (solutions() if row == "6" else sizes)
        for score in scores(measure, row, profile)
        if measure != "xc" or fits(score, "xc", printed()[row])
    ]


def of_the_solutions(example: Example, printed: str) -> str:
    """How many profiles a value is from."""
    return f"{len(solutions())} profiles"


def sizes(row: str) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Class sizes of key and response: one pair where they are published, else every solution's."""
    given = load("popescubelis_lost").examples[row].given
    if "same_as" in given:
        example = load("popescubelis").examples[given["same_as"]]
        return [(example.key.sizes, example.response.sizes)]
    tables = (table(row, profile) for profile in solutions())
    return [(t.key_sizes, t.response_sizes) for t in tables]


@cache
def errors(row: str, width: Width = between_outer_bars) -> list[Error]:
    """The reconstructed D-err of a row, of every pair of `sizes`."""
    return [d_err(key, response, width) for key, response in sizes(row)]


def span(found: list[Error]) -> str:
    """From the least to the greatest, in percent, and the types.

    >>> span(errors("2"))
    '41.55-r'
    """
    values = dict.fromkeys(f"{100 * end.value:.2f}" for end in (min(found), max(found)))
    return f"{' to '.join(values)}-{'/'.join(sorted({error.kind for error in found}))}"


def d_err_of(example: Example) -> str:
    """The reconstructed D-err as it would be printed: all that there are."""
    return " or ".join(sorted({str(error) for error in errors(example.name)}))


def by_the_formula(example: Example, printed: str) -> str:
    """What the reconstructed formula gives, and how often it gives what is printed."""
    found = errors(example.name)
    said = f"the formula gives {span(found)}"
    if len(found) == 1:
        return said
    return f"{said}; {Counter(map(str, found))[printed]} of {len(found)} profiles as printed"
