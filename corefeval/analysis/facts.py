"""What a scorer's choice is, in words, and what it meets in a key and a response, in numbers.

A new convention needs its row in `FACTS`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from corefeval.contingency import Contingency, Tables
from corefeval.conventions import CHOICES, FIRST_CHOICES, OF_FILES
from corefeval.partition import ByName, all_mentions
from corefeval.readers.files import count_of
from corefeval.scorers.faults import repeated
from corefeval.scorers.inputs import CountedTables, InputFiles, Inputs, Rules
from corefeval.scoring import ALIKE

FIELDS = ("places", "pairing", "extra", "documents", "formula")
"""Of a bundle, what is no convention of ours but makes another score. By default all are empty."""
OURS: Rules = dict.fromkeys(FIELDS, "") | FIRST_CHOICES
OURS_FOR_REFUSED = {"repeated": "first", "missing": "empty"}
"""Our choices for files that the defaults refuse."""


class Change(NamedTuple):
    """A choice that a scorer makes in place of ours, and all that it could meet."""

    name: str
    rules: Rules
    """How the scorer computes a measure."""
    without: Rules
    """The same with our choice."""
    inputs: Inputs
    tables: Callable[[Rules], Mapping[Hashable, Tables]]

    def __str__(self) -> str:
        field = FACTS[self.name]
        return field.says[self.rules[self.name]].format(field.meets(self))


# What a choice meets


def _misplaced(change: Change) -> str:
    """How many mentions of each side are not where they, and they alone, are by name."""
    rules, inputs = change.rules, change.inputs
    by_place, by_name = defaultdict(set), defaultdict(set)
    for side, documents in enumerate(inputs.sides):
        for document, entities in documents.items():
            for mention in all_mentions(entities):
                place = inputs.place(rules, side, document, mention)
                by_place[rules["documents"] or document, place].add((side, document, mention))
                by_name[document, mention].add((side, document, mention))
    names = set(map(frozenset, by_name.values()))
    # A mention keeps its place if the same mentions share a place as share a name.
    misplaced = chain.from_iterable(each for each in by_place.values() if each not in names)
    sides = [side for side, *_ in misplaced]
    return shares([sides.count(0), sides.count(1)], "mention")


def _paired_otherwise(change: Change) -> str:
    key, response = change.inputs.sides
    return count_of(sum(i != j for i, j in zip_longest(key, response)), "document")


def _extra(change: Change) -> str:
    key, response = change.inputs.sides
    return count_of(len(response.keys() - key.keys()), "document")


def _missing(change: Change) -> str:
    key, response = change.inputs.matched(change.rules)
    return count_of(len(response.keys() ^ key.keys()), "document")


def _pooled(change: Change) -> str:
    key, response = change.inputs.sides
    return count_of(len({*key, *response}), "document")


def _scored(change: Change) -> str:
    return count_of(len(change.tables(change.rules)), "document")


def _alike(change: Change) -> str:
    """Documents whose sides are alike; or all, where a choice does not ask."""
    # The choices "zero" and "one" do not look at the sides, and so concern every document.
    alike = ALIKE.get(change.rules["zero"], lambda t: True)
    tables = change.tables(change.rules).values()
    return count_of(sum(alike(t.recall) and alike(t.precision) for t in tables), "document")


def _lacks_a_class(change: Change) -> str:
    tables = change.tables(change.rules).values()
    # One entity has no links between entities; singletons alone have no links within one.
    number = sum(t.recall.key_entities in (0, 1, t.recall.key_mentions) for t in tables)
    return count_of(number, "document")


def _repeats(change: Change) -> str:
    """By the rule of the reference scorer only mentions that the key lacks count."""
    sides, numbers = change.inputs.sides_of(change.rules), [0, 0]
    keys = sides[0] if change.rules["repeated"] == "reference" else {}
    # A document that the scorer leaves out has no repeats that could matter to it.
    scored = change.tables(change.rules).keys()
    for side, documents in enumerate(sides):
        for document in scored & documents.keys():
            in_key = all_mentions(keys.get(document, ()))
            numbers[side] += len(repeated(documents[document]).keys() - in_key)
    return shares(numbers, "repeated mention")


def _singletons(change: Change) -> str:
    numbers = _by_side(change, lambda t: t.key_histogram.get(1, 0))
    # The key keeps its singletons.
    if change.rules["singletons"] == "drop_response":
        numbers[0] = 0
    return shares(numbers, "singleton")


def _twinless(change: Change) -> str:
    missing, spurious = _by_side(change, lambda t: t.key_mentions - t.shared_mentions)
    numbers = {"missing": missing, "spurious": spurious}
    # The response stays as it is, so the key's missing mentions meet nothing.
    if change.rules["twinless"] == "key_completed":
        del numbers["missing"]
    found = [f"{number} {kind}" for kind, number in numbers.items() if number]
    return f"{' and '.join(found)} mention{'s' * (sum(numbers.values()) != 1)}"


def _by_side(change: Change, counted: Callable[[Contingency], int]) -> list[int]:
    """What is counted on either side of the tables, before the choice is made."""
    tables = change.tables(change.without).values()
    return [sum(counted(t.recall) for t in tables), sum(counted(t.precision.T) for t in tables)]


def _match(change: Change) -> str:
    """Found mentions; one that a scorer adds to the key is not found by a match."""
    before, after = (
        sum(t.recall.shared_mentions for t in change.tables({**rules, "twinless": "keep"}).values())
        for rules in (change.without, change.rules)
    )
    return f"{count_of(after, 'mention')} instead of {before}"


# Whether a choice could meet anything


def _always(inputs: Inputs) -> bool:
    return True


def _if_cut(inputs: Inputs) -> bool:
    return inputs.differently_cut


def _if_several_documents(inputs: Inputs) -> bool:
    key, response = inputs.sides
    if isinstance(inputs, CountedTables):
        return len(inputs.of_documents) > 1
    return len({**key, **response}) > 1


def _if_in_another_order(inputs: Inputs) -> bool:
    key, response = inputs.sides
    return list(key) != list(response)


def _if_on_one_side(inputs: Inputs) -> bool:
    key, response = inputs.sides
    return key.keys() != response.keys()


def _if_matched(inputs: Inputs) -> bool:
    return isinstance(inputs, InputFiles) and inputs.pair.format.matches


def _if_repeated(inputs: Inputs) -> bool:
    """Scorers that find other places may take two mentions for one."""
    of_sides = chain(*(side.values() for side in inputs.sides))
    repeats = any(isinstance(entities, ByName) for entities in of_sides)
    return repeats or inputs.differently_cut


def _if_singletons(inputs: Inputs) -> bool:
    # Tables may have any sizes.
    if isinstance(inputs, CountedTables):
        return True
    of_sides = chain(*(side.values() for side in inputs.sides))
    return any(1 in getattr(entities, "sizes", [1]) for entities in of_sides)


class Fact(NamedTuple):
    """What there is to say of a field of a bundle, or of a convention."""

    matters: Callable[[Inputs], bool]
    """Whether a choice could make a difference to a key and a response."""
    meets: Callable[[Change], str]
    """What a choice other than ours meets."""
    says: Mapping[str, str]
    """What a scorer does that makes a choice; the place is for what the choice meets."""


NO_CLASS = "leaves a class of links out {}; the key lacks one in {{}}"
FACTS = {
    "places": Fact(
        _if_cut,
        _misplaced,
        {"sentence": "finds a mention by sentence and token in it, and takes {} for others"},
    ),
    "pairing": Fact(
        _if_in_another_order,
        _paired_otherwise,
        {"order": "pairs documents by their order, and so {} with another or with none"},
    ),
    "extra": Fact(_if_on_one_side, _extra, {"ignored": "leaves out {} that the key lacks"}),
    "documents": Fact(
        _if_several_documents,
        _pooled,
        {"pooled": "makes one of {}, and one entity of those with the same number"},
    ),
    "formula": Fact(
        _always,
        _lacks_a_class,
        {
            "blanc_both": NO_CLASS.format("only if both sides lack it"),
            "blanc_always": NO_CLASS.format("in no case"),
            "b3": "is B³ under another name, in {}",
        },
    ),
    "average": Fact(
        _if_several_documents,
        _scored,
        {
            "sum": "sums the counts of {} instead of taking a mean",
            "mean": "takes the mean over {} instead of summing counts",
            "mean_pr": "takes F1 of the mean recall and the mean precision of {}",
            "mentions": "takes a mean over {}, weighted by mentions, instead of summing counts",
        },
    ),
    "match": Fact(
        _if_matched,
        _match,
        {choice: f"finds {{}} by match={choice}" for choice in OF_FILES["match"]},
    ),
    "missing": Fact(
        _if_on_one_side,
        _missing,
        {
            "error": "refuses {} that one side lacks",
            "empty": "scores {} that one side lacks, without mentions there",
            "skip": "leaves out {} that one side lacks",
        },
    ),
    "repeated": Fact(
        _if_repeated,
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
    "singletons": Fact(
        _if_singletons,
        _singletons,
        {"keep": "scores {}", "drop": "leaves out {}", "drop_response": "leaves out {}"},
    ),
    "twinless": Fact(
        _always,
        _twinless,
        {choice: f"{{}}: {meaning}" for choice, meaning in CHOICES["twinless"].items()}
        | {"key_completed": "adds {} to the key, as singletons"},
    ),
    "zero": Fact(
        _always,
        _alike,
        {
            "zero": "takes 0/0 for 0, as in {}",
            "one": "takes 0/0 for 1, as in {}",
            "same": "takes 0/0 for 1 if key and response are the same, as in {}",
            "listed": "takes 0/0 for 1 if key and response are the same, in the same order, as in "
            "{}",
        },
    ),
}
"""By field or convention. Those that a user chooses of how files are read matter to no scorer."""


def effective(inputs: Inputs, rules: Rules) -> Rules:
    """The way with ours in place of what makes no difference to these files."""
    matters = {name for name, fact in FACTS.items() if fact.matters(inputs)}
    return {name: choice if name in matters else OURS[name] for name, choice in rules.items()}


# Words for numbers


def shares(numbers: Sequence[int], what: str) -> str:
    """How many of something the key and the response have.

    >>> shares([2, 1], "singleton"), shares([0, 1], "singleton")
    ("the key's 2 and the response's 1 singletons", "the response's 1 singleton")
    """
    sides = zip(("key", "response"), numbers, strict=True)
    of_sides = [f"the {side}'s {number}" for side, number in sides if number]
    return f"{' and '.join(of_sides)} {what}{'s' * (sum(numbers) != 1)}"
