"""The command ``corefeval compare``."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval import cli
from corefeval.chance.runs import SHAPE, check_runs, hint
from corefeval.conventions import CHOICES, OF_FILES
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
    text = (
        "to be judged by it: two or more files, folders or patterns; beside --runs, systems of "
        "which there is one response"
    )
    command.add_argument("responses", metavar="A B", nargs="*", help=text)
    text = (
        "the name of a system and three or more runs of it, for each system that has runs; what "
        "has none comes before, right behind KEY"
    )
    shape = ("NAME", "FILE")
    command.add_argument("--runs", metavar=shape, nargs="+", action="append", help=text)
    cli.add_measures(command)
    cli.add_input(command, columns=("KEY", "A"), nargs="+")
    text = (
        "how many draws and how many swaps, 100 to 1048576 (default: 10000); if there are no more "
        "ways to swap, all are tried, and p is exact"
    )
    cli.add_draws(command, text)
    text = (
        "who is ahead by the rules of each scorer that explain asks, and by how much: would the "
        "winner change with the scorer?"
    )
    if cli.is_there("corefeval.analysis.explain"):
        command.add_argument("--every-scorer", action="store_true", help=text)
    cli.add_output(command, "markdown", "latex", "sentence", "json", "csv")


def run_compare(arguments: argparse.Namespace) -> str:
    """Compare responses to the same key."""
    if getattr(arguments, "every_scorer", False):
        return _by_every_scorer(arguments)
    from corefeval.chance.significance import RESAMPLES, compare_systems

    systems = _systems(arguments)
    reports = _reports(arguments, systems)
    draws = RESAMPLES if arguments.resamples is None else arguments.resamples
    comparison = compare_systems(reports, draws, seed=arguments.seed or 0)
    if arguments.format == "latex":
        return f"{comparison.to_latex([*comparison.pairs] if arguments.metric else ())}\n"
    if arguments.format == "sentence":
        return f"{comparison.sentence()}\n"
    pairs: dict[str, list[Any]] = {measure: [] for measure in comparison.pairs}
    for row in comparison.rows():
        pairs[str(row.pop("measure"))].append(row)
    content = {
        "signature": comparison.signature,
        "documents": int(parsed(comparison.signature)["documents"]),
        "systems": comparison.standings(),
        "pairs": pairs,
    }
    output = cli.in_format(arguments.format, comparison, content)
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


def _by_every_scorer(arguments: argparse.Namespace) -> str:
    """Say who is ahead by the rules of every scorer."""
    # By its name, as `cli.COMMANDS` has commands: a comparison by our rule needs nothing of it.
    leads = import_module("corefeval.chance.leads").leads
    for name in ("like", *CHOICES):
        if getattr(arguments, name) is not None:
            option = name.replace("_", "-")
            raise CorefError(f"--every-scorer asks each by its own rules: leave out --{option}")
    if arguments.runs:
        raise CorefError("--every-scorer takes one response of each system: leave out --runs")
    if arguments.format == "latex":
        raise CorefError("--every-scorer has no table for LaTeX, but a sentence for the paper")
    systems = _named(arguments)
    _refuse_twice(systems, [])
    paths = [", ".join([system.path, *system.columns[1:]]) for system in systems]
    names = short_names(paths)
    sides = [cli.key_and_response(arguments, system.path, system.columns) for system in systems]
    # A table has both sides.
    has_tables = sides[0][1] is None
    responses = [key if response is None else response for key, response in sides]
    chosen = cli.chosen_of(arguments, (*OF_FILES, "resamples", "seed"))
    by_scorer = leads(
        None if has_tables else arguments.key,
        dict(zip(names, responses, strict=True)),
        arguments.metric or "standard",
        **chosen,
    )
    if arguments.format == "sentence":
        return f"{by_scorer.summary} Signature: {by_scorer.short_signature}.\n"
    if arguments.format == "table":
        return cli.in_lines(by_scorer.summary, by_scorer.table(), by_scorer.notes())
    return cli.in_format(arguments.format, by_scorer, by_scorer.to_dict())


def short_names(paths: Sequence[str]) -> Sequence[str]:
    """What tells paths apart: without the folders, parts and endings that all of them share.

    >>> short_names(["runs/story.nearest.conll", "runs/story.same-head.conll"])
    ['nearest', 'same-head']
    """
    parts = [re.split(r"([/\\.]|, )", path) for path in paths]
    first, last = _shared(parts), _shared([of_path[::-1] for of_path in parts])
    names = ["".join(of_path[first : len(of_path) - last]) for of_path in parts]
    return names if all(names) else paths


def _shared(lists: Sequence[Sequence[str]]) -> int:
    """How many of their first texts all lists share."""
    return len([*takewhile(lambda texts: len({*texts}) == 1, zip(*lists, strict=False))])


def _report(arguments: argparse.Namespace, system: System) -> Report:
    """The report of a response; refusals say which it is."""
    sides = cli.key_and_response(arguments, system.path, system.columns)
    metrics = arguments.metric or "standard"
    try:
        return evaluate(*sides, metrics, **cli.chosen_of(arguments))
    except CorefError as error:
        if system.path in str(error):
            raise
        raise CorefError(f"{system.path}: {error}") from None


def _systems(arguments: argparse.Namespace) -> list[System]:
    """The responses that are to be compared."""
    systems = _named(arguments)
    if len(systems) == 2:  # both may be the same
        # In a table they are columns, below the line that was typed; the rest is kept without it.
        is_short = arguments.format in FOR_PEOPLE or systems[0].name == systems[1].name
        names = "AB" if is_short else [system.name for system in systems]
        return [system._replace(name=name) for name, system in zip(names, systems, strict=True)]
    _refuse_twice(systems, [name for name, *_ in arguments.runs or ()])
    return systems


def _named(arguments: argparse.Namespace) -> list[System]:
    """All responses, with the names of runs, of files or of columns."""
    systems = [System(path, path) for path in arguments.responses]
    for name, *files in arguments.runs or ():
        check_runs(name, files)
        systems += [System(name, file, is_run=True) for file in files]
    return _of_columns(systems, *arguments.columns) if arguments.columns else systems


def _of_columns(systems: Sequence[System], of_key: str, *columns: str) -> list[System]:
    """The responses in columns; those of one file have the columns in their names."""
    if len(columns) != len(systems):
        raise CorefError(
            f"{len(systems)} responses, and {len(columns)} columns for them: pass --columns KEY "
            "A B …, one for the key and one for each"
        )
    of_columns = []
    for system, column in zip(systems, columns, strict=True):
        name = system.name if system.is_run else f"{system.path}, {column}"
        of_columns.append(system._replace(name=name, columns=(of_key, column)))
    return of_columns


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
