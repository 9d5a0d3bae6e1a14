"""How far chance reaches: intervals for scores, p-values for differences between responses.

Documents are drawn, or swapped, whole: the mentions of one share its topic, its style and its
difficulty. The counts of each draw are summed, as for a corpus total, and the measure's own formula
scores the sum. Scores of documents are never averaged.

NumPy draws as `scipy.stats.bootstrap` and `scipy.stats.permutation_test` do; these would index all
counts of all documents anew for each draw, where one product of matrices adds them up. Counts are
added as doubles, and scores of draws are rounded to twelve decimals, so that equal ones tie; the
observed scores stay exact. Documents are taken in the order of their names, so that the order of a
file does not change a result.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, count, pairwise, starmap
from numbers import Integral
from statistics import fmean, stdev
from typing import Any, cast

import numpy as np
from scipy.special import ndtr, stdtrit

from corefeval.chance.results import SIGNIFICANT, Bootstrap, Comparison, Difference, Interval
from corefeval.errors import CorefError, expect, shortened, warn
from corefeval.lazily import cached_property
from corefeval.overlap.labels import is_nothing
from corefeval.progress import with_progress
from corefeval.report import Report
from corefeval.score import Number, Score
from corefeval.scoring import ONE_BY_SIDES

Numbers = np.ndarray[Any, np.dtype[Any]]
Unit = Mapping[Any, Hashable] | Callable[[Any], Hashable]
"""What says of a document's name which unit it belongs to: a topic, a book, a speaker."""
RESAMPLES = 10_000
"""So many that another seed seldom changes a verdict: the error of p = 0.05 is 0.002."""
LEAST_RESAMPLES, MOST_RESAMPLES = 100, 2**20
FEW = 10
"""Of fewer documents intervals are too narrow; of fewer runs p-values may be too low."""
FEWEST_RUNS = 3
"""Of two runs nobody can tell how runs differ."""
DECIMALS = 12
BATCH = 1_000_000
"""About how many numbers are held for a batch of draws: some megabytes."""
ONE_THREAD, LEAST_DRAWS = 250_000, 16
"""OpenBLAS shares out products of more multiplications; so few draws are not worth a piece."""


# What is asked


def bootstrap(
    report: Report,
    resamples: int = RESAMPLES,
    *,
    level: float = 0.95,
    seed: int = 0,
    unit: Unit | None = None,
) -> Bootstrap:
    """Draw documents at random; return intervals for every score of a report.

    Each of ``resamples`` draws takes documents with replacement, as many as there are. An interval
    leaves out a share α of the draws' scores at either end:

        α = Φ(−√(m / (m − 1)) · t),  m = (Σ w)² / Σ w²

    with Φ of the normal distribution, t the quantile (1 + level) / 2 of Student's t with m − 1
    degrees of freedom, and w the weight of each document: the sum, over the numbers that the
    measure counts, of the document's share of them. This expanded percentile interval allows for
    few documents by m, the number of documents of equal weight that would vary as much. Where
    m < 2, it is from the lowest score to the highest.

    Documents that share a topic, a book or a speaker are not independent, and intervals that draw
    them one by one are too narrow. ``unit`` says what a document belongs to, as a mapping from the
    names of documents or a function of a name; units are then drawn whole.

    Recall, precision, and F1 or the value have an interval each. Its ends are scores of draws,
    hence in the range of the measure. The same ``seed`` gives the same result.

    Warns of fewer than 10 documents, of which intervals are too narrow. Raises `CorefError` for
    fewer than two, for ``resamples`` outside 100 to 1,048,576, a ``level`` outside (0, 1), a
    negative ``seed``, a ``unit`` that says nothing of a document, and totals that are not of summed
    counts (``average``, ``zero="same"``).

    Source: Hesterberg 2015, "What teachers should know about the bootstrap", where m is the number
    of documents; Kish 1965, "Survey sampling", section 11.7, for m.

    >>> from corefeval import evaluate
    >>> documents = {n: "{a b c} {d e}" for n in range(30)}
    >>> report = evaluate(documents, documents | {n: "{a b} {c d e}" for n in range(15)}, "muc")
    >>> report["muc"], [round(end, 2) for end in bootstrap(report).intervals["muc"]["f1"]]
    (recall 5/6, precision 5/6, f1 5/6, [0.77, 0.9])
    """
    sample = Sample([report], resamples, level, seed, unit)
    drawn = sample.drawn({name: list(score.parts) for name, score in report.total.items()})
    intervals: dict[str, dict[str, Interval]] = {name: {} for name in report.total}
    for (name, part), scores in drawn.items():
        intervals[name][part] = sample.middle(name, [0], scores[0])
    signature = f"{report.signature} bootstrap={resamples} {sample.settings}"
    return Bootstrap(report.total, intervals, signature, level)


