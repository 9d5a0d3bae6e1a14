"""Every measure a second time: slow, as sets, straight from the papers.

Nothing is shared with the library: this module must not import it. A key and a response are lists
of frozensets of mentions. A measure counts something in one document (`Oracle.counts`, numbers
that add up over documents) and makes a score of the counts (`Oracle.score`, where 0/0 is
``zero``). All numbers are int or Fraction, but for the logarithms of H.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import fsum, log
from typing import Any, NamedTuple

Mention = Hashable
Entity = frozenset[Mention]
Entities = Sequence[Entity]
Link = tuple[Mention, Mention]
Counts = tuple[Any, ...]


class Scores(NamedTuple):
    """None where a measure has no such part."""

    recall: Fraction | None
    precision: Fraction | None
    f1: Fraction | None
    value: Fraction | None = None


class Oracle(NamedTuple):
    counts: Callable[[Entities, Entities], Counts]
    score: Callable[[Counts, int], Scores]


# ------------------------------------------------------------------- ratios and their mean


def ratio(hits: Fraction | int, total: Fraction | int, zero: int) -> Fraction:
    return Fraction(zero) if total == 0 else Fraction(hits) / Fraction(total)


def f1(recall: Fraction, precision: Fraction) -> Fraction:
    """Popescu-Belis, section 2.3: 2 / (1/r + 1/p), or 0 if r = 0 or p = 0."""
    if recall == 0 or precision == 0:
        return Fraction(0)
    return 2 / (1 / recall + 1 / precision)


def two_ratios(counts: Counts, zero: int) -> Scores:
    recall, precision = ratio(*counts[:2], zero), ratio(*counts[2:], zero)
    return Scores(recall, precision, f1(recall, precision))


def both_ways(recall: Callable[[Entities, Entities], Counts]) -> Oracle:
    """Vilain et al. 1995, "Scoring precision": the same, figure and ground switched.

    Baldwin et al. 1998, Luo 2005, Moosavi and Strube 2016 define precision likewise.
    """
    return Oracle(
        lambda key, response: (*recall(key, response), *recall(response, key)), two_ratios
    )


# -------------------------------------------------------------------------------- measures


def mentions_of(entities: Entities) -> frozenset[Mention]:
    return frozenset(mention for entity in entities for mention in entity)


def mentions(key: Entities, response: Entities) -> Counts:
    """Pradhan et al. 2014, section 3: mention detection, independent of coreference."""
    return len(mentions_of(key) & mentions_of(response)), len(mentions_of(key))


def parts(s: Entity, others: Entities) -> set[Entity]:
    """Vilain et al. 1995: p(S); a mention that the others lack is an implicit singleton."""
    cut = {s & other for other in others if s & other}
    return cut | {frozenset({mention}) for mention in s - mentions_of(others)}


def muc(key: Entities, response: Entities) -> Counts:
    """Vilain et al. 1995, "Computing model-theoretic recall": Σ (c(S) − m(S)) over Σ c(S)."""
    correct = [len(s) - 1 for s in key]
    missing = [len(parts(s, response)) - 1 for s in key]
    return sum(correct) - sum(missing), sum(correct)


def mention_recall(mention: Mention, key: Entities, response: Entities) -> Fraction:
    """Baldwin et al. 1998, Figure 5: what its output chain has right, over its true chain."""
    (truth,) = (entity for entity in key if mention in entity)
    output = next((entity for entity in response if mention in entity), frozenset())
    return Fraction(len(truth & output), len(truth))


def b3(key: Entities, response: Entities) -> Counts:
    """Baldwin et al. 1998, "Final Recall" with w = 1/N: equal weight for every mention."""
    everyone = mentions_of(key)
    return sum(mention_recall(m, key, response) for m in everyone), len(everyone)


def b3_class(key: Entities, response: Entities) -> Counts:
    """Baldwin et al. 1998: equal weight for every class, shared equally by its mentions."""
    weighted = (
        mention_recall(mention, key, response) / len(entity) for entity in key for mention in entity
    )
    return sum(weighted), len(key)


Similarity = Callable[[Entity, Entity], Fraction | int]


def best_alignment(key: Entities, response: Entities, phi: Similarity) -> Fraction | int:
    """Luo 2005: the largest Σ φ of all one-to-one maps, each of them tried."""
    few, many = sorted((key, response), key=len)
    similarity = {(a, b): phi(a, b) for a in few for b in many}
    return max(
        sum(similarity[pair] for pair in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )


def ceaf(phi: Similarity) -> Callable[[Entities, Entities], Counts]:
    """Luo 2005, equations 4 and 5: Φ(g*) over Σ φ(K, K)."""
    return lambda key, response: (best_alignment(key, response, phi), sum(phi(k, k) for k in key))


def phi1(k: Entity, r: Entity) -> int:
    """Luo 2005, φ1: the same entity or nothing."""
    return 1 if k == r else 0


def phi2(k: Entity, r: Entity) -> int:
    """Luo 2005, φ2: any mention in common."""
    return 1 if k & r else 0


def phi3(k: Entity, r: Entity) -> int:
    """Luo 2005, φ3; Pradhan et al. 2014, section 4.3.1: mentions in common."""
    return len(k & r)


def phi4(k: Entity, r: Entity) -> Fraction:
    """Luo 2005, φ4; Pradhan et al. 2014, section 4.3.2: the F-measure of the two sets."""
    return Fraction(2 * len(k & r), len(k) + len(r))


def pairs(mentions: Iterable[Mention]) -> set[frozenset[Mention]]:
    return {frozenset(pair) for pair in combinations(mentions, 2)}


def coreference_links(entities: Entities) -> set[frozenset[Mention]]:
    """Pradhan et al. 2014, section 4.4: C."""
    return {link for entity in entities for link in pairs(entity)}


def other_links(entities: Entities) -> set[frozenset[Mention]]:
    """Pradhan et al. 2014, section 4.4: N, the pairs of mentions that do not corefer."""
    return pairs(mentions_of(entities)) - coreference_links(entities)


def link_sets(key: Entities, response: Entities) -> Counts:
    """Pradhan et al. 2014, section 4.4: common, key's and response's links, in C and in N."""
    sides = [
        (coreference_links(key), coreference_links(response)),
        (other_links(key), other_links(response)),
    ]
    return tuple(n for k, r in sides for n in (len(k & r), len(k), len(r)))


def mean_over_classes(counts: Counts, zero: int, drops: Callable[[int, int], bool]) -> Scores:
    """Luo et al. 2014: the mean over the link classes, but for those that a rule drops."""
    kept = []
    for common, in_key, in_response in (counts[:3], counts[3:]):
        if not drops(in_key, in_response):
            recall, precision = ratio(common, in_key, zero), ratio(common, in_response, zero)
            kept.append((recall, precision, f1(recall, precision)))
    if not kept:
        return Scores(Fraction(zero), Fraction(zero), Fraction(zero))
    return Scores(*(sum(parts) / len(kept) for parts in zip(*kept, strict=True)))


def blanc(counts: Counts, zero: int) -> Scores:
    """The reference scorer's rule: a class is dropped when the key has no link of it."""
    return mean_over_classes(counts, zero, lambda in_key, in_response: in_key == 0)


