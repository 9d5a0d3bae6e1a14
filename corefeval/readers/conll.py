r"""CoNLL-2012: the format of the shared task and of the reference scorer.

A document is what stands between ``#begin document (NAME); part NNN`` and ``#end document``: one
token per line, its columns apart by tabs or blanks, empty lines between sentences. Only the last
column counts: ``-`` or ``_``, or parts joined by ``|``: ``(12`` where a mention of entity 12
begins, ``12)`` where it ends, ``(12)`` where it is one token. A mention is the pair (first token,
last token), counted from 0 in its document.

In place of numbers all entities of a file may have names that begin with a letter, as GUM writes
them. Some files also have the bare number of an entity on the inner tokens of its mention: ``(8``,
``8``, ``8)``. It is ignored while such a mention is open.

A line that begins with ``#`` is a token, too, if its last column is one of brackets, digits and
bars, or ``-`` or ``_``, or has a bracket and stands after a tab: a hashtag may be the word of the
first column. Any other is a comment, which the reference scorer counts as a token. What has a tab,
or a bracket in its last of as many columns as tokens have, may be either, and is refused.

As in the reference scorer, a line is read in the order one-token mentions, beginnings, ends,
whatever order it is written in, and an end closes the mention of its entity that began last.

Source: the data format of Pradhan et al. 2012, "CoNLL-2012 shared task"; reference scorer v8.01.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, NoReturn

from corefeval.errors import CorefError, shortened
from corefeval.readers.files import (
    Block,
    Document,
    Faults,
    StrPath,
    blocks,
    emptied,
    in_each_file,
    lines_between,
)

BEGIN = re.compile(
    r"\s*(?i:#\s*begin\s+document\b)\s*(?:\((.*)\)|([^;]*?))\s*(?:;\s*(?:part\s+(\S+))?)?\s*",
)
END = re.compile(r"\s*#\s*end\s+document\b", re.IGNORECASE)
ENTITY = r"(?:[0-9]+|[^\W\d_][^\s()|]*)"
MARK = re.compile(rf"(\(?)({ENTITY})(\)?)")
HASHTAG = re.compile(r".*(?:\s(?:[-_]|[0-9|]*[()][0-9()|]*)|\t[^\s()]*[()]\S*)\s*", re.DOTALL)
"""A line that is a token though it begins with ``#``."""
# A bar may be missing next to a bracket, but for "(1(2)3)": the reference scorer takes out the
# inner mark, and reads what is left as one more.
COLUMN = re.compile(
    r"[-_]|(?!.*\([0-9]+(?:\([0-9]+\))+[0-9]+\))"
    rf"(?:(?:\({ENTITY}\)?|{ENTITY}\)|(?:(?<![^|])[0-9]+(?![^|])))(?:\|(?=.)|(?=\()|(?<=\))|$))+"
)
BARE = (
    "the bare number of an entity whose mention is open is ignored; expected brackets where a "
    "mention begins and ends, and '-' between"
)
EXPECTED_MARKS = (
    "expected '-', or marks like '(12', '12)' or '(12)' with the number of an entity, joined by '|'"
)
EXPECTED = (
    "expected CoNLL-2012: '#begin document (NAME); part 000' before the first token of each "
    "document, and '#end document' after the last"
)


FIRST_PLAIN, LAST_PLAIN = "$", "\x7f"
"""Between them are the first letters and digits of tokens, and no ``#``, blank or mark."""
NO_MENTION = ("\t-\n", "\t_\n", " -\n", " _\n")
"""How most lines end."""


