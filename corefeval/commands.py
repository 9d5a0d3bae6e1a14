"""What the commands share: arguments, how they choose and write results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from corefeval.conventions import CHOICES, OF_FILES
from corefeval.display import Row, Table, in_csv, in_json, printable
from corefeval.errors import CorefError
from corefeval.labels import FILES_OF_LABELS
from corefeval.registry import MEASURES, SUITES
from corefeval.signature import short

SCORED = (*CHOICES, *OF_FILES, "like")
"""The options of `corefeval.evaluate`, which `corefeval.anatomy` has, too."""
KEY_HELP = "the right coreference: a file, a folder of such files, or a pattern like 'key/*.conll'"
RESPONSE_HELP = (
    "what is judged by it, likewise; not needed if KEY is a file of JSON lines whose documents "
    "have both clusters and predicted_clusters"
)

# What may be typed


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
    show_usage(command, "KEY [RESPONSE]", f"key.conll response.conll {example}".rstrip())
    command.add_argument("key", metavar="KEY", help=KEY_HELP)
    command.add_argument("response", metavar="RESPONSE", nargs="?", help=RESPONSE_HELP)


def add_input(
    command: argparse.ArgumentParser,
    conventions: bool = True,
    columns: tuple[str, ...] = ("KEY", "RESPONSE"),
    nargs: int | str = 2,
    like: bool = True,
) -> None:
    """Add the options that say what is in files, how it is read, and by which conventions."""
    if conventions and like:
        told = "score by the conventions of another scorer: 'corefeval scorers' names them"
        command.add_argument("--like", metavar="SCORER", help=told)
    told = "the columns of Parquet or CSV files that have the labels of entities"
    command.add_argument("--columns", metavar=columns, nargs=nargs, help=told)
    told = "the column of such files that names the document"
    command.add_argument("--document", metavar="COLUMN", help=told)
    told = "the column of such files that names the mention (default: mention)"
    command.add_argument("--id", metavar="COLUMN", help=told)
    for name, choices in ((CHOICES if conventions else {}) | OF_FILES).items():
        told = "\n".join(f"{choice}: {what}" for choice, what in choices.items())
        command.add_argument(option(name), metavar="CHOICE", choices=tuple(choices), help=told)


def add_draws(command: argparse.ArgumentParser, told: str) -> None:
    command.add_argument("--resamples", metavar="N", type=int, help=told)
    told = "another series of draws (default: 0)"
    command.add_argument("--seed", metavar="N", type=int, help=told)


def add_output(command: argparse.ArgumentParser, *formats: str) -> None:
    told = "numbers are percent in what is for people, in [0, 1] in json and csv"
    choices = ("table", *formats)
    command.add_argument("--format", choices=choices, default="table", help=told)


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
    if not arguments.key.lower().endswith(FILES_OF_LABELS):
        raise CorefError("--columns, --document and --id are for Parquet and CSV files")
    if arguments.id and response is None:
        raise CorefError("--id is for two files, which are joined on it: there is one")
    from corefeval.scale.pairing import of_files

    chosen = chosen_of(arguments, ("document", "id", "missing"))
    return of_files(arguments.key, response, columns, **chosen), None


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
    """Write a result that has rows as text: a table for people, or a format for machines."""
    if format == "json":
        return in_json(content)
    if format == "csv":
        return in_csv(list(found.rows()), found.signature)
    return f"{found.to_markdown() if format == 'markdown' else repr(found)}\n"


def save(path: str, content: str, inputs: Iterable[str | None]) -> None:
    """Write a file beside its place and put it there whole, so that an older one is not lost.

    Raises `CorefError` for a file that is an input, or in a folder that is one, and for what cannot
    be written.
    """
    target = os.path.realpath(path)
    try:
        if any(_holds(each, target) for each in inputs if each):
            raise CorefError(f"{path}: is what is scored; give the page another place")
        # A device or a pipe, such as /dev/stdout, is no file that could be replaced.
        if os.path.exists(target) and not os.path.isfile(target):
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
    except CorefError:
        raise
    except (OSError, ValueError) as error:  # ValueError: characters that no path has
        raise CorefError(f"{path}: cannot write it: {error}") from None


def _holds(path: str, file: str) -> bool:
    """Whether a path is that of a file, or of a folder that the file is in."""
    if not os.path.exists(path):
        return False
    if os.path.exists(file) and os.path.samefile(path, file):
        return True
    return file.startswith(os.path.join(os.path.realpath(path), ""))


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


def say(message: str) -> None:
    """Print a message in one line, whatever names of files and documents are a part of it."""
    print_error(f"corefeval: {printable(message)}")


def print_error(line: str) -> None:
    """Print a line to standard error; where that is closed or full, the result is not lost."""
    if sys.stderr is None:  # print would take standard output
        return
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
