"""Measures by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

from corefeval.contingency import Contingency, OfTable
from corefeval.conventions import OF_A_CORPUS, OF_FILES, Conventions
from corefeval.errors import CorefError, expect, expect_two, items, named
from corefeval.partition import Mention, Partition, as_lists, as_partition
from corefeval.repeats import REPEATS
from corefeval.score import Counts, Pair, Score, Tally
from corefeval.twinless import POLICIES

Tables = tuple[Contingency, ...]
"""The table that recall is counted in, that for precision, and, where mentions are repeated, one
for the measures that do not count the two apart."""


class Measure(NamedTuple):
    """A registered measure: what it counts in an overlap table, and where it is defined."""

    name: str
    title: str
    cite: str
    formula: Callable[..., Any]
    pooled: bool
    of: tuple[str, ...] = ()

    def counts(
        self,
        table: Contingency,
        for_precision: Contingency | None = None,
        shared: Contingency | None = None,
    ) -> Counts:
        """What the measure counts in ``table``, or in that for recall and another for precision.

        A measure that returns a `Tally` defines recall; its precision is the same formula with
        key and response exchanged (Vilain et al. 1995: figure and ground switched). Any other
        counts in the table ``shared``, if there is one.

        Raises `CorefError` for two tables and a measure that does not tell recall from precision.
        """
        tables = (table, for_precision or table, *([shared] if shared else []))
        return count_all([Metric.of(self, Conventions())], lambda choice: tables)[self.name]

    def _of_tables(
        self,
        for_recall: Contingency,
        for_precision: Contingency,
        shared: Contingency | None = None,
    ) -> Counts:
        counted = self.formula(shared or for_recall)
        if isinstance(counted, Tally):
            recall = self.formula(for_recall) if shared else counted
            return Pair(recall, self.formula(for_precision.T))
        if shared or for_precision is for_recall:
            return cast(Counts, counted)
        if not hasattr(counted, "with_precision_of"):
            raise CorefError(
                "it does not count recall and precision apart, as this choice of twinless needs; "
                "expected keep, complete, rahman_ng, shared_task or key_completed"
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
    return [find(name) for name in names_of(metrics)]


def names_of(metrics: str | Iterable[str]) -> list[str]:
    """The names that are asked for, suites taken apart, each once."""
    names = [metrics] if isinstance(metrics, str) else items("names of measures", metrics)
    suites = {**SUITES, "all": tuple(MEASURES)}
    found: dict[str, None] = {}
    for name in names:
        if not isinstance(name, str):
            find(name)  # refuses it
        found |= dict.fromkeys(suites.get(name, (name,)))
    return list(found)


def overlap(key: Any, response: Any, choice: Conventions) -> Tables:
    """The tables of a key and a response by the conventions: see `Tables`."""
    expect_two(key, response)
    nothing_repeated = isinstance(key, Partition) and isinstance(response, Partition)
    if nothing_repeated or choice.repeated not in REPEATS:
        t = Contingency.of(_side("key", key, choice), _side("response", response, choice))
        return POLICIES[choice.twinless](t)
    choice.refuse(["twinless"], f"and repeated={choice.repeated!r} do not go together")
    sides = (_lists("key", key, choice), _lists("response", response, choice))
    return REPEATS[choice.repeated](*sides)


def tables_of(table: OfTable, choice: Conventions) -> dict[Hashable, Tables]:
    """The tables of each document of a table in an engine, by the conventions."""
    policy = POLICIES[choice.twinless]
    return {name: policy(_without_singletons(t, choice)) for name, t in table.by_document.items()}


def _without_singletons(table: Contingency, choice: Conventions) -> Contingency:
    for number, side in enumerate(("key", "response")):
        if _drops(side, choice):
            table = table.without("singleton", number)
    return table


def _side(side: str, entities: Any, choice: Conventions) -> Partition:
    with named(side):
        partition = as_partition(entities, repeated=choice.repeated)
    dropped = _drops(side, choice)
    return partition.without_singletons() if dropped else partition


def _lists(side: str, entities: Any, choice: Conventions) -> list[list[Mention]]:
    with named(side):
        listed = as_lists(entities)
    if choice.repeated == "once_each":
        listed = [list(dict.fromkeys(entity)) for entity in listed]
    return [entity for entity in listed if len(entity) > 1 or not _drops(side, choice)]


def _drops(side: str, choice: Conventions) -> bool:
    return choice.singletons in ("drop", f"drop_{side}")


class Metric(NamedTuple):
    """A measure with its conventions, ready to be called; see `metric`."""

    measure: Measure
    conventions: Conventions
    parts: tuple[Metric, ...] = ()
    """The measures that an average is of."""

    @classmethod
    def of(cls, measure: Measure, choice: Conventions) -> Metric:
        """The measure, and all that it is of, by these conventions."""
        return cls(measure, choice, tuple(cls.of(find(name), choice) for name in measure.of))

    def __call__(self, key: Any, response: Any) -> Score:
        return self.of_tables(overlap(key, response, self.conventions))

    def of_table(self, table: Contingency) -> Score:
        """The score of a table that is made already, of label arrays say.

        Raises `CorefError` for what is no `Contingency`.

        >>> metric("muc").of_table(Contingency.from_labels([1, 1, 2], [1, 1, 1]))
        recall 1, precision 1/2, f1 2/3
        """
        expect(Contingency, "a Contingency", table)
        table = _without_singletons(table, self.conventions)
        return self.of_tables(POLICIES[self.conventions.twinless](table))

    def of_tables(self, tables: Tables) -> Score:
        """The score of a document's tables by the conventions."""
        return self.measure.counts(*tables).score(settled(self.conventions, [tables]))


def of_all(measures: Iterable[Measure], choice: Conventions) -> list[Metric]:
    """Measures by the same conventions."""
    return [Metric.of(each, choice) for each in measures]


def settled(choice: Conventions, documents: Iterable[Tables]) -> Conventions:
    """The choice with ``zero="same"`` settled: 1 if key and response are the same, else 0."""
    if choice.zero != "same":
        return choice
    same = all(t.same_sides and u.same_sides for t, u, *_ in documents)
    return choice.but(zero="one" if same else "zero")


def count_all(
    metrics: Iterable[Metric], tables: Callable[[Conventions], Tables]
) -> dict[str, Counts]:
    """What each measure counts in the tables that its conventions give, by its name.

    Nothing is counted twice.
    """
    found: dict[str, Counts] = {}

    def counts(each: Metric) -> Counts:
        name = each.measure.name
        if name not in found:
            with named(f"measure {name}"):
                found[name] = (
                    each.measure.formula(*map(counts, each.parts))
                    if each.parts
                    else each.measure._of_tables(*tables(each.conventions))
                )
        return found[name]

    return {each.measure.name: counts(each) for each in metrics}


def metric(name: str, **chosen: str) -> Metric:
    """The measure ``name`` as a function of a key and a response.

    Key and response are each a `Partition`, an iterable of iterables of hashable mentions, or the
    notation ``"{a b} {c}"``. The score has ``.recall``, ``.precision`` and ``.f1`` as exact
    fractions, ``.value`` is the one number of any measure, F1 where it has one, and ``.counts``
    are the numbers that they come from.
    Keywords choose conventions (see `corefeval.conventions.CHOICES`); the defaults are the
    reference scorer's.

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
    return Metric.of(find(name), choice)
