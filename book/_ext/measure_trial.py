"""What the conventions do to a measure, found by trying them on small keys and responses."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

from companion.enumeration import partitions
from companion.pages.playground import OFFERED

from corefeval import CorefError, metric

Side = list[list[str]]

SMALL = [
    side
    for size in range(4)
    for mentions in combinations("abc", size)
    for side in partitions(mentions)
]
"""Every key or response of up to three mentions."""

TAKEN = [["a", "b", "c"], ["d", "e", "f"]], [["a", "b", "c", "d", "e"], ["f"]]
"""The two key entities want the same response entity."""

REPEATED = [["a", "b"], ["c"]], [["a"], ["a", "b"]]

PAIRS = [*product(SMALL, SMALL), TAKEN, REPEATED]


class Effects(NamedTuple):
    """The choices of a convention, apart from its default, by what they do to a measure."""

    changes: list[str]
    refused: list[str]
    none: list[str]


def effects(name: str) -> dict[str, Effects]:
    """By convention, what its choices do to the measure's score of any pair that is tried."""
    found = {}
    for convention, choices in OFFERED.items():
        by_effect = Effects([], [], [])
        for choice in [*choices][1:]:
            getattr(by_effect, _effect(name, convention, choice)).append(choice)
        found[convention] = by_effect
    return found


def undefined(name: str) -> tuple[Side, Side] | None:
    """A pair of at least one mention on either side whose score the convention ``zero`` decides."""
    for key, response in product(SMALL, SMALL):
        if (
            key
            and response
            and _scored(name, key, response) != _scored(name, key, response, zero="one")
        ):
            return key, response
    return None


def _effect(name: str, convention: str, choice: str) -> str:
    for key, response in PAIRS:
        chosen = _scored(name, key, response, **{convention: choice})
        if chosen != _scored(name, key, response):
            return "refused" if chosen is None else "changes"
    return "none"


def _scored(name: str, key: Side, response: Side, **chosen: str) -> list[float | None] | None:
    try:
        score = metric(name, **chosen)(key, response)
    except CorefError:
        return None
    # Sums of logarithms may differ in their last digits.
    return [None if part is None else round(float(part), 9) for part in score.exact]
