"""Which of two public responses is ahead, and what turns the verdict: the book's opening.

Every number is F1 in points, of the counts and labels in data/real. The chapter on real systems
asks what chance has to do with it.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from corefbook.draw.heat import Heat
from corefbook.studies import labels, people, real
from corefbook.tables import Table
from corefeval import evaluate
from corefeval.conventions import Options
from corefeval.report import Report

Scores = Mapping[str, Fraction]
SEEDS = range(5)
RUNS = [f"feature.{seed}" for seed in SEEDS]

# What scorers print


SCORERS = {
    "reference": "reference scorer",
    "coval": "coval",
    "coval_no_singletons": "coval, without singletons",
    "e2e": "e2e-coref's scorer",
}
"""Public scorers, one of them in two modes, that were run on the responses to FCC."""


@cache
def printed_f1() -> dict[str, dict[str, float]]:
    """The F1 by B³ that each scorer printed of lemma and of each run on FCC, document by document.

    >>> printed_f1()["e2e"]["lemma"], printed_f1()["e2e"]["feature.0"]
    (46.88, 48.33)
    """
    f1: dict[str, dict[str, float]] = {scorer: {} for scorer in SCORERS}
    with open(real.FOLDER / "scorers.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["corpus"] == "cdcr-corpora-fcc" and row["measure"] == "b3":
                f1[row["scorer"]][row["response"]] = float(row["f1"])
    return f1


def printed_table() -> Heat:
    """`printed_f1`, a row for each scorer: a run that is ahead of lemma is teal, one behind brown.

    >>> printed_table().rows[3][:3]
    ["e2e-coref's scorer", '46.88', '48.33']
    """
    rows: list[list[str]] = []
    tones: list[list[float]] = []
    for scorer, title in SCORERS.items():
        scores = printed_f1()[scorer]
        baseline, *runs = (scores[name] for name in ("lemma", *RUNS))
        rows.append([title, *(f"{f1:.2f}" for f1 in (baseline, *runs))])
        tones.append([0, *(0.6 if run > baseline else -0.6 for run in runs)])
    head = ["", "lemma", *(f"run {seed}" for seed in SEEDS)]
    caption = "F1 by B³ as printed: teal is ahead of lemma, brown is behind."
    return Heat(Table(head, rows, caption), tones)


# What turns a verdict


def seeds(
    corpus: str, conventions: str = "", scope: str = "documents", baseline: str = "lemma"
) -> list[dict[str, Fraction]]:
    """How far each run of the feature-based system is ahead of a lemma baseline, by measure.

    Documents are scored one by one, and their counts are summed; with the scope "corpus" they are
    one long document, and entities go across documents as the key has them.

    >>> [round(float(run["b3"]), 1) for run in seeds("fcc")]
    [-10.8, -6.5, -7.9, 0.7, 2.0]
    """
    place = "cdcr-corpora", corpus
    lemma = real.f1(*place, baseline, scope, conventions)
    runs = [real.f1(*place, f"feature.{seed}", scope, conventions) for seed in SEEDS]
    return [_difference(run, lemma) for run in runs]


class Turned(NamedTuple):
    """How many pairs of configurations stand in another order than by the reference scorer."""

    pairs: int
    by_e2e: int
    """By the rule of e2e-coref's scorer, of means over seeds."""
    dropped: int
    """Without entities of one mention, of means over seeds."""
    by_a_point: int
    """Of these, where both leads are at least a point."""
    dropped_runs: int
    """Without entities of one mention, of pairs of single runs with one seed."""
    by_seed: int
    """By another seed and the same scorer, of as many pairs of single runs."""


@cache
def turned(corpus: str, topics: str = "p") -> Turned:
    """What a scorer does to the order of the 17 configurations of the archive hypercoref.

    They are ordered by the CoNLL score, a mean over three seeds, on keys across documents, for
    responses to predicted topics or to those of the closure ("c").

    >>> turned("gvc")[:3]
    (136, 4, 2)
    """
    means, by_e2e, without = (means_by(corpus, rule, topics) for rule in RULES)
    pairs = [*combinations(means, 2)]
    dropped = [(a, b) for a, b in pairs if _differ(means, without, a, b)]
    least = [min(abs(of[a] - of[b]) for of in (means, without)) for a, b in dropped]
    runs, of_dropped = (_by_seed(_conll(corpus, rule, topics)) for rule in (RULES[0], RULES[2]))
    with_one_seed = zip(runs, of_dropped, strict=True)
    return Turned(
        len(pairs),
        sum(_differ(means, by_e2e, a, b) for a, b in pairs),
        len(dropped),
        sum(each >= 1 for each in least),
        sum(_differ(one, two, a, b) for one, two in with_one_seed for a, b in pairs),
        sum(_differ(one, two, a, b) for one, two in combinations(runs, 2) for a, b in pairs),
    )


def means_by(
    corpus: str, rule: str, topics: str = "p", scope: str = "corpus"
) -> dict[str, Fraction]:
    """The mean CoNLL score of each configuration's three runs by a rule, in points.

    >>> round(float(means_by("ecbp", "reference")["ecbp.ecbp.p"]), 1)
    79.1
    """
    by_configuration = _conll(corpus, rule, topics, scope)
    return {name: Fraction(sum(runs), len(runs)) for name, runs in by_configuration.items()}


