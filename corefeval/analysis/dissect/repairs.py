"""What every measure would be if one kind of error were repaired: an experiment.

A repair changes the response by the key, and takes no decision of its own, so that no tie is
broken. Each is tried alone, and all one after another, in the order of `REPAIRS`. After the last
the response is the key. Another order would give other shares.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from corefeval.analysis.dissect.costs import rows_of
from corefeval.contingency import RESPONSE, Contingency, Edge, Tables
from corefeval.conventions import Conventions
from corefeval.corpus import Request
from corefeval.display import Row, Scores, Table, frame_of_rows, percent
from corefeval.errors import CorefError, named
from corefeval.partition import Partition
from corefeval.registry import names_of
from corefeval.report import Report
from corefeval.scoring import Documents, Metric, sides_of, tables_of
from corefeval.signature import short
from corefeval.twinless import with_key_found

# The repairs


def invented_gone(t: Contingency) -> Contingency:
    """Mentions that the key lacks leave the response.

    >>> invented_gone(Contingency({(0, 0): 2}, [2], [3, 1])).response_sizes
    [2]
    """
    return t.without("twinless", RESPONSE)


def merges_cut(t: Contingency) -> Contingency:
    """A response entity with mentions of several key entities is cut by these.

    Mentions in it that the key lacks stay together, as an entity of their own.

    >>> cut = merges_cut(Contingency({(0, 0): 2, (1, 0): 1}, [2, 1], [4]))
    >>> cut.pairs, cut.response_sizes
    ({(0, 0): 2, (1, 1): 1}, [2, 1, 1])
    """
    parts = rows_of(t.T)
    pairs: dict[Edge, int] = {}
    sizes: list[int] = []
    for j, size in enumerate(t.response_sizes):
        overlaps = parts.get(j, ())
        if len(overlaps) < 2:
            pairs |= {(i, len(sizes)): n for i, n in overlaps}
            sizes.append(size)
            continue
        for i, n in overlaps:
            pairs[i, len(sizes)] = n
            sizes.append(n)
        # To take these away is another repair.
        if invented := size - sum(n for _, n in overlaps):
            sizes.append(invented)
    return Contingency(pairs, t.key_sizes, sizes)


def splits_joined(t: Contingency) -> Contingency:
    """Response entities that have mentions of one key entity become one.

    One that has mentions of several joins all that these are in.

    >>> joined = splits_joined(Contingency({(0, 0): 2, (0, 1): 1, (1, 1): 1}, [3, 1], [2, 2]))
    >>> joined.pairs, joined.response_sizes
    ({(0, 0): 3, (1, 0): 1}, [4])
    """
    # For each entity another one that it is joined with; followed to the end, this is their root.
    first = list(range(len(t.response_sizes)))

    def root(j: int) -> int:
        while first[j] != j:
            # Each step halves the way to the root, so later searches are short.
            first[j] = first[first[j]]
            j = first[j]
        return j

    for overlaps in rows_of(t).values():
        for j, _ in overlaps:
            # The smaller number is the root, so joined entities keep the order of their first.
            one, other = sorted((root(overlaps[0][0]), root(j)))
            first[other] = one
    number = {j: n for n, j in enumerate(j for j in range(len(first)) if root(j) == j)}
    sizes: Counter[int] = Counter()
    for j, size in enumerate(t.response_sizes):
        sizes[number[root(j)]] += size
    pairs = defaultdict[Edge, int](int)
    for (i, j), n in t.pairs.items():
        pairs[i, number[root(j)]] += n
    return Contingency(pairs, t.key_sizes, [sizes[n] for n in range(len(number))])


REPAIRS: dict[str, Callable[[Contingency], Contingency]] = {
    "missed mentions found": with_key_found,
    "invented mentions gone": invented_gone,
    "merges cut": merges_cut,
    "splits joined": splits_joined,
}
"""The repairs, in the order in which they follow one another."""


# What the measures would be


class Repair(NamedTuple):
    """What every measure would be after a repair."""

    name: str
    alone: Scores
    """Of the response with this repair and no other."""
    so_far: Scores
    """Of the response with this repair and those before it."""


class Repairs(NamedTuple):
    """What every measure is, and what it would be after each repair; a table in a notebook."""

    before: Scores
    steps: list[Repair]
    signature: str

    def table(self) -> Table:
        """F1 in percent, or the value of a measure without F1."""
        lines = [["response", *self.before], ["as it is", *_values(self.before)]]
        lines += [[f"{step.name}, alone", *_values(step.alone)] for step in self.steps]
        names = [f"{'then ' if n else ''}{step.name}" for n, step in enumerate(self.steps)]
        so_far = zip(names, self.steps, strict=True)
        lines += [[name, *_values(step.so_far)] for name, step in so_far]
        return Table(lines, right=len(self.before))

    def rows(self) -> Iterator[Row]:
        """Every state of the response by every measure; parts of scores are fractions."""
        states = [("", "as it is", self.before)]
        states += [(step.name, "alone", step.alone) for step in self.steps]
        states += [(step.name, "so far", step.so_far) for step in self.steps]
        for name, how, scores in states:
            for measure, score in scores.items():
                recall, precision, _, value = score.exact
                parts = {"recall": recall, "precision": precision, "f1": value}
                yield {"repair": name, "how": how, "measure": measure, **parts}

    def to_frame(self) -> Any:
        """A frame of pandas: a row for each state of the response and each measure."""
        return frame_of_rows(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """F1, or the value, of every state by measure, as doubles."""
        return {
            "before": _floats(self.before),
            "steps": [
                {
                    "repair": step.name,
                    "alone": _floats(step.alone),
                    "so_far": _floats(step.so_far),
                }
                for step in self.steps
            ],
        }

    def __repr__(self) -> str:
        return f"{self.table().text()}\n\n{short(self.signature)}"

    def _repr_html_(self) -> str:
        caption = f"F1 in percent after repairs of the response ({short(self.signature)})"
        return self.table().html(caption)


def _values(scores: Scores) -> list[str]:
    return [percent(score.exact.value) for score in scores.values()]


def _floats(scores: Scores) -> dict[str, float]:
    return {measure: score.value for measure, score in scores.items()}


def repairs(asked: Request, documents: Documents, metrics: str | Iterable[str]) -> Repairs:
    """See `corefeval.analysis.dissect.anatomy.Anatomy.repairs`."""
    asked = asked._replace(metrics=_metrics(asked, names_of(metrics)))
    overlaps: dict[Conventions, dict[Hashable, Contingency]] = {}
    for by in asked.choices:
        overlaps[by] = {}
        for document, given in documents.items():
            with named(f"document {document!r}"):
                overlaps[by][document] = _as_given(*given, by)

    def scored(steps: Iterable[Callable[[Contingency], Contingency]]) -> Report:
        tables = {
            by: {document: _repaired(t, steps, by) for document, t in of.items()}
            for by, of in overlaps.items()
        }
        return Report(tables, asked.metrics, asked.choice, asked.note)

    found = []
    so_far: list[Callable[[Contingency], Contingency]] = []
    for name, repair in REPAIRS.items():
        so_far.append(repair)
        found.append(Repair(name, scored([repair]).total, scored(so_far).total))
    before = scored([])
    return Repairs(before.total, found, before.signature)


def _metrics(asked: Request, names: list[str]) -> list[Metric]:
    if asked.bundle is not None:
        return asked.bundle.metrics(names, asked.choice)
    return [Metric.of(name, asked.choice) for name in names]


def _as_given(key: Any, response: Any, choice: Conventions) -> Contingency:
    """How both sides overlap as they are given, before a convention changes the table."""
    if isinstance(key, Contingency):
        return key
    of_key, of_response = sides_of(key, response, choice)
    # Repeats that are counted are lists, whose mentions are in several entities at once.
    if isinstance(of_key, Partition) and isinstance(of_response, Partition):
        return Contingency.of(of_key, of_response)
    raise CorefError(
        f"repairs need mentions that are given once, and repeated={choice.repeated!r} counts them "
        'as often as they are; choose repeated="first" or "merge"'
    )


def _repaired(
    t: Contingency, steps: Iterable[Callable[[Contingency], Contingency]], choice: Conventions
) -> Tables:
    for repair in steps:
        t = repair(t)
    return tables_of(t, choice)
