"""Files of a key and of a response, in whichever format: what is in them tells which."""

from __future__ import annotations

import gc
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any, NoReturn

from corefeval.conventions import DEFAULTS, Conventions
from corefeval.errors import CorefError, InLines, named, warn
from corefeval.overlap.contingency import SIDES
from corefeval.overlap.partition import as_partition
from corefeval.overlap.repeats import REPEATS
from corefeval.readers.files import (
    CONLL,
    COREFUD,
    FORMATS,
    JSON_LINES,
    SPELT_IN_TWO_WAYS,
    Document,
    Entities,
    Faults,
    Format,
    OtherTokens,
    StrPath,
    by_common_name,
    common_name,
    expect_same_text,
    format_of,
    held,
    refuse_parts,
    same_words,
)

BESIDE_OTHERS = "CorefUD, beside another format"
"""The recipe for CorefUD where the other side is of another format."""
BothSides = tuple[dict[str, Entities], dict[str, Entities]]
"""The entities of each document of the key, and of each of the response, by its name."""


class FilePair:
    """The files of a key and of a response; ``response_path`` is None for JSON lines of both.

    A path may be that of a folder or a pattern, whose documents are read as if in one file.
    """

    def __init__(self, key_path: StrPath, response_path: StrPath | None) -> None:
        key_path = held(key_path)
        self.paths = [key_path, key_path if response_path is None else held(response_path)]
        self.formats = [*map(format_of, self.paths)]
        self.has_one_file = response_path is None
        self.documents: Sequence[dict[str, Any]] = ({}, {})
        """Those of the key and of the response, once they are read."""
        self._read_by: Conventions | None = None
        """The choices that they were read by."""
        self.in_order = False
        """Whether documents have been paired by their order."""
        self.own: Mapping[str, Any] = {}
        """By document the `matching.OwnMentions` of both sides, if mentions were matched."""
        if self.has_one_file and self.formats[0] is not JSON_LINES:
            raise CorefError(
                f"{key_path} is a file of {self.formats[0]}: expected a second, the response"
            )
        if self.formats[0] is not self.formats[1] and COREFUD in self.formats:
            self._refuse_formats()

    def _refuse_formats(self) -> NoReturn:
        """Refuse CorefUD beside another format, with lines that convert it."""
        from corefeval.readers.recipes import lines_for  # most files need no recipe

        files = " and ".join(f"{p} of {f}" for p, f in zip(self.paths, self.formats, strict=True))
        place = self.formats.index(COREFUD)
        lines, sides = lines_for(BESIDE_OTHERS, self.paths[place]), [*map(repr, self.paths)]
        sides[place] = SIDES[place]
        if SIDES[place] == "key":
            # The name of the file stays as it is.
            lines = [
                line if line.startswith("path = ") else line.replace("response", "key")
                for line in lines
            ]
        raise InLines(
            [
                f"{files}: mentions of CorefUD are matched with those of CorefUD alone; these "
                f"lines of Python make spans of {self.paths[place]}, for corefeval.evaluate("
                f"{', '.join(sides)}):",
                *lines,
            ]
        )

    @property
    def matches(self) -> bool:
        return self.formats[0].matches

    @property
    def conventions(self) -> set[str]:
        """The conventions that concern these formats, but for those that concern all formats."""
        return {name for format in self.formats for name in format.conventions}

    def read(self, choice: Conventions) -> BothSides:
        """The entities of each document of the key and of the response, by the document's name."""
        refuse_others(choice, self.formats, f"{self.paths[0]} and {self.paths[1]}")
        is_first = self._read_by is None
        self._read_once(choice)
        sides = [[*side.values()] for side in self.documents]
        # Files are warned of once, however often they are read.
        if is_first:
            warn_of_ignored([*sides[0], *sides[1]])
        if self.matches:
            if choice.match != "exact" and not self.own:
                from corefeval.readers.corefud import warn_of_no_heads

                warn_of_no_heads(sides, choice.match)
            self.own = _matched(self.documents[0], self.documents[1], choice)
        return self._entities(choice.repeated)

    def _read_once(self, choice: Conventions) -> None:
        """Read the documents, unless they have been read by the same choices."""
        by = choice.but(repeated="each")
        # Only mentions that are matched are others by another choice for what is given twice.
        if self.matches or self._read_by != by:
            with without_gc():
                self.documents = self._documents(choice)
            self._read_by = by

    def _entities(self, repeated: str) -> BothSides:
        """The entities of the documents that were read; faults of all are refused together."""
        faults = Faults()
        entities: BothSides = ({}, {})
        for side, documents in zip(entities, self.documents, strict=True):
            for name, document in documents.items():
                with faults:
                    side[name] = document.read(repeated)
        faults.tell()
        return entities

    def _documents(self, choice: Conventions) -> Sequence[dict[str, Any]]:
        """Read both files; return the documents of either side by the key's names."""
        sides: tuple[list[Any], list[Any]] = ([], [])
        differences, compared, faults = [], 0, Faults()
        for ours, theirs in self._meeting(sides, choice):
            compared += 1
            # What is wrong with a file itself, which is read on, is told before what differs.
            with faults:
                try:
                    if difference := self._compared(ours, theirs):
                        differences.append(difference)
                except OtherTokens:
                    faults.remedy = self._aligning(ours, theirs)
                    raise
            ours.forget()
            theirs.forget()
        for side in sides:
            by_common_name(side)  # it refuses a document that comes twice
        faults.tell()
        if self.in_order and len(sides[0]) != len(sides[1]):
            raise CorefError(
                f"{self.paths[0]} has {len(sides[0])} documents and {self.paths[1]} "
                f"{len(sides[1])}, which are paired by their order; expected as many in both"
            )
        if differences and self._read_by is None:
            many = len(differences)
            doubt = "; are these files of the same documents?" if 2 * many > compared else ""
            warn(
                f"words differ in {many} of {compared} documents, and are scored by position all "
                f"the same; the first: {differences[0]}{doubt}"
            )
        of_json = [s for s, format in zip(sides, self.formats, strict=True) if format is JSON_LINES]
        if of_json:
            from corefeval.readers import jsonlines

            together = [[*sides[0], *sides[1]]] if self.has_one_file else of_json
            jsonlines.settle_ends(together, choice.offsets, is_alone=len(of_json) == 1)
            if self.formats[1] is JSON_LINES:
                jsonlines.refuse_copy(*sides, is_first=self._read_by is None)
        ours, theirs = _paired(*sides)
        if of_json:
            jsonlines.warn_of_ends(ours, theirs)
            jsonlines.warn_of_ends(theirs, ours)
        return ours, theirs

    def _meeting(
        self, sides: tuple[list[Any], list[Any]], choice: Conventions
    ) -> Iterator[tuple[Any, Any]]:
        """The documents of the key and of the response that are one; all are put into ``sides``.

        Both files are read at once, so that no more of their words is in memory than documents are
        in another order.
        """
        of_name: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        for pair in zip_longest(*self._listed()):
            for side, document in zip(sides, pair, strict=True):
                if document is not None:
                    side.append(document)
            self.in_order = _in_order(sides, choice)
            if self.in_order:
                # Other numbers of documents are refused when all are read.
                if None not in pair:
                    self._name_alike(sides, choice)
                    yield pair
                continue
            new = []
            for documents, document in zip(of_name, pair, strict=True):
                name = "" if document is None else common_name(document.name)
                # A second document of one name is refused when all are read.
                if document is not None and documents.setdefault(name, document) is document:
                    new.append(name)
            for name in dict.fromkeys(new):
                if name in of_name[0] and name in of_name[1]:
                    yield of_name[0][name], of_name[1][name]

    def _name_alike(self, sides: tuple[list[Any], list[Any]], choice: Conventions) -> None:
        """Give one name to the last documents of both sides, if they can be the same."""
        ours, theirs = sides[0][-1], sides[1][-1]
        # Names of mentions prove nothing; one document beside one needs no proof.
        alone = len(sides[1]) == 1 and ours.has_names and theirs.has_names
        if choice.pairs == "found" and not alone:
            expect_same_text(ours, theirs)
        ours.name = theirs.name = ours.name if ours.has_name else theirs.name

    def _compared(self, ours: Any, theirs: Any) -> str:
        """Refuse other words where positions are all that pairs mentions; else what differs."""
        difference = same_words(ours, theirs, self.matches)
        if self.formats[0] is self.formats[1]:
            return difference
        self._expect_same_tokens(ours, theirs)
        return ""

    def _expect_same_tokens(self, key: Any, response: Any) -> None:
        """Refuse a document of CoNLL-2012 beside one of JSON lines that has other words."""
        ours, theirs = (key, response) if self.formats[0] is CONLL else (response, key)
        if theirs.size is None:
            theirs.fit(ours.size)
        for n, (token, spelt) in enumerate(zip(ours.tokens, theirs.tokens, strict=False)):
            word = ours.word(token)
            is_same = word in (None, spelt) or SPELT_IN_TWO_WAYS.get(word) == spelt
            # In Arabic, OntoNotes has the lemma behind the word.
            if not is_same and not (spelt and str(word).startswith(f"{spelt}#")):
                raise OtherTokens(
                    f"{theirs}: token {n} is {spelt!r} here, and {word!r} in {ours.where((n, n))} "
                    f"(of {theirs.size} and {ours.size}); expected the same tokens in both. If "
                    "they stand for the same words, leave them out here: mentions are then paired "
                    "by position"
                )

    def _aligning(self, key: Any, response: Any) -> Sequence[str]:
        """Lines that align the words of two documents, if mentions of the key count words."""
        if key.unit != "token" or not (key.has_words and response.has_words):
            return ()
        from corefeval.readers.recipes import lines_for  # most files need no recipe

        return [
            "these lines of Python align the words by difflib, and make a response of "
            f"{self.paths[1]} that counts the key's tokens, for corefeval.evaluate(key, response):",
            *lines_for("other tokens", self.paths[1], self.paths[0]),
        ]

    def texts(self) -> Iterator[tuple[str, str, list[Any], list[Any]]]:
        """Yield for each document its names and its words on both sides, read from the files.

        Each word is a tuple with the first and the last place that mentions count in it. Documents
        are paired by name, or by order where a side has no names, whatever ``pairs`` was chosen;
        one without a partner is left out. What is wrong in the files is refused.
        """
        sides = [*map(list, self._listed())]
        pairs: Iterable[Any] = zip(*sides, strict=False)
        if not _in_order(sides, DEFAULTS):
            ours, theirs = map(by_common_name, sides)
            pairs = [(ours[name], theirs[name]) for name in ours if name in theirs]
        for key, response in pairs:
            yield key.name, response.name, key.placed, response.placed

    def _listed(self) -> Iterator[Iterable[Any]]:
        names = ("key", "both" if self.has_one_file else "response")
        return (
            _read(path, format, side)
            for path, format, side in zip(self.paths, self.formats, names, strict=True)
        )

    def with_words(self, names: Collection[str], place: int) -> dict[str, Any]:
        """Those of a side's `documents`, with their words: they are read once more for it."""
        documents = self.documents[place]
        wanted = {name: document for name, document in documents.items() if name in names}
        if self.formats[place] is CONLL:
            from corefeval.readers import conll

            return dict(zip(wanted, conll.again(wanted.values()), strict=True))
        listed = [*self._listed()][place]
        read_again = zip(documents, listed, strict=False)
        return {name: document for name, document in read_again if name in wanted}


