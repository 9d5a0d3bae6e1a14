"""Who is ahead by every scorer's rules: what stands in a row, what in a sentence, and what in none.

If one of these failed, somebody would print that a lead survives other scorers, or does not, by a
score that such a scorer does not print.
"""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import lxml.html
import pytest
from documents import conll

from corefeval import CorefError, compare_systems, evaluate, explain, from_labels, leads
from corefeval.scorers.bundles import bundles

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"
STORY = {name: EXAMPLES / f"sredni-vashtar.{name}.conll" for name in ("own-mentions", "same-head")}
KEY = EXAMPLES / "sredni-vashtar.key.conll"
PARTS = [EXAMPLES / "parts" / f"{name}.conll" for name in ("key", "a", "b")]
SCORERS = [name for name, bundle in bundles().items() if bundle.measures]


def rule_of(found, measure, scorer):
    """The rule of a scorer, of which there is one."""
    (rule,) = [each for each in found.rules[measure] if scorer in each.scorers]
    return rule


# The sentence


def test_the_storys_winner_changes_with_the_scorer():
    """The numbers are those that the commands for one scorer print; see the next test, too."""
    found = leads(KEY, dict(zip("AB", STORY.values(), strict=True)))
    assert found.sentence() == (
        "B is ahead of A by 4.95 to 21.56 CoNLL points under three of four rules; A is ahead by "
        "0.90 under the fourth, e2e-coref's, which leaves singletons out of B³ and the response's "
        "out of CEAFₑ."
    )
    assert found.sentence("muc") == (
        "A is ahead of B by 6.15 MUC points under the one rule that all known scorers share."
    )
    assert found.no_p == "it comes from swapping documents, and there is one"


def test_the_story_by_one_scorer_after_the_other():
    found = leads(KEY, STORY, "conll")
    for scorer, points in {"reference": 21.56, "corefud_official": 4.95, "e2e": -0.90}.items():
        a, b = (
            100 * evaluate(KEY, path, "conll", like=scorer)["conll"].f1 for path in STORY.values()
        )
        assert b - a == pytest.approx(points, abs=0.005)
        rule = rule_of(found, "conll", scorer)
        assert [float(100 * score) for score in rule.scores] == pytest.approx([a, b])


KEY_BY_HAND = "{a b} {c} {d} {e}"
"""By hand, B³: {a b} {c d e} has recall 5/5 and precision (2 + 1/3 · 3) / 5, F1 3/4; all alone has
recall (1/2 + 1/2 + 3) / 5 and precision 1, F1 8/9. Without singletons the first has 2 of 2 and 2 of
5, 4/7, and the other 0 of 2."""
TOGETHER, ALONE = "{a b} {c d e}", "{a} {b} {c} {d} {e}"


def test_a_lead_that_turns_by_hand():
    found = leads({"d": KEY_BY_HAND}, {"one": {"d": TOGETHER}, "other": {"d": ALONE}}, "b3")
    ours, others = found.rules["b3"]
    assert [str(score) for score in ours.scores] == ["3/4", "8/9"]
    assert [str(score) for score in others.scores] == ["4/7", "0"]
    assert others.reason == "leaves singletons out" and others.scorers[0] == "corefud_official"
    assert found.sentence() == (
        "other is ahead of one by 13.89 B³ points under one of two rules; one is ahead by 57.14 "
        "under the second, corefud-scorer's default, which leaves singletons out."
    )


def test_equal_responses_are_said_to_be():
    """MUC has 1 of 1 and 1 of 3 links for the one, none for the other; twice the same is a tie."""
    found = leads({"d": KEY_BY_HAND}, {"one": {"d": ALONE}, "other": {"d": ALONE}}, ["muc", "b3"])
    assert found.sentence("b3") == "one and other are equal by B³ under both rules."
    assert all(rule.order == ((0, 1),) for rules in found.rules.values() for rule in rules)
    assert {row[1] for row in found.table().lines[1:]} == {"A = B"}


