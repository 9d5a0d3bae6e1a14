"""The scores of a corpus: in total, per document, with their signature."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, reduce
from operator import add, mul

from corefeval._version import __version__
from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.registry import Metric, Tables, count_all, settled
from corefeval.score import Counts, Ratio, Score, f1, mean_f1


class Report:
    """What `corefeval.evaluate` returns.

    ``total[name]`` is the score of all documents, by the convention ``average``;
    ``documents[id][name]`` that of one document; ``signature`` names all that can change a number.
    """

    def __init__(
        self,
        tables: Mapping[Conventions, Mapping[Hashable, Tables]],
        metrics: Iterable[Metric],
        conventions: Conventions,
        note: str = "",
    ) -> None:
        self.tables = tables
        """The documents' tables (see `corefeval.registry.Tables`), by the measures' conventions."""
        self.metrics = {each.measure.name: each for each in metrics}
        """Each measure with its conventions, which differ among measures if scored ``like``."""
        self.conventions = conventions
        self._note = note

    @cached_property
    def total(self) -> Mapping[str, Score]:
        """The score of each measure over all documents."""
        summed = [each for each in self.metrics.values() if each.conventions.average == "sum"]
        united = cache(self._united)  # by measures of the same conventions it is asked for again
        counts = count_all((each for each in summed if each.measure.pooled), united)
        counts |= {m.measure.name: self._sum(m) for m in summed if not m.measure.pooled}
        return {
            name: counts[name].score(settled(metric.conventions, self._tables(metric)))
            if name in counts
            else self._average(metric)
            for name, metric in self.metrics.items()
        }

    def _tables(self, metric: Metric) -> Collection[Tables]:
        return self.tables[metric.conventions].values()

    def _united(self, choice: Conventions) -> Tables:
        """The tables of all documents in one."""
        every = list(self.tables[choice].values())
        if all(tables[0] is table for tables in every for table in tables):
            return (Contingency.union(tables[0] for tables in every),) * 2
        return tuple(
            Contingency.union(tables[min(place, len(tables) - 1)] for tables in every)
            for place in range(max(map(len, every)))
        )

    def _sum(self, metric: Metric) -> Counts:
        """The sum of the counts of each document."""
        counts = [counts[metric.measure.name] for counts in self._one_by_one.values()]
        nothing = Contingency({}, [], [])  # a corpus without documents has its counts
        return reduce(add, counts or [metric.measure.counts(nothing)])

    def _average(self, metric: Metric) -> Score:
        """The average of the documents' scores, or the mean of what a measure is ``of``."""
        if metric.parts:
            return mean_f1([self._average(part) for part in metric.parts], None)
        tables = self._tables(metric)
        return averaged([metric.of_tables(each) for each in tables], tables, metric.conventions)

    @cached_property
    def _one_by_one(self) -> Mapping[Hashable, dict[str, Counts]]:
        """What the measures that are not pooled count in each document."""
        return self._counted([m for m in self.metrics.values() if not m.measure.pooled])

    @cached_property
    def counts(self) -> Mapping[Hashable, Mapping[str, Counts]]:
        """What each measure counts in each document, by the document's id."""
        pooled = self._counted([m for m in self.metrics.values() if m.measure.pooled])
        found = {document: pooled[document] | self._one_by_one[document] for document in pooled}
        return {d: {name: counts[name] for name in self.metrics} for d, counts in found.items()}

    def _counted(self, metrics: Sequence[Metric]) -> dict[Hashable, dict[str, Counts]]:
        def count(document: Hashable) -> dict[str, Counts]:
            return count_all(metrics, lambda choice: self.tables[choice][document])

        return {document: count(document) for document in self._ids}

    @property
    def _ids(self) -> Collection[Hashable]:
        return next(iter(self.tables.values()))

    def __len__(self) -> int:
        """How many documents were scored."""
        return len(self._ids)

    @cached_property
    def documents(self) -> Mapping[Hashable, Mapping[str, Score]]:
        """The scores of each document by its id."""
        choices = {name: metric.conventions for name, metric in self.metrics.items()}
        return {
            document: {
                name: each.score(settled(choice, [self.tables[choice][document]]))
                for (name, choice), each in zip(choices.items(), counts.values(), strict=True)
            }
            for document, counts in self.counts.items()
        }

    @property
    def signature(self) -> str:
        """One line of all that can change a number."""
        return (
            f"corefeval={__version__} {self._note}metrics={','.join(self.metrics)} "
            f"documents={len(self)} {self.conventions}"
        )

    def __repr__(self) -> str:
        rows = "\n".join(f"{name}: {score}" for name, score in self.total.items())
        return f"{rows}\n{self.signature}"


def averaged(scores: Sequence[Score], documents: Collection[Tables], choice: Conventions) -> Score:
    """The mean of documents' scores, weighted and put together by the convention ``average``.

    >>> from corefeval import evaluate
    >>> key, response = {1: "{a b c}", 2: "{a b} {c}"}, {1: "{a b}", 2: "{a b c}"}
    >>> evaluate(key, response, "muc", average="mean").total["muc"]
    recall 3/4, precision 3/4, f1 2/3
    >>> evaluate(key, response, "muc", average="mean_pr").total["muc"]
    recall 3/4, precision 3/4, f1 3/4
    >>> evaluate(key, response, "muc", average="mentions").total["muc"]
    recall 3/4, precision 7/10, f1 2/3
    """
    of_key, of_response = [1] * len(scores), [1] * len(scores)
    if choice.average == "mentions":
        of_key = [tables[0].key_mentions for tables in documents]
        of_response = [tables[1].T.key_mentions for tables in documents]
    of_both = list(map(add, of_key, of_response))

    def mean(part: str, weights: Sequence[int]) -> Ratio:
        numbers = [getattr(score, part) for score in scores]
        if None in numbers:
            return None
        weights = weights if any(weights) else [1] * len(numbers)  # no document has a mention
        return sum(map(mul, numbers, weights), Fraction(0)) / (sum(weights) or 1)

    recall, precision = mean("recall", of_key), mean("precision", of_response)
    one_number = mean("value", of_both)
    if recall is None or precision is None:
        return Score(recall, precision, None, value=one_number, counts=None)
    if choice.average == "mean_pr":
        one_number = f1(recall, precision)
    return Score(recall, precision, one_number, value=one_number, counts=None)
