"""What became of every entity, and what each takes from recall and precision."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from heapq import nlargest
from itertools import chain
from math import comb, lcm
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from corefeval.analysis.entities import KINDS, Entity, Fate, Profile, Share, Side
from corefeval.analysis.text import Text
from corefeval.conventions import Options
from corefeval.corpus import Request, apart_in, documents_of, measures_beside, report_on
from corefeval.display import Row, Shown, Table, document_name, frame_of_rows, percent
from corefeval.errors import CorefError, named
from corefeval.given import Given
from corefeval.lazily import cached_property
from corefeval.measures.ceaf import phi3, phi4
from corefeval.overlap.alignment import Similarity, best_pairs
from corefeval.overlap.contingency import KEY, SIDES, Contingency, Tables, exact_sum
from corefeval.registry import find
from corefeval.report import Report
from corefeval.score import Tally

if TYPE_CHECKING:
    from corefeval.readers import FilePair

OWN_ROW = ("mentions", "muc", "b3", "pairwise", "lea")
"""Measures whose hits and totals are sums over key entities, each counted by itself."""
ALIGNED: dict[str, Similarity] = {"ceafm": phi3, "ceafe": phi4}
"""Measures whose hits are those of the alignment in which a similarity is largest."""
USUAL = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
MOST_SIGNS = 40
MOST_LISTED = 12


@dataclass(frozen=True, repr=False)
class Anatomy(Shown):
    """What `corefeval.anatomy` returns: all entities, and the report that their costs explain."""

    sides: Sequence[Side]
    report: Report
    files: FilePair | None = None

    @cached_property
    def entities(self) -> Sequence[Entity]:
        """All entities: of each document the key's, then the response's."""
        return [Entity(side, i) for side in self.sides for i in range(len(side.fates))]

    @property
    def signature(self) -> str:  # type: ignore[override]
        """One line of all that can change a number."""
        return self.report.signature

    def costliest(self, measure: str, count: int = MOST_LISTED) -> list[Entity]:
        """Return the entities that cost most by a measure, the most first, of both sides."""
        if measure not in self.report:
            raise CorefError(f"no costs by {measure!r}; expected {', '.join(self.report.metrics)}")
        # Few shares differ, and the dearest entities have the dearest of them.
        shares = dict.fromkeys(chain.from_iterable(side.shares[measure] for side in self.sides))
        largest = nlargest(count, shares, key=attrgetter("cost"))
        dearest = {share for share in largest if share.cost}
        priced = [
            (side, i, share)
            for side in self.sides
            for i, share in enumerate(side.shares[measure])
            if share in dearest
        ]
        priced.sort(key=lambda entity: entity[2].cost, reverse=True)
        return [Entity(side, i) for side, i, _ in priced[:count]]

    def table(self) -> Table:
        """What the entities of each kind take together, in points of recall or of precision."""
        lines = [["", "", "entities", "mentions alone", *self.report.metrics]]
        for place, kinds in enumerate(KINDS):
            sides = [side for side in self.sides if side.place == place]
            fates = Counter(chain.from_iterable(side.fates for side in sides))
            for name in ("equal", *kinds, "all"):
                of_name = {fate: n for fate, n in fates.items() if name in fate.names(kinds)}
                alone = sum(fate.alone * n for fate, n in of_name.items())
                lines.append([SIDES[place], name, str(sum(of_name.values())), str(alone)])
            for measure in self.report.metrics:
                lost = _lost(sides, measure, kinds)
                for line in lines[-2 - len(kinds) :]:
                    line.append(percent(lost[line[1]]))
        return Table(lines, right=2 + len(self.report.metrics))

    def costliest_table(self, measure: str, count: int = MOST_LISTED) -> Table:
        """Return a table of the entities that cost most, with the words of their longest mentions.

        >>> from corefeval import anatomy
        >>> print(anatomy({"d": "{a b c}"}, {"d": "{a b} {c}"}, "b3").costliest_table("b3").text())
        cost   of      side  entity  size                         document
        44.44  recall  key   1       3     split: 2 in 1, 1 in 2  d
        """
        lines = [["cost", "of", "side", "entity", "size", "", "words", "document"]]
        costliest = self.costliest(measure, count)
        # Words of all documents may have been read already; else only these few are read.
        texts = vars(self).get("texts")
        if texts is None:
            texts = self._texts_of(entity.document for entity in costliest)
        for entity in costliest:
            words = entity.written(texts.get(entity.document))
            if len(words) > MOST_SIGNS:
                words = f"{words[: MOST_SIGNS - 1]}…"
            part = "recall" if entity.side == "key" else "precision"
            line = [percent(entity.cost[measure]), part, entity.side, entity.id, str(entity.size)]
            lines.append([*line, entity.told, words, document_name(entity.document)])
        # Key and response given in Python have no words: a column without any is left out.
        if not any(line[-2] for line in lines[1:]):
            lines = [[*line[:-2], line[-1]] for line in lines]
        return Table(lines)

    def words(self, entity: Entity) -> str:
        """The words of an entity's longest mention, if files have words."""
        return entity.written(self.texts.get(entity.document))

    def rows(self) -> Iterator[Row]:
        """A row for each entity; hits and totals of a group of rows are those of its recall."""
        for entity in self.entities:
            row: Row = {"document": str(entity.document), "side": entity.side, "entity": entity.id}
            row |= {"kind": entity.kind, "equal": entity.equal, "size": entity.size}
            row |= {"parts": len(entity.parts), "alone": entity.alone}
            costs = entity.cost
            for measure, (hits, total) in entity.tallies.items():
                row |= {f"{measure}_hits": Fraction(hits), f"{measure}_total": Fraction(total)}
                row[f"{measure}_cost"] = costs[measure]
            yield row

    def to_frame(self) -> Any:
        """A frame of pandas with the columns of `rows`.

        >>> from corefeval import anatomy
        >>> frame = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}, "b3").to_frame()
        >>> by_size = frame[frame.side == "key"].groupby("size")[["b3_hits", "b3_total"]].sum()
        >>> (by_size.b3_hits / by_size.b3_total).round(4).to_dict()  # recall by size
        {2: 1.0, 3: 0.5556}
        """
        return frame_of_rows(self.rows())

    @cached_property
    def texts(self) -> Mapping[Hashable, Text]:
        """The words of those documents whose files have them."""
        return self._texts_of(side.document for side in self.sides)

    def _texts_of(self, documents: Iterable[Hashable]) -> Mapping[Hashable, Text]:
        """The words of these documents, if their files have them."""
        if self.files is None:
            return {}
        names = dict.fromkeys(documents)
        sides = [self.files.with_words({*map(str, names)}, KEY)]
        # An empty node of CorefUD may be in the response alone.
        lacking = {*map(str, names)}
        if not self.files.matches:
            lacking -= {name for name, document in sides[0].items() if document.has_words}
        if lacking:
            sides.append(self.files.with_words(lacking, 1))
        texts = {}
        for name in names:
            both = [side[str(name)] for side in sides if str(name) in side]
            if any(document.has_words for document in both):
                texts[name] = Text.of(both)
        return texts

    @property
    def usual(self) -> str:
        """The measure by which entities are ranked where none is named: B³ if it was asked for."""
        return "b3" if "b3" in self.report else next(iter(self.report.metrics))

    def to_html(
        self, title: str = "Errors of a response", measure: str = "", count: int = MOST_LISTED
    ) -> str:
        """Write a page that shows each document's text, entities and errors; return it as HTML.

        It begins with the entities that cost most by a measure.
        """
        from corefeval.analysis.page import Costliest, page

        measure = measure or self.usual
        texts = self.texts  # of all documents, read before the table asks for some
        table = self.costliest_table(measure, count)
        costliest = Costliest(measure, self.costliest(measure, count), table)
        return page(title, costliest, self.table(), self.entities, texts, self.signature)


