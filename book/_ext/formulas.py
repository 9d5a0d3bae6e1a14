"""The measures' formulas as they are typeset, and LaTeX in tables.

Docstrings have formulas in plain letters, for terminals. `LATEX` says the same for pages, and a
test compares them sign by sign.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

LINKS = r"\qquad \operatorname{link}(E) = |E| \, (|E| - 1) / 2"
ENTITIES = r"\text{the number of key entities}"
SIZES = r"\sum_i |K_i|"
BLANC = r"\tfrac{1}{2} (F_c + F_n)"

XC = (
    r"\text{XRS} = \frac{\text{correct}}{|E|} \qquad "
    r"\text{XPS} = 1 - \frac{\text{incorrect}}{|E|}"
)

LATEX = {
    "mentions": rf"\frac{{\sum_{{i,j}} |K_i \cap R_j|}}{{{SIZES}}}",
    "muc": r"\frac{\sum_i (|K_i| - |p(K_i)|)}{\sum_i (|K_i| - 1)}",
    "b3": rf"\frac{{\sum_{{i,j}} |K_i \cap R_j|^2 / |K_i|}}{{{SIZES}}}",
    "b3_class": rf"\frac{{\sum_{{i,j}} (|K_i \cap R_j| / |K_i|)^2}}{{{ENTITIES}}}",
    "ceafm": rf"\frac{{\max \sum |K_i \cap R_j|}}{{{SIZES}}} \qquad (\varphi_3)",
    "ceafe": (
        rf"\frac{{\max \sum 2 |K_i \cap R_j| / (|K_i| + |R_j|)}}{{{ENTITIES}}} \qquad (\varphi_4)"
    ),
    "ceaf1": rf"\frac{{\max \sum [K_i = R_j]}}{{{ENTITIES}}} \qquad (\varphi_1)",
    "ceaf2": (
        rf"\frac{{\max \sum [K_i \cap R_j \neq \varnothing]}}{{{ENTITIES}}} \qquad (\varphi_2)"
    ),
    "blanc": BLANC,
    "blanc_both": BLANC,
    "pairwise": (
        r"\frac{\sum_{i,j} \operatorname{link}(K_i \cap R_j)}{\sum_i \operatorname{link}(K_i)}"
        + LINKS
    ),
    "lea": (
        r"\frac{\sum_i |K_i| \cdot "
        r"\bigl(\sum_j \operatorname{link}(K_i \cap R_j) / \operatorname{link}(K_i)\bigr)}"
        rf"{{{SIZES}}}" + LINKS
    ),
    "conll": (r"\frac{\text{F1 of MUC} + \text{F1 of B}^3 + \text{F1 of CEAF}_e}{3}"),
    "kappa": (
        r"\kappa = \frac{p_o - p_h}{1 - p_h} \qquad p_o = \frac{a + d}{N} \qquad "
        r"p_h = \frac{(a + c)(a + b) + (c + d)(b + d)}{N^2}"
    ),
    "c": r"\frac{\sum_i (|c(K_i)| - 1)}{\sum_i (|K_i| - 1)}",
    "xc": XC,
    "xc_free": XC,
    "h": r"\frac{|E| \cdot (H(R) - H(R|K))}{|E| \cdot H(R)}",
    "dmt": r"1 - \frac{\sum_i \bigl||K_i| - |R_i|\bigr|}{2 (|E| - 1)}",
}
"""What stands before "over" in a docstring is above the line, what stands behind it below."""

IN_WORDS = re.compile(r"\s*, +((?:and so|c\().*)$")
"""The end of a formula that is a sentence."""


def display(name: str, formula: str) -> str:
    """A measure's formula on a line of its own, in MyST; in plain letters where none is typeset."""
    if name not in LATEX:
        return ""
    return f"$$\n{LATEX[name]}\n$$" + _rest(formula)


def inline(name: str, formula: str) -> str:
    """The same within a line."""
    if name not in LATEX:
        return ""
    return " ".join(rf"$\displaystyle {part}$" for part in parts(name)) + _rest(formula)


def parts(name: str) -> list[str]:
    """A formula, and what it needs to be told, apart, so that a line may end between them."""
    return [part.strip() for part in LATEX[name].split(r"\qquad")]


def _rest(formula: str) -> str:
    found = IN_WORDS.search(formula)
    return f"\n\n{found[1]}" if found else ""


def html(latex: str) -> str:
    """LaTeX within a page's HTML, as MyST writes it, which MathJax typesets."""
    return rf'<span class="math notranslate nohighlight">\({latex}\)</span>'


# -------------------------------------------------------------------------------- in tables

CELL = re.compile(r"(<(?:td|mark)\b[^>]*>)([^<]*\\(?:frac|sum|cap)\b[^<]*)")
BEGIN = re.compile(r"(?:\w+ = |\d+ - )?\\(?:frac|sum|cap)\b")
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
