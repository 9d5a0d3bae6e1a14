"""The stages of a run, each timed within this process and printed at once as a line of JSON.

python benchmarks/stages.py files KEY RESPONSE
python benchmarks/stages.py arrays NAME MENTIONS ROUNDS
python benchmarks/stages.py alignment NAME MENTIONS
python benchmarks/stages.py dense ENTITIES MENTIONS
python benchmarks/stages.py in_memory ROUNDS
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from launch import peak

ALIGNED = ("ceafm", "ceafe", "conll")
"""The measures of the suite that look for the best alignment."""


def timed(stage: str, work: Callable[..., Any], *arguments: Any) -> Any:
    """Print what ``work(*arguments)`` cost, give back what it returned."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    result = work(*arguments)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    say(stage, wall=wall, cpu=cpu, memory=peak(resource.getrusage(resource.RUSAGE_SELF)))
    return result


def say(stage: str, **numbers: object) -> None:
    print(json.dumps({"stage": stage, **numbers}), flush=True)


def score(names: Iterable[str], table: Any) -> Any:
    """What these measures make of an overlap table."""
    from corefeval.contingency import Tables
    from corefeval.conventions import Conventions
    from corefeval.registry import names_of
    from corefeval.report import Report
    from corefeval.scoring import Metric

    choice = Conventions()
    metrics = [Metric.of(name, choice) for name in names_of(names)]
    return Report({choice: {"": Tables.alike(table)}}, metrics, choice).total


def total(key: Any, response: Any, metrics: str = "standard") -> Any:
    """The scores of a corpus."""
    import corefeval

    return corefeval.evaluate(key, response, metrics).total


def files(key: str, response: str) -> None:
    """Reading, the documents' tables, each measure's total alone, all of the suite together."""
    import corefeval
    from corefeval.conventions import Conventions
    from corefeval.readers import read_pair
    from corefeval.registry import SUITES

    sides = timed("read", read_pair, key, response, Conventions())
    timed("table", corefeval.evaluate, *sides, [])
    for name in [*SUITES["standard"], "standard"]:
        timed(name, getattr, corefeval.evaluate(*sides, name), "total")
    say("SciPy", loaded="scipy" in sys.modules)


def arrays(name: str, mentions: str, rounds: str) -> None:
    """The yardstick, the table, table and suite, and each measure alone on a table of its own.

    Under global noise the suite is without the measures that align, whose cost has no bound there.
    """
    import generate
    from yardstick import pair_codes

    from corefeval import from_labels
    from corefeval.registry import MEASURES, SUITES

    pair = generate.arrays(name, int(mentions))
    skipped = ALIGNED if name.startswith("global") else ()
    suite = [measure for measure in SUITES["standard"] if measure not in skipped]
    for _ in range(int(rounds)):
        timed("yardstick", pair_codes, *pair)
        timed("table", from_labels, *pair)
        timed("table and suite", lambda: score(suite, from_labels(*pair)))
        for measure in MEASURES:
            timed(measure, score, [measure], from_labels(*pair))


def alignment(name: str, mentions: str) -> None:
    """CEAF on arrays; the largest component, and the pairs that CEAFₘ has to search."""
    import generate

    _align(*generate.arrays(name, int(mentions)))


def dense(entities: str, mentions: str) -> None:
    """CEAF on one component of so many entities on either side."""
    import generate

    _align(*generate.dense(int(entities), int(mentions)))


def _align(key: Any, response: Any) -> None:
    from corefeval import from_labels
    from corefeval.alignment import settle

    say("largest component", entities=_largest_component(key, response))
    table = timed("table", from_labels, key, response)
    _, open_pairs = settle(table, {triple: triple[0] for triple in table.triples})
    say("open", pairs=len(open_pairs))
    for measure in ("ceafm", "ceafe"):
        timed(measure, score, [measure], table)


def in_memory(rounds: str) -> None:
    """Documents one by one and all at once; labels that are texts, and as whole numbers."""
    import generate
    import numpy as np
    import pandas

    from corefeval import from_labels

    corpora = {"(g)": generate.litbank_like(), "(h)": generate.small_documents()}
    pairs = {name: _sides(documents) for name, documents in corpora.items()}
    numbers = generate.arrays("local noise", 1_000_000)
    names = np.arange(len(numbers[0])) // 1_000
    key, response, document = (pandas.Series(generate.texts(each)) for each in (*numbers, names))
    for _ in range(int(rounds)):
        for name, pair in pairs.items():
            timed(f"{name}, one by one", _one_by_one, *pair)
            timed(f"{name}, all at once", total, *pair, "conll")
        timed("factorize", lambda: [*map(pandas.factorize, (key, response))])
        timed("factorize documents", pandas.factorize, document)
        timed("whole numbers", from_labels, *numbers)
        timed("whole numbers, in documents", from_labels, *numbers, names)
        timed("texts", from_labels, key, response)
        timed("texts, in documents", from_labels, key, response, document)


def _sides(documents: Iterable[Any]) -> list[dict[str, Any]]:
    """The entities of both sides by the documents' names."""
    pairs = [(each.name, list(each.key.values()), list(each.response.values()))
             for each in documents]  # fmt: skip
    return [{name: sides[side] for name, *sides in pairs} for side in (0, 1)]


def _one_by_one(key: dict[str, Any], response: dict[str, Any]) -> Any:
    from corefeval import Scorer

    scorer = Scorer("conll")
    for name, entities in key.items():
        scorer.update(entities, response[name], name)
    return scorer.compute().total


def _largest_component(key: Any, response: Any) -> tuple[int, int]:
    """Its entities on either side, found without the library."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    keys, responses = key.max() + 1, response.max() + 1
    edges = (np.ones(len(key), np.int8), (key, keys + response))
    graph = coo_array(edges, shape=(keys + responses,) * 2)
    of = connected_components(graph, directed=False)[1]
    seen = np.bincount(key, minlength=keys) > 0, np.bincount(response, minlength=responses) > 0
    largest = np.bincount(of).argmax()
    there = of == largest
    return int((there[:keys] & seen[0]).sum()), int((there[keys:] & seen[1]).sum())


MODES = {each.__name__: each for each in (files, arrays, alignment, dense, in_memory)}

if __name__ == "__main__":
    MODES[sys.argv[1]](*sys.argv[2:])
