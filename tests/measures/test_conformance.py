"""The suite that other scorers run: its cases are right, small and can be written and read."""

import json
import subprocess
import sys
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import conformance
import jsonschema
import pytest
from rows import every_row
from slips import SLIPS

from corefeval import evaluate

FOLDER = conformance.SUITE.parent
PRINTOUTS = Path(__file__).parent / "printouts"
CASES = [json.loads(line) for line in conformance.SUITE.read_text("utf-8").splitlines()]
DECIDED = [case for case in CASES if "source" in case]
NEARLY = ("h",)
"""A measure with logarithms, which nobody has exactly."""


def module_of(name: str, path: Path):
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


run = module_of("run", FOLDER / "run.py")


# The cases


@pytest.mark.proof
def test_the_file_is_what_its_script_writes():
    assert conformance.SUITE.read_text("utf-8") == conformance.text()


def test_every_line_is_as_the_schema_says_and_has_a_name_of_its_own():
    schema = json.loads((FOLDER / "schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    assert [error.message for case in CASES for error in validator.iter_errors(case)] == []
    names = [case["id"] for case in CASES]
    assert len(set(names)) == len(names)


@pytest.mark.filterwarnings("ignore:the key and the response share")
@every_row("case", DECIDED)
def test_the_library_gives_every_exact_number(case):
    sides = ({name: sets(side) for name, side in case[s].items()} for s in ("key", "response"))
    report = evaluate(*sides, metrics=case["measure"], **case.get("conventions", {}))
    score = report[case["measure"]].exact
    for part in ("recall", "precision", "f1", "value"):
        if part in case:
            assert is_near(case["measure"], getattr(score, part), Fraction(case[part])), part


def sets(side: list[list[str]]) -> list[set[str]]:
    return [set(entity) for entity in side]


def is_near(measure: str, found, exact: Fraction) -> bool:
    return abs(found - exact) < 1e-12 if measure in NEARLY else found == exact


@every_row("measure, number", [(name, i) for name, of in SLIPS.items() for i in range(len(of))])
def test_no_mention_of_a_slips_case_can_go(measure, number):
    slip = SLIPS[measure][number]
    (case,) = [
        case
        for case in CASES
        if case["measure"] == measure and slip.tries in case["tries"] and len(case["key"]) == 1
    ]
    documents = {
        name: tuple([frozenset(e) for e in case[side][name]] for side in ("key", "response"))
        for name in case["key"]
    }
    wrong = conformance.as_score(slip.wrong)
    assert shows(measure, documents, wrong)
    if f"{measure}-slip-" in case["id"]:
        assert [less for less in without_one(documents) if shows(measure, less, wrong)] == []


def shows(measure: str, documents, wrong) -> bool:
    """Whether the slip gives another number, and the right one has no 0 in it."""
    right = conformance.oracle.total(measure, documents)
    other = conformance.same_parts(wrong(measure, documents), right)
    return other != right and all(part is None or part > 0 for part in right)


def without_one(documents):
    """The document without one of its mentions, on one side or on both."""
    ((name, (key, response)),) = documents.items()
    for mention in {m for side in (key, response) for entity in side for m in entity}:
        for on_key, on_response in ((1, 0), (0, 1), (1, 1)):
            less = (
                taken(key, mention) if on_key else key,
                taken(response, mention) if on_response else response,
            )
            if less != (key, response):
                yield {name: less}


def taken(side, mention):
    return [entity - {mention} for entity in side if entity - {mention}]


# The files


@pytest.mark.parametrize("form", ["conll", "jsonl", "corefud"])
def test_a_file_that_the_script_writes_has_the_cases_entities(tmp_path, form):
    case = next(case for case in DECIDED if case["id"] == "b3-micro-macro")
    files = [run.write(case, side, form, tmp_path) for side in ("key", "response")]
    assert str(evaluate(*files, metrics="b3")["b3"].exact.f1) == case["f1"]


def test_scorchs_json_is_a_file_or_of_several_documents_a_folder(tmp_path):
    one, many = (
        next(c for c in DECIDED if c["id"] == f"b3-{n}") for n in ("pradhan", "micro-macro")
    )
    file = run.write(one, "key", "scorch", tmp_path)
    assert [*json.loads(file.read_text())["clusters"].values()] == one["key"]["d"]
    folder = run.write(many, "response", "scorch", tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["d1.json", "d2.json"]


# What scorers print


@every_row("name, output", [(f.name[:-4], f.read_text("utf-8")) for f in PRINTOUTS.iterdir()])
def test_what_four_scorers_printed_of_pradhans_example_is_read(name, output):
    preset = run.PRESETS[name]
    asked = ASKED.get(name, [*preset.measures])
    cases = [case for case in DECIDED if case["id"] in {f"{each}-pradhan" for each in asked}]
    answers = [
        run.Answer(case, run.read(output, preset.measures[case["measure"]][1])) for case in cases
    ]
    verdicts = {answer.case["measure"]: run.judge(answer, preset) for answer in answers}
    assert {*verdicts} == {*asked}
    assert verdicts == dict.fromkeys(asked, "equal") | OTHERWISE.get(name, {})


ASKED = {"scorer.pl": ["mentions", "b3"]}
"""The Perl scorer was asked for one measure."""
MADE_SINGLETONS = dict.fromkeys(("b3", "ceafm", "ceafe", "blanc_both"), "as scorch_cli prints it")
OTHERWISE = {
    "scorer.pl": {"mentions": run.LOW},
    "scorch": MADE_SINGLETONS | {"conll": "nobody's"},
}
"""Four fifths are printed as 79.99 %; scorch makes singletons of spurious mentions."""


# The command

SCORER = """
import json, sys
key, response = (json.loads(open(path).readline())["clusters"] for path in sys.argv[1:])
mentions = lambda side: {m for e in side for m in map(tuple, e)}
def recall(key, response):
    common = lambda k, r: len({*map(tuple, k)} & {*map(tuple, r)})
    return sum(common(k, r) ** 2 / len(k) for k in key for r in response) / MENTIONS
r, p = recall(key, response), recall(response, key)
print(f"B3: R {100 * r:.2f} P {100 * p:.2f} F {MEAN:.2f}")
"""
RIGHT = {
    "MENTIONS": "(len(mentions(key)) or 1)",
    "MEAN": "100 * (2 * r * p / (r + p) if r + p else 0)",
}


def report_of(tmp_path, *arguments: str, **planted: str) -> tuple[int, str, str]:
    """What the script says of a scorer of ten lines, with formulas of its own."""
    code = SCORER
    for name, formula in {**RIGHT, **planted}.items():
        code = code.replace(name, formula)
    scorer, preset = tmp_path / "scorer.py", tmp_path / "preset.json"
    scorer.write_text(code, "utf-8")
    pattern = r"B3: R ([\d.]+) P ([\d.]+) F ([\d.]+)"
    measures = {"b3": ["", pattern]}
    of = {"format": "jsonl", "scale": 100, "decimals": 2, "measures": measures}
    preset.write_text(json.dumps(of), "utf-8")
    command = [sys.executable, "-S", str(scorer), "{key}", "{response}"]
    done = subprocess.run(
        [sys.executable, FOLDER / "run.py", "--preset", preset, *arguments, "--", *command],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.proof
def test_a_right_scorer_fails_only_where_documents_are_many(tmp_path):
    code, told, _ = report_of(tmp_path)
    failed = [line.split()[0] for line in told.splitlines() if line.startswith("  b3-")]
    many = {case["id"] for case in DECIDED if len(case["key"]) > 1}
    assert code == 1 and failed and {*failed} <= many


@pytest.mark.proof
def test_planted_faults_are_found_in_their_smallest_cases(tmp_path):
    _, told, _ = report_of(tmp_path, MEAN="50 * (r + p)")
    assert "F1 is the harmonic mean, and no arithmetic one" in told
    _, told, _ = report_of(tmp_path, MENTIONS="(len(mentions(key) & mentions(response)) or 1)")
    assert "missing and spurious mentions are in the divisor" in told


def test_what_cannot_be_asked_is_said_with_what_to_do(tmp_path):
    assert report_of(tmp_path, "--measures", "lea")[0] == 2
    code, _, told = report_of(tmp_path, "--convention", "drop")
    assert code == 2 and "singletons=drop" in told
    done = subprocess.run(
        [sys.executable, FOLDER / "run.py", "--", "my-scorer", "{key}", "{response}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "--preset" in done.stderr
