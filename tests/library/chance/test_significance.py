"""Intervals and p-values.

If one of these failed, a difference could be called significant that is not, or the other way
round. Expected values come from exact fractions, by trying all swaps or following all draws.
"""

import csv
import io
import json
import random
import warnings
from fractions import Fraction as F
from inspect import signature
from itertools import product
from pathlib import Path
from statistics import NormalDist, stdev

import numpy as np
import pandas
import pytest
import scipy.stats
from alike import check_shown
from corefbook.studies import synthetic
from links import chain, f1, text
from rows import every_row

from corefeval import CorefError, Partition, evaluate, metric
from corefeval.chance import significance
from corefeval.chance.results import Interval, p_and_error
from corefeval.chance.significance import (
    Sample,
    bootstrap,
    compare,
    compare_systems,
    filled,
    leaves,
    tail,
)
from corefeval.conventions import Conventions
from corefeval.display import probability
from corefeval.measures.blanc import Always, OfEitherSide
from corefeval.registry import MEASURES, SUITES
from corefeval.score import Tally
from corefeval.signature import short

few = pytest.mark.filterwarnings("ignore:of .* documents")

# Per document: the key's links, and those that A and B find, all in one entity. All that is found
# is right, so that MUC's recall is Σ found / Σ key, its precision 1, and F1 is
# 2 Σ found / (Σ key + Σ found).
LINKS = [(9, 2, 7), (1, 1, 0), (5, 3, 3), (2, 0, 2), (7, 6, 1), (3, 1, 3), (4, 0, 1)]


def reports(links=LINKS, metrics="muc", **chosen):
    """Those of A and B."""
    key = {f"d{n:02}": chain(each[0]) for n, each in enumerate(links)}
    answers = [{f"d{n:02}": chain(each[side]) for n, each in enumerate(links)} for side in (1, 2)]
    return [evaluate(key, answer, metrics, **chosen) for answer in answers]


def synthetic_reports(documents, metrics="all", **chosen):
    """With singletons, twinless mentions and a document without any mention."""
    key = synthetic.key(documents, seed=4)
    answers = [synthetic.response(key, name, rate) for name, rate in (("A", 0.3), ("B", 0.2))]
    last = list(key)[-1]
    for answer in answers:
        first = next(iter(answer))
        answer[first] = Partition([*answer[first], ["alone"]]).without_singletons()
        answer[last] = Partition()
    return [evaluate(key | {last: Partition()}, answer, metrics, **chosen) for answer in answers]


# The p-value


def of_all_swaps(documents, score):
    """B − A for each choice of documents to swap; the first swaps none."""
    swaps = product((0, 1), repeat=documents)
    return [score([1 - side for side in sides]) - score(sides) for sides in swaps]


@few
@pytest.mark.parametrize("documents", range(2, 8))
def test_p_is_the_share_of_all_swaps(documents):
    links = LINKS[:documents]
    key = [k for k, *_ in links]

    def score(sides):
        return f1(key, [each[1 + side] for each, side in zip(links, sides, strict=True)])

    differences = of_all_swaps(documents, score)
    observed = differences[0]
    p = F(sum(abs(each) >= abs(observed) for each in differences), 2**documents)
    found = compare(*reports(links)).differences["muc"]
    assert (found.part, found.exact, found.p) == ("f1", observed, float(p))
    assert (found.p_error, found.is_open) == (0, False)


@pytest.mark.proof
@few
@every_row("name", MEASURES)
def test_every_p_is_the_share_of_swaps(name):
    a, b = synthetic_reports(6, name)
    pairs = [(a.counts[document][name], b.counts[document][name]) for document in a.counts]

    def score(sides):
        first, *others = (pair[side] for pair, side in zip(pairs, sides, strict=True))
        return float(sum(others, start=first).score(a.conventions).value)

    differences = of_all_swaps(6, score)
    found = compare(a, b).differences[name]
    assert found.part == ("value" if a.total[name].exact.f1 is None else "f1")
    share = sum(abs(each) > abs(differences[0]) - 1e-9 for each in differences) / 64
    assert (found.difference, found.p) == (pytest.approx(differences[0]), share)