def compare(
    a: Report,
    b: Report,
    resamples: int = RESAMPLES,
    *,
    level: float = 0.95,
    seed: int = 0,
    unit: Unit | None = None,
) -> Comparison:
    """Compare two responses to a key; return by how much ``b`` scores higher, and p.

    See `compare_systems`, whose arguments these are.

    >>> from corefeval import evaluate
    >>> key = {n: "{a b c} {d e}" for n in range(20)}
    >>> worse, better = ({n: "{a b} {c d e}" for n in range(many)} for many in (12, 4))
    >>> a, b = (evaluate(key, key | response, "muc") for response in (worse, better))
    >>> pair = compare(a, b).differences["muc"]
    >>> pair.exact, [round(end, 2) for end in pair.interval], round(pair.p, 2)
    (Fraction(2, 15), [0.05, 0.22], 0.01)
    >>> compare(a, b, 2**20).differences["muc"].p == 2 / 2**8
    True
    """
    expected = "two reports of corefeval.evaluate (compare_systems takes more, by name)"
    for report in (a, b):
        expect(Report, expected, report)
    if isinstance(resamples, Report):
        raise CorefError(f"expected {expected}, got three")
    return compare_systems({"A": a, "B": b}, resamples, level=level, seed=seed, unit=unit)


def compare_systems(
    reports: Mapping[str, Report | Sequence[Report]],
    resamples: int = RESAMPLES,
    *,
    level: float = 0.95,
    seed: int = 0,
    unit: Unit | None = None,
) -> Comparison:
    """Compare every two of several systems; return their scores, differences and p-values.

    ``reports`` are those of the systems by name: of the same documents, key, measures and
    conventions. F1, or the value of a measure that has no F1, has an interval as in `bootstrap`,
    whose other arguments these are, and so has the difference of every two systems. The p-value is
    that of a paired permutation test: the share of swaps of the two systems' documents, or units,
    whose difference is as large in either direction. All 2ⁿ swaps of n documents are tried if they
    are no more than ``resamples``; else

        p = (h + 1) / (resamples + 1)

    where h of ``resamples`` random swaps are as far apart; the 1 is the observed one. The standard
    error of such a p is √(p (1 − p) / resamples). For each measure the p-values of all pairs are
    corrected by `holm`; they are not corrected for the number of measures.

    A system of which there are several runs has a list of their reports, three or more. The score
    is the mean of the runs, with their standard deviation, and the Multi-Bootstrap draws runs and
    documents: each draw takes documents with replacement, the same for all runs, and of each system
    as many runs as it has. The p-value is

        p = (2 h + 1) / (resamples + 1)

    where in h draws the other system is ahead, or neither. A single report beside them is scored as
    it is: its documents are drawn, and its one run is always the same. The comparison is then with
    this very run, as of a baseline that has no seed, or of a model that somebody released; it does
    not say how another run of it would do. Two single reports have the p of swaps, as without runs.

    Of 1,000 simulated pairs of equal systems with 3, 5 and 10 runs each, 44, 15 and 15 had p below
    0.05 where runs differed little, but 154, 79 and 68 where they differed much. So fewer than 10
    runs are warned of, however near each other they are: of few runs, that may be luck.

    Warns of fewer than 10 documents or runs, where no p-value can be below 0.05, and where p is
    less than two standard errors away from 0.05. Raises `CorefError` as `bootstrap` does, for fewer
    than two reports, for reports of other documents, keys, measures or conventions, and for a list
    of fewer than three runs.

    Source of the Multi-Bootstrap: Sellam et al. 2022, "The MultiBERTs", ICLR; its appendix E.2
    compares runs with a single model.

    >>> from corefeval import evaluate
    >>> key = {n: "{a b c} {d e}" for n in range(20)}
    >>> worse = {n: "{a b} {c d e}" for n in range(20)}
    >>> wrong = {"perfect": 0, "good": 5, "poor": 15}
    >>> reports = {
    ...     name: evaluate(key, key | dict([*worse.items()][:many]), "muc")
    ...     for name, many in wrong.items()
    ... }
    >>> comparison = compare_systems(reports)
    >>> score, ends = comparison.scores["good"]["muc"]
    >>> score, [round(end, 2) for end in ends], comparison.better_than("good", "muc")
    (Fraction(11, 12), [0.85, 0.98], ['poor'])
    """
    systems = _systems(reports)
    sample = Sample([run for s in systems for run in s.runs], resamples, level, seed, unit)
    couples = list(combinations(systems, 2))
    _warn_of_few(sample, systems, couples)
    swapped = _p_of_swaps(sample, couples)
    scores: dict[str, dict[str, tuple[Number, Interval]]] = {system.name: {} for system in systems}
    pairs = {}
    for measure, drawn in _drawn(sample, systems).items():
        for system in systems:
            ends = sample.middle(measure, system.place, drawn[system.name])
            scores[system.name][measure] = system.total[measure].exact.value, ends
        pairs[measure] = _differences(sample, measure, couples, drawn, swapped)
    totals = {system.name: system.total for system in systems}
    deviations = {system.name: system.deviations for system in systems if system.has_runs}
    _warn_of_open(pairs)
    signature = _signature(sample, systems)
    return Comparison(scores, pairs, signature, level, totals, deviations)


