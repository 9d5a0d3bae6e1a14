"""Wrong formulas, which the comparison with the oracle must tell from the right ones.

Each is what a paper's misprint, a summary, another paper's reading or an implementation made, or
could make, of a measure. A slip of the pen is what `make mutants` plants. The last test plants the
library's formulas in the same way, so that a wrong one fails for being wrong.
"""

from collections import Counter
from fractions import Fraction
from itertools import chain, zip_longest
from math import comb, fsum, log

import pytest
from rows import every_row
from test_measures import NAMES, check, pairs_of_six, small_pairs

from corefeval.alignment import best_sum
from corefeval.contingency import Tables
from corefeval.conventions import Conventions
from corefeval.measures.blanc import LinkClasses, blanc_always
from corefeval.measures.ceaf import phi3, phi4
from corefeval.measures.distributional import Share
from corefeval.measures.kappa import Agreement
from corefeval.registry import MEASURES, Measure
from corefeval.score import Pair, Score, Tally, f1, mean_f1
from corefeval.twinless import completed

right = {name: measure.formula for name, measure in MEASURES.items()}
right["conll"] = lambda t: MEASURES["conll"].counts(Tables.alike(t))
"""The library's own formulas, which errors change and stand beside."""


def links(size):
    return comb(size, 2)


def sums(t):
    """Σⱼ n of each key entity, Σᵢ n of each response entity."""
    rows, columns = Counter(), Counter()
    for (i, j), n in t.pairs.items():
        rows[i] += n
        columns[j] += n
    return rows, columns


# ------------------------------------------------- CEAF of another φ, or another alignment


def of_greedy(t, phi):
    """Σ φ, the most similar pair first, then the next of which both entities are free."""
    weights = {(i, j): phi(n, t.key_sizes[i], t.response_sizes[j]) for (i, j), n in t.pairs.items()}
    hits, used = 0, set()
    for (i, j), weight in sorted(weights.items(), key=lambda item: -item[1]):
        if not used & {("key", i), ("response", j)}:
            used |= {("key", i), ("response", j)}
            hits += weight
    return hits


def by_mention(t, hits):
    return Pair(Tally(hits, t.key_mentions), Tally(hits, t.T.key_mentions))


def by_entity(t, hits):
    return Pair(Tally(hits, t.key_entities), Tally(hits, t.T.key_entities))


# --------------------------------------------------------------- BLANC with a wrong rule


class OfMeans(LinkClasses):
    """F1 of the mean recall and the mean precision."""

    def score(self, conventions):
        found = super().score(conventions)
        recall, precision, *_ = found.exact
        return Score(recall, precision, f1(recall, precision), counts=self)


def twinless_ignored(t, counts):
    """Non-coreference links among the mentions that both sides have, and no others."""
    shared, hits = links(t.shared_mentions), counts.non_coreference.recall.hits
    totals = (Tally(hits, shared - sum(map(links, side.values()))) for side in sums(t))
    return counts._replace(non_coreference=Pair(*totals))


# ------------------------------------------------------------------------------ the others


def weighted_links(t, *, singleton):
    """LEA with something else for a key singleton."""
    return Tally(
        t.sum(lambda n, k, r: Fraction(n * (n - 1), k - 1) if k > 1 else singleton(r)),
        t.key_mentions,
    )


class MeanF1(tuple):
    """Of any measures."""

    def score(self, conventions):
        return mean_f1([pair.score(conventions) for pair in self], self)


# ------------------------------------------------------------- measures of Popescu-Belis


class Certain(Agreement):
    """0/0 always 1: "1 means perfect agreement"."""

    def score(self, conventions):
        return super().score(Conventions(zero="one"))


def entropy(sizes):
    """|E| · H"""
    return fsum(size * log(sum(sizes) / size) for size in sizes)


def unjustified(t):
    """|E| · H(R|K)"""
    return fsum(n * log(k / n) * times for (n, k, r), times in t.triples.items())


def justified(t):
    """|E| · (H(R) − H(R|K)), exactly 0 if in no pair more, or less, is shared than by chance."""
    e = t.key_mentions
    if t.sum(lambda n, k, r: abs(n * e - k * r)) == 0:
        return 0.0
    return entropy(t.response_sizes) - unjustified(t)


def information(t):
    """What gets across, over the information of the response."""
    return Tally(justified(t), entropy(t.response_sizes))