def blanc_both(counts: Counts, zero: int) -> Scores:
    """Later scorers' rule: a class is dropped when neither side has a link of it."""
    return mean_over_classes(counts, zero, lambda in_key, in_response: in_key == in_response == 0)


def pairwise_links(key: Entities, response: Entities) -> Counts:
    """Barnes 2015, section 3: the pairs within clusters that both sides have, over the key's."""
    truth = coreference_links(key)
    return len(truth & coreference_links(response)), len(truth)


def links(entity: Entity) -> set[frozenset[Mention]]:
    """Moosavi and Strube 2016: all pairs; a singleton's only link is the one to itself."""
    return {entity} if len(entity) == 1 else pairs(entity)


def lea(key: Entities, response: Entities) -> Counts:
    """Moosavi and Strube 2016: Σ |K| · (share of K's links that the response has) over Σ |K|."""
    found = {link for entity in response for link in links(entity)}
    shares = [Fraction(len(links(entity) & found), len(links(entity))) for entity in key]
    sizes = [len(entity) for entity in key]
    return sum(s * share for s, share in zip(sizes, shares, strict=True)), sum(sizes)


# -------------------------------------------------------- measures of Popescu-Belis (2000)


def completed(key: Entities, response: Entities) -> tuple[list[Entity], list[Entity]]:
    """DEF.19: the mentions of one side only are singletons of the other."""
    everyone = mentions_of(key) | mentions_of(response)

    def filled(side: Entities) -> list[Entity]:
        return [*side, *(frozenset({m}) for m in sorted(everyone - mentions_of(side), key=repr))]

    return filled(key), filled(response)


