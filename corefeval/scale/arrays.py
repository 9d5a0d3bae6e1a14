"""The overlapping pairs of a table as columns of numbers, which NumPy sums up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefeval.contingency import Edge, Triple
from corefeval.lazily import cached_property
from corefeval.scale.alignment import ArrayAligner, Ints, end, inverse

OfSides = tuple[Ints, Ints]


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
        of = self.counts[side] if kind == "size" else self.shared(side)
        if kind == "core":
            of = np.zeros(len(of), np.int64)
            np.maximum.at(of, self.entities[side], self.n)
            of = of[of > 0]
        times = np.bincount(of)
        values = np.flatnonzero(times)
        return Counter(dict(zip(values.tolist(), times[values].tolist(), strict=True)))

    @cached_property
    def _orders(self) -> list[Ints]:
        return [np.argsort(first) for first in self.first]

    @cached_property
    def pairs(self) -> Mapping[Edge, int]:
        edges = (inverse(order)[each].tolist()
                 for order, each in zip(self._orders, self.entities, strict=True))  # fmt: skip
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
        new, one = np.arange(len(i)), np.ones(len(i), np.int64)
        j = np.append(self.entities[1], len(self.counts[1]) + new)
        first = np.append(self.first[1], end(self.first[1]) + new)
        entities = np.append(self.entities[0], i), j
        counts = self.counts[0], np.append(self.counts[1], one)
        places = partial(_pair, self.first[0], first)
        return Columns(entities, np.append(self.n, one), counts, places)

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


def columns_of(key: Ints, response: Ints) -> Columns:
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
