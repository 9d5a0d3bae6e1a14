r"""CorefUD: CoNLL-U files with coreference in the column MISC, as in the shared tasks CRAC.

``# newdoc id = NAME`` begins a document, empty lines part its sentences, and a token line has ten
columns apart by tabs, of which ID, FORM, DEPS and MISC count. ``Entity=`` in MISC is a run of
brackets: ``(e1-person-2-`` where a mention of entity e1 begins, ``e1)`` where it ends,
``(e1-person-1-)`` where it is one node. ``# global.Entity = eid-etype-head-other`` names what
stands between the hyphens; ``head`` is the place of the head among the mention's nodes, the first
if none is given. A mention with gaps has parts: ``(e1[1/2]-person-2-``, ``e1[1/2])`` and later
``(e1[2/2]-person-2-)``. ``GRP`` instead of ``eid`` is an id that holds in one document only, as
here any does. Other relations (``SplitAnte=``, ``Bridge=``) are left alone.

A mention is its sentence, the ids of its nodes and its head. Nodes are words and empty nodes
(``5.1``), not multiword tokens (``3-4``). Empty nodes may be on one side only; the words must be
the same, so a response that ends early, which the official scorer accepts, is refused.

Source: the CorefUD 1.0 format; README of ufal/corefud-scorer v1.2; udapi/core/coref.py of udapi.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, named, shortened
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
from corefeval.readers.matching import IDENTITY, Mention, match

COMMENT = re.compile(
    r"#\s*(?:global\.Entity\s*=\s*(?P<fields>\S+)|newdoc(?!\w)\s*(?:id\b)?\s*=?\s*(?P<name>.*))"
)
NO_WORD = re.compile(r"([0-9]+)([.-])([1-9][0-9]{0,3})")
BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")
PART = re.compile(r"([^\s=\[\]]+)(?:\[([1-9][0-9]{0,3})/([1-9][0-9]{0,3})\])?")
PLACE = re.compile("(?:[1-9][0-9]{0,8})?")

Rows = tuple[list[int], list[str]]
"""Token lines: their numbers and what they are."""
Nodes = tuple[str, ...]

MOST_NODES = 1_000_000
"""How many nodes all mentions of a sentence may have together: nested ones have the square of their
number."""
RELATIONS = ("SplitAnte", "Bridge")
"""What stands beside ``Entity`` and is not scored."""


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
    lacks; for a sentence whose mentions have more than `MOST_NODES` nodes, or more pairs to be
    compared than `matching.MOST_PAIRS`. Words that differ are only warned of, as are relations that
    are not scored, and a matching by heads where a file gives none.
    """
    key, response = side_by_side(_documents(key_path), _documents(response_path), _check_same_words)
    if choice.missing == "error":
        check_same_documents(key_path, key, response_path, response)
    files = [(key_path, [*key.values()]), (response_path, [*response.values()])]
    _warn_of_relations(files)
    if choice.match != "exact":
        _warn_of_no_heads(files, choice.match)
    sides: tuple[dict[str, Entities], dict[str, Entities]] = ({}, {})
    for name in key | response:
        ours, theirs = (_entities(side.get(name), choice) for side in (key, response))
        with named(f"document {name!r}"):
            key_of = match(chain(*ours.values()), chain(*theirs.values()), choice.match)
        if name in key:
            sides[0][name] = entities_of(ours, choice.repeated, _Places(key[name], {}))
        if name in response:
            found = {eid: [key_of.get(each, each) for each in theirs[eid]] for eid in theirs}
            sides[1][name] = entities_of(found, choice.repeated, _Places(response[name], key_of))
    return sides


class _Places:
    """Says where a mention of a document is, or the one that is matched with it as the key's."""

    def __init__(self, document: Document, key_of: Mapping[Mention, Mention]) -> None:
        self.document, self.key_of = document, key_of

    @cached_property
    def lines(self) -> dict[Mention, int]:
        return {k: r.line for r, k in self.key_of.items()}

    def __call__(self, mention: Mention) -> str:
        return self.document.at(self.lines.get(mention, mention.line))


