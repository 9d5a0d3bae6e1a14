"""The contingency table of a key and a response: all that the measures need to know of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from corefeval.errors import expect, items
from corefeval.partition import Partition

if TYPE_CHECKING:
    from corefeval.arrays import Columns
    from corefeval.engine import Mentions

Edge = tuple[int, int]
"""The numbers (i, j) of a key entity and a response entity, counted from 0."""
Triple = tuple[int, int, int]
"""(n, k, r) of an overlapping pair."""
Histogram = Mapping[int, int]
"""How often each size occurs."""
KEY, RESPONSE = 0, 1
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

    _documents: Sequence[Contingency] = ()

    def __init__(
        self,
        pairs: Mapping[Edge, int],
        key_sizes: Sequence[int],
        response_sizes: Sequence[int],
        documents: Sequence[Contingency] = (),
    ) -> None:
        expect(Mapping, "pairs as a mapping from (i, j) to n", pairs)
        self._pairs = dict(pairs)
        self._key_sizes = items("the sizes of the key's entities", key_sizes)
        self._response_sizes = items("the sizes of the response's entities", response_sizes)
        self._documents = documents

    @property
    def pairs(self) -> Mapping[Edge, int]:
        """n of each overlapping pair, by the numbers (i, j) of its entities."""
        return self._pairs

    @property
    def key_sizes(self) -> Sequence[int]:
        """\\|Kᵢ\\| of every key entity, wholly twinless ones too."""
        return self._key_sizes

    @property
    def response_sizes(self) -> Sequence[int]:
        """\\|Rⱼ\\| of every response entity, wholly twinless ones too."""
        return self._response_sizes

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
        from corefeval.arrays import columns  # it imports NumPy

        return OfSource(columns(key, response))

    @staticmethod
    def from_table(
        table: Any, key: str = "key", response: str = "response", document: str | None = None
    ) -> OfTable:
        """The table of mentions in a database, which its engine counts: DuckDB or Spark.

        ``table`` is a table or query of the engine with a row for each mention: a relation of
        DuckDB, a data frame of Spark, one of pandas, Polars or Arrow, or the path of a Parquet or
        CSV file. The columns ``key`` and ``response`` have the labels, as those of `from_labels`;
        NULL, NaN or −1 is for a mention that a side lacks. Mentions in different documents, if a
        column is named for them, are never in one entity. `corefeval.evaluate` scores the result.

        The triples and the sizes are counted inside the engine, and are all that most measures
        need. Those that align entities (CEAF, CoNLL, XC) fetch the overlapping pairs, if they are
        no more than `corefeval.engine.LIMIT`; the entities are then in the order of their labels.

        Raises `CorefError` for what is no table, an engine that is not installed, a column that is
        missing, labels of another type or that `from_labels` refuses, a table without rows, and a
        mention without a document.
        """
        from corefeval.engine import mentions  # it may import an engine

        return OfTable(mentions(table, key, response, document))

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
        if documents and all(isinstance(t, Counted) for t in documents):
            return _Union(documents)
        pairs: dict[Edge, int] = {}
        key_sizes: list[int] = []
        response_sizes: list[int] = []
        for t in documents:
            before, there = len(key_sizes), len(response_sizes)
            for (i, j), n in t.pairs.items():
                pairs[before + i, there + j] = n
            key_sizes += t.key_sizes
            response_sizes += t.response_sizes
        return Contingency(pairs, key_sizes, response_sizes, documents)

    @property
    def documents(self) -> Sequence[Contingency]:
        """The tables that a `union` unites, within which alone links can be; else the table."""
        return self._documents or (self,)

    @cached_property
    def T(self) -> Contingency:
        """The table with key and response exchanged: precision is recall of ``t.T``."""
        return _Transposed(self)

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        """How often each triple (n, k, r) occurs among the pairs: few, however large the table."""
        k, r = self.key_sizes, self.response_sizes
        return Counter([(n, k[i], r[j]) for (i, j), n in self.pairs.items()])

    @cached_property
    def key_histogram(self) -> Histogram:
        """The number of key entities of each size."""
        return Counter(self.key_sizes)

    @cached_property
    def shared_histogram(self) -> Histogram:
        """The sizes of the key entities, as `key_histogram`, without twinless mentions."""
        return Counter(self.shared_sizes())

    @cached_property
    def core_histogram(self) -> Histogram:
        """The largest n of each key entity, as `key_histogram`, of those that overlap any."""
        largest: defaultdict[int, int] = defaultdict(int)
        for (i, _), n in self.pairs.items():
            largest[i] = max(largest[i], n)
        return Counter(largest.values())

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
        """The number of key entities."""
        return len(self.key_sizes)

    @property
    def same_sides(self) -> bool:
        """Whether key and response are the same."""
        alike = all(n == k == r for n, k, r in self.triples)
        return alike and self.key_mentions == self.shared_mentions == self.T.key_mentions

    @property
    def columns(self) -> Columns | None:
        """The table as arrays, if it was made of arrays."""
        return None

    def shared_sizes(self) -> list[int]:
        """Of each key entity, the number of mentions that the response has too: Σⱼ n."""
        shared = [0] * len(self.key_sizes)
        for (i, _), n in self.pairs.items():
            shared[i] += n
        return shared

    def cut(self) -> Contingency:
        """The table without the response's twinless mentions."""
        return self.with_response_sizes(self.T.shared_sizes())

    def with_response_sizes(self, sizes: Sequence[int]) -> Contingency:
        """The same pairs, with response entities of other sizes; those of size 0 are gone."""
        left = [j for j, r in enumerate(sizes) if r]
        number = {j: new for new, j in enumerate(left)}
        pairs = {(i, number[j]): n for (i, j), n in self.pairs.items()}
        return Contingency(pairs, self.key_sizes, [sizes[j] for j in left])

    def sum(self, f: Callable[[int, int, int], Any]) -> Any:
        """Σ f(n, k, r) over all pairs, f called once per distinct triple; exact.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.sum(lambda n, k, r: n - 1)
        1
        """
        return exact_sum((f(*triple), times) for triple, times in self.triples.items())


