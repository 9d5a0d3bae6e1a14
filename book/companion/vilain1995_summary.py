"""A summary of Vilain et al. 1995: which formula gives the scores that it reports?"""

from __future__ import annotations

from fractions import Fraction

from companion.ledger import Example
from companion.vilain1995 import (
    entities,
    how_many_entities,
    necessary_links,
    provided_links,
    size,
)
from corefeval.registry import metric

__all__ = ["entities", "how_many_entities", "necessary_links", "provided_links", "size"]


def recall_formula(example: Example) -> str:
    """The ratio of counts over the key that equals the recall."""
    return _formula(example, "key", metric("muc")(example.key, example.response).recall)


def precision_formula(example: Example) -> str:
    """The ratio of counts over the response that equals the precision."""
    return _formula(example, "response", metric("muc")(example.key, example.response).precision)


def _formula(example: Example, side: str, score: Fraction | None) -> str:
    minimal = necessary_links(example, side)
    candidates = {
        "missing": minimal - provided_links(example, side),
        "correct": provided_links(example, side),
    }
    fitting = [name for name, count in candidates.items() if Fraction(count, minimal) == score]
    return " and ".join(f"{name} links / minimal number of correct links" for name in fitting)
