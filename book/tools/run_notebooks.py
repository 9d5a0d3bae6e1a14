"""Run chapters from a fresh kernel and store their outputs so that a second run changes nothing.

python book/tools/run_notebooks.py book/muc.ipynb …

A folded cell is one line until it is opened. Its tag says what is folded: "hide-input" the code
of a picture or a table, which stays in sight; "hide-cell" evidence, whose line is the first that
it prints; "hide-output" a long table, likewise; "hide-cell" with "answer" the answer to an
exercise. The book's builder takes the line from the cell's ``mystnb.code_prompt_show``, JupyterLab
folds what ``jupyter`` says; both are written here.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from tqdm.contrib.concurrent import process_map

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3", "file_extension": ".py"},
}
KEPT = ("tags", "mystnb", "jupyter")
"""What a cell's metadata may say; the rest is of the program that edited it."""
ANSWER = "Answer, in code"
EVIDENCE = {"hide-cell", "hide-output"}
"""Tags of cells whose output is folded."""


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Remove in place what differs between runs and machines; give the notebook back.

    A cell keeps its id when others come and go, so that chapters can be merged by cells.
    """
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in KEPT if key in cell.metadata}
        cell.metadata = NotebookNode(kept)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, start=1):
        cell.execution_count = number
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number
        fold(cell)
    return notebook


def fold(cell: NotebookNode) -> None:
    """Write into a folded cell's metadata what stands in its place, and nothing into others'."""
    for of_folds in ("mystnb", "jupyter"):
        cell.metadata.pop(of_folds, None)
    tags = cell.metadata.get("tags", [])
    if EVIDENCE & {*tags}:
        summary = ANSWER if "answer" in tags else first_line(cell)
        cell.metadata.mystnb = NotebookNode(code_prompt_show=summary)
        cell.metadata.jupyter = NotebookNode(source_hidden=True)
        # A check that is its own summary is read in JupyterLab, too.
        if "answer" in tags or first_text(cell).strip() != summary:
            cell.metadata.jupyter.outputs_hidden = True
    elif "hide-input" in tags:
        cell.metadata.jupyter = NotebookNode(source_hidden=True)


def first_text(cell: NotebookNode) -> str:
    """The first output of a cell as plain text."""
    first = cell.outputs[0] if cell.outputs else NotebookNode()
    return str(first.get("text") or first.get("data", {}).get("text/plain", ""))


def first_line(cell: NotebookNode) -> str:
    return first_text(cell).strip().partition("\n")[0]


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run in place; a cell that raises or writes to stderr is an error."""
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=600,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    for position, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                raise RuntimeError(f"cell {position} writes to stderr: {output.text}")
            # What fails while a value is shown stops no cell.
            if output.output_type == "error":
                raise RuntimeError(f"cell {position} fails: {output.ename}: {output.evalue}")
        tags = cell.metadata.get("tags", [])
        if EVIDENCE & {*tags} and "answer" not in tags and not first_line(cell):
            raise RuntimeError(f"cell {position} is folded, and prints no line for what is in it")


def run(path: Path) -> str:
    """The reason why the chapter could not be stored, or nothing."""
    notebook = nbformat.read(path, as_version=4)
    try:
        execute(notebook, path.parent)
    except Exception as error:
        return f"{path}: {error}"
    nbformat.write(normalise(notebook), path)
    return ""


def main(paths: list[str]) -> int:
    # Sets and hashes in one order; no colours, frozen modules or debugger notes in the outputs.
    os.environ |= {"PYTHONHASHSEED": "0", "PYDEVD_DISABLE_FILE_VALIDATION": "1", "NO_COLOR": "1"}
    os.environ["COREFEVAL_BOOK"] = "strict"  # nothing is stored that has moved
    workers = min(len(paths), os.cpu_count() or 1)
    faults = process_map(
        run, map(Path, paths), max_workers=workers, total=len(paths), unit="chapter"
    )
    print(*filter(None, faults), sep="\n", end="", file=sys.stderr)
    return any(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
