"""How far chance reaches: intervals for scores, p-values for differences between two responses.

Documents are drawn, or swapped, whole: the mentions of one document share its topic, its style and
its difficulty, and one wrong decision touches many of them. The counts of each draw are summed, as
for a corpus total, and the measure's own formula scores the sum. Scores of documents are never
averaged.

Draws and intervals are SciPy's (`scipy.stats.bootstrap`, `scipy.stats.permutation_test`). Counts
are added up as doubles, and scores of draws are rounded to twelve decimals, so that equal ones tie;
the observed scores stay exact. Documents are taken in the order of their ids, so that the order of
a file or a mapping does not change a result.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from corefeval.errors import CorefError, expect
from corefeval.report import Report
from corefeval.score import Number

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
    """What `bootstrap` returns: intervals by measure, and all that can change a number."""

    intervals: dict[str, Intervals]
    signature: str


class Difference(NamedTuple):
    """How two responses differ by one measure.

    ``part`` is ``"f1"``, or ``"value"`` where the measure has no F1. ``a``, ``b`` and
    ``difference`` = b − a are exact (doubles where the measure has logarithms).
    """

    part: str
    a: Number
    b: Number
    difference: Number
    interval: Interval
    p: float


class Comparison(NamedTuple):
    """What `compare` returns: a difference by measure, and all that can change a number.

    The difference is None for a measure that has no corpus total.
    """

    differences: dict[str, Difference | None]
    signature: str


def bootstrap(
    report: Report, resamples: int = 1000, *, level: float = 0.95, seed: int = 0
) -> Bootstrap:
    """Intervals for recall, precision, and F1 or the value, of every measure of a report.

    Each of ``resamples`` draws takes documents at random with replacement, as many as there are;
    the interval leaves out a share α of the draws' scores at either end:

        α = Φ(−√(m / (m − 1)) · t),  m = (Σ w)² / Σ w²

    with Φ of the normal distribution, t the quantile (1 + level) / 2 of Student's t with m − 1
    degrees of freedom, and w the weight of each document: the sum, over the numbers that the
    measure counts, of the document's share of them. This is the expanded percentile interval. The
    plain one, whose α is (1 − level) / 2, is too narrow for few documents, by as much as the normal
    interval of a mean is narrower than Student's. m is the effective number of documents: unequal
    ones vary like m equal ones. Where m < 2, the interval is from the lowest score to the highest.

    The ends are scores of draws, hence in the range of the measure, and equal where all draws
    agree. A measure without a corpus total has no interval.

    ``level`` is in (0, 1); ``seed`` is that of NumPy's PCG64: the same seed gives the same result.

    Warns of fewer than 10 documents: the interval then misses the true score more often than it
    says, as the book's chapter on significance shows. Raises `CorefError` for fewer than two
    documents, for fewer than 100 resamples or more than a million, and for a ``level`` or ``seed``
    out of range.

    Source: Hesterberg 2015, "What teachers should know about the bootstrap", where m is the number
    of documents; Kish 1965, "Survey sampling", section 11.7, for m. `scipy.stats.bootstrap` draws.

    >>> from corefeval import evaluate
    >>> documents = {n: "{a b c} {d e}" for n in range(30)}
    >>> report = evaluate(documents, documents | {n: "{a b} {c d e}" for n in range(15)}, "muc")
    >>> result = bootstrap(report)
    >>> report.total["muc"].f1, [round(end, 2) for end in result.intervals["muc"].f1]
    (Fraction(5, 6), [0.77, 0.9])
    >>> result.signature  # doctest: +ELLIPSIS
    'corefeval=... documents=30 ... bootstrap=1000 level=0.95 seed=0'
    """
    expect(Report, "a report of corefeval.evaluate", report)
    _check(report, resamples, level, seed)
    found = {name: _intervals(_Rows(report, name), resamples, level, seed) for name in report.total}
    signature = f"{report.signature} bootstrap={resamples} level={level} seed={seed}"
    return Bootstrap(found, signature)


def compare(
    a: Report, b: Report, resamples: int = 1000, *, level: float = 0.95, seed: int = 0
) -> Comparison:
    """By how much response ``b`` scores higher than ``a``, and whether chance alone could do that.

    Both are reports of the same documents, key, measures and conventions. For F1 of each measure,
    or its value, the result has the difference b − a of the totals, and

    - its interval as in `bootstrap`, the same documents drawn for both;
    - the p-value of a paired permutation test. If the responses did not differ, their counts could
      be swapped in any document; p is the share of such swaps whose difference of totals is as
      large as the observed one, in either direction. All 2ⁿ swaps of n documents are tried if they
      are no more than ``resamples``, or else ``resamples`` random ones; 1 is then added to both
      counts of the share, for the swap that was observed.

    The p-values of several measures are not corrected for their number.

    Warns of fewer than 10 documents, as `bootstrap` does, and of fewer than 6: no p-value can then
    be below 2/2ⁿ > 0.05, because swapping none and swapping all give the same difference. Raises
    `CorefError` as `bootstrap` does, and for reports that differ in more than the response.

    Source: `scipy.stats.bootstrap` and `scipy.stats.permutation_test`.

    >>> from corefeval import evaluate
    >>> key = {n: "{a b c} {d e}" for n in range(20)}
    >>> worse, better = ({n: "{a b} {c d e}" for n in range(many)} for many in (12, 4))
    >>> a, b = (evaluate(key, key | response, "muc") for response in (worse, better))
    >>> found = compare(a, b).differences["muc"]
    >>> found.a, found.b, found.difference
    (Fraction(4, 5), Fraction(14, 15), Fraction(2, 15))
    >>> [round(end, 2) for end in found.interval], round(found.p, 2)
    ([0.07, 0.22], 0.01)
    """
    for report in (a, b):
        expect(Report, "two reports of corefeval.evaluate", report)
    _check_comparable(a, b)
    _check(a, resamples, level, seed)
    if (least := 2 / 2 ** len(a)) > SIGNIFICANT:
        warnings.warn(f"of {len(a)} documents no p-value can be below {least:g}", stacklevel=2)
    rows = {name: (_Rows(a, name), _Rows(b, name)) for name in a.total}
    found = {name: _difference(*both, resamples, level, seed) for name, both in rows.items()}
    swaps = "all" if 2 ** len(a) <= resamples else "random"
    signature = f"{a.signature} resamples={resamples} swaps={swaps} level={level} seed={seed}"
    return Comparison(found, signature)


class _Rows:
    """What a measure counts in each document, as rows of numbers, which are quick to add up."""

    def __init__(self, report: Report, name: str) -> None:
        self.total, self.conventions = report.total[name], report.metrics[name].conventions
        rows = [
            _leaves(report.counts[document][name]) for document in sorted(report.counts, key=str)
        ]
        of_total = _leaves(self.total.counts)
        self.add_up = {len(row) for row in rows} == {len(of_total)}
        """Whether the counts add up number by number: if not, there is no corpus total."""
        self.numbers = np.array(rows if self.add_up else [], dtype=float)
        self.counted = [not isinstance(each, bool) for each in of_total]
        """The columns of the numbers that do not say which rule the score follows."""

    def scores(self, numbers: Numbers, parts: Sequence[str]) -> Numbers:
        """Each part of the score of the numbers' sum over documents, their last axis but one."""
        sums = numbers.sum(axis=-2)
        scores = [
            _filled(self.total.counts, iter(row)).score(self.conventions)
            for row in sums.reshape(-1, sums.shape[-1]).tolist()
        ]
        found = np.array([[float(getattr(s, part)) for s in scores] for part in parts])
        return found.round(DECIMALS).reshape(len(parts), *sums.shape[:-1])


