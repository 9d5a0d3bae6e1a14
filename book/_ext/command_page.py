"""The page on the command line: every command and option, as the parser itself has them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from templates import filled

from corefeval import cli
from corefeval.conventions import FIRST_CHOICES


def commands(book: Path) -> str:
    """A section for each command, with a table of its arguments."""
    parser = cli._parser()
    (subparsers,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return filled(
        "commands.md",
        program={
            "name": parser.prog,
            "description": parser.description,
            "table": _table(parser, parser._actions),
        },
        commands=[_section(name, command) for name, command in subparsers.choices.items()],
    )


def _section(name: str, command: argparse.ArgumentParser) -> dict[str, Any]:
    return {
        "name": name,
        "description": command.description,
        "usage": _usage(command),
        "groups": {
            _heading(group): _table(command, group._group_actions)
            for group in command._action_groups
            if _shown(group._group_actions)
        },
    }


def _shown(actions: list[argparse.Action]) -> list[argparse.Action]:
    return [a for a in actions if not isinstance(a, argparse._SubParsersAction)]


def _heading(group: argparse._ArgumentGroup) -> str:
    return str(group.title).removeprefix("positional ").capitalize()


def _usage(command: argparse.ArgumentParser) -> str:
    """The positional arguments and ``[options]``: the tables have the options one by one."""
    names = [
        f"[{a.metavar}]" if a.nargs == "?" else str(a.metavar)
        for a in command._actions
        if not a.option_strings
    ]
    return " ".join([command.prog, *names, "[options]"])


def _table(parser: argparse.ArgumentParser, actions: list[argparse.Action]) -> str:
    formatter = parser._get_formatter()
    arguments = [_argument(formatter, action) for action in _shown(actions)]
    return filled("arguments.html", arguments=arguments)


def _argument(formatter: argparse.HelpFormatter, action: argparse.Action) -> dict[str, Any]:
    """An argument and its help: of a convention the default, and where its choices are told."""
    if action.dest not in FIRST_CHOICES:
        return {"written": _written(action), "help": [*_help(formatter, action)]}
    return {
        "written": _written(action),
        "default": FIRST_CHOICES[action.dest],
        "anchor": f"convention-{action.dest}".replace("_", "-"),  # as docutils makes an id
    }


def _written(action: argparse.Action) -> list[str]:
    """An argument as it is typed, by each of its names."""
    if not action.option_strings:
        return [str(action.metavar)]
    value = ""
    if action.choices:
        value = " " + "|".join(map(str, action.choices))
    elif action.nargs != 0:
        names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
        value = f" {' '.join(names)}"
    return [name + value for name in action.option_strings]


def _help(formatter: argparse.HelpFormatter, action: argparse.Action) -> Iterator[str]:
    """The lines of its help; and its default, unless they say it."""
    text = formatter._expand_help(action)
    yield from text.splitlines()
    if action.nargs != 0 and action.default is not None and "default" not in text:
        yield f"default: {action.default}"