def anatomy(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = USUAL,
    **chosen: Unpack[Options],
) -> Anatomy:
    """Find which entities were split, merged, missed or invented; return them with their costs.

    ``key``, ``response`` and the conventions are those of `evaluate`, ``metrics`` among `OWN_ROW`
    and `ALIGNED`, or BLANC. What a measure loses in recall is shared out to key entities, what it
    loses in precision to response entities, so that the parts add up exactly to 1 − the score (but
    for a ratio 0/0). CEAF follows one best alignment of perhaps several; half of a link of BLANC
    belongs to either of its entities.

    Raises `CorefError` for other measures, for an ``average`` other than the sum, for ``twinless``
    and ``repeated`` by which the sides are no partitions as they are, and as `evaluate` does.

    >>> errors = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}, "b3")
    >>> [(e.side, e.told, str(e.cost["b3"])) for e in errors.costliest("b3")]
    [('key', 'split: 2 in 1, 1 in 2', '4/15'), ('response', 'merged: 2 in 2, 1 in 1', '4/15')]
    """
    response, metrics = measures_beside(key, response, metrics, USUAL)
    given = Given(key, response)
    asked = Request.of(metrics, None, cast(Mapping[str, str], chosen), given.matches)
    documents = documents_of(given, asked.choice)
    apart_in(documents).warn(given.remedy)
    asked.choice.refuse(["average", "twinless"], "adds to what an entity costs: leave it out")
    measures = [metric.measure.name for metric in asked.metrics]
    for measure in measures:
        if measure not in (*OWN_ROW, *ALIGNED, "blanc"):
            priced = ", ".join((*OWN_ROW, *ALIGNED, "blanc"))
            raise CorefError(f"{measure!r} has no costs of entities; expected some of {priced}")
    sides: list[Side] = []
    tables: dict[Hashable, Tables] = {}
    for name, document in documents.items():
        with named(f"document {name!r}"):
            both = Side.both(name, document, asked.choice)
        sides += both
        tables[name] = Tables.alike(both[0].t)
    (choice,) = asked.choices
    asked = asked._replace(choice=given.in_signature(asked.choice))
    report = report_on(documents, asked, {choice: tables})
    # Several measures ask for the same sums of a table. The tables are let go with the last share.
    table_of = cache(_table_of)
    for measure in measures:
        shares = [Shares.of(measure, report, place, table_of) for place in (0, 1)]
        for both in zip(sides[::2], sides[1::2], strict=True):
            profiles = _profiles(measure, *both)
            for side, share_of, of_side in zip(both, shares, profiles, strict=True):
                side.shares[measure] = [share_of[profile] for profile in of_side]
    return Anatomy(sides, report, given.files)


