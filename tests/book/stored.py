"""Chapters as they are stored, and the names in their cells."""

import symtable
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
import pytest
import yaml
from test_book import ROOT

BOOK = ROOT / "book"
CHAPTERS = sorted(BOOK.glob("*.ipynb"))


def parts() -> Iterator[tuple[str, list[str]]]:
    """The numbered parts of the contents, in order: the others have pages, and no chapters."""
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    for part in contents["parts"]:
        if not part.get("numbered"):
            continue
        names = [each["file"] for each in part["chapters"]]
        yield part["caption"], [name for name in names if (BOOK / f"{name}.ipynb").is_file()]


@cache
def stored(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def code_cells(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in stored(path).cells if cell.cell_type == "code"]


def names(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell binds, and those that it uses."""
    table = symtable.symtable(source, "cell", "exec")
    binds = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    uses, tables = set(), [table]
    while tables:
        inner = tables.pop()
        of_cell = inner is table
        uses |= {s.get_name() for s in inner.get_symbols() if of_cell or s.is_global()}
        tables += inner.get_children()
    return binds, uses


def some_by_day(name: str, values, by_day, in_proof=None):
    """Call a test with each value; all but a few calls are left to the proof.

    If ``in_proof`` names those that the proof tries, the others are left to a release.
    """
    in_proof = values if in_proof is None else in_proof
    assert {*by_day, *in_proof} <= {*values}
    proof, release = pytest.mark.proof, pytest.mark.release
    others = [
        pytest.param(value, marks=proof if value in in_proof else release)
        for value in values
        if value not in by_day
    ]
    return pytest.mark.parametrize(name, [*by_day, *others])
