"""Files of a case, in the formats that scorers read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

Case = dict[str, Any]
Documents = dict[str, list[list[str]]]


class Piece(NamedTuple):
    """Tokens of a mention without a gap, the last one counted in; which piece it is, of how many.

    A mention without a gap is one piece.
    """

    first: int
    last: int
    number: int = 1
    of: int = 1


class Text(NamedTuple):
    """A document's sentences, each a list of words, and where each mention is."""

    sentences: list[list[str]]
    places: dict[str, list[Piece]]


Texts = dict[str, Text]


# ------------------------------------------------------------------------ where mentions are


def texts(case: Case) -> Texts:
    """Return the text of each document; both sides of a case have the same."""
    names = dict.fromkeys([*case["key"], *case["response"]])
    return {name: text(case, name) for name in names}


def text(case: Case, name: str) -> Text:
    """Return a document's text: where a case has no `sentences`, a mention is a token."""
    sides = [case[side].get(name, ()) for side in ("key", "response")]
    mentions = sorted({mention for side in sides for entity in side for mention in entity})
    if "sentences" not in case:
        words = mentions or ["x"]
        return Text([words], {word: [Piece(i, i)] for i, word in enumerate(words)})
    sentences: list[list[str]] = []
    for length in case["sentences"][name]:
        begin = sum(map(len, sentences))
        sentences.append([f"w{number}" for number in range(begin, begin + length)])
    return Text(sentences, {mention: pieces(mention) for mention in mentions})


def pieces(mention: str) -> list[Piece]:
    """Return where a mention is: "3" is a token, "3-5" are three, "3+5" has a gap."""
    parts = mention.split("+")
    found = []
    for number, part in enumerate(parts, 1):
        first, _, last = part.partition("-")
        found.append(Piece(int(first), int(last or first), number, len(parts)))
    return found


class Bracket(NamedTuple):
    """A piece of a mention of an entity, which has a number, at a token where it begins or ends."""

    entity: int
    piece: Piece


class Brackets(NamedTuple):
    """What stands at a token, in this order: so one entity's mentions may meet at a token."""

    alone: list[Bracket]
    """Pieces of one token."""
    end: list[Bracket]
    """The shortest first."""
    begin: list[Bracket]
    """The longest first."""


def brackets(entities: list[list[str]], text: Text) -> Iterator[Brackets]:
    """Yield for each token of a document what stands there."""
    every = [
        Bracket(number, piece)
        for number, entity in enumerate(entities)
        for mention in entity
        for piece in text.places[mention]
    ]
    every.sort(key=lambda bracket: bracket.piece.last - bracket.piece.first)
    longer = [each for each in every if each.piece.first < each.piece.last]
    for token in range(sum(map(len, text.sentences))):
        # By their entities, as one would write them.
        alone = [each for each in every if each.piece[:2] == (token, token)]
        yield Brackets(
            sorted(alone, key=lambda bracket: bracket.entity),
            [each for each in longer if each.piece.last == token],
            [each for each in reversed(longer) if each.piece.first == token],
        )


# ------------------------------------------------------------------------------- the formats


def conll(side: Documents, texts: Texts) -> str:
    """Return the file of CoNLL-2012: a column of brackets, columns apart by tabs."""
    lines = []
    for name, entities in side.items():
        at = brackets(entities, texts[name])
        lines.append(f"#begin document ({name}); part 000")
        for words in texts[name].sentences:
            for i, word in enumerate(words):
                lines.append(f"{name}\t0\t{i}\t{word}\t{of_conll(next(at))}")
            lines.append("")
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def of_conll(token: Brackets) -> str:
    """Return the last column of a token.

    >>> of_conll(Brackets([], [], []))
    '-'
    """
    found = [f"({bracket.entity})" for bracket in token.alone]
    found += [f"{bracket.entity})" for bracket in token.end]
    found += [f"({bracket.entity}" for bracket in token.begin]
    return "|".join(found) or "-"


def jsonl(side: Documents, texts: Texts) -> str:
    """Return the file of JSON lines: `clusters` of first and last tokens."""
    lines = []
    for name, entities in side.items():
        clusters = []
        for entity in entities:
            firsts_and_lasts = [texts[name].places[mention][0][:2] for mention in entity]
            clusters.append(firsts_and_lasts)
        document = {"doc_key": name, "sentences": texts[name].sentences, "clusters": clusters}
        lines.append(json.dumps(document, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def corefud(side: Documents, texts: Texts) -> str:
    """Return the file of CorefUD 1.0: brackets in the last column."""
    lines = []
    for place, (name, entities) in enumerate(side.items()):
        at = brackets(entities, texts[name])
        lines += [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"]
        for number, words in enumerate(texts[name].sentences, 1):
            lines += [f"# sent_id = {name}-{number}", f"# text = {' '.join(words)}"]
            for i, word in enumerate(words, 1):
                misc = of_corefud(next(at), f"e{place}x")
                lines.append("\t".join([str(i), word, *"____", "0", *"__", misc]))
            lines.append("")
    return "\n".join(lines) + "\n"


def of_corefud(token: Brackets, before: str) -> str:
    """Return the last column of a token; ``before`` stands before the number of an entity."""

    def named(bracket: Bracket) -> str:
        piece = bracket.piece
        part = f"[{piece.number}/{piece.of}]" if piece.of > 1 else ""
        return f"{before}{bracket.entity}{part}"

    found = [f"({named(bracket)}-x-1-)" for bracket in token.alone]
    found += [f"{named(bracket)})" for bracket in token.end]
    found += [f"({named(bracket)}-x-1-" for bracket in token.begin]
    return f"Entity={''.join(found)}" if found else "_"


def scorch(entities: list[list[str]]) -> str:
    """Return scorch's JSON: entities by name, of one document."""
    clusters = {str(number): entity for number, entity in enumerate(entities)}
    return json.dumps({"type": "clusters", "clusters": clusters}, ensure_ascii=False)


ENDINGS = {"conll": "conll", "jsonl": "jsonl", "corefud": "conllu"}
WRITERS: dict[str, Callable[[Documents, Texts], str]] = {
    "conll": conll,
    "jsonl": jsonl,
    "corefud": corefud,
}


def write(case: Case, side: str, form: str, folder: Path) -> Path:
    """Write one side of a case; return the file, or scorch's folder if a side has several."""
    documents = case[side]
    if form != "scorch":
        path = folder / f"{side}.{ENDINGS[form]}"
        path.write_text(WRITERS[form](documents, texts(case)), encoding="utf-8")
        return path
    if len(case["key"]) == len(case["response"]) == 1:
        (entities,) = documents.values()
        path = folder / f"{side}.json"
        path.write_text(scorch(entities), encoding="utf-8")
        return path
    path = folder / side
    path.mkdir()
    for name, entities in documents.items():
        (path / f"{name}.json").write_text(scorch(entities), encoding="utf-8")
    return path
