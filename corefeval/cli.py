"""The command ``corefeval``: scores two files, prints the ledger.

All output is made before any is written, so that an error leaves nothing on standard output.
Exit code 0, 1 if `reproduce` finds a figure that fails, 2 for input that cannot be scored.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import corefeval
from corefeval.conventions import CHOICES
from corefeval.errors import CorefError
from corefeval.registry import MEASURES, SUITES
from corefeval.score import Pair, Score

if TYPE_CHECKING:
    from corefeval.ledger import Row
    from corefeval.report import Report

NONE = "—"
PARTS = ("recall", "precision", "f1", "value")
COUNTS = ("recall_hits", "recall_total", "precision_hits", "precision_total")
LEDGER_FIELDS = (
    "paper", "place", "example", "measure", "printed", "computed", "verdict", "note",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (the process's own by default); returns its exit code.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    corefeval ...
    0
    """
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            output, code = _run(_parser(), argv)
            _write(output)
        except CorefError as error:
            print(f"corefeval: error: {error}", file=sys.stderr)
            return 2
        except SystemExit as done:  # --help and --version have printed
            return int(done.code or 0)
        except BrokenPipeError:  # as in `corefeval score … | head -1`: nobody reads on
            return 141
        except KeyboardInterrupt:
            return 130
    return code


