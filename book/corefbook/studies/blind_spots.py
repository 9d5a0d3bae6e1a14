"""What each measure is blind to: errors made on purpose, and all small responses ranked.

Part one takes a key for the response and makes one kind of error in it, again and again. Part two
ranks every two responses to every small key by every measure, and looks for opposite orders.
Scores are F1, or the value of a measure without F1, by the conventions of the reference scorer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb
from string import ascii_lowercase
from typing import Any

from corefbook.enumeration import how_many, partitions, profiles
from corefbook.papers.popescubelis.propositions import at_best
from corefeval.conventions import Conventions
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Mention, Partition
from corefeval.registry import MEASURES
from corefeval.score import Score
from corefeval.scoring import metric

FIELD = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
"""The measures that the field reports."""

NAMES = (*FIELD, "kappa", "c", "xc", "h", "dmt")
"""All measures compared. D-err is not among them: its formula is lost."""

TITLES = {name: MEASURES[name].title.partition(" ")[0] for name in NAMES}
"""How they are called in tables and figures."""

TOLERANCE = 1e-9
"""Of two scores that differ by less, neither is higher. Only H, a double, needs it."""

Entity = list[Mention]


# ------------------------------------------------------------------- errors made on purpose

SIZES = {
    "large": (14, 11, 9, 8, 6, 5, 5, 4),
    "small": (3, 3, 3, 3, 2, 2, 2, 2),
    "singletons": (1,) * 18,
}
"""The sizes of the key's entities. Two neighbours make a pair, and an error takes one pair."""

ERRORS = 4
"""How many errors of one kind are made: there are so many pairs of large entities."""


@cache
def strata() -> Mapping[str, list[Entity]]:
    """The key's entities by size; their mentions are numbered from 1 on.

    >>> strata()["small"][0]
    [63, 64, 65]
    """
    by_size: dict[str, list[Entity]] = {}
    first = 1
    for name, sizes in SIZES.items():
        by_size[name] = []
        for size in sizes:
            by_size[name].append(list(range(first, first + size)))
            first += size
    return by_size


def key() -> Partition:
    """The key with all the entities of `strata`.

    >>> len(key()), len(key().mentions)
    (34, 100)
    """
    return Partition(entity for stratum in strata().values() for entity in stratum)


KEY = key()
"""From where errors are made, unless something else is asked."""


