"""What chance could have done to the leads of real systems.

A system is several runs of it, and its score the mean of their F1. All runs of a system are drawn
and swapped together, unit by unit, with the counts of `companion.studies.real`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from companion.studies import labels, real, verdicts
from corefeval import from_labels, metric
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
    conventions: str = "",
) -> Sample:
    """The counts of these responses as an array of the shape (responses, numbers, units).

    >>> sample("hypercoref", "ecbp", ["ecbp.ecbp.p.0"], "subtopics").numbers.shape
    (1, 44, 20)
    """
    reports = [real.report(archive, corpus, name, scope, conventions) for name in names]
    return Sample(reports, Units.of(reports[0], unit))


def f1(of: Sample, measure: str, sums: Numbers) -> Numbers:
    """F1 in points of summed counts, whose first axis has the numbers of all measures."""
    return 100 * of.scores(measure, sums)["f1"]


# Two systems


def leads(
    base: str, runs: Sequence[str], corpus: str, unit: Unit | None = None, seed: int = 0,
    resamples: int = RESAMPLES, conventions: str = "",
) -> dict[str, Lead]:  # fmt: skip
    """By measure, how far the runs of a system are ahead of a baseline: responses to cdcr-corpora.

    Documents, or units of documents, are drawn and swapped. All swaps of up to 20 are tried; those
    of more are drawn.
    """
    of = sample("cdcr-corpora", corpus, [base, *runs], "documents", unit, conventions)
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


def uncut_shares(
    base: str, runs: Sequence[str], measures: Sequence[str], swaps: int = 400, seed: int = 0
) -> list[float]:
    """By measure the share of swaps whose mean lead on ECB+, all documents as one, is as large.

    The two systems swap their labels in whole subtopics. Entities go across these, so that counts
    of subtopics cannot be summed: each swap is scored anew.
    """
    corpus = "cdcr-corpora-ecbp"
    sides: list[Any] = [np.array(labels.columns(corpus)[name]) for name in ("key", base, *runs)]
    key, of_base, *of_runs = sides
    names, unit = np.unique(labels.units_of(corpus, "subtopics"), return_inverse=True)
    beyond = of_base.max() + 1  # no label of a run is one of the baseline's

    def leads(swapped: Numbers) -> Numbers:
        found = []
        for run in of_runs:
            both: list[Any] = [
                np.where(swapped, run + beyond, of_base),
                np.where(swapped, of_base, run + beyond),
            ]
            first, second = (from_labels(key, side) for side in both)
            found.append([metric(m)(second).f1 - metric(m)(first).f1 for m in measures])
        return np.mean(found, axis=0)

    observed = abs(leads(np.zeros(len(key), bool)))
    drawn = np.random.default_rng(seed).random((swaps, len(names))) < 0.5
    as_large = [abs(leads(each[unit])) >= observed - TOLERANCE for each in drawn]
    return list(np.mean(as_large, axis=0))


# All pairs of configurations


Couple = tuple[str, str]
Place = tuple[str, Couple]
"""A scorer's rule, one of `verdicts.RULES`, and two configurations."""


def tested(corpus: str) -> Numbers:
    """F1 in points of hypercoref's configurations × their three seeds × the measures.

    >>> tested("gvc").shape
    (17, 3, 7)
    """
    runs = [f"{name}.{seed}" for name in real.configurations() for seed in range(3)]
    found = [real.f1("hypercoref", corpus, name) for name in runs]
    numbers = np.array([[float(of[m]) for m in real.ORDER] for of in found])
    return numbers.reshape(-1, 3, len(real.ORDER))


def all_couples() -> list[Couple]:
    """Every two configurations.

    >>> len(all_couples())
    136
    """
    return list(combinations(real.configurations(), 2))


