"""Which response mention stands for which key mention, where they need not be the same words.

A step of its own before the table: a response mention that is matched becomes the key's, any other
is twinless. The rules are those of the shared tasks on CorefUD (CRAC 2022 to 2024):

1. Zeros, mentions whose head is an empty node, with zeros of their sentence, for the largest sum
   of 10 · F(dependencies) + F(parents). A dependency is a pair (parent, relation) in DEPS, and F is
   the harmonic mean of recall and precision. Where F is 0, or DEPS is empty, nothing is matched.
2. Of the rest, those with the same nodes, and with ``"head"`` the same head as well.
3. Of the rest, with ``"head"`` those of the same head, for the largest sum of |K ∩ R| / |K| over
   their nodes; with ``"partial"`` those where R holds the head of K and R ⊆ K, for the same sum.

Every mention is matched at most once, and every sum is the true maximum. Of several best matchings
it is the one in which the first key mention has the first response mention that it can have, or any
rather than none; then the second key mention; and so on, in the order of first node, last node and
number of nodes. (Beyond `corefeval.alignment.EXACT_SIZE` mentions that compete on either side SciPy
adds doubles, and chooses.) CorefUD's scorer takes what SciPy gives for mentions in that order, so
it may choose otherwise between equal sums.

Source: README and code of ufal/corefud-scorer v1.2, base/reader.py and corefud/mention.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import lcm
from operator import itemgetter
from typing import Any, NamedTuple

from corefeval.alignment import EXACT_SIZE, assign, components
from corefeval.contingency import Edge
from corefeval.score import Exact


class Mention(NamedTuple):
    """A mention with a head, as it stands in a file."""

    sentence: int
    """The number of its sentence in the document, counted from 1."""
    line: int
    """The line where it begins."""
    nodes: tuple[str, ...]
    """The ids of its words and empty nodes, in their order."""
    head: str
    """The id of one of them."""
    deps: str
    """The column DEPS of the head, if that is an empty node."""
    file: str
    """Its file, so that no two mentions are equal but those of one side."""

    def __str__(self) -> str:
        few = self.nodes if len(self.nodes) < 5 else (*self.nodes[:2], "…", self.nodes[-1])
        return f"{' '.join(few)!r} of sentence {self.sentence}"


Pairs = dict[Mention, Mention]
"""The key mention of each response mention that has one."""
Candidate = tuple[Mention, Mention, Fraction]
"""A key mention, a response mention, and what matching them is worth."""


IDENTITY: dict[str, Callable[[Mention], Any]] = {
    "exact": itemgetter(0, 2),
    "partial": itemgetter(0, 2),
    "head": itemgetter(0, 2, 3),
}
"""What two mentions have in common that are one and the same: sentence, nodes, perhaps the head."""


def match(key_mentions: Iterable[Mention], response_mentions: Iterable[Mention], how: str) -> Pairs:
    """The key mention of each response mention that has one; ``how`` is exact, head or partial.

    Of mentions with the same `IDENTITY` each side has one.

    >>> man = Mention(1, 3, ("3",), "3", "", "response")
    >>> old_man = Mention(1, 3, ("1", "2", "3"), "3", "", "key")
    >>> match([old_man], [man], "exact")
    {}
    >>> match([old_man], [man], "head") == match([old_man], [man], "partial") == {man: old_man}
    True
    """
    key, response = (
        {IDENTITY[how](each): each for each in side} for side in (key_mentions, response_mentions)
    )
    found: Pairs = _assigned(_zeros(key.values(), response.values()))
    for r, k in found.items():
        del key[IDENTITY[how](k)], response[IDENTITY[how](r)]
    for same in [each for each in key if each in response]:
        found[response.pop(same)] = key.pop(same)
    if how == "exact":
        return found
    return found | _assigned(_by_head(key.values(), response.values(), how))


# What may be matched, and what it is worth


def _zeros(key: Iterable[Mention], response: Iterable[Mention]) -> Iterator[Candidate]:
    """Pairs of zeros of a sentence that share a parent."""
    of_sentence = _grouped((k for k in key if k.deps), lambda k: k.sentence)
    for r in response:
        for k in of_sentence.get(r.sentence, ()) if r.deps else ():
            (k_deps, k_parents), (r_deps, r_parents) = _dependencies(k.deps), _dependencies(r.deps)
            if k_parents & r_parents:
                yield k, r, 10 * _f1(k_deps, r_deps) + _f1(k_parents, r_parents)


@cache
def _dependencies(deps: str) -> tuple[frozenset[str], frozenset[str]]:
    """The dependencies in a column DEPS, and the parents in it."""
    each = deps.split("|")
    return frozenset(each), frozenset(one.partition(":")[0] for one in each)


def _f1(one: frozenset[str], other: frozenset[str]) -> Fraction:
    return Fraction(2 * len(one & other), len(one) + len(other))


def _by_head(key: Iterable[Mention], response: Iterable[Mention], how: str) -> Iterator[Candidate]:
    """Pairs with the same head; with ``"partial"`` the head of K in R, and R within K."""
    of_head = _grouped(key, lambda k: (k.sentence, k.head))
    for r in response:
        for head in r.nodes if how == "partial" else (r.head,):
            for k in of_head.get((r.sentence, head), ()):
                common = len(set(k.nodes).intersection(r.nodes))
                if how == "head" or common == len(r.nodes):
                    yield k, r, Fraction(common, len(k.nodes))


def _grouped(
    mentions: Iterable[Mention], by: Callable[[Mention], Any]
) -> defaultdict[Any, list[Mention]]:
    groups = defaultdict(list)
    for mention in mentions:
        groups[by(mention)].append(mention)
    return groups


# The best of it


def _assigned(candidates: Iterable[Candidate]) -> Pairs:
    """The best one-to-one matching of the candidates, ties as the module says."""
    worth = {(k, r): value for k, r, value in candidates}
    key, response = (sorted({pair[side] for pair in worth}, key=_place) for side in (0, 1))
    number = [{each: n for n, each in enumerate(side)} for side in (key, response)]
    weights = {(number[0][k], number[1][r]): value for (k, r), value in worth.items()}
    chosen = (edge for part in components(weights) for edge in assign(_ranked(part)))
    return {response[j]: key[i] for i, j in chosen}


def _place(mention: Mention) -> tuple[Any, ...]:
    """The order of mentions in the text."""
    nodes = mention.nodes
    first, last = ([int(n) for n in node.split(".")] for node in (nodes[0], nodes[-1]))
    return mention.sentence, first, last, len(nodes), nodes, mention.head


def _ranked(weights: dict[Edge, Exact]) -> dict[Edge, Exact]:
    """The weights of a component as whole numbers, and less than one of these for its rank."""
    key, response = (sorted({edge[side] for edge in weights}) for side in (0, 1))
    if min(len(key), len(response)) > EXACT_SIZE:
        return weights
    scale = lcm(*(weight.denominator for weight in weights.values()))
    base = len(response) + 1
    rank = {j: base - n for n, j in enumerate(response, 1)}
    share = {i: base ** (len(key) - n) for n, i in enumerate(key, 1)}
    return {
        (i, j): int(weight * scale) * base ** len(key) + rank[j] * share[i]
        for (i, j), weight in weights.items()
    }
