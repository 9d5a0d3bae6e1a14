"""Both sides of a document: their mentions, and the tables in which entities keep their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from corefeval.contingency import KEY, RESPONSE, Contingency, Tables
from corefeval.conventions import Conventions
from corefeval.dissect.tracked import tracked
from corefeval.partition import ByName, Mention, Partition, as_lists, as_partition
from corefeval.repeats import REPEATS
from corefeval.scoring import DROPPED
from corefeval.twinless import POLICIES

Names = Sequence[str]


class Side(NamedTuple):
    """The entities of a side by their names, or by their numbers, counted from 1."""

    names: Names
    given: Partition | list[list[Mention]]

    @property
    def entities(self) -> list[list[Mention]]:
        """The mentions of each entity."""
        if isinstance(self.given, Partition):
            return self.given.entities
        return self.given

    @property
    def every_mention(self) -> Any:
        """All mentions, in their order, each once."""
        if isinstance(self.given, Partition):
            return self.given.entity_of.keys()
        return dict.fromkeys(mention for entity in self.given for mention in entity).keys()


class Sides:
    """A key and a response by conventions."""

    def __init__(self, overlap: Tables, counted: Tables, given: tuple[Side, Side] | None) -> None:
        self.overlap = overlap
        """How the sides overlap."""
        self.counted = counted
        """The same as a measure counts it, by the convention on mentions without a twin."""
        self.given = given
        """The mentions; None for a table of labels."""

    @property
    def are_listed(self) -> bool:
        """Whether the mentions are known, and not only how many there are."""
        return self.given is not None

    def table(self, side: int) -> Contingency:
        """How the sides overlap, with the entities of ``side`` in the place of the key's."""
        return self.overlap.recall if side == KEY else self.overlap.precision.T

    def mentions(self, side: int) -> Mapping[str, Sequence[Mention]]:
        """The mentions of each entity of a side by its name."""
        return self._mentions[side]

    def alone(self, side: int) -> list[Mention]:
        """The mentions of a side that the other lacks, in their order."""
        return self._alone[side]

    @cached_property
    def _mentions(self) -> list[Mapping[str, Sequence[Mention]]]:
        if self.given is None:
            return [{}, {}]
        return [dict(zip(side.names, side.entities, strict=True)) for side in self.given]

    @cached_property
    def _alone(self) -> list[list[Mention]]:
        if self.given is None:
            return [[], []]
        key, response = (side.every_mention for side in self.given)
        if key == response:  # asked first: quick
            return [[], []]
        return [
            [mention for mention in key if mention not in response],
            [mention for mention in response if mention not in key],
        ]


def sides_of(given: Any, choice: Conventions) -> Sides:
    """Both sides of a document, or of a table of labels, by the conventions."""
    if isinstance(given, Contingency):
        names = _numbers(len(given.key_sizes)), _numbers(len(given.response_sizes))
        return _by_policy(tracked(given, names), choice, None)
    sides = [_read(side, choice) for side in given]
    if choice.repeated in REPEATS and not all(isinstance(side, Partition) for side in given):
        choice.refuse(["twinless"], f"and repeated={choice.repeated!r} do not go together")
        if not all(map(_is_each_once, sides)):
            return _by_repeats(sides, choice)
    partitions = [as_partition(side.given) for side in sides]
    for side in DROPPED[choice.singletons]:
        sides[side] = _without_singletons(sides[side], partitions[side])
        partitions[side] = partitions[side].without_singletons()
    table = Contingency.of(*partitions)
    of_sides = sides[KEY].names, sides[RESPONSE].names
    by_policy = choice.but(singletons="keep")
    return _by_policy(tracked(table, of_sides), by_policy, (sides[KEY], sides[RESPONSE]))


def _is_each_once(side: Side) -> bool:
    """Whether no mention is given twice."""
    return sum(map(len, side.entities)) == len(side.every_mention)


def _without_singletons(side: Side, given: Partition) -> Side:
    left = given.without_singletons()
    names: dict[int, str] = {}  # what is left is numbered anew
    for mention, number in left.entity_of.items():
        names.setdefault(number, side.names[given.entity_of[mention]])
    return Side([names[number] for number in range(len(left))], left)


def _numbers(count: int) -> Names:
    return [str(number + 1) for number in range(count)]


def _read(given: Any, choice: Conventions) -> Side:
    if choice.repeated in REPEATS and not isinstance(given, Partition):
        names: Names | None = list(given) if isinstance(given, ByName) else None
        entities = as_lists(given)
        if choice.repeated == "once_each":
            entities = [list(dict.fromkeys(entity)) for entity in entities]
        return Side(names or _numbers(len(entities)), entities)
    partition = as_partition(given, repeated=choice.repeated)
    return Side(partition.names or _numbers(len(partition)), partition)


def _by_policy(table: Contingency, choice: Conventions, given: tuple[Side, Side] | None) -> Sides:
    """By the conventions on singletons and on mentions without a twin."""
    for side in DROPPED[choice.singletons]:
        table = table.without("singleton", side)
    return Sides(Tables.alike(table), POLICIES[choice.twinless](table), given)


def _by_repeats(sides: Sequence[Side], choice: Conventions) -> Sides:
    """By a choice for repeated mentions that concerns both sides."""
    kept = []
    for number, side in enumerate(sides):
        of_side = zip(side.names, side.entities, strict=True)
        dropped = number in DROPPED[choice.singletons]
        left = {name: entity for name, entity in of_side if len(entity) > 1 or not dropped}
        kept.append(Side(list(left), list(left.values())))
    key, response = kept
    names = key.names, _counted_names(key, response, choice)
    made = REPEATS[choice.repeated](key.entities, response.entities)
    both = None if made.both is None else tracked(made.both, names)
    tables = Tables(tracked(made.recall, names), tracked(made.precision, names), both)
    return Sides(tables, tables, (key, response))


def _counted_names(key: Side, response: Side, choice: Conventions) -> Names:
    """The response entities that keep a mention, which "reference" may take from some."""
    if choice.repeated != "reference":
        return response.names
    of_key = set(key.every_mention)
    kept, before = [], set[Mention]()
    for name, entity in zip(response.names, response.entities, strict=True):
        if any(mention not in before or mention not in of_key for mention in entity):
            kept.append(name)
        before.update(entity)
    return kept
