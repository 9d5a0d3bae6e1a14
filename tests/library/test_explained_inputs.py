"""What `explain` says of responses that share nothing, of Python's objects, tables and pipes.

If a test failed, the commonest mistakes (other offsets, other documents) would be "nothing to
mend", or a large input would never be answered.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import types
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import pytest
from test_explain import F, conll
from test_readings import TIDY, UNTIDY, files  # noqa: F401  (a fixture)

import corefeval
from corefeval import CorefError, evaluate, explain, from_labels
from corefeval.analysis.explanation import as_json, as_text
from corefeval.cli import main
from corefeval.scorers import inputs
from corefeval.signature import parsed


def kinds(found):
    return {fault.kind: fault.what for fault in found.faults}


# Nothing in common


def test_nothing_in_common_is_a_fault():
    found = explain({"d": [["1", "2"]], "e": [["3"]]}, {"d": [[1, 2]], "e": []}, "muc")
    (what,) = kinds(found).values()
    assert what.startswith("the key and the response share no mention: the key has '1', the respo")
    assert "nothing to mend" not in as_text(found, None, 80)
    shared = explain({"d": [["1", "2"]]}, {"d": [["1", 2]]}, "muc")
    assert shared.faults == []


@pytest.mark.parametrize("sides", [("{a b}", ""), ("", "{a b}"), ("", "")])
def test_a_side_without_mentions_is_no_such_fault(sides):
    key, response = sides
    assert explain({"d": key}, {"d": response}, "muc").faults == []


SPANS = [[(3 * i, 3 * i + 1)] for i in range(31)]


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ((1, 1), "one token further left"),
        ((-1, -1), "one token further right"),
        ((0, 1), "that end one token earlier"),
        ((0, -1), "that end one token later"),
        ((1, 0), "that begin one token earlier"),
        ((-1, 0), "that begin one token later"),
    ],
)
def test_a_response_that_is_moved(move, says):
    """31 key mentions, of which all are moved, and one that is nowhere near."""
    moved = [[(first + move[0], last + move[1])] for ((first, last),) in SPANS]
    found = explain({"d": SPANS}, {"d": [*moved, [(500, 507)]]}, "muc")
    assert kinds(found)["shifted"] == f"31 of 32 response mentions are key mentions {says}"


def test_a_response_that_shares_most_mentions_is_not_moved():
    found = explain({"d": SPANS}, {"d": [*SPANS[:20], [(500, 507)]]}, "muc")
    assert found.faults == []


def test_half_of_the_mentions_do_not_say_that_all_are_moved():
    moved = [[(first + 1, last + 1)] for ((first, last),) in SPANS[:10]]
    far = [[(500 + i, 507 + i)] for i in range(10)]
    found = explain({"d": SPANS}, {"d": moved + far}, "muc")
    assert "shifted" not in kinds(found)
    found = explain({"d": SPANS}, {"d": moved + far[1:]}, "muc")
    assert kinds(found)["shifted"].startswith("10 of 19 response mentions")


@pytest.mark.parametrize(("step", "where"), [(1, "after"), (-1, "before")])
def test_contents_that_stand_in_the_next_document(step, where):
    sides = [[(7 * n + i, 7 * n + i)] for i in range(3) for n in range(4)]
    contents = [sides[n::4] for n in range(4)]
    key = dict(zip("abcd", contents, strict=True))
    response = dict(zip("abcd", contents[step:] + contents[:step], strict=True))
    found = explain(key, response, "muc")
    what = f"12 of 12 response mentions are mentions of the key's document {where} theirs"
    assert kinds(found)["shifted"] == what


def test_the_number_of_documents_too_many(files):  # noqa: F811
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
    assert [fault[:2] for fault in found.faults] == [
        ("missing", "key"), ("missing", "response"), ("repeated", "response")
    ]  # fmt: skip
    assert found.faults[2].what == "document 'd': mention b is in entities 1, 2"


def test_a_table_of_labels_is_explained():
    t = from_labels([1, 1, 2, 3], [1, 1, 2, 3])
    found = explain(t, None, ["ceafe", "muc"])
    assert found.scores["e2e"]["ceafe"].exact.f1 == F(1, 2)
    assert found.reasons["e2e"] == {"ceafe": "leaves out the response's 2 singletons"}
    assert explain(from_labels([1, None], [None, 1])).faults[0].kind == "nothing"


def test_a_table_file_is_explained(tmp_path, capsys):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    path = tmp_path / "t.csv"
    path.write_text("key,response\n1,1\n1,1\n2,2\n3,3\n")
    assert main(["explain", str(path), "--metric", "ceafe", "--scorer", "e2e"]) == 0
    assert "leaves out the response's 2 singletons:\n  e2e: " in capsys.readouterr().out


# One scorer


def test_one_scorer(files, capsys):  # noqa: F811
    key, response = files(conll("(0) (0)", "(0) (0)"), conll("(0) (0)", "(1) (1)"))
    assert main(["explain", key, response, "--scorer", "hf-coval", "--metric", "muc"]) == 0
    assert capsys.readouterr().out == (
        "                     muc\n"
        "ours              100.00\n"
        "hf_coval@a7dd338  −20.00\n"
        "points above or below ours; · as ours; blank: the scorer has not this measure\n"
        "\n"
        "makes one of 2 documents, and one entity of those with the same number:\n"
        "  hf_coval: muc\n"
        "\n"
        "in the files:\n"
        "  nothing to mend\n"
    )
    found = explain(key, response, scorer=["hf_coval", "e2e"])
    assert [*found.scores] == ["hf_coval", "e2e"]


def test_a_scorer_without_measures_says_why():
    found = explain({"d": "{a b}"}, {"d": "{a b}"}, scorer="litbank")
    assert "recall and precision are exchanged" in found.unknown["litbank"]
    assert "not reproduced:\n" in as_text(found, None, 80)
    assert "litbank" in as_json(found, None)["unknown"]


def test_a_scorer_that_there_is_not():
    meant = {"e2": "e2e", "e2e-coref": "e2e", "corefud-scorer": "corefud_official"}
    for typed, name in meant.items():
        expected = f"'{typed}': no such scorer; did you mean {name}\\?$"
        with pytest.raises(CorefError, match=expected):
            explain({"d": "{a b}"}, {"d": "{a b}"}, scorer=typed)


def test_a_name_may_have_its_state_as_signatures_do():
    stated = parsed(evaluate({"d": "{a b}"}, {"d": "{a b}"}, "muc", like="coval").signature)["like"]
    assert stated == "coval@87071a6"
    assert [*explain({"d": "{a b}"}, {"d": "{a b}"}, scorer=stated).scores] == ["coval"]
    with pytest.raises(CorefError, match="'coval@1': only the state coval@87071a6 is known"):
        evaluate({"d": "{a b}"}, {"d": "{a b}"}, "muc", like="coval@1")


def test_a_convention_that_cannot_be_chosen():
    with pytest.raises(CorefError, match="'zero' cannot be chosen here; expected match or offsets"):
        explain({"d": "{a b}"}, {"d": "{a b}"}, zero="one")


def test_explain_is_a_function_of_the_package_whatever_is_imported():
    source = (
        "import corefeval; import corefeval.analysis.explain, corefeval.cli; "
        "print(type(corefeval.explain).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout == "function\n"
    assert isinstance(corefeval.explain, types.FunctionType)


# Pipes, and what would take too long


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("place", [0, 1])
def test_a_pipe_is_read_once_and_explained_as_a_file(place, tmp_path):
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text(UNTIDY["comment"][0](TIDY))
    paths, others = [file, file], [file, file]
    paths[place] = pipe
    writer = Thread(target=pipe.write_text, args=(file.read_text(),), daemon=True)
    writer.start()
    found, expected = explain(*paths), explain(*others)
    assert found.scores == expected.scores and found.reasons == expected.reasons
    assert {fault.kind for fault in found.faults} == {"comment"}


def in_entities(number):
    return {"d": [["a", f"m{i}"] for i in range(number)]}


def test_a_mention_in_very_many_entities_is_not_scored_by_all_pairs():
    """(n − 1)² pairs: 101 entities make 10,000, 102 make 10,201."""
    assert inputs.MOST_REPEATED == 10_000
    found = explain(in_entities(101), in_entities(101), "muc", scorer=["coval", "neleval"])
    assert [*found.scores] == ["coval", "neleval"]
    found = explain(in_entities(102), in_entities(102), "muc", scorer=["coval", "neleval"])
    assert [*found.scores] == ["neleval"]
    assert found.unknown["coval"] == (
        "mentions that both sides repeat make 10201 more pairs of entities"
    )


def test_what_only_one_side_repeats_is_scored():
    found = explain(in_entities(300), {"d": [["a"]]}, "muc", scorer="coval")
    assert "coval" in found.scores


def steps(run):
    """How many lines of the wing's own code are run."""
    counted = Counter()
    folder = str(Path(inputs.__file__).parent)

    def trace(frame, event, argument):
        if not frame.f_code.co_filename.startswith(folder):
            return None
        counted["lines"] += event == "line"
        return trace

    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(None)
    return counted["lines"]


