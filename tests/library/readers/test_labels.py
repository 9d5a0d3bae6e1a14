"""Labels: which are missing, which are refused, and in which order entities are numbered.

If one of these failed, a column with gaps would get a large entity of all that it lacks, and a
score to match, without a word.
"""

import array
import datetime
import re
import subprocess
import sys
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from corefeval import Contingency, CorefError, Partition, evaluate, from_labels, metric
from corefeval.overlap.labels import numbers_of

NAN = float("nan")
RIGHT = Contingency.of(Partition.parse("{a b} {c d}"), Partition.parse("{a c} {b d}"))
RESPONSE = [0, 1, 0, 1, 0, 1]


def agrees(t: Contingency) -> bool:
    """Whether the table is that of {a b} {c d}, with two mentions that the key lacks."""
    return (t.pairs, t.key_sizes, t.response_sizes) == (RIGHT.pairs, [2, 2], [3, 3])


MISSING = {
    "−1": [1, 1, 2, 2, -1, -1],
    "None": [1, 1, 2, 2, None, None],
    "NaN": [1, 1, 2, 2, NAN, float("nan")],
    "NaN among texts": ["x", "x", "y", "y", NAN, NAN],
    "NumPy's NaN": ["x", "x", "y", "y", np.float64("nan"), np.float32("nan")],
    "pandas' NA": ["x", "x", "y", "y", pd.NA, pd.NaT],
    "all of them": [0.0, 0, "y", "y", None, -1.0],
    "a tuple": ("x", "x", "y", "y", None, NAN),
    "a deque": deque(["x", "x", "y", "y", None, NAN]),
    "values of a mapping": dict(enumerate(["x", "x", "y", "y", None, NAN])).values(),
    "array.array": array.array("i", [1, 1, 2, 2, -1, -1]),
    "integers": np.array([1, 1, 2, 2, -1, -1]),
    "small integers": np.array([1, 1, 2, 2, -1, -1], np.int8),
    "every second of an array": np.array([1, 9, 1, 9, 2, 9, 2, 9, -1, 9, -1, 9])[::2],
    "floats": np.array([1, 1, 2, 2, NAN, -1]),
    "short floats": np.array([1, 1, 2, 2, NAN, NAN], np.float16),
    "long floats": np.array([1, 1, 2, 2, NAN, NAN], np.longdouble),
    "objects": np.array(["x", "x", 7, 7, None, NAN], object),
    "objects with NA": np.array(["x", "x", 7, 7, pd.NA, pd.NaT], object),
    "masked integers": np.ma.array([1, 1, 2, 2, 1, 2], mask=[0, 0, 0, 0, 1, 1]),
    "masked floats": np.ma.array([1.0, 1, 2, 2, 1, NAN], mask=[0, 0, 0, 0, 1, 0]),
    "masked texts": np.ma.array(list("xxyyxy"), mask=[0, 0, 0, 0, 1, 1]),
    "masked objects": np.ma.array([*"xxyy", "x", None], object, mask=[0, 0, 0, 0, 1, 0]),
    "a column": pd.Series([1, 1, 2, 2, -1, -1], index=range(9, 3, -1)),
    "a column of floats": pd.Series([1, 1, 2, 2, None, None]),
    "a column of objects": pd.Series(["x", "x", 7, 7, None, NAN], dtype=object),
    "a column of texts": pd.Series(["x", "x", "y", "y", None, NAN], dtype="string"),
    "a column of inferred texts": pd.Series(["x", "x", "y", "y", None, NAN]),
    "a column made of another": pd.Series(["x", "x", "y", "y", "-", "-"]).where(lambda s: s != "-"),
    "Int64": pd.Series([1, 1, 2, 2, None, None], dtype="Int64"),
    "Int8": pd.array([1, 1, 2, 2, None, -1], dtype="Int8"),
    "Float64": pd.Series([1, 1, 2, 2, None, None], dtype="Float64"),
    "a category": pd.Series(["x", "x", "y", "y", None, NAN], dtype="category"),
    "a category of integers": pd.Categorical([1, 1, 2, 2, None, None]),
    "a sparse column": pd.Series(pd.arrays.SparseArray([1, 1, 2, 2, -1, -1])),
    "an index": pd.Index([1, 1, 2, 2, None, None]),
}
if int(np.__version__.partition(".")[0]) >= 2:  # which has such texts
    MISSING["variable-width texts"] = np.array(
        ["x", "x", "y", "y", None, None], np.dtypes.StringDType(na_object=None)
    )


