"""How often a 95% interval of a score holds the true score, by method and number of documents.

python benchmarks/interval_coverage.py [REPETITIONS [KIND ...]] writes data/coverage.csv, in some
minutes: a row per kind of corpus, number of documents, method, and measure of the standard suite,
for F1 (or the value) of one system and for the difference between two. Rows of other kinds than
those named stay as they are.

The truth is known because it is chosen: the score on all of a population of documents. In each
repetition a corpus is drawn from the population, and each method makes an interval from the corpus
alone. Its kinds:

- ``alike``: documents made as those of the corpus (a) of the benchmarks, each as hard as any other;
- ``hard and easy``: each has its own share of errors, from none at all to twice as many as usual;
- those of ``REAL``: the documents of a real corpus with two real responses, as data/real has them,
  drawn with replacement as if there were no others.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from companion.studies import coverage, real
from generate import SEED, SPURIOUS, answered, ontonotes_sizes, with_spurious
from scipy.stats import norm, t

from corefeval import from_labels
from corefeval.chance.significance import leaves, tail
from corefeval.contingency import Tables
from corefeval.measures.blanc import LinkClasses
from corefeval.registry import find

FILE = Path(__file__).parent.parent / "data" / "coverage.csv"
COLUMNS = ("corpus", "documents", "method", "of", "measure", "repetitions", "inside", "width")
MADE = ("alike", "hard and easy")
REAL = {
    "FCC": ("cdcr-corpora", "fcc", "lemma", "feature.0", ""),
    "GVC": ("cdcr-corpora", "gvc", "lemma", "feature.0", ""),
    "ECB+": ("cdcr-corpora", "ecbp", "lemma", "feature.0", ""),
    "Wikipedia": ("wiki-grounded", "wiki", "lee", "aralikatte", ""),
    "GUM": ("gum", "gum", "ontogum", "xrenner-gum", "repeated=first"),
}
"""Of each its archive, its key, the two responses and their conventions."""
KINDS = (*MADE, *REAL)
DOCUMENTS = (5, 10, 25, 60)
TIMES = 20  # as many documents in the population as in (a)
BETTER = 0.85  # the errors of the second system, as a part of those of the first
DRAWS = coverage.DRAWS
LEVEL, TAIL = 0.95, 0.025

Numbers = np.ndarray

# Of each pair, recall hits, recall total, precision hits, precision total; of each measure, the
# pairs whose F1 it is the mean of.
COUNTED = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
PAIRS = {
    "mentions": [0], "muc": [1], "b3": [2], "ceafm": [3], "ceafe": [4], "blanc": [5, 6],
    "lea": [7], "conll": [1, 2, 4],
}  # fmt: skip
MEANS = np.array([[(p in pairs) / len(pairs) for p in range(8)] for pairs in PAIRS.values()])


def population(kind: str, times: int = TIMES, seed: int = SEED) -> Numbers:
    """What is counted in each document, for each of two systems: documents × 2 × 32 numbers."""
    if kind in REAL:
        archive, key, *systems, by = REAL[kind]
        counted = [real.report(archive, key, name, "documents", by).counts for name in systems]
        return np.array([
            [_leaves(each[document]) for each in counted]
            for document in sorted(counted[0], key=int)
        ])  # fmt: skip
    random = np.random.default_rng([seed, KINDS.index(kind)])
    return np.array([
        _document(mentions, entities, 2 * random.random() if kind == MADE[1] else 1, random)
        for _, mentions, entities in ontonotes_sizes(times, random)
    ])  # fmt: skip


def _leaves(counts: dict) -> list[float]:
    """What a document's measures count, one number after another."""
    return [float(number) for name in COUNTED for number in leaves(counts[name])]


def _document(mentions: int, entities: int, hard: float, random: np.random.Generator) -> Numbers:
    slots = mentions + round(SPURIOUS * hard * mentions)
    label, true = with_spurious(slots, mentions, entities, random)
    rows = []
    for errors in (hard, hard * BETTER):
        answer, kept = answered(label, true, random, errors)
        table = from_labels(np.where(true, label, -1), np.where(kept, answer, -1))
        tables = Tables.alike(table)
        rows.append(np.concatenate([_numbers(find(name).counts(tables)) for name in COUNTED]))
    return np.array(rows)


def _numbers(counts: tuple) -> Numbers:
    pairs = list(counts) if isinstance(counts, LinkClasses) else [counts]
    return np.array([[[*map(float, tally)] for tally in pair] for pair in pairs]).ravel()


def _over(hits: Numbers, total: Numbers) -> Numbers:
    return np.divide(hits, total, out=np.zeros_like(hits), where=total != 0)


def scores(sums: Numbers) -> Numbers:
    """F1 of each measure, or its value, from what was counted in all documents of a corpus."""
    sums = sums.reshape(*sums.shape[:-1], 8, 4)
    recall, precision = (_over(sums[..., n], sums[..., n + 1]) for n in (0, 2))
    return _over(2 * recall * precision, recall + precision) @ MEANS.T


def _errors(numbers: Numbers, weights: Numbers) -> Numbers:
    """Standard errors by the delta method, of corpora that have each document so many times."""
    sums = (weights @ numbers).reshape(len(weights), 8, 4)
    recall, precision = (_over(sums[..., n], sums[..., n + 1]) for n in (0, 2))
    by_recall = _over(2 * _over(precision, recall + precision) ** 2, sums[..., 1])
    by_precision = _over(2 * _over(recall, recall + precision) ** 2, sums[..., 3])
    derivatives = [by_recall, -by_recall * recall, by_precision, -by_precision * precision]
    by_sums = np.stack(derivatives, axis=-1).transpose(1, 0, 2)
    influence = by_sums @ numbers.reshape(-1, 8, 4).transpose(1, 2, 0)  # pairs × draws × documents
    documents = len(numbers)
    spread = np.array([
        (weights * (MEANS[m][pairs] @ influence[pairs].reshape(len(pairs), -1)).reshape(
            weights.shape) ** 2).sum(axis=1)
        for m, pairs in enumerate(PAIRS.values())
    ]).T  # fmt: skip
    return np.sqrt(documents / (documents - 1) * spread)


