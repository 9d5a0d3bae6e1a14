"""Which entities were split, merged, missed or invented, and what each of these cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from corefeval.analysis.dissect import output
from corefeval.analysis.dissect.costs import USUAL, Costs, check_priced
from corefeval.analysis.dissect.entities import DocumentAnatomy, Entity, Totals
from corefeval.analysis.dissect.mentions import MentionCost, mention_costs
from corefeval.analysis.dissect.named_tables import NamedTables, sides_by
from corefeval.analysis.dissect.repairs import Repairs, repairs
from corefeval.contingency import SIDES, AddedSingleton
from corefeval.conventions import Conventions, Options
from corefeval.corpus import Request, asked_documents
from corefeval.display import frame_of_rows
from corefeval.errors import CorefError, named, shortened
from corefeval.lazily import cached_property
from corefeval.report import Report
from corefeval.scoring import Documents

if TYPE_CHECKING:
    from corefeval.analysis.dissect.groups import Groups, Kinds
    from corefeval.readers import FilePair
    from corefeval.readers.texts import Text


class Losses(NamedTuple):
    """1 − recall, and 1 − precision."""

    recall: Fraction
    precision: Fraction


Price = tuple[Fraction, Hashable, int, str]
"""What an entity costs, and its document, side and name, before the entity is made."""


@dataclass(frozen=True, repr=False)
class Anatomy:
    """What became of every entity, and where recall and precision were lost.

    It is what `corefeval.anatomy` returns.
    """

    documents: Mapping[Hashable, DocumentAnatomy]
    """By document's name: its entities."""
    costs: Mapping[str, Costs]
    """By measure: what each entity costs."""
    report: Report
    """The scores."""
    request: Request
    """The measures and conventions."""
    inputs: Documents
    """Key and response of each document; a table of both is in the place of the key."""
    files: FilePair | None
    """The files that they were read from, if they were."""

    @property
    def signature(self) -> str:
        """All that can change a number."""
        return self.report.signature

    @property
    def losses(self) -> Mapping[str, Losses]:
        """By measure: what is lost in recall and in precision, as fractions."""
        return {name: Losses(costs.loss(0), costs.loss(1)) for name, costs in self.costs.items()}

    @cached_property
    def totals(self) -> Totals:
        """How many entities and mentions are of each kind, in all documents."""
        every = [document.totals for document in self.documents.values()]
        summed = {
            name: sum(getattr(each, name) for each in every)
            for name in Totals._fields
            if name != "boundary"
        }
        boundaries = [each.boundary for each in every if each.boundary is not None]
        # A sum over some of the documents would look like that of all.
        boundary = sum(boundaries) if len(boundaries) == len(every) else None
        return Totals(**summed, boundary=boundary)

    def costliest(self, measure: str, count: int = 12) -> list[Entity]:
        """The entities that cost most by a measure, the most first, of both sides."""
        self.check_measure(measure)
        # Only the entities that are shown are made: a corpus has very many.
        found = nlargest(count, self._prices(measure), key=itemgetter(0))
        return [self.documents[document].entity(side, name) for _, document, side, name in found]

    def check_measure(self, measure: str) -> None:
        """Refuse a measure by which nothing was priced here."""
        if measure not in self.costs:
            raise CorefError(f"no costs by {measure!r}; expected {', '.join(self.costs)}")

    def _prices(self, measure: str) -> Iterator[Price]:
        """Each entity that costs anything."""
        costs = self.costs[measure]
        for document in self.documents:
            for side in range(len(SIDES)):
                for name, cost in costs.by_name(side, document).items():
                    # An added singleton is in no file; `DocumentAnatomy.made` has its cost.
                    if cost and not isinstance(name, AddedSingleton):
                        yield cost, document, side, str(name)

    def mention_costs(self, measure: str) -> list[MentionCost]:
        """What each mention costs by B³ or CEAFₘ, of which alone hits are sums over mentions.

        A mention of the key takes from recall, one of the response from precision. Together they
        take what their entities do; of CEAFₘ by the same alignment.

        Raises `CorefError` for other measures, for a table of labels, which does not name mentions,
        and where ``repeated`` counts a mention several times.
        """
        self.check_measure(measure)
        by = self.costs[measure].metric.conventions
        documents = {
            name: sides_by(key, response, by) for name, (key, response) in self.inputs.items()
        }
        return list(mention_costs(self.costs[measure], documents))

    def by(self, what: str | Kinds = "size") -> Groups:
        """Recall and precision by what entities are.

        Recall is split by the key's entities, precision by the response's. Hits and totals of all
        groups add up to the measure's, and points lost to 1 − recall and 1 − precision (but for a
        ratio 0/0). CEAF follows one best alignment of perhaps several. In BLANC half of a link
        belongs to either of its entities, and the ratio of a group is the mean of its classes'.

        ``what`` is ``"size"``: 1, 2, 3–5 or 6+ mentions; ``"etype"``, the type of an entity in
        files of CorefUD, ``other`` where there is none; or a function of an `Entity`.

        Raises `CorefError` for what is neither, and for files that tell no types.

        >>> from corefeval import anatomy
        >>> found = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}, "b3")
        >>> kind_of = {("d", "a"): "person", ("d", "d"): "place"}
        >>> def kind(entity):
        ...     kinds = [kind_of.get((entity.document, each)) for each in entity.mentions]
        ...     return next(filter(None, kinds), "other")
        >>> print(found.by(kind).table().text())
        measure  by      key  recall   lost  response  precision   lost
        b3       person    1   55.56  26.67         1     100.00   0.00
        b3       place     1  100.00   0.00         1      55.56  26.67
        >>> sorted(found.by(lambda entity: entity.kinds[-1]).parts["b3"])
        ['merged', 'pure', 'split', 'whole']
        """
        from corefeval.analysis.dissect.groups import by_kinds, by_size, split

        if what == "etype":
            return split("etype", self.costs, by_kinds(self.documents, self._etype), self.signature)
        if what == "size":
            return split("size", self.costs, by_size, self.signature)
        if isinstance(what, str) or not callable(what):
            raise CorefError(
                f"by={shortened(what)}: expected 'size', 'etype' or a function of an entity, such "
                "as lambda entity: kind_of[entity.document, entity.mentions[0]]"
            )
        return split("by", self.costs, by_kinds(self.documents, what), self.signature)

    @cached_property
    def _etype(self) -> Callable[[Entity], str]:
        """The type of an entity, as files of CorefUD tell it."""
        types = ({}, {}) if self.files is None else self.files.etypes
        if not any(etype for side in types for of in side.values() for etype in of.values()):
            raise CorefError(
                "by='etype': no entity has a type; expected files of CorefUD with a field etype in "
                "# global.Entity"
            )

        def etype(entity: Entity) -> str:
            of_file = types[SIDES.index(entity.side)].get(str(entity.document), {})
            if entity.id not in of_file:
                raise CorefError(
                    f"by='etype': in document {entity.document!r} the {entity.side} has mentions "
                    "in two entities, and so entities that are not the file's; choose "
                    'repeated="once_each"'
                )
            return of_file[entity.id] or "other"

        return etype

    @cached_property
    def texts(self) -> Mapping[Hashable, Text]:
        """The words of those documents whose files have them; they are read once more for it."""
        if self.files is None:
            return {}
        # It imports the readers, which an anatomy of data in Python does not need.
        from corefeval.analysis.dissect.words import texts

        return texts(self.files, self.documents)

    def repairs(self, metrics: str | Iterable[str] | None = None) -> Repairs:
        """What every measure would be if one kind of error were repaired.

        Missed mentions come back as singletons, invented ones go, response entities are cut by key
        entities, and those that have mentions of one key entity are joined: each alone, and all in
        this order. Another order would give other shares. After all four the response is the key.

        ``metrics`` are those of `corefeval.evaluate`; by default the measures of the anatomy.

        Raises `CorefError` where ``repeated`` counts a mention several times.

        >>> from corefeval import anatomy
        >>> found = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d x}"}, ["muc", "b3"])
        >>> print(found.repairs().table().text())
        response                          muc      b3
        as it is                        33.33   47.82
        missed mentions found, alone    33.33   56.96
        invented mentions gone, alone   40.00   54.93
        merges cut, alone               50.00   56.22
        splits joined, alone            57.14   50.91
        missed mentions found           33.33   56.96
        then invented mentions gone     40.00   64.00
        then merges cut                 50.00   69.57
        then splits joined             100.00  100.00
        """
        return repairs(self.request, self.inputs, list(self.costs) if metrics is None else metrics)

    def to_dict(self) -> dict[str, Any]:
        """All of it as texts, numbers and lists, for JSON; costs are doubles."""
        return output.as_dict(self)

    def to_html(self, title: str = "Errors of a response") -> str:
        """A page that shows the text of each document with its entities and errors.

        It is one file, with its own style and script, and asks for nothing else. Where the input
        has no words it shows the places of mentions.
        """
        from corefeval.analysis.dissect.viewer import page

        return page(self, title)

    def _repr_html_(self) -> str:
        from corefeval.analysis.dissect.viewer import in_notebook

        return in_notebook(self)

    def to_frame(self) -> Any:
        """A frame of pandas with a row for each entity, and a column for its cost by each measure.

        Raises `CorefError` if pandas is not installed.
        """
        return frame_of_rows(output.entity_rows(self), output.entity_columns(self))

    def __repr__(self) -> str:
        return output.as_text(self)


