"""Why two scorers print two numbers: scores and reasons computed by hand.

If one of these failed, a user would be told a wrong reason for a number.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import lxml.html
import pytest
from case_files import lines_of
from documents import conll
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from corefeval import CorefError
from corefeval.analysis.explain import Hit, explain
from corefeval.registry import MEASURES
from corefeval.scorers.bundles import bundles

F = Fraction


@pytest.fixture
def explained(folder):
    """The explanation of a key and a response, each text of CoNLL-2012."""

    def explained(key, response, *metrics, **chosen):
        Path("key").write_text(key, encoding="utf-8")
        Path("response").write_text(response, encoding="utf-8")
        return explain("key", "response", metrics or "standard", **chosen)

    return explained


def other(found, scorer, measure):
    """The F1 of a scorer where it is not ours, and why."""
    score = found.scores[scorer][measure]
    assert score != found.ours[measure]
    return score.exact.f1, found.reasons[scorer][measure]


@every_row("asked, told", lines_of("analysis/reasons"))
def test_a_reason(asked, told, explained):
    of, _, files = asked.partition(": ")
    scorer, measure = of.split()
    ours, theirs, reason = told.split(" ", 2)
    found = explained(*(conll(*side.split(" + ")) for side in files.split(" || ")))
    assert found.ours[measure].exact.f1 == F(ours)
    assert other(found, scorer, measure) == (F(theirs), reason)


def test_a_repeated_mention_in_a_document_too_few():
    """What the document e repeats is not scored. Ours: 2 of 2 links, and 1 that is missing."""
    key = {"d": ["a b", "c d"], "e": ["a b", "a"]}
    key, response = (
        {name: [each.split() for each in side] for name, side in of.items()}
        for of in (key, {"d": ["a b", "b c d"]})
    )
    found = explain(key, response, "muc")
    assert found.ours["muc"].exact.f1 == F(4, 5)
    assert other(found, "ua1", "muc") == (
        F(4, 7),
        "leaves out 1 document that one side lacks; "
        "counts each listing of the response's 1 repeated mention",
    )


CONLLU = """# global.Entity = eid-head
# newdoc id = d
1\tthe\t_\t_\t_\t_\t0\t_\t_\t{}
2\tcat\t_\t_\t_\t_\t0\t_\t_\t{}
3\tit\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-1)

