"""Tables of mentions in a database engine, which counts them: DuckDB or Spark.

The engine does the grouping. What comes back are the distinct triples (n, k, r) and the sizes of
entities, each with its number of times: few, however many mentions there are. The queries are the
same text for both engines, so that there is nothing for Ibis or SQLGlot to translate.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import add
from os import PathLike, fspath
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from corefeval.errors import CorefError, expect, shortened, warn
from corefeval.lazily import cached_property
from corefeval.overlap.contingency import KEY, SIDES, WHOLE, Contingency, Histogram, Triple
from corefeval.overlap.labels import BITS_OF_INTEGERS, MAY_BE_NONE, TEXTS_OF_NOTHING
from corefeval.scale.arrays import Columns, OfSides, ranked
from corefeval.scale.table_files import duckdb_module, is_csv, new_database, relation_of_file
from corefeval.scale.tables import CountedTable, OfDocuments

LIMIT = 10_000_000
"""The most rows that are fetched: of pairs, or of all documents' triples and sizes."""
TABLE = "corefeval_mentions"


# The queries

GROUPS = """\
WITH keys AS (
       SELECT {by}key, CAST(count(*) AS INTEGER) AS size, CAST(count(response) AS INTEGER) AS shared
       FROM {mentions} GROUP BY {by}key),
     responses AS (
       SELECT {by}response, CAST(count(*) AS INTEGER) AS size, CAST(count(key) AS INTEGER) AS shared
       FROM {mentions} GROUP BY {by}response),
     pairs AS (
       SELECT {by}key, response, CAST(count(*) AS INTEGER) AS n
       FROM {mentions} GROUP BY {by}key, response),
     met AS (
       SELECT {by}key, response, n, keys.size AS k, responses.size AS r
       FROM pairs JOIN keys USING ({by}key) JOIN responses USING ({by}response))
"""
"""The overlap table of ``{mentions}``, which has a row for each mention and the labels ``key`` and
``response``, NULL where a side lacks it: ``met`` has a row for each pair of entities that overlap,
``keys`` and ``responses`` the entities. ``{by}`` is ``document,`` or nothing.

A mention that a side lacks makes a group of its own there, which no JOIN finds: that takes less
time than to leave its rows out. To group the rows three times takes less time than to add up the
sizes of entities from their pairs, and to count in 32 bits less than in 64; an engine refuses an
entity that has more mentions."""

HISTOGRAMS = """
SELECT {document}, 'pair' AS what, n AS a, k AS b, r AS c, count(*) AS times
FROM met GROUP BY {by}n, k, r
UNION ALL
SELECT {document}, 'key', size, shared, 0, count(*)
FROM keys WHERE key IS NOT NULL GROUP BY {by}size, shared
UNION ALL
SELECT {document}, 'response', size, shared, 0, count(*)
FROM responses WHERE response IS NOT NULL GROUP BY {by}size, shared
"""
"""How often each triple (n, k, r) occurs, and on each side each size with so many shared."""
EVERY_DOCUMENT = """
UNION ALL
SELECT document, '', 0, 0, 0, 1 FROM keys GROUP BY document
"""
"""The names of all documents, of which some may have no mention."""

CORES = """
SELECT {document}, 0 AS side, largest, count(*) AS times
FROM (SELECT {by}max(n) AS largest FROM met GROUP BY {by}key) AS key_cores
GROUP BY {by}largest
UNION ALL
SELECT {document}, 1, largest, count(*)
FROM (SELECT {by}max(n) AS largest FROM met GROUP BY {by}response) AS response_cores
GROUP BY {by}largest
"""
"""On each side how many entities have each largest n."""

WITHOUT_TWINLESS = """
(SELECT {by}CASE WHEN {other} IS NOT NULL THEN {side} END AS {side}, {other}
 FROM {mentions}) AS mentions
"""
WITHOUT_SINGLETONS = """
(SELECT {by}CASE WHEN alone IS NULL THEN {side} END AS {side}, {other}
 FROM {mentions}
 LEFT JOIN (SELECT {by}{side}, 1 AS alone FROM {mentions} GROUP BY {by}{side} HAVING count(*) = 1)
   AS singletons USING ({by}{side})) AS mentions
"""
"""The mentions, without one side's labels of those that `corefeval.Contingency.without` names."""


