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
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, zip_longest
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
NO_WORD = re.compile(r"([0-9]+)(?:\.([1-9][0-9]{0,3})|-[0-9]+)")
PLACE = re.compile("[0-9]{1,9}")

NUMBERS = tuple(map(str, range(1, 1001)))
STARTS = [f"{number}\t" for number in NUMBERS]
LIKE = "expected a line like '# global.Entity = eid-etype-head-other'"


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
        ours, theirs = (_entities(side.get(name), choice) for side in (key, response))
        key_of = match(chain(*ours.values()), chain(*theirs.values()), choice.match)
        found = {eid: [key_of.get(each, each) for each in theirs[eid]] for eid in theirs}
        if name in key:
            sides[0][name] = entities_of(ours, choice.repeated, partial(key[name].where, {}))
        if name in response:
            where = partial(response[name].where, key_of)
            sides[1][name] = entities_of(found, choice.repeated, where)
    return sides


class Bracket(NamedTuple):
    """What a bracket says."""

    eid: str
    head: str
    opens: bool
    closes: bool
    awaited: str
    """What goes on with a mention, like ``e1)`` or ``(e1[2/2]``; nothing where one begins."""
    awaits: str
    """What has to go on with the mention; nothing where it ends."""


class Opened(NamedTuple):
    """A mention that has begun."""

    line: int
    start: int
    """The number of its part's first node; between two parts, of the first that may follow."""
    head: str
    nodes: tuple[str, ...]
    """Those of its earlier parts."""


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

    def where(self, key_of: Mapping[Mention, Mention], mention: Mention) -> str:
        """The place of a mention, or of the one that is matched with it as the key's."""
        return self.at(next((r.line for r, k in key_of.items() if k == mention), mention.line))


# From a path to documents


