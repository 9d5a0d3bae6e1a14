"""The measures by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import reduce
from operator import add
from typing import Any, NamedTuple, TypeVar

from corefeval.errors import CorefError, items, meant, named
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.score import Counts, Pair, Tally


class Measure(NamedTuple):
    """A registered measure; see `measure`."""

    name: str
    title: str
    cite: str
    formula: Callable[..., Any]
    pooled: bool
    parts: tuple[str, ...] = ()
    """The measures that an average is of."""

    def counts(self, tables: Tables) -> Counts:
        """What the measure counts in the tables for recall and for precision.

        A formula that gives a `Tally` is that of recall; precision is the same with key and
        response exchanged (Vilain et al. 1995: figure and ground switched).

        Raises `CorefError` for two tables and a measure that does not tell recall from precision.
        """
        if self.parts:
            return self.formula(*(find(name).counts(tables) for name in self.parts))
        with named(f"measure {self.name}"):
            counted = self._counted(tables.recall)
            if isinstance(counted, Tally):
                return Pair(counted, self._counted(tables.precision.T))
            # Other counts have both in one: they need one table, or say how two are put together.
            if tables.both is tables.recall:
                return counted
            if tables.both is not None:
                return self._counted(tables.both)
            if hasattr(counted, "with_precision_of"):
                return counted.with_precision_of(self._counted(tables.precision))
            raise CorefError(
                "it does not count recall and precision apart, as this choice of twinless needs; "
                "choose one that makes one table for both, such as keep or complete"
            )

    def _counted(self, table: Contingency) -> Any:
        if self.pooled:
            return table.once(self.formula)
        return reduce(add, (t.once(self.formula) for t in table.documents or [table]))


MEASURES: dict[str, Measure] = {}
"""Every measure by name, in the order of the book's chapters."""

SUITES = {"standard": ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")}
"""Sets of measures by name; ``"all"`` is every one."""

SPELLINGS = {"bcub": "b3", "bcubed": "b3", "mention": "mentions", "conllaverage": "conll"}
"""What measures are called elsewhere, as `spelled` has it, beside their own names and titles."""

OTHER_NAMES = {
    "homogeneity": "it is the precision of 'h'",
    "completeness": "it is the recall of 'h'",
    "v_measure": "it is the F1 of 'h'",
    "mor": "it compares the words of mentions: two CorefUD files, and --like corefud_official",
    "mention_overlap": "it is 'mor', of two CorefUD files, with --like corefud_official",
    "zero": "it asks which mentions are zeros: two CorefUD files, and --like corefud_official",
    "ceaf": "it is 'ceafm' by mentions, and 'ceafe' by entities, as in the CoNLL score",
    "cluster": "it is 'ceaf1', which counts entities that are the same on both sides",
    "rand": "the Rand index is scikit-learn's (rand_score, adjusted_rand_score); "
    "'pairwise' and 'blanc' count the same links",
}
"""What computes the measures that have other names, or are not here."""

OF_MENTIONS = ("mor", "zero")
"""Measures of two CorefUD files, which a scorer has; see `corefeval.readers.corefud_measures`."""

Formula = TypeVar("Formula", bound=Callable[..., Any])


def measure(
    name: str, *, title: str, cite: str, pooled: bool = True, parts: tuple[str, ...] = ()
) -> Callable[[Formula], Formula]:
    """Register the decorated function of a contingency table under ``name``.

    It returns a `Tally` (see `Measure.counts`) or counts of its own; an average names its
    ``parts``, other measures, and takes their counts in place of the table. ``title`` is for
    people, ``cite`` the key of its paper in the book's bibliography. Unless ``pooled``, it is not
    called for a `Contingency.union`, but for each of its documents, and the counts are added.
    """

    def register(formula: Formula) -> Formula:
        MEASURES[name] = Measure(name, title, cite, formula, pooled, parts)
        return formula

    return register


def find(name: str) -> Measure:
    """The measure of that name, which may be spelled as it is printed or as it is often typed.

    >>> find("CEAFₑ").name, find("B-cubed").name, find("CoNLL score").name
    ('ceafe', 'b3', 'conll')
    >>> find("muk")
    Traceback (most recent call last):
    corefeval.errors.CorefError: there is no measure 'muk'; did you mean muc?
    """
    if not isinstance(name, str):
        raise CorefError(f"there is no measure {name!r}; {meant(name, MEASURES)}")
    if name in MEASURES:
        return MEASURES[name]
    known = SPELLINGS | {spelled(m.title): m.name for m in MEASURES.values()}
    plain = known.get(spelled(name), spelled(name))
    if plain not in MEASURES:
        hint = OTHER_NAMES.get(name.lower()) or meant(name, MEASURES)
        raise CorefError(f"there is no measure {name!r}; {hint}")
    return MEASURES[plain]


def spelled(name: str) -> str:
    """A name without what spellings differ in: case, blanks, signs, raised and lowered letters.

    >>> spelled("B³"), spelled("b_3"), spelled("CEAF-e"), spelled("CEAFₑ")
    ('b3', 'b3', 'ceafe', 'ceafe')
    """
    from unicodedata import normalize  # names are nearly always spelled as they are

    return "".join(filter(str.isalnum, normalize("NFKC", name).casefold()))


def names_of(metrics: str | Iterable[str], own: Collection[str] = ()) -> list[str]:
    """The measures' names that are asked for, suites taken apart, each once.

    ``own`` are names that a scorer has for measures of its own, which are taken as they are.

    >>> names_of("muc, b3")
    ['muc', 'b3']
    >>> names_of(["conll", "standard"])
    ['conll', 'mentions', 'muc', 'b3', 'ceafm', 'ceafe', 'blanc', 'lea']
    """
    suites = {**SUITES, "all": tuple(MEASURES)}
    asked: dict[str, None] = {}
    for name in as_typed(metrics):
        if name in own:
            asked[name] = None
        elif isinstance(name, str) and name in suites:
            asked |= dict.fromkeys(suites[name])
        else:
            asked[find(name).name] = None
    return list(asked)


def as_typed(metrics: str | Iterable[str]) -> list[str]:
    """The names of measures and suites that are asked for, apart at commas, as they were typed."""
    listed = metrics.split(",") if isinstance(metrics, str) else items("measures", metrics)
    names: list[str] = []
    for name in listed:
        names += map(str.strip, name.split(",")) if isinstance(name, str) else [name]
    return names
