"""The guidebook text of Popescu-Belis, section 1.4, with its mentions marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corefbook.draw.sentences import Sentence, sentence
from corefbook.ledger import DATA
from corefeval.overlap.partition import Partition
from corefeval.readers import read

BRACKETS = {"-LRB-": "(", "-RRB-": ")"}


@dataclass(frozen=True)
class Text:
    """A text: its words, and the number of each mention in their order.

    A mention is its first and its last word.
    """

    words: list[str]
    numbers: dict[Any, int]
    key: Partition
    response: Partition

    def numbered(self, side: Partition) -> Partition:
        """A side with the mentions' numbers for their places in the text."""
        return Partition([[self.numbers[span] for span in entity] for entity in side])

    @property
    def marked(self) -> str:
        """The text with each mention in brackets, named by its number."""
        opening = {first: "[" for first, _ in self.numbers}
        closing = {last: f"|{number}]" for (_, last), number in self.numbers.items()}
        marked = ""
        for position, word in enumerate(self.words):
            marked += "" if word in {".", ",", ")"} or marked.endswith("(") else " "
            marked += opening.get(position, "") + word + closing.get(position, "")
        return marked.strip()

    def sentence(self) -> Sentence:
        """Every mention with its number and its entities in the key and in the response."""
        return sentence(self.marked, self.numbered(self.key), self.numbered(self.response))

    def _repr_html_(self) -> str:
        return self.sentence()._repr_html_()

    def __repr__(self) -> str:
        return repr(self.sentence())


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
