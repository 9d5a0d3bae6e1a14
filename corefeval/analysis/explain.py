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
from typing import Any, NamedTuple

from corefeval.analysis.facts import SAYS, Change, mentions_of, of_sides, repeated
from corefeval.analysis.number_match import Printed, cut_by_perl
from corefeval.contingency import WHOLE, Tables
from corefeval.conventions import FIRST_CHOICES, OF_FILES, Conventions
from corefeval.corpus import Given, Request, apart_in, measures_beside, report_on
from corefeval.display import Row, Shown, Table, frame_of_rows, in_markdown, percent
from corefeval.errors import CorefError, NoScore
from corefeval.lazily import cached_property
from corefeval.registry import find, names_of
from corefeval.report import Report, united
from corefeval.score import Score, mean_f1
from corefeval.scorers.bundles import FREE, Bundle, bundles, find_known
from corefeval.scorers.reading import Strange, strange_in, zeros_in
from corefeval.scoring import Corpus, Documents, Metric, tables_by

FOR_REFUSED = {"repeated": "first", "missing": "empty"}
"""Our choices for files that the defaults refuse."""
SAME, SHOWN = "·", 10
SCORERS_THAT_CUT = ("conll/reference-coreference-scorers", "ns-moosavi/LEA-coreference-scorer")
"""These cut a percentage off after two decimals."""


