"""Tables that an engine counts are those of label arrays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefeval import Contingency, CorefError, Partition, evaluate
from corefeval.conventions import CHOICES
from corefeval.registry import MEASURES
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
    return duckdb.connect().sql(f"SELECT * FROM (VALUES {values}) AS t({columns})")


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
@settings(max_examples=8, deadline=None)
@given(rows=ROWS)
def test_scores_are_those_of_partitions(rows, singletons):
    table = Contingency.from_table(relation(rows), document="document")
    key, response = sides(rows)
    for twinless in POLICIES:
        together = twinless not in ("stoyanov_0", "stoyanov_all", "cai_strube")
        names = WITHOUT_ORDER if together else APART
        chosen = {"twinless": twinless, "singletons": singletons}
        assert_same(
            evaluate(table, metrics=names, **chosen), evaluate(key, response, names, **chosen)
        )


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
        Contingency.from_table(relation(rows, "key, response"), **columns)


def test_no_rows_and_no_table():
    with pytest.raises(CorefError, match="no rows"):
        Contingency.from_table(relation([(1, 1)], "key, response").filter("key > 1"))
    with pytest.raises(CorefError, match="expected a table or query of DuckDB or Spark"):
        Contingency.from_table([1, 2])
    with pytest.raises(CorefError, match=r"/nowhere.parquet: the engine says: .*No files found"):
        Contingency.from_table("/nowhere.parquet")
