"""What systems write is read as it is: their keys, no names, one name in two ways, two formats."""

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from documents import EXCLUSIVE, INCLUSIVE, TEXT, WORDS, WRITTEN
from rows import every_row

from corefeval import CorefError, Partition, evaluate
from corefeval.cli import main
from corefeval.conventions import Conventions
from corefeval.readers import jsonlines, read_pair
from corefeval.readers.files import files_in

pytestmark = pytest.mark.usefixtures("folder")

ROOT = Path(__file__).parents[3]
ENTITIES = Partition([[(0, 0), (2, 2), (7, 7)], [(2, 3), (5, 5)]])
"""Ann, her, Ann; her cat, It."""
INCLUSIVE_TUPLES = [[(0, 0), (2, 2), (7, 7)], [(2, 3), (5, 5)]]
CHARACTERS = [[[0, 3], [9, 12], [27, 30]], [[9, 16], [19, 21]]]
KEY = {"doc_key": "d", "tokens": WORDS, "clusters": INCLUSIVE}


def write(name: str, *documents: Any) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    return name


def read(*documents: Any, **chosen: str) -> list[dict[str, Any]]:
    """Both sides of a key and a response of one document, or of lists of them."""
    sides = [each if isinstance(each, list) else [each] for each in documents]
    key, response = (write(name, *side) for name, side in zip("kr", sides, strict=True))
    return list(read_pair(key, response, Conventions(**chosen)))


def refusal(*documents: Any, **chosen: str) -> str:
    with pytest.raises(CorefError) as raised:
        read(*documents, **chosen)
    return str(raised.value)


@pytest.mark.parametrize("system", WRITTEN)
def test_what_systems_write_is_read_as_it_is(system):
    written = WRITTEN[system]
    key, expected = KEY, ENTITIES
    if system == "fastcoref":
        key = {"doc_key": "d", "text": TEXT, "clusters": CHARACTERS}
        expected = Partition([[(a, b - 1) for a, b in entity] for entity in CHARACTERS])
    assert read(key, written) == [{"d": expected}] * 2
    if system != "e2e-coref":  # whose `clusters` are those of a key
        assert [[*side.values()] for side in read(written, key)] == [[expected]] * 2


@pytest.mark.parametrize("system", [name for name in WRITTEN if name != "fastcoref"])
def test_what_systems_write_meets_conll_2012_keys(system):
    cells = ["(0)", "-", "(0)|(1", "1)", "-", "(1)", "-", "(0)", "-"]
    lines = [f"d\t0\t0\t{word}\t{cell}" for word, cell in zip(WORDS, cells, strict=True)]
    text = ["#begin document (d); part 000", *lines, "#end document"]
    Path("k").write_text("\n".join(text), encoding="utf-8")
    write("r", WRITTEN[system])
    assert list(read_pair("k", "r", Conventions())) == [{"d; part 000": ENTITIES}] * 2


def test_documents_that_follow_one_another_in_a_line():
    """As predict.py of Stanza writes them."""
    documents = [KEY, KEY | {"doc_key": "e"}]
    Path("r").write_text("".join(map(json.dumps, documents)), encoding="utf-8")
    assert list(read_pair("r", "r", Conventions())) == read(documents, documents)


def test_wl_coref_leaves_both_sides_in_a_document():
    """As predict.py writes them where the input has `clusters`; each side is its own."""
    both = WRITTEN["wl-coref"] | {"part_id": 0, "clusters": EXCLUSIVE[:1]}
    right = [{"d_0": Partition(INCLUSIVE_TUPLES[:1])}, {"d_0": ENTITIES}]
    assert read(both, both) == right
    assert list(read_pair("k", None, Conventions())) == right
    assert read(KEY, both)[1] == {"d": ENTITIES} and read(both, KEY)[0] == right[0]
    # Without word_clusters it is not wl-coref's: which of the two is meant is not known.
    doubtful = {name: both[name] for name in both if name != "word_clusters"}
    assert "entities under `clusters` and `span_clusters`; expected one" in refusal(KEY, doubtful)


