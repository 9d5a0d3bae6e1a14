"""What can be printed or adopted: all measures on one page, and the checklist for reporting.

Definitions are the registry's, judgements the chapters' own sentences, and the signature that of a
real score, so that none of them can differ from the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from textwrap import fill

import formulas
import measure_page
from companion.pages.playground import BY_USE
from ledger_pages import plain
from sphinx.errors import ExtensionError

from corefeval import evaluate
from corefeval.conventions import CHOICES
from corefeval.registry import MEASURES

CARDS = (["muc"], ["b3"], ["ceafm", "ceafe"], ["blanc"], ["lea"])
"""The measures of a card, which one chapter derives."""

WIDE = 72
"""The longest line of a text to be copied."""

ROLES = ("Counts", "Misses", "Use")


def sheet(book: Path) -> str:
    """A card for each chapter: definition, picture, range, and three lines of judgement."""
    cards = "\n".join(_card(book, names) for names in CARDS)
    options = "1 2 2 2\n:gutter: 2\n:class-container: sheet"
    return f"::::{{grid}} {options}\n\n{cards}\n{_conll(book)}\n::::"


def _card(book: Path, names: list[str]) -> str:
    title = " and ".join(MEASURES[name].title for name in names)
    parts = []
    for name in names:
        described = measure_page.described(MEASURES[name])
        known = f"**{MEASURES[name].title}** " if len(names) > 1 else ""
        limits = measure_page.value_range(described)
        parts.append(f"{known}{_formula(name)} · range {limits}")
        sides = measure_page.sides(name)
        parts.append(measure_page.picture(name).of(*sides)._repr_html_())
    chapter = measure_page.CHAPTERS[names[0]]
    parts += judgements(book, chapter)
    return f":::{{grid-item-card}} {title}\n" + "\n\n".join(parts) + "\n:::\n"


def _formula(name: str) -> str:
    written = measure_page.formula(MEASURES[name])
    return formulas.inline(name, written).replace("\n\n", ", ") or plain(written)


def judgements(book: Path, chapter: str) -> Iterator[str]:
    """What a chapter says at its end: what is counted, what is missed, when to use it."""
    text = measure_page.section(book, chapter, measure_page.SUMMARY)
    lines = measure_page.points(text)
    if not lines:  # a paragraph
        yield _without_links(text.strip().partition("\n\n")[0])
        return
    if len(lines) != len(ROLES):
        raise ExtensionError(f"{chapter}: expected three lines at its end, found {len(lines)}")
    for role, line in zip(ROLES, lines, strict=True):
        said = re.sub(r"^- \*\*(?:\S+ counts|It lets pass|It misses|Use it|Use)\*\*,? ", "", line)
        yield f"**{role}:** {_without_links(said)}"


def _without_links(text: str) -> str:
    """The sheet is printed: links would be words that cannot be followed."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def _conll(book: Path) -> str:
    page = (book / "measures" / "conll.md").read_text(encoding="utf-8")
    when = re.search(r"^## When to report it\n+(.*?)$", page, re.MULTILINE)
    if not when:
        raise ExtensionError("measures/conll.md: no section on when to report it")
    use = _without_links(when[1].partition(" See [")[0])
    definition = _formula("conll")
    return f":::{{grid-item-card}} CoNLL score\n{definition}\n\n**Use:** {use}\n:::\n"


# ------------------------------------------------------------------------------ the checklist


def checklist(book: Path) -> str:
    """The list of the chapter on choosing, to be ticked off."""
    text = measure_page.section(book, "which-measure", "## What to write in the paper")
    found = measure_page.points(text)
    if not found:
        raise ExtensionError("which-measure: no list under “What to write in the paper”")
    boxes = (
        f"<li><label><input type='checkbox'> {_html(point[2:])}</label></li>" for point in found
    )
    return f'<ul class="checklist" style="list-style: none; padding-left: 0">{"".join(boxes)}</ul>'


def _html(text: str) -> str:
    """The Markdown that these points use, links and code, as HTML."""
    text = re.sub(
        r"\[([^\]]*)\]\((?:\.\./)?([\w-]+)\.(?:md|ipynb)(#[^)]*)?\)",
        r"[\1](\2.html\3)",
        escape(text),
    )
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', text)
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)


def decided(book: Path) -> str:
    """What a shared task decides before it scores, with the library's defaults."""
    defaults = {name: next(iter(CHOICES[name].items())) for name in BY_USE}
    return "\n".join(
        fill(f"- {name}: {choice} ({plain(text)})", WIDE, subsequent_indent="  ")
        for name, (choice, text) in defaults.items()
    )


def signature(book: Path) -> str:
    """The line of a real score by all defaults, without the version and the number of documents."""
    words = evaluate({"d": "{a b}"}, {"d": "{a b}"}).short_signature.split()
    kept = [word for word in words if not word.startswith(("corefeval=", "documents="))]
    return fill(" ".join(kept), WIDE, break_on_hyphens=False)
