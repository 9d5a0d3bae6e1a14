"""Why scorers print different numbers for the same files: every scorer's scores, and reasons.

A scorer's choices that are not ours are undone one by one: a choice without which the score would
be another is a reason; what it meets in the files, and how often, is in `corefeval.analysis.facts`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from corefeval.analysis import facts
from corefeval.analysis.facts import Cause, Change, in_words, repeated
from corefeval.analysis.number_match import Printed, cut_by_perl
from corefeval.conventions import FIRST_CHOICES, OF_FILES, Conventions
from corefeval.corpus import Request, apart_in, documents_of, measures_beside, report_on
from corefeval.display import Row, Shown, Table, frame_of_rows, in_markdown, listed, percent
from corefeval.errors import CorefError, NoScore
from corefeval.given import Given
from corefeval.lazily import cached_property
from corefeval.overlap.contingency import WHOLE, Tables
from corefeval.registry import find, names_of
from corefeval.report import Report, united
from corefeval.score import Score, mean_f1
from corefeval.scorers.bundles import FREE, Bundle, bundles, find_known
from corefeval.scorers.reading import OWN_RULES, Strange, strange_in, zeros_in
from corefeval.scoring import Corpus, Documents, Metric, tables_by

FOR_REFUSED = {"repeated": "first", "missing": "empty"}
"""Our choices for files that the defaults refuse."""
SHOWN = 10
OF_ALL_DOCUMENTS = ("name", "sentence")
"""Kinds of what is strange of which the first is shown: mostly all documents have it."""
SAME, NEARLY = "·", "≈"
MARKS = "points above or below ours; · as ours; blank: it has no such measure"
NEXT = (
    "try next: another measure (--metric all); another convention, which may be the paper's own, "
    "as the mean over documents; other files, such as a key without its singletons"
)
SCORERS_THAT_CUT = ("conll/reference-coreference-scorers", "ns-moosavi/LEA-coreference-scorer")
"""These cut a percentage off after two decimals."""


class Hit(NamedTuple):
    """A number that a scorer prints, and whether it is ``"rounded"`` or ``"cut off"``."""

    scorer: str
    measure: str
    part: str
    value: Fraction
    how: str


class WithNotes(Shown):
    """A result that is summed up in a sentence, and has notes below its table."""

    summary: str

    def notes(self) -> list[str]:
        """What stands below the table."""
        raise NotImplementedError

    def rows(self) -> Iterator[Row]:
        """The rows of CSV."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """A frame of pandas with the rows; floats in [0, 1]."""
        return frame_of_rows(self.rows())

    def __repr__(self) -> str:
        return "\n".join([self.summary, "", self.table().text(), "", *self.notes()])

    def _repr_html_(self) -> str:
        return self.table().html("; ".join([self.summary, *self.notes()]))

    def to_markdown(self, **options: Any) -> str:
        """The summary, the table and the notes in Markdown."""
        notes = [f"- {in_markdown(note)}" for note in self.notes()]
        return "\n".join([in_markdown(self.summary), "", self.table().markdown(), "", *notes])


@dataclass(frozen=True, repr=False)
class Explanation(WithNotes):
    """Scores by other scorers' rules beside ours; what `corefeval.explain` returns."""

    ours: Report
    """By the defaults or, where these refuse the files, by `FOR_REFUSED`."""
    measures: list[str]
    """Those asked for; the report has their parts, too."""
    scores: dict[str, dict[str, Score]]
    """By scorer and measure."""
    reasons: dict[str, dict[str, str]]
    """By scorer and measure: why the score is not ours, where it is not."""
    failures: dict[str, str]
    """By scorer: why it prints no score for these files."""
    unknown: dict[str, str]
    """By scorer: why we do not know the score that it prints for these files."""
    strange: list[Strange]
    """What some scorers read by rules of their own."""
    facts: list[str]
    """What each side has, in words: documents, mentions, repeats, singletons."""
    causes: dict[str, dict[str, list[Cause]]]
    """By scorer and measure: the reasons one by one, those of a mean at what it is the mean of."""

    @property
    def signature(self) -> str:  # type: ignore[override]
        """The signature of our scores."""
        return self.ours.signature

    def rows(self) -> Iterator[Row]:
        """A row for each scorer and measure, ours first; parts of scores are fractions."""
        for scorer, scores in self._all().items():
            for measure, score in scores.items():
                why = self.reasons.get(scorer, {}).get(measure)
                row = {"scorer": scorer, "measure": measure, **score.exact._asdict()}
                yield row | {"reason": why}

    def _all(self) -> Mapping[str, Mapping[str, Score]]:
        return {"ours": {name: self.ours[name] for name in self.measures}, **self.scores}

    @property
    def summary(self) -> str:  # type: ignore[override]
        """How many groups of scorers print other scores and over what; how many are not known."""
        of_measures = chain.from_iterable(map(dict.values, self.causes.values()))
        over = facts.topics(chain.from_iterable(of_measures))
        known, silent = sum(map(bool, self.scores.values())), len(self.failures | self.unknown)
        if self.groups:
            many = f"{in_words(len(self.groups)).capitalize()} groups of scorers differ"
            if len(self.groups) == 1:
                first, *others = self.groups[0]
                more = f" and {in_words(len(others))} more differ"
                many = f"{first}{more if others else ' differs'}"
            all_over = "all over" if len(over) == 1 < len(self.groups) else "over"
            sentence = f"{many} from ours on these files, {all_over} {listed(over)}."
        else:
            sentence = f"None of the {known} scorers with these measures differs from ours."
        return f"{sentence} Of {in_words(silent)} more no score is known." if silent else sentence

    def table(self) -> Table:
        """Our scores, and how far those of scorers are from them, in a row for each group."""
        ours = [percent(self.ours[name].exact.value) for name in self.measures]
        lines = [["", *self.measures], ["ours", *ours]]
        for first, *others in self.groups:
            cells = [self._apart(self.scores[first].get(name), name) for name in self.measures]
            lines.append([f"{first} +{len(others)}" if others else first, *cells])
        return Table(lines, right=len(self.measures))

    @cached_property
    def groups(self) -> list[list[str]]:
        """The scorers whose scores are not ours, each with those for which it stands.

        It stands for those that have no other measures, and print the same for the same reasons.
        """
        differ = [scorer for scorer, reasons in self.reasons.items() if reasons]
        differ.sort(key=lambda scorer: (-len(self.scores[scorer]), bundles()[scorer].rank))
        groups: list[list[str]] = []
        for scorer in differ:
            same = [group for group in groups if self._is_as(scorer, group[0])]
            if same:
                same[0].append(scorer)
            else:
                groups.append([scorer])
        return sorted(groups, key=lambda group: bundles()[group[0]].rank)

    def _is_as(self, scorer: str, other: str) -> bool:
        """Whether another scorer prints all that this one does, for the same reasons."""
        scores, reasons = self.scores[other], self.reasons[other]
        return all(
            scores.get(name) == score and reasons.get(name) == self.reasons[scorer].get(name)
            for name, score in self.scores[scorer].items()
        )

    def _apart(self, score: Score | None, name: str) -> str:
        """How many points a score is above or below ours, or its mark."""
        if score is None or score == self.ours[name]:
            return "" if score is None else SAME
        apart = score.exact.value - self.ours[name].exact.value
        points = percent(abs(apart))
        if not float(points):
            return NEARLY
        return f"{'+' if apart > 0 else '−'}{points}"

    def notes(self, number: str | float | None = None) -> list[str]:
        """What stands below the table: marks, scorers, reasons, what is not known, the sides."""
        notes = [MARKS] if self.groups else []
        if any(NEARLY in row for row in self.table().lines):
            notes.append(f"{NEARLY} less than 0.01 away, or in recall and precision alone")
        as_ours = [scorer for scorer, reasons in self.reasons.items() if not reasons]
        of_whom = [("ours", [scorer for scorer in as_ours if self.scores[scorer]])]
        of_whom += [(first, others) for first, *others in self.groups]
        for first, others in of_whom:
            if others:
                notes.append(f"as {first}, in the measures that they have: {', '.join(others)}")
        if without := [scorer for scorer in as_ours if not self.scores[scorer]]:
            notes.append(f"without these measures: {', '.join(without)}")
        notes += self._why()
        notes += no_scores(self.failures, self.unknown, self.strange)
        notes += [*self.facts, f"ours: {self.ours.short_signature}"]
        if number is not None:
            notes += self._printed(number)
        return notes

    def _why(self) -> Iterator[str]:
        """Each reason once, with its groups, and its measures if not all are due to it."""
        measures_of: defaultdict[str, defaultdict[str, list[str]]]
        measures_of = defaultdict(lambda: defaultdict(list))
        for first, *_ in self.groups:
            for measure, causes in self.causes[first].items():
                for cause in causes:
                    measures_of[cause.reason][first].append(measure)
        for reason, of_group in measures_of.items():
            by_measures: defaultdict[str, list[str]] = defaultdict(list)
            for first, measures in of_group.items():
                is_all = len(measures) == len(self.causes[first])
                by_measures["" if is_all else f" ({', '.join(measures)})"].append(first)
            groups = (f"{', '.join(firsts)}{names}" for names, firsts in by_measures.items())
            yield f"{reason}: {'; '.join(groups)}"

    def _printed(self, number: str | float) -> Iterator[str]:
        hits = self.hits(number)
        alike: dict[str, list[str]] = {}
        for scorer, measure, part, value, how in hits:
            alike.setdefault(f"{measure} {part} {percent(value)}, {how}", []).append(scorer)
        for score, scorers in alike.items():
            yield f"{number} is {score}: {', '.join(scorers)}"
        if hits:
            yield "a match is a lead and no proof"
            return
        as_known = ", as far as they are known" if self.unknown else ""
        yield f"{number} is no scorer's score{as_known}; nearest:"
        for hit in self.nearest(number):
            yield f"  {hit.scorer} {hit.measure} {hit.part} {percent(hit.value)}"
        yield NEXT

    def hits(self, number: str | float) -> list[Hit]:
        """Find a printed number; return the scores printed so: in percent or of 1, rounded or cut.

        Raises `CorefError` for what is no number.
        """
        wanted = Printed.of(number)
        hits = [
            (hit if how == "rounded" else hit._replace(how=how), exact)
            for hit, exact in self._printed_values()
            for how in wanted.how(hit.value)
        ]
        # Who cuts decimals off prints the number; others with the same score only would.
        is_cut = {(hit.measure, hit.part, exact) for hit, exact in hits if hit.value != exact}
        return [
            hit
            for hit, exact in hits
            if hit.value != exact
            or hit.how == "rounded"
            or (hit.measure, hit.part, exact) not in is_cut
        ]

    def truncations(self, number: str | float) -> list[Hit]:
        """Return what scorers print in place of ``number`` because they cut the decimals off.

        By their rules the score rounds to ``number``; they do not round.
        """
        wanted = Printed.of(number)
        return [
            hit
            for hit, exact in self._printed_values()
            if wanted.how(exact) and not wanted.how(hit.value)
        ]

    def nearest(self, number: str | float, many: int = 3) -> list[Hit]:
        """Return the scores nearest to ``number``, one of each value."""
        wanted = Printed.of(number)
        near = {percent(hit.value): hit for hit, _ in self._printed_values()}.values()
        return sorted(near, key=lambda hit: wanted.distance(hit.value))[:many]

    def _printed_values(self) -> Iterator[tuple[Hit, Fraction]]:
        """What every scorer prints, and what it would if it did not cut decimals off."""
        for scorer, scores in self._all().items():
            cuts = scorer in bundles() and bundles()[scorer].scorer in SCORERS_THAT_CUT
            for name, score in scores.items():
                cut = cut_by_perl(score) if cuts else {}
                for part, value in score.exact.parts.items():
                    exact = Fraction(value)
                    shown = cut.get(part, exact)
                    # Often both give the same digits: then it does not matter which it was.
                    how = "rounded" if percent(shown) == percent(exact) else "cut off"
                    yield Hit(scorer, name, part, shown, how), exact

    def to_dict(self, number: str | float | None = None) -> dict[str, Any]:
        """The explanation for JSON: scores as floats, and who prints ``number``."""
        hits = [] if number is None else self.hits(number)
        near = [] if number is None or hits else self.nearest(number)
        cut = [] if number is None else self.truncations(number)
        return {
            "ours": {name: _floats(self.ours[name]) for name in self.measures},
            "refused": refused(self.ours),
            "scorers": {
                scorer: {
                    name: _floats(score) | {"reason": self.reasons[scorer].get(name)}
                    for name, score in scores.items()
                }
                for scorer, scores in self.scores.items()
            },
            "states": {scorer: bundles()[scorer].stated for scorer in self.scores},
            "not_reproduced": {name: bundles()[name].not_reproduced for name in self.scores},
            "failures": self.failures,
            "unknown": self.unknown,
            "faults": [fault._asdict() | {"scorers": _hit(fault)} for fault in self.strange],
            "hits": [hit._asdict() for hit in hits],
            "truncations": [hit._asdict() for hit in cut],
            "near": [hit._asdict() for hit in near],
        }


