"""The command ``corefeval``: scores a response, compares two, explains numbers, prices errors.

Exit code 0, or 2 for input that cannot be scored; 1 for a table with numbers that cannot be so.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

from corefeval._version import __version__
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.corpus import evaluate
from corefeval.display import ScoreRows, Table, in_csv, in_json, printable, score_rows
from corefeval.errors import CorefError, InLines, meant
from corefeval.overlap.labels import FILES_OF_LABELS
from corefeval.registry import MEASURES, SUITES

COMMANDS = {
    "score": ("corefeval.cli", "score a response against a key"),
    "compare": ("corefeval.chance.command", "compare two responses or more to the same key"),
    "explain": ("corefeval.analysis.command", "why other scorers print other numbers"),
    "anatomy": ("corefeval.analysis.command", "a response's errors, and what each costs"),
    "table": ("corefeval.published.command", "whether a table's numbers can belong together"),
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
WIDTH = 80
"""Of what explains scorers, in signs."""
FOR_PAPER = ("latex", "sentence")
"""Formats for a paper, which have the totals alone."""
OF_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
SCORED = (*CHOICES, *OF_FILES, "like")
"""The options of `corefeval.evaluate`, which `corefeval.anatomy` has, too."""
KEY_HELP = "the right coreference: a file, a folder of such files, or a pattern like 'key/*.conll'"
RESPONSE_HELP = (
    "what is judged by it, likewise; not needed if KEY is a file of JSON lines whose documents "
    "have both clusters and predicted_clusters"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's own; returns the exit code."""
    typed = sys.argv[1:] if argv is None else argv
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_: say(f"warning: {message}")
        try:
            return _run(typed)
        except CorefError as error:
            _say_error(error)
        except SystemExit as done:  # --help and --version have printed
            return int(done.code or 0)
        except MemoryError:
            say("error: there is not enough memory for these files")
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
        print_error(parser.format_help().rstrip())
        return 2
    _refuse_closed_input(typed)
    # All output is made before any is written, so that an error leaves nothing there.
    write(arguments.run(arguments))
    return int(getattr(arguments, "exit_code", 0))


def _say_error(error: CorefError) -> None:
    """Print what is wrong; lines to type are printed as they are typed."""
    lines = error.lines if isinstance(error, InLines) else [str(error)]
    say(f"error: {lines[0]}")
    for line in lines[1:]:
        print_error(printable(line))


def _refuse_closed_input(typed: Sequence[str]) -> None:
    """Refuse to read a standard input that is closed: the next file opened would be it."""
    for argument in typed:
        if sys.stdin is None and argument in OF_INPUT:
            raise CorefError(f"{argument}: standard input is closed")


# The commands that are here


def run_score(arguments: argparse.Namespace) -> str:
    """Score a response against a key."""
    if arguments.seed is not None and arguments.resamples is None:
        raise CorefError("--seed without --resamples: without draws there is nothing to seed")
    key, response = key_and_response(arguments)
    chosen = chosen_of(arguments)
    report = evaluate(key, response, arguments.metric or "standard", **chosen)
    if arguments.format in FOR_PAPER:
        if arguments.per_document or arguments.resamples is not None:
            raise CorefError(
                f"--format {arguments.format} is of the totals alone: leave out --per-document "
                "and --resamples"
            )
        if arguments.format == "latex":
            return f"{report.to_latex(measures=[*report.total] if arguments.metric else ())}\n"
        return f"{report.sentence()}\n"
    draws: Any = None
    if arguments.resamples is not None:
        from corefeval.chance.significance import bootstrap

        draws = bootstrap(report, arguments.resamples, seed=arguments.seed or 0)
    documents = report.documents if arguments.per_document else {}
    rows = list(score_rows(report.total, documents, draws.intervals if draws else {}))
    scores = ScoreRows(rows, (draws or report).signature)
    return in_format(arguments.format, scores, scores.to_dict(len(report)))