# What a column may have


class LabelType(NamedTuple):
    """Labels of some types, in SQL: ``{0}`` is the column."""

    types: str
    label: str
    """The label, or NULL for one that says that there is none."""
    missing: str
    """Whether it says so."""
    refused: str
    expected: str


AS_NUMBER, AS_TEXT = "CAST({0} AS DOUBLE)", "CAST({0} AS STRING)"
BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""What Python's ``strip`` takes off a text; SQL takes off spaces alone, unless it is told more."""
BARE_TEXT = f"trim(BOTH '{BLANKS}' FROM {AS_TEXT})"
NO_LABEL = "−1 or NULL for a mention that is missing"


def _of_floats(types: str, bits: int) -> LabelType:
    missing = f"(isnan({AS_NUMBER}) OR {{0}} = -1)"
    return LabelType(
        types,
        f"CASE WHEN NOT {missing} THEN CAST({{0}} AS BIGINT) END",
        missing,
        f"NOT {missing} AND ({{0}} < 0 OR {{0}} >= {2**bits} OR {{0}} <> floor({{0}}))",
        f"whole numbers from 0 on and below 2^{bits}, or {NO_LABEL}",
    )


TEXTS = "varchar|string|char.*|enum.*"
LABEL_TYPES = (
    LabelType(
        r"u?(tiny|small|big)?int(eger)?|void|\W?null\W?",
        "nullif({0}, -1)",
        "{0} = -1",
        "{0} < -1",
        f"labels from 0 on, or {NO_LABEL}",
    ),
    _of_floats("float", BITS_OF_INTEGERS[32]),
    _of_floats("double|decimal.*", BITS_OF_INTEGERS[64]),
    LabelType(
        TEXTS,
        AS_TEXT,
        "FALSE",
        f"{BARE_TEXT} IN ({str(sorted(TEXTS_OF_NOTHING))[1:-1]}) "
        f"OR ({AS_TEXT} LIKE '%-%' AND try_cast(trim({AS_TEXT}) AS DOUBLE) = -1)",
        "names of entities, or NULL for a mention that is missing, and no text for it",
    ),
)

NUMBER_OF = "try_cast({0} AS DOUBLE)"
"""The number that a text spells, NULL where it spells none."""
WRITTEN_NUMBERS = LabelType(
    TEXTS,
    "{0}",
    f"({NUMBER_OF} = -1 OR isnan({NUMBER_OF}))",
    f"NOT isnan({NUMBER_OF}) AND {NUMBER_OF} <> -1 "
    f"AND ({NUMBER_OF} < 0 OR isinf({NUMBER_OF}) OR {NUMBER_OF} <> floor({NUMBER_OF}))",
    f"whole numbers from 0 on, or {NO_LABEL}",
)
"""The labels of a CSV file that are all numbers: they stay texts, so that 100 is not 1e2."""

NO_NAMES = r".*\[.*|(array|list|map|struct|union)\b.*|blob|binary|bit|interval"
"""Types of which no name of a document is."""
INEXACT = r"u?hugeint|decimal.*"
"""Types whose values NumPy would round."""
OF_128_BITS = "u?hugeint|uuid"
"""Types that Arrow has not, or only if a setting says so."""
DOCUMENT_COLUMNS = "document|doc|document_id|doc_id|doc_key"


# Engines


class Engine:
    """A table of an engine, the types of its columns, and what answers a query of it."""

    quote = '"'
    """What stands around a name in SQL."""
    written: Collection[str] = ()
    """The columns that are texts because a CSV file has no types."""
    path: str | None = ""
    """The file that it is, if it is one; None of what was made of two, which were warned of."""

    def __init__(self, types: Iterable[tuple[str, Any]]) -> None:
        self.types = {name: str(type) for name, type in types}

    def answer(self, query: str) -> Sequence[Sequence[Any]]:
        """The columns that answer a query of the table `TABLE`."""
        raise NotImplementedError

    def read_once(self, names: Iterable[str]) -> Engine:
        """The table of these columns, which is the same each time that it is asked."""
        return self

    def quoted(self, name: str) -> str:
        """A column's name in SQL; refused if there is none."""
        if name not in self.types:
            raise CorefError(f"there is no column {name!r}; expected {', '.join(self.types)}")
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def is_of(self, types: str, name: str) -> bool:
        """Whether a column is of one of these types, which a regular expression names."""
        return re.fullmatch(types, self.types[name], re.IGNORECASE) is not None


