"""Scoring many documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from corefeval.contingency import SIDES, Contingency, Tables
from corefeval.conventions import OF_FILES, Conventions, Options
from corefeval.errors import CorefError, expect_two, named, shortened
from corefeval.partition import ByName, Partition, as_lists, as_partition
from corefeval.registry import names_of
from corefeval.repeats import REPEATS
from corefeval.report import Report
from corefeval.scoring import Metric, overlap, tables_of
from corefeval.shared import OfTables, SidesApart, warn_of_tables_apart, warn_of_unlabelled

if TYPE_CHECKING:
    from corefeval.programs.bundles import Bundle
    from corefeval.readers import FilePair

Corpus = Mapping[Any, Any]
WHOLE = "table"
"""The name of the one document of a table without documents."""


def evaluate(
    key: Corpus | str | PathLike[str] | Contingency,
    response: Corpus | str | PathLike[str] | None = None,
    metrics: str | Iterable[str] = "standard",
    *,
    like: str | None = None,
    **chosen: Unpack[Options],
) -> Report:
    """Score a response against a key, document by document and in total.

    ``key`` and ``response`` map document ids to partitions (see `corefeval.metric` for what may
    stand for one), or are paths of files: CoNLL-2012, JSON lines or CorefUD, found by what is in
    them; one of CoNLL-2012 goes with one of JSON lines. A path may be that of a folder, or a
    pattern such as ``"keys/*.conll"``; files may be compressed by gzip. A file of JSON lines that
    has both sides needs no second path. Documents are paired by their ids. ``metrics`` is a suite
    (``"standard"``, ``"all"``), a measure's name, or several.

    Keywords choose conventions, each by one of its names in `corefeval.conventions.CHOICES`:
    ``average`` of documents, ``exclusive`` classes of XC, ``match`` of mentions in CorefUD,
    documents that are ``missing``, ``offsets`` and ``pairs`` in JSON lines, ``repeated`` mentions,
    ``singletons``, ``twinless`` mentions, and ``zero`` for 0/0. ``like`` names a program whose
    conventions to use, measure by measure (see `corefeval.programs.bundles`); what the program
    does not compute is absent.

    A table takes the place of both sides: one of labels, from `corefeval.from_labels`, or one of a
    database, from `corefeval.from_table`. Two Parquet or CSV files with a row per mention are
    joined on their column ``mention``; their other column has the labels of entities. The result is
    scored as one document.

    A total is the score of the documents' summed counts, as in the reference scorer, unless
    ``average`` says otherwise: neither the mean of the documents' scores nor the score of all
    documents in one table.

    Warns if key and response have no mention in common, or else if documents with three or more
    mentions on each side have none, and if the key of a table has no label of most mentions of the
    response, unless it scores ``like`` a program or no measure is asked for.

    Raises `CorefError` for a document on one side only, unless ``missing`` says otherwise; for a
    file that cannot be read; for a convention that ``like`` fixes; and as `corefeval.metric` does.

    >>> report = evaluate({"d1": "{a b c}", "d2": "{a b}"}, {"d1": "{a b}", "d2": "{a b}"}, "muc")
    >>> report.total["muc"]
    recall 2/3, precision 1, f1 4/5
    >>> report.documents["d1"]["muc"]
    recall 1/2, precision 1, f1 2/3
    >>> report.signature  # doctest: +ELLIPSIS
    'corefeval=... metrics=muc documents=2 average=sum exclusive=core match=exact ...'
    >>> key = {"d": "{a b} {c}"}
    >>> evaluate(key, key, like="e2e").total["ceafe"]
    recall 1/2, precision 1, f1 2/3
    >>> from corefeval import from_labels
    >>> evaluate(from_labels([1, 1, 2], [1, 1, 1]), metrics="muc").total["muc"]
    recall 1, precision 1/2, f1 2/3
    """
    given = as_given(key, response)
    asked = _asked(metrics, like, cast(Mapping[str, str], chosen), given)
    warned = not like and bool(asked.metrics)
    if isinstance(given, TableFiles):
        given = given.joined()
    if isinstance(given, Contingency):
        tables = _of_table(given, asked)
        if warned:
            if response is None:  # two files were warned of when they were joined
                warn_of_tables_apart(OfTables.one(given))
            warn_of_unlabelled(OfTables.one(given))
    else:
        documents = _of_sides(given, asked)
        if warned:
            _warn_of_sides_apart(documents)
        tables = _tables(documents, asked)
    choice = asked.choice
    if getattr(given, "in_order", False):
        choice = choice.but(pairs="order")
    return Report(tables, asked.metrics, choice, asked.note)


def asked_documents(
    key: Any,
    response: Any,
    metrics: str | Iterable[str],
    like: str | None,
    chosen: Options,
) -> tuple[Asked, Mapping[Hashable, Any], FilePair | None]:
    """What `evaluate` is asked with these arguments, what each document has, and the files, if any.

    A document has its key and its response, or a table of both.
    """
    given = as_given(key, response)
    asked = _asked(metrics, like, cast(Mapping[str, str], chosen), given)
    if isinstance(given, TableFiles):
        given = given.joined()
    if isinstance(given, Contingency):
        tables = getattr(given, "by_document", {WHOLE: given})
        _check_table(tables, asked.choice, asked.bundle)
        return asked, tables, None
    return asked, _of_sides(given, asked), None if isinstance(given, Given) else given


def _warn_of_sides_apart(documents: Mapping[Hashable, tuple[Any, Any]]) -> None:
    apart = SidesApart()
    for name, sides in documents.items():
        apart.add(name, sides)
    apart.warn()


# What the input is


class Given(NamedTuple):
    """A key and a response as mappings from document ids to partitions."""

    key: Corpus
    response: Corpus


class TableFiles(NamedTuple):
    """The paths of a Parquet or CSV file, or of two."""

    key: Any
    response: Any

    def joined(self) -> Contingency:
        """The table of both sides."""
        from corefeval.scale.pairing import of_files  # it imports an engine

        return of_files(self.key, self.response)


def as_given(key: Any, response: Any) -> Given | FilePair | TableFiles | Contingency:
    """What a key and a response are: mappings, files of a format, tables in files, or a table.

    A file is looked at once to find its format; no other place asks what an input is.

    Raises `CorefError` for what is none of these, for a table beside something else, and for two
    files of which only one is a table.
    """
    if isinstance(key, Contingency) or isinstance(response, Contingency):
        if response is not None:
            raise CorefError("a table has both sides: expected it alone, as evaluate(table)")
        return key
    if isinstance(key, Mapping) and isinstance(response, Mapping):
        for side in (key, response):
            _refuse_labels(side)
        return Given(key, response)
    if not _is_path(key) or not (_is_path(response) or response is None):
        raise CorefError(_no_input(key, response))
    if (is_table(key) or is_table(response)) and "" not in (key, response):
        check_tables(key, response)
        return TableFiles(key, response)
    from corefeval.readers import FilePair

    return FilePair(key, response)


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
            raise CorefError(
                f"{path} is a table, and {other} is none; expected two files of one kind, or a "
                "table that has the labels of both sides"
            )


def _is_path(given: object) -> bool:
    return isinstance(given, (str, PathLike))


def _no_input(key: object, response: object) -> str:
    """What was expected in place of a key and a response that are no input."""
    got = f"got a {type(key).__name__} and a {type(response).__name__}"
    if _are_labels(key) and _are_labels(response):
        return (
            f"two sequences of labels are scored as evaluate(from_labels(key, response)); {got}, "
            "expected two mappings from document ids to partitions, or two paths of files"
        )
    return (
        "expected two mappings from document ids to partitions, two paths of files, or one table "
        f"of from_labels or from_table; {got}"
    )


def _are_labels(given: object) -> bool:
    """Whether this looks like a label for each mention: a column, or a list of no lists."""
    if isinstance(given, list):
        return not any(isinstance(each, (list, tuple, set, frozenset)) for each in given)
    return type(given).__name__ in ("Series", "ndarray")


# What is asked


class Asked(NamedTuple):
    """The measures, each with its conventions, and those that are the corpus's."""

    metrics: list[Metric]
    choice: Conventions
    bundle: Bundle | None
    note: str
    """What the signature says of the bundle."""

    @property
    def choices(self) -> list[Conventions]:
        """Each set of conventions that tables are made by."""
        of_measures = [part.conventions for each in self.metrics for part in (each, *each.parts)]
        return list(dict.fromkeys(of_measures or [self.choice]))


