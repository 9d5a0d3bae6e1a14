"""The contingency table of a key and a response: all that the measures need to know of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import sub
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

from corefeval.errors import expect, items
from corefeval.lazily import cached_property
from corefeval.partition import Partition

if TYPE_CHECKING:
    from corefeval.score import Pair

Edge = tuple[int, int]
"""The numbers (i, j) of a key entity and a response entity, counted from 0."""
Triple = tuple[int, int, int]
"""(n, k, r) of an overlapping pair."""
Histogram = Mapping[int, int]
"""How often each size occurs."""
Kind = Literal["size", "shared", "core"]
"""An entity's mentions; those that the other side has too; its largest n, if it overlaps any."""
SIDES = ("key", "response")
KEY, RESPONSE = 0, 1
"""The places of the two sides in `SIDES`, and of their numbers in an `Edge`."""
WHOLE = "table"
"""The name of the one document of a table without documents."""
Sizes = tuple[Sequence[int], Sequence[int]]
"""How many mentions each key entity has, and each response entity."""
Names = tuple[Sequence[Hashable], Sequence[Hashable]]
"""What each key entity is called, and each response entity."""
Cached = TypeVar("Cached")


class Contingency:
    """How a key and a response overlap.

    One row per overlapping pair (Kᵢ, Rⱼ) with n = \\|Kᵢ∩Rⱼ\\|, and the full sizes k = \\|Kᵢ\\| and
    r = \\|Rⱼ\\|: a missing or spurious mention is in no row, but in its entity's size.

    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
    >>> t
    table of 1 key and 2 response entities: 3 mentions shared, 0 missing, 1 spurious
    >>> t.pairs
    {(0, 0): 2, (0, 1): 1}
    >>> t.key_sizes, t.response_sizes
    ([3], [2, 2])
    >>> t.T.pairs
    {(0, 0): 2, (1, 0): 1}

    The numbers that a table is made of here are not checked: `of` and `from_labels` count them.
    """

    source: Source
    """What the table is counted from."""

    def __init__(
        self, pairs: Mapping[Edge, int], key_sizes: Sequence[int], response_sizes: Sequence[int]
    ) -> None:
        expect(Mapping, "pairs as a mapping from (i, j) to n", pairs)
        sizes = (
            items("the sizes of the key's entities", key_sizes),
            items("the sizes of the response's entities", response_sizes),
        )
        self.source = Pairs(dict(pairs), sizes)

    def __repr__(self) -> str:
        """How many entities and mentions there are, in a line."""
        missing = self.key_mentions - self.shared_mentions
        spurious = self.T.key_mentions - self.shared_mentions
        return (
            f"table of {self.key_entities} key and {self.T.key_entities} response entities: "
            f"{self.shared_mentions} mentions shared, {missing} missing, {spurious} spurious"
        )

    @staticmethod
    def counted_from(source: Source) -> Contingency:
        """The table of a source."""
        table = object.__new__(Contingency)
        table.source = source
        return table

    @classmethod
    def of(cls, key: Partition, response: Partition, names: Names | None = None) -> Contingency:
        """The table of two partitions, in one pass over the key's mentions.

        Entities whose ``names`` are given keep them in all tables that are made of this one.
        """
        expect(Partition, "the key as a Partition", key)
        expect(Partition, "the response as a Partition", response)
        here, there = key.entity_of, response.entity_of
        pairs = Counter([(i, there[mention]) for mention, i in here.items() if mention in there])
        return cls.counted_from(Pairs(dict(pairs), (key.sizes, response.sizes), names))

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
        # Where every table has listed its pairs, it takes half the time to merge the lists that it
        # takes to add up many small histograms.
        listed = all(t.source.has_pairs for t in documents)
        return Contingency.counted_from(Pairs.united(documents) if listed else Union(documents))

    @cached_property
    def documents(self) -> Sequence[Contingency]:
        """The tables that a `union` unites, within which alone links can be; else the table."""
        united = self.source.documents
        if united is None:
            return (self,)
        return united

    @cached_property
    def T(self) -> Contingency:
        """The table with key and response exchanged: precision is recall of ``t.T``."""
        exchanged = Contingency.counted_from(Exchanged(self))
        exchanged.T = self
        return exchanged

    @property
    def pairs(self) -> Mapping[Edge, int]:
        """n of each overlapping pair, by the numbers (i, j) of its entities."""
        return self.source.pairs

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        """How often each triple (n, k, r) occurs among the pairs: few, however large the table."""
        return self.source.triples()

    @cached_property
    def key_sizes(self) -> list[int]:
        """\\|Kᵢ\\| of every key entity, wholly missing ones too."""
        return list(self.source.sizes[KEY])

    @cached_property
    def response_sizes(self) -> list[int]:
        """\\|Rⱼ\\| of every response entity, wholly spurious ones too."""
        return list(self.source.sizes[RESPONSE])

    @property
    def names(self) -> Names | None:
        """What the entities are called; None if they have no names."""
        return self.source.names

    def histogram(self, side: int, kind: Kind) -> Histogram:
        """The number of entities of a side of each size, shared size or core."""
        if (side, kind) not in self._histograms:
            self._histograms[side, kind] = self.source.histogram(side, kind)
        return self._histograms[side, kind]

    @cached_property
    def _histograms(self) -> dict[tuple[int, Kind], Histogram]:
        return {}

    @property
    def key_histogram(self) -> Histogram:
        """The number of key entities of each size."""
        return self.histogram(KEY, "size")

    @property
    def shared_histogram(self) -> Histogram:
        """The sizes of the key entities, as `key_histogram`, without missing mentions."""
        return self.histogram(KEY, "shared")

    @property
    def core_histogram(self) -> Histogram:
        """The largest n of each key entity, as `key_histogram`, of those that overlap any."""
        return self.histogram(KEY, "core")

    @cached_property
    def shared_mentions(self) -> int:
        """Σ n: the mentions that both sides have."""
        return self.source.shared_mentions()

    @cached_property
    def key_mentions(self) -> int:
        """Σ \\|Kᵢ\\|"""
        return self.source.mentions(KEY)

    @cached_property
    def key_entities(self) -> int:
        """The number of key entities."""
        return sum(self.key_histogram.values())

    @property
    def same_sides(self) -> bool:
        """Whether key and response are the same."""
        alike = all(n == k == r for n, k, r in self.triples)
        return alike and self.key_mentions == self.shared_mentions == self.T.key_mentions

    @property
    def same_order(self) -> bool:
        """Whether key and response are the same, with their entities in the same order."""
        return self.same_sides and all(i == j for i, j in self.pairs)

    @property
    def aligner(self) -> Aligner | None:
        """What aligns entities faster than their pairs, in a table that has arrays."""
        return self.source.aligner

    def without(self, what: str, side: int = RESPONSE) -> Contingency:
        """The table without a side's mentions that are ``what``: a name of `REMAINING`."""
        return Contingency.union(
            Contingency.counted_from(t.source.without(what, side)) for t in self.documents
        )

    def with_found(self, side: int) -> Contingency:
        """The table in which a side's mentions that the other lacks are singletons there."""
        return Contingency.union(
            Contingency.counted_from(t.source.with_found(side)) for t in self.documents
        )

    def once(self, make: Callable[[Contingency], Cached]) -> Cached:
        """What a function makes of the table, made the first time and kept."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    @cached_property
    def _made(self) -> dict[Callable[[Contingency], Any], Any]:
        return {}

    def sum(self, f: Callable[[int, int, int], Any]) -> Any:
        """Σ f(n, k, r) over all pairs, f called once per distinct triple; exact.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.sum(lambda n, k, r: n - 1)
        1
        """
        return exact_sum((f(*triple), times) for triple, times in self.triples.items())


class Tables(NamedTuple):
    """The tables in which a score counts recall and precision: mostly one and the same."""

    recall: Contingency
    precision: Contingency
    both: Contingency | None = None
    """The table for measures that do not count the two apart; None if there is no such table."""
    of_mentions: Mapping[str, Pair] | None = None
    """What measures count that ask for more of the mentions than which are the same, by name."""

    @classmethod
    def alike(cls, t: Contingency) -> Tables:
        """One table for all that is counted."""
        return cls(t, t, t)


# What tables are counted from


class Aligner(Protocol):
    """Aligns the entities of a table in arrays (`corefeval.scale`)."""

    @property
    def T(self) -> Aligner:
        """The same with key and response exchanged."""

    def settle(self, value: Mapping[Triple, int]) -> tuple[Counter[Triple], dict[Edge, Triple]]:
        """As `corefeval.alignment.settle`."""

    def settle_wishes(self, free: bool) -> Wishes:
        """What `corefeval.measures` gives key entities: by ``xc_free`` if ``free``, else ``xc``."""


class Wishes(NamedTuple):
    """Mentions of response entities that are given already, and the pairs that are left."""

    correct: int
    incorrect: int
    left: Sequence[tuple[int, int, int, int]]
    """(i, j, n, r) of each, in the order in which key entities take response entities."""


class Source(Protocol):
    """What a table is counted from: pairs, other tables, or what `corefeval.scale` counts."""

    @property
    def pairs(self) -> Mapping[Edge, int]: ...
    @property
    def sizes(self) -> Sizes: ...
    @property
    def names(self) -> Names | None: ...
    @property
    def has_pairs(self) -> bool:
        """Whether the pairs are there, rather than made when they are asked for."""

    @property
    def documents(self) -> Sequence[Contingency] | None:
        """The tables that it unites, if it does."""

    @property
    def aligner(self) -> Aligner | None: ...
    def mentions(self, side: int) -> int: ...
    def shared_mentions(self) -> int: ...
    def triples(self) -> Mapping[Triple, int]: ...
    def histogram(self, side: int, kind: Kind) -> Histogram: ...
    def without(self, what: str, side: int) -> Source: ...
    def with_found(self, side: int) -> Source: ...


REMAINING: dict[str, Callable[[int, int], int]] = {
    "twinless": lambda size, shared: shared,
    "singleton": lambda size, shared: size if size > 1 else 0,
    "twinless singleton": lambda size, shared: size if size > 1 else shared,
}
"""What `Contingency.without` leaves of an entity's mentions, of which so many are shared."""


