"""What other programs print, under the choices that `like` names.

The values stand in data/public_scorers, as the programs gave them. A wrong choice in
corefeval/programs/scorers.toml, or a convention that has come to mean something else, makes a row
fail; so does an exception that has become equal, which is then no exception any more.
"""

import re

import pytest
from companion import scorers
from companion.ledger import load

from corefeval import CorefError, evaluate
from corefeval.programs.bundles import bundles
from corefeval.registry import MEASURES

DATA = load("public_scorers").content
PAIRS = [(program, measure) for program, each in bundles().items() for measure in each.measures]
NAMES = scorers.inputs()


@pytest.mark.parametrize(("program", "measure"), PAIRS)
def test_our_choices_give_what_the_program_prints(program, measure):
    excepted = scorers.exceptions(program, measure)
    for name in NAMES:
        value = scorers.printed(name, measure).get(program, "")
        if scorers.numbers(value):
            mine = scorers.ours(program, name, measure)
            assert scorers.agrees(value, mine) == (name not in excepted), (name, value, mine)


@pytest.mark.parametrize(("program", "measure"), PAIRS)
def test_most_values_are_given(program, measure):
    found = scorers.given_by_choices(program, measure)
    printed = sum(
        bool(scorers.numbers(scorers.printed(name, measure).get(program, ""))) for name in NAMES
    )
    assert not found.counterexample
    assert found.cases + len(scorers.exceptions(program, measure)) >= printed >= 8


def test_an_exception_is_of_a_value_that_was_printed():
    for each in DATA["exceptions"]:
        for program in each["programs"].split():
            of = each.get("measures", "").split()
            assert {*of} - {*MEASURES} == set()
            for measure in [m for m in bundles()[program].measures if not of or m in of]:
                for name in each["inputs"].split():
                    value = scorers.printed(name, measure).get(program, "")
                    assert scorers.numbers(value), (program, measure, name)


def test_every_program_has_a_value_or_a_word_for_every_input_and_measure():
    measures = {measure for name in NAMES for measure in scorers._values()[name]}
    for measure in measures:
        programs = [set(scorers.printed(name, measure)) for name in NAMES]
        assert programs.count(programs[0]) == len(NAMES), measure
    assert {p for name in NAMES for m in measures for p in scorers.printed(name, m)} == {
        *DATA["programs"]
    }


def test_every_program_has_choices_or_a_reason():
    assert {*bundles()} == {*DATA["programs"]}
    for program, bundle in bundles().items():
        if not bundle.measures:
            with pytest.raises(CorefError) as error:
                evaluate({"d": "{a b}"}, {"d": "{a b}"}, like=program)
            assert bundle.not_reproduced in str(error.value)


def test_every_measure_that_a_program_computes_is_there_or_left_out():
    left_out = {each["place"] for each in DATA["left_out"]}
    for program, bundle in bundles().items():
        printed = {m for name in NAMES for m in scorers._values()[name] if program in
                   scorers.printed(name, m)}  # fmt: skip
        assert printed == {*bundle.measures} or program in left_out, program


def test_a_fact_is_of_a_program_and_an_input():
    for fact in DATA["facts"]:
        assert {*fact["programs"].split()} <= {*DATA["programs"]}
        assert fact.get("shown", "pradhan") in NAMES
        assert fact["known"].startswith(("ran", "read, not run"))
        assert fact["where"] and fact["says"].endswith(".")


def values_of(fact):
    """All that the programs of a fact print for the input that it names, as numbers."""
    programs, name = fact["programs"].split(), fact["shown"]
    for program in programs:
        yield scorers.conll(name, program)
        for measure in scorers._values()[name]:
            yield from scorers.numbers(scorers.printed(name, measure).get(program, "")) or ()


@pytest.mark.parametrize("fact", [fact for fact in DATA["facts"] if "shown" in fact])
def test_the_scores_of_a_fact_were_printed(fact):
    scores = re.findall(r"(?<![\d.])0\.\d+|\d\d\.\d\d", fact["says"])
    values = [value for value in values_of(fact) if isinstance(value, float)]
    for score in scores:
        assert any(abs(float(score) - x) < 0.005 for v in values for x in (v, 100 * v)), score


@pytest.mark.parametrize(
    ("program", "name", "measure", "value"),
    [
        # A changed digit, a changed order of recall and precision, a value of another program.
        ("e2e", "perfect-singletons", "ceafe", "0.3334 1.0000 0.5000"),
        ("e2e", "perfect-singletons", "ceafe", "1.0000 0.3333 0.5000"),
        ("reference", "perfect-singletons", "ceafe", "0.3333 1.0000 0.5000"),
        ("e2e", "perfect-singletons", "ceafe", "0.3332 1.0000 0.5000"),
    ],
)
def test_a_value_that_was_not_printed_does_not_agree(program, name, measure, value):
    assert not scorers.agrees(value, scorers.ours(program, name, measure))


def test_values_that_are_cut_and_values_that_are_rounded_agree():
    score = scorers.ours("reference", "micro-macro", "muc")  # precision 6/7, in full 0.857142…
    assert scorers.agrees("0.7500 1.0000 0.8571", score)
    assert not scorers.agrees("0.7500 1.0000 0.8573", score)
