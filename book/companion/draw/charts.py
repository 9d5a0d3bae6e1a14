"""The looks of Matplotlib's charts."""

from __future__ import annotations

from pathlib import Path

STYLE = Path(__file__).parents[1] / "book.mplstyle"


def setup() -> None:
    """Give Matplotlib's charts the looks of the drawings, and the same bytes in every run.

    To be called before the first chart of a notebook, which `chart` then shows; drawings need it
    not.
    """
    import matplotlib.pyplot as plt

    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ModuleNotFoundError:
        shell = None
    else:
        shell = get_ipython()
    if shell is not None:
        shell.run_line_magic("matplotlib", "inline")
        set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None, "Creator": None})
    plt.style.use(STYLE)
