"""Which response mention stands for which key mention, where they need not be the same words.

A step of its own before the table: a response mention that is matched becomes the key's, any other
is twinless. The rules are those of the shared tasks on CorefUD (CRAC 2022 to 2024):

1. Zeros, mentions whose head is an empty node, with zeros of their sentence, for the largest sum
   of 10 · F(dependencies) + F(parents). A dependency is a pair (parent, relation) in DEPS, and F is
   the harmonic mean of recall and precision. Where F is 0, or DEPS is empty, nothing is matched.
   With ``"linear"`` zeros are left to the next two steps.
2. Of the rest, those with the same nodes, and with ``"head"`` the same head as well.
3. Of the rest, with ``"head"`` those of the same head, for the largest sum of |K ∩ R| / |K| over
   their nodes; with ``"partial"`` those where R holds the head of K and R ⊆ K, for the same sum.

Every mention is matched at most once, and every sum is the true maximum. Of several best matchings
it is the one in which the first key mention has the first response mention that it can have, or any
rather than none; then the second key mention; and so on, in the order of first node, last node and
number of nodes. (Beyond `corefeval.overlap.alignment.EXACT_SIZE` mentions that compete on either
side SciPy adds doubles, and chooses.) CorefUD's scorer takes what SciPy gives for mentions in that
order, so it may choose otherwise between equal sums.

Source: README and code of ufal/corefud-scorer v1.2, base/reader.py and corefud/mention.py.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from math import lcm
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from corefeval.errors import CorefError
from corefeval.overlap.alignment import EXACT_SIZE, assign, components
from corefeval.overlap.contingency import Edge
from corefeval.score import Exact


class Headed(NamedTuple):
    """A mention with a head, as it stands in a file."""

    sentence: int
    """The number of its sentence in the document, from 1."""
    line: int
    """The number of the line where it begins, from 1."""
    nodes: tuple[str, ...]
    """The ids of its words and empty nodes, in their order; the head is one of them."""
    head: str
    deps: str
    """The column DEPS of the head, if that is an empty node."""
    file: str
    """Its file, so that no two mentions are equal but those of one side."""

    @property
    def is_zero(self) -> bool:
        """Whether the head is an empty node."""
        return "." in self.head

    @property
    def place(self) -> tuple[Any, ...]:
        """What mentions are put in order by: first node, last node, number of nodes."""
        ends = self.nodes[0], self.nodes[-1]
        first, last = ([int(n) for n in node.split(".")] for node in ends)
        return self.sentence, first, last, len(self.nodes)

    @property
    def place_in_text(self) -> tuple[Any, ...]:
        """`place` with all nodes and the head: all that the files of a text agree on."""
        return *self.place, self.nodes, self.head

    def __str__(self) -> str:
        few = self.nodes if len(self.nodes) < 5 else (*self.nodes[:2], "…", self.nodes[-1])
        return f"{' '.join(few)!r} of sentence {self.sentence}"

    def __repr__(self) -> str:
        return str(self)


KeyOf = dict[Headed, Headed]
"""The key mention of each response mention that has one."""
Places = Callable[[Headed], Iterable[Hashable]]

MOST_TRIED = 10_000
"""How many pairs of a key and a response mention may be compared in one sentence."""

IDENTITY: dict[str, Callable[[Headed], Any]] = {
    "exact": itemgetter(0, 2),
    "partial": itemgetter(0, 2),
    "head": itemgetter(0, 2, 3),
}
"""What two mentions have in common that are one and the same: sentence, nodes, perhaps the head."""


def match(
    key_mentions: Iterable[Headed],
    response_mentions: Iterable[Headed],
    how: str,
    zeros: str = "dependent",
) -> KeyOf:
    """Return the key mention of each response mention that has one.

    ``how`` is exact, head or partial, ``zeros`` is dependent or linear: the steps of this module.
    Of mentions with the same `IDENTITY` each side has one. More than `MOST_TRIED` pairs to choose
    from in a sentence are refused.

    >>> man = Headed(1, 3, ("3",), "3", "", "response")
    >>> old_man = Headed(1, 3, ("1", "2", "3"), "3", "", "key")
    >>> match([old_man], [man], "exact")
    {}
    >>> match([old_man], [man], "head") == match([old_man], [man], "partial") == {man: old_man}
    True
    """
    identity = IDENTITY[how]
    key = {identity(mention): mention for mention in key_mentions}
    response = {identity(mention): mention for mention in response_mentions}
    key_of: KeyOf = {}
    if zeros == "dependent":
        key_zeros, response_zeros = (
            [mention for mention in side.values() if mention.deps] for side in (key, response)
        )
        key_of = _assigned(key_zeros, response_zeros, "zeros")
    # What is matched as a zero may not be matched again by its nodes.
    for r, k in key_of.items():
        del key[identity(k)], response[identity(r)]
    for same in [place for place in key if place in response]:
        key_of[response.pop(same)] = key.pop(same)
    return key_of | _assigned(key.values(), response.values(), how) if how in MEETINGS else key_of


class OwnMentions(NamedTuple):
    """The mentions of a document as the files of both sides have them, and which of them match."""

    key: list[list[Headed]]
    """By entity, each mention once in it."""
    response: list[list[Headed]]
    key_of: KeyOf
    how: str
    """By which `IDENTITY` they were matched: exact, head or partial."""

    @classmethod
    def matched(
        cls,
        key: Mapping[str, list[Headed]],
        response: Mapping[str, list[Headed]],
        how: str,
        zeros: str,
    ) -> OwnMentions:
        """Match the mentions of both sides, given by entities' names, as `match` does."""
        ours, theirs = (
            [[*dict.fromkeys(mentions)] for mentions in side.values()] for side in (key, response)
        )
        key_of = match(chain.from_iterable(ours), chain.from_iterable(theirs), how, zeros)
        return cls(ours, theirs, key_of, how)


