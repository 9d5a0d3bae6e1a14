"""Pages over data: a page with ``data: true`` in its front matter is a template of Jinja.

Such a page says itself what is listed and in which order. Here stand the words that it may use:
values, functions without arguments, and filters. Chapters are never templates.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import ledger_pages
import project_pages
from corefbook import draw, ledger
from corefbook.draw.timeline import MEASURES
from corefbook.pages import living
from corefbook.studies import behaviours, suites
from finished import BEGIN, html
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape
from measures import measures
from playground import FOLDER, pyodide
from sphinx.application import Sphinx
from templates import capital, plain

from corefeval import cli
from corefeval.conventions import CHOICES, OF_FILES

BOOK = ledger.DATA.parent / "book"
MARK = re.compile(r"\A---\n(?:[^-].*\n)*?data: true\n")
"""How a page begins that is a template."""


# ---------------------------------------------------------------------------------- words


class InColumns(cli._Help):
    """Puts what is said of an option where it stands beside the longest one."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = self._max_help_position


class Help(NamedTuple):
    """What a command prints for --help, but for the options that other commands have, too."""

    own: str
    shared: Sequence[str]


@cache
def helps() -> dict[str, Help]:
    """The help of each command, and the options that stand in `shared_options`."""
    help_of = {}
    for name, parser in _commands().items():
        shared = [each for each in parser._actions if len(_commands_with(each)) > 1]
        names = [each.option_strings[-1] for each in shared]
        for action in shared:
            action.help = argparse.SUPPRESS
        if shared:
            parser.formatter_class = InColumns
        help_of[name] = Help(parser.format_help().strip(), names)
    return help_of


@cache
def shared_options() -> str:
    """The options that several commands have, once, below the names of these commands."""
    parser = argparse.ArgumentParser(usage="", add_help=False, formatter_class=InColumns)
    groups: dict[tuple[str, ...], Any] = {}
    listed = set()
    for command in _commands().values():
        for action in command._actions:
            names = _commands_with(action)
            if len(names) < 2 or _said(action) in listed:
                continue
            if names not in groups:
                title = f"{', '.join(names[:-1])} and {names[-1]}"
                groups[names] = parser.add_argument_group(title)
            groups[names]._add_action(action)
            listed.add(_said(action))
    return parser.format_help().partition("\n\n")[2].strip()


