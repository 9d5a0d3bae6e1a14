"""Tables that an engine counts are those of label arrays."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefeval import (
    Contingency,
    CorefError,
    Partition,
    cli,
    evaluate,
    from_labels,
    from_table,
    metric,
)
from corefeval.contingency import KEY, LEFT, RESPONSE
from corefeval.conventions import CHOICES
from corefeval.registry import MEASURES
from corefeval.scale import engine
from corefeval.twinless import POLICIES

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: corefeval[duckdb]")

LABEL = st.sampled_from([None, -1, 0, 1, 2, 3])
ROWS = st.lists(st.tuples(st.sampled_from("xyz"), LABEL, LABEL), min_size=1, max_size=25)
WITHOUT_ORDER = [name for name in MEASURES if name != "xc"]
"""The order of entities settles XC's ties, and a table in an engine has none."""
APART = [name for name in WITHOUT_ORDER if name not in ("dmt", "derr", "h", "kappa")]
"""The measures that count recall and precision apart, as some choices of twinless need."""


def relation(rows, columns="document, key, response"):
    def sql(value):
        return "NULL" if value is None else repr(value)

    values = ", ".join(f"({', '.join(map(sql, row))})" for row in rows)
    connection = duckdb.connect()
    connection.execute("SET threads = 1")  # quicker for so little
    return connection.sql(f"SELECT * FROM (VALUES {values}) AS t({columns})")


def sides(rows):
    """The same as two mappings from documents to entities."""
    documents = sorted({document for document, *_ in rows})
    return [
        {
            document: Partition.from_labels(
                {
                    place: row[side]
                    for place, row in enumerate(rows)
                    if row[0] == document and row[side] not in (None, -1)
                }
            )
            for document in documents
        }
        for side in (1, 2)
    ]


def assert_same(found, expected):
    assert list(found.documents) == list(expected.documents)
    for name, score in expected.total.items():
        if name == "h":  # doubles, added in another order
            assert found.total[name].parts == pytest.approx(score.parts)
        else:
            assert found.total[name] == score, name
            for document, scores in expected.documents.items():
                assert found.documents[document][name] == scores[name], name


@pytest.mark.parametrize("singletons", CHOICES["singletons"])
@settings(max_examples=5, deadline=None)
@given(rows=ROWS)
def test_scores_are_those_of_partitions(rows, singletons):
    table = from_table(relation(rows), document="document")
    key, response = sides(rows)
    for twinless in POLICIES:
        together = twinless not in ("stoyanov_0", "stoyanov_all", "cai_strube")
        names = WITHOUT_ORDER if together else APART
        chosen = {"twinless": twinless, "singletons": singletons}
        assert_same(
            evaluate(table, metrics=names, **chosen), evaluate(key, response, names, **chosen)
        )


@pytest.mark.parametrize("side", (KEY, RESPONSE))
@pytest.mark.parametrize("what", LEFT)
@settings(max_examples=5, deadline=None)
@given(rows=ROWS)
def test_what_is_left_of_a_side_is_the_same_in_every_kind_of_table(what, side, rows):
    labels = zip(*((k, r) for _, k, r in rows), strict=True)
    key, response = ([None if label == -1 else label for label in each] for each in labels)
    partitions = (Partition.from_labels(dict(enumerate(each))) for each in (key, response))
    expected = Contingency.of(*partitions).without(what, side)
    table = from_table(relation(rows)).without(what, side)
    for t in (from_labels(key, response).without(what, side), table):
        for got, want in ((t, expected), (t.T, expected.T)):
            assert got.triples == want.triples
            for of in ("size", "shared", "core"):
                assert got.histogram(0, of) == want.histogram(0, of)


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([(1, 2)], {"key": "k"}, "there is no column 'k'; expected key, response"),
        ([(1, 2)], {"document": "d"}, "there is no column 'd'; expected key, response"),
        ([(-2, 2), (-3, 1)], {}, "column 'key' has '-2'.*2 such rows.*expected labels from 0 on"),
        ([(1, 0.5)], {}, "column 'response' has '0.5'"),
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
    with pytest.raises(CorefError, match=r"the engine says: .*No files found.*/nowhere.parquet"):
        from_table("/nowhere.parquet")


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "x"), ("a", "x"), (None, "y"), ("b e", None)],
        [(1.0, float("nan")), (1.0, 3.0), (-1.0, 3.0), (2.0, 4.0)],
        [(0, -1), (0, 2**62), (5, 2**62), (5, 2**62 + 1)],
    ],
)
def test_labels_are_those_of_arrays(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["key", "response"])
    table = from_table(frame)
    arrays = from_labels(*([row[side] for row in rows] for side in (0, 1)))
    for t, expected in ((table, arrays), (table.T, arrays.T)):
        assert t.triples == expected.triples
        assert t.key_histogram == expected.key_histogram
        assert t.shared_histogram == expected.shared_histogram
        assert t.core_histogram == expected.core_histogram
        assert sorted(t.key_sizes) == sorted(expected.key_sizes)


