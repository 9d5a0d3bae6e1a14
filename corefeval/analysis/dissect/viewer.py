"""A page to look at: a document's text with the entities of both sides, and the errors in it.

One file that asks for nothing else: style, script and data stand in it. The data are JSON, a
document after another; the script builds what is seen from texts alone, never from markup, so that
words and names are shown as they are, whatever is in them.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from corefeval.analysis.dissect.called import called, distinct
from corefeval.analysis.dissect.costs import Costs
from corefeval.analysis.dissect.entities import DocumentAnatomy, Entity
from corefeval.analysis.dissect.output import Found, as_text, what_became_of
from corefeval.analysis.dissect.words import as_written
from corefeval.contingency import KEY, SIDES
from corefeval.display import Table, percent
from corefeval.partition import Mention, is_span
from corefeval.readers.texts import Text
from corefeval.signature import short

IN_NOTEBOOK = 1_000_000
"""How many characters of data the page in a notebook may have; a file has all documents."""
MOST_LISTED = 5
HEIGHT = 640
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""What a browser lets the page do: nothing but its own style and script."""


class Viewable(Found, Protocol):
    """What is shown of a `corefeval.analysis.dissect.anatomy.Anatomy`."""

    @property
    def texts(self) -> Mapping[Hashable, Text]: ...


def page(anatomy: Viewable, title: str) -> str:
    """The page of all documents."""
    return _page(anatomy, title, [*_data_of_documents(anatomy)], left_out=0)


def in_notebook(anatomy: Viewable) -> str:
    """The page within a notebook's output, with the costliest entities and the totals below it.

    A notebook that is not trusted, as one that was not run yet, shows what is below alone.
    """
    shown: list[dict[str, Any]] = []
    room = IN_NOTEBOOK
    for document in _data_of_documents(anatomy):
        # A notebook keeps its outputs in its file, which a large corpus would make unreadable.
        room -= len(_in_script(document))
        # At least one document is shown, however long it is.
        if shown and room < 0:
            break
        shown.append(document)
    content = _page(anatomy, "Errors", shown, left_out=len(anatomy.documents) - len(shown))
    # In its sandbox the page's script cannot reach the notebook around it.
    return (
        f'<iframe title="Errors in the text" sandbox="allow-scripts" loading="lazy" '
        f'style="width: 100%; height: {HEIGHT}px; border: 1px solid #888" '
        f'srcdoc="{escape(content)}"></iframe>\n'
        f"{_still(anatomy, shown)}"
        f"<details><summary>Totals</summary><pre>{escape(as_text(anatomy))}</pre></details>"
    )


def _still(anatomy: Viewable, shown: Sequence[Mapping[str, Any]]) -> str:
    """The costliest entities by one measure as a table, which needs no script."""
    names = {
        (document["name"], side, entity["id"]): entity["name"]
        for document in shown
        for side, entities in zip(SIDES, document["entities"], strict=True)
        for entity in entities
    }
    if not anatomy.costs:
        return ""
    # B³ prices mentions, which a reader sees; MUC prices links, and other measures may be absent.
    measure = "b3" if "b3" in anatomy.costs else next(iter(anatomy.costs))
    lines = [["entity", "of the", "what became of it", "cost"]]
    for each in anatomy.costliest(measure)[:MOST_LISTED]:
        name = names.get((str(each.document), each.side, each.id), f"entity {each.id}")
        lines.append([name, each.side, what_became_of(each), percent(each.cost[measure])])
    if len(lines) == 1:
        return ""
    caption = (
        f"What costs most by {measure}, in points of a hundred; a notebook that was run shows it "
        "in the text above."
    )
    return Table(lines, right=1).html(caption) + "\n"


def _page(anatomy: Viewable, title: str, documents: list[dict[str, Any]], left_out: int) -> str:
    data = {
        "title": title,
        "signature": short(anatomy.signature),
        "measures": list(anatomy.costs),
        "leftOut": left_out,
        "documents": documents,
    }
    page = _file("viewer.html")
    for place, content in (
        ("POLICY", POLICY),
        ("TITLE", escape(title)),
        ("STYLE", _file("viewer.css")),
        ("SCRIPT", _file("viewer.js")),
        # The data come last: a text may contain what looks like one of the places above.
        ("DATA", _in_script(data)),
    ):
        page = page.replace(f"<!-- {place} -->", content, 1)
    return page


def _file(name: str) -> str:
    return files("corefeval.analysis.dissect").joinpath(name).read_text(encoding="utf-8")


