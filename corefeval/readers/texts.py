"""The words of a document, where mentions stand among them, and what files say of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from corefeval.partition import is_span

PENN_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
}  # fmt: skip
"""What the Penn Treebank's tokens for brackets stand for."""
NO_TAGS = {"", "-", "_", "*"}


class Text(NamedTuple):
    """The words of a document in their order, and their parts of speech."""

    words: Sequence[str]
    tags: Sequence[str] = ()
    """A part of speech for each word; none where the file has none."""
    sentences: Sequence[int] = (0,)
    """The first word of each sentence."""
    between: str = " "
    """What stands between two words: nothing, where words are characters."""
    joined: frozenset[int] | None = None
    """The places before which there is no space; None where the file does not tell."""
    place_of: Mapping[tuple[int, str], int] = {}
    """In CorefUD the place of each node, by its sentence and id."""

    def places(self, mention: Any) -> list[int]:
        """The places of a mention's words, in their order; none if it is no mention of this text.

        >>> Text("Ann sees her".split()).places((0, 1))
        [0, 1]
        """
        # Only mentions of CorefUD have nodes, and readers of other formats need not import it.
        if hasattr(mention, "nodes"):
            nodes = [(mention.sentence, node) for node in mention.nodes]
            return sorted(self.place_of[node] for node in nodes if node in self.place_of)
        if is_span(mention) and mention[1] < len(self.words):
            return list(range(mention[0], mention[1] + 1))
        return []

    def head(self, mention: Any) -> int | None:
        """The place of a mention's head, which only CorefUD tells."""
        if hasattr(mention, "nodes"):
            return self.place_of.get((mention.sentence, mention.head))
        return None

    def sentence(self, place: int) -> int:
        """The number of a place's sentence, counted from 0."""
        return bisect_right(self.sentences, place) - 1


def known_tags(tags: list[str]) -> list[str]:
    """The tags, if there are any."""
    return [] if NO_TAGS.issuperset(tags) else tags
