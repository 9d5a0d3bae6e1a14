"""How often intervals hold the truth: counts of data/coverage.csv.

A script that data/real/README.md names made the file. It drew corpora from a population whose score
is known, made intervals of `DRAWS` draws each, and counted those with this score in them. One
population is made up, of documents that are hard and others that are easy; five are the documents
of `corefbook.studies.real`.
"""

from __future__ import annotations

import csv
from functools import cache

from corefbook.ledger import DATA
from corefbook.tables import Table

FILE = DATA / "coverage.csv"
MADE_UP = "hard and easy"
REAL = ("FCC", "GVC", "ECB+", "Wikipedia", "GUM")
DRAWS = 1000
"""How many draws each interval is made of."""


@cache
def measured() -> tuple[dict[str, str], ...]:
    """The rows of the file.

    >>> len({row["measure"] for row in measured()})
    8
    """
    with open(FILE, encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def methods() -> list[str]:
    """The kinds of intervals, in the order of the file: the last is the library's.

    >>> methods()[-1]
    'expanded percentile, effective'
    """
    return list(dict.fromkeys(row["method"] for row in measured()))


def sizes() -> list[str]:
    """How many documents a corpus has.

    >>> sizes()
    ['5', '10', '25', '60']
    """
    return list(dict.fromkeys(row["documents"] for row in measured()))


def lowest(method: str, documents: str, of: str = "score", corpus: str = MADE_UP) -> float:
    """The percentage of intervals with the known F1, for the measure that has the fewest.

    ``of`` is "score", or "difference" for the difference of two responses.

    >>> lowest("percentile", "5") < lowest("bootstrap t", "5") < 95
    True
    """
    return min(_by_measure(method, documents, of, corpus).values())


def worst(method: str, documents: str, of: str = "score", corpus: str = MADE_UP) -> str:
    """The measure for which the fewest intervals hold the known F1.

    >>> worst("BCa", "25")
    'blanc'
    """
    by_measure = _by_measure(method, documents, of, corpus)
    return min(by_measure, key=lambda measure: by_measure[measure])


def _by_measure(method: str, documents: str, of: str, corpus: str) -> dict[str, float]:
    """The percentage of intervals with the known F1."""
    wanted = {"method": method, "documents": documents, "of": of, "corpus": corpus}
    matching = [row for row in measured() if wanted.items() <= row.items()]
    return {row["measure"]: 100 * int(row["inside"]) / int(row["repetitions"]) for row in matching}


def by_size(method: str, of: str = "score", corpus: str = MADE_UP) -> dict[str, float]:
    """`lowest` for each number of documents, as a row of a picture.

    >>> list(by_size("percentile"))
    ['5 documents', '10 documents', '25 documents', '60 documents']
    """
    return {f"{n} documents": lowest(method, n, of, corpus) for n in sizes()}


def lowest_table() -> Table:
    """`lowest` on real documents, of the library's intervals for ten documents or more.

    >>> lowest_table().head
    ['interval of', 'FCC', 'GVC', 'ECB+', 'Wikipedia', 'GUM']
    """
    rows = []
    for title, of in {"a score": "score", "a difference": "difference"}.items():
        shares = (min(lowest(methods()[-1], n, of, corpus) for n in sizes()[1:]) for corpus in REAL)
        rows.append([title, *(f"{share:.1f}" for share in shares)])
    caption = "Percent of intervals that hold the known F1, with ten documents or more: the lowest."
    return Table(["interval of", *REAL], rows, caption)
