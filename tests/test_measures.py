"""Every registered measure gives exactly what its oracle gives."""

from functools import cache

import oracle
import pytest
from hypothesis import given, settings
from reference_cases import (
    LUO,
    LUO_KEY,
    RECASENS,
    RECASENS_KEY,
    REFERENCE_SCORER,
    REFERENCE_TOLERANCE,
    changed,
)
from strategies import all_pairs, corpora, links, pairs

from corefeval import alignment, evaluate, link_score, metric
from corefeval.conventions import Conventions
from corefeval.registry import MEASURES, Measure, overlap
from corefeval.score import Pair

every_measure = pytest.mark.parametrize("name", MEASURES)
every_ceaf = pytest.mark.parametrize("name", [name for name in MEASURES if "ceaf" in name])
ZERO = {"zero": 0, "one": 1}


def tabled(key, response, singletons="keep"):
    """A key and a response as the oracle takes them, and as the library's table."""
    table = overlap(key, response, Conventions(singletons=singletons))
    if singletons == "drop":
        key, response = ([e for e in side if len(e) > 1] for side in (key, response))
    return key, response, table


@cache
def small_pairs():
    """Every key and response over up to five mentions: made once for all measures."""
    return [tabled(*pair) for pair in all_pairs("abcde")]


def check(measure: Measure, cases) -> None:
    """Assert that a measure counts, and scores, in each case what the oracle of its name does."""
    expect = oracle.ORACLES[measure.name]
    for key, response, table in cases:
        where = f"{measure.name} of {show(key)} against {show(response)}"
        counts, expected_counts = measure.counts(table), expect.counts(key, response)
        if isinstance(counts, Pair):
            counted = (*tally(counts.recall), *tally(counts.precision))
            assert counted == expected_counts, f"{where}: counts"
        for choice, zero in ZERO.items():
            score = counts.score(Conventions(zero=choice))
            expected = expect.score(expected_counts, zero)
            assert parts(score) == expected, f"{where}, zero={choice}: got {score}"


def tally(counted):
    return counted.hits, counted.total


def parts(score):
    return score.recall, score.precision, score.f1, score.value


def show(entities) -> str:
    return " ".join("{" + " ".join(sorted(map(str, entity))) + "}" for entity in entities) or "{}"


def test_every_measure_has_an_oracle():
    assert set(MEASURES) <= set(oracle.ORACLES)


@every_measure
def test_all_small_pairs(name):
    check(MEASURES[name], small_pairs())


@every_measure
@given(pair=pairs())
def test_random_pairs(name, pair):
    check(MEASURES[name], [tabled(*pair), tabled(*pair, singletons="drop")])


@every_ceaf
@pytest.mark.parametrize("dense_cells", [0, alignment.DENSE_CELLS], ids=["sparse", "dense"])
@settings(max_examples=50)
@given(pair=pairs())
def test_alignments_by_scipy(name, dense_cells, pair):
    """What large components are solved with, on small ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "EXACT_SIZE", 1)
        patch.setattr(alignment, "DENSE_CELLS", dense_cells)
        check(MEASURES[name], [tabled(*pair)])


@every_measure
@settings(max_examples=50)
@given(documents=corpora())
def test_totals_of_random_corpora(name, documents):
    key = {document: pair[0] for document, pair in documents.items()}
    response = {document: pair[1] for document, pair in reversed(documents.items())}
    for choice, zero in ZERO.items():
        report = evaluate(key, response, name, zero=choice)
        assert parts(report.total[name]) == oracle.total(name, documents, zero)
        assert {d: parts(scores[name]) for d, scores in report.documents.items()} == {
            d: oracle.score(name, *pair, zero) for d, pair in documents.items()
        }


REFERENCE = [
    (case, name)
    for case, printed in REFERENCE_SCORER.items()
    for name in printed
    if name in MEASURES
]


@pytest.mark.parametrize(("case", "name"), REFERENCE)
def test_the_reference_scorers_own_cases(case, name):
    printed = REFERENCE_SCORER[case]
    score = metric(name)(printed["key"], printed["response"])
    computed = [float(part) for part in score[:3]]
    assert computed == pytest.approx(printed[name], abs=REFERENCE_TOLERANCE)


def test_the_reference_scorers_measures_are_all_tried():
    assert {name for _, name in REFERENCE} == {"muc", "b3", "ceafm", "ceafe", "blanc", "lea"}


@pytest.mark.parametrize("row", LUO)
def test_luo_2005(row):
    names = LUO[row].keys() - {"response"}
    f1 = {name: metric(name)(LUO_KEY, LUO[row]["response"]).f1 for name in names}
    assert {name: float(f1[name]) for name in names} == pytest.approx(
        {name: LUO[row][name] for name in names}, abs=0.0005
    )


@pytest.mark.parametrize("row", RECASENS)
def test_recasens_2010(row):
    names = RECASENS[row].keys() - {"change"}
    response = changed(RECASENS_KEY, RECASENS[row]["change"])
    f1 = {name: metric(name)(RECASENS_KEY, response).f1 for name in names}
    assert {name: float(100 * f1[name]) for name in names} == pytest.approx(
        {name: RECASENS[row][name] for name in names}, abs=0.005
    )


@given(links(), links())
def test_link_score(key, response):
    for choice, zero in ZERO.items():
        score = link_score(key, response, zero=choice)
        assert parts(score) == oracle.link_score(key, response, zero)
