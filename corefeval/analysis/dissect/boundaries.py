"""Mentions that both sides nearly have: missed and invented ones whose places overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from corefeval.partition import is_span


def at_boundaries(missed: Sequence[Any], invented: Sequence[Any]) -> int | None:
    """How many of the missed and of the invented mentions overlap one of the other kind.

    A mention is a pair (first, last) of places, both included, or a sentence with its nodes, as in
    CorefUD. None if some mention is neither.

    >>> at_boundaries([(0, 3), (7, 9)], [(2, 3), (3, 4), (20, 21)])
    3
    >>> at_boundaries(["Ann"], [(1, 2)]) is None
    True
    """
    every = (*missed, *invented)
    if all(map(is_span, every)):
        return _count_overlapping(missed, invented) + _count_overlapping(invented, missed)
    if all(hasattr(mention, "nodes") for mention in every):
        return _sharing(missed, invented) + _sharing(invented, missed)
    return None


def _count_overlapping(here: Iterable[Any], there: Iterable[Any]) -> int:
    """How many mentions here overlap any there; linear, once both are sorted."""
    starts = sorted(there)
    found, last, at = 0, -1, 0
    # Of those there that begin before the end of a mention here, the one that reaches farthest.
    for first, end in sorted(here, key=lambda mention: mention[1]):
        # Both lists are sorted, so no mention is looked at twice.
        while at < len(starts) and starts[at][0] <= end:
            last = max(last, starts[at][1])
            at += 1
        found += last >= first
    return found


def _sharing(here: Iterable[Any], there: Iterable[Any]) -> int:
    """How many mentions here share a node with any there."""
    nodes = {(mention.sentence, node) for mention in there for node in mention.nodes}
    return sum(any((each.sentence, node) in nodes for node in each.nodes) for each in here)
