"""A second try is for a browser's tests alone, and for few of them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AGAIN = ROOT / "book" / "tools" / "again.py"
TESTS = """
import os
import pytest

@pytest.mark.browser
@pytest.mark.parametrize("name", ["late", "later", "latest", "broken"])
def test_page(name):
    assert name != "broken" and "AGAIN" in os.environ

def test_number():
    assert "AGAIN" in os.environ
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["browser"]\n')
    (tmp_path / "test_a.py").write_text(TESTS)
    return tmp_path


def tried_again(project: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """What becomes of these tests, all of which have failed once."""
    tests = {f"test_a.py::{name}": True for name in names}
    file = project / "cache/v/cache/lastfailed"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(tests))
    command = [sys.executable, AGAIN, "cache", "-p", "no:cacheprovider", "-p", "no:nbval"]
    environment = {"AGAIN": "1", "PATH": ""}
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=300
    )


def test_two_that_pass_alone_are_flaky_and_named(project):
    done = tried_again(project, "test_page[late]", "test_page[later]")
    assert done.returncode == 0
    assert done.stdout.endswith(
        "flaky:\n  test_a.py::test_page[late]\n  test_a.py::test_page[later]\n"
    )


@pytest.mark.parametrize(
    "names",
    [
        ["test_page[late]", "test_page[later]", "test_page[latest]"],  # more than two
        ["test_page[late]", "test_page[broken]"],  # it fails again
        ["test_number"],  # there is no browser in it
        [],  # pytest ended otherwise, as at its collection
    ],
)
def test_all_else_is_red(names, project):
    done = tried_again(project, *names)
    assert done.returncode == 1 and "flaky" not in done.stdout


STANDS = """
import time
import pytest

@pytest.mark.parametrize("number", range(4))
def test_page(number):
    time.sleep(600 if number == 1 else 0)
"""


def test_a_hanging_test_is_given_up_alone(project):
    shutil.copy(ROOT / "tests" / "conftest.py", project)
    (project / "test_a.py").write_text(STANDS)
    (project / "test_b.py").write_text(STANDS.replace("1", "9"))
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", "-p", "no:nbval"]
    limits = ["-o", "timeout=2", "-o", "timeout_method=thread", "-o", "faulthandler_timeout=1"]
    done = subprocess.run(
        [*command, *limits], cwd=project, capture_output=True, text=True, timeout=300
    )
    assert "1 failed, 7 passed" in done.stdout
    assert 'test_a.py", line 7 in test_page' in done.stderr  # where it stood
    failed = json.loads((project / ".pytest_cache/v/cache/lastfailed").read_text())
    assert [*failed] == ["test_a.py::test_page[1]"]
