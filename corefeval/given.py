"""What was given: mappings, files of a format, or a table; and the documents in it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

from corefeval.contingency import SIDES, WHOLE, Contingency
from corefeval.conventions import OF_FILES, Conventions
from corefeval.errors import CorefError, expect_two, named, shortened
from corefeval.labels import refuse_texts_of_numbers
from corefeval.no_overlap import SidesApart
from corefeval.partition import are_documents_in_order
from corefeval.scoring import Corpus, Documents, expect_alone, lacked_document, paired, read_both

if TYPE_CHECKING:
    from corefeval.readers import FilePair
    from corefeval.scorers.bundles import Bundle
    from corefeval.scorers.inputs import Inputs


class Given:
    """A key and a response of some kind."""

    files: FilePair | None = None
    """The files that they are read from, if they are."""
    in_order = False
    """Whether documents were given in lists, or have been read, and are paired by their order."""
    may_change = False
    """Whether what is counted may be another thing when it is asked for."""

    def read(self, choice: Conventions) -> tuple[Corpus, Corpus]:
        """Both sides by document ids."""
        raise NotImplementedError

    def documents(self, choice: Conventions, bundle: Bundle | None = None) -> Documents:
        """The documents to score; a scorer's own way to read a mention is not taken yet."""
        if bundle is not None:
            sides = self.read_for(bundle, bundle.for_reading(choice))
            return _checked(*bundle.scored_documents(*sides), choice.missing)
        documents = _checked(*self.read(choice), choice.missing)
        for document, sides in documents.items():
            with named(f"document {document!r}"):
                documents[document] = read_both(*sides, choice)
        return documents

    def read_for(self, bundle: Bundle, choice: Conventions) -> tuple[Corpus, Corpus]:
        """The same for a scorer, which may read lines of files otherwise than we do."""
        return self.read(choice)

    def inputs(self, choice: Conventions) -> Inputs:
        """The same, in the ways in which scorers take it."""
        from corefeval.scorers.inputs import Inputs

        return Inputs(*self.read(choice))

    def warn_of_sides_apart(self, documents: Documents, empty_side: bool) -> None:
        """Warn of sides that share nothing."""
        apart = SidesApart()
        for name, sides in documents.items():
            apart = apart.with_more(SidesApart.of_document(name, sides))
        apart.warn(empty_side)


class Mappings(Given):
    """A key and a response from document ids to partitions; one of them may be a file's path."""

    def __init__(
        self,
        key: Corpus | str | PathLike[str],
        response: Corpus | str | PathLike[str],
        in_order: bool = False,
    ) -> None:
        self.key, self.response, self.in_order = key, response, in_order

    def read(self, choice: Conventions) -> tuple[Corpus, Corpus]:
        """Both sides by document ids.

        Raises `CorefError` for one iterator on both sides, and for choices that concern files.
        """
        sides: list[Corpus] = []
        for name, side in zip(SIDES, (self.key, self.response), strict=True):
            if isinstance(side, Mapping):
                sides.append(side)
                continue
            from corefeval.readers.one_side import read_side

            sides.append(read_side(side, name, choice))
        key, response = sides
        if key is self.key and response is self.response:
            told = choice.but(pairs="found") if self.in_order else choice
            told.refuse(OF_FILES, "concerns the reading of files: pass it with two paths")
        else:
            from corefeval.readers.one_side import with_names_of

            response = with_names_of(key, response)
        for document in key:
            if document in response:
                with named(f"document {document!r}"):
                    expect_two(key[document], response[document])
        return key, response


class Files(Given):
    """The files of a key and of a response."""

    files: FilePair

    def __init__(self, files: FilePair) -> None:
        self.files = files

    @property
    def in_order(self) -> bool:  # type: ignore[override]
        return self.files.in_order

    def read(self, choice: Conventions) -> tuple[Corpus, Corpus]:
        return self.files.read(choice)

    def read_for(self, bundle: Bundle, choice: Conventions) -> tuple[Corpus, Corpus]:
        from corefeval.scorers.faults import read_as_scorer

        return read_as_scorer(bundle, self.files, choice)

    def inputs(self, choice: Conventions) -> Inputs:
        from corefeval.scorers.inputs import InputFiles

        return InputFiles(self.files, choice)


class Table(Given):
    """A table of both sides; it may have documents, or be counted when it is asked."""

    may_change = True

    def __init__(self, table: Contingency, joined: bool = False) -> None:
        self.table = table
        self.joined = joined
        """Whether it was made of two files, which were told of when they were joined."""

    def tables(
        self, choice: Conventions, bundle: Bundle | None = None
    ) -> Mapping[Hashable, Contingency]:
        """The tables of its documents by their names; one without names is called `WHOLE`."""
        choice.refuse(OF_FILES, "concerns the reading of files: there is none")
        documents: Mapping[Hashable, Contingency]
        documents = getattr(self.table, "by_document", {WHOLE: self.table})
        _check_table(documents, choice, bundle)
        return documents

    def documents(self, choice: Conventions, bundle: Bundle | None = None) -> Documents:
        return {name: (table, None) for name, table in self.tables(choice, bundle).items()}

    def inputs(self, choice: Conventions) -> Inputs:
        from corefeval.scorers.inputs import CountedTables

        return CountedTables(self.tables(choice))

    def warn_of_sides_apart(self, documents: Documents, empty_side: bool) -> None:
        SidesApart.of_table(self.table).warn(empty_side, self.joined)


# What the input is


