"""A page that has gone forwards to what took its place, with the anchor that was asked for.

A page that has gone is written as a small file of its own, which needs no script: with one, the
part of the address behind the page (a search, an anchor) is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from templates import filled

FORWARDS = {
    "api-companion": "api",
    "blind-spots": "rewards",
    "case-study": "framework",
    "measures/derr": "framework#d-err-a-formula-that-misses",
    "own-measures": "framework",
    "reference-scorer": "who-computes-what",
    "story": "rewards",
}
"""The pages that have gone, and where each leads: a page, or a page and an anchor on it."""


def forward(title: str, target: str, gone: str = "") -> str:
    """The file that leads from a page that has gone to a target.

    >>> 'href="muc.html#the-idea">MUC<' in forward("MUC", "muc#the-idea")
    True
    >>> 'href="../muc.html">MUC<' in forward("MUC", "muc", "measures/muc")
    True
    """
    name, mark, anchor = target.partition("#")
    page = "../" * gone.count("/") + f"{name}.html"
    return filled("forward.html", title=title, page=page, anchor=mark + anchor) + "\n"


def write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    for gone, target in FORWARDS.items():
        name = target.partition("#")[0]
        if gone in app.env.all_docs or name not in app.env.all_docs:
            raise ExtensionError(f"forwards.py: {gone} is still there, or {name} is not")
        title = app.env.titles[name].astext()
        Path(app.outdir, f"{gone}.html").write_text(forward(title, target, gone), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
