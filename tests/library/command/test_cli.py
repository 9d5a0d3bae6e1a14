"""The command as a user types it.

If one of these failed, a script that reads the output would break, or a user would see a
traceback, a wrong exit code or half a result.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from documents import document
from rows import every_row

import corefeval
from corefeval.cli import _parser
from corefeval.conventions import CHOICES, OF_FILES, Chosen, Options
from corefeval.display import percent
from corefeval.registry import MEASURES, SUITES
from corefeval.scorers.bundles import bundles, find_scorer
from corefeval.signature import parsed

# Key {A B C} {D E F G} and response {A B} {C D} {F G H}, one token each. MUC by hand: the
# response makes 1 of the 2 + 3 = 5 links that the key needs in {A B C} and 1 in {D E F G}; it
# has 1 + 1 + 2 = 4 itself, of which the key has those 2. F1 = 2 · 2/5 · 1/2 / (9/10) = 4/9.
KEY = document("(0) (0) (0) (1) (1) (1) (1) -")
RESPONSE = document("(0) (0) (1) (1) - (2) (2) (2)")
MUC = {
    "recall": 0.4, "precision": 0.5, "f1": 0.4444444444444444, "value": 0.4444444444444444,
    "recall_hits": "2", "recall_total": "5", "precision_hits": "2", "precision_total": "4",
}  # fmt: skip
SIGNATURE = f"corefeval={corefeval.__version__} metrics="


@pytest.fixture
def files(folder):
    Path("key.conll").write_text(KEY)
    Path("response.conll").write_text(RESPONSE)
    return ["score", "key.conll", "response.conll"]


# Buffered as in a user's shell, whatever it is where the tests run.
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(corefeval.__file__).parent.parent),
    "PYTHONUNBUFFERED": "",
}


def typed(
    *arguments: str,
    stdout: Any = subprocess.PIPE,
    env: dict[str, str] | None = None,
    options: Sequence[str] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, with ``options`` of Python."""
    return subprocess.run(
        [sys.executable, *options, "-m", "corefeval", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT | (env or {}),
    )


# corefeval score


def test_table(files, run):
    code, output, errors = run(*files, "--metric", "muc", "--metric", "mentions")
    assert (code, errors) == (0, "")
    table, signature = output.split("\n\n")
    # Mentions by hand: six of seven on either side.
    assert table == (
        "measure   recall  precision     F1\n"
        "muc        40.00      50.00  44.44\n"
        "mentions   85.71      85.71  85.71"
    )
    assert signature.startswith(SIGNATURE) and signature.endswith("\n")
    assert signature.endswith(" documents=1 defaults\n")


def test_the_default_is_the_standard_suite(files, run):
    assert run(*files) == run(*files, "--metric", "standard")
    lines = run(*files)[1].split("\n\n")[0].splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(SUITES["standard"])


def test_all_is_every_measure_once(files, run):
    _, output, _ = run(*files, "--metric", "all", "--metric", "muc", "--format", "json")
    assert sorted(json.loads(output)["metrics"]) == sorted(MEASURES)


def test_values_have_a_column_only_where_needed(files, run):
    # κ by hand: of seven links two are in both, three in the key's and two in the response's
    # alone: 2/7 agree, by chance (5 · 4 + 3 · 2) / 49.
    assert run(*files, "--metric", "muc", "--metric", "kappa")[1].startswith(
        "measure  recall  precision     F1   value\n"
        "muc       40.00      50.00  44.44       —\n"
        "kappa         —          —      —  -52.17\n"
    )
    output = run(*files, "--metric", "kappa", "--format", "json")[1]
    numbers = json.loads(output)["metrics"]["kappa"]
    assert numbers == {**dict.fromkeys(MUC), "value": float(Fraction(-12, 23))}


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Fraction(1), "100.00"),
        (Fraction(2675, 100_000), "2.68"),  # the double nearest to 2.675 is below it
        (Fraction(2674999, 100_000_000), "2.67"),
        (Fraction(5, 100_000), "0.01"),
        (Fraction(-5, 100_000), "-0.01"),
        (Fraction(-4, 100_000), "0.00"),
        (-1e-9, "0.00"),
        (Fraction(99995, 100_000), "100.00"),
        (Fraction(99994, 100_000), "99.99"),
        (None, "—"),
    ],
)
def test_percent_rounds_the_exact_value_half_up(value, printed):
    assert percent(value) == printed