def test_random_swaps_count_the_observed_one():
    for resamples, shown in ((500, "≤ 0.0020"), (1000, "≤ 0.0010"), (10_000, "≤ 0.0001")):
        found = compare(*reports([(3, 0, 3)] * 40), resamples)
        each = found.differences["muc"]
        assert each.p == 1 / (resamples + 1) and each.at_floor
        assert found.table().lines[1][-1] == shown
        assert f"resamples={resamples} swaps=random" in found.signature
    assert not compare(*reports([(3, 0, 3)] * 10), 1024).differences["muc"].at_floor


@pytest.mark.filterwarnings("ignore:p is within two standard errors")
def test_an_error_of_p_shows_if_it_matters():
    """One seed called a difference significant that three others did not."""
    links = [(9, 4, 6), (9, 6, 4), (9, 3, 6), (9, 4, 5), (9, 5, 6), (9, 2, 6), (9, 6, 5)] * 2
    a, b = reports(links)
    exact = compare(a, b, 2**14).differences["muc"]
    assert 0.02 < exact.p < 0.12 and exact.p_error == 0 and not exact.is_open
    drawn = [compare(a, b, 1000, seed=seed).differences["muc"] for seed in range(40)]
    for each in drawn:
        assert each.p_error == pytest.approx((each.p * (1 - each.p) / 1000) ** 0.5)
        assert each.is_open == (abs(each.p - 0.05) < 2 * each.p_error)
    assert sum(abs(each.p - exact.p) < 2 * each.p_error for each in drawn) > 34


# SciPy 1.15 gave the generator another name.
SEEDED = "rng" if "rng" in signature(scipy.stats.bootstrap).parameters else "random_state"


@few
def test_random_swaps_are_those_of_scipy():
    a, b = reports(LINKS * 3)
    key, *found = (np.array([each[side] for each in LINKS * 3]) for side in range(3))

    def apart(first, second, axis):
        sums = [2 * each.sum(axis) / (key.sum() + each.sum(axis)) for each in (first, second)]
        return abs(sums[1] - sums[0]).round(12)

    expected = scipy.stats.permutation_test(
        found, apart, permutation_type="samples", alternative="greater", vectorized=True,
        n_resamples=999, **{SEEDED: np.random.default_rng(4)},
    )  # fmt: skip
    assert compare(a, b, 999, seed=4).differences["muc"].p == expected.pvalue


def test_what_is_open_is_warned_of_and_shown():
    a, b = reports([(3, 0, 3)] * 40)
    each = compare(a, b, 1000).differences["muc"]
    near = each._replace(p=0.045, p_holm=0.045, p_error=0.0066, at_floor=False)
    assert near.is_open and not near._replace(p_holm=0.09, p=0.09).is_open
    # Of three pairs Holm's correction multiplies the error, too.
    assert near._replace(p=0.0125, p_holm=0.0375, p_error=0.0035).is_open
    assert p_and_error(near) == "0.0450 ± 0.0132"
    pairs = {"muc": [near, each], "b3": [each]}
    (told,) = warned(lambda: significance._warn_of_open(pairs))
    assert "muc, A and B: 0.0450 ± 0.0132" in told and "b3" not in told and "--resamples" in told


@few
def test_few_swaps_are_all_tried():
    a, b = reports([*LINKS, (6, 5, 4), (8, 2, 3), (3, 3, 2), (5, 1, 4)])  # 2 ** 11 swaps
    assert "resamples=2048 swaps=all " in compare(a, b, 2048).signature
    assert "resamples=2047 swaps=random " in compare(a, b, 2047).signature


@few
def test_equal_responses_do_not_differ():
    a, _ = synthetic_reports(8)
    for resamples in (100, 256):  # random swaps, all swaps
        for name, each in compare(a, a, resamples).differences.items():
            assert (each.difference, each.interval, each.p) == (0, Interval(0, 0), 1), name


