"""Serve MathJax from the book itself, so that no page asks another site for anything."""

from importlib.util import find_spec
from pathlib import Path
from shutil import copytree

from sphinx.application import Sphinx

# All that tex-chtml.js may load: 2 of the 24 MB in the package.
PARTS = ("output/chtml/fonts", "input/tex/extensions")


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    # The package's folder has hyphens in its name, so it cannot be imported.
    package = find_spec("sphinx-mathjax-offline")
    source = Path(package.origin).parent / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    for part in PARTS:
        copytree(source / part, target / part, dirs_exist_ok=True)
    (target / "tex-chtml.js").write_bytes((source / "tex-chtml.js").read_bytes())
    # The package lacks the licence, which has to go with every copy.
    licence = Path(app.srcdir) / "playground" / "licences" / "Apache-2.0.txt"
    (target / "LICENSE.txt").write_bytes(licence.read_bytes())


def setup(app: Sphinx) -> dict[str, bool]:
    app.config.mathjax_path = "mathjax/tex-chtml.js"
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
