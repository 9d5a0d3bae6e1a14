"""The lines of a chapter that define a measure from sets, with all that they call.

A chapter names and defines its helpers where it needs them. Here they stand together, in the
chapter's order, so that they can be copied and run: the functions, what they call, and the imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ledger_pages import cells
from sphinx.errors import ExtensionError


class Definition(NamedTuple):
    """A function of a chapter, or one imported name: where it stands, and its source."""

    cell: int
    name: str
    source: str
    uses: frozenset[str]


def lines(book: Path, chapter: str, names: str) -> str:
    """The source of the functions of these names and of all that they call.

    A name that is defined twice is that of the definition before its use; of ``names``, the first.
    """
    every = list(_definitions(book, chapter))
    wanted: list[Definition] = []
    for name in names.split():
        defining = [each for each in every if each.name == name]
        if not defining:
            raise ExtensionError(
                f"{chapter}: no cell defines {name}, which its measure's page shows"
            )
        _collect(defining[0], every, wanted)
    wanted.sort(key=every.index)
    imports = dict.fromkeys(each.source for each in wanted if not each.uses)
    functions = [each.source for each in wanted if each.uses]
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
        if kind != "code":
            continue
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                text = ast.get_source_segment(source, node) or ""
                yield Definition(i, node.name, text, frozenset(used))
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    text = ast.unparse(ast.ImportFrom(node.module, [name], 0))
                    yield Definition(i, name.asname or name.name, text, frozenset())
