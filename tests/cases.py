"""The cases that are typed, a file for each measure, as the tests and the suite read them.

A line is a key and a response, recall and precision, and behind two blanks where it is from:
``[zero=one] {a b} {c} | {a b c} => 1 1/2  Vilain et al. 1995, Table 1``, or ``by hand: `` and why.
A source that is too long stands above, behind a #. F1 is the harmonic mean unless a third number
says otherwise; a measure without recall has ``f1`` or ``value`` and a number.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import oracle

Documents = dict[str, list[list[str]]]
CONVENTIONS = Path(__file__).with_name("conventions.cases")
FILES = {path.stem: path for path in (Path(__file__).parent / "measures").glob("*.cases")}


class Case(NamedTuple):
    place: str
    measure: str
    zero: str
    key: str
    response: str
    expected: dict[str, Fraction]
    source: str

    def __str__(self) -> str:
        return f"{self.place}: {self.key} | {self.response}"


def parts(numbers: list[str]) -> dict[str, Fraction]:
    """What a case says of a score, by name."""
    if numbers[0] in ("f1", "value"):
        name, number = numbers
        return {name: Fraction(number)}
    recall, precision, *other = map(Fraction, numbers)
    f1 = other[0] if other else oracle.f1(recall, precision)
    return {"recall": recall, "precision": precision, "f1": f1}


NUMBER = r"-?\d+(?:/\d+)?"
LINE = re.compile(
    r"(?:\[zero=(?P<zero>one)\] )?(?P<key>[^|=]*)\|(?P<response>[^|=]*) => "
    rf"(?P<numbers>(?:f1|value) {NUMBER}|{NUMBER} {NUMBER}(?: {NUMBER})?)(?:  (?P<source>.+))?"
)


def cases(measure: str) -> Iterator[Case]:
    above = ""
    for number, line in enumerate(FILES[measure].read_text("utf-8").splitlines(), 1):
        if line.startswith("# "):
            above = line.removeprefix("# ")
            continue
        place = f"{measure}.cases, line {number}"
        found = LINE.fullmatch(line)
        assert found, f"{place}: {line!r} is not: {{a}} {{b}} | {{a b}} => 1 1/2  its source"
        source = found["source"] or above
        told = source and not re.match("by hand(?!: )", source)
        assert told, f"{place}: where is {line!r} from? `by hand: ` and why, if it is yours"
        key, response = found["key"].strip(), found["response"].strip()
        expected = parts(found["numbers"].split())
        yield Case(place, measure, found["zero"] or "zero", key, response, expected, source)
        above = ""


EVERY = [case for name in sorted(FILES) for case in cases(name)]


class Promised(NamedTuple):
    """What later versions keep of a choice: documents by name, their entities as lists."""

    convention: str
    choice: str
    measure: str
    key: Documents
    response: Documents
    expected: dict[str, Fraction]


def documents(text: str) -> Documents:
    """``"d1: {a b} {c}; d2: {a b}"``"""
    found = {}
    for document in text.split("; "):
        name, _, entities = document.partition(": ")
        found[name] = [entity.split() for entity in re.findall("{(.*?)}", entities)]
    return found


def promised() -> Iterator[Promised]:
    sides = {}
    for line in CONVENTIONS.read_text("utf-8").splitlines():
        first, _, rest = line.partition(" ")
        if first in ("key", "response"):
            sides[first] = documents(rest)
        elif " => " in line:
            measure, numbers = rest.split(" => ")
            yield Promised(*first.split("="), measure, **sides, expected=parts(numbers.split()))


PROMISED = [*promised()]
