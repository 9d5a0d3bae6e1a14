"""The overlap table of a key and a response: all that the measures need to know of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from corefeval.errors import expect, items
from corefeval.partition import Partition

Pair = tuple[int, int]
Cell = tuple[int, int, int]


class Contingency:
    """How a key and a response overlap.

    One row per overlapping pair (Kᵢ, Rⱼ) with n = \\|Kᵢ∩Rⱼ\\|, and the full sizes k = \\|Kᵢ\\| and
    r = \\|Rⱼ\\|: a mention on one side only (twinless) is in no row, but in its entity's size.

    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
    >>> t.pairs
    {(0, 0): 2, (0, 1): 1}
    >>> t.key_sizes, t.response_sizes
    ([3], [2, 2])
    >>> t.T.pairs
    {(0, 0): 2, (1, 0): 1}

    The numbers that a table is made of here are not checked: `of` and `from_labels` count them.
    """

    def __init__(
        self,
        pairs: Mapping[tuple[int, int], int],
        key_sizes: Sequence[int],
        response_sizes: Sequence[int],
    ) -> None:
        expect(Mapping, "pairs as a mapping from (i, j) to n", pairs)
        self.pairs = dict(pairs)
        """n of each overlapping pair, by the numbers (i, j) of its entities."""
        self.key_sizes = items("the sizes of the key's entities", key_sizes)
        """\\|Kᵢ\\| of every key entity, wholly twinless ones too."""
        self.response_sizes = items("the sizes of the response's entities", response_sizes)
        """\\|Rⱼ\\| of every response entity, wholly twinless ones too."""

    @classmethod
    def of(cls, key: Partition, response: Partition) -> Contingency:
        """The table of two partitions, in one pass over the key's mentions."""
        expect(Partition, "the key as a Partition", key)
        expect(Partition, "the response as a Partition", response)
        response_entity = response.entity_of
        pairs = Counter(
            [
                (i, response_entity[mention])
                for mention, i in key.entity_of.items()
                if mention in response_entity
            ]
        )
        return cls(pairs, key.sizes, response.sizes)

    @staticmethod
    def from_labels(key: Sequence[Any], response: Sequence[Any]) -> Contingency:
        """The table of two sequences of labels, one place for each mention.

        Mentions with the same label are one entity; entities are numbered in the order in which
        their labels first appear. A mention that a side lacks has the label −1 there, or one that
        is missing: None, NaN, pandas' NA, masked.

        Labels are integers or texts, in lists, NumPy's arrays or pandas' columns; whole floats are
        taken for integers, which gaps in a column make of them. Arrays of integers are fastest,
        and then of small ones.

        Raises `CorefError` for sequences of different lengths or no sequences, for labels of other
        types, for negative ones but −1, and for texts that stand for a missing label or a negative
        one: ``"-1"``, ``"nan"``, ``""``. NumPy makes such texts of numbers that stand among texts.

        >>> t = Contingency.from_labels(["x", "x", "y", None], [5, 5, 5, 7])
        >>> t.pairs, t.key_sizes, t.response_sizes
        ({(0, 0): 2, (1, 0): 1}, [2, 1], [3, 1])
        """
        from corefeval.arrays import table  # it imports NumPy

        return table(key, response)

    @classmethod
    def union(cls, tables: Iterable[Contingency]) -> Contingency:
        """The tables of documents in one, their entities numbered on.

        >>> t = Contingency.of(Partition.parse("{a b}"), Partition.parse("{a b}"))
        >>> Contingency.union([t, t]).pairs
        {(0, 0): 2, (1, 1): 2}
        """
        documents = items("tables of documents", tables)
        pairs: dict[tuple[int, int], int] = {}
        key_sizes: list[int] = []
        response_sizes: list[int] = []
        for t in documents:
            expect(Contingency, "each document's Contingency", t)
            before, there = len(key_sizes), len(response_sizes)
            for (i, j), n in t.pairs.items():
                pairs[before + i, there + j] = n
            key_sizes += t.key_sizes
            response_sizes += t.response_sizes
        union = cls(pairs, key_sizes, response_sizes)
        union.documents = documents
        return union

    @cached_property
    def documents(self) -> Sequence[Contingency]:
        """The tables that a union unites; any other table alone."""
        return (self,)

    @cached_property
    def T(self) -> Contingency:
        """The table with key and response exchanged: precision is recall of ``t.T``."""
        return _Transposed(self)

    @cached_property
    def cells(self) -> Mapping[Cell, int]:
        """How often each triple (n, k, r) occurs among the pairs: few, however large the table."""
        k, r = self.key_sizes, self.response_sizes
        return Counter([(n, k[i], r[j]) for (i, j), n in self.pairs.items()])

    @cached_property
    def key_profile(self) -> Mapping[int, int]:
        """How many key entities there are of each size."""
        return Counter(self.key_sizes)

    @cached_property
    def shared_profile(self) -> Mapping[int, int]:
        """How many key entities have so many mentions that the response has, too."""
        return Counter(_shared(self))

    @property
    def shared_mentions(self) -> int:
        """Σ n: the mentions that both sides have."""
        return sum(self.pairs.values())

    @property
    def key_mentions(self) -> int:
        """Σ \\|Kᵢ\\|"""
        return sum(self.key_sizes)

    @property
    def key_entities(self) -> int:
        """How many entities the key has."""
        return len(self.key_sizes)

    def sum(self, f: Callable[[int, int, int], Any]) -> Any:
        """Σ f(n, k, r) over all pairs, f called once per distinct triple; exact.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.sum(lambda n, k, r: n - 1)
        1
        """
        return exact_sum((f(*cell), times) for cell, times in self.cells.items())

    def settled(self, value: Mapping[Cell, int]) -> tuple[Counter[Cell], dict[Pair, Cell]]:
        """Pairs of a best one-to-one alignment by a simple rule, and the pairs that it leaves open.

        A pair that is worth as much as the best others of its two entities together is in some
        best alignment: there it could take the place of theirs. With it go all pairs of the two;
        so others may follow. The pairs found are given as cells, counted, the open ones by their
        numbers. ``value`` is what each cell is worth.

        >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b} {c} {d e}"))
        >>> t.settled({cell: cell[0] for cell in t.cells})
        (Counter({(2, 3, 2): 1, (2, 2, 2): 1}), {})
        """
        k, r = self.key_sizes, self.response_sizes
        open_pairs = {}
        for (i, j), n in self.pairs.items():
            cell = n, k[i], r[j]
            if value[cell]:
                open_pairs[i, j] = cell
        found: Counter[Cell] = Counter()
        while True:
            of_key, of_response = _two_best(open_pairs, value)
            keys, responses = set(), set()
            for (i, j), cell in open_pairs.items():
                worth = value[cell]
                (best, second), (best_there, second_there) = of_key[i], of_response[j]
                others = second if worth == best else best
                others += second_there if worth == best_there else best_there
                if worth >= others and i not in keys and j not in responses:
                    found[cell] += 1
                    keys.add(i)
                    responses.add(j)
            if not keys:
                return found, open_pairs
            open_pairs = {
                (i, j): cell
                for (i, j), cell in open_pairs.items()
                if i not in keys and j not in responses
            }

    def once(self, f: Callable[[Contingency], Any]) -> Any:
        """f(self), computed the first time and remembered: several measures want the same."""
        known: dict[Any, Any] = self.__dict__.setdefault("_known", {})
        if f not in known:
            known[f] = f(self)
        return known[f]

    def answered(self) -> Contingency:
        """The table in which every key mention that the response lacks is a singleton of it.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {d e}"))
        >>> t.answered().pairs, t.answered().response_sizes
        ({(0, 0): 2, (0, 2): 1}, [2, 2, 1])
        """
        pairs, response_sizes = dict(self.pairs), list(self.response_sizes)
        for i, (size, shared) in enumerate(zip(self.key_sizes, _shared(self), strict=True)):
            for _ in range(size - shared):
                pairs[i, len(response_sizes)] = 1
                response_sizes.append(1)
        return Contingency(pairs, self.key_sizes, response_sizes)

    def completed(self) -> Contingency:
        """The table after DEF.19: a mention on one side only is a singleton of the other.

        Source: Popescu-Belis, section 4.3.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.completed().pairs, t.completed().key_sizes
        ({(0, 0): 2, (0, 1): 1, (1, 1): 1}, [3, 1])
        """
        return self.answered().T.answered().T


