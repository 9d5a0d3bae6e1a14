"""What chance may do to scores and to differences of systems: as rows, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from corefeval.conventions import FIRST_CHOICES
from corefeval.display import (
    Row,
    Shown,
    Table,
    frame_of_rows,
    interval,
    interval_name,
    listed,
    percent,
    printable,
    probability,
    score_rows,
    score_table,
)
from corefeval.registry import MEASURES, as_typed
from corefeval.report import scored_name
from corefeval.score import Number, Score
from corefeval.signature import parsed

SIGNIFICANT = 0.05
MINUS = "−"


class Interval(NamedTuple):
    """Where a score or a difference may lie; a part of 1, not in percent."""

    low: float
    high: float


class Difference(NamedTuple):
    """By how much system ``b`` scores higher than ``a``, and what chance may do to it."""

    a: str
    b: str
    part: str
    """What differs: ``"f1"``, or ``"value"`` where the measure has no F1."""
    exact: Number
    interval: Interval
    p: float
    """Not corrected for the number of pairs; `p_holm` is; neither for that of measures."""
    p_holm: float
    p_error: float
    """The standard error of ``p`` that comes of random swaps; 0 where all were tried."""
    at_floor: bool
    """Whether ``p`` is the least that so many random swaps or draws can give."""
    spread: float
    """The standard deviation, over documents, of how much higher ``b`` scores in each."""

    @property
    def difference(self) -> float:
        """By how much ``b`` scores higher than ``a``, as a float."""
        return float(self.exact)

    @property
    def holm_error(self) -> float:
        """The standard error of ``p_holm``, which is a multiple of ``p``."""
        return self.p_error * self.p_holm / self.p

    @property
    def is_open(self) -> bool:
        """Whether other random swaps could well put ``p_holm`` on the other side of 0.05.

        It is less than two standard errors away from there.
        """
        return abs(self.p_holm - SIGNIFICANT) < 2 * self.holm_error


class InRows(Shown):
    """A result in rows: some columns name what the numbers in the others are of."""

    NAMES: ClassVar[tuple[str, ...]] = ("measure",)
    SEPARATOR: ClassVar = "_"

    def rows(self) -> Iterator[Row]:
        raise NotImplementedError

    def to_frame(self) -> Any:
        """A frame of pandas with the rows; floats in [0, 1]."""
        return frame_of_rows(self.rows())

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Floats by the names of row and column: ``muc_f1_low``, of two systems ``muc/A/B/p``.

        In a system's name ``/`` is ``%2F``, and ``%`` is ``%25``: no two pairs share a key.
        """
        floats = {}
        for row in self.rows():
            names = [_in_key(str(row.pop(column))) for column in self.NAMES]
            for column, number in row.items():
                if number is not None:
                    floats[prefix + self.SEPARATOR.join([*names, column])] = float(number)
        return floats


def _in_key(name: str) -> str:
    """A name without the sign that separates names."""
    return name.replace("%", "%25").replace("/", "%2F")


@dataclass(frozen=True, repr=False)
class Bootstrap(InRows):
    """The scores of a report with their intervals; what `bootstrap` returns."""

    scores: Mapping[str, Score]
    intervals: Mapping[str, Mapping[str, Interval]]
    """By measure and part: recall, precision, f1 and value, as far as the measure has them."""
    signature: str
    level: float

    def rows(self) -> Iterator[Row]:
        for measure, score in self.scores.items():
            row: Row = {"measure": measure}
            for part, ends in self.intervals[measure].items():
                row |= {part: getattr(score, part), f"{part}_low": ends.low}
                row[f"{part}_high"] = ends.high
            yield row

    def table(self) -> Table:
        return score_table(list(score_rows(self.scores, intervals=self.intervals)), self.level)

    def to_frame(self) -> Any:
        """A frame of pandas with a row for each measure; floats in [0, 1]."""
        return super().to_frame().set_index("measure")


