"""What the page of two files shows: the commands' numbers, and the library's errors."""

import html
import re
import shlex

import pytest
from corefbook.pages import two_files
from corefbook.pages.two_files import (
    LEFT_OUT,
    LIKE,
    NOT_HERE,
    costliest,
    errors,
    file_scores,
    hits,
    options,
    others,
    winners,
)
from pair import KEY, PATHS, RESPONSE

import corefeval
from corefeval.cli import main

GIVEN = {"key": KEY, "response": RESPONSE, "key_name": "key.conll", "response_name": "a.conll"}
TWICE = b"#begin document (d); part 000\nAnn\t(0)|(1)\n#end document\n"
LINES = b"#begin document (d); part 000\nd\t0\t0\tAnn\t(0)\nd\t0\t1\ther\t(0)\n#end document\n"


def pair(key: bytes, response: bytes, **more: str) -> dict:
    return {"key": key, "response": response, **more}


def cells(page: str) -> list[list[str]]:
    """The rows of the first table."""
    rows = re.findall("<tr.*?</tr>", page.partition("</table>")[0], re.DOTALL)
    return [[html.unescape(re.sub("<.*?>", "", cell)) for cell in
             re.findall("<t[hd].*?</t[hd]>", row, re.DOTALL)] for row in rows]  # fmt: skip


# The command


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"singletons": "drop", "metric": "muc,conll"},
        {"like": "e2e"},
        {"per_document": "yes", "metric": "lea"},
        {"average": "mean", "zero": "same"},
    ],
)
def test_the_shown_command_prints_the_shown_numbers(chosen, monkeypatch, capsys):
    monkeypatch.chdir(PATHS[0].parent)
    shown = file_scores(**GIVEN, **chosen).html
    (command,) = re.findall(r"<pre>\$ corefeval (.*)</pre>", shown)
    assert main(shlex.split(html.unescape(command))) == 0
    *lines, _, signature = capsys.readouterr().out.splitlines()
    assert [" ".join(row).split() for row in cells(shown)] == [line.split() for line in lines]
    assert signature in html.unescape(re.sub("<wbr/>", "", shown))


@pytest.mark.parametrize("how", ["markdown", "latex", "sentence", "csv", "json"])
def test_other_formats_are_the_commands(how, monkeypatch, capsys):
    monkeypatch.chdir(PATHS[0].parent)
    shown = file_scores(**GIVEN, format=how).html
    assert main(["score", "key.conll", "a.conll", "--format", how]) == 0
    assert capsys.readouterr().out in html.unescape(shown)


def test_every_option_is_offered_or_explained():
    names = {each.dest for each in options()}
    assert {*NOT_HERE} < names and len(names) > 15
    for line in NOT_HERE.values():
        arguments = two_files._parser("score").parse_args(["key", "response", *line.split()])
        assert arguments.columns or arguments.resamples
    assert "e2e" in LIKE and "reference" in LIKE


def test_what_no_browser_has_is_not_passed_on():
    assert "--seed" not in file_scores(**GIVEN, seed="1").html


# The scores


def test_the_numbers_are_those_of_the_quick_start():
    answer = file_scores(**GIVEN)
    assert answer.told == "Scored 14 documents."
    assert ["muc", "74.00", "80.43", "77.08"] in cells(answer.html)
    assert cells(answer.html)[-1] == ["conll", "—", "—", "83.94"]
    assert answer.state == "said" and "warned" not in answer.html


@pytest.mark.parametrize(
    "chosen", [{}, {"singletons": "drop"}, {"twinless": "complete"}, {"like": "e2e"}]
)
def test_the_sentences_are_of_the_report(chosen):
    report = corefeval.evaluate(*PATHS, **chosen)
    assert html.escape(report.sentence()) in file_scores(**GIVEN, **chosen).html


