"""What is given to be scored: files, mappings, lists of documents, or a table of both sides."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.conventions import OF_FILES, Conventions
from corefeval.errors import CorefError, expect_two, named, shortened
from corefeval.overlap.contingency import SIDES, Contingency
from corefeval.overlap.labels import FILES_OF_LABELS
from corefeval.overlap.no_overlap import MOVE_ENDS, OF_EACH_SIDE
from corefeval.overlap.partition import FLAT, Partition, as_lists
from corefeval.scoring import Corpus, Counted, document_of

if TYPE_CHECKING:
    from corefeval.readers import FilePair


class Read(NamedTuple):
    """Both sides by documents' names, as they were read by some choices."""

    key: Corpus
    response: Corpus
    own: Mapping[str, Any]
    """By document: its mentions as they were matched, if they are."""


class Given:
    """A key and a response: files of a format, mappings, lists of documents, or a table of both."""

    table: Contingency | None = None
    files: FilePair | None = None
    strange: list[Any] | None = None
    """What scorers read otherwise in files, once `scorers.reading` has looked for it."""

    def __init__(self, key: Any, response: Any = None) -> None:
        self.sides: tuple[Any, ...] = key, response
        self._read: dict[Conventions, Read] = {}
        for name, side in zip(SIDES, self.sides, strict=True):
            if _is_path(side) and not str(side):
                raise CorefError(f"the name of the {name}'s file is empty")
        paths = [side for side in self.sides if _is_path(side)]
        if isinstance(document := document_of(key, response), Counted):
            self.table = document.table
        elif _is_table(key) and not (response is None or _is_table(response)):
            raise CorefError(
                f"{key} is a table, and {shortened(response)} is none: expected two files of "
                "labels, or one that has both sides"
            )
        elif _is_path(key) and (response is None or _is_path(response)):
            from corefeval.readers.recipes import offered

            with offered(paths):
                if _is_table(key):
                    from corefeval.scale.pairing import of_files  # it imports an engine

                    self.table = of_files(key, response)
                else:
                    from corefeval.readers import FilePair

                    self.files = FilePair(key, response)
        elif paths:
            from corefeval.readers.files import held

            self.sides = tuple(held(side) if _is_path(side) else side for side in self.sides)

    @property
    def matches(self) -> bool:
        """Whether mentions are matched, as those of CorefUD."""
        return self.files is not None and self.files.matches

    @property
    def remedy(self) -> str:
        """What to do if ends of mentions mean one thing in the key and another in the response."""
        if self.files is None:
            return MOVE_ENDS
        return f"See --offsets; {OF_EACH_SIDE}" if "offsets" in self.files.conventions else ""

    @property
    def has_lists(self) -> bool:
        """Whether documents are given in lists, and paired by their position."""
        return all(isinstance(side, (list, tuple)) for side in self.sides)

    def in_signature(self, choice: Conventions) -> Conventions:
        """The choices as the signature tells them, once all is read."""
        in_order = self.has_lists or (self.files is not None and self.files.in_order)
        return choice.but(pairs="order") if in_order else choice

    @property
    def paths(self) -> list[Any]:
        """The paths of files; none of a table. What comes out of a pipe is in a file of its own."""
        if self.files is not None:
            return list(dict.fromkeys(self.files.paths))
        return [side for side in self.sides if _is_path(side)] if self.table is None else []

    def read(self, choice: Conventions) -> tuple[Corpus, Corpus]:
        """Both sides by documents' names, read once by the same choices."""
        # Of the other conventions, reading knows only whether a mention may be given twice.
        by = Conventions(**{name: getattr(choice, name) for name in OF_FILES})
        by = by.but(repeated="error" if choice.repeated == "error" else "each")
        if self.matches:
            by = by.but(singletons=choice.singletons)
        if by not in self._read:
            self._read[by] = self._read_by(by)
        read = self._read[by]
        # Mentions may have been matched by other choices since then.
        if self.files is not None:
            self.files.own = read.own
        return read.key, read.response

    def _read_by(self, choice: Conventions) -> Read:
        if self.files is not None:
            from corefeval.readers.recipes import offered

            with offered(dict.fromkeys(self.files.paths)):
                return Read(*self.files.read(choice), self.files.own)
        key, response = (
            _side(name, side, choice) for name, side in zip(SIDES, self.sides, strict=True)
        )
        if self.has_lists and len(key) != len(response):
            raise CorefError(
                f"documents in lists are paired by position: got {len(key)} in the key and "
                f"{len(response)} in the response"
            )
        for name in (name for name in key if name in response):
            with named(f"document {name!r}"):
                expect_two(key[name], response[name])
        if not any(map(_is_path, self.sides)):
            concerned = OF_FILES.keys() - (["pairs"] if self.has_lists else [])
            choice.refuse(concerned, "concerns the reading of files: pass it with two paths")
            return Read(key, response, {})
        from corefeval.readers import with_names_of

        return Read(key, with_names_of(key, response), {})

    def refuse_lacking(self, key: Corpus, response: Corpus) -> None:
        """Refuse documents that one side lacks; where no name agrees, names are what is wrong."""
        sides = ((key, response), (response, key))
        for place, (here, there) in enumerate(sides):
            lacked = [name for name in here if name not in there]
            if not lacked:
                continue
            where, other = f"document {lacked[0]!r}", f"the {SIDES[1 - place]}"
            if self.files is not None:
                where = str(self.files.documents[place].get(lacked[0], where))
                other = str(self.files.paths[1 - place])
            message = f"{where} is not in {other}"
            if len(lacked) > 1:
                others = len(lacked) - 1
                message += f", and {others} more {'is' if others == 1 else 'are'} missing"
            if alike := self._but_for_parentheses(lacked[0], there):
                raise CorefError(
                    f"{message}: the other side has {alike!r}, which differs by parentheses alone; "
                    "write the name in the same way on both sides"
                )
            if there and not key.keys() & response.keys():
                raise CorefError(
                    f"{message}: no name is the same on both sides, as {lacked[0]!r} here and "
                    f"{next(iter(there))!r} there; name documents alike{self._by_order()}"
                )
            raise CorefError(
                f"{message}; add it, or choose missing='empty' (it has no mentions there) or "
                "'skip' (--missing)"
            )

    def _but_for_parentheses(self, name: Hashable, others: Iterable[Hashable]) -> str | None:
        """The name on the other side that is the same but for parentheses, if there is one."""
        if not isinstance(name, str):
            return None
        texts = [other for other in others if isinstance(other, str)]
        return next((other for other in texts if self._bare(other) == self._bare(name)), None)

    def _bare(self, name: str) -> str:
        """A document's name without parentheses; part 0 of a file's is no difference either."""
        bare = re.sub("[()]", "", name)
        if self.files is None:
            return bare
        from corefeval.readers.files import common_name  # only for the message

        return common_name(bare)

    def _by_order(self) -> str:
        """What to choose where files can be paired by the order of their documents."""
        if self.files is None or "pairs" not in self.files.conventions:
            return ""
        return ", or choose --pairs order (in Python pairs='order') if their order is the same"