def _asked(
    metrics: str | Iterable[str], like: str | None, chosen: Mapping[str, str], given: object
) -> Asked:
    names = names_of(metrics)
    if like is None:
        choice = Conventions(**chosen)
        return Asked([Metric.of(name, choice) for name in names], choice, None, "")
    from corefeval.programs.bundles import find_program
    from corefeval.readers import FilePair

    bundle = find_program(like)
    files = given if isinstance(given, FilePair) else None
    if files and files.format == "CoNLL-2012":
        from corefeval.programs.facts import warn_of_reading

        warn_of_reading(bundle, files.key_path, files.response_path)
    if not files or files.format != "CorefUD":  # mentions have no nodes to match
        bundle = bundle._replace(conventions={**bundle.conventions, "match": "exact"})
    choice = bundle.choice(chosen)
    found = bundle.metrics(names, choice)
    return Asked(found, choice, bundle, bundle.note(names, found))


# From the input to its tables


def _of_table(table: Contingency, asked: Asked) -> dict[Conventions, dict[Hashable, Tables]]:
    """The tables of each document of a table, by the measures' conventions."""
    documents = getattr(table, "by_document", {WHOLE: table})
    _check_table(documents, asked.choice, asked.bundle)
    made: dict[Conventions, dict[Hashable, Tables]] = {by: {} for by in asked.choices}
    for name, t in documents.items():
        with named(f"document {name!r}"):
            for by in made:
                made[by][name] = tables_of(t, by)
    return made


