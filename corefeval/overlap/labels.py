"""Labels that say which entity a mention is in, as numbers of entities."""

import re
import sys
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import count
from math import isinf
from numbers import Rational, Real
from typing import Any

from corefeval.errors import CorefError, shortened, warn

FILES_OF_LABELS = (".parquet", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
"""How the names of files end that have a row for each mention."""
LACKED = "−1 or None for a mention that is missing"
TEXTS_OF_NOTHING = {"", "nan", "NaN", "NaT", "None", "<NA>", "NA", "N/A", "#N/A", "NULL", "null"}
"""What NumPy, pandas, R, databases and spreadsheets write for a missing label."""
MAY_BE_NONE = {"-", "--", "_", "nil", "o"} | {text.lower() for text in TEXTS_OF_NOTHING}
"""What may be the name of an entity, or what formats, annotators and programs write where there is
none: in small letters, without blanks before and after. `TEXTS_OF_NOTHING` are refused."""
MINUS_ONE = re.compile(r"-1(\.0*)?")
"""What NumPy makes of −1 that stands among texts."""
BITS_OF_INTEGERS = {16: 11, 32: 24, 64: 53}
"""By the bits of a float, those of the integers that it can tell apart: from two to this power on,
two labels may have become one float."""
OF_LABELS = (
    "give [None if label in {0} else label for label in labels], or of a column of pandas "
    "labels.mask(labels.isin({0}))"
)
"""What to type where a label means that there is none."""
INTEGER = re.compile(r"(0|[1-9]\d{0,17})(\.0+)?")
"""A text that may be that of an integer, or of a float that gaps have made of one."""
FEWER_THAN_INTEGERS = "integers: a float as large as this may stand for several"


def numbers_of(labels: Iterable[Hashable]) -> dict[Hashable, int]:
    """The number of each label's entity, from 0 in order of appearance; −1 where it is missing.

    >>> numbers_of(["y", "x", None, "y", -1])
    {'y': 0, 'x': 1, None: -1, -1: -1}
    """
    listed, numbers = list(labels), count()
    try:
        number_of: dict[Any, int] = dict.fromkeys(listed, -1)
    except TypeError as error:
        raise CorefError(f"a label is not hashable: {error}") from None
    for label in number_of:
        # Most labels are texts or whole numbers, of which little has to be asked.
        if type(label) is str:
            is_usual = not _is_doubtful(label)
        else:
            is_usual = type(label) is int and label >= 0
        if not is_usual:
            if _is_missing(label):
                continue
            if expected := _expected(label):
                place = place_of(label, listed)
                raise CorefError(f"label {shortened(label)} at place {place}: expected {expected}")
        number_of[label] = next(numbers)
    refuse_texts_of_numbers("label", number_of)
    return number_of


def warn_of_none(labels: Collection[Hashable], advice: str) -> None:
    """Say of labels, each given once, that one of them may mean that there is no entity.

    ``told`` says what to type then, with ``{}`` in the place of such labels.
    """
    doubtful = [str(label) for label in labels if isinstance(label, str) and may_be_none(label)]
    if doubtful and len(labels) > len(doubtful):
        warn(
            f"the label {doubtful[0]!r} is taken for an entity, as any other text is; if it means "
            f"that there is none, {advice.format(doubtful)}"
        )


def may_be_none(label: str) -> bool:
    """Whether a text may say that there is no entity, in whatever letters it is written.

    >>> may_be_none("None"), may_be_none(" NIL"), may_be_none("Nile")
    (True, True, False)
    """
    return label.strip().lower() in MAY_BE_NONE


def place_of(first: object, listed: Sequence[Any]) -> int:
    """The place of this very object, which need not be comparable with others."""
    return next(place for place, label in enumerate(listed) if label is first)


def refuse_texts_of_numbers(what: str, different: Collection[Any]) -> None:
    """Refuse an integer beside its own text: 17 and "17" are hardly meant as two.

    >>> refuse_texts_of_numbers("label", {17: 0, "x": 1, "17": 2})
    Traceback (most recent call last):
    corefeval.errors.CorefError: the label '17' is here as a text and as a number: give all as ...
    """
    texts = [label for label in different if isinstance(label, str)]
    if len(texts) == len(different):
        return
    others = set(different).difference(texts)
    for text in texts:
        integer = INTEGER.fullmatch(text)
        if integer and int(integer[1]) in others:
            raise CorefError(
                f"the {what} {text!r} is here as a text and as a number: give all as texts or all "
                "as numbers (pandas reads a long column in pieces, each with a type of its own; "
                'pandas.read_csv(…, dtype="string") reads texts)'
            )


def numbered(labels: Sequence[Any]) -> list[int]:
    """The number of the entity of each label, which must be an integer or a text; see `numbers_of`.

    >>> numbered(["y", "x", None, "y", 3.0])
    [0, 1, -1, 0, 2]
    """
    for kind in dict.fromkeys(map(type, labels)):
        # NumPy counts durations among the integers.
        if not issubclass(kind, (str, Real)) or kind.__name__ in ("bool", "timedelta64"):
            place = next(i for i, label in enumerate(labels) if type(label) is kind)
            if not is_nothing(labels[place]):
                raise CorefError(
                    f"label {shortened(labels[place])} at place {place}: "
                    f"expected integers or texts, not a {kind.__name__}"
                )
    number_of = numbers_of(labels)
    warn_of_none(number_of, OF_LABELS)
    return list(map(number_of.__getitem__, labels))


def numbering() -> defaultdict[Any, int]:
    """Numbers from 0 on, each given to the label that is asked for next.

    >>> number_of = numbering()
    >>> [number_of[label] for label in "yxy"]
    [0, 1, 0]
    """
    return defaultdict(count().__next__)


def are_sure(texts: Collection[str]) -> bool:
    """Whether none of these labels may say that there is none; TypeError for what is no text."""
    if not TEXTS_OF_NOTHING.isdisjoint(map(str.strip, texts)):
        return False
    return not any(MINUS_ONE.fullmatch(text.strip()) for text in texts if "-1" in text)


def _is_missing(label: Any) -> bool:
    if isinstance(label, Real):
        return bool(label != label or label == -1)  # NaN is not equal to itself
    return is_nothing(label)


def is_nothing(label: object) -> bool:
    """Whether a label is None, or NA or NaT of pandas."""
    # If a label is pandas.NA, pandas has been imported; nothing else should import it here.
    pandas = sys.modules.get("pandas")
    return label is None or (pandas is not None and (label is pandas.NA or label is pandas.NaT))


def _is_doubtful(label: str) -> bool:
    """Whether a text may say that there is no label."""
    bare = label.strip()
    return bare in TEXTS_OF_NOTHING or (bare[:2] == "-1" and MINUS_ONE.fullmatch(bare) is not None)


def _expected(label: Hashable) -> str:
    """What should stand in place of a label that is not missing; nothing for most."""
    if isinstance(label, str):
        if _is_doubtful(label):
            return (
                f"{LACKED}, not a text (NumPy makes texts of numbers that stand among texts: "
                "give a list, or an array of dtype object); an entity of that name needs another"
            )
    elif isinstance(label, Real):
        if label < 0:
            return f"labels from 0 on, or {LACKED}"
        exact = isinstance(label, Rational)  # such a number is whole or not, however large
        if (not exact and isinf(label)) or label % 1:
            return "whole numbers"
        one = type(label)(1)  # NumPy 1 makes a double of a short float and an int
        if not exact and (label + one) - label != one:  # the next integer is no float of this type
            return FEWER_THAN_INTEGERS
    return ""
