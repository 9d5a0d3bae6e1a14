"""A short entity in a table stays on one line: a phone would break ``{a b c}`` between mentions."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

TABLE = re.compile(r'<table class="dataframe.*?</table>', re.DOTALL)
ENTITY = re.compile(r'<span class="math.*?</span>|(\{[^{}<>]{1,16}\})', re.DOTALL)
"""An entity; a longer one may break, since its column would be wider than a phone. Formulas have
braces, too, and are found to be left out."""


def kept_whole(html: str) -> str:
    """A page's HTML, with the short entities of its tables marked for the style sheet."""
    return TABLE.sub(lambda table: ENTITY.sub(_marked, table[0]), html)


def _marked(found: re.Match[str]) -> str:
    return f'<span class="entity">{found[1]}</span>' if found[1] else found[0]


def keep_whole(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    if "body" in context:
        context["body"] = kept_whole(context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", keep_whole)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