"""


THE_CAT = CONLLU.format("Entity=(e1-2", "Entity=e1)")
CAT = CONLLU.format("_", "Entity=(e1-1)")
"""For "the cat", whose head is cat."""


def test_heads(explained):
    found = explained(THE_CAT, CAT, "muc")
    reason = "finds 2 mentions instead of 1 by match=head"
    assert other(found, "corefud_head", "muc") == (F(1), reason)
    assert found.ours["muc"].exact.f1 == 0 and found.strange == []
    found = explained(THE_CAT, CAT, "muc", match="head")
    assert found.ours["muc"].exact.f1 == 1
    reason = "finds 1 mention instead of 2 by match=exact"
    assert other(found, "corefud_exact", "muc") == (F(0), reason)


@pytest.mark.filterwarnings("ignore:.*share no mention")
def test_scorers_that_cannot_score_say_why(explained):
    found = explained(conll("(0) (0)", "(0) (0)"), conll("(0) (0)"))
    assert "document 'e; part 000' is not in" in found.failures["coval"]
    found = explained(conll("(0) (0)|(1) (1)"), conll("(0) (0) -"))
    # The reference scorer prints a score for these, which we do not know.
    for scorer in ("reference", "perl_9_alpha", "java"):
        assert "mention (1, 1) is in" in found.unknown[scorer]
    assert found.failures == {} and found.to_dict()["refused"]
    assert "where a mention is in two entities" in found.to_dict()["not_reproduced"]["tibert"]


# A number that was printed


def test_the_number_of_the_issue(explained):
    """(1 + 1 + 1/2) / 3 = 83.33 %"""
    text = conll("(0) (0) (1) (2)")
    found = explained(text, text)
    hits = found.hits("83.33")
    assert Hit("e2e", "conll", "f1", F(5, 6), "rounded") in hits
    assert {hit.measure for hit in hits} == {"conll"} and "ours" not in {h.scorer for h in hits}
    assert found.hits("0.8333") == hits == found.hits("83.33%")
    assert {hit.how for hit in found.hits("83.3")} == {"rounded"}
    # Recall of CEAFₑ is 1/3.
    assert {h[1:] for h in found.hits("33.33")} == {("ceafe", "recall", F(1, 3), "rounded")}


def test_cut_off_and_rounded(explained):
    """MUC 2/3: the reference scorer cuts to 66.66, others print 66.67."""
    found = explained(conll("(0) (0) (0)"), conll("(0) (0) (1)"), "muc")
    scorers = {hit.scorer: hit.how for hit in found.hits("66.67")}
    assert scorers["coval"] == scorers["ours"] == "rounded" and "reference" not in scorers
    scorers = {hit.scorer: hit.how for hit in found.hits("66.66")}
    assert scorers["reference"] == "cut off" and not {"coval", "ours"} & {*scorers}
    assert "reference" in {hit.scorer for hit in found.hits("66.7")}


def test_doubles_decide_a_digit_that_is_cut(explained):
    """Mentions: 7 of 12 and 7 of 13 make 14/25, which the Perl scorer prints as 55.99.

    A recall of 14 of 25 it prints as 56.
    """
    key, response = "(0) " * 12 + "- " * 6, "- " * 5 + "(0) " * 13
    found = explained(conll(key), conll(response), "mentions")
    assert found.scores["reference"]["mentions"].exact[:3] == (F(7, 12), F(7, 13), F(14, 25))
    scorers = {hit.scorer: hit.how for hit in found.hits("55.99") if hit.part == "f1"}
    assert scorers["reference"] == scorers["perl_v7"] == "cut off"
    assert "coval" not in scorers and "ours" not in scorers
    scorers = {hit.scorer for hit in found.hits("56.00")}
    assert {"coval", "ours"} <= scorers and "reference" not in scorers
    assert {hit.scorer for hit in found.truncations("56.00")} >= {"reference", "perl_v8"}

    found = explained(conll("(0) " * 25), conll("(0) " * 14 + "- " * 11), "mentions")
    scorers = {hit.scorer: hit.how for hit in found.hits("56.00")}
    assert scorers["reference"] == scorers["ours"] == "rounded"
    assert found.hits("55.99") == []


@pytest.mark.parametrize("number", ["66,67", " 66.67 % ", "66,67%", "66.67\u202f%"])
def test_a_number_may_have_comma_and_percent_sign(number, explained):
    found = explained(conll("(0) (0) (0)"), conll("(0) (0) (1)"), "muc")
    assert found.hits(number) == found.hits("66.67") != []
    assert found.hits(".6667") == found.hits("0,6667") == found.hits("66.67")


def test_what_is_printed_for_a_score_others_round(explained):
    """MUC 2/3: the reference scorer prints 66.66 for what is 66.67."""
    found = explained(conll("(0) (0) (0)"), conll("(0) (0) (1)"), "muc")
    cut = found.truncations("66.67")
    assert Hit("reference", "muc", "f1", F(6666, 10000), "cut off") in cut
    assert {hit[1:] for hit in cut} == {("muc", "f1", F(6666, 10000), "cut off")}
    assert found.truncations("66.66") == found.truncations("66.7") == []
    (hit, *_) = found.to_dict("66.67")["truncations"]
    assert (hit["scorer"], float(hit["value"])) == ("reference", 0.6666)


def test_half_a_digit_is_rounded_both_ways(explained):
    """Recall of MUC: 1 of 8 links; some print 12 for 12.5, others 13."""
    found = explained(conll("(0) " * 9), conll("(0) (0)" + " -" * 7), "muc")
    for number in ("13", "12", "0.13", "0.12"):
        hits = [hit for hit in found.hits(number) if hit.scorer == "ours"]
        assert [hit[1:] for hit in hits] == [("muc", "recall", F(1, 8), "rounded")], number
    assert [hit for hit in found.hits("14") if hit.part == "recall"] == []


def test_a_number_that_nobody_prints(explained):
    """MUC of 2 of 2 links and of 2 of 3: ½, 1 and 2/3."""
    found = explained(conll("(0) (0) (0)"), conll("(0) (0) (1)"), "muc")
    assert found.hits("70.00") == []
    near = found.nearest("70.00")
    assert [(each.part, float(each.value)) for each in near] == [
        ("f1", 2 / 3), ("f1", 0.6666), ("recall", 0.5),
    ]  # fmt: skip
    assert [each.value for each in found.nearest("0.70")] == [each.value for each in near]
    told = "\n".join(found.notes("70.00"))
    assert "70.00 is no scorer's score" in told and "muc f1 66.67" in told
    assert "nearest" not in "\n".join(found.notes("66.67"))
    assert [each["part"] for each in found.to_dict("70")["near"]] == ["f1", "f1", "recall"]


@pytest.mark.parametrize(
    "number", ["", "x", "1,083.33", "83 33", "1e3", "nan", "--1", "1.", "%", "9" * 20]
)
def test_no_number(number, explained):
    with pytest.raises(CorefError, match="is no number like 83"):
        explained(conll("(0)"), conll("(0)"), "muc").hits(number)


def test_floats_are_numbers_and_other_objects_are_refused(explained):
    found = explained(conll("(0) (0) (1)"), conll("(0) (0) (0)"), "muc")
    assert found.hits(66.67) == found.hits("66.67") != []
    assert found.nearest(70) == found.nearest("70")
    assert found.to_dict(66.67) == found.to_dict("66.67") and found.notes(66.67)
    for odd in (None, F(2, 3), b"66.67", ["66.67"]):
        with pytest.raises(CorefError, match="expected a number as it was printed, like"):
            found.hits(odd)


# The command


@pytest.fixture
def run(run, folder):
    Path("key").write_text(conll("(0) (0) (1) (2)"), encoding="utf-8")
    return partial(run, "explain")


def test_the_table(run):
    code, out, err = run("key", "key", "--metric", "ceafe,conll", "--printed", "50")
    assert (code, err) == (0, "")
    header, ours, *rows = [
        re.split(r"  +", line.strip()) for line in out.split("\n\n")[1].splitlines()
    ]
    assert (header, ours) == (["ceafe", "conll"], ["ours", "100.00", "100.00"])
    e2e = ["e2e", "deep_coref", "coref_hoi", "s2e", "fastcoref", "allennlp", "coreference_eval"]
    first, *others = sorted(e2e, key=lambda scorer: bundles()[scorer].rank)
    assert [f"{first} +{len(others)}", "−50.00", "−16.67"] in rows
    assert not any("·" in row[1:] and {*row[1:]} <= {"·", ""} for row in rows)
    summary, _, notes = (" ".join(each.split()) for each in out.split("\n\n"))
    assert summary == (
        "e2e and six more differ from ours on these files, over the response's 2 singletons."
    )
    assert f"as {first}, in the measures that they have: {', '.join(others)}" in notes
    assert "as ours, in the measures that they have: reference, perl_v7" in notes
    assert "leaves out the response's 2 singletons: e2e" in notes
    assert max(map(len, out.splitlines())) <= 80
    assert f"50 is ceafe f1 50.00, rounded: {', '.join(e2e)}" in notes


def test_many_measures_stand_in_tables_below_each_other(run):
    examples = Path(__file__).parents[3] / "data" / "examples"
    files = [examples / f"sredni-vashtar.{name}.conll" for name in ("key", "own-mentions")]
    out = run(*files, "--metric", "all")[1]
    _, *tables, _ = out.split("\n\n")
    measures = [name for table in tables for name in table.splitlines()[0].split()]
    rows = [[line[:20].rstrip() for line in table.splitlines()[1:]] for table in tables]
    assert len(tables) > 1 and measures == [*MEASURES] and rows == [rows[0]] * len(tables)
    assert max(map(len, out.splitlines())) <= 80


def test_a_measure_that_no_scorer_computes(run):
    out = run("key", "key", "--metric", "kappa")[1]
    assert out.startswith("None of the 0 scorers with these measures differs from ours.\n")
    assert [line.split() for line in out.splitlines()[2:4]] == [["kappa"], ["ours", "100.00"]]


def test_json(run):
    code, out, _ = run("key", "key", "--format", "json", "--printed", "83.33")
    found = json.loads(out)
    assert code == 0 and found["faults"] == [] and found["refused"] is False
    assert found["ours"]["ceafe"] == dict.fromkeys(("recall", "precision", "f1", "value"), 1.0)
    assert found["scorers"]["e2e"]["ceafe"] == {
        "recall": 1 / 3, "precision": 1.0, "f1": 0.5, "value": 0.5,
        "reason": "leaves out the response's 2 singletons",
    }  # fmt: skip
    assert found["scorers"]["e2e"]["muc"]["reason"] is None
    assert {"scorer", "measure", "part", "value", "how"} == set(found["hits"][0])


def test_other_commands_do_not_wait_for_it():
    source = "import corefeval.cli, sys; print('corefeval.analysis.explain' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout == "False\n"


# Anything

ZERO = re.compile(r"(?<![0-9./])0 (?!in )|\b0/(?!0 for 1)|'s 0")
column = st.sampled_from(["-", "(0)", "(1)", "(2)", "(0)|(1)", "(2)|(2)", "/"])
side = st.lists(st.lists(column, min_size=1, max_size=6), min_size=1, max_size=3)


def of_six(side):
    """Documents of six tokens each."""
    return [" ".join(each + ["-"] * (6 - len(each) + each.count("/"))) for each in side]


@given(side, side, st.permutations("def"), st.booleans())
def test_every_reason_has_a_fact(tmp_path_factory, key, response, names, blank):
    folder = tmp_path_factory.getbasetemp()
    text = conll(*of_six(response), names=names)
    (folder / "key").write_text(conll(*of_six(key), names="def"), encoding="utf-8")
    text = text.replace("\n\n", "\n \n") if blank else text
    (folder / "response").write_text(text, encoding="utf-8")
    found = explain(folder / "key", folder / "response")
    for scorer, reasons in found.reasons.items():
        for measure, score in found.scores[scorer].items():
            reason = reasons.get(measure)
            assert (score != found.ours[measure]) == bool(reason)
            assert not reason or ("{" not in reason and not ZERO.search(reason)), reason
    json.dumps(found.to_dict("50"), default=float)


# What an explanation shows


def test_an_explanation_reads_itself():
    key = {"d": "{a b c} {d e} {f}", "e": "{g}"}
    response = {"d": "{a b} {c} {d e f}", "e": "{g} {x}"}
    found = explain(key, response, ["muc", "b3"], scorer=["e2e", "coval", "hf_coval"])
    page = lxml.html.fromstring(f"<div>{found._repr_html_()}</div>")
    markdown = found.to_markdown().replace("\\", "")
    for reason in {reason for of in found.reasons.values() for reason in of.values()}:
        assert all(reason in shown for shown in (str(found), page.text_content(), markdown))
    cells = [[cell.text or "" for cell in row] for row in page.iter("tr")]
    assert cells == found.table().lines and cells[0] == ["", "muc", "b3"]
    assert json.loads(json.dumps(found.to_dict()))["ours"]["muc"]
    frame = found.to_frame().set_index(["scorer", "measure"])
    assert frame.loc[("ours", "b3"), "f1"] == float(found.ours["b3"].f1)
    assert frame.loc[("e2e", "b3"), "reason"] == found.reasons["e2e"]["b3"]
