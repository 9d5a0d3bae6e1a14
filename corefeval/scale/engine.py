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
from functools import cache, partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from corefeval.contingency import SIDES, WHOLE
from corefeval.errors import CorefError, expect, shortened, warn
from corefeval.labels import BITS_OF_INTEGERS, TEXTS_OF_NOTHING
from corefeval.lazily import cached_property
from corefeval.scale.table_files import duckdb_module, new_database, relation_of_file

if TYPE_CHECKING:
    from corefeval.scale.arrays import Columns

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
        "varchar|string|char.*|enum.*",
        AS_TEXT,
        "FALSE",
        f"trim({AS_TEXT}) IN ({str(sorted(TEXTS_OF_NOTHING))[1:-1]}) "
        f"OR ({AS_TEXT} LIKE '%-%' AND try_cast(trim({AS_TEXT}) AS DOUBLE) = -1)",
        "names of entities, or NULL for a mention that is missing, and no text for it",
    ),
)

NO_NAMES = r".*\[.*|(array|list|map|struct|union)\b.*|blob|binary|bit|interval"
"""Types of which no name of a document is."""
INEXACT = r"u?hugeint|decimal.*"
"""Types whose values NumPy would round."""
DOCUMENT_COLUMNS = "document|doc|document_id|doc_id|doc_key"


# Engines


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

    def is_of(self, types: str, name: str) -> bool:
        """Whether a column is of one of these types, which a regular expression names."""
        return re.fullmatch(types, self.types[name], re.IGNORECASE) is not None


def engine_of(frame: Any) -> Engine:
    """The engine of a table: Spark, or else DuckDB."""
    if type(frame).__module__.startswith("pyspark."):
        return _spark(frame)
    duckdb = duckdb_module()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return of_relation(frame)
    if isinstance(frame, (str, PathLike)):
        return of_relation(relation_of_file(new_database(), fspath(frame)))
    if type(frame).__module__.partition(".")[0] == "pandas":
        _refuse_same_names(list(getattr(frame, "columns", ())))
    try:  # the query finds the variable by its name
        return of_relation(new_database().sql("FROM frame"))
    except duckdb.Error:
        raise CorefError(
            "expected a table or query of DuckDB or Spark, a data frame that DuckDB can read, or "
            f"the path of a Parquet or CSV file; got {shortened(frame)}"
        ) from None


def _refuse_same_names(names: Sequence[Any]) -> None:
    """Refuse two columns of one name, of which DuckDB would call the second one otherwise."""
    for name in names:
        if names.count(name) > 1:
            raise CorefError(f"the table has the column {name!r} twice: leave one out")


def _spark(frame: Any) -> Engine:
    def answer(query: str) -> Sequence[Sequence[Any]]:
        found = frame.sparkSession.sql(query.replace(TABLE, f"{{{TABLE}}}"), **{TABLE: frame})
        return list(zip(*found.collect(), strict=True)) or [range(0)] * len(found.columns)

    return Engine(dict(frame.dtypes), "`", answer)


def of_relation(relation: Any) -> Engine:
    """The engine of a relation of DuckDB."""

    def answer(query: str) -> Sequence[Sequence[Any]]:
        return list(relation.query(TABLE, query).fetchnumpy().values())

    return Engine(dict(zip(relation.columns, map(str, relation.types), strict=True)), '"', answer)


def _refuse_to_count(query: str) -> NoReturn:
    raise CorefError(
        "this has been pickled, and its table has not: only what was counted before is known"
    )


@contextmanager
def refusals() -> Iterator[None]:
    """What an engine refuses is a `CorefError`."""
    try:
        yield
    except Exception as error:
        if not re.match("_?duckdb|pyspark|py4j", type(error).__module__):
            raise
        said = " ".join(str(error).split("\n")[:2])
        raise CorefError(f"the engine says: {said}") from None


# From a table to its mentions


def mentions_of_table(table: Any, key: str, response: str, document: str | None) -> Mentions:
    """The mentions of the table that `corefeval.from_table` describes."""
    for name in (key, response, document):
        if name is not None:
            expected = "the name of a column (two columns of labels are given to from_labels)"
            expect(str, expected, name)
    with refusals():
        engine = engine_of(table)
        sides = zip(SIDES, (key, response), strict=True)
        columns = [f"{_labels(engine, name)} AS {side}" for side, name in sides]
        if document is None:
            warn_of_documents(engine)
        else:
            columns.append(f"{_documents_in_sql(engine, document)} AS document")
    rows = f"(SELECT {', '.join(columns)} FROM {TABLE}) AS mentions"
    return Mentions(engine, rows, "" if document is None else "document, ")


def warn_of_documents(engine: Engine) -> None:
    """Say that a column is not read that seems to name documents, and names several."""
    for name in engine.types:
        if not re.fullmatch(DOCUMENT_COLUMNS, name, re.IGNORECASE):
            continue
        column = engine.quoted(name)
        (several,) = engine.answer(f"SELECT min({column}) <> max({column}) AS several FROM {TABLE}")
        if several[0]:
            warn(
                f"the column {name!r} is not read, and all rows are scored as one document: name "
                f"it as that of the documents (document={name!r}, --document {name}) if labels "
                "begin anew in each, or leave it out of the table"
            )