def test_documents_without_names_are_paired_by_order():
    other = ["He", "saw", "him", "."]
    unnamed = [
        {"document": WORDS, "predicted_antecedents": [], "clusters": INCLUSIVE},
        {"document": other, "predicted_antecedents": [], "clusters": [[[0, 0], [2, 2]]]},
    ]
    named = [KEY, {"doc_key": "e", "tokens": other, "clusters": [[[0, 0], [2, 2]]]}]
    right = {"d": ENTITIES, "e": Partition([[(0, 0), (2, 2)]])}
    assert read(named, unnamed) == [right, right] == read(unnamed, named)
    both = dict(zip("12", right.values(), strict=True))
    assert read(unnamed, unnamed) == [both, both]
    assert "pairs=order" in evaluate("k", "r", "muc").signature
    write("k", *named)
    write("r", *(each | {"doc_key": name} for name, each in zip("de", unnamed, strict=True)))
    assert "pairs=found" in evaluate("k", "r", "muc").signature
    assert "pairs=order" in evaluate("k", "r", "muc", pairs="order").signature
    # The second document of each side is the first of the other.
    told = refusal(named, unnamed[::-1])
    for part in ("r, line 1", "k, line 1: document 'd'", "doc_key", "--pairs order"):
        assert part in told
    assert "k has 2 documents and r 1" in refusal(named, unnamed[:1])
    assert "k has 1 documents and r 2" in refusal(named[:1], unnamed)


def test_order_without_words_has_to_be_chosen():
    ours, theirs = {"doc_key": "d", "clusters": INCLUSIVE}, {"clusters": INCLUSIVE}
    told = refusal(ours, theirs)
    assert "r, line 1" in told and "no words" in told and "--pairs order" in told
    assert read(ours, theirs, pairs="order") == [{"d": ENTITIES}] * 2
    renamed = ours | {"doc_key": "other"}
    assert read(ours, renamed, pairs="order") == [{"d": ENTITIES}] * 2
    told = refusal(KEY, WRITTEN["fastcoref"])
    assert "r, line 1" in told and "k, line 1" in told and "difflib" in told
    assert "--pairs" not in told, "characters are no tokens in any order"


def test_a_blank_after_characters_proves_exclusive_ends():
    key = {"doc_key": "d", "text": TEXT, "clusters": CHARACTERS}
    assert read(key, key)[0]["d"].sizes == [3, 2]
    inclusive = [[[a, b - 1] for a, b in entity] for entity in CHARACTERS]
    assert "pass --offsets" in refusal(key | {"clusters": inclusive}, key)


def test_a_part_on_one_side_is_doubtful():
    part = KEY | {"part_id": 3}
    for key, response in ((part, KEY), (KEY, part), ([part, KEY | {"part_id": 4}], KEY)):
        told = refusal(key, response)
        assert re.search("'d_[34]'", told) and "'d'" in told
    zero = KEY | {"part_id": 0}
    assert read(zero, KEY) == [{"d_0": ENTITIES}] * 2
    assert read(KEY, zero) == [{"d": ENTITIES}] * 2


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_lists_of_documents_and_documents_over_several_lines(indent):
    documents = [KEY, KEY | {"doc_key": "e"}]
    lines = read(documents, documents)
    Path("list.json").write_text(json.dumps(documents, indent=indent), encoding="utf-8")
    assert list(read_pair("list.json", "r", Conventions())) == lines
    texts = [json.dumps(each, indent=indent) for each in documents]
    Path("spread.json").write_text("\n".join(texts), encoding="utf-8")
    assert list(read_pair("spread.json", "list.json", Conventions())) == lines


CONLL = "#begin document ({0}); part 000\nAnn\t(0)\nsees\t-\nher\t(0)\n#end document\n"
CONLLU = (
    "# newdoc id = {0}\n# global.Entity = eid-etype-head\n"
    "1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1)\n\n"
)
LINE = '{{"doc_key": "{0}", "clusters": [[[0, 0], [2, 2]]]}}\n'