def _entities(document: Document | None, choice: Conventions) -> dict[str, list[Mention]]:
    """The entities to be matched; the same mention is the same object wherever it is given."""
    if document is None:
        return {}
    identity = IDENTITY[choice.match]
    one: dict[Any, Mention] = {}
    entities = {
        eid: [one.setdefault(identity(each), each) for each in mentions]
        for eid, mentions in document.entities.items()
    }
    if choice.repeated == "error" and len(one) < sum(map(len, entities.values())):
        refuse_repeated(entities, _Places(document, {}))
    if choice.singletons != "drop":
        return entities
    return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}


# From a path to documents


def _documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file; one without an id is called by its number."""
    reading = _Reading(path)
    for first, block in chain(blocks(path), [(0, ["", ""])]):  # a sentence may end with the file
        yield from reading.take(first, block)
    if reading.document is None:
        raise CorefError(
            f"{path}: the file has no sentence; expected CorefUD, whose token lines have ten "
            "columns apart by tabs"
        )
    yield reading.document


class _Reading:
    """A file as far as it is read."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.document: Document | None = None
        self.begins: dict[str, int] = {}
        """The line where each document begins."""
        self.fields = ""
        """What stands between the hyphens of a bracket."""
        self.lines: list[int] = []
        self.rows: list[str] = []
        """The token lines of the sentence that is read, and their numbers."""

    def take(self, first: int, block: list[str]) -> Iterator[Document]:
        """Read a block that begins with line ``first``; the documents that end in it."""
        taken = 0  # lines before this one are done with
        # Only lines that do not begin with a digit are looked at; the last is none of the file.
        for here in [n for n, line in enumerate(block) if not "0" <= line < ":"]:
            if taken < here:
                self.lines += range(first + taken, first + here)
                self.rows += block[taken:here]
            taken = here + 1
            line = block[here].lstrip("\ufeff")
            if not line.strip():
                if taken < len(block):
                    self.end_sentence()
            elif not line.startswith("#"):
                self.lines.append(first + here)
                self.rows.append(line)
            elif ended := self.comment(first + here, line):
                yield ended

    def end_sentence(self) -> None:
        """Give the document its next sentence, if token lines have come since the last."""
        if self.rows:
            if self.document is None:
                self.document = _begun(self.path, "", self.lines[0], self.begins)
            self.document.read(self.lines, self.rows, self.fields)
            self.lines, self.rows = [], []

    def comment(self, number: int, line: str) -> Document | None:
        """Read a comment; the document that ends because another begins."""
        told = COMMENT.match(line)
        if not told:
            return None
        if told["fields"]:
            self.fields = told["fields"]
            return None
        if self.rows:
            raise CorefError(
                f"{self.path}, line {number}: a document begins within a sentence; expected an "
                "empty line before"
            )
        ended = self.document
        self.document = _begun(self.path, told["name"].strip(), number, self.begins)
        return ended


def _begun(path: StrPath, name: str, line: int, begins: dict[str, int]) -> Document:
    document = Document(path, name or str(len(begins) + 1), line)
    if begins.setdefault(document.name, line) != line:
        raise CorefError(
            f"{document.at(line)} begins here and in line {begins[document.name]}; "
            "expected each once"
        )
    return document


