"""Draws and swaps of real systems' runs.

If one of these failed, the chapter on real systems could call a lead significant that is not, or
print a p-value that only one seed of the generator gives.
"""

from itertools import product

import pytest
from corefbook.studies import chances, real, verdicts

from corefeval.chance.significance import compare

pytestmark = pytest.mark.proof

RUNS = [f"feature.{seed}" for seed in range(5)]
A, B = "gg_aug_abc-ecbp.ecbp.p", "ss_abc_25k.abc.p"
"""The pair of configurations that one scorer sets six points apart, and another not at all."""


def test_p_is_the_share_of_all_swaps():
    """By ECB+'s ten topics, each swap scored exactly by the sums of stored counts."""
    topic = real.units("ecbp", "topics")
    lead = chances.leads("lemma", RUNS, "ecbp", topic.get)["muc"]
    counts_of = []
    for name in ("lemma", *RUNS):
        counts = real.report("cdcr-corpora", "ecbp", name, "documents").counts
        topics = {}
        for document, each in counts.items():
            unit = topic[document]
            topics[unit] = topics[unit] + each["muc"] if unit in topics else each["muc"]
        counts_of.append([topics[str(n)] for n in range(10)])

    def f1(topics):
        hits, total, right, given = (
            sum(each[side][n] for each in topics) for side in (0, 1) for n in (0, 1)
        )
        return 2 * hits * right / (hits * given + right * total) * 100

    means = []
    for swaps in product((0, 1), repeat=10):
        leads = []
        for run in counts_of[1:]:
            pairs = list(zip(counts_of[0], run, swaps, strict=True))
            base = f1([second if swap else first for first, second, swap in pairs])
            leads.append(f1([first if swap else second for first, second, swap in pairs]) - base)
        means.append(sum(leads) / 5)
    assert lead.mean == pytest.approx(means[0])
    assert lead.p == sum(abs(each) >= abs(means[0]) - 1e-9 for each in means) / 2**10
    assert lead.error == 0 and lead.interval.low < lead.mean < lead.interval.high


def test_summed_counts_have_the_scores_of_reports():
    names = ["lemma", "feature.0"]
    reports = [real.report("cdcr-corpora", "fcc", name, "documents") for name in names]
    of = chances.sample(reports)
    for place, name in enumerate(names):
        sums = of.numbers[place].sum(axis=1, keepdims=True)
        for measure, points in real.f1("cdcr-corpora", "fcc", name, "documents").items():
            assert chances.f1_points(of, measure, sums) == pytest.approx(float(points), abs=1e-9)


@pytest.mark.parametrize(
    "seeds",
    [
        range(1),
        pytest.param(range(1, 10), marks=pytest.mark.release),
    ],
)
def test_drawn_verdicts_hold_for_ten_seeds(seeds):
    """What the chapter on real systems says of documents drawn and swapped."""
    joined = real.units("gvc", "joined")
    for seed in seeds:
        fcc, gvc, ecb = (
            chances.leads("lemma", RUNS, corpus, seed=seed) for corpus in ("fcc", "gvc", "ecbp")
        )
        groups = chances.leads("lemma", RUNS, "gvc", joined.get, seed=seed)
        assert [m for m in real.ORDER if fcc[m].p < 0.05] == ["muc", "b3"], seed
        assert [m for m in real.ORDER if ecb[m].p < 0.05] == ["muc", "blanc", "conll"], seed
        assert max(p for of in (gvc, groups) for m in of for p in of[m].p_of_all) < 0.01, seed
        assert max(fcc["muc"].p_of_runs + fcc["b3"].p_of_runs[:3]) < 0.001, seed
        for by in ("", "singletons=drop"):
            a, b = (
                real.report("wiki-grounded", "wiki", name, "documents", by)
                for name in ("clark", "aralikatte")
            )
            assert compare(a, b, 10_000, seed=seed).differences["conll"].p < 0.01, seed
        uncut = chances.uncut_shares("lemma-delta", RUNS, ["muc", "b3"], seed=seed)
        assert uncut[0] > 0.2 and uncut[1] > 1 / 3, seed


def test_random_swaps_have_a_floor_and_an_error():
    leads = chances.leads("lemma", RUNS, "fcc", resamples=500)
    assert leads["muc"].p == 1 / 501
    assert leads["ceafm"].error == pytest.approx((leads["ceafm"].p / 500) ** 0.5, rel=0.1)


def test_the_stored_counts_of_the_chapters_pair():
    counted = chances.as_far_apart([(A, B)], ("reference", "e2e"))
    stored = chances.stored()
    assert counted == {place: stored[place] for place in counted}


@pytest.mark.release
def test_all_stored_counts():
    assert chances.as_far_apart(chances.all_couples()) == chances.stored()


def test_what_is_stored_of_every_pair():
    of_pairs = chances.told_apart()
    assert len(of_pairs) == 136 * 3
    for rule in verdicts.RULES:
        of_a, of_b = (
            sum(float(run["conll"].exact.f1) for run in runs[name]) / 3 * 100
            for runs in [verdicts.reports("ecbp", rule, "subtopics")]
            for name in (A, B)
        )
        assert of_pairs[rule, (A, B)].lead == pytest.approx(of_b - of_a)
    assert all(each.p <= each.corrected <= 1 for each in of_pairs.values())
