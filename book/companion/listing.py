"""The library's own functions, shown whole in the chapters that derive them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corefeval

ROOT = Path(corefeval.__file__).parents[1]


class Listing:
    """The source of functions, below a line that names them and their file.

    >>> from corefeval.measures.links import connected
    >>> Listing(connected)  # doctest: +ELLIPSIS
    The library's `connected`, in corefeval/measures/links.py, 9 lines
    <BLANKLINE>
    def connected(links: list[Link], others: list[Link]) -> Tally:
    ...
    """

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self.functions = functions

    def __repr__(self) -> str:
        sources = [inspect.getsource(function).strip() for function in self.functions]
        lines = sum(len(source.splitlines()) for source in sources)
        return "\n\n".join([f"{self._named()}, {lines} lines", *sources])

    def _named(self) -> str:
        names = " and ".join(f"`{function.__name__}`" for function in self.functions)
        files = dict.fromkeys(_file(function) for function in self.functions)
        whose = "The book's" if all(file.startswith("book/") for file in files) else "The library's"
        return f"{whose} {names}, in {' and '.join(files)}"


def _file(function: Callable[..., Any]) -> str:
    path = Path(inspect.getsourcefile(inspect.unwrap(function)) or "")
    return path.relative_to(ROOT).as_posix()


def listing(*functions: Callable[..., Any]) -> Listing:
    """Show the source of functions of the library or the companion."""
    return Listing(*functions)
