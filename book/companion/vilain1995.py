"""Vilain et al. 1995: the quantities that the paper counts on its way to recall and precision.

S is an entity of one side (the key for recall, the response for precision); p(S) is its partition
by the other side. ``side`` says whose entity S is, ``entity`` which one, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product

from companion.ledger import Example
from corefeval.conventions import Conventions
from corefeval.measures.links import connected, link_score
from corefeval.partition import Link, Mention, Partition, parse_links
from corefeval.registry import metric
from corefeval.score import Pair, Score, Tally


def entities(example: Example, side: str = "key") -> Partition:
    """The entities that the links of one side define."""
    return example.key if side == "key" else example.response


def other(example: Example, side: str) -> Partition:
    """The entities of the other side, which cut S into parts."""
    return entities(example, "response" if side == "key" else "key")


def how_many_entities(example: Example, side: str = "key") -> int:
    return len(entities(example, side))


def chosen(example: Example, side: str = "key", entity: int = 1) -> Partition:
    """{S}"""
    return Partition([entities(example, side).entities[entity - 1]])


def size(example: Example, side: str = "key", entity: int = 1) -> int:
    """|S|"""
    return len(chosen(example, side, entity).mentions)


def p(example: Example, side: str = "key", entity: int = 1) -> Partition:
    """p(S): S cut by the entities of the other side; a mention they lack is a part of its own."""
    s = chosen(example, side, entity).mentions
    there = other(example, side)
    shared = [[mention for mention in each if mention in s] for each in there]
    alone = [[mention] for mention in sorted(s - there.mentions, key=str)]
    return Partition([part for part in shared + alone if part])


def parts(example: Example, side: str = "key", entity: int = 1) -> int:
    """|p(S)|"""
    return len(p(example, side, entity))


def all_parts(example: Example, side: str = "key") -> int:
    """Σ |p(Sᵢ)|"""
    return sum(parts(example, side, i) for i in _numbers(example, side))


def correct_links(example: Example, side: str = "key", entity: int = 1) -> int:
    """c(S) = |S| − 1, the links necessary to build S."""
    return size(example, side, entity) - 1


def missing_links(example: Example, side: str = "key", entity: int = 1) -> int:
    """m(S) = |p(S)| − 1, the links that would join the parts of S again."""
    return parts(example, side, entity) - 1


def missing_mentions(example: Example, side: str = "key", entity: int = 1) -> int:
    """How many mentions of S the other side lacks."""
    return len(chosen(example, side, entity).mentions - other(example, side).mentions)


def only_in(example: Example, side: str) -> str:
    """The mentions of one side that the other lacks."""
    alone = entities(example, side).mentions - other(example, side).mentions
    return " ".join(sorted(map(str, alone)))


def lacking(example: Example, side: str = "key", entity: int = 1) -> str:
    """What there is one less of than parts of S: missing links, or missing elements?"""
    counted = {
        "missing links": missing_links(example, side, entity),
        "missing elements": missing_mentions(example, side, entity),
    }
    return " and ".join(w for w, n in counted.items() if n == parts(example, side, entity) - 1)


def provided_links(example: Example, side: str = "key") -> int:
    """Σ c(Sᵢ) − m(Sᵢ), the necessary links that the other side provides."""
    return sum(
        correct_links(example, side, i) - missing_links(example, side, i)
        for i in _numbers(example, side)
    )


def necessary_links(example: Example, side: str = "key") -> int:
    """Σ c(Sᵢ)"""
    return sum(correct_links(example, side, i) for i in _numbers(example, side))


def absent_links(example: Example) -> Fraction:
    """The share of the response's links that the key does not make."""
    found = connected(example.response_links, example.key_links)
    return 1 - found.ratio(Fraction(0))


def numerator(example: Example, side: str = "key") -> str:
    """The terms |Sᵢ| − |p(Sᵢ)| as the paper writes them out."""
    return " + ".join(
        f"({size(example, side, i)} - {parts(example, side, i)})" for i in _numbers(example, side)
    )


