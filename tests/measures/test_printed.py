"""Cases by hand and from papers, asked of the library and of the oracle: a file for each measure.

A line is a key and a response, recall and precision, and where it is from, which may stand above:
``[zero=one] {a b} {c} | {a b c} => 1 1/2  Vilain et al. 1995, Table 1``. F1 is the harmonic mean
unless a third number says otherwise; a measure without recall has ``f1`` or ``value`` and a number.
"""

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import oracle
from rows import every_row
from strategies import read

from corefeval import metric
from corefeval.registry import MEASURES

FILES = {path.stem: path for path in Path(__file__).parent.glob("*.cases")}
WIDTH = 100


class Case(NamedTuple):
    measure: str
    zero: str
    key: str
    response: str
    expected: dict[str, Fraction]


def parts(numbers: list[str]) -> dict[str, Fraction]:
    """What a case says of a score, by name."""
    if numbers[0] in ("f1", "value"):
        name, number = numbers
        return {name: Fraction(number)}
    recall, precision, *other = map(Fraction, numbers)
    f1 = other[0] if other else oracle.f1(recall, precision)
    return {"recall": recall, "precision": precision, "f1": f1}


def cases(measure: str) -> list[Case]:
    found = []
    for line in FILES[measure].read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        sides, _, rest = line.partition(" => ")
        option, has_option, sides = sides.rpartition("] ")
        zero = option.removeprefix("[zero=") if has_option else "zero"
        key, response = map(str.strip, sides.split("|"))
        numbers = rest.partition("  ")[0].split()
        found.append(Case(measure, zero, key, response, parts(numbers)))
    return found


EVERY = [case for name in FILES for case in cases(name)]


@every_row("case", EVERY)
def test_the_library_gives_what_is_printed_or_worked_out_by_hand(case):
    score = metric(case.measure, zero=case.zero)(case.key, case.response)
    found = {name: getattr(score.exact, name) for name in case.expected}
    assert nearly(case.measure, found, case.expected)


@every_row("case", EVERY)
def test_the_oracle_gives_it_too(case):
    zero = int(case.zero == "one")
    score = oracle.score(case.measure, read(case.key), read(case.response), zero)
    found = {name: getattr(score, name) for name in case.expected}
    assert nearly(case.measure, found, case.expected)


def nearly(measure: str, found: dict, expected: dict) -> bool:
    """Whether they are the same; of a measure with logarithms, almost."""
    if measure != "h":
        return found == expected
    return all(abs(found[name] - number) < 1e-12 for name, number in expected.items())


def test_every_measure_has_cases_of_which_a_line_fits_the_screen():
    assert FILES.keys() == MEASURES.keys()
    lines = [line for path in FILES.values() for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []
