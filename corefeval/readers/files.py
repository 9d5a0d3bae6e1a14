"""Files and their lines, and the documents that readers of all formats make of them."""

from __future__ import annotations

import glob
import io
import os
import re
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice, zip_longest
from typing import Any, BinaryIO, NamedTuple, NoReturn, TypeVar, cast

from corefeval.errors import GIT_LFS, OF_GIT_LFS, CorefError, InLines, expect, shortened
from corefeval.overlap.partition import ByName, Mention, Partition, entities_of, numbered_entities
from corefeval.progress import with_progress

StrPath = str | os.PathLike[str]
Block = tuple[int, list[str]]
"""Lines of a file, and the number of the first."""
Reading = TypeVar("Reading")
MOST_FAULTS = 10
OTHER_FILES = {
    b"\xff\xfe": "those of UTF-16; save it as UTF-8",
    b"\xfe\xff": "those of UTF-16; save it as UTF-8",
    b"BZh": "those of a file compressed by bzip2; unpack it",
    b"\xfd7zXZ": "those of a file compressed by xz; unpack it",
    b"\x28\xb5\x2f\xfd": "those of a file compressed by Zstandard; unpack it",
    b"PK\x03\x04": "those of a zip archive; unpack it",
    b"PAR1": "those of a Parquet file; give it a name that ends in .parquet",
}
"""The first bytes of files that are no text in UTF-8, and what to do with such a file."""
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
"""Bytes that texts of no encoding have, whose blanks, line ends and escapes are others."""
PENN_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
}  # fmt: skip
"""What the Penn Treebank's tokens for brackets stand for."""
SPELT_IN_TWO_WAYS = {"/.": ".", "/?": "?", "/-": "-"} | PENN_BRACKETS
"""Words of OntoNotes in its files of CoNLL-2012, and as systems that convert them write them."""
NAME_THEM = "give documents names (doc_key) on both sides, or choose --pairs order"
"""What to do where nothing shows which documents are the same."""
Entities = Partition | ByName
"""A document's entities: lists, repeats and all, where a mention is given twice."""


class Format(NamedTuple):
    """A format of files; what is found in the first kilobytes of one tells which it is of."""

    name: str
    recognised: re.Pattern[bytes]
    conventions: tuple[str, ...] = ()
    """Those that concern it, and not every format."""

    def __str__(self) -> str:
        return self.name

    @property
    def matches(self) -> bool:
        """Whether its mentions are matched, so that a mention of one file alone is none yet."""
        return "match" in self.conventions


JSON_LINES = Format("JSON lines", re.compile(rb"\A[{\[]"), ("offsets", "pairs"))
CONLL = Format("CoNLL-2012", re.compile(rb"^\s*#\s*begin\s+document\b", re.I | re.M))
COREFUD = Format(
    "CorefUD",
    re.compile(
        rb"^(?:#\s*(?:global\.Entity|newdoc|newpar|sent_id|text)\b|\d+\t(?:[^\t\n]*\t){8}[^\t\n]*$)",
        re.M,
    ),
    ("match", "zero_match"),
)
FORMATS = (JSON_LINES, CONLL, COREFUD)
"""In the order in which they are looked for: comments of CoNLL-2012 may be those of CorefUD."""


def format_of(path: StrPath) -> Format:
    """The format of all files of a path.

    Raises `CorefError` for a file of none; what may be CoNLL-2012 is left to its reader.
    """
    files: dict[Format, str] = {}
    for file in files_in(path):
        with readable(file), opened(file) as content:
            head = content.read(1 << 13)
        _refuse_other_files(file, head)
        head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        files[_format_of_head(file, head)] = file
    if len(files) > 1:
        formats = " and ".join(f"{file} is one of {format}" for format, file in files.items())
        raise CorefError(f"{path}: {formats}; expected files of one format")
    return next(iter(files))


