"""What the readers of all formats share: lines, documents side by side, mentions given twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count, repeat, zip_longest
from typing import Any, NoReturn, Protocol, TypeVar

from corefeval.errors import CorefError, expect
from corefeval.errors import warn as warn
from corefeval.partition import ByName, Partition

StrPath = str | os.PathLike[str]
Entities = Partition | ByName
"""A document's entities: lists, repeats and all, where a mention is given twice."""


def blocks(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The file's lines in blocks, each with the number of its first line and an empty one added.

    Blocks that stay in the processor's cache halve the time of reading a large file.
    """
    expect((str, os.PathLike), "the path of a file", path)
    number = 1
    for block in _read(path):
        try:
            lines = _lines(block.decode("utf-8"))
        except UnicodeDecodeError as error:
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
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 16) + file.readline():
                yield block
    except (OSError, ValueError) as error:  # ValueError: characters that no path has
        shown = path if isinstance(error, OSError) else repr(path)
        reason = (getattr(error, "strerror", "") or str(error)).lower()
        raise CorefError(f"{shown}: cannot read it: {reason}") from error


def _lines(text: str) -> list[str]:
    """The lines of a text, be they ended as on Unix, Windows or an old Macintosh."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


class Named(Protocol):
    """A document of any format, which begins in a line of its file."""

    name: str
    begin: int


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
        for name in dict.fromkeys(document.name for document in pair if document is not None):
            if name in key and name in response:
                check(key[name], response[name])
    return key, response


def check_same_documents(
    key_path: StrPath, key: Mapping[str, Doc], response_path: StrPath, response: Mapping[str, Doc]
) -> None:
    """Refuse a document that only one side has."""
    sides = (key_path, key), (response_path, response)
    for (path, here), (other_path, there) in (sides, sides[::-1]):
        if missing := [name for name in here if name not in there]:
            from difflib import get_close_matches  # only for the message

            more = f" (nor has it {len(missing) - 1} others)" if missing[1:] else ""
            near = get_close_matches(missing[0], [name for name in there if name not in here], 1)
            hint = f"; is it the one that is called {near[0]!r} there?" if near else ""
            raise CorefError(
                f"{path}, line {here[missing[0]].begin}: document {missing[0]!r} is not in "
                f"{other_path}{more}; expected the same documents in both files{hint}"
            )


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
