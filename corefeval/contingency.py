"""The overlap table of a key and a response: all that the measures need to know of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from corefeval.partition import Partition


class Contingency:
    """How a key and a response overlap.

    One row per overlapping pair (Kᵢ, Rⱼ) with n = \\|Kᵢ∩Rⱼ\\|, and the full sizes k = \\|Kᵢ\\| and
    r = \\|Rⱼ\\|: a mention on one side only (twinless) is in no row, but in its entity's size.

    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
    >>> t.pairs
    {(0, 0): 2, (0, 1): 1}
    >>> t.key_sizes, t.response_sizes
    ([3], [2, 2])
    >>> t.T.pairs
    {(0, 0): 2, (1, 0): 1}
    """

    def __init__(
        self,
        pairs: Mapping[tuple[int, int], int],
        key_sizes: Sequence[int],
        response_sizes: Sequence[int],
    ) -> None:
        self.pairs = pairs
        """n of each overlapping pair, by the numbers (i, j) of its entities."""
        self.key_sizes = key_sizes
        """\\|Kᵢ\\| of every key entity, wholly twinless ones too."""
        self.response_sizes = response_sizes
        """\\|Rⱼ\\| of every response entity, wholly twinless ones too."""
        self._known: dict[Callable[[Contingency], Any], Any] = {}

    @classmethod
    def of(cls, key: Partition, response: Partition) -> Contingency:
        """The table of two partitions, in one pass over the key's mentions."""
        response_entity = response.entity_of
        pairs = Counter(
            (i, response_entity[mention])
            for mention, i in key.entity_of.items()
            if mention in response_entity
        )
        return cls(dict(pairs), key.sizes, response.sizes)

    @classmethod
    def union(cls, tables: Iterable[Contingency]) -> Contingency:
        """All tables in one, their entities numbered on: of documents that share no mention.

        >>> t = Contingency.of(Partition.parse("{a b}"), Partition.parse("{a b}"))
        >>> Contingency.union([t, t]).pairs
        {(0, 0): 2, (1, 1): 2}
        """
        pairs: dict[tuple[int, int], int] = {}
        key_sizes: list[int] = []
        response_sizes: list[int] = []
        for t in tables:
            before, there = len(key_sizes), len(response_sizes)
            pairs.update({(before + i, there + j): n for (i, j), n in t.pairs.items()})
            key_sizes += t.key_sizes
            response_sizes += t.response_sizes
        return cls(pairs, key_sizes, response_sizes)

    @cached_property
    def T(self) -> Contingency:
        """The table with key and response exchanged: precision is recall of ``t.T``."""
        transposed = Contingency(
            {(j, i): n for (i, j), n in self.pairs.items()}, self.response_sizes, self.key_sizes
        )
        transposed.__dict__["T"] = self
        return transposed

    @cached_property
    def cells(self) -> Mapping[tuple[int, int, int], int]:
        """How often each triple (n, k, r) occurs among the pairs: few, however large the table."""
        k, r = self.key_sizes, self.response_sizes
        return Counter((n, k[i], r[j]) for (i, j), n in self.pairs.items())

    def sum(self, f: Callable[[int, int, int], Any]) -> Any:
        """Σ f(n, k, r) over all pairs, f called once per distinct triple.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.sum(lambda n, k, r: n - 1)
        1
        """
        return sum(f(*cell) * times for cell, times in self.cells.items())

    def answered(self) -> Contingency:
        """The table in which every key mention that the response lacks is a singleton of it.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {d e}"))
        >>> t.answered().pairs, t.answered().response_sizes
        ({(0, 0): 2, (0, 2): 1}, [2, 2, 1])
        """
        pairs, response_sizes = dict(self.pairs), list(self.response_sizes)
        for i, twinless in enumerate(_twinless(self)):
            for _ in range(twinless):
                pairs[i, len(response_sizes)] = 1
                response_sizes.append(1)
        return Contingency(pairs, self.key_sizes, response_sizes)

    def completed(self) -> Contingency:
        """The table after DEF.19: a mention on one side only is a singleton of the other.

        Source: Popescu-Belis, section 4.3.

        >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}"))
        >>> t.completed().pairs, t.completed().key_sizes
        ({(0, 0): 2, (0, 1): 1, (1, 1): 1}, [3, 1])
        """
        return self.answered().T.answered().T

    def once(self, f: Callable[[Contingency], Any]) -> Any:
        """f(self), computed the first time and remembered: several measures want the same."""
        if f not in self._known:
            self._known[f] = f(self)
        return self._known[f]

    @property
    def key_mentions(self) -> int:
        """Σ \\|Kᵢ\\|"""
        return sum(self.key_sizes)

    @property
    def key_entities(self) -> int:
        """How many entities the key has."""
        return len(self.key_sizes)


def _twinless(t: Contingency) -> list[int]:
    """How many mentions of each key entity the response lacks."""
    found = list(t.key_sizes)
    for (i, _), n in t.pairs.items():
        found[i] -= n
    return found
