r"""CorefUD: CoNLL-U files with coreference in the column MISC, as in the shared tasks CRAC.

``# newdoc id = NAME`` begins a document, empty lines part its sentences, and a token line has ten
columns apart by tabs, of which ID, FORM, DEPS and MISC count. ``Entity=`` in MISC is a run of
brackets: ``(e1-person-2-`` where a mention of entity e1 begins, ``e1)`` where it ends,
``(e1-person-1-)`` where it is one node. ``# global.Entity = eid-etype-head-other`` names what
stands between the hyphens; ``head`` is the place of the head among the mention's nodes, the first
if none is given. A mention with gaps has parts: ``(e1[1/2]-person-2-``, ``e1[1/2])`` and later
``(e1[2/2]-person-2-)``. ``GRP`` instead of ``eid`` is an id that holds in one document only.
Other relations (``SplitAnte=``, ``Bridge=``) are left alone.

A mention is its sentence, the ids of its nodes and its head. Nodes are words and empty nodes
(``5.1``), not multiword tokens (``3-4``). Empty nodes may be on one side only; the words must be
the same, so a response that ends early, which the official scorer accepts, is refused.

Source: the CorefUD 1.0 format; README of ufal/corefud-scorer v1.2; udapi/core/coref.py of udapi.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, repeat, zip_longest
from typing import NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, named, shortened
from corefeval.matching import Mention, identity, match
from corefeval.readers.files import (
    Entities,
    StrPath,
    blocks,
    check_same_documents,
    entities_of,
    refuse_repeated,
    side_by_side,
    warn,
)

NEWDOC = re.compile(r"#\s*newdoc(?!\w)\s*(?:id\b)?\s*=?\s*(.*)")
FIELDS = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)")
BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")
PART = re.compile(r"([^\s=\[\]]+)(?:\[([1-9][0-9]{0,3})/([1-9][0-9]{0,3})\])?")
EMPTY = re.compile(r"([0-9]+)\.([1-9][0-9]{0,3})")
MULTIWORD = re.compile(r"([0-9]+)-[0-9]+")

NUMBERS = [str(number) for number in range(1, 1001)]
LIKE = "# global.Entity = eid-etype-head-other"
END = "\n"
"""What ends a sentence; no word has it."""


class Document:
    """A document as it stands in a file."""

    def __init__(self, path: StrPath, name: str, begin: int) -> None:
        self.path = path
        self.name = name
        self.begin = begin
        """Its first line, counted from 1."""
        self.sentences = 0
        self.words: list[str] = []
        """With `END` after those of each sentence."""
        self.lines: list[int] = []
        """The line of each word."""
        self.entities: dict[str, list[Mention]] = {}
        """The mentions of each entity; the entities in the order in which they begin."""
        self.own_ids = False
        """Whether the ids of its entities hold in this document only."""

    def at(self, line: int) -> str:
        """A place, for a message."""
        return f"{self.path}, line {line}: document {self.name!r}"


def read_pair(
    key_path: StrPath, response_path: StrPath, choice: Conventions
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response, whose mentions are matched by ``choice.match``.

    A matched mention of the response is that of the key. With ``choice.singletons == "drop"``
    entities of one mention go before mentions are matched.

    Raises `CorefError`, which names file and line, for what cannot be read or makes a score
    doubtful: a bracket that is not closed or not opened, a mention that goes on in the next
    sentence, a head that is none of its nodes, ids out of order, ``Entity=`` without ``#
    global.Entity``, other numbers of words or sentences on the other side, a document that it
    lacks. Words that differ, and an entity in several documents, are only warned of.
    """
    key, response = side_by_side(_documents(key_path), _documents(response_path), _check_same_words)
    if choice.missing == "error":
        check_same_documents(key_path, key, response_path, response)
    _warn_of_split_entities(key)
    _warn_of_split_entities(response)
    sides: tuple[dict[str, Entities], dict[str, Entities]] = ({}, {})
    for name in key | response:
        ours, theirs = _entities(key.get(name), choice), _entities(response.get(name), choice)
        key_of = match(chain(*ours.values()), chain(*theirs.values()), choice.match)
        theirs = {eid: [key_of.get(each, each) for each in theirs[eid]] for eid in theirs}
        if name in key:
            sides[0][name] = entities_of(ours, choice.repeated, str)
        if name in response:
            sides[1][name] = entities_of(theirs, choice.repeated, str)
    return sides


