"""What other programs read in a file of CoNLL-2012, line by line, by rules of their own.

Where a file is untidy, they find other documents and other mentions in it than our reader: a
comment is a token to them, a document whose directive is written in another way is not there. Each
reader here follows a program's source and knows nothing of ours but how to unpack a file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from io import TextIOWrapper
from typing import NamedTuple

from corefeval.errors import CorefError
from corefeval.programs.bundles import NoScore
from corefeval.readers.files import opened

REREAD = 20
"""How many times as many lines as a file has may be read: a program that does not see the end of
any document reads on to the end of the file from each."""


class RawMention(NamedTuple):
    """A mention as a program lists it."""

    entity: str
    place: tuple[int, ...]
    """What the program calls the mention; two of the same place are the same mention."""
    lines: tuple[int, int]
    """The lines of the file, counted from 1, where it begins and ends."""
    file: int = 0
    """The number of the file among those of its side."""

    def of_file(self, number: int) -> RawMention:
        return self._replace(file=number) if number else self


Reading = dict[str, list[RawMention]]
"""The mentions of each document, by the name that the program gives it."""


# The reference scorer, lib/CorScorer.pm: GetFileNames and GetCoreference

PERL_BEGIN = re.compile(r"#\s*begin document (.*)", re.ASCII)
PERL_END = re.compile(r"#\s*end document", re.ASCII)
DISCARDED = re.compile(r"\(\d+\+\d\)", re.ASCII)
ONE_TOKEN = re.compile(r"\((\d+)\)", re.ASCII)
OPENS = re.compile(r"\((\d+)", re.ASCII)
CLOSES = re.compile(r"(\d+)\)", re.ASCII)
PERL_BLANKS = " \t\r\f\v"


def reference_scorer(
    path: str, only: Container[str] | None = None, *, tokens_of_blanks: bool = False
) -> Reading:
    """As the reference scorer reads; its versions before 8.01 take lines of blanks for tokens.

    Of a response it reads ``only`` the documents of the key; of a key, all of them. Raises
    `NoScore` where it stops.
    """
    with opened(path) as file:
        # Perl reads bytes, of which Latin-1 makes a character each, and ends a line at \n alone.
        lines = file.read().decode("latin-1").split("\n")
    begins: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if found := PERL_BEGIN.fullmatch(line.removesuffix("\r")):
            # Of two documents with one name it keeps the last.
            begins[found[1]] = number
    blanks = "" if tokens_of_blanks else PERL_BLANKS
    # A program that misses every end reads the file once for each document: that may take for ever.
    left = REREAD * len(lines)
    read: Reading = {}
    for name, begin in _in_utf8(begins, only):
        tokens, ended = [], False
        for number in range(begin + 1, len(lines) + 1):
            line = lines[number - 1]
            if PERL_END.search(line):
                ended = True
                break
            if line.strip(blanks) if blanks else line:
                tokens.append((number, line))
        left -= len(tokens)
        if left < 0:
            raise CorefError(f"{path}: it reads each line more than {REREAD} times")
        read[name] = list(_by_brackets(path, tokens, ended))
    return read


def _in_utf8(begins: dict[str, int], only: Container[str] | None) -> Iterator[tuple[str, int]]:
    """Documents by the names that their bytes are as UTF-8, and the lines where they begin."""
    for name, begin in begins.items():
        # Our names are texts in UTF-8, and the two have to be compared.
        read = name.encode("latin-1").decode("utf-8", "replace")
        if only is None or read in only:
            yield read, begin


def _by_brackets(path: str, tokens: Sequence[tuple[int, str]], ended: bool) -> Iterator[RawMention]:
    """The mentions of a document: what is in brackets in the last of the columns between tabs.

    An open mention matters only at a line that ends the document, not at the end of the file.
    """
    begun: defaultdict[str, list[int]] = defaultdict(list)
    for token, (number, line) in enumerate(tokens):
        # Perl's split drops empty columns at the end of a line.
        column = line.rstrip("\t").rpartition("\t")[2]
        # Without a bracket no pattern can match; most lines have none.
        if not ("(" in column or ")" in column):
            continue
        # The order is the program's: each pattern sees what the ones before it have left.
        _, column = _taken(DISCARDED, column)
        alone, column = _taken(ONE_TOKEN, column)
        opened, column = _taken(OPENS, column)
        closed, _ = _taken(CLOSES, column)
        for entity in alone:
            yield RawMention(entity, (token, token), (number, number))
        for entity in opened:
            begun[entity].append(token)
        for entity in closed:
            if not begun[entity]:
                raise NoScore(f"{path}, line {number}: it stops at '{entity})', not opened before")
            # Of several open mentions of an entity the last one ends first.
            first = begun[entity].pop()
            yield RawMention(entity, (first, token), (tokens[first][0], number))
    for entity, firsts in begun.items():
        if firsts and ended:
            place = tokens[firsts[0]][0]
            raise NoScore(f"{path}, line {place}: it stops, as '({entity}' is not closed")


def _taken(pattern: re.Pattern[str], column: str) -> tuple[list[str], str]:
    """All that a pattern finds, also in what is left when it is taken out, and the rest."""
    found: list[str] = []
    while more := pattern.findall(column):
        found += more
        column = pattern.sub("", column)
    return found, column


# coval, coval/conll/reader.py: get_doc_lines, get_doc_mentions and extract_coref_annotation

COVAL_BEGIN, COVAL_END = "#begin document", "#end document"
Line = tuple[int, str]


def coval(
    path: str, only: Container[str] | None = None, *, stops_at_bare_numbers: bool = True
) -> Reading:
    """As coval reads: a mention's place is its sentence and the tokens in it.

    Of a response it reads ``only`` the documents of the key; of a key, all of them. Raises
    `NoScore` where it stops: at a number without a bracket before a bar, for one, where its fork
    does not.
    """
    read = {}
    for line, sentences in _coval_sentences(path).items():
        # coval calls a document by the rest of the line, its line break included.
        name = line.removesuffix("\n")
        if only is None or name in only:
            read[name] = _coval_mentions(path, sentences, stops_at_bare_numbers)
    return read


def _coval_sentences(path: str) -> dict[str, list[list[Line]]]:
    documents: dict[str, list[list[Line]]] = {}
    name, between = "", True
    with TextIOWrapper(opened(path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith(COVAL_BEGIN):
                name = line[len(COVAL_BEGIN) + 1 :]
            elif line.startswith(COVAL_END):
                name = ""
            elif name:
                sentences = documents.setdefault(name, [])
                if not sentences or (not line.strip() and not between):
                    sentences.append([])
                between = not line.strip()
                if not between:
                    sentences[-1].append((number, line))
    return documents


def _coval_mentions(
    path: str, sentences: Sequence[Sequence[Line]], stops_at_bare_numbers: bool
) -> list[RawMention]:
    mentions: list[RawMention] = []
    begun: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    closing_nothing: dict[str, int] = {}
    for number, sentence in enumerate(sentences):
        for token, (line, text) in enumerate(sentence):
            marks = _coval_marks(path, line, text.split()[-1], stops_at_bare_numbers)
            for entity in marks.alone:
                mentions.append(RawMention(entity, (number, token, token), (line, line)))
            for entity in marks.opens:
                begun[entity].append((token, line))
            for entity in marks.closes:
                if begun[entity]:
                    first, begin = begun[entity].pop()
                    mentions.append(RawMention(entity, (number, first, token), (begin, line)))
                else:
                    # coval goes on here, and stops later if the entity has no mention at all.
                    closing_nothing[entity] = line
    for entity in closing_nothing.keys() - {each.entity for each in mentions}:
        raise NoScore(
            f"{path}, line {closing_nothing[entity]}: '{entity})' closes nothing, and its B³ stops "
            "at an entity without mentions"
        )
    return mentions


class CovalMarks(NamedTuple):
    """The entities of the mentions that are one token, begin and end in a line."""

    alone: list[str]
    opens: list[str]
    closes: list[str]


def _coval_marks(path: str, line: int, column: str, stops_at_bare_numbers: bool) -> CovalMarks:
    """What coval reads in a last column, character by character."""
    marks = CovalMarks([], [], [])
    digits, opened = "", False
    # coval looks at no column that has no digit.
    for character in column if any(map(str.isdigit, column)) else "":
        if character.isdigit():
            digits += character
        elif character == "(":
            digits, opened = "", True
        elif character == ")":
            if digits:
                (marks.alone if opened else marks.closes).append(str(int(digits)))
            digits, opened = "", False
        elif character == "|":
            if opened and digits:
                marks.opens.append(str(int(digits)))
            elif opened or (digits and stops_at_bare_numbers):
                raise NoScore(f"{path}, line {line}: it stops at {column!r}")
            digits, opened = "", False
    if opened and digits:
        marks.opens.append(str(int(digits)))
    return marks


READERS: dict[str, Callable[..., Reading]] = {
    "reference": reference_scorer,
    "perl_v7": partial(reference_scorer, tokens_of_blanks=True),
    "coval": coval,
    "coval_fork": partial(coval, stops_at_bare_numbers=False),
}
"""By the name that bundles have under `reading`."""
