"""Several systems beside each other: their scores, and which of them differ by more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from corefeval.chance.draws import Draws, Sample, Unit, Units
from corefeval.chance.significance import (
    SIGNIFICANT,
    Difference,
    Interval,
    Swaps,
    check_comparable,
    checked,
    differences,
    drawn,
    middle,
    signature,
    steps,
    wants_all,
)
from corefeval.display import Shown, Table, frame_by, frame_of_rows, interval, percent
from corefeval.errors import CorefError, expect, warn
from corefeval.progress import progress
from corefeval.report import Report
from corefeval.score import Number
from corefeval.signature import short


class Standing(NamedTuple):
    """A system's score by one measure, its interval, and the systems that it is better than.

    The score is of ``part`` ``"f1"``, or ``"value"`` where the measure has no F1: a float, and a
    fraction in ``exact``. ``better_than`` has the systems that score lower, by a difference that is
    significant after the correction.
    """

    part: str
    exact: Number
    interval: Interval
    better_than: tuple[str, ...]

    @property
    def score(self) -> float:
        """The score as a float."""
        return float(self.exact)


class Pairing(NamedTuple):
    """Two systems, ``a`` and ``b``, and how they differ by one measure.

    ``difference`` has the p-value before Holm's correction, ``p_holm`` is the corrected one.
    """

    a: str
    b: str
    difference: Difference
    p_holm: float

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.p_holm < SIGNIFICANT


@dataclass(frozen=True, repr=False)
class Standings(Shown):
    """What `compare_systems` returns."""

    systems: Mapping[str, Mapping[str, Standing]]
    """By system and measure: the score, and whom the system is better than."""
    pairs: Mapping[str, list[Pairing]]
    """By measure: every two systems, in the order in which they were given."""
    signature: str
    """One line of all that can change a number."""

    def table(self, *, intervals: bool = False, better_than: bool = False) -> Table:
        """A row for each system and a column for each measure, in percent, as papers print it.

        ``intervals`` adds the interval to each score, ``better_than`` the letters of the systems
        that score significantly lower; then each system has a letter, in the first column.
        """
        letters = {name: _letter(place) for place, name in enumerate(self.systems)}
        lines = [["system", *self.pairs]]
        for name, standings in self.systems.items():
            scores = [_cell(each, letters, intervals, better_than) for each in standings.values()]
            lines.append([name, *scores])
        if better_than:
            firsts = ["", *letters.values()]
            lines = [[first, *line] for first, line in zip(firsts, lines, strict=True)]
        # Scores alone are numbers; what else there is stands to their right.
        return Table(lines, right=0 if intervals or better_than else len(self.pairs))

    def to_markdown(self, *, intervals: bool = False, better_than: bool = False) -> str:
        """The table in Markdown, and the short signature below it; see `table`."""
        table = self.table(intervals=intervals, better_than=better_than)
        return f"{table.markdown()}\n\n`{short(self.signature)}`"

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Floats by system, measure and column: ``A_muc_f1``, ``A_muc_low``, …."""
        found: dict[str, float] = {}
        for name, standings in self.systems.items():
            for measure, each in standings.items():
                place = f"{prefix}{name}_{measure}"
                found[f"{place}_{each.part}"] = each.score
                found |= {f"{place}_{end}": at for end, at in each.interval._asdict().items()}
        return found

    def to_frame(self, *, intervals: bool = False) -> Any:
        """A pandas frame with a row for each system and a column for each measure, in [0, 1].

        With ``intervals=True`` there is a row for each system and measure instead, with the ends
        of the interval and the systems that score significantly lower.

        Raises `CorefError` if pandas is not installed.
        """
        if intervals:
            return frame_of_rows(system_rows(self))
        scores = {
            name: {measure: each.score for measure, each in standings.items()}
            for name, standings in self.systems.items()
        }
        return frame_by("system", scores)

    def pairs_to_frame(self) -> Any:
        """A pandas frame with a row for each measure and every two systems.

        Raises `CorefError` if pandas is not installed.
        """
        return frame_of_rows(pair_rows(self))


