"""The fold at the end of a chapter: what was checked in it, and the functions that it derives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib import import_module
from inspect import signature
from typing import Any, NamedTuple

from corefbook import ledger
from corefbook.checks import counted, moved
from corefbook.ledger import Row
from corefbook.listing import Listing
from corefbook.tables import Table, shown


class Held(NamedTuple):
    """What the file of a chapter computes again.

    Each sentence is a piece of the chapter's text, word for word, followed by the values of the
    numbers in it from left to right. "A third of" is a number, and so are "two thirds", "twice
    what" and "dozen"; other number words are counted in a sentence that has none of these and no
    digits, and a sentence without any number has the value True if it holds. ``listings`` are
    functions whose source is shown, ``lists`` further tables.
    """

    sentences: Sequence[tuple[Any, ...]] = ()
    listings: Sequence[Callable[..., Any]] = ()
    lists: Sequence[Any] = ()


class Evidence:
    """What a chapter can show for itself, below one line that counts it."""

    def __init__(self, chapter: str, held: Held) -> None:
        self.found = ledger.rows(chapter=chapter)
        self.file = file_of(chapter)
        self.listings = [Listing(function) for function in held.listings]
        self.lists = held.lists
        self.sentences = held.sentences
        self.moved = moved(held.sentences, self.found)

    def summary(self) -> str:
        """The line of the fold."""
        figures = [row for row in self.found if row.group in ledger.GROUPED]
        listed = len(self.found) - len(figures)
        parts = []
        if figures:
            counts = counted(len(figures), "figure")
            parts.append(f"{counts} of {_inputs(figures)}, {ledger.groups_in_words(figures)}")
        if listed:
            parts.append(f"{listed} {'more listed' if figures else 'listed'}")
        if self.sentences:
            parts.append(f"{counted(len(self.sentences), 'sentence')} checked")
        if self.listings:
            parts.append(counted(len(self.listings), "listing"))
        if self.lists:
            parts.append(counted(len(self.lists), "list"))
        if self.moved:
            parts.append(f"{len(self.moved)} moved")
        return f"Evidence: {'; '.join(parts)}"

    def tables(self) -> list[Table]:
        """A table for each paper, whose rows have the ledger's addresses, and the sentences."""
        made = [_figures(paper, self.found) for paper in dict.fromkeys(r.paper for r in self.found)]
        if self.sentences:
            rows = [(text, ", ".join(map(shown, values))) for text, *values in self.sentences]
            made.append(Table(["sentence", "computed"], rows, "Sentences, and what we compute."))
        return made

    def __repr__(self) -> str:
        listed = "\n  ".join(["Moved:", *self.moved]) if self.moved else ""
        code = f"Its code: book/{self.file}"
        shown = map(repr, [*self.tables(), *self.lists, *self.listings])
        parts = [self.summary(), code, listed, *shown]
        return "\n\n".join(filter(None, parts))

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(each)}</li>" for each in self.moved)
        listed = [f"<pre>{escape(repr(each))}</pre>" for each in self.listings]
        tables = [table._repr_html_() for table in [*self.tables(), *self.lists]]
        return "\n".join(
            [
                f"<p>{escape(self.summary())}</p>",
                f'<p>Its code: <a href="{self.file}">book/{self.file}</a></p>',
                f"<ul>{items}</ul>" * bool(items),
                *tables,
                *listed,
            ]
        )


def _inputs(figures: Sequence[Row]) -> str:
    """From whose inputs figures are computed: a reader's changed key does not move them."""
    papers = {row.paper for row in figures}
    if any(ledger.load(paper).source not in ledger.OF_PAPERS for paper in papers):
        return "the sources' inputs"
    return "the paper's inputs" if len(papers) == 1 else "the papers' inputs"


def _figures(paper: str, found: Sequence[Row]) -> Table:
    rows = [row for row in found if row.paper == paper]
    head = ["place", "example", "quantity", "printed", "computed", "verdict"]
    body = [(r.place, r.example, r.label, r.printed, r.computed, r.verdict) for r in rows]
    about = ledger.load(paper).content["paper"]
    caption = f"{about['short']}: {counted(len(rows), 'figure')}"
    return Table(head, body, caption, ids=[row.id for row in rows])


def module_of(chapter: str) -> str:
    """The name of the module that holds a chapter.

    >>> module_of("lost-text")
    'corefbook.evidence.lost_text'
    """
    return f"corefbook.evidence.{chapter.replace('-', '_')}"


def file_of(chapter: str) -> str:
    """The file of that module, as seen from the chapter."""
    return f"{module_of(chapter).replace('.', '/')}.py"


def evidence(chapter: str, names: Mapping[str, Any]) -> Evidence:
    """What holds a chapter up: its figures in the ledger, its sentences, the library's functions.

    ``names`` are the chapter's own, `globals()` in its last cell. The chapter's module has a
    function `held` that takes those it needs. Changed examples change what is shown, and are no
    error; in the tests they are. A name that no cell has given is a NameError.
    """
    held = import_module(module_of(chapter)).held
    needed = signature(held).parameters
    for name in needed:
        if name not in names:
            raise NameError(f"The evidence needs '{name}': run the cells above first")
    return Evidence(chapter, held(**{name: names[name] for name in needed}))