@pytest.mark.parametrize("per_document", [[], ["--per-document"]])
def test_json(files, run, per_document):
    arguments = [*files, "--metric", "all", "--format", "json", *per_document]
    code, output, errors = run(*arguments)
    content = json.loads(output)
    assert (code, errors) == (0, "")
    assert {*content} - {"per_document"} == {"signature", "documents", "metrics"}
    assert content["signature"].startswith(SIGNATURE) and content["documents"] == 1
    for numbers in content["metrics"].values():
        assert [*numbers] == [*MUC]
        for name, number in numbers.items():
            if "_" in name:
                assert number is None or re.fullmatch(r"\d+(/\d+)?", number)
            else:
                assert number is None or type(number) is float
    assert content["metrics"]["muc"] == MUC
    # The shortest decimals that are read as the same doubles.
    assert '"f1": 0.4444444444444444,' in output and '"recall": 0.4,' in output
    # B³ by hand: 4/3 + 1/3 for A B C, 1/4 + 4/4 for D F G: 35/12 of 7; 4/2 + 1/2 + 1/2 + 4/3 of 7.
    b3 = content["metrics"]["b3"]
    assert (b3["recall_hits"], b3["recall_total"]) == ("35/12", "7")
    assert (b3["precision_hits"], b3["precision_total"]) == ("13/3", "7")
    assert ("per_document" in content) == bool(per_document)
    if per_document:
        assert content["per_document"] == {"d; part 000": content["metrics"]}


def test_csv(files, run):
    code, output, errors = run(*files, "--metric", "muc", "--format", "csv", "--per-document")
    header, *rows = csv.reader(io.StringIO(output))
    assert (code, errors) == (0, "") and "\r" not in output
    assert header == ["document", "measure", *MUC, "signature"]
    numbers = ["" if value is None else str(value) for value in MUC.values()]
    assert [row[:-1] for row in rows] == [
        ["d; part 000", "muc", *numbers],
        ["", "muc", *numbers],
    ]
    content = json.loads(run(*files, "--metric", "muc", "--format", "json")[1])
    assert {row[-1] for row in rows} == {content["signature"]}


def two_documents() -> None:
    # MUC by hand: 1 of 1 in (a), 1 of 2 in (b), on the key's side; together 2 of 3.
    key = [document("(0) (0)", "(a)"), document("(0) (0) (0)", "(b)")]
    response = [document("(5) (5)", "(a)"), document("(5) (5) -", "(b)")]
    Path("key.conll").write_text("".join(key))
    Path("response.conll").write_text("".join(reversed(response)))


def test_per_document(files, run):
    two_documents()
    _, output, _ = run(*files, "--metric", "muc", "--per-document")
    assert output.split("\n\n")[0] == (
        "document  measure  recall  precision      F1\n"
        "a         muc      100.00     100.00  100.00\n"
        "b         muc       50.00     100.00   66.67\n"
        "TOTAL     muc       66.67     100.00   80.00"
    )


def test_every_convention_is_an_option(files, run):
    code, output, _ = run("score", "--help")
    assert code == 0
    squeezed = "".join(output.split())
    for name, choices in (CHOICES | OF_FILES).items():
        assert f"--{name.replace('_', '-')}CHOICE" in squeezed
        for choice, what in choices.items():
            assert "".join(f"{choice}: {what}".split()) in squeezed
            code, output, errors = run(*files, f"--{name.replace('_', '-')}", choice)
            if name in OF_FILES and choice != next(iter(choices)):  # these files are CoNLL-2012
                assert code == 2 and f"{name}='{choice}' is for " in errors
            else:
                assert code == 0 and parsed(output.splitlines()[-1])[name] == choice


def test_every_convention_is_a_keyword_that_editors_know():
    for known, options in ((Chosen, CHOICES), (Options, CHOICES | OF_FILES)):
        hints = get_type_hints(known)
        assert {name: get_args(hint) for name, hint in hints.items()} == {
            name: tuple(choices) for name, choices in options.items()
        }


# Errors


CASES = Path(__file__).with_name("commands.cases").read_text("utf-8").replace("\n    ", " ")
SECTIONS = {part.partition("\n")[0]: part.splitlines()[1:] for part in CASES.split("\n# ")[1:]}


