"""Tables of mentions in a database engine, which counts them: DuckDB or Spark.

The engine does the grouping. What comes back are the distinct triples (n, k, r) and the sizes of
entities, each with its number of times: few, however many mentions there are. The queries are the
same text for both engines, so that there is nothing for Ibis or SQLGlot to translate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.contingency import SIDES
from corefeval.errors import CorefError, named, shortened
from corefeval.labels import LACKED, LARGEST_FLOAT, TEXTS_OF_NOTHING

if TYPE_CHECKING:
    from corefeval.scale.arrays import Columns

LIMIT = 10_000_000
"""The most rows that are fetched: of pairs, or of all documents' triples and sizes."""
WHOLE = "table"
"""The name of the one document of a table without documents."""
TABLE = "corefeval_mentions"
"""What a query calls the table."""
COUNT = "CAST(count({}) AS INTEGER)"
"""An engine takes less time over 32 bits, and refuses an entity that has more mentions."""

INTEGERS = r"u?(tiny|small|big)?int(eger)?|void|\W?null\W?"
NUMBER, TEXT = "CAST({0} AS DOUBLE)", "CAST({0} AS STRING)"
KINDS = {
    INTEGERS: ("nullif({0}, -1)", "{0} < -1"),
    r"float|double|decimal.*": (
        f"CASE WHEN NOT isnan({NUMBER}) AND {{0}} <> -1 THEN CAST({{0}} AS BIGINT) END",
        f"NOT isnan({NUMBER}) AND {{0}} <> -1 "
        f"AND ({{0}} < 0 OR {{0}} > {LARGEST_FLOAT} OR {{0}} <> floor({{0}}))",
    ),
    r"varchar|string|char.*|enum.*": (
        TEXT,
        f"trim({TEXT}) IN ({str(sorted(TEXTS_OF_NOTHING))[1:-1]}) "
        f"OR ({TEXT} LIKE '%-%' AND try_cast(trim({TEXT}) AS DOUBLE) < 0)",
    ),
}
"""By a column's types its labels in SQL, NULL where a mention is missing, and which are refused."""


class Engine(NamedTuple):
    """A table of an engine, its columns' types, how names are quoted, and what answers a query."""

    types: Mapping[str, str]
    quote: str
    answer: Callable[[str], Sequence[Sequence[Any]]]

    def quoted(self, name: str) -> str:
        """A column's name in SQL; refused if there is none."""
        if name not in self.types:
            raise CorefError(f"there is no column {name!r}; expected {', '.join(self.types)}")
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote


def opened(frame: Any) -> Engine:
    """The engine of a table: Spark, or else DuckDB."""
    if type(frame).__module__.startswith("pyspark."):
        return _spark(frame)
    duckdb = _duckdb()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return _of_relation(frame)
    if isinstance(frame, (str, PathLike)):
        return _of_relation(_read(duckdb.connect(), fspath(frame)))
    try:  # the query finds the variable by its name
        return _of_relation(duckdb.connect().sql("FROM frame"))
    except duckdb.Error:
        raise CorefError(
            "expected a table or query of DuckDB or Spark, a data frame that DuckDB can read, or "
            f"the path of a Parquet or CSV file; got {shortened(frame)}"
        ) from None


def _spark(frame: Any) -> Engine:
    def answer(query: str) -> Sequence[Sequence[Any]]:
        found = frame.sparkSession.sql(query.replace(TABLE, f"{{{TABLE}}}"), **{TABLE: frame})
        return list(zip(*found.collect(), strict=True)) or [range(0)] * len(found.columns)

    return Engine(dict(frame.dtypes), "`", answer)


def _of_relation(relation: Any) -> Engine:
    def answer(query: str) -> Sequence[Sequence[Any]]:
        return list(relation.query(TABLE, query).fetchnumpy().values())

    return Engine(dict(zip(relation.columns, map(str, relation.types), strict=True)), '"', answer)


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        missing = "tables are scored by DuckDB, which is not installed"
        raise CorefError(f"{missing}: pip install 'corefeval[duckdb]'") from None
    return duckdb


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not re.match("_?duckdb|pyspark|py4j", type(error).__module__):
            raise
        raise CorefError(f"the engine says: {str(error).splitlines()[0]}") from error


