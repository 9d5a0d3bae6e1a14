"""How far long work has come, drawn on a terminal by tqdm; nothing where tqdm is not installed.

The command draws where standard error is a terminal and nobody asked it to be quiet; the library,
called from Python, draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

DELAY = 1.5
"""Work that takes fewer seconds is not worth a bar."""
_wanted = ContextVar("wanted", default=False)
_bar: ContextVar[Any] = ContextVar("bar", default=None)


@contextmanager
def drawing(wanted: bool) -> Iterator[None]:
    """Draw the progress of what is done within, or do not."""
    token = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(token)


def is_drawn() -> bool:
    """Whether progress is to be drawn."""
    return _wanted.get()


@contextmanager
def progress(what: str, total: int, unit: str = "") -> Iterator[None]:
    """A bar called ``what`` for ``total`` steps, which `advance` tells it of.

    Work within other work adds to the bar of the whole.

    >>> with progress("draws", 2):
    ...     advance(2)
    """
    if not is_drawn() or _bar.get() is not None:
        yield
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        yield
        return
    with tqdm(desc=what, total=total, unit=unit, unit_scale=True, delay=DELAY, leave=False) as bar:
        token = _bar.set(bar)
        try:
            yield
        finally:
            _bar.reset(token)


def advance(steps: int) -> None:
    """Some more steps of the work are done."""
    bar = _bar.get()
    if bar is not None:
        bar.update(steps)