def projections(entity: Entity, others: Entities) -> list[Entity]:
    """DEF.1 and DEF.3: the fragments of an entity."""
    return [entity & other for other in others if entity & other]


def agreement(key: Entities, response: Entities) -> Counts:
    """Section 3.3: a, b, c and d, from numerators and denominators of MRS and MPS (DEF.5, 6)."""
    key, response = completed(key, response)
    e = len(mentions_of(key))
    a = e - sum(len(projections(k, response)) for k in key)
    assert a == e - sum(len(projections(r, key)) for r in response)  # PROP.2
    c, b = e - len(key) - a, e - len(response) - a
    return a, b, c, (e - 1 if e else 0) - a - b - c


def kappa(counts: Counts, zero: int) -> Scores:
    """DEF.7"""
    a, b, c, d = counts
    n = a + b + c + d
    if n == 0:
        return Scores(None, None, None, Fraction(zero))
    observed = Fraction(a + d, n)
    by_chance = Fraction((a + c) * (a + b) + (c + d) * (b + d), n * n)
    if by_chance == 1:
        assert observed == 1  # 0/0
    return Scores(None, None, None, ratio(observed - by_chance, 1 - by_chance, zero))


def c(key: Entities, response: Entities) -> Counts:
    """DEF.11 and DEF.13: Σ |c(K)| − |P_K| over |E| − |P_K|."""
    key, response = completed(key, response)
    cores = [max(map(len, projections(k, response))) for k in key]
    return sum(cores) - len(key), len(mentions_of(key)) - len(key)


def exclusive_cores(
    key: Entities, response: Entities, reading: str
) -> Iterator[tuple[Entity, Entity]]:
    """Section 3.5.4: (K, xc*(K)) of those that get one, ties settled by the order given."""
    taken: list[Entity] = []
    for k in sorted(key, key=len, reverse=True):
        left = [r for r in response if r not in taken]
        most = max((len(k & r) for r in (response if reading == "core" else left)), default=0)
        best = [r for r in left if len(k & r) == most > 0]
        if best:
            taken.append(best[0])
            yield k, best[0]


def judged(assigned: Iterable[tuple[Entity, Entity]]) -> tuple[int, int]:
    """The mentions that exclusive cores hold rightly and wrongly."""
    pairs = list(assigned)
    return sum(len(k & r) for k, r in pairs), sum(len(r - k) for k, r in pairs)


def xc(reading: str) -> Callable[[Entities, Entities], Counts]:
    """Section 3.5.4; XRS = correct / |E| and XPS = 1 − incorrect / |E| give Table 3."""

    def counts(key: Entities, response: Entities) -> Counts:
        key, response = completed(key, response)
        e = len(mentions_of(key))
        correct, incorrect = judged(exclusive_cores(key, response, reading))
        return correct, e, e - incorrect, e

    return counts


def xc_reachable(key: Entities, response: Entities, reading: str) -> set[tuple[int, int]]:
    """(correct, incorrect) of every assignment that the algorithm may make: every assignment is
    tried, with every order of the key from the largest to the smallest entity."""
    key, response = completed(key, response)
    options = [[None, *(r for r in response if k & r)] for k in key]
    orders = [
        order
        for order in permutations(range(len(key)))
        if all(len(key[i]) >= len(key[j]) for i, j in pairwise(order))
    ]
    return {
        judged((k, r) for k, r in zip(key, given, strict=True) if r)
        for given in product(*options)
        if any(may_be_given(key, response, given, order, reading) for order in orders)
    }


def may_be_given(key, response, given, order, reading) -> bool:
    """Whether each entity gets what it may have when it comes to its turn."""
    taken: set[Entity] = set()
    for i in order:
        k, r = key[i], given[i]
        offered = response if reading == "core" else [r for r in response if r not in taken]
        most = max((len(k & r) for r in offered), default=0)
        best = {r for r in offered if len(k & r) == most > 0}
        if r is None and best and not best & taken:
            return False
        if r is not None and r not in best - taken:
            return False
        taken |= {r} if r else set()
    return True


def share(entity: Entity, everyone: Entity) -> Fraction:
    return Fraction(len(entity), len(everyone))