def test_errors_name_files_and_what_to_choose():
    sides = pair(TWICE, TWICE, key_name="my key.conll", response_name="C:\\o\\mine.conll")
    answer = file_scores(**sides)
    assert answer.state == "refused"
    assert answer.told.startswith("my key.conll, line 2: document 'd; part 000': mention (0, 0)")
    assert "--repeated first" in answer.told
    assert "$ corefeval score &#x27;my key.conll&#x27; mine.conll" in answer.html
    first = file_scores(**pair(KEY, TWICE, key_name="key.conll"), repeated="first")
    assert "key.conll" in first.told and "/" not in first.told.split(":")[0]
    mistyped = file_scores(**GIVEN, metric="mcu")
    assert mistyped.state == "refused" and "muc" in mistyped.told


def test_two_files_of_one_name_are_told_apart():
    answer = file_scores(**pair(KEY, b"nothing", key_name="a.conll", response_name="a.conll"))
    assert answer.told.startswith("response/a.conll")


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_refused_table_gets_its_command(ending, tmp_path, monkeypatch, capsys):
    table = b"document,mention,entity\na,1,x\na,2,x\n"
    names = {"key_name": f"k.{ending}", "response_name": f"r.{ending}"}
    answer = file_scores(**pair(table, table, **names))
    assert answer.state == "refused"
    (command,) = re.findall("corefeval (score .*? LABELS LABELS)", answer.told)
    if ending == "csv":
        monkeypatch.chdir(tmp_path)
        for name in names.values():
            (tmp_path / name).write_bytes(table)
        assert main(command.replace("LABELS", "entity").split()) == 0
        assert "100.00" in capsys.readouterr().out


def test_words_that_differ_are_a_warning():
    answer = file_scores(**pair(LINES, LINES.replace(b"Ann", b"Bob")))
    assert "&#x27;Ann&#x27;" in answer.html and "&#x27;Bob&#x27;" in answer.html
    assert len(cells(answer.html)) == 9 and answer.state == "said"


def test_an_empty_side_gets_a_warning():
    none = LINES.replace(b"(0)", b"-")
    assert "What to write" in file_scores(**pair(LINES, LINES)).html
    for sides in ((LINES, none), (none, LINES)):
        shown = file_scores(**pair(*sides)).html
        assert "share no mention" in shown and "What to write" not in shown
    bare = b"# newdoc id = d\n" + b"\t".join([b"1", b"Ann", *[b"_"] * 8]) + b"\n\n"
    sides = pair(bare, bare, key_name="my.conllu", response_name="other.conllu")
    refusal = file_scores(**sides).told
    assert refusal.startswith("my.conllu: ") and "Entity" in refusal


def test_what_needs_scipy_is_left_out_and_said(without_scipy):
    shown = file_scores(**GIVEN).html
    assert LEFT_OUT in shown
    assert [row[0] for row in cells(shown)[1:]] == ["mentions", "muc", "b3", "blanc", "lea"]
    assert "ceaf" not in errors(**GIVEN).html
    two_files.explained.cache_clear()
    assert LEFT_OUT in others(**GIVEN).html
    two_files.explained.cache_clear()


# Errors


@pytest.mark.parametrize("chosen", [{}, {"singletons": "drop"}])
def test_the_errors_are_the_page_of_the_anatomy(chosen):
    page = corefeval.anatomy(*PATHS, **chosen).to_html("Errors of a.conll")
    shown = errors(**GIVEN, theme="dark", **chosen).html
    framed = html.unescape(re.findall(r'srcdoc="(.*?)"', shown, re.DOTALL)[0])
    assert framed.replace('<base href="about:srcdoc">', "") == page.replace(
        "color-scheme: light dark", "color-scheme: dark"
    )
    assert two_files.quote(page) in shown


def test_words_and_names_are_no_markup():
    marked = LINES.replace(b"Ann", b"<script>x(1)</script>").replace(b"(d)", b"(<b>d)")
    given = pair(marked, marked.replace(b"her\t(0)", b"her\t(1)"), response_name="<img src=x>")
    for function in (file_scores, costliest, errors, others):
        shown = function(**given).html
        assert not re.search("<script|<img|<b>d", shown), function


def test_the_costliest_come_with_their_words():
    rows = cells(costliest(**GIVEN, measure="b3").html)
    assert rows == [[*line] for line in corefeval.anatomy(*PATHS).costliest_table("b3").lines]
    assert "sredni-vashtar; part 005" in rows[1] and "she" in rows[1]
    assert costliest(**GIVEN).html.count("--measure") == 0
    assert "--measure lea" in costliest(**GIVEN, measure="lea").html


