"""Tables that arrays or an engine count, and several of them as one.

Their pairs are listed only if they are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from corefeval.errors import CorefError
from corefeval.lazily import cached_property
from corefeval.overlap.contingency import KEY, RESPONSE, Contingency, Edge, Histogram, Triple


class CountedTable(Contingency):
    """A table whose numbers a source counts: `Columns` of arrays, or what an engine `Counted`.

    ``side`` is the side of the source that is the key here.
    """

    def __init__(self, source: Any, side: int = KEY) -> None:
        self.source, self.side = source, side
        self.names = None

    @staticmethod
    def unite(documents: Sequence[Contingency]) -> Contingency:
        return United(documents)

    @cached_property
    def T(self) -> Contingency:
        t = CountedTable(self.source, 1 - self.side)
        t.T = self
        return t

    @property
    def aligner(self) -> Any:  # type: ignore[override]
        aligner = self.source.columns.aligner
        return aligner.T if self.side else aligner

    @cached_property
    def pairs(self) -> Mapping[Edge, int]:  # type: ignore[override]
        pairs: Mapping[Edge, int] = self.source.columns.pairs
        return {(j, i): n for (i, j), n in pairs.items()} if self.side else pairs

    @property
    def key_sizes(self) -> list[int]:  # type: ignore[override]
        return list(self.source.columns.sizes[self.side])

    @property
    def response_sizes(self) -> list[int]:  # type: ignore[override]
        return list(self.source.columns.sizes[1 - self.side])

    @property
    def same_order(self) -> bool:
        """As `Contingency.same_order`: it decides 0/0, to which singletons alone may lead.

        Raises `CorefError` where the order would decide, since labels have none.
        """
        if self.same_sides and self.key_mentions == self.key_entities > 1:
            raise CorefError(
                "the scorer decides 0/0 by the order of the entities in their lists, and labels "
                "have no order: the score is not known; give lists of entities, or leave out like"
            )
        return self.same_sides

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        triples: Mapping[Triple, int] = self.source.triples()
        return {(n, r, k): t for (n, k, r), t in triples.items()} if self.side else triples

    @cached_property
    def key_histogram(self) -> Histogram:
        return self._histogram("size")

    @cached_property
    def shared_histogram(self) -> Histogram:
        return self._histogram("shared")

    @cached_property
    def core_histogram(self) -> Histogram:
        return self._histogram("core")

    def _histogram(self, kind: str) -> Histogram:
        histogram: Histogram = self.source.histogram(self.side, kind)
        return histogram

    def without(self, what: str, side: int = RESPONSE) -> Contingency:
        return CountedTable(self.source.without(what, side ^ self.side), self.side)

    def with_found(self, side: int) -> Contingency:
        return CountedTable(self.source.with_found(side ^ self.side), self.side)


class United(Contingency):
    """Tables of documents, whose numbers are added."""

    names = None

    def __init__(self, documents: Sequence[Contingency]) -> None:
        self.united = documents

    @staticmethod
    def unite(documents: Sequence[Contingency]) -> Contingency:
        return United(documents)

    @cached_property
    def T(self) -> Contingency:
        t = United([table.T for table in self.documents])
        t.T = self
        return t

    @cached_property
    def _listed(self) -> Contingency:
        return Contingency.union(
            Contingency(t.pairs, t.key_sizes, t.response_sizes) for t in self.documents
        )

    @property
    def pairs(self) -> Mapping[Edge, int]:  # type: ignore[override]
        return self._listed.pairs

    @property
    def key_sizes(self) -> Sequence[int]:  # type: ignore[override]
        return self._listed.key_sizes

    @property
    def response_sizes(self) -> Sequence[int]:  # type: ignore[override]
        return self._listed.response_sizes

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        return _added(t.triples for t in self.documents)

    @cached_property
    def key_histogram(self) -> Histogram:
        return _added(t.key_histogram for t in self.documents)

    @cached_property
    def shared_histogram(self) -> Histogram:
        return _added(t.shared_histogram for t in self.documents)

    @cached_property
    def core_histogram(self) -> Histogram:
        return _added(t.core_histogram for t in self.documents)

    def without(self, what: str, side: int = RESPONSE) -> Contingency:
        return Contingency.union(t.without(what, side) for t in self.documents)

    def with_found(self, side: int) -> Contingency:
        return Contingency.union(t.with_found(side) for t in self.documents)


def _added(counts: Iterable[Mapping[Any, int]]) -> Mapping[Any, int]:
    """How often each key occurs in all counts together."""
    total: Counter[Any] = Counter()
    for count in counts:
        total.update(count)
    return total


class OfDocuments(United):
    """The table of several documents that have names."""

    def __init__(self, by_document: Mapping[Hashable, Contingency]) -> None:
        self.by_document = by_document
        """The table of each document by its name."""

    @property
    def documents(self) -> Sequence[Contingency]:
        return list(self.by_document.values())
