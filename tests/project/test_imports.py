"""The library's modules import one another in one direction, imports within functions too."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

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


def imported(source: str, modules) -> set[str]:
    """The modules among these that a source imports anywhere, but for the sake of types alone."""
    tree = ast.parse(source)
    typing = typed_only(tree)
    found = set()
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
    return found & set(modules)


def test_there_is_no_circle():
    graph = {name: imported(source, SOURCES) for name, source in SOURCES.items()}
    # Where there is a circle, to sort is an error.
    assert {*TopologicalSorter(graph).static_order()} == {*SOURCES}