def compare_systems(
    reports: Mapping[str, Report],
    resamples: int = 1000,
    *,
    level: float = 0.95,
    seed: int = 0,
    unit: Unit | None = None,
    swaps: Swaps | None = None,
) -> Standings:
    """The scores of several systems with intervals, and which of them differ significantly.

    ``reports`` are those of the systems by name: of the same documents, key, measures and
    conventions. The interval of a score is that of `corefeval.chance.significance.bootstrap`; every
    two systems are compared as by `corefeval.chance.significance.compare`, which says what ``unit``
    and ``swaps`` are; draws and swaps are the same for all of them. For each measure, the p-values
    of all m = s (s − 1) / 2 pairs of s systems are corrected by `holm`, and a difference is
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
    >>> standing.score, [round(end, 2) for end in standing.interval], standing.better_than
    (0.9166666666666666, [0.85, 0.98], ('poor',))
    """
    expect(Mapping, "a mapping from systems' names to reports of corefeval.evaluate", reports)
    for report in reports.values():
        expect(Report, "reports of corefeval.evaluate", report)
    if len(reports) < 2:
        raise CorefError(f"expected two systems or more, got {len(reports)}")
    names, draws = list(reports), Draws(resamples, level, seed, wants_all(swaps))
    each = list(reports.values())
    for report in each[1:]:
        check_comparable(each[0], report)
    units = checked(each[0], draws, unit)
    couples = [*combinations(range(len(names)), 2)]
    _warn_of_few(units, draws, len(couples))
    sample = Sample(each, units)
    with progress("draws and swaps", steps(units, draws)):
        scores = drawn(sample, draws)
        found = differences(sample, couples, scores, draws)
    named = [*combinations(names, 2)]
    pairs = {}
    for measure in each[0].total:
        pairs[measure] = _pairings(named, [of_measures[measure] for of_measures in found])
    systems: dict[str, dict[str, Standing]] = {name: {} for name in names}
    for place, (name, standings) in enumerate(systems.items()):
        for measure in pairs:
            score = each[place].total[measure].exact.value
            ends = middle(sample, measure, [place], scores[measure][place], level)
            better_than = below(name, pairs[measure])
            standings[measure] = Standing(sample.part[measure], score, ends, better_than)
    told = signature(each, draws, units)
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


def _pairings(
    couples: Sequence[tuple[str, str]], differences: Sequence[Difference]
) -> list[Pairing]:
    """Every two systems, by name, and how they differ by one measure."""
    corrected = holm([difference.p for difference in differences])
    known = zip(couples, differences, corrected, strict=True)
    return [Pairing(a, b, difference, p) for (a, b), difference, p in known]


def below(name: str, pairs: Sequence[Pairing]) -> tuple[str, ...]:
    """The systems that score significantly lower than one."""
    below = []
    for pair in pairs:
        if pair.significant and name == pair.b and pair.difference.difference > 0:
            below.append(pair.a)
        if pair.significant and name == pair.a and pair.difference.difference < 0:
            below.append(pair.b)
    return tuple(below)


def _warn_of_few(units: Units, draws: Draws, pairs: int) -> None:
    if draws.tries_all(units.size):
        least, more = 2 / 2**units.size, f"of {units.size} {units.name}"
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
            row: dict[str, Any] = {"system": name, "measure": measure, "part": each.part}
            row |= {"score": each.score, **each.interval._asdict()}
            rows.append(row | {"better_than": each.better_than})
    return rows


def pair_rows(found: Standings) -> list[dict[str, Any]]:
    """A row for each measure and every two systems."""
    rows = []
    for measure, pairs in found.pairs.items():
        for a, b, each, corrected in pairs:
            row = {"measure": measure, "a": a, "b": b, "difference": each.difference}
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


def better(found: Standings) -> str:
    """A line for each measure: which systems score significantly higher than which others."""
    lines = []
    for measure in found.pairs:
        each = {name: standings[measure].better_than for name, standings in found.systems.items()}
        said = [f"{name} than {', '.join(others)}" for name, others in each.items() if others]
        lines.append(f"{measure}: {'; '.join(said) or 'none'}")
    return "significantly better, after the correction:\n" + "\n".join(lines)


def _cell(each: Standing, letters: Mapping[str, str], intervals: bool, better_than: bool) -> str:
    """A score as a cell of `Standings.table`."""
    parts = [percent(each.exact)]
    if intervals:
        parts.append(interval(*each.interval))
    if better_than and each.better_than:
        parts.append("> " + " ".join(letters[other] for other in each.better_than))
    return " ".join(parts)


def _letter(place: int) -> str:
    """A, B, …, Z, then AA, BB and on."""
    repeats, letter = divmod(place, 26)
    return chr(ord("A") + letter) * (repeats + 1)
