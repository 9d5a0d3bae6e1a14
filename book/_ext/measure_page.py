"""The registered measures as a page: what each one's docstring and source say."""

from __future__ import annotations

import inspect
import re
from itertools import combinations, product
from pathlib import Path
from textwrap import dedent

from companion.enumeration import partitions
from ledger_pages import definitions, plain, title

from corefeval import CorefError, metric
from corefeval.conventions import CHOICES
from corefeval.registry import MEASURES, SUITES, Measure

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
    "lea": "lea",
    "conll": "reference-scorer#the-conll-score",
    "kappa": "framework#agreement-above-chance",
    "c": "framework#c-core-classes",
    "xc": "framework#xc-exclusive-core-classes",
    "h": "framework#h-information",
    "dmt": "framework#dmt-sizes-alone",
    "derr": "lost-text#d-err-a-formula-that-misses",
}
"""Where the book explains each measure. A new measure wants its line here."""


def measures(book: Path) -> str:
    return "\n\n".join(_entry(book, measure) for measure in MEASURES.values())


def _entry(book: Path, measure: Measure) -> str:
    described, _, example = inspect.getdoc(measure.formula).partition("\n>>> ")
    formula, *text = described.strip().split("\n\n")
    chapter, _, section = CHAPTERS[measure.name].partition("#")
    address = f"{chapter}.html" + (f"#{section}" if section else "")
    facts = {
        "Name": f"`{measure.name}`" + _suites(measure.name),
        "Range": _range(described),
        "Changed by": _changed_by(measure.name),
        "Source": f"{{cite:t}}`{measure.cite}`",
        "Chapter": f'<a href="{address}">{title(book, chapter)}</a>',
    }
    return "\n\n".join(
        [
            f"(measure-{measure.name})=\n## {measure.title}",
            # In Markdown several blanks are one, so that wide ones have to be of another kind.
            "{.formula}\n" + re.sub(" {2,}", "\N{EM SPACE}", _plain_but_names(formula)),
            *text,
            definitions(facts),
            f"```pycon\n>>> {example.strip()}\n```",
            _source(measure),
        ]
    )


def _plain_but_names(formula: str) -> str:
    return "`".join(part if i % 2 else plain(part) for i, part in enumerate(formula.split("`")))


def _suites(name: str) -> str:
    return "".join(f", in the suite `{suite}`" for suite, names in SUITES.items() if name in names)


def _range(described: str) -> str:
    found = re.search(r"Range\s+([\[(][^\])]*[\])])", described)
    return found[1] if found else "as described"


def _source(measure: Measure) -> str:
    """The function as it runs, without the docstring, which stands above."""
    head, _, body = inspect.getsource(measure.formula).split('"""')
    path = measure.formula.__module__.replace(".", "/") + ".py"
    code = head.rstrip() + dedent(body).replace("\n", "\n    ").rstrip()
    return f"::::{{dropdown}} Code: {path}\n```python\n{code}\n```\n::::"


def conventions(book: Path) -> str:
    """What may be chosen, as definition lists; the default first."""
    parts = []
    for name, choices in CHOICES.items():
        lines = "\n".join(f"| `{choice}` | {plain(text)} |" for choice, text in choices.items())
        parts.append(
            f"(convention-{name})=\n### `{name}`\n\n| choice | meaning |\n|---|---|\n{lines}"
        )
    return "\n\n".join(parts)


Side = list[list[str]]


SMALL = [
    side
    for size in range(4)
    for mentions in combinations("abc", size)
    for side in partitions(mentions)
]
"""Every key or response of up to three mentions."""

TAKEN = [["a", "b", "c"], ["d", "e", "f"]], [["a", "b", "c", "d", "e"], ["f"]]
"""The two key entities want the same response entity."""

REPEATED = [["a", "b"], ["c"]], [["a"], ["a", "b"]]

PAIRS = [*product(SMALL, SMALL), TAKEN, REPEATED]


def _changed_by(name: str) -> str:
    """The conventions that change the measure's score of some pair, found by trying all."""
    changed, undefined = [], ""
    for convention, choices in CHOICES.items():
        effects = {choice: _effect(name, convention, choice) for choice in [*choices][1:]}
        changing = [choice for choice, effect in effects.items() if effect == "changes"]
        refused = [choice for choice, effect in effects.items() if effect == "refused"]
        if changing:
            some = "" if len(changing) == len(effects) else f" ({_quoted(changing)} only)"
            changed.append(f"[`{convention}`](#convention-{convention}){some}")
        if refused:
            undefined += f"; not defined for {convention} {_quoted(refused)}"
    return ", ".join(changed) + undefined


def _quoted(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _effect(name: str, convention: str, choice: str) -> str:
    for key, response in PAIRS:
        chosen = _scored(name, key, response, **{convention: choice})
        if chosen != _scored(name, key, response):
            return "refused" if chosen is None else "changes"
    return "none"


def _scored(name: str, key: Side, response: Side, **chosen: str) -> list[float | None] | None:
    try:
        score = metric(name, **chosen)(key, response)
    except CorefError:
        return None
    # Sums of logarithms may differ in their last digits.
    return [None if part is None else round(float(part), 9) for part in score[:4]]
