"""What the playground shows of a key and a response that are typed: a drawing, scores, overlaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from corefbook.alignment import align
from corefbook.draw import overlap
from corefbook.pages import terms
from corefbook.pages.answers import Answer, answers, fold, html_table, scrolling
from corefbook.tables import Table
from corefeval.conventions import CHOICES, Conventions
from corefeval.display import percent
from corefeval.errors import CorefError
from corefeval.measures.ceaf import phi3, phi4
from corefeval.overlap.alignment import EXACT_SIZE, Similarity, best_sum
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.overlap.no_overlap import SidesApart
from corefeval.overlap.partition import Mention, Partition
from corefeval.overlap.repeats import REPEATS
from corefeval.registry import MEASURES, SUITES, Measure
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
OTHERS = [measure for measure in MEASURES.values() if measure not in STANDARD]

OFFERED = {
    name: {choice: text for choice, text in CHOICES[name].items() if choice not in REPEATS}
    for name in ("singletons", "twinless", "repeated", "zero")
}
"""The conventions of one key and one response, first what is chosen most often."""

PARTS = ("recall", "precision", "f1")
CAPTION = "The pairs that share a mention; those of the best alignment have a ✓."
HEADS = ("measure", "recall", "precision", "F1")


@answers
def drawing(key: str, response: str, **chosen: str) -> Answer:
    """The key and the response, drawn.

    It is apart from `every_score` because many large entities that cross take seconds to lay out.

    >>> drawing("{a b}", "{a} {b}").html[:4], drawing("{}", "{a}").html
    ('<svg', '')
    """
    try:
        sides = read(key, response, **chosen)
    except CorefError:  # `every_score` says it
        return Answer("")
    if not any(sides):
        return Answer("", "<p>There is no mention to draw.</p>")
    short = _short([mention for side in sides for mention in side.mentions])
    shown = [Partition([[short[m] for m in entity] for entity in side]) for side in sides]
    return Answer("", overlap(*shown).svg)


@answers
def every_score(key: str, response: str, **chosen: str) -> Answer:
    """Every measure, those of the standard suite first.

    ``key`` and ``response`` are texts in the notation ``{a b} {c}``, keywords choose conventions.

    >>> found = every_score("{a b c}", "{a b} {c d}")
    >>> found.told, "1 of 2" in found.html
    ('The CoNLL score is 54.05%.', True)
    >>> every_score("{a b", "{a}").told
    "key: cannot read '{a b': expected {a b} {c}, found '{a b'"
    """
    sides = read(key, response, **chosen)
    conventions = _conventions(chosen)
    rows, scored = {}, []
    for measure in (*STANDARD, *OTHERS):
        try:
            score = metric(measure.name, **conventions)(*sides)
        except CorefError as error:  # a choice that this measure cannot follow
            cells = f'<td colspan="3">{escape(str(error))}</td>'
        else:
            scored.append(Metric.of(measure.name, Conventions(**conventions)))
            cells = _cells(score)
        rows[measure] = _row(measure, cells)
    table, choice = Contingency.of(*sides), Conventions(**conventions)
    signature = Report({choice: {"typed": Tables.alike(table)}}, scored, choice).short_signature
    standard, others = (
        html_table(label, HEADS, [rows[measure] for measure in measures])
        for label, measures in (("The measures", STANDARD), ("The other measures", OTHERS))
    )
    parts = [
        _note(table, *sides),
        standard,
        fold("others", f"The other {len(OTHERS)} measures", others),
        f"<p><code>{escape(signature)}</code></p>",
    ]
    average = metric("conll", **conventions)(*sides).exact.value
    return Answer(f"The CoNLL score is {percent(average)}%.", "\n".join(parts))


@answers
def reasons(key: str, response: str, why: str = "", **chosen: str) -> Answer:
    """The terms that the counts of the measure ``why`` are the sum of.

    >>> found = reasons("{a b c}", "{a b} {c d}", "muc").html
    >>> "K1 ∩ R1, n = 2, k = 3, r = 2" in found
    True
    """
    if why not in MEASURES:
        return Answer("")
    try:
        table = Contingency.of(*read(key, response, **chosen))
    except CorefError:  # `every_score` says it
        return Answer("")
    label = f"The terms of {MEASURES[why].title}"
    return Answer("", scrolling(label, terms.term_tables(why, table, **_conventions(chosen))))


@answers
def overlaps(key: str, response: str, **chosen: str) -> Answer:
    """A row for each pair of entities that share a mention, and which pairs are aligned.

    It is of the sides as they are typed: ``twinless`` is applied after it.

    >>> found = overlaps("{a b c}", "{a b} {c d}").html
    >>> "a b" in found, "✓ 4/5" in found
    (True, True)
    """
    try:
        sides = read(key, response, **chosen)
    except CorefError:  # `every_score` says it
        return Answer("")
    table = Contingency.of(*sides)
    best = [set(align(table, similarity)) for similarity in SIMILARITIES.values()]
    rows = []
    for (i, j), n in sorted(table.pairs.items()):
        k, r = (side.sizes[at] for side, at in zip(sides, (i, j), strict=True))
        shared = [each for each in sides[0].entities[i] if sides[1].entity_of.get(each) == j]
        alike = [
            "✓ " * ((i, j) in aligned) + str(similarity(n, k, r))
            for aligned, similarity in zip(best, SIMILARITIES.values(), strict=True)
        ]
        rows.append([f"K{i + 1}", f"R{j + 1}", " ".join(map(str, shared)), n, k, r, *alike])
    sums = [str(best_sum(table, similarity)) for similarity in SIMILARITIES.values()]
    footer = ["sum, ✓", "", "", "", "", "", *sums]
    head = ["key", "response", "shared", "n", "k", "r", *SIMILARITIES]
    return Answer("", scrolling("The overlap table", Table(head, rows, CAPTION, footer).html()))


def read(
    key: str, response: str, repeated: str = "", singletons: str = "", **_: str
) -> tuple[Partition, Partition]:
    """The partitions that are typed.

    Raises `CorefError` that says what is wrong with each side.
    """
    sides, wrong = {}, []
    for side, text in (("key", key), ("response", response)):
        try:
            sides[side] = _read(text, repeated or "error", singletons)
        except CorefError as error:
            wrong.append(f"{side}: {error}")
    if wrong:
        raise CorefError("\n".join(wrong))
    return sides["key"], sides["response"]


def _read(text: str, repeated: str, singletons: str) -> Partition:
    if quoted := re.search(r"\"[^\"{}]*\s[^\"{}]*\"", text):
        joined = "_".join(quoted[0].strip('"').split())
        raise CorefError(
            f"{quoted[0]} would be several mentions, quotes or not: blanks part mentions. "
            f"Write {joined}, or any other single word"
        )
    partition = Partition.parse(text, repeated=repeated)
    if len(partition.mentions) > MOST_MENTIONS:
        raise CorefError(
            f"{len(partition.mentions)} mentions: expected {MOST_MENTIONS} at most; the library "
            "and its command take any number"
        )
    return partition.without_singletons() if singletons == "drop" else partition


def _conventions(chosen: Mapping[str, str]) -> dict[str, Any]:
    """The conventions that were chosen; an empty field is the default."""
    return {name: choice for name, choice in chosen.items() if name in OFFERED and choice}


def _note(table: Contingency, key: Partition, response: Partition) -> str:
    """The warning of `corefeval.evaluate`, if two sides have no mention in common."""
    if not key.mentions or not response.mentions or table.shared_mentions:
        return ""
    warning = SidesApart.of_document("typed", (key, response)).message()
    return f'<p class="warned">{escape(warning)}</p>'


def _short(mentions: Iterable[Mention]) -> dict[Mention, Mention]:
    """The text of each mention: a long one would make the others too small to read."""
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


# ----------------------------------------------------------------------------------- measures


def _row(measure: Measure, cells: str) -> str:
    at = f"measure-{measure.name}".replace("_", "-")
    link = f'<a href="measures.html#{at}">{measure.title}</a>'
    return (
        f'<tr data-measure="{measure.name}"><th scope="row">{link} <code>{measure.name}</code></th>'
        f"{cells}</tr>\n"
    )


def _cells(score: Score) -> str:
    """Recall, precision and F1, or the value of a measure that has none of them."""
    if score.exact.value is not None and score.exact.f1 is None:
        return f'<td colspan="3">{_number(score.exact.value)} value</td>'
    return "".join(
        f"<td>{_number(score.exact.parts.get(part), _counts(score, part))}</td>" for part in PARTS
    )


def _number(value: Number | None, counts: str = "") -> str:
    """In percent, and exactly; with the counts before they are reduced."""
    if value is None:
        return "—"
    exact = "" if isinstance(value, float) else exactly(value)
    small = "".join(f"<small>{text}</small>" for text in (exact, counts) if text)
    return f"{percent(value)}% {small}"


def _counts(score: Score, part: str) -> str:
    """Hits and total of recall or precision, where the measure counts them exactly."""
    tally = getattr(score.counts, part, None) if isinstance(score.counts, Pair) else None
    if not isinstance(tally, Tally) or isinstance(tally.total, float):
        return ""
    return f"{tally.hits} of {tally.total}"
