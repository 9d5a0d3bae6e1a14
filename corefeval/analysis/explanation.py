"""What explaining scores finds: for people, as text, HTML and Markdown, and for machines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from html import escape
from itertools import groupby
from textwrap import TextWrapper
from typing import Any, NamedTuple

from corefeval.analysis.number_match import Printed, cut_by_perl
from corefeval.display import PARTS, Table, frame_of_rows, in_markdown, percent, printable
from corefeval.registry import find
from corefeval.score import Score
from corefeval.scorers.bundles import bundles
from corefeval.scorers.faults import Fault, hit_by

SHOWN = 10
SAME = "·"
"""What stands for a score that is ours."""
LEGEND = f"points above or below ours; {SAME} as ours; blank: the scorer has not this measure"
ALL = "all measures"
SCORERS_THAT_CUT = ("conll/reference-coreference-scorers", "ns-moosavi/LEA-coreference-scorer")
"""These cut a percentage off after two decimals."""


class Hit(NamedTuple):
    """A number that a scorer prints: of which measure and part, and ``how`` it came about.

    ``value`` is the exact score, and ``how`` is ``"rounded"`` or ``"cut off"``.
    """

    scorer: str
    measure: str
    part: str
    value: Fraction
    how: str


class Near(NamedTuple):
    """A number that some scorers print by one rule."""

    scorers: list[str]
    measure: str
    part: str
    value: Fraction
    rule: str


class Explanation(NamedTuple):
    """Scores by other scorers' rules beside ours; what `corefeval.explain` returns."""

    ours: dict[str, Score]
    """By measure: our score, by the defaults or, where these refuse the files, by
    ``repeated="first"`` and ``missing="empty"``."""
    refused: bool
    """Whether the defaults refuse the files."""
    faults: list[Fault]
    """What is wrong with the files."""
    scores: dict[str, dict[str, Score]]
    """By scorer and measure: the score."""
    reasons: dict[str, dict[str, str]]
    """By scorer and measure: why the score is not ours, where it is not."""
    failures: dict[str, str]
    """By scorer: why it prints no score for these files."""
    unknown: dict[str, str]
    """By scorer: why we do not know the score that it prints for these files."""

    def __repr__(self) -> str:
        """How far scorers are from our scores, why, and what is wrong with the files."""
        return as_text(self, None, 100)

    def _repr_html_(self) -> str:
        """The same for a notebook: a table, and lists below it."""
        parts = [matrix(self).html("".join(_legend(self)))]
        for heading, each in _sections(self, None).items():
            items = "".join(f"<li>{escape(printable(line))}</li>" for line in each)
            parts.append(f"<p>{escape(printable(heading))}</p>\n<ul>{items}</ul>")
        return "\n".join(parts)

    def to_markdown(self) -> str:
        """The same in Markdown."""
        parts = [matrix(self).markdown(), *_legend(self)]
        for heading, each in _sections(self, None).items():
            parts.append(in_markdown(heading))
            parts.append("\n".join(f"- {in_markdown(line)}" for line in each))
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """What there is to know, as ``corefeval explain --format json`` has it."""
        return as_json(self, None)

    def to_frame(self) -> Any:
        """A frame of pandas with a row for each scorer and measure; floats in [0, 1].

        Raises `CorefError` if pandas is not installed.
        """
        told: list[dict[str, Any]] = []
        for scorer, scores in {"ours": self.ours, **self.scores}.items():
            for measure, score in scores.items():
                why = self.reasons.get(scorer, {}).get(measure)
                row = {"scorer": scorer, "measure": measure, **dict.fromkeys(PARTS)}
                told.append(row | floats(score) | {"reason": why})
        return frame_of_rows(told)

    def hits(self, number: str) -> list[Hit]:
        """Whatever is printed as ``number``, in percent or as a fraction of 1.

        As many decimals count as the number has, whether the rest is rounded or cut off. It may
        have a decimal comma and a percent sign.

        Raises `CorefError` for what is no number.
        """
        wanted = Printed.of(number)
        return [
            hit if how == "rounded" else hit._replace(how=how)
            for hit, _ in self._values()
            for how in wanted.how(hit.value)
        ]

    def truncations(self, number: str) -> list[Hit]:
        """What scorers print in place of ``number`` because they cut the decimals off.

        By their rules the score rounds to ``number``; they do not round.
        """
        wanted = Printed.of(number)
        return [
            hit for hit, exact in self._values() if wanted.how(exact) and not wanted.how(hit.value)
        ]

    def nearest(self, number: str, many: int = 3) -> list[Near]:
        """The numbers nearest to ``number`` that are printed, whose rules go with them."""
        wanted = Printed.of(number)
        found: dict[str, Near] = {}
        for hit, _ in sorted(self._values(), key=lambda each: wanted.distance(each[0].value)):
            rule = self.reasons.get(hit.scorer, {}).get(hit.measure, "as ours")
            shown = percent(hit.value)
            # All scorers that print the last of these numbers are still to be collected.
            if shown not in found and len(found) == many:
                break
            near = found.setdefault(shown, Near([], hit.measure, hit.part, hit.value, rule))
            # Another rule that happens to print the same digits would be a wrong explanation.
            if near[1:] == (hit.measure, hit.part, hit.value, rule):
                near.scorers.append(hit.scorer)
        return list(found.values())

    def _values(self) -> Iterator[tuple[Hit, Fraction]]:
        """What every scorer prints, and what it would if it did not cut decimals off."""
        for scorer, scores in {"ours": self.ours, **self.scores}.items():
            cuts = scorer in bundles() and bundles()[scorer].scorer in SCORERS_THAT_CUT
            for name, score in scores.items():
                cut = cut_by_perl(score) if cuts else {}
                for part, value in score.exact.parts.items():
                    exact = Fraction(value)
                    printed = cut.get(part, exact)
                    # Often both give the same digits: then it does not matter which it was.
                    how = "rounded" if percent(printed) == percent(exact) else "cut off"
                    yield Hit(scorer, name, part, printed, how), exact


