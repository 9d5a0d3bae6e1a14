"""Several systems beside each other: their scores, and which of them differ by more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.display import NONE, Table, interval, percent
from corefeval.errors import CorefError, expect, warn
from corefeval.progress import progress
from corefeval.report import Report
from corefeval.score import Number
from corefeval.signature import short
from corefeval.significance import (
    SIGNIFICANT,
    Difference,
    Draws,
    Interval,
    all_swaps,
    check,
    check_comparable,
    difference,
    intervals,
    signature,
)

if TYPE_CHECKING:
    import pandas


class Standing(NamedTuple):
    """A system's score by one measure, its interval, and the systems that it is better than.

    The score is of ``part`` ``"f1"``, or ``"value"`` where the measure has no F1.
    """

    part: str
    score: Number
    interval: Interval
    better_than: tuple[str, ...]
    """The systems that score lower, by a difference that is significant after the correction."""


class Pairing(NamedTuple):
    """Two systems, how they differ by one measure, and the p-value as `holm` corrects it."""

    a: str
    b: str
    difference: Difference
    corrected: float

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.corrected < SIGNIFICANT


class Standings(NamedTuple):
    """What `compare_systems` returns."""

    systems: dict[str, dict[str, Standing | None]]
    """By system and measure; None for a measure without a corpus total."""
    pairs: dict[str, list[Pairing]]
    """By measure: every two systems, in the order in which they were given."""
    signature: str
    """One line of all that can change a number."""

    def __str__(self) -> str:
        return f"{as_table(self)}\n\n{short(self.signature)}"

    def to_markdown(self) -> str:
        """The table in Markdown: a row for each system."""
        return Table(_lines(self, list(self.pairs)), right=3 * len(self.pairs)).markdown()

    def to_frame(self) -> pandas.DataFrame:
        """A pandas frame with a row for each system and measure; scores are floats in [0, 1]."""
        from pandas import DataFrame

        return DataFrame(system_rows(self))

    def pairs_to_frame(self) -> pandas.DataFrame:
        """A pandas frame with a row for each measure and every two systems."""
        from pandas import DataFrame

        return DataFrame(pair_rows(self))


def compare_systems(
    reports: Mapping[str, Report], resamples: int = 1000, *, level: float = 0.95, seed: int = 0
) -> Standings:
    """The scores of several systems with intervals, and which of them differ significantly.

    ``reports`` are those of the systems by name: of the same documents, key, measures and
    conventions. The interval of a score is that of `corefeval.significance.bootstrap`; every two
    systems are compared as by `corefeval.significance.compare`. For each measure, the p-values of
    all m = s (s − 1) / 2 pairs of s systems are corrected by `holm`, and a difference is
    significant whose corrected p-value is below 0.05. Those of several measures are not corrected
    for the number of measures.

    Warns and raises as `compare` does; warns, too, where no corrected p-value can be below 0.05:
    the least p-value is 1 / (resamples + 1), or 2/2ⁿ where all swaps of n documents are tried, and
    the correction takes the least of them m-fold. Raises `CorefError` for fewer than two systems.

    >>> from corefeval import evaluate
    >>> key = {n: "{a b c} {d e}" for n in range(20)}
    >>> worse = {n: "{a b} {c d e}" for n in range(20)}
    >>> names = {"perfect": 0, "good": 5, "poor": 15}
    >>> reports = {s: evaluate(key, key | dict([*worse.items()][:n]), "muc")
    ...            for s, n in names.items()}
    >>> found = compare_systems(reports)
    >>> standing = found.systems["good"]["muc"]
    >>> float(standing.score), [round(end, 2) for end in standing.interval], standing.better_than
    (0.9166666666666666, [0.85, 0.98], ('poor',))
    """
    expect(Mapping, "a mapping from systems' names to reports of corefeval.evaluate", reports)
    for report in reports.values():
        expect(Report, "reports of corefeval.evaluate", report)
    if len(reports) < 2:
        raise CorefError(f"expected two systems or more, got {len(reports)}")
    names, draws = list(reports), Draws(resamples, level, seed)
    first = reports[names[0]]
    for name in names[1:]:
        check_comparable(first, reports[name])
    check(first, draws)
    couples = [*combinations(names, 2)]
    _warn_of_few(first, draws, len(couples))
    steps = len(first.total) * (len(names) + 2 * len(couples)) * resamples
    with progress("draws and swaps", steps):
        pairs = {measure: _pairs(reports, couples, measure, draws) for measure in first.total}
        systems = {
            name: {each: _standing(name, reports[name], each, pairs[each], draws) for each in pairs}
            for name in names
        }
    told = signature([*reports.values()], draws)
    told += f" correction=holm alpha={SIGNIFICANT} systems={len(names)}"
    return Standings(systems, pairs, told)


def holm(p: Sequence[float]) -> list[float]:
    """The p-values of m tests as Holm's method corrects them, in their order.

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


