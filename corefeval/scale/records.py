"""Records with two labels each, and with the name of a document: the tables of `from_labels`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefeval.contingency import Contingency
from corefeval.errors import CorefError, expect, items, shortened, warn
from corefeval.labels import is_nothing, numbering, place_of, refuse_texts_of_numbers
from corefeval.scale.arrays import Ints, columns, numbers
from corefeval.scale.indexes import expect_equal_indexes, is_frame
from corefeval.scale.sources import Counted, OfDocuments


def table(key: Any, response: Any, document: Any = None) -> Contingency:
    """The table that `corefeval.from_labels` describes."""
    if is_frame(key):
        raise CorefError(_columns_of_frame(response, document))
    if isinstance(key, Mapping) and isinstance(response, Mapping):
        key, response, document = _as_lists(key, response, document)
    if document is None:
        expect_equal_indexes({"key": key, "response": response})
        return Contingency.counted_from(Counted(columns(key, response)))
    expect_equal_indexes({"key": key, "response": response, "document": document})
    in_key, in_response = (side.labels for side in numbers(key, response))
    names = _document_names(document, len(in_key))
    return OfDocuments(
        {
            name: Contingency.counted_from(Counted(columns(in_key[rows], in_response[rows])))
            for name, rows in _rows_of(names).items()
        }
    )


def _columns_of_frame(*names: object) -> str:
    """What to write for a data frame and names of its columns."""
    texts = [name for name in names if isinstance(name, str)]
    of_key, of_response = texts if len(texts) == 2 else ("key", "response")
    return (
        "expected two columns, got a data frame: write "
        f"from_labels(frame[{of_key!r}], frame[{of_response!r}])"
    )


def _as_lists(key: Any, response: Any, document: Any) -> tuple[Any, Any, Any]:
    """Mappings from records to labels as lists, in the key's order; a label may be missing."""
    if document is not None:
        expect(Mapping, "documents as a mapping from records, as their labels are", document)
    records = dict.fromkeys(chain(key, response))
    if records and not len(key) + len(response) - len(records):
        first = [shortened(next(iter(side))) for side in (key, response)]
        raise CorefError(
            f"the key and the response have no record in common: the key begins with {first[0]}, "
            f"the response with {first[1]}; records are the same if they are equal, type and all"
        )
    _warn_of_lone(len(records) - len(response), len(records) - len(key))
    of_key, of_response = ([side.get(record) for record in records] for side in (key, response))
    if document is None:
        return of_key, of_response, None
    lacking = [record for record in records if record not in document]
    if lacking:
        raise CorefError(f"record {shortened(lacking[0])} has no document; expected one for each")
    return of_key, of_response, [document[record] for record in records]


def _warn_of_lone(of_key: int, of_response: int) -> None:
    """Say how many records are on one side only, if there are any."""
    if of_key or of_response:
        warn(
            f"the labels are joined by their records: {_rows(of_key)} of the key and "
            f"{_rows(of_response)} of the response have no other half there, and are in no entity "
            "of the other side"
        )


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def _document_names(document: Any, length: int) -> list[Hashable]:
    """The document of each record."""
    if isinstance(document, Mapping):
        raise CorefError("the labels stand in an order: expected the documents in the same order")
    if isinstance(document, np.ma.MaskedArray):
        document = document.tolist()  # None for what is masked
    if hasattr(document, "to_pylist"):  # an array of Arrow, whose items are no texts or numbers
        document = document.to_pylist()
    # A column of pandas takes ten times as long to iterate as its array of texts.
    if hasattr(document, "__array__") and np.asarray(document).dtype == object:
        document = np.asarray(document).tolist()
    names = items("the documents of the records", document)
    if len(names) != length:
        raise CorefError(f"there are {length} records and {len(names)} names of documents")
    return names


def _rows_of(names: list[Hashable]) -> dict[Hashable, NDArray[np.int64]]:
    """The rows of each document, in the order in which documents first appear."""
    number_of = numbering()
    try:
        number: Ints = np.fromiter(map(number_of.__getitem__, names), np.int64, len(names))
    except TypeError as error:
        raise CorefError(f"the name of a document is not hashable: {error}") from None
    _check_names(number_of, names)
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number, minlength=len(number_of)))[:-1]
    # Without any record there is no document, and yet one part of its rows.
    return dict(zip(number_of, np.split(order, ends), strict=False))


def _check_names(different: Collection[Any], names: list[Hashable]) -> None:
    """Refuse a document without a name, and a number beside its own text."""
    for name in different:
        is_null = hasattr(name, "as_py") and name.as_py() is None  # a null of Arrow
        if is_null or is_nothing(name) or name != name:  # NaN
            place = place_of(name, names)
            raise CorefError(f"the record at place {place} has no document; expected one for each")
    refuse_texts_of_numbers("document", different)