def same_runs(corpus: str) -> int:
    """How many runs have the entities of an earlier one, of all seeds and configurations.

    >>> same_runs("ecbp"), same_runs("fcct"), same_runs("gvc")
    (6, 6, 0)
    """
    columns = labels.columns(f"hypercoref-{corpus}")
    runs = [
        _renumbered(columns[name])
        for name in columns
        if name.rpartition(".")[0] in real.configurations()
    ]
    return len(runs) - len({*runs})


def _renumbered(numbers: list[int]) -> tuple[int, ...]:
    """Labels as 0, 1, 2 … in the order in which they first come."""
    first: dict[int, int] = {}
    return tuple(first.setdefault(number, len(first)) for number in numbers)


def _by_seed(by_configuration: Mapping[str, list[Fraction]]) -> list[dict[str, Fraction]]:
    seeds_of = range(len(next(iter(by_configuration.values()))))
    return [{name: runs[seed] for name, runs in by_configuration.items()} for seed in seeds_of]


def sizes(corpus: str) -> list[int]:
    """How many mentions the entities of a key of hypercoref have.

    >>> len(sizes("fcct")), sizes("fcct").count(1)
    (166, 78)
    """
    return [*Counter(labels.columns(f"hypercoref-{corpus}")["key"]).values()]


def share_alone(corpus: str) -> float:
    """The share of singletons among the entities of a key of hypercoref.

    >>> f"{share_alone('fcct'):.0%}"
    '47%'
    """
    return sizes(corpus).count(1) / len(sizes(corpus))


def singletons_table() -> Table:
    """How many entities of the keys in data/real have one mention; of GerDraCor's, in a file.

    >>> singletons_table().rows[0]
    ['OntoGUM, by documents', 1715, 3, '0%']
    """
    counted = {}
    for title, corpus in (("OntoGUM", "ontogum"), ("GUM", "gum")):
        stored = real.rows("gum", corpus, "links-nothing", "documents", "repeated=first")
        entities, alone, *_ = map(int, stored["entities.key"][""].split())
        counted[f"{title}, by documents"] = entities, alone
    for title, corpus in (("ECB+", "ecbp"), ("FCC-T", "fcct"), ("Gun Violence Corpus", "gvc")):
        counted[f"{title}, across documents"] = len(sizes(corpus)), sizes(corpus).count(1)
    files = [people.entities(act, who) for act in people.acts() for who in people.people(act)]
    by_file = [(len(file), sum(len(entity) == 1 for entity in file)) for file in files]
    fewest, *_, most = sorted(by_file, key=lambda file: file[1])
    counted |= {"GerDraCor-Coref, file with fewest": fewest, "GerDraCor-Coref, with most": most}
    rows = [
        [title, entities, alone, f"{alone / entities:.0%}"]
        for title, (entities, alone) in counted.items()
    ]
    return Table(["key", "entities", "of one mention", "share"], rows, "Singletons in keys.")


def turned_table() -> Table:
    """How many pairs of configurations change places, by what is changed and by corpus."""
    corpora = {"ECB+": "ecbp", "FCC-T": "fcct", "Gun Violence": "gvc"}
    counts = [turned(corpus) for corpus in corpora.values()]
    pairs = counts[0].pairs
    rows = [
        ["another seed", "single runs", 3 * pairs, *(each.by_seed for each in counts)],
        ["no singletons", "single runs", 3 * pairs, *(each.dropped_runs for each in counts)],
        ["no singletons", "means", pairs, *(each.dropped for each in counts)],
        ["– by a point or more both ways", "means", pairs, *(each.by_a_point for each in counts)],
        ["e2e-coref's rule", "means", pairs, *(each.by_e2e for each in counts)],
    ]
    shares = [f"{title} ({share_alone(c):.0%})" for title, c in corpora.items()]
    head = ["changed", "ordered by", "pairs", *shares]
    repeated = max(same_runs(corpus) for corpus in corpora.values())
    caption = (
        "Pairs that change places, of responses to predicted topics; on a corpus, up to "
        f"{repeated} runs are the same as another. In brackets: the share of the key's entities "
        "that are singletons."
    )
    return Table(head, rows, caption)


RULES = ("reference", "e2e", "no singletons")
"""The reference scorer's, that of e2e-coref's scorer, and entities of one mention left out."""


@cache
def reports(
    corpus: str, rule: str, scope: str = "corpus", topics: str = "p"
) -> dict[str, list[Report]]:
    """The reports of each configuration's three runs, by the CoNLL score under a rule.

    >>> [round(100 * run["conll"].f1, 1) for run in reports("gvc", "e2e")["ss_bbc_25k.bbc.p"]]
    [58.8, 59.5, 58.5]
    """
    of_corpus = f"hypercoref-{corpus}"
    dropped: Options = {"singletons": "drop"} if rule == "no singletons" else {}
    like = None if dropped else rule
    runs: defaultdict[str, list[Report]] = defaultdict(list)
    for name in labels.columns(of_corpus):
        configuration, _, seed = name.rpartition(".")
        if seed.isdecimal() and configuration in real.configurations(topics):
            key, response = labels.sides(of_corpus, name, scope)
            runs[configuration].append(evaluate(key, response, "conll", like=like, **dropped))
    return runs


