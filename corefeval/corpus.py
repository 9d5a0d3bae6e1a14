"""Scoring many documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from corefeval.contingency import SIDES, WHOLE, Contingency, Tables
from corefeval.conventions import OF_FILES, Conventions, Options
from corefeval.errors import CorefError, expect_two, named, shortened
from corefeval.labels import refuse_texts_of_numbers
from corefeval.no_overlap import SidesApart
from corefeval.partition import (
    ByName,
    Partition,
    are_documents_in_order,
    as_lists,
    refuse_documents,
)
from corefeval.registry import OF_MENTIONS, SUITES, names_of
from corefeval.repeats import REPEATS
from corefeval.report import Report
from corefeval.scoring import (
    Corpus,
    Documents,
    Metric,
    expect_alone,
    lacked_document,
    paired,
    sides_of,
    tables_by,
)

if TYPE_CHECKING:
    from corefeval.readers import FilePair
    from corefeval.scorers.bundles import Bundle


def evaluate(
    key: Corpus | Sequence[Any] | str | PathLike[str] | Contingency,
    response: Corpus | Sequence[Any] | str | PathLike[str] | None = None,
    metrics: str | Iterable[str] = "standard",
    *,
    like: str | None = None,
    empty_side: bool = False,
    **chosen: Unpack[Options],
) -> Report:
    """Score a response against a key, document by document and in total.

    ``key`` and ``response`` map document ids to partitions (see `corefeval.metric` for what may
    stand for one), or are paths of files: CoNLL-2012, JSON lines or CorefUD, found by what is in
    them; one of CoNLL-2012 goes with one of JSON lines. A path may be that of a folder, or a
    pattern such as ``"keys/*.conll"``; files may be compressed by gzip. A file of JSON lines that
    has both sides needs no second path. One side may be a path and the other a mapping with the
    names of the file's documents, which `corefeval.read` shows. Documents are paired by their ids;
    two lists of documents, each a list of entities whose mentions are texts or spans (first, last),
    by position. ``metrics`` is a suite (``"standard"``, ``"all"``), a measure's name, or several.

    Keywords choose conventions, each by one of its names in `corefeval.conventions.CHOICES`:
    ``average`` of documents, ``match`` of mentions in CorefUD,
    documents that are ``missing``, ``offsets`` and ``pairs`` in JSON lines, ``repeated`` mentions,
    ``singletons``, ``twinless`` mentions, ``zero`` for 0/0, and ``zero_match`` in CorefUD. ``like``
    names a scorer whose conventions to use, measure by measure (see
    `corefeval.scorers.bundles`); what the scorer does not compute is absent.

    A table takes the place of both sides: one of labels, from `corefeval.from_labels`, or one of a
    database, from `corefeval.from_table`; measures may follow it. Two Parquet or CSV files with a
    row per mention are joined on their column ``mention``; their other column has the labels of
    entities. The result is scored as one document.

    ``empty_side=True`` says that a side without any mention is meant: it is then not warned of, nor
    refused for a file of CoNLL-U that marks no mention.

    A total is the score of the documents' summed counts, as in the reference scorer, unless
    ``average`` says otherwise: neither the mean of the documents' scores nor the score of all
    documents in one table.

    Warns if a side has no mention at all, if key and response have none in common, or else if
    documents with three or more mentions on each side have none, and if the key of a table has no
    label of most mentions of the response, unless it scores ``like`` a scorer or no measure is
    asked for.

    Raises `CorefError` for a document on one side only, unless ``missing`` says otherwise; for a
    file that cannot be read; for a convention that ``like`` fixes; and as `corefeval.metric` does.

    >>> report = evaluate({"d1": "{a b c}", "d2": "{a b}"}, {"d1": "{a b}", "d2": "{a b}"}, "muc")
    >>> report.total["muc"]
    recall 2/3, precision 1, f1 4/5
    >>> report.documents["d1"]["muc"]
    recall 1/2, precision 1, f1 2/3
    >>> report.signature  # doctest: +ELLIPSIS
    'corefeval=... metrics=muc documents=2 average=sum match=exact missing=error ...'
    >>> key = {"d": "{a b} {c}"}
    >>> evaluate(key, key, like="e2e").total["ceafe"]
    recall 1/2, precision 1, f1 2/3
    >>> from corefeval import from_labels
    >>> evaluate(from_labels([1, 1, 2], [1, 1, 1]), metrics="muc").total["muc"]
    recall 1, precision 1/2, f1 2/3
    """
    given, asked, documents = asked_documents(key, response, metrics, like, empty_side, chosen)
    if not like and asked.metrics:
        joined = isinstance(given, Contingency) and response is not None
        _sides_apart(given, documents).warn(empty_side, joined)
    tables = tables_by(documents, asked.choices)
    if of_mentions := [each for each in asked.metrics if each.measure.name in OF_MENTIONS]:
        tables = _with_mentions(tables, cast("FilePair", given), of_mentions)
    report = Report(tables, asked.metrics, asked.choice, asked.note)
    if isinstance(given, Contingency):
        # A table of a file or a database is counted when it is asked, and may be another one then.
        report.total  # noqa: B018
    return report


class Input(NamedTuple):
    """What was given, what is asked of it, and its documents."""

    given: Given
    asked: Request
    documents: Documents


def asked_documents(
    key: Any,
    response: Any,
    metrics: str | Iterable[str],
    like: str | None,
    empty_side: bool,
    chosen: Options,
) -> Input:
    """What `evaluate` and `corefeval.anatomy` are given and asked with these arguments."""
    response, metrics = measures_beside(key, response, metrics)
    given = as_given(key, response, empty_side)
    asked = _asked_of(metrics, like, cast(Mapping[str, str], chosen), given)
    documents = _documents_to_score(given, asked)
    if getattr(given, "in_order", False):
        asked = asked._replace(choice=asked.choice.but(pairs="order"))
    return Input(given, asked, documents)


def _sides_apart(given: Given, documents: Documents) -> SidesApart:
    """What the sides of the input share."""
    if isinstance(given, Contingency):
        return SidesApart.of_table(given)
    apart = SidesApart()
    for name, sides in documents.items():
        apart.add(name, sides)
    return apart


# What the input is


class Mappings(NamedTuple):
    """A key and a response from document ids to partitions; one of them may be a file's path."""

    key: Corpus | str | PathLike[str]
    response: Corpus | str | PathLike[str]
    in_order: bool = False
    """Whether the documents were given in lists, and are paired by their order."""

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


