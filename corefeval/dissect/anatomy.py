"""Which entities were split, merged, missed or invented, and what each of these cost."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Unpack

from corefeval.contingency import KEY, RESPONSE, SIDES, Contingency, Tables
from corefeval.conventions import Conventions, Options
from corefeval.corpus import asked_documents
from corefeval.display import aligned, percent
from corefeval.dissect.boundaries import at_boundaries
from corefeval.dissect.costs import PRICED, Lost, check_priced, counted_in, lost, rows_of
from corefeval.dissect.tracked import Made as MadeName
from corefeval.dissect.tracked import names_of, tracked
from corefeval.errors import CorefError, named
from corefeval.partition import ByName, Mention, Partition, as_lists, as_partition
from corefeval.repeats import REPEATS
from corefeval.report import Report
from corefeval.scoring import DROPPED
from corefeval.signature import short
from corefeval.twinless import POLICIES


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
    number: int
    cost: dict[str, Fraction]


@dataclass(frozen=True)
class Document:
    """The entities of one document, the key's and the response's, and what conventions made."""

    key: Sequence[Entity]
    response: Sequence[Entity]
    made: list[Made]

    @cached_property
    def totals(self) -> Totals:
        """How many entities and mentions are of each kind."""
        of_key = [kind for each in self.key for kind in each.kinds]
        of_response = [kind for each in self.response for kind in each.kinds]
        missed = [mention for each in self.key for mention in each.alone_mentions]
        invented = [mention for each in self.response for mention in each.alone_mentions]
        listed = all(each.mentions for each in (*self.key, *self.response))
        return Totals(
            found=of_key.count("found"),
            whole=of_key.count("whole"),
            split=of_key.count("split"),
            missed=of_key.count("missed"),
            pure=of_response.count("pure"),
            merged=of_response.count("merged"),
            invented=of_response.count("invented"),
            missed_mentions=sum(each.alone for each in self.key),
            invented_mentions=sum(each.alone for each in self.response),
            boundary=at_boundaries(missed, invented) if listed else None,
        )


@dataclass(frozen=True)
class Anatomy:
    """What became of every entity, and where recall and precision were lost.

    ``documents`` has the entities of each document, ``lost`` by measure what is lost in recall and
    in precision.
    """

    documents: Mapping[Hashable, Document]
    lost: Mapping[str, tuple[Lost, Lost]]
    signature: str

    @cached_property
    def totals(self) -> Totals:
        """How many entities and mentions are of each kind, in all documents."""
        every = [document.totals for document in self.documents.values()]
        summed = {
            name: sum(getattr(each, name) for each in every)
            for name in Totals._fields
            if name != "boundary"
        }
        boundaries = [each.boundary for each in every if each.boundary is not None]
        boundary = sum(boundaries) if len(boundaries) == len(every) else None
        return Totals(**summed, boundary=boundary)

    def costliest(self, measure: str, count: int = 12) -> list[Entity]:
        """The entities that cost most by a measure, the most first, of both sides."""
        if measure not in self.lost:
            raise CorefError(f"no costs by {measure!r}; expected {', '.join(self.lost)}")
        every = [
            each
            for document in self.documents.values()
            for each in (*document.key, *document.response)
            if each.cost.get(measure)
        ]
        return sorted(every, key=lambda each: -each.cost[measure])[:count]

    def to_dict(self) -> dict[str, Any]:
        """All of it as texts, numbers and lists, for JSON; costs are doubles."""
        documents = {str(name): _document(each) for name, each in self.documents.items()}
        lost = {
            name: {"recall": float(recall.total), "precision": float(precision.total)}
            for name, (recall, precision) in self.lost.items()
        }
        totals = self.totals._asdict()
        return {
            "signature": self.signature,
            "totals": totals,
            "lost": lost,
            "documents": documents,
        }

    def __repr__(self) -> str:
        return told(self)


def _document(document: Document) -> dict[str, Any]:
    found: dict[str, Any] = {"totals": document.totals._asdict()}
    for side, entities in (("key", document.key), ("response", document.response)):
        found[side] = [_entity(each) for each in entities]
    found["made"] = [
        {"side": each.side, "entity": each.entity, "cost": _doubles(each.cost)}
        for each in document.made
    ]
    return found


def _entity(entity: Entity) -> dict[str, Any]:
    alone = "missed_mentions" if entity.side == "key" else "invented_mentions"
    return {
        "id": entity.id,
        "size": entity.size,
        "kinds": list(entity.kinds),
        "parts": dict(entity.parts),
        alone: entity.alone,
        "cost": _doubles(entity.cost),
    }


def _doubles(cost: Mapping[str, Fraction]) -> dict[str, float]:
    return {measure: float(part) for measure, part in cost.items()}


def told(anatomy: Anatomy) -> str:
    """The totals, what is lost, and the entities that cost most, for people."""
    totals = anatomy.totals
    shown = [
        ["", "entities", *KINDS["key"][1:], "mentions missed"],
        [
            "key",
            str(_entities(anatomy, "key")),
            *map(str, totals[1:4]),
            str(totals.missed_mentions),
        ],
    ]
    response = [
        ["", "entities", *KINDS["response"][1:], "mentions invented"],
        [
            "response",
            str(_entities(anatomy, "response")),
            *map(str, totals[4:7]),
            str(totals.invented_mentions),
        ],
    ]
    lines = [f"found: {totals.found}", aligned(shown, right=5), aligned(response, right=5)]
    if anatomy.lost:
        lost = [["lost", "recall", "precision"]]
        for name, (recall, precision) in anatomy.lost.items():
            lost.append([name, percent(recall.total), percent(precision.total)])
        lines.append(aligned(lost, right=2))
    return "\n\n".join([*lines, short(anatomy.signature)])


def _entities(anatomy: Anatomy, side: str) -> int:
    return sum(len(getattr(document, side)) for document in anatomy.documents.values())


# From a key and a response to their entities


def anatomy(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = PRICED,
    *,
    like: str | None = None,
    **chosen: Unpack[Options],
) -> Anatomy:
    """See `corefeval.anatomy`."""
    asked, documents = asked_documents(key, response, metrics, like, chosen)
    for metric in asked.metrics:
        check_priced(metric)
    found: dict[Hashable, Document] = {}
    tables: dict[Conventions, dict[Hashable, Tables]] = {by: {} for by in asked.choices}
    for name, given in documents.items():
        with named(f"document {name!r}"):
            for by in tables:
                tables[by][name] = _tracked(given, by).counted
            found[name] = _document_of(name, _tracked(given, asked.choice))
    costs = {}
    for metric in asked.metrics:
        measure = metric.measure.name
        costs[measure] = lost(metric, tables[metric.conventions])
        for name, document in found.items():
            in_tables = counted_in(measure, tables[metric.conventions][name])
            _price(document, measure, in_tables, [each.entities[name] for each in costs[measure]])
    return Anatomy(found, costs, Report(tables, asked.metrics, asked.choice, asked.note).signature)


class _Tracked(NamedTuple):
    """The named tables of a document: as its sides overlap, and as a measure counts them."""

    overlap: Tables
    counted: Tables
    mentions: tuple[Mapping[str, Sequence[Mention]], Mapping[str, Sequence[Mention]]]
    """The mentions of each side's entities by name; nothing for a table of labels."""


