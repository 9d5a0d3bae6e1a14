"""The first page's sentence, and everything that its moving figure shows of any response to it.

Four mentions have 52 responses, those that lack some of them included. The library scores all of
them when the book is built, so that the figure needs no interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from corefbook import draw
from corefbook.alignment import align
from corefbook.draw.sentences import Sentence, sentence
from corefbook.enumeration import partitions
from corefbook.tables import Table, scores
from corefeval import metric
from corefeval.measures.ceaf import phi3, phi4
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Link, Mention, Partition
from corefeval.score import exactly

TEXT = (
    "[Conradin] was ten years old, and [the doctor] had pronounced [his] professional opinion that "
    "[the boy] would not live another five years."
)
MENTIONS = ("Conradin", "the_doctor", "his", "the_boy")
KEY = Partition.parse("{Conradin the_boy} {the_doctor his}")
RESPONSE = Partition.parse("{Conradin his the_boy} {the_doctor}")

MEASURES = {
    "muc": "MUC",
    "b3": "B³",
    "ceafm": "CEAFₘ",
    "ceafe": "CEAFₑ",
    "blanc": "BLANC",
    "lea": "LEA",
    "conll": "CoNLL score",
}
"""The measures that follow, and their printed names."""
MISSING = "-"


SAYS = {
    "muc": "MUC counts the fewest links that hold an entity together.",
    "b3": "B³ credits each mention with the share of its entity that is right.",
    "ceafm": "CEAFₘ lets each entity have one partner, and counts the mentions that the two share.",
    "ceafe": "CEAFₑ lets each entity have one partner, and adds up how alike the two are.",
    "blanc": "BLANC scores the pairs of mentions that are linked, and those that are not, alike.",
    "lea": "LEA counts all links of an entity; a singleton has a link to itself.",
    "conll": "The CoNLL score is the mean F1 of MUC, B³ and CEAFₑ.",
}
"""What each measure counts."""
STILL = {
    "muc": "A dashed link is one that the other side lacks.",
    "b3": "Shares of the key's entities give recall, of the response's precision.",
    "ceafm": "The heavy lines are the best alignment.",
    "blanc": "Blue halves: pairs that the key links. Orange halves: pairs that the response links.",
    "lea": "A dashed link is one that the other side lacks.",
}
"""How to read the still picture of those measures that have a chapter of their own."""


@dataclass(frozen=True, repr=False)
class Living:
    """The sentence with its key and response; on the book's pages its mentions can be moved.

    Everywhere else, and on a page without scripts, the still drawing stands, with what the measure
    counts in it and the scores.
    """

    measure: str

    @property
    def still(self) -> list[Sentence | draw.Drawing | Table]:
        marked = sentence(TEXT, KEY, RESPONSE)
        by_measure = {MEASURES[name]: metric(name)(KEY, RESPONSE) for name in met(self.measure)}
        said = "by the measures met so far" if self.measure else "seven numbers"
        table = scores(by_measure, f"One response, {said}.", "measure")
        return [marked, *([picture(self.measure)] if self.measure else []), table]

    def _repr_html_(self) -> str:
        *drawings, table = (part._repr_html_() for part in self.still)
        scrolls = f'<div class="scrolling" tabindex="0">\n{table}\n</div>'
        shown = "\n".join([*drawings, scrolls])
        rows = " ".join(met(self.measure))
        opening = f'<div class="living" data-measure="{self.measure}" data-rows="{rows}">'
        return f"{opening}{shown}\n</div>"

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.still))


def living(measure: str = "") -> Living:
    """The moving figure in the view of a measure; without one, whoever looks at it chooses.

    >>> living("muc")  # doctest: +ELLIPSIS
    Below each mention: its entity in the key; above it: its entity in the response.
    [Conradin]K1·R1 was ten years old, and [the doctor]K2·R2 had pronounced [his]K2·R1...
    """
    return Living(measure)


def met(measure: str = "") -> list[str]:
    """The measures that a reader knows by the end of a measure's chapter; without one, all.

    CEAF's two have one chapter, and the CoNLL score comes after all of them.

    >>> met("b3"), met("ceafm")
    (['muc', 'b3'], ['muc', 'b3', 'ceafm', 'ceafe'])
    """
    names = [*MEASURES]
    if not measure:
        return names
    last = "ceafe" if measure == "ceafm" else measure
    return names[: names.index(last) + 1]


def picture(measure: str) -> draw.Drawing:
    """What a measure counts in the first response.

    >>> picture("ceafm")  # doctest: +ELLIPSIS
    CEAFₘ lets each entity have one partner, and counts the mentions that the two share...
    K1 {Conradin the_boy}, K2 {the_doctor his}; R1 {Conradin his the_boy}, R2 {the_doctor}. K1–R1...
    """
    drawn = PICTURES[measure]()
    return drawn.of(KEY, RESPONSE).captioned(f"{SAYS[measure]} {STILL[measure]}")


def _links_of_both(of: Any) -> draw.Drawing:
    drawings = []
    for side, links in _both(of, RESPONSE).items():
        pairs: dict[int, list[Link]] = {1: [], 0: []}
        for a, b, on_both_sides in links:
            pairs[on_both_sides].append((MENTIONS[a], MENTIONS[b]))
        drawings.append(draw.links(MENTIONS, pairs[1], pairs[0], side=side))
    return draw.row(drawings, ["key", "response"])


def _credits_of_both() -> draw.Drawing:
    drawings = []
    for side, credits in _both(_credits, RESPONSE).items():
        shares = map(Fraction, credits)
        credit: dict[Mention, Fraction] = dict(zip(MENTIONS, shares, strict=True))
        entities = {"key": KEY, "response": RESPONSE}[side]
        drawings.append(draw.credits(entities, credit.__getitem__, side=side))
    return draw.row(drawings, ["recall", "precision"], columns=1)


def _alignment() -> draw.Drawing:
    return draw.alignment(KEY, RESPONSE, phi3, align(Contingency.of(KEY, RESPONSE), phi3))


def responses() -> Iterator[Partition]:
    """Every response to the sentence, those that lack mentions included.

    >>> sum(1 for _ in responses())
    52
    """
    for size in range(len(MENTIONS) + 1):
        for mentions in combinations(MENTIONS, size):
            yield from map(Partition, partitions(mentions))


def name(response: Partition) -> str:
    """A response as one letter for each mention: the number of its entity, or - if it is missing.

    Entities are numbered in the order in which their first mentions stand in the sentence.

    >>> name(RESPONSE), name(Partition.parse("{his the_boy}"))
    ('0100', '--00')
    """
    number: dict[int, int] = {}
    letters = []
    for mention in MENTIONS:
        entity = response.entity_of.get(mention)
        letters.append(MISSING if entity is None else str(number.setdefault(entity, len(number))))
    return "".join(letters)


def figure_data() -> dict[str, Any]:
    """What the figure shows: the sentence, its key, and for each response scores and pictures.

    ``text`` is what stands before, between and behind the mentions.
    """
    return {
        "text": re.split(r"\[[^]]*\]", TEXT),
        "mentions": MENTIONS,
        "key": name(KEY),
        "response": name(RESPONSE),
        "measures": MEASURES,
        "says": SAYS,
        "responses": {name(each): response_data(each) for each in responses()},
    }


def response_data(response: Partition) -> dict[str, Any]:
    """The scores of a response, and what the picture of each measure needs."""
    return {
        "scores": {measure: _score(measure, response) for measure in MEASURES},
        "spanning": _both(_spanning_links, response),
        "links": _both(_all_links, response),
        "credits": _both(_credits, response),
        "pairs": _pairs(response),
        "grid": _grid(response),
    }


def _score(measure: str, response: Partition) -> dict[str, str]:
    """Recall, precision and F1 with four decimals, and exactly."""
    parts = metric(measure)(KEY, response).exact.parts.items()
    return {part: f"{float(value):.4f}" for part, value in parts} | {
        f"exact_{part}": exactly(value) for part, value in parts
    }


def _both(of: Any, response: Partition) -> dict[str, Any]:
    """What the function ``of`` gives for the key beside the response, and the reverse."""
    ordered = _ordered(response)
    return {"key": of(KEY, ordered), "response": of(ordered, KEY)}


def _ordered(response: Partition) -> Partition:
    """The response with its entities and their mentions in the order of the sentence."""
    entity_of = response.entity_of
    return Partition.from_labels({m: entity_of[m] for m in MENTIONS if m in entity_of})


def _place(mention: Any) -> int:
    return MENTIONS.index(mention)


def _together(side: Partition, a: Any, b: Any) -> bool:
    return a in side.entity_of and side.entity_of[a] == side.entity_of.get(b)


def _spanning_links(here: Partition, there: Partition) -> list[list[int]]:
    """As few links as hold each entity together, as many of them as the other side has too.

    A link is [place, place, 1 if the other side has it, else 0].
    """
    links = []
    for entity in here:
        joined: list[list[Any]] = [[mention] for mention in entity]
        for on_both_sides in (True, False):
            for a, b in combinations(entity, 2):
                part_of_a = next(part for part in joined if a in part)
                part_of_b = next(part for part in joined if b in part)
                if part_of_a is not part_of_b and _together(there, a, b) == on_both_sides:
                    part_of_a += part_of_b
                    joined.remove(part_of_b)
                    links.append([_place(a), _place(b), int(on_both_sides)])
    return links


def _all_links(here: Partition, there: Partition) -> list[list[int]]:
    """Every link of each entity; a singleton has one, to itself."""
    links = []
    for entity in here:
        pairs: Sequence[tuple[Any, Any]] = list(combinations(entity, 2)) or [(entity[0], entity[0])]
        for a, b in pairs:
            alone = a == b
            on_both_sides = _together(there, a, b) and (not alone or _is_alone(there, a))
            links.append([_place(a), _place(b), int(on_both_sides)])
    return links


def _is_alone(side: Partition, mention: Any) -> bool:
    return side.sizes[side.entity_of[mention]] == 1


def _credits(here: Partition, there: Partition) -> list[str | None]:
    """What B³ credits each mention with, n/k; none if this side lacks it."""
    pairs = Contingency.of(here, there).pairs
    credits: list[str | None] = [None] * len(MENTIONS)
    for mention, i in here.entity_of.items():
        j = there.entity_of.get(mention)
        n = 0 if j is None else pairs[i, j]
        credits[_place(mention)] = str(Fraction(n, here.sizes[i]))
    return credits


def _pairs(response: Partition) -> list[dict[str, Any]]:
    """The pairs of entities that overlap: what each is worth to CEAF, and whether it is chosen."""
    t = Contingency.of(KEY, _ordered(response))
    chosen = {"ceafm": align(t, phi3), "ceafe": align(t, phi4)}
    return [
        {
            "key": i,
            "response": j,
            "ceafm": str(n),
            "ceafe": str(phi4(n, t.key_sizes[i], t.response_sizes[j])),
            "chosen": [measure for measure, edges in chosen.items() if (i, j) in edges],
        }
        for (i, j), n in sorted(t.pairs.items())
    ]


def _grid(response: Partition) -> list[list[Any]]:
    """For each two mentions their places, and whether key and response link them.

    Where the response lacks one of the two, None stands for its link.
    """
    pairs: list[list[Any]] = []
    for a, b in combinations(MENTIONS, 2):
        both = a in response.entity_of and b in response.entity_of
        linked = int(_together(response, a, b)) if both else None
        pairs.append([_place(a), _place(b), int(_together(KEY, a, b)), linked])
    return pairs


PICTURES = {
    "muc": lambda: _links_of_both(_spanning_links),
    "b3": _credits_of_both,
    "ceafm": _alignment,
    "blanc": lambda: draw.pairs(MENTIONS, KEY, RESPONSE),
    "lea": lambda: _links_of_both(_all_links),
}
"""The still picture of each measure that has a chapter of its own."""
