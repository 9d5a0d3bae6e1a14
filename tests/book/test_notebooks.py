"""Every chapter is stored from one clean, complete run.

nbval compares a chapter with its own stored outputs, so a cell stored without a run passes it.
"""

import ast
import copy
import re

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from rows import every_row
from run_notebooks import execute, fold, normalise
from stored import BOOK, stored

CHAPTERS = sorted(
    p for p in BOOK.rglob("*.ipynb") if not {"_build", ".ipynb_checkpoints"} & {*p.parts}
)
LONGEST_CELL = 20
"""So many lines of 80 columns are read in one go; a folded cell may be longer."""
WIDEST_LINE = 80
FOLDED = {"hide-cell", "hide-input"}
ABSOLUTE_PATH = re.compile(
    r"(?<![\w.:/])/(?:home|root|tmp|usr|opt|var|work|mnt|Users|private)/|\b[A-Z]:\\\\?\w"
)


def ends_in_expression(source: str) -> bool:
    statements = ast.parse(TransformerManager().transform_cell(source)).body
    last = statements[-1] if statements else None
    return isinstance(last, ast.Expr)


def output_faults(cell: nbformat.NotebookNode) -> list[str]:
    """What is wrong with what a cell stores."""
    messages = []
    if any(output.output_type == "error" for output in cell.outputs):
        messages.append("stores an error")
    if any(output.get("name") == "stderr" for output in cell.outputs):
        messages.append("stores stderr")
    if ends_in_expression(cell.source) and not cell.outputs:
        messages.append("ends in an expression and stores no output")
    return messages


def source_faults(cell: nbformat.NotebookNode) -> list[str]:
    """What is wrong with how a cell is written."""
    messages = []
    # nbval runs cells without history, where the semicolon hides nothing.
    if cell.source.rstrip().endswith(";"):
        messages.append("ends in a semicolon; assign the value instead")
    if ABSOLUTE_PATH.search(cell.source + str(cell.outputs)):
        messages.append("holds an absolute path")
    lines = cell.source.splitlines()
    if len(lines) > LONGEST_CELL and not FOLDED & {*cell.metadata.get("tags", [])}:
        messages.append(f"longer than {LONGEST_CELL} lines")
    if any(len(line) > WIDEST_LINE for line in lines):
        messages.append(f"wider than {WIDEST_LINE} columns")
    return messages


def faults(notebook: nbformat.NotebookNode) -> list[str]:
    messages = []
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for position, cell in enumerate(cells, start=1):
        of_cell = output_faults(cell) + source_faults(cell)
        if cell.execution_count != position:
            of_cell.append(f"stored with count {cell.execution_count}")
        messages += [f"code cell {position}: {fault}" for fault in of_cell]
    if not cells:
        messages.append("no code cell")
    if normalise(copy.deepcopy(notebook)) != notebook:
        messages.append("not stored by `make notebooks`")
    return messages


def test_the_first_page_lists_the_chapters_in_order():
    _, listing = (BOOK / "index.md").read_text("utf-8").split("## All pages by part")
    listed = re.findall(r"\[([^\]]+)\]\(([\w-]+)\.ipynb\)", listing)
    contents = re.findall(r"- file: ([\w-]+)", (BOOK / "_toc.yml").read_text("utf-8"))
    chapters = [name for name in contents if (BOOK / f"{name}.ipynb").is_file()]
    assert [name for _, name in listed] == chapters
    assert sorted(chapters) == sorted(path.stem for path in CHAPTERS)
    for title, name in listed:
        first = stored(BOOK / f"{name}.ipynb").cells[0].source
        assert first.splitlines()[0] == f"# {title}"


@every_row("path", CHAPTERS)
def test_chapter_is_stored_from_one_clean_run(path):
    assert not faults(stored(path))


def chapter() -> nbformat.NotebookNode:
    """Two cells, as they look after a run."""
    new = nbformat.v4
    first = new.new_code_cell(
        "x = 1\nprint(x)", outputs=[new.new_output("stream", name="stdout", text="1\n")]
    )
    second = new.new_code_cell("x + 1", outputs=[shown("2")])
    return normalise(new.new_notebook(cells=[first, second]))


def shown(text: str) -> nbformat.NotebookNode:
    """What the second cell gives."""
    return nbformat.v4.new_output("execute_result", {"text/plain": text}, execution_count=2)


