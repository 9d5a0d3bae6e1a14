"""What public archives' responses have right: counts of data/real, whose README has their source.

A `FileRow` is a row of a file: what one measure counts of one response in one document, or in all
together. `report` makes a report of such counts, which scores, draws and compares like any other;
`corefbook.studies.chances` draws their documents. The ledger has what archives print of them.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from corefbook.draw import coloured
from corefbook.draw.heat import Heat
from corefbook.ledger import DATA
from corefbook.tables import Table
from corefeval.conventions import Conventions
from corefeval.errors import CorefError
from corefeval.measures.averages import Average
from corefeval.measures.blanc import LinkClasses
from corefeval.overlap.contingency import Tables
from corefeval.registry import MEASURES
from corefeval.report import EMPTY, Report
from corefeval.score import Exact, Pair, Score, Tally
from corefeval.scoring import Metric

FOLDER = DATA / "real"
ARCHIVES = ("cdcr-corpora", "hypercoref", "wiki-grounded", "gum")
COUNTED = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
ATTRIBUTED = ("muc", "b3", "blanc", "lea")
"""Measures whose losses belong to entities in one way only; CEAF's depend on its alignment."""


class FileRow(NamedTuple):
    """A row of a file."""

    corpus: str
    scope: str
    """What is scored by itself: "corpus", "topics", "subtopics" or "documents"."""
    conventions: str
    """Choices that are not the defaults, as in a signature."""
    response: str
    document: str
    """The unit's number; nothing for the sum of all."""
    measure: str
    numbers: str


def path(archive: str) -> Path:
    """The file of an archive."""
    return FOLDER / f"{archive}.csv.xz"