if TYPE_CHECKING:
    Given = Mappings | FilePair | Contingency


def as_given(key: Any, response: Any, empty_side: bool = False) -> Given:
    """What a key and a response are: mappings, files of a format, or a table of both.

    A file is looked at once to find its format, and files of tables are joined; no other place asks
    what an input is.

    Raises `CorefError` for what is none of these, for a table beside something else, and for two
    files of which only one is a table.
    """
    if isinstance(key, Contingency) or isinstance(response, Contingency):
        expect_alone(response)
        return cast(Contingency, key)
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

        return of_files(key, response)
    if isinstance(key, Mapping) or isinstance(response, Mapping):
        return Mappings(key, response)
    from corefeval.readers import FilePair

    return FilePair(key, response, empty_side)


def _in_order(key: Sequence[Any], response: Sequence[Any]) -> Mappings:
    """Two lists of documents, by their places from 0 on."""
    if len(key) != len(response):
        raise CorefError(
            "documents in lists are paired by position: expected as many on both sides, got "
            f"{len(key)} in the key and {len(response)} in the response"
        )
    return Mappings(dict(enumerate(key)), dict(enumerate(response)), in_order=True)


DEFAULT_METRICS = ("standard", tuple(name for name in SUITES["standard"] if name != "conll"))
"""The measures that `evaluate` and `corefeval.explain` have without being told any, and those of
`corefeval.anatomy`."""


def measures_beside(key: Any, response: Any, metrics: Any) -> tuple[Any, Any]:
    """What stands beside a key, and the measures: names of measures may follow a table.

    >>> measures_beside({}, "response.conll", "standard")
    ('response.conll', 'standard')
    """
    is_default = isinstance(metrics, (str, tuple)) and metrics in DEFAULT_METRICS
    if not isinstance(key, Contingency) or not is_default:
        return response, metrics
    names = [response] if isinstance(response, str) else response
    if not isinstance(names, (list, tuple)) or not all(map(_is_measure, names)):
        return response, metrics
    return None, response


def _is_measure(name: object) -> bool:
    try:
        names_of([cast(str, name)])
    except CorefError:
        return False
    return True


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


# What is asked


class Request(NamedTuple):
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


