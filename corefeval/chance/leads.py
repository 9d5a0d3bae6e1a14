"""Whether another scorer would name another winner: who is ahead by every scorer's rules, and why.

Scorers that print the same scores for all responses are one rule, however many they are: most are
copies of another. How many rules there are is a matter of the files, too, since two scorers may
differ over something that these lack.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, groupby
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.analysis.explain import Answers, Reasons, WithNotes, no_scores, refused
from corefeval.analysis.facts import in_words, rule_of
from corefeval.display import Row, Table, listed, percent, probability
from corefeval.errors import CorefError, expect
from corefeval.registry import MEASURES
from corefeval.scorers.bundles import bundles
from corefeval.scorers.reading import Strange

if TYPE_CHECKING:
    from corefeval.chance.results import Comparison, Difference

OURS = "ours"
ONE_RULE = "the one rule that all known scorers share"
MAY_BE_CHANCE = 0.05
OF_THE_RESPONSE = " and leaves the response's singletons"
ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
Order = tuple[tuple[int, ...], ...]
"""The places of responses, the best first; those of equal ones are together."""


class Rule(NamedTuple):
    """All scorers that print the same scores of a measure for every response.

    ``scorers`` begin with `OURS`, then the best known; ``scores`` has one for each response;
    ``reason`` says what makes them others than ours.
    """

    scorers: Sequence[str]
    scores: tuple[Any, ...]
    reason: str

    @property
    def order(self) -> Order:
        """The responses by their scores."""
        places = sorted(range(len(self.scores)), key=lambda place: -self.scores[place])
        equal = groupby(places, lambda place: self.scores[place])
        return tuple(tuple(tied) for _, tied in equal)

    @property
    def lead(self) -> Any:
        """How far the two responses are apart."""
        return abs(self.scores[1] - self.scores[0])

    @property
    def named(self) -> str:
        """The first scorer, behind ours where it has the same scores, and how many more."""
        first = 2 if self.scorers[0] == OURS else 1
        more = len(self.scorers) - first
        return ", ".join(self.scorers[:first]) + (f" +{more}" if more > 0 else "")


@dataclass(frozen=True, repr=False)
class Leads(WithNotes):
    """Who is ahead by every scorer's rules; what `corefeval.leads` returns."""

    systems: Sequence[str]
    """The names of the responses, in the order given."""
    rules: Mapping[str, Sequence[Rule]]
    """By measure: ours first, then those of the same order."""
    signature: str
    """That of our scores and, where there is a p-value, of its draws."""
    failures: Mapping[str, str]
    """By scorer: why it prints no score for one of the responses."""
    unknown: Mapping[str, str]
    """By scorer: why we do not know the score that it prints for one of them."""
    strange: Sequence[Strange]
    """What some scorers read by rules of their own."""
    comparison: Comparison | None
    """How the responses differ by our rule, and what chance may do to it."""
    no_p: str
    """Why there is no such comparison, if there is none."""

    @property
    def labels(self) -> Sequence[str]:
        """What the table calls the responses, as that of `corefeval.compare` does."""
        if len(self.systems) == 2:
            return "A", "B"
        return [str(place + 1) for place in range(len(self.systems))]

    def rows(self) -> Iterator[Row]:
        """A row for each measure, scorer and response; scores are fractions."""
        for measure, rules in self.rules.items():
            for number, rule in enumerate(rules, 1):
                for scorer in rule.scorers:
                    for system, score in zip(self.systems, rule.scores, strict=True):
                        row = {"measure": measure, "rule": number, "scorer": scorer}
                        yield row | {"system": system, "score": score, "reason": rule.reason}

    # The table

    def table(self) -> Table:
        """By measure a row for each rule: of two responses who is ahead, of more their order."""
        two = len(self.systems) == 2
        columns = ["ahead", "by", *self.labels] if two else ["order", "turned"]
        lines = [["measure", *columns, "p" if two else f"p ≥ {MAY_BE_CHANCE}", "rule"]]
        marks = {reason: f" [{number}]" for number, reason in enumerate(self._reasons(), 1)}
        for measure, (ours, *others) in self.rules.items():
            lines.append([measure, *self._order(ours, ours), self._chance(measure), ours.named])
            for rule in others:
                name = f"{rule.named}{marks[rule.reason]}"
                lines.append(["", *self._order(rule, ours), "", name])
        if not self.comparison:
            lines = [[*line[:-2], line[-1]] for line in lines]
        table = Table(lines)
        for column in range(2, len(lines[0]) - 1):
            table.numbers[column] = two
        return table

    def _order(self, rule: Rule, ours: Rule) -> list[str]:
        """Who is ahead, by how much, and both scores; of more, the order and the pairs turned."""
        if len(self.systems) == 2:
            ahead = " = ".join(self.labels[place] for place in rule.order[0])
            return [ahead, percent(rule.lead), *map(percent, rule.scores)]
        turned = [
            f"{self.labels[a]}-{self.labels[b]}"
            for a, b in combinations(range(len(self.labels)), 2)
            if (ours.scores[a] - ours.scores[b]) * (rule.scores[a] - rule.scores[b]) < 0
        ]
        return [_ranked(self.labels, rule.order), " ".join(turned)]

    def _chance(self, measure: str) -> str:
        """Of two responses p; of more the pairs whose lead chance could make."""
        pairs = self._pairs(measure)
        if len(pairs) == 1:
            return probability(pairs[0].p, pairs[0].at_floor)
        label_of = dict(zip(self.systems, self.labels, strict=True))
        pairs = [pair for pair in pairs if may_be_chance(pair)]
        return " ".join(f"{label_of[pair.a]}-{label_of[pair.b]}" for pair in pairs)

    def _pairs(self, measure: str) -> Sequence[Difference]:
        """How each two responses differ by our rule, if it is known."""
        return self.comparison.pairs[measure] if self.comparison else []

    def _reasons(self) -> list[str]:
        """The rules' reasons, each once."""
        every = (rule.reason for rules in self.rules.values() for rule in rules)
        return [reason for reason in dict.fromkeys(every) if reason]

    def notes(self) -> list[str]:
        """What stands below the table: names, reasons, who prints no score, and why no p."""
        names = zip(self.labels, self.systems, strict=True)
        legend = [f"{label}: {system}" for label, system in names if label != system]
        notes = [", ".join(legend)] if legend else []
        if len(self.systems) > 2:
            notes.append("turned: the pairs in another order than by our rule")
            if self.comparison:
                notes.append(f"p ≥ {MAY_BE_CHANCE}: the pairs whose lead chance could make")
        notes += (f"[{number}] {reason}" for number, reason in enumerate(self._reasons(), 1))
        notes.append("with ours: all others that have the measure")
        every = (rule for rules in self.rules.values() for rule in rules)
        others = {rule.named: rule.scorers[1:] for rule in every if rule.scorers[0] != OURS}
        notes += (f"{named}: {', '.join(scorers)}" for named, scorers in others.items() if scorers)
        notes += no_scores(self.failures, self.unknown, self.strange)
        notes += [f"no p: {self.no_p}"] if self.no_p else []
        return [*notes, f"ours: {self.short_signature}"]

    @property
    def summary(self) -> str:  # type: ignore[override]
        return self.sentence()

    def sentence(self, measure: str = "") -> str:
        """Write what a paper may say: who is ahead under how many rules, and which turn it.

        By default it is of CoNLL, or of the last measure.
        """
        if not measure:
            measure = "conll" if "conll" in self.rules else [*self.rules][-1]
        rules = self.rules[measure]
        orders = {order: list(same) for order, same in groupby(rules, lambda rule: rule.order)}
        (first, same), *others = orders.items()
        known = "known rules" if self.unknown else "rules"
        under = f"{in_words(len(same))} of {in_words(len(rules))} {known}"
        if not others:
            every = "both" if len(rules) == 2 else f"all {in_words(len(rules))}"
            under = f"{every} {known}" if len(rules) > 1 else ONE_RULE
        title = MEASURES[measure].title.removesuffix(" score")
        clauses = [f"{self._ranking(first, same, title)} under {under}"]
        for order, turned in others:
            # "the fourth" of four, or "the other two"; "one" where rules turn to several orders.
            under = in_words(len(turned))
            if len(others) == 1:
                is_last = len(turned) == 1 and len(rules) - 2 < len(ORDINALS)
                under = f"the {ORDINALS[len(rules) - 2]}" if is_last else f"the other {under}"
            named = [f"{bundles()[rule.scorers[0]].whose}, which {rule.reason}" for rule in turned]
            clauses.append(f"{self._ranking(order, turned)} under {under}, {_in_a_row(named)}")
        return f"{'; '.join(clauses)}.{self._by_chance(measure)}"

    def _ranking(self, order: Order, rules: Sequence[Rule], title: str = "") -> str:
        """The responses' order, of two with the lead; the first time by which measure."""
        if len(order) == 1:
            return f"{listed(self.systems)} are equal" + f" by {title}" * bool(title)
        if len(self.systems) > 2:
            begin = f"By {title} the order is" if title else "it is"
            return f"{begin} {_ranked(self.systems, order)}"
        names = [self.systems[place] for (place,) in order]
        if not title:
            return f"{names[0]} is ahead by {_span(rules)}"
        return f"{names[0]} is ahead of {names[1]} by {_span(rules)} {title} points"

    def _by_chance(self, measure: str) -> str:
        """A sentence on leads that chance could make; or of two responses on p."""
        every = self._pairs(measure)
        pairs = [pair for pair in every if may_be_chance(pair)]
        if not pairs and len(every) == 1 and every[0].exact:
            p = probability(every[0].p, every[0].at_floor)
            return f" By our rule p {p if every[0].at_floor else f'= {p}'}."
        if not pairs:
            return ""
        names = [f"{pair.a} and {pair.b} (p = {probability(pair.p_holm)})" for pair in pairs]
        leads = f"the lead{'s' * (len(pairs) > 1)} between {listed(names)}"
        return f" By our rule chance could make {leads}, and it takes no other scorer to turn it."

    # Other forms

    def to_dict(self) -> dict[str, Any]:
        """The rules for JSON: scores as floats, by measure, with p and the sentence."""
        return {
            "signature": self.signature,
            "systems": list(self.systems),
            "rules": {
                measure: [
                    {
                        **rule._asdict(),
                        "order": [[self.systems[n] for n in tied] for tied in rule.order],
                    }
                    for rule in rules
                ]
                for measure, rules in self.rules.items()
            },
            "p": {name: [pair._asdict() for pair in self._pairs(name)] for name in self.rules},
            "no_p": self.no_p or None,
            "failures": dict(self.failures),
            "unknown": dict(self.unknown),
            "sentences": {measure: self.sentence(measure) for measure in self.rules},
        }


