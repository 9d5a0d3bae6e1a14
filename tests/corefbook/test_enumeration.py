"""Every key and response of a few mentions, once each: against a second enumeration.

That one labels the mentions one by one and knows no entities; pairs are counted by Burnside's
lemma, and those of few mentions compared one by one.
"""

from collections import Counter
from itertools import permutations
from math import factorial, prod

import pytest
from corefbook import enumeration
from strategies import all_pairs, grouped

from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition

MOST = 8
BELL = [1, 1, 2, 5, 15, 52, 203, 877, 4140]
COUNTS = [1, 4, 10, 33, 91, 298, 910, 3017]


# ------------------------------------------------------------------------------- one side


def labellings(mentions):
    """All partitions of 0, 1, … as a label for each mention."""
    labels = [()]
    for _ in range(mentions):
        labels = [(*each, new) for each in labels for new in range(len({*each}) + 1)]
    return labels


def once(entities):
    """A partition as a set, the same for every order."""
    return frozenset(map(frozenset, entities))


@pytest.mark.parametrize("mentions", range(MOST + 1))
def test_every_partition_is_there_once(mentions):
    partitions = [once(entities) for entities in enumeration.partitions(range(mentions))]
    assert len(partitions) == len({*partitions}) == BELL[mentions]
    assert {*partitions} == {once(grouped(range(mentions), each)) for each in labellings(mentions)}


@pytest.mark.parametrize("mentions", range(1, MOST + 1))
def test_every_profile_comes_once_with_its_count(mentions):
    counted = Counter(
        tuple(sorted(Counter(labels).values(), reverse=True)) for labels in labellings(mentions)
    )
    profiles = list(enumeration.profiles(mentions))
    assert {sizes: enumeration.how_many(sizes) for sizes in profiles} == counted
    assert len(profiles) == len(counted)


# ---------------------------------------------------------------------- every pair, once


def fixed(partition, cycles):
    """Whether a permutation, given as its cycles, maps the partition to itself."""
    image = {m: cycle[(x + 1) % len(cycle)] for cycle in cycles for x, m in enumerate(cycle)}
    moved = {}
    return all(
        moved.setdefault(partition[m], partition[image[m]]) == partition[image[m]] for m in image
    )


def orbits(mentions):
    """Pairs of partitions but for the names of mentions, by Burnside's lemma."""
    total = 0
    for lengths in enumeration.profiles(mentions):
        names = iter(range(mentions))
        cycles = [[next(names) for _ in range(length)] for length in lengths]
        alike = prod(map(factorial, Counter(lengths).values()))
        permutations_like_it = factorial(mentions) // prod(lengths) // alike
        total += permutations_like_it * sum(fixed(p, cycles) for p in labellings(mentions)) ** 2
    return total // factorial(mentions)


def test_burnside_counts_as_many_pairs():
    assert [orbits(n) for n in range(1, MOST + 1)] == COUNTS
    assert [len(enumeration.tables(n)) for n in range(1, MOST + 1)] == COUNTS


def canonical_pair(key, response):
    """The same for every renaming of the mentions."""
    return min(
        tuple(sorted(tuple(sorted(order[m] for m in entity)) for entity in side) for side in pair)
        for pair in [(key, response)]
        for order in permutations(range(sum(map(len, key))))
    )


@pytest.mark.parametrize("mentions", range(1, 5))
def test_every_pair_is_there_once(mentions):
    both = [grouped(range(mentions), labels) for labels in labellings(mentions)]
    expected = {repr(canonical_pair(key, response)) for key in both for response in both}
    pairs = [
        repr(canonical_pair(*([["abcd".index(m) for m in entity] for entity in s] for s in pair)))
        for pair in map(enumeration.named_sides, enumeration.tables(mentions))
    ]
    assert len(pairs) == len({*pairs})
    assert {*pairs} == expected


def test_sides_have_the_table():
    for t in enumeration.up_to(5):
        again = Contingency.of(*enumeration.named_sides(t))
        assert again.triples == t.triples
        assert sorted(again.key_sizes) == sorted(t.key_sizes)


# ------------------------------------------------------------- mentions on one side only


def signature(t):
    return repr((sorted(t.triples.items()), sorted(t.key_sizes), sorted(t.response_sizes)))


@pytest.mark.parametrize("mentions", range(1, 5))
def test_tables_with_twinless_mentions_are_all_there(mentions):
    pairs = [Contingency.of(Partition(k), Partition(r)) for k, r in all_pairs("abcd")]
    expected = {signature(t) for t in pairs if mentions_of(t) == mentions != sum(t.pairs.values())}
    assert {signature(t) for t in enumeration.with_twinless(mentions)} == expected


def mentions_of(t):
    return t.key_mentions + t.T.key_mentions - sum(t.pairs.values())
