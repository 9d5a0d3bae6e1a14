"""CorefUD files, beside corefud.cases: official scores, mentions that are matched, what is large.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which line to mend. The files under corefud/ and the values in corefud/stated.tsv are those of the
official scorer's own tests (ufal/corefud-scorer v1.2, tests/unittests-corefud.py; MIT licence).
"""

from __future__ import annotations

import csv
import os
import random
import re
import warnings
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from case_files import content as in_file
from case_files import lines_of, node_of
from mutations import accepted
from rows import every_row

from corefeval import CorefError, anatomy, evaluate, explain
from corefeval.analysis.text import Text
from corefeval.conventions import Conventions
from corefeval.overlap.partition import as_lists
from corefeval.readers import corefud_measures, matching, read_pair
from corefeval.readers.corefud import documents
from corefeval.readers.matching import Headed, OwnMentions, match

FILES = Path(__file__).parent / "corefud"
PARTS = ("recall", "precision", "f1")
MEASURES = ["muc", "b3", "ceafe", "ceafm", "lea", "blanc_both"]


def files(response: str) -> tuple[Path, Path]:
    """The key of a response of the official tests, and the response."""
    path = FILES / response
    return path.with_name(path.name.rpartition("-")[0] + ".key"), path


def scored(
    response: str, match: str, singletons: str = "keep", zeros: str = "dependent"
) -> dict[str, tuple[Fraction, ...]]:
    """Recall, precision and F1 of each measure, for a response of the official tests."""
    chosen = {"match": match, "singletons": singletons, "repeated": "once_each"}
    report = evaluate(*files(response), MEASURES, zero_match=zeros, **chosen)
    return {name: report.total[name].exact[:3] for name in MEASURES}


# The official scorer's own tests


