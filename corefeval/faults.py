"""What is wrong with the files of a key and a response, and is no convention: where, and whom
it hits."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from corefeval.bundles import bundles
from corefeval.conventions import Conventions
from corefeval.partition import ByName, Mention
from corefeval.readers import conll, format_of, read_pair
from corefeval.readers.files import Entities, StrPath

REFUSED = ("missing", "repeated", "tokens", "twice")
"""Kinds of faults for which a pair of files is not scored by default."""

Documents = Mapping[str, Entities]
Lines = Sequence[Mapping[str, conll.Document]]


class Fault(NamedTuple):
    """Something to mend, and in which line (counted from 1; None if only the file is known)."""

    kind: str
    """"blank", "comment", "missing", "order", "repeated", "sentence", "tokens", "twice" or
    "word"."""
    file: str
    line: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.what}"


def hits(kind: str) -> list[str]:
    """The programs whose scores a fault changes that leaves ours alone."""
    values = {"sentence": {"sentence"}, "blank": {"blank"}, "order": {"order", "pooled"}}
    return [
        name
        for name, bundle in bundles().items()
        if values.get(kind, set()) & {bundle.places, bundle.pairs, bundle.documents}
    ]


class Files(NamedTuple):
    """A key and a response with all their repeats, documents in the order of the files."""

    format: str
    key: Documents
    response: Documents
    faults: list[Fault]
    sentences: Sequence[Mapping[str, tuple[int, list[int]]]] = ({}, {})
    """Of each side's documents, for CoNLL-2012: the number of sentences in those before it, and
    the tokens that begin one."""
    blanks: Sequence[Mapping[str, list[int]]] = ({}, {})
    """The tokens after lines that hold a blank."""

    def place(self, side: int, document: str, mention: Any, way: Mapping[str, str]) -> Mention:
        """What a mention on a side is called by a program of these ``places`` and ``documents``."""
        if way["places"] == "blank":
            after = self.blanks[side][document]
            return tuple(token + bisect_right(after, token) for token in mention)
        if way["places"] == "sentence":
            before, begins = self.sentences[side][document]
            first, last = (bisect_right(begins, token) - 1 for token in mention)
            number = before + last if way["documents"] else last
            return number, mention[0] - begins[first], mention[1] - begins[last]
        return (document, mention) if way["documents"] else mention


def by_name(entities: Entities) -> Mapping[Any, list[Mention]]:
    """The mentions of each entity by its name in the file, or its number."""
    if isinstance(entities, ByName):
        return entities
    names = entities.names or range(len(entities.sizes))
    return dict(zip(names, entities.entities, strict=True))


def examine(key_path: StrPath, response_path: StrPath | None, choice: Conventions) -> Files:
    """Read both files once, and look for faults.

    Raises `CorefError` for a file that cannot be read at all.
    """
    paths = [str(key_path), str(response_path or key_path)]
    format = format_of(key_path, response_path, choice)
    if format != "CoNLL-2012" or response_path is None:
        key, response = read_pair(key_path, response_path, choice)
        return Files(format, key, response, list(_of_documents(paths, (key, response), ({}, {}))))
    listed = [list(conll.documents(path)) for path in paths]
    text = [{document.name: document for document in side} for side in listed]
    sides = [
        {name: conll.entities(path, document, "each") for name, document in side.items()}
        for path, side in zip(paths, text, strict=True)
    ]
    faults = [fault for side in zip(paths, listed, strict=True) for fault in _of_lines(*side)]
    faults += _of_documents(paths, sides, text)
    for name in text[0].keys() & text[1].keys():
        faults += _of_tokens(paths, text[0][name], text[1][name])
    faults.sort(key=lambda fault: (fault.kind, paths.index(fault.file), fault.line or 0))
    blanks = [{n: [*map(d.tokens_above, d.blanks)] for n, d in side.items()} for side in text]
    return Files(format, sides[0], sides[1], faults, [*map(_sentences, text)], blanks)


def _sentences(documents: Mapping[str, conll.Document]) -> dict[str, tuple[int, list[int]]]:
    found, before = {}, 0
    for name, document in documents.items():
        found[name] = before, document.sentences or [0]
        before += len(document.sentences)
    return found


def _of_lines(path: str, documents: list[conll.Document]) -> Iterator[Fault]:
    """Faults of a file alone."""
    begins: dict[str, int] = {}
    for document in documents:
        fault = partial(_fault, path, document.name)
        before = begins.setdefault(document.name, document.begin)
        if before != document.begin:
            yield fault("twice", document.begin, f"begins in line {before}, too; the last counts")
        for line in document.blanks:
            yield fault("blank", line, "the line looks empty but holds a blank")


def _fault(path: str, document: str, kind: str, line: int | None, what: str) -> Fault:
    return Fault(kind, path, line, f"document {document!r}: {what}")


def _of_documents(paths: Sequence[str], sides: Sequence[Documents], text: Lines) -> Iterator[Fault]:
    """Documents that are missing or in another order, and mentions that are given twice."""
    begins = [{name: document.begin for name, document in side.items()} for side in text]
    for here, there in ((0, 1), (1, 0)):
        for name, entities in sides[here].items():
            fault = partial(_fault, paths[here], name)
            if name not in sides[there]:
                yield fault("missing", begins[here].get(name), f"is not in {paths[there]}")
            if isinstance(entities, ByName):
                for where, what in _repeated(entities):
                    line = re.match(r", lines? ([0-9]+)", where.removeprefix(paths[here]))
                    yield fault("repeated", int(line[1]) if line else None, what)
    one, other = (
        [name for name in side if name in sides[0] and name in sides[1]] for side in sides
    )
    moved = [(ours, theirs) for ours, theirs in zip(one, other, strict=True) if ours != theirs]
    for ours, theirs in moved[:1]:
        what = f"comes here, where {paths[0]} has {ours!r}; {len(moved)} are at another place"
        yield _fault(paths[1], theirs, "order", begins[1].get(theirs), what)


def _repeated(entities: ByName) -> Iterator[tuple[str, str]]:
    """Where each repeated mention is, and what it is in."""
    given: dict[Mention, list[str]] = {}
    for name, mentions in entities.items():
        for mention in mentions:
            given.setdefault(mention, []).append(name)
    for mention, names in given.items():
        if len(names) > 1:
            yield entities.where(mention), f"mention {mention} is in entities {', '.join(names)}"


def _of_tokens(
    paths: Sequence[str], key: conll.Document, response: conll.Document
) -> Iterator[Fault]:
    """Numbers of tokens, words, sentences and comments that differ in a document."""
    sizes = [len(key.tokens), len(response.tokens)]
    words = list(conll.differing_words(key, response))
    if sizes[0] != sizes[1]:
        longer = sizes.index(max(sizes))
        token = words[0] if words else min(sizes)
        what = f"{max(sizes)} tokens, but {min(sizes)} in {paths[1 - longer]}; other from here on"
        yield _fault(paths[longer], key.name, "tokens", (key, response)[longer].line(token), what)
        return
    for token in words:
        mine, yours = conll.word(key.tokens[token]), conll.word(response.tokens[token])
        what = f"the word is {yours!r}, but {mine!r} in {paths[0]}, line {key.line(token)}"
        yield _fault(paths[1], key.name, "word", response.line(token), what)
    begins = set(response.sentences)
    for token in sorted(begins.symmetric_difference(key.sentences)):
        here = (
            "a sentence begins here, but not" if token in begins else "no sentence begins here, but"
        )
        what = f"{here} in {paths[0]}, line {key.line(token)}"
        yield _fault(paths[1], key.name, "sentence", response.line(token), what)
    for path, one, other in ((paths[0], key, response), (paths[1], response, key)):
        there = set(map(other.tokens_above, other.comments))
        for line in one.comments:
            if one.tokens_above(line) not in there:
                yield _fault(path, key.name, "comment", line, "a comment that the other file lacks")