def test_steps_grow_with_what_is_read(files):  # noqa: F811
    """Four times as many repeats of one mention, or tokens, or documents: about four times."""
    cases = [
        lambda n: conll("|".join(f"({i})" for i in range(n)) + " -"),
        lambda n: conll(" ".join(["(0)", "-", "/"] * n)),
        lambda n: "".join(
            f"#begin document ({i})\n# a\na\t(0)\nb\t(0)\n#end document\n" for i in range(n)
        ),
    ]
    for case in cases:
        numbers = []
        for n in (150, 600):
            key, response = files(case(n), case(n))
            numbers.append(steps(lambda: explain(key, response, "mentions")))  # noqa: B023
        assert numbers[1] < 6 * numbers[0], numbers


def test_json_has_what_it_had(files, capsys):  # noqa: F811
    key, response = files(conll("(0) (0)"), conll("(0) (0)"))
    main(["explain", key, response, "--format", "json"])
    assert {*json.loads(capsys.readouterr().out)} == {
        "ours", "refused", "scorers", "not_reproduced", "failures", "unknown", "faults",
        "hits", "truncations", "near", "states",
    }  # fmt: skip


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
    assert (found.scores, found.reasons, found.failures) == (
        whole.scores,
        whole.reasons,
        whole.failures,
    )
    assert {fault.kind for fault in found.faults} == {"comment", "sentence"}
    assert [fault.kind for fault in found.faults] == [fault.kind for fault in whole.faults]
    assert [str(fault) for fault in found.faults if fault.kind == "sentence"] == [
        f"response/{name}.conll, line 5: document '{name}; part 000': no sentence begins here, "
        f"unlike key/{name}.conll, line 6"
        for name in "abc"
    ]
    patterns = explain("key/*.conll", "response/?.conll")
    assert (patterns.scores, patterns.faults) == (found.scores, found.faults)
    for file in two:
        Path(f"{file}.gz").write_bytes(gzip.compress(Path(file).read_bytes()))
    packed = explain(*(f"{file}.gz" for file in two))
    assert (packed.scores, packed.reasons) == (whole.scores, whole.reasons)
    assert found.unknown["coval"] == "takes comments for tokens: key/a.conll, line 2 and 5 more"
    with pytest.raises(CorefError, match=r"like='coval': .*: key/a\.conll, line 2: .*; and 6 more"):
        evaluate(*folders, "muc", like="coval")


def test_faults_in_a_folder_name_its_files(folder):
    folders, _ = _in_folders(["a", "b"])
    path = Path("response/b.conll")
    path.write_text(path.read_text().replace("w\t(0)", "w\t(0)|(7)", 1), encoding="utf-8")
    Path("response/c.conll").write_text(Path("response/a.conll").read_text(), encoding="utf-8")
    found = {str(fault) for fault in explain(*folders, "muc").faults}
    assert {
        "response/b.conll, line 3: document 'b; part 000': mention (0, 0) is in entities 0, 7",
        "response/c.conll, line 1: document 'a; part 000': begins in response/a.conll, line 1, too"
        "; the last counts",
    } <= found
