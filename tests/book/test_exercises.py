"""Exercises that ask for code: what their checks say of right, wrong and missing answers."""

import ast
import re
import symtable
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

import matplotlib
import pytest
from rows import every_row
from stored import BOOK, CHAPTERS, code_cells, names, some_by_day, stored
from wrong_answers import WRONG

EXERCISE = re.compile(r":::+\{exercise\}\n:label: (\S+)\n(.*?)\n:::", re.DOTALL)


class Exercise(NamedTuple):
    """A question, and the chapter's code up to the next one."""

    chapter: str
    label: str
    asks_for_code: bool
    before: list[str]
    stubs: list[str]
    answers: list[str]


@cache
def exercises(path: Path) -> list[Exercise]:
    read: list[Exercise] = []
    before: list[str] = []
    for cell in stored(path).cells:
        if cell.cell_type == "markdown":
            for label, question in EXERCISE.findall(cell.source):
                asks = question.startswith("*(code)*")
                read.append(Exercise(path.stem, label, asks, [*before], [], []))
            continue
        if read and "answer" in cell.metadata.get("tags", []):
            read[-1].answers.append(cell.source)
        elif read and re.search(r"^attempt\(", cell.source, re.MULTILINE):
            read[-1].stubs.append(cell.source)
        before.append(cell.source)
    return read


EVERY = [each for path in CHAPTERS for each in exercises(path)]
CODING = {each.label: each for each in EVERY if each.asks_for_code}


@every_row("path", CHAPTERS)
def test_only_exercises_that_ask_for_code_have_stubs(path):
    for exercise in exercises(path):
        assert len(exercise.stubs) == int(exercise.asks_for_code), exercise.label


def test_no_question_that_asks_for_code_is_overlooked():
    marked = sum(path.read_text(encoding="utf-8").count("*(code)*") for path in CHAPTERS)
    assert marked == len(CODING)
    assert len({each.label for each in EVERY}) == len(EVERY)


def test_each_has_wrong_answers():
    assert {*WRONG} == {*CODING}
    assert min(map(len, WRONG.values())) >= 2


# Running a stub


def needed(cells: list[str], wanted: set[str]) -> list[str]:
    """The cells that bind what is wanted, directly or for each other, in their order."""
    kept: list[str] = []
    for source in reversed(cells):
        binds, uses = names(source)
        if binds & wanted:
            kept.append(source)
            wanted = wanted | uses
    return kept[::-1]


def test_only_cells_that_are_needed_are_run():
    cells = ["a = 1", "b = 2", "def c():\n    return a", "d = 4"]
    assert needed(cells, {"c"}) == ["a = 1", "def c():\n    return a"]
    assert names("import x.y as z\ndef f(g):\n    h = i\n") == ({"z", "f"}, {"z", "f", "i"})


@cache
def space(label: str) -> dict[str, object]:
    """What the chapter has defined where the exercise stands, as far as it or an answer needs."""
    exercise = CODING[label]
    sources = [*exercise.stubs, *exercise.answers, *wrong_answers(label).values()]
    wanted = set().union(*(names(source)[1] for source in sources))
    defined: dict[str, object] = {"__name__": "__main__", "display": print}
    for source in needed(exercise.before, wanted):
        exec(compile(source, label, "exec"), defined)
    return defined


def open_function(stub: str) -> ast.FunctionDef:
    """The function that is the reader's to write: it has a docstring alone."""
    (function,) = (
        node
        for node in ast.parse(stub).body
        if isinstance(node, ast.FunctionDef)
        and len(node.body) == 1
        and re.search("yours to (write|find)", ast.get_docstring(node) or "")
    )
    return function


def function(label: str, body: str) -> str:
    """The function that is the reader's to write, with a body."""
    asked = open_function(CODING[label].stubs[0])
    return f"def {asked.name}({ast.unparse(asked.args)}):\n{indent(body.strip(), '    ')}"


def wrong_answers(label: str) -> dict[str, str]:
    return {fault: function(label, body) for fault, body in WRONG[label].items()}


def filled(stub: str, answer: str) -> str:
    """The stub with an answer in the place of its open function."""
    function = open_function(stub)
    lines = stub.splitlines()
    lines[function.lineno - 1 : function.end_lineno] = answer.strip().splitlines()
    return "\n".join(lines)


def said(label: str, source: str) -> str:
    """What the last expression of a stub shows."""
    defined = dict(space(label))
    tree = ast.parse(source)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, label, "exec"), defined)
    return repr(eval(compile(ast.Expression(last.value), label, "eval"), defined))


@pytest.fixture(autouse=True)
def in_the_book(monkeypatch):
    monkeypatch.chdir(BOOK)
    matplotlib.use("agg")


BY_DAY = ("ex-muc-5", "ex-b3-3", "ex-ceaf-3", "ex-twinless-4")
"""The others run more of their chapters: what the checks say of them is proved with the rest."""
some_coding = some_by_day("label", CODING, BY_DAY)


@some_coding
def test_a_stub_is_not_yet_right(label):
    stub = CODING[label].stubs[0]
    assert said(label, stub) == f"Not yet: {open_function(stub).name} gives nothing."


def solution(exercise: Exercise) -> str:
    """The chapter's own answer, under the name of the function that is asked for."""
    asked = open_function(exercise.stubs[0])
    defined = (ast.Import, ast.ImportFrom, ast.FunctionDef)
    kept = [x for x in ast.parse("\n".join(exercise.answers)).body if isinstance(x, defined)]
    (answer,) = (
        node.name
        for node in kept
        if isinstance(node, ast.FunctionDef) and len(node.args.args) == len(asked.args.args)
    )
    return "\n".join([*map(ast.unparse, kept), f"{asked.name} = {answer}"])


@some_coding
def test_the_chapters_own_answer_is_right(label):
    verdict = said(label, filled(CODING[label].stubs[0], solution(CODING[label])))
    assert re.fullmatch(r"Right: (\d+) of \1 cases(, as [a-z ]+)?\.", verdict)


@some_coding
def test_a_plausible_wrong_answer_is_wrong(label):
    stub = CODING[label].stubs[0]
    verdicts = {
        fault: said(label, filled(stub, answer)) for fault, answer in wrong_answers(label).items()
    }
    for said_of_it in verdicts.values():
        assert said_of_it.startswith("Wrong: ") and "it stops with" not in said_of_it, verdicts


@some_coding
def test_an_answer_that_raises_stops_no_cell(label):
    stub = CODING[label].stubs[0]
    raising = function(label, "raise ZeroDivisionError('not so')")
    expected = "Wrong: it stops with ZeroDivisionError: not so"
    assert said(label, filled(stub, raising)) == expected


# What stands around a stub


def clashes(path: Path) -> set[str]:
    """The names that a stub binds, and a cell that is no exercise's binds, too."""
    of_chapter = exercises(path)
    stubs = [source for each in of_chapter for source in each.stubs]
    answers = [source for each in of_chapter for source in each.answers]
    others = {cell.source for cell in code_cells(path)} - {*stubs, *answers}
    of_stubs, of_others = (
        set().union(*map(functions_and_values, sources)) for sources in (stubs, others)
    )
    return of_stubs & of_others


def functions_and_values(source: str) -> set[str]:
    table = symtable.symtable(source, "cell", "exec")
    return {s.get_name() for s in table.get_symbols() if s.is_assigned() and not s.is_imported()}


@every_row("path", CHAPTERS)
def test_a_stub_changes_no_name_of_the_chapter(path):
    assert clashes(path) == set()
