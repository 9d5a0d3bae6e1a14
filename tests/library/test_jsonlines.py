"""Files of JSON lines: every writer's shape, what proves the ends of mentions, every refusal.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which document to mend.
"""

from __future__ import annotations

import json
import warnings
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


# Key and response


def test_one_file_has_both_sides():
    path = write("both.jsonl", document(predicted_clusters=[[[0, 0], [5, 5]]]))
    key, response = read_pair(path, None, Conventions())
    assert key == {"d": Partition(ENTITIES)} and response == {"d": Partition([[(0, 0), (5, 5)]])}
    assert read_pair(path, path, Conventions()) == (key, response)


def test_a_file_with_one_side_is_compared_with_itself_if_it_is_given_twice():
    path = write("key.jsonl", document())
    assert read_pair(path, path, Conventions()) == ({"d": Partition(ENTITIES)},) * 2
    with pytest.raises(
        CorefError, match="line 1: document 'd': it has no entities under `predicted"
    ):
        read_pair(path, None, Conventions())


def test_a_response_is_what_was_predicted():
    key, response = read(document(), document(clusters=[[[1, 1]]], predicted_clusters=INCLUSIVE))
    assert key == response


def test_documents_are_paired_by_name():
    documents = [document(), document(doc_key="e", clusters=[[[1, 1]]]), document(doc_key=7)]
    key, response = read(documents, documents[::-1])
    assert key == response and list(response) == ["7", "e", "d"]


def test_parts_have_names_of_their_own():
    parts = [document(part_id=0), document(part_id=1, clusters=[])]
    key, _ = read(parts, parts)
    assert key == {"d_0": Partition(ENTITIES), "d_1": Partition()}


@pytest.mark.parametrize("gap", ["", "\n", "\r\n", "\n\n \n"])
def test_documents_between_other_line_ends_or_none(gap):
    lines = [json.dumps(document()), json.dumps(document(doc_key="e"))]
    Path("key.jsonl").write_text("\ufeff" + gap.join(lines), encoding="utf-8", newline="")
    assert list(read_pair("key.jsonl", "key.jsonl", Conventions())[0]) == ["d", "e"]


def test_documents_on_one_side_are_refused_or_left_to_the_choice():
    two = [document(), document(doc_key="e")]
    assert refusal(two, document()) == (
        "key.jsonl, line 2: document 'e' is not in response.jsonl; "
        "expected the same documents in the key and in the response"
    )
    assert "response.jsonl, line 2: document 'e' is not in key.jsonl" in refusal(document(), two)
    key, response = read(two, document(), missing="empty")
    assert (list(key), list(response)) == (["d", "e"], ["d"])


TWICE = document(clusters=[[[0, 0], [2, 2]], [[2, 2], [2, 3]], [[5, 5], [5, 5]]])


def test_mentions_given_twice():
    assert refusal(document(), TWICE) == (
        "response.jsonl, line 1: document 'd': mention (2, 2) is in entities 1 and 2; mend the "
        'file, or pass --repeated first (in Python repeated="first") to keep it in the first of '
        "them, --repeated merge to make the two one"
    )
    entities = read(document(), TWICE, repeated="first")[1]["d"]
    assert list(entities.values()) == [
        [(0, 0), (2, 2)], [(2, 2), (2, 3)], [(5, 5), (5, 5)],
    ]  # fmt: skip


def test_word_pieces_of_the_same_words_are_the_same_mention():
    pieces = SHAPES["word pieces with a map"] | {"clusters": [[[5, 6], [5, 5]], [[8, 8]]]}
    assert "mention (3, 3) is twice in entity 1" in refusal(pieces)


# What proves the ends

PROOFS = [
    pytest.param([[[0, 1], [5, 5]]], [[(0, 1), (5, 5)]], id="one token: inclusive"),
    pytest.param([[[0, 1], [7, 9]]], [[(0, 0), (7, 8)]], id="after the last token: exclusive"),
    pytest.param([], [], id="no mention: nothing to prove"),
]


@pytest.mark.parametrize(("clusters", "entities"), PROOFS)
def test_proofs(clusters, entities):
    assert one(document(clusters=clusters)) == Partition(entities)


UNCLEAR = [[[0, 2], [5, 7]]]


