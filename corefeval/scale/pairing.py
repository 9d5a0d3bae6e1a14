"""A key and a response in one Parquet or CSV file, or in two that are joined on their mentions."""

from __future__ import annotations

from collections.abc import Sequence
from os import fspath
from typing import Any

from corefeval.errors import CorefError, named, shortened, warn
from corefeval.overlap.contingency import SIDES
from corefeval.scale.engine import (
    INEXACT,
    DatabaseTable,
    DuckDB,
    Engine,
    count_missing,
    engine_of_file,
    mentions_of_table,
    refusals,
    warn_of_documents,
    warn_of_text_for_none,
)
from corefeval.scale.table_files import is_csv, new_database

MENTION = "mention"
"""The column that names the mentions, unless another is chosen."""
EXAMPLES = """
SELECT (SELECT min(mention) FROM key), (SELECT min(mention) FROM response)
WHERE NOT EXISTS (FROM key JOIN response USING (document, mention))
"""
"""The first mention of each side, by name, if the two share none."""


def of_files(
    key: Any,
    response: Any = None,
    columns: Sequence[str] = (),
    document: str | None = None,
    missing: str = "error",
    id: str = MENTION,
) -> DatabaseTable:
    """The table of a Parquet or CSV file, or of two that are joined on their column ``id``.

    One file has labels in the two ``columns``, by default ``key`` and ``response``; of two each has
    its own, or labels in the only other column. In two files, mentions have their names within a
    document if its column is named. Names are compared as texts, those of whole floats as integers,
    and without blanks before and after.

    Warns if the two share no mention. Raises `CorefError` for a column that is missing, for a
    mention without a name or with two rows, and for a document that one of two files lacks, if
    ``missing`` is ``"error"``.
    """
    if response is None:
        of_key, of_response = columns or SIDES
        with refusals():
            table = engine_of_file(new_database(), fspath(key))
        with named(fspath(key)):
            return DatabaseTable(mentions_of_table(table, of_key, of_response, document))
    connection, paths = new_database(), (fspath(key), fspath(response))
    for side, path, label in zip(SIDES, paths, columns or (None, None), strict=True):
        with refusals():
            _make_side(connection, path, side, label, document, id)
    if document and missing == "error":
        for path, here, there in zip(paths, SIDES, SIDES[::-1], strict=True):
            _check_documents(connection, path, here, there)
    with named(" and ".join(paths)), refusals():
        for examples in connection.sql(EXAMPLES).fetchall():
            key, response = map(shortened, examples)
            warn(
                f"the key and the response share no mention: the key has {key}, the response "
                f"{response}"
            )
        joined = connection.sql(
            "SELECT key, response, document FROM key FULL JOIN response USING (document, mention)"
        )
        written = [side for side, path in zip(SIDES, paths, strict=True) if is_csv(path)]
        of_documents = joined if document else joined.project("key, response")
        table = DuckDB(of_documents, written)
        table.path = None
        return DatabaseTable(mentions_of_table(table, *SIDES, "document" if document else None))


def _make_side(
    connection: Any, path: str, side: str, label: str | None, document: str | None, id: str
) -> None:
    """Make a table of one side: document, mention and its label."""
    by = [id, *([document] if document else [])]
    engine = engine_of_file(connection, path)
    with named(path):
        if id not in engine.types:
            raise CorefError(
                f"there is no column {id!r} that names the mentions, only "
                f"{', '.join(engine.types)}; name it with --id, or both sides' labels in one file "
                "with --columns KEY RESPONSE"
            )
        label = label or _only_other(engine, by)
        engine.quoted(label)  # it refuses a column that there is not
        warn_of_text_for_none(engine, label)
        if document is None:
            warn_of_documents(engine)
        names = [_names_in_sql(engine, column) for column in by]
        engine.relation.project(
            f"{names[0]} AS mention, {names[-1]} AS document, {engine.quoted(label)} AS {side}"
        ).create(side)
        _check_mentions(connection, side, document)


def _only_other(engine: Engine, by: Sequence[str]) -> str:
    """The one column beside those that name the mentions."""
    # pandas writes the index of a filtered frame as a column of this name.
    columns = (name for name in engine.types if not name.startswith("__index_level_"))
    others = [name for name in columns if name not in by]
    if len(others) != 1:
        raise CorefError(
            f"expected {' and '.join(by)} and one column more, got {', '.join(engine.types)}; "
            "name the labels' with --columns KEY RESPONSE"
        )
    return others[0]


def _names_in_sql(engine: Engine, column: str) -> str:
    """The names in a column as texts, in SQL; NULL where there is none."""
    quoted = engine.quoted(column)
    text = f"nullif(trim(CAST({quoted} AS VARCHAR), ' \t'), '')"
    whole = f"CAST(CAST({quoted} AS HUGEINT) AS VARCHAR)"
    if engine.is_of(INEXACT, column):
        return f"CASE WHEN {quoted} = floor({quoted}) THEN {whole} ELSE {text} END"
    if not engine.is_of("float|double", column):
        return text
    bits = 24 if engine.is_of("float", column) else 53
    count_missing(engine, column, f"NOT isnan({{0}}) AND abs({{0}}) >= {2**bits}",
          f"names that a float can tell apart, below 2^{bits}")  # fmt: skip
    return (
        f"CASE WHEN NOT isnan({quoted}) THEN "
        f"CASE WHEN {quoted} = floor({quoted}) THEN {whole} ELSE {text} END END"
    )


def _check_mentions(connection: Any, side: str, document: str | None) -> None:
    """Refuse a row without a name, and a name with two rows."""
    for column in ("document", "mention"):
        ((lacking,),) = connection.sql(
            f"SELECT count(*) FROM {side} WHERE {column} IS NULL"
        ).fetchall()
        if lacking and (column == "mention" or document):
            rows = "a row has" if lacking == 1 else f"{lacking:,} rows have"
            raise CorefError(f"{rows} no {column}; expected a name in each")
    twice = connection.sql(
        f"SELECT document, mention, count(*) FROM {side} GROUP BY document, mention "
        "HAVING count(*) > 1 ORDER BY document, mention LIMIT 1"
    ).fetchall()
    for within, mention, times in twice:
        where = f"document {within!r}, " if document else ""
        raise CorefError(f"{where}mention {mention!r} is in {times} rows; expected one for each")


def _check_documents(connection: Any, path: str, here: str, there: str) -> None:
    """Refuse a document that one side lacks."""
    alone = connection.sql(
        f"SELECT document FROM {here} EXCEPT SELECT document FROM {there} ORDER BY ALL LIMIT 1"
    ).fetchall()
    for (name,) in alone:
        raise CorefError(
            f"{path}: document {name!r} is not in the {there}; add it, or pass --missing empty"
        )