def _read(connection: Any, path: str, texts: Sequence[str] = ()) -> Any:
    """A file as a relation; ``texts`` are columns that a CSV file is not to take for numbers."""
    if not re.search(r"\.[ct]sv(\.gz)?$", path, re.IGNORECASE):
        return connection.read_parquet(path)
    types = dict.fromkeys(texts, "VARCHAR")
    return connection.read_csv(path, header=True, sample_size=-1, dtype=types)


# From a table to its mentions


def mentions(table: Any, key: str, response: str, document: str | None) -> Mentions:
    """The mentions of the table that `corefeval.from_table` describes."""
    with _refusals():
        engine = opened(table)
        sides = zip(SIDES, (key, response), strict=True)
        columns = [f"{_labels(engine, name)} AS {side}" for side, name in sides]
        if document is not None:
            column, type = engine.quoted(document), engine.types[document]
            if re.match(r".*\[|(array|list|map|struct|union)\b", type, re.IGNORECASE):
                wrong = f"column {document!r} is of type {type}"
                raise CorefError(f"{wrong}; expected names of documents")
            _check(engine, document, f"{column} IS NULL", "a document for each mention", column)
            columns.append(f"{column} AS document")
    by = "" if document is None else "document, "
    return Mentions(engine, f"SELECT {', '.join(columns)} FROM {TABLE}", by)


def _labels(engine: Engine, name: str) -> str:
    """A column's labels in SQL, NULL for those that say that there is none."""
    column, type = engine.quoted(name), engine.types[name]
    for types, (label, refused) in KINDS.items():
        if re.fullmatch(types, type, re.IGNORECASE):
            expected = f"labels from 0 on, or {LACKED}, and no text for it"
            label = label.format(column)
            missing = _check(engine, name, refused.format(column), expected, label)
            # A column as it is takes less time to group.
            return label if missing or types != INTEGERS else column
    wrong = f"column {name!r} is of type {type}"
    raise CorefError(f"{wrong}; expected integers of at most 64 bits, or texts")


def _check(engine: Engine, name: str, refused: str, expected: str, label: str) -> int:
    """How many labels say that there is none; refuses those that cannot be scored, and no rows."""
    column = engine.quoted(name)
    text = f"coalesce({TEXT}, 'NULL')".format(column)
    (rows,), (wrong,), (missing,), (example,) = engine.answer(
        f"SELECT count(*) AS size, count(CASE WHEN {refused} THEN 1 END) AS wrong, "
        f"count({column}) - count({label}) AS missing, "
        f"min(CASE WHEN {refused} THEN {text} END) AS example FROM {TABLE}"
    )
    if not rows:
        raise CorefError("the table has no rows")
    if wrong:
        found = f"column {name!r} has {example!r} ({wrong:,} such rows)"
        raise CorefError(f"{found}; expected {expected}")
    return int(missing)


def of_files(
    key: Any,
    response: Any = None,
    columns: Sequence[str] = (),
    document: str | None = None,
    missing: str = "error",
) -> Mentions:
    """The mentions of a Parquet or CSV file, or of two that are joined on their column ``mention``.

    One file has labels in the two ``columns``, by default ``key`` and ``response``; of two each has
    its own, or labels in the only other column. In two files, mentions have their names within a
    document if its column is named.

    Raises `CorefError` for a column that is missing, for a mention without a name or with two
    rows, and for a document that one of two files lacks, if ``missing`` is ``"error"``.
    """
    if response is None:
        of_key, of_response = columns or SIDES
        with named(fspath(key)):
            return mentions(key, of_key, of_response, document)
    connection, paths = _duckdb().connect(), (fspath(key), fspath(response))
    for side, path, label in zip(SIDES, paths, columns or (None, None), strict=True):
        with named(path), _refusals():
            _side_of_file(connection, path, side, label, document)
    for path, here, there in zip(paths, SIDES, SIDES[::-1], strict=True):
        alone = f"SELECT document FROM {here} EXCEPT SELECT document FROM {there} LIMIT 1"
        if document and missing == "error" and (found := connection.sql(alone).fetchall()):
            raise CorefError(
                f"{path}: document {found[0][0]!r} is not in the {there}; add it, or pass "
                "--missing empty"
            )
    with named(" and ".join(paths)), _refusals():
        joined = connection.sql("FROM key FULL JOIN response USING (document, mention)")
        return mentions(joined, *SIDES, document and "document")


