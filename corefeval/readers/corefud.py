r"""CorefUD: CoNLL-U files with coreference in the column MISC, as in the shared tasks CRAC.

``# newdoc id = NAME`` begins a document, empty lines part its sentences, and a token line has ten
columns apart by tabs, of which ID, FORM, DEPS and MISC count. ``Entity=`` in MISC is a run of
brackets: ``(e1-person-2-`` where a mention of entity e1 begins, ``e1)`` where it ends,
``(e1-person-1-)`` where it is one node. ``# global.Entity = eid-etype-head-other`` names what
stands between the hyphens; ``head`` is the place of the head among the mention's nodes, the first
if none is given. A mention with gaps has parts: ``(e1[1/2]-person-2-``, ``e1[1/2])`` and later
``(e1[2/2]-person-2-)``. ``GRP`` instead of ``eid`` is an id that holds in one document only, as
here any does. Other relations (``SplitAnte=``, ``Bridge=``) are not scored.

A mention is its sentence, the ids of its nodes and its head. Nodes are words and empty nodes
(``5.1``), not multiword tokens (``3-4``). Empty nodes may be on one side only; the words must be
the same, so a response that ends early, which the official scorer accepts, is refused.

Source: the CorefUD 1.0 format; README of ufal/corefud-scorer v1.2; udapi/core/coref.py of udapi.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, count, repeat
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, shortened, warn
from corefeval.readers.files import Document, Faults, StrPath, blocks, emptied, in_each_file
from corefeval.readers.matching import IDENTITY, Headed

COMMENT = re.compile(
    r"#\s*(?:global\.Entity\s*=\s*(?P<fields>\S+)|newdoc(?!\w)\s*(?:id\b)?\s*=?\s*(?P<name>.*))"
)
NO_WORD = re.compile(r"([0-9]+)([.-])([1-9][0-9]{0,3})")
EMPTY_NODE = re.compile(r"[0-9]+\.([1-9][0-9]{0,3})\t")
ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")
BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")
ID = re.compile(r"([^\s=\[\]]+)(?:\[([1-9][0-9]{0,3})/([1-9][0-9]{0,3})\])?")
PLACE = re.compile("(?:[1-9][0-9]{0,8})?")
RELATION = re.compile(r"(?:^|\|)(SplitAnte|Bridge)=")
"""What stands beside ``Entity`` and is not scored."""

IDS = [str(number) for number in range(1, 257)]
STARTS = [f"{id}\t" for id in IDS]
"""What is the same in all sentences but a very long one."""
MOST_NODES = 1_000_000
"""How many nodes all mentions of a sentence may have together: nested ones have the square of their
number."""


class CorefudDocument(Document):
    """A document as far as it is read."""

    def __init__(self, path: StrPath, line: int, name: str) -> None:
        super().__init__(path, line, name)
        self.tokens: list[str] = []
        """The lines of words."""
        self.lines: list[int] = []
        """The numbers of these lines in the file."""
        self.rows: list[list[str]] = []
        """Of each sentence all token lines."""
        self.marked = False
        """Whether its file says how mentions are marked."""
        self.heads = False
        """Whether a mention says which of its nodes is its head."""

    @staticmethod
    def word(token: str) -> str:
        return token.split("\t", 2)[1]

    @property
    def nodes(self) -> Iterator[tuple[int, str, str, bool]]:
        """Of each word and empty node its sentence, from 1, its id, its form, and whether the next
        word joins it."""
        for number, rows in enumerate(self.rows, 1):
            joined_until = ""
            for columns in (row.split("\t") for row in rows):
                joins = "SpaceAfter=No" in columns[9]
                if dash := columns[0].partition("-")[1:]:
                    joined_until = dash[1] if dash[0] and joins else joined_until
                if "-" not in columns[0]:
                    joins = joins or columns[0] == joined_until
                    yield number, columns[0], columns[1], joins

    def take(self, lines: list[int], rows: list[str], fields: str) -> None:
        """Take the next sentence: its token lines, and their numbers."""
        sentence = _Sentence(self, lines, rows)
        self.sentences.append(len(self.tokens))
        self.rows.append(sentence.rows)
        if sentence.has_words_alone:
            self.tokens += rows
            self.lines += lines
        else:
            # Only words have to be the same on both sides: empty nodes are what a system predicts.
            words = [n for n, id in enumerate(sentence.ids) if id.isdecimal()]
            self.tokens += [sentence.rows[n] for n in words]
            self.lines += [sentence.lines[n] for n in words]
        self.size = len(self.tokens)
        self.marked = self.marked or bool(fields)
        # Most lines begin and end no mention.
        for row in [n for n, text in enumerate(sentence.rows) if "Entity=" in text]:
            try:
                sentence.take(row, sentence.rows[row], fields)
            except CorefError as error:
                raise CorefError(f"{self.at(sentence.lines[row])}: {error}") from None
        sentence.end()

    def unlike(self, other: Document) -> Iterator[int]:
        for n, (here, there) in enumerate(zip(self.tokens, other.tokens, strict=False)):
            # Most lines that differ have the same word.
            if here != there and here.split("\t", 2)[1] != there.split("\t", 2)[1]:
                yield n

    def place(self, token: int) -> str:
        line = self.lines[token] if token < len(self.lines) else self.line
        return f"{self.path}, line {line}"

    def where(self, mention: Any) -> str:
        of_key = {key: own for own, key in self.key_of.items()}
        return self.at(getattr(of_key.get(mention, mention), "line", self.line))

    def forget(self) -> None:
        self.tokens, self.lines, self.rows = [], [], []

    def make_one(self, choice: Conventions) -> None:
        """Make one object of each mention, wherever it is given; drop singletons if it is chosen.

        A repeat is refused here, because one alone in its entity would go with the singletons.
        """
        identity = IDENTITY[choice.match]
        first_of: dict[Any, Headed] = {}
        for name, mentions in self.entities.items():
            self.entities[name] = [first_of.setdefault(identity(m), m) for m in mentions]
        if choice.repeated == "error" and len(first_of) < sum(map(len, self.entities.values())):
            self.refuse_repeated()
        if choice.singletons == "drop":
            kept = {name: m for name, m in self.entities.items() if len(set(m)) > 1}
            self.entities = defaultdict(list, kept)

    def name_by_nodes(self) -> None:
        """Make a mention its sentence and nodes, as for a file without another."""
        for name, mentions in self.entities.items():
            self.entities[name] = [(mention.sentence, mention.nodes) for mention in mentions]


class _Begun:
    """A mention that has begun and not ended."""

    def __init__(self, entity: list[Any], line: int) -> None:
        self.entity, self.order, self.line = entity, len(entity), line
        # Mentions are listed in the order in which they begin: an open one keeps its place.
        entity.append(None)
        self.head = self.start = 0
        self.nodes: tuple[str, ...] = ()


class _Sentence:
    """A sentence whose token lines are read, one after another."""

    def __init__(self, document: CorefudDocument, lines: list[int], rows: list[str]) -> None:
        self.document, self.number = document, len(document.sentences) + 1
        self.file = str(document.path)
        self.lines, self.rows = lines, rows
        self.ids = _ids(len(rows))
        """Of words and empty nodes; for multiword tokens, nothing."""
        # Most sentences have words alone, numbered from 1, and ten columns.
        self.has_words_alone = all(map(str.startswith, rows, _starts(len(rows))))
        have_columns = {*map(str.count, rows, repeat("\t"))} == {9}
        if not self.has_words_alone or not have_columns:
            self.has_words_alone = False
            self.ids = self._nodes(have_columns)
        self.begun: defaultdict[tuple[str, int, int, bool], list[_Begun]] = defaultdict(list)
        """The mentions of which a part (by entity and number) is open, or has to begin."""
        self.taken = 0
        """How many nodes all mentions have together."""

    def _nodes(self, have_columns: bool) -> list[str]:
        ids = [row.partition("\t")[0] for row in self.rows]
        # One empty node alone is in order, and most sentences have no more.
        if sum(map(str.count, ids, repeat("."))) > 1:
            self.lines, self.rows = _in_order(self.lines, self.rows)
            ids = [row.partition("\t")[0] for row in self.rows]
        expected = _ids(len(ids) + 1)
        word = empty = 0
        for n, id in enumerate(ids):
            if not have_columns:
                self._expect_columns(n)
            if id == expected[word]:
                # The same text for the same id of all sentences takes less memory.
                ids[n] = expected[word]
                word, empty = word + 1, 0
                continue
            no_word = NO_WORD.fullmatch(id)
            before, sign, after = no_word.groups() if no_word else ("", "", "")
            if sign == "." and before == str(word) and int(after) > empty:
                empty = int(after)
            elif sign == "-" and before == str(word + 1):
                ids[n] = ""
            else:
                raise self._out_of_order(self.lines[n], id, word)
        return ids

    def _expect_columns(self, n: int) -> None:
        columns = self.rows[n].split("\t")
        if len(columns) != 10:
            raise CorefError(
                f"{self.document.at(self.lines[n])}: expected ten columns apart by tabs, got "
                f"{len(columns)}: {shortened(' '.join(self.rows[n].split()))}"
            )

    def _out_of_order(self, line: int, id: str, word: int) -> CorefError:
        return CorefError(
            f"{self.document.at(line)}: the id {id!r} is out of order; expected {word + 1}, an "
            f"empty node like {word}.1, a multiword token like {word + 1}-{word + 2}, or an empty "
            "line before the next sentence"
        )

    def take(self, row: int, text: str, fields: str) -> None:
        """Read the column MISC of a row."""
        brackets, relations = _misc(text.rpartition("\t")[2].rstrip("\n"), fields)
        for name in relations:
            self.document.ignored[f"{name}= is not scored"].append(self.lines[row])
        if brackets and not self.ids[row]:
            raise CorefError(
                "Entity= in the line of a multiword token; expected it in the lines of its words"
            )
        for bracket in brackets:
            if bracket.opens and bracket.part == 1:
                self.begin(row, bracket)
            else:
                self.go_on(row, bracket)

    def begin(self, row: int, bracket: Bracket) -> None:
        """Begin a mention."""
        eid, line = bracket.eid, self.lines[row]
        entity = self.document.entities[eid]
        if bracket.closes and bracket.parts == 1:  # most mentions are one node
            entity.append(self.ended(eid, line, bracket.head, (self.ids[row],)))
            return
        mention = _Begun(entity, line)
        mention.start, mention.head = row, bracket.head
        if bracket.closes:
            self.close(row, bracket, mention)
        else:
            self.begun[eid, 1, bracket.parts, False].append(mention)

    def go_on(self, row: int, bracket: Bracket) -> None:
        """Go on with an open mention: of several with the one that began last."""
        eid, part, parts = bracket.eid, bracket.part, bracket.parts
        waiting = self.begun[eid, part, parts, bool(bracket.opens)]
        if not waiting or waiting[-1].start > row:
            old = " (a bracket that repeats the type is of the old format of GUM)"
            raise CorefError(
                f"a bracket goes on with a mention of entity {eid!r}, part {part} of {parts}, "
                "which is not open; expected its beginning earlier in the sentence"
                f"{old if '-' in eid else ''}"
            )
        mention = waiting.pop()
        if bracket.opens:
            mention.start, mention.head = row, bracket.head or mention.head
        if bracket.closes:
            self.close(row, bracket, mention)
        else:
            self.begun[eid, part, parts, False].append(mention)

    def close(self, row: int, bracket: Bracket, mention: _Begun) -> None:
        """Close a part of a mention, which has ended if it is the last."""
        eid, part, parts = bracket.eid, bracket.part, bracket.parts
        of_part = self.ids[mention.start : row + 1]
        # Counted as they are read: a file made to be hard would fill the memory before its end.
        self.taken += len(mention.nodes) + len(of_part)
        if self.taken > MOST_NODES:
            raise CorefError(
                f"up to here the mentions of the sentence have more than {MOST_NODES} nodes "
                "together; expected no more in one sentence: divide it, on both sides"
            )
        mention.nodes += tuple(filter(None, of_part))
        if part < parts:
            mention.start = row + 1
            self.begun[eid, part + 1, parts, True].append(mention)
        else:
            whole = self.ended(eid, mention.line, mention.head, mention.nodes)
            mention.entity[mention.order] = whole

    def ended(self, eid: str, line: int, place: int, nodes: tuple[str, ...]) -> Headed:
        """A mention that has ended, with the head at this place among its nodes."""
        if place:
            self.document.heads = True
            if place > len(nodes):
                raise CorefError(
                    f"the mention of entity {eid!r} that begins in line {line} and ends here has "
                    f"the head '{place}'; expected the place of one of its {len(nodes)} nodes"
                )
        head, deps = nodes[place - 1 if place else 0], ""
        if "." in head:
            deps = self.rows[self.ids.index(head)].split("\t")[8].removeprefix("_")
        return Headed(self.number, line, nodes, head, deps, self.file)

    def end(self) -> None:
        """Refuse a mention that is still open."""
        for (eid, part, parts, _), waiting in self.begun.items():
            if waiting:
                raise CorefError(
                    f"{self.document.at(waiting[-1].line)}: a mention of entity {eid!r} begins "
                    f"that does not end; expected part {part} of {parts} before its sentence ends "
                    f"in line {self.lines[-1]}"
                )


def documents(path: StrPath) -> Iterator[CorefudDocument]:
    """All documents of a path; one without an id is called by its number.

    Raises `CorefError`, which names file and line, for what cannot be read or makes a score
    doubtful: a bracket that is not closed or not opened, a head that is none of its mention's
    nodes, ids out of order, ``Entity=`` without ``# global.Entity``, no such line in any file, a
    sentence whose mentions have more than `MOST_NODES` nodes.
    """
    marked = False
    with emptied(_misc):
        for document in in_each_file(path, partial(_documents_in, numbers=count(1))):
            marked = marked or document.marked
            yield document
    if not marked:
        raise CorefError(
            f"{path}: no line has Entity=, and no comment says # global.Entity: there are no "
            "mentions of CorefUD; if that is meant, begin the file with the line '# global.Entity "
            "= eid-etype-head-other'"
        )


def _documents_in(file: str, numbers: Iterator[int]) -> Iterator[CorefudDocument]:
    reader = _FileReader(file, numbers)
    for first, block in chain(blocks(file), [(0, ["\n"])]):  # a sentence may end with the file
        yield from reader.take(first, block)
    reader.faults.tell()
    if reader.document is None:
        raise CorefError(
            f"{file}: the file has no sentence; expected CorefUD, whose token lines have ten "
            "columns apart by tabs"
        )
    yield reader.document


class _FileReader:
    """A file as far as it is read."""

    def __init__(self, file: str, numbers: Iterator[int]) -> None:
        self.file, self.numbers = file, numbers
        self.document: CorefudDocument | None = None
        self.faults = Faults()
        self.fields = ""
        """What stands between the hyphens of a bracket."""
        self.rows: list[str] = []
        """The token lines of the sentence that is read."""
        self.lines: list[int] = []
        """The numbers of these lines in the file."""

    def take(self, first: int, block: list[str]) -> Iterator[CorefudDocument]:
        """Read a block that begins with line ``first``; the documents that end in it."""
        taken = 0
        # Most lines are token lines, and begin with a digit.
        for here in [n for n, line in enumerate(block) if not "0" <= line < ":"]:
            if taken < here:
                self.add(first + taken, block[taken:here])
            taken = here + 1
            # Files that were joined may have a byte-order mark anywhere.
            line = block[here].lstrip("\ufeff")
            if not line.strip():
                self.end_sentence()
            elif not line.startswith("#"):
                self.add(first + here, [line])
            elif comment := COMMENT.match(line):
                if comment["fields"]:
                    self.fields = comment["fields"]
                elif ended := self.begin(first + here, comment["name"].strip()):
                    yield ended
        self.add(first + taken, block[taken:])

    def add(self, first: int, rows: list[str]) -> None:
        """Add token lines to the sentence that is read."""
        self.lines += range(first, first + len(rows))
        self.rows += rows

    def end_sentence(self) -> None:
        """Give the document its next sentence, if token lines have come since the last."""
        if not self.rows:
            return
        if self.document is None:
            self.document = self.start(self.lines[0], "")
        with self.faults:
            self.document.take(self.lines, self.rows, self.fields)
        self.lines, self.rows = [], []

    def begin(self, line: int, name: str) -> CorefudDocument | None:
        """Begin a document; the one that ends because of it, if nothing is wrong yet."""
        if self.rows:
            raise CorefError(
                f"{self.file}, line {line}: a document begins within a sentence; expected an empty "
                "line before"
            )
        ended = None if self.faults.messages else self.document
        self.document = self.start(line, name)
        return ended

    def start(self, line: int, name: str) -> CorefudDocument:
        """The document that begins in a line; one without a name is called by its number."""
        number = next(self.numbers)
        return CorefudDocument(self.file, line, name or str(number))


class Bracket(NamedTuple):
    """What a bracket says."""

    opens: bool
    closes: bool
    eid: str
    part: int = 1
    parts: int = 1
    head: int = 0
    """The place of the head among the mention's nodes; 0 if none is given."""


