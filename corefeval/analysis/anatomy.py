"""What became of every entity, and what each takes from recall and precision."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import nlargest
from math import comb, lcm
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from corefeval.alignment import Similarity, assign
from corefeval.contingency import KEY, SIDES, Contingency, exact_sum
from corefeval.conventions import Conventions, Options
from corefeval.corpus import asked_documents, report_on
from corefeval.display import Row, Shown, Table, document_name, frame_of_rows, percent
from corefeval.errors import CorefError, named
from corefeval.lazily import cached_property
from corefeval.measures.ceaf import phi3, phi4
from corefeval.partition import Mention, Partition, names_by_number
from corefeval.registry import find
from corefeval.report import Report
from corefeval.score import Tally
from corefeval.scoring import overlap_of, sides_of, tables_by, tables_of

if TYPE_CHECKING:
    from corefeval.readers import FilePair
    from corefeval.readers.texts import Text

OWN_ROW = ("mentions", "muc", "b3", "pairwise", "lea")
"""Measures whose hits and totals are sums over key entities, each counted by itself."""
ALIGNED: dict[str, Similarity] = {"ceafm": phi3, "ceafe": phi4}
"""Measures whose hits are those of the alignment in which a similarity is largest."""
USUAL = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
KINDS = (("whole", "partial", "split", "missed"), ("pure", "padded", "merged", "invented"))
"""Of a side's entity: all its mentions are in one entity of the other side; some are, and the
others in none; they are in two or more; all are in none."""
MOST_PARTS = 4
MOST_SIGNS = 40


class Entity(NamedTuple):
    """An entity of a side, what the other side makes of it, and what that costs."""

    document: Hashable
    side: str
    id: str
    """Its name in a file, or its number, counted from 1."""
    kind: str
    """One of `KINDS`."""
    equal: bool
    """Whether the other side has the very same entity."""
    size: int
    parts: Mapping[str, int]
    """By name of an entity of the other side: how many mentions it shares with it."""
    alone: int
    """How many of its mentions the other side lacks."""
    mentions: Sequence[Mention]
    """Its mentions; none where the input was a table of labels."""
    tallies: Mapping[str, Tally]
    """By measure: its hits and total of recall (the key's) or precision (the response's)."""
    totals: Mapping[str, Any]
    """By measure: the sum of the totals of all entities of its side."""

    @property
    def cost(self) -> dict[str, Fraction]:
        """By measure: what it takes from recall or precision."""
        return {measure: self.cost_by(measure) for measure in self.tallies}

    def cost_by(self, measure: str) -> Fraction:
        """What it takes from recall or precision by one measure."""
        hits, total = self.tallies[measure]
        return Fraction(total - hits) / (self.totals[measure] or 1)

    @property
    def told(self) -> str:
        """What became of it, in a few words."""
        if self.equal or not self.parts:
            return "equal" if self.equal else self.kind
        largest = sorted(self.parts.items(), key=lambda part: -part[1])
        told = [f"{n} in {name}" for name, n in largest[:MOST_PARTS]]
        if rest := [n for _, n in largest[MOST_PARTS:]]:
            told.append(f"{sum(rest)} in {len(rest)} more")
        if self.alone:
            told.append(f"{self.alone} {KINDS[SIDES.index(self.side)][-1]}")
        return f"{self.kind}: {', '.join(told)}"


@dataclass(frozen=True, repr=False)
class Anatomy(Shown):
    """What `corefeval.anatomy` returns: all entities, and the report that their costs explain."""

    entities: Sequence[Entity]
    report: Report
    files: FilePair | None = None

    @property
    def signature(self) -> str:  # type: ignore[override]
        """All that can change a number."""
        return self.report.signature

    def costliest(self, measure: str, count: int = 12) -> list[Entity]:
        """The entities that cost most by a measure, the most first, of both sides."""
        if measure not in self.report:
            raise CorefError(f"no costs by {measure!r}; expected {', '.join(self.report.metrics)}")
        dearest = nlargest(count, self.entities, key=lambda each: each.cost_by(measure))
        return [each for each in dearest if each.cost_by(measure)]

    def table(self) -> Table:
        """What the entities of each kind take together, in points of recall or of precision."""
        numbers: Counter[tuple[str, str]] = Counter()
        mentions: Counter[tuple[str, str]] = Counter()
        lost: defaultdict[tuple[str, str, str], list[Any]] = defaultdict(list)
        totals: dict[str, Mapping[str, Any]] = {side: {} for side in SIDES}
        for each in self.entities:
            totals[each.side] = each.totals
            for kind in (each.kind, "all") if not each.equal else (each.kind, "equal", "all"):
                numbers[each.side, kind] += 1
                mentions[each.side, kind] += each.alone
                for measure, (hits, total) in each.tallies.items():
                    lost[each.side, kind, measure].append(total - hits)
        lines = [["", "", "entities", "mentions alone", *self.report.metrics]]
        for side, kinds in zip(SIDES, KINDS, strict=True):
            for kind in ("equal", *kinds, "all"):
                what = side, kind
                costs = []
                for measure in self.report.metrics:
                    points = exact_sum((each, 1) for each in lost[*what, measure])
                    costs.append(percent(Fraction(points) / (totals[side].get(measure) or 1)))
                lines.append([*what, str(numbers[what]), str(mentions[what]), *costs])
        return Table(lines, right=2 + len(self.report.metrics))

    def costliest_table(self, measure: str) -> Table:
        """The entities that cost most by a measure."""
        lines = [["cost", "of", "side", "entity", "size", "", "words", "document"]]
        for each in self.costliest(measure):
            line = [percent(each.cost_by(measure)), "recall" if each.side == "key" else "precision"]
            line += [each.side, each.id, str(each.size), each.told, self.words(each)[:MOST_SIGNS]]
            lines.append([*line, document_name(each.document)])
        if not any(line[-2] for line in lines[1:]):
            lines = [[*line[:-2], line[-1]] for line in lines]
        return Table(lines)

    def words(self, entity: Entity) -> str:
        """The words of an entity's longest mention, if files have words."""
        if not (text := self.texts.get(entity.document)):
            return ""
        written = [text.written(text.places(mention)) for mention in entity.mentions]
        return max(written, key=len, default="")

    def rows(self) -> Iterator[Row]:
        """A row for each entity; hits and totals of a group of rows are those of its recall."""
        for each in self.entities:
            row: Row = {"document": str(each.document), "side": each.side, "entity": each.id}
            row |= {"kind": each.kind, "equal": each.equal, "size": each.size}
            row |= {"parts": len(each.parts), "alone": each.alone}
            for measure, (hits, total) in each.tallies.items():
                row |= {f"{measure}_hits": Fraction(hits), f"{measure}_total": Fraction(total)}
                row[f"{measure}_cost"] = each.cost_by(measure)
            yield row

    def to_frame(self) -> Any:
        """A frame of pandas with the columns of `rows`.

        >>> from corefeval import anatomy
        >>> found = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}, "b3").to_frame()
        >>> by_size = found[found.side == "key"].groupby("size")[["b3_hits", "b3_total"]].sum()
        >>> (by_size.b3_hits / by_size.b3_total).round(4).to_dict()  # recall by size
        {2: 1.0, 3: 0.5556}
        """
        return frame_of_rows(self.rows())

    @cached_property
    def texts(self) -> Mapping[Hashable, Text]:
        """The words of those documents whose files have them."""
        from corefeval.readers.texts import Text

        if self.files is None:
            return {}
        found, sides = {}, self.files.with_words()
        for name in dict.fromkeys(each.document for each in self.entities):
            both = [side[str(name)] for side in sides if str(name) in side]
            if any(any(each.words) for each in both):
                found[name] = Text.of(both)
        return found

    def to_html(self, title: str = "Errors of a response") -> str:
        """A page that shows the text of each document with its entities and errors."""
        from corefeval.analysis.page import page

        return page(self, title)


