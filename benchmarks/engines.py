"""Tables in a database: DuckDB against its bare GROUP BY, and Spark against DuckDB's figures.

python benchmarks/engines.py duckdb ROWS ROUNDS [FILE]    also writes the table as Parquet
python benchmarks/engines.py spark FILE

Each prints its stages as lines of JSON. The table is made inside the engine: four mentions an
entity, and a tenth of the mentions in the response entity of one of the ten before them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from costs import HERE, PYTHON, WORK, Part, by_stage, ratio, row, target, walls
from stages import say, timed

ROWS = {10_000_000: 5, 100_000_000: 3}
"""How many rows, and how often the engine counts them."""
SUITE = ("mentions", "muc", "b3", "blanc", "lea")
"""The standard suite without the measures that align entities."""
BEFORE = "i - CASE WHEN hash(i) % 10 = 0 THEN hash(i + 7) % 10 ELSE 0 END"
MENTIONS = (
    f"SELECT i // 4 AS key, greatest({BEFORE}, 0)::BIGINT // 4 AS response "
    "FROM range({}) AS numbers(i)"
)
BARE = "SELECT max(n) FROM (SELECT count(*) AS n FROM mentions GROUP BY key, response)"


def suite(table: Any) -> dict[str, str]:
    """The suite's exact counts, in words."""
    from corefeval import evaluate, from_table

    counted = from_table(table)
    report = evaluate(counted, metrics=SUITE)
    scores = {name: str(score.counts) for name, score in report.total.items()}
    return {**scores, "distinct triples": str(len(counted.triples))}


def duckdb(rows: int, rounds: int, file: str | None = None) -> None:
    """The table, and in turn the bare GROUP BY over its pairs and the suite."""
    import duckdb

    connection = duckdb.connect()
    timed("table", connection.execute, f"CREATE TABLE mentions AS {MENTIONS.format(rows)}")
    for _ in range(rounds):
        timed("bare GROUP BY", lambda: connection.execute(BARE).fetchall())
        scores = timed("suite without CEAF", suite, connection.table("mentions"))
    say("scores", scores=scores)
    if file:
        connection.table("mentions").write_parquet(file)


def spark(file: str) -> None:
    """The suite of a Parquet file in Spark's local mode."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    say("scores", scores=timed("suite without CEAF", suite, session.read.parquet(file)))


def lines(*arguments: object, python: str = PYTHON) -> Iterator[dict[str, Any]]:
    """The stages that a process of this file prints."""
    command = [python, HERE / "engines.py", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    output = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout
    return map(json.loads, output.splitlines())


def engines() -> Part:
    """DuckDB on tables of all sizes."""
    part: Part = {"rows": [], "targets": []}
    for rows, rounds in ROWS.items():
        samples = by_stage(lines("duckdb", rows, rounds))
        scores = samples.pop("scores")[0]["scores"]
        bare, whole = walls(samples["bare GROUP BY"]), walls(samples["suite without CEAF"])
        part["rows"] += [
            row(stage, costs, rows=rows, triples=int(scores["distinct triples"]))
            for stage, costs in samples.items()
        ]
        what = f"{rows:,} mentions in DuckDB: table and suite without CEAF"
        part["targets"].append(target(what, ratio(whole, bare), 3.5, "× bare GROUP BY"))
    return part


def in_spark() -> Part:
    """The smallest table in Spark, whose figures are to be DuckDB's."""
    environment, file = WORK / "spark", WORK / "mentions.parquet"
    uv = os.environ.get("UV", "uv")
    if not environment.exists():
        subprocess.run([uv, "venv", "--quiet", "--python", PYTHON, environment], check=True)
    python = str(environment / "bin/python")
    install = [uv, "pip", "install", "--quiet", "--python", python, "pyspark==4.3.0", "numpy"]
    subprocess.run(install, check=True)
    ours = by_stage(lines("duckdb", min(ROWS), 1, file))
    theirs = by_stage(lines("spark", file, python=python))
    differing = [
        name
        for name, counts in ours["scores"][0]["scores"].items()
        if theirs["scores"][0]["scores"][name] != counts
    ]
    what = f"{min(ROWS):,} mentions in Spark: counts that differ from DuckDB's"
    return {
        "rows": [
            row(engine, samples["suite without CEAF"], rows=min(ROWS))
            for engine, samples in (("Spark", theirs), ("DuckDB", ours))
        ],
        "targets": [target(what, len(differing), 0, "counts", ", ".join(differing))],
    }


if __name__ == "__main__":
    {"duckdb": lambda rows, rounds, *file: duckdb(int(rows), int(rounds), *file), "spark": spark}[
        sys.argv[1]
    ](*sys.argv[2:])