class Relation(Engine):
    """A relation of DuckDB, of which a copy is asked.

    In a user's connection a table, a function or a setting may give a query of ours another
    meaning: a view of the same name, a macro called max, a collation that makes "a" and "A" one.
    """

    def __init__(self, relation: Any, written: Collection[str] = ()) -> None:
        super().__init__(zip(relation.columns, relation.types, strict=True))
        self.relation, self.written = relation, written

    def read_once(self, names: Iterable[str]) -> Engine:
        """A copy in a database of its own.

        A relation is a query, which may have other rows each time: a sample, or those of a table
        that somebody changes.
        """
        theirs, ours = [], []
        for name in dict.fromkeys(names):
            column = self.quoted(name)
            as_text = self.is_of(OF_128_BITS, name)
            theirs.append(f"CAST({column} AS VARCHAR) AS {column}" if as_text else column)
            ours.append(f"CAST({column} AS {self.types[name]}) AS {column}" if as_text else column)
        database = new_database()
        database.register("rows", Rows(self.relation.project(", ".join(theirs))))
        database.execute(f"CREATE TABLE copied AS SELECT {', '.join(ours)} FROM rows")
        database.unregister("rows")
        copy = DuckDB(database.table("copied"), self.written)
        # What may stand in a column depends on the type that it has for the user.
        copy.types, copy.path = self.types, self.path
        return copy


class Rows:
    """The rows of a relation, which any database of DuckDB can read, as a stream of Arrow."""

    def __init__(self, relation: Any) -> None:
        self.relation = relation

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.relation.__arrow_c_stream__(requested_schema)


class DuckDB(Relation):
    """A relation in a database of our own, which is asked as it is."""

    def answer(self, query: str) -> Sequence[Sequence[Any]]:
        return list(self.relation.query(TABLE, query).fetchnumpy().values())


class Spark(Engine):
    """A data frame of Spark, whose samples are seeded: it is read as often as it is asked."""

    quote = "`"

    def __init__(self, frame: Any) -> None:
        super().__init__(frame.dtypes)
        self.frame = frame

    def answer(self, query: str) -> Sequence[Sequence[Any]]:
        text = query.replace(TABLE, f"{{{TABLE}}}")
        rows = self.frame.sparkSession.sql(text, **{TABLE: self.frame})
        return list(zip(*rows.collect(), strict=True)) or [range(0)] * len(rows.columns)


def engine_of(frame: Any) -> Engine:
    """The engine of a table: Spark, or else DuckDB."""
    if type(frame).__module__.startswith("pyspark."):
        return Spark(frame)
    duckdb = duckdb_module()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return Relation(frame)
    if isinstance(frame, (str, PathLike)):
        return engine_of_file(new_database(), fspath(frame))
    if type(frame).__module__.partition(".")[0] == "pandas":
        refuse_same_names(list(getattr(frame, "columns", ())))
    try:  # the query finds the variable by its name
        return DuckDB(new_database().sql("FROM frame"))
    except duckdb.Error:
        raise CorefError(
            "expected a table or query of DuckDB or Spark, a data frame that DuckDB can read, or "
            f"the path of a Parquet or CSV file; got {shortened(frame)}"
        ) from None


def engine_of_file(connection: Any, path: str) -> DuckDB:
    """The engine of a Parquet or CSV file."""
    relation = relation_of_file(connection, path)
    engine = DuckDB(relation, relation.columns if is_csv(path) else ())
    engine.path = path
    return engine


def refuse_same_names(names: Sequence[Any]) -> None:
    """Refuse two columns of one name, of which DuckDB would call the second one otherwise."""
    for name in names:
        if names.count(name) > 1:
            raise CorefError(f"the table has the column {name!r} twice: leave one out")