# From a key and a response to their entities


def anatomy(
    key: Any,
    response: Any = None,
    metrics: str | Iterable[str] = USUAL,
    *,
    like: str | None = None,
    empty_side: bool = False,
    **chosen: Unpack[Options],
) -> Anatomy:
    """Say which entities were split, merged, missed or invented, and what each of them costs.

    ``key``, ``response``, ``like``, ``empty_side`` and the conventions are those of `evaluate`,
    ``metrics`` are among `corefeval.analysis.dissect.costs.ATTRIBUTABLE`. A key entity is *whole*
    if all its mentions are in one response entity, *partial* if some are in one and the others in
    none, *split* if they are in two or more, *missed* if all are in none; a response entity is
    *pure*, *padded*, *merged* or *invented* likewise. Each entity is one of the four. One that
    the other side has, too, is also *equal*. What a measure loses in recall is shared out
    to key entities, what it loses in precision to response entities, so that the parts add up
    exactly to 1 − the score.

    The result has ``totals``, the entities of each of ``documents`` with their costs,
    ``costliest(measure)``, and ``to_dict()``.

    Raises `CorefError` for a measure whose losses have no such parts, for an ``average`` other than
    the sum, and as `evaluate` does.

    >>> found = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}, "b3")
    >>> found.totals.split, found.totals.merged
    (1, 1)
    >>> [(entity.side, entity.id, str(entity.cost["b3"])) for entity in found.costliest("b3")]
    [('key', '1', '4/15'), ('response', '2', '4/15')]
    """
    given, asked, documents = asked_documents(key, response, metrics, like, empty_side, chosen)
    for metric in asked.metrics:
        check_priced(metric)
    choices = (*asked.choices, asked.choice)
    sides: dict[Conventions, dict[Hashable, NamedTables]] = {by: {} for by in choices}
    for name, sides_given in documents.items():
        with named(f"document {name!r}"):
            for by, of_documents in sides.items():
                of_documents[name] = sides_by(*sides_given, by)
    tables = {by: {name: each.counted for name, each in of.items()} for by, of in sides.items()}
    report = Report(tables, asked.metrics, asked.choice, asked.note)
    costs = {}
    for metric in asked.metrics:
        measure = metric.measure.name
        costs[measure] = Costs(metric, tables[metric.conventions], report.total[measure])
    own = sides[asked.choice].items()
    anatomies = {name: DocumentAnatomy(name, tables, costs) for name, tables in own}
    return Anatomy(anatomies, costs, report, asked, documents, given.files)
