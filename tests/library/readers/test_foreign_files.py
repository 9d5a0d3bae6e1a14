"""What is none of the formats is refused by what it is, and unbalanced brackets together.

If one of these failed, whoever gives a file of another tool would be told of CoNLL-2012 alone.
"""

import json
from pathlib import Path

import pytest
from case_files import lines_of
from rows import every_row

from corefeval import CorefError, evaluate, read

FOUR = ("CoNLL-2012", "CorefUD", "JSON lines", ".csv")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@every_row("text, told", lines_of("readers/foreign"))
def test_what_is_of_no_format(text, told, end, mark, folder):
    Path("a").write_bytes((mark + text.replace("\\n", end)).encode())
    for door in (lambda: evaluate("a", "a"), lambda: read("a")):
        with pytest.raises(CorefError) as refused:
            door()
        message = str(refused.value)
        assert message.startswith("a: it ") and told in message
        assert all(format in message for format in FOUR), message


EXPORTS = {
    "Label Studio": {"id": 1, "data": {"text": "Ann"}, "annotations": [{"result": []}]},
    "Prodigy": {"text": "Ann", "spans": [], "relations": [], "_task_hash": 5},
    "doccano": {"id": 1, "text": "Ann", "entities": [], "relations": []},
    "INCEpTION": {"%TYPES": {}, "%FEATURE_STRUCTURES": []},
}


@pytest.mark.parametrize("tool", EXPORTS)
def test_an_export_of_an_annotation_tool(tool, folder):
    Path("a").write_text(json.dumps(EXPORTS[tool]))
    with pytest.raises(CorefError, match=f"export of {tool}, an annotation tool") as refused:
        evaluate("a", "a")
    assert "clusters" in str(refused.value)


def test_types_alone_are_no_coreference(folder):
    head = "# newdoc id = d\n# global.Entity = etype-identity\n"
    Path("a").write_text(head + "1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(person-Ann)\n\n")
    with pytest.raises(CorefError, match=r"a, line 3: .* neither eid nor GRP.* types") as refused:
        evaluate("a", "a")
    assert "etype-identity" in str(refused.value)


def conll(*columns, name="d"):
    rows = "".join(f"d\t0\t{n}\tw\t{column}\n" for n, column in enumerate(columns))
    return f"#begin document ({name}); part 000\n{rows}#end document\n"


def faults(text):
    Path("a").write_text(text)
    with pytest.raises(CorefError) as refused:
        evaluate("a", "a")
    return str(refused.value).split("\n")


def test_unbalanced_brackets_are_told_together(folder):
    told = faults(conll("(0", "1)", "(2|(2") + conll("(7", "(8)", name="e"))
    assert [each.partition(": ")[0] for each in told] == [
        "a, line 3", "a, line 2", "a, line 4", "a, line 4", "a, line 7",
    ]  # fmt: skip
    assert "'1)' closes entity 1" in told[0] and "'(7' opens a mention of entity 7" in told[-1]
    told = faults(conll(*["(0"] * 40))
    assert len(told) == 11 and told[-1] == "no more than 10 faults are told"


def test_an_unread_column_hides_what_may_follow(folder):
    (told,) = faults(conll("(0", "0)x"))
    assert "'0)x'" in told


def refused(*paths):
    with pytest.raises(CorefError) as error:
        evaluate(*paths)
    return str(error.value)


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.tsv", "a.conll"])
def test_a_pointer_of_git_lfs_by_any_name(name, folder):
    Path(name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    files = (name, name) if name == "a.conll" else (name,)
    assert "a Git LFS pointer, which stands for a file that is not here" in refused(*files)


def test_types_without_a_line_that_names_the_fields(folder):
    Path("a").write_text("# newdoc id = d\n1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(person-Ann)\n\n")
    told = refused("a", "a")
    assert "a, line 2" in told and "no entity id" in told and "named entities" in told
    assert "'# global.Entity = eid-etype-head-other'" in told


def test_names_that_differ_by_parentheses(folder):
    line = {"doc_key": "(d)", "tokens": ["w"], "clusters": [[[0, 0]]]}
    Path("plain").write_text(conll("(0)"))
    Path("double").write_text(conll("(0)", name="(d)"))
    Path("json").write_text(json.dumps(line))
    for files in (("plain", "double"), ("double", "plain"), ("plain", "json")):
        told = refused(*files)
        assert "differs by parentheses alone" in told and "--pairs" not in told, files
    told = refused({"d": "{a}", "e": "{b}"}, {"(d)": "{a}", "e": "{b}"})  # one name agrees
    assert "the other side has '(d)'" in told and "skip" not in told


def test_one_file_without_a_response(folder):
    Path("a").write_text(json.dumps({"doc_key": "d", "clusters": [[[0, 0]]]}))
    told = refused("a")
    assert "under `clusters`, those of a key, and none under predicted_clusters" in told
    assert "give the file of the response, too" in told and "expected one of" not in told


def test_a_mention_of_corefud_is_shown_in_words(folder):
    for name, marks in {"key": ("(e1)", "_"), "response": ("_", "(e1)")}.items():
        rows = "".join(
            f"{n}\tw\t_\t_\t_\t_\t0\t_\t_\t{'Entity=' * (mark != '_')}{mark}\n"
            for n, mark in enumerate(marks, 1)
        )
        Path(name).write_text(f"# global.Entity = eid\n# newdoc id = d\n{rows}\n")
    with pytest.warns(UserWarning, match="the key has '1' of sentence 1, the response '2' of"):
        evaluate("key", "response", "muc")
