"""Columns of pandas have an index: which rows of several columns belong together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from corefeval.errors import CorefError, shortened

BY_POSITION = "to pair rows by position, pass .to_numpy() of each column"


def expect_equal_indexes(given: Mapping[str, Any]) -> None:
    """Refuse columns of pandas, by name, whose indexes are not equal row by row.

    A plain sequence has places alone, and goes with columns whose indexes are equal.
    """
    indexes = {name: each.index for name, each in given.items() if is_series(each)}
    first = next(iter(indexes), "")
    for name, index in indexes.items():
        if not _equal(indexes[first], index):
            plain = [each for each in given if each not in indexes]
            if plain:
                raise CorefError(
                    f"the indexes of {first} and {name} differ, and {plain[0]} has none: give all "
                    f"as columns of pandas with the same index, or, {BY_POSITION}"
                )
            raise CorefError(_differ(first, indexes[first], name, index))


def is_series(labels: object) -> bool:
    """Whether this is a column of pandas."""
    return _is_of_pandas("Series", labels)


def is_frame(table: object) -> bool:
    """Whether this is a data frame of pandas."""
    return _is_of_pandas("DataFrame", table)


def _is_of_pandas(kind: str, given: object) -> bool:
    pandas = sys.modules.get("pandas")  # whoever has a column has imported it
    return pandas is not None and isinstance(given, getattr(pandas, kind))


def _equal(one: Any, other: Any) -> bool:
    """Whether two indexes are equal row by row; their types do not count, names of levels do."""
    if one.nlevels != other.nlevels or (one.nlevels > 1 and list(one.names) != list(other.names)):
        return False
    return all(map(_equal_level, _levels(one), _levels(other)))


def _equal_level(one: Any, other: Any) -> bool:
    if one.dtype == other.dtype:
        return bool(one.equals(other))
    # As objects, an integer is compared exactly with a float, and Int64 may equal int64.
    return bool(one.astype(object).equals(other.astype(object)))


def _levels(index: Any) -> list[Any]:
    return [index.get_level_values(level) for level in range(index.nlevels)]


def _differ(first: str, one: Any, other: str, index: Any) -> str:
    """What to type where two indexes differ."""
    told = f"the indexes of {first} and {other} differ"
    for side, each in ((first, one), (other, index)):
        if not each.is_unique or any(level.hasnans for level in _levels(each)):
            return (
                f"{told}, and in that of {side} a name is missing, or comes twice: give each row a "
                f"name of its own, or, {BY_POSITION}"
            )
    ours, theirs = one.tolist(), index.tolist()
    if list(one.names) != list(index.names) or set(ours).isdisjoint(theirs):
        begin, there = (shortened(each[:1].tolist()) for each in (one, index))
        return (
            f"{told}, and have no name in common: they begin {begin} and {there}; give both the "
            f"same names, and levels of the same names in one order, or, {BY_POSITION}"
        )
    both = set(ours) & set(theirs)
    lacking = [name for name in (*ours, *theirs) if name not in both]
    found = f"one lacks {shortened(lacking[0])}" if lacking else "the same names in another order"
    line = f"{first}, {other} = {first}.align({other}) before"
    if other == "document":
        line = f"document = document.reindex({first}.index) before"
    elif lacking:
        line += (
            ', which keeps what only one side has, as a mention that the other lacks (join="inner" '
            "leaves it out)"
        )
    return f"{told}: {found}; to pair rows by name, type {line}; {BY_POSITION}"
