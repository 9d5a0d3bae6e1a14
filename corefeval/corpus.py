"""Scoring many documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from os import PathLike
from typing import Any

from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.registry import overlap, select
from corefeval.report import Report
from corefeval.twinless import Tables

Corpus = Mapping[Any, Any]


def evaluate(
    key: Corpus | str | PathLike[str],
    response: Corpus | str | PathLike[str],
    metrics: str | Iterable[str] = "standard",
    **chosen: str,
) -> Report:
    """Score a response against a key, document by document and in total.

    ``key`` and ``response`` map document ids to partitions (see `corefeval.metric` for what may
    stand for one), or are paths of CoNLL-2012 files; the documents must be the same on both
    sides, in any order. ``metrics`` is a suite (``"standard"``, ``"all"``), a measure's name, or
    several. Keywords choose conventions; see `corefeval.conventions.CHOICES`.

    A total is the score of the documents' summed counts, as in the reference scorer: neither the
    mean of the documents' scores nor the score of all documents in one table.

    Raises `CorefError` for a document on one side only, a file that cannot be read, and all that
    `corefeval.metric` raises it for.

    >>> report = evaluate({"d1": "{a b c}", "d2": "{a b}"}, {"d1": "{a b}", "d2": "{a b}"}, "muc")
    >>> report.total["muc"]
    recall 2/3, precision 1, f1 4/5
    >>> report.documents["d1"]["muc"]
    recall 1/2, precision 1, f1 2/3
    >>> report.signature  # doctest: +ELLIPSIS
    'corefeval=0.1.0 metrics=muc documents=2 exclusive=core repeated=error singletons=keep ...'
    """
    choice = Conventions(**chosen)
    measures = select(metrics)
    if isinstance(key, (str, PathLike)) and isinstance(response, (str, PathLike)):
        from corefeval.readers.conll import read_pair

        key, response = read_pair(key, response, repeated=choice.repeated)
    if not isinstance(key, Mapping) or not isinstance(response, Mapping):
        raise CorefError(
            "expected two mappings from document ids to partitions, or two paths of files; "
            f"got a {type(key).__name__} and a {type(response).__name__}"
        )
    for side, here, there in (("response", key, response), ("key", response, key)):
        for document in here:
            if document not in there:
                raise CorefError(f"document {document!r} is missing from the {side}")
    tables: dict[Hashable, Tables] = {}
    for document in key:
        try:
            tables[document] = overlap(key[document], response[document], choice)
        except CorefError as error:
            raise CorefError(f"document {document!r}: {error}") from error
    return Report(tables, measures, choice)
