"""What an entity is called in a text: by its own words, not by its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

PRONOUNS = {"PRP", "PRP$", "WP", "WP$", "PN", "PRON", "DET"}
"""Tags of pronouns: of OntoNotes, in English and in Chinese, and the universal ones of heads."""
LONGEST = 40
WORDS = """
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves who whom whose which that this
these those there one ∅
"""
ENGLISH = frozenset(WORDS.split())
"""Pronouns where no tag tells them: English ones, and the empty word."""


def called(mentions: Sequence[tuple[str, str]]) -> str:
    """The name of an entity: the commonest of its mentions that is no pronoun, else its first.

    A mention is its words and the tag of its word, none if it has several. Of mentions that are as
    common the first in the text counts.

    >>> called([("He", "PRP"), ("the boy", ""), ("Conradin", "NNP"), ("Conradin", "NNP")])
    'Conradin'
    >>> called([("him", ""), ("he", "")])
    'him'
    """
    words = [words for words, _ in mentions]
    nouns = [words for words, tag in mentions if not is_pronoun(words, tag)]
    # At the beginning of a sentence the same words have a capital letter.
    common = Counter(map(str.casefold, nouns or words[:1]))
    if not common:
        return ""
    # A Counter keeps the order of the text, and max takes the first of equals.
    most = max(common, key=common.__getitem__)
    name = next(each for each in (nouns or words) if each.casefold() == most)
    # A long name ends at a blank, so that no word is cut in two.
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rsplit(" ", 1)[0] + "…"


def is_pronoun(words: str, tag: str) -> bool:
    """Whether a mention is a pronoun, by the tag of its single word or as an English word."""
    return tag in PRONOUNS or words.casefold() in ENGLISH


def distinct(names: Sequence[str]) -> list[str]:
    """The names, and a number behind those that came before.

    >>> distinct(["the doctor", "a cat", "the doctor"])
    ['the doctor', 'a cat', 'the doctor (2)']
    """
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return found
