"""Parquet and CSV files as tables of DuckDB, and what is wrong with them."""

from __future__ import annotations

import csv
import gzip
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from corefeval.errors import CorefError, named
from corefeval.progress import is_drawn

IS_CSV = re.compile(r"\.[ct]sv(\.gz)?$", re.IGNORECASE)
PATTERN = re.compile(r"[*?\[]")
"""What DuckDB takes for a part of a pattern, unless it stands in brackets."""
SEPARATORS = ",;\t|"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def duckdb_module() -> Any:
    """DuckDB, where it is installed."""
    try:
        import duckdb
    except ImportError:
        missing = "tables are scored by DuckDB, which is not installed"
        raise CorefError(f"{missing}: pip install 'duckdb>=2'") from None
    return duckdb


def new_database() -> Any:
    """A new database in memory.

    It draws the progress of a query that takes more than two seconds, if progress is to be drawn
    and standard output is a terminal, too: that is where DuckDB draws, and where the result goes.
    Left alone, DuckDB 2 draws there in any case.
    """
    duckdb = duckdb_module()
    connection = duckdb.connect()
    is_seen = is_drawn() and sys.stdout.isatty()
    with suppress(duckdb.InvalidInputException):  # in Jupyter without ipywidgets it has no bar
        connection.execute(f"SET enable_progress_bar = {is_seen}")
    return connection


def relation_of_file(connection: Any, path: str, texts: Sequence[str] = ()) -> Any:
    """A file as a relation; ``texts`` are columns that a CSV file is not to take for numbers.

    Raises `CorefError` for a path that is no file, a pattern of several included; for a file that
    is empty or of UTF-16; and for a CSV file that has a column twice, or rows of other lengths.
    """
    with named(path):
        _check_file(path)
        literal = PATTERN.sub(r"[\g<0>]", path)
        if not IS_CSV.search(path):
            return connection.read_parquet(literal)
        types = dict.fromkeys(texts, "VARCHAR")
        try:
            found = connection.read_csv(literal, header=True, sample_size=-1, dtype=types)
        except duckdb_module().Error:
            _check_rows(path, [])
            raise
        _check_rows(path, found.columns)
        return found


def _check_file(path: str) -> None:
    if not os.path.isfile(path):
        several = PATTERN.search(path) or os.path.isdir(path) or "://" in path
        hint = "; several files, or one elsewhere, are a table of duckdb.read_parquet or read_csv"
        raise CorefError(f"expected the path of a file: there is none{hint if several else ''}")
    with open(path, "rb") as file:
        begin = file.read(2)
    if not begin:
        raise CorefError("the file is empty")
    if IS_CSV.search(path) and begin in UTF_16:
        raise CorefError(f"its first bytes are {begin.hex(' ')} (UTF-16); save it as UTF-8")


def _check_rows(path: str, columns: Sequence[str]) -> None:
    """Where DuckDB does not find the columns of the first line: refuse what makes it do so."""
    rows = _csv_rows(path)
    header = next(rows, [])
    if header == list(columns):
        return
    for name in header:
        if [each.lower() for each in header].count(name.lower()) > 1:
            raise CorefError(f"its header has the column {name!r} twice: leave one out")
    for number, row in enumerate(rows, 2):
        if row and len(row) != len(header):
            raise CorefError(
                f"row {number} has {len(row)} fields, and the header {len(header)}: "
                f"{', '.join(header)}"
            )


def _csv_rows(path: str) -> Iterator[list[str]]:
    """The rows of a CSV file, by the separator that its first line has most often."""
    opening = gzip.open if path.lower().endswith(".gz") else open
    with opening(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as file:
        first = file.readline()
        file.seek(0)
        yield from csv.reader(file, delimiter=max(SEPARATORS, key=first.count))