@pytest.mark.parametrize("section", SECTIONS)
def test_what_is_refused_and_what_the_refusal_names(section, folder, run):
    if section == "Tables":
        pytest.importorskip("duckdb", reason="DuckDB is not installed")
    for line in filter(None, SECTIONS[section]):
        command, is_refused, named = line.partition(" => refused: ")
        if not is_refused:
            name, content = command.split(" <=")
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(content[1:].encode().decode("unicode_escape").encode("latin-1"))
            continue
        code, output, errors = run(*shlex.split(command))
        assert (code, output) == (2, ""), line
        assert errors.startswith("corefeval: error: ") and "Traceback" not in errors, line
        parts = named.replace(r"\n", "\n").split(" & ")
        assert [part for part in parts if part not in errors] == [], errors


OF_ENTITIES = "corefeval anatomy KEY RESPONSE --format csv"


@every_row(
    "arguments, line",
    [
        (["conventions"], "corefeval score --help"),
        (["conventions", "zero"], "corefeval score --help"),
        (["score", "KEY", "RESPONSE", "--by", "size"], OF_ENTITIES),
        (["anatomy", "KEY", "RESPONSE", "--by", "size"], OF_ENTITIES),
        (["anatomy", "KEY", "RESPONSE", "--repairs", "3"], "corefeval anatomy KEY RESPONSE"),
        (["score", "KEY", "RESPONSE", "--quiet"], "2> /dev/null"),
        (["score", "KEY", "RESPONSE", "--empty-side"], "with a warning"),
    ],
)
def test_what_went_is_refused_with_its_successor(files, run, arguments, line):
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "") and errors.splitlines()[0].endswith(line)
    if line.startswith("corefeval "):
        of_files = line.replace("KEY", "key.conll").replace("RESPONSE", "response.conll")
        assert run(*of_files.split()[1:])[0] == 0


def test_warnings_go_to_standard_error(files, run):
    Path("response.conll").write_text(RESPONSE.replace("w3", "W3"))
    code, output, errors = run(*files, "--metric", "muc")
    assert code == 0 and output.splitlines()[1].split() == ["muc", "40.00", "50.00", "44.44"]
    assert errors.startswith("corefeval: warning: ") and errors.count("\n") == 1
    for named in ("'d; part 000'", "'w3'", "'W3'", "key.conll, line ", "response.conll, line "):
        assert named in errors


def test_a_measure_a_scorer_lacks_is_warned_of(files, run):
    code, output, errors = run(*files, "--like", "e2e", "--metric", "muc", "--metric", "kappa")
    assert code == 0 and "muc" in output and "absent=kappa" in output
    assert errors.startswith("corefeval: warning: ") and errors.count("\n") == 1
    assert "'e2e'" in errors and "kappa" in errors and "muc" not in errors


@pytest.mark.parametrize("arguments", [["--version"], ["score", "key.conll", "response.conll"]])
@pytest.mark.parametrize("theirs", ["class Scorer:\n    pass\n", None])
def test_files_of_another_distribution_are_noticed(files, tmp_path, theirs, arguments):
    # coreference-eval puts its __init__.py in the place of ours, and takes it along when it goes.
    package = tmp_path / "site" / "corefeval"
    shutil.copytree(Path(corefeval.__file__).parent, package)
    (package / "__init__.py").unlink()
    if theirs:
        (package / "__init__.py").write_text(theirs)
    code = "import sys; from corefeval.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *arguments],  # without what is installed here
        env=ENVIRONMENT | {"PYTHONPATH": str(package.parent)}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "") and "Traceback" not in done.stderr
    assert f"another distribution has put its files into {package}" in done.stderr


def test_help_and_version(run):
    assert run("--version") == (0, f"corefeval {corefeval.__version__}\n", "")
    code, output, errors = run("--help")
    assert (code, errors) == (0, "") and "score" in output and "compare" in output
    # Without a command nothing was done, which a script should notice.
    assert run() == (2, "", output)


@pytest.mark.parametrize("command", ["score", "compare", "explain", "anatomy"])
def test_help_of_a_command_begins_with_an_example(command, run):
    lines = run(command, "--help")[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"usage: corefeval {command} KEY ")
    assert lines[1].startswith(f"  e.g. corefeval {command} key.conll ")


def test_the_example_of_a_help_can_be_typed(files, run, monkeypatch):
    for command in ("score", "explain", "anatomy"):
        _, _, example = run(command, "--help")[1].splitlines()[1].partition("corefeval ")
        assert run(*example.split())[0] == 0


