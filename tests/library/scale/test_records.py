"""Records with two labels each: mappings, documents, what of them is warned of and refused."""

import random
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from documents import sides_of_records
from kinds import WITHOUT_ORDER
from rows import every_row

from corefeval import CorefError, Scorer, anatomy, evaluate, explain, from_labels
from corefeval.cli import main


def records(seed, many=60, lacking=0.1):
    """(record, document, true label, predicted label); labels begin anew in each document."""
    rng = random.Random(seed)

    def label():
        return rng.randrange(5) if rng.random() > lacking else None

    return [(f"r{i}", rng.choice("xyz"), label(), label()) for i in range(many)]


def as_lists(rows):
    return [[row[place] for row in rows] for place in (2, 3, 1)]


def as_mappings(rows):
    """Records in another order on each side, those without a label left out."""
    key = {row[0]: row[2] for row in rows if row[2] is not None}
    response = {row[0]: row[3] for row in reversed(rows) if row[3] is not None}
    listed = {row[0] for row in rows if row[2] is not None or row[3] is not None}
    return key, response, {row[0]: row[1] for row in sorted(rows) if row[0] in listed}


def as_columns(rows):
    """Records in another order in each column, and those without a label left out, then aligned."""
    names, *_ = zip(*rows, strict=True)
    key = pd.Series([row[2] for row in rows], index=names).dropna()
    response = pd.Series([row[3] for row in rows], index=names).dropna()[::-1]
    key, response = key.align(response)
    document = pd.Series([row[1] for row in rows], index=names).sort_index()
    return key, response, document.reindex(key.index)


@pytest.mark.filterwarnings("ignore:the labels are joined")
@pytest.mark.parametrize("form", [as_lists, as_mappings, as_columns])
@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_partitions(form, seed):
    rows = records(seed)
    expected = evaluate(*sides_of_records(rows), WITHOUT_ORDER)
    found = evaluate(from_labels(*form(rows)), metrics=WITHOUT_ORDER)
    assert {*found.documents} == {"x", "y", "z"}
    for name in WITHOUT_ORDER:
        assert found.total[name].exact.parts == pytest.approx(expected.total[name].exact.parts), (
            name
        )
        for document, scores in expected.documents.items():
            parts = found.documents[document][name].exact.parts
            assert parts == pytest.approx(scores[name].exact.parts), (document, name)
    scorer = Scorer(WITHOUT_ORDER)
    scorer.update(from_labels(*form(rows)))
    assert scorer.compute().total == found.total


@pytest.mark.parametrize("seed", range(4))
def test_records_of_a_mapping_without_documents(seed):
    rows = [(name, "d", *labels) for name, _, *labels in records(seed, lacking=0)]
    key, response, _ = as_mappings(rows)
    assert evaluate(from_labels(key, response)).total == evaluate(*sides_of_records(rows)).total


ROWS = ["a row of its own", "texts", "integers", "repeats", "levels", "floats", "dates"]
"""What the index of a random table may have."""


def random_index(rng, many):
    names = rng.sample(range(many + 3), many)
    match rng.choice(ROWS):
        case "a row of its own":
            return pd.RangeIndex(many)
        case "texts":
            return pd.Index([f"r{name}" for name in names])
        case "integers":
            return pd.Index(names, dtype=rng.choice(["int64", "Int64", "uint64", object]))
        case "repeats":
            return pd.Index([rng.choice("abc") for _ in names])
        case "levels":
            return pd.MultiIndex.from_tuples([(name % 2, name) for name in names])
        case "floats":
            return pd.Index(names, dtype=float)
        case "dates":
            return pd.date_range("2026", periods=many + 3)[names]


def disturbed(column, rng):
    """The column as it may come out of a data frame, or without its index."""
    many = len(column)
    match rng.choice(["kept", "kept", "shuffled", "shuffled", "cut", "numbered", "other", "list"]):
        case "shuffled":
            return column.iloc[rng.sample(range(many), many)]
        case "cut":
            return column.iloc[: rng.randrange(1, many + 1)]
        case "numbered":
            return column.reset_index(drop=True)
        case "other":
            return column.set_axis(random_index(rng, many))
        case "list":
            return rng.choice([list, np.array])(column)
    return column


