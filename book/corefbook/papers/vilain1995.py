"""Vilain et al. 1995: what the paper counts on links, and its sentences.

S is an entity of one side (the key for recall, the response for precision); p(S) is its partition
by the other side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, count, pairwise, product
from math import comb

from corefbook.ledger import Example, Figures, Search, load
from corefbook.papers.counted import (
    correct_links,
    entities,
    missing_links,
    named,
    names,
    only_in,
    parts,
    size,
)
from corefeval.measures.links import connected, link_score
from corefeval.overlap.partition import Link, Mention, Partition
from corefeval.scoring import metric

# ------------------------------------------------------------------------ Counted on an example


def parts_of_each(example: Example, side: str = "key") -> int:
    """|p(S)| of each entity of one side, if they are alike (else -1)"""
    numbers = {parts(example, of) for of in names(example, side)}
    return numbers.pop() if len(numbers) == 1 else -1


def provided_links(example: Example, side: str = "key") -> int:
    """Σ (c(S) − m(S)), the necessary links that the other side provides"""
    return sum(size(example, of) - parts(example, of) for of in names(example, side))


def necessary_links(example: Example, side: str = "key") -> int:
    """Σ c(S), the links necessary to build all entities of one side"""
    return sum(correct_links(example, of) for of in names(example, side))


def absent_links(example: Example) -> Fraction:
    """The share of the response's links that the key does not make"""
    connected_links = connected(example.response_links, example.key_links)
    return 1 - Fraction(connected_links.ratio(Fraction(0)))


def right_links(example: Example) -> str:
    """How many of the response's links the key's entities have"""
    connected_links = connected(example.response_links, example.key_links)
    return f"{connected_links.hits} out of {connected_links.total}"


def path(example: Example, of: str) -> str:
    """The links of S, each mention with the next"""
    mentions = sorted(map(str, named(example)[of]))
    return " ".join(f"{a}-{b}" for a, b in pairwise(mentions))


# --------------------------------------------------------------- Links, and the fewest of them


@cache
def joined(links: frozenset[Link], mentions: tuple[Mention, ...]) -> Partition:
    """The entities that links make of the mentions."""
    return Partition.from_links(links, mentions)


def fewest_links(
    links: Iterable[Link], wanted: Iterable[Iterable[Mention]], mentions: Iterable[Mention]
) -> int:
    """How many links, at least, must be added so that each wanted entity is in one entity.

    Found by trying all sets of links, the smallest first.

    >>> fewest_links([("A", "B"), ("C", "D")], ["ABCD"], "ABCD")
    1
    """
    whole, everyone = [frozenset(entity) for entity in wanted], tuple(mentions)
    return next(
        n
        for n in count()
        for added in combinations(combinations(everyone, 2), n)
        if _together(whole, joined(frozenset([*links, *added]), everyone))
    )


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


def listed_tree(example: Example, of: str = "") -> bool:
    """Whether the key's links are a spanning tree of its entity, or of another example's"""
    key = load("vilain1995").examples[of].key if of else example.key
    return len(key) == 1 and is_spanning_tree(example.key_links, key.mentions)


# ---------------------------------------------------------------------- The paper's sentences

FOUR = ("A", "B", "C", "D")


@cache
def independent_of_links() -> Search:
    """Whether the fewest links to add and to build with depend on the entities alone

    Both are counted on links, by `fewest_links`. Lists of links that make the same entities on
    both sides must have the same counts.
    """
    graphs = every_list_of_links(FOUR)
    seen: dict[tuple[Partition, Partition], tuple[int, int]] = {}
    for key, response in product(graphs, graphs):
        wanted = joined(key, FOUR)
        needed = _least(frozenset(), wanted), _least(response, wanted)
        first = seen.setdefault((wanted, joined(response, FOUR)), needed)
        if first != needed:
            return Search(len(graphs) ** 2, "", f"key {_shown(key)}, response {_shown(response)}")
    return Search(len(graphs) ** 2, "pairs of lists of links among four mentions")


@cache
def smallest_trees() -> Search:
    """Whether the fewest links that make an entity are one fewer than its mentions"""
    sizes = range(1, 6)
    wrong = (f"an entity of {n}" for n in sizes if fewest_links([], [range(n)], range(n)) != n - 1)
    return Search(len(sizes), "sizes of an entity, every set of links tried", next(wrong, ""))


