"""The looks of Matplotlib's charts."""

from __future__ import annotations

from pathlib import Path

STYLE = Path(__file__).parents[1] / "book.mplstyle"


def setup() -> None:
    """Give Matplotlib's charts the looks of the drawings, and the same bytes in every run.

    To be called before the first chart of a notebook, which `chart` then shows; drawings need it
    not.
    """
    import matplotlib
    import matplotlib.pyplot as plt

    matplotlib.use("agg")
    plt.style.use(STYLE)