def _is_path(given: object) -> bool:
    return isinstance(given, (str, PathLike))


def _is_table(given: object) -> bool:
    """Whether it is the path of a file that has a row for each mention."""
    return _is_path(given) and str(given).lower().endswith(FILES_OF_LABELS)


def _side(name: str, side: Any, choice: Conventions) -> Corpus:
    """One side by documents' names."""
    if isinstance(side, Mapping):
        return side
    if _is_path(side):
        from corefeval.readers import read_side

        return read_side(side, name, choice)
    if isinstance(side, (list, tuple)):
        for document in side:
            _refuse_entities(document, name)
        return {
            n: document if isinstance(document, Partition) else as_lists(document)
            for n, document in enumerate(side)
        }
    raise CorefError(
        f"expected as {name} a path, a mapping or a list of documents, or one table of "
        f"from_labels or from_table in place of both; got a {type(side).__name__}"
    )


def _refuse_entities(document: Any, side: str) -> None:
    """Refuse a list of one document's entities, whose mentions would be taken for entities."""
    if not isinstance(document, (list, tuple)):
        return
    for entity in document:
        parts = {*map(type, entity)} if isinstance(entity, (list, tuple)) else set()
        if parts == {int} or (isinstance(entity, tuple) and parts and parts <= FLAT):
            raise CorefError(
                f"expected as {side} a list of documents, each a list of entities: "
                f"{shortened(entity)} may be a mention; name documents, as by "
                "dict(enumerate(documents)), or put one document in a list of its own"
            )