def h(key: Entities, response: Entities) -> Counts:
    """|E| · (H(P_R) − H(P_R|P_K)) over |E| · H(P_R): DEF.15, DEF.16 and DEF.17 (HRS).

    Independence is decided by the probabilities themselves: P(K, R) = P(K) · P(R) for all K and R.
    Where each K is in one R, every logarithm of H(P_R|P_K) is log 1 = 0.
    """
    key, response = completed(key, response)
    everyone = mentions_of(key)
    joint = {(k, r): share(k & r, everyone) for k in key for r in response}
    p = {entity: share(entity, everyone) for entity in (*key, *response)}
    entropy = -fsum(p[r] * log(p[r]) for r in response)
    if all(both == p[k] * p[r] for (k, r), both in joint.items()):
        return 0.0, len(everyone) * entropy
    given_key = -fsum(both * log(both / p[k]) for (k, r), both in joint.items() if both)
    return len(everyone) * (entropy - given_key), len(everyone) * entropy


def distance(sizes: Sequence[int], others: Sequence[int]) -> int:
    """Section 3.7: Σ ||Kᵢ| − |Rᵢ||, both sorted and filled up with zeros."""
    length = max(len(sizes), len(others))
    first, second = (
        sorted([*each, *[0] * (length - len(each))], reverse=True) for each in (sizes, others)
    )
    return sum(abs(first[i] - second[i]) for i in range(length))


def dmt(key: Entities, response: Entities) -> Counts:
    """Section 3.7: 1 − distance / "the maximum distance ... (between (17, 0, ..., 0) and
    (1, ..., 1))", which gives Table 3; DEF.18's |E| does not."""
    key, response = completed(key, response)
    e = len(mentions_of(key))
    largest = distance([e], [1] * e)
    return largest - distance([*map(len, key)], [*map(len, response)]), largest


def one_ratio(counts: Counts, zero: int) -> Scores:
    return Scores(None, None, None, ratio(*counts, zero))


class Oracles(dict[str, Oracle]):
    """The oracles by name. Of one that is missing the error says what to write, and where."""

    def __missing__(self, name: str) -> Oracle:
        raise AssertionError(
            f"the measure {name} has no oracle: write in tests/oracle.py, from sets and without "
            "the overlap table, what it counts, and give it a line of ORACLES"
        )


ORACLES = Oracles(
    {
        "mentions": both_ways(mentions),
        "muc": both_ways(muc),
        "b3": both_ways(b3),
        "b3_class": both_ways(b3_class),
        "ceaf1": both_ways(ceaf(phi1)),
        "ceaf2": both_ways(ceaf(phi2)),
        "ceafm": both_ways(ceaf(phi3)),
        "ceafe": both_ways(ceaf(phi4)),
        "blanc": Oracle(link_sets, blanc),
        "blanc_both": Oracle(link_sets, blanc_both),
        "pairwise": both_ways(pairwise_links),
        "lea": both_ways(lea),
        "kappa": Oracle(agreement, kappa),
        "c": both_ways(c),
        "xc": Oracle(xc("core"), two_ratios),
        "xc_free": Oracle(xc("free"), two_ratios),
        "h": both_ways(h),
        "dmt": Oracle(dmt, one_ratio),
    }
)

AVERAGED = ("muc", "b3", "ceafe")


def conll_counts(key: Entities, response: Entities) -> Counts:
    return tuple(ORACLES[name].counts(key, response) for name in AVERAGED)


def conll(counts: Counts, zero: int) -> Scores:
    """Pradhan et al. 2011: the mean F1 of MUC, B³ and CEAF_e."""
    f1s = [two_ratios(each, zero).f1 for each in counts]
    return Scores(None, None, sum(f1s) / 3)


ORACLES["conll"] = Oracle(conll_counts, conll)


def score(name: str, key: Entities, response: Entities, zero: int = 0) -> Scores:
    oracle = ORACLES[name]
    return oracle.score(oracle.counts(key, response), zero)


def added(a: Counts, b: Counts) -> Counts:
    return tuple(added(x, y) if isinstance(x, tuple) else x + y for x, y in zip(a, b, strict=True))


def total(name: str, documents: Mapping[Hashable, tuple[Entities, Entities]], zero=0) -> Scores:
    """The score of the documents' summed counts, as the reference scorer totals them."""
    oracle = ORACLES[name]
    counts = oracle.counts([], [])
    for key, response in documents.values():
        counts = added(counts, oracle.counts(key, response))
    return oracle.score(counts, zero)


