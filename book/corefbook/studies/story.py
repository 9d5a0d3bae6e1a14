"""A whole story with its key, and responses to it from systems that a reader can run by hand.

The systems are given the words and, all but one, the key's mentions; never the key's entities.
What they know of English are the word lists below. Popescu-Belis, section 4.1, names such
strategies as candidates for a baseline. The annotation is described in
``data/examples/sredni-vashtar.md``.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import islice, pairwise, takewhile
from pathlib import Path
from textwrap import fill
from typing import Any

from corefbook.colours import DAY
from corefbook.draw.sentences import LINES
from corefbook.ledger import DATA
from corefbook.tables import Table
from corefeval import evaluate
from corefeval.display import percent
from corefeval.overlap.partition import Partition
from corefeval.readers import read
from corefeval.scoring import metric

PRONOUNS = {
    "he": "he him his himself",
    "she": "she her hers herself",
    "it": "it its itself this that",
    "they": "they them their theirs themselves these those",
    "i": "i me my mine myself",
    "you": "you your yours yourself",
}
NOUNS = {
    "he": "boy brother father gentleman husband king man master son uncle",
    "she": "aunt daughter girl lady maid mistress mother queen sister wife woman",
    "he she": "baby child cousin doctor friend gardener guardian person servant teacher",
    "he she it": "animal beast bird cat dog ferret hen horse",
}
TITLES_OF_WOMEN = ("mrs.", "miss", "lady")
DETERMINERS = "the a an this that these those every some his her its their my your"
PARTICLES = (
    "about around as at before beyond by for from in into near of on perhaps to under with "
    "who which where when was were is be been had has have did do does "
    "would could should might must may can will shall not never and or but"
)
"""Prepositions and other words at which a bare noun phrase is over."""

PRONOUN_OF = {form: name for name, forms in PRONOUNS.items() for form in forms.split()}
PRONOUNS_OF = {
    noun: frozenset(names.split()) for names, nouns in NOUNS.items() for noun in nouns.split()
}
STARTS = frozenset(DETERMINERS.split())
STOPS = STARTS | PRONOUN_OF.keys() | frozenset(PARTICLES.split())


@dataclass(frozen=True)
class Text:
    """A text as systems get it: the words, and the mentions as (first word, last word).

    The mentions stand in the order of their first words; of two that begin together, the one
    that holds the other comes first.
    """

    words: Sequence[str]
    mentions: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, words: Sequence[str], mentions: Any) -> Text:
        return cls(words, sorted(mentions, key=lambda span: (span[0], -span[1])))

    def span(self, mention: tuple[int, int]) -> Sequence[str]:
        """The words of a mention."""
        return self.words[mention[0] : mention[1] + 1]


def sentences() -> list[list[str]]:
    """The words of the story, sentence by sentence.

    >>> print(*sentences()[6])
    Conradin hated her with a desperate sincerity which he was perfectly able to mask .
    """
    blocks = _file("key").read_text(encoding="utf-8").split("\n\n")
    rows = [[row.split("\t") for row in block.splitlines() if row[0] != "#"] for block in blocks]
    return [[row[3] for row in block] for block in rows]


def load() -> tuple[Text, Partition]:
    """The story with its mentions, and its key, from ``data/examples``.

    >>> text, key = load()
    >>> [" ".join(text.span(mention)) for mention in text.mentions[:2]]
    ['Conradin', 'the doctor']
    >>> set(text.mentions) == key.mentions
    True
    """
    (key,) = read(_file("key")).values()
    return Text.of([word for sentence in sentences() for word in sentence], key.mentions), key


def _file(name: str) -> Path:
    return DATA / "examples" / f"sredni-vashtar.{name}.conll"


# What the systems know


def head(text: Text, mention: tuple[int, int]) -> str:
    """The last word before the first comma or other stop, in small letters, after any hyphen.

    The first word is no stop. The rule is wrong where a comma stands between two adjectives.

    >>> words = "the disused tool-shed of respectable proportions , a long , low beast".split()
    >>> text = Text.of(words, [(0, 5), (7, 11)])
    >>> [head(text, mention) for mention in text.mentions]
    ['shed', 'long']
    """
    first, *rest = (word.lower() for word in text.span(mention))
    before = takewhile(lambda word: word not in STOPS and re.match(r"\w|'s", word), rest)
    return [first, *before][-1].rpartition("-")[2]


def is_pronoun(text: Text, mention: tuple[int, int]) -> bool:
    """Whether the mention is a single word that is a pronoun."""
    return mention[0] == mention[1] and text.words[mention[0]].lower() in PRONOUN_OF


def called(text: Text, mentions: Iterable[tuple[int, int]]) -> str:
    """An entity by its most frequent mention that is no pronoun.

    >>> text, key = load()
    >>> called(text, next(iter(key)))
    'Conradin'
    """
    named = (" ".join(text.span(each)) for each in mentions if not is_pronoun(text, each))
    return Counter(named).most_common(1)[0][0]


def pronouns_for(text: Text, mention: tuple[int, int]) -> frozenset[str]:
    """The pronouns that may stand for a mention; a pronoun may stand for itself alone.

    A name may be a man's, a woman's or a thing's. A noun in -s is a plural.

    >>> text = Text.of("Her cousin Bob sees birds".split(), [(0, 0), (0, 1), (2, 2), (4, 4)])
    >>> for mention in text.mentions:
    ...     print(*text.span(mention), sorted(pronouns_for(text, mention)))
    Her cousin ['he', 'she']
    Her ['she']
    Bob ['he', 'it', 'she']
    birds ['they']
    """
    first, noun = text.words[mention[0]].lower(), head(text, mention)
    if is_pronoun(text, mention):
        return frozenset({PRONOUN_OF[first]})
    if first in TITLES_OF_WOMEN:
        return frozenset({"she"})
    if noun in PRONOUNS_OF:
        return PRONOUNS_OF[noun]
    if all(map(_is_name, text.span(mention))):
        return frozenset({"he", "she", "it"})
    return frozenset({"they" if re.search(r"[^s]s$", noun) else "it"})


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.lower() not in STOPS


# The systems


def singletons(text: Text) -> Partition:
    """The response with every mention by itself.

    >>> singletons(Text.of("Ann sees her".split(), [(0, 0), (2, 2)]))
    Partition('{(0, 0)} {(2, 2)}')
    """
    return Partition([mention] for mention in text.mentions)


def one_entity(text: Text) -> Partition:
    """The response with all mentions in one entity.

    >>> one_entity(Text.of("Ann sees her".split(), [(0, 0), (2, 2)]))
    Partition('{(0, 0) (2, 2)}')
    """
    return Partition([text.mentions])


def agreement(text: Text) -> Partition:
    """The response with one entity for all mentions that the same pronouns may stand for.

    >>> agreement(Text.of("He saw the man , the cat , her".split(), [(0, 0), (2, 3), (8, 8)]))
    Partition('{(0, 0) (2, 3)} {(8, 8)}')
    """
    return Partition.from_labels({m: pronouns_for(text, m) for m in text.mentions})


def same_head(text: Text) -> Partition:
    """The response with one entity for all mentions of the same head; each pronoun by itself.

    >>> same_head(Text.of("The cat . She . A cat".split(), [(0, 1), (3, 3), (5, 6)]))
    Partition('{(0, 1) (5, 6)} {(3, 3)}')
    """
    return Partition.from_labels(
        {m: m if is_pronoun(text, m) else head(text, m) for m in text.mentions}
    )


def nearest(text: Text) -> Partition:
    """The response that puts each mention to the nearest one before it that fits.

    For a pronoun that is one that the same pronoun may stand for; for any other mention, one
    with the same head that is no pronoun. Mentions that hold it do not count as before it.

    >>> nearest(Text.of("The cat . She . Ann . A cat".split(), [(0, 1), (3, 3), (5, 5), (7, 8)]))
    Partition('{(0, 1) (3, 3) (7, 8)} {(5, 5)}')
    """
    heads = {m: head(text, m) for m in text.mentions}
    pronouns = {m: pronouns_for(text, m) for m in text.mentions}

    def fits(antecedent: tuple[int, int], mention: tuple[int, int]) -> bool:
        if is_pronoun(text, mention):
            return bool(pronouns[mention] & pronouns[antecedent])
        return not is_pronoun(text, antecedent) and heads[antecedent] == heads[mention]

    links = []
    for number, mention in enumerate(text.mentions):
        before = (m for m in reversed(text.mentions[:number]) if m[1] < mention[0])
        fitting = (m for m in before if fits(m, mention))
        links += [(antecedent, mention) for antecedent in islice(fitting, 1)]
    return Partition.from_links(links, text.mentions)


def own_mentions(words: Sequence[str]) -> Text:
    """Mentions that a system without a grammar finds.

    Pronouns; from a determiner to the last word before the next stop; runs of capital letters.

    >>> text = own_mentions("The old hen saw Ann Lee and her brother .".split())
    >>> [" ".join(text.span(mention)) for mention in text.mentions]
    ['The old hen saw Ann Lee', 'Ann Lee', 'her brother', 'her']
    """
    mentions = {(n, n) for n, word in enumerate(words) if word.lower() in PRONOUN_OF}
    for start, word in enumerate(words):
        after = words[start + 1 :]
        if word.lower() in STARTS and (length := len([*takewhile(_goes_on, after)])):
            mentions.add((start, start + length))
        elif _is_name(word) and not (start and _is_name(words[start - 1])):
            mentions.add((start, start + len([*takewhile(_is_name, after)])))
    return Text.of(words, mentions)


def _goes_on(word: str) -> bool:
    return word[0].isalnum() and word.lower() not in STOPS


SYSTEMS: dict[str, Callable[[Text], Partition]] = {
    "singletons": singletons,
    "one entity": one_entity,
    "agreement": agreement,
    "same head": same_head,
    "nearest": nearest,
    "own mentions": lambda text: nearest(own_mentions(text.words)),
}
"""The systems by name; the last finds its mentions, and then does as the one before it."""


def responses() -> dict[str, Partition]:
    """The response of every system to the story.

    >>> list(responses())
    ['singletons', 'one entity', 'agreement', 'same head', 'nearest', 'own mentions']
    """
    text, _ = load()
    return {name: system(text) for name, system in SYSTEMS.items()}


TITLES = {
    "muc": "MUC", "b3": "B³", "b3_class": "B³ by entity", "ceafm": "CEAFₘ", "ceafe": "CEAFₑ",
    "blanc": "BLANC", "lea": "LEA", "conll": "CoNLL",
}  # fmt: skip
"""The measures that the story's responses are scored by."""