class Shares(dict[Profile, Share]):
    """By what a measure has to know of an entity of a side: its share."""

    def __init__(self, counted: Callable[..., Tally], of_all: Any) -> None:
        self.counted, self.of_all = counted, of_all

    @classmethod
    def of(
        cls, measure: str, report: Report, place: int, table_of: Callable[..., Contingency]
    ) -> Shares:
        """For the entities of a side, by what the measure counts in all documents."""
        counts = report.total[measure].counts
        if measure == "blanc":
            links = LinkShares.of(counts, place)
            return cls(links.tally, links.unit)
        if measure in ALIGNED:
            counted = partial(_of_pair, ALIGNED[measure])
        else:
            counted = partial(_alone, measure, table_of)
        return cls(counted, counts[place].total)

    def __missing__(self, profile: Profile) -> Share:
        share = self[profile] = Share(self.counted(*profile), self.of_all)
        return share


def _lost(sides: Sequence[Side], measure: str, kinds: Sequence[str]) -> Mapping[str, Fraction]:
    """What the entities in each line of the table of a side take together from a measure."""
    shares: Counter[tuple[Fate, Share]] = Counter()
    for side in sides:
        shares.update(zip(side.fates, side.shares[measure], strict=True))
    lost: defaultdict[str, list[tuple[Any, int]]] = defaultdict(list)
    of_all: Any = 1
    for (fate, share), times in shares.items():
        of_all = share.of_all or 1
        for name in fate.names(kinds):
            lost[name].append((share.lost, times))
    points = {name: Fraction(exact_sum(pairs)) / of_all for name, pairs in lost.items()}
    return defaultdict(Fraction, points)


