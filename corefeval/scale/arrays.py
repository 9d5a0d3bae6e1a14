"""The contingency table of label arrays as columns, built and summed up by NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from functools import partial
from types import NoneType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corefeval.errors import CorefError, items, named
from corefeval.labels import (
    BITS_OF_INTEGERS,
    FEWER_THAN_INTEGERS,
    LACKED,
    are_sure,
    numbered,
    numbering,
)
from corefeval.lazily import cached_property

Ints = NDArray[np.int64]


class Numbered(NamedTuple):
    """The labels of a side as numbers of its entities, −1 where it lacks the mention."""

    labels: Ints
    sizes: Ints


def numbers(key: Any, response: Any) -> tuple[Numbered, Numbered]:
    """The labels of both sides, paired by position."""
    with named("key"):
        of_key = _numbers_of_side(key)
    with named("response"):
        of_response = _numbers_of_side(response)
    in_key, in_response = len(of_key.labels), len(of_response.labels)
    if in_key != in_response:
        raise CorefError(
            f"the key has {in_key} labels and the response {in_response}: expected one for each "
            "mention on both sides, −1 or None where a side lacks it"
        )
    return of_key, of_response


def columns(of_key: Any, of_response: Any) -> Columns:
    """The columns of the table of labels that are paired by position."""
    key, response = numbers(of_key, of_response)
    in_key, in_response = key.labels, response.labels
    # A copy, because the caller may change theirs.
    first = [partial(_first_places, labels.copy()) for labels in (in_key, in_response)]
    shared = (in_key >= 0) & (in_response >= 0)
    if not shared.all():
        in_key, in_response = in_key[shared], in_response[shared]
    # A pair of entities is one number while it is counted, as the digits of (i, j) are.
    code, n = np.unique(in_key * len(response.sizes) + in_response, return_counts=True)
    i = code // max(len(response.sizes), 1)
    j = code - i * len(response.sizes)
    return Columns(SideOfTable(i, key.sizes, first[0]), SideOfTable(j, response.sizes, first[1]), n)


def _first_places(labels: Ints) -> Ints:
    """The place where each label from 0 on first appears."""
    first = np.zeros(end(labels) + 1, np.int64)  # label −1 is the last
    first[labels[::-1]] = np.arange(len(labels))[::-1]  # what is written last stays
    return first[:-1]


class SideOfTable(NamedTuple):
    """The key's or the response's part of a table.

    Inside it entities have the numbers that are quickest to count. Whoever asks for them gets
    those by first appearance among the labels.
    """

    entities: Ints
    """The number of the entity in each overlapping pair."""
    sizes: Ints
    first: Callable[[], Ints]
    """Where each entity first appears: a number that is smaller than that of any later entity."""

    def shared(self, n: Ints) -> Ints:
        """How many mentions each entity shares with the other side, of the pairs' n."""
        shared = np.bincount(self.entities, weights=n, minlength=len(self.sizes))
        return shared.astype(np.int64)

    def numbers(self, kind: str, n: Ints) -> Ints:
        """Of each entity the number of a kind that a histogram counts, of the pairs' n."""
        match kind:
            case "size":
                return self.sizes
            case "shared":
                return self.shared(n)
            case "core":
                largest = self.cores(n)
                return largest[largest > 0]
        raise AssertionError(f"a histogram of {kind} is not known")

    def cores(self, n: Ints) -> Ints:
        """The largest n of each entity's pairs; 0 if it has none."""
        largest = np.zeros(len(self.sizes), np.int64)
        np.maximum.at(largest, self.entities, n)
        return largest


