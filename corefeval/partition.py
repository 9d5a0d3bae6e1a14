"""Keys and responses: mentions grouped into entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Integral
from operator import eq
from typing import Any, TypeGuard

from corefeval.conventions import check
from corefeval.errors import CorefError, expect, items, shortened
from corefeval.labels import numbers_of

Mention = Hashable
Link = tuple[Mention, Mention]
SEVERAL_DOCUMENTS = (
    "this looks like documents, each with its entities: update them one by one, or with "
    "update_batch; entities whose mentions all have several parts are given as a Partition"
)
LISTS, PLAIN = {list, tuple, set, frozenset}, {str, int}
"""Types of entities, and of mentions or their parts, that are taken as they are."""


class Partition:
    """Disjoint, non-empty sets of mentions: a key or a response.

    ``entities`` is an iterable of iterables of hashable mentions; a mention that is a list, as in
    JSON, or a row of a NumPy array becomes a tuple. Their order is kept for printing and ignored by
    ``==``. A key and a response need not have the same mentions.

    ``repeated`` says what becomes of a mention that is given twice: ``"error"`` refuses it,
    ``"first"`` keeps it where it came first (an entity that this empties is dropped), ``"merge"``
    makes one entity of all that share it.

    Raises `CorefError` for an empty entity, an entity that is a text, bytes, a mapping or no
    collection at all, a mention that is not hashable or, as NaN, not equal to itself, and a
    mention given twice.

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
    """What a file calls the entities; None if they are of no file."""

    def __init__(
        self, entities: Iterable[Iterable[Mention]] = (), *, repeated: str = "error"
    ) -> None:
        # The last is of one scorer's bundle alone.
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
        """One entity per distinct label, in the order in which the labels first appear.

        A mention is in no entity if its label is −1 or missing: None, NaN, or pandas' NA or NaT.

        Raises `CorefError` for what is no mapping, for a label that is not hashable, and for
        numbers and texts that `corefeval.from_labels` refuses.

        >>> Partition.from_labels({"a": 7, "b": 7, "c": 8, "d": None})
        Partition('{a b} {c}')
        """
        expect(Mapping, "a mapping from mentions to labels", labels)
        number_of = numbers_of(labels.values())
        entity_of = {m: number_of[label] for m, label in labels.items() if number_of[label] >= 0}
        sizes = Counter(entity_of.values()).values()  # in the order of the numbers, as these are
        return cls.of_numbers(entity_of, list(sizes))

    @classmethod
    def of_numbers(
        cls, entity_of: Mapping[Mention, int], sizes: list[int], names: Sequence[str] | None = None
    ) -> Partition:
        """For those who have counted already: not checked."""
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
        """The entities that links define: the connected components of the graph they form.

        ``links`` are pairs, or a text like ``A-B B-C``; those of ``mentions`` that no link touches
        become singletons. Raises `CorefError` for a link that is no pair of hashable mentions.

        >>> Partition.from_links("A-B B-C D-E", mentions="F")
        Partition('{A B C} {D E} {F}')
        """
        alone = mentions if isinstance(mentions, str) else items("mentions", mentions)
        return cls([*as_links(links), *([mention] for mention in alone)], repeated="merge")

    @classmethod
    def parse(cls, text: str, *, repeated: str = "error") -> Partition:
        """Read the notation of this project: ``{a b} {c}``, mentions apart by spaces or commas.

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
        """The entities of two or more mentions.

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
    """The same and the sizes, of entities that share mentions."""
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
    given = items("entities as collections of mentions", entities)
    if _are_plain(given):
        return [*map(list, given)]
    if any(isinstance(each, Partition) for each in given):
        raise CorefError(SEVERAL_DOCUMENTS)
    try:
        return [_checked_mentions("entity", number, each) for number, each in enumerate(given, 1)]
    except CorefError:
        if _are_documents(chain.from_iterable(each for each in given if _is_listed(each))):
            raise CorefError(SEVERAL_DOCUMENTS) from None
        raise


