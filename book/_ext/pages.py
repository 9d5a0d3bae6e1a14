"""Pages over data: a page with ``data: true`` in its front matter is a template of Jinja.

Such a page says itself what is listed and in which order. Here stand the words that it may use:
values, functions without arguments, and filters. Chapters are never templates.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import ledger_pages
import start_page
from companion import ledger
from formulas import BEGIN, html
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape
from measures import measures
from sphinx.application import Sphinx
from templates import capital, plain

from corefeval import evaluate
from corefeval.conventions import CHOICES, OF_FILES

BOOK = ledger.DATA.parent / "book"
MARK = re.compile(r"\A---\n(?:[^-].*\n)*?data: true\n")
"""How a page begins that is a template."""


# ---------------------------------------------------------------------------------- words


@cache
def papers() -> list[ledger.Paper]:
    """The papers, and what else prints figures, in the order of the kinds of source."""
    return [paper for found in ledger_pages.papers().values() for paper in found]


@cache
def rows() -> list[ledger.Row]:
    """Every figure of the ledger, in the order of the papers."""
    return [row for paper in papers() for row in ledger_pages.of_paper(paper)]


def paper(row: ledger.Row) -> ledger.Paper:
    """The paper that prints a figure."""
    return ledger.load(row.paper)


def title(chapter: str) -> str:
    """A chapter's title."""
    return ledger_pages.title(BOOK, chapter)


def sentence(text: str) -> str:
    """A note as a sentence, with a capital at its beginning and a stop at its end."""
    return f"{capital(text).rstrip('.')}."


def cell(text: object) -> Markup:
    """The text for a table in HTML, with LaTeX for MathJax from where it begins to its end."""
    found = BEGIN.search(str(text))
    if not found:
        return escape(text)
    before, latex = str(text)[: found.start()], str(text)[found.start() :]
    return escape(before) + Markup(html(str(escape(latex))))


def quoted(row: ledger.Row) -> str:
    """The whole sentence with what is wrong in it marked, or what is printed, in Markdown."""
    whole = row.quote or row.printed
    if latex := BEGIN.search(whole):
        return f"{plain(whole[: latex.start()])}${whole[latex.start() :]}$"
    pattern = r"\s+".join(map(re.escape, row.printed.split()))
    before, found, after = re.split(f"({pattern})", whole, maxsplit=1)
    if not before.strip() and not after.strip():
        return plain(whole)
    return f"{plain(before)}<mark>{plain(found)}</mark>{plain(after)}"


def unlinked(text: str) -> str:
    """Markdown to be printed, where links would be words that cannot be followed."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", capital(text))


def signature() -> str:
    """The line of a real score by all defaults, without the version and the number of documents."""
    words = evaluate({"d": "{a b}"}, {"d": "{a b}"}).short_signature.split()
    return " ".join(word for word in words if not word.startswith(("corefeval=", "documents=")))


def timeline() -> str:
    """The measures in the order of their papers, as a picture."""
    return start_page.timeline(BOOK)


WORDS = {
    "conventions": CHOICES,
    "for_files": OF_FILES,
    "kinds": ledger.SOURCES,
    "measures": measures,
    "papers": papers,
    "rows": rows,
    "signature": signature,
    "timeline": timeline,
}
FILTERS = {
    "capital": capital,
    "cell": cell,
    "in_verdicts": ledger.in_verdicts,
    "paper": paper,
    "plain": plain,
    "proof": ledger_pages.proof,
    "quoted": quoted,
    "sentence": sentence,
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


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
