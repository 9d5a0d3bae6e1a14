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
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
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
Opened = tuple[int, int, Nodes, int]
"""The line where a mention begins, the place of its head, the nodes of its parts before, and where
its part begins in the sentence or, between two parts, from where the next may."""


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
    lacks. Words that differ are only warned of.
    """
    key, response = side_by_side(_documents(key_path), _documents(response_path), _check_same_words)
    if choice.missing == "error":
        check_same_documents(key_path, key, response_path, response)
    sides: tuple[dict[str, Entities], dict[str, Entities]] = ({}, {})
    for name in key | response:
        ours, theirs = (_entities(side.get(name), choice) for side in (key, response))
        key_of = match(chain(*ours.values()), chain(*theirs.values()), choice.match)
        if name in key:
            sides[0][name] = entities_of(ours, choice.repeated, partial(key[name].where, {}))
        if name in response:
            found = {eid: [key_of.get(each, each) for each in theirs[eid]] for eid in theirs}
            where = partial(response[name].where, key_of)
            sides[1][name] = entities_of(found, choice.repeated, where)
    return sides


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
        refuse_repeated(entities, partial(document.where, {}))
    if choice.singletons != "drop":
        return entities
    return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}


# From a path to documents


def _documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file; one without an id is called by its number."""
    document: Document | None = None
    begins: dict[str, int] = {}
    fields = ""
    lines: list[int] = []
    rows: list[str] = []
    for first, block in chain(blocks(path), [(0, ["", ""])]):  # a sentence may end with the file
        after = 0
        # Only lines that do not begin with a digit are looked at; the last is none of the file.
        for here in [n for n, line in enumerate(block) if not "0" <= line < ":"]:
            if after < here:
                lines += range(first + after, first + here)
                rows += block[after:here]
            after = here + 1
            line = block[here].lstrip("\ufeff")
            if not line.strip():
                if rows and after < len(block):
                    document = document or _begun(path, "", lines[0], begins)
                    document.read(lines, rows, fields)
                    lines, rows = [], []
            elif not line.startswith("#"):
                lines.append(first + here)
                rows.append(line)
            elif not (told := COMMENT.match(line)):
                continue
            elif told["fields"]:
                fields = told["fields"]
            else:
                if rows:
                    raise CorefError(
                        f"{path}, line {first + here}: a document begins within a sentence; "
                        "expected an empty line before"
                    )
                if document is not None:
                    yield document
                document = _begun(path, told["name"].strip(), first + here, begins)
    if document is None:
        raise CorefError(
            f"{path}: the file has no sentence; expected CorefUD, whose token lines have ten "
            "columns apart by tabs"
        )
    yield document


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
        """The mentions of each entity; the entities in the order in which they begin."""

    def at(self, line: int) -> str:
        return f"{self.file}, line {line}: document {self.name!r}"

    def where(self, key_of: Mapping[Mention, Mention], mention: Mention) -> str:
        """The place of a mention, or of the one that is matched with it as the key's."""
        return self.at(next((r.line for r, k in key_of.items() if k == mention), mention.line))

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
            self._mentions(marked, lines, rows, ids, fields)

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
                    _misc(row)
                    raise CorefError(
                        f"the id {shortened(given)} is out of order; expected {word + 1}, an empty "
                        f"node like {word}.1, a multiword token like {word + 1}-{word + 2}, or an "
                        "empty line before the next sentence"
                    )

    def _mentions(
        self, marked: list[int], lines: list[int], rows: list[str], ids: Nodes, fields: str
    ) -> None:
        """Read the brackets in the rows of these numbers."""
        opened: dict[str, list[Opened]] = {}  # by what they await
        for n in marked:
            try:
                for eid, place, opens, closes, awaited, awaits in _brackets(_misc(rows[n]), fields):
                    line, nodes, start = lines[n], ids[:0], n
                    if not ids[n]:
                        raise CorefError(
                            "Entity= in the line of a multiword token; expected it in the lines of "
                            "its words"
                        )
                    if not awaited:
                        self.entities.setdefault(eid, [])  # its place among the entities
                    elif (waiting := opened.get(awaited)) and waiting[-1][-1] <= n:
                        line, given, nodes, begun = waiting.pop()
                        place = place or given
                        start = n if opens else begun
                    else:
                        raise CorefError(
                            f"'{awaited}' goes on with a mention of entity {eid!r}, which is not "
                            "open; expected its beginning earlier in the sentence"
                        )
                    if closes:
                        nodes += tuple(filter(None, ids[start : n + 1]))
                        start = n + 1
                    if awaits:
                        opened.setdefault(awaits, []).append((line, place, nodes, start))
                        continue
                    if place > len(nodes):
                        raise CorefError(
                            f"the mention of entity {eid!r} that begins in line {line} and ends "
                            f"here has the head '{place}'; expected the place of one of its "
                            f"{len(nodes)} nodes"
                        )
                    head, deps = nodes[place - 1 if place else 0], ""
                    if "." in head and _misc(row := rows[ids.index(head)]):
                        deps = row.split("\t")[8].removeprefix("_")
                    mention = Mention(len(self.words), line, nodes, head, deps, self.file)
                    self.entities[eid].append(mention)
            except CorefError as error:
                raise CorefError(f"{self.at(lines[n])}: {error}") from None
        for awaits, waiting in opened.items():
            if waiting:
                raise CorefError(
                    f"{self.at(waiting[-1][0])}: a mention begins that does not end; expected "
                    f"'{awaits}' before its sentence ends in line {lines[-1]}"
                )