def _labels(engine: Engine, name: str) -> str:
    """A column's labels in SQL, NULL for those that say that there is none."""
    column = engine.quoted(name)
    kind = next((each for each in LABEL_TYPES if engine.is_of(each.types, name)), None)
    if kind is None:
        wrong = f"column {name!r} is of type {engine.types[name]}"
        raise CorefError(f"{wrong}; expected integers of at most 64 bits, or texts")
    missing = count_missing(engine, name, kind.refused, kind.expected, kind.missing)
    # A column as it is takes less time to group.
    as_it_is = kind is LABEL_TYPES[0] and not missing
    return column if as_it_is else kind.label.format(column)


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
        shown = repr(example) if engine.is_of(LABEL_TYPES[-1].types, name) else example
        of_many = f" in one of {wrong:,} such rows" if wrong > 1 else ""
        raise CorefError(f"column {name!r} has {shown}{of_many}; expected {expected}")
    return int(absent)


# What is counted of the mentions


class Mentions:
    """The mentions that a query gives: what is counted of them, when it is asked for."""

    def __init__(self, engine: Engine, rows: str, by: str = "") -> None:
        self._engine, self._rows, self._by = engine, rows, by
        self._name = "document" if by else f"'{WHOLE}' AS document"

    def __getstate__(self) -> dict[str, Any]:
        """What has been counted, for a pickle: the engine and its table stay behind."""
        kept = {name: of for name, of in vars(self).items() if name != "without"}
        return kept | {"_engine": Engine({}, "", _refuse_to_count)}

    def _answer(self, query: str) -> list[Any]:
        """The columns that the engine answers to a query of the tables of `GROUPS`."""
        import numpy as np

        text = GROUPS.format(by=self._by, mentions=self._rows) + query
        with refusals():
            return [np.asarray(column) for column in self._engine.answer(text)]

    @cached_property
    def documents(self) -> Mapping[Hashable, CountedDocument]:
        """What is counted of each document, by its name."""
        query = HISTOGRAMS.format(by=self._by, document=self._name)
        if self._by:
            query += EVERY_DOCUMENT
        found = self._answer(f"SELECT * FROM ({query}) AS counted LIMIT {LIMIT + 1}")
        if len(found[0]) > LIMIT:
            many = f"there are more than {LIMIT:,} different triples and sizes of entities"
            raise CorefError(f"{many}, too many to fetch; score fewer documents at a time")
        rows = [column.tolist() for column in found]
        names = sorted({*rows[0]}) if self._by else [WHOLE]
        documents = {name: CountedDocument(self, name) for name in names}
        for name, what, a, b, c, times in zip(*rows, strict=True):
            if what == "pair":
                documents[name].triples[a, b, c] = times
            elif what:
                documents[name].sizes[SIDES.index(what)][a, b] = times
        return documents

    @cached_property
    def cores(self) -> Mapping[tuple[Hashable, int], Counter[int]]:
        """By document and side, how many entities have each largest n."""
        cores = {(name, side): Counter[int]() for name in self.documents for side in (0, 1)}
        found = self._answer(CORES.format(by=self._by, document=self._name))
        rows = (column.tolist() for column in found)
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
        if not self._by:  # whose rows need no name of a document, and no order
            found = self._answer("SELECT key, response, n, k, r FROM met")
            return {name: _columns(found, each.sizes) for name, each in self.documents.items()}
        documents, *found = self._answer("SELECT document, key, response, n, k, r FROM met")
        order = np.argsort(documents, kind="stable")
        names, first = np.unique(documents[order], return_index=True)
        parts = zip(*(np.split(column[order], first[1:]) for column in found), strict=True)
        # An empty table has no document, and yet one part without rows.
        rows = dict(zip(names.tolist(), parts, strict=False))
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
        side, other = SIDES[number], SIDES[1 - number]
        query = WITHOUT_TWINLESS if what == "twinless" else WITHOUT_SINGLETONS
        rows = query.format(by=self._by, side=side, other=other, mentions=self._rows)
        return Mentions(self._engine, rows, self._by)


class CountedDocument:
    """What is counted of one document: see `corefeval.scale.sources.Counted`."""

    def __init__(self, mentions: Mentions, name: Hashable) -> None:
        self._mentions, self._name = mentions, name
        self.triples: dict[tuple[int, int, int], int] = {}
        self.sizes: tuple[SizesShared, SizesShared] = ({}, {})

    @property
    def columns(self) -> Columns:
        return self._mentions.columns[self._name]

    def histogram(self, side: int, kind: str) -> Mapping[int, int]:
        """How often each number of a kind occurs: an entity's size, shared mentions or core."""
        if kind == "core":
            return self._mentions.cores[self._name, side]
        histogram = Counter[int]()
        for (size, shared), times in self.sizes[side].items():
            histogram[size if kind == "size" else shared] += times
        return histogram

    def without(self, what: str, side: int) -> CountedDocument:
        return self._mentions.without(what, side).documents[self._name]


SizesShared = dict[tuple[int, int], int]
"""How many entities have a size and a number of shared mentions, which the other side has too."""


def _columns(pairs: Sequence[Any], sizes: tuple[SizesShared, SizesShared]) -> Columns:
    """Pairs as columns, entities in the order of their labels; those without a pair come last."""
    import numpy as np

    from corefeval.scale.arrays import Columns, SideOfTable, ranked

    def side(labels: Any, size_of_pair: Any, every: SizesShared) -> SideOfTable:
        if labels.dtype.kind in "iu":  # not sorted if they are dense: a tenth of the time
            number, distinct = ranked(labels)
        else:
            distinct, number = np.unique(labels, return_inverse=True)
        paired = np.zeros(len(distinct), np.int64)
        paired[number] = size_of_pair
        lone = [size for (size, shared), times in every.items() if not shared for _ in range(times)]
        own = np.append(paired, np.array(lone, np.int64))
        return SideOfTable(number, own, partial(np.arange, len(own)))

    key, response, *numbers = pairs
    n, k, r = (np.asarray(column, np.int64) for column in numbers)  # of nothing they are floats
    return Columns(side(key, k, sizes[0]), side(response, r, sizes[1]), n)