def test_a_tie_under_one_rule_is_no_lead():
    """B³ without singletons: {a b} in one piece for both, and what else there is are singletons."""
    key, one, other = "{a b} {c}", "{a b} {c}", "{a b}"
    found = leads({"d": key}, {"one": {"d": one}, "other": {"d": other}}, "b3")
    assert found.sentence() == (
        "one is ahead of other by 20.00 B³ points under one of two rules; one and other are equal "
        "under the second, corefud-scorer's default, which leaves singletons out."
    )


def test_of_three_the_order_and_turned_pairs():
    responses = {"x": {"d": TOGETHER}, "y": {"d": ALONE}, "z": {"d": KEY_BY_HAND}}
    found = leads({"d": KEY_BY_HAND}, responses, "b3")
    assert [line[1:4] for line in found.table().lines] == [
        ["order", "turned", "rule"],
        ["3 > 2 > 1", "", rule_of(found, "b3", "ours").named],
        ["3 > 1 > 2", "1-2", f"{rule_of(found, 'b3', 'e2e').named} [1]"],
    ]
    assert found.notes()[0] == "1: x, 2: y, 3: z"
    assert found.sentence() == (
        "By B³ the order is z > y > x under one of two rules; it is z > x > y under the second, "
        "corefud-scorer's default, which leaves singletons out."
    )


def test_scorers_are_called_as_their_authors_call_them():
    """Several are apart by a comma before the last "and", since each may have one of its own."""
    key, one, other = (
        "{a f} {b d} {c} {e} {g}",
        "{a} {b} {c f} {d} {e g}",
        "{a b e} {c d g} {f}",
    )
    found = leads({"d": key}, {"one": {"d": one}, "other": {"d": other}}, "conll")
    assert found.sentence().endswith(
        "under the other two, corefud-scorer's default, which leaves singletons out, and "
        "e2e-coref's, which leaves singletons out of B³ and the response's out of CEAFₑ."
    )


@pytest.mark.filterwarnings("ignore:of 2 documents")
def test_a_reason_of_all_parts_comes_once(folder, run):
    """CoNLL of a response that lacks a document; nothing is advised that the option refuses."""
    text = conll("(0) (0) (1) (2 - 2)", "(0) (0) (1) (1)")
    Path("key").write_text(text, encoding="utf-8")
    for name, marks in {"a": "(0) (0) (1) (2 - 2)", "b": "(0) (0) (0) (2 - 2)"}.items():
        Path(name).write_text(conll(marks), encoding="utf-8")
    code, out, err = run("compare", "key", "a", "b", "--every-scorer", "--metric", "conll")
    assert code == 0, err
    reasons = [line for line in out.replace("\n  ", " ").splitlines() if line.startswith("[")]
    once = "leaves out documents that one side lacks"
    assert any(reason.endswith(once) for reason in reasons)
    assert any(f"{once}, and leaves singletons out of" in reason for reason in reasons)
    assert all(reason.count("documents that one side lacks") <= 1 for reason in reasons)
    assert "no score: " in out and "missing='" not in out and "--missing" not in out


def test_an_unknown_score_says_what_makes_it_known(run, folder):
    lines = [
        json.dumps({"doc_key": name, "sentences": [["a"] * 4], "clusters": [[[0, 0], [1, 1]]]})
        for name in "de"
    ]
    for name in "kab":
        Path(name).with_suffix(".jsonl").write_text("\n".join(lines), encoding="utf-8")
    for typed in (["compare", "k.jsonl", "a.jsonl", "b.jsonl", "--every-scorer"],
                  ["explain", "k.jsonl", "a.jsonl"]):  # fmt: skip
        out = " ".join(run(*typed)[1].split())
        assert "not known: hf_coval: it makes one entity of those that have the same name" in out
        assert "known for files that name entities, as CoNLL-2012 does" in out
        assert "like=" not in out


# Chance


