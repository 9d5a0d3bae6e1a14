"""A summary of Vilain et al. 1995: do its formulas give the scores that it reports?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from companion.enumeration import pairs_up_to
from companion.ledger import Example, Search
from companion.papers.counted import missing_links, names
from companion.papers.vilain1995 import necessary_links, provided_links
from corefeval.scoring import metric


@cache
def missing_over_correct() -> Search:
    """Whether recall is the missing links over the links necessary"""
    return _is_score("key", "recall", _missing)


@cache
def provided_over_correct() -> Search:
    """Whether precision is the correct links over the links necessary"""
    return _is_score("response", "precision", provided_links)


def _missing(example: Example, side: str) -> int:
    return sum(missing_links(example, of) for of in names(example, side))


def _is_score(side: str, part: str, counted: Callable[[Example, str], int]) -> Search:
    cases = 0
    for key, response in pairs_up_to(4):
        example = Example("", {"key": str(key), "response": str(response)})
        score = getattr(metric("muc")(key, response).exact, part)
        necessary = necessary_links(example, side)
        if not necessary:
            continue
        cases += 1
        if (value := Fraction(counted(example, side), necessary)) != score:
            found = f"key {key}, response {response}: {value}, but {part} is {score}"
            return Search(cases, "", found)
    return Search(cases, "keys and responses of up to four mentions")