class Columns:
    """The overlapping pairs of a table as arrays: the entities of both sides, and n."""

    def __init__(self, key: SideOfTable, response: SideOfTable, n: Ints) -> None:
        self.key, self.response, self.n = key, response, n
        self.sides = key, response

    @property
    def columns(self) -> Columns:
        return self

    @property
    def T(self) -> Columns:
        """The columns with key and response exchanged."""
        return Columns(self.response, self.key, self.n)

    @cached_property
    def ranked_triples(self) -> tuple[list[tuple[int, int, int]], Ints]:
        """The distinct triples (n, k, r), and for each pair the place of its own among them."""
        number, n = ranked(self.n)
        triples = [n]
        for side in self.sides:  # one at a time, which keeps the combined codes small
            rank, sizes = ranked(side.sizes[side.entities])
            number, distinct = ranked(number * len(sizes) + rank)
            before, size = np.divmod(distinct, max(len(sizes), 1))
            triples = [*(column[before] for column in triples), sizes[size]]
        n, k, r = (column.tolist() for column in triples)
        return list(zip(n, k, r, strict=True)), number

    @property
    def triples(self) -> Mapping[tuple[int, int, int], int]:
        """How often each triple occurs among the pairs."""
        triples, number = self.ranked_triples
        times = np.bincount(number, minlength=len(triples))
        return dict(zip(triples, times.tolist(), strict=True))

    def histogram(self, side: int, kind: str) -> Counter[int]:
        """How often each number of a kind occurs: an entity's size, shared mentions or core."""
        times = np.bincount(self.sides[side].numbers(kind, self.n))
        values = np.flatnonzero(times)
        return Counter(dict(zip(values.tolist(), times[values].tolist(), strict=True)))

    def listed(self) -> tuple[dict[tuple[int, int], int], list[int], list[int]]:
        """n by (i, j), and the sizes of both sides, entities numbered by first appearance."""
        orders = [(side, np.argsort(side.first())) for side in self.sides]
        edges = (inverse(order)[side.entities].tolist() for side, order in orders)
        pairs = dict(zip(zip(*edges, strict=True), self.n.tolist(), strict=True))
        key_sizes, response_sizes = (side.sizes[order].tolist() for side, order in orders)
        return pairs, key_sizes, response_sizes

    def found(self) -> Columns:
        """Each key mention that the response lacks is a singleton of the response."""
        key, response = self.sides
        lacking = key.sizes - key.shared(self.n)
        if not lacking.any():
            return self
        i = np.repeat(np.arange(len(lacking)), lacking)
        new, one = np.arange(len(i)), np.ones(len(i), np.int64)
        with_new = SideOfTable(
            np.append(response.entities, len(response.sizes) + new),
            np.append(response.sizes, one),
            partial(_first_with, response.first, new),
        )
        of_key = np.append(key.entities, i)
        return Columns(key._replace(entities=of_key), with_new, np.append(self.n, one))

    def without(self, what: str, side: int) -> Columns:
        """Without a side's mentions that are ``what``, as `corefeval.Contingency.without`."""
        if side == 0:
            return self.T.without(what, 1).T
        key, response = self.sides
        size, shared = response.sizes, response.shared(self.n)
        sizes = {
            "twinless": shared,
            "singleton": np.where(size > 1, size, 0),
            "twinless singleton": np.where(size > 1, size, shared),
        }[what]
        left = sizes > 0
        number = numbers_of_kept(left)
        of_left = left[response.entities]
        of_key, of_response = key.entities[of_left], number[response.entities[of_left]]
        resized = SideOfTable(of_response, sizes[left], partial(_first_of, response.first, left))
        return Columns(key._replace(entities=of_key), resized, self.n[of_left])


# Functions of their own, since a report that holds them may be pickled.


def _first_with(first: Callable[[], Ints], new: Ints) -> Ints:
    return np.append(first(), end(first()) + new)


def _first_of(first: Callable[[], Ints], left: Any) -> Ints:
    return first()[left]


def inverse(order: Ints) -> Ints:
    """The place of each number in an order of all of them."""
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def numbers_of_kept(kept: NDArray[np.bool_]) -> Ints:
    """The new number of each entity that is kept, counted from 0; of the others, any."""
    return np.cumsum(kept) - 1


def end(numbers: Ints) -> int:
    """One more than the largest; 0 if there is none."""
    return int(np.max(numbers)) + 1 if len(numbers) else 0


