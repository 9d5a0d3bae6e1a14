"""Matplotlib's histogram with the looks of the drawings, and the same bytes in every run.

For chapters that need NumPy anyway. It is painted twice, for a page's column and for a phone, and
Matplotlib is loaded only then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from corefbook.colours import DAY, SERIES
from corefbook.draw.pieces import NARROW, WIDE, decimal
from corefbook.draw.shapes import FONTS
from corefbook.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEUTRAL = DAY["neutral"]
BINS = 40
"""Into so many equal parts values fall."""
MARKERS = "os^DvPX"
"""Matplotlib's names of the marks that `plots` has, in the same order."""
PIXEL = 1 / 96
"""Of CSS, in inches."""
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "corefeval",
    "svg.fonttype": "none",
    "savefig.bbox": "standard",
    "savefig.transparent": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    # Every machine has Matplotlib's own font: text is measured with it.
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": NEUTRAL,
    "grid.linewidth": 0.4,
    "lines.linewidth": 2,
    "lines.markersize": 9,
    "lines.markeredgecolor": DAY["paper"],
    "lines.markeredgewidth": 1.4,
    "legend.frameon": False,
    **dict.fromkeys(
        ["text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"], NEUTRAL
    ),
}


def _legend(axes: Axes, kinds: Sequence[str]) -> None:
    """The mark of each kind before its name, above the chart."""
    for number, kind in enumerate(kinds):
        axes.plot([], [], MARKERS[number], color=SERIES[number], label=kind)
    columns = 2 if axes.figure.bbox.width < 500 else len(kinds)  # on a phone, lines of two
    look: dict[str, Any] = {"handletextpad": 0.2, "columnspacing": 1.2}
    axes.figure.legend(loc="outside upper left", ncols=columns, **look)


def histogram(
    values: Sequence[float],
    across: str,
    marked: Mapping[str, Sequence[float]],
    *,
    title: str,
) -> Picture:
    """How many values fall into each of equal parts, with named lines at those marked.

    >>> histogram([1, 2, 2, 3], "F1", {"observed": [2]}, title="Two in four.")
    Two in four.
    how often by F1. values: 4 from 1 to 3; observed: 2.
    """

    def paint(axes: Axes) -> None:
        axes.hist(list(values), bins=BINS, color=NEUTRAL, alpha=0.6)
        axes.grid(axis="x", visible=False)
        top = axes.get_ylim()[1]
        axes.set_ylim(0, 1.15 * top)
        for number, ends in enumerate(marked.values()):
            axes.vlines(ends, 0, 1.08 * top, color=SERIES[number])
            axes.plot(ends, [1.08 * top] * len(ends), MARKERS[number], color=SERIES[number])
        axes.set_xlabel(across)
        axes.set_ylabel("how often")
        _legend(axes, [*marked])

    parts = [f"values: {len(values)} from {decimal(min(values))} to {decimal(max(values))}"]

    parts += [f"{name}: {', '.join(map(decimal, ends))}" for name, ends in marked.items()]
    description = f"how often by {across}. {'; '.join(parts)}."
    wide, narrow = (svg_of(paint, width, 340) for width in (WIDE, NARROW))
    return Picture(wide, description, title=title, narrow=narrow)


def svg_of(paint: Callable[[Axes], object], width: float, height: float) -> str:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width * PIXEL, height * PIXEL))
        paint(figure.subplots())
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    _, start, svg = text.getvalue().partition("<svg")  # an address needs no XML declaration
    fonts = ", ".join(f"'{font}'" if " " in font else font for font in FONTS)
    return re.sub(r"'DejaVu Sans'(, [^;\"]*sans-serif)?", fonts, start + svg)