def add_score(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval score``."""
    command.set_defaults(run=run_score)
    command.description = (
        "Score a response against a key: files of CoNLL-2012, JSON lines or CorefUD, which are "
        "told apart by what is in them, or folders of such files, whose documents are paired by "
        "their names; what gzip compressed is unpacked. Two Parquet or CSV files with a row per "
        "mention are joined on their column 'mention'; or one of them has the labels of both sides "
        "in the --columns KEY RESPONSE."
    )
    add_key_and_response(command, "--singletons drop")
    add_measures(command)
    add_input(command)
    text = "the score of each document, then the total"
    command.add_argument("--per-document", action="store_true", help=text)
    add_draws(command, "with 95%% intervals, from N draws (100 to 1048576) of as many documents")
    add_output(command, "markdown", "latex", "sentence", "json", "csv")


def run_scorers(arguments: argparse.Namespace) -> str:
    """Name the scorers that ``--like`` takes."""
    from corefeval.scorers.bundles import bundles

    lines = [["name", "scorer", "version", "otherwise than the defaults"]]
    for name, bundle in bundles().items():
        if bundle.measures:
            lines.append([name, bundle.scorer, bundle.version, bundle.otherwise])
    return f"{Table(lines).text()}\n"


def add_scorers(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval scorers``: nothing."""
    command.set_defaults(run=run_scorers)
    command.description = (
        "The names of --like, of which state of which scorer each is, and what it does otherwise "
        "than the defaults, by measure where it does so for some alone; the help of score says "
        "what each choice is."
    )


# What the commands share: what may be typed


def show_usage(command: argparse.ArgumentParser, files: str, example: str) -> None:
    """Give the help of a command its first lines, without a list of the options below them."""
    command.usage = f"%(prog)s {files} [options]\n  e.g. %(prog)s {example}"


def add_measures(command: argparse.ArgumentParser, text: str = "") -> None:
    """Add the option that names measures; ``text`` is its help where not all may be asked for."""
    suites = ", ".join(f"{name} ({' '.join(names)})" for name, names in SUITES.items())
    every = (
        "a measure or a suite, or several, as muc,b3 (default: standard)\n"
        f"measures: {' '.join(MEASURES)}\nsuites: {suites}, all"
    )
    command.add_argument("--metric", metavar="NAME", action="append", help=text or every)


def add_key_and_response(command: argparse.ArgumentParser, example: str) -> None:
    """Add the places of a key and a response, and an example that ends so."""
    show_usage(command, "KEY [RESPONSE]", f"key.conll response.conll {example}")
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
        text = "score by the conventions of another scorer: 'corefeval scorers' names them"
        command.add_argument("--like", metavar="SCORER", help=text)
    text = "the columns of Parquet or CSV files that have the labels of entities"
    command.add_argument("--columns", metavar=columns, nargs=nargs, help=text)
    text = "the column of such files that names the document"
    command.add_argument("--document", metavar="COLUMN", help=text)
    text = "the column of such files that names the mention (default: mention)"
    command.add_argument("--id", metavar="COLUMN", help=text)
    for name, choices in ((CHOICES if conventions else {}) | OF_FILES).items():
        text = "\n".join(f"{choice}: {what}" for choice, what in choices.items())
        option = f"--{name.replace('_', '-')}"
        command.add_argument(option, metavar="CHOICE", choices=tuple(choices), help=text)


def add_draws(command: argparse.ArgumentParser, text: str) -> None:
    """Add the options on random draws; ``text`` says what they are for."""
    command.add_argument("--resamples", metavar="N", type=int, help=text)
    text = "another series of draws (default: 0)"
    command.add_argument("--seed", metavar="N", type=int, help=text)


def add_output(command: argparse.ArgumentParser, *formats: str) -> None:
    """Add the option that chooses among a table for people and these formats."""
    text = "numbers are percent in what is for people, in [0, 1] in json and csv"
    choices = ("table", *formats)
    command.add_argument("--format", choices=choices, default="table", help=text)


# What the commands share: what is scored


def key_and_response(
    arguments: argparse.Namespace, response: str | None = None, columns: Sequence[str] | None = None
) -> tuple[Any, str | None]:
    """Return the key and a response as paths; or their table and None, if options name columns."""
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


# What the commands share: what is written


def in_format(format: str, result: Any, content: dict[str, Any]) -> str:
    """Write a result that has rows as text: a table for people, or a format for machines."""
    if format == "json":
        return in_json(content)
    if format == "csv":
        return in_csv(list(result.rows()), result.signature)
    return f"{result.to_markdown() if format == 'markdown' else repr(result)}\n"


def in_lines(summary: str, table: Table, notes: Iterable[str]) -> str:
    """A table for a terminal between a sentence and notes, all as wide as `WIDTH`."""
    from textwrap import TextWrapper  # most results are tables

    wrapper = TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    first, *others = [wrapper.fill(printable(text)) for text in (summary, *notes)]
    return "\n".join([first, "", table.text(WIDTH), "", *others, ""])


def save(path: str, content: str, inputs: Iterable[str | None]) -> None:
    """Write a file beside its place and put it there whole, so that an older one is not lost.

    Raises `CorefError` for a file that is an input, or in a folder that is one, and for what cannot
    be written.
    """
    target = os.path.realpath(path)
    try:
        if any(_holds(read, target) for read in inputs if read):
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


# The parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the library, and whose help is written like a result."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **options)
        self.register("action", None, _Once)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse all arguments: an unknown one is an error of this command, not of the one above."""
        parsed, unknown = super().parse_known_args(args, namespace)
        options = [typed.partition("=")[0] for typed in unknown if typed.startswith("-")]
        if options:
            self.error(f"{options[0]}: {self._no_such_option(options[0])}")
        places = self._get_positional_actions()
        if unknown and places:
            unknown = _placed(parsed, places[-1], unknown)
        if unknown:
            taken = filter(None, [getattr(parsed, place.dest) for place in places])
            self.error(_too_many_files([*taken, *unknown], len(places)))
        return parsed, unknown

    def _no_such_option(self, option: str) -> str:
        if option in GONE:
            return f"there is no such option any more; {GONE[option]}"
        known = [name for name in self._option_string_actions if name.startswith("--")]
        return f"there is no such option; {meant(option, known)}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value in GONE:
            self.error(f"{value}: there is no such command any more; {GONE[value]}")
        super()._check_value(action, value)

    def _print_message(self, message: str, file: object = None) -> None:
        write(message)

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


def _too_many_files(files: Sequence[str], expected: int) -> str:
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


class _Once(argparse._StoreAction):
    """Keeps what is typed behind an option, of which argparse would drop all but the last."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if option_string and getattr(namespace, self.dest) != self.default:
            parser.error(f"{option_string} is given twice: give it once")
        super().__call__(parser, namespace, values, option_string)


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
    for name, (module, purpose) in COMMANDS.items():
        if is_there(module):
            command = added.add_parser(name, help=purpose)
            if name in typed:
                getattr(import_module(module), f"add_{name}")(command)
    return parser


def is_there(module: str) -> bool:
    """Whether the folder of a module is; one that was deleted may leave an empty one behind."""
    folder = find_spec(module.rpartition(".")[0])
    return folder is not None and folder.origin is not None