def test_p_is_that_of_compare():
    systems = dict(zip("AB", PARTS[1:], strict=True))
    reports = {name: evaluate(PARTS[0], path) for name, path in systems.items()}
    by_compare = compare_systems(reports, 500, seed=3)
    found = leads(PARTS[0], systems, resamples=500, seed=3)
    for measure, (pair,) in by_compare.pairs.items():
        assert found.comparison.pairs[measure][0].p == pair.p
    assert found.to_dict()["p"]["conll"][0]["p"] == by_compare.differences["conll"].p
    column = found.table().lines[0].index("p")
    rows = [[line[0], line[column]] for line in found.table().lines]
    assert ["b3", "≤ 0.0020"] in rows and rows[-1] == ["", ""]
    assert "resamples=500" in found.short_signature and "chance" not in found.sentence()
    assert found.sentence("b3").endswith(". By our rule p ≤ 0.0020.")


@pytest.mark.filterwarnings("ignore:of [23] documents")
def test_a_lead_of_chance_needs_no_scorer():
    """Of two documents all four swaps are tried: two are as far apart, or all."""
    key = {"d": KEY_BY_HAND, "e": KEY_BY_HAND}
    one, other = {"d": TOGETHER, "e": TOGETHER}, {"d": ALONE, "e": ALONE}
    found = leads(key, {"one": one, "other": other}, "b3")
    assert found.sentence().endswith(
        "By our rule chance could make the lead between one and other (p = 0.5000), and it takes "
        "no other scorer to turn it."
    )
    found = leads(key, {"one": one, "other": other, "right": key}, "b3")
    assert [line[3] for line in found.table().lines[:3]] == ["p ≥ 0.05", "1-2 1-3 2-3", ""]
    assert found.notes()[1:3] == [
        "turned: the pairs in another order than by our rule",
        "p ≥ 0.05: the pairs whose lead chance could make",
    ]
    assert "chance could make the leads between one and other (p = 1.0000), one" in found.sentence()


# What stands in no row


@pytest.mark.filterwarnings("ignore:of 2 documents")
def test_a_scorer_that_reads_otherwise_is_absent(folder):
    text = conll("(0) (0) (1)", "(0) (0) -")
    for name, response in {"key": text, "a": text, "b": text.replace("w\t(1)", "w  (1 )")}.items():
        Path(name).write_text(response.replace("(1 )", "(1)"), encoding="utf-8")
    Path("b").write_text(
        text.replace("#end document\n#begin", "# a comment\n#end document\n#begin")
    )
    found = leads("key", {"a": "a", "b": "b"}, "muc")
    named = {scorer for rule in found.rules["muc"] for scorer in rule.scorers}
    assert "reference" not in named and "coval" not in named and "e2e" in named
    (why,) = [note for note in found.notes() if note.startswith("not known: ")]
    assert "reference, " in why and "the scorer may read this by rules of its own" in why
    assert any(note.startswith("b, line") for note in found.notes())


# One function decides

MENTIONS = [f"m{number}" for number in range(6)]


def some_side(chance, names):
    """Entities of some documents; mentions that are given twice, and documents too few."""
    sides = {}
    for name in names:
        if chance.random() < 0.3:
            many = chance.randint(1, 3)
            sides[name] = [chance.sample(MENTIONS, chance.randint(1, 3)) for _ in range(many)]
        else:
            sides[name] = [MENTIONS[:2], MENTIONS[2:3], MENTIONS[3 : 3 + chance.randint(1, 3)]]
    return sides


def as_columns(documents):
    """The same as columns of CoNLL-2012, in which a mention is a token."""
    texts = []
    for entities in documents.values():
        marks = [
            "|".join(f"({n})" for n, entity in enumerate(entities) for m in entity if m == mention)
            for mention in MENTIONS
        ]
        texts.append(" ".join(mark or "-" for mark in marks))
    return conll(*texts, names="".join(documents))