def f1(*names: str) -> dict[str, dict[str, float]]:
    """The F1 in percent that each measure gives to the responses of these systems.

    >>> round(f1("one entity")["MUC"]["one entity"], 1)
    69.1
    """
    (_, key), given = load(), responses()
    return {
        title: {name: 100 * float(metric(each)(key, given[name]).value) for name in names}
        for each, title in TITLES.items()
    }


RULES = ("reference", "corefud_official", "e2e", "scorch_cli")
"""A scorer for each of the rules that give the two responses below different CoNLL scores."""


def by_scorer(one: str = "own mentions", other: str = "same head") -> Table:
    """What a scorer of each rule gives to two systems, in percent.

    >>> by_scorer().rows[2]
    ['e2e', '16.93', '35.24', '34.34']
    """
    (_, key), given = load(), responses()
    rows = []
    for scorer in RULES:
        first, second = (
            evaluate({"": key}, {"": given[name]}, ("ceafe", "conll"), like=scorer).total
            for name in (one, other)
        )
        scores = first["ceafe"], first["conll"], second["conll"]
        rows.append([scorer, *(percent(score.exact.value) for score in scores)])
    head = ["", f"CEAFₑ of {one}", f"CoNLL of {one}", f"CoNLL of {other}"]
    return Table(head, rows, "One story, two responses, a scorer a row.")


