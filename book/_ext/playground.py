"""The playground: the library's own sources, run in the reader's browser.

``{playground} paper example`` writes the form, which begins with that example. Where npm did not
install the interpreter it writes that the playground was not built.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from companion import ledger
from companion.ledger import Example
from companion.playground import MOST_MENTIONS
from docutils import nodes
from jinja2 import Environment
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import corefeval
from corefeval.conventions import CHOICES

LIBRARY = Path(corefeval.__file__).parent
COMPANION = Path(ledger.__file__).parent
FOLDER = "playground"  # beside the book, and in its _static
PAGE_PARTS = ("page.js", "playground.css", "worker.mjs", "engine.mjs", "licences")
PYODIDE_PARTS = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
NOT_BUILT = (
    "The playground was not built: npm was absent when this book was made, or could not install "
    "the interpreter. With npm, make book builds it."
)


def pyodide(playground: Path) -> Path | None:
    """Where npm put the interpreter; None where any part is missing."""
    installed = playground / "node_modules" / "pyodide"
    return installed if all((installed / part).is_file() for part in PYODIDE_PARTS) else None


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
        found = [example for example in paper.examples.values() if can_be_shown(example)]
        if found:
            yield {
                "name": name,
                "short": paper.content["paper"]["short"],
                "conventions": paper.content.get("conventions", {}),
                "examples": found,
            }


def form(interpreter: Path, paper: str, example: str) -> str:
    """The form, with an example to begin with."""
    template = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    return (
        Environment(autoescape=True)
        .from_string(template)
        .render(
            papers=list(papers()),
            shown=[paper, example],
            choices=CHOICES,
            megabytes=round(
                sum((interpreter / part).stat().st_size for part in PYODIDE_PARTS) / 1e6
            ),
            static=f"_static/{FOLDER}",
        )
    )


def write_sources(target: Path) -> None:
    """The library and the companion as a zip, with the same bytes in every build."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for package in (LIBRARY, COMPANION):
            for path in sorted(package.rglob("*.py")):
                name = path.relative_to(package.parent).as_posix()
                archive.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)


class Playground(SphinxDirective):
    """The form, or that there is none."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        interpreter = pyodide(Path(self.env.srcdir).parent / FOLDER)
        if interpreter:
            return [nodes.raw("", form(interpreter, *self.arguments), format="html")]
        return [nodes.warning("", nodes.paragraph("", NOT_BUILT))]


def copy_files(app: Sphinx, error: Exception | None) -> None:
    source = Path(app.srcdir).parent / FOLDER
    interpreter = pyodide(source)
    if error or app.builder.format != "html" or not interpreter:
        return
    target = Path(app.outdir) / "_static" / FOLDER
    copy(source, PAGE_PARTS, target)
    copy(interpreter, PYODIDE_PARTS, target / "pyodide")
    write_sources(target / "corefeval.zip")


def copy(source: Path, parts: tuple[str, ...], target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for part in parts:
        if (source / part).is_dir():
            copytree(source / part, target / part, dirs_exist_ok=True)
        else:
            (target / part).write_bytes((source / part).read_bytes())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("playground", Playground)
    app.connect("build-finished", copy_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
