"""A key and a response drawn at random, to be scored by hand, and whether an answer is right.

What is drawn depends on nothing but size, measure and seed, which stand in the page's address, so
that a class gets one exercise and each of its members another.
"""

from __future__ import annotations

import inspect
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
OUTSIDE = "it lies between 0 and 1, which is 0 and 100 %"
LEGEND = (
    "n is the number of mentions that two entities share, k that of the key entity, r that of the "
    "response entity."
)
PARTITIONED = (
    " The terms n − 1 of an entity add up to |Kᵢ| − |p(Kᵢ)|: its mentions less the parts into "
    "which the other side cuts it."
)
"""MUC's term has this name on the sheet with all measures."""


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
        "formula": _formula(measure),
        "svg": overlap(key, response).svg,
    }


def judge(size: int, measure: str, seed: int, recall: str, precision: str) -> dict[str, str]:
    """What is to be said of each answer: "right", "wrong", "not yet", or how to write it.

    An answer is a fraction, a decimal or a percentage; one with decimals is right if the exact
    value rounds to it, and has at least two digits. One that is cut off is told how it is rounded.

    >>> judge(5, "muc", 1, "1/2", "")
    {'recall': 'right', 'precision': 'not yet'}
    """
    exact = metric(measure)(*_sides(size, measure, seed)).exact
    given = {"recall": recall, "precision": precision}
    return {part: _judged(given[part], Fraction(getattr(exact, part) or 0)) for part in PARTS}


def solution(size: int, measure: str, seed: int) -> dict[str, Any]:
    """Recall, precision and F1 with the terms that they are made of.

    >>> found = solution(5, "muc", 1)
    >>> found["score"], [sum["title"] for sum in found["terms"]][:1]
    ('recall 1/2, precision 1, F1 2/3', ['Recall, hits'])
    """
    key, response = _sides(size, measure, seed)
    score = metric(measure)(key, response)
    return {
        "score": str(score).replace("f1", "F1"),
        "terms": terms.shown(Contingency.of(key, response))[measure],
        "legend": LEGEND + PARTITIONED * (measure == "muc"),
    }


def _formula(measure: str) -> str:
    """The first paragraph of the formula's own description."""
    return (inspect.getdoc(MEASURES[measure].formula) or "").split("\n\n")[0]


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
            if score.exact[:2] == metric(measure, zero="zero")(key, response).exact[:2]:
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
    """Judge a typed number: "right", "wrong", or what is the matter with how it is written.

    >>> [_judged(text, Fraction(2, 3)) for text in ("2/3", "0.67", "66.7%", "66.67", "4/6", ".65")]
    ['right', 'right', 'right', 'right', 'right', 'wrong']
    >>> [_judged(text, Fraction(2, 3)) for text in ("66.66", ".66", "0.7", "70%")]
    ['rounded it is 66.67', 'rounded it is 0.67', 'give two digits at least', \
'give two digits at least']
    >>> {_judged(text, Fraction(2, 3)) for text in ("-2/3", "-0.67", "3/2", "167", "167%")}
    {'it lies between 0 and 1, which is 0 and 100 %'}
    >>> _judged("", Fraction(1)), _judged("a half", Fraction(1, 2))
    ('not yet', 'write a fraction, a decimal or a percentage')
    """
    text = answer.strip().replace(",", ".").replace(" ", "").replace("−", "-")
    if not text:
        return "not yet"
    if ratio := re.fullmatch(r"(-?\d+)/([1-9]\d*)", text):
        number = Fraction(int(ratio[1]), int(ratio[2]))
        return _verdict(number == exact) if 0 <= number <= 1 else OUTSIDE
    if not re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)%?", text):
        return "write a fraction, a decimal or a percentage"
    number = Fraction(text.rstrip("%"))
    digits = len(text.rstrip("%").partition(".")[2])
    scale = 100 if text.endswith("%") or number > 1 else 1
    if not 0 <= number <= scale:
        return OUTSIDE
    return _judged_decimal(number, digits, scale, exact)


def _judged_decimal(number: Fraction, digits: int, scale: int, exact: Fraction) -> str:
    """Judge an answer with so many decimals, where a perfect score is ``scale``."""
    coarse = scale == 1 and digits < 2
    unit = Fraction(1, 100) if coarse else Fraction(1, 10**digits)
    wanted = exact * scale
    if abs(number - wanted) <= unit / 2:
        return "right"
    tenths = number * 10 / scale
    is_tenth = tenths.denominator == 1 and digits == (1 if coarse else 0)
    if is_tenth and abs(number - wanted) <= Fraction(scale, 20):
        return "give two digits at least"
    if not coarse and wanted - unit < number < wanted:
        return f"rounded it is {float(number + unit):.{digits}f}"
    return "wrong"


def _verdict(is_right: bool) -> str:
    return "right" if is_right else "wrong"
