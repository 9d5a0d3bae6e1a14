"""What a paper has of a report: LaTeX that can be set, and sentences that are true of it.

If one of these failed, a paper would have a wrong number, a wrong mark, or claim a scorer's rules
that were not followed.
"""

import re

import pytest
from documents import document

import corefeval
from corefeval import CorefError, compare_systems, evaluate
from corefeval.display import percent

RIGHT = {n: "{a b c} {d e} {f}" for n in range(20)}
WRONG = {n: "{a b} {c d e}" for n in range(20)}
PARTS = ("recall", "precision", "f1")


def system(many):
    """A response that is wrong in so many documents."""
    return RIGHT | {n: WRONG[n] for n in range(many)}


def rows(latex):
    """The cells of each line of a table, and a check of what booktabs wants."""
    lines = latex.split("\n")
    columns = re.fullmatch(r"\\begin\{tabular\}\{(l r*)\}".replace(" ", ""), lines[0])[1]
    assert lines[1] == r"\toprule" and lines[-3:-1] == [r"\bottomrule", r"\end{tabular}"]
    assert lines[-1].startswith("% corefeval=")
    found = []
    for line in lines[2:-3]:
        if line == r"\midrule" or line.startswith(r"\cmidrule"):
            continue
        cells = line.removesuffix(r" \\").split(" & ")
        spanned = sum(int(many) - 1 for many in re.findall(r"multicolumn\{(\d)\}", line))
        assert line.endswith(r" \\") and len(cells) + spanned == len(columns), line
        found.append(cells)
    return found


def test_the_table_of_one_report():
    report = evaluate(RIGHT, WRONG)
    head, parts, row = rows(report.to_latex("ours_50%"))
    titles = [rf"\multicolumn{{3}}{{c}}{{{each}}}" for each in ("MUC", "B$^3$", "CEAF$_e$")]
    assert head == ["", *titles, "CoNLL"] and parts == ["", *["R", "P", "F1"] * 3, ""]
    numbers = [getattr(report[name], part) for name in ("muc", "b3", "ceafe") for part in PARTS]
    assert row[0] == r"ours\_50\%"
    assert row[1:] == [
        f"{100 * number:.2f}" for number in [*numbers, float(report["conll"].exact.f1)]
    ]
    assert "textbf" not in report.to_latex()


@pytest.mark.parametrize("name", ["[ours]", "*ours", " [2pt]", "[", "ours [2]", "a*"])
def test_a_name_is_no_argument_of_the_line_before_it(name):
    r"""After ``\\`` and ``\midrule`` LaTeX would take ``[…]`` for a width, and swallow ``*``."""
    report = evaluate(RIGHT, WRONG, "b3")
    tables = [report.to_latex(name), compare_systems({name: report, f"{name}2": report}).to_latex()]
    for latex in tables:
        assert not re.search(r"(\\|rule)\s*[*\[]", latex)
        assert name in latex


def test_measures_that_are_asked_for():
    report = evaluate(RIGHT, WRONG, ["muc", "kappa", "lea"])
    (head, _, row) = rows(report.to_latex())
    assert head[1:] == [r"\multicolumn{3}{c}{MUC}", r"$\kappa$", r"\multicolumn{3}{c}{LEA}"]
    assert len(row) == 8
    # A line stands below the three parts of a measure, and below no single number.
    assert re.findall(r"cmidrule\(lr\)\{(.*?)\}", report.to_latex()) == ["2-4", "6-8"]
    (head, _, row) = rows(report.to_latex(measures=["LEA"]))
    assert head[1:] == [r"\multicolumn{3}{c}{LEA}"]
    with pytest.raises(CorefError, match="'b3' was not scored"):
        report.to_latex(measures=["b3"])


def bold(found):
    return {
        row[0]: [cell for cell in row if "textbf" in cell] for row in rows(found.to_latex())[2:]
    }