@pytest.mark.proof
@few
def test_exchanged_responses():
    a, b = synthetic_reports(9)
    there, back = compare(a, b).differences, compare(b, a).differences
    for name, each in there.items():
        low, high = back[name].interval
        assert each.exact == -back[name].exact and each.p == back[name].p
        assert each.interval == pytest.approx((-high, -low), abs=1e-9)


# The intervals


def draws(documents: int, resamples: int, seed: int) -> list[list[int]]:
    """The documents of each draw, as SciPy makes them."""
    seen = []

    def look(drawn, axis):
        seen.extend(drawn.tolist())
        return drawn.mean(axis)

    scipy.stats.bootstrap(
        (np.arange(documents),), look, vectorized=True, method="percentile",
        n_resamples=resamples, **{SEEDED: np.random.default_rng(seed)},
    )  # fmt: skip
    return [draw for draw in seen if isinstance(draw, list)][:resamples]


def percentile(values: list[F], share: F) -> F:
    """Linear between the two nearest of the sorted values."""
    position = share * (len(values) - 1)
    below = int(position)
    low, high = sorted(values)[below], sorted(values)[min(below + 1, len(values) - 1)]
    return low + (high - low) * (position - below)


def exact_tail(rows: list[tuple[int, ...]], level: float) -> F:
    """α for these numbers of each document, of which some may be 0 in all."""
    shares = [[F(n, sum(column) or 1) for n in column] for column in zip(*rows, strict=True)]
    weights = [sum(row) for row in zip(*shares, strict=True)]
    m = sum(weights) ** 2 / sum(weight**2 for weight in weights)
    t = scipy.stats.t.ppf((1 + level) / 2, float(m - 1))
    return F(NormalDist().cdf(-t * float(m / (m - 1)) ** 0.5))


@pytest.mark.parametrize(("documents", "t"), [(2, 12.706), (10, 2.2622), (25, 2.0639)])
def test_the_share_left_out_for_equal_weights(documents, t):
    # t is that of printed tables, for one degree of freedom less than documents.
    found = tail(np.full((documents, 4), 7.0), 0.95)
    expected = NormalDist().cdf(-t * (documents / (documents - 1)) ** 0.5)
    assert found == pytest.approx(expected, rel=0.01)


def test_the_share_left_out_for_one_document():
    # Less than what two documents of equal weight leave out, which is nothing.
    for numbers in ([[5, 0], [0, 0], [0, 0]], [[0.0]] * 3, [[9, 9], [1, 1]]):
        assert 0 <= tail(np.array(numbers, float), 0.95) < 1e-70


@few
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_intervals_are_expanded_percentiles_of_rescored_sums(level):
    seed, resamples = 5, 200
    drawn = [[LINKS[n] for n in draw] for draw in draws(len(LINKS), resamples, seed)]
    key, a, b = ([[each[side] for each in draw] for draw in drawn] for side in range(3))
    recalls = [F(sum(found), sum(links)) for links, found in zip(key, a, strict=True)]
    scores = [list(map(f1, key, found)) for found in (a, b)]
    differences = [second - first for first, second in zip(*scores, strict=True)]
    # MUC counts found of key links for recall, found of found ones for precision.
    counted_a, counted_b = ([(one[s], one[0], one[s], one[s]) for one in LINKS] for s in (1, 2))
    counted_both = [(*first, *second) for first, second in zip(counted_a, counted_b, strict=True)]

    def ends(values, rows):
        left_out = exact_tail(rows, level)
        assert left_out < F(1 - level) / 2
        return pytest.approx(
            [float(percentile(values, left_out)), float(percentile(values, 1 - left_out))]
        )

    first, second = reports()
    found = bootstrap(first, resamples, level=level, seed=seed).intervals["muc"]
    assert found["recall"] == ends(recalls, counted_a)
    assert found["f1"] == ends(scores[0], counted_a) and found["precision"] == (1, 1)
    both = compare(first, second, resamples, level=level, seed=seed).differences["muc"]
    assert both.interval == ends(differences, counted_both)