def some_key_and_responses(form, chance):
    names = ["d", "e", "f"][: chance.randint(1, 3)]
    others = names if form == "lists" else chance.sample(names, chance.choice([len(names), 1]))
    key, *responses = (some_side(chance, each) for each in (names, others, others))
    if form == "lists":
        return [*key.values()], [[*each.values()] for each in responses]
    if form == "files":
        for name, side in zip(("key", "a", "b"), (key, *responses), strict=True):
            Path(name).write_text(as_columns(side), encoding="utf-8")
        return "key", ["a", "b"]
    return key, responses


def scores_by_like(key, response):
    """By scorer what ``like`` gives of the standard measures; None where it refuses."""
    scores = {}
    for scorer in SCORERS:
        try:
            scores[scorer] = evaluate(key, response, like=scorer).total
        except CorefError:
            scores[scorer] = None
    return scores


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "rounds", [2, pytest.param(60, marks=pytest.mark.proof, id="many")], ids=str
)
@pytest.mark.parametrize("form", ["mappings", "lists", "files"])
def test_like_explain_and_leads_agree(form, rounds, folder):
    chance, compared, turned = random.Random(f"{form} {rounds}"), 0, 0
    for _ in range(rounds):
        key, responses = some_key_and_responses(form, chance)
        try:
            found = leads(key, dict(zip("AB", responses, strict=True)), resamples=100)
        except CorefError as error:
            # Documents of one response alone: what compare refuses, too.
            assert "is not in all responses" in str(error)
            continue
        explained = [explain(key, response) for response in responses]
        by_like = [scores_by_like(key, response) for response in responses]
        for scorer in SCORERS:
            for of_like, of_explain in zip(by_like, explained, strict=True):
                scores = of_explain.scores.get(scorer)
                assert (of_like[scorer] is None) == (scores is None), (scorer, key, responses)
                if scores is not None:
                    assert {name: of_like[scorer][name] for name in scores} == scores
            for measure, rules in found.rules.items():
                expected = [of[scorer] and of[scorer].get(measure) for of in by_like]
                of_scorer = [rule.scores for rule in rules if scorer in rule.scorers]
                if None in expected:
                    assert of_scorer == [], (scorer, measure, key, responses)
                else:
                    assert of_scorer == [tuple(score.exact.value for score in expected)]
                    compared += 1
        for rules in found.rules.values():
            assert all(bool(rule.reason) == (rule is not rules[0]) for rule in rules)
            turned += len({rule.order for rule in rules}) > 1
        assert all(found.sentence(measure) for measure in found.rules)
    assert compared > 50 * rounds and turned >= rounds // 4


# Other forms


def test_json_csv_and_markdown_have_every_scorer(run):
    typed = ("compare", KEY, *STORY.values(), "--every-scorer", "--metric", "conll,b3")
    code, out, err = run(*typed, "--format", "json")
    found = json.loads(out)
    assert (code, err) == (0, "") and found["systems"] == ["own-mentions", "same-head"]
    *_, last = found["rules"]["conll"]
    assert "s2e" in last["scorers"] and last["order"] == [["own-mentions"], ["same-head"]]
    assert found["p"] == {"conll": [], "b3": []} and "there is one" in found["no_p"]
    rows = [*csv.DictReader(io.StringIO(run(*typed, "--format", "csv")[1]))]
    mine = [row for row in rows if (row["scorer"], row["measure"]) == ("s2e", "conll")]
    assert [float(row["score"]) for row in mine] == last["scores"]
    assert mine[0]["reason"] == last["reason"]
    of_b3 = {row["scorer"] for row in rows if row["measure"] == "b3"}
    assert of_b3 == {"ours", *(name for name in SCORERS if "b3" in bundles()[name].measures)}
    markdown = run(*typed, "--format", "markdown")[1]
    assert "\n| measure" in markdown and "e2e-coref's" in markdown