def rows_by_pandas(columns):
    """Rows as pandas pairs these columns; nothing where that is not beyond doubt."""
    indexed = [column for column in columns if isinstance(column, pd.Series)]
    first = indexed[0].index if indexed else None
    if len(set(map(len, columns))) == 1 and all(
        first.tolist() == each.index.tolist() for each in indexed
    ):
        return zip(*columns, strict=True)
    if len(indexed) < 3 or not all(each.index.is_unique for each in indexed):
        return None
    if len({each.index.nlevels for each in indexed}) > 1:
        return None
    merged = indexed[0].to_frame("0")
    for name, each in enumerate(indexed[1:], 1):
        merged = merged.merge(
            each.to_frame(str(name)), left_index=True, right_index=True, how="outer"
        )
    return None if merged.isna().any(axis=None) else zip(*merged.values.T, strict=True)


def check_pairing(seed):
    """Whether the columns of a random table were taken; their scores are those of pandas' rows."""
    rng = random.Random(seed)
    rows = records(seed, rng.randrange(2, 8), lacking=0)
    frame = pd.DataFrame(rows, columns=["record", "document", "key", "response"])
    frame.index = random_index(rng, len(frame))
    columns = [disturbed(frame[name], rng) for name in ("key", "response", "document")]
    try:
        found = evaluate(from_labels(*columns), metrics=["mentions", "muc", "b3"])
    except CorefError:
        return False
    paired = rows_by_pandas(columns)
    assert paired is not None, (seed, columns)
    paired = [(f"r{n}", document, *labels) for n, (*labels, document) in enumerate(paired)]
    expected = evaluate(*sides_of_records(paired), metrics=["mentions", "muc", "b3"])
    assert found.total == expected.total, (seed, columns)
    return True


@pytest.mark.parametrize("many", [300, pytest.param(4_000, marks=pytest.mark.proof)])
def test_columns_are_paired_as_pandas_pairs_them(many):
    """If it failed, a score would be that of rows that do not belong together."""
    refused = sum(not check_pairing(seed) for seed in range(many))
    assert 0.2 < refused / many < 0.9


WHOLE_FRAME = {
    "sort_values": lambda frame: frame.sort_values(["response", "record"]),
    "merge": lambda frame: frame[["record", "key", "document"]].merge(
        frame[["record", "response"]][::-1], on="record"
    ),
    "groupby": lambda frame: frame.groupby("document").head(5),
    "groups one after another": lambda frame: pd.concat(g for _, g in frame.groupby("document")),
    "reset_index": lambda frame: frame.sort_values("response").reset_index(),
    "a filter": lambda frame: frame[frame["response"] > 1],
}


@pytest.mark.parametrize("index", [None, "record"])
@pytest.mark.parametrize("made", WHOLE_FRAME.values(), ids=WHOLE_FRAME)
def test_a_change_of_the_whole_frame_is_taken(made, index):
    rows = records(7, 40, lacking=0)
    frame = pd.DataFrame(rows, columns=["record", "document", "key", "response"])
    frame = made(frame.set_index(index, drop=False).rename_axis("i") if index else frame)
    of_frame = frame[["record", "document", "key", "response"]].itertuples(index=False)
    expected = evaluate(*sides_of_records([*of_frame]), metrics="b3").total
    table = from_labels(frame["key"], frame["response"], frame["document"])
    assert evaluate(table, metrics="b3").total == expected


def test_no_records_of_no_documents():
    assert evaluate(from_labels([], [], []))["b3"].exact.f1 == 0


def test_a_filter_on_one_side_is_refused():
    frame = pd.DataFrame({"key": [1, 1, 2], "response": [5, 9, 5]})
    sides = {"key": frame["key"][frame["key"] > 1], "response": frame["response"]}
    with pytest.raises(CorefError, match="since one lacks 0") as refused:
        from_labels(**sides)
    exec(typed(refused.value), sides)
    assert from_labels(sides["key"], sides["response"]).pairs == {(0, 0): 1}


def test_the_line_that_pairs_rows_keeps_large_integers():
    """pandas made floats of them, since a row of the other side left a gap."""
    key = pd.Series([2**62 + 1, 2**62 + 2, 2**62 + 2], index=[*"abc"])
    sides = {"key": key, "response": pd.Series([2**60, 2**60 + 1], index=[*"bd"])}
    with pytest.raises(CorefError, match="since one lacks 'a'") as refused:
        from_labels(**sides)
    exec(typed(refused.value), sides)
    t = from_labels(sides["key"], sides["response"])
    assert (t.key_sizes, t.response_sizes, t.shared_mentions) == ([1, 2], [1, 1], 1)


def typed(refusal):
    """The line that a message tells to type."""
    return re.search(r"type (.*?) before", str(refusal))[1]


def test_records_of_one_mapping_name_their_side():
    with pytest.warns(UserWarning, match="2 rows of the key and 1 row of the response"):
        from_labels({"a": 1, "b": 1, "c": 2}, {"d": 5, "a": 5})