def _are_plain(entities: list[Any]) -> bool:
    """Whether these are lists of texts, integers or tuples of them: of such nothing is to be asked.

    Most entities are, and together they are seen to be in a third of the time.
    """
    if not ({*map(type, entities)} <= LISTS and all(entities)):
        return False
    mentions = [*chain.from_iterable(entities)]
    kinds = {*map(type, mentions)}
    if kinds == {tuple}:
        kinds = {*map(type, chain.from_iterable(mentions))}
    return kinds <= PLAIN


def refuse_documents(given: Iterable[Any], read: Iterable[Any]) -> None:
    """Refuse a key and a response that look like a batch of documents, each with its entities.

    They look so if every mention of both is a collection of pairs of integers; one side alone may
    have mentions of several parts. ``read`` has for both sides ``given`` a `Partition` or a list of
    lists of mentions. A batch would else be scored as one document whose mentions are entities. A
    side that is given as a `Partition` is taken as it is.

    >>> batch = [[((0, 1), (4, 4))], [((2, 2), (5, 6))]]
    >>> refuse_documents([batch, batch], [batch, batch])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefeval.errors.CorefError: this looks like documents, each with its entities: update them ...
    """
    if any(isinstance(side, (Partition, ByName)) for side in given):
        return
    if _are_documents(chain.from_iterable(map(all_mentions, read))):
        raise CorefError(SEVERAL_DOCUMENTS)


def are_documents_in_order(key: Any, response: Any) -> bool:
    """Whether these are two lists of documents, and surely not the entities of one document.

    A document is a `Partition` or a list of entities, an entity a list of mentions, and a mention a
    text or a pair of integers. A tuple of texts may be a mention, and is no entity.

    >>> batch = [[["a", "b"], ["c"]], [["d"]]]
    >>> are_documents_in_order(batch, batch), are_documents_in_order(batch[0], batch[0])
    (True, False)
    """
    if not (isinstance(key, (list, tuple)) and isinstance(response, (list, tuple))):
        return False
    documents = [_plain(each) for each in (*key, *response)]
    if not all(isinstance(each, (list, tuple, Partition, ByName)) for each in documents):
        return False
    listed = [each for each in documents if not isinstance(each, (Partition, ByName))]
    entities = [_plain(entity) for each in listed for entity in each]
    return all(map(_is_entity, entities)) and (any(entities) or len(listed) < len(documents))


def _is_entity(entity: Any) -> bool:
    """Whether this is a list of texts or pairs of integers, or a tuple of such pairs."""
    if not isinstance(entity, (list, tuple, set, frozenset)):
        return False
    mentions = [_plain(mention) for mention in entity]
    if all(map(_is_pair, mentions)):
        return True
    return not isinstance(entity, tuple) and all(isinstance(each, str) for each in mentions)


def all_mentions(side: Any) -> Iterable[Mention]:
    """The mentions of a `Partition` or of lists, by name or not, repeats and all."""
    if isinstance(side, Partition):
        return side.entity_of
    return chain.from_iterable(side.values() if isinstance(side, Mapping) else side)


def _are_documents(mentions: Iterable[Any]) -> bool:
    """Whether there are mentions, and all of them look like entities whose mentions are spans."""
    several = False
    for mention in mentions:
        if not _is_of_spans(mention):
            return False
        several = True
    return several


def _is_of_spans(mention: Any) -> bool:
    """Whether a mention is a list, tuple or array of pairs of integers."""
    return _is_listed(mention) and len(mention) > 0 and all(map(_is_pair, mention))


def _is_pair(part: Any) -> bool:
    if not _is_listed(part) or len(part) != 2:
        return False
    places = map(_plain, part)
    return all(isinstance(place, Integral) and not isinstance(place, bool) for place in places)


def _is_listed(given: Any) -> bool:
    """Whether this is a list, a tuple, a set that may be a mention, or an array."""
    return isinstance(given, (list, tuple, frozenset)) or bool(getattr(given, "shape", ()))


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
    pairs = [_checked_mentions("link", number, each) for number, each in enumerate(given, 1)]
    if odd := [pair for pair in pairs if len(pair) != 2]:
        raise CorefError(f"expected links as pairs of mentions, got {shortened(odd[0])}")
    return [(a, b) for a, b in pairs]


