"""Two people, one text: parallel annotations of GerDraCor-Coref, as numbers (data/real/gerdracor).

An annotator is a letter here and in the book; the data's README has the corpus's initials. A
mention is the place of its first and of its last token.
"""

from __future__ import annotations

import csv
import json
import lzma
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from corefbook.ledger import DATA
from corefbook.tables import Table
from corefeval import evaluate
from corefeval.registry import MEASURES as REGISTERED

FOLDER = DATA / "real" / "gerdracor"
INITIALS = dict(zip("ABCDEFGH", ("AK", "SH", "JA", "AS", "AH", "SE", "IV", "LF"), strict=True))
MEASURES = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
Mention = tuple[int, int]
Entities = list[set[Mention]]


@cache
def acts() -> dict[str, Any]:
    """All acts with what was annotated, as the file has them.

    >>> len(acts()), sorted(acts()["sara-3"]["annotators"])
    (11, ['AH', 'AK', 'SH'])
    """
    text = lzma.decompress((FOLDER / "annotations.json.xz").read_bytes())
    stored: dict[str, Any] = json.loads(text)
    return stored


def people(act: str) -> list[str]:
    """The letters of those who annotated an act.

    >>> people("sara-3")
    ['A', 'B', 'E']
    """
    return [letter for letter, name in INITIALS.items() if name in acts()[act]["annotators"]]


def entities(act: str, person: str) -> Entities:
    """What somebody annotated in an act: entities, each a set of mentions.

    >>> len(entities("sara-3", "A")), len(entities("sara-3", "B"))
    (306, 189)
    """
    annotated = acts()[act]["annotators"][INITIALS[person]]["entities"]
    return [{(first, last) for first, last in entity} for entity in annotated]


class Pair(NamedTuple):
    """Two annotators of one act; the first is taken for the key."""

    act: str
    key: str
    response: str

    @property
    def other_tokens(self) -> list[list[int]]:
        """The ranges in which their files have other tokens: of the key, then of the response."""
        names = INITIALS[self.key], INITIALS[self.response]
        ranges: dict[str, list[list[int]]] = acts()[self.act]["other_tokens"]
        if " ".join(names) in ranges:
            return ranges[" ".join(names)]
        turned = ranges.get(" ".join(reversed(names)), [])
        return [[c, d, a, b] for a, b, c, d in turned]


def pairs() -> list[Pair]:
    """All pairs of people who annotated one act.

    >>> len(pairs()), sum(not pair.other_tokens for pair in pairs())
    (30, 19)
    """
    return [Pair(act, *two) for act in acts() for two in combinations(people(act), 2)]


def annotated_sides(act: str, key: str, response: str) -> tuple[Entities, Entities]:
    """Both people's entities, the response's tokens numbered as the key's where they are the same.

    >>> key, response = annotated_sides("sara-2", "E", "A")
    >>> len({m for e in key for m in e} & {m for e in response for m in e})
    1422
    """
    place = aligned(Pair(act, key, response))
    renumbered = [{(place(a), place(b)) for a, b in entity} for entity in entities(act, response)]
    return entities(act, key), renumbered


def aligned(pair: Pair) -> Any:
    """Where a token of the response stands in the key; one that the key has not is below 0."""
    ranges = pair.other_tokens

    def place(token: int) -> int:
        shift = 0
        for _, end_of_key, of_response, end in ranges:
            if of_response <= token < end:
                return -1 - token
            if token >= end:
                shift = end_of_key - end
        return token + shift

    return place


def of_size(side: Entities, least: int) -> Entities:
    """The entities of at least so many mentions."""
    return [entity for entity in side if len(entity) >= least]