def anatomy(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = USUAL,
    **chosen: Unpack[Options],
) -> Anatomy:
    """Say which entities were split, merged, missed or invented, and what each of them costs.

    ``key``, ``response`` and the conventions are those of `evaluate`, ``metrics`` among `OWN_ROW`
    and `ALIGNED`, or BLANC. What a measure loses in recall is shared out to key entities, what it
    loses in precision to response entities, so that the parts add up exactly to 1 − the score (but
    for a ratio 0/0). CEAF follows one best alignment of perhaps several; half of a link of BLANC
    belongs to either of its entities.

    Raises `CorefError` for other measures, for an ``average`` other than the sum, for ``twinless``
    and ``repeated`` by which the sides are no partitions as they are, and as `evaluate` does.

    >>> found = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}, "b3")
    >>> [(each.side, each.told, str(each.cost["b3"])) for each in found.costliest("b3")]
    [('key', 'split: 2 in 1, 1 in 2', '4/15'), ('response', 'merged: 2 in 2, 1 in 1', '4/15')]
    """
    given, asked, documents = asked_documents(key, response, metrics, chosen, USUAL)
    asked.choice.refuse(["average", "twinless"], "adds to what an entity costs: leave it out")
    measures = [metric.measure.name for metric in asked.metrics]
    for name in measures:
        if name not in (*OWN_ROW, *ALIGNED, "blanc"):
            priced = ", ".join((*OWN_ROW, *ALIGNED, "blanc"))
            raise CorefError(f"{name!r} has no costs of entities; expected some of {priced}")
    sides: list[Side] = []
    for document, pair in documents.items():
        with named(f"document {document!r}"):
            sides += _sides(document, *pair, asked.choice, measures)
    report = report_on(documents, asked, tables_by(documents, asked.choices))
    links = [LinkShares.of(report.total["blanc"].counts, place) for place in (0, 1)
             if "blanc" in measures]  # fmt: skip
    totals = [
        {name: links[place].unit if name == "blanc" else report.total[name].counts[place].total
         for name in measures}
        for place in (0, 1)
    ]  # fmt: skip
    entities: list[Entity] = []
    for side in sides:
        shares = links[side.place] if links else None
        entities += _entities(side, measures, totals[side.place], shares)
    return Anatomy(entities, report, given.files)


