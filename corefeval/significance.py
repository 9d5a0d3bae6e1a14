"""How far chance reaches: intervals for scores, p-values for differences between two responses.

Documents are drawn, or swapped, whole: the mentions of one share its topic, its style and its
difficulty. The counts of each draw are summed, as for a corpus total, and the measure's own formula
scores the sum. Scores of documents are never averaged.

SciPy draws. Counts are added up as doubles, and scores of draws are rounded to twelve decimals, so
that equal ones tie; the observed scores stay exact. Documents are taken in the order of their ids,
so that the order of a file or a mapping does not change a result.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from corefeval.errors import CorefError, expect, warn
from corefeval.progress import advance, progress
from corefeval.report import Report
from corefeval.score import Number
from corefeval.scoring import ALIKE

Numbers = np.ndarray[Any, np.dtype[Any]]

LEAST_RESAMPLES, MOST_RESAMPLES = 100, 1_000_000
FEW = 10
SIGNIFICANT = 0.05
DECIMALS = 12
BATCH = 100_000


class Interval(NamedTuple):
    """Where a score or a difference may lie; a part of 1, not in percent."""

    low: float
    high: float


class Intervals(NamedTuple):
    """The interval of each of a score's `corefeval.score.Score.parts`; None for the others."""

    recall: Interval | None = None
    precision: Interval | None = None
    f1: Interval | None = None
    value: Interval | None = None


class Bootstrap(NamedTuple):
    """Intervals by measure, and a line of all that can change a number."""

    intervals: dict[str, Intervals]
    signature: str


class Difference(NamedTuple):
    """How two responses differ by one measure: ``difference`` is b − a.

    It is of ``part`` ``"f1"``, or ``"value"`` where the measure has no F1, and exact, as `Number`.
    """

    part: str
    a: Number
    b: Number
    difference: Number
    interval: Interval
    p: float


class Draws(NamedTuple):
    """How often to draw, how much of the draws an interval holds, and where chance begins."""

    resamples: int
    level: float
    seed: int


class Comparison(NamedTuple):
    """Differences by measure, None for one without a corpus total, and the line of `Bootstrap`."""

    differences: dict[str, Difference | None]
    signature: str


