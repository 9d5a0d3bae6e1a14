"""Files of a key and of a response, in whichever format: what is in them tells which."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from typing import Any

from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.readers.files import (
    Entities,
    InOrder,
    StrPath,
    buffered,
    files_in,
    held,
    reading_bar,
    text_of,
)
from corefeval.readers.formats import format_of_file as format_of_file
from corefeval.readers.formats import format_of_pair

BothSides = tuple[dict[str, Entities], dict[str, Entities]]
"""The entities of each document of the key, and of each of the response, by its name."""


class FilePair:
    """The files of a key and of a response, whose format is found once.

    ``response_path`` is None where one file of JSON lines has both sides. ``format`` is one of
    `formats.FORMATS`, or `formats.MIXED` for one file of CoNLL-2012 and one of JSON lines.

    A path may be that of a folder or a pattern (see `files.files_in`), whose documents are read as
    if they were in one file; what is compressed by gzip is unpacked. A pipe is read once, into
    memory, whatever has to be read of it twice.

    A side of CorefUD that marks no mention is refused, unless ``empty_side`` says that it is meant.

    Raises `CorefError` for files of two other formats, and for one that has one side only.
    """

    def __init__(
        self, key_path: StrPath, response_path: StrPath | None, empty_side: bool = False
    ) -> None:
        given = {"key": key_path, "response": response_path}
        for side, path in given.items():
            if path == "":
                raise CorefError(f"the name of the {side}'s file is empty")
        # A pipe that is both files is read once: the second time nothing would come out of it.
        read = {path: buffered(path) for path in given.values() if path is not None}
        self.paths = {side: read[path] for side, path in given.items() if path is not None}
        """By side; the path of the key alone if one file has both sides."""
        self.format = format_of_pair(self.key_path, self.response_path)
        # Which of the two is of which format is asked more than once.
        if self.format.joins:
            self.hold()
        self.empty_side = empty_side
        self.in_order = False
        """Whether documents have been paired by their order."""
        self.own: Mapping[str, Any] = {}
        """By document the `matching.OwnMentions` of both sides, if mentions were matched."""
        self.etypes: Sequence[Mapping[str, Mapping[str, str]]] = ({}, {})
        """By document, the types of entities of the key and of the response, if files tell them."""

    @property
    def key_path(self) -> StrPath:
        return self.paths["key"]

    @property
    def response_path(self) -> StrPath | None:
        return self.paths.get("response")

    def hold(self) -> None:
        """Keep what is in the files, for whoever reads them more than once."""
        of_path = {path: held(path) for path in self.paths.values()}
        self.paths = {side: of_path[path] for side, path in self.paths.items()}

    def check(self, choice: Conventions) -> None:
        """Refuse a choice that concerns another format."""
        told = f"{self.key_path} is a file of {self.format}"
        if self.format.joins:
            told = f"{self.key_path} and {self.response_path} are files of {self.format}"
        self.format.refuse_others(choice, told)

    def read(self, choice: Conventions) -> BothSides:
        """The entities of each document of the key and of the response, by the document's name.

        Raises `CorefError` for a choice that concerns another format, and for all that the
        format's reader raises it for.
        """
        self.check(choice)
        if self.response_path is None and not self.format.has_both_sides:
            raise CorefError(
                f"{self.key_path} is a file of {self.format}, which has one side; expected a "
                "second, the response"
            )
        reader, options = self.format.reader(), self.format.options(self.empty_side)
        collecting = gc.isenabled()
        # Nothing that is read refers to itself; to look for such circles took a third of the time.
        gc.disable()
        try:
            with reading_bar(self.key_path, self.response_path):
                both: BothSides = reader.read_pair(
                    self.key_path, self.response_path, choice, **options
                )
        # The file may be another system's, for which there are lines of Python that convert it.
        except CorefError:
            self._refuse_convertible()
            raise
        finally:
            if collecting:
                gc.enable()
        self.in_order = isinstance(both[0], InOrder)
        self.own = getattr(both[1], "own", {})
        self.etypes = getattr(both[1], "etypes", ({}, {}))
        return both

    def _refuse_convertible(self) -> None:
        """Refuse files that could not be read, if there is a recipe, with its lines."""
        # Few files are converted, and the recipes are data that would have to be parsed.
        from corefeval.readers.recipes import refuse_convertible

        for path in self.paths.values():
            for file in files_in(path)[:1]:
                refuse_convertible(path, file, text_of(file))


def read_pair(
    key_path: StrPath, response_path: StrPath | None, choice: Conventions, empty_side: bool = False
) -> BothSides:
    """The entities of each document of a key and of a response to it; see `FilePair`."""
    return FilePair(key_path, response_path, empty_side).read(choice)
