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


def cells(found: str) -> list[list[str]]:
    """The rows of the first table."""
    rows = re.findall("<tr.*?</tr>", found.partition("</table>")[0], re.DOTALL)
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
def test_the_command_that_is_shown_prints_the_numbers_that_are_shown(chosen, monkeypatch, capsys):
    monkeypatch.chdir(PATHS[0].parent)
    found = file_scores(**GIVEN, **chosen).html
    (command,) = re.findall(r"<pre>\$ corefeval (.*)</pre>", found)
    assert main(shlex.split(html.unescape(command))) == 0
    *lines, _, signature = capsys.readouterr().out.splitlines()
    assert [" ".join(row).split() for row in cells(found)] == [line.split() for line in lines]
    assert signature in html.unescape(re.sub("<wbr/>", "", found))


@pytest.mark.parametrize("how", ["markdown", "latex", "sentence", "csv", "json"])
def test_other_formats_are_the_commands(how, monkeypatch, capsys):
    monkeypatch.chdir(PATHS[0].parent)
    found = file_scores(**GIVEN, format=how).html
    assert main(["score", "key.conll", "a.conll", "--format", how]) == 0
    assert capsys.readouterr().out in html.unescape(found)


def test_every_option_of_the_command_is_offered_or_has_its_line():
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
    found = file_scores(**GIVEN)
    assert found.told == "Scored 14 documents."
    assert ["muc", "74.00", "80.43", "77.08"] in cells(found.html)
    assert cells(found.html)[-1] == ["conll", "—", "—", "83.94"]
    assert found.state == "said" and "warned" not in found.html


@pytest.mark.parametrize(
    "chosen", [{}, {"singletons": "drop"}, {"twinless": "complete"}, {"like": "e2e"}]
)
def test_the_sentences_are_of_the_report(chosen):
    report = corefeval.evaluate(*PATHS, **chosen)
    assert html.escape(report.sentence()) in file_scores(**GIVEN, **chosen).html


def test_errors_name_the_readers_files_and_what_to_choose():
    found = file_scores(
        **pair(TWICE, TWICE, key_name="my key.conll", response_name="C:\\o\\mine.conll")
    )
    assert found.state == "refused"
    assert found.told.startswith("my key.conll, line 2: document 'd; part 000': mention (0, 0)")
    assert "--repeated first" in found.told
    assert "$ corefeval score &#x27;my key.conll&#x27; mine.conll" in found.html
    first = file_scores(**pair(KEY, TWICE, key_name="key.conll"), repeated="first")
    assert "key.conll" in first.told and "/" not in first.told.split(":")[0]
    mistyped = file_scores(**GIVEN, metric="mcu")
    assert mistyped.state == "refused" and "muc" in mistyped.told


def test_two_files_of_one_name_are_told_apart():
    found = file_scores(**pair(KEY, b"nothing", key_name="a.conll", response_name="a.conll"))
    assert found.told.startswith("response/a.conll")


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_table_is_refused_with_the_command_that_reads_it(ending, tmp_path, monkeypatch, capsys):
    table = b"document,mention,entity\na,1,x\na,2,x\n"
    names = {"key_name": f"k.{ending}", "response_name": f"r.{ending}"}
    found = file_scores(**pair(table, table, **names))
    assert found.state == "refused"
    (command,) = re.findall("corefeval (score .*? LABELS LABELS)", found.told)
    if ending == "csv":
        monkeypatch.chdir(tmp_path)
        for name in names.values():
            (tmp_path / name).write_bytes(table)
        assert main(command.replace("LABELS", "entity").split()) == 0
        assert "100.00" in capsys.readouterr().out


def test_words_that_differ_are_a_warning():
    found = file_scores(**pair(LINES, LINES.replace(b"Ann", b"Bob")))
    assert "&#x27;Ann&#x27;" in found.html and "&#x27;Bob&#x27;" in found.html
    assert len(cells(found.html)) == 9 and found.state == "said"


def test_a_side_without_mentions_gets_a_warning_and_no_sentence_for_a_paper():
    none = LINES.replace(b"(0)", b"-")
    assert "What to write" in file_scores(**pair(LINES, LINES)).html
    for sides in ((LINES, none), (none, LINES)):
        found = file_scores(**pair(*sides)).html
        assert "share no mention" in found and "What to write" not in found
    bare = b"# newdoc id = d\n" + b"\t".join([b"1", b"Ann", *[b"_"] * 8]) + b"\n\n"
    told = file_scores(**pair(bare, bare, key_name="my.conllu", response_name="other.conllu")).told
    assert told.startswith("my.conllu: ") and "Entity" in told


def test_what_needs_scipy_is_left_out_and_said(without_scipy):
    found = file_scores(**GIVEN).html
    assert LEFT_OUT in found
    assert [row[0] for row in cells(found)[1:]] == ["mentions", "muc", "b3", "blanc", "lea"]
    assert "ceaf" not in errors(**GIVEN).html
    two_files.explained.cache_clear()
    assert LEFT_OUT in others(**GIVEN).html
    two_files.explained.cache_clear()


