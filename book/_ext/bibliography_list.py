"""Entries of the bibliography are items of a list, as the list around them promises.

docutils gives the list the role "list" and its entries "doc-biblioentry", which assistive
technology no longer takes for items of a list.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
