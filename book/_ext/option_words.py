"""Options in text, such as ``--html``, are marked, so that no line ends after their hyphens."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

OPTION = re.compile(r'<span class="pre">(?=--?[a-z])')


def mark(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if "body" in context:
        context["body"] = OPTION.sub('<span class="pre option">', context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
