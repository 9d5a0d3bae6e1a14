"""Which scorer printed a number: what `corefeval.explain` says of it, for the book's page.

The page runs this module in the reader's browser. Answers are made of texts and lists, so that
they can be sent as JSON.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from itertools import groupby
from typing import Any

from companion.pages.playground import STANDARD
from companion.pages.two_files import files, without_scipy
from corefeval.analysis.explain import explain
from corefeval.analysis.explanation import Explanation, Hit
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
            f"{find(name).title} {percent(score.exact.value)}" for name, score in found.ours.items()
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
        return without_scipy(lambda names: explain(*paths, names), names, "corefeval explain")


def _rule(found: Explanation, hit: Hit) -> str:
    return found.reasons.get(hit.scorer, {}).get(hit.measure, OURS)


def _kind(found: Explanation) -> Any:
    return lambda hit: (hit.measure, hit.part, _rule(found, hit), hit.how, percent(hit.value))


def _sorted(found: Explanation, hits: list[Hit]) -> list[Hit]:
    """By measure in our order, and those by our rules first."""
    order = list(found.ours)

    def place(hit: Hit) -> tuple[Any, ...]:
        rule = _rule(found, hit)
        return order.index(hit.measure), hit.part, rule != OURS, rule, hit.how, hit.value

    return sorted(hits, key=place)


def _entry(found: Explanation, hits: list[Hit]) -> dict[str, Any]:
    measure, part, rule, how, shown = _kind(found)(hits[0])
    title = _title(measure, part)
    scorers = [hit.scorer for hit in hits if hit.scorer in bundles()]
    ours = percent(found.ours[measure].exact.parts[part])
    instead = "" if shown == ours and how == "rounded" else f"{title} {ours}"
    if instead and rule != OURS:
        instead += (
            ", by the reference scorer’s rules; or name the scorer, and score with "
            f"“--like {scorers[0]}”."
        )
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
    hits = sorted(found.truncations(printed), key=lambda hit: (hit.measure, hit.part, hit.value))
    return [
        f"For the same score, {', '.join(hit.scorer for hit in group)} print "
        f"{_title(measure, part)} {percent(value)}: they cut decimals off."
        for (measure, part, value), group in groupby(hits, lambda hit: hit[1:4])
    ]


def _near(found: Explanation, printed: str) -> list[str]:
    """A sentence for each of the nearest numbers."""
    return [
        f"Near it, and not equal: {_title(each.measure, each.part)} {percent(each.value)}, of "
        f"{', '.join(each.scorers)} ({each.rule})."
        for each in found.nearest(printed)
    ]
