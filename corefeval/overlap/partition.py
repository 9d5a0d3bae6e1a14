"""Keys and responses: mentions grouped into entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeGuard, cast

from corefeval.conventions import check
from corefeval.errors import CorefError, expect, items, shortened
from corefeval.overlap.labels import numbers_of, warn_of_none

Mention = Hashable
Link = tuple[Mention, Mention]
FLAT = {str, int}
"""Types of mentions, or of what is in a mention that is a tuple."""
MENTIONS = (
    "entities as lists of mentions, each a text, a whole number, a tuple of these such as "
    "(first, last), or an object of a class with __eq__ and __hash__"
)

OF_SPACY = (
    "[[(m.start, m.end - 1) for m in group] for name, group in doc.spans.items() "
    "if name.startswith('coref_clusters')]"
)
"""What makes entities of a Doc of spaCy."""


class Partition:
    """Disjoint, non-empty sets of mentions: a key or a response.

    ``entities`` is an iterable of lists, tuples or sets of mentions: texts, whole numbers, tuples
    of these, or objects of a class with ``__eq__`` and ``__hash__``. A list of whole numbers, as in
    JSON, becomes a tuple; an array or a tensor is what its ``tolist`` gives. Their order is kept
    for printing and ignored by ``==``. A key and a response need not have the same mentions.

    ``repeated`` says what becomes of a mention that is given twice: ``"error"`` refuses it,
    ``"first"`` keeps it where it came first (an entity that this empties is dropped), ``"merge"``
    makes one entity of all that share it.

    Raises `CorefError` for other entities and mentions, and for a mention given twice.

    >>> Partition([["a", "b"], ["c"]]) == Partition([["c"], ["b", "a"]])
    True
    >>> Partition([[[0, 5], [39, 42]], [[7, 7]]])
    Partition('{(0, 5) (39, 42)} {(7, 7)}')
    >>> Partition([["a", "b"], ["b", "c"]], repeated="merge")
    Partition('{a b c}')
    >>> Partition([["a", "b"], ["b", "c"]])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: mention 'b' is in entity 1 and again in entity 2; ...
    """

    __slots__ = ("entity_of", "names", "sizes")

    entity_of: Mapping[Mention, int]
    """The number of each mention's entity, counted from 0."""
    sizes: list[int]
    """How many mentions each entity has."""
    names: Sequence[str] | None
    """What a file calls the entities; None if nothing does: a place in a list is no name."""

    def __init__(
        self, entities: Iterable[Iterable[Mention]] = (), *, repeated: str = "error"
    ) -> None:
        # "last" is no choice of users: one scorer's bundle has it.
        if not isinstance(repeated, str) or repeated not in ("error", "first", "merge", "last"):
            check("repeated", repeated)
            raise CorefError(
                f"repeated={repeated!r} concerns a key and a response: pass it to metric or "
                "evaluate"
            )
        listed = as_lists(entities)
        self.entity_of, self.sizes, self.names = _entity_of(listed), [*map(len, listed)], None
        # As many mentions as listings: none is given twice.
        if len(self.entity_of) < sum(self.sizes):
            self.entity_of, self.sizes = _each_once(listed, repeated)

    @classmethod
    def from_labels(cls, labels: Mapping[Mention, Hashable]) -> Partition:
        """Make an entity of each label; return them in the order in which labels first appear.

        A mention is in no entity if its label is −1 or missing: None, NaN, or pandas' NA or NaT.

        Raises `CorefError` for what is no mapping, for a label that is not hashable, and for
        numbers and texts that `corefeval.from_labels` refuses.

        >>> Partition.from_labels({"a": 7, "b": 7, "c": 8, "d": None})
        Partition('{a b} {c}')
        """
        expect(Mapping, "a mapping from mentions to labels", labels)
        number_of = numbers_of(labels.values())
        told = "give {{m: label for m, label in labels.items() if label not in {}}}"
        warn_of_none(number_of, told)
        entity_of = {m: number_of[label] for m, label in labels.items() if number_of[label] >= 0}
        # Numbers first appear in their order, so a counter lists the sizes in that order, too.
        return cls.of_numbers(entity_of, list(Counter(entity_of.values()).values()))

    @classmethod
    def of_numbers(
        cls, entity_of: Mapping[Mention, int], sizes: list[int], names: Sequence[str] | None = None
    ) -> Partition:
        """Make a partition of mentions that are numbered by entity already; nothing is checked."""
        partition = object.__new__(cls)
        partition.entity_of, partition.sizes, partition.names = entity_of, sizes, names
        return partition

    @classmethod
    def once(cls, listed: Mapping[str, list[Mention]]) -> Partition | None:
        """The partition of entities by name; None if a mention is given twice."""
        sizes = [*map(len, listed.values())]
        entity_of = _entity_of(listed.values())
        if len(entity_of) < sum(sizes):
            return None
        return cls.of_numbers(entity_of, sizes, [*listed])

    @classmethod
    def from_links(cls, links: str | Iterable[Link], mentions: Iterable[Mention] = ()) -> Partition:
        """Connect mentions by links; return the connected components as entities.

        ``links`` are pairs, or a text like ``A-B B-C``; those of ``mentions`` that no link touches
        become singletons. Raises `CorefError` for a link that is no pair of hashable mentions.

        >>> Partition.from_links("A-B B-C D-E", mentions="F")
        Partition('{A B C} {D E} {F}')
        """
        alone = mentions if isinstance(mentions, str) else items("mentions", mentions)
        return cls([*as_links(links), *([mention] for mention in alone)], repeated="merge")

    @classmethod
    def parse(cls, text: str, *, repeated: str = "error") -> Partition:
        """Read this project's notation, ``{a b} {c}``, with spaces or commas; return the entities.

        >>> Partition.parse("{a, b} {c}")
        Partition('{a b} {c}')
        >>> Partition.parse("{a b")
        Traceback (most recent call last):
        corefeval.errors.CorefError: cannot read '{a b': expected {a b} {c}, found '{a b'
        """
        expect(str, "a text like {a b} {c}", text)
        return cls(text, repeated=repeated)

    @property
    def entities(self) -> list[list[Mention]]:
        """The mentions of each entity, in the order given."""
        grouped: list[list[Mention]] = [[] for _ in self.sizes]
        for mention, number in self.entity_of.items():
            grouped[number].append(mention)
        return grouped

    @property
    def mentions(self) -> frozenset[Mention]:
        """All mentions."""
        return frozenset(self.entity_of)

    def without_singletons(self) -> Partition:
        """Leave singletons out; return the entities of two or more mentions.

        >>> Partition.parse("{a b} {c}").without_singletons()
        Partition('{a b}')
        """
        kept = {m: number for m, number in self.entity_of.items() if self.sizes[number] > 1}
        return Partition.from_labels(kept)

    def __iter__(self) -> Iterator[list[Mention]]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition) and self._as_set() == other._as_set()

    def __hash__(self) -> int:
        return hash(self._as_set())

    def _as_set(self) -> frozenset[frozenset[Mention]]:
        return frozenset(map(frozenset, self.entities))

    def __str__(self) -> str:
        return " ".join("{" + " ".join(map(str, entity)) + "}" for entity in self.entities)

    def __repr__(self) -> str:
        return f"Partition({str(self)!r})"


