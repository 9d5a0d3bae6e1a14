"""Tables whose cells have colours: the pattern is seen before the words are read.

A heat map is a table and no picture: its words and numbers can be read, searched and copied, on a
phone and by a screen reader, and its plain text is that of the table. The colours let the page
shine through, so that they serve on a white and on a dark one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corefbook.colours import tint
from corefbook.tables import Table, matrix

DEEPEST = 0.5
"""The opacity of the strongest tone: text keeps its contrast on it, on either page."""

Tone = float | Sequence[float]


class Heat(Table):
    """A table with a tone for each cell behind a row's name: −1 brown, 0 none, 1 teal.

    A cell of several signs, with blanks between them, may have a tone for each of them.
    """

    def __init__(self, table: Table, tones: Sequence[Sequence[Tone]]) -> None:
        super().__init__(table.head, table.rows, table.caption, table.footer)
        self.tones = tones

    def _repr_html_(self) -> str:
        tones = iter([tone for row in self.tones for tone in row])

        def toned(cell: re.Match[str]) -> str:
            opened, text, tone = cell[1], cell[2], next(tones)
            if not isinstance(tone, Sequence):
                return opened.replace('style="', f'style="{background(tone)}') + text
            chips = " ".join(map(_chip, text.split(), tone))
            return f'{opened}<span style="white-space: nowrap">{chips}</span>'

        return re.sub(r"(<td [^>]*>)(.*?)(?=</td>)", toned, super()._repr_html_())


def background(tone: float) -> str:
    """The style of a cell of that tone; none where it is too faint to be seen.

    >>> background(-1), background(0)
    ('background-color: rgba(148, 107, 0, 0.50); ', '')
    """
    strength = DEEPEST * min(abs(tone), 1)
    if strength < 0.01:
        return ""
    return f"background-color: {tint('below' if tone < 0 else 'above', strength)}; "


def _chip(sign: str, tone: float) -> str:
    """A sign on its own colour; all are of one width, so that they make columns."""
    shape = "display: inline-block; width: 1.4em; text-align: center"
    return f'<span style="{background(tone)}{shape}">{sign}</span>'


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cell: Callable[[int, int], Any],
    tone: Callable[[Any], Tone] | Mapping[Any, float],
    caption: str = "",
    corner: str = "",
) -> Heat:
    """`matrix` with colours: ``tone`` gives that of a cell's value, −1 for brown to 1 for teal.

    The caption has to say what the colours mean. A value that a mapping lacks has no colour.

    >>> heat(["x", "y"], ["a"], lambda i, j: ["falls", "same"][i], {"falls": -1}, "Effects.", "of")
    Effects.
    of  a
    x   falls
    y   same
    """
    return coloured(matrix(rows, columns, cell, caption, corner), tone)


def coloured(table: Table, tone: Callable[[Any], Tone] | Mapping[Any, float]) -> Heat:
    """A table with its cells' tones; the first cell of a row, its name, has none.

    >>> coloured(Table(["", "a"], [["x", 3]]), lambda value: value / 10).tones
    [[0.3]]
    """
    shade = (lambda value: tone.get(value, 0)) if isinstance(tone, Mapping) else tone
    tones = [[shade(value) for value in values] for _, *values in table.rows]
    return Heat(table, tones)
