"""The contingency table of label arrays as columns, built and summed up by NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefeval.errors import CorefError, items
from corefeval.labels import LACKED, numbered

Ints = NDArray[np.int64]


def columns(key: Sequence[Any], response: Sequence[Any]) -> Columns:
    """The columns of the table that `corefeval.Contingency.from_labels` describes."""
    in_key, key_sizes = _numbered("key", key)
    in_response, response_sizes = _numbered("response", response)
    if len(in_key) != len(in_response):
        raise CorefError(
            f"the key has {len(in_key)} labels and the response {len(in_response)}: expected one "
            "for each mention on both sides, −1 or None where a side lacks it"
        )
    labels = in_key.copy(), in_response.copy()  # the caller may change theirs
    shared = (in_key >= 0) & (in_response >= 0)
    if not shared.all():
        in_key, in_response = in_key[shared], in_response[shared]
    code, n = np.unique(in_key * len(response_sizes) + in_response, return_counts=True)
    i = code // max(len(response_sizes), 1)
    numbers = code - i * len(response_sizes)
    return Columns(
        Side(i, key_sizes, lambda: by_appearance(labels[0])),
        Side(numbers, response_sizes, lambda: by_appearance(labels[1])),
        n,
    )


def by_appearance(labels: Ints) -> Ints:
    """The labels from 0 on in the order in which they first appear."""
    first = np.zeros(end(labels) + 1, np.int64)  # label −1 is the last
    first[labels[::-1]] = np.arange(len(labels))[::-1]  # what is written last stays
    return np.argsort(first[:-1])


class Side:
    """The key's or the response's part of a table.

    Inside it entities have the numbers that are quickest to count. Whoever asks for them gets
    those by first appearance among the labels.
    """

    def __init__(self, entities: Ints, sizes: Ints, order: Callable[[], Ints]) -> None:
        self.entities = entities
        """The number of the entity in each overlapping pair."""
        self.sizes = sizes
        """How many mentions each entity has."""
        self._order = order

    @cached_property
    def order(self) -> Ints:
        """The numbers of the entities in the order in which they first appear."""
        return self._order()

    @cached_property
    def places(self) -> Ints:
        """The place of each entity in `order`."""
        return inverse(self.order)

    def shared(self, n: Ints) -> Ints:
        """How many mentions each entity shares with the other side, of the pairs' n."""
        shared = np.bincount(self.entities, weights=n, minlength=len(self.sizes))
        return shared.astype(np.int64)

    def joined(self, entities: Ints, singletons: int) -> Side:
        """More pairs of these entities, after more singletons at the end of the order."""
        sizes = np.append(self.sizes, np.ones(singletons, np.int64))
        new = np.arange(len(self.sizes), len(sizes))
        return Side(np.append(self.entities, entities), sizes, lambda: np.append(self.order, new))

    def resized(self, sizes: Ints) -> Side:
        """The same entities with other sizes; those of size 0 are gone."""
        left = sizes > 0
        number = np.cumsum(left) - 1
        order = lambda: number[self.order[left[self.order]]]  # noqa: E731
        return Side(number[self.entities], sizes[left], order)


class Columns:
    """The overlapping pairs of a table as arrays: the entities of both sides, and n."""

    def __init__(self, key: Side, response: Side, n: Ints) -> None:
        self.key, self.response, self.n = key, response, n
        self.sides = key, response

    @property
    def columns(self) -> Columns:
        return self

    @cached_property
    def T(self) -> Columns:
        """The columns with key and response exchanged."""
        return Columns(self.response, self.key, self.n)

    @cached_property
    def ranked_triples(self) -> tuple[list[tuple[int, int, int]], Ints]:
        """The distinct triples (n, k, r), and for each pair the place of its own among them."""
        number, n = _ranked(self.n)
        # Ranking one column at a time keeps the combined codes small.
        number, (n, k) = _ranked_with(number, [n], self.key.sizes[self.key.entities])
        of_response = self.response.sizes[self.response.entities]
        number, (n, k, r) = _ranked_with(number, [n, k], of_response)
        return list(zip(n.tolist(), k.tolist(), r.tolist(), strict=True)), number

    def triples(self) -> Mapping[tuple[int, int, int], int]:
        """How often each triple occurs among the pairs."""
        triples, number = self.ranked_triples
        times = np.bincount(number, minlength=len(triples))
        return dict(zip(triples, times.tolist(), strict=True))

    def pairs(self) -> Mapping[tuple[int, int], int]:
        """n by (i, j), entities numbered by first appearance."""
        edges = (side.places[side.entities].tolist() for side in self.sides)
        return dict(zip(zip(*edges, strict=True), self.n.tolist(), strict=True))

    def sizes(self, side: int) -> list[int]:
        """The entities' sizes in the order of first appearance."""
        return self.sides[side].sizes[self.sides[side].order].tolist()

    def histogram(self, side: int) -> Mapping[int, int]:
        """The number of entities of each size."""
        return _histogram(self.sides[side].sizes)

    def shared(self, side: int) -> Mapping[int, int]:
        """The number of entities of each size without twinless mentions."""
        return _histogram(self.sides[side].shared(self.n))

    def cores(self, side: int) -> Mapping[int, int]:
        """The number of entities with each largest n, of those that overlap any."""
        largest = np.zeros(len(self.sides[side].sizes), np.int64)
        np.maximum.at(largest, self.sides[side].entities, self.n)
        return _histogram(largest[largest > 0])

    def found(self) -> Columns:
        """Each key mention that the response lacks is a singleton of the response."""
        lacking = self.key.sizes - self.key.shared(self.n)
        if not lacking.any():
            return self
        i = np.repeat(np.arange(len(lacking)), lacking)
        key = self.key.joined(i, 0)
        response = self.response.joined(len(self.response.sizes) + np.arange(len(i)), len(i))
        return Columns(key, response, np.append(self.n, np.ones(len(i), np.int64)))

    def pruned(self) -> Columns:
        """Without the twinless singletons of the response."""
        sizes = np.maximum(self.response.sizes - 1, self.response.shared(self.n))
        return self._with_response_sizes(np.where(sizes, self.response.sizes, 0))

    def cut(self) -> Columns:
        """Without the twinless mentions of the response."""
        return self._with_response_sizes(self.response.shared(self.n))

    def without_singletons(self, side: int) -> Columns:
        """Without a side's entities of one mention, whose mentions are twinless then."""
        of_side = self.sides[side]
        left = of_side.sizes[of_side.entities] > 1
        sides = [Side(each.entities[left], each.sizes, each._order) for each in self.sides]
        sides[side] = sides[side].resized(np.where(of_side.sizes > 1, of_side.sizes, 0))
        key, response = sides
        return Columns(key, response, self.n[left])

    def _with_response_sizes(self, sizes: Ints) -> Columns:
        return Columns(self.key, self.response.resized(sizes), self.n)