def _entity_of(listed: Collection[list[Mention]]) -> dict[Mention, int]:
    """The number of each mention's entity: of the last, if several list it."""
    return {mention: number for number, entity in enumerate(listed) for mention in entity}


def _each_once(listed: list[list[Mention]], repeated: str) -> tuple[dict[Mention, int], list[int]]:
    """The number of each mention's entity, and the sizes, where entities share mentions."""
    if repeated == "error":
        _refuse_repeated(listed)
    if repeated == "merge":
        listed = _merged(listed)
    places = [*enumerate(listed)]
    if repeated == "first":
        places.reverse()
    holder = {mention: number for number, entity in places for mention in entity}
    every = [
        [m for m in dict.fromkeys(entity) if holder[m] == n] for n, entity in enumerate(listed)
    ]
    kept = [entity for entity in every if entity]
    return _entity_of(kept), [*map(len, kept)]


class ByName(dict[str, list[Mention]]):
    """Entities by the names that a file gives them; a mention may be given twice."""

    def __init__(self, listed: Mapping[str, list[Mention]], where: Callable[[Any], str]) -> None:
        super().__init__(listed)
        self.where = where  # names file, lines and document of a mention
        self.names: Sequence[str] | None = [*listed]  # as those of a `Partition`


def entities_of(listed: Mapping[str, list[Mention]], where: Callable[[Any], str]) -> Any:
    """The entities as a `Partition`, or as lists where a mention is given twice."""
    once = Partition.once(listed)
    return ByName(listed, where) if once is None else once


