"""Odd objects: each is refused with what was expected and what came, and nothing else happens.

If one of these failed, a slip of the hand would end in a traceback from deep inside, run for ever
or score something else than what was meant.
"""

import json
from dataclasses import dataclass
from decimal import Decimal
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
from corefeval.readers import read

NAN = float("nan")
REPORT = evaluate({1: "{a b}", 2: "{a b}"}, {1: "{a b}", 2: "{a b}"}, "muc")

LINES = ["#begin document (d)", "d 0 0 Ann (0)"]
FRAME = pd.DataFrame({"key": [1, 2]})
REFUSED = {
    "one measure by the command's option": (
        lambda: evaluate({"d": "{a b}"}, {"d": "{a b}"}, metric="muc"),
        "'metric' is no convention: did you mean metrics?",
    ),
    "what earlier versions had": (
        lambda: evaluate({}, {}, empty_side=True),
        "'empty_side' .*leave it out",
    ),
    "documents that a scorer keeps": (lambda: Scorer(documents=True), "'documents' .*leave it out"),
    "reports that are added": (lambda: sum([REPORT, REPORT]), "Scorer, whose merge"),
    "lines of CoNLL-2012": (lambda: evaluate(LINES, LINES), "#begin document"),
    "sentences of such lines": (lambda: evaluate([LINES], [LINES]), "#begin document"),
    "two data frames as a table": (
        lambda: from_table(FRAME, FRAME),
        r"name of a column \(two columns of labels are given to from_labels\), got a DataFrame$",
    ),
    "one column for both sides": (
        lambda: from_table(FRAME, "key", "key"),
        "the column 'key' is named for both sides: .* key= and .* response=",
    ),
    "one column of objects for both sides": (
        lambda: from_table(FRAME.astype(object), "key", "key"),
        "'key' is named for both sides",
    ),
    "a list in a mention": (
        lambda: metric("muc")([[[1, [2]]]], [[(1, 2)]]),
        r"key: entity 1 has the mention \[1, \[2\]\]",
    ),
    "NaN": (lambda: Partition([["a"], [NAN]]), "entity 2 has the mention nan"),
    "NaN, merged": (lambda: Partition([[NAN]], repeated="merge"), "entity 1 has the mention nan"),
    "NaN, scored": (lambda: metric("b3", repeated="merge")([[NAN]], "{a}"), "key: entity 1 .* nan"),
    "NaN in a tuple": (lambda: Partition([[("x", NAN)]]), r"entity 1 has the mention \('x', nan\)"),
    "NaN in a tuple in a tuple": (
        lambda: evaluate({"d": [[("x", ("y", NAN))]]}, {"d": "{a}"}),
        "has the mention .*nan",
    ),
    "NaN of another kind in a tuple": (
        lambda: Partition([[("x", Decimal("NaN"))]]),
        "entity 1 has the mention",
    ),
    "NaN in a tuple in a link": (
        lambda: Partition.from_links([(("x", NAN), 1)]),
        "link 1 has the mention",
    ),
    "NaN in a link": (lambda: Partition.from_links([(NAN, 1)]), "link 1 has the mention nan"),
    "NaN in a scored link": (lambda: link_score([(NAN, 1)], "A-B"), "link 1 has the mention nan"),
    "NA": (lambda: Partition([["a"], [pd.NA]]), "entity 2 has the mention <NA>"),
    "None": (lambda: Partition([["a"], [None]]), "entity 2 has the mention None"),
    "bytes as an entity": (lambda: Partition([b"ab"]), "got b'ab'"),
    "bytes": (lambda: Partition(b"ab"), "got b'ab'"),
    "a mapping": (lambda: Partition({("a", "b"): 1}), r"got {\('a', 'b'\): 1}"),
    "a mapping as an entity": (lambda: Partition([{"a": 1}]), "got {'a': 1}"),
    "an array without dimensions": (lambda: Partition(np.array(3)), "expected entities .* 3"),
    "no text": (lambda: Partition.parse(5), "expected a text like {a b} {c}, got 5"),
    "no rule": (lambda: Partition([], repeated="firts"), "repeated='firts' .*mean first"),
    "no links": (lambda: Partition.from_links(5), "expected links as pairs of mentions, got 5"),
    "no mentions": (lambda: Partition.from_links([], 5), "expected mentions, got 5"),
    "no links to score": (lambda: link_score(5, 5), "expected links as pairs of mentions, got 5"),
    "no end of a link": (
        lambda: link_score([({1: 2}, 2)], "A-B"),
        r"link 1 has the mention \{1: 2\}",
    ),
    "an array as a choice": (lambda: metric("muc", zero=np.array([1, 2])), "is not a choice"),
    "a measure by a spelling that is near": (
        lambda: evaluate({}, {}, "blank"),
        "there is no measure 'blank'; did you mean blanc",
    ),
    "a list as a measure": (lambda: evaluate({}, {}, [["muc"]]), r"there is no measure \['muc'\]"),
    "a number as measures": (lambda: evaluate({}, {}, 5), "expected measures, got 5"),
    "an odd report": (lambda: bootstrap(5), "expected reports? of corefeval.evaluate, got 5"),
    "odd reports": (lambda: compare(REPORT, 5), "got 5"),
    "an odd level": (lambda: bootstrap(REPORT, level="x"), "level='x': expected a number between"),
    "a null in a path": (lambda: evaluate("a\0b", "a\0b"), "cannot read it: embedded null"),
    "half a character in a path": (lambda: evaluate("\ud800", "x"), ".*: cannot read it"),
    "an odd rule of a file": (lambda: read("x", repeated="firts"), "'firts' is not a choice"),
    "an odd rule of files": (lambda: evaluate({}, {}, repeated=5), "repeated=5 is not a choice"),
}