class Side(NamedTuple):
    """A side of a document, which stands in the key's place of the table."""

    document: Hashable
    place: int
    t: Contingency
    names: Sequence[str]
    others: Sequence[str]
    mentions: Mapping[str, Sequence[Mention]]
    aligned: Mapping[str, Mapping[int, int]]
    """By measure: the entity of the other side that an entity is aligned with."""


def _sides(
    name: Hashable, key: Any, response: Any, choice: Conventions, measures: Sequence[str]
) -> Iterator[Side]:
    mentions: list[Mapping[str, Sequence[Mention]]] = [{}, {}]
    if isinstance(key, Contingency):
        t = tables_of(key, choice).recall
        of_key, of_response = (names_by_number(len(each)) for each in (t.key_sizes, t.T.key_sizes))
    else:
        given = sides_of(key, response, choice)
        partitions = [each for each in given if isinstance(each, Partition)]
        if len(partitions) < len(given):
            raise CorefError('a mention is given twice: choose repeated="first" or "merge"')
        names = [each.names or names_by_number(len(each)) for each in partitions]
        t = overlap_of(given, choice, (names[0], names[1])).recall
        assert t.names is not None
        of_key, of_response = (list(map(str, each)) for each in t.names)
        mentions = [dict(zip(names[n], partitions[n].entities, strict=True)) for n in (0, 1)]
    found = {measure: _aligned(t, ALIGNED[measure]) for measure in measures if measure in ALIGNED}
    exchanged = {measure: {j: i for i, j in of.items()} for measure, of in found.items()}
    yield Side(name, KEY, t, of_key, of_response, mentions[0], found)
    yield Side(name, 1, t.T, of_response, of_key, mentions[1], exchanged)