def _in_script(data: Any) -> str:
    """JSON that may stand in a script: no sign in it begins or ends markup."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    # A lone half of a surrogate pair, which JSON may contain, cannot be written as UTF-8.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# A document's data


def _data_of_documents(anatomy: Viewable) -> Iterator[dict[str, Any]]:
    for name, document in anatomy.documents.items():
        yield _data_of_document(document, anatomy.texts.get(name), anatomy.costs)


def _data_of_document(
    document: DocumentAnatomy, text: Text | None, costs: Mapping[str, Costs]
) -> dict[str, Any]:
    marked = list(_marked(document))
    shown = _shown(text, [each.mention for each in marked])
    overlapping = _overlap_alone(marked, shown)
    numbers = [{each.id: n for n, each in enumerate(side)} for side in document.entities]
    return {
        "name": str(document.name),
        "words": shown.words,
        "sentences": shown.sentences,
        "between": shown.between,
        "joined": shown.joined,
        "totals": {k: n for k, n in document.totals._asdict().items() if n is not None},
        "entities": [
            [
                _entity(each, name, numbers[1 - side], costs)
                for each, name in zip(entities, _called(entities, shown), strict=True)
            ]
            for side, entities in enumerate(document.entities)
        ],
        "mentions": [
            {
                "at": _runs(shown.places[each.mention]),
                "of": [numbers[side].get(str(name), -1) for side, name in enumerate(each.of)],
                "errors": _errors(document, each, n in overlapping),
            }
            for n, each in enumerate(marked)
        ],
    }


def _called(entities: Sequence[Entity], shown: Laid) -> list[str]:
    """What each entity is called: by its words; by its number where there are none."""
    mentions = [
        [(shown.written(shown.places[each]), shown.tag(shown.places[each])) for each in of.mentions]
        for of in entities
    ]
    names = [called(each) for each in mentions]
    numbered = [name or f"entity {of.id}" for name, of in zip(names, entities, strict=True)]
    return distinct(numbered)


def _entity(
    entity: Entity, name: str, others: Mapping[str, int], costs: Mapping[str, Costs]
) -> Any:
    return {
        "id": entity.id,
        "name": name,
        "kind": entity.kinds[-1],
        "size": entity.size,
        "alone": entity.alone,
        "parts": [[others[name], n] for name, n in entity.parts.items()],
        # The page shows two decimals; more digits would make a large page larger.
        "cost": [round(100 * float(entity.cost[measure]), 4) for measure in costs],
    }


class Marked(NamedTuple):
    """A mention, and the entity of each side that has it."""

    mention: Mention
    of: tuple[str | None, str | None]


def _marked(document: DocumentAnatomy) -> Iterator[Marked]:
    """Every mention; one that a side lists several times as often as it does."""
    holders: dict[Mention, tuple[list[str], list[str]]] = {}
    for side in range(len(SIDES)):
        for name, mentions in document.sides.mentions[side].items():
            for mention in mentions:
                holders.setdefault(mention, ([], []))[side].append(name)
    for mention, of in holders.items():
        # A mention in two key entities and one response entity is marked twice.
        for pair in zip_longest(*of):
            yield Marked(mention, pair)


def _errors(document: DocumentAnatomy, marked: Marked, overlaps: bool) -> list[str]:
    """What is wrong with a mention.

    One of a split entity is marked unless it is in the entity's largest part, and so for a merged
    one.
    """
    key, response = marked.of
    if key is None or response is None:
        lacking = "missed" if response is None else "invented"
        return [lacking, "boundary"] if overlaps else [lacking]
    found = []
    for side, error in enumerate(("split", "merged")):
        own, other = marked.of if side == KEY else marked.of[::-1]
        parts = document.entity(side, str(own)).parts
        if parts and other != max(parts, key=parts.__getitem__):
            found.append(error)
    return found


def _overlap_alone(marked: Sequence[Marked], shown: Laid) -> set[int]:
    """Which mentions on one side only overlap one that only the other side has."""
    lacking: tuple[dict[int, None], dict[int, None]] = {}, {}
    for each in marked:
        if None in each.of:
            lacking[each.of.index(None)].update(dict.fromkeys(shown.places[each.mention]))
    return {
        n
        for n, each in enumerate(marked)
        if None in each.of
        and any(place in lacking[1 - each.of.index(None)] for place in shown.places[each.mention])
    }


# Where mentions are seen


class Laid(NamedTuple):
    """Words in their order, and the places of each mention among them."""

    words: list[str]
    sentences: list[int]
    between: str
    joined: list[int]
    """The places before which nothing stands between words."""
    places: dict[Mention, list[int]]
    tags: Sequence[str] = ()

    def written(self, places: Sequence[int]) -> str:
        """The words of a mention, dots in its gaps."""
        text = ""
        for before, place in zip([None, *places], places, strict=False):
            if before is not None and place != before + 1:
                text += " … "
            elif before is not None and place not in self.joined:
                text += self.between
            text += self.words[place]
        return text

    def tag(self, places: Sequence[int]) -> str:
        """The tag of a mention's word; none if it has several, or there are none."""
        return self.tags[places[0]] if len(places) == 1 and self.tags else ""


def _shown(text: Text | None, mentions: Sequence[Mention]) -> Laid:
    """The text; without one, the places of mentions; without these, the mentions alone."""
    if text is not None:
        places = {mention: text.places(mention) for mention in mentions}
        # A mention that has no place in the text could not be shown there.
        if all(places.values()):
            words, joined = as_written(text)
            return Laid(words, [*text.sentences], text.between, joined, places, text.tags)
    if mentions and all(map(is_span, mentions)):
        return _places_alone(mentions)
    names = list(dict.fromkeys(mentions))
    places = {mention: [n] for n, mention in enumerate(names)}
    return Laid([str(mention) for mention in names], [0], " ", [], places)


def _places_alone(mentions: Sequence[Any]) -> Laid:
    """The first and last place of each mention, and dots for what is between."""
    words: list[str] = []
    number: dict[int, int] = {}
    before = -1
    for place in sorted({place for mention in mentions for place in mention}):
        if place > before + 1:
            words.append("…")
        number[place] = len(words)
        words.append(str(place))
        before = place
    places = {m: list(range(number[m[0]], number[m[1]] + 1)) for m in mentions}
    return Laid(words, [0], " ", [], places)


def _runs(places: Sequence[int]) -> list[list[int]]:
    """The first and last of each run of places without a gap.

    >>> _runs([3, 4, 5, 9])
    [[3, 5], [9, 9]]
    """
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return runs
