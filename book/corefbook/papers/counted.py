"""What several papers count of a key and a response, and the sums that they write out.

``side`` says of which score: "key" of recall, "response" of precision. ``of`` names an entity of
either side: K1, K2, … or R1, R2, …
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Unpack

from corefbook.alignment import align
from corefbook.ledger import Example
from corefeval.conventions import Chosen
from corefeval.measures.ceaf import phi3, phi4
from corefeval.overlap.alignment import Similarity
from corefeval.overlap.contingency import Contingency, Edge
from corefeval.overlap.partition import Mention, Partition
from corefeval.score import Number, Score, f1
from corefeval.scoring import metric

# ------------------------------------------------------------------------------------- One side


def entities(example: Example, side: str = "key") -> Partition:
    """The entities of one side"""
    return example.key if side == "key" else example.response


def other(example: Example, side: str) -> Partition:
    """The entities of the other side, which cut those of this one into parts"""
    return entities(example, "response" if side == "key" else "key")


def how_many_entities(example: Example, side: str = "key") -> int:
    """Number of entities of one side"""
    return len(entities(example, side))


def normaliser(example: Example, side: str = "key") -> Fraction:
    """One over the number of mentions"""
    return Fraction(1, len(entities(example, side).mentions))


def only_in(example: Example, side: str, joint: str = " ") -> str:
    """The mentions of one side that the other lacks"""
    alone = entities(example, side).mentions - other(example, side).mentions
    return joint.join(sorted(map(str, alone)))


# ----------------------------------------------------------------------------------- One entity


def named(example: Example) -> dict[str, list[Mention]]:
    """The mentions of every entity by its name"""
    keys = {f"K{i}": entity for i, entity in enumerate(example.key, 1)}
    return keys | {f"R{j}": entity for j, entity in enumerate(example.response, 1)}


def names(example: Example, side: str) -> list[str]:
    """The names of the entities of one side"""
    return [of for of in named(example) if side_of(of) == side]


def side_of(of: str) -> str:
    """Which side has the entity"""
    return "key" if of[0] == "K" else "response"


def entity(example: Example, of: str = "K1") -> Partition:
    """The entity S"""
    return Partition([named(example)[of]])


def size(example: Example, of: str = "K1") -> int:
    """|S|, the number of mentions of S"""
    return len(named(example)[of])


def p(example: Example, of: str = "K1") -> Partition:
    """p(S), the parts into which the other side cuts S

    A mention that the other side lacks is a part of its own.
    """
    s, there = named(example)[of], other(example, side_of(of))
    shared = [[mention for mention in each if mention in s] for each in there]
    alone = [[mention] for mention in s if mention not in there.mentions]
    return Partition([part for part in shared + alone if part])


def parts(example: Example, of: str = "K1") -> int:
    """|p(S)|, the number of parts into which the other side cuts S"""
    return len(p(example, of))


def correct_links(example: Example, of: str = "K1") -> int:
    """c(S) = |S| − 1, the links necessary to build S"""
    return size(example, of) - 1


def missing_links(example: Example, of: str = "K1") -> int:
    """m(S) = |p(S)| − 1, the links that would join the parts of S again"""
    return parts(example, of) - 1


# ------------------------------------------------------------------------------ Sums, written out

SIMILARITIES: dict[str, Similarity] = {"phi3": phi3, "phi4": phi4}


def over_entities(
    example: Example, form: str, side: str = "key", by: str = " + ", whole: str = "{}"
) -> str:
    """The terms of a sum over the entities of one side

    ``form`` says how one is written with the size |S|, the parts |p(S)|, c(S) and m(S).

    >>> example = Example("", {"key": "{a b c} {d}", "response": "{a b} {c d}"})
    >>> over_entities(example, "({size} - {parts})"), over_entities(example, "{c}", "response")
    ('(3 - 2) + (1 - 1)', '1 + 1')
    """
    written = (
        form.format(
            size=size(example, of),
            parts=parts(example, of),
            c=correct_links(example, of),
            m=missing_links(example, of),
        )
        for of in names(example, side)
    )
    return whole.format(by.join(written))


def over_pairs(
    example: Example, form: str, by: str = " + ", whole: str = "{}", aligned: str = ""
) -> str:
    """The terms of a sum over the overlapping pairs, or over those that a similarity aligns

    ``form`` says how one is written with the numbers i and j of its entities, and n, k and r.

    >>> example = Example("", {"key": "{a b c} {d}", "response": "{a b} {c d}"})
    >>> over_pairs(example, "{n}^2/{k}"), over_pairs(example, "K{i} R{j}", aligned="phi3")
    ('2^2/3 + 1^2/3 + 1^2/1', 'K1 R1 + K2 R2')
    """
    t = overlap_table(example)
    pairs: Iterable[Edge] = alignment(example, aligned) if aligned else sorted(t.pairs)
    written = (
        form.format(i=i + 1, j=j + 1, n=t.pairs[i, j], k=t.key_sizes[i], r=t.response_sizes[j])
        for i, j in pairs
    )
    return whole.format(by.join(written))


def overlap_table(example: Example) -> Contingency:
    """The contingency table of an example"""
    return Contingency.of(example.key, example.response)


def alignment(example: Example, phi: str) -> list[Edge]:
    """The pairs of entities, counted from 0, that CEAF aligns by a similarity"""
    return align(overlap_table(example), SIMILARITIES[phi])


# ------------------------------------------------------------------------------------ F1, exactly


def f1_of_rounded(
    example: Example, measure: str, digits: int = 2, **conventions: Unpack[Chosen]
) -> Fraction:
    """F1 from recall and precision as printed: rounded to some digits"""
    score = metric(measure, **conventions)(example.key, example.response)
    return f1_from_rounded(score, digits)


def f1_from_rounded(score: Score, digits: int = 2) -> Fraction:
    """F1 of a score whose recall and precision are rounded first"""
    recall, precision = map(exact, score.exact[:2])
    return f1(round(recall, digits), round(precision, digits))


def exact(part: Number) -> Fraction:
    """A part of a score that has it, and has no logarithms: it is a fraction"""
    assert isinstance(part, Fraction)
    return part
