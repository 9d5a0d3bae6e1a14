"""The cases that are typed, a file for each measure, as the tests and the suite read them.

A line is a key and a response, recall and precision, and where it is from, which may stand above:
``[zero=one] {a b} {c} | {a b c} => 1 1/2  Vilain et al. 1995, Table 1``. F1 is the harmonic mean
unless a third number says otherwise; a measure without recall has ``f1`` or ``value`` and a number.
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
    measure: str
    zero: str
    key: str
    response: str
    expected: dict[str, Fraction]
    source: str


def parts(numbers: list[str]) -> dict[str, Fraction]:
    """What a case says of a score, by name."""
    if numbers[0] in ("f1", "value"):
        name, number = numbers
        return {name: Fraction(number)}
    recall, precision, *other = map(Fraction, numbers)
    f1 = other[0] if other else oracle.f1(recall, precision)
    return {"recall": recall, "precision": precision, "f1": f1}


def cases(measure: str) -> Iterator[Case]:
    above = ""
    for line in FILES[measure].read_text("utf-8").splitlines():
        if line.startswith("#"):
            above = line.removeprefix("# ")
            continue
        sides, _, rest = line.partition(" => ")
        option, has_option, sides = sides.rpartition("] ")
        zero = option.removeprefix("[zero=") if has_option else "zero"
        key, response = map(str.strip, sides.split("|"))
        numbers, _, source = rest.partition("  ")
        yield Case(measure, zero, key, response, parts(numbers.split()), source or above)


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
