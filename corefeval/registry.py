"""Measures by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.errors import CorefError, expect, expect_two, items
from corefeval.partition import Partition, as_partition
from corefeval.score import Counts, Pair, Score, Tally
from corefeval.twinless import POLICIES, Tables


class Measure(NamedTuple):
    """A registered measure: what it counts in an overlap table, and where it is defined."""

    name: str
    title: str
    cite: str
    formula: Callable[..., Any]
    pooled: bool
    of: tuple[str, ...] = ()

    def counts(self, table: Contingency, for_precision: Contingency | None = None) -> Counts:
        """What the measure counts in ``table``, or in that for recall and another for precision.

        A measure that returns a `Tally` defines recall; its precision is the same formula with
        key and response exchanged (Vilain et al. 1995: figure and ground switched).

        Raises `CorefError` for two tables and a measure that does not tell recall from precision.
        """
        return count_all([self], table, for_precision or table)[self.name]

    def _of_tables(self, table: Contingency, for_precision: Contingency) -> Counts:
        counted = self.formula(table)
        if isinstance(counted, Tally):
            return Pair(counted, self.formula(for_precision.T))
        if for_precision is table:
            return cast(Counts, counted)
        if not hasattr(counted, "with_precision_of"):
            raise CorefError(
                f"measure {self.name} does not count recall and precision apart, as this choice of "
                "twinless needs; expected keep, complete or rahman_ng"
            )
        return cast(Counts, counted.with_precision_of(self.formula(for_precision)))


MEASURES: dict[str, Measure] = {}
"""Every measure by name, in the order of the book's chapters."""

SUITES = {"standard": ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")}
"""Sets of measures by name; ``"all"`` is every one."""

Formula = TypeVar("Formula", bound=Callable[..., Any])


def measure(
    name: str, *, title: str, cite: str, pooled: bool = True, of: tuple[str, ...] = ()
) -> Callable[[Formula], Formula]:
    """Register the decorated function of a contingency table under ``name``.

    It returns a `Tally` (see `Measure.counts`) or counts of its own. ``title`` is for people,
    ``cite`` the key of its paper in the book's bibliography. ``pooled`` says that the counts of
    several documents add up to those of their `Contingency.union`, which may be counted instead.
    A formula ``of`` other measures takes their counts in place of the table.
    """

    def register(formula: Formula) -> Formula:
        MEASURES[name] = Measure(name, title, cite, formula, pooled, of)
        return formula

    return register


def count_all(
    measures: Iterable[Measure], table: Contingency, for_precision: Contingency
) -> dict[str, Counts]:
    """What each measure counts in these tables, by its name; nothing is counted twice."""
    found: dict[str, Counts] = {}

    def counts(each: Measure) -> Counts:
        if each.name not in found:
            found[each.name] = (
                each.formula(*(counts(find(name)) for name in each.of))
                if each.of
                else each._of_tables(table, for_precision)
            )
        return found[each.name]

    return {each.name: counts(each) for each in measures}


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


def select(metrics: str | Iterable[str]) -> list[Measure]:
    """The measures of a suite, of one name, or of several names.

    >>> [measure.name for measure in select(["muc", "mentions"])]
    ['muc', 'mentions']
    """
    names = [metrics] if isinstance(metrics, str) else items("names of measures", metrics)
    suites = {**SUITES, "all": tuple(MEASURES)}
    found: dict[str, Measure] = {}
    for name in names:
        for each in suites[name] if isinstance(name, str) and name in suites else (name,):
            found[each] = find(each)
    return list(found.values())


def overlap(key: Any, response: Any, chosen: Conventions) -> Tables:
    """The overlap tables of two partitions for recall and for precision, by the conventions."""
    expect_two(key, response)
    table = Contingency.of(_side("key", key, chosen), _side("response", response, chosen))
    return POLICIES[chosen.twinless](table)


def _side(side: str, entities: Any, chosen: Conventions) -> Partition:
    try:
        partition = as_partition(entities, repeated=chosen.repeated)
    except CorefError as error:
        raise CorefError(f"{side}: {error}") from error
    return partition.without_singletons() if chosen.singletons == "drop" else partition


class Metric(NamedTuple):
    """A measure with its conventions, ready to be called; see `metric`."""

    measure: Measure
    conventions: Conventions

    def __call__(self, key: Any, response: Any) -> Score:
        tables = overlap(key, response, self.conventions)
        return self.measure.counts(*tables).score(self.conventions)

    def of_table(self, table: Contingency) -> Score:
        """The score of a table that is made already, of label arrays say.

        Raises `CorefError` for what is no `Contingency`, and if singletons are to be dropped: that
        is for whoever makes the table.

        >>> metric("muc").of_table(Contingency.from_labels([1, 1, 2], [1, 1, 1]))
        recall 1, precision 1/2, f1 2/3
        """
        expect(Contingency, "a Contingency", table)
        if self.conventions.singletons == "drop":
            raise CorefError("singletons cannot be dropped from a table: leave them out of it")
        tables = POLICIES[self.conventions.twinless](table)
        return self.measure.counts(*tables).score(self.conventions)


def metric(name: str, **chosen: str) -> Metric:
    """The measure ``name`` as a function of a key and a response.

    Key and response are each a `Partition`, an iterable of iterables of hashable mentions, or the
    notation ``"{a b} {c}"``. The score has ``.recall``, ``.precision`` and ``.f1`` as exact
    fractions, ``.value`` is the one number of any measure, F1 where it has one, and ``.counts``
    are the numbers that they come from.
    Keywords choose conventions (see `corefeval.conventions.CHOICES`); the defaults are the
    reference scorer's.

    Raises `CorefError` for an unknown measure or convention and for a key or response that is
    no partition.

    >>> muc = metric("muc")
    >>> muc("{A B C} {D E F G}", "{A B} {C D} {F G H}")
    recall 2/5, precision 1/2, f1 4/9
    >>> muc([[1, 2], [3]], [[1], [2], [3]])
    recall 0, precision 0, f1 0
    >>> metric("muc", zero="one")([[1, 2], [3]], [[1], [2], [3]])
    recall 0, precision 1, f1 0
    """
    return Metric(find(name), Conventions(**chosen))
