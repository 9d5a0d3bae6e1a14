"""The best one-to-one alignment of two sides' entities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf, lcm

from corefeval.overlap.contingency import Contingency, Edge, Triple, exact_sum
from corefeval.score import Exact

Similarity = Callable[[int, int, int], Exact]
Two = dict[int, tuple[int, int]]
Entity = tuple[int, int]
"""0 for the key or 1 for the response, and its number on that side."""

EXACT_SIZE = 60
"""A component with at most this many entities on its smaller side is solved in whole numbers."""
MOST_ROUNDS = 12
"""How often `settle` goes over all open pairs. Usual tables need fewer rounds; a long chain of
entities would need one for the two pairs at its ends."""
DENSE_CELLS = 25_000_000
"""A dense matrix of this many doubles takes 200 MB."""


def assign(weights: Mapping[Edge, Exact]) -> list[Edge]:
    """Edges (i, j) of a graph, no two with an end in common, whose weights > 0 add up to the most.

    Where several choices are best, one of them. The sum is the true maximum where no connected
    component of the graph has more than `EXACT_SIZE` vertices on both sides. In a larger one SciPy
    chooses by sums of doubles: exact for whole weights (below 2⁵³), while of other weights ≤ 1 it
    cannot tell apart choices of m edges whose sums differ by less than about m² · 10⁻¹⁶.

    Source: Kuhn 1955.

    >>> assign({(0, 0): 3, (0, 1): 2, (1, 0): 2})
    [(0, 1), (1, 0)]
    """
    return sorted(edge for part in components(weights) for edge in _aligned(part))


def best_sum(t: Contingency, similarity: Similarity) -> Exact:
    """max Σ φ over the one-to-one alignments of key and response entities, summed exactly.

    ``similarity(n, k, r)`` is a pair's φ ≥ 0, which must be 0 for entities that do not overlap.
    `settle` decides most pairs by a simple rule; the limits of `assign` apply to the others. In a
    table of label arrays the rule compares doubles, which tell the values of φ₄ apart where no two
    entities have more than 4 · 10⁷ mentions.

    Source: Luo 2005.

    >>> from fractions import Fraction
    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b d} {c e}"))
    >>> best_sum(t, lambda n, k, r: Fraction(2 * n, k + r))
    Fraction(7, 6)
    """
    phi = {triple: similarity(*triple) for triple in t.triples}
    chosen, left = settle(t, whole(phi))
    weights = {edge: phi[triple] for edge, triple in left.items()}
    chosen.update(left[edge] for edge in assign(weights))
    return exact_sum((phi[triple], times) for triple, times in chosen.items())


def best_pairs(t: Contingency, similarity: Similarity) -> list[Edge]:
    """The pairs (i, j) of one of the alignments that `best_sum` sums up.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b d} {c e}"))
    >>> best_pairs(t, lambda n, k, r: n)
    [(0, 0), (1, 1)]
    """
    value = whole({triple: similarity(*triple) for triple in t.triples})
    fixed, left = _fixed(t, value)
    return sorted([*fixed, *assign({edge: value[triple] for edge, triple in left.items()})])


def whole(values: Mapping[Triple, Exact]) -> dict[Triple, int]:
    """Values made whole by their common denominator: they are compared and added faster."""
    scale = lcm(*{value.denominator for value in values.values()})
    return {triple: v.numerator * (scale // v.denominator) for triple, v in values.items()}


def settle(
    t: Contingency, value: Mapping[Triple, int]
) -> tuple[Counter[Triple], dict[Edge, Triple]]:
    """Pairs of a best one-to-one alignment by a simple rule, and the pairs that it leaves open.

    If a pair is worth as much as the best other pair of its key entity and the best other pair of
    its response entity together, some best alignment contains it: there it could take the place of
    those two. Fix it, drop the other pairs of its entities, repeat. ``value`` is what a pair of
    each triple (n, k, r) is worth. The pairs fixed are returned as triples, counted; the pairs
    left open by the numbers (i, j) of their entities, in a table with an `Aligner` those of its
    arrays: it follows the same rule.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c} {d e}"), Partition.parse("{a b} {c} {d e}"))
    >>> settle(t, {(n, k, r): n for n, k, r in t.triples})
    (Counter({(2, 3, 2): 1, (2, 2, 2): 1}), {})
    """
    if t.aligner is not None:
        return t.aligner.settle(value)
    fixed, left = _fixed(t, value)
    k, r = t.key_sizes, t.response_sizes
    return Counter((t.pairs[i, j], k[i], r[j]) for i, j in fixed), left


def _fixed(t: Contingency, value: Mapping[Triple, int]) -> tuple[list[Edge], dict[Edge, Triple]]:
    """The pairs that the rule of `settle` fixes in a table that lists its pairs, and those left."""
    k, r = t.key_sizes, t.response_sizes
    every = {(i, j): (n, k[i], r[j]) for (i, j), n in t.pairs.items()}
    left = {edge: triple for edge, triple in every.items() if value[triple]}
    fixed: list[Edge] = []
    for _ in range(MOST_ROUNDS):
        of_key, of_response = _two_best(left, value)
        keys, responses = set(), set()
        for (i, j), triple in left.items():
            worth = value[triple]
            (best, second), (best_there, second_there) = of_key[i], of_response[j]
            others = second if worth == best else best
            others += second_there if worth == best_there else best_there
            if worth >= others and i not in keys and j not in responses:
                fixed.append((i, j))
                keys.add(i)
                responses.add(j)
        if not keys:
            return fixed, left
        left = {(i, j): nkr for (i, j), nkr in left.items() if i not in keys and j not in responses}
    fixed_later, left = fixed_after_losses(left, value)
    return fixed + fixed_later, left


def fixed_after_losses(
    pairs: Mapping[Edge, Triple], value: Mapping[Triple, int]
) -> tuple[list[Edge], dict[Edge, Triple]]:
    """The pairs that the rule of `settle` fixes, and those left, in linear time for a long chain.

    A pair is asked again only after one of its entities has lost another pair.
    """
    left = _OpenPairs({edge: value[triple] for edge, triple in pairs.items()})
    fixed: list[Edge] = []
    changed = set(left.edges_of)
    while changed:
        for entity in changed:
            left.find_two_best(entity)
        asked = dict.fromkeys(edge for entity in changed for edge in left.edges_of[entity])
        changed.clear()
        for edge in asked:
            if left.can_be_fixed(edge):
                fixed.append(edge)
                changed |= left.fix(edge)
        changed &= left.edges_of.keys()
    return fixed, {edge: triple for edge, triple in pairs.items() if edge in left.worth}


class _OpenPairs:
    """Pairs that are neither fixed nor lost to one that is, with what they are worth."""

    def __init__(self, worth: dict[Edge, int]) -> None:
        self.worth = worth
        self.edges_of: defaultdict[Entity, dict[Edge, None]] = defaultdict(dict)
        for edge in worth:
            for entity in enumerate(edge):
                self.edges_of[entity][edge] = None
        self.two_best: dict[Entity, list[int]] = {}
        """What the second best pair of an entity and its best one were worth when last asked."""

    def find_two_best(self, entity: Entity) -> None:
        self.two_best[entity] = sorted(
            [0, 0, *(self.worth[edge] for edge in self.edges_of[entity])]
        )[-2:]

    def can_be_fixed(self, edge: Edge) -> bool:
        """Whether the pair is open, and worth as much as the best others of its two entities."""
        if edge not in self.worth:
            return False
        worth, others = self.worth[edge], 0
        for entity in enumerate(edge):
            second, best = self.two_best[entity]
            others += second if worth == best else best
        return worth >= others

    def fix(self, edge: Edge) -> set[Entity]:
        """Drop the pair and the others of its entities; return the entities that lost one."""
        key, response = enumerate(edge)
        losers = set()
        for lost in self.edges_of.pop(key) | self.edges_of.pop(response):
            del self.worth[lost]
            for entity in enumerate(lost):
                if entity in self.edges_of:
                    del self.edges_of[entity][lost]
                    losers.add(entity)
        return losers


def _two_best(pairs: Mapping[Edge, Triple], value: Mapping[Triple, int]) -> tuple[Two, Two]:
    """What the best pair and the second best of each key and of each response entity are worth."""
    of_key: Two = {}
    of_response: Two = {}
    for (i, j), triple in pairs.items():
        worth = value[triple]
        for entity, two in ((i, of_key), (j, of_response)):
            best, second = two.get(entity, (0, 0))
            if worth > second:
                two[entity] = (worth, best) if worth > best else (best, worth)
    return of_key, of_response


def components(weights: Mapping[Edge, Exact]) -> Iterator[dict[Edge, Exact]]:
    """The edges of each connected component: no alignment in one constrains another."""
    of_key, of_response = defaultdict(list), defaultdict(list)
    for i, j in weights:
        of_key[i].append(j)
        of_response[j].append(i)
    for start in list(of_key):
        component, waiting = {}, [start]
        while waiting:
            i = waiting.pop()
            for j in of_key.pop(i, ()):  # gone if it was reached before
                component[i, j] = weights[i, j]
                waiting += of_response.pop(j, ())
        if component:
            yield component


def _aligned(weights: Mapping[Edge, Exact]) -> Iterable[Edge]:
    """The best alignment within one component."""
    keys = sorted({i for i, _ in weights})
    responses = sorted({j for _, j in weights})
    if len(keys) > len(responses):
        exchanged = {(j, i): weight for (i, j), weight in weights.items()}
        return [(i, j) for j, i in _aligned(exchanged)]
    if len(keys) == 1:  # as most components: nothing to search
        return [max(weights, key=weights.__getitem__)]
    row = {entity: n for n, entity in enumerate(keys)}
    column = {entity: n for n, entity in enumerate(responses)}
    cells = {(row[i], column[j]): weight for (i, j), weight in weights.items()}
    solve = _by_scipy if len(keys) > EXACT_SIZE else _exact
    chosen = solve(cells, len(keys), len(responses))
    return [(keys[i], responses[j]) for i, j in chosen if (i, j) in cells]


def _exact(weights: Mapping[Edge, Exact], rows: int, columns: int) -> Iterable[Edge]:
    """Kuhn's Hungarian method with potentials, in whole numbers: O(rows² · columns).

    Every row gets a column of its own, at the least cost; a pair without an edge costs 0.
    """
    scale = lcm(*{weight.denominator for weight in weights.values()})
    cost = [[0] * columns for _ in range(rows)]
    for (i, j), weight in weights.items():
        cost[i][j] = -weight.numerator * (scale // weight.denominator)
    free = columns  # an extra column, where each row's search begins
    row_of: list[int] = [-1] * (free + 1)
    row_potential = [0] * rows
    column_potential = [0] * (free + 1)
    for row in range(rows):
        row_of[free] = row
        slack: list[float] = [inf] * free
        came_from = [free] * free
        visited: list[int] = []
        outside = set(range(free))
        column = free
        while row_of[column] != -1:
            visited.append(column)
            outside.discard(column)
            i = row_of[column]
            for j in outside:
                reduced = cost[i][j] - row_potential[i] - column_potential[j]
                if reduced < slack[j]:
                    slack[j], came_from[j] = reduced, column
            nearest = min(outside, key=slack.__getitem__)
            step = int(slack[nearest])
            for j in visited:
                row_potential[row_of[j]] += step
                column_potential[j] -= step
            for j in outside:
                slack[j] -= step
            column = nearest
        while column != free:  # turn the path round
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    return [(row, column) for column, row in enumerate(row_of[:free]) if row != -1]


def _by_scipy(weights: Mapping[Edge, Exact], rows: int, columns: int) -> Iterable[Edge]:
    """SciPy's assignment: dense where that fits into memory, else over the edges alone."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import csr_array, hstack
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    at = ([i for i, _ in weights], [j for _, j in weights])
    gain = np.fromiter(map(float, weights.values()), float)
    if rows * columns <= DENSE_CELLS:
        dense = np.zeros((rows, columns))
        dense[at] = gain
        chosen = linear_sum_assignment(dense, maximize=True)
    else:
        # A dummy column for every row lets it stay alone. All costs must be positive, and every
        # full matching has as many edges, so the same is added to each.
        high = float(np.max(gain)) + 1
        edges = csr_array((high - gain, at), (rows, columns))
        alone = csr_array((np.full(rows, high), (range(rows), range(rows))))
        chosen = min_weight_full_bipartite_matching(hstack([edges, alone]).tocsr())
    return zip(*(side.tolist() for side in chosen), strict=True)