def _dependencies(deps: str) -> frozenset[str]:
    """The pairs parent:relation in a column DEPS."""
    return frozenset(deps.split("|"))


def _parents(deps: str) -> frozenset[str]:
    return frozenset(dependency.partition(":")[0] for dependency in deps.split("|"))


def _likeness(k: Headed, r: Headed) -> Exact:
    """10 · F(dependencies) + F(parents)."""
    of_dependencies = _f1(_dependencies(k.deps), _dependencies(r.deps))
    return 10 * of_dependencies + _f1(_parents(k.deps), _parents(r.deps))


def _f1(ours: frozenset[str], theirs: frozenset[str]) -> Fraction:
    return Fraction(2 * len(ours & theirs), len(ours) + len(theirs))


def _share_of_key(k: Headed, r: Headed) -> Exact:
    """|K ∩ R| / |K|."""
    return Fraction(len(set(k.nodes).intersection(r.nodes)), len(k.nodes))


def _share_within(k: Headed, r: Headed) -> Exact:
    """|K ∩ R| / |K| where R ⊆ K, else nothing."""
    return _share_of_key(k, r) if set(k.nodes).issuperset(r.nodes) else 0


class Meeting(NamedTuple):
    """Where a key and a response mention have to meet to be matched, and what that is worth."""

    key_places: Places
    response_places: Places
    worth: Callable[[Headed, Headed], Exact]


MEETINGS = {
    "zeros": Meeting(lambda k: _parents(k.deps), lambda r: _parents(r.deps), _likeness),
    "head": Meeting(lambda k: (k.head,), lambda r: (r.head,), _share_of_key),
    "partial": Meeting(lambda k: (k.head,), lambda r: r.nodes, _share_within),
}
"""Places are those of one sentence: zeros meet at a parent, other mentions at a node."""


def tied_zeros(mentions: OwnMentions) -> list[Headed]:
    """The zeros of the key that another matching of the same sum pairs otherwise.

    Of several best matchings one ranks first and another last, so these two differ.

    >>> ann, bob = (Headed(1, n, (f"1.{n}",), f"1.{n}", "1:nsubj", "key") for n in (1, 2))
    >>> zero = Headed(1, 1, ("1.1",), "1.1", "1:nsubj", "response")
    >>> tied_zeros(OwnMentions([[ann], [bob]], [[zero]], {}, "head")) == [ann, bob]
    True
    """
    key, response = (
        [mention for mention in dict.fromkeys(chain.from_iterable(side)) if mention.deps]
        for side in (mentions.key, mentions.response)
    )
    first, last = (_assigned(key, response, "zeros", rank) for rank in (1, -1))
    of_first, of_last = ({k: r for r, k in key_of.items()} for key_of in (first, last))
    return [k for k in key if of_first.get(k) != of_last.get(k)]


