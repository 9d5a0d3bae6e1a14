r"""CoNLL-2012: the format of the shared task and of the reference scorer.

A document is what stands between ``#begin document (NAME); part NNN`` and ``#end document``: one
token per line, its columns apart by tabs or blanks, empty lines between sentences. Only the last
column counts: ``-`` or ``_``, or parts joined by ``|``: ``(12`` where a mention of entity 12
begins, ``12)`` where it ends, ``(12)`` where it is one token. A bar may be missing next to a
bracket, as in ``(1(3``. A mention is the pair (first token, last token), counted from 0 in its
document.

In place of numbers a file may have names that begin with a letter, as GUM and xrenner write them:
``(person-2`` and ``person-2)``. Some files also have the bare number of an entity on the inner
tokens of its mention: ``(8``, ``8``, ``8)``. It is ignored while such a mention is open.

A line that begins with ``#`` is a token, too, if it is in a document and its last column consists
of brackets, digits and bars, or is ``-`` or ``_``, or has a bracket and stands after a tab: a
hashtag may be the word of the first column. Any other is a comment.

As in the reference scorer, a line is read in the order one-token mentions, beginnings, ends,
whatever order it is written in, and an end closes the mention of its entity that began last.
Unlike it, this reader refuses what it cannot be sure of (a document without an end, tokens that
do not pair up, a bare number of no open mention, names and numbers in one file) and is not troubled
by what has no meaning (line ends, blanks, comments, which the reference scorer counts as tokens).

Source: the data format of Pradhan et al. 2012, "CoNLL-2012 shared task"; reference scorer v8.01.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from corefeval.conventions import DEFAULTS, Conventions
from corefeval.errors import CorefError, shortened, warn
from corefeval.partition import Partition, as_partition
from corefeval.readers import files
from corefeval.readers.files import Entities, StrPath
from corefeval.readers.texts import Text, known_tags

Span = tuple[int, int]

HEAD_OF_CSV = re.compile(r"\w+([,;]\w+)+")
BEGIN = re.compile(
    r"(?i:#\s*begin\s+document\b)\s*(?:\((.*)\)|(.*?))(?<!\s)\s*(?:;\s*(?:part\s+(\S+))?)?"
)
END = re.compile(r"(?i)#\s*end\s+document\b")
TOKEN = re.compile(
    r"(?i)\ufeff*+\s*+(?:[^#\s]|#(?!\s*(?:begin|end)\s+document\b)"
    r".*(?:\s(?:[-_]|[0-9|]*[()][0-9()|]*)|\t[^\s()]*[()]\S*)\s*$)"
)
"""What does not begin with ``#``, or ends in a coreference column."""
FIRST_PLAIN = "$"
"""The character after ``#``: lines of text that sort before it are empty, indented or comments."""
NO_MENTION = (" -", "\t-", " _", "\t_")
MARK = re.compile(r"(?=\(|[0-9]+\))(\(?)([0-9]+)(\)?)")
NAMED_MARK = re.compile(r"(\(?)([^\W\d_][^\s()|]*)(\)?)")
BARE = re.compile("[0-9]+")
BRACKETS = re.compile(r"\([^()]+\)?|[^()]+\)")
"""The marks between two bars."""
JOINED = re.compile(r"\([0-9]+(?:\([0-9]+\))+[0-9]+\)")
"""What the reference scorer reads as one more mark once it has taken out the inner ones."""
EXPECTED_MARKS = (
    "expected '-', or marks like '(12', '12)' or '(12)' with the number of an entity, joined by '|'"
)
EXPECTED_DIRECTIVES = (
    "expected CoNLL-2012: '#begin document (NAME); part 000' before the first token of each "
    "document, and '#end document' after the last"
)


