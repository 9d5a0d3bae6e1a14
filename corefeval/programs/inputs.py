"""A key and a response, of whatever kind, in the ways in which programs take them."""

from __future__ import annotations

import os
import warnings
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from corefeval.contingency import Contingency, Tables
from corefeval.conventions import Conventions
from corefeval.errors import CorefError, named
from corefeval.partition import ByName, Mention, as_lists
from corefeval.programs.bundles import NoScore, one_document, renamed
from corefeval.programs.readings import EVERY, READERS, Listed, Reading
from corefeval.readers import conll, format_of, read_pair
from corefeval.readers.files import Entities, StrPath, entities_of, files_in, reading_bar
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

    format = ""
    names: Sequence[str] = ("key", "response")
    """What messages call the sides."""
    sides: Sides

    def __init__(self, key: Mapping[Any, Any], response: Mapping[Any, Any]) -> None:
        self.sides = [_listed("key", key), _listed("response", response)]

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
        return Elsewhere([0, 0], [0, 0])

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
        if way["pairing"]:
            response = dict(zip(key, response.values(), strict=False))
            key = {name: key[name] for name in response}
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
        if way["repeated"] in REPEATS:
            _refuse_many_pairs(key, response)
        chosen = {name: way[name] for name in ("repeated", "singletons", "twinless")}
        names = dict.fromkeys([*key, *response])
        if way["missing"] == "skip":
            names = dict.fromkeys(name for name in key if name in response)
        if not names:
            raise CorefError("no document is on both sides")
        tables = {}
        for name in names:
            with named(f"document {name!r}"):
                sides = key.get(name, ()), response.get(name, ())
                tables[name] = overlap(*sides, Conventions(**chosen))
        return tables


class Elsewhere(NamedTuple):
    """How many mentions of each side a program finds at other places, or puts in other entities."""

    places: list[int]
    entities: list[int]
    missing: int = 0
    """How many more documents of the key the response lacks."""


def _listed(side: str, documents: Mapping[Any, Any]) -> dict[Any, Entities]:
    """The entities of each document, numbered from 1."""
    found = {}
    for document, entities in documents.items():
        with named(f"document {document!r}: {side}"):
            listed = {str(number): each for number, each in enumerate(as_lists(entities), 1)}
        found[document] = entities_of(listed, "each", lambda mention: "")
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

    def __init__(self, key: StrPath, response: StrPath | None, choice: Conventions) -> None:
        self.names = [str(key), str(response or key)]
        for name in self.names:
            if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
                raise CorefError(f"{name}: it is a pipe, and is needed twice; give a file")
        self.choice = choice
        self.format = format_of(key, response, choice)
        self.text: list[dict[str, conll.Document]] = [{}, {}]
        """For CoNLL-2012: the documents with their lines."""
        self.sentences: list[dict[str, tuple[int, list[int]]]] = [{}, {}]
        """How many sentences are in the documents before, and the tokens that begin one."""
        self.begun_twice: list[tuple[conll.Document, conll.Document]] = []
        """Documents that begin twice: the first, and the other, which counts."""
        if self.format == "CoNLL-2012" and response is not None:
            with reading_bar(key, response):
                self.sides = [dict(self._conll(side)) for side in (0, 1)]
        else:
            self.sides = read_pair(key, response, choice)
        self._read: dict[str, list[Reading] | CorefError] = {}
        self._elsewhere: dict[str, Elsewhere] = {}

    def _conll(self, side: int) -> Iterator[tuple[str, Entities]]:
        text, before = self.text[side], 0
        for document in conll.documents(self.names[side]):
            if document.name in text:
                self.begun_twice.append((text[document.name], document))
            text[document.name] = document
        for name, document in text.items():
            begins = document.sentences
            self.sentences[side][name] = before, begins
            before += len(begins)
            yield name, document.entities("each")

    @cached_property
    def differently_cut(self) -> bool:
        return self.sentences[0] != self.sentences[1]

    @cached_property
    def files(self) -> Sequence[Sequence[str]]:
        return [[*map(str, files_in(name))] for name in self.names]

    def file(self, side: int, document: Any) -> str:
        known = self.text[side].get(document)
        return str(known.path) if known else self.names[side]

    def line(self, side: int, document: Any) -> int | None:
        return self.text[side][document].begin if document in self.text[side] else None

    def matched(self, way: Way) -> Sides:
        if way["reading"]:
            return [_entities(reading) for reading in self.readings(way["reading"])]
        dropped = way["singletons"] if way["match"] != "exact" else "keep"
        choice = self.choice.but(match=way["match"], singletons=dropped)
        if choice == self.choice:
            return self.sides
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the first reading has warned
            return read_pair(self.names[0], self.names[1], choice)

    def place(self, way: Way, side: int, document: Any, mention: Any) -> Mention:
        if way["places"] != "sentence":
            return super().place(way, side, document, mention)
        before, begins = self.sentences[side][document]
        first, last = (bisect_right(begins, token) - 1 for token in mention)
        number = last + (before if way["documents"] else 0)
        return number, mention[0] - begins[first], mention[1] - begins[last]

    def readings(self, reading: str) -> list[Reading]:
        """Both files as a program reads them; raises `NoScore` where it stops."""
        if reading not in self._read:
            try:
                key = _read_by(reading, self.files[0], EVERY)
                self._read[reading] = [key, _read_by(reading, self.files[1], key)]
            except CorefError as error:
                self._read[reading] = error
        found = self._read[reading]
        if isinstance(found, CorefError):
            raise found
        return found

    def elsewhere(self, reading: str) -> Elsewhere:
        """Raises `NoScore` where the reader stops."""
        if not any(self.text):
            return super().elsewhere(reading)
        if reading not in self._elsewhere:
            theirs = self.readings(reading)
            self._elsewhere[reading] = Elsewhere(
                _in_other_groups(_by_place(self._ours), _by_place(theirs)),
                _in_other_groups(_by_entity(self._ours), _by_entity(theirs)),
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


def _read_by(reading: str, files: Sequence[str], only: Container[str]) -> Reading:
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
Groups = dict[Hashable, set[Lines]]


def _by_place(sides: Iterable[Reading]) -> Groups:
    """What is one mention, on both sides."""
    groups: defaultdict[Hashable, set[Lines]] = defaultdict(set)
    for side, reading in enumerate(sides):
        for document, mentions in reading.items():
            for each in mentions:
                groups[document, each.place].add((side, each.file, *each.lines))
    return groups


def _by_entity(sides: Iterable[Reading]) -> Groups:
    """What is in one entity of a side."""
    groups: defaultdict[Hashable, set[Lines]] = defaultdict(set)
    for side, reading in enumerate(sides):
        for document, mentions in reading.items():
            for each in mentions:
                groups[side, document, each.entity].add((side, each.file, *each.lines))
    return groups


def _in_other_groups(ours: Groups, theirs: Groups) -> list[int]:
    """How many mentions of each side are with others than in our groups, or in no group."""
    otherwise = set(map(frozenset, ours.values())) ^ set(map(frozenset, theirs.values()))
    moved = set(chain(*otherwise))
    sides = [side for side, *_ in moved]
    return [sides.count(0), sides.count(1)]
