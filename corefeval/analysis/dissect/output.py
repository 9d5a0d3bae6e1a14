"""The anatomy for people and for machines: a text, rows, a frame, content for JSON."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Protocol

from corefeval.analysis.dissect.costs import Costs
from corefeval.analysis.dissect.entities import KINDS, DocumentAnatomy, Entity, Totals
from corefeval.contingency import SIDES
from corefeval.display import Row, Table, document_name, percent
from corefeval.partition import is_span
from corefeval.signature import short


class Found(Protocol):
    """What is told of a `corefeval.analysis.dissect.anatomy.Anatomy`."""

    @property
    def documents(self) -> Mapping[Hashable, DocumentAnatomy]: ...
    @property
    def costs(self) -> Mapping[str, Costs]: ...
    @property
    def signature(self) -> str: ...
    @property
    def losses(self) -> Mapping[str, Any]: ...
    @property
    def totals(self) -> Totals: ...
    def costliest(self, measure: str) -> list[Entity]: ...


MOST_PARTS = 4


# For people


def as_text(anatomy: Found, measure: str | None = None) -> str:
    """The totals, what is lost, and the entities that cost most by a measure, if one is named."""
    parts = [_totals_told(anatomy)]
    if anatomy.costs:
        parts.append(_lost_table(anatomy).text())
    if measure is not None:
        parts.append(_costliest_told(anatomy, measure))
    return "\n\n".join([*parts, short(anatomy.signature)])


def _totals_told(anatomy: Found) -> str:
    totals = anatomy.totals
    found = f"entities equal on both sides: {totals.equal}"
    # Tables of labels know no places, and a 0 here would say that nothing overlaps.
    if totals.boundary is not None:
        found += f"; missing and spurious mentions that overlap one another: {totals.boundary}"
    tables = []
    for place, lacking in enumerate((totals.missed_mentions, totals.invented_mentions)):
        side = SIDES[place]
        # "Equal" is counted besides the four others, which alone add up.
        kinds = KINDS[side][1:]
        numbers = [getattr(totals, kind) for kind in kinds]
        documents = anatomy.documents.values()
        entities = sum(len(each.sides.table(place).key_sizes) for each in documents)
        head = ["", "entities", *kinds, f"mentions {kinds[-1]}"]
        line = [side, *map(str, (entities, *numbers, lacking))]
        tables.append(Table([head, line], right=6).text())
    return "\n\n".join([found, *tables])


def _lost_table(anatomy: Found) -> Table:
    lines = [["lost", "recall", "precision"]]
    for name, losses in anatomy.losses.items():
        lines.append([name, *map(percent, losses)])
    return Table(lines, right=2)


def _costliest_told(anatomy: Found, measure: str) -> str:
    costliest = anatomy.costliest(measure)
    if not costliest:
        return f"no entity costs anything by {measure}"
    lines = [["cost", "of", "side", "entity", "size", "", "document"]]
    for each in costliest:
        part = "recall" if each.side == "key" else "precision"
        name = document_name(each.document)
        line = [percent(each.cost[measure]), part, each.side, each.id, str(each.size)]
        lines.append([*line, what_became_of(each), name])
    # One document needs no column that names it.
    if len(anatomy.documents) == 1:
        lines = [line[:-1] for line in lines]
    head = f"the entities that cost most by {measure}, in points of a hundred"
    return f"{head}\n{Table(lines).text()}"


def what_became_of(entity: Entity) -> str:
    """Its kinds and parts in a few words.

    >>> from corefeval import anatomy
    >>> found = anatomy({"d": "{a b c d} {e}"}, {"d": "{a b} {c x}"}, "b3")
    >>> [what_became_of(each) for each in found.documents["d"].key]
    ['split: 2 in 1, 1 in 2, 1 missed', 'missed']
    """
    kind = KINDS[entity.side][-1]
    if not entity.parts:
        return kind
    # Parts of equal size stay in the order of the other side, since sorting keeps it.
    largest = sorted(entity.parts.items(), key=lambda part: -part[1])
    told = [f"{n} in {name}" for name, n in largest[:MOST_PARTS]]
    # An entity in a hundred parts would fill the line.
    if len(largest) > MOST_PARTS:
        rest = [n for _, n in largest[MOST_PARTS:]]
        others = f"{len(rest)} others" if len(rest) > 1 else "another"
        told.append(f"{sum(rest)} in {others}")
    if entity.alone:
        told.append(f"{entity.alone} {kind}")
    names = ", ".join(entity.kinds)
    if entity.equal and len(entity.parts) == 1:
        return names
    return f"{names}: {', '.join(told)}"


# For machines


def entity_rows(anatomy: Found) -> Iterator[Row]:
    """A row for each entity, with what it costs by each measure as a fraction."""
    for document in anatomy.documents.values():
        for entity in (*document.key, *document.response):
            yield {
                "document": str(entity.document),
                "side": entity.side,
                "entity": entity.id,
                "size": entity.size,
                "kinds": " ".join(entity.kinds),
                "parts": len(entity.parts),
                "alone": entity.alone,
                **entity.cost,
            }


def entity_columns(anatomy: Found) -> list[str]:
    """The columns of `entity_rows`."""
    return ["document", "side", "entity", "size", "kinds", "parts", "alone", *anatomy.costs]


def as_dict(anatomy: Found) -> dict[str, Any]:
    """All of it as texts, numbers and lists, for JSON; costs are doubles."""
    return {
        "signature": anatomy.signature,
        "totals": anatomy.totals._asdict(),
        "losses": {name: _doubles(each._asdict()) for name, each in anatomy.losses.items()},
        "documents": {str(name): _described(each) for name, each in anatomy.documents.items()},
    }


def _described(document: DocumentAnatomy) -> dict[str, Any]:
    found: dict[str, Any] = {"totals": document.totals._asdict()}
    kinds = ("missed", "invented")
    for side, kind, entities in zip(SIDES, kinds, document.entities, strict=True):
        lacking = f"{kind}_mentions"
        found[side] = [
            {
                "id": each.id,
                "size": each.size,
                "kinds": list(each.kinds),
                "parts": dict(each.parts),
                lacking: each.alone,
                kind: list(map(_mention, each.alone_mentions)),
                "cost": _doubles(each.cost),
            }
            for each in entities
        ]
    found["made"] = [
        {"side": each.side, "entity": each.entity, "cost": _doubles(each.cost)}
        for each in document.made
    ]
    return found


def _mention(mention: Any) -> Any:
    """A pair of places as a list, any other mention as a text."""
    return list(mention) if is_span(mention) else str(mention)


def _doubles(cost: Mapping[str, Fraction]) -> dict[str, float]:
    return {measure: float(part) for measure, part in cost.items()}