def sampled(*reports, unit=None) -> Sample:
    return Sample(reports, 1000, 0.95, 0, unit)


@few
def test_what_names_a_scores_rule_has_no_weight():
    a, _ = synthetic_reports(8)
    sample = sampled(a)
    for name, columns in {"muc": 4, "blanc": 8, "blanc_both": 8, "conll": 12}.items():
        assert sample.numbers[0, sample.places[name]].shape == (columns, 8)


@every_row("name", MEASURES)
def test_documents_that_are_alike_leave_no_width(name):
    key, response = "{a b c} {d e}", "{a b} {c d e}"
    report = evaluate(dict.fromkeys(range(20), key), dict.fromkeys(range(20), response), name)
    found = bootstrap(report, 100).intervals[name]
    assert list(found) == list(report.total[name].parts)
    for part, score in report.total[name].parts.items():
        assert found[part] == pytest.approx((score, score), abs=1e-11)


@pytest.mark.parametrize("zero", ["zero", "one"])
@pytest.mark.parametrize("twinless", ["keep", "complete"])
def test_numbers_of_counts_give_every_total(zero, twinless):
    report = synthetic_reports(12, zero=zero, twinless=twinless)[0]
    sample = sampled(report)
    for name, total in report.total.items():
        found = sample.scores(name, sample.numbers[0].sum(axis=1, keepdims=True))
        expected = {part: float(number) for part, number in total.exact.parts.items()}
        assert {part: score.item() for part, score in found.items()} == pytest.approx(
            expected, abs=1e-11
        )


# Counts as tests draw them: many are 0, and a share is never more than its total.
TOTALS = [0, 0, 1, 2, 3, 7, 20, 1000]


def random_counts(kind, chance):
    """Counts of the same kind, whose hits are whole or a fraction."""
    if isinstance(kind, Tally):
        total = chance.choice(TOTALS)
        return Tally(total * F(chance.randint(0, 12), 12), total)
    return type(kind)(*(random_counts(part, chance) for part in kind))


KINDS = {name: metric(name)("{a b} {c}", "{a b c}").counts for name in ("muc", "blanc", "conll")}
KINDS["blanc_both"] = OfEitherSide(*KINDS["blanc"])
KINDS["blanc_always"] = Always(*KINDS["blanc"])


def test_every_measure_is_scored_in_arrays():
    kinds = {type(counts) for counts in KINDS.values()}
    for name in SUITES["standard"]:
        assert type(metric(name)("{a b} {c}", "{a b c}").counts) in kinds


@pytest.mark.parametrize("many", [250, pytest.param(2000, marks=pytest.mark.proof)])
@pytest.mark.parametrize("name", KINDS)
def test_scores_in_arrays_are_the_measures_own(name, many):
    kind, chance = KINDS[name], random.Random(name)
    for zero in ("zero", "one"):
        counted = [random_counts(kind, chance) for _ in range(many)]
        counted[0] = filled(kind, iter([0] * 12))  # 0/0 everywhere
        numbers = np.array([[float(n) for n in leaves(counts)] for counts in counted]).T
        found = kind.of_arrays(numbers, int(zero == "one"))
        for place, counts in enumerate(counted):
            parts = counts.score(Conventions(zero=zero)).exact.parts
            assert set(parts) == set(found)
            for part, number in parts.items():
                assert abs(found[part][place] - float(number)) < 1e-12, (counts, part)


@few
def test_the_order_of_documents_makes_no_difference():
    key, *answers = (
        {f"d{n:02}": chain(each[side]) for n, each in enumerate(LINKS)} for side in range(3)
    )
    a, b = (evaluate(key, answer, "muc") for answer in answers)
    c, d = (evaluate(dict(reversed(key.items())), answer, "muc") for answer in answers)
    assert list(a.counts) == list(reversed(c.counts))
    assert bootstrap(a) == bootstrap(c) and compare(a, b, 100) == compare(c, d, 100)
    assert compare(a, b, 100) == compare(a, d, 100)