def _in_a_row(clauses: Sequence[str]) -> str:
    """Clauses with a comma before the last "and", since each may have an "and" of its own."""
    return ", ".join([*clauses[:-2], ", and ".join(clauses[-2:])])


def _ranked(names: Sequence[str], order: Order) -> str:
    return " > ".join(" = ".join(names[place] for place in equal) for equal in order)


def _span(rules: Sequence[Rule]) -> str:
    """From the least lead to the largest, in points; what two decimals do not show is no tie."""
    leads = [rule.lead for rule in rules]
    ends = [percent(min(leads)), percent(max(leads))]
    shown = ["less than 0.01" if points == "0.00" else points for points in ends]
    return " to ".join(dict.fromkeys(shown))


def may_be_chance(pair: Difference) -> bool:
    """Whether responses that are as good could be as far apart."""
    return bool(pair.exact) and pair.p_holm >= MAY_BE_CHANCE


# What is asked


def leads(
    key: Any,
    responses: Mapping[str, Any],
    metrics: Any = "standard",
    *,
    resamples: int | None = None,
    seed: int = 0,
    **of_files: str,
) -> Leads:
    """Ask every scorer which of several responses is ahead; return the rules that give other leads.

    ``responses`` are two or more by their names, or tables of both sides (`from_labels`), beside
    which ``key`` is None. A rule is all scorers that print the same scores of a measure for each
    response; one that lacks the measure is in none, nor one of which `explain` knows no score for
    a response. Our own rule has the p-values of `compare_systems`, whose ``resamples`` and
    ``seed`` these are; a single document has none. The other arguments are those of `explain`.
    Raises `CorefError` as `explain` does, for fewer than two responses, and for responses whose
    keys or documents differ.

    >>> key = {"d": "{Ann she} {cat} {dog} {owl}"}
    >>> a, b = {"d": "{Ann} {she} {cat} {dog} {owl}"}, {"d": "{Ann she cat dog owl}"}
    >>> print(leads(key, {"A": a, "B": b}, "b3").summary)
    A is ahead of B by 45.14 B³ points under one of two rules; B is ahead by 27.59 under the \
second, corefud-scorer's default, which leaves singletons out.
    """
    expect(Mapping, "a mapping from names to responses", responses)
    if len(responses) < 2:
        raise CorefError(f"expected two responses or more, got {len(responses)}")
    asked = {}
    for name, response in responses.items():
        both, alone = (response, None) if key is None else (key, response)
        try:
            asked[name] = Answers(both, alone, metrics, (), of_files)
        except CorefError as error:
            if isinstance(response, (str, PathLike)) and str(response) in str(error):
                raise
            raise CorefError(f"{name}: {error}") from None
    # What is chosen where the defaults refuse one response is chosen for all.
    if any(refused(answers.ours) for answers in asked.values()):
        for answers in asked.values():
            answers.ours = answers.by_other_defaults()
    first = next(iter(asked.values()))
    for name, answers in asked.items():
        if documents := first.ours.with_other_keys(answers.ours):
            message = f"document {documents[0]!r} is not in all responses, with the same key"
            raise CorefError(f"{name}: {message}")
    comparison, no_p = _compared(asked, resamples, seed)
    signature = comparison.signature if comparison else first.ours.signature
    reasons = Reasons([*asked.values()])
    rules = {measure: _rules(measure, reasons) for measure in first.measures}
    failures = ChainMap(*(answers.failures for answers in asked.values()))
    unknown = ChainMap(*(answers.unknown for answers in asked.values()))
    strange = dict.fromkeys(chain.from_iterable(answers.strange for answers in asked.values()))
    silent = failures, unknown, [*strange]
    return Leads([*asked], rules, signature, *silent, comparison, no_p)


