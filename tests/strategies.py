"""Keys and responses to try the measures on: as text, drawn at random, and all small ones.

Like the oracle, this module shares nothing with the library: entities are frozensets.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from hypothesis import strategies as st

Entities = list[frozenset[Hashable]]
Pair = tuple[Entities, Entities]

MENTIONS = "abcdefg"
MOST_ENTITIES = 5  # the oracle tries every alignment


def read(text: str) -> Entities:
    """``"{a b} {c}"``"""
    return [frozenset(entity.split()) for entity in text.replace("{", "").split("}")[:-1]]


def grouped(mentions: Sequence[Hashable], labels: Sequence[int | None]) -> Entities:
    """The mentions of each label together; a mention labelled None is left out."""
    return [
        frozenset(m for m, label in zip(mentions, labels, strict=True) if label == each)
        for each in dict.fromkeys(labels)
        if each is not None
    ]


def sets(side: Iterable[Iterable[Hashable]]) -> Entities:
    """A key or response of the library's, as the oracle takes it."""
    return [frozenset(entity) for entity in side]


def partitions(mentions: Sequence[Hashable] = MENTIONS) -> st.SearchStrategy[Entities]:
    """Entities over some of the mentions: singletons, and none at all, among them."""
    label = st.none() | st.integers(0, MOST_ENTITIES - 1)
    labels = st.lists(label, min_size=len(mentions), max_size=len(mentions))
    return labels.map(lambda labels: grouped(mentions, labels))


def pairs() -> st.SearchStrategy[Pair]:
    """A key and a response, with twinless mentions on both sides, identical, empty or giant."""
    anything = partitions()
    giant = st.just([frozenset(MENTIONS)])
    nothing: st.SearchStrategy[Entities] = st.just([])
    return st.one_of(
        st.tuples(anything, anything),
        anything.map(lambda entities: (entities, entities)),
        st.tuples(anything, giant),
        st.tuples(giant, anything),
        st.tuples(anything, nothing),
        st.tuples(nothing, anything),
    )


def corpora() -> st.SearchStrategy[dict[Hashable, Pair]]:
    """A few documents; their mentions have the same names, as token offsets have."""
    return st.dictionaries(st.sampled_from(["x", "y", "z"]), pairs(), max_size=3)


def links() -> st.SearchStrategy[list[tuple[str, str]]]:
    """Links, some of them twice, in both directions, in circles or from a mention to itself."""
    mention = st.sampled_from(MENTIONS)
    return st.lists(st.tuples(mention, mention), max_size=8)


def all_partitions(mentions: Sequence[Hashable]) -> Iterator[Entities]:
    """Every set of disjoint entities over any of the mentions."""
    if not mentions:
        yield []
        return
    *others, last = mentions
    for entities in all_partitions(others):
        yield entities
        yield [*entities, frozenset({last})]
        for i, entity in enumerate(entities):
            yield [*entities[:i], entity | {last}, *entities[i + 1 :]]


def all_keys(mentions: Sequence[Hashable]) -> Iterator[Entities]:
    """One set of entities of every profile of sizes: all of them, but for the mentions' names."""
    profiles = {tuple(sorted(map(len, entities))) for entities in all_partitions(mentions)}
    for sizes in sorted(profiles):
        rest = iter(mentions)
        yield [frozenset(next(rest) for _ in range(size)) for size in sizes]


def all_pairs(mentions: Sequence[Hashable], *, twinless: bool = True) -> list[Pair]:
    """Every key and response over any of the mentions, but for the mentions' names.

    With ``twinless=False`` only those in which both sides have all the mentions.
    """
    sides = [*all_keys(mentions)], [*all_partitions(mentions)]
    keys, responses = (
        [side for side in each if twinless or sum(map(len, side)) == len(mentions)]
        for each in sides
    )
    return [(key, response) for key in keys for response in responses]


def disjoint_union(documents: dict[Hashable, Pair]) -> Pair:
    """All documents as one, their mentions told apart."""

    def side(number: int) -> Entities:
        return [
            frozenset((name, mention) for mention in entity)
            for name, pair in documents.items()
            for entity in pair[number]
        ]

    return side(0), side(1)
