"""Records with two labels each, and with the name of a document: the tables of `from_labels`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefeval.contingency import Contingency
from corefeval.errors import CorefError, expect, items, shortened
from corefeval.labels import is_nothing
from corefeval.scale.arrays import Ints, columns, numbers
from corefeval.scale.counted import Counted, LabelledDocuments
from corefeval.scale.indexes import (
    check_index,
    is_default,
    is_series,
    places,
    places_of,
    warn_of_lone,
)


def table(key: Any, response: Any, document: Any = None) -> Contingency:
    """The table that `corefeval.from_labels` describes."""
    if isinstance(key, Mapping) and isinstance(response, Mapping):
        key, response, document = _listed(key, response, document)
    if document is None:
        return Contingency.counted_from(Counted(columns(key, response)))
    joined = places(key, response)
    in_key, in_response = (side.labels for side in numbers(key, response, joined))
    names = _names(document, key, response, len(in_key), joined)
    return LabelledDocuments(
        {
            name: Contingency.counted_from(Counted(columns(in_key[rows], in_response[rows])))
            for name, rows in _rows_of(names).items()
        }
    )


def _listed(key: Any, response: Any, document: Any) -> tuple[Any, Any, Any]:
    """Mappings from records to labels as lists, in the key's order; a label may be missing."""
    if document is not None:
        expect(Mapping, "documents as a mapping from records, as their labels are", document)
    records = dict.fromkeys(chain(key, response))
    lone = len(records) - len(response), len(records) - len(key)
    if records and not len(key) + len(response) - len(records):
        first = [shortened(next(iter(side))) for side in (key, response)]
        raise CorefError(
            f"the key and the response have no record in common: the key begins with {first[0]}, "
            f"the response with {first[1]}; records are the same if they are equal, type and all"
        )
    warn_of_lone(*lone)
    of_key, of_response = ([side.get(record) for record in records] for side in (key, response))
    if document is None:
        return of_key, of_response, None
    lacking = [record for record in records if record not in document]
    if lacking:
        raise CorefError(f"record {shortened(lacking[0])} has no document; expected one for each")
    return of_key, of_response, [document[record] for record in records]


def _names(document: Any, key: Any, response: Any, length: int, joined: Any) -> list[Hashable]:
    """The document of each record, paired with the labels as these are with one another."""
    series = is_series(document) and is_series(key) and is_series(response)
    if joined and not series:
        raise CorefError(
            "the labels are joined by their index: give the documents as a column of pandas with "
            "that index, too"
        )
    if series:
        document = _in_place(document, key.index, response.index, joined)
    if isinstance(document, Mapping):
        raise CorefError("the labels stand in an order: expected the documents in the same order")
    names = items("the documents of the records", document)
    if len(names) != length:
        raise CorefError(f"there are {length} records and {len(names)} names of documents")
    return names


def _in_place(document: Any, of_key: Any, of_response: Any, joined: Any) -> Any:
    """A column of documents in the order of the records, found by its index."""
    index = of_key
    if joined:
        index = of_key.append(of_response[joined.response[joined.key < 0]])
    elif is_default(of_key):
        index = of_response
    if index.equals(document.index) or is_default(index) or is_default(document.index):
        return document
    check_index("document", document.index)
    found = places_of(index, document.index)
    if (found < 0).any():
        record = index[int(np.argmax(found < 0))]
        raise CorefError(f"record {shortened(record)} has no document; expected one for each")
    return document.iloc[found]


def _rows_of(names: list[Hashable]) -> dict[Hashable, NDArray[np.int64]]:
    """The rows of each document, in the order in which documents first appear."""
    number_of = _numbers_of(names)
    number: Ints = np.fromiter(map(number_of.__getitem__, names), np.int64, len(names))
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number, minlength=len(number_of)))[:-1]
    return dict(zip(number_of, np.split(order, ends), strict=True))


def _numbers_of(names: list[Hashable]) -> dict[Hashable, int]:
    """The number of each document, from 0 in the order in which they first appear."""
    try:
        different = dict.fromkeys(names)
    except TypeError as error:
        raise CorefError(f"the name of a document is not hashable: {error}") from None
    for name in different:
        if is_nothing(name) or name != name:  # NaN
            place = names.index(name)
            raise CorefError(f"the record at place {place} has no document; expected one for each")
    return {name: number for number, name in enumerate(different)}
