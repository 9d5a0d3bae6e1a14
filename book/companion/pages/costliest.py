"""The entities that cost most, over all documents of two files, for the book's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.pages.two_files import of_anatomy
from corefeval.analysis.anatomy import Anatomy, Entity
from corefeval.display import document_name, percent
from corefeval.registry import MEASURES

MOST_MENTIONS = 6
"""How many mentions of an entity are written out."""
LONGEST = 40
"""How many characters of a mention are written out."""


def costliest(
    key: bytes,
    response: bytes,
    key_name: str = "key",
    response_name: str = "response",
    **chosen: str,
) -> dict[str, Any]:
    """The entities that cost most by each measure, as texts.

    It takes what `companion.pages.two_files.scores` takes. ``measures`` has the rows of each:
    points lost, of recall or precision, the entity, its mentions, what the other side made of it,
    and the document. ``notes`` say which costs could not be computed, ``error`` why there is none.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> found = costliest(lines, lines.replace(b"her\\t(0)", b"her\\t(1)"))
    >>> [b3] = [each for each in found["measures"] if each["name"] == "b3"]
    >>> b3["rows"]
    [['50.00', 'recall', 'K0', '(0, 0), (1, 1)', 'split: 1 in R0, 1 in R1', 'd; part 000']]
    """

    def shown(anatomy: Anatomy, name: str) -> list[dict[str, Any]]:
        return [_measure(anatomy, measure) for measure in anatomy.report.metrics]

    return of_anatomy((key, response, key_name, response_name), chosen, "measures", shown)


def _measure(anatomy: Anatomy, name: str) -> dict[str, Any]:
    rows = [_row(anatomy, name, entity) for entity in anatomy.costliest(name)]
    return {"name": name, "title": MEASURES[name].title, "rows": rows}


def _row(anatomy: Anatomy, measure: str, entity: Entity) -> list[str]:
    ours, others, part = ("K", "R", "recall")
    if entity.side == "response":
        ours, others, part = ("R", "K", "precision")
    parts = {others + name: shared for name, shared in entity.parts.items()}
    return [
        percent(entity.cost[measure]),
        part,
        ours + entity.id,
        ", ".join(_mentions(anatomy, entity)),
        entity.told_of(parts),
        document_name(entity.document),
    ]


def _mentions(anatomy: Anatomy, entity: Entity) -> Sequence[str]:
    """The words of the first mentions; their places where the files have no words."""
    text = anatomy.texts.get(entity.document)
    told = []
    for mention in entity.mentions[:MOST_MENTIONS]:
        places = text.places(mention) if text else []
        words = text.between.join(text.words[place] for place in places) if text else ""
        told.append(_shortened(words) or str(mention))
    if len(entity.mentions) > MOST_MENTIONS:
        told.append("…")
    return told


def _shortened(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
