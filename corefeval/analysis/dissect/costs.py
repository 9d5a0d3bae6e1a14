"""What each entity costs: lost recall and precision in parts that add up exactly.

Recall is a sum of hits over a sum of totals, or, for BLANC, the mean of two such ratios. Each
entity brings hits and totals of its own, and what it lacks is what it costs. A further measure is
one more entry of `ATTRIBUTABLE`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from corefeval.alignment import Similarity, assign
from corefeval.analysis.dissect.named_tables import entity_names
from corefeval.contingency import KEY, RESPONSE, Contingency, Edge, Pairs, Tables
from corefeval.errors import CorefError
from corefeval.lazily import cached_property
from corefeval.measures.blanc import LinkClasses
from corefeval.measures.ceaf import phi3, phi4
from corefeval.registry import SUITES
from corefeval.score import Score, Tally
from corefeval.scoring import ALIKE, Metric, sides_alike

Profile = tuple[Any, ...]
"""All that a measure needs to know of an entity; few differ, and each is priced once."""
Tallies = tuple[Tally, ...]
"""What an entity brings to each class of links; most measures have one class."""
Overlaps = Mapping[int, list[tuple[int, int]]]
"""(j, n) of each key entity's overlaps."""


class Attribution(NamedTuple):
    """How a measure's hits and totals are shared out to entities."""

    rows: Callable[[Contingency, Contingency], tuple[list[Profile], list[Profile]]]
    """Of the tables for recall and for precision: of each key and of each response entity."""
    part: Callable[[Metric, Profile], Tallies]


# Hits and totals that are sums over key entities


def _by_itself(recall: Contingency, precision: Contingency) -> tuple[list[Profile], list[Profile]]:
    # Five measures ask a table for the same rows.
    return recall.once(_own_rows), precision.T.once(_own_rows)


def _own_rows(t: Contingency) -> list[Profile]:
    """k, and the sorted (n, r) of each key entity's overlaps."""
    sizes = t.response_sizes
    rows = rows_of(t)
    found: list[Profile] = []
    for i, k in enumerate(t.key_sizes):
        overlaps = [(n, sizes[j]) for j, n in rows.get(i, ())]
        # Sorted, entities that overlap alike have equal rows, and each row is priced once.
        if len(overlaps) > 1:
            overlaps.sort()
        found.append((k, *overlaps))
    return found


def _by_formula(metric: Metric, row: Profile) -> Tallies:
    """The measure's own formula of a table of that row alone."""
    k, *overlaps = row
    pairs = {(0, j): n for j, (n, _) in enumerate(overlaps)}
    alone = Pairs(pairs, ([k], [r for _, r in overlaps]))
    return (metric.measure.formula(Contingency.counted_from(alone)),)


BY_ITSELF = Attribution(_by_itself, _by_formula)
"""For measures whose hits and totals are sums over key entities, each counted by itself."""


# Hits of an alignment


def by_alignment(similarity: Similarity) -> Attribution:
    """For measures whose hits are those of the alignment in which a similarity is largest."""

    def rows(recall: Contingency, precision: Contingency) -> tuple[list[Profile], list[Profile]]:
        edges, exchanged = alignments(recall, precision, similarity)
        return _aligned_rows(recall, edges), _aligned_rows(precision.T, exchanged)

    def part(metric: Metric, row: Profile) -> Tallies:
        n, k, r = row
        hits = similarity(n, k, r) if n else 0
        return (Tally(hits, similarity(k, k, k)),)

    return Attribution(rows, part)


def alignments(
    recall: Contingency, precision: Contingency, similarity: Similarity
) -> tuple[list[Edge], list[Edge]]:
    """A best alignment for recall, and one for precision with key and response exchanged."""
    edges = aligned(recall, similarity)
    # Most conventions make one table for both, and an alignment is the costly part.
    if precision is recall:
        return edges, [(j, i) for i, j in edges]
    return edges, aligned(precision.T, similarity)


def aligned(t: Contingency, similarity: Similarity) -> list[Edge]:
    """The pairs (i, j) of a best alignment; see `corefeval.alignment.assign` for its exactness."""
    k, r = t.key_sizes, t.response_sizes
    # Few triples differ, so a similarity is computed once for many pairs.
    worth = {triple: similarity(*triple) for triple in t.triples}
    phi = {(i, j): worth[n, k[i], r[j]] for (i, j), n in t.pairs.items()}
    return assign({edge: value for edge, value in phi.items() if value})


