"""Exercises: the same from the same address, sound, and judged as the oracle would."""

from fractions import Fraction

import oracle
import pytest
from companion.pages.practice import OFFERED, SIZES, exercise, judge, solution
from rows import every_row

from corefeval import CorefError, Partition

SOME = [(size, measure, seed) for size in (4, 6, 9) for measure in OFFERED for seed in (0, 7, 41)]


def exact(asked: tuple[int, str, int]) -> list[Fraction]:
    """Recall and precision, from sets and without the library's formulas."""
    found = exercise(*asked)
    sides = ([frozenset(e) for e in Partition.parse(found[side])] for side in ("key", "response"))
    return [Fraction(part) for part in oracle.score(asked[1], *sides)[:2]]


def test_an_address_is_one_exercise_in_every_version_of_python():
    found = exercise(6, "b3", 7)
    assert (found["key"], found["response"]) == ("{a b d} {c e f}", "{a} {b e} {c d f}")
    assert exercise(6, "b3", 7) == found != exercise(6, "b3", 8)
    assert len({exercise(6, "b3", seed)["response"] for seed in range(50)}) > 30


@every_row("asked", SOME)
def test_an_exercise_has_something_to_work_out(asked):
    found = exercise(*asked)
    key, response = (Partition.parse(found[side]) for side in ("key", "response"))
    assert key.mentions == response.mentions and len(key.mentions) == asked[0]
    assert key != response and max(key.sizes) > 1 and max(response.sizes) > 1
    assert found["svg"].startswith("<svg")


@every_row("asked", SOME)
def test_the_exact_values_are_right_and_others_are_wrong(asked):
    recall, precision = exact(asked)
    right = {"recall": "right", "precision": "right"}
    assert judge(*asked, str(recall), str(precision)) == right
    assert judge(*asked, f"{float(recall):.3f}", f"{100 * float(precision):.2f}%") == right
    off = [str(abs(part - Fraction(1, 100))) for part in (recall, precision)]
    assert judge(*asked, *off) == {"recall": "wrong", "precision": "wrong"}
    assert solution(*asked)["score"].startswith(f"recall {recall}, precision {precision}, F1 ")


def test_the_terms_are_those_of_the_measure():
    found = solution(6, "b3", 7)["terms"]
    assert [each["sum"] for each in found][:2] == ["8/3", "6"]  # 4/9 of six mentions


@pytest.mark.parametrize(("size", "measure"), [(3, "muc"), (10, "muc"), (5, "conll"), (5, "x")])
def test_what_is_not_offered_is_refused_with_what_is(size, measure):
    with pytest.raises(CorefError, match=f"{SIZES[0]} to {SIZES[-1]}|muc, b3"):
        exercise(size, measure, 1)
