"""The commands ``corefeval explain`` and ``corefeval anatomy``."""

from __future__ import annotations

import argparse

from corefeval import cli
from corefeval.conventions import OF_FILES
from corefeval.display import printable


def add_explain(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval explain``."""
    command.set_defaults(run=run_explain)
    command.description = (
        "Score a response as every scorer would that --like knows, show the scores that are not "
        "ours and what makes the difference, and say what is wrong with the files."
    )
    cli.add_key_and_response(command, "--scorer reference")
    cli.add_measures(command)
    command.add_argument(
        "--scorer",
        metavar="SCORER",
        action="append",
        help="why this one differs; may be given several times (default: all)",
    )
    cli.add_input(command, conventions=False)
    command.add_argument(
        "--printed",
        metavar="NUMBER",
        help="which scorers print this number, as 83.33, 83,33 %% or 0.8333",
    )
    cli.add_output(command, "json")


def run_explain(arguments: argparse.Namespace) -> str:
    """Say why other scorers print other numbers."""
    from corefeval.analysis.explain import explain

    chosen = cli.chosen_of(arguments, (*OF_FILES, "scorer"))
    key, response = cli.key_and_response(arguments)
    reasons = explain(key, response, arguments.metric or "standard", **chosen)
    if arguments.format == "table":
        return cli.in_lines(reasons.summary, reasons.table(), reasons.notes(arguments.printed))
    return cli.in_format(arguments.format, reasons, reasons.to_dict(arguments.printed))


def add_anatomy(command: argparse.ArgumentParser) -> None:
    """Add what may be typed behind ``corefeval anatomy``."""
    command.set_defaults(run=run_anatomy)
    command.description = (
        "Say which entities were split, merged, missed or invented, and what they cost. The "
        "mentions of a key entity are all in one response entity (whole), some in one and the "
        "others in none (partial), in two or more (split), or in none (missed); response entities "
        "are pure, padded, merged or invented likewise. What a measure loses in recall is shared "
        "out to key entities, in precision to response entities; the parts add up exactly."
    )
    cli.add_key_and_response(command, "--html errors.html")
    text = "list the entities that cost most by this measure (default: b3)"
    command.add_argument("-m", "--measure", metavar="NAME", help=text)
    text = "how many of them to list, in the table and on the page (default: 12)"
    command.add_argument("--top", metavar="N", type=_number, default=12, help=text)
    text = (
        "reckon costs by this measure, or by several, as muc,b3 (default: mentions muc b3 ceafm "
        "ceafe blanc lea; pairwise has costs, too)"
    )
    cli.add_measures(command, text)
    cli.add_input(command, like=False)
    text = "write a page that shows the text with its entities and errors, to open in a browser"
    command.add_argument("--html", metavar="FILE", help=text)
    cli.add_output(command, "json", "csv")


def _number(typed: str) -> int:
    """How many entities to list."""
    if not typed.isdecimal() or not int(typed):
        raise argparse.ArgumentTypeError(f"{typed!r}: expected a whole number from 1 on")
    return int(typed)


def run_anatomy(arguments: argparse.Namespace) -> str:
    """Say what became of each entity, and what it costs."""
    from corefeval.analysis.anatomy import USUAL, anatomy
    from corefeval.analysis.page import costliest_by
    from corefeval.registry import names_of

    named = [arguments.measure] if arguments.measure else []
    names = list(dict.fromkeys([*names_of(arguments.metric or USUAL), *named]))
    errors = anatomy(*cli.key_and_response(arguments), names, **cli.chosen_of(arguments))
    listed = arguments.measure or errors.usual, arguments.top
    if arguments.html is not None:
        title = printable(f"Errors of {arguments.response or arguments.key}")
        page = errors.to_html(title, *listed)
        cli.save(arguments.html, page, [arguments.key, arguments.response])
        cli.say(f"wrote {arguments.html}")
    if arguments.format == "table":
        head, table = costliest_by(listed[0]), errors.costliest_table(*listed)
        return f"{errors!r}\n\n{head}\n{table.text()}\n"
    content = {"signature": errors.signature, "entities": list(errors.rows())}
    return cli.in_format(arguments.format, errors, content)
