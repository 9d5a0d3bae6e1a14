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
MARKS = dict(re.findall(r"--([\w-]+)-mark: (\w+);", FILE.read_text(encoding="utf-8")))
"""The shape of the mark of each measure and corpus in charts."""
NAMES = {
    **{"MUC": "muc", "B³": "b3", "CEAFₘ": "ceafm", "CEAFₑ": "ceafe", "BLANC": "blanc"},
    **{"LEA": "lea", "CoNLL": "conll", "FCC": "fcc", "FCC-T": "fcc-t", "GVC": "gvc", "ECB+": "ecb"},
}
"""Measures and corpora as charts call them, and what the file of values calls them."""
SERIES = [colour for name, colour in DAY.items() if name.startswith("series-")]
"""Of what is neither a side, nor good or bad, nor has a colour of its own: systems, sizes."""


def called(name: str) -> str:
    """The name of a series in the file of values; one that it does not know keeps its own.

    >>> called("FCC, documents"), called("CoNLL score"), called("key"), called("sizes 4, 4, 4")
    ('fcc', 'conll', 'key', 'sizes 4, 4, 4')
    """
    return NAMES.get(re.split("[ ,]", name)[0], name)


def of_series(name: str, number: int) -> str:
    """A side, a measure and a corpus have their own colours; other series have some by number.

    >>> of_series("key", 3) == DAY["key"], of_series("seeds", 0) == DAY["series-1"]
    (True, True)
    """
    name = called(name)
    return DAY[name] if name in ("key", "response", *MARKS) else SERIES[number % len(SERIES)]


def tint(name: str, strength: float) -> str:
    """A colour that lets the page shine through, on a white and on a dark one.

    >>> tint("below", 0.5)
    'rgba(148, 107, 0, 0.50)'
    """
    red, green, blue = (int(DAY[name][at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {strength:.2f})"
