"""A chapter that is downloaded alone says in its first cell what it needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

NOTE = """\
*This notebook imports `corefeval` and `corefbook`. `corefbook` is a folder of the book and is not \
on the index of packages, where another project has the name. To run the notebook, open it in a \
checkout of corefeval: `make lab`, or `pip install -r book/requirements.txt -e .` and then \
`jupyter lab book`.*"""


def noted(chapter: dict[str, Any]) -> dict[str, Any]:
    """The chapter with the note as its first cell.

    >>> [cell["id"] for cell in noted({"cells": [{"id": "thesis"}]})["cells"]]
    ['what-it-needs', 'thesis']
    """
    cell = {"cell_type": "markdown", "id": "what-it-needs", "metadata": {}, "source": NOTE}
    return chapter | {"cells": [cell, *chapter["cells"]]}


def write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir, "_sources").glob("*.ipynb")):
        chapter = noted(json.loads(path.read_text(encoding="utf-8")))
        text = json.dumps(chapter, ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
