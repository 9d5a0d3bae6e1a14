"""Sentences of a comparison: each is true, of random systems, runs, measures and choices.

If one of these failed, a paper would say of a difference, or of how it was tested, what is not so.
Facts are reckoned again here, from reports of each response alone.
"""

import random
import re
import warnings
from statistics import fmean, stdev

import numpy as np
import pytest

from corefeval import __version__, compare_systems, evaluate
from corefeval.display import percent

TITLES = {
    "By MUC, F1": "muc", "By B³, F1": "b3", "By LEA, F1": "lea", "κ": "kappa",
    "The CoNLL score": "conll", "F1 of mention detection": "mentions",
}  # fmt: skip
WITHIN = {title.removeprefix("By ").removesuffix(", F1"): name for title, name in TITLES.items()}
WITHIN |= {"the CoNLL score": "conll", "mention detection": "mentions"}
CHOICES = [{}, {"zero": "one"}, {"singletons": "drop", "zero": "one"}, {"like": "e2e"}]
NUMBER = r"−?\d+\.\d\d"


def entities(chance, errors):
    """Eight mentions in three entities, with so many errors."""
    of = [n % 3 for n in range(8)]
    for _ in range(errors):
        of[chance.randrange(8)] = chance.randrange(4)
    groups = [[n for n in range(8) if of[n] == entity] for entity in range(4)]
    return [group for group in groups if group]


class Case:
    """Random systems beside each other, of which some have runs, and the sentences on them."""

    def __init__(self, seed):
        chance = random.Random(seed)
        self.chosen = chance.choice(CHOICES)
        usual = ["muc", "b3", "conll", "lea"]
        if "like" not in self.chosen:
            usual += ["mentions", "kappa"]
        self.measures = chance.sample(usual, chance.randrange(1, 4))
        self.documents = chance.choice([3, 8, 12, 25])
        self.level = chance.choice([0.95, 0.9, 0.999])
        self.draws = chance.choice([100, 300, 1000])
        self.units = chance.choice([0, 0, 4]) if self.documents > 8 else 0
        self.runs = [chance.choice([0, 0, 3, 4]) for _ in range(chance.choice([2, 2, 3, 4]))]
        self.names = chance.sample(["ours", "base_2", "the best", "x.conll", "7"], len(self.runs))
        key = {f"d{n}": entities(chance, 0) for n in range(self.documents)}
        self.reports = {}
        for name, runs in zip(self.names, self.runs, strict=True):
            of = []
            hard = chance.choice([0, 1, 3])
            for _ in range(runs or 1):
                errors = max(0, hard + chance.choice([-1, 0, 1]))
                response = {d: entities(chance, errors) for d in key}
                of.append(evaluate(key, response, self.measures, **self.chosen))
            self.reports[name] = of
        asked = {n: of if len(of) > 1 else of[0] for n, of in self.reports.items()}
        unit = {d: int(d[1:]) % self.units for d in key} if self.units else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.found = compare_systems(asked, self.draws, level=self.level, unit=unit)
        self.text = self.found.sentence()

    def score(self, name, measure):
        values = [float(report[measure].exact.value) for report in self.reports[name]]
        shown = percent(
            sum(report[measure].exact.value for report in self.reports[name]) / len(values)
        )
        return shown + (f" ± {percent(stdev(values))}" if len(values) > 1 else "")

    def spread(self, a, b, measure):
        def of(name, document):
            reports = self.reports[name]
            return fmean(float(each.documents[document][measure].value) for each in reports)

        return stdev(of(b, d) - of(a, d) for d in self.reports[a][0].documents)

    def better(self, measure):
        """Who is significantly above whom, by Holm's procedure step by step."""
        pairs = sorted(self.found.pairs[measure], key=lambda each: each.p)
        above = set()
        for left, pair in zip(range(len(pairs), 0, -1), pairs, strict=True):
            if pair.p * left >= 0.05:
                break
            a, b = (
                fmean(float(each[measure].exact.value) for each in self.reports[name])
                for name in (pair.a, pair.b)
            )
            if abs(b - a) > 1e-12:
                above.add((pair.b, pair.a) if b > a else (pair.a, pair.b))
        return above


def listed(names):
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def take(text, pattern):
    """What a pattern finds at the head of a text, and the rest of the text."""
    found = re.match(pattern + r"(?: |$)", text)
    assert found, f"expected {pattern!r} at the head of {text!r}"
    return found, text[found.end() :]


def exactly(text, expected):
    return take(text, re.escape(expected))[1]


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_each_sentence_is_true(first):
    for seed in range(first, first + 20):
        check(Case(seed))


@pytest.mark.proof
def test_each_sentence_is_true_of_more():
    for seed in range(1000, 2000):
        check(Case(seed))