# From a path to documents


def _documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file; one without an id is called by its number."""
    document: Document | None = None
    fields: Fields | None = None
    begins: dict[str, int] = {}
    for comments, lines, rows in _sentences(path):
        found = [(line, NEWDOC.match(comment)) for line, comment in comments]
        newdocs = [(line, newdoc[1].strip()) for line, newdoc in found if newdoc]
        if rows and document is None and not newdocs:
            newdocs = [(lines[0], "")]
        for line, name in newdocs:
            if rows and lines[0] < line:
                raise CorefError(
                    f"{path}, line {line}: a document begins within a sentence; expected an empty "
                    "line before"
                )
            if document is not None:
                yield document
            document = Document(path, name or str(len(begins) + 1), line)
            if begins.setdefault(document.name, line) != line:
                raise CorefError(
                    f"{document.at(line)} begins here and in line {begins[document.name]}; "
                    "expected each once"
                )
        for line, comment in comments:
            if given := FIELDS.match(comment):
                with named(f"{path}, line {line}"):
                    fields = _fields(given[1])
        if document and rows:
            _add_sentence(document, fields, lines, rows)
    if document is None:
        raise CorefError(
            f"{path}: the file has no sentence; expected CorefUD, whose token lines have ten "
            "columns apart by tabs"
        )
    yield document


def _sentences(path: StrPath) -> Iterator[tuple[list[tuple[int, str]], list[int], list[str]]]:
    """Of each sentence the comments with their lines, and the token lines: numbers and texts."""
    comments: list[tuple[int, str]] = []
    numbers: list[int] = []
    rows: list[str] = []
    for first, lines in blocks(path):
        for number, line in enumerate(lines[:-1], first):  # the last is no line of the file
            line = line.lstrip("\ufeff")
            if line.startswith("#"):
                comments.append((number, line))
            elif line and not line.isspace():
                rows.append(line)
                numbers.append(number)
            elif rows:
                yield comments, numbers, rows
                comments, numbers, rows = [], [], []
    yield comments, numbers, rows


class Fields(NamedTuple):
    """Where a bracket has its fields, as ``# global.Entity`` says."""

    eid: int
    head: int
    """Beyond any field if there are no heads."""
    own_ids: bool
    """Whether the field of the id is ``GRP``."""


def _fields(text: str) -> Fields:
    """
    >>> _fields("eid-etype-head-other")
    Fields(eid=0, head=2, own_ids=False)
    """
    names = text.split("-")
    for name in ("eid", "GRP"):
        if name in names:
            head = names.index("head") if "head" in names else len(text)
            return Fields(names.index(name), head, name == "GRP")
    raise CorefError(
        f"'# global.Entity = {text}' has no field 'eid' or 'GRP'; expected a line like '{LIKE}'"
    )


def _add_sentence(
    document: Document, fields: Fields | None, lines: list[int], rows: list[str]
) -> None:
    if set(map(str.count, rows, repeat("\t"))) != {9}:
        n = next(n for n, row in enumerate(rows) if row.count("\t") != 9)
        raise CorefError(
            f"{document.at(lines[n])}: expected a token line of ten columns apart by tabs, got "
            f"{shortened(rows[n])}"
        )
    starts = [row.split("\t", 2) for row in rows]
    ids, words, at = [start[0] for start in starts], [start[1] for start in starts], lines
    if ids != NUMBERS[: len(ids)]:  # most sentences have words only
        nodes = _nodes(document, lines, rows, ids)
        words = [words[n] for n in nodes if "." not in ids[n]]
        at = [lines[n] for n in nodes if "." not in ids[n]]
        lines, rows = [lines[n] for n in nodes], [rows[n] for n in nodes]
        ids = [ids[n] for n in nodes]
    document.sentences += 1
    document.words += [*words, END]
    document.lines += [*at, lines[-1] + 1]
    document.own_ids = fields is not None and fields.own_ids
    if marked := [n for n, row in enumerate(rows) if "Entity=" in row]:
        _Brackets(document, fields, lines, rows, tuple(ids), {}, {}).read(marked)


