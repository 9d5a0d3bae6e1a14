"""What the page shows of two files: scores, with a signature and sentences, and errors.

The files are read by the library's reader; in a browser they are bytes, and are written to
Python's own file system first.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

import corefeval
from companion.pages.playground import MOST_MENTIONS, STANDARD, in_page_words
from corefeval.analysis.anatomy import USUAL, Anatomy
from corefeval.conventions import Conventions, Options
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.partition import ByName
from corefeval.readers import BothSides, read_pair
from corefeval.readers.files import Entities
from corefeval.registry import MEASURES
from corefeval.report import Report
from corefeval.score import Score

Found = TypeVar("Found")

NEEDS_ALIGNMENT = {"ceafm", "ceafe", "conll"}
LEFT_OUT = (
    "CEAF and the CoNLL score are left out: a document has more than 60 entities on both sides "
    "that overlap in one tangle, and to align those the library wants SciPy, which is not in the "
    "browser."
)


def scores(
    key: bytes,
    response: bytes,
    key_name: str = "key",
    response_name: str = "response",
    **chosen: str,
) -> dict[str, Any]:
    """The standard suite's scores of a response file, in percent, as texts.

    The files are of CoNLL-2012, JSON lines or CorefUD. Keywords choose conventions. ``total`` has a
    row of recall, precision and F1 per measure, ``documents`` the F1 scores of each, and where the
    playground can show a document, its ``key`` and ``response``. ``notes`` are warnings of the
    reader, or what could not be computed. ``methods`` are sentences for a paper, none where a side
    has no mention. Files that cannot be scored raise nothing: ``error`` then
    has the message, in the words of the page.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> found = scores(lines, lines.replace(b"her\\t(0)", b"her\\t(1)"))
    >>> found["total"][0]
    {'name': 'mentions', 'title': 'Mention detection', 'cells': ['100.00', '100.00', '100.00']}
    >>> scores(lines, b"")["error"].partition(";")[0]
    'response: the file has no document'
    """
    with (
        files(key, response, key_name, response_name) as paths,
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        try:
            report, notes = _evaluated(*paths, chosen)
            sides = _read_again(*paths, Conventions(**chosen))
        except (CorefError, ModuleNotFoundError) as error:
            return {"error": _refused(error, paths)}
    return {
        "total": [_row(name, score) for name, score in report.total.items()],
        "documents": [
            {
                "name": str(document),
                "cells": [percent(score.exact.value) for score in found.values()],
            }
            | typed(*(_entities(side.get(str(document))) for side in sides))
            for document, found in report.documents.items()
        ],
        "signature": report.short_signature,
        "methods": report.sentence() if _has_both_sides(report) else "",
        "notes": [*dict.fromkeys(str(warning.message) for warning in told), *notes],
    }


def errors(
    key: bytes,
    response: bytes,
    key_name: str = "key",
    response_name: str = "response",
    **chosen: str,
) -> dict[str, Any]:
    """The page that shows the errors of a response file in its text, as ``html``.

    It takes what `scores` takes, and is what ``corefeval anatomy --html`` writes. ``notes`` say
    which costs could not be computed. Files that cannot be read, or compared, raise nothing:
    ``error`` then has the message, in the words of the page.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> found = errors(lines, lines.replace(b"her\\t(0)", b"her\\t(1)"), response_name="mine")
    >>> "<title>Errors of mine</title>" in found["html"]
    True
    >>> errors(lines, b"")["error"].partition(";")[0]
    'response: the file has no document'
    """

    given = key, response, key_name, response_name
    return of_anatomy(
        given, chosen, "html", lambda anatomy, name: anatomy.to_html(f"Errors of {name}")
    )


def of_anatomy(
    given: tuple[bytes, bytes, str, str],
    chosen: Mapping[str, str],
    what: str,
    shown: Callable[[Anatomy, str], object],
) -> dict[str, Any]:
    """What is shown of the anatomy of two files and of the response's name; or the ``error``."""
    with files(*given) as paths, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the scores told them

        def found(names: Iterable[str]) -> object:
            anatomy = corefeval.anatomy(paths[0], paths[1], names, **cast(Options, chosen))
            return shown(anatomy, paths[1].name)

        try:
            made, notes = without_scipy(found, USUAL, "corefeval anatomy")
        except (CorefError, ModuleNotFoundError) as error:
            return {"error": _refused(error, paths)}
    return {what: made, "notes": notes}


