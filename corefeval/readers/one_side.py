"""One file without the other side's: the documents of a key, or of a response, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corefeval.contingency import SIDES
from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.partition import as_partition
from corefeval.readers.files import Entities, NameAlone, StrPath, buffered, meet_parts, reading_bar
from corefeval.readers.formats import CONLL, format_of_path
from corefeval.repeats import REPEATS


def read(
    path: StrPath,
    side: str = "key",
    *,
    match: str | None = None,
    offsets: str = "found",
    repeated: str = "error",
    empty_side: bool = False,
) -> dict[str, Any]:
    """The documents of a file by their names, each as `evaluate` takes it.

    The file is one of CoNLL-2012 or JSON lines, or a folder or a pattern. (`evaluate` also takes
    the path itself beside a mapping.) Of JSON lines that have both sides, ``side="response"`` reads
    the predicted entities. A mention is a pair (first, last) of token numbers, counted from 0.
    Documents of JSON lines without names are numbered from "1". ``offsets`` and ``repeated`` are
    those of `evaluate`; with a ``repeated`` that concerns both sides, a document in which a mention
    is repeated is a mapping from entities to lists.

    Mentions of CorefUD are matched with those of another file. Alone, such a file is read with
    ``match="exact"``: a mention is its sentence and the ids of its words and empty nodes.
    ``empty_side`` is that of `evaluate`.

    Raises `CorefError` for a file that cannot be read, for JSON lines in which nothing shows what
    ends mean, and for CorefUD without ``match="exact"``.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from corefeval import evaluate
    >>> line = '{"doc_key": "d", "clusters": [[[0, 1], [3, 3]]]}'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "key.jsonl")
    ...     _ = path.write_text(line)
    ...     documents = read(path)
    ...     report = evaluate(path, {"d": [[(0, 1), (3, 3), (5, 6)]]}, "muc")
    >>> documents
    {'d': Partition('{(0, 1) (3, 3)}')}
    >>> report.total["muc"]
    recall 1, precision 1/2, f1 2/3
    """
    choice = Conventions(offsets=offsets, repeated=repeated)
    if side not in SIDES:
        raise CorefError(f"side={side!r} is not a choice: expected 'key' or 'response'")
    if match not in (None, "exact"):
        raise CorefError(f"match={match!r} needs two files: pass both paths to evaluate")
    documents = read_side(path, side, choice, match, empty_side)
    # These choices count repeated mentions in the tables, so they are kept as lists.
    if choice.repeated in REPEATS:
        return documents
    return {name: as_partition(d, repeated=choice.repeated) for name, d in documents.items()}


def read_side(
    path: StrPath,
    side: str,
    choice: Conventions,
    match: str | None = None,
    empty_side: bool = False,
) -> dict[str, Entities]:
    """The entities of each document of a file, as `corefeval.readers.FilePair.read` gives both.

    A mention that has to be matched is one of another file only once the two are.
    """
    path = buffered(path)
    format = format_of_path(path) or CONLL
    # A choice that has no effect is refused: whoever made it expects one.
    choice.refuse(["match", "pairs"], f"needs two files, and {path} is one")
    format.refuse_others(choice, f"{path} is a file of {format}")
    if format.matches and match is None:
        raise CorefError(
            f"{path} is a file of {format}, whose mentions are matched with those of another; "
            'expected the paths of both files, or corefeval.read(path, match="exact"), by which a '
            "mention is its sentence and the ids of its nodes, as (1, ('2', '3'))"
        )
    with reading_bar(path):
        found: dict[str, Entities] = format.reader().read_side(
            path, side, choice, **format.options(empty_side)
        )
    return found


def with_names_of(key: Mapping[Any, Any], response: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The response's documents by the key's names, where these differ in how a part is written.

    One side is of a file, whose names have parts as ``NAME; part 000``; see `files.meet_parts`.
    """
    here, there = (
        {name: NameAlone(name) for name in side if isinstance(name, str)}
        for side in (key, response)
    )
    of_response = dict(there)
    meet_parts(here, there, lambda ours, theirs: None)
    return {
        of_response[name].name if name in of_response else name: document
        for name, document in response.items()
    }
