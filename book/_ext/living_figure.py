"""The moving figure: its data, written when the book is built, and its script on its pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from corefbook.pages import living
from sphinx.application import Sphinx

DATA = "living-data.js"
PLACE = '<div class="living"'


def write_data(app: Sphinx, error: Exception | None) -> None:
    """A classic script, because a page that is opened as a file may fetch nothing."""
    if not error and app.builder.format == "html":
        table = json.dumps(living.figure_data(), ensure_ascii=False, separators=(",", ":"))
        script = f"window.LIVING = {table};\n"
        Path(app.outdir, "_static", DATA).write_text(script, encoding="utf-8", newline="\n")


def add_script(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """The scripts run deferred, in this order, on pages that have the figure."""
    if PLACE in context.get("body", ""):
        for script in (DATA, "living.js"):
            app.add_js_file(script, loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", add_script)
    app.connect("build-finished", write_data)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
