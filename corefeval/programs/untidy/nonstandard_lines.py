"""Lines of CoNLL-2012 that we read as if they were tidy, and other programs read otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from corefeval.readers import conll
from corefeval.readers.conll import ConllDocument
from corefeval.readers.files import StrPath, lines_of, opened

BYTE_ORDER_MARK = "\ufeff"
"""A byte-order mark, which some editors put before the first line."""
LONE_RETURN = re.compile(r"\r(?!\n)")
TIDY_BEGIN = re.compile(r"#\s*begin document .*", re.ASCII)
TIDY_END = re.compile(r"#\s*end document", re.ASCII)
BEFORE_NAME = re.compile(r"(?i)\s*#\s*begin\s+document ?")
NUMBER_BESIDE_BRACKET = re.compile(r"\([0-9]|[0-9]\)")
NO_BAR = re.compile(r"[0-9]\(")
NAME = re.compile(r"\([^()|0-9]|[^()|0-9][0-9]*\)")
BARE_NUMBER = re.compile(r"(?:^|[|)])[0-9]+(?=$|[|(])")


class Untidy(NamedTuple):
    """A line, and what it is called in `wording.BY_KIND`."""

    kind: str
    document: str
    line: int
    what: str


def untidy(documents: Mapping[str, ConllDocument]) -> Iterator[Untidy]:
    """What is untidy in the lines of all files in which we read these documents."""
    in_file: defaultdict[StrPath, dict[str, ConllDocument]] = defaultdict(dict)
    for name, document in documents.items():
        in_file[document.path][name] = document
    for path, few in in_file.items():
        yield from _untidy_in_file(path, few)


def _text_of(path: StrPath) -> str:
    with opened(path) as file:
        return file.read().decode("utf-8")


def _untidy_in_file(path: StrPath, documents: Mapping[str, ConllDocument]) -> Iterator[Untidy]:
    text = _text_of(path)
    first = next(iter(documents))
    if text.startswith(BYTE_ORDER_MARK):
        yield Untidy("mark", first, 1, "a byte-order mark stands before the line")
    # Perl does not end a line there, and so sees one long line.
    if found := LONE_RETURN.search(text):
        line = text.count("\n", 0, found.start()) + text.count("\r", 0, found.start()) + 1
        # A line break of Windows was counted by both of its signs.
        line -= text.count("\r\n", 0, found.start())
        yield Untidy("line end", first, line, "the line ends with a carriage return alone")
    lines = lines_of(text)
    for name, document in documents.items():
        for kind, line, what in _of_document(lines, document):
            yield Untidy(kind, name, line, what)


def _of_document(lines: Sequence[str], document: ConllDocument) -> Iterator[tuple[str, int, str]]:
    """The kind, the line and the words of all that is untidy in a document."""
    begin = document.begin
    for kind, what in _directive(lines[begin - 1], TIDY_BEGIN, "'#begin document (NAME)…'"):
        yield kind, begin, what
    # What our reader took for a token is known; all other lines may be untidy.
    tokens = {document.line(token) for token in range(len(document.tokens))}
    for number, line in _from(lines, begin + 1):
        if number in tokens:
            yield from ((kind, number, what) for kind, what in _token(line))
        elif conll.END.match(line.lstrip(BYTE_ORDER_MARK).strip()):
            for kind, what in _directive(line, TIDY_END, "'#end document'"):
                yield kind, number, what
            return
        elif line.strip():
            yield "comment", number, "a comment stands between the tokens"
        elif line:
            yield "blank", number, "the line looks empty but holds a blank"


def _from(lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """The lines from one on, with their numbers; no copy of all that follow is made."""
    return ((number, lines[number - 1]) for number in range(first, len(lines) + 1))


def _directive(line: str, tidy: re.Pattern[str], expected: str) -> Iterator[tuple[str, str]]:
    line = line.lstrip(BYTE_ORDER_MARK)
    if not tidy.match(line):
        yield "directive", f"{line.strip()!r} is not written as {expected}"
    elif line[1].isspace():
        yield "gap", "a blank stands between '#' and the word"


def _token(line: str) -> Iterator[tuple[str, str]]:
    *_, column = line.split()
    # The reference scorer looks for this directive anywhere in a line.
    if TIDY_END.search(line):
        yield "end", "the line of a token holds '# end document'"
    between_tabs = line.rstrip("\t").rpartition("\t")[2].rstrip()
    # The reference scorer splits columns at tabs alone, and so takes a word for a mark.
    if NUMBER_BESIDE_BRACKET.search(between_tabs.removesuffix(column)):
        yield "columns", "columns are apart by blanks, and a word has a number in brackets"
    # Most columns have no mention.
    if column in ("-", "_"):
        return
    if NO_BAR.search(column):
        yield "bar", f"no bar parts the marks {column!r}"
    if NAME.search(column):
        yield "named", f"{column!r} names entities by more than a number"
    elif BARE_NUMBER.search(column):
        yield "bare", f"{column!r} has a number without a bracket"


def of_names(sides: Sequence[Mapping[str, ConllDocument]]) -> Iterator[Untidy]:
    """Documents of one name that the two sides write in two ways."""
    key, response = sides
    if not (key and response):
        return
    lines = [_lines_at(side) for side in sides]
    for name in response:
        if name not in key:
            continue
        ours, theirs = (each[name] for each in lines)
        if ours != theirs:
            what = f"the name is written {theirs!r}, but {ours!r} in {key[name].path}"
            line = f"{what}, line {key[name].begin}"
            yield Untidy("name", name, response[name].begin, line)


def _lines_at(documents: Mapping[str, ConllDocument]) -> dict[str, str]:
    """What the lines that begin documents write after 'document', by the documents' names."""
    path, lines = None, [""]
    found = {}
    for name, document in documents.items():
        if document.path != path:
            path = document.path
            lines = lines_of(_text_of(path))
        line = lines[document.begin - 1].lstrip(BYTE_ORDER_MARK)
        found[name] = BEFORE_NAME.sub("", line, count=1)
    return found
