"""Tagged cells have addresses: the cell with the tag "table-1" is ``chapter.html#cell-table-1``.

A tag moves with its cell, so that a link to the place where a figure is derived outlives the
rewriting of its chapter. Tags that tell the book's builder what to show give no address.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.nodes import make_id
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

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
    """The tags that are names of the cell, and not about its looks."""
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


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", give_addresses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