def _aligned_rows(t: Contingency, edges: Sequence[Edge]) -> list[Profile]:
    """(n, k, r) of each key entity and the one that it is aligned with; n and r are 0 if none."""
    rows: list[Profile] = [(0, k, 0) for k in t.key_sizes]
    for i, j in edges:
        rows[i] = t.pairs[i, j], t.key_sizes[i], t.response_sizes[j]
    return rows


# Links within and between entities


def _of_links(recall: Contingency, precision: Contingency) -> tuple[list[Profile], list[Profile]]:
    return _link_rows(recall), _link_rows(precision.T)


def _link_rows(t: Contingency) -> list[Profile]:
    """The links within each key entity that are right, those that leave it, k, and Σ k.

    A link that leaves Kᵢ is right if both its mentions are shared and stand in different response
    entities: for each of the n mentions in Kᵢ∩Rⱼ, those shared outside Kᵢ and outside Rⱼ.
    """
    rows = rows_of(t)
    shared_there = defaultdict[int, int](int)
    for (_, j), n in t.pairs.items():
        shared_there[j] += n
    shared, every = t.shared_mentions, t.key_mentions
    found: list[Profile] = []
    for i, k in enumerate(t.key_sizes):
        own = rows.get(i, ())
        here = sum(n for _, n in own)
        within = sum(comb(n, 2) for _, n in own)
        leaving = sum(n * (shared - here - shared_there[j] + n) for j, n in own)
        found.append((within, leaving, k, every))
    return found


def _by_links(metric: Metric, row: Profile) -> Tallies:
    """The links within an entity, and half of those that leave it."""
    within, leaving, k, every = row
    # Each such link leaves two entities, and half of it belongs to either.
    apart = Tally(Fraction(leaving, 2), Fraction(k * (every - k), 2))
    return Tally(within, comb(k, 2)), apart


ATTRIBUTABLE: dict[str, Attribution] = {
    "mentions": BY_ITSELF,
    "muc": BY_ITSELF,
    "b3": BY_ITSELF,
    "ceafm": by_alignment(phi3),
    "ceafe": by_alignment(phi4),
    "blanc": Attribution(_of_links, _by_links),
    "pairwise": BY_ITSELF,
    "lea": BY_ITSELF,
}
"""The measures whose losses can be attributed to entities, and how."""
USUAL = tuple(name for name in SUITES["standard"] if name in ATTRIBUTABLE)
"""Those of the standard suite."""


def check_priced(metric: Metric) -> None:
    """Refuse a measure, or an average, whose losses cannot be attributed to entities."""
    name = metric.measure.name
    if name not in ATTRIBUTABLE:
        raise CorefError(
            f"the losses of {name!r} cannot be attributed to entities; expected "
            f"{', '.join(ATTRIBUTABLE)}{_parts_told(metric)}"
        )
    metric.conventions.refuse(["average"], "does not add up documents' counts, so no parts do")


def _parts_told(metric: Metric) -> str:
    """What to ask for in place of an average, which has parts."""
    parts = [f"-m {part}" for part in metric.measure.parts]
    return f"; try {', '.join(parts)}, of which it is the mean" if parts else ""


# From a measure's tables to costs