def _leaves(counts: Any) -> list[Any]:
    """The numbers that counts consist of, in their order."""
    return [n for part in counts for n in _leaves(part)] if isinstance(counts, tuple) else [counts]


def _filled(counts: Any, numbers: Iterator[float]) -> Any:
    """Counts of the same kind, of other numbers; what is whole stays whole."""
    if isinstance(counts, tuple):
        return getattr(type(counts), "_make", tuple)(_filled(part, numbers) for part in counts)
    return (type(counts) if isinstance(counts, int) else float)(next(numbers))


def _intervals(rows: _Rows, resamples: int, level: float, seed: int) -> Intervals:
    if not rows.add_up:
        return Intervals()
    parts, counted = list(rows.total.parts), rows.numbers[:, rows.counted]
    found = _percentiles(
        lambda drawn, axis: rows.scores(rows.numbers[drawn], parts), counted, resamples, level, seed
    )
    return Intervals(**dict(zip(parts, found, strict=True)))


def _difference(a: _Rows, b: _Rows, resamples: int, level: float, seed: int) -> Difference | None:
    if not a.add_up:
        return None
    part = "value" if a.total.f1 is None else "f1"  # which is the value as well
    both, documents = np.stack([a.numbers, b.numbers]), np.arange(len(a.numbers))

    def difference(first: Numbers, second: Numbers) -> Numbers:
        """Of scores, b's less a's, with the numbers of each document given."""
        return (b.scores(second, [part]) - a.scores(first, [part])).round(DECIMALS)

    def drawn(documents: Numbers, axis: int) -> Numbers:
        return difference(*both[:, documents])

    def swapped(first: Numbers, second: Numbers, axis: int) -> Numbers:
        """``first`` and ``second`` say of each document whose counts are taken: 0 is a, 1 is b."""
        return abs(difference(both[first, documents], both[second, documents]))[0]

    test = stats.permutation_test(
        (np.zeros_like(documents), np.ones_like(documents)),
        swapped,
        permutation_type="samples",
        alternative="greater",  # in size, which is to say in either direction
        **_random(len(documents), resamples, seed),
    )
    scores = getattr(a.total, part), getattr(b.total, part)
    counted = np.hstack([each.numbers[:, each.counted] for each in (a, b)])
    (interval,) = _percentiles(drawn, counted, resamples, level, seed)
    return Difference(part, *scores, scores[1] - scores[0], interval, float(test.pvalue))


