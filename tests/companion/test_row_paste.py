"""What a pasted row may mean."""

import pytest
from companion.pages.row_paste import numbers, pasted

TEN = "81.4 79.5 80.4 72.2 69.5 70.8 68.2 67.1 67.6 73.0"


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
    ],
)
def test_digits_that_are_no_scores_are_left_out(text, read):
    assert numbers(text) == read.split()


@pytest.mark.parametrize(
    ("count", "rows", "likely"),
    [
        (4, 3, "F1 of 3 measures, and their average"),
        (10, 3, "recall, precision and F1 of 3 measures, and their average"),
        (9, 3, "recall, precision and F1 of 3 measures"),
        (3, 1, "recall, precision and F1 of 1 measure"),
        (3, 3, None),
        (7, 3, None),
        (8, 3, None),
    ],
)
def test_a_layout_is_proposed_where_one_is_likely(count, rows, likely):
    found = pasted(" ".join(["50.0"] * count), rows)
    place = found["likely"]
    assert (None if place is None else found["layouts"][place]["name"]) == likely


def test_precision_may_come_first():
    _, exchanged, *_ = pasted("1 2 3", 1)["layouts"]
    assert exchanged["measures"] == [["2", "1", "3"]]