class Document:
    """A document as it stands in a file; lines are counted from 1."""

    def __init__(self, path: StrPath, name: str, begin: int) -> None:
        self.file = str(path)
        self.name = name
        self.begin = begin
        self.words: list[Rows] = []
        """Of each sentence."""
        self.entities: dict[str, list[Mention]] = {}
        """The mentions of each entity; entities, and their mentions, in the order in which they
        begin."""
        self.heads = False
        """Whether a mention says which of its nodes is its head."""
        self.relations: Counter[str] = Counter()
        """How many tokens have each of `RELATIONS`."""

    def at(self, line: int) -> str:
        return f"{self.file}, line {line}: document {self.name!r}"

    def read(self, lines: list[int], rows: list[str], fields: str) -> None:
        """Take the next sentence: its token lines, and their numbers."""
        ids, starts = _numbers(len(rows))
        words = (lines, rows)
        if not all(map(str.startswith, rows, starts)):
            ids = tuple(self._nodes(lines, rows))
            at = [n for n, node in enumerate(ids) if node.isdecimal()]
            words = ([lines[n] for n in at], [rows[n] for n in at])
        self.words.append(words)
        if marked := [n for n, row in enumerate(rows) if "Entity=" in row]:
            sentence = _Sentence(self, lines, rows, ids)
            for row in marked:
                try:
                    misc = _misc(_last_column(rows[row]), fields)
                    sentence.take(row, misc.brackets)
                except CorefError as error:
                    raise CorefError(f"{self.at(lines[row])}: {error}") from None
                if misc.relations:
                    self.relations.update(misc.relations)
            sentence.end()

    def _nodes(self, lines: list[int], rows: list[str]) -> Iterator[str]:
        """The ids of words and empty nodes; for multiword tokens, nothing."""
        ids, starts = _numbers(len(rows))
        word = empty = 0  # the last word, and the last empty node after it
        for line, row in zip(lines, rows, strict=True):
            if row.startswith(starts[word]):
                yield ids[word]
                word, empty = word + 1, 0
                continue
            given = row.partition("\t")[0]
            number, sign, more = (
                found.groups() if (found := NO_WORD.fullmatch(given)) else ("", "", "")
            )
            if sign == "." and number == str(word) and int(more) > empty:
                empty = int(more)
                yield given
            elif sign == "-" and number == str(word + 1):
                yield ""
            else:
                with named(self.at(line)):
                    _last_column(row)
                    raise CorefError(
                        f"the id {shortened(given)} is out of order; expected {word + 1}, an empty "
                        f"node like {word}.1, a multiword token like {word + 1}-{word + 2}, or an "
                        "empty line before the next sentence"
                    )


class Opened(NamedTuple):
    """A mention that has begun and not ended."""

    order: int
    """Its number among those that begin in the sentence, from 0."""
    line: int
    """Where it begins."""
    head: int
    """The place of the head among its nodes; 0 if none is given."""
    nodes: Nodes
    """Those of its parts that are complete."""
    start: int
    """The row where its part begins or, between two parts, from which on the next may."""


