"""Scoring many documents: what is asked of what is given, and what is counted for it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from corefeval.conventions import OF_FILES, Conventions, Options
from corefeval.errors import CorefError, named
from corefeval.given import Given
from corefeval.overlap.contingency import SIDES, WHOLE, Contingency, Tables
from corefeval.overlap.labels import refuse_texts_of_numbers
from corefeval.overlap.no_overlap import SidesApart
from corefeval.registry import OF_MENTIONS, SUITES, as_typed, names_of
from corefeval.report import Report, digests
from corefeval.scoring import Corpus, Counted, Documents, Metric, Sides, paired, tables_by

if TYPE_CHECKING:
    from corefeval.scorers.bundles import Bundle


def evaluate(
    key: Corpus | Sequence[Any] | str | PathLike[str] | Contingency | Given,
    response: Corpus | Sequence[Any] | str | PathLike[str] | None = None,
    metrics: str | Iterable[str] = "standard",
    *,
    like: str | None = None,
    **chosen: Unpack[Options],
) -> Report:
    """Score a response against a key; return the report of each document and of their total.

    ``key`` and ``response`` are paths (of files, folders or patterns) or map documents' names to
    their entities; one may be a path and the other a mapping. Two lists of documents are paired by
    position. A file that has both sides, or a table (`from_labels`, `from_table`), stands alone.
    ``metrics`` is a suite, ``"standard"`` or ``"all"``, or names of measures. ``like`` names a
    scorer by whose conventions to score; other keywords choose conventions
    (`corefeval.conventions.CHOICES`) and how files are read (`corefeval.conventions.OF_FILES`).

    The total is the score of the documents' summed counts, as in the reference scorer, unless
    ``average`` says otherwise. Warns of sides that share few mentions, or none. Raises `CorefError`
    for what the page *Library* lists under *What is refused*.

    >>> report = evaluate({"d1": "{a b c}", "d2": "{a b}"}, {"d1": "{a b}", "d2": "{a b}"}, "muc")
    >>> report["muc"], report.documents["d1"]["muc"]
    (recall 2/3, precision 1, f1 4/5, recall 1/2, precision 1, f1 2/3)
    >>> report.short_signature
    'corefeval=... metrics=muc documents=2 defaults'
    >>> key = {"d": "{a b} {c}"}
    >>> evaluate(key, key, like="e2e")["ceafe"]
    recall 1/2, precision 1, f1 2/3
    """
    response, metrics = measures_beside(key, response, metrics, "standard")
    # A page that scores the same files several times passes them as `Given`, read once.
    given = key if isinstance(key, Given) else Given(key, response)
    asked = Request.of(metrics, like, cast(Mapping[str, str], chosen), given.matches)
    documents = documents_of(given, asked.choice, asked.bundle)
    if asked.metrics and not like:
        apart_in(documents).warn(given.remedy)
    if asked.bundle and given.matches:
        from corefeval.scorers.reading import warn_of_data_sets, warn_of_zeros

        warn_of_data_sets(asked.bundle, given)
        warn_of_zeros(asked.bundle, given, asked.choice)
    tables = tables_by(documents, asked.choices)
    if like and (given.table is not None or _may_share_few(tables[asked.choices[0]].values())):
        apart_in(documents).warn_of_few(given.remedy)
    of_mentions = [metric for metric in asked.metrics if metric.measure.name in OF_MENTIONS]
    if of_mentions:
        tables = _with_mentions(tables, given.files, of_mentions)
    report = report_on(documents, asked._replace(choice=given.in_signature(asked.choice)), tables)
    if given.table is not None:
        report.settle()
    return report


def measures_beside(
    key: Any, response: Any, metrics: Any, usual: str | Iterable[str]
) -> tuple[Any, Any]:
    """Return the response and the measures: names of measures may follow a table at once."""
    # An array of names, or pandas.NA, is compared with nothing: the answer would be no bool.
    as_usual = isinstance(metrics, type(usual)) and metrics == usual
    if isinstance(key, Contingency) and as_usual and isinstance(response, (str, list, tuple)):
        return None, response
    return response, metrics


def report_on(
    documents: Documents,
    asked: Request,
    tables: Mapping[Conventions, Mapping[Hashable, Tables]],
) -> Report:
    """The report of these documents, whose tables are made."""
    keys = {name: document.of_key for name, document in documents.items()}
    digest = partial(digests, keys, asked.choices)
    return Report(tables, asked.metrics, asked.choice, asked.note, digest)


def apart_in(documents: Documents) -> SidesApart:
    """What the sides of all documents share."""
    apart = SidesApart()
    for name, document in documents.items():
        apart = apart.with_more(document.shared(name))
    return apart


def _may_share_few(tables: Iterable[Tables]) -> bool:
    """Whether less than half of the smaller side's scored mentions are shared.

    To look at all mentions once more takes a tenth of the time of scoring by a scorer's rules.
    """
    met = key = response = 0
    for t, *_ in tables:
        met += sum(t.pairs.values())
        key += sum(t.key_sizes)
        response += sum(t.response_sizes)
    return 2 * met < min(key, response)


# What is scored


def documents_of(given: Given, choice: Conventions, bundle: Bundle | None = None) -> Documents:
    """The documents to score; those for a scorer's ``bundle`` are no partitions yet."""
    if given.table is None:
        return sides_of_each(given, choice, bundle)
    choice.refuse(OF_FILES, "concerns the reading of files: there is none")
    tables = getattr(given.table, "by_document", {WHOLE: given.table})
    _check_tables(tables, choice, bundle)
    return {name: Counted(table) for name, table in tables.items()}