class Hit(NamedTuple):
    """A number that a scorer prints, and whether it is ``"rounded"`` or ``"cut off"``."""

    scorer: str
    measure: str
    part: str
    value: Fraction
    how: str


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
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

    def to_frame(self) -> Any:
        """A frame of pandas with the rows; floats in [0, 1]."""
        return frame_of_rows(self.rows())

    def table(self) -> Table:
        """Our scores, and how far those of scorers are from them; a row for all that are alike.

        Scorers whose scores are all ours have no row, and of others that are alike the first is
        named; `notes` name the rest.
        """
        ours = [percent(self.ours[name].exact.value) for name in self.measures]
        lines = [["", *self.measures], ["ours", *ours]]
        for cells, (first, *others) in self.alike.items():
            if {*cells} - {SAME, ""}:
                lines.append([f"{first} +{len(others)}" if others else first, *cells])
        return Table(lines, right=len(self.measures))

    @cached_property
    def alike(self) -> Mapping[tuple[str, ...], list[str]]:
        """The scorers, with their states, by what the table says of their scores."""
        by_cells: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for scorer, scores in self.scores.items():
            cells = (self._apart(scores.get(name), name) for name in self.measures)
            by_cells[*cells].append(bundles()[scorer].stated)
        return by_cells

    def _apart(self, score: Score | None, name: str) -> str:
        if score is None or score == self.ours[name]:
            return "" if score is None else SAME
        points = score.exact.value - self.ours[name].exact.value
        return f"{'+' if points > 0 else '' if points else '±'}{percent(points)}".replace("-", "−")

    def notes(self, number: str | None = None) -> list[str]:
        """What stands below the table: the sides, reasons, what is not known, strange lines."""
        by_reason: defaultdict[str, defaultdict[str, list[str]]]
        by_reason = defaultdict(lambda: defaultdict(list))
        for scorer, reasons in self.reasons.items():
            for measure, why in reasons.items():
                by_reason[why][scorer].append(measure)
        found = [f"points above or below ours; {SAME} as ours; blank: it has no such measure"]
        for cells, (first, *others) in self.alike.items():
            if not {*cells} - {SAME, ""}:
                told = "as ours" if SAME in cells else "without these measures"
                found.append(f"{told}: {', '.join([first, *others])}")
            elif others:
                found.append(f"as {first}: {', '.join(others)}")
        found.append(f"ours: {self.ours.short_signature}")
        found += self.facts
        for why, of in by_reason.items():
            by_measures: defaultdict[str, list[str]] = defaultdict(list)
            for scorer, measures in of.items():
                by_measures[", ".join(measures)].append(scorer)
            each = (f"{', '.join(names)} ({of_names})" for of_names, names in by_measures.items())
            found.append(f"{why}: {'; '.join(each)}")
        found += (f"no score: {scorer}: {why}" for scorer, why in self.failures.items())
        found += self._not_known()
        found += map(str, self.strange[:SHOWN])
        if len(self.strange) > SHOWN:
            found.append(f"and {len(self.strange) - SHOWN} more like these")
        if number is not None:
            found += self._printed(number)
        return found

    def _not_known(self) -> Iterator[str]:
        """The scorers that may read the files otherwise, those of one reason together."""
        by_reason = defaultdict(list)
        for scorer, why in self.unknown.items():
            by_reason[why].append(scorer)
        for why, scorers in by_reason.items():
            yield f"not known: {', '.join(scorers)}: {why}"

    def _printed(self, number: str) -> Iterator[str]:
        hits = self.hits(number)
        alike: dict[str, list[str]] = {}
        for scorer, measure, part, value, how in hits:
            alike.setdefault(f"{measure} {part} {percent(value)}, {how}", []).append(scorer)
        for score, scorers in alike.items():
            yield f"{number} is {score}: {', '.join(scorers)}"
        if not hits:
            told = ", as far as they are known" if self.unknown else ""
            yield f"{number} is no scorer's score{told}; nearest:"
            for hit in self.nearest(number):
                yield f"  {hit.scorer} {hit.measure} {hit.part} {percent(hit.value)}"

    def hits(self, number: str) -> list[Hit]:
        """Find a printed number; return the scores printed so: in percent or of 1, rounded or cut.

        Raises `CorefError` for what is no number.
        """
        wanted = Printed.of(number)
        found = [
            (hit if how == "rounded" else hit._replace(how=how), exact)
            for hit, exact in self._printed_values()
            for how in wanted.how(hit.value)
        ]
        # Who cuts decimals off prints the number; others with the same score only would.
        is_cut = {(hit.measure, hit.part, exact) for hit, exact in found if hit.value != exact}
        return [
            hit
            for hit, exact in found
            if hit.value != exact
            or hit.how == "rounded"
            or (hit.measure, hit.part, exact) not in is_cut
        ]

    def truncations(self, number: str) -> list[Hit]:
        """Return what scorers print in place of ``number`` because they cut the decimals off.

        By their rules the score rounds to ``number``; they do not round.
        """
        wanted = Printed.of(number)
        return [
            hit
            for hit, exact in self._printed_values()
            if wanted.how(exact) and not wanted.how(hit.value)
        ]

    def nearest(self, number: str, many: int = 3) -> list[Hit]:
        """Return the scores nearest to ``number``, one of each value."""
        wanted = Printed.of(number)
        near = {percent(hit.value): hit for hit in self._values()}.values()
        return sorted(near, key=lambda hit: wanted.distance(hit.value))[:many]

    def _values(self) -> Iterator[Hit]:
        return (hit for hit, _ in self._printed_values())

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

    def to_dict(self, number: str | None = None) -> dict[str, Any]:
        """The explanation for JSON: scores as floats, and who prints ``number``."""
        hits = [] if number is None else self.hits(number)
        near = [] if number is None or hits else self.nearest(number)
        cut = [] if number is None else self.truncations(number)
        return {
            "ours": {name: _floats(self.ours[name]) for name in self.measures},
            "refused": _refused(self.ours),
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
            "faults": [each._asdict() | {"scorers": _hit(each)} for each in self.strange],
            "hits": [hit._asdict() for hit in hits],
            "truncations": [hit._asdict() for hit in cut],
            "near": [hit._asdict() for hit in near],
        }

    def __repr__(self) -> str:
        return "\n".join([self.table().text(), "", *self.notes()])

    def _repr_html_(self) -> str:
        return self.table().html("; ".join(self.notes()))

    def to_markdown(self, **options: Any) -> str:
        """The table in Markdown, and the notes."""
        return "\n".join(
            [self.table().markdown(), "", *(f"- {in_markdown(n)}" for n in self.notes())]
        )


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
    >>> found = explain(key, key, "ceafe", scorer="e2e")
    >>> found.reasons["e2e"]
    {'ceafe': "leaves out the response's 1 singleton"}
    >>> found.hits("66,67 %")
    [Hit(scorer='e2e', measure='ceafe', part='f1', value=Fraction(2, 3), how='rounded')]
    """
    response, metrics = measures_beside(key, response, metrics, "standard")
    names = names_of(metrics)
    every = list(dict.fromkeys(each for name in names for each in (*find(name).parts, name)))
    for name in of_files:
        if name not in OF_FILES:
            raise CorefError(f"{name!r} cannot be chosen here; expected {' or '.join(OF_FILES)}")
    given = Given(key, response)
    try:
        ours = _ours(given, every, of_files)
    except CorefError:
        ours = _ours(given, every, FOR_REFUSED | of_files)
    scores = _Scores(given, of_files)
    reasons = _Reasons(scores, ours)
    found = Explanation(ours, names, {}, {}, {}, {}, [*strange_in(given)], scores.facts())
    asked = [scorer] if isinstance(scorer, str) else list(scorer)
    for bundle in [find_known(name) for name in asked] or bundles().values():
        if bundle.measures:
            _explain_one(bundle if given.matches else bundle.without_nodes(), found, reasons)
        elif asked:
            found.unknown[bundle.name] = bundle.not_reproduced
    return found


def _explain_one(bundle: Bundle, found: Explanation, reasons: _Reasons) -> None:
    """Add a scorer's scores and reasons, or why there are none."""
    scores = reasons.scores
    try:
        scores.documents(bundle)
        total = {
            name: scores.score(bundle, scores.metric(bundle, name))
            for name in found.measures
            if bundle.computes(name)
        }
    except NoScore as error:
        found.failures[bundle.name] = _without_remedy(error)
    except CorefError as error:
        found.unknown[bundle.name] = _without_remedy(error)
    else:
        differ = [name for name, score in total.items() if score != found.ours[name]]
        found.strange.extend(each for each in scores.zeros(bundle) if each not in found.strange)
        found.scores[bundle.name] = total
        found.reasons[bundle.name] = {name: reasons.of(bundle, name) for name in differ}