def numbered_entities(listed: Mapping[str, list[Mention]], where: Callable[[Any], str]) -> Any:
    """As `entities_of`, of entities whose names are ours: their numbers in a list."""
    entities = entities_of(listed, where)
    entities.names = None
    return entities


def as_partition(entities: Any, *, repeated: str = "error") -> Partition:
    """``entities`` as a `Partition`: itself, the notation ``{a b} {c}``, or lists of mentions."""
    if isinstance(entities, Partition):
        return entities
    return Partition(entities, repeated=repeated)


def as_lists(entities: Any) -> list[list[Mention]]:
    """The mentions of each entity of what `as_partition` takes, repeats and all."""
    if isinstance(entities, Partition):
        return entities.entities
    if isinstance(entities, ByName):
        return list(entities.values())
    if isinstance(entities, str):
        texts = _found_in(entities, r"\{([^{}]*)\}", "{a b} {c}")
        entities = [re.findall(r"[^\s,]+", text) for text in texts]
    if hasattr(entities, "spans"):
        raise CorefError(f"got a {type(entities).__name__} of spaCy: give its entities, {OF_SPACY}")
    entities = in_lists(entities)
    given = [items(MENTIONS, in_lists(each)) for each in items(MENTIONS, entities)]
    if not all(given):
        raise CorefError(f"entity {1 + given.index([])} is empty; expected {MENTIONS}")
    # Most mentions are flat; to see it of all together takes a third of the time.
    if are_flat([*chain.from_iterable(given)]):
        return given
    return [
        [_mention(each, f"entity {number}") for each in entity]
        for number, entity in enumerate(given, 1)
    ]


def are_flat(mentions: Sequence[Any]) -> bool:
    """Whether all mentions are texts, whole numbers or tuples of these.

    >>> are_flat([(0, 1), (2, 2)]), are_flat([(0, (1, 2))])
    (True, False)
    """
    kinds = {*map(type, mentions)}
    if kinds == {tuple}:
        kinds = {*map(type, chain.from_iterable(mentions))}
    return kinds <= FLAT


def in_lists(given: Any) -> Any:
    """An array or a tensor, or a number of one, as lists and numbers of Python."""
    return given.tolist() if hasattr(given, "tolist") else given


def _mention(given: Any, where: str) -> Mention:
    """A mention; a list, as JSON has it, is one of whole numbers."""
    given = in_lists(given)
    if type(given) in (list, tuple):
        given = type(given)(map(in_lists, given))
    if type(given) is list and {*map(type, given)} == {int}:
        return tuple(given)
    if not _is_mention(given):
        raise CorefError(f"{where} has the mention {shortened(given)}; expected {MENTIONS}")
    return cast(Mention, given)


def _is_mention(given: Any) -> bool:
    """Whether equal ones are the same mention, and it is no entity or document itself."""
    try:
        hash(given)
        if isinstance(given, tuple):
            odd = [part for part in given if type(part) not in FLAT]
            # Else the entities of a document, each a tuple, would be taken for mentions.
            return len(odd) < len(given) and _equal_themselves(odd)
        if not _equal_themselves([given]):
            return False
    except TypeError:
        return False
    kind: Any = type(given)
    # None compares by a method of its own since Python 3.12.
    by_itself = given is None or kind.__eq__ is object.__eq__
    return not by_itself and not isinstance(given, (frozenset, Partition))