def told(said: Iterable[tuple[str, str]]) -> list[str]:
    """What is said of each, with the names of all of which the same is said.

    >>> told([("muc", "a mean"), ("b3", "no singletons"), ("lea", "a mean")])
    ['muc, lea: a mean', 'b3: no singletons']
    """
    names: dict[str, list[str]] = {}
    for name, what in said:
        names.setdefault(what, []).append(name)
    return [f"{', '.join(each)}: {what}" for what, each in names.items()]


def as_json(found: Explanation, number: str | None) -> dict[str, Any]:
    """The explanation for machines."""
    scorers = {}
    for scorer, scores in found.scores.items():
        why = found.reasons[scorer]
        scorers[scorer] = {n: floats(score) | {"reason": why.get(n)} for n, score in scores.items()}
    return {
        "ours": {name: floats(score) for name, score in found.ours.items()},
        "refused": found.refused,
        "scorers": scorers,
        "states": {scorer: stated(scorer) for scorer in scorers},
        "not_reproduced": {scorer: bundles()[scorer].not_reproduced for scorer in found.scores},
        "failures": found.failures,
        "unknown": found.unknown,
        "faults": [fault._asdict() | {"scorers": hit_by(fault.kind)} for fault in found.faults],
        **{name: [each._asdict() for each in of] for name, of in _printed(found, number).items()},
    }


def floats(score: Score) -> dict[str, Any]:
    """The parts of a score as floats, and its one number."""
    return score.parts | {"value": score.value}


def _printed(found: Explanation, number: str | None) -> dict[str, list[Any]]:
    """Who prints a number; who prints another in its place; and, if nobody does, what is near."""
    if number is None:
        return {"hits": [], "truncations": [], "near": []}
    hits = found.hits(number)
    near = [] if hits else found.nearest(number)
    return {"hits": hits, "truncations": found.truncations(number), "near": near}


def as_text(found: Explanation, number: str | None, width: int) -> str:
    """The explanation for people: who differs by how much, then each reason once, then faults."""
    # Paths and names are not broken, so that they can be copied.
    wrap = TextWrapper(
        width, subsequent_indent=" " * 4, break_long_words=False, break_on_hyphens=False
    )
    lines = [matrix(found).text(), *map(wrap.fill, _legend(found)), ""]
    for heading, each in _sections(found, number).items():
        lines += map(wrap.fill, [heading, *(f"  {line}" for line in each), ""])
    return "\n".join(lines)


def stated(scorer: str) -> str:
    """A scorer's name, and which state of it is meant."""
    return bundles()[scorer].stated


def _legend(found: Explanation) -> list[str]:
    """What stands below the table, if it has other scores than ours."""
    return [LEGEND] if any(found.reasons.values()) else []


