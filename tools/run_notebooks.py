"""Run chapters from a fresh kernel and store their outputs so that a second run changes nothing.

python tools/run_notebooks.py book/muc.ipynb …
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


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Remove in place what differs between runs and machines; give the notebook back."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:  # each keeps its id, by which changes of two people are merged
        cell.metadata = NotebookNode({k: v for k, v in cell.metadata.items() if k == "tags"})
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, start=1):
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
    return notebook


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
