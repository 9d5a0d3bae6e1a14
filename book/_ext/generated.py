"""Pages that say what the library, the data or the project's files say, and never type it again.

A line ``<!-- generated: name -->`` of a page is replaced by what the function of that name in
`PARTS` writes in Markdown; words behind the name are its arguments. A comment of HTML is not seen
where the page is read as it is, on a forge say.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import start_page
from sphinx.application import Sphinx

PARTS = {
    "front": start_page.front,
    "sentence": start_page.sentence,
    "changed-key": start_page.changed_key,
}


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    book = Path(app.srcdir)

    def written(mark: re.Match[str]) -> str:
        return PARTS[mark[1]](book)

    source[0] = re.sub(r"^<!-- generated: (.+) -->$", written, source[0], flags=re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
