"""What each entity costs: lost recall and precision in parts that add up exactly.

Recall is a sum of hits over a sum of totals, or, for BLANC, the mean of two such ratios. Each
entity brings hits and totals of its own, and what it lacks is what it costs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from corefeval.alignment import Similarity, assign
from corefeval.contingency import Contingency, Edge, Tables, exact_sum
from corefeval.errors import CorefError
from corefeval.measures.blanc import LinkClasses
from corefeval.measures.ceaf import phi3, phi4
from corefeval.score import Exact, Tally
from corefeval.scoring import ALIKE, Metric

Part = tuple[Tally, ...]
"""What an entity brings to each class of links; most measures have one class."""

Known = dict[tuple[int, tuple[tuple[int, int], ...]], Part]
"""What an entity of that size brings, with these (n, r) of the entities that it overlaps."""

BY_ENTITY = ("mentions", "muc", "b3", "lea")
"""Measures whose hits and totals are sums over key entities, each counted by itself."""
ALIGNED: dict[str, Similarity] = {"ceafm": phi3, "ceafe": phi4}
"""Measures whose hits are those of an alignment, and the similarity that it adds up."""
OF_LINKS = ("blanc",)
PRICED = (*BY_ENTITY, *ALIGNED, *OF_LINKS)
"""The measures whose losses can be attributed to entities."""


class Lost(NamedTuple):
    """What a response loses in recall or in precision: 1 − the score, in parts.

    ``entities`` has for each document the cost of each entity, in the order of the table.
    ``undefined`` is lost without a fault of any entity: a ratio 0/0 that the convention ``zero``
    counts as 0. All of it together is exactly what is lost.
    """

    entities: Mapping[Hashable, Sequence[Fraction]]
    undefined: Fraction

    @property
    def total(self) -> Fraction:
        """What is lost: 1 − recall, or 1 − precision."""
        return sum(map(sum, self.entities.values()), Fraction(0)) + self.undefined


def lost(metric: Metric, documents: Mapping[Hashable, Tables]) -> tuple[Lost, Lost]:
    """The lost recall, by key entities, and the lost precision, by response entities.

    ``documents`` has the tables of each document by the metric's conventions. The losses are those
    of the corpus: each document's counts are summed, as with ``average="sum"``.

    For CEAF they follow one best alignment; where several are best, the sum is the same for all,
    and the parts are one way of several. In BLANC half of a link belongs to either of its entities,
    and each class of links has the weight with which it counts.

    Raises `CorefError` for a measure that is not in `PRICED`, and for an average that is no sum.

    >>> from corefeval import Partition, metric
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b} {c d e}"))
    >>> recall, precision = lost(metric("muc"), {"d": Tables.alike(t)})
    >>> recall.entities["d"], precision.entities["d"]
    ([Fraction(1, 3), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 3)])
    """
    check_priced(metric)
    name = metric.measure.name
    counts = [metric.measure.counts(tables) for tables in documents.values()]
    weights = _weights(counts)
    known: Known = {}
    recall: dict[Hashable, list[Part]] = {}
    precision: dict[Hashable, list[Part]] = {}
    for document, tables in documents.items():
        of_recall, of_precision = counted_in(name, tables)
        recall[document], precision[document] = _parts(metric, of_recall, of_precision, known)
    zero = _zero(metric, documents.values())
    return _shared_out(recall, weights, zero), _shared_out(precision, weights, zero)


def check_priced(metric: Metric) -> None:
    """Refuse a measure, or an average, whose losses cannot be attributed to entities."""
    name = metric.measure.name
    if name not in PRICED:
        raise CorefError(
            f"the losses of {name!r} cannot be attributed to entities; expected {', '.join(PRICED)}"
        )
    metric.conventions.refuse(["average"], "does not add up documents' counts, so no parts do")


def counted_in(name: str, tables: Tables) -> tuple[Contingency, Contingency]:
    """The tables in which the measure counts recall and precision."""
    if name in BY_ENTITY or tables.both is None:
        return tables.recall, tables.precision
    return tables.both, tables.both


def _zero(metric: Metric, documents: Any) -> Fraction:
    """What 0/0 counts as."""
    choice = metric.conventions.zero
    if choice not in ALIKE:
        return Fraction(choice == "one")
    alike = ALIKE[choice]
    return Fraction(all(alike(t.recall) and alike(t.precision) for t in documents))


def _weights(counts: Sequence[Any]) -> list[Fraction]:
    """How much each class of links weighs in the score of the summed counts."""
    if not counts or not isinstance(counts[0], LinkClasses):
        return [Fraction(1)]
    total = sum(counts[1:], counts[0])
    counting = total.counting()
    counted = [any(links is each for each in counting) for links in total]
    return [Fraction(each, len(counting) or 1) for each in counted]


def _shared_out(
    parts: Mapping[Hashable, Sequence[Part]], weights: Sequence[Fraction], zero: Fraction
) -> Lost:
    """What the parts cost, each class of links divided by its total."""
    alike = Counter(part for of_document in parts.values() for part in of_document)
    totals = [
        exact_sum((part[c].total, times) for part, times in alike.items())
        for c in range(len(weights))
    ]
    without_total = [weight for weight, total in zip(weights, totals, strict=True) if not total]
    nothing_counts = not any(weights)
    undefined = (1 - zero) * (1 if nothing_counts else sum(without_total, Fraction(0)))

    def cost(part: Part) -> Fraction:
        found = Fraction(0)
        for tally, weight, total in zip(part, weights, totals, strict=True):
            missing = tally.total - tally.hits
            if missing and total:  # hits without a total come from entities that list one twice
                found += weight * Fraction(missing) / total
        return found

    cost_of = {part: cost(part) for part in alike}  # few differ
    return Lost({name: [cost_of[each] for each in of] for name, of in parts.items()}, undefined)


# What each entity brings


def _parts(
    metric: Metric, recall: Contingency, precision: Contingency, known: Known
) -> tuple[list[Part], list[Part]]:
    """What each key entity brings to recall, and each response entity to precision."""
    name = metric.measure.name
    if name in ALIGNED:
        similarity = ALIGNED[name]
        edges = aligned(recall, similarity)
        if precision is recall:
            exchanged = [(j, i) for i, j in edges]
        else:
            exchanged = aligned(precision.T, similarity)
        return (
            _of_alignment(recall, similarity, edges),
            _of_alignment(precision.T, similarity, exchanged),
        )
    if name in OF_LINKS:
        return _of_links(recall), _of_links(precision.T)
    formula = metric.measure.formula
    return _by_itself(formula, recall, known), _by_itself(formula, precision.T, known)


def _by_itself(formula: Callable[[Contingency], Tally], t: Contingency, known: Known) -> list[Part]:
    """The measure's own formula of each key entity's row alone; alike rows are counted once."""
    sizes = t.response_sizes
    rows = rows_of(t)
    found = []
    for i, k in enumerate(t.key_sizes):
        row = k, tuple(sorted((n, sizes[j]) for j, n in rows[i]))
        if row not in known:
            pairs = {(0, j): n for j, (n, _) in enumerate(row[1])}
            known[row] = (formula(Contingency(pairs, [k], [r for _, r in row[1]])),)
        found.append(known[row])
    return found


def rows_of(t: Contingency) -> Mapping[int, list[tuple[int, int]]]:
    """(j, n) of each key entity's overlaps."""
    rows = defaultdict[int, list[tuple[int, int]]](list)
    for (i, j), n in t.pairs.items():
        rows[i].append((j, n))
    return rows