@every_row("labels", MISSING.values())
def test_a_missing_label_is_a_mention_it_lacks(labels):
    assert agrees(from_labels(labels, RESPONSE))
    swapped = from_labels(RESPONSE, labels)
    assert agrees(swapped.T)
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    assert Partition.from_labels(dict(zip("abcdef", listed, strict=True))) == Partition.parse(
        "{a b} {c d}"
    )


@pytest.mark.parametrize(
    ("kind", "largest"),
    [(np.float16, 2**11 - 1), (np.float32, 2**24 - 1), (np.float64, 2**53 - 1), (float, 2**53 - 1)],
)
def test_floats_are_taken_while_each_is_one_integer(kind, largest):
    labels = [kind(largest - 1), kind(largest), kind("nan")]
    assert list(numbers_of(labels).values()) == [0, 1, -1]
    for side in (labels, np.array(labels, kind)):
        assert from_labels(side, [0, 0, 0]).key_sizes == [1, 1]
    with pytest.raises(CorefError, match="a float as large as this"):
        numbers_of([kind(largest + 1)])


# Labels that have an index


def series(labels, index=None) -> pd.Series:
    return pd.Series(list(labels), index=index and list(index))


def test_a_perfect_response_is_perfect_once_aligned():
    """By position it scores 2/3."""
    key, response = series([1, 1, 2], "abc"), series([5, 9, 5], "acb")
    score = metric("b3")(from_labels(*key.align(response)))
    assert (score.exact.recall, score.exact.precision) == (1, 1)
    by_position = metric("b3")(from_labels(key.to_numpy(), response.to_numpy()))
    assert by_position.exact.f1 == Fraction(2, 3)


def both(*indexes: tuple[str, ...]) -> tuple[pd.Series, ...]:
    return tuple(series(range(len(index)), index) for index in indexes)


PAIRED_BY_POSITION = {
    "equal indexes": ([*"abc"], [*"abc"]),
    "equal indexes with repeats": ([*"aab"], [*"aab"]),
    "equal indexes of other types": ([0, 1, 2], [0.0, 1.0, 2.0]),
    "a default index and its numbers": (None, [0, 1, 2]),
    "a default index and its numbers as Int64": (None, pd.array([0, 1, 2], dtype="Int64")),
    "equal indexes with missing names": ([1.0, None, None], [1.0, None, None]),
    "equal floats however large": ([2.0**60, 2.0**60, 1.0], [2.0**60, 2.0**60, 1.0]),
    "equal integers however large": ([2**60, 2**60 + 1, 1], [2**60, 2**60 + 1, 1]),
    "equal levels": ([("d", 1), ("d", 2), ("e", 1)], [("d", 1), ("d", 2), ("e", 1)]),
    "none": (None, None),
}


@pytest.mark.parametrize("indexes", PAIRED_BY_POSITION.values(), ids=PAIRED_BY_POSITION)
def test_paired_by_position(indexes):
    labels = [0, 0, 1], [7, 8, 8]
    made = [None if i is None else pd.Index(i) for i in indexes]
    expected = from_labels(*labels)
    for one, other in ((0, 1), (1, 0)):
        sides = (pd.Series(labels[n], index=made[m]) for n, m in ((0, one), (1, other)))
        assert from_labels(*sides).pairs == expected.pairs


@pytest.mark.parametrize(
    "holder", [list, tuple, np.array, lambda labels: pd.array(labels), pd.Categorical, pd.Index]
)
def test_an_index_beside_none_says_nothing(holder):
    labels = series([1, 1, 2], "cab")
    for sides in ((labels, holder([5, 5, 9])), (holder([5, 5, 9]), labels)):
        assert from_labels(*sides).pairs == {(0, 0): 2, (1, 1): 1}
    with pytest.raises(CorefError, match="the key has 3 labels and the response 2"):
        from_labels(labels, holder([5, 5]))


