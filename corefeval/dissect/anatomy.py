"""Which entities were split, merged, missed or invented, and what each of these cost."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from corefeval.contingency import KEY, RESPONSE, SIDES, Contingency, Tables
from corefeval.conventions import Conventions
from corefeval.dissect.boundaries import at_boundaries
from corefeval.dissect.costs import Lost, lost
from corefeval.dissect.tracked import names_of, tracked
from corefeval.partition import ByName, Mention, Partition, as_lists, as_partition
from corefeval.repeats import REPEATS
from corefeval.scoring import DROPPED, Metric, tables_of


@dataclass(frozen=True)
class Entity:
    """An entity of the key or of the response, and what the other side makes of it."""

    side: str
    document: Hashable
    id: str
    """Its name in a file, or its number, counted from 1."""
    size: int
    """How many mentions it has."""
    parts: Mapping[str, int]
    """The entities of the other side that share mentions with it, and how many."""
    equal: bool
    """Whether the other side has the very same entity."""
    alone: int
    """How many of its mentions the other side lacks: missed ones of the key, invented ones."""
    mentions: Sequence[Mention] = ()
    """Its mentions; none where the input was a table of labels."""
    alone_mentions: Sequence[Mention] = ()
    """Those that the other side lacks; none where the input was a table of labels."""
    cost: dict[str, Fraction] = field(default_factory=dict)
    """By measure: what it takes from recall (the key's) or from precision (the response's)."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it is called: several of `KINDS`, or none."""
        names = KINDS[self.side]
        is_kind = (
            self.equal,
            len(self.parts) == 1 and not self.alone,
            len(self.parts) > 1,
            not self.parts,
        )
        return tuple(name for name, is_so in zip(names, is_kind, strict=True) if is_so)


KINDS = {
    "key": ("found", "whole", "split", "missed"),
    "response": ("found", "pure", "merged", "invented"),
}
"""What an entity is called, by its side.

*Found*: equal to an entity of the other side. *Whole*, or *pure*: all its mentions stand in one
entity there. *Split*, or *merged*: its mentions stand in two or more. *Missed*, or *invented*: in
none.
"""


class Totals(NamedTuple):
    """How many entities and mentions are of each kind."""

    found: int
    whole: int
    split: int
    missed: int
    pure: int
    merged: int
    invented: int
    missed_mentions: int
    invented_mentions: int
    boundary: int | None
    """Missed and invented mentions that overlap one another; None where mentions have no places."""


class Made(NamedTuple):
    """A singleton that a convention makes for a mention of the other side, and what it costs."""

    side: str
    entity: str
    """The entity of the other side that has the mention."""
    cost: dict[str, Fraction]


@dataclass(frozen=True)
class Document:
    """The entities of one document, the key's and the response's, and what conventions made."""

    key: Sequence[Entity]
    response: Sequence[Entity]
    made: Sequence[Made] = ()

    @cached_property
    def totals(self) -> Totals:
        """How many entities and mentions are of each kind."""
        of_key = [kind for each in self.key for kind in each.kinds]
        of_response = [kind for each in self.response for kind in each.kinds]
        missed = [mention for each in self.key for mention in each.alone_mentions]
        invented = [mention for each in self.response for mention in each.alone_mentions]
        listed = all(each.mentions for each in (*self.key, *self.response))
        return Totals(
            *map(of_key.count, KINDS["key"]),
            *map(of_response.count, KINDS["response"][1:]),
            sum(each.alone for each in self.key),
            sum(each.alone for each in self.response),
            at_boundaries(missed, invented) if listed else None,
        )


class Sides(NamedTuple):
    """A key and a response as lists of mentions, and what their entities are called."""

    key: Sequence[Sequence[Mention]]
    response: Sequence[Sequence[Mention]]
    names: tuple[Sequence[str], Sequence[str]]


def sides(key: Any, response: Any, choice: Conventions) -> Sides:
    """Both sides of a document as `corefeval.scoring.overlap` reads them, with their names."""
    read = [_read(side, choice) for side in (key, response)]
    (key, key_names), (response, response_names) = read
    return Sides(key, response, (key_names, response_names))


def _read(given: Any, choice: Conventions) -> tuple[list[list[Mention]], Sequence[str]]:
    """The mentions of each entity, and the entities' names."""
    if choice.repeated in REPEATS and not isinstance(given, Partition):
        entities = as_lists(given)
        names: Sequence[str] | None = list(given) if isinstance(given, ByName) else None
        if choice.repeated == "once_each":
            entities = [list(dict.fromkeys(entity)) for entity in entities]
    else:
        partition = as_partition(given, repeated=choice.repeated)
        entities, names = partition.entities, partition.names
    return entities, names or [str(number + 1) for number in range(len(entities))]
