"""The counts of data/runs.csv are those that the simulation gives, and the docstring names them.

If one of these failed, the book and the library would say of chance what nobody had counted.
"""

import pytest
from corefbook.studies import runs

from corefeval import compare_systems
from corefeval.chance.significance import FEW


@pytest.mark.proof
@pytest.mark.parametrize("apart", [runs.ALIKE, runs.APART])
def test_the_first_pairs_again(apart):
    assert runs.below(apart, 3, range(30)) == runs.measured()[apart, 3, 30]


def test_the_docstring_has_the_counts():
    text = " ".join(compare_systems.__doc__.split())
    for apart in (runs.ALIKE, runs.APART):
        assert "{}, {} and {}".format(*runs.of_thousand(apart)) in text


def test_few_runs_give_low_p_too_often():
    counts = {n: runs.measured()[runs.APART, n, 1000] for n in (3, 5, 10)}
    assert {n for n, count in counts.items() if count > 75} == {n for n in counts if n < FEW}
    assert f"fewer than {FEW} runs" in " ".join(compare_systems.__doc__.split())
