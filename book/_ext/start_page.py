"""What the first page shows: a sentence, what the measures make of a response to it, a timeline."""

from __future__ import annotations

from pathlib import Path

from companion import draw
from companion.draw.timeline import MEASURES
from companion.pages import living


def sentence(book: Path) -> str:
    """The sentence with its mentions, which can be moved, and the scores of the response."""
    return living.living()._repr_html_()


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
