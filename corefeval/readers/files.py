"""What the readers of all formats share: lines, documents side by side, mentions given twice."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, BinaryIO, NoReturn, Protocol, TypeVar

from corefeval.errors import CorefError, expect
from corefeval.partition import ByName, Partition

StrPath = str | os.PathLike[str]
Entities = Partition | ByName
"""A document's entities: lists, repeats and all, where a mention is given twice."""


def blocks(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The file's lines in blocks, each with the number of its first line and an empty one added.

    Blocks that stay in the processor's cache halve the time of reading a large file.
    """
    number = 1
    expect((str, os.PathLike), "the path of a file", path)
    try:
        with _opened(path) as file:
            while block := file.read(1 << 16) + file.readline():
                try:
                    text = block.decode("utf-8")
                except UnicodeDecodeError as error:
                    number += _line_ends(block[: error.start])
                    raise CorefError(
                        f"{path}, line {number}: byte 0x{block[error.start]:02x} is not UTF-8; "
                        "save the file as UTF-8"
                    ) from error
                if "\r" in text:
                    text = text.replace("\r\n", "\n").replace("\r", "\n")
                lines = text.split("\n")
                if lines[-1]:
                    lines.append("")
                yield number, lines
                number += len(lines) - 1
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CorefError(f"{path}: cannot read it: {reason}") from error


def _opened(path: StrPath) -> BinaryIO:
    try:
        return open(path, "rb")
    except ValueError as error:  # characters that no path has
        raise CorefError(f"{path!r}: cannot read it: {error}") from error


def _line_ends(text: bytes) -> int:
    """How many lines end in a text, be they ended as on Unix, Windows or an old Macintosh.

    >>> _line_ends(b"a\\nb\\r\\nc\\rd")
    3
    """
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def warn(message: str) -> None:
    """Warn whoever called the library, however deep in it."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("corefeval"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


class Named(Protocol):
    """A document of any format."""

    name: str
    begin: int
    """Its first line, counted from 1."""


Doc = TypeVar("Doc", bound=Named)


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
        for name in {document.name: None for document in pair if document is not None}:
            if name in key and name in response:
                check(key[name], response[name])
    return key, response


def check_same_documents(
    key_path: StrPath, key: Mapping[str, Doc], response_path: StrPath, response: Mapping[str, Doc]
) -> None:
    """Refuse a document that only one side has."""
    for path, here, other_path, there in (
        (key_path, key, response_path, response),
        (response_path, response, key_path, key),
    ):
        missing = [name for name in here if name not in there]
        if not missing:
            continue
        from difflib import get_close_matches  # only for the message

        name, *others = missing
        more = f" (nor has it {len(others)} others)" if others else ""
        near = get_close_matches(name, [each for each in there if each not in here], 1)
        hint = f"; is it the one that is called {near[0]!r} there?" if near else ""
        raise CorefError(
            f"{path}, line {here[name].begin}: document {name!r} is not in {other_path}{more}; "
            f"expected the same documents in the key and in the response{hint}"
        )


def entities_of(
    listed: Mapping[str, list[Any]], repeated: str, where: Callable[[Any], str]
) -> Entities:
    """The entities, by name, as a `Partition`; where a mention is given twice, refused or as lists.

    ``where`` names file, lines and document of a mention.
    """
    entity_of = {mention: n for n, entity in enumerate(listed.values()) for mention in entity}
    sizes = list(map(len, listed.values()))
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