def _format_of_head(file: str, head: bytes) -> Format:
    foreign = next((what for begin, what in FOREIGN.items() if re.search(begin, head)), "")
    if not foreign:
        format = next((format for format in FORMATS if format.recognised.search(head)), None)
        if format or LIKE_CONLL.search(head) or CONTROL.search(head):
            return format or CONLL
    first_line = head.partition(b"\n")[0].decode("utf-8", "replace").strip()
    what = f"it is {foreign}" if foreign else f"it begins {shortened(first_line)}"
    raise CorefError(f"{file}: {what}; {READ}")


READ = (
    "expected CoNLL-2012, CorefUD, JSON lines, or a table whose name ends in .csv, .tsv or .parquet"
)
LIKE_CONLL = re.compile(
    rb"\A(?:\s*#.*)*\s*\Z|^\s*#\s*end\s+document\b|^\S.*[ \t](?:[-_]|\S*\(\w+\)?|\w+\))\s*$",
    re.I | re.M,
)
"""What may be CoNLL-2012 without its first line: nothing but comments, an end, a last column."""
FOREIGN = {
    rb"\A" + GIT_LFS: OF_GIT_LFS,
    rb"\A<[?!\w]": "XML, as TEI, MMAX2 and annotation tools write it",
    rb"\A#FORMAT=WebAnno": "WebAnno TSV, an annotation tool's export",
    rb'\A\{\w+(?::\w+="[^"]*"|[ \t])': "a text with marks, as SACR writes it",
    rb"\A[^\n]*\w\|\[e\d": "the plain text of the shared tasks CRAC 2025 and 2026, of which "
    "text2text-coref makes CorefUD",
    rb"\A%PDF": "a PDF",
    rb"\A\w+([,;]\w+)+\r?\n": "a CSV file by its first line: give it a name that ends in .csv",
}
"""How other files begin, and what they are."""


class Document:
    """A document as it stands in a file."""

    tokens: Sequence[str] = ()
    """The words, or lines that have them, if the file has any; else `size` alone is known."""
    has_names = False
    """Whether mentions are names, which say nothing of their places."""
    numbers_entities = False
    """Whether its entities have no names but their places in a list."""
    unit = "token"
    """What mentions count."""

    def __init__(self, path: StrPath, line: int, name: str) -> None:
        self.path, self.line, self.name = path, line, name
        self.spelled = ""
        """The name as it is written, in files where scorers look for it as it is."""
        self.has_name = True
        """Whether the file gives it a name, or it is paired by its number."""
        self.entities: defaultdict[str, list[Any]] = defaultdict(list)
        """The mentions of each entity, repeats and all, in the order in which they begin."""
        self.sentences: list[int] = []
        """The first word of each sentence."""
        self.size: int | None = None
        """How many words there are; None where the file does not tell."""
        self.remarks: Mapping[str, str] = {}
        """What a file says of it under keys that are not known."""
        self.ignored: defaultdict[str, list[int]] = defaultdict(list)
        """What is not read in it, and in which lines."""
        self.key_of: Mapping[Any, Any] = {}
        """The key mention of each mention of a response that was matched."""

    @property
    def doubt(self) -> str:
        """What may be wrong with all places of mentions, if one is given twice, and what to do."""
        return ""

    @staticmethod
    def word(token: str) -> str | None:
        """The word of one of `tokens`; None where a line has none."""
        return token

    @property
    def has_words(self) -> bool:
        return any(map(self.word, self.tokens))

    @property
    def words(self) -> Sequence[str]:
        return Words(self)

    @property
    def placed(self) -> list[tuple[str, int, int]]:
        """Its words, each with the first and the last place that mentions count in it."""
        return [(word, n, n) for n, word in enumerate(self.words)]

    def unlike(self, other: Document) -> Iterator[int]:
        """The tokens that are not written as on the other side; their words may differ."""
        # Of most documents they are the same, and two lists are compared ten times as fast.
        if self.tokens != other.tokens:
            both = zip(self.tokens, other.tokens, strict=False)
            yield from (n for n, (here, there) in enumerate(both) if here != there)

    def forget(self) -> None:
        """Let go of the words, once they are compared with the other side's."""
        self.tokens = ()

    def __str__(self) -> str:
        return self.at(self.line)

    def at(self, line: int, last: int | None = None) -> str:
        """A place in the document: a line, or several."""
        lines = f"line {line}" if last in (None, line) else f"lines {line} to {last}"
        name = f": document {self.name!r}" if self.name else ""
        return f"{self.path}, {lines}{name}"

    def place(self, token: int) -> str:
        """The file, and the line of a token where the file has several."""
        return f"{self.path}, line {self.line}"

    def where(self, mention: Mention) -> str:
        """The document, and the line in which a mention begins, where it has several."""
        return self.at(self.line)

    def read(self, repeated: str) -> Entities:
        """The entities; a mention that is given twice is refused, or kept twice."""
        entities: dict[str, list[Any]] = self.entities
        if self.key_of:
            entities = {
                name: [self.key_of.get(mention, mention) for mention in mentions]
                for name, mentions in self.entities.items()
            }
        make = numbered_entities if self.numbers_entities else entities_of
        read = make(entities, self.where)
        if repeated == "error" and isinstance(read, ByName):
            self.refuse_repeated()
        return read

    def mentions(self) -> set[Any]:
        """All mentions, each once."""
        return set(chain(*self.entities.values()))

    def repeats(self) -> bool:
        """Whether a mention is given twice."""
        return len(self.mentions()) < sum(map(len, self.entities.values()))

    def refuse_repeated(self) -> NoReturn:
        """Refuse the first mention that is given twice, and say where and by which entities."""
        entity_of: dict[Mention, str] = {}
        for name, mentions in self.entities.items():
            for mention in mentions:
                if mention in entity_of:
                    where = f"in entities {entity_of[mention]} and {name}"
                    if entity_of[mention] == name:
                        where = f"twice in entity {name}"
                    raise CorefError(
                        f"{self.where(mention)}: mention {mention} is {where}; {self.doubt}mend "
                        'the file, or pass --repeated first (in Python repeated="first") to keep '
                        "it in the first of them, --repeated merge to make the two one"
                    )
                entity_of[mention] = name
        raise AssertionError("no mention is given twice")


