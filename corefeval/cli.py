"""The command ``corefeval``: scores a response, compares two, explains other scorers' numbers.

All output is made before any is written, so that an error leaves nothing on standard output.
Exit code 0, or 2 for input that cannot be scored.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import corefeval
from corefeval._version import __version__
from corefeval.contingency import OfTable
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.corpus import is_table
from corefeval.display import NONE, aligned, percent, probability
from corefeval.errors import CorefError
from corefeval.registry import MEASURES, SUITES
from corefeval.score import Pair

if TYPE_CHECKING:
    from corefeval.report import Report
    from corefeval.significance import Bootstrap

PARTS = ("recall", "precision", "f1", "value")
COUNTS = ("recall_hits", "recall_total", "precision_hits", "precision_total")
COMPARED = ("part", "a", "b", "difference", "low", "high", "p")
Row = dict[str, Any]

FILES = {
    "KEY": "the file with the right coreference",
    "RESPONSE": "the file to be judged by it; not needed if KEY is a file of JSON lines whose "
    "documents have both clusters and predicted_clusters",
    "A": "a file to be judged by it",
    "B": "the file to compare with A",
}
OPTIONS = {
    "--metric NAME": "a measure or a suite; may be given several times (default: standard)\n"
    f"measures: {' '.join(MEASURES)}\nsuites: {' '.join([*SUITES, 'all'])}",
    "--like PROGRAM": "score by the conventions of another program, measure by measure; "
    "'corefeval explain' shows all of them",
    "--columns KEY RESPONSE": "the columns of a Parquet or CSV file, or of two, that have the "
    "labels of entities",
    "--document COLUMN": "the column of such files that names the document",
    "--per-document": "the score of each document, then the total",
    "--bootstrap N": "with 95% intervals, from N draws (100 to 1000000) of as many documents as "
    "there are",
    "--resamples N": "how many draws and how many swaps, 100 to 1000000 (default: 1000); if there "
    "are no more than N ways to swap, all are tried, and p is exact",
    "--seed N": "another series of draws (default: 0)",
    "--program PROGRAM": "why this one differs; may be given several times (default: all)",
    "--printed NUMBER": "which programs print this number, as 83.33 or 0.8333",
}
"""What each option means, by how it is typed."""
TAKES: dict[str, dict[str, Any]] = {
    "": {"action": "store_true"},
    "N": {"metavar": "N", "type": int},
    "NAME": {"metavar": "NAME", "action": "append"},
    "KEY RESPONSE": {"metavar": ("KEY", "RESPONSE"), "nargs": 2},
}
"""What those options take that take no text."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default the process's own; returns the exit code."""
    parser = _parser()
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            arguments = parser.parse_args(argv)
            if "run" in arguments:
                _write(arguments.run(arguments))
                return 0
            print(parser.format_help(), end="", file=sys.stderr)
        except CorefError as error:
            print(f"corefeval: error: {error}", file=sys.stderr)
        except SystemExit as done:  # --help and --version have printed
            return int(done.code or 0)
        except BrokenPipeError:  # as in `corefeval score … | head -1`: nobody reads on
            return 141
        except KeyboardInterrupt:
            return 130
    return 2


# The commands


def score(arguments: argparse.Namespace) -> str:
    """Score a response against a key, both files of CoNLL-2012, JSON lines or CorefUD, which are
    told apart by what is in them. In CoNLL-2012, a line of a document that begins with # is a
    token if its last column is a coreference column (-, (3), 3), (1|2)), else a comment. Two
    Parquet or CSV files with a row per mention are joined on their column 'mention'; or one of
    them has the labels of both sides in the --columns KEY RESPONSE."""
    if arguments.seed is not None and arguments.bootstrap is None:
        raise CorefError("--seed without --bootstrap: without draws there is nothing to seed")
    key: str | OfTable = arguments.key
    if arguments.columns or arguments.document:
        if not is_table(key):
            raise CorefError("--columns and --document are for Parquet and CSV files")
        from corefeval.scale.engine import of_files

        columns, missing = arguments.columns or (), arguments.missing or "error"
        key = OfTable(of_files(key, arguments.response, columns, arguments.document, missing))
    report = _evaluated(arguments, key, arguments.response)
    found = None
    if arguments.bootstrap is not None:
        from corefeval.significance import bootstrap

        found = bootstrap(report, arguments.bootstrap, seed=arguments.seed or 0)
    rows = list(_score_rows(report, arguments.per_document, found))
    signature = (found or report).signature
    return _formatted(arguments.format, rows, _score_table, signature, len(report))


