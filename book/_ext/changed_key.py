"""A picture of what a chapter says once a reader has changed its key: it is run for it."""

from __future__ import annotations

import ast
import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any
from unittest.mock import patch

import ledger_pages
from companion import ledger
from companion.checks import STRICT
from companion.colours import DAY
from companion.draw.pieces import (
    LETTER,
    NEUTRAL,
    Painted,
    both_widths,
    rule_at,
    text_at,
)
from companion.evidence import Evidence
from companion.picture import Picture

CHAPTER = "coreference"
BEFORE, AFTER = "{the_doctor his}", "{the_doctor} {his}"
"""A piece of the chapter's key, and what a reader writes there."""
LINE = 20.0
MONO = ' font-family="monospace"'


def moved(book: Path) -> Evidence:
    """The fold at the chapter's end, after its cells have run with the changed key."""
    *sources, last = (
        source for kind, source in ledger_pages.cells(book, CHAPTER) if kind == "code"
    )
    *statements, fold = ast.parse(last).body
    assert isinstance(fold, ast.Expr)
    space: dict[str, Any] = {}
    # Where a build stops at a sentence that moved, these are to move all the same.
    with patch.dict(os.environ, {STRICT: ""}), redirect_stdout(StringIO()):
        for source in sources:
            lines = map(_with_changed_key, source.splitlines())
            exec(compile("\n".join(lines), CHAPTER, "exec"), space)
        exec(compile(ast.Module(statements, []), CHAPTER, "exec"), space)
        found = eval(compile(ast.Expression(fold.value), CHAPTER, "eval"), space)
    assert isinstance(found, Evidence) and found.moved, "the changed key moves no sentence"
    return found


def _with_changed_key(line: str) -> str:
    return line.replace(BEFORE, AFTER) if line.startswith("key = ") else line


def picture(book: Path) -> Picture:
    """The change of the key, and below it what the chapter lists at its end."""
    found = moved(book)
    (key,) = (
        line.removeprefix("key = ").strip('"')
        for kind, source in ledger_pages.cells(book, CHAPTER)
        for line in source.splitlines()
        if kind == "code" and line.startswith("key = ")
    )
    changed = key.replace(BEFORE, AFTER)
    listed = f"{len(found.sentences)} sentences checked; {len(found.moved)} moved"

    def paint(width: float) -> Painted:
        parts = [
            text_at(8, 16, f"− {key}", NEUTRAL, "start", look=MONO),
            text_at(8, 16 + LINE, f"+ {changed}", DAY["key"], "start", bold=True, look=MONO),
            text_at(8, 16 + 2.6 * LINE, listed, NEUTRAL, "start", bold=True),
        ]
        top = 16 + 2.6 * LINE
        down = top
        for sentence in found.moved:
            down += 0.3 * LINE
            for line in wrap(sentence, int((width - 40) / LETTER)):
                down += LINE
                parts.append(text_at(24, down, line, NEUTRAL, "start"))
        return [*parts, rule_at(12, top + 10, 12, down + 4, 2)], down + 14

    count = dict(enumerate(ledger.WORDS)).get(len(found.moved), len(found.moved))
    title = f"Cut an entity of the key in two, and {count} of the sentences checked no longer hold."
    told = f"The key {key} becomes {changed}. {listed}: {'; '.join(found.moved)}."
    return both_widths(paint, told, title)
