"""Every key and response of a few mentions, once each.

Measures depend on a key and a response through their contingency table alone, so pairs of
partitions are listed up to the names of mentions and the order of entities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import factorial, prod
from string import ascii_lowercase
from typing import TypeAlias, TypeVar

from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition

T = TypeVar("T")
Matrix: TypeAlias = tuple[tuple[int, ...], ...]

# ------------------------------------------------------------------------------- one side


def partitions(mentions: Sequence[T]) -> Iterator[list[list[T]]]:
    """All partitions of the mentions: as many as the Bell numbers say (OEIS A000110).

    Each mention in turn joins the first entity, the second, …, or begins a new one.

    >>> [sum(1 for _ in partitions("abcdef"[:n])) for n in range(7)]
    [1, 1, 2, 5, 15, 52, 203]
    >>> list(partitions("ab"))
    [[['a', 'b']], [['a'], ['b']]]
    """
    if not mentions:
        yield []
        return
    *others, last = mentions
    for entities in partitions(others):
        for i, entity in enumerate(entities):
            yield [*entities[:i], [*entity, last], *entities[i + 1 :]]
        yield [*entities, [last]]


def profiles(mentions: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The entity sizes of all partitions of that many mentions, the largest first (A000041).

    >>> list(profiles(3))
    [(3,), (2, 1), (1, 1, 1)]
    >>> [sum(1 for _ in profiles(n)) for n in range(9)]
    [1, 1, 2, 3, 5, 7, 11, 15, 22]
    """
    if not mentions:
        yield ()
    for size in range(min(mentions, largest or mentions), 0, -1):
        yield from ((size, *rest) for rest in profiles(mentions - size, size))


def how_many(sizes: Sequence[int]) -> int:
    """How many partitions have these entity sizes.

    >>> [how_many(sizes) for sizes in profiles(4)]
    [1, 4, 3, 6, 1]
    """
    alike = prod(map(factorial, Counter(sizes).values()))
    return factorial(sum(sizes)) // prod(map(factorial, sizes)) // alike


# ---------------------------------------------------------------------- both sides at once


@cache
def tables(mentions: int) -> tuple[Contingency, ...]:
    """The contingency tables of all keys and responses on that many mentions (A007716).

    A table is a multiset of connected ones, which share no entity.

    >>> [text(t) for t in tables(2)]
    ['{a} {b} | {a b}', '{a b} | {a} {b}', '{a b} | {a b}', '{a} {b} | {a} {b}']
    >>> [len(tables(n)) for n in range(1, 7)]
    [1, 4, 10, 33, 91, 298]
    """
    parts = [(n, matrix) for n in range(mentions, 0, -1) for matrix in sorted(connected(n))]

    def chosen(left: int, start: int) -> Iterator[tuple[Matrix, ...]]:
        if not left:
            yield ()
        for number in range(start, len(parts)):
            n, matrix = parts[number]
            if n <= left:
                yield from ((matrix, *rest) for rest in chosen(left - n, number))

    return tuple(map(_table, chosen(mentions, 0)))


def up_to(mentions: int) -> Iterator[Contingency]:
    """`tables` of 1, 2, … mentions."""
    for n in range(1, mentions + 1):
        yield from tables(n)


@cache
def connected(mentions: int) -> frozenset[Matrix]:
    """The matrices of overlaps with that many mentions that do not fall into two (A007718).

    One mention more goes to a pair of entities, of which one may be new. That reaches every
    matrix: a last mention can be taken from a leaf or from a circle.

    >>> sorted(connected(2))
    [((1,), (1,)), ((1, 1),), ((2,),)]
    >>> [len(connected(n)) for n in range(1, 7)]
    [1, 3, 6, 17, 40, 125]
    """
    if mentions == 1:
        return frozenset([((1,),)])
    return frozenset(
        canonical(_with_one_more(matrix, i, j))
        for matrix in connected(mentions - 1)
        for i in range(len(matrix) + 1)
        for j in range(len(matrix[0]) + (i < len(matrix)))
    )


def canonical(matrix: Matrix) -> Matrix:
    """One matrix that stands for all orders of this one's rows and columns.

    >>> canonical(((0, 1), (2, 1))) == canonical(((1, 2), (1, 0)))
    True
    """
    if len(matrix[0]) > len(matrix):
        return _transposed(canonical(_transposed(matrix)))
    orders = permutations(_transposed(matrix))
    return min(tuple(sorted(_transposed(columns), reverse=True)) for columns in orders)


