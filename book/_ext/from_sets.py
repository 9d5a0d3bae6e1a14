"""The lines of a chapter that define a measure from sets, with all that they call.

A chapter names and defines its helpers where it needs them. Here they stand together, in the
chapter's order, so that they can be copied and run: the functions, what they call, and the imports.
What a cell imports from the companion stands there whole, since nobody can install the companion.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ledger_pages import cells
from sphinx.errors import ExtensionError


class Definition(NamedTuple):
    """A function of a chapter, or one imported name: where it stands, and its source.

    ``uses`` are the names that a function reads and does not bind itself.
    """

    cell: int
    name: str
    source: str
    uses: frozenset[str]
    imported: bool = False


def lines(book: Path, chapter: str, names: str) -> str:
    """The source of the functions of these names and of all that they call.

    A name that is defined twice is that of the definition before its use; of ``names``, the first.
    """
    every = list(_definitions(book, chapter))
    wanted: list[Definition] = []
    for name in names.split():
        found = [each for each in every if each.name == name]
        if not found:
            raise ExtensionError(
                f"{chapter}: no cell defines {name}, which its measure's page shows"
            )
        _collect(found[0], every, wanted)
    wanted.sort(key=every.index)
    imports = dict.fromkeys(each.source for each in wanted if each.imported)
    functions = [each.source for each in wanted if not each.imported]
    return "\n".join(imports) + "\n" * bool(imports) * 2 + "\n\n".join(functions)


def _collect(one: Definition, every: list[Definition], wanted: list[Definition]) -> None:
    if one in wanted:
        return
    wanted.append(one)
    for name in sorted(one.uses - {one.name}):
        known = [each for each in every if each.name == name]
        before = [each for each in known if each.cell <= one.cell]
        if known:
            _collect(before[-1] if before else known[0], every, wanted)


def _definitions(book: Path, chapter: str) -> Iterator[Definition]:
    for i, (kind, source) in enumerate(cells(book, chapter)):
        if kind == "code":
            yield from _of_source(book, i, source)


def _of_source(book: Path, cell: int, source: str) -> Iterator[Definition]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            text = ast.get_source_segment(source, node) or ""
            yield Definition(cell, node.name, text, frozenset(_read(node)))
        elif isinstance(node, ast.ImportFrom) and node.module in SHOWN_WHOLE:
            module = book / f"{node.module.replace('.', '/')}.py"
            yield from _of_source(book, cell, module.read_text(encoding="utf-8"))
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                text = ast.unparse(ast.ImportFrom(node.module, [name], 0))
                yield Definition(cell, name.asname or name.name, text, frozenset(), imported=True)


SHOWN_WHOLE = ("companion.ratios",)


def _read(function: ast.AST) -> set[str]:
    """The names that it takes from elsewhere, at any depth."""
    names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
    bound = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    return {each.id for each in names} - bound
