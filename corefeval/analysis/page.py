"""A page that shows the text of each document: mentions in brackets, and the errors in it.

The page is one file without any script: brackets are links to their entity, and the entity's entry
links to its mentions. What is shown is escaped where it is put into the page, by `_tag` alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from corefeval.analysis.entities import Entity
from corefeval.analysis.text import Text
from corefeval.display import Table, document_name, percent
from corefeval.overlap.contingency import SIDES
from corefeval.overlap.partition import Mention, is_span
from corefeval.signature import short

STYLE = """
html { color-scheme: light dark }
body { font: 1rem/2 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem }
a { color: inherit; text-decoration: none }
a.key { color: light-dark(#1f72b4, #6db3ea) } a.response { color: light-dark(#c4501b, #f0935f) }
a.error { font-weight: bold; text-decoration: underline } :target { outline: medium solid }
p { overflow-wrap: anywhere }
table { border-collapse: collapse; line-height: 1.4; display: block; overflow-x: auto }
td { padding: 0 .5rem; vertical-align: top }
th { padding: 0 .5rem; text-align: left }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
HEAD = f"""<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{STYLE}</style>
"""
LEGEND = (
    "[ ] of an entity of the key, ( ) of the response; underlined where it is an error. A bracket "
    "leads to its entity, and the numbers of an entity to its mentions."
)

COLUMNS = ("side", "entity", "longest mention", "what became of it", "cost", "mentions")


class Costliest(NamedTuple):
    """The entities of all documents that cost most by a measure."""

    measure: str
    entities: Sequence[Entity]
    table: Table
    """Its lines below the head are those of the entities."""


def page(
    title: str,
    costliest: Costliest,
    errors: Table,
    entities: Sequence[Entity],
    texts: Mapping[Hashable, Text],
    signature: str,
) -> str:
    """The page of all documents' entities, which begins with those that cost most."""
    # A document without entities has no place on the page, and no number.
    documents = {name: [*group] for name, group in groupby(entities, attrgetter("document"))}
    number_of = {name: number for number, name in enumerate(documents)}
    parts = [_tag("title", title), _tag("h1", title)]
    parts += [_costliest(costliest, number_of), errors.html(), _tag("p", LEGEND)]
    for name, of_document in documents.items():
        parts.append("".join(_document(number_of[name], of_document, texts.get(name))))
    return HEAD + "\n".join([*parts, _tag("p", short(signature))])


def costliest_by(measure: str) -> str:
    """What stands above the entities that cost most."""
    return f"the entities that cost most by {measure}, in points of a hundred"


def _costliest(costliest: Costliest, number_of: Mapping[Hashable, int]) -> str:
    """The table of the entities that cost most; the name of each leads to it."""
    head, *lines = costliest.table.lines
    rows = ["".join(_tag("th", title, scope="col") for title in head)]
    for entity, line in zip(costliest.entities, lines, strict=True):
        cells = [_tag("td", cell) for cell in line]
        to = f"#e{number_of[entity.document]}-{entity.side}-{entity.id}"
        link = _tag("a", entity.id, href=to, class_=entity.side)
        cells[head.index("entity")] = f"<td>{link}</td>"
        rows.append("".join(cells))
    caption = _tag("caption", costliest_by(costliest.measure))
    return f"<table>{caption}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _tag(name: str, text: str, **attributes: str) -> str:
    """An element with this text."""
    written = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{escape(text)}</{name}>"


def _document(number: int, entities: Sequence[Entity], text: Text | None) -> Iterator[str]:
    """The text of a document and the table of its entities."""
    yield f"<details open>{_tag('summary', document_name(entities[0].document))}"
    text, places = _laid(text, entities)
    links: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    opening, closing = defaultdict(list), defaultdict(list)
    holders: dict[tuple[str, Mention], Entity] = {}
    for entity in entities:
        holders |= {(entity.side, mention): entity for mention in entity.mentions}
    for entity in entities:
        other = SIDES[entity.side == SIDES[0]]
        largest = max(entity.parts, key=entity.parts.__getitem__, default=None)
        fate = entity.told
        for mention in entity.mentions:
            there = holders.get((other, mention))
            is_error = there is None or there.id != largest
            mine = links[entity.side, entity.id]
            mine.append(f"m{number}-{entity.side}-{entity.id}-{len(mine)}")
            look = {"class_": f"{entity.side} error" if is_error else entity.side}
            look["href"] = f"#e{number}-{entity.side}-{entity.id}"
            left, right = "[]" if entity.side == SIDES[0] else "()"
            at = places[mention]
            opening[at[0]].append(_tag("a", left, id=mine[-1], title=fate, **look))
            closing[at[-1]].append(_tag("a", f"{right}{entity.id}", **look))
    starts = {*text.sentences}
    for place, word in enumerate(text.words):
        if place in starts:
            yield "</p><p>" if place else "<p>"
        elif place not in (text.joined or ()):
            yield escape(text.between)
        yield f"{''.join(opening[place])}{escape(word)}{''.join(closing[place][::-1])}"
    columns = [_tag("th", title, scope="col") for title in COLUMNS]
    yield f"</p><table><tr>{''.join(columns)}</tr>"
    priced = [(entity, entity.cost) for entity in entities]
    for entity, costs in sorted(priced, key=lambda pair: -sum(pair[1].values())):
        side, id = entity.side, entity.id
        to = [_tag("a", str(n), href=f"#{at}") for n, at in enumerate(links[side, id], 1)]
        cost = ", ".join(f"{measure} {percent(lost)}" for measure, lost in costs.items())
        name = max((text.written(places[m]) for m in entity.mentions), key=len, default="")
        cells = [_tag("td", cell) for cell in (side, id, name, entity.told, cost)]
        row = f"{''.join(cells)}<td>{' '.join(to)}</td>"
        yield f'<tr id="{escape(f"e{number}-{side}-{id}")}">{row}</tr>'
    yield "</table></details>"


def _laid(
    text: Text | None, entities: Sequence[Entity]
) -> tuple[Text, Mapping[Any, Sequence[int]]]:
    """Return a text and the places of mentions in it: the given one, if it has them all.

    Else the ends of spans are the text, or, of mentions that are no spans, the mentions themselves.
    """
    mentions: list[Any] = [*dict.fromkeys(m for entity in entities for m in entity.mentions)]
    if text is not None:
        places = {mention: text.places(mention) for mention in mentions}
        if all(places.values()):
            return text, places
    if mentions and all(map(is_span, mentions)):
        ends = sorted({place for mention in mentions for place in mention})
        number = {place: n for n, place in enumerate(ends)}
        spans = {m: range(number[m[0]], number[m[1]] + 1) for m in mentions}
        return Text(list(map(str, ends)), between=" … "), spans
    return Text(list(map(str, mentions))), {mention: [n] for n, mention in enumerate(mentions)}
