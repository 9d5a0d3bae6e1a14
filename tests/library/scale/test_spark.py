"""A table that Spark counts is that of label arrays: `make spark` installs Spark, and runs this."""

import os
import random
import shutil
import sys
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from kinds import WITHOUT_ORDER

from corefeval import evaluate, from_labels, from_table

INSTALLED = Path(__file__).parents[3] / ".tools" / "spark"
MENTIONS, DOCUMENTS = 3_000, 30
NEARLY = ("h",)
"""It adds logarithms as floats, in the order in which triples come."""


@pytest.fixture
def spark(monkeypatch, tmp_path):
    """A session of Spark, which fails where it cannot be had: who asks for it wants it seen."""
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        pytest.fail("Spark needs Java 17 or a later one: install it, or say JAVA_HOME")
    monkeypatch.setattr(sys, "path", [*sys.path, str(INSTALLED)])
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        pytest.fail("pyspark is not there: make spark installs it, and runs this test")
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path))
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


def labels() -> dict[str, list[int]]:
    """Entities of all sizes; a mention in ten is on one side alone, a few documents are alike."""
    rng = random.Random(2014)
    columns: dict[str, list[int]] = {"key": [], "response": [], "document": []}
    for number in range(MENTIONS):
        key = min(int(rng.paretovariate(0.8)), 40)
        document = number % DOCUMENTS
        is_alike = document < 3 or rng.random() < 0.8
        response = key if is_alike else rng.randrange(1, 40)
        lacking = rng.choice(["key", "response"]) if rng.random() < 0.1 else ""
        columns["key"].append(-1 if lacking == "key" else key)
        columns["response"].append(-1 if lacking == "response" else response)
        columns["document"].append(document)
    return columns


@pytest.mark.release
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("document", [None, "document"], ids=["one document", "documents"])
def test_spark_counts_the_table_of_labels(spark, tmp_path, document):
    """All measures that do not ask for the order of entities, which a database has not."""
    columns = labels()
    file = str(tmp_path / "mentions.parquet")
    names = ["key", "response", *([document] if document else [])]
    duckdb.from_df(pd.DataFrame(columns)[names]).write_parquet(file)
    table = from_table(spark.read.parquet(file), document=document)
    found = evaluate(table, metrics=WITHOUT_ORDER)
    expected = evaluate(from_labels(*(columns[name] for name in names)), metrics=WITHOUT_ORDER)
    assert len(found.documents) == (DOCUMENTS if document else 1)
    for name, score in expected.total.items():
        if name in NEARLY:
            parts = found.total[name].exact.parts
            assert parts == pytest.approx(score.exact.parts, rel=0, abs=1e-12)
        else:
            assert found.total[name] == score, name
    for of_document, scores in zip(
        found.documents.values(), expected.documents.values(), strict=True
    ):
        for name in (name for name in WITHOUT_ORDER if name not in NEARLY):
            assert of_document[name] == scores[name], name
