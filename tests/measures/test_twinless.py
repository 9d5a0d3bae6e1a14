"""Mentions on one side only: every policy against sets, and against its papers' figures."""

from functools import cache

import oracle
import pytest
from alike import TOLERANCE, agree, parts
from hypothesis import given, settings
from kinds import APART, SPLIT
from rows import every_row
from strategies import all_pairs, corpora, disjoint_union, pairs

from corefeval import CorefError, evaluate, metric
from corefeval.conventions import CHOICES
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.overlap.partition import Partition
from corefeval.overlap.twinless import POLICIES
from corefeval.registry import MEASURES

# Small random corpora often share no mention, of which evaluate warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")

ONE_TABLE = [name for name in POLICIES if name not in SPLIT]
BY_DAY = ("mentions", "b3_class", "ceafe")
"""A policy changes the table, and these measures read all of it: cells, entities and mentions."""
every_apart = pytest.mark.parametrize(
    "name", [*BY_DAY, *(pytest.param(n, marks=pytest.mark.proof) for n in APART if n not in BY_DAY)]
)
every_policy = every_row("policy", POLICIES)


def test_every_choice_is_a_policy():
    assert tuple(CHOICES["twinless"]) == tuple(POLICIES) == tuple(oracle.TWINLESS)


@cache
def small_pairs(mentions):
    return all_pairs(mentions)


def is_as_on_sets(name, policy, key, response):
    sides = oracle.TWINLESS[policy](key, response)
    for choice, zero in (("zero", 0), ("one", 1)):
        score = parts(metric(name, twinless=policy, zero=choice)(key, response))
        expected = oracle.apart(name, *sides, zero)
        assert agree(score, expected, TOLERANCE.get(name, 0)), (policy, key, response)


@pytest.mark.parametrize("mentions", ["abc", pytest.param("abcd", marks=pytest.mark.proof)])
@every_apart
@every_policy
def test_all_small_pairs(name, policy, mentions):
    for pair in small_pairs(mentions):
        is_as_on_sets(name, policy, *pair)


@every_apart
@every_policy
@settings(max_examples=15)
@given(pair=pairs())
def test_random_pairs(name, policy, pair):
    is_as_on_sets(name, policy, *pair)


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in APART])
@every_row("policy", SPLIT)
def test_a_measure_of_one_table_says_so(name, policy):
    with pytest.raises(CorefError, match=f"{name}: .* twinless .*keep or complete"):
        metric(name, twinless=policy)("{a b}", "{a c}")


@pytest.mark.parametrize("mentions", ["abc", pytest.param("abcd", marks=pytest.mark.proof)])
@pytest.mark.parametrize("name", [name for name in MEASURES if name not in APART])
@every_row("policy", ONE_TABLE)
def test_a_measure_of_one_table_takes_the_others(name, policy, mentions):
    for pair in small_pairs(mentions):
        (sides, _) = oracle.TWINLESS[policy](*pair)
        got = parts(metric(name, twinless=policy)(*pair))
        assert agree(got, oracle.score(name, *sides), TOLERANCE.get(name, 0))


@every_apart
@every_policy
@settings(max_examples=10)
@given(documents=corpora())
def test_totals(name, policy, documents):
    """The documents' counts added, whether the library adds counts or tables."""
    key = {document: pair[0] for document, pair in documents.items()}
    response = {document: pair[1] for document, pair in documents.items()}
    report = evaluate(key, response, name, twinless=policy)
    nothing = MEASURES[name].counts(Tables.alike(Contingency({}, [], [])))
    added = sum((counts[name] for counts in report.counts.values()), start=nothing)
    expected = added.score(report.conventions)
    assert agree(parts(report.total[name]), parts(expected), TOLERANCE.get(name, 0))


@given(documents=corpora())
def test_a_union_is_the_table_of_all_documents(documents):
    tables = [Contingency.of(*map(Partition, pair)) for pair in documents.values()]
    together = Contingency.of(*map(Partition, disjoint_union(documents)))
    union = Contingency.union(tables)
    assert union.triples == together.triples
    assert sorted(union.key_sizes) == sorted(together.key_sizes)
    assert sorted(union.response_sizes) == sorted(together.response_sizes)
