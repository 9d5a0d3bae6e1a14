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
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import Any, NamedTuple

from corefeval.alignment import EXACT_SIZE, assign, components
from corefeval.contingency import Edge
from corefeval.score import Exact


class Mention(NamedTuple):
    """A mention with a head, as it stands in a file."""

    sentence: int
    """The number of its sentence in the document, and the line where it begins, from 1."""
    line: int
    nodes: tuple[str, ...]
    """The ids of its words and empty nodes, in their order; the head is one of them."""
    head: str
    deps: str
    """The column DEPS of the head, if that is an empty node."""
    file: str
    """Its file, so that no two mentions are equal but those of one side."""

    def __str__(self) -> str:
        few = self.nodes if len(self.nodes) < 5 else (*self.nodes[:2], "…", self.nodes[-1])
        return f"{' '.join(few)!r} of sentence {self.sentence}"


Pairs = dict[Mention, Mention]
"""The key mention of each response mention that has one."""
Side = dict[Any, Mention]
Places = Callable[[Mention], Iterable[Hashable]]

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
    identity = IDENTITY[how]
    key = {identity(each): each for each in key_mentions}
    response = {identity(each): each for each in response_mentions}
    found = _assigned(key, response, "zeros")
    for r, k in found.items():
        del key[identity(k)], response[identity(r)]
    for same in [each for each in key if each in response]:
        found[response.pop(same)] = key.pop(same)
    return found | _assigned(key, response, how) if how in RULES else found


def _dependencies(k: Mention, r: Mention) -> Exact:
    ours, theirs = k.deps.split("|"), r.deps.split("|")
    parents = ([each.partition(":")[0] for each in side] for side in (ours, theirs))
    return 10 * _f1(ours, theirs) + _f1(*parents)


def _f1(one: Iterable[str], other: Iterable[str]) -> Fraction:
    ours, theirs = frozenset(one), frozenset(other)
    return Fraction(2 * len(ours & theirs), len(ours) + len(theirs))


def _overlap(k: Mention, r: Mention) -> Exact:
    return Fraction(len(set(k.nodes).intersection(r.nodes)), len(k.nodes))


def _part(k: Mention, r: Mention) -> Exact:
    return _overlap(k, r) if set(k.nodes).issuperset(r.nodes) else 0


RULES: dict[str, tuple[Places, Places, Callable[[Mention, Mention], Exact]]] = {
    "zeros": (
        lambda k: [k.sentence] if k.deps else [],
        lambda r: [r.sentence] if r.deps else [],
        _dependencies,
    ),
    "head": (lambda k: [(k.sentence, k.head)], lambda r: [(r.sentence, r.head)], _overlap),
    "partial": (
        lambda k: [(k.sentence, k.head)],
        lambda r: [(r.sentence, node) for node in r.nodes],
        _part,
    ),
}
"""Where a key and a response mention have to meet to be matched, and what that is worth."""


def _assigned(key: Side, response: Side, rule: str) -> Pairs:
    """The best one-to-one matching by a rule, ties as the module says."""
    of_key, of_response, worth = RULES[rule]
    at: defaultdict[Hashable, list[Mention]] = defaultdict(list)
    for k in key.values():
        for place in of_key(k):
            at[place].append(k)
    if not at:
        return {}
    there = ((place, r) for r in response.values() for place in of_response(r))
    pairs = [(k, r) for place, r in there for k in at.get(place, ())]
    weights = {pair: value for pair in pairs if (value := worth(*pair))}
    ours, theirs = (sorted({pair[side] for pair in weights}, key=_in_text) for side in (0, 1))
    row, column = ({each: n for n, each in enumerate(side)} for side in (ours, theirs))
    edges = {(row[k], column[r]): value for (k, r), value in weights.items()}
    chosen = (edge for part in components(edges) for edge in assign(_ranked(part)))
    return {theirs[j]: ours[i] for i, j in chosen}


def _in_text(mention: Mention) -> tuple[Any, ...]:
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
