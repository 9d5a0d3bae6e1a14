"""Slips that a scorer may make, each as a formula that gives other numbers than the paper's.

They are what the suite of data/conformance tries: tests/conformance.py looks for the smallest key
and response on which a slip shows. Like the oracle, nothing here knows of the library.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import oracle
from oracle import Entities, Scores

Formula = Callable[[Entities, Entities], Scores]


class Slip(NamedTuple):
    """What scorers of a measure must not confuse, and the formula of one that does."""

    tries: str
    wrong: Formula


def of_counts(recall: Callable[[Entities, Entities], oracle.Counts]) -> Formula:
    """A formula that counts recall, and precision with the sides exchanged."""
    both = oracle.both_ways(recall)
    return lambda key, response: both.score(both.counts(key, response), 0)


def instead(measure: str) -> Formula:
    return lambda key, response: oracle.score(measure, key, response)


def exchanged(measure: str) -> Formula:
    return lambda key, response: oracle.score(measure, response, key)


def arithmetic(measure: str) -> Formula:
    def wrong(key: Entities, response: Entities) -> Scores:
        right = oracle.score(measure, key, response)
        return right._replace(f1=(right.recall + right.precision) / 2)

    return wrong


def without_singletons(side: Entities) -> Entities:
    return [entity for entity in side if len(entity) > 1]


def dropped(measure: str) -> Formula:
    """A formula that takes entities of one mention out of both sides."""
    return lambda key, response: oracle.score(
        measure, without_singletons(key), without_singletons(response)
    )


def common_parts(entity, others):
    return [entity & other for other in others if entity & other]


def muc_of(parts: Callable[[Any, Entities], int], links: Callable[[int], int]) -> Formula:
    def recall(key: Entities, response: Entities) -> oracle.Counts:
        every = sum(links(len(entity)) for entity in key)
        return every - sum(parts(entity, response) - 1 for entity in key), every

    return of_counts(recall)


def parts_found(entity, others) -> int:
    return max(1, len(common_parts(entity, others)))


def parts_and_one_for_the_rest(entity, others) -> int:
    return len(common_parts(entity, others)) + bool(entity - oracle.mentions_of(others))


def every_part(entity, others) -> int:
    return len(oracle.parts(entity, others))


def b3_of_common(key: Entities, response: Entities) -> oracle.Counts:
    return oracle.b3(key, response)[0], len(oracle.mentions_of(key) & oracle.mentions_of(response))


def b3_of_the_largest_part(key: Entities, response: Entities) -> oracle.Counts:
    largest = [max(map(len, common_parts(k, response)), default=0) for k in key]
    shares = [Fraction(n * n, len(k)) for n, k in zip(largest, key, strict=True)]
    return sum(shares), len(oracle.mentions_of(key))


def b3_of_entities_that_meet(key: Entities, response: Entities) -> oracle.Counts:
    """Recall of the entities alone that have a mention in common with the other side."""
    met = [k for k in key if common_parts(k, response)]
    return oracle.b3(met, response)[0], len(oracle.mentions_of(met))


def greedy(phi: oracle.Similarity) -> Callable[[Entities, Entities], oracle.Counts]:
    """The largest similarity first, then the largest of what is left."""

    def recall(key: Entities, response: Entities) -> oracle.Counts:
        pairs = sorted(((phi(k, r), k, r) for k in key for r in response), key=lambda p: -p[0])
        taken: set[tuple[str, Any]] = set()
        total: Fraction | int = 0
        for similarity, k, r in pairs:
            if ("key", k) not in taken and ("response", r) not in taken:
                total += similarity
                taken |= {("key", k), ("response", r)}
        return total, sum(phi(k, k) for k in key)

    return recall


def many_to_one(phi: oracle.Similarity) -> Callable[[Entities, Entities], oracle.Counts]:
    return lambda key, response: (
        sum(max((phi(k, r) for r in response), default=0) for k in key),
        sum(phi(k, k) for k in key),
    )


def divided_by(
    count: Callable[[Entities], int], phi: oracle.Similarity
) -> Callable[[Entities, Entities], oracle.Counts]:
    return lambda key, response: (oracle.best_alignment(key, response, phi), count(key))


def jaccard(k, r) -> Fraction:
    return Fraction(len(k & r), len(k | r))


def aligned_by(
    first: oracle.Similarity, phi: oracle.Similarity
) -> Callable[[Entities, Entities], oracle.Counts]:
    """Σ φ of the alignment that is best by another similarity, and of equals the best by φ."""

    def recall(key: Entities, response: Entities) -> oracle.Counts:
        few, many = sorted((key, response), key=len)
        alignments = [
            list(zip(few, chosen, strict=True)) for chosen in permutations(many, len(few))
        ]
        totals = [(sum(first(*p) for p in each), sum(phi(*p) for p in each)) for each in alignments]
        return max(totals)[1], sum(phi(k, k) for k in key)

    return recall


def many_mentions(side: Entities) -> int:
    return len(oracle.mentions_of(side))


def blanc_of(
    sides: Callable[[Entities, Entities], tuple[Entities, Entities]],
    drops: Callable[[int, int], bool],
) -> Formula:
    def wrong(key: Entities, response: Entities) -> Scores:
        return oracle.mean_over_classes(oracle.link_sets(*sides(key, response)), 0, drops)

    return wrong


def as_they_are(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    return key, response


def key_lacks(in_key: int, in_response: int) -> bool:
    return in_key == 0


def one_lacks(in_key: int, in_response: int) -> bool:
    return in_key == 0 or in_response == 0


def links_pooled(key: Entities, response: Entities) -> Scores:
    counts = oracle.link_sets(key, response)
    common, in_key, in_response = (a + b for a, b in zip(counts[:3], counts[3:], strict=True))
    return oracle.two_ratios((common, in_key, common, in_response), 0)


def blanc_of_means(key: Entities, response: Entities) -> Scores:
    right = oracle.score("blanc", key, response)
    return right._replace(f1=oracle.f1(right.recall, right.precision))


def coreference_alone(key: Entities, response: Entities) -> Scores:
    return oracle.score("pairwise", key, response)


def lea_of(found: Callable[[Any, Entities], Fraction], weight: Callable[[Any], int]) -> Formula:
    def recall(key: Entities, response: Entities) -> oracle.Counts:
        return sum(weight(k) * found(k, response) for k in key), sum(map(weight, key))

    return of_counts(recall)


def lea_share(entity, others: Entities) -> Fraction:
    links = oracle.links(entity)
    return Fraction(
        len(links & {link for other in others for link in oracle.links(other)}), len(links)
    )


def lea_share_of_any_entity(entity, others: Entities) -> Fraction:
    """A singleton is found wherever its mention is."""
    if len(entity) == 1:
        return Fraction(bool(common_parts(entity, others)))
    return lea_share(entity, others)


def lea_share_without_own_links(entity, others: Entities) -> Fraction:
    return lea_share(entity, others) if len(entity) > 1 else Fraction(0)


def conll_of(*measures: str) -> Formula:
    def wrong(key: Entities, response: Entities) -> Scores:
        f1s = [oracle.score(measure, key, response).f1 for measure in measures]
        return Scores(None, None, sum(f1s) / len(f1s))

    return wrong


def f1_of_means(key: Entities, response: Entities) -> Scores:
    scores = [oracle.score(measure, key, response) for measure in oracle.AVERAGED]
    recall, precision = (sum(s[i] for s in scores) / len(scores) for i in (0, 1))
    return Scores(None, None, oracle.f1(recall, precision))


def kappa_of(
    change: Callable[[Entities, Entities], tuple[Entities, Entities]], zero: int = 0
) -> Formula:
    return lambda key, response: oracle.score("kappa", *change(key, response), zero)


def of_common(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """Both sides without the mentions that the other one lacks."""
    shared = oracle.mentions_of(key) & oracle.mentions_of(response)
    return oracle.cut(key, shared), oracle.cut(response, shared)


def among_common(measure: str) -> Formula:
    return lambda key, response: oracle.score(measure, *of_common(key, response))


def cores_once(key: Entities, response: Entities) -> oracle.Counts:
    """C with no response entity the core of two."""
    key, response = oracle.completed(key, response)
    cores = oracle.best_alignment(key, response, lambda k, r: max(0, len(k & r) - 1))
    return cores, len(oracle.mentions_of(key)) - len(key)


def dmt_of(largest: Callable[[int], int]) -> Formula:
    """The match of the sizes, over another distance than the largest."""

    def wrong(key: Entities, response: Entities) -> Scores:
        key, response = oracle.completed(key, response)
        distance = oracle.distance([*map(len, key)], [*map(len, response)])
        total = largest(len(oracle.mentions_of(key)))
        return oracle.one_ratio((total - distance, total), 0)

    return wrong


TURNED = "recall is of the key, precision of the response"
HARMONIC = "F1 is the harmonic mean, and no arithmetic one"
JOINED = "a mention that one side lacks stays in its entity"
SINGLETONS = "entities of one mention count"

SLIPS: dict[str, list[Slip]] = {
    "mentions": [
        Slip(TURNED, exchanged("mentions")),
        Slip(HARMONIC, arithmetic("mentions")),
        Slip(SINGLETONS, dropped("mentions")),
    ],
    "muc": [
        Slip(TURNED, exchanged("muc")),
        Slip(HARMONIC, arithmetic("muc")),
        Slip(
            "a missing mention is a part of its own",
            muc_of(parts_found, lambda size: size - 1),
        ),
        Slip(
            "two missing mentions are two parts",
            muc_of(parts_and_one_for_the_rest, lambda size: size - 1),
        ),
        Slip("an entity of n mentions has n − 1 links", muc_of(every_part, lambda size: size)),
        Slip("links are those needed, and not all pairs", instead("pairwise")),
    ],
    "b3": [
        Slip(TURNED, exchanged("b3")),
        Slip(HARMONIC, arithmetic("b3")),
        Slip(SINGLETONS, dropped("b3")),
        Slip("missing and spurious mentions are in the divisor", of_counts(b3_of_common)),
        Slip("an entity that nobody found is in the divisor", of_counts(b3_of_entities_that_meet)),
        Slip("every mention weighs the same, not every entity", instead("b3_class")),
        Slip(
            "all parts of an entity count, not the largest alone", of_counts(b3_of_the_largest_part)
        ),
        Slip(JOINED, among_common("b3")),
    ],
    "b3_class": [
        Slip(TURNED, exchanged("b3_class")),
        Slip("every entity weighs the same, not every mention", instead("b3")),
    ],
    "ceafm": [
        Slip(TURNED, exchanged("ceafm")),
        Slip(SINGLETONS, dropped("ceafm")),
        Slip("the best alignment, and not the largest pair first", of_counts(greedy(oracle.phi3))),
        Slip("an entity is aligned once", of_counts(many_to_one(oracle.phi3))),
        Slip("the divisor is mentions, not entities", of_counts(divided_by(len, oracle.phi3))),
        Slip(
            "the alignment is best by φ₃, not by φ₄",
            of_counts(aligned_by(oracle.phi4, oracle.phi3)),
        ),
    ],
    "ceafe": [
        Slip(TURNED, exchanged("ceafe")),
        Slip(SINGLETONS, dropped("ceafe")),
        Slip("the best alignment, and not the largest pair first", of_counts(greedy(oracle.phi4))),
        Slip("an entity is aligned once", of_counts(many_to_one(oracle.phi4))),
        Slip(
            "the divisor is entities, not mentions",
            of_counts(divided_by(many_mentions, oracle.phi4)),
        ),
        Slip("φ₄ is 2|K∩R| over |K| + |R|, not |K∩R| over |K∪R|", of_counts(oracle.ceaf(jaccard))),
        Slip(
            "the alignment is best by φ₄, not by φ₃",
            of_counts(aligned_by(oracle.phi3, oracle.phi4)),
        ),
    ],
    "blanc": [
        Slip(TURNED, exchanged("blanc")),
        Slip("F1 is the mean of the classes' F1", blanc_of_means),
        Slip("pairs that do not corefer count", coreference_alone),
        Slip("both classes weigh the same", links_pooled),
        Slip(
            "a side's links are between its own mentions",
            blanc_of(oracle.completed, key_lacks),
        ),
        Slip("a class is left out if the key lacks it", instead("blanc_both")),
        Slip(
            "a class that the response alone lacks counts",
            blanc_of(as_they_are, one_lacks),
        ),
    ],
    "blanc_both": [
        Slip("a class is left out if neither side has it", instead("blanc")),
        Slip(
            "a class that one side lacks counts",
            blanc_of(as_they_are, one_lacks),
        ),
    ],
    "lea": [
        Slip(TURNED, exchanged("lea")),
        Slip(SINGLETONS, dropped("lea")),
        Slip(
            "a singleton is linked to itself",
            lea_of(lea_share_without_own_links, len),
        ),
        Slip(
            "a singleton is found where it is one, too",
            lea_of(lea_share_of_any_entity, len),
        ),
        Slip("an entity weighs as many as its mentions", lea_of(lea_share, lambda entity: 1)),
        Slip(
            "an entity weighs its mentions, not its links",
            lea_of(lea_share, lambda entity: len(oracle.links(entity))),
        ),
        Slip("links are all pairs, not those needed", instead("muc")),
    ],
    "pairwise": [
        Slip(TURNED, exchanged("pairwise")),
        Slip(JOINED, among_common("pairwise")),
        Slip("links are all pairs, not those needed", instead("muc")),
    ],
    "conll": [
        Slip("CEAFₑ, not CEAFₘ", conll_of("muc", "b3", "ceafm")),
        Slip("CEAFₑ, not LEA", conll_of("muc", "b3", "lea")),
        Slip("the mean of three F1, not F1 of three means", f1_of_means),
    ],
    "kappa": [
        Slip("0/0 is 0, for a perfect response, too", kappa_of(as_they_are, zero=1)),
        Slip("links could join missing and spurious mentions, too", among_common("kappa")),
    ],
    "c": [
        Slip(TURNED, exchanged("c")),
        Slip(HARMONIC, arithmetic("c")),
        Slip("the core alone counts, not all parts", instead("muc")),
        Slip("an entity may be the core of two", of_counts(cores_once)),
    ],
    "xc": [
        Slip(TURNED, exchanged("xc")),
        Slip("an entity whose core is taken has none", instead("xc_free")),
    ],
    "xc_free": [
        Slip(TURNED, exchanged("xc_free")),
        Slip("an entity whose core is taken has the best that is left", instead("xc")),
    ],
    "dmt": [
        Slip("the largest distance is 2 (|E| − 1), not |E|", dmt_of(lambda mentions: mentions)),
        Slip("missing and spurious mentions are singletons", among_common("dmt")),
    ],
}

OF_LOGARITHMS = [
    Slip(TURNED, exchanged("h")),
    Slip("missing and spurious mentions are singletons", among_common("h")),
]
"""Slips of H, whose numbers nobody has exactly: its typed cases have to show them."""
