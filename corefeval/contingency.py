"""The contingency table of a key and a response: all that the measures need to know of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from corefeval.errors import expect, items
from corefeval.partition import Partition

if TYPE_CHECKING:
    from corefeval.scale.arrays import Columns

Edge = tuple[int, int]
"""The numbers (i, j) of a key entity and a response entity, counted from 0."""
Triple = tuple[int, int, int]
"""(n, k, r) of an overlapping pair."""
Histogram = Mapping[int, int]
"""How often each size occurs."""
Of = Literal["size", "shared", "core"]
"""An entity's mentions; those that the other side has too; its largest n, if it overlaps any."""
SIDES = KEY, RESPONSE = 0, 1
"""The two sides, by the places of their numbers in an `Edge`."""


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

    columns: Columns | None = None
    """The table as arrays, if it was made of arrays."""

    def __init__(
        self, pairs: Mapping[Edge, int], key_sizes: Sequence[int], response_sizes: Sequence[int]
    ) -> None:
        expect(Mapping, "pairs as a mapping from (i, j) to n", pairs)
        self.pairs: Mapping[Edge, int] = dict(pairs)
        """n of each overlapping pair, by the numbers (i, j) of its entities."""
        self.sizes: tuple[Sequence[int], Sequence[int]] = (
            items("the sizes of the key's entities", key_sizes),
            items("the sizes of the response's entities", response_sizes),
        )

    @classmethod
    def of(cls, key: Partition, response: Partition) -> Contingency:
        """The table of two partitions, in one pass over the key's mentions."""
        expect(Partition, "the key as a Partition", key)
        expect(Partition, "the response as a Partition", response)
        here, there = key.entity_of, response.entity_of
        pairs = Counter([(i, there[mention]) for mention, i in here.items() if mention in there])
        return cls(pairs, key.sizes, response.sizes)

    @staticmethod
    def union(tables: Iterable[Contingency]) -> Contingency:
        """The tables of documents in one, their entities numbered on; one table stays as it is.

        >>> t = Contingency.of(Partition.parse("{a b}"), Partition.parse("{a b}"))
        >>> Contingency.union([t, t]).pairs
        {(0, 0): 2, (1, 1): 2}
        """
        documents = items("tables of documents", tables)
        for t in documents:
            expect(Contingency, "each document's Contingency", t)
        if len(documents) == 1:
            return documents[0]
        counted = any(isinstance(t, Counted) for t in documents)
        return _Union(documents) if counted else _united(documents)

    @cached_property
    def documents(self) -> Sequence[Contingency]:
        """The tables that a `union` unites, within which alone links can be; else the table."""
        return (self,)

    completed: Contingency | None = None
    """What `corefeval.twinless.completed` makes of the table, once it has."""

    @cached_property
    def T(self) -> Contingency:
        """The table with key and response exchanged: precision is recall of ``t.T``."""
        return _Exchanged(self)

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        """How often each triple (n, k, r) occurs among the pairs: few, however large the table."""
        k, r = self.sizes
        return Counter([(n, k[i], r[j]) for (i, j), n in self.pairs.items()])

    @property
    def key_sizes(self) -> Sequence[int]:
        """\\|Kᵢ\\| of every key entity, wholly twinless ones too."""
        return self.sizes[KEY]

    @property
    def response_sizes(self) -> Sequence[int]:
        """\\|Rⱼ\\| of every response entity, wholly twinless ones too."""
        return self.sizes[RESPONSE]

    def histogram(self, side: int, of: Of) -> Histogram:
        """The number of entities of a side of each size, shared size or core; kept."""
        if (side, of) not in self._histograms:
            self._histograms[side, of] = self._histogram(side, of)
        return self._histograms[side, of]

    @cached_property
    def _histograms(self) -> dict[tuple[int, Of], Histogram]:
        return {}

    def _histogram(self, side: int, of: Of) -> Histogram:
        if of == "core":
            largest = defaultdict[int, int](int)
            for edge, n in self.pairs.items():
                largest[edge[side]] = max(n, largest[edge[side]])
            return Counter(largest.values())
        return Counter(self.shared_sizes(side) if of == "shared" else self.sizes[side])

    @property
    def key_histogram(self) -> Histogram:
        """The number of key entities of each size."""
        return self.histogram(KEY, "size")

    @property
    def shared_histogram(self) -> Histogram:
        """The sizes of the key entities, as `key_histogram`, without twinless mentions."""
        return self.histogram(KEY, "shared")

    @property
    def core_histogram(self) -> Histogram:
        """The largest n of each key entity, as `key_histogram`, of those that overlap any."""
        return self.histogram(KEY, "core")

    @cached_property
    def shared_mentions(self) -> int:
        """Σ n: the mentions that both sides have."""
        return sum(self.pairs.values())

    @cached_property
    def key_mentions(self) -> int:
        """Σ \\|Kᵢ\\|"""
        return sum(self.key_sizes)

    @cached_property
    def key_entities(self) -> int:
        """The number of key entities."""
        return len(self.key_sizes)

    @property
    def same_sides(self) -> bool:
        """Whether key and response are the same."""
        alike = all(n == k == r for n, k, r in self.triples)
        return alike and self.key_mentions == self.shared_mentions == self.T.key_mentions

    @property
    def listed_alike(self) -> bool:
        """Whether key and response are the same, with their entities in the same order."""
        return self.same_sides and all(i == j for i, j in self.pairs)

    def shared_sizes(self, side: int = KEY) -> list[int]:
        """Of each entity of a side, the number of mentions that the other side has too: Σ n."""
        shared = [0] * len(self.sizes[side])
        for edge, n in self.pairs.items():
            shared[edge[side]] += n
        return shared

    def without(self, what: str, side: int = RESPONSE) -> Contingency:
        """The table without a side's mentions that are ``what``: a name of `LEFT`."""
        return Contingency.union(t._without(what, side) for t in self.documents)

    def _without(self, what: str, side: int) -> Contingency:
        if side == KEY:
            return self.T._without(what, RESPONSE).T
        sizes = [*map(LEFT[what], self.response_sizes, self.shared_sizes(RESPONSE))]
        left = [j for j, r in enumerate(sizes) if r]
        number = {j: new for new, j in enumerate(left)}
        pairs = {(i, number[j]): n for (i, j), n in self.pairs.items() if j in number}
        return Contingency(pairs, self.key_sizes, [sizes[j] for j in left])

    def sum(self, f: Callable[[int, int, int], Any]) -> Any:
        """Σ f(n, k, r) over all pairs, f called once per distinct triple; exact.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.sum(lambda n, k, r: n - 1)
        1
        """
        return exact_sum((f(*triple), times) for triple, times in self.triples.items())


