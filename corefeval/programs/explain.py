"""Why programs print different numbers for the same files: every program's scores, and reasons.

Where a program's score is not ours, its choices (see `corefeval.programs.bundles`) are made in
place of ours, as few as give its score; the reason says what these few meet in the files, with
counts (see `corefeval.programs.facts`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, NamedTuple

from corefeval.contingency import Contingency, Tables
from corefeval.conventions import OF_FILES, Conventions
from corefeval.corpus import evaluate, is_table
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.programs.bundles import Bundle, NoScore, bundles, find_known, formula
from corefeval.programs.facts import FIELDS, OURS, OURS_FOR_REFUSED, Change, settled
from corefeval.programs.faults import REFUSED, Fault, found_in
from corefeval.programs.inputs import CountedTables, Files, Inputs, Way
from corefeval.programs.printed import Printed
from corefeval.registry import find, names_of
from corefeval.report import Report
from corefeval.score import Score, mean_f1
from corefeval.scoring import Metric

PERL = ("conll/reference-coreference-scorers", "ns-moosavi/LEA-coreference-scorer")
"""These cut a percentage off after two decimals."""
OF_TABLES = ("missing", "repeated", "singletons", "twinless", "match")
"""The conventions, besides `FIELDS`, that make other tables."""


class Hit(NamedTuple):
    """A number that a program prints; ``how`` is "rounded" or "cut off"."""

    program: str
    measure: str
    part: str
    value: Fraction
    how: str


class Near(NamedTuple):
    """A number that some programs print by one rule."""

    programs: list[str]
    measure: str
    part: str
    value: Fraction
    rule: str


class Explanation(NamedTuple):
    """What `explain` finds."""

    ours: dict[str, Score]
    """Our scores: by the defaults or, for files that these refuse, by `OURS_FOR_REFUSED`."""
    refused: bool
    faults: list[Fault]
    scores: dict[str, dict[str, Score]]
    """The scores of each program by measure."""
    reasons: dict[str, dict[str, str]]
    """Why scores are not ours, by program and measure."""
    unable: dict[str, str]
    """Why a program prints no score for these files."""
    unreproduced: dict[str, str]
    """Why we do not know the score that a program prints for these files."""

    def printed(self, number: str) -> list[Hit]:
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

    def cut_off(self, number: str) -> list[Hit]:
        """What programs print in place of ``number`` because they cut the decimals off.

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
            rule = self.reasons.get(hit.program, {}).get(hit.measure, "as ours")
            shown = percent(hit.value)
            if shown not in found and len(found) == many:
                break
            near = found.setdefault(shown, Near([], hit.measure, hit.part, hit.value, rule))
            if near[1:] == (hit.measure, hit.part, hit.value, rule):
                near.programs.append(hit.program)
        return list(found.values())

    def _values(self) -> Iterator[tuple[Hit, Fraction]]:
        """What every program prints, and what it would if it did not cut decimals off."""
        for program, scores in {"ours": self.ours, **self.scores}.items():
            cuts = program in bundles() and bundles()[program].program in PERL
            for name, score in scores.items():
                for part, value in score.parts.items():
                    exact = printed = Fraction(value)
                    if cuts:
                        printed = Fraction(int(exact * 10000), 10000)
                    how = "rounded" if percent(printed) == percent(exact) else "cut off"
                    yield Hit(program, name, part, printed, how), exact


def explain(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = "standard",
    *,
    program: str | Iterable[str] = (),
    **of_files: str,
) -> Explanation:
    """See `corefeval.explain`."""
    names = names_of(metrics)
    for name in of_files:
        if name not in OF_FILES:
            raise CorefError(f"{name!r} cannot be chosen here; expected {' or '.join(OF_FILES)}")
    inputs = _inputs(key, response, of_files)
    faults = found_in(inputs)
    refused = any(fault.kind in REFUSED for fault in faults)
    scores = _Scores(inputs, faults)
    chosen = {**OURS, **of_files, **(OURS_FOR_REFUSED if refused else {})}
    base = _Base(scores, settled(inputs, chosen), names)
    found = Explanation(base.total, refused, faults, {}, {}, {}, {})
    for bundle in _asked(program):
        if program and not bundle.measures:
            found.unreproduced[bundle.name] = bundle.not_reproduced
            continue
        try:
            theirs = base.scores_of(bundle)
        except NoScore as error:
            found.unable[bundle.name] = _without_remedy(error)
        except CorefError as error:
            found.unreproduced[bundle.name] = _without_remedy(error)
        else:
            found.scores[bundle.name] = theirs.total
            found.reasons[bundle.name] = theirs.reasons
    return found


def _inputs(key: Any, response: Any, of_files: Mapping[str, str]) -> Inputs:
    """The inputs that a key and a response are: paths, mappings, or a table in the key's place."""
    if is_table(key):
        (tables,) = evaluate(key, response, []).tables.values()
        return CountedTables({name: of_choices.recall for name, of_choices in tables.items()})
    if isinstance(key, Contingency):
        return CountedTables(getattr(key, "by_document", {None: key}))
    if isinstance(key, Mapping) and isinstance(response, Mapping):
        return Inputs(key, response)
    return Files(key, response, Conventions(repeated="each", missing="empty", **of_files))


