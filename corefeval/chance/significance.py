"""How far chance reaches: intervals for scores, p-values for differences between two responses.

Documents are drawn, or swapped, whole: the mentions of one share its topic, its style and its
difficulty. The counts of each draw are summed, as for a corpus total, and the measure's own formula
scores the sum. Scores of documents are never averaged.

NumPy draws as SciPy does. Counts are added up as doubles, and scores of draws are rounded to twelve
decimals, so that equal ones tie; the observed scores stay exact. Documents are taken in the order
of their ids, so that the order of a file or a mapping does not change a result.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import ndtr, stdtrit

from corefeval import display
from corefeval.chance.draws import DECIMALS, MOST_UNITS, Draws, Numbers, Sample, Unit, Units
from corefeval.display import (
    Shown,
    Table,
    columns_of,
    frame_by,
    frame_of_rows,
    interval_name,
    percent,
    probability,
    score_rows,
    score_table,
)
from corefeval.errors import CorefError, expect, shortened, warn
from corefeval.progress import progress
from corefeval.report import Report
from corefeval.score import Number, Score
from corefeval.scoring import ALIKE

Swaps = Literal["all"]

LEAST_RESAMPLES, MOST_RESAMPLES = 100, 1_000_000
FEW = 10
SIGNIFICANT = 0.05


class Interval(NamedTuple):
    """Where a score or a difference may lie; a part of 1, not in percent."""

    low: float
    high: float


class Intervals(NamedTuple):
    """The interval of each part of a score that the measure has, and None for the others.

    That of the value is that of F1 where the measure has one.
    """

    recall: Interval | None = None
    precision: Interval | None = None
    f1: Interval | None = None
    value: Interval | None = None


@dataclass(frozen=True, repr=False)
class Bootstrap(Shown):
    """The scores of a report with their intervals; what `bootstrap` returns."""

    scores: Mapping[str, Score]
    """By measure: the score of all documents."""
    intervals: Mapping[str, Intervals]
    """By measure: the interval of each part."""
    signature: str
    """One line of all that can change a number."""
    level: float = 0.95

    def table(self) -> Table:
        """The scores and their intervals in percent, a row for each measure."""
        return score_table(list(score_rows(self.scores, intervals=self.intervals)), self.level)

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Floats by measure and part, each with the ends of its interval: ``muc_f1_low``."""
        found: dict[str, float] = {}
        for measure, score in self.scores.items():
            for part, number in score.parts.items():
                name = f"{prefix}{measure}_{part}"
                found[name] = number
                if ends := getattr(self.intervals[measure], part):
                    found |= {f"{name}_low": ends.low, f"{name}_high": ends.high}
        return found

    def to_frame(self) -> Any:
        """A frame of pandas with a row for each measure; floats in [0, 1].

        Raises `CorefError` if pandas is not installed.
        """
        rows = score_rows(self.scores, intervals=self.intervals)
        parts = columns_of(self.scores)
        columns = [f"{part}{end}" for part in parts for end in ("", "_low", "_high")]
        frame = frame_of_rows(rows, ["measure", *columns]).set_index("measure")
        return frame.dropna(axis="columns", how="all")


class ExactDifference(NamedTuple):
    """The scores of two responses, and b − a, exact as those of `corefeval.score.ExactParts`."""

    a: Number
    b: Number
    difference: Number


