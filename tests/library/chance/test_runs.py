"""Several runs of a system: their mean, their deviation, and draws of runs and of documents.

If one of these failed, chance in training would be taken for a difference between systems, or runs
would be compared of which nobody can tell how far they are apart.
"""

import warnings
from fractions import Fraction
from itertools import product
from statistics import mean, stdev

import numpy as np
import pytest
from links import chain, f1

from corefeval import CorefError, compare, compare_systems, evaluate
from corefeval.chance.significance import FEW, bootstrap, holm, tail

few_runs = pytest.mark.filterwarnings("ignore:of . (runs|documents)|p is within")

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


def test_the_score_is_the_mean_of_runs(found):
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


@few_runs
def test_what_runs_add_to_what_documents_show():
    """Means that are far apart by one run of each alone are no proof."""
    far = compare_systems(
        {"a": [run(), run(), run(*range(18))], "b": [run(0), run(1), run(2)]}, 2000
    )
    assert far.differences["muc"].p > 0.2
    alone = compare(run(*range(6)), run(0))
    assert alone.differences["muc"].p < 0.1


@few_runs
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


# A single report beside runs


KEY_LINKS, LONE_LINKS = (4, 3, 5), (2, 3, 1)
RUN_LINKS = [(4, 1, 3), (1, 2, 5), (3, 3, 4)]
"""Links of three documents: the key's, and those that a response and three runs find."""


def of_links(links):
    documents = {n: chain(many) for n, many in enumerate(links)}
    return evaluate({n: chain(many) for n, many in enumerate(KEY_LINKS)}, documents, "muc")


def every_draw():
    """B − A of all draws of documents and of B's runs; A has one run, in every draw."""
    for documents in product(range(3), repeat=3):
        key = [KEY_LINKS[n] for n in documents]
        of_a = f1(key, [LONE_LINKS[n] for n in documents])
        of_b = [f1(key, [run[n] for n in documents]) for run in RUN_LINKS]
        for runs in product(of_b, repeat=3):
            yield float(mean(runs) - of_a)


@few_runs
def test_draws_beside_a_single_report_are_right():
    draws = 2**17
    systems = {"a": of_links(LONE_LINKS), "b": [of_links(run) for run in RUN_LINKS]}
    found = compare_systems(systems, draws)
    each = found.differences["muc"]
    apart = np.array(sorted(every_draw()))
    share = min((apart < 1e-9).mean(), (apart > -1e-9).mean())
    error = (share * (1 - share) / draws) ** 0.5
    assert 0.02 < share < 0.3
    assert each.p == pytest.approx(2 * share, abs=8 * error)
    # The ends leave out the same share of all draws by hand, as far as these can: they are 729.
    counted = np.array([LONE_LINKS, *RUN_LINKS], float)
    numbers = np.concatenate([[KEY_LINKS, row, row, row] for row in counted]).T
    left_out = tail(numbers, 0.95)
    for end, side in ((each.interval.low, apart), (-each.interval.high, -apart)):
        assert (side < end - 1e-9).mean() <= left_out + 0.001
        assert (side <= end + 1e-9).mean() >= left_out - 0.001
    assert found.signature.endswith("level=0.95 seed=0 runs=1,3")


@few_runs
def test_a_single_report_is_scored_as_it_is():
    lone = run(*range(4, 12))
    found = compare_systems({"lemma": lone, "ours": OURS}, 2000, seed=3)
    for measure, ends in bootstrap(lone, 2000, seed=3).intervals.items():
        exact = lone[measure].exact.f1
        assert found.scores["lemma"][measure] == (exact, ends["f1"]), "its documents are drawn"
    assert list(found.deviations) == ["ours"]
    assert found.standings()["lemma"]["muc"]["deviation"] is None
    row = found.table().lines[1]
    assert "±" in row[3] and "±" not in row[2]
    lemma, ours = found.to_latex().splitlines()[-5:-3]
    assert "pm" in ours and lemma.startswith("lemma") and "pm" not in lemma
    assert "runs=1,3" in found.signature and "swaps" not in found.signature


@few_runs
def test_equal_runs_add_nothing_to_documents():
    """So the interval is that of two reports, and only runs that differ make it wider."""
    lone, other = run(*range(4, 12)), run(0, 1, 2)
    of_two = compare(lone, other, 2000).differences["muc"]
    of_runs = compare_systems({"a": lone, "b": [other] * 3}, 2000).differences["muc"]
    assert of_runs.interval == pytest.approx(of_two.interval)
    # As many errors in all, and all in one run.
    spread = [run(), run(), run(*range(11, 20))]
    wider = compare_systems({"a": lone, "b": spread}, 2000).differences["muc"]
    assert wider.exact == of_runs.exact
    low, high = of_runs.interval
    assert wider.interval.low < low - 0.01 and wider.interval.high > high + 0.01