class AddedSingleton(NamedTuple):
    """The name of a singleton that `Contingency.with_found` makes for a mention."""

    entity: Hashable
    """The entity of the other side that has the mention."""
    number: int
    """Which of that entity's mentions that this side lacks it is, counted from 1."""


class Pairs:
    """The overlapping pairs, listed, and the sizes of all entities, perhaps with their names.

    Names stay with their entities while conventions change the table.

    >>> t = Contingency.counted_from(Pairs({(0, 0): 1}, ([2], [1, 1]), (["K1"], ["R1", "R2"])))
    >>> t.without("twinless").T.names
    (['R1'], ['K1'])
    >>> t.with_found(KEY).names
    (['K1'], ['R1', 'R2', AddedSingleton(entity='K1', number=1)])
    """

    has_pairs = True
    aligner = None

    def __init__(
        self,
        pairs: Mapping[Edge, int],
        sizes: Sizes,
        names: Names | None = None,
        documents: Sequence[Contingency] | None = None,
    ) -> None:
        self.pairs, self.sizes, self.names, self.documents = pairs, sizes, names, documents

    @classmethod
    def united(cls, documents: Sequence[Contingency]) -> Pairs:
        """The pairs and sizes of all documents, their entities numbered on."""
        pairs: dict[Edge, int] = {}
        keys: list[int] = []
        responses: list[int] = []
        for t in documents:
            before, there = len(keys), len(responses)
            for (i, j), n in t.pairs.items():
                pairs[before + i, there + j] = n
            key_sizes, response_sizes = t.source.sizes
            keys += key_sizes
            responses += response_sizes
        return cls(pairs, (keys, responses), documents=documents)

    def mentions(self, side: int) -> int:
        return sum(self.sizes[side])

    def shared_mentions(self) -> int:
        return sum(self.pairs.values())

    def triples(self) -> Mapping[Triple, int]:
        k, r = self.sizes
        return Counter([(n, k[i], r[j]) for (i, j), n in self.pairs.items()])

    def histogram(self, side: int, kind: Kind) -> Histogram:
        if kind == "core":
            largest = defaultdict[int, int](int)
            for edge, n in self.pairs.items():
                largest[edge[side]] = max(n, largest[edge[side]])
            return Counter(largest.values())
        if kind == "shared":
            return Counter(self.shared_sizes(side))
        return Counter(self.sizes[side])

    def shared_sizes(self, side: int) -> list[int]:
        """Of each entity of a side, the number of mentions that the other side has too: Σ n."""
        shared = [0] * len(self.sizes[side])
        for edge, n in self.pairs.items():
            shared[edge[side]] += n
        return shared

    def without(self, what: str, side: int) -> Pairs:
        sizes = [*map(REMAINING[what], self.sizes[side], self.shared_sizes(side))]
        left = [entity for entity, size in enumerate(sizes) if size]
        number = {entity: new for new, entity in enumerate(left)}
        if side == KEY:
            pairs = {(number[i], j): n for (i, j), n in self.pairs.items() if i in number}
        else:
            pairs = {(i, number[j]): n for (i, j), n in self.pairs.items() if j in number}
        of_sides = _replaced(self.sizes, side, [sizes[entity] for entity in left])
        names = self.names
        if names is not None:
            names = _replaced(names, side, [names[side][entity] for entity in left])
        return Pairs(pairs, of_sides, names)

    def with_found(self, side: int) -> Pairs:
        """Each mention of the side that the other lacks is a singleton there."""
        if side == RESPONSE:
            return self.exchanged().with_found(KEY).exchanged()
        key_sizes, response_sizes = self.sizes
        pairs, sizes = dict(self.pairs), list(response_sizes)
        lacking = [*map(sub, key_sizes, self.shared_sizes(KEY))]
        for i, number in enumerate(lacking):
            for _ in range(number):
                pairs[i, len(sizes)] = 1
                sizes.append(1)
        return Pairs(pairs, (key_sizes, sizes), self.names and _with_added(self.names, lacking))

    def exchanged(self) -> Pairs:
        """The same with key and response exchanged."""
        pairs = {(j, i): n for (i, j), n in self.pairs.items()}
        return Pairs(pairs, self.sizes[::-1], self.names and self.names[::-1])


