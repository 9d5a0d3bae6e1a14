"""The command ``corefeval compare``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval import cli
from corefeval.chance.runs import SHAPE, checked, hint
from corefeval.corpus import evaluate
from corefeval.errors import CorefError, InLines
from corefeval.signature import parsed

if TYPE_CHECKING:
    from corefeval.report import Report

FOR_PEOPLE = ("table", "markdown")


class System(NamedTuple):
    """A response to compare: what it is called, its path and the columns to read."""

    name: str
    path: str
    columns: Sequence[str] = ()
    is_run: bool = False
    """Whether it is one of several runs of that name."""


def add_compare(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval compare``."""
    command.set_defaults(run=run_compare)
    command.description = (
        "Compare the totals of two responses to a key, F1 or value: by how much that of B is "
        "higher, its 95% interval from random draws of documents, and p, how often a difference as "
        "large comes from swapping the responses' documents at random; p-values of several "
        "measures are not corrected for their number. Three or more have a row each, with 95% "
        "intervals and the numbers of those that they are better than: p below 0.05 after Holm's "
        "correction for all pairs. Runs of one system, as with several seeds, are no systems: give "
        "them behind --runs, and the mean of each system is compared, with draws of documents and "
        "of runs."
    )
    cli.show_usage(command, "KEY A B [C ...]", "key.conll a.conll b.conll")
    with_runs = "KEY [A ...] --runs NAME FILE FILE FILE ... [--runs ...]"
    command.usage = f"{command.usage}\n  or   %(prog)s {with_runs}"
    command.add_argument("key", metavar="KEY", help=cli.KEY_HELP)
    told = (
        "to be judged by it: two or more files, folders or patterns; beside --runs, systems of "
        "which there is one response"
    )
    command.add_argument("responses", metavar="A B", nargs="*", help=told)
    told = (
        "the name of a system and three or more runs of it, for each system that has runs; what "
        "has none comes before, right behind KEY"
    )
    shape = ("NAME", "FILE")
    command.add_argument("--runs", metavar=shape, nargs="+", action="append", help=told)
    cli.add_measures(command)
    cli.add_input(command, columns=("KEY", "A"), nargs="+")
    told = (
        "how many draws and how many swaps, 100 to 1048576 (default: 10000); if there are no more "
        "ways to swap, all are tried, and p is exact"
    )
    cli.add_draws(command, told)
    cli.add_output(command, "markdown", "latex", "sentence", "json", "csv")


def run_compare(arguments: argparse.Namespace) -> str:
    """Compare responses to the same key."""
    from corefeval.chance.significance import RESAMPLES, compare_systems

    systems = _systems(arguments)
    reports = _reports(arguments, systems)
    draws = RESAMPLES if arguments.resamples is None else arguments.resamples
    found = compare_systems(reports, draws, seed=arguments.seed or 0)
    if arguments.format == "latex":
        return f"{found.to_latex([*found.pairs] if arguments.metric else ())}\n"
    if arguments.format == "sentence":
        return f"{found.sentence()}\n"
    pairs: dict[str, list[Any]] = {measure: [] for measure in found.pairs}
    for row in found.rows():
        pairs[str(row.pop("measure"))].append(row)
    content = {
        "signature": found.signature,
        "documents": int(parsed(found.signature)["documents"]),
        "systems": found.standings(),
        "pairs": pairs,
    }
    output = cli.shown(arguments.format, found, content)
    line = hint([system.name for system in systems if not system.is_run])
    return f"{output}\n{line}\n" if line and arguments.format in FOR_PEOPLE else output


def _reports(
    arguments: argparse.Namespace, systems: Sequence[System]
) -> dict[str, Report | Sequence[Report]]:
    """The report of each system or, of one that has runs, theirs."""
    reports: dict[str, Report | Sequence[Report]] = {}
    runs: dict[str, list[Report]] = {}
    for system in systems:
        report = _report(arguments, system)
        if system.is_run:
            runs.setdefault(system.name, []).append(report)
        else:
            reports[system.name] = report
    return reports | runs


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
    systems = [System(path, path) for path in arguments.responses]
    runs = arguments.runs or ()
    for name, *files in runs:
        checked(name, files)
        systems += [System(name, file, is_run=True) for file in files]
    if arguments.columns:
        systems = _of_columns(systems, *arguments.columns)
    if len(systems) == 2:  # nothing is named then, and both may be the same
        return [each._replace(name=name) for name, each in zip("AB", systems, strict=True)]
    _refuse_twice(systems, [name for name, *_ in runs])
    return systems


def _of_columns(systems: Sequence[System], of_key: str, *columns: str) -> list[System]:
    """The responses in columns; those of one file have the columns in their names."""
    if len(columns) != len(systems):
        raise CorefError(
            f"{len(systems)} responses, and {len(columns)} columns for them: pass --columns KEY "
            "A B …, one for the key and one for each"
        )
    found = []
    for system, column in zip(systems, columns, strict=True):
        name = system.name if system.is_run else f"{system.path}, {column}"
        found.append(system._replace(name=name, columns=(of_key, column)))
    return found


def _refuse_twice(systems: Sequence[System], of_runs: Sequence[str]) -> None:
    """Refuse fewer than two systems, a response that is given twice, and names of two systems."""
    names = [*(system.name for system in systems if not system.is_run), *of_runs]
    if len(names) < 2:
        raise InLines([
            f"expected two systems or more, got {len(names)}: KEY A B, or KEY A {SHAPE}",
            "see 'corefeval compare --help'",
        ])  # fmt: skip
    first: dict[tuple[str, Sequence[str]], str] = {}
    for system in systems:
        name = f"{system.name}, {system.path}" if system.is_run else system.name
        response = os.path.realpath(system.path), system.columns
        if response in first:
            alias = "" if first[response] == name else f", also as {first[response]}"
            kind = "run" if system.is_run else "system"
            raise CorefError(f"{name} is given twice{alias}; expected a file for each {kind}")
        first[response] = name
    for name in of_runs:
        if names.count(name) > 1:
            raise CorefError(f"--runs {name}: two systems have this name; expected another")
