"""The last cell of a chapter says what has moved, and in the tests that is an error."""

from fractions import Fraction

import pytest
from companion import ledger
from companion.checks import STRICT, as_in_the_book
from companion.evidence import evidence

MOVED = ("a recall of 3/4", Fraction(1, 2))


def test_what_has_moved_is_told(monkeypatch):
    monkeypatch.delenv(STRICT)
    told = repr(as_in_the_book("", MOVED, ("a precision of 0.5", 0.5)))
    assert told == "Checks: 1 moved\n  “a recall of 3/4”: now 0.5000 (1/2)"


def test_in_the_tests_it_is_an_error():
    with pytest.raises(AssertionError, match=r"a recall of 3/4.*now"):
        as_in_the_book("", MOVED)


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("2 of 3", [2]),
        ("2 of 3", [2, 4]),
        ("two of three", [2, 4]),
        ("no number", [3]),
        ("never", [False]),
        ("1,000 pairs", [1001]),
        ("a fall by −3", [3]),
    ],
)
def test_a_sentence_that_does_not_hold(sentence, values):
    with pytest.raises(AssertionError):
        as_in_the_book("", (sentence, *values))


@pytest.mark.parametrize("told", [as_in_the_book, evidence])
def test_a_figure_of_the_chapter_that_fails(monkeypatch, told):
    row = next(iter(ledger.load("vilain1995").rows()))
    failed = ledger.replace(row, verdict="failed", chapter="muc")
    monkeypatch.setattr(ledger, "rows", lambda chapter: [failed])
    with pytest.raises(AssertionError, match=r"vilain1995.*printed"):
        told("muc")