def _nodes(document: Document, lines: list[int], rows: list[str], ids: list[str]) -> list[int]:
    """The numbers of the rows that hold words and empty nodes."""
    nodes: list[int] = []
    word = empty = 0
    for n, given in enumerate(ids):
        if given == str(word + 1):
            word, empty = word + 1, 0
        elif (found := EMPTY.fullmatch(given)) and found[1] == str(word) and int(found[2]) > empty:
            empty = int(found[2])
        elif not (found := MULTIWORD.fullmatch(given)) or found[1] != str(word + 1):
            raise CorefError(
                f"{document.at(lines[n])}: the id {shortened(given)} is out of order; expected "
                f"{word + 1}, an empty node like {word}.{empty + 1}, a multiword token like "
                f"{word + 1}-{word + 2}, or an empty line before the next sentence"
            )
        elif "Entity=" in rows[n].rpartition("\t")[2]:
            raise CorefError(
                f"{document.at(lines[n])}: Entity= in the line of the multiword token {given}; "
                "expected it in the lines of its words"
            )
        else:
            continue
        nodes.append(n)
    return nodes


class Opened(NamedTuple):
    """A mention, or a part of one, that has begun."""

    line: int
    start: int
    """The number of its first node in the sentence; where it waits, of the first it may have."""
    head: str
    before: tuple[str, ...] = ()
    """The nodes of its earlier parts."""


class _Brackets(NamedTuple):
    """The brackets of a sentence."""

    document: Document
    fields: Fields | None
    lines: list[int]
    rows: list[str]
    ids: tuple[str, ...]
    opened: dict[str, list[Opened]]
    """Mentions and parts that are open, by id and part as they stand in a bracket."""
    waiting: dict[str, list[Opened]]
    """Mentions with gaps, by id and next part."""

    def read(self, marked: list[int]) -> None:
        """Read those of the nodes of these numbers."""
        for n in marked:
            misc = self.rows[n].rpartition("\t")[2].split("|")
            value = "|".join(each[7:] for each in misc if each.startswith("Entity="))
            brackets = BRACKET.findall(value)
            try:
                if sum(map(len, brackets)) != len(value) or "|" in value:
                    raise CorefError(
                        f"Entity={shortened(value)} is no run of brackets like '(e1-person-2-', "
                        "'e1)' or '(e1-person-1-)'; expected nothing else, and that once"
                    )
                for bracket in brackets:
                    self._read(n, bracket)
            except CorefError as error:
                raise CorefError(f"{self.document.at(self.lines[n])}: {error}") from None
        for left, wrong in (
            (self.opened, "'({0}' opens a mention that is not closed; expected '{0})'"),
            (self.waiting, "a mention with gaps has no part '({0}'; expected one"),
        ):
            for name in [name for name, mentions in left.items() if mentions]:
                raise CorefError(
                    f"{self.document.at(left[name][-1].line)}: {wrong.format(name)} before its "
                    f"sentence ends in line {self.lines[-1]}"
                )

    def _read(self, n: int, bracket: str) -> None:
        if self.fields is None:
            raise CorefError(f"no line above says what is in Entity=; expected one like '{LIKE}'")
        opens, given = bracket[0] == "(", bracket.strip("()").split("-")
        at = self.fields.eid if opens or len(given) > 1 else 0  # old files close with all fields
        name = given[at] if at < len(given) else ""
        eid, part, parts = _part(name)
        if opens:
            head = given[self.fields.head] if self.fields.head < len(given) else ""
            mention = self._begin(n, name, head)
        elif self.opened.get(name):
            mention = self.opened[name].pop()
        else:
            raise CorefError(
                f"{bracket!r} closes a mention of entity {eid!r}, which is not open; expected "
                f"'({name}' in this line or above it in the sentence"
            )
        if bracket[-1] != ")":
            self.opened.setdefault(name, []).append(mention)
            return
        nodes = mention.before + self.ids[mention.start : n + 1]
        if part == parts:
            self.document.entities[eid].append(self._mention(eid, nodes, mention))
        else:
            waiting = self.waiting.setdefault(f"{eid}[{part + 1}/{parts}]", [])
            waiting.append(mention._replace(start=n + 1, before=nodes))

    def _begin(self, n: int, name: str, head: str) -> Opened:
        eid, part, parts = _part(name)
        if part == 1:
            self.document.entities.setdefault(eid, [])  # takes its place among the entities
            return Opened(self.lines[n], n, head)
        waiting = self.waiting.get(name)
        if not waiting or waiting[-1].start > n:
            raise CorefError(
                f"'({name}' goes on with a mention of which no part [{part - 1}/{parts}] has ended"
            )
        earlier = waiting.pop()
        return earlier._replace(start=n, head=head or earlier.head)

    def _mention(self, eid: str, nodes: tuple[str, ...], mention: Opened) -> Mention:
        given = mention.head or "1"
        place = int(given) if re.fullmatch("[0-9]{1,6}", given) else 0
        if not 0 < place <= len(nodes):
            raise CorefError(
                f"the mention of entity {eid!r} that begins in line {mention.line} and ends here "
                f"has the head {given!r}; expected the place of one of its {len(nodes)} nodes"
            )
        head = nodes[place - 1]
        deps = self.rows[self.ids.index(head)].split("\t")[8] if "." in head else "_"
        line = self.document.at(mention.line)
        return Mention(self.document.sentences, line, nodes, head, "" if deps == "_" else deps)