def no_scores(
    failures: Mapping[str, str], unknown: Mapping[str, str], strange: Iterable[Strange]
) -> Iterator[str]:
    """Each reason for which scorers print no score, or none that we know, with those scorers.

    Below them are the lines that some of them read by rules of their own.
    """
    for of_all, reasons in (("no score", failures), ("not known", unknown)):
        by_reason: defaultdict[str, list[str]] = defaultdict(list)
        for scorer, reason in reasons.items():
            alone = reason.removeprefix(f"like={scorer!r}: ")
            by_reason[OWN_RULES if alone.startswith(OWN_RULES) else alone].append(scorer)
        for reason, scorers in by_reason.items():
            yield f"{of_all}: {', '.join(scorers)}: {reason}"
    alike: defaultdict[Hashable, list[Strange]] = defaultdict(list)
    for fault in strange:
        in_all = fault.kind in OF_ALL_DOCUMENTS
        alike[(fault.kind, fault.file) if in_all else fault].append(fault)
    for first, *others in [*alike.values()][:SHOWN]:
        yield f"{first}; and {len(others)} more like it" if others else str(first)
    if len(alike) > SHOWN:
        yield f"and {len(alike) - SHOWN} more like these"


def _floats(score: Score) -> dict[str, Any]:
    """The parts of a score as floats, and its one number."""
    return score.parts | {"value": score.value}