def bootstrap(
    report: Report, resamples: int = 1000, *, level: float = 0.95, seed: int = 0
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

    The ends are scores of draws, hence in the range of the measure, and equal where all draws
    agree. A measure without a corpus total has no interval. The same ``seed`` of NumPy's PCG64
    gives the same result.

    Warns of fewer than 10 documents, for which intervals are too narrow. Raises `CorefError` for
    fewer than two, for ``resamples`` outside 100 to a million, a ``level`` outside (0, 1), a
    negative ``seed``, and totals that are not of summed counts (``average``, ``zero="same"`` or
    ``zero="listed"``).

    Source: Hesterberg 2015, "What teachers should know about the bootstrap", where m is the number
    of documents; Kish 1965, "Survey sampling", section 11.7, for m. `scipy.stats.bootstrap` draws.

    >>> from corefeval import evaluate
    >>> documents = {n: "{a b c} {d e}" for n in range(30)}
    >>> report = evaluate(documents, documents | {n: "{a b} {c d e}" for n in range(15)}, "muc")
    >>> report.total["muc"].f1, [round(end, 2) for end in bootstrap(report).intervals["muc"].f1]
    (Fraction(5, 6), [0.77, 0.9])
    """
    expect(Report, "a report of corefeval.evaluate", report)
    draws = Draws(resamples, level, seed)
    check(report, draws)
    found = {name: Intervals() for name in report.total}
    scored = [name for name, total in report.total.items() if total.value is not None]
    with progress("draws", len(scored) * resamples):
        for name in scored:
            parts = report.total[name].parts
            ends = intervals(report, name, parts, draws)
            found[name] = Intervals(**dict(zip(parts, ends, strict=True)))
    signature = f"{report.signature} bootstrap={resamples} level={level} seed={seed}"
    return Bootstrap(found, signature)


def compare(
    a: Report, b: Report, resamples: int = 1000, *, level: float = 0.95, seed: int = 0
) -> Comparison:
    """By how much response ``b`` scores higher than ``a``, and whether chance alone could do that.

    Both are reports of the same documents, key, measures and conventions. The difference of each
    measure's F1, or value, has an interval as in `bootstrap`, the same documents drawn for both,
    and the p-value of a paired permutation test: if the responses did not differ, their counts
    could be swapped in any document; p is the share of such swaps whose difference is as large as
    the observed one, in either direction. All 2ⁿ swaps of n documents are tried if they are no more
    than ``resamples``, or else ``resamples`` random ones; 1 is then added to both counts of the
    share, for the swap that was observed. P-values are not corrected for the number of measures.

    Warns and raises as `bootstrap` does. Warns of fewer than 6 documents: swapping none and
    swapping all give the same difference, so that p is at least 2/2ⁿ > 0.05. Raises `CorefError`
    for reports of other measures, conventions or documents, and for documents whose keys have
    entities of other sizes; a report does not keep the mentions, by which keys of the same sizes
    could be told apart.

    Source: `scipy.stats.bootstrap` and `scipy.stats.permutation_test`.

    >>> from corefeval import evaluate
    >>> key = {n: "{a b c} {d e}" for n in range(20)}
    >>> worse, better = ({n: "{a b} {c d e}" for n in range(many)} for many in (12, 4))
    >>> a, b = (evaluate(key, key | response, "muc") for response in (worse, better))
    >>> found = compare(a, b).differences["muc"]
    >>> found.difference, [round(end, 2) for end in found.interval], round(found.p, 2)
    (Fraction(2, 15), [0.07, 0.22], 0.01)
    """
    for report in (a, b):
        expect(Report, "two reports of corefeval.evaluate", report)
    check_comparable(a, b)
    draws = Draws(resamples, level, seed)
    check(a, draws)
    if (least := 2 / 2 ** len(a)) > SIGNIFICANT:
        warn(f"of {len(a)} documents no p-value can be below {least:g}")
    with progress("draws and swaps", len(a.total) * 2 * resamples):
        found = {name: difference(a, b, name, draws) for name in a.total}
    return Comparison(found, signature([a, b], draws))


def signature(reports: Sequence[Report], draws: Draws) -> str:
    """One line of all that can change a number of a comparison of these reports."""
    # Where documents of one were paired by their order, that can change a number.
    report = next((each for each in reports if each.conventions.pairs == "order"), reports[0])
    swaps = "all" if all_swaps(report, draws) else "random"
    return (
        f"{report.signature} resamples={draws.resamples} swaps={swaps} level={draws.level} "
        f"seed={draws.seed}"
    )


def all_swaps(report: Report, draws: Draws) -> bool:
    """Whether there are few enough ways to swap documents that all of them are tried."""
    return 2 ** len(report) <= draws.resamples


def intervals(report: Report, name: str, parts: Iterable[str], draws: Draws) -> list[Interval]:
    """The interval of each of these parts of a measure's score, as `bootstrap` says."""
    return _percentiles(_scorer(report, name, *parts), _numbers(name, report), draws)


def difference(a: Report, b: Report, name: str, draws: Draws) -> Difference | None:
    """How two reports differ by one measure, as `compare` says; None without a corpus total."""
    first, second = a.total[name].value, b.total[name].value
    if first is None or second is None:
        return None
    scores, numbers, documents = _scorer(a, name, "value"), _numbers(name, a, b), np.arange(len(a))

    def higher_by(of_a: Numbers, of_b: Numbers) -> Numbers:
        return (scores(of_b) - scores(of_a)).round(DECIMALS)

    def swapped(as_a: Numbers, as_b: Numbers, axis: int) -> Numbers:
        """How far A and B differ where each has other reports' numbers for its documents.

        ``as_a`` and ``as_b`` have the shape (swaps, documents): 0 or 1, the report's place.
        """
        advance(as_a.size // len(documents))
        return abs(higher_by(numbers[as_a, documents], numbers[as_b, documents]))[0]

    test = stats.permutation_test(
        (np.zeros_like(documents), np.ones_like(documents)),
        swapped,
        permutation_type="samples",
        alternative="greater",  # in size, which is to say in either direction
        **_random(len(documents), draws),
    )
    (interval,) = _percentiles(higher_by, numbers, draws)
    part = "value" if a.total[name].f1 is None else "f1"  # which is the value as well
    return Difference(part, first, second, second - first, interval, float(test.pvalue))


def _numbers(name: str, *reports: Report) -> Numbers:
    """What a measure counts, as doubles, which are quick to add up.

    Shape (reports, documents, numbers): the numbers are those that `_leaves` finds in the counts,
    the documents in the order of their ids.
    """
    documents = sorted(reports[0].counts, key=str)
    return np.array([[_leaves(r.counts[d][name]) for d in documents] for r in reports], dtype=float)


def _scorer(report: Report, name: str, *parts: str) -> Callable[[Numbers], Numbers]:
    """A function that scores what is counted, summed over documents.

    It takes numbers of shape (…, documents, numbers), where … are draws or swaps, if any, and gives
    scores of shape (parts, …).
    """
    counts, conventions = report.total[name].counts, report.metrics[name].conventions

    def score(numbers: Numbers) -> list[float]:
        found = _filled(counts, iter(numbers.tolist())).score(conventions)
        return [float(getattr(found, part)) for part in parts]

    return lambda numbers: np.apply_along_axis(score, -1, numbers.sum(axis=-2)).T.round(DECIMALS)


def _leaves(counts: Any) -> list[Any]:
    """The numbers that counts consist of, in their order."""
    if isinstance(counts, tuple):
        return [number for part in counts for number in _leaves(part)]
    return [counts]


def _filled(counts: Any, numbers: Iterator[float]) -> Any:
    """Counts of the same kind, of other numbers; what is whole stays whole."""
    if isinstance(counts, tuple):
        return getattr(type(counts), "_make", tuple)(_filled(part, numbers) for part in counts)
    kind = int if isinstance(counts, int) else float
    return kind(next(numbers))


def _percentiles(
    statistic: Callable[..., Numbers], numbers: Numbers, draws: Draws
) -> list[Interval]:
    """The middle of a statistic's values for documents that are drawn.

    ``numbers`` are those of `_numbers`. Of each report the statistic takes the numbers of the
    documents drawn, of shape (draws, documents, numbers), and gives (parts, draws): an interval
    for each part.
    """
    tail, documents = _tail(np.hstack([*numbers]), draws.level), np.arange(numbers.shape[1])

    def of_drawn(drawn: Numbers, axis: int) -> Numbers:
        advance(drawn.size // len(documents))
        return statistic(*numbers[:, drawn])

    scores = stats.bootstrap(
        (documents,), of_drawn, method="percentile", **_random(len(documents), draws)
    ).bootstrap_distribution
    return [Interval(*ends) for ends in np.quantile(scores, [tail, 1 - tail], axis=-1).T.tolist()]


def _random(documents: int, draws: Draws) -> dict[str, Any]:
    """How SciPy is to draw; the numbers of a batch of draws take some megabytes."""
    batch, rng = max(1, BATCH // documents), np.random.default_rng(draws.seed)
    return {"vectorized": True, "n_resamples": draws.resamples, "batch": batch, "rng": rng}


def _tail(numbers: Numbers, level: float) -> float:
    """The α of `bootstrap`; ``numbers`` has the shape (documents, numbers)."""
    sums = numbers.sum(axis=0)
    weights = (numbers[:, sums != 0] / sums[sums != 0]).sum(axis=1)
    effective = weights.sum() ** 2 / ((weights**2).sum() or 1)
    # With one degree of freedom α is next to nothing already; without any, t is not defined.
    m = max(2.0, effective)
    quantile = stats.t.isf((1 - level) / 2, m - 1)
    return float(stats.norm.cdf(-((m / (m - 1)) ** 0.5) * quantile))


def check(report: Report, draws: Draws) -> None:
    """Refuse what cannot be drawn, and warn of few documents."""
    resamples, level, seed = draws
    for metric in report.metrics.values():
        why = "has no summed counts, of which intervals and p-values are made"
        metric.conventions.refuse(["average"], why)
        if metric.conventions.zero in ALIKE:
            raise CorefError(f"zero={metric.conventions.zero!r} {why}")
    documents = len(report)
    if documents < 2:
        raise CorefError(
            f"expected two documents or more, got {documents}: chance is judged by how documents "
            "differ, and one document leaves nothing to draw or to swap"
        )
    if not isinstance(resamples, int) or not LEAST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise CorefError(f"{resamples!r} resamples: expected {LEAST_RESAMPLES} to {MOST_RESAMPLES}")
    if not isinstance(level, float) or not 0 < level < 1:
        raise CorefError(f"level={level!r}: expected a number between 0 and 1, such as 0.95")
    if not isinstance(seed, int) or seed < 0:
        raise CorefError(f"seed={seed!r}: expected a whole number, 0 or more")
    if documents < FEW:
        warning = f"of {documents} documents intervals are too narrow; trust them from {FEW} on"
        warn(warning)


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
