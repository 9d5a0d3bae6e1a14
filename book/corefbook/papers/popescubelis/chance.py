"""Popescu-Belis, section 3.3: what DEF.7 gives random responses, and where it gives 0/0.

A random response has the sizes of a given one, and the mentions are dealt out to its entities.
Nothing is drawn: the number of overlaps of key and response entities decides on κ, and how
probable each number is can be counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import NamedTuple, cast

from corefbook.enumeration import text, up_to
from corefbook.ledger import WORDS, Example
from corefbook.papers.popescubelis.propositions import full_score, same
from corefeval.measures.kappa import Agreement
from corefeval.overlap.contingency import Contingency
from corefeval.scoring import metric

MOST = 6
"""The most mentions of a key and response that are searched here."""


class Chance(NamedTuple):
    """What random responses have on the average, and how many do as well as the given one."""

    kappa: Fraction
    """Their mean κ."""
    links: Fraction
    """Their mean number of links that the key has as well."""
    as_good: Fraction
    """The share of them with the given response's κ or more."""


def overlaps_by_chance(key: Sequence[int], response: Sequence[int]) -> dict[int, Fraction]:
    """How probable each number of overlapping pairs of entities is, by the sizes of both sides.

    >>> overlaps_by_chance((2, 2), (2, 2))
    {2: Fraction(1, 3), 4: Fraction(2, 3)}
    """
    ways = Counter({(tuple(response), 0): 1})  # by the places left, and the overlaps so far
    for size in key:
        after: Counter[tuple[tuple[int, ...], int]] = Counter()
        for (left, overlaps), count in ways.items():
            for dealt in _deals(size, left):
                rest = tuple(n - taken for n, taken in zip(left, dealt, strict=True))
                more = sum(taken > 0 for taken in dealt)
                after[rest, overlaps + more] += count * prod(map(comb, left, dealt))
        ways = after
    every = sum(ways.values())
    return {overlaps: Fraction(n, every) for (_, overlaps), n in sorted(ways.items())}


def _deals(size: int, left: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The ways to take mentions of one entity from these places, by how many of each."""
    return (dealt for dealt in product(*(range(n + 1) for n in left)) if sum(dealt) == size)


def def_7(counts: Agreement) -> Fraction | None:
    """κ as DEF.7 has it, without a convention: None where it is 0/0."""
    a, b, c, d = counts.both, counts.response_only, counts.key_only, counts.neither
    total = a + b + c + d
    if total == 0:
        return None
    by_chance = Fraction((a + c) * (a + b) + (c + d) * (b + d), total**2)
    return (Fraction(a + d, total) - by_chance) / (1 - by_chance) if by_chance != 1 else None


def _number(counts: Agreement) -> Fraction:
    """κ by DEF.7 where it must be a number."""
    if (kappa := def_7(counts)) is None:
        raise ValueError(f"DEF.7 is 0/0 for {counts}")
    return kappa


def links(key: Sequence[int], response: Sequence[int], overlaps: int) -> Agreement:
    """a, b, c and d of section 3.3 for sides of these sizes: MUC finds |E| less the overlaps."""
    mentions = sum(key)
    both = mentions - overlaps
    of_key, of_response = mentions - len(key), mentions - len(response)
    return Agreement(
        both, of_response - both, of_key - both, mentions - 1 - of_key - of_response + both
    )


@cache
def chance(key: tuple[int, ...], response: tuple[int, ...], overlaps: int) -> Chance:
    """What random responses of these sizes have, and how many reach the κ of so many overlaps.

    >>> chance((2, 2), (2, 2), 4).kappa
    Fraction(-1, 1)
    """
    probable = overlaps_by_chance(key, response)
    counts = {n: links(key, response, n) for n in probable}
    kappas = {n: _number(each) for n, each in counts.items()}
    reached = _number(links(key, response, overlaps))
    return Chance(
        kappa=sum((p * kappas[n] for n, p in probable.items()), Fraction(0)),
        links=sum((p * counts[n].both for n, p in probable.items()), Fraction(0)),
        as_good=sum((p for n, p in probable.items() if kappas[n] >= reached), Fraction(0)),
    )


def chance_of(example: Example) -> Chance:
    """What random responses of an example's sizes have, and how many reach its own κ."""
    table = Contingency.of(example.key, example.response)
    return chance(tuple(table.key_sizes), tuple(table.response_sizes), len(table.pairs))


def chance_on_the_sample(example: Example) -> str:
    """κ of random responses with the response's sizes"""
    chances = chance_of(example)
    return (
        f"{float(chances.kappa):.2f} on the average, {float(chances.as_good):.1%} at "
        f"{_number(_counts(example))} or more"
    )


def chance_shown(example: Example, printed: str) -> str:
    """What random responses have where κ's zero would be, on the sample and on small texts."""
    chances, counts = chance_of(example), _counts(example)
    independent = Fraction(
        (counts.both + counts.key_only) * (counts.both + counts.response_only), sum(counts)
    )
    if not chances.kappa < _number(counts) < 0 or not chances.links < counts.both < independent:
        raise AssertionError("the response is not between chance and independence of the links")
    small = (
        f"{chance(sizes, sizes, len(sizes)).kappa} for two sides of {_listed(sizes)}"
        for sizes in ((2, 2), (3, 2), (3, 3))
    )
    return (
        f"random responses with the sample's sizes share {float(chances.links):.2f} links with the "
        f"key on average. The response shares {counts.both}, and independence would take "
        f"{float(independent):.2f}. The mean κ of random responses is {', '.join(small)}"
    )


def _listed(sizes: Sequence[int]) -> str:
    return " and ".join(map(str, sizes))


def _counts(example: Example) -> Agreement:
    counts = metric("kappa")(example.key, example.response).counts
    assert isinstance(counts, Agreement)
    return counts


def perfect_and_undefined() -> str:
    """Perfect responses for which DEF.7 is 0/0: of one class, or of singletons only"""
    perfect = [t for t in up_to(MOST) if same(t)]
    without = [t for t in perfect if def_7(agreement(t)) is None]
    crude = [t for t in perfect if t.key_entities in (1, t.key_mentions)]
    if without != crude:
        raise AssertionError("DEF.7 is 0/0 for other perfect responses than these")
    shown = "; ".join(text(t) for t in without if t.key_mentions == 2)
    return f"{len(without)} of {len(perfect)} of up to {WORDS[MOST]} mentions, as {shown}"


def kappa_of(t: Contingency) -> Fraction | None:
    """κ of a table by DEF.7, without a convention."""
    return def_7(agreement(t))


def agreement(t: Contingency) -> Agreement:
    """Count MUC's links on both sides, in the response alone, in the key alone and on neither.

    It refuses nothing: κ counts these, whatever it makes of them.
    """
    return cast(Agreement, full_score("kappa", t).counts)
