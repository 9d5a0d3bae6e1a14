"""Docstrings as they are written: formulas with |K|, and names in single backticks."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx


def escape_bars(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """A size such as |K| is no substitution of reStructuredText; code keeps its bars."""
    for i, line in enumerate(lines):
        if line.startswith(">>>"):
            break
        # autodoc may hand over the same lines twice.
        lines[i] = re.sub(r"(``.*?``|\\\|)|\|", lambda found: found[1] or r"\|", line)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", escape_bars)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