class Misc(NamedTuple):
    """What the column MISC says of coreference."""

    brackets: list[Bracket]
    relations: list[str]


# The same entities come again within a few sentences; a larger cache was slower.
@lru_cache(maxsize=1 << 10)
def _misc(misc: str, fields: str) -> Misc:
    """Brackets in their order, and relations.

    >>> _misc("SpaceAfter=No|Entity=e1)|Bridge=e2<e1", "eid-etype-head")
    Misc(brackets=[Bracket(opens=False, closes=True, eid='e1', ...)], relations=['Bridge'])
    >>> _misc("Entity=(e1[1/2]-person-2-)", "eid-etype-head").brackets
    [Bracket(opens=True, closes=True, eid='e1', part=1, parts=2, head=2)]
    """
    runs = ENTITY.findall(misc)
    brackets: list[Bracket] = []
    if runs:
        texts = BRACKET.findall(runs[0])
        if len(runs) > 1 or "".join(texts) != runs[0] or not texts:
            entities = shortened("|Entity=".join(runs))
            raise CorefError(
                f"Entity={entities} here; expected it once, with a run of brackets like "
                "'(e1-person-2-', 'e1)' or '(e1-person-1-)' and nothing else"
            )
        brackets = [_bracket(text, fields.split("-")) for text in texts]
    return Misc(brackets, RELATION.findall(misc))


