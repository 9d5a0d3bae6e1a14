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
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, takewhile, zip_longest
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, named, shortened
from corefeval.matching import IDENTITY, Mention, match
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
STARTS = [f"{number}\t" for number in NUMBERS]
LIKE = "# global.Entity = eid-etype-head-other"


class Document:
    """A document as it stands in a file."""

    def __init__(self, path: StrPath, name: str, begin: int) -> None:
        self.file = str(path)
        self.name = name
        self.begin = begin
        """Its first line, counted from 1."""
        self.sentences = 0
        self.words: list[str] = []
        """The token line of each word, and an empty one at the end of each sentence."""
        self.lines: list[int] = []
        """Their numbers in the file."""
        self.entities: dict[str, list[Mention]] = {}
        """The mentions of each entity; the entities in the order in which they begin."""
        self.own_ids = False
        """Whether the ids of its entities hold in this document only."""

    def at(self, line: int) -> str:
        """A place, for a message."""
        return f"{self.file}, line {line}: document {self.name!r}"


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
        found = {eid: [key_of.get(each, each) for each in theirs[eid]] for eid in theirs}
        if name in key:
            sides[0][name] = entities_of(ours, choice.repeated, _where(key[name], ours, {}))
        if name in response:
            where = _where(response[name], theirs, key_of)
            sides[1][name] = entities_of(found, choice.repeated, where)
    return sides


def _where(
    document: Document, entities: Mapping[str, list[Mention]], key_of: Mapping[Mention, Mention]
) -> Callable[[Mention], str]:
    """Where a document has the mention that a score calls so."""

    def where(mention: Mention) -> str:
        mentions = chain(*entities.values())
        return document.at(next(m.line for m in mentions if key_of.get(m, m) == mention))

    return where


# From a path to documents


