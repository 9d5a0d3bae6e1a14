"""Mentions that only one side has: what one change of a response does to its scores.

All small keys and responses are searched, up to the names of the mentions, for changes that should
cost and pay (junk: mentions that the key lacks) or that should pay and cost (mentions found).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from corefbook.draw import Drawing, coloured, overlap, row
from corefbook.draw.heat import Heat
from corefbook.enumeration import tables as full_tables
from corefbook.enumeration import with_twinless
from corefbook.tables import Table
from corefeval.conventions import Conventions
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition
from corefeval.overlap.twinless import POLICIES
from corefeval.registry import MEASURES
from corefeval.score import Score

NAMES = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")
"""The measures compared."""

TITLES = [MEASURES[name].title for name in NAMES]

PROPOSED = ("keep", "complete", "stoyanov_0", "stoyanov_all", "rahman_ng", "cai_strube")
"""The policies of papers; those of scoring scorers combine the same changes."""

Entity = tuple[int, ...]
"""A response entity: how many mentions it shares with each key entity, and how many with none."""


class Sizes(NamedTuple):
    """A key and a response without the names of their mentions."""

    key: tuple[int, ...]
    """The sizes of the key's entities, the largest first."""
    response: tuple[Entity, ...]

    @property
    def mentions(self) -> int:
        """How many mentions key and response have together."""
        return sum(self.key) + sum(entity[-1] for entity in self.response)

    @property
    def table(self) -> Contingency:
        """Their overlap table."""
        pairs = {
            (i, j): n for j, entity in enumerate(self.response) for i, n in enumerate(entity[:-1])
        }
        shared = {pair: n for pair, n in pairs.items() if n}
        return Contingency(shared, self.key, [sum(entity) for entity in self.response])

    @property
    def sides(self) -> tuple[Partition, Partition]:
        """Key and response with names: a, b, c … in the key, x, y, z … only in the response.

        >>> Sizes((2,), ((1, 1), (1, 0))).sides
        (Partition('{a b}'), Partition('{a x} {b}'))
        """
        names = iter("abcdefghijklm")
        key = [[next(names) for _ in range(size)] for size in self.key]
        unused = [iter(entity) for entity in [*key, "xyzuvw"]]
        response = [
            [next(left) for left, n in zip(unused, entity, strict=True) for _ in range(n)]
            for entity in self.response
        ]
        return Partition(key), Partition(response)


class Change(NamedTuple):
    """A change of the response."""

    before: Sizes
    after: Sizes


# ------------------------------------------------------------------------ All small cases


def cases(most: int) -> list[Sizes]:
    """All keys and responses of ``most`` mentions together, at most; some mention is on both sides.

    >>> len(cases(2))
    9
    """
    every = (t for n in range(1, most + 1) for t in (*full_tables(n), *with_twinless(n)))
    return sorted({_case(t) for t in every if t.pairs})


def _case(t: Contingency) -> Sizes:
    """The case with that table."""
    order = sorted(range(t.key_entities), key=lambda i: -t.key_sizes[i])
    response = []
    for j, size in enumerate(t.response_sizes):
        shared = [t.pairs.get((i, j), 0) for i in order]
        response.append((*shared, size - sum(shared)))
    return _canonical(Sizes(tuple(t.key_sizes[i] for i in order), tuple(response)))


def _canonical(case: Sizes) -> Sizes:
    """One of all cases that differ only in the order of entities."""
    key = case.key
    orders = [
        order
        for order in permutations(range(len(key)))
        if all(key[i] == size for i, size in zip(order, key, strict=True))
    ]
    forms = (
        sorted(((*(e[i] for i in order), e[-1]) for e in case.response), reverse=True)
        for order in orders
    )
    return Sizes(key, tuple(max(forms)))


# -------------------------------------------------------------------------------- Changes


def alone(case: Sizes) -> Iterator[Sizes]:
    """Junk: one mention that the key lacks, as a singleton."""
    yield _with(case, _junk(case, 1))


def together(case: Sizes) -> Iterator[Sizes]:
    """Junk: two or three mentions that the key lacks, as an entity of their own."""
    for size in (2, 3):
        yield _with(case, _junk(case, size))


def mixed_in(case: Sizes) -> Iterator[Sizes]:
    """Junk: one mention that the key lacks, in an entity of the response."""
    for j in range(len(case.response)):
        yield _grown(case, j, _junk(case, 1))


def found_alone(case: Sizes) -> Iterator[Sizes]:
    """A mention of the key that the response lacked, as a singleton."""
    for mention in _missing(case):
        yield _with(case, mention)


def found_in_place(case: Sizes) -> Iterator[Sizes]:
    """A mention of the key that the response lacked, joining mentions of its key entity alone."""
    for mention in _missing(case):
        for j, entity in enumerate(case.response):
            if not any(n for n, here in zip(entity, mention, strict=True) if not here):
                yield _grown(case, j, mention)


JUNK: dict[str, Callable[[Sizes], Iterator[Sizes]]] = {
    "alone": alone,
    "together": together,
    "mixed in": mixed_in,
}
FINDS: dict[str, Callable[[Sizes], Iterator[Sizes]]] = {
    "found alone": found_alone,
    "found in place": found_in_place,
}


def _junk(case: Sizes, size: int) -> Entity:
    return (*(0 for _ in case.key), size)


