"""The library's modules import one another in one direction, in functions and for types, too."""

import ast
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

from corefeval.cli import COMMANDS

ROOT = Path(__file__).parents[2]
LIBRARY = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "corefeval").rglob("*.py"))
}
SOURCES = {name: path.read_text("utf-8") for name, path in LIBRARY.items()}


def typed_only(tree: ast.AST) -> set[int]:
    """The nodes that are there for the sake of types alone."""
    return {
        id(below)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for below in ast.walk(node)
    }


def imported_by(nodes: Iterable[ast.AST], modules) -> set[str]:
    """The modules among these that nodes import."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
    return found & set(modules)


def imported(source: str, modules) -> set[str]:
    """The modules among these that a source imports anywhere, but for the sake of types alone."""
    tree = ast.parse(source)
    typing = typed_only(tree)
    return imported_by((node for node in ast.walk(tree) if id(node) not in typing), modules)


def named(source: str, modules) -> set[str]:
    """The modules among these that a source imports anywhere, or has the names of as texts."""
    tree = ast.parse(source)
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return imported_by(ast.walk(tree), modules) | (texts & set(modules))


MODULES = {*SOURCES} - {"corefeval"}
"""All but the face, which none of them imports (`test_core`)."""
BACK = {
    # A part of the library may be deleted with its commands, which take from here what all share.
    "corefeval.cli": {module for module, _ in COMMANDS.values()} - {"corefeval.cli"},
    # Its file of data lies in that folder.
    "corefeval.readers.recipes": {"corefeval.readers"},
}
"""By module: those that import it, and of which it has the names alone, as texts."""


def test_there_is_no_circle():
    graph = {name: named(SOURCES[name], MODULES) - {name} for name in MODULES}
    for name, others in BACK.items():
        graph[name] -= others
    # Where there is a circle, to sort is an error.
    assert {*TopologicalSorter(graph).static_order()} == MODULES


def test_where_a_name_leads_back_nothing_is_imported():
    for name, others in BACK.items():
        assert not others & imported_by(ast.walk(ast.parse(SOURCES[name])), MODULES)
        assert [other for other in others if name not in imported(SOURCES[other], MODULES)] == []


def test_imports_for_types_and_texts_are_counted():
    source = "def late():\n    import a\nif TYPE_CHECKING:\n    from b import c\nimport_module('d')"
    assert imported(source, {"a", "b", "d"}) == {"a"}
    assert named(source, {"a", "b", "d"}) == {"a", "b", "d"}