def _side_of_file(
    connection: Any, path: str, side: str, label: str | None, document: str | None
) -> None:
    """Make a table of one side: document, mention and its label."""
    by = ["mention", *([document] if document else [])]
    engine = _of_relation(_read(connection, path))
    mention, of = engine.quoted("mention"), engine.quoted(by[-1])
    others = [name for name in engine.types if name not in by]
    if label is None and len(others) != 1:
        raise CorefError(
            f"expected {' and '.join(by)} and one column more, got {', '.join(engine.types)}; "
            "name the labels' with --columns KEY RESPONSE"
        )
    # Texts in a CSV file may be numbers in a Parquet file.
    _read(connection, path, by).project(
        f"CAST({mention} AS VARCHAR) AS mention, CAST({of} AS VARCHAR) AS document, "
        f"{engine.quoted(label or others[0])} AS {side}"
    ).create(side)
    refused = connection.sql(
        f"SELECT document, mention, count(*) FROM {side} GROUP BY document, mention "
        "HAVING count(*) > 1 OR document IS NULL OR mention IS NULL LIMIT 1"
    ).fetchall()
    for name, twice, times in refused:
        where = f"document {name!r}, " if document else ""
        where += f"mention {twice!r} is in {times} rows"
        raise CorefError(f"{where}; expected a name and one row for each mention")


# What is counted of the mentions


class Mentions:
    """The mentions that a query gives: what is counted of them, when it is asked for."""

    def __init__(self, engine: Engine, rows: str, by: str = "") -> None:
        self._engine, self._rows, self._by = engine, rows, by
        self._name = "document" if by else f"'{WHOLE}' AS document"

    def _answer(self, query: str) -> list[Any]:
        """What the engine says to a query of ``met``, pairs of entities, or of ``keys``."""
        import numpy as np

        by, rows = self._by, f"({self._rows}) AS mentions"
        # A group of NULL costs less than a filter. To group the rows three times costs less than
        # to sum up the sizes of entities from their pairs.
        counts = ", ".join(
            f"{side}s AS (SELECT {by}{side}, {COUNT.format('*')} AS size, "
            f"{COUNT.format(other)} AS shared FROM {rows} GROUP BY {by}{side})"
            for side, other in (SIDES, SIDES[::-1])
        )
        groups = (
            f"WITH {counts}, pairs AS (SELECT {by}key, response, {COUNT.format('*')} AS n "
            f"FROM {rows} GROUP BY {by}key, response), "
            f"met AS (SELECT {by}key, response, n, keys.size AS k, responses.size AS r "
            f"FROM pairs JOIN keys USING ({by}key) JOIN responses USING ({by}response)) "
        )
        with _refusals():
            return [np.asarray(column) for column in self._engine.answer(groups + query)]

    @cached_property
    def documents(self) -> Mapping[Hashable, Document]:
        """What is counted of each document, by its name."""
        by = self._by
        query = (
            f"SELECT {self._name}, 'pair' AS what, n AS a, k AS b, r AS c, count(*) AS times "
            f"FROM met GROUP BY {by}n, k, r"
        )
        for side in SIDES:
            query += (
                f" UNION ALL SELECT {self._name}, '{side}', size, shared, 0, count(*) "
                f"FROM {side}s WHERE {side} IS NOT NULL GROUP BY {by}size, shared"
            )
        if by:  # which may have no mentions
            query += " UNION ALL SELECT document, '', 0, 0, 0, 1 FROM keys GROUP BY document"
        found = self._answer(f"SELECT * FROM ({query}) AS counted LIMIT {LIMIT + 1}")
        if len(found[0]) > LIMIT:
            many = f"there are more than {LIMIT:,} different triples and sizes of entities"
            raise CorefError(f"{many}, too many to fetch; score fewer documents at a time")
        rows = [column.tolist() for column in found]
        names = sorted({*rows[0]}) if by else [WHOLE]
        documents: dict[Hashable, Document] = {name: Document(self, name) for name in names}
        for name, what, a, b, c, times in zip(*rows, strict=True):
            if what == "pair":
                documents[name].triples[a, b, c] = times
            elif what:
                documents[name].sizes[SIDES.index(what)][a, b] = times
        return documents

    @cached_property
    def cores(self) -> Mapping[tuple[Hashable, int], Counter[int]]:
        """By document and side, how many entities have each largest n."""
        query = " UNION ALL ".join(
            f"SELECT {self._name}, {number} AS side, largest, count(*) AS times "
            f"FROM (SELECT {self._by}max(n) AS largest FROM met GROUP BY {self._by}{side}) "
            f"AS {side}_cores GROUP BY {self._by}largest"
            for number, side in enumerate(SIDES)
        )
        cores = {(name, side): Counter[int]() for name in self.documents for side in (0, 1)}
        rows = (column.tolist() for column in self._answer(query))
        for name, side, largest, times in zip(*rows, strict=True):
            cores[name, side][largest] = times
        return cores

    @cached_property
    def columns(self) -> Mapping[Hashable, Columns]:
        """The overlapping pairs of each document."""
        import numpy as np

        pairs = sum(sum(each.triples.values()) for each in self.documents.values())
        if pairs > LIMIT:
            raise CorefError(
                f"the pairs of entities that overlap are needed, and these {pairs:,} are too many "
                f"to fetch (at most {LIMIT:,}); choose other measures"
            )
        documents, *found = self._answer(f"SELECT {self._name}, key, response, n, k, r FROM met")
        order = np.argsort(documents, kind="stable")
        names, first = np.unique(documents[order], return_index=True)
        parts = zip(*(np.split(column[order], first[1:]) for column in found), strict=True)
        rows = dict(zip(names.tolist(), parts, strict=False))  # of nothing there is one part
        nothing = tuple(column[:0] for column in found)
        return {
            name: _columns(rows.get(name, nothing), document.sizes)
            for name, document in self.documents.items()
        }

    @cached_property
    def without(self) -> Callable[[str, int], Mentions]:
        """Without a side's mentions that `corefeval.Contingency.without` names."""
        return cache(self._without)

    def _without(self, what: str, number: int) -> Mentions:
        side, other, by = SIDES[number], SIDES[1 - number], self._by
        rows = f"({self._rows}) AS every"
        left = f"{other} IS NOT NULL"
        if what != "twinless":
            left = "alone IS NULL"
            rows += (
                f" LEFT JOIN (SELECT {by}{side}, 1 AS alone FROM {rows} GROUP BY {by}{side} "
                f"HAVING count(*) = 1) AS singletons USING ({by}{side})"
            )
        rows = f"SELECT {by}CASE WHEN {left} THEN {side} END AS {side}, {other} FROM {rows}"
        return Mentions(self._engine, rows, by)


