"""Pages that are generated: templates of Jinja in book/_templates/generated, filled with values.

Templates that end in .html escape their values as HTML. Those in .md are Markdown, in which the
filter ``plain`` shows a value as it is; a blank line too many means nothing there.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDER = Path(__file__).parents[1] / "_templates" / "generated"


def filled(template: str, **values: Any) -> str:
    """A template with its values; one that lacks a value is an error."""
    return _environment().get_template(template).render(values).strip()


def from_text(source: str, **values: Any) -> str:
    """A template of HTML that stands in a page."""
    return _environment().from_string(source).render(values).strip()


@cache
def _environment() -> Environment:
    made = Environment(
        autoescape=lambda name: name is None or name.endswith(".html"),
        loader=FileSystemLoader(FOLDER),
        # A line with nothing but a tag leaves no line, which would end a table in Markdown.
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"plain": plain, "capital": capital}
    return made


def plain(text: object) -> str:
    """The text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|~$^#])", r"\\\1", str(text))


def capital(text: str) -> str:
    """The text with a capital at its beginning, unless it begins in Greek."""
    first = text[0].upper() if text[0].isascii() else text[0]  # κ has no other form
    return first + text[1:]
