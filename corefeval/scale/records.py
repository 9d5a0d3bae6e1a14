"""Records with two labels each, and perhaps with a document: what `corefeval.from_labels` takes.

What comes in is a list, an array, a column of a data frame or a mapping; what goes on are the
numbers of entities.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence, Set
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefeval.errors import CorefError, expect, items, named, shortened, warn
from corefeval.overlap.contingency import SIDES, Contingency
from corefeval.overlap.labels import (
    BITS_OF_INTEGERS,
    FEWER_THAN_INTEGERS,
    LACKED,
    OF_LABELS,
    are_sure,
    is_nothing,
    numbered,
    numbering,
    place_of,
    refuse_texts_of_numbers,
    warn_of_none,
)
from corefeval.scale.arrays import Ints, columns_of_labels, end, is_sparse, numbers_of_kept
from corefeval.scale.tables import CountedTable, OfDocuments

BY_POSITION = "to pair rows by position, pass .to_numpy() of each column"


def table_of_labels(key: Any, response: Any, document: Any = None) -> Contingency:
    """The table that `corefeval.from_labels` describes."""
    if hasattr(key, "columns"):
        raise CorefError(_columns_of_frame(response, document))
    if isinstance(key, Mapping) and isinstance(response, Mapping):
        key, response, document = _as_lists(key, response, document)
    _refuse_other_indexes({"key": key, "response": response, "document": document})
    numbers = []
    for name, side in zip(SIDES, (key, response), strict=True):
        with named(name):
            numbers.append(_numbers_of_side(side))
    of_key, of_response = numbers
    if len(of_key) != len(of_response):
        raise CorefError(
            f"the key has {len(of_key)} labels and the response {len(of_response)}: expected "
            "one for each mention on both sides, −1 or None where a side lacks it"
        )
    if document is None:
        return CountedTable(columns_of_labels(of_key, of_response))
    tables: dict[Hashable, Contingency] = {}
    for document_name, rows in _rows_of(_document_names(document, len(of_key))).items():
        columns = columns_of_labels(_dense(of_key[rows]), _dense(of_response[rows]))
        tables[document_name] = CountedTable(columns)
    return OfDocuments(tables)


def _columns_of_frame(*names: object) -> str:
    """What to write for a data frame and names of its columns."""
    texts = [name for name in names if isinstance(name, str)]
    of_key, of_response = texts if len(texts) == 2 else SIDES
    return (
        "expected two columns, got a data frame: write "
        f"from_labels(frame[{of_key!r}], frame[{of_response!r}])"
    )


# Mappings from records to labels


def _as_lists(key: Any, response: Any, document: Any) -> tuple[Any, Any, Any]:
    """Mappings from records as lists, in the key's order; a label may be missing."""
    if document is not None:
        expect(Mapping, "documents as a mapping from records, as their labels are", document)
    records = dict.fromkeys([*key, *response])
    _check_records(key, response, len(records))
    of_key = [key.get(record) for record in records]
    of_response = [response.get(record) for record in records]
    if document is None:
        return of_key, of_response, None
    for record in records:
        if record not in document:
            raise CorefError(f"record {shortened(record)} has no document; expected one for each")
    return of_key, of_response, [document[record] for record in records]


def _check_records(key: Any, response: Any, together: int) -> None:
    """Refuse sides without a record in common, and say how many records only one side has."""
    if together and together == len(key) + len(response):
        ours, theirs = (shortened(next(iter(side), None)) for side in (key, response))
        raise CorefError(
            f"the key and the response have no record in common: the key begins with {ours}, "
            f"the response with {theirs}; records are the same if they are equal, type and all"
        )
    of_key, of_response = together - len(response), together - len(key)
    if of_key or of_response:
        warn(
            f"the labels are joined by their records: {_number_of_rows(of_key)} of the key and "
            f"{_number_of_rows(of_response)} of the response have no other half there, and are in "
            "no entity of the other side"
        )


def _number_of_rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


# Columns of pandas, which have an index


def _refuse_other_indexes(columns: Mapping[str, Any]) -> None:
    """Refuse columns whose rows have other names: they would be paired by position."""
    indexes = {}
    for name, labels in columns.items():
        if hasattr(labels, "index") and hasattr(labels, "reindex"):
            indexes[name] = labels.index
    first = next(iter(indexes), "")
    for name, index in indexes.items():
        if _same_names(indexes[first], index):
            continue
        plain = [n for n, column in columns.items() if column is not None and n not in indexes]
        if plain:
            how = f", and {plain[0]} has none: give all as columns with the same index"
        else:
            how = _how_to_pair(first, indexes[first], name, index)
        raise CorefError(f"the indexes of {first} and {name} differ{how}; {BY_POSITION}")


def _same_names(a: Any, b: Any) -> bool:
    """Whether two indexes are equal row by row; their types do not count, names of levels do."""
    if a.nlevels != b.nlevels or (a.nlevels > 1 and list(a.names) != list(b.names)):
        return False
    return all(map(_same_level, _levels(a), _levels(b)))


def _same_level(a: Any, b: Any) -> bool:
    if a.dtype == b.dtype:
        return bool(a.equals(b))
    # As floats, of which several integers are one, pandas would compare integers with floats.
    return bool(a.astype(object).equals(b.astype(object)))


def _levels(index: Any) -> list[Any]:
    return [index.get_level_values(level) for level in range(index.nlevels)]


