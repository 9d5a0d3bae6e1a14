"""What can be printed or adopted: all measures on one page, and the checklist for reporting.

Definitions are the registry's, judgements the chapters' own sentences, and the signature that of a
real score, so that none of them can differ from the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import fill

import formulas
import measure_data
import measure_page
from companion.pages.playground import BY_USE
from sphinx.errors import ExtensionError
from templates import filled, plain

from corefeval import evaluate
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.registry import MEASURES

WIDE = 72
"""The longest line of a text to be copied."""

ROLES = ("Counts", "Misses", "Use")


def sheet(book: Path) -> str:
    """A card for each chapter: definition, picture, range, and three lines of judgement."""
    by_chapter = groupby(measure_data.judged(), lambda name: measure_data.of(name).chapter)
    cards = [
        {"measures": [*map(_on_card, names)], "lines": [*judgements(book, chapter)]}
        for chapter, names in by_chapter
    ]
    return filled("sheet.md", cards=cards, conll=_conll(book))


def _on_card(name: str) -> dict[str, str]:
    measure = MEASURES[name]
    return {
        "title": measure.title,
        "formula": _formula(name),
        "range": measure_page.value_range(measure_page.described(measure)),
        "picture": measure_page.picture(name)._repr_html_(),
    }


def _formula(name: str) -> str:
    written = measure_page.formula(MEASURES[name])
    latex = measure_data.of(name).formula
    return formulas.inline(latex, written).replace("\n\n", ", ") if latex else plain(written)


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
        # A measure that misses nothing has another sentence there, which says itself what it is.
        yield _without_links(line[2:] if said == line else f"**{role}:** {said}")


def _without_links(text: str) -> str:
    """The sheet is printed: links would be words that cannot be followed."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def _conll(book: Path) -> dict[str, str]:
    page = (book / "measures" / "conll.md").read_text(encoding="utf-8")
    when = re.search(r"^## When to report it\n+(.*?)$", page, re.MULTILINE)
    if not when:
        raise ExtensionError("measures/conll.md: no section on when to report it")
    use = _without_links(when[1].partition(" See [")[0])
    return {"formula": _formula("conll"), "use": use}


# ------------------------------------------------------------------------------ the checklist


def decided(book: Path) -> str:
    """What a shared task decides before it scores, with the library's defaults."""
    every = CHOICES | OF_FILES
    defaults = {name: next(iter(every[name].items())) for name in (*BY_USE, *OF_FILES)}
    return "\n".join(
        fill(f"- {name}: {choice} ({plain(text)})", WIDE, subsequent_indent="  ")
        for name, (choice, text) in defaults.items()
    )


def signature(book: Path) -> str:
    """The line of a real score by all defaults, without the version and the number of documents."""
    words = evaluate({"d": "{a b}"}, {"d": "{a b}"}).short_signature.split()
    kept = [word for word in words if not word.startswith(("corefeval=", "documents="))]
    return fill(" ".join(kept), WIDE, break_on_hyphens=False)
