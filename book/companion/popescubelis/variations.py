"""Popescu-Belis, section 4: baselines, singletons, subsets of mentions, anaphora."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import comb
from typing import Any

from corefeval.measures.b_cubed import weighted_recall
from corefeval.partition import Link, Mention, Partition
from corefeval.registry import metric

# Section 4.1: a score relative to a baseline


def relative(score: Fraction, baseline: Fraction) -> Fraction:
    """(score − baseline) / (1 − baseline): 0 for the baseline, 1 for a perfect response.

    >>> relative(Fraction(3, 4), Fraction(1, 2))
    Fraction(1, 2)
    """
    return (score - baseline) / (1 - baseline)


def shuffled(key: Partition, seed: int) -> Iterator[Partition]:
    """Random responses with the key's mentions and sizes, without end.

    >>> response = next(shuffled(Partition.parse("{a b c} {d e}"), seed=1))
    >>> sorted(response.sizes), sorted(response.mentions)
    ([2, 3], ['a', 'b', 'c', 'd', 'e'])
    """
    generator = random.Random(seed)
    entity_of, mentions = list(key.entity_of.values()), list(key.entity_of)
    while True:
        generator.shuffle(mentions)
        yield Partition.from_labels(dict(zip(mentions, entity_of, strict=True)))


def simulated(name: str, key: Partition, seed: int, runs: int) -> float:
    """The mean F1 or value of a measure over ``runs`` shuffled responses."""
    chosen = metric(name, zero="one")
    values = (chosen(key, response).value for response in islice(shuffled(key, seed), runs))
    return sum(float(value) for value in values if value is not None) / runs


def expected_links(sizes: Sequence[int]) -> Fraction:
    """The expected numerator of MUC for a random response with the key's sizes.

    Σ (|K| − |π(K)|), where a response entity of r mentions misses one of k with the probability
    C(N − r, k) / C(N, k).

    >>> expected_links([2, 2])
    Fraction(2, 3)
    """
    n = sum(sizes)
    missed = sum((Fraction(comb(n - r, k), comb(n, k)) for k in sizes for r in sizes), Fraction(0))
    return n - len(sizes) ** 2 + missed


def expected_muc(sizes: Sequence[int]) -> Fraction:
    """The expected MUC of a random response with the key's sizes: recall, precision and F1 alike.

    >>> expected_muc([2, 2])
    Fraction(1, 3)
    """
    return expected_links(sizes) / (sum(sizes) - len(sizes))


def expected_kappa(sizes: Sequence[int]) -> Fraction:
    """The expected κ of such a response: with all sizes fixed, κ is linear in the shared links.

    >>> expected_kappa([2, 2])
    Fraction(-1, 1)
    """
    links, both, all_links = sum(sizes) - len(sizes), expected_links(sizes), sum(sizes) - 1
    observed = (all_links - 2 * (links - both)) / all_links
    chance = Fraction(links**2 + (all_links - links) ** 2, all_links**2)
    return (observed - chance) / (1 - chance)


def expected_b3(sizes: Sequence[int]) -> Fraction:
    """The expected B³ recall, and precision, of such a response.

    E |K∩R|² = k (k−1) r (r−1) / (N (N−1)) + k r / N, from pairs of mentions and from single ones.

    >>> expected_b3([2, 2])
    Fraction(2, 3)
    """
    n = sum(sizes)
    credits = (
        Fraction((k - 1) * r * (r - 1), n * (n - 1)) + Fraction(r, n) for k in sizes for r in sizes
    )
    return sum(credits, Fraction(0)) / n


# Section 4.2: without the singletons of the side that is summed over


def over_larger_entities(name: str, key: Partition, response: Partition) -> tuple[Any, Any]:
    """Recall over the key's entities of two or more mentions, precision over the response's.

    The mentions of the others are taken from both sides (P_K² and E² of the paper).

    >>> over_larger_entities("muc", Partition.parse("{a b} {c}"), Partition.parse("{a b c}"))
    (Fraction(1, 1), Fraction(1, 2))
    """
    chosen = metric(name, zero="one")
    larger_key, larger_response = key.without_singletons(), response.without_singletons()
    recall = chosen(larger_key, restricted(response, larger_key.mentions)).recall
    precision = chosen(restricted(key, larger_response.mentions), larger_response).precision
    return recall, precision


# Section 4.4: some mentions only


def restricted(side: Partition, mentions: Collection[Mention]) -> Partition:
    """The side with these mentions alone.

    >>> restricted(Partition.parse("{a b} {c d}"), {"a", "c", "d"})
    Partition('{a} {c d}')
    """
    entities = ([mention for mention in entity if mention in mentions] for entity in side)
    return Partition(entity for entity in entities if entity)


def b_cubed_over(
    mentions: Collection[Mention], key: Partition, response: Partition
) -> tuple[Fraction, Fraction]:
    """Recall and precision of B³ averaged over some mentions, their entities whole.

    >>> b_cubed_over({"a"}, Partition.parse("{a b c}"), Partition.parse("{a b} {c}"))
    (Fraction(2, 3), Fraction(1, 1))
    """

    def weight(mention: Mention) -> Fraction:
        return Fraction(mention in mentions, len(mentions))

    return weighted_recall(key, response, weight), weighted_recall(response, key, weight)


def anchored(pronouns: Collection[Mention], key: Partition, response: Partition) -> Fraction:
    """The share of pronouns whose response entity has a non-pronoun of their key entity.

    >>> key, response = Partition.parse("{Ann she} {Bob he}"), Partition.parse("{Ann she he} {Bob}")
    >>> anchored({"she", "he"}, key, response)
    Fraction(1, 2)
    """
    found = 0
    for pronoun in pronouns:
        its_key = key.entities[key.entity_of[pronoun]]
        its_response = response.entities[response.entity_of[pronoun]]
        found += any(m in its_key and m not in pronouns for m in its_response)
    return Fraction(found, len(pronouns))


def resolved(
    pronouns: Collection[Mention], antecedents: Collection[Link], key: Partition
) -> tuple[Fraction, Fraction]:
    """Right pairs of a pronoun and its antecedent, over all pronouns and over those processed.

    A pair is right if both are in one key entity. Source: section 4.4, after Mitkov and Belguith.

    >>> resolved({"she", "he"}, [("she", "Ann")], Partition.parse("{Ann she} {Bob he}"))
    (Fraction(1, 2), Fraction(1, 1))
    """
    right = sum(key.entity_of[a] == key.entity_of[b] for a, b in antecedents)
    return Fraction(right, len(pronouns)), Fraction(right, len(antecedents))