def moved_zeros(mentions: OwnMentions) -> list[Headed]:
    """The zeros that are matched with others than those at their places.

    CorefUD's scorer knows the mentions of both sides by their places alone, and mixes them up.
    """
    identity = IDENTITY[mentions.how]
    here, there = (
        {identity(mention) for mention in chain.from_iterable(side)}
        for side in (mentions.key, mentions.response)
    )
    return [
        k
        for r, k in mentions.key_of.items()
        if k.deps and identity(k) != identity(r) and (identity(k) in there or identity(r) in here)
    ]


def _assigned(key: Iterable[Headed], response: Iterable[Headed], rule: str, rank: int = 1) -> KeyOf:
    """The best one-to-one matching by a rule, ties as the module says.

    With a ``rank`` of −1, of several best matchings it is the one that ranks last.
    """
    rule_of = MEETINGS[rule]
    at: defaultdict[Hashable, list[Headed]] = defaultdict(list)
    for k in key:
        for place in rule_of.key_places(k):
            at[k.sentence, place].append(k)
    compared: Counter[int] = Counter()
    meeting: list[tuple[Headed, Headed]] = []
    for r in response:
        for place in rule_of.response_places(r):
            there = at.get((r.sentence, place), [])
            compared[r.sentence] += len(there)
            # Refused before they are compared: a file may be made to take for ever.
            if compared[r.sentence] > MOST_TRIED:
                raise CorefError(_too_many_pairs(there[0], r, rule))
            meeting += [(k, r) for k in there]
    edges = {(k, r): rule_of.worth(k, r) for k, r in meeting}
    # The order of the text settles ties, so the result does not depend on the order of entities.
    in_text = attrgetter("place_in_text")
    ours, theirs = (sorted({edge[side] for edge in edges}, key=in_text) for side in (0, 1))
    row, column = ({mention: n for n, mention in enumerate(side)} for side in (ours, theirs))
    positive = {(row[k], column[r]): value for (k, r), value in edges.items() if value}
    chosen = (
        edge
        for part in components(dict(sorted(positive.items())))
        for edge in assign(_ranked(part, rank))
    )
    return {theirs[j]: ours[i] for i, j in chosen}


def _too_many_pairs(k: Headed, r: Headed, rule: str) -> str:
    what = "zeros, by their dependencies," if rule == "zeros" else f"mentions, by match={rule!r},"
    return (
        f"sentence {k.sentence} ({k.file}, line {k.line}; {r.file}, line {r.line}) has more than "
        f"{MOST_TRIED} pairs of {what} of which one may stand for the other; expected no more in a "
        "sentence: divide it, on both sides"
    )


def _ranked(weights: dict[Edge, Exact], rank: int = 1) -> dict[Edge, Exact]:
    """Whole numbers whose largest sum is that of the weights and, among equal sums, ranks first.

    The weights are made whole, and then so large that all ranks together are less than one of them.
    A rank is a digit of a number in base (response mentions + 1): the first key mention has the
    highest digit, and the first response mention the largest.

    With two mentions on each side and equal weights the base is 3, and weights are times 3² = 9.
    Of the key's first mention the digits 2 (with the first of the response) and 1 stand for 6 and
    3, of its second for 2 and 1. So the pairs (0, 0) and (1, 1) have 9 + 6 + 9 + 1 = 25, the other
    two 9 + 3 + 9 + 2 = 23.

    >>> equal = dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], Fraction(1, 2))
    >>> _ranked(equal)
    {(0, 0): 15, (0, 1): 12, (1, 0): 11, (1, 1): 10}
    """
    key, response = (sorted({edge[side] for edge in weights}) for side in (0, 1))
    # The ranks are numbers of as many digits as there are mentions: beyond this, too slow.
    if min(len(key), len(response)) > EXACT_SIZE:
        return weights
    # Whole numbers are added and compared faster than fractions.
    whole = lcm(*(weight.denominator for weight in weights.values()))
    base = len(response) + 1
    digit = {j: base - n for n, j in enumerate(response, 1)}
    place_value = {i: base ** (len(key) - n) for n, i in enumerate(key, 1)}
    return {
        (i, j): int(weight * whole) * base ** len(key) + rank * digit[j] * place_value[i]
        for (i, j), weight in weights.items()
    }
