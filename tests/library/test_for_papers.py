"""What a paper has of a report: LaTeX that can be set, and sentences that are true of it.

If one of these failed, a paper would have a wrong number, a wrong mark, or claim a scorer's rules
that were not followed.
"""

import pickle
import random
import re
from itertools import product

import pytest
from documents import document

import corefeval
from corefeval import CorefError, Partition, compare_systems, evaluate, from_labels
from corefeval.conventions import CHOICES
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
def test_a_name_is_no_argument_in_latex(name):
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


def test_without_measures_is_no_sentence_nor_table():
    report = evaluate(RIGHT, WRONG, [])
    for write in (report.sentence, report.to_latex):
        with pytest.raises(CorefError, match="no measure was scored"):
            write()


def test_reports_and_comparisons_take_measures_alike():
    report = evaluate(RIGHT, WRONG, ["muc", "kappa", "lea"])
    found = compare_systems({"response": report, "b": report})
    table = report.to_latex(measures=["lea", "muc"])
    assert report.to_latex(["lea", "muc"]) == report.to_latex(measures="lea, muc") == table
    of_two = found.to_latex(["lea", "muc"])
    assert of_two == found.to_latex("lea,muc") and of_two.splitlines()[:5] == [
        *table.splitlines()[:5]
    ]
    assert rows(report.to_latex("lea"))[2][0] == "lea", "a text is the name of the row"
    for odd in (5, None):
        with pytest.raises(CorefError, match="expected measures, got"):
            report.to_latex(odd)
        with pytest.raises(CorefError, match="expected measures, got"):
            found.to_latex(odd)
    with pytest.raises(CorefError, match="expected the name of a row"):
        report.to_latex(["lea"], ["muc"])


def bold(found):
    return {
        row[0]: [cell for cell in row if "textbf" in cell] for row in rows(found.to_latex())[2:]
    }


def test_bold_is_significantly_above_every_other_row():
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
        code == 0 and [row[0] for row in rows(out.rstrip())[2:]] == ["a", "b"] and "textbf" in out
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


def side(draw):
    """Sets of some of six mentions."""
    places = [draw.randrange(5) for _ in "abcdef"]
    sets = [{m for m, place in zip("abcdef", places, strict=True) if place == n} for n in range(4)]
    return [entity for entity in sets if entity]


def mentions_left(sides, singletons):
    """The mentions of both sides of all documents without the singletons that are removed."""
    dropped = {"keep": (), "drop": (0, 1), "drop_response": (1,)}[singletons]
    return [
        {
            (name, mention)
            for name, document in sides.items()
            for entity in document[place]
            if len(entity) > 1 or place not in dropped
            for mention in entity
        }
        for place in (0, 1)
    ]


@pytest.mark.filterwarnings("ignore:the key and the response share no mention")
def test_sentences_on_mentions_hold_by_every_policy():
    draw, said = random.Random(5), set()
    for twinless, singletons in product(CHOICES["twinless"], CHOICES["singletons"]):
        for _ in range(40):
            sides = {n: (side(draw), side(draw)) for n in range(2)}
            # Few random sides have the same mentions.
            if draw.random() < 0.3:
                same = draw.choice([[{*"abc"}, {*"def"}], [{*"abc"}, {"d"}]])
                sides = {n: (same, draw.choice([same, [{*"abcd"}]])) for n in range(2)}
            key, response = ({n: of[place] for n, of in sides.items()} for place in (0, 1))
            chosen = {"twinless": twinless, "singletons": singletons}
            text = evaluate(key, response, "mentions,b3", **chosen).sentence()
            ours, theirs = mentions_left(sides, singletons)
            is_same = "ey and response have the same mentions." in text
            assert is_same == (ours == theirs and ours != set()), (sides, text)
            if not is_same:
                both, shares = ours & theirs, []
                for mentions in (ours, theirs):
                    shares.append(f"{100 * len(both) / (len(mentions) or 1):.2f}")
                assert "a recall of {} and a precision of {}.".format(*shares) in text, sides
            assert (f"efore twinless={twinless} is applied" in text) == (twinless != "keep")
            assert ("ithout the singletons" in text) == (singletons != "keep")
            said.add((twinless, singletons, is_same))
    assert len(said) == 2 * len(CHOICES["twinless"]) * len(CHOICES["singletons"])


def test_sentences_on_singletons_hold_by_every_policy():
    """A spurious singleton of the response lowers precision, if it is scored like any other."""
    key = {"d": "{a b} {c}"}
    for twinless in CHOICES["twinless"]:
        with_one, without = (
            evaluate(key, {"d": response}, "b3", twinless=twinless)
            for response in ("{a b c} {x}", "{a b c}")
        )
        is_removed = with_one.total == without.total
        text = with_one.sentence()
        assert ("like any other entity." in text) != (f"twinless={twinless} removes." in text)
        # By B³_0, no spurious mention counts for precision, whether it is alone or not.
        if twinless != "stoyanov_0":
            assert is_removed == (f"twinless={twinless} removes." in text), twinless


def test_the_sentences_of_tables_means_and_matched_mentions(folder):
    labels = [1, 1, 1, 2, 2, -1, -1], [1, 1, -1, -1, -1, 1, 2]
    for average in CHOICES["average"]:
        report = evaluate(
            from_labels(*labels), metrics="mentions,b3", twinless="complete", average=average
        )
        assert "the key’s mentions are found with a recall of 40.00 and a precision of 50.00" in (
            report.sentence()
        )
    tail = "\t_\t_\t_\t_\t{}\t_\t_\tEntity={}\n"
    for name, marks in {"key": ("(e1--2-", "e1)"), "response": ("_", "(e1--1-)")}.items():
        rows = "".join(f"{n}\tw{tail.format(2 - n, mark)}" for n, mark in enumerate(marks, 1))
        text = f"# global.Entity = eid-etype-head-other\n# newdoc id = d\n{rows}\n"
        (folder / f"{name}.conllu").write_text(text.replace("Entity=_", "_"))
    text = evaluate("key.conllu", "response.conllu", "mentions", match="head").sentence()
    assert "With match=head, the key’s mentions are found with a recall of 100.00 and" in text
    assert "same mentions" not in text, "one has two words, the other one"


def test_the_sentence_of_a_report_that_was_pickled():
    report = evaluate({"d": Partition([["a", "b"]])}, {"d": "{a c}"}, twinless="cai_strube")
    assert pickle.loads(pickle.dumps(report)).sentence() == report.sentence()