def _check_table(
    documents: Mapping[Hashable, Contingency], choice: Conventions, bundle: Bundle | None
) -> None:
    """Refuse what needs more than the mentions of a table: files, entities' names, documents."""
    choice.refuse(OF_FILES, "concerns the reading of files: there is none")
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


def _of_sides(given: Given | FilePair, asked: Asked) -> dict[Hashable, tuple[Any, Any]]:
    """Both sides of each document to score, read but for the program's own way to read them."""
    if isinstance(given, Given):
        asked.choice.refuse(OF_FILES, "concerns the reading of files: pass it with two paths")
        key, response = given
    else:
        choice = asked.bundle.for_reading(asked.choice) if asked.bundle else asked.choice
        key, response = given.read(choice)
    if asked.bundle:
        return _paired(*asked.bundle.scored_documents(key, response), asked.choice.missing)
    documents = _paired(key, response, asked.choice.missing)
    for document, sides in documents.items():
        with named(f"document {document!r}"):
            documents[document] = _read(*sides, asked.choice.repeated)
    return documents


def _read(key: Any, response: Any, repeated: str) -> tuple[Any, Any]:
    """Both sides as what can be looked at twice, a `Partition` or lists of mentions."""
    expect_two(key, response)
    read: list[Any] = []
    for side, entities in zip(SIDES, (key, response), strict=True):
        with named(side):
            if isinstance(entities, (Partition, ByName)):
                read.append(entities)
            elif repeated in REPEATS:
                read.append(as_lists(entities))
            else:
                read.append(as_partition(entities, repeated=repeated))
    return read[0], read[1]


def _tables(
    documents: Mapping[Hashable, tuple[Any, Any]], asked: Asked
) -> dict[Conventions, dict[Hashable, Tables]]:
    """The tables of each document, by the measures' conventions."""
    made: dict[Conventions, dict[Hashable, Tables]] = {by: {} for by in asked.choices}
    for document, sides in documents.items():
        with named(f"document {document!r}"):
            for by in made:
                made[by][document] = overlap(*sides, by)
    return made


def _paired(key: Corpus, response: Corpus, missing: str) -> dict[Hashable, tuple[Any, Any]]:
    """Both sides of each document to score, by the convention ``missing``."""
    names = list(dict.fromkeys([*key, *response]))
    if missing == "skip":
        names = [name for name in key if name in response]
        if not names:
            raise CorefError("no document is on both sides: expected the same ids on either")
    for name in names:
        if missing == "error" and (name not in key or name not in response):
            raise CorefError(
                f"document {name!r} is missing from the {'response' if name in key else 'key'}; "
                'add it, or pass missing="empty" (it has no mentions there) or missing="skip"'
            )
    return {name: (key.get(name, ()), response.get(name, ())) for name in names}


# Documents that are given one by one


def asked_one_by_one(
    metrics: str | Iterable[str], like: str | None, chosen: Mapping[str, str]
) -> Asked:
    """What is asked of documents that are given one by one, with both sides.

    Raises `CorefError` for conventions that do not concern such documents, and for a program that
    makes one document of all.
    """
    conventions = Conventions(**chosen)
    conventions.refuse(OF_FILES, "concerns the reading of files: pass it to evaluate")
    conventions.refuse(["missing"], "concerns documents on one side only: here both are given")
    asked = _asked(metrics, like, chosen, None)
    if asked.bundle and asked.bundle.documents == "pooled":
        raise CorefError(
            f"like={like!r} makes one document of all: they cannot be added one by one; pass all "
            "of them to evaluate"
        )
    return asked


class OneDocument(NamedTuple):
    """A document that is read and counted: its sides, and its tables by the conventions."""

    sides: tuple[Any, Any]
    tables: Mapping[Conventions, Tables]


def documents_of_table(
    table: Contingency, asked: Asked
) -> Iterator[tuple[Hashable | None, Mapping[Conventions, Tables]]]:
    """The tables of each document by the conventions, with its name, None if it has none."""
    names = getattr(table, "by_document", None)
    made = _of_table(table, asked)
    for name in [WHOLE] if names is None else names:
        counted = {by: tables[name] for by, tables in made.items()}
        yield (None if names is None else name), counted


def one_document(name: Hashable, key: Any, response: Any, asked: Asked) -> OneDocument:
    """The document as `evaluate` reads and counts it."""
    documents = _of_sides(Given({name: key}, {name: response}), asked)
    made = _tables(documents, asked)
    return OneDocument(documents[name], {by: tables[name] for by, tables in made.items()})
