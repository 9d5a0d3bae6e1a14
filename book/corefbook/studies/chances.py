"""What chance could have done to the leads of real systems.

A system is several runs of it, and its score the mean of their F1. All runs of a system are drawn
and swapped together, unit by unit, with the counts of `corefbook.studies.real`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from corefbook.studies import labels, real, verdicts
from corefeval import from_labels, metric
from corefeval.chance.results import Interval
from corefeval.chance.significance import (
    DECIMALS,
    Numbers,
    Sample,
    Unit,
    holm,
    weighted,
)
from corefeval.report import Report

RESAMPLES = 10_000
LEAST = 1 / (RESAMPLES + 1)
"""The least p-value that so many random swaps can give."""
MOST_UNITS = 20
"""All swaps of so many units are tried, 2²⁰."""
TOLERANCE = 10**-DECIMALS
"""Differences that are apart by less are equal: sums of doubles depend on their order."""
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
    reports: Sequence[Report], unit: Unit | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> Sample:
    """The sample of these reports, to be drawn and swapped: all swaps of up to 20 units are tried.

    >>> report = real.report("hypercoref", "ecbp", "ecbp.ecbp.p.0", "subtopics")
    >>> sample([report]).numbers.shape
    (1, 44, 20)
    """
    counted = Sample(reports, resamples, 0.95, seed, unit)
    counted.exact = counted.units <= MOST_UNITS
    return counted


def f1_points(units: Sample, measure: str, sums: Numbers) -> Numbers:
    """F1 in points of summed counts, whose first axis has the numbers of all measures."""
    return 100 * units.scores(measure, sums)["f1"]


# Two systems


def leads(
    base: str, runs: Sequence[str], corpus: str, unit: Unit | None = None, seed: int = 0,
    resamples: int = RESAMPLES, conventions: str = "",
) -> dict[str, Lead]:  # fmt: skip
    """By measure, how far the runs of a system are ahead of a baseline: responses to cdcr-corpora.

    Documents, or units of documents, are drawn and swapped. All swaps of up to 20 are tried; those
    of more are drawn.
    """
    names = [base, *runs]
    reports = [real.report("cdcr-corpora", corpus, n, "documents", conventions) for n in names]
    units = sample(reports, unit, seed, resamples)
    observed = _leads(units, units.numbers.sum(axis=2, keepdims=True))
    drawn = units.drawn({measure: [units.part[measure]] for measure in real.ORDER})
    swapped = _joined(_swapped_leads(units, swaps) for swaps in units.swaps())
    return {
        measure: _lead(units, measure, observed[measure], _ahead(scores), swapped[measure])
        for (measure, _), scores in drawn.items()
    }


def _leads(units: Sample, sums: Numbers) -> dict[str, Numbers]:
    """By measure the leads of runs, in points, of the shape (runs, draws)."""
    return {m: _ahead(np.array([units.scores(m, each)["f1"] for each in sums])) for m in real.ORDER}


def _ahead(scores: Numbers) -> Numbers:
    """How far runs are ahead of the first system, in points."""
    return 100 * (scores[1:] - scores[0])


def _swapped_leads(units: Sample, swaps: Numbers) -> dict[str, Numbers]:
    """The leads of runs, each of which has exchanged some units with the baseline."""
    kept, moved = weighted(units.numbers, 1 - swaps), weighted(units.numbers, swaps)
    leads_of_runs = [
        _leads(units, np.stack([kept[0] + moved[run], kept[run] + moved[0]]))
        for run in range(1, len(units.reports))
    ]
    return {m: np.concatenate([each[m] for each in leads_of_runs]) for m in real.ORDER}


def _joined(batches: Iterable[dict[str, Numbers]]) -> dict[str, Numbers]:
    listed = list(batches)
    return {m: np.concatenate([batch[m] for batch in listed], axis=-1) for m in real.ORDER}


def _lead(units: Sample, measure: str, observed: Numbers, drawn: Numbers, swapped: Numbers) -> Lead:
    ends = units.middle(measure, range(len(units.reports)), drawn.mean(axis=0))
    p = share(observed.mean(axis=0), swapped.mean(axis=0), units.exact)
    of_runs = [share(*each, units.exact) for each in zip(observed, swapped, strict=True)]
    error = 0.0 if units.exact else (p * (1 - p) / swapped.shape[1]) ** 0.5
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
        leads_of_runs = []
        for run in of_runs:
            both: list[Any] = [
                np.where(swapped, run + beyond, of_base),
                np.where(swapped, of_base, run + beyond),
            ]
            first, second = (from_labels(key, side) for side in both)
            leads_of_runs.append([metric(m)(second).f1 - metric(m)(first).f1 for m in measures])
        return np.mean(leads_of_runs, axis=0)

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
    of_runs = [real.f1("hypercoref", corpus, name) for name in runs]
    numbers = np.array([[float(of[m]) for m in real.ORDER] for of in of_runs])
    return numbers.reshape(-1, 3, len(real.ORDER))


def all_couples() -> list[Couple]:
    """Every two configurations.

    >>> len(all_couples())
    136
    """
    return list(combinations(real.configurations(), 2))


def by_rule(rule: str) -> tuple[Sample, dict[str, slice]]:
    """The sample of ECB+'s subtopics by a rule, and where each configuration's runs are in it."""
    of_configurations = verdicts.reports("ecbp", rule, "subtopics")
    runs = [run for of_configuration in of_configurations.values() for run in of_configuration]
    places = {name: slice(3 * n, 3 * n + 3) for n, name in enumerate(of_configurations)}
    return sample(runs), places


def as_far_apart(
    couples: Sequence[Couple], rules: Sequence[str] = verdicts.RULES
) -> dict[Place, int]:
    """Of the 2²⁰ ways to swap ECB+'s subtopics, how many set two configurations as far apart.

    To swap the other subtopics instead changes the sign of a difference and not its size, so that
    2¹⁹ ways are tried, and each counts twice.
    """
    how_many: dict[Place, int] = {}
    for rule in rules:
        units, places = by_rule(rule)
        sides = {couple: [places[name] for name in couple] for couple in couples}
        totals = units.numbers.sum(axis=2)[..., None]
        least = {
            couple: abs(_mean_lead(units, totals[a], totals[b])) for couple, (a, b) in sides.items()
        }
        how_many |= {(rule, couple): 0 for couple in couples}
        for swaps in units.swaps():
            kept, moved = weighted(units.numbers, 1 - swaps), weighted(units.numbers, swaps)
            for couple, (a, b) in sides.items():
                apart = abs(_mean_lead(units, kept[a] + moved[b], kept[b] + moved[a]))
                as_far = apart >= least[couple] - 100 * TOLERANCE
                how_many[rule, couple] += 2 * int(as_far.sum())
    return how_many


def _mean_lead(units: Sample, a: Numbers, b: Numbers) -> Numbers:
    """The mean CoNLL score of the runs of b less that of a, in points."""
    a, b = np.moveaxis(a, 1, 0), np.moveaxis(b, 1, 0)
    return np.asarray((f1_points(units, "conll", b) - f1_points(units, "conll", a)).mean(axis=0))


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
    """The lead and p of every pair by every rule, by the stored counts; nothing is drawn."""
    p = {place: count / 2**20 for place, count in stored().items()}
    told = {}
    for rule in verdicts.RULES:
        units, places = by_rule(rule)
        totals = units.numbers.sum(axis=2)[..., None]
        corrected = holm([p[rule, couple] for couple in all_couples()])
        for (a, b), q in zip(all_couples(), corrected, strict=True):
            lead = float(_mean_lead(units, totals[places[a]], totals[places[b]]).item())
            told[rule, (a, b)] = Told(lead, p[rule, (a, b)], q)
    return told


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
