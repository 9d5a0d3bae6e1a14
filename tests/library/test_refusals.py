"""Odd objects: each is refused with what was expected and what came, and nothing else happens.

If one of these failed, a slip of the hand would end in a traceback from deep inside, run for ever
or score something else than what was meant.
"""

import json
from traceback import format_exception

import numpy as np
import pandas as pd
import pytest
from rows import every_row

from corefeval import (
    Contingency,
    CorefError,
    Partition,
    Scorer,
    anatomy,
    evaluate,
    explain,
    from_table,
    metric,
)
from corefeval.chance.significance import bootstrap, compare
from corefeval.measures import link_score
from corefeval.readers.conll import read

NAN = float("nan")
REPORT = evaluate({1: "{a b}", 2: "{a b}"}, {1: "{a b}", 2: "{a b}"}, "muc")

LINES = ["#begin document (d)", "d 0 0 Ann (0)"]
FRAME = pd.DataFrame({"key": [1, 2]})
REFUSED = {
    "one measure by the command's option": (
        lambda: evaluate({"d": "{a b}"}, {"d": "{a b}"}, metric="muc"),
        "'metric' is no convention: .*; measures are named by metrics=$",
    ),
    "lines of CoNLL-2012": (
        lambda: evaluate(LINES, LINES),
        "lines of CoNLL-2012 are written into a file, whose path is given$",
    ),
    "sentences of such lines": (
        lambda: evaluate([LINES], [LINES]),
        "lines of CoNLL-2012 are written into a file, whose path is given$",
    ),
    "two data frames as a table": (
        lambda: from_table(FRAME, FRAME),
        r"name of a column \(two columns of labels are given to from_labels\), got a DataFrame$",
    ),
    "a list in a mention": (
        lambda: metric("muc")([[[1, [2]]]], [[(1, 2)]]),
        r"key: entity 1 has the mention \[1, \[2\]\], a list: expected something hashable",
    ),
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
    "no rule": (
        lambda: Partition([], repeated="firts"),
        "repeated='firts' is not a choice: expected 'error' or",
    ),
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
    "a measure by a spelling that is near": (
        lambda: evaluate({}, {}, "bcubbed"),
        "there is no measure 'bcubbed'; did you mean b3\\?$",
    ),
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


@every_row("call, message", REFUSED.values())
def test_refused(call, message):
    with pytest.raises(CorefError, match=message) as raised:
        call()
    # One mistake is one traceback: what an error was made of is not shown above it.
    assert "".join(format_exception(raised.value)).count("Traceback (most recent call last)") == 1


BATCH = [[((0, 1), (4, 4)), ((7, 7),)], [((2, 2), (5, 6))]]
LIKE_A_BATCH = {
    "tuples, as models make them": BATCH,
    "lists, as JSON has them": json.loads(json.dumps(BATCH)),
    "a batch of one": BATCH[:1],
    "arrays": [[np.array(entity) for entity in document] for document in BATCH],
    "integers of NumPy": [[tuple((np.int64(a), np.int64(b)) for a, b in BATCH[0][0])]],
    "an empty document": [*BATCH, []],
    "an empty document, lists": [[], *json.loads(json.dumps(BATCH))],
}
TAKEN = {
    "spans": [[(0, 1), (4, 4)], [(7, 7)]],
    "mentions of several parts on one side": BATCH,
    "triples": [[((0, 0, 1), (0, 4, 4))]],
    "pairs of truths": [[((True, False), (False, False))]],
    "pairs of floats": [[((0.0, 1.0), (4.0, 4.0))]],
    "one mention of one part": [[((0, 1),), (4, 4)]],
}


def doors(key, response):
    """All that score entities in memory, with and without conventions that read them otherwise."""
    two = {"d": key}, {"d": response}
    return {
        "metric": lambda: metric("muc")(key, response),
        "metric, repeats": lambda: metric("muc", repeated="each")(key, response),
        "Scorer": lambda: Scorer("muc").update(key, response),
        "Scorer, like": lambda: Scorer("muc", like="coval").update(key, response),
        "evaluate": lambda: evaluate(*two),
        "evaluate, repeats": lambda: evaluate(*two, repeated="once_each"),
        "evaluate, one document": lambda: evaluate(*two, like="hf_coval"),
        "explain": lambda: explain(*two, "muc", scorer="coval"),
        "anatomy": lambda: anatomy(*two),
        "anatomy, like": lambda: anatomy(*two, "muc", like="e2e"),
    }


@pytest.mark.parametrize("batch", LIKE_A_BATCH.values(), ids=LIKE_A_BATCH)
def test_what_looks_like_a_batch_is_refused_at_every_door(batch):
    for name, door in doors(batch, [*reversed(batch)]).items():
        with pytest.raises(CorefError, match="documents, each with its entities: update them one"):
            pytest.fail(f"{name}: {door()}")
    for name in doors(batch, batch):
        again, once = (map(list, batch) for _ in range(2))
        with pytest.raises(CorefError, match=r"or with update_batch; .* given as a Partition"):
            pytest.fail(f"{name}, iterators: {doors(again, once)[name]()}")


def test_a_batch_beside_no_mention_is_refused():
    for name, door in doors(BATCH, []).items():
        with pytest.raises(CorefError, match="this looks like documents"):
            pytest.fail(f"{name}: {door()}")


@pytest.mark.filterwarnings("ignore:.*share no mention")
@pytest.mark.parametrize("entities", TAKEN.values(), ids=TAKEN)
def test_what_does_not_look_like_a_batch_is_scored(entities):
    other = [[(0, 1)]] if entities is BATCH else entities
    for door in doors(entities, other).values():
        door()


def test_mentions_of_several_parts_are_given_as_a_partition():
    for sides in ((Partition(BATCH), BATCH), (BATCH, Partition(BATCH))):
        for door in doors(*sides).values():
            door()
    assert metric("muc")(Partition(BATCH), BATCH).exact.f1 == 1


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


def test_a_list_of_partitions_is_no_document():
    """Their entities would be mentions, of which two texts that differ by one letter share none."""
    one, other = Partition("{a b} {c}"), Partition("{a} {b c}")
    for score in (metric("muc"), Scorer("muc").update):
        with pytest.raises(CorefError, match="looks like documents, each with its entities"):
            score([one], [other])
    with pytest.raises(CorefError, match="looks like documents"):
        metric("muc")([[frozenset({(0, 1), (3, 3)})]], [[frozenset({(0, 1)})]])


def test_seeds_and_draws_of_numpy_are_numbers():
    documents = {str(number): "{a b}" for number in range(25)}
    report = evaluate(documents, documents, "muc")
    assert bootstrap(report, np.int64(200), seed=np.int64(3)).signature.endswith("seed=3")
    with pytest.raises(CorefError, match="seed=True: expected a whole number"):
        bootstrap(report, seed=True)
