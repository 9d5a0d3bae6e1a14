"""The guidebook text of Popescu-Belis, section 1.4, with its mentions marked."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from companion.ledger import DATA
from corefeval.partition import Partition
from corefeval.readers.conll import read

STYLES = ("4px double #1f72b4", "3px dotted #c4501b", "2px solid #6d737c", "3px dashed #a04fb0")
BRACKETS = {"-LRB-": "(", "-RRB-": ")"}


@dataclass(frozen=True)
class Text:
    """Words; the number of each mention (its first and last word) in the order of the text."""

    words: list[str]
    numbers: dict[Any, int]
    key: Partition
    response: Partition

    def numbered(self, side: Partition) -> Partition:
        """A side with the mentions' numbers for their places in the text."""
        return Partition([[self.numbers[span] for span in entity] for entity in side])

    def _repr_html_(self) -> str:
        """Every mention underlined in its key entity's way, with its number and its entities."""
        begins = {first: (first, last) for first, last in self.numbers}
        ends = {last: (first, last) for first, last in self.numbers}
        html = ""
        for position, word in enumerate(self.words):
            html += "" if word in {".", ",", ")"} or html.endswith("(") else " "
            if position in begins:
                style = STYLES[self.key.entity_of[begins[position]]]
                html += f'<span style="border-bottom: {style}">'
            html += escape(word)
            if position in ends:
                span = ends[position]
                k, r = self.key.entity_of[span] + 1, self.response.entity_of[span] + 1
                html += f"<sub>{self.numbers[span]} K{k} R{r}</sub></span>"
        return f'<p style="line-height: 2">{html.strip()}</p>'

    def __repr__(self) -> str:
        return " ".join(self.words)


def load() -> Text:
    """The text with the key and the response of Table 1, from ``data/examples``.

    >>> text = load()
    >>> text.numbered(text.key)
    Partition('{1 2} {3 4 5} {6 7 8 9 10 11 12} {13 14 15 16 17}')
    >>> len(text.response)
    3
    """
    paths = [DATA / "examples" / f"guidebook.{side}.conll" for side in ("key", "response")]
    (key,), (response,) = (read(path).values() for path in paths)
    lines = paths[0].read_text(encoding="utf-8").splitlines()
    columns = [line.split() for line in lines if line and not line.startswith("#")]
    words = [BRACKETS.get(word, word) for _, _, _, word, *_ in columns]
    spans: list[Any] = sorted(key.mentions)
    return Text(words, {span: number for number, span in enumerate(spans, 1)}, key, response)
