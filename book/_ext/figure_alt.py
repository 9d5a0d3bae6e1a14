"""The alternative text of a figure is what its SVG says of itself in <title>."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def describe(app: Sphinx, document: nodes.document) -> None:
    for image in document.findall(nodes.image):
        path = Path(app.srcdir, image["uri"])
        if "alt" not in image and path.suffix == ".svg" and path.is_file():
            title = TITLE.search(path.read_text(encoding="utf-8"))
            if title:
                image["alt"] = unescape(title[1])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", describe)
    return {"parallel_read_safe": True}
