"""Files of JSON lines, beside jsonlines.cases: which entities are a response's, what goes together.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which document to mend.
"""

from __future__ import annotations

import gc
import json
import os
import random
import re
import subprocess
import sys
import threading
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from documents import EXCLUSIVE, INCLUSIVE, TEXT, WORDS, WRITTEN
from mutations import accepted
from rows import every_row

from corefeval import CorefError, Partition, evaluate
from corefeval.conventions import Conventions
from corefeval.readers import read_pair
from corefeval.readers.files import format_of, held
from corefeval.readers.jsonlines import MEANINGS, PREDICTED, _unique

pytestmark = pytest.mark.usefixtures("folder")

SENTENCES = [WORDS[:5], WORDS[5:]]
ENTITIES = [[(0, 0), (2, 2), (7, 7)], [(2, 3), (5, 5)]]
"""Ann, her, Ann; her cat, It."""
PIECED = "[CLS] Ann see ##s her ca ##t . It see ##s Ann . [SEP]"
PIECES = PIECED.split()
MAP = [0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8]


def write(name: str, *documents: Any) -> str:
    """A file with these documents, or these lines."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in documents]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return name


def pair(key: Any, response: Any) -> list[str]:
    """Two files of one document, or of a list of documents."""
    return [
        write(name, *(content if isinstance(content, list) else [content]))
        for name, content in (("key.jsonl", key), ("response.jsonl", response))
    ]


def read(key: Any, response: Any, **chosen: str) -> list[dict[str, Any]]:
    """Both sides of two such files."""
    return list(read_pair(*pair(key, response), Conventions(**chosen)))


def one(content: Any, **chosen: str) -> Any:
    """The entities of a file's only document, read as a key and as a response to itself."""
    (key,), (response,) = (side.values() for side in read(content, content, **chosen))
    assert list(map(sorted, key)) == list(map(sorted, response))
    return key


def refusal(key: Any, response: Any = None, **chosen: str) -> str:
    """The message with which a key, and a response if there is another, are refused."""
    return refusal_of_files(*pair(key, key if response is None else response), **chosen)


def refusal_of_files(key: str, response: str | None, **chosen: str) -> str:
    with pytest.raises(CorefError) as raised:
        read_pair(key, response, Conventions(**chosen))
    return str(raised.value)


def assert_names(message: str, *parts: str) -> None:
    """A message names all of these."""
    assert not [part for part in parts if part not in message], message


def document(**more: Any) -> dict[str, Any]:
    """A document as e2e-coref writes it."""
    return {"doc_key": "d", "sentences": SENTENCES, "clusters": INCLUSIVE} | more


def both_refusal(key: Any, response: Any) -> str:
    """The message about a response."""
    message = refusal(key, response)
    assert message.startswith("response.jsonl, line 1: document 'd': "), message
    return message


# Every writer's shape

SHAPES = {
    "s2e, no text": {"doc_key": "d", "clusters": INCLUSIVE},
    "wl-coref, made from OntoNotes": {
        "document_id": "d", "cased_words": WORDS, "sent_id": [0] * 9, "clusters": EXCLUSIVE,
    },
    "triples under another key": {
        "doc_key": "d", "sentences": SENTENCES,
        "clusters": [[[0, 0, 1], [0, 2, 3], [1, 2, 3]], [[0, 2, 4], [1, 0, 1]]],
    },
    "word pieces with a map": {
        "doc_key": "d", "sentences": [PIECES[:8], PIECES[8:]], "subtoken_map": MAP,
        "sentence_map": [0] * 14, "clusters": [[[1, 1], [4, 4], [11, 11]], [[4, 6], [8, 8]]],
    },
    "word pieces by their numbers": {
        "doc_key": "d", "sentences": [[*range(14)]], "subtoken_map": [None, *MAP[1:-1], None],
        "clusters": [[[1, 1], [4, 4], [11, 11]], [[4, 6], [8, 8]]],
    },
}  # fmt: skip


CHARACTERS = [[(0, 2), (9, 11), (27, 29)], [(9, 15), (19, 20)]]
STRINGS = [["Ann", "her", "Ann"], ["her cat", "It"]]


def test_characters_without_tokens():
    shape = {"doc_key": "d", "text": TEXT, "clusters_char_offsets": CHARACTERS}
    assert one(shape) == Partition(CHARACTERS)