class System:
    """A system, of which there is one run or several; ``place`` has their places in a sample."""

    def __init__(self, name: str, runs: Sequence[Report], place: Sequence[int]) -> None:
        self.name, self.runs, self.place = name, runs, place
        self.has_runs = len(runs) > 1

    @cached_property
    def total(self) -> Mapping[str, Score]:
        """By measure its score; of several runs the mean of each part."""
        if not self.has_runs:
            return self.runs[0].total
        scores = {}
        for measure in self.runs[0].total:
            parts = zip(*(run.total[measure].exact for run in self.runs), strict=True)
            means = [None if None in runs else sum(runs, Fraction(0)) / len(runs) for runs in parts]
            scores[measure] = Score(*means)
        return scores

    @cached_property
    def by_document(self) -> Mapping[str, Mapping[Hashable, float]]:
        """By measure the score of each document; of several runs their mean."""
        by_measure: dict[str, dict[Hashable, float]] = {measure: {} for measure in self.total}
        for document in self.runs[0].documents:
            for measure, values in by_measure.items():
                scores = [run.documents[document][measure] for run in self.runs]
                values[document] = fmean(float(score.exact.value) for score in scores)
        return by_measure

    @property
    def deviations(self) -> dict[str, float]:
        """By measure the standard deviation of the runs."""
        deviations = {}
        for measure in self.total:
            deviations[measure] = stdev(float(run.total[measure].exact.value) for run in self.runs)
        return deviations