@pytest.mark.parametrize("text", [CONLL, CONLLU, LINE], ids=["CoNLL-2012", "CorefUD", "JSON lines"])
def test_folders_and_patterns_score_as_the_one_file(text):
    for side in ("keys", "responses"):
        Path(side).mkdir()
        for name in "abc":
            Path(side, f"{name}.txt").write_text(text.format(name), encoding="utf-8")
        Path(side, ".hidden").write_text("no document", encoding="utf-8")
    Path("one.txt").write_text("".join(map(text.format, "abc")), encoding="utf-8")
    Path("one.gz").write_bytes(gzip.compress(Path("one.txt").read_bytes()))
    whole = evaluate("one.txt", "one.txt")
    for sides in (
        ("keys", "responses"),
        ("keys/*.txt", "responses/?.txt"),
        ("keys", "one.txt"),
        ("one.gz", "keys"),
    ):
        found = evaluate(*sides)
        assert (found.total, found.documents) == (whole.total, whole.documents)
    Path("responses/c.txt").unlink()
    with pytest.raises(CorefError, match=r"keys/c.txt, line 1: document 'c.*' is not in responses"):
        evaluate("keys", "responses")
    Path("keys/d.txt").write_text(text.format("a"), encoding="utf-8")
    with pytest.raises(CorefError, match=r"keys/d.txt, line 1: document 'a.* keys/a.txt, line 1"):
        evaluate("keys", "one.txt")
    Path("empty").mkdir()
    with pytest.raises(CorefError, match="empty: there is no file in it; expected a file, a fold"):
        evaluate("empty", "one.txt")


@every_row(
    "text, entities, faulty",
    [
        pytest.param(CONLLU, "(e1--1)", "e1)", id="CorefUD"),
        pytest.param(CONLLU, "(e1--1)", "(e1--1)(e2--1)", id="CorefUD, twice"),
        pytest.param(LINE, "[[[0, 0], [2, 2]]]", "5", id="JSON lines"),
        pytest.param(LINE, "[[[0, 0], [2, 2]]]", "[[[0, 0]], [[0, 0]]]", id="JSON lines, twice"),
    ],
)
def test_all_faulty_files_of_a_folder_are_told(text, entities, faulty):
    for side, wrong in (("keys", "ad"), ("responses", "")):
        Path(side).mkdir(exist_ok=True)
        for name in "abcd":
            given = faulty if name in wrong else entities
            Path(side, name).write_text(text.format(name).replace(entities, given))
    with pytest.raises(CorefError) as raised:
        evaluate("keys", "responses", offsets="found" if text == CONLLU else "inclusive")
    lines = str(raised.value).splitlines()
    assert [line.partition(",")[0] for line in lines] == ["keys/a", "keys/d"]


def test_a_folder_that_contains_itself_is_refused():
    """Two links would be followed without end."""
    folder = Path("one", "deep")
    folder.mkdir(parents=True)
    Path("one", "a.conll").write_text("#begin document a\n#end document\n", encoding="utf-8")
    for name in ("there", "back"):
        folder.joinpath(name).symlink_to("..", target_is_directory=True)
    for path in ("one", "one/**", "**/*.conll"):
        with pytest.raises(CorefError, match=r"one/deep/back is a link to a folder that it is in"):
            files_in(path)
    for name in ("there", "back"):
        folder.joinpath(name).unlink()
    folder.joinpath("twice").symlink_to(Path("..", ".."), target_is_directory=True)
    with pytest.raises(CorefError, match=r"deep/twice(/one)? is a link"):
        files_in("one")
    folder.joinpath("twice").unlink()
    Path("two").mkdir()
    Path("two", "linked").symlink_to(Path("..", "one"), target_is_directory=True)
    assert files_in("two") == [str(Path("two", "linked", "a.conll"))]