def test_bold_is_what_is_significantly_above_every_other_row():
    reports = {
        name: evaluate(RIGHT, system(many), ["b3"])
        for name, many in {"poor": 20, "good": 5, "as good": 6}.items()
    }
    assert not any(bold(compare_systems(reports)).values()), "two are too near"
    del reports["as good"]
    found = compare_systems(reports)
    assert bold(found) == {
        "poor": [],
        "good": [rf"\textbf{{{percent(reports['good']['b3'].exact.f1)}}}"],
    }
    assert not any(bold(compare_systems({"a": reports["good"], "b": reports["good"]})).values())
    backwards = compare_systems(dict(reversed(reports.items())))
    assert bold(backwards) == bold(found)


def test_the_command(folder, run):
    for name, marks in (
        ("k", "(0) (0) (0) (1) (1)"),
        ("a", "(0) (0) - (1) (1)"),
        ("b", "- - - - -"),
    ):
        text = "".join(document(marks, name=f"({name}{n})".replace(name, "d")) for n in range(12))
        (folder / name).write_text(text)
    code, out, _ = run("score", "k", "a", "--format", "latex")
    assert code == 0 and out == evaluate("k", "a").to_latex() + "\n"
    code, out, _ = run("compare", "k", "a", "b", "--format", "latex", "--metric", "b3")
    assert (
        code == 0 and [row[0] for row in rows(out.rstrip())[2:]] == ["A", "B"] and "textbf" in out
    )
    code, out, _ = run("score", "k", "a", "--format", "latex", "--metric", "lea,muc,b3,ceafe,conll")
    assert code == 0 and out.index("LEA") < out.index("MUC") < out.index("CoNLL")
    _, out, _ = run("score", "k", "a", "--format", "latex", "--metric", "muc,MUC,standard,kappa")
    assert [out.count(each) for each in ("{MUC}", "{LEA}", r"$\kappa$")] == [1, 1, 1]
    _, out, _ = run("compare", "k", "a", "b", "--format", "latex", "--metric", "conll,lea")
    assert [out.count(each) for each in ("{MUC}", "{LEA}", "CoNLL")] == [0, 1, 1]
    code, out, _ = run("score", "k", "a", "--format", "sentence")
    assert code == 0 and out == evaluate("k", "a").sentence() + "\n"
    for more in (["--per-document"], ["--resamples", "100"]):
        code, out, told = run("score", "k", "a", "--format", "latex", *more)
        assert code == 2 and not out and more[0] in told


SENTENCES = {
    "defaults": ({}, "by the reference scorer’s rules; LEA, which that scorer lacks, is scored as"),
    "a convention": ({"zero": "one"}, "by the reference scorer’s rules but for zero=one; LEA"),
    "two": (
        {"singletons": "drop", "zero": "one"},
        "but for singletons=drop and zero=one; LEA, which",
    ),
    "another scorer": ({"like": "e2e"}, "by the rules of e2e@9d1ee19."),
    "what that scorer has": (
        {"metrics": "muc,b3"},
        "F1 of MUC and B³, over 20 documents, by the ref",
    ),
    "no F1": ({"metrics": "muc,kappa"}, "MUC, and κ, over 20"),
    "two that it lacks": (
        {"metrics": "lea,kappa"},
        "LEA and κ, which that scorer lacks, are scored",
    ),
}


@pytest.mark.parametrize(("chosen", "told"), SENTENCES.values(), ids=SENTENCES)
def test_the_sentences_say_how_it_was_scored(chosen, told):
    report = evaluate(RIGHT, WRONG, **chosen)
    text = report.sentence()
    assert told in text, text
    assert text.startswith(f"We score with corefeval {corefeval.__version__} and report ")
    assert text.endswith(f"Signature: {report.short_signature}.") and "  " not in text
    if "like" in chosen:
        assert "reference scorer" not in text and "Singletons" not in text
    for name in ("conll", "muc", "b3"):
        if name in report:
            assert percent(report[name].exact.f1) in text
