"""What chance could have done to the leads of real systems.

A system is several runs of it, and its score the mean of their F1. All runs of a system are drawn
and swapped together, unit by unit, with the counts of `companion.studies.real`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from companion.studies import real
from corefeval.chance.draws import (
    MOST_UNITS,
    TOLERANCE,
    Draws,
    Numbers,
    Sample,
    Unit,
    Units,
    weighted,
)
from corefeval.chance.significance import Interval, middle

RESAMPLES = 10_000
LEAST = 1 / (RESAMPLES + 1)
"""The least p-value that so many random swaps can give."""
PAIRS = real.FOLDER / "ecbp-pairs.csv"
"""Of all swaps of ECB+'s subtopics how many set two configurations as far apart as they are."""
TESTED = tuple(name for name in real.ORDER if name != "blanc")
"""BLANC counts links between entities, of which units that are cut apart lack those across."""


class Lead(NamedTuple):
    """How far one system is ahead of another by a measure, in points of F1."""

    mean: float
    interval: Interval
    p: float
    p_of_runs: list[float]
    error: float
    """The Monte Carlo error of p: its standard deviation over seeds; 0 where p is exact."""

    @property
    def p_of_all(self) -> list[float]:
        """The p-value of the mean, then of each run."""
        return [self.p, *self.p_of_runs]


def sample(
    archive: str,
    corpus: str,
    names: Sequence[str],
    scope: str,
    unit: Unit | None = None,
) -> Sample:
    """The counts of these responses as an array of the shape (responses, numbers, units).

    >>> sample("hypercoref", "ecbp", ["ecbp.ecbp.p.0"], "subtopics").numbers.shape
    (1, 44, 20)
    """
    reports = [real.report(archive, corpus, name, scope) for name in names]
    return Sample(reports, Units.of(reports[0], unit))


def f1(of: Sample, measure: str, sums: Numbers) -> Numbers:
    """F1 in points of summed counts, whose first axis has the numbers of all measures."""
    return 100 * of.scores(measure, sums)["f1"]


# Two systems


def leads(
    base: str, runs: Sequence[str], corpus: str, unit: Unit | None = None, seed: int = 0,
    resamples: int = RESAMPLES,
) -> dict[str, Lead]:  # fmt: skip
    """By measure, how far the runs of a system are ahead of a baseline: responses to cdcr-corpora.

    Documents, or units of documents, are drawn and swapped. All swaps of up to 20 are tried; those
    of more are drawn.
    """
    of = sample("cdcr-corpora", corpus, [base, *runs], "documents", unit)
    draws = Draws(resamples, 0.95, seed, all_swaps=of.units.size <= MOST_UNITS)
    observed = _leads(of, *_apart(of.numbers.sum(axis=2)[..., None]))
    drawn = _joined(_leads(of, *_apart(weighted(of.numbers, w))) for w in of.drawn(draws))
    swapped = _joined(_leads(of, *_swapped(of.numbers, swaps)) for swaps in of.swaps(draws))
    exact = draws.tries_all(of.units.size)
    return {
        measure: _lead(of, measure, observed[measure], drawn[measure], swapped[measure], exact)
        for measure in real.ORDER
    }


def _apart(sums: Numbers) -> tuple[Numbers, Numbers]:
    """The sums of the baseline, once for each run, and of the runs."""
    return np.broadcast_to(sums[:1], sums[1:].shape), sums[1:]


def _swapped(numbers: Numbers, swaps: Numbers) -> tuple[Numbers, Numbers]:
    """The sums of the baseline and of the runs, each with the other's units where they swap."""
    kept, moved = weighted(numbers, 1 - swaps), weighted(numbers, swaps)
    return kept[:1] + moved[1:], kept[1:] + moved[:1]


def _leads(of: Sample, base: Numbers, runs: Numbers) -> dict[str, Numbers]:
    """By measure the leads of runs, of the shape (runs, draws)."""
    base, runs = np.moveaxis(base, 1, 0), np.moveaxis(runs, 1, 0)
    return {m: f1(of, m, runs) - f1(of, m, base) for m in real.ORDER}


def _joined(batches: Iterator[dict[str, Numbers]]) -> dict[str, Numbers]:
    found = list(batches)
    return {m: np.concatenate([batch[m] for batch in found], axis=-1) for m in real.ORDER}


def _lead(
    of: Sample, measure: str, observed: Numbers, drawn: Numbers, swapped: Numbers, exact: bool
) -> Lead:
    places = range(len(of.reports))
    ends = middle(of, measure, places, drawn.mean(axis=0), 0.95)
    p = share(observed.mean(axis=0), swapped.mean(axis=0), exact)
    of_runs = [share(*each, exact) for each in zip(observed, swapped, strict=True)]
    error = 0.0 if exact else (p * (1 - p) / swapped.shape[1]) ** 0.5
    return Lead(float(observed.mean()), ends, p, of_runs, error)


def share(observed: Numbers, swapped: Numbers, exact: bool) -> float:
    """The share of swaps whose lead is as large, in either direction: a p-value."""
    as_large = int((abs(swapped) >= abs(observed) - 100 * TOLERANCE).sum())
    if exact:
        return as_large / len(swapped)
    return (as_large + 1) / (len(swapped) + 1)


# All pairs of configurations


