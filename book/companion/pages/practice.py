"""A key and a response drawn at random, to be scored by hand, and whether an answer is right.

What is drawn depends on nothing but size, measure and seed, which stand in the page's address, so
that a class gets one exercise and each of its members another.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from string import ascii_lowercase
from typing import Any

from companion.draw import overlap
from companion.pages import terms
from corefeval.contingency import Contingency
from corefeval.errors import CorefError
from corefeval.partition import Mention, Partition
from corefeval.registry import MEASURES
from corefeval.scoring import metric

OFFERED = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")
"""The measures with recall and precision that are done by hand."""

SIZES = range(4, 10)
"""How many mentions there may be."""

ASTRAY = 0.4
"""How likely a mention of the response is to stand in an entity chosen at random."""

PARTS = ("recall", "precision")


def exercise(size: int, measure: str, seed: int) -> dict[str, Any]:
    """A key and a response with the same mentions, as texts and as a drawing.

    They differ, each has an entity of two mentions or more, and the measure is 0/0 for neither
    recall nor precision. Only `random.Random.random` is drawn from, which Python promises to give
    the same numbers in every version.

    >>> found = exercise(5, "muc", 1)
    >>> found["key"], found["response"]
    ('{a d} {b e} {c}', '{a} {b e} {c} {d}')
    >>> found["svg"][:4], found["title"]
    ('<svg', 'MUC')

    Raises `CorefError` for a size or a measure that is not offered.
    """
    key, response = _sides(size, measure, seed)
    return {
        "key": str(key),
        "response": str(response),
        "title": MEASURES[measure].title,
        "svg": overlap(key, response).svg,
    }


def judge(size: int, measure: str, seed: int, recall: str, precision: str) -> dict[str, str]:
    """What is to be said of each answer: "right", "wrong", "not yet", or how to write it.

    An answer is a fraction, a decimal or a percentage; one with decimals is right if the exact
    value rounds to it, and has at least two digits.

    >>> judge(5, "muc", 1, "1/2", "")
    {'recall': 'right', 'precision': 'not yet'}
    """
    score = metric(measure)(*_sides(size, measure, seed))
    exact = {"recall": score.recall, "precision": score.precision}
    given = {"recall": recall, "precision": precision}
    return {part: _judged(given[part], Fraction(exact[part] or 0)) for part in PARTS}


def solution(size: int, measure: str, seed: int) -> dict[str, Any]:
    """Recall, precision and F1 with the terms that they are made of.

    >>> found = solution(5, "muc", 1)
    >>> found["score"], [sum["title"] for sum in found["terms"]][:1]
    ('recall 1/2, precision 1, F1 2/3', ['Recall, hits'])
    """
    key, response = _sides(size, measure, seed)
    score = metric(measure)(key, response)
    told = {"recall": score.recall, "precision": score.precision, "F1": score.f1}
    return {
        "score": ", ".join(f"{name} {value}" for name, value in told.items()),
        "terms": terms.shown(Contingency.of(key, response))[measure],
    }


def _sides(size: int, measure: str, seed: int) -> tuple[Partition, Partition]:
    if size not in SIZES:
        raise CorefError(f"{size} mentions: expected {SIZES[0]} to {SIZES[-1]}")
    if measure not in OFFERED:
        raise CorefError(f"no exercise for {measure!r}: expected one of {', '.join(OFFERED)}")
    chance = random.Random(seed)
    while True:
        key, response = _drawn(size, chance)
        if key != response and max(key.sizes) > 1 < max(response.sizes):
            score = metric(measure, zero="one")(key, response)
            if score[:2] == metric(measure, zero="zero")(key, response)[:2]:
                return key, response


def _drawn(size: int, chance: random.Random) -> tuple[Partition, Partition]:
    """A key of about half as many entities as mentions, and a response with some astray."""
    entities = (size + 1) // 2
    of_key: dict[Mention, int] = {
        mention: int(chance.random() * entities) for mention in ascii_lowercase[:size]
    }
    of_response = {
        mention: int(chance.random() * (entities + 1)) if chance.random() < ASTRAY else entity
        for mention, entity in of_key.items()
    }
    return Partition.from_labels(of_key), Partition.from_labels(of_response)


def _judged(answer: str, exact: Fraction) -> str:
    """
    >>> [_judged(text, Fraction(2, 3)) for text in ("2/3", "0.67", "66.7%", "66.67", ".66", "4/6")]
    ['right', 'right', 'right', 'right', 'wrong', 'right']
    >>> _judged("", Fraction(1)), _judged("a half", Fraction(1, 2)), _judged("0.7", Fraction(2, 3))
    ('not yet', 'write a fraction, a decimal or a percentage', 'give two digits at least')
    """
    text = answer.strip().replace(",", ".").replace(" ", "")
    if not text:
        return "not yet"
    if ratio := re.fullmatch(r"(\d+)/([1-9]\d*)", text):
        return _verdict(Fraction(int(ratio[1]), int(ratio[2])) == exact)
    if not re.fullmatch(r"(?:\d+\.?\d*|\.\d+)%?", text):
        return "write a fraction, a decimal or a percentage"
    number = Fraction(text.rstrip("%"))
    digits = len(text.rstrip("%").partition(".")[2])
    if text.endswith("%") or number > 1:
        number, digits = number / 100, digits + 2
    if digits < 2 and number != exact:
        return "give two digits at least"
    return _verdict(abs(number - exact) <= Fraction(1, 2 * 10**digits))


def _verdict(is_right: bool) -> str:
    return "right" if is_right else "wrong"
