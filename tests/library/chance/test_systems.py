"""Several systems beside each other.

If one of these failed, a system could be called better than another that chance alone may explain,
or a table could put a number into another's row.
"""

import csv
import io
import itertools
import json
from fractions import Fraction as F
from functools import partial
from pathlib import Path

import pytest
from alike import check_shown
from links import chain, f1, text

from corefeval import CorefError, evaluate
from corefeval.chance.significance import bootstrap, compare, compare_systems, holm
from corefeval.cli import main
from corefeval.paper import escaped
from corefeval.signature import parsed

# Per document the key's links, and those that each system finds; all that is found is right, so
# that MUC's F1 is 2 Σ found / (Σ key + Σ found). The third and the fourth are as good in sum.
KEY = (9, 4, 5, 6, 7, 3, 4, 5, 8, 6, 5, 4)
FOUND = {
    "all.conll": KEY,
    "most.conll": (8, 3, 4, 5, 6, 2, 3, 4, 7, 5, 4, 3),
    "half.conll": (4, 2, 2, 3, 3, 1, 2, 2, 4, 3, 2, 2),
    "other half.conll": (2, 4, 1, 3, 3, 1, 2, 3, 4, 3, 2, 2),
}


def reports(names=FOUND, metrics="muc", **chosen):
    key = {f"d{n:02}": chain(links) for n, links in enumerate(KEY)}
    answers = {
        name: {f"d{n:02}": chain(links) for n, links in enumerate(FOUND[name])} for name in names
    }
    return {name: evaluate(key, answer, metrics, **chosen) for name, answer in answers.items()}


# Holm's correction


def stepwise(p, alpha):
    """Which tests Holm 1979 rejects: the least p is below α / m, the next below α / (m − 1)."""
    rejected = [False] * len(p)
    for tests_left, place in zip(
        range(len(p), 0, -1), sorted(range(len(p)), key=lambda i: p[i]), strict=True
    ):
        if p[place] >= alpha / tests_left:
            break
        rejected[place] = True
    return rejected


@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        ([], []),
        ([0.25], [0.25]),
        # By hand: 4 · 0.005, 3 · 0.01, 2 · 0.03, and 1 · 0.04, which may not be below the third.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.5, 0.5], [1, 1, 1]),
        ([0.75, 0.125], [0.75, 0.25]),
    ],
)
def test_holm_by_hand(p, corrected):
    assert holm(p) == pytest.approx(corrected)


def test_holm_rejects_what_its_procedure_rejects():
    grid = [n / 64 for n in (0, 1, 2, 3, 5, 8)]
    outcomes = set()
    for tests in (1, 2, 3, 4):
        for p in itertools.product(grid, repeat=tests):
            rejected = [each < 1 / 16 for each in holm(p)]
            assert rejected == stepwise(p, 1 / 16), p
            outcomes.add(sum(rejected))
    assert outcomes == {0, 1, 2, 3, 4}


# The systems


def test_scores_are_those_of_one_system_alone():
    given = reports(metrics=["muc", "kappa"])
    found = compare_systems(given, 2000, seed=3)
    assert list(found.scores) == list(FOUND)
    for name, links in FOUND.items():
        alone = bootstrap(given[name], 2000, seed=3).intervals
        assert found.scores[name]["muc"] == (f1(KEY, links), alone["muc"]["f1"])
        kappa = given[name].total["kappa"].exact.value
        assert found.scores[name]["kappa"] == (kappa, alone["kappa"]["value"])
    assert {each.part for each in found.pairs["muc"]} == {"f1"}
    assert {each.part for each in found.pairs["kappa"]} == {"value"}


def test_pairs_are_those_of_two_systems_alone():
    given = reports()
    pairs = compare_systems(given, 2000, seed=3).pairs["muc"]
    assert [(pair.a, pair.b) for pair in pairs] == [*itertools.combinations(FOUND, 2)]
    for pair in pairs:
        alone = compare(given[pair.a], given[pair.b], 2000, seed=3).differences["muc"]
        assert pair == alone._replace(a=pair.a, b=pair.b, p_holm=pair.p_holm)
    assert [pair.p_holm for pair in pairs] == holm([pair.p for pair in pairs])


def test_which_are_better_than_which():
    found = compare_systems(reports())
    better = {name: found.better_than(name, "muc") for name in FOUND}
    halves = ["half.conll", "other half.conll"]
    assert better == {
        "all.conll": ["most.conll", *halves], "most.conll": halves,
        "half.conll": [], "other half.conll": [],
    }  # fmt: skip
    backwards = compare_systems(reports([*FOUND][::-1]))
    for name, below in better.items():
        assert {*backwards.better_than(name, "muc")} == {*below}