LEFT: dict[str, Callable[[int, int], int]] = {
    "twinless": lambda size, shared: shared,
    "singleton": lambda size, shared: size if size > 1 else 0,
    "twinless singleton": lambda size, shared: size if size > 1 else shared,
}
"""What `Contingency.without` leaves of an entity's mentions, of which so many are shared."""


class _Exchanged(Contingency):
    """A table with key and response exchanged; what measures ask for is made when they do."""

    def __init__(self, t: Contingency) -> None:
        self.T = t
        if not isinstance(t, Counted):  # its lists may be changed by whoever has it
            self.sizes = list(t.response_sizes), list(t.key_sizes)

    pairs = cached_property(lambda t: {(j, i): n for (i, j), n in t.T.pairs.items()})
    sizes = cached_property(lambda t: t.T.sizes[::-1])
    triples = cached_property(lambda t: {(n, r, k): m for (n, k, r), m in t.T.triples.items()})
    shared_mentions = cached_property(lambda t: t.T.shared_mentions)
    columns = cached_property(lambda t: t.T.columns and t.T.columns.T)
    documents = cached_property(lambda t: [each.T for each in t.T.documents])

    def _histogram(self, side: int, of: Of) -> Histogram:
        return self.T.histogram(1 - side, of)


class Counted(Contingency):
    """A table of triples and histograms, whose pairs and sizes are made if they are asked for."""

    columns: Any

    def __init__(self, of: Any) -> None:
        self._of = of

    T = cached_property(lambda t: _ExchangedCounts(t))
    pairs = cached_property(lambda t: t._listed.pairs)
    sizes = cached_property(lambda t: t._listed.sizes)
    shared_mentions = cached_property(lambda t: sum(n * m for (n, _, _), m in t.triples.items()))
    key_mentions = cached_property(lambda t: mentions(t.key_histogram))
    key_entities = cached_property(lambda t: sum(t.key_histogram.values()))

    @cached_property
    def _listed(self) -> Contingency:
        return Contingency(*self.columns.listed())


class _ExchangedCounts(_Exchanged, Counted):
    """A `Counted` table with key and response exchanged."""


class OfSource(Counted):
    """A table that NumPy counts, of `Columns`, or an engine, of a `Document`."""

    columns = cached_property(lambda t: t._of.columns)
    triples = cached_property(lambda t: t._of.triples)

    def _histogram(self, side: int, of: Of) -> Histogram:
        return self._of.histogram(side, of)

    def _without(self, what: str, side: int) -> Contingency:
        return OfSource(self._of.without(what, side))


class _Union(Counted):
    """The tables of documents in one, their numbers added."""

    documents = cached_property(lambda t: t._of)
    _listed = cached_property(lambda t: _united(t.documents))
    triples = cached_property(lambda t: added(each.triples for each in t.documents))

    def _histogram(self, side: int, of: Of) -> Histogram:
        return added(each.histogram(side, of) for each in self.documents)


class OfTable(_Union):
    """The documents of a table in an engine, of its `Mentions`."""

    @cached_property
    def by_document(self) -> Mapping[Hashable, Counted]:
        """The table of each document by its name."""
        return {name: OfSource(part) for name, part in self._of.documents.items()}

    documents = cached_property(lambda t: list(t.by_document.values()))
    columns = cached_property(lambda t: t.documents[0].columns if len(t.documents) == 1 else None)


def _united(documents: Sequence[Contingency]) -> Contingency:
    """The pairs and sizes of documents in one table."""
    pairs: dict[Edge, int] = {}
    sizes: tuple[list[int], list[int]] = [], []
    for t in documents:
        before, there = map(len, sizes)
        for (i, j), n in t.pairs.items():
            pairs[before + i, there + j] = n
        for side in SIDES:
            sizes[side].extend(t.sizes[side])
    united = Contingency(pairs, *sizes)
    united.documents = documents
    return united


def added(counts: Iterable[Mapping[Any, int]]) -> Mapping[Any, int]:
    """How often each key occurs in all counts together."""
    total: Counter[Any] = Counter()
    for each in counts:
        total.update(each)
    return total


def mentions(sizes: Histogram) -> int:
    """How many mentions entities of these sizes have."""
    return sum(size * times for size, times in sizes.items())


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
