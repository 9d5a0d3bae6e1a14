"""What `explain` says of Python's objects, tables, folders, pipes, and of one scorer alone.

If a test failed, what holds for two files would not for the other ways to give documents.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import types
from collections.abc import Sequence
from fractions import Fraction as F
from pathlib import Path
from threading import Thread

import pytest
from documents import conll
from untidy import TIDY, UNTIDY

import corefeval
from corefeval import CorefError, evaluate, explain, from_labels
from corefeval.cli import main
from corefeval.signature import parsed


def test_the_number_of_documents_too_many(files):
    """One is missing from either side: the reason counts that of the response alone."""
    key = conll("(0) (0)", "(0) (0)", names="dk")
    response = conll("(0) (0)", "(0) (0)", "(0) (0)", names="dxy")
    found = explain(*files(key, response), "muc")
    assert found.reasons["reference"]["muc"] == "leaves out 2 documents that the key lacks"


# Mappings and tables


def test_mappings_are_explained_as_files_are():
    key = {"d": [["a", "b"], ["c"], ["e"]]}
    found = explain(key, key, "ceafe")
    assert found.scores["e2e"]["ceafe"].exact.f1 == F(1, 2)
    assert found.reasons["e2e"]["ceafe"] == "leaves out the response's 2 singletons"
    response = {"d": [["a", "b"], ["b", "c"]], "x": [["q"]]}
    found = explain({**key, "y": "{q}"}, response, "muc")
    assert found.facts == [
        "the key: 2 documents, 5 mentions; it lacks 1 document, as 'x'",
        "the response: 2 documents, 4 mentions, 1 of them repeated; it lacks 1 document, as 'y'",
    ]


def test_a_table_of_labels_is_explained():
    t = from_labels([1, 1, 2, 3], [1, 1, 2, 3])
    for found in (explain(t, None, ["ceafe", "muc"]), explain(t, ["ceafe", "muc"])):
        assert found.scores["e2e"]["ceafe"].exact.f1 == F(1, 2)
        assert found.reasons["e2e"] == {"ceafe": "leaves out the response's 2 singletons"}


def test_a_table_file_is_explained(tmp_path, capsys):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    path = tmp_path / "t.csv"
    path.write_text("key,response\n1,1\n1,1\n2,2\n3,3\n")
    assert main(["explain", str(path), "--metric", "ceafe", "--scorer", "e2e"]) == 0
    assert "leaves out the response's 2 singletons: e2e\n" in capsys.readouterr().out


# One scorer


def test_one_scorer(files, capsys):
    key, response = files(conll("(0) (0)", "(0) (0)"), conll("(0) (0)", "(1) (1)"))
    assert main(["explain", key, response, "--scorer", "hf-coval", "--metric", "muc"]) == 0
    printed = capsys.readouterr().out
    summary, table, notes = printed.split("\n\n")
    assert " ".join(summary.split()) == (
        "hf_coval differs from ours on these files, over whether 2 documents are made one."
    )
    assert table == "             muc\nours      100.00\nhf_coval  −20.00"
    reason = "makes one of 2 documents, and one entity of those with the same number"
    assert f"{reason}: hf_coval" in " ".join(notes.split())
    found = explain(key, response, scorer=["hf_coval", "e2e"])
    assert [*found.scores] == ["hf_coval", "e2e"]


def test_a_scorer_without_measures_says_why():
    found = explain({"d": "{a b}"}, {"d": "{a b}"}, scorer="litbank")
    assert "recall and precision are exchanged" in found.unknown["litbank"]
    assert "recall and precision are exchanged" in str(found)
    assert "litbank" in found.to_dict()["unknown"]


def test_a_scorer_that_there_is_not():
    meant = {"e2": "e2e", "e2e-coref": "e2e", "corefud-scorer": "corefud_official"}
    for typed, name in meant.items():
        expected = f"'{typed}': no such scorer; did you mean {name}\\?$"
        with pytest.raises(CorefError, match=expected):
            explain({"d": "{a b}"}, {"d": "{a b}"}, scorer=typed)


def test_a_scorers_name_may_have_its_state():
    stated = parsed(evaluate({"d": "{a b}"}, {"d": "{a b}"}, "muc", like="coval").signature)["like"]
    assert stated == "coval@87071a6"
    assert [*explain({"d": "{a b}"}, {"d": "{a b}"}, scorer=stated).scores] == ["coval"]
    with pytest.raises(CorefError, match="'coval@1': only the state coval@87071a6 is known"):
        evaluate({"d": "{a b}"}, {"d": "{a b}"}, "muc", like="coval@1")


def test_a_convention_that_cannot_be_chosen():
    with pytest.raises(CorefError, match="'zero' cannot be chosen here; expected match or offsets"):
        explain({"d": "{a b}"}, {"d": "{a b}"}, zero="one")


def test_explain_stays_a_function_whatever_is_imported():
    source = (
        "import corefeval; import corefeval.analysis.explain, corefeval.cli; "
        "print(type(corefeval.explain).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout == "function\n"
    assert isinstance(corefeval.explain, types.FunctionType)


# Pipes


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("place", [0, 1])
def test_a_pipe_is_explained_as_a_file(place, tmp_path):
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text(UNTIDY["comment"][0](TIDY))
    paths, others = [file, file], [file, file]
    paths[place] = pipe
    writer = Thread(target=pipe.write_text, args=(file.read_text(),), daemon=True)
    writer.start()
    found, expected = explain(*paths), explain(*others)
    assert found.scores == expected.scores and found.reasons == expected.reasons
    assert {each.line for each in found.strange} == {each.line for each in expected.strange} == {3}


# Folders, patterns and compressed files


def _in_folders(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Untidy documents, a file each in two folders, and the same in two files."""
    key = {
        name: f"#begin document ({name}); part 000\n# a comment\nw\t(0)\nw\t(1\n\nw\t1)|(0)\n"
        "#end document\n"
        for name in names
    }
    response = {name: text.replace("\n\n", "\n").replace("(1\n", "(0)\n").replace("1)|", "")
                for name, text in key.items()}  # fmt: skip
    for side, texts in (("key", key), ("response", response)):
        Path(side).mkdir()
        for name, text in texts.items():
            Path(side, f"{name}.conll").write_text(text, encoding="utf-8")
        Path(f"{side}.conll").write_text("".join(texts.values()), encoding="utf-8")
    return ["key", "response"], ["key.conll", "response.conll"]