OVERLAPPING = pd.IntervalIndex.from_tuples([(0, 2), (1, 3), (2, 4), (3, 5)])
JOINED = {
    "texts": ([*"abcd"], [*"dbca"]),
    "a sorted column of a table without names": (None, [2, 0, 3, 1]),
    "numbers as whole floats": ([1, 2, 3, 4], [4.0, 2.0, 3.0, 1.0]),
    "integers that may be missing": ([1, 2, 3, 4], pd.array([4, 2, 3, 1], dtype="Int64")),
    "objects": ([*"abcd"], pd.Index([*"dbca"], dtype=object)),
    "intervals": (pd.interval_range(0, 4), pd.interval_range(0, 4)[[3, 1, 2, 0]]),
    "intervals that overlap": (OVERLAPPING, OVERLAPPING[[3, 1, 2, 0]]),
    "levels": ([("d", 1), ("d", 2), ("e", 1), ("e", 2)], [("e", 2), ("d", 2), ("e", 1), ("d", 1)]),
    "dates": (pd.date_range("2026", periods=4), pd.date_range("2026", periods=4)[[3, 1, 2, 0]]),
    "categories": (pd.CategoricalIndex([*"abcd"]), pd.CategoricalIndex([*"dbca"])),
    "a range from elsewhere": (pd.RangeIndex(1, 5), pd.RangeIndex(4, 0, -1)),
    "a range with a name": (pd.RangeIndex(4, name="id"), pd.Index([2, 0, 3, 1], name="id")),
}


@every_row("indexes", JOINED.values())
def test_names_in_another_order_are_refused_with_advice(indexes):
    index, other = (None if each is None else pd.Index(each) for each in indexes)
    key = pd.Series([1, 1, 2, 2], index=index)
    label_of = dict(zip(key.index, "xxyy", strict=True))
    response = pd.Series([label_of[name] for name in other], index=other)
    with pytest.raises(CorefError, match=r"key and response differ: .*\.to_numpy\(\)") as refused:
        from_labels(key, response)
    sides = {"key": key, "response": response}
    exec(re.search(r"type (.*?) before", str(refused.value))[1], sides)
    for t in (from_labels(sides["key"], sides["response"]), from_labels(*response.align(key)).T):
        assert t.pairs == {(0, 0): 2, (1, 1): 2} or t.pairs == {(0, 1): 2, (1, 0): 2}


LEVELS = pd.MultiIndex.from_tuples([(1, 2), (2, 1)], names=["document", "mention"])
BOTH = r"key, response = key\.astype\(.*before"
NONE, SAME = "no name in common", "same names|in common"
REFUSED_INDEXES = {
    "numbered anew after the loss of a row": (range(3), range(2), f"one lacks 2: .*{BOTH}"),
    "a first row lost, and one added": (range(4), range(1, 5), f"one lacks 0: .*{BOTH}"),
    "one name more in the response": ([*"ab"], [*"abc"], "one lacks 'c'"),
    "nothing in common": ([*"ab"], [*"cd"], rf"{NONE}: they begin \['a'\] and \['c'\]; .*to_num"),
    "none beside texts": (range(2), [*"ab"], NONE),
    "texts and numbers": ([1, 2], ["1", "2"], r"they begin \[1\] and \['1'\]"),
    "one and two levels": ([1, 2], LEVELS, NONE),
    "a number in an interval": (pd.interval_range(0, 2), [0.5, 1.5], NONE),
    "a date and its text": (pd.date_range("2026", periods=2), ["2026-01-02", "2026-01-01"], SAME),
    "repeats in another order": ([*"aab"], [*"aba"], "that of key a name .* comes twice"),
    "repeats on one side": ([*"abc"], [*"abb"], "that of response a name .* comes twice"),
    "a name that is missing": ([1.0, NAN], [1.0, 2.0], "that of key a name is missing"),
    "a level that is missing": (
        pd.MultiIndex.from_tuples([("d", 1.0), ("d", None)]),
        pd.MultiIndex.from_tuples([("d", 1.0), ("d", 2.0)]), "that of key a name is missing"
    ),
    "levels in another order": (LEVELS, LEVELS.swaplevel(), "levels of the same names in one"),
    "equal levels of other names": (
        LEVELS, LEVELS.set_names(["mention", "document"]), "levels of the same names in one order"
    ),
    "an empty column": ([*"ab"], [], "one lacks 'a'|no name in common"),
    "a float that two integers become": (
        [2**53, 2**53 + 1, 5], [2.0**53, 5.0], "one lacks 9007199254740993"
    ),
    "equal, if they were compared as floats": ([2**53 + 1, 5], [2.0**53, 5.0], "one lacks"),
    "a large float in a level": (
        pd.MultiIndex.from_tuples([("d", 2**53 + 1), ("d", 2)]),
        pd.MultiIndex.from_tuples([("d", 2.0**53), ("d", 2.0)]), "one lacks"
    ),
    "a large float among texts": (
        [2**53 + 1, 5], pd.Index([2.0**53, "x"], dtype=object), "no name in common"
    ),
    "a float of 32 bits": ([2**24 + 1, 5], np.array([2**24, 5], np.float32), "one lacks"),
}  # fmt: skip


