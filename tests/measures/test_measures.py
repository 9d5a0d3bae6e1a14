"""Every registered measure gives exactly what its oracle gives, but for rounded logarithms.

What papers and the reference scorer print is asked of the oracle by test_oracle.py, and of the
library by the ledger.
"""

from fractions import Fraction
from functools import cache, reduce
from operator import add
from random import Random

import oracle
import pytest
from alike import TOLERANCE, agree, parts, show
from corefbook.alignment import align
from hypothesis import given
from rows import every_row
from strategies import all_pairs, corpora, links, pairs

from corefeval import Partition, evaluate, metric
from corefeval.conventions import Conventions
from corefeval.measures import link_score
from corefeval.measures.distributional import Share
from corefeval.measures.kappa import Agreement
from corefeval.overlap import alignment
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.registry import MEASURES, Measure
from corefeval.score import Pair
from corefeval.scoring import Sides

# Small random corpora often share no mention, of which evaluate warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")

NAMES = [*MEASURES]
ZERO = {"zero": 0, "one": 1}


def tabled(key, response, singletons="keep", twinless="keep"):
    """A key and a response as the oracle takes them, and as the library's table."""
    choice = Conventions(singletons=singletons, twinless=twinless)
    table = Sides(key, response).tables(choice).recall
    if singletons == "drop":
        key, response = ([e for e in side if len(e) > 1] for side in (key, response))
    if twinless == "complete":
        key, response = oracle.completed(key, response)
    return key, response, table


@cache
def small_pairs(mentions="abcde"):
    """Every key and response over up to so many mentions: made once for all measures."""
    return [tabled(*pair) for pair in all_pairs(mentions)]


def check(measure: Measure, cases) -> None:
    """Assert that a measure counts, and scores, in each case what the oracle of its name does."""
    expect, tolerance = oracle.ORACLES[measure.name], TOLERANCE.get(measure.name, 0)
    for key, response, table in cases:
        where = f"{measure.name} of {show(key)} against {show(response)}"
        counts, expected_counts = measure.counts(Tables.alike(table)), expect.counts(key, response)
        if isinstance(counts, Pair | Agreement | Share):
            assert agree(counted(counts), expected_counts, tolerance), f"{where}: counts"
        for choice in ZERO:
            score = counts.score(metric(measure.name, zero=choice).conventions)
            expected = expect.score(expected_counts, ZERO[choice])
            got = f"{where}, zero={choice}: got {score}"
            assert agree(parts(score), expected, tolerance), got


def counted(counts: Pair | Agreement | Share) -> tuple:
    """The numbers that a measure counts, as the oracle gives them."""
    match counts:
        case Pair(recall, precision):
            return *recall, *precision
        case Share(only):
            return only
        case _:
            return tuple(counts)


@pytest.mark.parametrize("mentions", ["abcd", pytest.param("abcde", marks=pytest.mark.proof)])
@pytest.mark.parametrize("name", NAMES)
def test_all_small_pairs(name, mentions):
    check(MEASURES[name], small_pairs(mentions))


@cache
def pairs_of_six():
    """Every key and response of the same six mentions, where the readings of XC first differ."""
    return [tabled(*pair) for pair in all_pairs("abcdef", twinless=False)]


@pytest.mark.parametrize("name", ["xc", "xc_free"])
def test_all_pairs_of_six_mentions(name):
    check(MEASURES[name], pairs_of_six())


@given(pair=pairs())
def test_random_pairs(pair):
    """As they are, and completed (DEF.19), on sets and by the conventions of these names."""
    kept, dropped = tabled(*pair), tabled(*pair, "drop")
    completed = [tabled(*pair, singletons, "complete") for singletons in ("keep", "drop")]
    for measure in MEASURES.values():
        check(measure, [kept, dropped, *completed])


def test_all_small_pairs_completed():
    cases = [tabled(*pair, twinless="complete") for pair in all_pairs("abc")]
    for measure in MEASURES.values():
        check(measure, cases)


PHI = {
    "phi1": (lambda n, k, r: int(n == k == r), oracle.phi1),
    "phi2": (lambda n, k, r: 1, oracle.phi2),
    "phi3": (lambda n, k, r: n, oracle.phi3),
    "phi4": (lambda n, k, r: Fraction(2 * n, k + r), oracle.phi4),
}
SOLVERS = {
    "sparse": {"EXACT_SIZE": 1, "DENSE_CELLS": 0},
    "dense": {"EXACT_SIZE": 1},
}


