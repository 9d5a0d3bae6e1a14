"""The suite that other scorers run: its cases are right, small and can be written and read."""

import doctest
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import conformance
import jsonschema
import pytest
from rows import every_row
from slips import SLIPS
from spans import MISREADINGS, misread

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


# The script's own modules are in its folder.
sys.path.append(str(FOLDER))
suite_files = module_of("suite_files", FOLDER / "suite_files.py")
run = module_of("run", FOLDER / "run.py")


@pytest.mark.parametrize("module", [run, suite_files])
def test_the_examples_of_the_scripts_hold(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


# The cases


@pytest.mark.proof
def test_the_file_is_what_its_script_writes():
    written = conformance.SUITE.read_text("utf-8") == conformance.text()
    assert written, "a case has changed: run .venv/bin/python tests/conformance.py"


def test_every_line_is_as_the_schema_says_and_has_a_name_of_its_own():
    schema = json.loads((FOLDER / "schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    assert [error.message for case in CASES for error in validator.iter_errors(case)] == []
    names = [case["id"] for case in CASES]
    assert len(set(names)) == len(names)


@pytest.mark.filterwarnings("ignore:the key and the response share")
@every_row("case", DECIDED)
def test_the_library_gives_every_exact_number(case):
    chosen = case.get("conventions", {})
    report = evaluate(case["key"], case["response"], metrics=case["measure"], **chosen)
    score = report[case["measure"]].exact
    for part in ("recall", "precision", "f1", "value"):
        if part in case:
            assert is_near(case["measure"], getattr(score, part), Fraction(case[part])), part


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
    wrong = conformance.as_score(slip.wrong)
    shows = shown_by(case, conformance.oracle.total, wrong)
    assert shows(sides_of(case))
    if f"{measure}-slip-" in case["id"]:
        assert [less for less in without_one(sides_of(case)) if shows(less)] == []


def is_typed(case) -> bool:
    return "-typed-" in case["id"] or "-kept-" in case["id"]


FOUND = [case for case in CASES if "conventions" in case and not is_typed(case)]


@every_row("case", FOUND)
def test_no_mention_of_a_conventions_case_can_go(case):
    ((convention, choice),) = case["conventions"].items()
    _, wanted = conformance.CONVENTIONS[convention][choice]
    shows = shown_by(case, wanted, conformance.oracle.total)
    assert shows(sides_of(case))
    rivals = [other for _, other in conformance.CONVENTIONS[convention].values()]
    unlike = [shown_by(case, wanted, other) for other in rivals if other is not wanted]
    tried = [shows, *(each for each in unlike if each(sides_of(case)))]
    lesser = [less for less in without_one(sides_of(case)) if all(map(all, less.values()))]
    assert [less for less in lesser if all(each(less) for each in tried)] == []


def sides_of(case):
    return {
        name: tuple([frozenset(e) for e in case[side][name]] for side in ("key", "response"))
        for name in case["key"]
    }


def shown_by(case, wanted, wrong):
    """Whether a formula gives another number than the wanted one, and no 0 unless the case does."""
    has_zero = "0" in (case.get(part) for part in (*run.PARTS, "value"))

    def shows(documents) -> bool:
        right = wanted(case["measure"], documents)
        other = conformance.same_parts(wrong(case["measure"], documents), right)
        return other != right and (has_zero or all(part is None or part > 0 for part in right))

    return shows


def without_one(documents):
    """The documents without one of the mentions, on one side or on both."""
    for name, (key, response) in documents.items():
        for mention in {m for side in (key, response) for entity in side for m in entity}:
            for on_key, on_response in ((1, 0), (0, 1), (1, 1)):
                less = (
                    taken(key, mention) if on_key else key,
                    taken(response, mention) if on_response else response,
                )
                if less != (key, response):
                    yield documents | {name: less}


def taken(side, mention):
    return [entity - {mention} for entity in side if entity - {mention}]


SPANS = [case for case in CASES if "sentences" in case]


SEEN_BY = {
    name: conformance.OF_SCORERS if name != "entity 11 is entity 1" else ("muc", "b3", "lea")
    for name in MISREADINGS
}
"""Mentions are found whatever their entities are; the oracle has no CEAF of twelve entities."""


@every_row("misreading, measure", [(name, of) for name, seen in SEEN_BY.items() for of in seen])
def test_a_scorer_that_misreads_mentions_has_another_score_of_some_case(misreading, measure):
    """By each measure alone, since a scorer may have no other."""
    cases = [case for case in SPANS if case["measure"] == measure]
    assert any(
        scores_of(case, MISREADINGS[misreading]) not in (exact(case), None) for case in cases
    )


@every_row("case", SPANS)
def test_a_scorer_that_reads_mentions_has_the_exact_score(case):
    assert scores_of(case, lambda side, sentences: side) == exact(case)


def scores_of(case, misreading):
    """The oracle's score, None if a mention would be in two entities."""
    documents = misread(case, misreading)
    for sides in documents.values():
        for side in sides:
            if sum(map(len, side)) > len(conformance.oracle.mentions_of(side)):
                return None
    return conformance.as_text(conformance.oracle.total(case["measure"], documents))


def exact(case):
    return {part: case[part] for part in run.PARTS if part in case}


def test_mentions_of_several_tokens_are_nested_cross_and_have_gaps_in_these_formats():
    inputs = {case["id"].partition("-span-")[2]: case for case in SPANS}
    forms = [tuple(case["formats"]) for case in inputs.values()]
    assert [forms.count(each) for each in (("conll", "jsonl", "corefud"), ("corefud",))] == [19, 6]
    assert [name for name, case in inputs.items() if case["formats"] == ["jsonl"]] == [
        "crossing-in-its-own"
    ]


def test_printed_is_what_a_scorer_printed_and_computed_like_what_nobody_did():
    values = {}
    for file in ("values", "later"):
        values |= tomllib.loads(
            (conformance.DATA / f"public_scorers/{file}.toml").read_text("utf-8")
        )
    for case in CASES:
        measure = case["measure"].removesuffix("_both")
        name = case["id"].removeprefix(f"{case['measure']}-")
        stored = {v: by.split() for v, by in values.get(name, {}).get(measure, {}).items()}
        assert case.get("printed", {}) == stored, case["id"]
        printed = {scorer for by in stored.values() for scorer in by}
        computed = [scorer for by in case.get("computed_like", {}).values() for scorer in by]
        assert printed.isdisjoint(computed), case["id"]
        reasoned = [scorer for by in case.get("reasons", {}).values() for scorer in by]
        assert printed.union(computed).issuperset(reasoned), case["id"]
        assert "source" in case or stored, case["id"]


# The files


@pytest.mark.filterwarnings("ignore:the key and the response share")
@pytest.mark.parametrize("form", ["conll", "jsonl", "corefud"])
def test_files_that_the_script_writes_have_the_cases_entities(tmp_path, form):
    asked = [case for case in DECIDED if "f1" in case and form in case["formats"]]
    plain = [case for case in asked if "sentences" not in case]
    spans = [case for case in asked if "sentences" in case and case["measure"] == "b3"]
    for case in plain[FORMS.index(form) :: len(FORMS)] + spans:
        files = [run.write(case, side, form, tmp_path) for side in ("key", "response")]
        report = evaluate(*files, metrics=case["measure"], **case.get("conventions", {}))
        found = report[case["measure"]].exact.f1
        assert is_near(case["measure"], found, Fraction(case["f1"])), case["id"]


FORMS = ["conll", "jsonl", "corefud"]


def test_scorchs_json_is_a_file_or_of_several_documents_a_folder(tmp_path):
    one, many = (
        next(c for c in DECIDED if c["id"] == f"b3-{n}") for n in ("pradhan", "micro-macro")
    )
    file = run.write(one, "key", "scorch", tmp_path)
    assert [*json.loads(file.read_text())["clusters"].values()] == one["key"]["d"]
    folder = run.write(many, "response", "scorch", tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["d1.json", "d2.json"]


def test_scorchs_response_that_lacks_a_document_is_a_folder_as_its_key_is(tmp_path):
    lacking = next(case for case in CASES if case["id"] == "b3-missing-document")
    assert run.write(lacking, "key", "scorch", tmp_path).is_dir()
    assert run.write(lacking, "response", "scorch", tmp_path).is_dir()


# What scorers print


@every_row("name, output", [(f.name[:-4], f.read_text("utf-8")) for f in PRINTOUTS.iterdir()])
def test_what_four_scorers_printed_of_pradhans_example_is_read(name, output):
    preset = run.PRESETS[name]
    asked = ASKED.get(name, [*preset.measures])
    cases = [case for case in DECIDED if case["id"] in {f"{each}-pradhan" for each in asked}]
    answers = [
        run.Answer(case, run.read(output, preset.measures[case["measure"]][1])) for case in cases
    ]
    verdicts = {a.case["measure"]: a.verdict for a in run.judge(answers, preset)}
    assert {*verdicts} == {*asked}
    assert verdicts == dict.fromkeys(asked, "equal") | OTHERWISE.get(name, {})


ASKED = {"scorer.pl": ["mentions", "b3"]}
"""The Perl scorer was asked for one measure."""
MADE_SINGLETONS = dict.fromkeys(("b3", "ceafm", "ceafe", "blanc"), "as scorch_cli prints it")
OTHERWISE = {
    "scorer.pl": {"mentions": run.LOW},
    "scorch": MADE_SINGLETONS | {"conll": run.COMPUTED.format("scorch_cli")},
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
    code, _, _ = report_of(tmp_path, "--json", str(tmp_path / "told.json"))
    told = json.loads((tmp_path / "told.json").read_text("utf-8"))
    failed = {case["id"] for case in told["cases"] if case["exact"] and case["verdict"] != "equal"}
    many = {case["id"] for case in DECIDED if len(case["key"]) > 1}
    assert code == 1 and failed and failed <= many
    assert told["equal"] + len(failed) == told["of"]


@pytest.mark.proof
def test_planted_faults_are_found_in_their_smallest_cases(tmp_path):
    _, told, _ = report_of(tmp_path, MEAN="50 * (r + p)")
    assert "F1 is the harmonic mean, and no arithmetic one" in told
    _, told, _ = report_of(tmp_path, MENTIONS="(len(mentions(key) & mentions(response)) or 1)")
    assert "missing and spurious mentions are in the divisor" in told


def test_what_cannot_be_asked_is_said_with_what_to_do(tmp_path):
    assert report_of(tmp_path, "--measures", "lea")[0] == 2
    code, out, told = report_of(tmp_path, "--convention", "singletons=dropped")
    assert (code, out) == (2, "") and "mean singletons=drop?" in told and "zero=one" in told
    both = ("--convention", "singletons=drop", "--convention", "zero=one")
    code, out, told = report_of(tmp_path, *both)
    assert (code, out) == (2, "") and "singletons=drop and zero=one for b3" in told
    done = subprocess.run(
        [sys.executable, FOLDER / "run.py", "--", "my-scorer", "{key}", "{response}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "--preset" in done.stderr


PRESET = ["--preset", "coval"]


def asked(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, FOLDER / "run.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (["false"], "exit code 1"),
        (["echo", "no numbers"], "ends in 'no numbers"),
        (["echo", "bcub Recall: 1.2.3 Precision: . F1: 5"], "no number was found"),
        (["/no/such/scorer"], "No such file"),
        ([sys.executable, "-S", "-c", "raise KeyError('d2')"], "KeyError: 'd2'"),
    ],
)
def test_a_command_without_any_answer_is_given_up(command, named):
    code, told, errors = asked(*PRESET, "--", *command, "{key}", "{response}")
    assert code == 2 and told == "" and "Traceback" not in errors
    named_cases = [line for line in errors.splitlines() if named in line]
    names = {case["id"] for case in CASES}
    assert len({line.split(":")[0].strip() for line in named_cases} & names) == run.FIRST


def test_a_command_that_hangs_is_stopped_with_what_it_started():
    """A shell's child keeps its pipes open after the shell has been killed."""
    start = time.monotonic()
    hangs = ["sh", "-c", "sleep 300; : {key} {response}"]
    code, _, errors = asked(*PRESET, "--timeout", "0.5", "--jobs", "3", "--", *hangs)
    assert code == 2 and "no answer in 0.5 seconds" in errors
    assert time.monotonic() - start < 100


def test_a_scorer_that_stops_at_some_cases_has_an_answer_to_the_others(tmp_path):
    preset = run.PRESETS["coval"]
    cases = [c for c in DECIDED if c["id"] in ("muc-perfect-singletons", "muc-micro-macro")]
    prints = (
        "case $(grep -c begin {key}) in 1) echo muc Recall: 1 Precision: 1 F1: 1;; *) exit 3; esac"
    )
    found = [
        answer
        for case in cases
        for answer in run.answers([case], ["sh", "-c", prints, "{response}"], preset, 60)
    ]
    assert [answer.why[:11] for answer in found] == ["", "exit code 3"]
    told = run.report(run.judge(found, preset), run.Counter(), preset)
    assert "exit code 3" in told and cases[1]["id"] in told


@pytest.mark.proof
def test_a_scorer_that_divides_by_zero_at_the_smallest_cases_is_asked_on(tmp_path):
    code, told, _ = report_of(tmp_path, "--jobs", "2", MENTIONS="len(mentions(key))")
    assert code == 1 and "ZeroDivisionError" in told and "b3-both-empty" in told


def test_the_first_cases_are_of_every_kind_of_input():
    groups = run.by_input(sorted(DECIDED, key=run.size))
    first = [case for group in run.unlike(groups) for case in group]
    assert len({case["id"] for case in first}) == run.FIRST
    assert {group[0]["where"] for group in groups} == {
        next(g[0]["where"] for g in groups if case in g) for case in first
    }


@pytest.mark.parametrize(
    ("preset", "named"),
    [
        ({"format": "xml"}, "xml"),
        ({"measures": {"b3": ["", "("]}}, "unterminated"),
        ({"measures": {"b3": ["", "(1) (2)"]}}, "b3"),
        ({"measures": {"b3": "B3"}}, "no preset"),
        ({"scale": "100"}, "scale"),
        ({"scale": 0}, "scale"),
        ({"decimals": -1}, "decimals"),
        ({"measures": ["b3"]}, "measures"),
        ({"measures": {}}, "measures"),
        ({"unknown": 1}, "'unknown' is no field"),
        ({"measures": {"bcubed": ["", "(.)"]}}, "mean b3?"),
        ({"measures": {"ceaf": ["", "(.)"]}}, "ceafe"),
        ({"measures": {"b3": ["", "(?P<r>.)(?P<p>.)(?P<f>.)"]}}, "recall, precision and f1"),
        ({"measures": {"b3": ["", "(?P<recall>.)(?P<precision>.)(.)"]}}, "(?P<recall>.)"),
        ({"measures": {"b3": ["", "(?P<recall>.)"]}}, "(?P<recall>.)"),
    ],
)
def test_a_wrong_preset_is_refused(preset, named, tmp_path):
    right = {"format": "jsonl", "scale": 100, "decimals": 2, "measures": {"b3": ["", "(.)"]}}
    file = tmp_path / "preset.json"
    file.write_text(json.dumps(right | preset), "utf-8")
    code, _, errors = asked("--preset", str(file), "--", "cat", "{key}", "{response}")
    assert code == 2 and named in errors and "Traceback" not in errors


EXCEPTIONS = {
    "KeyError: 'a'": """Traceback (most recent call last):
  File "scorer.py", line 3, in <module>
KeyError: 'a'
""",
    "ImportError: NumPy 2 lacks it": """Traceback (most recent call last):
  File "scorer.py", line 3, in <module>
ImportError: NumPy 2 lacks it

Read what to do at
    https://example.org/
https://example.org/more
""",
    "ValueError: no bracket": """Traceback (most recent call last):
  File "scorer.py", line 1, in <module>
KeyError: 1

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "scorer.py", line 3, in <module>
ValueError: no bracket
""",
    'Exception in thread "main" java.lang.NullPointerException': """reading
Exception in thread "main" java.lang.NullPointerException
\tat Scorer.main(Scorer.java:3)
""",
    "Illegal division by zero at scorer.pl line 3.": """a warning
Illegal division by zero at scorer.pl line 3.
""",
}


@every_row("said, errors", EXCEPTIONS.items())
def test_an_exception_is_quoted_by_the_line_that_says_it(said, errors):
    assert run.exception(errors) == said


def test_a_scorer_that_has_the_same_number_is_named_with_what_it_does():
    case = next(c for c in CASES if c["id"] == "b3-micro-macro")
    reasons = [why for why, scorers in case["reasons"].items() if "hf_coval" in scorers]
    (value,) = (v for v, scorers in case["printed"].items() if "hf_coval" in scorers)
    numbers = dict(zip(run.PARTS, map(Fraction, value.split()), strict=True))
    (answer,) = run.judge([run.Answer(case, numbers)], run.Preset("conll", 1, 6, {}))
    kind, *_ = run.kinds([answer], run.PRESETS["coval"])
    assert kind == f"as {answer.scorer} prints it, which {reasons[0]} (1)"
    assert "same number" in kind


SHARES_NUMBERS = """
import re, sys
def read(path):
    entities, places = {}, {}
    for place, line in enumerate(open(path)):
        marks = line.split()[-1] if line[:1] not in "#\\n" else "-"
        for mark in marks.split("|") * (marks != "-"):
            number = re.search(r"\\d+", mark).group()
            if "(" in mark:
                places.setdefault(number, []).append(place)
            if ")" in mark:
                entities.setdefault(number, set()).add((places[number].pop(), place))
    return [*entities.values()]
def muc(key, response):
    entity_of = {mention: number for number, e in enumerate(response) for mention in e}
    common = sum(len(e) - len({entity_of.get(mention, mention) for mention in e}) for e in key)
    return common / (sum(len(e) - 1 for e in key) or 1)
def b3(key, response):
    return sum(len(k & r) ** 2 / len(k) for k in key for r in response) / (sum(map(len, key)) or 1)
key, response = map(read, sys.argv[1:])
for measure in (muc, b3):
    r, p = measure(key, response), measure(response, key)
    print(measure.__name__, r, p, 2 * r * p / (r + p) if r + p else 0.0)
"""


def test_a_scorer_that_shares_numbers_across_documents_is_told_so_first(tmp_path):
    scorer, preset = tmp_path / "scorer.py", tmp_path / "preset.json"
    scorer.write_text(SHARES_NUMBERS, "utf-8")
    measures = {name: ["", rf"{name} (\S+) (\S+) (\S+)"] for name in ("muc", "b3")}
    of = {"format": "conll", "scale": 1, "decimals": 6, "measures": measures}
    preset.write_text(json.dumps(of), "utf-8")
    command = [sys.executable, "-S", str(scorer), "{key}", "{response}"]
    _, told, _ = asked("--preset", str(preset), "--", *command)
    equal, *others = told.splitlines()
    kinds = [line for line in others if not line.startswith(" ")]
    reason = "makes one of several documents, and one entity of those with the same number"
    assert equal == "equal 114 of 136"
    assert [f"which {reason} (" in kind for kind in kinds[:3]] == [True, True, False]
    assert "stanza" not in "".join(kinds)


def test_a_slip_is_named_where_no_scorer_has_the_number():
    case = next(c for c in CASES if c["id"] == "b3-typed-4")
    slip = "missing and spurious mentions are in the divisor"
    (value,) = (v for v, slips in case["slips"].items() if slip in slips)
    numbers = dict(zip(run.PARTS, map(Fraction, value.split()), strict=True))
    (answer,) = run.judge([run.Answer(case, numbers)], run.Preset("conll", 1, 6, {}))
    assert answer.verdict == run.SLIPPED.format(slip)


# A function of Python

FUNCTIONS = """
def mentions(side):
    return {m for e in side for m in e}

def recall(key, response):
    return sum(len(k & r) ** 2 / len(k) for k in key for r in response) / (len(mentions(key)) or 1)

def b3(key, response):
    r, p = recall(key, response), recall(response, key)
    return r, p, 2 * r * p / (r + p) if r + p else 0.0

def of_measures(key, response):
    return {"b3": b3(key, response)}

def wrong(key, response):
    r, p, f1 = b3(key, response)
    return {"b3": (r, p, (r + p) / 2)}

def without_f1(key, response):
    return {"b3": (*b3(key, response)[:2], None)}

def of_labels(key, response):
    def entities(labels):
        return [{i for i, other in enumerate(labels) if other == label} for label in set(labels)]
    return {"b3": b3(entities(key), entities(response))}

def zero_is_one(key, response):
    sides = (key, response), (response, key)
    r, p = (recall(*each) if each[0] else 1.0 for each in sides)
    return {"b3": (r, p, 2 * r * p / (r + p) if r + p else 0.0)}

def without_singletons(key, response):
    sides = ([entity for entity in side if len(entity) > 1] for side in (key, response))
    return {"b3": b3(*sides)}

def half(key, response):
    return {"b3": [0.5]}

def stops(key, response):
    if len(response) > 2:
        raise KeyError("b")
    return of_measures(key, response)

def never(key, response):
    raise KeyError("b")

def unknown(key, response):
    return {"bcubed": 1}

def waits(key, response):
    import time
    if len(response) > 3:
        print("asked", flush=True)
        time.sleep(300)
    return of_measures(key, response)
"""


@pytest.fixture
def functions(tmp_path, monkeypatch):
    (tmp_path / "of_mine.py").write_text(FUNCTIONS, "utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("options", [["of_measures"], ["b3", "--measures", "b3"], ["without_f1"]])
def test_a_right_function_is_equal_in_all_cases_that_it_can_be_given(functions, options):
    name, *others = options
    code, told, errors = asked("--python", f"of_mine:{name}", *others)
    of_b3 = [c for c in DECIDED if c["measure"] == "b3" and "conventions" not in c]
    given = [case for case in of_b3 if len(case["key"]) == 1 and "sentences" not in case]
    assert (code, errors) == (0, "")
    assert told.startswith(f"equal {len(given)} of {len(given)}\nnot asked: ")


def test_a_function_of_labels_is_given_the_same_mentions_alone(functions):
    code, told, _ = asked("--python", "of_mine:of_labels", "--labels")
    equal, of = told.split("\n")[0].removeprefix("equal ").split(" of ")
    assert code == 0 and equal == of and int(of) > 5


def test_a_wrong_function_is_told_by_its_faults(functions):
    code, told, _ = asked("--python", "of_mine:wrong")
    assert code == 1
    assert "as if this did not hold: F1 is the harmonic mean, and no arithmetic one" in told
    code, told, errors = asked("--python", "of_mine:stops")
    assert code == 1 and "KeyError: '…', where" in told and "Traceback" not in errors


@every_row(
    "name, choice",
    [("zero_is_one", "zero=one"), ("without_singletons", "singletons=drop")],
)
def test_a_function_by_another_convention_is_told_how_to_ask(functions, name, choice):
    code, told, _ = asked("--python", f"of_mine:{name}")
    equal, line, *_ = told.splitlines()
    of = equal.rpartition(" ")[2]
    assert (code, line) == (1, f"with --convention {choice} {of} of {of} are equal")
    assert told.count("with --convention") == 1
    assert asked("--python", f"of_mine:{name}", "--convention", choice)[0] == 0


@every_row(
    "options, said",
    [
        (["of_mine:half"], "the function returns [0.5] for b3 at {a b} {c}: expected recall"),
        (["of_mine:never"], "the function stops at {a b} {c}: KeyError: 'b'"),
        (["of_mine:b3"], "say --measures and one measure"),
        (["of_mine:unknown"], "did you mean b3?"),
        (["of_mine:absent"], "AttributeError"),
        (["not_there:b3"], "ModuleNotFoundError: No module named 'not_there'"),
        (["of_mine"], "expected module:function"),
        (["of_mine:b3", "--keep", "kept"], "without a keep"),
        (["of_mine:b3", "--", "my-scorer"], "without a command"),
    ],
)
def test_a_function_that_cannot_be_asked(functions, options, said):
    code, told, errors = asked("--python", *options)
    assert (code, told) == (2, "") and said in errors and "Traceback" not in errors


@pytest.mark.parametrize("name", ["bcubed", "er_evaluation", "metric4coref", "pair_confusion"])
def test_the_readme_names_every_adapter(name):
    adapters = (FOLDER / "adapters.py").read_text("utf-8")
    assert f"\ndef {name}(key" in adapters
    assert f"`--python adapters:{name}" in (FOLDER / "README.md").read_text("utf-8")


def test_scikit_learn_is_asked_by_its_adapter():
    code, told, errors = asked("--python", "adapters:pair_confusion", "--labels")
    assert (code, errors) == (1, "")
    assert "it says that it is not a number, where a number is 0/0" in told


# While it runs, and what is left of it


def test_the_files_of_cases_that_are_not_equal_are_kept(tmp_path):
    prints = ["sh", "-c", "echo muc Recall: 1 Precision: 0.5 F1: 0; : {key} {response}"]
    kept = tmp_path / "kept"
    options = [*PRESET, "--measures", "muc", "--keep", str(kept), "--json", str(tmp_path / "told")]
    assert asked(*options, "--", *prints)[0] == 1
    told = json.loads((tmp_path / "told").read_text("utf-8"))["cases"]
    wrong = {case["id"] for case in told if case["exact"] and case["verdict"] != "equal"}
    assert {folder.name for folder in kept.iterdir()} == wrong
    case = next(case for case in CASES if case["id"] == "muc-pradhan")
    folder = kept / case["id"]
    for side in ("key", "response"):
        written = suite_files.conll(case[side], suite_files.texts(case))
        assert (folder / f"{side}.conll").read_text("utf-8") == written
    assert (folder / "printed.txt").read_text("utf-8") == "muc Recall: 1 Precision: 0.5 F1: 0\n"
    code, told, errors = asked(*options, "--", *prints)
    assert (code, told) == (2, "") and "expected a new or an empty folder" in errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_found_until_it_is_stopped_is_reported(functions, number, tmp_path):
    command = [sys.executable, FOLDER / "run.py", "--python", "of_mine:waits", "--json", "told"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout.readline() == "asked\n"
        process.send_signal(number)
        told, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and errors == ""
    assert told.startswith("stopped: ") and "\nequal " in told
    stored = json.loads(Path("told").read_text("utf-8"))
    assert stored["stopped"] and stored["equal"] == stored["of"]


def test_commands_that_run_are_killed_when_it_is_stopped(tmp_path, monkeypatch):
    """What they started is killed, too: it would hold the pipes open for minutes."""
    monkeypatch.chdir(tmp_path)
    prints = "echo muc Recall: 1 Precision: 1 F1: 1"
    late = "if [ $(ls | wc -l) -gt 40 ]; then touch late; sleep 300; fi"
    many = f"{late}; mktemp run.XXXXXX; {prints}"
    command = [sys.executable, FOLDER / "run.py", *PRESET, "--measures", "muc", "--jobs", "2"]
    command += ["--json", "told", "--", "sh", "-c", f"{many}; : {{key}} {{response}}"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        while not Path("late").exists():
            time.sleep(0.05)
        process.terminate()
        told, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and errors == "" and told.startswith("stopped: ")
    assert json.loads(Path("told").read_text("utf-8"))["of"] > 5


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there is no terminal of our own")
def test_a_terminal_shows_how_far_it_is(functions):
    ours, theirs = os.openpty()
    command = [sys.executable, FOLDER / "run.py", "--python", "of_mine:wrong"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    shown = os.read(ours, 1_000_000).decode()
    os.close(ours)
    assert done.returncode == 1 and done.stdout.startswith("equal ")
    assert " cases asked, 1 not equal" in shown and shown.rstrip(" ").endswith("\r")


def test_the_folder_stands_by_itself(tmp_path):
    """Copied out, where there is no library and no other file of the project."""
    alone = tmp_path / "alone"
    alone.mkdir()
    for file in FOLDER.iterdir():
        if file.is_file():
            shutil.copy(file, alone)
    (tmp_path / "of_mine.py").write_text(FUNCTIONS, "utf-8")
    command = [sys.executable, "-S", alone / "run.py", "--python", "of_mine:of_measures"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    command = [sys.executable, "-S", alone / "run.py", *PRESET, "--measures", "lea", "--"]
    command += ["sh", "-c", "echo lea Recall: 1 Precision: 1 F1: 1; : {key} {response}"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "") and done.stdout.startswith("equal ")


def test_whose_number_it_is_is_the_scorers_that_has_the_most():
    assert run.likeliest({1: ["a", "b"], 2: ["b"], 3: ["c"], 4: []}) == {1: "b", 2: "b", 3: "c"}


@pytest.mark.parametrize("field", run.Preset._fields)
def test_a_missing_field_of_a_preset_is_named(field):
    given = {"format": "conll", "scale": 1, "decimals": 6, "measures": {}}
    del given[field]
    with pytest.raises(ValueError, match=f"'{field}' is missing"):
        run.checked(given)


def test_the_first_cases_are_of_all_measures_in_turn():
    two = [{"id": name, "measure": name, "where": "nothing is unusual"} for name in ("muc", "b3")]
    measures = [case["measure"] for group in run.unlike([two] * 4) for case in group]
    assert measures == ["muc", "b3", "muc", "b3"]


def test_groups_are_read_by_their_names():
    named = r"P(?P<precision>\S+) R(?P<recall>\S+)(?: F(?P<f1>\S+))?"
    assert run.read("P.5 R1 F.6", named) == {
        "precision": Fraction(1, 2),
        "recall": 1,
        "f1": Fraction(3, 5),
    }
    assert run.read("P.5 R1", named)["f1"] is None
    assert run.read("1 2 3", "(.) (.) (.)") == {"recall": 1, "precision": 2, "f1": 3}
    assert run.read("0/0", r"(\S+)") is None


def test_a_lone_value_is_held_against_the_papers():
    case = next(case for case in DECIDED if case["measure"] == "kappa")
    preset = run.Preset("conll", 1, 6, {"kappa": ["", "(.*)"]})
    right = run.Answer(case, {"f1": Fraction(case["value"])})
    wrong = run.Answer(case, {"f1": Fraction(case["value"]) + 1})
    assert [each.verdict for each in run.judge([right, wrong], preset)] == ["equal", run.NOBODY]


def told_of(change, scale: int = 1, decimals: int = 9) -> list[str]:
    """The report of a scorer whose numbers are the exact ones, changed."""
    preset = run.Preset("conll", scale, decimals, {})
    cases = [case for case in DECIDED if case["measure"] == "b3" and "conventions" not in case]
    found = [run.Answer(case, change(run.exact(case))) for case in cases]
    return run.report(run.judge(found, preset), run.Counter(), preset).split("\n")


def test_numbers_that_are_read_wrongly_are_said_in_one_line():
    right = told_of(dict)
    _, count = right[0].split(" of ")
    assert right == [f"equal {count} of {count}"]
    swapped = told_of(lambda n: n | {"recall": n["precision"], "precision": n["recall"]})
    assert swapped[1] == f"with recall and precision exchanged {count} of {count} are equal"
    of_hundred = told_of(lambda n: {part: round(100 * x, 2) for part, x in n.items()}, 1, 4)
    assert of_hundred[1] == f"with scale 100 and decimals 2 {count} of {count} are equal"
    of_one = told_of(lambda n: {part: round(x, 4) for part, x in n.items()}, 100, 2)
    assert of_one[1] == f"with scale 1 and decimals 4 {count} of {count} are equal"
    fewer = told_of(lambda n: {part: round(x, 3) for part, x in n.items()})
    assert fewer[1] == f"with decimals 3 {count} of {count} are equal"
    rough = told_of(lambda n: {part: round(100 * x + Fraction(3, 10), 2) for part, x in n.items()})
    assert not rough[1].startswith("with ")
    assert not told_of(lambda n: n | {"recall": n["recall"] / 2})[1].startswith("with ")


def test_faults_with_a_name_come_first_with_key_and_response():
    told = told_of(lambda n: n | {"f1": (n["recall"] + n["precision"]) / 2})
    assert told[2].startswith("    b3-one-against-two") and "no arithmetic one" in told[2]
    assert told[3:5] == ["        key {a}", "        response {a b}"]


def test_a_fault_stands_before_a_smaller_case_of_its_kind():
    small, fault = (
        next(c for c in CASES if c["id"] == f"b3-{n}") for n in ("two-against-one", "added")
    )
    assert run.size(small) < run.size(fault)
    found = [run.Answer(case, {}, verdict=run.NOBODY) for case in (small, fault)]
    _, first, *_ = run.kinds(found, run.PRESETS["coval"])
    assert "b3-added" in first


def test_every_slips_case_is_one_that_has_a_fault():
    for measure, slips in SLIPS.items():
        for slip in slips:
            case = next(c for c in CASES if c["measure"] == measure and slip.tries in c["tries"])
            assert run.has_fault(case), case["id"]
    drawn = [case for case in CASES if "-drawn-" in case["id"] or case["id"].endswith("-pradhan")]
    assert drawn and not any(map(run.has_fault, drawn))


def test_documents_are_told_with_their_names_if_there_are_several():
    assert run.in_braces({"d": [["a", "b"], ["c"]]}) == "{a b} {c}"
    assert run.in_braces({"d1": [["a"]], "d2": []}) == "d1: {a}; d2: without entities"


def test_a_report_that_cannot_be_written_is_printed_all_the_same(tmp_path):
    prints = ["sh", "-c", "echo lea Recall: 1 Precision: 1 F1: 1; : {key} {response}"]
    file = tmp_path / "none" / "told.json"
    options = [*PRESET, "--measures", "lea", "--jobs", "0", "--json", file]
    code, told, errors = asked(*options, "--", *prints)
    assert code == 2 and told.startswith("equal ")
    assert str(file) in errors and "Traceback" not in errors


def test_a_reader_that_stops_is_no_error():
    prints = ["sh", "-c", "echo muc Recall: 1 Precision: 0 F1: 0; : {key} {response}"]
    command = [sys.executable, FOLDER / "run.py", *PRESET, "--measures", "muc", "--", *prints]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_the_readme_has_every_name_and_the_file_as_it_is_written():
    text = (FOLDER / "README.md").read_text("utf-8")
    for case in CASES:
        named = [case["measure"], *(f"{n}={c}" for n, c in case.get("conventions", {}).items())]
        assert all(f"`{name}`" in text for name in named), named
    case = next(case for case in CASES if case["id"] == "b3-span-two-documents")
    for form, write in suite_files.WRITERS.items():
        written = write(case["response"], suite_files.texts(case))
        shown = written.replace("\t", "  ")
        assert f"\n{shown}```" in text, form


def test_the_version_is_one():
    schema = json.loads((FOLDER / "schema.json").read_text("utf-8"))
    assert f"Version {schema['version']}. " in (FOLDER / "README.md").read_text("utf-8")


def test_the_changelog_counts_the_cases():
    text = (FOLDER.parents[1] / "CHANGELOG.md").read_text("utf-8")
    assert f"- {len(CASES):,} small cases for any scorer" in text


def test_the_readmes_report_is_one_of_a_scorer_that_skips_missing_mentions():
    text = (FOLDER / "README.md").read_text("utf-8")
    case = next(case for case in CASES if case["id"] == "b3-slip-6")
    numbers = {"recall": Fraction(1), "precision": Fraction(1, 2), "f1": Fraction(2, 3)}
    answer = run.Answer(case, numbers, verdict=run.NOBODY)
    assert "\n".join([*run.kinds([answer], run.Preset("conll", 1, 9, {}))][1:]) in text
