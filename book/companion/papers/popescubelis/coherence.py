"""Popescu-Belis's coherence criteria on all small inputs, and what hangs on how ties of XC fall.

H is a double: two scores that differ by less than `TOLERANCE` count as equal, and no two scores up
to eight mentions are near it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from companion.enumeration import how_many, profiles, responses, up_to
from companion.papers.popescubelis.propositions import same, score, xc_scores
from corefeval.contingency import Contingency

TOLERANCE = 1e-9
COMPARED = ("muc", "b3", "b3_class", "c", "xc", "h", "kappa", "dmt")


# ------------------------------------------------------------------- coherence criteria


def unresolved(t: Contingency) -> bool:
    """Whether the response is nothing but singletons, and wrong."""
    return t.T.key_entities == t.key_mentions and not same(t)


def all_together(t: Contingency) -> bool:
    """Whether the response is one entity, and wrong."""
    return t.T.key_entities == 1 and not same(t)


def no_right_link(t: Contingency) -> bool:
    """Whether no two mentions are rightly together, and the response is not perfect."""
    return max(t.pairs.values()) == 1 and not same(t)


def is_zero(name: str, t: Contingency) -> bool:
    """Whether the measure gives 0, or less: κ does."""
    return bool(score(name, t) <= 0)


CRITERIA: dict[str, Callable[[str, Contingency], bool]] = {
    "1": lambda name, t: (score(name, t) == 1) == same(t),
    "3 crude": lambda name, t: not is_zero(name, t) or unresolved(t) or all_together(t),
    "4 unresolved": lambda name, t: is_zero(name, t) or not unresolved(t),
    "4 together": lambda name, t: is_zero(name, t) or not all_together(t),
    "3 no link": lambda name, t: not is_zero(name, t) or no_right_link(t),
    "4 no link": lambda name, t: is_zero(name, t) or not no_right_link(t),
}
"""What each criterion asks of a measure on one table, by number and by who is the worst."""


def no_zero(name: str, mentions: int) -> Contingency | None:
    """The lowest that a key of two mentions or more can get, if that is above 0; smallest key."""
    lowest: dict[tuple[int, ...], Contingency] = {}
    for t in up_to(mentions):
        key = tuple(sorted(t.key_sizes))
        if t.key_mentions > 1 and (key not in lowest or score(name, t) < score(name, lowest[key])):
            lowest[key] = t
    return next((t for t in lowest.values() if not is_zero(name, t)), None)


# ----------------------------------------------------------------------- ties of XC


def above(one: Any, other: Any) -> bool:
    """Whether the first score is higher, and not only by rounding."""
    return bool(one - other > TOLERANCE)


def xc_rates(mentions: int, other: str) -> tuple[Fraction, Fraction]:
    """The least and the greatest share of pairs of responses in which XC contradicts a measure.

    All keys of that many mentions, and all pairs of responses to each. The least counts the pairs
    that XC ranks the other way however its ties fall, the greatest those that it ranks the other
    way if they fall in some way.

    >>> [str(share) for share in xc_rates(4, "b3")]
    ['0', '16/175']
    """
    surely = possibly = pairs = 0
    for sizes in profiles(mentions):
        keys = how_many(sizes)
        judged = [(score(other, t), xc_scores(t), n) for t, n in responses(sizes)]
        pairs += keys * sum(n * (n - 1) // 2 for *_, n in judged)
        for (one, xc_one, n), (two, xc_two, m) in combinations(judged, 2):
            pairs += keys * n * m
            if above(one, two) or above(two, one):
                low, high = (xc_one, xc_two) if above(one, two) else (xc_two, xc_one)
                surely += keys * n * m * above(high[0].f1, low[-1].f1)
                possibly += keys * n * m * above(high[-1].f1, low[0].f1)
    return Fraction(surely, pairs), Fraction(possibly, pairs)
