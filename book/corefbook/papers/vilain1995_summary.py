"""A summary of Vilain et al. 1995: do its formulas give the scores that it reports?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from corefbook.enumeration import pairs_up_to
from corefbook.ledger import Example, Figures, Search
from corefbook.papers.counted import exact
from corefbook.papers.vilain1995 import necessary_links, provided_links
from corefeval.scoring import metric


def _is_score(side: str, part: str, counted: Callable[[Example, str], int]) -> Search:
    def by_formula(each: Example) -> Fraction:
        return Fraction(counted(each, side), necessary_links(each, side))

    def score(each: Example) -> Fraction:
        return exact(getattr(metric("muc")(each.key, each.response).exact, part))

    every = (Example.of(*pair) for pair in pairs_up_to(4))
    return Search.of(
        "keys and responses of up to four mentions",
        (each for each in every if necessary_links(each, side)),
        lambda each: by_formula(each) == score(each),
        lambda each: f"{each}: {by_formula(each)}, but {part} is {score(each)}",
    )


FIGURES: Figures = {
    "missing_over_correct": (
        "Whether recall is the missing links over the links necessary",
        lambda: _is_score(
            "key",
            "recall",
            lambda each, side: necessary_links(each, side) - provided_links(each, side),
        ),
    ),
    "provided_over_correct": (
        "Whether precision is the correct links over the links necessary",
        lambda: _is_score("response", "precision", provided_links),
    ),
}