def _conll(corpus: str, rule: str, topics: str, scope: str = "corpus") -> dict[str, list[Fraction]]:
    """The CoNLL scores of each configuration, by seed, in points."""
    return {
        name: [100 * Fraction(run["conll"].exact.f1) for run in runs]
        for name, runs in reports(corpus, rule, scope, topics).items()
    }


def _differ(one: Scores, other: Scores, a: str, b: str) -> bool:
    """Whether two orders put two configurations in opposite places; a tie is in neither."""
    return (one[a] - one[b]) * (other[a] - other[b]) < 0


def settings(key: str, conventions: str = "repeated=first") -> dict[str, Fraction]:
    """The CoNLL score of xrenner set for GUM and set for OntoNotes, on one of the two keys.

    >>> {name: round(float(score), 1) for name, score in settings("ontogum").items()}
    {'set for GUM': 37.6, 'set for OntoNotes': 54.9}
    """
    responses = {"set for GUM": "xrenner-gum", "set for OntoNotes": "xrenner-ontonotes"}
    return {
        title: real.f1("gum", key, name, "documents", conventions)["conll"]
        for title, name in responses.items()
    }


def settings_table() -> Table:
    """`settings` on both keys, with singletons and without, and who is ahead.

    >>> settings_table().rows[1]
    ['GUM, no singletons', '53.9', '49.9', '+4.0']
    """
    rows = []
    for title, key in (("GUM", "gum"), ("OntoGUM", "ontogum")):
        for left_out, rule in (("", ""), (", no singletons", " singletons=drop")):
            scores = settings(key, f"repeated=first{rule}")
            shown = [f"{float(score):.1f}" for score in scores.values()]
            rows.append([title + left_out, *shown, _signed(_lead_of_gum(scores))])
    head = ["key", *settings("gum"), "lead of the first"]
    return Table(head, rows, "CoNLL score of xrenner within documents.")


def schemes(key: str, conventions: str = "repeated=first") -> dict[str, Fraction]:
    """`settings`, and the score of the other key: the same texts under the other scheme.

    >>> round(float(schemes("gum")["the other key"]), 1)
    54.5
    """
    other = "ontogum" if key == "gum" else "gum"
    annotated = real.f1("gum", key, other, "documents", conventions)
    return settings(key, conventions) | {"the other key": annotated["conll"]}


# What each choice moves


WAYS = {
    "within": ("", "documents"),
    "within, no singletons": ("singletons=drop", "documents"),
    "across": ("", "corpus"),
    "across, no singletons": ("singletons=drop", "corpus"),
}
"""Four ways to score the runs on FCC: the conventions, and what is scored by itself."""


@cache
def of_runs() -> dict[str, list[dict[str, Fraction]]]:
    """By each of the four ways, how far each run is ahead of lemma on FCC."""
    return {way: seeds("fcc", conventions, scope) for way, (conventions, scope) in WAYS.items()}


def moved_table() -> Table:
    """What one choice moves while all else stays, in points of F1: the lowest and the highest.

    >>> moved_table().rows[3][1:]
    ['lead of the first run by B³', '−10.8', '+1.5']
    """
    agreement = people.agreement(*people.annotated_sides("sara-3", "A", "B"))
    of_two = [f"{agreement[measure]:.0f}" for measure in ("ceafe", "muc")]
    within, dropped, across, _ = of_runs().values()
    means = [Fraction(sum(run["b3"] for run in runs), len(runs)) for runs in (within, across)]
    by_rule = [within[0]["b3"], dropped[0]["b3"]]
    by_key = [_lead_of_gum(settings(key)) for key in ("gum", "ontogum")]
    rows = [
        ["the measure", "agreement of two people", *of_two],
        ["the scope", "mean lead of five runs by B³", *_ends(means)],
        ["the seed", "lead of a run by CoNLL", *_ends([run["conll"] for run in within])],
        ["a scorer's rule", "lead of the first run by B³", *_ends(by_rule)],
        ["the key", "lead of a setting by CoNLL", *_ends(by_key)],
    ]
    head = ["we change", "we look at", "lowest", "highest"]
    return Table(head, rows, "What one choice moves, in points of F1.")


def _ends(leads: Sequence[Fraction]) -> list[str]:
    """The lowest and the highest lead, as they are shown."""
    return [_signed(end) for end in (min(leads), max(leads))]


def _signed(lead: Fraction) -> str:
    return real.signed(lead).replace("-", "−")


def _lead_of_gum(scores: Scores) -> Fraction:
    return scores["set for GUM"] - scores["set for OntoNotes"]


def _difference(a: dict[str, Fraction], b: dict[str, Fraction]) -> dict[str, Fraction]:
    return {measure: a[measure] - b[measure] for measure in a}
