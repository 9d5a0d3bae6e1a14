"""What each public scorer printed for the cases of data/conformance, by what is unusual in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from corefbook.ledger import DATA, load
from corefbook.studies.scorers import COMPARED, Found, addresses, apart, numbers
from corefeval.registry import MEASURES
from corefeval.scorers.bundles import bundles

Case = dict[str, Any]
PARTS = ("recall", "precision", "f1")
YARDSTICKS = COMPARED | {"mentions": "reference", "blanc_both": "ua2"}
"""The scorer that is compared with where no paper says what is right, of those with a measure."""


@cache
def cases() -> list[Case]:
    """The cases of scorers' runs, with those of the same inputs that nobody printed."""
    lines = (DATA / "conformance" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    every = [json.loads(line) for line in lines]
    run = {name(case) for case in every if "printed" in case}
    measures = {case["measure"] for case in every if "printed" in case}
    return [
        case
        for case in every
        if name(case) in run and case["measure"] in measures and "conventions" not in case
    ]


def name(case: Case) -> str:
    """The input of a case, which is what its measures have in common.

    >>> name({"id": "blanc_both-spurious-pair", "measure": "blanc_both"})
    'spurious-pair'
    """
    return str(case["id"]).removeprefix(f"{case['measure']}-")


def wheres() -> list[str]:
    """What is unusual about the inputs: what concerns one document first, as most of them do.

    >>> wheres()[0]
    'nothing is unusual'
    """
    return sorted({case["where"] for case in cases()}, key=ORDER.index)


ORDER = [
    "nothing is unusual",
    "an entity has one mention",
    "a mention is on one side alone",
    "a number is 0/0",
    "BLANC has a class without links",
    "a side is empty",
    "there are several documents",
    "a document is missing",
    "a mention is repeated",
]


def printed_by(case: Case) -> dict[str, str]:
    """What each scorer printed for a case."""
    return {scorer: value for value, by in case.get("printed", {}).items() for scorer in by}


def yardstick(case: Case) -> list[float | None] | None:
    """The exact recall, precision and F1; where no paper has them, a reference scorer's."""
    if "f1" in case:
        return [float(Fraction(case[part])) for part in PARTS if part in case]
    return numbers(printed_by(case).get(YARDSTICKS.get(case["measure"], ""), ""))


def is_equal(case: Case, value: str) -> bool | None:
    """Whether a printed value is that of the yardstick, by rounding; None if one has no number."""
    printed_numbers, wanted = numbers(value), yardstick(case)
    return None if printed_numbers is None or wanted is None else not apart(printed_numbers, wanted)


def scorers() -> list[str]:
    """The scorers that were run, by their names."""
    return [*load("public_scorers").content["scorers"]]


class Cell(NamedTuple):
    """To how many inputs of a kind a scorer printed an equal score, and one with another."""

    equal: int
    asked: int
    stopped: int
    opens: str


def table_cell(scorer: str, where: str) -> Cell:
    """What a scorer printed for one kind of inputs.

    >>> table_cell("scorch_cli", "nothing is unusual").opens
    ''
    """
    verdicts = {
        (name(case), case["measure"]): is_equal(case, printed_by(case)[scorer])
        for case in cases()
        if case["where"] == where and scorer in printed_by(case) and is_its_rule(scorer, case)
    }
    other = [of for (of, _), equal in verdicts.items() if equal is False]
    asked = [equal for equal in verdicts.values() if equal is not None]
    stopped = len(verdicts) - len(asked)
    return Cell(sum(asked), len(asked), stopped, other[0] if other else "")


def is_its_rule(scorer: str, case: Case) -> bool:
    """Whether a case of BLANC is by the rule that the scorer has for a class without links."""
    if not case["measure"].startswith("blanc"):
        return True
    rule = bundles()[scorer].measures.get("blanc", {}).get("formula")
    return (case["measure"] == "blanc_both") == (rule == "blanc_both")


class ScoreLine(NamedTuple):
    """A score of an input, and whose it is: ``exact``, ``printed_by`` or ``computed``."""

    measure: str
    score: str
    kind: str
    by: str


class Opened(NamedTuple):
    """An input with all scores, the playground's state if it can show the input, and reasons."""

    name: str
    case: Case
    wheres: list[str]
    lines: list[ScoreLine]
    state: str
    facts: list[Found]


def opened() -> list[Opened]:
    """The inputs that cells of the table lead to, in their order."""
    wanted = {table_cell(scorer, where).opens for scorer in scorers() for where in wheres()}
    cases_of: dict[str, list[Case]] = {}
    for case in cases():
        if name(case) in wanted:
            cases_of.setdefault(name(case), []).append(case)
    return [
        Opened(
            input_name,
            of_input[0],
            [where for where in wheres() if any(case["where"] == where for case in of_input)],
            [*lines_of(of_input)],
            state(of_input[0]),
            facts(input_name),
        )
        for input_name, of_input in cases_of.items()
    ]


def lines_of(of_input: list[Case]) -> Iterator[ScoreLine]:
    """Each measure's scores: the exact one with those who printed it, and every other one."""
    for case in of_input:
        title = MEASURES[case["measure"]].title
        equal = [by for by, value in printed_by(case).items() if is_equal(case, value)]
        if "f1" in case:
            score = " ".join(case[part] for part in PARTS if part in case)
            whose = f"{case['source']}; printed by {len(equal)} scorers"
            yield ScoreLine(title, score, "exact", whose)
        for value, by in case.get("printed", {}).items():
            if "f1" not in case or not is_equal(case, value):
                yield ScoreLine(title, value, "printed", ", ".join(by))
        for value, by in case.get("computed_like", {}).items():
            yield ScoreLine(title, value, "computed", ", ".join(by))


def state(case: Case) -> str:
    """The playground's state of one document with two sides that are partitions, else nothing.

    >>> state({"key": {"d": [["a", "a"]]}, "response": {"d": [["a"]]}, "measure": "b3"})
    ''
    """
    sides = {}
    for side in ("key", "response"):
        entities = [entity for each in case[side].values() for entity in each]
        mentions = [mention for entity in entities for mention in entity]
        if len(case[side]) != 1 or not mentions or len({*mentions}) != len(mentions):
            return ""
        sides[side] = in_braces(entities)
    return urlencode(sides)


def in_braces(entities: list[list[str]]) -> str:
    """Entities as one types them.

    >>> in_braces([["a", "b"], ["c"]])
    '{a b} {c}'
    """
    return " ".join(f"{{{' '.join(entity)}}}" for entity in entities)


def facts(of_input: str) -> list[Found]:
    """What the code of scorers says about an input."""
    return [
        Found(
            f"{', '.join(fact['scorers'].split())}: {fact['says']}",
            fact["where"],
            addresses(fact["where"], fact["scorers"]),
        )
        for fact in load("public_scorers").content["facts"]
        if fact.get("shown") == of_input
    ]