@every_row("case", REFUSED_INDEXES.values())
def test_refused_indexes(case):
    *indexes, message = case
    key, response = (pd.Series([0] * len(index), index=index) for index in indexes)
    with pytest.raises(CorefError, match=message):
        from_labels(key, response)


def test_all_missing():
    for labels in ([None, None], [NAN, NAN], np.array([NAN, NAN]), [-1, -1], [pd.NA, None]):
        assert from_labels(labels, [1, 1]).key_sizes == []


TODAY = datetime.date(2011, 6, 23)
REFUSED = {
    "negative among None": ([-7, None, -7], "label -7 at place 0: expected labels from 0 on"),
    "negative among texts": (["a", -7], "label -7 at place 1: expected labels from 0 on"),
    "negative objects": (np.array([-7, "a", -7], object), "label -7 at place 0"),
    "negative integers": (np.array([3, -7]), "label -7 at place 1: expected labels from 0 on"),
    "negative column": (pd.Series([3, -7], dtype="Int64"), "label -7 at place 1"),
    "negative float": ([3, -7.0], r"label -7\.0 at place 1: expected labels from 0 on"),
    "huge and negative": ([-(10**30), 1, 1], "label -10+ at place 0: expected labels from 0 on"),
    "negative beside huge": ([2**63, -2], "label -2 at place 1: expected labels from 0 on"),
    "minus infinity": ([-float("inf")], "label -inf at place 0: expected labels from 0 on"),
    "what NumPy makes of −1": (np.array(["a", -1, -1]), "label '-1' at place 1: .* dtype object"),
    "what NumPy makes of −1.0": (np.array(["a", -1.0]), r"label '-1\.0' at place 1"),
    "what NumPy makes of NaN": (np.array(["a", NAN]), "label 'nan' at place 1: .*NumPy makes"),
    "what NumPy makes of None": (np.array(["a", None], str), "label 'None' at place 1"),
    "what pandas makes of NA": (pd.Series(["a", pd.NA]).astype(object).map(str), "'<NA>|'nan'"),
    "−1 in a file": (["a", "-1"], "label '-1' at place 1: expected −1 or None"),
    "an empty field": (["a", ""], "label '' at place 1: expected −1 or None"),
    "a blank field": (["a", " "], "label ' ' at place 1: expected −1 or None"),
    "halves": ([1.0, 1.5], r"label 1\.5 at place 1: expected whole numbers"),
    "half objects": (np.array([1.5, "a", 1.5], object), r"label 1\.5 at place 0"),
    "infinity": ([float("inf")], "label inf at place 0: expected whole numbers"),
    "floats that run together": ([2.0**60], r"label .* expected integers: a float as large"),
    "a float that 2⁵³ + 1 becomes": ([2.0**53], "label .* a float as large"),
    "a float of 32 bits that 2²⁴ + 1 becomes": (np.array([16777217], np.float32), "a float as"),
    "a number of 32 bits": ([np.float32(2**24 + 2)], "label .* a float as large"),
    "a float of 16 bits that 2¹¹ + 1 becomes": (
        np.array([1, 2049, 1], np.float16),
        r"label 2048\.0 at place 1: expected integers",
    ),
    "a column of 32 bits": (pd.Series([1, 16777217], dtype="float32"), "at place 1: .* as large"),
    "a column of 32 bits with NA": (
        pd.Series([16777217, None], dtype="Float32"),
        "at place 0: .* as large",
    ),
    "infinity in 16 bits": (np.array([1, np.inf], np.float16), "label inf at place 1: .*whole"),
    "R's NA": (["a", "NA"], "label 'NA' at place 1: .*needs another"),
    "NULL of a database": (["NULL"], "label 'NULL' at place 0: expected −1 or None"),
    "null of JSON": (["null"], "label 'null' at place 0: expected −1 or None"),
    "N/A of a spreadsheet": (["N/A"], "label 'N/A' at place 0: expected −1 or None"),
    "#N/A of a spreadsheet": (np.array(["#N/A"]), "label '#N/A' at place 0"),
    "true and false": ([True, None, False], "label True at place 0: expected .* not a bool"),
    "true as 1": ([1, True], "label True at place 1: expected integers or texts, not a bool"),
    "an array of true": (np.array([True, False]), "got bool"),
    "a column of true": (pd.Series([True, None], dtype="boolean"), "label True at place 0"),
    "dates": ([TODAY, None], "not a date"),
    "a column of dates": (pd.Series([TODAY], dtype="datetime64[ns]"), "got datetime64"),
    "dates with a zone": (pd.Series(["2011"]).astype("datetime64[ns, UTC]"), "not a Timestamp"),
    "durations": (np.array([1, 2], "timedelta64[s]"), "got timedelta64"),
    "one duration": ([np.timedelta64(1, "s")], "not a timedelta64"),
    "complex": (np.array([1j]), "got complex128"),
    "bytes": ([b"a"], "label b'a' at place 0: expected integers or texts, not a bytes"),
    "an array of bytes": (np.array([b"a"]), "got |S1|got .S1"),
    "decimal": ([Decimal(1)], "not a Decimal"),
    "lists": ([[1], [2, 3]], r"label \[1\] at place 0: expected integers or texts, not a list"),
    "tuples": ([(1, 2)], "not a tuple"),
    "arrays": ([np.array([1, 2])], "not a ndarray"),
    "masked by hand": ([1, np.ma.masked], "not a MaskedConstant"),
    "a number": (5, "expected a list of labels, .* got 5"),
    "an array without dimensions": (np.array(3), "an array of 0 dimensions"),
    "nothing": (None, "got None"),
    "a text": ("ab", "got 'ab'"),
    "bytes alone": (b"ab", "got b'ab'"),
    "a mapping": ({"a": 1}, "expected a list of labels, .* got {'a': 1}"),
    "a set": ({1, 2}, "got a set"),
    "a generator": ((label for label in [1, 2]), "got a generator"),
    "a type": (int, "got <class 'int'>"),
    "negative behind pandas' NA": ([pd.NA, -2], "label -2 at place 1"),
    "a text behind pandas' NA": ([pd.NA, "NA"], "label 'NA' at place 1"),
    "a half behind pandas' NA": ([pd.NA, 1.5], r"label 1\.5 at place 1"),
    "an integer and its text": ([1, "1"], "label '1' is here as a text and as a number: .*dtype="),
    "a float and its text": ([17.0, "17.0"], r"label '17\.0' is here as a text and as a number"),
    "a column that was read in pieces": (
        pd.Series([17, "17"], dtype=object),
        "'17' is here as a text and as a number",
    ),
}


