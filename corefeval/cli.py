"""The command ``corefeval``: scores a response, compares two, explains numbers, prices errors.

All output is made before any is written, so that an error leaves nothing on standard output.
Exit code 0, or 2 for input that cannot be scored.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import corefeval
from corefeval._version import __version__
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.display import (
    Row,
    Table,
    printable,
    score_rows,
    score_table,
)
from corefeval.errors import Convertible, CorefError, FaultyFiles
from corefeval.given import check_tables, is_table
from corefeval.progress import drawing
from corefeval.registry import MEASURES, SUITES
from corefeval.signature import short

if TYPE_CHECKING:
    from corefeval.analysis.dissect.anatomy import Anatomy
    from corefeval.report import Report

RENAMED = {"--bootstrap": "--resamples", "--column": "--columns"}
"""Options of version 1.0 that have the name of another command's now."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's own; returns the exit code."""
    parser = _parser()
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            _refuse_other_package()
            arguments = parser.parse_args(argv)
            _refuse_closed_input(arguments)
            if "run" in arguments:
                with drawing(not arguments.quiet and _is_terminal(sys.stderr)):
                    output = arguments.run(arguments)
                _write(output)
                return 0
            _print_error(parser.format_help().rstrip())
        except CorefError as error:
            _say_error(error)
            if isinstance(error, _Misused):
                _say(f"see '{error.command} --help'")
        except SystemExit as done:  # --help and --version have printed
            return int(done.code or 0)
        except MemoryError:
            _say("error: there is not enough memory for these files")
        except BrokenPipeError:  # as in `corefeval score … | head -1`: nobody reads on
            return 141
        except KeyboardInterrupt:
            return 130
    return 2


def _say_error(error: CorefError) -> None:
    """Print what is wrong: of several files a line each, and lines to type as they are typed."""
    if isinstance(error, FaultyFiles):
        for told in error.faults:
            _say(f"error: {told}")
    elif isinstance(error, Convertible):
        _say(f"error: {error.message}:")
        for line in error.lines:
            _print_error(printable(line))
    else:
        _say(f"error: {error}")


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


# The commands


def run_score(arguments: argparse.Namespace) -> str:
    """Score a response against a key."""
    if arguments.seed is not None and arguments.resamples is None:
        raise CorefError("--seed without --resamples: without draws there is nothing to seed")
    key, response = _sides(arguments, arguments.response, arguments.columns or ())
    if arguments.by:
        return _by(arguments, key, response)
    report = _evaluated(arguments, key, response)
    found = None
    if arguments.resamples is not None:
        from corefeval.chance.significance import bootstrap

        found = bootstrap(report, arguments.resamples, seed=arguments.seed or 0)
    documents = report.documents if arguments.per_document else {}
    rows = list(score_rows(report.total, documents, found.intervals if found else {}))
    signature = (found or report).signature
    return _formatted(arguments.format, rows, score_table, signature, len(report))


def _by(arguments: argparse.Namespace, key: Any, response: str | None) -> str:
    """Recall and precision by what entities are."""
    for name in ("per_document", "resamples"):
        if getattr(arguments, name):
            raise CorefError(f"--by has the total alone: leave out {_option(name)}")
    from corefeval.analysis.dissect.costs import USUAL

    found = _taken_apart(arguments, key, response, arguments.metric or USUAL).by(arguments.by)
    if arguments.format == "json":
        return _json({"signature": found.signature, "by": found.by, "metrics": found.to_dict()})
    if arguments.format == "csv":
        return _csv(list(found.rows()), found.signature)
    shown = found.to_markdown() if arguments.format == "markdown" else repr(found)
    return f"{shown}\n"


def run_compare(arguments: argparse.Namespace) -> str:
    """Compare two responses to the same key."""
    from corefeval.chance import significance

    reports = {
        name: _evaluated(arguments, *_sides(arguments, path, columns))
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
    return _formatted(arguments.format, rows, lambda _: found.table(), found.signature, len(a))


def _compare_several(reports: dict[Any, Report], draws: int, arguments: argparse.Namespace) -> str:
    """Compare more than two responses."""
    from corefeval.chance import systems

    found = systems.compare_systems(reports, draws, seed=arguments.seed or 0)
    if arguments.format == "json":
        return _json(systems.as_json(found, documents=len(next(iter(reports.values())))))
    if arguments.format == "csv":
        rows = systems.system_rows(found)
        for row in rows:
            row["better_than"] = "; ".join(row["better_than"])
        return _csv(rows, found.signature)
    if arguments.format == "markdown":
        return f"{found.to_markdown(intervals=True, better_than=True)}\n"
    return f"{found.table().text()}\n\n{systems.better(found)}\n\n{short(found.signature)}\n"


def _systems(arguments: argparse.Namespace) -> dict[Any, tuple[str, Sequence[str]]]:
    """The responses to compare by name: each with its path and the columns to read.

    Of two responses nothing is named, and both may be the same.
    """
    paths = [arguments.a, arguments.b, *arguments.others]
    names = paths
    pairs: list[Sequence[str]] = [()] * len(paths)
    if arguments.columns:
        of_key, *columns = arguments.columns
        if len(columns) != len(paths):
            raise CorefError(
                f"{len(paths)} responses and {len(columns)} columns for them; expected --columns "
                "KEY A B …, one for the key and one for each response"
            )
        names = [f"{path}, {column}" for path, column in zip(paths, columns, strict=True)]
        pairs = [(of_key, column) for column in columns]
    if len(paths) == 2:
        return dict(enumerate(zip(paths, pairs, strict=True)))
    first: dict[tuple[str, Sequence[str]], str] = {}
    for name, path, pair in zip(names, paths, pairs, strict=True):
        system = os.path.realpath(path), pair
        if system in first:
            also = "" if first[system] == name else f", also as {first[system]}"
            raise CorefError(f"{name} is given twice{also}; expected a file for each system")
        first[system] = name
    return dict(zip(names, zip(paths, pairs, strict=True), strict=True))


def run_explain(arguments: argparse.Namespace) -> str:
    """Say why other scorers print other numbers."""
    from corefeval.analysis.explanation import as_json, as_text

    chosen = _chosen(arguments, (*OF_FILES, "scorer", "empty_side"))
    key, response = _sides(arguments, arguments.response, arguments.columns or ())
    found = corefeval.explain(key, response, arguments.metric or "standard", **chosen)
    if arguments.format == "json":
        return _json(as_json(found, arguments.printed))
    return as_text(found, arguments.printed, _width())


def run_anatomy(arguments: argparse.Namespace) -> str:
    """Say what became of each entity, and what it costs."""
    from corefeval.analysis.dissect import output
    from corefeval.analysis.dissect.costs import USUAL

    key, response = _sides(arguments, arguments.response, arguments.columns or ())
    metrics = [name.strip() for name in ",".join(arguments.metric or USUAL).split(",")]
    measure = arguments.measure or ("b3" if "b3" in metrics else metrics[0])
    names = list(dict.fromkeys([*metrics, measure]))
    found = _taken_apart(arguments, key, response, names)
    found.check_measure(measure)
    if arguments.html is not None:
        title = printable(f"Errors of {arguments.response or arguments.key}")
        _save(arguments.html, found.to_html(title), [arguments.key, arguments.response])
        _say(f"wrote {arguments.html}")
    if arguments.repairs:
        return _repairs(found, arguments.format)
    if arguments.format == "json":
        return _json(found.to_dict())
    if arguments.format == "csv":
        rows = list(output.entity_rows(found))
        return _csv(rows, found.signature, output.entity_columns(found))
    return f"{output.as_text(found, measure)}\n"


def run_conventions(arguments: argparse.Namespace) -> str:
    """Say what each choice does."""
    from textwrap import fill

    width = max(_width() - 2, 20)
    told = []
    for name in [arguments.name] if arguments.name else CHOICES:
        lines = [f"{_option(name)} CHOICE"]
        for number, (choice, what) in enumerate(CHOICES[name].items()):
            text = f"{choice}{'' if number else ' (default)'}: {what}"
            lines.append(fill(text, width, initial_indent="  ", subsequent_indent="      "))
        told.append("\n".join(lines))
    return "\n\n".join(told) + "\n"


def _repairs(found: Anatomy, format: str) -> str:
    """What every measure would be after repairs."""
    repaired = found.repairs()
    if format == "json":
        return _json(repaired.to_dict() | {"signature": repaired.signature})
    if format == "csv":
        return _csv(list(repaired.rows()), repaired.signature)
    return f"{repaired!r}\n"


def _sides(
    arguments: argparse.Namespace, response: str | None, columns: Sequence[str]
) -> tuple[Any, str | None]:
    """The key and a response as files; or their table, if options say how to read it."""
    if not (columns or arguments.document or arguments.id):
        return arguments.key, response
    check_tables(arguments.key, response)
    if not is_table(arguments.key):
        raise CorefError("--columns, --document and --id are for Parquet and CSV files")
    if arguments.id and response is None:
        raise CorefError("--id is for two files, which are joined on it: there is one")
    from corefeval.scale.pairing import of_files

    chosen = _chosen(arguments, ("document", "id", "missing"))
    return of_files(arguments.key, response, columns, **chosen), None


def _evaluated(arguments: argparse.Namespace, key: Any, response: str | None) -> Report:
    chosen = _chosen(arguments, (*CHOICES, "like", "empty_side"))
    return corefeval.evaluate(key, response, arguments.metric or "standard", **chosen)


def _taken_apart(
    arguments: argparse.Namespace, key: Any, response: str | None, metrics: Iterable[str]
) -> Anatomy:
    chosen = _chosen(arguments, (*CHOICES, "like", "empty_side"))
    return corefeval.anatomy(key, response, metrics, **chosen)


def _chosen(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """What the user typed of these options; the library knows what the others are."""
    typed = vars(arguments)
    return {name: typed[name] for name in names if typed.get(name)}


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
        if options:
            hints = [_meant(each, self._option_string_actions) for each in options]
            hint = next(filter(None, hints), "")
            self.error(f"unrecognized arguments: {_few(unknown)}{hint}")
        if unknown and "response" in parsed:
            self.error(_too_many_files([parsed.key, parsed.response, *unknown]))
        if unknown:
            self.error(f"unrecognized arguments: {_few(unknown)}")
        return parsed, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of an argument's choices; argparse names all of them alone."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            told = f"invalid choice: {value!r}{_meant(str(value), choices)}"
            raise argparse.ArgumentError(action, f"{told} (choose from {', '.join(choices)})")

    def _print_message(self, message: str, file: object = None) -> None:
        _write(message)

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
    if RENAMED.get(typed) in names:
        return f"; it is called {RENAMED[typed]}"
    long = f"-{typed}" if len(typed) == 2 else typed  # of -m, which anatomy alone has
    begun = [name for name in names if typed and name.startswith((typed, long))]
    near = begun or get_close_matches(typed, names, 1)
    return f"; did you mean {' or '.join(near)}?" if near else ""


class _Help(argparse.HelpFormatter):
    """Keeps the line breaks of an option's help; asks for the terminal's width only to print it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)

    def format_help(self) -> str:
        self._width = _width() - 2
        return super().format_help()

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = text.splitlines()
        return [part for line in lines for part in super(_Help, self)._split_lines(line, width)]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="corefeval",
        description="Coreference evaluation whose measures are their papers' formulas.",
        epilog="For a start: 'corefeval score KEY RESPONSE'. 'corefeval COMMAND --help' has the "
        "options of each command.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", prog="corefeval", parser_class=_Parser
    )
    _add_score(commands.add_parser("score", help="score a response against a key"))
    _add_compare(commands.add_parser("compare", help="compare two responses to the same key"))
    _add_explain(commands.add_parser("explain", help="why other scorers print other numbers"))
    _add_anatomy(commands.add_parser("anatomy", help="a response's errors, and what each costs"))
    _add_told(commands.add_parser("conventions", help="what may be chosen, and what it does"))
    return parser


