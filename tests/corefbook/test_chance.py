"""κ of random responses, counted without drawing any, and where DEF.7 is 0/0."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from corefbook.ledger import Example, load
from corefbook.papers.popescubelis import chance
from hypothesis import given
from hypothesis import strategies as st

from corefeval.measures.kappa import Agreement
from corefeval.scoring import metric

SAMPLE = load("popescubelis").examples["sample"]
sizes = st.lists(st.integers(1, 3), min_size=1, max_size=3).filter(lambda k: sum(k) <= 6)


def dealt(key, response):
    """The numbers of overlaps of all orders of the mentions, each counted from sets."""
    key_of = [i for i, n in enumerate(key) for _ in range(n)]
    response_of = [j for j, n in enumerate(response) for _ in range(n)]
    orders = Counter(len({*zip(key_of, order, strict=True)}) for order in permutations(response_of))
    every = sum(orders.values())
    return {overlaps: Fraction(n, every) for overlaps, n in orders.items()}


@given(sizes, sizes)
def test_overlaps_are_as_probable_as_dealt(key, response):
    key = [*key, *[1] * (sum(response) - sum(key))]
    response = [*response, *[1] * (sum(key) - sum(response))]
    assert chance.overlaps_by_chance(key, response) == dealt(key, response)


def test_counts_of_overlaps_are_the_librarys():
    counts = metric("kappa")(SAMPLE.key, SAMPLE.response).counts
    assert chance.links((7, 5, 3, 2), (9, 7, 1), 6) == counts
    assert chance.def_7(counts) == metric("kappa")(SAMPLE.key, SAMPLE.response).exact.value


def test_random_responses_to_the_sample():
    chances = chance.chance_of(SAMPLE)
    assert round(chances.kappa, 2) == Fraction("-1.19")
    assert round(chances.links, 2) == Fraction("8.85")
    assert Fraction("0.008") < chances.as_good < Fraction("0.01")


@pytest.mark.parametrize(
    ("sides", "mean"), [(((2, 2), (2, 2)), -1), (((2, 2, 1), (2, 2, 1)), Fraction(-3, 5))]
)
def test_means_that_can_be_counted_by_hand(sides, mean):
    assert chance.chance(*sides, 2 if len(sides[0]) == 2 else 3).kappa == mean


@pytest.mark.parametrize(
    "counts", [Agreement(0, 0, 0, 0), Agreement(3, 0, 0, 0), Agreement(0, 0, 0, 3)]
)
def test_def_7_needs_some_links_and_gaps(counts):
    assert chance.def_7(counts) is None


@pytest.mark.parametrize(
    ("key", "response"), [("{a b} {c d}", "{a b} {c d}"), ("{a b} {c d}", "{a c} {b d}")]
)
def test_the_remark_on_chance_fails_on_another_example(key, response):
    with pytest.raises(AssertionError, match="not between chance and independence"):
        chance.chance_shown(Example("", {"key": key, "response": response}), "")


def test_the_remark_on_perfect_responses_can_fail(monkeypatch):
    monkeypatch.setattr(chance, "def_7", lambda counts: None)
    with pytest.raises(AssertionError, match="other perfect responses"):
        chance.perfect_and_undefined()
