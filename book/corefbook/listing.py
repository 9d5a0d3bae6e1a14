"""The library's own functions, shown whole in the chapters that derive them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corefeval

ROOT = Path(corefeval.__file__).parents[1]


class Listing:
    """The source of a function, below a line that names it and its file.

    >>> from corefeval.measures.links import connected
    >>> Listing(connected)  # doctest: +ELLIPSIS
    The library's `connected`, in corefeval/measures/links.py, 9 lines
    <BLANKLINE>
    def connected(links: list[Link], others: list[Link]) -> Tally:
    ...
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __repr__(self) -> str:
        source = inspect.getsource(self.function).strip()
        path = Path(inspect.getsourcefile(inspect.unwrap(self.function)) or "")
        file = path.relative_to(ROOT).as_posix()
        whose = "The book's" if file.startswith("book/") else "The library's"
        lines = len(source.splitlines())
        return f"{whose} `{self.function.__name__}`, in {file}, {lines} lines\n\n{source}"