class _Transposed(Contingency):
    """A table with key and response exchanged; what measures ask for is made when they do."""

    def __init__(self, t: Contingency) -> None:
        self.T = t
        self._key_sizes, self._response_sizes = list(t.response_sizes), list(t.key_sizes)

    @cached_property
    def pairs(self) -> Mapping[Edge, int]:
        return {(j, i): n for (i, j), n in self.T.pairs.items()}

    @cached_property
    def documents(self) -> Sequence[Contingency]:
        return [t.T for t in self.T.documents]

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        return {(n, r, k): times for (n, k, r), times in self.T.triples.items()}


class Counted(Contingency):
    """A table that has its triples and histograms without pairs, and makes these if asked."""

    _documents: Sequence[Counted] = ()

    def histogram(self, side: int) -> Histogram:
        """How many entities of a side have each size."""
        raise NotImplementedError

    def shared(self, side: int) -> Histogram:
        """The same without twinless mentions."""
        raise NotImplementedError

    def cores(self, side: int) -> Histogram:
        """The same of the largest n of each entity that overlaps any."""
        raise NotImplementedError

    @cached_property
    def listed(self) -> Contingency:
        """The table with its pairs."""
        raise NotImplementedError

    @cached_property
    def T(self) -> Counted:
        return _Exchanged(self)

    @cached_property
    def key_histogram(self) -> Histogram:
        return self.histogram(KEY)

    @cached_property
    def shared_histogram(self) -> Histogram:
        return self.shared(KEY)

    @cached_property
    def core_histogram(self) -> Histogram:
        return self.cores(KEY)

    @property
    def shared_mentions(self) -> int:
        return mentions(self.shared_histogram)

    @property
    def key_mentions(self) -> int:
        return mentions(self.key_histogram)

    @property
    def key_entities(self) -> int:
        return sum(self.key_histogram.values())

    @property
    def pairs(self) -> Mapping[Edge, int]:
        return self.listed.pairs

    @property
    def key_sizes(self) -> Sequence[int]:
        return self.listed.key_sizes

    @property
    def response_sizes(self) -> Sequence[int]:
        return self.listed.response_sizes