def _asked_of(
    metrics: str | Iterable[str], like: str | None, chosen: Mapping[str, str], given: object = None
) -> Request:
    if like is None:
        choice = Conventions(**chosen)
        return Request([Metric.of(name, choice) for name in names_of(metrics)], choice, None, "")
    from corefeval.readers import FilePair
    from corefeval.scorers.bundles import find_scorer

    bundle = find_scorer(like)
    # Only mentions that are matched have nodes.
    if not (isinstance(given, FilePair) and given.format.matches):
        bundle = bundle.without_nodes()
    names = names_of(metrics, bundle.measures)
    if metrics == "standard":
        # The scorer prints them with the others.
        names += [name for name in bundle.measures if name in OF_MENTIONS]
    choice = bundle.choice(chosen)
    found = bundle.metrics(names, choice)
    return Request(found, choice, bundle, bundle.note(names, found))


# From the input to its tables


def _documents_to_score(given: Given, asked: Request) -> Documents:
    """The documents to score; a scorer's own way to read a mention is not taken yet."""
    if isinstance(given, Contingency):
        return {
            name: (t, None) for name, t in documents_of(given, asked.choice, asked.bundle).items()
        }
    bundle = asked.bundle
    if bundle is None:
        key, response = given.read(asked.choice)
        documents = _checked(key, response, asked.choice.missing)
        for document, sides in documents.items():
            with named(f"document {document!r}"):
                documents[document] = _read_both(*sides, asked.choice)
        return documents
    key, response = given.read(bundle.for_reading(asked.choice))
    if not isinstance(given, Mappings):
        from corefeval.scorers.faults import refuse_lines

        refuse_lines(bundle, given)
    return _checked(*bundle.scored_documents(key, response), asked.choice.missing)


def documents_of(
    table: Contingency, choice: Conventions, bundle: Bundle | None = None
) -> Mapping[Hashable, Contingency]:
    """The tables of a table's documents by their names; one without names is called `WHOLE`."""
    choice.refuse(OF_FILES, "concerns the reading of files: there is none")
    documents: Mapping[Hashable, Contingency] = getattr(table, "by_document", {WHOLE: table})
    _check_table(documents, choice, bundle)
    return documents


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


def _read_both(key: Any, response: Any, choice: Conventions) -> tuple[Any, Any]:
    """Both sides as what can be looked at twice, a `Partition` or lists of mentions."""
    if choice.repeated not in REPEATS:
        return sides_of(key, response, choice)
    read: list[Any] = []
    for side, entities in zip(SIDES, (key, response), strict=True):
        with named(side):
            listed = isinstance(entities, (Partition, ByName))
            read.append(entities if listed else as_lists(entities))
    refuse_documents((key, response), read)
    return read[0], read[1]


def _with_mentions(
    made: Mapping[Conventions, Mapping[Hashable, Tables]],
    files: FilePair,
    metrics: Iterable[Metric],
) -> dict[Conventions, dict[Hashable, Tables]]:
    """The tables of documents, with what these measures count of their mentions."""
    found = {}
    for document, mentions in files.own.items():
        with named(f"document {document!r}"):
            found[document] = {
                each.measure.name: each.measure.formula(mentions) for each in metrics
            }
    return {
        by: {
            name: tables._replace(of_mentions=found[str(name)])
            for name, tables in documents.items()
        }
        for by, documents in made.items()
    }


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


# Documents that are given one by one


def asked_one_by_one(
    metrics: str | Iterable[str], like: str | None, chosen: Mapping[str, str]
) -> Request:
    """What is asked of documents that are given one by one, with both sides.

    Raises `CorefError` for conventions that do not concern such documents, and for a scorer that
    makes one document of all.
    """
    conventions = Conventions(**chosen)
    conventions.refuse(OF_FILES, "concerns the reading of files: pass it to evaluate")
    conventions.refuse(["missing"], "concerns documents on one side only: here both are given")
    asked = _asked_of(metrics, like, chosen)
    if asked.bundle and asked.bundle.documents == "pooled":
        raise CorefError(
            f"like={like!r} makes one document of all: they cannot be added one by one; pass all "
            "of them to evaluate"
        )
    return asked


class OneDocument(NamedTuple):
    """A document that is read and counted: its sides, and its tables by the conventions."""

    name: Hashable
    sides: tuple[Any, Any]
    tables: Mapping[Conventions, Tables]


def documents_one_by_one(given: Given, asked: Request) -> Iterator[OneDocument]:
    """Each document as `evaluate` reads and counts it; that of a table without any is `WHOLE`."""
    documents = _documents_to_score(given, asked)
    made = tables_by(documents, asked.choices)
    for name, sides in documents.items():
        yield OneDocument(name, sides, {by: tables[name] for by, tables in made.items()})
