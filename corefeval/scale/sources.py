"""Tables of which arrays or an engine know how often each triple and each size occurs.

Their pairs are listed only if they are asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping

from corefeval.contingency import (
    KEY,
    Contingency,
    Edge,
    Histogram,
    Kind,
    Sizes,
    Source,
    Triple,
    added,
    mentions_of,
)
from corefeval.lazily import cached_property
from corefeval.scale.alignment import ArrayAligner
from corefeval.scale.arrays import Columns
from corefeval.scale.engine import CountedDocument, Mentions


class OfDocuments(Contingency):
    """The table of several documents that have names."""

    def __init__(self, by_document: Mapping[Hashable, Contingency]) -> None:
        self.by_document = by_document
        """The table of each document by its name."""

    # A property in place of the attribute, so that nothing is counted before it is needed.
    @cached_property
    def source(self) -> Source:  # type: ignore[override]
        return Contingency.union(self.by_document.values()).source


class DatabaseTable(OfDocuments):
    """The documents of a table in a database, whose engine counts them when it is asked."""

    def __init__(self, mentions: Mentions) -> None:
        self._mentions = mentions

    def __repr__(self) -> str:
        """What it is; to say how large it is would take a query."""
        return "table of mentions in a database, which counts them when they are scored"

    @cached_property
    def by_document(self) -> Mapping[Hashable, Contingency]:  # type: ignore[override]
        documents = self._mentions.documents.items()
        return {name: Contingency.counted_from(Counted(counts)) for name, counts in documents}


class Listing(ABC):
    """A source whose pairs are those of its aligner's columns."""

    has_pairs = False
    documents = None
    names = None

    @property
    @abstractmethod
    def aligner(self) -> ArrayAligner: ...
    @abstractmethod
    def triples(self) -> Mapping[Triple, int]: ...
    @abstractmethod
    def histogram(self, side: int, kind: Kind) -> Histogram: ...

    @cached_property
    def _listed(self) -> tuple[Mapping[Edge, int], list[int], list[int]]:
        return self.aligner.columns.listed()

    @property
    def pairs(self) -> Mapping[Edge, int]:
        return self._listed[0]

    @property
    def sizes(self) -> Sizes:
        return self._listed[1:]

    def mentions(self, side: int) -> int:
        return mentions_of(self.histogram(side, "size"))

    def shared_mentions(self) -> int:
        return sum(n * times for (n, _, _), times in self.triples().items())

    def without(self, what: str, side: int) -> Source:
        if what == "twinless singleton":
            return WithoutTwinlessSingletons(self, side)
        return Counted(self.aligner.columns.without(what, side))

    def with_found(self, side: int) -> Source:
        return WithFound(self, side)


class Counted(Listing):
    """What arrays or an engine count."""

    def __init__(self, counts: Columns | CountedDocument) -> None:
        self._counts = counts

    @cached_property
    def aligner(self) -> ArrayAligner:
        return ArrayAligner(self._counts.columns)

    def triples(self) -> Mapping[Triple, int]:
        return self._counts.triples

    def histogram(self, side: int, kind: Kind) -> Histogram:
        return self._counts.histogram(side, kind)

    def without(self, what: str, side: int) -> Source:
        if what == "twinless singleton":
            return super().without(what, side)
        return Counted(self._counts.without(what, side))  # which an engine does without the pairs


class OfChangedSide(Listing):
    """What is there before a convention changes a side, and the side."""

    def __init__(self, before: Listing, side: int) -> None:
        self._before, self._side = before, side
        self._t = Contingency.counted_from(before)


class WithFound(OfChangedSide):
    """A side's mentions that the other lacks are singletons there: pairs of n = 1."""

    @cached_property
    def aligner(self) -> ArrayAligner:
        columns = self._before.aligner.columns
        return ArrayAligner(columns.found() if self._side == KEY else columns.T.found().T)

    def triples(self) -> Mapping[Triple, int]:
        before = self._t.triples
        sizes = self._t.histogram(self._side, "size")
        lacking = Counter({size: size * times for size, times in sizes.items()})
        for triple, times in before.items():
            lacking[triple[1 + self._side]] -= triple[0] * times
        new: dict[Triple, int] = {}
        for size, times in lacking.items():
            if times:
                new[(1, size, 1) if self._side == KEY else (1, 1, size)] = times
        return added([before, new])

    def histogram(self, side: int, kind: Kind) -> Histogram:
        sizes = self._t.histogram(self._side, "size")
        shared = self._t.histogram(self._side, "shared")
        if side != self._side:
            lacking = mentions_of(sizes) - mentions_of(shared)
            return _with(self._t.histogram(side, kind), 1, lacking)
        if kind == "core":
            return _with(self._t.histogram(side, "core"), 1, shared.get(0, 0))
        return sizes


class WithoutTwinlessSingletons(OfChangedSide):
    """A side's entities of one mention that the other side lacks are gone, but no pair."""

    @cached_property
    def aligner(self) -> ArrayAligner:
        columns = self._before.aligner.columns
        return ArrayAligner(columns.without("twinless singleton", self._side))

    def triples(self) -> Mapping[Triple, int]:
        return self._t.triples

    def histogram(self, side: int, kind: Kind) -> Histogram:
        before = self._t.histogram(side, kind)
        if side != self._side or kind == "core":
            return before
        paired = self._t.triples.items()
        shared = sum(times for triple, times in paired if triple[1 + side] == 1)
        singletons = self._t.histogram(side, "size").get(1, 0)
        return _with(before, 1 if kind == "size" else 0, shared - singletons)


def _with(histogram: Histogram, size: int, times: int) -> Histogram:
    """The histogram with more entities of a size, or less; without sizes that no entity has."""
    return Counter(histogram) + Counter({size: times})
