"""What in files scorers read by rules of their own, which are not followed here.

What such a scorer prints for these files is not known: `like` refuses them, and `explain` says so.
Lines are not told apart by what each scorer would make of them. Whatever is not written in the one
way that all read alike is strange to all that read lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import CorefError, NoScore, shortened, warn
from corefeval.readers import conll, corefud
from corefeval.readers.files import CONLL, COREFUD, StrPath, files_in, format_of, opened
from corefeval.readers.matching import moved_zeros, tied_zeros
from corefeval.scoring import Corpus

if TYPE_CHECKING:
    from corefeval.given import Given
    from corefeval.readers import FilePair
    from corefeval.scorers.bundles import Bundle

MARK = r"(?:\([0-9]+\)?|[0-9]+\))"
LAST_COLUMN = re.compile(rf"[-_]|{MARK}(?:\|?{MARK})*")
NO_MARK = ("-", "_")
NO_BAR = re.compile(r"[0-9]\(")
NUMBER_BESIDE_BRACKET = re.compile(r"\([0-9]|[0-9]\)")
DIRECTIVE = re.compile(r"#begin document .*\S|#end document.*")
DIRECTIVE_WITH_GAP = re.compile(r"#\s+(?:begin document .*\S|end document.*)")
END_IN_LINE = re.compile(r"#\s*end document")
LONE_RETURN = re.compile(r"\r(?!\n)")
OF_PERL = {"reference", "perl_v7"}
OF_COVAL = {"coval", "coval_fork", "ua1"}
READERS = {
    "line": OF_PERL | OF_COVAL,
    "name": OF_PERL | OF_COVAL,
    "return": OF_PERL,
    "blank": {"perl_v7"},
    "gap": OF_COVAL,
    "bar": OF_COVAL,
    "turned": {"coval", "coval_fork"},
    "repeated": {"ua1"},
    "together": {"corefud"},
    "zero": {"corefud"},
}
"""By kind of what is strange: the readers (`Bundle.reading`) to which it is."""
TIED = "CorefUD's scorer may score otherwise: a zero fits several zeros equally well"
OWN_RULES = "the scorer may read this by rules of its own"
MOVED = "CorefUD's scorer may score otherwise: it confuses a zero with what is at its place"
SHOWN = 3


class Strange(NamedTuple):
    """Something that some scorers read otherwise than we do."""

    kind: str
    file: str
    line: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.line}' if self.line else ''}: {self.what}"

    def hits(self, bundle: Bundle) -> bool:
        """Whether it may change what this scorer prints."""
        if self.kind == "order":
            return bundle.minds_order
        if self.kind == "sentence":
            return bundle.places == "sentence"
        return bundle.reading in READERS[self.kind]


def read_as_scorer(bundle: Bundle, given: Given, choice: Conventions) -> tuple[Corpus, Corpus]:
    """Both sides for a scorer: for ``like`` and for `corefeval.explain`.

    Raises `CorefError` for what it reads otherwise than we do, `NoScore` where it stops.
    """
    both = given.read(choice)
    if met := [strange for strange in strange_in(given) if strange.hits(bundle)]:
        raise CorefError(
            f"like={bundle.name!r}: {OWN_RULES}, so its score is not known: "
            f"{_first_of([*map(str, met)])}; mend it, or leave out like"
        )
    key, response = bundle.scored_documents(*both)
    if choice.missing == "error":
        try:
            given.refuse_lacking(key, response)
        except CorefError as error:
            raise NoScore(str(error)) from None
    return key, response


def zeros_in(given: Given, choice: Conventions) -> list[Strange]:
    """The zeros of CorefUD that the scorer may match otherwise than we do, by these choices."""
    given.read(choice)
    if not given.matches or given.files is None or choice.zero_match != "dependent":
        return []
    strange = []
    for mentions in given.files.own.values():
        for what, zeros in ((TIED, tied_zeros(mentions)), (MOVED, moved_zeros(mentions))):
            strange += [Strange("zero", zero.file, zero.line, what) for zero in zeros]
    return strange


def warn_of_zeros(bundle: Bundle, given: Given, choice: Conventions) -> None:
    """Say where the scorer may match a zero otherwise than we do, and print another score."""
    met = list(dict.fromkeys(str(z) for z in zeros_in(given, choice) if z.hits(bundle)))
    if met:
        warn(f"like={bundle.name!r}: {_first_of(met)}")


def _first_of(messages: Sequence[str]) -> str:
    """The first of these messages, and how many more there are."""
    more = f"; and {len(messages) - SHOWN} more" if len(messages) > SHOWN else ""
    return f"{'; '.join(messages[:SHOWN])}{more}"


def warn_of_data_sets(bundle: Bundle, given: Given) -> None:
    """Say of several files of CorefUD that the shared tasks print the mean over data sets."""
    number = len(files_in(given.paths[0]))
    if bundle.reading == "corefud" and number > 1:
        warn(
            f"like={bundle.name!r}: these totals are over all documents of {number} files, and the "
            "shared tasks CRAC print the mean over data sets: score each by itself, as the page "
            "Files and recipes does"
        )


def strange_in(given: Given) -> list[Strange]:
    """All that some scorer reads otherwise in what was given and is read: in its files."""
    if given.strange is None:
        given.strange = list(_strange(given))
    return given.strange


def _strange(given: Given) -> Iterator[Strange]:
    for path in given.paths:
        format = format_of(path)
        if format is COREFUD:
            yield from _of_corefud(path)
        if format is CONLL:
            for file in files_in(path):
                with opened(file) as content:
                    yield from _strange_lines(str(file), content.read().decode("utf-8"))
    if given.files is not None:
        yield from _given_twice(given.files)
        if CONLL in given.files.formats:
            yield from _other_documents(given.files)


def _given_twice(files: FilePair) -> Iterator[Strange]:
    """Mentions that a document has twice."""
    for document in chain.from_iterable(side.values() for side in files.documents):
        if document.repeats():
            where = str(document.path), document.line
            yield Strange("repeated", *where, "it has a mention twice")
            if isinstance(document, conll.ConllDocument) and _turned(document):
                what = "entities of a mention begin and end in other orders"
                yield Strange("turned", *where, what)


def _other_documents(files: FilePair) -> Iterator[Strange]:
    """Documents in another order, with other names, or cut into other sentences."""
    key, response = files.documents
    if any(i != j for i, j in zip(key, response, strict=False)):
        yield Strange("order", str(files.paths[1]), None, "documents are in another order")
    for name in dict.fromkeys([*key, *response]):
        both = [side[name] for side in (key, response) if name in side]
        ours, theirs = both[0], both[-1]
        where = str(theirs.path), theirs.line
        names = ours.spelled, theirs.spelled
        if not all(names):
            names = ours.name, theirs.name
        if names[0] != names[1]:
            yield Strange("name", *where, f"{names[1]!r} is {names[0]!r} in the key")
        if ours.sentences != theirs.sentences:
            yield Strange("sentence", *where, f"document {name!r} is cut into other sentences")
        elif _share_a_place(both):
            what = "two mentions begin and end as far into their sentences, and end in the same"
            yield Strange("sentence", *where, f"document {name!r}: {what}")


def _share_a_place(documents: Sequence[Any]) -> bool:
    """Whether mentions are taken for one by who knows them by the sentence in which they end."""
    # A file without words tells of no sentence.
    begins = documents[0].sentences or [0]
    mentions = set(chain.from_iterable(document.mentions() for document in documents))
    places = set()
    for first, last in mentions:
        here, there = _sentence(begins, first), _sentence(begins, last)
        places.add((there, first - begins[here], last - begins[there]))
    return len(places) < len(mentions)


def _sentence(begins: Sequence[int], token: int) -> int:
    """The number of a token's sentence."""
    return bisect_right(begins, token) - 1


