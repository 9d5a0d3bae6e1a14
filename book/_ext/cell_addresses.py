"""Tagged cells have addresses: the cell with the tag "table-1" is ``chapter.html#cell-table-1``.

A tag moves with its cell, so that a link to the place where a figure is derived outlives the
rewriting of its chapter. Tags that tell the book's builder what to show give no address.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.nodes import make_id
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

UNNAMED = '<summary aria-label="Toggle hidden content">'
"""MyST-NB gives all folds one name, so that nobody would hear the sentence of each."""
LINE = re.compile(r'(?<=<p class="collapsed admonition-title">)[^<]*(?=</p>)')
"""The line that stands for a fold; MyST-NB writes it as plain text."""
LOOKS = (
    "hide-",
    "remove-",
    "nbval-",
    "raises-exception",
    "skip-execution",
    "scroll-output",
    "full-width",
    "needs-",
    "answer",
)


def address(tag: str) -> str:
    """The id of the cell with that tag."""
    return f"cell-{make_id(tag)}"


def own(tags: list[str]) -> list[str]:
    """Those tags that are names of the cell, and not about its looks."""
    return [tag for tag in tags if not tag.startswith(LOOKS)]


@cache
def tags(notebook: Path) -> list[str]:
    """The names of a chapter's cells; none if it is not written."""
    if not notebook.is_file():
        return []
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return [tag for cell in code for tag in own(cell["metadata"].get("tags", []))]


def give_addresses(app: Sphinx, document: nodes.document) -> None:
    for cell in document.findall(nodes.container):
        if cell.get("nb_element") == "cell_code":
            for tag in own(cell["cell_metadata"].get("tags", [])):
                if address(tag) in document.ids:
                    raise ExtensionError(f"{document['source']}: two cells have the tag {tag!r}")
                document.ids[address(tag)] = cell
                cell["ids"].append(address(tag))


def with_code(line: str) -> str:
    """A fold's line with its names of functions set as code.

    >>> with_code("The library's `muc`")
    "The library's <code>muc</code>"
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", line)


def name_folds(app: Sphinx, page: str, template: str, context: dict, doctree: object) -> None:
    if "body" in context:
        body = context["body"].replace(UNNAMED, "<summary>")
        context["body"] = LINE.sub(lambda line: with_code(line[0]), body)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", name_folds)
    app.connect("doctree-read", give_addresses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