@every_row("call, message", REFUSED.values())
def test_refused(call, message):
    with pytest.raises(CorefError, match=message) as raised:
        call()
    # One mistake is one traceback: what an error was made of is not shown above it.
    assert "".join(format_exception(raised.value)).count("Traceback (most recent call last)") == 1


BATCH = [[((0, 1), (4, 4)), ((7, 7),)], [((2, 2), (5, 6))]]
TEXTS = [[["a", "b"], ["c"]], [["d", "e"]]]
LIKE_A_BATCH = {
    "tuples, as models make them": BATCH,
    "lists, as JSON has them": json.loads(json.dumps(BATCH)),
    "a batch of one": BATCH[:1],
    "arrays": [[np.array(entity) for entity in document] for document in BATCH],
    "integers of NumPy": [[tuple((np.int64(a), np.int64(b)) for a, b in BATCH[0][0])]],
    "an empty document": [*BATCH, []],
    "an empty document, lists": [[], *json.loads(json.dumps(BATCH))],
    "documents of texts": TEXTS,
    "sets of texts": [[{*entity} for entity in document] for document in TEXTS],
    "frozen sets": [[frozenset(entity) for entity in document] for document in TEXTS],
    "partitions": [Partition(document) for document in TEXTS],
    "numbers": [[[[1, 2], [3]], [[4]]], [[[5]]]],
}


@dataclass(frozen=True)
class Token:
    """A mention of somebody's own."""

    number: int


TAKEN = {
    "texts": [["a", "b"], ["c"]],
    "spans": [[(0, 1), (4, 4)], [(7, 7)]],
    "spans as lists": [[[0, 1], [4, 4]], [[7, 7]]],
    "arrays of spans": [np.array([[0, 1], [4, 4]]), np.array([[7, 7]])],
    "numbers of NumPy": [np.array([1, 2]), [np.int64(3)]],
    "a document beside a number": [[("d", 1), ("d", 2)], [("e", 1)]],
    "a sentence and its words": [[(1, ("2", "3"))], [(1, ("4",)), (2, ("1",))]],
    "objects with __eq__ and __hash__": [[Token(1), Token(2)], [Token(3)]],
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
    }


@pytest.mark.parametrize("batch", LIKE_A_BATCH.values(), ids=LIKE_A_BATCH)
def test_every_door_refuses_a_batch_alike(batch):
    told = set()
    for response in ([*reversed(batch)], []):
        for name, door in doors(batch, response).items():
            with pytest.raises(CorefError, match=r"key: .*entit") as raised:
                pytest.fail(f"{name}: {door()}")
            told.add(str(raised.value).removeprefix("document 'd': ").removeprefix("document 0: "))
    assert len(told) == 1


@pytest.mark.parametrize("entities", TAKEN.values(), ids=TAKEN)
def test_every_door_scores_mentions_of_every_kind(entities):
    assert metric("muc")(entities, entities).exact.f1 == 1
    for door in doors(entities, entities).values():
        door()


def test_objects_that_equal_themselves_alone_are_no_mentions():
    class Word:
        pass

    word = Word()
    for door in doors([[word]], [[word]]).values():
        with pytest.raises(CorefError, match=r"key: entity 1 .*<.*__eq__ and __hash__"):
            door()


def test_one_iterator_of_links_for_both_sides():
    one = (link for link in [("a", "b")])
    with pytest.raises(CorefError, match="the same generator"):
        link_score(one, one)


def test_results_do_not_change_what_was_given():
    pairs, sizes = {(0, 0): 2}, [2]
    partition = Partition.parse("{a b}")
    for t in (Contingency.of(partition, partition), Contingency(pairs, sizes, sizes)):
        t.T.key_sizes.append(7)
        t.pairs[5, 5] = 1
        assert t.response_sizes == [2]
    assert (partition.sizes, pairs, sizes) == ([2], {(0, 0): 2}, [2])


def test_seeds_and_draws_of_numpy_are_numbers():
    documents = {str(number): "{a b}" for number in range(25)}
    report = evaluate(documents, documents, "muc")
    assert bootstrap(report, np.int64(200), seed=np.int64(3)).signature.endswith("seed=3")
    with pytest.raises(CorefError, match="seed=True: expected a whole number"):
        bootstrap(report, seed=True)


NAMES_THAT_DIFFER = {
    "a number and its text": (1, "1"),
    "a part that is 0": ("d", "d; part 000"),
    "a part and parentheses": ("(d)_0", "d; part 000"),
    "NaN": (NAN, float("nan")),
    "another number": ("(1)", 1),
}


@pytest.mark.parametrize("names", NAMES_THAT_DIFFER.values(), ids=NAMES_THAT_DIFFER)
def test_only_differing_parentheses_are_said_to_differ(names):
    key, response = ({name: "{a b}"} for name in names)
    with pytest.raises(CorefError) as error:
        evaluate(key, response)
    assert "parentheses" not in str(error.value) and "no name is the same" in str(error.value)
