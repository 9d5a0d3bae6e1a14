"""What the first page shows: a sentence, what the measures make of a response to it, a timeline."""

from __future__ import annotations

from pathlib import Path

from companion import draw
from companion.draw.timeline import MEASURES
from companion.tables import scores

from corefeval import metric

TEXT = (
    "[Conradin] was ten years old, and [the doctor] had pronounced [his] professional opinion that "
    "[the boy] would not live another five years."
)
KEY = "{Conradin the_boy} {the_doctor his}"
RESPONSE = "{Conradin his the_boy} {the_doctor}"
TITLES = {
    "muc": "MUC",
    "b3": "B³",
    "ceafm": "CEAFₘ",
    "ceafe": "CEAFₑ",
    "blanc": "BLANC",
    "lea": "LEA",
    "conll": "CoNLL score",
}


def sentence(book: Path) -> str:
    """The sentence with its mentions, and the scores of the response."""
    found = {title: metric(name)(KEY, RESPONSE) for name, title in TITLES.items()}
    caption = "One response, seven numbers."
    shown = draw.sentence(TEXT, KEY, RESPONSE)._repr_html_()
    table = scores(found, caption, "measure")._repr_html_()
    return f'{shown}\n\n<div class="scrolling" tabindex="0">\n{table}\n</div>'


def timeline(book: Path) -> str:
    """The measures in the order of their papers."""
    caption = "The measures by year; a line leads to the earlier measure whose fault a paper names."
    return draw.timeline(MEASURES).captioned(caption)._repr_html_()