# Methods: the ends of the interval of each measure


def intervals(systems: list[Numbers], weights: Numbers) -> Iterator[tuple[str, Numbers, Numbers]]:
    """By each method, of the first system's scores or the difference of the second's to them.

    ``systems`` has what is counted for the one or the two, a row per document; ``weights`` how
    often each document is in each draw.
    """
    documents = len(systems[0])
    sign = (1,) if len(systems) == 1 else (-1, 1)

    def scored(weights: Numbers) -> Numbers:
        return sum(s * scores(weights @ each) for s, each in zip(sign, systems, strict=True))

    observed, drawn = scored(np.ones(documents)), np.sort(scored(weights), axis=0)
    low, high = _quantiles(drawn, TAIL)
    yield "percentile", low, high
    yield "basic", 2 * observed - high, 2 * observed - low

    without = scored(1 - np.eye(documents))
    deviations = without.mean(axis=0) - without
    skew = _over((deviations**3).sum(axis=0), 6 * (deviations**2).sum(axis=0) ** 1.5)
    below = (drawn < observed).mean(axis=0) + (drawn == observed).mean(axis=0) / 2
    bias = norm.ppf(below.clip(1 / DRAWS, 1 - 1 / DRAWS))
    z = bias + norm.ppf([[TAIL], [1 - TAIL]])
    tails = norm.cdf(bias + z / (1 - skew * z))
    yield "BCa", _quantiles(drawn, tails[0])[0], _quantiles(drawn, 1 - tails[1])[1]

    error = np.sqrt((documents - 1) / documents * (deviations**2).sum(axis=0))
    half = t.isf(TAIL, documents - 1) * error
    yield "jackknife t", observed - half, observed + half

    if len(systems) == 1:
        error = _errors(systems[0], np.ones((1, documents)))[0]
        drawn_errors = _errors(systems[0], weights).clip(1e-12)
        low, high = _quantiles(np.sort((scored(weights) - observed) / drawn_errors, axis=0), TAIL)
        yield "bootstrap t", (observed - high * error).clip(0), (observed - low * error).clip(max=1)

    expanded = norm.cdf(-((documents / (documents - 1)) ** 0.5) * t.isf(TAIL, documents - 1))
    yield "expanded percentile", *_quantiles(drawn, expanded)

    ours = [tail(np.hstack([each[:, c] for each in systems]), LEVEL) for c in _columns()]
    yield "expanded percentile, effective", *_quantiles(drawn, np.array(ours))


def _columns() -> list[list[int]]:
    """Of each measure the numbers that it counts."""
    return [[4 * p + n for p in pairs for n in range(4)] for pairs in PAIRS.values()]


def _quantiles(ordered: Numbers, tail: Numbers | float) -> tuple[Numbers, Numbers]:
    """Of each column that is in order, the quantiles ``tail`` and 1 − ``tail``."""
    last, column = len(ordered) - 1, np.arange(ordered.shape[1])

    def at(share: Numbers) -> Numbers:
        below = np.floor(share * last).astype(int)
        above, part = np.minimum(below + 1, last), share * last - below
        return ordered[below, column] * (1 - part) + ordered[above, column] * part

    tail = np.broadcast_to(tail, column.shape)
    return at(tail), at(1 - tail)


def measured(kind: str, documents: int, repetitions: int, times: int = TIMES) -> list[list]:
    """The rows of one kind of corpus and one number of documents."""
    counted = population(kind, times)
    first, second = (scores(counted[:, system].sum(axis=0)) for system in (0, 1))
    random = np.random.default_rng([SEED, KINDS.index(kind), documents])
    inside: defaultdict[tuple[str, str], Numbers] = defaultdict(lambda: np.zeros(len(PAIRS)))
    width = inside.copy()
    for _ in range(repetitions):
        corpus = counted[random.integers(len(counted), size=documents)]
        chances = np.full(documents, 1 / documents)
        weights = random.multinomial(documents, chances, size=DRAWS).astype(float)
        a, b = corpus[:, 0], corpus[:, 1]
        for of, truth, systems in (("score", first, [a]), ("difference", second - first, [a, b])):
            for method, low, high in intervals(systems, weights):
                # As rounded as the library's, so that equal ones are equal.
                holds = (low.round(12) <= truth.round(12)) & (truth.round(12) <= high.round(12))
                inside[method, of] += holds
                width[method, of] += high - low
    return [
        [kind, documents, method, of, measure, repetitions, int(held), f"{wide / repetitions:.5f}"]
        for (method, of), counts in inside.items()
        for measure, held, wide in zip(PAIRS, counts, width[method, of], strict=True)
    ]


def main(repetitions: int = 2000, *kinds: str) -> None:
    chosen = kinds or KINDS
    with open(FILE, encoding="utf-8", newline="") as file:
        kept = [row for row in csv.reader(file) if row[0] in KINDS and row[0] not in chosen]
    cases = [(kind, documents) for kind in chosen for documents in DOCUMENTS]
    with ProcessPoolExecutor(2) as pool:
        parts = [pool.submit(measured, *case, repetitions) for case in cases]
        kept += [row for part in parts for row in part.result()]
    kept.sort(key=lambda row: KINDS.index(row[0]))
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS, *kept])


if __name__ == "__main__":
    numbers, kinds = sys.argv[1:2], sys.argv[2:]
    main(*map(int, numbers), *kinds)