@contextmanager
def refusals() -> Iterator[None]:
    """Raise a `CorefError` for whatever an engine refuses within."""
    try:
        yield
    except Exception as error:
        if not re.match("_?duckdb|pyspark|py4j", type(error).__module__):
            raise
        # The lines that follow explain the engine's own options.
        said = " ".join(str(error).split("\n")[:2])
        raise CorefError(f"the engine says: {said}") from None


# From a table to its mentions


def names_of_columns(key: str, response: str, document: str | None) -> list[str]:
    names = [key, response] if document is None else [key, response, document]
    for name in names:
        expect(str, "the name of a column (two columns of labels are given to from_labels)", name)
    # Whatever the labels are, the score would be 100.
    if key == response:
        raise CorefError(
            f"the column {key!r} is named for both sides: name that of the key with key= and that "
            "of the response with response= (--columns KEY RESPONSE)"
        )
    return names


def mentions_of_table(table: Any, key: str, response: str, document: str | None) -> Mentions:
    """The mentions of a table that an engine counts."""
    names = names_of_columns(key, response, document)
    with refusals():
        source = table if isinstance(table, Engine) else engine_of(table)
        engine = source.read_once(names)
        columns = [f"{_labels(engine, key)} AS key", f"{_labels(engine, response)} AS response"]
        for name in (key, response) if source.path is not None else ():
            warn_of_text_for_none(engine, name)
        if document is not None:
            columns.append(f"{_documents_in_sql(engine, document)} AS document")
        else:
            warn_of_documents(source)
    rows = f"(SELECT {', '.join(columns)} FROM {TABLE}) AS mentions"
    return Mentions(engine, rows, "" if document is None else "document, ")


def warn_of_documents(engine: Engine) -> None:
    """Say that a column is not read that seems to name documents, and names several."""
    for name in filter(names_documents, engine.types):
        column = engine.quoted(name)
        (several,) = engine.read_once([name]).answer(
            f"SELECT min({column}) <> max({column}) AS several FROM {TABLE}"
        )
        if several[0]:
            warn_that_documents_are_joined(name)


def names_documents(column: str) -> bool:
    """Whether a column of this name seems to name documents."""
    return re.fullmatch(DOCUMENT_COLUMNS, column, re.IGNORECASE) is not None


def warn_that_documents_are_joined(name: str) -> None:
    warn(
        f"the column {name!r} is not read, and all rows are scored as one document: name it as "
        f"that of the documents (document={name!r}, --document {name}) if labels begin anew in "
        "each, or leave it out of the table"
    )


def _labels(engine: Engine, name: str) -> str:
    """A column's labels in SQL, NULL for those that say that there is none."""
    column = engine.quoted(name)
    kind = _label_type(engine, name)
    missing = count_missing(engine, name, kind.refused, kind.expected, kind.missing)
    if name in engine.written:
        _warn_of_spellings(engine, name)
    label = kind.label.format(column)
    if kind is WRITTEN_NUMBERS and missing:
        return f"CASE WHEN NOT {kind.missing.format(column)} THEN {label} END"
    # A column as it is takes less time to group.
    as_it_is = kind is LABEL_TYPES[0] and not missing
    return column if as_it_is else label


def _label_type(engine: Engine, name: str) -> LabelType:
    """Which of the labels a column has that may be scored."""
    if name in engine.written and _has_numbers_alone(engine, name):
        return WRITTEN_NUMBERS
    for kind in LABEL_TYPES:
        if engine.is_of(kind.types, name):
            return kind
    wrong = f"column {name!r} is of type {engine.types[name]}"
    raise CorefError(f"{wrong}; expected integers of at most 64 bits, or texts")


def _has_numbers_alone(engine: Engine, name: str) -> bool:
    """Whether each text of a column is that of a number."""
    column = engine.quoted(name)
    (row,) = engine.answer(
        f"SELECT count({column}) = count({NUMBER_OF.format(column)}) AS all_are FROM {TABLE}"
    )
    return bool(row[0])