def inverse(order: Ints) -> Ints:
    """The place of each number in an order of all of them."""
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def end(numbers: Ints) -> int:
    """One more than the largest; 0 if there is none."""
    return int(np.max(numbers)) + 1 if len(numbers) else 0


def _integers(labels: Any) -> NDArray[Any]:
    """Labels as an array of integers: as they are, or else the numbers of their entities."""
    expected = "a list of labels, an array of one dimension, or a column of pandas"
    if hasattr(labels, "__array__"):
        given = np.asarray(labels)
        if given.ndim != 1:
            raise CorefError(f"expected {expected}, got an array of {given.ndim} dimensions")
        if given.dtype.kind not in "iuOUTf":
            raise CorefError(f"expected integers or texts as labels, got {given.dtype}")
        if isinstance(labels, np.ma.MaskedArray):
            given = np.array(labels.tolist(), object)  # None for what is masked
        return given if given.dtype.kind in "iu" else np.array(numbered(given.tolist()), np.int64)
    if isinstance(labels, (Iterator, Set)):
        raise CorefError(f"expected {expected}, got a {type(labels).__name__}")
    listed = items(expected, labels)
    if set(map(type, listed)) == {int}:
        given = np.asarray(listed)
        if given.dtype.kind in "iu":
            return given
    return np.array(numbered(listed), np.int64)


def _numbered(side: str, labels: Any) -> tuple[Ints, Ints]:
    """The labels as numbers of entities counted from 0, −1 where there is none, and the sizes."""
    try:
        given = _integers(labels)
    except CorefError as error:
        raise CorefError(f"{side}: {error}") from error
    if len(given) and given.min() < -1:
        place = int(np.argmax(given < -1))
        raise CorefError(
            f"{side}: label {given[place]} at place {place}: expected labels from 0 on, or {LACKED}"
        )
    if end(given) > 4 * len(given) + 1:  # too far apart to be counted as they are
        distinct, given = np.unique(given, return_inverse=True)
        given = given - (distinct[0] == -1)
    sizes = np.bincount(given[given >= 0] if (given < 0).any() else given)
    if (sizes == 0).any():  # numbers without an entity
        new = np.append(np.cumsum(sizes > 0) - 1, -1)
        given, sizes = new[given], sizes[sizes > 0]
    return given.astype(np.int64, copy=False), sizes


def _ranked(values: Ints) -> tuple[Ints, Ints]:
    """The rank of each value among the distinct ones, and these."""
    if end(values) <= 4 * len(values) + 1000:
        distinct = np.flatnonzero(np.bincount(values))
        rank = np.zeros(end(values), np.int64)
        rank[distinct] = np.arange(len(distinct))
        return rank[values], distinct
    distinct, number = np.unique(values, return_inverse=True)
    return number, distinct


def _ranked_with(rank: Ints, columns: list[Ints], more: Ints) -> tuple[Ints, list[Ints]]:
    """The rank of each row, and its columns, after one more column has joined those before."""
    rank_of_more, values = _ranked(more)
    number, distinct = _ranked(rank * len(values) + rank_of_more)
    old, new = np.divmod(distinct, max(len(values), 1))
    return number, [*(column[old] for column in columns), values[new]]


def _histogram(sizes: Ints) -> Mapping[int, int]:
    times = np.bincount(sizes)
    values = np.flatnonzero(times)
    return Counter(dict(zip(values.tolist(), times[values].tolist(), strict=True)))
