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
import warnings
from collections.abc import Iterator
from itertools import repeat, zip_longest
from typing import NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, shortened
from corefeval.matching import Mention, identity, match
from corefeval.readers.files import (
    Entities,
    StrPath,
    blocks,
    check_same_documents,
    entities_of,
    refuse_repeated,
    side_by_side,
)

NEWDOC = re.compile(r"#\s*newdoc(?!\w)\s*(?:id\b)?\s*=?\s*(.*)")
HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)")
BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")
PART = re.compile(r"([^\s=\[\]]+)(?:\[([1-9][0-9]{0,3})/([1-9][0-9]{0,3})\])?")
EMPTY = re.compile(r"([0-9]+)\.([1-9][0-9]{0,3})")
MULTIWORD = re.compile(r"([0-9]+)-[0-9]+")

HEADER_LIKE = "'# global.Entity = eid-etype-head-other'"
NUMBERS = [str(number) for number in range(1, 1001)]

END = "\n"
"""What ends a sentence; no word has it."""

Name = tuple[object, ...]
"""What a mention is called in a score: its sentence, nodes and head."""


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

    With ``choice.singletons == "drop"`` entities of one mention go before mentions are matched.
    A mention is (sentence, nodes, head), a matched one of the response that of the key.

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
    key_side: dict[str, Entities] = {}
    response_side: dict[str, Entities] = {}
    for name in key | response:
        listed = _listed(key.get(name), choice), _listed(response.get(name), choice)
        ours, theirs = _matched(*listed, choice.match)
        if name in key:
            key_side[name] = entities_of(ours, choice.repeated, str)
        if name in response:
            response_side[name] = entities_of(theirs, choice.repeated, str)
    return key_side, response_side


# From a path to documents


def _documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file."""
    document: Document | None = None
    header: Header | None = None
    begins: dict[str, int] = {}
    for comments, lines, rows in _sentences(path):
        for line, comment in comments:
            if found := HEADER.match(comment):
                header = _header(f"{path}, line {line}", found[1])
            elif found := NEWDOC.match(comment):
                if rows and lines[0] < line:
                    raise CorefError(
                        f"{path}, line {line}: a document begins within a sentence; expected an "
                        "empty line before it"
                    )
                if document is not None:
                    yield document
                document = _begun(path, found[1].strip(), line, begins)
        if rows:
            document = document or _begun(path, "", lines[0], begins)
            _add_sentence(document, header, lines, rows)
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
        lines.pop()  # no line of the file
        after = 0
        # Only lines that do not begin with a digit are looked at one by one.
        for here in [i for i, line in enumerate(lines) if not "0" <= line < ":"]:
            rows += lines[after:here]
            numbers += range(first + after, first + here)
            after = here + 1
            line = lines[here].lstrip("\ufeff")
            if line.startswith("#"):
                comments.append((first + here, line))
            elif line.strip():
                rows.append(line)
                numbers.append(first + here)
            elif rows:
                yield comments, numbers, rows
                comments, numbers, rows = [], [], []
        rows += lines[after:]
        numbers += range(first + after, first + len(lines))
    yield comments, numbers, rows


def _begun(path: StrPath, name: str, line: int, begins: dict[str, int]) -> Document:
    """A document; its name is its number if it has none."""
    name = name or str(len(begins) + 1)
    if begins.setdefault(name, line) != line:
        raise CorefError(
            f"{path}, line {line}: document {name!r} begins here and in line {begins[name]}; "
            "expected each once"
        )
    return Document(path, name, line)


class Header(NamedTuple):
    """What ``# global.Entity`` says of the fields of a bracket."""

    id_field: str
    id_at: int
    head_at: int
    """Beyond any field if there are no heads."""


def _header(where: str, text: str) -> Header:
    """
    >>> _header("key.conllu, line 1", "eid-etype-head-other")
    Header(id_field='eid', id_at=0, head_at=2)
    """
    fields = text.split("-")
    for name in ("eid", "GRP"):
        if name in fields:
            head_at = fields.index("head") if "head" in fields else len(text)
            return Header(name, fields.index(name), head_at)
    raise CorefError(
        f"{where}: '# global.Entity = {text}' has no field 'eid' or 'GRP'; expected the fields "
        f"of Entity=, as in {HEADER_LIKE}"
    )


