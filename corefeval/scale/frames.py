"""Tables of mentions as users have them: an engine counts them, unless their labels are objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corefeval.overlap.contingency import Contingency
from corefeval.scale.engine import (
    DatabaseTable,
    mentions_of_table,
    names_documents,
    names_of_columns,
    refuse_same_names,
    warn_that_documents_are_joined,
)
from corefeval.scale.records import table_of_labels


def table_of(table: Any, key: str, response: str, document: str | None) -> Contingency:
    """The table that `corefeval.from_table` describes."""
    names = names_of_columns(key, response, document)
    columns = _columns_with_objects(table, names)
    if not columns:
        return DatabaseTable(mentions_of_table(table, key, response, document))
    for name in columns if document is None else ():
        # Texts can be counted whatever the objects are.
        if names_documents(name) and columns[name].dropna().map(str).nunique() > 1:
            warn_that_documents_are_joined(name)
    return table_of_labels(*(columns[name] for name in names))


def _columns_with_objects(table: Any, names: Sequence[str]) -> Mapping[str, Any]:
    """The columns of a frame of pandas, if one of these may have values of several types.

    DuckDB makes texts of such a column, in which 1, 1.0 and "1" are no longer what they were.
    """
    if type(table).__module__.partition(".")[0] != "pandas" or not hasattr(table, "columns"):
        return {}
    refuse_same_names(list(table.columns))
    columns = {str(name): table[name] for name in table.columns}
    # A column that there is not, and a frame without rows, are refused as in any other table.
    if not len(table) or not columns.keys() >= {*names}:
        return {}
    types = {str(columns[name].dtype) for name in names}
    return columns if types & {"object", "category"} else {}
