"""Lines of a file that we read as if they were tidy, and other scorers read otherwise.

What such a scorer prints for these files is not known here: `explain` says so, and ``like``
refuses them.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.readers import conll
from corefeval.readers.conll import ConllDocument
from corefeval.readers.files import StrPath, lines_of, opened

if TYPE_CHECKING:
    from corefeval.readers.corefud import CorefudDocument
    from corefeval.readers.matching import Headed

BYTE_ORDER_MARK = "\ufeff"
LONE_RETURN = re.compile(r"\r(?!\n)")
TIDY_BEGIN = re.compile(r"#\s*begin document .*", re.ASCII)
TIDY_END = re.compile(r"#\s*end document", re.ASCII)
BEFORE_NAME = re.compile(r"(?i)\s*#\s*begin\s+document ?")
NUMBER_BESIDE_BRACKET = re.compile(r"\([0-9]|[0-9]\)")
NO_BAR = re.compile(r"[0-9]\(")
NAME = re.compile(r"\([^()|0-9]|[^()|0-9][0-9]*\)")
BARE_NUMBER = re.compile(r"(?:^|[|)])[0-9]+(?=$|[|(])")


class Kind(NamedTuple):
    """Lines of one kind."""

    readers: Mapping[str, str]
    """What readers (`Bundle.reading`) make of such a line; all others read it as we do."""
    mend: str


def _kinds() -> dict[str, Kind]:
    text = files("corefeval.scorers").joinpath("lines.toml").read_text(encoding="utf-8")
    found = {}
    for name, kind in tomllib.loads(text).items():
        said = kind.get("readers", {}).items()
        readers = {reader: what for several, what in said for reader in several.split()}
        found[name] = Kind(readers, kind["mend"])
    return found


KINDS = _kinds()


Untidy = tuple[str, str, int, str]
"""The kind of a line, one of `KINDS`, its document, its number, and what is untidy in it."""


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
        yield "mark", first, 1, "a byte-order mark stands before the line"
    # Perl does not end a line there, and so sees one long line.
    if found := LONE_RETURN.search(text):
        line = text.count("\n", 0, found.start()) + text.count("\r", 0, found.start()) + 1
        # A line break of Windows was counted by both of its signs.
        line -= text.count("\r\n", 0, found.start())
        yield "line end", first, line, "the line ends with a carriage return alone"
    lines = lines_of(text)
    for name, document in documents.items():
        for kind, line, what in _of_document(lines, document):
            yield kind, name, line, what


def _of_document(lines: Sequence[str], document: ConllDocument) -> Iterator[tuple[str, int, str]]:
    """The kind, the line and the words of all that is untidy in a document."""
    begin = document.begin
    for kind, what in _directive(lines[begin - 1], TIDY_BEGIN, "'#begin document (NAME)…'"):
        yield kind, begin, what
    yield from _turned(document)
    after = begin + 1
    for first, end in document.runs():
        yield from _between(lines, after, first)
        for number, line in enumerate(lines[first - 1 : end - 1], first):
            # Most lines have neither a bracket nor a number of an entity.
            if not line.endswith(conll.NO_MENTION) or "(" in line or ")" in line or "#" in line:
                yield from ((kind, number, what) for kind, what in _token(line))
        after = end
    yield from _between(lines, after, len(lines) + 1)


def _between(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[str, int, str]]:
    """The same of lines that are no tokens: up to another line, or to the document's end."""
    for number in range(first, end):
        line = lines[number - 1]
        if conll.END.match(line.lstrip(BYTE_ORDER_MARK).strip()):
            for kind, what in _directive(line, TIDY_END, "'#end document'"):
                yield kind, number, what
            return
        if line.strip():
            yield "comment", number, "a comment stands between the tokens"
        elif line:
            yield "blank", number, "the line looks empty but holds a blank"