def test_texts_beside_tokens_make_no_ends_exclusive():
    assert one(document(clusters_strings=STRINGS)) == Partition(ENTITIES)


def test_the_examples_are_the_text():
    assert [[TEXT[b : e + 1] for b, e in entity] for entity in CHARACTERS] == STRINGS
    assert [[" ".join(WORDS[b : e + 1]) for b, e in entity] for entity in ENTITIES] == STRINGS


# Key and response


def test_a_file_given_twice_is_scored_against_itself():
    path = write("key.jsonl", document())
    assert read_pair(path, path, Conventions()) == ({"d": Partition(ENTITIES)},) * 2
    assert_names(refusal_of_files(path, None), "line 1: document 'd'", "predicted_clusters")


def test_a_response_is_what_was_predicted():
    key, response = read(document(), document(clusters=[[[1, 1]]], predicted_clusters=INCLUSIVE))
    assert key == response


PREDICTIONS = [[[0, 0], [3, 3]]]


def test_what_scorch_writes_is_read(tmp_path):
    """Entities by name, mentions as texts: one document beside one, without words or names."""
    key = {"type": "clusters", "clusters": {"0": ["32-34", "81-81", "90-90"], "1": ["7-7"]}}
    response = {"type": "clusters", "clusters": {"x": ["32-34", "81-81"], "y": ["7-7", "8-8"]}}
    paths = [tmp_path / name for name in ("key.json", "response.json")]
    for path, content in zip(paths, (key, response), strict=True):
        path.write_text(json.dumps(content, indent=4))
    assert str(evaluate(*paths, "muc")["muc"]) == "recall 1/2, precision 1/2, f1 1/2"
    assert evaluate(*paths, "muc", like="scorch_cli")["muc"].exact.f1 == Fraction(1, 2)
    paths[0].write_text(2 * (json.dumps(key) + "\n"))
    paths[1].write_text(2 * (json.dumps(response) + "\n"))
    with pytest.raises(CorefError, match=r"names .* on both sides, or choose --pairs order"):
        evaluate(*paths, "muc")
    paths[0].write_text(json.dumps({"clusters": {"0": ["1-2", 7]}}))
    with pytest.raises(CorefError, match="line 1: entity 0 of `clusters` has 7; expected a list"):
        evaluate(paths[0], paths[0], "muc")


def test_an_empty_mention_among_exclusive_ends_is_told():
    """It seems to prove that all ends are inclusive: nearly all mentions would be missed."""
    key = {"doc_key": "d", "clusters": [[[n, n] for n in range(9)]]}
    response = {"doc_key": "d", "clusters": [[*([n, n + 1] for n in range(9)), [2, 2]]]}
    told = (
        r"d': mention \[2, 2\] would be empty if ends were exclusive, and few others .* 1 mentions "
        r"are those of the other side; with exclusive ends 9 would be\. Is this mention a fault"
    )
    for one, other in ((key, response), (response, key)):
        with pytest.warns(UserWarning, match=told):
            read(one, other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(response, response)
        read({"doc_key": "d", "clusters": [[[n, n + 1] for n in range(9)], [[9, 9]]]}, response)


def test_mentions_of_unknown_unit_beside_characters_are_refused():
    silent = {"doc_key": "d", "clusters": [[[0, 0], [4, 4]]]}
    text = {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3], [9, 12]]]}
    without = {"doc_key": "d", "clusters_char_offsets": [[[0, 2], [9, 11]]]}
    for sides in ((silent, text), (text, silent), (silent, without)):
        assert_names(both_refusal(*sides), "characters", "key.jsonl, line 1: document 'd'")


TWICE = document(clusters=[[[0, 0], [2, 2]], [[2, 2], [2, 3]], [[5, 5], [5, 5]]])


# Refusals

GOOD = json.dumps(document())
LONG_LINES = ["[" * 100_000, "1" * 5_000, '{"a": ' + "1" * 5_000 + "}"]


@every_row("line", LONG_LINES)
def test_a_long_line_without_document_is_refused(line):
    write("key.jsonl", GOOD, line)
    assert_names(refusal_of_files("key.jsonl", "key.jsonl"), "key.jsonl, line 2: no JSON at ")


# Texts that differ


