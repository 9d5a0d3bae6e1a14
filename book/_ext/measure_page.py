"""A page for each registered measure, and the index of them all.

Nothing is typed twice: formulas, ranges and examples are those of the docstrings, the lines from
sets and the judgements those of the chapters, the effects of conventions are found by trying.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from textwrap import dedent
from typing import Any

import formulas
import from_sets
import measure_data
import measure_trial
from companion import draw
from companion.alignment import align
from companion.pages.playground import BY_USE
from companion.picture import Picture
from docutils.nodes import make_id
from ledger_pages import cells, title
from markupsafe import Markup, escape
from project_pages import bibtex
from sphinx.errors import ExtensionError
from templates import filled, plain

from corefeval import Contingency, Partition
from corefeval.alignment import Similarity
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.measures.ceaf import phi1, phi2, phi3, phi4
from corefeval.partition import Mention
from corefeval.registry import MEASURES, SUITES, Measure
from corefeval.score import Tally

MANUSCRIPT = ("framework",)
"""The chapters that derive measures as the manuscript of the case study has them."""

SUMMARY = "## (?:What you now know|In three lines)"
"""The heading of a chapter's three last lines: what is counted, what is missed, when to use it."""


# ------------------------------------------------------------------------------ the index


def index(book: Path) -> str:
    """Every measure with its formula; a row leads to the measure's page."""
    measures = [
        {
            "id": make_id(f"measure-{each.name}"),
            "name": each.name,
            "title": each.title,
            "formula": _in_a_cell(each),
            "range": value_range(described(each)),
        }
        for each in MEASURES.values()
    ]
    return filled("measures.html", measures=measures)


def _in_a_cell(measure: Measure) -> Markup:
    written = escape(formula(measure).replace("`", ""))
    latex = measure_data.of(measure.name).formula
    if not latex:
        return written
    said = formulas.IN_WORDS.search(written)
    typeset = " ".join(formulas.html(rf"\displaystyle {part}") for part in formulas.parts(latex))
    return Markup(typeset + (f", {said[1]}" if said else ""))


@cache
def _when(book: Path) -> dict[str, str]:
    """When to report each measure, by its title: the last column of a chapter's table."""
    text = section(book, "which-measure", "## The measures side by side")
    rows = re.findall(r"^\| *(.+?) *\| .* \| *(.+?) *\|$", text, re.MULTILINE)
    return {re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title): when for title, when in rows[1:]}


# ------------------------------------------------------------------------------ a page


def page(book: Path, name: str) -> str:
    """All that the library and the chapters say of a measure."""
    measure, data = MEASURES[name], measure_data.of(name)
    _, *text = described(measure).split("\n\n")
    return filled(
        "measure.md",
        name=name,
        title=measure.title,
        suites="".join(f", in the suite `{s}`" for s, names in SUITES.items() if name in names),
        range=value_range(described(measure)),
        cite=measure.cite,
        extended_by=data.extended_by,
        chapter=title(book, data.chapter),
        derived_in=data.derived_in.replace(data.chapter, f"{data.chapter}.html", 1),
        definition=_definition(measure, data.formula),
        of_recall="  over  " in formula(measure),
        text="\n\n".join(text),
        picture=picture(name)._repr_html_(),
        example=_example(measure),
        lines=from_sets.lines(book, data.chapter, data.from_sets) if data.from_sets else "",
        of_manuscript=data.chapter in MANUSCRIPT,
        path=measure.formula.__module__.replace(".", "/") + ".py",
        source=_source(measure),
        **_changes(name),
        judgement=None if data.own_judgement else _judgement(book, data.chapter, measure),
    )


def _definition(measure: Measure, latex: str) -> str:
    """Typeset, or in words where the docstring has it in words."""
    written = formula(measure)
    if latex:
        return formulas.display(latex, written)
    # In Markdown several blanks are one, so that wide ones have to be of another kind.
    return "{.formula}\n" + re.sub(" {2,}", "\N{EM SPACE}", _plain_but_names(written))


def cited(book: Path, name: str) -> str:
    """The measure's papers as BibTeX."""
    keys, extended_by = [MEASURES[name].cite], measure_data.of(name).extended_by
    if extended_by:
        keys.append(extended_by.cite)
    return filled("measure-cited.md", entries=[bibtex(book, key) for key in keys])


def described(measure: Measure) -> str:
    described, _, _ = inspect.getdoc(measure.formula).partition("\n>>> ")
    return described.strip()


def formula(measure: Measure) -> str:
    return described(measure).split("\n\n")[0]


def _example(measure: Measure) -> str:
    return inspect.getdoc(measure.formula).partition("\n>>> ")[2].strip()


def _plain_but_names(formula: str) -> str:
    return "`".join(part if i % 2 else plain(part) for i, part in enumerate(formula.split("`")))


def value_range(described: str) -> str:
    found = re.search(r"Range\s+([\[(][^\])]*[\])])", described)
    return found[1] if found else "as described"


def _source(measure: Measure) -> str:
    """The function as it runs, without the docstring, which stands above."""
    head, _, body = inspect.getsource(measure.formula).split('"""')
    return head.rstrip() + dedent(body).replace("\n", "\n    ").rstrip()


# ------------------------------------------------------------------------------ pictures


def picture(name: str) -> Picture:
    """The docstring's example, drawn as the measure counts it."""
    key, response = sides(name)
    kind = measure_data.of(name).picture
    if kind not in PICTURES:
        known = ", ".join(PICTURES)
        raise ExtensionError(f"book/measures/{name}.md: there is no picture {kind}, but {known}")
    return PICTURES[kind](key, response).of(key, response)