def drawn(key: Partition, seed: int = 41) -> Partition:
    """A response drawn at random with the key's mentions and sizes.

    >>> sorted(drawn(Partition.parse("{a b c} {d}")).sizes)
    [1, 3]
    """
    mentions = list(key.entity_of)
    random.Random(seed).shuffle(mentions)
    return Partition.from_labels(dict(zip(mentions, key.entity_of.values(), strict=True)))


# The story on a page


@dataclass(frozen=True)
class Marked:
    """The first sentences of the story with each mention in brackets, and its entity's number.

    Entities are numbered from the largest; singletons have no number. The largest are
    underlined, too.
    """

    side: Partition
    count: int | None = None
    caption: str = ""

    def _repr_html_(self) -> str:
        opens, closes = self._brackets()
        html, place = "", 0
        for sentence in sentences()[: self.count]:
            html += '<p style="line-height: 2.1; margin: 0 0 0.5rem">'
            for left, word in pairwise(["“", *sentence]):
                html += "" if _joins(left, word) else " "
                html += opens[place] + escape(word, quote=False) + closes[place]
                place += 1
            html += "</p>"
        if not self.caption:
            return html
        looks = 'style="text-align: left; font-weight: 400; color: inherit"'
        caption = f"<figcaption {looks}>{escape(self.caption)}</figcaption>"
        return f"<figure>{html}{caption}</figure>"

    def _brackets(self) -> tuple[dict[int, str], dict[int, str]]:
        """What stands before and after the words, by their places."""
        order = sorted(range(len(self.side)), key=lambda n: -self.side.sizes[n])
        rank = {entity: place for place, entity in enumerate(order)}
        opens: defaultdict[int, str] = defaultdict(str)
        closes: defaultdict[int, str] = defaultdict(str)
        for first, last in Text.of([], self.side.mentions).mentions:  # the outer before the inner
            entity = self.side.entity_of[first, last]
            shown = "" if self.side.sizes[entity] == 1 else f"<sub>{rank[entity] + 1}</sub>"
            opens[first] += f"<span{_underline(rank[entity], last - first + 1)}>["
            closes[last] = f"]{shown}</span>" + closes[last]
        return opens, closes

    def __repr__(self) -> str:
        lines = self._repr_html_().replace("</p>", "\n").splitlines()
        return "\n".join(fill(unescape(re.sub(r"<[^>]+>", "", line)), 92) for line in lines)


def _underline(rank: int, length: int) -> str:
    """The style of a mention of so many words; a long one leaves room for lines within it."""
    if rank >= len(LINES):
        return ""
    lower = "; padding-bottom: 5px" if length > 1 else ""
    return f' style="border-bottom: {LINES[rank]} {DAY["key"]}{lower}" class="of-key"'


def _joins(left: str, right: str) -> bool:
    """Whether two words stand together in print.

    >>> _joins("Conradin", "'s"), _joins("the", "boy"), _joins("“", "Tea")
    (True, False, True)
    """
    return left in "“—" or right in ".,;:!?”—" or right.startswith("'") or right == "n't"
