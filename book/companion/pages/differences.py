"""Why scorers print other numbers than ours for two files: a table, for the book's page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.pages.playground import in_page_words
from companion.pages.which_scorer import explained
from corefeval.analysis.explanation import Explanation, matrix, stated
from corefeval.errors import CorefError
from corefeval.registry import find
from corefeval.score import Score


def differences(
    key: bytes, response: bytes, key_name: str = "key", response_name: str = "response"
) -> dict[str, Any]:
    """Our scores, and how far those of every scorer are from them, in points.

    ``rows`` have the scorers that give the same numbers, and a cell for each measure: the
    difference, a dot where there is none, or nothing where they do not compute it. ``reasons`` have
    what makes the difference, once, with scorers and measures; ``alike`` the scorers that give
    our numbers; ``none`` why a scorer gives none. Files that cannot be read raise nothing:
    ``error`` then has the message.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> found = differences(lines, lines.replace(b"her\\t(0)", b"her\\t(1)"))
    >>> found["head"][1:3], found["ours"][1:3]
    (['Mention detection', 'MUC'], ['100.00', '0.00'])
    >>> [row["cells"][3] for row in found["rows"] if "e2e@9d1ee19" in row["scorers"]]
    ['−66.67']
    """
    try:
        found, notes = explained(bytes(key), bytes(response), key_name, response_name)
    except CorefError as error:
        return {"error": in_page_words(str(error))}
    found = found._replace(ours=_conll_first(found.ours))
    _, ours, *others = matrix(found).lines
    return {
        "head": [find(name).title for name in found.ours],
        "ours": ours[1:],
        "rows": _rows(others),
        "reasons": _reasons(found),
        "alike": [stated(scorer) for scorer, why in found.reasons.items() if not why],
        "none": [[stated(scorer), why] for scorer, why in (found.failures | found.unknown).items()],
        "notes": notes,
    }


def _conll_first(scores: Mapping[str, Score]) -> dict[str, Score]:
    """On a narrow screen the CoNLL score stays in sight."""
    return dict(sorted(scores.items(), key=lambda each: each[0] != "conll"))


def _rows(lines: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """Scorers that give the same numbers in one row."""
    by_cells: dict[tuple[str, ...], list[str]] = {}
    for scorer, *cells in lines:
        by_cells.setdefault((*cells,), []).append(scorer)
    return [{"scorers": scorers, "cells": [*cells]} for cells, scorers in by_cells.items()]


def _reasons(found: Explanation) -> list[dict[str, str]]:
    """Each reason once; that of a mean is the reason of its parts."""
    by_reason: dict[str, dict[str, list[str]]] = {}
    for scorer, reasons in found.reasons.items():
        for name, reason in reasons.items():
            if not find(name).parts:
                by_reason.setdefault(reason, {}).setdefault(scorer, []).append(find(name).title)
    return [
        {"reason": reason, "scorers": "; ".join(_together(scorers.items()))}
        for reason, scorers in by_reason.items()
    ]


def _together(scorers: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Scorers by the measures that are concerned."""
    by_measures: dict[str, list[str]] = {}
    for scorer, measures in scorers:
        by_measures.setdefault(", ".join(measures), []).append(scorer)
    return [f"{', '.join(names)} ({measures})" for measures, names in by_measures.items()]
