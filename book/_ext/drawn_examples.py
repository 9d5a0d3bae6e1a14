"""The keys and responses that pictures show, each as a link that opens it in the playground.

A picture's HTML names them (`corefbook.picture.figure`). In each caption of a page stands the
link, which also opens the terms of the page's measure, and ``{drawn-examples}`` lists them all by
chapter. A notebook has no such link, because it is read in places without a playground.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import measures
import yaml
from corefbook.pages.playground import MOST_MENTIONS
from corefbook.picture import Drawn
from docutils import nodes
from ledger_pages import title
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from templates import filled

from corefeval import Partition

PICTURE = re.compile(
    r'(?P<picture><figure class="drawing" data-drawn="(?P<data>[^"]*)">.*?)'
    r"(<figcaption>(?P<caption>[^<]*)</figcaption>)?</figure>",
    re.DOTALL,
)


def address(example: Drawn, measure: str = "") -> str:
    """The part of the playground's address that opens an example, and a measure's terms."""
    state = {"key": example.key, "response": example.response}
    return "#" + urlencode(state | ({"why": measure} if measure else {}))


def examples(data: str) -> list[Drawn]:
    """The examples of a picture that the playground takes."""
    drawings = (Drawn(*each) for each in json.loads(unescape(data)))
    return [each for each in drawings if all(map(_fits, (each.key, each.response)))]


def _fits(side: str) -> bool:
    return len(Partition.parse(side).mentions) <= MOST_MENTIONS


# -------------------------------------------------------------------------------- pictures


def with_links(html: str, measure: str = "", up: str = "") -> str:
    """A page's HTML with the links of each picture in its caption; `up` leads to the first page."""

    def linked(found: re.Match[str]) -> str:
        links = _links(examples(found["data"]), measure, up)
        caption = " ".join(filter(None, [found["caption"], links]))
        end = f"<figcaption>{caption}</figcaption></figure>" if caption else "</figure>"
        return found["picture"] + end

    return PICTURE.sub(linked, html)


def _links(drawings: list[Drawn], measure: str, up: str) -> str:
    links = [
        {"address": f"{up}playground.html{address(each, measure)}", "name": each.label or str(i)}
        for i, each in enumerate(drawings, 1)
    ]
    return filled("to-playground.html", links=links) if links else ""


def link_pictures(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    if "body" in context:
        up = "../" * page.count("/")
        context["body"] = with_links(context["body"], measures.derived(page), up)


# -------------------------------------------------------------------------------- the list


def chapters(book: Path) -> Iterator[str]:
    """The notebooks in the order of the table of contents."""
    toc = yaml.safe_load((book / "_toc.yml").read_text("utf-8"))
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            for page in (chapter, *chapter.get("sections", ())):
                if "file" in page and (book / f"{page['file']}.ipynb").is_file():
                    yield page["file"]


def drawn(notebook: Path) -> dict[tuple[str, str], str]:
    """The keys and responses that a chapter draws, in its order, with their first captions."""
    captions: dict[tuple[str, str], str] = {}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for output in (output.get("data", {}) for output in cell.get("outputs", [])):
            for picture in PICTURE.finditer("".join(output.get("text/html", ""))):
                caption = "".join(output["text/plain"]).partition("\n")[0]
                for example in examples(picture[2]):
                    captions.setdefault((example.key, example.response), caption)
    return captions


class DrawnExamples(SphinxDirective):
    """The list."""

    def run(self) -> list[nodes.Node]:
        book = Path(self.env.srcdir)
        listed = {}
        for chapter in chapters(book):
            self.env.note_dependency(str(book / f"{chapter}.ipynb"))
            if captions := drawn(book / f"{chapter}.ipynb"):
                listed[title(book, chapter)] = [
                    _item(Drawn(*each), caption) for each, caption in captions.items()
                ]
        return [nodes.raw("", filled("drawn-examples.html", chapters=listed), format="html")]


def _item(example: Drawn, caption: str) -> dict[str, str]:
    return {
        "caption": caption,
        "address": address(example),
        "shown": f"{example.key} against {example.response}",
    }


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("drawn-examples", DrawnExamples)
    app.connect("html-page-context", link_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
