"""The concordance of symbols names things of the library: each name must exist."""

import re
from math import comb
from pathlib import Path

import pytest
from corefbook.alignment import align

from corefeval import Contingency, Partition, metric
from corefeval.measures.blanc import LinkClasses
from corefeval.measures.ceaf import phi1, phi2, phi3, phi4
from corefeval.measures.kappa import Agreement
from corefeval.overlap.alignment import best_sum
from corefeval.overlap.twinless import completed
from corefeval.score import Score

PAGE = (Path(__file__).parents[2] / "book" / "glossary.md").read_text("utf-8")
TABLE = PAGE.partition("```{list-table}")[2].partition("```")[0]
ROWS = [re.findall(r"^(?:\* -|  -) (.*)$", row, re.M) for row in TABLE.split("\n* - ")[1:]]
NAMES = sorted({name for row in ROWS for name in re.findall("`([^`]+)`", row[-1])})
KEY, RESPONSE = Partition.parse("{a b}"), Partition.parse("{a b c}")
KNOWN = {
    **{"key": KEY, "response": RESPONSE, "t": Contingency.of(KEY, RESPONSE)},
    **{"i": 0, "j": 0, "n": 2, "comb": comb, "metric": metric},
    **{"align": align, "best_sum": best_sum, "completed": completed},
    **{"phi1": phi1, "phi2": phi2, "phi3": phi3, "phi4": phi4},
    **{"LinkClasses": LinkClasses, "Agreement": Agreement, "Score": Score},
}


def test_every_row_has_a_cell_for_every_column():
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {len(ROWS[0])}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_last_column_exists(name):
    eval(name, {}, KNOWN)