def denominator(example: Example, side: str = "key") -> str:
    """The terms |Sᵢ| − 1 as the paper writes them out."""
    return " + ".join(f"({size(example, side, i)} - 1)" for i in _numbers(example, side))


def path(example: Example, side: str, entity: int) -> str:
    """The links of S as the paper lists them: each mention with the next."""
    mentions = sorted(map(str, chosen(example, side, entity).mentions))
    return " ".join(f"{a}-{b}" for a, b in pairwise(mentions))


def completions(example: Example) -> list[list[Link]]:
    """The spanning trees of the key's entity that one more link makes of the response."""
    mentions = sorted(map(str, example.key.mentions))
    candidates = ([*example.response_links, link] for link in combinations(mentions, 2))
    return [links for links in candidates if is_spanning_tree(links, mentions)]


def how_many_completions(example: Example) -> int:
    return len(completions(example))


def is_spanning_tree(links: Iterable[Link], mentions: Iterable[Mention]) -> bool:
    """Whether the links join all mentions, and every one of them is needed."""
    links, mentions = list(links), list(mentions)
    return len(links) == len(mentions) - 1 and len(Partition.from_links(links, mentions)) == 1


def spanning_trees(mentions: Iterable[Mention]) -> Iterator[tuple[Link, ...]]:
    """Every list of links that encodes one entity: n mentions have nⁿ⁻² (Cayley).

    >>> sum(1 for _ in spanning_trees("ABCD"))
    16
    """
    mentions = list(mentions)
    for links in combinations(combinations(mentions, 2), len(mentions) - 1):
        if is_spanning_tree(links, mentions):
            yield links


def encodings(partition: Partition) -> Iterator[list[Link]]:
    """Every way to write the entities of a partition as links."""
    for trees in product(*(list(spanning_trees(entity)) for entity in partition)):
        yield [link for tree in trees for link in tree]


def growth_of_spanning_trees(largest: int) -> str:
    """Whether the number of spanning trees grows beyond every power of the entity's size."""
    counted = [sum(1 for _ in spanning_trees(range(n))) for n in range(2, largest + 1)]
    cayley = [n ** (n - 2) for n in range(2, largest + 1)]
    return "combinatorially many" if counted == cayley else "another number"


def muc_under_all_encodings(example: Example) -> set[Score]:
    """The MUC scores over every choice of links on both sides: one, if links do not matter."""
    muc = metric("muc")
    return {
        muc(Partition.from_links(key), Partition.from_links(response))
        for key in encodings(example.key)
        for response in encodings(example.response)
    }


def link_scores_under_all_encodings(example: Example) -> set[Score]:
    """The link-wise scores over every choice of links on both sides."""
    return {
        link_score(key, response)
        for key in encodings(example.key)
        for response in encodings(example.response)
    }


def dependence_on_links(example: Example) -> str:
    return "independent" if len(muc_under_all_encodings(example)) == 1 else "dependent"


def intersection_score(example: Example) -> Score:
    """The other reading of "link-wise": a link counts if the other side lists the very same."""
    key = set(map(frozenset, example.key_links))
    response = set(map(frozenset, example.response_links))
    same = len(key & response)
    return Pair(Tally(same, len(key)), Tally(same, len(response))).score(Conventions())


def verdict_of_link_score(example: Example) -> str:
    """Whether the link-wise score agrees with the MUC measure, in recall and in precision."""
    by_links = link_score(example.key_links, example.response_links)
    agree = by_links[:2] == metric("muc")(example.key, example.response)[:2]
    return "agree with the original scoring proposal" if agree else "agree with intuition"


def link_score_obtains(example: Example, recall: str) -> str:
    """Whether the link-wise score gives the recall that intuition wants."""
    found = link_score(example.key_links, example.response_links).recall
    return "obtained" if found == Fraction(recall) else "not obtained"


def kind_of_tree(example: Example, links: str) -> str:
    """Whether these links are another spanning tree of the key's entity."""
    return "another" if is_spanning_tree(parse_links(links), example.key.mentions) else "none"


def _numbers(example: Example, side: str) -> range:
    return range(1, how_many_entities(example, side) + 1)