def test_xc_takes_entities_in_the_order_of_their_labels():
    """Labels that first appear in that order have that of arrays, too."""
    key, response = [0, 0, 1, 1, 2, 2, -1], [0, 1, 0, 1, 2, -1, 3]
    table = from_table(relation(zip(key, response, strict=True), "key, response"))
    assert metric("xc").of_table(table) == metric("xc").of_table(from_labels(key, response))
    scores = evaluate({"d": "{a b} {c d}"}, {"d": "{a b c} {d}"}, "b3", singletons="drop")
    table = from_table(relation([(0, 0), (0, 0), (1, 0), (1, 1)], "key, response"))
    assert metric("b3", singletons="drop").of_table(table) == scores.total["b3"]


def test_pairs_are_fetched_only_where_they_are_needed_and_fit(monkeypatch):
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
    with pytest.raises(CorefError, match=r"'document' has 'NULL'.*a document for each"):
        from_table(relation([("x", 1, 1), (None, 1, 1)]), document="document")


def test_without_duckdb(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(CorefError, match=r"pip install 'corefeval\[duckdb\]'"):
        from_table("mentions.parquet")


def test_the_program_of_a_bundle_that_pools_needs_one_document():
    table = from_table(relation([("x", 1, 1), ("y", 1, 1)]), document="document")
    with pytest.raises(CorefError, match="leave out their column"):
        evaluate(table, like="hf_coval")


def test_documents_that_a_side_lacks_are_not_left_out_of_a_table():
    """A table does not tell them from documents in which a side has no mention."""
    rows = [("x", 1, 1), ("y", None, 1)]
    table = from_table(relation(rows), document="document")
    for chosen in ({"missing": "skip"}, {"like": "ua1"}, {"like": "reference"}):
        with pytest.raises(CorefError, match="'y': the key has no mention in it, and"):
            evaluate(table, metrics="b3", **chosen)
    assert len(evaluate(table, metrics="b3", missing="empty")) == 2
    of_key = from_table(relation([("x", 1, 1), ("y", 1, None)]), document="document")
    assert evaluate(of_key, metrics="b3", like="reference").total["b3"].recall == 1 / 2
    with pytest.raises(CorefError, match="'y': the response has no mention"):
        evaluate(of_key, metrics="b3", missing="skip")
    both = from_table(relation([("x", 1, 1), ("y", 1, 1)]), document="document")
    assert len(evaluate(both, metrics="b3", missing="skip")) == 2


def test_documents_whose_names_are_lists():
    table = duckdb.sql("SELECT [1] AS document, 1 AS key, 1 AS response")
    with pytest.raises(CorefError, match=r"'document' is of type INTEGER\[\]; expected names"):
        from_table(table, document="document")


# Files

KEY = "mention,entity\n01,a\n2,a\n3,b\n4,\n"
RESPONSE = "mention,cluster,other\n01,1,x\n2,2,x\n3,2,x\n1,2,x\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.csv").write_text(KEY)
    (tmp_path / "response.csv").write_text(RESPONSE)
    (tmp_path / "twice.csv").write_text("mention,entity\n01,a\n01,b\n")
    (tmp_path / "unnamed.csv").write_text("mention,entity\n01,a\n,b\n")
    (tmp_path / "both.csv").write_text("doc,key,response\nx,a,1\nx,a,1\ny,,2\ny,b,2\n")
    duckdb.connect().read_csv("response.csv", dtype={"mention": "VARCHAR"}).write_parquet(
        "response.parquet"
    )