def rows(name: str) -> list[dict[str, str]]:
    with (FILES / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@every_row("row", lambda: rows("stated.tsv"))
def test_a_value_that_the_official_tests_state(row):
    zeros = row["zeros"].partition(" ")[0] or "dependent"
    if row["measure"] == "mor":
        like = f"corefud_{row['match']}"
        found = evaluate(*files(row["response"]), "mor", like=like).total["mor"].exact[:3]
    else:
        found = scored(row["response"], row["match"], zeros=zeros)[row["measure"]]
    for part, ours in zip(PARTS, found, strict=True):
        theirs = Fraction(row[part])
        rounded = theirs.denominator > 1 and "." in row[part]
        assert ours == theirs or (rounded and abs(ours - theirs) < 1e-5), (part, ours, theirs)


def test_no_stated_value_is_left_out():
    stated = rows("stated.tsv")
    assert len(stated) == 320
    # of 111: 3 are switched off there as wrong
    assert len({row["test"] for row in stated}) == 108


# Mention overlap


def best_overlap(key: list[Headed], response: list[Headed]) -> int:
    """The largest sum of shared words over all ways to pair mentions, tried one by one."""
    sides = [[{(m.sentence, n) for n in m.nodes} for m in side] for side in (key, response)]
    fewer, more = sorted(sides, key=len)
    chosen = permutations(more, len(fewer))
    return max(sum(len(a & b) for a, b in zip(fewer, each, strict=True)) for each in chosen)


def test_mention_overlap_is_of_the_best_pairing():
    drawn = random.Random(7)
    for case in range(150):
        sides = []
        for file in ("key", "response"):
            side = []
            for _ in range(drawn.randint(1, 5)):
                nodes = sorted(drawn.sample(range(1, 7), drawn.randint(1, 4)))
                ids = tuple(map(str, nodes))
                side.append(Headed(drawn.randint(1, 2), 1, ids, ids[0], "", file))
            sides.append(side)
        mentions = OwnMentions(*([side] for side in sides), {}, "head")
        counts = corefud_measures.mention_overlap(mentions)
        best = best_overlap(*sides)
        assert counts.recall == (best, sum(len(m.nodes) for m in sides[0])), case
        assert counts.precision == (best, sum(len(m.nodes) for m in sides[1])), case


def test_mention_overlap_of_documents_singletons_and_repeats(folder):
    # d: one of two words is found; e: a mention of two entities counts twice, and a singleton goes
    other = text(
        "1:(e1-x-1-)(e2-x-1-) 2:(e1-x-1-)(e2-x-1-) 3:(e3-x-1-)", newdoc="# newdoc id = e\n"
    )
    write(text("1:(e1-x-1- 2:e1) 3:(e1-x-1-)") + other, text("1:(e1-x-1-) 2 3:(e1-x-1-)") + other)
    report = evaluate("key", "response", like="corefud_official")
    assert list(report.total)[-2:] == ["mor", "zero"]
    assert report.documents["d"]["mor"].exact[:3] == (Fraction(2, 3), 1, Fraction(4, 5))
    assert report["mor"].counts == ((6, 7), (6, 6))
    assert evaluate("key", "response", like="corefud_head")["mor"].counts == ((7, 8), (7, 7))


def test_mention_overlap_needs_words(folder):
    for chosen in {"like": "corefud_head"}, {}:
        with pytest.raises(CorefError, match=r"mor.*CorefUD"):
            evaluate({"d": "{a b}"}, {"d": "{a b}"}, "mor", **chosen)


def test_too_many_overlapping_mentions_are_refused(folder, monkeypatch):
    monkeypatch.setattr(corefud_measures, "MOST_TRIED", 3)
    two = text("1:(e1-x-1-(e2-x-1- 2:e1)e2) 3:(e1-x-1-)(e2-x-1-)")
    for name in ("key", "response"):
        Path(name).write_text(two, "utf-8")
    with pytest.raises(CorefError, match=r"document 'd': sentence 1 \(response, line 5\) has more"):
        evaluate("key", "response", "mor", like="corefud_exact")


# Zeros resolved


@pytest.mark.filterwarnings("ignore:.*CorefUD's scorer may score")
@every_row("row", lambda: rows("printed.tsv"))
def test_a_score_of_zeros_as_it_was_printed(row):
    """Its command printed these values for files of its own tests, which do not assert them."""
    like = "corefud_official" if row["singletons"] == "drop" else f"corefud_{row['match']}"
    found = evaluate(*files(row["response"]), row["measure"], like=like)[row["measure"]]
    assert [f"{100 * float(part):.2f}" for part in found.exact[:3]] == [row[part] for part in PARTS]


@pytest.mark.filterwarnings("ignore:.*it confuses a zero")
@every_row("files, outcome", lines_of("readers/zeros"))
def test_zeros_as_the_official_scorer_printed_them(folder, files, outcome):
    write(*(in_file("corefud", file) for file in files.split(" || ")))
    likes = ("corefud_official", "corefud_head")
    for like, printed in zip(likes, outcome.split(" || "), strict=True):
        found = evaluate("key", "response", "zero", like=like)["zero"]
        assert " ".join(f"{100 * float(part):.2f}" for part in found.exact[:3]) == printed, like


TIED = {
    "two of the key": (
        "1 1.1@1/s:(a) 1.2@1/s:(b)",
        "1 1.1@1/s:(a)",
        ["key, line 4", "key, line 5"],
    ),
    "two of the response": ("1 1.1@1/s:(a)", "1 1.1@1/s:(a) 1.2@1/s:(b)", ["key, line 4"]),
    "two pairs that can be exchanged": (
        "1 1.1@1/s:(a) 1.2@1/s:(b)",
        "1 1.1@1/s:(a) 1.2@1/s:(b)",
        ["key, line 4", "key, line 5"],
    ),
}
NOT_TIED = {
    "another relation": ("1 1.1@1/s:(a) 1.2@1/o:(b)", "1 1.1@1/s:(a) 1.2@1/o:(b)"),
    "a better match": ("1 1.1@1/s:(a) 1.2@1/s|2/o:(b) 2:(c)", "1 1.1@1/s:(a) 2:(c)"),
    "no zeros": ("1:(a) 2:(b)", "1:(a) 2:(b)"),
    "two heads": ("1:(a-x-1-(b-x-1-) 2:a)", "1:(a) 2"),
}
"""A mention of the same head fits two, but no zero does."""


def told_by(like):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        evaluate("key", "response", "muc", like=like)
    return " ".join(str(each.message) for each in told)


@pytest.mark.parametrize(("key", "response", "lines"), TIED.values(), ids=TIED)
@pytest.mark.parametrize("like", ["corefud_head", "corefud_partial", "corefud_exact"])
def test_a_zero_that_fits_several_is_told(folder, key, response, lines, like):
    write(text(key), text(response))
    told = told_by(like)
    assert_names(told, like, "a zero fits several", *lines)
    assert told.count("key, line") == len(lines)
    notes = [note for note in explain("key", "response", "muc").notes() if "fits several" in note]
    assert [note.partition(": ")[0] for note in notes] == lines


@pytest.mark.parametrize(("key", "response"), NOT_TIED.values(), ids=NOT_TIED)
def test_and_nowhere_else(folder, key, response):
    write(text(key), text(response))
    for like in ("corefud_head", "corefud_partial", "corefud_exact", "corefud_official"):
        assert "zero" not in told_by(like), like
    assert "fits several" not in repr(explain("key", "response", "muc"))


def test_a_zero_that_corefud_scorer_confuses_is_told(folder):
    """Of 60 random files all that got other scores of it have such zeros, or tied ones."""
    key = text("1:(a) 1.1@1/x:(a) 1.2@1/y:(b) 1.3@1/z:(c)", "1:(b) 2:(c)")
    write(key, text("1:(a) 1.1@1/y:(b) 1.2@1/z:(c) 1.3@1/x:(a)", "1:(b) 2:(c)"))
    assert_names(told_by("corefud_head"), "key, line 4", "confuses a zero", "line 6")
    write(key, key)
    assert not told_by("corefud_head")


def test_several_files_are_no_mean_over_data_sets(folder):
    for side in ("key", "response"):
        for name in ("cs", "tr"):
            path = Path(side, f"{name}.conllu")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text("1:(a) 2:(a)", newdoc=f"# newdoc id = {name}\n"))
    told = told_by("corefud_official")
    assert_names(told, "2 files", "mean over data sets", "Files and recipes")
    evaluate("key", "response", "muc")  # nobody prints this as the official number
    Path("key/tr.conllu").unlink(), Path("response/tr.conllu").unlink()
    assert not told_by("corefud_official")


