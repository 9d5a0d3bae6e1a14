"""The one error type that bad input raises, and what refuses objects of the wrong kind."""

import reprlib
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

GIT_LFS = b"version https://git-lfs"
"""How a pointer of Git LFS begins."""
OF_GIT_LFS = "a Git LFS pointer, which stands for a file that is not here: type git lfs pull"


class CorefError(ValueError):
    """Input that cannot be scored as it stands.

    The message says where (file, line, document, mention, entities), what was expected
    and what to do. On the command line it becomes exit code 2.
    """


class NoScore(CorefError):
    """Input for which another scorer itself prints no score."""


class InLines(CorefError):
    """Several faults, or a file and lines of Python that convert it, each printed in a line."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.lines,)


class named:
    """Put ``where`` before the message of a `CorefError` that is raised within."""

    # Entered several times for each document: a generator would take three times as long.
    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, CorefError) and not isinstance(error, InLines):
            raise CorefError(f"{self.where}: {error}") from None


def warn(message: str) -> None:
    """Warn whoever called the library, however deep in it."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("corefeval"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def shortened(value: object) -> str:
    """A value for a message, cut where it is long; its type if it is shown in several lines."""
    shown = reprlib.repr(value)
    return f"a {type(value).__name__}" if "\n" in shown else shown


def meant(typed: object, names: Iterable[str]) -> str:
    """A question after the name that was perhaps meant, or all names.

    >>> meant("scor", ["score", "compare"]), meant("x", ["score", "compare"])
    ('did you mean score?', 'expected one of score, compare')
    """
    from difflib import get_close_matches  # only for the message

    known = list(names)
    near = get_close_matches(typed.lower(), known, 1, 0.6) if isinstance(typed, str) else []
    if near:
        return f"did you mean {near[0]}?"
    return f"expected one of {', '.join(known)}"


def expect(kind: type | tuple[type, ...], expected: str, value: object) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        raise CorefError(f"expected {expected}, got {shortened(value)}")


def items(expected: str, value: Any) -> list[Any]:
    """The items of a collection, which a text, bytes or a mapping is never meant as."""
    # Most inputs are lists; this check is cheaper than iter().
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, (set, frozenset)):
        return _in_order(value)
    try:
        iterator = None if isinstance(value, (str, bytes, bytearray, Mapping)) else iter(value)
    # An array of NumPy without dimensions has __iter__, and yet cannot be iterated.
    except TypeError:
        iterator = None
    if iterator is None:
        raise CorefError(f"expected {expected}, got {shortened(value)}")
    return list(iterator)


def _in_order(value: Collection[Any]) -> list[Any]:
    """The items of a set in an order that is the same in every run."""
    try:
        # Of sets, "less" is "part of", which orders few of them.
        if not any(isinstance(item, (set, frozenset)) for item in value):
            return sorted(value)
    except TypeError:
        return sorted(value, key=repr)
    return sorted(value, key=lambda item: repr(items("", item)))


def expect_two(key: object, response: object) -> None:
    """Refuse a lone key, and one iterator for both sides: nothing would be left for the second."""
    if response is None:
        raise CorefError("there is no response; a table alone has both sides")
    if key is response and isinstance(key, Iterator):
        raise CorefError(
            f"the key and the response are the same {type(key).__name__}, which can be read only "
            "once: give each side its own, or a list"
        )
