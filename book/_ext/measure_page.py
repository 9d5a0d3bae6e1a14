"""A page for each registered measure, and the index of them all.

Nothing is typed twice: formulas, ranges and examples are those of the docstrings, the lines from
sets and the judgements those of the chapters, the effects of conventions are found by trying.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from functools import cache
from html import escape
from itertools import combinations
from pathlib import Path
from textwrap import dedent

import formulas
import from_sets
import measure_trial
from companion import draw
from companion.alignment import align
from companion.pages.playground import BY_USE
from companion.picture import Picture
from docutils.nodes import make_id
from ledger_pages import cells, definitions, plain, title
from project_pages import bibtex
from sphinx.errors import ExtensionError

from corefeval import Contingency, Partition
from corefeval.conventions import CHOICES
from corefeval.measures.ceaf import phi1, phi2, phi3, phi4
from corefeval.partition import Mention
from corefeval.registry import MEASURES, SUITES, Measure
from corefeval.score import Tally

CHAPTERS = {
    "mentions": "walk-through",
    "muc": "muc",
    "b3": "b-cubed",
    "b3_class": "b-cubed#every-entity-alike",
    "ceafm": "ceaf",
    "ceafe": "ceaf",
    "ceaf1": "ceaf",
    "ceaf2": "ceaf",
    "blanc": "blanc",
    "blanc_both": "blanc#when-a-class-is-empty",
    "pairwise": "records#pairs",
    "lea": "lea",
    "conll": "who-computes-what#the-conll-score",
    "kappa": "framework#agreement-above-independence",
    "c": "framework#c-core-classes",
    "xc": "framework#xc-exclusive-core-classes",
    "xc_free": "framework#xc-exclusive-core-classes",
    "h": "framework#h-information",
    "dmt": "framework#dmt-sizes-alone",
}
"""Where the book explains each measure. A new measure wants its line here."""

FROM_SETS = {
    "muc": "sets muc",
    "b3": "b3",
    "b3_class": "b3_by_entity",
    "ceafm": "phi3 ceaf",
    "ceafe": "phi4 ceaf",
    "blanc": "blanc",
    "pairwise": "pairwise",
    "lea": "lea_recall",
    "kappa": "sets chance_and_kappa counts",
    "c": "sets c_measure",
    "xc": "sets xc",
    "h": "sets h",
    "dmt": "sets dmt",
}
"""The functions of a chapter that define a measure. Averages and variants have none."""

MANUSCRIPT = ("framework",)
"""The chapters that derive measures as the manuscript of the case study has them."""

JUDGED = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")
"""Measures whose chapter says at its end what they are good at, and what they miss."""

SUMMARY = "## (?:What you now know|In three lines)"
"""The heading of a chapter's three last lines: what is counted, what is missed, when to use it."""

SIMILARITIES = {"ceafm": phi3, "ceafe": phi4, "ceaf1": phi1, "ceaf2": phi2}


# ------------------------------------------------------------------------------ the index


def index(book: Path) -> str:
    """Every measure with its formula; a row leads to the measure's page."""
    head = "".join(
        f'<th scope="col">{each}</th>' for each in ("measure", "name", "formula", "range")
    )
    rows = "\n".join(
        f'<tr id="{make_id(f"measure-{each.name}")}">'
        f'<th scope="row"><a href="measures/{each.name}.html">{escape(each.title)}</a></th>'
        f"<td><code>{each.name}</code></td>"
        f"<td>{_in_a_cell(each)}</td>"
        f"<td>{value_range(described(each))}</td></tr>"
        for each in MEASURES.values()
    )
    return (
        '<div class="cell_output"><div class="text_html"><table class="dataframe measures">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div></div>"
    )


def _in_a_cell(measure: Measure) -> str:
    written = escape(formula(measure)).replace("`", "")
    if measure.name not in formulas.LATEX:
        return written
    said = formulas.IN_WORDS.search(written)
    typeset = " ".join(map(formulas.html, formulas.parts(measure.name)))
    return typeset + (f", {said[1]}" if said else "")


@cache
def _when(book: Path) -> dict[str, str]:
    """When to report each measure, by its title: the last column of a chapter's table."""
    text = section(book, "which-measure", "## The measures side by side")
    rows = re.findall(r"^\| *(.+?) *\| .* \| *(.+?) *\|$", text, re.MULTILINE)
    return {re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title): when for title, when in rows[1:]}


# ------------------------------------------------------------------------------ a page