def _hit(strange: Strange) -> list[str]:
    """The scorers whose scores something strange may change."""
    return [name for name, bundle in bundles().items() if strange.hits(bundle)]


def explain(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = "standard",
    *,
    scorer: str | Iterable[str] = (),
    **of_files: str,
) -> Explanation:
    """Score a response as other scorers would; return their scores, and why they are not ours.

    ``key``, ``response`` and ``metrics`` are those of `evaluate`; ``scorer`` is a name that
    ``like`` knows, or several, by default all. Keywords say how files are read
    (`corefeval.conventions.OF_FILES`). Raises `CorefError` as `evaluate` does, but for documents
    that one side lacks and for repeated mentions.

    >>> key = {"d": "{Ann she} {cat}"}
    >>> explanation = explain(key, key, "ceafe", scorer="e2e")
    >>> explanation.reasons["e2e"]
    {'ceafe': "leaves out the response's 1 singleton"}
    >>> explanation.hits("66,67 %")
    [Hit(scorer='e2e', measure='ceafe', part='f1', value=Fraction(2, 3), how='rounded')]
    """
    asked = [scorer] if isinstance(scorer, str) else list(scorer)
    answers = Answers(key, response, metrics, asked, of_files)
    needed_by = Reasons([answers])
    causes: dict[str, dict[str, list[Cause]]] = {}
    reasons: dict[str, dict[str, str]] = {}
    for name, scores in answers.scores.items():
        causes[name], reasons[name] = {}, {}
        for measure, score in scores.items():
            if score != answers.ours[measure]:
                of_parts = needed_by.causes(name, measure)
                causes[name] |= of_parts
                reasons[name][measure] = _in_one(measure, of_parts)
    scored = answers.ours, answers.measures, answers.scores, reasons
    not_known = answers.failures, answers.unknown, answers.strange
    return Explanation(*scored, *not_known, answers.facts(), causes)


