"""`make reproduce`: the ledger on the terminal."""

import json

import pytest
from corefbook.__main__ import FIELDS, main
from corefbook.ledger import Row


@pytest.fixture
def run(capsys):
    """Exit code, output and errors of the command."""

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return command


def row(**fields: str) -> Row:
    return Row(**dict.fromkeys(FIELDS, "x") | fields)


def test_reproduce(run, monkeypatch):
    rows = [
        row(paper="p", place="Table 1", example="1", computed="2/5", verdict="reproduced"),
        row(paper="p", place="Table 1, row 2", example="2", verdict="misprint", copy="one letter"),
        row(paper="q", place="§ 2", example="", printed="a\n  b", verdict="reproduced"),
    ]
    monkeypatch.setattr("corefbook.ledger.rows", lambda paper: rows)
    code, output, errors = run()
    assert (code, errors) == (0, "")
    assert output == (
        "p\n\n"
        "place           example  measure  printed  computed  verdict\n"
        "Table 1         1        x        x        2/5       reproduced\n"
        "Table 1, row 2  2        x        x        x         misprint\n\n"
        "q\n\n"
        "place  example  measure  printed  computed  verdict\n"
        "§ 2             x        a b      x         reproduced\n\n"
        "3 figures: 2 equal, 1 differs (1 may be our copy's)\n"
        "  equal: 2 reproduced\n"
        "  differs: 1 misprint (1 may be our copy's)\n"
    )


def test_reproduce_fails_where_a_figure_fails(run, monkeypatch):
    rows = [row(verdict="reproduced"), row(verdict="failed")]
    monkeypatch.setattr("corefbook.ledger.rows", lambda paper: rows)
    assert [run("--format", form)[0] for form in ("table", "json")] == [1, 1]
    assert run()[1].endswith("2 figures: 1 equal\n  equal: 1 reproduced\n  failed: 1\n")


@pytest.mark.proof
def test_reproduce_json(run):
    code, output, errors = run("--format", "json")
    rows = json.loads(output)
    assert (code, errors) == (0, "") and rows
    fields = ["paper", "place", "example", "measure", "printed", "computed", "verdict", "note"]
    assert all(list(each) == fields for each in rows)
    assert all(isinstance(value, str) for each in rows for value in each.values())


def test_reproduce_one_paper(run):
    code, output, _ = run("vilain1995", "--format", "json")
    assert code == 0 and {each["paper"] for each in json.loads(output)} == {"vilain1995"}


def test_reproduce_names_the_papers(run):
    code, output, errors = run("vilain")
    assert (code, output) == (2, "")
    assert errors.startswith("corefbook: error: ") and "vilain1995" in errors
