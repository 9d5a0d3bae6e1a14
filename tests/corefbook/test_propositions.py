"""Popescu-Belis's propositions and criteria over all pairs of partitions of eight mentions."""

import os
from itertools import pairwise

import pytest
from corefbook import enumeration
from corefbook.papers.popescubelis import coherence, propositions
from corefbook.papers.popescubelis.exclusive import reachable

from corefeval import metric
from corefeval.conventions import Conventions
from corefeval.registry import MEASURES
from corefeval.score import Tally

# Where everything is proved, of eight mentions.
MOST = 8 if os.environ.get("CI") else 7


# -------------------------------------------------------------------------- PROP.1–13


def test_there_are_thirteen():
    assert [*propositions.PROPOSITIONS] == [f"PROP.{n}" for n in range(1, 14)]


@pytest.mark.parametrize("name", propositions.PROPOSITIONS)
def test_proposition_holds_for_every_pair(name):
    assert exceptions(propositions.PROPOSITIONS[name], MOST) == []


@pytest.mark.proof
@pytest.mark.parametrize("mentions", [9, pytest.param(10, marks=pytest.mark.release)])
def test_kappa_exceeds_no_b_cubed_of_ten_mentions(mentions):
    """The first case with κ above B³ has eleven: the chapter has it."""
    for t in enumeration.tables(mentions):
        of = {
            name: propositions.at_best(name, t).exact.value for name in ("kappa", "b3", "b3_class")
        }
        assert of["kappa"] <= min(of["b3"], of["b3_class"])


def exceptions(holds, mentions):
    return [t for t in enumeration.up_to(mentions) if not holds(t)]


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
    uncached = propositions.full_score.__wrapped__
    monkeypatch.setattr(propositions, "full_score", uncached)
    assert exceptions(propositions.PROPOSITIONS[name], 5)


def test_every_proposition_can_fail():
    assert {name for name, _ in PLANTED} == {*propositions.PROPOSITIONS}


# ----------------------------------------------------------------- singletons, and DEF.19


@pytest.mark.parametrize("name", coherence.COMPARED)
def test_which_measures_see_singletons(name):
    blind = all(
        metric(name, singletons="drop", zero="one")(*pair).exact[:4]
        == metric(name, zero="one")(*pair).exact[:4]
        for pair in map(enumeration.named_sides, enumeration.up_to(6))
    )
    assert blind is (name in {"muc", "c"})


# ------------------------------------------------------------------------- the criteria


@pytest.mark.parametrize("exclusive", ["core", "free"])
def test_xc_keeps_its_limits_with_any_ties(exclusive):
    for t in enumeration.up_to(5):
        for correct, incorrect in reachable(t, exclusive):
            assert 0 < correct <= t.key_mentions - incorrect
            assert ((correct, incorrect) == (t.key_mentions, 0)) is propositions.same(t)


# ----------------------------------------------------------------------------- H is a double


def test_no_two_scores_are_near_the_tolerance():
    gaps = (
        abs(float(propositions.score(one, t) - propositions.score("h", t)))
        for t in enumeration.up_to(MOST)
        for one in coherence.COMPARED
    )
    assert not any(1e-12 < gap < 1e-6 for gap in gaps)


def test_doubles_of_h_differ_beyond_rounding():
    for sizes in enumeration.profiles(6):
        of_key = (t for t in enumeration.tables(6) if sorted(t.key_sizes) == sorted(sizes))
        values = sorted({propositions.score("h", t) for t in of_key})
        gaps = [float(b - a) for a, b in pairwise(values)]
        assert not any(1e-12 < gap < 1e-6 for gap in gaps)
