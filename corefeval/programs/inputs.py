"""A key and a response, of whatever kind, in the ways in which programs take them."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from corefeval.contingency import Contingency, Tables
from corefeval.conventions import Conventions
from corefeval.errors import CorefError, named
from corefeval.partition import ByName, Mention, as_lists, by_name
from corefeval.programs.bundles import NoScore, one_document, refuse_batches, renamed
from corefeval.programs.readings import EVERY, READERS, Listed, Reading
from corefeval.readers import FilePair, conll
from corefeval.readers.files import (
    Entities,
    StrPath,
    entities_of,
    files_in,
    meet_parts,
    reading_bar,
)
from corefeval.repeats import REPEATS
from corefeval.scoring import overlap, tables_of

Sides = Sequence[Mapping[Any, Entities]]
Way = Mapping[str, str]
"""How a measure is computed: a choice for each convention, and for the fields of a bundle."""
MOST_PAIRS = 10_000
"""A mention in n entities of the key and m of the response makes n · m pairs of entities that share
it, (n − 1)(m − 1) more than the n + m − 1 that grow with the files: how many more are scored. At
this number a score of every program takes a second or two (measured in November 2026)."""


class Inputs:
    """A key and a response in Python, as mappings from documents to entities."""

    names: Sequence[str] = ("key", "response")
    """What messages call the sides."""
    sides: Sides

    def __init__(self, key: Mapping[Any, Any], response: Mapping[Any, Any]) -> None:
        listed = _listed("key", key), _listed("response", response)
        refuse_batches((key, response), listed)
        self.sides = listed

    @cached_property
    def differently_cut(self) -> bool:
        """Whether the sides part their documents into other sentences."""
        return False

    @cached_property
    def files(self) -> Sequence[Sequence[str]]:
        """What messages call the files of each side."""
        return [[name] for name in self.names]

    def file(self, side: int, document: Any) -> str:
        """The file that has a document."""
        return self.names[side]

    def elsewhere(self, reading: str) -> Elsewhere:
        """What a reader of lines finds otherwise; nothing where there are no lines."""
        return Elsewhere([0, 0], [0, 0], [0, 0])

    def line(self, side: int, document: Any) -> int | None:
        """The line in which a document begins."""
        return None

    def matched(self, way: Way) -> Sides:
        """Both sides, as a program reads them that finds mentions by this ``match``."""
        return self.sides

    def place(self, way: Way, side: int, document: Any, mention: Any) -> Mention:
        """What a program calls a mention that knows other places, or one document of all."""
        return (document, mention) if way["documents"] else mention

    def sides_of(self, way: Way) -> Sides:
        """Key and response, with the documents and mentions that a program has.

        Raises `NoScore` for documents at which the program stops.
        """
        key, response = self.matched(way)
        # A program that pairs by order scores as many documents as the shorter side has.
        if way["pairing"]:
            response = dict(zip(key, response.values(), strict=False))
            key = {name: key[name] for name in response}
        # Some programs go through the key's documents, and never see any other.
        if way["extra"]:
            response = {name: response[name] for name in response if name in key}
        if way["missing"] == "error":
            _refuse_missing(key, response)
        sides = [key, response]
        if way["places"] or way["documents"]:
            sides = [
                renamed(documents, partial(self.place, way, side))
                for side, documents in enumerate(sides)
            ]
        return [one_document(side) for side in sides] if way["documents"] else sides

    def tables(self, way: Way) -> Mapping[Hashable, Tables]:
        """The tables of each document.

        Raises `NoScore` as `sides_of` does, and `CorefError` for what only the program can score.
        """
        key, response = self.sides_of(way)
        # Only these choices keep all listings, whose pairs can grow with the square of the files.
        if way["repeated"] in REPEATS:
            _refuse_many_pairs(key, response)
        chosen = {name: way[name] for name in ("repeated", "singletons", "twinless")}
        # A dictionary in place of a set, so that documents keep their order.
        names = dict.fromkeys([*key, *response])
        if way["missing"] == "skip":
            names = dict.fromkeys(name for name in key if name in response)
        # With no document in common there is no score, which is another thing than a score of 0.
        if not names:
            raise CorefError("no document is on both sides")
        tables = {}
        for name in names:
            with named(f"document {name!r}"):
                sides = key.get(name, ()), response.get(name, ())
                tables[name] = overlap(*sides, Conventions(**chosen))
        return tables


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


def _listed(side: str, documents: Mapping[Any, Any]) -> dict[Any, Entities]:
    """The entities of each document."""
    found = {}
    for document, entities in documents.items():
        with named(f"document {document!r}: {side}"):
            found[document] = entities_of(by_name(entities), "each", lambda mention: "")
    return found


def _refuse_missing(key: Mapping[Any, Any], response: Mapping[Any, Any]) -> None:
    sides = ("response", key, response), ("key", response, key)
    for side, here, there in sides:
        for name in here:
            if name not in there:
                raise NoScore(f"document {name!r} is missing from the {side}")


def _refuse_many_pairs(key: Mapping[Any, Entities], response: Mapping[Any, Entities]) -> None:
    pairs = 0
    for document in key.keys() & response.keys():
        if isinstance(key[document], ByName) or isinstance(response[document], ByName):
            here, there = (Counter(chain(*as_lists(side[document]))) for side in (key, response))
            shared = here.keys() & there.keys()
            pairs += sum((here[mention] - 1) * (there[mention] - 1) for mention in shared)
    if pairs > MOST_PAIRS:
        raise CorefError(
            f"mentions that both sides repeat make {pairs} more pairs of entities; no more than "
            f"{MOST_PAIRS} are compared"
        )


class CountedTables(Inputs):
    """Tables of mentions, of label arrays or of a database: what is counted, without mentions."""

    def __init__(self, of_documents: Mapping[Hashable, Contingency]) -> None:
        self.sides = [{}, {}]
        self.of_documents = of_documents

    def tables(self, way: Way) -> Mapping[Hashable, Tables]:
        if way["documents"]:
            raise CorefError("a table does not say which entities of two documents are one")
        choice = Conventions(singletons=way["singletons"], twinless=way["twinless"])
        return {name: tables_of(t, choice) for name, t in self.of_documents.items()}


class Files(Inputs):
    """A key and a response with all their repeats, documents in the order of the files."""

    def __init__(self, files: FilePair, choice: Conventions) -> None:
        files.check(choice)
        self.pair, self.choice = files, choice
        self.paths = [files.key_path, files.response_path or files.key_path]
        self.names = [*map(str, self.paths)]
        self.text: list[dict[str, conll.Document]] = [{}, {}]
        """For CoNLL-2012: the documents with their lines."""
        self.sentences: list[dict[str, tuple[int, list[int]]]] = [{}, {}]
        """How many sentences are in the documents before, and the tokens that begin one."""
        self.begun_twice: list[tuple[conll.Document, conll.Document]] = []
        """Documents that begin twice: the first, and the other, which counts."""
        # Where other programs read lines by rules of their own, the lines are kept.
        if files.format.is_read_otherwise and files.response_path is not None:
            with reading_bar(*self.paths):
                for side in (0, 1):
                    self._read_conll(side)
            # Nothing is checked here: what differs between the sides is what is to be explained.
            meet_parts(self.text[0], self.text[1], lambda key, response: None)
            self.sides = [dict(self._conll(side)) for side in (0, 1)]
        else:
            self.sides = files.read(choice)
        self._read: dict[str, list[Reading] | CorefError] = {}
        self._elsewhere: dict[str, Elsewhere] = {}

    def _read_conll(self, side: int) -> None:
        text = self.text[side]
        for document in conll.documents(self.paths[side]):
            if document.name in text:
                # Our readers refuse such a file; here it is something to tell.
                self.begun_twice.append((text[document.name], document))
            text[document.name] = document

    def _conll(self, side: int) -> Iterator[tuple[str, Entities]]:
        before = 0
        for name, document in self.text[side].items():
            begins = document.sentences
            self.sentences[side][name] = before, begins
            before += len(begins)
            yield name, document.entities("each")

    @cached_property
    def differently_cut(self) -> bool:
        return self.sentences[0] != self.sentences[1]

    @cached_property
    def files(self) -> Sequence[Sequence[str]]:
        return [[*map(str, files)] for files in self._paths]

    @cached_property
    def _paths(self) -> Sequence[Sequence[StrPath]]:
        return [*map(files_in, self.paths)]

    def file(self, side: int, document: Any) -> str:
        known = self.text[side].get(document)
        return str(known.path) if known else self.names[side]

    def line(self, side: int, document: Any) -> int | None:
        return self.text[side][document].begin if document in self.text[side] else None

    def matched(self, way: Way) -> Sides:
        if way["reading"]:
            return self.as_read(way["reading"])
        dropped = way["singletons"] if way["match"] != "exact" else "keep"
        # Mentions of other formats are not matched, and singletons can go later, with the tables.
        choice = self.choice.but(match=way["match"], singletons=dropped)
        if choice == self.choice:
            return self.sides
        with warnings.catch_warnings():
            # The first reading has given every warning of these files.
            warnings.simplefilter("ignore")
            return self.pair.read(choice)

    def place(self, way: Way, side: int, document: Any, mention: Any) -> Mention:
        if way["places"] != "sentence":
            return super().place(way, side, document, mention)
        before, begins = self.sentences[side][document]
        # The sentence of a token is the last one that begins at or before it.
        first, last = (bisect_right(begins, token) - 1 for token in mention)
        number = last + (before if way["documents"] else 0)
        return number, mention[0] - begins[first], mention[1] - begins[last]

    def as_read(self, reading: str) -> Sides:
        """Both sides as a program reads them; raises `NoScore` where it stops."""
        return [_entities(each) for each in self.readings(reading)]

    def readings(self, reading: str) -> list[Reading]:
        """Both files as a program reads them; raises `NoScore` where it stops."""
        if reading not in self._read:
            try:
                key = _read_by(reading, self._paths[0], EVERY)
                self._read[reading] = [key, _read_by(reading, self._paths[1], key)]
            # Several programs share a reader: that it stops is remembered as well.
            except CorefError as error:
                self._read[reading] = error
        found = self._read[reading]
        if isinstance(found, CorefError):
            raise found
        return found

    def elsewhere(self, reading: str) -> Elsewhere:
        """Raises `NoScore` where the reader stops."""
        # Only CoNLL-2012 has lines that others read by rules of their own.
        if not any(self.text):
            return super().elsewhere(reading)
        if reading not in self._elsewhere:
            theirs = self.readings(reading)
            ours_by_entity, by_entity = _by_entity(self._ours), _by_entity(theirs)
            self._elsewhere[reading] = Elsewhere(
                _in_other_groups(_by_place(self._ours), _by_place(theirs)),
                _in_other_groups(ours_by_entity, by_entity),
                _of_sides(each for _, each, _ in _listings(ours_by_entity) ^ _listings(by_entity)),
                _missing(theirs) - _missing(self._ours),
            )
        return self._elsewhere[reading]

    @cached_property
    def _ours(self) -> list[Reading]:
        """As the readers of other programs, which read a response's documents of the key alone."""
        key, response = self.text
        both = {name: document for name, document in response.items() if name in key}
        read: list[Reading] = []
        for text, files in zip((key, both), self.files, strict=True):
            number = {file: n for n, file in enumerate(files)}
            read.append(
                {
                    name: list(_read_by_us(document, number[str(document.path)]))
                    for name, document in text.items()
                }
            )
        return read