def test_the_scorers_are_those_that_like_takes(files, run):
    code, output, errors = run("scorers")
    assert (code, errors) == (0, "")
    listed = [line.split("  ")[0].split(", ") for line in output.splitlines()[1:]]
    assert [names[0] for names in listed] == [n for n, each in bundles().items() if each.measures]
    for name in [name for names in listed for name in names]:
        assert find_scorer(name).name in [names[0] for names in listed if name in names]


def test_one_option_has_one_name_in_all_commands():
    """An option of the same use is called alike; those of one command alone are few."""
    of = {}
    for name, command in _parser()._subparsers._group_actions[0].choices.items():
        for action in command._actions:
            for option in action.option_strings:
                of.setdefault(option, set()).add(name)
    alone = {option for option, commands in of.items() if len(commands) == 1}
    assert alone == {
        "--per-document",
        "--runs",
        "--every-scorer",
        "--scorer",
        "--printed",
        "--measure",
        "-m",
        "--html",
        "--top",
    }
    assert of["--resamples"] == {"score", "compare"}
    assert of["--columns"] == {"score", "compare", "explain", "anatomy", "table"}


@pytest.mark.parametrize("command", ["score", "explain", "anatomy"])
def test_a_pattern_the_shell_expanded_has_two_lines(command, run):
    files = [f"gold/{n}.conll" for n in range(100)] + [f"system/{n}.conll" for n in range(100)]
    code, output, errors = run(command, *files)
    first, second = errors.splitlines()
    assert (code, output, second) == (2, "", f"see 'corefeval {command} --help'")
    assert "gold/0.conll" in first and "quotation marks" in first and len(first) < 300


def test_keyboard_interrupt(files, run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("corefeval.cli.evaluate", interrupted)
    assert run(*files) == (130, "", "")


# In a process of its own


def test_output_is_utf8_whatever_the_locale(files):
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for name in ("key.conll", "response.conll"):
        Path(name).write_text(document("(0) (0)", name="(Ελένη)"), encoding="utf-8")
    # Without -S, Python reads the checkout's path from a file in the locale's encoding, and stops
    # if it is not ASCII.
    for form, written in (("table", "—"), ("json", '"Ελένη"')):
        arguments = [*files, "--metric", "conll", "--per-document", "--format", form]
        done = typed(*arguments, env=environment, options=["-S"])
        assert (done.returncode, done.stderr) == (0, b"")
        assert "Ελένη" in done.stdout.decode() and written in done.stdout.decode()


def test_output_is_the_same_under_any_hash_seed(files):
    two_documents()
    outputs = {
        typed(*files, "--metric", "all", "--per-document", "--format", "json",
              env={"PYTHONHASHSEED": seed}).stdout
        for seed in "012"
    }  # fmt: skip
    assert len(outputs) == 1


@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"]])
def test_a_reader_that_stops_is_no_error(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:
        done = typed(*arguments, stdout=closed)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["--version"], ["score", "--help"]])
def test_a_full_disk(arguments):
    with open("/dev/full", "wb") as full:
        done = typed(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"corefeval: error: cannot write the result: No space left on device\n"


def test_nothing_heavy_is_imported(files):
    code = (
        "import sys\n"
        "from corefeval.cli import main\n"
        "main(sys.argv[1:])\n"
        "heavy = {'numpy', 'scipy', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *files, "--metric", "all"],
        capture_output=True,
        env=ENVIRONMENT,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("closed", "told"), [("<&-", "/dev/stdin: standard input is closed"), ("2>&-", "")]
)
def test_a_stream_that_is_closed(folder, closed, told):
    """Standard input would be the first file that is opened, and messages would be output."""
    Path("k.conll").write_text(document("(1)", "(1)"))
    Path("r.conll").write_text(document("(2)", "-"))
    response = "/dev/stdin" if told else "nosuch"
    line = f"{sys.executable} -m corefeval score k.conll {response} --format json {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and told in done.stderr


def test_too_little_memory_is_a_sentence(folder, run, monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("corefeval.cli.evaluate", full)
    Path("k.conll").write_text(document("(1)", "(1)"))
    code, out, err = run("score", "k.conll", "k.conll")
    assert (code, out) == (2, "") and "there is not enough memory" in err