def _replaced(
    of_sides: tuple[Sequence[Any], Sequence[Any]], side: int, new: Sequence[Any]
) -> tuple[Sequence[Any], Sequence[Any]]:
    """What both sides have, with something new for one of them."""
    if side == KEY:
        return new, of_sides[RESPONSE]
    return of_sides[KEY], new


def _with_added(names: Names, lacking: Sequence[int]) -> Names:
    """The names with those of the singletons that the response gets for mentions it lacks."""
    keys, responses = names
    added = [
        AddedSingleton(name, number + 1)
        for name, times in zip(keys, lacking, strict=True)
        for number in range(times)
    ]
    return keys, [*responses, *added]


class Exchanged:
    """A table whose key and response are exchanged."""

    def __init__(self, t: Contingency) -> None:
        self.t = t

    @cached_property
    def pairs(self) -> Mapping[Edge, int]:
        return {(j, i): n for (i, j), n in self.t.pairs.items()}

    @property
    def sizes(self) -> Sizes:
        return self.t.source.sizes[::-1]

    @property
    def names(self) -> Names | None:
        return self.t.names and self.t.names[::-1]

    @property
    def has_pairs(self) -> bool:
        return self.t.source.has_pairs

    @property
    def documents(self) -> Sequence[Contingency] | None:
        united = self.t.source.documents
        if united is None:
            return None
        return [each.T for each in united]

    @cached_property
    def aligner(self) -> Aligner | None:
        if self.t.aligner is None:
            return None
        return self.t.aligner.T

    def mentions(self, side: int) -> int:
        return self.t.source.mentions(1 - side)

    def shared_mentions(self) -> int:
        return self.t.shared_mentions

    def triples(self) -> Mapping[Triple, int]:
        return {(n, r, k): times for (n, k, r), times in self.t.triples.items()}

    def histogram(self, side: int, kind: Kind) -> Histogram:
        return self.t.histogram(1 - side, kind)

    def without(self, what: str, side: int) -> Source:
        return self.t.without(what, 1 - side).T.source

    def with_found(self, side: int) -> Source:
        return self.t.with_found(1 - side).T.source