class Document:
    """What is counted of one document: see `corefeval.scale.counted.Counted`."""

    def __init__(self, mentions: Mentions, name: Hashable) -> None:
        self._mentions, self._name = mentions, name
        self.triples: dict[tuple[int, int, int], int] = {}
        self.sizes: tuple[Sizes, Sizes] = ({}, {})

    @property
    def columns(self) -> Columns:
        return self._mentions.columns[self._name]

    def histogram(self, side: int, of: str) -> Mapping[int, int]:
        if of == "core":
            return self._mentions.cores[self._name, side]
        histogram = Counter[int]()
        for size_and_shared, times in self.sizes[side].items():
            histogram[size_and_shared[of == "shared"]] += times
        return histogram

    def without(self, what: str, side: int) -> Document:
        return self._mentions.without(what, side).documents[self._name]


Sizes = dict[tuple[int, int], int]
"""How many entities have a size and a number of shared mentions, which the other side has too."""


def _columns(pairs: Sequence[Any], sizes: tuple[Sizes, Sizes]) -> Columns:
    """Pairs as columns, entities in the order of their labels; those without a pair come last."""
    import numpy as np

    from corefeval.scale.arrays import Columns, Side

    def side(labels: Any, triples: Any, every: Sizes) -> Side:
        _, first, number = np.unique(labels, return_index=True, return_inverse=True)
        lone = [size for (size, shared), times in every.items() if not shared for _ in range(times)]
        own = np.append(triples[first], np.array(lone, np.int64))
        return Side(number, own, partial(np.arange, len(own)))

    key, response, *numbers = pairs
    n, k, r = (np.asarray(column, np.int64) for column in numbers)  # of nothing they are floats
    return Columns(side(key, k, sizes[0]), side(response, r, sizes[1]), n)
