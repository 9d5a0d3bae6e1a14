"""Which mentions are missed and invented, by what they are: pronouns, names, other nouns.

Parts of speech come from the files: in CorefUD that of a mention's head (UPOS), in CoNLL-2012 those
of the fifth column. A mention of one token that is tagged PRP, PRP$, WP, WP$ or PN is a pronoun;
of any other the last noun's tag says whether it is a name (NNP, NNPS, NR) or nominal. Where there
are none, or tags of another kind, mentions are told apart by their length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from corefeval.dissect.entities import DocumentAnatomy
from corefeval.partition import Mention, is_span
from corefeval.readers.matching import Headed
from corefeval.readers.texts import Text

KindOf = Callable[[Hashable, Mention], str]
"""What a mention of a document is."""

PRONOUNS = {"PRP", "PRP$", "WP", "WP$", "PN"}
PROPER_NOUNS = {"NNP", "NNPS", "NR"}
NOUNS = {*PROPER_NOUNS, "NN", "NNS", "NT"}
"""Tags of OntoNotes, in English and in Chinese."""
OF_HEADS = {
    "PRON": "pronoun", "DET": "pronoun", "PROPN": "name", "VERB": "verbal", "AUX": "verbal",
}  # fmt: skip
"""What a mention is by the universal part of speech of its head; by any other it is nominal."""
LENGTHS = ("1 token", "2 tokens", "3 tokens or more")
ORDER = ("pronoun", "zero", "name", "nominal", "verbal", "unknown", *LENGTHS)
"""In which kinds are listed."""


class MentionKind(NamedTuple):
    """How many mentions of a kind there are, and how many of them the other side lacks."""

    kind: str
    key: int
    missed: int
    response: int
    invented: int


class ByKind(NamedTuple):
    """The mentions by their kind, and what tells it."""

    by: str
    """``"part of speech"`` or ``"length"``."""
    why: str
    """Why by length, if it is."""
    kinds: list[MentionKind]


def by_kind(
    documents: Mapping[Hashable, DocumentAnatomy], texts: Mapping[Hashable, Text]
) -> ByKind | None:
    """The mentions by their kind; None where they are neither places nor in a text."""
    if not all(document.sides.has_mentions for document in documents.values()):
        return None
    by, why, kind_of = told_by(texts)
    counts: Counter[tuple[str, str]] = Counter()
    for name, document in documents.items():
        for side, (all_of, lacking) in enumerate((("key", "missed"), ("response", "invented"))):
            every = [each for of in document.sides.mentions[side].values() for each in of]
            # Without a place a mention has neither a tag nor a length.
            if not all(isinstance(each, Headed) or is_span(each) for each in every):
                return None
            counts.update((all_of, kind_of(name, each)) for each in every)
            counts.update((lacking, kind_of(name, each)) for each in document.sides.alone[side])
    kinds = sorted({kind for _, kind in counts}, key=ORDER.index)
    columns = MentionKind._fields[1:]
    return ByKind(by, why, [MentionKind(k, *(counts[c, k] for c in columns)) for k in kinds])


def told_by(texts: Mapping[Hashable, Text]) -> tuple[str, str, KindOf]:
    """What tells a mention's kind, why if it is the length, and the kind of each."""
    tags = {tag for text in texts.values() for tag in text.tags}
    # Where texts have nodes each mention has a head, of which one tag is enough.
    if tags and any(text.place_of for text in texts.values()):
        return "part of speech", "", lambda name, mention: _of_head(texts.get(name), mention)
    # Another tag set would make every mention of an unknown kind.
    if tags & (NOUNS | PRONOUNS):
        return "part of speech", "", lambda name, mention: _of_tags(texts.get(name), mention)
    why = "the tags are not those of OntoNotes" if tags else "there are no parts of speech"
    return "length", why, lambda name, mention: _of_length(mention)


def _of_head(text: Text | None, mention: Any) -> str:
    place = text.head(mention) if text else None
    if text is None or place is None:
        return "unknown"
    if "." in mention.head:
        return "zero"
    return OF_HEADS.get(text.tags[place], "nominal")


def _of_tags(text: Text | None, mention: Any) -> str:
    tags = [text.tags[place] for place in text.places(mention)] if text and text.tags else []
    if not tags:
        return "unknown"
    if len(tags) == 1 and tags[0] in PRONOUNS:
        return "pronoun"
    # The last noun, since "Ann's cat" is no name.
    nouns = [tag for tag in tags if tag in NOUNS]
    return "name" if nouns and nouns[-1] in PROPER_NOUNS else "nominal"


def _of_length(mention: Any) -> str:
    length = mention[1] - mention[0] + 1 if is_span(mention) else len(mention.nodes)
    return LENGTHS[min(length, len(LENGTHS)) - 1]
