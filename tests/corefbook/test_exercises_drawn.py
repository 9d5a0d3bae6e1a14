"""Exercises: the same from the same address, sound, and judged as the oracle would."""

from fractions import Fraction

import oracle
import pytest
from corefbook.pages.practice import OFFERED, SIZES, drawn_sides, exercise, judge
from rows import every_row

SOME = [(size, measure, seed) for size in (4, 6, 9) for measure in OFFERED for seed in (0, 7, 41)]


def exact(asked: tuple[int, str, int]) -> list[Fraction]:
    """Recall and precision, from sets and without the library's formulas."""
    pair = ([frozenset(entity) for entity in side] for side in drawn_sides(*asked))
    return [Fraction(part) for part in oracle.score(asked[1], *pair)[:2]]


def test_an_address_is_one_exercise_everywhere():
    sides = drawn_sides(6, "b3", 7)
    assert [*map(str, sides)] == ["{a b d} {c e f}", "{a} {b e} {c d f}"]
    assert drawn_sides(6, "b3", 7) == sides != drawn_sides(6, "b3", 8)
    assert len({str(drawn_sides(6, "b3", seed)[1]) for seed in range(50)}) > 30


@every_row("asked", SOME)
def test_an_exercise_has_something_to_work_out(asked):
    key, response = drawn_sides(*asked)
    assert key.mentions == response.mentions and len(key.mentions) == asked[0]
    assert key != response and max(key.sizes) > 1 and max(response.sizes) > 1


@every_row("asked", SOME)
def test_only_the_exact_values_are_right(asked):
    recall, precision = exact(asked)
    size, measure, seed = map(str, asked)
    both = "Recall: ✓ right. Precision: ✓ right."
    for texts in (
        (str(recall), str(precision)),
        (f"{float(recall):.3f}", f"{100 * float(precision):.2f}%"),
    ):
        assert judge(size, measure, seed, *texts).told == both
    off = [str(abs(part - Fraction(1, 100))) for part in (recall, precision)]
    assert judge(size, measure, seed, *off).told == "Recall: ✗ wrong. Precision: ✗ wrong."
    solved = f"recall {recall}, precision {precision}, F1 "
    assert solved in exercise(size, measure, seed).html


def test_an_exercise_shows_sides_terms_and_the_next():
    html = exercise("6", "b3", "7").html
    assert "<code>{a b d} {c e f}</code>" in html and "<svg" in html
    assert ">8/3</td>" in html  # 4/9 of six mentions
    assert 'href="#size=6&measure=b3&seed=8"' in html.replace("&amp;", "&")


def test_an_omitted_answer_is_not_judged():
    assert judge("6", "b3", "7", "", " ").told == ""
    assert judge("6", "b3", "7", "4/9").told == "Recall: ✓ right. Precision: not yet."


@pytest.mark.parametrize(
    ("size", "measure", "seed"),
    [
        ("3", "muc", "1"),
        ("10", "muc", "1"),
        ("5", "conll", "1"),
        ("5", "x", "1"),
        ("5", "b3", "-1"),
    ],
)
def test_a_refusal_names_what_is_offered(size, measure, seed):
    answer = exercise(size, measure, seed)
    assert answer.state == "refused" and not answer.html
    expected = f"{SIZES[0]} to {SIZES[-1]}", "muc, b3", "a whole number"
    assert any(each in answer.told for each in expected)
