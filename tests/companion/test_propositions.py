"""Popescu-Belis's propositions and criteria over all pairs of partitions of eight mentions."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from companion import enumeration
from companion.popescubelis import coherence, propositions
from strategies import grouped
from test_enumeration import labellings

from corefeval import metric
from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.measures.core_classes import reachable
from corefeval.registry import MEASURES
from corefeval.score import Tally
from corefeval.twinless import completed

MOST = 8


# -------------------------------------------------------------------------- PROP.1–13


def test_there_are_thirteen():
    assert [*propositions.PROPOSITIONS] == [f"PROP.{n}" for n in range(1, 14)]


@pytest.mark.parametrize("name", propositions.PROPOSITIONS)
def test_proposition_holds_for_every_pair(name):
    assert propositions.exceptions(propositions.PROPOSITIONS[name], MOST) == []


def wrong_measure(name, formula):
    def plant(monkeypatch):
        monkeypatch.setitem(MEASURES, name, MEASURES[name]._replace(formula=formula))

    return plant


def wrong_function(name, make):
    def plant(monkeypatch):
        monkeypatch.setattr(propositions, name, make(getattr(propositions, name)))

    return plant


def zero_is_zero(monkeypatch):
    monkeypatch.setattr(propositions, "PAPER", Conventions())


nothing = wrong_measure("c", lambda t: Tally(0, t.key_mentions - t.key_entities))
one_more = wrong_function("fragments", lambda right: lambda t: [[1, *f] for f in right(t)])
exchanged = wrong_function("surplus", lambda right: lambda t: right(t.T))

PLANTED = [
    ("PROP.1", one_more),
    ("PROP.2", one_more),
    ("PROP.3", zero_is_zero),
    ("PROP.4", zero_is_zero),
    ("PROP.5", wrong_measure("muc", MEASURES["c"].formula)),
    ("PROP.6", wrong_measure("b3", MEASURES["muc"].formula)),
    ("PROP.7", nothing),
    ("PROP.8", wrong_measure("c", MEASURES["muc"].formula)),
    ("PROP.8", nothing),
    ("PROP.9", exchanged),
    ("PROP.10", zero_is_zero),
    ("PROP.11", wrong_measure("h", MEASURES["muc"].formula)),
    ("PROP.12", exchanged),
    ("PROP.13", wrong_measure("muc", MEASURES["b3"].formula)),
]


@pytest.mark.parametrize(("name", "plant"), PLANTED)
def test_proposition_fails_for_what_is_wrong(name, plant, monkeypatch):
    plant(monkeypatch)
    propositions.scores.cache_clear()
    try:
        assert propositions.exceptions(propositions.PROPOSITIONS[name], 5)
    finally:
        propositions.scores.cache_clear()


def test_every_proposition_can_fail():
    assert {name for name, _ in PLANTED} == {*propositions.PROPOSITIONS}


# ----------------------------------------------------------------- singletons, and DEF.19


@pytest.mark.parametrize("name", coherence.COMPARED)
def test_which_measures_see_singletons(name):
    blind = all(
        metric(name, singletons="drop", zero="one")(*pair)[:4]
        == metric(name, zero="one")(*pair)[:4]
        for pair in map(enumeration.sides, enumeration.up_to(6))
    )
    assert blind is (name in {"muc", "c"})


def test_def_19_changes_def_5_but_not_the_measures_as_vilain_defines_them():
    def parts(t):
        return [propositions.scores(name, t)[:4] for name in ("muc", "c")]

    for n in range(1, 6):
        for t in enumeration.with_twinless(n):
            assert parts(t) == parts(completed(t))
    first = next(
        t
        for n in range(1, 4)
        for t in enumeration.with_twinless(n)
        if propositions.as_printed(t) != propositions.recall("muc", completed(t))
    )
    assert (first.key_sizes, first.response_sizes) == ([2], [1])
    assert propositions.as_printed(first) == 1 != propositions.recall("muc", completed(first))


# ------------------------------------------------------------------------- the criteria

YES_OR_NO = {  # muc, b3, b3_class, c, xc, h, kappa, dmt
    "1": "yyyyyyyn",
    "3 crude": "nyynynny",
    "4 unresolved": "ynnynnyn",
    "4 together": "nnnnnyyn",
    "3 no link": "yyyyynny",
    "4 no link": "ynnynnyn",
    "5": "ynnynyyn",
}


def test_coherence():
    found = coherence.by_criterion(coherence.coherence(MOST))
    table = {c: "".join(str(row[m])[0] for m in coherence.COMPARED) for c, row in found.items()}
    assert table == YES_OR_NO


def test_a_witness_breaks_its_criterion():
    for verdict in coherence.coherence(4):
        if verdict.witness is not None and verdict.criterion != "5":
            asks = coherence.CRITERIA[verdict.criterion]
            assert not asks(verdict.measure, Contingency.of(*enumeration.sides(verdict.witness)))


@pytest.mark.parametrize("exclusive", ["core", "free"])
def test_xc_is_never_zero_and_one_for_the_key_alone_however_ties_are_settled(exclusive):
    for t in enumeration.up_to(5):
        for correct, incorrect in reachable(t, exclusive):
            assert 0 < correct <= t.key_mentions - incorrect
            assert ((correct, incorrect) == (t.key_mentions, 0)) is propositions.same(t)


# ------------------------------------------------------------------- how low MUC recall goes


def test_the_minimum_is_attained_and_nothing_is_below():
    lowest = {}
    for t in enumeration.up_to(MOST):
        case = tuple(sorted(t.key_sizes)), t.T.key_entities
        muc = propositions.scores("muc", t)
        lowest[case] = min(lowest.get(case, (1, 1)), (muc.recall, muc.precision))
    for (sizes, entities), (recall, precision) in lowest.items():
        mentions = sum(sizes)
        if len(sizes) < mentions:
            assert recall == propositions.muc_minimum(sizes, entities)
            assert recall >= propositions.muc_limit(mentions, len(sizes), entities)
        if entities < mentions:
            assert precision == propositions.muc_precision_minimum(sizes, entities)


# ------------------------------------------------------------------------- comparisons

NEVER_ABOVE = {("c", "muc"), ("kappa", "muc"), ("kappa", "b3"), ("kappa", "b3_class")}
"""Up to eight mentions; only the first two hold for any number."""


def test_which_measure_is_never_above_which():
    found = {
        (one, other)
        for one in coherence.COMPARED
        for other in coherence.COMPARED
        if one != other and coherence.once_above(one, other, MOST) is None
    }
    assert found == NEVER_ABOVE


def test_kappa_is_above_b3_from_eleven_mentions_on():
    t = coherence.two_merged(4, 3)
    kappa, b3 = propositions.score("kappa", t), propositions.score("b3", t)
    assert t.key_mentions == 11
    assert kappa == Fraction(18, 23) > b3 == Fraction(7, 9)


def test_kappa_sinks_below_any_bound():
    for entities in range(2, 6):
        assert propositions.score("kappa", coherence.crossing(entities)) == -entities


def test_no_two_scores_are_near_the_tolerance():
    gaps = (
        abs(float(propositions.score(one, t) - propositions.score("h", t)))
        for t in enumeration.up_to(MOST)
        for one in coherence.COMPARED
    )
    assert not any(1e-12 < gap < 1e3 * coherence.TOLERANCE for gap in gaps)


def test_agreement_is_what_scoring_every_pair_of_responses_gives():
    measures = ("muc", "b3", "kappa", "c", "h")  # XC depends on the order of entities
    found = coherence.agreement(4, measures)
    kinds = Counter()
    sides = [grouped("abcd", labels) for labels in labellings(4)]
    for key in sides:
        judged = [[metric(m, zero="one")(key, r) for m in measures] for r in sides]
        values = [[s.value for s in scores] for scores in judged]
        for one, other in combinations(values, 2):
            signs = {(a > b + 1e-9) - (b > a + 1e-9) for a, b in zip(one, other, strict=True)}
            kinds["clash" if {1, -1} <= signs else min(len(signs), 2), 0 in signs] += 1
    assert found.contradict == kinds["clash", True] + kinds["clash", False]
    assert found.all_agree == kinds[1, False]
    assert found.none_sees_any == kinds[1, True]
    assert found.some_see_none == kinds[2, True]


def test_h_alone_is_a_double_and_differs_between_responses_by_more_than_rounding():
    for sizes in enumeration.profiles(6):
        values = sorted({propositions.score("h", t) for t, _ in enumeration.responses(sizes)})
        gaps = [float(b - a) for a, b in pairwise(values)]
        assert not any(1e-12 < gap < 1e3 * coherence.TOLERANCE for gap in gaps)
