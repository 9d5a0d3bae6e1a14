"""The scores of a corpus: in total and per document, with their signature."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, reduce
from operator import add

from corefeval._version import __version__
from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.registry import Measure, count_all
from corefeval.score import Counts, Score
from corefeval.twinless import Tables


class Report:
    """What `corefeval.evaluate` returns.

    ``total[name]`` is the score of the documents' summed counts, ``documents[id][name]`` that of
    one document; ``signature`` names all that can change a number.
    """

    def __init__(
        self,
        tables: Mapping[Hashable, Tables],
        measures: Sequence[Measure],
        conventions: Conventions,
    ) -> None:
        self.tables = tables
        """Of each document the overlap tables that recall and precision are counted in."""
        self.conventions = conventions
        self._measures = measures

    @cached_property
    def total(self) -> Mapping[str, Score]:
        """The score of each measure over all documents."""
        counts = self._pooled() | self._added()
        return {m.name: counts[m.name].score(self.conventions) for m in self._measures}

    def _pooled(self) -> dict[str, Counts]:
        """The counts of all documents in one table, of the measures that may be counted there."""
        every = list(self.tables.values())
        alike = all(for_recall is for_precision for for_recall, for_precision in every)
        for_recall = Contingency.union(tables[0] for tables in every)
        for_precision = for_recall if alike else Contingency.union(tables[1] for tables in every)
        return count_all((m for m in self._measures if m.pooled), for_recall, for_precision)

    def _added(self) -> dict[str, Counts]:
        """The sum of the documents' counts, of the other measures."""
        nothing = Contingency({}, [], [])  # a corpus without documents has its counts
        return {
            m.name: reduce(
                add, [counts[m.name] for counts in self._one_by_one.values()] or [m.counts(nothing)]
            )
            for m in self._measures
            if not m.pooled
        }

    @cached_property
    def _one_by_one(self) -> Mapping[Hashable, dict[str, Counts]]:
        """What the measures that are not pooled count in each document."""
        measures = [m for m in self._measures if not m.pooled]
        return {document: count_all(measures, *tables) for document, tables in self.tables.items()}

    @cached_property
    def counts(self) -> Mapping[Hashable, Mapping[str, Counts]]:
        """What each measure counts in each document, by the document's id."""
        pooled = [m for m in self._measures if m.pooled]
        counts = {}
        for document, tables in self.tables.items():
            found = count_all(pooled, *tables) | self._one_by_one[document]
            counts[document] = {m.name: found[m.name] for m in self._measures}
        return counts

    def __len__(self) -> int:
        """How many documents were scored."""
        return len(self.tables)

    @cached_property
    def documents(self) -> Mapping[Hashable, Mapping[str, Score]]:
        """The scores of each document by its id."""
        return {
            document: {name: each.score(self.conventions) for name, each in counts.items()}
            for document, counts in self.counts.items()
        }

    @property
    def signature(self) -> str:
        """One line of all that can change a number."""
        return (
            f"corefeval={__version__} metrics={','.join(m.name for m in self._measures)} "
            f"documents={len(self)} {self.conventions}"
        )

    def __repr__(self) -> str:
        rows = "\n".join(f"{name}: {score}" for name, score in self.total.items())
        return f"{rows}\n{self.signature}"
