"""What the readers of all formats share: lines, documents side by side, mentions given twice."""

from __future__ import annotations

import glob
import io
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import zip_longest
from typing import Any, BinaryIO, NoReturn, Protocol, TypeVar, cast

from corefeval.errors import CorefError, FaultyFiles, expect, warn
from corefeval.partition import ByName, Partition
from corefeval.progress import advance, is_drawn, progress


class Held(str):
    """The path of a file with what is in it: of a pipe, or of what is read more than once."""

    content: bytes


class HeldFolder(str):
    """The path of a folder, or a pattern, with its files."""

    files: list[Held]


StrPath = str | os.PathLike[str]
Entities = Partition | ByName
"""A document's entities: lists, repeats and all, where a mention is given twice."""

OTHER_FILES = {
    b"\xff\xfe": "are those of UTF-16; save it as UTF-8",
    b"\xfe\xff": "are those of UTF-16; save it as UTF-8",
    b"BZh": "are those of a file compressed by bzip2; unpack it",
    b"\xfd7zXZ": "are those of a file compressed by xz; unpack it",
    b"\x28\xb5\x2f\xfd": "are those of a file compressed by Zstandard; unpack it",
    b"PK\x03\x04": "are those of a zip archive; unpack it",
    b"PAR1": "are those of a Parquet file; give it a name that ends in .parquet",
}
"""The first bytes of files that are no text in UTF-8, and what to do with such a file."""

CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
"""Bytes that texts of no encoding have, whose blanks, line ends and escapes are others."""

GZIP = b"\x1f\x8b"

MOST_FAULTS = 10


def buffered(path: StrPath) -> StrPath:
    """The path itself or, if that is a pipe, what comes out of it, to be read more than once."""
    return _held_file(path) if is_pipe(path) else path


def held(path: StrPath) -> StrPath:
    """The path with what is in its files; the path itself if one cannot be read.

    Whoever reads that one says why.
    """
    try:
        files = files_in(path)
        found = [*map(_held_file, files)]
    except CorefError:
        return path
    if files == [path]:
        return found[0]
    folder = HeldFolder(os.fspath(path))
    folder.files = found
    return folder


def _held_file(path: StrPath) -> Held:
    if isinstance(path, Held):
        return path
    file = Held(os.fspath(path))
    file.content = b"".join(_byte_blocks(path))
    return file


def is_pipe(path: StrPath) -> bool:
    """Whether this can be read only once."""
    if isinstance(path, Held):
        return False
    # The reader reports bad or missing paths; here they are just no pipe.
    with suppress(OSError, ValueError, TypeError):
        mode = os.stat(path).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def reading_bar(*paths: StrPath | None) -> AbstractContextManager[None]:
    """A bar for as many bytes as there are in the files of these paths."""
    files = [file for path in paths if path is not None and is_drawn() for file in files_in(path)]
    return progress("reading", sum(map(_size_of, files)), "B")


def _size_of(file: StrPath) -> int:
    """How many bytes there are to read; 0 for what cannot be read, which is said later."""
    if isinstance(file, Held):
        return len(file.content)
    with suppress(OSError, ValueError, TypeError):
        return os.stat(file).st_size
    return 0


def opened(path: StrPath) -> BinaryIO:
    """What can be read at this path, unpacked if it is a file that gzip has compressed."""
    if isinstance(path, Held):
        return io.BytesIO(path.content)
    file = open(path, "rb")  # noqa: SIM115  # whoever takes it closes it
    if is_pipe(path) or file.peek(len(GZIP))[: len(GZIP)] != GZIP:
        return file
    file.close()
    # Most files are not compressed, and gzip takes a while to import.
    import gzip

    return cast(BinaryIO, gzip.open(path))


def text_of(file: StrPath) -> str:
    """What is in a file, as far as it can be read."""
    with suppress(OSError, EOFError, ValueError, TypeError), opened(file) as content:
        return content.read().decode("utf-8", "replace")
    return ""


