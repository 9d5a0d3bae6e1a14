"""`corefeval compare … --runs NAME FILE …`: runs of systems, beside systems of one response.

If one of these failed, seeds would be compared as if they were systems, or a run would be taken for
a run of another system.
"""

import csv
import io
import json
import warnings
from functools import partial
from pathlib import Path

import pytest
from links import chain, text

from corefeval import compare_systems, evaluate
from corefeval.chance.runs import hint
from corefeval.cli import main
from corefeval.signature import parsed

KEY = (9, 4, 5, 6, 7, 3, 4, 5, 8, 6, 5, 4)
LINKS = {
    "lemma.conll": (4, 2, 2, 3, 3, 1, 2, 2, 4, 3, 2, 2),
    "base.1.conll": (8, 3, 4, 5, 6, 2, 3, 4, 7, 5, 4, 3),
    "base.2.conll": (7, 3, 4, 5, 6, 2, 3, 4, 7, 5, 1, 3),
    "base.10.conll": (8, 3, 2, 5, 2, 2, 3, 4, 7, 1, 4, 3),
    "ours.1.conll": (9, 4, 5, 5, 7, 3, 4, 5, 8, 6, 5, 4),
    "ours.2.conll": (9, 4, 5, 6, 7, 3, 4, 5, 2, 6, 5, 4),
    "ours.3.conll": (9, 4, 5, 6, 7, 3, 4, 1, 8, 6, 5, 4),
}
LEMMA, *RUNS = LINKS
BASE, OURS = RUNS[:3], RUNS[3:]
FEW = "corefeval: warning: of 3 runs p-values may be too low, and intervals too narrow; trust them "


def reports(names):
    key = {f"d{n:02}": chain(links) for n, links in enumerate(KEY)}
    return [
        evaluate(key, {f"d{n:02}": chain(links) for n, links in enumerate(LINKS[name])}, "muc")
        for name in names
    ]


def by_library(**options):
    systems = {LEMMA: reports([LEMMA])[0], "base": reports(BASE), "our own": reports(OURS)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_systems(systems, **options)


@pytest.fixture
def files(folder):
    for name, links in {"key.conll": KEY, **LINKS}.items():
        Path(name).write_text(text(links))


@pytest.fixture
def run(run):
    return partial(run, "compare", "key.conll")


GIVEN = [LEMMA, "--runs", "base", *BASE, "--runs", "our own", *OURS]
MUC = ["--metric", "muc"]


@pytest.mark.parametrize(
    "given",
    [[*GIVEN, *MUC], [*MUC, *GIVEN], [*GIVEN[1:], *MUC, LEMMA], [*GIVEN[1:6], *MUC, *GIVEN[6:],
     "--seed", "0", LEMMA]],
    ids=["behind", "before", "lemma last", "between"],
)  # fmt: skip
def test_runs_are_compared_as_in_python(files, run, given):
    code, output, errors = run(*given)
    found = by_library()
    table, signature = output.split("\n\n")
    assert (code, table) == (0, found.table().text())
    assert parsed(signature.strip()) == parsed(found.signature)
    assert "runs=1,3,3" in signature and errors.startswith(FEW)


def test_runs_for_machines_and_for_a_paper(files, run):
    found = by_library(seed=2, resamples=500)
    options = [*GIVEN, *MUC, "--seed", "2", "--resamples", "500", "--format"]
    content = json.loads(run(*options, "json")[1])
    assert content["systems"] == found.standings() and content["documents"] == 12
    assert content["systems"][LEMMA]["muc"]["deviation"] is None
    rows = [*csv.DictReader(io.StringIO(run(*options, "csv")[1]))]
    assert [float(row["spread"]) for row in rows] == [each.spread for each in found.pairs["muc"]]
    assert run(*options, "sentence")[1] == f"{found.sentence()}\n"
    assert run(*options, "latex")[1] == f"{found.to_latex(['muc'])}\n"


def test_files_that_look_like_runs(files, run):
    alone = run(LEMMA, *BASE, *MUC)[1].splitlines()
    line = f"{', '.join(BASE)}: names that differ in a number alone. If they are runs of one system"
    assert alone[-1].startswith(line) and "--runs NAME" in alone[-1] and alone[-2] == ""
    assert alone[-3].startswith("corefeval="), "it is the one line below the table's signature"
    in_markdown = run(LEMMA, *BASE, *MUC, "--format", "markdown")[1].splitlines()
    assert in_markdown[-1] == alone[-1]
    for form in ("json", "csv", "latex", "sentence"):
        assert "number alone" not in run(LEMMA, *BASE, *MUC, "--format", form)[1]
    for silent in ([LEMMA, *BASE[:2]], BASE[:2], GIVEN):
        assert "number alone" not in run(*silent, *MUC)[1]


def test_names_that_differ_in_a_number_alone():
    for names in (
        ["a.1/b.1", "a.2/b.2", "a.3/b.3"],  # two numbers, as of systems of two kinds
        ["a1", "a2", "b3"],
        ["a", "b", "c"],
        ["a1", "a1b", "ab1"],
    ):
        assert hint(names) == ""
    both = hint(["a1", "b1", "a2", "b2", "a3", "b3"])
    assert both.startswith("a1, a2, a3; b1, b2, b3: names that differ")
    assert hint(["s/1/x.conll", "s/2/x.conll", "s/30/x.conll"]).startswith("s/1/x.conll, s/2")
    assert "\n" not in hint(["\n1", "\n2", "\n3"])


def test_a_file_that_may_be_no_run(files, run):
    _, output, errors = run("--runs", "base", *BASE, "--runs", "ours", *OURS, LEMMA, *MUC)
    assert f"--runs ours: the name of {LEMMA} is not like those of the other runs" in errors
    assert "right behind KEY" in errors and "runs=3,4" in output
    assert "is not like" not in run(*GIVEN, *MUC)[2]


def test_a_name_may_be_the_runs_folder(files, run):
    for name in ("base", "one"):
        Path(name).mkdir()
    moved = [str(Path(each).rename(Path("base") / each)) for each in BASE]
    assert run("--runs", "base", *moved, "--runs", "ours", *OURS, *MUC)[0] == 0
    code, _, errors = run("--runs", "one", *moved, "--runs", "ours", *OURS, *MUC)
    assert code == 2 and "--runs one: this is a file or a folder of files" in errors


def test_columns_of_runs(folder, capsys):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    rows = ["doc,mention,key,lemma,a,b,c"]
    for n in range(12):
        rows += [f"{n},1,{n},{n},{n},{n},{n}", f"{n},2,{n},{n + 100},{n},{n},{n}",
                 f"{n},3,{n},{n + 200},{n},{n},{n + 100}"]  # fmt: skip
    Path("t.csv").write_text("\n".join(rows))
    command = "compare t.csv t.csv --runs x t.csv t.csv t.csv --columns key lemma a b c"
    assert main([*command.split(), "--document", "doc", *MUC, "--format", "json"]) == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    # Of the key's two links in each document a and b have both, c one, and lemma none.
    assert {name: each["muc"]["score"] for name, each in systems.items()} == {
        "t.csv, lemma": 0, "x": pytest.approx((1 + 1 + 2 / 3) / 3)
    }  # fmt: skip
