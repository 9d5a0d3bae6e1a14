"""The contingency table of a key and a response: all that the measures need to know of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from corefeval.errors import CorefError, expect, items, shortened
from corefeval.lazily import cached_property

if TYPE_CHECKING:
    from corefeval.overlap.partition import Partition
    from corefeval.score import Pair
else:
    # Whoever reads hints at run time finds the names; the modules stand above this one.
    Partition = Pair = Any

Edge = tuple[int, int]
"""The numbers (i, j) of a key entity and a response entity, counted from 0."""
Triple = tuple[int, int, int]
"""(n, k, r) of an overlapping pair."""
Histogram = Mapping[int, int]
"""How often each size occurs."""
SIDES = ("key", "response")
KEY, RESPONSE = 0, 1
"""The places of the two sides in `SIDES`, and of their numbers in an `Edge`."""
WHOLE = "table"
"""The name of the one document of a table without documents."""
Names = tuple[Sequence[Hashable], Sequence[Hashable]]
"""What each key entity is called, and each response entity."""
Cached = TypeVar("Cached")


class Contingency:
    """How a key and a response overlap.

    One row per overlapping pair (Kᵢ, Rⱼ) with n = \\|Kᵢ∩Rⱼ\\|, and the full sizes k = \\|Kᵢ\\| and
    r = \\|Rⱼ\\|: a missing or spurious mention is in no row, but in its entity's size.

    >>> from corefeval import Partition

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
    Entities that have names keep them in all tables that are made of this one. `corefeval.scale`
    has tables of arrays and databases, which list their pairs only if they are asked for.
    """

    aligner: Aligner | None = None
    """What aligns entities faster than their pairs, in a table that has arrays."""
    united: Sequence[Contingency] = ()
    """The tables that a `union` unites."""

    def __init__(
        self,
        pairs: Mapping[Edge, int],
        key_sizes: Sequence[int],
        response_sizes: Sequence[int],
        names: Names | None = None,
        documents: Sequence[Contingency] = (),
    ) -> None:
        expect(Mapping, "pairs as a mapping from (i, j) to n", pairs)
        self.pairs, self.names = dict(pairs), names
        """n of each overlapping pair, by the numbers (i, j) of its entities."""
        self.key_sizes = items("the sizes of the key's entities", key_sizes)
        """\\|Kᵢ\\| of every key entity, wholly missing ones too."""
        self.response_sizes = items("the sizes of the response's entities", response_sizes)
        """\\|Rⱼ\\| of every response entity, wholly spurious ones too."""
        self.united = documents

    def __repr__(self) -> str:
        """How many entities and mentions there are, in a line."""
        missing = self.key_mentions - self.shared_mentions
        spurious = self.T.key_mentions - self.shared_mentions
        return (
            f"table of {self.key_entities} key and {self.T.key_entities} response entities: "
            f"{self.shared_mentions} mentions shared, {missing} missing, {spurious} spurious"
        )

    @property
    def documents(self) -> Sequence[Contingency]:
        """The tables that a `union` unites, within which alone links can be; else the table."""
        return self.united or (self,)

    @classmethod
    def of(cls, key: Partition, response: Partition, names: Names | None = None) -> Contingency:
        """Count two partitions in one pass over the key's mentions; return their table."""
        for side in (key, response):
            # The class stands above this module, which cannot ask for it.
            if not hasattr(side, "entity_of"):
                raise CorefError(f"expected each side as a Partition, got {shortened(side)}")
        here, there = key.entity_of, response.entity_of
        pairs = Counter([(i, there[mention]) for mention, i in here.items() if mention in there])
        return cls(pairs, key.sizes, response.sizes, names)

    @staticmethod
    def union(tables: Iterable[Contingency]) -> Contingency:
        """Number the entities of documents on; return one table of all, or the only one as it is.

        >>> from corefeval import Partition

        >>> t = Contingency.of(Partition.parse("{a b}"), Partition.parse("{a b}"))
        >>> Contingency.union([t, t]).pairs
        {(0, 0): 2, (1, 1): 2}
        """
        documents = items("tables of documents", tables)
        for t in documents:
            expect(Contingency, "each document's Contingency", t)
        if len(documents) == 1:
            return documents[0]
        # A table of arrays or of a database knows how to add others to itself; this class does not
        # know of them.
        unite = next((t.unite for t in documents if type(t) is not Contingency), Contingency.unite)
        return unite(documents)

    @staticmethod
    def unite(documents: Sequence[Contingency]) -> Contingency:
        """The union of tables of this class, or of this class and others."""
        pairs: dict[Edge, int] = {}
        keys: list[int] = []
        responses: list[int] = []
        for t in documents:
            before, there = len(keys), len(responses)
            pairs |= {(before + i, there + j): n for (i, j), n in t.pairs.items()}
            keys += t.key_sizes
            responses += t.response_sizes
        return Contingency(pairs, keys, responses, documents=documents)

    @cached_property
    def T(self) -> Contingency:
        """The table with key and response exchanged: precision is recall of ``t.T``."""
        pairs = {(j, i): n for (i, j), n in self.pairs.items()}
        names = self.names and self.names[::-1]
        t = Contingency(pairs, self.response_sizes, self.key_sizes, names)
        # BLANC asks for the documents of either side: no link goes from one document to another.
        if len(self.documents) > 1:
            t.united = [each.T for each in self.documents]
        t.T = self
        return t

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        """How often each triple (n, k, r) occurs among the pairs: few, however large the table."""
        k, r = self.key_sizes, self.response_sizes
        return Counter([(n, k[i], r[j]) for (i, j), n in self.pairs.items()])

    @cached_property
    def shared_sizes(self) -> list[int]:
        """Of each key entity, the number of mentions that the response has too: Σ n."""
        shared = [0] * len(self.key_sizes)
        for (i, _), n in self.pairs.items():
            shared[i] += n
        return shared

    @cached_property
    def key_histogram(self) -> Histogram:
        """The number of key entities of each size."""
        return Counter(self.key_sizes)

    @cached_property
    def shared_histogram(self) -> Histogram:
        """The sizes of the key entities, as `key_histogram`, without missing mentions."""
        return Counter(self.shared_sizes)

    @cached_property
    def core_histogram(self) -> Histogram:
        """The largest n of each key entity, as `key_histogram`, of those that overlap any."""
        largest: defaultdict[int, int] = defaultdict(int)
        for (i, _), n in self.pairs.items():
            largest[i] = max(n, largest[i])
        return Counter(largest.values())

    @cached_property
    def shared_mentions(self) -> int:
        """Σ n: the mentions that both sides have."""
        return sum(n * times for (n, _, _), times in self.triples.items())

    @cached_property
    def key_mentions(self) -> int:
        """Σ \\|Kᵢ\\|"""
        return mentions_of(self.key_histogram)

    @cached_property
    def key_entities(self) -> int:
        """The number of key entities."""
        return sum(self.key_histogram.values())

    @property
    def same_sides(self) -> bool:
        """Whether key and response are the same."""
        # Pairs alone do not show wholly missing or wholly spurious entities; the sums do.
        alike = all(n == k == r for n, k, r in self.triples)
        return alike and self.key_mentions == self.shared_mentions == self.T.key_mentions

    @property
    def same_order(self) -> bool:
        """Whether key and response are the same, with their entities in the same order."""
        return self.same_sides and all(i == j for i, j in self.pairs)

    def without(self, what: str, side: int = RESPONSE) -> Contingency:
        """Leave out a side's mentions that are ``what`` in `REMAINING`; return the table."""
        if side == RESPONSE:
            return self.T.without(what, KEY).T
        return Contingency.union(t._without(what) for t in self.documents)

    def _without(self, what: str) -> Contingency:
        sizes = [*map(REMAINING[what], self.key_sizes, self.shared_sizes)]
        left = [entity for entity, size in enumerate(sizes) if size]
        number = {entity: new for new, entity in enumerate(left)}
        pairs = {(number[i], j): n for (i, j), n in self.pairs.items() if i in number}
        names = self.names and ([self.names[KEY][entity] for entity in left], self.names[RESPONSE])
        return Contingency(pairs, [sizes[i] for i in left], self.response_sizes, names)

    def with_found(self, side: int) -> Contingency:
        """Make a side's mentions that the other lacks singletons there; return the table."""
        if side == RESPONSE:
            return self.T.with_found(KEY).T
        return Contingency.union(t._with_found() for t in self.documents)

    def _with_found(self) -> Contingency:
        pairs, sizes = dict(self.pairs), list(self.response_sizes)
        names: Any = self.names and (self.names[KEY], list(self.names[RESPONSE]))
        for i, number in enumerate(map(sub, self.key_sizes, self.shared_sizes)):
            for added in range(number):
                pairs[i, len(sizes)] = 1
                sizes.append(1)
                if names:
                    names[RESPONSE].append(AddedSingleton(names[KEY][i], added + 1))
        return Contingency(pairs, self.key_sizes, sizes, names)

    def once(self, make: Callable[[Contingency], Cached]) -> Cached:
        """Call a function of the table the first time; return what it made then and ever after."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    @cached_property
    def _made(self) -> dict[Callable[[Contingency], Any], Any]:
        return {}

    def sum(self, f: Callable[[int, int, int], Any]) -> Any:
        """Σ f(n, k, r) over all pairs, f called once per distinct triple; exact.

        >>> from corefeval import Partition

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
    before: Contingency | None = None
    """The table that a policy on missing and spurious mentions has changed; None if none has."""

    @classmethod
    def alike(cls, t: Contingency) -> Tables:
        """The tables of a score that counts recall, precision and all else in one."""
        return cls(t, t, t)


# What tables are counted from


class Aligner(Protocol):
    """Aligns the entities of a table in arrays (`corefeval.scale`)."""

    @property
    def T(self) -> Aligner:
        """The aligner of the table with key and response exchanged."""

    def settle(self, value: Mapping[Triple, int]) -> tuple[Counter[Triple], dict[Edge, Triple]]:
        """As `corefeval.overlap.alignment.settle`."""

    def settle_wishes(self, free: bool) -> Wishes:
        """What `corefeval.measures` gives key entities: by ``xc_free`` if ``free``, else ``xc``."""


class Wishes(NamedTuple):
    """Mentions of response entities that are given already, and the pairs that are left."""

    correct: int
    incorrect: int
    left: Sequence[tuple[int, int, int, int]]
    """(i, j, n, r) of each, in the order in which key entities take response entities."""


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