def _turned(document: conll.ConllDocument) -> bool:
    """Whether entities that share a mention end first in another order than they begin in.

    Those scorers give such a mention to the entity that ends last, and we to the one begun last.
    """
    ends = {entity: n for n, entity in enumerate(document.ended)}
    holders: defaultdict[Any, list[str]] = defaultdict(list)
    for name, mentions in document.entities.items():
        for mention in mentions:
            holders[mention].append(name)
    pairs = chain.from_iterable(map(pairwise, holders.values()))
    return any(ends[one] > ends[other] for one, other in pairs)


def _of_corefud(path: StrPath) -> Iterator[Strange]:
    for document in corefud.documents(path):
        if _in_another_order(document.entities):
            what = f"document {document.name!r}: entities of a mention begin at one word"
            yield Strange("together", str(path), None, what)


def _in_another_order(entities: Mapping[str, Sequence[Any]]) -> bool:
    """Whether CorefUD's scorer takes the entities that share a mention in another order than we.

    It orders them by where they begin, the longer first, then by name; ours stand in the order of
    their brackets.
    """
    holders: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
    for name, (first, *_) in entities.items():
        begins = first.sentence, first.nodes[0]
        for mention in entities[name]:
            order = begins, -len(first.nodes), name
            holders[mention.sentence, mention.nodes].setdefault(name, order)
    pairs = (pair for given in holders.values() for pair in pairwise(given.values()))
    return any(one[0] == other[0] and one > other for one, other in pairs)