def sides(name: str) -> tuple[Partition, Partition]:
    example = _example(MEASURES[name])
    found = re.search(r'metric\("\w+"\)\("([^"]+)", "([^"]+)"\)', example)
    if not found:
        raise ExtensionError(f"{name}: no example of its docstring has a key and a response")
    return Partition.parse(found[1]), Partition.parse(found[2])


def _overlap(key: Partition, response: Partition) -> Picture:
    return draw.overlap(key, response).captioned("Blue: the key. Orange: the response.")


def _parts(key: Partition, response: Partition) -> Picture:
    return draw.relative_partition(key, response).captioned(
        "The entities of the key, and the parts into which the response cuts them."
    )


def _credits(key: Partition, response: Partition) -> Picture:
    return draw.credits(key, _credit(key, response)).captioned(
        "Recall: each mention's credit is the share of its entity that was found with it."
    )


def _weighted_credits(key: Partition, response: Partition) -> Picture:
    weight = {m: Fraction(1, len(key) * len(entity)) for entity in key for m in entity}
    return draw.credits(key, _credit(key, response), weight.get).captioned(
        "Recall: each mention's credit, and its weight within its entity."
    )


def _aligned(similarity: Similarity, key: Partition, response: Partition) -> Picture:
    chosen = align(Contingency.of(key, response), similarity)
    return draw.alignment(key, response, similarity, chosen).captioned(
        "The similarities of entities that overlap; the heavy lines are the best alignment."
    )


def _links(key: Partition, response: Partition) -> Picture:
    return draw.row(
        [draw.links(entity, _kept(entity, response)) for entity in key],
        [f"K{i}" for i in range(1, len(key) + 1)],
    ).captioned("The key's entities. Drawn: their links that the response has too.")


def _cores(key: Partition, response: Partition) -> Picture:
    cores = [max((set(k) & set(r) for r in response), key=len) for k in key]
    return draw.relative_partition(key, response, chosen=cores).captioned(
        "The cores of the key's entities are marked."
    )


PICTURES: dict[str, Callable[[Partition, Partition], Picture]] = {
    "overlap": _overlap,
    "parts": _parts,
    "credits": _credits,
    "weighted_credits": _weighted_credits,
    "links": _links,
    "cores": _cores,
    "phi1": partial(_aligned, phi1),
    "phi2": partial(_aligned, phi2),
    "phi3": partial(_aligned, phi3),
    "phi4": partial(_aligned, phi4),
}
"""What the front matter of a measure's page may name as its picture."""


def _credit(key: Partition, response: Partition) -> Callable[[Mention], Tally]:
    """The share of a key mention's entity that the response entity holding it contains."""
    t = Contingency.of(key, response)

    def credit(mention: Mention) -> Tally:
        i, j = key.entity_of[mention], response.entity_of.get(mention)
        return Tally(0 if j is None else t.pairs[i, j], key.sizes[i])

    return credit


def _kept(entity: Collection[Mention], response: Partition) -> list[tuple[Mention, Mention]]:
    """The entity's links that the response has too."""
    there = response.entity_of
    both = [mention for mention in entity if mention in there]
    return [(a, b) for a, b in combinations(both, 2) if there[a] == there[b]]


# ------------------------------------------------------------------------------ what changes it


def _changes(name: str) -> dict[str, Any]:
    """Found by trying every choice on every small key and response."""
    found = measure_trial.effects(name)
    pair = measure_trial.undefined(name)
    return {
        "changed_by": [
            {
                "convention": convention,
                "only": each.changes if each.refused or each.none else [],
            }
            for convention, each in found.items()
            if each.changes
        ],
        "not_changed_by": [
            convention
            for convention, each in found.items()
            if not each.changes and not each.refused
        ],
        "refused": {convention: each.refused for convention, each in found.items() if each.refused},
        "undefined": [*map(_written, pair)] if pair else [],
    }


def _written(side: list[list[str]]) -> str:
    return " ".join(f"{{{' '.join(entity)}}}" for entity in side)


# ------------------------------------------------------------------------------ judgements


def _judgement(book: Path, chapter: str, measure: Measure) -> dict[str, str]:
    """What the chapter's end says; of a measure without one, the page says it in its own words."""
    text = section(book, chapter, r"## What [^\n]* is good at, and what it misses")
    if measure.title not in _when(book):
        raise ExtensionError(f"which-measure: its table of measures has no row on {measure.title}")
    return {"points": "\n".join(points(text)), "when": _when(book)[measure.title]}


def section(book: Path, chapter: str, heading: str) -> str:
    """The prose from a heading of that pattern to the next of its depth."""
    prose = "\n\n".join(source for kind, source in cells(book, chapter) if kind == "markdown")
    found = re.search(rf"^{heading}$\n(.*?)(?=^## |\Z)", prose, re.MULTILINE | re.DOTALL)
    if not found:
        raise ExtensionError(f"{chapter}: no heading {heading}, whose text a measure's page shows")
    return _from(chapter, found[1])


def _from(chapter: str, text: str) -> str:
    """A chapter's text with links that lead to the same places from a folder below it."""
    text = re.sub(r"\]\(#", f"]({chapter}.ipynb#", text)
    return re.sub(r"\]\((?=[\w-]+\.(?:ipynb|md)\b)", "](../", text)


def points(text: str) -> list[str]:
    """The items of a list, without sentences that announce the cell below them."""
    points = [line for line in text.splitlines() if line.startswith("- ")]
    return [re.sub(r"(?<=[.*]) [^.]*:$", "", point) for point in points]


def conventions(book: Path) -> str:
    """What may be chosen, as tables; the default first."""
    return filled("choices.md", options={name: CHOICES[name] for name in BY_USE})


def reading(book: Path) -> str:
    """What may be chosen of how files are read, likewise."""
    return filled("choices.md", options=OF_FILES)