def test_a_difference_that_only_correction_refuses():
    # Six documents of twelve differ, in the same direction: of all swaps 2/2⁶ = 1/32 are as far
    # apart, which is below 0.05, but the threefold is not.
    better = {f"d{n:02}": chain(3 if n < 6 else 2) for n in range(12)}
    key = {f"d{n:02}": chain(4) for n in range(12)}
    worse = {f"d{n:02}": chain(2) for n in range(12)}
    three = {"x": worse, "y": better, "z": worse}
    found = compare_systems({n: evaluate(key, one, "muc") for n, one in three.items()}, 4096)
    (x_y, x_z, y_z) = found.pairs["muc"]
    assert x_y.p == y_z.p == 1 / 32 and x_z.p == 1
    assert (x_y.p_holm, y_z.p_holm, x_z.p_holm) == (3 / 32, 3 / 32, 1)
    assert [found.better_than(name, "muc") for name in three] == [[], [], []]
    two = compare_systems(
        {n: evaluate(key, one, "muc") for n, one in list(three.items())[:2]}, 4096
    )
    assert two.better_than("y", "muc") == ["x"]


def test_the_signature():
    report = reports()["all.conll"]
    assert compare_systems(reports(), 2000, seed=2, level=0.9).signature == (
        f"{report.signature} resamples=2000 swaps=random level=0.9 seed=2 correction=holm "
        "alpha=0.05 systems=4"
    )


def test_what_cannot_be_compared():
    two = reports(["all.conll", "half.conll"])
    for given, told in [
        ({}, "two systems or more, got 0"),
        (reports(["all.conll"]), "two systems or more, got 1"),
        ([*two.values()], "a mapping from systems' names"),
        ({"a": 1, "b": 2}, r"reports of corefeval.evaluate \('a': one, .* got 1"),
        (two | {"x": reports(["all.conll"], "b3")["all.conll"]}, "other measures or conventions"),
    ]:
        with pytest.raises(CorefError, match=told):
            compare_systems(given)
    with pytest.raises(CorefError, match="99 resamples: expected 100"):
        compare_systems(two, 99)


def test_a_correction_that_leaves_nothing_is_warned_of():
    two = reports(["all.conll", "half.conll"])
    compare_systems(two, 100)  # a warning would be an error here
    many = {str(n): two["all.conll"] for n in range(4)}  # 6 / 101 > 0.05
    told = "of 100 swaps and 6 pairs no p-value can be below 0.059"
    with pytest.warns(UserWarning) as caught:
        compare_systems(many, 100)
    assert [(str(each.message), each.filename) for each in caught] == [(told, __file__)]
    compare_systems(many, 200)
    compare_systems(many, 4096)  # all 2¹² swaps: 6 · 2/2¹²
    same = dict.fromkeys("1234567", "{a b}")
    few = dict.fromkeys("abcd", evaluate(same, same, "muc"))
    with pytest.warns(UserWarning) as caught:
        compare_systems(few)  # 6 · 2/2⁷
    assert "of 7 documents and 6 pairs no p-value can be below 0.094" in [
        str(each.message) for each in caught
    ]


# What is shown


def test_rows_of_pairs_and_standings_of_systems():
    found = compare_systems(reports(metrics=["muc"]))
    frame = found.to_frame()
    of_pairs = ["measure", "a", "b", "score_a", "score_b", "difference", "low", "high"]
    assert list(frame) == [*of_pairs, "p", "p_error", "p_holm", "spread"]
    assert list(frame["p_holm"]) == [pair.p_holm for pair in found.pairs["muc"]]
    scores = {name: float(f1(KEY, links)) for name, links in FOUND.items()}
    assert list(frame["score_b"]) == [scores[pair.b] for pair in found.pairs["muc"]]
    low, high = found.scores["most.conll"]["muc"][1]
    assert found.standings()["most.conll"]["muc"] == {
        "score": scores["most.conll"], "low": low, "high": high,
        "better_than": ["half.conll", "other half.conll"],
    }  # fmt: skip
    told = found.to_dict("dev/")
    assert told["dev/muc/all.conll/most.conll/difference"] == -0.1