def test_zeros_are_counted_over_documents(folder):
    first = text("1:(e1) 2 2.1@2/s:(e1)")
    other = text("1:(e1) 2 2.1@2/s:(e1) 3 3.1@3/s:(e1)", newdoc="# newdoc id = e\n")
    apart = text("1:(e1) 2 2.1@2/s:(e1) 3:(e2) 3.1@3/s:(e2)", newdoc="# newdoc id = e\n")
    write(first + other, first + apart)
    report = evaluate("key", "response", "zero", like="corefud_official")
    assert report.documents["e"]["zero"].counts == ((1, 2), (1, 2))
    assert report["zero"].counts == ((2, 3), (2, 3))
    with pytest.raises(CorefError, match=r"'zero'.*CorefUD.*--like corefud_official"):
        evaluate("key", "response", "zero")


# What the official scorer printed for its own test files, in six modes

REPEATED = {"exact-match/TC-A-8.response", "exact-match/TC-A-9.response"}
"""Responses that have a mention in two entities. There its BLANC takes a mention for a member of
the last entity alone, but counts the pairs of all; ours compares the entities as they are."""


@pytest.mark.filterwarnings("ignore:the key and the response share no mention")
@pytest.mark.parametrize("singletons", ["drop", "keep"])
@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_official_scores_of_all_test_files(match, singletons):
    compared = 0
    for row in rows("official.tsv"):
        if (row["match"], row["singletons"]) == (match, singletons):
            found = scored(row["response"], match, singletons)
            for name, parts in found.items():
                expected = [float(row[f"{name} {part}"]) for part in PARTS]
                same = pytest.approx(expected, abs=1e-6) == [float(part) for part in parts]
                excepted = name == "blanc_both" and row["response"] in REPEATED
                assert same != excepted, (row["response"], name, parts, expected)
                compared += same
    assert compared == 100 * 6 - 2