def as_given(key: Any, response: Any, empty_side: bool = False) -> Given:
    """What a key and a response are: mappings, files of a format, or a table of both.

    A file is looked at once to find its format, and files of tables are joined; no other place asks
    what an input is.

    Raises `CorefError` for what is none of these, for a table beside something else, and for two
    files of which only one is a table.
    """
    if isinstance(key, Contingency) or isinstance(response, Contingency):
        expect_alone(response)
        return Table(cast(Contingency, key))
    if are_documents_in_order(key, response):
        return _in_order(key, response)
    if not _is_side(key) or not (_is_side(response) or (response is None and _is_path(key))):
        raise CorefError(_no_input(key, response))
    for side in (key, response):
        if isinstance(side, Mapping):
            _refuse_labels(side)
    if (is_table(key) or is_table(response)) and "" not in (key, response):
        check_tables(key, response)
        from corefeval.scale.pairing import of_files  # it imports an engine

        return Table(of_files(key, response), joined=response is not None)
    if isinstance(key, Mapping) or isinstance(response, Mapping):
        return Mappings(key, response)
    from corefeval.readers import FilePair

    return Files(FilePair(key, response, empty_side))


def _in_order(key: Sequence[Any], response: Sequence[Any]) -> Mappings:
    """Two lists of documents, by their places from 0 on."""
    if len(key) != len(response):
        raise CorefError(
            "documents in lists are paired by position: expected as many on both sides, got "
            f"{len(key)} in the key and {len(response)} in the response"
        )
    return Mappings(dict(enumerate(key)), dict(enumerate(response)), in_order=True)


def _refuse_labels(side: Mapping[Any, Any]) -> None:
    """Refuse a mapping from records to labels, which is none from documents to partitions."""
    for record, label in side.items():
        is_text = isinstance(label, str) and label.strip() and "{" not in label
        if is_text or isinstance(label, int):
            raise CorefError(
                f"expected a mapping from document ids to partitions, and {record!r} has "
                f"{shortened(label)}: labels of records are scored as "
                "evaluate(from_labels(key, response))"
            )
        break


def is_table(path: object) -> bool:
    """Whether this is the path of a file that a database engine reads.

    >>> is_table("key.parquet"), is_table("key.conll")
    (True, False)
    """
    ends = (".parquet", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
    return _is_path(path) and str(path).lower().endswith(ends)


def check_tables(key: object, response: object) -> None:
    """Refuse two paths of which only one is that of a table."""
    for path, other in ((key, response), (response, key)):
        if response is not None and is_table(path) and not is_table(other):
            shown = other if _is_path(other) else f"a {type(other).__name__}"
            raise CorefError(
                f"{path} is a table, and {shown} is none; expected two files of one kind, or a "
                "table that has the labels of both sides"
            )


def _is_side(given: object) -> bool:
    return isinstance(given, Mapping) or _is_path(given)


def _is_path(given: object) -> bool:
    return isinstance(given, (str, PathLike))


def _no_input(key: object, response: object) -> str:
    """What was expected in place of a key and a response that are no input."""
    expected = (
        "expected a key and a response, each a mapping from document ids to partitions or the path "
        "of a file, or one table of from_labels or from_table; got a "
        f"{type(key).__name__} and a {type(response).__name__}"
    )
    if any(str(line).startswith("#begin document") for line in _first_lines(key, response)):
        return f"{expected}; lines of CoNLL-2012 are written into a file, whose path is given"
    if _are_labels(key) and _are_labels(response):
        return f"{expected}; two sequences of labels are scored as from_labels(key, response)"
    if isinstance(key, (list, tuple)) and isinstance(response, (list, tuple)):
        return (
            f"{expected}; two lists of documents are paired by position if each document is a list "
            "of entities, lists of texts or of spans (first, last); others are given as "
            "dict(enumerate(documents)), and the entities of one document to corefeval.metric or "
            "Scorer.update"
        )
    return expected


def _first_lines(*sides: object) -> Iterator[object]:
    """What lists begin with, and the first lists in them."""
    for side in sides:
        first = side[0] if isinstance(side, list) and side else None
        yield first[0] if isinstance(first, list) and first else first


def _are_labels(given: object) -> bool:
    """Whether this looks like a label for each mention: a column, or a list of no lists."""
    if isinstance(given, list):
        return not any(isinstance(each, (list, tuple, set, frozenset)) for each in given)
    return type(given).__name__ in ("Series", "ndarray")


# The documents of both sides


def _check_table(
    documents: Mapping[Hashable, Contingency], choice: Conventions, bundle: Bundle | None
) -> None:
    """Refuse what needs more than the mentions of a table: entities' names, lacking documents."""
    if len(documents) < 2:
        return
    if bundle and bundle.documents == "pooled":
        raise CorefError(f"like={bundle.name!r} makes one of all documents: leave out their column")
    ignored = ["key"] if bundle and bundle.extra == "ignored" else []
    for name, t in documents.items():
        for side, of in zip(SIDES, (t, t.T), strict=True):
            if not of.key_mentions and (choice.missing == "skip" or side in ignored):
                raise CorefError(
                    f"document {name!r}: the {side} has no mention in it, and a table does not say "
                    "if it lacks the document, which is to be left out then (missing='skip' or "
                    "like); leave it out of the table, or choose otherwise"
                )


def _checked(key: Corpus, response: Corpus, missing: str) -> Documents:
    """Both sides of each document, as `paired`; refused is what ``missing`` does not allow."""
    if missing != "error":
        refuse_texts_of_numbers("document", [*key, *response])
    elif lacked := lacked_document(key, response):
        raise CorefError(
            f'{lacked}; add it, or pass missing="empty" (it has no mentions there) or '
            'missing="skip"'
        )
    documents = paired(key, response, missing)
    if missing == "skip" and not documents:
        raise CorefError("no document is on both sides: expected the same ids on either")
    return documents
