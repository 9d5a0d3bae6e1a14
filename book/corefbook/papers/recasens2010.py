"""Recasens 2010: eight responses, each given by the entities in which it differs from the key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corefbook.ledger import Example
from corefeval.overlap.partition import Mention, Partition
from corefeval.score import Pair
from corefeval.scoring import metric


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


def muc_undefined(example: Example) -> bool:
    """Whether MUC's recall or precision is 0/0, so that F1 is undefined without a convention"""
    counts = metric("muc")(example.key, example.response).counts
    assert isinstance(counts, Pair)
    return 0 in (counts.recall.total, counts.precision.total)


def by_convention(example: Example, printed: str) -> str:
    """What the conventions for 0/0 make of it."""
    scores = {
        zero: metric("muc", zero=zero)(example.key, example.response).exact.f1
        for zero in ("zero", "one")
    }
    return ", ".join(f"the convention zero={zero!r} makes F1 {f1}" for zero, f1 in scores.items())