# What is read

FIELDS = "# global.Entity = eid-etype-head-other\n"


def text(*sentences: str, newdoc: str = "# newdoc id = d\n", fields: str = FIELDS) -> str:
    """A document: a sentence is its ids, each with ``Entity=`` after a colon, and DEPS after @."""
    lines = []
    for sentence in sentences:
        lines += [*map(node_of, sentence.split()), ""]
    return newdoc + fields + "\n".join(lines) + "\n"


def write(key: str | bytes, response: str | bytes) -> None:
    for name, content in (("key", key), ("response", response)):
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def pair(key: str | bytes, response: str | bytes, **chosen: str) -> tuple[dict, dict]:
    write(key, response)
    return read_pair("key", "response", Conventions(**chosen))


def one(content: str | bytes, **chosen: str) -> list[list[tuple[int, str, str]]]:
    """The entities of the only document: of each mention its sentence, nodes and head."""
    (entities,) = pair(content, content, **chosen)[0].values()
    return [
        [(m.sentence, " ".join(m.nodes), m.head) for m in entity] for entity in as_lists(entities)
    ]


def assert_names(message: str, *parts: str) -> None:
    """A message names all of these."""
    assert not [part for part in parts if part not in message], message


def test_one_sides_empty_node_is_in_both_texts(folder):
    write(text("1 2"), text("1 1.1 2"))
    assert Text.of([*documents("key"), *documents("response")]).words == ["w1", "w1.1", "w2"]


def test_words_without_space_are_joined_across_empty_nodes(folder):
    """Of a word that is split in two the line of the whole says what follows."""
    lines = text("1 1.1 2 3-4 3 4 5").splitlines()
    closed = [
        f"{line[:-1]}SpaceAfter=No" if line.startswith(("1\t", "3-4\t")) else line for line in lines
    ]
    write("\n".join(closed) + "\n", "\n".join(closed) + "\n")
    found = Text.of([*documents("key")])
    assert found.words == ["w1", "w1.1", "w2", "w3", "w4", "w5"]
    # Before w2, behind the empty node, and before w5: w4 is the last of 3-4.
    assert found.joined == {2, 5}


def test_of_one_span_the_first_head_is_kept(folder):
    """As udapi, which lists mentions when they begin, keeps the first for CorefUD's scorer.

    The response has the first head alone in its span, so it is a part of the key's mention only if
    that is the head.
    """
    for first, second, f1 in (1, 2, 1), (2, 1, 0):
        write(
            text(f"1:(e1-x-{first}-(e1-x-{second}- 2:e1)e1)", "1:(e1)"), text("1:(e1) 2", "1:(e1)")
        )
        chosen = {"match": "partial", "repeated": "once_each"}
        assert evaluate("key", "response", "muc", **chosen).total["muc"].exact.f1 == f1


def test_one_mention_listed_twice_is_a_singleton(folder):
    """As in the official scorer, which makes the two one before it drops singletons."""
    content = text("1:(e1)(e1) 2:(e2)", "1:(e2)")
    for how in ("exact", "head", "partial"):
        chosen = {"match": how, "singletons": "drop", "repeated": "once_each"}
        key, _ = pair(content, content, **chosen)
        assert [len(entity) for entity in as_lists(key["d"])] == [2]


# What is large


def zeros(count: int, parent: str) -> str:
    """A sentence with so many zeros."""
    return text(" ".join(["1", *(f"1.{n}@{parent.format(n)}:(e{n})" for n in range(1, count + 1))]))


