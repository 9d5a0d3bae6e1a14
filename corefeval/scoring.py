"""Scoring a key and a response: a measure with its conventions, and the tables that these make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, Unpack, cast

from corefeval.conventions import OF_A_CORPUS, OF_FILES, Chosen, Conventions
from corefeval.errors import CorefError, expect_two, named
from corefeval.overlap.contingency import KEY, RESPONSE, SIDES, Contingency, Names, Tables
from corefeval.overlap.no_overlap import SidesApart
from corefeval.overlap.partition import ByName, Partition, as_lists, as_partition, by_name
from corefeval.overlap.repeats import REPEATS, ListsByName
from corefeval.overlap.twinless import POLICIES
from corefeval.registry import Measure, find
from corefeval.score import Counts, Score

DROPPED = {"keep": (), "drop": (KEY, RESPONSE), "drop_response": (RESPONSE,)}


def _nearly_empty(t: Contingency) -> bool:
    """Whether the key has at most one mention, and the response at most one entity.

    If both have one mention alone, it must be the same.
    """
    if t.key_mentions == t.T.key_mentions == 1:
        return t.same_sides
    return t.key_mentions <= 1 and t.T.key_entities <= 1


ONE_BY_SIDES: dict[str, Callable[[Contingency], bool]] = {
    "same": attrgetter("same_sides"),
    "listed": attrgetter("same_order"),
    "few": _nearly_empty,
}
"""By choice of ``zero`` that depends on the sides of a table: whether 0/0 is 1 for that table."""


Entities = Partition | ListsByName
"""The entities of a side: a partition or, if either side repeats a mention, lists by name."""
Corpus = Mapping[Any, Any]
"""One side of each document, by the document's name."""


# One document


class Sides(NamedTuple):
    """A document as its key and its response."""

    key: Any
    response: Any

    def read(self, choice: Conventions) -> Sides:
        """Both as what can be looked at twice, a `Partition` or lists of mentions."""
        if choice.repeated not in REPEATS:
            return Sides(*sides_of(self.key, self.response, choice))
        expect_two(self.key, self.response)
        return Sides(*_each_side(self.key, self.response, _listed))

    def tables(self, choice: Conventions) -> Tables:
        """The tables of the document by the conventions."""
        return overlap_of(sides_of(self.key, self.response, choice), choice)

    def shared(self, name: Hashable) -> SidesApart:
        """What both have in common, of a document of this name."""
        return SidesApart.of_document(name, self)

    def warn_of_one(self) -> None:
        """Warn if no mention can meet another, where there are no other documents."""
        self.shared("").warn_of_one()

    @property
    def of_key(self) -> Any:
        """What tells the key from others; a report keeps it, and lets the response go."""
        return self.key


class Counted(NamedTuple):
    """A document as a table of both sides, whose mentions are counted."""

    table: Contingency

    def read(self, choice: Conventions) -> Counted:
        """Itself: it can be looked at twice."""
        return self

    def tables(self, choice: Conventions) -> Tables:
        """The tables that it becomes by the conventions."""
        return tables_of(self.table, choice)

    def shared(self, name: Hashable) -> SidesApart:
        """What its sides have in common."""
        return SidesApart.of_table(self.table)

    def warn_of_one(self) -> None:
        """Do nothing: the rows of a table say which mentions meet."""

    @property
    def of_key(self) -> Contingency:
        """What tells the key from others: the table, as far as it can."""
        return self.table


Document = Sides | Counted


def document_of(key: Any, response: Any) -> Document:
    """What is scored: a key and a response, or a table of both in the place of the key."""
    if isinstance(key, Contingency) or isinstance(response, Contingency):
        expect_alone(response)
        return Counted(key)
    return Sides(key, response)


def _listed(side: Any) -> Any:
    return side if isinstance(side, (Partition, ByName)) else as_lists(side)