def _without_remedy(error: CorefError) -> str:
    """A message without what a user might do, which stands after its last semicolon."""
    return re.sub(r"; [^;']*$", "", str(error))


def _refused(ours: Report) -> bool:
    """Whether the defaults refuse what was given."""
    return ours.conventions.repeated == FOR_REFUSED["repeated"]


def _ours(given: Given, metrics: Sequence[str], chosen: Mapping[str, str]) -> Report:
    """Our report; that the sides share nothing is no warning here, where it is explained."""
    asked = Request.of(metrics, None, chosen, given.matches)
    documents = given.documents(asked.choice)
    apart_in(documents).warn_of_few(given.remedy)
    return report_on(documents, asked, tables_by(documents, asked.choices))


class _Scores:
    """Scores of what was given, by any choices."""

    def __init__(self, given: Given, of_files: Mapping[str, str]) -> None:
        self.given, self.of_files = given, of_files
        self.sides: tuple[Corpus, Corpus] = ({}, {})
        if given.table is None:
            self.sides = given.read(Conventions(repeated="each", **of_files))
        key, response = self.sides
        self.has_extra = bool(response.keys() - key.keys())
        self.has_same_documents = key.keys() == response.keys()
        self.repeats = given.matches or any(
            repeated(mentions_of(side, name)) for side in self.sides for name in side
        )
        self._documents: dict[Hashable, tuple[Hashable, Documents]] = {}
        self._same: dict[Hashable, Documents] = {}
        self._tables: dict[Hashable, Mapping[Hashable, Tables]] = {}
        self._united: dict[int, Mapping[Hashable, Tables]] = {}
        self._scores: dict[Hashable, Score] = {}

    def facts(self) -> list[str]:
        """What each side has, in words: documents, mentions, repeats, singletons."""
        return list(of_sides(self.sides)) if self.given.table is None else []

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
        return [each for each in zeros_in(self.given, self._choice(bundle)) if each.hits(bundle)]

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
            made = self.given.documents(choice, bundle)
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


class _Reasons:
    """Why scores are not ours: of a scorer's choices those that, taken back, make another."""

    def __init__(self, scores: _Scores, ours: Report) -> None:
        self.scores, self.ours = scores, ours
        self.usual = {**FIRST_CHOICES, "documents": "", "extra": "", "formula": ""}
        self.usual |= scores.of_files
        if _refused(ours):
            self.usual |= FOR_REFUSED

    def of(self, bundle: Bundle, name: str) -> str:
        """Why a scorer's score of a measure is not ours."""
        if parts := find(name).parts:
            of_parts: defaultdict[str, list[str]] = defaultdict(list)
            for part in parts:
                if self._score(bundle, part) != self.ours[part]:
                    of_parts[self.of(bundle, part)].append(part)
            return "; ".join(f"{', '.join(each)}: {why}" for why, each in of_parts.items())
        theirs = self._score(bundle, name)
        needed, rest = [], bundle
        # What is not needed for the scorer's score is no reason.
        for what in self._others(bundle, name):
            less = _without(rest, what, self.usual[what])
            if self._is_score(less, name, theirs):
                rest = less
            else:
                needed.append(what)
        return "; ".join(str(self._change(rest, name, what)) for what in needed)

    def _score(self, bundle: Bundle, name: str) -> Score:
        return self.scores.score(bundle, self.scores.metric(bundle, name))

    def _is_score(self, bundle: Bundle, name: str, wanted: Score) -> bool:
        try:
            return self._score(bundle, name) == wanted
        except CorefError:  # some choices do not go together
            return False

    def _others(self, bundle: Bundle, name: str) -> dict[str, str]:
        """A scorer's choices that are not ours."""
        chosen = {**bundle.conventions, **bundle.measures[name]}
        chosen |= {what: getattr(bundle, what) for what in ("documents", "extra")}
        found = {what: chosen[what] for what in SAYS if what in chosen}
        return {what: how for what, how in found.items() if how != self.usual[what]}

    def _change(self, bundle: Bundle, name: str, what: str) -> Change:
        theirs = self._tables(bundle, name)
        try:
            ours = self._tables(_without(bundle, what, self.usual[what]), name)
        except CorefError:  # there is no score by our choice
            ours = theirs
        choice = self._others(bundle, name)[what]
        return Change(what, choice, ours, theirs, self.scores.sides)

    def _tables(self, bundle: Bundle, name: str) -> Mapping[Hashable, Tables]:
        return self.scores.tables(bundle, self.scores.metric(bundle, name).conventions)


def _without(bundle: Bundle, what: str, ours: str) -> Bundle:
    """The scorer with our choice in place of its own."""
    if what == "documents":
        return bundle._replace(documents="")
    if what == "extra":
        return bundle._replace(extra="")
    measures = {
        name: {**of, what: ours or name} if what in of else of
        for name, of in bundle.measures.items()
    }
    if what in FIRST_CHOICES:
        bundle = bundle._replace(conventions={**bundle.conventions, what: ours})
    return bundle._replace(measures=measures)
