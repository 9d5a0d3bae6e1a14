"""Draws in arrays: documents drawn or swapped whole, and all draws scored at once.

`corefeval.chance.significance` says what is made of them. Without it this file can be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from corefeval.errors import CorefError, shortened
from corefeval.labels import is_nothing
from corefeval.progress import advance
from corefeval.report import Report

Numbers = np.ndarray[Any, np.dtype[Any]]
Unit = Mapping[Any, Hashable] | Callable[[Any], Hashable]
"""What says of a document's id which unit it belongs to: a topic, a book, a speaker."""

DECIMALS = 12
TOLERANCE = 10**-DECIMALS
"""Differences that are apart by less are equal: sums of doubles depend on their order."""
BATCH = 1_000_000
"""About how many numbers are held for a batch of draws: some megabytes."""
ONE_THREAD, LEAST_DRAWS = 250_000, 16
"""OpenBLAS shares out products of more multiplications; so few draws are not worth a piece."""
MOST_UNITS = 20


class Draws(NamedTuple):
    """How often to draw, how much of the draws an interval holds, and where chance begins."""

    resamples: int
    level: float
    seed: int
    all_swaps: bool = False
    """Whether all swaps are tried, however many resamples there are."""

    def tries_all(self, units: int) -> bool:
        """Whether all ways to swap so many units are tried."""
        return self.all_swaps or 2**units <= self.resamples


class Units(NamedTuple):
    """What is drawn and swapped whole: documents, or units that documents belong to."""

    place: dict[Hashable, int]
    """The number of each document's unit."""
    size: int
    name: str
    """``"documents"`` or ``"units"``."""

    @classmethod
    def of(cls, report: Report, unit: Unit | None) -> Units:
        """The units of a report's documents, in the order of their names.

        Raises `CorefError` for a ``unit`` that is no mapping and no function, or that gives a
        document nothing.
        """
        unit_of = {name: _unit_of(name, unit) for name in sorted(report.counts, key=str)}
        # A set would have names that are written alike, as 1 and "1", in any order.
        names = sorted(dict.fromkeys(unit_of.values()), key=str)
        number_of = {name: number for number, name in enumerate(names)}
        place = {document: number_of[name] for document, name in unit_of.items()}
        return cls(place, len(names), "documents" if unit is None else "units")


def _unit_of(document: Hashable, unit: Unit | None) -> Hashable:
    """The unit of a document, which without units is one by itself."""
    if unit is None:
        return document
    if isinstance(unit, Mapping):
        found = unit.get(document)
    elif callable(unit):
        found = unit(document)
    else:
        raise CorefError(
            "unit: expected a mapping or a function from a document's name to its unit, got "
            f"{shortened(unit)}"
        )
    # NaN is not equal to itself: each would be a unit, or all of them one.
    if is_nothing(found) or not isinstance(found, Hashable) or found != found:
        raise CorefError(
            f"unit: document {document!r} has the unit {shortened(found)}; expected a name or a "
            "number for each document"
        )
    return found