def test_guard_accepts_a_clean_run():
    assert faults(chapter()) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"execution_count": None}, "stored with count None"),
        ({"execution_count": 7}, "stored with count 7"),
        ({"outputs": []}, "stores no output"),
        ({"source": "%matplotlib inline\nx + 1", "outputs": []}, "stores no output"),
        ({"outputs": [nbformat.v4.new_output("error")]}, "stores an error"),
        ({"outputs": [nbformat.v4.new_output("stream", name="stderr")]}, "stores stderr"),
        ({"outputs": [shown("'/home/ada/x.py'")]}, "absolute path"),
        ({"outputs": [shown("C:\\Users\\ada")]}, "absolute path"),
        ({"source": "x + 1;"}, "ends in a semicolon"),
        ({"source": "open('/tmp/x')"}, "absolute path"),
        ({"source": "\n".join(["x = 1"] * 21)}, "longer than 20 lines"),
        ({"source": "x" * 81}, "wider than 80 columns"),
        ({"metadata": {"execution": {"started": "now"}}}, "make notebooks"),
        ({"metadata": {"tags": ["hide-cell"]}}, "make notebooks"),
    ],
)
def test_guard_refuses(change, fault):
    broken = chapter()
    broken.cells[1].update(change)
    assert any(fault in message for message in faults(broken))


def test_guard_refuses_a_chapter_without_code():
    assert "no code cell" in faults(normalise(nbformat.v4.new_notebook()))


# Folded cells


def folded(*tags: str, printed: str = "3 figures: all are equal\na 1\n") -> nbformat.NotebookNode:
    """A cell with these tags, as it is stored."""
    new = nbformat.v4
    stream = new.new_output("stream", name="stdout", text=printed)
    cell = new.new_code_cell("print(x)", outputs=[stream], metadata={"tags": [*tags]})
    return normalise(new.new_notebook(cells=[cell])).cells[0]


@pytest.mark.parametrize("tag", ["hide-cell", "hide-output"])
def test_evidence_and_long_tables_fold_to_one_line(tag):
    cell = folded(tag)
    assert cell.metadata.mystnb == {"code_prompt_show": "3 figures: all are equal"}
    assert cell.metadata.jupyter == {"source_hidden": True, "outputs_hidden": True}


def test_a_check_keeps_its_summary_in_jupyterlab():
    assert folded("hide-cell", printed="2 checks\n").metadata.jupyter == {"source_hidden": True}


def test_an_answer_does_not_give_itself_away():
    cell = folded("hide-cell", "answer")
    assert "figures" not in cell.metadata.mystnb.code_prompt_show
    assert cell.metadata.jupyter == {"source_hidden": True, "outputs_hidden": True}


def test_a_pictures_code_is_folded_without_the_picture():
    cell = folded("hide-input")
    assert cell.metadata.jupyter == {"source_hidden": True}
    assert "mystnb" not in cell.metadata


def test_a_cell_keeps_nothing_of_an_earlier_fold():
    cell = folded("hide-cell")
    cell.metadata.tags = ["hide-input"]
    fold(cell)
    assert cell.metadata == {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
    cell.metadata.tags = []
    fold(cell)
    assert cell.metadata == {"tags": []}


def test_a_folded_cell_without_a_summary_is_refused(tmp_path):
    new = nbformat.v4
    cell = new.new_code_cell("x = 1", metadata={"tags": ["hide-cell"]})
    with pytest.raises(RuntimeError, match="no line for what is in it"):
        execute(new.new_notebook(cells=[cell]), tmp_path)


def test_a_second_run_changes_nothing(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(1)\n{3, 1, 2}")])
    execute(notebook, tmp_path)
    first = copy.deepcopy(normalise(notebook))
    execute(notebook, tmp_path)
    assert faults(first) == []
    assert normalise(notebook) == first


@pytest.mark.proof
@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import sys; print('oh', file=sys.stderr)", "writes to stderr: oh"),
        ("class A:\n    def _repr_html_(self): return 1 / 0\nA()", "ZeroDivisionError"),
    ],
)
def test_the_runner_refuses(source, fault, tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    with pytest.raises(Exception, match=fault):
        execute(notebook, tmp_path)