def _warn_of_spellings(engine: Engine, name: str) -> None:
    """Say that a column of texts has a number in two spellings, which are two names."""
    column, number = "label", NUMBER_OF.format("label")
    spellings, others = engine.answer(
        f"SELECT min(label) AS one, max(label) AS other "
        f"FROM (SELECT DISTINCT {engine.quoted(name)} AS {column} FROM {TABLE}) AS labels "
        f"WHERE NOT isnan({number}) AND abs({number}) < {2**53} AND {number} <> -1 "
        f"GROUP BY {number} HAVING count(*) > 1 ORDER BY one LIMIT 1"
    )
    for spelling, another in zip(spellings, others, strict=True):
        warn(
            f"column {name!r} has {spelling!r} and {another!r}, which are taken for two names: "
            "write a number in one way if they are meant as one"
        )


def warn_of_text_for_none(engine: Engine, name: str) -> None:
    """Say that a text of a column may mean that there is no entity."""
    if not engine.is_of(TEXTS, name):
        return
    column = engine.quoted(name)
    text, bare = AS_TEXT.format(column), BARE_TEXT.format(column)
    texts, refused = (str(sorted(words))[1:-1] for words in (MAY_BE_NONE, TEXTS_OF_NOTHING))
    is_none = f"(lower({bare}) IN ({texts}) AND {bare} NOT IN ({refused}))"
    (label,), (others,) = engine.answer(
        f"SELECT min(CASE WHEN {is_none} THEN {text} END) AS found, "
        f"count(CASE WHEN NOT {is_none} THEN 1 END) AS others FROM {TABLE}"
    )
    if not (isinstance(label, str) and others):
        return
    nothing = f"nullif({column}, {label!r})"
    advice = f"make it NULL, as {nothing} does in SQL"
    if engine.path:
        file = repr(engine.path)
        rows = f"read_csv({file}, all_varchar = true)" if is_csv(engine.path) else file
        query = f"SELECT * REPLACE ({nothing} AS {column}) FROM {rows}"
        advice = f"write a file without it: duckdb.sql({query!r}).write_csv('mended.csv')"
    warn(
        f"column {name!r}: the label {label!r} is taken for an entity, as any other text is; if "
        f"it means that there is none, {advice}"
    )


def _documents_in_sql(engine: Engine, name: str) -> str:
    """A column's names of documents in SQL."""
    column = engine.quoted(name)
    if engine.is_of(NO_NAMES, name):
        wrong = f"column {name!r} is of type {engine.types[name]}"
        raise CorefError(f"{wrong}; expected names of documents")
    nothing = "{0} IS NULL"
    if engine.is_of("float|double", name):
        nothing += " OR isnan({0})"  # which is not equal to itself
    count_missing(engine, name, nothing, "a document for each mention")
    if name in engine.written:
        _warn_of_spellings(engine, name)
    return AS_TEXT.format(column) if engine.is_of(INEXACT, name) else column


def count_missing(
    engine: Engine, name: str, refused: str, expected: str, missing: str = "FALSE"
) -> int:
    """How many labels say that there is none; refuses those that cannot be scored, and no rows.

    ``refused`` and ``missing`` are conditions in SQL.
    """
    column = engine.quoted(name)
    refused, missing = refused.format(column), missing.format(column)
    text = f"coalesce({AS_TEXT.format(column)}, 'NULL')"
    (rows,), (wrong,), (absent,), (example,) = engine.answer(
        f"SELECT count(*) AS size, count(CASE WHEN {refused} THEN 1 END) AS wrong, "
        f"count(CASE WHEN {missing} THEN 1 END) AS absent, "
        f"min(CASE WHEN {refused} THEN {text} END) AS example FROM {TABLE}"
    )
    if not rows:
        raise CorefError("the table has no rows")
    if wrong:
        shown = repr(example) if engine.is_of(TEXTS, name) else example
        of_many = f" in one of {wrong:,} such rows" if wrong > 1 else ""
        raise CorefError(f"column {name!r} has {shown}{of_many}; expected {expected}")
    return int(absent)


# What is counted of the mentions


