"""Repeated mentions, by the choices that take a key and a response to each other.

Each function takes both sides as lists of mentions, repeats and all, and gives the tables that
recall, precision, and measures that do not tell the two apart, are counted in.
"""

from collections import Counter
from collections.abc import Callable

from corefeval.contingency import Contingency, Tables
from corefeval.errors import CorefError, shortened
from corefeval.partition import Mention, Partition

Entities = list[list[Mention]]

MOST_PAIRS = 1_000_000
"""How many pairs of entities `each` may make of repeats: one takes about 150 bytes."""


def reference(key: Entities, response: Entities) -> Tables:
    """As the reference scorer: a response mention of the key counts once, where it came first.

    One that the key lacks counts each time. Raises `CorefError` for a mention that the key repeats:
    the reference scorer then counts an entity by a size that is not its own.

    Source: CorScorer.pm of v8.01, lines 373 to 399.

    >>> reference([["a"]], [["a", "x"], ["x", "a"]]).recall.response_sizes
    [2, 1]
    """
    try:
        of_key = Partition(key)
    except CorefError as error:
        raise CorefError(f"key: {str(error).split(';')[0]}; no score is defined for that") from None
    entity_of: dict[Mention, int] = {}
    for j, entity in enumerate(response):
        for mention in entity:
            if mention not in entity_of:
                entity_of[mention] = j
            elif mention not in of_key.entity_of:
                entity_of[object()] = j  # a mention of its own
    t = Contingency.of(of_key, Partition.from_labels(entity_of))
    return Tables.alike(t)


def each(key: Entities, response: Entities) -> Tables:
    """Every mention counts in each entity that lists it, and each time; sizes count the repeats.

    For recall the mentions of the key are looked up in the response, where a mention is found in
    the last entity that lists it; for precision the response's in the key. Measures that align
    entities, and BLANC, compare their lists. So a score may exceed 1.

    A mention that the key gives n times and the response in m entities makes n · m pairs. Raises
    `CorefError` if the sum of (n − 1)(m − 1) over a document's mentions is above `MOST_PAIRS`.

    Source: scorers that keep a dictionary from mentions to entities, such as coval and that of
    e2e-coref.

    >>> [dict(t.pairs) for t in each([["a", "b"]], [["a"], ["a", "b"]])]
    [{(0, 1): 2}, {(0, 0): 1, (0, 1): 2}, {(0, 0): 1, (0, 1): 2}]
    """
    holders: dict[Mention, list[int]] = {}
    for j, entity in enumerate(response):
        for mention in dict.fromkeys(entity):
            holders.setdefault(mention, []).append(j)
    _refuse_many_pairs(key, holders)
    shared = Counter(
        (i, j) for i, entity in enumerate(key) for m in entity for j in holders.get(m, ())
    )
    sizes = list(map(len, key)), list(map(len, response))
    recall, precision = _looked_up(key, response), _looked_up(response, key).T
    return Tables(recall, precision, both=Contingency(shared, *sizes))


def _refuse_many_pairs(key: Entities, holders: dict[Mention, list[int]]) -> None:
    """Refuse more pairs of a key entity and a response entity that share a mention."""
    times = Counter(mention for entity in key for mention in entity if mention in holders)
    more = {mention: (n - 1) * (len(holders[mention]) - 1) for mention, n in times.items()}
    if sum(more.values()) > MOST_PAIRS:
        worst = max(more, key=more.__getitem__)
        raise CorefError(
            f"the key gives mention {shortened(worst)} {times[worst]} times, and the response in "
            f"{len(holders[worst])} entities; expected fewer: repeats may make {MOST_PAIRS} pairs "
            f"of entities, and here {sum(more.values())} (choose another `repeated`, such as "
            "first or merge)"
        )


def _looked_up(here: Entities, there: Entities) -> Contingency:
    """Mentions of each entity, as often as listed, by the last entity that lists them there."""
    last = {mention: j for j, entity in enumerate(there) for mention in entity}
    pairs = Counter((i, last[m]) for i, entity in enumerate(here) for m in entity if m in last)
    return Contingency(pairs, list(map(len, here)), list(map(len, there)))


REPEATS: dict[str, Callable[[Entities, Entities], Tables]] = {
    "reference": reference,
    "each": each,
    "once_each": each,  # of entities that list no mention twice: `overlap` has seen to it
}
"""The choices of the convention ``repeated`` that need both sides."""
