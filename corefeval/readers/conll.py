r"""CoNLL-2012: the format of the shared task and of the reference scorer.

A document is what stands between ``#begin document (NAME); part NNN`` and ``#end document``: one
token per line, its columns apart by tabs or blanks, empty lines between sentences. Only the last
column counts: ``-`` or ``_``, or parts joined by ``|``: ``(12`` where a mention of entity 12
begins, ``12)`` where it ends, ``(12)`` where it is one token. A bar may be missing next to a
bracket, as in ``(1(3``. A mention is the pair (first token, last token), counted from 0 in its
document.

A line that begins with ``#`` is a token, too, if it is in a document and its last column consists
of brackets, digits and bars, or is ``-`` or ``_``: a hashtag may be the word of the first column.
Any other is a comment.

As in the reference scorer, a line is read in the order one-token mentions, beginnings, ends,
whatever order it is written in, and an end closes the mention of its entity that began last.
Unlike it, this reader refuses what it cannot be sure of (a document without an end, tokens that
do not pair up, a number without a bracket) and is not troubled by what has no meaning (line ends,
blanks, comments, which the reference scorer counts as tokens).

Source: the data format of Pradhan et al. 2012, "CoNLL-2012 shared task"; reference scorer v8.01.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter

from corefeval.conventions import DEFAULTS, Conventions, check
from corefeval.errors import CorefError
from corefeval.partition import Partition, as_partition
from corefeval.readers.files import (
    Entities,
    StrPath,
    blocks,
    check_same_documents,
    entities_of,
    side_by_side,
    warn,
)

Span = tuple[int, int]

BEGIN = re.compile(r"#\s*begin\s+document\b\s*(.*)", re.IGNORECASE)
END = re.compile(r"#\s*end\s+document\b", re.IGNORECASE)
NAME = re.compile(r"(?:\((?P<inner>.*)\)|(?P<bare>.*?))\s*(?:;\s*(?:part\s+(?P<part>\S+))?)?")

MARKED = re.compile(r"\s(?:[-_]|[0-9|]*[()][0-9()|]*)$")
"""The last column of a line that begins with ``#`` and is a token."""
NO_BAR = re.compile(r"(?<=\))(?=[(0-9])|(?<=[0-9])(?=\()")
"""Where a bar may be missing."""
JOINED = re.compile(r"\(([0-9]+)(?:\([0-9]+\))+([0-9]+)\)")
"""What the reference scorer reads as one more mark once it has taken out the inner ones."""
NO_MENTION = {" -", "\t-", " _", "\t_"}
COLUMN = "'-' or mentions like '(12', '12)' or '(12)', joined by '|'"
BEGIN_LIKE = "'#begin document (NAME); part 000'"


class Document:
    """A document as far as it is read: its token lines, where they are, and its mentions."""

    def __init__(self, name: str, begin: int) -> None:
        self.name = name
        self.begin = begin
        """The line of its ``#begin``; lines are counted from 1, tokens from 0."""
        self.ended = False
        self.size = 0
        """How many tokens it has."""
        self.tokens: list[str] = []
        """The line of each token, but for those that `read_pair` has compared and let go."""
        self.differs: tuple[int, str] | None = None
        """The first token whose word differs on the other side, and where it is."""
        self.entities: defaultdict[str, list[Span]] = defaultdict(list)
        """The mentions of each entity; the entities in the order in which they begin."""
        self.begun: defaultdict[str, list[int]] = defaultdict(list)
        """The first tokens of the mentions of each entity that are open."""
        self.searched = 0
        """How many tokens were searched for mentions."""
        self.blanks: list[int] = []
        """The lines that hold a blank and nothing else."""
        self.comments: list[int] = []
        self._runs: list[Span] = []

    def extend(self, number: int, lines: list[str]) -> None:
        """Take a run of token lines, of which the first is line ``number``."""
        self._runs.append((self.size, number))
        self.tokens += lines
        self.size += len(lines)

    def line(self, token: int) -> int:
        """The number of a token's line."""
        first, number = self._runs[bisect_right(self._runs, token, key=itemgetter(0)) - 1]
        return number + token - first

    def tokens_above(self, line: int) -> int:
        """How many tokens are above a line that is none."""
        run = bisect_right(self._runs, line, key=itemgetter(1))
        return self._runs[run][0] if run < len(self._runs) else self.size

    @property
    def sentences(self) -> list[int]:
        """The first token of each sentence: empty lines part them, comments do not."""
        comments = Counter(map(self.tokens_above, self.comments))
        return [
            token
            for token, number in self._runs
            if not token or number - self.line(token - 1) - 1 > comments[token]
        ]


