"""The library's modules import one another in one direction, imports within functions too."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

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


def order(sources) -> list[str]:
    """The modules, each after those that it imports; an error where there is a cycle."""
    graph = {name: imported(source, sources) for name, source in sources.items()}
    return list(TopologicalSorter(graph).static_order())


def test_there_is_no_cycle():
    assert set(order(SOURCES)) == set(SOURCES)


def test_types_make_no_cycle_either():
    everything = {
        name: source.replace("if TYPE_CHECKING:", "if True:") for name, source in SOURCES.items()
    }
    assert set(order(everything)) == set(SOURCES)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("corefeval.score", "from corefeval import metric"),
        ("corefeval.scale.arrays", "from corefeval.scale.engine import of_files"),
        ("corefeval.partition", "def f():\n    from corefeval.twinless import completed"),
        ("corefeval.errors", "import corefeval.cli"),
    ],
)
def test_a_cycle_is_noticed(module, line):
    with pytest.raises(CycleError):
        order(SOURCES | {module: f"{SOURCES[module]}\n{line}\n"})
