"""Scores leave as floats, so whatever compares them must ask for the exact parts.

Two floats that should be equal may differ in the last digit, and a comparison is then false without
a word: a figure of a paper would be said not to be reproduced.
"""

import ast
import json
from pathlib import Path

import pytest
from rows import every_row

ROOT = Path(__file__).parents[2]
PARTS = {"recall", "precision", "f1", "value"}
EXACT = {"exact", "counts", "tables"}
NO_SCORES = {
    "baldwin1998.py": {"_muc(after)", "_muc(before)"},  # counts
    "test_baldwin1998.py": {"expected"},  # fractions from sets
    "test_terms.py": {"each"},  # terms of a sum
    "test_explain.py": {"each"},  # printed numbers
    "test_systems.py": {"alone['muc']", "alone['kappa']"},  # intervals
    "test_significance.py": {"found", "intervals.intervals['b3']"},  # intervals
    "test_shown.py": {"score", "other"},  # the floats themselves
    "test_chapters.py": {"node"},  # a syntax tree
}
FILES = [
    *sorted((ROOT / "book").glob("*.ipynb")),
    *sorted((ROOT / "book" / "corefbook").rglob("*.py")),
    *sorted((ROOT / "tests").rglob("*.py")),
]


def sources(path):
    text = path.read_text("utf-8")
    if path.suffix != ".ipynb":
        return [text]
    cells = json.loads(text)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def compared(node):
    """The numbers that an expression compares: itself, or what it collects or reckons with."""
    yield node
    # What a function makes of a number is another number, a rounded one, say.
    if not isinstance(node, ast.Call | ast.Attribute | ast.Subscript | ast.Compare):
        for inner in ast.iter_child_nodes(node):
            yield from compared(inner)


def equated(source):
    """The owners of parts that are compared by == or !=, and not asked for as exact ones."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and {ast.Eq, ast.NotEq} & {*map(type, node.ops)}:
            parts = [part for side in (node.left, *node.comparators) for part in compared(side)]
            owners = [each.value for each in parts if getattr(each, "attr", "") in PARTS]
            yield from (ast.unparse(owner) for owner in owners if last_name(owner) not in EXACT)


def last_name(owner):
    return getattr(owner, "attr", None) or getattr(owner, "id", "")


@every_row("path", FILES)
def test_no_float_of_a_score_is_compared(path):
    assert {*equated("\n".join(sources(path)))} <= NO_SCORES.get(path.name, set())


@pytest.mark.parametrize(
    "code",
    ["score.f1 == Fraction(2, 3)", "a['b3'].f1 != b['b3'].f1", "1 - score.recall == lost",
     "[s.value for s in found] == wanted", "(score.recall, 1) == (1, 1)",
     "metric('b3')(key, response).f1 == 1 < 2"],
)  # fmt: skip
def test_such_a_comparison_is_found(code):
    assert [*equated(code)]


@pytest.mark.parametrize(
    "code",
    ["score.exact.f1 == Fraction(2, 3)", "t.counts.recall == Tally(1, 2)", "score.f1 > 0.5",
     "percent(score.f1) == '66.67'", "score == other", "score.exact[:2] == (1, 1)"],
)  # fmt: skip
def test_other_comparisons_are_let_pass(code):
    assert not [*equated(code)]
