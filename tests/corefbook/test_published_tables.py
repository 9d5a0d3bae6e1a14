"""Do published tables add up? The interval arithmetic against brute force and by hand."""

import copy
import random
from decimal import ROUND_DOWN, ROUND_HALF_UP
from fractions import Fraction

import pytest
from corefbook import ledger
from corefbook.ledger import Example, Paper
from corefbook.papers import published_tables as tables
from corefbook.papers.published_tables import AVERAGED, CUT, ROUNDED, rows_of
from prints import as_printed

PAPERS = ("shared_task_2012", "lee2018")
ROWS = [row for paper in PAPERS for row in rows_of(paper)]
WAYS = {ROUNDED: ROUND_HALF_UP, CUT: ROUND_DOWN}


def harmonic(recall, precision):
    return 2 / (1 / recall + 1 / precision)


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
def test_a_print_stands_for_its_decimal_interval(rule):
    generator = random.Random(1)
    for _ in range(500):
        number, decimals = Fraction(generator.randint(0, 10**7), 10**5), generator.randint(0, 3)
        low, high = rule.behind(as_printed(number, decimals, WAYS[rule]))
        assert low <= number <= high
        assert high - low == Fraction(1, 10**decimals)


# ---------------------------------------------------------------------------- intervals


@pytest.mark.parametrize("rule", WAYS, ids=lambda rule: rule.name)
@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_true_scores_lie_in_what_their_prints_allow(rule, decimals):
    generator = random.Random(2)
    for _ in range(60):
        row, truth = made(generator, decimals, WAYS[rule])
        for measure in AVERAGED:
            low, high = tables.f_left(row, measure, rule)
            assert low <= truth[f"{measure}.f1"] <= high
        low, high = tables.average_between(row, rule)
        assert low <= truth["average"] <= high


def test_the_ends_of_an_interval_are_reached():
    """By a grid over all recalls and precisions that round to 69 and 76."""
    row = Example("", {"muc.recall": "69", "muc.precision": "76"})
    steps = [Fraction(step, 40) for step in range(-20, 21)]
    values = [harmonic(69 + a, 76 + b) for a in steps for b in steps]
    assert tables.f_between(row, "muc") == (min(values), max(values))


def test_a_wrong_cell_leaves_nothing():
    given = dict(rows_of("lee2018")[-1].given)
    for cell, wrong in [("muc.f1", "80.6"), ("muc.recall", "79.8")]:
        low, high = tables.f_left(Example("", given | {cell: wrong}), "muc")
        assert low > high, cell
    # Each F1 fits its own recall and precision, and still their mean is not 72.8.
    assert tables.average_between(Example("", given)).low > ROUNDED.behind("72.8").high