def _documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file; one without an id is called by its number."""
    document: Document | None = None
    fields: tuple[str, ...] = ()
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
                fields = tuple(given[1].split("-"))
                if not {"eid", "GRP"}.intersection(fields):
                    raise CorefError(
                        f"{path}, line {line}: '# global.Entity = {given[1]}' has no field 'eid' "
                        f"or 'GRP'; {LIKE}"
                    )
        if document and rows:
            Sentence(document, lines, rows).read(fields)
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


class Sentence:
    """A sentence that is read into its document."""

    def __init__(self, document: Document, lines: list[int], rows: list[str]) -> None:
        self.document = document
        self.rows = rows
        """Its token lines, soon those of its nodes alone."""
        self.lines = lines
        """Their numbers in the file."""
        self.ids: tuple[str, ...] = NUMBERS[: len(rows)]
        """Of the nodes."""

    def read(self, fields: tuple[str, ...]) -> None:
        document, lines, rows = self.document, self.lines, self.rows
        document.sentences += 1
        document.own_ids = bool(fields) and "eid" not in fields
        only_words = len(rows) <= len(STARTS) and all(map(str.startswith, rows, STARTS))
        empty = [] if only_words else self._nodes()
        if marked := [n for n, row in enumerate(rows) if "Entity=" in row]:
            self._mentions(marked, fields)
        for n in reversed(empty):
            del lines[n], rows[n]
        document.words += rows
        document.words.append("")
        document.lines += lines
        document.lines.append(lines[-1] + 1 if lines else document.begin)

    def _nodes(self) -> list[int]:
        """Find the nodes, drop the rows of multiword tokens; which nodes are empty ones."""
        count = len(self.rows)
        starts = STARTS if count < len(STARTS) else [f"{n + 1}\t" for n in range(count)]
        ids: list[str] = []
        empty: list[int] = []
        multiword: list[int] = []
        word = last = 0  # the last word, and the last empty node after it
        for n, row in enumerate(self.rows):
            if row.startswith(starts[word]):
                ids.append(starts[word][:-1])
                word, last = word + 1, 0
                continue
            given = row.partition("\t")[0]
            found = NO_WORD.fullmatch(given)
            number, after = found.groups() if found else ("", "")
            if after and number == str(word) and int(after) > last:
                last = int(after)
                empty.append(len(ids))
                ids.append(given)
            elif after or number != str(word + 1):
                with named(self.document.at(self.lines[n])):
                    _misc(row)
                    raise CorefError(
                        f"the id {shortened(given)} is out of order; expected {word + 1}, an empty "
                        f"node like {word}.1, a multiword token like {word + 1}-{word + 2}, or an "
                        "empty line before the next sentence"
                    )
            elif "Entity=" in row.rpartition("\t")[2]:
                raise CorefError(
                    f"{self.document.at(self.lines[n])}: Entity= in the line of the multiword "
                    f"token {given}; expected it in the lines of its words"
                )
            else:
                multiword.append(n)
        for n in reversed(multiword):
            del self.lines[n], self.rows[n]
        self.ids = tuple(ids)
        return empty

    def _mentions(self, marked: list[int], fields: tuple[str, ...]) -> None:
        """Read the brackets of the nodes of these numbers."""
        entities, lines, rows, ids = self.document.entities, self.lines, self.rows, self.ids
        opened: dict[str, list[Opened]] = {}  # by what they await
        for n in marked:
            try:
                for eid, head, opens, closes, awaited, awaits in _brackets(_misc(rows[n]), fields):
                    line, start, nodes = lines[n], n, ids[:0]
                    if not awaited:
                        entities.setdefault(eid, [])  # its place among the entities
                    elif (waiting := opened.get(awaited)) and waiting[-1].start <= n:
                        line, begun, given, nodes = waiting.pop()
                        start, head = n if opens else begun, head or given
                    else:
                        raise CorefError(
                            f"'{awaited}' goes on with a mention of entity {eid!r}, which is not "
                            "open; expected its beginning earlier in the sentence"
                        )
                    if closes:
                        nodes += ids[start : n + 1]
                        start = n + 1
                    if awaits:
                        opened.setdefault(awaits, []).append(Opened(line, start, head, nodes))
                    else:
                        entities[eid].append(self._mention(eid, line, head or "1", nodes))
            except CorefError as error:
                raise CorefError(f"{self.document.at(lines[n])}: {error}") from None
        for awaits in [each for each in opened if opened[each]]:
            raise CorefError(
                f"{self.document.at(opened[awaits][-1].line)}: a mention begins that does not end; "
                f"expected '{awaits}' before its sentence ends in line {lines[-1]}"
            )

    def _mention(self, eid: str, line: int, place: str, nodes: tuple[str, ...]) -> Mention:
        if place != "1" and not (PLACE.fullmatch(place) and 0 < int(place) <= len(nodes)):
            raise CorefError(
                f"the mention of entity {eid!r} that begins in line {line} and ends here has the "
                f"head {place!r}; expected the place of one of its {len(nodes)} nodes"
            )
        head, deps = nodes[int(place) - 1], "_"
        if "." in head and _misc(row := self.rows[self.ids.index(head)]):
            deps = row.split("\t")[8]
        deps = "" if deps == "_" else deps
        return Mention(self.document.sentences, line, nodes, head, deps, self.document.file)


def _misc(row: str) -> str:
    """The last of ten columns."""
    if row.count("\t") != 9:
        columns = row.split("\t")
        raise CorefError(
            f"expected a token line of ten columns apart by tabs, got {len(columns)}: "
            f"{shortened(' '.join(columns))}"
        )
    return row.rpartition("\t")[2]


@lru_cache(maxsize=1 << 11)  # the same comes again soon; to keep more takes longer
def _brackets(misc: str, fields: tuple[str, ...]) -> tuple[Bracket, ...]:
    """Those of a column MISC, in their order.

    >>> _brackets("SpaceAfter=No|Entity=e1)", ("eid", "etype", "head"))
    (Bracket(eid='e1', head='', opens=False, closes=True, awaited='e1)', awaits=''),)
    """
    values = [each[7:] for each in misc.split("|") if each.startswith("Entity=")]
    texts = BRACKET.findall(values[0]) if values else []
    if "".join(texts) != "|".join(values):
        raise CorefError(
            f"Entity={shortened('|'.join(values))} is no run of brackets like '(e1-person-2-', "
            "'e1)' or '(e1-person-1-)'; expected nothing else, and that once"
        )
    if texts and not fields:
        raise CorefError(f"no line above says what is in Entity=; {LIKE}")
    return tuple([_bracket(text, fields) for text in texts])


def _bracket(text: str, fields: tuple[str, ...]) -> Bracket:
    opens, closes, values = text[0] == "(", text[-1] == ")", text.strip("()").split("-")
    given = dict(zip(fields, values, strict=False))
    name, head = given.get("eid" if "eid" in fields else "GRP", ""), given.get("head", "")
    if not opens:  # in old files all fields close, too
        name, head = name if values[1:] else values[0], ""
    eid, part, parts = found.groups("1") if (found := PART.fullmatch(name)) else ("", "1", "0")
    if int(part) > int(parts):
        raise CorefError(
            f"a bracket has the entity id {name!r}; expected one like 'e1', or 'e1[1/2]' for the "
            "first part of two"
        )
    begins, ends = opens and part == "1", closes and part == parts
    awaited = "" if begins else f"({name}" if opens else f"{name})"
    awaits = "" if ends else f"({eid}[{int(part) + 1}/{parts}]" if closes else f"{name})"
    return Bracket(eid, head, opens, closes, awaited, awaits)


# A key and a response side by side


def _check_same_words(key: Document, response: Document) -> None:
    """Refuse other numbers of words or sentences; warn of other words. Let the words go."""
    differing = [  # most lines are the same on both sides
        (n, ours, theirs)
        for n, (ours, theirs) in enumerate(zip_longest(key.words, response.words))
        if ours != theirs and _word(ours) != _word(theirs)
    ]
    for n, ours, theirs in differing[:1]:
        difference = (
            f"{key.at(key.begin)}: {_shown(key, n, ours)}, but {_shown(response, n, theirs)}"
        )
        if not all(ours and theirs for _, ours, theirs in differing):
            raise CorefError(f"{difference}; expected the same words in the same sentences")
        warn(f"{difference}; scored by position all the same")
    key.words = response.words = []
    key.lines = response.lines = []


def _word(row: str | None) -> str | None:
    return row.split("\t", 2)[1] if row else row


def _shown(document: Document, n: int, row: str | None) -> str:
    """The word of this number, and where it is."""
    if row is None:
        return f"no more words in {document.file}"
    what = shortened(_word(row)) if row else "the end of a sentence"
    return f"{what} in {document.file}, line {document.lines[n]}"


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
            refuse_repeated(entities, partial(document.where, {}))
    if choice.singletons != "drop":
        return entities
    return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}
