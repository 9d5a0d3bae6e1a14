"""Repeated mentions, by the choices that take a key and a response to each other.

Each function takes both sides as lists of mentions by the entity's name, repeats and all, and gives
the tables that recall, precision, and measures that do not tell the two apart, are counted in.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from corefeval.errors import CorefError, shortened
from corefeval.overlap.contingency import Contingency, Edge, Tables
from corefeval.overlap.partition import Mention, Partition

ListsByName = Mapping[str, list[Mention]]

MOST_REPEATS = 1_000_000
"""How many pairs of entities `each` may make of repeats: one takes about 150 bytes."""


def reference(key: ListsByName, response: ListsByName) -> Tables:
    """As the reference scorer: a response mention of the key counts once, where it came first.

    One that the key lacks counts each time. Raises `CorefError` for a mention that the key repeats:
    the reference scorer then counts an entity by a size that is not its own.

    Source: CorScorer.pm of v8.01, lines 373 to 399.

    >>> t = reference({"K": ["a"]}, {"R1": ["a", "x"], "R2": ["a"], "R3": ["x", "a"]}).recall
    >>> t.response_sizes, t.names
    ([2, 1], (['K'], ['R1', 'R3']))
    """
    try:
        of_key = Partition(key.values())
    except CorefError as error:
        # What follows a semicolon are choices, none of which this scorer has.
        raise CorefError(f"key: {str(error).split(';')[0]}; no score is defined for that") from None
    name_of: dict[Mention, str] = {}
    for name, entity in response.items():
        for mention in entity:
            if mention not in name_of:
                name_of[mention] = name
            elif mention not in of_key.entity_of:
                # A new object equals nothing else, so this listing is a mention of its own.
                name_of[object()] = name
    names = {name: j for j, name in enumerate(dict.fromkeys(name_of.values()))}
    pairs = Counter(
        (i, names[name_of[mention]])
        for mention, i in of_key.entity_of.items()
        if mention in name_of
    )
    sizes = Counter(name_of.values())
    of_response = [sizes[name] for name in names]
    return Tables.alike(Contingency(pairs, of_key.sizes, of_response, ([*key], [*names])))


def each(key: ListsByName, response: ListsByName) -> Tables:
    """Every mention counts in each entity that lists it, and each time; sizes count the repeats.

    For recall the mentions of the key are looked up in the response, where a mention is found in
    the last entity that lists it; for precision the response's in the key. Measures that align
    entities, and BLANC, compare their lists. So a score may exceed 1.

    A mention that the key gives n times and the response in m entities makes n · m pairs. Raises
    `CorefError` if the sum of (n − 1)(m − 1) over a document's mentions is above `MOST_REPEATS`.

    Source: scorers that keep a dictionary from mentions to entities, such as coval and that of
    e2e-coref.

    >>> tables = each({"K": ["a", "b"]}, {"R": ["a"], "S": ["a", "b"]})
    >>> [dict(t.pairs) for t in tables[:3]]
    [{(0, 1): 2}, {(0, 0): 1, (0, 1): 2}, {(0, 0): 1, (0, 1): 2}]
    """
    holders: dict[Mention, list[int]] = {}
    for j, entity in enumerate(response.values()):
        for mention in dict.fromkeys(entity):
            holders.setdefault(mention, []).append(j)
    _refuse_many_pairs(key, holders)
    shared = Counter(
        (i, j) for i, entity in enumerate(key.values()) for m in entity for j in holders.get(m, ())
    )
    recall, precision = _looked_up(key, response), _looked_up(response, key).T
    return Tables(recall, precision, both=_table(shared, key, response))


def _table(pairs: Mapping[Edge, int], key: ListsByName, response: ListsByName) -> Contingency:
    """The table of these pairs, with the sizes of the lists and their names."""
    sizes = [*map(len, key.values())], [*map(len, response.values())]
    return Contingency(pairs, *sizes, ([*key], [*response]))


def _refuse_many_pairs(key: ListsByName, holders: dict[Mention, list[int]]) -> None:
    """Refuse more pairs of a key entity and a response entity that share a mention."""
    times = Counter(m for entity in key.values() for m in entity if m in holders)
    more = {mention: (n - 1) * (len(holders[mention]) - 1) for mention, n in times.items()}
    if sum(more.values()) > MOST_REPEATS:
        worst = max(more, key=more.__getitem__)
        raise CorefError(
            f"the key gives mention {shortened(worst)} {times[worst]} times, and the response in "
            f"{len(holders[worst])} entities; expected fewer: repeats may make {MOST_REPEATS} "
            f"pairs of entities, and here {sum(more.values())} (choose another `repeated`, such as "
            "first or merge)"
        )


def _looked_up(here: ListsByName, there: ListsByName) -> Contingency:
    """Mentions of each entity, as often as listed, by the last entity that lists them there."""
    last = {mention: j for j, entity in enumerate(there.values()) for mention in entity}
    pairs = Counter(
        (i, last[m]) for i, entity in enumerate(here.values()) for m in entity if m in last
    )
    return _table(pairs, here, there)


REPEATS: dict[str, Callable[[ListsByName, ListsByName], Tables]] = {
    "reference": reference,
    "each": each,
    # `corefeval.scoring.sides_of` has removed repeats within an entity, so each listing counts.
    "once_each": each,
}
"""The choices of the convention ``repeated`` that need both sides."""
