"""Every chapter can be run where it stands: a bar below its title.

The cells run in the reader's browser (book/playground/chapter.js), and their outputs are compared
with those of the chapter's own notebook. The browser has the standard library, IPython, corefeval
and corefbook. Cells that need more, and those that need their names, are left out there; the
bar says how many beforehand, because the imports are tried when the book is built. Where most cells
need more there is no button. What a cell needs only in the midst of a computation, such as NumPy
for a large alignment, its tag names: "needs-numpy".
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dis import get_instructions
from importlib.metadata import PackagePath, distribution
from pathlib import Path
from types import CodeType
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from corefbook.evidence.fold import file_of
from corefbook.ledger import DATA
from IPython.core.inputtransformer2 import TransformerManager
from playground import FOLDER, add, megabytes, pyodide
from sphinx.application import Sphinx
from templates import filled

KERNEL = ("IPython", "traitlets", "pygments", "stack_data", "executing", "asttokens", "pure_eval")
"""IPython and those of its requirements that it needs to run a cell and to show an error."""
UNUSED = ("tests", "lexers", "terminal", "sphinxext")
"""Folders of theirs that it does not need for that."""

NEEDS = "needs-"

TRY = """
import json, sys
sys.path[:0] = sys.argv[1:]
lacking = []
for source in json.load(sys.stdin):
    lacking.append("")
    try:
        exec(source)
    except ImportError as error:
        lacking[-1] = (error.name or str(error)).partition(".")[0]
print(json.dumps(lacking))
"""


def code(notebook: Path) -> list[dict[str, Any]]:
    """A chapter's code cells."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def tagged(notebook: Path) -> list[str]:
    """The packages that tags name."""
    return [package for cell in code(notebook) if (package := _tag(cell))]


def _tag(cell: dict[str, Any]) -> str:
    """The package that a cell's tag names."""
    tags = [tag for tag in cell["metadata"].get("tags", []) if tag.startswith(NEEDS)]
    return tags[0].removeprefix(NEEDS) if tags else ""


def _imports(statement: ast.stmt) -> str:
    """The import statements of a statement that are met when it is run."""
    return "\n".join(
        ast.unparse(node)
        for node in ast.walk(statement)
        if isinstance(node, ast.Import | ast.ImportFrom) and "IPython" not in ast.unparse(node)
    )


def _names(source: str) -> tuple[set[str], set[str]]:
    """The names that a statement gives a value, and those of others that it asks for.

    They are read off what Python compiles: `symtable` counts the names of a comprehension among
    those round it from Python 3.12 on, and not before.
    """
    whole = compile(source, "cell", "exec")
    given, asked, codes = set(), set(), [whole]
    while codes:
        code = codes.pop()
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        for step in get_instructions(code):
            if step.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
                asked.add(step.argval)
            elif step.opname == "STORE_NAME" and code is whole:
                given.add(step.argval)
    return given, asked


def written_out(call: str, file: Path) -> str:
    """What the last cell runs: the chapter's file of evidence, whose function takes names."""
    if not file.is_file():
        return call
    source = file.read_text(encoding="utf-8")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "held":
            taken = ", ".join(argument.arg for argument in statement.args.args)
            return f"{source}\n[{taken}]"
    raise ValueError(f"{file}: expected a function `held`")


def missing(notebook: Path) -> list[str]:
    """By cell, the package that it needs and the browser lacks; nothing for one that runs there.

    The import statements are tried in an interpreter that has no installed packages. A cell stops
    at the first statement that needs one of these, or a name that such a statement would give.
    """
    cells = code(notebook)
    sources = [TransformerManager().transform_cell("".join(cell["source"])) for cell in cells]
    sources[-1] = written_out(sources[-1], notebook.parent / file_of(notebook.stem))
    statements = [ast.parse(source).body for source in sources]
    book = DATA.parent / "book"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", TRY, str(book), str(DATA.parent)],
        input=json.dumps([_imports(each) for of_cell in statements for each in of_cell]),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    lacking = iter(json.loads(done.stdout))
    lost: dict[str, str] = {}
    packages = []
    for cell, of_cell in zip(cells, statements, strict=True):
        stopped = ""
        for statement in of_cell:
            given, asked = _names(ast.unparse(statement))
            of_names = next((lost[name] for name in sorted(asked & lost.keys())), "")
            package = next(lacking)
            # What a tag names is needed in the midst of a computation.
            computed = not isinstance(statement, ast.FunctionDef | ast.Import | ast.ImportFrom)
            stopped = stopped or package or of_names or (_tag(cell) if computed else "")
            for name in given:
                lost.pop(name, None)
            if stopped:
                lost |= dict.fromkeys(given, stopped)
        packages.append(stopped)
    return packages


def bar(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put the bar below the title, or why there is none below the first paragraph."""
    notebook = Path(app.srcdir, f"{page}.ipynb")
    if not notebook.is_file():
        return
    interpreter = pyodide(Path(app.srcdir) / FOLDER)
    html = filled(
        "run_chapter.html",
        missing=missing(notebook),
        notebook=f"_sources/{context['sourcename']}",
        megabytes=interpreter and megabytes(interpreter),
        static=f"_static/{FOLDER}",
    )
    # What the page cannot run comes after what the chapter found.
    end = "</p>" if "run-chapter-not" in html else "</h1>"
    context["body"] = context["body"].replace(end, f"{end}\n{html}", 1)


def needed_files(package: str) -> list[PackagePath]:
    """The files of an installed package that are needed, and its licences."""
    files = distribution(package).files or []
    return [
        file
        for file in files
        if (file.suffix in (".py", ".json") and not {*UNUSED} & {*file.parts})
        or "license" in file.name.lower()
    ]


def write_sources(target: Path) -> None:
    """IPython and the data as a zip, with the same bytes in every build."""
    data = {path.relative_to(DATA.parent).as_posix(): path for path in DATA.rglob("*.*")}
    kernel = {str(file): Path(str(file.locate())) for name in KERNEL for file in needed_files(name)}
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
