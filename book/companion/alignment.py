"""The best alignment itself, of which CEAF needs the total alone."""

from __future__ import annotations

from corefeval import Contingency
from corefeval.alignment import Similarity, assign
from corefeval.contingency import Edge


def align(t: Contingency, similarity: Similarity) -> list[Edge]:
    """The pairs (i, j) of a one-to-one alignment whose similarities add up to the most.

    ``similarity(n, k, r)`` is a pair's φ ≥ 0. Each entity is in at most one pair, and no pair has
    φ = 0. `corefeval.alignment.assign` says how exact the maximum is.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b d} {c e}"))
    >>> align(t, lambda n, k, r: n)
    [(0, 0), (1, 1)]
    """
    k, r = t.key_sizes, t.response_sizes
    phi = {(i, j): similarity(n, k[i], r[j]) for (i, j), n in t.pairs.items()}
    return assign({edge: value for edge, value in phi.items() if value})
