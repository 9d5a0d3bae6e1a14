"""Bars for work that takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

Step = TypeVar("Step")


def with_progress(steps: Sequence[Step], what: str) -> Iterable[Step]:
    """The steps, with a bar after two seconds, on a terminal and if tqdm is installed."""
    if len(steps) > 1 and sys.stderr is not None and sys.stderr.isatty():
        try:
            from tqdm import tqdm  # type: ignore[import-untyped]
        except ImportError:
            return steps
        return tqdm(steps, desc=what, delay=2, leave=False)
    return steps
