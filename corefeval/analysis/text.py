"""The words of each document, and where a mention stands among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from corefeval.overlap.partition import is_span


class Text(NamedTuple):
    """The words of a document in their order."""

    words: Sequence[str]
    sentences: Sequence[int] = (0,)
    """The first word of each sentence."""
    between: str = " "
    """What stands between two words: nothing, where words are characters."""
    joined: frozenset[int] | None = None
    """The places before which there is no space; None where the file does not tell."""
    place_of: Mapping[tuple[int, str], int] = {}
    """In CorefUD the place of each node, by its sentence and id."""

    @classmethod
    def of(cls, documents: Sequence[Any]) -> Text:
        """The text of a document by the files of one or both sides: that of the key, if it has one.

        An empty node of CorefUD may be on one side only, and both sides' mentions are to be shown.
        """
        if hasattr(documents[0], "nodes"):
            return cls._of_nodes([node for document in documents for node in document.nodes])
        document = next((one for one in documents if one.has_words), documents[0])
        words = document.words
        between = "" if all(len(word) == 1 for word in words) else " "
        return cls(words, document.sentences or [0], between)

    @classmethod
    def _of_nodes(cls, nodes: Sequence[tuple[int, str, str, bool]]) -> Text:
        by_place = {(node[0], node[1]): node for node in reversed(nodes)}
        order = sorted(by_place, key=lambda place: (place[0], [*map(int, place[1].split("."))]))
        place_of = {place: n for n, place in enumerate(order)}
        starts = [n for place, n in place_of.items() if not n or order[n - 1][0] != place[0]]
        in_order = [by_place[place] for place in order]
        words = ["∅" if "." in id and form == "_" else form for _, id, form, _ in in_order]
        # An empty node is no part of the text, so the words around it stay as they are.
        of_words = [n for place, n in place_of.items() if "." not in place[1]]
        joined = {b for a, b in pairwise(of_words) if by_place[order[a]][3]}
        return cls(words, starts, joined=frozenset(joined) or None, place_of=place_of)

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

    def written(self, places: Sequence[int]) -> str:
        """The words at these places, as they are shown one after another."""
        return self.between.join(self.words[place] for place in places)