class Difference(NamedTuple):
    """How two responses differ by one measure: ``difference`` is b − a.

    It is of ``part`` ``"f1"``, or ``"value"`` where the measure has no F1. ``a``, ``b`` and
    ``difference`` are floats, and fractions in ``exact``. ``interval`` says where the difference
    may lie. ``p`` is not corrected for the number of measures; where it is ``at_floor``, it is the
    least that so many random swaps can give, and the true one may be smaller.
    """

    part: str
    exact: ExactDifference
    interval: Interval
    p: float
    at_floor: bool = False

    @property
    def a(self) -> float:
        """The score of the first response as a float."""
        return float(self.exact.a)

    @property
    def b(self) -> float:
        """The score of the second response as a float."""
        return float(self.exact.b)

    @property
    def difference(self) -> float:
        """By how much the second scores higher, as a float."""
        return float(self.exact.difference)


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """How two responses differ; what `compare` returns."""

    differences: Mapping[str, Difference]
    """By measure: the difference, its interval and its p-value."""
    signature: str
    """One line of all that can change a number."""
    level: float = 0.95

    def table(self) -> Table:
        """Scores and differences in percent, a row for each measure."""
        head = ["measure", "score", "A", "B", "B − A", interval_name(self.level), "p"]
        lines = [head]
        for measure, each in self.differences.items():
            scores = map(percent, each.exact)
            ends = display.interval(*each.interval)
            p = probability(each.p, each.at_floor)
            lines.append([measure, each.part.replace("f1", "F1"), *scores, ends, p])
        return Table(lines, right=5)

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Floats by measure and column: ``muc_a``, ``muc_b``, ``muc_difference``, …."""
        return {
            f"{prefix}{measure}_{name}": number
            for measure, row in self._rows().items()
            for name, number in row.items()
            if name not in ("part", "at_floor")
        }

    def to_frame(self) -> Any:
        """A frame of pandas with a row for each measure; floats in [0, 1].

        Raises `CorefError` if pandas is not installed.
        """
        return frame_by("measure", self._rows())

    def _rows(self) -> dict[str, dict[str, Any]]:
        rows = {}
        for measure, each in self.differences.items():
            scores = {name: float(number) for name, number in each.exact._asdict().items()}
            ends, of_p = each.interval._asdict(), {"p": each.p, "at_floor": each.at_floor}
            rows[measure] = {"part": each.part, **scores, **ends, **of_p}
        return rows


def bootstrap(
    report: Report,
    resamples: int = 1000,
    *,
    level: float = 0.95,
    seed: int = 0,
    unit: Unit | None = None,
) -> Bootstrap:
    """Intervals for recall, precision, and F1 or the value, of every measure of a report.

    Each of ``resamples`` draws takes documents at random with replacement, as many as there are.
    An interval leaves out a share α of the draws' scores at either end:

        α = Φ(−√(m / (m − 1)) · t),  m = (Σ w)² / Σ w²

    with Φ of the normal distribution, t the quantile (1 + level) / 2 of Student's t with m − 1
    degrees of freedom, and w the weight of each document: the sum, over the numbers that the
    measure counts, of the document's share of them. This expanded percentile interval allows for
    few documents by m, the number of documents of equal weight that would vary as much. Where
    m < 2, it is from the lowest score to the highest.

    Documents that share a topic, a book or a speaker are not independent, and intervals that draw
    them one by one are too narrow. ``unit`` says what a document belongs to, as a mapping from the
    names of documents or a function of a name; units are then drawn whole, and are what this text
    calls documents.

    The ends are scores of draws, hence in the range of the measure, and equal where all draws
    agree. A measure without a corpus total has no interval. The same ``seed`` of NumPy's PCG64
    gives the same result.

    Warns of fewer than 10 documents, for which intervals are too narrow. Raises `CorefError` for
    fewer than two, for ``resamples`` outside 100 to a million, a ``level`` outside (0, 1), a
    negative ``seed``, a ``unit`` that says nothing of a document, and totals that are not of
    summed counts (``average``, ``zero="same"``).

    Source: Hesterberg 2015, "What teachers should know about the bootstrap", where m is the number
    of documents; Kish 1965, "Survey sampling", section 11.7, for m. The draws are those of
    `scipy.stats.bootstrap`.

    >>> from corefeval import evaluate
    >>> documents = {n: "{a b c} {d e}" for n in range(30)}
    >>> report = evaluate(documents, documents | {n: "{a b} {c d e}" for n in range(15)}, "muc")
    >>> report["muc"], [round(end, 2) for end in bootstrap(report).intervals["muc"].f1]
    (recall 5/6, precision 5/6, f1 5/6, [0.77, 0.9])
    """
    expect(Report, "a report of corefeval.evaluate", report)
    draws = Draws(resamples, level, seed)
    units = checked(report, draws, unit)
    sample = Sample([report], units)
    with progress("draws", resamples):
        parts = {name: list(total.parts) for name, total in report.total.items()}
        scores = sample.drawn_scores(draws, parts)
    found: dict[str, dict[str, Interval]] = {name: {} for name in report.total}
    for (name, part), of_reports in scores.items():
        found[name][part] = middle(sample, name, [0], of_reports[0], level)
    signature = f"{report.signature} bootstrap={resamples} level={level} seed={seed}"
    intervals = {name: Intervals(**{"value": of.get("f1"), **of}) for name, of in found.items()}
    return Bootstrap(report.total, intervals, signature + told_of(units), level)


def compare(
    a: Report,
    b: Report,
    resamples: int = 1000,
    *,
    level: float = 0.95,
    seed: int = 0,
    unit: Unit | None = None,
    swaps: Swaps | None = None,
) -> Comparison:
    """By how much response ``b`` scores higher than ``a``, and whether chance alone could do that.

    Both are reports of the same documents, key, measures and conventions. The difference of each
    measure's F1, or value, has an interval as in `bootstrap`, whose other arguments these are, and
    the p-value of a paired permutation test: the share of swaps of the two responses' documents, or
    ``unit``, whose difference is as large in either direction. All 2ⁿ swaps are tried if they are
    no more than ``resamples`` (or, with ``swaps="all"``, n is at most 20), or else that many random
    ones, and 1 is added to both counts of the share. P-values are not corrected for the number of
    measures. Warns of fewer than 6 documents, for which p is at least 2/2ⁿ > 0.05. Raises
    `CorefError` for what the page *Library* lists under *What is refused*.

    Draws and swaps are those of `scipy.stats.bootstrap` and `scipy.stats.permutation_test`.

    >>> from corefeval import evaluate
    >>> key = {n: "{a b c} {d e}" for n in range(20)}
    >>> worse, better = ({n: "{a b} {c d e}" for n in range(many)} for many in (12, 4))
    >>> a, b = (evaluate(key, key | response, "muc") for response in (worse, better))
    >>> found = compare(a, b).differences["muc"]
    >>> found.exact.difference, [round(end, 2) for end in found.interval], round(found.p, 2)
    (Fraction(2, 15), [0.07, 0.22], 0.01)
    >>> compare(a, b, swaps="all").differences["muc"].p == 2 / 2**8
    True
    """
    expected = "two reports of corefeval.evaluate (compare_systems takes more, by name)"
    for report in (a, b):
        expect(Report, expected, report)
    if isinstance(resamples, Report):
        raise CorefError(f"expected {expected}, got three")
    check_comparable(a, b)
    draws = Draws(resamples, level, seed, wants_all(swaps))
    units = checked(a, draws, unit)
    if (least := 2 / 2**units.size) > SIGNIFICANT:
        warn(f"of {units.size} {units.name} no p-value can be below {least:g}")
    sample = Sample([a, b], units)
    with progress("draws and swaps", steps(units, draws)):
        (found,) = differences(sample, [(0, 1)], drawn(sample, draws), draws)
    return Comparison(found, signature([a, b], draws, units))


def drawn(sample: Sample, draws: Draws) -> dict[str, Numbers]:
    """By measure the scores of random draws of each report: F1, or the value."""
    wanted = {name: [part] for name, part in sample.part.items()}
    return {name: scores for (name, _), scores in sample.drawn_scores(draws, wanted).items()}


def differences(
    sample: Sample,
    couples: Sequence[tuple[int, int]],
    scores: Mapping[str, Numbers],
    draws: Draws,
) -> list[dict[str, Difference]]:
    """How each two reports differ by each measure, by its ``scores`` of draws."""
    random = not draws.tries_all(sample.units.size)
    found: list[dict[str, Difference]] = [{} for _ in couples]
    for name, p_values in sample.p_values(couples, draws).items():
        for (a, b), p, of_couple in zip(couples, p_values, found, strict=True):
            apart = (scores[name][b] - scores[name][a]).round(DECIMALS)
            ends = middle(sample, name, (a, b), apart, draws.level)
            of_a, of_b = (sample.reports[place].total[name].exact.value for place in (a, b))
            at_floor = random and p <= 1 / (draws.resamples + 1)
            exact = ExactDifference(of_a, of_b, of_b - of_a)
            of_couple[name] = Difference(sample.part[name], exact, ends, p, at_floor)
    return found


def middle(
    sample: Sample, name: str, places: Sequence[int], scores: Numbers, level: float
) -> Interval:
    """The middle of the scores of draws, for a measure of the reports at these places."""
    numbers = sample.numbers[list(places), sample.places[name]]
    tail = _tail(numbers.reshape(-1, sample.units.size).T, level)
    return Interval(*np.quantile(scores, [tail, 1 - tail]).tolist())


def signature(reports: Sequence[Report], draws: Draws, units: Units) -> str:
    """One line of all that can change a number of a comparison of these reports."""
    # Where documents of one were paired by their order, that can change a number.
    report = next((each for each in reports if each.conventions.pairs == "order"), reports[0])
    swaps = "all" if draws.tries_all(units.size) else "random"
    return (
        f"{report.signature} resamples={draws.resamples} swaps={swaps} level={draws.level} "
        f"seed={draws.seed}{told_of(units)}"
    )


def told_of(units: Units) -> str:
    """What a signature says of units that are not documents."""
    return "" if units.name == "documents" else f" units={units.size}"


def steps(units: Units, draws: Draws) -> int:
    """How many draws and swaps are made."""
    if draws.tries_all(units.size):
        return draws.resamples + int(2 ** (units.size - 1))
    return 2 * draws.resamples


def _tail(numbers: Numbers, level: float) -> float:
    """The α of `bootstrap`; ``numbers`` has the shape (documents, numbers)."""
    sums = numbers.sum(axis=0)
    weights = (numbers[:, sums != 0] / sums[sums != 0]).sum(axis=1)
    effective = weights.sum() ** 2 / ((weights**2).sum() or 1)
    # With one degree of freedom α is next to nothing already; without any, t is not defined.
    m = max(2.0, effective)
    quantile = -stdtrit(m - 1, (1 - level) / 2)
    return float(ndtr(-((m / (m - 1)) ** 0.5) * quantile))


def wants_all(swaps: Swaps | None) -> bool:
    """Whether the choice of swaps is all of them."""
    if swaps not in (None, "all"):
        raise CorefError(f"swaps={shortened(swaps)}: expected 'all', or nothing for random ones")
    return swaps == "all"


def checked(report: Report, draws: Draws, unit: Unit | None) -> Units:
    """The units of a report; refuses what cannot be drawn, and warns of few units."""
    resamples, level, seed, all_swaps = draws
    for metric in report.metrics.values():
        why = "has no summed counts, of which intervals and p-values are made"
        metric.conventions.refuse(["average"], why)
        if metric.conventions.zero in ALIKE:
            raise CorefError(f"zero={metric.conventions.zero!r} {why}")
    units = Units.of(report, unit)
    if units.size < 2:
        raise CorefError(
            f"expected two {units.name} or more, got {units.size}: chance is judged by how "
            f"{units.name} differ, and one {units.name[:-1]} leaves nothing to draw or to swap"
        )
    if all_swaps and units.size > MOST_UNITS:
        raise CorefError(
            f"swaps='all': there are 2**{units.size} ways to swap {units.size} {units.name}; "
            f"expected {MOST_UNITS} or fewer"
        )
    if not isinstance(resamples, Integral) or not LEAST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise CorefError(f"{resamples!r} resamples: expected {LEAST_RESAMPLES} to {MOST_RESAMPLES}")
    if not isinstance(level, float) or not 0 < level < 1:
        raise CorefError(f"level={level!r}: expected a number between 0 and 1, such as 0.95")
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise CorefError(f"seed={seed!r}: expected a whole number, 0 or more")
    if units.size < FEW:
        warn(f"of {units.size} {units.name} intervals are too narrow; trust them from {FEW} on")
    return units


def check_comparable(a: Report, b: Report) -> None:
    """Refuse reports of other measures, conventions, documents or keys."""
    if a.metrics != b.metrics:
        raise CorefError(f"other measures or conventions: {a.signature}; {b.signature}")
    of_a, of_b = _key_sizes(a), _key_sizes(b)
    for document in of_a | of_b:
        if of_a.get(document) != of_b.get(document):
            hint = ""
            if "order" in (a.conventions.pairs, b.conventions.pairs):
                hint = (
                    "; documents that are paired by their order have the names of the response "
                    "if the key has none: name those of the key"
                )
            raise CorefError(
                f"document {document!r} is not in both reports, with the same key{hint}"
            )


def _key_sizes(report: Report) -> dict[Hashable, dict[int, int]]:
    """The key's sizes by document, without singletons, which ``twinless`` may have added."""
    documents = next(iter(report.tables.values())).items()
    return {
        document: {size: times for size, times in tables.recall.key_histogram.items() if size > 1}
        for document, tables in documents
    }
