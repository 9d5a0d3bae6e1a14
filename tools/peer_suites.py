"""Take the cases and expected values of other scorers' own tests, and count them again with ours.

python tools/peer_suites.py CHECKOUT…

A CHECKOUT is a folder with the source of a scorer; which suites it has is seen by their files.
Each case is scored by this library as data/peer_suites says, and a line a suite tells how many
expected values are equal, within the suite's own tolerance. With --store, cases and values go to
data/peer_suites, from where the tests and the book's page read them.

The suites' code is read, not run: a test is a function that reads two files and asserts values.
"""

from __future__ import annotations

import argparse
import ast
import csv
import operator
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parents[1] / "book")]

from companion.studies import suites  # noqa: E402
from companion.studies.suites import Asserted, Listing, Suite  # noqa: E402

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
MEASURES = {
    "muc": "muc", "bcub": "b3", "b_cubed": "b3", "ceafm": "ceafm", "ceafe": "ceafe",
    "blanc": "blanc", "lea": "lea", "mention_overlap": "mor",
}  # fmt: skip


class Test(NamedTuple):
    """A test of a suite: its files, how they are read, and what is expected of each measure."""

    case: str
    key: Path
    response: Path
    options: dict[str, Any]
    expected: list[tuple[str, list[float], float]]


# Perl: a list of hashes


def of_perl(folder: Path) -> Iterator[Test]:
    """The test cases of the reference scorer or a branch of it."""
    text = (folder / "test" / "CorefMetricTestConfig.pm").read_text("utf-8")
    text = re.sub(r"#.*$", "", text, flags=re.MULTILINE)
    for found in re.finditer(r"\{\s*id\s*=>\s*\"(\w+)\"(.*?)\}\s*\}", text, re.DOTALL):
        case, body = found.groups()
        files = dict(re.findall(r"(key_file|response_file)\s*=>\s*\"([^\"]+)\"", body))
        values = re.findall(r"\"(\w+)\"\s*=>\s*\[(.*?)\]", body, re.DOTALL)
        yield Test(
            case,
            folder / "test" / files["key_file"],
            folder / "test" / files["response_file"],
            {},
            [(MEASURES[name], numbers(f"[{of}]"), 1e-4) for name, of in values],
        )


def numbers(source: str) -> list[float]:
    """The values of a list of sums."""
    listed = ast.parse(source, mode="eval").body
    assert isinstance(listed, ast.List | ast.Tuple)
    return [value(each) for each in listed.elts]


def value(node: ast.expr) -> Any:
    """What a constant, or arithmetic of constants, is."""
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](value(node.left), value(node.right))
    if isinstance(node, ast.Name) and node.id == "TOL":
        return 1e-4
    return ast.literal_eval(node)


# Python: functions that read and assert


def of_python(path: Path, places: Any) -> Iterator[Test]:
    """The tests of a module; ``places`` finds a test's files from what it reads."""
    for function in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(function, ast.FunctionDef) or not function.name.startswith("test"):
            continue
        if function.decorator_list:
            continue
        doc, expected = None, []
        for statement in function.body:
            if isinstance(statement, ast.Assign):
                doc = statement.value
            elif isinstance(statement, ast.Assert):
                expected.append(asserted(statement.test))
        assert isinstance(doc, ast.Call), f"{path}: {function.name} reads no files"
        given = [value(each) for each in doc.args]
        named = {word.arg: value(word.value) for word in doc.keywords}
        key, response, options = places(*given, **named)
        case = function.name.removeprefix("test_")
        yield Test(case, key, response, options, expected)


def asserted(node: ast.expr) -> tuple[str, list[float], float]:
    """The measure, the three values and the tolerance of ``evaluate(doc, measure) == values``."""
    assert isinstance(node, ast.Compare)
    call, right = node.left, node.comparators[0]
    assert isinstance(call, ast.Call)
    of = call.args[1]
    name = of.id if isinstance(of, ast.Name) else "blanc"
    tolerance = 0.0
    if isinstance(right, ast.Call):
        tolerance = next((value(word.value) for word in right.keywords), 1e-6)
        right = right.args[0]
    return MEASURES[name], [float(value(each)) for each in right.elts], tolerance  # type: ignore


# Files: entities with their mentions, as the file lists them


def of_conll(path: Path) -> Listing:
    """The entities of a file in CoNLL-2012, tokens counted from 0 through the whole file."""
    found: Listing = {}
    opened: dict[str, list[int]] = {}
    token = 0
    for line in path.read_text("utf-8").splitlines():
        columns = line.split()
        if not columns or line.startswith("#"):
            continue
        for mark in re.findall(r"\(\w+\)|\(\w+|\w+\)", columns[-1] if columns[-1] != "-" else ""):
            entity = mark.strip("()")
            found.setdefault(entity, [])
            if mark.startswith("("):
                opened.setdefault(entity, []).append(token)
            if mark.endswith(")"):
                found[entity].append(f"{opened[entity].pop()}-{token}")
        token += 1
    return found


class Markable(NamedTuple):
    """A mention of a Universal Anaphora file."""

    entity: str
    parts: list[str]
    zero: bool
    split: bool


