"""How tables of arrays align entities: by the rules of the core, in a tenth of the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from corefeval.contingency import Edge, Triple, Wishes

if TYPE_CHECKING:
    from corefeval.scale.arrays import Columns

Ints = NDArray[np.int64]

SURE = 1e-12
"""More than doubles lose in adding three values of at most 1."""


class ArrayAligner(NamedTuple):
    """Aligns the entities of a table in columns, by NumPy."""

    columns: Columns

    @property
    def T(self) -> ArrayAligner:
        return ArrayAligner(self.columns.T)

    def settle(self, value: Mapping[Triple, int]) -> tuple[Counter[Triple], dict[Edge, Triple]]:
        """The pairs that the rule settles, counted by their triples, and those that it leaves open.

        Doubles are compared; what they cannot decide for sure stays open.
        """
        triples, number = self.columns.ranked_triples
        largest = max(value.values(), default=0) or 1
        # At most 1, so that one bound on what doubles lose serves every measure.
        worth = np.array([value[triple] / largest for triple in triples])[number]
        i, j = self.columns.entities
        still_open = worth > 0
        fixed = np.zeros(len(triples), np.int64)
        while True:
            if not still_open.all():
                i, j, worth, number = (each[still_open] for each in (i, j, worth, number))
            others_i, others_j = _best_other(i, worth), _best_other(j, worth)
            # Where at most one of the two entities has another pair, nothing is added, and doubles
            # that are compared as they are need no margin.
            sure = (worth >= others_i + others_j + SURE) | (
                (worth >= np.maximum(others_i, others_j)) & (np.minimum(others_i, others_j) == 0)
            )
            taken = _disjoint(np.flatnonzero(sure), i, j)
            if not len(taken):
                edges = zip(i.tolist(), j.tolist(), strict=True)
                left = dict(zip(edges, (triples[c] for c in number.tolist()), strict=True))
                return Counter(dict(zip(triples, fixed.tolist(), strict=True))), left
            fixed += np.bincount(number[taken], minlength=len(triples))
            still_open = ~(np.isin(i, i[taken]) | np.isin(j, j[taken]))

    def settle_wishes(self, free: bool) -> Wishes:
        """What XC gives key entities: of their best pairs or, if ``free``, of all.

        A pair that its key entity wishes most is given if no other entity that may wish for it
        comes before, and the other pairs of both are dropped. This is repeated as long as it
        settles many.
        """
        t = self.columns
        (i, j), first = t.entities, t.first[1]
        by_size = np.lexsort((t.first[0], -t.counts[0]))
        wished = _Wished(
            i,
            j,
            t.n,
            r=t.counts[1][j],
            wish=t.n * end(first) - first[j],
            # The larger key entity comes first and, of equal ones, the one that appears first.
            turn=-inverse(by_size)[i],
        )
        return _settled(wished if free else wished.kept(t.n == _best(i, t.n)))


class _Wished(NamedTuple):
    """The pairs that key entities may wish for, in columns."""

    i: Ints
    j: Ints
    n: Ints
    r: Ints
    wish: Ints
    """The larger, the sooner its key entity wishes for a pair."""
    turn: Ints
    """The larger, the sooner it is the key entity's turn."""

    def kept(self, these: NDArray[np.bool_]) -> _Wished:
        return _Wished(*(column[these] for column in self))


def _settled(wished: _Wished) -> Wishes:
    """What is given to key entities until a round settles less than a tenth of the pairs."""
    correct = incorrect = 0
    while True:
        is_wished_most = wished.wish == _best(wished.i, wished.wish)
        comes_first = wished.turn == _best(wished.j, wished.turn)
        given = wished.kept(is_wished_most & comes_first)
        correct += int(given.n.sum())
        incorrect += int((given.r - given.n).sum())
        left = wished.kept(~(np.isin(wished.i, given.i) | np.isin(wished.j, given.j)))
        # Wishes that wait for each other in a chain settle one pair a round, however many there
        # are; a loop over the pairs in their order does not.
        if 10 * len(left.i) >= 9 * len(wished.i):
            order = np.lexsort((-left.wish, -left.turn))
            rows = zip(*(column[order].tolist() for column in left[:4]), strict=True)
            return Wishes(correct, incorrect, cast("list[tuple[int, int, int, int]]", list(rows)))
        wished = left


def _best(entity: Ints, worth: NDArray[Any]) -> NDArray[Any]:
    """For each pair, the most that a pair of its entity is worth."""
    best = np.full(end(entity), worth.min(initial=0), worth.dtype)
    np.maximum.at(best, entity, worth)
    return best[entity]


def _best_other(entity: Ints, worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each pair, what the best other pair of its entity is worth."""
    others = _best(entity, worth)
    is_best = worth == others
    second = np.zeros(end(entity))
    np.maximum.at(second, entity[~is_best], worth[~is_best])
    alone = np.bincount(entity[is_best], minlength=len(second)) == 1
    # Where two pairs of an entity are worth the most, the best other one is worth as much.
    only_best = np.flatnonzero(is_best & alone[entity])
    others[only_best] = second[entity[only_best]]
    return others


def _disjoint(pairs: Ints, i: Ints, j: Ints) -> Ints:
    """Of these pairs, some that have no entity in common."""
    for entity in (i, j):
        chosen = entity[pairs]
        # NumPy keeps the last of several values that are put into one place.
        last = np.zeros(end(chosen), np.int64)
        last[chosen] = pairs
        pairs = pairs[last[chosen] == pairs]
    return pairs


def inverse(order: Ints) -> Ints:
    """The place of each number in an order of all of them."""
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def end(numbers: Ints) -> int:
    """One more than the largest number; 0 if there are no numbers."""
    return int(np.max(numbers)) + 1 if len(numbers) else 0
