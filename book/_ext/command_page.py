"""The page on the command line: every command and option, as the parser itself has them.

An option that several commands have in the same words stands once, in a table of its own.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from templates import filled, plain

from corefeval import cli
from corefeval.conventions import CHOICES, FIRST_CHOICES, OF_FILES


class Argument(NamedTuple):
    """An argument as it is typed, by each of its names, and the lines of its help."""

    written: tuple[str, ...]
    help: tuple[str, ...]
    choice: str = ""
    """The convention, or the option for reading files, that it chooses."""


def command(book: Path, name: str) -> str:
    """What a command does, how it is typed, and the options that it alone has."""
    parser = _commands()[name]
    own = [each for each in _arguments(parser) if len(_users()[each]) == 1]
    return filled(
        "command.md",
        name=parser.prog,
        anchor=name,
        # An option keeps its two hyphens, which would become a dash.
        description=re.sub(r"--[a-z-]+", r"`\g<0>`", plain(str(parser.description))),
        usage=_usage(parser),
        table=_table(own) if own else "",
    )


def common_options(book: Path) -> str:
    """The options that several commands have, with these commands."""
    shared = {each: users for each, users in _users().items() if len(users) > 1}
    return _table([each for each in shared if not each.choice], shared)


def conventions(book: Path) -> str:
    """The options that choose conventions, with their defaults."""
    return _table([each for each in _users() if each.choice in CHOICES], _users())


def reading(book: Path) -> str:
    """The options for reading files, with their defaults."""
    return _table([each for each in _users() if each.choice in OF_FILES], _users())


@cache
def _commands() -> dict[str, argparse.ArgumentParser]:
    actions = cli._parser()._actions
    (found,) = (a for a in actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


@cache
def _users() -> dict[Argument, list[str]]:
    """Every argument, and the commands that have it."""
    found: defaultdict[Argument, list[str]] = defaultdict(list)
    for name, parser in _commands().items():
        for argument in _arguments(parser):
            found[argument].append(name)
    return found


def _arguments(parser: argparse.ArgumentParser) -> list[Argument]:
    formatter = parser._get_formatter()
    return [_argument(formatter, action) for action in parser._actions]


def _argument(formatter: argparse.HelpFormatter, action: argparse.Action) -> Argument:
    """An argument with its help: of what is chosen by name the default."""
    written = tuple(_written(action))
    if action.dest in FIRST_CHOICES:
        return Argument(written, (FIRST_CHOICES[action.dest],), action.dest)
    return Argument(written, tuple(_help(formatter, action)))


def _usage(command: argparse.ArgumentParser) -> str:
    """The positional arguments and ``[options]``: the tables have the options one by one."""
    optional = {"?": "[{}]", "*": "[{} …]"}
    names = [
        optional.get(str(action.nargs), "{}").format(action.metavar)
        for action in command._actions
        if not action.option_strings
    ]
    return " ".join([command.prog, *names, "[options]"])


def _table(arguments: list[Argument], users: dict[Argument, list[str]] | None = None) -> str:
    rows = [
        {
            "written": each.written,
            "help": each.help,
            "anchor": each.choice and f"convention-{each.choice}".replace("_", "-"),
            "users": users[each] if users else [],
        }
        for each in arguments
    ]
    return filled("arguments.html", arguments=rows, named=bool(users))


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