def _run(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> tuple[str, int]:
    """What a command prints, and its exit code."""
    arguments = parser.parse_args(argv)
    if "run" not in arguments:
        print(parser.format_help(), end="", file=sys.stderr)
        return "", 2
    output, code = arguments.run(arguments)
    return str(output), int(code)


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
    parser.add_argument("--version", action="version", version=f"%(prog)s {corefeval.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    _add_score(commands)
    _add_reproduce(commands)
    return parser


def _add_score(commands: Any) -> None:
    score = commands.add_parser(
        "score",
        help="score a response against a key",
        description="Score a response against a key, both CoNLL-2012 files.",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    score.add_argument("key", metavar="KEY", help="the file with the right coreference")
    score.add_argument("response", metavar="RESPONSE", help="the file to be judged by it")
    score.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        help="a measure or a suite; may be given several times (default: standard)\n"
        f"measures: {' '.join(MEASURES)}\nsuites: {' '.join([*SUITES, 'all'])}",
    )
    score.add_argument(
        "--per-document", action="store_true", help="the score of each document, then the total"
    )
    score.add_argument(
        "--format",
        choices=("table", "json", "csv"),
        default="table",
        help="table (default): in percent, for people\n"
        "json: values in [0, 1], counts as exact fractions\n"
        "csv: the same, a row per document and measure; the document of a total is empty",
    )
    conventions = score.add_argument_group("conventions")
    for name, choices in CHOICES.items():
        default, *others = choices
        lines = [f"{default} (default): {choices[default]}"]
        lines += [f"{choice}: {choices[choice]}" for choice in others]
        conventions.add_argument(
            f"--{name.replace('_', '-')}",
            dest=name,
            choices=tuple(choices),
            default=default,
            help="\n".join(lines).replace("%", "%%"),
        )
    score.set_defaults(run=_score)


def _add_reproduce(commands: Any) -> None:
    reproduce = commands.add_parser(
        "reproduce",
        help="compare every figure that the papers print with ours",
        description="Compute every figure that a paper prints, and compare: the ledger. "
        "The exit code is 1 if a figure fails.",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    reproduce.add_argument("paper", metavar="PAPER", nargs="?", help="one paper (default: all)")
    reproduce.add_argument("--format", choices=("table", "json"), default="table")
    reproduce.set_defaults(run=_reproduce)


# corefeval score


def _score(arguments: argparse.Namespace) -> tuple[str, int]:
    report = corefeval.evaluate(
        arguments.key,
        arguments.response,
        arguments.metric or "standard",
        **{name: getattr(arguments, name) for name in CHOICES},
    )
    formats = {"table": _score_table, "json": _score_json, "csv": _score_csv}
    return formats[arguments.format](report, arguments.per_document), 0


def _rows(report: Report, per_document: bool) -> Iterator[tuple[str | None, str, Score]]:
    """Document (None for all of them), measure and score: documents first, the total last."""
    if per_document:
        for document, scores in report.documents.items():
            for measure, score in scores.items():
                yield str(document), measure, score
    for measure, score in report.total.items():
        yield None, measure, score


def _score_table(report: Report, per_document: bool) -> str:
    rows = list(_rows(report, per_document))
    # Most measures have no value; a column of dashes would only be in the way.
    valued = any(score.value is not None for _, _, score in rows)
    parts = PARTS if valued else PARTS[:-1]
    header = ["measure", "recall", "precision", "F1", "value"][: len(parts) + 1]
    lines = [[name, *(percent(getattr(score, part)) for part in parts)] for _, name, score in rows]
    if per_document:
        header = ["document", *header]
        lines = [
            ["TOTAL" if document is None else document, *line]
            for (document, _, _), line in zip(rows, lines, strict=True)
        ]
    return f"{aligned([header, *lines], right=len(parts))}\n\n{report.signature}\n"


def _score_json(report: Report, per_document: bool) -> str:
    import json

    content: dict[str, Any] = {
        "signature": report.signature,
        "documents": len(report),
        "metrics": _numbers_by_name(report.total),
    }
    if per_document:
        content["per_document"] = {
            str(document): _numbers_by_name(scores) for document, scores in report.documents.items()
        }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _score_csv(report: Report, per_document: bool) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["document", "measure", *PARTS, *COUNTS, "signature"])
    for document, measure, score in _rows(report, per_document):
        writer.writerow([document, measure, *_numbers(score).values(), report.signature])
    return text.getvalue()


def _numbers_by_name(scores: Mapping[str, Score]) -> dict[str, dict[str, float | str | None]]:
    return {name: _numbers(score) for name, score in scores.items()}


def _numbers(score: Score) -> dict[str, float | str | None]:
    """A score for machines: doubles, and the counts that they come from as exact fractions.

    >>> list(_numbers(corefeval.metric("muc")("{A B C}", "{A B} {C}")).values())
    [0.5, 1.0, 0.6666666666666666, None, '1', '2', '1', '1']
    """
    numbers: dict[str, float | str | None] = dict.fromkeys((*PARTS, *COUNTS))
    for part in PARTS:
        if (value := getattr(score, part)) is not None:
            numbers[part] = float(value)
    if isinstance(score.counts, Pair):
        for part in ("recall", "precision"):
            tally = getattr(score.counts, part)
            if not isinstance(tally.total, float):  # logarithms have no exact counts
                numbers[f"{part}_hits"] = str(tally.hits)
                numbers[f"{part}_total"] = str(tally.total)
    return numbers


def percent(value: Fraction | None) -> str:
    """In percent with two decimals; the exact value is rounded, halves away from zero.

    >>> percent(Fraction(2, 3)), percent(Fraction(1, 800)), percent(None)
    ('66.67', '0.13', '—')
    """
    if value is None:
        return NONE
    hundredths = (abs(Fraction(value)) * 20000 + 1) // 2
    sign = "-" if value < 0 < hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


# corefeval reproduce


def _reproduce(arguments: argparse.Namespace) -> tuple[str, int]:
    from corefeval import ledger

    rows = ledger.rows(arguments.paper)
    output = _ledger_json(rows) if arguments.format == "json" else _ledger_table(rows)
    return output, int(any(row.verdict == "failed" for row in rows))


def _ledger_json(rows: Sequence[Row]) -> str:
    import json

    content = [{field: getattr(row, field) for field in LEDGER_FIELDS} for row in rows]
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _ledger_table(rows: Sequence[Row]) -> str:
    """A table per paper, and how often each verdict was given."""
    columns = LEDGER_FIELDS[1:-1]
    tables = []
    for paper in dict.fromkeys(row.paper for row in rows):
        lines = [
            [" ".join(getattr(row, column).split()) for column in columns]
            for row in rows
            if row.paper == paper
        ]
        tables.append(f"{paper}\n\n{aligned([list(columns), *lines])}\n")
    verdicts = [row.verdict for row in rows]
    counts = ", ".join(f"{verdicts.count(each)} {each}" for each in dict.fromkeys(verdicts))
    return "\n".join([*tables, f"{len(rows)} figures: {counts or 'none'}\n"])


# Terminal


def aligned(rows: Sequence[Sequence[str]], right: int = 0) -> str:
    """Columns of equal width, the last ``right`` of them aligned to the right.

    >>> print(aligned([["measure", "F1"], ["b3", "7.50"], ["muc", "100.00"]], right=1))
    measure      F1
    b3         7.50
    muc      100.00
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    first_right = len(widths) - right
    lines = (
        "  ".join(
            cell.rjust(width) if i >= first_right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


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
        _discard_output()
        if isinstance(error, BrokenPipeError):
            raise
        raise CorefError(f"cannot write the result: {error.strerror or error}") from error


def _discard_output() -> None:
    """Else Python would try once more on leaving, and complain."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"corefeval: warning: {message}", file=sys.stderr)
