"""Several runs of a system: their mean, their deviation, and draws of runs and of documents.

If one of these failed, chance in training would be taken for a difference between systems, or runs
would be compared of which nobody can tell how far they are apart.
"""

import warnings
from fractions import Fraction
from statistics import mean, stdev

import numpy as np
import pytest

from corefeval import CorefError, compare, compare_systems, evaluate
from corefeval.chance.significance import holm

RIGHT = {n: "{a b c} {d e}" for n in range(20)}
WRONG = {n: "{a b} {c d e}" for n in range(20)}


def run(*wrong):
    """The report of a run that is wrong in these documents."""
    return evaluate(RIGHT, RIGHT | {n: WRONG[n] for n in wrong}, ["muc", "conll"])


OURS = [run(0, 1), run(2, 3, 4), run(5)]
THEIRS = [run(*range(9)), run(*range(8, 19)), run(*range(3, 13)), run(*range(7))]


@pytest.fixture(scope="module")
def found():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_systems({"ours": OURS, "theirs": THEIRS}, 2000)


def test_the_score_is_the_mean_of_the_runs_with_their_deviation(found):
    for name, runs in {"ours": OURS, "theirs": THEIRS}.items():
        for measure in ("muc", "conll"):
            values = [each[measure].exact.f1 for each in runs]
            score, ends = found.scores[name][measure]
            assert score == sum(values, Fraction(0)) / len(values)
            assert found.deviations[name][measure] == pytest.approx(stdev(map(float, values)))
            assert ends.low <= score <= ends.high
            assert found.totals[name][measure].exact.f1 == score
            recall = [each["muc"].exact.recall for each in runs]
            assert found.totals[name]["muc"].exact.recall == mean(recall)
    text = repr(found)
    for runs in (OURS, THEIRS):
        values = [each["muc"].f1 for each in runs]
        assert f"{100 * mean(values):.2f} ± {100 * stdev(values):.2f}" in text
    assert "runs=3,4" in found.signature
    assert found.standings()["ours"]["muc"]["deviation"] == found.deviations["ours"]["muc"]
    assert "textbf" in found.to_latex() and r"$\pm$" in found.to_latex()
    assert "±" in found.to_markdown()


def test_draws_are_of_runs_and_of_documents(found):
    """Against draws by hand, another way: every run and document drawn is scored as it is."""
    rng = np.random.default_rng(7)
    wrong = {
        "ours": [(0, 1), (2, 3, 4), (5,)],
        "theirs": [range(9), range(8, 19), range(3, 13), range(7)],
    }
    apart = []
    for _ in range(4000):
        documents = rng.integers(0, 20, 20)
        means = []
        for runs in wrong.values():
            drawn = rng.integers(0, len(runs), len(runs))
            # MUC: a right document has 3 of 3 links, a wrong one 2 of 3, by recall and precision.
            shares = [1 - sum(d in runs[n] for d in documents) / 60 for n in drawn]
            means.append(mean(shares))
        apart.append(means[1] - means[0])
    each = found.differences["muc"]
    low, high = np.quantile(apart, [0.025, 0.975])
    # The library's ends leave out a little less than 0.025, for twenty documents.
    assert each.interval.low == pytest.approx(low, abs=0.02) and each.interval.low < low + 0.01
    assert each.interval.high == pytest.approx(high, abs=0.02) and each.interval.high > high - 0.01
    assert each.p == pytest.approx((2 * sum(a >= 0 for a in apart) + 1) / 4001, abs=0.01)


def test_what_runs_add_to_what_documents_show():
    """Means that are far apart by one run of each alone are no proof."""
    far = compare_systems(
        {"a": [run(), run(), run(*range(18))], "b": [run(0), run(1), run(2)]}, 2000
    )
    assert far.differences["muc"].p > 0.2
    alone = compare(run(*range(6)), run(0))
    assert alone.differences["muc"].p < 0.1


def test_equal_systems_and_the_order_of_two():
    same = compare_systems({"a": OURS, "b": OURS}, 1000)
    assert same.differences["muc"].exact == 0 and same.differences["muc"].p > 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        systems = {"a": OURS, "b": THEIRS, "c": [run(0), run(3), run(4, 5)]}
        found = compare_systems(systems, 1000)
    assert [(d.a, d.b) for d in found.pairs["muc"]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [d.p_holm for d in found.pairs["muc"]] == holm([d.p for d in found.pairs["muc"]])
    assert found.better_than("a", "muc") == ["b"] and "correction=holm" in found.signature
    assert compare_systems(systems, 1000).pairs == found.pairs, "the same seed, the same draws"
    assert compare_systems(systems, 1000, seed=1).pairs != found.pairs


REFUSED = {
    "two runs": ({"a": OURS, "b": THEIRS[:2]}, "'b' has 2 runs: expected 3 or more"),
    "one run": ({"a": OURS[:1], "b": THEIRS}, "'a' has 1 run: expected 3 or more"),
    "no run": ({"a": OURS, "b": []}, "'b' has 0 runs"),
    "a lone report": (
        {"a": OURS, "b": THEIRS[0]},
        "'b' is one report, and other systems have runs",
    ),
    "one system": ({"a": OURS}, "two systems or more"),
    "no runs": ({"a": OURS, "b": 5}, "a list of the runs of 'b'"),
    "no report": ({"a": OURS, "b": [1, 2, 3]}, "reports of corefeval.evaluate"),
    "another key": (
        {"a": OURS, "b": [*THEIRS[:2], evaluate(WRONG, WRONG, ["muc", "conll"])]},
        "not in both reports, with the same key",
    ),
    "other measures": (
        {"a": OURS, "b": [*THEIRS[:2], evaluate(RIGHT, RIGHT, "b3")]},
        "other measures",
    ),
}


@pytest.mark.parametrize(("systems", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(systems, told):
    with pytest.raises(CorefError, match=told):
        compare_systems(systems)
