"""What archives print of real systems' responses, beside what the stored counts give."""

import copy
import csv
from fractions import Fraction
from io import StringIO

import pytest
from corefbook import ledger
from corefbook.studies import real

from corefeval.chance.significance import bootstrap, compare


@pytest.fixture
def changed(monkeypatch):
    """The stored numbers of the archives, to be changed before they are read."""
    stored = {name: copy.deepcopy(real._of(name)) for name in ("cdcr-corpora", "hypercoref")}
    monkeypatch.setattr(real, "_of", stored.__getitem__)
    forget()
    yield stored
    forget()


def forget():
    for function in (real.printed_scores, real._groups, ledger.figures._rows):
        function.cache_clear()


def counted_rows():
    return [row for row in ledger.rows("real_systems") if row.verdict != "remark"]


def test_every_printed_score_comes_out():
    scores = real.printed_scores()
    # 46 responses and 135 transfers have 13 scores by either scope, the others 16 of one.
    assert len(scores) == (46 + 135) * 2 * 13 + 6 * 16 + 267 * 16
    assert all(row.equal for row in scores)
    assert {row.verdict for row in counted_rows()} == {"reproduced"}


def test_a_spoiled_score_fails_in_every_row(changed):
    spoiled = set()
    for archive, of in changed.items():
        for (corpus, scope, *_), measures in of.items():
            for name, numbers in measures.items():
                place = archive, corpus, scope, name
                if name.startswith("printed.") and place not in spoiled:
                    *others, f1 = numbers[""].split()
                    whole = f1.startswith("1")  # mentions are all found
                    other = "0.9" if whole else f1[:4] + str(int(f1[4]) ^ 1) + f1[5:]
                    numbers[""] = " ".join([*others, other])
                    spoiled.add(place)
    assert {row.verdict for row in counted_rows()} == {"failed"}
    assert len(spoiled) == len(counted_rows()) == 84


def test_a_count_that_is_spoiled_fails(changed):
    of_lemma = changed["cdcr-corpora"]["fcc", "corpus", "", "lemma"]
    hits, *others = of_lemma["muc"][""].split()
    of_lemma["muc"][""] = " ".join([str(int(hits) - 1), *others])
    failed = [row for row in counted_rows() if row.verdict == "failed"]
    assert [row.label.rpartition(", ")[2] for row in failed] == ["CoNLL score", "MUC"]


def test_a_stored_report_compares_like_any_other():
    a, b = (
        real.report("cdcr-corpora", "fcc", name, "documents") for name in ("lemma", "feature.0")
    )
    difference = compare(a, b, resamples=100).differences["muc"]
    assert difference.exact == b.total["muc"].exact.f1 - a.total["muc"].exact.f1
    low, high = bootstrap(b, 100).intervals["muc"]["f1"]
    assert low < b.total["muc"].exact.f1 < high
    assert len(b) == 122


def test_the_download_has_every_printed_score():
    rows = list(csv.DictReader(StringIO(real.csv_of_printed())))
    assert len(rows) == len(real.printed_scores())
    first = rows[0]
    assert abs(Fraction(first["printed"]) - Fraction(first["computed"])) < Fraction(1, 100)


def test_entities_cost_what_is_lost():
    """The classes of sizes together lose 1 − recall."""
    total = real.report("cdcr-corpora", "fcc", "feature.0", "documents").total
    of = real.rows("cdcr-corpora", "fcc", "feature.0", "documents")
    for measure in real.ATTRIBUTED:
        for side, part in (("key", "recall"), ("response", "precision")):
            lost = sum(map(float, of[f"lost.{measure}.{side}"][""].split()))
            assert lost == pytest.approx(1 - float(getattr(total[measure], part)), abs=1e-9)
