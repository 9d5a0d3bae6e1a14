"""Files of a key and of a response, in whichever format: what is in them tells which."""

from __future__ import annotations

import gc
import re
from contextlib import suppress
from importlib import import_module

from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.progress import progress
from corefeval.readers.files import (
    Entities,
    Held,
    InOrder,
    StrPath,
    files_in,
    held,
    is_pipe,
    opened,
    refuse_other_files,
    size_of,
)

Pair = tuple[dict[str, Entities], dict[str, Entities]]

READERS = {"CoNLL-2012": "conll", "CorefUD": "corefud", "JSON lines": "jsonlines"}
BEGIN = re.compile(rb"^\s*#\s*begin\s+document\b", re.IGNORECASE | re.MULTILINE)
CONLLU = re.compile(
    rb"^(?:#\s*(?:global\.Entity|newdoc|newpar|sent_id|text)\b|\d+\t(?:[^\t\n]*\t){8}[^\t\n]*$)",
    re.MULTILINE,
)


class FilePair:
    """The files of a key and of a response, whose format is found once.

    ``response_path`` is None where one file of JSON lines has both sides. ``format`` is
    ``"CoNLL-2012"``, ``"CorefUD"`` or ``"JSON lines"``.

    A path may be that of a folder or a pattern (see `files.files_in`), whose documents are read as
    if they were in one file; what is compressed by gzip is unpacked. A pipe is read once, into
    memory, whatever has to be read of it twice.

    Raises `CorefError` for files of two formats, and for one that has one side only.
    """

    def __init__(self, key_path: StrPath, response_path: StrPath | None) -> None:
        _refuse_empty(key_path, "key")
        _refuse_empty(response_path, "response")
        self.key_path, self.response_path = held_pair(key_path, response_path)
        one = _format(self.key_path)
        other = one if self.response_path is None else _format(self.response_path)
        if one and other and one != other:
            raise CorefError(
                f"{key_path} is a file of {one}, and {response_path} one of {other}; expected a "
                "key and a response of the same format"
            )
        self.in_order = False
        """Whether documents have been paired by their order."""
        unknown = "CoNLL-2012" if response_path is not None else "JSON lines"
        self.format = one or other or unknown

    def check(self, choice: Conventions) -> None:
        """Refuse a choice that concerns another format."""
        of_formats = {"match": "CorefUD", "offsets": "JSON lines", "pairs": "JSON lines"}
        for name, format in of_formats.items():
            if self.format != format:
                choice.refuse(
                    [name], f"is for {format}, and {self.key_path} is a file of {self.format}"
                )

    def read(self, choice: Conventions) -> Pair:
        """The entities of each document of the key and of the response, by the document's name.

        Raises `CorefError` for a choice that concerns another format, and for all that the
        format's reader raises it for.
        """
        self.check(choice)
        if self.response_path is None and self.format != "JSON lines":
            raise CorefError(
                f"{self.key_path} is a file of {self.format}, which has one side; expected a "
                "second, the response"
            )
        # Only the reader that is needed.
        reader = import_module(f"corefeval.readers.{READERS[self.format]}")
        collecting = gc.isenabled()
        gc.disable()  # what is read has no circles to look for, which would take a third of it
        try:
            with progress("reading", size_of(self.key_path) + size_of(self.response_path), "B"):
                pair: Pair = reader.read_pair(self.key_path, self.response_path, choice)
        finally:
            if collecting:
                gc.enable()
        self.in_order = isinstance(pair[0], InOrder)
        return pair


def read_pair(key_path: StrPath, response_path: StrPath | None, choice: Conventions) -> Pair:
    """The entities of each document of a key and of a response to it; see `FilePair`."""
    return FilePair(key_path, response_path).read(choice)


def format_of(key_path: StrPath, response_path: StrPath | None, choice: Conventions) -> str:
    """The format of both files; refuses a choice that concerns another."""
    files = FilePair(key_path, response_path)
    files.check(choice)
    return files.format


def held_pair(key_path: StrPath, response_path: StrPath | None) -> tuple[StrPath, StrPath | None]:
    """Both paths, pipes read into memory: of one that is both files once."""
    key = held(key_path)
    if response_path is None:
        return key, None
    return key, key if response_path == key_path else held(response_path)


def _refuse_empty(path: StrPath | None, side: str) -> None:
    if path == "":
        raise CorefError(f"the name of the {side}'s file is empty")


def _format(path: StrPath) -> str:
    """The format of all files of a path."""
    formats = {found: file for file in files_in(path) if (found := format_of_file(file))}
    if len(formats) > 1:
        told = " and ".join(f"{file} is one of {each}" for each, file in formats.items())
        raise CorefError(f"{path}: {told}; expected files of one format")
    return next(iter(formats), "")


def format_of_file(path: StrPath) -> str:
    """What the first kilobytes of a file are; nothing for one that is empty or cannot be read.

    Raises `CorefError` for what is no text in UTF-8, and for a pipe: after this, nothing would be
    left to read, unless `files.held` has read it before.
    """
    if is_pipe(path) and not isinstance(path, Held):
        raise CorefError(f"{path} is a pipe, and has to be read twice here; expected a file")
    head = b""
    with suppress(OSError, EOFError, ValueError, TypeError), opened(path) as file:
        head = file.read(1 << 13)
    refuse_other_files(path, head)
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith((b"{", b"[")):
        return "JSON lines"
    if BEGIN.search(head) or not CONLLU.search(head):
        return "CoNLL-2012" if head else ""
    return "CorefUD"