def _documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file; one without an id is called by its number."""
    document: Document | None = None
    fields: Fields | None = None
    begins: dict[str, int] = {}
    for comments, lines, rows in _sentences(path):
        newdocs = [(n, found[1].strip()) for n, text in comments if (found := NEWDOC.match(text))]
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
        after = 0
        # Only lines that do not begin with a digit are looked at; the last is none of the file.
        for here in [n for n, line in enumerate(lines) if not "0" <= line < ":"]:
            rows += lines[after:here]
            numbers += range(first + after, first + here)
            after = here + 1
            line = lines[here].lstrip("\ufeff")
            if line.startswith("#"):
                if "newdoc" in line or "global" in line:  # no other matters
                    comments.append((first + here, line))
            elif line.strip():
                rows.append(line)
                numbers.append(first + here)
            elif rows and after < len(lines):
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
    ids, empty = _nodes(document, lines, rows)
    document.sentences += 1
    document.own_ids = fields is not None and fields.own_ids
    if marked := [n for n, row in enumerate(rows) if "Entity=" in row]:
        _Sentence(document, lines, rows, tuple(ids), {}, {}).read(marked, fields)
    for n in reversed(empty):
        del lines[n], rows[n]
    document.words += rows
    document.words.append("")
    document.lines += lines
    document.lines.append(lines[-1] + 1 if lines else document.begin)


def _nodes(document: Document, lines: list[int], rows: list[str]) -> tuple[list[str], list[int]]:
    """The ids of the nodes, and which are empty ones; drops the rows of multiword tokens."""
    numbers, starts = NUMBERS, STARTS
    if len(rows) > len(numbers):
        numbers = [str(n + 1) for n in range(len(rows))]
        starts = [f"{number}\t" for number in numbers]
    ids: list[str] = []
    empty: list[int] = []
    word, last = 0, (0, 0)
    while True:
        # Words that follow one another, at once.
        begins = map(str.startswith, rows[len(ids) :], starts[word : word + len(rows)])
        run = sum(takewhile(bool, begins))
        ids += numbers[word : word + run]
        word, n = word + run, len(ids)
        if n == len(rows):
            return ids, empty
        given = rows[n].partition("\t")[0]
        if (
            (found := EMPTY.fullmatch(given))
            and found[1] == str(word)
            and (word, int(found[2])) > last
        ):
            last = word, int(found[2])
            ids.append(given)
            empty.append(n)
        elif not (found := MULTIWORD.fullmatch(given)) or found[1] != str(word + 1):
            with named(document.at(lines[n])):
                _misc(rows[n])
                raise CorefError(
                    f"the id {shortened(given)} is out of order; expected {word + 1}, an empty "
                    f"node like {word}.1, a multiword token like {word + 1}-{word + 2}, or an "
                    "empty line before the next sentence"
                )
        elif "Entity=" in rows[n].rpartition("\t")[2]:
            raise CorefError(
                f"{document.at(lines[n])}: Entity= in the line of the multiword token {given}; "
                "expected it in the lines of its words"
            )
        else:
            del lines[n], rows[n]


def _misc(row: str) -> str:
    """The last of ten columns."""
    if row.count("\t") != 9:
        columns = row.split("\t")
        raise CorefError(
            f"expected a token line of ten columns apart by tabs, got {len(columns)}: "
            f"{shortened(' '.join(columns))}"
        )
    return row.rpartition("\t")[2]


class Bracket(NamedTuple):
    """What a bracket says."""

    name: str
    """The id of the entity and the part, as they stand in it."""
    eid: str
    part: int
    parts: int
    """How many parts the mention has."""
    head: str
    opens: bool
    closes: bool


@lru_cache(maxsize=1 << 16)  # the same comes again, above all what ends
def _brackets(misc: str, fields: Fields | None) -> tuple[Bracket, ...]:
    """Those of a column MISC, in their order.

    >>> _brackets("SpaceAfter=No|Entity=e1)(e2[1/2]-person-4-", Fields(0, 2, False))
    (Bracket(name='e1', eid='e1', part=1, parts=1, head='', opens=False, closes=True), \
Bracket(name='e2[1/2]', eid='e2', part=1, parts=2, head='4', opens=True, closes=False))
    """
    values = [each[7:] for each in misc.split("|") if each.startswith("Entity=")]
    texts = BRACKET.findall(values[0]) if values else []
    if "".join(texts) != "|".join(values):
        raise CorefError(
            f"Entity={shortened('|'.join(values))} is no run of brackets like '(e1-person-2-', "
            "'e1)' or '(e1-person-1-)'; expected nothing else, and that once"
        )
    if texts and fields is None:
        raise CorefError(f"no line above says what is in Entity=; expected one like '{LIKE}'")
    return tuple([_bracket(text, fields) for text in texts if fields])


def _bracket(text: str, fields: Fields) -> Bracket:
    opens, given = text[0] == "(", text.strip("()").split("-")
    at = fields.eid if opens or len(given) > 1 else 0  # in old files all fields close, too
    name = given[at] if at < len(given) else ""
    head = given[fields.head] if opens and fields.head < len(given) else ""
    found = PART.fullmatch(name)
    part, parts = (int(found[2] or 1), int(found[3] or 1)) if found else (1, 0)
    if not found or part > parts:
        raise CorefError(
            f"a bracket has the entity id {name!r}; expected one like 'e1', or 'e1[1/2]' for the "
            "first part of two"
        )
    return Bracket(name, found[1], part, parts, head, opens, text[-1] == ")")


class Opened(NamedTuple):
    """A mention, or a part of one, that has begun."""

    line: int
    start: int
    """The number of its first node in the sentence; where it waits, of the first it may have."""
    head: str
    before: tuple[str, ...] = ()
    """The nodes of its earlier parts."""


class _Sentence(NamedTuple):
    """The nodes of a sentence, and the mentions that are open in it."""

    document: Document
    lines: list[int]
    rows: list[str]
    ids: tuple[str, ...]
    opened: dict[str, list[Opened]]
    """Mentions and parts that are open, by id and part as they stand in a bracket."""
    waiting: dict[str, list[Opened]]
    """Mentions with gaps, by id and next part."""

    def read(self, marked: list[int], fields: Fields | None) -> None:
        """Read the brackets of the nodes of these numbers."""
        entities, lines, ids = self.document.entities, self.lines, self.ids
        for n in marked:
            try:
                for bracket in _brackets(_misc(self.rows[n]), fields):
                    name, eid, part, parts, head, opens, closes = bracket
                    if opens and part == 1:
                        if eid not in entities:
                            entities[eid] = []  # its place among the entities
                        if closes and parts == 1:
                            mention = self._mention(eid, lines[n], head or "1", ids[n : n + 1])
                            entities[eid].append(mention)
                            continue
                        opened = Opened(lines[n], n, head)
                    else:
                        opened = self._gone_on(n, bracket) if opens else self._opened(bracket)
                    if not closes:
                        self.opened.setdefault(name, []).append(opened)
                        continue
                    line, start, head, before = opened
                    nodes = before + ids[start : n + 1]
                    if part == parts:
                        entities[eid].append(self._mention(eid, line, head or "1", nodes))
                    else:
                        later = Opened(line, n + 1, head, nodes)
                        self.waiting.setdefault(f"{eid}[{part + 1}/{parts}]", []).append(later)
            except CorefError as error:
                raise CorefError(f"{self.document.at(lines[n])}: {error}") from None
        for left, wrong in (
            (self.opened, "'({0}' opens a mention that is not closed; expected '{0})'"),
            (self.waiting, "a mention with gaps has no part '({0}'; expected one"),
        ):
            for name in [name for name, mentions in left.items() if mentions]:
                raise CorefError(
                    f"{self.document.at(left[name][-1].line)}: {wrong.format(name)} before its "
                    f"sentence ends in line {lines[-1]}"
                )

    def _opened(self, bracket: Bracket) -> Opened:
        """The mention that a bracket closes."""
        if opened := self.opened.get(bracket.name):
            return opened.pop()
        raise CorefError(
            f"'{bracket.name})' closes a mention of entity {bracket.eid!r}, which is not open; "
            f"expected '({bracket.name}' in this line or above it in the sentence"
        )

    def _gone_on(self, n: int, bracket: Bracket) -> Opened:
        """The mention that a later part goes on with."""
        waiting = self.waiting.get(bracket.name)
        if not waiting or waiting[-1].start > n:
            raise CorefError(
                f"'({bracket.name}' goes on with a mention of which no part "
                f"[{bracket.part - 1}/{bracket.parts}] has ended"
            )
        earlier = waiting.pop()
        return earlier._replace(start=n, head=bracket.head or earlier.head)

    def _mention(self, eid: str, line: int, place: str, nodes: tuple[str, ...]) -> Mention:
        if place != "1" and not (
            place.isascii() and place.isdigit() and 0 < int(place[:9]) <= len(nodes)
        ):
            raise CorefError(
                f"the mention of entity {eid!r} that begins in line {line} and ends here has the "
                f"head {place!r}; expected the place of one of its {len(nodes)} nodes"
            )
        document, head, deps = self.document, nodes[int(place) - 1], ""
        if "." in head:
            row = self.rows[self.ids.index(head)]
            deps = row.split("\t")[8] if _misc(row) else ""
        return Mention(
            document.sentences, line, nodes, head, "" if deps == "_" else deps, document.file
        )


# A key and a response side by side


def _check_same_words(key: Document, response: Document) -> None:
    """Refuse other numbers of words or sentences; warn of other words. Let the words go."""
    sides = zip_longest(key.words, response.words)
    differing = [  # most lines are the same on both sides
        (n, ours, theirs)
        for n, (ours, theirs) in enumerate(sides)
        if ours != theirs and _word(ours) != _word(theirs)
    ]
    for n, ours, theirs in differing[:1]:
        difference = (
            f"{key.at(key.begin)}: {_shown(ours)} in {_place(key, n)}, but {_shown(theirs)} in "
            f"{_place(response, n)}"
        )
        if not all(ours and theirs for _, ours, theirs in differing):
            raise CorefError(f"{difference}; expected the same words in the same sentences")
        warn(f"{difference}; scored by position all the same")
    key.words = response.words = []
    key.lines = response.lines = []


def _word(row: str | None) -> str | None:
    return row.split("\t", 2)[1] if row else row


def _shown(row: str | None) -> str:
    if row is None:
        return "no more words"
    return shortened(_word(row)) if row else "the end of a sentence"


def _place(document: Document, n: int) -> str:
    return f"{document.file}" + (f", line {document.lines[n]}" if n < len(document.lines) else "")


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
    if document is None:
        return {}
    entities = document.entities
    identity = IDENTITY[choice.match]
    one: dict[Any, Mention] = {}
    for mention in chain(*entities.values()):
        one.setdefault(identity(mention), mention)
    if len(one) < sum(map(len, entities.values())):
        entities = {eid: [one[identity(each)] for each in entities[eid]] for eid in entities}
        if choice.repeated == "error":
            refuse_repeated(entities, lambda mention: document.at(mention.line))
    if choice.singletons != "drop":
        return entities
    return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}
