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
from functools import cached_property, partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.errors import CorefError, named, shortened
from corefeval.labels import LACKED, LARGEST_FLOAT, TEXTS_OF_NOTHING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corefeval.arrays import Columns

LIMIT = 10_000_000
"""The most rows that are fetched: of pairs, or of all documents' triples and sizes."""
WHOLE = "table"
"""The name of the one document of a table without documents."""
TABLE = "corefeval_mentions"
"""What a query calls the table."""
SIDES = ("key", "response")

Sizes = dict[tuple[int, int], int]
"""How many entities have a size and a number of shared mentions, which the other side has too."""
Cores = tuple[dict[int, int], dict[int, int]]

INTEGERS = r"u?(tiny|small|big)?int(eger)?|void|\W?null\W?"
KINDS = {
    INTEGERS: ("nullif({0}, -1)", "{0} < -1"),
    r"float|double|decimal.*": (
        "CASE WHEN NOT isnan(CAST({0} AS DOUBLE)) AND {0} <> -1 THEN CAST({0} AS BIGINT) END",
        "NOT isnan(CAST({0} AS DOUBLE)) AND {0} <> -1 "
        f"AND ({{0}} < 0 OR {{0}} > {LARGEST_FLOAT} OR {{0}} <> floor({{0}}))",
    ),
    r"varchar|string|char.*|enum.*": (
        "CAST({0} AS STRING)",
        f"trim(CAST({{0}} AS STRING)) IN ({str(sorted(TEXTS_OF_NOTHING))[1:-1]}) OR "
        "(CAST({0} AS STRING) LIKE '%-%' AND try_cast(trim(CAST({0} AS STRING)) AS DOUBLE) < 0)",
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
    connection = _duckdb().connect()
    by = ["mention", *([document] if document else [])]
    for number, (side, path) in enumerate(zip(SIDES, map(fspath, (key, response)), strict=True)):
        with named(path), _refusals():
            engine = _of_relation(_read(connection, path))
            mention, of = engine.quoted("mention"), engine.quoted(by[-1])
            others = [name for name in engine.types if name not in by]
            if not columns and len(others) != 1:
                raise CorefError(
                    f"expected {' and '.join(by)} and one column more, got "
                    f"{', '.join(engine.types)}; name the labels' with --columns KEY RESPONSE"
                )
            label = engine.quoted(columns[number] if columns else others[0])
            rows = _read(connection, path, by)
            rows.project(f"{mention} AS mention, {of} AS document, {label} AS {side}").create(side)
            refused = connection.sql(
                f"SELECT document, mention, count(*) FROM {side} GROUP BY document, mention "
                "HAVING count(*) > 1 OR document IS NULL OR mention IS NULL LIMIT 1"
            ).fetchall()
            for name, twice, times in refused:
                where = f"document {name!r}, " if document else ""
                where += f"mention {twice!r} is in {times} rows"
                raise CorefError(f"{where}; expected a name and one row for each mention")
    for name in "mention", "document":  # texts in a CSV file may be numbers in a Parquet file
        types = [str(connection.sql(f"SELECT {name} FROM {side}").types[0]) for side in SIDES]
        for side, type in zip(SIDES, types, strict=True):
            if "VARCHAR" in types and re.fullmatch(INTEGERS, type, re.IGNORECASE):
                connection.execute(f"ALTER TABLE {side} ALTER {name} TYPE VARCHAR")
    for here, there, path in (("key", "response", key), ("response", "key", response)):
        alone = f"SELECT document FROM {here} EXCEPT SELECT document FROM {there} LIMIT 1"
        if document and missing == "error" and (found := connection.sql(alone).fetchall()):
            raise CorefError(
                f"{fspath(path)}: document {found[0][0]!r} is not in the {there}; add it, or pass "
                "--missing empty"
            )
    joined = "FROM key FULL JOIN response USING (document, mention)"
    with named(f"{fspath(key)} and {fspath(response)}"), _refusals():
        connection.execute(f"CREATE TABLE joined AS {joined}")
    return mentions(connection.table("joined"), *SIDES, document and "document")


class Counts(NamedTuple):
    """What is counted of a document."""

    triples: dict[tuple[int, int, int], int]
    sizes: tuple[Sizes, Sizes]


class Mentions:
    """The mentions that a query gives: what is counted of them, when it is asked for."""

    def __init__(self, engine: Engine, rows: str, by: str = "") -> None:
        self._engine, self._rows, self._by = engine, rows, by
        self._name = "document" if by else f"'{WHOLE}' AS document"

    def _answer(self, query: str) -> list[NDArray[Any]]:
        import numpy as np

        by, rows = self._by, f"({self._rows}) AS mentions"
        # A group of NULL costs less than a filter. Rows that have a name are made three times,
        # which costs less than to share them.
        counts = ", ".join(
            f"{side}s AS (SELECT {by}{side}, count(*) AS size, count({other}) AS shared "
            f"FROM {rows} GROUP BY {by}{side})"
            for side, other in (SIDES, SIDES[::-1])
        )
        groups = (
            f"WITH {counts}, pairs AS (SELECT {by}key, response, count(*) AS n FROM {rows} "
            f"GROUP BY {by}key, response), "
            f"met AS (SELECT {by}key, response, n, keys.size AS k, responses.size AS r "
            f"FROM pairs JOIN keys USING ({by}key) JOIN responses USING ({by}response)) "
        )
        with _refusals():
            return [np.asarray(column) for column in self._engine.answer(groups + query)]

    @cached_property
    def counted(self) -> Mapping[Hashable, Counts]:
        """What is counted of each document."""
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
        counted: dict[Hashable, Counts] = {name: Counts({}, ({}, {})) for name in names}
        for name, what, a, b, c, times in zip(*rows, strict=True):
            if what == "pair":
                counted[name].triples[a, b, c] = times
            elif what:
                counted[name].sizes[SIDES.index(what)][a, b] = times
        return counted

    def documents(self) -> Mapping[Hashable, Document]:
        """Each document's part, by its name."""
        return {name: Document(self, name) for name in self.counted}

    @cached_property
    def cores(self) -> Mapping[Hashable, Cores]:
        """How many entities of each side have each largest n."""
        query = " UNION ALL ".join(
            f"SELECT {self._name}, {number} AS side, largest, count(*) AS times "
            f"FROM (SELECT {self._by}max(n) AS largest FROM met GROUP BY {self._by}{side}) "
            f"AS {side}_cores GROUP BY {self._by}largest"
            for number, side in enumerate(SIDES)
        )
        cores: dict[Hashable, Cores] = {name: ({}, {}) for name in self.counted}
        rows = (column.tolist() for column in self._answer(query))
        for name, side, largest, times in zip(*rows, strict=True):
            cores[name][side][largest] = times
        return cores

    @cached_property
    def columns(self) -> Mapping[Hashable, Columns]:
        """The overlapping pairs of each document."""
        import numpy as np

        pairs = sum(sum(counts.triples.values()) for counts in self.counted.values())
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
            name: _columns(rows.get(name, nothing), counts.sizes)
            for name, counts in self.counted.items()
        }

    @cached_property
    def cut(self) -> Mentions:
        """Without the response's twinless mentions."""
        selected = f"{self._by}key, CASE WHEN key IS NOT NULL THEN response END AS response"
        rows = f"SELECT {selected} FROM ({self._rows}) AS uncut"
        return Mentions(self._engine, rows, self._by)

    def without_singletons(self, number: int) -> Mentions:
        """Without a side's entities of one mention, whose mentions are twinless then."""
        side, other = SIDES[number], SIDES[1 - number]
        every, by = f"({self._rows}) AS every", self._by
        rows = (
            f"SELECT {by}CASE WHEN alone IS NULL THEN {side} END AS {side}, {other} FROM {every} "
            f"LEFT JOIN (SELECT {by}{side}, 1 AS alone FROM {every} GROUP BY {by}{side} "
            f"HAVING count(*) = 1) AS singletons USING ({by}{side})"
        )
        return Mentions(self._engine, rows, by)


class Document(NamedTuple):
    """What is counted of one document: a `corefeval.contingency.Source`."""

    mentions: Mentions
    name: Hashable

    @property
    def columns(self) -> Columns:
        return self.mentions.columns[self.name]

    def pairs(self) -> Mapping[tuple[int, int], int]:
        return self.columns.pairs()

    def sizes(self, side: int) -> Sequence[int]:
        return self.columns.sizes(side)

    def triples(self) -> Mapping[tuple[int, int, int], int]:
        return self.mentions.counted[self.name].triples

    def histogram(self, side: int) -> Mapping[int, int]:
        return self._sizes(side, 0)

    def shared(self, side: int) -> Mapping[int, int]:
        return self._sizes(side, 1)

    def _sizes(self, side: int, place: int) -> Mapping[int, int]:
        histogram = Counter[int]()
        for sizes, times in self.mentions.counted[self.name].sizes[side].items():
            histogram[sizes[place]] += times
        return histogram

    def cores(self, side: int) -> Mapping[int, int]:
        return self.mentions.cores[self.name][side]

    def cut(self) -> Document:
        return self._replace(mentions=self.mentions.cut)

    def without_singletons(self, side: int) -> Document:
        return self._replace(mentions=self.mentions.without_singletons(side))


def _columns(pairs: Sequence[Any], sizes: tuple[Sizes, Sizes]) -> Columns:
    """Pairs as columns, entities in the order of their labels; those without a pair come last."""
    import numpy as np

    from corefeval.arrays import Columns, Side

    def side(labels: Any, of_pairs: Any, every: Sizes) -> Side:
        _, first, number = np.unique(labels, return_index=True, return_inverse=True)
        lone = [size for (size, shared), times in every.items() if not shared for _ in range(times)]
        own = np.append(of_pairs[first], np.array(lone, np.int64))
        return Side(number, own, partial(np.arange, len(own)))

    key, response, *numbers = pairs
    n, k, r = (np.asarray(column, np.int64) for column in numbers)  # of nothing they are floats
    return Columns(side(key, k, sizes[0]), side(response, r, sizes[1]), n)


def mentions(table: Any, key: str, response: str, document: str | None) -> Mentions:
    """The mentions of the table that `corefeval.Contingency.from_table` describes."""
    with _refusals():
        engine = opened(table)
        sides = zip(SIDES, (key, response), strict=True)
        columns = [f"{_labels(engine, name)} AS {side}" for side, name in sides]
        if document is not None:
            column, type = engine.quoted(document), engine.types[document]
            if re.match(r".*\[|(array|list|map|struct|union)\b", type, re.IGNORECASE):
                wrong = f"column {document!r} is of type {type}"
                raise CorefError(f"{wrong}; expected names of documents")
            _looked_over(engine, document, f"{column} IS NULL", column)
            columns.append(f"{column} AS document")
    by = "" if document is None else "document, "
    return Mentions(engine, f"SELECT {', '.join(columns)} FROM {TABLE}", by)


def _labels(engine: Engine, name: str) -> str:
    """A column's labels in SQL, NULL for those that say that there is none."""
    column, type = engine.quoted(name), engine.types[name]
    for types, (label, refused) in KINDS.items():
        if re.fullmatch(types, type, re.IGNORECASE):
            label = label.format(column)
            missing = _looked_over(engine, name, refused.format(column), label)
            return label if missing or types != INTEGERS else column
    wrong = f"column {name!r} is of type {type}"
    raise CorefError(f"{wrong}; expected integers of at most 64 bits, or texts")


def _looked_over(engine: Engine, name: str, refused: str, label: str) -> int:
    """How many labels of a column say that there is none; refuses those that cannot be scored."""
    (rows,), (wrong,), (missing,) = engine.answer(
        f"SELECT count(*) AS size, count(CASE WHEN {refused} THEN 1 END) AS wrong, "
        f"count({engine.quoted(name)}) - count({label}) AS missing FROM {TABLE}"
    )
    if not rows:
        raise CorefError("the table has no rows")
    if wrong:
        text = f"coalesce(CAST({engine.quoted(name)} AS STRING), 'NULL')"
        ((example,),) = engine.answer(f"SELECT {text} AS a FROM {TABLE} WHERE {refused} LIMIT 1")
        expected = f"labels from 0 on, or {LACKED}, and no text for it"
        if example == "NULL":
            expected = "a document for each mention"
        raise CorefError(
            f"column {name!r} has {example!r} ({wrong:,} such rows); expected {expected}"
        )
    return int(missing)
