"""What is downloaded alone: a chapter says in its first cell what it needs; the suite is a file.

The code of a chapter's evidence lies where the chapter links to it, in the notebook as on the page.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from corefbook.evidence.fold import file_of
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


SUITE = "conformance"
"""The folder of the conformance suite, and the name of the archive."""


def pack(folder: Path, archive: Path) -> None:
    """Write the files of a folder into an archive, the same bytes each time."""
    with ZipFile(archive, "w") as packed:
        for path in sorted(folder.iterdir()):
            if path.is_file():
                entry = ZipInfo(f"{folder.name}/{path.name}", (2026, 1, 1, 0, 0, 0))
                entry.external_attr = 0o644 << 16
                packed.writestr(entry, path.read_bytes(), ZIP_DEFLATED)


def write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir, "_sources").glob("*.ipynb")):
        chapter = noted(json.loads(path.read_text(encoding="utf-8")))
        text = json.dumps(chapter, ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
        copy = Path(app.outdir, file_of(path.stem))
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(app.srcdir, file_of(path.stem)), copy)
    pack(Path(app.srcdir).parent / "data" / SUITE, Path(app.outdir, f"{SUITE}.zip"))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
