"""The keys and responses that chapters draw, each as a link that opens it in the playground.

``{drawn-examples}`` lists them by chapter. A drawing's text, which every notebook stores beside the
picture, names the entities of both sides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import yaml
from companion.playground import MOST_MENTIONS
from docutils import nodes
from ledger_pages import title
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from corefeval import Partition

DRAWN = re.compile(r"Key: (?P<key>.*?\})\. Response: (?P<response>.*?\})\.(?:\s|$)")
ENTITY = re.compile(r"\{[^{}]*\}")


class Drawn(NamedTuple):
    """A key and a response that a chapter draws, and what it says of them."""

    caption: str
    key: str
    response: str

    @property
    def address(self) -> str:
        return "#" + urlencode({"key": self.key, "response": self.response})


def chapters(book: Path) -> Iterator[str]:
    """The notebooks in the order of the table of contents."""
    toc = yaml.safe_load((book / "_toc.yml").read_text("utf-8"))
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            if (book / f"{chapter['file']}.ipynb").is_file():
                yield chapter["file"]


def drawn(notebook: Path) -> list[Drawn]:
    """What a chapter draws, in its order, each once."""
    found: dict[tuple[str, str], Drawn] = {}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            text = "".join(output.get("data", {}).get("text/plain", ""))
            for one in _of_text(text):
                found.setdefault((one.key, one.response), one)
    return list(found.values())


def _of_text(text: str) -> Iterator[Drawn]:
    for match in DRAWN.finditer(text):
        key, response = (" ".join(ENTITY.findall(match[side])) for side in ("key", "response"))
        if all(len(Partition.parse(side).mentions) <= MOST_MENTIONS for side in (key, response)):
            caption = text.partition("\n")[0] if "\n" in text else ""
            yield Drawn(caption, key, response)


class DrawnExamples(SphinxDirective):
    """The list."""

    def run(self) -> list[nodes.Node]:
        book = Path(self.env.srcdir)
        lists = []
        for chapter in chapters(book):
            self.env.note_dependency(str(book / f"{chapter}.ipynb"))
            if examples := drawn(book / f"{chapter}.ipynb"):
                items = "".join(map(_item, examples))
                lists.append(f"<dt>{escape(title(book, chapter))}</dt><dd><ul>{items}</ul></dd>")
        return [nodes.raw("", f'<dl class="drawn-examples">{"".join(lists)}</dl>', format="html")]


def _item(example: Drawn) -> str:
    shown = escape(f"{example.key} against {example.response}")
    caption = f"{escape(example.caption)} " if example.caption else ""
    return f'<li>{caption}<a href="{escape(example.address)}"><code>{shown}</code></a></li>'


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("drawn-examples", DrawnExamples)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
