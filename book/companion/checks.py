"""The last cell of a chapter: whether its sentences and figures are still as in the book."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from companion import ledger
from companion.ledger import NUMBERS, Row, matches
from companion.tables import shown

STRICT = "COREFEVAL_BOOK"
"""Where this environment variable is "strict", as in the tests, what has moved is an error."""

DIGITS = re.compile(r"(?:(?<![\w)])[-−])?(?<![A-Za-z\d])\d[\d,]*(?:/\d+|(?:\.\d+)?%?)")
WORDS = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b", re.IGNORECASE)


class Checked:
    """How many sentences and figures are as in the book, and which have moved.

    >>> from fractions import Fraction
    >>> as_in_the_book("", ("a recall of 3/4", Fraction(3, 4)), ("none of 1,000 pairs", 1000))
    Checks: 2 sentences, all as in the book.
    """

    def __init__(self, moved: list[str], held: list[str]) -> None:
        self.moved = moved
        self.held = held

    def __repr__(self) -> str:
        if self.moved:
            return "\n  ".join([f"Checks: {len(self.moved)} moved", *self.moved])
        return f"Checks: {' and '.join(self.held)}, all as in the book."


def as_in_the_book(chapter: str, *sentences: tuple[Any, ...]) -> Checked:
    """Hold a chapter's sentences against the values computed in it, and its figures in the ledger.

    Each sentence is a piece of the chapter's text, word for word, followed by the values of the
    numbers in it from left to right; a sentence without digits has its number words counted, and
    one without any number has the value True if it holds. Changed examples change what is shown,
    and are no error; in the tests they are.
    """
    figures = ledger.rows(chapter=chapter) if chapter else []
    gone = moved(sentences, figures)
    held = [counted(len(sentences), "sentence")] if sentences else []
    if figures:
        held.append(f"{counted(len(figures), 'figure')} of the ledger")
    return Checked(gone, held)


def moved(sentences: Sequence[tuple[Any, ...]], figures: Sequence[Row]) -> list[str]:
    """The sentences and figures that are no longer as in the book; in the tests an error."""
    found = [
        f"“{text}”: {told(text, values)}" for text, *values in sentences if not says(text, values)
    ]
    found += [
        f"{row.paper}, {row.place}, {row.label}: printed {row.printed}, now {row.computed}"
        for row in figures
        if row.verdict == ledger.FAILED
    ]
    if found and os.environ.get(STRICT) == "strict":
        raise AssertionError("\n".join(found))
    return found


def says(text: str, values: list[Any]) -> bool:
    """Whether a sentence's numbers are these values.

    >>> says("an F1 of 0.78, or 77.8%", [7 / 9, 7 / 9]), says("two of three", [2, 4])
    (True, False)
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
    return DIGITS.findall(text) or WORDS.findall(text)


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
    """A number of things.

    >>> counted(1, "figure"), counted(2, "figure")
    ('1 figure', '2 figures')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
