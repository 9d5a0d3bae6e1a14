"""The command ``corefeval``: scores a response, compares two, explains numbers, prices errors.

Exit code 0, or 2 for input that cannot be scored.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Container, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

import corefeval
from corefeval import commands
from corefeval._version import __version__
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.display import printable, score_rows, score_table
from corefeval.errors import Convertible, CorefError, FaultyFiles
from corefeval.progress import drawing

COMMANDS = {
    "score": ("corefeval.cli", "score a response against a key"),
    "compare": ("corefeval.chance.command", "compare two responses to the same key"),
    "explain": ("corefeval.analysis.command", "why other scorers print other numbers"),
    "anatomy": ("corefeval.analysis.command", "a response's errors, and what each costs"),
    "conventions": ("corefeval.cli", "what may be chosen, and what it does"),
}
"""The module that has each command, if it is there, and what the command is for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's own; returns the exit code."""
    typed = sys.argv[1:] if argv is None else argv
    parser = _parser(typed)
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            _refuse_other_package()
            arguments = parser.parse_args(typed)
            _refuse_closed_input(arguments)
            if "run" in arguments:
                # Somebody looks at a terminal; a stream may be closed.
                with drawing(not arguments.quiet and bool(sys.stderr and sys.stderr.isatty())):
                    output = arguments.run(arguments)
                commands.write(output)
                return 0
            commands.print_error(parser.format_help().rstrip())
        except CorefError as error:
            _say_error(error)
            if isinstance(error, _Misused):
                commands.say(f"see '{error.command} --help'")
        except SystemExit as done:  # --help and --version have printed
            return int(done.code or 0)
        except MemoryError:
            commands.say("error: there is not enough memory for these files")
        except BrokenPipeError:  # as in `corefeval score … | head -1`: nobody reads on
            return 141
        except KeyboardInterrupt:
            return 130
    return 2


def _say_error(error: CorefError) -> None:
    """Print what is wrong: of several files a line each, and lines to type as they are typed."""
    if isinstance(error, FaultyFiles):
        for told in error.lines:
            commands.say(f"error: {told}")
    elif isinstance(error, Convertible):
        first, *lines = error.lines
        commands.say(f"error: {first}")
        for line in lines:
            commands.print_error(printable(line))
    else:
        commands.say(f"error: {error}")


def _refuse_other_package() -> None:
    """Notice that another distribution has put its files in the place of some of ours."""
    if not hasattr(corefeval, "evaluate"):
        folder = os.path.dirname(os.path.abspath(__file__))
        raise CorefError(
            f"another distribution has put its files into {folder}, or taken some away: "
            "coreference-eval installs a package that is called corefeval, too. Uninstall both, "
            "then install this one again, in an environment of its own"
        )


def _refuse_closed_input(arguments: argparse.Namespace) -> None:
    """Refuse to read a standard input that is closed: the next file opened would be it."""
    if sys.stdin is not None:
        return
    for given in vars(arguments).values():
        for path in given if isinstance(given, list) else [given]:
            if path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
                raise CorefError(f"{path}: standard input is closed")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    commands.say(f"warning: {message}")


# The commands that are here


def run_score(arguments: argparse.Namespace) -> str:
    """Score a response against a key."""
    if arguments.seed is not None and arguments.resamples is None:
        raise CorefError("--seed without --resamples: without draws there is nothing to seed")
    key, response = commands.sides(arguments)
    if arguments.by:
        return _by(arguments, key, response)
    report = commands.evaluated(arguments, key, response)
    found = None
    if arguments.resamples is not None:
        from corefeval.chance.significance import bootstrap

        found = bootstrap(report, arguments.resamples, seed=arguments.seed or 0)
    documents = report.documents if arguments.per_document else {}
    rows = list(score_rows(report.total, documents, found.intervals if found else {}))
    signature = (found or report).signature
    return commands.formatted(arguments.format, rows, score_table, signature, len(report))


def _by(arguments: argparse.Namespace, key: Any, response: str | None) -> str:
    """Recall and precision by what entities are."""
    for name in ("per_document", "resamples"):
        if getattr(arguments, name):
            raise CorefError(f"--by has the total alone: leave out {commands.option(name)}")
    metrics = {"metrics": arguments.metric} if arguments.metric else {}
    chosen = commands.chosen_of(arguments)
    found = corefeval.anatomy(key, response, **metrics, **chosen).by(arguments.by)
    content = {"signature": found.signature, "by": found.by, "metrics": found.to_dict()}
    return commands.shown(arguments.format, found, content)


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
    command.add_argument(
        "--per-document",
        action="store_true",
        help="the score of each document, then the total",
    )
    command.add_argument(
        "--by",
        choices=["size", "etype"],
        help="recall by the size (1, 2, 3–5, 6+ mentions) or the etype (CorefUD files) of the "
        "key's entities, precision by that of the response's, and the points that each loses",
    )
    commands.add_draws(
        command,
        "with 95%% intervals, from N draws (100 to 1000000) of as many documents as there are",
    )
    commands.add_output(
        command,
        markdown="the table, to paste",
        json="values in [0, 1], counts as exact fractions",
        csv="the same, a row per document and measure; the document of a total is empty",
    )


