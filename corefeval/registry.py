"""Measures by name, and the tables that they are counted in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce
from operator import add, attrgetter
from typing import Any, NamedTuple, TypeVar

from corefeval.contingency import Contingency
from corefeval.conventions import OF_A_CORPUS, OF_FILES, Conventions
from corefeval.errors import CorefError, expect, expect_two, items, named
from corefeval.partition import Partition, as_lists, as_partition
from corefeval.repeats import REPEATS
from corefeval.score import Counts, Pair, Score, Tally
from corefeval.twinless import POLICIES

SIDES = ("key", "response")
DROPPED = {"keep": (), "drop": (0, 1), "drop_response": (1,)}
"""The numbers of the sides that lose their singletons."""
ALIKE = {"same": attrgetter("same_sides"), "listed": attrgetter("listed_alike")}
"""The choices for 0/0 that depend on the sides of a table, and when they make it 1."""
Tables = tuple[Contingency, ...]
"""A table to count recall in, one for precision, and, where mentions are repeated, one for measures
whose formula does not give a `Tally`."""


class Measure(NamedTuple):
    """A registered measure; see `measure`."""

    name: str
    title: str
    cite: str
    formula: Callable[..., Any]
    pooled: bool
    of: tuple[str, ...] = ()

    def counts(self, *tables: Contingency) -> Counts:
        """What the measure counts in a table, or in several: see `Tables`.

        A formula that gives a `Tally` is that of recall; precision is the same with key and
        response exchanged (Vilain et al. 1995: figure and ground switched).

        Raises `CorefError` for two tables and a measure that does not tell recall from precision.
        """
        if self.of:
            return self.formula(*(find(name).counts(*tables) for name in self.of))
        recall, precision, *shared = tables if tables[1:] else tables * 2
        with named(f"measure {self.name}"):
            counted = self._counted(shared[0] if shared else recall)
            if isinstance(counted, Tally):
                of_recall = self._counted(recall) if shared else counted
                return Pair(of_recall, self._counted(precision.T))
            if shared or precision is recall:
                return counted
            if not hasattr(counted, "with_precision_of"):
                raise CorefError(
                    "it does not count recall and precision apart, as this choice of twinless "
                    "needs; expected keep, complete, rahman_ng, shared_task or key_completed"
                )
            return counted.with_precision_of(self._counted(precision))

    def _counted(self, table: Contingency) -> Any:
        if self.pooled:
            return self.formula(table)
        return reduce(add, map(self.formula, table.documents or [table]))


MEASURES: dict[str, Measure] = {}
"""Every measure by name, in the order of the book's chapters."""

