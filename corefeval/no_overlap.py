"""Keys and responses without a mention in common, or without any: mostly a slip."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from operator import add
from typing import Any, NamedTuple

from corefeval.contingency import Contingency
from corefeval.errors import shortened, warn
from corefeval.partition import Mention, Partition, all_mentions, is_span

Example = tuple[Hashable, Mention, Mention]
"""A document, and a mention of its key and one of its response."""
ENOUGH = 3
"""So many mentions on each side are hardly apart by chance, even in one document of many."""

FEW, MOST = Fraction(1, 10), Fraction(1, 2)
"""Fewer mentions than the first share meet, and more than the second once ends are moved by one:
then one side counts the last token of a mention, and the other does not."""

SHARE_NONE = "the key and the response share no mention"
SHARE_FEW = "the key and the response share few mentions"
"""The two warnings: what follows says where, and what may be the cause."""
MOST_LABELLED = Fraction(1, 2)
"""A key that has less than this share of a response's mentions is perhaps a sample."""


class SidesApart(NamedTuple):
    """What key and response share, of documents or of a table."""

    documents: int = 0
    """Those of labels in tables are not counted: they have no mentions to show."""
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
    example: Example | None = None
    """A document that shares none, with a mention of each side: the first that has `ENOUGH`, or
    else the first."""

    @classmethod
    def of_table(cls, table: Contingency) -> SidesApart:
        """What the sides of a table share."""
        return cls(key=table.key_mentions, response=table.T.key_mentions, met=table.shared_mentions)

    @classmethod
    def of_document(cls, name: Hashable, sides: tuple[Any, Any]) -> SidesApart:
        """What a document's key and response share, each a `Partition` or lists."""
        key, response = map(_mentions_once, sides)
        sizes = len(key), len(response)
        if not all(sizes):
            return cls(1, *sizes)
        met = earlier = later = len(key & response)
        if 2 * met < FEW * sum(sizes):
            earlier, later = (len(key & _with_ends_moved(response, step)) for step in (-1, 1))
        if met:
            return cls(1, *sizes, met, earlier, later)
        example = name, next(iter(key)), next(iter(response))
        return cls(1, *sizes, 0, earlier, later, min(sizes) >= ENOUGH, example)

    def with_more(self, more: SidesApart) -> SidesApart:
        """What is known of these documents and of others."""
        *numbers, example = self
        *others, other = more
        if more.number and not self.number:
            example = other
        return SidesApart._make([*map(add, numbers, others), example or other])

    def warn(self, empty_side: bool = False, joined: bool = False) -> None:
        """Warn once of a corpus whose sides share nothing, or of documents that share nothing.

        A side without any mention is warned of, unless ``empty_side`` says that it is meant. Two
        files of labels were told of when they were ``joined``.
        """
        if not (self.key and self.response):
            told = "" if empty_side else self._nothing()
        elif not self.documents:
            told = self.nothing_shared() or self._few_labelled()
            told = "" if joined and not self.met else told
        else:
            told = self._ends_differ() or self.nothing_shared() or self._some_share_nothing()
        if told:
            warn(told)

    def nothing_shared(self) -> str:
        """What is said of sides that have mentions, and none in common; else nothing."""
        if self.met or not (self.key and self.response):
            return ""
        if not self.documents:
            return (
                f"{SHARE_NONE}: no row of the table has a label of both sides; are they joined on "
                "the column that names the mentions?"
            )
        if self.example is None:
            return (
                f"{SHARE_NONE}: no document has mentions on both sides; are documents called the "
                "same in both?"
            )
        return nothing_shared(*self.example[1:])

    def _nothing(self) -> str:
        """What is said of a side without mentions."""
        return (
            f"{SHARE_NONE}: the key has {self.key:,}, the response {self.response:,}; are these "
            "the right files, with mentions as their format writes them? If that is meant, "
            "evaluate(…, empty_side=True) and --empty-side say so"
        )

    def _few_labelled(self) -> str:
        if self.met >= MOST_LABELLED * self.response:
            return ""
        return (
            f"{SHARE_FEW}: {self.response - self.met:,} of the response's {self.response:,} have "
            "no label in the key; if nobody looked at them, precision is too low; recall by MUC, "
            "B³, LEA and pairwise is that of the entities that have labels, if these are labelled "
            "whole"
        )

    def _ends_differ(self) -> str:
        """What is said if few mentions meet, and most once the response's ends are moved."""
        now, then = (
            Fraction(2 * met, self.key + self.response)
            for met in (self.met, max(self.earlier, self.later))
        )
        if min(self.key, self.response) < ENOUGH or now >= FEW or then <= MOST:
            return ""
        before, after = (f"{float(100 * share):.1f}%" for share in (now, then))
        step = -1 if self.earlier >= self.later else 1
        which, other = ("response", "key") if step < 0 else ("key", "response")
        return (
            f"{SHARE_FEW}: {before} (F1), and {after} if the response's ends are moved by "
            f"{step:+d}; do the {which}'s ends lie behind the last token, as in a slice, and the "
            f"{other}'s on it? Score them again with one meaning of the end on both sides: "
            "[(first, last - 1) for first, last in …]"
        )

    def _some_share_nothing(self) -> str:
        if not self.number or self.example is None:
            return ""
        document, *mentions = self.example
        return (
            f"{SHARE_NONE} in {self.number:,} of {self.documents:,} documents, though each side "
            f"has {ENOUGH} or more there; in {document!r}, {_examples(*mentions)}"
        )


def nothing_shared(key_mention: Mention, response_mention: Mention) -> str:
    """The warning of a corpus that shares no mention, with one of each side as it is."""
    return (
        f"{SHARE_NONE}: "
        f"{_examples(key_mention, response_mention)}; mentions are the same if they are equal, in "
        "type as in value"
    )


def _examples(key_mention: Mention, response_mention: Mention) -> str:
    return f"the key has {shortened(key_mention)}, the response {shortened(response_mention)}"


def _with_ends_moved(mentions: Any, step: int) -> set[Any]:
    """The mentions that are spans (first, last), with their ends moved."""
    return {(each[0], each[1] + step) for each in mentions if is_span(each)}


def _mentions_once(side: Any) -> Any:
    """The mentions of a side, each once, in their order."""
    if isinstance(side, Partition):
        return side.entity_of.keys()
    return dict.fromkeys(all_mentions(side)).keys()