def sides_of_each(
    given: Given, choice: Conventions, bundle: Bundle | None = None
) -> dict[Hashable, Sides]:
    """The documents to score where no table is given."""
    if bundle is not None:
        from corefeval.scorers.reading import read_as_scorer

        key, response = read_as_scorer(bundle, given, choice)
    else:
        key, response = given.read(choice)
    if choice.missing == "error":
        given.refuse_lacking(key, response)
    else:
        refuse_texts_of_numbers("document", [*key, *response])
    documents = paired(key, response, choice.missing)
    if choice.missing == "skip" and not documents:
        raise CorefError("no document is on both sides: expected the same names on either")
    if bundle is not None:
        return documents
    for name, sides in documents.items():
        with named(f"document {name!r}"):
            documents[name] = sides.read(choice)
    return documents


def _check_tables(
    documents: Mapping[Hashable, Contingency], choice: Conventions, bundle: Bundle | None
) -> None:
    """Refuse what needs more than a table's mentions: entities' names, documents of one side."""
    if len(documents) < 2:
        return
    if bundle and bundle.documents == "pooled":
        raise CorefError(f"like={bundle.name!r} makes one of all documents: leave out their column")
    left_out = set(SIDES) if choice.missing == "skip" else set()
    if bundle and bundle.extra == "ignored":
        left_out.add("key")
    for name, t in documents.items():
        for side, of_side in zip(SIDES, (t, t.T), strict=True):
            if side in left_out and not of_side.key_mentions:
                raise CorefError(
                    f"document {name!r}: the {side} has no mention in it, and a table does not say "
                    "if it lacks the document, which is to be left out then: leave it out of the "
                    "table, or choose otherwise"
                )


# What is asked


class Request(NamedTuple):
    """What is asked: measures, each with its conventions, and those of the whole corpus."""

    metrics: list[Metric]
    choice: Conventions
    bundle: Bundle | None = None
    note: str = ""
    """What the signature says of the bundle."""

    @classmethod
    def of(
        cls,
        metrics: str | Iterable[str],
        like: str | None,
        chosen: Mapping[str, str],
        matches: bool = False,
    ) -> Request:
        """Return what these arguments ask for: our measures, or with ``like`` another scorer's.

        ``matches`` says if mentions are matched by their nodes, as CorefUD's are. Unknown names are
        refused, a convention that the scorer has settled, and a scorer with none of the measures.
        """
        if like is None:
            choice = Conventions(**chosen)
            return cls([Metric.of(name, choice) for name in names_of(metrics)], choice)
        from corefeval.scorers.bundles import find_scorer

        bundle = find_scorer(like)
        # Elsewhere mentions have no nodes, and a scorer's rules for these say nothing.
        if not matches:
            bundle = bundle.without_nodes()
        typed = as_typed(metrics)
        names = names_of(typed, bundle.measures)
        if metrics == "standard":
            # The scorer prints counts of mentions with the others.
            names += [name for name in bundle.measures if name in OF_MENTIONS]
        choice = bundle.choice(chosen)
        measures = bundle.metrics(names, choice)
        # Few scorers have all measures of a suite: only one that was named is missed.
        bundle.warn_of_absent([name for name in typed if name not in (*SUITES, "all")])
        return cls(measures, choice, bundle, bundle.note(names, measures))

    @property
    def choices(self) -> list[Conventions]:
        """Each set of conventions that tables are made by."""
        metrics = [part for metric in self.metrics for part in (metric, *metric.parts)]
        return list(dict.fromkeys([m.conventions for m in metrics] or [self.choice]))


def _with_mentions(
    made: Mapping[Conventions, Mapping[Hashable, Tables]], files: Any, metrics: Iterable[Metric]
) -> dict[Conventions, dict[Hashable, Tables]]:
    """The tables of documents, with what these measures count of their mentions."""
    counts = {}
    for document, mentions in files.own.items():
        with named(f"document {document!r}"):
            counts[document] = {m.measure.name: m.measure.formula(mentions) for m in metrics}
    return {
        by: {
            name: tables._replace(of_mentions=counts[str(name)])
            for name, tables in documents.items()
        }
        for by, documents in made.items()
    }
