"""The triangle that folds a part of the sidebar has a name for those who do not see it."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def name(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    generate = context.get("generate_toctree_html")
    if generate:

        def named(*arguments: Any, **options: Any) -> str:
            label = '<summary aria-label="Show or hide the pages of this part">'
            return str(generate(*arguments, **options)).replace("<summary>", label)

        context["generate_toctree_html"] = named


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", name, priority=900)  # after the theme, which adds the function
    return {"parallel_read_safe": True, "parallel_write_safe": True}
