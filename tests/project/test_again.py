"""A second try is for a browser's tests alone, and for few of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

AGAIN = Path(__file__).parents[2] / "book" / "tools" / "again.py"
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