class Costs:
    """What each entity costs by one measure.

    What is lost in recall is shared out to key entities, in precision to response entities.

    For CEAF the costs follow one best alignment; where several are best, the sum is the same for
    all, and the parts are one way of several. In BLANC half of a link belongs to either of its
    entities, and each class of links has the weight with which it counts.

    >>> from corefeval import Partition, metric
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b} {c d e}"))
    >>> muc = metric("muc")
    >>> costs = Costs(muc, {"d": Tables.alike(t)}, muc(t))
    >>> costs.of_entities(KEY)["d"], costs.of_entities(RESPONSE)["d"]
    ([Fraction(1, 3), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 3)])
    """

    def __init__(self, metric: Metric, documents: Mapping[Hashable, Tables], total: Score) -> None:
        self.metric = metric
        self.total = total
        self.documents = documents
        """The tables of each document by the metric's conventions."""
        self._by_name: dict[tuple[int, Hashable], Mapping[Hashable, Fraction]] = {}

    def tables(self, document: Hashable) -> tuple[Contingency, Contingency]:
        """The tables of a document in which the measure counts recall and precision."""
        tables = self.documents[document]
        # CEAF and BLANC relate entities to one another, for which both sides must be completed.
        if ATTRIBUTABLE[self.metric.measure.name] is BY_ITSELF or tables.both is None:
            return tables.recall, tables.precision
        return tables.both, tables.both

    def of_side(self, side: int, document: Hashable) -> Contingency:
        """The table of a document in which a side's entities are the key's."""
        recall, precision = self.tables(document)
        return recall if side == KEY else precision.T

    def of_entities(self, side: int) -> Mapping[Hashable, Sequence[Fraction]]:
        """By document, the cost of each entity of a side, in the order of the table."""
        return self._of_entities[side]

    def by_name(self, side: int, document: Hashable) -> Mapping[Hashable, Fraction]:
        """The cost of each entity of a side in a document, by the name in the table."""
        where = side, document
        # The same document is asked for once for each of its entities.
        if where not in self._by_name:
            names = entity_names(self.of_side(side, document))[KEY]
            costs = self.of_entities(side)[document]
            self._by_name[where] = dict(zip(names, costs, strict=True))
        return self._by_name[where]

    def loss(self, side: int) -> Fraction:
        """1 − recall, or 1 − precision."""
        return 1 - Fraction(self.total.exact[side])

    def undefined(self, side: int) -> Fraction:
        """What is lost without a fault of any entity: a ratio 0/0 that counts as 0."""
        classes = self.class_totals(side)
        weights = [weight for weight, total in classes if not total]
        # If no class of links counts, the score as a whole is 0/0.
        if not any(weight for weight, _ in classes):
            weights = [Fraction(1)]
        by = self.metric.conventions
        zero = by.zero == "one"
        # Other choices ask whether the sides are the same.
        if by.zero in ALIKE:
            zero = all(sides_alike(tables, by) for tables in self.documents.values())
        return (1 - zero) * sum(weights, Fraction(0))

    @cached_property
    def _of_entities(self) -> tuple[dict[Hashable, list[Fraction]], dict[Hashable, list[Fraction]]]:
        way = ATTRIBUTABLE[self.metric.measure.name]
        prices = _Prices(self, way, KEY), _Prices(self, way, RESPONSE)
        found: tuple[dict[Hashable, list[Fraction]], ...] = {}, {}
        for document in self.documents:
            for side, rows in enumerate(way.rows(*self.tables(document))):
                price = prices[side]
                found[side][document] = [price[row] for row in rows]
        return found[KEY], found[RESPONSE]

    def class_totals(self, side: int) -> list[tuple[Fraction, Any]]:
        """How much each class of links weighs in the score, and its total in all documents."""
        counts = self.total.counts
        # Only BLANC has two classes of links.
        if not isinstance(counts, LinkClasses):
            return [(Fraction(1), counts[side].total)]
        counting = counts.counting()
        weight = Fraction(1, len(counting) or 1)
        return [
            (weight if any(links is each for each in counting) else Fraction(0), links[side].total)
            for links in counts
        ]


class _Prices(dict[Profile, Fraction]):
    """What an entity of each row costs, reckoned when it first occurs."""

    def __init__(self, costs: Costs, way: Attribution, side: int) -> None:
        super().__init__()
        self.metric, self.part = costs.metric, way.part
        self.classes = costs.class_totals(side)

    def __missing__(self, row: Profile) -> Fraction:
        cost = Fraction(0)
        for tally, (weight, total) in zip(self.part(self.metric, row), self.classes, strict=True):
            missing = tally.total - tally.hits
            # An entity that lists a mention twice may have hits where the total is 0.
            if missing and total:
                cost += weight * Fraction(missing) / total
        self[row] = cost
        return cost


def rows_of(t: Contingency) -> Overlaps:
    """(j, n) of each key entity's overlaps, of those that have any."""
    return t.once(_listed_rows)


def _listed_rows(t: Contingency) -> Overlaps:
    rows = defaultdict[int, list[tuple[int, int]]](list)
    for (i, j), n in t.pairs.items():
        rows[i].append((j, n))
    return dict(rows)