def aligned(table, similarity):
    """The sum that the chosen pairs have, each entity in one of them."""
    k, r = table.key_sizes, table.response_sizes
    pairs = align(table, similarity)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    return sum(Fraction(similarity(table.pairs[i, j], k[i], r[j])) for i, j in pairs)


@pytest.mark.parametrize("phi", PHI)
@pytest.mark.parametrize("seed", range(4))
def test_scipy_finds_the_best_sum_of_large_components(monkeypatch, phi, seed):
    similarity, _ = PHI[phi]
    random = Random(seed)
    labels = [[random.randrange(40) ** 2 // 40 for _ in range(300)] for _ in range(2)]
    t = Contingency.of(*(Partition.from_labels(dict(enumerate(side))) for side in labels))
    exact = aligned(t, similarity)
    for solver, values in SOLVERS.items():
        for name, value in values.items():
            monkeypatch.setattr(alignment, name, value)
        assert aligned(t, similarity) == exact, solver
        monkeypatch.undo()


@pytest.mark.parametrize(("keys", "responses"), [(60, 60), (61, 60), (60, 61)])
@pytest.mark.parametrize("shift", [0, 1])
def test_components_up_to_the_border_are_solved_in_whole_numbers(keys, responses, shift):
    """Two alignments of 60 pairs each differ by 10⁻¹⁸, which no sum of doubles shows."""
    assert alignment.EXACT_SIZE == 60
    edges = {(i, (i + by) % 60): Fraction(1) for i in range(60) for by in (0, 1)}
    edges[7, 7 + shift] += Fraction(1, 10**18)
    if keys > 60:
        edges[60, 0] = Fraction(1, 1000)
    if responses > 60:
        edges[0, 60] = Fraction(1, 1000)
    expected = [(i, (i + shift) % 60) for i in range(60)]
    assert sorted(alignment._aligned(edges)) == expected


def test_components_beyond_the_border_are_left_to_scipy(monkeypatch):
    edges = {(i, (i + by) % 61): Fraction(1 + by) for i in range(61) for by in (0, 1)}
    monkeypatch.setattr(alignment, "_exact", None)
    assert sorted(alignment._aligned(edges)) == [(i, (i + 1) % 61) for i in range(61)]


@given(pair=pairs())
def test_alignments(pair):
    """Each solver finds the best, on small components too, either way round."""
    t = Contingency.of(*map(Partition, pair))
    for phi, (similarity, on_sets) in PHI.items():
        best = oracle.best_alignment(*pair, on_sets)
        for solver, values in {"exact": {}, **SOLVERS}.items():
            with pytest.MonkeyPatch.context() as patch:
                for name, value in values.items():
                    patch.setattr(alignment, name, value)
                for table in (t, t.T):
                    found = aligned(table, similarity), alignment.best_sum(table, similarity)
                    assert found == (best, best), (phi, solver)


@given(documents=corpora())
def test_totals_of_random_corpora(documents):
    key = {document: pair[0] for document, pair in documents.items()}
    response = {document: pair[1] for document, pair in reversed(documents.items())}
    for choice, zero in ZERO.items():
        report = evaluate(key, response, "all", zero=choice)
        assert report.documents.keys() == documents.keys()
        for name in NAMES:
            tolerance = TOLERANCE.get(name, 0)
            got = parts(report.total[name])
            assert agree(got, oracle.total(name, documents, zero), tolerance), name
            for document, pair in documents.items():
                got = parts(report.documents[document][name])
                assert agree(got, oracle.score(name, *pair, zero), tolerance), name


@given(links(), links())
def test_link_score(key, response):
    for choice, zero in ZERO.items():
        score = link_score(key, response, zero=choice)
        assert parts(score) == oracle.link_score(key, response, zero)


@every_row("name", MEASURES)
def test_counts_of_documents_add_up_to_those_of_the_total(name):
    # Each number of κ's counts differs from each other, and from the other document's.
    key = {"one": "{a b c d e} {f g h}", "two": "{a b} {c d e f} {g h i j} {k l m}"}
    response = {"one": "{a b f} {c d e g} {h i}", "two": "{a b} {c d} {e f g h n} {i j k}"}
    report = evaluate(key, response, name)
    added = reduce(add, (counts[name] for counts in report.counts.values()))
    assert added == report.total[name].counts
    assert added != report.counts["one"][name] and added != report.counts["two"][name]