def read(path: StrPath, *, repeated: str = "error") -> dict[str, Partition]:
    r"""The documents of a CoNLL-2012 file, by ``"NAME; part NNN"``, in its order.

    ``repeated`` says what becomes of a mention that is given twice (see `Partition`); the entity
    that begins first is the first.

    Raises `CorefError`, which names file and line, for a file that cannot be read and for all
    that would make a score doubtful: a bracket or a document that is not closed, a token outside
    a document, a document begun twice, a last column that is no coreference.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> lines = ["#begin document (d); part 000", "Ann\t(0)", "sees\t-", "her\t(1|(0)", "cat\t1)"]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "key.conll")
    ...     _ = path.write_text("\n".join([*lines, "#end document"]))
    ...     read(path)
    {'d; part 000': Partition('{(0, 0) (2, 2)} {(2, 3)}')}
    """
    check("repeated", repeated)
    return {
        document.name: as_partition(entities(path, document, repeated), repeated=repeated)
        for document in _once(path, documents(path))
    }


def read_pair(
    key_path: StrPath, response_path: StrPath, choice: Conventions = DEFAULTS
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response to it: see `read`.

    Where mentions are given twice and ``choice.repeated`` allows it, a document's entities are
    lists of mentions, in the order in which they begin.

    Raises `CorefError` also for a document on one side only, unless ``choice.missing`` allows it,
    and for a document with more tokens on one side: its mentions would not pair up. Words (the
    fourth of five or more columns) that differ are only warned of, once per document.
    """
    key, response = side_by_side(
        _once(key_path, _as_read(key_path)),
        _once(response_path, _as_read(response_path)),
        lambda ours, theirs: _check_same_tokens(key_path, ours, response_path, theirs),
    )
    if choice.missing == "error":
        check_same_documents(key_path, key, response_path, response)
    return (
        {name: entities(key_path, each, choice.repeated) for name, each in key.items()},
        {name: entities(response_path, each, choice.repeated) for name, each in response.items()},
    )


# From a path to documents


def _runs(blocks: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty: token lines in runs, any that begins with ``#`` by itself.

    Each with the number of its first line; one that holds nothing but blanks is empty, by itself.
    A run of no line is the end of a block.

    >>> list(_runs([(1, ["#begin", "a", "b", "", " c", " ", ""])]))
    [(1, ['#begin']), (2, ['a', 'b']), (5, ['c']), (6, ['']), (7, [])]
    """
    for number, lines in blocks:
        # Only lines that are empty or begin with a blank, #, a byte-order mark (files that have
        # one may have been joined) or a few more characters are looked at one by one.
        breaks = [i for i, line in enumerate(lines) if not "$" <= line < "\x7f"]
        after = 0
        for here in breaks:
            if after < here:
                yield number + after, lines[after:here]
            if line := lines[here]:
                yield number + here, [line.lstrip("\ufeff").strip()]
            after = here + 1
        yield number + len(lines) - 1, []


def documents(path: StrPath) -> Iterator[Document]:
    """All documents of a file, one that begins twice, too."""
    return (document for document in _as_read(path) if document.ended)


def _as_read(path: StrPath) -> Iterator[Document]:
    """The documents, each when it ends, and before that whenever a block of the file does."""
    begun = False
    document: Document | None = None
    runs = _runs(blocks(path))
    for number, run in runs:
        if not run:
            if document is not None:
                _find_mentions(path, document)
                yield document
            continue
        line = run[0]
        here = f"{path}, line {number}"
        if not line:
            if document is not None:
                document.blanks.append(number)
        elif line[0] != "#":
            if document is None:
                if not begun and not any(later and BEGIN.match(later[0]) for _, later in runs):
                    raise CorefError(
                        f"{path}: no line of the file begins a document; expected CoNLL-2012, "
                        f"where each document begins with a line like {BEGIN_LIKE}"
                    )
                raise CorefError(
                    f"{here}: {_shown(line)} is outside any document; expected {BEGIN_LIKE} "
                    "before the first token and '#end document' after the last"
                )
            document.extend(number, run)
        elif begin := BEGIN.match(line):
            if document is not None:
                raise CorefError(
                    f"{here}: a document begins here while document {document.name!r} of line "
                    f"{document.begin} is open; expected '#end document' before this line"
                )
            document, begun = Document(_name(here, begin[1]), number), True
        elif END.match(line):
            if document is None:
                raise CorefError(
                    f"{here}: '#end document', but no document is open; expected {BEGIN_LIKE} "
                    "before it"
                )
            _find_mentions(path, document)
            _end(path, document, number)
            yield document
            document = None
        elif document is not None and MARKED.search(line):
            document.extend(number, run)
        elif document is not None:
            document.comments.append(number)
    if document is not None:
        raise CorefError(
            f"{path}, line {document.begin}: document {document.name!r} begins here and does not "
            "end; expected '#end document' after its last token (is the file cut off?)"
        )
    if not begun:
        raise CorefError(
            f"{path}: the file has no document; it is empty, or all of it is comments; expected a "
            f"line like {BEGIN_LIKE}"
        )


def _once(path: StrPath, documents: Iterable[Document]) -> Iterator[Document]:
    """The documents, of which none may begin twice."""
    begins: dict[str, int] = {}
    for document in documents:
        if begins.setdefault(document.name, document.begin) != document.begin:
            raise CorefError(
                f"{path}, line {document.begin}: document {document.name!r} begins here and in "
                f"line {begins[document.name]}; expected each once, and a part number of its own "
                "for each part of one name"
            )
        yield document


def _name(here: str, given: str) -> str:
    """The id of a document from what stands after ``#begin document``.

    >>> _name("key.conll, line 1", "(bc/cctv/00/cctv_0000);  part  001")
    'bc/cctv/00/cctv_0000; part 001'
    >>> _name("key.conll, line 1", "(a (1));"), _name("key.conll, line 1", "wsj 0001")
    ('a (1)', 'wsj 0001')
    """
    found = NAME.fullmatch(given)
    assert found is not None  # a bare name may be anything
    name = (found["inner"] or found["bare"] or "").strip()
    if not name:
        raise CorefError(f"{here}: the document has no name; expected {BEGIN_LIKE}")
    return f"{name}; part {found['part']}" if found["part"] else name


def _find_mentions(path: StrPath, document: Document) -> None:
    """Fill in the mentions of the tokens that have come since the last time."""
    entities, begun, first = document.entities, document.begun, document.searched
    new = document.tokens[len(document.tokens) - document.size + first :]
    document.searched = document.size
    for token, line in enumerate(new, first):
        if line[-2:] in NO_MENTION:  # as most tokens are
            continue
        try:
            whole, begin_here, end_here = parse_column(_last_column(line))
            for entity in whole:
                entities[entity].append((token, token))
            for entity in begin_here:
                entities[entity]  # takes its place among the entities
                begun[entity].append(token)
            for entity in end_here:
                if not begun[entity]:
                    raise CorefError(
                        f"'{entity})' closes entity {entity}, which is not open; "
                        f"expected '({entity}' in this line or above it in the document"
                    )
                entities[entity].append((begun[entity].pop(), token))
        except CorefError as error:
            where = f"{path}, line {document.line(token)}: document {document.name!r}"
            raise CorefError(f"{where}: {error}") from None


def _end(path: StrPath, document: Document, number: int) -> None:
    """End a document in line ``number``, unless a mention is open."""
    for entity, tokens in document.begun.items():
        if tokens:
            where = f"{path}, line {document.line(tokens[-1])}: document {document.name!r}"
            raise CorefError(
                f"{where}: '({entity}' opens a mention of entity {entity} that is not closed; "
                f"expected '{entity})' before the '#end document' of line {number}"
            )
    document.ended = True


def _last_column(line: str) -> str:
    columns = line.rsplit(None, 1)
    if len(columns) < 2:
        raise CorefError(
            f"the token line {_shown(line)} has only one column; expected the coreference in a "
            f"last column of its own: {COLUMN}"
        )
    return columns[1]


Names = tuple[str, ...]


@lru_cache(maxsize=1 << 16)  # ids start anew in each document, so the same columns come again
def parse_column(column: str) -> tuple[Names, Names, Names]:
    """The entities of a token's one-token mentions, of those that begin and of those that end.

    >>> parse_column("(12)|(3|4)|(5")
    (('12',), ('3', '5'), ('4',))
    >>> parse_column("(12)4)(3(5")
    (('12',), ('3', '5'), ('4',))
    >>> parse_column("(a)")
    Traceback (most recent call last):
    corefeval.errors.CorefError: '(a)' in the last column has the entity id 'a'; expected a number
    """
    if column in ("-", "_"):
        return (), (), ()
    entity = column.strip("()")
    if entity.isdigit() and entity.isascii():  # most columns have one mark
        if column == f"({entity})":
            return (entity,), (), ()
        if column == f"({entity}":
            return (), (entity,), ()
        if column == f"{entity})":
            return (), (), (entity,)
    whole: list[str] = []
    opened: list[str] = []
    closed: list[str] = []
    if joined := JOINED.search(column):
        raise CorefError(
            f"the last column is {column!r}, of which the reference scorer makes a mention of "
            f"entity {joined[1]}{joined[2]}; expected its marks joined by '|'"
        )
    for part in NO_BAR.sub("|", column).split("|"):
        opens, closes = part[:1] == "(", part[-1:] == ")"
        entity = part[opens : len(part) - closes]
        if not (opens or closes) or not (entity.isascii() and entity.isdigit()):
            raise CorefError(_malformed(column, part))
        (whole if opens and closes else opened if opens else closed).append(entity)
    return tuple(whole), tuple(opened), tuple(closed)


def _malformed(column: str, part: str) -> str:
    """What is wrong with a part of a last column, or with all of it."""
    entity = part.removeprefix("(").removesuffix(")")
    if entity != part and re.fullmatch(r"[\w.:+-]+", entity):
        return f"{part!r} in the last column has the entity id {entity!r}; expected a number"
    return f"the last column is {column!r}; expected {COLUMN}"


# From documents to partitions


def entities(path: StrPath, document: Document, repeated: str) -> Entities:
    """A document's entities: see `read_pair`."""
    return entities_of(document.entities, repeated, lambda span: _lines(path, document, span))


def _lines(path: StrPath, document: Document, span: Span) -> str:
    """Where a mention is."""
    begin, end = map(document.line, span)
    lines = f"line {begin}" if begin == end else f"lines {begin} to {end}"
    return f"{path}, {lines}: document {document.name!r}"


# A key and a response side by side


def _check_same_tokens(
    key_path: StrPath, key: Document, response_path: StrPath, response: Document
) -> None:
    """Compare the lines that both have, and let them go.

    Where both end, refuse different numbers of tokens, and warn of different words.
    """
    if not key.differs and (place := next(differing_words(key, response), None)) is not None:
        token = place + key.size - len(key.tokens)
        words = (
            f"{word(key.tokens[place])!r} in {key_path}, line {key.line(token)}, but "
            f"{word(response.tokens[place])!r} in {response_path}, line {response.line(token)}"
        )
        key.differs = token, words
    compared = min(len(key.tokens), len(response.tokens))
    del key.tokens[:compared], response.tokens[:compared]
    if not (key.ended and response.ended):
        return
    if key.size != response.size:
        hint = f" (the words part at {key.differs[1]})" if key.differs else ""
        raise CorefError(
            f"{key_path}, line {key.begin}: document {key.name!r} has {key.size} token "
            f"lines here and {response.size} in {response_path}, line {response.begin}; "
            f"expected the same tokens in both{hint}"
        )
    if key.differs:
        token, words = key.differs
        warn(f"document {key.name!r}: token {token} is {words}; scored by position all the same")


def differing_words(key: Document, response: Document) -> Iterator[int]:
    """The tokens whose words differ, where both files have words."""
    for token, (ours, theirs) in enumerate(zip(key.tokens, response.tokens, strict=False)):
        # Most lines are the same on both sides, and most others but for the last column.
        if ours != theirs and ours.rsplit(None, 1)[0] != theirs.rsplit(None, 1)[0]:
            mine, yours = word(ours), word(theirs)
            if mine and yours and mine != yours:
                yield token


def word(line: str) -> str:
    """The fourth of five or more columns."""
    columns = line.split(None, 4)
    return columns[3] if len(columns) == 5 else ""


def _shown(line: str) -> str:
    """A line for a message, cut where it is long."""
    line = " ".join(line.split())
    return repr(line if len(line) <= 40 else line[:39] + "…")
