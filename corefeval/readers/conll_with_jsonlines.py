"""A file of CoNLL-2012 beside one of JSON lines: the key in one, the response in the other.

A name of JSON lines meets the document of the very same name, or else ``NAME; part p`` if it is
``NAME`` or ``NAME_p`` and nothing else could be meant (see `files.meet_parts`). Documents of JSON
lines that have no names are paired with those of the other file in their order, as in `jsonlines`.

The tokens have to be the same. What OntoNotes spells in two ways is (`SPELT_IN_TWO_WAYS`); words
that JSON lines leave out, or give in word pieces, are not compared, but their number is, if it is
known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import inf
from typing import Any

from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.readers import conll, files, jsonlines
from corefeval.readers.conll import ConllDocument
from corefeval.readers.files import Entities, StrPath
from corefeval.readers.formats import MIXED
from corefeval.readers.jsonlines import JsonDocument
from corefeval.readers.texts import PENN_BRACKETS, Text

SPELT_IN_TWO_WAYS = {"/.": ".", "/?": "?", "/-": "-"} | PENN_BRACKETS
"""Words of OntoNotes in its files of CoNLL-2012, and as systems that convert them write them."""

Counterparts = tuple[ConllDocument, JsonDocument]


def read_pair(
    key_path: StrPath, response_path: StrPath, choice: Conventions
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response to it, by the names that CoNLL-2012 has.

    Raises `CorefError` for a document on one side only, unless ``choice.missing`` allows it; for a
    name that may mean two documents, and two names that mean one; for other tokens, mentions that
    count characters, and all that the readers of the two formats raise it for.
    """
    conll_path, json_path = MIXED.in_turn(key_path, response_path)
    json_is_key = json_path is key_path
    fields = jsonlines.OF_KEY if json_is_key else jsonlines.OF_RESPONSE
    of_conll = {each.name: each for each in conll.once(conll.documents(conll_path))}
    documents = list(jsonlines.documents(json_path, fields))
    # Documents of CoNLL-2012 always have names; in JSON lines all have one, or none has.
    by_order = choice.pairs == "order" or not documents[0].name
    if by_order:
        for pair in _in_order(of_conll, documents, choice.pairs):
            _check_same_tokens(*pair)
    of_json = {each.name: each for each in documents}
    if not by_order:
        for name in filter(of_conll.__contains__, of_json):
            _check_same_tokens(of_conll[name], of_json[name])
        files.meet_parts(of_conll, of_json, _check_same_tokens)
    if choice.missing == "error":
        files.check_same_documents(conll_path, of_conll, json_path, of_json)
    few = jsonlines.find_ends(documents, choice.offsets)
    conll.warn_of_bare_numbers(of_conll.values())
    kind: type[dict[str, Any]] = files.InOrder if by_order else dict
    conll_entities = kind({name: each.entities(choice.repeated) for name, each in of_conll.items()})
    json_entities = kind({name: each.in_words(choice.repeated) for name, each in of_json.items()})
    jsonlines.warn_of_ends(few, json_entities, conll_entities)
    if json_is_key:
        return json_entities, conll_entities
    jsonlines.refuse_copies(conll_entities, json_entities, documents)
    return conll_entities, json_entities


def texts(paths: dict[str, StrPath], names: Sequence[str]) -> dict[str, Text]:
    """The words of documents by their names: the key's, where both sides have words."""
    conll_path, _ = MIXED.in_turn(*paths.values())
    found: dict[str, Text] = {}
    for side, path in reversed(paths.items()):
        reader = conll if path is conll_path else jsonlines
        found |= reader.texts({side: path}, names)
    return found


# Documents without names


def _in_order(
    of_conll: Mapping[str, ConllDocument], json_documents: Sequence[JsonDocument], chosen: str
) -> Iterator[Counterparts]:
    """The documents of both sides that have the same place in their files."""
    for ours, theirs in files.in_order(of_conll.values(), json_documents):
        if chosen != "order" and theirs.text is None:
            raise CorefError(
                f"{theirs.where}: a document without a name is paired with "
                f"{ours.where(ours.begin)}, in the order of the files, and has no words; expected "
                f"the words of that one, a name ({jsonlines.DOC_KEY}), or --pairs order (in Python "
                'pairs="order")'
            )
        theirs.name = ours.name
        yield ours, theirs


# Tokens


def _check_same_tokens(ours: ConllDocument, theirs: JsonDocument) -> None:
    """Refuse other tokens; let both texts go. What JSON lines does not know, it is told."""
    # A file of CoNLL-2012 has tokens, and no text whose characters could be counted.
    if theirs.unit == "character":
        raise CorefError(
            f"{theirs.where}: its mentions count characters, and those of {ours.path} tokens; "
            "expected tokens here, too: give the system a text that is split into words"
        )
    differs = _first_difference(ours, theirs)
    if theirs.size not in (inf, ours.size):
        sizes = f"{files.count_of(theirs.size, 'token')}, and {ours.size} in {ours.path}"
        raise CorefError(
            f"{theirs.where}: it has {sizes}, line {ours.begin}{differs and f': {differs}'}; "
            "expected the same tokens in both"
        )
    if differs:
        raise CorefError(
            f"{theirs.where}: {differs}; expected the same tokens in both. If they stand for the "
            "same words, leave them out here: mentions are then paired by position"
        )
    if theirs.limit == inf:
        theirs.limit = theirs.size = ours.size
        for mention in chain.from_iterable(theirs.entities):
            if mention[1] > ours.size:
                raise CorefError(
                    f"{theirs.where}: mention {[*mention]} ends outside the text, which has "
                    f"{files.count_of(ours.size, 'token')} in {ours.path}, line {ours.begin}"
                )
    ours.tokens.clear()
    theirs.text = None


def _first_difference(ours: ConllDocument, theirs: JsonDocument) -> str:
    """The first token that differs, if both files have words."""
    if theirs.text is None:
        return ""
    words, others = map(conll.word, ours.tokens), chain.from_iterable(theirs.text)
    for token, (one, other) in enumerate(zip(words, others, strict=False)):
        if one and not _same(one, other):
            line = ours.line(token)
            return f"token {token} is {other!r} here, and {one!r} in {ours.path}, line {line}"
    return ""


def _same(one: str, other: object) -> bool:
    """Whether a word of CoNLL-2012 and one of JSON lines are the same.

    >>> _same("/.", "."), _same("cat", "Cat"), _same("wAlhwA'#AlohawA'", "wAlhwA'")
    (True, False, True)
    """
    if one == other or SPELT_IN_TWO_WAYS.get(one) == other:
        return True
    # In Arabic, OntoNotes has the lemma behind the word.
    return type(other) is str and other != "" and one.startswith(f"{other}#")
