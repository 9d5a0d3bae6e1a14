"""Why scorers print different numbers for the same files: every scorer's scores, and reasons.

Where a scorer's score is not ours, its choices (see `corefeval.scorers.bundles`) are made in
place of ours, as few as give its score; the reason says what these few meet in the files, with
counts (see `corefeval.analysis.facts`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from itertools import chain, combinations
from typing import Any

from corefeval.analysis.explanation import Explanation, told
from corefeval.analysis.facts import FIELDS, OURS, OURS_FOR_REFUSED, Change, effective
from corefeval.contingency import Tables
from corefeval.conventions import DEFAULTS, OF_FILES, Conventions
from corefeval.corpus import measures_beside
from corefeval.errors import CorefError
from corefeval.given import as_given
from corefeval.registry import find, names_of
from corefeval.report import Report
from corefeval.score import Score, mean_f1
from corefeval.scorers.bundles import Bundle, NoScore, bundles, find_known, formula
from corefeval.scorers.faults import REFUSED, Fault, found_in, read_otherwise, rules_met
from corefeval.scorers.inputs import Inputs, Rules
from corefeval.scoring import Metric

OF_TABLES = ("missing", "repeated", "singletons", "twinless", "match", "zero_match")
"""The conventions, besides `FIELDS`, that make other tables."""


def explain(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = "standard",
    *,
    scorer: str | Iterable[str] = (),
    empty_side: bool = False,
    **of_files: str,
) -> Explanation:
    """Score a response as other scorers would, say why the scores differ, and look for faults.

    ``key``, ``response``, ``metrics`` and ``empty_side`` are those of `evaluate`; ``scorer`` is a
    name that ``like`` knows, or several, by default all. Keywords say how files are read:
    ``match``, ``offsets`` and ``pairs``.

    The result has our scores (``ours``), every scorer's (``scores``) with ``reasons`` where they
    differ, ``failures`` of scorers that print none, those ``unknown`` to us, and ``faults`` of the
    files; ``hits(number)`` says who prints a number. Raises `CorefError` for files that cannot be
    read, unknown names, and inputs that `evaluate` does not take; repeated mentions, lacking
    documents and other tokens are faults.

    >>> key = {"d": "{Ann she} {cat}"}
    >>> found = explain(key, key, "ceafe", scorer="e2e")
    >>> found.reasons["e2e"]
    {'ceafe': "leaves out the response's 1 singleton"}
    >>> found.hits("66,67 %")[0] == found.hits("66.67")[0]
    True
    >>> found.hits("66.67")[0]
    Hit(scorer='e2e', measure='ceafe', part='f1', value=Fraction(2, 3), how='rounded')
    """
    response, metrics = measures_beside(key, response, metrics)
    names = names_of(metrics)
    for name in of_files:
        if name not in OF_FILES:
            raise CorefError(f"{name!r} cannot be chosen here; expected {' or '.join(OF_FILES)}")
    # The loosest choices: each scorer refuses or drops by its own rules later.
    choice = Conventions(repeated="each", missing="empty", **of_files)
    inputs = as_given(key, response, empty_side).inputs(choice)
    faults = found_in(inputs)
    refused = any(fault.kind in REFUSED for fault in faults)
    scores = _Scores(inputs, faults)
    chosen = {**OURS, **of_files, **(OURS_FOR_REFUSED if refused else {})}
    base = _Base(scores, effective(inputs, chosen), names)
    found = Explanation(base.total, refused, faults, {}, {}, {}, {})
    for bundle in _scorers_asked(scorer):
        if scorer and not bundle.measures:
            found.unknown[bundle.name] = bundle.not_reproduced
            continue
        try:
            total, reasons = base.scores_of(bundle)
        except NoScore as error:
            found.failures[bundle.name] = _without_remedy(error)
        except CorefError as error:
            found.unknown[bundle.name] = _without_remedy(error)
        else:
            found.scores[bundle.name], found.reasons[bundle.name] = total, reasons
    return found


def _scorers_asked(scorer: str | Iterable[str]) -> list[Bundle]:
    names = [scorer] if isinstance(scorer, str) else list(scorer)
    return [find_known(name) for name in names] or list(bundles().values())


def _without_remedy(error: CorefError) -> str:
    """A message without what a user might do, which stands after its last semicolon."""
    return re.sub(r"; [^;']*$", "", str(error))


class _Base:
    """Our scores of the measures asked for, with which scorers' are compared."""

    def __init__(self, scores: _Scores, rules: Rules, names: list[str]) -> None:
        self.scores, self.rules, self.names = scores, rules, names
        self.parts = {part: scores.score(part, rules) for name in names for part in _parts(name)}
        self.total = {name: _mean(name, self.parts) for name in names}

    def scores_of(self, bundle: Bundle) -> tuple[dict[str, Score], dict[str, str]]:
        """A scorer's scores by measure, and why they are not ours.

        Raises `NoScore` where the scorer stops, `CorefError` where we cannot follow it.
        """
        if lines := read_otherwise(bundle, self.scores.inputs, self.scores.faults):
            # What each line is stands with the faults.
            more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
            where = f"{lines[0].file}, line {lines[0].line}{more}"
            raise CorefError(f"{rules_met(bundle, lines)}: {where}")
        computed = [name for name in self.names if bundle.computes(name)]
        parts = dict.fromkeys(chain.from_iterable(map(_parts, computed)))
        rules_of = {part: self.scores.rules(bundle, part) for part in parts}
        for rules in rules_of.values():
            bundle.refuse_repeated(bundle.repeated(*self.scores.inputs.sides_of(rules)))
        theirs = {part: self.scores.score(part, rules) for part, rules in rules_of.items()}
        total = {name: _mean(name, theirs) for name in computed}
        differ = [part for part in parts if theirs[part] != self.parts[part]]
        why = {part: self.scores.reason(part, rules_of[part], self.rules) for part in differ}
        others = [name for name in computed if total[name] != self.total[name]]
        return total, {name: _reason(name, why) for name in others}


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


