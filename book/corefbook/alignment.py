"""The best alignment itself, of which CEAF needs only the total."""

from __future__ import annotations

from typing import Any

from corefeval import Contingency
from corefeval.overlap.alignment import Similarity, assign, settle
from corefeval.overlap.contingency import Edge
from corefeval.overlap.partition import as_partition


def align(t: Contingency, similarity: Similarity) -> list[Edge]:
    """The pairs (i, j) of a one-to-one alignment whose similarities add up to the most.

    ``similarity(n, k, r)`` is a pair's φ ≥ 0. Each entity is in at most one pair, and no pair has
    φ = 0. `corefeval.overlap.alignment.assign` says how exact the maximum is.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b d} {c e}"))
    >>> align(t, lambda n, k, r: n)
    [(0, 0), (1, 1)]
    """
    k, r = t.key_sizes, t.response_sizes
    phi = {(i, j): similarity(n, k[i], r[j]) for (i, j), n in t.pairs.items()}
    return assign({edge: value for edge, value in phi.items() if value})


def pairs_to_search(key: Any, response: Any) -> int:
    """Count the pairs that `corefeval.overlap.alignment.settle` leaves to a search, by φ₃.

    >>> pairs_to_search("{a b} {c d}", "{a b} {c d}"), pairs_to_search("{a b} {c d}", "{a c} {b d}")
    (0, 4)
    """
    t = Contingency.of(as_partition(key), as_partition(response))
    shared = {(n, k, r): n for n, k, r in t.triples}
    return len(settle(t, shared)[1])