@every_row("labels, message", REFUSED.values())
def test_refused(labels, message):
    with pytest.raises(CorefError, match=f"^key: .*(?:{message})"):
        from_labels(labels, [1, 1])
    with pytest.raises(CorefError, match=f"^response: .*(?:{message})"):
        from_labels([1, 1], labels)


@pytest.mark.parametrize("label", [-7, "-1", "nan", 1.5, "", -(10**30), [1]])
def test_refused_in_a_mapping(label):
    with pytest.raises(CorefError, match="label"):
        Partition.from_labels({"a": label})


def test_texts_that_begin_with_a_minus_are_labels():
    """Wordlists number loans so; only −1 can be what NumPy makes of a missing label."""
    table = from_labels(["-297", "-2", "-2"], ["-166", "-1.5", "-1.5"])
    assert evaluate(table, metrics="b3")["b3"].exact.f1 == 1


@pytest.mark.parametrize("labels", [5, ["a"], None, "a", {"a"}, np.array([1])])
def test_what_is_no_mapping(labels):
    with pytest.raises(CorefError, match="expected a mapping from mentions to labels, got"):
        Partition.from_labels(labels)


def with_a_gap():
    """64-bit integers that are one float, in columns that lack the last."""
    pyarrow, polars = (pytest.importorskip(name) for name in ("pyarrow", "polars"))
    ids = [2**62 + 1, 2**62 + 2, None]
    nullable = pd.Series(ids, dtype="Int64")
    arrow = pyarrow.array(ids)
    return {
        "a list": ids,
        "Int64": nullable,
        "an array of pandas": nullable.array,
        "categories": nullable.astype("category"),
        "categories without a column": pd.Categorical(nullable.array),
        "objects": nullable.astype(object),
        "texts": nullable.astype("string"),
        "ArrowDtype": pd.Series(ids, dtype="int64[pyarrow]"),
        "Arrow": arrow,
        "Arrow in chunks": pyarrow.chunked_array([ids[:1], ids[1:]]),
        "Arrow as a dictionary": arrow.dictionary_encode(),
        "Polars": polars.Series(ids),
        "masked": np.ma.array([*ids[:2], 0], np.int64, mask=[0, 0, 1]),
    }


