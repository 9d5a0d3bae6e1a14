"""Scoring documents that are given one by one, as a system's predictions in training."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Unpack, cast

from corefeval.conventions import OF_FILES, Chosen, Conventions
from corefeval.corpus import Request, documents_of, sides_of_each
from corefeval.errors import CorefError, expect, items, named, shortened
from corefeval.given import Given
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.overlap.no_overlap import SidesApart
from corefeval.overlap.partition import Partition
from corefeval.report import Digest, Report, digests
from corefeval.scoring import Counted, Document, document_of


class Added(NamedTuple):
    """A document that was added, but for its name."""

    tables: Mapping[Conventions, Tables]
    key: Sequence[Digest]
    """What tells its key from others, by each of the measures' conventions."""
    apart: SidesApart
    repeated: int = 0
    """How many mentions of the key its response repeats, where a scorer minds."""
    is_numbered: bool = False
    """Whether it was given without a name."""


class Scorer:
    """Scores documents that are added one by one, as `corefeval.evaluate` scores them all at once.

    ``metrics``, ``like`` and the conventions are those of `evaluate`, without those that concern
    files or documents on one side only. The report is that of `evaluate`: of each document its
    sizes and overlaps are kept: 5 kB for ten mentions a side, 13 kB for forty.

    A scorer can be pickled, and threads may share one; whatever interrupts it, a document counts
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
        **chosen: Unpack[Chosen],
    ) -> None:
        conventions = Conventions(**cast(Mapping[str, str], chosen))
        conventions.refuse(OF_FILES, "concerns the reading of files: pass it to evaluate")
        conventions.refuse(["missing"], "concerns documents on one side only: here both are given")
        self._asked = Request.of(metrics, like, cast(Mapping[str, str], chosen))
        if self._asked.bundle and self._asked.bundle.documents == "pooled":
            raise CorefError(f"like={like!r} makes one document of all: pass them to evaluate")
        self.reset()

    def __repr__(self) -> str:
        """What is scored and how many documents there are, in a line."""
        names = ", ".join(metric.measure.name for metric in self._asked.metrics)
        number = len(self._added)
        return f"Scorer of {names}: {number} document{'' if number == 1 else 's'}"

    def reset(self) -> None:
        """Forget all documents."""
        self._lock = _new_lock()
        self._added: dict[Hashable, Added] = {}

    def __getstate__(self) -> dict[str, Any]:
        """All but the lock, which a pickle cannot hold."""
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = _new_lock()

    def update(self, key: Any, response: Any = None, document: Hashable = None) -> None:
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
        self._put(self._counted(key, response, document, len(self._added)))

    def update_batch(
        self,
        keys: Iterable[Any],
        responses: Iterable[Any],
        documents: Iterable[Hashable] | None = None,
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
        sides = [_of_each("keys", keys), _of_each("responses", responses)]
        names = [None] * len(sides[0]) if documents is None else items("names", documents)
        if len({*map(len, sides), len(names)}) > 1:
            raise CorefError(
                f"expected a key, a response and a name for each document: got {len(sides[0])} "
                f"keys, {len(sides[1])} responses and {len(names)} names"
            )
        counted: list[tuple[Hashable, Added]] = []
        for key, response, name in zip(*sides, names, strict=True):
            counted += self._counted(key, response, name, len(self._added) + len(counted))
        self._put(counted)

    def _counted(
        self, key: Any, response: Any, name: Hashable, number: int
    ) -> list[tuple[Hashable, Added]]:
        """The document of a key and a response, or those of a table, each with its name."""
        if isinstance(key, Contingency) and hasattr(key, "by_document"):
            if name is not None:
                raise CorefError(f"the table's documents have names: leave out {name!r}")
            documents = documents_of(Given(key, response), self._asked.choice, self._asked.bundle)
            added: list[tuple[Hashable, Added]] = []
            for own_name, document in documents.items():
                with named(f"document {own_name!r}"):
                    added.append((own_name, self._made(own_name, document)))
            return added
        if name is None:
            return [(None, self._document(number, key, response)._replace(is_numbered=True))]
        return [(name, self._document(name, key, response))]

    def _document(self, name: Hashable, key: Any, response: Any) -> Added:
        """The document of a key and a response, or of a table that is one document."""
        _expect_hashable(name)
        choice, bundle = self._asked.choice, self._asked.bundle
        with named(f"document {name!r}"):
            document = document_of(key, response)
            # A table is counted: there are no mentions that a scorer could read in its own way.
            if bundle is None or isinstance(document, Counted):
                return self._made(name, document.read(choice))
        given = Given({name: key}, {name: response})
        sides = sides_of_each(given, choice, bundle)[name]
        repeated = bundle.repeated({name: sides.key}, {name: sides.response})
        with named(f"document {name!r}"):
            return self._made(name, sides)._replace(repeated=repeated)

    def _made(self, name: Hashable, document: Document) -> Added:
        """What is kept of a document that can be looked at twice."""
        tables = {choice: document.tables(choice) for choice in self._asked.choices}
        of_key = digests({name: document.of_key}, self._asked.choices)[name]
        return Added(tables, of_key, document.shared(name))

    def _put(self, documents: Iterable[tuple[Hashable, Added]]) -> None:
        """Add documents, those without a name by the next numbers."""
        listed = list(documents)
        # Else two threads could give their documents the same number.
        with self._lock:
            named_here = {name for name, document in listed if not document.is_numbered}
            new: dict[Hashable, Added] = {}
            for name, document in listed:
                if document.is_numbered:
                    name = len(self._added) + len(new)
                    while name in self._added or name in new or name in named_here:
                        name += 1
                elif name in new or name in self._added:
                    raise CorefError(
                        f"document {name!r} was added before; expected each document once"
                    )
                new[name] = document
            self._refuse_repeated(new.values())
            # One dictionary goes into another at once: nothing can interrupt it half-way.
            self._added.update(new)

    def _refuse_repeated(self, new: Iterable[Added]) -> None:
        """Refuse documents whose repeats are more than a scorer allows, with those before."""
        repeated = sum(document.repeated for document in new)
        # Those before are asked only now: for each document anew, that would take n² steps.
        if self._asked.bundle and repeated:
            before = sum(document.repeated for document in self._added.values())
            self._asked.bundle.refuse_repeated(before + repeated)

    def compute(self) -> Report:
        """Return the report of all documents that were added; adding more does not change it.

        Warns as `evaluate` does if key and response share no mention, or few.
        """
        asked, added = self._asked, dict(self._added)
        apart = SidesApart()
        tables: dict[Conventions, dict[Hashable, Tables]] = {by: {} for by in asked.choices}
        for name, document in added.items():
            apart = apart.with_more(document.apart)
            for choice, of_document in document.tables.items():
                tables[choice][name] = of_document
        if asked.bundle:
            apart.warn_of_few()
        else:
            apart.warn()
        keys = {name: document.key for name, document in added.items()}
        return Report(tables, asked.metrics, asked.choice, asked.note, keys.copy)

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer; those without names are numbered on.

        Raises `CorefError`, and adds nothing, for other measures or conventions, for a name that
        both have, and for the scorer itself.

        >>> one, other = Scorer("muc"), Scorer("muc")
        >>> one.update("{a b}", "{a b}")
        >>> other.update("{c d}", "{c} {d}")
        >>> one.merge(other)
        >>> one.compute()["muc"]
        recall 1/2, precision 1, f1 2/3
        """
        expect(Scorer, "a Scorer", other)
        if other is self:
            raise CorefError("a scorer cannot be merged with itself: its documents are in both")
        if other._asked != self._asked:
            raise CorefError("expected a scorer of the same measures and conventions")
        self._put(dict(other._added).items())


def _new_lock() -> Any:
    from threading import RLock  # whoever scores files needs none

    return RLock()


def _expect_hashable(name: Hashable) -> None:
    try:
        hash(name)
    except TypeError:
        raise CorefError(
            f"document {shortened(name)}: expected a name that is hashable, such as a text"
        ) from None


def _of_each(what: str, given: Any) -> list[Any]:
    """The keys, or the responses, of documents; a `Partition` is that of one."""
    if isinstance(given, Partition):
        raise CorefError(f"expected {what} of several documents, got one Partition: use update")
    return items(f"{what}, one for each document", given)
