"""Tables that an engine counts are those of label arrays."""

import csv
import gzip
import io
import math
import pickle
import random
import sys
import warnings
from contextlib import suppress
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from alike import is_same
from case_files import content, lines_of
from documents import sides_of_records
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import APART, SPLIT, WITHOUT_ORDER
from messages import assert_names
from rows import every_row

from corefeval import (
    Contingency,
    CorefError,
    Partition,
    evaluate,
    explain,
    from_labels,
    from_table,
    metric,
)
from corefeval.conventions import CHOICES
from corefeval.overlap.contingency import KEY, REMAINING, RESPONSE
from corefeval.overlap.twinless import POLICIES
from corefeval.scale import engine

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")

LABEL = st.sampled_from([None, -1, 0, 1, 2, 3])
ROWS = st.lists(st.tuples(st.sampled_from("xyz"), LABEL, LABEL), min_size=1, max_size=25)
OF_EACH_KIND = ["mentions", "b3_class", "ceafe", "blanc", "c"]
"""They ask a table for all that measures ask for, and a policy changes what it answers."""


def relation(rows, columns="document, key, response"):
    def sql(value):
        return "NULL" if value is None else repr(value)

    values = ", ".join(f"({', '.join(map(sql, row))})" for row in rows)
    connection = duckdb.connect()
    connection.execute("SET threads = 1")  # quicker for so little
    return connection.sql(f"SELECT * FROM (VALUES {values}) AS t({columns})")


def sides(rows):
    """The same as two mappings from documents, in the order of their names, to partitions."""
    rows = sorted(rows, key=lambda row: row[0])
    labels = [[None if label == -1 else label for label in row] for row in rows]
    return sides_of_records([(place, *row) for place, row in enumerate(labels)])


def assert_same(found, expected):
    assert list(found.documents) == list(expected.documents)
    for name, score in expected.total.items():
        if name == "h":  # doubles, added in another order
            assert found.total[name].exact.parts == pytest.approx(score.exact.parts)
        else:
            assert found.total[name] == score, name
            for document, scores in expected.documents.items():
                assert found.documents[document][name] == scores[name], name


def scores_are_those_of_partitions(rows, names_by, **chosen):
    table = from_table(relation(rows), document="document")
    key, response = sides(rows)
    for twinless in POLICIES:
        by = {"metrics": names_by(twinless), "twinless": twinless, **chosen}
        assert_same(evaluate(table, **by), evaluate(key, response, **by))


def every_measure(twinless):
    return APART if twinless in SPLIT else WITHOUT_ORDER


def some_measures(twinless):
    return WITHOUT_ORDER if twinless == "keep" else OF_EACH_KIND


few_rows = pytest.mark.filterwarnings("ignore::UserWarning")  # they may have little in common
every_choice = pytest.mark.parametrize("singletons", CHOICES["singletons"])


@pytest.mark.proof
@few_rows
@every_choice
@settings(max_examples=5, deadline=None)
@given(rows=ROWS)
def test_scores_are_those_of_partitions(rows, singletons):
    scores_are_those_of_partitions(rows, some_measures, singletons=singletons)


@few_rows
@pytest.mark.proof
@every_choice
def test_every_measure_by_every_policy(singletons):
    rng = random.Random(singletons)
    labels = [None, -1, 0, 1, 2, 3]
    for many in range(2, 26, 2):
        rows = [(rng.choice("xyz"), rng.choice(labels), rng.choice(labels)) for _ in range(many)]
        scores_are_those_of_partitions(rows, every_measure, singletons=singletons)


@pytest.mark.proof
@pytest.mark.parametrize("side", (KEY, RESPONSE))
@pytest.mark.parametrize("what", REMAINING)
@settings(max_examples=5, deadline=None)
@given(rows=ROWS)
def test_all_kinds_of_tables_leave_the_same(what, side, rows):
    labels = zip(*((k, r) for _, k, r in rows), strict=True)
    key, response = ([None if label == -1 else label for label in each] for each in labels)
    partitions = (Partition.from_labels(dict(enumerate(each))) for each in (key, response))
    expected = Contingency.of(*partitions).without(what, side)
    table = from_table(relation(rows).project("key, response")).without(what, side)
    for t in (from_labels(key, response).without(what, side), table):
        is_same(t, expected)


@every_row(
    "rows, columns, message",
    [
        ([(1, 2)], {"key": "k"}, "there is no column 'k'; expected key, response"),
        ([(1, 2)], {"document": "d"}, "there is no column 'd'; expected key, response"),
        ([(-2, 2), (-3, 1)], {}, "column 'key' has -2 in one of 2 such rows; expected labels from"),
        ([(1, 0.5)], {}, r"column 'response' has 0\.5; expected whole numbers from 0 on"),
        ([(1, 1.50), (1, 2)], {}, r"column 'response' has 1\.5; expected whole numbers"),
        ([(1, 1), (1, 2)], {"key": 3}, r"the name of a column .*, got 3"),
        ([(1, 1)], {"document": ["key"]}, r"the name of a column .*, got \['key'\]"),
        ([("a", "NA")], {}, "column 'response' has 'NA'; expected .* no text for it"),
        ([("NULL", "a")], {}, "column 'key' has 'NULL'"),
        ([("a", "-1")], {}, "column 'response' has '-1'"),
        ([("nan", "a")], {}, "column 'key' has 'nan'"),
        ([(True, 1)], {}, "column 'key' is of type BOOLEAN; expected integers of at most 64 bits"),
    ],
)
def test_refused(rows, columns, message):
    with pytest.raises(CorefError, match=message):
        from_table(relation(rows, "key, response"), **columns)