def test_zeros_that_share_no_parent_are_not_compared(folder, monkeypatch):
    compared = []
    rule = matching.MEETINGS["zeros"]

    def worth(k: Headed, r: Headed) -> Any:
        compared.append((k, r))
        return rule.worth(k, r)

    monkeypatch.setitem(matching.MEETINGS, "zeros", rule._replace(worth=worth))
    content = zeros(1200, "{}/nsubj")
    key, response = pair(content, content)
    assert key == response and len(compared) == 1200


def test_too_many_zeros_are_refused_before_they_compare(folder, monkeypatch):
    monkeypatch.setitem(
        matching.MEETINGS, "zeros", matching.MEETINGS["zeros"]._replace(worth=lambda k, r: 1 / 0)
    )
    content = zeros(1200, "1/nsubj")
    with pytest.raises(CorefError) as raised:
        pair(content, content)
    # Of the response the ninth zero is the first with more: 9 · 1,200.
    named = ("document 'd'", "sentence 1 (key, line 4; response, line 12)", "10000 pairs of zeros")
    assert_names(str(raised.value), *named)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    content = zeros(50, "1/nsubj")
    key, response = pair(content, content)
    assert key == response


def test_too_many_mentions_of_one_head_are_refused(folder):
    nodes = [str(n) for n in range(1, 203)]
    key = [Headed(1, 1, tuple(nodes[:n]), "1", "", "key") for n in range(1, 202, 2)]
    response = [Headed(1, 1, tuple(nodes[:n]), "1", "", "response") for n in range(2, 201, 2)]
    with pytest.raises(CorefError, match="than 10000 pairs of mentions, by match='head'"):
        match(key, response, "head")
    assert len(match(key, [], "head")) == len(match(key, response, "exact")) == 0


def test_the_nodes_of_nested_mentions_have_a_limit(folder):
    def nested(depth: int) -> str:
        opening = (f"{n}:(e{n}" for n in range(1, depth + 1))
        closing = (f"{n}:e{2 * depth + 1 - n})" for n in range(depth + 1, 2 * depth + 1))
        return text(" ".join([*opening, *closing]))

    key, _ = pair(nested(900), nested(900))
    assert len(as_lists(key["d"])) == 900
    with pytest.raises(CorefError) as raised:
        pair(nested(3000), nested(3000))
    # the sum of 2, 4, 6, … is more than 1,000,000 when 1,000 are closed: 3,000 + 1,000 words
    assert_names(str(raised.value), "key, line 4002: document 'd'", "1000000 nodes")


def test_entity_elsewhere_than_in_the_last_column(folder):
    content = text("1:(e1)").replace("w1", "Entity=(e2)")
    assert one(content.replace("A=b", "MyEntity=(e3)")) == [[(1, "1", "1")]]
    assert one(text("1").replace("w1", "Entity=(e2)")) == []


@pytest.mark.parametrize(
    ("newdocs", "names"),
    [
        (["", ""], ["1"]),
        (["# newdoc\n", "# newdoc\n"], ["1", "2"]),
        (["", "# newdoc id = b c\n"], ["1", "b c"]),
        (["#newdoc id=a \n", "# newdoc\n"], ["a", "2"]),
        (["# newdoc id = a\n\n", "# newdoc id = b\n"], ["a", "b"]),
        (["# newpar id = a\n", "# newdoc_id = b\n"], ["1"]),
    ],
)
def test_documents(folder, newdocs, names):
    content = "".join(text("1:(e1)", newdoc=newdoc).rstrip() + "\n\n" for newdoc in newdocs)
    assert list(pair(content, content)[0]) == names


@pytest.mark.parametrize("change", [
    lambda content: content.replace("\n", "\r\n"),
    lambda content: content.replace("\n", "\r"),
    lambda content: "\ufeff" + content,
    lambda content: content.replace("\n\n", "\n\n \n\t\n"),
    lambda content: content.rstrip("\n"),
    lambda content: "# a\n\n" + content.replace("2\tw2", "# b\n2\tw2"),
])  # fmt: skip
def test_what_has_no_meaning(folder, change):
    content = text("1:(e1 2:e1)", "1 2:(e1)")
    assert one(change(content)) == one(content) == [[(1, "1 2", "1"), (2, "2", "2")]]


