"""The folder corefeval/analysis can be deleted, and no other room of the library notices it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ_BY_TESTS = ["tests", "data", "book/tools", "book/corefbook", "pyproject.toml", "README.md"]
READ_BY_TESTS += ["book/quick-start.md", "book/recipes.md"]
# What later versions keep, on the page of the library, names every command.
ANALYSIS = re.compile(r"explain|anatomy|analysis|api\.md")
DOCUMENT = """#begin document (d); part 000
w\t(0)
w\t(0)
#end document
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package without the folder."""
    folder = tmp_path_factory.mktemp("without")
    left_out = shutil.ignore_patterns("analysis", "__pycache__")
    shutil.copytree(ROOT / "corefeval", folder / "corefeval", ignore=left_out)
    # What Python compiled stays behind where a folder is deleted by hand.
    (folder / "corefeval" / "analysis" / "__pycache__").mkdir(parents=True)
    (folder / "d.conll").write_text(DOCUMENT)
    return folder


def run(folder, *arguments):
    without = {name: of for name, of in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=without, capture_output=True, text=True
    )


def test_the_command_has_what_is_there(copy):
    done = run(copy, "corefeval", "--help")
    assert re.findall(r"^    (\w+)", done.stdout, re.MULTILINE) == [
        "score",
        "compare",
        "table",
        "scorers",
    ]
    done = run(copy, "corefeval", "explain", "d.conll", "d.conll")
    assert done.returncode == 2 and "invalid choice: 'explain'" in done.stderr
    compared = ["corefeval", "compare", "d.conll", "d.conll", "d.conll"]
    done = run(copy, *compared, "--every-scorer")
    assert done.returncode == 2 and "--every-scorer: there is no such option" in done.stderr


def test_what_is_missing_is_said(copy):
    told = "need the folder corefeval/analysis, which is not here"
    for door in ("explain", "leads", "anatomy"):
        (copy / "door.py").write_text(f"import corefeval; corefeval.{door}('d.conll', 'd.conll')")
        assert told in run(copy, "door").stderr.splitlines()[-1]


def test_scores_are_there(copy):
    done = run(copy, "corefeval", "score", "d.conll", "d.conll", "--like", "reference")
    assert done.returncode == 0 and "100.00" in done.stdout


@pytest.mark.release
def test_the_tests_of_the_other_rooms_pass(copy):
    for name in READ_BY_TESTS:
        source, target = ROOT / name, copy / name
        target.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    files = sorted((copy / "tests").glob("*.py"))
    files += sorted((copy / "tests" / "library").rglob("test_*.py"))
    texts = {each: each.read_text("utf-8") for each in files}
    left_out = [each.stem for each in files if ANALYSIS.search(texts[each])]
    # A module that takes rows from one that is left out cannot be imported either.
    needs = re.compile(rf"{ANALYSIS.pattern}|from ({'|'.join(left_out)}) import")
    tests = [each for each in files if each.name.startswith("test_")]
    names = [str(each) for each in tests if not needs.search(texts[each])]
    # Completion asks for every public name, the two that are not there among them.
    options = ["-q", "-p", "no:nbval", "-p", "no:cacheprovider", "-k", "not completion"]
    done = run(copy, "pytest", *options, *names)
    assert " passed" in done.stdout, done.stdout + done.stderr
    (passed,) = re.findall(r"(\d+) passed", done.stdout)
    assert done.returncode == 0 and int(passed) > 500, done.stdout[-2000:]
