"""Why a score is what it is: the terms that a measure's counts are the sum of.

Each count of a measure is a sum: over pairs of entities that overlap, over aligned pairs, over the
entities of a side. The formulas stand here once more, each beside its words; the tests hold every
sum to what the library counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import comb, fsum, log
from typing import Any, NamedTuple

from companion.alignment import align
from corefeval.alignment import Similarity
from corefeval.contingency import Contingency, Edge, Tables
from corefeval.conventions import Conventions
from corefeval.measures.ceaf import phi1, phi2, phi3, phi4
from corefeval.measures.derr import centroid, surpluses
from corefeval.registry import MEASURES, find
from corefeval.score import Number
from corefeval.twinless import POLICIES, completed


class Term(NamedTuple):
    """A term, and what it is of: two entities with n, k and r, or something named."""

    of: str
    value: Number
    triple: tuple[int, int, int] | None = None


class Sum(NamedTuple):
    """A count as the sum of its terms.

    ``where`` says where the library keeps it in the score's counts, ``each`` what a term is.
    """

    where: str
    title: str
    each: str
    terms: Sequence[Term]

    @property
    def total(self) -> Number:
        values = [term.value for term in self.terms]
        if any(isinstance(value, float) for value in values):
            return fsum(values)
        return sum(values, 0)


def terms(name: str, table: Contingency, **chosen: str) -> list[Sum]:
    """The sums of a measure's counts for a key and a response.

    Keywords choose conventions; ``singletons`` and ``repeated`` are for whoever makes the table.
    Entities are called K1, R1 and so on, in the order given; where ``twinless`` adds singletons,
    these are called "added".

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c}"))
    >>> recall, total, *_ = terms("muc", t)
    >>> recall.title, recall.each, [(term.of, term.value) for term in recall.terms], recall.total
    ('Recall, hits', 'n − 1', [('K1 ∩ R1', 1), ('K1 ∩ R2', 0)], 1)
    >>> total.each, total.total
    ('k − 1', 2)
    """
    conventions = Conventions(**chosen)
    named = _Named(conventions, table, POLICIES[conventions.twinless](table))
    return list(SUMS[name](named))


def shown(table: Contingency, **chosen: str) -> dict[str, list[dict[str, Any]]]:
    """The sums of every measure, in texts and lists.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c}"))
    >>> hits = shown(t)["b3"][0]
    >>> hits["terms"][0], hits["sum"]
    ({'of': 'K1 ∩ R1', 'triple': [2, 3, 2], 'value': '4/3'}, '5/3')
    """
    return {
        name: [
            {
                "title": each.title,
                "each": each.each,
                "terms": [
                    {
                        "of": term.of,
                        "triple": list(term.triple) if term.triple else None,
                        "value": _written(term.value),
                    }
                    for term in each.terms
                ],
                "sum": _written(each.total),
            }
            for each in terms(name, table, **chosen)
        ]
        for name in MEASURES
    }


def _written(value: Number) -> str:
    # Rounded first, and no minus before zero.
    # A part of a score would be shortened; here it is written in full.
    text = f"{round(value, 6) + 0.0:.6f}" if isinstance(value, float) else str(Fraction(value))
    return text.replace("-", "−")


# ------------------------------------------------------------------------------- names of pairs


class _Named(NamedTuple):
    """The tables for recall and for precision, and what is needed to name their entities."""

    conventions: Conventions
    given: Contingency
    tables: Tables

    def pairs(self, t: Contingency) -> Iterator[tuple[Edge, str, tuple[int, int, int]]]:
        """A table's pairs, their names and n, k, r. The given ones come first, in their order."""
        given = iter(self.given.pairs)
        for (i, j), n in t.pairs.items():
            i_given, j_given = next(given, (i, None))
            key = f"K{i_given + 1}" if i < self.given.key_entities else "added"
            response = "added" if j_given is None else f"R{j_given + 1}"
            name = f"{key} ∩ {response}" if key != response else "added, of the response alone"
            yield (i, j), name, (n, t.key_sizes[i], t.response_sizes[j])


