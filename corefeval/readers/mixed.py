"""A file of CoNLL-2012 beside one of JSON lines: the key in one, the response in the other.

A name of JSON lines meets the document of the very same name, or else ``NAME; part p`` if it is
``NAME`` or ``NAME_p`` and nothing else could be meant (see `files.meet_parts`). Documents of JSON
lines that have no names are paired with those of the other file in their order, as in `jsonlines`.

The tokens have to be the same. What OntoNotes spells in two ways is (see `SPELLINGS`); words that
JSON lines leave out, or give in word pieces, are not compared, but their number is, if it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from math import inf
from typing import TYPE_CHECKING, Any

from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.readers import conll, jsonlines
from corefeval.readers.files import (
    Entities,
    InOrder,
    StrPath,
    check_same_documents,
    count_of,
    meet_parts,
)
from corefeval.readers.formats import MIXED

if TYPE_CHECKING:
    from corefeval.readers.texts import Text

SPELLINGS = {
    "/.": ".",
    "/?": "?",
    "/-": "-",
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
"""Words of OntoNotes in its files of CoNLL-2012, and as programs that convert them write them."""

Pair = tuple[conll.Document, jsonlines.Document]


def read_pair(
    key_path: StrPath, response_path: StrPath, choice: Conventions
) -> tuple[dict[str, Entities], dict[str, Entities]]:
    """The documents of a key and of a response to it, by the names that CoNLL-2012 has.

    Raises `CorefError` for a document on one side only, unless ``choice.missing`` allows it; for a
    name that may mean two documents, and two names that mean one; for other tokens, mentions that
    count characters, and all that the readers of the two formats raise it for.
    """
    lined_path, listed_path = MIXED.in_turn(key_path, response_path)
    json_is_key = listed_path is key_path
    fields = jsonlines.OF_KEY if json_is_key else jsonlines.OF_RESPONSE
    lined = {each.name: each for each in conll.once(conll.documents(lined_path))}
    documents = list(jsonlines.documents(listed_path, fields))
    # Documents of CoNLL-2012 always have names; in JSON lines all have one, or none has.
    in_order = choice.pairs == "order" or not documents[0].name
    if in_order:
        for pair in _in_order(lined, documents, choice.pairs):
            _check_same_tokens(*pair)
    listed = {each.name: each for each in documents}
    if not in_order:
        for name in filter(lined.__contains__, listed):
            _check_same_tokens(lined[name], listed[name])
        meet_parts(lined, listed, _check_same_tokens)
    if choice.missing == "error":
        check_same_documents(lined_path, lined, listed_path, listed)
    few = jsonlines.find_ends(documents, choice.offsets)
    conll.warn_of_bare_numbers(lined.values())
    kind: type[dict[str, Any]] = InOrder if in_order else dict
    of_lined = kind({name: each.entities(choice.repeated) for name, each in lined.items()})
    of_listed = kind({name: each.in_words(choice.repeated) for name, each in listed.items()})
    jsonlines.warn_of_ends(few, of_listed, of_lined)
    if json_is_key:
        return of_listed, of_lined
    jsonlines.refuse_copies(of_lined, of_listed, documents)
    return of_lined, of_listed


def texts(paths: dict[str, StrPath], names: Sequence[str]) -> dict[str, Text]:
    """The words of documents by their names: the key's, where both sides have words."""
    lined_path, _ = MIXED.in_turn(*paths.values())
    found: dict[str, Text] = {}
    for side, path in reversed(paths.items()):
        reader = conll if path is lined_path else jsonlines
        found |= reader.texts({side: path}, names)
    return found


# Documents without names


def _in_order(
    lined: Mapping[str, conll.Document], listed: Sequence[jsonlines.Document], chosen: str
) -> Iterator[Pair]:
    """The documents of both sides that have the same place in their files."""
    for ours, theirs in zip_longest(lined.values(), listed):
        if ours is None or theirs is None:
            more = theirs.where if ours is None else ours.where(ours.begin)
            fewer = count_of(min(len(lined), len(listed)), "document")
            raise CorefError(
                f"{more}: the other file has only {fewer}, and documents are paired by their "
                "order; expected as many in both files"
            )
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


def _check_same_tokens(lined: conll.Document, listed: jsonlines.Document) -> None:
    """Refuse other tokens; let both texts go. What JSON lines does not know, it is told."""
    # A file of CoNLL-2012 has tokens, and no text whose characters could be counted.
    if listed.unit == "character":
        raise CorefError(
            f"{listed.where}: its mentions count characters, and those of {lined.path} tokens; "
            "expected tokens here, too: give the program a text that is split into words"
        )
    differs = _first_difference(lined, listed)
    if listed.size not in (inf, lined.size):
        sizes = f"{count_of(listed.size, 'token')}, and {lined.size} in {lined.path}"
        raise CorefError(
            f"{listed.where}: it has {sizes}, line {lined.begin}{differs and f': {differs}'}; "
            "expected the same tokens in both"
        )
    if differs:
        raise CorefError(
            f"{listed.where}: {differs}; expected the same tokens in both. If they stand for the "
            "same words, leave them out here: mentions are then paired by position"
        )
    if listed.limit == inf:
        listed.limit = listed.size = lined.size
        for mention in chain.from_iterable(listed.entities):
            if mention[1] > lined.size:
                raise CorefError(
                    f"{listed.where}: mention {[*mention]} ends outside the text, which has "
                    f"{count_of(lined.size, 'token')} in {lined.path}, line {lined.begin}"
                )
    lined.tokens.clear()
    listed.text = None


def _first_difference(lined: conll.Document, listed: jsonlines.Document) -> str:
    """The first token that differs, if both files have words."""
    if listed.text is None:
        return ""
    ours = map(conll.word, lined.tokens)
    for token, (one, other) in enumerate(zip(ours, chain.from_iterable(listed.text), strict=False)):
        if one and not _same(one, other):
            line = lined.line(token)
            return f"token {token} is {other!r} here, and {one!r} in {lined.path}, line {line}"
    return ""


def _same(one: str, other: object) -> bool:
    """Whether a word of CoNLL-2012 and one of JSON lines are the same.

    >>> _same("/.", "."), _same("cat", "Cat"), _same("wAlhwA'#AlohawA'", "wAlhwA'")
    (True, False, True)
    """
    if one == other or SPELLINGS.get(one) == other:
        return True
    # In Arabic, OntoNotes has the lemma behind the word.
    return type(other) is str and other != "" and one.startswith(f"{other}#")
