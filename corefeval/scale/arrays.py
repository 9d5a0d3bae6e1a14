"""The overlapping pairs of a table as columns of numbers, which NumPy sums up and aligns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from corefeval.lazily import cached_property
from corefeval.overlap.alignment import MOST_ROUNDS, fixed_after_losses
from corefeval.overlap.contingency import Edge, Triple, Wishes

Ints = NDArray[np.int64]
OfSides = tuple[Ints, Ints]
SURE = 1e-12
"""More than doubles lose in adding three values of at most 1."""


class Columns:
    """The overlapping pairs of a table as arrays: what a `Contingency` is counted from."""

    def __init__(
        self, entities: OfSides, n: Ints, counts: OfSides, first: Callable[[], OfSides]
    ) -> None:
        self.entities, self.n = entities, n
        """The numbers of both entities of each pair, those that are quickest to count, and n."""
        self.counts = counts
        """By side and number: how many mentions the entity has."""
        self._first = first

    @cached_property
    def first(self) -> OfSides:
        """By side and number: where the entity first appears, which is also their order.

        Few measures ask for it, and at ten million mentions it takes a fifth of the time.
        """
        return self._first()

    @property
    def columns(self) -> Columns:
        return self

    @cached_property
    def aligner(self) -> Any:
        return ArrayAligner(self)

    @property
    def T(self) -> Columns:
        """The columns with key and response exchanged."""
        return Columns(self.entities[::-1], self.n, self.counts[::-1], partial(_turned, self))

    def shared(self, side: int) -> Ints:
        """How many mentions each entity of a side shares with the other side."""
        size = len(self.counts[side])
        return np.bincount(self.entities[side], self.n, size).astype(np.int64)

    @cached_property
    def ranked_triples(self) -> tuple[list[Triple], Ints]:
        """The distinct triples (n, k, r), and for each pair the place of its own among them."""
        number, n = ranked(self.n)
        triples = [n]
        for entities, sizes in zip(self.entities, self.counts, strict=True):
            rank, distinct_sizes = ranked(sizes[entities])
            number, distinct = ranked(number * len(distinct_sizes) + rank)
            before, size = np.divmod(distinct, max(len(distinct_sizes), 1))
            triples = [*(column[before] for column in triples), distinct_sizes[size]]
        return list(zip(*(column.tolist() for column in triples), strict=True)), number

    def triples(self) -> Mapping[Triple, int]:
        triples, number = self.ranked_triples
        return dict(zip(triples, np.bincount(number, minlength=len(triples)).tolist(), strict=True))

    def histogram(self, side: int, kind: str) -> Counter[int]:
        """How many entities of a side have each ``"size"``, number of ``"shared"`` mentions, or
        ``"core"``: their largest n."""
        numbers = self.counts[side] if kind == "size" else self.shared(side)
        if kind == "core":
            numbers = np.zeros(len(numbers), np.int64)
            np.maximum.at(numbers, self.entities[side], self.n)
            numbers = numbers[numbers > 0]
        times = np.bincount(numbers)
        values = np.flatnonzero(times)
        return Counter(dict(zip(values.tolist(), times[values].tolist(), strict=True)))

    @cached_property
    def _orders(self) -> list[Ints]:
        return [np.argsort(first) for first in self.first]

    @cached_property
    def pairs(self) -> Mapping[Edge, int]:
        edges = (inverse(order)[entities].tolist()
                 for order, entities in zip(self._orders, self.entities, strict=True))  # fmt: skip
        return dict(zip(zip(*edges, strict=True), self.n.tolist(), strict=True))

    @cached_property
    def sizes(self) -> tuple[list[int], list[int]]:
        key, response = (
            c[order].tolist() for c, order in zip(self.counts, self._orders, strict=True)
        )
        return key, response

    def with_found(self, side: int) -> Columns:
        """The columns in which each mention of a side that the other lacks is a singleton there."""
        if side == 1:
            return self.T.with_found(0).T
        lacking = self.counts[0] - self.shared(0)
        i = np.repeat(np.arange(len(lacking)), lacking)
        new, ones = np.arange(len(i)), np.ones(len(i), np.int64)
        j = np.append(self.entities[1], len(self.counts[1]) + new)
        first = np.append(self.first[1], end(self.first[1]) + new)
        entities = np.append(self.entities[0], i), j
        counts = self.counts[0], np.append(self.counts[1], ones)
        places = partial(_pair, self.first[0], first)
        return Columns(entities, np.append(self.n, ones), counts, places)

    def without(self, what: str, side: int) -> Columns:
        """The columns without those mentions of a side; as `corefeval.Contingency.without`."""
        if side == 0:
            return self.T.without(what, 1).T
        size, shared = self.counts[1], self.shared(1)
        sizes = {
            "twinless": shared,
            "singleton": np.where(size > 1, size, 0),
            "twinless singleton": np.where(size > 1, size, shared),
        }[what]
        left = sizes > 0
        kept = left[self.entities[1]]
        j = numbers_of_kept(left)[self.entities[1][kept]]
        counts = self.counts[0], sizes[left]
        places = partial(_pair, self.first[0], self.first[1][left])
        return Columns((self.entities[0][kept], j), self.n[kept], counts, places)


# Functions of their own, since a report that holds them may be pickled.


def _pair(of_key: Ints, of_response: Ints) -> OfSides:
    return of_key, of_response


def _turned(columns: Columns) -> OfSides:
    of_key, of_response = columns.first
    return of_response, of_key


def _first_of_both(key: Ints, response: Ints) -> OfSides:
    return _first_places(key), _first_places(response)


def columns_of_labels(key: Ints, response: Ints) -> Columns:
    """The columns of two sides that are paired by position, whose entities are numbered."""
    first = partial(_first_of_both, key, response)
    both = (key >= 0) & (response >= 0)
    if both.all():
        counts = np.bincount(key), np.bincount(response)
    else:
        counts = np.bincount(key[key >= 0]), np.bincount(response[response >= 0])
        key, response = key[both], response[both]
    # A pair of entities is one number while it is counted, as the digits of (i, j) are.
    code, n = np.unique(key * len(counts[1]) + response, return_counts=True)
    i = code // max(len(counts[1]), 1)
    return Columns((i, code - i * len(counts[1])), n, counts, first)


def _first_places(labels: Ints) -> Ints:
    """The place where each label from 0 on first appears."""
    first = np.zeros(end(labels) + 1, np.int64)  # label −1 is the last
    first[labels[::-1]] = np.arange(len(labels))[::-1]  # what is written last stays
    return first[:-1]


def numbers_of_kept(kept: NDArray[np.bool_]) -> Ints:
    """The new number of each entity that is kept, counted from 0; of the others, any."""
    return np.cumsum(kept) - 1


def ranked(values: Ints) -> tuple[Ints, Ints]:
    """The rank of each value from 0 on among the distinct ones, and these."""
    if is_sparse(values, room=1000):
        distinct, number = np.unique(values, return_inverse=True)
        return number, distinct
    values = values.astype(np.int64, copy=False)  # before 2.3 NumPy counts no unsigned 64 bits
    distinct = np.flatnonzero(np.bincount(values))
    rank = np.zeros(end(values), np.int64)
    rank[distinct] = np.arange(len(distinct))
    return rank[values], distinct


def is_sparse(values: Ints, room: int) -> bool:
    """Whether to sort numbers is less work than to count them all from 0 to the largest."""
    return end(values) > 4 * len(values) + room


def inverse(order: Ints) -> Ints:
    """The place of each number in an order of all of them."""
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def end(numbers: Ints) -> int:
    """One more than the largest number; 0 if there are no numbers."""
    return int(np.max(numbers)) + 1 if len(numbers) else 0


# How entities are aligned: by the rules of the core, in a tenth of the time


class ArrayAligner(NamedTuple):
    """Aligns the entities of a table in columns, by NumPy."""

    columns: Columns

    @property
    def T(self) -> ArrayAligner:
        return ArrayAligner(self.columns.T)

    def settle(self, value: Mapping[Triple, int]) -> tuple[Counter[Triple], dict[Edge, Triple]]:
        """The pairs that the rule settles, counted by their triples, and those that it leaves open.

        Doubles are compared; what they cannot decide for sure stays open. After `MOST_ROUNDS` the
        pairs left are settled one by one.
        """
        triples, number = self.columns.ranked_triples
        largest = max(value.values(), default=0) or 1
        # At most 1, so that one bound on what doubles lose serves every measure.
        worth = np.array([value[triple] / largest for triple in triples])[number]
        i, j = self.columns.entities
        if not worth.all():
            i, j, worth, number = (column[worth > 0] for column in (i, j, worth, number))
        fixed = np.zeros(len(triples), np.int64)
        for _ in range(MOST_ROUNDS):
            others_i, others_j = _best_other(i, worth), _best_other(j, worth)
            # Where at most one of the two entities has another pair, nothing is added, and doubles
            # that are compared as they are need no margin.
            sure = (worth >= others_i + others_j + SURE) | (
                (worth >= np.maximum(others_i, others_j)) & (np.minimum(others_i, others_j) == 0)
            )
            taken = _disjoint(np.flatnonzero(sure), i, j)
            if not len(taken):
                break
            fixed += np.bincount(number[taken], minlength=len(triples))
            still_open = ~(np.isin(i, i[taken]) | np.isin(j, j[taken]))
            i, j, worth, number = (column[still_open] for column in (i, j, worth, number))
        edges = zip(i.tolist(), j.tolist(), strict=True)
        left = dict(zip(edges, (triples[c] for c in number.tolist()), strict=True))
        settled = Counter(dict(zip(triples, fixed.tolist(), strict=True)))
        if len(taken):  # the last round took some, so another may
            later, still_left = fixed_after_losses(left, value)
            settled.update(left[edge] for edge in later)
            return settled, still_left
        return settled, left

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

    def kept(self, chosen: NDArray[np.bool_]) -> _Wished:
        return _Wished(*(column[chosen] for column in self))


def _settled(wished: _Wished) -> Wishes:
    """What is given to key entities until a round settles less than a tenth of the pairs."""
    correct = incorrect = 0
    while True:
        is_wished_most = wished.wish == _best(wished.i, wished.wish)
        comes_first = wished.turn == _best(wished.j, wished.turn)
        granted = wished.kept(is_wished_most & comes_first)
        correct += int(granted.n.sum())
        incorrect += int((granted.r - granted.n).sum())
        left = wished.kept(~(np.isin(wished.i, granted.i) | np.isin(wished.j, granted.j)))
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
