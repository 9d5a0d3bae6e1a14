"""The contingency table of label arrays as columns, built and summed up by NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
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
    return Columns(Side(i, key_sizes, labels[0]), Side(numbers, response_sizes, labels[1]), n)


class Side:
    """The key's or the response's part of a table.

    Inside it entities have the numbers that are quickest to count. Whoever asks for them gets
    those by first appearance among the labels.
    """

    def __init__(self, entities: Ints, sizes: Ints, labels: Ints) -> None:
        self.entities = entities
        """The number of the entity in each overlapping pair."""
        self.sizes = sizes
        """How many mentions each entity has."""
        self._labels = labels

    @cached_property
    def order(self) -> Ints:
        """The numbers of the entities in the order in which they first appear."""
        first = np.zeros(len(self.sizes), np.int64)
        there = np.flatnonzero(self._labels >= 0)[::-1]
        first[self._labels[there]] = there  # the last that is written is the first place
        return np.argsort(first)

    def listed_entities(self) -> list[int]:
        """The entity in each overlapping pair, by first appearance."""
        return np.argsort(self.order)[self.entities].tolist()

    def listed_sizes(self) -> list[int]:
        """The entities' sizes in the order of first appearance."""
        return self.sizes[self.order].tolist()

    def histogram(self) -> Mapping[int, int]:
        """The number of entities of each size."""
        return _histogram(self.sizes)


class Columns:
    """The overlapping pairs of a table as arrays: the entities of both sides, and n."""

    def __init__(self, key: Side, response: Side, n: Ints) -> None:
        self.key, self.response, self.n = key, response, n

    @cached_property
    def T(self) -> Columns:
        """The columns with key and response exchanged."""
        exchanged = Columns(self.response, self.key, self.n)
        triples, number = self.triples
        exchanged.triples = [(n, r, k) for n, k, r in triples], number
        return exchanged

    @cached_property
    def triples(self) -> tuple[list[tuple[int, int, int]], Ints]:
        """The distinct triples (n, k, r), and for each pair the place of its own among them."""
        number, n = _ranked(self.n)
        # Ranking one column at a time keeps the combined codes small.
        number, (n, k) = _ranked_with(number, [n], self.key.sizes[self.key.entities])
        of_response = self.response.sizes[self.response.entities]
        number, (n, k, r) = _ranked_with(number, [n, k], of_response)
        return list(zip(n.tolist(), k.tolist(), r.tolist(), strict=True)), number

    def count_triples(self) -> Mapping[tuple[int, int, int], int]:
        """How often each triple occurs among the pairs."""
        triples, number = self.triples
        times = np.bincount(number, minlength=len(triples))
        return dict(zip(triples, times.tolist(), strict=True))

    def pairs(self) -> Mapping[tuple[int, int], int]:
        """n by (i, j)."""
        edges = zip(self.key.listed_entities(), self.response.listed_entities(), strict=True)
        return dict(zip(edges, self.n.tolist(), strict=True))

    def shared_histogram(self) -> Mapping[int, int]:
        """The number of key entities of each size without twinless mentions."""
        shared = np.bincount(self.key.entities, weights=self.n, minlength=len(self.key.sizes))
        return _histogram(shared.astype(np.int64))


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
