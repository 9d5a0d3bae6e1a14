"""The command ``corefeval``: scores a response, compares two, explains numbers, prices errors.

Exit code 0, or 2 for input that cannot be scored.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Container, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

from corefeval import commands
from corefeval._version import __version__
from corefeval.corpus import evaluate
from corefeval.display import Table, printable, score_rows, score_table
from corefeval.errors import CorefError, InLines, meant
from corefeval.registry import MEASURES

COMMANDS = {
    "score": ("corefeval.cli", "score a response against a key"),
    "compare": ("corefeval.chance.command", "compare two responses or more to the same key"),
    "explain": ("corefeval.analysis.command", "why other scorers print other numbers"),
    "anatomy": ("corefeval.analysis.command", "a response's errors, and what each costs"),
    "scorers": ("corefeval.cli", "the scorers that --like knows"),
}
"""The module that has each command, if it is there, and what the command is for."""
GONE = {
    "conventions": "the help of a command says what each choice does: corefeval score --help",
    "--by": "what each entity costs: corefeval anatomy KEY RESPONSE --format csv",
    "--empty-side": "leave it out: a side without mentions is scored, with a warning",
    "--quiet": "leave it out: a bar is drawn on a terminal alone; without it: 2> /dev/null",
    "--repairs": "what each entity costs: corefeval anatomy KEY RESPONSE",
}
"""What earlier versions had, and what to type instead."""
FOR_PAPER = ("latex", "sentence")
"""Formats for a paper, which have the totals alone."""
OF_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's own; returns the exit code."""
    typed = sys.argv[1:] if argv is None else argv
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_: commands.say(f"warning: {message}")
        try:
            return _run(typed)
        except CorefError as error:
            _say_error(error)
        except SystemExit as done:  # --help and --version have printed
            return int(done.code or 0)
        except MemoryError:
            commands.say("error: there is not enough memory for these files")
        except BrokenPipeError:  # as in `corefeval score … | head -1`: nobody reads on
            return 141
        except KeyboardInterrupt:
            return 130
    return 2


def _run(typed: Sequence[str]) -> int:
    """Run the command that was typed, or print the help of all."""
    if not MEASURES:
        raise CorefError(
            "another distribution has put its files into "
            f"{os.path.dirname(os.path.abspath(__file__))}, or taken some away: coreference-eval "
            "installs a package that is called corefeval, too. Uninstall both, then install this "
            "one again, in an environment of its own"
        )
    parser = _parser(typed)
    arguments = parser.parse_args(typed)
    if "run" not in arguments:
        # Nothing was done, which a script should notice.
        commands.print_error(parser.format_help().rstrip())
        return 2
    _refuse_closed_input(arguments)
    # All output is made before any is written, so that an error leaves nothing there.
    commands.write(arguments.run(arguments))
    return 0


def _say_error(error: CorefError) -> None:
    """Print what is wrong; lines to type are printed as they are typed."""
    lines = error.lines if isinstance(error, InLines) else [str(error)]
    commands.say(f"error: {lines[0]}")
    for line in lines[1:]:
        commands.print_error(printable(line))


def _refuse_closed_input(arguments: argparse.Namespace) -> None:
    """Refuse to read a standard input that is closed: the next file opened would be it."""
    if sys.stdin is not None:
        return
    for given in vars(arguments).values():
        for path in given if isinstance(given, list) else [given]:
            if path in OF_INPUT:
                raise CorefError(f"{path}: standard input is closed")


# The commands that are here


def run_score(arguments: argparse.Namespace) -> str:
    """Score a response against a key."""
    if arguments.seed is not None and arguments.resamples is None:
        raise CorefError("--seed without --resamples: without draws there is nothing to seed")
    key, response = commands.sides(arguments)
    chosen = commands.chosen_of(arguments)
    report = evaluate(key, response, arguments.metric or "standard", **chosen)
    if arguments.format in FOR_PAPER:
        if arguments.per_document or arguments.resamples is not None:
            raise CorefError(
                f"--format {arguments.format} is of the totals alone: leave out --per-document "
                "and --resamples"
            )
        if arguments.format == "latex":
            return f"{report.to_latex(measures=report.total if arguments.metric else ())}\n"
        return f"{report.sentence()}\n"
    found: Any = None
    if arguments.resamples is not None:
        from corefeval.chance.significance import bootstrap

        found = bootstrap(report, arguments.resamples, seed=arguments.seed or 0)
    documents = report.documents if arguments.per_document else {}
    rows = list(score_rows(report.total, documents, found.intervals if found else {}))
    signature = (found or report).signature
    return commands.formatted(arguments.format, rows, score_table, signature, len(report))


