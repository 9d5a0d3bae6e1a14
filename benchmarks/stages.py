"""The stages of a run, each timed within this process and printed at once as a line of JSON.

python benchmarks/stages.py files KEY RESPONSE
python benchmarks/stages.py arrays NAME MENTIONS ROUNDS
python benchmarks/stages.py alignment NAME MENTIONS
python benchmarks/stages.py dense ENTITIES MENTIONS
python benchmarks/stages.py documents COUNT SIZE ROUNDS
python benchmarks/stages.py anatomy ROUNDS
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


def total(key: Any, response: Any) -> Any:
    """The standard suite's scores of a corpus."""
    import corefeval

    return corefeval.evaluate(key, response).total


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


def documents(count: str, size: str, rounds: str) -> None:
    """The same mentions and entities in many documents and in one."""
    import generate

    from corefeval import Partition

    many: list[dict[int, Partition]] = []
    one: list[dict[int, Partition]] = []
    for side in generate.many_documents(int(count), int(size)):
        labels = [
            {(d, place): (d, label) for place, label in enumerate(each.tolist())}
            for d, each in enumerate(side)
        ]
        many.append({d: Partition.from_labels(each) for d, each in enumerate(labels)})
        one.append({0: Partition.from_labels({m: e for each in labels for m, e in each.items()})})
    for _ in range(int(rounds)):
        apart = timed("many documents", total, *many)
        joint = timed("one document", total, *one)
    assert all(apart[name] == joint[name] for name in apart if name != "blanc")


def anatomy(rounds: str) -> None:
    """Scores by all measures that have costs, what the command tells of errors, and every cost."""
    import generate

    import corefeval

    documents = generate.litbank_like()
    key = {each.name: list(each.key.values()) for each in documents}
    response = {each.name: list(each.response.values()) for each in documents}
    metrics = list(corefeval.anatomy({}, {}).costs)
    for _ in range(int(rounds)):
        timed("score", lambda: corefeval.evaluate(key, response, metrics).total)
        timed("anatomy, as the command tells it", lambda: _told(corefeval.anatomy(key, response)))
        timed("anatomy, every cost", lambda: corefeval.anatomy(key, response).to_dict())


def _told(found: Any) -> Any:
    """The totals, what is lost, and the entities that cost most."""
    return found.totals, found.losses, found.costliest("b3")


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


MODES = {each.__name__: each for each in (files, arrays, alignment, dense, documents, anatomy)}

if __name__ == "__main__":
    MODES[sys.argv[1]](*sys.argv[2:])
