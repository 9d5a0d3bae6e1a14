"""Popescu-Belis: the PROPs, the coherence criteria and the comparisons, on all small inputs.

Measures depend on a key and a response through their overlap table alone, so the pairs of
partitions of n mentions are taken up to the names of mentions and the order of entities. Scores
are F1, or the value of a measure without F1, by the paper's convention for 0/0. H is a double:
two scores that differ by less than `TOLERANCE` count as equal, and no two scores up to eight
mentions are near it. Where the order of entities settles a tie of XC, it is the order of the table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import factorial, prod
from string import ascii_lowercase
from typing import Any, TypeAlias

from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.partition import Partition
from corefeval.registry import MEASURES
from corefeval.score import Score

Matrix: TypeAlias = tuple[tuple[int, ...], ...]
Holds = Callable[[Contingency], bool]

PAPER = Conventions(zero="one")
TOLERANCE = 1e-9
COMPARED = ("muc", "b3", "b3_class", "c", "xc", "h", "kappa", "dmt")
TABLE_4 = ("muc", "b3", "kappa", "c", "xc", "h")
"""The measures of the paper's Tables 4 and 7, which its section 6 asks to be unanimous."""


# --------------------------------------------------------------- all pairs of partitions


def canonical(matrix: Matrix) -> Matrix:
    """The same matrix for all orders of rows and of columns.

    >>> canonical(((0, 1), (2, 1))) == canonical(((1, 2), (1, 0)))
    True
    """
    if len(matrix[0]) > len(matrix):
        return _transposed(canonical(_transposed(matrix)))
    orders = permutations(_transposed(matrix))
    return min(tuple(sorted(_transposed(columns), reverse=True)) for columns in orders)


@cache
def connected(mentions: int) -> frozenset[Matrix]:
    """The overlap matrices of that many mentions which no entity of either side falls apart from.

    One mention more goes to a pair of entities, of which one may be new. That reaches every
    matrix: a last mention can be taken from a leaf or from a circle.

    >>> sorted(connected(2))
    [((1,), (1,)), ((1, 1),), ((2,),)]
    """
    if mentions == 1:
        return frozenset([((1,),)])
    return frozenset(
        canonical(_with_one_more(matrix, i, j))
        for matrix in connected(mentions - 1)
        for i in range(len(matrix) + 1)
        for j in range(len(matrix[0]) + (i < len(matrix)))
    )


@cache
def tables(mentions: int) -> tuple[Contingency, ...]:
    """Every key and response on that many mentions, once each: sets of connected matrices.

    >>> [text(t) for t in tables(2)]
    ['{a} {b} | {a b}', '{a b} | {a} {b}', '{a b} | {a b}', '{a} {b} | {a} {b}']
    """
    parts = [(n, matrix) for n in range(mentions, 0, -1) for matrix in sorted(connected(n))]

    def chosen(left: int, start: int) -> Iterator[tuple[Matrix, ...]]:
        if not left:
            yield ()
        for number in range(start, len(parts)):
            n, matrix = parts[number]
            if n <= left:
                yield from ((matrix, *rest) for rest in chosen(left - n, number))

    return tuple(map(_table, chosen(mentions, 0)))


def up_to(mentions: int) -> Iterator[Contingency]:
    """`tables` of 1, 2, … mentions."""
    for n in range(1, mentions + 1):
        yield from tables(n)


def sides(t: Contingency) -> tuple[Partition, Partition]:
    """A key and a response with that table.

    >>> sides(tables(3)[1])
    (Partition('{a b} {c}'), Partition('{a} {b c}'))
    """
    pairs = [pair for pair, n in t.pairs.items() for _ in range(n)]
    named = list(zip(ascii_lowercase, pairs, strict=False))
    key, response = (Partition.from_labels({m: p[side] for m, p in named}) for side in (0, 1))
    return key, response


def text(t: Contingency) -> str:
    """Key | response."""
    return " | ".join(map(str, sides(t)))


def _transposed(rows: Iterable[Sequence[int]]) -> Matrix:
    return tuple(zip(*rows, strict=True))


def _with_one_more(matrix: Matrix, i: int, j: int) -> Matrix:
    """One mention more in row i and column j, either of which may be new."""
    height, width = max(len(matrix), i + 1), max(len(matrix[0]), j + 1)
    rows = [[*row, 0][:width] for row in (*matrix, (0,) * len(matrix[0]))][:height]
    rows[i][j] += 1
    return tuple(map(tuple, rows))


def _table(matrices: Iterable[Matrix]) -> Contingency:
    """The table with these matrices along its diagonal."""
    pairs: dict[tuple[int, int], int] = {}
    key_sizes: list[int] = []
    response_sizes: list[int] = []
    for matrix in matrices:
        i, j = len(key_sizes), len(response_sizes)
        pairs |= {(i + x, j + y): n for x, row in enumerate(matrix) for y, n in enumerate(row) if n}
        key_sizes += map(sum, matrix)
        response_sizes += map(sum, _transposed(matrix))
    return Contingency(pairs, key_sizes, response_sizes)


