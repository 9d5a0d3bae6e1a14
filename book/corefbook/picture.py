"""A picture that every front end shows, in a notebook that was just opened as well.

A front end that does not trust a notebook shows no SVG of it; an image whose address holds the
SVG it shows, with its alternative text.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from copy import copy
from html import escape
from typing import Any, NamedTuple, Self

from corefeval.errors import CorefError
from corefeval.overlap.partition import Partition, as_partition


class Drawn(NamedTuple):
    """A key and a response that a picture shows, as texts, and what the picture calls them."""

    key: str
    response: str
    label: str = ""


def drawn(key: Any, response: Any) -> tuple[Drawn, ...]:
    """A key and a response as one `Drawn`; none where the notation cannot write their mentions.

    >>> drawn([["a", "b"]], "{a} {b}"), drawn([["two words"]], "{a}")
    ((Drawn(key='{a b}', response='{a} {b}', label=''),), ())
    """
    sides = [as_partition(side) for side in (key, response)]
    try:
        readable = all(len(Partition.parse(str(s)).mentions) == len(s.mentions) for s in sides)
    except CorefError:
        readable = False
    return (Drawn(*map(str, sides)),) if readable else ()


def figure(content: str, caption: str, examples: Sequence[Drawn]) -> str:
    """A picture's HTML. The book's pages make links of its examples, see book/_ext."""
    data = escape(json.dumps(examples, ensure_ascii=False))
    examples_attribute = f' data-drawn="{data}"' if examples else ""
    caption = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="drawing"{examples_attribute}>{content}{caption}</figure>'


class Picture:
    """An SVG, what it shows in words, and a caption that says what to see in it.

    ``examples`` are the keys and responses that it shows. A chart has a ``title``, the sentence
    that it proves, and may have a second SVG, ``narrow``, for a phone. Without one it scrolls there
    where it has less room than the pixels of ``least``, with which its letters can be read.
    """

    examples: tuple[Drawn, ...] = ()
    title = ""
    narrow = ""
    least = 0

    def __init__(
        self, svg: str, description: str, caption: str = "", *, title: str = "", narrow: str = ""
    ) -> None:
        self.svg = svg
        self.description = description
        self.caption = caption
        self.title = title
        self.narrow = narrow

    def captioned(self, caption: str) -> Self:
        """The picture with this caption."""
        return self._with(caption=caption)

    def of(self, key: Any, response: Any) -> Self:
        """The picture as one of this key and response, which what is drawn does not tell."""
        return self._with(examples=drawn(key, response))

    def _with(self, **changed: Any) -> Self:
        other = copy(self)
        vars(other).update(changed)
        return other

    @property
    def image(self) -> str:
        """The SVG as an image of HTML, without the caption; behind it that for a phone.

        The second has no size: a notebook shows the first, and the book's style sheet chooses. Both
        have the words, since on a phone only the second is there.
        """
        alt = f'alt="{escape(self.description)}"'
        image = f'<img src="{_address(self.svg)}" {alt}>'
        if not self.narrow and self.least:
            wide = image.replace("<img", f'<img style="--least: {self.least}px"', 1)
            return f'<div class="scrolling" tabindex="0">{wide}</div>'
        if not self.narrow:
            return image
        return f'{image}<img src="{_address(self.narrow)}" {alt} width="0" height="0">'

    def _repr_html_(self) -> str:
        title = f"<p><strong>{escape(self.title)}</strong></p>" if self.title else ""
        return figure(title + self.image, self.caption, self.examples)

    def __repr__(self) -> str:
        return "\n".join(filter(None, [self.title, self.caption, self.description]))


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


class Gallery:
    """Two pictures side by side, each below its label; one below the other on a narrow page.

    `draw.row` makes one picture of several, whose mentions would be too small on a phone.

    >>> from corefbook import draw
    >>> Gallery({"cut": draw.overlap("{a b}", "{a} {b}"), "whole": draw.overlap("{a b}")}, "Acts.")
    Acts.
    cut: Key: K1 {a b}. Response: R1 {a}, R2 {b}.
    whole: Key: K1 {a b}.
    """

    def __init__(self, pictures: Mapping[str, Picture], caption: str = "") -> None:
        self.pictures = pictures
        self.caption = caption

    def _repr_html_(self) -> str:
        parts = [
            f'<div style="{PLACE}">{escape(label)}<br>{picture.image}</div>'
            for label, picture in self.pictures.items()
        ]
        examples = [
            example._replace(label=label)
            for label, picture in self.pictures.items()
            for example in picture.examples
        ]
        return figure("".join(parts), self.caption, examples)

    def __repr__(self) -> str:
        below = [f"{label}: {picture.description}" for label, picture in self.pictures.items()]
        return "\n".join(filter(None, [self.caption, *below]))


PLACE = (
    "display: inline-block; width: 44%; min-width: 17rem; margin-right: 1rem; vertical-align: top"
)
"""Half of a wide page, and all of a narrow one."""