def _systems(reports: Mapping[str, Report | Sequence[Report]]) -> list[System]:
    """The systems that are to be compared."""
    expect(Mapping, "a mapping from systems' names to reports of corefeval.evaluate", reports)
    if len(reports) < 2:
        raise CorefError(f"expected two systems or more, got {len(reports)}")
    written: dict[str, Hashable] = {}
    for name in reports:
        if str(name) in written:
            raise CorefError(
                f"the systems {written[str(name)]!r} and {name!r} have names that are written the "
                "same: give one of them another name"
            )
        written[str(name)] = name
    places = count()
    systems = []
    for name, report in reports.items():
        runs = [report] if isinstance(report, Report) else _checked_runs(name, report)
        systems.append(System(name, runs, [next(places) for _ in runs]))
    return systems


def _checked_runs(name: str, runs: object) -> Sequence[Report]:
    """The runs of a system; three or more, or they do not show how far runs are apart."""
    expected = f"reports of corefeval.evaluate ({name!r}: one, or a list of those of its runs)"
    expect((list, tuple), expected, runs)
    reports = cast(Sequence[Report], runs)
    if len(reports) < FEWEST_RUNS:
        raise CorefError(
            f"{name!r} has {len(reports)} run{'s' * (len(reports) != 1)}: expected "
            f"{FEWEST_RUNS} or more, since fewer do not show how far runs are apart; a report that "
            "is in no list is compared as it is"
        )
    return reports


def _drawn(sample: Sample, systems: Sequence[System]) -> dict[str, dict[str, Numbers]]:
    """By measure and system its scores of random draws, of documents and of its own runs."""
    rng = np.random.default_rng([sample.seed, len(sample.reports)])
    shares = {}
    for system in systems:
        many = len(system.runs)
        # How often each run is drawn, in parts of one; a single one always is.
        shares[system.name] = rng.multinomial(many, [1 / many] * many, sample.resamples).T / many
    drawn = sample.drawn({measure: [part] for measure, part in sample.part.items()})
    return {
        measure: {s.name: (scores[s.place] * shares[s.name]).sum(axis=0) for s in systems}
        for (measure, _), scores in drawn.items()
    }


Couple = tuple[System, System]


def _are_lone(couple: Couple) -> bool:
    """Whether neither of two systems has runs, so that they are judged by swaps."""
    return not any(system.has_runs for system in couple)


def _p_of_swaps(sample: Sample, couples: Sequence[Couple]) -> dict[tuple[str, str, str], float]:
    """By measure and two systems without runs, their p-value."""
    lone = [couple for couple in couples if _are_lone(couple)]
    if not lone:
        return {}
    p_of = {}
    for measure, p_values in sample.p_values([(a.place[0], b.place[0]) for a, b in lone]).items():
        for (a, b), p in zip(lone, p_values, strict=True):
            p_of[measure, a.name, b.name] = p
    return p_of


def _differences(
    sample: Sample,
    measure: str,
    couples: Sequence[Couple],
    drawn: Mapping[str, Numbers],
    swapped: Mapping[tuple[str, str, str], float],
) -> list[Difference]:
    """How each two systems differ by a measure: p is that of swaps or, of runs, of draws."""
    differences = []
    for a, b in couples:
        draws = (drawn[b.name] - drawn[a.name]).round(DECIMALS)
        lone = _are_lone((a, b))
        p = swapped[measure, a.name, b.name] if lone else _p_of_draws(draws)
        is_exact = lone and sample.exact
        # Of runs p is the sum of two equal shares, one for each side.
        shares = 1 if lone else 2
        error = shares * (p / shares * (1 - p / shares) / sample.resamples) ** 0.5
        difference = Difference(
            a.name,
            b.name,
            sample.part[measure],
            exact=b.total[measure].exact.value - a.total[measure].exact.value,
            interval=sample.middle(measure, [*a.place, *b.place], draws),
            p=p,
            p_holm=p,
            p_error=0.0 if is_exact else error,
            at_floor=not is_exact and p <= 1 / (sample.resamples + 1),
            spread=_spread(measure, a, b),
        )
        differences.append(difference)
    corrected = holm([pair.p for pair in differences])
    return [pair._replace(p_holm=p) for pair, p in zip(differences, corrected, strict=True)]


