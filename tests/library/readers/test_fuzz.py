"""Mutations of good input, by seeds: each gives a score of all its mentions, or a `CorefError`.

Files are mutated by bytes, pieces and lines, calls by odd objects, labels by types and indexes,
tables by types of names and by names of columns. Any other exception is a failure. It takes
seconds; with COREFEVAL_FUZZ=1000 there are a thousand seeds.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from mutations import accepted
from rows import every_row

from corefeval import (
    Contingency,
    CorefError,
    Partition,
    evaluate,
    from_labels,
    from_table,
    metric,
)
from corefeval.chance.significance import bootstrap, compare
from corefeval.measures import link_score
from corefeval.readers import read, read_pair

SEEDS = range(int(os.environ.get("COREFEVAL_FUZZ", "1")))
FILES, CALLS, LABELS, TABLES = 400, 3000, 300, 25
"""How many cases each seed gives."""

pytestmark = pytest.mark.proof

# Files

GOOD = """#begin document (d); part 000
d	0	0	Ann	(0)
d	0	1	sees	-
d	0	2	her	(1|(0)
d	0	3	cat	1)

#MeToo	0	0	it	(1)
# a comment
d	0	1	.	_
#end document
#begin document (e); part 001
d	0	0	a	(2
d	0	1	b	(3|2)
d	0	2	c	3)|(5)(6
.	0	3	d	6)
#end document
"""
PIECES = [
    *("(0)", "(0", "0)", "(1|(2", "(1(3", "3)1)", "(3(2)4)", "10", "14|(15", "()", "(a)", "-", "_"),
    *("|", "#", "# a", "\n#\t", "\t", " ", "\r", "\r\n", "\n", "\n\n", "\ufeff", "\x85", "\0", "é"),
    *("#begin document (d); part 000\n", "#begin document (f)\n", "#end document\n", "(9)|(9)"),
]


def begun(content: bytes) -> int:
    """How many brackets of last columns begin a mention."""
    lines = [line.split() for line in re.split("[\r\n]", content.decode())]
    columns = [line[-1] for line in lines if line]
    return sum(column.count("(") for column in columns if re.fullmatch("[0-9()|]+", column))


@pytest.mark.parametrize("seed", SEEDS)
def test_files(seed, folder, capsys):
    chance = random.Random(seed)
    for contents in accepted([(GOOD.encode(), ["--metric", "b3"])] * FILES, PIECES, chance, capsys):
        for name, content in zip(("key", "response"), contents, strict=True):
            found = sum(len(entities.mentions) for entities in read(name).values())
            assert found == begun(content), content


# Calls


class Nothing:
    """An object that no function knows."""


REPORT = evaluate(*2 * [dict.fromkeys(range(30), "{a b c} {d}")], "muc")
ODD: list[Callable[[], Any]] = [
    *(lambda each=each: each for each in (0, 5, -1, 0.5, 10**30, float("nan"), True, None, 1j)),
    *(lambda each=each: each for each in ("", "x", "{a b}", "A-B", "a\0b", "\udc80", "muc", "one")),
    *(lambda each=each: each for each in (b"ab", bytearray(b"ab"), (), ("a", "b"), (["a"], "b"))),
    *(lambda each=each: each for each in (Decimal("nan"), Fraction(1, 2), pd.NA, pd.NaT, int, len)),
    *(lambda each=each: each for each in (Path("nowhere"), Path(), range(3), Nothing(), Nothing)),
    lambda: [],
    lambda: [5],
    lambda: [[]],
    lambda: ["ab"],
    lambda: [b"ab"],
    lambda: [["a"], ["a"]],
    lambda: [[float("nan")]],
    lambda: [[pd.NA]],
    lambda: [[["a"]]],
    lambda: [("a", "b"), ("b", float("nan"))],
    lambda: [(["a"], "b")],
    lambda: [["muc"]],
    lambda: {},
    lambda: {"d": "{a b}"},
    lambda: {"d": 5},
    lambda: {"a": ["x"]},
    lambda: {("a", "b"): 1},
    lambda: {1, 2},
    lambda: iter([["a", "b"]]),
    lambda: (each for each in "ab"),
    lambda: np.array(3),
    lambda: np.array([1, 2]),
    lambda: np.array([[1, 2], [3, 4]]),
    lambda: np.array([None, [1]], object),
    lambda: pd.Series([1, None]),
    lambda: pd.DataFrame({"a": [1]}),
    lambda: Partition.parse("{a b}"),
    lambda: Contingency({(0, 0): 1}, [1], [1]),
    lambda: REPORT,
]
FUNCTIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "Partition": lambda x, y, z: Partition(x),
    "Partition, repeated": lambda x, y, z: Partition(x, repeated=y),
    "Partition, merged": lambda x, y, z: Partition(x, repeated="merge"),
    "Partition.from_labels": lambda x, y, z: Partition.from_labels(x),
    "Partition.from_links": lambda x, y, z: Partition.from_links(x, y),
    "Partition.parse": lambda x, y, z: Partition.parse(x),
    "Contingency": lambda x, y, z: Contingency(x, y, z),
    "Contingency.of": lambda x, y, z: Contingency.of(x, y),
    "from_labels": lambda x, y, z: from_labels(x, y),
    "from_table": lambda x, y, z: from_table(x, y, z),
    "from_table, columns": lambda x, y, z: from_table(pd.DataFrame({"key": [1]}), x, y, z),
    "evaluate, a table": lambda x, y, z: evaluate(from_labels([1, 2], [1, 1]), x, y),
    "Contingency.union": lambda x, y, z: Contingency.union(x),
    "Contingency.union of several": lambda x, y, z: Contingency.union([x, y]),
    "metric": lambda x, y, z: metric(x),
    "metric, zero": lambda x, y, z: metric("muc", zero=x),
    "a metric": lambda x, y, z: metric("muc")(x, y),
    "a metric, merged": lambda x, y, z: metric("b3", repeated="merge")(x, y),
    "a metric of a table": lambda x, y, z: metric("dmt")(x),
    "evaluate": lambda x, y, z: evaluate(x, y, z).total,
    "evaluate, a document": lambda x, y, z: evaluate({0: x}, {0: y}).total,
    "evaluate, metrics": lambda x, y, z: evaluate({}, {}, x),
    "evaluate, repeated": lambda x, y, z: evaluate({}, {}, repeated=x),
    "link_score": lambda x, y, z: link_score(x, y),
    "link_score, zero": lambda x, y, z: link_score("A-B", "A-B", zero=x),
    "read": lambda x, y, z: read(x, repeated=y),
    "read_pair": lambda x, y, z: read_pair(x, y),
    "bootstrap": lambda x, y, z: bootstrap(x, 100),
    "bootstrap, choices": lambda x, y, z: bootstrap(REPORT, x, level=y, seed=z),
    "compare": lambda x, y, z: compare(x, y, 100),
}


@every_row("name", FUNCTIONS)
def test_every_odd_object(name):
    """Each function with each odd object, first among sound ones and in every place."""
    for odd in ODD:
        for arguments in ((odd(), "{a}", "muc"), (odd(), odd(), odd()), ([], odd(), odd())):
            with warnings.catch_warnings(), contextlib.suppress(CorefError):
                warnings.simplefilter("ignore")
                FUNCTIONS[name](*arguments)


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_objects(seed):
    chance = random.Random(seed)
    functions = [f for name, f in FUNCTIONS.items() if "bootstrap" not in name]  # they draw long
    for _ in range(CALLS):
        arguments = [chance.choice(ODD)() for _ in range(3)]
        with warnings.catch_warnings(), contextlib.suppress(CorefError):
            warnings.simplefilter("ignore")
            chance.choice(functions)(*arguments)


# Labels

MISSING = [-1, None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, -1.0]
NAMES: list[Callable[[int], Any]] = [
    *(int, float, "e{}".format, lambda n: 10**30 + n, lambda n: 7 * n),
    *(np.int8, np.uint64, np.float16, lambda n: n if n % 2 else f"e{n}", np.str_),
]
HOLDERS: list[Callable[[list], Any]] = [
    *(list, tuple, lambda labels: np.array(labels, object), lambda labels: dict(enumerate(labels))),
    *(pd.Series, lambda labels: pd.Series(labels, dtype=object), pd.Categorical, np.array),
    *(lambda labels: pd.array(labels, "Int64"), lambda labels: pd.array(labels, "string")),
    lambda labels: np.ma.array([0 if label == -1 else label for label in labels],
                               mask=[label == -1 for label in labels]),
]  # fmt: skip


def held(labels: list, chance: random.Random) -> Any:
    """The labels in some holder; in a list if the holder does not take them."""
    holder = chance.choice(HOLDERS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = holder(labels)
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return labels
    return found.values() if isinstance(found, dict) else found


@pytest.mark.parametrize("seed", SEEDS)
def test_labels(seed):
    chance = random.Random(seed)
    scored = 0
    for _ in range(LABELS):
        sides = [[chance.randrange(-1, 4) for _ in range(8)] for _ in range(2)]
        expected = Contingency.of(
            *(
                Partition(
                    [[p for p in range(8) if side[p] == n] for n in dict.fromkeys(side) if n + 1]
                )
                for side in sides
            )
        )
        name, missing = chance.choice(NAMES), chance.choice(MISSING)
        named = [[name(n) if n + 1 else missing for n in side] for side in sides]
        try:
            t = from_labels(*(held(side, chance) for side in named))
        except CorefError as error:
            assert re.match(r"(key|response): (label '|expected)", str(error)), named
            continue
        scored += 1
        assert (t.pairs, t.key_sizes, t.response_sizes) == (
            expected.pairs, expected.key_sizes, expected.response_sizes,
        ), named  # fmt: skip
    assert scored > LABELS / 2


# Labels with an index

INDEXES: list[Callable[[list[int]], Any]] = [
    lambda names: pd.Index([f"r{n}" for n in names]),
    lambda names: pd.Index([f"r{n}" for n in names], dtype=object),
    lambda names: pd.Index([n + 3 for n in names]),
    lambda names: pd.Index([n + 3.0 for n in names]),
    lambda names: pd.Index([n + 0.5 for n in names]),
    lambda names: pd.CategoricalIndex([f"r{n}" for n in names]),
    lambda names: pd.MultiIndex.from_tuples([(f"d{n % 2}", n) for n in names]),
    lambda names: pd.to_datetime([f"2026-01-{n + 1:02}" for n in names]),
    lambda names: pd.Index(names, name="id") if names != sorted(names) else pd.Index(names) + 1,
]


@pytest.mark.parametrize("seed", SEEDS)
def test_indexes(seed):
    """The table is that of mappings from the names of records, if both sides have the same."""
    chance = random.Random(seed)
    for _ in range(LABELS):
        index = chance.choice(INDEXES)
        sides = []
        for _ in range(2):
            names = chance.sample(range(8), chance.choice([8, 8, 7, 4]))
            sides.append({n: chance.randrange(-1, 4) for n in names})
        columns = [pd.Series(list(each.values()), index=index(list(each))) for each in sides]
        if list(columns[0].index) != list(columns[1].index):
            with pytest.raises(CorefError, match="the indexes of key and response "):
                from_labels(*columns)
        if set(columns[0].index) != set(columns[1].index):
            continue
        t = from_labels(*columns[0].align(columns[1]))
        expected = Contingency.of(*map(Partition.from_labels, sides))
        assert t.triples == expected.triples, columns
        assert sorted(t.key_sizes) == sorted(expected.key_sizes), columns
        assert sorted(t.response_sizes) == sorted(expected.response_sizes), columns
        assert set(sides[0]) == set(sides[1]), columns


# Tables

IDS = {
    "INTEGER": "{}",
    "HUGEINT": "{}::HUGEINT",
    "DOUBLE": "{}::DOUBLE",
    "FLOAT": "{}::FLOAT",
    "DECIMAL(9, 3)": "{}::DECIMAL(9, 3)",
    "VARCHAR": "'{}'",
    "a text with blanks": "' {} '",
    "CSV": "{}",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_types_of_ids(seed, folder):
    """Mentions are joined on their names, be these numbers of any type or texts."""
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    chance = random.Random(seed)
    for _ in range(TABLES):
        sides, paths = [], []
        for name in ("key", "response"):
            kind = chance.choice(list(IDS))
            side = {n: chance.randrange(3) for n in chance.sample(range(9), 6)}
            rows = ", ".join(f"({IDS[kind].format(n)}, {label})" for n, label in side.items())
            table = duckdb.sql(f"FROM (VALUES {rows}) t(mention, label)")
            paths.append(f"{name}.csv" if kind == "CSV" else f"{name}.parquet")
            table.write_csv(paths[-1]) if kind == "CSV" else table.write_parquet(paths[-1])
            sides.append(side)
        found = evaluate(*paths, ["mentions", "b3"]).total
        of_mappings = evaluate(*({"d": Partition.from_labels(side)} for side in sides),
                               ["mentions", "b3"]).total  # fmt: skip
        assert {name: score.exact[:3] for name, score in found.items()} == {
            name: score.exact[:3] for name, score in of_mappings.items()
        }, paths


COLUMNS = ["key", "KEY 2", 'a"b', "a'b", "a`b", "select", "n", "k", "r", "size", "document", "é"]
COLUMNS += ["a.b", "[x]", "a b", "*", "{by}", "mentions", "corefeval_mentions", "%s", "1", " "]


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_columns(seed):
    """No name of a column is taken for a part of the query."""
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    chance = random.Random(seed)
    rows = [("x", 0, 1), ("x", 0, 1), ("x", 2, 1), ("y", 0, 0), ("y", None, 0)]
    for _ in range(TABLES):
        document, key, response = names = chance.sample(COLUMNS, 3)
        frame = pd.DataFrame(rows, columns=names).sample(frac=1, axis=1, random_state=seed)
        table = from_table(frame, key, response, document)
        triples = [table.by_document[name].triples for name in "xy"]
        assert triples == [{(2, 2, 3): 1, (1, 1, 3): 1}, {(1, 1, 2): 1}], names
