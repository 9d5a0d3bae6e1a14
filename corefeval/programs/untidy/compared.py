"""How many mentions other programs read otherwise than we do, in the same files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from corefeval.errors import CorefError
from corefeval.partition import Mention
from corefeval.programs.bundles import NoScore
from corefeval.programs.untidy.foreign_readers import READERS, RawMention, Reading
from corefeval.readers.conll import ConllDocument
from corefeval.readers.files import Entities, StrPath, entities_of


class Elsewhere(NamedTuple):
    """How many mentions of each side a program reads otherwise than we do."""

    places: list[int]
    """Those that it finds at other places."""
    entities: list[int]
    """Those that it puts in other entities."""
    times: list[int]
    """Those that it lists more often, or less often, in the same entity."""
    missing: int = 0
    """How many more documents of the key the response lacks."""


class ByPrograms:
    """The files of a key and of a response of CoNLL-2012, as other programs read them."""

    def __init__(
        self, paths: Sequence[Sequence[StrPath]], text: Sequence[Mapping[str, ConllDocument]]
    ) -> None:
        self.paths, self.text = paths, text
        self._read: dict[str, list[Reading] | CorefError] = {}
        self._elsewhere: dict[str, Elsewhere] = {}

    def sides(self, reader: str) -> list[dict[Any, Entities]]:
        """Both sides as a program reads them; raises `NoScore` where it stops."""
        return [_entities_by_name(each) for each in self._readings(reader)]

    def moves_any(self, reader: str) -> bool:
        """Whether a program reads anything otherwise than we do; one that stops does."""
        try:
            moved = self.elsewhere(reader)
        # What makes a program stop is in the lines, and our reader has not stopped at it.
        except NoScore:
            return True
        return moved.missing != 0 or any(chain(moved.places, moved.entities, moved.times))

    def elsewhere(self, reader: str) -> Elsewhere:
        """Raises `NoScore` where the reader stops."""
        if reader not in self._elsewhere:
            theirs = self._readings(reader)
            places, entities = _grouped(self._ours)
            their_places, their_entities = _grouped(theirs)
            relisted = _listings(entities) ^ _listings(their_entities)
            self._elsewhere[reader] = Elsewhere(
                _in_other_groups(places, their_places),
                _in_other_groups(entities, their_entities),
                _count_by_side(mention for _, mention, _ in relisted),
                _number_missing(theirs) - _number_missing(self._ours),
            )
        return self._elsewhere[reader]

    def _readings(self, reader: str) -> list[Reading]:
        if reader not in self._read:
            try:
                key = _read_by(reader, self.paths[0], None)
                self._read[reader] = [key, _read_by(reader, self.paths[1], key)]
            # Several programs share a reader: that it stops is remembered as well.
            except CorefError as error:
                self._read[reader] = error
        found = self._read[reader]
        if isinstance(found, CorefError):
            raise found
        return found

    @cached_property
    def _ours(self) -> list[Reading]:
        """As the readers of other programs, which read a response's documents of the key alone."""
        key, response = self.text
        both = {name: document for name, document in response.items() if name in key}
        return [_read_by_us(key, self.paths[0]), _read_by_us(both, self.paths[1])]


def _read_by(reader: str, files: Sequence[StrPath], only: Container[str] | None) -> Reading:
    """What a program reads in the files of a side, each by itself."""
    read: Reading = {}
    for number, file in enumerate(files):
        for name, mentions in READERS[reader](file, only=only).items():
            # A line has the same number in several files, so each mention keeps its file, too.
            read[name] = [each.of_file(number) for each in mentions]
    return read


def _read_by_us(text: Mapping[str, ConllDocument], files: Sequence[StrPath]) -> Reading:
    number = {str(file): n for n, file in enumerate(files)}
    read: Reading = {}
    for name, document in text.items():
        file = number[str(document.path)]
        read[name] = []
        for entity, mentions in document.mentions.items():
            for first, last in mentions:
                lines = document.line(first), document.line(last)
                read[name].append(RawMention(entity, (first, last), lines, file))
    return read


def _entities_by_name(reading: Reading) -> dict[Any, Entities]:
    found: dict[Any, Entities] = {}
    for document, mentions in reading.items():
        of_name: defaultdict[str, list[Mention]] = defaultdict(list)
        for each in mentions:
            of_name[each.entity].append(each.place)
        found[document] = entities_of(of_name, "each", lambda mention: "")
    return found


def _number_missing(sides: Sequence[Reading]) -> int:
    key, response = sides
    return len(key.keys() - response.keys())


Lines = tuple[int, int, int, int]
"""The side of a mention, the number of its file, the lines where it begins and ends."""
Together = Iterable[Sequence[Lines]]
"""Mentions that belong together, each as often as it is listed."""


def _grouped(sides: Iterable[Reading]) -> tuple[Together, Together]:
    """What is one mention, on both sides; and what is in one entity of a side."""
    of_place: defaultdict[Hashable, list[Lines]] = defaultdict(list)
    of_entity: defaultdict[Hashable, list[Lines]] = defaultdict(list)
    for side, reading in enumerate(sides):
        for document, mentions in reading.items():
            for each in mentions:
                # Lines are what two readings have in common: places and names are each their own.
                lines = (side, each.file, *each.lines)
                of_place[document, each.place].append(lines)
                of_entity[side, document, each.entity].append(lines)
    return of_place.values(), of_entity.values()


def _in_other_groups(ours: Together, theirs: Together) -> list[int]:
    """How many mentions of each side are with others than in our groups, or in no group."""
    # Groups have no names in common, so they are compared by their mentions.
    otherwise = set(map(frozenset, ours)) ^ set(map(frozenset, theirs))
    return _count_by_side(chain(*otherwise))


def _listings(groups: Together) -> set[tuple[Hashable, Lines, int]]:
    """Of each group, its mentions and how often each is listed."""
    return {
        (frozenset(group), mention, times)
        for group in groups
        for mention, times in Counter(group).items()
    }


def _count_by_side(mentions: Iterable[Lines]) -> list[int]:
    """How many different mentions there are of each side."""
    sides = [side for side, *_ in set(mentions)]
    return [sides.count(0), sides.count(1)]
