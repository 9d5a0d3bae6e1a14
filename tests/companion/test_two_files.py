"""What the playground shows of two files: the command's numbers, and the library's errors."""

import pytest
from companion.pages import playground
from companion.pages.two_files import LEFT_OUT, errors, scores
from pair import KEY, PATHS, RESPONSE

import corefeval
from corefeval.display import percent


def test_the_numbers_are_those_of_the_quick_start():
    found = scores(KEY, RESPONSE)
    assert {row["name"]: row["cells"] for row in found["total"]}["muc"] == [
        "74.00", "80.43", "77.08"
    ]  # fmt: skip
    assert found["total"][-1]["cells"] == ["—", "—", "83.94"]
    assert len(found["documents"]) == 14 and found["documents"][0]["cells"][-1] == "89.90"
    assert "documents=14 defaults" in found["signature"] and found["notes"] == []


def test_errors_name_the_readers_files_and_the_pages_menus():
    twice = b"#begin document (d); part 000\nAnn\t(0)|(1)\n#end document\n"
    found = scores(twice, twice, "my key.conll", "C:\\other\\mine.conll")
    assert found["error"].startswith("my key.conll, line 2: document 'd; part 000': mention (0, 0)")
    assert "choose “repeated: first” under Conventions" in found["error"]
    assert "--" not in found["error"] and "Python" not in found["error"]
    other = scores(KEY, twice, "key.conll", "mine.conll", repeated="first")["error"]
    assert "key.conll" in other and "/" not in other.split(":")[0]


def test_two_files_of_one_name_are_told_apart():
    found = scores(KEY, b"nothing", "a.conll", "a.conll")
    assert found["error"].startswith("response/a.conll")


def test_words_that_differ_are_a_note():
    lines = "#begin document (d); part 000\nd\t0\t0\t{}\t(0)\n#end document\n"
    found = scores(lines.format("Ann").encode(), lines.format("Bob").encode())
    [note] = found["notes"]
    assert "'Ann'" in note and "'Bob'" in note and len(found["total"]) == 8


def test_a_side_without_mentions_gets_a_note_and_no_sentence_for_a_paper():
    lines = b"#begin document (d); part 000\nd\t0\t0\tAnn\t(0)\n#end document\n"
    none = lines.replace(b"(0)", b"-")
    assert scores(lines, lines)["methods"]
    for sides, numbers in (((lines, none), "1, the response 0"), ((none, lines), "0, the res")):
        found = scores(*sides)
        [note] = found["notes"]
        assert f"share no mention: the key has {numbers}" in note
        assert found["methods"] == "" and len(found["total"]) == 8
    bare = b"# newdoc id = d\n" + b"\t".join([b"1", b"Ann", *[b"_"] * 8]) + b"\n\n"
    told = scores(bare, bare, "my.conllu", "other.conllu")["error"]
    assert told.startswith("my.conllu: ") and "Entity" in told


def test_what_needs_scipy_is_left_out_and_said(without_scipy):
    found = scores(KEY, RESPONSE)
    assert found["notes"] == [f"{LEFT_OUT} The command “corefeval score” gives them."]
    names = [row["name"] for row in found["total"]]
    assert names == ["mentions", "muc", "b3", "blanc", "lea"]
    assert "CEAF" not in found["methods"]


@pytest.mark.parametrize("chosen", [{}, {"singletons": "drop"}, {"twinless": "complete"}])
def test_the_totals_are_the_librarys(chosen):
    found = scores(KEY, RESPONSE, **chosen)
    report = corefeval.evaluate(*PATHS, **chosen)
    assert [row["cells"][2] for row in found["total"]] == [
        percent(score.exact.f1) for score in report.total.values()
    ]
    assert found["signature"] == report.short_signature
    assert "LEA, which that scorer lacks" in found["methods"]
    assert report.sentence() == found["methods"]


def test_a_document_that_fits_comes_as_the_form_takes_it():
    found = scores(KEY, RESPONSE)
    shown = [each for each in found["documents"] if "key" in each]
    assert shown
    for each in shown:
        rows = playground.scores(each["key"], each["response"])["measures"]
        f1 = [row["f1"] or row["value"] for row in rows if row["standard"]]
        assert [part["percent"] for part in f1] == each["cells"]


def test_repeats_stay_in_what_the_form_gets():
    twice = b"#begin document (d); part 000\nAnn\t(0)|(1)\nher\t(1)\n#end document\n"
    found = scores(twice, twice, repeated="first")["documents"][0]
    assert found["key"] == found["response"] == "{0-0} {0-0 1-1}"


def test_json_lines_and_documents_on_one_side():
    line = (
        b'{"doc_key": "%s", "clusters": [[[0, 1], [3, 3]]], "sentences": [["a", "b", "c", "d"]]}\n'
    )
    found = scores(line % b"x", line % b"y", missing="empty")["documents"]
    assert [(each["name"], each["key"], each["response"]) for each in found] == [
        ("x", "{0-1 3-3}", ""),
        ("y", "", "{0-1 3-3}"),
    ]


@pytest.mark.parametrize("chosen", [{}, {"singletons": "drop"}])
def test_the_errors_are_the_page_of_the_anatomy(chosen):
    found = errors(KEY, RESPONSE, "key.conll", "mine.conll", **chosen)
    page = corefeval.anatomy(*PATHS, **chosen).to_html("Errors of mine.conll")
    assert found == {"html": page, "notes": []}


def test_errors_of_bad_files_are_told_in_the_pages_words():
    twice = b"#begin document (d); part 000\nAnn\t(0)|(1)\n#end document\n"
    found = errors(twice, twice, "key.conll", "mine.conll")
    assert [*found] == ["error"] and "choose “repeated: first” under" in found["error"]


def test_words_of_the_text_and_names_are_no_markup_among_the_errors():
    lines = (
        "#begin document (<b>d); part 000\nx\t0\t0\t<script>alert(1)</script>\t(0)\n#end document\n"
    )
    page = errors(lines.encode(), lines.encode(), response_name="<img src=x>")["html"]
    assert "<script>alert" not in page and "<img" not in page and "<b>d" not in page


def test_costs_that_need_scipy_are_left_out_and_said(without_scipy):
    found = errors(KEY, RESPONSE)
    assert found["notes"] == [f"{LEFT_OUT} The command “corefeval anatomy” gives them."]
    assert "lea" in found["html"] and "ceaf" not in found["html"]