def _part(name: str) -> tuple[str, int, int]:
    """An entity, a part of its mention, and how many it has.

    >>> _part("e1"), _part("e1[2/3]")
    (('e1', 1, 1), ('e1', 2, 3))
    """
    found = PART.fullmatch(name)
    if not found or int(found[2] or 1) > int(found[3] or 1):
        raise CorefError(
            f"a bracket has the entity id {name!r}; expected one like 'e1', or 'e1[1/2]' for the "
            "first part of two"
        )
    return found[1], int(found[2] or 1), int(found[3] or 1)


# A key and a response side by side


def _check_same_words(key: Document, response: Document) -> None:
    """Refuse other numbers of words or sentences; warn of other words. Let the words go."""
    if key.words != response.words:
        sides = list(zip_longest(key.words, response.words))
        n = next(n for n, (ours, theirs) in enumerate(sides) if ours != theirs)
        difference = f"{key.at(key.begin)}: {_word(key, n)}, but {_word(response, n)}"
        if any((ours == END) != (theirs == END) for ours, theirs in sides):
            raise CorefError(f"{difference}; expected the same words in the same sentences")
        warn(f"{difference}; scored by position all the same")
    key.words = response.words = []
    key.lines = response.lines = []


def _word(document: Document, n: int) -> str:
    """A word and its place."""
    if n == len(document.words):
        return f"no more words in {document.path}"
    word = document.words[n]
    shown = "the end of a sentence" if word == END else shortened(word)
    return f"{shown} in {document.path}, line {document.lines[n]}"


def _warn_of_split_entities(documents: dict[str, Document]) -> None:
    """Warn of ids in several documents if they are to hold in the whole file."""
    holder: dict[str, Document] = {}
    split = [
        (eid, document)
        for document in documents.values()
        for eid in document.entities
        if not document.own_ids and holder.setdefault(eid, document) is not document
    ]
    for eid, document in split[:1]:
        more = f" ({len(split) - 1} more ids are like that)" if split[1:] else ""
        warn(
            f"{document.at(document.begin)} has entity {eid!r}, and so has document "
            f"{holder[eid].name!r}{more}; it is scored in each document by itself"
        )


def _entities(document: Document | None, choice: Conventions) -> dict[str, list[Mention]]:
    """The entities to be matched; the same mention is the same object wherever it is given."""
    one: dict[tuple[object, ...], Mention] = {}
    entities = {
        eid: [one.setdefault(identity(mention, choice.match), mention) for mention in mentions]
        for eid, mentions in (document.entities if document else {}).items()
    }
    if choice.repeated == "error" and len(one) < sum(map(len, entities.values())):
        refuse_repeated(entities, lambda mention: mention.place)
    if choice.singletons != "drop":
        return entities
    return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}
