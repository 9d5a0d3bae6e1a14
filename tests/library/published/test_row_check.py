"""The row checker, against every row of a coarse grid and against printed tables."""

from decimal import ROUND_HALF_UP
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from corefbook.papers.published_tables import AVERAGED, rows_of
from prints import as_printed

from corefeval import CorefError
from corefeval.published.intervals import CUT, ROUNDED, prints
from corefeval.published.row_check import check

printed = partial(as_printed, way=ROUND_HALF_UP)


def f1(recall: Fraction, precision: Fraction) -> Fraction:
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


GRID = [Fraction(n, 7) for n in range(0, 701, 61)]


def test_rows_of_true_numbers_are_possible():
    for recall, precision in product(GRID, GRID):
        truth = {"recall": recall, "precision": precision, "F1": f1(recall, precision)}
        texts = [printed(value, 1) for value in truth.values()]
        assert check({"MUC": texts}, texts[2]).possible
        for place, part in enumerate(truth):
            told = check({"MUC": [t if i != place else "" for i, t in enumerate(texts)]})
            assert told.possible
            low, high = told.missing.get(f"MUC {part}", (0, 100))
            assert low <= truth[part] <= high


def test_possible_is_just_what_a_search_finds():
    """Whole percents, against recall and precision in steps of 1/20."""
    for r, p in [(30, 60), (7, 93), (50, 50), (99, 2)]:
        near = [Fraction(2 * r - 1, 2) + Fraction(n, 20) for n in range(21)]
        beside = [Fraction(2 * p - 1, 2) + Fraction(n, 20) for n in range(21)]
        reached = {f1(a, b) for a, b in product(near, beside)}
        for f in range(101):
            half = Fraction(1, 2)
            found = min(reached) <= f + half and max(reached) >= f - half
            assert check({"x": (str(r), str(p), str(f))}).possible == found


@pytest.mark.parametrize("paper", ["lee2018", "shared_task_2012"])
def test_a_point_more_makes_published_rows_impossible(paper):
    for row in rows_of(paper):
        cells = {
            m: [row.given[f"{m}.{p}"] for p in ("recall", "precision", "f1")] for m in AVERAGED
        }
        average = row.given["average"]
        assert check(cells, average).possible
        digits = len(cells["b3"][2].partition(".")[2])
        higher = printed(Fraction(cells["b3"][2]) + 1, digits)
        spoiled = {**cells, "b3": [*cells["b3"][:2], higher]}
        told = check(spoiled, average)
        assert not told.possible and [*told.wrong] == ["b3 F1"]


def test_more_than_one_wrong_cell():
    told = check({"MUC": ("50", "50", "90"), "B³": ("50", "50", "10")}, "50")
    assert not told.possible and not told.wrong
    assert "more than one" in repr(told)


def test_the_average_narrows_a_missing_f1():
    told = check({"MUC": ("", "", ""), "B³": ("60", "60", "60")}, "70")
    low, high = told.missing["MUC F1"]
    assert (low, high) == (Fraction(157, 2), Fraction(163, 2))


def test_cut_off_digits_allow_other_rows():
    row = {"MUC": ("66", "66", "66")}
    assert check(row, rule=CUT).possible
    assert check({"MUC": ("33.3", "100", "49.9")}, rule=CUT).possible
    assert not check({"MUC": ("33.3", "100", "49.8")}, rule=CUT).possible


@pytest.mark.parametrize(
    ("cells", "average", "told"),
    [
        (("a", "1", "1"), "", "MUC recall: 'a' is no number"),
        (("101", "1", "1"), "", "MUC recall: '101' is no number from 0 to 100"),
        (("1", "1"), "", "MUC: expected recall, precision and F1, got 2 cells"),
        (("", "", ""), "", "the row is empty"),
        (("1", "1", "1"), "-3", "average: '-3' is no number"),
    ],
)
def test_what_is_no_row(cells, average, told):
    with pytest.raises(CorefError, match=told):
        check({"MUC": cells}, average)


def test_an_average_of_printed_f1_is_allowed():
    # In full the mean of the three is 72.1139 at least: it is not printed as 72.10.
    row = {name: ("72.14", "72.14", "72.1") for name in ("MUC", "B³", "CEAFₑ")}
    assert check(row, "72.10").possible
    assert not check(row, "72.09").possible


def test_where_a_wrong_cell_would_have_to_lie():
    for recall, precision in product(GRID[1:], GRID[1:]):
        texts = [printed(each, 1) for each in (recall, precision, f1(recall, precision))]
        for place, part in enumerate(("recall", "precision", "F1")):
            spoiled = [*texts]
            spoiled[place] = "0.0" if spoiled[place] != "0.0" else "100"
            told = check({"x": spoiled})
            if not told.possible:
                low, high = told.wrong[f"x {part}"]
                assert low <= (recall, precision, f1(recall, precision))[place] <= high


def test_each_print_offered_makes_the_row_possible():
    for texts in (("79.2", "73.6", "77.3"), ("12", "90", "20"), ("5.0", "60", "9.3")):
        for rule in (ROUNDED, CUT):
            for cell, interval in check({"x": texts}, rule=rule).wrong.items():
                place = ("x recall", "x precision", "x F1").index(cell)
                digits = len(texts[place].partition(".")[2])
                first, last = prints(interval, digits, rule)
                one = Fraction(1, 10**digits)
                below, above = Fraction(first) - one, Fraction(last) + one
                for text, possible in [
                    (first, True), (last, True),
                    (printed(below, digits), False), (printed(above, digits), False),
                ]:  # fmt: skip
                    changed = [text if i == place else each for i, each in enumerate(texts)]
                    assert check({"x": changed}, rule=rule).possible == possible, (cell, text)


def test_scores_up_to_one():
    assert check({"MUC": ("0.792", "0.736", "0.763")}, "0.763", whole=1).possible
    assert not check({"MUC": ("0.792", "0.736", "0.773")}, whole=1).possible
    with pytest.raises(CorefError, match="no number from 0 to 1, such as"):
        check({"MUC": ("79.2", "73.6", "76.3")}, whole=1)