def of_universal_anaphora(path: Path) -> dict[str, Markable]:
    """The mentions of a Universal Anaphora file by name."""
    found: dict[str, Markable] = {}
    stack: list[tuple[str, int]] = []
    word, zero = 0, 0
    for line in path.read_text("utf-8").splitlines():
        columns = line.split()
        if not columns or line.startswith("#"):
            continue
        is_zero = "." in columns[0]
        closing, *opening = columns[10].split("(") if columns[10] != "_" else ["", ""][:1]
        for _ in closing:
            name, first = stack.pop()
            found[name].parts.append(f"{first}-{word}")
        for each in opening:
            fields = dict(field.split("=", 1) for field in each.rstrip(")").split("|"))
            name = fields["MarkableID"]
            new = Markable(fields["EntityID"], [], is_zero, "ElementOf" in fields)
            found.setdefault(name, new)
            if each.endswith(")"):
                found[name].parts.append(f"z{word}.{zero}" if is_zero else f"{word}-{word}")
            else:
                stack.append((name, word))
        word, zero = (word, zero + 1) if is_zero else (word + 1, 0)
    return found


def of_markables(path: Path) -> Listing:
    """The entities of a Universal Anaphora file."""
    found: Listing = {}
    for each in of_universal_anaphora(path).values():
        found.setdefault(each.entity, []).append("+".join(each.parts))
    return found


# Suites: where their tests' files are


def of_suite(suite: Suite, folder: Path) -> list[Test]:
    """Every test of a suite in a checkout, with its files."""
    path = folder / suite.tests
    if path.suffix == ".pm":
        return list(of_perl(folder))
    under = path.parent / FILES[suite.name]

    def places(key: str, response: str, kind: str = "", **options: Any) -> Any:
        if suite.name == "ua2":
            kind = kind or "original-conll"
        return under / kind / key, under / kind / response, options | {"kind": kind}

    return list(of_python(path, places))


FILES = {
    "coval": "tests",
    "ua1": "tests",
    "ua1_plural": "plural-tests",
    "corefud_conll": "tests-conll",
    "ua2": "tests-ua",
}
"""The folder of the files that a suite's tests read, beside the tests."""


NOT_SAID = {"coval": ("A7",), "reference_two_entities": ("O1", "O2", "O3")}
"""Cases that a suite has and this library does not score by that scorer's rules."""


def can_be_said(suite: Suite, test: Test) -> bool:
    """Whether this library has what a test is about; `Suite.not_said` names what it lacks."""
    if test.case in NOT_SAID.get(suite.name, ()):
        return False
    if suite.reads != "lists":
        return True
    if test.options.get("matching", "exact") != "exact":
        return False
    sides = [of_universal_anaphora(path) for path in (test.key, test.response)]
    return not any(each.split for side in sides for each in side.values())


def case_of(suite: Suite, test: Test) -> suites.Case:
    read = of_markables if suite.reads == "lists" else of_conll
    return suites.Case(read(test.key), read(test.response))


def triples(suite: Suite, test: Test) -> Iterator[Asserted]:
    for measure, values, tolerance in test.expected:
        yield Asserted(suite.name, test.case, measure, tuple(values), tolerance)  # type: ignore


def differing(suite: Suite, test: Test) -> Iterator[Asserted]:
    """The triples of a test that differ from ours."""
    rows = list(triples(suite, test))
    found = suites.scores(suite, case_of(suite, test), [row.measure for row in rows])
    return (row for row in rows if suites.differs(row, found[row.measure]))


def found_in(folder: Path) -> Iterator[tuple[Suite, list[Test]]]:
    """The suites of a checkout: those whose tests are there and assert as many triples.

    Suites with the same tests are one here; `Suite.same_as` has their names.
    """
    for suite in suites.suites().values():
        if suite.reads == "corefud" or suite.same_as or not (folder / suite.tests).is_file():
            continue
        if (folder / "test").is_dir() != suite.tests.endswith(".pm"):
            continue
        tests = of_suite(suite, folder)
        if sum(len(test.expected) for test in tests) == suite.asserted:
            yield suite, tests


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--store", action="store_true", help="write data/peer_suites")
    chosen = parser.parse_args(arguments)
    cases: dict[str, dict[str, suites.Case]] = {}
    rows: list[Asserted] = []
    failed = False
    for folder in chosen.checkouts:
        for suite, tests in found_in(folder):
            said = [test for test in tests if can_be_said(suite, test)]
            asked = [row for test in said for row in triples(suite, test)]
            of = {test.case: case_of(suite, test) for test in said}
            wrong = [row for test in said for row in differing(suite, test)]
            for row in wrong:
                print(f"  {suite.name}, {row.case}, {row.measure}: {row.expected}")
            failed = failed or bool(wrong)
            equal = len(asked) - len(wrong)
            print(f"{suite.name}: {suite.asserted} asserted, {len(asked)} asked, {equal} equal")
            if suite.name not in cases:
                cases[suite.name] = of
                rows += asked
    if chosen.store:
        store(cases, rows)
    return int(failed)


def store(cases: dict[str, dict[str, suites.Case]], rows: list[Asserted]) -> None:
    """Write cases and values, in a form of our own."""
    lines = ["# Made by tools/peer_suites.py: the cases of other scorers' own tests, in numbers."]
    for suite, of in cases.items():
        lines += ["", f"[{suite}]"]
        for name, case in of.items():
            key, response = (listed(side) for side in case)
            lines.append(f"{name} = {{ key = {key}, response = {response} }}")
    (suites.FOLDER / "cases.toml").write_text("\n".join(lines) + "\n", "utf-8")
    with (suites.FOLDER / "asserted.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["suite", "case", "measure", *suites.PARTS, "tolerance"])
        for row in rows:
            writer.writerow([row.suite, row.case, row.measure, *row.expected, row.tolerance])


def listed(side: Listing) -> str:
    """Entities as an inline table."""
    each = (f'"{name}" = "{" ".join(mentions)}"' for name, mentions in side.items())
    return f"{{ {', '.join(each)} }}"


if __name__ == "__main__":
    sys.exit(main())