def _in_one(measure: str, causes: Mapping[str, Sequence[Cause]]) -> str:
    """The reasons of a score in one text; of a mean, parts with the same reasons are together."""
    parts_of: defaultdict[str, list[str]] = defaultdict(list)
    for part, of_part in causes.items():
        parts_of["; ".join(cause.reason for cause in of_part)].append(part)
    if not find(measure).parts:
        return "".join(parts_of)
    return "; ".join(f"{', '.join(parts)}: {reasons}" for reasons, parts in parts_of.items())


def _without_remedy(error: CorefError) -> str:
    """A message without what a user might do, which stands after its last semicolon."""
    return re.sub(r"; ([^;']*|add it, or choose missing=.*)$", "", str(error))


def refused(ours: Report) -> bool:
    """Whether the defaults refuse what was given."""
    return ours.conventions.repeated == FOR_REFUSED["repeated"]


class Answers:
    """The scores that scorers print for a key and a response: those ``asked`` for, by default all.

    It scores the documents by any other choices of a scorer, too; what was made is kept.
    """

    def __init__(self, key: Any, response: Any, metrics: Any, asked: Any, of_files: Any) -> None:
        response, metrics = measures_beside(key, response, metrics, "standard")
        self.measures = names_of(metrics)
        for name in of_files:
            if name not in OF_FILES:
                raise CorefError(
                    f"{name!r} cannot be chosen here; expected {' or '.join(OF_FILES)}"
                )
        self.given, self.of_files = Given(key, response), of_files
        try:
            self.ours = self._ours(of_files)
        except CorefError:
            self.ours = self.by_other_defaults()
        self.sides: tuple[Corpus, Corpus] = ({}, {})
        if self.given.table is None:
            self.sides = self.given.read(Conventions(repeated="each", **of_files))
        ours, theirs = self.sides
        self.has_extra = bool(theirs.keys() - ours.keys())
        self.has_same_documents = ours.keys() == theirs.keys()
        self.repeats = self.given.matches or any(
            repeated(facts.mentions_of(side, name)) for side in self.sides for name in side
        )
        self._documents: dict[Hashable, tuple[Hashable, Documents]] = {}
        self._same: dict[Hashable, Documents] = {}
        self._tables: dict[Hashable, Mapping[Hashable, Tables]] = {}
        self._united: dict[int, Mapping[Hashable, Tables]] = {}
        self._scores: dict[Hashable, Score] = {}
        self.scores: dict[str, dict[str, Score]] = {}
        self.failures: dict[str, str] = {}
        self.unknown: dict[str, str] = {}
        self.strange = [*strange_in(self.given)]
        for scorer in [find_known(name).name for name in asked] or bundles():
            if bundles()[scorer].measures:
                self._ask(self.bundle(scorer))
            elif asked:
                self.unknown[scorer] = bundles()[scorer].not_reproduced

    def _ours(self, chosen: Mapping[str, str]) -> Report:
        """Our report, with the parts of means; that nothing is shared is no warning here."""
        names = dict.fromkeys(part for name in self.measures for part in (*find(name).parts, name))
        asked = Request.of(list(names), None, chosen, self.given.matches)
        documents = documents_of(self.given, asked.choice)
        apart_in(documents).warn_of_few(self.given.remedy)
        return report_on(documents, asked, tables_by(documents, asked.choices))

    def by_other_defaults(self) -> Report:
        """Our report by the choices for what the defaults refuse."""
        return self._ours({**FOR_REFUSED, **self.of_files})

    def _ask(self, bundle: Bundle) -> None:
        """Add a scorer's scores, or why there are none."""
        names = [name for name in self.measures if bundle.computes(name)]
        try:
            self.documents(bundle)
            scores = {name: self.score_of(bundle, name) for name in names}
        except NoScore as error:
            self.failures[bundle.name] = _without_remedy(error)
        except CorefError as error:
            self.unknown[bundle.name] = _without_remedy(error)
        else:
            self.strange += [zero for zero in self.zeros(bundle) if zero not in self.strange]
            self.scores[bundle.name] = scores

    def facts(self) -> list[str]:
        """What each side has, in words: documents, mentions, repeats, singletons."""
        return list(facts.of_sides(self.sides)) if self.given.table is None else []

    def bundle(self, name: str) -> Bundle:
        """The choices of a scorer, as far as they concern these documents."""
        bundle = bundles()[name]
        return bundle if self.given.matches else bundle.without_nodes()

    def score_of(self, bundle: Bundle, name: str) -> Score:
        """A scorer's score of a measure."""
        return self.score(bundle, self.metric(bundle, name))

    def metric(self, bundle: Bundle, name: str) -> Metric:
        """A measure as a scorer computes it."""
        (metric,) = bundle.metrics(name, self._choice(bundle))
        return metric

    def _choice(self, bundle: Bundle) -> Conventions:
        chosen = {name: how for name, how in self.of_files.items() if name in FREE}
        return bundle.choice({}).but(**chosen)

    def zeros(self, bundle: Bundle) -> list[Strange]:
        """The zeros that a scorer may match otherwise than we do."""
        if not self.given.matches:
            return []
        return [zero for zero in zeros_in(self.given, self._choice(bundle)) if zero.hits(bundle)]

    def documents(self, bundle: Bundle) -> tuple[Hashable, Documents]:
        """The documents that a scorer scores, and what tells them from those of others.

        Raises `CorefError` for what it refuses, or reads otherwise than we do.
        """
        choice = self._choice(bundle).but(average="sum", twinless="keep", zero="zero")
        if not self.given.matches:
            choice = choice.but(singletons="keep")
        does = [getattr(bundle, name) for name in ("documents", "extra", "reading", "places")]
        refuses = (*does, bundle.pairing, bundle.most_repeated, choice)
        if refuses not in self._documents:
            made = documents_of(self.given, choice, bundle)
            # Scorers that refuse other files may score the same documents.
            same = bundle.documents, self.has_extra and bundle.extra, self._needed(choice)
            self._documents[refuses] = same, self._same.setdefault(same, made)
        return self._documents[refuses]

    def _needed(self, choice: Conventions) -> Conventions:
        """The choices without those that make no difference for what was given."""
        if not self.repeats:
            choice = choice.but(repeated="error")
        return choice.but(missing="error") if self.has_same_documents else choice

    def tables(self, bundle: Bundle, choice: Conventions) -> Mapping[Hashable, Tables]:
        """The tables of a scorer's documents by the conventions of a measure, made once."""
        same, documents = self.documents(bundle)
        by = self._needed(choice.but(average="sum", zero="zero"))
        if (same, by) not in self._tables:
            (self._tables[same, by],) = tables_by(documents, [by]).values()
        return self._tables[same, by]

    def _as_one(self, tables: Mapping[Hashable, Tables]) -> Mapping[Hashable, Tables]:
        """The documents in one table, which all measures share with what they count in it."""
        if id(tables) not in self._united:
            self._united[id(tables)] = {WHOLE: united(tables.values())}
        return self._united[id(tables)]

    def score(self, bundle: Bundle, metric: Metric) -> Score:
        """The score of a measure by a scorer's choices."""
        if metric.parts:
            return mean_f1([self.score(bundle, part) for part in metric.parts], None)
        choice, formula = metric.conventions, metric.measure.formula
        tables = self.tables(bundle, choice)
        if choice.average == "sum":
            tables = self._as_one(tables)
        # The tables live as long as this object, so their id stands for them and is quick to hash.
        key = formula, id(tables), choice.average, choice.zero
        if key not in self._scores:
            report = Report({choice: tables}, [metric], choice)
            (self._scores[key],) = report.total.values()
        return self._scores[key]


