"""What the commands share: arguments, how they choose and write results.

All output is made before any is written, so that an error leaves nothing on standard output.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from corefeval.conventions import CHOICES, OF_FILES
from corefeval.corpus import evaluate
from corefeval.display import Row, Table, printable
from corefeval.errors import CorefError
from corefeval.given import check_tables, is_table
from corefeval.registry import MEASURES, SUITES
from corefeval.signature import short

if TYPE_CHECKING:
    from corefeval.report import Report

SCORED = (*CHOICES, *OF_FILES, "like", "empty_side")
"""The options of `corefeval.evaluate`, which `corefeval.anatomy` has, too."""

# What may be typed


KEY_HELP = (
    "the file with the right coreference; or a folder of such files, or a pattern like "
    "'key/*.conll'"
)
RESPONSE_HELP = (
    "the file to be judged by it, or a folder, or a pattern; not needed if KEY is a file of JSON "
    "lines whose documents have both clusters and predicted_clusters"
)


def show_usage(command: argparse.ArgumentParser, files: str, example: str) -> None:
    """Give the help of a command its first lines, without a list of the options below them."""
    command.usage = f"%(prog)s {files} [options]\n  e.g. %(prog)s {example}"


def add_measures(command: argparse.ArgumentParser, told: str = "") -> None:
    suites = ", ".join(f"{name} ({' '.join(names)})" for name, names in SUITES.items())
    every = (
        "a measure or a suite, or several, as muc,b3 (default: standard)\n"
        f"measures: {' '.join(MEASURES)}\nsuites: {suites}, all"
    )
    command.add_argument("--metric", metavar="NAME", action="append", help=told or every)


def add_key_and_response(command: argparse.ArgumentParser, example: str) -> None:
    show_usage(command, "KEY [RESPONSE]", f"key.conll response.conll {example}")
    command.add_argument("key", metavar="KEY", help=KEY_HELP)
    command.add_argument("response", metavar="RESPONSE", nargs="?", help=RESPONSE_HELP)


def add_input(
    command: argparse.ArgumentParser,
    conventions: bool = True,
    columns: tuple[str, ...] = ("KEY", "RESPONSE"),
    nargs: int | str = 2,
) -> None:
    """The options that say what is in files, how it is read, and by which conventions."""
    if conventions:
        command.add_argument(
            "--like",
            metavar="SCORER",
            help="score by the conventions of another scorer, measure by measure; 'corefeval "
            "explain' shows all of them",
        )
    command.add_argument(
        "--columns",
        metavar=columns,
        nargs=nargs,
        help="the columns of Parquet or CSV files that have the labels of entities",
    )
    command.add_argument(
        "--document",
        metavar="COLUMN",
        help="the column of such files that names the document",
    )
    command.add_argument(
        "--id",
        metavar="COLUMN",
        help="the column of such files that names the mention (default: mention)",
    )
    command.add_argument(
        "--empty-side",
        action="store_true",
        help="a side without any mention is meant: do not warn of it, nor refuse CoNLL-U that "
        "marks no mention",
    )
    # Said once, to keep the help short.
    told = "The first choice is the default; 'corefeval conventions NAME' says what each does."
    if conventions:
        _add_choices(command.add_argument_group("conventions", told), CHOICES)
    of_files = command.add_argument_group("reading files", None if conventions else told)
    _add_choices(of_files, OF_FILES)


def _add_choices(group: argparse._ArgumentGroup, options: Mapping[str, Iterable[str]]) -> None:
    for name, choices in options.items():
        group.add_argument(
            option(name),
            dest=name,
            metavar="CHOICE",
            choices=tuple(choices),
            help=", ".join(choices),
        )


def add_draws(command: argparse.ArgumentParser, told: str) -> None:
    command.add_argument("--resamples", metavar="N", type=int, help=told)
    command.add_argument(
        "--seed", metavar="N", type=int, help="another series of draws (default: 0)"
    )


def add_output(command: argparse.ArgumentParser, **formats: str) -> None:
    """The formats of a command beside the table, what each has, and whether progress is drawn."""
    told = {"table (default)": "in percent, for people", **formats}
    command.add_argument(
        "--format",
        choices=("table", *formats),
        default="table",
        help="\n".join(f"{name}: {what}" for name, what in told.items()),
    )
    command.add_argument(
        "--quiet",
        action="store_true",
        help="draw no progress of long work; only a terminal has it",
    )


def option(convention: str) -> str:
    return f"--{convention.replace('_', '-')}"


# What is scored


def sides(
    arguments: argparse.Namespace, response: str | None = None, columns: Sequence[str] | None = None
) -> tuple[Any, str | None]:
    """The key and a response as files; or their table, if options say how to read it."""
    if columns is None:
        response, columns = arguments.response, arguments.columns or ()
    if not (columns or arguments.document or arguments.id):
        return arguments.key, response
    check_tables(arguments.key, response)
    if not is_table(arguments.key):
        raise CorefError("--columns, --document and --id are for Parquet and CSV files")
    if arguments.id and response is None:
        raise CorefError("--id is for two files, which are joined on it: there is one")
    from corefeval.scale.pairing import of_files

    chosen = chosen_of(arguments, ("document", "id", "missing"))
    return of_files(arguments.key, response, columns, **chosen), None


def evaluated(arguments: argparse.Namespace, key: Any, response: str | None) -> Report:
    """The report of a key and a response by what the user typed."""
    metrics = arguments.metric or "standard"
    return evaluate(key, response, metrics, **chosen_of(arguments))


def chosen_of(arguments: argparse.Namespace, names: Iterable[str] = SCORED) -> dict[str, Any]:
    """What the user typed of these options; the library knows what the others are."""
    typed = vars(arguments)
    return {name: typed[name] for name in names if typed.get(name)}


# What is written


def formatted(
    format: str,
    rows: list[Row],
    table: Callable[[list[Row]], Table],
    signature: str,
    documents: int,
) -> str:
    """The rows as a table for people, or in a format for machines, which has doubles."""
    if format == "table":
        return f"{table(rows).text()}\n\n{short(signature)}\n"
    if format == "markdown":
        return f"{table(rows).markdown()}\n\n`{short(signature)}`\n"
    if format == "csv":
        return in_csv(rows, signature)
    content: dict[str, Any] = {"signature": signature, "documents": documents, "metrics": {}}
    for row in rows:
        document, measure = row.pop("document", None), row.pop("measure")
        if document is None:
            content["metrics"][measure] = row
        else:
            content.setdefault("per_document", {}).setdefault(document, {})[measure] = row
    return in_json(content)


def shown(format: str, found: Any, content: dict[str, Any]) -> str:
    """A result that has rows as a table for people, or in a format for machines."""
    if format == "json":
        return in_json(content)
    if format == "csv":
        return in_csv(list(found.rows()), found.signature)
    return f"{found.to_markdown() if format == 'markdown' else repr(found)}\n"


def in_json(content: Any) -> str:
    import json

    return json.dumps(content, indent=2, ensure_ascii=False, default=float) + "\n"


def in_csv(rows: list[Row], signature: str, columns: Sequence[str] | None = None) -> str:
    """The rows with doubles for fractions, and the signature in a column of its own."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, [*(columns or rows[-1]), "signature"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        cells = {k: float(n) if isinstance(n, Fraction) else n for k, n in row.items()}
        writer.writerow(cells | {"signature": signature})
    return text.getvalue()


