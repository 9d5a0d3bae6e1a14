"""A text with its mentions marked: what a key and a response make of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from itertools import count
from textwrap import fill
from typing import Any

from corefbook.colours import DAY
from corefbook.picture import Drawn, drawn, figure
from corefeval.errors import CorefError
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition, as_partition

LINES = ("3px solid", "3px dotted", "5px double", "3px dashed")
"""The lines of entities, which tell them apart; a side has its colour."""
COLOUR = {"K": "key", "R": "response"}
PAGE = 92
"""Characters in a line of plain text."""


@dataclass
class Marked:
    """A mention in its text: words and the mentions among them, and the name it goes by."""

    parts: list[str | Marked] = field(default_factory=list)
    name: str = ""
    named: bool = False

    @property
    def words(self) -> str:
        return "".join(part if isinstance(part, str) else part.words for part in self.parts)

    @property
    def mentions(self) -> Iterator[Marked]:
        """The mentions inside this one, in the order of the text."""
        for part in self.parts:
            if isinstance(part, Marked):
                yield part
                yield from part.mentions

    @property
    def depth(self) -> int:
        """How many mentions stand inside each other here."""
        return max((part.depth + 1 for part in self.parts if isinstance(part, Marked)), default=0)


@dataclass(frozen=True, repr=False)
class Sentence:
    """A text whose mentions are underlined by key entity and overlined by response entity.

    The HTML has its styles in its own elements, so that a notebook just opened shows them; its
    classes give the book's pages their colours of the night. A side has its colour, an entity its
    kind of line, and each mention says the entities' numbers.
    """

    text: Marked
    entity_of: dict[str, dict[str, int]]
    styles: dict[tuple[str, int], int]
    caption: str
    examples: tuple[Drawn, ...] = ()

    def captioned(self, caption: str) -> Sentence:
        """The text with this caption."""
        return replace(self, caption=caption)

    @property
    def told(self) -> str:
        """The caption, and the mentions that the text lacks."""
        names = {mention.name for mention in self.text.mentions}
        absent = [
            f"{name} ({side}{entity + 1})"
            for side, of in self.entity_of.items()
            for name, entity in of.items()
            if name not in names
        ]
        return f"{self.caption} Not in the text: {', '.join(absent)}." if absent else self.caption

    def _entities(self, mention: Marked) -> list[tuple[str, int]]:
        by_side = [(side, of.get(mention.name)) for side, of in self.entity_of.items()]
        return [(side, entity) for side, entity in by_side if entity is not None]

    def _html(self, part: str | Marked) -> str:
        if isinstance(part, str):
            return escape(part)
        inside = "".join(map(self._html, part.parts))
        number = f"<sub>{escape(part.name)}</sub>" if part.named else ""
        room = 2 + 7 * part.depth  # the lines of a mention stand clear of those inside it
        rules, sides, labels = [f"padding: {room}px 2px"], [], ""
        for side, entity in self._entities(part):
            edge, tag = ("bottom", "sub") if side == "K" else ("top", "sup")
            rules.append(f"border-{edge}: {line(side, self.styles[side, entity])}")
            sides.append(f"of-{COLOUR[side]}")
            labels += f'<{tag} style="padding-left: 2px"><b>{side}{entity + 1}</b></{tag}>'
        classes = f' class="{" ".join(sides)}"' if sides else ""
        return f'<span style="{"; ".join(rules)}"{classes}>{inside}{number}{labels}</span>'

    def _repr_html_(self) -> str:
        body = "".join(map(self._html, self.text.parts))
        text = f'<p style="line-height: 2.7; margin: 0">{body}</p>'
        return figure(text, self.told, self.examples)

    def _plain(self, part: str | Marked) -> str:
        if isinstance(part, str):
            return part
        inside = "".join(map(self._plain, part.parts))
        labels = [f"{side}{entity + 1}" for side, entity in self._entities(part)]
        number = [part.name] if part.named else []
        return f"[{inside}]{'·'.join(number + labels)}"

    def __repr__(self) -> str:
        body = "".join(map(self._plain, self.text.parts))
        return "\n".join([self.told, fill(body, PAGE, break_on_hyphens=False)])


def line(side: str, number: int) -> str:
    """The line of an entity, as a border of CSS: the side's colour, the entity's kind of line.

    >>> line("K", 0) == line("K", 4) == f"3px solid {DAY['key']}"
    True
    """
    return f"{LINES[number % len(LINES)]} {DAY[COLOUR[side]]}"


def sentence(text: str, key: Any, response: Any = None) -> Sentence:
    """A text with its mentions marked by their entities in the key and in the response.

    The mentions stand in brackets, also inside each other. A mention's name in ``key`` and
    ``response`` is its words joined by ``_``, or what follows a ``|``: ``[he|he2]``, as it must
    where two mentions have the same words. Mentions are underlined by the entities of the key and
    overlined by those of the response; a response entity has the line of the key entity with
    which it shares most mentions, while that is free. The caption lists mentions of the key or the
    response that are not in the text.

    Raises `CorefError` for brackets that do not match, and for a name that two mentions have.

    >>> sentence("[Ann] said that [her sister] saw [her].", "{Ann her} {her_sister}")
    Below each mention: its entity in the key.
    [Ann]K1 said that [her sister]K2 saw [her]K1.
    """
    read = _read(text)
    names = [mention.name for mention in read.mentions]
    for name in names:
        if names.count(name) > 1:
            raise CorefError(
                f"two mentions of the text have the name {name!r}: give one another, [he|he2]"
            )
    sides = {"K": as_partition(key), "R": as_partition([] if response is None else response)}
    caption = "Below each mention: its entity in the key."
    if response is not None:
        caption = f"{caption[:-1]}; above it: its entity in the response."
    entity_of = {
        side: {str(mention): entity for mention, entity in partition.entity_of.items()}
        for side, partition in sides.items()
    }
    examples = () if response is None else drawn(*sides.values())
    return Sentence(read, entity_of, _styles(sides["K"], sides["R"]), caption, examples)


def _read(text: str) -> Marked:
    """The mentions of a text in brackets, as a tree."""
    opened = [Marked()]
    for piece in filter(None, re.split(r"([\[\]])", text)):
        if piece == "[":
            opened.append(Marked())
        elif piece != "]":
            opened[-1].parts.append(piece)
        elif len(opened) == 1:
            raise CorefError(f"cannot read {text!r}: a ] without its [")
        else:
            mention = opened.pop()
            opened[-1].parts.append(_named(mention))
    if len(opened) > 1:
        raise CorefError(f"cannot read {text!r}: a [ without its ]")
    return opened[0]


def _named(mention: Marked) -> Marked:
    last = mention.parts[-1] if mention.parts else ""
    words, mark, name = last.partition("|") if isinstance(last, str) else ("", "", "")
    if mark:
        mention.parts[-1] = words
    mention.name = name.strip() or "_".join(mention.words.split())
    mention.named = bool(mark)
    if not mention.name:
        raise CorefError("a mention of the text has no words: put them between [ and ]")
    return mention


def _styles(key: Partition, response: Partition) -> dict[tuple[str, int], int]:
    """The number of each entity's line: equal ones for pairs that share most."""
    styles = {("K", i): i for i in range(len(key))}
    pairs = Contingency.of(key, response).pairs
    for i, j in sorted(pairs, key=lambda pair: -pairs[pair]):
        if i not in (styles[each] for each in styles if each[0] == "R"):
            styles.setdefault(("R", j), i)
    free = count(len(key))
    return styles | {("R", j): next(free) for j in range(len(response)) if ("R", j) not in styles}