def _spread(measure: str, a: System, b: System) -> float:
    """The standard deviation, over documents, of by how much b scores higher than a."""
    of_a, of_b = a.by_document[measure], b.by_document[measure]
    return stdev(of_b[document] - score for document, score in of_a.items())


def _p_of_draws(apart: Numbers) -> float:
    """Twice the share of draws on the side where fewer are, the observed one among them."""
    fewer = int(min((apart <= 0).sum(), (apart >= 0).sum()))
    return min(1.0, (2 * fewer + 1) / (len(apart) + 1))


def _warn_of_few(sample: Sample, systems: Sequence[System], couples: Sequence[Couple]) -> None:
    """Say where runs, documents, swaps or draws are too few for the p-values that they give."""
    of_runs = [len(system.runs) for system in systems if system.has_runs]
    lone = [couple for couple in couples if _are_lone(couple)]
    if lone:
        # To swap all units makes the same difference, so of all swaps there are two.
        least = 2.0 / 2**sample.units if sample.exact else 1 / (sample.resamples + 1)
        few = f"{sample.units} {sample.what}" if sample.exact else f"{sample.resamples} swaps"
        _warn_of_least(least, few, len(couples), " of two reports without runs" * bool(of_runs))
    if of_runs:
        few = f"{sample.resamples} draws"
        _warn_of_least(1 / (sample.resamples + 1), few, len(couples), " of runs" * bool(lone))
        _warn_of_few_runs(sample, min(of_runs))


def _warn_of_least(of_one: float, few: str, pairs: int, whose: str) -> None:
    """Say that the least p-value of one pair, corrected for all pairs, is not below 0.05."""
    least = min(1.0, of_one * pairs)
    if least >= SIGNIFICANT:
        corrected = f" and {pairs} pairs" if pairs > 1 else ""
        warn(f"of {few}{corrected} no p-value{whose} can be below {least:.2g}")


def _warn_of_few_runs(sample: Sample, runs: int) -> None:
    """Say that p of runs may be too low, since runs or documents are few.

    How far the runs at hand are apart is no help: where few of them are close, this may be luck.
    """
    few = []
    if runs < FEW:
        few.append(f"{runs} runs")
    if sample.units < FEW:
        few.append(f"{sample.units} {sample.what}")
    if few:
        warn(
            f"of {' and '.join(few)} p-values may be too low, and intervals too narrow; trust them "
            f"from {FEW} on"
        )


def _warn_of_open(pairs: Mapping[str, Sequence[Difference]]) -> None:
    """Say where other random draws or swaps could well change a verdict."""
    open_pairs = [
        f"{measure}, {pair.a} and {pair.b}: {pair.p_holm:.4f} ± {2 * pair.holm_error:.4f}"
        for measure, of_measure in pairs.items()
        for pair in of_measure
        if pair.is_open
    ]
    if open_pairs:
        warn(
            f"p is within two standard errors of {SIGNIFICANT}, and other random draws may put it "
            f"on the other side ({'; '.join(open_pairs)}): pass more resamples (--resamples)"
        )


def _signature(sample: Sample, systems: Sequence[System]) -> str:
    """One line of all that can change a number of a comparison."""
    # Where documents of one report were paired by their order, that can change a number.
    in_order = [report for report in sample.reports if report.conventions.pairs == "order"]
    report = (in_order or list(sample.reports))[0]
    words = [report.signature, f"resamples={sample.resamples}"]
    lone = [system for system in systems if not system.has_runs]
    if len(lone) > 1:
        words.append(f"swaps={'all' if sample.exact else 'random'}")
    words.append(sample.settings)
    if len(lone) < len(systems):
        words.append(f"runs={','.join(str(len(system.runs)) for system in systems)}")
    if len(systems) > 2:
        words.append(f"correction=holm alpha={SIGNIFICANT} systems={len(systems)}")
    return " ".join(words)


