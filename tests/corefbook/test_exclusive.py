"""Exclusive core classes: all scores that their ties allow, and which the library's order gives."""

from itertools import permutations

import oracle
import pytest
from corefbook.papers.popescubelis.exclusive import reachable
from strategies import all_pairs

from corefeval import Partition, metric
from corefeval.overlap.contingency import Contingency

LIBRARY = {"core": "xc", "free": "xc_free"}
READINGS = pytest.mark.parametrize("reading", ["core", "free"])


def table(key, response) -> Contingency:
    return Contingency.of(Partition(key), Partition(response))


def read(*texts: str) -> tuple:
    """Key and response of the notation, as sets."""
    return tuple([*map(frozenset, Partition.parse(text))] for text in texts)


@pytest.mark.proof
@READINGS
@pytest.mark.parametrize(("mentions", "twinless"), [("abc", True), ("abcde", False)])
def test_all_scores_of_xc_are_reached(reading, mentions, twinless):
    for pair in all_pairs(mentions, twinless=twinless):
        assert reachable(table(*pair), reading) == oracle.xc_reachable(*pair, reading), pair


def by_order(key, response, reading) -> set[tuple[int, int]]:
    """(correct, incorrect) for every order in which the entities may be given."""
    xc = metric(LIBRARY[reading])
    counted = (xc(k, r).counts for k in permutations(key) for r in permutations(response))
    return {(counts.correct, counts.incorrect) for counts in counted}


@READINGS
def test_an_order_settles_ties_in_one_way(reading):
    for key, response in all_pairs("abcd", twinless=False):
        settled = by_order(key, response, reading)
        assert settled <= reachable(table(key, response), reading)
        if reading == "free":
            assert settled == reachable(table(key, response), reading)


def test_no_tie_falls_on_a_taken_class():
    """{c d} matches {a c} and {d} equally: if it means {a c}, which {a b} has, it gets nothing."""
    pair = read("{a b} {c d}", "{a c} {b} {d}")
    assert reachable(table(*pair)) - by_order(*pair, "core") == {(1, 1)}
    assert (1, 1) not in reachable(table(*pair), "free")


@READINGS
def test_the_smallest_example_of_a_tie_in_xc(reading):
    """{a b} matches {a c} and {b} equally; if it is given {a c}, {c} gets nothing."""
    ties = [
        (set(key), set(response))
        for mentions in ("a", "ab", "abc")
        for key, response in all_pairs(mentions, twinless=False)
        if len(reachable(table(key, response), reading)) > 1
    ]
    one, other = read("{a} {b c}", "{a b} {c}"), read("{a} {b c}", "{a c} {b}")  # but for names
    assert len(ties) == 2
    assert all((set(key), set(response)) in ties for key, response in (one, other))

    xc = metric(LIBRARY[reading])
    score, otherwise = xc("{a b} {c}", "{a c} {b}"), xc("{a b} {c}", "{b} {a c}")
    assert repr(score) == "recall 1/3, precision 2/3, f1 4/9"
    assert repr(otherwise) == "recall 2/3, precision 2/3, f1 2/3"
    assert reachable(table(*read("{a b} {c}", "{a c} {b}")), reading) == {(1, 1), (2, 1)}
