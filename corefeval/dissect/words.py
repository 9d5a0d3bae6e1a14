"""The words of documents, and where mentions stand among them: read from the files once more."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefeval.dissect.boundaries import is_span
from corefeval.readers import conll, corefud, jsonlines
from corefeval.readers.files import Namesakes, StrPath, blocks, files_in
from corefeval.readers.formats import CONLL, COREFUD, format_of_path
from corefeval.readers.matching import Mention as Headed

if TYPE_CHECKING:
    from corefeval.readers import FilePair

NO_TAGS = {"", "-", "_", "*"}
"""What stands in a column of tags where there is none."""


@dataclass
class Text:
    """The words of a document in their order, and their parts of speech."""

    words: Sequence[str]
    tags: Sequence[str] = ()
    """A part of speech for each word; none where the file has none."""
    sentences: Sequence[int] = (0,)
    """The first word of each sentence."""
    between: str = " "
    """What stands between two words: nothing, where words are characters."""
    joined: frozenset[int] | None = None
    """The places before which there is no space; None where the file does not tell."""
    place_of: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """In CorefUD the place of each node, by its sentence and id."""

    def places(self, mention: Any) -> list[int]:
        """The places of a mention's words, in their order; none if it is no mention of this text.

        >>> Text("Ann sees her".split()).places((0, 1))
        [0, 1]
        """
        if isinstance(mention, Headed):
            nodes = [(mention.sentence, node) for node in mention.nodes]
            return sorted(self.place_of[node] for node in nodes if node in self.place_of)
        if is_span(mention) and mention[1] < len(self.words):
            return list(range(mention[0], mention[1] + 1))
        return []

    def head(self, mention: Any) -> int | None:
        """The place of a mention's head, which only CorefUD tells."""
        if isinstance(mention, Headed):
            return self.place_of.get((mention.sentence, mention.head))
        return None

    def sentence(self, place: int) -> int:
        """The number of a place's sentence, counted from 0."""
        return bisect_right(self.sentences, place) - 1


# Tokens as they are written

