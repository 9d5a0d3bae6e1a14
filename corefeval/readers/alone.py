"""One file without the other side's: the documents of a key, or of a response, by their names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.partition import as_partition
from corefeval.readers import conll, corefud, jsonlines
from corefeval.readers.files import Entities, StrPath, entities_of, held, reading_bar
from corefeval.readers.formats import CONLL, COREFUD, JSON_LINES, format_of_path
from corefeval.repeats import REPEATS

FIELDS = {"key": jsonlines.OF_KEY, "response": jsonlines.OF_RESPONSE}
"""Under which keys of JSON lines each side's entities are."""


def read(
    path: StrPath, side: str, match: str | None, empty_side: bool, choice: Conventions
) -> dict[str, Entities]:
    """See `corefeval.read`."""
    if side not in FIELDS:
        raise CorefError(f"side={side!r} is not a choice: expected 'key' or 'response'")
    if match not in (None, "exact"):
        raise CorefError(f"match={match!r} needs two files: pass both paths to evaluate")
    path = held(path)
    if match and format_of_path(path) == COREFUD:
        documents = dict(_of_corefud(path, empty_side, choice))
    else:
        documents = read_side(path, side, choice)
    # These choices count repeated mentions in the tables, so they are kept as lists.
    if choice.repeated in REPEATS:
        return documents
    return {name: as_partition(d, repeated=choice.repeated) for name, d in documents.items()}


def read_side(path: StrPath, side: str, choice: Conventions) -> dict[str, Entities]:
    """The entities of each document of a file, as `corefeval.readers.FilePair.read` gives both.

    A mention of CorefUD is one of another file only once the two are matched.
    """
    path = held(path)
    format = format_of_path(path) or CONLL
    if format != JSON_LINES:
        choice.refuse(["offsets"], f"is for {JSON_LINES}, and {path} is a file of {format}")
    # A choice that has no effect is refused: whoever made it expects one.
    choice.refuse(["match", "pairs"], f"needs two files, and {path} is one")
    if format == COREFUD:
        raise CorefError(
            f"{path} is a file of {COREFUD}, whose mentions are matched with those of another; "
            'expected the paths of both files, or corefeval.read(path, match="exact"), by which a '
            "mention is its sentence and the ids of its nodes, as (1, ('2', '3'))"
        )
    with reading_bar(path):
        if format == CONLL:
            lined = [*conll.once(conll.documents(path))]
            conll.warn_of_bare_numbers(lined)
            return {each.name: each.entities(choice.repeated) for each in lined}
        listed = [*jsonlines.documents(path, FIELDS[side])]
        jsonlines.find_ends(listed, choice.offsets)
        return {
            each.name or str(number): each.in_words(choice.repeated)
            for number, each in enumerate(listed, 1)
        }


def _of_corefud(
    path: StrPath, empty_side: bool, choice: Conventions
) -> Iterator[tuple[str, Entities]]:
    """The documents of a file of CorefUD; a mention is its sentence and its nodes."""
    with reading_bar(path):
        documents = [*corefud._documents(path)]
    if not empty_side:
        corefud._refuse_without_entities(path, documents)
    for document in documents:
        entities = {
            name: [(mention.sentence, mention.nodes) for mention in mentions]
            for name, mentions in document.entities.items()
        }
        where = partial(_where, f"{path}: document {document.name!r}")
        yield document.name, entities_of(entities, choice.repeated, where)


def _where(document: str, mention: Any) -> str:
    return document
