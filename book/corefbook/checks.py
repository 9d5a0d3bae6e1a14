"""Whether the sentences and figures of a chapter are still as in the book."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from corefbook import ledger
from corefbook.ledger import COUNTS, PARTS_OF_ONE, Row, matches
from corefbook.tables import shown

STRICT = "COREFEVAL_BOOK"
"""Where this environment variable is "strict", as in the tests, what has moved is an error."""

DIGITS = re.compile(r"(?:(?<![\w)])[-−])?(?<![A-Za-z\d])\d[\d,]*(?:/\d+|(?:\.\d+)?%?)")
PARTS = "|".join(PARTS_OF_ONE)
SHARES = re.compile(
    rf"\b(?:(?:a|one) (?:{PARTS})(?= of\b|[.,:;!?)]|$)"
    rf"|(?:{'|'.join(ledger.WORDS)}) (?:{PARTS})s\b"
    r"|twice(?= (?:as|the|this|what)\b)|dozen\b)",
    re.IGNORECASE,
)
"""Shares and multiples in words. "A third" is a share before "of" or a stop, else an ordinal."""
WORDS = re.compile(rf"{SHARES.pattern}|\b(?:{'|'.join(COUNTS)})\b", re.IGNORECASE)
NUMERALS = re.compile(rf"{DIGITS.pattern}|{SHARES.pattern}", re.IGNORECASE)


def moved(sentences: Sequence[tuple[Any, ...]], figures: Sequence[Row]) -> list[str]:
    """The sentences and figures that are no longer as in the book; in the tests an error."""
    messages = [
        f"“{text}”: {told(text, values)}" for text, *values in sentences if not says(text, values)
    ]
    messages += [
        f"{row.paper}, {row.place}, {row.label}: printed {row.printed}, now {row.computed}"
        for row in figures
        if row.verdict == ledger.FAILED
    ]
    if messages and os.environ.get(STRICT) == "strict":
        raise AssertionError("\n".join(messages))
    return messages


def says(text: str, values: list[Any]) -> bool:
    """Whether a sentence's numbers are these values.

    >>> says("an F1 of 0.78, or 77.8%", [7 / 9, 7 / 9]), says("two of three", [2, 4])
    (True, False)
    >>> says("a quarter of 12, and no third person", [0.25, 12])
    True
    >>> says("never", [True])
    True
    """
    if [type(value) for value in values] == [bool]:
        return bool(values[0])
    numbers = numbers_in(text)
    return len(numbers) == len(values) and all(
        matches(number.replace(",", "").replace("−", "-").lower(), value)
        for number, value in zip(numbers, values, strict=True)
    )


def numbers_in(text: str) -> list[str]:
    return NUMERALS.findall(text) or WORDS.findall(text)


def told(text: str, values: list[Any]) -> str:
    """What is wrong with a sentence that does not say these values.

    >>> told("a recall of 1/2", [0.75]), told("between 1 and 2", [1])
    ('now 0.7500', '1 value for 2 numbers (1, 2), each of which wants one')
    """
    numbers = numbers_in(text)
    if len(numbers) == len(values) or [type(value) for value in values] == [bool]:
        return f"now {', '.join(map(shown, values))}"
    count = f"{counted(len(values), 'value')} for {counted(len(numbers), 'number')}"
    return f"{count} ({', '.join(numbers)}), each of which wants one"


def counted(number: int, what: str) -> str:
    """Write a number with the word for what it counts, in the plural where it is not 1.

    >>> counted(1, "figure"), counted(2, "figure")
    ('1 figure', '2 figures')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