class _Exchanged(Counted):
    """Such a table with key and response exchanged."""

    def __init__(self, t: Counted) -> None:
        self.T = t

    @cached_property
    def documents(self) -> Sequence[Contingency]:
        return [t.T for t in self.T.documents]

    @cached_property
    def listed(self) -> Contingency:
        return self.T.listed.T

    @property
    def columns(self) -> Columns | None:
        return self.T.columns and self.T.columns.T

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        return {(n, r, k): times for (n, k, r), times in self.T.triples.items()}

    def histogram(self, side: int) -> Histogram:
        return self.T.histogram(1 - side)

    def shared(self, side: int) -> Histogram:
        return self.T.shared(1 - side)

    def cores(self, side: int) -> Histogram:
        return self.T.cores(1 - side)


class _Union(Counted):
    """The tables of documents in one, their numbers added."""

    def __init__(self, documents: Sequence[Counted]) -> None:
        self._documents = documents

    @cached_property
    def listed(self) -> Contingency:
        return Contingency.union(t.listed for t in self._documents)

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        return added(t.triples for t in self._documents)

    def histogram(self, side: int) -> Histogram:
        return added(t.histogram(side) for t in self._documents)

    def shared(self, side: int) -> Histogram:
        return added(t.shared(side) for t in self._documents)

    def cores(self, side: int) -> Histogram:
        return added(t.cores(side) for t in self._documents)


class Source(Protocol):
    """What counts for itself: arrays, a database. Pairs and sizes are asked of it if needed."""

    @property
    def columns(self) -> Columns | None: ...

    def pairs(self) -> Mapping[Edge, int]: ...
    def sizes(self, side: int) -> Sequence[int]: ...
    def triples(self) -> Mapping[Triple, int]: ...
    def histogram(self, side: int) -> Histogram: ...
    def shared(self, side: int) -> Histogram: ...
    def cores(self, side: int) -> Histogram: ...
    def cut(self) -> Source: ...


class OfSource(Counted):
    """A table whose numbers come from a `Source`."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def columns(self) -> Columns | None:
        return self._source.columns

    @cached_property
    def listed(self) -> Contingency:
        source = self._source
        return Contingency(source.pairs(), source.sizes(KEY), source.sizes(RESPONSE))

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        return self._source.triples()

    def histogram(self, side: int) -> Histogram:
        return self._source.histogram(side)

    def shared(self, side: int) -> Histogram:
        return self._source.shared(side)

    def cores(self, side: int) -> Histogram:
        return self._source.cores(side)

    def cut(self) -> Contingency:
        return OfSource(self._source.cut())


class OfTable(_Union):
    """The documents of a table in an engine."""

    def __init__(self, mentions: Mentions) -> None:
        self._mentions = mentions

    @cached_property
    def by_document(self) -> Mapping[Hashable, Counted]:
        """The table of each document by its name."""
        return {name: OfSource(part) for name, part in self._mentions.documents().items()}

    @cached_property
    def _documents(self) -> Sequence[Counted]:  # type: ignore[override]
        return list(self.by_document.values())

    @property
    def columns(self) -> Columns | None:
        return self._documents[0].columns if len(self._documents) == 1 else None

    def without_singletons(self, side: str) -> OfTable:
        """The table without a side's entities of one mention; ``side`` is "key" or "response"."""
        return OfTable(self._mentions.without_singletons(side))


def added(counts: Iterable[Mapping[Any, int]]) -> Mapping[Any, int]:
    """How often each key occurs in all counts together.

    >>> added([{2: 1, 1: 1}, {2: 2}])
    Counter({2: 3, 1: 1})
    """
    total: Counter[Any] = Counter()
    for each in counts:
        total.update(each)
    return total


def mentions(sizes: Histogram) -> int:
    """How many mentions entities of these sizes have.

    >>> mentions({3: 1, 1: 2})
    5
    """
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