@dataclass(frozen=True, repr=False)
class Comparison(InRows):
    """How systems differ; what `compare` and `compare_systems` return."""

    NAMES = ("measure", "a", "b")
    SEPARATOR = "/"

    scores: Mapping[str, Mapping[str, tuple[Number, Interval]]]
    """By system and measure: F1, or the value, and where it may lie."""
    pairs: Mapping[str, Sequence[Difference]]
    """By measure: every two systems, in the order in which they were given."""
    signature: str
    level: float
    totals: Mapping[str, Mapping[str, Score]]
    """By system and measure: the whole score, of runs their mean."""
    deviations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By measure, of each system that has runs: their standard deviation."""

    @property
    def differences(self) -> Mapping[str, Difference]:
        """By measure: how the first two systems differ."""
        return {measure: pairs[0] for measure, pairs in self.pairs.items()}

    def better_than(self, system: str, measure: str) -> list[str]:
        """The systems that score lower, by a difference that is significant after Holm."""
        lower = []
        for pair in self.pairs[measure]:
            low, high = (pair.a, pair.b) if pair.exact > 0 else (pair.b, pair.a)
            if high == system and pair.exact and pair.p_holm < SIGNIFICANT:
                lower.append(low)
        return lower

    def rows(self) -> Iterator[Row]:
        for measure, pairs in self.pairs.items():
            for pair in pairs:
                row: Row = {"measure": measure, "a": pair.a, "b": pair.b}
                row["score_a"] = float(self.scores[pair.a][measure][0])
                row["score_b"] = float(self.scores[pair.b][measure][0])
                row["difference"] = pair.difference
                row |= {"low": pair.interval.low, "high": pair.interval.high}
                row |= {"p": pair.p, "p_error": pair.p_error, "p_holm": pair.p_holm}
                yield row | {"spread": pair.spread}

    def standings(self) -> dict[str, dict[str, Row]]:
        """By system and measure: the score, its interval, and the systems that score lower."""
        standings: dict[str, dict[str, Row]] = {}
        for name, scores in self.scores.items():
            standings[name] = {}
            for measure, (score, ends) in scores.items():
                row: Row = {"score": float(score), "low": ends.low, "high": ends.high}
                if self.deviations:
                    row["deviation"] = self.deviations.get(name, {}).get(measure)
                standings[name][measure] = row | {"better_than": self.better_than(name, measure)}
        return standings

    def to_latex(self, measures: str | Iterable[str] = ()) -> str:
        """A table for LaTeX's booktabs with a row for each system, as `Report.to_latex`.

        F1 is bold where it is above that of every other row, each p below 0.05 after Holm. Of
        several runs the scores are means, and F1 has their standard deviation.
        """
        from corefeval.paper import latex

        asked = [scored_name(name, self.pairs) for name in as_typed(measures)]
        others = len(self.scores) - 1
        return latex(
            self.totals,
            self.short_signature,
            asked,
            lambda system, measure: len(self.better_than(system, measure)) == others,
            self.deviations,
        )

    def sentence(self) -> str:
        """Write the sentences of a paper; return the scores, the test and the signature.

        How the reports were scored is in their own sentences, `Report.sentence`.

        >>> from corefeval import compare, evaluate
        >>> key = {n: "{a b c} {d e}" for n in range(20)}
        >>> half = {n: "{a b} {c d e}" for n in range(10)}
        >>> comparison = compare(evaluate(key, key | half, "muc"), evaluate(key, key, "muc"))
        >>> print(comparison.sentence())  # doctest: +ELLIPSIS
        We compare A and B over 20 documents, scored with corefeval ... By MUC, F1 is 83.33 for A \
and 100.00 for B; the difference, B − A, is 16.67 points (95% interval 8.33 to 25.00; p = 0.0026), \
with a standard deviation of 17.10 over documents. Intervals are from 10,000 draws of documents. \
P-values are from 10,000 random swaps of documents between the two systems. Signature: ...
        """
        return _sentence(self)

    def table(self) -> Table:
        """Of two systems a row for each measure; of more, the systems, and whom they are above."""
        if len(self.scores) > 2:
            return self._table_of_standings()
        a, b = self.scores
        head = ["measure", "score", a, b, f"{b} − {a}", "documents' SD"]
        lines = [[*head, interval_name(self.level), "p"]]
        for measure, pair in self.differences.items():
            scores = [self.shown(name, measure) for name in (a, b)]
            line = [measure, pair.part.replace("f1", "F1"), *scores, percent(pair.exact)]
            lines.append([*line, percent(pair.spread), interval(*pair.interval), p_and_error(pair)])
        return Table(lines, right=6)

    def shown(self, name: str, measure: str) -> str:
        """A system's score, of runs with their standard deviation."""
        score = percent(self.scores[name][measure][0])
        if name not in self.deviations:
            return score
        return f"{score} ± {percent(self.deviations[name][measure])}"

    def _table_of_standings(self) -> Table:
        numbers = {name: str(n) for n, name in enumerate(self.scores, 1)}
        lines = [["", "system", *self.pairs]]
        for name, scores in self.scores.items():
            line = [numbers[name], name]
            for measure, (_, ends) in scores.items():
                cell = f"{self.shown(name, measure)} {interval(*ends)}"
                if below := self.better_than(name, measure):
                    cell += f" > {' '.join(numbers[lower] for lower in below)}"
                line.append(cell)
            lines.append(line)
        return Table(lines)


def p_and_error(pair: Difference) -> str:
    """A p-value, with twice its standard error where that could change a verdict."""
    p = probability(pair.p, pair.at_floor)
    return f"{p} ± {probability(2 * pair.p_error)}" if pair.is_open else p


# Sentences for a paper


def _sentence(comparison: Comparison) -> str:
    signature = parsed(comparison.signature)
    texts = [_compared(comparison, signature)]
    for measure in comparison.pairs:
        texts += [_scores(comparison, measure), _verdict(comparison, measure)]
    texts += [_runs(comparison, signature), *_drawn(signature), _corrected(comparison, signature)]
    return " ".join(filter(None, [*texts, f"Signature: {comparison.short_signature}."]))


