"""The labels of public keys and responses: data/real/labels, made by tools/real_labels.py."""

from __future__ import annotations

import csv
import io
import json
import lzma
from collections.abc import Sequence
from functools import cache

from companion.ledger import DATA

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

    ``scope`` is "documents", where every entity is cut at the borders of documents, or "corpus",
    where all documents are one. A mention is its place in its document.

    >>> key, response = sides("cdcr-corpora-fcc", "feature.0", "documents")
    >>> len(key), sum(map(len, key.values()))
    (122, 672)
    """
    table = columns(corpus)
    whole = ["all"] * len(table["key"])
    documents = list(map(str, table["document"])) if scope == "documents" else whole
    return _entities(documents, table["key"]), _entities(documents, table[response])


def across(corpus: str) -> int:
    """How many entities of the key have mentions in more than one document.

    >>> across("cdcr-corpora-fcc")
    86
    """
    table = columns(corpus)
    documents: dict[int, set[int]] = {}
    for document, entity in zip(table["document"], table["key"], strict=True):
        documents.setdefault(entity, set()).add(document)
    return sum(len(each) > 1 for each in documents.values())


def _entities(documents: Sequence[str], labels: Sequence[int]) -> Side:
    places: dict[str, int] = {}
    found: dict[str, dict[int, list[int]]] = {}
    for document, label in zip(documents, labels, strict=True):
        place = places.get(document, 0)
        places[document] = place + 1
        found.setdefault(document, {}).setdefault(label, []).append(place)
    return {document: list(entities.values()) for document, entities in found.items()}


def as_json(key: Side, response: Side) -> str:
    """Pairs of a document's key and response, in which a mention is a list of one number."""
    both = [
        [[[[mention] for mention in entity] for entity in side[name]] for side in (key, response)]
        for name in key
    ]
    return json.dumps(both)
