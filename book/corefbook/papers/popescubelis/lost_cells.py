"""Popescu-Belis, what the reconstructed MUC-6 text and the reconstructed D-err give.

A cell of rows 4 to 6 is a function of its table's head: ``MRS``, ``κ`` … It gives the values of
all solutions of `lost_text` as an interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from corefbook.ledger import Bounds, Example, Figures, load
from corefbook.papers.popescubelis.distributional_error import Error, d_err
from corefbook.papers.popescubelis.lost_text import (
    MUC6,
    NAMES,
    fits,
    largest_sizes,
    outcomes,
    printed_cells,
    rounds_to,
    row_scores,
    row_table,
    solutions,
    stored,
    without,
)
from corefbook.papers.popescubelis.propositions import PAPER
from corefeval.measures.core_classes import Exclusive
from corefeval.score import Exact, Pair, Score, Tally


@cache
def solved_cell(row: str, measure: str, part: str) -> Bounds | Exact:
    """What the solutions give: an interval, or the one value that all of them have.

    Of the scores that XC can have by its ties, those count that give all three of its cells.
    """
    values = {Fraction(getattr(score.exact, part)) for score in _scores(row)[measure]}
    return Bounds(min(values), max(values)) if len(values) > 1 else values.pop()


@cache
def _scores(row: str) -> dict[str, list[Score]]:
    # Rows 4 and 5 depend on the sizes alone, which many solutions share.
    sizes = {tuple((k, 0) for k, _ in profile) for profile in solutions()}
    by_measure: dict[str, list[Score]] = {measure: [] for measure in NAMES}
    for profile, measure in product(solutions() if row == "6" else sizes, NAMES):
        by_measure[measure] += [
            score
            for score in row_scores(measure, row, profile)
            if measure != "xc" or fits(score, "xc", printed_cells()[row])
        ]
    return by_measure


def reading_of_xrs(example: Example, printed: str) -> str:
    """Which way ties have to fall for the cell, and what it would be in the other reading."""
    pronouns, rest, every = (len(solutions("core", ties)) for ties in ("pronouns", "rest", "every"))
    always = set.intersection(*map(set, solutions()))
    ((size, _),) = (shape for shape in always if 2 * shape[1] == shape[0])
    number, there = but_xrs()
    return (
        f"{len(solutions())} profiles; in all of them a class of {size}, half of them pronouns, "
        "has its tie fall to the pronouns' class, which is taken. If every tie falls that way, "
        f"{pronouns} give the cell; if all fall to the rest of the class, {rest}; however ties "
        f"fall, {every}. Under the other reading, the best class still free, {number:,} profiles "
        f"give every cell of rows 4 to 6 but this one, which would be {there}"
    )


def but_xrs() -> tuple[int, str]:
    """How many profiles give every cell but row 6's XRS in the other reading of XC, and its value.

    >>> but_xrs()
    (1543, '70%')
    """
    others = without(printed_cells(), "6", "XRS")["6"]
    reached = ({*outcomes(profile, "free")} for profile in stored())

    def score(way: tuple[int, int]) -> Score:
        return Exclusive(*way, MUC6.mentions).score(PAPER)

    scored = [[score(way) for way in each] for each in reached]
    fitting = [each for each in scored if any(fits(score, "xc", others) for score in each)]
    (value,) = {
        score.exact.recall for each in fitting for score in each if score.exact.recall is not None
    }
    return len(fitting), f"{float(value):.0%}"


# ------------------------------------------------------------ what the cells say of section 5.1


def mentions_allowed() -> Bounds:
    """How many REs row 4's B³ and row 5's MUC allow, with the 15 key classes."""
    allowed = (
        n
        for n in range(MUC6.classes + 1, 1000)
        if rounds_to(printed_cells()["4"]["BRS"], Fraction(MUC6.classes, n))
        and rounds_to(printed_cells()["5"]["MPS"], Fraction(n - MUC6.classes, n - 1))
    )
    return _span(allowed)


def classes_allowed() -> Bounds:
    """How many key classes row 4's B³ and row 5's MUC allow, with the 147 REs."""
    e = MUC6.mentions
    allowed = (
        n
        for n in range(1, e)
        if rounds_to(printed_cells()["4"]["BRS"], Fraction(n, e))
        and rounds_to(printed_cells()["5"]["MPS"], Fraction(e - n, e - 1))
    )
    return _span(allowed)


def pronoun_classes_allowed() -> Bounds:
    """How many key classes with pronouns row 6's MUC allows: each loses one link."""
    links = MUC6.mentions - MUC6.classes
    allowed = (
        n
        for n in range(MUC6.classes + 1)
        if rounds_to(printed_cells()["6"]["MRS"], Fraction(links - n, links))
        and rounds_to(printed_cells()["6"]["MPS"], Fraction(links - n, links - 1))
    )
    return _span(allowed)