def split(response: Partition, mentions: Sequence[Mention]) -> Partition:
    """Put the second half of these mentions, the smaller one, into an entity of its own.

    >>> split(Partition.parse("{a b c} {d}"), "abc")
    Partition('{a b} {c} {d}')
    """
    half = mentions[(len(mentions) + 1) // 2 :]
    return Partition.from_labels({**response.entity_of, **dict.fromkeys(half, "new")})


def merge(response: Partition, one: Mention, other: Mention) -> Partition:
    """Make one entity of those of two mentions.

    >>> merge(Partition.parse("{a b} {c} {d e}"), "a", "d")
    Partition('{a b d e} {c}')
    """
    kept, gone = response.entity_of[one], response.entity_of[other]
    return Partition.from_labels(
        {m: kept if entity == gone else entity for m, entity in response.entity_of.items()}
    )


def move(response: Partition, mention: Mention, to: Mention) -> Partition:
    """Move a mention into the entity of another.

    >>> move(Partition.parse("{a b} {c}"), "b", "c")
    Partition('{a} {b c}')
    """
    return Partition.from_labels({**response.entity_of, mention: response.entity_of[to]})


def swap(response: Partition, one: Mention, other: Mention) -> Partition:
    """Put each of two mentions into the entity of the other.

    >>> swap(Partition.parse("{a b} {c d}"), "b", "c")
    Partition('{a c} {b d}')
    """
    of = response.entity_of
    return Partition.from_labels({**of, one: of[other], other: of[one]})


def drop(response: Partition, mention: Mention) -> Partition:
    """Leave out a mention.

    >>> drop(Partition.parse("{a b} {c}"), "c")
    Partition('{a b}')
    """
    return Partition.from_labels({m: e for m, e in response.entity_of.items() if m != mention})


def add(response: Partition, mention: Mention, to: Mention | None = None) -> Partition:
    """Add a mention, in the entity of another or alone.

    >>> add(Partition.parse("{a b}"), "x", "a"), add(Partition.parse("{a b}"), "x")
    (Partition('{a b x}'), Partition('{a b} {x}'))
    """
    label: Hashable = "new" if to is None else response.entity_of[to]
    return Partition.from_labels({**response.entity_of, mention: label})


Step = Callable[[Partition, Entity, Entity], Partition]

IN_ENTITIES: dict[str, Step] = {
    "split": lambda response, one, other: split(response, one),
    "merge": lambda response, one, other: merge(response, one[0], other[0]),
    "move": lambda response, one, other: move(response, one[-1], other[0]),
    "swap": lambda response, one, other: swap(response, one[-1], other[-1]),
    "drop": lambda response, one, other: drop(response, one[-1]),
    "spurious": lambda response, one, other: add(response, f"spurious {one[0]}", one[0]),
}
"""What one error does to a response, given a pair of entities as the key has them."""

OF_SINGLETONS: dict[str, Step] = {
    "link": lambda response, one, other: merge(response, one[0], other[0]),
    "drop": lambda response, one, other: drop(response, one[0]),
    "spurious": lambda response, one, other: add(response, f"spurious {one[0]}"),
}
"""The same for two singletons of the key."""

KINDS: dict[tuple[str, str], Step] = {
    **{(kind, size): step for kind, step in IN_ENTITIES.items() for size in ("large", "small")},
    **{(kind, "singletons"): step for kind, step in OF_SINGLETONS.items()},
}
"""Every kind of error, by what is done and to which entities."""

Kind = tuple[str, str]


def flawed() -> Partition:
    """A response with a spurious link and a missing one, away from where the errors go.

    >>> [str(part) for part in metric("muc")(key(), flawed()).exact[:2]]
    ['65/66', '65/66']
    """
    large, singletons = strata()["large"], strata()["singletons"]
    alone = large[1][len(large[1]) // 2]
    moved = move(key(), singletons[-1][0], large[0][0])
    return add(drop(moved, alone), alone)


@cache
def responses(kind: Kind, start: Partition = KEY) -> tuple[Partition, ...]:
    """The start, which is the key or `flawed`, and the same with 1, 2, … `ERRORS` errors of a kind.

    >>> [len(response) for response in responses(("split", "large"))]
    [34, 35, 36, 37, 38]
    """
    step, entities = KINDS[kind], strata()[kind[1]]
    with_errors = [start]
    for one, other in zip(entities[: 2 * ERRORS : 2], entities[1::2], strict=False):
        with_errors.append(step(with_errors[-1], one, other))
    return tuple(with_errors)


@cache
def scores_after_errors(name: str, kind: Kind, start: Partition = KEY) -> tuple[Score, ...]:
    """The scores of these `responses` by a measure.

    >>> [str(score.exact.recall) for score in scores_after_errors("muc", ("split", "large"))]
    ['1', '65/66', '32/33', '21/22', '31/33']
    """
    return tuple(metric(name)(key(), response) for response in responses(kind, start))


def change(name: str, kind: Kind, errors: int = ERRORS, start: Partition = KEY) -> Any:
    """How much higher the score is after so many errors than before: mostly below 0.

    >>> change("muc", ("merge", "large")) == change("muc", ("merge", "small"))
    True
    """
    scores = scores_after_errors(name, kind, start)
    return scores[errors].exact.value - scores[0].exact.value


def notices(name: str, kind: Kind, start: Partition = KEY) -> str:
    """Which of recall (R) and precision (P) ever change, or "value"; "" if the measure is blind.

    >>> notices("muc", ("split", "large")), notices("muc", ("drop", "singletons"))
    ('R', '')
    """
    scores = scores_after_errors(name, kind, start)
    if scores[0].exact.recall is None:
        return "value" if _differ([score.exact.value for score in scores]) else ""
    parts = {
        "R": [score.exact.recall for score in scores],
        "P": [score.exact.precision for score in scores],
    }
    return " ".join(sign for sign, values in parts.items() if _differ(values))


def _differ(values: Sequence[Any]) -> bool:
    return max(values) - min(values) > TOLERANCE


def blind(name: str, kind: Kind) -> bool:
    """Whether nothing changes, neither from the key nor from the `flawed` response.

    >>> blind("dmt", ("swap", "large")), blind("kappa", ("spurious", "singletons"))
    (True, False)
    """
    return not any(notices(name, kind, start) for start in (key(), flawed()))


def effect(name: str, kind: Kind) -> str:
    """What all errors of a kind do to a perfect score, in points; "blind", or "rises".

    "rises": nothing from the key, but the `flawed` response becomes better.

    >>> effect("muc", ("split", "large")), effect("kappa", ("spurious", "singletons"))
    ('−3.1', 'rises')
    """
    if blind(name, kind):
        return "blind"
    points = change(name, kind)
    if not points and change(name, kind, start=flawed()) > TOLERANCE:
        return "rises"
    return f"{100 * float(points):.1f}".replace("-", "−")


def tone(effect: str) -> float:
    """The colour of an effect in a heat map: brown for a loss of up to 20 points, teal else.

    >>> tone("−3.1"), tone("blind"), tone("rises")
    (-0.155, 0.5, 1)
    """
    words = {"blind": 0.5, "rises": 1}
    return words[effect] if effect in words else float(effect.replace("−", "-")) / 20


def tone_of_rate(percent: str) -> float:
    """The colour of a rate: the deeper a brown, the more often two measures disagree.

    >>> tone_of_rate("15.0"), tone_of_rate("·")
    (-0.5, 0)
    """
    return 0 if percent == "·" else -float(percent) / 30


# ----------------------------------------------------------- every two responses to every key


def keys(mentions: int) -> dict[Partition, int]:
    """One key for each choice of entity sizes, and how many keys have these sizes.

    >>> {str(key): times for key, times in keys(3).items()}
    {'{a b c}': 1, '{a b} {c}': 3, '{a} {b} {c}': 1}
    """
    how_often = {}
    for sizes in profiles(mentions):
        labels = [entity for entity, size in enumerate(sizes) for _ in range(size)]
        key = Partition.from_labels(dict(zip(ascii_lowercase, labels, strict=False)))
        how_often[key] = how_many(sizes)
    return how_often


def answers(key: Partition, spurious: str = "", *, all_found: bool = True) -> list[Partition]:
    """Every response with the key's mentions, or with any of these and the ``spurious`` ones.

    Where mentions may be missing, those with the first mention of all are: it stands for none.

    >>> [str(response) for response in answers(Partition.parse("{a}"), "x", all_found=False)]
    ['', '{x}', '{a}', '{a x}', '{a} {x}']
    """
    mentions = [*key.entity_of, *spurious]
    if all_found:
        return list(map(Partition, partitions(mentions)))
    return [Partition(entities) for _, *entities in partitions([None, *mentions])]


def overlaps(key: Partition, response: Partition) -> tuple[tuple[int, ...], ...]:
    """How many mentions of each key entity, and how many in all, each response entity has.

    Responses that agree in this have the same score by every measure.

    >>> overlaps(Partition.parse("{a b} {c}"), Partition.parse("{b c x} {a}"))
    ((1, 0, 1), (1, 1, 3))
    """
    shared_sizes = []
    for entity in response:
        shared = Counter(key.entity_of[m] for m in entity if m in key.entity_of)
        shared_sizes.append((*(shared[i] for i in range(len(key))), len(entity)))
    return tuple(sorted(shared_sizes))


def ranks(values: Sequence[Any]) -> list[int]:
    """The place of each value among the different ones, the lowest 0.

    >>> ranks([Fraction(1, 2), 1.0, 1.0 - 1e-15, Fraction(0)])
    [1, 2, 2, 0]
    """
    place: dict[Any, int] = {}
    before, rank = None, 0
    for value in sorted(set(values)):
        rank += before is not None and value - before > TOLERANCE
        place[value] = rank
        before = value
    return [place[value] for value in values]


@dataclass(frozen=True)
class OppositeOrders:
    """How often two measures order two different responses to a key oppositely, or not at all.

    ``opposite`` counts, for two measures, the pairs that they rank in opposite orders, ``tied``
    those to which a measure gives one score.
    """

    pairs: int
    opposite: Mapping[tuple[str, str], int]
    tied: Mapping[str, int]

    def rate(self, one: str, other: str) -> Fraction:
        """The share of the pairs that two measures, in either order, rank oppositely."""
        asked = (one, other) if (one, other) in self.opposite else (other, one)
        return Fraction(self.opposite[asked], self.pairs)


@cache
def comparison(
    mentions: int,
    measures: tuple[str, ...] = NAMES,
    *,
    zero: str = "zero",
    spurious: str | None = None,
) -> OppositeOrders:
    """Count the pairs of responses, to all keys of so many mentions, that two measures order apart.

    Each key and response counts once for each way to name its mentions; ties of XC fall in the
    response's favour. Responses have the key's mentions; with ``spurious`` they may lack some,
    and may have mentions of that text.

    >>> found = comparison(3, ("muc", "b3"))
    >>> found.pairs, found.opposite["muc", "b3"], found.tied["b3"]
    (50, 3, 9)
    """
    conventions = Conventions(zero=zero)
    pairs = 0
    opposite: Counter[tuple[str, str]] = Counter()
    tied: Counter[str] = Counter()
    for key, times in keys(mentions).items():
        given = answers(key, spurious or "", all_found=spurious is None)
        signs = _signs(key, given, measures, conventions)
        pairs += times * comb(len(given), 2)
        for name in measures:
            tied[name] += times * int((signs[name] == 0).sum())
        for one, other in combinations(measures, 2):
            opposite[one, other] += times * int((signs[one] * signs[other] < 0).sum())
    return OppositeOrders(pairs, opposite, tied)


def _signs(
    key: Partition, given: Sequence[Partition], measures: Sequence[str], conventions: Conventions
) -> Mapping[str, Any]:
    """By each measure and for each two responses 1 where the first is higher, −1 where the second.

    Responses that overlap the key alike are scored once.
    """
    import numpy as np

    alike = [overlaps(key, response) for response in given]
    one_of_each = {
        how: Contingency.of(key, response)
        for how, response in dict(zip(alike, given, strict=True)).items()
    }
    first, second = np.triu_indices(len(given), 1)
    signs = {}
    for name in measures:
        of = {how: at_best(name, t, conventions).exact.value for how, t in one_of_each.items()}
        place = np.array(ranks([of[how] for how in alike]), dtype=np.int16)
        signs[name] = np.sign(place[first] - place[second])
    return signs


def raised_by_wrong_links(names: Sequence[str], mentions: int) -> set[str]:
    """The measures that rise for some key of so many mentions when a response joins wrongly.

    Key and response have the same mentions, and no mention of one joined entity belongs with a
    mention of the other.

    >>> sorted(raised_by_wrong_links(["muc", "b3", "ceafe"], 4))
    ['ceafe']
    """
    sides = [Partition(entities) for entities in partitions(ascii_lowercase[:mentions])]
    raised = set()
    for key, response in product(sides, sides):
        for joined in _joined_wrongly(key, response):
            raised |= {
                name
                for name in names
                if metric(name)(key, joined).exact.value > metric(name)(key, response).exact.value
            }
    return raised


def _joined_wrongly(key: Partition, response: Partition) -> Iterator[Partition]:
    """The response with two of its entities joined, for each two that share no key entity."""
    for one, other in combinations(response, 2):
        of_one = {key.entity_of[mention] for mention in one}
        of_other = {key.entity_of[mention] for mention in other}
        if of_one.isdisjoint(of_other):
            rest = [entity for entity in response if entity not in (one, other)]
            yield Partition([*rest, [*one, *other]])