def _show_usage(command: argparse.ArgumentParser, files: str, example: str) -> None:
    """Give the help of a command its first lines, without a list of the options below them."""
    command.usage = f"%(prog)s {files} [options]\n  e.g. %(prog)s {example}"


KEY_HELP = (
    "the file with the right coreference; or a folder of such files, or a pattern like "
    "'key/*.conll'"
)
JUDGED_HELP = "a file to be judged by it; or a folder, or a pattern"
RESPONSE_HELP = (
    "the file to be judged by it, or a folder, or a pattern; not needed if KEY is a file of JSON "
    "lines whose documents have both clusters and predicted_clusters"
)


def _add_score(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_score)
    command.description = (
        "Score a response against a key: files of CoNLL-2012, JSON lines or CorefUD, which are "
        "told apart by what is in them, or folders of such files, whose documents are paired by "
        "their names; what gzip compressed is unpacked. Two Parquet or CSV files with a row per "
        "mention are joined on their column 'mention'; or one of them has the labels of both sides "
        "in the --columns KEY RESPONSE."
    )
    _show_usage(command, "KEY [RESPONSE]", "key.conll response.conll --singletons drop")
    _add_key_and_response(command)
    _add_measures(command)
    _add_like(command)
    _add_input(command, CHOICES)
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
    _add_draws(
        command,
        "with 95%% intervals, from N draws (100 to 1000000) of as many documents as there are",
    )
    _add_output(
        command,
        markdown="the table, to paste",
        json="values in [0, 1], counts as exact fractions",
        csv="the same, a row per document and measure; the document of a total is empty",
    )


