"""Labels that say which entity a mention is in, as numbers of entities."""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Iterable, Sequence
from numbers import Rational, Real
from typing import Any

from corefeval.errors import CorefError, shortened

LACKED = "−1 or None for a mention that is missing"
TEXTS_OF_NOTHING = {"", "nan", "NaN", "NaT", "None", "<NA>"}
"""What NumPy, pandas and files in columns make of a missing label in a text."""
NEGATIVE = re.compile(r"-\d+(\.\d*)?(e[+-]?\d+)?|-inf")
LARGEST_FLOAT = 2**53
"""Beyond it not every integer is a float, so that two labels may have become one."""


def numbers_of(labels: Iterable[Hashable]) -> tuple[dict[Hashable, int], int]:
    """The number of each label's entity, from 0 in order of appearance, and how many there are.

    The number of a label that is missing is −1.

    >>> numbers_of(["y", "x", None, "y", -1])
    ({'y': 0, 'x': 1, None: -1, -1: -1}, 2)
    """
    listed = list(labels)
    number_of: dict[Hashable, int] = {}
    entities = 0
    try:
        distinct = dict.fromkeys(listed)
    except TypeError as error:
        raise CorefError(f"a label is not hashable: {error}") from None
    for label in distinct:
        if type(label) is not int or label < 0:  # nothing to ask of most
            if _is_missing(label):
                number_of[label] = -1
                continue
            if problem := _problem(label):
                place = listed.index(label)
                raise CorefError(f"label {shortened(label)} at place {place}: {problem}")
        number_of[label] = entities
        entities += 1
    return number_of, entities


def numbered(labels: Sequence[Any]) -> list[int]:
    """The number of the entity of each label, which must be an integer or a text; see `numbers_of`.

    >>> numbered(["y", "x", None, "y", 3.0])
    [0, 1, -1, 0, 2]
    """
    for kind in dict.fromkeys(map(type, labels)):
        # NumPy counts durations among the integers.
        if issubclass(kind, (str, Real)) and kind.__name__ not in ("bool", "timedelta64"):
            continue
        place = next(i for i, label in enumerate(labels) if type(label) is kind)
        if not _is_nothing(labels[place]):
            raise CorefError(
                f"label {shortened(labels[place])} at place {place}: expected integers or texts, "
                f"not a {kind.__name__}"
            )
    number_of, _ = numbers_of(labels)
    return [number_of[label] for label in labels]


def _is_missing(label: Any) -> bool:
    """Whether a label says that there is none: −1, None, NaN or pandas' NA."""
    if isinstance(label, Real):
        return bool(label != label or label == -1)  # NaN is not equal to itself
    return _is_nothing(label)


def _is_nothing(label: object) -> bool:
    pandas = sys.modules.get("pandas")  # who has its NA has imported it
    return label is None or (pandas is not None and (label is pandas.NA or label is pandas.NaT))


def _problem(label: Hashable) -> str:
    """What is wrong with a label that is not missing; nothing for most."""
    if isinstance(label, str):
        if label.strip() in TEXTS_OF_NOTHING or NEGATIVE.fullmatch(label.strip()):
            return (
                f"expected {LACKED}, not a text (NumPy makes texts of numbers that stand among "
                "texts: give a list, or an array of dtype object)"
            )
    elif isinstance(label, Real):
        if label < 0:
            return f"expected labels from 0 on, or {LACKED}"
        exact = isinstance(label, Rational)
        if (not exact and float(label) > LARGEST_FLOAT) or label % 1:
            return "expected whole numbers, and floats no larger than 2⁵³"
    return ""
