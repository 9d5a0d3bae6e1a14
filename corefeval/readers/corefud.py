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
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, named, shortened, warn
from corefeval.lazily import cached_property
from corefeval.readers import files
from corefeval.readers.files import Entities, StrPath
from corefeval.readers.matching import IDENTITY, Headed, OwnMentions
from corefeval.readers.texts import Text, known_tags

COMMENT = re.compile(
    r"#\s*(?:global\.Entity\s*=\s*(?P<fields>\S+)|newdoc(?!\w)\s*(?:id\b)?\s*=?\s*(?P<name>.*))"
)
NO_WORD = re.compile(r"([0-9]+)([.-])([1-9][0-9]{0,3})")
BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")
ID_AND_PART = re.compile(r"([^\s=\[\]]+)(?:\[([1-9][0-9]{0,3})/([1-9][0-9]{0,3})\])?")
PLACE = re.compile("(?:[1-9][0-9]{0,8})?")

TokenLines = tuple[list[int], list[str]]
"""Token lines: their numbers and what they are."""
Nodes = tuple[str, ...]

MOST_NODES = 1_000_000
"""How many nodes all mentions of a sentence may have together: nested ones have the square of their
number."""
RELATIONS = ("SplitAnte", "Bridge")
"""What stands beside ``Entity`` and is not scored."""
RELATION = re.compile(rf"\|({'|'.join(RELATIONS)})=")