class _Scores:
    """The scores of a key and a response in any way."""

    def __init__(self, inputs: Inputs, faults: list[Fault]) -> None:
        self.inputs, self.faults = inputs, faults
        self._tables: dict[Hashable, Mapping[Hashable, Tables]] = {}
        self._scores: dict[Hashable, Score] = {}

    def rules(self, bundle: Bundle, measure: str) -> Rules:
        """How a scorer computes a measure."""
        fields = {field: getattr(bundle, field, "") for field in FIELDS}
        chosen = {**OURS, **fields, **bundle.conventions, **bundle.measures[measure]}
        return effective(self.inputs, chosen)

    def score(self, name: str, rules: Rules) -> Score:
        """The score of a measure that is no mean of others."""
        tables, formula_of = self.tables(rules), rules["formula"] or name
        choice = DEFAULTS.but(average=rules["average"], zero=rules["zero"])
        # The tables live as long as this object, so their id stands for them and is quickly hashed.
        key = formula_of, id(tables), choice
        if key not in self._scores:
            report = Report({choice: tables}, [Metric(formula(formula_of), choice)], choice)
            # The report has one measure.
            (score,) = report.total.values()
            self._scores[key] = score
        return self._scores[key]

    def tables(self, rules: Rules) -> Mapping[Hashable, Tables]:
        """The documents' tables, made once."""
        key = tuple(rules[name] for name in (*FIELDS, *OF_TABLES) if name != "formula")
        if key not in self._tables:
            self._tables[key] = self.inputs.tables(rules)
        return self._tables[key]

    def reason(self, part: str, rules: Rules, base: Rules) -> str:
        """What the fewest choices meet that give the scorer's score instead of the base's."""
        wanted = self.score(part, rules)
        differ = [name for name in OURS if rules[name] != base[name]]
        sizes = range(1, len(differ) + 1)
        # The fewest choices first: what is not needed for the scorer's score is no reason.
        for chosen in chain.from_iterable(combinations(differ, size) for size in sizes):
            mixed = {**base, **{name: rules[name] for name in chosen}}
            try:
                same = self.score(part, mixed) == wanted
            # Some choices do not go together, and such a mixture has no score.
            except CorefError:
                continue
            if same:
                changes = [self._change(name, mixed, base) for name in chosen]
                return "; ".join(map(str, changes))
        raise AssertionError("all choices together are the scorer's")

    def _change(self, name: str, rules: Rules, base: Rules) -> Change:
        without = {**rules, name: base[name]}
        return Change(name, rules, without, self.inputs, self.tables)