def test_no_rows_and_no_table():
    with pytest.raises(CorefError, match="no rows"):
        from_table(relation([(1, 1)], "key, response").filter("key > 1"))
    with pytest.raises(CorefError, match="expected a table or query of DuckDB or Spark"):
        from_table([1, 2])
    with pytest.raises(
        CorefError, match=r"^/nowhere\.parquet: expected the path of a file: there is none$"
    ):
        from_table("/nowhere.parquet")


FLOATS = [
    ("inf", "DOUBLE", r"column 'key' has inf; expected whole numbers from 0 on and below 2\^53"),
    ("-inf", "DOUBLE", "column 'key' has -inf; expected whole numbers"),
    ("inf", "FLOAT", r"column 'key' has inf; expected .* below 2\^24"),
    (2**53 + 1, "DOUBLE", r"column 'key' has 9007199254740992\.0; expected"),
    (2**24 + 1, "FLOAT", r"column 'key' has 16777216\.0; expected .* below 2\^24"),
    (-2, "FLOAT", r"column 'key' has -2\.0; expected"),
]


@every_row("label, type, message", FLOATS)
def test_floats_that_are_no_labels(label, type, message):
    with pytest.raises(CorefError, match=message):
        from_table(duckdb.sql(f"SELECT '{label}'::{type} AS key, 1 AS response"))


@every_row("label, type", [(2**53 - 1, "DOUBLE"), (2**24 - 1, "FLOAT")])
def test_floats_that_are_labels(label, type):
    rows = f"(VALUES ({label}::{type}, 1), ({label - 1}::{type}, 1), ('nan'::{type}, 1))"
    assert from_table(duckdb.sql(f"FROM {rows} t(key, response)")).key_histogram == {1: 2}


@every_row("type", ["DOUBLE", "FLOAT"])
def test_a_document_that_is_not_a_number(type):
    """It is not equal to itself: its rows fell apart into as many documents as groups."""
    rows = f"(VALUES (1, 1, 'nan'::{type}), (2, 1, 'nan'::{type}), (2, 2, 1.0)) t(key, response, d)"
    with pytest.raises(CorefError, match="'d' has nan in one of 2 such rows; expected a document"):
        from_table(duckdb.sql(f"FROM {rows}"), document="d")


def of_document(name):
    return duckdb.sql(f"SELECT {name} AS d, 1 AS key, 1 AS response FROM range(2)")


@every_row(
    "name",
    [
        "'a'",
        "1",
        "170141183460469231731687303715884105727::HUGEINT",
        "1.50::DECIMAL(38, 2)",
        "1.0::FLOAT",
        "TRUE",
        "DATE '2026-01-02'",
        "TIMESTAMP '2026-01-02 03:04:05'",
        "'0b0ab0c4-aaaa-4aaa-8aaa-000000000000'::UUID",
    ],
)
def test_names_of_documents(name):
    table = from_table(of_document(name), document="d")
    assert evaluate(table, metrics="muc").total["muc"].exact.f1 == 1


@every_row(
    "name, type",
    [
        ("'a'::BLOB", "BLOB"),
        ("'101'::BIT", "BIT"),
        ("INTERVAL 1 DAY", "INTERVAL"),
        ("[1]", r"INTEGER\[\]"),
        ("{'a': 1}", r"STRUCT\(a INTEGER\)"),
        ("MAP {'a': 1}", r"MAP\(VARCHAR, INTEGER\)"),
    ],
)
def test_types_that_name_no_document(name, type):
    with pytest.raises(CorefError, match=f"column 'd' is of type {type}; expected names of docum"):
        from_table(of_document(name), document="d")


def test_names_of_documents_that_numpy_would_round():
    """Two documents of one rounded name were counted as one."""
    names = [str(10**37 + n) for n in range(3)]
    rows = ", ".join(f"({name}::HUGEINT, 1, 1), ({name}::HUGEINT, 1, 2)" for name in names)
    table = duckdb.sql(f"FROM (VALUES {rows}) t(d, key, response)")
    assert list(evaluate(from_table(table, document="d"), metrics="muc").documents) == names


def test_a_column_twice_in_a_data_frame():
    frame = pd.DataFrame([[1, 2, 3]], columns=["key", "key", "response"])
    with pytest.raises(CorefError, match="the table has the column 'key' twice"):
        from_table(frame)


@pytest.mark.parametrize("name", ["document", "doc", "doc_id", "DOC_KEY", "document_id"])
def test_a_column_of_documents_that_nobody_named(name):
    """Labels that begin anew in each document would be taken for one entity."""
    rows = [("x", 1, 1), ("x", 1, 2), ("y", 1, 1)]
    with pytest.warns(UserWarning, match=f"'{name}' is not read.*--document {name}") as told:
        table = from_table(relation(rows, f"{name}, key, response"))
    assert len(told) == 1 and told[0].filename == __file__
    assert table.key_histogram == {3: 1}
    assert from_table(relation(rows, f"{name}, key, response"), document=name).key_entities == 2
    from_table(relation(rows[:2], f"{name}, key, response"))  # there is one document