def met(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """Both sides without the entities of which the other side has no mention.

    >>> key, response = met(*annotated_sides("sara-3", "A", "B"))
    >>> len(key), len(response)
    (111, 125)
    """
    of_key, of_response = set().union(*key), set().union(*response)
    kept = [entity for entity in key if entity & of_response]
    return kept, [entity for entity in response if entity & of_key]


def borders_paired(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """Both sides, with mentions of one side alone taken for one if they begin or end together.

    Each mention is paired once, in the order of the text.
    """
    of_key, of_response = set().union(*key), set().union(*response)
    partner: dict[Mention, Mention] = {}
    for first, last in sorted(of_key - of_response):
        for other in sorted(of_response - of_key):
            if other not in partner and (other[0] == first or other[1] == last):
                partner[other] = first, last
                break
    return key, [{partner.get(mention, mention) for mention in each} for each in response]


def marked_by_both(key: Entities, response: Entities) -> tuple[Entities, Entities]:
    """Both sides without what one of them alone has marked."""
    both = set().union(*key) & set().union(*response)
    cut = ([entity & both for entity in side if entity & both] for side in (key, response))
    first, second = cut
    return first, second


def agreement(key: Entities, response: Entities) -> dict[str, float]:
    """F1 by seven scores, in points.

    >>> {m: round(f1) for m, f1 in agreement(*annotated_sides("sara-3", "A", "B")).items()}
    {'muc': 78, 'b3': 64, 'ceafm': 71, 'ceafe': 26, 'blanc': 70, 'lea': 61, 'conll': 56}
    """
    total = evaluate({"act": key}, {"act": response}, MEASURES).total
    return {name: float(100 * score.exact.f1) for name, score in total.items()}


@cache
def reached(scope: str = "all") -> dict[Pair, dict[str, float]]:
    """F1 of the pairs with equal tokens: of "all" mentions, "no singletons" or those of "both".

    >>> scores = reached()
    >>> len(scores), round(max(each["conll"] for each in scores.values()))
    (19, 87)
    """
    of_equal_tokens = [pair for pair in pairs() if not pair.other_tokens]
    return {pair: agreement(*SCOPES[scope](*annotated_sides(*pair))) for pair in of_equal_tokens}


SCOPES = {
    "all": lambda key, response: (key, response),
    "no singletons": lambda key, response: (of_size(key, 2), of_size(response, 2)),
    "both": marked_by_both,
}


def reached_table() -> Table:
    """By measure, the lowest F1 of the pairs, their mean and the highest, in each of the scopes."""
    columns = {
        "all mentions": "all",
        "without singletons": "no singletons",
        "marked by both": "both",
    }
    rows = []
    for measure in MEASURES:
        row = [REGISTERED[measure].title]
        for scope in columns.values():
            f1 = [scores[measure] for scores in reached(scope).values()]
            row.append(f"{min(f1):.0f} – {fmean(f1):.0f} – {max(f1):.0f}")
        rows.append(row)
    caption = f"F1 of {len(reached())} pairs of annotations: lowest, mean, highest."
    return Table(["", *columns], rows, caption)


def left_out_table(key: Entities, response: Entities) -> Table:
    """F1 of two people, of all that they marked, and of less: left out is what may explain a gap.

    >>> left_out_table(*annotated_sides("sara-3", "A", "B")).rows[4]
    ['entities that the other has met', 111, 125, '83', '73', '54', '29']
    """
    scopes = {
        "all mentions": (key, response),
        "no singletons": (of_size(key, 2), of_size(response, 2)),
        "entities of three and more": (of_size(key, 3), of_size(response, 3)),
        "borders paired": borders_paired(key, response),
        "entities that the other has met": met(key, response),
        "mentions that both marked": marked_by_both(key, response),
    }
    rows = []
    for title, both in scopes.items():
        f1 = agreement(*both)
        shown = [f1["muc"], f1["b3"], f1["ceafe"], f1["muc"] - f1["ceafe"]]
        rows.append([title, *map(len, both), *(f"{points:.0f}" for points in shown)])
    head = ["", "entities of A", "of B", "MUC", "B³", "CEAFₑ", "gap"]
    caption = (
        "F1 of the two people, the gap between MUC and CEAFₑ, and how many entities are scored."
    )
    return Table(head, rows, caption)


class Comparison(NamedTuple):
    """Two annotators, and a third one whose annotation is the key."""

    act: str
    key: str
    one: str
    other: str

    def leads(self, least: int = 1) -> dict[str, float]:
        """How many points the one is ahead, by each score; of entities of so many mentions."""
        f1 = {}
        for person in (self.one, self.other):
            sides = annotated_sides(self.act, self.key, person)
            f1[person] = agreement(*(of_size(side, least) for side in sides))
        return {name: f1[self.one][name] - f1[self.other][name] for name in MEASURES}


def comparisons() -> list[Comparison]:
    """Each person who annotated an act as the key of each two others.

    >>> len(comparisons()), sum(each.act == "sara-1" for each in comparisons())
    (45, 30)
    """
    return [
        Comparison(act, key, *two)
        for act in acts()
        for key in people(act)
        for two in combinations([person for person in people(act) if person != key], 2)
    ]


@cache
def leads() -> dict[Comparison, dict[str, float]]:
    """The leads of all comparisons."""
    return {comparison: comparison.leads() for comparison in comparisons()}


def disagreements() -> dict[Comparison, dict[str, float]]:
    """The leads of comparisons in which scores name two people, the clearest last.

    >>> [*disagreements()][-1]
    Comparison(act='sara-4', key='C', one='A', other='D')
    """
    opposed = [(who, by) for who, by in leads().items() if both_ahead(by) > 0]
    return dict(sorted(opposed, key=lambda item: both_ahead(item[1])))


def both_ahead(by_score: Mapping[str, float]) -> float:
    """How many points each of two people is ahead at least, by the score that is best for them."""
    return min(max(by_score.values()), -min(by_score.values()))


def disagreements_table() -> Table:
    """`disagreements`, with the most that each of the two people is ahead by some score."""
    rows = [
        [
            f"{comparison.one} and {comparison.other}",
            comparison.act,
            comparison.key,
            f"{comparison.one} by {max(by_score.values()):.1f}",
            f"{comparison.other} by {-min(by_score.values()):.1f}",
        ]
        for comparison, by_score in disagreements().items()
    ]
    head = ["who is compared", "act", "key", "ahead by some scores", "by others"]
    caption = (
        f"The {len(rows)} of {len(leads())} comparisons in which scores name two people, and the "
        "most that each of them is ahead."
    )
    return Table(head, rows, caption)


def cut_at(token: int, side: Entities) -> Entities:
    """The same entities, where this token is two: all tokens behind it have another number.

    >>> cut_at(3, [{(0, 2), (3, 3)}, {(4, 6)}]) == [{(0, 2), (3, 4)}, {(5, 7)}]
    True
    """
    return [{(a + (a > token), b + (b >= token)) for a, b in entity} for entity in side]


def printed_rows() -> Iterator[dict[str, str]]:
    """What two scorers that are not ours printed, a row a measure."""
    with (FOLDER / "printed.csv").open(encoding="utf-8") as rows:
        yield from csv.DictReader(rows)