def test_a_row_for_each_system():
    found = compare_systems(reports(metrics=["muc", "b3"]))
    *lines, _, signature = str(found).splitlines()
    assert lines[0].split() == ["system", "muc", "b3"] and len(lines) == 5
    assert parsed(signature) == parsed(found.signature)
    table = found.table().lines
    assert [row[:2] for row in table[1:]] == [[str(n), name] for n, name in enumerate(FOUND, 1)]
    scores = ["100.00", "90.00", "62.50", "62.50"]
    assert [row[2].split()[0] for row in table[1:]] == scores
    low, high = found.scores["most.conll"]["muc"][1]
    assert table[2][2] == f"90.00 [{100 * low:.2f}, {100 * high:.2f}] > 3 4"
    assert ">" not in table[3][2]
    check_shown(found)


# The command


@pytest.fixture
def files(folder):
    for name, links in {"key.conll": KEY, **FOUND}.items():
        Path(name).write_text(text(links))


@pytest.fixture
def run(run):
    return partial(run, "compare", "key.conll")


def test_what_the_command_prints(files, run):
    code, output, errors = run(*FOUND, "--metric", "muc")
    found = compare_systems(reports())
    assert (code, errors) == (0, "")
    table, signature = output.split("\n\n")
    assert table == found.table().text() and parsed(signature.strip()) == parsed(found.signature)
    assert run(*FOUND, "--metric", "muc", "--format", "markdown")[1].split("\n\n") == [
        found.table().markdown(), f"`{signature.strip()}`\n",
    ]  # fmt: skip
    two = run("all.conll", "half.conll", "--metric", "muc", "--format", "markdown")[1]
    head = " ".join(two.splitlines()[0].split())
    assert head == "| measure | score | A | B | B − A | documents' SD | 95% interval | p |"


def test_for_machines(files, run):
    options = [*FOUND, "--metric", "muc", "--metric", "mentions", "--format"]
    content = json.loads(run(*options, "json")[1])
    rows = [*csv.DictReader(io.StringIO(run(*options, "csv")[1]))]
    found = compare_systems(reports(metrics=["muc", "mentions"]))
    assert list(content) == ["signature", "documents", "systems", "pairs"]
    assert content["documents"] == 12 and content["signature"] == found.signature
    assert content["systems"] == found.standings()
    told = [{"measure": name, **row} for name, of in content["pairs"].items() for row in of]
    assert told == [*found.rows()] and len(told) == 12
    assert [{name: str(cell) for name, cell in row.items()} for row in told] == [
        {name: cell for name, cell in row.items() if name != "signature"} for row in rows
    ]
    assert {row["signature"] for row in rows} == {found.signature}


def test_columns_of_one_table(folder, capsys):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    rows = ["doc,mention,key,a,b,c"]
    for n in range(12):
        rows += [f"{n},1,{n},{n},{n},{n}", f"{n},2,{n},{n},{n + 100},{n + 100}",
                 f"{n},3,{n},{n},{n + 100},{n + 200}"]  # fmt: skip
    Path("t.csv").write_text("\n".join(rows))
    command = "compare t.csv t.csv t.csv t.csv --columns key a b c --document doc"
    assert main([*command.split(), "--metric", "muc", "--format", "json"]) == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    # Of the key's two links in each document a has both, b the second alone, and c none.
    assert {name: each["muc"]["score"] for name, each in systems.items()} == {
        "t.csv, a": 1.0, "t.csv, b": float(F(2, 3)), "t.csv, c": 0.0
    }  # fmt: skip
    assert systems["t.csv, b"]["muc"]["better_than"] == ["t.csv, c"]


@pytest.mark.parametrize(
    "names", [("x", "x_y", "y_z", "z"), ("a/b", "a", "b/c", "c"), (1, 2, 3, 4)]
)
def test_a_dictionary_has_every_pair(names):
    found = compare_systems(dict(zip(names, reports(metrics=["muc"]).values(), strict=True)))
    differences = [number for key, number in found.to_dict().items() if key.endswith("/difference")]
    assert differences == [each.difference for each in found.pairs["muc"]] and len(differences) == 6
    assert found.scores[names[0]]["muc"][0] == 1
    check_shown(found)
    for name in names:
        assert escaped(str(name)) in found.to_latex()


def test_two_systems_are_not_written_the_same():
    one, other, *_ = reports(metrics=["muc"]).values()
    with pytest.raises(CorefError, match="systems 1 and '1' have names that are written the same"):
        compare_systems({1: one, "1": other})
