"""Core classes: the response entity that matches a key entity best (Popescu-Belis)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from typing import NamedTuple

from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.registry import measure
from corefeval.score import Pair, Score, Tally
from corefeval.twinless import completed


@measure("c", title="C (core classes)", cite="popescu-belis-2000")
def c(t: Contingency) -> Tally:
    """Σ (|c(Kᵢ)| − 1)  over  Σ (|Kᵢ| − 1),   c(Kᵢ) the largest of the fragments Kᵢ∩Rⱼ

    Recall: of the mentions of each key entity but one, the share that is in the core, the
    largest fragment that the response leaves together; precision likewise. Never above MUC
    (PROP.8). Singletons count nothing on either side, so it does not matter whether mentions on
    one side only are completed by singletons (DEF.19). Range [0, 1]; 0/0 by the convention
    ``zero``.

    Source: Popescu-Belis, section 3.5 (DEF.11 to DEF.14).

    >>> from corefeval import metric
    >>> metric("c")("{a b c d e}", "{a b} {c d} {e}")
    recall 1/4, precision 1, f1 2/5
    >>> metric("c", zero="one")("{a} {b}", "{a} {b}")
    recall 1, precision 1, f1 1
    """
    cores: defaultdict[int, int] = defaultdict(int)
    for (i, _), n in t.pairs.items():
        cores[i] = max(cores[i], n)
    return Tally(sum(cores.values()) - len(cores), t.key_mentions - t.key_entities)


class Exclusive(NamedTuple):
    """Mentions that exclusive core classes hold rightly and wrongly, by both readings."""

    core: tuple[int, int]
    free: tuple[int, int]
    mentions: int

    def __add__(self, other: Exclusive) -> Exclusive:
        return Exclusive(
            (self.core[0] + other.core[0], self.core[1] + other.core[1]),
            (self.free[0] + other.free[0], self.free[1] + other.free[1]),
            self.mentions + other.mentions,
        )

    def score(self, conventions: Conventions) -> Score:
        correct, incorrect = self.free if conventions.exclusive == "free" else self.core
        tallies = Tally(correct, self.mentions), Tally(self.mentions - incorrect, self.mentions)
        return Pair(*tallies).score(conventions)._replace(counts=self)


@measure("xc", title="XC (exclusive core classes)", cite="popescu-belis-2000", pooled=False)
def xc(t: Contingency) -> Exclusive:
    """XRS = correct / |E|,   XPS = 1 − incorrect / |E|

    From the largest key entity to the smallest, each is given the response entity that shares most
    with it, and none is given twice. ``correct`` counts the mentions that a key entity shares with
    the one it was given, ``incorrect`` the others of that one. What a key entity gets whose best
    match is taken is a matter of reading: the convention ``exclusive`` gives it nothing
    (``"core"``) or the best that is free (``"free"``). E are the mentions of either side; those on
    one side only are completed by singletons (DEF.19). Range [0, 1]; 0/0 by the convention
    ``zero``.

    Ties are not settled by the paper: entities of one size come in the order given, and of two
    equal matches one that is free is taken, or else the first given. So the order of entities can
    change the score; `reachable` gives all scores that there are.

    Source: Popescu-Belis, section 3.5.4; the two formulas are those that give its Table 3.

    >>> from corefeval import metric
    >>> metric("xc")("{a b c} {d e}", "{a b d} {c e}")
    recall 3/5, precision 3/5, f1 3/5
    """
    t = completed(t)
    return Exclusive(_greedy(t, "core"), _greedy(t, "free"), t.key_mentions)


def reachable(t: Contingency, exclusive: str = "core") -> set[tuple[int, int]]:
    """(correct, incorrect) of `xc` for every way to settle its ties; for small tables.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b} {c d}"), Partition.parse("{a c} {b d e}"))
    >>> sorted(reachable(t)), sorted(reachable(t, "free"))
    ([(1, 2), (2, 3)], [(2, 3)])
    """
    t = completed(t)
    shared = _overlaps(t)

    def settle(left: frozenset[int], taken: frozenset[int | None]) -> set[tuple[int, int]]:
        if not left:
            return {(0, 0)}
        largest = max(t.key_sizes[i] for i in left)
        found = set()
        for i in left:
            if t.key_sizes[i] == largest:
                matches: list[int | None] = [*_matches(shared[i], taken, exclusive)]
                for j in matches or [None]:
                    correct, incorrect = _judged(t, i, j, taken)
                    rest = settle(left - {i}, taken | {j})
                    found |= {(correct + more, incorrect + worse) for more, worse in rest}
        return found

    return settle(frozenset(range(t.key_entities)), frozenset())


def _greedy(t: Contingency, exclusive: str) -> tuple[int, int]:
    """(correct, incorrect), ties settled by the order given."""
    shared = _overlaps(t)
    taken: set[int | None] = set()
    correct = incorrect = 0
    for i in sorted(range(t.key_entities), key=lambda i: -t.key_sizes[i]):
        matches = _matches(shared[i], taken, exclusive)
        j = min(matches, key=lambda j: (j in taken, j), default=None)
        right, wrong = _judged(t, i, j, taken)
        correct, incorrect = correct + right, incorrect + wrong
        taken.add(j)
    return correct, incorrect


def _overlaps(t: Contingency) -> Mapping[int, Mapping[int, int]]:
    """n of each response entity that overlaps, for each key entity."""
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
