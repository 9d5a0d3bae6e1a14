"""Popescu-Belis's coherence criteria, and how the measures compare, on all small inputs.

H is a double: two scores that differ by less than `TOLERANCE` count as equal, and no two scores up
to eight mentions are near it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from companion.enumeration import how_many, profiles, responses, sides, tables, up_to
from companion.popescubelis.propositions import at_best, same, score, scores, xc_scores
from corefeval.contingency import Contingency
from corefeval.registry import MEASURES

TOLERANCE = 1e-9
COMPARED = ("muc", "b3", "b3_class", "c", "xc", "h", "kappa", "dmt")
TABLE_4 = ("muc", "b3", "kappa", "c", "xc", "h")
"""The measures of the paper's Tables 4 and 7, which its section 6 asks to be unanimous."""


# ------------------------------------------------------------------- coherence criteria


def unresolved(t: Contingency) -> bool:
    """Whether the response is nothing but singletons, and wrong."""
    return t.T.key_entities == t.key_mentions and not same(t)


def all_together(t: Contingency) -> bool:
    """Whether the response is one entity, and wrong."""
    return t.T.key_entities == 1 and not same(t)


def no_right_link(t: Contingency) -> bool:
    """Whether no two mentions are rightly together, and the response is not perfect."""
    return max(t.pairs.values()) == 1 and not same(t)


def is_zero(name: str, t: Contingency) -> bool:
    """Whether the measure gives 0, or less: κ does."""
    return bool(score(name, t) <= 0)


CRITERIA: dict[str, Callable[[str, Contingency], bool]] = {
    "1": lambda name, t: (score(name, t) == 1) == same(t),
    "3 crude": lambda name, t: not is_zero(name, t) or unresolved(t) or all_together(t),
    "4 unresolved": lambda name, t: is_zero(name, t) or not unresolved(t),
    "4 together": lambda name, t: is_zero(name, t) or not all_together(t),
    "3 no link": lambda name, t: not is_zero(name, t) or no_right_link(t),
    "4 no link": lambda name, t: is_zero(name, t) or not no_right_link(t),
}
"""What each criterion asks of a measure on one table, by number and by who is the worst."""


@dataclass(frozen=True)
class Verdict:
    """Whether a measure satisfies a criterion, and the smallest example if it does not."""

    criterion: str
    measure: str
    witness: Contingency | None

    def __str__(self) -> str:
        return "yes" if self.witness is None else "no"


def coherence(mentions: int) -> list[Verdict]:
    """Every criterion and every measure over all tables up to that many mentions.

    >>> [str(verdict) for verdict in coherence(3) if verdict.measure == "dmt"]
    ['no', 'yes', 'no', 'no', 'yes', 'no', 'no']
    """
    found = []
    for criterion, asks in CRITERIA.items():
        for name in COMPARED:
            broken = (t for t in up_to(mentions) if not asks(name, t))
            found.append(Verdict(criterion, name, next(broken, None)))
    return [*found, *(Verdict("5", name, no_zero(name, mentions)) for name in COMPARED)]


def no_zero(name: str, mentions: int) -> Contingency | None:
    """The lowest that a key of two mentions or more can get, if that is above 0; smallest key."""
    lowest: dict[tuple[int, ...], Contingency] = {}
    for t in up_to(mentions):
        key = tuple(sorted(t.key_sizes))
        if t.key_mentions > 1 and (key not in lowest or score(name, t) < score(name, lowest[key])):
            lowest[key] = t
    return next((t for t in lowest.values() if not is_zero(name, t)), None)


def lowest_score(name: str, mentions: int) -> Any:
    """The lowest score on exactly that many mentions.

    >>> lowest_score("b3", 4), lowest_score("kappa", 4)
    (Fraction(2, 5), Fraction(-2, 1))
    """
    return min(score(name, t) for t in tables(mentions))


# ------------------------------------------------------------------- measures compared


def above(one: Any, other: Any) -> bool:
    """Whether the first score is higher, and not only by rounding."""
    return bool(one - other > TOLERANCE)


def once_above(one: str, other: str, mentions: int) -> Contingency | None:
    """The smallest table for which the first measure is above the second, if there is one.

    >>> from companion.enumeration import text
    >>> once_above("c", "muc", 5), text(once_above("muc", "c", 5))
    (None, '{a b} {c d} | {a b c d}')
    """
    higher = (t for t in up_to(mentions) if above(score(one, t), score(other, t)))
    return next(higher, None)


def crossing(entities: int) -> Contingency:
    """m entities of m mentions on either side, of which each two share one.

    >>> score("kappa", crossing(2))
    Fraction(-2, 1)
    """
    numbers = range(entities)
    return Contingency(
        {(i, j): 1 for i in numbers for j in numbers}, [entities] * entities, [entities] * entities
    )


def two_merged(size: int, singletons: int) -> Contingency:
    """Two key entities of one size that the response merges, beside singletons."""
    rest = {(2 + i, 1 + i): 1 for i in range(singletons)}
    ones = [1] * singletons
    return Contingency({(0, 0): size, (1, 0): size} | rest, [size, size, *ones], [2 * size, *ones])


def same_muc_other_kappa(mentions: int, *, all_wrong: bool) -> tuple[Contingency, Contingency]:
    """The first two tables with the same |E|, MRS and MPS, and not the same κ.

    ``all_wrong`` admits MRS = MPS = 0.
    """
    seen: dict[tuple[Any, ...], Contingency] = {}
    for t in up_to(mentions):
        found = seen.setdefault((t.key_mentions, *scores("muc", t)[:2]), t)
        if score("kappa", found) != score("kappa", t) and (all_wrong or score("muc", t)):
            return found, t
    raise LookupError(f"none up to {mentions} mentions")