def _over_pairs(
    named: _Named, t: Contingency, f: Callable[[int, int, int], Number], only: Iterable[Edge] = ()
) -> list[Term]:
    """A term for each pair, or for some."""
    chosen = set(only)
    return [
        Term(name, f(*triple), triple)
        for edge, name, triple in named.pairs(t)
        if not chosen or edge in chosen
    ]


def _over_entities(
    named: _Named, side: str, sizes: Sequence[int], f: Callable[[int], Number]
) -> list[Term]:
    """A term for each entity of a side, by its name unless some were dropped or added."""
    given = named.given.key_sizes if side == "K" else named.given.response_sizes
    as_given = list(sizes) == list(given)
    return [
        Term(f"{side}{i} of {size}" if as_given else f"an entity of {size}", f(size))
        for i, size in enumerate(sizes, 1)
    ]


# ------------------------------------------------------------------------------------ measures

Sums = Callable[[_Named], Iterator[Sum]]
SUMS: dict[str, Sums] = {}
"""How each measure's counts are sums."""


def _pairwise(
    hit: str, f: Callable[[int, int, int], Number], part: str, g: Callable[[int], Number]
) -> Sums:
    """Hits over the pairs, totals over the entities; precision with k and r exchanged."""

    def sums(named: _Named) -> Iterator[Sum]:
        t, u = named.tables.recall, named.tables.precision
        yield Sum("recall.hits", "Recall, hits", hit, _over_pairs(named, t, f))
        keys = _over_entities(named, "K", t.key_sizes, g)
        yield Sum("recall.total", "Recall, total", part, keys)
        exchanged = hit.translate(EXCHANGED), part.translate(EXCHANGED)
        hits = _over_pairs(named, u, lambda n, k, r: f(n, r, k))
        yield Sum("precision.hits", "Precision, hits", exchanged[0], hits)
        responses = _over_entities(named, "R", u.response_sizes, g)
        yield Sum("precision.total", "Precision, total", exchanged[1], responses)

    return sums


EXCHANGED = str.maketrans("kr", "rk")


def _aligned(similarity: Similarity, hit: str, part: str, g: Callable[[int], Number]) -> Sums:
    """Hits over the pairs of the best alignment, totals over the entities."""

    def hits(named: _Named, t: Contingency) -> list[Term]:
        best = align(t, similarity)
        return _over_pairs(named, t, similarity, best) if best else []

    def sums(named: _Named) -> Iterator[Sum]:
        t, u = named.tables.recall, named.tables.precision
        each = f"{hit}, aligned pairs"
        yield Sum("recall.hits", "Recall, hits", each, hits(named, t))
        keys = _over_entities(named, "K", t.key_sizes, g)
        yield Sum("recall.total", "Recall, total", part, keys)
        yield Sum("precision.hits", "Precision, hits", each, hits(named, u))
        responses = _over_entities(named, "R", u.response_sizes, g)
        yield Sum("precision.total", "Precision, total", part.translate(EXCHANGED), responses)

    return sums


def _lea(n: int, k: int, r: int) -> Fraction:
    return Fraction(n * (n - 1), k - 1) if k > 1 else Fraction(r == 1)


def _links(named: _Named) -> Iterator[Sum]:
    """The links of both classes, for recall and for precision."""
    t, u = named.tables.recall, named.tables.precision
    for part, table, side, sizes in (
        ("recall", t, "K", t.key_sizes),
        ("precision", u, "R", u.response_sizes),
    ):
        size = "k" if side == "K" else "r"
        hits = _over_pairs(named, table, lambda n, k, r: comb(n, 2))
        title = f"{part.capitalize()}, coreference links"
        yield Sum(f"coreference.{part}.hits", f"{title} of both", "n (n − 1) / 2", hits)
        within = _over_entities(named, side, sizes, lambda size: comb(size, 2))
        whose = "the key" if side == "K" else "the response"
        each = f"{size} ({size} − 1) / 2"
        yield Sum(f"coreference.{part}.total", f"{title} of {whose}", each, within)
        title = f"{part.capitalize()}, other links"
        inside = sum(term.value for term in hits)
        keys, responses = (
            Counter(side_of.shared_histogram).elements() for side_of in (table, table.T)
        )
        apart = [
            Term("pairs of shared mentions", comb(table.shared_mentions, 2)),
            Term("within a key entity", -sum(comb(each, 2) for each in keys)),
            Term("within a response entity", -sum(comb(each, 2) for each in responses)),
            Term("within both", inside),
        ]
        yield Sum(f"non_coreference.{part}.hits", f"{title} of both", "pairs of mentions", apart)
        across = [
            Term("pairs of mentions", comb(sum(sizes), 2)),
            Term("within an entity", -sum(term.value for term in within)),
        ]
        each = "pairs of mentions"
        yield Sum(f"non_coreference.{part}.total", f"{title} of {whose}", each, across)


