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
    from corefeval.significance import Bootstrap, Comparison

PARTS = ("recall", "precision", "f1", "value")
COUNTS = ("recall_hits", "recall_total", "precision_hits", "precision_total")
RESPONSE = (
    "the file to be judged by it; not needed if KEY is a file of JSON lines whose documents have "
    "both clusters and predicted_clusters"
)
COMPARED = ("part", "a", "b", "difference", "low", "high", "p")
Row = dict[str, Any]


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


# What the user may type


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the library, and whose help is written like a result."""

    def _print_message(self, message: str, file: object = None) -> None:
        _write(message)

    def error(self, message: str) -> NoReturn:
        raise CorefError(f"{message}\ncorefeval: see '{self.prog} --help'")


class _Help(argparse.HelpFormatter):
    """Keeps the line breaks of an option's help."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = text.splitlines()
        return [part for line in lines for part in super(_Help, self)._split_lines(line, width)]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="corefeval",
        description="Coreference evaluation whose measures are their papers' formulas.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    _add_score(commands)
    _add_compare(commands)
    _add_explain(commands)
    return parser


def _add_score(commands: Any) -> None:
    score = _add_command(
        commands,
        "score",
        "score a response against a key",
        "Score a response against a key, both files of CoNLL-2012, JSON lines or CorefUD, which "
        "are told apart by what is in them. In CoNLL-2012, a line of a document that begins with "
        "# is a token if its last column is a coreference column (-, (3), 3), (1|2)), else a "
        "comment. Two Parquet or CSV files with a row per mention are joined on their column "
        "'mention'; or one of them has the labels of both sides in the --columns KEY RESPONSE.",
        formats={
            "json": "values in [0, 1], counts as exact fractions",
            "csv": "the same, a row per document and measure; the document of a total is empty",
        },
        key="the file with the right coreference",
        response=RESPONSE,
    )
    _add_conventions(score, CHOICES)
    score.add_argument(
        "--columns",
        nargs=2,
        metavar=("KEY", "RESPONSE"),
        help="the columns of a Parquet or CSV file, or of two, that have the labels of entities",
    )
    score.add_argument(
        "--document", metavar="COLUMN", help="the column of such files that names the document"
    )
    score.add_argument(
        "--per-document", action="store_true", help="the score of each document, then the total"
    )
    score.add_argument(
        "--bootstrap",
        metavar="N",
        type=int,
        help="with 95%% intervals, from N draws (100 to 1000000) of as many documents as there are",
    )
    score.add_argument("--seed", metavar="S", type=int, help="another series of draws (default: 0)")
    score.set_defaults(run=_score)


def _add_compare(commands: Any) -> None:
    compare = _add_command(
        commands,
        "compare",
        "compare two responses to the same key",
        "Compare the totals of two responses to a key, all files of one format: their F1, "
        "or their value by a measure that has no F1; by how much that of B is higher; its 95% "
        "interval from random draws of documents; and p, how often a difference as large comes "
        "from swapping the two responses' documents at random. The p-values of several measures "
        "are not corrected for their number.",
        formats={"json": "values in [0, 1]", "csv": "the same"},
        key="the file with the right coreference",
        a="a file to be judged by it",
        b="the file to compare with A",
    )
    _add_conventions(compare, CHOICES)
    compare.add_argument(
        "--resamples",
        metavar="N",
        type=int,
        default=1000,
        help="how many draws and how many swaps, 100 to 1000000 (default: 1000); if there are no "
        "more than N ways to swap, all are tried, and p is exact",
    )
    compare.add_argument(
        "--seed", metavar="S", type=int, default=0, help="another series of draws (default: 0)"
    )
    compare.set_defaults(run=_compare)


def _add_explain(commands: Any) -> None:
    explain = _add_command(
        commands,
        "explain",
        "why other programs print other numbers",
        "Score a response as every program would that 'like' knows, show the scores that are not "
        "ours and what makes the difference, and say what is wrong with the files.",
        formats={"json": "values in [0, 1], of every program"},
        key="the file with the right coreference",
        response=RESPONSE,
    )
    _add_conventions(explain, OF_FILES)
    explain.add_argument(
        "--printed", metavar="N", help="which programs print this number, as 83.33 or 0.8333"
    )
    explain.set_defaults(run=_explain)


def _add_command(
    commands: Any, name: str, help: str, description: str, formats: dict[str, str], **files: str
) -> argparse.ArgumentParser:
    """A command on these files, with the options that all commands have."""
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=description, formatter_class=_Help, allow_abbrev=False
    )
    for file, role in files.items():
        nargs = "?" if file == "response" else None
        command.add_argument(file, metavar=file.upper(), nargs=nargs, help=role)
    command.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        help="a measure or a suite; may be given several times (default: standard)\n"
        f"measures: {' '.join(MEASURES)}\nsuites: {' '.join([*SUITES, 'all'])}",
    )
    command.add_argument(
        "--format",
        choices=("table", *formats),
        default="table",
        help="\n".join(
            ["table (default): in percent, for people", *map(": ".join, formats.items())]
        ),
    )
    return command


