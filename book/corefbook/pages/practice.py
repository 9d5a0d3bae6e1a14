"""A key and a response drawn at random, to be scored by hand, and whether an answer is right.

What is drawn depends on nothing but size, measure and seed, which stand in the page's address, so
that a class gets one exercise and each of its members another.
"""

from __future__ import annotations

import inspect
import random
import re
from fractions import Fraction
from html import escape
from string import ascii_lowercase
from urllib.parse import urlencode

from corefbook.draw import overlap
from corefbook.pages import terms
from corefbook.pages.answers import Answer, State, answers, fold, html_table, scrolling
from corefeval.errors import CorefError
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Mention, Partition
from corefeval.registry import MEASURES
from corefeval.scoring import metric

OFFERED = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")
"""The measures with recall and precision that are done by hand."""

SIZES = range(4, 10)
"""How many mentions there may be."""

ON_A_SHEET = 30
SHEET_SIZES = (5, 6, 7)
"""How many mentions the exercises of a sheet have: ten each."""

ASTRAY = 0.4
"""How likely a mention of the response is to stand in an entity chosen at random."""

RIGHT, WRONG = "✓ right", "✗ wrong"
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
LETTERS = (
    '<p><a href="one-page.html">All measures on one page</a> says what the letters are. Precision '
    "is the same with key and response exchanged.</p>"
)


@answers
def exercise(size: str = "6", measure: str = "muc", seed: str = "1", **_: str) -> Answer:
    """A key and a response with the same mentions, drawn, with the formula and the terms folded.

    They differ, each has an entity of two mentions or more, and the measure is 0/0 for neither
    recall nor precision. Only `random.Random.random` is drawn from, which Python promises to give
    the same numbers in every version.

    >>> found = exercise("5", "muc", "1")
    >>> found.told
    'Drawn: MUC, 5 mentions, seed 1.'
    >>> "{a d} {b e} {c}" in found.html, "recall 1/2, precision 1, F1 2/3" in found.html
    (True, True)
    """
    number = _whole("mentions", size)
    key, response = drawn_sides(number, measure, _whole("the seed", seed))
    score = metric(measure)(key, response)
    sums = terms.term_tables(measure, Contingency.of(key, response))
    legend = LEGEND + PARTITIONED * (measure == "muc")
    solved = f"<p><strong>{score}</strong></p><p>{legend}</p>{sums}".replace("f1", "F1")
    typed = urlencode({"key": key, "response": response, "why": measure})
    another = urlencode({"size": size, "measure": measure, "seed": int(seed) + 1})
    parts = [
        f"<p>Key: <code>{key}</code><br>Response: <code>{response}</code></p>",
        scrolling("The key and the response, drawn", overlap(key, response).svg),
        fold("formula", "The formula", f"<p>{escape(_formula(measure))}</p>{LETTERS}"),
        # Without a name it is closed again when another exercise is drawn.
        f"<details><summary>Show the terms</summary>{scrolling('The terms', solved)}</details>",
        f'<p><a href="#{another}">Another one</a> · ',
        f'<a href="playground.html#{typed}">Open in the playground</a></p>',
    ]
    drawn = f"Drawn: {MEASURES[measure].title}, {number} mentions, seed {int(seed)}."
    return Answer(drawn, "\n".join(parts))


@answers
def judge(
    size: str = "6",
    measure: str = "muc",
    seed: str = "1",
    recall: str = "",
    precision: str = "",
    **_: str,
) -> Answer:
    """What is to be said of recall and of precision: "right", "wrong", or how to write it.

    An answer is a fraction, a decimal or a percentage; one with decimals is right if the exact
    value rounds to it, and has at least two digits. One that is cut off is told how it is rounded.

    >>> judge("5", "muc", "1", "1/2", "0.99").told
    'Recall: ✓ right. Precision: ✗ wrong.'
    >>> judge("5", "muc", "1", "1/2", "0.99").state, judge("5", "muc", "1", "1/2", "1").state
    ('wrong', 'right')
    >>> judge("5", "muc", "1").told
    ''
    """
    if not recall.strip() and not precision.strip():
        return Answer("")
    key, response = drawn_sides(_whole("mentions", size), measure, _whole("the seed", seed))
    exact = metric(measure)(key, response).exact
    of_recall = judged(recall, Fraction(exact.recall or 0))
    of_precision = judged(precision, Fraction(exact.precision or 0))
    said = f"Recall: {of_recall}. Precision: {of_precision}."
    return Answer(said, state=_state({of_recall, of_precision}))