def page(book: Path, name: str) -> str:
    """All that the library and the chapters say of a measure."""
    measure = MEASURES[name]
    _, *text = described(measure).split("\n\n")
    parts = [
        f"# {measure.title}",
        _facts(book, measure),
        "## Definition",
        # In Markdown several blanks are one, so that wide ones have to be of another kind.
        _definition(measure),
        RECALL if "  over  " in formula(measure) else "",
        *text,
        "## Example",
        picture(name).of(*sides(name))._repr_html_(),
        f"```pycon\n>>> {_example(measure)}\n```",
        f"```sh\ncorefeval score KEY RESPONSE --metric {name}\n```",
        *_from_sets(book, name),
        _source(measure),
        "## What changes it",
        *_changes(name),
        *_judged(book, name),
    ]
    return "\n\n".join(filter(None, parts))


def _definition(measure: Measure) -> str:
    """Typeset, or in words where the docstring has it in words."""
    written = formula(measure)
    # In Markdown several blanks are one, so that wide ones have to be of another kind.
    in_words = "{.formula}\n" + re.sub(" {2,}", "\N{EM SPACE}", _plain_but_names(written))
    return formulas.display(measure.name, written) or in_words


RECALL = (
    "{.of-formula}\n"
    "This is recall; precision is the same with key and response exchanged, and F1 is their "
    "harmonic mean. *Kᵢ* are the entities of the key, *Rⱼ* the entities of the response."
)


EXTENDED = {"blanc": ("luo-2014", "for missing and spurious mentions")}
"""The paper that extends a measure, and what to: scores of that kind cite both."""


def cited(book: Path, name: str) -> str:
    """The measure's papers as BibTeX."""
    keys = [MEASURES[name].cite, *EXTENDED.get(name, ())[:1]]
    entries = [f"```bibtex\n{bibtex(book, key)}\n```" for key in keys]
    return "\n\n".join(["## To cite it", *entries])


def _papers(measure: Measure) -> str:
    """The measure's paper, and the one that extends it with what for."""
    said = f"{{cite:t}}`{measure.cite}`"
    if measure.name in EXTENDED:
        key, purpose = EXTENDED[measure.name]
        said += f"; {purpose} {{cite:t}}`{key}`"
    return said


def described(measure: Measure) -> str:
    described, _, _ = inspect.getdoc(measure.formula).partition("\n>>> ")
    return described.strip()


def formula(measure: Measure) -> str:
    return described(measure).split("\n\n")[0]


def _example(measure: Measure) -> str:
    return inspect.getdoc(measure.formula).partition("\n>>> ")[2].strip()


def _facts(book: Path, measure: Measure) -> str:
    facts = {
        "Name": f"`{measure.name}`" + _suites(measure.name),
        "Range": value_range(described(measure)),
        "Source": _papers(measure),
        "Derived in": _chapter(book, measure.name),
    }
    return definitions(facts)


def _chapter(book: Path, name: str) -> str:
    chapter, _, section = CHAPTERS[name].partition("#")
    address = f"../{chapter}.html" + (f"#{section}" if section else "")
    return f'<a href="{address}">{title(book, chapter)}</a>'


def _plain_but_names(formula: str) -> str:
    return "`".join(part if i % 2 else plain(part) for i, part in enumerate(formula.split("`")))


def _suites(name: str) -> str:
    return "".join(f", in the suite `{suite}`" for suite, names in SUITES.items() if name in names)


def value_range(described: str) -> str:
    found = re.search(r"Range\s+([\[(][^\])]*[\])])", described)
    return found[1] if found else "as described"


def _from_sets(book: Path, name: str) -> Iterator[str]:
    if name in FROM_SETS:
        chapter = CHAPTERS[name].partition("#")[0]
        yield "## From sets"
        same = (
            " They are for two sides of the same mentions, and where they meet 0/0 they stop or "
            "give 1, the manuscript's choice."
            if chapter in MANUSCRIPT
            else ""
        )
        yield f"The lines of the chapter {_chapter(book, name)}, with all that they call.{same}"
        yield f"```python\n{from_sets.lines(book, chapter, FROM_SETS[name])}\n```"


def _source(measure: Measure) -> str:
    """The function as it runs, without the docstring, which stands above."""
    head, _, body = inspect.getsource(measure.formula).split('"""')
    path = measure.formula.__module__.replace(".", "/") + ".py"
    code = head.rstrip() + dedent(body).replace("\n", "\n    ").rstrip()
    return f"::::{{dropdown}} Code: {path}\n```python\n{code}\n```\n::::"


