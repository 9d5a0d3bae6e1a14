"""Names in tables and messages: what is in a file can forge no line and send nothing to a terminal.

If one of these failed, a document's or a file's name could look like a score or move the cursor.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corefeval.display import Table, document_name, printable

ODD = ["a\nmuc  9 9 9", "\x1b[31mred", "b\rc", "\u202egnp.exe", "\x07\x00", "TOTAL", "plain é文"]


def test_names_of_documents_in_a_table(folder, run):
    lines = [json.dumps({"doc_key": name, "clusters": [[[0, 0], [1, 1]]]}) for name in ODD]
    Path("a.jsonl").write_text("\n".join(lines))
    output = run("score", "a.jsonl", "a.jsonl", "--metric", "muc", "--per-document")[1]
    table = output.split("\n\n")[0]
    _, *rows = table.splitlines()
    assert [row.partition(" muc ")[0].rstrip() for row in rows] == [
        r"a\nmuc  9 9 9", r"\x1b[31mred", r"b\rc", r"\u202egnp.exe", r"\x07\x00", "'TOTAL'",
        "plain é文", "TOTAL",
    ]  # fmt: skip
    assert table.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", ["\x1b[31m.conll", "a\r.conll", "a\nb.conll", "\u202e.conll"])
def test_names_of_files_in_messages(folder, run, name):
    for content in ("", "#begin document (d)\nw\t(8\nw\t8\nw\t8)\n#end document\n"):
        Path(name).write_text(content)
        code, output, errors = run("score", name, name)
        assert (code, bool(output)) == ((0, True) if content else (2, False))
        assert errors.startswith(
            f"corefeval: {'warning' if content else 'error'}: {printable(name)}"
        )
        assert errors.replace("\n", "").isprintable()
        assert errors.count("\n") == 1
    code, _, errors = run("score", name, name, name)
    assert code == 2 and " ".join([printable(name)] * 3) in errors
    assert errors.replace("\n", "").isprintable()


def test_a_document_called_total_is_no_total():
    names = [document_name(name) for name in (None, "TOTAL", " TOTAL", "'TOTAL'", "total", 7)]
    assert names == ["TOTAL", "'TOTAL'", "' TOTAL'", "'TOTAL'", "total", "7"]


def test_widths_are_those_of_what_is_shown():
    assert Table([["a\n", "1"], ["b", "22"]], right=1).text() == "a\\n   1\nb    22"