def _each_side(key: Any, response: Any, read: Callable[[Any], Any]) -> list[Any]:
    """Read both sides with one function; an error says which side it is about."""
    both = []
    for name, side in zip(SIDES, (key, response), strict=True):
        with named(name):
            both.append(read(side))
    return both


def expect_alone(response: object) -> None:
    """Refuse what stands beside a table."""
    if response is not None:
        raise CorefError(
            "a table has both sides: expected it alone, without a response; measures are named by "
            "metrics="
        )


def sides_of(key: Any, response: Any, choice: Conventions) -> tuple[Entities, Entities]:
    """Both sides by the convention on repeated mentions."""
    if isinstance(key, Partition) and isinstance(response, Partition):
        return key, response
    if isinstance(response, Contingency):
        expect_alone(response)
    expect_two(key, response)
    if choice.repeated in REPEATS:
        return _with_repeats(key, response, choice)
    key, response = _each_side(key, response, partial(as_partition, repeated=choice.repeated))
    return key, response


def _with_repeats(key: Any, response: Any, choice: Conventions) -> tuple[Entities, Entities]:
    """Both sides by a choice for repeated mentions that concerns both.

    Where mentions are repeated, singletons are dropped here, before mentions are looked up in them.
    """
    # A policy works on the table of two partitions; lists with repeats make tables of their own.
    choice.refuse(["twinless"], f"and repeated={choice.repeated!r} do not go together")
    sides = _each_side(key, response, by_name)
    if choice.repeated == "once_each":
        for side in sides:
            side.update((name, list(dict.fromkeys(entity))) for name, entity in side.items())
    # Without repeats these are partitions, which go the usual way.
    of_key, of_response = map(Partition.once, sides)
    if of_key is not None and of_response is not None:
        return of_key, of_response
    for place in DROPPED[choice.singletons]:
        sides[place] = {name: entity for name, entity in sides[place].items() if len(entity) > 1}
    return sides[KEY], sides[RESPONSE]


def overlap_of(
    sides: tuple[Entities, Entities], choice: Conventions, names: Names | None = None
) -> Tables:
    """The tables of sides that the convention on repeated mentions has made.

    Entities of partitions keep their ``names``, if they are given; those of lists have their own.
    """
    key, response = sides
    if isinstance(key, Partition) and isinstance(response, Partition):
        return tables_of(Contingency.of(key, response, names), choice)
    return REPEATS[choice.repeated](cast(ListsByName, key), cast(ListsByName, response))


def tables_of(table: Contingency, choice: Conventions) -> Tables:
    """The tables that a table becomes by the conventions ``singletons`` and ``twinless``."""
    for side in DROPPED[choice.singletons]:
        table = table.without("singleton", side)
    tables = POLICIES[choice.twinless](table)
    # A sentence for a paper counts the mentions as they were.
    return tables if choice.twinless == "keep" else tables._replace(before=table)


def sides_alike(tables: Tables, choice: Conventions) -> bool:
    """Whether 0/0 counts as 1 for these tables; False unless ``zero`` depends on the sides."""
    if choice.zero not in ONE_BY_SIDES:
        return False
    alike = ONE_BY_SIDES[choice.zero]
    return alike(tables.recall) and alike(tables.precision)


# The documents of a corpus

Documents = Mapping[Hashable, Document]
"""What is scored, by name."""


def paired(key: Corpus, response: Corpus, missing: str) -> dict[Hashable, Sides]:
    """Both sides of each document to score, by the convention ``missing``."""
    names = list(dict.fromkeys([*key, *response]))
    if missing == "skip":
        names = [name for name in key if name in response]
    return {name: Sides(key.get(name, ()), response.get(name, ())) for name in names}


def tables_by(
    documents: Documents, choices: Iterable[Conventions]
) -> dict[Conventions, dict[Hashable, Tables]]:
    """The tables of each document, by conventions."""
    made: dict[Conventions, dict[Hashable, Tables]] = {by: {} for by in choices}
    for name, document in documents.items():
        with named(f"document {name!r}"):
            for by in made:
                made[by][name] = document.tables(by)
    return made