class ConllDocument:
    """A document as far as it is read; lines are counted from 1, tokens from 0."""

    def __init__(self, path: StrPath, begin: int, name: str) -> None:
        self.path, self.begin, self.name = path, begin, name
        self.first_line = ""
        """The line that begins it, as it is written."""
        self.ended = False
        self.size = 0
        self.tokens: list[str] = []
        """The line of each token, but for those that `read_pair` has compared and let go."""
        self.differs = ""
        """The first token whose word differs on the other side."""
        self.mentions: defaultdict[str, list[Span]] = defaultdict(list)
        """Those of each entity; the entities in the order in which they begin."""
        self.open: defaultdict[str, list[int]] = defaultdict(list)
        """The first tokens of the mentions of each entity that have not ended."""
        self.blanks: dict[int, int] = {}
        """How many tokens are above each line that holds a blank and nothing else."""
        self.comments: Counter[int] = Counter()
        """How many comments are above each token, after the one before."""
        self.bare: list[int] = []
        """The tokens with the bare number of an entity of which a mention is open."""
        self._runs: list[Span] = []
        """The first token of each run of token lines, and its line."""

    def entities(self, repeated: str) -> Entities:
        """The entities: see `read_pair`."""
        return files.entities_of(
            self.mentions, repeated, lambda span: self.where(*map(self.line, span))
        )

    def where(self, first: int, last: int | None = None) -> str:
        lines = f"lines {first} to {last}" if last not in (None, first) else f"line {first}"
        return f"{self.path}, {lines}: document {self.name!r}"

    def line(self, token: int) -> int:
        """The number of a token's line."""
        first, number = self._runs[bisect_right(self._runs, token, key=itemgetter(0)) - 1]
        return number + token - first

    def runs(self) -> Iterator[Span]:
        """Of each run of token lines the number of the first, and that of the line after it."""
        for (token, number), (after, _) in pairwise([*self._runs, (self.size, 0)]):
            yield number, number + after - token

    @property
    def sentences(self) -> list[int]:
        """The first token of each sentence: empty lines part them, comments do not."""
        return [
            token
            for token, number in self._runs
            if not token or number - self.line(token - 1) - 1 > self.comments[token]
        ]

    def extend(self, number: int, lines: list[str]) -> None:
        """Take a run of token lines, if there are any; the first is line ``number``."""
        if not lines:
            return
        self._runs.append((self.size, number))
        self.tokens += lines
        self.size += len(lines)

    def kinds(self) -> dict[str, str]:
        """The first entity with ``"a number"``, and the first with ``"a name"``."""
        first: dict[str, str] = {}
        # In most documents every entity is a number: one check of all names says so.
        if "".join(self.mentions).isdecimal():
            return {"a number": next(iter(self.mentions))}
        for entity in self.mentions:
            first.setdefault("a number" if entity.isdecimal() else "a name", entity)
        return first

    def mark(self, token: int, line: str) -> None:
        """Begin and end mentions as the last column of a token's line says."""
        columns = line.rsplit(None, 1)
        if len(columns) < 2:
            raise CorefError(
                f"the token line {shortened(line)} has only one column; expected the coreference "
                "in a last column of its own"
            )
        for opens, entity, closes in marks(columns[1]):
            mentions = self.mentions[entity]
            if opens and closes:
                mentions.append((token, token))
            elif opens:
                self.open[entity].append(token)
            elif not (begun := self.open[entity]):
                raise self._not_open(entity, closes, columns[1])
            elif closes:
                mentions.append((begun.pop(), token))
            else:
                self.bare.append(token)

    def _not_open(self, entity: str, closes: str, column: str) -> CorefError:
        if closes:
            return CorefError(
                f"'{entity})' closes entity {entity}, which is not open; "
                f"expected '({entity}' in this line or above it in the document"
            )
        return CorefError(
            f"the last column is {column!r}: {entity} has no bracket, and no mention of entity "
            f"{entity} is open that it could stand in; {EXPECTED_MARKS}"
        )

    def end(self, number: int) -> None:
        """End in line ``number``, unless a mention is open."""
        for entity, begun in self.open.items():
            if begun:
                raise CorefError(
                    f"{self.where(self.line(begun[-1]))}: '({entity}' opens a mention of entity "
                    f"{entity} that is not closed; expected '{entity})' before the "
                    f"'#end document' of line {number}"
                )
        self.ended = True


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
    of_documents = read_side(path, "key", Conventions(repeated=repeated))
    return {
        name: as_partition(entities, repeated=repeated) for name, entities in of_documents.items()
    }