# Errors


@pytest.mark.parametrize("chosen", [{}, {"singletons": "drop"}])
def test_the_errors_are_the_page_of_the_anatomy(chosen):
    page = corefeval.anatomy(*PATHS, **chosen).to_html("Errors of a.conll")
    found = errors(**GIVEN, theme="dark", **chosen).html
    framed = html.unescape(re.findall(r'srcdoc="(.*?)"', found, re.DOTALL)[0])
    assert framed.replace('<base href="about:srcdoc">', "") == page.replace(
        "color-scheme: light dark", "color-scheme: dark"
    )
    assert two_files.quote(page) in found


def test_words_of_the_text_and_names_are_no_markup():
    marked = LINES.replace(b"Ann", b"<script>x(1)</script>").replace(b"(d)", b"(<b>d)")
    given = pair(marked, marked.replace(b"her\t(0)", b"her\t(1)"), response_name="<img src=x>")
    for found in (file_scores, costliest, errors, others):
        shown = found(**given).html
        assert not re.search("<script|<img|<b>d", shown), found


def test_the_costliest_come_with_their_words():
    found = cells(costliest(**GIVEN, measure="b3").html)
    assert found == [[*line] for line in corefeval.anatomy(*PATHS).costliest_table("b3").lines]
    assert "sredni-vashtar; part 005" in found[1] and "she" in found[1]
    assert costliest(**GIVEN).html.count("--measure") == 0
    assert "--measure lea" in costliest(**GIVEN, measure="lea").html


def test_files_that_cannot_be_read_are_told_in_each_fold():
    for found in (costliest, errors, others):
        assert "no document" in found(**pair(KEY, b"")).html


# Other scorers


def printed(number: str) -> list[list[str]]:
    found = hits(**GIVEN, printed=number).html
    return cells(found)[1:] if "Who prints this number." in found else []


def test_it_names_whom_the_quick_start_names():
    # `corefeval score key.conll a.conll --metric conll --like e2e` prints 59.59 there.
    (entry,) = [row for row in printed("59.59") if row[0].startswith("CoNLL")]
    assert {"e2e", "s2e", "fastcoref"} <= {*entry[1].split(", ")}
    assert "229 singletons" in entry[2] and entry[3] == "83.94"


def test_a_number_by_our_rules_is_said_to_be_one():
    first = printed("77.08")[0]  # MUC in the quick start
    assert first[0] == "MUC F1 77.08" and first[2] == "as our rules count"
    assert {"ours", "reference", "coval"} <= {*first[1].split(", ")}


def test_who_cuts_decimals_off_is_named():
    (row,) = [row for row in printed("83.29") if "reference" in row[1]]
    assert row[0] == "B³ recall 83.29, cut off" and row[3] == "83.30"
    assert "reference prints B³ recall 83.29: it cuts" in hits(**GIVEN, printed="83.30").html


def test_near_numbers_are_named_where_nobody_prints_the_number():
    found = hits(**GIVEN, printed="83,99 %").html
    assert printed("83,99 %") == [] and "row-checker.html" in found
    assert "Near it, and not equal: CoNLL score" in found and " 83.94, of " in found


@pytest.mark.parametrize("number", ["83.94", "0.8394", "59,6 %", "86.2", "100"])
def test_it_finds_what_explain_finds(number):
    by_library = corefeval.explain(*PATHS).hits(number)
    named = sorted(scorer for row in printed(number) for scorer in row[1].split(", "))
    assert named == sorted(hit.scorer for hit in by_library)


def test_the_differences_and_reasons_are_the_commands():
    found, by_library = others(**GIVEN).html, corefeval.explain(*PATHS)
    assert cells(found) == [[*line] for line in by_library.table().lines]
    assert all(html.escape(each) in found for each in [by_library.summary, *by_library.notes()])


def test_who_is_ahead_is_what_the_command_says(monkeypatch, capsys):
    monkeypatch.chdir(PATHS[0].parent)
    given = GIVEN | {"second": PATHS[0].with_name("b.conll").read_bytes(), "second_name": "b.conll"}
    # Conventions of the form are those of one scorer, and here each has its own.
    found = winners(**given, singletons="drop", like="e2e", metric="conll").html
    (command,) = re.findall(r"<pre>\$ corefeval (.*)</pre>", found)
    assert main(shlex.split(html.unescape(command))) == 0
    sentence, table, _ = capsys.readouterr().out.split("\n\n")
    assert [" ".join(row).split() for row in cells(found)] == [
        line.split() for line in table.splitlines()
    ]
    assert html.escape(" ".join(sentence.split())) in found
    assert "no document" in winners(**given | {"second": b" "}).html
    same = winners(**given | {"second_name": "a.conll"}).html
    assert "compare key/key.conll response/a.conll second/a.conll" in same
    assert "second is ahead" in same or "response is ahead" in same


def test_scorers_are_scored_once_for_a_pair_of_files(monkeypatch):
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
