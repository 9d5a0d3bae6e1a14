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
from corefeval.measures.ceaf import phi2, phi3, phi4
from corefeval.measures.distributional import Share
from corefeval.measures.kappa import Agreement
from corefeval.registry import MEASURES, Measure
from corefeval.score import Pair, Tally, f1, mean_f1
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


def by_mention(t, hits):
    return Pair(Tally(hits, t.key_mentions), Tally(hits, t.T.key_mentions))


def by_entity(t, hits):
    return Pair(Tally(hits, t.key_entities), Tally(hits, t.T.key_entities))


# --------------------------------------------------------------- BLANC with a wrong rule


class OfMeans(LinkClasses):
    """F1 of the mean recall and the mean precision."""

    def score(self, conventions):
        found = super().score(conventions)
        mean = f1(found.recall, found.precision)
        return found._replace(f1=mean, value=mean)


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


def agreement(t, *, least=float("-inf"), kind=Agreement):
    """With d no less than ``least``."""
    return kind(*right["kappa"](t)[:3], max(right["kappa"](t).neither, least))


class Certain(Agreement):
    """0/0 always 1: "1 means perfect agreement"."""

    def score(self, conventions):
        return super().score(Conventions(zero="one"))


def given(t, *, free=False, tie=min):
    """The response entities that are given as exclusive cores, each with its key entity."""
    taken = {}
    for i in sorted(range(t.key_entities), key=lambda i: -t.key_sizes[i]):
        row = {j: n for (a, j), n in t.pairs.items() if a == i and not (free and j in taken)}
        best = [j for j in row if row[j] == max(row.values()) and j not in taken]
        if best:
            taken[tie(best)] = i
    return taken


def exclusive(t, **chosen):
    t = completed(t)
    return of_given(t, given(t, **chosen))


def of_given(t, taken):
    """XRS and XPS."""
    correct = sum(t.pairs[i, j] for j, i in taken.items())
    incorrect = sum(t.response_sizes[j] for j in taken) - correct
    return Pair(Tally(correct, t.key_mentions), Tally(t.key_mentions - incorrect, t.key_mentions))


def of_those_given(t):
    """Precision as the share of the mentions given that is correct."""
    t = completed(t)
    recall = exclusive(t).recall
    return Pair(recall, Tally(recall.hits, sum(t.response_sizes[j] for j in given(t))))


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


def information(t, of=lambda t: entropy(t.response_sizes)):
    """What gets across, over what ``of`` says."""
    return Tally(justified(t), of(t))


def distance(t, *, order=lambda sizes: sorted(sizes, reverse=True), drop=0):
    """Σ ||Kᵢ| − |Rᵢ||, ``drop`` entities of either side left out."""
    sides = (order(sizes)[: len(sizes) - drop] for sizes in (t.key_sizes, t.response_sizes))
    return sum(abs(k - r) for k, r in zip_longest(*sides, fillvalue=0))


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
        "an entity used twice": lambda t: by_entity(t, reuse(t, phi2)),
    },
    "ceafm": {
        "greedy": lambda t: by_mention(t, greedy(t, phi3)),
        "the alignment of φ4": lambda t: by_mention(t, best_sum(t, phi4)),
    },
    "ceafe": {
        "an entity used twice": lambda t: by_entity(t, reuse(t, phi4)),
        "greedy": lambda t: by_entity(t, greedy(t, phi4)),
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
        "d never below 0": lambda t: agreement(t, least=0),
        "0/0 always 1": lambda t: agreement(t, kind=Certain),
    },
    "c": {
        "all fragments": right["muc"],
        "each response entity a core only once": lambda t: Tally(
            best_sum(t, lambda n, k, r: n - 1), right["c"](t).total
        ),
    },
    "xc": {
        "the best that is free": lambda t: exclusive(t, free=True),
        "of equal matches the last given": lambda t: exclusive(t, tie=max),
        "twinless mentions are not completed": lambda t: of_given(t, given(t)),
        # row 1 of Table 3 would have 56
        "precision over the mentions given": of_those_given,
    },
    "xc_free": {
        "nothing if the best is taken": exclusive,
    },
    "h": {
        "twinless mentions are not completed": information,
        "over the information of both": lambda t: information(
            completed(t),
            lambda t: entropy(t.response_sizes) + unjustified(t.T),
        ),
    },
    "dmt": {
        # DEF.18, as printed
        "over |E|": lambda t: match(completed(t), largest=lambda e: e),
        "K_i is empty from i = |P_K| on": lambda t: match(completed(t), drop=1),
        "not sorted": lambda t: match(completed(t), order=list),
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
