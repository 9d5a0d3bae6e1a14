"""Scores and reports as people and other programs get them: numbers, tables, frames, signatures.

If one of these failed, a score could be shown as another number, or lose its exactness on the way.
"""

from __future__ import annotations

import copy
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
from corefeval.conventions import CHOICES, Conventions
from corefeval.programs.bundles import bundles
from corefeval.registry import MEASURES
from corefeval.score import Ratio
from corefeval.signature import parsed, short

NUMBERS = st.fractions(min_value=-3, max_value=3)
# MUC by hand: 1 of 2 key links, all of 1 response link; κ is of links that both or one side makes.
KEY, RESPONSE = {"d|1": "{a b c}", "e": "{x y}"}, {"d|1": "{a b}", "e": "{x y}"}


# Parts of a score


@every_row("measure", MEASURES)
@every_row("average", CHOICES["average"])
def test_every_exact_part_of_every_score_is_a_ratio(measure, average):
    report = evaluate(KEY, RESPONSE, measure, average=average)
    for score in [report.total[measure], *(each[measure] for each in report.documents.values())]:
        kinds = {type(part) for part in (*score[:3], score.value)} - {type(None)}
        assert kinds <= ({Ratio, float} if measure == "h" else {Ratio})


@pytest.mark.parametrize(
    ("number", "text", "told"),
    [
        (F(2, 5), "2/5", "Fraction(2, 5)"),
        (F(1), "1", "Fraction(1, 1)"),
        (F(-998, 999), "-998/999", "Fraction(-998, 999)"),
        (F(999, 1000), "0.9990", "0.9990"),
        (F(1000, 999), "1.0010", "1.0010"),
        (F(-2, 3001), "-0.0007", "-0.0007"),
        (F(10**140 + 1, 2 * 10**140), "0.5000", "0.5000"),
    ],
)
def test_a_part_is_exact_while_it_is_short(number, text, told):
    assert (str(Ratio(number)), repr(Ratio(number)), f"{Ratio(number)}") == (text, told, text)


@pytest.mark.parametrize(
    ("spec", "text"),
    [(".2f", "0.40"), (".1%", "40.0%"), (".4", "0.4"), ("8.3f", "   0.400"), ("e", "4.000000e-01"),
     ("", "2/5"), (">6", "   2/5"), ("*^7", "**2/5**"), ("6", "2/5   "), ("+.1f", "+0.4")],
)  # fmt: skip
def test_formats(spec, text):
    assert format(Ratio(2, 5), spec) == text


@given(NUMBERS, NUMBERS, st.integers(-4, 4))
def test_arithmetic_is_that_of_fractions_and_keeps_the_class(a, b, n):
    ratio, other = Ratio(a), Ratio(b)
    assert ratio == a and hash(ratio) == hash(a) and (ratio < b) == (a < b)
    pairs = [
        (ratio + other, a + b), (ratio - b, a - b), (b - ratio, b - a), (a + other, a + b),
        (ratio * n, a * n), (n * ratio, n * a), (1 - ratio, 1 - a), (-ratio, -a),
        (abs(ratio), abs(a)), (sum([ratio, other]), a + b), (ratio**2, a**2),
    ]  # fmt: skip
    if b:
        pairs += [(ratio / other, a / b), (a / other, a / b), (ratio % other, a % b)]
    for found, expected in pairs:
        assert found == expected and type(found) is Ratio
    assert ratio + 0.5 == a + 0.5 and type(ratio + 0.5) is float
    assert type(ratio // 1) is int and ratio // 1 == a // 1


@given(NUMBERS, st.integers(0, 6))
def test_round_gives_a_float(number, decimals):
    rounded = round(Ratio(number), decimals)
    assert type(rounded) is float and rounded == float(round(number, decimals))
    assert round(Ratio(number)) == round(number) and type(round(Ratio(number))) is int


@given(NUMBERS)
def test_a_copy_is_as_exact(number):
    for found in (pickle.loads(pickle.dumps(Ratio(number))), copy.deepcopy(Ratio(number))):
        assert found == number and type(found) is Ratio


# Reports


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


def test_documents_with_tuples_for_names_are_in_a_frame():
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
def test_the_short_signature_says_what_the_long_one_says(chosen):
    report = evaluate(KEY, RESPONSE, "all", **chosen)
    said = parsed(report.signature)
    assert parsed(report.short_signature) == said
    assert said["documents"] == str(len(report)) and said.get("like") == chosen.get("like")
    for name, choice in vars(report.conventions).items():
        default = next(iter(CHOICES[name]))
        assert said[name] == choice
        assert (f" {name}={choice}" in f" {report.short_signature}") == (choice != default)
    defaults = vars(report.conventions) == vars(Conventions())
    assert ("defaults" in report.short_signature.split()) == defaults


@pytest.mark.parametrize(
    ("signature", "why"),
    [("", "expected a signature"), ("metrics=muc zero=one", "begins with corefeval="),
     ("corefeval=1 muc", "name=value"), ("corefeval=1 zero=one zero=zero", "gives zero twice")],
)  # fmt: skip
def test_what_is_no_signature_is_refused(signature, why):
    with pytest.raises(CorefError, match=why):
        parsed(signature)


def test_what_stands_behind_the_conventions_stays():
    report = evaluate(KEY, RESPONSE, "muc")
    assert short(report.signature + " bootstrap=100").endswith(
        " documents=2 defaults bootstrap=100"
    )