# ------------------------------------------------------------------------------- scores


@cache
def scores(name: str, t: Contingency) -> Score:
    """All that the measure says of the table, 0/0 counting as 1."""
    return MEASURES[name].counts(t).score(PAPER)


def score(name: str, t: Contingency) -> Any:
    """F1, or the value of a measure that has no F1."""
    whole = scores(name, t)
    return whole.f1 if whole.value is None else whole.value


def recall(name: str, t: Contingency) -> Any:
    """Recall; precision is the recall of ``t.T``."""
    return scores(name, t).recall


def same(t: Contingency) -> bool:
    """Whether key and response are the same partition."""
    return all(n == k == r for n, k, r in t.cells)


# -------------------------------------------------------------------------- PROP.1–13

PROPOSITIONS: dict[str, Holds] = {}
"""Whether each of the paper's thirteen propositions holds for a table."""


def proposition(name: str, *, both_sides: bool = False) -> Callable[[Holds], Holds]:
    """Register; ``both_sides`` where what is written about recall is meant of precision too."""

    def register(holds: Holds) -> Holds:
        PROPOSITIONS[name] = (lambda t: holds(t) and holds(t.T)) if both_sides else holds
        return holds

    return register


def exceptions(holds: Holds, mentions: int) -> list[Contingency]:
    """The tables up to that many mentions for which a statement fails, smallest first.

    >>> exceptions(PROPOSITIONS["PROP.2"], 4)
    []
    """
    return [t for t in up_to(mentions) if not holds(t)]


def fragments(t: Contingency) -> list[list[int]]:
    """The sizes of the fragments in π(Kᵢ), in ascending order, for each key entity (DEF.1)."""
    found: list[list[int]] = [[] for _ in t.key_sizes]
    for (i, _), n in t.pairs.items():
        found[i].append(n)
    return list(map(sorted, found))


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
    whole = scores("muc", t).f1 == 1
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


def spread(t: Contingency) -> Fraction:
    """exp(|E| · H(K)) = |E|^|E| / Π |K|^|K|, a rational number: entropies compare exactly.

    >>> spread(tables(2)[0]), surplus(tables(2)[0].T)
    (Fraction(4, 1), Fraction(4, 1))
    """
    return Fraction(t.key_mentions**t.key_mentions, prod(k**k for k in t.key_sizes))


def surplus(t: Contingency) -> Fraction:
    """exp(|E| · H(R|K)) = Π (|K| / n)^n over the overlapping pairs."""
    return prod(
        (Fraction(k, n) ** (n * times) for (n, k, _), times in t.cells.items()), start=Fraction(1)
    )


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
    counts: Any = scores(name, t).counts
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


# ------------------------------------------------------------- mentions on one side only


def with_twinless(mentions: int) -> Iterator[Contingency]:
    """Tables on that many mentions of either side, of which some are on one side only.

    Every one comes from its completion (DEF.19) by taking singletons back, a mention at a time.

    >>> [f"{len(t.pairs)} {t.key_sizes} {t.response_sizes}" for t in with_twinless(2)][:3]
    ['1 [1] [2]', '1 [1] [2]', '0 [] [2]']
    """
    for t in tables(mentions):
        single = [(pair, 0) for pair in t.pairs if t.key_sizes[pair[0]] == 1]
        single += [(pair, 1) for pair in t.pairs if t.response_sizes[pair[1]] == 1]
        for count in range(1, len(single) + 1):
            for taken in combinations(single, count):
                if len({pair for pair, _ in taken}) == count:
                    yield _taken_back(t, dict(taken))


def as_printed(t: Contingency) -> Fraction:
    """DEF.5 to the letter, on the key's own mentions: (|E| − Σ |π(K)|) / (|E| − |P_K|)

    A mention that the response lacks is in no fragment. 0/0 is 1.
    """
    total = t.key_mentions - t.key_entities
    return Fraction(t.key_mentions - len(t.pairs), total) if total else Fraction(1)


def _taken_back(t: Contingency, taken: dict[tuple[int, int], int]) -> Contingency:
    """Without these singletons, by pair: of the key (0) or of the response (1)."""
    left = {pair: n for pair, n in t.pairs.items() if pair not in taken}
    gone = [{pair[side] for pair, where in taken.items() if where == side} for side in (0, 1)]
    key = [i for i in range(t.key_entities) if i not in gone[0]]
    response = [j for j in range(t.T.key_entities) if j not in gone[1]]
    return Contingency(
        {(key.index(i), response.index(j)): n for (i, j), n in left.items()},
        [t.key_sizes[i] for i in key],
        [t.response_sizes[j] for j in response],
    )


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