@contextmanager
def without_gc() -> Iterator[None]:
    """Let Python look for no objects that refer to each other.

    Nothing that is read does, and to look for it took a third of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _read(path: StrPath, format: Format, side: str) -> Iterable[Any]:
    """The documents of a path, by the reader of its format."""
    # Imported only when needed, so that commands start sooner.
    if format is JSON_LINES:
        from corefeval.readers import jsonlines

        return jsonlines.documents(path, side)
    if format is COREFUD:
        from corefeval.readers import corefud

        return corefud.documents(path)
    from corefeval.readers import conll

    return conll.documents(path)


def _in_order(sides: Sequence[list[Any]], choice: Conventions) -> bool:
    """Whether documents are paired by their order: if it is chosen, or a side has no names."""
    return choice.pairs == "order" or not all(side[0].has_name for side in sides if side)


def _paired(key: list[Any], response: list[Any]) -> Sequence[dict[str, Any]]:
    """The documents of both sides by the name that the key gives them."""
    ours, theirs = by_common_name(key), by_common_name(response)
    refuse_parts(ours, theirs)
    return [
        {document.name: document for document in ours.values()},
        {ours.get(name, document).name: document for name, document in theirs.items()},
    ]


def warn_of_ignored(documents: Iterable[Document]) -> None:
    """Say once of each kind what is not read in these documents."""
    having: dict[str, list[Document]] = {}
    for document in documents:
        for what in document.ignored:
            having.setdefault(what, []).append(document)
    for what, ignoring in having.items():
        number = sum(len(document.ignored[what]) for document in ignoring)
        place = ignoring[0].at(ignoring[0].ignored[what][0])
        warn(f"{place}: {what} (lines in these files: {number})")


def _matched(key: dict[str, Any], response: dict[str, Any], choice: Conventions) -> dict[str, Any]:
    """The mentions of both sides as they are, while the response's become those of the key."""
    from corefeval.readers.matching import OwnMentions

    faults = Faults()
    for document in (*key.values(), *response.values()):
        with faults:
            document.make_one(choice)
    faults.tell()
    own = {}
    for name in key | response:
        ours, theirs = (side[name].entities if name in side else {} for side in (key, response))
        with faults, named(f"document {name!r}"):
            own[name] = OwnMentions.matched(ours, theirs, choice.match, choice.zero_match)
        if name in response and name in own:
            response[name].key_of = own[name].key_of
    faults.tell()
    return own