def _tracked(given: Any, choice: Conventions) -> _Tracked:
    if isinstance(given, Contingency):
        names = _numbers(given.key_sizes), _numbers(given.response_sizes)
        return _by_policy(tracked(given, names), choice, ({}, {}))
    sides = [_read(side, choice) for side in given]
    mentions = dict(zip(*sides[KEY], strict=True)), dict(zip(*sides[RESPONSE], strict=True))
    if choice.repeated in REPEATS and not all(isinstance(side, Partition) for side in given):
        return _by_repeats(mentions, choice)
    of_sides = sides[KEY][0], sides[RESPONSE][0]
    table = Contingency.of(*(Partition(entities) for _, entities in sides))
    return _by_policy(tracked(table, of_sides), choice, mentions)


def _numbers(entities: Sequence[Any]) -> list[str]:
    return [str(number + 1) for number in range(len(entities))]


def _read(given: Any, choice: Conventions) -> tuple[Sequence[str], list[list[Mention]]]:
    """The names of a side's entities, and the mentions of each."""
    if choice.repeated in REPEATS and not isinstance(given, Partition):
        names: Sequence[str] | None = list(given) if isinstance(given, ByName) else None
        entities = as_lists(given)
        if choice.repeated == "once_each":
            entities = [list(dict.fromkeys(entity)) for entity in entities]
    else:
        partition = as_partition(given, repeated=choice.repeated)
        names, entities = partition.names, partition.entities
    return names or _numbers(entities), entities


