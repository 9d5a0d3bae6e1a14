"""What `make size` counts: if it failed, an issue could say that code fell where it was moved."""

import importlib.util
import json
from pathlib import Path

SIZE = Path(__file__).parents[2] / "book" / "tools" / "size.py"
SPEC = importlib.util.spec_from_file_location("size_of_the_project", SIZE)
size = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(size)


def cell(kind, *lines):
    return {"cell_type": kind, "source": [f"{line}\n" for line in lines]}


def test_cells_evidence_and_runner_are_counted(tmp_path):
    cells = [
        cell("markdown", "# Not code"),
        cell("code", "# why", "one = 1", "", "two = 2"),
        cell("code", "one + two"),
    ]
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "made.ipynb").write_text(json.dumps({"cells": cells}))
    evidence = tmp_path / "book" / "corefbook" / "evidence"
    evidence.mkdir(parents=True)
    (evidence / "made.py").write_text("def held():\n    return Held()\n")
    (tmp_path / "data" / "conformance").mkdir(parents=True)
    (tmp_path / "data" / "conformance" / "run.py").write_text("one = 1\n\n# why\ntwo = 2\n")
    lines = dict(size.code(tmp_path))
    assert lines["chapters, their cells"] == 3
    assert lines["book/corefbook"] == lines["  evidence/"] == 2
    assert lines["data/conformance/run.py"] == 2
