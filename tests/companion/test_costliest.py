"""The costliest entities and the scorers' differences, against the library."""

from companion.pages.costliest import costliest
from companion.pages.differences import differences
from pair import KEY, PATHS, RESPONSE

import corefeval
from corefeval.display import percent
from corefeval.scorers.bundles import bundles


def test_the_costliest_come_with_side_and_words():
    found = {each["name"]: each["rows"] for each in costliest(KEY, RESPONSE)["measures"]}
    worst = corefeval.anatomy(*PATHS, "b3").costliest("b3", 1)[0]
    row = found["b3"][0]
    assert row[0] == percent(worst.cost["b3"]) == "1.27"
    assert row[1:3] == ["recall", "K5"] and row[3].startswith("she, she, her, ")
    assert "4 in R3" in row[4] and row[5] == "sredni-vashtar; part 005"
    costs = [float(each[0]) for each in found["b3"]]
    assert costs == sorted(costs, reverse=True)


def test_conventions_change_the_costs():
    kept, dropped = (costliest(KEY, RESPONSE, **c) for c in ({}, {"singletons": "drop"}))
    assert kept != dropped


def test_the_differences_are_those_of_the_scorers():
    found = differences(KEY, RESPONSE)
    scorers = corefeval.explain(*PATHS)
    by_scorer = {name: row["cells"] for row in found["rows"] for name in row["scorers"]}
    assert {*by_scorer, *found["alike"]} == {bundles()[name].stated for name in scorers.scores}
    at = found["head"].index("CoNLL score")
    assert found["ours"][at] == "83.94" and by_scorer["e2e@9d1ee19"][at] == "−24.35"
    assert any(
        "e2e" in each["scorers"] and "singletons" in each["reason"] for each in found["reasons"]
    )


def test_files_that_cannot_be_read_are_told():
    assert "no document" in costliest(KEY, b"")["error"]
    assert "no document" in differences(KEY, b"")["error"]
