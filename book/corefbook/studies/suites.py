"""Other scorers' own tests, as facts: cases in numbers, the values that they assert, and ours.

They stand in data/peer_suites; a script that data/real/README.md names took them from the scorers'
sources. Here they are read and scored, for the tests and for the book's page. A mention is a range
of tokens, several ranges, or a zero; an entity lists its mentions as the suite's file does, some of
them twice.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from warnings import catch_warnings

from corefbook.ledger import DATA
from corefeval import evaluate

FOLDER = DATA / "peer_suites"
Listing = dict[str, list[str]]
"""Entities by name, each with its mentions as text: ``"3-6"``, ``"3-4+7-7"``, ``"z5.1"``."""
PARTS = ("recall", "precision", "f1")


class Suite(NamedTuple):
    """A scorer's own tests: where they are, how we count them, and what cannot be said."""

    name: str
    scorer: str
    repository: str
    commit: str
    licence: str
    authors: str
    tests: str
    asserted: int
    """Triples of recall, precision and F1 in all its tests."""
    reads: str = "conll"
    """How its cases reach the library: as a file in CoNLL-2012, or as lists of mentions."""
    options: Mapping[str, str] = {}
    """Keywords of `corefeval.evaluate`: the scorer's bundle by name, or conventions."""
    same_as: str = ""
    """Another suite with the same cases and values, which are stored once."""
    not_said: Mapping[str, int] = {}
    """Why some of its triples cannot be asked of this library, and how many they are."""


class Asserted(NamedTuple):
    """A triple that a suite asserts of a case and a measure, and how near it must be."""

    suite: str
    case: str
    measure: str
    expected: tuple[float, float, float]
    tolerance: float


class Case(NamedTuple):
    """A key and a response."""

    key: Listing
    response: Listing


@cache
def suites() -> dict[str, Suite]:
    """The suites by name.

    >>> suites()["coval"].licence
    'MIT'
    """
    stored = tomllib.loads((FOLDER / "suites.toml").read_text("utf-8"))
    return {name: Suite(name, **row) for name, row in stored.items()}


@cache
def cases(suite: str) -> dict[str, Case]:
    """The cases of a suite by name.

    >>> cases("reference")["A7"].response["1"]
    ['3-6', '3-6', '9-9', '10-10']
    """
    stored = tomllib.loads((FOLDER / "cases.toml").read_text("utf-8"))
    of = stored.get(suites()[suite].same_as or suite, {})
    return {name: Case(listing(row["key"]), listing(row["response"])) for name, row in of.items()}


def listing(stored: Mapping[str, str]) -> Listing:
    """Entities by name, as lists of mentions."""
    return {name: mentions.split() for name, mentions in stored.items()}


@cache
def asserted() -> tuple[Asserted, ...]:
    """The triples that suites assert and that we can ask of this library."""
    with (FOLDER / "asserted.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(
        Asserted(
            row["suite"],
            row["case"],
            row["measure"],
            (float(row["recall"]), float(row["precision"]), float(row["f1"])),
            float(row["tolerance"]),
        )
        for row in rows
    )


def different() -> int:
    """How many stored triples are different ones: by key, response, measure and four decimals.

    Entities' names do not count. One suite's cases are often another's, too.

    >>> different()
    202
    """
    triples = set()
    for row in asserted():
        case = cases(row.suite)[row.case]
        sides = tuple(tuple(sorted(tuple(sorted(of)) for of in side.values())) for side in case)
        triples.add((sides, row.measure, tuple(round(part, 4) for part in row.expected)))
    return len(triples)


def of_suite(name: str) -> Iterator[Asserted]:
    """The triples of a suite, or of the one that has the same."""
    wanted = suites()[name].same_as or name
    return (row for row in asserted() if row.suite == wanted)


