"""What several people annotated in one text, and what two scorers that are not ours print of it."""

import csv

import pytest
from corefbook.studies import people

from corefeval import evaluate
from corefeval.analysis.number_match import cut_by_perl

LETTERS = {initials: letter for letter, initials in people.INITIALS.items()}
PRINTED = [*people.printed_rows()]
WITH_EQUAL_TOKENS = [row for row in PRINTED if row["act"] == "sara-3"]
CUT = [row for row in PRINTED if "cut" in row["response"] and row["scorer"] == "reference"]


def shown(sides, measure, scorer):
    """The parts of our score, as a scorer prints them: the reference scorer cuts digits off."""
    key, response = sides
    score = evaluate({"act": key}, {"act": response}, measure)[measure]
    parts = cut_by_perl(score) if scorer == "reference" else score.parts
    return {part: f"{float(100 * value):.2f}" for part, value in parts.items() if value is not None}


@pytest.mark.parametrize(
    "row", WITH_EQUAL_TOKENS, ids=lambda row: f"{row['scorer']} {row['measure']}"
)
def test_two_scorers_agree_where_tokens_are_equal(row):
    key, response = (LETTERS[row[side]] for side in ("key", "response"))
    ours = shown(people.annotated_sides(row["act"], key, response), row["measure"], row["scorer"])
    for part in ("recall", "precision", "f1"):
        if row[part]:
            assert ours[part] == f"{float(row[part]):.2f}"


@pytest.mark.filterwarnings("ignore:the key and the response share few mentions")
@pytest.mark.parametrize("row", CUT, ids=lambda row: row["response"])
def test_a_cut_token_shifts_all_behind_it(row):
    whole = people.entities(row["act"], LETTERS[row["key"]])
    token = int(row["response"].split()[-1])
    ours = shown((whole, people.cut_at(token, whole)), row["measure"], "reference")
    assert ours["f1"] == f"{float(row['f1']):.2f}"


def test_tokens_that_are_the_same_have_one_number():
    """E's token 1217 is two of A's; four more tokens differ one for one."""
    pair = people.Pair("sara-2", "E", "A")
    place = people.aligned(pair)
    assert [place(0), place(1216), place(1219)] == [0, 1216, 1218]
    assert place(1217) < 0 and place(1218) < 0
    assert people.Pair("sara-2", "A", "E").other_tokens == [
        [c, d, a, b] for a, b, c, d in pair.other_tokens
    ]


def test_every_row_is_of_a_stored_act():
    with (people.FOLDER / "printed.csv").open(encoding="utf-8") as file:
        assert {row["act"] for row in csv.DictReader(file)} <= people.acts().keys()