# A measure


class Metric(NamedTuple):
    """A measure with its conventions: a function of a key and a response; see `metric`.

    >>> metric("muc")("{a b c}", "{a b} {c}")
    recall 1/2, precision 1, f1 2/3
    """

    measure: Measure
    conventions: Conventions
    parts: tuple[Metric, ...] = ()
    """The measures that an average is of."""

    @classmethod
    def of(cls, name: str, choice: Conventions) -> Metric:
        """The measure of that name, and all that it is of, by these conventions."""
        measure = find(name)
        return cls(measure, choice, tuple(cls.of(part, choice) for part in measure.parts))

    def __repr__(self) -> str:
        """The measure, as it is printed and as it is typed, and what is not the default."""
        chosen = " ".join(self.conventions.others) or "defaults"
        return f"{self.measure.title} ({self.measure.name}), {chosen}"

    def __call__(self, key: Any, response: Any = None) -> Score:
        document = document_of(key, response).read(self.conventions)
        # `evaluate` and `Scorer` warn of a corpus as a whole; here nobody else would warn.
        document.warn_of_one()
        return self.of_tables(document.tables(self.conventions))

    def counts(self, tables: Mapping[Conventions, Tables]) -> Counts:
        """What the measure counts in the tables of its conventions, an average in its parts'."""
        if self.parts:
            return self.measure.formula(*(part.counts(tables) for part in self.parts))
        return self.measure.counts(tables[self.conventions])

    def of_tables(self, tables: Tables) -> Score:
        """The score of the tables that the conventions make of a table."""
        return self.score(self.measure.counts(tables), tables)

    def score(self, counts: Counts, tables: Tables) -> Score:
        """The score of what is counted in tables; 0/0 is ``"same"`` if their sides are."""
        return self.score_of(counts, sides_alike(tables, self.conventions))

    def score_of(self, counts: Counts, alike: bool) -> Score:
        """The score of counts, where 0/0 may depend on whether the sides are alike."""
        return counts.score(self.conventions.zero_decided(alike))


def metric(name: str, **chosen: Unpack[Chosen]) -> Metric:
    """Choose a measure and its conventions; return it as a function of a key and a response.

    Key and response are each a `Partition`, an iterable of iterables of hashable mentions, or the
    notation ``"{a b} {c}"``. A table, of `corefeval.from_labels` say, takes the place of both. The
    score has ``.recall``, ``.precision`` and ``.f1`` as floats, ``.value`` is the one number of any
    measure, F1 where it has one, ``.exact`` has the same as fractions, and ``.counts`` are the
    numbers that they come from. Keywords choose conventions (see
    `corefeval.conventions.CHOICES`); the defaults are the reference scorer's rules, but that
    damaged input is refused.

    Raises `CorefError` for an unknown measure or convention, for one that concerns several
    documents or files, for a key or response that is no partition, and for a table beside a
    response.

    >>> muc = metric("muc")
    >>> muc, metric("conll", zero="one")
    (MUC (muc), defaults, CoNLL score (conll), zero=one)
    >>> muc("{A B C} {D E F G}", "{A B} {C D} {F G H}")
    recall 2/5, precision 1/2, f1 4/9
    >>> muc([[1, 2], [3]], [[1], [2], [3]])
    recall 0, precision 0, f1 0
    >>> from corefeval import from_labels
    >>> muc(from_labels([1, 1, 2], [1, 1, 1]))
    recall 1, precision 1/2, f1 2/3
    >>> metric("muc", zero="one")([[1, 2], [3]], [[1], [2], [3]])
    recall 0, precision 1, f1 0
    """
    choice = Conventions(**chosen)
    choice.refuse(OF_A_CORPUS, "concerns several documents: pass it to evaluate")
    choice.refuse(OF_FILES, "concerns the reading of files: pass it to evaluate")
    return Metric.of(name, choice)