def _how_to_pair(first: str, first_index: Any, second: str, second_index: Any) -> str:
    """What to type where two columns have other names, or the same ones in another order."""
    for side, index in ((first, first_index), (second, second_index)):
        if not index.is_unique or any(level.hasnans for level in _levels(index)):
            return (
                f", and in that of {side} a name is missing, or comes twice: give each row a name "
                "of its own"
            )
    ours, theirs = first_index.tolist(), second_index.tolist()
    if list(first_index.names) != list(second_index.names) or set(ours).isdisjoint(theirs):
        begin, there = (shortened(index[:1]) for index in (ours, theirs))
        return (
            f", and have no name in common: they begin {begin} and {there}; give both the same "
            "names, and levels of the same names in one order"
        )
    if second == "document":
        return f": to pair rows by name, type document = document.reindex({first}.index) before"
    lacking = set(ours) ^ set(theirs)
    if not lacking:
        return f": to pair rows by name, type {first}, {second} = {first}.align({second}) before"
    name = next(name for name in [*ours, *theirs] if name in lacking)
    # Without the cast, pandas makes floats of integers that get a gap.
    return (
        f", since one lacks {shortened(name)}: to pair rows by name, type {first}, {second} = "
        f'{first}.astype("object").align({second}.astype("object")) before; a row of one side is a '
        "mention that the other lacks"
    )


# Documents


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


def _rows_of(names: list[Hashable]) -> dict[Hashable, Ints]:
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


def _check_names(different: Collection[Any], names: Sequence[Hashable]) -> None:
    """Refuse a document without a name, and a number beside its own text."""
    for name in different:
        is_null = hasattr(name, "as_py") and name.as_py() is None  # of Arrow
        if is_null or is_nothing(name) or name != name:  # NaN
            place = place_of(name, names)
            raise CorefError(f"the record at place {place} has no document; expected one for each")
    refuse_texts_of_numbers("document", different)


# Labels


def _integers(labels: Any) -> NDArray[Any]:
    """Labels as an array of integers: as they are, or else the numbers of their entities."""
    expected = "a list of labels, an array of one dimension, or a column of pandas"
    if isinstance(labels, np.ma.MaskedArray):
        labels = labels.tolist()  # None for what is masked
    if isinstance(labels, (Iterator, Set)):
        raise CorefError(f"expected {expected}, got a {type(labels).__name__}")
    if not hasattr(labels, "__array__"):
        labels = items(expected, labels)
        if set(map(type, labels)) != {int}:
            return _numbers_of(labels)
    array = np.asarray(labels)
    if array.ndim != 1:
        raise CorefError(f"expected {expected}, got an array of {array.ndim} dimensions")
    if array.dtype.kind not in "iuOUTf":
        raise CorefError(f"expected integers or texts as labels, got {array.dtype}")
    if array.dtype.kind in "iu":
        return array
    if array.dtype.kind == "f":
        # NumPy makes floats of integers with a gap, and of those that fit no type of its own.
        listed = _listed(labels)
        if any(type(label) is int for label in listed):
            return _numbers_of(listed)
        _check_short_floats(array)
    return _numbers_of(array.tolist())


def _listed(labels: Any) -> list[Any]:
    """The labels as their own library lists them, whose integers NumPy has made floats.

    Nothing of an array or a column whose type is NumPy's: it holds floats itself.
    """
    if isinstance(getattr(labels, "dtype", None), np.dtype):
        return []
    for lists in ("to_pylist", "tolist", "to_list"):  # of Arrow, of pandas, of Polars
        if hasattr(labels, lists):
            listed: list[Any] = getattr(labels, lists)()
            return listed
    return list(labels)


def _numbers_of(labels: list[Any]) -> Ints:
    """The numbers of the entities of labels, −1 for none; see `corefeval.overlap.labels`."""
    # Most labels are texts: these are numbered in one pass, and only the distinct ones checked.
    if labels and isinstance(labels[0], (str, NoneType)):
        number_of = numbering()
        number_of[None] = -1
        try:
            numbers = np.fromiter(map(number_of.__getitem__, labels), np.int64, len(labels))
            del number_of[None]
            if are_sure(number_of):
                warn_of_none(number_of, OF_LABELS)
                return numbers
        # A label is no text, or not hashable; `numbered` knows what to say of it.
        except TypeError:
            pass
    return np.array(numbered(labels), np.int64)


def _check_short_floats(labels: NDArray[Any]) -> None:
    """Refuse floats of few bits that may stand for several integers each.

    A list of them has doubles, of which `numbered` cannot see what they were.
    """
    if labels.itemsize >= 8:
        return
    many = (labels >= 2 ** BITS_OF_INTEGERS[8 * labels.itemsize]) & (labels < np.inf)
    if many.any():
        place = int(np.argmax(many))
        raise CorefError(f"label {labels[place]} at place {place}: expected {FEWER_THAN_INTEGERS}")


def _numbers_of_side(labels: Any) -> Ints:
    """The labels as numbers of entities counted from 0, −1 where there is none."""
    array = _integers(labels)
    if len(array) and array.min() < -1:
        place = int(np.argmax(array < -1))
        expected = f"labels from 0 on, or {LACKED}"
        raise CorefError(f"label {array[place]} at place {place}: expected {expected}")
    return _dense(array)


def _dense(numbers: NDArray[Any]) -> Ints:
    """Numbers of entities without a gap, −1 where there is none."""
    if is_sparse(numbers, room=1):
        distinct, numbers = np.unique(numbers, return_inverse=True)
        return (numbers - (distinct[:1] == -1)).astype(np.int64, copy=False)
    numbers = numbers.astype(np.int64)  # a copy, since the caller may change the array later
    is_there = np.zeros(end(numbers) + 1, bool)
    is_there[numbers] = True
    is_there[-1] = False  # label −1 is the last
    if is_there[:-1].all():
        return numbers
    return np.append(numbers_of_kept(is_there[:-1]), -1)[numbers]
