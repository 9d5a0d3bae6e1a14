"""Overlap tables of label arrays, built and summed up by NumPy; the measures are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefeval.contingency import Cell, Contingency, Pair
from corefeval.errors import CorefError, items
from corefeval.labels import LACKED, numbered

Ints = NDArray[np.int64]


def table(key: Sequence[Any], response: Sequence[Any]) -> Contingency:
    """What `Contingency.from_labels` gives."""
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
    return _Table(i, code - i * len(response_sizes), n, key_sizes, response_sizes, *labels)


class _Table(Contingency):
    """A table whose pairs, n of (i, j), are three arrays; see `Contingency` for what it offers.

    Inside it entities have the numbers that are quickest to count. Whoever asks for them gets
    those by first appearance among the labels.
    """

    def __init__(
        self,
        i: Ints,
        j: Ints,
        n: Ints,
        of_key: Ints,
        of_response: Ints,
        in_key: Ints,
        in_response: Ints,
    ) -> None:
        self._i, self._j, self._n = i, j, n
        self._of_key, self._of_response = of_key, of_response
        self._in_key, self._in_response = in_key, in_response

    @cached_property
    def _key_order(self) -> Ints:
        return _by_appearance(self._in_key, len(self._of_key))

    @cached_property
    def _response_order(self) -> Ints:
        return _by_appearance(self._in_response, len(self._of_response))

    @cached_property
    def pairs(self) -> Mapping[tuple[int, int], int]:  # type: ignore[override]
        i, j = np.argsort(self._key_order)[self._i], np.argsort(self._response_order)[self._j]
        return dict(zip(zip(i.tolist(), j.tolist(), strict=True), self._n.tolist(), strict=True))

    @cached_property
    def key_sizes(self) -> Sequence[int]:  # type: ignore[override]
        return self._of_key[self._key_order].tolist()

    @cached_property
    def response_sizes(self) -> Sequence[int]:  # type: ignore[override]
        return self._of_response[self._response_order].tolist()

    @cached_property
    def T(self) -> Contingency:
        t = _Table(
            self._j,
            self._i,
            self._n,
            self._of_response,
            self._of_key,
            self._in_response,
            self._in_key,
        )
        cells, number = self._triples
        vars(t).update(T=self, _triples=([(n, r, k) for n, k, r in cells], number))
        return t

    @cached_property
    def _triples(self) -> tuple[list[Cell], Ints]:
        """The distinct triples (n, k, r), and the number of that of each pair."""
        number, n = _ranked(self._n)
        # One size after the other: so the numbers to be ranked stay small.
        number, (n, k) = _ranked_with(number, [n], self._of_key[self._i])
        number, (n, k, r) = _ranked_with(number, [n, k], self._of_response[self._j])
        return list(zip(n.tolist(), k.tolist(), r.tolist(), strict=True)), number

    @cached_property
    def cells(self) -> Mapping[Cell, int]:
        cells, number = self._triples
        return dict(zip(cells, np.bincount(number, minlength=len(cells)).tolist(), strict=True))

    @cached_property
    def key_profile(self) -> Mapping[int, int]:
        return _profile(self._of_key)

    @cached_property
    def shared_profile(self) -> Mapping[int, int]:
        shared = np.bincount(self._i, weights=self._n, minlength=len(self._of_key))
        return _profile(shared.astype(np.int64))

    @property
    def shared_mentions(self) -> int:
        return int(self._n.sum())

    @property
    def key_mentions(self) -> int:
        return int(self._of_key.sum())

    @property
    def key_entities(self) -> int:
        return len(self._of_key)

    def settled(self, value: Mapping[Cell, int]) -> tuple[Counter[Cell], dict[Pair, Cell]]:
        cells, number = self._triples
        # Doubles for the comparisons: what they cannot tell for sure stays open.
        largest = max(value.values(), default=0) or 1
        worth = np.array([value[cell] / largest for cell in cells])[number]
        i, j, still_open = self._i, self._j, worth > 0
        found = np.zeros(len(cells), np.int64)
        while True:
            if not still_open.all():
                i, j, worth, number = (each[still_open] for each in (i, j, worth, number))
            others_i, others_j = _best_other(i, worth), _best_other(j, worth)
            sure = (worth >= others_i + others_j + SURE) | (
                (worth >= np.maximum(others_i, others_j)) & (np.minimum(others_i, others_j) == 0)
            )
            taken = _disjoint(np.flatnonzero(sure), i, j)
            if not len(taken):
                edges = zip(i.tolist(), j.tolist(), strict=True)
                rest = dict(zip(edges, (cells[c] for c in number.tolist()), strict=True))
                return Counter(dict(zip(cells, found.tolist(), strict=True))), rest
            found += np.bincount(number[taken], minlength=len(cells))
            still_open = ~(_has_one_of(i, i[taken]) | _has_one_of(j, j[taken]))


SURE = 1e-12
"""More than doubles lose in adding three values of at most 1."""


def _best_other(entity: Ints, worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each pair, what the best other pair of its entity is worth."""
    if not (np.bincount(entity) > 1).any():  # there is no other
        return np.zeros(len(entity))
    best = np.zeros(_end(entity))
    np.maximum.at(best, entity, worth)
    others = best[entity]
    is_best = worth == others
    second = np.zeros(len(best))
    np.maximum.at(second, entity[~is_best], worth[~is_best])
    alone = np.bincount(entity[is_best], minlength=len(best)) == 1
    only_best = np.flatnonzero(is_best & alone[entity])
    others[only_best] = second[entity[only_best]]
    return others


def _by_appearance(labels: Ints, entities: int) -> Ints:
    """The numbers of the entities in the order in which they first appear."""
    first = np.zeros(entities, np.int64)
    there = np.flatnonzero(labels >= 0)[::-1]
    first[labels[there]] = there  # the last that is written is the first place
    return np.argsort(first)


def _end(numbers: Ints) -> int:
    """One more than the largest; 0 if there is none."""
    return int(np.max(numbers)) + 1 if len(numbers) else 0


def _has_one_of(entity: Ints, entities: Ints) -> NDArray[np.bool_]:
    """Whether the entity of each pair is one of these."""
    chosen = np.zeros(_end(entity), np.bool_)
    chosen[entities] = True
    return chosen[entity]


def _disjoint(pairs: Ints, i: Ints, j: Ints) -> Ints:
    """Of these pairs, some that have no entity in common."""
    for entity in (i, j):
        chosen = entity[pairs]
        last = np.zeros(_end(chosen), np.int64)
        last[chosen] = pairs
        pairs = pairs[last[chosen] == pairs]
    return pairs


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
    if _end(given) > 4 * len(given) + 1:  # too far apart to be counted as they are
        distinct, given = np.unique(given, return_inverse=True)
        given = given - (distinct[0] == -1)
    sizes = np.bincount(given[given >= 0] if (given < 0).any() else given)
    if (sizes == 0).any():  # numbers without an entity
        new = np.append(np.cumsum(sizes > 0) - 1, -1)
        given, sizes = new[given], sizes[sizes > 0]
    return given.astype(np.int64, copy=False), sizes


def _ranked(values: Ints) -> tuple[Ints, Ints]:
    """The rank of each value among the distinct ones, and these."""
    if _end(values) <= 4 * len(values) + 1000:
        distinct = np.flatnonzero(np.bincount(values))
        rank = np.zeros(_end(values), np.int64)
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


def _profile(sizes: Ints) -> Mapping[int, int]:
    times = np.bincount(sizes)
    values = np.flatnonzero(times)
    return Counter(dict(zip(values.tolist(), times[values].tolist(), strict=True)))
