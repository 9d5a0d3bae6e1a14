"""What the readers of all formats share: lines, documents side by side, mentions given twice."""

from __future__ import annotations

import glob
import io
import os
import re
import stat
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import chain, count, repeat, zip_longest
from typing import Any, BinaryIO, NamedTuple, NoReturn, Protocol, TypeVar, cast

from corefeval.errors import CorefError, expect
from corefeval.errors import warn as warn
from corefeval.partition import ByName, Partition
from corefeval.progress import advance, is_drawn, progress


class Held(NamedTuple):
    """The path of a pipe, which can be read only once, with what it has given."""

    path: str
    content: bytes

    def __str__(self) -> str:
        return self.path

    def __fspath__(self) -> str:
        return self.path


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

MANY = 10
"""Of names that are missing, so many before and after another in the alphabet are compared."""
LONG = 200
"""Names with more characters are not compared."""


def held(path: StrPath) -> StrPath:
    """The path itself or, if that is a pipe, what comes out of it, to be read more than once."""
    if isinstance(path, Held) or not is_pipe(path):
        return path
    return Held(os.fspath(path), b"".join(_read(path)))


def is_pipe(path: StrPath) -> bool:
    """Whether this can be read only once."""
    with suppress(OSError, ValueError, TypeError):  # what is no path, or of no file: said later
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
    import gzip  # only for such files

    return cast(BinaryIO, gzip.open(path))


def files_in(path: StrPath) -> list[StrPath]:
    """The file at a path; the files in a folder and in its folders, or those that a pattern finds.

    They are in alphabetical order; those whose names begin with a dot are left out. A path is a
    pattern if it has ``*``, ``?`` or ``[`` and is not there itself.

    Raises `CorefError` if there are none.
    """
    if isinstance(path, Held) or not isinstance(path, (str, os.PathLike)):
        return [path]
    text = os.fspath(path)
    if os.path.isdir(text):
        pattern = os.path.join(glob.escape(text), "**")
    elif glob.has_magic(text) and not os.path.exists(text):
        pattern = text
    else:
        return [path]
    found = [each for each in glob.glob(pattern, recursive=True) if os.path.isfile(each)]
    if not found:
        raise CorefError(f"{text}: there is no file in it; expected a file, a folder or a pattern")
    return [*sorted(found)]


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
    for block in _read(path):
        if number == 1:
            refuse_other_files(path, block)
        try:
            lines = _lines(block.decode("utf-8"))
        except UnicodeDecodeError as error:
            if control := CONTROL.search(block):
                raise CorefError(
                    f"{path}: it is no text file: it has the control byte 0x{control[0][0]:02x}; "
                    "expected a file of CoNLL-2012, JSON lines or CorefUD, in UTF-8"
                ) from error
            number += len(_lines(block[: error.start].decode("utf-8"))) - 1
            raise CorefError(
                f"{path}, line {number}: byte 0x{block[error.start]:02x} is not UTF-8; save the "
                "file as UTF-8"
            ) from error
        if lines[-1]:
            lines.append("")
        yield number, lines
        number += len(lines) - 1


def _read(path: StrPath) -> Iterator[bytes]:
    expect((str, os.PathLike), "the path of a file", path)
    if path == "":
        raise CorefError("the name of the file is empty")
    try:
        with opened(path) as file:
            while block := file.read(1 << 16) + file.readline():
                yield block
                advance(len(block))
    except EOFError as error:  # of gzip
        raise CorefError(f"{path}: the compressed file is cut off; expected all of it") from error
    except (OSError, ValueError) as error:  # ValueError: characters that no path has
        shown = path if isinstance(error, OSError) else repr(path)
        reason = (getattr(error, "strerror", "") or str(error)).lower()
        raise CorefError(f"{shown}: cannot read it: {reason}") from error


def _lines(text: str) -> list[str]:
    """The lines of a text, be they ended as on Unix, Windows or an old Macintosh."""
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


Doc = TypeVar("Doc", bound=Named)


class InOrder(dict[str, Doc]):
    """Documents that were paired with those of the other side by their order."""


def side_by_side(
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
            more = f" (nor has it {len(missing) - 1} others)" if missing[1:] else ""
            near = nearest(missing[0], [name for name in there if name not in here])
            hint = f"; is it the one that is called {near!r} there?" if near else ""
            raise CorefError(
                f"{first.path}, line {first.begin}: document {missing[0]!r} is not in "
                f"{other_path}{more}{hint}; expected the same documents in both files, or "
                "--missing empty (it has no mentions there) or --missing skip (it is left out), in "
                'Python missing="empty" or missing="skip"'
            )


def nearest(name: str, others: list[str]) -> str:
    """The most similar of other names, nothing if none is similar.

    To compare two names takes long, so only some are compared: those that begin most like
    ``name``, and those that end most like it.

    >>> nearest("bc/cctv_0000; part 0", ["bc/cctv_0000; part 000", "bc/cnn_0000; part 000"])
    'bc/cctv_0000; part 000'
    """
    from difflib import get_close_matches  # only for the message

    begin_alike = _neighbours(name, others)
    end_alike = [each[::-1] for each in _neighbours(name[::-1], [each[::-1] for each in others])]
    few = dict.fromkeys(begin_alike + end_alike)
    short = [each for each in few if len(each) <= LONG]
    found = get_close_matches(name, short, 1) if len(name) <= LONG else []
    return found[0] if found else ""


def _neighbours(name: str, others: list[str]) -> list[str]:
    ordered = sorted(others)
    at = bisect(ordered, name)
    return ordered[max(at - MANY, 0) : at + MANY]


def entities_of(
    listed: Mapping[str, list[Any]], repeated: str, where: Callable[[Any], str]
) -> Entities:
    """The entities, by name, as a `Partition`; where a mention is given twice, refused or as lists.

    ``where`` names file, lines and document of a mention.
    """
    sizes = list(map(len, listed.values()))
    numbers = chain.from_iterable(map(repeat, count(), sizes))
    entity_of = dict(zip(chain.from_iterable(listed.values()), numbers, strict=True))
    if len(entity_of) == sum(sizes):
        return Partition.of_numbers(entity_of, sizes, list(listed))
    if repeated == "error":
        refuse_repeated(listed, where)
    return ByName(listed, where)


def refuse_repeated(listed: Mapping[str, list[Any]], where: Callable[[Any], str]) -> NoReturn:
    """Name the first mention in the text that is given twice, and its entities."""
    given: dict[Any, list[str]] = {}
    for name, entity in listed.items():
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