def _missing(case: Sizes) -> Iterator[Entity]:
    """One mention of each key entity that is not found whole."""
    for i, size in enumerate(case.key):
        if sum(entity[i] for entity in case.response) < size:
            yield tuple(int(i == place) for place in range(len(case.key) + 1))


def _with(case: Sizes, entity: Entity) -> Sizes:
    return _canonical(Sizes(case.key, (*case.response, entity)))


def _grown(case: Sizes, j: int, more: Entity) -> Sizes:
    grown = tuple(a + b for a, b in zip(case.response[j], more, strict=True))
    return _with(Sizes(case.key, case.response[:j] + case.response[j + 1 :]), grown)


def steps(changes: Iterable[str], most: int) -> Iterator[tuple[str, Change]]:
    """Every change of every case that leaves ``most`` mentions at most; the smallest first."""
    changed = [
        (name, Change(before, after))
        for before in cases(most)
        for name in changes
        for after in dict.fromkeys((JUNK | FINDS)[name](before))
        if after.mentions <= most
    ]
    return iter(sorted(changed, key=lambda named: _size(named[1])))


def _size(step: Change) -> tuple[int, int, Change]:
    return step.after.mentions, len(step.after.key) + len(step.after.response), step


# --------------------------------------------------------------------------------- Scores


@cache
def scores_by(case: Sizes, policy: str) -> dict[str, Score]:
    """The scores of each measure."""
    tables = POLICIES[policy](case.table)
    return {name: MEASURES[name].counts(tables).score(Conventions()) for name in NAMES}


# -------------------------------------------------------------------------------- Effects


PARTS = ("recall", "precision", "f1")
SIGNS = {1: "rises", 0: "stays", -1: "falls"}


class Asked(NamedTuple):
    """Which score, and which change."""

    policy: str
    measure: str
    change: str
    part: str = "f1"


Effects = dict[Asked, dict[str, Change]]
"""Whether a score rises, stays or falls, and the smallest step by which it does."""


@cache
def effects(most: int) -> Effects:
    """All effects of all changes, over the cases that have ``most`` mentions at most."""
    smallest_steps: Effects = {}
    for change, step in steps(JUNK | FINDS, most):
        for policy in PROPOSED:
            before, after = (scores_by(case, policy) for case in step)
            for measure, part in product(NAMES, PARTS):
                a, b = getattr(before[measure].exact, part), getattr(after[measure].exact, part)
                seen = smallest_steps.setdefault(Asked(policy, measure, change, part), {})
                seen.setdefault(SIGNS[(b > a) - (b < a)], step)
    return smallest_steps


def verdict(seen: Iterable[str]) -> str:
    """A change's effect: + the score can rise, and never falls; − the reverse; ± both; = neither.

    >>> verdict({"falls", "rises"}), verdict({"stays", "rises"}), verdict({"stays"})
    ('±', '+', '=')
    """
    rises, falls = "rises" in seen, "falls" in seen
    if rises and falls:
        return "±"
    if rises:
        return "+"
    return "−" if falls else "="


TONES = {"+": 1, "±": 0.5, "−": -1}
"""The colours of these signs."""


def verdicts(changes: Iterable[str], most: int, caption: str = "") -> Heat:
    """What changes do to F1, by policy and measure: a sign for each change.

    >>> verdicts(["alone", "mixed in"], 3).rows[0]
    ['keep', '= −', '− −', '− −', '− −', '− −', '− −']
    """
    effects_of, changes = effects(most), [*changes]

    def signs(policy: str, measure: str) -> str:
        return " ".join(verdict(effects_of[Asked(policy, measure, change)]) for change in changes)

    rows = [[policy, *(signs(policy, measure) for measure in NAMES)] for policy in PROPOSED]
    table = Table(["policy", *TITLES], rows, caption)
    return coloured(table, lambda cell: [TONES.get(sign, 0) for sign in cell.split()])


def raised(most: int) -> Table:
    """Which of recall (R) and precision (P) some junk raises, by policy and measure.

    >>> raised(3).rows[1]
    ['complete', '–', 'R P', 'R P', 'R P', 'R P', 'R P']
    """
    effects_of = effects(most)

    def parts(policy: str, measure: str) -> str:
        return " ".join(
            part[0].upper()
            for part in PARTS[:2]
            if any("rises" in effects_of[Asked(policy, measure, change, part)] for change in JUNK)
        )

    rows = [[policy, *(parts(policy, m) or "–" for m in NAMES)] for policy in PROPOSED]
    return Table(["policy", *TITLES], rows)


# ------------------------------------------------------------------------------- Pictures


def smallest(most: int, policy: str, measure: str, change: str, effect: str) -> Drawing:
    """The smallest step with that effect on F1: key, response and F1 before, and beside it after.

    >>> smallest(3, "keep", "b3", "alone", "falls").description
    'before: F1 1: Key: K1 {a}. Response: R1 {a}. after: F1 2/3: Key: K1 {a}. Response: R1 {a}, \
R2 {x}. Only in the response: x.'
    """
    step = effects(most)[Asked(policy, measure, change)][effect]
    times = zip(("before", "after"), step, strict=True)
    captions = [f"{time}: F1 {scores_by(case, policy)[measure].exact.f1}" for time, case in times]
    return row([overlap(*case.sides) for case in step], captions, columns=2)
