"""Tables of label arrays are those of partitions, whatever builds them and sums them up."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from test_measures import TOLERANCE, agree, every_measure, library, parts

from corefeval import Contingency, CorefError, Partition, metric
from corefeval.alignment import total
from corefeval.registry import MEASURES

LABELS = st.integers(-1, 4)
PAIRS_OF_LABELS = st.lists(st.tuples(LABELS, LABELS), max_size=25)
FORMS = {
    "integers": lambda labels: np.array(labels, np.int64),
    "a list": list,
    "small integers": lambda labels: np.array(labels, np.int8),
    "far apart": lambda labels: np.array([n if n < 0 else n * 10**12 for n in labels], np.int64),
    "texts": lambda labels: [None if n < 0 else f"e{n}" for n in labels],
    "an array of texts": lambda labels: np.array(
        [None if n < 0 else f"e{n}" for n in labels], object
    ),
    "texts and numbers": lambda labels: [n if n < 1 else f"e{n}" for n in labels],
}


def partition(labels) -> Partition:
    return Partition.from_labels({place: n for place, n in enumerate(labels) if n != -1})


def rows(t: Contingency) -> list:
    """The table, but for the order and the numbers of its entities."""
    found = [(n, t.key_sizes[i], t.response_sizes[j]) for (i, j), n in t.pairs.items()]
    return [sorted(found), sorted(t.key_sizes), sorted(t.response_sizes)]


@pytest.mark.parametrize("form", FORMS)
@given(labels=PAIRS_OF_LABELS)
def test_the_table_is_that_of_partitions(form, labels):
    sides = [[pair[side] for pair in labels] for side in (0, 1)]
    expected = Contingency.of(*map(partition, sides))
    t = Contingency.from_labels(*map(FORMS[form], sides))
    for got, want in ((t, expected), (t.T, expected.T)):
        assert rows(got) == rows(want)
        assert dict(got.triples) == dict(want.triples)
        assert dict(got.key_histogram) == dict(want.key_histogram)
        assert dict(got.shared_histogram) == dict(want.shared_histogram)
        assert got.key_entities == want.key_entities
        assert got.key_mentions == want.key_mentions
        assert got.shared_mentions == want.shared_mentions


@every_measure
@given(labels=PAIRS_OF_LABELS)
def test_scores_are_those_of_partitions(name, labels):
    sides = [[pair[side] for pair in labels] for side in (0, 1)]
    measure = library(name)
    for orientation in (1, -1):
        key, response = sides[::orientation]
        t = Contingency.from_labels(np.array(key, int), np.array(response, int))
        score = measure.of_table(t)
        expected = measure(partition(key), partition(response))
        assert agree(parts(score), parts(expected), TOLERANCE.get(name, 0))


@pytest.mark.parametrize("seed", range(20))
def test_alignments_of_larger_tables(seed):
    """Against SciPy's dense solver, which is exact for whole numbers."""
    random = np.random.default_rng(seed)
    key = random.integers(40, size=400)
    response = np.where(random.random(400) < seed / 20, random.integers(40, size=400), key)
    overlap = np.zeros((40, 40), int)
    np.add.at(overlap, (key, response), 1)
    expected = overlap[linear_sum_assignment(overlap, maximize=True)].sum()
    of_partitions = Contingency.of(partition(key), partition(response))
    for t in (Contingency.from_labels(key, response), of_partitions):
        assert total(t, lambda n, k, r: n) == total(t.T, lambda n, k, r: n) == expected


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        (np.array([[1], [1]]), [1], "key: expected .* of one dimension.*, got an array of 2 dim"),
        (np.array([1, -7]), [1, 1], "key: label -7 at place 1: expected labels from 0 on, or −1"),
        ([1, 2], [1], "the key has 2 labels and the response 1: expected one for each mention"),
        ([1, -7], [1, 1], "key: label -7 at place 1: expected labels from 0 on, or −1"),
        ([1, 1], [0.5, 1], "response: label 0.5 at place 0: expected whole numbers"),
        (
            [[1], [1]],
            [[1], [1]],
            r"key: label \[1\] at place 0: expected integers or texts, not a list",
        ),
    ],
)
def test_labels_that_are_none(key, response, message):
    with pytest.raises(CorefError, match=message):
        Contingency.from_labels(key, response)


def test_singletons_are_dropped_before_a_table_is_made():
    with pytest.raises(CorefError, match="singletons cannot be dropped from a table"):
        metric("b3", singletons="drop").of_table(Contingency.from_labels([1], [1]))


def test_no_mention():
    t = Contingency.from_labels([], [])
    assert (t.pairs, t.key_sizes, t.response_sizes) == ({}, [], [])


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in TOLERANCE])
def test_counts_of_label_arrays_are_pythons_numbers(name):
    """NumPy's integers overflow without a word, and JSON does not take them."""

    def numbers(counts):
        if isinstance(counts, tuple):
            return {kind for part in counts for kind in numbers(part)}
        return {type(counts)}

    labels = np.array([0, 0, 0, 1, 1, -1, 2, 3, 3]), np.array([0, 0, 1, 1, 2, 2, -1, 3, 3])
    table = Contingency.from_labels(*labels)
    score = metric(name).of_table(table)
    assert numbers(score.counts) <= {int, bool, Fraction}
    assert {type(part) for part in score[:4] if part is not None} <= {int, Fraction}
    for t in (table, table.T):
        assert {type(t.shared_mentions), type(t.key_mentions), type(t.key_entities)} == {int}