def read_side(path: StrPath, side: str, choice: Conventions) -> dict[str, Entities]:
    """The documents of a file, which is read in the same way on either side."""
    found = list(once(documents(path)))
    warn_of_bare_numbers(found)
    return {document.name: document.entities(choice.repeated) for document in found}


def read_pair(
    key_path: StrPath, response_path: StrPath, choice: Conventions = DEFAULTS
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response to it: see `read`.

    Where mentions are given twice and ``choice.repeated`` allows it, a document's entities are
    lists of mentions, in the order in which they begin.

    Documents are paired by their names. A part is a number: ``a``, ``a_0``, ``a; part 0`` and
    ``a; part 000`` are one document if nothing else could be meant, by the name that the key has.

    Raises `CorefError` also for a document on one side only, unless ``choice.missing`` allows it,
    and for a document with more tokens on one side: its mentions would not pair up. Words (the
    fourth of five or more columns) that differ are only warned of, once for both files.
    """
    key, response = files.read_together(
        once(_as_read(key_path)), once(_as_read(response_path)), _check_same_tokens
    )
    files.meet_parts(key, response, _check_same_tokens)
    if choice.missing == "error":
        files.check_same_documents(key_path, key, response_path, response)
    told = [f"document {each.name!r}: {each.differs}" for each in key.values() if each.differs]
    files.warn_of_words(told, len(key.keys() & response.keys()))
    warn_of_bare_numbers([*key.values(), *response.values()])
    ours, theirs = files.entities_in((key, response), lambda each: each.entities(choice.repeated))
    return ours, theirs


# From a path to documents


def documents(path: StrPath) -> Iterator[ConllDocument]:
    """All documents of a file, one that begins twice, too."""
    return (document for document in _as_read(path) if document.ended)


def _as_read(path: StrPath) -> Iterator[ConllDocument]:
    """The documents: each when it ends, and a part of it whenever a block of the file ends before.

    A document in several blocks is one object that comes several times and grows, so that whoever
    takes it may compare its lines with the other side's, and let them go, before all is read.
    """
    return files.in_each_file(path, _as_read_in)


def _as_read_in(file: StrPath) -> Iterator[ConllDocument]:
    reader = _FileReader(file)
    for number, lines in files.blocks(file):
        yield from reader.take(number, lines)
    reader.finish()


class _FileReader:
    """A file as far as it is read."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.document: ConllDocument | None = None
        """The one that has begun and not ended."""
        self.empty = True
        """Whether no document has begun."""
        self.kinds: dict[str, tuple[ConllDocument, str]] = {}
        """The first entity with a name, and the first with a number, and the document of each."""

    def take(self, number: int, lines: list[str]) -> Iterator[ConllDocument]:
        """Read a block that begins with line ``number``; the documents that end, or go on."""
        # The place of the first line that no run of tokens has taken yet.
        taken = 0
        # Most lines are tokens without a mention: only their number counts.
        worth_a_look = [
            place
            for place, line in enumerate(lines)
            # A comparison and endswith are the two cheapest questions to a line of text.
            if line < FIRST_PLAIN or not line.endswith(NO_MENTION)
        ]
        document = self.document
        for here in worth_a_look:
            line = lines[here]
            if document is None:
                # A token line between this one and the last is found here, too, and refused.
                document = self.begin(number + taken, lines[taken])
            elif not line:
                document.extend(number + taken, lines[taken:here])
            # What begins with a letter or digit is no directive or comment: it needs no pattern.
            elif FIRST_PLAIN <= line < "\x7f" or TOKEN.match(line):
                try:
                    document.mark(document.size + here - taken, line)
                except CorefError as error:
                    raise CorefError(f"{document.where(number + here)}: {error}") from None
                # The line is a token, and its run of token lines goes on.
                continue
            else:
                document.extend(number + taken, lines[taken:here])
                if self.ends(document, number + here, line):
                    yield document
                    document = None
            taken = here + 1
        if document is not None:
            yield document

    def begin(self, number: int, line: str) -> ConllDocument | None:
        """Read a line outside a document; the document that it begins."""
        # Files that were joined may have a byte-order mark anywhere.
        self.document = _begun(self.path, number, line.lstrip("\ufeff").strip())
        if self.document is not None:
            self.empty, self.document.first_line = False, line
        return self.document

    def ends(self, document: ConllDocument, number: int, line: str) -> bool:
        """Read a line of a document that is no token: whether it ends the document."""
        text = line.lstrip("\ufeff").strip()
        if END.match(text):
            document.end(number)
            self._check_kinds(document)
            self.document = None
            return True
        if BEGIN.match(text):
            # To end it here would hide that the rest of a document is perhaps missing.
            raise _unended(document, f"in line {number}, where another begins")
        if text:
            # An empty line parts sentences and a comment does not; `sentences` subtracts these.
            document.comments[document.size] += 1
        else:
            document.blanks[number] = document.size
        return False

    def finish(self) -> None:
        """Refuse a file that has no document, or whose last one has no end."""
        if self.empty:
            raise CorefError(f"{self.path}: the file has no document; {EXPECTED_DIRECTIVES}")
        if self.document is not None:
            raise _unended(self.document, "at the end of the file (is it cut off?)")

    def _check_kinds(self, document: ConllDocument) -> None:
        """Refuse entities with names where others have numbers."""
        for kind, entity in document.kinds().items():
            if kind not in self.kinds:
                self.kinds[kind] = document, entity
        if len(self.kinds) == 2:
            (before, (first, one)), (after, (last, other)) = self.kinds.items()
            line = first.line(first.mentions[one][0][0])
            where = f"in line {line}" if first is last else f"in {first.where(line)}"
            place = last.where(last.line(last.mentions[other][0][0]))
            raise CorefError(
                f"{place}: entity {other!r} has {after}, but entity {one!r} {where} has {before}; "
                "expected names or numbers in all of a file: a scorer that looks for numbers "
                "would find some of the entities only"
            )


def _unended(document: ConllDocument, where: str) -> CorefError:
    return CorefError(
        f"{document.where(document.begin)} begins here and is still open {where}; expected "
        "'#end document' after its last token"
    )


def warn_of_bare_numbers(read_ones: Iterable[ConllDocument]) -> None:
    """Say once that bare numbers are ignored."""
    having = [document for document in read_ones if document.bare]
    if having:
        first, tokens = having[0], sum(len(document.bare) for document in having)
        warn(
            f"{first.where(first.line(first.bare[0]))}: the bare number of an entity whose mention "
            f"is open is ignored (tokens in these files that have one: {tokens}); expected "
            "brackets where a mention begins and ends, and '-' between"
        )


def _begun(path: StrPath, number: int, line: str) -> ConllDocument | None:
    """The document that a line begins, if it is no comment."""
    begin = BEGIN.fullmatch(line)
    inner, bare, part = begin.groups() if begin else ("", "", "")
    name = (inner or bare or "").strip()
    if not name and line and (line[0] != "#" or begin or END.match(line)):
        if number == 1 and HEAD_OF_CSV.fullmatch(line):
            raise CorefError(
                f"{path}: its first line, {shortened(line)}, is that of a CSV file; give it a name "
                "that ends in .csv"
            )
        raise CorefError(
            f"{path}, line {number}: {shortened(line)} begins no document; {EXPECTED_DIRECTIVES}"
        )
    return ConllDocument(path, number, f"{name}; part {part}" if part else name) if name else None


def once(documents: Iterable[ConllDocument]) -> Iterator[ConllDocument]:
    """The documents, of which none may begin twice."""
    begun: dict[str, ConllDocument] = {}
    for document in documents:
        files.refuse_begun(begun, document, document.where(document.begin))
        yield document


Mark = tuple[str, ...]
"""The bracket that opens, the entity, the bracket that closes; with neither, a bare number.

A plain tuple: a NamedTuple takes longer to make, to unpack and to collect. With it, two files of
100,000 mentions took 8 % more time (November 2026, Python 3.11).
"""


# Ids start anew in each document, so the same columns come again.
@lru_cache(maxsize=1 << 16)
def marks(column: str) -> tuple[Mark, ...]:
    """The marks of the last column, in the order of reading.

    >>> marks("(5|4)(3)")
    (('(', '3', ')'), ('(', '5', ''), ('', '4', ')'))
    >>> marks("(person-2)")
    (('(', 'person-2', ')'),)
    >>> marks("(2-x)")
    Traceback (most recent call last):
    corefeval.errors.CorefError: the last column is '(2-x)'; expected '-', or marks like '(12', \
'12)' or '(12)' with the number of an entity, joined by '|'
    """
    # Most columns with a mention have one mark.
    if mark := MARK.fullmatch(column):
        return (mark.groups(),)
    if column in ("-", "_"):
        return ()
    wrong = CorefError(f"the last column is {column!r}; {EXPECTED_MARKS}")
    # The reference scorer makes another mention of what is left around the inner brackets.
    if JOINED.search(column):
        raise wrong
    found: list[Mark] = []
    for part in column.split("|"):
        if BARE.fullmatch(part):
            found.append(("", part, ""))
            continue
        texts = BRACKETS.findall(part)
        each = [MARK.fullmatch(text) or NAMED_MARK.fullmatch(text) for text in texts]
        # What no pattern has taken is neither a number nor a name, so nothing may be left over.
        if not part or "".join(texts) != part or not all(each):
            raise wrong
        found += [mark.groups() for mark in each if mark]
    return tuple(sorted(found, key=_turn))


def _turn(mark: Mark) -> int:
    """One-token mentions come first, then bare numbers, beginnings, ends."""
    opens, _, closes = mark
    return {"()": 0, "": 1, "(": 2, ")": 3}[opens + closes]


# A key and a response side by side


def _check_same_tokens(key: ConllDocument, response: ConllDocument) -> None:
    """Compare the lines that both have, and let them go.

    Where both end, refuse different numbers of tokens. The first words that differ are noted in
    the key's document.
    """
    if not key.differs and (place := next(differing_words(key, response), None)) is not None:
        token = place + key.size - len(key.tokens)
        ours, theirs = (
            f"{word(each.tokens[place])!r} in {each.path}, line {each.line(token)}"
            for each in (key, response)
        )
        key.differs = f"token {token} is {ours}, but {theirs}"
    compared = min(len(key.tokens), len(response.tokens))
    # Nothing else needs these lines, and a corpus of them would fill the memory.
    del key.tokens[:compared], response.tokens[:compared]
    if not (key.ended and response.ended):
        return
    if key.size != response.size:
        hint = f": {key.differs}" if key.differs else ""
        lines = files.count_of(key.size, "token line")
        raise CorefError(
            f"{key.where(key.begin)} has {lines} here and {response.size} in "
            f"{response.path}, line {response.begin}; expected the same tokens in both{hint}"
        )


def differing_words(key: ConllDocument, response: ConllDocument) -> Iterator[int]:
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


# For people who look at errors in the text


def texts(paths: dict[str, StrPath], names: Sequence[str]) -> dict[str, Text]:
    """The words of documents by their names: the key's, where both sides have words."""
    return {name: text for path in reversed(paths.values()) for name, text in _texts(path)}


def _texts(path: StrPath) -> Iterator[tuple[str, Text]]:
    """The fourth of five or more columns, and the fifth of six or more."""
    for document in documents(path):
        rows = [line.split() for line in document.tokens]
        words = [row[3] if len(row) > 4 else "" for row in rows]
        # A file of identifiers and coreference alone has no words to show.
        if any(words):
            tags = [row[4] if len(row) > 5 else "" for row in rows]
            yield document.name, Text(words, known_tags(tags), document.sentences)