def _bracket(text: str, fields: list[str]) -> Bracket:
    if fields != [""] and not {"eid", "GRP"} & {*fields}:
        raise CorefError(
            f"# global.Entity = {'-'.join(fields)} names neither eid nor GRP: Entity= tells the "
            "types of mentions here, named entities without ids, and not which of them are the "
            "same; expected coreference"
        )
    opens, closes, inner = text.startswith("("), text.endswith(")"), text.strip("()")
    # Half of all brackets are of this kind, and need no parsing.
    if not opens and inner.isalnum():
        return Bracket(opens, closes, inner)
    values = {"eid": inner}
    if opens:
        values = dict(zip(fields, inner.split("-"), strict=False))
    # An id that holds in one document only is called GRP there, one of the whole corpus eid.
    eid = values.get("eid" if "eid" in values else "GRP", "")
    parted, head = ID.fullmatch(eid), values.get("head", "")
    part, parts = map(int, parted.groups("1")[1:]) if parted else (1, 0)
    if fields == [""] and opens:
        raise CorefError(
            f"{text!r} has no entity id that is known, since no line '# global.Entity = …' stands "
            "above; if these are types, they are named entities, and no coreference; else add a "
            "line like '# global.Entity = eid-etype-head-other' that says which field is which"
        )
    if not parted or part > parts or not PLACE.fullmatch(head):
        raise CorefError(
            f"{text!r} has the entity id {eid!r} and the head {head!r}; expected an id like 'e1', "
            "or 'e1[1/2]' for the first part of two, the place of a node or nothing, and above a "
            "line like '# global.Entity = eid-etype-head-other' that says which is which"
        )
    return Bracket(opens, closes, parted[1], part, parts, int(head or 0))