def _add_conventions(command: argparse.ArgumentParser, names: Iterable[str]) -> None:
    if "twinless" in names:
        command.add_argument(
            "--like",
            metavar="PROGRAM",
            help="score by the conventions of another program, measure by measure; 'corefeval "
            "explain' shows all of them",
        )
    conventions = command.add_argument_group("conventions")
    for convention in names:
        choices = CHOICES[convention]
        default, *others = choices
        lines = [f"{default} (default): {choices[default]}"]
        lines += [f"{choice}: {choices[choice]}" for choice in others]
        conventions.add_argument(
            f"--{convention.replace('_', '-')}",
            dest=convention,
            choices=tuple(choices),
            help="\n".join(lines).replace("%", "%%"),
        )


# corefeval score


def _score(arguments: argparse.Namespace) -> str:
    if arguments.seed is not None and arguments.bootstrap is None:
        raise CorefError("--seed without --bootstrap: without draws there is nothing to seed")
    report = _evaluated(arguments, arguments.response, _table(arguments))
    found = None
    if arguments.bootstrap is not None:
        from corefeval.significance import bootstrap

        found = bootstrap(report, arguments.bootstrap, seed=arguments.seed or 0)
    rows = list(_score_rows(report, arguments.per_document, found))
    signature = (found or report).signature
    return _formatted(arguments.format, rows, _score_table, signature, len(report))


def _table(arguments: argparse.Namespace) -> OfTable | None:
    """The table of files that need more than their names to be read."""
    if not arguments.columns and not arguments.document:
        return None
    if not is_table(arguments.key):
        raise CorefError("--columns and --document are for Parquet and CSV files")
    from corefeval.engine import of_files

    columns, missing = arguments.columns or (), arguments.missing or "error"
    of = of_files(arguments.key, arguments.response, columns, arguments.document, missing)
    return OfTable(of)


def _evaluated(
    arguments: argparse.Namespace, response: str | None, table: OfTable | None = None
) -> Report:
    chosen = _chosen(arguments, CHOICES)
    metrics = arguments.metric or "standard"
    key = table or arguments.key
    return corefeval.evaluate(key, response, metrics, like=arguments.like, **chosen)


def _chosen(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, str]:
    given = {name: getattr(arguments, name) for name in names}
    return {name: choice for name, choice in given.items() if choice}


def _score_rows(report: Report, per_document: bool, found: Bootstrap | None) -> Iterator[Row]:
    """Each score with its exact counts, as text; documents first, the total last.

    Intervals, if any, are the total's.
    """
    documents: Mapping[Any, Any] = report.documents if per_document else {}
    for document, scores in [*documents.items(), (None, report.total)]:
        for measure, score in scores.items():
            row = dict.fromkeys(("document", "measure", *PARTS, *COUNTS)) | score.parts
            row |= {"document": None if document is None else str(document), "measure": measure}
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


def _interval(low: float | None, high: float | None) -> str:
    return NONE if low is None else f"[{percent(low)}, {percent(high)}]"


# corefeval compare


def _compare(arguments: argparse.Namespace) -> str:
    from corefeval.significance import compare

    a, b = (_evaluated(arguments, response) for response in (arguments.a, arguments.b))
    found = compare(a, b, arguments.resamples, seed=arguments.seed)
    rows = list(_compare_rows(found))
    return _formatted(arguments.format, rows, _compare_table, found.signature, len(a))


def _compare_rows(found: Comparison) -> Iterator[Row]:
    for name, each in found.differences.items():
        row = {"measure": name} | dict.fromkeys(COMPARED)
        if each:
            row |= zip(COMPARED, (*each[:4], *each.interval, each.p), strict=True)
        yield row


def _compare_table(rows: list[Row]) -> str:
    lines = [["measure", "score", "A", "B", "B − A", "95% interval", "p"]]
    for row in rows:
        part = (row["part"] or NONE).replace("f1", "F1")
        scores = (percent(row[name]) for name in ("a", "b", "difference"))
        interval = _interval(row["low"], row["high"])
        lines.append([row["measure"], part, *scores, interval, probability(row["p"])])
    return aligned(lines, right=5)


# corefeval explain


def _explain(arguments: argparse.Namespace) -> str:
    import json
    from shutil import get_terminal_size

    from corefeval.explain import as_json, as_text, explain

    metrics, chosen = arguments.metric or "standard", _chosen(arguments, OF_FILES)
    found = explain(arguments.key, arguments.response, metrics, **chosen)
    if arguments.format == "json":
        content = as_json(found, arguments.printed)
        return json.dumps(content, indent=2, ensure_ascii=False, default=float) + "\n"
    return as_text(found, arguments.printed, get_terminal_size().columns)


# Output


def _formatted(
    format: str, rows: list[Row], table: Callable[[list[Row]], str], signature: str, documents: int
) -> str:
    """The rows as a table for people, or in a format for machines, which has doubles."""
    if format == "json":
        return _json(rows, signature, documents)
    return _csv(rows, signature) if format == "csv" else f"{table(rows)}\n\n{signature}\n"


def _json(rows: list[Row], signature: str, documents: int) -> str:
    import json

    content: dict[str, Any] = {"signature": signature, "documents": documents, "metrics": {}}
    for row in rows:
        document, measure = row.pop("document", None), row.pop("measure")
        if document is None:
            content["metrics"][measure] = row
        else:
            content.setdefault("per_document", {}).setdefault(document, {})[measure] = row
    return json.dumps(content, indent=2, ensure_ascii=False, default=float) + "\n"


def _csv(rows: list[Row], signature: str) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[-1], "signature"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        numbers = {name: float(n) for name, n in row.items() if isinstance(n, Fraction)}
        writer.writerow(row | numbers | {"signature": signature})
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