@cache
def fewest_are_parts() -> Search:
    """Whether the fewest links that put S together are one fewer than its parts"""
    graphs, sizes = every_list_of_links(FOUR), range(1, len(FOUR) + 1)
    for response, n in product(graphs, sizes):
        s = FOUR[:n]
        cut = {joined(response, FOUR).entity_of[mention] for mention in s}
        if fewest_links(response, [s], FOUR) != len(cut) - 1:
            return Search(len(graphs) * len(sizes), "", f"S {s}, response {_shown(response)}")
    return Search(len(graphs) * len(sizes), "entities and lists of links among four mentions")


def one_link_for_two(example: Example | None, printed: str) -> str:
    """What the fewest links are if all entities of the key are to be put together at once."""
    key, response = Partition.parse("{A B} {C D}"), [("A", "C"), ("B", "D")]
    apart = sum(fewest_links(response, [entity], FOUR) for entity in key)
    return (
        f"for the key {key} and the response links {_shown(response)} the formula counts {apart} "
        f"missing links, though {fewest_links(response, key, FOUR)} link serves both entities"
    )


@cache
def growth_of_spanning_trees() -> Search:
    """Whether an entity of n mentions has nⁿ⁻² spanning trees"""
    sizes = range(2, 7)
    for n in sizes:
        if (trees := sum(1 for _ in spanning_trees(range(n)))) != n ** (n - 2):
            return Search(len(sizes), "", f"{n} mentions have {trees}")
    return Search(len(sizes), "sizes of an entity, every set of links tried")


def keys_list_one_tree() -> Search:
    """Whether the links of every key and response of the paper are one spanning tree an entity"""
    linked = [e for e in load("vilain1995").examples.values() if {*e.given} == set(LINKS)]
    for example in linked:
        for links, side in ((example.key_links, "key"), (example.response_links, "response")):
            needed = necessary_links(example, side)
            if len(links) != needed:
                return Search(2 * len(linked), "", f"{example.name}: {len(links)} for {needed}")
    return Search(2 * len(linked), "keys and responses of the paper")


LINKS = ("key_links", "response_links")


def links_beyond_a_tree(example: Example | None, printed: str) -> str:
    """A key that lists a link more than a spanning tree of its entity has."""
    links = "A-B B-C A-C"
    case = Example("", {"key_links": links, "response_links": links})
    needed = necessary_links(case)
    return f"the key {links} lists {len(case.key_links)}, where {needed} make the entity"


def three_forms_agree() -> Search:
    """Whether the three forms of precision agree: c' − m' over c', written out, and simplified"""
    cases = [(s, part) for s in range(2, 13) for part in range(1, s + 1)]
    for s, part in cases:
        c, m = s - 1, part - 1
        forms = Fraction(c - m, c), Fraction((s - 1) - (part - 1), s - 1), Fraction(s - part, s - 1)
        if len({*forms}) > 1:
            return Search(len(cases), "", f"|S'| = {s}, |p'(S')| = {part}")
    return Search(len(cases), "sizes of an entity and of its partition")


def evaluated(example: Example, printed: str) -> str:
    """What the printed expression of fractions is on an example, taken as it stands."""
    text = re.sub(r"\|p\(S\)\|", str(parts(example)), printed)
    text = re.sub(r"\|S\|", str(size(example)), text)
    text = text.replace("c(S)", str(correct_links(example)))
    text = text.replace("m(S)", str(missing_links(example))).replace("|", "")
    values = [_fraction(each) for each in text.split("=")]
    recall = metric("muc")(example.key, example.response).exact.recall
    if set(values) == {recall}:
        raise AssertionError(f"{printed} is the recall {recall}")
    ratios = " and ".join(str(each) for each in dict.fromkeys(values))
    return (
        f"taken as it stands, it is {ratios} for the example that follows it. What Baldwin et al. "
        f"print in its place gives {_as_taken_over(example)}"
    )


def _as_taken_over(example: Example) -> Fraction:
    """The last line of the chain for recall as Baldwin et al. 1998 print it, for an example."""
    (printed,) = (
        figure["printed"]
        for group in load("baldwin1998").content["figures"]
        for figure in group["rows"]
        if figure.get("measure") == "three_forms_agree"
    )
    formula = printed[printed.index("\\frac") :]
    formula = formula.replace("|p(S)|", str(parts(example))).replace("|S|", str(size(example)))
    return _fraction(formula)


