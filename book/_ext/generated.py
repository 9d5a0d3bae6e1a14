"""Pages that say what the library, the data or the project's files say, and never type it again.

A line ``<!-- generated: name -->`` of a page is replaced by what the function of that name in
`PARTS` writes in Markdown; words behind the name are its arguments. A comment of HTML is not seen
where the page is read as it is, on a forge say.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import command_page
import ledger_pages
import paper_tables
import project_pages
import start_page
import suites_page
from sphinx.application import Sphinx

PARTS = {
    "ledger-counts": ledger_pages.counts,
    "ledger-bars": ledger_pages.bars,
    "ledger-summary": ledger_pages.summary,
    "ledger-figures": ledger_pages.figures,
    "ledger-left-out": ledger_pages.left_out,
    "ledger-unseen": ledger_pages.unseen,
    "verdicts": ledger_pages.verdicts,
    "command": command_page.command,
    "common-options": command_page.common_options,
    "command-conventions": command_page.conventions,
    "command-reading": command_page.reading,
    "front": start_page.front,
    "sentence": start_page.sentence,
    "changed-key": start_page.changed_key,
    "paper-tables": paper_tables.tables,
    "papers": paper_tables.papers,
    "citation": project_pages.citation,
    "citation-of-the-book": project_pages.book_citation,
    "citation-of-a-figure": project_pages.figure_citation,
    "measure-papers": project_pages.measure_papers,
    "addresses": project_pages.addresses,
    "versions": project_pages.versions,
    "changelog": project_pages.changelog,
    "suites": suites_page.page,
}


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    book = Path(app.srcdir)

    def written(mark: re.Match[str]) -> str:
        name, *arguments = mark[1].split()
        return PARTS[name](book, *arguments)

    source[0] = re.sub(r"^<!-- generated: (.+) -->$", written, source[0], flags=re.MULTILINE)


def write_downloads(app: Sphinx, error: Exception | None) -> None:
    if not error and app.builder.format == "html":
        for name, text in ledger_pages.downloads().items():
            Path(app.outdir, name).write_text(text, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", fill)
    app.connect("build-finished", write_downloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