class Mentions:
    """The mentions that a query gives: what is counted of them, when it is asked for."""

    def __init__(self, engine: Engine, rows: str, by: str = "") -> None:
        self._engine, self._rows, self._by = engine, rows, by
        self._name = "document" if by else f"'{WHOLE}' AS document"
        # Each measure asks for the mentions without some of a side: one query answers all.
        self.without = cache(self._without)

    def __reduce__(self) -> NoReturn:
        raise CorefError(
            "a table in a database cannot be pickled or copied: keep what was scored, as "
            "report.to_dict() or report.to_frame()"
        )

    def _answer(self, query: str) -> list[Any]:
        """The columns that the engine answers to a query of the tables of `GROUPS`."""
        text = GROUPS.format(by=self._by, mentions=self._rows) + query
        with refusals():
            return [np.asarray(column) for column in self._engine.answer(text)]

    @cached_property
    def documents(self) -> Mapping[Hashable, Counted]:
        """What is counted of each document, by its name."""
        query = HISTOGRAMS.format(by=self._by, document=self._name)
        query += EVERY_DOCUMENT if self._by else ""
        columns = self._answer(f"SELECT * FROM ({query}) AS counted LIMIT {LIMIT + 1}")
        if len(columns[0]) > LIMIT:
            many = f"there are more than {LIMIT:,} different triples and sizes of entities"
            raise CorefError(f"{many}, too many to fetch; score fewer documents at a time")
        rows = [column.tolist() for column in columns]
        names = sorted({*rows[0]}) if self._by else [WHOLE]
        documents = {name: Counted(self, name, {}, ({}, {})) for name in names}
        for name, what, a, b, c, times in zip(*rows, strict=True):
            if what == "pair":
                documents[name].of_pairs[a, b, c] = times
            elif what:
                documents[name].of_sides[SIDES.index(what)][a, b] = times
        return documents

    @cached_property
    def cores(self) -> Mapping[tuple[Hashable, int], Counter[int]]:
        """By document and side, how many entities have each largest n."""
        cores = defaultdict[tuple[Hashable, int], Counter[int]](Counter)
        columns = self._answer(CORES.format(by=self._by, document=self._name))
        for name, side, largest, times in zip(*(c.tolist() for c in columns), strict=True):
            cores[name, side][largest] = times
        return cores

    @cached_property
    def columns(self) -> Mapping[Hashable, Columns]:
        """The overlapping pairs of each document."""
        pairs = sum(sum(counted.of_pairs.values()) for counted in self.documents.values())
        if pairs > LIMIT:
            raise CorefError(
                f"the pairs of entities that overlap are needed, and these {pairs:,} are too many "
                f"to fetch (at most {LIMIT:,}); choose other measures"
            )
        documents, *numbers = self._answer(self._pairs_query())
        names, of_row = np.unique(documents, return_inverse=True)
        order = np.argsort(of_row, kind="stable")
        ends = np.cumsum(np.bincount(of_row))[:-1]
        parts = zip(*(np.split(column[order], ends) for column in numbers), strict=True)
        # A table without any pair has no name, and yet one part of its rows.
        rows = dict(zip(names.tolist() if self._by else [WHOLE], parts, strict=False))
        nothing = tuple(column[:0] for column in numbers)
        columns = {}
        for name, document in self.documents.items():
            columns[name] = _columns(rows.get(name, nothing), document.of_sides)
            if columns[name].triples() != document.of_pairs:
                raise CorefError(
                    "the table has changed since it was counted first: make it anew by from_table"
                )
        return columns

    def _pairs_query(self) -> str:
        """What lists the overlapping pairs, by document."""
        if self._by:
            return "SELECT document, key, response, n, k, r FROM met"
        # A number takes less time to bring over than the name of the only document.
        return "SELECT 0, key, response, n, k, r FROM met"

    def _without(self, what: str, number: int) -> Mentions:
        side, other = SIDES[number], SIDES[1 - number]
        query = WITHOUT_TWINLESS if what == "twinless" else WITHOUT_SINGLETONS
        rows = query.format(by=self._by, side=side, other=other, mentions=self._rows)
        return Mentions(self._engine, rows, self._by)


OfSide = TypeVar("OfSide")
SizesShared = dict[tuple[int, int], int]
"""How many entities have a size and a number of shared mentions, which the other side has too."""