def distance(t, *, drop=0):
    """Σ ||Kᵢ| − |Rᵢ||, the largest first, ``drop`` entities of either side left out."""
    sides = (sorted(sizes, reverse=True) for sizes in (t.key_sizes, t.response_sizes))
    left = (sizes[: len(sizes) - drop] for sizes in sides)
    return sum(abs(k - r) for k, r in zip_longest(*left, fillvalue=0))


def match(t, largest=lambda e: 2 * max(e - 1, 0), **chosen):
    largest = largest(t.key_mentions)
    return Share(Tally(largest - distance(t, **chosen), largest))


PLANTED = {
    "mentions": {
        "singletons left out": lambda t: Tally(
            t.sum(lambda n, k, r: n if k > 1 else 0), sum(k for k in t.key_sizes if k > 1)
        ),
    },
    "muc": {
        "a twinless mention is no part of p(S)": lambda t: Tally(
            t.key_mentions - len(t.pairs), t.key_mentions - t.key_entities
        ),
        # the summary of the paper calls the recall error recall
        "missing links for found ones": lambda t: Tally(
            t.key_mentions - t.key_entities - right["muc"](t).hits,
            t.key_mentions - t.key_entities,
        ),
    },
    "b3": {
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
    },
    "ceaf1": {
        "a part of an entity will do": lambda t: by_entity(
            t, best_sum(t, lambda n, k, r: int(n == k))
        ),
    },
    "ceaf2": {
        "φ of CEAF_e": lambda t: by_entity(t, best_sum(t, phi4)),
    },
    "ceafm": {
        "the alignment of φ4": lambda t: by_mention(t, best_sum(t, phi4)),
        "greedy": lambda t: by_mention(t, of_greedy(t, phi3)),
    },
    "ceafe": {
        "φ of CEAF_m": lambda t: by_entity(t, best_sum(t, phi3)),
        "greedy": lambda t: by_entity(t, of_greedy(t, phi4)),
    },
    "blanc": {
        "a class dropped only if empty on both sides": right["blanc_both"],
        "F of the mean recall and precision": lambda t: OfMeans(*right["blanc"](t)),
        "twinless mentions ignored": lambda t: twinless_ignored(t, right["blanc"](t)),
    },
    "blanc_both": {
        "a class dropped if the key has none": right["blanc"],
        "no class ever dropped": blanc_always,
    },
    "pairwise": {
        "links of a spanning tree": right["muc"],
        # an inner join: the links of the mentions that both sides have
        "twinless mentions not in the total": lambda t: Tally(
            right["pairwise"](t).hits, sum(map(links, sums(t)[0].values()))
        ),
    },
    "lea": {
        "a singleton has no link": lambda t: weighted_links(t, singleton=lambda r: 0),
        "a singleton found in any entity": lambda t: weighted_links(t, singleton=lambda r: 1),
    },
    "conll": {
        "CEAF by mention": lambda t: MeanF1([*right["conll"](t)[:2], right["ceafm"](t)]),
    },
    "kappa": {
        "0/0 always 1": lambda t: Certain(*right["kappa"](t)),
    },
    "c": {
        "all fragments": right["muc"],
        "each response entity a core only once": lambda t: Tally(
            best_sum(t, lambda n, k, r: n - 1), right["c"](t).total
        ),
    },
    "xc": {
        "the best that is free": right["xc_free"],
    },
    "xc_free": {
        "nothing if the best is taken": right["xc"],
    },
    "h": {
        "twinless mentions are not completed": information,
    },
    "dmt": {
        # DEF.18, as printed
        "over |E|": lambda t: match(completed(t), largest=lambda e: e),
        "K_i is empty from i = |P_K| on": lambda t: match(completed(t), drop=1),
        "twinless mentions are not completed": match,
    },
}


def planted(name, formula) -> Measure:
    return Measure(name, title="planted", cite="", formula=formula, pooled=True)


def test_every_measure_has_a_planted_error():
    missing = set(NAMES) - {name for name, wrong in PLANTED.items() if wrong}
    assert not missing, f"PLANTED needs plausible wrong formulas of {missing}"


@every_row("name, error", [(name, error) for name, wrong in PLANTED.items() for error in wrong])
def test_a_wrong_formula_is_caught(name, error):
    with pytest.raises(AssertionError, match=f"^{name} of "):
        check(planted(name, PLANTED[name][error]), chain(small_pairs("abcd"), pairs_of_six()))


@every_row("name", PLANTED)
def test_a_right_formula_is_not(name):
    check(planted(name, right[name]), small_pairs("abc"))