def _turned(document: ConllDocument) -> Iterator[tuple[str, int, str]]:
    """Mentions of several entities that begin in one order, and end in another."""
    of_span: defaultdict[conll.Span, list[str]] = defaultdict(list)
    for entity, spans in document.mentions.items():
        for span in spans:
            of_span[span].append(entity)
    several = {span: entities for span, entities in of_span.items() if len(entities) > 1}
    ends = _first_ends(document, {*chain.from_iterable(several.values())})
    for (first, last), entities in several.items():
        if any(ends[one] > ends[other] for one, other in pairwise(entities)):
            of = ", ".join(entities)
            what = f"is in entities {of}, which begin in this order and end in another"
            yield (
                "turned",
                document.line(first),
                f"the mention to line {document.line(last)} {what}",
            )


def _first_ends(document: ConllDocument, entities: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Where the first mention of each entity ends: the token, and the mark in its column."""
    first = {entity: min(last for _, last in document.mentions[entity]) for entity in entities}
    found: dict[str, tuple[int, int]] = {}
    for token in {*first.values()}:
        column = document.tokens[token].split()[-1]
        for place, (_, entity, ends) in enumerate(conll.marks(column)):
            if ends and first.get(entity) == token:
                found.setdefault(entity, (token, place))
    return found


def together(document: CorefudDocument) -> Iterator[Untidy]:
    """Mentions of several entities that CorefUD's scorer takes in another order than we do."""
    of_nodes: defaultdict[Hashable, dict[str, Headed]] = defaultdict(dict)
    for entity, mentions in document.entities.items():
        for mention in mentions:
            of_nodes[mention.sentence, mention.nodes].setdefault(entity, mention)
    for given in of_nodes.values():
        # Ours stand in the order of their brackets.
        firsts = [(entity, document.entities[entity][0]) for entity in given]
        if any(
            one[:2] == other[:2] and one > other for one, other in pairwise(map(_order, firsts))
        ):
            line = min(mention.line for mention in given.values())
            what = (
                f"a mention is in entities {', '.join(given)}, of which two begin at the same word"
            )
            yield "together", document.name, line, what


def _order(entity: tuple[str, Headed]) -> tuple[Any, ...]:
    """By what CorefUD's scorer orders entities: where they begin, the longer first, the name."""
    name, mention = entity
    return mention.sentence, mention.nodes[0], -len(mention.nodes), name


def _directive(line: str, tidy: re.Pattern[str], expected: str) -> Iterator[tuple[str, str]]:
    line = line.lstrip(BYTE_ORDER_MARK)
    if not tidy.match(line):
        yield "directive", f"{line.strip()!r} is not written as {expected}"
    elif line[1].isspace():
        yield "gap", "a blank stands between '#' and the word"


def _token(line: str) -> Iterator[tuple[str, str]]:
    column = line.rsplit(None, 1)[-1]
    # The reference scorer looks for this directive anywhere in a line.
    if "#" in line and TIDY_END.search(line):
        yield "end", "the line of a token holds '# end document'"
    between_tabs = line.rstrip("\t").rpartition("\t")[2].rstrip()
    # The reference scorer splits columns at tabs alone, and so takes a word for a mark.
    before = between_tabs.removesuffix(column)
    if ("(" in before or ")" in before) and NUMBER_BESIDE_BRACKET.search(before):
        yield "columns", "columns are apart by blanks, and a word has a number in brackets"
    # Most columns have no mention, and most others one mark.
    if column in ("-", "_") or conll.MARK.fullmatch(column):
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
    for name, document in response.items():
        if name not in key:
            continue
        ours, theirs = _name_in(key[name]), _name_in(document)
        if ours != theirs:
            what = f"the name is written {theirs!r}, but {ours!r} in {key[name].path}"
            yield "name", name, document.begin, f"{what}, line {key[name].begin}"


def _name_in(document: ConllDocument) -> str:
    """What the line that begins a document writes after 'document'."""
    return BEFORE_NAME.sub("", document.first_line.lstrip(BYTE_ORDER_MARK), count=1)