class _Transposed(Contingency):
    """A table with key and response exchanged; what measures ask for is made when they do."""

    def __init__(self, t: Contingency) -> None:
        self.T = t
        self.key_sizes, self.response_sizes = list(t.response_sizes), list(t.key_sizes)

    @cached_property
    def pairs(self) -> Mapping[tuple[int, int], int]:  # type: ignore[override]
        return {(j, i): n for (i, j), n in self.T.pairs.items()}

    @cached_property
    def cells(self) -> Mapping[Cell, int]:
        return {(n, r, k): times for (n, k, r), times in self.T.cells.items()}

    @cached_property
    def documents(self) -> Sequence[Contingency]:
        return [t.T for t in self.T.documents]


def exact_sum(terms: Iterable[tuple[Any, int]]) -> Any:
    """Σ value · times: an int where all values are ints, else a Fraction.

    Whole numbers are added, denominator by denominator, which is faster than to add fractions.

    >>> exact_sum([(Fraction(1, 2), 3), (Fraction(1, 3), 1), (1, 2)])
    Fraction(23, 6)
    >>> exact_sum([(Fraction(1), 1)]), exact_sum([(1, 1)]), exact_sum([])
    (Fraction(1, 1), 1, 0)
    """
    numerators: Counter[int] = Counter()
    types: set[type] = set()
    for value, times in terms:
        numerators[value.denominator] += value.numerator * times
        types.add(type(value))
    if Fraction not in types:
        return numerators[1]
    return sum((Fraction(n, d) for d, n in numerators.items()), Fraction(0))


def _two_best(
    pairs: Mapping[Pair, Cell], value: Mapping[Cell, int]
) -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
    """What the best pair and the second best of each key and of each response entity are worth."""
    of_key: dict[int, tuple[int, int]] = {}
    of_response: dict[int, tuple[int, int]] = {}
    for (i, j), cell in pairs.items():
        worth = value[cell]
        for entity, two in ((i, of_key), (j, of_response)):
            best, second = two.get(entity, (0, 0))
            if worth > second:
                two[entity] = (worth, best) if worth > best else (best, worth)
    return of_key, of_response


def _shared(t: Contingency) -> list[int]:
    """How many mentions of each key entity the response has."""
    shared = [0] * len(t.key_sizes)
    for (i, _), n in t.pairs.items():
        shared[i] += n
    return shared
