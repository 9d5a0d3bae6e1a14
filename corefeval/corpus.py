"""Scoring many documents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from corefeval.contingency import OfTable
from corefeval.conventions import OF_FILES, Conventions
from corefeval.errors import CorefError, named
from corefeval.registry import SIDES, Metric, Tables, names_of, overlap, tables_of
from corefeval.report import Report

if TYPE_CHECKING:
    from corefeval.programs.bundles import Bundle

Corpus = Mapping[Any, Any]


def evaluate(
    key: Corpus | str | PathLike[str] | OfTable,
    response: Corpus | str | PathLike[str] | None = None,
    metrics: str | Iterable[str] = "standard",
    *,
    like: str | None = None,
    **chosen: str,
) -> Report:
    """Score a response against a key, document by document and in total.

    ``key`` and ``response`` map document ids to partitions (see `corefeval.metric` for what may
    stand for one), or are paths of files: CoNLL-2012, JSON lines or CorefUD, found by what is in
    them. A file of JSON lines that has both sides needs no second path. Documents are paired by
    their ids. ``metrics`` is a suite (``"standard"``, ``"all"``), a measure's name, or several.
    Keywords choose conventions; see `corefeval.conventions.CHOICES`. ``like`` names a program
    whose conventions to use, measure by measure (see `corefeval.programs.bundles`); what the
    program does not compute is absent.

    A table of a database, from `corefeval.from_table`, takes the place of both sides. Two Parquet
    or CSV files with a row per mention are joined on their column ``mention``; their other column
    has the labels of entities. The result is scored as one document.

    A total is the score of the documents' summed counts, as in the reference scorer, unless
    ``average`` says otherwise: neither the mean of the documents' scores nor the score of all
    documents in one table.

    Raises `CorefError` for a document on one side only, unless ``missing`` says otherwise; for a
    file that cannot be read; for a convention that ``like`` fixes; and as `corefeval.metric` does.

    >>> report = evaluate({"d1": "{a b c}", "d2": "{a b}"}, {"d1": "{a b}", "d2": "{a b}"}, "muc")
    >>> report.total["muc"]
    recall 2/3, precision 1, f1 4/5
    >>> report.documents["d1"]["muc"]
    recall 1/2, precision 1, f1 2/3
    >>> report.signature  # doctest: +ELLIPSIS
    'corefeval=0.1.0 metrics=muc documents=2 average=sum exclusive=core match=exact ...'
    >>> key = {"d": "{a b} {c}"}
    >>> evaluate(key, key, like="e2e").total["ceafe"]
    recall 1/2, precision 1, f1 2/3
    """
    bundle = _bundle(like, key, response) if like is not None else None
    choice = bundle.choice(chosen) if bundle else Conventions(**chosen)
    names = names_of(metrics)
    asked = bundle.metrics(names, choice) if bundle else [Metric.of(name, choice) for name in names]
    if is_table(key):
        from corefeval.scale.engine import of_files  # it may import an engine

        key = OfTable(of_files(key, response))
    if isinstance(key, OfTable):
        _check_table(key, choice, bundle)
        make: Callable[..., Tables] = tables_of
        documents: Mapping[Hashable, Any] = {name: (t,) for name, t in key.by_document.items()}
    else:
        sides = _sides(key, response, bundle.for_reading(choice) if bundle else choice)
        sides = bundle.scored_documents(*sides) if bundle else sides
        make, documents = overlap, _paired(*sides, choice.missing)
    choices = [part.conventions for each in asked for part in (each, *each.parts)]
    tables: dict[Conventions, dict[Hashable, Tables]] = {by: {} for by in choices or [choice]}
    for document, given in documents.items():
        with named(f"document {document!r}"):
            for by in tables:
                tables[by][document] = make(*given, by)
    return Report(tables, asked, choice, bundle.note(names, asked) if bundle else "")


def is_table(path: object) -> bool:
    """Whether this is the path of a file that a database engine reads.

    >>> is_table("key.parquet"), is_table("key.conll")
    (True, False)
    """
    ends = (".parquet", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
    return isinstance(path, (str, PathLike)) and str(path).lower().endswith(ends)


def _bundle(like: str, key: Any, response: Any) -> Bundle:
    """The choices of a program; without its matching where mentions are no nodes of CorefUD."""
    from corefeval.programs.bundles import find
    from corefeval.readers import format_of_file

    bundle = find(like)
    if isinstance(key, (str, PathLike)) and format_of_file(key) == "CorefUD":
        return bundle
    if isinstance(key, (str, PathLike)) and not is_table(key) and response is not None:
        from corefeval.programs.facts import warn_of_reading

        warn_of_reading(bundle, key, response)
    return bundle._replace(conventions={**bundle.conventions, "match": "exact"})


def _check_table(table: OfTable, choice: Conventions, bundle: Bundle | None) -> None:
    """Refuse what needs more than the mentions of a table: files, entities' names, documents."""
    choice.refuse(OF_FILES, "concerns the reading of files: there is none")
    if len(table.by_document) < 2:
        return
    if bundle and bundle.documents == "pooled":
        raise CorefError(f"like={bundle.name!r} makes one of all documents: leave out their column")
    ignored = ["key"] if bundle and bundle.extra == "ignored" else []
    for name, t in table.by_document.items():
        for side, of in zip(SIDES, (t, t.T), strict=True):
            if not of.key_mentions and (choice.missing == "skip" or side in ignored):
                raise CorefError(
                    f"document {name!r}: the {side} has no mention in it, and a table does not say "
                    "if it lacks the document, which is to be left out then (missing='skip' or "
                    "like); leave it out of the table, or choose otherwise"
                )


def _sides(key: Any, response: Any, choice: Conventions) -> tuple[Corpus, Corpus]:
    """Both sides as mappings: read from files, or as they are."""
    if isinstance(key, (str, PathLike)) and isinstance(response, (str, PathLike, type(None))):
        from corefeval.readers import read_pair

        return read_pair(key, response, choice)
    choice.refuse(OF_FILES, "concerns the reading of files: pass it with two paths")
    if not isinstance(key, Mapping) or not isinstance(response, Mapping):
        raise CorefError(
            "expected two mappings from document ids to partitions, or two paths of files; "
            f"got a {type(key).__name__} and a {type(response).__name__}"
        )
    return key, response


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
