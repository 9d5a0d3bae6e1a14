"""Both sides of a document: their mentions, and the tables in which entities keep their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from corefeval.contingency import KEY, Contingency, Names, Pairs, Tables
from corefeval.conventions import Conventions
from corefeval.lazily import cached_property
from corefeval.partition import Mention, Partition, by_name, names_by_number
from corefeval.scoring import Side, overlap_of, sides_of, tables_of


class NamedTables:
    """A key and a response by conventions."""

    def __init__(self, overlap: Tables, counted: Tables, given: tuple[Side, Side] | None) -> None:
        self.overlap = overlap
        self.counted = counted
        """The same as a measure counts it, by the convention ``twinless``."""
        self.given = given
        """The mentions; None for a table of labels."""

    @property
    def has_mentions(self) -> bool:
        """Whether the mentions are known, and not only how many there are."""
        return self.given is not None

    @property
    def are_given_once(self) -> bool:
        """Whether no mention is repeated."""
        return self.given is None or isinstance(self.given[KEY], Partition)

    def table(self, side: int) -> Contingency:
        """How the sides overlap, with the entities of ``side`` in the place of the key's."""
        return self.overlap.recall if side == KEY else self.overlap.precision.T

    @cached_property
    def mentions(self) -> Sequence[Mapping[str, Sequence[Mention]]]:
        """By side, the mentions of each entity by its name.

        Entities that conventions have dropped are not among them.
        """
        if self.given is None:
            return [{}, {}]
        found: list[Mapping[str, Sequence[Mention]]] = []
        for side, given in enumerate(self.given):
            entities = by_name(given) if isinstance(given, Partition) else given
            left = entity_names(self.table(side))[KEY]
            found.append({str(name): entities[str(name)] for name in left})
        return found

    @cached_property
    def alone(self) -> Sequence[Sequence[Mention]]:
        """By side, the mentions that the other side lacks, in their order."""
        every = (dict.fromkeys(chain.from_iterable(side.values())) for side in self.mentions)
        key, response = every
        if key.keys() == response.keys():  # the commonest case of large files, and quick
            return [[], []]
        return [
            [mention for mention in key if mention not in response],
            [mention for mention in response if mention not in key],
        ]


def sides_by(key: Any, response: Any, choice: Conventions) -> NamedTables:
    """Both sides of a document, or of a table in the place of both, by the conventions."""
    # What became of an entity is told of the sides as they are, before mentions are added.
    plain = choice.but(twinless="keep")
    given: tuple[Side, Side] | None = None
    # A table has no names of entities; numbers take their place.
    if isinstance(key, Contingency):
        overlap = tables_of(_with_numbers(key), plain)
    else:
        given = sides_of(key, response, choice)
        overlap = overlap_of(given, plain, (_names_of_side(given[0]), _names_of_side(given[1])))
    if choice.twinless == "keep":
        return NamedTables(overlap, overlap, given)
    return NamedTables(overlap, tables_of(overlap.recall, choice.but(singletons="keep")), given)


def entity_names(t: Contingency) -> Names:
    """What the entities of a table are called that was made here."""
    assert t.names is not None
    return t.names


def _names_of_side(side: Side) -> Sequence[str]:
    """What the entities of a side are called: if they have no names, their numbers."""
    if isinstance(side, Partition):
        return side.names or names_by_number(len(side))
    return list(side)


def _with_numbers(t: Contingency) -> Contingency:
    sizes = t.key_sizes, t.response_sizes
    names = names_by_number(len(sizes[0])), names_by_number(len(sizes[1]))
    return Contingency.counted_from(Pairs(t.pairs, sizes, names))