class _Sentence:
    """A sentence whose brackets are read, one after another."""

    def __init__(self, document: Document, lines: list[int], rows: list[str], ids: Nodes) -> None:
        self.document, self.lines, self.rows, self.ids = document, lines, rows, ids
        self.number, self.file = len(document.words), document.file
        self.entities = document.entities
        self.opened: dict[str, list[Opened]] = {}
        """The mentions that are open, by what has to go on with them."""
        self.begun: list[str] = []
        """The entity of each mention, in the order in which they begin."""
        self.ended: dict[int, Mention] = {}
        """The mentions that have ended, by their number in this order."""
        self.nodes = 0
        """How many nodes their parts have."""

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each node."""
        return {node: n for n, node in enumerate(self.ids)}

    def take(self, row: int, brackets: list[Bracket]) -> None:
        """Read the brackets in a row."""
        if not self.ids[row]:
            raise CorefError(
                "Entity= in the line of a multiword token; expected it in the lines of its words"
            )
        for bracket in brackets:
            if not (bracket.resumes or bracket.continues_with):  # one node is all of the mention
                order = self.placed(bracket.eid)
                self.close(bracket.eid, order, self.lines[row], bracket.place, (self.ids[row],))
                continue
            mention = self.resumed(row, bracket) if bracket.resumes else self.begins(row, bracket)
            if bracket.closes:
                nodes = self.nodes_until(row, mention)
                if not bracket.continues_with:
                    self.close(bracket.eid, mention.order, mention.line, mention.head, nodes)
                    continue
                mention = mention._replace(nodes=nodes, start=row + 1)
            self.opened.setdefault(bracket.continues_with, []).append(mention)

    def placed(self, eid: str) -> int:
        """The number of a mention that begins."""
        if eid not in self.entities:
            self.entities[eid] = []  # its place among the entities
        self.begun.append(eid)
        return len(self.begun) - 1

    def begins(self, row: int, bracket: Bracket) -> Opened:
        """The mention that a bracket begins."""
        return Opened(self.placed(bracket.eid), self.lines[row], bracket.place, (), row)

    def resumed(self, row: int, bracket: Bracket) -> Opened:
        """The open mention that a bracket goes on with: of several the one that began last."""
        waiting = self.opened.get(bracket.resumes)
        if not waiting or waiting[-1].start > row:
            old = " (a bracket that repeats the type is of the old format of GUM)"
            raise CorefError(
                f"'{bracket.resumes}' goes on with a mention of entity {bracket.eid!r}, which is "
                "not open; expected its beginning earlier in the sentence"
                + (old if "-" in bracket.eid else "")
            )
        mention = waiting.pop()
        if not bracket.opens:
            return mention
        return mention._replace(head=bracket.place or mention.head, start=row)

    def nodes_until(self, row: int, mention: Opened) -> Nodes:
        """The nodes of a mention with its part that ends in a row."""
        self.nodes += len(mention.nodes) + row + 1 - mention.start
        if self.nodes > MOST_NODES:
            raise CorefError(
                f"up to here the mentions of the sentence have more than {MOST_NODES} nodes "
                "together; expected no more in one sentence: divide it, on both sides"
            )
        return mention.nodes + tuple(filter(None, self.ids[mention.start : row + 1]))

    def close(self, eid: str, order: int, line: int, place: int, nodes: Nodes) -> None:
        """Keep a mention that has ended, with the head at this place among its nodes."""
        if place > len(nodes):
            raise CorefError(
                f"the mention of entity {eid!r} that begins in line {line} and ends here "
                f"has the head '{place}'; expected the place of one of its {len(nodes)} nodes"
            )
        head, deps = nodes[place - 1 if place else 0], ""
        if "." in head:
            row = self.rows[self.row_of[head]]
            _last_column(row)
            deps = row.split("\t")[8].removeprefix("_")
        if place:
            self.document.heads = True
        self.ended[order] = Mention(self.number, line, nodes, head, deps, self.file)

    def end(self) -> None:
        """Give the mentions to their entities, unless one is still open."""
        for expected, waiting in self.opened.items():
            if waiting:
                raise CorefError(
                    f"{self.document.at(waiting[-1].line)}: a mention begins that does not end; "
                    f"expected '{expected}' before its sentence ends in line {self.lines[-1]}"
                )
        for order, eid in enumerate(self.begun):
            self.entities[eid].append(self.ended[order])


@lru_cache
def _numbers(count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids of a sentence of so many words, and how their lines begin."""
    ids = tuple(map(str, range(1, count + 1)))
    return ids, tuple(f"{number}\t" for number in ids)


def _last_column(row: str) -> str:
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

    eid: str
    place: int
    """Of the head among the mention's nodes; 0 if none is given."""
    opens: bool
    closes: bool
    resumes: str
    """What goes on with an open mention, like ``e1)`` or ``(e1[2/2]``; nothing if one begins."""
    continues_with: str
    """What has to go on with the mention later; nothing if it ends here."""


class Misc(NamedTuple):
    """What the column MISC says of coreference."""

    brackets: list[Bracket]
    relations: list[str]
    """Those of `RELATIONS` that it has."""


@lru_cache(maxsize=1 << 10)  # entities come again within sentences; a larger cache was slower
def _misc(misc: str, fields: str) -> Misc:
    """Brackets in their order, and relations.

    >>> _misc("SpaceAfter=No|Entity=e1)|Bridge=e2<e1", "eid-etype-head").relations
    ['Bridge']
    >>> _misc("Entity=e1)", "eid-etype-head").brackets
    [Bracket(eid='e1', place=0, opens=False, closes=True, resumes='e1)', continues_with='')]
    """
    _, _, rest = f"|{misc}".partition("|Entity=")
    entity = rest.partition("|")[0]
    texts = BRACKET.findall(entity)
    if "|Entity=" in rest:
        raise CorefError(
            "Entity= comes twice in this line; expected it once: write all brackets after one"
        )
    if "".join(texts) != entity:
        raise CorefError(
            f"Entity={shortened(entity)} here; expected Entity= once, with a run of brackets like "
            "'(e1-person-2-', 'e1)' or '(e1-person-1-)' and nothing else"
        )
    relations = [each for each in RELATIONS if f"|{each}=" in f"|{misc}"]
    return Misc([_bracket(text, fields) for text in texts], relations)


