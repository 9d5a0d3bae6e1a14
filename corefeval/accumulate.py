"""Scoring documents that are given one by one, as a system's predictions in training."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any, NamedTuple, Never, NoReturn, Unpack, cast

from corefeval.contingency import WHOLE, Contingency, Tables
from corefeval.conventions import Chosen, Conventions
from corefeval.corpus import asked_one_by_one, documents_one_by_one
from corefeval.errors import CorefError, expect, expect_two, items, named, shortened
from corefeval.given import Mappings, Table
from corefeval.lazily import cached_property
from corefeval.no_overlap import SidesApart
from corefeval.partition import Partition
from corefeval.report import EMPTY, Report, refuse_shared, united
from corefeval.score import Counts, Score
from corefeval.scoring import Metric, expect_alone, overlap, read_both, sides_alike

ByConventions = Mapping[Conventions, Tables]
"""The tables of a document, by the measures' conventions."""
ByChoice = dict[Conventions, dict[Hashable, Tables]]
MOST_WAITING = 32
"""How many documents are counted together. One by one, small ones take twice the time."""


class Sums(NamedTuple):
    """What documents add up to: what each measure counts, and whether their sides are alike."""

    counts: Mapping[str, Counts] = {}
    alike: Mapping[Conventions, bool] = {}

    def with_more(self, more: Sums) -> Sums:
        """The sums of these documents and of others."""
        if not (self.counts and more.counts):
            return self if self.counts else more
        counts = {name: each + more.counts[name] for name, each in self.counts.items()}
        alike = {choice: each and more.alike[choice] for choice, each in self.alike.items()}
        return Sums(counts, alike)


class Added(NamedTuple):
    """What is known of the documents that were added, but for their names."""

    number: int = 0
    waiting: tuple[ByConventions, ...] = ()
    """The tables of those that are not in the sums yet."""
    repeated: int = 0
    """How many mentions of the key responses repeat, where a scorer minds."""
    apart: SidesApart = SidesApart()
    sums: Sums = Sums()

    def with_more(self, more: Added) -> Added:
        """What is known of these documents and of others."""
        return Added(
            self.number + more.number,
            self.waiting + more.waiting,
            self.repeated + more.repeated,
            self.apart.with_more(more.apart),
            self.sums.with_more(more.sums),
        )


class Document(NamedTuple):
    """A document that was added."""

    is_numbered: bool
    """Whether it was given without a name."""
    tables: ByConventions | None
    """Its tables, if they are kept."""


class SummedReport(Report):
    """A report of documents that were added up and not kept: it has their total alone."""

    def __init__(
        self,
        sums: Sums,
        names: Iterable[Hashable],
        metrics: Iterable[Metric],
        conventions: Conventions,
        note: str = "",
    ) -> None:
        super().__init__({}, metrics, conventions, note)
        self._sums, self._names = sums, dict.fromkeys(names)

    @cached_property
    def total(self) -> Mapping[str, Score]:
        """The score of each measure over all documents."""
        metrics = self.metrics.items()
        if not self._names:
            return {name: each.of_tables(EMPTY) for name, each in metrics}
        counts, alike = self._sums.counts, self._sums.alike
        return {
            name: each.score_of(counts[name], alike[each.conventions]) for name, each in metrics
        }

    @property
    def tables(self) -> NoReturn:
        """Raises `CorefError`: the documents' tables were not kept, and so not their scores."""
        raise CorefError(
            "the documents were added up and not kept; corefeval.Scorer(…, documents=True) keeps "
            "them, for their own scores, intervals and comparisons"
        )

    def __add__(self, other: Report) -> Report:
        """The report of the documents of both; see `corefeval.Report`."""
        if not isinstance(other, Report):
            return NotImplemented
        self.expect_like(other)
        assert isinstance(other, SummedReport)
        refuse_shared(self._names, other._names)
        names, sums = self._names | other._names, self._sums.with_more(other._sums)
        return SummedReport(sums, names, self.metrics.values(), self.conventions, self._note)

    def __len__(self) -> int:
        """How many documents were scored."""
        return len(self._names)


