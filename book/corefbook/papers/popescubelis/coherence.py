"""Popescu-Belis's coherence criteria on all small inputs."""

from __future__ import annotations

from collections.abc import Callable

from corefbook.enumeration import up_to
from corefbook.papers.popescubelis.propositions import same, score
from corefeval.overlap.contingency import Contingency

COMPARED = ("muc", "b3", "b3_class", "c", "xc", "h", "kappa", "dmt")


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