# ---------------------------------------------------------------------- twinless mentions

Sides = tuple[Entities, Entities]


def cut(side: Entities, mentions: Entity) -> list[Entity]:
    return [entity & mentions for entity in side if entity & mentions]


def alone(mentions: Iterable[Mention]) -> list[Entity]:
    return [frozenset({mention}) for mention in mentions]


def stoyanov_0(key: Entities, response: Entities) -> tuple[Sides, Sides]:
    return (key, response), (key, cut(response, mentions_of(key)))


def stoyanov_all(key: Entities, response: Entities) -> tuple[Sides, Sides]:
    lost, spurious = twinless(key, response), twinless(response, key)
    return (key, [*response, *alone(lost)]), ([*key, *alone(spurious)], response)


def rahman_ng(key: Entities, response: Entities) -> tuple[Sides, Sides]:
    sides = key, [r for r in response if len(r) > 1 or r & mentions_of(key)]
    return sides, sides


def cai_strube(key: Entities, response: Entities) -> tuple[Sides, Sides]:
    _, pruned = rahman_ng(key, response)[0]
    found = [*pruned, *alone(twinless(key, response))]
    for_recall = key, cut(found, mentions_of(key))
    return for_recall, ([*key, *alone(twinless(found, key))], found)


def shared_task(key: Entities, response: Entities) -> tuple[Sides, Sides]:
    sides = completed(*rahman_ng(key, response)[0])
    return sides, sides


def key_completed(key: Entities, response: Entities) -> tuple[Sides, Sides]:
    sides = [*key, *alone(twinless(response, key))], response
    return sides, sides


def twinless(side: Entities, other: Entities) -> frozenset[Mention]:
    return mentions_of(side) - mentions_of(other)


TWINLESS: dict[str, Callable[[Entities, Entities], tuple[Sides, Sides]]] = {
    "keep": lambda *sides: (sides, sides),
    "complete": lambda *sides: (completed(*sides), completed(*sides)),
    "stoyanov_0": stoyanov_0,
    "stoyanov_all": stoyanov_all,
    "rahman_ng": rahman_ng,
    "cai_strube": cai_strube,
    "shared_task": shared_task,
    "key_completed": key_completed,
}
"""The sides for recall, and those for precision, by the names of the convention."""


def apart(name: str, for_recall: Sides, for_precision: Sides, zero: int = 0) -> Scores:
    """The score with the recall of one pair of sides and the precision of another."""
    if name == "conll":
        f1s = [apart(each, for_recall, for_precision, zero).f1 for each in AVERAGED]
        return Scores(None, None, sum(f1s) / 3)
    a, b = (ORACLES[name].counts(*sides) for sides in (for_recall, for_precision))
    if ORACLES[name].counts is link_sets:
        classes = [
            two_ratios((*a[i : i + 2], b[i], b[i + 2]), zero)
            for i in (0, 3)
            if a[i + 1] or (b[i + 2] and name == "blanc_both")
        ] or [Scores(*[Fraction(zero)] * 3)]
        return Scores(*(sum(each[part] for each in classes) / len(classes) for part in range(3)))
    return two_ratios((*a[:2], *b[2:]), zero)


# --------------------------------------------------------------------------------- graphs


def reached(start: Mention, edges: Iterable[Link]) -> Entity:
    """All mentions that a search from ``start`` meets; none if no link touches it."""
    edges = list(edges)
    met: set[Mention] = {start} if any(start in edge for edge in edges) else set()
    frontier = list(met)
    while frontier:
        mention = frontier.pop()
        for a, b in edges:
            for near, far in ((a, b), (b, a)):
                if near == mention and far not in met:
                    met.add(far)
                    frontier.append(far)
    return frozenset(met)


def components(edges: Iterable[Link]) -> set[Entity]:
    edges = list(edges)
    return {reached(mention, edges) for edge in edges for mention in edge}


def link_score(key: Sequence[Link], response: Sequence[Link], zero: int = 0) -> Scores:
    """Sundheim et al., as Vilain et al. 1995 describe it: a link is right if the other side's
    links connect its ends."""
    right = [b in reached(a, response) for a, b in key]
    wanted = [b in reached(a, key) for a, b in response]
    return two_ratios((sum(right), len(key), sum(wanted), len(response)), zero)