def _integers(labels: Any) -> NDArray[Any]:
    """Labels as an array of integers: as they are, or else the numbers of their entities."""
    expected = "a list of labels, an array of one dimension, or a column of pandas"
    if isinstance(labels, np.ma.MaskedArray):
        labels = labels.tolist()  # None for what is masked
    if isinstance(labels, (Iterator, Set)):
        raise CorefError(f"expected {expected}, got a {type(labels).__name__}")
    if not hasattr(labels, "__array__"):
        labels = items(expected, labels)
        if set(map(type, labels)) != {int}:
            return _numbers_of(labels)
    given = np.asarray(labels)
    if given.ndim != 1:
        raise CorefError(f"expected {expected}, got an array of {given.ndim} dimensions")
    if given.dtype.kind not in "iuOUTf":
        raise CorefError(f"expected integers or texts as labels, got {given.dtype}")
    if given.dtype.kind in "iu":
        return given
    if type(labels) is list:  # NumPy makes floats of integers that fit no type of its own
        return _numbers_of(labels)
    _check_short_floats(given)
    return _numbers_of(given.tolist())


def _numbers_of(labels: list[Any]) -> Ints:
    """The numbers of the entities of labels, −1 where there is none; see `corefeval.labels`."""
    # Most labels are texts: these are numbered in one pass, and only the distinct ones checked.
    if labels and isinstance(labels[0], (str, NoneType)):
        number_of = numbering()
        number_of[None] = -1
        try:
            numbers = np.fromiter(map(number_of.__getitem__, labels), np.int64, len(labels))
            del number_of[None]
            if are_sure(number_of):
                return numbers
        # A label is no text, or not hashable; `numbered` knows what to say of it.
        except TypeError:
            pass
    return np.array(numbered(labels), np.int64)


def _check_short_floats(labels: NDArray[Any]) -> None:
    """Refuse floats of few bits that may stand for several integers each.

    A list of them has doubles, of which `numbered` cannot see what they were.
    """
    if labels.dtype.kind != "f" or labels.itemsize >= 8:
        return
    many = (labels >= 2 ** BITS_OF_INTEGERS[8 * labels.itemsize]) & (labels < np.inf)
    if many.any():
        place = int(np.argmax(many))
        raise CorefError(f"label {labels[place]} at place {place}: expected {FEWER_THAN_INTEGERS}")


def _numbers_of_side(labels: Any) -> Numbered:
    """The labels as numbers of entities counted from 0, −1 where there is none, and the sizes."""
    given = _integers(labels)
    if len(given) and given.min() < -1:
        place = int(np.argmax(given < -1))
        expected = f"labels from 0 on, or {LACKED}"
        raise CorefError(f"label {given[place]} at place {place}: expected {expected}")
    if _is_sparse(given, room=1):
        distinct, given = np.unique(given, return_inverse=True)
        given = given - (distinct[0] == -1)
    given = given.astype(np.int64, copy=False)  # before 2.3 NumPy counts no unsigned 64 bits
    sizes = np.bincount(given[given >= 0] if (given < 0).any() else given)
    if (sizes == 0).any():  # numbers without an entity
        renumbered = np.append(numbers_of_kept(sizes > 0), -1)  # the last place is that of −1
        given, sizes = renumbered[given], sizes[sizes > 0]
    return Numbered(given.astype(np.int64, copy=False), sizes)


def ranked(values: Ints) -> tuple[Ints, Ints]:
    """The rank of each value from 0 on among the distinct ones, and these."""
    if _is_sparse(values, room=1000):
        distinct, number = np.unique(values, return_inverse=True)
        return number, distinct
    values = values.astype(np.int64, copy=False)  # before 2.3 NumPy counts no unsigned 64 bits
    distinct = np.flatnonzero(np.bincount(values))
    rank = np.zeros(end(values), np.int64)
    rank[distinct] = np.arange(len(distinct))
    return rank[values], distinct


def _is_sparse(values: Ints, room: int) -> bool:
    """Whether to sort numbers is less work than to count them all from 0 to the largest."""
    return end(values) > 4 * len(values) + room
