"""Scoring many documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from corefeval.contingency import OfTable
from corefeval.conventions import OF_FILES, Conventions
from corefeval.errors import CorefError, named
from corefeval.registry import Tables, names_of, of_all, overlap, select, tables_of
from corefeval.report import Report

if TYPE_CHECKING:
    from corefeval.bundles import Bundle

Corpus = Mapping[Any, Any]
TABLES = (".parquet", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
"""How the names of files end that a database engine reads."""


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
    their ids, in any order. ``metrics`` is a suite (``"standard"``, ``"all"``), a measure's name,
    or several. Keywords choose conventions; see `corefeval.conventions.CHOICES`. ``like`` names a
    program whose conventions to use, measure by measure (see `corefeval.bundles`); what the
    program does not compute is absent.

    A table of a database, from `Contingency.from_table`, takes the place of both sides. Two Parquet
    or CSV files with a row per mention are joined on their column ``mention``; their other column
    has the labels of entities. The result is scored as one document.

    A total is the score of the documents' summed counts, as in the reference scorer, unless
    ``average`` says otherwise: neither the mean of the documents' scores nor the score of all
    documents in one table.

    Raises `CorefError` for a document on one side only, unless ``missing`` says otherwise; for a
    file that cannot be read; for a convention that ``like`` fixes; and for all that
    `corefeval.metric` raises it for.

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
    bundle = _bundle(like, key) if like is not None else None
    choice = bundle.choice(chosen) if bundle else Conventions(**chosen)
    metrics = names_of(metrics)
    asked = bundle.metrics(metrics, choice) if bundle else of_all(select(metrics), choice)
    choices = list({part.conventions: 0 for each in asked for part in (each, *each.parts)})
    if is_table(key):
        from corefeval.engine import of_files  # it may import an engine

        key = OfTable(of_files(key, response))
    if isinstance(key, OfTable):
        choice.refuse(OF_FILES, "concerns the reading of files: there is none")
        if bundle and bundle.documents == "pooled" and len(key.by_document) > 1:
            raise CorefError(f"like={like!r} makes one of all documents: leave out their column")
        _check_left_out(key, choice, bundle)
        tables = {by: tables_of(key, by) for by in choices or [choice]}
    else:
        sides = _sides(key, response, choice)
        sides = bundle.arranged(*sides) if bundle else sides
        documents = _documents(*sides, choice.missing)
        tables = {by: _overlaps(*sides, documents, by) for by in choices or [choice]}
    return Report(tables, asked, choice, bundle.note(metrics, asked) if bundle else "")


def _bundle(like: str, key: object) -> Bundle:
    """The choices of a program; without its matching where mentions are no nodes of CorefUD."""
    from corefeval.bundles import find
    from corefeval.readers import format_of_file

    bundle = find(like)
    if isinstance(key, (str, PathLike)) and format_of_file(key) == "CorefUD":
        return bundle
    return bundle._replace(conventions={**bundle.conventions, "match": "exact"})


def _check_left_out(table: OfTable, choice: Conventions, bundle: Bundle | None) -> None:
    """Refuse to leave out documents that a side lacks: a table has mentions, not documents."""
    ignored = bundle is not None and bundle.extra == "ignored"
    if len(table.by_document) < 2 or not (ignored or choice.missing == "skip"):
        return
    for name, t in table.by_document.items():
        lacking = [
            side for side, n in (("key", t.key_mentions), ("response", t.T.key_mentions)) if not n
        ]
        if lacking and (choice.missing == "skip" or "key" in lacking):
            fixed = bundle and (ignored or "missing" in bundle.conventions)
            by = f"like={bundle.name!r}" if bundle and fixed else "missing='skip'"
            raise CorefError(
                f"document {name!r}: the {lacking[0]} has no mention in it, and {by} leaves out "
                "documents that a side lacks, which a table does not tell from documents without "
                "mentions; leave it out of the table, or choose otherwise"
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


def _overlaps(
    key: Corpus, response: Corpus, documents: Iterable[Hashable], choice: Conventions
) -> dict[Hashable, Tables]:
    tables = {}
    for document in documents:
        with named(f"document {document!r}"):
            pair = key.get(document, ()), response.get(document, ())
            tables[document] = overlap(*pair, choice)
    return tables


def is_table(path: object) -> bool:
    """Whether this is the path of a file that a database engine reads.

    >>> is_table("key.parquet"), is_table("key.conll")
    (True, False)
    """
    return isinstance(path, (str, PathLike)) and str(path).lower().endswith(TABLES)


def _documents(key: Corpus, response: Corpus, missing: str) -> list[Hashable]:
    """The ids of the documents to score, by the convention ``missing``."""
    both = [document for document in key if document in response]
    if missing == "skip" and not both:
        raise CorefError("no document is on both sides: expected the same ids in key and response")
    if missing != "error":
        return both if missing == "skip" else list(dict.fromkeys([*key, *response]))
    for side, here, there in (("response", key, response), ("key", response, key)):
        for document in here:
            if document not in there:
                raise CorefError(
                    f"document {document!r} is missing from the {side}; add it, or pass "
                    'missing="empty" (it has no mentions there) or missing="skip"'
                )
    return both