def holm(p: Sequence[float]) -> list[float]:
    """Correct the p-values of m tests by Holm's method; return them in their order.

        p₍ᵢ₎ → max over j ≤ i of min(1, (m − j + 1) · p₍ⱼ₎)

    with p₍₁₎ ≤ … ≤ p₍ₘ₎. To call significant what is then below α keeps the chance of a single
    error, among all tests, below α, whatever the tests have to do with each other.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".

    >>> holm([0.0625, 0.5, 0.25])
    [0.1875, 0.5, 0.5]
    """
    corrected, highest = [0.0] * len(p), 0.0
    order = sorted(range(len(p)), key=p.__getitem__)
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - rank) * p[place]))
        corrected[place] = highest
    return corrected


# Draws in arrays


class Sample:
    """What measures count in several reports of the same documents, in one array.

    Raises `CorefError` for reports that cannot be drawn, or compared, and warns of few documents.
    """

    def __init__(
        self, reports: Sequence[Report], resamples: int, level: float, seed: int, unit: Unit | None
    ) -> None:
        for report in reports:
            expect(Report, "reports of corefeval.evaluate", report)
            _check_comparable(reports[0], report)
        _check_counts(reports[0])
        _check_draws(resamples, level, seed)
        self.reports, self.resamples, self.level, self.seed = reports, resamples, level, seed
        place = _units(reports[0], unit)
        self.units = len(set(place.values()))
        self.what = "documents" if unit is None else "units"
        self.settings = f"level={level} seed={seed}" + f" units={self.units}" * (unit is not None)
        """What a signature says of the draws."""
        if self.units < 2:
            raise CorefError(
                f"expected two {self.what} or more, got {self.units}: chance is judged by how "
                f"{self.what} differ"
            )
        if self.units < FEW:
            warn(f"of {self.units} {self.what} intervals are too narrow; trust them from {FEW} on")
        self.exact = 2**self.units <= resamples
        """Whether all ways to swap are tried."""
        total = reports[0].total
        self.part = {name: "value" if score.f1 is None else "f1" for name, score in total.items()}
        """The one number of each measure."""
        widths = [len(leaves(score.counts)) for score in total.values()]
        ends = accumulate(widths, initial=0)
        self.places = dict(zip(total, starmap(slice, pairwise(ends)), strict=True))
        """Where the numbers of each measure are, in the order of `leaves`."""
        self.numbers = np.zeros((len(reports), sum(widths), self.units))
        """What is counted, of the shape (reports, numbers, units)."""
        for report, counted in zip(reports, self.numbers, strict=True):
            for document, number in place.items():
                exact = leaves(tuple(report.counts[document].values()))
                counted[:, number] += [float(each) for each in exact]

    def scores(self, name: str, sums: Numbers) -> dict[str, Numbers]:
        """The parts of a measure's scores of summed numbers, of the shape (numbers, draws)."""
        counts = self.reports[0].total[name].counts
        by, mine = self.reports[0].metrics[name].conventions, sums[self.places[name]]
        if hasattr(counts, "of_arrays"):
            arrays: dict[str, Numbers] = counts.of_arrays(mine, int(by.zero == "one"))
            return arrays
        scores = [filled(counts, iter(draw)).score(by).parts for draw in mine.T.tolist()]
        return {part: np.array([parts[part] for parts in scores]) for part in scores[0]}

    def drawn(self, parts: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], Numbers]:
        """Scores of random draws by measure and part, of the shape (reports, draws)."""
        shape = len(self.reports), self.resamples
        by_part = {(name, part): np.empty(shape) for name in parts for part in parts[name]}
        rng, first = np.random.default_rng(self.seed), 0
        for size in self._batches(self.resamples):
            drawn = rng.integers(0, self.units, (size, self.units))
            rows = drawn + self.units * np.arange(size)[:, None]  # each draw counts in its own
            times = np.bincount(rows.ravel(), minlength=drawn.size).reshape(drawn.shape)
            batch = slice(first, first + size)
            for place, sums in enumerate(weighted(self.numbers, times.T.astype(float))):
                for name in parts:
                    scores = self.scores(name, sums)
                    for part in parts[name]:
                        by_part[name, part][place, batch] = scores[part].round(DECIMALS)
            first += size
        return by_part

    def p_values(self, couples: Sequence[tuple[int, int]]) -> dict[str, list[float]]:
        """By measure the p-value of each two reports; see `compare_systems`."""
        totals = self.numbers.sum(axis=2, keepdims=True)
        observed = [self._apart(totals[a], totals[b]) for a, b in couples]
        as_large = {name: np.zeros(len(couples), int) for name in self.part}
        tried = 0
        for swaps in self.swaps():
            kept, moved = weighted(self.numbers, 1 - swaps), weighted(self.numbers, swaps)
            for place, (a, b) in enumerate(couples):
                # One sum of counts for each side, so that what is 0 in all documents stays 0.
                swapped = self._apart(kept[a] + moved[b], kept[b] + moved[a])
                for name, apart in swapped.items():
                    least = observed[place][name] - 10**-DECIMALS
                    as_large[name][place] += (apart >= least).sum()
            tried += swaps.shape[1]
        more = 0 if self.exact else 1
        return {name: ((n + more) / (tried + more)).tolist() for name, n in as_large.items()}

    def _apart(self, a: Numbers, b: Numbers) -> dict[str, Numbers]:
        """By measure how far the scores of these sums are apart, in either direction."""
        apart = {}
        for name, part in self.part.items():
            apart[name] = abs(self.scores(name, b)[part] - self.scores(name, a)[part])
        return apart

    def swaps(self) -> Iterator[Numbers]:
        """Which units are swapped, 1 or 0, in batches of the shape (units, swaps)."""
        return self._all_swaps() if self.exact else self._random_swaps()

    def _all_swaps(self) -> Iterator[Numbers]:
        first = 0
        # To swap the other units instead makes the same difference, so half of all will do.
        for size in self._batches(2 ** (self.units - 1)):
            yield (np.arange(first, first + size) >> np.arange(self.units)[:, None] & 1) * 1.0
            first += size

    def _random_swaps(self) -> Iterator[Numbers]:
        """The draws of `scipy.stats.permutation_test`."""
        rng = np.random.default_rng(self.seed)
        for size in self._batches(self.resamples):
            orders = rng.permuted(np.tile([0, 1], (size, self.units, 1)), axis=-1)
            yield orders[..., 0].T.astype(float)

    def _batches(self, draws: int) -> Iterator[int]:
        """How many draws to make at a time, again and again, with a bar for those that wait."""
        reports, width, units = self.numbers.shape
        most = max(1, BATCH // (2 * reports * width + 2 * units))
        sizes = [min(most, draws - first) for first in range(0, draws, most)]
        yield from with_progress(sizes, "batches of draws")

    def middle(self, name: str, places: Sequence[int], scores: Numbers) -> Interval:
        """The middle of the scores of draws, of a measure of the reports at these places."""
        numbers = self.numbers[list(places), self.places[name]].reshape(-1, self.units).T
        share = tail(numbers, self.level)
        return Interval(*np.quantile(scores, [share, 1 - share]).tolist())


def weighted(numbers: Numbers, weights: Numbers) -> Numbers:
    """``numbers @ weights``, of the shapes (…, numbers, units) and (units, draws).

    Products that are small enough stay on one thread: the threads of a BLAS that wait for each
    other took five times the CPU time of the product itself (two systems, 100 documents).
    """
    size = max(1, numbers.shape[-2] * numbers.shape[-1])
    draws = max(LEAST_DRAWS, ONE_THREAD // size)
    pieces = range(0, weights.shape[1], draws)
    return np.concatenate([numbers @ weights[:, i : i + draws] for i in pieces], axis=-1)


def tail(numbers: Numbers, level: float) -> float:
    """The α of `bootstrap`; ``numbers`` has the shape (units, numbers)."""
    sums = numbers.sum(axis=0)
    weights = (numbers[:, sums != 0] / sums[sums != 0]).sum(axis=1)
    # With one degree of freedom α is next to nothing already; without any, t is not defined.
    m = max(2.0, weights.sum() ** 2 / ((weights**2).sum() or 1))
    return float(ndtr((m / (m - 1)) ** 0.5 * stdtrit(m - 1, (1 - level) / 2)))


def leaves(counts: Any) -> list[Any]:
    """The numbers that counts consist of, in their order."""
    if isinstance(counts, tuple):
        return [number for part in counts for number in leaves(part)]
    return [counts]


def filled(counts: Any, numbers: Iterator[float]) -> Any:
    """Make counts of this kind from the next numbers; what is whole in ``counts`` stays whole."""
    if isinstance(counts, tuple):
        return getattr(type(counts), "_make", tuple)(filled(part, numbers) for part in counts)
    return (int if isinstance(counts, int) else float)(next(numbers))


# What is refused


def _units(report: Report, unit: Unit | None) -> dict[Hashable, int]:
    """The number of each document's unit, in the order of their names."""
    documents = sorted(report.counts, key=str)
    unit_of = {name: _unit_of(name, unit) for name in documents}
    # A set would have names that are written alike, as 1 and "1", in any order.
    names = sorted(dict.fromkeys(unit_of.values()), key=str)
    number_of = {name: number for number, name in enumerate(names)}
    return {document: number_of[name] for document, name in unit_of.items()}


def _unit_of(document: Hashable, unit: Unit | None) -> Hashable:
    """The unit of a document, which without units is one by itself."""
    if unit is None:
        return document
    find = unit.get if isinstance(unit, Mapping) else unit
    if not callable(find):
        raise CorefError(
            "unit: expected a mapping or a function from a document's name to its unit, got "
            f"{shortened(unit)}"
        )
    named = find(document)
    # NaN is not equal to itself: each would be a unit, or all of them one.
    if is_nothing(named) or not isinstance(named, Hashable) or named != named:
        raise CorefError(
            f"unit: document {document!r} has the unit {shortened(named)}; expected a name or a "
            "number for each document"
        )
    return named


def _check_counts(report: Report) -> None:
    """Refuse totals that are no sums of counts.

    That is any ``average`` but the sum, and a ``zero`` of `ONE_BY_SIDES`, such as "same".
    """
    why = "has no summed counts, of which intervals and p-values are made"
    for metric in report.metrics.values():
        metric.conventions.refuse(["average"], why)
        if metric.conventions.zero in ONE_BY_SIDES:
            raise CorefError(f"zero={metric.conventions.zero!r} {why}")


def _check_draws(resamples: int, level: float, seed: int) -> None:
    """Refuse numbers of draws, levels and seeds that are none."""
    if not isinstance(resamples, Integral) or not LEAST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise CorefError(f"{resamples!r} resamples: expected {LEAST_RESAMPLES} to {MOST_RESAMPLES}")
    if not isinstance(level, float) or not 0 < level < 1:
        raise CorefError(f"level={level!r}: expected a number between 0 and 1, such as 0.95")
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise CorefError(f"seed={seed!r}: expected a whole number, 0 or more")


def _check_comparable(a: Report, b: Report) -> None:
    """Refuse reports of other measures, conventions, documents or keys."""
    if a.metrics != b.metrics:
        raise CorefError(f"other measures or conventions: {a.signature}; {b.signature}")
    if names := a.with_other_keys(b):
        hint = ""
        if "order" in (a.conventions.pairs, b.conventions.pairs):
            hint = (
                "; documents that are paired by their order have the names of the response if the "
                "key has none: name those of the key"
            )
        raise CorefError(f"document {names[0]!r} is not in both reports, with the same key{hint}")
