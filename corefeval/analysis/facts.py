"""What a scorer's choice is, in words, and what it meets in a key and a response, in numbers.

A new convention needs its row in `SAYS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corefeval.conventions import CHOICES, OF_FILES
from corefeval.overlap.contingency import SIDES, Contingency, Tables
from corefeval.overlap.partition import ByName, Mention, all_mentions, as_lists
from corefeval.scoring import ONE_BY_SIDES, Corpus


class Change(NamedTuple):
    """A scorer's choice in place of ours, and all that it could meet."""

    name: str
    choice: str
    ours: Mapping[Hashable, Tables]
    """By document, the tables of a measure by our choice."""
    theirs: Mapping[Hashable, Tables]
    sides: tuple[Corpus, Corpus]

    @property
    def cause(self) -> Cause:
        """The choice in words, with what it meets in these files."""
        meets, says = SAYS[self.name]
        met = meets(self)
        return Cause(self.name, met, says[self.choice].format(met))


class Cause(NamedTuple):
    """A choice that makes a score another: of what, what it meets, and what the scorer does."""

    name: str
    met: str
    reason: str


# Words for numbers

WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def in_words(number: int) -> str:
    """A number in a sentence: a word up to twelve.

    >>> in_words(4), in_words(13)
    ('four', '13')
    """
    return WORDS[number] if number < len(WORDS) else str(number)


