"""Do published tables add up? The interval arithmetic against brute force and by hand."""

import copy
import random
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from companion import ledger
from companion import published_tables as tables
from companion.ledger import Example, Interval, Paper
from companion.published_tables import AVERAGED, CUT, ROUNDED, rows_of

PAPERS = ("shared_task_2012", "lee2018")
ROWS = [row for paper in PAPERS for row in rows_of(paper)]
WAYS = {ROUNDED: ROUND_HALF_UP, CUT: ROUND_DOWN}


def harmonic(recall, precision):
    return 2 / (1 / recall + 1 / precision)


def as_printed(number, decimals, way):
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    return str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=way))


def made(generator, decimals, way):
    """A row of true scores, printed: the texts, and the truth."""
    truth = {}
    for measure in AVERAGED:
        recall, precision = (Fraction(generator.randint(40000, 90000), 1000) for _ in range(2))
        truth |= {f"{measure}.recall": recall, f"{measure}.precision": precision}
        truth[f"{measure}.f1"] = harmonic(recall, precision)
    truth["average"] = sum(truth[f"{measure}.f1"] for measure in AVERAGED) / 3
    return Example("", {c: as_printed(x, decimals, way) for c, x in truth.items()}), truth


# --------------------------------------------------------------------------------- data


def test_the_rows_are_read_as_they_are_printed():
    assert [len(rows_of(paper)) for paper in PAPERS] == [7, 11]
    assert rows_of("shared_task_2012")[1].given == {
        "muc.recall": "67.46", "muc.precision": "74.3", "muc.f1": "70.72",
        "b3.recall": "54.96", "b3.precision": "62.71", "b3.f1": "58.58",
        "ceafe.recall": "52.27", "ceafe.precision": "59.4", "ceafe.f1": "55.61",
        "average": "61.63",
    }  # fmt: skip
    assert all(set(row.given) == set(ROWS[0].given) for row in ROWS)


def test_recall_and_precision_are_not_exchanged():
    """These systems are more precise than complete, in every column."""
    for row in ROWS:
        for measure in AVERAGED:
            recall, precision = row.given[f"{measure}.recall"], row.given[f"{measure}.precision"]
            assert Fraction(recall) < Fraction(precision)


@pytest.mark.parametrize("paper", PAPERS)
def test_verdicts(paper):
    rows = ledger.rows(paper)
    for row in rows:
        given = row.measure.endswith((".recall", ".precision"))
        assert row.verdict == ("not testable" if given else "consistent")
    assert len(rows) == 10 * len(rows_of(paper))


@pytest.mark.parametrize(("cell", "wrong"), [("muc_f1", "80.6"), ("average", "72.8")])
def test_a_misprint_in_the_data_is_noticed(cell, wrong):
    content = copy.deepcopy(ledger.load("lee2018").content)
    figure = [f for group in content["figures"] for f in group["rows"] if f["measure"] == cell][-1]
    figure["printed"] = wrong
    failed = [row for row in Paper("lee2018", content).rows() if row.verdict == "failed"]
    assert (failed[0].measure, failed[0].printed) == (cell, wrong)


# -------------------------------------------------------------------------------- rules


@pytest.mark.parametrize(
    ("rule", "text", "low", "high"),
    [
        (ROUNDED, "70.5", "70.45", "70.55"),
        (ROUNDED, "70.50", "70.495", "70.505"),
        (CUT, "70.5", "70.5", "70.6"),
        (CUT, "7", "7", "8"),
    ],
)
def test_what_a_print_stands_for(rule, text, low, high):
    assert rule.behind(text) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("rule", WAYS, ids=lambda rule: rule.name)
def test_a_rule_prints_as_decimal_arithmetic_does(rule):
    generator = random.Random(1)
    for _ in range(500):
        number, decimals = Fraction(generator.randint(0, 10**7), 10**5), generator.randint(0, 3)
        text = as_printed(number, decimals, WAYS[rule])
        assert rule.gives(number, text)
        low, high = rule.behind(text)
        assert low <= number <= high
        assert not rule.gives(number + tables.unit(text), text)


# ---------------------------------------------------------------------------- intervals


@pytest.mark.parametrize("rule", WAYS, ids=lambda rule: rule.name)
@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_whatever_is_printed_from_true_scores_adds_up(rule, decimals):
    generator = random.Random(2)
    for _ in range(60):
        row, truth = made(generator, decimals, WAYS[rule])
        assert tables.adds_up(row, rule)
        for measure in AVERAGED:
            low, high = tables.f_left(row, measure, rule)
            assert low <= truth[f"{measure}.f1"] <= high
        low, high = tables.average_left(row, rule)
        assert low <= truth["average"] <= high


