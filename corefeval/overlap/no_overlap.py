"""Keys and responses with few mentions in common, or none, or without any: mostly a slip."""

from __future__ import annotations

from collections.abc import Hashable
from operator import add
from typing import Any, NamedTuple

from corefeval.errors import shortened, warn
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import OF_SPACY, Mention, Partition, all_mentions, is_span

SHARE_NONE = "the key and the response share no mention"
SHARE_FEW = "the key and the response share few mentions"
MOVE_ENDS = "If so, move those of one side: [(first, last - 1) for first, last in …]"
"""What to do where mentions in memory have ends that mean two things."""
OF_EACH_SIDE = (
    "if they differ between the sides, type corefeval.evaluate(corefeval.read(KEY, "
    "offsets='inclusive'), corefeval.read(RESPONSE, 'response', offsets='exclusive'))"
)
"""What to do where the ends of each side are to be told."""
ENOUGH = 3
"""So many mentions on each side are hardly apart by chance, even in one document of many."""
MANY = 20
"""How many mentions each side has at least before `FEW` says anything of the two."""
FEW = 4
"""Fewer than one in so many mentions of the smaller side are few.

Of the smaller side's mentions, real responses and second annotators share 56% and more in a corpus,
47% and more in a document that has `MANY` on both sides (2,707 documents of `data/real`). Of eleven
pairs of annotators whose tokens differ, ten share 11 to 28%; where one side counted tokens in each
sentence, it was 12%. A quarter is as far from the 12 as from the 47, by their ratios.
"""


class SidesApart(NamedTuple):
    """What key and response share, of documents or of a table."""

    documents: int = 0
    key: int = 0
    """How many mentions the key has."""
    response: int = 0
    met: int = 0
    """How many are on both sides."""
    earlier: int = 0
    """How many would be if the response's ends were moved by −1, and by +1."""
    later: int = 0
    number: int = 0
    """How many documents share none, and have `ENOUGH` mentions on both sides."""
    example: tuple[Hashable, Mention, Mention] | None = None
    """A document that shares none, the first that has `ENOUGH` if one has, with a mention of its
    key and one of its response."""

    @classmethod
    def of_table(cls, t: Contingency) -> SidesApart:
        """What the sides of a table share."""
        return cls(key=t.key_mentions, response=t.T.key_mentions, met=t.shared_mentions)

    @classmethod
    def of_document(cls, name: Hashable, sides: tuple[Any, Any]) -> SidesApart:
        """What a document's key and response share, each a `Partition` or lists."""
        key, response = (
            side.entity_of.keys()
            if isinstance(side, Partition)
            else dict.fromkeys(all_mentions(side)).keys()
            for side in sides
        )
        sizes, met = (len(key), len(response)), len(key & response)
        earlier = later = met
        # Where half of the mentions meet, ends mean the same on both sides.
        if 2 * met < min(sizes):
            spans = [mention for mention in response if is_span(mention)]
            earlier, later = (sum((a, b + step) in key for a, b in spans) for step in (-1, 1))
        if met or not all(sizes):
            return cls(1, *sizes, met, earlier, later)
        example = name, next(iter(key)), next(iter(response))
        return cls(1, *sizes, 0, earlier, later, min(sizes) >= ENOUGH, example)

    def with_more(self, more: SidesApart) -> SidesApart:
        """What is known of these documents and of others."""
        *numbers, example = self
        *others, later_example = more
        # A document with enough mentions is a better example than the first.
        if more.number and not self.number:
            example = later_example
        return SidesApart._make([*map(add, numbers, others), example or later_example])

    def message(self, remedy: str = MOVE_ENDS) -> str:
        """What is said of sides that share nothing, or less than with other ends; else nothing.

        ``remedy`` says what to do where ends do not mean the same.
        """
        if not (self.key and self.response):
            return f"{SHARE_NONE}: {self._sizes}; are these the right ones?"
        if not self.documents:
            return self._of_table()
        return self._ends_differ(remedy) or self._share_few() or self._share_nothing()

    @property
    def _sizes(self) -> str:
        return f"the key has {self.key:,}, the response {self.response:,}"

    def _of_table(self) -> str:
        if not self.met:
            return f"{SHARE_NONE}: {self._sizes}, and no row of the table has labels of both"
        if self._shares_few:
            return f"{self._shares}; are the rows of both sides paired rightly?"
        # A key that has less than half of a response's mentions is perhaps a sample.
        if 2 * self.met >= self.response:
            return ""
        return (
            f"{SHARE_FEW}: {self.response - self.met:,} of the response's {self.response:,} have "
            "no label in the key; if nobody looked at them, precision is too low"
        )

    @property
    def _shares_few(self) -> bool:
        """Whether far fewer mentions are shared than either side has."""
        least = min(self.key, self.response)
        return least >= MANY and FEW * self.met < least

    @property
    def _shares(self) -> str:
        of_key, of_response = self.met / self.key, self.met / self.response
        return (
            f"{SHARE_FEW}: {self.met:,}, which is {of_key:.1%} of the key's {self.key:,} and "
            f"{of_response:.1%} of the response's {self.response:,}"
        )

    def _share_few(self) -> str:
        if not (self.met and self._shares_few):
            return ""
        return (
            f"{self._shares}; do both sides write mentions in the same way, and count the same "
            "tokens from the start of each document?"
        )

    def _ends_differ(self, remedy: str) -> str:
        moved = max(self.earlier, self.later)
        # Where half of the mentions meet, ends mean the same in most documents.
        share_many = 2 * self.met >= min(self.key, self.response)
        if share_many or moved <= self.met or moved < ENOUGH:
            return ""
        step = -1 if moved == self.earlier else 1
        message = (
            f"{SHARE_FEW}: {self.met:,} ({self._sizes}), and {moved:,} if the response's ends are "
            f"moved by {step:+d}; is an end the last token on one side, and the one after it on "
            "the other?"
        )
        return f"{message} {remedy}".strip()

    @property
    def _of_spacy(self) -> str:
        """What is said of spans of spaCy, which equal none of another Doc."""
        if self.example is None or not all(hasattr(mention, "doc") for mention in self.example[1:]):
            return ""
        return f"; a Span of spaCy equals none of another Doc: give {OF_SPACY}"

    def _share_nothing(self) -> str:
        if self.met and not self.number:
            return ""
        shown = ""
        if self.example:
            document, *mentions = self.example
            key, response = map(shortened, mentions)
            shown = f"; in document {document!r}, the key has {key}, the response {response}"
            shown += self._of_spacy
        if not self.met:
            return f"{SHARE_NONE}: {self._sizes}, and none is the same{shown}"
        return f"{SHARE_NONE} in {self.number:,} of {self.documents:,} documents{shown}"

    def warn(self, remedy: str = MOVE_ENDS) -> None:
        """Give the `message` as a warning, if there is one: ``remedy`` is for ends that differ."""
        if message := self.message(remedy):
            warn(message)

    def warn_of_few(self, remedy: str = MOVE_ENDS) -> None:
        """Warn of sides that share far fewer mentions than either has.

        Where a scorer's rules were chosen, or are explained, nothing is said of small inputs.
        """
        if self._shares_few:
            warn(self.message(remedy))

    def warn_of_one(self) -> None:
        """Warn of a lone document, which may well share nothing, if its mentions cannot meet."""
        if message := self._ends_differ(MOVE_ENDS):
            warn(message)
        elif self._of_spacy:
            warn(f"{SHARE_NONE}{self._of_spacy}")