def test_documents_make_the_difference():
    key, response = [1, 1, 1], [1, 1, 2]
    whole = evaluate(from_labels(key, response), metrics="muc").total["muc"]
    apart = evaluate(from_labels(key, response, ["d", "d", "e"]), metrics="muc").total["muc"]
    assert (whole.exact.recall, apart.exact.recall) == (0.5, 1)


def test_every_door_takes_the_table():
    table = from_labels([1, 1, 2, 2], [1, 1, 1, 2], ["d", "d", "e", "e"])
    muc = evaluate(table, metrics="muc").total["muc"]
    assert anatomy(table, metrics="pairwise")
    assert explain(table, metrics="muc").ours["muc"].exact.parts == muc.exact.parts
    scorer = Scorer("muc")
    scorer.update(table)
    assert scorer.compute().total["muc"] == muc
    scorer.update(from_labels([1], [1]))
    scorer.update("{a b}", "{a b}")
    assert len(scorer.compute()) == 4
    assert scorer.compute().total["muc"].counts.recall.total == 3


class Arrow(list):
    """What an array of Arrow and its null say of themselves."""

    def __init__(self, given):
        self.given = given

    def to_pylist(self):
        return self.given

    as_py = to_pylist
    __hash__ = object.__hash__


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
    "a data frame": (
        lambda: from_labels(pd.DataFrame({"a": LISTED, "b": LISTED}), "a", "b"),
        r"write from_labels\(frame\['a'\], frame\['b'\]\)",
    ),
    "too few documents": (
        lambda: from_labels(LISTED, LISTED, ["d"]),
        "there are 2 records and 1 names of documents",
    ),
    "no name": (lambda: from_labels(LISTED, LISTED, ["d", None]), "the record at place 1 has no"),
    "a list as a name": (lambda: from_labels(LISTED, LISTED, ["d", ["e"]]), "is not hashable"),
    "null of a library": (lambda: from_labels(LISTED, LISTED, Arrow(["d", None])), "at place 1"),
    "null in a list": (lambda: from_labels(LISTED, LISTED, ["d", Arrow(None)]), "at place 1 has"),
    "NaT": (
        lambda: from_labels(LISTED, LISTED, ["d", np.datetime64("NaT", "ns")]),
        "at place 1 has",
    ),
    "pandas' NA behind a name": (lambda: from_labels(LISTED, LISTED, ["d", pd.NA]), "at place 1"),
    "a document that is masked": (
        lambda: from_labels(LISTED, LISTED, np.ma.array(["d", "e"], mask=[False, True])),
        "at place 1 has no document",
    ),
    "a number and its text": (
        lambda: from_labels(LISTED, LISTED, [1, "1"]),
        "^the document '1' is here as a text and as a number",
    ),
    "joined, and a list": (
        lambda: from_labels(INDEXED, INDEXED[::-1], ["d", "d"]),
        "the indexes of key and response differ, and document has none",
    ),
    "a list, and documents in another order": (
        lambda: from_labels(INDEXED, LISTED, INDEXED[::-1]),
        "the indexes of key and document differ, and response has none",
    ),
    "joined, and a column that lacks one": (
        lambda: from_labels(INDEXED, INDEXED, pd.Series(["d"], index=["a"])),
        r"key and document .* type document = document\.reindex\(key\.index\)",
    ),
    "another name": (
        lambda: Scorer().update(from_labels(LISTED, LISTED, ["d", "e"]), document="f"),
        "the table's documents have names: leave out 'f'",
    ),
}


@pytest.mark.filterwarnings("ignore:the labels are joined")
@every_row("call, message", REFUSED.values())
def test_refused(call, message):
    with pytest.raises(CorefError, match=message):
        call()


def test_most_records_without_a_label_are_warned_of():
    few = from_labels([1, None, None, 2, None], [1, 1, 2, 2, 2])
    with pytest.warns(UserWarning, match="share few mentions: 3 of the response's 5 have no label"):
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
    assert score.exact.recall == pytest.approx(recall)
    assert precision is None or score.exact.precision == pytest.approx(precision)


@every_row("command", ["score", "explain", "anatomy", "compare"])
@every_row("content", [b"mention,key,response\na,1,1\n", b"PAR1..."])
def test_a_table_of_another_name_is_refused(command, content, tmp_path, capsys):
    path = tmp_path / "table.txt"
    path.write_bytes(content)
    assert main([command, *[str(path)] * (3 if command == "compare" else 2)]) == 2
    assert str(path) in capsys.readouterr().err
