"""What is wrong with the files of a key and a response, and is no convention: where it is."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.partition import ByName, Mention
from corefeval.programs.bundles import by_name
from corefeval.readers import conll, format_of, read_pair
from corefeval.readers.files import Entities, StrPath

REFUSED = {"missing", "repeated", "tokens", "twice"}
"""Kinds of faults for which a pair of files is not scored by default."""

Sides = Sequence[Mapping[Any, Entities]]


class Fault(NamedTuple):
    """Something to mend, and in which line (counted from 1; None if only the file is known)."""

    kind: str
    """"blank", "missing", "order", "repeated", "sentence", "tokens", "twice" or "word"."""
    file: str
    line: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.what}"


class Files:
    """A key and a response with all their repeats, documents in the order of the files."""

    def __init__(self, key: StrPath, response: StrPath | None, choice: Conventions) -> None:
        self.paths = [str(key), str(response or key)]
        self.choice = choice
        self.format = format_of(key, response, choice)
        self.text: list[dict[str, conll.Document]] = [{}, {}]
        """For CoNLL-2012: the documents with their lines."""
        self.sentences: list[dict[str, tuple[int, list[int]]]] = [{}, {}]
        """How many sentences are in the documents before, and the tokens that begin one."""
        self.blanks: list[dict[str, list[int]]] = [{}, {}]
        """The tokens after lines that hold a blank."""
        self.twice: list[Fault] = []
        if self.format == "CoNLL-2012" and response is not None:
            self.sides: Sides = [dict(self._conll(side)) for side in (0, 1)]
        else:
            self.sides = read_pair(key, response, choice)

    def _conll(self, side: int) -> Iterator[tuple[str, Entities]]:
        text, before = self.text[side], 0
        for document in conll.documents(self.paths[side]):
            name, begin = document.name, document.begin
            if name in text:
                what = f"begins in line {text[name].begin}, too; the last counts"
                self.twice.append(self._fault("twice", side, name, begin, what))
            text[name] = document
        for name, document in text.items():
            begins = document.sentences
            self.sentences[side][name] = before, begins
            self.blanks[side][name] = list(document.blanks.values())
            before += len(begins)
            yield name, document.entities("each")

    def read(self, way: Mapping[str, str]) -> Sides:
        """Both sides, as a program reads them that finds mentions by this ``match``."""
        dropped = way["singletons"] if way["match"] != "exact" else "keep"
        choice = self.choice.but(match=way["match"], singletons=dropped)
        if choice == self.choice:
            return self.sides
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the first reading has warned
            return read_pair(self.paths[0], self.paths[1], choice)

    def place(self, way: Mapping[str, str], side: int, document: str, mention: Any) -> Mention:
        """What a mention on a side is called by a program of these ``places`` and ``documents``."""
        if way["places"] == "blank":
            after = self.blanks[side][document]
            return tuple(token + bisect_right(after, token) for token in mention)
        if way["places"] == "sentence":
            before, begins = self.sentences[side][document]
            first, last = (bisect_right(begins, token) - 1 for token in mention)
            number = last + (before if way["documents"] else 0)
            return number, mention[0] - begins[first], mention[1] - begins[last]
        return (document, mention) if way["documents"] else mention

    def faults(self) -> list[Fault]:
        """All that is to mend, by kind, file and line."""
        found = [*self.twice, *self._of_side(0), *self._of_side(1), *self._of_order()]
        for name in self.text[0].keys() & self.text[1].keys():
            found += self._of_tokens(name, self.text[0][name], self.text[1][name])
        place = self.paths.index
        return sorted(found, key=lambda each: (each.kind, place(each.file), each.line or 0))

    def _fault(self, kind: str, side: int, name: str, line: int | None, what: str) -> Fault:
        if line is None and name in self.text[side]:
            line = self.text[side][name].begin
        return Fault(kind, self.paths[side], line, f"document {name!r}: {what}")

    def _of_side(self, side: int) -> Iterator[Fault]:
        here, there = self.paths[side], self.paths[1 - side]
        for name, entities in self.sides[side].items():
            if name not in self.sides[1 - side]:
                yield self._fault("missing", side, name, None, f"is not in {there}")
            if isinstance(entities, ByName):
                for mention, names in repeated(entities).items():
                    where = entities.where(mention).removeprefix(here)
                    number = re.match(r", lines? ([0-9]+)", where)
                    what = f"mention {mention} is in entities {', '.join(names)}"
                    yield self._fault("repeated", side, name, number and int(number[1]), what)
        for name, document in self.text[side].items():
            for line in document.blanks:
                what = "the line looks empty but holds a blank"
                yield self._fault("blank", side, name, line, what)

    def _of_order(self) -> Iterator[Fault]:
        key, response = self.sides
        in_key, in_response = [n for n in key if n in response], [n for n in response if n in key]
        moved = [(i, j) for i, j in zip(in_key, in_response, strict=True) if i != j]
        for ours, theirs in moved[:1]:
            what = (
                f"comes here, where {self.paths[0]} has {ours!r}; {len(moved)} are at another place"
            )
            yield self._fault("order", 1, theirs, None, what)

    def _of_tokens(self, name: str, *sides: conll.Document) -> Iterator[Fault]:
        key, response = sides
        sizes = [len(side.tokens) for side in sides]
        words = list(conll.differing_words(key, response))
        if sizes[0] != sizes[1]:
            longer = sizes.index(max(sizes))
            line = sides[longer].line(min([*words, *sizes]))
            there = f"{min(sizes)} in {self.paths[1 - longer]}"
            what = f"{max(sizes)} tokens, but {there}; other from here on"
            yield self._fault("tokens", longer, name, line, what)
            return
        for token in words:
            ours, theirs = (conll.word(side.tokens[token]) for side in sides)
            what = (
                f"the word is {theirs!r}, but {ours!r} in {self.paths[0]}, line {key.line(token)}"
            )
            yield self._fault("word", 1, name, response.line(token), what)
        begins = set(response.sentences)
        for token in begins.symmetric_difference(key.sentences):
            here = "a" if token in begins else "no"
            what = f"{here} sentence begins here, unlike {self.paths[0]}, line {key.line(token)}"
            yield self._fault("sentence", 1, name, response.line(token), what)


def repeated(entities: Entities) -> dict[Mention, list[str]]:
    """The mentions that are given more than once, with the entities that have them."""
    given: defaultdict[Mention, list[str]] = defaultdict(list)
    for name, mentions in by_name(entities).items():
        for mention in mentions:
            given[mention].append(name)
    return {mention: names for mention, names in given.items() if len(names) > 1}