def _compared(comparison: Comparison, signature: Mapping[str, str]) -> str:
    """What was compared, over how many documents, and which choices were made."""
    choices = [f"{name}={signature[name]}" for name in FIRST_CHOICES]
    chosen = [choice for choice, usual in zip(choices, FIRST_CHOICES.items(), strict=True)
              if choice != "=".join(usual)]  # fmt: skip
    rules = ""
    if "like" in signature:
        rules = f" by the rules of {signature['like']}"
    elif chosen:
        rules = f" with {listed(chosen)}"
    return (
        f"We compare {listed(comparison.scores)} over {signature['documents']} documents, scored "
        f"with corefeval {signature['corefeval']}{rules}."
    )


def _scores(comparison: Comparison, measure: str) -> str:
    """The scores by a measure: of two systems with their difference, of more with intervals."""
    pair = comparison.pairs[measure][0]
    scores = []
    for system in comparison.scores:
        score = f"{comparison.shown(system, measure)} for {printable(str(system))}"
        if len(comparison.scores) > 2:
            score += f" ({_interval(comparison, comparison.scores[system][measure][1])})"
        scores.append(score)
    text = f"{_number(measure, pair)} is {', '.join(scores[:-1])} and {scores[-1]}"
    if len(comparison.scores) > 2:
        return f"{text}."
    p = probability(pair.p, pair.at_floor)
    p = p if pair.at_floor else f"= {p}"
    return (
        f"{text}; the difference, {printable(f'{pair.b} {MINUS} {pair.a}')}, is "
        f"{_points(pair.exact)} points ({_interval(comparison, pair.interval)}; p {p}), with a "
        f"standard deviation of {percent(pair.spread)} over documents."
    )


def _number(measure: str, pair: Difference) -> str:
    """What a score by a measure is called where a sentence begins."""
    if measure == "mentions":
        return "F1 of mention detection"
    name = _name(measure)
    if measure == "conll":
        return name.replace("the", "The")
    return f"By {name}, F1" if pair.part == "f1" else name


def _name(measure: str) -> str:
    """What a measure is called within a sentence."""
    title = MEASURES[measure].title if measure in MEASURES else measure
    return {"mentions": "mention detection", "conll": f"the {title}"}.get(measure, title)


def _interval(comparison: Comparison, ends: Interval) -> str:
    return f"{100 * comparison.level:g}% interval {_points(ends.low)} to {_points(ends.high)}"


def _points(number: object) -> str:
    """A number in percent, with the sign that papers have."""
    return percent(number).replace("-", MINUS)  # type: ignore[arg-type]


def _runs(comparison: Comparison, signature: Mapping[str, str]) -> str:
    """Which systems have runs, how many, and which is one report."""
    if not comparison.deviations:
        return ""
    many = dict(zip(comparison.scores, signature["runs"].split(","), strict=True))
    of_runs = [f"{many[s]} runs of {printable(str(s))}" for s in comparison.deviations]
    text = f"Scores are means of {listed(of_runs)}, with their standard deviation"
    lone = [printable(str(s)) for s in comparison.scores if s not in comparison.deviations]
    if lone:
        text += f"; of {listed(lone)} there is one response" + " each" * (len(lone) > 1)
    return f"{text}."


def _drawn(signature: Mapping[str, str]) -> list[str]:
    """What intervals and p-values were made of."""
    draws, units = f"{int(signature['resamples']):,}", _units(signature)
    have_runs = "runs" in signature
    texts = [f"Intervals are from {draws} draws of {units}."]
    if have_runs:
        texts = [
            f"Intervals, and p-values of pairs in which a system has runs, are from {draws} draws "
            f"of {units} and of runs (Multi-Bootstrap; Sellam et al. 2022)."
        ]
    if "swaps" in signature:
        swaps = "all" if signature["swaps"] == "all" else f"{draws} random"
        whose = " of pairs without runs" if have_runs else ""
        texts.append(f"P-values{whose} are from {swaps} swaps of {units} between the two systems.")
    return texts


def _units(signature: Mapping[str, str]) -> str:
    """What is drawn, and swapped: documents, or units of several."""
    if "units" in signature:
        return f"{signature['units']} units of documents"
    return "documents"


def _corrected(comparison: Comparison, signature: Mapping[str, str]) -> str:
    """For which number of tests p-values are corrected."""
    clauses = []
    if "correction" in signature:
        pairs = len(next(iter(comparison.pairs.values())))
        clauses.append(
            f"Significant means p < {signature['alpha']} after Holm’s correction for {pairs} pairs"
        )
    if len(comparison.pairs) > 1:
        clauses.append("p-values are not corrected for the number of measures")
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _verdict(comparison: Comparison, measure: str) -> str:
    """Of more than two systems, which are significantly above which by a measure."""
    if len(comparison.scores) == 2:
        return ""
    clauses = []
    for system in comparison.scores:
        if below := comparison.better_than(system, measure):
            clauses.append(f"{printable(str(system))} is significantly above {listed(below)}")
    return f"By {_name(measure)}, {'; '.join(clauses) or 'no two systems differ significantly'}."
