"""How often runs of two equal systems seem to differ: counts of data/runs.csv.

`below` made them, of 30 and of 1,000 pairs of systems for each number of runs, all of one kind.
A system's runs differ in how often they err, by little or by much, and nothing else tells the two
apart. Each pair has a corpus of its own.
"""

from __future__ import annotations

import csv
import random
import warnings
from functools import cache

from corefbook.ledger import DATA
from corefbook.studies import synthetic
from corefbook.tables import Table
from corefeval.chance.significance import compare_systems
from corefeval.corpus import evaluate
from corefeval.report import Report

FILE = DATA / "runs.csv"
DOCUMENTS, DRAWS, ERRORS = 20, 1000, 0.28
"""The errors are a share of the mentions, in the mean of all runs."""
ALIKE, APART = 0.03, 0.1
"""The standard deviations of that share: of runs that hardly differ, and of runs that do."""


@cache
def measured() -> dict[tuple[float, int, int], int]:
    """By deviation, runs of a system and number of pairs: in how many p was below 0.05.

    >>> measured()[APART, 3, 1000] > measured()[APART, 10, 1000] > 50
    True
    """
    with open(FILE, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return {
            (float(row["apart"]), int(row["runs"]), int(row["pairs"])): int(row["below"])
            for row in rows
        }


def of_thousand(apart: float) -> list[int]:
    """In how many of 1,000 pairs p was below 0.05, with 3, 5 and 10 runs.

    >>> len(of_thousand(ALIKE))
    3
    """
    return [measured()[apart, runs, 1000] for runs in (3, 5, 10)]


def below_table() -> Table:
    """How many of 1,000 pairs of equal systems have p < .05, by number of runs.

    >>> [title for title, *_ in below_table().rows]
    ['runs differ little', 'runs differ much']
    """
    kinds = {"runs differ little": ALIKE, "runs differ much": APART}
    rows = [[title, *of_thousand(apart)] for title, apart in kinds.items()]
    head = ["", "3 runs", "5 runs", "10 runs"]
    return Table(head, rows, "Of 1,000 pairs of equal systems, how many have p < 0.05.")


def below(apart: float, runs: int, pairs: range) -> int:
    """In how many of these pairs p is below 0.05; each takes a fraction of a second."""
    return sum(simulated(apart, runs, pair) < 0.05 for pair in pairs)


def simulated(apart: float, runs: int, pair: int) -> float:
    """The p-value of a pair of equal systems with so many runs each."""
    key = synthetic.key(DOCUMENTS, seed=pair)
    chance = random.Random(f"{runs} runs, pair {pair}")

    def run(name: str) -> Report:
        errors = max(0.02, chance.gauss(ERRORS, apart))
        return evaluate(key, synthetic.response(key, f"{name} of pair {pair}", errors), "muc")

    systems = {system: [run(f"{system}{n} of {runs}") for n in range(runs)] for system in "AB"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of p near 0.05
        return compare_systems(systems, DRAWS, seed=pair).differences["muc"].p