@pytest.mark.parametrize("response", ["response.csv", "response.parquet"])
def test_two_files_are_joined_on_their_mentions(response, files, capsys):
    command = ["score", "key.csv", response, "--columns", "entity", "cluster", "--format", "csv"]
    assert cli.main(command) == 0
    printed = capsys.readouterr().out.splitlines()[1:]
    key, expected = [["01", "2"], ["3"]], [["01"], ["2", "3", "1"]]
    for line, (name, score) in zip(
        printed, evaluate({"d": key}, {"d": expected}).total.items(), strict=True
    ):
        assert line.split(",")[1] == name and line.split(",")[4] == str(float(score.f1))


def test_names_that_are_numbers_in_one_file_and_texts_in_the_other(files):
    rows = "(VALUES (2, 1), (3, 1), (7, 2)) m(mention, cluster)"
    duckdb.sql(f"FROM {rows}").write_parquet("numbers.parquet")
    for one, other in (("key.csv", "numbers.parquet"), ("numbers.parquet", "key.csv")):
        score = evaluate(one, other, "mentions").total["mentions"]
        assert score.recall == score.precision == Fraction(2, 3)


def test_documents_that_one_of_two_files_lacks(files, capsys):
    Path("one.csv").write_text("doc,mention,entity\nx,1,1\ny,1,1\n")
    Path("other.csv").write_text("doc,mention,entity\nx,1,1\n")
    command = ["score", "--document", "doc", "--metric", "mentions"]
    for files, lacks in (("one.csv other.csv", "response"), ("other.csv one.csv", "key")):
        assert cli.main([*command, *files.split()]) == 2
        assert f"one.csv: document 'y' is not in the {lacks}" in capsys.readouterr().err
        assert cli.main([*command, *files.split(), "--missing", "empty"]) == 0


def test_one_file_has_both_sides_and_documents(files, capsys):
    command = ["score", "both.csv", "--document", "doc", "--per-document", "--metric", "mentions"]
    assert cli.main(command) == 0
    printed = [line.split() for line in capsys.readouterr().out.splitlines()[1:4]]
    assert printed == [
        ["x", "mentions", "100.00", "100.00", "100.00"],
        ["y", "mentions", "100.00", "50.00", "66.67"],
        ["TOTAL", "mentions", "100.00", "75.00", "85.71"],
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("key.csv response.csv", "response.csv: expected mention and one column more, got"),
        ("key.csv nowhere.csv", "nowhere.csv: the engine says: IO Error: No files found"),
        ("key.csv twice.csv", "twice.csv: mention '01' is in 2 rows"),
        ("unnamed.csv key.csv", "unnamed.csv: mention None is in 1 rows; expected a name"),
        ("both.csv key.csv", "both.csv: there is no column 'mention'; expected doc, key, response"),
        ("key.csv", "key.csv: there is no column 'key'; expected mention, entity"),
        ("both.csv --columns key other", "both.csv: there is no column 'other'"),
        ("key.csv twice.csv --document doc", "key.csv: there is no column 'doc'"),
        ("key.conll --document doc", "--columns and --document are for Parquet and CSV files"),
        ("both.csv --offsets inclusive", "offsets='inclusive' concerns the reading of files"),
    ],
)
def test_files_that_are_refused(arguments, message, files, capsys):
    assert cli.main(["score", *arguments.split()]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"corefeval: error: {message}") and not printed.out
