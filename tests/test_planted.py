"""Wrong formulas, which the comparison with the oracle must tell from the right ones.

Each is an error that somebody could make, or that a paper's misprint or summary invites. The last
test plants right formulas in the same way, so that a wrong one fails for being wrong.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import pytest
from strategies import all_pairs
from test_measures import check, small_pairs, tabled

from corefeval.registry import MEASURES, Measure
from corefeval.score import Pair, Score, Tally


def links(size):
    return comb(size, 2)


def sums(t):
    """Σⱼ n of each key entity, Σᵢ n of each response entity."""
    rows, columns = Counter(), Counter()
    for (i, j), n in t.pairs.items():
        rows[i] += n
        columns[j] += n
    return rows, columns


# ------------------------------------------------------------- CEAF with a wrong alignment


def every_pair(t, phi):
    """φ of all overlapping pairs, the most similar first."""
    weights = {(i, j): phi(n, t.key_sizes[i], t.response_sizes[j]) for (i, j), n in t.pairs.items()}
    return sorted(weights.items(), key=lambda item: -item[1])


def greedy(t, phi):
    """The most similar pair first, then the next that is still free."""
    hits, used = 0, set()
    for (i, j), weight in every_pair(t, phi):
        if not used & {("key", i), ("response", j)}:
            used |= {("key", i), ("response", j)}
            hits += weight
    return hits


def reuse(t, phi):
    """The best response entity of each key entity, even if another one has it too."""
    best = {}
    for (i, _), weight in every_pair(t, phi):
        best.setdefault(i, weight)
    return sum(best.values())


def exhaustive(t, phi):
    """Every alignment: the right one."""

    def best(pairs, used=frozenset()):
        if not pairs:
            return 0
        ((i, j), weight), *rest = pairs
        ends = {("key", i), ("response", j)}
        without = best(rest, used)
        return without if used & ends else max(without, weight + best(rest, used | ends))

    return best(every_pair(t, phi))


def by_mention(t, hits):
    return Pair(Tally(hits, t.key_mentions), Tally(hits, t.T.key_mentions))


def by_entity(t, hits):
    return Pair(Tally(hits, t.key_entities), Tally(hits, t.T.key_entities))


def phi1(n, k, r):
    return int(n == k == r)


def phi2(n, k, r):
    return 1


def phi3(n, k, r):
    return n


def phi4(n, k, r):
    return Fraction(2 * n, k + r)


# --------------------------------------------------------------- BLANC with a wrong rule


@dataclass
class Links:
    """The numbers of links of both classes, C and N: common, in the key, in the response."""

    classes: list
    counted: object = lambda in_key, in_response: in_key
    mean_of_f1: bool = True

    def score(self, conventions):
        zero = Fraction(conventions.zero == "one")
        scores = [
            Pair(Tally(common, k), Tally(common, r)).score(conventions)[:3]
            for common, k, r in self.classes
            if self.counted(k, r)
        ] or [(zero, zero, zero)]
        recall, precision, f1 = (sum(part) / len(scores) for part in zip(*scores, strict=True))
        if not self.mean_of_f1:
            f1 = 2 * recall * precision / (recall + precision) if recall + precision else recall
        return Score(recall, precision, f1, None, self)


def in_either(in_key, in_response):
    return in_key or in_response


def link_classes(t):
    rows, columns = sums(t)
    c = sum(map(links, t.key_sizes)), sum(map(links, t.response_sizes))
    common = t.sum(lambda n, k, r: links(n))
    apart = (
        links(rows.total())
        - sum(map(links, rows.values()))
        - sum(map(links, columns.values()))
        + common
    )
    return [
        (common, *c),
        (apart, links(t.key_mentions) - c[0], links(t.T.key_mentions) - c[1]),
    ]


def twinless_ignored(t):
    """Non-coreference links among the mentions that both sides have, and no others."""
    (common, c_key, c_response), (apart, *_) = link_classes(t)
    rows, columns = sums(t)
    shared = links(rows.total())
    n = (shared - sum(map(links, side.values())) for side in (rows, columns))
    return [(common, c_key, c_response), (apart, *n)]


def union_of_key_and_response(t):
    """Non-coreference links among all mentions of either side."""
    (common, c_key, c_response), (apart, *_) = link_classes(t)
    shared = t.sum(lambda n, k, r: n)
    everything = links(t.key_mentions + t.T.key_mentions - shared)
    return [(common, c_key, c_response), (apart, everything - c_key, everything - c_response)]


# ------------------------------------------------------------------------------ the others


def weighted_links(t, *, singleton):
    """LEA with something else for a key singleton."""
    return Tally(
        t.sum(lambda n, k, r: Fraction(n * (n - 1), k - 1) if k > 1 else singleton(r)),
        t.key_mentions,
    )


@dataclass
class MeanF1:
    pairs: list

    def score(self, conventions):
        f1s = [pair.score(conventions).f1 for pair in self.pairs]
        return Score(None, None, sum(f1s) / len(f1s), None, self)


def both(recall):
    return lambda t: Pair(recall(t), recall(t.T))


right = {
    "mentions": lambda t: Tally(t.sum(lambda n, k, r: n), t.key_mentions),
    "muc": lambda t: Tally(t.sum(lambda n, k, r: n - 1), t.key_mentions - t.key_entities),
    "b3": lambda t: Tally(t.sum(lambda n, k, r: Fraction(n * n, k)), t.key_mentions),
    "b3_class": lambda t: Tally(t.sum(lambda n, k, r: Fraction(n * n, k * k)), t.key_entities),
    "ceaf1": lambda t: by_entity(t, exhaustive(t, phi1)),
    "ceaf2": lambda t: by_entity(t, exhaustive(t, phi2)),
    "ceafm": lambda t: by_mention(t, exhaustive(t, phi3)),
    "ceafe": lambda t: by_entity(t, exhaustive(t, phi4)),
    "blanc": lambda t: Links(link_classes(t)),
    "blanc_both": lambda t: Links(link_classes(t), in_either),
    "lea": lambda t: weighted_links(t, singleton=lambda r: r == 1),
}
right["conll"] = lambda t: MeanF1([both(right["muc"])(t), both(right["b3"])(t), right["ceafe"](t)])

PLANTED = {
    "mentions": {
        "the key's total for both": lambda t: Pair(
            right["mentions"](t), Tally(right["mentions"](t.T).hits, t.key_mentions)
        ),
        "overlapping pairs for mentions": lambda t: Tally(len(t.pairs), t.key_mentions),
        "entities for mentions in the total": lambda t: Tally(
            t.sum(lambda n, k, r: n), t.key_entities
        ),
        "singletons left out": lambda t: Tally(
            t.sum(lambda n, k, r: n if k > 1 else 0), sum(k for k in t.key_sizes if k > 1)
        ),
    },
    "muc": {
        "a twinless mention is no part of p(S)": lambda t: Tally(
            t.key_mentions - len(t.pairs), t.key_mentions - t.key_entities
        ),
        "|S| for |S| − 1": lambda t: Tally(t.sum(lambda n, k, r: n - 1), t.key_mentions),
        "all links for those of a spanning tree": lambda t: Tally(
            t.sum(lambda n, k, r: links(n)), sum(map(links, t.key_sizes))
        ),
        # the summary of the paper calls the recall error recall
        "missing links for found ones": lambda t: Tally(
            t.key_mentions - t.key_entities - right["muc"](t).hits,
            t.key_mentions - t.key_entities,
        ),
        "recall and precision exchanged": lambda t: Pair(right["muc"](t.T), right["muc"](t)),
    },
    "b3": {
        "n for n²": lambda t: Tally(t.sum(lambda n, k, r: Fraction(n, k)), t.key_mentions),
        "divided by the other side's entity": lambda t: Tally(
            t.sum(lambda n, k, r: Fraction(n * n, r)), t.key_mentions
        ),
        "B³₀: twinless mentions not in the total": lambda t: Tally(
            right["b3"](t).hits, t.sum(lambda n, k, r: n)
        ),
        "B³ all: a twinless mention finds itself": lambda t: Tally(
            right["b3"](t).hits
            + sum(Fraction(k - sums(t)[0][i], k) for i, k in enumerate(t.key_sizes)),
            t.key_mentions,
        ),
        "mean over entities": right["b3_class"],
    },
    "b3_class": {
        # Popescu-Belis, DEF.10, as printed
        "divided by the number of mentions": lambda t: Tally(
            right["b3_class"](t).hits, t.key_mentions
        ),
        "entities of the other side in the total": lambda t: Tally(
            right["b3_class"](t).hits, t.T.key_entities
        ),
        "mean over mentions": right["b3"],
    },
    "ceaf1": {
        "a part of an entity will do": lambda t: by_entity(
            t, exhaustive(t, lambda n, k, r: int(n == k))
        ),
        "by mention": lambda t: by_mention(t, exhaustive(t, phi1)),
    },
    "ceaf2": {
        "an entity used twice": lambda t: by_entity(t, reuse(t, phi2)),
        "no alignment": lambda t: by_entity(t, len(t.pairs)),
        "greedy": lambda t: by_entity(t, greedy(t, phi2)),
    },
    "ceafm": {
        "an entity used twice": lambda t: by_mention(t, reuse(t, phi3)),
        "greedy": lambda t: by_mention(t, greedy(t, phi3)),
        "by entity": lambda t: by_entity(t, exhaustive(t, phi3)),
        "the alignment of φ4": lambda t: by_mention(t, exhaustive(t, phi4)),
    },
    "ceafe": {
        "an entity used twice": lambda t: by_entity(t, reuse(t, phi4)),
        "greedy": lambda t: by_entity(t, greedy(t, phi4)),
        "by mention": lambda t: by_mention(t, exhaustive(t, phi4)),
        "overlap over union": lambda t: by_entity(
            t, exhaustive(t, lambda n, k, r: Fraction(n, k + r - n))
        ),
    },
    "blanc": {
        "a class dropped only if empty on both sides": right["blanc_both"],
        "no class ever dropped": lambda t: Links(link_classes(t), lambda k, r: True),
        "a class dropped if empty on either side": lambda t: Links(
            link_classes(t), lambda k, r: k and r
        ),
        "F of the mean recall and precision": lambda t: Links(link_classes(t), mean_of_f1=False),
        "coreference links alone": lambda t: Links(link_classes(t)[:1]),
        "twinless mentions ignored": lambda t: Links(twinless_ignored(t)),
        "links to the other side's mentions": lambda t: Links(union_of_key_and_response(t)),
    },
    "blanc_both": {
        "a class dropped if the key has none": right["blanc"],
        "no class ever dropped": lambda t: Links(link_classes(t), lambda k, r: True),
        "F of the mean recall and precision": lambda t: Links(
            link_classes(t), in_either, mean_of_f1=False
        ),
        "twinless mentions ignored": lambda t: Links(twinless_ignored(t), in_either),
    },
    "lea": {
        "a singleton has no link": lambda t: weighted_links(t, singleton=lambda r: 0),
        "a singleton found in any entity": lambda t: weighted_links(t, singleton=lambda r: 1),
        "every entity of equal weight": lambda t: Tally(right["lea"](t).hits, t.key_entities),
        "singletons not in the total": lambda t: Tally(
            right["lea"](t).hits, sum(k for k in t.key_sizes if k > 1)
        ),
    },
    "conll": {
        "without CEAF": lambda t: MeanF1(right["conll"](t).pairs[:2]),
        "CEAF by mention": lambda t: MeanF1([*right["conll"](t).pairs[:2], right["ceafm"](t)]),
        "B³ by entity": lambda t: MeanF1(
            [both(right["muc"])(t), both(right["b3_class"])(t), right["ceafe"](t)]
        ),
    },
}


def planted(name, formula) -> Measure:
    return Measure(name, title="planted", cite="", count=formula)


def test_every_measure_has_a_planted_error():
    assert set(MEASURES) <= {name for name, wrong in PLANTED.items() if wrong}


@pytest.mark.parametrize(
    ("name", "error"), [(name, error) for name, wrong in PLANTED.items() for error in wrong]
)
def test_a_wrong_formula_is_caught(name, error):
    with pytest.raises(AssertionError, match=f"^{name} of "):
        check(planted(name, PLANTED[name][error]), small_pairs())


@pytest.mark.parametrize("name", PLANTED)
def test_a_right_formula_is_not(name):
    check(planted(name, right[name]), [tabled(*pair) for pair in all_pairs("abcd")])
