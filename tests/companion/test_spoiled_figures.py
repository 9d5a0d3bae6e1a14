"""Every figure of these papers would fail if it were another, and says where it comes from."""

import pytest
from companion import ledger
from figures import figures, row, spoiled

PAPERS = ("baldwin1998", "pradhan2014", "luo2005", "recasens2010", "reference_scorer")


@pytest.mark.parametrize("name", PAPERS)
def test_every_figure_fails_if_it_is_spoiled(name):
    for paper, figure in figures(name):
        if "not_testable" in figure:
            continue
        assert row(paper, figure).verdict != "failed"
        if "misprint" in figure:
            right = figure["misprint"]["right"]
            other = figure | {"misprint": figure["misprint"] | {"right": spoiled(right)}}
        else:
            other = figure | {"printed": spoiled(figure["printed"])}
        assert row(paper, other).verdict == "failed", other


def test_examples_of_secondary_provenance_say_so():
    for name in ("luo2005", "recasens2010"):
        assert all(row.note.startswith("secondary") for row in ledger.rows(name))


def test_evidence_completes_a_note():
    (found,) = [r for r in ledger.rows("pradhan2014") if r.measure == "uses"]
    assert found.note == "R2 counts for K1 and K2"
    noted = [r for r in ledger.rows("recasens2010") if r.printed == "undefined"]
    assert [";" in r.note for r in noted] == [True]
