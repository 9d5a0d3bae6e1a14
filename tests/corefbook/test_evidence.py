"""The fold at the end of a chapter counts what it holds, and says what has moved."""

from fractions import Fraction

import pytest
from corefbook import ledger
from corefbook.checks import STRICT
from corefbook.evidence import Evidence, Held, evidence

from corefeval.measures import links

MOVED = ("a recall of 3/4", Fraction(1, 2))


def test_it_has_every_figure_at_its_address():
    shown = Evidence("ceaf", Held())._repr_html_()
    rows = ledger.rows(chapter="ceaf")
    assert len(rows) > 10
    assert all(f'<tr id="{row.id}">' in shown for row in rows)


def test_its_first_line_counts_figures_sentences_and_listings():
    made = Evidence("ceaf", Held([("two of three", 2, 3)], listings=[links.connected]))
    first, _, rest = repr(made).partition("\n")
    figures = "16 figures of the paper's inputs, 16 equal"
    assert first == f"Evidence: {figures}; 1 sentence checked; 1 listing"
    assert Evidence("muc", Held()).summary().endswith(" more listed")
    assert "two of three" in rest and "def connected" in rest


def test_its_first_line_says_whose_inputs_they_are():
    assert "figures of the papers' inputs," in Evidence("twinless", Held()).summary()
    assert "figures of the sources' inputs," in Evidence("real-systems", Held()).summary()


def test_moved_figures_are_errors_in_the_tests(monkeypatch):
    with pytest.raises(AssertionError, match=r"a recall of 3/4.*now"):
        Evidence("lea", Held(sentences=[MOVED]))
    monkeypatch.delenv(STRICT)
    made = Evidence("lea", Held(sentences=[MOVED]))
    assert made.summary() == "Evidence: 1 sentence checked; 1 moved"
    assert "“a recall of 3/4”: now 0.5000 (1/2)" in repr(made)
    assert "“a recall of 3/4”: now" in made._repr_html_()


def test_its_code_is_named_and_linked():
    made = Evidence("lost-text", Held())
    file = "corefbook/evidence/lost_text.py"
    assert f"\nIts code: book/{file}\n" in repr(made) + "\n"
    assert f'<a href="{file}">' in made._repr_html_()


def test_a_missing_name_is_named():
    with pytest.raises(NameError, match="The evidence needs 'idle': run the cells above first"):
        evidence("lea", {})