def test_the_ends_of_an_interval_are_reached():
    """By a grid over all recalls and precisions that round to 69 and 76."""
    row = Example("", {"muc.recall": "69", "muc.precision": "76"})
    steps = [Fraction(step, 40) for step in range(-20, 21)]
    values = [harmonic(69 + a, 76 + b) for a in steps for b in steps]
    assert tables.f_between(row, "muc") == (min(values), max(values))


def test_a_row_that_no_scores_give_does_not_add_up():
    given = dict(rows_of("lee2018")[-1].given)
    assert tables.adds_up(Example("", given))
    for cell, wrong in [("muc.f1", "80.6"), ("average", "73.2"), ("b3.recall", "59.5")]:
        assert not tables.adds_up(Example("", given | {cell: wrong})), cell
    # Each F1 fits its own recall and precision, and still their mean is not 72.8.
    assert not tables.adds_up(Example("", given | {"average": "72.8"}))


def test_exchanged_scores_are_never_noticed():
    for row in ROWS:
        for measure in AVERAGED:
            other = tables.exchanged(row, measure)
            assert tables.f_between(other, measure) == tables.f_between(row, measure)
            assert tables.adds_up(other)


def test_differences_hold_the_true_one():
    generator = random.Random(3)
    for _ in range(60):
        (one, true_one), (other, true_other) = (made(generator, 1, ROUND_HALF_UP) for _ in "ab")
        low, high = tables.difference(tables.average_left(one), tables.average_left(other))
        assert low <= true_one["average"] - true_other["average"] <= high
    one, other = Interval(Fraction(1), Fraction(2)), Interval(Fraction(0), Fraction(4))
    assert tables.difference(one, other) == (-3, 2)


# --------------------------------------------------------------------------- hypotheses


@pytest.mark.parametrize("rule", WAYS, ids=lambda rule: rule.name)
def test_what_would_come_from_printed_scores(rule):
    """Once more in decimal arithmetic with 28 digits."""
    by_f, by_mean = [], []
    for row in ROWS:
        cells = {cell: Decimal(text) for cell, text in row.given.items()}
        for m in AVERAGED:
            r, p = cells[f"{m}.recall"], cells[f"{m}.precision"]
            unit = Decimal(1).scaleb(cells[f"{m}.f1"].as_tuple().exponent)
            if (2 * r * p / (r + p)).quantize(unit, WAYS[rule]) != cells[f"{m}.f1"]:
                by_f.append(f"{row.name}, {m}")
        unit = Decimal(1).scaleb(cells["average"].as_tuple().exponent)
        mean = sum(cells[f"{m}.f1"] for m in AVERAGED) / 3
        if mean.quantize(unit, WAYS[rule]) != cells["average"]:
            by_mean.append(f"{row.name}, average")
    named = {h.name: h for h in tables.HYPOTHESES}
    assert named[f"F1 of the printed scores, {rule.name}"].unexplained(ROWS) == by_f
    assert named[f"mean of the printed F1, {rule.name}"].unexplained(ROWS) == by_mean


def test_rounded_averages_of_f1_that_were_cut_off_by_hand():
    """Björkelund and Kuhn: F1 cut off mean at least 61.63666…, which rounds to 61.64."""
    hypothesis = next(
        h for h in tables.HYPOTHESES if h.name == "mean of F1 in full, rounded; each F1 cut off"
    )
    assert "Björkelund and Kuhn, average" in hypothesis.unexplained(ROWS)
    # 70.72 + 58.58 + 55.61
    low = tables.average_between(ROWS[1], CUT).low
    assert low >= Fraction("184.91") / 3 > Fraction("61.635")


def test_every_hypothesis_is_asked_of_every_cell():
    assert [h.cells for h in tables.HYPOTHESES] == [AVERAGED] * 4 + [("average",)] * 6
    assert len({h.name for h in tables.HYPOTHESES}) == 10


def test_misprints_change_one_digit_of_one_cell():
    row = rows_of("lee2018")[0]
    found = list(tables.misprinted(row))
    assert len(found) == 10 * 3 * 9
    assert len({tuple(other.given.items()) for _, other in found}) == len(found)
    for cell, other in found:
        changed = [c for c in row.given if row.given[c] != other.given[c]]
        assert changed == [cell]
        assert sum(a != b for a, b in zip(row.given[cell], other.given[cell], strict=True)) == 1
