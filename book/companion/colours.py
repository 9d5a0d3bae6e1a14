"""The colours of the book, read from the file that its pages load: ``looks/colours.css``.

Drawings take those of the day. A page turns its pictures over at night, with their hues kept.
"""

from __future__ import annotations

import re
from pathlib import Path

FILE = Path(__file__).parent / "looks" / "colours.css"


def _read() -> tuple[dict[str, str], dict[str, str]]:
    """The colours by name: of the day, and of the night."""
    day, night = FILE.read_text(encoding="utf-8").split("html[")
    return _of(day), _of(night)


def _of(rules: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", rules))


DAY, NIGHT = _read()
SERIES = [colour for name, colour in DAY.items() if name.startswith("series-")]
"""Of what is neither a side nor good or bad: systems, measures, sizes."""


def of_series(name: str, number: int) -> str:
    """A side has its own colour wherever it is drawn; other series have neutral ones by number.

    >>> of_series("key", 3) == DAY["key"], of_series("MUC", 0) == DAY["series-1"]
    (True, True)
    """
    return DAY[name] if name in ("key", "response") else SERIES[number % len(SERIES)]


def tint(name: str, strength: float) -> str:
    """A colour that lets the page shine through, on a white and on a dark one.

    >>> tint("below", 0.5)
    'rgba(148, 107, 0, 0.50)'
    """
    red, green, blue = (int(DAY[name][at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {strength:.2f})"
