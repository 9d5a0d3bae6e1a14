"""The command ``corefeval table``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corefeval import cli
from corefeval.errors import CorefError


def add_table(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval table``."""
    command.set_defaults(run=run_table)
    command.description = (
        "Check whether the numbers of printed tables can belong together: F1 with recall and "
        "precision, an average with what it is a mean of. Exit code 0 if they can, 1 if some "
        "cannot, 2 if nothing could be checked."
    )
    cli.show_usage(command, "FILE", "table.tex")
    command.add_argument(
        "file", metavar="FILE", help="LaTeX, Markdown, CSV or text; - for standard input"
    )
    what = "the columns with numbers, from left to right: 'MUC P, MUC R, MUC F1, average'"
    command.add_argument("--columns", metavar="NAMES", default="", help=what)
    what = "plain text, or Markdown for a review"
    command.add_argument("--format", choices=("text", "markdown"), default="text", help=what)


def run_table(arguments: argparse.Namespace) -> str:
    """Check the tables of a file; the exit code says whether something cannot be so."""
    from corefeval.published.report import in_markdown, in_text, reports

    checked = reports(text_of(arguments.file), arguments.columns)
    if all(report.table is None for report in checked):
        raise CorefError(f"{arguments.file}: {checked[0].headline}")
    if any(report.faults for report in checked):
        arguments.exit_code = 1
    elif not any(report.checks for report in checked):
        arguments.exit_code = 2
    form = in_markdown if arguments.format == "markdown" else in_text
    return f"{form(checked)}\n"


def text_of(file: str) -> str:
    """The text of a file; of standard input, if it is -."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise CorefError(f"{file}: cannot read it: {error.strerror}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CorefError(f"{file} is no text in UTF-8: save the table as one") from None
