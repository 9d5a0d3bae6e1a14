"""Recasens 2010: eight responses, each given by the entities in which it differs from the key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.ledger import Example, display
from corefeval.partition import Mention, Partition
from corefeval.registry import metric
from corefeval.score import Pair


def spelled_out(content: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The examples of the paper's file with their key and response in full."""
    first, last = content["key"]["singletons"]
    several = Partition.parse(content["key"]["entities"])
    key = Partition([*several, *([str(m)] for m in range(first, last + 1))])
    return {
        name: {**given, "key": str(key), "response": str(changed(key, given["change"]))}
        for name, given in content["examples"].items()
    }


def changed(key: Partition, change: str) -> Partition:
    """The key with the entities of ``change``, whose mentions leave those that they were in.

    ``change`` may also be "all singletons" or "one entity".

    >>> key = Partition.parse("{a b c} {d} {e}")
    >>> changed(key, "{a d}"), changed(key, "{b} {c}"), changed(key, "one entity")
    (Partition('{a d} {b c} {e}'), Partition('{b} {c} {a} {d} {e}'), Partition('{a b c d e}'))
    """
    mentions: list[Mention] = list(key.entity_of)
    if change == "all singletons":
        return Partition([mention] for mention in mentions)
    if change == "one entity":
        return Partition([mentions])
    new = Partition.parse(change)
    left = ([m for m in entity if m not in new.mentions] for entity in key)
    return Partition([*new, *filter(None, left)])


def muc_f1(example: Example) -> str:
    """MUC's F1 without a convention for 0/0: undefined where recall or precision is 0/0."""
    score = metric("muc")(example.key, example.response)
    assert isinstance(score.counts, Pair)
    defined = score.counts.recall.total and score.counts.precision.total
    return display(score.f1, "%") if defined else "undefined"


def by_convention(example: Example, printed: str) -> str:
    """What the conventions for 0/0 make of it."""
    scores = {
        zero: metric("muc", zero=zero)(example.key, example.response).f1 for zero in ("zero", "one")
    }
    return ", ".join(f"the convention zero={zero!r} makes F1 {f1}" for zero, f1 in scores.items())
