"""Overlap tables whose entities keep their names while conventions change the table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from corefeval.contingency import (
    KEY,
    LEFT,
    RESPONSE,
    Contingency,
    Edge,
    Exchanged,
    Pairs,
    Sizes,
)

Names = tuple[Sequence[Hashable], Sequence[Hashable]]
"""What the entities of the key are called, and those of the response."""


class Made(NamedTuple):
    """The name of a singleton that a convention makes for a mention that this side lacks."""

    entity: Hashable
    """The entity of the other side that has the mention."""
    number: int
    """Which of that entity's mentions it is, counted from 1."""


class Tracked(Pairs):
    """Overlapping pairs and sizes, as `corefeval.contingency.Pairs`, with names of entities."""

    def __init__(self, pairs: Mapping[Edge, int], sizes: Sizes, names: Names) -> None:
        super().__init__(pairs, sizes)
        self.names = names

    def without(self, what: str, side: int) -> Tracked:
        if side == KEY:
            return self.exchanged().without(what, RESPONSE).exchanged()
        plain = super().without(what, side)
        left = map(LEFT[what], self.sizes[RESPONSE], self.shared_sizes(RESPONSE))
        keys, responses = self.names
        kept = [name for name, size in zip(responses, left, strict=True) if size]
        return Tracked(plain.pairs, plain.sizes, (keys, kept))

    def with_found(self, side: int) -> Tracked:
        if side == RESPONSE:
            return self.exchanged().with_found(KEY).exchanged()
        plain = super().with_found(side)
        keys, responses = self.names
        made: list[Hashable] = []
        shared = self.shared_sizes(KEY)
        for name, size, found in zip(keys, self.sizes[KEY], shared, strict=True):
            made += [Made(name, number + 1) for number in range(size - found)]
        return Tracked(plain.pairs, plain.sizes, (keys, [*responses, *made]))

    def exchanged(self) -> Tracked:
        plain = super().exchanged()
        return Tracked(plain.pairs, plain.sizes, self.names[::-1])


def tracked(t: Contingency, names: Names) -> Contingency:
    """The table with names for its entities, in the order of their numbers.

    >>> t = tracked(Contingency({(0, 0): 1}, [2], [1, 1]), (["K1"], ["R1", "R2"]))
    >>> names_of(t.without("twinless").T), names_of(t.with_found(KEY))
    ((['R1'], ['K1']), (['K1'], ['R1', 'R2', Made(entity='K1', number=1)]))
    """
    sizes = list(t.key_sizes), list(t.response_sizes)
    return Contingency.counted_from(Tracked(t.pairs, sizes, names))


def names_of(t: Contingency) -> Names:
    """What the entities of a tracked table are called."""
    source = t.source
    if isinstance(source, Exchanged):
        return names_of(source.t)[::-1]
    assert isinstance(source, Tracked)
    return source.names
