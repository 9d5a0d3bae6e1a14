"""Section 4 of Popescu-Belis: closed forms against every shuffle of a small key."""

from fractions import Fraction
from itertools import permutations

import pytest
from companion.popescubelis import variations

from corefeval.partition import Partition
from corefeval.registry import metric


def every_shuffle(sizes):
    """All responses with the key's sizes, each assignment of mentions once."""
    numbers = [number for number, size in enumerate(sizes) for _ in range(size)]
    mentions = range(len(numbers))
    key = Partition.from_labels(dict(enumerate(numbers)))
    for order in permutations(mentions):
        yield key, Partition.from_labels(dict(zip(order, numbers, strict=True)))


def mean(parts):
    parts = list(parts)
    return sum(parts, Fraction(0)) / len(parts)


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2, 1), (4, 2), (3, 3), (2, 2, 2)])
def test_expectations_are_means_over_every_shuffle(sizes):
    pairs = list(every_shuffle(sizes))
    scores = {name: [metric(name)(*pair) for pair in pairs] for name in ("muc", "b3", "kappa")}
    assert variations.expected_muc(sizes) == mean(score.f1 for score in scores["muc"])
    assert variations.expected_b3(sizes) == mean(score.recall for score in scores["b3"])
    assert variations.expected_b3(sizes) == mean(score.precision for score in scores["b3"])
    assert variations.expected_kappa(sizes) == mean(score.value for score in scores["kappa"])


def test_a_simulation_comes_near_the_expectation():
    key = Partition.parse("{a b c} {d e} {f}")
    near = pytest.approx(float(variations.expected_muc(key.sizes)), abs=0.02)
    assert variations.simulated("muc", key, seed=1, runs=4000) == near


def test_the_baseline_scores_zero_and_the_perfect_response_one():
    assert variations.relative(Fraction(1, 3), Fraction(1, 3)) == 0
    assert variations.relative(Fraction(1), Fraction(1, 3)) == 1
    assert variations.relative(Fraction(0), Fraction(1, 3)) == Fraction(-1, 2)


def test_b_cubed_over_all_mentions_is_b_cubed():
    key, response = Partition.parse("{a b c} {d e}"), Partition.parse("{a b} {c d} {e}")
    score = metric("b3")(key, response)
    assert variations.b_cubed_over(key.mentions, key, response) == score[:2]


def test_b_cubed_over_some_mentions_by_hand():
    key, response = Partition.parse("{a b c} {d e}"), Partition.parse("{a b} {c d} {e}")
    # a: 2/3 and 1; d: 1/2 and 1/2.
    expected = (Fraction(7, 12), Fraction(3, 4))
    assert variations.b_cubed_over({"a", "d"}, key, response) == expected