def _kappa(named: _Named) -> Iterator[Sum]:
    t = named.tables.recall
    hits = _over_pairs(named, t, lambda n, k, r: n - 1)
    a = sum(term.value for term in hits)
    yield Sum("both", "a, links of both", "n − 1", hits)
    keys = _over_entities(named, "K", t.key_sizes, lambda k: k - 1)
    key = sum(term.value for term in keys)
    less = Term("those of both", -a)
    yield Sum("key_only", "c, links of the key alone", "k − 1", [*keys, less])
    responses = _over_entities(named, "R", t.response_sizes, lambda r: r - 1)
    response = sum(term.value for term in responses)
    yield Sum("response_only", "b, links of the response alone", "r − 1", [*responses, less])
    mentions = t.key_mentions + t.T.key_mentions - t.shared_mentions
    rest = [
        Term("mentions of either side, but one", max(mentions - 1, 0)),
        Term("links of the key", -key),
        Term("links of the response", -response),
        Term("counted twice", a),
    ]
    yield Sum("neither", "d, links of neither", "", rest)


def _cores(named: _Named) -> Iterator[Sum]:
    """The largest fragment of each entity."""
    for part, t, place in (
        ("recall", named.tables.recall, 0),
        ("precision", named.tables.precision, 1),
    ):
        best: dict[int, Edge] = {}
        for edge, n in t.pairs.items():
            if n > t.pairs.get(best.get(edge[place], (-1, -1)), 0):
                best[edge[place]] = edge
        title = part.capitalize()
        cores = _over_pairs(named, t, lambda n, k, r: n - 1, best.values()) if best else []
        yield Sum(f"{part}.hits", f"{title}, hits", "n − 1, largest fragments", cores)
        side, sizes = ("R", t.response_sizes) if place else ("K", t.key_sizes)
        each = "r − 1" if place else "k − 1"
        whole = _over_entities(named, side, sizes, lambda size: size - 1)
        yield Sum(f"{part}.total", f"{title}, total", each, whole)


def _sizes(named: _Named) -> Iterator[Sum]:
    """The distance of the two sides' sizes, largest first."""
    t = completed(named.tables.recall)
    k, r = (sorted(sizes, reverse=True) for sizes in (t.key_sizes, t.response_sizes))
    largest = 2 * max(t.key_mentions - 1, 0)
    differences = [
        Term(f"number {i}: {a} and {b}", -abs(a - b))
        for i, (a, b) in enumerate(zip_longest(k, r, fillvalue=0), 1)
    ]
    most = Term("the largest distance that there can be", largest)
    yield Sum("tally.hits", "Value, hits", "less the difference of sizes", [most, *differences])
    yield Sum("tally.total", "Value, total", "2 (mentions − 1)", [most])


def _exclusive(named: _Named) -> Iterator[Sum]:
    """What each key entity was given, from the largest to the smallest."""
    t, reading = completed(named.tables.recall), named.conventions.exclusive
    given = _given(t, reading)
    correct = _over_pairs(named, t, lambda n, k, r: n, given) if given else []
    yield Sum(f"{reading}.0", "Correct", "n, pairs given exclusively", correct)
    incorrect = _over_pairs(named, t, lambda n, k, r: r - n, given) if given else []
    yield Sum(f"{reading}.1", "Incorrect", "r − n, the same pairs", incorrect)
    mentions = _over_entities(named, "K", t.key_sizes, lambda k: k)
    yield Sum("mentions", "Mentions of either side", "k", mentions)


