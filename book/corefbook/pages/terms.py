"""Why a score is what it is: the terms that a measure's counts are the sum of.

Each count of a measure is a sum: over pairs of entities that overlap, over aligned pairs, over the
entities of a side. A pair's term is what the library counts in a table of that pair alone, an
entity's what it counts in a table of that entity alone: its own formula, which has only words
here. What does not come apart in that way (links between entities, H, DMT, XC) is summed
here. The tests hold every sum to what the library counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from math import comb, fsum, log
from operator import attrgetter
from typing import NamedTuple

from corefbook.alignment import align
from corefbook.tables import Table
from corefeval.conventions import Conventions
from corefeval.measures.blanc import links_within
from corefeval.measures.ceaf import phi1, phi2, phi3, phi4
from corefeval.overlap.alignment import Similarity
from corefeval.overlap.contingency import Contingency, Edge, Tables, Triple
from corefeval.overlap.twinless import POLICIES, completed
from corefeval.registry import Measure, find
from corefeval.score import Number


class Term(NamedTuple):
    """A term, and what it is of: two entities with n, k and r, or something named."""

    of: str
    value: Number
    triple: Triple | None = None


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
    case = _Case(find(name), conventions, table, POLICIES[conventions.twinless](table))
    return list(SUMS[name](case))


def term_tables(name: str, table: Contingency, **chosen: str) -> str:
    """The sums of a measure's counts, each as a table of HTML.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c}"))
    >>> found = term_tables("b3", t)
    >>> "K1 ∩ R1, n = 2, k = 3, r = 2" in found, "4/3" in found, "5/3" in found
    (True, True, True)
    """
    return "".join(_shown(each).html() for each in terms(name, table, **chosen))


def _shown(count: Sum) -> Table:
    rows = []
    for name, value, triple in count.terms:
        sizes = ", n = {}, k = {}, r = {}".format(*triple) if triple else ""
        rows.append([name + sizes, _written(value)])
    return Table([count.title, count.each], rows, footer=["sum", _written(count.total)])


def _written(value: Number) -> str:
    # Rounded first, and no minus before zero.
    # A part of a score would be shortened; here it is written in full.
    text = f"{round(value, 6) + 0.0:.6f}" if isinstance(value, float) else str(Fraction(value))
    return text.replace("-", "−")


# ------------------------------------------------------------------------ terms and their names


class _Case(NamedTuple):
    """A measure, the tables for recall and precision, and what is needed to name their entities."""

    measure: Measure
    conventions: Conventions
    given: Contingency
    tables: Tables

    def over_pairs(
        self, where: str, t: Contingency, chosen: Collection[Edge] | None = None
    ) -> list[Term]:
        """A term for each pair, or for the chosen ones: what is counted in the pair alone."""
        return [
            Term(name, _of_pair(self.measure, where, triple), triple)
            for edge, name, triple in self.pairs(t)
            if chosen is None or edge in chosen
        ]

    def over_entities(self, where: str, t: Contingency, side: str) -> list[Term]:
        """A term for each entity of side K or R: what is counted in the entity alone."""
        return [
            Term(name, _of_entity(self.measure, where, side, size))
            for name, size in self.entities(t, side)
        ]

    def pairs(self, t: Contingency) -> Iterator[tuple[Edge, str, Triple]]:
        """A table's pairs, their names and n, k, r. The given ones come first, in their order."""
        given = iter(self.given.pairs)
        for (i, j), n in t.pairs.items():
            i_given, j_given = next(given, (i, None))
            key = f"K{i_given + 1}" if i < self.given.key_entities else "added"
            response = "added" if j_given is None else f"R{j_given + 1}"
            name = f"{key} ∩ {response}" if key != response else "added, of the response alone"
            yield (i, j), name, (n, t.key_sizes[i], t.response_sizes[j])

    def entities(self, t: Contingency, side: str) -> Iterator[tuple[str, int]]:
        """The entities of a side and their sizes, by name unless some were dropped or added."""
        sizes, given = (
            each.key_sizes if side == "K" else each.response_sizes for each in (t, self.given)
        )
        for i, size in enumerate(sizes, 1):
            yield f"{side}{i} of {size}" if sizes == given else f"an entity of {size}", size


@cache
def _of_pair(measure: Measure, where: str, pair: Triple) -> Number:
    """What a measure counts in a table of one pair, at a place of its counts."""
    n, k, r = pair
    return _counted(measure, where, Contingency({(0, 0): n}, [k], [r]))


@cache
def _of_entity(measure: Measure, where: str, side: str, size: int) -> Number:
    """What a measure counts in a table of one entity, at a place of its counts."""
    key = Contingency({}, [size], [])
    return _counted(measure, where, key if side == "K" else key.T)


def _counted(measure: Measure, where: str, t: Contingency) -> Number:
    counts = measure.counts(Tables.alike(t))
    return attrgetter(where)(counts)


