"""What a type checker says of code that uses the library."""

import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import corefeval

ROOT = Path(__file__).parents[2]
USE = """
from corefeval import Report, Score, evaluate, metric
score: Score = metric("muc")("{a b}", "{a b}")
report: Report = evaluate({"d": "{a b}"}, {"d": "{a b}"})
numbers: list[float] = [score.f1, report.total["muc"].recall]
percent: float = score.value * 100
"""


def errors(code: str) -> list[str]:
    options = ["--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=/dev/null"]
    command = [sys.executable, "-m", "mypy", *options, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    return [line for line in said.splitlines() if line.startswith("<string>")]


@pytest.mark.proof
def test_a_known_part_of_scores_is_a_number():
    (wrong,) = errors(USE + "total: int = report.signature\n")
    assert "expression has type" in wrong and ":7:" in wrong


@pytest.mark.proof
def test_type_checkers_find_an_unknown_choice():
    given = 'metric("muc", zero="one", {0})\nevaluate({{}}, {{}}, {0})\n'
    assert errors(USE + given.format('singletons="drop"')) == []
    found = errors(USE + given.format('singletons="dropp"'))
    assert len(found) == 2 and all('expected "Literal[' in each for each in found)


def public_functions():
    """Every public function and class of the library, and the classes' public methods."""
    for name in corefeval.__all__:
        public = getattr(corefeval, name)
        yield name, public
        if isinstance(public, type):
            for method, found in vars(public).items():
                function = getattr(found, "fget", None) or getattr(found, "__func__", found)
                if callable(function) and not method.startswith("_"):
                    yield f"{name}.{method}", function


def test_hints_can_be_read_at_run_time():
    for name, public in public_functions():
        assert get_type_hints(public) is not None, name