def _asked(program: str | Iterable[str]) -> list[Bundle]:
    names = [program] if isinstance(program, str) else list(program)
    return [find_known(name) for name in names] or list(bundles().values())


def _without_remedy(error: CorefError) -> str:
    """A message without what a user might do, which stands after its last semicolon."""
    return re.sub(r"; [^;']*$", "", str(error))


class _Theirs(NamedTuple):
    """A program's scores, and why they are not ours, by measure."""

    total: dict[str, Score]
    reasons: dict[str, str]


class _Base:
    """Our scores of the measures asked for, with which programs' are compared."""

    def __init__(self, scores: _Scores, way: Way, names: list[str]) -> None:
        self.scores, self.way, self.names = scores, way, names
        self.parts = {part: scores.score(part, way) for name in names for part in _parts(name)}
        self.total = {name: _mean(name, self.parts) for name in names}

    def scores_of(self, bundle: Bundle) -> _Theirs:
        """Raises `NoScore` where the program stops, `CorefError` where we cannot follow it."""
        computed = [name for name in self.names if bundle.computes(name)]
        parts = dict.fromkeys(chain.from_iterable(map(_parts, computed)))
        ways = {part: self.scores.way(bundle, part) for part in parts}
        for way in ways.values():
            bundle.refuse_repeated(bundle.repeated(*self.scores.inputs.sides_of(way)))
        theirs = {part: self.scores.score(part, way) for part, way in ways.items()}
        total = {name: _mean(name, theirs) for name in computed}
        differ = [part for part in parts if theirs[part] != self.parts[part]]
        why = {part: self.scores.reason(part, ways[part], self.way) for part in differ}
        others = [name for name in computed if total[name] != self.total[name]]
        return _Theirs(total, {name: _reason(name, why) for name in others})


def _parts(name: str) -> tuple[str, ...]:
    """The measures that one is the mean of, or the measure itself."""
    return find(name).parts or (name,)


def _mean(name: str, scores: Mapping[str, Score]) -> Score:
    of = find(name).parts
    return mean_f1([scores[part] for part in of], None) if of else scores[name]


def _reason(name: str, why: Mapping[str, str]) -> str:
    """That of a measure, or of all that one is the mean of."""
    said = [(part, why[part]) for part in find(name).parts if part in why]
    return "; ".join(told(said)) or why[name]


def told(said: Iterable[tuple[str, str]]) -> list[str]:
    """What is said of each, with the names of all of which the same is said.

    >>> told([("muc", "a mean"), ("b3", "no singletons"), ("lea", "a mean")])
    ['muc, lea: a mean', 'b3: no singletons']
    """
    names: dict[str, list[str]] = {}
    for name, what in said:
        names.setdefault(what, []).append(name)
    return [f"{', '.join(each)}: {what}" for what, each in names.items()]


class _Scores:
    """The scores of a key and a response in any way."""

    def __init__(self, inputs: Inputs, faults: list[Fault]) -> None:
        self.inputs, self.faults = inputs, faults
        self._tables: dict[Hashable, Mapping[Hashable, Tables]] = {}
        self._scores: dict[Hashable, Score] = {}

    def way(self, bundle: Bundle, measure: str) -> Way:
        """How a program computes a measure."""
        fields = {field: getattr(bundle, field, "") for field in FIELDS}
        chosen = {**OURS, **fields, **bundle.conventions, **bundle.measures[measure]}
        return settled(self.inputs, chosen)

    def score(self, name: str, way: Way) -> Score:
        """The score of a measure that is no mean of others."""
        tables, formula_of = self.tables(way), way["formula"] or name
        choice = Conventions(average=way["average"], zero=way["zero"])
        key = formula_of, id(tables), choice
        if key not in self._scores:
            report = Report({choice: tables}, [Metric(formula(formula_of), choice)], choice)
            (score,) = report.total.values()
            self._scores[key] = score._replace(counts=None)
        return self._scores[key]

    def tables(self, way: Way) -> Mapping[Hashable, Tables]:
        """The documents' tables, made once."""
        key = tuple(way[name] for name in (*FIELDS, *OF_TABLES) if name != "formula")
        if key not in self._tables:
            self._tables[key] = self.inputs.tables(way)
        return self._tables[key]

    def reason(self, part: str, way: Way, base: Way) -> str:
        """What the fewest choices meet that give the program's score instead of the base's."""
        wanted = self.score(part, way)
        differ = [name for name in OURS if way[name] != base[name]]
        sizes = range(1, len(differ) + 1)
        for chosen in chain.from_iterable(combinations(differ, size) for size in sizes):
            mixed = {**base, **{name: way[name] for name in chosen}}
            try:
                same = self.score(part, mixed) == wanted
            except CorefError:  # choices that do not go together
                continue
            if same:
                changes = [self._change(name, mixed, base) for name in chosen]
                return "; ".join(map(str, changes))
        raise AssertionError("all choices together are the program's")

    def _change(self, name: str, way: Way, base: Way) -> Change:
        without = {**way, name: base[name]}
        return Change(name, way, without, self.inputs, self.faults, self.tables)
