"""What archives print of real systems' responses, beside what the stored counts give."""

import copy
import csv
from fractions import Fraction
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest
from companion import ledger
from companion.checks import says
from companion.studies import real

from corefeval.chance.significance import bootstrap, compare

BOOK = Path(__file__).parents[2] / "book"


@pytest.fixture
def changed(monkeypatch):
    """The stored numbers of the archives, to be changed before they are read."""
    stored = {name: copy.deepcopy(real._of(name)) for name in ("cdcr-corpora", "hypercoref")}
    monkeypatch.setattr(real, "_of", stored.__getitem__)
    forget()
    yield stored
    forget()


def forget():
    for function in (real.printed_scores, real._groups, ledger._rows):
        function.cache_clear()


def counted_rows():
    return [row for row in ledger.rows("real_systems") if row.verdict != "remark"]


def test_every_printed_score_comes_out():
    found = real.printed_scores()
    # 46 responses and 135 transfers have 13 scores by either scope, the others 16 of one.
    assert len(found) == (46 + 135) * 2 * 13 + 6 * 16 + 267 * 16
    assert all(row.equal for row in found)
    assert {row.verdict for row in counted_rows()} == {"reproduced"}


def test_a_printed_score_that_is_spoiled_fails_in_every_row(changed):
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


def test_a_stored_report_draws_and_compares_like_any_other():
    a, b = (
        real.report("cdcr-corpora", "fcc", name, "documents") for name in ("lemma", "feature.0")
    )
    found = compare(a, b, resamples=100).differences["muc"]
    assert found.exact.difference == b.total["muc"].exact.f1 - a.total["muc"].exact.f1
    low, high = bootstrap(b, 100).intervals["muc"].f1
    assert low < b.total["muc"].exact.f1 < high
    assert len(b) == 122


def test_the_download_has_every_printed_score():
    rows = list(csv.DictReader(StringIO(real.csv_of_printed())))
    assert len(rows) == len(real.printed_scores())
    first = rows[0]
    assert abs(Fraction(first["printed"]) - Fraction(first["computed"])) < Fraction(1, 100)


def test_what_the_advice_says_of_real_systems():
    """A section without cells, of "Which measure should I report?"."""
    text = (BOOK / "which-measure.ipynb").read_text(encoding="utf-8")
    fcc = [
        real.f1("cdcr-corpora", "fcc", name, "documents")
        for name in ("lemma", "links-nothing", *(f"feature.{seed}" for seed in range(5)))
    ]
    lemma, nothing, *seeds = fcc
    entities, singletons, _ = real.whole(
        "cdcr-corpora", "fcc", "lemma", "entities.key", "documents"
    )
    kept, completed = (
        compare(
            *(
                real.report("wiki-grounded", "wiki", n, "documents", by)
                for n in ("lee", "aralikatte")
            ),
            resamples=200,
        ).differences["ceafe"]
        for by in ("", "twinless=complete")
    )
    both_sure = kept.p < 0.05 and completed.p < 0.05
    held = [
        ("trained five times, with five seeds", len(seeds), len(seeds)),
        ("above three of these runs", sum(s["b3"] < lemma["b3"] for s in seeds)),
        ("below the other two", sum(s["b3"] > lemma["b3"] for s in seeds)),
        ("puts it below all five", sum(s["muc"] > lemma["muc"] for s in seeds)),
        ("and the other if they are completed", kept.difference > 0 > completed.difference),
        ("Each verdict is significant", both_sure),
        ("into much the same order on one key", ranked_alike("gvc") > Fraction(1, 2)),
        ("into unrelated orders on another", abs(ranked_alike("fcct")) < Fraction(1, 10)),
        ("Where most entities were singletons", singletons > entities / 2),
        ("three of the five runs of that", sum(s["b3"] < nothing["b3"] for s in seeds), 5),
    ]
    for piece, *values in held:
        assert piece in text, piece
        assert says(piece, values), (piece, values)


def ranked_alike(corpus):
    """Kendall's τ of MUC's and CEAFₑ's orders of configurations, by counting pairs."""
    names = [name for name in real.responses("hypercoref", corpus) if ".p." in name]
    sums = {}
    for name in names:
        found = real.f1("hypercoref", corpus, name)
        before = sums.get(name.rpartition(".")[0], (0, 0))
        sums[name.rpartition(".")[0]] = before[0] + found["muc"], before[1] + found["ceafe"]
    pairs = list(combinations(sums.values(), 2))
    alike = sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs)
    return Fraction(2 * alike - len(pairs), len(pairs))


def test_entities_cost_what_is_lost():
    """The classes of sizes together lose 1 − recall."""
    total = real.report("cdcr-corpora", "fcc", "feature.0", "documents").total
    of = real.rows("cdcr-corpora", "fcc", "feature.0", "documents")
    for measure in real.ATTRIBUTED:
        for side, part in (("key", "recall"), ("response", "precision")):
            lost = sum(map(float, of[f"lost.{measure}.{side}"][""].split()))
            assert lost == pytest.approx(1 - float(getattr(total[measure], part)), abs=1e-9)