def _profiles(
    measure: str, key: Side, response: Side
) -> tuple[Iterable[Profile], Iterable[Profile]]:
    """What a measure has to know of each entity of both sides of a document."""
    if measure in ALIGNED:
        return _of_alignment(key.t, ALIGNED[measure])
    if measure == "blanc":
        return _of_links(key), _of_links(response)
    return key.profiles, response.profiles


def _of_alignment(t: Contingency, phi: Similarity) -> tuple[Iterable[Profile], Iterable[Profile]]:
    """Of each entity and the one that it is aligned with: n, k and r; n and r are 0 if none."""
    k, r = t.key_sizes, t.response_sizes
    keys: list[Profile] = [(0, size, 0) for size in k]
    responses: list[Profile] = [(0, size, 0) for size in r]
    for i, j in best_pairs(t, phi):
        keys[i], responses[j] = (t.pairs[i, j], k[i], r[j]), (t.pairs[i, j], r[j], k[i])
    return keys, responses


def _of_pair(phi: Similarity, n: int, k: int, r: int) -> Tally:
    return Tally(phi(n, k, r) if n else 0, phi(k, k, k))


def _of_links(side: Side) -> Iterator[Profile]:
    """Of each entity: the links within it that are right, those that leave it, k, and Σ k.

    A link that leaves Kᵢ is right if its mentions are shared and in different response entities: of
    each of the n mentions in Kᵢ∩Rⱼ, those to mentions shared outside Kᵢ and outside Rⱼ.
    """
    t = side.t
    shared, there, every = t.shared_mentions, t.T.shared_sizes, t.key_mentions
    for i, (k, fate) in enumerate(zip(t.key_sizes, side.fates, strict=True)):
        right, leaving, apart = 0, 0, shared - (k - fate.alone)
        for j, n in side.overlaps[i].items() if i in side.overlaps else ():
            right += comb(n, 2)
            leaving += n * (apart - there[j] + n)
        yield right, leaving, k, every


class LinkShares(NamedTuple):
    """What half of a link adds to BLANC's recall, in whole numbers of 1/``unit``."""

    within: int
    """Half of a link within an entity."""
    between: int
    """Half of a link between two."""
    unit: int

    @classmethod
    def of(cls, counts: Any, place: int) -> LinkShares:
        """Half of a link's share in recall (place 0) or precision (place 1) of these counts."""
        counting = counts.counting()
        shares = []
        for links in counts:
            weight = Fraction(any(links is counted for counted in counting), len(counting) or 1)
            shares.append(weight / (2 * links[place].total or 1))
        # One denominator for all, so that entities are added up in whole numbers.
        unit = lcm(*(share.denominator for share in shares))
        within, between = (int(share * unit) for share in shares)
        return cls(within, between, unit)

    def tally(self, right: int, leaving: int, k: int, every: int) -> Tally:
        """The links within an entity of k mentions, and half of those that leave it."""
        hits = 2 * self.within * right + self.between * leaving
        total = 2 * self.within * comb(k, 2) + self.between * k * (every - k)
        return Tally(hits, total)


def _alone(measure: str, table_of: Callable[..., Contingency], *profile: Any) -> Tally:
    """What the measure's own formula counts in the table of one key entity."""
    tally: Tally = find(measure).formula(table_of(*profile))
    return tally


def _table_of(k: int, *overlaps: tuple[int, int]) -> Contingency:
    """The table of one key entity of k mentions that shares n with one of r, for each (n, r)."""
    pairs = {(0, j): n for j, (n, _) in enumerate(overlaps)}
    return Contingency(pairs, [k], [r for _, r in overlaps])