def test_a_notebook_shows_the_table_and_the_sentence():
    found = leads(KEY, STORY, "conll")
    page = lxml.html.fromstring(found._repr_html_())
    assert [[cell.text or "" for cell in row] for row in page.iter("tr")] == found.table().lines
    assert found.sentence() in page.text_content() and found.sentence() in str(found)
    assert [*found.to_frame()] == ["measure", "rule", "scorer", "system", "score", "reason"]


@pytest.mark.parametrize("more", [(), [EXAMPLES / "sredni-vashtar.nearest.conll"]], ids=len)
def test_the_commands_table_fits_a_terminal(more, run):
    code, out, _ = run("compare", KEY, *STORY.values(), *more, "--every-scorer")
    assert code == 0 and max(map(len, out.splitlines())) <= 80
    summary, table, notes = out.split("\n\n")
    assert "own-mentions, " in notes and "/" not in table and "same-head" in summary


def test_columns_of_labels(folder, run):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    rows = ["1,1,1,1", "2,1,2,1", "3,2,3,2", "4,3,4,2", "5,4,5,2"]
    text = "\n".join(["mention,key,alone,together", *rows, ""])
    for name in ("key.csv", "t.csv"):
        Path(name).write_text(text, encoding="utf-8")
    typed = ("compare", "key.csv", "t.csv", "t.csv", "--columns", "key", "alone", "together")
    code, out, err = run(*typed, "--every-scorer", "--metric", "b3")
    assert code == 0, err
    tables = {
        name: from_labels([1, 1, 2, 3, 4], labels)
        for name, labels in {"alone": [1, 2, 3, 4, 5], "together": [1, 1, 2, 2, 2]}.items()
    }
    found = leads(None, tables, "b3")
    assert found.sentence() in " ".join(out.split())
    assert (
        "alone is ahead of together by 13.89 B³ points under one of two rules" in found.sentence()
    )


# Refused


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["--like", "e2e"], "each by its own rules: leave out --like"),
        (["--singletons", "drop"], "each by its own rules: leave out --singletons"),
        (["--format", "latex"], "no table for LaTeX"),
        (["--metric", "muk"], "did you mean muc?"),
        ([STORY["own-mentions"]], "own-mentions.conll is given twice"),
    ],
)
def test_what_the_option_does_not_go_with(typed, told, run):
    code, out, err = run("compare", KEY, *STORY.values(), "--every-scorer", *typed)
    assert (code, out) == (2, "") and told in err


def test_the_same_response_twice_is_refused(run):
    code, out, err = run("compare", KEY, *[STORY["same-head"]] * 2, "--every-scorer")
    assert (code, out) == (2, "") and "same-head.conll is given twice" in err


def test_the_sentence_of_the_command_has_the_signature(run):
    typed = ("compare", KEY, *STORY.values(), "--every-scorer", "--format", "sentence")
    found = leads(KEY, STORY)
    assert run(*typed)[1] == f"{found.sentence()} Signature: {found.short_signature}.\n"


def test_what_is_no_comparison():
    with pytest.raises(CorefError, match="expected two responses or more, got 1"):
        leads({"d": "{a b}"}, {"A": {"d": "{a b}"}})
    with pytest.raises(CorefError, match="a mapping from names to responses"):
        leads({"d": "{a b}"}, [{"d": "{a b}"}] * 2)
    keys = from_labels([1, 1], [1, 1]), from_labels([1, 2], [1, 1])
    with pytest.raises(CorefError, match=r"B: document .* with the same key"):
        leads(None, dict(zip("AB", keys, strict=True)))
    with pytest.raises(CorefError, match=r"B: .*expected"):
        leads({"d": "{a b}"}, {"A": {"d": "{a b}"}, "B": 3})


def test_scores_and_comparisons_do_not_wait_for_it():
    typed = ["compare", *map(str, PARTS), "--metric", "muc", "--resamples", "100"]
    source = f"""
import sys, corefeval.cli as cli
assert cli.main({typed!r}) == 0
print("corefeval.chance.leads" in sys.modules, "corefeval.analysis.explain" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout.endswith("False False\n"), done.stderr