def add_score(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_score)
    command.description = (
        "Score a response against a key: files of CoNLL-2012, JSON lines or CorefUD, which are "
        "told apart by what is in them, or folders of such files, whose documents are paired by "
        "their names; what gzip compressed is unpacked. Two Parquet or CSV files with a row per "
        "mention are joined on their column 'mention'; or one of them has the labels of both sides "
        "in the --columns KEY RESPONSE."
    )
    commands.add_key_and_response(command, "--singletons drop")
    commands.add_measures(command)
    commands.add_input(command)
    told = "the score of each document, then the total"
    command.add_argument("--per-document", action="store_true", help=told)
    commands.add_draws(
        command, "with 95%% intervals, from N draws (100 to 1048576) of as many documents"
    )
    commands.add_output(command, "markdown", "latex", "sentence", "json", "csv")


def run_scorers(arguments: argparse.Namespace) -> str:
    """Name the scorers that ``--like`` takes."""
    from corefeval.scorers.bundles import bundles

    lines = [["name", "scorer", "version", "otherwise than the defaults"]]
    for name, bundle in bundles().items():
        if bundle.measures:
            lines.append([name, bundle.scorer, bundle.version, bundle.otherwise])
    return f"{Table(lines).text()}\n"


def add_scorers(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_scorers)
    command.description = (
        "The names of --like, of which state of which scorer each is, and what it does otherwise "
        "than the defaults, by measure where it does so for some alone; the help of score says "
        "what each choice is."
    )


# What the user may type


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the library, and whose help is written like a result."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse all arguments: an unknown one is an error of this command, not of the one above."""
        parsed, unknown = super().parse_known_args(args, namespace)
        options = [each.partition("=")[0] for each in unknown if each.startswith("-")]
        if options:
            self.error(f"{options[0]}: {self._told_of(options[0])}")
        places = self._get_positional_actions()
        if unknown and places:
            unknown = _placed(parsed, places[-1], unknown)
        if unknown:
            taken = filter(None, [getattr(parsed, each.dest) for each in places])
            self.error(_told_of_files([*taken, *unknown], len(places)))
        return parsed, unknown

    def _told_of(self, option: str) -> str:
        if option in GONE:
            return f"there is no such option any more; {GONE[option]}"
        known = [name for name in self._option_string_actions if name.startswith("--")]
        return f"there is no such option; {meant(option, known)}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value in GONE:
            self.error(f"{value}: there is no such command any more; {GONE[value]}")
        super()._check_value(action, value)

    def _print_message(self, message: str, file: object = None) -> None:
        commands.write(message)

    def error(self, message: str) -> NoReturn:
        raise InLines([message, f"see '{self.prog} --help'"])


def _placed(parsed: argparse.Namespace, last: argparse.Action, files: list[str]) -> list[str]:
    """Give the last place of a command the files behind an option; return what has no place.

    Some versions of Python leave them over if the last place may stay empty, as RESPONSE may.
    """
    if last.nargs == "*":
        setattr(parsed, last.dest, [*getattr(parsed, last.dest), *files])
        return []
    if last.nargs == "?" and getattr(parsed, last.dest) is None:
        setattr(parsed, last.dest, files[0])
        return files[1:]
    return files


def _told_of_files(files: Sequence[str], expected: int) -> str:
    """What is said of more files than are expected: a key and a response, or none."""
    if not expected:
        return f"{files[0]}: expected no file"
    if len(files) == 3:
        line = f"corefeval compare {' '.join(files)}"
        return f"3 files, expected KEY and RESPONSE; did you mean '{line}'?"
    return (
        f"{len(files)} files, from {files[0]} to {files[-1]}, expected KEY and RESPONSE: did the "
        "shell make them of a pattern? Name the folders, or put a pattern in quotation marks"
    )


class _Help(argparse.HelpFormatter):
    """Keeps the line breaks of an option's help."""

    def __init__(self, prog: str) -> None:
        # Otherwise the terminal would be asked for its width at every option that is added.
        super().__init__(prog, width=80)

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = text.splitlines()
        return [part for line in lines for part in super(_Help, self)._split_lines(line, width)]


def _parser(typed: Container[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of all commands that are there; of those that were ``typed`` with arguments."""
    parser = _Parser(
        prog="corefeval",
        description="Coreference evaluation whose measures are their papers' formulas.",
        epilog="For a start: 'corefeval score KEY RESPONSE'. 'corefeval COMMAND --help' has the "
        "options of each command.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    added = parser.add_subparsers(
        title="commands", metavar="COMMAND", prog="corefeval", parser_class=_Parser
    )
    for name, (module, told) in COMMANDS.items():
        if _is_there(module):
            command = added.add_parser(name, help=told)
            if name in typed:
                getattr(import_module(module), f"add_{name}")(command)
    return parser


def _is_there(module: str) -> bool:
    """Whether the folder of a module is; one that was deleted may leave an empty one behind."""
    folder = find_spec(module.rpartition(".")[0])
    return folder is not None and folder.origin is not None
