"""The command ``corefeval compare``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corefeval import commands
from corefeval.errors import CorefError
from corefeval.signature import short

if TYPE_CHECKING:
    from corefeval.report import Report


def add_compare(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_compare)
    command.description = (
        "Compare the totals of two responses to a key, F1 or value: by how much that of B is "
        "higher, its 95% interval from random draws of documents, and p, how often a difference as "
        "large comes from swapping the responses' documents at random; p-values of several "
        "measures are not corrected for their number. Three or more have a row each, with 95% "
        "intervals and the letters of those that they are better than: p below 0.05 after Holm's "
        "correction for all pairs."
    )
    commands.show_usage(command, "KEY A B [C ...]", "key.conll a.conll b.conll --metric conll")
    command.add_argument("key", metavar="KEY", help=commands.KEY_HELP)
    command.add_argument("a", metavar="A", help="to be judged by it: a file, a folder, a pattern")
    command.add_argument("b", metavar="B", help="the file, folder or pattern to compare with A")
    more = "more to compare with them"
    others = command.add_argument("others", metavar="C", nargs="*", help=more)
    others.required = False  # Python 3.11 says that it is, where others are missing
    commands.add_measures(command)
    commands.add_input(command, columns=("KEY", "A"), nargs="+")
    commands.add_draws(
        command,
        "how many draws and how many swaps, 100 to 1000000 (default: 1000); if there are no "
        "more than N ways to swap, all are tried, and p is exact",
    )
    commands.add_output(
        command,
        json="values in [0, 1]; of three responses or more, every pair's p-value, too",
        csv="values in [0, 1], a row per measure, or per response and measure",
        markdown="the table, for a paper or a page",
    )


def run_compare(arguments: argparse.Namespace) -> str:
    """Compare two responses to the same key."""
    from corefeval.chance import significance

    reports = {
        name: commands.evaluated(arguments, *commands.sides(arguments, path, columns))
        for name, (path, columns) in _systems(arguments).items()
    }
    draws = 1000 if arguments.resamples is None else arguments.resamples
    if len(reports) > 2:
        return _compare_several(reports, draws, arguments)
    a, b = reports.values()
    found = significance.compare(a, b, draws, seed=arguments.seed or 0)
    rows = []
    for name, each in found.differences.items():
        row = {"measure": name, "part": each.part, "a": each.a, "b": each.b}
        rows.append(row | {"difference": each.difference, **each.interval._asdict(), "p": each.p})
    table, signature = found.table(), found.signature
    return commands.formatted(arguments.format, rows, lambda _: table, signature, len(a))


def _compare_several(reports: dict[Any, Report], draws: int, arguments: argparse.Namespace) -> str:
    """Compare more than two responses."""
    from corefeval.chance import systems

    found = systems.compare_systems(reports, draws, seed=arguments.seed or 0)
    if arguments.format == "json":
        return commands.in_json(systems.as_json(found, documents=len(next(iter(reports.values())))))
    if arguments.format == "csv":
        rows = systems.system_rows(found)
        for row in rows:
            row["better_than"] = "; ".join(row["better_than"])
        return commands.in_csv(rows, found.signature)
    if arguments.format == "markdown":
        return f"{found.to_markdown(intervals=True, better_than=True)}\n"
    return f"{found.table().text()}\n\n{systems.better(found)}\n\n{short(found.signature)}\n"


def _systems(arguments: argparse.Namespace) -> dict[Any, tuple[str, Sequence[str]]]:
    """The responses to compare by name: each with its path and the columns to read.

    Of two responses nothing is named, and both may be the same.
    """
    paths = [arguments.a, arguments.b, *arguments.others]
    systems: list[tuple[str, str, Sequence[str]]] = [(path, path, ()) for path in paths]
    if arguments.columns:
        of_key, *columns = arguments.columns
        if len(columns) != len(paths):
            raise CorefError(
                f"{len(paths)} responses and {len(columns)} columns for them; expected --columns "
                "KEY A B …, one for the key and one for each response"
            )
        pairs = zip(paths, columns, strict=True)
        systems = [(f"{path}, {column}", path, (of_key, column)) for path, column in pairs]
    if len(paths) == 2:
        return {number: system[1:] for number, system in enumerate(systems)}
    first: dict[tuple[str, Sequence[str]], str] = {}
    for name, path, pair in systems:
        system = os.path.realpath(path), pair
        if system in first:
            also = "" if first[system] == name else f", also as {first[system]}"
            raise CorefError(f"{name} is given twice{also}; expected a file for each system")
        first[system] = name
    return {name: (path, pair) for name, path, pair in systems}
