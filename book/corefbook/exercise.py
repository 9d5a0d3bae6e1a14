"""Exercises that ask for a program: whether the reader's function does what it should."""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import deepcopy
from fractions import Fraction
from math import isclose
from numbers import Real
from typing import Any

from corefbook.tables import shown


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


def attempt(
    function: Callable[..., Any],
    *cases: tuple[tuple[Any, ...], Any],
    by: Callable[[Any], Any] | None = None,
) -> Attempt:
    """Try a function on cases, each its arguments and what it should give.

    A function that gives None, as one without a body does, is not written yet. What it raises is
    told and not raised. Where many results would do, ``by`` makes of a result what is expected
    of all of them. Floats and fractions are both right, and it says which they are.

    >>> attempt(lambda: "{a b}", ((), 5), by=len)
    Right: 1 of 1 cases.
    >>> attempt(lambda x: x / 3, ((2,), Fraction(2, 3)), ((Fraction(1),), 1 / 3))
    Right: 2 of 2 cases, as floats and fractions.
    """
    kinds: set[str] = set()
    for arguments, expected in cases:
        try:
            result = function(*deepcopy(arguments))  # what it changes is its own
            if result is None:
                return Attempt(f"Not yet: {_name(function)} gives nothing.")
            seen = by(result) if by else result
            right = _same(seen, expected)
            kinds |= _kinds(seen)
            difference = _difference(arguments, seen, expected)
        except Exception as error:  # whatever a reader's program raises is part of the answer
            return Attempt(f"Wrong: it stops with {type(error).__name__}: {error}")
        if not right:
            return Attempt(f"Wrong: {difference}")
    given = f", as {' and '.join(sorted(kinds))}" if kinds else ""
    return Attempt(f"Right: {len(cases)} of {len(cases)} cases{given}.")


def _kinds(result: Any) -> set[str]:
    """Whether there are floats in a result, or fractions."""
    if isinstance(result, list | tuple):
        return set().union(*map(_kinds, result))
    names = {"floats": float, "fractions": Fraction}
    return {name for name, kind in names.items() if isinstance(result, kind)}


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "the function")


def _same(result: Any, expected: Any) -> bool:
    """Whether a result is the expected one.

    A float may be off by rounding, a list may be a tuple, and entities have no order.

    >>> _same(0.1 + 0.2, Fraction(3, 10)), _same(0.3001, Fraction(3, 10))
    (True, False)
    >>> _same(Fraction(1, 3), 1 / 3)
    True
    >>> _same([{"a"}, {"b"}], [{"b"}, {"a"}]), _same(["a", "b"], ["b", "a"])
    (True, False)
    >>> _same((1, [0.5]), [1, (Fraction(1, 2),)]), _same([1], [1, 2]), _same(1, [1])
    (True, False, False)
    """
    numbers = isinstance(result, Real) and isinstance(expected, Real)
    if numbers and isinstance(result, float) | isinstance(expected, float):
        return isclose(result, expected, abs_tol=1e-9)
    if not isinstance(expected, list | tuple):
        return bool(result == expected)
    if not isinstance(result, list | tuple) or len(result) != len(expected):
        return False
    if _are_entities(result) and _are_entities(expected):
        return sorted(map(sorted, result)) == sorted(map(sorted, expected))
    return all(map(_same, result, expected))


def _are_entities(side: Collection[Any]) -> bool:
    return all(isinstance(entity, set | frozenset) for entity in side)


LONGEST = 120
"""So many characters of a value help; of more only the beginning is shown."""


def _difference(arguments: tuple[Any, ...], result: Any, expected: Any) -> str:
    of = f"of {', '.join(map(_short, arguments))} " if arguments else ""
    return f"{of}it gives {_short(result)}, and {_short(expected)} is expected."


def _short(value: Any) -> str:
    """A value for people, shortened.

    >>> _short((Fraction(1, 2), [{"b", "a"}]))
    '(0.5000 (1/2), ({a b}))'
    """
    if callable(value):
        return _name(value)
    if isinstance(value, set | frozenset):
        return "{" + " ".join(sorted(map(str, value))) + "}"
    listed = isinstance(value, list | tuple)
    text = f"({', '.join(map(_short, value))})" if listed else shown(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