def aligned(t: Contingency, similarity: Similarity) -> list[Edge]:
    """The pairs (i, j) of a best alignment; see `corefeval.alignment.assign` for its exactness."""
    k, r = t.key_sizes, t.response_sizes
    phi = {(i, j): similarity(n, k[i], r[j]) for (i, j), n in t.pairs.items()}
    return assign({edge: value for edge, value in phi.items() if value})


def _of_alignment(t: Contingency, similarity: Similarity, edges: Sequence[Edge]) -> list[Part]:
    """φ(K, R) of the entity that K is aligned with, out of φ(K, K)."""
    k, r = t.key_sizes, t.response_sizes
    worth: dict[int, Exact] = {i: similarity(t.pairs[i, j], k[i], r[j]) for i, j in edges}
    return [(Tally(worth.get(i, 0), similarity(size, size, size)),) for i, size in enumerate(k)]


def _of_links(t: Contingency) -> list[Part]:
    """The links within each key entity, and half of those that leave it.

    A link that leaves Kᵢ is right if both its mentions are shared and stand in different response
    entities: for each of the n mentions in Kᵢ∩Rⱼ, those shared outside Kᵢ and outside Rⱼ.
    """
    rows = rows_of(t)
    shared_there = defaultdict[int, int](int)
    for (_, j), n in t.pairs.items():
        shared_there[j] += n
    shared, every = t.shared_mentions, t.key_mentions
    found: list[Part] = []
    for i, k in enumerate(t.key_sizes):
        here = sum(n for _, n in rows[i])
        within = sum(comb(n, 2) for _, n in rows[i])
        leaving = sum(n * (shared - here - shared_there[j] + n) for j, n in rows[i])
        found.append(
            (Tally(within, comb(k, 2)), Tally(Fraction(leaving, 2), Fraction(k * (every - k), 2)))
        )
    return found