SUITES = {"standard": ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")}
"""Sets of measures by name; ``"all"`` is every one."""

Formula = TypeVar("Formula", bound=Callable[..., Any])


def measure(
    name: str, *, title: str, cite: str, pooled: bool = True, of: tuple[str, ...] = ()
) -> Callable[[Formula], Formula]:
    """Register the decorated function of a contingency table under ``name``.

    It returns a `Tally` (see `Measure.counts`) or counts of its own; if it is ``of`` other
    measures, it takes their counts in place of the table. ``title`` is for people, ``cite`` the key
    of its paper in the book's bibliography. Unless ``pooled``, it is not called for a
    `Contingency.union`, but for each of its documents, and the counts are added.
    """

    def register(formula: Formula) -> Formula:
        MEASURES[name] = Measure(name, title, cite, formula, pooled, of)
        return formula

    return register


def find(name: str) -> Measure:
    """The measure of that name.

    >>> find("muk")
    Traceback (most recent call last):
    corefeval.errors.CorefError: there is no measure 'muk'; did you mean muc?
    """
    if not isinstance(name, str) or name not in MEASURES:
        from difflib import get_close_matches  # only for the message

        near = get_close_matches(str(name).lower(), MEASURES)
        hint = f"did you mean {' or '.join(near)}?" if near else f"expected {', '.join(MEASURES)}"
        raise CorefError(f"there is no measure {name!r}; {hint}")
    return MEASURES[name]


def names_of(metrics: str | Iterable[str]) -> list[str]:
    """The measures' names that are asked for, suites taken apart, each once.

    >>> names_of(["conll", "standard"])
    ['conll', 'mentions', 'muc', 'b3', 'ceafm', 'ceafe', 'blanc', 'lea']
    """
    names = [metrics] if isinstance(metrics, str) else items("names of measures", metrics)
    suites = {**SUITES, "all": tuple(MEASURES)}
    found: dict[str, None] = {}
    for name in names:
        if not isinstance(name, str):
            find(name)  # refuses it
        found |= dict.fromkeys(suites.get(name, (name,)))
    return list(found)


def overlap(key: Any, response: Any, choice: Conventions) -> Tables:
    """The tables of a key and a response by the conventions."""
    expect_two(key, response)
    sides: list[Any] = [key, response]
    nothing_repeated = isinstance(key, Partition) and isinstance(response, Partition)
    listed = choice.repeated in REPEATS and not nothing_repeated
    if not nothing_repeated:
        read: Any = as_lists if listed else partial(as_partition, repeated=choice.repeated)
        for number, name in enumerate(SIDES):
            with named(name):
                sides[number] = read(sides[number])
    if choice.repeated == "once_each" and listed:
        sides = [[list(dict.fromkeys(entity)) for entity in entities] for entities in sides]
    for side in DROPPED[choice.singletons]:
        if listed:
            sides[side] = [entity for entity in sides[side] if len(entity) > 1]
        else:
            sides[side] = sides[side].without_singletons()
    if not listed:
        return POLICIES[choice.twinless](Contingency.of(*sides))
    choice.refuse(["twinless"], f"and repeated={choice.repeated!r} do not go together")
    return REPEATS[choice.repeated](*sides)


def tables_of(table: Contingency, choice: Conventions) -> Tables:
    """The tables that a table becomes by the conventions on singletons and twinless mentions."""
    for side in DROPPED[choice.singletons]:
        table = table.without("singleton", side)
    return POLICIES[choice.twinless](table)


class Metric(NamedTuple):
    """A measure with its conventions, ready to be called; see `metric`."""

    measure: Measure
    conventions: Conventions
    parts: tuple[Metric, ...] = ()
    """The measures that an average is of."""

    @classmethod
    def of(cls, name: str, choice: Conventions) -> Metric:
        """The measure of that name, and all that it is of, by these conventions."""
        measure = find(name)
        return cls(measure, choice, tuple(cls.of(part, choice) for part in measure.of))

    def __call__(self, key: Any, response: Any) -> Score:
        return self.of_tables(overlap(key, response, self.conventions))

    def of_table(self, table: Contingency) -> Score:
        """The score of a table that is made already, of label arrays say.

        Raises `CorefError` for what is no `Contingency`.

        >>> from corefeval import from_labels
        >>> metric("muc").of_table(from_labels([1, 1, 2], [1, 1, 1]))
        recall 1, precision 1/2, f1 2/3
        """
        expect(Contingency, "a Contingency", table)
        return self.of_tables(tables_of(table, self.conventions))

    def of_tables(self, tables: Tables) -> Score:
        """The score of the tables that the conventions make of a table."""
        return self.score(self.measure.counts(*tables), tables)

    def score(self, counts: Counts, tables: Tables) -> Score:
        """The score of what is counted in tables; their sides may decide what 0/0 is."""
        choice = self.conventions
        if choice.zero in ALIKE:
            alike = all(map(ALIKE[choice.zero], tables[:2]))
            choice = choice.but(zero="one" if alike else "zero")
        return counts.score(choice)


def metric(name: str, **chosen: str) -> Metric:
    """The measure ``name`` as a function of a key and a response.

    Key and response are each a `Partition`, an iterable of iterables of hashable mentions, or the
    notation ``"{a b} {c}"``. The score has ``.recall``, ``.precision`` and ``.f1`` as exact
    fractions, ``.value`` is the one number of any measure, F1 where it has one, and ``.counts``
    are the numbers that they come from. Keywords choose conventions (see
    `corefeval.conventions.CHOICES`); the defaults are the reference scorer's.

    Raises `CorefError` for an unknown measure or convention, for one that concerns several
    documents or files, and for a key or response that is no partition.

    >>> muc = metric("muc")
    >>> muc("{A B C} {D E F G}", "{A B} {C D} {F G H}")
    recall 2/5, precision 1/2, f1 4/9
    >>> muc([[1, 2], [3]], [[1], [2], [3]])
    recall 0, precision 0, f1 0
    >>> metric("muc", zero="one")([[1, 2], [3]], [[1], [2], [3]])
    recall 0, precision 1, f1 0
    """
    choice = Conventions(**chosen)
    choice.refuse(OF_A_CORPUS, "concerns several documents: pass it to evaluate")
    choice.refuse(OF_FILES, "concerns the reading of files: pass it to evaluate")
    return Metric.of(name, choice)