def _pairs(
    reports: Mapping[str, Report], couples: list[tuple[str, str]], measure: str, draws: Draws
) -> list[Pairing]:
    found = [(a, b, difference(reports[a], reports[b], measure, draws)) for a, b in couples]
    known = [(a, b, each) for a, b, each in found if each is not None]
    corrected = holm([each.p for *_, each in known])
    return [Pairing(*pair, p) for pair, p in zip(known, corrected, strict=True)]


def _standing(
    name: str, report: Report, measure: str, pairs: list[Pairing], draws: Draws
) -> Standing | None:
    score = report.total[measure]
    if score.value is None:
        return None
    (ends,) = intervals(report, measure, ["value"], draws)
    below = []
    for pair in pairs:
        if pair.significant and name == pair.b and pair.difference.difference > 0:
            below.append(pair.a)
        if pair.significant and name == pair.a and pair.difference.difference < 0:
            below.append(pair.b)
    return Standing("value" if score.f1 is None else "f1", score.value, ends, tuple(below))


def _warn_of_few(report: Report, draws: Draws, pairs: int) -> None:
    if all_swaps(report, draws):
        least, more = 2 / 2 ** len(report), f"of {len(report)} documents"
    else:
        least, more = 1 / (draws.resamples + 1), f"of {draws.resamples} swaps"
    if pairs * least >= SIGNIFICANT:
        corrected = f"{min(1, pairs * least):.2g}"
        warn(f"{more} and {pairs} pairs no corrected p-value can be below {corrected}")


# Rows for machines and for people


def system_rows(found: Standings) -> list[dict[str, Any]]:
    """A row for each system and measure."""
    rows = []
    for name, standings in found.systems.items():
        for measure, each in standings.items():
            row: dict[str, Any] = {"system": name, "measure": measure}
            if each is None:
                row |= dict.fromkeys(("part", "score", "low", "high")) | {"better_than": ()}
            else:
                row |= {"part": each.part, "score": float(each.score), **each.interval._asdict()}
                row["better_than"] = each.better_than
            rows.append(row)
    return rows


def pair_rows(found: Standings) -> list[dict[str, Any]]:
    """A row for each measure and every two systems."""
    rows = []
    for measure, pairs in found.pairs.items():
        for a, b, each, corrected in pairs:
            row = {"measure": measure, "a": a, "b": b, "difference": float(each.difference)}
            rows.append(row | each.interval._asdict() | {"p": each.p, "p_holm": corrected})
    return rows


def as_json(found: Standings, documents: int) -> dict[str, Any]:
    """What there is to know, as JSON has it."""
    systems: dict[str, Any] = {name: {} for name in found.systems}
    for row in system_rows(found):
        systems[row.pop("system")][row.pop("measure")] = row
    pairs: dict[str, Any] = {measure: [] for measure in found.pairs}
    for row in pair_rows(found):
        pairs[row.pop("measure")].append(row)
    return {
        "signature": found.signature,
        "documents": documents,
        "systems": systems,
        "pairs": pairs,
    }


def as_table(found: Standings, width: int = 100) -> str:
    """A row for each system, with three columns for each measure.

    Measures for which a line of ``width`` characters has no room follow in another table below.
    """
    tables, left = [], list(found.pairs)
    while left:
        count = len(left)
        while count > 1 and _width(found, left[:count]) > width:
            count -= 1
        tables.append(Table(_lines(found, left[:count]), right=3 * count).text())
        left = left[count:]
    return "\n\n".join(tables)


def _width(found: Standings, measures: list[str]) -> int:
    return max(map(len, Table(_lines(found, measures), right=3 * len(measures)).text().split("\n")))


def _lines(found: Standings, measures: list[str]) -> list[list[str]]:
    letters = {name: _letter(place) for place, name in enumerate(found.systems)}
    head = ["", "system"]
    for measure in measures:
        head += [measure, "95% interval", "better than"]
    lines = [head]
    for name, standings in found.systems.items():
        line = [letters[name], name]
        for measure in measures:
            each = standings[measure]
            if each is None:
                line += [NONE] * 3
            else:
                below = " ".join(letters[other] for other in each.better_than)
                line += [percent(each.score), interval(*each.interval), below or NONE]
        lines.append(line)
    return lines


def _letter(place: int) -> str:
    """A, B, …, Z, then AA, BB and on."""
    repeats, letter = divmod(place, 26)
    return chr(ord("A") + letter) * (repeats + 1)
