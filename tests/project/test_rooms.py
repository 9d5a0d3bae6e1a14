"""Three rooms: the book imports corefbook, corefbook the library, never the other way."""

import ast
import re
from pathlib import Path

from rows import every_row

ROOT = Path(__file__).parents[2]
PAPERS = "|".join(path.stem for path in (ROOT / "data").glob("*.toml"))
BOOKS = {
    "corefbook": r"\bcorefbook\b",
    "a folder of data": r"""["'/]data["'/]""",
    "a file of data": rf"\b({PAPERS})\.toml\b",
    "the ledger": r"\bledger\b",
    "a page": r"\b(?!(arguments|errors)\.html)[\w-]+\.(ipynb|html)\b",
}
"""A page of the book; the anatomy's own page is a file of the library."""
LIBRARY = sorted((ROOT / "corefeval").rglob("*.py"))


@every_row("path", LIBRARY)
def test_the_library_knows_nothing_of_the_book(path):
    text = path.read_text("utf-8")
    assert [name for name, pattern in BOOKS.items() if re.search(pattern, text)] == []


BUILD = {path.stem for path in (ROOT / "book" / "_ext").glob("*.py")} | {"myst_nb", "sphinx"}
COREFBOOK = sorted((ROOT / "book" / "corefbook").rglob("*.py"))


def imported(path):
    """The first names of all that a module imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


@every_row("path", COREFBOOK)
def test_corefbook_knows_nothing_of_the_build(path):
    assert "ledger_pages" in BUILD and not BUILD & {*imported(path)}
