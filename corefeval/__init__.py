"""Coreference evaluation whose measures are their papers' formulas.

>>> from corefeval import evaluate
>>> evaluate({"d": "{Ann she} {cat}"}, {"d": "{Ann she cat}"}, ["muc", "b3"])
measure  recall  precision     F1
muc      100.00      50.00  66.67
b3       100.00      55.56  71.43
<BLANKLINE>
corefeval=... metrics=muc,b3 documents=1 defaults

- Files, folders or mappings from documents to entities: `evaluate`; one document: `metric`
- Documents one by one, as in a training loop: `Scorer`; the documents of a file: `read`
- Labels in sequences, arrays or columns: `from_labels`; in a database: `from_table`
- What went wrong, and what each error costs: `anatomy`
- What other scorers would print, and why: `explain`; whom each puts ahead: `leads`
- Chance: `bootstrap` for one response, `compare` for two, `compare_systems` for several
- What these take and give: `Partition`, `Contingency`, `Report`, `Score`, `CorefError`
- Measures: `corefeval.registry.MEASURES`; what may be chosen: `corefeval.conventions.CHOICES`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefeval import measures as _measures  # noqa: F401  (registers them)
from corefeval._version import __version__ as __version__
from corefeval.accumulate import Scorer
from corefeval.corpus import evaluate
from corefeval.errors import CorefError
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition
from corefeval.report import Report
from corefeval.score import Score
from corefeval.scoring import metric

if TYPE_CHECKING:
    from corefeval.analysis.anatomy import anatomy
    from corefeval.analysis.explain import explain
    from corefeval.chance.leads import leads
    from corefeval.chance.significance import bootstrap, compare, compare_systems
    from corefeval.readers import read

__all__ = [
    "Contingency",
    "CorefError",
    "Partition",
    "Report",
    "Score",
    "Scorer",
    "anatomy",
    "bootstrap",
    "compare",
    "compare_systems",
    "evaluate",
    "explain",
    "from_labels",
    "from_table",
    "leads",
    "metric",
    "read",
]


# Functions of optional parts, which are imported when they are used.


def from_labels(
    key: Sequence[Any] | Mapping[Any, Any],
    response: Sequence[Any] | Mapping[Any, Any],
    document: Sequence[Any] | Mapping[Any, Any] | None = None,
) -> Contingency:
    """Pair two sequences of labels, one place for each mention or record; return their table.

    ``key`` and ``response`` are paired by position, columns of pandas row by row, which takes equal
    indexes, two mappings from records to labels by record. ``document`` has the name of each one's
    document, paired likewise; without it all is one document. Labels are integers or texts; the
    same label is the same entity, within a document. −1 or a missing value (None, NaN, NA) says
    that a side lacks the mention. Raises `CorefError` for what the page *Library* lists under
    *What is refused*, with the line to type where indexes differ.

    >>> t = from_labels(["x", "x", "y", None], [5, 5, 5, 7])
    >>> t.pairs, t.key_sizes, t.response_sizes
    ({(0, 0): 2, (1, 0): 1}, [2, 1], [3, 1])
    >>> from pandas import Series
    >>> key, response = Series([1, 1, 2], index=[*"abc"]), Series([5, 9, 5], index=[*"acb"])
    >>> key, response = key.align(response)
    >>> from_labels(key, response).pairs
    {(0, 0): 2, (1, 1): 1}
    >>> t = from_labels([1, 1, 1], [1, 1, 1], document=["d", "d", "e"])
    >>> t.key_sizes, evaluate(t, metrics="muc").documents["d"]["muc"]
    ([2, 1], recall 1, precision 1, f1 1)
    """
    from corefeval.scale.records import table_of_labels  # it imports NumPy

    return table_of_labels(key, response, document)


def from_table(
    table: Any, key: str = "key", response: str = "response", document: str | None = None
) -> Contingency:
    """Have DuckDB or Spark count a table of mentions when it is scored; return the overlap table.

    ``table`` has a row for each mention: a relation of DuckDB, a data frame of Spark, pandas,
    Polars or Arrow, or the path of a Parquet or CSV file. The columns ``key`` and ``response`` have
    labels as those of `from_labels`; NULL, NaN or −1 says that a side lacks the mention. Those of a
    CSV file are texts, as they are written: 100 is not 1e2. A relation of DuckDB is read once, and
    columns of pandas that hold objects, of several types perhaps, are read by `from_labels`.
    ``document`` names the column of the documents, across which no entity reaches.

    The engine counts triples and sizes, all that most measures need. CEAF, CoNLL and XC fetch the
    overlapping pairs, if they are no more than `corefeval.scale.engine.LIMIT`. Raises `CorefError`
    for what the page *Library* lists under *What is refused*.

    >>> from pandas import DataFrame
    >>> mentions = DataFrame({"key": [1, 1, 2, None], "response": [5, 5, 5, 7]})
    >>> evaluate(from_table(mentions), metrics="muc")["muc"]
    recall 1, precision 1/2, f1 2/3
    """
    from corefeval.scale.frames import table_of  # it may import an engine

    return table_of(table, key, response, document)


LAZY = {
    "anatomy": "corefeval.analysis.anatomy",
    "bootstrap": "corefeval.chance.significance",
    "compare": "corefeval.chance.significance",
    "compare_systems": "corefeval.chance.significance",
    "explain": "corefeval.analysis.explain",
    "leads": "corefeval.chance.leads",
    "read": "corefeval.readers",
}
"""Functions of modules that not every user needs, which are imported when they are used."""


def __dir__() -> list[str]:
    """The public names alone, for completion."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    """A function of `LAZY`."""
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(LAZY[name]), name)
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("corefeval.analysis"):
            raise
        raise CorefError(
            "explain, leads and anatomy need the folder "
            "corefeval/analysis, which is not here; install corefeval again to have all of it"
        ) from None
