"""Scores, signatures, columns and exit codes that later versions keep.

The book's page *What later versions keep* promises them. A line of promise.jsonl has an input, the
options, the signature behind the version, and the parts of each score as fractions; a line of
conventions.cases has those of one choice of a convention, which data/conformance asks of other
scorers, too. They were compared with the oracle, with what other scorers printed, or by hand. Who
changes a line writes it into the changelog.
"""

import json
import re
from contextlib import chdir
from itertools import combinations
from pathlib import Path

import pytest
from cases import PROMISED
from rows import every_row

from corefeval import evaluate, from_labels
from corefeval.cli import main
from corefeval.conventions import CHOICES, FIRST_CHOICES, OF_FILES
from corefeval.readers import FORMATS
from corefeval.registry import MEASURES
from corefeval.scorers.bundles import bundles

ROOT = Path(__file__).parents[2]
PROMISES = [
    json.loads(line) for line in (ROOT / "tests" / "promise.jsonl").read_text("utf-8").splitlines()
]
PAGE = ROOT / "book" / "api.md"


def scored(promise, folder):
    """The report of a line's input."""
    options, metrics = promise.get("options", {}), promise["metrics"].split(",")
    if "labels" in promise:
        return evaluate(from_labels(*promise["labels"]), metrics=metrics, **options)
    for name, text in promise.get("files", {}).items():
        if name.endswith(".csv"):
            pytest.importorskip("duckdb")
        Path(folder, name).write_text(text, "utf-8")
    with chdir(folder):
        return evaluate(promise["key"], promise.get("response"), metrics, **options)


def exact(score):
    """The parts as texts; those of a measure with logarithms with twelve decimals."""
    parts = score.exact.parts.values()
    return [f"{part:.12f}" if isinstance(part, float) else str(part) for part in parts]


@pytest.mark.filterwarnings("ignore::UserWarning")
@every_row("promise", PROMISES)
def test_a_score_is_what_it_was(promise, tmp_path):
    report = scored(promise, tmp_path)
    assert report.short_signature.partition(" ")[2] == promise["signature"]
    assert {name: exact(score) for name, score in report.total.items()} == promise["scores"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@every_row("case", PROMISED)
def test_scores_by_a_convention_stay_the_same(case):
    report = evaluate(case.key, case.response, case.measure, **{case.convention: case.choice})
    documents, choice = len(report.documents), f"{case.convention}={case.choice}"
    signature = f"metrics={case.measure} documents={documents} {choice}"
    assert report.short_signature.partition(" ")[2] == signature
    score = report.total[case.measure].exact
    assert {part: getattr(score, part) for part in case.expected} == case.expected


def test_everything_that_can_be_chosen_has_a_line():
    chosen = [FIRST_CHOICES | each.get("options", {}) for each in PROMISES]
    by_convention = [{case.convention: case.choice} for case in PROMISED]
    for name, choices in (CHOICES | OF_FILES).items():
        assert {each[name] for each in chosen + by_convention if name in each} == {*choices}
    computed = {name for name, bundle in bundles().items() if bundle.measures}
    assert {each["like"] for each in chosen if "like" in each} == computed
    assert {name for each in PROMISES for name in each["scores"]} == {*MEASURES}
    promised = [each["of"] for each in PROMISES]
    for format in FORMATS:
        assert any(text.startswith(format.name) for text in promised), format.name


def test_promises_tell_choices_of_a_convention_apart():
    """A choice that nothing read would be printed in every signature, and do nothing."""
    promised = {}
    for case in PROMISED:
        if case.convention != "zero":  # see test_zero_is_one_for_the_same_sides_alone
            numbers = promised.setdefault((case.convention, case.choice), {})
            numbers[case.measure] = case.expected
    alike = [
        (one, other)
        for one, other in combinations(promised, 2)
        if one[0] == other[0] and promised[one] == promised[other]
    ]
    assert promised and not alike


def rows_of_the_page():
    """What is typed behind a command, its columns of CSV, and its keys of JSON."""
    table = PAGE.read_text("utf-8").partition("### Columns and keys")[2].partition("\n### ")[0]
    for line in re.findall(r"^\| `.*\|$", table, re.MULTILINE):
        typed, columns, keys = (cell.strip() for cell in line.strip("|").split("|"))
        yield typed, columns, keys


TYPED = {"`compare` of two": "compare", "`compare` of several": "compare"}


@every_row("typed, columns, keys", rows_of_the_page)
def test_columns_and_keys_are_those_of_the_page(typed, columns, keys, monkeypatch, capsys):
    monkeypatch.chdir(ROOT / "data" / "examples" / "parts")
    command, *options = TYPED.get(typed, typed.strip("`")).split()
    files = ["key.conll", "a.conll"]
    if command == "compare":
        files += ["b.conll"] + ["key.conll"] * ("several" in typed)
        options += ["--resamples", "100"]
    arguments = [command, *files, "--metric", "muc", *options]
    assert main([*arguments, "--format", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == keys.split(", ")
    if columns:
        assert main([*arguments, "--format", "csv"]) == 0
        head = capsys.readouterr().out.partition("\n")[0]
        assert head == ",".join([*columns.split(", "), "signature"])
