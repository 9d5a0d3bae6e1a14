"""Cases by hand and from papers, asked of the library and of the oracle."""

import oracle
import pytest
from cases import EVERY, FILES, Case
from rows import every_row
from slips import OF_LOGARITHMS
from strategies import read

from corefeval import metric
from corefeval.registry import MEASURES

WIDTH = 100


def is_expected(case: Case, score) -> None:
    found = {name: getattr(score, name) for name in case.expected}
    expected, got = (
        ", ".join(f"{name} {number}" for name, number in each.items())
        for each in (case.expected, found)
    )
    if not nearly(case.measure, found, case.expected):
        pytest.fail(f"expected {expected}; got {got}")


@every_row("case", EVERY)
def test_the_library_gives_what_is_printed_or_worked_out_by_hand(case):
    score = metric(case.measure, zero=case.zero)(case.key, case.response)
    is_expected(case, score.exact)


@every_row("case", EVERY)
def test_the_oracle_gives_it_too(case):
    zero = int(case.zero == "one")
    is_expected(case, oracle.score(case.measure, read(case.key), read(case.response), zero))


@every_row("slip", OF_LOGARITHMS)
def test_a_slip_of_h_shows_in_its_cases(slip):
    cases = [case for case in EVERY if case.measure == "h" and case.zero == "zero"]
    shows = False
    for case in cases:
        wrong = slip.wrong(read(case.key), read(case.response))._asdict()
        shows |= not nearly("h", wrong, case.expected)
    assert shows


def nearly(measure: str, found: dict, expected: dict) -> bool:
    """Whether they are the same; of a measure with logarithms, almost."""
    if measure != "h":
        return found == expected
    return all(abs(found[name] - number) < 1e-12 for name, number in expected.items())


def test_every_measure_has_cases_of_which_a_line_fits_the_screen():
    assert FILES.keys() == MEASURES.keys()
    lines = [line for path in FILES.values() for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []
