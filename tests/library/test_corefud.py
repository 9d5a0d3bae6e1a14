"""CorefUD files: the official scores, what is read, and what is refused and with which words.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which line to mend. The files under corefud/ and the values in corefud/stated.tsv are those of the
official scorer's own tests (ufal/corefud-scorer v1.2, tests/unittests-corefud.py; MIT licence).
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from corefeval import evaluate

FILES = Path(__file__).parent / "corefud"
MEASURES = ["muc", "b3", "ceafe", "ceafm", "lea", "blanc_both"]


def scored(response: str, match: str, singletons: str = "keep") -> dict[str, tuple[Fraction, ...]]:
    """Recall, precision and F1 of each measure, for a response of the official tests."""
    path = FILES / response
    key = path.with_name(path.name.rpartition("-")[0] + ".key")
    chosen = {"match": match, "singletons": singletons, "repeated": "once_each"}
    report = evaluate(key, path, MEASURES, **chosen)
    return {name: report.total[name][:3] for name in MEASURES}


# The official scorer's own tests

LINEAR = {f"test_ZF{n}_linear" for n in (2, 3, 4, 5)}
"""Tests of another way to match zeros, by place; for each there is one of ours, by dependency."""


def stated() -> list[Any]:
    with (FILES / "stated.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        pytest.param(row, id=f"{row['test']}, {row['measure']}")
        for row in rows
        if row["test"] not in LINEAR
    ]


@pytest.mark.parametrize("row", stated())
def test_a_value_that_the_official_tests_state(row):
    found = scored(row["response"], row["match"])[row["measure"]]
    expected = [Fraction(row[part]) for part in ("recall", "precision", "f1")]
    for ours, theirs, part in zip(found, expected, ("recall", "precision", "f1"), strict=True):
        rounded = theirs.denominator > 1 and "." in row[part]
        assert ours == theirs or (rounded and abs(ours - theirs) < 1e-5), (part, ours, theirs)


def test_nothing_is_left_out():
    assert len(stated()) == 298
    assert (
        len({row.values[0]["test"] for row in stated()}) == 102
    )  # of 111: 4 by place, 3 switched off there, 2 of MOR alone
