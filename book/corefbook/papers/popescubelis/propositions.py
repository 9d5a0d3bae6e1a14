"""Popescu-Belis's thirteen propositions on every key and response of a few mentions.

Scores are F1, or the value of a measure without F1, by the paper's convention for 0/0. The paper
leaves open how ties of XC fall: here they fall by the order of the table, as in the library, but
where responses are ranked they fall in the response's favour (`at_best`), so that no order counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import prod
from typing import Any

from corefbook.papers.popescubelis.exclusive import reachable
from corefeval.conventions import Conventions
from corefeval.measures.core_classes import Exclusive
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.overlap.twinless import completed
from corefeval.registry import MEASURES
from corefeval.score import Score

Holds = Callable[[Contingency], bool]

PAPER = Conventions(zero="one")


# ------------------------------------------------------------------------------- scores


@cache
def full_score(name: str, t: Contingency) -> Score:
    """All that the measure says of the table, 0/0 counting as 1."""
    return MEASURES[name].counts(Tables.alike(t)).score(PAPER)


def score(name: str, t: Contingency) -> Any:
    """F1, or the value of a measure that has no F1."""
    return full_score(name, t).exact.value


def xc_scores(t: Contingency, conventions: Conventions = PAPER) -> list[Score]:
    """What XC gives a table, the worst first, for every way in which its ties can fall.

    >>> t = Contingency({(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}, [2, 2], [2, 2])
    >>> [str(each.exact.f1) for each in xc_scores(t)]
    ['3/8', '1/2']
    """
    mentions = completed(t).key_mentions
    by_tie = [Exclusive(*way, mentions).score(conventions) for way in reachable(t)]
    return sorted(by_tie, key=lambda score: score.exact.f1 or 0)


@cache
def at_best(name: str, t: Contingency, conventions: Conventions = PAPER) -> Score:
    """What the measure gives a table; XC's ties fall in the response's favour."""
    if name == "xc":
        return xc_scores(t, conventions)[-1]
    return MEASURES[name].counts(Tables.alike(t)).score(conventions)


def recall(name: str, t: Contingency) -> Any:
    """Recall; precision is the recall of ``t.T``."""
    return full_score(name, t).exact.recall


def same(t: Contingency) -> bool:
    """Whether key and response are the same partition."""
    return all(n == k == r for n, k, r in t.triples)


# -------------------------------------------------------------------------- PROP.1–13

PROPOSITIONS: dict[str, Holds] = {}
"""Whether each of the paper's thirteen propositions holds for a table."""


def proposition(name: str, *, both_sides: bool = False) -> Callable[[Holds], Holds]:
    """Register a function as a proposition, of recall and, if ``both_sides``, of precision too."""

    def register(holds: Holds) -> Holds:
        PROPOSITIONS[name] = (lambda t: holds(t) and holds(t.T)) if both_sides else holds
        return holds

    return register


def fragments(t: Contingency) -> list[list[int]]:
    """The sizes of the fragments in π(Kᵢ), in ascending order, for each key entity (DEF.1)."""
    by_entity: list[list[int]] = [[] for _ in t.key_sizes]
    for (i, _), n in t.pairs.items():
        by_entity[i].append(n)
    return list(map(sorted, by_entity))


@proposition("PROP.1", both_sides=True)
def fragments_are_at_most_mentions(t: Contingency) -> bool:
    """1 ≤ |π(K)| ≤ |K|"""
    return all(1 <= len(f) <= k for f, k in zip(fragments(t), t.key_sizes, strict=True))


@proposition("PROP.2")
def numerators_are_equal(t: Contingency) -> bool:
    """|E| − Σ |π(K)| = |E| − Σ |σ(R)|, and both are what the measure counts"""
    counted = {t.key_mentions - sum(map(len, fragments(side))) for side in (t, t.T)}
    return counted == {side.hits for side in _tallies("muc", t)}


@proposition("PROP.3")
def muc_is_one_for_the_key_alone(t: Contingency) -> bool:
    """MRS = 1 ⇔ each K is in exactly one R; F = 1 ⇔ MRS = MPS = 1 ⇔ the key"""
    halves = [recall("muc", side) == 1 for side in (t, t.T)]
    whole = full_score("muc", t).exact.f1 == 1
    return halves == [_each_within_one(t), _each_within_one(t.T)] and (
        whole == all(halves) == same(t)
    )


@proposition("PROP.4")
def muc_of_one_entity(t: Contingency) -> bool:
    """P_R = {E} ⇒ MRS = 1 and MPS = (|E| − |P_K|) / (|E| − 1), multiplied out"""
    if t.T.key_entities > 1:
        return True
    mentions = t.key_mentions
    precise = recall("muc", t.T) * (mentions - 1) == mentions - t.key_entities
    return recall("muc", t) == 1 and precise


@proposition("PROP.5", both_sides=True)
def muc_is_bounded(t: Contingency) -> bool:
    """MRS · (|E| − |P_K|) ≥ |E| − |P_K| |P_R|"""
    mentions, entities = t.key_mentions, t.key_entities
    return recall("muc", t) * (mentions - entities) >= mentions - entities * t.T.key_entities


@proposition("PROP.6", both_sides=True)
def b_cubed_is_bounded(t: Contingency) -> bool:
    """|P_K| / |E| ≤ BRS ≤ 1"""
    return Fraction(t.key_entities, t.key_mentions) <= recall("b3", t) <= 1


@proposition("PROP.7", both_sides=True)
def c_is_bounded(t: Contingency) -> bool:
    """CRS · (|E| − |P_K|) ≥ |R_m| − |P_K|, R_m the largest entity of the response"""
    entities = t.key_entities
    return recall("c", t) * (t.key_mentions - entities) >= max(t.response_sizes) - entities


@proposition("PROP.8", both_sides=True)
def c_is_never_above_muc(t: Contingency) -> bool:
    """CRS ≤ MRS, and equal ⇔ all fragments but the largest are singletons"""
    only_singletons = all(n == 1 for sizes in fragments(t) for n in sizes[:-1])
    equal = recall("c", t) == recall("muc", t)
    return recall("c", t) <= recall("muc", t) and equal == only_singletons


@proposition("PROP.9")
def information_balances(t: Contingency) -> bool:
    """H(R) = H(K) − H(K|R) + H(R|K), 0 ≤ H(R|K) ≤ H(R) and 0 ≤ H(K|R) ≤ H(K)"""
    sent, received, loss, accrual = spread(t), spread(t.T), surplus(t.T), surplus(t)
    return received == sent / loss * accrual and 1 <= accrual <= received and 1 <= loss <= sent


@proposition("PROP.10")
def h_is_one_for_the_key_alone(t: Contingency) -> bool:
    """F = 1 ⇔ H(R|K) = H(K|R) = 0 ⇔ P_R = P_K"""
    return (score("h", t) == 1) == (surplus(t) == surplus(t.T) == 1) == same(t)


@proposition("PROP.11")
def where_h_is_zero(t: Contingency) -> bool:
    """F = 0 ⇔ one response entity for several, or several for one, or independent"""
    one_sent, one_received = t.key_entities == 1, t.T.key_entities == 1
    apart = not one_sent and not one_received and _independent(t)
    return (score("h", t) == 0) == (one_sent != one_received or apart)


@proposition("PROP.12")
def independence(t: Contingency) -> bool:
    """Independent ⇔ H(K) = H(K|R) ⇔ H(R) = H(R|K) ⇔ rows proportional ⇔ columns proportional"""
    conditions = {
        _independent(t),
        spread(t) == surplus(t.T),
        spread(t.T) == surplus(t),
        _proportional_rows(t),
        _proportional_rows(t.T),
    }
    return len(conditions) == 1


@proposition("PROP.13", both_sides=True)
def singletons_do_not_count(t: Contingency) -> bool:
    """MRS and CRS are the same without the key's singletons and their mentions"""
    large = without_key_singletons(t)
    return all(recall(name, large) == recall(name, t) for name in ("muc", "c"))


@cache
def spread(t: Contingency) -> Fraction:
    """2^(|E| · H(K)) = |E|^|E| / Π |K|^|K|, a rational number: entropies compare exactly.

    >>> from corefbook.enumeration import tables
    >>> spread(tables(2)[0]), surplus(tables(2)[0].T)
    (Fraction(4, 1), Fraction(4, 1))
    """
    return Fraction(t.key_mentions**t.key_mentions, prod(k**k for k in t.key_sizes))


@cache
def surplus(t: Contingency) -> Fraction:
    """2^(|E| · H(R|K)) = Π (|K| / n)^n over the overlapping pairs."""
    often = t.triples.items()
    return Fraction(
        prod(k ** (n * times) for (n, k, _), times in often),
        prod(n ** (n * times) for (n, _, _), times in often),
    )


@cache
def without_key_singletons(t: Contingency) -> Contingency:
    """The table for E² and P_K²: the key's singletons, and their mentions, are on neither side."""
    kept = [i for i, k in enumerate(t.key_sizes) if k > 1]
    pairs = {(kept.index(i), j): n for (i, j), n in t.pairs.items() if t.key_sizes[i] > 1}
    left = Counter({j: 0 for _, j in pairs})
    for (_, j), n in pairs.items():
        left[j] += n
    columns = list(left)
    return Contingency(
        {(i, columns.index(j)): n for (i, j), n in pairs.items()},
        [t.key_sizes[i] for i in kept],
        list(left.values()),
    )


def _tallies(name: str, t: Contingency) -> tuple[Any, Any]:
    counts: Any = full_score(name, t).counts
    return counts.recall, counts.precision


def _each_within_one(t: Contingency) -> bool:
    """∀K ∃!R: K ⊆ R"""
    holding = Counter(i for (i, _), n in t.pairs.items() if n == t.key_sizes[i])
    return all(holding[i] == 1 for i in range(t.key_entities))


def _matrix(t: Contingency) -> list[list[int]]:
    width = range(t.T.key_entities)
    return [[t.pairs.get((i, j), 0) for j in width] for i in range(t.key_entities)]


def _independent(t: Contingency) -> bool:
    """n |E| = |K| |R| for all pairs of entities, overlapping or not"""
    k, r = t.key_sizes, t.response_sizes
    cells = ((i, j, n) for i, row in enumerate(_matrix(t)) for j, n in enumerate(row))
    return all(n * t.key_mentions == k[i] * r[j] for i, j, n in cells)


def _proportional_rows(t: Contingency) -> bool:
    return all(
        a[x] * b[y] == a[y] * b[x]
        for a, b in combinations(_matrix(t), 2)
        for x, y in combinations(range(len(a)), 2)
    )
