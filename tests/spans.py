"""Scorers that misread mentions of several tokens: what the suite's cases of tests/spans.toml try.

A side is a list of entities, these are frozensets of mentions, and a mention is the frozenset of
its tokens. A misreading is what a scorer makes of a side; a mention that it loses is empty.
"""

from collections.abc import Callable

import conformance
from oracle import Entities

Tokens = frozenset[int]
Misread = Callable[[Entities, list[int]], Entities]
"""Of a side, with the numbers of tokens of its document's sentences."""


def each_mention(change: Callable[[Tokens], Tokens]) -> Misread:
    return lambda side, sentences: without_empty(
        [frozenset(map(change, entity)) for entity in side]
    )


def without_empty(side: Entities) -> Entities:
    left = [entity - {frozenset()} for entity in side]
    return [entity for entity in left if entity]


def first(mention: Tokens) -> Tokens:
    return frozenset({min(mention)})


def last(mention: Tokens) -> Tokens:
    return frozenset({max(mention)})


def without_the_last(mention: Tokens) -> Tokens:
    return mention - {max(mention)}


def without_gaps(mention: Tokens) -> Tokens:
    return frozenset(range(min(mention), max(mention) + 1))


def first_part(mention: Tokens) -> Tokens:
    end = next(token for token in range(min(mention), max(mention) + 2) if token not in mention)
    return frozenset(range(min(mention), end))


def in_sentences(side: Entities, sentences: list[int]) -> Entities:
    """A mention is its tokens within the sentence, whichever sentence that is."""
    place = [token for length in sentences for token in range(length)]
    return [
        frozenset(frozenset(place[token] for token in mention) for mention in entity)
        for entity in side
    ]


def lost_at_the_end(side: Entities, sentences: list[int]) -> Entities:
    """A mention is read when the next token comes."""
    end = sum(sentences) - 1
    return without_empty([frozenset(m for m in entity if end not in m) for entity in side])


def lost_at_a_sentences_end(side: Entities, sentences: list[int]) -> Entities:
    ends = {sum(sentences[:number]) - 1 for number in range(1, len(sentences) + 1)}
    return without_empty([frozenset(m for m in entity if not ends & m) for entity in side])


def outermost(side: Entities, sentences: list[int]) -> Entities:
    """A mention within another one is lost."""
    every = [mention for entity in side for mention in entity]
    kept = {mention for mention in every if not any(mention < other for other in every)}
    return without_empty([entity & kept for entity in side])


def one_at_a_token(begin: bool) -> Misread:
    """Of mentions that begin, or end, at one token, the first one is kept."""

    def misread(side: Entities, sentences: list[int]) -> Entities:
        kept: dict[int, Tokens] = {}
        for entity in side:
            for mention in sorted(entity, key=sorted):
                kept.setdefault(min(mention) if begin else max(mention), mention)
        return without_empty([entity & {*kept.values()} for entity in side])

    return misread


def first_in_first_out(side: Entities, sentences: list[int]) -> Entities:
    """The entity's first open bracket is closed first."""

    def spans(entity: frozenset[Tokens]) -> frozenset[Tokens]:
        begins, ends = sorted(map(min, entity)), sorted(map(max, entity))
        pairs = zip(begins, ends, strict=True)
        return frozenset(frozenset(range(b, e + 1)) for b, e in pairs)

    return [spans(entity) for entity in side]


def last_in_first_out(side: Entities, sentences: list[int]) -> Entities:
    """As brackets are read, which two mentions that cross are not written in."""

    def spans(entity: frozenset[Tokens]) -> frozenset[Tokens]:
        found, open_at = set(), []
        for token in range(sum(sentences)):
            open_at += [token] * sum(min(mention) == token for mention in entity)
            for _ in range(sum(max(mention) == token for mention in entity)):
                found.add(frozenset(range(open_at.pop(), token + 1)))
        return frozenset(found)

    return [spans(entity) for entity in side]


def one_digit(side: Entities, sentences: list[int]) -> Entities:
    """The first digit of an entity's number is read alone."""
    found: dict[str, frozenset[Tokens]] = {}
    for number, entity in enumerate(side):
        digit = str(number)[0]
        found[digit] = found.get(digit, frozenset()) | entity
    return [*found.values()]


MISREADINGS: dict[str, Misread] = {
    "the first token alone": each_mention(first),
    "the last token alone": each_mention(last),
    "the last token is not counted in": each_mention(without_the_last),
    "a gap is filled": each_mention(without_gaps),
    "the first part alone": each_mention(first_part),
    "tokens are counted in their sentence": in_sentences,
    "a mention at the document's end is lost": lost_at_the_end,
    "a mention at a sentence's end is lost": lost_at_a_sentences_end,
    "a mention within another one is lost": outermost,
    "one mention begins at a token": one_at_a_token(begin=True),
    "one mention ends at a token": one_at_a_token(begin=False),
    "the first bracket is closed first": first_in_first_out,
    "the last bracket is closed first": last_in_first_out,
    "entity 11 is entity 1": one_digit,
}


def misread(case, misreading: Misread) -> dict[str, tuple[Entities, Entities]]:
    """What a scorer makes of both sides of a case."""
    documents = {}
    for name, sentences in case["sentences"].items():
        key, response = (
            misreading(conformance.of_tokens(case[side][name]), sentences)
            for side in ("key", "response")
        )
        documents[name] = key, response
    return documents