def _add_compare(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_compare)
    command.description = (
        "Compare the totals of two responses to a key, in formats that go together: their F1, or "
        "their value by a measure that has no F1; by how much that of B is higher; its 95% "
        "interval from random draws of documents; and p, how often a difference as large comes "
        "from swapping the two responses' documents at random. The p-values of several measures "
        "are not "
        "corrected for their number. Of three responses or more: a row for each, with its score by "
        "every measure, the 95% interval, and the letters of those that it is better than, by a "
        "difference whose p-value is below 0.05 after Holm's correction for all pairs."
    )
    _show_usage(command, "KEY A B [C ...]", "key.conll a.conll b.conll --metric conll")
    command.add_argument("key", metavar="KEY", help=KEY_HELP)
    command.add_argument("a", metavar="A", help=JUDGED_HELP)
    command.add_argument("b", metavar="B", help="the file, folder or pattern to compare with A")
    more = "more to compare with them"
    others = command.add_argument("others", metavar="C", nargs="*", help=more)
    others.required = False  # Python 3.11 says that it is, where others are missing
    _add_measures(command)
    _add_like(command)
    _add_input(command, CHOICES, columns=("KEY", "A"), nargs="+")
    _add_draws(
        command,
        "how many draws and how many swaps, 100 to 1000000 (default: 1000); if there are no "
        "more than N ways to swap, all are tried, and p is exact",
    )
    _add_output(
        command,
        json="values in [0, 1]; of three responses or more, every pair's p-value, too",
        csv="values in [0, 1], a row per measure, or per response and measure",
        markdown="the table, for a paper or a page",
    )