def _add_sentence(
    document: Document, header: Header | None, lines: list[int], rows: list[str]
) -> None:
    if set(map(str.count, rows, repeat("\t"))) != {9}:
        n = next(n for n, row in enumerate(rows) if row.count("\t") != 9)
        raise CorefError(
            f"{document.at(lines[n])}: expected a token line of ten columns apart by tabs, got "
            f"{shortened(rows[n])}"
        )
    starts = [row.split("\t", 2) for row in rows]
    ids = [start[0] for start in starts]
    words = [start[1] for start in starts]
    at = lines
    if ids != NUMBERS[: len(ids)]:  # most sentences have words only
        nodes = _nodes(document, lines, rows, ids)
        words = [words[n] for n in nodes if "." not in ids[n]]
        at = [lines[n] for n in nodes if "." not in ids[n]]
        lines, rows = [lines[n] for n in nodes], [rows[n] for n in nodes]
        ids = [ids[n] for n in nodes]
    document.own_ids = header is not None and header.id_field == "GRP"
    document.sentences += 1
    document.words += [*words, END]
    document.lines += [*at, lines[-1] + 1]
    if marked := [n for n, row in enumerate(rows) if "Entity=" in row]:
        _Brackets(document, header, lines, rows, tuple(ids), {}, {}).read(marked)


def _nodes(document: Document, lines: list[int], rows: list[str], ids: list[str]) -> list[int]:
    """The numbers of the rows that hold words and empty nodes."""
    nodes: list[int] = []
    word = empty = 0
    for n, given in enumerate(ids):
        if given == str(word + 1):
            word, empty = word + 1, 0
        elif (found := EMPTY.fullmatch(given)) and found[1] == str(word) and int(found[2]) > empty:
            empty = int(found[2])
        elif (found := MULTIWORD.fullmatch(given)) and found[1] == str(word + 1):
            if "Entity=" not in rows[n].rpartition("\t")[2]:
                continue
            raise CorefError(
                f"{document.at(lines[n])}: Entity= on the line {given} of a multiword token; "
                "expected it on the lines of its words"
            )
        else:
            raise CorefError(
                f"{document.at(lines[n])}: the id {shortened(given)} is out of order; expected "
                f"{word + 1}, an empty node like {word}.{empty + 1}, a multiword token like "
                f"{word + 1}-{word + 2}, or an empty line before the next sentence"
            )
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
    header: Header | None
    lines: list[int]
    rows: list[str]
    ids: tuple[str, ...]
    opened: dict[str, list[Opened]]
    """Mentions and parts that are open, by what stands in the place of their id."""
    waiting: dict[str, list[Opened]]
    """Mentions with gaps, by what stands there in their next part."""

    def read(self, marked: list[int]) -> None:
        """Read those of the nodes of these numbers."""
        for n in marked:
            try:
                self._read_node(n)
            except CorefError as error:
                raise CorefError(f"{self.document.at(self.lines[n])}: {error}") from None
        for left, wrong in (
            (self.opened, "'({0}' opens a mention that is not closed; expected '{0})'"),
            (self.waiting, "a mention with gaps has no part '({0}'; expected one"),
        ):
            for name, mentions in left.items():
                if mentions:
                    raise CorefError(
                        f"{self.document.at(mentions[-1].line)}: {wrong.format(name)} before the "
                        f"end of its sentence in line {self.lines[-1]}"
                    )

    def _read_node(self, n: int) -> None:
        misc = self.rows[n].rpartition("\t")[2].split("|")
        given = [each[7:] for each in misc if each.startswith("Entity=")]
        brackets = BRACKET.findall(given[0]) if given else []
        if len("".join(brackets)) != len("".join(given)):
            raise CorefError(
                f"Entity={shortened('|Entity='.join(given))} is no run of brackets; expected one "
                "with brackets like '(e1-person-2-', 'e1)' or '(e1-person-1-)'"
            )
        if self.header is None and brackets:
            raise CorefError(f"Entity=, but no line above says what is in it, like {HEADER_LIKE}")
        for bracket in brackets:
            self._read(n, bracket, self.header)  # type: ignore[arg-type]

    def _read(self, n: int, bracket: str, header: Header) -> None:
        fields = bracket.strip("()").split("-")
        if bracket[0] != "(":  # an id, or in old files all the fields
            name = fields[min(header.id_at, len(fields) - 1)]
            if not self.opened.get(name):
                raise CorefError(
                    f"{bracket!r} closes a mention of entity {name!r}, which is not open; "
                    f"expected '({name}' in this line or above it in the sentence"
                )
            self._end(n, name, self.opened[name].pop())
            return
        name = fields[header.id_at] if len(fields) > header.id_at else ""
        head = fields[header.head_at] if len(fields) > header.head_at else ""
        mention = self._begin(n, name, head)
        if bracket[-1] == ")":
            self._end(n, name, mention)
        else:
            self.opened.setdefault(name, []).append(mention)

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

    def _end(self, n: int, name: str, mention: Opened) -> None:
        eid, part, parts = _part(name)
        nodes = mention.before + self.ids[mention.start : n + 1]
        if part < parts:
            waiting = self.waiting.setdefault(f"{eid}[{part + 1}/{parts}]", [])
            waiting.append(mention._replace(start=n + 1, before=nodes))
            return
        given = mention.head or "1"
        place = int(given) if re.fullmatch("[0-9]{1,6}", given) else 0
        if not 0 < place <= len(nodes):
            raise CorefError(
                f"the mention of entity {eid!r} that begins in line {mention.line} and ends here "
                f"has the head {given!r}; expected the place of one of its {len(nodes)} nodes"
            )
        head = nodes[place - 1]
        deps = self.rows[self.ids.index(head)].split("\t")[8] if "." in head else "_"
        sentence = self.document.sentences
        found = Mention(mention.line, sentence, nodes, head, "" if deps == "_" else deps)
        self.document.entities[eid].append(found)