class Sample:
    """What measures count in several reports of the same documents, in one array."""

    def __init__(self, reports: Sequence[Report], units: Units) -> None:
        self.reports = reports
        self.units = units
        totals = [report.total for report in reports]
        self.measures = list(totals[0])
        self.places: dict[str, slice] = {}
        """Where the numbers of each measure are, in the order of `leaves`."""
        width = 0
        for name in self.measures:
            wide = len(leaves(totals[0][name].counts))
            self.places[name] = slice(width, width + wide)
            width += wide
        self.numbers = np.array([self._counted(report, width) for report in reports])
        """Of the shape (reports, numbers, units)."""
        self.part = {
            name: "value" if totals[0][name].f1 is None else "f1" for name in self.measures
        }
        """The one number of each measure."""

    def _counted(self, report: Report, width: int) -> Numbers:
        counted = np.zeros((width, self.units.size))
        for document, unit in self.units.place.items():
            counts = report.counts[document]
            found = [float(each) for name in self.measures for each in leaves(counts[name])]
            counted[:, unit] += found
        return counted

    def scores(self, name: str, sums: Numbers) -> dict[str, Numbers]:
        """The parts of a measure's scores of summed numbers, of the shape (numbers, draws)."""
        counts = self.reports[0].total[name].counts
        conventions = self.reports[0].metrics[name].conventions
        mine = sums[self.places[name]]
        if hasattr(counts, "of_arrays"):
            found = counts.of_arrays(mine, int(conventions.zero == "one"))
        else:
            each = [filled(counts, iter(draw)).score(conventions).parts for draw in mine.T.tolist()]
            found = {part: np.array([parts[part] for parts in each]) for part in each[0]}
        return found

    def drawn_scores(
        self, draws: Draws, parts: Mapping[str, Iterable[str]]
    ) -> dict[tuple[str, str], Numbers]:
        """Scores of random draws by measure and part, of the shape (reports, draws).

        ``parts`` are those wanted of each measure.
        """
        wanted = [(name, part) for name in self.measures for part in parts[name]]
        found = {place: np.empty((len(self.reports), draws.resamples)) for place in wanted}
        done = 0
        for weights in self.drawn(draws):
            batch = slice(done, done + weights.shape[1])
            for report, sums in enumerate(weighted(self.numbers, weights)):
                for name in self.measures:
                    scores = self.scores(name, sums)
                    for part in parts[name]:
                        found[name, part][report, batch] = scores[part].round(DECIMALS)
            done = batch.stop
            advance(weights.shape[1])
        return found

    def p_values(self, couples: Sequence[tuple[int, int]], draws: Draws) -> dict[str, list[float]]:
        """By measure the p-value of each two reports, which are given by their places.

        It is the share of swaps whose difference is as large as the observed one. Random swaps
        count the observed one, too.
        """
        sums = self.numbers.sum(axis=2, keepdims=True)
        observed = [self._differences(couple, sums) for couple in couples]
        as_large = {name: [0] * len(couples) for name in self.measures}
        tried = 0
        for swaps in self.swaps(draws):
            kept, moved = weighted(self.numbers, 1 - swaps), weighted(self.numbers, swaps)
            for place, (a, b) in enumerate(couples):
                # One sum of counts for each side, so that what is 0 in all documents stays 0.
                swapped = np.stack([kept[a] + moved[b], kept[b] + moved[a]])
                for name, differences in self._differences((0, 1), swapped).items():
                    least = observed[place][name] - TOLERANCE
                    as_large[name][place] += int((differences >= least).sum())
            tried += swaps.shape[1]
            advance(swaps.shape[1])
        more = 0 if draws.tries_all(self.units.size) else 1
        return {
            name: [(count + more) / (tried + more) for count in counts]
            for name, counts in as_large.items()
        }

    def _differences(self, couple: tuple[int, int], sums: Numbers) -> dict[str, Numbers]:
        """By measure how far two reports are apart, in either direction."""
        found = {}
        for name in self.measures:
            a, b = (self.scores(name, sums[place])[self.part[name]] for place in couple)
            found[name] = abs(b - a)
        return found

    def drawn(self, draws: Draws) -> Iterator[Numbers]:
        """How often each unit is drawn, in batches of the shape (units, draws)."""
        units, rng = self.units.size, np.random.default_rng(draws.seed)
        for first, last in self._batches(draws.resamples):
            drawn = rng.integers(0, units, (last - first, units))
            # Each draw counts its units in a row of its own.
            rows = drawn + units * np.arange(last - first)[:, None]
            times = np.bincount(rows.ravel(), minlength=drawn.size)
            yield times.reshape(drawn.shape).T.astype(float)

    def swaps(self, draws: Draws, at_once: int | None = None) -> Iterator[Numbers]:
        """Which units are swapped, 1 or 0, in batches of the shape (units, swaps)."""
        units = self.units.size
        if draws.tries_all(units):
            # To swap the other units instead makes the same difference, so half of them will do.
            for first, last in self._batches(2 ** (units - 1), at_once):
                yield (np.arange(first, last) >> np.arange(units)[:, None] & 1).astype(float)
            return
        rng = np.random.default_rng(draws.seed)
        for first, last in self._batches(draws.resamples, at_once):
            # The draws of `scipy.stats.permutation_test`.
            orders = rng.permuted(np.tile([0, 1], (last - first, units, 1)), axis=-1)
            yield orders[..., 0].T.astype(float)

    def _batches(self, draws: int, at_once: int | None = None) -> Iterator[tuple[int, int]]:
        reports, width, units = self.numbers.shape
        size = at_once or max(1, BATCH // (2 * reports * width + 2 * units))
        for first in range(0, draws, size):
            yield first, min(draws, first + size)


def weighted(numbers: Numbers, weights: Numbers) -> Numbers:
    """``numbers @ weights``, of the shapes (…, numbers, units) and (units, draws).

    Products that are small enough stay on one thread: the threads of a BLAS that wait for each
    other took five times the CPU time of the product itself (two systems, 100 documents).
    """
    each = max(1, numbers.shape[-2] * numbers.shape[-1])
    draws = max(LEAST_DRAWS, ONE_THREAD // each)
    pieces = range(0, weights.shape[1], draws)
    return np.concatenate([numbers @ weights[:, i : i + draws] for i in pieces], axis=-1)


def leaves(counts: Any) -> list[Any]:
    """The numbers that counts consist of, in their order."""
    if isinstance(counts, tuple):
        return [number for part in counts for number in leaves(part)]
    return [counts]


def filled(counts: Any, numbers: Iterator[float]) -> Any:
    """Counts of the same kind, of other numbers; what is whole stays whole."""
    if isinstance(counts, tuple):
        return getattr(type(counts), "_make", tuple)(filled(part, numbers) for part in counts)
    kind = int if isinstance(counts, int) else float
    return kind(next(numbers))
