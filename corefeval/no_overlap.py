"""Keys and responses without a mention in common, or without any: mostly a slip."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from operator import add
from typing import Any

from corefeval.contingency import Contingency
from corefeval.errors import shortened, warn
from corefeval.partition import Mention, Partition, all_mentions

ENOUGH = 3
"""So many mentions on each side are hardly apart by chance, even in one document of many."""

FEW, MOST = Fraction(1, 10), Fraction(1, 2)
"""Fewer mentions than the first share meet, and more than the second once ends are moved by one:
then one side counts the last token of a mention, and the other does not."""

NO_MENTION = "the key and the response share no mention"
ARE_NAMES_ALIKE = "are documents called the same in both?"
MOST_LABELLED = Fraction(1, 2)
"""A key that has less than this share of a response's mentions is perhaps a sample."""


class SidesApart:
    """What key and response share, of the documents or tables that were added."""

    def __init__(self) -> None:
        self.documents = 0
        """Those of labels in tables are not counted: they have no mentions to show."""
        self.met = 0
        """How many mentions are on both sides."""
        self.moved = {-1: 0, 1: 0}
        """How many would be, with the response's ends moved by so many tokens."""
        self.mentions = (0, 0)
        """How many the key has, and the response."""
        self.small: list[tuple[Mention, Mention]] = []
        """A mention of each side, of the first document that shares none."""
        self.large: list[tuple[Hashable, Mention, Mention]] = []
        """The same, and its name, of the first that has `ENOUGH` mentions on both sides, too."""
        self.number = 0
        """How many have."""

    @classmethod
    def of_table(cls, table: Contingency) -> SidesApart:
        """What the sides of a table share."""
        found = cls()
        found.mentions = table.key_mentions, table.T.key_mentions
        found.met = table.shared_mentions
        return found

    def add(self, name: Hashable, sides: tuple[Any, Any]) -> None:
        """Look at another document: its key and response, as a `Partition` or lists."""
        key, response = map(_mentions_once, sides)
        self.documents += 1
        self.mentions = (self.mentions[0] + len(key), self.mentions[1] + len(response))
        if not key or not response:
            return
        met = len(key & response)
        self.met += met
        few = 2 * met < FEW * (len(key) + len(response))
        for step in self.moved:
            self.moved[step] += len(key & _with_ends_moved(response, step)) if few else met
        if met:
            return
        mentions = next(iter(key)), next(iter(response))
        self.small = self.small or [mentions]
        if min(len(key), len(response)) >= ENOUGH:
            self.number += 1
            self.large = self.large or [(name, *mentions)]

    def with_more(self, more: SidesApart) -> SidesApart:
        """What is known of these documents and of others."""
        found = SidesApart()
        found.documents = self.documents + more.documents
        found.met = self.met + more.met
        found.moved = {step: number + more.moved[step] for step, number in self.moved.items()}
        key, response = map(add, self.mentions, more.mentions)
        found.mentions = key, response
        found.small = self.small or more.small
        found.large = self.large or more.large
        found.number = self.number + more.number
        return found

    def warn(self, empty_side: bool = False, joined: bool = False) -> None:
        """Warn once of a corpus whose sides share nothing, or of documents that share nothing.

        A side without any mention is warned of, unless ``empty_side`` says that it is meant. Two
        files of labels were told of when they were ``joined``.
        """
        if not all(self.mentions):
            if not empty_side:
                warn(self._nothing())
        elif step := self._ends_apart():
            warn(_ends_differ(self.met, self.moved[step], step, *self.mentions))
        elif nothing := self.nothing_shared():
            if not joined:
                warn(nothing)
        elif not self.documents:
            self._warn_of_labels()
        elif self.large:
            warn(_some_share_nothing(self.number, *self.large[0]))

    def nothing_shared(self) -> str:
        """What is said of sides that have mentions, and none in common; else nothing."""
        if self.met or not all(self.mentions):
            return ""
        if not self.documents:
            return (
                f"{NO_MENTION}: no row of the table has a label of both sides; are they joined on "
                "the column that names the mentions?"
            )
        if not self.small:
            return f"{NO_MENTION}: no document has mentions on both sides; {ARE_NAMES_ALIKE}"
        return nothing_shared(*self.small[0])

    def _ends_apart(self) -> int:
        """By how many tokens ends differ, if most mentions meet once they are moved; else 0."""
        if min(self.mentions) < ENOUGH or _share(self.met, *self.mentions) >= FEW:
            return 0
        step = max(self.moved, key=self.moved.__getitem__)
        return step if _share(self.moved[step], *self.mentions) > MOST else 0

    def _nothing(self) -> str:
        """What is said of a side without mentions."""
        key, response = self.mentions
        meant = "If that is meant, evaluate(…, empty_side=True) and --empty-side say so"
        if not key and not response:
            nothing = "there is nothing to score: no document has a mention, on either side"
            return f"{nothing}. {meant}"
        empty, other = ("key", "response") if response else ("response", "key")
        documents = f"{self.documents:,} document{'s' if self.documents > 1 else ''}"
        where = f" in {documents}" if self.documents else ""
        return (
            f"{NO_MENTION}: the {empty} has none{where}, and the {other} has {key or response:,}; "
            f"is it the right file, with mentions as its format writes them? {meant}"
        )

    def _warn_of_labels(self) -> None:
        every, shared = self.mentions[1], self.met
        if shared < MOST_LABELLED * every:
            warn(
                f"{every - shared:,} of the response's {every:,} mentions have no label in the "
                "key: if nobody looked at them, precision is too low; recall by MUC, B³, LEA and "
                "pairwise is that of the entities that have labels, if these are labelled whole"
            )


