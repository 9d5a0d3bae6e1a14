"""The command ``corefeval``: scores a response, or compares two.

All output is made before any is written, so that an error leaves nothing on standard output.
Exit code 0, or 2 for input that cannot be scored.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import corefeval
from corefeval._version import __version__
from corefeval.conventions import CHOICES
from corefeval.display import NONE, aligned, percent, probability
from corefeval.errors import CorefError
from corefeval.registry import MEASURES, SUITES
from corefeval.score import Pair, Score

if TYPE_CHECKING:
    from corefeval.report import Report
    from corefeval.significance import Bootstrap, Comparison, Difference, Interval, Intervals

PARTS = ("recall", "precision", "f1", "value")
COUNTS = ("recall_hits", "recall_total", "precision_hits", "precision_total")
COMPARED = ("part", "a", "b", "difference", "low", "high", "p")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (the process's own by default); returns its exit code.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    corefeval ...
    0
    """
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
    return parser


def _add_score(commands: Any) -> None:
    score = _add_command(
        commands,
        "score",
        "score a response against a key",
        "Score a response against a key, both CoNLL-2012 files. A line of a document "
        "that begins with # is a token if its last column is a coreference column (-, (3), 3), "
        "(1|2)), else a comment.",
        formats="json: values in [0, 1], counts as exact fractions\n"
        "csv: the same, a row per document and measure; the document of a total is empty",
        key="the file with the right coreference",
        response="the file to be judged by it",
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
        "Compare the totals of two responses to a key, all CoNLL-2012 files: their F1, "
        "or their value by a measure that has no F1; by how much that of B is higher; its 95% "
        "interval from random draws of documents; and p, how often a difference as large comes "
        "from swapping the two responses' documents at random. The p-values of several measures "
        "are not corrected for their number.",
        formats="json, csv: values in [0, 1]",
        key="the file with the right coreference",
        a="a file to be judged by it",
        b="the file to compare with A",
    )
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


def _add_command(
    commands: Any, name: str, help: str, description: str, *, formats: str, **files: str
) -> argparse.ArgumentParser:
    """A command on these files, with the options that all commands have."""
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=help, description=description, formatter_class=_Help, allow_abbrev=False
    )
    for file, role in files.items():
        command.add_argument(file, metavar=file.upper(), help=role)
    command.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        help="a measure or a suite; may be given several times (default: standard)\n"
        f"measures: {' '.join(MEASURES)}\nsuites: {' '.join([*SUITES, 'all'])}",
    )
    command.add_argument(
        "--format",
        choices=("table", "json", "csv"),
        default="table",
        help=f"table (default): in percent, for people\n{formats}",
    )
    conventions = command.add_argument_group("conventions")
    for convention, choices in CHOICES.items():
        default, *others = choices
        lines = [f"{default} (default): {choices[default]}"]
        lines += [f"{choice}: {choices[choice]}" for choice in others]
        conventions.add_argument(
            f"--{convention.replace('_', '-')}",
            dest=convention,
            choices=tuple(choices),
            default=default,
            help="\n".join(lines).replace("%", "%%"),
        )
    return command


# corefeval score


def _score(arguments: argparse.Namespace) -> str:
    if arguments.seed is not None and arguments.bootstrap is None:
        raise CorefError("--seed without --bootstrap: without draws there is nothing to seed")
    report = _evaluated(arguments, arguments.response)
    found = None
    if arguments.bootstrap is not None:
        from corefeval.significance import bootstrap

        found = bootstrap(report, arguments.bootstrap, seed=arguments.seed or 0)
    formats = {"table": _score_table, "json": _score_json, "csv": _score_csv}
    return formats[arguments.format](report, arguments.per_document, found)


def _evaluated(arguments: argparse.Namespace, response: str) -> Report:
    chosen = {name: getattr(arguments, name) for name in CHOICES}
    return corefeval.evaluate(arguments.key, response, arguments.metric or "standard", **chosen)


def _rows(report: Report, per_document: bool) -> Iterator[tuple[str | None, str, Score]]:
    """Document (None for all of them), measure and score: documents first, the total last."""
    if per_document:
        for document, scores in report.documents.items():
            for measure, score in scores.items():
                yield str(document), measure, score
    for measure, score in report.total.items():
        yield None, measure, score


def _score_table(report: Report, per_document: bool, found: Bootstrap | None) -> str:
    rows = list(_rows(report, per_document))
    # Most measures have no value; a column of dashes would only be in the way.
    valued = any("value" in score.parts for _, _, score in rows)
    parts = PARTS if valued else PARTS[:-1]
    lines = [["document", "measure"]]
    for part in parts:
        lines[0] += [part.replace("f1", "F1"), *(["95% interval"] if found else [])]
    for document, name, score in rows:
        line = ["TOTAL" if document is None else document, name]
        for part in parts:
            line.append(percent(score.parts.get(part)))
            if found:
                total = document is None
                line.append(_interval(getattr(found.intervals[name], part) if total else None))
        lines.append(line)
    if not per_document:
        lines = [line[1:] for line in lines]
    right = len(parts) * (2 if found else 1)
    return f"{aligned(lines, right)}\n\n{(found or report).signature}\n"