def save(path: str, content: str, inputs: Iterable[str | None]) -> None:
    """Write a file beside its place and put it there whole, so that an older one is not lost.

    Raises `CorefError` for a file that is an input, and for what cannot be written.
    """
    try:
        target = os.path.realpath(path)
        if os.path.exists(target) and any(_holds(each, target) for each in inputs if each):
            raise CorefError(f"{path}: is what is scored; give the page another name")
        if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
            with open(target, "w", encoding="utf-8") as file:
                file.write(content)
            return
        beside = f"{target}.{os.getpid()}.tmp"
        try:
            with open(beside, "x", encoding="utf-8") as file:
                file.write(content)
            os.replace(beside, target)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(beside)
    except (OSError, ValueError) as error:  # ValueError: characters that no path has
        raise CorefError(f"{path}: cannot write it: {error}") from None


def _holds(path: str, file: str) -> bool:
    """Whether a path is that of a file, or of a folder that the file is in."""
    if not os.path.exists(path):
        return False
    folder = os.path.join(os.path.realpath(path), "")
    return os.path.samefile(path, file) or file.startswith(folder)


def write(output: str) -> None:
    """Print as UTF-8, whatever the locale; what cannot be written is an error."""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        sys.stdout.write(output)
        sys.stdout.flush()
    except OSError as error:
        if sys.stdout is not None:  # else Python would try once more on leaving, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise CorefError(f"cannot write the result: {error.strerror or error}") from None


def width() -> int:
    """How many columns the terminal has."""
    from shutil import get_terminal_size

    return get_terminal_size().columns


def say(message: str) -> None:
    """Print a message in one line, whatever names of files and documents are a part of it."""
    print_error(f"corefeval: {printable(message)}")


def print_error(line: str) -> None:
    """Print a line to standard error; where that is closed or full, the result is not lost."""
    if sys.stderr is None:  # print would take standard output
        return
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