def _percentiles(
    statistic: Callable[..., Numbers], counted: Numbers, resamples: int, level: float, seed: int
) -> list[Interval]:
    """The middle of each row of a statistic of document numbers, which are drawn at random."""
    tail, documents = _tail(counted, level), np.arange(len(counted))
    draws = stats.bootstrap(
        (documents,), statistic, method="percentile", **_random(len(counted), resamples, seed)
    ).bootstrap_distribution
    return [Interval(*ends) for ends in np.quantile(draws, [tail, 1 - tail], axis=-1).T.tolist()]


def _random(documents: int, resamples: int, seed: int) -> dict[str, Any]:
    """How SciPy is to draw; the numbers of a batch of draws take some megabytes."""
    batch, rng = max(1, BATCH // documents), np.random.default_rng(seed)
    return {"vectorized": True, "n_resamples": resamples, "batch": batch, "rng": rng}


def _tail(numbers: Numbers, level: float) -> float:
    """The α of `bootstrap`, for what is counted in each document."""
    sums = numbers.sum(axis=0)
    weights = (numbers[:, sums != 0] / sums[sums != 0]).sum(axis=1)
    effective = weights.sum() ** 2 / ((weights**2).sum() or 1)
    # With one degree of freedom α is next to nothing already; without any, t is not defined.
    m = max(2.0, effective)
    quantile = stats.t.isf((1 - level) / 2, m - 1)
    return float(stats.norm.cdf(-((m / (m - 1)) ** 0.5) * quantile))


def _check(report: Report, resamples: int, level: float, seed: int) -> None:
    documents = len(report)
    for metric in report.metrics.values():
        why = "has no summed counts, of which intervals and p-values are made"
        metric.conventions.refuse(["average"], why)
        if metric.conventions.zero == "same":
            raise CorefError(f"zero='same' {why}")
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
        warnings.warn(
            f"of {documents} documents intervals are too narrow; trust them from {FEW} on",
            stacklevel=3,
        )


def _check_comparable(a: Report, b: Report) -> None:
    if list(a.total) != list(b.total):
        raise CorefError(f"other measures: {', '.join(a.total)}; {', '.join(b.total)}")
    if a.metrics != b.metrics:
        raise CorefError(f"other conventions: {a.signature}; {b.signature}")
    of_a, of_b = (next(iter(report.tables.values())) for report in (a, b))
    for document in [*of_a, *of_b]:
        if document not in of_a or document not in of_b:
            raise CorefError(f"document {document!r} is in one of the reports only")
        # Without singletons, which the convention ``twinless`` may add for a response's sake.
        keys = (tables[document][0].key_sizes for tables in (of_a, of_b))
        first, second = (sorted(size for size in sizes if size > 1) for sizes in keys)
        if first != second:
            raise CorefError(f"document {document!r} has another key in each of the reports")
