"""A script is loaded by the pages that use it, and once.

Jupyter Book adds every script of ``_static`` to every page, and Sphinx gives MathJax to the pages
above one with a formula as well.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

MARKS = {
    "mathjax": 'class="math',
    "living": '<div class="living"',
    "ledger.js": 'id="ledger-tools"',
    "clipboard": '<div class="highlight',
    "copybutton": '<div class="highlight',
    "design-tabs": "sd-tab-set",
    "toggle": "dropdown admonition",
}
"""A part of a script's name or text, and what a page has that uses it."""
ONLY_ON = {"search.js": "search"}


def used(script: Any, page: str, body: str) -> bool:
    script_text = f"{script.filename} {script.attributes.get('body', '')}".lower()
    marks = [mark for part, mark in MARKS.items() if part in script_text]
    pages = [name for part, name in ONLY_ON.items() if part in script_text]
    return all(mark in body for mark in marks) and all(name == page for name in pages)


def keep_used(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    body = context.get("body", "")
    kept: dict[str, Any] = {}
    for script in context["script_files"]:
        if used(script, page, body):
            name = script.filename or script.attributes["body"]
            # A page may ask for a script once more, in its own way and after others: that holds.
            kept.pop(name, None)
            kept[name] = script
    # Sphinx gives the same list to every page, and puts back what was taken out of it.
    context["script_files"][:] = kept.values()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", keep_used, priority=900)  # after those that add scripts
    return {"parallel_read_safe": True, "parallel_write_safe": True}