def test_the_query_that_a_reader_can_run():
    """The whole of it: a table of mentions in, the triples of the overlap table out."""
    rows = [(1, 1), (1, 1), (1, 2), (2, 2), (None, 2), (3, None)]
    mentions = relation(rows, "key, response")
    query = engine.GROUPS.format(by="", mentions="mentions")
    found = mentions.query("mentions", f"{query} SELECT n, k, r FROM met ORDER BY ALL").fetchall()
    assert found == [(1, 1, 3), (1, 3, 3), (2, 3, 2)]


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "x"), ("a", "x"), (None, "y"), ("b e", None)],
        [(1.0, float("nan")), (1.0, 3.0), (-1.0, 3.0), (2.0, 4.0)],
        [(0, -1), (0, 2**62), (5, 2**62), (5, 2**62 + 1)],
    ],
)
def test_labels_are_those_of_arrays(rows):
    frame = pd.DataFrame(rows, columns=["key", "response"])
    table = from_table(frame)
    arrays = from_labels(*([row[side] for row in rows] for side in (0, 1)))
    is_same(table, arrays)


@pytest.mark.parametrize("label", ["{}", "{} * 10000000000", "'x' || {}", "({})::UBIGINT"])
def test_alignments_do_not_depend_on_labels_types(label):
    # Small integers are numbered by counting, others by sorting.
    rows = "SELECT i // 3 AS one, (i * 7 + i // 5) % 11 AS other FROM range(40) AS t(i)"
    key, response = label.format("one"), label.format("other")
    table = duckdb.sql(f"SELECT {key} AS key, {response} AS response FROM ({rows})")
    labels = [(i // 3, (i * 7 + i // 5) % 11) for i in range(40)]
    expected = evaluate(
        from_labels(*map(list, zip(*labels, strict=True))), metrics=("ceafm", "ceafe")
    )
    assert evaluate(from_table(table), metrics=("ceafm", "ceafe")).total == expected.total


def test_xc_takes_entities_in_their_labels_order():
    """Labels that first appear in that order have that of arrays, too."""
    key, response = [0, 0, 1, 1, 2, 2, -1], [0, 1, 0, 1, 2, -1, 3]
    table = from_table(relation(zip(key, response, strict=True), "key, response"))
    assert metric("xc")(table) == metric("xc")(from_labels(key, response))
    scores = evaluate({"d": "{a b} {c d}"}, {"d": "{a b c} {d}"}, "b3", singletons="drop")
    table = from_table(relation([(0, 0), (0, 0), (1, 0), (1, 1)], "key, response"))
    assert metric("b3", singletons="drop")(table) == scores.total["b3"]


def test_pairs_are_fetched_if_needed_and_few(monkeypatch):
    rows = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]
    table = from_table(relation(rows, "key, response"))
    monkeypatch.setattr(engine, "LIMIT", 20)
    assert evaluate(table, metrics=["muc", "b3", "blanc", "lea", "c", "h"]).total
    monkeypatch.setattr(engine, "LIMIT", 4)
    for name in ("ceafm", "ceafe", "xc"):
        with pytest.raises(CorefError, match=f"measure {name}: .* 5 are too many .*at most 4"):
            evaluate(table, metrics=name).total[name]
    monkeypatch.setattr(engine, "LIMIT", 5)
    assert evaluate(table, metrics="ceafm").total["ceafm"]


def test_the_documents_histograms_must_fit(monkeypatch):
    monkeypatch.setattr(engine, "LIMIT", 5)
    table = from_table(relation([("x", 0, 0), ("y", 1, 1)]), document="document")
    with pytest.raises(CorefError, match="there are more than 5 different"):
        evaluate(table, metrics="muc")


def test_a_mention_without_a_document():
    with pytest.raises(CorefError, match=r"'document' has 'NULL'; expected a document for each"):
        from_table(relation([("x", 1, 1), (None, 1, 1)]), document="document")


def test_without_duckdb(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(CorefError, match="pip install 'duckdb>=2'"):
        from_table("mentions.parquet")


def test_a_bundle_that_pools_needs_one_document():
    table = from_table(relation([("x", 1, 1), ("y", 1, 1)]), document="document")
    with pytest.raises(CorefError, match="leave out their column"):
        evaluate(table, like="hf_coval")


@pytest.mark.parametrize("door", ["from_labels", "from_table"])
def test_labels_give_entities_no_order(door):
    """tibert prints 1 or 0 by it for two singletons; the two doors gave one each."""
    for key, response in (([1, 2], [2, 1]), ([1, 2], [1, 2])):
        rows = relation([("x", *pair) for pair in zip(key, response, strict=True)])
        table = from_labels(key, response) if door == "from_labels" else from_table(rows)
        with pytest.raises(CorefError, match="labels have no order: the score is not known; give"):
            evaluate(table, metrics="muc", like="tibert")
        assert "labels have no order" in explain(table, scorer="tibert").unknown["tibert"]
    for key, response in (([1, 1, 2], [2, 2, 1]), ([1], [7]), ([1, 2], [1, 1])):
        rows = relation([("x", *pair) for pair in zip(key, response, strict=True)])
        table = from_labels(key, response) if door == "from_labels" else from_table(rows)
        lists = [Partition.from_labels(dict(enumerate(side))) for side in (key, response)]
        expected = evaluate(*([side] for side in lists), like="tibert").total
        assert evaluate(table, like="tibert").total == expected


def test_documents_that_a_side_lacks_are_counted():
    """A table does not tell them from documents in which a side has no mention."""
    rows = [("x", 1, 1), ("y", None, 1)]
    table = from_table(relation(rows), document="document")
    for chosen in ({"missing": "skip"}, {"like": "ua1"}, {"like": "reference"}):
        with pytest.raises(CorefError, match="'y': the key has no mention in it, and"):
            evaluate(table, metrics="b3", **chosen)
    assert len(evaluate(table, metrics="b3", missing="empty")) == 2
    of_key = from_table(relation([("x", 1, 1), ("y", 1, None)]), document="document")
    assert evaluate(of_key, metrics="b3", like="reference").total["b3"].exact.recall == 1 / 2
    with pytest.raises(CorefError, match="'y': the response has no mention"):
        evaluate(of_key, metrics="b3", missing="skip")
    both = from_table(relation([("x", 1, 1), ("y", 1, 1)]), document="document")
    assert len(evaluate(both, metrics="b3", missing="skip")) == 2


# Files

KEY = "mention,entity\n01,a\n2,a\n3,b\n4,\n"
RESPONSE = "mention,cluster,other\n01,1,x\n2,2,x\n3,2,x\n1,2,x\n"


@pytest.fixture
def files(folder, tmp_path):
    (tmp_path / "key.csv").write_text(KEY)
    (tmp_path / "response.csv").write_text(RESPONSE)
    (tmp_path / "twice.csv").write_text("mention,entity\n01,a\n01,b\n")
    (tmp_path / "unnamed.csv").write_text("mention,entity\n01,a\n,b\n")
    (tmp_path / "both.csv").write_text("doc,key,response\nx,a,1\nx,a,1\ny,,2\ny,b,2\n")
    (tmp_path / "blank.csv").write_text("mention,entity\n01,a\n ,b\n,b\n")
    (tmp_path / "documents.csv").write_text("doc,mention,entity\nx,1,a\n,2,b\n")
    (tmp_path / "empty.csv").touch()
    (tmp_path / "empty.parquet").touch()
    (tmp_path / "no.parquet").write_text("no Parquet")
    (tmp_path / ".csv").mkdir()
    (tmp_path / "header.csv").write_text("key,response\n")
    (tmp_path / "ragged.csv").write_text("key,response\n1,2,3\n4,5\n")
    (tmp_path / "longer.csv").write_text("key,response\n1,2\n1,2,3\n")
    (tmp_path / "repeated.csv").write_text("key,key,response\n1,2,3\n")
    (tmp_path / "utf16.csv").write_bytes("key,response\n1,2\n".encode("utf-16"))
    duckdb.connect().read_csv("response.csv", dtype={"mention": "VARCHAR"}).write_parquet(
        "response.parquet"
    )


@pytest.fixture
def run(run):
    return lambda command: run(*command.split())


@pytest.mark.parametrize("response", ["response.csv", "response.parquet"])
def test_two_files_are_joined_on_their_mentions(response, files, run):
    code, output, _ = run(f"score key.csv {response} --columns entity cluster --format csv")
    assert code == 0
    key, expected = [["01", "2"], ["3"]], [["01"], ["2", "3", "1"]]
    scores = evaluate({"d": key}, {"d": expected}).total
    for line, (name, score) in zip(output.splitlines()[1:], scores.items(), strict=True):
        assert line.split(",")[1] == name and line.split(",")[4] == str(float(score.f1))


def test_names_as_numbers_and_as_texts_meet(files):
    rows = "(VALUES (2, 1), (3, 1), (7, 2)) m(mention, cluster)"
    duckdb.sql(f"FROM {rows}").write_parquet("numbers.parquet")
    for one, other in (("key.csv", "numbers.parquet"), ("numbers.parquet", "key.csv")):
        score = evaluate(one, other, "mentions").total["mentions"]
        assert score.exact.recall == score.exact.precision == Fraction(2, 3)


def test_documents_that_one_of_two_files_lacks(files, run):
    Path("one.csv").write_text("doc,mention,entity\nx,1,1\ny,1,1\n")
    Path("other.csv").write_text("doc,mention,entity\nx,1,1\n")
    for both, lacks in (("one.csv other.csv", "response"), ("other.csv one.csv", "key")):
        command = f"score {both} --document doc --metric mentions"
        code, _, errors = run(command)
        assert code == 2 and f"one.csv: document 'y' is not in the {lacks}" in errors
        assert run(f"{command} --missing empty")[0] == 0


def test_one_file_has_both_sides_and_documents(files, run):
    code, output, _ = run("score both.csv --document doc --per-document --metric mentions")
    assert code == 0
    assert [line.split() for line in output.splitlines()[1:4]] == [
        ["x", "mentions", "100.00", "100.00", "100.00"],
        ["y", "mentions", "100.00", "50.00", "66.67"],
        ["TOTAL", "mentions", "100.00", "75.00", "85.71"],
    ]


PATTERNS = ["a[1].csv", "q?.csv", "b*.csv", "{a,b}.csv", "a[1].parquet", "[[].csv", "a b.csv"]


@pytest.mark.parametrize("name", PATTERNS)
def test_a_path_is_no_pattern(name, files):
    """Another file was scored whose name matches, or several were as one."""

    def write(path, response, many):
        rows = duckdb.sql(f"SELECT 1 AS key, {response} AS response FROM range({many})")
        rows.write_parquet(path) if path.endswith("parquet") else rows.write_csv(path)

    for other in ("a1.csv", "qx.csv", "bx.csv", "a.csv", "b.csv", "a1.parquet", "[.csv"):
        write(other, 2, 2)
    if name != "[[].csv":  # the file [.csv does not exist under that name
        with pytest.raises(CorefError, match="expected the path of a file: there is none"):
            evaluate(name, metrics="mentions")
    plain = "plain." + name.rpartition(".")[2]
    write(plain, 1, 5)
    Path(plain).rename(name)
    assert evaluate(name, metrics="mentions").total["mentions"].counts.recall.total == 5


IDS = {
    "whole floats": ("1.0::DOUBLE", "1"),
    "short whole floats": ("1.0::FLOAT", "'1'"),
    "decimals": ("1.00::DECIMAL(9, 2)", "1"),
    "huge integers": ("1::HUGEINT", "'1'"),
    "blanks": ("' 1\t'", "1"),
    "floats": ("1.5::DOUBLE", "'1.5'"),
    "negative": ("-1.0::DOUBLE", "-1"),
}


@pytest.mark.parametrize(("one", "other"), IDS.values(), ids=IDS)
def test_names_of_mentions_meet_in_other_types(one, other, files):
    for path, mention in (("one.parquet", one), ("other.parquet", other)):
        duckdb.sql(f"SELECT {mention} AS mention, 7 AS entity").write_parquet(path)
    for sides in (("one.parquet", "other.parquet"), ("other.parquet", "one.parquet")):
        assert evaluate(*sides, "mentions").total["mentions"].exact.f1 == 1


def test_names_that_a_float_cannot_tell_apart(files):
    for type, bits in (("DOUBLE", 53), ("FLOAT", 24)):
        duckdb.sql(f"SELECT {2**bits}::{type} AS mention, 7 AS entity").write_parquet("one.parquet")
        with pytest.raises(
            CorefError, match=rf"one.parquet: column 'mention' has .* below 2\^{bits}"
        ):
            evaluate("one.parquet", "key.csv", "mentions")
    duckdb.sql("SELECT 'nan'::DOUBLE AS mention, 7 AS entity").write_parquet("one.parquet")
    with pytest.raises(CorefError, match=r"one\.parquet: a row has no mention"):
        evaluate("one.parquet", "key.csv", "mentions")


def test_two_files_that_share_no_mention(files):
    Path("one.csv").write_text("mention,entity\n01,a\n02,a\n")
    Path("other.csv").write_text("mention,entity\n2,a\n1,a\n")
    with pytest.warns(UserWarning, match="the key has '01', the response '1'|no row of the table"):
        score = evaluate("one.csv", "other.csv", "mentions").total["mentions"]
    assert score.exact.f1 == 0


def test_a_table_whose_rows_have_one_side_each():
    table = from_table(relation([(1, None), (None, 1)], "key, response"))
    with pytest.warns(UserWarning, match="no row of the table has labels of both") as told:
        evaluate(table, metrics="mentions")
    assert len(told) == 1
    metric("mentions")(table)
    evaluate(from_table(relation([(1, None), (1, 1)], "key, response")), metrics="mentions")


def test_two_responses_in_tables_are_compared(files, run):
    for name, column, second in (("better.csv", "cluster", 1), ("worse.csv", "one", 2)):
        rows = "".join(f"{document},m,1\n{document},n,{second}\n" for document in "xyz")
        Path(name).write_text(f"doc,id,{column}\n{rows}")
    code, output, _ = run(
        "compare better.csv worse.csv better.csv --document doc --id id "
        "--columns cluster one cluster --metric muc --resamples 100"
    )
    assert code == 0
    assert output.splitlines()[1].split()[:5] == ["muc", "F1", "0.00", "100.00", "100.00"]
    code, _, errors = run("compare k.conll worse.csv better.csv --id id")
    assert code == 2 and "--id" in errors and "CSV" in errors


def test_labels_are_scored_as_in_a_database():
    key, response = [1, 1, 2, 2, None], [1, 1, 2, 1, 2]
    labels = from_labels(key, response)
    rows = relation(zip(key, response, strict=True), "key, response")
    by_engine = evaluate(from_table(rows), metrics=WITHOUT_ORDER)
    assert_same(evaluate(labels, metrics=WITHOUT_ORDER), by_engine)
    assert list(evaluate(labels).documents) == ["table"]
    assert (
        evaluate(labels, like="e2e").total["muc"].exact.f1 == evaluate(labels).total["muc"].exact.f1
    )


@pytest.mark.parametrize("document", [None, "document"])
def test_a_report_outlives_a_changed_file(tmp_path, document):
    """Pairs were fetched after sizes, when the total was asked: a recall of neither file."""
    path = tmp_path / "predictions.csv"
    key, first, second = [1, 1, 2, 2, -1, -1], [1, -1, 2, -1, 1, 2], [1, 2, -1, -1, 1, 2]
    for answer in (first, second):
        columns = {"key": key, "response": answer}
        if document:
            columns[document] = list("aaabbb")
        pd.DataFrame(columns).to_csv(path, index=False)
        if answer is first:
            report = evaluate(from_table(path, document=document), ["b3", "ceafm", "ceafe"])
    labels = [key, first, *([list("aaabbb")] if document else [])]
    assert report.total == evaluate(from_labels(*labels), ["b3", "ceafm", "ceafe"]).total


def test_a_report_of_a_table_cannot_be_pickled():
    """The engine's connection is no data; a report that was pickled had half of the counts."""
    report = evaluate(from_table(relation(SOME), document="document"), metrics="all")
    for copied in (pickle.dumps, deepcopy):
        with pytest.raises(CorefError, match="to_dict"):
            copied(report)


SOME = [("d", 1, 1), ("d", 1, 2), ("d", None, 2), ("e", 3, 3), ("e", 3, 3)]


# What is not the same twice


def samples():
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE m AS SELECT i % 97 AS key, i % 89 AS response FROM range(2000) t(i)"
    )
    return connection


@every_row(
    "query",
    [
        "FROM m USING SAMPLE 50 PERCENT (bernoulli)",
        "FROM m USING SAMPLE 100 ROWS",
        "FROM m WHERE random() < 0.5",
        "SELECT CASE WHEN random() < 0.3 THEN NULL ELSE key END AS key, response FROM m",
    ],
)
def test_a_relation_that_varies_is_read_once(query):
    """A sample was drawn anew by each query: recall of 499/493, or a KeyError."""
    table = from_table(samples().sql(query))
    first = evaluate(table, metrics=["mentions", "muc", "b3", "conll"])
    again = evaluate(table, metrics=["conll", "ceafm", "mentions", "muc", "b3", "blanc"])
    for name, score in first.total.items():
        assert again.total[name] == score
    mentions = first.total["mentions"].counts
    assert mentions.recall.hits == mentions.precision.hits <= mentions.recall.total
    key, response = again.total["muc"].counts
    assert (key.hits, response.hits) <= (key.total, response.total)
    of_pairs = sum(n for n in table.pairs.values())
    assert of_pairs == table.shared_mentions == mentions.recall.hits


def test_rows_that_are_inserted_later_are_not_seen():
    connection = samples()
    table = from_table(connection.table("m"))
    b3 = evaluate(table, metrics="b3").total
    connection.execute("INSERT INTO m SELECT 500 + i, i FROM range(300) t(i)")
    assert evaluate(table, metrics=["b3", "ceafm"]).total["b3"] == b3["b3"]
    assert table.key_mentions == 2000
    assert from_table(connection.table("m")).key_mentions == 2300


def test_a_table_that_changes_is_refused(monkeypatch):
    """As one of Spark may, whose files somebody writes anew: pairs were looked up by old sizes."""
    monkeypatch.setattr(
        engine.Relation, "read_once", lambda self, names: engine.DuckDB(self.relation)
    )
    connection = samples()
    table = from_table(connection.table("m"))
    evaluate(table, metrics="b3")
    connection.execute("INSERT INTO m SELECT 500 + i, i FROM range(300) t(i)")
    with pytest.raises(CorefError, match="the table has changed"):
        evaluate(table, metrics="ceafm")


# What a user's connection has, or has set

LIKE_OURS = "SELECT i AS key, 1 AS response, 'x' AS document FROM range(7) t(i)"
OF_THEIRS = [
    *(
        f"CREATE {kind} {name} AS {LIKE_OURS}"
        for kind in ("TABLE", "TEMP VIEW")
        for name in ("corefeval_mentions", "copied", "rows")
    ),
    "CREATE SCHEMA other; SET schema = 'other'",
    "ATTACH ':memory:' AS other; USE other",
    "BEGIN TRANSACTION",
    "SET default_order = 'DESC'",
    "SET default_null_order = 'NULLS_FIRST'",
    "SET default_collation = 'NOCASE'",
    "SET preserve_insertion_order = false",
    "SET integer_division = true",
    "SET ieee_floating_point_ops = false",
    "SET TimeZone = 'America/New_York'",
    "SET python_enable_replacements = false",
    "SET enable_external_access = false; SET lock_configuration = true",
    "SET arrow_large_buffer_size = true; SET arrow_lossless_conversion = true",
    "SET arrow_output_version = '1.4'",
    *(f"CREATE MACRO {name}(x) AS 7" for name in ("count", "min", "max", "floor", "abs")),
    "CREATE MACRO isnan(x) AS true",
    "CREATE TEMP MACRO trim(x) AS 'nan'",
    "CREATE MACRO nullif(x, y) AS NULL",
    "CREATE MACRO coalesce(x, y) AS 'q'",
]


def of_a_user(connection):
    """The tables of a user's relations: integers, floats with gaps, and texts."""
    connection.execute(
        "CREATE TABLE m AS SELECT CASE WHEN i % 5 > 0 THEN i // 3 END::DOUBLE AS key, "
        "i // 2 AS response, ['Ann', 'ann', 'Bob'][1 + i % 3] AS name, "
        "['D', 'd', 'e'][1 + i % 4 % 3] AS document FROM range(60) t(i)"
    )
    return connection.table("memory.main.m")


@pytest.mark.filterwarnings("ignore:the column 'document' is not read")
@every_row("theirs", OF_THEIRS)
def test_a_connections_own_settings_change_no_score(theirs):
    """A view of our name was scored in place of the table: precision 1/7 for 5/6."""
    connection = duckdb.connect()
    rows = of_a_user(connection)
    connection.execute(theirs)
    assert scored_by_columns(rows) == scored_without_any()


@cache
def scored_without_any():
    return scored_by_columns(of_a_user(duckdb.connect()))


def scored_by_columns(rows):
    """By entities with numbers and with names; of all rows, and by document."""
    columns = [{}, {"key": "name", "document": "document"}]
    reports = [evaluate(from_table(rows, **of), metrics=["muc", "b3", "ceafe"]) for of in columns]
    return [(report.total, report.documents) for report in reports]


def test_nothing_is_left_in_a_users_connection():
    connection = samples()
    tables = "SELECT table_name FROM information_schema.tables"
    before = connection.sql(tables).fetchall()
    table = from_table(connection.table("m"))
    first = evaluate(table, metrics="b3", singletons="drop").total
    assert connection.sql(tables).fetchall() == before == [("m",)]
    connection.close()
    assert evaluate(table, metrics="b3", singletons="drop").total == first


@every_row(
    "type, names",
    [
        ("HUGEINT", ["170141183460469231731687303715884105726", "-5"]),
        ("UHUGEINT", ["340282366920938463463374607431768211455", "7"]),
        ("UUID", ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"]),
        ("ENUM('b', 'a')", ["a", "b"]),
        ("VARCHAR COLLATE NOCASE", ["A", "a"]),
    ],
)
def test_documents_keep_their_names_on_the_way(type, names):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE m (key INT, response INT, doc {type})")
    for name in names:
        connection.execute(f"INSERT INTO m VALUES (1, 1, '{name}'), (1, 2, '{name}')")
    report = evaluate(from_table(connection.table("m"), document="doc"), metrics=["b3", "ceafe"])
    assert {*map(str, report.documents)} == {*names}
    assert report.total["ceafe"].exact.recall == Fraction(2, 3)


# CSV as it is written


def scores_of_csv(text, name="t.csv", metrics=("mentions", "b3")):
    Path(name).write_text(text, encoding="utf-8", newline="")
    return evaluate(name, metrics=list(metrics)).total


CSV = [(content("csv", text).decode(), outcome) for text, outcome in lines_of("readers/csv")]


@pytest.mark.proof
@every_row("text, outcome", [case for case in CSV if not case[1].startswith("refused")])
@pytest.mark.filterwarnings("ignore:column .* are taken for two names")
def test_csv_is_read_as_it_is_written(folder, text, outcome):
    """DuckDB found the dialect by itself: an apostrophe took rows away, without a word."""
    mentions, b3 = outcome.split()
    total = scores_of_csv(text)
    assert total["mentions"].counts.recall == (int(mentions), int(mentions))
    assert total["b3"].exact.f1 == Fraction(b3)


@every_row("text, outcome", [case for case in CSV if case[1].startswith("refused")])
def test_csv_that_is_refused(folder, text, outcome):
    with pytest.raises(CorefError) as refused:
        scores_of_csv(text)
    assert_names(str(refused.value), outcome.partition(": ")[2])


def test_a_csv_field_may_be_a_whole_text(folder):
    """Python's csv stops at 131,072 characters, DuckDB at a line of two million."""
    for size in (200_000, 3_000_000):
        assert scores_of_csv(f"text,key,response\n{'x' * size},1,1\nb,1,1\n")["b3"].exact.f1 == 1


def test_csv_of_many_apostrophes_is_that_of_labels(folder):
    """967 of 2,000 rows were left."""
    rng = random.Random(1)
    rows = [(rng.choice(["he", "she", "it", "'"]), rng.randrange(9), rng.randrange(9))
            for _ in range(2000)]  # fmt: skip
    for name, separator in (("t.csv", ","), ("t.tsv", "\t"), ("t.csv.gz", ";")):
        text = "".join(
            f"{separator.join(map(str, row))}\n" for row in [("w", "key", "response"), *rows]
        )
        data = gzip.compress(text.encode()) if name.endswith("gz") else text.encode()
        Path(name).write_bytes(data)
        labels = [[str(row[place]) for row in rows] for place in (1, 2)]
        assert evaluate(name).total == evaluate(from_labels(*labels)).total


ODD = ["'", "#1", "#", "'a", '"', '""', 'a"b', "he,she", "a;b", "a\tb", "a|b", "x\ny", "1e2", "100"]
ODD += ["0x10", "16", "01", "1", "é", "\\N", 'a\\"', "--", "O'Brien", "2011-06-23", " a", "a "]


@pytest.mark.proof
@pytest.mark.filterwarnings("ignore:column .* are taken for two names")
@pytest.mark.filterwarnings("ignore:.*is taken for an entity")
@pytest.mark.filterwarnings("ignore:the key and the response share no mention")
@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, 150), marks=pytest.mark.release)]
)
def test_odd_csv_files_are_read_as_by_python(folder, seeds):
    for seed in seeds:
        rng = random.Random(seed)
        separator = rng.choice(",;\t|")
        pool = rng.sample(ODD, rng.randrange(2, 9))
        columns = ["key", "response", *rng.sample(["text", "it's", "#id", 'q"t'], rng.randrange(3))]
        rows = [[rng.choice(pool) for _ in columns] for _ in range(rng.randrange(1, 30))]
        with open("t.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=separator, quoting=rng.choice([0, 1, 2]))
            writer.writerows([columns, *rows])
        expected = from_labels(*([row[place] for row in rows] for place in (0, 1)))
        found = evaluate("t.csv", metrics=["mentions", "b3", "ceafe"])
        assert found.total == evaluate(expected, metrics=["mentions", "b3", "ceafe"]).total, seed


def test_a_number_in_two_spellings_is_warned_of(folder):
    with pytest.warns(UserWarning, match="column 'key' has '1' and '1.0', .* two names") as told:
        assert scores_of_csv("key,response\n1,1\n1.0,1\n")["b3"].exact.recall == 1
    assert len(told) == 1
    with pytest.warns(UserWarning, match="column 'd' has '01' and '1'"):
        Path("t.csv").write_text("d,key,response\n01,1,1\n1,1,1\n")
        evaluate(from_table("t.csv", document="d"), metrics="b3")
    scores_of_csv("key,response\n1.0,a1\n1.0,a01\n2,a1\n9007199254740993,a\n9007199254740992,a\n")
    duckdb.sql("SELECT 1.0::DOUBLE AS key, 1 AS response FROM range(2)").write_parquet("t.parquet")
    assert from_table("t.parquet").key_sizes == [2]


# The same columns at both doors

VALUES = [1, 1.0, 2, 2.5, -1, -3, "1", "x", "x", "none", "nan", "-1", True, False, None, math.nan]
VALUES += [np.int64(1), np.float32(2), np.str_("x"), pd.NA, pd.NaT, Fraction(1), Decimal(1)]
COLUMNS = st.lists(
    st.tuples(*[st.sampled_from(VALUES)] * 2, st.sampled_from([1, 1.0, "1", "d", "e", 2])),
    min_size=1,
    max_size=6,
)


def scored_or_refused(door):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            report = evaluate(door(), metrics=["mentions", "muc", "b3", "ceafe"])
        except CorefError as error:
            return str(error)
    return report.total, report.documents, [str(each.message) for each in warned]


@given(rows=COLUMNS, kind=st.sampled_from(["object", "category"]), by=st.booleans())
@settings(max_examples=150)
def test_both_doors_agree_on_columns_of_objects(rows, kind, by):
    """1 and 1.0 were two entities by one door: precision 1/2 for 3/4."""
    frame = pd.DataFrame(rows, columns=["key", "response", "name"], dtype=object)
    with suppress(TypeError, ValueError):  # values that pandas cannot make categories of
        frame = frame.astype(kind)
    names = frame["name"] if by else None
    expected = scored_or_refused(lambda: from_labels(frame["key"], frame["response"], names))
    named = {"document": "name"} if by else {}
    assert scored_or_refused(lambda: from_table(frame, **named)) == expected


def test_columns_of_two_types():
    key, response = [1, 1.0, 2, "x"], ["a", "a", "b", "b"]
    frame = pd.DataFrame({"key": pd.Series(key, dtype=object), "response": response})
    assert evaluate(from_table(frame), metrics="b3").total["b3"].exact.precision == Fraction(3, 4)
    for wrong, told in (([1, "1"], "as a text and as a number"), (["a", True], "not a bool")):
        frame = pd.DataFrame({"key": pd.Series(wrong, dtype=object), "response": [1, 1]})
        with pytest.raises(CorefError, match=told):
            from_table(frame)
    frame = pd.DataFrame({"key": ["a", 1], "response": [1, 1], "doc": ["d", "e"]})
    with pytest.warns(match="the column 'doc' is not read"):
        from_table(frame)
    with pytest.raises(CorefError, match="there is no column 'keys'; expected key, response, doc"):
        from_table(frame, key="keys")


def test_a_long_file_that_pandas_reads_in_pieces():
    """The first piece has gaps, so its labels were 1.0, and those of the last one "1"."""
    text = "key,response\n" + "".join(f"{i % 9 or ''},{i % 9}\n" for i in range(300_000))
    text += "".join(f"{i % 9},{i % 9}\n" for i in range(300_000)) + "x,1\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pd.errors.DtypeWarning)
        frame = pd.read_csv(io.StringIO(text))
    with pytest.raises(CorefError, match="reads a long column in pieces"):
        from_table(frame)
