"""Vilain et al. and the summary of their paper: what the rows of the ledger alone do not prove."""

from fractions import Fraction

import pytest
from corefbook import ledger
from corefbook.ledger import Example
from corefbook.papers import vilain1995
from corefbook.papers.counted import over_entities
from corefbook.papers.vilain1995 import FOUR, _fraction, fewest_links

from corefeval.overlap.partition import Partition


def uncached(search):
    """A search as if it had not been run before; what it finds is not kept."""
    return search.__wrapped__()


def test_the_fewest_links_by_hand():
    assert fewest_links([], ["A"], FOUR) == 0
    assert fewest_links([], ["ABCD"], FOUR) == 3
    assert fewest_links([("A", "B"), ("C", "D")], ["ABCD"], FOUR) == 1
    assert fewest_links([("A", "B"), ("C", "D")], ["AB", "CD"], FOUR) == 0
    # One link puts two entities together, which the paper's formula counts apart.
    assert fewest_links([("A", "C"), ("B", "D")], ["AB", "CD"], FOUR) == 1


def test_counting_listed_links_would_be_noticed(monkeypatch):
    monkeypatch.setattr(vilain1995, "_least", lambda links, wanted: len(links))
    assert uncached(vilain1995.independent_of_links).counterexample


def test_another_number_of_missing_links_would_be_noticed(monkeypatch):
    monkeypatch.setattr(vilain1995, "fewest_links", lambda links, wanted, mentions: 1)
    assert uncached(vilain1995.fewest_are_parts).counterexample
    assert uncached(vilain1995.smallest_trees).counterexample


def test_another_number_of_spanning_trees_would_be_noticed(monkeypatch):
    monkeypatch.setattr(vilain1995, "spanning_trees", lambda mentions: iter([()]))
    assert uncached(vilain1995.growth_of_spanning_trees).counterexample == "3 mentions have 1"


def test_small_examples_have_a_side_of_one_entity():
    examples = ledger.load("vilain1995").examples.values()
    before = [e for e in examples if not e.name.startswith("complex")]
    assert len(before) == len(examples) - 2
    assert all(1 in (len(e.key), len(e.response)) for e in before)


def test_expressions_of_fractions():
    assert _fraction(r"\frac{3 - 2}{3 - 1}") == Fraction(1, 2)
    assert _fraction(r"\frac{\frac{2 - 1}{2}}{3 - 1}") == Fraction(1, 4)


def test_a_right_recall_formula_is_no_misprint():
    example = ledger.load("vilain1995").examples["problem-2"]
    with pytest.raises(AssertionError, match="is the recall 1/2"):
        vilain1995.evaluated(example, r"\frac{c(S) - m(S)}{c(S)} = \frac{|S| - |p(S)|}{|S| - 1}")


def test_the_figures_set_is_its_sections():
    # "The example above" is the section's own figure: its class, its parts and its score agree.
    example = ledger.load("vilain1995").examples["figure-precision"]
    assert example.response == Partition.parse("{A B C}")
    assert over_entities(example, "{size} - {parts}", "response") == "3 - 2"
    about = [row for row in ledger.rows("vilain1995") if row.place.startswith("Scoring precision")]
    assert {row.verdict for row in about} == {"given", "reproduced", "holds", "remark"}


def test_a_link_too_many_would_be_noticed(monkeypatch):
    case = {"e": Example("e", {"key_links": "A-B B-C A-C", "response_links": "A-B"})}
    monkeypatch.setattr(vilain1995, "load", lambda name: type("Paper", (), {"examples": case}))
    assert vilain1995.keys_list_one_tree().counterexample == "e: 3 for 2"
