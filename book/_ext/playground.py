"""The forms of pages, and what runs the library's own sources in the reader's browser.

``{form} module`` is a form whose HTML is Jinja in the page itself. Its words are the names of the
module of `corefbook.pages` that answers it, so that the first answer stands there already. Where
npm did not install the interpreter it says that nothing more can be asked here.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from shutil import copytree, which
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from corefbook import ledger
from corefbook.ledger import Example
from corefbook.pages.playground import MOST_MENTIONS
from corefbook.papers.published_tables import AVERAGED, rows_of
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from templates import filled, from_text

import corefeval
from corefeval.registry import MEASURES

LIBRARY = Path(corefeval.__file__).parent
COREFBOOK = Path(ledger.__file__).parents[1]
ROOT = ledger.DATA.parent
PACKED = ("py", "toml", "html", "css", "js")
"""How the names of files end that the library and corefbook read at run time."""
FOLDER = "playground"  # in the book, and in its _static
PAGE_PARTS = ("*.js", "*.mjs", "*.css", "licences")
"""What of the folder goes to the page; ``make playground`` copies the same scripts and styles."""
NOT_OF_THE_PAGE = "compile.mjs"
SAMPLES = ("key.conll", "a.conll")
"""The files of `data/examples/parts` that a visitor without files can try."""
SECOND = "b.conll"
"""A second response there."""
PYODIDE_PARTS = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)


def pyodide(playground: Path) -> Path | None:
    """Where npm put the interpreter; None where any part is missing."""
    installed = playground / "node_modules" / "pyodide"
    return installed if all((installed / part).is_file() for part in PYODIDE_PARTS) else None


def megabytes(interpreter: Path) -> int:
    """How many megabytes a browser loads of it."""
    return round(sum((interpreter / part).stat().st_size for part in PYODIDE_PARTS) / 1e6)


def can_be_shown(example: Example) -> bool:
    """Whether an example gives both sides, and of a size that the playground takes."""
    given = all({side, f"{side}_links"} & {*example.given} for side in ("key", "response"))
    return given and all(
        len(side.mentions) <= MOST_MENTIONS for side in (example.key, example.response)
    )


def papers() -> Iterator[dict[str, Any]]:
    """The papers' examples, and the conventions that each paper scores them with."""
    for name in ledger.papers():
        paper = ledger.load(name)
        examples = [example for example in paper.examples.values() if can_be_shown(example)]
        if examples and paper.examples_of == name:
            yield {
                "name": name,
                "short": paper.content["paper"]["short"],
                "conventions": paper.content.get("conventions", {}),
                "examples": examples,
            }


def result_tables() -> Iterator[dict[str, Any]]:
    """The printed rows of result tables, as the row checker takes them."""
    for name in ledger.papers():
        paper = ledger.load(name)
        if paper.content["paper"].get("spell_out") == "cells":
            rows = {row.name: printed_row(row) for row in rows_of(name)}
            yield {"name": name, "short": paper.content["paper"]["short"], "rows": rows}


def printed_row(row: Example) -> str:
    """A line for each measure, and one for the average."""
    lines = []
    for name in AVERAGED:
        cells = [row.given[f"{name}.{part}"] for part in ("recall", "precision", "f1")]
        lines.append(" ".join([MEASURES[name].title, *cells]))
    return "\n".join([*lines, f"average {row.given['average']}"])


def sample() -> dict[str, Any]:
    """The two files with which the page of two files begins, as it gives them to Python."""
    files = zip(("key", "response"), SAMPLES, strict=True)
    folder = ledger.DATA / "examples" / "parts"
    given: dict[str, Any] = {}
    for side, name in files:
        given |= {side: (folder / name).read_bytes(), f"{side}_name": name}
    return given


def write_sources(target: Path) -> None:
    """The library and corefbook as a zip, with the same bytes in every build."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for package in (LIBRARY, COREFBOOK):
            for path in sorted(each for end in PACKED for each in package.rglob(f"*.{end}")):
                add(archive, path.relative_to(ROOT).as_posix(), path)


def add(archive: ZipFile, name: str, path: Path) -> None:
    """Put a file into a zip without its date."""
    archive.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)


class Form(SphinxDirective):
    """A form that asks Python, which answers its first question while the book is built."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        module = import_module(f"corefbook.pages.{self.arguments[0]}")
        interpreter = pyodide(Path(self.env.srcdir) / FOLDER)
        about = {
            "module": self.arguments[0],
            "static": f"_static/{FOLDER}",
            "built": interpreter is not None,
            "megabytes": megabytes(interpreter) if interpreter else 0,
        }
        words = {"papers": papers, "result_tables": result_tables, "sample": sample}
        words |= {"MEASURES": MEASURES, "SECOND": SECOND} | vars(module) | about
        macro = "{% from 'status.html' import status, waits with context %}\n"
        fields = from_text(macro + "\n".join(self.content), **words)
        return [nodes.raw("", filled("form.html", fields=fields, **about), format="html")]


def page_parts(playground: Path) -> tuple[str, ...]:
    parts = {path.name for pattern in PAGE_PARTS for path in playground.glob(pattern)}
    return tuple(sorted(parts - {NOT_OF_THE_PAGE}))


def copy_files(app: Sphinx, error: Exception | None) -> None:
    source = Path(app.srcdir) / FOLDER
    interpreter = pyodide(source)
    if error or app.builder.format != "html" or not interpreter:
        return
    target = Path(app.outdir) / "_static" / FOLDER
    copy(source, page_parts(source), target)
    copy(ledger.DATA / "examples" / "parts", (*SAMPLES, SECOND), target)
    copy(interpreter, PYODIDE_PARTS, target / "pyodide")
    write_sources(target / "corefeval.zip")


def compile_sources(app: Sphinx, error: Exception | None) -> None:
    """Add their compiled form to the zips, which takes the interpreter itself."""
    zips = [*Path(app.outdir, "_static", FOLDER).glob("*.zip")]
    if not error and zips and which("node"):
        script = Path(app.srcdir) / FOLDER / "compile.mjs"
        subprocess.run(["node", str(script), "sources", *map(str, sorted(zips))], check=True)


def copy(source: Path, parts: tuple[str, ...], target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for part in parts:
        if (source / part).is_dir():
            copytree(source / part, target / part, dirs_exist_ok=True)
        else:
            (target / part).write_bytes((source / part).read_bytes())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("form", Form)
    app.connect("build-finished", copy_files)
    app.connect("build-finished", compile_sources, priority=700)  # after the chapters' zip
    return {"parallel_read_safe": True, "parallel_write_safe": True}