@lru_cache
def _numbers(count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids of a sentence of so many words, and how their lines begin."""
    ids = tuple(map(str, range(1, count + 1)))
    return ids, tuple(f"{number}\t" for number in ids)


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

    eid: str
    place: int
    """Of the head among the mention's nodes; 0 if none is given."""
    opens: bool
    closes: bool
    awaited: str
    """What goes on with a mention, like ``e1)`` or ``(e1[2/2]``; nothing where one begins."""
    awaits: str
    """What has to go on with the mention; nothing where it ends."""


@lru_cache(maxsize=1 << 10)  # the same comes again soon; to keep more takes longer
def _brackets(misc: str, fields: str) -> list[Bracket]:
    """Those of a column MISC, in their order.

    >>> _brackets("SpaceAfter=No|Entity=e1)", "eid-etype-head")
    [Bracket(eid='e1', place=0, opens=False, closes=True, awaited='e1)', awaits='')]
    """
    _, _, rest = f"|{misc}".partition("|Entity=")
    entity = rest.partition("|")[0]
    texts = BRACKET.findall(entity)
    if "".join(texts) != entity or "|Entity=" in rest:
        raise CorefError(
            f"Entity={shortened(entity)} here; expected Entity= once, with a run of brackets like "
            "'(e1-person-2-', 'e1)' or '(e1-person-1-)' and nothing else"
        )
    return [_bracket(text, fields) for text in texts]


def _bracket(text: str, fields: str) -> Bracket:
    opens, closes, name, place = text[0] == "(", text[-1] == ")", text[:-1], ""
    if opens:
        names, values = fields.split("-"), text.strip("()").split("-")
        name = _value("eid" if "eid" in names else "GRP", names, values)
        place = _value("head", names, values)
    eid, part, parts = name, "1", "1"
    if not name.isalnum():
        eid, part, parts = found.groups("1") if (found := PART.fullmatch(name)) else ("", "1", "0")
    if int(part) > int(parts) or not PLACE.fullmatch(place):
        raise CorefError(
            f"{text!r} has the entity id {name!r} and the head {place!r}; expected an id like "
            "'e1', or 'e1[1/2]' for the first part of two, the place of a node or nothing, and "
            "above a line like '# global.Entity = eid-etype-head-other' that says which is which"
        )
    begins, ends = opens and part == "1", closes and part == parts
    awaited = "" if begins else f"({name}" if opens else text
    awaits = "" if ends else f"({eid}[{int(part) + 1}/{parts}]" if closes else f"{name})"
    return Bracket(eid, int(place or 0), opens, closes, awaited, awaits)


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