# ------------------------------------------------------------- mentions on one side only


def with_twinless(mentions: int) -> Iterator[Contingency]:
    """Tables on that many mentions of either side, of which some are on one side only.

    Every one comes from its completion by singletons (Popescu-Belis, DEF.19): take them back, a
    mention at a time. Tables that differ only in the order of entities may come more than once.

    >>> [f"{len(t.pairs)} {t.key_sizes} {t.response_sizes}" for t in with_twinless(2)][:3]
    ['1 [1] [2]', '1 [1] [2]', '0 [] [2]']
    """
    for t in tables(mentions):
        single = [(pair, 0) for pair in t.pairs if t.key_sizes[pair[0]] == 1]
        single += [(pair, 1) for pair in t.pairs if t.response_sizes[pair[1]] == 1]
        for count in range(1, len(single) + 1):
            for taken in combinations(single, count):
                if len({pair for pair, _ in taken}) == count:
                    yield _taken_back(t, dict(taken))


def pairs_up_to(mentions: int) -> Iterator[tuple[Partition, Partition]]:
    """Every key with every response that have at most so many mentions together, some in common.

    Mentions of the key are called a, b, c …, those of the response alone x, y, z …; of the key
    the response has the last ones, which is no restriction, since every key comes.

    >>> [f"{key} | {response}" for key, response in pairs_up_to(2)][:4]
    ['{a} | {a}', '{a} | {a x}', '{a} | {a} {x}', '{a b} | {b}']
    """
    for size in range(1, mentions + 1):
        for common in range(1, size + 1):
            for more in range(mentions - size + 1):
                names = ascii_lowercase[size - common : size] + "xyzuvw"[:more]
                for response in partitions(names):
                    for key in partitions(ascii_lowercase[:size]):
                        yield Partition(key), Partition(response)


def _taken_back(t: Contingency, taken: dict[tuple[int, int], int]) -> Contingency:
    """The table without these singletons, given by pair: 0 for the key's, 1 for the response's."""
    left = {pair: n for pair, n in t.pairs.items() if pair not in taken}
    gone = [{pair[side] for pair, where in taken.items() if where == side} for side in (0, 1)]
    key = [i for i in range(t.key_entities) if i not in gone[0]]
    response = [j for j in range(t.T.key_entities) if j not in gone[1]]
    return Contingency(
        {(key.index(i), response.index(j)): n for (i, j), n in left.items()},
        [t.key_sizes[i] for i in key],
        [t.response_sizes[j] for j in response],
    )


# ------------------------------------------------------------------------- a table, named


def named_sides(t: Contingency) -> tuple[Partition, Partition]:
    """A key and a response with that table, which has no twinless mentions.

    >>> named_sides(tables(3)[1])
    (Partition('{a b} {c}'), Partition('{a} {b c}'))
    """
    pairs = [pair for pair, n in t.pairs.items() for _ in range(n)]
    named = list(zip(ascii_lowercase, pairs, strict=False))
    key, response = (Partition.from_labels({m: p[side] for m, p in named}) for side in (0, 1))
    return key, response


def text(t: Contingency) -> str:
    """Write a table's key and response as one text: "{a b} | {a} {b}"."""
    return " | ".join(map(str, named_sides(t)))


def _transposed(rows: Iterable[Sequence[int]]) -> Matrix:
    return tuple(zip(*rows, strict=True))


def _with_one_more(matrix: Matrix, i: int, j: int) -> Matrix:
    """The matrix with one mention more in row i and column j, either of which may be new."""
    height, width = max(len(matrix), i + 1), max(len(matrix[0]), j + 1)
    rows = [[*row, 0][:width] for row in (*matrix, (0,) * len(matrix[0]))][:height]
    rows[i][j] += 1
    return tuple(map(tuple, rows))


def _table(matrices: Iterable[Matrix]) -> Contingency:
    """The table with these matrices along its diagonal."""
    pairs: dict[tuple[int, int], int] = {}
    key_sizes: list[int] = []
    response_sizes: list[int] = []
    for matrix in matrices:
        i, j = len(key_sizes), len(response_sizes)
        pairs |= {(i + x, j + y): n for x, row in enumerate(matrix) for y, n in enumerate(row) if n}
        key_sizes += map(sum, matrix)
        response_sizes += map(sum, _transposed(matrix))
    return Contingency(pairs, key_sizes, response_sizes)