class Reasons:
    """The choices by which scorers' scores are not ours, found by scoring without them.

    A choice is a reason if ours in its place changes the score, that of one response at least.
    """

    def __init__(self, asked: Sequence[Answers]) -> None:
        self.asked = asked
        self.usual = {**FIRST_CHOICES, "documents": "", "extra": "", "formula": ""}
        self.usual |= asked[0].of_files
        if any(refused(answers.ours) for answers in asked):
            self.usual |= FOR_REFUSED
        self._needed: dict[tuple[str, str], Needed] = {}

    def needed(self, scorer: str, name: str) -> dict[str, Needed]:
        """The choices that make a score; of a mean, those of what it is of and that is not ours."""
        bundle = self.asked[0].bundle(scorer)
        parts = find(name).parts
        ours = {part: [answers.ours[part] for answers in self.asked] for part in parts}
        differ = [part for part in parts if self._scores(bundle, part) != ours[part]]
        return {part: self._needed_for(bundle, part) for part in (differ if parts else [name])}

    def causes(self, scorer: str, name: str) -> dict[str, list[Cause]]:
        """The choices that make a score, in words, with what they meet in the first response."""
        of_measures = self.needed(scorer, name).items()
        return {
            part: [self._change(needed.rest, part, what).cause for what in needed.choices]
            for part, needed in of_measures
        }

    def _needed_for(self, bundle: Bundle, name: str) -> Needed:
        if (bundle.name, name) not in self._needed:
            theirs, rest = self._scores(bundle, name), bundle
            choices = self._others(bundle, name)
            # What is not needed for the scorer's score is no reason.
            for what in [*choices]:
                less = _without(rest, what, self.usual[what])
                if self._are_scores(less, name, theirs):
                    rest = less
                    del choices[what]
            self._needed[bundle.name, name] = Needed(choices, rest)
        return self._needed[bundle.name, name]

    def _scores(self, bundle: Bundle, name: str) -> list[Score]:
        """The scores of each response."""
        return [answers.score_of(bundle, name) for answers in self.asked]

    def _are_scores(self, bundle: Bundle, name: str, wanted: list[Score]) -> bool:
        try:
            return self._scores(bundle, name) == wanted
        except CorefError:  # some choices do not go together
            return False

    def _others(self, bundle: Bundle, name: str) -> dict[str, str]:
        """A scorer's choices that are not ours."""
        chosen = {**bundle.conventions, **bundle.measures[name]}
        chosen |= {what: getattr(bundle, what) for what in ("documents", "extra")}
        says = {what: chosen[what] for what in facts.SAYS if what in chosen}
        return {what: how for what, how in says.items() if how != self.usual[what]}

    def _change(self, bundle: Bundle, name: str, what: str) -> Change:
        theirs = self._tables(bundle, name)
        try:
            ours = self._tables(_without(bundle, what, self.usual[what]), name)
        except CorefError:  # there is no score by our choice
            ours = theirs
        choice = self._others(bundle, name)[what]
        return Change(what, choice, ours, theirs, self.asked[0].sides)

    def _tables(self, bundle: Bundle, name: str) -> Mapping[Hashable, Tables]:
        first = self.asked[0]
        return first.tables(bundle, first.metric(bundle, name).conventions)


class Needed(NamedTuple):
    """The choices of a scorer without which its score of a measure would be another."""

    choices: dict[str, str]
    rest: Bundle
    """The scorer with our choices in place of all others."""


def _without(bundle: Bundle, what: str, ours: str) -> Bundle:
    """The scorer with our choice in place of its own."""
    if what == "documents":
        return bundle._replace(documents="")
    if what == "extra":
        return bundle._replace(extra="")
    measures = {
        name: {**choices, what: ours or name} if what in choices else choices
        for name, choices in bundle.measures.items()
    }
    if what in FIRST_CHOICES:
        bundle = bundle._replace(conventions={**bundle.conventions, what: ours})
    return bundle._replace(measures=measures)
