"""Scores and reports as people and other scorers get them: numbers, tables, frames, signatures.

If one of these failed, a score could be shown as another number, or lose its exactness on the way.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import pickle
import re
import subprocess
import sys
from fractions import Fraction as F

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from corefeval import CorefError, evaluate
from corefeval.cli import main
from corefeval.conventions import CHOICES, FIRST_CHOICES, Conventions
from corefeval.registry import MEASURES
from corefeval.score import Score
from corefeval.scorers.bundles import bundles
from corefeval.signature import parsed, short

NUMBERS = st.fractions(min_value=-3, max_value=3)
# MUC by hand: 1 of 2 key links, all of 1 response link; κ is of links that both or one side makes.
KEY, RESPONSE = {"d|1": "{a b c}", "e": "{x y}"}, {"d|1": "{a b}", "e": "{x y}"}


# Scores


@every_row("measure", MEASURES)
@every_row("average", CHOICES["average"])
def test_every_part_is_the_double_of_exact(measure, average):
    report = evaluate(KEY, RESPONSE, measure, average=average)
    for score in [report.total[measure], *(each[measure] for each in report.documents.values())]:
        kinds = {type(part) for part in score.exact} - {type(None)}
        assert kinds <= ({F, float} if measure == "h" else {F})
        for name, exact in score.exact._asdict().items():
            part = getattr(score, name)
            assert part is None if exact is None else (type(part), part) == (float, float(exact))
        assert [*score] == [score.recall, score.precision, score.f1]
        assert score.value is not None and score.exact.f1 in (None, score.exact.value)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (F(2, 5), "2/5"),
        (F(1), "1"),
        (F(-998, 999), "-998/999"),
        (F(999, 1000), "0.9990"),
        (F(1000, 999), "1.0010"),
        (F(-2, 3001), "-0.0007"),
        (F(10**140 + 1, 2 * 10**140), "0.5000"),
    ],
)
def test_a_short_part_is_printed_exactly(number, text):
    score = Score(value=number)
    assert str(score) == repr(score) == repr(score.exact) == f"value {text}"


@given(NUMBERS)
def test_a_score_is_its_exact_parts(number):
    score = Score(number, F(1, 2), number, counts=("a", 1))
    copies = [copy.copy(score), copy.deepcopy(score)]
    copies += [pickle.loads(pickle.dumps(score, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)]
    for each in copies:
        assert each.exact == score.exact and each.counts == score.counts and each == score
        assert {type(part) for part in each.exact} == {F}
    # The double of the two is the same.
    other = Score(number + F(1, 10**40), F(1, 2), number)
    assert other.recall == pytest.approx(score.recall) and other != score
    assert len({score, *copies, other}) == 2
    assert Score(*score.exact) == score and score != (*score.exact,)


def test_a_score_cannot_be_changed():
    score = Score(F(1, 2))
    for name in ("recall", "exact", "counts", "other"):
        with pytest.raises(AttributeError, match=name):
            setattr(score, name, F(1))
        with pytest.raises(AttributeError, match=name):
            delattr(score, name)
    assert score.recall == 0.5


@every_row("asked", [float, "{:.2f}".format])
def test_several_numbers_say_how_to_take_one(asked):
    report = evaluate({"d": "{a b} {c}"}, {"d": "{a b c}"}, ["muc", "kappa"])
    taken = {"score.f1": report["muc"], "score.value": report["kappa"], 'report["muc"].f1': report}
    for number, result in taken.items():
        with pytest.raises(TypeError, match=rf"take one, such as .*{re.escape(number)}"):
            asked(result)
        assert f"{result}" == str(result)


# Reports


def test_the_value_is_a_measures_number_everywhere(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, clusters in (("a", [[[0, 0], [1, 1], [2, 2]]]), ("b", [[[0, 0], [1, 1]]])):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"doc_key": "d", "clusters": clusters}))
    report = evaluate("a.jsonl", "b.jsonl", ["muc", "kappa"])
    values = {name: score.value for name, score in report.total.items()}

    metrics = [each for name in values for each in ("--metric", name)]

    def told(format, command):
        assert main([command, "a.jsonl", "b.jsonl", *metrics, "--format", format]) == 0
        return capsys.readouterr().out

    in_json = json.loads(told("json", "score"))["metrics"]
    assert {name: row["value"] for name, row in in_json.items()} == values
    in_csv = csv.DictReader(io.StringIO(told("csv", "score")))
    assert {row["measure"]: float(row["value"]) for row in in_csv} == values
    assert report.to_frame()["value"].to_dict() == values
    explained = json.loads(told("json", "explain"))["ours"]
    assert {name: row["value"] for name, row in explained.items()} == values


def test_the_dictionary_has_floats():
    found = evaluate(KEY, RESPONSE, ["muc", "conll", "kappa", "h"]).to_dict()
    # MUC: 2 of 3 and 2 of 2 links in both documents.
    assert found["muc_recall"] == 2 / 3 and found["muc_precision"] == 1 and found["muc_f1"] == 0.8
    assert "conll_recall" not in found and "kappa_value" in found and "kappa_f1" not in found
    assert {type(number) for number in found.values()} == {float}
    assert json.loads(json.dumps(found)) == found


def test_a_frame():
    report = evaluate(KEY, RESPONSE, ["muc", "conll"])
    frame = report.to_frame()
    assert [*frame.columns] == ["recall", "precision", "f1"] and frame.index.name == "measure"
    assert frame.loc["muc"].tolist() == [2 / 3, 1, 0.8]
    assert frame.loc["conll"].isna().tolist() == [True, True, False]
    assert {str(kind) for kind in frame.dtypes} == {"float64"}
    assert "value" in evaluate(KEY, RESPONSE, ["muc", "kappa"]).to_frame()


def test_a_frame_of_documents():
    frame = evaluate(KEY, RESPONSE, ["muc", "b3"]).to_frame(documents=True)
    assert frame.index.names == ["document", "measure"]
    assert [*frame.index] == [(d, m) for d in ("d|1", "e") for m in ("muc", "b3")]
    assert frame.loc[("d|1", "muc"), "recall"] == 0.5
    nothing = evaluate({}, {}, "muc").to_frame(documents=True)
    assert not len(nothing) and nothing.index.names == ["document", "measure"]


def test_documents_named_by_tuples_have_a_frame():
    key = {("a", 1): "{x y}", ("b", 2): "{x y}"}
    frame = evaluate(key, key, "muc").to_frame(documents=True)
    assert [*frame.index.get_level_values("document")] == [("a", 1), ("b", 2)]


def test_without_pandas_the_rest_works(tmp_path):
    (tmp_path / "pandas.py").write_text("raise ImportError('none')")
    code = (
        "from corefeval import evaluate\n"
        "report = evaluate({'d': '{a b}'}, {'d': '{a b}'}, 'muc')\n"
        "print(report.to_dict()['muc_f1'], len(report.to_markdown()) > 50)\n"
        "report.to_frame()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "1.0 True\n"
    assert "CorefError: a frame needs pandas" in done.stderr.splitlines()[-1]


def test_markdown():
    report = evaluate(KEY, RESPONSE, ["muc", "b3_class"])
    assert report.to_markdown(documents=True).splitlines() == [
        "| document | measure   | recall | precision |     F1 |",
        "|:---------|:----------|-------:|----------:|-------:|",
        "| d\\|1     | muc       |  50.00 |    100.00 |  66.67 |",
        "| d\\|1     | b3\\_class |  44.44 |    100.00 |  61.54 |",
        "| e        | muc       | 100.00 |    100.00 | 100.00 |",
        "| e        | b3\\_class | 100.00 |    100.00 | 100.00 |",
        "| TOTAL    | muc       |  66.67 |    100.00 |  80.00 |",
        "| TOTAL    | b3\\_class |  72.22 |    100.00 |  83.87 |",
        "",
        f"`{report.short_signature}`",
    ]
    assert report.to_markdown().splitlines()[0].startswith("| measure")


def test_the_command_writes_the_same_markdown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}\n'
    (tmp_path / "a.jsonl").write_text(line)
    assert main(["score", "a.jsonl", "a.jsonl", "--metric", "muc", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == evaluate("a.jsonl", "a.jsonl", "muc").to_markdown() + "\n"


def test_html_in_a_notebook():
    report = evaluate({"d": "{a b c}"}, {"d": "{a b}"}, ["muc", "conll"])
    page = lxml.html.fromstring(report._repr_html_())
    assert "".join(page.find("caption").itertext()) == report.short_signature
    cells = [[cell.text for cell in row] for row in page.iter("tr")]
    text = str(report).split("\n\n")[0]
    assert cells == [re.split(r" {2,}", line) for line in text.splitlines()]
    assert "color" not in report._repr_html_() and "background" not in report._repr_html_()


# The short signature

CHOSEN = [
    {}, {"zero": "one"}, {"average": "mean", "singletons": "drop"}, {"missing": "empty"},
    *({"like": name} for name, each in bundles().items() if each.measures),
]  # fmt: skip


@every_row("chosen", CHOSEN)
def test_the_short_signature_says_all_of_it(chosen):
    key, response = KEY, RESPONSE
    # It joins documents by the names of their entities, which these lack.
    if chosen == {"like": "hf_coval"}:
        key, response = {"d|1": key["d|1"]}, {"d|1": response["d|1"]}
    report = evaluate(key, response, "all", **chosen)
    said = parsed(report.signature)
    assert parsed(report.short_signature) == said
    assert said["documents"] == str(len(report))
    # The state of the scorer stands behind its name.
    assert said.get("like", "").partition("@")[0] == chosen.get("like", "")
    for name, choice in report.conventions._asdict().items():
        default = FIRST_CHOICES[name]
        assert said[name] == choice
        assert (f" {name}={choice}" in f" {report.short_signature}") == (choice != default)
    defaults = report.conventions == Conventions()
    assert ("defaults" in report.short_signature.split()) == defaults


@pytest.mark.parametrize(
    "signature",
    ["", "metrics=muc zero=one", "corefeval=1 muc", "corefeval=1 zero=one zero=zero", "corefeval="],
)
def test_what_is_no_signature_is_refused(signature):
    with pytest.raises(CorefError, match=f"expected a signature .*{signature[-12:]}"):
        parsed(signature)


def test_what_stands_behind_the_conventions_stays():
    report = evaluate(KEY, RESPONSE, "muc")
    assert short(report.signature + " bootstrap=100").endswith(
        " documents=2 defaults bootstrap=100"
    )