# ------------------------------------------------------------------------------ pictures


def picture(name: str) -> Picture:
    """The docstring's example, drawn as the measure counts it."""
    key, response = sides(name)
    t = Contingency.of(key, response)
    if name in ("muc", "kappa", "h"):
        return draw.relative_partition(key, response).captioned(
            "The entities of the key, and the parts into which the response cuts them."
        )
    if name == "b3":
        return draw.credits(key, _credit(key, response)).captioned(
            "Recall: each mention's credit is the share of its entity that was found with it."
        )
    if name == "b3_class":
        weight = {m: Fraction(1, len(key) * len(entity)) for entity in key for m in entity}
        return draw.credits(key, _credit(key, response), weight.get).captioned(
            "Recall: each mention's credit, and its weight within its entity."
        )
    if name in SIMILARITIES:
        similarity = SIMILARITIES[name]
        return draw.alignment(key, response, similarity, align(t, similarity)).captioned(
            "The similarities of entities that overlap; the heavy lines are the best alignment."
        )
    if name in ("pairwise", "lea"):
        return draw.row(
            [draw.links(entity, _kept(entity, response)) for entity in key],
            [f"K{i}" for i in range(1, len(key) + 1)],
        ).captioned("The key's entities. Drawn: their links that the response has too.")
    if name == "c":
        cores = [max((set(k) & set(r) for r in response), key=len) for k in key]
        return draw.relative_partition(key, response, chosen=cores).captioned(
            "The cores of the key's entities are marked."
        )
    return draw.overlap(key, response).captioned("Blue: the key. Orange: the response.")


def sides(name: str) -> tuple[Partition, Partition]:
    example = _example(MEASURES[name])
    found = re.search(r'metric\("\w+"\)\("([^"]+)", "([^"]+)"\)', example)
    if not found:
        raise ExtensionError(f"{name}: no example of its docstring has a key and a response")
    return Partition.parse(found[1]), Partition.parse(found[2])


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


def _changes(name: str) -> Iterator[str]:
    """Found by trying every choice on every small key and response."""
    found = measure_trial.effects(name)
    changing = [_named(convention, each) for convention, each in found.items() if each.changes]
    same = [f"`{convention}`" for convention, each in found.items() if not any(each[:2])]
    facts = {"Changed by": ", ".join(changing)}
    if same:
        facts["Not changed by"] = ", ".join(same)
    refused = [
        f"{convention} {_quoted(each.refused)}"
        for convention, each in found.items()
        if each.refused
    ]
    if refused:
        facts["Not defined for"] = ", ".join(refused)
    pair = measure_trial.undefined(name)
    if pair:
        key, response = map(_written, pair)
        facts["0/0"] = f"for the key `{key}` and the response `{response}`, for example"
    yield definitions(facts)
    yield (
        "Each choice was tried on every key and response of up to three mentions and on two "
        "larger pairs."
    )


def _named(convention: str, found: measure_trial.Effects) -> str:
    some = f" ({_quoted(found.changes)} only)" if found.refused or found.none else ""
    return f"[`{convention}`](#convention-{convention}){some}"


def _quoted(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _written(side: list[list[str]]) -> str:
    return " ".join(f"{{{' '.join(entity)}}}" for entity in side)


# ------------------------------------------------------------------------------ judgements


def _judged(book: Path, name: str) -> Iterator[str]:
    """What the chapter's end says; of a measure without one, the page says it in its own words."""
    if name not in JUDGED:
        return
    chapter = CHAPTERS[name].partition("#")[0]
    text = section(book, chapter, r"## What [^\n]* is good at, and what it misses")
    yield "## What it is good at, and what it misses"
    yield "\n".join(points(text))
    title = MEASURES[name].title
    if title not in _when(book):
        raise ExtensionError(f"which-measure: its table of measures has no row on {title}")
    beside = "../which-measure.ipynb#the-measures-side-by-side"
    when = _when(book)[title]
    yield (
        f"## When to report it\n\n{when[0].upper()}{when[1:]}. "
        f"[The measures side by side]({beside}) says the same of the others."
    )


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
    parts = []
    for name in BY_USE:
        lines = "\n".join(
            f"| `{choice}` | {plain(text)} |" for choice, text in CHOICES[name].items()
        )
        parts.append(
            f"(convention-{name})=\n### `{name}`\n\n| choice | meaning |\n|---|---|\n{lines}"
        )
    return "\n\n".join(parts)