def test_lines_in_a_file_of_many_blocks(folder):
    sentences = [f"1:(e{n % 7}) 2 3" for n in range(9000)]
    content = text(*sentences)
    assert len(content) > 1 << 17
    assert sum(map(len, one(content, repeated="each"))) == 9000
    with pytest.raises(CorefError, match=f"line {2 + 4 * 8000 + 2}: .* '20' is out of order"):
        pair(text(*sentences[:8000], "1 20", *sentences), content)


# What is refused or warned of


D = "document 'd'"


def test_several_faulty_sentences_are_refused_together(folder):
    with pytest.raises(CorefError) as raised:
        pair(text("1:e1)", "1", "1:(e2"), text("1", "1", "1"))
    first, second = str(raised.value).split("\n")
    assert_names(first, "key, line 3: document 'd'", "'e1'")
    assert_names(second, "key, line 7: document 'd'", "'e2'")


THREE = "".join(text("1 2", "1:(e1)", newdoc=f"# newdoc id = {name}\n") for name in "dbc")


@every_row("content, other, number, parts", [
        (text("1 2", "1:(e1)"), ("\tw2", "\tv"), "1 of 1", ["line 4", "'w2'", "'v'"]),
        (text("0.1 1 2", "1:(e1)"), ("\tw2", "\t"), "1 of 1", ["line 5", "'w2'", "''"]),
        (THREE, ("\tw", "\tv"), "3 of 3", ["line 3", "'w1'", "'v1'"]),
    ])  # fmt: skip
def test_words_that_differ_are_warned_of_once(folder, content, other, number, parts):
    with pytest.warns(UserWarning) as warned:
        sides = pair(content, content.replace(*other))
    (only,) = warned
    line, *words = parts
    assert_names(str(only.message), number, D, f"key, {line}", f"response, {line}", *words)
    assert sides[0] == sides[1]


# Which mentions are matched


def test_many_mentions_that_compete():
    """More than the exact assignment takes: SciPy's sum of doubles is the largest, too."""
    nodes = [str(n) for n in range(1, 202)]
    key = [Headed(1, 1, tuple(nodes[:n]), "1", "", "key") for n in range(1, 200, 2)]
    response = [Headed(1, 1, tuple(nodes[:n]), "1", "", "response") for n in range(2, 201, 2)]
    found = match(key, response, "head")
    assert len(found) == 100
    assert sum(len(k.nodes) <= len(r.nodes) for r, k in found.items()) == 100


def test_a_cycle_of_zeros(folder):
    """Three zeros that are all right but stand in another order: the official scorer says 38.89.

    It keeps the matched mentions of both sides in one dictionary, where each place of the cycle is
    a key mention and a response mention.
    """
    key = text("1:(a) 1.1@1/x:(a) 1.2@1/y:(b) 1.3@1/z:(c)", "1:(b) 2:(c)")
    response = text("1:(a) 1.1@1/y:(b) 1.2@1/z:(c) 1.3@1/x:(a)", "1:(b) 2:(c)")
    write(key, response)
    assert evaluate("key", "response", "conll", match="head").total["conll"].exact.f1 == 1


def test_singletons_go_before_mentions_are_matched(folder):
    """Of two key mentions with one head the singleton would take the response's mention."""
    key, response = text("1:(a(s 2:a) 3:s)", "1:(a)"), text("1:(b 2 3:b)", "1:(b)")
    write(key, response)
    with pytest.warns(UserWarning, match="key and of response"):
        kept = evaluate("key", "response", "muc", match="head")
    with pytest.warns(UserWarning, match="key and of response"):
        dropped = evaluate("key", "response", "muc", match="head", singletons="drop")
    assert (kept.total["muc"].exact.f1, dropped.total["muc"].exact.f1) == (0, 1)


# Any file