def test_folders_are_explained_as_the_one_file(folder):
    """Every score and reason, of scorers that read lines by rules of their own, too."""
    folders, two = _in_folders(["a", "b", "c"])
    whole, found = explain(*two), explain(*folders)
    told = [(each.scores, each.reasons, each.failures, {*each.unknown}) for each in (whole, found)]
    assert told[0] == told[1]
    cut = [each for each in found.strange if each.kind == "sentence"]
    assert [each.file for each in cut] == [f"response/{name}.conll" for name in "abc"]
    patterns = explain("key/*.conll", "response/?.conll")
    assert (patterns.scores, patterns.strange[:3]) == (found.scores, found.strange[:3])
    for file in two:
        Path(f"{file}.gz").write_bytes(gzip.compress(Path(file).read_bytes()))
    packed = explain(*(f"{file}.gz" for file in two))
    assert (packed.scores, packed.reasons) == (whole.scores, whole.reasons)
    assert "key/a.conll, line 2: " in found.unknown["coval"]
    with pytest.raises(CorefError, match=r"like='coval': .*: key/a\.conll, line 2: "):
        evaluate(*folders, "muc", like="coval")


def test_files_are_warned_of_once(files, recwarn):
    """A mention of the response is given twice, and so the files are looked at twice."""
    explain(*files(conll("(0) (0)"), conll("(0) (0)|(1)").replace("\tw\t", "\tother\t")), "muc")
    (warned,) = [str(each.message) for each in recwarn]
    assert "words differ" in warned and "document 'd; part 000'" in warned
