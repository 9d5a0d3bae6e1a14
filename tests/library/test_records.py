"""Records with two labels each: mappings, documents, what of them is warned of and refused."""

import random
import warnings

import pandas as pd
import pytest

from corefeval import CorefError, Partition, Scorer, anatomy, evaluate, explain, from_labels
from corefeval.cli import main
from corefeval.registry import MEASURES

WITHOUT_ORDER = [name for name in MEASURES if name != "xc"]


def records(seed, many=60, lacking=0.1):
    """(record, document, true label, predicted label); labels begin anew in each document."""
    rng = random.Random(seed)

    def label():
        return rng.randrange(5) if rng.random() > lacking else None

    return [(f"r{i}", rng.choice("xyz"), label(), label()) for i in range(many)]


def sides(rows):
    """The same as two mappings from documents to partitions."""
    names = dict.fromkeys(document for _, document, *_ in rows)
    return [
        {
            name: Partition.from_labels(
                {row[0]: row[side] for row in rows if row[1] == name and row[side] is not None}
            )
            for name in names
        }
        for side in (2, 3)
    ]


def as_lists(rows):
    return [[row[place] for row in rows] for place in (2, 3, 1)]


def as_mappings(rows):
    """Records in another order on each side, those without a label left out."""
    key = {row[0]: row[2] for row in rows if row[2] is not None}
    response = {row[0]: row[3] for row in reversed(rows) if row[3] is not None}
    listed = {row[0] for row in rows if row[2] is not None or row[3] is not None}
    return key, response, {row[0]: row[1] for row in sorted(rows) if row[0] in listed}


def as_columns(rows):
    names, *_ = zip(*rows, strict=True)
    key = pd.Series([row[2] for row in rows], index=names).dropna()
    response = pd.Series([row[3] for row in rows], index=names).dropna()[::-1]
    return key, response, pd.Series([row[1] for row in rows], index=names).sort_index()


@pytest.mark.filterwarnings("ignore:the labels are joined")
@pytest.mark.parametrize("form", [as_lists, as_mappings, as_columns])
@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_partitions(form, seed):
    rows = records(seed)
    expected = evaluate(*sides(rows), WITHOUT_ORDER)
    found = evaluate(from_labels(*form(rows)), metrics=WITHOUT_ORDER)
    assert {*found.documents} == {"x", "y", "z"}
    for report in (found.total, *found.documents.values()):
        assert report
    for name in WITHOUT_ORDER:
        assert found.total[name].parts == pytest.approx(expected.total[name].parts), name
    scorer = Scorer(WITHOUT_ORDER)
    scorer.update(from_labels(*form(rows)))
    assert scorer.compute().total == found.total


@pytest.mark.parametrize("seed", range(4))
def test_records_of_a_mapping_without_documents(seed):
    rows = [(name, "d", *labels) for name, _, *labels in records(seed, lacking=0)]
    key, response, _ = as_mappings(rows)
    assert evaluate(from_labels(key, response)).total == evaluate(*sides(rows)).total


def test_documents_make_the_difference():
    key, response = [1, 1, 1], [1, 1, 2]
    whole = evaluate(from_labels(key, response), metrics="muc").total["muc"]
    apart = evaluate(from_labels(key, response, ["d", "d", "e"]), metrics="muc").total["muc"]
    assert (whole.recall, apart.recall) == (0.5, 1)


def test_every_door_takes_the_table():
    table = from_labels([1, 1, 2, 2], [1, 1, 1, 2], ["d", "d", "e", "e"])
    muc = evaluate(table, metrics="muc").total["muc"]
    assert anatomy(table, metrics="pairwise").totals.split == 1
    assert explain(table, metrics="muc").ours["muc"].parts == muc.parts
    scorer = Scorer("muc")
    scorer.update(table)
    assert scorer.compute().total["muc"] == muc
    scorer.update(from_labels([1], [1]))
    scorer.update("{a b}", "{a b}")
    assert len(scorer.compute()) == 4
    assert scorer.compute().total["muc"].counts.recall.total == 3