class ConllDocument(Document):
    """A document as far as it is read."""

    def __init__(self, path: StrPath, line: int, name: str) -> None:
        super().__init__(path, line, name)
        self.tokens: list[str] = []
        """The token lines."""
        self.open: defaultdict[str, list[int]] = defaultdict(list)
        """The first token of each open mention of an entity."""
        self.ended: dict[str, None] = {}
        """The entities in the order in which their first mentions end."""
        self.breaks = [0]
        """The tokens before which there is an empty line."""
        self.comments: list[int] = []
        """The tokens before which there is a comment."""
        self.is_broken = False
        """Whether a last column could not be read, whose brackets others may lack."""

    @staticmethod
    def word(token: str) -> str | None:
        columns = token.split(None, 4)
        return columns[3] if len(columns) > 4 else None

    def unlike(self, other: Document) -> Iterator[int]:
        for n, (here, there) in enumerate(zip(self.tokens, other.tokens, strict=False)):
            # Most lines are the same on both sides, and most others but for the last column.
            if here != there and here.rsplit(None, 1)[:1] != there.rsplit(None, 1)[:1]:
                yield n

    def with_lines(self, lines: Sequence[str]) -> ConllDocument:
        """The document with its token lines among these, which begin with its first."""
        others = sorted(chain(self.breaks, self.comments))
        places = {token + n for n, token in enumerate(others)}
        document = copy(self)
        document.tokens = [line for n, line in enumerate(lines) if n not in places]
        return document

    def where(self, mention: Any) -> str:
        first, last = map(self.line_of, mention)
        return self.at(first, last)

    def place(self, token: int) -> str:
        return f"{self.path}, line {self.line_of(token)}"

    def line_of(self, token: int) -> int:
        """The number of a token's line."""
        return self.line + token + sum(n <= token for n in chain(self.breaks, self.comments))

    def mark(self, token: int, number: int, line: str, faults: Faults) -> None:
        """Begin and end mentions as a token's line says; what is wrong in it is gathered."""
        columns = line.rsplit(None, 1)
        try:
            if len(columns) < 2:
                self.refuse_column(line)
            for opens, entity, closes in marks(columns[1]):
                mentions, begun = self.entities[entity], self.open[entity]
                if opens:
                    begun.append(token)
                if not begun:
                    self.refuse_mark(entity, closes, columns[1])
                if closes:
                    mentions.append((begun.pop(), token))
                    self.ended.setdefault(entity)
                elif not opens:
                    self.ignored[BARE].append(number)
        except CorefError as error:
            self.is_broken = self.is_broken or not COLUMN.fullmatch(columns[-1])
            with faults:
                raise CorefError(f"{self.at(number)}: {error}") from None

    def refuse_column(self, line: str) -> NoReturn:
        raise CorefError(
            f"the token line {shortened(line.strip())} has only one column; expected the "
            "coreference in a last column of its own"
        )

    def refuse_mark(self, entity: str, closes: str, column: str) -> NoReturn:
        """Refuse an end, or a bare number, of an entity of which no mention is open."""
        if closes:
            raise CorefError(
                f"'{entity})' closes entity {entity}, which is not open; expected '({entity}' in "
                "this line or above it in the document"
            )
        raise CorefError(
            f"the last column is {shortened(column)}: {entity} has no bracket, and no mention of "
            f"entity {entity} is open that it could stand in; {EXPECTED_MARKS}"
        )

    def is_token(self, number: int, line: str, faults: Faults) -> bool:
        """Whether a line after the last of `tokens` is one, too; see the module."""
        columns = line.split()
        if not columns or END.match(line) or BEGIN.fullmatch(line):
            return False
        if columns[0][0] != "#" or HASHTAG.fullmatch(line):
            return True
        fits = bool(self.tokens) and len(columns) == len(self.tokens[-1].split())
        if "\t" in line or (fits and re.search("[()]", columns[-1])):
            self.is_broken = True
            with faults:
                raise CorefError(
                    f"{self.at(number)}: {shortened(line)} may be a comment or a token whose last "
                    "column is broken; leave it out, or mend it"
                )
        return False

    def ends(self, number: int, line: str) -> bool:
        """Read a line that is no token; whether the document ends."""
        if END.match(line):
            return True
        if BEGIN.fullmatch(line):
            raise CorefError(
                f"{self} begins here and is still open in line {number}, where another begins; "
                "expected '#end document' after its last token"
            )
        of_kind = self.comments if line.strip() else self.breaks
        of_kind.append(len(self.tokens))
        return False

    def end(self, number: int, faults: Faults) -> None:
        """End in line ``number``; mentions that are open are gathered as faults."""
        begun = [(token, entity) for entity, tokens in self.open.items() for token in tokens]
        for token, entity in sorted(begun):
            with faults:
                raise CorefError(
                    f"{self.at(self.line_of(token))}: '({entity}' opens a mention of entity "
                    f"{entity} that is not closed; expected '{entity})' before the "
                    f"'#end document' of line {number}"
                )
        self.size = len(self.tokens)
        self.sentences = [first for first in dict.fromkeys(self.breaks) if first < self.size]


# Ids start anew in each document, so the same columns come again.
@lru_cache(maxsize=1 << 16)
def marks(column: str) -> list[tuple[str, str, str]]:
    """The marks of the last column, in the order of reading.

    >>> marks("(5|4)(3)")
    [('(', '3', ')'), ('(', '5', ''), ('', '4', ')')]
    >>> marks("(2-x")
    Traceback (most recent call last):
    corefeval.errors.CorefError: the last column is '(2-x'; expected '-', or marks like ...
    """
    if not COLUMN.fullmatch(column):
        raise CorefError(f"the last column is {shortened(column)}; {EXPECTED_MARKS}")
    turn = {"()": 0, "": 1, "(": 2, ")": 3}
    return sorted(MARK.findall(column.strip("-_")), key=lambda mark: turn[mark[0] + mark[2]])