def compare(arguments: argparse.Namespace) -> str:
    """Compare the totals of two responses to a key, all files of one format: their F1, or their
    value by a measure that has no F1; by how much that of B is higher; its 95% interval from
    random draws of documents; and p, how often a difference as large comes from swapping the two
    responses' documents at random. The p-values of several measures are not corrected for their
    number."""
    from corefeval import significance

    a, b = (_evaluated(arguments, arguments.key, file) for file in (arguments.a, arguments.b))
    draws = 1000 if arguments.resamples is None else arguments.resamples
    found = significance.compare(a, b, draws, seed=arguments.seed or 0)
    rows = []
    for name, each in found.differences.items():
        cells = (*each[:4], *each.interval, each.p) if each else [None] * len(COMPARED)
        rows.append({"measure": name, **dict(zip(COMPARED, cells, strict=True))})
    return _formatted(arguments.format, rows, _compare_table, found.signature, len(a))


def explain(arguments: argparse.Namespace) -> str:
    """Score a response as every program would that 'like' knows, show the scores that are not
    ours and what makes the difference, and say what is wrong with the files."""
    from shutil import get_terminal_size

    from corefeval.programs.telling import as_json, as_text

    metrics, chosen = arguments.metric or "standard", _chosen(arguments, OF_FILES)
    programs = arguments.program or ()
    found = corefeval.explain(
        arguments.key, arguments.response, metrics, program=programs, **chosen
    )
    if arguments.format == "json":
        return _json(as_json(found, arguments.printed))
    return as_text(found, arguments.printed, get_terminal_size().columns)


def _evaluated(arguments: argparse.Namespace, key: str | OfTable, response: str | None) -> Report:
    chosen = _chosen(arguments, CHOICES)
    metrics = arguments.metric or "standard"
    return corefeval.evaluate(key, response, metrics, like=arguments.like, **chosen)


def _chosen(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, str]:
    return {name: getattr(arguments, name) for name in names if getattr(arguments, name)}


# What the user may type


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the library, and whose help is written like a result."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **options)

    def _print_message(self, message: str, file: object = None) -> None:
        _write(message)

    def error(self, message: str) -> NoReturn:
        raise CorefError(f"{message}\ncorefeval: see '{self.prog} --help'")