Couple = tuple[str, str]


def runs_of(configurations: Sequence[str]) -> list[str]:
    """The three runs of each configuration of hypercoref."""
    return [f"{name}.{seed}" for name in configurations for seed in range(3)]


def tested(corpus: str) -> Numbers:
    """F1 in points of hypercoref's configurations × their three seeds × the measures.

    >>> tested("gvc").shape
    (17, 3, 7)
    """
    found = [real.f1("hypercoref", corpus, name) for name in runs_of(real.configurations())]
    numbers = np.array([[float(of[m]) for m in real.ORDER] for of in found])
    return numbers.reshape(-1, 3, len(real.ORDER))


def as_far_apart(
    couples: Sequence[Couple], measures: Sequence[str] = TESTED
) -> dict[tuple[str, Couple], int]:
    """Of the 2²⁰ ways to swap ECB+'s subtopics, how many set two configurations as far apart.

    To swap the other subtopics instead changes the sign of a difference and not its size, so that
    2¹⁹ ways are tried, and each counts twice.
    """
    names = list(dict.fromkeys(name for couple in couples for name in couple))
    of = sample("hypercoref", "ecbp", runs_of(names), "subtopics")
    place = {name: slice(3 * n, 3 * n + 3) for n, name in enumerate(names)}
    totals = of.numbers.sum(axis=2)[..., None]
    least: dict[tuple[str, Couple], Numbers] = {}
    for couple in couples:
        observed = _mean_leads(of, measures, *(totals[place[name]] for name in couple))
        least |= {(m, couple): abs(lead) for m, lead in observed.items()}
    found = dict.fromkeys(least, 0)
    for swaps in of.swaps(Draws(100, 0.95, 0, all_swaps=True), at_once=2048):
        kept, moved = weighted(of.numbers, 1 - swaps), weighted(of.numbers, swaps)
        for couple in couples:
            a, b = (place[name] for name in couple)
            apart = _mean_leads(of, measures, kept[a] + moved[b], kept[b] + moved[a])
            for m, each in apart.items():
                as_far = abs(each) >= least[m, couple] - 100 * TOLERANCE
                found[m, couple] += 2 * int(as_far.sum())
    return found


def _mean_leads(of: Sample, measures: Sequence[str], a: Numbers, b: Numbers) -> dict[str, Numbers]:
    """By measure the mean F1 of the runs of b less that of a, in points."""
    a, b = np.moveaxis(a, 1, 0), np.moveaxis(b, 1, 0)
    return {m: (f1(of, m, b) - f1(of, m, a)).mean(axis=0) for m in measures}


def write(found: Mapping[tuple[str, Couple], int]) -> None:
    """Store the counts of `as_far_apart`."""
    with open(PAIRS, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["measure", "a", "b", "swaps"])
        writer.writerows([m, *couple, count] for (m, couple), count in found.items())


def stored() -> dict[tuple[str, Couple], int]:
    """The stored counts of `as_far_apart`, of all pairs and measures."""
    with open(PAIRS, encoding="utf-8", newline="") as file:
        return {(m, (a, b)): int(count) for m, a, b, count in list(csv.reader(file))[1:]}


def all_couples() -> list[Couple]:
    """Every two configurations.

    >>> len(all_couples())
    136
    """
    return list(combinations(real.configurations(), 2))


class Told(NamedTuple):
    """Two configurations by one measure."""

    lead: float
    """How far the second is ahead, in points of the mean F1 of three runs."""
    p: float
    by_measure: float
    """p after Holm's correction of the pairs by this measure."""
    by_all: float
    """p after Holm's correction of the pairs by every measure."""


def told_apart() -> dict[tuple[str, Couple], Told]:
    """What the stored counts say of every pair by every measure; nothing is drawn."""
    from corefeval.chance.systems import holm

    swaps = 2**20
    p = {place: count / swaps for place, count in stored().items()}
    by_all = dict(zip(p, holm(list(p.values())), strict=True))
    by_measure: dict[Any, float] = {}
    for m in TESTED:
        mine = {place: each for place, each in p.items() if place[0] == m}
        by_measure |= dict(zip(mine, holm(list(mine.values())), strict=True))
    names = real.configurations()
    of = sample("hypercoref", "ecbp", runs_of(names), "subtopics")
    sums = np.moveaxis(of.numbers.sum(axis=2), 1, 0)
    mean = {m: f1(of, m, sums).reshape(-1, 3).mean(axis=1) for m in TESTED}
    found = {}
    for m, (a, b) in p:
        lead = float(mean[m][names.index(b)] - mean[m][names.index(a)])
        place = m, (a, b)
        found[place] = Told(lead, p[place], by_measure[place], by_all[place])
    return found


def opposed(
    told: dict[tuple[str, Couple], Told], kind: str, below: float = 0.05
) -> list[tuple[str, str, Couple]]:
    """Pairs by which two measures differ in sign, each with a p below; ``kind`` names the p.

    >>> len(opposed(told_apart(), "by_measure"))
    1
    """
    sure = {place: each.lead for place, each in told.items() if getattr(each, kind) < below}
    return [
        (one, other, couple)
        for one, other in combinations(TESTED, 2)
        for couple in all_couples()
        if sure.get((one, couple), 0) * sure.get((other, couple), 0) < 0
    ]