def _equal_themselves(parts: Iterable[Any]) -> bool:
    """Whether all are equal to themselves, and what is in them if they are tuples.

    NaN is not, and pandas' NA does not say: TypeError. Tuples take the same object for equal.
    """
    for part in parts:
        if isinstance(part, tuple):
            if not _equal_themselves(part):
                return False
        elif part != part:
            return False
    return True


def all_mentions(side: Any) -> Iterable[Mention]:
    """The mentions of a `Partition` or of lists, by name or not, repeats and all."""
    if isinstance(side, Partition):
        return side.entity_of
    return chain.from_iterable(side.values() if isinstance(side, Mapping) else side)


def by_name(entities: Any) -> dict[str, list[Mention]]:
    """The mentions of each entity by its name in a file, or by its number, counted from 1.

    >>> by_name([["a", "b"], ["b"]])
    {'1': ['a', 'b'], '2': ['b']}
    """
    if isinstance(entities, ByName):
        return dict(entities)
    listed = as_lists(entities)
    names = entities.names if isinstance(entities, Partition) else None
    return dict(zip(names or names_by_number(len(listed)), listed, strict=True))


def names_by_number(count: int) -> list[str]:
    """The names of entities that have none."""
    return [str(number) for number in range(1, count + 1)]


def as_links(links: str | Iterable[Link]) -> list[Link]:
    """Pairs of mentions: those given, or those of a text as the MUC paper writes them.

    >>> as_links("<A-B B-C>")
    [('A', 'B'), ('B', 'C')]
    """
    if isinstance(links, str):
        return _found_in(links.strip("<> "), r"([^-\s,]+)-([^-\s,]+)", "A-B B-C")
    given = items("links as pairs of mentions", links)
    for each in given:
        if not isinstance(each, (list, tuple)) or len(each) != 2:
            raise CorefError(f"expected links as pairs of mentions, got {shortened(each)}")
    return [
        (_mention(a, f"link {number}"), _mention(b, f"link {number}"))
        for number, (a, b) in enumerate(given, 1)
    ]


def _found_in(text: str, pattern: str, expected: str) -> list[Any]:
    """What the pattern finds in a text that has nothing else, apart by spaces or commas."""
    if rest := re.sub(pattern, " ", text).strip(" ,\n\t"):
        raise CorefError(f"cannot read {text!r}: expected {expected}, found {rest!r}")
    return re.findall(pattern, text)


def _refuse_repeated(entities: list[list[Mention]]) -> None:
    """Refuse the first mention that is in two entities, or twice in one."""
    first: dict[Mention, int] = {}
    for number, entity in enumerate(entities, 1):
        for mention in entity:
            if mention in first:
                raise CorefError(
                    f"mention {mention!r} is in entity {first[mention]} and again in entity "
                    f'{number}; repeated="first" keeps it in the first, repeated="merge" makes '
                    "one of all that share it"
                )
            first[mention] = number


def _merged(entities: list[list[Mention]]) -> list[list[Mention]]:
    """Make one entity of those that share a mention, at the place of the first of them.

    Of two groups the smaller joins the larger, so that none of n mentions moves more than log₂ n
    times.
    """
    group_of: dict[Mention, list[Mention]] = {}
    for entity in entities:
        for mention in entity:
            large = group_of.setdefault(entity[0], [entity[0]])
            small = group_of.setdefault(mention, [mention])
            if large is small:
                continue
            if len(large) < len(small):
                large, small = small, large
            large += small
            group_of.update(dict.fromkeys(small, large))
    grouped: dict[int, list[Mention]] = {}
    for mention, group in group_of.items():
        grouped.setdefault(id(group), []).append(mention)
    return list(grouped.values())


def is_span(mention: Any) -> TypeGuard[tuple[int, int]]:
    """Whether a mention is a pair (first, last) of places."""
    return isinstance(mention, tuple) and [type(each) for each in mention] == [int, int]
