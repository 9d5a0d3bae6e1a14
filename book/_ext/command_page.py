"""The page on the command line: every command and option, as the parser itself has them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from html import escape
from pathlib import Path

from ledger_pages import plain

from corefeval import cli
from corefeval.conventions import CHOICES


def commands(book: Path) -> str:
    """A section for each command, with a table of its arguments."""
    parser = cli._parser()
    (subparsers,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    parts = [
        f"{plain(str(parser.description))} These options come without a command:",
        _table(parser, parser._actions),
    ]
    for name, command in subparsers.choices.items():
        parts += [
            f"(command-{name})=\n## `{parser.prog} {name}`",
            plain(str(command.description)),
            f"```text\n{_usage(command)}\n```",
        ]
        for group in command._action_groups:
            if _shown(group._group_actions):
                parts += [
                    f"### {_heading(group)} of `{name}`",
                    _table(command, group._group_actions),
                ]
    return "\n\n".join(parts)


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
    rows = "\n".join(
        f'<tr><th scope="row">{_written(action)}</th><td>{_told(formatter, action)}</td></tr>'
        for action in _shown(actions)
    )
    head = '<tr><th scope="col">argument</th><th scope="col">meaning</th></tr>'
    return (
        '<div class="cell_output"><div class="text_html" tabindex="0">'
        '<table class="dataframe options">\n'
        f"<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody>\n</table></div></div>"
    )


def _written(action: argparse.Action) -> str:
    """An argument as it is typed."""
    if not action.option_strings:
        return f"<code>{escape(str(action.metavar))}</code>"
    value = ""
    if action.choices:
        value = " " + "|".join(map(str, action.choices))
    elif action.nargs != 0:
        names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
        value = f" {' '.join(names)}"
    return ", ".join(f"<code>{escape(name + value)}</code>" for name in action.option_strings)


def _told(formatter: argparse.HelpFormatter, action: argparse.Action) -> str:
    """What an argument does: of a convention the default, and a link to what its choices do."""
    if action.dest in CHOICES:
        default = f"default: <code>{next(iter(CHOICES[action.dest]))}</code>"
        anchor = f"convention-{action.dest}".replace("_", "-")  # as docutils makes an id
        return f'{default}; <a href="measures.html#{anchor}">what each does</a>'
    return "<br>".join(map(escape, _help(formatter, action)))


def _help(formatter: argparse.HelpFormatter, action: argparse.Action) -> Iterator[str]:
    """The lines of its help; and its default, unless they say it."""
    text = formatter._expand_help(action)
    yield from text.splitlines()
    if action.nargs != 0 and action.default is not None and "default" not in text:
        yield f"default: {action.default}"
