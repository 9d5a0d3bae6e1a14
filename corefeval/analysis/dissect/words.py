"""The words of documents as they are printed: read from the files once more."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from corefeval.readers.texts import PENN_BRACKETS, Text

if TYPE_CHECKING:
    from corefeval.readers import FilePair


def texts(files: FilePair, documents: Iterable[Hashable]) -> dict[Hashable, Text]:
    """The texts of those documents whose words are in the files."""
    names = list(documents)
    found = files.format.reader().texts(files.paths, list(map(str, names)))
    return {name: found[str(name)] for name in names if str(name) in found}


# Tokens as they are written

SIGNS = {"``": "“", "''": "”", "`": "‘"} | PENN_BRACKETS
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
