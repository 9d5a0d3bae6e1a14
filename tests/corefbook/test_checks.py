"""The last cell of a chapter says what has moved, and in the tests that is an error."""

from dataclasses import replace

import pytest
from corefbook import ledger
from corefbook.evidence import Evidence, Held


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("2 of 3", [2]),
        ("2 of 3", [2, 4]),
        ("two of three", [2, 4]),
        ("a third of it", [0.25]),
        ("two thirds", [2]),
        ("twice what", [3]),
        ("the dozen", [11]),
        ("no number", [3]),
        ("never", [False]),
        ("1,000 pairs", [1001]),
        ("a fall by −3", [3]),
    ],
)
def test_a_sentence_that_does_not_hold(sentence, values):
    with pytest.raises(AssertionError):
        Evidence("lea", Held(sentences=[(sentence, *values)]))


def test_a_figure_of_the_chapter_that_fails(monkeypatch):
    row = next(iter(ledger.load("vilain1995").rows()))
    failed = replace(row, verdict="failed", chapter="muc")
    monkeypatch.setattr(ledger, "rows", lambda chapter: [failed])
    with pytest.raises(AssertionError, match=r"vilain1995.*printed"):
        Evidence("muc", Held())