def _compared(
    asked: Mapping[str, Answers], resamples: int | None, seed: int
) -> tuple[Comparison | None, str]:
    """How the responses differ by our rule, or why that cannot be said."""
    reports = {name: answers.ours for name, answers in asked.items()}
    if any(len(report) < 2 for report in reports.values()):
        return None, "it comes from swapping documents, and there is one"
    try:
        from corefeval.chance.significance import RESAMPLES, compare_systems
    except ModuleNotFoundError as error:
        return None, f"the swaps take {error.name}, which is not here"
    draws = RESAMPLES if resamples is None else resamples
    return compare_systems(reports, draws, seed=seed), ""


def _rules(measure: str, reasons: Reasons) -> list[Rule]:
    """The rules of a measure: ours first, then those of the same order."""
    scorers: defaultdict[tuple[Any, ...], list[str]] = defaultdict(list)
    ours = [answers.ours[measure] for answers in reasons.asked]
    scorers[*(score.exact.value for score in ours)].append(OURS)
    for scorer in sorted(bundles(), key=lambda name: bundles()[name].rank):
        scores = [answers.scores.get(scorer, {}).get(measure) for answers in reasons.asked]
        if None not in scores:
            scorers[*(score.exact.value for score in scores if score is not None)].append(scorer)
    rules = [Rule(by, scores, _reason(measure, by[0], reasons)) for scores, by in scorers.items()]
    return sorted(rules, key=lambda rule: (rule.order != rules[0].order, rule.order))


def _reason(measure: str, scorer: str, reasons: Reasons) -> str:
    """Why a scorer's scores are not ours; of a mean, parts are named where they differ."""
    if scorer == OURS:
        return ""
    parts_of: defaultdict[str, list[str]] = defaultdict(list)
    parts = reasons.needed(scorer, measure)
    for part, needed in parts.items():
        for what, choice in needed.choices.items():
            parts_of[rule_of(what, choice)].append(MEASURES[part].title)
    of_all = [reason for reason, titles in parts_of.items() if len(titles) == len(parts)]
    of_parts = [
        f"{reason} {'of' if reason.endswith(' out') else 'in'} {listed(titles)}"
        for reason, titles in parts_of.items()
        if reason not in of_all
    ]
    if of_parts:
        of_all.append(listed(of_parts).replace(OF_THE_RESPONSE, " and the response's"))
    return _in_a_row(of_all)
