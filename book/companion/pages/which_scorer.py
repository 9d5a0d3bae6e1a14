"""Which scorer printed a number: what `corefeval.explain` says of it, for the book's page.

The page runs this module in the reader's browser. Answers are made of texts and lists, so that
they can be sent as JSON.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any

from companion.pages.playground import STANDARD
from companion.pages.two_files import files, without_scipy
from corefeval.analysis.explain import SCORERS_THAT_CUT, Explanation, Hit, explain
from corefeval.analysis.number_match import Printed, cut_by_perl
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.registry import find
from corefeval.scorers.bundles import bundles

PARTS = {"recall": "recall", "precision": "precision", "f1": "F1", "value": ""}
OURS = "as the reference scorer counts"


def answers(
    key: bytes,
    response: bytes,
    printed: str,
    key_name: str = "key",
    response_name: str = "response",
) -> dict[str, Any]:
    """What a printed number is, and by whose rules.

    ``found`` has an entry for each measure, part and rule by which some scorer prints the number:
    the ``scorers``, the ``rule``, and what to write ``instead``, which is nothing where that is
    the same number. ``more`` says who prints another number for the same score because decimals are
    cut off and, where nothing is found, which numbers are near. ``scores`` has our own. ``note``
    names measures that could not be computed. What cannot be read raises nothing: ``error`` then
    has the message.

    >>> lines = b"#begin document (d); part 000\\nAnn\\t(0)\\nher\\t(0)\\n#end document\\n"
    >>> split = lines.replace(b"her\\t(0)", b"her\\t(1)")
    >>> found = answers(lines, split, "66.67")["found"]
    >>> found[0]["what"], found[0]["rule"]
    ('B³ F1 66.67', 'as the reference scorer counts')
    >>> answers(lines, split, "two thirds")["error"]
    "'two thirds' is no number like 83.33 or 0.8333"
    """
    try:
        found, notes = explained(bytes(key), bytes(response), key_name, response_name)
        hits = found.hits(printed)
    except CorefError as error:
        return {"error": str(error)}
    return {
        "found": [
            _entry(found, list(group)) for _, group in groupby(_sorted(found, hits), _kind(found))
        ],
        "more": _cut_off(found, printed) + ([] if hits else _near(found, printed)),
        "scores": [
            f"{find(name).title} {percent(found.ours[name].exact.value)}" for name in found.measures
        ],
        "scorers": len(found.scores),
        "note": " ".join(notes),
    }


@lru_cache(maxsize=1)
def explained(
    key: bytes, response: bytes, key_name: str, response_name: str
) -> tuple[Explanation, list[str]]:
    """Every scorer's scores of two files, and why some measures are left out.

    The last pair's are kept, because readers ask for several numbers of the same files.

    Raises `CorefError` where a file cannot be read.
    """
    names = [measure.name for measure in STANDARD]
    with files(key, response, key_name, response_name) as paths, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the scores told them
        found, notes = without_scipy(
            lambda names: explain(*paths, names), names, "corefeval explain"
        )
    doubts = [f"{each}." for each in found.strange if each.kind == "zero"]
    return found, [*notes, *doubts]


def _ours(measure: str) -> str:
    """By whose rules we score; the reference scorer has no LEA."""
    return "as its paper defines it" if measure == "lea" else OURS


def _rule(found: Explanation, hit: Hit) -> str:
    return found.reasons.get(hit.scorer, {}).get(hit.measure, _ours(hit.measure))


def _kind(found: Explanation) -> Any:
    return lambda hit: (hit.measure, hit.part, _rule(found, hit), hit.how, percent(hit.value))


def _sorted(found: Explanation, hits: list[Hit]) -> list[Hit]:
    """Sort numbers by measure in our order, those by our rules first."""

    def place(hit: Hit) -> tuple[Any, ...]:
        rule, order = _rule(found, hit), found.measures.index(hit.measure)
        return order, hit.part, rule != _ours(hit.measure), rule, hit.how, hit.value

    return sorted(hits, key=place)


def _entry(found: Explanation, hits: list[Hit]) -> dict[str, Any]:
    measure, part, rule, how, shown = _kind(found)(hits[0])
    title = _title(measure, part)
    scorers = [hit.scorer for hit in hits if hit.scorer in bundles()]
    ours = percent(found.ours[measure].exact.parts[part])
    instead = "" if shown == ours and how == "rounded" else f"{title} {ours}"
    if instead and rule != _ours(measure):
        instead += f", {_ours(measure)}; or name the scorer, and score with “--like {scorers[0]}”."
    return {
        "what": f"{title} {shown}" + ", cut off" * (how == "cut off"),
        "scorers": scorers,
        "rule": rule,
        "instead": instead,
    }


def _title(measure: str, part: str) -> str:
    return " ".join(filter(None, (find(measure).title, PARTS[part])))


def _cut_off(found: Explanation, printed: str) -> list[str]:
    """A sentence for each number that is printed for the same score by scorers that cut."""
    wanted, of = Printed.of(printed), defaultdict(list)
    for scorer in found.scores:
        if bundles()[scorer].scorer not in SCORERS_THAT_CUT:
            continue
        for name, score in found.scores[scorer].items():
            for part, value in cut_by_perl(score).items():
                exact = Fraction(score.exact.parts[part])
                if wanted.how(exact) and not wanted.how(value):
                    of[f"{_title(name, part)} {percent(value)}"].append(scorer)
    return [
        f"For the same score, {', '.join(scorers)} print {what}: they cut decimals off."
        for what, scorers in of.items()
    ]


def _near(found: Explanation, printed: str) -> list[str]:
    """A sentence for each of the nearest numbers, and all who print it by the same rule."""
    told = []
    for near in found.nearest(printed):
        kind, shown = _kind(found)(near), percent(near.value)
        scorers = [hit.scorer for hit in found.hits(shown) if _kind(found)(hit) == kind]
        title = _title(near.measure, near.part)
        told.append(
            f"Near it, and not equal: {title} {shown}, of {', '.join(scorers)} ({kind[2]})."
        )
    return told