# ------------------------------------------------------------------------------------ measures

Sums = Callable[[_Case], Iterator[Sum]]


class Each(NamedTuple):
    """How a term of the hits is written, and one of the total."""

    hits: str
    total: str


def _over_pairs(
    recall: Each,
    precision: Each,
    chosen: Callable[[Contingency, str], Collection[Edge]] | None = None,
) -> Sums:
    """Hits over the pairs, or over those chosen for recall or precision; totals over entities."""

    def sums(case: _Case) -> Iterator[Sum]:
        for part, each, side in (("recall", recall, "K"), ("precision", precision, "R")):
            t: Contingency = getattr(case.tables, part)
            pairs = chosen(t, part) if chosen else None
            hits, total = f"{part}.hits", f"{part}.total"
            title = part.capitalize()
            yield Sum(hits, f"{title}, hits", each.hits, case.over_pairs(hits, t, pairs))
            entities = case.over_entities(total, t, side)
            yield Sum(total, f"{title}, total", each.total, entities)

    return sums


def _aligned(similarity: Similarity, hit: str, key: str, response: str) -> Sums:
    """Hits over the pairs of the best alignment, totals over the entities."""
    hits = f"{hit}, aligned pairs"
    return _over_pairs(Each(hits, key), Each(hits, response), lambda t, part: align(t, similarity))


def _largest_fragments(t: Contingency, part: str) -> Collection[Edge]:
    """The pair with the largest n of each entity of the key (recall) or of the response."""
    place = 0 if part == "recall" else 1
    best: dict[int, Edge] = {}
    for edge, n in t.pairs.items():
        entity = edge[place]
        if entity not in best or n > t.pairs[best[entity]]:
            best[entity] = edge
    return best.values()


def _links(case: _Case) -> Iterator[Sum]:
    """The links of both classes, for recall and for precision."""
    t, u = case.tables.recall, case.tables.precision
    yield from _links_of(case, "recall", t, "K", "the key")
    yield from _links_of(case, "precision", u, "R", "the response")


def _links_of(case: _Case, part: str, t: Contingency, side: str, whose: str) -> Iterator[Sum]:
    size = "k" if side == "K" else "r"
    where, title = f"coreference.{part}", f"{part.capitalize()}, coreference links"
    hits = case.over_pairs(f"{where}.hits", t)
    yield Sum(f"{where}.hits", f"{title} of both", "n (n − 1) / 2", hits)
    within = case.over_entities(f"{where}.total", t, side)
    term = f"{size} ({size} − 1) / 2"
    yield Sum(f"{where}.total", f"{title} of {whose}", term, within)
    where, title = f"non_{where}", f"{part.capitalize()}, other links"
    apart = [
        Term("pairs of shared mentions", comb(t.shared_mentions, 2)),
        Term("within a key entity", -links_within(t.shared_histogram)),
        Term("within a response entity", -links_within(t.T.shared_histogram)),
        Term("within both", _sum(hits)),
    ]
    yield Sum(f"{where}.hits", f"{title} of both", "pairs of mentions", apart)
    mentions = t.key_mentions if side == "K" else t.T.key_mentions
    across = [
        Term("pairs of mentions", comb(mentions, 2)),
        Term("within an entity", -_sum(within)),
    ]
    yield Sum(f"{where}.total", f"{title} of {whose}", "pairs of mentions", across)


def _sum(terms: Sequence[Term]) -> Number:
    return sum(term.value for term in terms)


def _kappa(case: _Case) -> Iterator[Sum]:
    t = case.tables.recall
    hits = case.over_pairs("both", t)
    a = _sum(hits)
    yield Sum("both", "a, links of both", "n − 1", hits)
    keys = case.over_entities("key_only", t, "K")
    less = Term("those of both", -a)
    yield Sum("key_only", "c, links of the key alone", "k − 1", [*keys, less])
    responses = case.over_entities("response_only", t, "R")
    yield Sum("response_only", "b, links of the response alone", "r − 1", [*responses, less])
    mentions = t.key_mentions + t.T.key_mentions - t.shared_mentions
    rest = [
        Term("mentions of either side, but one", max(mentions - 1, 0)),
        Term("links of the key", -_sum(keys)),
        Term("links of the response", -_sum(responses)),
        Term("counted twice", a),
    ]
    yield Sum("neither", "d, links of neither", "", rest)


def _sizes(case: _Case) -> Iterator[Sum]:
    """The distance of the two sides' sizes, largest first."""
    t = completed(case.tables.recall)
    k, r = (sorted(sizes, reverse=True) for sizes in (t.key_sizes, t.response_sizes))
    largest = 2 * max(t.key_mentions - 1, 0)
    differences = [
        Term(f"number {i}: {a} and {b}", -abs(a - b))
        for i, (a, b) in enumerate(zip_longest(k, r, fillvalue=0), 1)
    ]
    most = Term("the largest distance that there can be", largest)
    yield Sum("tally.hits", "Value, hits", "less the difference of sizes", [most, *differences])
    yield Sum("tally.total", "Value, total", "2 (mentions − 1)", [most])