@dataclass(eq=False)
class Counted:
    """What a table is counted from whose triples and sizes an engine has counted.

    Conventions change these counts. Pairs and cores are changed like them when they are asked for.
    """

    mentions: Mentions
    name: Hashable
    """Of the document."""
    of_pairs: dict[Triple, int]
    of_sides: tuple[SizesShared, SizesShared]
    changes: tuple[tuple[str, int], ...] = ()
    """What conventions changed, in this order, and on which side."""
    lone: tuple[int, int] = (0, 0)
    """By side: how many more entities have a core of one mention."""

    @cached_property
    def columns(self) -> Columns:
        columns = self.mentions.columns[self.name]
        for what, side in self.changes:
            is_found = what == "found"
            columns = columns.with_found(side) if is_found else columns.without(what, side)
        return columns

    def triples(self) -> Mapping[Triple, int]:
        return self.of_pairs

    def histogram(self, side: int, kind: str) -> Histogram:
        """As `Columns.histogram`."""
        if kind == "core":
            return self.mentions.cores[self.name, side] + Counter({1: self.lone[side]})
        histogram = Counter[int]()
        for (size, shared), times in self.of_sides[side].items():
            histogram[size if kind == "size" else shared] += times
        return histogram

    def without(self, what: str, side: int) -> Any:
        if self.changes:
            return self.columns.without(what, side)
        if what != "twinless singleton":
            return self.mentions.without(what, side).documents[self.name]
        sizes = {pair: times for pair, times in self.of_sides[side].items() if pair != (1, 0)}
        of_sides = _of_sides(side, sizes, self.of_sides[1 - side])
        return replace(self, of_sides=of_sides, changes=((what, side),))

    def with_found(self, side: int) -> Counted:
        """What is counted if each mention that the other side lacks is a singleton there: n = 1."""
        pairs, own = Counter(self.of_pairs), Counter[tuple[int, int]]()
        lone = added = 0
        for (size, shared), times in self.of_sides[side].items():
            lacking = (size - shared) * times
            own[size, size] += times
            pairs[(1, *_of_sides(side, size, 1))] += lacking
            added += lacking
            lone += times * (not shared)
        there = Counter(self.of_sides[1 - side]) + Counter({(1, 1): added})
        of_key, of_response = map(add, self.lone, _of_sides(side, lone, added))
        return replace(
            self,
            of_pairs=dict(+pairs),
            of_sides=_of_sides(side, own, there),
            changes=(*self.changes, ("found", side)),
            lone=(of_key, of_response),
        )


def _of_sides(side: int, own: OfSide, there: OfSide) -> tuple[OfSide, OfSide]:
    """What is of a side and what is of the other one, that of the key first."""
    return (own, there) if side == KEY else (there, own)


class DatabaseTable(OfDocuments):
    """The documents of a table in a database, whose engine counts them when it is asked."""

    def __init__(self, mentions: Mentions) -> None:
        self._mentions = mentions

    def __repr__(self) -> str:
        """What it is; to say how large it is would take a query."""
        return "table of mentions in a database, which counts them when they are scored"

    @cached_property
    def by_document(self) -> Mapping[Hashable, Contingency]:  # type: ignore[override]
        documents = self._mentions.documents.items()
        return {name: CountedTable(counted) for name, counted in documents}


def _columns(pairs: Sequence[Any], of_sides: tuple[SizesShared, SizesShared]) -> Columns:
    """Pairs as columns, entities in the order of their labels; those without a pair come last."""
    entities, sizes = [], []
    n, *of_pairs = (np.asarray(column, np.int64) for column in pairs[2:])  # of nothing: floats
    for labels, size, every in zip(pairs[:2], of_pairs, of_sides, strict=True):
        if labels.dtype.kind in "iu":  # not sorted if they are dense: a tenth of the time
            number, distinct = ranked(labels)
        else:
            distinct, number = np.unique(labels, return_inverse=True)
        paired = np.zeros(len(distinct), np.int64)
        paired[number] = size
        lone = [size for (size, shared), times in every.items() if not shared for _ in range(times)]
        entities.append(number)
        sizes.append(np.append(paired, np.array(lone, np.int64)))
    first = partial(_in_this_order, len(sizes[0]), len(sizes[1]))
    return Columns((entities[0], entities[1]), n, (sizes[0], sizes[1]), first)


def _in_this_order(of_key: int, of_response: int) -> OfSides:
    return np.arange(of_key), np.arange(of_response)