def _add_explain(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_explain)
    command.description = (
        "Score a response as every scorer would that --like knows, show the scores that are not "
        "ours and what makes the difference, and say what is wrong with the files."
    )
    _show_usage(command, "KEY [RESPONSE]", "key.conll response.conll --printed 83.33")
    _add_key_and_response(command)
    _add_measures(command)
    command.add_argument(
        "--scorer",
        metavar="SCORER",
        action="append",
        help="why this one differs; may be given several times (default: all)",
    )
    _add_input(command, OF_FILES)
    command.add_argument(
        "--printed",
        metavar="NUMBER",
        help="which scorers print this number, as 83.33, 83,33 %% or 0.8333",
    )
    _add_output(command, json="values in [0, 1], of every scorer")


def _add_anatomy(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_anatomy)
    command.description = (
        "Say which entities were split, merged, missed or invented, and what each of them costs. "
        "The mentions of a key entity are all in one response entity (whole), some in one and the "
        "others in none (partial), in two or more (split), or in none (missed); response entities "
        "are pure, padded, merged or invented likewise. "
        "What a measure loses in recall is shared out to key entities, what it loses in precision "
        "to response entities, so that the parts add up exactly."
    )
    _show_usage(command, "KEY [RESPONSE]", "key.conll response.conll --html viewer.html")
    _add_key_and_response(command)
    command.add_argument(
        "-m",
        "--measure",
        metavar="NAME",
        help="list the entities that cost most by this measure (default: b3)",
    )
    command.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        help="reckon costs by this measure, or by several, as muc,b3 (default: mentions muc b3 "
        "ceafm ceafe blanc lea; pairwise has costs, too)",
    )
    _add_like(command)
    _add_input(command, CHOICES)
    command.add_argument(
        "--repairs",
        action="store_true",
        help="what every measure would be if missed mentions came back as singletons, invented "
        "ones went, merged entities were cut, split ones joined: each alone, and in this order",
    )
    command.add_argument(
        "--html",
        metavar="FILE",
        help="write a page that shows the text with its entities and errors, to open in a browser",
    )
    _add_output(
        command,
        json="everything, of every document and entity; costs in [0, 1]",
        csv="a row for each entity; costs in [0, 1]",
    )