def by_rule(rule: str) -> tuple[Sample, dict[str, slice]]:
    """What the CoNLL score by a rule counts in ECB+'s subtopics, and where the runs of each are."""
    found = verdicts.reports("ecbp", rule, "subtopics")
    runs = [run for of_configuration in found.values() for run in of_configuration]
    places = {name: slice(3 * n, 3 * n + 3) for n, name in enumerate(found)}
    return Sample(runs, Units.of(runs[0], None)), places


def as_far_apart(
    couples: Sequence[Couple], rules: Sequence[str] = verdicts.RULES
) -> dict[Place, int]:
    """Of the 2²⁰ ways to swap ECB+'s subtopics, how many set two configurations as far apart.

    To swap the other subtopics instead changes the sign of a difference and not its size, so that
    2¹⁹ ways are tried, and each counts twice.
    """
    found: dict[Place, int] = {}
    for rule in rules:
        of, places = by_rule(rule)
        sides = {couple: [places[name] for name in couple] for couple in couples}
        totals = of.numbers.sum(axis=2)[..., None]
        least = {
            couple: abs(_mean_lead(of, totals[a], totals[b])) for couple, (a, b) in sides.items()
        }
        found |= {(rule, couple): 0 for couple in couples}
        for swaps in of.swaps(Draws(100, 0.95, 0, all_swaps=True), at_once=2048):
            kept, moved = weighted(of.numbers, 1 - swaps), weighted(of.numbers, swaps)
            for couple, (a, b) in sides.items():
                apart = abs(_mean_lead(of, kept[a] + moved[b], kept[b] + moved[a]))
                as_far = apart >= least[couple] - 100 * TOLERANCE
                found[rule, couple] += 2 * int(as_far.sum())
    return found


def _mean_lead(of: Sample, a: Numbers, b: Numbers) -> Numbers:
    """The mean CoNLL score of the runs of b less that of a, in points."""
    a, b = np.moveaxis(a, 1, 0), np.moveaxis(b, 1, 0)
    return np.asarray((f1(of, "conll", b) - f1(of, "conll", a)).mean(axis=0))


def write(found: Mapping[Place, int]) -> None:
    """Store the counts of `as_far_apart`."""
    with open(PAIRS, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["rule", "a", "b", "swaps"])
        writer.writerows([rule, *couple, count] for (rule, couple), count in found.items())


def stored() -> dict[Place, int]:
    """The stored counts of `as_far_apart`, of all pairs and rules."""
    with open(PAIRS, encoding="utf-8", newline="") as file:
        return {(rule, (a, b)): int(count) for rule, a, b, count in list(csv.reader(file))[1:]}


class Told(NamedTuple):
    """Two configurations by one scorer's rule."""

    lead: float
    """How far the second is ahead, in points of the mean CoNLL score of three runs."""
    p: float
    corrected: float
    """p after Holm's correction of all pairs by this rule."""


def told_apart() -> dict[Place, Told]:
    """What the stored counts say of every pair by every rule; nothing is drawn."""
    from corefeval.chance.systems import holm

    p = {place: count / 2**20 for place, count in stored().items()}
    found = {}
    for rule in verdicts.RULES:
        of, places = by_rule(rule)
        totals = of.numbers.sum(axis=2)[..., None]
        corrected = holm([p[rule, couple] for couple in all_couples()])
        for (a, b), q in zip(all_couples(), corrected, strict=True):
            lead = float(_mean_lead(of, totals[places[a]], totals[places[b]]).item())
            found[rule, (a, b)] = Told(lead, p[rule, (a, b)], q)
    return found


def opposed(told: Mapping[Place, Told], rule: str, below: float = inf) -> list[Couple]:
    """Pairs that a rule and the reference scorer's put in opposite orders, each with a p below.

    >>> len(opposed(told_apart(), "e2e")), len(opposed(told_apart(), "e2e", 0.05))
    (37, 0)
    """
    pairs = [(each, told["reference", each], told[rule, each]) for each in all_couples()]
    return [
        couple
        for couple, one, other in pairs
        if one.lead * other.lead < 0 and max(one.p, other.p) < below
    ]