def half_of_the_links(example: Example, printed: str) -> str:
    """How many links the response has, and how many of them are not in the key."""
    links = len(example.response_links)
    wrong = absent_links(example) * links
    if 2 * wrong != links:
        raise AssertionError(f"{wrong} of {links} links are not in the key")
    return f"with two links there the response has {links}, and {wrong} of them are not in the key"


def one_entity_each() -> Search:
    """Whether all examples before the larger ones have one key entity and one response entity"""
    before = [e for e in load("vilain1995").examples.values() if not e.name.startswith("complex")]
    others = [
        f"{e.name} has {len(e.key)} and {len(e.response)}"
        for e in before
        if (len(e.key), len(e.response)) != (1, 1)
    ]
    return Search(len(before), "examples", ", ".join(others))


# -------------------------------------------------------------------------- The link-wise scorer


def link_recall_differs(example: Example) -> bool:
    """Whether the link-wise scorer misses the recall that intuition wants"""
    link_recall = link_score(example.key_links, example.response_links).exact.recall
    return link_recall != metric("muc")(example.key, example.response).exact.recall


def _agree(name: str) -> bool:
    """Whether the link-wise scorer gives an example the recall and the precision that MUC gives."""
    example = load("vilain1995").examples[name]
    by_links = link_score(example.key_links, example.response_links)
    return by_links.exact[:2] == metric("muc")(example.key, example.response).exact[:2]


# --------------------------------------------------------------------------------------- Helpers


def every_list_of_links(mentions: Sequence[Mention]) -> list[frozenset[Link]]:
    """Every set of links among the mentions."""
    every = list(combinations(mentions, 2))
    return [frozenset(links) for n in range(len(every) + 1) for links in combinations(every, n)]


@cache
def _least(links: frozenset[Link], wanted: Partition) -> int:
    return sum(fewest_links(links, [entity], FOUR) for entity in wanted)


def _together(wanted: Iterable[frozenset[Mention]], there: Partition) -> bool:
    return all(len({there.entity_of[mention] for mention in entity}) == 1 for entity in wanted)


def _shown(links: Iterable[Link]) -> str:
    return " ".join(f"{a}-{b}" for a, b in sorted(links))


def _fraction(text: str) -> Fraction:
    r"""The value of an expression of numbers, differences and ``\frac{…}{…}``.

    >>> _fraction(r"\frac{\frac{2 - 1}{2}}{3 - 1}")
    Fraction(1, 4)
    """
    while match := re.search(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", text):
        above, below = (_fraction(part) for part in match.groups())
        text = f"{text[: match.start()]}{above / below}{text[match.end() :]}"
    first, *others = (Fraction(term.strip()) for term in text.split(" - "))
    return first - sum(others, Fraction(0))


# ------------------------------------------------------------------ Figures of one expression

FIGURES: Figures = {
    "single_entity": (
        "Whether the links of one side make a single entity",
        lambda example, side="key": len(entities(example, side)) == 1,
    ),
    "all_parts": (
        "Σ |p(S)|, the parts of all entities of one side",
        lambda example, side: sum(parts(example, of) for of in names(example, side)),
    ),
    "least_links_missing": (
        "The fewest links that, added to the response, put the key's entity together",
        lambda each: fewest_links(each.response_links, each.key, each.key.mentions),
    ),
    "smallest_tree": (
        "The fewest links that make the key's entity",
        lambda each: fewest_links([], each.key, each.key.mentions),
    ),
    "how_many_completions": (
        "How many spanning trees one more link makes of the response",
        lambda each: sum(
            is_spanning_tree([*each.response_links, link], each.key.mentions)
            for link in combinations(each.key.mentions, 2)
        ),
    ),
    "what_is_lacking": (
        "Mentions and links that the key lacks, in an example",
        lambda example, printed: (
            "in row 2 of Table 1 the key cuts the response's entity into "
            f"{parts(example, 'R1')} parts and lacks "
            f"{len(only_in(example, 'response').split())} of its mentions"
        ),
    ),
    "closure_is_larger": (
        "Whether the closure of an entity has more links than its building takes",
        lambda: Search.of(
            "sizes of an entity, up to 100", range(3, 101), lambda n: comb(n, 2) > n - 1
        ),
    ),
    "link_scores_agree": (
        "Whether the link-wise scorer and MUC agree on these examples, in recall and precision",
        lambda examples: all(map(_agree, examples)),
    ),
    "link_scores_differ": (
        "Whether the link-wise scorer and MUC differ on each of these examples",
        lambda examples: not any(map(_agree, examples)),
    ),
}
