"""Why scorers print other numbers than ours for two files: a table, for the book's page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.pages.playground import in_page_words
from companion.pages.which_scorer import explained
from corefeval.analysis.explain import Explanation
from corefeval.errors import CorefError
from corefeval.registry import find
from corefeval.scorers.bundles import bundles


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
    # On a narrow screen the CoNLL score stays in sight.
    found = replace(found, measures=sorted(found.measures, key=lambda name: name != "conll"))
    ours = found.table().lines[1]
    differ = {_stated(scorer) for scorer, why in found.reasons.items() if why}
    rows = [{"scorers": names, "cells": [*cells]} for cells, names in found.alike.items()]
    return {
        "head": [find(name).title for name in found.measures],
        "ours": ours[1:],
        "rows": [row for row in rows if differ.issuperset(row["scorers"])],
        "reasons": _reasons(found),
        "alike": [_stated(scorer) for scorer, why in found.reasons.items() if not why],
        "none": [[_stated(scorer), why] for scorer, why in found.unknown.items()],
        "notes": notes,
    }


def _stated(scorer: str) -> str:
    """A scorer's name, and which state of it is meant."""
    return bundles()[scorer].stated


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