@pytest.mark.parametrize("pairs", ["found", "order"])
def test_other_words_of_several_documents_are_one_warning(pairs):
    keys = [document(doc_key=name) for name in "def"]
    other = {"sentences": [["Ann", "sees", "HER", "cat"], [".", *SENTENCES[1]]]}
    responses = [document(doc_key="d"), *(document(doc_key=name, **other) for name in "ef")]
    with pytest.warns(UserWarning) as warned:
        key, response = read(keys, responses, pairs=pairs)
    (only,) = warned
    places = ("key.jsonl, line 2", "response.jsonl, line 2")
    assert_names(str(only.message), "2 of 3", "document 'e'", "token 2", "'HER'", "'her'", *places)
    assert key == response


def test_tokens_and_characters_do_not_go_together():
    characters = {"doc_key": "d", "text": TEXT, "clusters": [[[0, 0]]]}
    places = [f"{side}.jsonl, line 1: document 'd'" for side in ("key", "response")]
    assert_names(refusal(document(), characters), "characters", "tokens", *places)
    assert_names(refusal(characters, characters | {"text": TEXT[1:]}), "31", "32", "document 'd'")


# Formats

CONLL = "#begin document (d); part 000\nAnn\t(0)\nsees\t-\nher\t(0)\n#end document\n"
COREFUD = """# newdoc id = d
# global.Entity = eid-head
# text = Ann
1	Ann	_	_	_	_	0	_	_	Entity=(e1-1)
2	her	_	_	_	_	1	_	_	Entity=(e1-1)

"""
FORMATS = {
    "CoNLL-2012": CONLL,
    "JSON lines": GOOD,
    "CorefUD": COREFUD,
    "CorefUD, but its comments": "\n".join(COREFUD.split("\n")[3:]),
    "JSON lines after blanks": f"\ufeff\n \n{GOOD}",
    "CoNLL-2012 after comments": f"# text = a comment\n\n{CONLL}",
    "CoNLL-2012, of ten columns": CONLL.replace("\t", "\t1" * 8 + "\t"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_format_is_in_the_file(name):
    Path("a.txt").write_text(FORMATS[name], encoding="utf-8")
    assert str(format_of("a.txt")) == name.split(",")[0].split(" after")[0]


def through_pipes(*contents: str) -> tuple[list[str], list[threading.Thread]]:
    """The names of pipes, and who writes into them."""
    names = [f"pipe{n}" for n in range(len(contents))]
    writers = []
    for name, content in zip(names, contents, strict=True):
        os.mkfifo(name)
        writers.append(threading.Thread(target=Path(name).write_text, args=(content, "utf-8")))
        writers[-1].start()
    return names, writers


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("format", list(FORMATS)[:3])
def test_pipes_are_read_as_what_comes_out(format):
    Path("key.txt").write_text(FORMATS[format], encoding="utf-8")
    (one, *two), writers = through_pipes(*[FORMATS[format]] * 3)
    for paths in (["key.txt", one], two):
        key, response = read_pair(*paths, Conventions())
        assert key == response and key
    for writer in writers:
        writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_one_pipe_with_both_sides():
    (name,), (writer,) = through_pipes(json.dumps(document(predicted_clusters=PREDICTIONS)))
    key, response = read_pair(name, None, Conventions())
    writer.join()
    assert [len(side["d"]) for side in (key, response)] == [2, 1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_held_to_be_read_again():
    (name,), (writer,) = through_pipes(FORMATS["CorefUD"])
    content = held(name)
    writer.join()
    for _ in range(2):
        assert str(format_of(content)) == "CorefUD"
        key, response = read_pair(content, content, Conventions())
        assert key == response and key
    assert held("a file") == "a file"


class Compared(str):
    """A key that counts how often one is compared with another."""

    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)


def test_one_key_twice_among_many_is_found_soon():
    """In as many steps as there are keys, not in as many as there are pairs of them."""
    Compared.times = 0
    pairs = [(Compared(n), 0) for n in [*range(1000), 999]]
    with pytest.raises(CorefError, match="the key '999' comes twice"):
        _unique(pairs)
    assert 0 < Compared.times < 10 * len(pairs)


@pytest.mark.parametrize(
    ("format", "chosen", "readers"),
    [
        ("CoNLL-2012", {}, {"conll"}),
        ("JSON lines", {}, {"jsonlines"}),
        ("CorefUD", {"match": "head"}, {"corefud", "matching"}),
    ],
)
def test_only_the_reader_that_is_needed_is_imported(format, chosen, readers):
    Path("a.txt").write_text(FORMATS[format], encoding="utf-8")
    code = (
        f"import sys, corefeval; corefeval.evaluate('a.txt', 'a.txt', 'muc', **{chosen});"
        "print(*(n.rpartition('.')[2] for n in sys.modules if '.readers.' in n),"
        "*{'numpy', 'scipy'} & {*sys.modules})"
    )
    command = [sys.executable, "-c", code]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    assert {*output.split()} - {"files", "recipes", "texts"} == readers


def test_the_collector_is_left_as_it_was():
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            one(document())
            assert gc.isenabled() == enabled
            refusal({"doc_key": "d"})
            assert gc.isenabled() == enabled
        finally:
            gc.enable()


# The same as CoNLL-2012


def as_conll(**documents: str) -> str:
    """Documents of these last columns."""
    text = ""
    for name, columns in documents.items():
        lines = [f"{word}\t{column}" for word, column in zip(WORDS, columns.split(), strict=True)]
        text += "\n".join([f"#begin document {name}", *lines, "#end document", ""])
    return text


@every_row("missing", ["empty", "skip"])
@every_row("repeated", ["first", "merge", "each", "once_each"])
def test_the_scores_of_conll_files(repeated, missing):
    right, twice = "(0) - (0)|(1 1) - (1) - (0) -", "(0) - (0)|(1)|(1 1) - (2)|(2) - - -"
    Path("key").write_text(as_conll(d=right, e=right), encoding="utf-8")
    Path("response").write_text(as_conll(d=twice, f=right), encoding="utf-8")
    paths = pair([document(), document(doc_key="e")], [TWICE, document(doc_key="f")])
    reports = [
        evaluate(*sides, repeated=repeated, missing=missing)
        for sides in (paths, ["key", "response"])
    ]
    ours, theirs = ((each.total, each.documents, each.signature) for each in reports)
    assert ours == theirs


# Any file

SEEDS = range(int(os.environ.get("COREFEVAL_FUZZ", "1")))
FILES = 400
"""How many cases each seed gives."""
PIECES = [
    *("[", "]", "{", "}", ",", ":", '"', " ", "\n", "\r", "\t", "\\", "\0", "\ufeff", "é"),
    *("0", "-1", "7", "1.5", "1e3", "null", "true", "NaN", "9" * 5000, "[" * 9999),
    *("[]", "{}", "[[]]", "[0, 0]", "[0, 9]", "[[2, 2]]", "[0, 1, 2]"),
    *('"doc_key": "d", ', '"part_id": 1, ', '"predicted_clusters": [], ', '"clusters": [], '),
    *('"tokens": [], ', '"text": 1,', '"subtoken_map": [0], ', '"clusters_strings": [], '),
]  # fmt: skip


def listed(content: bytes, fields: tuple[str, ...]) -> list[list[list[Any]]]:
    """The entities of each document of a file as they stand there."""
    text = re.sub("\r\n|\r", "\n", content.decode().replace("\ufeff", " ")).strip()
    documents = []
    while text:
        found, end = json.JSONDecoder().raw_decode(text)
        documents.append(found)
        text = text[end:].strip()
    return [next(each[key] for key in fields if key in each) for each in documents]


@pytest.mark.proof
@pytest.mark.parametrize("seed", SEEDS)
def test_any_file_is_scored_whole_or_refused(seed, capsys):
    chance = random.Random(seed)

    def good() -> bytes:
        shape = chance.choice([*SHAPES.values(), *WRITTEN.values()])
        again = {key: f"{name}e" for key, name in shape.items() if name == "d"}
        return "\n".join(map(json.dumps, (shape, shape | again))).encode()

    cases = ((good(), ["--metric", "b3"]) for _ in range(FILES))
    for contents in accepted(cases, PIECES, chance, capsys):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sides = read_pair("key", "response", Conventions())
        either = ((*MEANINGS,), (PREDICTED, *MEANINGS))
        for content, fields, side in zip(contents, either, sides, strict=True):
            given = [list(map(len, entities)) for entities in listed(content, fields)]
            assert [partition.sizes for partition in side.values()] == given, content


def test_a_long_list_is_shown_in_few_letters():
    Path("odd.json").write_text(json.dumps([["name", [["CHAPTER", "I"]] * 40, [[[0, 1]]]]]))
    told = refusal_of_files("odd.json", "odd.json")
    assert told.startswith("odd.json, line 1: ") and len(told) < 200