def test_each_fold_tells_of_unreadable_files():
    for function in (costliest, errors, others):
        assert "no document" in function(**pair(KEY, b"")).html


# Other scorers


def printed(number: str) -> list[list[str]]:
    shown = hits(**GIVEN, printed=number).html
    return cells(shown)[1:] if "Who prints this number." in shown else []


def test_it_names_whom_the_quick_start_names():
    # `corefeval score key.conll a.conll --metric conll --like e2e` prints 59.59 there.
    (entry,) = [row for row in printed("59.59") if row[0].startswith("CoNLL")]
    assert {"e2e", "s2e", "fastcoref"} <= {*entry[1].split(", ")}
    assert "229 singletons" in entry[2] and entry[3] == "83.94"


def test_a_number_by_our_rules_is_named():
    first = printed("77.08")[0]  # MUC in the quick start
    assert first[0] == "MUC F1 77.08" and first[2] == "as our rules count"
    assert {"ours", "reference", "coval"} <= {*first[1].split(", ")}


def test_who_cuts_decimals_off_is_named():
    (row,) = [row for row in printed("83.29") if "reference" in row[1]]
    assert row[0] == "B³ recall 83.29, cut off" and row[3] == "83.30"
    assert "reference prints B³ recall 83.29: it cuts" in hits(**GIVEN, printed="83.30").html


def test_near_numbers_are_named_where_nobody_agrees():
    shown = hits(**GIVEN, printed="83,99 %").html
    assert printed("83,99 %") == [] and "row-checker.html" in shown
    assert "Near it, and not equal: CoNLL score" in shown and " 83.94, of " in shown


@pytest.mark.parametrize("number", ["83.94", "0.8394", "59,6 %", "86.2", "100"])
def test_it_finds_what_explain_finds(number):
    by_library = corefeval.explain(*PATHS).hits(number)
    named = sorted(scorer for row in printed(number) for scorer in row[1].split(", "))
    assert named == sorted(hit.scorer for hit in by_library)


def test_the_differences_and_reasons_are_the_commands():
    shown, by_library = others(**GIVEN).html, corefeval.explain(*PATHS)
    assert cells(shown) == [[*line] for line in by_library.table().lines]
    assert all(html.escape(each) in shown for each in [by_library.summary, *by_library.notes()])


def test_who_is_ahead_is_what_the_command_says(monkeypatch, capsys):
    monkeypatch.chdir(PATHS[0].parent)
    given = GIVEN | {"second": PATHS[0].with_name("b.conll").read_bytes(), "second_name": "b.conll"}
    # Conventions of the form are those of one scorer, and here each has its own.
    shown = winners(**given, singletons="drop", like="e2e", metric="conll").html
    (command,) = re.findall(r"<pre>\$ corefeval (.*)</pre>", shown)
    assert main(shlex.split(html.unescape(command))) == 0
    sentence, table, _ = capsys.readouterr().out.split("\n\n")
    assert [" ".join(row).split() for row in cells(shown)] == [
        line.split() for line in table.splitlines()
    ]
    assert html.escape(" ".join(sentence.split())) in shown
    assert "no document" in winners(**given | {"second": b" "}).html
    same = winners(**given | {"second_name": "a.conll"}).html
    assert "compare key/key.conll response/a.conll second/a.conll" in same
    assert "second is ahead" in same or "response is ahead" in same


def test_a_pair_of_files_is_scored_once(monkeypatch):
    scored = []
    scores_of = two_files.explain
    monkeypatch.setattr(
        two_files, "explain", lambda *given, **o: scored.append(given) or scores_of(*given, **o)
    )
    two_files.explained.cache_clear()
    for number in ("59.59", "83.94", "12"):
        others(**GIVEN, printed=number)
        hits(**GIVEN, printed=number)
    assert len(scored) == 1
    others(**pair(RESPONSE, KEY, key_name="key.conll", response_name="a.conll"))
    assert len(scored) == 2
    two_files.explained.cache_clear()


def test_what_is_no_number_is_told():
    assert "no number like 83.33" in hits(**GIVEN, printed="x").html
