"""A file of CoNLL-2012 beside one of JSON lines gives what both give in one format.

If one of these failed, a prediction would be scored against another document or other tokens, or
people would go on converting their files by hand.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import corefeval
from corefeval import CorefError, Partition, evaluate
from corefeval.conventions import Conventions
from corefeval.readers import FilePair, read_pair

pytestmark = pytest.mark.usefixtures("folder")

WORDS = ["Ann", "sees", "her", "cat", "/."]
MARKS = ["(0)", "-", "(1|(0)", "1)", "-"]
ENTITIES = Partition([[(0, 0), (2, 2)], [(2, 3)]])
CLUSTERS = [[[0, 0], [2, 2]], [[2, 3]]]
JSON = {"tokens": [*WORDS[:4], "."], "clusters": CLUSTERS}


def conll(*names: str, words: list[str] = WORDS, path: str = "k") -> str:
    lines = []
    for name in names:
        lines.append(f"#begin document {name}")
        lines += [f"x\t0\t0\t{word}\t{mark}" for word, mark in zip(words, MARKS, strict=True)]
        lines.append("#end document")
    Path(path).write_text("\n".join(lines), encoding="utf-8")
    return path


def listed(*documents: Any, path: str = "r") -> str:
    Path(path).write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    return path


def named(*names: str, **more: Any) -> list[Any]:
    return [{"doc_key": name, **JSON, **more} for name in names]


def read(key: str, response: str, **chosen: str) -> list[dict[str, Any]]:
    return list(read_pair(key, response, Conventions(**chosen)))


def refusal(key: str, response: str, **chosen: str) -> str:
    with pytest.raises(CorefError) as raised:
        read(key, response, **chosen)
    return str(raised.value)


@pytest.mark.parametrize("name", ["a", "a_0", "a; part 000"])
def test_a_name_meets_one_with_one_part(name):
    key, response = conll("(a); part 000", "(b); part 003"), listed(*named("b_3", name))
    assert read(key, response) == [{"a; part 000": ENTITIES, "b; part 003": ENTITIES}] * 2
    assert read(response, key) == [{"b_3": ENTITIES, name: ENTITIES}] * 2
    assert [each.name for each in FilePair(key, response).formats] == ["CoNLL-2012", "JSON lines"]
    (score,) = evaluate(key, response, "conll").total.values()
    assert score.exact.value == 1


@pytest.mark.parametrize("chosen", [{}, {"missing": "empty"}, {"missing": "skip"}])
def test_zeros_may_be_part_0_or_a_name(chosen):
    told = refusal(conll("(a); part 000"), listed(*named("a_000")), **chosen)
    for part in ("r, line 1: document 'a_000'", "k, line 1: document 'a; part 000'"):
        assert part in told


def test_a_part_id_is_the_part():
    key = conll("(a); part 000", "(a); part 001")
    parts = [{"document_id": "a", "part_id": n, **JSON} for n in (1, 0)]
    assert list(read(key, listed(*parts))[1]) == ["a; part 001", "a; part 000"]
    # Without a part in CoNLL-2012, one part of JSON lines is the whole.
    assert read(conll("(a)"), listed(parts[1])) == [{"a": ENTITIES}] * 2


def test_the_keys_entities_beside_others_are_refused():
    key = conll("(a); part 000")
    told = "`clusters` are the key's entities, and it has `preds`, which the key has not"
    assert told in refusal(key, listed(*named("a", preds=[])))
    assert read(listed(*named("a", preds=[])), key), "a key may have it"
    assert read(key, listed(*named("a", preds=[], predicted_clusters=CLUSTERS)))


def test_an_empty_mention_among_exclusive_ends_is_told():
    key = conll("(a); part 000")
    ends = [[[0, 1], [2, 3], [1, 1]], [[2, 4], [3, 4], [1, 2]]]
    response = listed(*named("a", clusters=ends))
    with pytest.warns(UserWarning, match=r"mention \[1, 1\] .* exclusive ends 3 would be"):
        read(key, response)


def test_two_candidates_are_refused():
    key = conll("(a); part 000", "(a); part 001")
    assert list(read(key, listed(*named("a", "a_1")))[1]) == ["a; part 000", "a; part 001"]
    key = conll("(a); part 000")
    told = refusal(key, listed(*named("a", "a_0")))
    assert "r, line 2: document 'a_0'" in told and "r, line 1: document 'a'" in told


@pytest.mark.parametrize("sides", ["kr", "rk"])
def test_a_document_on_one_side_only(sides):
    conll("(a); part 000", "(b); part 000")
    listed(*named("b"))
    with pytest.raises(CorefError, match="k, line 1: document 'a; part 000' is not in r"):
        evaluate(*sides, "muc")
    (found,) = evaluate(*sides, "muc", missing="skip").documents
    assert found in ("b; part 000", "b")


def test_tokens_have_to_agree():
    key = conll("(a); part 000")
    other = [*JSON["tokens"][:3], "dog", "."]
    told = refusal(key, listed(*named("a", tokens=other)))
    assert told.startswith("r, line 1: document 'a': token 3 is 'dog' here, and 'cat' in k, line 5")
    assert "(of 5 and 5)" in told
    longer_word = [*JSON["tokens"][:3], "cats", "."]
    assert "'cats' here, and 'cat' in k" in refusal(key, listed(*named("a", tokens=longer_word)))
    begun = [*JSON["tokens"][:3], "ca", "."]
    assert "'ca' here, and 'cat' in k" in refusal(key, listed(*named("a", tokens=begun)))
    shorter = [*JSON["tokens"][:3], "."]
    longer = [*JSON["tokens"], "Yes"]
    pieces = {"subtoken_map": [0, 0, 1, 2, 3, 3], "clusters": [[[0, 1], [3, 3]]]}
    for document, size in (
        (named("a", tokens=shorter)[0], 4),
        (named("a", tokens=longer)[0], 6),
        ({"doc_key": "a", **pieces}, 4),
    ):
        told = refusal(key, listed(document))
        for part in ("k, line 1: document 'a; part 000'", "5 tokens", f"{size} in r, line 1"):
            assert part in told


def test_words_that_json_leaves_out_pass():
    key = conll("(a); part 000")
    assert read(key, listed({"doc_key": "a", "clusters": CLUSTERS}))[1] == {"a; part 000": ENTITIES}
    # The other file says how long the text is: a mention that ends there proves exclusive ends.
    exclusive = {"doc_key": "a", "clusters": [[[0, 1], [4, 5]]]}
    assert read(key, listed(exclusive))[1] == {"a; part 000": Partition([[(0, 0), (4, 4)]])}
    told = refusal(key, listed({"doc_key": "a", "clusters": [[[0, 0], [4, 6]]]}))
    for part in ("r, line 1: document 'a'", "[4, 6]", "5 tokens"):
        assert part in told
    doubtful = {"doc_key": "a", "clusters": [[[0, 1], [2, 3]]]}
    assert "pass --offsets inclusive or" in refusal(key, listed(doubtful))
    right = Partition([[(0, 0), (2, 2)]])
    assert read(key, listed(doubtful), offsets="exclusive")[1] == {"a; part 000": right}


def test_documents_without_names_are_paired_by_order():
    key = conll("(a); part 000", "(b); part 000")
    expected = {"a; part 000": ENTITIES, "b; part 000": ENTITIES}
    assert read(key, listed(JSON, JSON)) == [expected] * 2
    assert "pairs=order" in evaluate(key, "r", "muc").signature
    assert "pairs=order" in evaluate("r", key, "muc").signature
    assert "k has 2 documents and r 1" in refusal(key, listed(JSON))
    without_words = {"clusters": CLUSTERS}
    told = refusal(key, listed(without_words, without_words))
    assert "r, line 1" in told and "no words" in told and "--pairs order" in told
    assert read(key, "r", pairs="order") == [expected] * 2
    # Names that do not fit, and an order that is chosen.
    assert read(key, listed(*named("c", "d")), pairs="order") == [expected] * 2
    assert "pairs=found" in evaluate(key, listed(*named("a", "b")), "muc").signature


def test_mentions_of_characters_are_refused():
    key = conll("(a); part 000")
    text = {"doc_key": "a", "text": "Ann sees her cat.", "clusters": [[[0, 3], [9, 12]]]}
    told = refusal(key, listed(text))
    for part in ("r, line 1: document 'a'", "characters", "k, line 1", "tokens"):
        assert part in told


def test_what_concerns_neither_format_is_refused():
    key, response = conll("(a); part 000"), listed(*named("a"))
    told = refusal(key, response, match="head")
    assert all(part in told for part in ("match='head'", "CorefUD", "k and r"))
    Path("u").write_text("# newdoc id = a\n1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    told = refusal("u", response)
    assert "u of CorefUD" in told and "r of JSON lines" in told


def test_a_mention_given_twice_names_its_file():
    key = conll("(a); part 000")
    twice = listed(*named("a", clusters=[[[0, 0], [2, 2]], [[2, 2], [3, 3]]]))
    assert refusal(key, twice).startswith(
        "r, line 1: document 'a': mention (2, 2) is in entities 1"
    )
    assert evaluate(key, twice, "b3", repeated="first").total["b3"].exact.recall is not None


def test_a_document_the_key_lacks_is_explained(tmp_path):
    """Scorers that know mentions by their sentence ask it of a file that tells of no sentence."""
    key, response = tmp_path / "k.conll", tmp_path / "r.jsonl"
    key.write_text("#begin document (a); part 000\nx\t(1)\n#end document\n")
    response.write_text('{"doc_key": "b", "predicted_clusters": [[[0, 0]], [[0, 2]]]}\n')
    found = corefeval.explain(key, response, "mentions")
    assert found.ours["mentions"].exact.value == 0
