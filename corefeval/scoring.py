"""Scoring a key and a response: a measure with its conventions, and the tables that these make."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, NamedTuple

from corefeval.contingency import KEY, RESPONSE, SIDES, Contingency, Tables
from corefeval.conventions import OF_A_CORPUS, OF_FILES, Conventions
from corefeval.errors import expect, expect_two, named
from corefeval.partition import Mention, Partition, as_lists, as_partition
from corefeval.registry import Measure, find
from corefeval.repeats import REPEATS
from corefeval.score import Counts, Score
from corefeval.twinless import POLICIES

DROPPED = {"keep": (), "drop": (KEY, RESPONSE), "drop_response": (RESPONSE,)}
"""The sides that lose their singletons."""
ALIKE = {"same": attrgetter("same_sides"), "listed": attrgetter("listed_alike")}
"""The choices for 0/0 that depend on the sides of a table, and when they make it 1."""


def overlap(key: Any, response: Any, choice: Conventions) -> Tables:
    """The tables of a key and a response by the conventions."""
    expect_two(key, response)
    partitions = isinstance(key, Partition) and isinstance(response, Partition)
    if choice.repeated in REPEATS and not partitions:
        return _with_repeats(key, response, choice)
    sides = [key, response]
    if not partitions:
        for side, name in enumerate(SIDES):
            with named(name):
                sides[side] = as_partition(sides[side], repeated=choice.repeated)
    for side in DROPPED[choice.singletons]:
        sides[side] = sides[side].without_singletons()
    return POLICIES[choice.twinless](Contingency.of(*sides))


def _with_repeats(key: Any, response: Any, choice: Conventions) -> Tables:
    """The tables by a choice for repeated mentions that concerns both sides."""
    sides: list[list[list[Mention]]] = []
    for name, given in zip(SIDES, (key, response), strict=True):
        with named(name):
            sides.append(as_lists(given))
    if choice.repeated == "once_each":
        sides = [[list(dict.fromkeys(entity)) for entity in entities] for entities in sides]
    for side in DROPPED[choice.singletons]:
        sides[side] = [entity for entity in sides[side] if len(entity) > 1]
    choice.refuse(["twinless"], f"and repeated={choice.repeated!r} do not go together")
    return REPEATS[choice.repeated](*sides)


def tables_of(table: Contingency, choice: Conventions) -> Tables:
    """The tables that a table becomes by the conventions on singletons and twinless mentions."""
    for side in DROPPED[choice.singletons]:
        table = table.without("singleton", side)
    return POLICIES[choice.twinless](table)


def sides_alike(tables: Tables, choice: Conventions) -> bool:
    """Whether the sides are as a choice for 0/0 wants them; no matter what where none does."""
    if choice.zero not in ALIKE:
        return False
    alike = ALIKE[choice.zero]
    return alike(tables.recall) and alike(tables.precision)


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
        return cls(measure, choice, tuple(cls.of(part, choice) for part in measure.parts))

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
        return self.score(self.measure.counts(tables), tables)

    def score(self, counts: Counts, tables: Tables) -> Score:
        """The score of what is counted in tables; 0/0 is ``"same"`` if their sides are."""
        return self.score_of(counts, sides_alike(tables, self.conventions))

    def score_of(self, counts: Counts, alike: bool) -> Score:
        """The score of counts, where 0/0 may depend on whether the sides are alike."""
        return counts.score(self.conventions.zero_decided(alike))


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