def _read_by(reading: str, files: Sequence[StrPath], only: Container[str]) -> Reading:
    """What a program reads in the files of a side, each by itself."""
    read: Reading = {}
    for number, file in enumerate(files):
        for name, mentions in READERS[reading](file, only=only).items():
            read[name] = [each.of_file(number) for each in mentions]
    return read


def _read_by_us(document: conll.Document, number: int) -> Iterator[Listed]:
    for entity, mentions in document.mentions.items():
        for first, last in mentions:
            lines = document.line(first), document.line(last)
            yield Listed(entity, (first, last), lines).of_file(number)


def _entities(reading: Reading) -> dict[Any, Entities]:
    found: dict[Any, Entities] = {}
    for document, mentions in reading.items():
        of_name: defaultdict[str, list[Mention]] = defaultdict(list)
        for each in mentions:
            of_name[each.entity].append(each.place)
        found[document] = entities_of(of_name, "each", lambda mention: "")
    return found


def _missing(sides: Sequence[Reading]) -> int:
    key, response = sides
    return len(key.keys() - response.keys())


Lines = tuple[int, int, int, int]
"""The side of a mention, the number of its file, the lines where it begins and ends."""
Groups = Collection[Sequence[Lines]]
"""Mentions that belong together, each as often as it is listed."""


