"""Exercises that ask for a program: whether the reader's function does what it should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.tables import shown


class Attempt:
    """What came of a reader's attempt. It says so, and stops no cell.

    >>> def double(x): ...
    >>> attempt(double, ((2,), 4))
    Not yet: double gives nothing.
    >>> attempt(lambda x: 2 * x, ((2,), 4), ((0,), 0))
    Right: 2 of 2 cases.
    >>> attempt(lambda x: x, ((2,), 4))
    Wrong: of 2 it gives 2, and 4 is expected.
    """

    def __init__(self, said: str) -> None:
        self.said = said

    def __repr__(self) -> str:
        return self.said


def attempt(function: Callable[..., Any], *cases: tuple[tuple[Any, ...], Any]) -> Attempt:
    """Try a function on cases, each its arguments and what it should give.

    A function that gives None, as one without a body does, is not written yet. What it raises is
    told and not raised.
    """
    for arguments, expected in cases:
        try:
            found = function(*arguments)
        except Exception as error:  # whatever a reader's program raises is part of the answer
            return Attempt(f"Wrong: it stops with {type(error).__name__}: {error}")
        if found is None and expected is not None:
            return Attempt(f"Not yet: {function.__name__} gives nothing.")
        if found != expected:
            given = ", ".join(map(_short, arguments))
            return Attempt(
                f"Wrong: of {given} it gives {_short(found)}, and {_short(expected)} is expected."
            )
    return Attempt(f"Right: {len(cases)} of {len(cases)} cases.")


LONGEST = 120
"""So many characters of a value help; of more only the beginning is shown."""


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