def test_integers_with_a_gap_are_integers():
    """NumPy makes floats of them, of which two are one."""
    for name, labels in with_a_gap().items():
        for t in (from_labels(labels, [1, 1, 1]), from_labels([1, 1, 1], labels).T):
            assert (t.key_sizes, t.shared_mentions) == ([1, 1], 2), name


def test_integers_with_a_gap_are_integers_in_pandas():
    """The same where neither Arrow nor Polars is installed."""
    ids = [2**62 + 1, 2**62 + 2, None]
    for name in ("Int64", "object", "category"):
        column = pd.Series(ids, dtype="Int64").astype(name)
        assert from_labels(column, [1, 1, 1]).key_sizes == [1, 1], name


LARGE = [0, 1, 2**31, 2**63, 10**30]


@pytest.mark.parametrize("labels", [np.array([0, 5, 2**63], np.uint64), LARGE, LARGE[::-1]])
def test_large_labels_are_told_apart(labels):
    assert from_labels(labels, [0] * len(labels)).key_sizes == [1] * len(labels)


NAMES = {
    "integers": int,
    "integers far apart": lambda n: n * 10**12,
    "integers the other way round": lambda n: 9 - n,
    "huge integers": lambda n: 10**30 + n,
    "texts": "e{}".format,
    "texts the other way round": lambda n: f"e{9 - n}",
    "both": lambda n: n if n % 2 else f"e{n}",
}


@given(st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9)), max_size=30))
def test_names_of_labels_change_nothing(labels):
    """Entities are numbered by first appearance: as in a partition of the same labels."""
    sides = [[pair[side] for pair in labels] for side in (0, 1)]
    expected = Contingency.of(*(Partition.from_labels(dict(enumerate(side))) for side in sides))
    for name in NAMES.values():
        named = [[-1 if label < 0 else name(label) for label in side] for side in sides]
        for form in (list, lambda side: np.array(side, object), pd.Series):
            t = from_labels(*map(form, named))
            for got, want in ((t, expected), (t.T, expected.T)):
                assert got.pairs == want.pairs
                assert got.key_sizes == want.key_sizes
                assert got.response_sizes == want.response_sizes


def test_xc_does_not_depend_on_entities_names():
    key, response = [0, 2, 2, 0, 1, 2], [1, 2, 2, 0, 2, 0]
    texts = [[f"e{label}" for label in side] for side in (key, response)]
    partitions = [Partition.from_labels(dict(enumerate(side))) for side in (key, response)]
    xc = metric("xc")
    expected = xc(*partitions)
    for sides in ((key, response), map(np.array, (key, response)), texts):
        assert xc(from_labels(*sides)) == expected


def test_what_the_caller_changes_later_changes_nothing():
    key, response = np.array([3, 3, 1]), np.array([1, 0, 0])
    t = from_labels(key, response)
    key[:] = response[:] = 0
    assert (t.pairs, t.key_sizes) == ({(0, 0): 1, (0, 1): 1, (1, 1): 1}, [2, 1])


def test_labels_do_not_import_pandas():
    code = (
        "import sys, corefeval; t = corefeval.from_labels(['a', None], [1.0, 2]);"
        "assert t.key_sizes == [1]; sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
