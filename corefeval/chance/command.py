"""The command ``corefeval compare``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval import cli
from corefeval.corpus import evaluate
from corefeval.errors import CorefError

if TYPE_CHECKING:
    from corefeval.report import Report


class System(NamedTuple):
    """A response to compare: what it is called, its path and the columns to read."""

    name: str
    path: str
    columns: Sequence[str] = ()


def add_compare(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval compare``."""
    command.set_defaults(run=run_compare)
    command.description = (
        "Compare the totals of two responses to a key, F1 or value: by how much that of B is "
        "higher, its 95% interval from random draws of documents, and p, how often a difference as "
        "large comes from swapping the responses' documents at random; p-values of several "
        "measures are not corrected for their number. Three or more have a row each, with 95% "
        "intervals and the numbers of those that they are better than: p below 0.05 after Holm's "
        "correction for all pairs."
    )
    cli.show_usage(command, "KEY A B [C ...]", "key.conll a.conll b.conll")
    command.add_argument("key", metavar="KEY", help=cli.KEY_HELP)
    command.add_argument("a", metavar="A", help="to be judged by it: a file, a folder, a pattern")
    command.add_argument("b", metavar="B", help="the file, folder or pattern to compare with A")
    more = "more to compare with them"
    others = command.add_argument("others", metavar="C", nargs="*", help=more)
    others.required = False  # Python 3.11 says that it is, where others are missing
    cli.add_measures(command)
    cli.add_input(command, columns=("KEY", "A"), nargs="+")
    told = (
        "how many draws and how many swaps, 100 to 1048576 (default: 10000); if there are no more "
        "ways to swap, all are tried, and p is exact"
    )
    cli.add_draws(command, told)
    cli.add_output(command, "markdown", "latex", "json", "csv")


def run_compare(arguments: argparse.Namespace) -> str:
    """Compare responses to the same key."""
    from corefeval.chance.significance import RESAMPLES, compare_systems

    reports = {system.name: _report(arguments, system) for system in _systems(arguments)}
    draws = RESAMPLES if arguments.resamples is None else arguments.resamples
    found = compare_systems(reports, draws, seed=arguments.seed or 0)
    if arguments.format == "latex":
        return f"{found.to_latex([*found.pairs] if arguments.metric else ())}\n"
    pairs: dict[str, list[Any]] = {measure: [] for measure in found.pairs}
    for row in found.rows():
        pairs[str(row.pop("measure"))].append(row)
    content = {
        "signature": found.signature,
        "documents": len(next(iter(reports.values()))),
        "systems": found.standings(),
        "pairs": pairs,
    }
    return cli.shown(arguments.format, found, content)


def _report(arguments: argparse.Namespace, system: System) -> Report:
    """The report of a response; refusals say which it is."""
    sides = cli.sides(arguments, system.path, system.columns)
    metrics = arguments.metric or "standard"
    try:
        return evaluate(*sides, metrics, **cli.chosen_of(arguments))
    except CorefError as error:
        if system.path in str(error):
            raise
        raise CorefError(f"{system.path}: {error}") from None


def _systems(arguments: argparse.Namespace) -> list[System]:
    """The responses that are to be compared."""
    paths = [arguments.a, arguments.b, *arguments.others]
    systems = [System(path, path) for path in paths]
    if arguments.columns:
        of_key, *columns = arguments.columns
        if len(columns) != len(paths):
            raise CorefError(
                f"{len(paths)} responses, and {len(columns)} columns for them: pass --columns KEY "
                "A B …, one for the key and one for each"
            )
        systems = [
            System(f"{path}, {column}", path, (of_key, column))
            for path, column in zip(paths, columns, strict=True)
        ]
    if len(systems) == 2:  # nothing is named then, and both may be the same
        return [each._replace(name=name) for name, each in zip("AB", systems, strict=True)]
    first: dict[tuple[str, Sequence[str]], str] = {}
    for name, path, columns in systems:
        system = os.path.realpath(path), columns
        if system in first:
            alias = "" if first[system] == name else f", also as {first[system]}"
            raise CorefError(f"{name} is given twice{alias}; expected a file for each system")
        first[system] = name
    return systems
