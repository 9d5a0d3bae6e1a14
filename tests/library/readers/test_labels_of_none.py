"""A label that may mean that there is none, such as ``_``, is scored as an entity, and told.

If one of these failed, gaps that a format writes as texts would be an entity without a word, or
names of entities would be warned of.
"""

import re
import warnings

import pytest

from corefeval import CorefError, Partition, evaluate, from_labels, from_table, metric
from corefeval.cli import main

NONE = ["_", "-", "NIL", "O", "none", "NONE", "nil", "n/a", "na", "Null", "NAN", "--", " -", "nat "]
KEY, RESPONSE = ["A", "A", "?", "?", "B"], ["x", "x", "y", "y", "y"]
MENDED = "recall 1, precision 7/15, f1 7/11"
"""By hand, B³ of {1 2} {5} and {1 2} {3 4 5}: 4/4 + 4/4 … : recall (1 + 1 + 1)/3, precision
(1 + 1 + 1/3 + 0 + 0)/5."""


def texts(label):
    return [label if each == "?" else each for each in KEY]


def told(scored):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        scored()
    return [str(each.message) for each in found]


@pytest.mark.parametrize("label", NONE)
def test_lists_and_columns(label):
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(texts(label))
    for labels in (texts(label), column, column.to_numpy()):
        (message,) = told(lambda labels=labels: from_labels(labels, pandas.Series(RESPONSE)))
        assert f"label {label!r} is taken for an entity" in message
        of_list, of_column = re.search(
            r"give (\[.*?\[.*?\].*?\]), .* (labels\.mask\(.*?\]\)\))", message
        ).groups()
        assert eval(of_list, {"labels": labels}) == texts(None)
    mended = eval(of_column, {"labels": column})
    assert str(metric("b3")(from_labels(mended, pandas.Series(RESPONSE)))) == MENDED


@pytest.mark.parametrize("label", NONE)
def test_mappings(label):
    labels = dict(enumerate(texts(label)))
    (message,) = told(lambda: Partition.from_labels(labels))
    typed = re.search(r"\{.*\}", message)[0]
    assert eval(typed, {"labels": labels}) == {0: "A", 1: "A", 4: "B"}


@pytest.mark.proof
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize("label", NONE)
def test_files(label, ending, folder, capsys):
    duckdb = pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"key": texts(label), "response": RESPONSE})
    name = f"it's.{ending}"
    if ending == "parquet":
        duckdb.sql("FROM frame").write_parquet(name)
    else:
        frame.to_csv(name, index=False, sep="\t" if ending == "tsv" else ",")
    assert main(["score", name, "--columns", "key", "response", "--metric", "b3"]) == 0
    (message,) = capsys.readouterr().err.splitlines()
    assert f"column 'key': the label {label!r} is taken" in message
    eval(re.search(r"duckdb\.sql.*", message)[0], {"duckdb": duckdb})
    mended = lambda: from_table("mended.csv")  # noqa: E731
    assert not told(mended) and str(metric("b3")(mended())) == MENDED


def test_two_files(folder, capsys):
    duckdb = pytest.importorskip("duckdb")
    for side, labels in (("k", texts("_")), ("r", texts("O"))):
        rows = "".join(f"m{n},{each}\n" for n, each in enumerate(labels))
        (folder / f"{side}.csv").write_text(f"mention,entity\n{rows}")
    assert main(["score", "k.csv", "r.csv"]) == 0
    first, second = capsys.readouterr().err.splitlines()
    assert "'_'" in first and "k.csv" in first and "'O'" in second and "r.csv" in second
    relation = duckdb.sql("SELECT * FROM (VALUES ('_', 'a'), ('b', 'a')) t(key, response)")
    (message,) = told(lambda: from_table(relation))
    assert "nullif(\"key\", '_')" in message


@pytest.mark.parametrize("text", ["None", "null", "N/A", "nan", "", "-1"])
@pytest.mark.parametrize("blank", ["", " ", "\t", "\n", "\u00a0"])
def test_what_is_refused_with_blanks_around_it(text, blank):
    """A table took a tab for a part of the name."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("duckdb")
    labels = [f"{blank}{text}{blank}", "A", "A"]
    frame = pandas.DataFrame({"key": pandas.array(labels, dtype="string"), "response": [1, 1, 2]})
    for door in (
        lambda: from_labels(labels, [1, 1, 2]),
        lambda: from_table(frame),
        lambda: Partition.from_labels(dict(enumerate(labels))),
    ):
        with pytest.raises(CorefError, match="expected"):
            door()


@pytest.mark.parametrize("label", NONE)
def test_tables_say_what_lists_say(label):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("duckdb")
    column = pandas.array(texts(label), dtype="string")
    frame = pandas.DataFrame({"key": column, "response": RESPONSE})
    (message,) = told(lambda: from_table(frame))
    assert f"column 'key': the label {label!r} is taken for an entity" in message


NAMES = {
    "in other words": ["_A", "O'Hara", "Nile", "nobody", "-a-"],
    "of all": ["O", "O", "O", "O", "O"],
    "numbers": [0, 1, -1, 2, 3],
}


@pytest.mark.parametrize("labels", NAMES.values(), ids=NAMES)
def test_what_is_no_such_label(labels):
    assert not told(lambda: from_labels(labels, RESPONSE))
    assert not told(lambda: evaluate({"d": "{O _} {-}"}, {"d": "{O _} {-}"}, "muc")), "a mention"
