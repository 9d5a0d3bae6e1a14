"""The measures' formulas as they are typeset, and LaTeX in tables.

Docstrings have formulas in plain letters, for terminals. The front matter of a measure's page has
the same in LaTeX, and a test compares them sign by sign.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

IN_WORDS = re.compile(r"\s*, +((?:and so|c\().*)$")
"""The end of a formula that is a sentence."""


def display(latex: str, formula: str) -> str:
    """A measure's formula on a line of its own, in MyST, with what its docstring's has in words."""
    return f"$$\n{latex}\n$$" + _rest(formula)


def inline(latex: str, formula: str) -> str:
    """The same within a line."""
    return " ".join(rf"$\displaystyle {part}$" for part in parts(latex)) + _rest(formula)


def parts(latex: str) -> list[str]:
    """A formula, and what it needs to be told, apart, so that a line may end between them."""
    return [part.strip() for part in latex.split(r"\qquad")]


def _rest(formula: str) -> str:
    found = IN_WORDS.search(formula)
    return f"\n\n{found[1]}" if found else ""


def html(latex: str) -> str:
    """LaTeX within a page's HTML, as MyST writes it, which MathJax typesets."""
    return rf'<span class="math notranslate nohighlight">\({latex}\)</span>'


# -------------------------------------------------------------------------------- in tables

CELL = re.compile(r"(<(?:td|mark)\b[^>]*>)([^<]*\\(?:frac|sum|cap)(?![a-z])[^<]*)")
BEGIN = re.compile(r"(?:\w+ = |\d+ - )?\\(?:frac|sum|cap)(?![a-z])")
"""Where the LaTeX of a cell begins; it goes to the cell's end."""


def typeset(body: str) -> str:
    """A page's HTML, with the LaTeX that papers print in cells of tables marked for MathJax."""

    def marked(found: re.Match[str]) -> str:
        text = found[2]
        begin = BEGIN.search(text)
        if not begin:
            return found[0]
        return found[1] + text[: begin.start()] + html(text[begin.start() :].strip())

    return CELL.sub(marked, body)


def typeset_cells(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    if "body" in context:
        context["body"] = typeset(context["body"])
        if 'class="math' in context["body"]:
            app.add_js_file(app.config.mathjax_path, loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", typeset_cells, priority=400)  # before entities are marked
    return {"parallel_read_safe": True, "parallel_write_safe": True}
