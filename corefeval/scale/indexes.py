"""Columns of pandas have an index: which rows of several columns belong together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from corefeval.errors import CorefError, shortened
from corefeval.labels import BITS_OF_INTEGERS

BY_POSITION = "to pair rows by position, pass .to_numpy() of each column"


def in_one_order(given: Mapping[str, Any]) -> list[Any]:
    """These sequences, by name, in an order in which places belong together.

    Columns of pandas have an index. Equal indexes pair their columns row by row, and the same
    unique names in another order pair them by name. Any other indexes are refused, as is a plain
    sequence, which has only places, beside columns whose indexes differ.
    """
    indexes = {name: each.index for name, each in given.items() if is_series(each)}
    plain = [name for name in given if name not in indexes]
    ordered = dict(given)
    first = next(iter(indexes), "")
    for name, index in indexes.items():
        index_of_first = indexes[first]
        _refuse_large_floats(first, index_of_first, name, index)
        if _equal(index_of_first, index):
            continue
        if plain:
            raise CorefError(
                f"the indexes of {first} and {name} differ, and {plain[0]} has none: give all as "
                f"columns of pandas with the same names in the index, or, {BY_POSITION}"
            )
        ordered[name] = given[name].iloc[_places_in(first, index_of_first, name, index)]
    return list(ordered.values())


def is_series(labels: object) -> bool:
    """Whether this is a column of pandas."""
    pandas = sys.modules.get("pandas")  # whoever has a column has imported it
    return pandas is not None and isinstance(labels, pandas.Series)


def _equal(one: Any, other: Any) -> bool:
    """Whether two indexes have equal names row by row; their types do not count."""
    # By itself, pandas' Int64 never equals int64.
    return bool(one.equals(other) or one.astype(object).equals(other.astype(object)))


def _places_in(first: str, names: Any, other: str, index: Any) -> Any:
    """The place of each name in another index that has the same unique names."""
    for side, each in ((first, names), (other, index)):
        if any(level.hasnans for level in _levels(each)):
            wrong = "a missing name: name each row"
        elif not each.is_unique:
            twice = shortened(each[each.duplicated()][:1].tolist()[0])
            wrong = f"{twice} more than once: give each row a name of its own"
        else:
            continue
        raise CorefError(
            f"the indexes of {first} and {other} differ, and that of {side} has {wrong}, or, "
            f"{BY_POSITION}"
        )
    if list(names.names) != list(index.names) and set(names.names) == set(index.names):
        levels = " and ".join(", ".join(map(str, each.names)) for each in (names, index))
        raise CorefError(
            f"the indexes of {first} and {other} have the levels {levels}: put them in one order "
            "with .reorder_levels()"
        )
    places = _found(names, index)
    if len(names) != len(index) or not _equal(names, index[places]):
        raise CorefError(_differ(first, names, other, index))
    return places


def _levels(index: Any) -> list[Any]:
    return [index.get_level_values(level) for level in range(index.nlevels)]


def _found(names: Any, index: Any) -> Any:
    """The place of each name in an index, −1 where that has none."""
    if names.nlevels != index.nlevels:
        return np.full(len(names), -1)
    if index.inferred_type == "interval":  # in which pandas finds a number, too
        index = index.astype(object)
    return index.get_indexer(names)


def _differ(first: str, names: Any, other: str, index: Any) -> str:
    """What to type where one of two indexes lacks a name."""
    of_first = names[_found(names, index) < 0]
    lacking = of_first.append(index[_found(index, names) < 0])
    if len(of_first) == len(names) or not len(lacking):
        begin, there = (shortened(each[:1].tolist()) for each in (names, index))
        return (
            f"the indexes of {first} and {other} have no name in common: they begin {begin} and "
            f"{there}; give both the same names, or, {BY_POSITION}"
        )
    line = f"{first}, {other} = {first}.align({other})"
    if other == "document":
        line = f"document = document.reindex({first}.index)"
    return (
        f"the indexes of {first} and {other} do not have the same names: one lacks "
        f"{shortened(lacking[:1].tolist()[0])}; to pair rows by name, where a side may lack some, "
        f"type {line} before; {BY_POSITION}"
    )


def _refuse_large_floats(one_name: str, one: Any, other_name: str, other: Any) -> None:
    """Refuse a float that may stand for several integers of the other index."""
    for ours, theirs in zip(_levels(one), _levels(other), strict=False):
        if ours.inferred_type == theirs.inferred_type:
            continue
        for name, each in ((one_name, ours), (other_name, theirs)):
            large = _large_floats(each)
            if len(large):
                raise CorefError(
                    f"{name}: the index has the float {large[0]}, which may stand for several "
                    "integers of the other index: give integers in both"
                )


def _large_floats(names: Any) -> Any:
    """The floats among names from which on not every integer is one."""
    values = names.to_numpy()
    if values.dtype == object:
        values = np.array([value for value in values if isinstance(value, float)])
    if values.dtype.kind != "f":
        return values[:0]
    return values[np.abs(values) >= 2.0 ** BITS_OF_INTEGERS.get(8 * values.itemsize, 53)]
