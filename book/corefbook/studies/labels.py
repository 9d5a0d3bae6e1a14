"""The labels of public keys and responses: data/real/labels, whose README says who made them."""

from __future__ import annotations

import csv
import io
import lzma
from collections.abc import Sequence
from functools import cache

from corefbook.ledger import DATA
from corefbook.studies import real

FOLDER = DATA / "real" / "labels"
Side = dict[str, list[list[int]]]
"""The entities of each document, each a list of mentions by number."""


@cache
def columns(corpus: str) -> dict[str, list[int]]:
    """The labels of a corpus by column: document, key, and each response.

    >>> fcc = columns("cdcr-corpora-fcc")
    >>> len(fcc["key"]), len(set(fcc["key"])), list(fcc)[-1]
    (1046, 166, 'feature.4')
    """
    text = lzma.decompress((FOLDER / f"{corpus}.csv.xz").read_bytes()).decode()
    rows = csv.reader(io.StringIO(text))
    names = next(rows)
    return {
        name: [int(label) for label in labels]
        for name, labels in zip(names, zip(*rows, strict=True), strict=True)
    }


def sides(corpus: str, response: str, scope: str = "corpus") -> tuple[Side, Side]:
    """The key's and a response's entities, within documents or across them.

    ``scope`` is "documents" or "subtopics", at whose borders every entity is cut, or "corpus",
    where all documents are one. A mention is its place in what is scored by itself.

    >>> key, response = sides("cdcr-corpora-fcc", "feature.0", "documents")
    >>> len(key), sum(map(len, key.values()))
    (122, 672)
    """
    table = columns(corpus)
    units = units_of(corpus, scope)
    return _entities(units, table["key"]), _entities(units, table[response])


def units_of(corpus: str, scope: str) -> list[str]:
    """The document or the subtopic that each mention is in, or "all" of them.

    >>> len(set(units_of("cdcr-corpora-ecbp", "subtopics")))
    20
    """
    table = columns(corpus)
    if scope == "corpus":
        return ["all"] * len(table["key"])
    if scope == "documents":
        return [str(document) for document in table["document"]]
    if "subtopic" in table:
        return [str(subtopic) for subtopic in table["subtopic"]]
    # The archive cdcr-corpora does not name its subtopics; the other one's were matched to it.
    subtopics = real.units(corpus.removeprefix("cdcr-corpora-"), scope)
    return [subtopics[str(document)] for document in table["document"]]


def across(corpus: str, side: str = "key", scope: str = "documents") -> int:
    """How many entities of a side have mentions in more than one document or subtopic.

    >>> across("cdcr-corpora-fcc"), across("cdcr-corpora-ecbp", "feature.0", "subtopics")
    (86, 50)
    """
    units: dict[int, set[str]] = {}
    for unit, entity in zip(units_of(corpus, scope), columns(corpus)[side], strict=True):
        units.setdefault(entity, set()).add(unit)
    return sum(len(each) > 1 for each in units.values())


def _entities(documents: Sequence[str], labels: Sequence[int]) -> Side:
    places: dict[str, int] = {}
    by_document: dict[str, dict[int, list[int]]] = {}
    for document, label in zip(documents, labels, strict=True):
        place = places.get(document, 0)
        places[document] = place + 1
        by_document.setdefault(document, {}).setdefault(label, []).append(place)
    return {document: list(entities.values()) for document, entities in by_document.items()}