@few
def test_the_seed():
    a, b = reports()
    assert bootstrap(a, 100, seed=1) == bootstrap(a, 100, seed=1)
    assert bootstrap(a, 100, seed=1).intervals != bootstrap(a, 100, seed=2).intervals
    assert bootstrap(a).signature == f"{a.signature} bootstrap=10000 level=0.95 seed=0"
    assert compare(a, b, level=0.9, seed=3).signature == (
        f"{a.signature} resamples=10000 swaps=all level=0.9 seed=3"
    )


@few
def test_the_size_of_batches_makes_no_difference(monkeypatch):
    a, b = reports()
    before = bootstrap(a, 100), compare(a, b, 100)
    monkeypatch.setattr(significance, "BATCH", 7 * len(a))
    assert (bootstrap(a, 100), compare(a, b, 100)) == before


# What is shown


def test_a_bootstrap_shows_scores_with_intervals():
    report = reports(LINKS * 3, ["muc", "kappa"])[0]
    found = bootstrap(report, 200, level=0.9)
    low, high = found.intervals["muc"]["recall"]
    head, muc, kappa = found.table().lines
    columns = ["recall", "precision", "F1", "value"]
    assert head == ["measure", *(name for each in columns for name in (each, "90% interval"))]
    # Σ found is 13 of Σ key = 31, three times over.
    assert muc[:3] == ["muc", "41.94", f"[{100 * low:.2f}, {100 * high:.2f}]"]
    assert muc[3:5] == ["100.00", "[100.00, 100.00]"] and muc[-2:] == ["—", "—"]
    assert kappa[1:7] == ["—"] * 6
    told = found.to_dict("dev/")
    assert (told["dev/muc_recall"], told["dev/muc_recall_low"]) == (float(F(13, 31)), low)
    assert "dev/kappa_value_high" in told
    frame = found.to_frame()
    assert list(frame.index) == ["muc", "kappa"]
    assert frame.loc["muc", "recall_high"] == high
    check_shown(found)


def test_a_comparison_shows_differences():
    found = compare(*reports(LINKS * 3, ["muc"]))
    each = found.differences["muc"]
    ends = f"[{100 * each.interval.low:.2f}, {100 * each.interval.high:.2f}]"
    # F1 is 2 · 13 / (31 + 13) and 2 · 17 / (31 + 17).
    # Each document's own F1 is 2 · found / (key + found).
    apart = [float(f1([key], [b]) - f1([key], [a])) for key, a, b in LINKS * 3]
    assert each.spread == pytest.approx(stdev(apart))
    deviation = f"{100 * stdev(apart):.2f}"
    assert found.table().lines == [
        ["measure", "score", "A", "B", "B − A", "documents' SD", "95% interval", "p"],
        ["muc", "F1", "59.09", "70.83", "11.74", deviation, ends, f"{each.p:.4f}"],
    ]
    head, row = str(found).splitlines()[:2]
    assert head.index("A") == row.index("59.09") + 4  # numbers end where their head does
    row = found.to_frame().loc[0].to_dict()
    scores = {"measure": "muc", "a": "A", "b": "B", "score_a": float(F(26, 44))}
    scores |= {"score_b": float(F(34, 48)), "difference": float(F(31, 264))}
    assert row == scores | {
        "low": each.interval.low, "high": each.interval.high, "p": each.p,
        "p_error": each.p_error, "p_holm": each.p, "spread": each.spread,
    }  # fmt: skip
    assert found.to_dict("dev/")["dev/muc/A/B/difference"] == float(F(31, 264))
    check_shown(found)


# Units of documents


