"""The commands ``corefeval explain`` and ``corefeval anatomy``."""

from __future__ import annotations

import argparse

from corefeval import commands
from corefeval.conventions import OF_FILES
from corefeval.display import printable


def add_explain(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_explain)
    command.description = (
        "Score a response as every scorer would that --like knows, show the scores that are not "
        "ours and what makes the difference, and say what is wrong with the files."
    )
    commands.add_key_and_response(command, "--printed 83.33")
    commands.add_measures(command)
    command.add_argument(
        "--scorer",
        metavar="SCORER",
        action="append",
        help="why this one differs; may be given several times (default: all)",
    )
    commands.add_input(command, conventions=False)
    command.add_argument(
        "--printed",
        metavar="NUMBER",
        help="which scorers print this number, as 83.33, 83,33 %% or 0.8333",
    )
    commands.add_output(command, json="values in [0, 1], of every scorer")


def run_explain(arguments: argparse.Namespace) -> str:
    """Say why other scorers print other numbers."""
    from corefeval.analysis.explain import explain
    from corefeval.analysis.explanation import as_json, as_text

    chosen = commands.chosen_of(arguments, (*OF_FILES, "scorer", "empty_side"))
    key, response = commands.sides(arguments)
    found = explain(key, response, arguments.metric or "standard", **chosen)
    if arguments.format == "json":
        return commands.in_json(as_json(found, arguments.printed))
    return as_text(found, arguments.printed, commands.width())


def add_anatomy(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_anatomy)
    command.description = (
        "Say which entities were split, merged, missed or invented, and what each of them costs. "
        "The mentions of a key entity are all in one response entity (whole), some in one and the "
        "others in none (partial), in two or more (split), or in none (missed); response entities "
        "are pure, padded, merged or invented likewise. "
        "What a measure loses in recall is shared out to key entities, what it loses in precision "
        "to response entities, so that the parts add up exactly."
    )
    commands.add_key_and_response(command, "--html viewer.html")
    command.add_argument(
        "-m",
        "--measure",
        metavar="NAME",
        help="list the entities that cost most by this measure (default: b3)",
    )
    commands.add_measures(
        command,
        "reckon costs by this measure, or by several, as muc,b3 (default: mentions muc b3 ceafm "
        "ceafe blanc lea; pairwise has costs, too)",
    )
    commands.add_input(command)
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
    commands.add_output(
        command,
        json="everything, of every document and entity; costs in [0, 1]",
        csv="a row for each entity; costs in [0, 1]",
    )


def run_anatomy(arguments: argparse.Namespace) -> str:
    """Say what became of each entity, and what it costs."""
    from corefeval.analysis.dissect import output
    from corefeval.analysis.dissect.anatomy import anatomy
    from corefeval.analysis.dissect.costs import USUAL

    key, response = commands.sides(arguments)
    metrics = [name.strip() for name in ",".join(arguments.metric or USUAL).split(",")]
    measure = arguments.measure or ("b3" if "b3" in metrics else metrics[0])
    names = list(dict.fromkeys([*metrics, measure]))
    found = anatomy(key, response, names, **commands.chosen_of(arguments))
    found.check_measure(measure)
    if arguments.html is not None:
        title = printable(f"Errors of {arguments.response or arguments.key}")
        commands.save(arguments.html, found.to_html(title), [arguments.key, arguments.response])
        commands.say(f"wrote {arguments.html}")
    if arguments.repairs:
        repaired = found.repairs()
        content = repaired.to_dict() | {"signature": repaired.signature}
        return commands.shown(arguments.format, repaired, content)
    if arguments.format == "json":
        return commands.in_json(found.to_dict())
    if arguments.format == "csv":
        rows = list(output.entity_rows(found))
        return commands.in_csv(rows, found.signature, output.entity_columns(found))
    return f"{output.as_text(found, measure)}\n"
