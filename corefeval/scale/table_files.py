"""Parquet and CSV files as tables of DuckDB, and what is wrong with them."""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections import Counter
from contextlib import suppress
from typing import Any, NamedTuple

from corefeval.errors import GIT_LFS, OF_GIT_LFS, CorefError, named

IS_CSV = re.compile(r"\.[ct]sv(\.gz)?$", re.IGNORECASE)
PATTERN = re.compile(r"[*?\[]")
"""What DuckDB takes for a part of a pattern, unless it stands in brackets."""
SEPARATORS = ",;\t|"
LONGEST_FIELD = 2**31 - 1
"""What Python's csv can be asked to read, on every machine: a column may have whole texts."""
USUAL_LINE = 2_000_000
"""The bytes of a line that DuckDB reads unless it is asked for more, which takes more memory."""
QUOTE = '"'
OPENING = f" {QUOTE}"
"""At the beginning of a field DuckDB takes this for an opening quotation mark, Python for text."""
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

    Left alone, DuckDB 2 draws progress on a terminal, where the result goes.
    """
    duckdb = duckdb_module()
    connection = duckdb.connect()
    with suppress(duckdb.InvalidInputException):  # in Jupyter without ipywidgets it has no bar
        connection.execute("SET enable_progress_bar = False")
    return connection


def relation_of_file(connection: Any, path: str) -> Any:
    """A file as a relation; all columns of a CSV file are texts, as they are written.

    Raises `CorefError` for a path that is no file, a pattern of several included; for a file that
    is empty or of UTF-16; and for a CSV file that has a column twice, a row of another length than
    its header, text beside a quoted field, or a blank before one. A CSV file raises the limit that
    Python's csv has for the length of a field.
    """
    with named(path):
        _check_file(path)
        literal = PATTERN.sub(r"[\g<0>]", path)
        if not is_csv(path):
            return connection.read_parquet(literal)
        file = _checked_csv(path)
        # A dialect that DuckDB finds by itself may take an apostrophe for a quotation mark.
        relation = connection.read_csv(
            literal,
            header=True,
            columns=dict.fromkeys(file.header, "VARCHAR"),
            auto_detect=False,
            delimiter=file.separator,
            quotechar='"',
            escapechar='"',
            comment="",
            strict_mode=False,  # ends of lines may differ
            max_line_size=max(USUAL_LINE, 4 * file.longest + 10),
        )
        _check_openings(relation, file)
        ((rows,),) = relation.count("*").fetchall()
        if rows != file.rows:
            raise CorefError(
                f"it has {file.rows:,} rows, of which DuckDB reads {rows:,}: write it anew by "
                "Python's csv or by pandas"
            )
        return relation


def is_csv(path: str) -> bool:
    """Whether a file has comma-separated values, or such of another separator."""
    return IS_CSV.search(path) is not None


class Csv(NamedTuple):
    """What Python's csv finds in a file."""

    separator: str
    """The one that its first line has most often."""
    header: list[str]
    rows: int
    """How many rows follow the header."""
    openings: Counter[int]
    """By a column's place: how many of its fields begin with `OPENING`."""
    first: int
    """The first row with such a field."""
    longest: int
    """How many characters the longest row has, of which UTF-8 has at most four bytes each."""


def _checked_csv(path: str) -> Csv:
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
    opening = gzip.open if path.lower().endswith(".gz") else open
    with opening(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as file:
        separator = max(SEPARATORS, key=file.readline().count)
        file.seek(0)
        reader = csv.reader(file, delimiter=separator, strict=True)
        rows = number = first = longest = 0
        openings: Counter[int] = Counter()
        try:
            header = _checked_header(next(reader, []))
            for number, row in enumerate(reader, 2):
                if not row:  # a blank line
                    continue
                if len(row) != len(header):
                    raise CorefError(
                        f"row {number} has {len(row)} fields, and the header {len(header)}: "
                        f"{', '.join(header)}"
                    )
                rows += 1
                line = separator.join(row)
                longest = max(longest, len(line))
                if OPENING in line:
                    places = [n for n, field in enumerate(row) if field.startswith(OPENING)]
                    openings.update(places)
                    first = first or number * bool(places)
        except csv.Error as error:
            raise CorefError(
                f"row {max(number, 1) + 1}: {error}; expected fields as Python's csv writes them, "
                'those with a separator, an end of line or a quotation mark in "…"'
            ) from None
    return Csv(separator, header, rows, openings, first, longest)


def _check_openings(relation: Any, file: Csv) -> None:
    """Refuse a blank before a quoted field, which DuckDB reads otherwise than Python.

    Within quotation marks both may stand at a field's beginning: then DuckDB finds as many.
    """
    if not file.openings:
        return
    names = [f'"{name.replace(QUOTE, 2 * QUOTE)}"' for name in file.header]
    counts = [f"count(CASE WHEN starts_with({name}, '{OPENING}') THEN 1 END)" for name in names]
    try:
        (openings,) = relation.aggregate(", ".join(counts)).fetchall()
    except duckdb_module().Error:  # there is no quotation mark at the other end
        openings = ()
    if openings != tuple(file.openings[place] for place in range(len(names))):
        raise CorefError(
            f"in row {file.first}, or below, a blank stands before a field in quotation marks: "
            "leave it out, or put it within them"
        )


def _checked_header(header: list[str]) -> list[str]:
    """The names of the columns, of which pandas leaves that of its index blank."""
    if not header:
        raise CorefError("it has no header: expected the names of columns in its first line")
    names = [name or f"column{place}" for place, name in enumerate(header)]
    lowered = [name.lower() for name in names]
    for name in names:
        if lowered.count(name.lower()) > 1:  # SQL takes capital and small letters for the same
            raise CorefError(f"its header has the column {name!r} twice: leave one out")
    return names


def _check_file(path: str) -> None:
    if not os.path.isfile(path):
        several = PATTERN.search(path) or os.path.isdir(path) or "://" in path
        hint = "; several files, or one elsewhere, are a table of duckdb.read_parquet or read_csv"
        raise CorefError(f"expected the path of a file: there is none{hint if several else ''}")
    with open(path, "rb") as file:
        begin = file.read(len(GIT_LFS))
    if not begin:
        raise CorefError("the file is empty")
    if begin == GIT_LFS:
        raise CorefError(f"it is {OF_GIT_LFS}")
    if is_csv(path) and begin[:2] in UTF_16:
        raise CorefError(f"its first bytes are {begin[:2].hex(' ')} (UTF-16); save it as UTF-8")
