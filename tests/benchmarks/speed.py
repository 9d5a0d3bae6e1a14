"""What corefeval costs, in CPU time: `make bench` runs this, and prints what was kept beside it.

Each entry of `COMMANDS` and of `IN_MEMORY` is a cost. What comes as files is a whole process, from
its start to its last line; what comes from memory is timed in this one, without what prepares it.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import generate
import numpy as np
import pandas
import pytest

import corefeval


def cpu() -> float:
    """CPU seconds of this process, and of those that it has waited for."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


pytestmark = pytest.mark.benchmark(timer=cpu)

# Files

PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A process of its own, because a peak is at least that of the process that starts the command."""
UNIT = 1_000_000 if sys.platform == "darwin" else 1_000
"""What a peak is divided by, to be in MB: macOS counts in bytes, Linux in kilobytes."""

SMALL, MIDDLE, LARGE = "348 documents", "10,000 mentions", "100,000 mentions"
FILES: dict[str, Callable[[Path], list[Path]]] = {
    SMALL: lambda folder: generate.write(generate.ontonotes_like(), "conll", folder),
    MIDDLE: lambda folder: generate.write(generate.one_document(10_000), "conll", folder),
    LARGE: lambda folder: generate.write(generate.one_document(100_000, tail=0.9), "conll", folder),
    "JSON lines": lambda folder: generate.write(generate.ontonotes_often(), "jsonl", folder),
    "CorefUD": lambda folder: generate.write(generate.ontonotes_often(), "conllu", folder),
    "folders": lambda folder: folders(folder),
}
"""How the two sides of a corpus are written."""


def folders(folder: Path) -> list[Path]:
    """A file for each document, in a folder a side."""
    for number, document in enumerate(generate.ontonotes_like()):
        generate.write([document], "conll", folder, f"{number:04}")
    return [folder / "key", folder / "response"]


COMMANDS = {
    **{
        f"{command}, CoNLL, {size}": (size, command)
        for command in ("score", "explain", "anatomy")
        for size in (SMALL, MIDDLE, LARGE)
    },
    "score, folders of CoNLL files": ("folders", "score"),
    "score, JSON lines": ("JSON lines", "score"),
    "score, CorefUD": ("CorefUD", "score"),
    "score, CorefUD, by heads": ("CorefUD", "score", "--match", "head"),
}
"""A corpus, and what is done with it."""


@pytest.fixture(scope="session")
def corpora(tmp_path_factory):
    """Writes a corpus once; gives its two sides."""
    written: dict[str, list[Path]] = {}

    def pair(name: str) -> list[Path]:
        if name not in written:
            written[name] = FILES[name](tmp_path_factory.mktemp("corpus"))
        return written[name]

    return pair


@pytest.mark.parametrize("cost", COMMANDS)
def test_command(benchmark, corpora, cost):
    corpus, command, *options = COMMANDS[cost]
    program = str(Path(sys.executable).with_name("corefeval"))
    whole_process(benchmark, [program, command, *map(str, corpora(corpus)), *options])


@pytest.mark.parametrize("cost", ["import corefeval"])
def test_start(benchmark, cost):
    whole_process(benchmark, [sys.executable, "-c", cost])


def whole_process(benchmark: Any, command: list[str]) -> None:
    """Time a command, and run it once more for its peak memory."""
    how = {"check": True, "stdout": subprocess.DEVNULL}
    benchmark.pedantic(subprocess.run, (command,), how, rounds=5, warmup_rounds=1)
    watched = [sys.executable, "-I", "-S", "-c", PEAK, *command]
    peak = subprocess.run(watched, check=True, capture_output=True, text=True).stdout
    benchmark.extra_info["memory"] = round(int(peak) / UNIT, 1)


# In memory

MILLION = 1_000_000
EACH = 1_000
"""Mentions of a document, where labels come in documents."""
BARE = ("mentions", "muc", "b3", "blanc", "lea")
"""The standard suite without the measures that align entities."""
MENTIONS = """
CREATE TABLE mentions AS SELECT i // 4 AS key, greatest(i - CASE WHEN hash(i) % 10 = 0
THEN hash(i + 7) % 10 ELSE 0 END, 0)::BIGINT // 4 AS response FROM range(10_000_000) AS numbers(i)
"""
"""A tenth of the mentions are in the response entity of one of the ten before them."""

Work = Callable[[], Any]


def numbers(documents: bool = False) -> Work:
    columns = labels(MILLION, documents)
    return lambda: corefeval.from_labels(*columns)


def texts(documents: bool = False) -> Work:
    columns = [pandas.Series(generate.texts(each)) for each in labels(MILLION, documents)]
    return lambda: corefeval.from_labels(*columns)


def labels(mentions: int, documents: bool = False) -> list[np.ndarray]:
    """Labels of a key and a response, and of documents if they are wanted."""
    columns = list(generate.arrays(mentions))
    return [*columns, np.arange(mentions) // EACH] if documents else columns


def many_numbers() -> Work:
    columns = labels(10 * MILLION)
    return lambda: corefeval.from_labels(*columns)


def scored_numbers() -> Work:
    columns = labels(MILLION)
    return lambda: corefeval.evaluate(corefeval.from_labels(*columns)).total


def scored_rows() -> Work:
    connection = duckdb.connect()
    connection.execute(MENTIONS)
    table = connection.table("mentions")
    return lambda: corefeval.evaluate(corefeval.from_table(table), metrics=BARE).total


def one_by_one(documents: list[generate.Document]) -> Work:
    key, response = sides(documents)

    def work() -> Any:
        scorer = corefeval.Scorer("conll")
        for name, entities in key.items():
            scorer.update(entities, response[name], name)
        return scorer.compute().total

    return work


def all_at_once(documents: list[generate.Document]) -> Work:
    pair = sides(documents)
    return lambda: corefeval.evaluate(*pair, "conll").total


def sides(documents: list[generate.Document]) -> list[dict[str, Any]]:
    """The entities of both sides by the documents' names."""
    return [
        {each.name: list(getattr(each, side).values()) for each in documents}
        for side in ("key", "response")
    ]


IN_MEMORY: dict[str, Callable[[], Work]] = {
    "from_labels, a million numbers": numbers,
    "from_labels, a million numbers in documents": lambda: numbers(documents=True),
    "from_labels, a million texts": texts,
    "from_labels, a million texts in documents": lambda: texts(documents=True),
    "from_labels, ten million numbers": many_numbers,
    "evaluate, a million numbers": scored_numbers,
    "evaluate, ten million rows of DuckDB": scored_rows,
    "Scorer, 100 documents": lambda: one_by_one(generate.litbank_like()),
    "Scorer, 3,000 documents": lambda: one_by_one(generate.small_documents()),
    "evaluate, 3,000 documents": lambda: all_at_once(generate.small_documents()),
}


@pytest.mark.parametrize("cost", IN_MEMORY)
def test_in_memory(benchmark, cost):
    benchmark.pedantic(IN_MEMORY[cost](), rounds=5, warmup_rounds=1)