def refuse_others(choice: Conventions, formats: Iterable[Format], files: str) -> None:
    """Refuse a choice that concerns none of these formats: whoever made it expects an effect."""
    known = [name for format in formats for name in format.conventions]
    for format in FORMATS:
        names = [name for name in format.conventions if name not in known]
        choice.refuse(names, f"is for files of {format}, and not for {files}")


def read_pair(
    key_path: StrPath, response_path: StrPath | None, choice: Conventions = DEFAULTS
) -> BothSides:
    """The entities of each document of a key and of a response to it; see `FilePair`."""
    return FilePair(key_path, response_path).read(choice)


def read_side(
    path: StrPath, side: str, choice: Conventions, match: str | None = None
) -> dict[str, Entities]:
    """The entities of each document of a file; of CorefUD by sentence and nodes, if told so."""
    path = held(path)
    format = format_of(path)
    choice.refuse(["match", "pairs"], f"needs two files, and {path} is one")
    refuse_others(choice, [format], str(path))
    if format.matches and match is None:
        raise CorefError(
            f"{path} is a file of {format}, whose mentions are matched with those of another; "
            'expected the paths of both files, or corefeval.read(path, match="exact")'
        )
    documents = list(_read(path, format, side))
    if format is JSON_LINES:
        from corefeval.readers import jsonlines

        jsonlines.settle_ends([documents], choice.offsets, is_alone=True)
    warn_of_ignored(documents)
    if format.matches:
        for document in documents:
            document.name_by_nodes()
    return {each.name: each.read(choice.repeated) for each in by_common_name(documents).values()}


