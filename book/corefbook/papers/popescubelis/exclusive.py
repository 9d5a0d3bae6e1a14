"""Section 3.5.4: the scores of exclusive core classes for every way to settle their ties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from functools import cache

from corefeval.overlap.contingency import Contingency
from corefeval.overlap.twinless import completed


def reachable(t: Contingency, exclusive: str = "core") -> set[tuple[int, int]]:
    """(correct, incorrect) of `xc` for every way to settle its ties; for small tables.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b} {c d}"), Partition.parse("{a c} {b d e}"))
    >>> sorted(reachable(t)), sorted(reachable(t, "free"))
    ([(1, 2), (2, 3)], [(2, 3)])
    """
    t = completed(t)
    shared = _overlaps(t)

    @cache  # one state is reached by many orders of the entities before it
    def settle(left: frozenset[int], taken: frozenset[int | None]) -> set[tuple[int, int]]:
        if not left:
            return {(0, 0)}
        largest = max(t.key_sizes[i] for i in left)
        outcomes = set()
        for i in left:
            if t.key_sizes[i] == largest:
                matches: list[int | None] = [*_matches(shared[i], taken, exclusive)]
                for j in matches or [None]:
                    correct, incorrect = _judged(t, i, j, taken)
                    rest = settle(left - {i}, taken | {j})
                    outcomes |= {(correct + more, incorrect + worse) for more, worse in rest}
        return outcomes

    return settle(frozenset(range(t.key_entities)), frozenset())


def _overlaps(t: Contingency) -> Mapping[int, Mapping[int, int]]:
    """For each key entity, n of each response entity that overlaps it."""
    shared: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (i, j), n in t.pairs.items():
        shared[i][j] = n
    return shared


def _matches(row: Mapping[int, int], taken: Set[int | None], exclusive: str) -> list[int]:
    """The response entities that match best: of all, or of those that are free."""
    open_to = [j for j in row if exclusive == "core" or j not in taken]
    most = max((row[j] for j in open_to), default=0)
    return [j for j in open_to if row[j] == most]


def _judged(t: Contingency, i: int, j: int | None, taken: Set[int | None]) -> tuple[int, int]:
    """The mentions of response entity j that are in key entity i, and those that are not."""
    if j is None or j in taken:
        return 0, 0
    return t.pairs[i, j], t.response_sizes[j] - t.pairs[i, j]