def _part(name: str) -> tuple[str, int, int]:
    """An entity, a part of its mention, and how many it has.

    >>> _part("e1"), _part("e1[2/3]")
    (('e1', 1, 1), ('e1', 2, 3))
    """
    found = PART.fullmatch(name)
    part, parts = (int(found[2] or 1), int(found[3] or 1)) if found else (1, 0)
    if not found or part > parts:
        raise CorefError(
            f"a bracket has the entity id {name!r}; expected one like 'e1', or 'e1[1/2]' for the "
            "first part of two"
        )
    return found[1], part, parts


# A key and a response side by side


def _check_same_words(key: Document, response: Document) -> None:
    """Refuse other numbers of words or sentences; warn of other words. Let the words go."""
    if key.words != response.words:
        sides = list(zip_longest(key.words, response.words))
        n = next(n for n, (ours, theirs) in enumerate(sides) if ours != theirs)
        difference = f"{key.at(key.begin)}: {_word(key, n)}, but {_word(response, n)}"
        if any((ours == END) != (theirs == END) for ours, theirs in sides):
            raise CorefError(f"{difference}; expected the same words in the same sentences")
        warnings.warn(f"{difference}; scored by position all the same", stacklevel=6)
    key.words = response.words = []
    key.lines = response.lines = []


def _word(document: Document, n: int) -> str:
    if n == len(document.words):
        return f"the end of the document in {document.path}"
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
        more = f", and {len(split) - 1} more such ids" if split[1:] else ""
        warnings.warn(
            f"{document.at(document.begin)} has entity {eid!r}, and so has document "
            f"{holder[eid].name!r}{more}; it is scored in each document by itself",
            stacklevel=3,
        )


def _listed(document: Document | None, choice: Conventions) -> dict[str, list[Mention]]:
    """The entities to be matched; the same mention is the same object wherever it is given."""
    if document is None:
        return {}
    one: dict[Name, Mention] = {}
    entities = {
        eid: [one.setdefault(identity(mention, choice.match), mention) for mention in mentions]
        for eid, mentions in document.entities.items()
    }
    if choice.repeated == "error" and len(one) < sum(map(len, entities.values())):
        refuse_repeated(entities, lambda mention: document.at(mention.line))
    if choice.singletons == "drop":
        return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}
    return entities


Named = dict[str, list[Name]]


def _matched(
    key: dict[str, list[Mention]], response: dict[str, list[Mention]], how: str
) -> tuple[Named, Named]:
    """Both sides by the names of their mentions."""
    key_mentions, response_mentions = (
        dict.fromkeys(mention for entity in side.values() for mention in entity)
        for side in (key, response)
    )
    key_of = match(key_mentions, response_mentions, how)
    taken = {mention[1:4] for mention in key_mentions}
    name_of: dict[Mention, Name] = {}
    for mention in response_mentions:
        name = key_of.get(mention, mention)[1:4]
        # A twinless mention may be where a mention of the key is that has another match.
        twinless = mention not in key_of and name in taken
        name_of[mention] = ("response", *name) if twinless else name
    return (
        {eid: [mention[1:4] for mention in entity] for eid, entity in key.items()},
        {eid: [name_of[mention] for mention in entity] for eid, entity in response.items()},
    )
