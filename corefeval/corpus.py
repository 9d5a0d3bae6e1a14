"""Scoring many documents: what is asked of a key and a response, and what is counted for it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from corefeval.contingency import Contingency, Tables
from corefeval.conventions import OF_FILES, Conventions, Options
from corefeval.errors import CorefError, named
from corefeval.given import Given, as_given
from corefeval.registry import OF_MENTIONS, SUITES, names_of
from corefeval.report import Report
from corefeval.scoring import Corpus, Documents, Metric, tables_by

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

    ``key`` and ``response`` are paths (of files, folders or patterns) or map documents' names to
    their entities; one may be a path and the other a mapping. Two lists of documents are paired by
    position. A file that has both sides, or a table (`from_labels`, `from_table`), stands alone.
    ``metrics`` is a suite, ``"standard"`` or ``"all"``, or names of measures. ``like`` names a
    scorer by whose conventions to score; other keywords choose conventions
    (`corefeval.conventions.CHOICES`) and how files are read (`corefeval.conventions.OF_FILES`).
    ``empty_side=True``: a side without mentions is meant.

    The total is the score of the documents' summed counts, as in the reference scorer, unless
    ``average`` says otherwise. Warns of sides that share no mention. Raises `CorefError` for what
    the page *Library* lists under *What is refused*.

    >>> report = evaluate({"d1": "{a b c}", "d2": "{a b}"}, {"d1": "{a b}", "d2": "{a b}"}, "muc")
    >>> report["muc"], report.documents["d1"]["muc"]
    (recall 2/3, precision 1, f1 4/5, recall 1/2, precision 1, f1 2/3)
    >>> report.short_signature
    'corefeval=... metrics=muc documents=2 defaults'
    >>> key = {"d": "{a b} {c}"}
    >>> evaluate(key, key, like="e2e")["ceafe"]
    recall 1/2, precision 1, f1 2/3
    """
    given, asked, documents = asked_documents(key, response, metrics, like, empty_side, chosen)
    if not like and asked.metrics:
        given.warn_of_sides_apart(documents, empty_side)
    tables = tables_by(documents, asked.choices)
    if of_mentions := [each for each in asked.metrics if each.measure.name in OF_MENTIONS]:
        tables = _with_mentions(tables, cast("FilePair", given.files), of_mentions)
    report = Report(tables, asked.metrics, asked.choice, asked.note)
    if given.may_change:
        report.total  # noqa: B018
    return report


# What is asked


def asked_documents(
    key: Any,
    response: Any,
    metrics: str | Iterable[str],
    like: str | None,
    empty_side: bool,
    chosen: Options,
) -> tuple[Given, Request, Documents]:
    """What `evaluate` and `corefeval.anatomy` are given and asked with these arguments."""
    response, metrics = measures_beside(key, response, metrics)
    given = as_given(key, response, empty_side)
    matches = given.files is not None and given.files.format.matches
    asked = _asked_of(metrics, like, cast(Mapping[str, str], chosen), matches)
    documents = given.documents(asked.choice, asked.bundle)
    if given.in_order:
        asked = asked._replace(choice=asked.choice.but(pairs="order"))
    return given, asked, documents


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
    metrics: str | Iterable[str], like: str | None, chosen: Mapping[str, str], matches: bool = False
) -> Request:
    """What these arguments ask, of mentions that are matched or of others."""
    if like is None:
        choice = Conventions(**chosen)
        return Request([Metric.of(name, choice) for name in names_of(metrics)], choice, None, "")
    from corefeval.scorers.bundles import find_scorer

    bundle = find_scorer(like)
    # Only mentions that are matched have nodes.
    if not matches:
        bundle = bundle.without_nodes()
    names = names_of(metrics, bundle.measures)
    if metrics == "standard":
        # The scorer prints them with the others.
        names += [name for name in bundle.measures if name in OF_MENTIONS]
    choice = bundle.choice(chosen)
    found = bundle.metrics(names, choice)
    return Request(found, choice, bundle, bundle.note(names, found))


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


OneDocument = tuple[Hashable, tuple[Any, Any], Mapping[Conventions, Tables]]
"""A document that is read and counted: its name, its sides, and its tables by the conventions."""


def documents_one_by_one(given: Given, asked: Request) -> Iterator[OneDocument]:
    """Each document as `evaluate` reads and counts it; that of a table without any is `WHOLE`."""
    documents = given.documents(asked.choice, asked.bundle)
    made = tables_by(documents, asked.choices)
    for name, sides in documents.items():
        yield name, sides, {by: tables[name] for by, tables in made.items()}