def test_what_a_folder_hides_is_refused():
    """Data that are kept elsewhere leave links without content: documents would be missing."""
    Path("one").mkdir()
    Path("one", "a.conll").write_text("#begin document a\n#end document\n", encoding="utf-8")
    Path("one", "b.conll").symlink_to("elsewhere")
    for path in ("one", "one/*.conll"):
        with pytest.raises(CorefError, match=r"one/b\.conll: a link that leads nowhere: .*no such"):
            evaluate(path, path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_a_forbidden_folder_is_refused():
    folder = Path("one", "two")
    folder.mkdir(parents=True)
    folder.joinpath("a.conll").write_text("#begin document a\n#end document\n", encoding="utf-8")
    folder.chmod(0o744)
    with pytest.raises(CorefError, match=r"a\.conll: cannot read it: permission denied"):
        evaluate("one", "one")
    folder.chmod(0o755)


def test_bytes_behind_what_gzip_compressed_are_told():
    Path("a.gz").write_bytes(gzip.compress(b"#begin document a\n#end document\n") + b"garbage")
    with pytest.raises(CorefError, match=r"a\.gz: there is something else after the end"):
        evaluate("a.gz", "a.gz")


def test_the_files_of_a_folder_have_one_format():
    Path("keys").mkdir()
    Path("keys/a").write_text(CONLL.format("a"), encoding="utf-8")
    Path("keys/b").write_text(LINE.format("b"), encoding="utf-8")
    with pytest.raises(CorefError, match="keys/a is one of CoNLL-2012 and keys/b is one of JSON"):
        evaluate("keys", "keys")


def test_mentions_as_lists_or_arrays_become_tuples():
    right = Partition([[(0, 5), (39, 42)], [(7, 7)]])
    assert Partition([[[0, 5], [39, 42]], [[7, 7]]]) == right
    assert Partition([np.array([[0, 5], [39, 42]]), np.array([[7, 7]])]) == right
    assert Partition([[[0, 5], [39, 42]], [(7, 7)]]) == right
    # The depth is what it is: two entities of two numbers each.
    assert Partition([[0, 5], [39, 42]]).sizes == [2, 2]
    assert Partition(np.array([[0, 5], [39, 42]])).sizes == [2, 2]
    for deep in ([[[0, [1]]]], [[[]], [[]]]), np.array([[[[0]]]]):
        with pytest.raises(CorefError):
            Partition(deep)


def test_systems_paired_in_two_ways_are_compared(capsys):
    """One by name, one by order: the signature says so, whichever comes first."""
    other = {"tokens": ["He"], "clusters": [[[0, 0]]]}
    documents = [{"tokens": WORDS, "clusters": INCLUSIVE}, other]
    names = [{"doc_key": name, **each} for name, each in zip("de", documents, strict=True)]
    worse = [{**each, "clusters": []} for each in documents]
    key, by_name, by_order = write("k", *names), write("n", *names), write("o", *worse)
    for systems in ([by_name, by_order], [by_order, by_name], [by_order, by_name, key]):
        assert main(["compare", key, *systems, "--metric", "muc"]) == 0
        printed = capsys.readouterr().out
        assert " pairs=order " in printed and " 100.00" in printed and " 0.00" in printed
    unnamed = write("u", *documents)
    assert main(["compare", unnamed, by_name, by_order, "--metric", "muc"]) == 2
    assert (
        "is not in both reports, with the same key; documents that are paired by their order have "
        "the names of the response if the key has none: name those of the key"
    ) in capsys.readouterr().err


def test_the_table_of_formats_names_what_is_read():
    """Every key that is read, and every system whose files are read here."""
    page = (ROOT / "book" / "recipes.md").read_text(encoding="utf-8")
    table = page.partition("## Which formats are read\n")[2].partition("\n## ")[0]
    assert all(f"`{key}`" in table for key in (*jsonlines.MEANINGS, jsonlines.PREDICTED))
    systems = {name.partition(" of ")[0].partition(",")[0] for name in WRITTEN}
    assert len(systems) == 7 and all(name in table for name in systems)