def test_documents_of_a_unit_stay_together():
    """As if each unit were one document, which has their entities."""
    links = [*LINKS, *LINKS[::-1], *LINKS]
    names = [f"d{n:02}" for n in range(len(links))]
    unit = {name: f"u{n % 11:02}" for n, name in enumerate(names)}
    sides = []
    for side in range(3):
        united = {}
        for name, each in zip(names, links, strict=True):
            entity = [f"{name} {mention}" for mention in range(each[side] + 1)]
            united.setdefault(unit[name], []).append(entity)
        sides.append({each: Partition(entities) for each, entities in united.items()})
    metrics = ["muc", "b3"]
    together = [evaluate(sides[0], answer, metrics) for answer in sides[1:]]
    apart = reports(links, metrics)
    found, expected = compare(*apart, 2100, unit=unit), compare(*together, 2100)
    for name, each in expected.differences.items():
        assert found.differences[name].interval == pytest.approx(each.interval, abs=1e-11)
        assert found.differences[name].p == each.p
    assert found == compare(*apart, 2100, unit=unit.get)
    chosen = "resamples=2100 swaps=all level=0.95 seed=0 units=11"
    assert found.signature == f"{apart[0].signature} {chosen}"
    intervals = bootstrap(apart[0], unit=unit)
    assert intervals.signature.endswith(" bootstrap=10000 level=0.95 seed=0 units=11")
    of_one = bootstrap(together[0]).intervals["b3"]["f1"]
    assert intervals.intervals["b3"]["f1"] == pytest.approx(of_one, abs=1e-11)


