"""Odd objects: each is refused with what was expected and what came, and nothing else happens.

If one of these failed, a slip of the hand would end in a traceback from deep inside, run for ever
or score something else than what was meant.
"""

import json

import numpy as np
import pandas as pd
import pytest

from corefeval import Contingency, CorefError, Partition, evaluate, link_score, metric
from corefeval.cli import main
from corefeval.readers.conll import read
from corefeval.significance import bootstrap, compare

NAN = float("nan")
REPORT = evaluate({1: "{a b}", 2: "{a b}"}, {1: "{a b}", 2: "{a b}"}, "muc")

REFUSED = {
    "NaN": (lambda: Partition([[NAN]]), "entity 1 has the mention nan, a float: expected .* equal"),
    "NaN, merged": (lambda: Partition([[NAN]], repeated="merge"), "entity 1 has the mention nan"),
    "NaN, scored": (lambda: metric("b3", repeated="merge")([[NAN]], "{a}"), "key: entity 1 .* nan"),
    "NaN in a link": (lambda: Partition.from_links([(NAN, 1)]), "link 1 has the mention nan"),
    "NaN in a scored link": (lambda: link_score([(NAN, 1)], "A-B"), "link 1 has the mention nan"),
    "NA": (lambda: Partition([["a"], [pd.NA]]), "entity 2 has the mention <NA>"),
    "bytes as an entity": (lambda: Partition([b"ab"]), "entity 1: expected a coll.*, got b'ab'"),
    "bytes": (lambda: Partition(b"ab"), "expected entities as collections of mentions, got b'ab'"),
    "a mapping": (
        lambda: Partition({("a", "b"): 1}),
        r"expected entities .*, got {\('a', 'b'\): 1}",
    ),
    "an array without dimensions": (lambda: Partition(np.array(3)), "expected entities .*array"),
    "no text": (lambda: Partition.parse(5), "expected a text like {a b} {c}, got 5"),
    "no rule": (lambda: Partition([], repeated="firts"), "repeated='firts' is not a choice"),
    "no labels": (lambda: Partition.from_labels(["a"]), r"expected a mapping .*, got \['a'\]"),
    "no label": (lambda: Partition.from_labels({"a": ["x"]}), "a label is not hashable"),
    "no links": (lambda: Partition.from_links(5), "expected links as pairs of mentions, got 5"),
    "no mentions": (lambda: Partition.from_links([], 5), "expected mentions, got 5"),
    "no links to score": (lambda: link_score(5, 5), "expected links as pairs of mentions, got 5"),
    "no end of a link": (
        lambda: link_score([({1: 2}, 2)], "A-B"),
        r"link 1 has the mention \{1: 2\}",
    ),
    "an array as a choice": (lambda: metric("muc", zero=np.array([1, 2])), "is not a choice"),
    "a list as a measure": (lambda: evaluate({}, {}, [["muc"]]), r"there is no measure \['muc'\]"),
    "a measure of clustering": (
        lambda: evaluate({}, {}, "homogeneity_score"),
        "there is no measure 'homogeneity_score'; it is the precision of 'h'$",
    ),
    "a measure of clustering, near": (lambda: metric("V-measure"), "it is the F1 of 'h'$"),
    "completeness": (lambda: metric("completeness"), "it is the recall of 'h'$"),
    "clusters": (lambda: metric("cluster"), "it is 'ceaf1', which counts entities that are"),
    "the Rand index": (lambda: metric("adjusted_rand_score"), "the Rand index is scikit-learn's"),
    "a number as measures": (lambda: evaluate({}, {}, 5), "expected names of measures, got 5"),
    "an odd table": (lambda: metric("muc").of_table(5), "expected a Contingency, got 5"),
    "odd pairs": (lambda: Contingency(5, [1], [1]), "expected pairs as a mapping .*, got 5"),
    "odd sizes": (lambda: Contingency({}, 5, [1]), "expected the sizes of the key's .*, got 5"),
    "an odd key": (lambda: Contingency.of(5, Partition()), "the key as a Partition, got 5"),
    "an odd response": (lambda: Contingency.of(Partition(), 5), "response as a Partition, got 5"),
    "odd tables": (lambda: Contingency.union(5), "expected tables of documents, got 5"),
    "an odd document": (lambda: Contingency.union([5]), "each document's Contingency, got 5"),
    "an odd report": (lambda: bootstrap(5), "expected a report of corefeval.evaluate, got 5"),
    "odd reports": (lambda: compare(REPORT, 5), "expected two reports .*, got 5"),
    "an odd level": (lambda: bootstrap(REPORT, level="x"), "level='x': expected a number between"),
    "a null in a path": (lambda: evaluate("a\0b", "a\0b"), "cannot read it: embedded null"),
    "half a character in a path": (lambda: evaluate("\ud800", "x"), r"'\\ud800': cannot read it"),
    "a number as a path": (lambda: read(0), "expected the path of a file, got 0"),
    "an odd rule of a file": (lambda: read("x", repeated="firts"), "'firts' is not a choice"),
    "an odd rule of files": (
        lambda: evaluate("x", "x", repeated=5),
        "repeated=5 is not a choice",
    ),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(call, message):
    with pytest.raises(CorefError, match=message):
        call()


@pytest.mark.parametrize(
    "score", [metric("muc"), lambda *sides: evaluate(*({1: s} for s in sides))]
)
def test_one_iterator_for_both_sides(score):
    one = iter([["a", "b"]])
    with pytest.raises(CorefError, match="the same list_iterator, which can be read only once"):
        score(one, one)
    score([["a", "b"]] * 1, iter([["a", "b"]]))


def test_one_iterator_of_links_for_both_sides():
    one = (link for link in [("a", "b")])
    with pytest.raises(CorefError, match="the same generator"):
        link_score(one, one)


def test_what_is_returned_does_not_change_what_was_given():
    pairs, sizes = {(0, 0): 2}, [2]
    partition = Partition.parse("{a b}")
    for t in (Contingency.of(partition, partition), Contingency(pairs, sizes, sizes)):
        for made in (t, t.T, Contingency.union([t])):
            made.key_sizes.append(7)
            made.pairs[5, 5] = 1
            assert made.response_sizes == [2]
    assert (partition.sizes, pairs, sizes) == ([2], {(0, 0): 2}, [2])


# A measure without a total over documents

EMPTY = "#begin document ({});\nw\t-\n#end document\n"


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_documents_without_mentions_have_no_total(tmp_path, capsys, singletons):
    mention = "-" if singletons == "keep" else "(0)"
    path = tmp_path / "e.conll"
    path.write_text("".join(EMPTY.format(n).replace("-", mention) for n in range(25)))
    chosen = ["--metric", "all", "--singletons", singletons]
    assert main(["score", *2 * [str(path)], *chosen, "--bootstrap", "100", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["derr"]["value"] is None
    assert main(["compare", *3 * [str(path)], *chosen, "--resamples", "100"]) == 0
    assert "derr" in capsys.readouterr().out


@pytest.mark.parametrize("documents", [2, 3])
def test_one_document_among_empty_ones_makes_no_total(documents):
    key = {0: "{a b} {c}"} | dict.fromkeys(range(1, documents), "")
    response = key | {0: "{a b c}"}
    report = evaluate(key, response, "derr")
    assert report.total["derr"].value is None
    assert [score["derr"].value > 0 for score in report.documents.values()] == [
        True, *[False] * (documents - 1),
    ]  # fmt: skip
    assert evaluate({0: key[0]}, {0: response[0]}, "derr").total["derr"].value > 0
    assert evaluate({0: ""}, {0: ""}, "derr").total["derr"].value == 0
    assert evaluate({}, {}, "derr").total["derr"].value == 0