@pytest.mark.parametrize(
    ("proof", "mentions"), [([5, 5], [(0, 2), (5, 7)]), ([5, 9], [(0, 1), (5, 6)])]
)
def test_a_proof_anywhere_holds_everywhere(proof, mentions):
    unclear, clear = document(clusters=UNCLEAR), document(doc_key="e", clusters=[[proof]])
    for key, response in [
        ([unclear, clear], [unclear, document(doc_key="e", clusters=[])]),
        ([unclear, document(doc_key="e", clusters=[])], [unclear, clear]),
        ([clear, unclear], [unclear, clear]),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert [side["d"] for side in read(key, response)] == [Partition([mentions])] * 2
    both = [unclear | {"predicted_clusters": UNCLEAR}, clear | {"predicted_clusters": []}]
    with pytest.warns(UserWarning, match="nothing under `predicted_clusters` in the file shows"):
        key, _ = read_pair(write("both.jsonl", *both), None, Conventions())
    assert key["d"] == Partition([mentions])


def test_what_is_unclear_is_asked_for():
    assert refusal(document(clusters=UNCLEAR)) == (
        "key.jsonl, line 1: document 'd': mention [0, 2] may end with 2 (inclusive) or with 1 "
        "(exclusive), and nothing in the files shows which; pass --offsets inclusive or "
        '--offsets exclusive (in Python offsets="inclusive" or "exclusive")'
    )
    unclear = document(clusters=UNCLEAR)
    assert one(unclear, offsets="inclusive") == Partition([[(0, 2), (5, 7)]])
    assert one(unclear, offsets="exclusive") == Partition([[(0, 1), (5, 6)]])


def test_without_a_text_no_end_is_outside_it():
    assert "may end with 9" in refusal({"doc_key": "d", "clusters": [[[7, 9]]]})


def test_what_a_key_of_one_program_proves_holds_for_no_other():
    stanza = {"document_id": "d", "cased_words": WORDS, "span_clusters": [[[0, 2]]]}
    assert one(stanza) == Partition([[(0, 1)]])
    assert "key.jsonl, line 1: document 'd': mention [0, 2] may end" in refusal(
        document(clusters=UNCLEAR), stanza
    )
    key, response = read(document(clusters=[[[0, 1], [5, 5]]]), stanza)
    assert (key["d"], response["d"]) == (Partition([[(0, 1), (5, 5)]]), Partition([[(0, 1)]]))


@pytest.mark.parametrize(
    ("content", "chosen", "told"),
    [
        (
            document(clusters=[[[5, 5], [7, 9]]]),
            "found",
            "document 'd': mention [5, 5] would be empty if ends were exclusive; but key.jsonl, "
            "line 1: document 'd': mention [7, 9] would end outside the text if ends were "
            "inclusive; expected ends of one kind: mend the wrong one",
        ),
        (document(), "exclusive", "mention [0, 0] would be empty if ends were exclusive; but off"),
        (document(clusters=[[[7, 9]]]), "inclusive", "offsets='inclusive' was chosen; but key"),
        (SHAPES["wl-coref, Stanza"], "inclusive", "with `span_clusters`, ends are exclusive"),
        (SHAPES["PreCo"], "inclusive", "with `mention_clusters`, ends are exclusive"),
        (
            {"document_id": "d", "cased_words": WORDS, "span_clusters": [[[5, 5]]]},
            "found",
            "mention [5, 5] would be empty if ends were exclusive; but key.jsonl, line 1: "
            "document 'd': with `span_clusters`, ends are exclusive",
        ),
        (
            {"doc_key": "d", "tokens": WORDS, "clusters_token_offsets": [[[5, 9]]]},
            "found",
            "with `clusters_token_offsets`, ends are inclusive; but key.jsonl, line 1: document "
            "'d': mention [5, 9] would end outside",
        ),
        (
            {"doc_key": "d", "text": TEXT, "clusters": [[[0, 3]]], "clusters_strings": [["Ann"]]},
            "inclusive",
            "offsets='inclusive' was chosen; but key.jsonl, line 1: document 'd': 'Ann' in "
            "`clusters_strings` is [0, 3]",
        ),
    ],
)
def test_contradictions(content, chosen, told):
    assert told in refusal(content, offsets=chosen)


def test_what_only_the_other_file_shows_is_warned_of():
    with pytest.warns(UserWarning) as warned:
        key, response = read(document(), document(clusters=EXCLUSIVE))
    assert key != response
    assert [str(each.message) for each in warned] == [
        "response.jsonl, line 1: document 'd': mention [0, 1] may end with 1 (inclusive) or with 0 "
        "(exclusive), and nothing under `clusters` in the file shows which; taken as inclusive, "
        "since key.jsonl, line 1: document 'd': mention [0, 0] would be empty if ends were "
        "exclusive"
    ]
    assert warned[0].filename == __file__
    assert read(document(), document(clusters=EXCLUSIVE), offsets="inclusive") == [key, response]


def test_a_key_and_a_response_of_two_kinds_contradict_each_other():
    told = refusal(document(), document(clusters=[[[7, 9]]]))
    assert told.startswith("key.jsonl, line 1: document 'd': mention [0, 0] would be empty")
    assert "response.jsonl, line 1: document 'd': mention [7, 9] would end outside" in told