def our_triples(suite: Suite, case: Case, measures: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Recall, precision and F1 of a case, counted as the suite's scorer counts.

    >>> our_triples(suites()["ua2"], cases("ua2")["A10"], ["b3"])
    {'b3': (0.5, 1.0, 0.6666666666666666)}
    """
    triples: dict[str, tuple[float, ...]] = {}
    with TemporaryDirectory() as folder:
        key, response = by_lists(case) if suite.reads == "lists" else written(Path(folder), case)
        for options, names in counted_by(suite, measures):
            # A suite's files have faults on purpose; what we say of them is no news here.
            with catch_warnings(action="ignore"):
                total = evaluate(key, response, metrics=list(names.values()), **options).total
            for measure, name in names.items():
                score = total[name]
                triples[measure] = score.recall, score.precision, score.f1
    return triples


def counted_by(
    suite: Suite, measures: Iterable[str]
) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Options of `corefeval.evaluate`, and our names for the suite's measures under them."""
    names = dict(zip(measures, measures, strict=True))
    options: dict[str, Any] = dict(suite.options)
    if "like" not in options and "blanc" in names:
        # Python scorers drop a class of links only where both sides have none.
        names["blanc"] = "blanc_both"
    if options == {"like": "reference"} and "lea" in names:
        # The branch that has LEA is the reference scorer in all else.
        yield {"like": "lea_branch"}, {"lea": names.pop("lea")}
    if names:
        yield options, names


def by_lists(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    """A case as the library takes it from Python: one document, entities as lists of mentions."""
    return {"": list(case.key.values())}, {"": list(case.response.values())}


def written(folder: Path, case: Case) -> tuple[Path, Path]:
    """A case as two files in CoNLL-2012, which the library reads as it reads any other."""
    key, response = folder / "key.conll", folder / "response.conll"
    tokens = 1 + max(last(case.key), last(case.response))
    key.write_text(in_conll(case.key, tokens), "utf-8")
    response.write_text(in_conll(case.response, tokens), "utf-8")
    return key, response


def differs(row: Asserted, ours: tuple[float, ...]) -> bool:
    """Whether a triple is farther from ours than the suite allows."""
    pairs = zip(row.expected, ours, strict=True)
    return any(abs(a - b) > max(row.tolerance, 1e-12) for a, b in pairs)


def token_ranges(mention: str) -> list[tuple[int, int]]:
    """The ranges of tokens of a mention.

    >>> token_ranges("3-4+7-7")
    [(3, 4), (7, 7)]
    """
    ranges = [part.split("-") for part in mention.split("+")]
    return [(int(first), int(end)) for first, end in ranges]


def last(listing: Listing) -> int:
    """The last token of a listing."""
    every_mention = (mention for mentions in listing.values() for mention in mentions)
    return max((token_ranges(mention)[-1][1] for mention in every_mention), default=0)


def in_conll(listing: Listing, tokens: int) -> str:
    """A file in CoNLL-2012 with these mentions; marks stand without bars, longer ones outside.

    >>> [line.split()[-1] for line in in_conll({"1": ["0-1"], "2": ["1-1"]}, 2).splitlines()[1:3]]
    ['(1', '(2)1)']
    """
    opened: list[list[str]] = [[] for _ in range(tokens)]
    single: list[list[str]] = [[] for _ in range(tokens)]
    closed: list[list[str]] = [[] for _ in range(tokens)]
    ranges = [(*token_ranges(each)[0], name) for name, of in listing.items() for each in of]
    for first, end, name in sorted(ranges, key=lambda each: (each[0], -each[1])):
        if first == end:
            single[first].append(f"({name})")
        else:
            opened[first].append(f"({name}")
            closed[end].insert(0, f"{name})")
    lines = ["#begin document (case);"]
    for token in range(tokens):
        marks = "".join([*opened[token], *single[token], *closed[token]]) or "-"
        lines.append(f"case\t0\t{token}\t-\t{marks}")
    return "\n".join([*lines, "", "#end document", ""])


def wrong(name: str) -> list[tuple[Asserted, tuple[float, ...]]]:
    """The triples of a suite that differ from ours, each with ours.

    >>> wrong("ua1")
    []
    """
    differing = []
    for case, of_case in groupby(of_suite(name), lambda row: row.case):
        rows = list(of_case)
        ours = our_triples(suites()[name], cases(name)[case], [row.measure for row in rows])
        differing += [(row, ours[row.measure]) for row in rows if differs(row, ours[row.measure])]
    return differing


def equal(name: str) -> int:
    """How many triples of a suite are ours.

    Of CorefUD files, which are no data of corefbook, the tests of their reader hold it.

    >>> equal("coval")
    78
    """
    suite = suites()[name]
    if suite.reads == "corefud":
        return suite.asserted
    return len(list(of_suite(name))) - len(wrong(name))
