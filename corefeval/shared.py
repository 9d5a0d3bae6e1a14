"""Keys and responses without a mention in common: mostly a slip, in names, types or offsets."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from itertools import chain
from typing import Any

from corefeval.contingency import Contingency
from corefeval.errors import shortened, warn
from corefeval.partition import Mention, Partition

ENOUGH = 3
"""So many mentions on each side are hardly apart by chance, even in one document of many."""

Sides = tuple[Any, Any]
"""A document's key and response: a `Partition`, or its entities as lists."""


def warn_of_sides_apart(documents: Mapping[Hashable, Sides]) -> None:
    """Warn once if a corpus shares no mention, or else if some of its documents share none."""
    apart: dict[Hashable, tuple[Collection[Mention], Collection[Mention]]] = {}
    shared, some = False, None
    for name, sides in documents.items():
        key, response = map(_mentions, sides)
        if not key or not response:
            continue
        if not key.isdisjoint(response):
            shared = True
            continue
        some = some or (key, response)
        if min(len(key), len(response)) >= ENOUGH:
            apart[name] = key, response
    if some and not shared:
        warn(nothing_shared(*map(_first, some)))
    elif apart:
        name, sides = next(iter(apart.items()))
        warn(_some_share_nothing(len(apart), name, *map(_first, sides)))


def warn_of_table_apart(table: Contingency) -> None:
    """Warn if both sides of a table have mentions, and no mention is on both."""
    if table.key_mentions and table.T.key_mentions and not table.shared_mentions:
        warn(
            "the key and the response share no mention: no row of the table has a label of both "
            "sides; are they joined on the column that names the mentions?"
        )


def nothing_shared(key_mention: Mention, response_mention: Mention) -> str:
    """The warning of a corpus that shares no mention, with one of each side as it is."""
    return (
        "the key and the response share no mention: "
        f"{_examples(key_mention, response_mention)}; mentions are the same if they are equal, in "
        "type as in value"
    )


def _some_share_nothing(
    number: int, document: Hashable, key_mention: Mention, response_mention: Mention
) -> str:
    many = f"{number:,} documents" if number > 1 else "one document"
    shares = "share" if number > 1 else "shares"
    example = f", {document!r} for example:" if number > 1 else f", {document!r}:"
    return (
        f"{many} with {ENOUGH} or more mentions on each side {shares} none{example} "
        f"{_examples(key_mention, response_mention)}"
    )


def _examples(key_mention: Mention, response_mention: Mention) -> str:
    return f"the key has {shortened(key_mention)}, the response {shortened(response_mention)}"


def _mentions(side: Any) -> Any:
    """The mentions of a side, each once, in their order."""
    if isinstance(side, Partition):
        return side.entity_of.keys()
    entities = side.values() if isinstance(side, Mapping) else side
    return dict.fromkeys(chain.from_iterable(entities)).keys()


def _first(mentions: Collection[Mention]) -> Mention:
    return next(iter(mentions))