def _found_in(text: str, pattern: str, expected: str) -> list[Any]:
    """What the pattern finds in a text that has nothing else, apart by spaces or commas."""
    if rest := re.sub(pattern, " ", text).strip(" ,\n\t"):
        raise CorefError(f"cannot read {text!r}: expected {expected}, found {rest!r}")
    return re.findall(pattern, text)


def _checked_mentions(what: str, number: int, entity: Any) -> list[Mention]:
    if hasattr(entity, "tolist"):
        entity = entity.tolist()
    # A dict is accepted as an ordered set: its keys are the mentions.
    if isinstance(entity, dict):
        entity = list(entity)
    try:
        mentions = items("a collection of mentions", entity)
    except CorefError as error:
        raise CorefError(f"{what} {number}: {error}") from None
    if not mentions:
        raise CorefError(f"{what} {number} is empty: leave it out, or give it a mention")
    mentions = _without_arrays(mentions)
    if _can_be_told(mentions):
        return mentions
    tuples = [_as_tuple(mention) for mention in mentions]
    if _can_be_told(tuples):
        return tuples
    odd = next(mentions[n] for n, mention in enumerate(tuples) if not _can_be_told([mention]))
    raise CorefError(
        f"{what} {number} has the mention {shortened(odd)}, a {type(odd).__name__}: expected "
        "something hashable and equal to itself, such as a text, a number or a tuple of these"
    )


def _without_arrays(mentions: list[Any]) -> list[Any]:
    """Mentions with Python's lists and numbers for arrays and tensors, or for what is in them.

    A tensor is equal to itself alone, so that no other mention would ever be the same.
    """
    # The first stands for all: to look into each would take as long as the rest of the reading.
    inner = mentions[0][:1] if type(mentions[0]) in (list, tuple) else ()
    if any(hasattr(part, "tolist") for part in inner):
        mentions = [tuple(map(_plain, each)) if _is_listed(each) else each for each in mentions]
    if any(hasattr(kind, "tolist") for kind in set(map(type, mentions))):
        mentions = [_as_tuple(_plain(mention)) for mention in mentions]
    return mentions


def _plain(given: Any) -> Any:
    return given.tolist() if hasattr(given, "tolist") else given


def _as_tuple(mention: Any) -> Any:
    """A list, as JSON has it, or a row of an array as a tuple; anything else as it is."""
    return tuple(mention) if type(mention) is list else mention


def _can_be_told(mentions: list[Mention]) -> bool:
    """Whether all are hashable and equal to themselves, which NaN is not."""
    try:
        return bool(frozenset(mentions)) and all(map(eq, mentions, mentions))
    # bool(pandas.NA == pandas.NA) raises TypeError.
    except TypeError:
        return False


def _refuse_repeated(entities: list[list[Mention]]) -> None:
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
    """Union–find: entities that share a mention become one, at the place of the first of them.

    The smaller tree is put below the larger, and a search makes its whole path point to the root:
    with both, the time grows almost in proportion to the mentions listed (Tarjan 1975).
    """
    parent: dict[Mention, Mention] = {}
    below: Counter[Mention] = Counter()  # how many mentions are below a root

    def root(mention: Mention) -> Mention:
        above = parent.setdefault(mention, mention)
        if above is not mention:
            above = parent[mention] = root(above)
        return above

    for entity in entities:
        for mention in entity:
            large, small = root(entity[0]), root(mention)
            if large is small:
                continue
            if below[large] < below[small]:
                large, small = small, large
            parent[small] = large
            below[large] += below[small] + 1
    grouped: dict[Mention, list[Mention]] = {}
    for mention in parent:
        grouped.setdefault(root(mention), []).append(mention)
    return list(grouped.values())


def is_span(mention: Any) -> TypeGuard[tuple[int, int]]:
    """Whether a mention is a pair (first, last) of places."""
    return isinstance(mention, tuple) and [type(each) for each in mention] == [int, int]