# ---------------------------------------------------------------- how low MUC recall goes


def muc_limit(mentions: int, key_entities: int, response_entities: int) -> Fraction:
    """(|E| − |P_K| |P_R|) / (|E| − |P_K|), the lower limit of recall in PROP.5."""
    return Fraction(mentions - key_entities * response_entities, mentions - key_entities)


def muc_minimum(key_sizes: Sequence[int], response_entities: int) -> Fraction:
    """Σ max(|K| − |P_R|, 0) / Σ (|K| − 1): the least recall of a response with |P_R| entities.

    An entity has at most min(|K|, |P_R|) fragments, and some response gives all of them at once.

    >>> muc_minimum([4, 4, 4], 2), muc_minimum([10, 1, 1], 2)
    (Fraction(2, 3), Fraction(8, 9))
    """
    kept = sum(max(k - response_entities, 0) for k in key_sizes)
    return Fraction(kept, sum(key_sizes) - len(key_sizes))


def muc_precision_minimum(key_sizes: Sequence[int], response_entities: int) -> Fraction:
    """The least precision: the same numerator (PROP.2) over |E| − |P_R|."""
    kept = sum(max(k - response_entities, 0) for k in key_sizes)
    return Fraction(kept, sum(key_sizes) - response_entities)


def better_limit(t: Contingency) -> str:
    """Which proposition gives the higher lower limit of MUC recall: 5, or 7 by way of 8.

    The limits have the same denominator; "neither" where both numerators are at most 0.
    """
    fifth = t.key_mentions - t.key_entities * t.T.key_entities
    seventh = max(t.response_sizes) - t.key_entities
    if max(fifth, seventh) <= 0:
        return "neither"
    return "equal" if fifth == seventh else "PROP.5" if fifth > seventh else "PROP.7"


# ------------------------------------------------------------------- measures compared


def above(one: Any, other: Any) -> bool:
    """Whether the first score is higher, and not only by rounding."""
    return bool(one - other > TOLERANCE)


def once_above(one: str, other: str, mentions: int) -> Contingency | None:
    """The smallest table for which the first measure is above the second, if there is one.

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
class Agreement:
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
def agreement(mentions: int, measures: tuple[str, ...] = TABLE_4) -> Agreement:
    """All keys of that many mentions, and for each all pairs of responses.

    >>> unanimous = agreement(3)
    >>> unanimous.total, unanimous.all_agree, unanimous.contradict
    (50, 20, 9)
    """
    kinds: Counter[str] = Counter()
    contradictions: Counter[tuple[str, str]] = Counter()
    for sizes in _profiles(mentions, mentions):
        keys = _partitions_of(sizes)
        judged = [([score(m, t) for m in measures], n) for t, n in _responses(sizes)]
        kinds["none"] += keys * sum(n * (n - 1) // 2 for _, n in judged)
        for (one, n), (other, m) in combinations(judged, 2):
            signs = _signs(one, other)
            pairs = keys * n * m
            kinds[_kind(signs)] += pairs
            if {1, -1} <= {*signs}:
                ranked = list(zip(measures, signs, strict=True))
                for (a, x), (b, y) in combinations(ranked, 2):
                    contradictions[a, b] += pairs * (x * y < 0)
    return Agreement(kinds["all"], kinds["some"], kinds["none"], kinds["clash"], contradictions)


def contradict(one: Contingency, other: Contingency) -> bool:
    """Whether some of the six measures prefer the first table, and some the second.

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


def _profiles(mentions: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The sizes, in descending order, that the entities of a partition can have."""
    if not mentions:
        yield ()
    for size in range(min(mentions, largest), 0, -1):
        yield from ((size, *rest) for rest in _profiles(mentions - size, size))


def _partitions_of(sizes: Sequence[int]) -> int:
    """How many partitions have these sizes."""
    alike = prod(map(factorial, Counter(sizes).values()))
    return factorial(sum(sizes)) // prod(map(factorial, sizes)) // alike


def _responses(sizes: tuple[int, ...]) -> list[tuple[Contingency, int]]:
    """The tables of all responses to a key with these sizes, and how many responses have each.

    Mention by mention, each in an entity of its own or in one that there is; responses with the
    same entities but for the mentions' names are taken together at once.
    """
    found: Counter[tuple[tuple[int, ...], ...]] = Counter({(): 1})
    for i, size in enumerate(sizes):
        for _ in range(size):
            grown: Counter[tuple[tuple[int, ...], ...]] = Counter()
            for columns, times in found.items():
                for j in range(len(columns) + 1):
                    column = [*(columns[j] if j < len(columns) else (0,) * len(sizes))]
                    column[i] += 1
                    others = (*columns[:j], *columns[j + 1 :])
                    grown[tuple(sorted((*others, tuple(column)), reverse=True))] += times
            found = grown
    return [(_table([_transposed(columns)]), times) for columns, times in found.items()]


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
