"""Tables of label arrays are those of partitions, whatever builds them and sums them up."""

from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest
from alike import TOLERANCE, agree, is_same, parts
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kinds import APART, SPLIT
from rows import every_row
from scipy.optimize import linear_sum_assignment

from corefeval import Contingency, CorefError, Partition, evaluate, from_labels, metric
from corefeval.measures.ceaf import phi4
from corefeval.overlap import alignment
from corefeval.overlap.alignment import best_sum, settle, whole
from corefeval.overlap.contingency import Tables
from corefeval.overlap.twinless import POLICIES
from corefeval.registry import MEASURES
from corefeval.scale import arrays as columns
from corefeval.scale.tables import CountedTable

# Small random corpora often share no mention, of which evaluate warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")

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


def of_arrays(labels) -> Contingency:
    return from_labels(*(np.array([pair[side] for pair in labels], int) for side in (0, 1)))


def of_partitions(labels) -> Contingency:
    return Contingency.of(*(partition([pair[side] for pair in labels]) for side in (0, 1)))


@pytest.mark.parametrize("form", FORMS)
@given(labels=PAIRS_OF_LABELS)
def test_the_table_is_that_of_partitions(form, labels):
    sides = [[pair[side] for pair in labels] for side in (0, 1)]
    is_same(from_labels(*map(FORMS[form], sides)), of_partitions(labels))


@pytest.mark.parametrize("policy", POLICIES)
@given(labels=PAIRS_OF_LABELS)
def test_policies_are_arithmetic(policy, labels):
    """On histograms, from which follow no pairs; and on arrays, where measures need pairs."""
    for got, want in (
        (of_arrays(labels), of_partitions(labels)),
        (of_arrays(labels).T, of_partitions(labels).T),
    ):
        for arrays, lists in zip(POLICIES[policy](got), POLICIES[policy](want), strict=True):
            if lists is None:
                assert arrays is None
                continue
            is_same(arrays, lists)
            if arrays.aligner is not None:
                counted = CountedTable(arrays.aligner.columns)
                is_same(counted, lists)
                assert counted.response_sizes == lists.response_sizes


@pytest.mark.proof
@every_row("form", [of_arrays, of_partitions])
@every_row("policy", POLICIES)
@settings(max_examples=25)
@given(documents=st.lists(PAIRS_OF_LABELS, min_size=1, max_size=3))
def test_policies_act_in_each_document(policy, form, documents):
    """Else BLANC would count links between documents."""
    tables = [form(labels) for labels in documents]
    together = POLICIES[policy](Contingency.union(tables))
    each = [POLICIES[policy](of_partitions(labels)) for labels in documents]
    apart = [[tables.recall for tables in each], [tables.precision for tables in each]]
    for got, want in zip(together[:2], apart, strict=True):
        is_same(got, Contingency.union(want))
        counts = [MEASURES["blanc"].counts(Tables.alike(t)) for t in want]
        assert MEASURES["blanc"].counts(Tables.alike(got)) == reduce(add, counts)


@pytest.mark.parametrize("name", MEASURES)
@given(labels=PAIRS_OF_LABELS, policy=st.sampled_from([*POLICIES]))
def test_scores_are_those_of_partitions(name, labels, policy):
    measure = metric(name)
    assume(measure.measure.name in APART or policy not in SPLIT)
    measure = measure._replace(conventions=measure.conventions.but(twinless=policy))
    tables = of_arrays(labels), of_partitions(labels)
    for got, want in (tables, [t.T for t in tables]):
        score, expected = (measure(t) for t in (got, want))
        assert agree(parts(score), parts(expected), TOLERANCE.get(name, 0))


@pytest.mark.parametrize("rounds", [alignment.MOST_ROUNDS, 1])
@pytest.mark.parametrize("seed", range(20))
def test_alignments_of_larger_tables(seed, rounds, monkeypatch):
    """Against SciPy's dense solver, which is exact for whole numbers."""
    for module in (alignment, columns):
        monkeypatch.setattr(module, "MOST_ROUNDS", rounds)
    random = np.random.default_rng(seed)
    key = random.integers(40, size=400)
    response = np.where(random.random(400) < seed / 20, random.integers(40, size=400), key)
    overlap = np.zeros((40, 40), int)
    np.add.at(overlap, (key, response), 1)
    expected = overlap[linear_sum_assignment(overlap, maximize=True)].sum()
    of_partitions = Contingency.of(partition(key), partition(response))
    for t in (from_labels(key, response), of_partitions):
        assert best_sum(t, lambda n, k, r: n) == best_sum(t.T, lambda n, k, r: n) == expected


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        (np.array([[1], [1]]), [1], "key: expected .* of one dimension.*, got an array of 2 dim"),
        ([1, 2], [1], "the key has 2 labels and the response 1: expected one for each mention"),
    ],
)
def test_labels_that_are_none(key, response, message):
    with pytest.raises(CorefError, match=message):
        from_labels(key, response)