class _Help(argparse.HelpFormatter):
    """Keeps the line breaks of an option's help; asks for the terminal's width only to print it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)

    def format_help(self) -> str:
        from shutil import get_terminal_size

        self._width = get_terminal_size().columns - 2
        return super().format_help()

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = text.splitlines()
        return [part for line in lines for part in super(_Help, self)._split_lines(line, width)]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="corefeval",
        description="Coreference evaluation whose measures are their papers' formulas.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", prog="corefeval", parser_class=_Parser
    )
    _add(
        commands.add_parser("score", help="score a response against a key"),
        score,
        "KEY RESPONSE",
        "--metric --like --columns --document --per-document --bootstrap --seed",
        CHOICES,
        json="values in [0, 1], counts as exact fractions",
        csv="the same, a row per document and measure; the document of a total is empty",
    )
    _add(
        commands.add_parser("compare", help="compare two responses to the same key"),
        compare,
        "KEY A B",
        "--metric --like --resamples --seed",
        CHOICES,
        json="values in [0, 1]",
        csv="the same",
    )
    _add(
        commands.add_parser("explain", help="why other programs print other numbers"),
        explain,
        "KEY RESPONSE",
        "--metric --program --printed",
        OF_FILES,
        json="values in [0, 1], of every program",
    )
    return parser


def _add(
    command: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], str],
    files: str,
    options: str,
    conventions: Iterable[str],
    **formats: str,
) -> None:
    """Give a command its files, options, conventions and formats; ``run`` says what it does."""
    command.description = run.__doc__
    command.set_defaults(run=run)
    for file in files.split():
        nargs = "?" if file == "RESPONSE" else None
        command.add_argument(file.lower(), metavar=file, nargs=nargs, help=FILES[file])
    for typed, help in OPTIONS.items():
        option, _, value = typed.partition(" ")
        if option in options.split():
            takes = TAKES.get(value, {"metavar": value})
            if option == "--program":
                takes = {**takes, "action": "append"}
            command.add_argument(option, help=help.replace("%", "%%"), **takes)
    told = {"table (default)": "in percent, for people", **formats}
    help = "\n".join(map(": ".join, told.items()))
    command.add_argument("--format", choices=("table", *formats), default="table", help=help)
    group = command.add_argument_group("conventions")
    for name in conventions:
        default, *others = (f"{choice}: {does}" for choice, does in CHOICES[name].items())
        help = "\n".join([default.replace(":", " (default):", 1), *others]).replace("%", "%%")
        option = f"--{name.replace('_', '-')}"
        group.add_argument(option, dest=name, choices=tuple(CHOICES[name]), help=help)


# Rows and tables


def _score_rows(report: Report, per_document: bool, found: Bootstrap | None) -> Iterator[Row]:
    """Each score with its exact counts, as text; documents first, the total last.

    Intervals, if any, are the total's.
    """
    documents: Mapping[Any, Any] = report.documents if per_document else {}
    for document, scores in [*documents.items(), (None, report.total)]:
        for measure, score in scores.items():
            name = None if document is None else str(document)
            row = {"document": name, "measure": measure, **dict.fromkeys((*PARTS, *COUNTS))}
            row |= score.parts
            tallies = score.counts._asdict() if isinstance(score.counts, Pair) else {}
            for part, tally in tallies.items():
                if not isinstance(tally.total, float):  # logarithms have no exact counts
                    row[f"{part}_hits"], row[f"{part}_total"] = map(str, tally)
            if found and document is None:
                for part, interval in found.intervals[measure]._asdict().items():
                    row[f"{part}_low"], row[f"{part}_high"] = interval or (None, None)
            yield row


def _score_table(rows: list[Row]) -> str:
    # Most measures have no value; a column of dashes would only be in the way.
    parts = PARTS if any(row["value"] is not None for row in rows) else PARTS[:-1]
    intervals = "f1_low" in rows[-1]
    lines = [["document", "measure"]]
    for part in parts:
        lines[0] += [part.replace("f1", "F1"), *["95% interval"] * intervals]
    for row in rows:
        lines.append(["TOTAL" if row["document"] is None else row["document"], row["measure"]])
        for part in parts:
            interval = _interval(row.get(f"{part}_low"), row.get(f"{part}_high"))
            lines[-1] += [percent(row[part]), *[interval] * intervals]
    if rows[0]["document"] is None:
        lines = [line[1:] for line in lines]
    return aligned(lines, right=len(parts) * (1 + intervals))


def _compare_table(rows: list[Row]) -> str:
    lines = [["measure", "score", "A", "B", "B − A", "95% interval", "p"]]
    for row in rows:
        part = (row["part"] or NONE).replace("f1", "F1")
        scores = (percent(row[name]) for name in ("a", "b", "difference"))
        interval = _interval(row["low"], row["high"])
        lines.append([row["measure"], part, *scores, interval, probability(row["p"])])
    return aligned(lines, right=5)


def _interval(low: float | None, high: float | None) -> str:
    return NONE if low is None else f"[{percent(low)}, {percent(high)}]"


# Output


def _formatted(
    format: str, rows: list[Row], table: Callable[[list[Row]], str], signature: str, documents: int
) -> str:
    """The rows as a table for people, or in a format for machines, which has doubles."""
    if format == "table":
        return f"{table(rows)}\n\n{signature}\n"
    if format == "csv":
        return _csv([row | {"signature": signature} for row in rows])
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


def _csv(rows: list[Row]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, rows[-1], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: float(n) if isinstance(n, Fraction) else n for k, n in row.items()})
    return text.getvalue()


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
        raise CorefError(f"cannot write the result: {error.strerror or error}") from error


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"corefeval: warning: {message}", file=sys.stderr)