def lines(archive: str) -> Iterator[FileRow]:
    """Every row of an archive's file."""
    with lzma.open(path(archive), "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        yield from map(FileRow._make, rows)


# From rows to scores


@cache
def _of(archive: str) -> dict[tuple[str, ...], dict[str, dict[str, str]]]:
    """The numbers of an archive by response, measure and document."""
    numbers_of: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    for line in lines(archive):
        of_response = numbers_of.setdefault(line[:4], {})
        of_response.setdefault(line.measure, {})[line.document] = line.numbers
    return numbers_of


def responses(archive: str, corpus: str, scope: str = "corpus", conventions: str = "") -> list[str]:
    """The names of the responses to a corpus that were counted.

    >>> responses("wiki-grounded", "wiki", "documents")
    ['aralikatte', 'clark', 'lee', 'links-nothing']
    """
    wanted = corpus, scope, conventions
    names = [place[3] for place, of in _of(archive).items() if place[:3] == wanted and "b3" in of]
    if not names:
        raise CorefError(f"{archive} has no counts of {corpus} by {scope} ({conventions})")
    return sorted(names)


def rows(
    archive: str, corpus: str, response: str, scope: str = "corpus", conventions: str = ""
) -> Mapping[str, Mapping[str, str]]:
    """The stored numbers of a response, by measure and document, as text."""
    place = corpus, scope, conventions, response
    if place not in _of(archive):
        raise CorefError(f"{archive} has no counts of {' '.join(place)}")
    return _of(archive)[place]


def whole(archive: str, corpus: str, response: str, of: str, scope: str = "corpus") -> list[int]:
    """The integers that are stored of a response under a name, for all documents.

    Under ``"entities.key"`` these are the key's entities, its singletons, the largest's mentions.

    >>> whole("cdcr-corpora", "fcc", "lemma", "entities.key", "documents")
    [672, 479, 9]
    """
    return [int(number) for number in rows(archive, corpus, response, scope)[of][""].split()]


def counts(measure: str, numbers: str) -> Any:
    """What a measure counts, from its numbers.

    >>> counts("muc", "3 6 3 5").score(Conventions())
    recall 1/2, precision 3/5, f1 6/11
    """
    exact: list[Exact] = [Fraction(each) if "/" in each else int(each) for each in numbers.split()]
    tallies = [Tally(*pair) for pair in zip(exact[::2], exact[1::2], strict=True)]
    pairs = [Pair(*pair) for pair in zip(tallies[::2], tallies[1::2], strict=True)]
    return LinkClasses(*pairs) if measure == "blanc" else pairs[0]


class Stored(Report):
    """A report of counts that were stored, in place of documents' tables."""

    def __init__(self, stored: Mapping[str, Mapping[str, Any]], choice: Conventions) -> None:
        names = [*COUNTED, "conll"]
        empty: dict[Any, Tables] = dict.fromkeys(stored, EMPTY)
        super().__init__({choice: empty}, [Metric.of(n, choice) for n in names], choice)
        self._stored = stored

    @cached_property
    def counts(self) -> Mapping[Any, Mapping[str, Any]]:
        """What each measure counts in each document."""
        return self._stored

    @cached_property
    def total(self) -> Mapping[str, Score]:
        """The score of each measure over all documents."""
        summed = dict(next(iter(self._stored.values())))
        for document in list(self._stored.values())[1:]:
            summed = {name: summed[name] + document[name] for name in summed}
        return {name: m.score_of(summed[name], False) for name, m in self.metrics.items()}


def report(
    archive: str, corpus: str, response: str, scope: str = "corpus", conventions: str = ""
) -> Report:
    """The report of a response made of its stored counts, by document where these were kept.

    What an archive does not have is refused.

    >>> report("cdcr-corpora", "fcc", "feature.0", "documents")["muc"].exact.f1.limit_denominator(9)
    Fraction(5, 8)
    """
    stored: dict[str, dict[str, Any]] = {}
    of_response = rows(archive, corpus, response, scope, conventions)
    for measure in COUNTED:
        for document, numbers in of_response[measure].items():
            stored.setdefault(document, {})[measure] = counts(measure, numbers)
    for scored in stored.values():
        scored["conll"] = Average(scored["muc"], scored["b3"], scored["ceafe"])
    chosen = dict(word.split("=") for word in conventions.split())
    return Stored(stored, Conventions(**chosen))


def f1(
    archive: str, corpus: str, response: str, scope: str = "corpus", conventions: str = ""
) -> dict[str, Fraction]:
    """The F1 of each measure, in points."""
    scores = report(archive, corpus, response, scope, conventions).total
    return {
        name: 100 * Fraction(score.exact.value)
        for name, score in scores.items()
        if name != "mentions"
    }


def units(corpus: str, scope: str) -> Mapping[str, str]:
    """The unit of each document of a corpus of cdcr-corpora: "joined", "subtopics" or "topics".

    >>> len(set(units("ecbp", "subtopics").values())), len(set(units("gvc", "joined").values()))
    (20, 34)
    """
    return rows("cdcr-corpora", corpus, "", "documents")[f"unit.{scope}"]


def configurations(topics: str = "p") -> list[str]:
    """The configurations of hypercoref, without seeds.

    ``topics`` says which the model was given: "p" those that were predicted, "c" those that the
    archive calls closure, of which FCC-T has none.

    >>> configurations()[-1], configurations("c")[-1], len(configurations("c"))
    ('ss_bbc_25k.bbc.p', 'ss_bbc_25k.bbc.c', 17)
    """
    names = responses("hypercoref", "fcct")
    predicted = dict.fromkeys(name.rpartition(".")[0] for name in names if ".p." in name)
    return [f"{name.removesuffix('p')}{topics}" for name in predicted]


SIZES = ("1", "2", "3–5", "6+")
"""The sizes of entities by which losses are summed."""


def lost(corpus: str, response: str, measure: str) -> list[float]:
    """Points lost by entities of each size: in recall by the key's, in precision by the response's.

    >>> [round(points, 1) for points in lost("fcc", "lemma", "muc")]
    [0.0, 20.1, 31.6, 8.6, 0.0, 20.4, 12.2, 6.5]
    """
    stored = rows("cdcr-corpora", corpus, response, "documents")
    sides = [stored[f"lost.{measure}.{side}"][""] for side in ("key", "response")]
    return [100 * float(each) for side in sides for each in side.split()]


# How the chapter shows them

ORDER = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
TITLES = [*(MEASURES[name].title for name in ORDER[:-1]), "CoNLL"]


def signed(points: Any) -> str:
    """Points with their sign and one decimal; a lead that rounds to 0 keeps its sign.

    >>> signed(2.04), signed(-0.01), signed(0)
    ('+2.0', '-0.0', '0.0')
    """
    return f"{float(points):+.1f}" if points else "0.0"


def tone(cell: str) -> float:
    """The colour of points: teal above 0, brown below, the full one for 20."""
    return float(cell) / 20


def leads_table(leads: Iterable[Mapping[str, Any]], caption: str) -> Heat:
    """By seed, how many points one response is ahead by each measure; their mean below.

    >>> leads_table([dict.fromkeys(ORDER, 2), dict.fromkeys(ORDER, -1)], "Leads.").rows[2]
    ['mean', '+0.5', '+0.5', '+0.5', '+0.5', '+0.5', '+0.5', '+0.5']
    """
    listed = list(leads)
    lines = {f"seed {n}": scores for n, scores in enumerate(listed)}
    lines["mean"] = {m: sum(scores[m] for scores in listed) / len(listed) for m in ORDER}
    body = [[name, *(signed(scores[m]) for m in ORDER)] for name, scores in lines.items()]
    return coloured(Table(["", *TITLES], body, caption), tone)


def said(p: float, least: float = 0) -> str:
    """A p-value as it is printed; of the ``least`` that random swaps can give, "at most" is said.

    >>> said(1 / 10_001, 1 / 10_001), said(0.0645), said(1), said(0.00002)
    ('≤ .0001', '.0645', '1', '.00002')
    """
    if p >= 1:
        return "1"
    digits = f"{p:.4f}" if p >= 0.00005 else f"{p:.5f}"
    return f"≤ {digits[1:]}" if p <= least else digits[1:]


# What archives print


class Printed(NamedTuple):
    """A printed score beside the computed one, both as the archive has them."""

    archive: str
    corpus: str
    scope: str
    response: str
    measure: str
    part: str
    printed: str
    computed: Fraction
    equal: bool

    @property
    def source(self) -> str:
        """The archive, or the part of it whose scores were printed by another scorer."""
        return BARHOM if self.corpus.startswith(BARHOM) else self.archive

    @property
    def difference(self) -> float:
        """How far the two are apart."""
        return abs(float(self.computed - Fraction(self.printed)))


BARHOM = "barhom2019"
PARTS = ("recall", "precision", "f1")
HALF_A_DIGIT = {
    "cdcr-corpora": Fraction(5, 10**7),
    BARHOM: Fraction(5, 10**3),
    "hypercoref": Fraction(1, 10**12),
}
"""How far a printed score may be from ours: archives print six digits, two decimals, or doubles."""


def printed_beside(archive: str) -> Iterator[Printed]:
    """Every score that an archive prints of its responses."""
    for (corpus, scope, conventions, response), of in _of(archive).items():
        named = {m.removeprefix("printed."): n for m, n in of.items() if m.startswith("printed.")}
        if not named:
            continue
        total = report(archive, corpus, response, scope, conventions).total
        source = BARHOM if corpus.startswith(BARHOM) else archive
        for measure, numbers in named.items():
            in_percent = source == BARHOM or (source == "hypercoref" and measure == "conll")
            for part, printed in zip(PARTS, numbers[""].split(), strict=True):
                if printed == "-":
                    continue
                scale = 100 if in_percent else 1
                computed = scale * Fraction(getattr(total[measure].exact, part))
                equal = abs(computed - Fraction(printed)) <= HALF_A_DIGIT[source]
                place = archive, corpus, scope, response, measure, part
                yield Printed(*place, printed, computed, equal)


@cache
def printed_scores() -> tuple[Printed, ...]:
    """Every printed score of all archives."""
    return tuple(row for name in ("cdcr-corpora", "hypercoref") for row in printed_beside(name))


def _group(row: Printed) -> tuple[str, str, str, str]:
    return row.archive, row.corpus, row.scope, row.measure


@cache
def _groups() -> dict[tuple[str, str, str, str], list[Printed]]:
    by_group: dict[tuple[str, str, str, str], list[Printed]] = {}
    for row in sorted(printed_scores(), key=_group):
        by_group.setdefault(_group(row), []).append(row)
    return by_group


def equal(archive: str, corpus: str, scope: str, measure: str) -> int:
    """How many printed scores are equal to ours."""
    return sum(row.equal for row in _groups()[archive, corpus, scope, measure])


SCOPES = {"corpus": "all documents in one", "documents": "document by document"}
OWN_KEY = "the baselines are scored by the key of the other archive; "


def figures(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The ledger's rows: one for an archive, a corpus, a scope and a measure."""
    for (archive, corpus, scope, measure), group in _groups().items():
        furthest = max(row.difference for row in group)
        said = OWN_KEY if corpus.endswith("-baselines") else ""
        yield {
            **content["row"],
            "place": f"{archive}, {corpus}, {SCOPES[scope]}",
            "label": f"printed scores equal to ours, {MEASURES[measure].title}",
            "known_as": f"printed scores that come out, {MEASURES[measure].title}",
            "measure": "equal",
            "with": {"archive": archive, "corpus": corpus, "scope": scope, "measure": measure},
            "printed": f"({len(group)} scores of the archive)",
            "note": f"{said}largest difference {furthest:.0e}",
            "rows": [{}],
        }
    yield from content["remarks"]


def csv_of_printed() -> str:
    """Every printed score beside the computed one, as a file."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Printed._fields[:-1])
    for row in printed_scores():
        writer.writerow([*row[:7], f"{float(row.computed):.16g}"])
    return text.getvalue()