@few_runs
def test_a_single_report_equals_a_list_of_it():
    lone, draws = run(*range(4, 10)), 20_000
    one = compare_systems({"a": lone, "b": THEIRS}, draws).differences["muc"]
    thrice = compare_systems({"a": [lone] * 3, "b": THEIRS}, draws).differences["muc"]
    assert one.exact == thrice.exact
    assert one.p == pytest.approx(thrice.p, abs=4 * (one.p_error**2 + thrice.p_error**2) ** 0.5)
    assert one.interval == pytest.approx(thrice.interval, abs=0.005)


@few_runs
@pytest.mark.parametrize("names", [("x", "y", "ours"), ("ours", "x", "y"), ("x", "ours", "y")])
def test_two_single_reports_are_compared_as_without_runs(names):
    reports = {"x": run(*range(4, 12)), "y": run(0, 3), "ours": OURS}
    found = compare_systems({name: reports[name] for name in names}, 2000)
    alone = compare_systems({name: reports[name] for name in "xy"}, 2000)
    for measure in ("muc", "conll"):
        (of_x_y,) = [each for each in found.pairs[measure] if {each.a, each.b} == {"x", "y"}]
        (same,) = alone.pairs[measure]
        assert of_x_y._replace(p_holm=0) == same._replace(p_holm=0)
        p_values = [each.p for each in found.pairs[measure]]
        assert [each.p_holm for each in found.pairs[measure]] == holm(p_values)
    assert "swaps=random" in found.signature
    runs = ",".join("3" if name == "ours" else "1" for name in names)
    assert f"runs={runs}" in found.signature


# Warnings


def warned(reports, resamples=1000):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare_systems(reports, resamples)
    assert {each.filename for each in caught} <= {__file__}
    return [str(each.message) for each in caught]


def system(runs, documents=20):
    """Equal runs, which are far from every p of 0.05."""
    key = {n: RIGHT[n % 20] for n in range(documents)}
    return [evaluate(key, key, "muc")] * runs


TRUST = "p-values may be too low, and intervals too narrow; trust them from 10 on"


def test_few_runs_and_documents_are_warned_of():
    assert warned({"a": system(FEW), "b": system(12), "c": system(1)[0]}) == []
    assert warned({"a": system(FEW), "b": system(9)}) == [f"of 9 runs {TRUST}"]
    assert warned({"a": system(1)[0], "b": system(3), "c": system(5)}) == [f"of 3 runs {TRUST}"]
    of_documents = "of 9 documents intervals are too narrow; trust them from 10 on"
    few = {"a": system(FEW, 9), "b": system(FEW, 9)}
    assert warned(few) == [of_documents, f"of 9 documents {TRUST}"]
    few = {"a": system(3, 9), "b": system(FEW, 9)}
    assert warned(few) == [of_documents, f"of 3 runs and 9 documents {TRUST}"]


def test_few_draws_are_warned_of_with_runs_too():
    four = {name: system(FEW) for name in "abcd"}
    assert warned(four, 100) == ["of 100 draws and 6 pairs no p-value can be below 0.059"]
    assert warned(four, 200) == []
    lone = {"a": system(1)[0], "b": system(1)[0], "c": system(FEW)}
    assert warned(lone, 100) == []
    of_lone = warned({name: of if name == "c" else system(1, 5)[0] for name, of in
                      (lone | {"c": system(FEW, 5)}).items()})  # fmt: skip
    told = "of 5 documents and 3 pairs no p-value of two reports without runs can be below 0.19"
    assert told in of_lone


def test_an_open_p_of_runs_is_warned_of():
    # Of 20 documents a is wrong in five, and each run of b in another.
    systems = {"a": run(*range(5)), "b": [run(n) for n in range(10, 20)]}
    (told,) = warned(systems, 100)
    assert told.startswith("p is within two standard errors of 0.05, and other random draws may")
    assert "muc, a and b: 0." in told and "pass more resamples (--resamples)" in told


# What is refused


REFUSED = {
    "two runs": ({"a": OURS, "b": THEIRS[:2]}, "'b' has 2 runs: expected 3 or more"),
    "one run": ({"a": OURS[:1], "b": THEIRS}, "'a' has 1 run: expected 3 or more"),
    "no run": ({"a": OURS, "b": []}, "'b' has 0 runs"),
    "one system": ({"a": OURS}, "two systems or more"),
    "no runs": ({"a": OURS, "b": 5}, "'b': one, or a list of those of its runs"),
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
