"""A paper's table in a chapter is made of the cells above it.

If a table took its values from elsewhere, a reader could change a key or a formula, run the chapter
again and still see every tick. The chapter would have shown that our scorer is right, and nothing
of the code that it teaches. So each row here changes one thing above a table, runs the chapter down
to the table, and wants ticks to fall.
"""

import copy
from typing import NamedTuple

import nbformat
import pytest
from nbclient import NotebookClient
from rows import every_row
from stored import BOOK, CHAPTERS, code_cells, stored


class Change(NamedTuple):
    """A text above a table, what is written in its place, and how the table's caption begins."""

    chapter: str
    old: str
    new: str
    caption: str


BY_DAY = Change("muc", '"row 5": ("A-B B-C", "A-C")', '"row 5": ("A-B B-C", "A-B B-C")', "Table 1,")
LARGER = "Examples with more complexity,"
FIGURE_6 = "Figure 6 of the paper,"
BY_ENTITY = "Our B-CUBED Algorithm, every entity alike,"
LUO = "Luo's F1, as neleval quotes it,"
EIGHT = "F1 of eight systems,"
WALK = "The walk-through's scores,"
TABLE_3 = "Table 3 († a lost text),"
TABLE_4 = "Table 4 († a lost text),"

CHANGES = [
    BY_DAY,
    Change("muc", "return shared + alone", "return shared", "Table 1,"),
    Change("muc", '"A-B B-C D-E E-F G-H H-I"', '"B-C C-D D-E"', LARGER),
    Change("muc", '"A-B C-D F-G G-H"', '"A-B B-C F-G G-H"', LARGER),
    Change("muc", "sum(len(entity) - 1 for", "sum(len(entity) for", LARGER),
    Change("b-cubed", '{6 7} {8 9 A B C}"\nfirst', '{6 7 8} {9 A B C}"\nfirst', FIGURE_6),
    Change("b-cubed", "sum(recall) / len(recall)", "min(recall) / 2", FIGURE_6),
    Change("b-cubed", '{6 7} {8 9 A B C}"\nfirst', '{6 7 8} {9 A B C}"\nfirst', BY_ENTITY),
    Change("b-cubed", "len(side) * len(s)", "sum(map(len, side))", BY_ENTITY),
    Change("ceaf", 'key = "{1 2 3 4 5} {6 7}', 'key = "{1 2 3 4} {5 6 7}', LUO),
    Change("ceaf", "return len(k & r)", "return len(k & r) ** 2", LUO),
    Change("blanc", '"C": "{66} {67} {68}"', '"C": "{66} {67 68}"', EIGHT),
    Change("blanc", '65} {66 67 68} {69 70}"', '65} {66 67} {68 69 70}"', EIGHT),
    Change("blanc", "sum(parts) / len(classes)", "min(parts)", EIGHT),
    Change("walk-through", "{a b} {c d} {f g h i}", "{a b} {c} {d f g h i}", WALK),
    Change("walk-through", "Fraction(len(s & o), len(s))", "Fraction(1, len(s))", WALK),
    Change("tables", '"{1 2 3 4 5} {6 7 8 9 10}"', '"{1 2 3 4} {5 6 7 8 9 10}"', TABLE_3),
    Change("tables", '"RS"] = score.recall', '"RS"] = score.precision', TABLE_3),
    Change("tables", "{13 14 15 16 17}", "{13 14 15} {16 17}", TABLE_4),
    Change("tables", "2 * r * p / (r + p)", "(r + p) / 2", TABLE_4),
    Change("tables", "Fraction(chance, links**2)", "Fraction(1, 2)", TABLE_4),
]


def text(cell: nbformat.NotebookNode) -> str:
    """What a cell shows, as plain text."""
    return "".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    )


def ticks(cell: nbformat.NotebookNode) -> int:
    """How many cells of a table are equal to what is printed; its caption says it once more."""
    _, _, rows = text(cell).partition("\n")
    return rows.count(" ✓")


def down_to(notebook: nbformat.NotebookNode, caption: str) -> nbformat.NotebookNode:
    """The code of a notebook down to the cell that shows the table."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    (at,) = (i for i, cell in enumerate(code) if text(cell).startswith(caption))
    return nbformat.v4.new_notebook(cells=copy.deepcopy(code[: at + 1]))


def before_and_after(notebook: nbformat.NotebookNode, change: Change) -> tuple[int, int]:
    """The ticks of the table as it is stored, and when the chapter is run with the change."""
    changed = down_to(notebook, change.caption)
    stored_ticks = ticks(changed.cells[-1])
    (cell,) = (each for each in changed.cells if change.old in each.source)
    cell.source = cell.source.replace(change.old, change.new)
    NotebookClient(
        changed, kernel_name="python3", timeout=600, resources={"metadata": {"path": str(BOOK)}}
    ).execute()
    assert text(changed.cells[-1]).startswith(change.caption)
    return stored_ticks, ticks(changed.cells[-1])


def of_chapter(change: Change) -> tuple[int, int]:
    return before_and_after(stored(BOOK / f"{change.chapter}.ipynb"), change)


def test_ticks_fall_with_a_key_of_the_paper_of_muc():
    before, after = of_chapter(BY_DAY)
    assert (before, after) == (10, 8)


@pytest.mark.proof
@every_row("change", CHANGES)
def test_ticks_fall_with_a_key_and_with_a_formula(change):
    before, after = of_chapter(change)
    assert after < before


@pytest.mark.proof
def test_a_table_that_comes_from_elsewhere_keeps_its_ticks():
    table = "print('Table 9, printed\\n1/2 ✓')"
    cells = [nbformat.v4.new_code_cell(source) for source in ("key = 1", table)]
    cells[-1].outputs = [nbformat.v4.new_output("stream", text="Table 9, printed\n1/2 ✓\n")]
    made = nbformat.v4.new_notebook(cells=cells)
    assert before_and_after(made, Change("", "key = 1", "key = 2", "Table 9,")) == (1, 1)


@every_row("path", CHAPTERS)
def test_each_table_of_a_chapters_own_values_is_tried(path):
    captions = tuple(change.caption for change in CHANGES if change.chapter == path.stem)
    shown = [text(each) for each in code_cells(path) if "ledger.as_printed(" in each.source]
    assert [each.partition("\n")[0] for each in shown if not each.startswith(captions)] == []