def _given(t: Contingency, reading: str) -> list[Edge]:
    """Each key entity's best match unless taken ("core"), or its best that is free ("free")."""
    found: list[Edge] = []
    for i in sorted(range(t.key_entities), key=lambda i: -t.key_sizes[i]):
        taken = {j for _, j in found}
        row = {j: n for (key, j), n in t.pairs.items() if key == i}
        open_to = [j for j in row if reading == "core" or j not in taken]
        free = [j for j in open_to if row[j] == max(row[j] for j in open_to) and j not in taken]
        found += [(i, min(free))] if free else []
    return found


def _centroids(named: _Named) -> Iterator[Sum]:
    """How far the surpluses of the two sides lie apart."""
    t = completed(named.tables.recall)
    surplus = surpluses(t.key_histogram, t.T.key_histogram)
    terms = []
    if all(surplus):
        most = max(len(t.key_sizes), len(t.response_sizes)) - 1
        diagonal = t.key_mentions**2 + most**2
        names = ("mean number", "mean size")
        for name, a, b in zip(names, *map(centroid, surplus), strict=True):
            of = f"{name}: {a} in the key's surplus, {b} in the response's"
            terms.append(Term(of, (a - b) ** 2 / diagonal))
    each = "(difference)² / (mentions² + (entities − 1)²)"
    yield Sum("each.0.square", "Value, squared", each, terms)


def _entropy(named: _Named) -> Iterator[Sum]:
    """What a side tells, less what it tells without reason; in doubles."""
    for part, t in (
        ("recall", completed(named.tables.recall)),
        ("precision", completed(named.tables.precision).T),
    ):
        own, other = ("R", "r") if part == "recall" else ("K", "k")
        size = {"r": "k", "k": "r"}[other]
        told = [
            Term(f"{own}{j} of {r}", r * log(t.key_mentions / r))
            for j, r in enumerate(t.response_sizes, 1)
        ]
        lost = [
            Term("without reason", -n * log(t.key_sizes[i] / n)) for (i, _), n in t.pairs.items()
        ]
        title = part.capitalize()
        each = f"{other} log(mentions / {other}), less n log({size} / n)"
        yield Sum(f"{part}.hits", f"{title}, hits", each, [*told, *lost])
        yield Sum(f"{part}.total", f"{title}, total", f"{other} log(mentions / {other})", told)


def _mean_of(names: Sequence[str]) -> Sums:
    """The F1 scores of other measures, a share of each."""

    def sums(named: _Named) -> Iterator[Sum]:
        found = []
        for name in names:
            measure = find(name)
            score = measure.counts(named.tables).score(named.conventions)
            found.append(Term(f"{measure.title} F1", Fraction(score.f1 or 0) / len(names)))
        yield Sum("", "F1", f"F1 / {len(names)}", found)

    return sums


SUMS |= {
    "mentions": _pairwise("n", lambda n, k, r: n, "k", lambda k: k),
    "muc": _pairwise("n − 1", lambda n, k, r: n - 1, "k − 1", lambda k: k - 1),
    "b3": _pairwise("n² / k", lambda n, k, r: Fraction(n * n, k), "k", lambda k: k),
    "b3_class": _pairwise("n² / k²", lambda n, k, r: Fraction(n * n, k * k), "1", lambda k: 1),
    "lea": _pairwise("n (n − 1) / (k − 1), 1 for equal singletons", _lea, "k", lambda k: k),
    "ceafm": _aligned(phi3, "n", "k", lambda k: k),
    "ceafe": _aligned(phi4, "2 n / (k + r)", "1", lambda k: 1),
    "ceaf1": _aligned(phi1, "1 for equal entities", "1", lambda k: 1),
    "ceaf2": _aligned(phi2, "1", "1", lambda k: 1),
    "blanc": _links,
    "blanc_both": _links,
    "conll": _mean_of(("muc", "b3", "ceafe")),
    "kappa": _kappa,
    "c": _cores,
    "h": _entropy,
    "dmt": _sizes,
    "xc": _exclusive,
    "derr": _centroids,
}
