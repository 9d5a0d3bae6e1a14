"""Other scorers' own tests: if one of these failed, we would not count as that scorer does."""

from pathlib import Path

import pytest
from corefbook.studies import suites

STORED = [name for name, suite in suites.suites().items() if suite.reads != "corefud"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [n for n in STORED if not suites.suites()[n].same_as])
def test_what_a_suite_asserts_is_what_we_count(name):
    assert suites.wrong(name) == []


@pytest.mark.parametrize("name", STORED)
def test_every_triple_is_stored_or_has_a_reason(name):
    suite = suites.suites()[name]
    stored = len(list(suites.of_suite(name)))
    assert stored + sum(suite.not_said.values()) == suite.asserted


def test_the_readers_tests_hold_the_corefud_suite():
    stated = Path(__file__).parents[1] / "library" / "readers" / "corefud" / "stated.tsv"
    rows = len(stated.read_text("utf-8").splitlines()) - 1  # a line of headings
    assert suites.suites()["corefud"].asserted == rows == 320


def test_a_value_beyond_the_tolerance_is_noticed():
    row = suites.Asserted("coval", "A10", "b3", (0.5, 1.0, 0.6667), 1e-4)
    assert not suites.differs(row, (0.5, 1.0, 2 / 3))
    assert suites.differs(row, (0.5, 1.0, 0.6669))
    assert suites.differs(row._replace(tolerance=0.0), (0.5, 1.0, 2 / 3))


def test_mentions_survive_a_file_and_back(tmp_path):
    for name in ("reference", "coval"):
        for label, case in suites.cases(name).items():
            for path, side in zip(suites.written(tmp_path, case), case, strict=True):
                marks = [
                    line.split("\t")[4] for line in path.read_text().splitlines() if "\t" in line
                ]
                opened = sum(mark.count("(") for mark in marks)
                assert opened == sum(map(len, side.values())), (name, label)
