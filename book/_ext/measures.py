"""What the pages say of a measure: the library's docstring, and book/measures.toml beside it."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from functools import cache
from itertools import combinations
from typing import Any

from corefbook import draw, ledger
from corefbook.alignment import align
from corefbook.picture import Picture
from docutils.nodes import make_id
from sphinx.errors import ExtensionError

from corefeval import Contingency, Partition
from corefeval.measures.ceaf import phi3, phi4
from corefeval.overlap.alignment import Similarity
from corefeval.overlap.partition import Mention
from corefeval.registry import MEASURES, Measure
from corefeval.score import Tally

IN_WORDS = re.compile(r"\s*, +((?:and so|c\().*)$")
"""The end of a formula that is a sentence."""
WRITTEN = ledger.DATA.parent / "book" / "measures.toml"


@dataclass(frozen=True, kw_only=True)
class Described:
    """A measure as the book describes it; texts are Markdown.

    ``derived_in`` is a chapter, and perhaps a ``#section`` of it. ``picture`` names one of
    `PICTURES`; a measure that has one stands on the sheet of all measures. ``extended_by`` is a
    second paper to cite, and what for.
    """

    measure: Measure
    derived_in: str
    formula: str
    counts: str
    misses: str
    use: str
    proposed: str
    picture: str = ""
    searched_as: Collection[str] = ()
    extended_by: dict[str, str] | None = None

    @property
    def id(self) -> str:
        """The anchor on the page of measures."""
        return make_id(f"measure-{self.measure.name}")

    @property
    def chapter(self) -> str:
        return self.derived_in.partition("#")[0]

    @property
    def place(self) -> str:
        """The address of the chapter's page, or of its section."""
        return self.derived_in.replace(self.chapter, f"{self.chapter}.html", 1)

    @property
    def docstring(self) -> str:
        return inspect.getdoc(self.measure.formula) or ""

    @property
    def plain_formula(self) -> str:
        """The docstring's first paragraph, in letters."""
        return self.docstring.partition("\n\n")[0]

    @property
    def in_words(self) -> str:
        """What the docstring's formula has in words."""
        match = IN_WORDS.search(self.plain_formula)
        return match[1] if match else ""

    @property
    def said(self) -> str:
        """What the docstring says between its formula and its example."""
        return self.docstring.partition("\n\n")[2].partition("\n>>> ")[0].strip()

    @property
    def example(self) -> str:
        """The docstring's example."""
        return ">>> " + self.docstring.partition("\n>>> ")[2].strip()

    @property
    def range(self) -> str:
        """The values that it can have."""
        match = re.search(r"Range\s+([\[(][^\])]*[\])])", self.said)
        return match[1] if match else "as described"

    @property
    def inline(self) -> str:
        """The formula within a line: what it needs to be told may stand on the next."""
        parts = self.formula.split(r"\qquad")
        return " ".join(rf"$\displaystyle {part.strip()}$" for part in parts)

    @property
    def drawing(self) -> str:
        """The docstring's example, drawn as the measure counts it."""
        match = re.search(r'metric\("\w+"\)\("([^"]+)", "([^"]+)"\)', self.example)
        if not match:
            raise ExtensionError(f"{self.measure.name}: no example has a key and a response")
        key, response = map(Partition.parse, match.groups())
        paint, caption = PICTURES[self.picture]
        return paint(key, response).of(key, response).captioned(caption)._repr_html_()


@cache
def measures() -> list[Described]:
    """Every measure in the order of the registry; one that lacks words stops the build."""
    written = tomllib.loads(WRITTEN.read_text(encoding="utf-8"))
    return [described(measure, written.get(name, {})) for name, measure in MEASURES.items()]


def described(measure: Measure, words: dict[str, Any]) -> Described:
    known = {field.name for field in fields(Described)} - {"measure"}
    if unknown := words.keys() - known:
        raise ExtensionError(f"measures.toml: {measure.name} has {min(unknown)}, which is unknown")
    try:
        return Described(measure=measure, **words)
    except TypeError as error:
        raise ExtensionError(f"measures.toml: {measure.name}: {error}") from error


def of(name: str) -> Described:
    return next(each for each in measures() if each.measure.name == name)


def derived(chapter: str) -> str:
    """The measure that a chapter is about, the first of several, or nothing."""
    about = (each for each in measures() if each.derived_in == chapter and each.picture)
    return next((each.measure.name for each in about), "")


# ------------------------------------------------------------------------------ pictures


def _credits(key: Partition, response: Partition) -> Picture:
    pairs = Contingency.of(key, response).pairs

    def credit(mention: Mention) -> Tally:
        i, j = key.entity_of[mention], response.entity_of.get(mention)
        return Tally(0 if j is None else pairs[i, j], key.sizes[i])

    return draw.credits(key, credit)


def _aligned(similarity: Similarity) -> Callable[[Partition, Partition], Picture]:
    def paint(key: Partition, response: Partition) -> Picture:
        chosen = align(Contingency.of(key, response), similarity)
        return draw.alignment(key, response, similarity, chosen)

    return paint


def _links(key: Partition, response: Partition) -> Picture:
    there = response.entity_of

    def kept(entity: Collection[Mention]) -> list[tuple[Mention, Mention]]:
        both = [mention for mention in entity if mention in there]
        return [(a, b) for a, b in combinations(both, 2) if there[a] == there[b]]

    names = [f"K{i}" for i in range(1, len(key) + 1)]
    return draw.row([draw.links(entity, kept(entity)) for entity in key], names)


ALIGNED = "The similarities of entities that overlap; the heavy lines are the best alignment."
PICTURES: dict[str, tuple[Callable[[Partition, Partition], Picture], str]] = {
    "overlap": (draw.overlap, "Blue: the key. Orange: the response."),
    "parts": (
        draw.relative_partition,
        "The entities of the key, and the parts into which the response cuts them.",
    ),
    "credits": (
        _credits,
        "Recall: each mention's credit is the share of its entity that was found with it.",
    ),
    "links": (_links, "The key's entities. Drawn: their links that the response has too."),
    "phi3": (_aligned(phi3), ALIGNED),
    "phi4": (_aligned(phi4), ALIGNED),
}
"""How an example is drawn, with a caption."""