def _by_place(sides: Iterable[Reading]) -> Groups:
    """What is one mention, on both sides."""
    groups: defaultdict[Hashable, list[Lines]] = defaultdict(list)
    for side, reading in enumerate(sides):
        for document, mentions in reading.items():
            for each in mentions:
                groups[document, each.place].append((side, each.file, *each.lines))
    return groups.values()


def _by_entity(sides: Iterable[Reading]) -> Groups:
    """What is in one entity of a side."""
    groups: defaultdict[Hashable, list[Lines]] = defaultdict(list)
    for side, reading in enumerate(sides):
        for document, mentions in reading.items():
            for each in mentions:
                groups[side, document, each.entity].append((side, each.file, *each.lines))
    return groups.values()


def _in_other_groups(ours: Groups, theirs: Groups) -> list[int]:
    """How many mentions of each side are with others than in our groups, or in no group."""
    # Groups have no names in common, so they are compared by their mentions.
    otherwise = set(map(frozenset, ours)) ^ set(map(frozenset, theirs))
    return _of_sides(chain(*otherwise))


def _listings(groups: Groups) -> set[tuple[Hashable, Lines, int]]:
    """Of each group, its mentions and how often each is listed."""
    return {
        (frozenset(group), mention, times)
        for group in groups
        for mention, times in Counter(group).items()
    }


def _of_sides(mentions: Iterable[Lines]) -> list[int]:
    """How many different mentions there are of each side."""
    sides = [side for side, *_ in set(mentions)]
    return [sides.count(0), sides.count(1)]