def test_units_written_alike_keep_their_order():
    """If not, one seed would give another interval each time that Python is started."""
    a, _ = reports(LINKS * 4)
    names = sorted(a.counts)
    unit = {name: n // 2 if n % 2 else str(n // 2) for n, name in enumerate(names)}
    place = significance._units(a, unit)
    pairs = zip(names[::2], names[1::2], strict=True)
    assert all(place[other] == place[one] + 1 for one, other in pairs)


def test_what_is_no_unit():
    a, _ = reports(LINKS * 3)
    for unit, told in [
        ({"d00": 1}, "document 'd01' has the unit None; expected a name or a number for each"),
        (lambda name: float("nan"), "document 'd00' has the unit nan; expected a name"),
        (lambda name: pandas.NA, "document 'd00' has the unit <NA>; expected a name"),
        (lambda name: [name], r"document 'd00' has the unit \['d00'\]"),
        ("topic", "expected a mapping or a function from a document's name to its unit, got 'top"),
        (lambda name: "all", "expected two units or more, got 1: .* how units differ"),
    ]:
        with pytest.raises(CorefError, match=told):
            bootstrap(a, unit=unit)
    told = warned(lambda: compare(*reports(LINKS * 3), unit=lambda name: int(name[1:]) % 5))
    assert told == [
        "of 5 units intervals are too narrow; trust them from 10 on",
        "of 5 units no p-value can be below 0.062",
    ]


# What cannot be computed, and what should not be trusted


@pytest.mark.parametrize("documents", [0, 1])
def test_one_document_is_refused(documents):
    a, b = reports(LINKS[:documents])
    for call in (lambda: bootstrap(a), lambda: compare(a, b)):
        with pytest.raises(CorefError, match=f"two documents or more, got {documents}: "):
            call()


@every_row(
    "wrong, told",
    [
        ({"resamples": 0}, "0 resamples: expected 100 to 1048576"),
        ({"resamples": 99}, "99 resamples"),
        ({"resamples": 200.0}, "200.0 resamples"),
        ({"resamples": 2**20 + 1}, "1048577 resamples: expected 100 to 1048576"),
        ({"level": 95}, "level=95: expected a number between 0 and 1"),
        ({"level": 0}, "level=0: "),
        ({"level": 1.0}, "level=1.0: "),
        ({"seed": -1}, "seed=-1: expected a whole number"),
        ({"seed": None}, "seed=None: "),
    ],
)
def test_wrong_arguments(wrong, told):
    a, b = reports()
    for call in (lambda: bootstrap(a, **wrong), lambda: compare(a, b, **wrong)):
        with pytest.raises(CorefError, match=told):
            call()


@pytest.mark.parametrize("three", [["key.conll", "a.conll", "b.conll"], [reports()[0]] * 3])
def test_of_three_systems_another_function_is_named(three):
    with pytest.raises(CorefError, match=r"two reports .*\(compare_systems takes more, .*\), got"):
        compare(*three)


def test_only_the_response_may_differ():
    a, _ = reports()
    others = {
        "other measures or conventions: .*=muc .*; .*=b3 ": reports(metrics="b3"),
        "other measures or conventions: .* zero=zero .*; .* zero=one ": reports(zero="one"),
        "document 'd06' is not in both reports": reports(LINKS[:-1]),
        "document 'd00' is not .* with the same key": reports([(8, 2, 2), *LINKS[1:]]),
    }
    for told, (_, b) in others.items():
        with pytest.raises(CorefError, match=told):
            compare(a, b)
    with pytest.raises(CorefError, match="document 'd06' is not in both reports"):
        compare(reports(LINKS[:-1])[0], a)


K1, K2, OTHER = "{a b c} {d e} {f} {g} {h}", "{a b c} {d e}", "{a d c} {b e} {f} {g} {h}"
RESPONSE = "{a b} {c d e} {f} {g} {h}"


@every_row("key, other", [(K1, K2), (K1, OTHER), (K2, "{a b d} {c e}"), (K1, "{f g h} {d e} {a}")])
def test_another_key_is_refused_with_its_document(key, other):
    """One and the same response scored 5/6 and 22/39, and p was 0.002."""
    documents = [f"d{n}" for n in range(12)]
    one = evaluate(dict.fromkeys(documents, key), dict.fromkeys(documents, RESPONSE), "b3")
    for changed in (documents, ["d7"]):
        of = dict.fromkeys(documents, key) | dict.fromkeys(changed, other)
        two = evaluate(of, dict.fromkeys(documents, RESPONSE), "b3")
        for a, b in ((one, two), (two, one)):
            with pytest.raises(CorefError, match=f"document {changed[0]!r} is not in both"):
                compare(a, b)


def warned(call) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {each.category for each in caught} <= {UserWarning}
    assert {each.filename for each in caught} <= {__file__}
    return [str(each.message) for each in caught]


def test_few_documents_are_warned_of():
    few = "of {} documents intervals are too narrow; trust them from 10 on"
    for documents in (2, 9):
        a, _ = reports([LINKS[0]] * documents)
        assert warned(lambda a=a: bootstrap(a, 100)) == [few.format(documents)]
    a, b = reports([LINKS[0]] * 10)
    assert warned(lambda: (bootstrap(a, 100), compare(a, b, 100))) == []
    # 2/2⁵ > 0.05 > 2/2⁶
    a, b = reports(LINKS[:5])
    impossible = "of 5 documents no p-value can be below 0.062"
    assert warned(lambda: compare(a, b)) == [few.format(5), impossible]
    a, b = reports(LINKS[:6])
    assert warned(lambda: compare(a, b)) == [few.format(6)]


# The command


@pytest.fixture
def files(folder):
    def write(links):
        for side, name in enumerate(("key", "a", "b")):
            Path(f"{name}.conll").write_text(text(each[side] for each in links))

    write(LINKS * 3)
    return write


@pytest.fixture
def run(run):
    return lambda command: run(*command.split())


def test_score_with_intervals(files, run):
    command = "score key.conll a.conll --metric muc --metric kappa"
    found = bootstrap(reports(LINKS * 3, ["muc", "kappa"])[0], 200)
    assert run(f"{command} --resamples 200") == (0, f"{found}\n", "")
    signature = run(command)[1].splitlines()[-1]
    assert short(found.signature) == f"{signature} bootstrap=200 level=0.95 seed=0"
    assert "seed=7" in run("score key.conll a.conll --resamples 200 --seed 7")[1]


def test_score_with_intervals_for_machines(files, run):
    command = "score key.conll a.conll --metric muc --resamples 200 --per-document --format "
    content = json.loads(run(command + "json")[1])
    header, *rows = csv.reader(io.StringIO(run(command + "csv")[1]))
    found = bootstrap(reports(LINKS * 3)[0], 200).intervals["muc"]
    numbers = content["metrics"]["muc"]
    assert [numbers["f1_low"], numbers["f1_high"]] == list(found["f1"])
    assert numbers["value_low"] == numbers["f1_low"] and numbers["recall_hits"] == "39"
    assert "f1_low" not in content["per_document"]["d00; part 000"]["muc"]
    assert header[-1] == "signature" and {row[-1] for row in rows} == {content["signature"]}
    assert [*map(len, rows)] == [len(header)] * 22
    *documents, total = (dict(zip(header, row, strict=True)) for row in rows)
    assert {one["f1_low"] for one in documents} == {""}
    assert total["document"] == "" and float(total["f1_high"]) == found["f1"].high


def test_compare(files, run):
    found = compare(*reports(LINKS * 3))
    assert run("compare key.conll a.conll b.conll --metric muc") == (0, f"{found}\n", "")
    assert str(found).splitlines()[0].endswith("95% interval       p")
    assert " documents=21 defaults resamples=10000 " in short(found.signature)


def test_compare_for_machines(files, run):
    command = "compare key.conll a.conll b.conll --metric muc --format "
    content = json.loads(run(command + "json")[1])
    header, muc = csv.reader(io.StringIO(run(command + "csv")[1]))
    found = compare_systems(dict(zip(["a.conll", "b.conll"], reports(LINKS * 3), strict=True)))
    (row,) = found.rows()
    assert [row["a"], row["b"]] == ["a.conll", "b.conll"]
    assert list(content) == ["signature", "documents", "systems", "pairs"]
    assert content["documents"] == 21 and content["signature"] == found.signature
    ends = found.scores["a.conll"]["muc"][1]
    assert content["systems"]["a.conll"]["muc"] == {
        "score": float(F(13, 22)), "low": ends.low, "high": ends.high, "better_than": [],
    }  # fmt: skip
    assert content["pairs"] == {"muc": [{n: cell for n, cell in row.items() if n != "measure"}]}
    assert header == [*row, "signature"]
    assert muc == [*map(str, row.values()), found.signature]


def test_files_have_their_names_in_what_is_kept(files, run):
    command = "compare key.conll a.conll b.conll --metric muc --format "
    told = run(command + "sentence")[1]
    assert told.startswith("We compare a.conll and b.conll over 21 documents")
    assert "59.09 for a.conll and 70.83 for b.conll; the difference, b.conll − a.conll, is" in told
    assert run(command + "latex")[1].count(".conll &") == 2
    # A file may be compared with itself, and then its name tells nothing.
    same = "compare key.conll a.conll a.conll --metric muc --format sentence"
    assert run(same)[1].startswith("We compare A and B over")


def test_compare_takes_conventions_resamples_and_seed(files, run):
    command = "compare key.conll a.conll b.conll --metric muc "
    signature = run(command + "--zero one --resamples 100 --seed 9")[1].splitlines()[-1]
    assert "zero=one resamples=100 swaps=random level=0.95 seed=9" in signature
    assert run(command) == run(command + "--seed 0 --resamples 10000")


def test_warnings_of_the_command(files, run):
    files(LINKS[:5])
    code, output, errors = run("compare key.conll a.conll b.conll --metric muc")
    assert code == 0 and output.startswith("measure")
    assert errors == (
        "corefeval: warning: of 5 documents intervals are too narrow; trust them from 10 on\n"
        "corefeval: warning: of 5 documents no p-value can be below 0.062\n"
    )
    assert run("score key.conll a.conll --resamples 100")[2].count("warning") == 1


def test_help(run):
    code, output, errors = run("compare --help")
    assert (code, errors) == (0, "") and "%%" not in output
    assert "not corrected for their number" in " ".join(output.split())
    assert "--resamples N" in run("score --help")[1]
    assert "compare two responses" in run("--help")[1]


@every_row(
    "p, printed", [(1, "1.0000"), (1 / 1001, "0.0010"), (1 / 10001, "0.0001"), (2e-6, "0.000002")]
)
def test_p_is_never_printed_as_nothing(p, printed):
    assert probability(p) == printed