def _exclusive(case: _Case) -> Iterator[Sum]:
    """What each key entity was given, from the largest to the smallest."""
    t = completed(case.tables.recall)
    given = _given(t, free=case.measure.name == "xc_free")
    pairs = [(name, triple) for edge, name, triple in case.pairs(t) if edge in given]
    correct = [Term(name, n, (n, k, r)) for name, (n, k, r) in pairs]
    yield Sum("correct", "Correct", "n, pairs given exclusively", correct)
    incorrect = [Term(name, r - n, (n, k, r)) for name, (n, k, r) in pairs]
    yield Sum("incorrect", "Incorrect", "r − n, the same pairs", incorrect)
    mentions = [Term(name, size) for name, size in case.entities(t, "K")]
    yield Sum("mentions", "Mentions of either side", "k", mentions)


def _given(t: Contingency, free: bool) -> list[Edge]:
    """Each key entity's best match unless taken or, if ``free``, its best that is free."""
    given_pairs: list[Edge] = []
    for i in sorted(range(t.key_entities), key=lambda i: -t.key_sizes[i]):
        taken = {j for _, j in given_pairs}
        row = {j: n for (key, j), n in t.pairs.items() if key == i}
        open_to = [j for j in row if not free or j not in taken]
        best = [j for j in open_to if row[j] == max(row[j] for j in open_to) and j not in taken]
        given_pairs += [(i, min(best))] if best else []
    return given_pairs


def _entropy(case: _Case) -> Iterator[Sum]:
    """The sums of H, in doubles: a side's entropy, and it less what it tells without reason."""
    t, u = completed(case.tables.recall), completed(case.tables.precision)
    yield from _told("recall", t, "R", "r", "k")
    yield from _told("precision", u.T, "K", "k", "r")


def _told(part: str, t: Contingency, side: str, size: str, other: str) -> Iterator[Sum]:
    mentions = t.key_mentions
    entropy = [
        Term(f"{side}{j} of {r}", r * log(mentions / r)) for j, r in enumerate(t.response_sizes, 1)
    ]
    lost = [Term("without reason", -n * log(t.key_sizes[i] / n)) for (i, _), n in t.pairs.items()]
    title, total = part.capitalize(), f"{size} log(mentions / {size})"
    term = f"{total}, less n log({other} / n)"
    yield Sum(f"{part}.hits", f"{title}, hits", term, [*entropy, *lost])
    yield Sum(f"{part}.total", f"{title}, total", total, entropy)


def _mean_of(names: Sequence[str]) -> Sums:
    """The F1 scores of other measures, a share of each."""

    def sums(case: _Case) -> Iterator[Sum]:
        shares = []
        for name in names:
            measure = find(name)
            score = measure.counts(case.tables).score(case.conventions)
            shares.append(Term(f"{measure.title} F1", Fraction(score.exact.f1 or 0) / len(names)))
        yield Sum("", "F1", f"F1 / {len(names)}", shares)

    return sums


SUMS: dict[str, Sums] = {
    "mentions": _over_pairs(Each("n", "k"), Each("n", "r")),
    "muc": _over_pairs(Each("n − 1", "k − 1"), Each("n − 1", "r − 1")),
    "b3": _over_pairs(Each("n² / k", "k"), Each("n² / r", "r")),
    "b3_class": _over_pairs(Each("n² / k²", "1"), Each("n² / r²", "1")),
    "lea": _over_pairs(
        Each("n (n − 1) / (k − 1), 1 for equal singletons", "k"),
        Each("n (n − 1) / (r − 1), 1 for equal singletons", "r"),
    ),
    "ceafm": _aligned(phi3, "n", "k", "r"),
    "ceafe": _aligned(phi4, "2 n / (k + r)", "1", "1"),
    "ceaf1": _aligned(phi1, "1 for equal entities", "1", "1"),
    "ceaf2": _aligned(phi2, "1", "1", "1"),
    "blanc": _links,
    "blanc_both": _links,
    "pairwise": _over_pairs(
        Each("n (n − 1) / 2", "k (k − 1) / 2"),
        Each("n (n − 1) / 2", "r (r − 1) / 2"),
    ),
    "conll": _mean_of(("muc", "b3", "ceafe")),
    "kappa": _kappa,
    "c": _over_pairs(
        Each("n − 1, largest fragments", "k − 1"),
        Each("n − 1, largest fragments", "r − 1"),
        _largest_fragments,
    ),
    "h": _entropy,
    "dmt": _sizes,
    "xc": _exclusive,
    "xc_free": _exclusive,
}
"""How each measure's counts are sums."""
