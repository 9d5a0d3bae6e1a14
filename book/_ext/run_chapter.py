"""Every chapter can be run where it stands: a bar below its title.

The cells run in the reader's browser (playground/chapter.js), and their outputs are compared with
those of the chapter's own notebook. The browser has the standard library, IPython, corefeval and
the companion. Cells that need more, and those that need their names, are left out there; the bar
says so beforehand, because the imports are tried when the book is built. What a cell needs only in
the midst of a computation, such as NumPy for a large alignment, its tag names: "needs-numpy".
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib.metadata import PackagePath, distribution
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from companion.ledger import DATA
from IPython.core.inputtransformer2 import TransformerManager
from sphinx.application import Sphinx
from templates import filled

from playground import FOLDER, add, megabytes, pyodide

KERNEL = ("IPython", "traitlets", "pygments", "stack_data", "executing", "asttokens", "pure_eval")
"""IPython and those of its requirements that it needs to run a cell and to show an error."""
UNUSED = ("tests", "lexers", "terminal", "sphinxext")
"""Folders of theirs that it does not need for that."""

NEEDS = "needs-"

TRY = """
import sys
sys.path[:0] = sys.argv[1:]
try:
    exec(sys.stdin.read())
except ImportError as error:
    print((error.name or str(error)).partition(".")[0])
"""


def code(notebook: Path) -> list[dict[str, Any]]:
    """A chapter's code cells."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def imports(notebook: Path) -> str:
    """The import statements of all cells."""
    sources = ("".join(cell["source"]) for cell in code(notebook))
    trees = (ast.parse(TransformerManager().transform_cell(source)) for source in sources)
    return "\n".join(
        ast.unparse(node)
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and "IPython" not in ast.unparse(node)
    )


def tagged(notebook: Path) -> list[str]:
    """The packages that tags name."""
    tags = [tag for cell in code(notebook) for tag in cell["metadata"].get("tags", [])]
    return [tag.removeprefix(NEEDS) for tag in tags if tag.startswith(NEEDS)]


def missing(notebook: Path) -> str:
    """The first package that a chapter needs and the browser lacks; none if all of it runs there.

    The import statements are tried in an interpreter that has no installed packages.
    """
    if tagged(notebook):
        return tagged(notebook)[0]
    book = DATA.parent / "book"
    command = [sys.executable, "-I", "-S", "-c", TRY, str(book), str(DATA.parent)]
    done = subprocess.run(
        command, input=imports(notebook), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def bar(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the bar, or why there is none in this build, below the title."""
    notebook = Path(app.srcdir, f"{page}.ipynb")
    if not notebook.is_file():
        return
    interpreter = pyodide(Path(app.srcdir).parent / FOLDER)
    html = filled(
        "run_chapter.html",
        missing=missing(notebook),
        notebook=f"_sources/{context['sourcename']}",
        megabytes=interpreter and megabytes(interpreter),
        static=f"_static/{FOLDER}",
    )
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{html}", 1)


def parts(package: str) -> list[PackagePath]:
    """The files of an installed package that are needed, and its licences."""
    files = distribution(package).files or []
    return [
        file
        for file in files
        if (file.suffix in (".py", ".json") and not {*UNUSED} & {*file.parts})
        or "license" in file.name.lower()
    ]


def write_sources(target: Path) -> None:
    """IPython, the data and what was timed as a zip, with the same bytes in every build."""
    timed = (DATA.parent / "benchmarks" / name for name in ("results.json", "others.toml"))
    data = {path.relative_to(DATA.parent).as_posix(): path for path in (*DATA.rglob("*.*"), *timed)}
    kernel = {str(file): Path(str(file.locate())) for name in KERNEL for file in parts(name)}
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, path in sorted((data | kernel).items()):
            add(archive, name, path)


def write_archive(app: Sphinx, error: Exception | None) -> None:
    folder = Path(app.outdir) / "_static" / FOLDER
    if not error and folder.is_dir():
        write_sources(folder / "chapters.zip")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", bar)
    app.connect("build-finished", write_archive, priority=600)  # after the playground's
    return {"parallel_read_safe": True, "parallel_write_safe": True}