SIGNS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": "“", "''": "”", "`": "‘",
}  # fmt: skip
"""What the Penn Treebank's tokens stand for."""
CLOSING = re.compile(r"[.,;:!?%)\]}”»…]+|['’](s|m|d|re|ve|ll)?|n['’]t", re.IGNORECASE)
"""Words that follow the one before them without a space."""
OPENING = frozenset("([{“‘«$£€¿¡")
"""Signs behind which there is none."""
FIRST_WIDE = 0x2E80
"""From this letter on are the writings of East Asia, which have no spaces."""
HANGUL = range(0xAC00, 0xD7A4)
"""But for this one."""


def as_written(text: Text) -> tuple[list[str], list[int]]:
    """The words as they are printed, and the places before which there is no space.

    These are those that the file tells; where it does not, punctuation and English endings join
    the word before them, an opening sign the one behind it.

    >>> as_written(Text("he was old , and -LRB- did n't -RRB- see Conradin 's cat .".split()))[1]
    [3, 6, 7, 8, 11, 13]
    >>> as_written(Text('" Go , " he said . " No " .'.split(), sentences=(0, 7)))[1]
    [1, 2, 3, 6, 8, 9, 10]
    """
    words = [SIGNS.get(word, word) for word in text.words]
    if not text.between:
        return words, []
    if text.joined is not None:
        return words, sorted(text.joined)
    ends = {*text.sentences, len(words)}
    found: list[int] = []
    # A straight quotation mark is the same before and after a quotation: it opens and closes
    # by turns.
    opened = False
    for place, word in enumerate(words):
        before = "" if place in ends else words[place - 1]
        within = before == '"' and opened
        if word == '"':
            opened = not before or not (opened or place + 1 in ends)
        closes = word == '"' and not opened
        if before and word and (within or closes or _joins(before, word)):
            found.append(place)
    return words, found


def _joins(before: str, word: str) -> bool:
    """Whether a word joins the one before it.

    >>> _joins("Conradin", "'s"), _joins("(", "the"), _joins("the", "boy"), _joins("北", "京")
    (True, True, False, True)
    """
    letters = ord(before[-1]), ord(word[0])
    wide = all(letter >= FIRST_WIDE and letter not in HANGUL for letter in letters)
    return wide or before in OPENING or CLOSING.fullmatch(word) is not None


def texts(files: FilePair, documents: Iterable[Hashable]) -> dict[Hashable, Text]:
    """The texts of those documents whose words are in the files."""
    paths = [path for path in (files.key_path, files.response_path) if path is not None]
    names = list(documents)
    if files.format == COREFUD:
        found: Mapping[str, Text] = _of_corefud(paths)
    else:
        fields = (*jsonlines.CLUSTERS,), (*jsonlines.PREDICTED, *jsonlines.CLUSTERS)
        sides = [*zip(paths, fields, strict=False)]
        # The key's words come last, and stay where both sides have words.
        found = dict(chain.from_iterable(_of_file(*side, names) for side in reversed(sides)))
    return {name: found[str(name)] for name in names if str(name) in found}


def _of_file(
    path: StrPath, fields: jsonlines.Fields, names: Sequence[Hashable]
) -> Iterator[tuple[str, Text]]:
    """The texts of a file; ``fields`` have its entities, if it is one of JSON lines."""
    if format_of_path(path) == CONLL:
        return _of_conll(path)
    return _of_json(path, fields, names)


def _of_conll(path: StrPath) -> Iterator[tuple[str, Text]]:
    """The fourth of five or more columns, and the fifth of six or more."""
    for document in conll.documents(path):
        rows = [line.split() for line in document.tokens]
        words = [row[3] if len(row) > 4 else "" for row in rows]
        # A file of identifiers and coreference alone has no words to show.
        if any(words):
            tags = [row[4] if len(row) > 5 else "" for row in rows]
            yield document.name, Text(words, _tags(tags), document.sentences)


def _of_json(
    path: StrPath, fields: jsonlines.Fields, names: Sequence[Hashable]
) -> Iterator[tuple[str, Text]]:
    parts = dict.fromkeys(map(str, names), "")
    namesakes = Namesakes(parts)
    for number, (place, content) in enumerate(jsonlines._objects(path)):
        document = jsonlines.Document(place, content, fields)
        name = document.name
        # Documents without names are paired by their order, and so are their words.
        if not name and number < len(names):
            name = str(names[number])
        elif name not in parts:
            found = namesakes.of(name, document.part)
            name = found[0] if len(found) == 1 else ""
        # Word pieces are not the words of the text.
        if document.text is None or document.word_of is not None or not name:
            continue
        between = "" if document.unit == "character" else " "
        words = list(chain.from_iterable(document.text))
        yield name, Text(words, sentences=document.starts[:-1] or [0], between=between)


def _tags(tags: list[str]) -> list[str]:
    return [] if NO_TAGS.issuperset(tags) else tags


# CorefUD: nodes of both files, as an empty node may be on one side only

Node = tuple[str, str, bool]
"""Its form, its part of speech, and whether the next word joins it."""
NO_SPACE = "SpaceAfter=No"
Sentences = list[dict[str, Node]]


def _of_corefud(paths: Sequence[StrPath]) -> dict[str, Text]:
    found: dict[str, Sentences] = {}
    for path in paths:
        for name, sentences in _nodes(path).items():
            # An empty node may be on one side only, and both sides' mentions are to be shown.
            both = found.setdefault(name, sentences)
            for ours, theirs in zip(both, sentences, strict=False):
                for node, told in theirs.items():
                    ours.setdefault(node, told)
    return {name: _text(sentences) for name, sentences in found.items()}


def _nodes(path: StrPath) -> dict[str, Sentences]:
    """The words and empty nodes of each sentence of each document."""
    found: dict[str, Sentences] = {}
    sentences: Sentences | None = None
    rows: dict[str, Node] = {}
    last_of_range = ""  # the last word of a token of several, which no space follows
    for line in _lines(path):
        told = corefud.COMMENT.match(line) if line.startswith("#") else None
        if told and not told["fields"]:
            sentences = found[told["name"].strip() or str(len(found) + 1)] = []
        elif not line.strip():
            if rows:
                if sentences is None:
                    sentences = found["1"] = []
                sentences.append(rows)
                rows = {}
        elif not line.startswith("#"):
            node, form, _, tag, *rest = line.split("\t")
            joins = bool(rest) and NO_SPACE in rest[-1].split("|")
            if "-" in node:
                last_of_range = node.partition("-")[2] if joins else ""
            else:
                # In the line of a multiword token SpaceAfter concerns its last word.
                rows[node] = form, tag, joins or node == last_of_range
                last_of_range = "" if node == last_of_range else last_of_range
    return found


def _lines(path: StrPath) -> Iterator[str]:
    """The lines of all files of a path; after each file an empty one."""
    for file in files_in(path):
        for _, block in blocks(file):
            yield from (line.lstrip("\ufeff") for line in block[:-1])
        yield ""


def _text(sentences: Sentences) -> Text:
    place_of: dict[tuple[int, str], int] = {}
    words: list[str] = []
    tags: list[str] = []
    starts: list[int] = []
    joined: set[int] = set()
    for number, nodes in enumerate(sentences, 1):
        starts.append(len(words))
        next_joins = False
        for node in sorted(nodes, key=_order):
            form, tag, joins = nodes[node]
            place_of[number, node] = len(words)
            empty = "." in node
            # An empty node is no part of the text, so the words around it stay as they are.
            if not empty:
                if next_joins:
                    joined.add(len(words))
                next_joins = joins
            # An empty node without a form would be invisible.
            words.append("∅" if empty and form == "_" else form)
            tags.append(tag)
    told = frozenset(joined) if joined else None
    return Text(words, _tags(tags), starts, joined=told, place_of=place_of)


def _order(node: str) -> tuple[int, int]:
    """The word that a node is, or stands after."""
    word, _, empty = node.partition(".")
    return int(word), int(empty or 0)