def documents(path: StrPath) -> Iterator[ConllDocument]:
    """The documents of the files of a path.

    Raises `CorefError`, which names file and line, for all that would make a score doubtful: a
    bracket or a document that is not closed, a token outside a document, a last column that is no
    coreference.
    """
    with emptied(marks):
        yield from in_each_file(path, lambda file: _documents_in(file, blocks(file)))


def again(documents: Iterable[ConllDocument]) -> Iterator[ConllDocument]:
    """The same documents, of which each file's are in its order, with their token lines again."""
    for file, of_file in groupby(documents, key=attrgetter("path")):
        listed = list(of_file)
        places = [(document.line, document.line_of(document.size or 0) - 1) for document in listed]
        for document, (_, lines) in zip(listed, lines_between(file, places), strict=True):
            yield document.with_lines(lines)


def _documents_in(file: StrPath, blocks: Iterable[Block]) -> Iterator[ConllDocument]:
    document: ConllDocument | None = None
    is_empty = True
    faults, kinds = Faults(), Kinds()
    for number, block in blocks:
        # The place of the first line that is not taken yet.
        taken = 0
        for place in _worth_a_look(block):
            line = block[place]
            if document is None:
                # A token line between this one and the last is found here, too, and refused.
                document = _begun(file, number + taken, block[taken].lstrip("\ufeff").strip())
                is_empty = is_empty and document is None
                taken = place + 1
                continue
            # What begins with a letter or a digit is no directive and no comment.
            if FIRST_PLAIN <= line < LAST_PLAIN:
                token = len(document.tokens) + place - taken
                document.mark(token, number + place, line, faults)
                continue
            document.tokens += block[taken:place]
            taken = place
            if document.is_token(number + place, line, faults):
                document.mark(len(document.tokens), number + place, line, faults)
                continue
            taken += 1
            if document.ends(number + place, line):
                yield from _sound(document, number + place, faults, kinds)
                document = None
        if document is not None:
            document.tokens += block[taken:]
        elif taken < len(block):
            _begun(file, number + taken, block[taken].strip())
    faults.tell()
    _refuse_unended(file, document, is_empty)


def _sound(
    document: ConllDocument, number: int, faults: Faults, kinds: Kinds
) -> Iterator[ConllDocument]:
    """The document that ends in line ``number``, if nothing is wrong in it or above it."""
    # After a column that cannot be read an open mention may be its consequence.
    if document.is_broken:
        return
    document.end(number, faults)
    if faults.messages:
        return
    with faults:
        kinds.check(document)
        yield document


def _refuse_unended(file: StrPath, document: ConllDocument | None, is_empty: bool) -> None:
    """Refuse a file that ends in a document, or has none."""
    if document is not None:
        raise CorefError(
            f"{document} begins here and is still open at the end of the file (is it cut off?); "
            "expected '#end document' after its last token"
        )
    if is_empty:
        raise CorefError(f"{file}: the file has no document; {EXPECTED}")


def _worth_a_look(block: list[str]) -> list[int]:
    """The places of all lines but of tokens without a mention, as most are."""
    return [
        place
        for place, line in enumerate(block)
        # A comparison and endswith are the two cheapest questions to a line of text.
        if line < FIRST_PLAIN or not line.endswith(NO_MENTION)
    ]


class Kinds:
    """Whether entities of a file have numbers or names, and where the first of each is."""

    def __init__(self) -> None:
        self.first: dict[str, tuple[ConllDocument, str]] = {}

    def check(self, document: ConllDocument) -> None:
        """Refuse entities with names where others have numbers."""
        # In most documents every entity is a number: one check of all names says so.
        if "".join(document.entities).isdecimal() and "a name" not in self.first:
            self.first.setdefault("a number", (document, next(iter(document.entities))))
            return
        for entity in document.entities:
            kind = "a number" if entity.isdecimal() else "a name"
            self.first.setdefault(kind, (document, entity))
        if len(self.first) == 2:
            (kind, where, entity), (later_kind, here, later) = (
                (kind, document.where(document.entities[entity][0]), entity)
                for kind, (document, entity) in self.first.items()
            )
            raise CorefError(
                f"{here}: entity {later!r} has {later_kind}, but entity {entity!r} of {where} has "
                f"{kind}; expected names or numbers in all of a file: a scorer that looks for "
                "numbers would find some of the entities only"
            )


def _begun(file: StrPath, number: int, line: str) -> ConllDocument | None:
    """The document that a line begins; None for a comment."""
    begin = BEGIN.fullmatch(line)
    name = begin and (begin[1] or begin[2] or "").strip()
    if begin and name:
        part = f"; part {begin[3]}" if begin[3] else ""
        document = ConllDocument(file, number, f"{name}{part}")
        document.spelled = line.partition("document")[2].strip()
        return document
    if begin or (line and not line.startswith("#")) or END.match(line):
        raise CorefError(f"{file}, line {number}: {shortened(line)} begins no document; {EXPECTED}")
    return None