def _in_order(lines: list[int], rows: list[str]) -> tuple[list[int], list[str]]:
    """Token lines and their numbers, the empty nodes after each word in the order of their ids."""
    word, order = 0, []
    for n, row in enumerate(rows):
        empty = EMPTY_NODE.match(row)
        word = word if empty else n
        order.append((word, int(empty[1]) if empty else 0, n))
    order.sort()
    return [lines[n] for *_, n in order], [rows[n] for *_, n in order]


def _ids(size: int) -> list[str]:
    """The ids of that many words."""
    return IDS[:size] if size <= len(IDS) else [str(number) for number in range(1, size + 1)]


def _starts(size: int) -> list[str]:
    """How the lines of that many words begin."""
    return STARTS[:size] if size <= len(STARTS) else [f"{id}\t" for id in _ids(size)]


def warn_of_no_heads(sides: Sequence[Sequence[CorefudDocument]], match: str) -> None:
    """Warn of files whose mentions are matched by heads, and that tell none."""
    without = []
    for documents in sides:
        every = chain.from_iterable(chain(*d.entities.values()) for d in documents)
        if not any(d.heads for d in documents) and any(len(m.nodes) > 1 for m in every):
            without.append(str(documents[0].path))
    if without:
        warn(
            f"match={match!r} asks for heads, and no mention of {' and of '.join(without)} has one "
            "(a field `head` in # global.Entity, and its number in brackets); the first node of "
            "each is taken for it"
        )
