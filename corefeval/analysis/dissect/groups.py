"""Scores by kind: recall by what the key's entities are, precision by what the response's are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from corefeval.analysis.dissect.costs import ATTRIBUTABLE, Costs, Tallies
from corefeval.analysis.dissect.entities import DocumentAnatomy, Entity
from corefeval.analysis.dissect.named_tables import entity_names
from corefeval.contingency import KEY, RESPONSE, AddedSingleton, Contingency
from corefeval.display import Row, Shown, Table, frame_of_rows, percent
from corefeval.score import Tally

SIZES = ("1", "2", "3–5", "6+")
GroupsOf = Callable[[int, Hashable, Contingency], Sequence[str]]
"""Of a side and a document: the group of each entity that stands for a key's in the table."""


def size_name(mentions: int) -> str:
    """The bin of `SIZES` of so many mentions.

    >>> [size_name(mentions) for mentions in (1, 2, 3, 5, 6)]
    ['1', '2', '3–5', '3–5', '6+']
    """
    if mentions <= 2:
        return SIZES[mentions - 1]
    return SIZES[2] if mentions <= 5 else SIZES[3]


def by_size(side: int, document: Hashable, t: Contingency) -> list[str]:
    """The bin of each key entity of a table; for precision the table has the sides exchanged."""
    return [size_name(size) for size in t.key_sizes]


class OfGroup(NamedTuple):
    """What the entities of a group bring to recall, if they are the key's, else to precision."""

    entities: int
    tallies: Tallies
    """Hits and totals; of BLANC for links within entities, and for those between them."""
    loss: Fraction
    """What they take from the recall, or the precision, of the whole."""

    @property
    def ratio(self) -> Fraction | None:
        """Hits over total, or the mean of two such ratios; None where there is nothing to find."""
        # A class of BLANC that has no links here is left out of the mean.
        ratios = [Fraction(hits) / Fraction(total) for hits, total in self.tallies if total]
        return sum(ratios, Fraction(0)) / len(ratios) if ratios else None


@dataclass(frozen=True, repr=False)
class Groups(Shown):
    """Recall and precision of groups of entities; what ``by`` of an anatomy returns.

    ``parts[measure][group]`` has what the key's entities of the group bring to recall, and what the
    response's bring to precision. Hits and totals of the groups add up to those of the whole, and
    what they lose adds up to 1 − recall and to 1 − precision.
    """

    by: str
    """What groups the entities."""
    parts: Mapping[str, Mapping[str, tuple[OfGroup, OfGroup]]]
    signature: str

    def rows(self) -> Iterator[Row]:
        """A row for each measure and group, with exact numbers."""
        for measure, groups in self.parts.items():
            for name, (key, response) in groups.items():
                yield {
                    "measure": measure,
                    self.by: name,
                    "key_entities": key.entities,
                    "recall": key.ratio,
                    "recall_loss": key.loss,
                    "response_entities": response.entities,
                    "precision": response.ratio,
                    "precision_loss": response.loss,
                }

    def table(self) -> Table:
        """In percent."""
        head = ["measure", self.by, "key", "recall", "lost", "response", "precision", "lost"]
        lines = [head]
        for row in self.rows():
            measure, name, *numbers = row.values()
            shown = [str(each) if isinstance(each, int) else percent(each) for each in numbers]
            lines.append([measure, name, *shown])
        return Table(lines, right=6)

    def to_dict(self) -> dict[str, Any]:
        """By measure and group: numbers of entities, and doubles."""
        found: dict[str, Any] = {}
        for row in self.rows():
            measure, name = row.pop("measure"), row.pop(self.by)
            found.setdefault(measure, {})[name] = {
                what: value if value is None or isinstance(value, int) else float(value)
                for what, value in row.items()
            }
        return found

    def to_frame(self) -> Any:
        """A frame of pandas with the columns of `rows`, as doubles.

        Raises `CorefError` if pandas is not installed.
        """
        return frame_of_rows(self.rows())


Kinds = Callable[[Entity], object]
ADDED = "added"
"""The group of singletons that a convention makes for mentions of the other side."""


def by_kinds(documents: Mapping[Hashable, DocumentAnatomy], kinds: Kinds) -> GroupsOf:
    """The group of each entity by a function of it."""

    def groups_of(side: int, document: Hashable, t: Contingency) -> list[str]:
        found = []
        for name in entity_names(t)[KEY]:
            if isinstance(name, AddedSingleton):
                # It has no mention of its own side, so nothing says what it is.
                found.append(ADDED)
                continue
            found.append(str(kinds(documents[document].entity(side, str(name)))))
        return found

    return groups_of


def split(
    by: str,
    costs: Mapping[str, Costs],
    groups_of: GroupsOf,
    signature: str,
) -> Groups:
    """The groups of entities by measure, in the order of their names."""
    parts: dict[str, dict[str, tuple[OfGroup, OfGroup]]] = {}
    for measure, each in costs.items():
        key, response = (_groups_of_side(each, side, groups_of) for side in (KEY, RESPONSE))
        names = sorted(key.keys() | response.keys())
        nothing = OfGroup(0, (), Fraction(0))
        parts[measure] = {n: (key.get(n, nothing), response.get(n, nothing)) for n in names}
    return Groups(by, parts, signature)


def _groups_of_side(costs: Costs, side: int, groups_of: GroupsOf) -> dict[str, OfGroup]:
    """What the groups of a side's entities bring."""
    way = ATTRIBUTABLE[costs.metric.measure.name]
    lost = costs.of_entities(side)
    part_of: dict[Any, Tallies] = {}  # few rows differ
    found: defaultdict[str, OfGroup] = defaultdict(lambda: OfGroup(0, (), Fraction(0)))
    for document in costs.documents:
        rows = way.rows(*costs.tables(document))[side]
        names = groups_of(side, document, costs.of_side(side, document))
        for name, row, cost in zip(names, rows, lost[document], strict=True):
            if row not in part_of:
                part_of[row] = way.part(costs.metric, row)
            before, own = found[name], part_of[row]
            # How many classes a measure has is known from its first row.
            tallies = before.tallies or tuple(Tally(0, 0) for _ in own)
            added = tuple(a + b for a, b in zip(tallies, own, strict=True))
            found[name] = OfGroup(before.entities + 1, added, before.loss + cost)
    return dict(found)
