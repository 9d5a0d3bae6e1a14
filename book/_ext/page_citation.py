"""What a page says of itself to those who link to it: how to cite it, and a preview.

Both stand outside the article. What needs the book's address is left out while CITATION.cff,
the one place that has it, gives no ``url``.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from project_pages import Project
from sphinx.application import Sphinx

PICTURE = "_static/book.png"
SHORTEST, LONGEST = 60, 200


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if doctree is None:
        return
    project = Project.read(Path(app.srcdir))
    # As HTML, with the chapter's number and tags around code.
    title = re.sub(r"^\d+\. ", "", re.sub(r"<[^>]+>", "", str(context["title"])))
    context["metatags"] += tags(project, page, title, description(doctree))
    if page != app.config.root_doc:
        context["cite_page"] = project.of_page(title, page)


def tags(project: Project, page: str, title: str, text: str) -> str:
    """The tags of a preview; the title comes as HTML, and the text as it is."""
    said_of = {
        "og:type": "article",
        "og:site_name": escape(project.name),
        "og:title": title,
        "og:description": escape(text),
    }
    if project.url:
        said_of["og:url"] = escape(project.address(page))
        said_of["og:image"] = escape(f"{project.url}/{PICTURE}")
    lines = [f'<meta property="{name}" content="{said}">' for name, said in said_of.items() if said]
    if text:
        lines.insert(0, f'<meta name="description" content="{escape(text)}">')
    return "\n".join(["", *lines, ""])


def description(doctree: nodes.document) -> str:
    """The first paragraph that is a sentence, without its label."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if isinstance(paragraph.parent, nodes.section) and len(text) > SHORTEST:
            return _shortened(text.removeprefix("The question. "))
    return ""


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
