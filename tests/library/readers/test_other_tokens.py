"""Files whose tokens differ are refused, with lines that align them; and ends that differ.

If one of these failed, a user whose tokeniser is another would be left without a way on, or would
score other words than those that were meant.
"""

import json
import warnings
from pathlib import Path

import pytest

from corefeval import CorefError, evaluate, metric

KEY = [[(0, 0), (2, 3), (6, 6)], [(4, 4), (7, 8)]]
TOKENS = ["Lea", "saw", "the", "cat", "it", ".", "She", "can", "not", "go"]
"""The key's tokens; its entities are {Lea, the cat, She} and {it, can not}."""
MARKS = ["(0)", "-", "(0", "0)", "(1)", "-", "(0)", "(1", "1)", "-"]
OTHER_TOKENS = ["Lea", "s", "aw", "the", "cat", "it", ".", "``", "She", "cannot", "go"]
OTHER = [[(0, 0), (3, 4), (8, 8)], [(5, 5), (9, 9)], [(7, 7), (10, 10)]]
"""The same in other tokens, and one entity more, of a token that the key lacks and of "go"."""
FOUND = "recall 1, precision 3/4, f1 6/7"
"""By hand: MUC's 2 + 1 links of the key are all there, the response has one more."""


def conll(name="d", tokens=TOKENS, marks=MARKS):
    rows = "\n".join(
        f"d\t0\t{n}\t{w}\t{m}" for n, (w, m) in enumerate(zip(tokens, marks, strict=True))
    )
    return f"#begin document ({name}); part 000\n{rows}\n\n#end document\n"


def jsonl(*documents):
    return "\n".join(map(json.dumps, documents))


def tokens_of(name=None, tokens=TOKENS, clusters=KEY):
    named = {} if name is None else {"doc_key": name}
    return named | {"sentences": [tokens], "clusters": clusters}


TEXT = "Lea saw the cat it. She cannot go"
RAW = {
    "text": TEXT,
    "clusters": [[[0, 3], [8, 15], [20, 23]], [[16, 18], [24, 30]], [[4, 7], [31, 33]]],
    "clusters_strings": [["Lea", "the cat", "She"], ["it", "cannot"], ["saw", "go"]],
}
"""As fastcoref writes it of a text that is not split into words."""


def written(key, response):
    Path("key").write_text(key)
    Path("response").write_text(response)
    with pytest.raises(CorefError) as refused:
        evaluate("key", "response")
    return str(refused.value)


def ran(told):
    """What the lines of a refusal make."""
    lines = told.split("\n")
    first = next(n for n, line in enumerate(lines) if line.endswith("evaluate(key, response):"))
    scope: dict = {}
    exec("\n".join(lines[first + 1 :]), scope)
    return scope["key_path"], scope["response"]


ALIGNED = {
    "CoNLL-2012": (
        conll(),
        conll(
            tokens=OTHER_TOKENS,
            marks=["(0)", "-", "-", "(0", "0)", "(1)", "-", "(2)", "(0)", "(1)", "(2)"],
        ),
    ),
    "CoNLL-2012 and JSON lines": (conll(), jsonl(tokens_of("d_0", OTHER_TOKENS, OTHER))),
    "in another order": (
        conll() + conll("e"),
        jsonl(tokens_of("e"), tokens_of("d_0", OTHER_TOKENS, OTHER)),
    ),
    "characters": (jsonl(tokens_of("d")), jsonl(RAW)),
    "characters beside CoNLL-2012": (conll(), jsonl(RAW)),
}


@pytest.mark.parametrize(("key", "response"), ALIGNED.values(), ids=ALIGNED)
def test_the_lines_of_the_refusal_align_the_words(key, response, folder):
    key, response = ran(written(key, response))
    both = evaluate(key, response, ["muc"])
    name = next(iter(both.documents))
    assert str(both.documents[name]["muc"]) == FOUND
    assert {"(0, 0)", "(2, 3)", "(7, 8)"} <= {str(m) for e in response[name] for m in e}


def test_the_refusal_names_the_token_and_both_numbers(folder):
    told = written(*ALIGNED["CoNLL-2012"])
    assert "10 tokens" in told and "11 in response" in told
    assert "token 1 is 'saw' in key, line 3, but 's' in response, line 3" in told


def test_no_option_of_the_command_pairs_characters(folder):
    told = written(*ALIGNED["characters"])
    assert "characters" in told and "tokens" in told
    assert "--pairs" not in told and "doc_key" not in told


def test_two_texts_stop_the_lines(folder):
    told = written(
        conll(), conll(tokens=["Quite", "another", "text", "stands", "here"], marks=["-"] * 5)
    )
    with pytest.raises(AssertionError, match="hardly one text"):
        ran(told)


NOT_ALIGNED = {
    "no words": (conll(tokens=[""] * 10), conll(tokens=[""] * 5, marks=["-"] * 5)),
    "a key of characters": (jsonl(RAW | {"doc_key": "d"}), jsonl(tokens_of("d"))),
}


@pytest.mark.parametrize(("key", "response"), NOT_ALIGNED.values(), ids=NOT_ALIGNED)
def test_no_lines_are_offered_with_nothing_aligned(key, response, folder):
    assert "difflib" not in written(key, response)


def warned(key, response, **chosen):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        metric("b3", **chosen)(key, response)
    assert all(each.filename == __file__ for each in found)
    return [str(each.message) for each in found]


@pytest.mark.parametrize("repeated", ["error", "each"])
def test_metric_warns_of_ends_that_differ_by_one(repeated):
    key = [[(9 * n, 9 * n + 2) for n in range(4)]]
    (told,) = warned(key, [[(i, j + 1) for i, j in key[0]]], repeated=repeated)
    assert "4 if the response's ends are moved by -1" in told and "[(first, last - 1)" in told
    assert not warned(key, key, repeated=repeated)
    assert not warned(key, [[(100, 101)]], repeated=repeated), "a lone document may share nothing"


class Doc:
    """What a Doc of spaCy is to us."""

    def __init__(self, **spans):
        self.spans = {name: [Span(self, *place) for place in of] for name, of in spans.items()}

    def __iter__(self):
        return iter([object()])


class Span:
    """Equal to what has the same place in the same Doc, as spaCy's."""

    def __init__(self, doc, start, end):
        self.doc, self.start, self.end = doc, start, end

    def __eq__(self, other):
        return (id(self.doc), self.start, self.end) == (id(other.doc), other.start, other.end)

    def __hash__(self):
        return hash((id(self.doc), self.start, self.end))


def test_what_spacy_has_names_the_line_to_type():
    doc, other = (Doc(coref_clusters_1=[(0, 1), (3, 4)], coref_head_clusters_1=[]) for _ in "ab")
    with pytest.raises(CorefError, match="a Doc of spaCy") as refused:
        evaluate([doc], [other])
    line = str(refused.value).partition("entities, ")[2]
    assert eval(line, {"doc": doc}) == [[(0, 0), (3, 3)]]
    spans = [[[*each.spans["coref_clusters_1"]]] for each in (doc, other)]
    with pytest.warns(UserWarning, match="Span of spaCy") as told:
        evaluate(spans[:1], spans[1:], "muc")
    assert line in str(told[0].message) and line in warned(*spans)[0]