def run_conventions(arguments: argparse.Namespace) -> str:
    """Say what each choice does."""
    from textwrap import fill

    width = max(commands.width() - 2, 20)
    told, told_of = [], CHOICES | OF_FILES
    for name in [arguments.name] if arguments.name else told_of:
        lines = [f"{commands.option(name)} CHOICE"]
        for number, (choice, what) in enumerate(told_of[name].items()):
            text = f"{choice}{'' if number else ' (default)'}: {what}"
            lines.append(fill(text, width, initial_indent="  ", subsequent_indent="      "))
        told.append("\n".join(lines))
    return "\n\n".join(told) + "\n"


def add_conventions(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_conventions, quiet=True)
    command.description = (
        "Say what each choice of a convention does, or of an option for reading files; without a "
        "name, of all."
    )
    told = f"{', '.join(CHOICES)}; for reading files {', '.join(OF_FILES)}"
    names = (*CHOICES, *OF_FILES)
    command.add_argument("name", metavar="NAME", nargs="?", choices=names, help=told)


# What the user may type


class _Misused(CorefError):
    """Arguments that the command does not know."""

    def __init__(self, message: str, command: str) -> None:
        super().__init__(message)
        self.command = command


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the library, and whose help is written like a result."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse all arguments: an unknown one is an error of this command, not of the one above."""
        parsed, unknown = super().parse_known_args(args, namespace)
        options = [each.partition("=")[0] for each in unknown if each.startswith("-")]
        if unknown and not options and "response" in parsed:
            self.error(_too_many_files([parsed.key, parsed.response, *unknown]))
        if unknown:
            hints = [_meant(each, self._option_string_actions) for each in options]
            hint = next(filter(None, hints), "")
            self.error(f"unrecognized arguments: {_few(unknown)}{hint}")
        return parsed, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of an argument's choices; argparse names all of them alone."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            hint = _meant(str(value), choices)
            if value == "latex":
                hint = "; in Python, the result's to_frame().to_latex() writes it"
            told = f"invalid choice: {value!r}{hint}"
            raise argparse.ArgumentError(action, f"{told} (choose from {', '.join(choices)})")

    def _print_message(self, message: str, file: object = None) -> None:
        commands.write(message)

    def error(self, message: str) -> NoReturn:
        raise _Misused(message, self.prog)


def _few(typed: Sequence[str]) -> str:
    """The first of many arguments.

    >>> _few(["a", "b"]), _few([*"abcdefg"])
    ('a b', 'a b c d … (7 in all)')
    """
    return " ".join(typed) if len(typed) <= 4 else f"{' '.join(typed[:4])} … ({len(typed)} in all)"


def _too_many_files(files: Sequence[str]) -> str:
    """What is said of more files than a key and a response."""
    if len(files) == 3:
        compared = f"corefeval compare {' '.join(files)}"
        return f"3 files, expected KEY and RESPONSE; did you mean '{compared}'?"
    return (
        f"{len(files)} files, from {files[0]} to {files[-1]}, expected KEY and RESPONSE: did the "
        "shell make them of a pattern? Name the folders, or put a pattern in quotation marks; "
        "'corefeval compare KEY A B ...' takes several responses"
    )


def _meant(typed: str, names: Iterable[str]) -> str:
    """A question after the name that was perhaps meant; nothing if none is similar.

    >>> _meant("scor", ["score", "compare"]), _meant("--met", ["--match", "--metric"])
    ('; did you mean score?', '; did you mean --metric?')
    >>> _meant("-m", ["--match", "--metric", "--zero"])
    '; did you mean --match or --metric?'
    """
    from difflib import get_close_matches  # only for the message

    names = list(names)
    long = f"-{typed}" if len(typed) == 2 else typed  # of -m, which anatomy alone has
    begun = [name for name in names if typed and name.startswith((typed, long))]
    near = begun or get_close_matches(typed, names, 1)
    return f"; did you mean {' or '.join(near)}?" if near else ""


class _Help(argparse.HelpFormatter):
    """Keeps the line breaks of an option's help; asks for the terminal's width only to print it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)

    def format_help(self) -> str:
        self._width = commands.width() - 2
        return super().format_help()

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