def _aligned(t: Contingency, phi: Similarity) -> dict[int, int]:
    k, r = t.key_sizes, t.response_sizes
    return dict(assign({(i, j): phi(n, k[i], r[j]) for (i, j), n in t.pairs.items()}))


def _entities(
    side: Side,
    measures: Sequence[str],
    totals: Mapping[str, Any],
    shares: LinkShares | None,
) -> Iterator[Entity]:
    rows: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (i, j), n in side.t.pairs.items():
        rows[i][j] = n
    sizes, whose = side.t.response_sizes, SIDES[side.place]
    for i, k in enumerate(side.t.key_sizes):
        row, tallies = rows[i], {}
        for measure in measures:
            if phi := ALIGNED.get(measure):
                partner = side.aligned[measure].get(i)
                hits = 0 if partner is None else phi(row[partner], k, sizes[partner])
                tallies[measure] = Tally(hits, phi(k, k, k))
            elif measure == "blanc":
                assert shares is not None
                tallies[measure] = shares.tally(side.t, row, k)
            else:
                overlaps = sorted((n, sizes[j]) for j, n in row.items())
                tallies[measure] = _alone(measure, k, *overlaps)
        alone = k - sum(row.values())
        kind = KINDS[side.place][_kind(len(row), alone)]
        equal = any(n == k == sizes[j] for j, n in row.items())
        parts = {side.others[j]: n for j, n in row.items()}
        yield Entity(side.document, whose, side.names[i], kind, equal, k, parts, alone,
                     side.mentions.get(side.names[i], ()), tallies, totals)  # fmt: skip


def _kind(parts: int, alone: int) -> int:
    """The place among `KINDS` of an entity with so many parts and mentions alone."""
    if not parts:
        return 3
    if parts > 1:
        return 2
    return 1 if alone else 0


class LinkShares(NamedTuple):
    """What half of a link is of BLANC's recall, in parts of ``unit``, which are whole numbers."""

    within: int
    """Half of a link within an entity."""
    between: int
    """Half of a link between two."""
    unit: int

    @classmethod
    def of(cls, counts: Any, place: int) -> LinkShares:
        """For recall (place 0) or precision (1) of these counts."""
        counting = counts.counting()
        shares = []
        for links in counts:
            weight = Fraction(any(links is each for each in counting), len(counting) or 1)
            shares.append(weight / (2 * links[place].total or 1))
        unit = lcm(*(share.denominator for share in shares))
        within, between = (int(share * unit) for share in shares)
        return cls(within, between, unit)

    def tally(self, t: Contingency, row: Mapping[int, int], k: int) -> Tally:
        """The links within a key entity, and half of those that leave it.

        A link that leaves Kᵢ is right if its mentions are shared and in different response
        entities: of each of the n mentions in Kᵢ∩Rⱼ, those to mentions shared outside Kᵢ and
        outside Rⱼ.
        """
        here, there = sum(row.values()), t.T.shared_sizes
        right = sum(comb(n, 2) for n in row.values())
        leaving = sum(n * (t.shared_mentions - here - there[j] + n) for j, n in row.items())
        hits = 2 * self.within * right + self.between * leaving
        total = 2 * self.within * comb(k, 2) + self.between * k * (t.key_mentions - k)
        return Tally(hits, total)


@cache
def _alone(measure: str, k: int, *overlaps: tuple[int, int]) -> Tally:
    """What the measure's own formula counts in the table of one key entity."""
    pairs = {(0, j): n for j, (n, _) in enumerate(overlaps)}
    tally: Tally = find(measure).formula(Contingency(pairs, [k], [r for _, r in overlaps]))
    return tally