def read_pair(
    key_path: StrPath, response_path: StrPath, choice: Conventions, empty_side: bool = False
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response, whose mentions are matched by ``choice.match``.

    A matched mention of the response is that of the key; the documents of the response also have
    the mentions as they were before (`Matched`). Zeros are matched by ``choice.zero_match``. With
    ``choice.singletons == "drop"`` entities of one mention go before mentions are matched.

    Raises `CorefError`, which names file and line, for what cannot be read or makes a score
    doubtful: a bracket that is not closed or not opened, a mention that goes on in the next
    sentence, a head that is none of its nodes, ids out of order, ``Entity=`` without ``#
    global.Entity``, other numbers of words or sentences on the other side, a document that it
    lacks; for a side without any ``Entity=`` or ``# global.Entity``, unless ``empty_side`` says
    that it is meant; for a sentence whose mentions have more than `MOST_NODES` nodes, or more pairs
    to be compared than `matching.MOST_TRIED`. Words that differ are only warned of, as are
    relations that are not scored, and a matching by heads where a file gives none.
    """
    key, response = files.read_together(
        documents(key_path), documents(response_path), _check_same_words
    )
    if choice.missing == "error":
        files.check_same_documents(key_path, key, response_path, response)
    told = [document.differs for document in key.values() if document.differs]
    files.warn_of_words(told, len(key.keys() & response.keys()))
    of_files = [(key_path, [*key.values()]), (response_path, [*response.values()])]
    if not empty_side:
        for path, of_side in of_files:
            _refuse_without_entities(path, of_side)
    _warn_of_relations(of_files)
    if choice.match != "exact":
        _warn_of_no_heads(of_files, choice.match)
    sides: tuple[dict[str, Entities], Matched] = ({}, Matched())
    for etypes, side in zip(sides[1].etypes, (key, response), strict=True):
        etypes.update((name, document.etypes) for name, document in side.items())
    of_key, of_response = files.entities_in((key, response), lambda each: _to_match(each, choice))
    for name in key | response:
        ours, theirs = of_key.get(name, {}), of_response.get(name, {})
        with named(f"document {name!r}"):
            mentions = OwnMentions.matched(ours, theirs, choice.match, choice.zero_match)
        sides[1].own[name], key_of = mentions, mentions.key_of
        if name in key:
            sides[0][name] = files.entities_of(ours, choice.repeated, _LineOf(key[name], {}))
        if name in response:
            found = {eid: [key_of.get(each, each) for each in theirs[eid]] for eid in theirs}
            sides[1][name] = files.entities_of(
                found, choice.repeated, _LineOf(response[name], key_of)
            )
    return sides


def read_side(
    path: StrPath, side: str, choice: Conventions, empty_side: bool = False
) -> dict[str, Entities]:
    """The documents of a file by itself; a mention is the number of its sentence and its nodes."""
    found = list(documents(path))
    if not empty_side:
        _refuse_without_entities(path, found)
    return {document.name: _unmatched(document, choice) for document in found}


def _unmatched(document: CorefudDocument, choice: Conventions) -> Entities:
    entities = {
        name: [(mention.sentence, mention.nodes) for mention in mentions]
        for name, mentions in document.entities.items()
    }
    where = f"{document.file}: document {document.name!r}"
    return files.entities_of(entities, choice.repeated, lambda mention: where)


class Matched(dict[str, Entities]):
    """The documents of a response, whose mentions have become those that they are matched with."""

    def __init__(self) -> None:
        super().__init__()
        self.own: dict[str, OwnMentions] = {}
        """By document the mentions of the key and of the response as their files have them."""
        self.etypes: tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]] = ({}, {})
        """By document, the types of entities of the key and of the response."""


class _LineOf:
    """Says where a mention of a document is, or the one that is matched with it as the key's."""

    def __init__(self, document: CorefudDocument, key_of: Mapping[Headed, Headed]) -> None:
        self.document, self.key_of = document, key_of

    @cached_property
    def lines(self) -> dict[Headed, int]:
        return {k: r.line for r, k in self.key_of.items()}

    def __call__(self, mention: Headed) -> str:
        return self.document.at(self.lines.get(mention, mention.line))


def _to_match(document: CorefudDocument, choice: Conventions) -> dict[str, list[Headed]]:
    """The entities to be matched; the same mention is the same object wherever it is given."""
    identity = IDENTITY[choice.match]
    one: dict[Any, Headed] = {}
    entities = {
        eid: [one.setdefault(identity(each), each) for each in mentions]
        for eid, mentions in document.entities.items()
    }
    # Refused here, because a repeat alone in its entity would go with the singletons below.
    if choice.repeated == "error" and len(one) < sum(map(len, entities.values())):
        files.refuse_repeated(entities, _LineOf(document, {}))
    if choice.singletons != "drop":
        return entities
    return {eid: mentions for eid, mentions in entities.items() if len(set(mentions)) > 1}


# From a path to documents


def documents(path: StrPath) -> Iterator[CorefudDocument]:
    """All documents of a file; one without an id is called by its number."""
    return files.in_each_file(path, partial(_documents_in, begun={}))


def _documents_in(file: StrPath, begun: dict[str, CorefudDocument]) -> Iterator[CorefudDocument]:
    reader = _FileReader(file, begun)
    for first, block in chain(files.blocks(file), [(0, ["", ""])]):  # a sentence may end with it
        yield from reader.take(first, block)
    if reader.document is None:
        raise CorefError(
            f"{file}: the file has no sentence; expected CorefUD, whose token lines have ten "
            "columns apart by tabs"
        )
    yield reader.document


class _FileReader:
    """A file as far as it is read."""

    def __init__(self, path: StrPath, begun: dict[str, CorefudDocument]) -> None:
        self.path = path
        self.document: CorefudDocument | None = None
        self.begun = begun
        """The documents that have begun, of earlier files, too."""
        self.fields = ""
        """What stands between the hyphens of a bracket."""
        self.lines: list[int] = []
        self.rows: list[str] = []
        """The token lines of the sentence that is read, and their numbers."""

    def take(self, first: int, block: list[str]) -> Iterator[CorefudDocument]:
        """Read a block that begins with line ``first``; the documents that end in it."""
        # The place of the first line that no sentence has taken yet.
        taken = 0
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
            elif told := COMMENT.match(line):
                if told["fields"]:
                    self.fields = told["fields"]
                elif ended := self.begin(first + here, told["name"].strip()):
                    yield ended

    def end_sentence(self) -> None:
        """Give the document its next sentence, if token lines have come since the last."""
        if self.rows:
            if self.document is None:
                self.document = self.start("", self.lines[0])
            self.document.read(self.lines, self.rows, self.fields)
            self.lines, self.rows = [], []

    def begin(self, number: int, name: str) -> CorefudDocument | None:
        """Begin a document; the one that ends because of it."""
        if self.rows:
            raise CorefError(
                f"{self.path}, line {number}: a document begins within a sentence; expected an "
                "empty line before"
            )
        ended = self.document
        self.document = self.start(name, number)
        return ended

    def start(self, name: str, line: int) -> CorefudDocument:
        """The document that begins in a line; one without a name is called by its number."""
        document = CorefudDocument(self.path, name or str(len(self.begun) + 1), line)
        files.refuse_begun(self.begun, document, document.at(line))
        return document


class CorefudDocument:
    """A document as it stands in a file; lines are counted from 1."""

    def __init__(self, path: StrPath, name: str, begin: int) -> None:
        self.path, self.file = path, str(path)
        self.name = name
        self.begin = begin
        self.words: list[TokenLines] = []
        """Of each sentence."""
        self.rows: list[list[str]] = []
        """Of each sentence all token lines, those of empty nodes, too."""
        self.entities: defaultdict[str, list[Headed]] = defaultdict(list)
        """The mentions of each entity; entities, and their mentions, in the order in which they
        begin."""
        self.etypes: dict[str, str] = {}
        """The type of each entity, the first that a mention of it tells; empty if none does."""
        self.differs = ""
        """The first word that differs on the other side."""
        self.marked = False
        """Whether its file says how mentions are marked, or marks one."""
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
        # Most sentences have words alone, numbered from 1: no id has to be cut out of its row.
        if not all(map(str.startswith, rows, starts)):
            ids = self._nodes(lines, rows)
            at = [n for n, node in enumerate(ids) if node.isdecimal()]
            # Only words have to be the same on both sides: empty nodes are what a system predicts.
            words = ([lines[n] for n in at], [rows[n] for n in at])
        self.words.append(words)
        self.rows.append(rows)
        self.marked = self.marked or bool(fields)
        # Most rows begin and end no mention, so only these are split into columns.
        if marked := [n for n, row in enumerate(rows) if "Entity=" in row]:
            sentence = _Sentence(self, lines, rows, ids)
            for row in marked:
                try:
                    brackets, relations = _misc(_last_column(rows[row]), fields)
                    sentence.take(row, brackets)
                except CorefError as error:
                    raise CorefError(f"{self.at(lines[row])}: {error}") from None
                if relations:
                    self.relations.update(relations)
            sentence.end()

    def _nodes(self, lines: list[int], rows: list[str]) -> Nodes:
        """The ids of words and empty nodes; for multiword tokens, nothing."""
        expected, _ = _numbers(len(rows) + 1)
        # In a row without a tab find gives -1, which cuts off its end: it is refused further down.
        nodes = [row[: row.find("\t")] for row in rows]
        word = empty = 0  # the last word, and the last empty node after it
        for n, node in enumerate(nodes):
            if node == expected[word]:
                # Reuse the stored string: its hash is known, and it is compared by identity.
                nodes[n] = expected[word]
                word, empty = word + 1, 0
                continue
            found = NO_WORD.fullmatch(node)
            number, sign, more = found.groups() if found else ("", "", "")
            if sign == "." and number == str(word) and int(more) > empty:
                empty = int(more)
            elif sign == "-" and number == str(word + 1):
                nodes[n] = ""
            else:
                with named(self.at(lines[n])):
                    _last_column(rows[n])
                    raise CorefError(
                        f"the id {shortened(node)} is out of order; expected {word + 1}, an empty "
                        f"node like {word}.1, a multiword token like {word + 1}-{word + 2}, or an "
                        "empty line before the next sentence"
                    )
        return tuple(nodes)


class Opened(NamedTuple):
    """A mention that has begun and not ended."""

    entity: list[Headed]
    """The mentions of its entity."""
    order: int
    """Its place among these."""
    line: int
    head: int
    """The place of the head among its nodes; 0 if none is given."""
    nodes: Nodes
    """Those of its parts that are complete."""
    start: int
    """The row where its part begins or, between two parts, from which on the next may."""


UNENDED = Headed(0, 0, (), "", "", "")
"""Holds the place of a mention that has begun and not ended."""


class _Sentence:
    """A sentence whose brackets are read, one after another."""

    def __init__(
        self, document: CorefudDocument, lines: list[int], rows: list[str], ids: Nodes
    ) -> None:
        self.document, self.lines, self.rows, self.ids = document, lines, rows, ids
        self.number, self.file = len(document.words), document.file
        self.entities = document.entities
        self.opened: defaultdict[str, list[Opened]] = defaultdict(list)
        """The mentions that are open, by what has to go on with them."""
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
            eid, place, _, closes, resumes, continues_with, etype = bracket
            if resumes:
                mention = self.resumed(row, bracket)
            else:
                entity, line = self.entities[eid], self.lines[row]
                if not self.document.etypes.get(eid):
                    self.document.etypes[eid] = etype
                if not continues_with:  # one node is all of the mention
                    entity.append(self.ended(eid, line, place, self.ids[row : row + 1]))
                    continue
                mention = Opened(entity, len(entity), line, place, (), row)
                # Mentions are listed in the order in which they begin: an open one keeps its place.
                entity.append(UNENDED)
            if closes:
                nodes = self.nodes_until(row, mention)
                if not continues_with:
                    whole = self.ended(eid, mention.line, mention.head, nodes)
                    mention.entity[mention.order] = whole
                    continue
                mention = mention._replace(nodes=nodes, start=row + 1)
            self.opened[continues_with].append(mention)

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
        part = self.ids[mention.start : row + 1]
        # Counted as they are read: a file made to be hard would fill the memory before its end.
        self.nodes += len(mention.nodes) + len(part)
        if self.nodes > MOST_NODES:
            raise CorefError(
                f"up to here the mentions of the sentence have more than {MOST_NODES} nodes "
                "together; expected no more in one sentence: divide it, on both sides"
            )
        if "" in part:  # the line of a multiword token
            part = tuple(filter(None, part))
        return mention.nodes + part

    def ended(self, eid: str, line: int, place: int, nodes: Nodes) -> Headed:
        """A mention that has ended, with the head at this place among its nodes."""
        if place:
            self.document.heads = True
            if place > len(nodes):
                of_nodes = files.count_of(len(nodes), "node")
                raise CorefError(
                    f"the mention of entity {eid!r} that begins in line {line} and ends here "
                    f"has the head '{place}'; expected the place of one of its {of_nodes}"
                )
        head, deps = nodes[place - 1 if place else 0], ""
        if "." in head:
            deps = self.deps(head)
        return Headed(self.number, line, nodes, head, deps, self.file)

    def deps(self, node: str) -> str:
        """The column DEPS of an empty node."""
        row = self.rows[self.row_of[node]]
        _last_column(row)
        return row.split("\t")[8].removeprefix("_")

    def end(self) -> None:
        """Refuse a mention that is still open."""
        for expected, waiting in self.opened.items():
            if waiting:
                raise CorefError(
                    f"{self.document.at(waiting[-1].line)}: a mention begins that does not end; "
                    f"expected '{expected}' before its sentence ends in line {self.lines[-1]}"
                )


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
    etype: str = ""
    """The type of the entity, where the mention begins."""


class Misc(NamedTuple):
    """What the column MISC says of coreference."""

    brackets: list[Bracket]
    relations: list[str]


# The same entities come again within a few sentences; a larger cache was slower.
@lru_cache(maxsize=1 << 10)
def _misc(misc: str, fields: str) -> Misc:
    """Brackets in their order, and relations.

    >>> _misc("SpaceAfter=No|Entity=e1)|Bridge=e2<e1", "eid-etype-head").relations
    ['Bridge']
    >>> _misc("Entity=e1)", "eid-etype-head").brackets[0][:5]
    ('e1', 0, False, True, 'e1)')
    """
    given = f"|{misc}"
    _, _, rest = given.partition("|Entity=")
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
    places = _field_places(fields)
    return Misc([_bracket(text, places) for text in texts], RELATION.findall(given))


def _bracket(text: str, places: FieldPlaces) -> Bracket:
    opens, closes, name, place, etype = text[0] == "(", text[-1] == ")", text[:-1], "", ""
    # Half of all brackets are of this kind, and need no parsing.
    if not opens and name.isalnum():
        return Bracket(name, 0, opens, closes, resumes=text, continues_with="")
    if opens:
        values = text.strip("()").split("-")
        name = _value(places.eid, values)
        place = _value(places.head, values)
        etype = _value(places.etype, values)
    eid, part, parts = name, "1", "1"
    if not name.isalnum():
        found = ID_AND_PART.fullmatch(name)
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
        # A part that closes is followed by the next part, one that only opens by its own end.
        continues_with = f"({eid}[{int(part) + 1}/{parts}]" if closes else f"{name})"
    return Bracket(eid, int(place or 0), opens, closes, resumes, continues_with, etype)


class FieldPlaces(NamedTuple):
    """Which of a bracket's fields are read, from 0; −1 if it has none of that name."""

    eid: int
    head: int
    etype: int


@lru_cache
def _field_places(fields: str) -> FieldPlaces:
    """Those that ``# global.Entity`` tells."""
    names = fields.split("-")
    # An id that holds in one document only is called GRP there, one of the whole corpus eid.
    eid = "eid" if "eid" in names else "GRP"
    read = (eid, "head", "etype")
    return FieldPlaces(*(names.index(name) if name in names else -1 for name in read))


def _value(place: int, values: list[str]) -> str:
    """What a bracket has in a field: nothing at its end may be left out."""
    return values[place] if 0 <= place < len(values) else ""


# A key and a response side by side


def _check_same_words(key: CorefudDocument, response: CorefudDocument) -> None:
    """Refuse other numbers of words or sentences; note the first that differ. Let the words go."""
    none: TokenLines = ([], [])
    for (lines, rows), (there, others) in zip_longest(key.words, response.words, fillvalue=none):
        if len(rows) != len(others):
            here, at = max(lines, default=key.begin), max(there, default=response.begin)
            words = files.count_of(len(rows), "word")
            raise CorefError(
                f"{key.at(here)}: a sentence of {words} ends, but one of {len(others)} "
                f"in {response.file}, line {at}; expected the same words in the same sentences"
            )
        if rows != others:
            differing = (
                f"{key.at(line)}: {shortened(_form(row))}, but {shortened(_form(other))} in "
                f"{response.file}, line {other_line}"
                for line, row, other_line, other in zip(lines, rows, there, others, strict=True)
                if row != other and _form(row) != _form(other)
            )
            key.differs = key.differs or next(differing, "")
    # Nothing else needs these lines, and a corpus of them would fill the memory.
    key.words = response.words = []
    key.rows = response.rows = []


def _form(row: str) -> str:
    return row.split("\t", 2)[1]


def _refuse_without_entities(path: StrPath, documents: Sequence[CorefudDocument]) -> None:
    """Refuse a side that marks no mention, and says nowhere how it would."""
    if any(document.marked for document in documents):
        return
    raise CorefError(
        f"{path}: no line has Entity=, and no comment says # global.Entity: there are no mentions "
        "of CorefUD; if that is meant, pass --empty-side (in Python empty_side=True)"
    )


# What is warned of, once for both files

FilesRead = Sequence[tuple[StrPath, Sequence[CorefudDocument]]]


def _warn_of_relations(sides: FilesRead) -> None:
    told = []
    for path, documents in sides:
        count: Counter[str] = sum((each.relations for each in documents), Counter())
        told += [f"{path} has {name}= on {count[name]} tokens" for name in RELATIONS if count[name]]
    if told:
        warn(f"{', '.join(told)}: these relations are not scored")


def _warn_of_no_heads(sides: FilesRead, match: str) -> None:
    without = []
    for path, documents in sides:
        if any(each.heads for each in documents):
            continue
        entities = chain.from_iterable(each.entities.values() for each in documents)
        longer = any(len(mention.nodes) > 1 for mention in chain.from_iterable(entities))
        if longer:
            without.append(str(path))
    if without:
        warn(
            f"match={match!r} asks for heads, and no mention of {' and of '.join(without)} has one "
            "(a field `head` in # global.Entity, and its number in brackets); the first node of "
            "each is taken for it"
        )


# For people who look at errors in the text

NodeText = tuple[str, str, bool]
"""Of a word or empty node: its form, its part of speech, and whether the next word joins it."""
NO_SPACE = "SpaceAfter=No"
Sentences = list[dict[str, NodeText]]


def texts(paths: dict[str, StrPath], names: Sequence[str]) -> dict[str, Text]:
    """The words and empty nodes of documents by their names."""
    found: dict[str, Sentences] = {}
    for path in paths.values():
        for document in documents(path):
            sentences = list(map(_nodes, document.rows))
            # An empty node may be on one side only, and both sides' mentions are to be shown.
            both = found.setdefault(document.name, sentences)
            for ours, theirs in zip(both, sentences, strict=False):
                for node, told in theirs.items():
                    ours.setdefault(node, told)
    return {name: _laid_out(sentences) for name, sentences in found.items()}


def _nodes(rows: list[str]) -> dict[str, NodeText]:
    """The words and empty nodes of a sentence."""
    nodes: dict[str, NodeText] = {}
    last_of_range = ""  # the last word of a token of several, which no space follows
    for row in rows:
        node, form, _, tag, *rest = row.split("\t")
        joins = bool(rest) and NO_SPACE in rest[-1].split("|")
        if "-" in node:
            last_of_range = node.partition("-")[2] if joins else ""
        else:
            # In the line of a multiword token SpaceAfter concerns its last word.
            nodes[node] = form, tag, joins or node == last_of_range
            last_of_range = "" if node == last_of_range else last_of_range
    return nodes


def _laid_out(sentences: Sentences) -> Text:
    place_of: dict[tuple[int, str], int] = {}
    words: list[str] = []
    tags: list[str] = []
    starts: list[int] = []
    joined: set[int] = set()
    for number, nodes in enumerate(sentences, 1):
        starts.append(len(words))
        next_joins = False
        for node in sorted(nodes, key=_order):
            form, tag, joins = nodes[node]
            place_of[number, node] = len(words)
            empty = "." in node
            # An empty node is no part of the text, so the words around it stay as they are.
            if not empty:
                if next_joins:
                    joined.add(len(words))
                next_joins = joins
            # An empty node without a form would be invisible.
            words.append("∅" if empty and form == "_" else form)
            tags.append(tag)
    told = frozenset(joined) if joined else None
    return Text(words, known_tags(tags), starts, joined=told, place_of=place_of)


def _order(node: str) -> tuple[int, int]:
    """The word that a node is, or stands after."""
    word, _, empty = node.partition(".")
    return int(word), int(empty or 0)