def pronouns_allowed() -> Bounds:
    """How many pronouns row 6's core classes and the largest class allow."""
    (largest,) = largest_sizes(MUC6, printed_cells())
    rest = MUC6.mentions - MUC6.classes
    allowed = (
        n
        for recalled, right in _core_hits(rest)
        for n in range(1, rest)
        # What the cores of the key's classes have beyond n pronouns apart, and the most pronouns
        # of one class: this class has at least 2·most − excess mentions.
        for excess, most in [(recalled - (rest - n), right - (rest - n - 1))]
        if excess >= 0 and 1 <= most <= n and 2 * most - excess <= largest
    )
    return _span(allowed)


def _core_hits(links: int) -> Iterator[tuple[int, int]]:
    """The numerators of row 6's CRS and CPS that round to the printed cells."""
    row = printed_cells()["6"]
    recalls = [n for n in range(links + 1) if rounds_to(row["CRS"], Fraction(n, links))]
    for recalled, right in product(recalls, range(links)):
        if fits(Pair(Tally(recalled, links), Tally(right, links - 1)).score(PAPER), "c", row):
            yield recalled, right


def _span(numbers: Iterable[int]) -> Bounds:
    allowed = list(numbers)
    return Bounds(Fraction(min(allowed)), Fraction(max(allowed)))


def sizes(row: str) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Class sizes of key and response: one pair where they are published, else every solution's."""
    given = load("popescubelis_lost").examples[row].given
    if "same_as" in given:
        example = load("popescubelis").examples[given["same_as"]]
        return [(example.key.sizes, example.response.sizes)]
    tables = (row_table(row, profile) for profile in solutions())
    return [(t.key_sizes, t.response_sizes) for t in tables]


@cache
def errors(row: str) -> list[Error]:
    """The reconstructed D-err of a row, of every pair of `sizes`."""
    return [d_err(key, response) for key, response in sizes(row)]


def span(d_errs: list[Error]) -> str:
    """Write errors from the least to the greatest, in percent, with their types.

    >>> span(errors("2"))
    '41.55-r'
    """
    values = dict.fromkeys(f"{100 * end.value:.2f}" for end in (min(d_errs), max(d_errs)))
    return f"{' to '.join(values)}-{'/'.join(sorted({error.kind for error in d_errs}))}"


def by_the_formula(example: Example, printed: str) -> str:
    """What the reconstructed formula gives, and how often it gives what is printed."""
    d_errs = errors(example.name)
    said = f"the formula gives {span(d_errs)}"
    if len(d_errs) == 1:
        return said
    return f"{said}; {Counter(map(str, d_errs))[printed]} of {len(d_errs)} profiles as printed"


FIGURES: Figures = {
    head: (head, lambda example, m=measure, part=part: solved_cell(example.name, m, part))
    for measure, parts in NAMES.items()
    for head, part in parts.items()
} | {
    "d_err_of": (
        "D-err by the proposed formula, of every text that is possible",
        lambda row: " or ".join(sorted({str(error) for error in errors(row.name)})),
    ),
    "of_the_solutions": (
        "How many profiles a value is from",
        lambda example, printed: f"{len(solutions())} profiles",
    ),
}
"""The cells of rows 4 to 6, by the heads of their tables, and D-err."""