def _refused(error: Exception, paths: tuple[Path, Path]) -> str:
    """Why two files cannot be scored here; tables need a database engine, which a browser lacks."""
    if isinstance(error, CorefError):
        return in_page_words(str(error))
    command = f"corefeval score {paths[0].name} {paths[1].name} --columns LABELS LABELS"
    return (
        "This page reads CoNLL-2012, JSON lines and CorefUD. Tables (CSV, TSV, Parquet) are read "
        f"by the command: type “{command}” in a terminal, LABELS being the column that has the "
        "labels of entities, of the key and of the response."
    )


@contextmanager
def files(
    key: bytes, response: bytes, key_name: str, response_name: str
) -> Iterator[tuple[Path, Path]]:
    """Put both sides into files of their names, in a folder that is the current one meanwhile."""
    with TemporaryDirectory() as folder, chdir(folder):
        paths = _paths(key_name, response_name)
        for path, content in zip(paths, (key, response), strict=True):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(bytes(content))
        yield paths


def typed(key: Iterable[Any], response: Iterable[Any]) -> dict[str, str]:
    """A document's sides as the playground's form takes them; nothing where it cannot.

    A mention goes by its place: that of the tokens 3 to 5 is ``3-5``.

    >>> typed([[(3, 5), (8, 8)]], [[(3, 5)], [(8, 8)]])
    {'key': '{3-5 8-8}', 'response': '{3-5} {8-8}'}
    >>> typed([range(1000)], [])
    {}
    """
    sides = {
        side: [[_place(mention) for mention in entity] for entity in entities]
        for side, entities in (("key", key), ("response", response))
    }
    if any(sum(map(len, entities)) > MOST_MENTIONS for entities in sides.values()):
        return {}
    return {
        side: " ".join(f"{{{' '.join(entity)}}}" for entity in entities)
        for side, entities in sides.items()
    }


def _read_again(key: Path, response: Path, choice: Conventions) -> BothSides:
    """Read both sides of a report once more; its warnings have been given already."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_pair(key, response, choice)


def _entities(found: Entities | None) -> Iterable[Any]:
    """The entities of a document; none where a side lacks it."""
    return found.values() if isinstance(found, ByName) else found or ()


def _place(mention: object) -> str:
    return "-".join(re.findall(r"[^\s{}(),'\"]+", str(mention)))


def _has_both_sides(report: Report) -> bool:
    counts = report.total["mentions"].counts
    return bool(counts.recall.total and counts.precision.total)


def _paths(key_name: str, response_name: str) -> tuple[Path, Path]:
    """Where the files are put, so that messages name them as the reader does."""
    key, response = (PurePath(name.replace("\\", "/")).name for name in (key_name, response_name))
    if key == response:
        return Path("key", key), Path("response", response)
    return Path(key), Path(response)


def _evaluated(key: Path, response: Path, chosen: Mapping[str, str]) -> tuple[Report, list[str]]:
    """The report of the measures that can be had, and why others cannot."""
    names = [measure.name for measure in STANDARD]
    return without_scipy(
        lambda names: _scored(key, response, names, chosen), names, "corefeval score"
    )


def without_scipy(
    found: Callable[[Iterable[str]], Found], names: Iterable[str], command: str
) -> tuple[Found, list[str]]:
    """What is found by these measures, or by those that can be had, and why others cannot."""
    try:
        return found(names), []
    except ModuleNotFoundError:
        left = [name for name in names if name not in NEEDS_ALIGNMENT]
        return found(left), [f"{LEFT_OUT} The command “{command}” gives them."]


def _scored(key: Path, response: Path, names: Iterable[str], chosen: Mapping[str, str]) -> Report:
    report = corefeval.evaluate(key, response, names, **cast(Options, chosen))
    _ = report.total, report.documents  # counted here, where what is missing shows
    return report


def _row(name: str, score: Score) -> dict[str, Any]:
    cells = [percent(part) for part in score.exact[:3]]
    return {"name": name, "title": MEASURES[name].title, "cells": cells}
