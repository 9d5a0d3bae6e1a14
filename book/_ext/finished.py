"""What is changed in the finished HTML of a page: what its makers do not offer to write so.

Whatever we write ourselves is right where it is written. Here stand the theme's, Sphinx's and
MyST-NB's words, and marks in tables that chapters have stored as outputs.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

FOLD = re.compile(r'(?<=<p class="collapsed admonition-title">)[^<]*(?=</p>)')
"""The line that stands for a fold; MyST-NB writes it as plain text."""
OPTION = re.compile(r'<span class="pre">(?=--?[a-z])')
"""An option such as ``--html``; the style sheet ends no line after its hyphens."""
CELL = re.compile(r"(<(?:td|mark)\b[^>]*>)([^<]*\\(?:frac|sum|cap)(?![a-z])[^<]*)")
BEGIN = re.compile(r"(?:\w+ = |\d+ - )?\\(?:frac|sum|cap)(?![a-z])")
"""Where the LaTeX of a cell begins; it goes to the cell's end."""
TABLE = re.compile(r'<table class="dataframe.*?</table>', re.DOTALL)
ENTITY = re.compile(
    r'<span class="math.*?</span>|(\{[^{}<>]{1,16}\}|(?<=>)[a-z]{1,10}-\d(?=<))', re.DOTALL
)
"""A short entity, which a phone would break between mentions, or a name such as sara-3. A longer
entity may break, since its column would be wider than a phone. Formulas have braces, too, and are
found to be left out."""
WORDS = {
    # All folds would have one name, and nobody would hear the sentence of each.
    '<summary aria-label="Toggle hidden content">': "<summary>",
    # Assistive technology does not take docutils' role for an item of a list.
    'role="doc-biblioentry"': 'role="listitem"',
}


def mended(body: str) -> str:
    """A page's HTML with all that is changed in it."""
    for theirs, ours in WORDS.items():
        body = body.replace(theirs, ours)
    body = FOLD.sub(lambda line: with_code(line[0]), body)
    body = OPTION.sub('<span class="pre option">', body)
    return kept_whole(typeset(body))


def with_code(line: str) -> str:
    """A fold's line with its names of functions set as code.

    >>> with_code("The library's `muc`")
    "The library's <code>muc</code>"
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", line)


def html(latex: str) -> str:
    """LaTeX within a page's HTML, as MyST writes it, which MathJax typesets."""
    return rf'<span class="math notranslate nohighlight">\({latex}\)</span>'


def typeset(body: str) -> str:
    """A page's HTML, with the LaTeX that papers print in cells of tables marked for MathJax."""

    def marked(found: re.Match[str]) -> str:
        text = found[2]
        begin = BEGIN.search(text)
        if not begin:
            return found[0]
        return found[1] + text[: begin.start()] + html(text[begin.start() :].strip())

    return CELL.sub(marked, body)


def kept_whole(body: str) -> str:
    """A page's HTML, with the short entities of its tables marked for the style sheet."""

    def marked(found: re.Match[str]) -> str:
        return f'<span class="entity">{found[1]}</span>' if found[1] else found[0]

    return TABLE.sub(lambda table: ENTITY.sub(marked, table[0]), body)


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if "body" in context:
        context["body"] = mended(context["body"])
        if 'class="math' in context["body"]:
            app.add_js_file(app.config.mathjax_path, loading_method="defer")


def name_parts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """The triangle that folds a part of the sidebar has a name for those who do not see it."""
    generate = context.get("generate_toctree_html")
    if generate:

        def named(*arguments: Any, **options: Any) -> str:
            label = '<summary aria-label="Show or hide the pages of this part">'
            return str(generate(*arguments, **options)).replace("<summary>", label)

        context["generate_toctree_html"] = named


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", mend, priority=400)  # MathJax before other scripts
    app.connect("html-page-context", name_parts, priority=900)  # after the theme, which adds it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
