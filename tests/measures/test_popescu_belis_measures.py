"""What is particular to the measures of Popescu-Belis: ranges, exact zeros.

Inequalities are the propositions of corefbook.
"""

import random
from collections import Counter
from fractions import Fraction
from math import fsum, log

import pytest
from alike import show
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, homogeneity_completeness_v_measure
from strategies import all_pairs, grouped

from corefeval import Partition, from_labels, metric
from corefeval.overlap.contingency import Contingency

# ---------------------------------------------------------------------------------------- κ


def test_kappa_leaves_its_range_in_the_crossing_pair_and_in_no_smaller_one():
    kappa = metric("kappa")
    found = {
        mentions: {
            (show(k), show(r)) for k, r in all_pairs(mentions) if kappa(k, r).exact.value < -1
        }
        for mentions in ("ab", "abc", "abcd")
    }
    crossing = {"{a d} {b c}", "{a c} {b d}"}
    assert found == {"ab": set(), "abc": set(), "abcd": {("{a b} {c d}", r) for r in crossing}}
    score = kappa("{a b} {c d}", "{a c} {b d}")
    assert (score.exact.value, score.counts.neither) == (-2, -1)
    assert kappa("{a b} {c}", "{a c} {b}").exact.value == -1


# ---------------------------------------------------------------------------------------- H

labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


@given(labels)
def test_h_is_the_v_measure(pairs):
    """scikit-learn's homogeneity is precision, its completeness recall, and 0/0 is 1."""
    key, response = (grouped(range(len(pairs)), side) for side in zip(*pairs, strict=True))
    score = metric("h", zero="one")(key, response)
    expected = homogeneity_completeness_v_measure(*zip(*pairs, strict=True))
    got = float(score.precision), float(score.recall), float(score.f1)
    assert got == pytest.approx(expected, abs=1e-12)


sizes = st.lists(st.integers(1, 5), min_size=2, max_size=5)


def crossed(rows, columns) -> dict[tuple[int, int], int]:
    """How many mentions each pair of entities shares if they are independent."""
    return {(i, j): u * v for i, u in enumerate(rows) for j, v in enumerate(columns)}


def of_cells(cells: dict[tuple[int, int], int]) -> tuple:
    mentions = [(i, j, number) for (i, j), n in cells.items() for number in range(n)]
    return tuple(grouped(mentions, [mention[side] for mention in mentions]) for side in (0, 1))


@given(sizes, sizes)
def test_h_is_exactly_0_if_and_only_if_key_and_response_are_independent(rows, columns):
    cells = crossed(rows, columns)
    assert metric("h")(*of_cells(cells)).exact[:3] == (0, 0, 0)
    cells[0, 0] += 1
    assert all(0 < part < 1 for part in metric("h")(*of_cells(cells)).exact[:3])


def test_the_difference_of_two_entropies_would_not_be_exactly_0():
    """Why independence is decided by whole numbers."""

    def difference(rows, columns) -> float:
        t = Contingency.of(*map(Partition, of_cells(crossed(rows, columns))))
        sent = fsum(r * log(t.key_mentions / r) for r in t.response_sizes)
        kept = sum(n * log(k / n) * times for (n, k, r), times in t.triples.items())
        return sent - kept

    differences = [difference((1, a), (1, b, 1)) for a in range(1, 5) for b in range(1, 5)]
    assert 0.0 in differences
    assert any(0 < abs(each) < 1e-12 for each in differences)


@given(labels)
def test_not_a_bit_of_h_depends_on_the_order_of_entities(pairs):
    """However many logarithms there are to add up."""
    key, response = (grouped(range(len(pairs)), side) for side in zip(*pairs, strict=True))
    assert metric("h")(key[::-1], response[::-1]).exact[:3] == metric("h")(key, response).exact[:3]


@given(labels)
def test_h_is_exactly_1_where_nothing_is_lost_or_nothing_is_added(pairs):
    """A response that only divides key entities: precision; one that only joins them: recall."""
    both = [*range(len(pairs))]
    key = grouped(both, [i for i, _ in pairs])
    finer = grouped(both, [(i, j) for i, j in pairs])
    h = metric("h", zero="one")
    assert h(key, finer).exact.precision == h(finer, key).exact.recall == 1
    assert (h(key, finer).exact.recall == 1) is (len(key) == len(finer))


# ---------------------------------------------------------------------------- other fields


def test_scores_of_other_fields_are_in_the_same_table():
    """What the page of measures says of K, exact clusters, purity and the adjusted Rand index."""
    draw = random.Random(5)
    for _ in range(50):
        key, response = ([draw.randrange(4) for _ in range(12)] for _ in range(2))
        table = from_labels(key, response)
        pairs = Counter(zip(key, response, strict=True))
        k, r = Counter(key), Counter(response)
        recall, precision = metric("b3")(table).exact[:2]
        exact = metric("ceaf1")(table).exact
        assert recall == sum(Fraction(n * n, k[i]) for (i, _), n in pairs.items()) / 12
        assert precision == sum(Fraction(n * n, r[j]) for (_, j), n in pairs.items()) / 12
        equal = sum(n == k[i] == r[j] for (i, j), n in pairs.items())
        assert exact[:2] == (Fraction(equal, len(k)), Fraction(equal, len(r)))
        purity = sum(max(n for (_, j), n in pairs.items() if j == of) for of in r)
        assert purity == sum(n * times for n, times in table.T.core_histogram.items())
        links = metric("pairwise")(table).counts
        hits, of_key, of_response = links.recall.hits, links.recall.total, links.precision.total
        chance = Fraction(of_key * of_response, 66)
        if Fraction(of_key + of_response, 2) != chance:
            index = (hits - chance) / (Fraction(of_key + of_response, 2) - chance)
            assert float(index) == pytest.approx(adjusted_rand_score(key, response))
