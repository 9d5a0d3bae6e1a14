"""Wrong formulas, which the comparison with the oracle must tell from the right ones.

Each is an error that somebody could make, or that a paper's misprint or summary invites. The last
test plants the library's formulas in the same way, so that a wrong one fails for being wrong.
Those that a paper invites are planted each time, the others where everything is proved.
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
from corefeval.measures.blanc import LinkClasses, OfEitherSide, blanc_always
from corefeval.measures.ceaf import phi1, phi2, phi3, phi4
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


class EmptyOnNoSide(LinkClasses):
    """A class is dropped if it is empty on either side."""

    def counting(self):
        return [pair for pair in self if pair.recall.total and pair.precision.total]


class CoreferenceAlone(LinkClasses):
    """The other links do not count."""

    def counting(self):
        return [self.coreference] if self.coreference.recall.total else []


class OfMeans(LinkClasses):
    """F1 of the mean recall and the mean precision."""

    def score(self, conventions):
        found = super().score(conventions)
        mean = f1(found.recall, found.precision)
        return found._replace(f1=mean, value=mean)


class OfMeansOfEither(OfMeans):
    """The same, where a class is dropped only if it is empty on both sides."""

    counting = OfEitherSide.counting


def with_others(counts, of_key, of_response):
    """BLANC with other totals of the non-coreference links."""
    hits = counts.non_coreference.recall.hits
    totals = Pair(Tally(hits, of_key), Tally(hits, of_response))
    return counts._replace(non_coreference=totals)


def twinless_ignored(t, counts):
    """Non-coreference links among the mentions that both sides have, and no others."""
    rows, columns = sums(t)
    shared = links(rows.total())
    return with_others(
        counts, *(shared - sum(map(links, side.values())) for side in (rows, columns))
    )


def union_of_key_and_response(t, counts):
    """Non-coreference links among all mentions of either side."""
    everything, (recall, precision) = links(everyone(t)), counts.coreference
    return with_others(counts, everything - recall.total, everything - precision.total)


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


def everyone(t):
    """The number of mentions of either side."""
    return t.key_mentions + t.T.key_mentions - t.sum(lambda n, k, r: n)


def agreement(t, *, mentions=everyone, least=float("-inf"), kind=Agreement):
    """Of so many mentions, with d no less than ``least``."""
    a, b, c, _ = right["kappa"](t)
    return kind(a, b, c, max(max(mentions(t) - 1, 0) - a - b - c, least))


class Uncorrected(Agreement):
    """Agreement without regard to chance."""

    def score(self, conventions):
        links = self.both + self.key_only + self.response_only + self.neither
        observed = Tally(self.both + self.neither, links)
        zero = Fraction(conventions.zero == "one")
        return Score(None, None, None, observed.ratio(zero), self)


class Certain(Agreement):
    """0/0 always 1: "1 means perfect agreement"."""

    def score(self, conventions):
        return super().score(Conventions(zero="one"))


def cores(t, largest=max):
    """The largest n of each key entity that overlaps."""
    fragments = {}
    for (i, _), n in t.pairs.items():
        fragments.setdefault(i, []).append(n)
    return list(map(largest, fragments.values()))


def given(t, *, free=False, first=max, tie=min, refused=False):
    """The response entities that are given as exclusive cores, each with its key entity.

    ``refused``: of equal matches the first is meant, even if it is taken.
    """
    taken = {}
    left = dict(enumerate(t.key_sizes))
    while left:
        i = next(i for i in left if left[i] == first(left.values())) if first else min(left)
        del left[i]
        row = {j: n for (a, j), n in t.pairs.items() if a == i and not (free and j in taken)}
        best = [j for j in row if row[j] == max(row.values()) and (refused or j not in taken)]
        if best:
            taken.setdefault(tie(best), i)
    return taken


def exclusive(t, **chosen):
    t = completed(t)
    return of_given(t, given(t, **chosen))


def of_given(t, taken, mentions=None):
    """XRS and XPS."""
    e = mentions or t.key_mentions
    correct = sum(t.pairs[i, j] for j, i in taken.items())
    incorrect = sum(t.response_sizes[j] for j in taken) - correct
    return Pair(Tally(correct, e), Tally(e - incorrect, e))


def of_correct(t, total, **chosen):
    """Precision as the share of ``total`` that is correct."""
    t = completed(t)
    recall = exclusive(t, **chosen).recall
    return Pair(recall, Tally(recall.hits, total(t, given(t, **chosen))))


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


def distance(t, *, order=lambda sizes: sorted(sizes, reverse=True), together=zip_longest, drop=0):
    """Σ ||Kᵢ| − |Rᵢ||, ``drop`` entities of either side left out."""
    sides = (order(sizes)[: len(sizes) - drop] for sizes in (t.key_sizes, t.response_sizes))
    return sum(abs((k or 0) - (r or 0)) for k, r in together(*sides))


def match(t, largest=lambda e: 2 * max(e - 1, 0), **chosen):
    largest = largest(t.key_mentions)
    return Share(Tally(largest - distance(t, **chosen), largest))


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
            t, best_sum(t, lambda n, k, r: int(n == k))
        ),
        "by mention": lambda t: by_mention(t, best_sum(t, phi1)),
    },
    "ceaf2": {
        "an entity used twice": lambda t: by_entity(t, reuse(t, phi2)),
        "no alignment": lambda t: by_entity(t, len(t.pairs)),
        "greedy": lambda t: by_entity(t, greedy(t, phi2)),
    },
    "ceafm": {
        "an entity used twice": lambda t: by_mention(t, reuse(t, phi3)),
        "greedy": lambda t: by_mention(t, greedy(t, phi3)),
        "by entity": lambda t: by_entity(t, best_sum(t, phi3)),
        "the alignment of φ4": lambda t: by_mention(t, best_sum(t, phi4)),
    },
    "ceafe": {
        "an entity used twice": lambda t: by_entity(t, reuse(t, phi4)),
        "greedy": lambda t: by_entity(t, greedy(t, phi4)),
        "by mention": lambda t: by_mention(t, best_sum(t, phi4)),
        "overlap over union": lambda t: by_entity(
            t, best_sum(t, lambda n, k, r: Fraction(n, k + r - n))
        ),
    },
    "blanc": {
        "a class dropped only if empty on both sides": right["blanc_both"],
        "no class ever dropped": blanc_always,
        "a class dropped if empty on either side": lambda t: EmptyOnNoSide(*right["blanc"](t)),
        "F of the mean recall and precision": lambda t: OfMeans(*right["blanc"](t)),
        "coreference links alone": lambda t: CoreferenceAlone(*right["blanc"](t)),
        "twinless mentions ignored": lambda t: twinless_ignored(t, right["blanc"](t)),
        "links to the other side's mentions": lambda t: union_of_key_and_response(
            t, right["blanc"](t)
        ),
    },
    "blanc_both": {
        "a class dropped if the key has none": right["blanc"],
        "no class ever dropped": blanc_always,
        "F of the mean recall and precision": lambda t: OfMeansOfEither(*right["blanc"](t)),
        "twinless mentions ignored": lambda t: twinless_ignored(t, right["blanc_both"](t)),
    },
    "pairwise": {
        "links of a spanning tree": right["muc"],
        "ordered pairs, a mention with itself too": lambda t: Tally(
            t.sum(lambda n, k, r: n * n), sum(k * k for k in t.key_sizes)
        ),
        # an inner join: the links of the mentions that both sides have
        "twinless mentions not in the total": lambda t: Tally(
            right["pairwise"](t).hits, sum(map(links, sums(t)[0].values()))
        ),
        "a singleton has a link to itself": lambda t: Tally(
            right["pairwise"](t).hits + t.sum(lambda n, k, r: int(n == k == r == 1)),
            right["pairwise"](t).total + sum(k == 1 for k in t.key_sizes),
        ),
        "every pair of shared mentions in the total": lambda t: Tally(
            right["pairwise"](t).hits, links(t.shared_mentions)
        ),
        "recall and precision exchanged": lambda t: Pair(
            right["pairwise"](t.T), right["pairwise"](t)
        ),
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
        "without CEAF": lambda t: MeanF1(right["conll"](t)[:2]),
        "CEAF by mention": lambda t: MeanF1([*right["conll"](t)[:2], right["ceafm"](t)]),
        "B³ by entity": lambda t: right["conll"](t)._replace(
            b3=Pair(right["b3_class"](t), right["b3_class"](t.T))
        ),
    },
    "kappa": {
        "b and c exchanged": lambda t: agreement(t.T),
        "d never below 0": lambda t: agreement(t, least=0),
        "|E| for |E| − 1": lambda t: agreement(t, mentions=lambda t: everyone(t) + 1),
        "the key's mentions for E": lambda t: agreement(t, mentions=lambda t: t.key_mentions),
        "the mentions of both sides for E": lambda t: agreement(
            t, mentions=lambda t: t.sum(lambda n, k, r: n)
        ),
        "all links for those of a spanning tree": lambda t: agreement(
            t, mentions=lambda t: links(everyone(t)) + 1
        ),
        "observed agreement": lambda t: agreement(t, kind=Uncorrected),
        "0/0 always 1": lambda t: agreement(t, kind=Certain),
    },
    "c": {
        "|c(K)| for |c(K)| − 1": lambda t: Tally(sum(cores(t)), t.key_mentions),
        "|c(K)| − 1 over |K|": lambda t: Tally(right["c"](t).hits, t.key_mentions),
        "an entity without a core counts −1": lambda t: Tally(
            sum(cores(t)) - t.key_entities, right["c"](t).total
        ),
        "the smallest fragment": lambda t: Tally(
            sum(cores(t, min)) - len(cores(t)), right["c"](t).total
        ),
        "all fragments": right["muc"],
        "each response entity a core only once": lambda t: Tally(
            best_sum(t, lambda n, k, r: n - 1), right["c"](t).total
        ),
        "recall and precision exchanged": lambda t: Pair(right["c"](t.T), right["c"](t)),
    },
    "xc": {
        "from the smallest key entity": lambda t: exclusive(t, first=min),
        "in the order given": lambda t: exclusive(t, first=None),
        "the best that is free": lambda t: exclusive(t, free=True),
        "of equal matches the last given": lambda t: exclusive(t, tie=max),
        "of equal matches the first given, even if taken": lambda t: exclusive(t, refused=True),
        "the best assignment of all": lambda t: by_mention(
            completed(t), best_sum(completed(t), phi3)
        ),
        "twinless mentions are not completed": lambda t: of_given(t, given(t)),
        "twinless mentions only in |E|": lambda t: of_given(t, given(t), everyone(t)),
        # row 1 of Table 3 would have 56
        "precision over the mentions given": lambda t: of_correct(
            t, lambda t, taken: sum(t.response_sizes[j] for j in taken)
        ),
        "precision with all other mentions incorrect": lambda t: of_correct(
            t, lambda t, taken: t.key_mentions
        ),
        "precision as recall with key and response exchanged": lambda t: Pair(
            exclusive(t).recall, exclusive(t.T).recall
        ),
    },
    "xc_free": {
        "from the smallest key entity": lambda t: exclusive(t, free=True, first=min),
        "in the order given": lambda t: exclusive(t, free=True, first=None),
        "nothing if the best is taken": exclusive,
        "of equal matches the last given": lambda t: exclusive(t, free=True, tie=max),
        "twinless mentions are not completed": lambda t: of_given(t, given(t, free=True)),
    },
    "h": {
        "twinless mentions are not completed": information,
        "recall and precision exchanged": lambda t: Pair(right["h"](t.T), right["h"](t)),
        "over the information of both": lambda t: information(
            completed(t),
            lambda t: entropy(t.response_sizes) + unjustified(t.T),
        ),
        "over the most that can be sent": lambda t: information(
            completed(t), lambda t: t.key_mentions * log(max(t.key_mentions, 1))
        ),
        "conditional entropy without weights": lambda t: Tally(
            right["h"](t).total
            - fsum(n / k * log(k / n) * many for (n, k, r), many in completed(t).triples.items()),
            right["h"](t).total,
        ),
        "what is lost for what gets across": lambda t: Tally(
            unjustified(completed(t)), right["h"](t).total
        ),
    },
    "dmt": {
        # DEF.18, as printed
        "over |E|": lambda t: match(completed(t), largest=lambda e: e),
        "K_i is empty from i = |P_K| on": lambda t: match(completed(t), drop=1),
        "over 2 |E|": lambda t: match(completed(t), largest=lambda e: 2 * e),
        "not sorted": lambda t: match(completed(t), order=list),
        "the shorter list not filled up": lambda t: match(completed(t), together=zip),
        "twinless mentions are not completed": match,
    },
}


def planted(name, formula) -> Measure:
    return Measure(name, title="planted", cite="", formula=formula, pooled=True)


def test_every_measure_has_a_planted_error():
    missing = set(NAMES) - {name for name, wrong in PLANTED.items() if wrong}
    assert not missing, f"PLANTED needs plausible wrong formulas of {missing}"


INVITED = [
    ("muc", "missing links for found ones"),
    ("b3", "B³₀: twinless mentions not in the total"),
    ("b3_class", "divided by the number of mentions"),
    ("blanc", "a class dropped only if empty on both sides"),
    ("kappa", "0/0 always 1"),
    ("dmt", "over |E|"),
    ("dmt", "K_i is empty from i = |P_K| on"),
]
"""What a misprint, a summary or another paper's reading would make of a measure."""
OTHERS = [
    (name, error)
    for name, wrong in PLANTED.items()
    for error in wrong
    if (name, error) not in INVITED
]


def is_caught(name, error, cases):
    with pytest.raises(AssertionError, match=f"^{name} of "):
        check(planted(name, PLANTED[name][error]), cases)


@every_row("name, error", INVITED)
def test_a_wrong_formula_that_a_paper_invites_is_caught(name, error):
    is_caught(name, error, small_pairs("abcd"))


@pytest.mark.proof
@every_row("name, error", OTHERS)
def test_a_wrong_formula_is_caught(name, error):
    is_caught(name, error, chain(small_pairs(), pairs_of_six()))


@every_row("name", PLANTED)
def test_a_right_formula_is_not(name):
    check(planted(name, right[name]), small_pairs("abcd"))