MAPPING, LISTED = {"a": 1, "b": 1}, [1, 1]
INDEXED = pd.Series([1, 1], index=["a", "b"])
TABLE = from_labels(LISTED, LISTED)
REFUSED = {
    "one mapping": (lambda: from_labels(MAPPING, LISTED), "key: expected a list of labels"),
    "no record in common": (
        lambda: from_labels(MAPPING, {"c": 1}),
        "no record in common: the key begins with 'a', the response with 'c'",
    ),
    "a record without a document": (
        lambda: from_labels(MAPPING, MAPPING, {"a": "d"}),
        "record 'b' has no document",
    ),
    "mappings and a list": (lambda: from_labels(MAPPING, MAPPING, "de"), "expected documents as a"),
    "lists and a mapping": (
        lambda: from_labels(LISTED, LISTED, MAPPING),
        "expected the documents in the same order",
    ),
    "too few documents": (
        lambda: from_labels(LISTED, LISTED, ["d"]),
        "there are 2 records and 1 names of documents",
    ),
    "no name": (lambda: from_labels(LISTED, LISTED, ["d", None]), "the record at place 1 has no"),
    "a list as a name": (lambda: from_labels(LISTED, LISTED, ["d", ["e"]]), "is not hashable"),
    "joined, and a list": (
        lambda: from_labels(INDEXED, INDEXED[::-1], ["d", "d"]),
        "give the documents as a column of pandas with that index",
    ),
    "joined, and a column that lacks one": (
        lambda: from_labels(INDEXED, INDEXED[::-1], pd.Series(["d"], index=["a"])),
        "record 'b' has no document",
    ),
    "labels as partitions": (
        lambda: evaluate(MAPPING, MAPPING),
        "'a' has 1: labels of records are scored as evaluate\\(from_labels\\(key, response\\)\\)",
    ),
    "names as partitions": (
        lambda: evaluate({"a": "x"}, {"a": "y"}),
        "'a' has 'x': labels of records are scored as evaluate\\(from_labels",
    ),
    "lists": (lambda: evaluate(LISTED, LISTED), "evaluate\\(from_labels\\(key, response\\)\\)"),
    "a table beside a response": (lambda: Scorer().update(TABLE, LISTED), "expected it alone"),
    "another name": (
        lambda: Scorer().update(from_labels(LISTED, LISTED, ["d", "e"]), document="f"),
        "the table's documents have names: leave out 'f'",
    ),
}


@pytest.mark.filterwarnings("ignore:the labels are joined")
@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(call, message):
    with pytest.raises(CorefError, match=message):
        call()


def test_most_records_without_a_label_are_warned_of():
    few = from_labels([1, None, None, 2, None], [1, 1, 2, 2, 2])
    with pytest.warns(UserWarning, match="^3 of the response's 5 mentions have no label in the ke"):
        evaluate(few)
    scorer = Scorer()
    scorer.update(few)
    with pytest.warns(UserWarning, match="precision is too low"):
        scorer.compute()
    half = from_labels([1, None, None, 2], [1, 1, 2, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(half)
        evaluate(few.T)  # what a response lacks is missed, and that is no sample


TRUE = dict(zip("abcdefghij", "AAAABBCCDE", strict=True))
PREDICTED = dict(zip("abcdefghij", [1, 1, 1, 2, 2, 2, 3, 3, 4, 4], strict=True))
ER_EVALUATION = {"pairwise": (0.625, 0.625), "ceaf1": (0.2, 0.25), "b3_class": (0.925, None)}
"""Recall and precision that er-evaluation 2.3.0 printed: pairwise_, cluster_ and b_cubed_."""


@pytest.mark.parametrize("name", ER_EVALUATION)
def test_scores_are_those_of_er_evaluation(name):
    score = evaluate(from_labels(TRUE, PREDICTED), metrics=name).total[name]
    recall, precision = ER_EVALUATION[name]
    assert score.recall == pytest.approx(recall)
    assert precision is None or score.precision == pytest.approx(precision)


@pytest.mark.parametrize("command", ["score", "explain", "anatomy", "compare"])
@pytest.mark.parametrize(
    ("content", "said"),
    [(b"mention,key,response\na,1,1\n", "a CSV file; give it"), (b"PAR1...", "a Parquet file; gi")],
)
def test_a_table_of_another_name_is_called_what_it_is(command, content, said, tmp_path, capsys):
    path = tmp_path / "table.txt"
    path.write_bytes(content)
    assert main([command, *[str(path)] * (3 if command == "compare" else 2)]) == 2
    printed = capsys.readouterr().err
    assert said in printed and "CoNLL" not in printed
