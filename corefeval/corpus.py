"""Scoring many documents: what is given, what is asked of it, and what is counted for it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from corefeval.contingency import SIDES, WHOLE, Contingency, Tables
from corefeval.conventions import OF_FILES, Conventions, Options
from corefeval.errors import CorefError, expect_two, named, shortened
from corefeval.labels import FILES_OF_LABELS, refuse_texts_of_numbers
from corefeval.no_overlap import ALIKE, OF_EACH_SIDE, SidesApart
from corefeval.partition import FLAT, Partition, as_lists
from corefeval.registry import OF_MENTIONS, SUITES, as_typed, names_of
from corefeval.report import Report, digests
from corefeval.scoring import (
    Corpus,
    Documents,
    Metric,
    expect_alone,
    paired,
    read_both,
    tables_by,
)

if TYPE_CHECKING:
    from corefeval.readers import FilePair
    from corefeval.scorers.bundles import Bundle
    from corefeval.scorers.reading import Strange


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
    documents = given.documents(asked.choice, asked.bundle)
    if asked.metrics and not like:
        apart_in(documents).warn(given.remedy)
    if asked.bundle and given.matches:
        from corefeval.scorers.reading import warn_of_data_sets, warn_of_zeros

        warn_of_data_sets(asked.bundle, given)
        warn_of_zeros(asked.bundle, given, asked.choice)
    tables = tables_by(documents, asked.choices)
    if like and (given.table is not None or _may_share_few(tables[asked.choices[0]].values())):
        apart_in(documents).warn_of_few(given.remedy)
    if of_mentions := [each for each in asked.metrics if each.measure.name in OF_MENTIONS]:
        tables = _with_mentions(tables, given.files, of_mentions)
    report = report_on(documents, asked._replace(choice=given.told(asked.choice)), tables)
    if given.table is not None:
        # A database may change, so what is asked of it is asked now.
        report.total, report.key_digests  # noqa: B018
    return report


def measures_beside(
    key: Any, response: Any, metrics: Any, usual: str | Iterable[str]
) -> tuple[Any, Any]:
    """The response and the measures: names of measures may follow a table at once."""
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
    keys = {name: key for name, (key, _) in documents.items()}
    digest = partial(digests, keys, asked.choices)
    return Report(tables, asked.metrics, asked.choice, asked.note, digest)


def apart_in(documents: Documents) -> SidesApart:
    """What the sides of all documents share."""
    apart = SidesApart()
    for name, sides in documents.items():
        apart = apart.with_more(shared(name, *sides))
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


def shared(name: Hashable, key: Any, response: Any) -> SidesApart:
    """What the sides of a document share, which may be a table in the place of the key."""
    if isinstance(key, Contingency):
        return SidesApart.of_table(key)
    return SidesApart.of_document(name, (key, response))


# What is given


class Given:
    """A key and a response: files of a format, mappings, lists of documents, or a table of both."""

    table: Contingency | None = None
    files: FilePair | None = None
    strange: list[Strange] | None = None
    """What scorers read otherwise in files, once it was looked for (`scorers.reading`)."""

    def __init__(self, key: Any, response: Any = None) -> None:
        self.sides: tuple[Any, ...] = key, response
        self._read: dict[Conventions, tuple[Corpus, Corpus, Any]] = {}
        for name, side in zip(SIDES, self.sides, strict=True):
            if _is_path(side) and not str(side):
                raise CorefError(f"the name of the {name}'s file is empty")
        paths = [side for side in self.sides if _is_path(side)]
        if isinstance(key, Contingency) or isinstance(response, Contingency):
            expect_alone(response)
            self.table = key
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
        """What makes the ends of mentions mean the same on both sides."""
        if self.files is None:
            return ALIKE
        return f"See --offsets; {OF_EACH_SIDE}" if "offsets" in self.files.conventions else ""

    @property
    def has_lists(self) -> bool:
        """Whether documents are given in lists, and paired by their position."""
        return all(isinstance(side, (list, tuple)) for side in self.sides)

    def told(self, choice: Conventions) -> Conventions:
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
            self._read[by] = *self._read_by(by), self.files and self.files.own
        key, response, own = self._read[by]
        # Mentions may have been matched by other choices since then.
        if self.files is not None:
            self.files.own = own
        return key, response

    def _read_by(self, choice: Conventions) -> tuple[Corpus, Corpus]:
        if self.files is not None:
            from corefeval.readers.recipes import offered

            with offered(dict.fromkeys(self.files.paths)):
                return self.files.read(choice)
        key, response = (
            _side(name, side, choice) for name, side in zip(SIDES, self.sides, strict=True)
        )
        if self.has_lists and len(key) != len(response):
            raise CorefError(
                f"documents in lists are paired by position: got {len(key)} in the key and "
                f"{len(response)} in the response"
            )
        for name in (each for each in key if each in response):
            with named(f"document {name!r}"):
                expect_two(key[name], response[name])
        if not any(map(_is_path, self.sides)):
            concerned = OF_FILES.keys() - (["pairs"] if self.has_lists else [])
            choice.refuse(concerned, "concerns the reading of files: pass it with two paths")
            return key, response
        from corefeval.readers import with_names_of

        return key, with_names_of(key, response)

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
            told = f"{where} is not in {other}"
            if len(lacked) > 1:
                others = len(lacked) - 1
                told += f", and {others} more {'is' if others == 1 else 'are'} missing"
            if alike := self._but_for_parentheses(lacked[0], there):
                raise CorefError(
                    f"{told}: the other side has {alike!r}, which differs by parentheses alone; "
                    "write the name in the same way on both sides"
                )
            if there and not key.keys() & response.keys():
                raise CorefError(
                    f"{told}: no name is the same on both sides, as {lacked[0]!r} here and "
                    f"{next(iter(there))!r} there; name documents alike{self._by_order()}"
                )
            raise CorefError(
                f"{told}; add it, or choose missing='empty' (it has no mentions there) or 'skip' "
                "(--missing)"
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

    def documents(self, choice: Conventions, bundle: Bundle | None = None) -> Documents:
        """The documents to score; a scorer's own way to read a mention is not taken yet."""
        if self.table is not None:
            choice.refuse(OF_FILES, "concerns the reading of files: there is none")
            tables = getattr(self.table, "by_document", {WHOLE: self.table})
            _check_tables(tables, choice, bundle)
            return {name: (table, None) for name, table in tables.items()}
        if bundle is not None:
            from corefeval.scorers.reading import read_as_scorer

            key, response = read_as_scorer(bundle, self, choice)
        else:
            key, response = self.read(choice)
        if choice.missing == "error":
            self.refuse_lacking(key, response)
        else:
            refuse_texts_of_numbers("document", [*key, *response])
        documents = paired(key, response, choice.missing)
        if choice.missing == "skip" and not documents:
            raise CorefError("no document is on both sides: expected the same names on either")
        if bundle is not None:
            return documents
        for name, sides in documents.items():
            with named(f"document {name!r}"):
                documents[name] = read_both(*sides, choice)
        return documents


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
        for each in side:
            _refuse_entities(each, name)
        return {
            n: each if isinstance(each, Partition) else as_lists(each)
            for n, each in enumerate(side)
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
        for side, of in zip(SIDES, (t, t.T), strict=True):
            if side in left_out and not of.key_mentions:
                raise CorefError(
                    f"document {name!r}: the {side} has no mention in it, and a table does not say "
                    "if it lacks the document, which is to be left out then: leave it out of the "
                    "table, or choose otherwise"
                )


# What is asked


class Request(NamedTuple):
    """The measures, each with its conventions, and those that are the corpus's."""

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
        """What these arguments ask, of mentions that are matched or of others."""
        if like is None:
            choice = Conventions(**chosen)
            return cls([Metric.of(name, choice) for name in names_of(metrics)], choice)
        from corefeval.scorers.bundles import find_scorer

        bundle = find_scorer(like)
        # Only mentions that are matched have nodes.
        if not matches:
            bundle = bundle.without_nodes()
        typed = as_typed(metrics)
        names = names_of(typed, bundle.measures)
        if metrics == "standard":
            # The scorer prints them with the others.
            names += [name for name in bundle.measures if name in OF_MENTIONS]
        choice = bundle.choice(chosen)
        found = bundle.metrics(names, choice)
        # Few scorers have all measures of a suite: only one that was named is missed.
        bundle.warn_of_absent([name for name in typed if name not in (*SUITES, "all")])
        return cls(found, choice, bundle, bundle.note(names, found))

    @property
    def choices(self) -> list[Conventions]:
        """Each set of conventions that tables are made by."""
        of_measures = [part.conventions for each in self.metrics for part in (each, *each.parts)]
        return list(dict.fromkeys(of_measures or [self.choice]))


def _with_mentions(
    made: Mapping[Conventions, Mapping[Hashable, Tables]], files: Any, metrics: Iterable[Metric]
) -> dict[Conventions, dict[Hashable, Tables]]:
    """The tables of documents, with what these measures count of their mentions."""
    found = {}
    for document, mentions in files.own.items():
        with named(f"document {document!r}"):
            found[document] = {m.measure.name: m.measure.formula(mentions) for m in metrics}
    return {
        by: {
            name: tables._replace(of_mentions=found[str(name)])
            for name, tables in documents.items()
        }
        for by, documents in made.items()
    }