def _sections(found: Explanation, number: str | None) -> dict[str, list[str]]:
    """What is told below the table, by headings."""
    sections: dict[str, list[str]] = {}
    by_none = [n for n in found.ours if not any(n in each for each in found.scores.values())]
    sections["not computed:"] = [", ".join(by_none)] if by_none and found.scores else []
    if found.refused:
        sections["refused by default, scored with --repeated first --missing empty:"] = [
            "--format json has what is not_reproduced of the scorers' rules for such files"
        ]
    alike = [p for p, reasons in found.reasons.items() if found.scores[p] and not reasons]
    sections["as ours:"] = [", ".join(map(stated, alike))] if alike else []
    sections |= _reasons(found)
    sections["no score:"] = told((stated(p), why) for p, why in found.failures.items())
    sections["not reproduced:"] = told((stated(p), why) for p, why in found.unknown.items())
    if number is not None:
        sections |= _printed_told(found, number)
    sections |= _faults(found.faults)
    return {heading: lines for heading, lines in sections.items() if lines}


def _printed_told(found: Explanation, number: str) -> dict[str, list[str]]:
    """The same in words."""
    *both, near = _printed(found, number).values()
    hits, cut = (
        told(
            (hit.scorer, f"{hit.measure} {hit.part} {percent(hit.value)}, {hit.how}") for hit in of
        )
        for of in both
    )
    return {
        f"{number} is:": hits or ["no scorer's score"],
        "these do not round, and so print another number for the same score:": cut,
        "near it, and not equal:": [
            f"{', '.join(scorers)}: {measure} {part} {percent(value)}, {rule}"
            for scorers, measure, part, value, rule in near
        ],
    }


def matrix(found: Explanation) -> Table:
    """A row of our scores, and for each scorer that gives others how far they are from ours."""
    lines = [
        ["", *found.ours],
        ["ours", *(percent(score.exact.value) for score in found.ours.values())],
    ]
    for scorer, reasons in found.reasons.items():
        # Scorers that print our scores stand in one line below the table, not in a row each.
        if reasons:
            scores = found.scores[scorer]
            lines.append(
                [stated(scorer), *(_difference(scores.get(n), found.ours[n]) for n in found.ours)]
            )
    return Table(lines, right=len(found.ours))


def _difference(score: Score | None, ours: Score) -> str:
    """The difference in points; nothing where the scorer does not compute the measure."""
    if score is None:
        return ""
    if score == ours:
        return SAME
    difference = score.exact.value - ours.exact.value
    # F1 may be the same although recall and precision are not.
    if not difference:
        return "±0.00"
    sign = "+" if difference > 0 else ""
    return f"{sign}{percent(difference)}".replace("-", "−")


def _reasons(found: Explanation) -> dict[str, list[str]]:
    """Each reason once, with the measures that it concerns and the scorers."""
    by_reason: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for scorer, reasons in found.reasons.items():
        measures: defaultdict[str, list[str]] = defaultdict(list)
        for name in _not_repeated(reasons):
            measures[reasons[name]].append(_with_parts(name, found, scorer))
        computed = _not_repeated(found.scores[scorer])
        for reason, names in measures.items():
            # A scorer of one measure has it named: "all" would hide which it is.
            shown = ALL if names == computed != names[:1] else ", ".join(names)
            by_reason[reason].append((scorer, shown))
    return {f"{reason}:": told(scorers) for reason, scorers in by_reason.items()}


def _not_repeated(reasons: Iterable[str]) -> list[str]:
    """The measures, without means of others that stand here, too."""
    return [name for name in reasons if not ({*find(name).parts} & {*reasons})]


def _with_parts(name: str, found: Explanation, scorer: str) -> str:
    """A measure's name; with recall and precision, if F1 tells no difference."""
    score = found.scores[scorer][name]
    if score.exact.value != found.ours[name].exact.value:
        return name
    parts = ", ".join(f"{part} {percent(value)}" for part, value in score.exact.parts.items())
    return f"{name} ({parts})"


def _faults(faults: list[Fault]) -> dict[str, list[str]]:
    """Each kind of fault, with the scorers that it hits."""
    if not faults:
        return {"in the files:": ["nothing to mend"]}
    sections = {}
    for kind, group in groupby(faults, key=lambda fault: fault.kind):
        of_kind, scorers = list(map(str, group)), ", ".join(hit_by(kind))
        shown = of_kind[:SHOWN]
        if len(of_kind) > SHOWN:
            shown.append(f"and {len(of_kind) - SHOWN} more: --format json has all")
        heading = f"{kind} (hits {scorers}):" if scorers else f"{kind}:"
        sections[heading] = shown
    return sections