GOOD = (
    text("1:(e1(e2-x-2- 1.1@1/nsubj:e1) 2:e2)(e3)", "0.1 1-2 1:(e1[1/2]-x-3- 2:e1[1/2])"
    " 3 4:(e1[2/2])")
    + text("1:(e3-x-1- 2:(e3 3:e3) 4:e3)", "1:(e4[1/2])(e5 2:e5) 3:(e4[2/2])", newdoc="# newdoc\n")
)  # fmt: skip
PIECES = [
    *("(e1)", "(e1-x-2-", "e1)", "(e2[1/2])", "(e2[2/2])", "(e1[1/3]", "e1[1/3])", "e3)(e3"),
    *("Entity=", "|", "[", "]", "(", ")", "-", "=", "_", "\t", " ", "\r", "\n", "\n\n"),
    *("(e3(e3", "\ufeff", "\x85", "\0", "é", "9", "1.1\t", "1-2\t"),
    *("# newdoc\n", "# newdoc id = d\n", "# global.Entity = GRP-head\n", FIELDS),
]


def begun(content: bytes) -> int:
    """How many brackets begin a mention: all that open anything but a later part."""
    lines = [line for line in re.split("[\r\n]", content.decode()) if not line.startswith("#")]
    runs = re.findall(r"(?m)[\t|]Entity=([^\t|\n]*)[^\t\n]*$", "\n".join(lines))
    return sum(len(re.findall(r"\((?![^()]*\[[2-9]/)", run)) for run in runs)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(int(os.environ.get("COREFEVAL_FUZZ", "1"))))
def test_any_file_is_scored_whole_or_refused(seed, folder, capsys):
    chance = random.Random(seed)
    ways = (chance.choice(["exact", "head", "partial"]) for _ in range(400))
    cases = ((GOOD.encode(), ["--match", how]) for how in ways)
    for contents in accepted(cases, PIECES, chance, capsys):
        for name, content in zip(("key", "response"), contents, strict=True):
            read = (entity for document in documents(name) for entity in document.entities.values())
            assert sum(map(len, read)) == begun(content), content


# A side that marks no mention


def two_documents(*sentences: str, fields: str = "") -> str:
    """The same sentences twice."""
    return "".join(text(*sentences, newdoc=f"# newdoc id = {n}\n", fields=fields) for n in "de")


MARKED = two_documents("1:(e1) 2 3:(e2(e1) 4:e2) 5", "1:(e2) 2 3:(e1)", fields=FIELDS)
NOT_MARKED = two_documents("1 2 3 4 5", "1 2 3")
BY_STANZA = two_documents(
    "1:unit-repr-id0 2 3:start-repr-id1,unit-id0 4:end-id1 5", "1:unit-id1 2 3"
).replace("Entity=", "coref_chains=")


@pytest.mark.filterwarnings("ignore:the key and the response share no mention")
@pytest.mark.parametrize("door", [evaluate, explain, anatomy])
def test_a_side_without_marks_is_refused_unless_meant(door, folder):
    """What Stanza writes scored 0.00 without a word, even against itself."""
    write(MARKED, BY_STANZA)
    with pytest.raises(CorefError, match=r"^response: .*Stanza"):
        door("key", "response")
    write(MARKED, NOT_MARKED)
    for sides in (("key", "response"), ("response", "key"), ("response", "response")):
        with pytest.raises(CorefError, match=r"^response: .*# global\.Entity") as raised:
            door(*sides)
    line = re.search("line '(# global.Entity = .*)'", str(raised.value))
    write(MARKED, f"{line[1]}\n{NOT_MARKED}")
    assert door("key", "response"), "its file says how it would mark mentions"


def test_a_file_in_a_folder_may_lack_marks(folder):
    for side in ("k", "r"):
        Path(side).mkdir()
        Path(side, "1").write_text(text("1:(e1) 2:(e1)"), encoding="utf-8")
        Path(side, "2").write_text(text("1", newdoc="# newdoc id = e\n", fields=""))
    assert evaluate("k", "r", "muc")["muc"].exact.f1 == 1