class Scorer:
    """Scores documents that are added one by one, as `corefeval.evaluate` scores them all at once.

    ``metrics``, ``like`` and the conventions are those of `evaluate`, without those that concern
    files or documents on one side only. The total is the very score of `evaluate`.

    What each measure counts is added up, of a few documents at a time, so that nothing grows but
    the list of names. ``documents=True``, and an ``average`` other than ``"sum"``, keep each
    document's sizes and overlaps: its own scores and intervals then are in the report, too. A
    scorer can be pickled, and threads may share one; whatever interrupts it, a document counts
    wholly or not at all. Raises `CorefError` for what the page *Library* lists under *What is
    refused*.

    >>> scorer = Scorer("muc")
    >>> scorer.update([["a", "b", "c"]], [["a", "b"]], "d1")
    >>> scorer.update("{x y}", "{x y}")
    >>> scorer
    Scorer of muc: 2 documents
    >>> scorer.compute()["muc"]
    recall 2/3, precision 1, f1 4/5
    >>> scorer.update("{x y}", "{x y}", "d1")
    Traceback (most recent call last):
    corefeval.errors.CorefError: document 'd1' was added before; expected each document once
    """

    def __init__(
        self,
        metrics: str | Iterable[str] = "standard",
        *,
        like: str | None = None,
        documents: bool = False,
        **chosen: Unpack[Chosen],
    ) -> None:
        self._asked = asked_one_by_one(metrics, like, cast(Mapping[str, str], chosen))
        self._warned = not like and bool(self._asked.metrics)
        averaged = any(choice.average != "sum" for choice in self._asked.choices)
        self._choices = self._asked.choices
        self._keeps = documents or averaged
        # A measure that is not pooled may have sums of doubles, which depend on their order.
        pooled = all(each.measure.pooled for each in self._asked.metrics)
        self._most_waiting = MOST_WAITING if pooled else 1
        self.reset()

    def __repr__(self) -> str:
        """What is scored and how many documents there are, in a line."""
        names = ", ".join(each.measure.name for each in self._asked.metrics)
        number = self._added.number
        return f"Scorer of {names}: {number} document{'' if number == 1 else 's'}"

    def reset(self) -> None:
        """Forget all documents."""
        self._lock = _new_lock()
        self._added = Added()
        self._documents: dict[Hashable, Document] = {}
        """By name; those beyond ``_added.number`` do not count: adding them was interrupted."""

    def __getstate__(self) -> dict[str, Any]:
        """All but the lock, which a pickle cannot hold."""
        return {name: of for name, of in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = _new_lock()

    def update(
        self, key: Any = None, response: Any = None, document: Hashable = None, **other: Never
    ) -> None:
        """Add a document: its right entities and those to be judged by them.

        Both are what `corefeval.metric` takes. ``document`` is its name; without one it gets the
        next number that is no document's name. A table, of `corefeval.from_labels` or
        `corefeval.from_table`, takes the place of both; if it has documents, each is added by its
        own name.

        Raises `CorefError`, and adds nothing, for a name that was given before and for entities
        that `evaluate` refuses.

        >>> from corefeval import from_labels
        >>> scorer = Scorer("muc")
        >>> scorer.update(from_labels([1, 1, 1, 2], [1, 1, 2, 2]))
        >>> scorer.compute().total["muc"]
        recall 1/2, precision 1/2, f1 1/2
        """
        _refuse_names(other, "key=, response= and document=")
        with self._lock:
            self._forget_unfinished()
            if isinstance(key, Contingency) or isinstance(response, Contingency):
                self._update_by_table(key, response, document)
                return
            name = self._next_number() if document is None else document
            self._check_new(name)
            sides, tables = self._read(name, key, response)
            apart = SidesApart.of_document(name, sides)
            added = Added(1, self._waiting(tables), self._repeats(name, *sides), apart)
            kept = tables if self._keeps else None
            self._put({name: Document(document is None, kept)}, added)

    def _read(
        self, name: Hashable, key: Any, response: Any
    ) -> tuple[tuple[Any, Any], ByConventions]:
        """The sides of a document, which can be looked at again, and its tables."""
        if self._asked.bundle:
            given = Mappings({name: key}, {name: response})
            ((_, sides, tables),) = documents_one_by_one(given, self._asked)
            return sides, tables
        with named(f"document {name!r}"):
            expect_two(key, response)
            sides = read_both(key, response, self._asked.choice)
            return sides, {choice: overlap(*sides, choice) for choice in self._choices}

    def update_batch(
        self,
        keys: Iterable[Any] | None = None,
        responses: Iterable[Any] | None = None,
        documents: Iterable[Hashable] | None = None,
        **other: Never,
    ) -> None:
        """Add several documents, given as a key, a response and a name for each.

        The first key goes with the first response, as in `update`. ``documents`` are their names; a
        name that is None is a number, as those of all are where there are no names.

        Raises `CorefError`, and adds nothing, if these are not equally many, and as `update` does.

        >>> scorer = Scorer("muc")
        >>> scorer.update_batch(["{a b c}", "{x y}"], ["{a b}", "{x y}"])
        >>> scorer.compute().total["muc"]
        recall 2/3, precision 1, f1 4/5
        """
        _refuse_names(other, "keys=, responses= and documents=")
        sides = [_items_of("keys", keys), _items_of("responses", responses)]
        names = [None] * len(sides[0]) if documents is None else items("names", documents)
        if len({*map(len, sides), len(names)}) > 1:
            raise CorefError(
                f"expected a key, a response and a name for each document: got {len(sides[0])} "
                f"keys, {len(sides[1])} responses"
                + ("" if documents is None else f" and {len(names)} names")
            )
        batch = self._empty()
        for key, response, name in zip(*sides, names, strict=True):
            batch.update(key, response, name)
        self.merge(batch)

    def _update_by_table(self, table: Any, response: Any, document: Hashable) -> None:
        expect_alone(response)
        is_named = hasattr(table, "by_document")
        added = Added(apart=SidesApart.of_table(table))
        documents = {}
        for of_table, _, tables in documents_one_by_one(Table(table), self._asked):
            name = of_table if is_named else document
            if document not in (None, name):
                raise CorefError(f"the table's documents have names: leave out {document!r}")
            is_numbered = name is None
            if is_numbered:
                name = self._next_number()
            self._check_new(name)
            documents[name] = Document(is_numbered, tables if self._keeps else None)
            # Tables of columns are counted faster alone than united.
            added = self._all_counted(added.with_more(Added(1, self._waiting(tables))))
        self._put(documents, added)

    def _waiting(self, tables: ByConventions) -> tuple[ByConventions, ...]:
        """The tables of a document that waits to be counted; kept tables do not."""
        return () if self._keeps else (tables,)

    def _all_counted(self, added: Added) -> Added:
        """The same with nothing that waits."""
        if not added.waiting:
            return added
        sums = added.sums.with_more(self._counted(added.waiting))
        return added._replace(sums=sums, waiting=())

    def _counted(self, tables: Sequence[ByConventions]) -> Sums:
        """What is counted of documents."""
        one: ByChoice = {
            choice: {WHOLE: united([each[choice] for each in tables])} for choice in self._choices
        }
        counts = Report(one, self._asked.metrics, self._asked.choice).counts[WHOLE]
        return Sums(counts, {by: sides_alike(each[WHOLE], by) for by, each in one.items()})

    def _put(self, documents: Mapping[Hashable, Document], more: Added) -> None:
        """Add documents of new names."""
        added = self._added.with_more(more)
        if self._asked.bundle:
            self._asked.bundle.refuse_repeated(added.repeated)
        # The first is counted at once: a measure that conventions do not go with refuses it.
        if len(added.waiting) >= self._most_waiting or not added.sums.counts:
            added = self._all_counted(added)
        self._documents.update(documents)
        # Until this one assignment none of them counts, and from then on all do.
        self._added = added

    def _forget_unfinished(self) -> None:
        """Take away the names of documents that were interrupted while they were added."""
        while len(self._documents) > self._added.number:
            self._documents.popitem()

    def compute(self) -> Report:
        """The report of all documents that were added; adding more does not change it.

        Warns as `evaluate` does if key and response share no mention, and if the key of tables has
        no label of most mentions of the response.
        """
        documents, added = self._so_far()
        if self._warned:
            added.apart.warn()
        return self._report(documents, added)

    def _so_far(self) -> tuple[dict[Hashable, Document], Added]:
        """The documents that count, and what is known of them."""
        with self._lock:
            added = self._added = self._all_counted(self._added)
            return dict(islice(self._documents.items(), added.number)), added

    def _report(self, documents: Mapping[Hashable, Document], added: Added) -> Report:
        asked = self._asked
        if not self._keeps:
            return SummedReport(added.sums, documents, asked.metrics, asked.choice, asked.note)
        tables: ByChoice = {choice: {} for choice in asked.choices}
        for name, document in documents.items():
            for choice, of_document in (document.tables or {}).items():
                tables[choice][name] = of_document
        return Report(tables, asked.metrics, asked.choice, asked.note)

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer; those without names are numbered on.

        Raises `CorefError`, and adds nothing, for other measures or conventions, if only one of the
        two keeps its documents, for a name that both have, and for the scorer itself.
        """
        expect(Scorer, "a Scorer", other)
        if other is self:
            raise CorefError("a scorer cannot be merged with itself: its documents are in both")
        self._report({}, Added()).expect_like(other._report({}, Added()))
        theirs, added = other._so_far()
        with self._lock:
            self._forget_unfinished()
            given = {name for name, document in theirs.items() if not document.is_numbered}
            for name in given & self._documents.keys():
                if self._documents[name].is_numbered:
                    self._check_new(name)
            refuse_shared(given, self._documents)
            documents: dict[Hashable, Document] = {}
            for name, document in theirs.items():
                if document.is_numbered:
                    name = self._next_number(given, documents)
                documents[name] = document
            self._put(documents, added)

    def _next_number(self, names: Container[Hashable] = (), more: Collection[Hashable] = ()) -> int:
        """A number that is no document's name, nor one of these names, nor one of these more."""
        number = len(self._documents) + len(more)
        while number in self._documents or number in names or number in more:
            number += 1
        return number

    def _check_new(self, name: Hashable) -> None:
        try:
            before = self._documents.get(name)
        except TypeError:
            raise CorefError(
                f"document {shortened(name)}: expected a name that is hashable, such as a text"
            ) from None
        if before and before.is_numbered:
            raise CorefError(
                f"document {name!r}: this is the number of a document that was given without a "
                "name; name every document, or none"
            )
        if before:
            raise CorefError(f"document {name!r} was added before; expected each document once")

    def _repeats(self, name: Hashable, key: Any, response: Any) -> int:
        """How many mentions of the key the response repeats, where a scorer minds."""
        bundle = self._asked.bundle
        return bundle.repeated({name: key}, {name: response}) if bundle else 0

    def _empty(self) -> Scorer:
        """The same scorer without documents."""
        empty = copy(self)
        empty.reset()
        return empty


def _new_lock() -> Any:
    from threading import RLock  # whoever scores files needs none

    return RLock()


def _refuse_names(other: Mapping[str, object], ours: str) -> None:
    """Refuse arguments by the names that other libraries have for them."""
    if other:
        raise CorefError(
            f"{', '.join(other)}: the arguments are {ours}; the key is what others call references "
            "or targets, the response their predictions"
        )


def _items_of(what: str, given: Any) -> list[Any]:
    """The keys, or the responses, of documents; a `Partition` is that of one."""
    if isinstance(given, Partition):
        raise CorefError(f"expected {what} of several documents, got one Partition: use update")
    return items(f"{what}, one for each document", given)