def files_in(path: StrPath) -> list[StrPath]:
    """The file at a path; the files in a folder and in its folders, or those that a pattern finds.

    They are in alphabetical order; those whose names begin with a dot are left out. A path is a
    pattern if it has ``*``, ``?`` or ``[`` and is not there itself.

    Raises `CorefError` if there are none.
    """
    if isinstance(path, Held):
        return [path]
    if isinstance(path, HeldFolder):
        return [*path.files]
    expect((str, os.PathLike), "the path of a file", path)
    text = os.fspath(path)
    if os.path.isdir(text):
        found = list(_files_below(text))
    elif glob.has_magic(text) and not os.path.exists(text):
        # Escaped, the first sign of the pattern is in brackets: what is before them is a folder.
        before = glob.escape(text).partition("[")[0]
        # With ** glob follows links without end; this walk refuses a folder that contains itself.
        if "**" in text:
            list(_files_below(os.path.dirname(before) or os.curdir))
        found = [each for each in glob.glob(text, recursive=True) if _is_file(each)]
    else:
        return [path]
    if not found:
        raise CorefError(f"{text}: there is no file in it; expected a file, a folder or a pattern")
    return [*sorted(found)]


def _files_below(folder: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """The files in a folder and in its folders, but for hidden ones; ``above`` are those above."""
    real = os.path.realpath(folder)
    if real in above:
        raise CorefError(
            f"{folder} is a link to a folder that it is in: remove it, or name the files otherwise"
        )
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise CorefError(f"{folder}: cannot read it: {str(error.strerror).lower()}") from None
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
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError as error:
        why = str(error.strerror).lower()
        what = "a link that leads nowhere" if os.path.islink(path) else "cannot read it"
        raise CorefError(f"{path}: {what}: {why}") from None


class ErrorsByFile:
    """What is wrong in several files: of each what is found first, and of no more than ten."""

    def __init__(self) -> None:
        self.told: dict[StrPath, CorefError] = {}

    @contextmanager
    def of(self, path: StrPath) -> Iterator[None]:
        """Note a `CorefError` that is raised within, but for the tenth, with which all are told."""
        try:
            yield
        except CorefError as error:
            # Later faults of a file are often caused by its first.
            self.told.setdefault(path, error)
            if len(self.told) == MOST_FAULTS:
                self.tell()

    def tell(self) -> None:
        """Raise what was noted."""
        if len(self.told) == 1:
            raise next(iter(self.told.values())) from None
        if self.told:
            told = list(map(str, self.told.values()))
            if len(told) == MOST_FAULTS:
                told.append(f"no more than {MOST_FAULTS} faulty files are told at once")
            raise FaultyFiles(told) from None


def in_each_file(path: StrPath, read: Callable[[StrPath], Iterable[Item]]) -> Iterator[Item]:
    """What is read in each file of a path; after a fault the other files are read for theirs."""
    faults = ErrorsByFile()
    for file in files_in(path):
        with faults.of(file):
            for item in read(file):
                if not faults.told:
                    yield item
    faults.tell()


def refuse_other_files(path: StrPath, head: bytes) -> None:
    """Refuse a file whose first bytes show that it is no text in UTF-8."""
    for begin, told in OTHER_FILES.items():
        if head.startswith(begin):
            raise CorefError(f"{path}: its first bytes, {begin.hex(' ')}, {told}")
    if len(head) > 1 and (head[0] == 0) != (head[1] == 0):
        raise CorefError(
            f"{path}: every second byte is 00, as in UTF-16 without a mark; save it as UTF-8"
        )


def blocks(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The file's lines in blocks, each with the number of its first line and an empty one added.

    Blocks that stay in the processor's cache halve the time of reading a large file.
    """
    number = 1
    for block in _byte_blocks(path):
        if number == 1:
            refuse_other_files(path, block)
        try:
            lines = lines_of(block.decode("utf-8"))
        except UnicodeDecodeError as error:
            if control := CONTROL.search(block):
                raise CorefError(
                    f"{path}: it is no text file: it has the control byte 0x{control[0][0]:02x}; "
                    "expected a file of CoNLL-2012, JSON lines or CorefUD, in UTF-8"
                ) from None
            number += len(lines_of(block[: error.start].decode("utf-8"))) - 1
            raise CorefError(
                f"{path}, line {number}: byte 0x{block[error.start]:02x} is not UTF-8; save the "
                "file as UTF-8"
            ) from None
        # The last line of a file need not end with a line break.
        if lines[-1]:
            lines.append("")
        yield number, lines
        number += len(lines) - 1


def _byte_blocks(path: StrPath) -> Iterator[bytes]:
    expect((str, os.PathLike), "the path of a file", path)
    if path == "":
        raise CorefError("the name of the file is empty")
    try:
        with opened(path) as file:
            # A block ends with a line, so that no line is in two blocks.
            while block := file.read(1 << 16) + file.readline():
                yield block
                advance(len(block))
    # gzip raises it where a file ends before its last compressed block.
    except EOFError:
        raise CorefError(f"{path}: the compressed file is cut off; expected all of it") from None
    # open raises ValueError for characters that no path can have, such as a null.
    except (OSError, ValueError) as error:
        # `opened` has seen a gzip header, so the file begins as one and goes on as something else.
        if str(error).startswith("Not a gzipped file"):
            raise CorefError(
                f"{path}: there is something else after the end of the compressed file; compress "
                "it anew, or cut the rest off"
            ) from None
        shown = path if isinstance(error, OSError) else repr(path)
        reason = (getattr(error, "strerror", "") or str(error)).lower()
        raise CorefError(f"{shown}: cannot read it: {reason}") from None


def lines_of(text: str) -> list[str]:
    """The lines of a text, be they ended as on Unix, Windows or an old Macintosh."""
    # To look for one character is faster than to replace what is not there.
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def count_of(number: object, noun: str) -> str:
    """A number of things.

    >>> count_of(1, "token"), count_of(2, "token")
    ('1 token', '2 tokens')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Named(Protocol):
    """A document of any format, which begins in a line of its file."""

    path: StrPath
    name: str
    begin: int


def line_of(document: Named, beside: Named) -> str:
    """Where a document begins, for a message that names the other's file already."""
    line = f"line {document.begin}"
    return line if document.path == beside.path else f"{document.path}, {line}"


Item = TypeVar("Item")
Doc = TypeVar("Doc", bound=Named)
Other = TypeVar("Other", bound=Named)


def refuse_begun(begun: dict[str, Doc], document: Doc, where: str) -> None:
    """Refuse a document that has begun before, and remember the others."""
    before = begun.setdefault(document.name, document)
    # A document that comes block by block is the same object each time.
    if before is not document:
        raise CorefError(
            f"{where} begins here and in {line_of(before, document)}; expected each once, and a "
            "part number of its own for each part of one name"
        )


class InOrder(dict[str, Doc]):
    """Documents that were paired with those of the other side by their order."""


def entities_in(
    sides: Iterable[Mapping[str, Doc]], read: Callable[[Doc], Item]
) -> Iterator[dict[str, Item]]:
    """The entities of each document of each side; refused are all files that have a fault."""
    faults = ErrorsByFile()
    for documents in sides:
        found: dict[str, Any] = InOrder() if isinstance(documents, InOrder) else {}
        for name, document in documents.items():
            with faults.of(document.path):
                found[name] = read(document)
        yield found
    faults.tell()


def read_together(
    keys: Iterable[Doc], responses: Iterable[Doc], check: Callable[[Doc, Doc], None]
) -> tuple[dict[str, Doc], dict[str, Doc]]:
    """The documents of a key and of a response by name, each checked with its other half.

    Both files are read at once, so that ``check`` may let their texts go, and no more of them is
    kept than documents are in another order.
    """
    key: dict[str, Doc] = {}
    response: dict[str, Doc] = {}
    for pair in zip_longest(keys, responses):
        for side, document in zip((key, response), pair, strict=True):
            if document is not None:
                side[document.name] = document
        for name in dict.fromkeys(document.name for document in pair if document is not None):
            if name in key and name in response:
                check(key[name], response[name])
    return key, response


def in_order(ours: Iterable[Doc], theirs: Iterable[Other]) -> Iterator[tuple[Doc, Other]]:
    """The documents of both sides that have the same place in their files."""
    for number, (one, other) in enumerate(zip_longest(ours, theirs)):
        if one is None or other is None:
            raise CorefError(
                f"{_where(one or other)}: the other file has only {count_of(number, 'document')}, "
                "and documents are paired by their order; expected as many in both files"
            )
        yield one, other


BEFORE_PART = "; part "
NUMBER_OF_PART = re.compile("[0-9]+")


def names_and_parts(name: str, part: str = "") -> list[tuple[str, str]]:
    """The name and the part that a document's name may have; a part is a number, "" is none.

    ``part`` is what the file has as its part, which is then the end of the name.

    >>> names_and_parts("a; part 000"), names_and_parts("a_07"), names_and_parts("a_07", "07")
    ([('a', '0')], [('a_07', ''), ('a', '7')], [('a', '7')])
    """
    before, _, number = name.rpartition(BEFORE_PART)
    if before or part:
        return [(before or name.removesuffix(f"_{part}"), _as_number(number if before else part))]
    before, _, number = name.rpartition("_")
    is_part = before and NUMBER_OF_PART.fullmatch(number)
    return [(name, ""), *([(before, _as_number(number))] if is_part else [])]


def _as_number(part: str) -> str:
    """A part without the zeros before it; one that is no number as it is."""
    return (part.lstrip("0") or "0") if NUMBER_OF_PART.fullmatch(part) else part


class Namesakes:
    """Documents by the names and parts that their names may have.

    >>> of_key = Namesakes({"a; part 000": "", "b; part 000": "", "b; part 001": ""})
    >>> [of_key.of(name) for name in ("a", "a_0", "a; part 0", "a_1", "b", "b_1")]
    [['a; part 000'], ['a; part 000'], ['a; part 000'], [], ['b; part 000', 'b; part 001'], \
['b; part 001']]
    """

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._of_name: dict[str, list[str]] = {}
        self._of_part: dict[tuple[str, str], list[str]] = {}
        for name, part in parts.items():
            for reading in names_and_parts(name, part):
                self._of_name.setdefault(reading[0], []).append(name)
                self._of_part.setdefault(reading, []).append(name)

    def of(self, name: str, part: str = "") -> list[str]:
        """The documents that have this name: with the same part, or where one has none."""
        found: list[str] = []
        for base, number in names_and_parts(name, part):
            if number:
                found += self._of_part.get((base, number), [])
                found += self._of_part.get((base, ""), [])
            else:
                found += self._of_name.get(base, [])
        return list(dict.fromkeys(found))


def meet_parts(
    here: Mapping[str, Doc], there: dict[str, Other], check: Callable[[Doc, Other], None]
) -> None:
    """Let documents meet whose names differ in no more than how their part is written.

    A document of ``there`` takes the name that it has ``here``, and both are checked. Raises
    `CorefError` where it may be two, and where two are one.
    """
    left = [name for name in there if name not in here]
    if not left:
        return
    namesakes = Namesakes({name: _part_of(document) for name, document in here.items()})
    met: dict[str, str] = {}
    for name in left:
        found = namesakes.of(name, _part_of(there[name]))
        # A number at the end of a name is perhaps no part: only one that is called a part counts.
        if len(found) > 1 and any(has_part(each) for each in (there[name], *map(here.get, found))):
            raise CorefError(
                f"{_where(there[name])}: in the other file it may be "
                f"{' or '.join(map(repr, found))}; expected a name of one of them, with its part: "
                "as `NAME; part 0` or `NAME_0`, in JSON lines also with a `part_id`"
            )
        if len(found) != 1 or found[0] in there:
            continue
        if found[0] in met:
            raise CorefError(
                f"{_where(there[name])}: it is {found[0]!r} of the other file, and so is "
                f"{_where(there[met[found[0]]])}; expected each document once"
            )
        met[found[0]] = name
    of_met = {name: ours for ours, name in met.items()}
    # Made anew, because a renamed document has to keep its place in the file.
    documents = [(of_met.get(name, name), document) for name, document in there.items()]
    there.clear()
    for name, document in documents:
        there[name] = document
        if name in met:
            document.name = name
            check(here[name], document)


def _part_of(document: Named) -> str:
    """What JSON lines has as the part of a document."""
    return getattr(document, "part", "")


def has_part(document: Named | None) -> bool:
    """Whether a document has a part that is called one, and not only a number at its end."""
    return document is not None and names_and_parts(document.name, _part_of(document))[0][1] != ""


class NameAlone:
    """A document of which nothing but the name is known: it is in memory, or was read before."""

    path: StrPath = ""
    begin = 0

    def __init__(self, name: str) -> None:
        self.name = name


def _where(document: Named) -> str:
    if not document.path:
        return f"document {document.name!r}"
    line = f"{document.path}, line {document.begin}"
    return f"{line}: document {document.name!r}" if document.name else line


def warn_of_words(differing: Sequence[str], compared: int) -> None:
    """Say once that words differ, in how many of the documents, and where first.

    ``differing`` has for each such document what differs in it first.
    """
    if not differing:
        return
    first, number = differing[0], len(differing)
    told, question = first, ""
    if number > 1:
        told = f"words differ in {number} of {compared} documents; the first: {first}"
    if number > 1 and 2 * number > compared:
        question = "; are these files of the same documents?"
    warn(f"{told}; scored by position all the same{question}")


def check_same_documents(
    key_path: StrPath, key: Mapping[str, Doc], response_path: StrPath, response: Mapping[str, Doc]
) -> None:
    """Refuse a document that only one side has."""
    for here, there, other_path in ((key, response, response_path), (response, key, key_path)):
        if missing := [name for name in here if name not in there]:
            first = here[missing[0]]
            more = ""
            if others := len(missing) - 1:
                more = f", and {others} more {'is' if others == 1 else 'are'} missing"
            raise CorefError(
                f"{first.path}, line {first.begin}: document {missing[0]!r} is not in "
                f"{other_path}{more}; expected the same documents in both files, or "
                "--missing empty (it has no mentions there) or --missing skip (it is left out), in "
                'Python missing="empty" or missing="skip"'
            )


def entities_of(
    mentions_of: Mapping[str, list[Any]], repeated: str, where: Callable[[Any], str]
) -> Entities:
    """The entities, by name, as a `Partition`; where a mention is given twice, refused or as lists.

    ``where`` names file, lines and document of a mention.
    """
    once = Partition.once(mentions_of)
    if once is not None:
        return once
    if repeated == "error":
        refuse_repeated(mentions_of, where)
    return ByName(mentions_of, where)


def refuse_repeated(mentions_of: Mapping[str, list[Any]], where: Callable[[Any], str]) -> NoReturn:
    """Name the first mention in the text that is given twice, and its entities."""
    given: dict[Any, list[str]] = {}
    for name, entity in mentions_of.items():
        for mention in entity:
            given.setdefault(mention, []).append(name)
    mention, (one, other, *_) = min(item for item in given.items() if len(item[1]) > 1)
    if one == other:
        so, remedy = f"twice in entity {one}", "count it once"
    else:
        so = f"in entities {one} and {other}"
        remedy = "keep it in the first of them, --repeated merge to make the two one"
    raise CorefError(
        f"{where(mention)}: mention {mention} is {so}; mend the file, "
        f'or pass --repeated first (in Python repeated="first") to {remedy}'
    )
