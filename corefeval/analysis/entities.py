"""The entities of a document's sides: what the other side makes of each, and its shares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from corefeval.analysis.text import Text
from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.lazily import cached_property
from corefeval.overlap.contingency import KEY, SIDES, Contingency
from corefeval.overlap.partition import Mention, Partition, names_by_number
from corefeval.score import Tally
from corefeval.scoring import Counted, Document, overlap_of, sides_of, tables_of

KINDS = (("whole", "partial", "split", "missed"), ("pure", "padded", "merged", "invented"))
"""By side, what an entity of it may be: all its mentions are in one entity of the other side; some
are, and the others in none; they are in two or more; all are in none."""
Profile = tuple[Any, ...]
"""All that a measure has to know of an entity; few differ, and each is counted once."""
MOST_PARTS = 4


class Entity(NamedTuple):
    """An entity of a side, what the other side makes of it, and what that costs."""

    own_side: Side
    number: int
    """Its place among the entities of its side, counted from 0."""

    @property
    def document(self) -> Hashable:
        """The name of its document."""
        return self.own_side.document

    @property
    def side(self) -> str:
        """``"key"`` or ``"response"``."""
        return SIDES[self.own_side.place]

    @property
    def id(self) -> str:
        """Its name in a file, or its number, counted from 1."""
        return self.own_side.names[self.number]

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return KINDS[self.own_side.place][self.own_side.fates[self.number].kind]

    @property
    def equal(self) -> bool:
        """Whether the other side has the very same entity."""
        return self.own_side.fates[self.number].equal

    @property
    def size(self) -> int:
        """How many mentions it has."""
        return self.own_side.t.key_sizes[self.number]

    @property
    def parts(self) -> dict[str, int]:
        """By name of an entity of the other side: how many mentions it shares with it."""
        return {self.own_side.others[j]: n for j, n in self.own_side.overlaps[self.number].items()}

    @property
    def alone(self) -> int:
        """How many of its mentions the other side lacks."""
        return self.own_side.fates[self.number].alone

    @property
    def mentions(self) -> Sequence[Mention]:
        """Its mentions; none where the input was a table of labels."""
        return self.own_side.mentions.get(self.id, ())

    @property
    def tallies(self) -> dict[str, Tally]:
        """By measure: its hits and total of recall (the key's) or precision (the response's)."""
        return {m: shares[self.number].tally for m, shares in self.own_side.shares.items()}

    @property
    def cost(self) -> dict[str, Fraction]:
        """What the entity takes from recall or precision, by measure."""
        return {m: shares[self.number].cost for m, shares in self.own_side.shares.items()}

    @property
    def told(self) -> str:
        """What became of the entity, in a few words."""
        return self.told_of(self.parts)

    def written(self, text: Text | None) -> str:
        """The words of its longest mention in a text; none without a text."""
        if text is None:
            return ""
        written = [text.written(text.places(mention)) for mention in self.mentions]
        return max(written, key=len, default="")

    def told_of(self, parts: Mapping[str, int]) -> str:
        """What became of the entity, with these names and sizes of its parts."""
        if self.equal or not parts:
            return "equal" if self.equal else self.kind
        largest = sorted(parts.items(), key=lambda part: -part[1])
        places = [f"{n} in {name}" for name, n in largest[:MOST_PARTS]]
        if rest := [n for _, n in largest[MOST_PARTS:]]:
            places.append(f"{sum(rest)} in {len(rest)} more")
        if self.alone:
            places.append(f"{self.alone} {KINDS[self.own_side.place][-1]}")
        return f"{self.kind}: {', '.join(places)}"

    def __repr__(self) -> str:
        """Which it is, and what became of it."""
        return f"{self.side} entity {self.id} of document {self.document!r}, {self.told}"


class Fate(NamedTuple):
    """What became of an entity."""

    kind: int
    """The place of its kind in `KINDS`."""
    equal: bool
    """Whether the other side has the very same entity."""
    alone: int
    """How many of its mentions the other side lacks."""

    @classmethod
    def of(cls, k: int, *overlaps: tuple[int, int]) -> Fate:
        """The fate of an entity of k mentions that shares n with one of r, for each (n, r)."""
        alone = k - sum(n for n, _ in overlaps)
        if not overlaps:
            kind = 3
        elif len(overlaps) > 1:
            kind = 2
        else:
            kind = 1 if alone else 0
        return cls(kind, (k, k) in overlaps, alone)

    def names(self, kinds: Sequence[str]) -> Sequence[str]:
        """The lines of the table that count it."""
        return (kinds[self.kind], "all", *["equal"] * self.equal)


class Share:
    """What an entity has of a measure's hits and total: one object for all entities alike.

    A share is equal to itself alone. Fractions would take longer to compare and to hash.
    """

    __slots__ = ("of_all", "tally")

    def __init__(self, tally: Tally, of_all: Any) -> None:
        self.tally = tally
        self.of_all = of_all
        """The total of all entities of the side."""

    @property
    def lost(self) -> Any:
        """What it lacks of its total."""
        return self.tally.total - self.tally.hits

    @property
    def cost(self) -> Fraction:
        """What it takes from recall or precision."""
        return Fraction(self.lost) / (self.of_all or 1)


class Side:
    """A side of a document, which stands in the key's place of the table."""

    def __init__(
        self, document: Hashable, place: int, t: Contingency, names: Sequence[Sequence[str]]
    ) -> None:
        self.document, self.place, self.t = document, place, t
        self.names, self.others = names
        self.given: Partition | None = None
        """The entities of the input, if it was no table."""
        self.shares: dict[str, Sequence[Share]] = {}
        """By measure: the share of each entity."""
        self.overlaps: defaultdict[int, dict[int, int]] = defaultdict(dict)
        """Of each entity that overlaps any: n by the number of the other."""
        for (i, j), n in t.pairs.items():
            self.overlaps[i][j] = n
        self.profiles = [*map(self._profile, range(len(t.key_sizes)))]
        # Few entities differ in their sizes and overlaps.
        fates = {profile: Fate.of(*profile) for profile in {*self.profiles}}
        self.fates = [fates[profile] for profile in self.profiles]

    @classmethod
    def both(cls, name: Hashable, document: Document, choice: Conventions) -> tuple[Side, Side]:
        """Both sides of a document of this name."""
        partitions: list[Any] = [None, None]
        if isinstance(document, Counted):
            t = document.table
            own = [names_by_number(len(sizes)) for sizes in (t.key_sizes, t.response_sizes)]
            with_names = Contingency(t.pairs, t.key_sizes, t.response_sizes, (own[0], own[1]))
            t = tables_of(with_names, choice).recall
        else:
            given = sides_of(document.key, document.response, choice)
            partitions = [side for side in given if isinstance(side, Partition)]
            if len(partitions) < len(given):
                raise CorefError('a mention is given twice: choose repeated="first" or "merge"')
            own = [side.names or names_by_number(len(side)) for side in partitions]
            t = overlap_of(given, choice, (own[0], own[1])).recall
        assert t.names is not None
        names = [[*map(str, of_side)] for of_side in t.names]
        sides = cls(name, KEY, t, names), cls(name, 1, t.T, names[::-1])
        for side, partition in zip(sides, partitions, strict=True):
            side.given = partition
        return sides

    def _profile(self, i: int) -> Profile:
        """Of an entity its size, and n and r of those that it overlaps."""
        k = self.t.key_sizes[i]
        if i not in self.overlaps:
            return (k,)
        sizes, row = self.t.response_sizes, self.overlaps[i]
        return (k, *sorted([(n, sizes[j]) for j, n in row.items()]))

    @cached_property
    def mentions(self) -> Mapping[str, Sequence[Mention]]:
        """The mentions of each entity by its name; none where the input was a table."""
        if self.given is None:
            return {}
        names = self.given.names or names_by_number(len(self.given))
        return dict(zip(names, self.given.entities, strict=True))