def _interval(interval: Interval | None) -> str:
    """In percent.

    >>> from corefeval.significance import Interval
    >>> _interval(Interval(-0.125, 0.5)), _interval(None)
    ('[-12.50, 50.00]', '—')
    """
    return NONE if interval is None else f"[{percent(interval.low)}, {percent(interval.high)}]"


def _score_json(report: Report, per_document: bool, found: Bootstrap | None) -> str:
    content: dict[str, Any] = {
        "signature": (found or report).signature,
        "documents": len(report),
        "metrics": _numbers_by_name(report.total),
    }
    if found:
        for name, intervals in found.intervals.items():
            content["metrics"][name] |= _ends(intervals)
    if per_document:
        content["per_document"] = {
            str(document): _numbers_by_name(scores) for document, scores in report.documents.items()
        }
    return _json(content)


def _score_csv(report: Report, per_document: bool, found: Bootstrap | None) -> str:
    ends = _ends(None) if found else {}
    rows: list[list[object]] = [["document", "measure", *PARTS, *COUNTS, *ends]]
    for document, measure, score in _rows(report, per_document):
        if found:
            ends = _ends(found.intervals[measure] if document is None else None)
        rows.append([document, measure, *_numbers(score).values(), *ends.values()])
    return _csv(rows, (found or report).signature)


def _numbers_by_name(scores: Mapping[str, Score]) -> dict[str, dict[str, float | str | None]]:
    return {name: _numbers(score) for name, score in scores.items()}


def _numbers(score: Score) -> dict[str, float | str | None]:
    """A score for machines: doubles, and the counts that they come from as exact fractions.

    >>> list(_numbers(corefeval.metric("muc")("{A B C}", "{A B} {C}")).values())
    [0.5, 1.0, 0.6666666666666666, None, '1', '2', '1', '1']
    """
    numbers: dict[str, float | str | None] = dict.fromkeys((*PARTS, *COUNTS))
    numbers |= {part: float(number) for part, number in score.parts.items()}
    if isinstance(score.counts, Pair):
        for part in ("recall", "precision"):
            tally = getattr(score.counts, part)
            if not isinstance(tally.total, float):  # logarithms have no exact counts
                numbers[f"{part}_hits"] = str(tally.hits)
                numbers[f"{part}_total"] = str(tally.total)
    return numbers


def _ends(intervals: Intervals | None) -> dict[str, float | None]:
    """The ends of a score's intervals for machines."""
    ends: dict[str, float | None] = {}
    for part in PARTS:
        low, high = getattr(intervals, part, None) or (None, None)
        ends |= {f"{part}_low": low, f"{part}_high": high}
    return ends


# corefeval compare


def _compare(arguments: argparse.Namespace) -> str:
    from corefeval.significance import compare

    a, b = (_evaluated(arguments, response) for response in (arguments.a, arguments.b))
    found = compare(a, b, arguments.resamples, seed=arguments.seed)
    formats = {"table": _compare_table, "json": _compare_json, "csv": _compare_csv}
    return formats[arguments.format](found, len(a))


def _compare_table(found: Comparison, documents: int) -> str:
    lines = [["measure", "score", "A", "B", "B − A", "95% interval", "p"]]
    for name, each in found.differences.items():
        if each is None:
            lines.append([name, *[NONE] * 6])
        else:
            scores = map(percent, (each.a, each.b, each.difference))
            part, interval = each.part.replace("f1", "F1"), _interval(each.interval)
            lines.append([name, part, *scores, interval, probability(each.p)])
    return f"{aligned(lines, right=5)}\n\n{found.signature}\n"


def _compare_json(found: Comparison, documents: int) -> str:
    metrics = {name: _compared(each) for name, each in found.differences.items()}
    return _json({"signature": found.signature, "documents": documents, "metrics": metrics})


def _compare_csv(found: Comparison, documents: int) -> str:
    rows = [[name, *_compared(each).values()] for name, each in found.differences.items()]
    return _csv([["measure", *COMPARED], *rows], found.signature)


def _compared(each: Difference | None) -> dict[str, float | str | None]:
    """A difference for machines."""
    if each is None:
        return dict.fromkeys(COMPARED)
    numbers = map(float, (*each[1:4], *each.interval, each.p))
    return dict(zip(COMPARED, (each.part, *numbers), strict=True))


# Output


def _json(content: Any) -> str:
    import json

    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _csv(rows: Iterable[Sequence[object]], signature: str) -> str:
    """Header and rows, each row with the signature at its end."""
    import csv
    import io

    text = io.StringIO()
    header, *others = rows
    lines = [[*header, "signature"], *([*row, signature] for row in others)]
    csv.writer(text, lineterminator="\n").writerows(lines)
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
