"""An explanation for people, as text, and for machines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from textwrap import TextWrapper
from typing import Any

from corefeval.display import aligned, percent
from corefeval.programs.bundles import bundles
from corefeval.programs.explain import Explanation, told
from corefeval.programs.faults import Fault, hit_by
from corefeval.registry import find
from corefeval.score import Score

SHOWN = 10
"""Faults of a kind that people are shown."""
SAME = "·"
"""What stands for a score that is ours."""
LEGEND = f"points above or below ours; {SAME} as ours; blank: the program has not this measure"
ALL = "all measures"


def as_json(found: Explanation, number: str | None) -> dict[str, Any]:
    """The explanation for machines."""
    programs = {}
    for program, scores in found.scores.items():
        why = found.reasons[program]
        programs[program] = {n: score.parts | {"reason": why.get(n)} for n, score in scores.items()}
    return {
        "ours": {name: score.parts for name, score in found.ours.items()},
        "refused": found.refused,
        "programs": programs,
        "not_reproduced": {program: bundles()[program].not_reproduced for program in found.scores},
        "unable": found.unable,
        "unreproduced": found.unreproduced,
        "faults": [fault._asdict() | {"hits": hit_by(fault.kind)} for fault in found.faults],
        **_printed(found, number),
    }


def _printed(found: Explanation, number: str | None) -> dict[str, Any]:
    """Who prints a number; who prints another in its place; and, if nobody does, what is near."""
    if number is None:
        return {"printed": [], "cut_off": [], "near": []}
    hits = found.printed(number)
    near = [] if hits else found.nearest(number)
    return {
        "printed": [hit._asdict() for hit in hits],
        "cut_off": [hit._asdict() for hit in found.cut_off(number)],
        "near": [each._asdict() for each in near],
    }


def as_text(found: Explanation, number: str | None, width: int) -> str:
    """The explanation for people: who differs by how much, then each reason once, then faults."""
    sections: dict[str, list[str]] = {}
    if found.refused:
        sections["refused by default, scored with --repeated first --missing empty:"] = [
            "--format json has what is not_reproduced of the programs' rules for such files"
        ]
    alike = [p for p, reasons in found.reasons.items() if found.scores[p] and not reasons]
    sections["as ours:"] = [", ".join(alike)] if alike else []
    sections |= _reasons(found)
    sections["no score:"] = told(found.unable.items())
    sections["not reproduced:"] = told(found.unreproduced.items())
    if number is not None:
        sections |= _printed_told(found, number)
    sections |= _faults(found.faults)
    wrap = TextWrapper(
        width, subsequent_indent=" " * 4, break_long_words=False, break_on_hyphens=False
    )
    legend = [wrap.fill(LEGEND)] if any(found.reasons.values()) else []
    lines = [_matrix(found), *legend, ""]
    by_none = [n for n in found.ours if not any(n in each for each in found.scores.values())]
    if by_none and found.scores:
        lines += [f"not computed: {', '.join(by_none)}", ""]
    for heading, each in sections.items():
        if each:
            lines += map(wrap.fill, [heading, *(f"  {line}" for line in each), ""])
    return "\n".join(lines)


def _printed_told(found: Explanation, number: str) -> dict[str, list[str]]:
    """Who prints a number; who prints another in its place; and, if nobody does, what is near."""
    hits, cut = (
        told(
            (hit.program, f"{hit.measure} {hit.part} {percent(hit.value)}, {hit.how}") for hit in of
        )
        for of in (found.printed(number), found.cut_off(number))
    )
    near = [] if hits else found.nearest(number)
    return {
        f"{number} is:": hits or ["no program's score"],
        "these do not round, and so print another number for the same score:": cut,
        "near it, and not equal:": [
            f"{', '.join(programs)}: {measure} {part} {percent(value)}, {rule}"
            for programs, measure, part, value, rule in near
        ],
    }


def _matrix(found: Explanation) -> str:
    """A row of our scores, and for each program that gives others how far they are from ours."""
    rows = [["", *found.ours], ["ours", *(percent(score.value) for score in found.ours.values())]]
    for program, reasons in found.reasons.items():
        if reasons:
            scores = found.scores[program]
            rows.append([program, *(_cell(scores.get(n), found.ours[n]) for n in found.ours)])
    return aligned(rows, right=len(found.ours))


def _cell(score: Score | None, ours: Score) -> str:
    """The difference in points; nothing where the program does not compute the measure."""
    if score is None:
        return ""
    if score == ours:
        return SAME
    assert score.value is not None and ours.value is not None
    if score.value == ours.value:
        return "±0.00"
    sign = "+" if score.value > ours.value else ""
    return f"{sign}{percent(score.value - ours.value)}".replace("-", "−")


def _reasons(found: Explanation) -> dict[str, list[str]]:
    """Each reason once, with the measures that it concerns and the programs."""
    by_reason: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for program, reasons in found.reasons.items():
        measures: defaultdict[str, list[str]] = defaultdict(list)
        for name in _not_repeated(reasons):
            measures[reasons[name]].append(_with_parts(name, found, program))
        computed = _not_repeated(found.scores[program])
        for reason, names in measures.items():
            shown = ALL if names == computed != names[:1] else ", ".join(names)
            by_reason[reason].append((program, shown))
    return {f"{reason}:": told(programs) for reason, programs in by_reason.items()}


def _not_repeated(reasons: Iterable[str]) -> list[str]:
    """The measures, without means of others that stand here, too."""
    return [name for name in reasons if not ({*find(name).parts} & {*reasons})]


def _with_parts(name: str, found: Explanation, program: str) -> str:
    """A measure's name; with recall and precision, if F1 tells no difference."""
    score = found.scores[program][name]
    if score.value != found.ours[name].value:
        return name
    parts = ", ".join(f"{part} {percent(value)}" for part, value in score.parts.items())
    return f"{name} ({parts})"


def _faults(faults: list[Fault]) -> dict[str, list[str]]:
    """Each kind of fault, with the programs that it hits."""
    if not faults:
        return {"in the files:": ["nothing to mend"]}
    sections = {}
    for kind, group in groupby(faults, key=lambda fault: fault.kind):
        of_kind, programs = list(map(str, group)), ", ".join(hit_by(kind))
        shown = of_kind[:SHOWN]
        if len(of_kind) > SHOWN:
            shown.append(f"and {len(of_kind) - SHOWN} more: --format json has all")
        heading = f"{kind} (hits {programs}):" if programs else f"{kind}:"
        sections[heading] = shown
    return sections
