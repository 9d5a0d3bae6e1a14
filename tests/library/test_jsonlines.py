"""Files of JSON lines: every writer's shape, what proves the ends of mentions, every refusal.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which document to mend.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corefeval import CorefError, Partition
from corefeval.conventions import Conventions
from corefeval.readers import read_pair

TEXT = "Ann sees her cat . It sees Ann ."
WORDS = TEXT.split()
SENTENCES = [WORDS[:5], WORDS[5:]]
ENTITIES = [[(0, 0), (2, 2), (7, 7)], [(2, 3), (5, 5)]]
"""Ann, her, Ann; her cat, It."""
INCLUSIVE = [[[0, 0], [2, 2], [7, 7]], [[2, 3], [5, 5]]]
EXCLUSIVE = [[[0, 1], [2, 3], [7, 8]], [[2, 4], [5, 6]]]
PIECED = "[CLS] Ann see ##s her ca ##t . It see ##s Ann . [SEP]"
PIECES = PIECED.split()
MAP = [0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Messages name files as they were given: a file name alone is short to test."""
    monkeypatch.chdir(tmp_path)


def write(name: str, *documents: Any) -> str:
    """A file with these documents, or these lines."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in documents]
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return name


def read(key: Any, response: Any, **chosen: str) -> list[dict[str, Any]]:
    """Both sides of two files of one document, or of a list of documents."""
    paths = [
        write(name, *(content if isinstance(content, list) else [content]))
        for name, content in (("key.jsonl", key), ("response.jsonl", response))
    ]
    return list(read_pair(*paths, Conventions(**chosen)))


def one(content: Any, **chosen: str) -> Any:
    """The entities of a file's only document, read as a key and as a response to itself."""
    (key,), (response,) = (side.values() for side in read(content, content, **chosen))
    assert list(map(sorted, key)) == list(map(sorted, response))
    return key


def refusal(key: Any, response: Any = None, **chosen: str) -> str:
    """The message with which a key, and a response if there is another, are refused."""
    with pytest.raises(CorefError) as raised:
        read(key, key if response is None else response, **chosen)
    return str(raised.value)


def document(**more: Any) -> dict[str, Any]:
    """A document as e2e-coref writes it."""
    return {"doc_key": "d", "sentences": SENTENCES, "clusters": INCLUSIVE} | more


# Every writer's shape

SHAPES = {
    "e2e-coref": document(speakers=[["A"] * 5, ["A"] * 4], constituents=[], ner=[]),
    "s2e, no text": {"doc_key": "d", "clusters": INCLUSIVE},
    "the AllenNLP predictor": {"doc_key": "d", "document": WORDS, "clusters": INCLUSIVE},
    "wl-coref, made from OntoNotes": {
        "document_id": "d", "cased_words": WORDS, "sent_id": [0] * 9, "clusters": EXCLUSIVE,
    },
    "wl-coref, Stanza": {
        "document_id": "d", "cased_words": WORDS, "part_id": 0, "span_clusters": EXCLUSIVE,
        "word_clusters": [[0, 2, 7], [3, 5]], "head2span": [],
    },
    "maverick, given words": {
        "doc_key": "d", "tokens": WORDS, "clusters_token_offsets": INCLUSIVE,
        "clusters_char_offsets": None, "clusters_token_text": [["Ann", "her", "Ann"]],
    },
    "PreCo": {
        "id": "d", "sentences": [SENTENCES[0], [" "], SENTENCES[1]],
        "mention_clusters": [[[0, 0, 1], [0, 2, 3], [2, 2, 3]], [[0, 2, 4], [2, 0, 1]]],
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


@pytest.mark.parametrize("writer", SHAPES)
def test_shapes(writer):
    assert one(SHAPES[writer]) == Partition(ENTITIES)


@pytest.mark.parametrize("writer", SHAPES)
def test_shapes_go_with_one_another(writer):
    shape = SHAPES[writer]
    name = {"doc_key": "d_0"} if "part_id" in shape else {}
    key, response = read(document(**name), shape)
    assert key == response == {name.get("doc_key", "d"): Partition(ENTITIES)}


CHARACTERS = [[(0, 2), (9, 11), (27, 29)], [(9, 15), (19, 20)]]
STRINGS = [["Ann", "her", "Ann"], ["her cat", "It"]]


@pytest.mark.parametrize(
    "shape",
    [
        {"clusters": [[[b, e + 1] for b, e in c] for c in CHARACTERS], "clusters_strings": STRINGS},
        {"clusters": CHARACTERS, "clusters_strings": STRINGS},
        {"clusters_char_offsets": CHARACTERS},
    ],
    ids=["fastcoref", "inclusive", "maverick, a text without tokens"],
)
def test_characters(shape):
    assert one({"doc_key": "d", "text": TEXT} | shape) == Partition(CHARACTERS)


def test_the_examples_are_the_text():
    assert [[TEXT[b : e + 1] for b, e in entity] for entity in CHARACTERS] == STRINGS
    assert [[" ".join(WORDS[b : e + 1]) for b, e in entity] for entity in ENTITIES] == STRINGS
