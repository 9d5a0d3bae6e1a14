"""All that the book's playground shows of a key and a response, but for its looks.

The page runs this module in the reader's browser. Answers are made of texts, numbers and lists,
so that they can be sent as JSON; what the page shows, it has from here.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

import corefeval
from companion.alignment import align
from companion.draw import overlap
from companion.pages import terms
from corefeval.alignment import EXACT_SIZE, Similarity, best_sum
from corefeval.contingency import Contingency, Tables
from corefeval.conventions import CHOICES, OF_A_CORPUS, Chosen, Conventions
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.measures.ceaf import phi3, phi4
from corefeval.no_overlap import SidesApart
from corefeval.partition import Mention, Partition
from corefeval.registry import MEASURES, SUITES, Measure
from corefeval.repeats import REPEATS
from corefeval.report import Report
from corefeval.score import Number, Pair, Score, Tally, exactly
from corefeval.scoring import Metric, metric

MOST_MENTIONS = 2 * EXACT_SIZE
"""So many a side, because then no alignment needs SciPy, which is not in the browser.

A connected component with more than `EXACT_SIZE` entities on both sides has at least
2 `EXACT_SIZE` + 1 pairs of overlapping entities, and each pair shares a mention of its own.
"""

LONGEST = 28
"""Letters of a mention that a drawing writes."""

SIMILARITIES: dict[str, Similarity] = {
    "φ₃": phi3,
    "φ₄": phi4,
}
"""What the alignments of CEAFₘ and of CEAFₑ add up (Luo 2005)."""

STANDARD = [MEASURES[name] for name in SUITES["standard"]]
MEASURES_SHOWN = [*STANDARD, *(m for m in MEASURES.values() if m not in STANDARD)]

BY_USE = ("singletons", "twinless", "repeated", "zero", "average", "missing")
"""The conventions, first what is chosen most often; `CHOICES` has them by their names."""

OFFERED = {
    name: {choice: text for choice, text in CHOICES[name].items() if choice not in REPEATS}
    for name in BY_USE
    if name not in OF_A_CORPUS
}
"""What may be chosen for one key and one response that are typed."""

OFFERED_FOR_FILES = {
    name: OFFERED.get(name, CHOICES[name])
    for name in ("singletons", "twinless", "repeated", "missing", "zero")
}
"""What may be chosen for two files."""

NAMES = "|".join(OFFERED | OFFERED_FOR_FILES)
OPTION, KEYWORD = rf"({NAMES}) (\w+)", rf"""({NAMES})=["'](\w+)["']"""
"""How the library's messages name a choice: on the command line and in Python."""

PARTS = ("recall", "precision", "f1", "value")


def about() -> str:
    """What computes: the versions of the library and of Python.

    >>> about()  # doctest: +ELLIPSIS
    'corefeval ... on Python 3...'
    """
    return f"corefeval {corefeval.__version__} on Python {platform.python_version()}"


def scores(key: str, response: str, **chosen: str) -> dict[str, Any]:
    """The overlap table, the best alignments and every measure.

    ``key`` and ``response`` are texts in the notation ``{a b} {c}``, keywords choose conventions.
    ``overlap`` has a row per overlapping pair of entities, its φ₃ and φ₄, and whether the best
    alignment by each has the pair; ``alignments`` has the sums. Both are of the partitions as
    given: ``twinless`` is applied after them. ``measures`` has a row per measure, those of the
    standard suite first and marked ``standard``: recall, precision, F1 and value, each None or a
    ratio, or why it is ``refused``. ``signature`` is the short one, as the command
    prints it; ``note`` is for two sides that share no mention, and empty otherwise.

    Input that cannot be read raises nothing: ``errors`` then has the message for each side, in
    the words of the page.

    Raises `CorefError` for a convention or a choice that does not exist.

    >>> found = scores("{a b c}", "{a b} {c d}")
    >>> found["overlap"][0]["shared"], found["alignments"][0]
    (['a', 'b'], {'similarity': 'φ₃', 'sum': '2'})
    >>> found["measures"][1]["recall"]
    {'percent': '50.00', 'exact': '1/2', 'counts': '1 of 2'}
    >>> scores("{a}", "{b}")["note"][:44]
    'the key and the response share no mention: t'
    >>> scores("{a b", "{a}")["errors"]
    {'key': "cannot read '{a b': expected {a b} {c}, found '{a b'"}
    """
    choice = Conventions(**chosen)
    sides, errors = _sides(key, response, choice)
    if errors:
        return {"errors": errors}
    table = Contingency.of(sides["key"], sides["response"])
    rows = [_measured(measure, sides, chosen) for measure in MEASURES_SHOWN]
    scored = [Metric.of(row["name"], choice) for row in rows if "refused" not in row]
    return {
        "overlap": _rows(table, **sides),
        "alignments": [
            {"similarity": name, "sum": str(best_sum(table, similarity))}
            for name, similarity in SIMILARITIES.items()
        ],
        "measures": rows,
        "signature": Report(
            {choice: {"typed": Tables.alike(table)}}, scored, choice
        ).short_signature,
        "note": _note(table, **sides),
    }


def _note(table: Contingency, key: Partition, response: Partition) -> str:
    """What `corefeval.evaluate` would warn of: two sides without a mention in common."""
    if not key.mentions or not response.mentions or table.shared_mentions:
        return ""
    return SidesApart.of_document("typed", (key, response)).told()


def drawing(key: str, response: str, **chosen: str) -> str:
    """The key and the response as SVG; nothing where there is no mention or an error.

    It is apart from `scores` because many large entities that cross take seconds to lay out.

    >>> drawing("{a b}", "{a} {b}")[:4], drawing("{}", "{a}"), drawing("", "")
    ('<svg', '', '')
    """
    sides, errors = _sides(key, response, Conventions(**chosen))
    if errors or not any(sides.values()):
        return ""
    short = _short([*sides["key"].mentions, *sides["response"].mentions])
    return overlap(
        *(Partition([[short[m] for m in entity] for entity in side]) for side in sides.values())
    ).svg


def _short(mentions: Iterable[Mention]) -> dict[Mention, Mention]:
    """What is written for each mention: a long one would make the others too small to read."""
    written: dict[Mention, Mention] = {}
    for mention in mentions:
        text = str(mention)
        if len(text) <= LONGEST:
            written[mention] = mention
        elif mention not in written:
            begin = f"{text[: LONGEST - 8]}…{text[-6:]}"
            alike = sum(str(each).startswith(begin) for each in written.values())
            written[mention] = begin + f" ({alike + 1})" * bool(alike)
    return written


def why(key: str, response: str, **chosen: str) -> dict[str, Any]:
    """The terms of every measure, see `companion.pages.terms`; none where a side cannot be read.

    >>> [hits, *_] = why("{a b c}", "{a b} {c d}")["muc"]
    >>> [term["of"] for term in hits["terms"]], hits["sum"]
    (['K1 ∩ R1', 'K1 ∩ R2'], '1')
    """
    sides, errors = _sides(key, response, Conventions(**chosen))
    return {} if errors else terms.shown(Contingency.of(sides["key"], sides["response"]), **chosen)


def in_page_words(message: str) -> str:
    """A message of the library that names menus in place of options and keyword arguments.

    >>> in_page_words('repeated="first" keeps it in the first, repeated="merge" joins the two')
    '“repeated: first” under Conventions keeps it in the first, “repeated: merge” joins the two'
    >>> in_page_words('or pass --repeated first (in Python repeated="first") to keep it')
    'or choose “repeated: first” under Conventions to keep it'
    >>> in_page_words("choose missing='empty' (--missing empty)")
    'choose “missing: empty” under Conventions'
    """
    message = re.sub(rf"pass --{OPTION} \(in Python [^)]*\)", r'choose \1="\2"', message)
    message = re.sub(rf" \(--({NAMES})( \w+)?\)", "", message)
    message = re.sub(f"--{OPTION}", r'\1="\2"', message)
    for place, count in ((" under Conventions", 1), ("", 0)):
        message = re.sub(rf"\b{KEYWORD}", rf"“\1: \2”{place}", message, count=count)
    return message


def _sides(
    key: str, response: str, choice: Conventions
) -> tuple[dict[str, Partition], dict[str, str]]:
    """The partitions, and what is wrong, by side."""
    sides: dict[str, Partition] = {}
    errors: dict[str, str] = {}
    for side, text in (("key", key), ("response", response)):
        try:
            sides[side] = _read(text, choice)
        except CorefError as error:
            errors[side] = in_page_words(str(error))
    return sides, errors


def _read(text: str, choice: Conventions) -> Partition:
    if quoted := re.search(r"\"[^\"{}]*\s[^\"{}]*\"", text):
        joined = "_".join(quoted[0].strip('"').split())
        raise CorefError(
            f"{quoted[0]} would be several mentions, quotes or not: blanks part mentions. "
            f"Write {joined}, or any other single word"
        )
    partition = Partition.parse(text, repeated=choice.repeated)
    if len(partition.mentions) > MOST_MENTIONS:
        raise CorefError(
            f"{len(partition.mentions)} mentions: expected {MOST_MENTIONS} at most; the library "
            "and its command take any number"
        )
    return partition.without_singletons() if choice.singletons == "drop" else partition


def _rows(table: Contingency, key: Partition, response: Partition) -> list[dict[str, Any]]:
    best = {name: set(align(table, similarity)) for name, similarity in SIMILARITIES.items()}
    entities = key.entities
    rows = []
    for (i, j), n in sorted(table.pairs.items()):
        k, r = key.sizes[i], response.sizes[j]
        rows.append(
            {
                "key": f"K{i + 1}",
                "response": f"R{j + 1}",
                "shared": [
                    mention for mention in entities[i] if response.entity_of.get(mention) == j
                ],
                "n": n,
                "k": k,
                "r": r,
                "similarities": [
                    {"exact": str(similarity(n, k, r)), "chosen": (i, j) in best[name]}
                    for name, similarity in SIMILARITIES.items()
                ],
            }
        )
    return rows


def _measured(
    measure: Measure, sides: Mapping[str, Partition], chosen: Mapping[str, str]
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": measure.name,
        "title": measure.title,
        "standard": measure in STANDARD,
    }
    try:
        score = metric(measure.name, **cast(Chosen, chosen))(**sides)
    except CorefError as error:  # a choice that this measure cannot follow
        return row | {"refused": in_page_words(str(error))}
    return row | {part: _ratio(score.exact.parts.get(part), _counts(score, part)) for part in PARTS}


def _ratio(value: Number | None, counts: str) -> dict[str, str] | None:
    """A ratio for people; one with logarithms or roots has no exact form."""
    if value is None:
        return None
    exact = "" if isinstance(value, float) else exactly(value)
    return {"percent": percent(value), "exact": exact, "counts": counts}


def _counts(score: Score, part: str) -> str:
    """Hits and total of recall or precision, where the measure counts them exactly."""
    tally = getattr(score.counts, part, None) if isinstance(score.counts, Pair) else None
    if not isinstance(tally, Tally) or isinstance(tally.total, float):
        return ""
    return f"{tally.hits} of {tally.total}"