def _by_policy(table: Contingency, choice: Conventions, mentions: Any) -> _Tracked:
    """By the conventions on singletons and twinless mentions."""
    for side in DROPPED[choice.singletons]:
        table = table.without("singleton", side)
    return _Tracked(Tables.alike(table), POLICIES[choice.twinless](table), mentions)


def _by_repeats(mentions: Any, choice: Conventions) -> _Tracked:
    """By a choice for repeated mentions that concerns both sides."""
    choice.refuse(["twinless"], f"and repeated={choice.repeated!r} do not go together")
    sides = []
    for side, entities in enumerate(mentions):
        dropped = side in DROPPED[choice.singletons]
        sides.append({n: e for n, e in entities.items() if len(e) > 1 or not dropped})
    key, response = (list(side.values()) for side in sides)
    names = list(sides[KEY]), _kept(sides, choice)
    made = REPEATS[choice.repeated](key, response)
    both = None if made.both is None else tracked(made.both, names)
    tables = Tables(tracked(made.recall, names), tracked(made.precision, names), both)
    return _Tracked(tables, tables, (sides[KEY], sides[RESPONSE]))


def _kept(sides: Sequence[Mapping[str, Sequence[Mention]]], choice: Conventions) -> list[str]:
    """The response entities that keep a mention, which "reference" may take from some."""
    if choice.repeated != "reference":
        return list(sides[RESPONSE])
    of_key = {mention for entity in sides[KEY].values() for mention in entity}
    kept, before = [], set[Mention]()
    for name, entity in sides[RESPONSE].items():
        if any(mention not in before or mention not in of_key for mention in entity):
            kept.append(name)
        before.update(entity)
    return kept


def _document_of(name: Hashable, given: _Tracked) -> Document:
    of_key = _entities_of("key", name, given.overlap.recall, given.mentions)
    exchanged = given.overlap.precision.T
    of_response = _entities_of("response", name, exchanged, given.mentions[::-1])
    return Document(of_key, of_response, [])


def _entities_of(side: str, document: Hashable, t: Contingency, mentions: Any) -> list[Entity]:
    """The key entities of a table, which are those of ``side``."""
    here, there = names_of(t)
    sizes, others = t.key_sizes, t.response_sizes
    other_mentions = {mention for entity in mentions[RESPONSE].values() for mention in entity}
    rows = rows_of(t)
    found = []
    for i, name in enumerate(here):
        own = mentions[KEY].get(name, ())
        found.append(
            Entity(
                side,
                document,
                str(name),
                size=sizes[i],
                parts={str(there[j]): n for j, n in rows[i]},
                equal=any(n == sizes[i] == others[j] for j, n in rows[i]),
                alone=sizes[i] - sum(n for _, n in rows[i]),
                mentions=own,
                alone_mentions=[mention for mention in own if mention not in other_mentions],
            )
        )
    return found


def _price(
    document: Document,
    measure: str,
    tables: tuple[Contingency, Contingency],
    costs: Sequence[Sequence[Fraction]],
) -> None:
    """Put what each entity costs by a measure into the document."""
    recall, precision = tables
    names = names_of(recall)[KEY], names_of(precision)[RESPONSE]
    for side, entities in ((KEY, document.key), (RESPONSE, document.response)):
        by_name = {entity.id: entity for entity in entities}
        made = {(each.side, each.entity, each.number): each for each in document.made}
        for name, cost in zip(names[side], costs[side], strict=True):
            if not isinstance(name, MadeName):
                by_name[str(name)].cost[measure] = cost
            elif cost:
                where = SIDES[side], str(name.entity), name.number
                if where not in made:
                    made[where] = Made(*where, {})
                    document.made.append(made[where])
                made[where].cost[measure] = cost