def _share(met: int, key: Any, response: Any) -> Fraction:
    """The F1 of mentions, from sides or from how many mentions they have."""
    sizes = [side if isinstance(side, int) else len(side) for side in (key, response)]
    return Fraction(2 * met, sum(sizes))


def _with_ends_moved(mentions: Any, step: int) -> set[Any]:
    """The mentions that are spans (first, last), with their ends moved."""
    return {(m[0], m[1] + step) for m in mentions if _is_span(m)}


def _is_span(mention: Any) -> bool:
    return isinstance(mention, tuple) and len(mention) == 2 and {*map(type, mention)} == {int}


def _ends_differ(met: int, moved: int, step: int, key: int, response: int) -> str:
    """The warning of sides whose ends differ by one, with both shares."""
    before, after = (f"{float(100 * _share(each, key, response)):.1f}%" for each in (met, moved))
    which, other = ("response", "key") if step < 0 else ("key", "response")
    return (
        f"key and response share {before} of their mentions (F1), and {after} if the response's "
        f"ends are moved by {step:+d}: do the {which}'s ends lie behind the last token, as in a "
        f"slice, and the {other}'s on it? Score them again with one meaning of the end on both "
        "sides: [(first, last - 1) for first, last in …]"
    )


def nothing_shared(key_mention: Mention, response_mention: Mention) -> str:
    """The warning of a corpus that shares no mention, with one of each side as it is."""
    return (
        f"{NO_MENTION}: "
        f"{_examples(key_mention, response_mention)}; mentions are the same if they are equal, in "
        "type as in value"
    )


def _some_share_nothing(
    number: int, document: Hashable, key_mention: Mention, response_mention: Mention
) -> str:
    many = f"{number:,} documents" if number > 1 else "one document"
    shares = "share" if number > 1 else "shares"
    example = f", {document!r} for example:" if number > 1 else f", {document!r}:"
    return (
        f"{many} with {ENOUGH} or more mentions on each side {shares} none{example} "
        f"{_examples(key_mention, response_mention)}"
    )


def _examples(key_mention: Mention, response_mention: Mention) -> str:
    return f"the key has {shortened(key_mention)}, the response {shortened(response_mention)}"


def _mentions_once(side: Any) -> Any:
    """The mentions of a side, each once, in their order."""
    if isinstance(side, Partition):
        return side.entity_of.keys()
    return dict.fromkeys(all_mentions(side)).keys()
