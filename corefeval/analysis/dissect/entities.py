"""The entities of a document, what the other side makes of each, and what each costs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from corefeval.analysis.dissect.boundaries import at_boundaries
from corefeval.analysis.dissect.costs import Costs, rows_of
from corefeval.analysis.dissect.named_tables import NamedTables, entity_names
from corefeval.contingency import KEY, RESPONSE, SIDES, AddedSingleton, Contingency
from corefeval.lazily import cached_property
from corefeval.partition import Mention

KINDS = {
    "key": ("equal", "whole", "partial", "split", "missed"),
    "response": ("equal", "pure", "padded", "merged", "invented"),
}
"""What an entity is called, by its side.

*Whole*, or *pure*: all its mentions stand in one entity of the other side. *Partial*, or *padded*:
some stand in one entity there, the others in none. *Split*, or *merged*: its mentions stand in two
or more. *Missed*, or *invented*: in none. Each entity is one of these four, so that their numbers
add up to that of the entities. *Equal*: the same as an entity of the other side, counted besides.
"""


class Cost(Mapping[str, Fraction]):
    """What an entity takes from recall or precision, by measure; reckoned when it is asked for."""

    def __init__(
        self, measures: Mapping[str, Costs], side: int, document: Hashable, name: Hashable
    ) -> None:
        self._measures, self._side = measures, side
        self._document, self._name = document, name

    def __getitem__(self, measure: str) -> Fraction:
        costs = self._measures[measure].by_name(self._side, self._document)
        # A measure's conventions may leave out an entity, such as a singleton.
        return costs.get(self._name, Fraction(0))

    def __iter__(self) -> Iterator[str]:
        return iter(self._measures)

    def __len__(self) -> int:
        return len(self._measures)

    def __repr__(self) -> str:
        return repr(dict(self))


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
    """By name of an entity of the other side: how many mentions it shares with it."""
    equal: bool
    """Whether the other side has the very same entity."""
    alone: int
    """How many of its mentions the other side lacks: missing ones of the key, spurious ones."""
    mentions: Sequence[Mention]
    """Its mentions; none where the input was a table of labels."""
    alone_mentions: Sequence[Mention]
    """Those that the other side lacks; none where the input was a table of labels."""
    cost: Mapping[str, Fraction]
    """By measure: the fraction it takes from recall (the key's) or precision (the response's)."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it is called: one of the last four of `KINDS`, and equal, too, if it is."""
        names = KINDS[self.side]
        is_kind = (
            self.equal,
            len(self.parts) == 1 and not self.alone,
            len(self.parts) == 1 and self.alone > 0,
            len(self.parts) > 1,
            not self.parts,
        )
        return tuple(name for name, is_so in zip(names, is_kind, strict=True) if is_so)


class Totals(NamedTuple):
    """How many entities and mentions are of each kind (see `KINDS`).

    The key has ``whole + partial + split + missed`` entities, the response ``pure + padded + merged
    + invented``.
    """

    equal: int
    whole: int
    partial: int
    split: int
    missed: int
    pure: int
    padded: int
    merged: int
    invented: int
    missed_mentions: int
    invented_mentions: int
    boundary: int | None
    """Missed and invented mentions that overlap one another; None where mentions have no places."""


class PricedSingleton(NamedTuple):
    """A singleton that a convention makes for a mention of the other side, and what it costs."""

    side: str
    entity: str
    """The entity of the other side that has the mention."""
    number: int
    """Which of that entity's missing or spurious mentions it is, counted from 1."""
    cost: Mapping[str, Fraction]


class DocumentAnatomy:
    """The entities of one document, the key's and the response's, and what conventions made."""

    def __init__(self, name: Hashable, sides: NamedTables, costs: Mapping[str, Costs]) -> None:
        self.name = name
        self.sides = sides
        self._costs = costs

    @property
    def key(self) -> Sequence[Entity]:
        """The key's entities."""
        return self.entities[KEY]

    @property
    def response(self) -> Sequence[Entity]:
        """The response's entities."""
        return self.entities[RESPONSE]

    @cached_property
    def entities(self) -> tuple[list[Entity], list[Entity]]:
        """Those of the key and those of the response."""
        return self._entities_of(KEY), self._entities_of(RESPONSE)

    def entity(self, side: int, name: str) -> Entity:
        """The entity of a side that is called so."""
        return self._by_name[side][name]

    @cached_property
    def _by_name(self) -> tuple[dict[str, Entity], dict[str, Entity]]:
        key, response = ({each.id: each for each in side} for side in self.entities)
        return key, response

    @cached_property
    def made(self) -> list[PricedSingleton]:
        """The singletons that conventions made for mentions of the other side, if they cost."""
        found = []
        for side, name in enumerate(SIDES):
            # A dictionary in place of a set: the singletons keep their order.
            names: dict[AddedSingleton, None] = {}
            for costs in self._costs.values():
                priced = costs.by_name(side, self.name).items()
                names |= {
                    each: None for each, cost in priced if isinstance(each, AddedSingleton) and cost
                }
            for made in names:
                cost = dict(Cost(self._costs, side, self.name, made))
                found.append(PricedSingleton(name, str(made.entity), made.number, cost))
        return found

    @cached_property
    def totals(self) -> Totals:
        """How many entities and mentions are of each kind."""
        tables = self.sides.table(KEY), self.sides.table(RESPONSE)
        kinds: dict[str, int] = {}
        for side, t in zip(SIDES, tables, strict=True):
            kinds |= zip(KINDS[side], _numbers_of_kinds(t), strict=True)
        missed, invented = (t.key_mentions - t.shared_mentions for t in tables)
        # Whether places overlap cannot be asked of a table of labels.
        boundary = None
        if self.sides.has_mentions:
            boundary = at_boundaries(*self.sides.alone)
        return Totals(
            **kinds, missed_mentions=missed, invented_mentions=invented, boundary=boundary
        )

    def _entities_of(self, side: int) -> list[Entity]:
        t = self.sides.table(side)
        here, there = entity_names(t)
        sizes, others = t.key_sizes, t.response_sizes
        mentions, alone = self.sides.mentions[side], set(self.sides.alone[side])
        rows = rows_of(t)
        found = []
        for i, name in enumerate(here):
            # A table of labels has entities without a list of mentions.
            own, overlaps = mentions.get(str(name), ()), rows.get(i, ())
            found.append(
                Entity(
                    SIDES[side],
                    self.name,
                    str(name),
                    size=sizes[i],
                    parts={str(there[j]): n for j, n in overlaps},
                    equal=any(n == sizes[i] == others[j] for j, n in overlaps),
                    alone=sizes[i] - sum(n for _, n in overlaps),
                    mentions=own,
                    alone_mentions=[mention for mention in own if mention in alone],
                    cost=Cost(self._costs, side, self.name, name),
                )
            )
        return found


def _numbers_of_kinds(t: Contingency) -> tuple[int, int, int, int, int]:
    """How many key entities of a table are of each kind, in the order of `KINDS`."""
    equal = whole = partial = split = 0
    sizes, others = t.key_sizes, t.response_sizes
    rows = rows_of(t)
    for i, overlaps in rows.items():
        # An entity in several others cannot be whole, partial or equal.
        if len(overlaps) > 1:
            split += 1
            continue
        j, n = overlaps[0]
        whole += n == sizes[i]
        partial += n < sizes[i]
        equal += n == sizes[i] == others[j]
    # An entity without any overlap has no row.
    return equal, whole, partial, split, len(sizes) - len(rows)