class Words(Sequence[str]):
    """The words of a document, each taken out of its token when it is asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __len__(self) -> int:
        return len(self.document.tokens)

    def __getitem__(self, place: Any) -> Any:
        return self.document.word(self.document.tokens[place]) or ""


class Held(str):
    """The path of a pipe, and the bytes that came out of it: a pipe can be read only once."""

    content: bytes


def held(path: StrPath) -> StrPath:
    """The path or, if that is a pipe, a `Held`, which can be read as often as a file."""
    expect((str, os.PathLike), "the path of a file", path)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError, TypeError):
        return path  # whoever reads it says why
    if isinstance(path, Held) or stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return path
    kept = Held(os.fspath(path))
    with readable(path), open(path, "rb") as pipe:
        kept.content = pipe.read()
    return kept


def files_in(path: StrPath) -> list[str]:
    """The file at a path, those in a folder and in its folders, or those that a pattern finds.

    They are in alphabetical order; names that begin with a dot are left out. Raises `CorefError`
    if there are none.
    """
    expect((str, os.PathLike), "the path of a file", path)
    if isinstance(path, Held):
        return [path]
    text = os.fspath(path)
    if os.path.isdir(text):
        files = list(_files_below(text))
    elif glob.has_magic(text) and not os.path.exists(text):
        # With ** glob follows links without end; this walk refuses a folder that contains itself.
        if "**" in text:
            before = glob.escape(text).partition("[")[0]
            list(_files_below(os.path.dirname(before) or os.curdir))
        files = [file for file in glob.glob(text, recursive=True) if _is_file(file)]
    else:
        return [text]
    if not files:
        raise CorefError(f"{text}: there is no file in it; expected a file, a folder or a pattern")
    return sorted(files)


def _files_below(folder: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """The files in a folder and in its folders, but for hidden ones; ``above`` are those above."""
    real = os.path.realpath(folder)
    if real in above:
        raise CorefError(
            f"{folder} is a link to a folder that it is in: remove it, or name the files otherwise"
        )
    with readable(folder):
        names = sorted(os.listdir(folder))
    for name in names:
        path = os.path.join(folder, name)
        # Systems leave files of their own in folders, such as .DS_Store.
        if name.startswith("."):
            continue
        if os.path.isdir(path):
            yield from _files_below(path, (*above, real))
        elif _is_file(path):
            yield path


def _is_file(path: str) -> bool:
    """Whether there is a file at a path that is in a folder.

    Raises `CorefError` for what cannot be looked at, such as a link that leads nowhere: it may be a
    document, and would be missing.
    """
    is_link = os.path.islink(path) and not os.path.exists(path)
    with readable(f"{path}: a link that leads nowhere" if is_link else path):
        return stat.S_ISREG(os.stat(path).st_mode)


class OtherTokens(CorefError):
    """Documents in which a place is not the same word on both sides."""


class Faults:
    """Gathers what is wrong: up to `MOST_FAULTS` faults are refused together."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.remedy: Sequence[str] = ()
        """Lines that mend what is wrong."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if not isinstance(error, CorefError):
            return False
        # What is wrong with a file and lines that mend it are no list of faults.
        if isinstance(error, InLines) and not isinstance(error, SeveralFaults):
            return False
        self.messages += error.lines if isinstance(error, InLines) else [str(error)]
        if len(self.messages) >= MOST_FAULTS:
            self.tell()
        return True

    def tell(self) -> None:
        """Raise what was gathered."""
        if len(self.messages) == 1 and not self.remedy:
            raise CorefError(self.messages[0])
        if len(self.messages) >= MOST_FAULTS:
            more = f"no more than {MOST_FAULTS} faults are told"
            self.messages = [*self.messages[:MOST_FAULTS], more]
        if self.messages:
            raise SeveralFaults([*self.messages, *self.remedy])


class SeveralFaults(InLines):
    """Faults in several lines or files."""


def in_each_file(
    path: StrPath, documents_in: Callable[[str], Iterable[Reading]]
) -> Iterator[Reading]:
    """The documents of the files of a path; after a fault the others are read for theirs."""
    faults = Faults()
    for file in with_progress(files_in(path), "files"):
        with faults:
            for document in documents_in(file):
                if not faults.messages:
                    yield document
    faults.tell()


@contextmanager
def emptied(cache: Any) -> Iterator[None]:
    """Empty a cache in the end, so that nothing of a file stays when it is read."""
    try:
        yield
    finally:
        cache.cache_clear()


def opened(path: StrPath) -> BinaryIO:
    """What can be read at this path, unpacked if gzip has compressed it."""
    file: io.BufferedReader[Any]
    if isinstance(path, Held):
        file = io.BufferedReader(io.BytesIO(path.content))
    else:
        file = open(path, "rb")  # noqa: SIM115  # whoever takes it closes it
    if file.peek(2)[:2] != b"\x1f\x8b":
        return cast(BinaryIO, file)
    import gzip  # most files are not compressed

    if isinstance(path, Held):
        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    file.close()
    return cast(BinaryIO, gzip.open(path))


class readable:
    """Name the path where the system cannot read what is there."""

    def __init__(self, path: StrPath) -> None:
        self.path = path

    def __enter__(self) -> None:
        if isinstance(self.path, str) and not self.path:
            raise CorefError("the name of the file is empty")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        # gzip raises EOFError for a file that is cut off; open ValueError for a path with a null.
        if isinstance(error, EOFError):
            raise CorefError(f"{self.path}: the compressed file is cut off; expected all of it")
        # A gzip header began the file, and something else follows what it heads.
        if str(error).startswith("Not a gzipped file"):
            raise CorefError(
                f"{self.path}: there is something else after the end of the compressed file; "
                "compress it anew, or cut the rest off"
            ) from None
        if isinstance(error, OSError):
            why = (error.strerror or str(error)).lower()
            raise CorefError(f"{self.path}: cannot read it: {why}") from None
        ours = isinstance(error, (CorefError, UnicodeDecodeError))
        if isinstance(error, ValueError) and not ours:
            raise CorefError(f"{self.path!r}: cannot read it: {error}") from None


def lines(path: StrPath) -> Iterator[tuple[int, str]]:
    """The lines of a file without their ends, and their numbers from 1."""
    for number, block in blocks(path):
        yield from enumerate([line.removesuffix("\n") for line in block], number)


def lines_between(path: StrPath, places: Iterable[tuple[int, int]]) -> Iterator[Block]:
    """The lines of a file from a first to a last one, for each pair of numbers, in their order."""
    every = chain.from_iterable(block for _, block in blocks(path))
    next_line = 1
    for first, last in places:
        yield first, list(islice(every, first - next_line, last + 1 - next_line))
        next_line = last + 1


def blocks(path: StrPath) -> Iterator[Block]:
    """The lines of a file, however they are ended, some at a time, and the number of the first."""
    number = 1
    with readable(path), opened(path) as file:
        _refuse_other_files(path, file.peek(4)[:4])  # type: ignore[attr-defined]
        with io.TextIOWrapper(file, "utf-8-sig") as text:
            try:
                while block := text.readlines(1 << 18):
                    yield number, block
                    number += len(block)
            except UnicodeDecodeError:
                _refuse_bad_byte(path)
                raise


def _refuse_other_files(path: StrPath, head: bytes) -> None:
    """Refuse a file whose first bytes show that it is no text in UTF-8."""
    for begin, advice in OTHER_FILES.items():
        if head.startswith(begin):
            raise CorefError(f"{path}: its first bytes, {begin.hex(' ')}, are {advice}")
    if len(head) > 1 and (head[0] == 0) != (head[1] == 0):
        raise CorefError(
            f"{path}: every second byte is 00, as in UTF-16 without a mark; save it as UTF-8"
        )


def _refuse_bad_byte(path: StrPath) -> None:
    """Refuse the first line that is not UTF-8; the file is read once more to find it."""
    with opened(path) as file:
        content = file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            if control := CONTROL.search(content):
                raise CorefError(
                    f"{path}: it is no text file: it has the control byte 0x{control[0][0]:02x}; "
                    "expected a file of CoNLL-2012, JSON lines or CorefUD, in UTF-8"
                ) from None
            raise CorefError(
                f"{path}, line {number}: byte 0x{line[error.start]:02x} is not UTF-8; save the "
                "file as UTF-8"
            ) from None


def same_words(key: Document, response: Document, sentences: bool = False) -> str:
    """Refuse other numbers of words; what to say of the first that differs, if one does.

    ``sentences`` have to be the same where mentions are counted in them.
    """
    if key.unit != response.unit:
        raise OtherTokens(
            f"{response}: its mentions count {response.unit}s, and those of {key} {key.unit}s; "
            "expected `sentences` or `tokens` in both, or the same `text`"
        )
    if sentences:
        _expect_same_sentences(key, response)
    text = ""
    for n in key.unlike(response):
        ours, theirs = key.word(key.tokens[n]), response.word(response.tokens[n])
        if ours != theirs and None not in (ours, theirs):
            text = f"token {n} is {ours!r} in {key.place(n)}, but {theirs!r} in {response.place(n)}"
            break
    if None not in (key.size, response.size) and key.size != response.size:
        hint = f": {text}" if text else ""
        raise OtherTokens(
            f"{key} has {key.size} tokens here and {response.size} in {response.path}, line "
            f"{response.line}; expected the same tokens in both{hint}"
        )
    return f"document {key.name!r}: {text}" if text else ""


def _expect_same_sentences(key: Document, response: Document) -> None:
    """Refuse the first sentence that has another number of words on the other side."""
    if (key.sentences, key.size) == (response.sentences, response.size):
        return
    ends = [[*side.sentences[1:], side.size or 0] for side in (key, response)]
    start = 0
    for number, both in enumerate(zip_longest(*ends, fillvalue=None), 1):
        if both[0] == both[1]:
            start = both[0] or 0
            continue
        sizes = []
        for side, end in zip((key, response), both, strict=True):
            words = (end or start) - start
            last = start + words - 1 if words else side.size or 0
            sizes.append(f"{words} words to {side.place(last)}")
        raise CorefError(
            f"{key}: sentence {number} has {sizes[0]}, and {sizes[1]}; expected the same words in "
            "the same sentences"
        )


def expect_same_text(key: Document, response: Document) -> None:
    """Refuse two documents that nothing shows to be the same, if one of them has no name."""
    if key is response or key.path == response.path:
        return
    for name, text in key.remarks.items():
        if response.remarks.get(name, text) != text:
            raise CorefError(
                f"{response}: it has no name, and its `{name}` is other than that of {key}; "
                f"{NAME_THEM}"
            )
    # Words and characters are compared, and refused, once the two are paired.
    if key.unit != response.unit and "name" not in (key.unit, response.unit):
        return
    words = [
        [SPELT_IN_TWO_WAYS.get(word, word) for word in side.words if word]
        for side in (key, response)
    ]
    if not all(words) or words[0] != words[1]:
        what = "other words than" if all(words) else "no words that show that it is"
        raise CorefError(f"{response}: it has no name, and {what} {key}; {NAME_THEM}")


def common_name(name: str) -> str:
    """A name with its part as e2e-coref writes it, but for part 0, which others leave out.

    >>> common_name("bc/cctv_0001; part 001"), common_name("bc/cctv_0001_1")
    ('bc/cctv_0001_1', 'bc/cctv_0001_1')
    >>> common_name("cctv_0000; part 000"), common_name("cctv_0000_0"), common_name("cctv_0000")
    ('cctv_0000', 'cctv_0000', 'cctv_0000')
    """
    before, _, part = name.rpartition("; part ")
    known = f"{before}_{part.lstrip('0') or 0}" if before and part.isdecimal() else name
    return known.removesuffix("_0") or name


PART_0 = re.compile("(?:; part 0+|_0)$")


def refuse_parts(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    """Refuse a document with a part where the other side has its name without any, or as a_01.

    They may be one document or two. Both sides are documents, or names, by `common_name`.
    """
    of_ours = {meaning: name for name in ours if name not in theirs for meaning in _meanings(name)}
    for name in theirs.keys() - ours.keys():
        for meaning in _meanings(name):
            name_here = of_ours.get(meaning)
            if name_here is None or meaning not in (name, name_here, _meanings(name)[0]):
                continue
            part, whole = theirs[name], ours[name_here]
            if name == meaning:
                part, whole = whole, part
            # What is part 0 is no other part, but may be written with several zeros.
            is_part_0 = any(PART_0.search(str(getattr(d, "name", d))) for d in (part, whole))
            if not is_part_0 or any(_meanings(n)[0].endswith("_") for n in (name, name_here)):
                raise CorefError(
                    f"{part}: it may be a part of {whole}, or another document; write its name "
                    "alike on both sides"
                )


def _meanings(name: str) -> list[str]:
    """A name with its part, if it may have one, as a number, without it, and as it is.

    >>> _meanings("a_01"), _meanings("a")
    (['a_1', 'a', 'a_01'], ['a'])
    """
    whole, _, part = name.rpartition("_")
    has_part = whole and part.isdecimal()
    return [f"{whole}_{part.lstrip('0')}", whole, name] if has_part else [name]


def by_common_name(documents: Iterator[Document] | Sequence[Document]) -> dict[str, Document]:
    """The documents by `common_name`, each of which may come once."""
    by_name: dict[str, Document] = {}
    for document in documents:
        before = by_name.setdefault(common_name(document.name), document)
        if before is not document:
            raise CorefError(
                f"{document} begins here and in {before}; expected each once, and a part number of "
                "its own for each part of one name"
            )
    return by_name
