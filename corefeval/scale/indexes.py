"""Labels that have an index, as pandas' columns have: which labels of two sides belong together."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corefeval.errors import CorefError, shortened, warn

BY_POSITION = "or pair them by position, with .to_numpy() or .reset_index(drop=True) on both sides"


class Places(NamedTuple):
    """By record: the place of its label among those of the key and the response; −1 for none."""

    key: NDArray[np.int64]
    response: NDArray[np.int64]


def places(key: Any, response: Any) -> Places | None:
    """Where the labels of each record stand, joined as `corefeval.from_labels` says.

    Nothing where labels are paired by position: where a side has no index, where both have the
    same, and where an index names nothing.
    """
    if not (is_series(key) and is_series(response)):
        return None
    one, other = key.index, response.index
    if one.equals(other):
        return None
    if is_default(one) or is_default(other):
        if len(one) != len(other):
            raise CorefError(
                f"the key has {len(one)} labels and the response {len(other)}, and an index that "
                "only counts them names no record: give both sides an index of the same names, or "
                "the missing rows with .reindex(), None as their label"
            )
        if not _same_names(one, other):
            return None
    for side, index in (("key", one), ("response", other)):
        check_index(side, index)
    if list(one.names) != list(other.names) and set(one.names) == set(other.names):
        raise CorefError(
            f"the key's index has the levels {', '.join(map(str, one.names))}, the response's "
            f"{', '.join(map(str, other.names))}: put them in one order with .reorder_levels()"
        )
    return _joined(one, other)


def is_series(labels: object) -> bool:
    """Whether this is a column of pandas."""
    pandas = sys.modules.get("pandas")  # whoever has a column has imported it
    return pandas is not None and isinstance(labels, pandas.Series)


def is_default(index: Any) -> bool:
    """Whether pandas made the index, as it does for rows that are given none: it counts them."""
    is_range = type(index).__name__ == "RangeIndex"
    return is_range and index.start == 0 and index.step == 1 and index.name is None


def _same_names(one: Any, other: Any) -> bool:
    """Whether one index is the other in another order, as that of a column that was sorted."""
    return one.is_unique and other.is_unique and bool((places_of(one, other) >= 0).all())


def places_of(names: Any, index: Any) -> NDArray[np.int64]:
    """The place of each name of an index in another one, −1 where that has none."""
    if names.nlevels != index.nlevels:
        return np.full(len(names), -1)
    return index.get_indexer(names).astype(np.int64)


def check_index(side: str, index: Any) -> None:
    """Refuse an index that does not tell its rows apart."""
    if not index.is_unique:
        twice = index[index.duplicated()][:1].tolist()[0]
        raise CorefError(
            f"{side}: the index has {shortened(twice)} more than once, and is not that of the "
            f"other side, row by row: give each row a name of its own, {BY_POSITION}"
        )
    if any(index.get_level_values(level).hasnans for level in range(index.nlevels)):
        raise CorefError(f"{side}: the index has a missing name: name each row, {BY_POSITION}")


def _joined(one: Any, other: Any) -> Places:
    """An outer join: the key's records in their order, then those of the response alone."""
    in_response = places_of(one, other)
    of_response_alone = np.setdiff1d(np.arange(len(other)), in_response)
    of_key_alone = int(np.count_nonzero(in_response < 0))
    if of_key_alone == len(one):
        names = [shortened(index[:1].tolist()) for index in (one, other)]
        raise CorefError(
            f"the indexes have no name in common: the key's begins {names[0]}, the response's "
            f"{names[1]}; give both sides an index of the same names, {BY_POSITION}"
        )
    warn_of_lone(of_key_alone, len(of_response_alone))
    none = np.full(len(of_response_alone), -1)
    return Places(np.append(np.arange(len(one)), none), np.append(in_response, of_response_alone))


def warn_of_lone(of_key: int, of_response: int) -> None:
    """Say how many records are on one side only, if there are any."""
    if of_key or of_response:
        warn(
            f"the labels are joined by their records: {_rows(of_key)} of the key and "
            f"{_rows(of_response)} of the response have no other half there, and are in no entity "
            "of the other side"
        )


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"
