"""The text of each document, and a page that shows it: mentions in brackets, and the errors in it.

The page is one file without any script: brackets are links to their entity, and the entity's entry
links to its mentions. What is shown is escaped where it is put into the page, by `_tag` alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval.contingency import SIDES
from corefeval.display import document_name, percent
from corefeval.partition import Mention, is_span
from corefeval.signature import short

if TYPE_CHECKING:
    from corefeval.analysis.anatomy import Anatomy, Entity

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


class Text(NamedTuple):
    """The words of a document in their order."""

    words: Sequence[str]
    sentences: Sequence[int] = (0,)
    """The first word of each sentence."""
    between: str = " "
    """What stands between two words: nothing, where words are characters."""
    joined: frozenset[int] | None = None
    """The places before which there is no space; None where the file does not tell."""
    place_of: Mapping[tuple[int, str], int] = {}
    """In CorefUD the place of each node, by its sentence and id."""

    @classmethod
    def of(cls, documents: Sequence[Any]) -> Text:
        """The text of a document by the files of one or both sides: that of the key, if it has one.

        An empty node of CorefUD may be on one side only, and both sides' mentions are to be shown.
        """
        if hasattr(documents[0], "nodes"):
            return cls._of_nodes([node for document in documents for node in document.nodes])
        told = next((each for each in documents if each.has_words), documents[0])
        words = told.words
        between = "" if all(len(word) == 1 for word in words) else " "
        return cls(words, told.sentences or [0], between)

    @classmethod
    def _of_nodes(cls, nodes: Sequence[tuple[int, str, str, bool]]) -> Text:
        by_place = {(each[0], each[1]): each for each in reversed(nodes)}
        order = sorted(by_place, key=lambda place: (place[0], [*map(int, place[1].split("."))]))
        place_of = {place: n for n, place in enumerate(order)}
        starts = [n for place, n in place_of.items() if not n or order[n - 1][0] != place[0]]
        words = [
            "∅" if "." in e[1] and e[2] == "_" else e[2] for e in map(by_place.__getitem__, order)
        ]
        # An empty node is no part of the text, so the words around it stay as they are.
        of_words = [n for place, n in place_of.items() if "." not in place[1]]
        joined = {b for a, b in pairwise(of_words) if by_place[order[a]][3]}
        return cls(words, starts, joined=frozenset(joined) or None, place_of=place_of)

    def places(self, mention: Any) -> list[int]:
        """The places of a mention's words, in their order; none if it is no mention of this text.

        >>> Text("Ann sees her".split()).places((0, 1))
        [0, 1]
        """
        # Only mentions of CorefUD have nodes, and readers of other formats need not import it.
        if hasattr(mention, "nodes"):
            nodes = [(mention.sentence, node) for node in mention.nodes]
            return sorted(self.place_of[node] for node in nodes if node in self.place_of)
        if is_span(mention) and mention[1] < len(self.words):
            return list(range(mention[0], mention[1] + 1))
        return []

    def written(self, places: Sequence[int]) -> str:
        """The words at these places, as they are shown one after another."""
        return self.between.join(self.words[place] for place in places)


def page(anatomy: Anatomy, title: str, measure: str, count: int) -> str:
    """The page of all documents, which begins with the entities that cost most."""
    texts = anatomy.texts  # of all documents, read before the table asks for some
    parts = [_tag("title", title), _tag("h1", title)]
    parts += [_costliest(anatomy, measure, count), anatomy.table().html(), _tag("p", LEGEND)]
    by_document = groupby(anatomy.entities, key=lambda each: each.document)
    for number, (document, entities) in enumerate(by_document):
        text = texts.get(document)
        measures = list(anatomy.report.metrics)
        parts.append("".join(_document(number, document, list(entities), text, measures)))
    return HEAD + "\n".join([*parts, _tag("p", short(anatomy.signature))])


def costliest_by(measure: str) -> str:
    """What stands above the entities that cost most."""
    return f"the entities that cost most by {measure}, in points of a hundred"


def _costliest(anatomy: Anatomy, measure: str, count: int) -> str:
    """The entities of all documents that cost most; the name of each leads to it."""
    # A document without entities has no place on the page, and no number.
    shown = dict.fromkeys(each.document for each in anatomy.entities)
    number_of = {document: number for number, document in enumerate(shown)}
    head, *lines = anatomy.costliest_table(measure, count).lines
    rows = ["".join(_tag("th", told, scope="col") for told in head)]
    for each, line in zip(anatomy.costliest(measure, count), lines, strict=True):
        cells = [_tag("td", cell) for cell in line]
        to = f"#e{number_of[each.document]}-{each.side}-{each.id}"
        cells[head.index("entity")] = f"<td>{_tag('a', each.id, href=to, class_=each.side)}</td>"
        rows.append("".join(cells))
    caption = _tag("caption", costliest_by(measure))
    return f"<table>{caption}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _tag(name: str, text: str, **attributes: str) -> str:
    """An element with this text."""
    told = "".join(f' {key.rstrip("_")}="{escape(of)}"' for key, of in attributes.items())
    return f"<{name}{told}>{escape(text)}</{name}>"


def _document(
    number: int, document: Hashable, entities: list[Entity], text: Text | None, measures: list[str]
) -> Iterator[str]:
    yield f"<details open>{_tag('summary', document_name(document))}"
    text, places = _laid(text, entities)
    links: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    opening, closing = defaultdict(list), defaultdict(list)
    holders: dict[tuple[str, Mention], Entity] = {}
    for each in entities:
        holders |= {(each.side, mention): each for mention in each.mentions}
    for each in entities:
        other = SIDES[each.side == SIDES[0]]
        largest, told = max(each.parts, key=each.parts.__getitem__, default=None), each.told
        for mention in each.mentions:
            there = holders.get((other, mention))
            is_error = there is None or there.id != largest
            mine = links[each.side, each.id]
            mine.append(f"m{number}-{each.side}-{each.id}-{len(mine)}")
            look = {"class_": f"{each.side} error" if is_error else each.side}
            look["href"] = f"#e{number}-{each.side}-{each.id}"
            left, right = "[]" if each.side == SIDES[0] else "()"
            at = places[mention]
            opening[at[0]].append(_tag("a", left, id=mine[-1], title=told, **look))
            closing[at[-1]].append(_tag("a", f"{right}{each.id}", **look))
    starts = {*text.sentences}
    for place, word in enumerate(text.words):
        if place in starts:
            yield "</p><p>" if place else "<p>"
        elif place not in (text.joined or ()):
            yield escape(text.between)
        yield f"{''.join(opening[place])}{escape(word)}{''.join(closing[place][::-1])}"
    columns = [_tag("th", told, scope="col") for told in COLUMNS]
    yield f"</p><table><tr>{''.join(columns)}</tr>"
    priced = [(each, each.cost) for each in entities]
    for each, costs in sorted(priced, key=lambda pair: -sum(pair[1].values())):
        to = [_tag("a", str(n), href=f"#{at}") for n, at in enumerate(links[each.side, each.id], 1)]
        cost = ", ".join(f"{name} {percent(costs[name])}" for name in measures)
        name = max((text.written(places[m]) for m in each.mentions), key=len, default="")
        cells = [_tag("td", told) for told in (each.side, each.id, name, each.told, cost)]
        row = f"{''.join(cells)}<td>{' '.join(to)}</td>"
        yield f'<tr id="{escape(f"e{number}-{each.side}-{each.id}")}">{row}</tr>'
    yield "</table></details>"


def _laid(
    text: Text | None, entities: Sequence[Entity]
) -> tuple[Text, Mapping[Any, Sequence[int]]]:
    """A text and the places of mentions in it; mentions are the text themselves if it lacks one."""
    given = dict.fromkeys(mention for each in entities for mention in each.mentions)
    mentions: list[Any] = list(given)
    if text is not None:
        places = {mention: text.places(mention) for mention in mentions}
        if all(places.values()):
            return text, places
    if mentions and all(map(is_span, mentions)):
        ends = sorted({place for mention in mentions for place in mention})
        number = {place: n for n, place in enumerate(ends)}
        spans = {m: range(number[m[0]], number[m[1]] + 1) for m in mentions}
        return Text(list(map(str, ends)), between=" … "), spans
    return Text(list(map(str, mentions))), {each: [n] for n, each in enumerate(mentions)}