# ----------------------------------------------------------------------------- unanimity


@dataclass(frozen=True)
class Unanimity:
    """How the measures judge all pairs of different responses to one key of n mentions.

    Keys and responses are counted with the names of their mentions. ``contradictions`` counts,
    for two measures, the pairs of responses that one ranks one way and one the other.
    """

    all_agree: int
    some_see_none: int
    none_sees_any: int
    contradict: int
    contradictions: Counter[tuple[str, str]]

    @property
    def total(self) -> int:
        return self.all_agree + self.some_see_none + self.none_sees_any + self.contradict


@cache
def agreement(mentions: int, measures: tuple[str, ...] = TABLE_4) -> Unanimity:
    """All keys of that many mentions, and for each all pairs of responses.

    >>> unanimous = agreement(3)
    >>> unanimous.total, unanimous.all_agree, unanimous.contradict
    (50, 20, 9)
    """
    kinds: Counter[str] = Counter()
    contradictions: Counter[tuple[str, str]] = Counter()
    for sizes in profiles(mentions):
        keys = how_many(sizes)
        judged = [([at_best(m, t).value for m in measures], n) for t, n in responses(sizes)]
        kinds["none"] += keys * sum(n * (n - 1) // 2 for _, n in judged)
        for (one, n), (other, m) in combinations(judged, 2):
            signs = _signs(one, other)
            pairs = keys * n * m
            kinds[_kind(signs)] += pairs
            if {1, -1} <= {*signs}:
                ranked = list(zip(measures, signs, strict=True))
                for (a, x), (b, y) in combinations(ranked, 2):
                    contradictions[a, b] += pairs * (x * y < 0)
    return Unanimity(kinds["all"], kinds["some"], kinds["none"], kinds["clash"], contradictions)


def xc_rates(mentions: int, other: str) -> tuple[Fraction, Fraction]:
    """The least and the greatest share of `agreement`'s pairs in which XC contradicts a measure.

    The least counts the pairs that XC ranks the other way however its ties fall, the greatest
    those that it ranks so in some way to settle them; `agreement` lies between the two.

    >>> [str(share) for share in xc_rates(4, "b3")]
    ['0', '16/175']
    """
    surely = possibly = pairs = 0
    for sizes in profiles(mentions):
        keys = how_many(sizes)
        judged = [(score(other, t), xc_scores(t), n) for t, n in responses(sizes)]
        pairs += keys * sum(n * (n - 1) // 2 for *_, n in judged)
        for (one, xc_one, n), (two, xc_two, m) in combinations(judged, 2):
            pairs += keys * n * m
            if above(one, two) or above(two, one):
                low, high = (xc_one, xc_two) if above(one, two) else (xc_two, xc_one)
                surely += keys * n * m * above(high[0].f1, low[-1].f1)
                possibly += keys * n * m * above(high[-1].f1, low[0].f1)
    return Fraction(surely, pairs), Fraction(possibly, pairs)


def contradict(one: Contingency, other: Contingency) -> bool:
    """Whether some of the six measures prefer the first table, and some the second.

    >>> from companion.enumeration import tables, text
    >>> together, wrong = tables(3)[3], tables(3)[1]
    >>> text(together), text(wrong), contradict(together, wrong)
    ('{a b} {c} | {a b c}', '{a b} {c} | {a} {b c}', True)
    """
    ranked = (tuple(score(name, t) for name in TABLE_4) for t in (one, other))
    return {1, -1} <= {*_signs(*ranked)}


def _signs(one: Iterable[Any], other: Iterable[Any]) -> list[int]:
    """1, 0 or −1 for each measure, as it prefers the first, neither or the second."""
    return [above(a, b) - above(b, a) for a, b in zip(one, other, strict=True)]


def _kind(signs: Sequence[int]) -> str:
    if {1, -1} <= {*signs}:
        return "clash"
    if 0 not in signs:
        return "all"
    return "some" if any(signs) else "none"


# ------------------------------------------------------------------------------- to show


@dataclass(frozen=True)
class Witnesses:
    """The smallest example for every "no", in a table that is folded below its count."""

    verdicts: Sequence[Verdict]

    def rows(self) -> list[dict[str, str]]:
        found = []
        for verdict in self.verdicts:
            if verdict.witness is not None:
                key, response = map(str, sides(verdict.witness))
                shown = _shown(score(verdict.measure, verdict.witness))
                name = MEASURES[verdict.measure].title.partition(" (")[0]
                row = {"criterion": verdict.criterion, "measure": name}
                found.append(row | {"key": key, "response": response, "score": shown})
        return found

    def __str__(self) -> str:
        return f"{len(self.rows())} times no: a smallest example for each"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import pandas

        frame = pandas.DataFrame(self.rows())
        frame["criterion"] = frame["criterion"].mask(
            frame["criterion"] == frame["criterion"].shift(), ""
        )
        table = frame.to_html(border=0, classes="ledger", index=False)
        return f"<details><summary>{self}</summary>{table}</details>"


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, Fraction) else f"{value:.3f}"


def by_criterion(verdicts: Iterable[Verdict]) -> dict[str, dict[str, Verdict]]:
    """The verdicts by criterion and measure."""
    found: defaultdict[str, dict[str, Verdict]] = defaultdict(dict)
    for verdict in verdicts:
        found[verdict.criterion][verdict.measure] = verdict
    return dict(found)
