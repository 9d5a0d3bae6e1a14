"""What tells the keys of two reports apart, so that only responses to the same key are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

from corefeval.contingency import Contingency
from corefeval.conventions import Conventions
from corefeval.partition import FLAT, Mention, as_lists, as_partition
from corefeval.repeats import REPEATS


class Digest(NamedTuple):
    """A document's key in a few numbers: as it was given, after repeats and singletons.

    ``twinless`` does not change it: by that convention a response may give singletons to the key.
    """

    sizes: tuple[tuple[int, int], ...]
    """How often each size of an entity occurs, the smallest first."""
    entities: int | None
    """A number that other entities hardly have; None for a table, whose mentions have no names."""

    @classmethod
    def of(cls, key: Any, choice: Conventions) -> Digest:
        """Make the digest of a key or, in its place, of a table that has both sides."""
        least = 2 if choice.singletons == "drop" else 1
        if isinstance(key, Contingency):
            # A table does not know its mentions: keys of the same sizes are taken for one.
            sizes = {size: n for size, n in key.key_histogram.items() if size >= least}
            return cls(tuple(sorted(sizes.items())), None)
        entities = [each for each in _entities(key, choice) if len(each) >= least]
        counted = sorted(Counter(map(len, entities)).items())
        return cls(tuple(counted), _number(entities))

    def tells_apart(self, other: Digest) -> bool:
        """Whether the keys differ, by all that is known of both."""
        if self.sizes != other.sizes:
            return True
        return None not in (self.entities, other.entities) and self.entities != other.entities


Digests = Mapping[Hashable, Sequence[Digest]]
"""By document: the digest of its key by each of the conventions that the measures have."""


def digests(keys: Mapping[Hashable, Any], choices: Iterable[Conventions]) -> Digests:
    """The digests of these documents' keys."""
    # Of all conventions these two alone change a key.
    different = {(choice.repeated, choice.singletons): choice for choice in choices}
    return {name: [Digest.of(key, by) for by in different.values()] for name, key in keys.items()}


def with_other_keys(here: Digests, there: Digests) -> list[Hashable]:
    """The documents that two reports have with different keys, and those that only one has."""
    differing = []
    for name in dict.fromkeys([*here, *there]):
        ours, theirs = here.get(name, ()), there.get(name, ())
        if len(ours) != len(theirs) or any(map(Digest.tells_apart, ours, theirs)):
            differing.append(name)
    return differing


def _entities(key: Any, choice: Conventions) -> list[list[Mention]]:
    """The entities of a key by the convention on repeated mentions, with all singletons."""
    if choice.repeated not in REPEATS:
        return as_partition(key, repeated=choice.repeated).entities
    if choice.repeated == "once_each":
        return [list(dict.fromkeys(entity)) for entity in as_lists(key)]
    return as_lists(key)


def _number(entities: Iterable[Sequence[Mention]]) -> int:
    """A number that does not depend on the order of entities, nor of mentions in them."""
    listed = list(entities)
    # Of plain mentions repr is the same in every process, and quick.
    told: Callable[[Mention], object] = repr if _are_plain(listed) else _told
    numbers = [_crc(map(told, entity)) for entity in listed]
    return _crc(map(str, numbers))


def _are_plain(entities: Iterable[Sequence[Mention]]) -> bool:
    """Whether all mentions are texts, whole numbers or tuples of these, which most are."""
    kinds = {*map(type, mentions := [*chain.from_iterable(entities)])}
    if kinds == {tuple}:
        kinds = {*map(type, chain.from_iterable(mentions))}  # type: ignore[arg-type]
    return kinds <= FLAT


def _told(mention: Any) -> str:
    """What stands for a mention: the same in every process, if texts and numbers are all it has."""
    if type(mention) in FLAT:
        return repr(mention)
    if type(mention) is tuple:
        return f"({', '.join(map(_told, mention))})"
    # A mention of CorefUD has its file with it, and several files may have the same key.
    if hasattr(mention, "place_in_text"):
        return repr(mention.place_in_text)
    return str(hash(mention))


def _crc(parts: Iterable[Any]) -> int:
    return crc32("\n".join(sorted(parts)).encode("utf-8", "surrogatepass"))