def read(
    path: StrPath,
    side: str = "key",
    *,
    match: str | None = None,
    offsets: str = "found",
    repeated: str = "error",
) -> dict[str, Any]:
    """Read a file; return its documents by their names, each as `evaluate` takes it.

    The file is one of CoNLL-2012 or JSON lines, or a folder or a pattern. Of JSON lines that have
    both sides, ``side="response"`` reads the predicted entities. A mention is a pair (first, last)
    of token numbers, counted from 0. ``offsets`` and ``repeated`` are those of `evaluate`; with a
    ``repeated`` that concerns both sides, a document in which a mention is repeated is a mapping
    from entities to lists. Alone, a file of CorefUD is read with ``match="exact"``: a mention is
    its sentence and the ids of its words and empty nodes.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> line = '{"doc_key": "d", "clusters": [[[0, 1], [3, 3]]]}'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "key.jsonl")
    ...     _ = path.write_text(line)
    ...     read(path)
    {'d': Partition('{(0, 1) (3, 3)}')}
    """
    choice = Conventions(offsets=offsets, repeated=repeated)
    if side not in ("key", "response"):
        raise CorefError(f"side={side!r} is not a choice: expected 'key' or 'response'")
    if match not in (None, "exact"):
        raise CorefError(f"match={match!r} needs two files: pass both paths to evaluate")
    documents = read_side(path, side, choice, match)
    # These choices count repeated mentions in the tables, so they are kept as lists.
    if choice.repeated in REPEATS:
        return documents
    return {name: as_partition(d, repeated=choice.repeated) for name, d in documents.items()}


def with_names_of(
    key: Mapping[Hashable, Any], response: Mapping[Hashable, Any]
) -> dict[Hashable, Any]:
    """The response's documents by the key's names, where these differ in how a part is written."""
    of_key = {common_name(str(name)): name for name in key}
    for side in (key, response):
        first: dict[str, Hashable] = {}
        for name in side:
            if first.setdefault(common_name(str(name)), name) != name:
                names = f"{first[common_name(str(name))]!r} and {name!r}"
                raise CorefError(f"{names} may be one document; expected each document once")
    refuse_parts(*({common_name(str(n)): n for n in side} for side in (key, response)))
    return {of_key.get(common_name(str(name)), name): d for name, d in response.items()}