def _add_told(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_conventions, quiet=True)
    command.description = "Say what each choice of a convention does; without a name, of all."
    command.add_argument(
        "name", metavar="NAME", nargs="?", choices=tuple(CHOICES), help=", ".join(CHOICES)
    )


def _add_measures(command: argparse.ArgumentParser) -> None:
    suites = ", ".join(f"{name} ({' '.join(names)})" for name, names in SUITES.items())
    command.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        help="a measure or a suite, or several, as muc,b3 (default: standard)\n"
        f"measures: {' '.join(MEASURES)}\nsuites: {suites}, all",
    )


def _add_like(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--like",
        metavar="SCORER",
        help="score by the conventions of another scorer, measure by measure; 'corefeval explain' "
        "shows all of them",
    )


def _add_key_and_response(command: argparse.ArgumentParser) -> None:
    command.add_argument("key", metavar="KEY", help=KEY_HELP)
    command.add_argument("response", metavar="RESPONSE", nargs="?", help=RESPONSE_HELP)


def _add_input(
    command: argparse.ArgumentParser,
    conventions: Iterable[str],
    columns: tuple[str, ...] = ("KEY", "RESPONSE"),
    nargs: int | str = 2,
) -> None:
    """The options that say how files are read; the first choice of a convention is the default."""
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
    group = command.add_argument_group(
        "conventions",
        "The first choice is the default; 'corefeval conventions NAME' says what each does.",
    )
    for name in conventions:
        group.add_argument(
            _option(name),
            dest=name,
            metavar="CHOICE",
            choices=tuple(CHOICES[name]),
            help=", ".join(CHOICES[name]),
        )


def _add_draws(command: argparse.ArgumentParser, told: str) -> None:
    command.add_argument("--resamples", metavar="N", type=int, help=told)
    command.add_argument(
        "--seed", metavar="N", type=int, help="another series of draws (default: 0)"
    )


def _add_output(command: argparse.ArgumentParser, **formats: str) -> None:
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
        help="draw no progress of long work; it is drawn on a terminal alone, by tqdm if that is "
        "installed, and by DuckDB",
    )


def _option(convention: str) -> str:
    return f"--{convention.replace('_', '-')}"


# Output


def _formatted(
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
        return _csv(rows, signature)
    content: dict[str, Any] = {"signature": signature, "documents": documents, "metrics": {}}
    for row in rows:
        document, measure = row.pop("document", None), row.pop("measure")
        if document is None:
            content["metrics"][measure] = row
        else:
            content.setdefault("per_document", {}).setdefault(document, {})[measure] = row
    return _json(content)


def _json(content: Any) -> str:
    import json

    return json.dumps(content, indent=2, ensure_ascii=False, default=float) + "\n"


def _csv(rows: list[Row], signature: str, columns: Sequence[str] | None = None) -> str:
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


def _save(path: str, content: str, inputs: Iterable[str | None]) -> None:
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


def _write(output: str) -> None:
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


def _width() -> int:
    """How many columns the terminal has."""
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _is_terminal(stream: Any) -> bool:
    """Whether somebody looks at this stream, which may be closed."""
    return stream is not None and stream.isatty()


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(f"warning: {message}")


def _say(message: str) -> None:
    """Print a message in one line, whatever names of files and documents are a part of it."""
    _print_error(f"corefeval: {printable(message)}")


def _print_error(line: str) -> None:
    """Print a line to standard error; where that is closed or full, the result is not lost."""
    if sys.stderr is None:  # print would take standard output
        return
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
