"""Every measure a second time: slow, as sets, straight from the papers.

Nothing is shared with the library: this module must not import it. A key and a response are lists
of frozensets of mentions. A measure counts something in one document (`Oracle.counts`, numbers
that add up over documents) and makes a score of the counts (`Oracle.score`, where 0/0 is
``zero``). All numbers are int or Fraction.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
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
    """Luo 2005, section 3: the largest Σ φ of all one-to-one maps, each of them tried."""
    few, many = sorted((key, response), key=len)
    similarity = {(a, b): phi(a, b) for a in few for b in many}
    return max(
        sum(similarity[pair] for pair in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )


def ceaf(phi: Similarity, align=best_alignment) -> Callable[[Entities, Entities], Counts]:
    """Luo 2005, equations 4 and 5: Φ(g*) over Σ φ(K, K)."""
    return lambda key, response: (align(key, response, phi), sum(phi(k, k) for k in key))


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


def links(entity: Entity) -> set[frozenset[Mention]]:
    """Moosavi and Strube 2016: all pairs; a singleton's only link is the one to itself."""
    return {entity} if len(entity) == 1 else pairs(entity)


def lea(key: Entities, response: Entities) -> Counts:
    """Moosavi and Strube 2016: Σ |K| · (share of K's links that the response has) over Σ |K|."""
    found = {link for entity in response for link in links(entity)}
    shares = [Fraction(len(links(entity) & found), len(links(entity))) for entity in key]
    sizes = [len(entity) for entity in key]
    return sum(s * share for s, share in zip(sizes, shares, strict=True)), sum(sizes)


ORACLES: dict[str, Oracle] = {
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
    "lea": both_ways(lea),
}

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


def best_alignment_by_component(key: Entities, response: Entities, phi: Similarity):
    """`best_alignment` for larger inputs: every φ is 0 on disjoint entities, so the connected
    components of the overlapping entities can be aligned one by one."""
    overlaps = [(("K", k), ("R", r)) for k in key for r in response if k & r]
    return sum(
        best_alignment(
            [entity for side, entity in component if side == "K"],
            [entity for side, entity in component if side == "R"],
            phi,
        )
        for component in components(overlaps)
    )
