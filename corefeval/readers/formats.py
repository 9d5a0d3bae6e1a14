"""The formats of files: what is in a file tells which it is of, not its name.

A format is a value. Whoever has to know something of a format asks one of its fields, and only this
module asks which format it is, so that a new one needs a line here and a reader.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

from corefeval.conventions import Conventions
from corefeval.errors import Convertible, CorefError
from corefeval.readers.files import (
    StrPath,
    files_in,
    is_pipe,
    opened,
    refuse_other_files,
    text_of,
)


class Format(NamedTuple):
    """A format of files. (A dataclass would import `inspect`, a sixth of a command's time.)"""

    name: str
    module: str
    """The module of `corefeval.readers` that has its `read_pair`, `read_side` and `texts`."""
    recognised: re.Pattern[bytes]
    """What is found in the first kilobytes of its files."""
    conventions: tuple[str, ...] = ()
    """Those that concern it, and not every format."""
    has_both_sides: bool = False
    """Whether one file may be the key and the response."""
    may_be_unmarked: bool = False
    """Whether files that mark no mention are also of this format: `empty_side` says it is meant."""
    is_read_otherwise: bool = False
    """Whether other scorers read its lines by rules of their own (`corefeval.scorers`)."""
    joins: tuple[Format, ...] = ()
    """The formats of the two files, if they need not be of the same."""

    def __str__(self) -> str:
        return self.name

    @property
    def matches(self) -> bool:
        """Whether its mentions are matched, so that a mention of one file alone is none yet."""
        return "match" in self.conventions

    def reader(self) -> Any:
        """The module that reads it, imported only when needed, so that commands start sooner."""
        return import_module(f"corefeval.readers.{self.module}")

    def options(self, empty_side: bool) -> dict[str, bool]:
        """What its reader is told besides paths and conventions."""
        return {"empty_side": empty_side} if self.may_be_unmarked else {}

    def refuse_others(self, choice: Conventions, told: str) -> None:
        """Refuse a choice that concerns other formats; ``told`` says what the files are."""
        for other in FORMATS:
            names = [name for name in other.conventions if name not in self.conventions]
            choice.refuse(names, f"is for {other}, and {told}")

    def in_turn(self, *paths: StrPath) -> list[StrPath]:
        """The paths of two files in the order of the formats that this one joins."""
        return sorted(paths, key=lambda path: self.joins.index(format_of_path(path)))


JSON_LINES = Format(
    "JSON lines",
    "jsonlines",
    re.compile(rb"\A[{\[]"),
    conventions=("offsets", "pairs"),
    has_both_sides=True,
)
CONLL = Format(
    "CoNLL-2012",
    "conll",
    re.compile(rb"^\s*#\s*begin\s+document\b", re.IGNORECASE | re.MULTILINE),
    is_read_otherwise=True,
)
COREFUD = Format(
    "CorefUD",
    "corefud",
    re.compile(
        rb"^(?:#\s*(?:global\.Entity|newdoc|newpar|sent_id|text)\b"
        rb"|\d+\t(?:[^\t\n]*\t){8}[^\t\n]*$)",
        re.MULTILINE,
    ),
    conventions=("match", "zero_match"),
    may_be_unmarked=True,
)
FORMATS = (JSON_LINES, CONLL, COREFUD)
"""In the order in which they are looked for: comments of CoNLL-2012 may be those of CorefUD."""
MIXED = JSON_LINES._replace(
    name=f"{CONLL} and {JSON_LINES}",
    module="conll_with_jsonlines",
    has_both_sides=False,
    joins=(CONLL, JSON_LINES),
)
"""A file of one beside a file of the other: what concerns JSON lines concerns them, too."""

OF_OTHERS = (b"COREF\t", *(b"T%d" % digit for digit in range(10)))
"""How files begin that are perhaps converted by a recipe."""


def format_of_pair(key_path: StrPath, response_path: StrPath | None) -> Format:
    """The format of a key and of a response, which may be in one file.

    Raises `CorefError` for files of two formats that no reader joins.
    """
    one = format_of_path(key_path)
    if response_path is None:
        # An empty file has no format; it is refused as the only one that could have both sides.
        return one or JSON_LINES
    other = format_of_path(response_path)
    if one and other and one != other:
        if {one, other} != {*MIXED.joins}:
            told = (
                f"{key_path} is a file of {one}, and {response_path} one of {other}; expected "
                f"a key and a response of the same format, or of {MIXED}"
            )
            if (one, other) == (CONLL, COREFUD):
                from corefeval.readers.recipes import lines_for

                told += (
                    f"; these lines of Python make spans of {response_path}, for "
                    "corefeval.evaluate(key, response):"
                )
                lines = lines_for("CorefUD, for a key of CoNLL-2012", response_path)
                raise Convertible([told, *lines])
            raise CorefError(told)
        return MIXED
    return one or other or CONLL


def format_of_path(path: StrPath) -> Format | None:
    """The format of a file, or of all files in a folder or of a pattern; None if it is empty."""
    formats = {found: file for file in files_in(path) if (found := format_of_file(file, path))}
    if len(formats) > 1:
        told = " and ".join(f"{file} is one of {each}" for each, file in formats.items())
        raise CorefError(f"{path}: {told}; expected files of one format")
    return next(iter(formats), None)


def format_of_file(path: StrPath, named: StrPath | None = None) -> Format | None:
    """What the first kilobytes of a file are; None for one that is empty or cannot be read.

    ``named`` is the path that was given, if it is not the file's own.

    Raises `CorefError` for what is no text in UTF-8, and for a pipe: after this, nothing would be
    left to read, unless `files.buffered` has read it before.
    """
    if is_pipe(path):
        raise CorefError(f"{path} is a pipe, and has to be read twice here; expected a file")
    head = b""
    with suppress(OSError, EOFError, ValueError, TypeError), opened(path) as file:
        head = file.read(1 << 13)
    refuse_other_files(path, head)
    # Editors on Windows put a byte-order mark before the text.
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        return None
    if head.startswith(OF_OTHERS):
        # Few files are converted, and the recipes are data that would have to be parsed.
        from corefeval.readers.recipes import refuse_convertible

        # All of it is looked at: its first kilobytes may look like another system's.
        refuse_convertible(named or path, path, text_of(path))
    # What is no other format is read as CoNLL-2012, whose reader says best what it expects.
    return next((each for each in FORMATS if each.recognised.search(head)), CONLL)