def _strange_lines(file: str, text: str) -> Iterator[Strange]:
    """What is strange in the lines of a file of CoNLL-2012: whatever is not written in one way."""
    inside = False
    if LONE_RETURN.search(text):
        yield Strange("return", file, None, "lines end with a carriage return alone")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        # Most lines are tokens without a mark.
        if inside and line.endswith(NO_MARK) and _is_token(line):
            continue
        if DIRECTIVE.fullmatch(line):
            inside = line.startswith("#begin")
        elif DIRECTIVE_WITH_GAP.fullmatch(line):
            inside = "begin" in line
            yield Strange("gap", file, number, f"a blank stands after '#': {shortened(line)}")
        elif inside:
            yield from _line_inside(file, number, line)
        elif conll.BEGIN.fullmatch(line.lstrip("\ufeff")):
            inside = True
            yield Strange("line", file, number, f"{shortened(line)} is not read alike by all")


def _line_inside(file: str, number: int, line: str) -> Iterator[Strange]:
    """What is strange in a line of a document."""
    if line.isspace():
        yield Strange("blank", file, number, "the line looks empty but holds a blank")
    elif line and not _is_token(line):
        what = "the comment " if line.startswith("#") else ""
        yield Strange("line", file, number, f"{what}{shortened(line)} is not read alike by all")
    elif line and NO_BAR.search(line.rsplit(None, 1)[-1]):
        what = f"marks of {shortened(line)} are not apart by '|'"
        yield Strange("bar", file, number, what)


def _is_token(line: str) -> bool:
    """Whether all read this line as the same token."""
    if "#" in line and (END_IN_LINE.search(line) or _is_comment(line)):
        return False
    column = line.rsplit(None, 1)[-1]
    # Some take columns apart by blanks for one, in which they look for marks.
    before = line.rstrip().rpartition("\t")[2].removesuffix(column)
    # Most lines have no bracket there, which is seen twenty times as fast as by a search.
    if ("(" in before or ")" in before) and NUMBER_BESIDE_BRACKET.search(before):
        return False
    return column in NO_MARK or LAST_COLUMN.fullmatch(column) is not None


def _is_comment(line: str) -> bool:
    return line.startswith("#") and not conll.HASHTAG.fullmatch(line)