def _commands() -> dict[str, argparse.ArgumentParser]:
    """The parsers of the commands, new at each call, since one may be changed."""
    (commands,) = (
        action
        for action in cli._parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


@cache
def _having() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Of what --help says of an option, the commands that say it in the same words."""
    commands_of: dict[tuple[str, ...], list[str]] = {}
    for name, parser in _commands().items():
        for action in parser._actions:
            commands_of.setdefault(_said(action), []).append(name)
    return {said: tuple(names) for said, names in commands_of.items()}


def _said(action: argparse.Action) -> tuple[str, ...]:
    shape = (action.metavar, action.nargs, action.choices, action.help)
    return (*action.option_strings, *map(str, shape))


def _commands_with(action: argparse.Action) -> tuple[str, ...]:
    """The commands that have an option with the same help; none where it is no option."""
    if not action.option_strings or action.dest == "help":
        return ()
    return _having()[_said(action)]


STRIP = (
    "vilain1995-examples-with-more-complexity-second-complex-2-muc-recall",
    "baldwin1998-figure-6-b-cubed-algorithm-totals-example-1-b-precision",
    "pradhan2014-section-4-3-2-ceafe-walk-through-ceaf-f1",
    "popescubelis-table-4-example-3-b-f1",
    "pradhan2014-section-2-the-version-of-section-4-2-scenario-2-b-precision",
)
"""The figures of the first page: of each source that was read whole, and one that differs."""


def strip() -> list[ledger.Row]:
    """The rows of the first page's figures."""
    row_of = {row.id: row for row in ledger_pages.rows()}
    return [row_of[name] for name in STRIP]


def interpreter() -> bool:
    """Whether the pages that run Python can do so in this book."""
    return pyodide(BOOK / FOLDER) is not None


def figure() -> str:
    """The sentence with its mentions, which can be moved, and the scores of the response."""
    return living.living()._repr_html_()


def timeline() -> str:
    """The measures in the order of their papers, as a picture."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()


class Counted(NamedTuple):
    """A scorer's own tests, how many of their triples are equal here, and cannot be said."""

    suite: suites.Suite
    equal: int
    unsaid: int
    origin: suites.Suite | None


@cache
def counted_suites() -> list[Counted]:
    every = suites.suites()
    return [
        Counted(each, suites.equal(name), sum(each.not_said.values()), every.get(each.same_as))
        for name, each in every.items()
    ]


def different() -> int:
    """How many triples are no copies, to the nearest ten; of CorefUD's, all are taken for such."""
    return round(suites.different() + suites.suites()["corefud"].asserted, -1)


WORDS = {
    "added": ledger_pages.ADDED,
    "behaviours": behaviours,
    "conventions": CHOICES,
    "different": different,
    "for_files": OF_FILES,
    "groups": ledger.GROUPS,
    "helps": helps,
    "interpreter": interpreter,
    "kinds": ledger.SOURCES,
    "living": figure,
    "measures": measures,
    "numbers": ledger.WORDS,
    "papers": ledger_pages.papers,
    "project": project_pages.project,
    "rows": ledger_pages.rows,
    "shared_options": shared_options,
    "strip": strip,
    "suites": counted_suites,
    "timeline": timeline,
    "versions": project_pages.versions,
}


# -------------------------------------------------------------------------------- filters


def title(chapter: str) -> str:
    """A chapter's title."""
    return ledger_pages.title(BOOK, chapter)


def bibtex(key: str) -> str:
    """A source as references.bib has it."""
    return project_pages.bibtex(BOOK, key)


def authors(paper: ledger.Paper) -> str:
    """Who wrote a paper, without the year, which the bibliography has."""
    return str(paper.content["paper"]["short"]).rsplit(" ", 1)[0]


def sentence(text: str) -> str:
    """A note as a sentence, with a capital at its beginning and a stop at its end."""
    return f"{capital(text).rstrip('.')}."


def unlinked(text: str) -> str:
    """Markdown to be printed, where links would be words that cannot be followed."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", capital(text))


def thousands(number: int) -> str:
    return f"{number:,}"


def cell(text: object) -> Markup:
    """The text for a table in HTML, with LaTeX for MathJax from where it begins to its end."""
    formula = BEGIN.search(str(text))
    if not formula:
        return escape(text)
    before, latex = str(text)[: formula.start()], str(text)[formula.start() :]
    return escape(before) + Markup(html(str(escape(latex))))


def quoted(row: ledger.Row) -> str:
    """The whole sentence with what is wrong in it marked, or what is printed, in Markdown."""
    whole = row.quote or row.printed
    if latex := BEGIN.search(whole):
        return f"{plain(whole[: latex.start()])}${whole[latex.start() :]}$"
    pattern = r"\s+".join(map(re.escape, row.printed.split()))
    before, misprint, after = re.split(f"({pattern})", whole, maxsplit=1)
    if not before.strip() and not after.strip():
        return plain(whole)
    return f"{plain(before)}<mark>{plain(misprint)}</mark>{plain(after)}"


FILTERS = {
    "authors": authors,
    "bibtex": bibtex,
    "came_of": ledger_pages.came_of,
    "capital": capital,
    "cell": cell,
    "in_braces": behaviours.in_braces,
    "first_derived": ledger_pages.first_derived,
    "verdicts_in_words": ledger.verdicts_in_words,
    "of_kind": ledger_pages.of_kind,
    "paper": ledger_pages.paper,
    "plain": plain,
    "playable": ledger_pages.playable,
    "proof": ledger_pages.proof,
    "quoted": quoted,
    "quoted_by": ledger_pages.quoted_by,
    "sentence": sentence,
    "rows_by_table": ledger_pages.rows_by_table,
    "tally": ledger_pages.tally,
    "thousands": thousands,
    "title": title,
    "unlinked": unlinked,
}


# ----------------------------------------------------------------------------------- hook


@cache
def environment() -> Environment:
    # A line with nothing but a tag leaves no line, which would end a table in Markdown.
    made = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= FILTERS
    return made


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    if MARK.match(source[0]):
        source[0] = environment().from_string(source[0]).render(WORDS)


def write_downloads(app: Sphinx, error: Exception | None) -> None:
    if not error and app.builder.format == "html":
        for name, text in ledger_pages.downloads().items():
            Path(app.outdir, name).write_text(text, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", fill)
    app.connect("build-finished", write_downloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
