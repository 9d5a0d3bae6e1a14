"""A picture that every front end shows, in a notebook that was just opened as well.

A front end that does not trust a notebook shows no SVG of it; an image whose address holds the
SVG it shows, with its alternative text.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Picture:
    """An SVG, what it shows in words, and a caption that says what to see in it."""

    def __init__(self, svg: str, description: str, caption: str = "") -> None:
        self.svg = svg
        self.description = description
        self.caption = caption

    def captioned(self, caption: str) -> Picture:
        """The picture with this caption."""
        return Picture(self.svg, self.description, caption)

    def save(self, path: str | Path) -> None:
        """Write the SVG to a file."""
        Path(path).write_text(self.svg, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        address = f"data:image/svg+xml;base64,{b64encode(self.svg.encode()).decode()}"
        image = f'<img src="{address}" alt="{escape(self.description)}">'
        caption = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        return f'<figure class="drawing">{image}{caption}</figure>'

    def __repr__(self) -> str:
        return "\n".join(filter(None, [self.caption, self.description]))


def chart(figure: Figure, description: str, caption: str = "") -> Picture:
    """A chart of Matplotlib's as a picture, with the same bytes in every run; closes the figure.

    Call `draw.setup` before the chart is made.
    """
    import matplotlib.pyplot as plt

    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    _, start, svg = text.getvalue().partition("<svg")  # an address needs no XML declaration
    return Picture(start + svg, description, caption)