@answers
def sheet(seed: str = "1", **_: str) -> Answer:
    """Thirty different exercises for paper, five of each measure, and their key on another sheet.

    >>> found = sheet("1").html
    >>> found.count("precision ____"), found.count("<tr>")
    (30, 31)
    """
    first = 1000 * _whole("the seed", seed)
    drawn: dict[tuple[str, str], tuple[str, int, int]] = {}
    following = first
    while len(drawn) < ON_A_SHEET:
        measure, size = OFFERED[len(drawn) % len(OFFERED)], SHEET_SIZES[len(drawn) // 10]
        key, response = drawn_sides(size, measure, following)
        drawn.setdefault((str(key), str(response)), (measure, size, following))
        following += 1
    asked, rows = [], []
    for number, ((key_text, response_text), (measure, size, own)) in enumerate(drawn.items(), 1):
        title = MEASURES[measure].title
        asked.append(
            f"<li>{title}<br>Key: <code>{key_text}</code><br>Response: <code>{response_text}</code>"
            "<br>recall ____ precision ____ F1 ____</li>"
        )
        exact = metric(measure)(*drawn_sides(size, measure, own)).exact
        address = urlencode({"size": size, "measure": measure, "seed": own})
        cells = "".join(f"<td>{each}</td>" for each in (title, *exact[:3]))
        rows.append(f'<tr><th scope="row"><a href="#{address}">{number}</a></th>{cells}</tr>')
    heads = ("exercise", "measure", "recall", "precision", "F1")
    return Answer(
        "",
        f"<p><strong>Exercises, seed {int(seed)}</strong></p><ol>{''.join(asked)}</ol>"
        f'<div class="key"><p><strong>Key, seed {int(seed)}</strong></p>'
        f"{html_table('The key', heads, rows)}</div>",
    )


def _whole(name: str, text: str) -> int:
    """A number that is typed."""
    if not text.strip().isdecimal():
        raise CorefError(f"{name}: expected a whole number, got {text!r}")
    return int(text)


def _formula(measure: str) -> str:
    """The first paragraph of the formula's own description."""
    return (inspect.getdoc(MEASURES[measure].formula) or "").split("\n\n")[0]


def drawn_sides(size: int, measure: str, seed: int) -> tuple[Partition, Partition]:
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


def judged(answer: str, exact: Fraction) -> str:
    """Judge a typed number: right, wrong, or what is the matter with how it is written.

    >>> [judged(text, Fraction(2, 3)) for text in ("2/3", "0.67", "66.7%", "66.67", "4/6", ".65")]
    ['✓ right', '✓ right', '✓ right', '✓ right', '✓ right', '✗ wrong']
    >>> [judged(text, Fraction(2, 3)) for text in ("66.66", ".66", "0.7", "70%")]
    ['rounded it is 66.67', 'rounded it is 0.67', 'give two digits at least', \
'give two digits at least']
    >>> {judged(text, Fraction(2, 3)) for text in ("-2/3", "-0.67", "3/2", "167", "167%")}
    {'it lies between 0 and 1, which is 0 and 100 %'}
    >>> judged("", Fraction(1)), judged("a half", Fraction(1, 2))
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
        return RIGHT
    tenths = number * 10 / scale
    is_tenth = tenths.denominator == 1 and digits == (1 if coarse else 0)
    if is_tenth and abs(number - wanted) <= Fraction(scale, 20):
        return "give two digits at least"
    if not coarse and wanted - unit < number < wanted:
        return f"rounded it is {float(number + unit):.{digits}f}"
    return WRONG


def _verdict(is_right: bool) -> str:
    return RIGHT if is_right else WRONG


def _state(judgements: set[str]) -> State:
    """Wrong if one part is, right if both are; else there is more to type."""
    if judgements & {WRONG, OUTSIDE}:
        return "wrong"
    return "right" if judgements == {RIGHT} else "said"
