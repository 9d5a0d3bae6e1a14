"""Write the first page of `make lab`: the chapters in the book's order, each a link.

    contents.py FILE

JupyterLab shows no templates of the book, and its list of files has no order.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

BOOK = Path(__file__).parents[1]


def title(chapter: str) -> str:
    """The heading of a notebook's first cell."""
    notebook = json.loads((BOOK / f"{chapter}.ipynb").read_text("utf-8"))
    (first, *_) = "".join(notebook["cells"][0]["source"]).splitlines()
    return first.removeprefix("# ")


def chapters(entries: list[dict[str, Any]]) -> list[str]:
    """The notebooks among the entries of a table of contents, those below an entry included."""
    names = []
    for entry in entries:
        names += [entry["file"], *chapters(entry.get("sections", []))]
    return [name for name in names if (BOOK / f"{name}.ipynb").is_file()]


def contents(up: str) -> str:
    toc = yaml.safe_load((BOOK / "_toc.yml").read_text("utf-8"))
    lines = ["# The chapters, in order", ""]
    for part in toc["parts"]:
        links = [f"1. [{title(name)}]({up}{name}.ipynb)" for name in chapters(part["chapters"])]
        if links:
            lines += [f"## {part['caption']}", "", *links, ""]
    return "\n".join(lines)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(contents("../"), encoding="utf-8")
