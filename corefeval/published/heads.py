"""The heads of a results table: which column has which part of which measure.

Nothing is guessed from numbers. What is made of other rows or columns has one list of names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from corefeval.published.row_check import AVERAGE

PART = {
    "recall": re.compile(r"r|rec|recall", re.I),
    "precision": re.compile(r"p|pr|prec|precision", re.I),
    "F1": re.compile(r"f1?|f₁", re.I),
}
F1_WORDS = re.compile(
    r"(?<![^\W_])f(?:[-_ ]*(?:b|β|beta) *=? *[1₁]|[-_ ]*[1₁])?"
    r"(?:[-_ ]*(?:scores?|measures?|values?))?(?![^\W_])",
    re.I,
)
"""What F1 is called: F, F-score, F1-measure, F₁ score."""
MEASURE = re.compile(
    r"mentions?|md|mentiondetection|muc|b3|b³|bcub(ed)?|blanc|lea"
    r"|ceaf(φ|phi)?([34₃₄meₘₑ]|entity|mention)?",
    re.I,
)
CONLL = re.compile(r"muc|b\W?[3³c]|ceaf", re.I)
"""The measures of the CoNLL score, and their relatives."""
MEAN_NAMES = r"averages?|avg|mean|macro|weighted|overall|total|final|mela|conll(?:[-_ ]?20[01]\d)?"
MEAN = re.compile(MEAN_NAMES, re.I)
MADE_OF_ROWS = re.compile(
    rf"\W*(?:(?:{MEAN_NAMES})\b\W*)+(?:scores?|f-?1?|results?|performance)?\W*$"
    r"|\W*(?:averages?|avg|mean|overall|mela|(?:ma|mi)cro)\b"
    r"|\W*(?:st(?:andard|d)\W*dev|(?:std|sd|Δ|delta|diff|differences?|gains?|improvements?)\b)|\W*∆",
    re.I,
)
"""A row that is named after what was done with others: in it F1 is not of recall and precision."""
HEAD_WORDS = re.compile(
    r"\b(?:avg|average|mean|conll)\b\.?(?: *f1?\b)?|[^\W_][\w-]*", re.IGNORECASE
)
"""The words of a head that was pasted without its columns; "Avg. F1" is one."""
FILLING = {"score", "scores", "value", "values"}


class Column(NamedTuple):
    """What a column has: a part of a measure's score, or an average."""

    measure: str
    part: str

    def __str__(self) -> str:
        return self.measure if self.measure.startswith(AVERAGE) else f"{self.measure} {self.part}"


def with_f1(head: str) -> str:
    """A head in which F1 is called so.

    >>> with_f1("F-score"), with_f1("MUC F 1 measure"), with_f1("final f1-score"), with_f1("Fß")
    ('F1', 'MUC F1', 'final F1', 'Fß')
    """
    return F1_WORDS.sub("F1", head)


def part_of(word: str) -> str:
    """Which part of a score a word of a head names; nothing if none."""
    return next((part for part, known in PART.items() if known.fullmatch(word)), "")


def is_measure(name: str) -> bool:
    """Whether a name is that of a measure, however it is spelt.

    >>> is_measure("b_cubed"), is_measure("CEAF phi 4"), is_measure("e2e")
    (True, True, False)
    """
    return bool(MEASURE.fullmatch(re.sub(r"[\W_]+", "", name)))


def known_words(line: str) -> list[str]:
    """The words of a line that name columns; none of a caption, which has more words of others."""
    words = HEAD_WORDS.findall(with_f1(line))
    known = [word for word in words if columns_by_heads([word])[0]]
    return known if 2 * len(known) > len(words) else []


def pasted_heads(lines: Sequence[str]) -> list[str]:
    """The heads in lines in which measures stand above recall, precision and F1."""
    words = [word for line in lines for word in known_words(line)]
    parts = [word for word in words if part_of(word)]
    means = [word for word in words if MEAN.match(word)]
    measures = [word for word in words if word not in parts and word not in means]
    if not parts:
        return words
    groups = [column.measure for column in columns_by_heads(parts) if column]
    if means and len({*groups}) == len(measures) + len(means):  # each has its F1 below it
        measures, means = [word for word in words if word not in parts], []
    names = dict(zip(dict.fromkeys(groups), measures, strict=False))
    if len(names) != len(measures):
        return []
    named = [f"{names.get(group, '')} {p}" for group, p in zip(groups, parts, strict=True)]
    return [*named, *means]


def columns_by_heads(heads: Sequence[str]) -> list[Column | None]:
    """What each column has, by its head; None where that is no score.

    >>> columns = columns_by_heads(["System", "MUC P", "B3", "Avg. F1"])
    >>> [column and tuple(column) for column in columns]
    [None, ('MUC', 'precision'), ('B3', 'F1'), ('average', 'F1')]
    """
    columns: list[Column | None] = []
    measure, groups = "", 0
    for head in heads:
        column = _column(head)
        if column and not column.measure:  # the part of a measure that is named before it
            known = {Column(measure, column.part), Column(measure, "F1")}
            if not measure or known & {*columns}:
                groups += 1
                measure = f"measure {groups}"
            column = Column(measure, column.part)
        elif column and column in columns:
            again = 1 + sum(_column(earlier) == column for earlier in heads[: len(columns)])
            column = Column(f"{column.measure} ({again})", column.part)
        if column and not column.measure.startswith(AVERAGE):
            measure = column.measure
        columns.append(column)
    return columns


def _column(head: str) -> Column | None:
    words = re.findall(r"[^\W_]+", with_f1(head))
    parts = [part for word in words if (part := part_of(word))]
    rest = [word for word in words if not part_of(word) and word.lower() not in FILLING]
    part = parts[0] if parts else "F1"
    if _is_mean(rest):
        return Column(AVERAGE, part) if part == "F1" else None
    if len(parts) > 1 or not (parts or is_measure("".join(rest))):
        return None
    return Column(re.sub(r"(?<=[A-Za-z]) (?=\d)", "", " ".join(rest)), part)


def _is_mean(words: Sequence[str]) -> bool:
    return any(MEAN.fullmatch(word) for word in words)