def _bracket(text: str, fields: str) -> Bracket:
    opens, closes, name, place = text[0] == "(", text[-1] == ")", text[:-1], ""
    if opens:
        names, values = fields.split("-"), text.strip("()").split("-")
        name = _value("eid" if "eid" in names else "GRP", names, values)
        place = _value("head", names, values)
    eid, part, parts = name, "1", "1"
    if not name.isalnum():
        found = PART.fullmatch(name)
        eid, part, parts = found.groups("1") if found else ("", "1", "0")
    if int(part) > int(parts) or not PLACE.fullmatch(place):
        raise CorefError(
            f"{text!r} has the entity id {name!r} and the head {place!r}; expected an id like "
            "'e1', or 'e1[1/2]' for the first part of two, the place of a node or nothing, and "
            "above a line like '# global.Entity = eid-etype-head-other' that says which is which"
        )
    begins, ends = opens and part == "1", closes and part == parts
    resumes = continues_with = ""
    if not begins:
        resumes = f"({name}" if opens else text
    if not ends:
        continues_with = f"({eid}[{int(part) + 1}/{parts}]" if closes else f"{name})"
    return Bracket(eid, int(place or 0), opens, closes, resumes, continues_with)


def _value(field: str, names: list[str], values: list[str]) -> str:
    """What a bracket has in a field: nothing at its end may be left out."""
    at = names.index(field) if field in names else len(values)
    return values[at] if at < len(values) else ""


# A key and a response side by side


def _check_same_words(key: Document, response: Document) -> None:
    """Refuse other numbers of words or sentences; warn of other words. Let the words go."""
    differing: list[str] = []
    none: Rows = ([], [])
    for (lines, rows), (there, others) in zip_longest(key.words, response.words, fillvalue=none):
        if len(rows) != len(others):
            here, at = max(lines, default=key.begin), max(there, default=response.begin)
            raise CorefError(
                f"{key.at(here)}: a sentence of {len(rows)} words ends, but one of {len(others)} "
                f"in {response.file}, line {at}; expected the same words in the same sentences"
            )
        if rows != others:
            differing += [
                f"{key.at(line)}: {shortened(_form(row))}, but {shortened(_form(other))} in "
                f"{response.file}, line {other_line}; scored by position all the same"
                for line, row, other_line, other in zip(lines, rows, there, others, strict=True)
                if row != other and _form(row) != _form(other)
            ]
    for message in differing[:1]:
        warn(message)
    key.words = response.words = []


def _form(row: str) -> str:
    return row.split("\t", 2)[1]


# What is warned of, once for both files

Sides = Sequence[tuple[StrPath, Sequence[Document]]]
"""The path of each file, and its documents."""


def _warn_of_relations(sides: Sides) -> None:
    told = []
    for path, documents in sides:
        count: Counter[str] = sum((each.relations for each in documents), Counter())
        told += [f"{path} has {name}= on {count[name]} tokens" for name in RELATIONS if count[name]]
    if told:
        warn(f"{', '.join(told)}: these relations are not scored")


def _warn_of_no_heads(sides: Sides, match: str) -> None:
    without = []
    for path, documents in sides:
        entities = chain.from_iterable(each.entities.values() for each in documents)
        longer = any(len(mention.nodes) > 1 for mention in chain.from_iterable(entities))
        if longer and not any(each.heads for each in documents):
            without.append(str(path))
    if without:
        warn(
            f"match={match!r} asks for heads, and no mention of {' and of '.join(without)} has one "
            "(a field `head` in # global.Entity, and its number in brackets); the first node of "
            "each is taken for it"
        )
