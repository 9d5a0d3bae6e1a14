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
    told = "the columns with numbers, from left to right: 'MUC P, MUC R, MUC F1, average'"
    command.add_argument("--columns", metavar="NAMES", default="", help=told)


def run_table(arguments: argparse.Namespace) -> str:
    """Check the tables of a file."""
    from corefeval.published.check import report

    found = report(_text_of(arguments.file), arguments.columns)
    arguments.exit_code = int(not found.told.startswith("None"))
    return f"{found}\n"


def _text_of(file: str) -> str:
    """The text of a file; of standard input, if it is -."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise CorefError(f"{file}: cannot read it: {error.strerror}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CorefError(f"{file} is no text in UTF-8: save the table as one") from None