class Union:
    """Tables of documents, whose numbers are added; pairs are listed if they are asked for."""

    has_pairs = False
    aligner = None
    names = None

    def __init__(self, documents: Sequence[Contingency]) -> None:
        self.documents = documents

    @cached_property
    def _listed(self) -> Pairs:
        return Pairs.united(self.documents)

    @property
    def pairs(self) -> Mapping[Edge, int]:
        return self._listed.pairs

    @property
    def sizes(self) -> Sizes:
        return self._listed.sizes

    def mentions(self, side: int) -> int:
        return sum(t.source.mentions(side) for t in self.documents)

    def shared_mentions(self) -> int:
        return sum(t.shared_mentions for t in self.documents)

    def triples(self) -> Mapping[Triple, int]:
        return added(t.triples for t in self.documents)

    def histogram(self, side: int, kind: Kind) -> Histogram:
        return added(t.histogram(side, kind) for t in self.documents)

    def without(self, what: str, side: int) -> Source:
        return Contingency.union(t.without(what, side) for t in self.documents).source

    def with_found(self, side: int) -> Source:
        return Contingency.union(t.with_found(side) for t in self.documents).source


def added(counts: Iterable[Mapping[Any, int]]) -> Mapping[Any, int]:
    """How often each key occurs in all counts together."""
    total: Counter[Any] = Counter()
    for each in counts:
        total.update(each)
    return total


def mentions_of(sizes: Histogram) -> int:
    """How many mentions entities of these sizes have."""
    return sum(size * times for size, times in sizes.items())


def exact_sum(terms: Iterable[tuple[Any, int]]) -> Any:
    """Σ value · times: an int where all values are ints, else a Fraction.

    Whole numbers are added, over one denominator, which is faster than to add fractions.

    >>> exact_sum([(Fraction(1, 2), 3), (Fraction(1, 3), 1), (1, 2)])
    Fraction(23, 6)
    >>> exact_sum([(Fraction(1), 1)]), exact_sum([(1, 1)]), exact_sum([])
    (Fraction(1, 1), 1, 0)
    """
    numerators: defaultdict[int, int] = defaultdict(int)
    types: set[type] = set()
    for value, times in terms:
        numerators[value.denominator] += value.numerator * times
        types.add(type(value))
    if Fraction not in types:
        return numerators[1]
    common = lcm(*numerators)
    return Fraction(sum(n * (common // d) for d, n in numerators.items()), common)