def count_of(number: int, what: str) -> str:
    """Write a number with the word for what it counts, in the plural where there are several.

    >>> count_of(1, "document"), count_of(2, "document")
    ('1 document', '2 documents')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def numbers_of_sides(numbers: Sequence[int], what: str) -> str:
    """Write how many of something the key and the response have.

    >>> numbers_of_sides([2, 1], "singleton"), numbers_of_sides([0, 1], "singleton")
    ("the key's 2 and the response's 1 singletons", "the response's 1 singleton")
    """
    of_sides = [f"the {side}'s {n}" for side, n in zip(SIDES, numbers, strict=True) if n]
    return f"{' and '.join(of_sides)} {what}{'s' * (sum(numbers) != 1)}"


# What a choice meets


def mentions_of(documents: Corpus, name: Hashable) -> Counter[Mention]:
    """How often each mention is given in a document, which may be absent."""
    entities = documents.get(name, ())
    return Counter(all_mentions(entities if isinstance(entities, ByName) else as_lists(entities)))


def repeated(times: Counter[Mention]) -> set[Mention]:
    """The mentions that are given more than once."""
    return {mention for mention, number in times.items() if number > 1}


def _scored(change: Change) -> str:
    return count_of(len(change.theirs), "document")


def _pooled(change: Change) -> str:
    key, response = change.sides
    return count_of(len({*key, *response}), "document")


def _extra(change: Change) -> str:
    key, response = change.sides
    return count_of(len(response.keys() - key.keys()), "document")


def _missing(change: Change) -> str:
    key, response = change.sides
    # Some scorers leave out documents of the response alone: of these nothing is missing.
    of_response = response.keys() & (change.ours.keys() | change.theirs.keys())
    return count_of(len(key.keys() ^ of_response), "document")


def _found(change: Change) -> str:
    before, after = (
        sum(tables.recall.shared_mentions for tables in documents.values())
        for documents in (change.ours, change.theirs)
    )
    return f"{count_of(after, 'mention')} instead of {before}"


def _repeats(change: Change) -> str:
    key, response = change.sides
    numbers = [0, 0]
    # Documents that a scorer makes one are all scored, under another name.
    scored = change.theirs.keys() & {*key, *response} or {*key, *response}
    for name in scored:
        for side, documents in enumerate(change.sides):
            repeats = repeated(mentions_of(documents, name))
            # By the reference scorer's rule only mentions that the key lacks count.
            if change.choice == "reference":
                repeats -= mentions_of(key, name).keys()
            numbers[side] += len(repeats)
    return numbers_of_sides(numbers, "repeated mention")


def _singletons(change: Change) -> str:
    numbers = _by_side(change, lambda t: sum(size == 1 for size in t.key_sizes))
    if change.choice == "drop_response":
        numbers[0] = 0
    return numbers_of_sides(numbers, "singleton")


def _twinless(change: Change) -> str:
    missing, spurious = _by_side(change, lambda t: t.key_mentions - t.shared_mentions)
    numbers = {"missing": missing, "spurious": spurious}
    # The response stays as it is, so the key's missing mentions meet nothing.
    if change.choice == "key_completed":
        del numbers["missing"]
    kinds = [f"{number} {kind}" for kind, number in numbers.items() if number]
    return f"{' and '.join(kinds)} mention{'s' * (sum(numbers.values()) != 1)}"


def _by_side(change: Change, counted: Callable[[Contingency], int]) -> list[int]:
    """What is counted on either side of the tables, before the choice is made."""
    tables = change.ours.values()
    return [sum(counted(t.recall) for t in tables), sum(counted(t.precision.T) for t in tables)]


def _alike(change: Change) -> str:
    """Documents whose sides are alike; or all, where a choice does not ask."""
    alike = ONE_BY_SIDES.get(change.choice, lambda t: True)
    tables = change.theirs.values()
    return count_of(sum(alike(t.recall) and alike(t.precision) for t in tables), "document")


def _lacks_a_class(change: Change) -> str:
    # One entity has no links between entities; singletons alone have no links within one.
    tables = change.theirs.values()
    number = sum(t.recall.key_entities in (0, 1, t.recall.key_mentions) for t in tables)
    return count_of(number, "document")


NO_CLASS = "leaves a class of links out {}; the key lacks one in {{}}"
SAYS: dict[str, tuple[Callable[[Change], str], Mapping[str, str]]] = {
    "extra": (_extra, {"ignored": "leaves out {} that the key lacks"}),
    "documents": (
        _pooled,
        {"pooled": "makes one of {}, and one entity of those with the same number"},
    ),
    "formula": (
        _lacks_a_class,
        {
            "blanc_both": NO_CLASS.format("only if both sides lack it"),
            "blanc_always": NO_CLASS.format("in no case"),
            "b3": "is B³ under another name, in {}",
        },
    ),
    "average": (
        _scored,
        {
            "mean": "takes the mean over {} instead of summing counts",
            "mean_pr": "takes F1 of the mean recall and the mean precision of {}",
            "mentions": "takes a mean over {}, weighted by mentions, instead of summing counts",
        },
    ),
    "match": (_found, {choice: f"finds {{}} by match={choice}" for choice in OF_FILES["match"]}),
    "missing": (
        _missing,
        {
            "error": "refuses {} that one side lacks",
            "empty": "scores {} that one side lacks, without mentions there",
            "skip": "leaves out {} that one side lacks",
        },
    ),
    "repeated": (
        _repeats,
        {
            "error": "refuses {}",
            "first": "counts {} once, where listed first",
            "last": "counts {} once, where listed last",
            "merge": "makes one entity of those that share {}",
            "reference": "counts each listing of {} that the key lacks",
            "each": "counts each listing of {}",
            "once_each": "counts {} once in each entity",
        },
    ),
    "singletons": (_singletons, {"drop": "leaves out {}", "drop_response": "leaves out {}"}),
    "twinless": (
        _twinless,
        {choice: f"{{}}: {meaning}" for choice, meaning in CHOICES["twinless"].items()}
        | {"key_completed": "adds {} to the key, as singletons"},
    ),
    "zero": (
        _alike,
        {
            "zero": "takes 0/0 for 0, as in {}",
            "one": "takes 0/0 for 1, as in {}",
            "same": "takes 0/0 for 1 if key and response are the same, as in {}",
            "listed": "takes 0/0 for 1 if key and response are the same, in the same order, as in "
            "{}",
            "few": "takes 0/0 for 1 if the key has at most one mention and the response at most "
            "one entity, but not two different mentions, as in {}",
        },
    ),
}
"""By convention: the function that counts what a choice meets in the files and, by choice, what a
scorer does that makes it, in words; the count takes the place in braces."""

TOPICS = {
    "extra": "{} that the key lacks",
    "documents": "whether {} are made one",
    "formula": "classes of links in BLANC, of which the key lacks one in {}",
    "average": "how {} are averaged",
    "match": "which mentions match ({})",
    "missing": "{} that one side lacks",
    "zero": "0/0 in {}",
}
"""What scorers differ over, where that is not simply what a choice meets."""


def topics(causes: Iterable[Cause]) -> list[str]:
    """What scorers differ over: each convention once, with the longest of what its choices meet."""
    met: dict[str, str] = {}
    for cause in causes:
        met[cause.name] = max(met.get(cause.name, ""), cause.met, key=len)
    return [TOPICS.get(name, "{}").format(what) for name, what in met.items()]


IN_ANY_FILES = {
    "extra": "documents",
    "documents": "all documents",
    "average": "documents",
    "match": "other mentions",
    "missing": "documents",
    "repeated": "repeated mentions",
    "key_completed": "spurious mentions",
}
"""What a convention, or one choice of it, may meet, without a number."""
SINGLETONS = {
    "drop": "leaves singletons out",
    "drop_response": "leaves the response's singletons out",
}


def rule_of(name: str, choice: str) -> str:
    """What a scorer of this choice does in any files.

    >>> rule_of("singletons", "drop_response"), rule_of("zero", "one")
    ("leaves the response's singletons out", 'takes 0/0 for 1')
    """
    if name == "singletons":
        return SINGLETONS[choice]
    if name == "twinless" and choice not in IN_ANY_FILES:
        return f"treats mentions without a twin by twinless={choice}"
    # What follows one of these words has a number of these files.
    general = re.split(r", (?:as )?in \{|; the key lacks", SAYS[name][1][choice])[0]
    return general.format(IN_ANY_FILES.get(choice) or IN_ANY_FILES.get(name))


def of_sides(sides: tuple[Corpus, Corpus]) -> Iterator[str]:
    """Tell of each side its documents, mentions and repeats, one text for each side."""
    for n, side in enumerate(SIDES):
        documents, others = sides[n], sides[1 - n]
        times = [mentions_of(documents, name) for name in documents]
        mentions = sum(map(len, times))
        repeats = sum(len(repeated(of_document)) for of_document in times)
        lacked = [name for name in others if name not in documents]
        fact = f"the {side}: {count_of(len(documents), 'document')}"
        fact += f", {count_of(mentions, 'mention')}"
        if repeats:
            fact += f", {repeats} of them repeated"
        if lacked:
            fact += f"; it lacks {count_of(len(lacked), 'document')}, as {lacked[0]!r}"
        yield fact
