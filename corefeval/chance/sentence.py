"""Sentences for a paper that say how systems differ, and how that was tested."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from corefeval.conventions import FIRST_CHOICES
from corefeval.display import listed, percent, printable, probability
from corefeval.registry import MEASURES
from corefeval.signature import parsed

if TYPE_CHECKING:
    from corefeval.chance.significance import Comparison, Difference, Interval

MINUS = "−"


def sentence(found: Comparison) -> str:
    """Sentences for a paper: see `corefeval.chance.significance.Comparison.sentence`."""
    signature = parsed(found.signature)
    told = [_compared(found, signature)]
    for measure in found.pairs:
        told += [_scores(found, measure), _verdict(found, measure)]
    told += [_runs(found, signature), *_drawn(signature), _corrected(found, signature)]
    return " ".join(filter(None, [*told, f"Signature: {found.short_signature}."]))


def _compared(found: Comparison, signature: Mapping[str, str]) -> str:
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
        f"We compare {listed(found.scores)} over {signature['documents']} documents, scored with "
        f"corefeval {signature['corefeval']}{rules}."
    )


def _scores(found: Comparison, measure: str) -> str:
    """The scores by a measure: of two systems with their difference, of more with intervals."""
    pair = found.pairs[measure][0]
    scores = []
    for system in found.scores:
        score = f"{found.shown(system, measure)} for {printable(str(system))}"
        if len(found.scores) > 2:
            score += f" ({_interval(found, found.scores[system][measure][1])})"
        scores.append(score)
    text = f"{_number(measure, pair)} is {', '.join(scores[:-1])} and {scores[-1]}"
    if len(found.scores) > 2:
        return f"{text}."
    p = probability(pair.p, pair.at_floor)
    p = p if pair.at_floor else f"= {p}"
    return (
        f"{text}; the difference, {printable(f'{pair.b} {MINUS} {pair.a}')}, is "
        f"{_points(pair.exact)} points ({_interval(found, pair.interval)}; p {p}), with a standard "
        f"deviation of {percent(pair.spread)} over documents."
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


def _interval(found: Comparison, ends: Interval) -> str:
    return f"{100 * found.level:g}% interval {_points(ends.low)} to {_points(ends.high)}"


def _points(number: object) -> str:
    """A number in percent, with the sign that papers have."""
    return percent(number).replace("-", MINUS)  # type: ignore[arg-type]


def _runs(found: Comparison, signature: Mapping[str, str]) -> str:
    """Which systems have runs, how many, and which is one report."""
    if not found.deviations:
        return ""
    many = dict(zip(found.scores, signature["runs"].split(","), strict=True))
    of_runs = [f"{many[system]} runs of {printable(str(system))}" for system in found.deviations]
    told = f"Scores are means of {listed(of_runs)}, with their standard deviation"
    lone = [printable(str(system)) for system in found.scores if system not in found.deviations]
    if lone:
        told += f"; of {listed(lone)} there is one response" + " each" * (len(lone) > 1)
    return f"{told}."


def _drawn(signature: Mapping[str, str]) -> list[str]:
    """What intervals and p-values were made of."""
    draws, units = f"{int(signature['resamples']):,}", _units(signature)
    have_runs = "runs" in signature
    told = [f"Intervals are from {draws} draws of {units}."]
    if have_runs:
        told = [
            f"Intervals, and p-values of pairs in which a system has runs, are from {draws} draws "
            f"of {units} and of runs (Multi-Bootstrap; Sellam et al. 2022)."
        ]
    if "swaps" in signature:
        swaps = "all" if signature["swaps"] == "all" else f"{draws} random"
        whose = " of pairs without runs" if have_runs else ""
        told.append(f"P-values{whose} are from {swaps} swaps of {units} between the two systems.")
    return told


def _units(signature: Mapping[str, str]) -> str:
    """What is drawn, and swapped: documents, or units of several."""
    if "units" in signature:
        return f"{signature['units']} units of documents"
    return "documents"


def _corrected(found: Comparison, signature: Mapping[str, str]) -> str:
    """For which number of tests p-values are corrected."""
    told = []
    if "correction" in signature:
        pairs = len(next(iter(found.pairs.values())))
        told.append(
            f"Significant means p < {signature['alpha']} after Holm’s correction for {pairs} pairs"
        )
    if len(found.pairs) > 1:
        told.append("p-values are not corrected for the number of measures")
    text = "; ".join(told)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _verdict(found: Comparison, measure: str) -> str:
    """Of more than two systems, which are significantly above which by a measure."""
    if len(found.scores) == 2:
        return ""
    told = []
    for system in found.scores:
        if below := found.better_than(system, measure):
            told.append(f"{printable(str(system))} is significantly above {listed(below)}")
    return f"By {_name(measure)}, {'; '.join(told) or 'no two systems differ significantly'}."
