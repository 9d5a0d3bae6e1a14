"""What a typed or pasted row may mean."""

import pytest
from corefbook.pages.row import ORDERS, verdict

from corefeval.published.numbers import MISSING, numbers

TEN = "81.4 79.5 80.4 72.2 69.5 70.8 68.2 67.1 67.6 73.0"
LINES = "MUC 79.5 81.4 80.4\nB³ 69.5 72.2 70.8\naverage 75.6"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"e2e-coref 2017 {TEN}", TEN),
        ("Lee 18 80.4 70.8", "80.4 70.8"),
        ("Lee et al. (2018) [12] 80.4 | 70", "80.4 70"),
        (r"Ours & \textbf{80.4} & 70.8\% \\", "80.4 70.8"),
        ("79,5 80,1", "79.5 80.1"),
        ("79.5,80.1", "79.5 80.1"),
        ("79,5; 80,1", "79.5 80.1"),
        ("80.4 ± 0.3 70.8±0.2", "80.4 70.8"),
        ("- 80.4 - 70.8", "80.4 – 70.8"),
        (".705 0.66", "0.705 0.66"),
        ("-3.5 80.4", "80.4"),
        ("B3 CEAF4 F1", ""),
        ("B3 80 70.5 75", "80 70.5 75"),
        ("MUC – 70.5 75", "– 70.5 75"),
    ],
)
def test_digits_that_are_no_scores_are_left_out(text, read):
    assert numbers(text) == read.split()


@pytest.mark.parametrize(
    ("count", "measures", "average"),
    [(4, 3, True), (6, 2, False), (7, 2, True), (9, 3, False), (10, 3, True)],
)
def test_a_row_with_one_reading_is_read(count, measures, average):
    answer = verdict(row=" ".join(["50.0"] * count))
    assert f"measure {measures}<" in answer.html and f"measure {measures + 1}<" not in answer.html
    read = answer.html.partition("</table>")[0]
    assert (">average<" in read) == average


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_else_the_reader_chooses(count):
    row = " ".join(["50.0"] * count)
    assert verdict(row=row).state == "refused" and "choose what they are" in verdict(row=row).told
    assert verdict(row=row, order="F1 alone").state != "refused"


def test_precision_may_come_first():
    one, other = (verdict(row="MUC 10 20 13", order=order).html for order in [*ORDERS][:2])
    assert ">10</td>" in one and one.index(">10<") < one.index(">20<")
    assert other.index(">20<") < other.index(">10<")


def test_lines_have_names_and_a_mean():
    answer = verdict(row=LINES)
    assert answer.told.startswith("Possible") and "B³ F1" in answer.html
    twice = verdict(row="MUC 50 50 50\nMUC 50 50 60").html
    assert "MUC (2) F1" in twice and "<strong>MUC F1" not in twice


def test_every_line_that_cannot_be_read_is_named():
    refusal = verdict(row=LINES.replace("72.2 ", "")).told
    assert refusal.startswith("line 2, 'B³ 69.5 70.8': 2 numbers, expected 3")
    assert "no number from 0 to 1, such as" in verdict(row=LINES, whole="1").told
    assert verdict(row="none").told == "type at least one printed number"
    assert MISSING in verdict(row="MUC 50 – 50").html
