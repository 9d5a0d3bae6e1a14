"""Agreement with the reference scorer v8.01, more closely than its own suite asks."""

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from corefbook import ledger
from figures import figures
from rows import every_row

import corefeval

TOLERANCE = Fraction(5, 10**6)
"""The suite's is 10⁻⁴, and by rounding "0.5" would pass for 0.46: its values are printed without
their last zeros."""


class Value(NamedTuple):
    case: str
    measure: str
    part: str
    printed: str
    exact: Fraction


SUITES = "reference_scorer", "reference_scorer_lea"


@cache
def values():
    asserted = []
    for paper, figure in (each for name in SUITES for each in figures(name)):
        name, part = figure["measure"].split(".")
        example = paper.examples[figure["example"]]
        exact = getattr(corefeval.metric(name)(example.key, example.response).exact, part)
        asserted.append(Value(figure["example"], name, part, figure["printed"], exact))
    return asserted


def reckoned(printed):
    """What the suite prints, as a number or as a calculation."""
    return eval(re.sub(r"\d+(\.\d+)?", r"Fraction('\g<0>')", printed))


@every_row("value", values)
def test_value_of_the_suite(value):
    decimals = "." in value.printed
    assert abs(value.exact - reckoned(value.printed)) <= (TOLERANCE if decimals else 0)


def test_none_is_skipped():
    assert len(values()) == 228 + 99
    for name in SUITES:
        text = (ledger.DATA / f"{name}.toml").read_text(encoding="utf-8")
        rows = re.findall(r'measure = "(\w+)", printed = \[(.*?)\]', text)
        numbers = [number for _, printed in rows for number in re.findall(r'"([^"]+)"', printed)]
        measures = {measure for measure, _ in rows}
        assert [each.printed for each in values() if each.measure in measures] == numbers
        assert text.count("measure =") == len(rows) == len(numbers) / 3
    cases = list(ledger.load("reference_scorer").examples)
    assert list(dict.fromkeys(value.case for value in values())) == cases
    assert len(cases) == 33
    measures = {"muc", "b3", "ceafm", "ceafe", "blanc", "lea"}
    assert {value.measure for value in values()} == measures


# The coreference columns of the suite's own files: b is the fourth to seventh token.
KEY = "(0 0) - (1 - - 1) - - (1) - (2 2) - (2) - (2 - 2) -"
A7_TO_A9 = "(0 0) - {} - - {} - - (1) (1) (2 2) (3) - (2) - - - -"
REPEATS = {  # b once more: in its own entity, in another, ten times in another
    "A7": A7_TO_A9.format("(1(1", "1)1)"),
    "A8": A7_TO_A9.format("(1(3", "3)1)"),
    "A9": A7_TO_A9.format("(1" + 10 * "(3", 10 * "3)" + "1)"),
}


def file(columns: str) -> str:
    lines = [f"w{i}\t{column}\n" for i, column in enumerate(columns.split())]
    return "".join(["#begin document (case); part 000\n", *lines, "#end document\n"])


@pytest.mark.parametrize("case", REPEATS)
def test_repeated_mentions_are_scored_as_in_a4(case, tmp_path):
    # What the suite expects of A7 to A9 is what it expects of A4, which they are without repeats.
    (tmp_path / "key").write_text(file(KEY))
    (tmp_path / "response").write_text(file(REPEATS[case]))
    report = corefeval.evaluate(tmp_path / "key", tmp_path / "response", "all", repeated="first")
    a4 = ledger.load("reference_scorer").examples["A4"]
    for name, score in report.total.items():
        assert score == corefeval.metric(name)(a4.key, a4.response)
    with pytest.raises(corefeval.CorefError, match=r"response, lines? 5.*mention \(3, 6\)"):
        corefeval.evaluate(tmp_path / "key", tmp_path / "response")