@pytest.mark.parametrize("singletons", ["drop", "drop_response"])
@pytest.mark.parametrize("form", [of_arrays, of_partitions])
@given(documents=st.lists(PAIRS_OF_LABELS, min_size=1, max_size=3))
def test_singletons_are_dropped_from_a_table(form, singletons, documents):
    """As from the documents' partitions, before they are counted."""
    sides = [
        {d: partition([pair[side] for pair in labels]) for d, labels in enumerate(documents)}
        for side in (0, 1)
    ]
    table = Contingency.union(map(form, documents))
    for name in ("muc", "ceafe", "blanc", "lea"):
        got = metric(name, singletons=singletons)(table)
        assert got.exact[:4] == evaluate(*sides, name, singletons=singletons).total[name].exact[:4]


def test_no_mention():
    t = from_labels([], [])
    assert (t.pairs, t.key_sizes, t.response_sizes) == ({}, [], [])


@every_row("name", [name for name in MEASURES if name not in TOLERANCE])
def test_counts_of_label_arrays_are_pythons_numbers(name):
    """NumPy's integers overflow without a word, and JSON does not take them."""

    def numbers(counts):
        if isinstance(counts, tuple):
            return {kind for part in counts for kind in numbers(part)}
        return {type(counts)}

    labels = np.array([0, 0, 0, 1, 1, -1, 2, 3, 3]), np.array([0, 0, 1, 1, 2, 2, -1, 3, 3])
    table = from_labels(*labels)
    score = metric(name)(table)
    assert numbers(score.counts) <= {int, bool, Fraction}
    assert {type(part) for part in score.exact[:4] if part is not None} <= {Fraction}
    for t in (table, table.T):
        assert {type(t.shared_mentions), type(t.key_mentions), type(t.key_entities)} == {int}


def test_two_pairs_hardly_better_than_one_are_taken():
    """1999 mentions in one pair of entities, 1000 in each of the two that go without it."""
    key = [0] * 1999 + [0] * 1000 + [1] * 1000
    response = [0] * 1999 + [1] * 1000 + [0] * 1000
    score = metric("ceafm")(from_labels(key, response))
    assert (score.counts.recall.hits, score.counts.recall.total) == (2000, 3999)


def chain(mentions):
    """The labels of two sides whose entities, of two mentions each, hang together in one chain."""
    return [[(place + moved) // 2 for place in range(mentions)] for moved in (0, 1)]


def looked_up(t):
    """How often a pair's worth is asked for until the pairs of a table are settled."""

    class Worth(dict):
        times = 0

        def __getitem__(self, triple):
            Worth.times += 1
            return super().__getitem__(triple)

    worth = Worth(whole({triple: phi4(*triple) for triple in t.triples}))
    _, left = settle(t, worth)
    assert left == {}
    return Worth.times


def test_a_chain_of_entities_takes_linear_time():
    """Each round over all pairs settles the two at the ends: 10,000 mentions took 6 seconds."""
    short, long = (Contingency.of(*map(partition, chain(mentions))) for mentions in (200, 2000))
    assert looked_up(long) < 12 * looked_up(short)


def test_a_chain_of_labels_takes_linear_time(monkeypatch):
    rounds, disjoint = [], columns._disjoint
    monkeypatch.setattr(columns, "_disjoint", lambda *args: rounds.append(1) or disjoint(*args))
    assert looked_up(from_labels(*chain(2000))) < 4 * 2000
    assert len(rounds) == alignment.MOST_ROUNDS


def test_the_score_of_a_long_chain():
    """By hand: of 100 key entities two have all of one of their own, worth 2/3, the others 1/2."""
    key, response = chain(200)
    for t in (from_labels(key, response), Contingency.of(partition(key), partition(response))):
        assert metric("ceafe")(t).counts.recall == (Fraction(2 * 2, 3) + Fraction(98, 2), 100)
