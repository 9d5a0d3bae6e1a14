"""What the format of a file is: what is in it tells, not its name."""

from __future__ import annotations

import re
from contextlib import suppress

from corefeval.errors import CorefError
from corefeval.readers.files import Held, StrPath, files_in, is_pipe, opened, refuse_other_files

CONLL, COREFUD, JSON_LINES = "CoNLL-2012", "CorefUD", "JSON lines"
BEGIN = re.compile(rb"^\s*#\s*begin\s+document\b", re.IGNORECASE | re.MULTILINE)
CONLLU = re.compile(
    rb"^(?:#\s*(?:global\.Entity|newdoc|newpar|sent_id|text)\b|\d+\t(?:[^\t\n]*\t){8}[^\t\n]*$)",
    re.MULTILINE,
)


OF_OTHERS = (b"COREF\t", *(b"T%d" % digit for digit in range(10)))
"""How files begin that are perhaps converted by a recipe."""


def format_of_path(path: StrPath) -> str:
    """The format of a file, or of all files in a folder or of a pattern."""
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
    # Editors on Windows put a byte-order mark before the text.
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(OF_OTHERS):
        # Few files are converted, and the recipes are data that would have to be parsed.
        from corefeval.readers.recipes import refuse_convertible

        refuse_convertible(path, head.decode("utf-8", "replace"))
    if head.startswith((b"{", b"[")):
        return JSON_LINES
    # What is no other format is read as CoNLL-2012, whose reader says best what it expects.
    if BEGIN.search(head) or not CONLLU.search(head):
        return CONLL if head else ""
    return COREFUD