def check(case):
    """Read the sentences one by one from the head; nothing is left at the end."""
    two = len(case.names) == 2
    how = ""
    if "like" in case.chosen:
        how = " by the rules of e2e@9d1ee19"
    elif case.chosen:
        how = f" with {listed([f'{name}={choice}' for name, choice in case.chosen.items()])}"
    text = exactly(
        case.text,
        f"We compare {listed(case.names)} over {case.documents} documents, scored with corefeval "
        f"{__version__}{how}.",
    )
    told = []
    for _ in case.found.pairs:
        title = next(title for title in TITLES if text.startswith(f"{title} is "))
        told.append(TITLES[title])
        text = two_scores(case, title, text) if two else more_scores(case, title, text)
    assert sorted(told) == sorted(case.measures)
    text = how_tested(case, text)
    assert text == f"Signature: {case.found.short_signature}."


def two_scores(case, title, text):
    measure, (a, b) = TITLES[title], case.names
    text = exactly(
        text,
        f"{title} is {case.score(a, measure)} for {a} and {case.score(b, measure)} for {b}; the "
        f"difference, {b} − {a}, is",
    )
    found, text = take(
        text,
        rf"({NUMBER}) points \({100 * case.level:g}% interval ({NUMBER}) to ({NUMBER}); "
        rf"p (=|≤) ([\d.]+)\), with a standard deviation of ({NUMBER}) over documents\.",
    )
    difference, low, high, sign, p, spread = found.groups()
    means = [np.mean([float(each[measure].value) for each in case.reports[n]]) for n in (a, b)]
    assert number(difference) == pytest.approx(100 * (means[1] - means[0]), abs=0.00501)
    assert number(low) - 0.01 <= number(difference) <= number(high) + 0.01
    assert number(spread) == pytest.approx(100 * case.spread(a, b, measure), abs=0.00501)
    (pair,) = case.found.pairs[measure]
    assert float(p) == pytest.approx(pair.p, rel=0.06, abs=0.00005)
    least = 1 / (case.draws + 1)
    drawn = any(case.runs) or 2 ** (case.units or case.documents) > case.draws
    assert (sign == "≤") == (drawn and pair.p == least)
    return text


def number(text):
    return float(text.replace("−", "-"))


def more_scores(case, title, text):
    measure = TITLES[title]
    for place, name in enumerate(case.names):
        before = f"{title} is " if not place else "and " if name == case.names[-1] else ""
        ends = rf"\({100 * case.level:g}% interval ({NUMBER}) to ({NUMBER})\)[,.]?"
        score = case.score(name, measure)
        found, text = take(text, re.escape(f"{before}{score} for {name} ") + ends)
        low, high = map(number, found.groups())
        assert low - 0.01 <= float(score.split()[0]) <= high + 0.01
    within = next(name for name, of in WITHIN.items() if of == measure and name in text)
    text = text.removeprefix(f"By {within}, ")
    clauses, text = text.split(". ", 1)
    better = case.better(measure)
    if not better:
        assert clauses == "no two systems differ significantly"
        return text
    lines = []
    for name in case.names:
        below = [other for other in case.names if (name, other) in better]
        if below:
            lines.append(f"{name} is significantly above {listed(below)}")
    assert clauses == "; ".join(lines)
    return text


def how_tested(case, text):
    runs = dict(zip(case.names, case.runs, strict=True))
    draws, what = f"{case.draws:,}", "documents"
    if case.units:
        what = f"{case.units} units of documents"
    if any(case.runs):
        with_runs = listed([f"{many} runs of {name}" for name, many in runs.items() if many])
        lone = [name for name, many in runs.items() if not many]
        told = f"Scores are means of {with_runs}, with their standard deviation"
        if lone:
            told += f"; of {listed(lone)} there is one response{' each' * (len(lone) > 1)}"
        text = exactly(text, f"{told}.")
        text = exactly(
            text,
            f"Intervals, and p-values of pairs in which a system has runs, are from {draws} draws "
            f"of {what} and of runs (Multi-Bootstrap; Sellam et al. 2022).",
        )
    else:
        text = exactly(text, f"Intervals are from {draws} draws of {what}.")
    if case.runs.count(0) > 1:
        swaps = f"{draws} random"
        if 2 ** (case.units or case.documents) <= case.draws:
            swaps = "all"
        whose = " of pairs without runs" if any(case.runs) else ""
        told = f"P-values{whose} are from {swaps} swaps of {what} between the two systems."
        text = exactly(text, told)
    many, pairs = len(case.measures) > 1, len(case.names) * (len(case.names) - 1) // 2
    if pairs > 1:
        told = f"Significant means p < 0.05 after Holm’s correction for {pairs} pairs"
        told += "; p-values are not corrected for the number of measures" * many
        text = exactly(text, f"{told}.")
    elif many:
        text = exactly(text, "P-values are not corrected for the number of measures.")
    return text


def test_names_that_would_forge_a_line():
    key = {n: "{a b c} {d e}" for n in range(12)}
    report = evaluate(key, key, "muc")
    text = compare_systems({"a\nb": report, "c": report}, 100).sentence()
    assert r"a\nb" in text and "\n" not in text
