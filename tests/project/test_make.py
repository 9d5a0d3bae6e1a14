"""Building the book twice at once, and building it after a build that was killed.

If one of these failed, a half of a book could pass for the whole.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

# In place of jupyter-book: what it writes first is the front page.
BUILDER = """#!/bin/sh
echo begun >> builds
mkdir -p book/_build/html && echo page > book/_build/html/index.html
touch book/_build/html/.buildinfo
sleep ${SECONDS_TO_BUILD:-1}
echo page > book/_build/html/last.html
"""


@pytest.fixture
def project(tmp_path) -> Path:
    for name in ("Makefile", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    for folder in ("book", "corefeval", "data", "playground", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("requirements.lock", "pyproject.toml", ".venv/stamp"):
        (tmp_path / name).touch()
    (tmp_path / ".venv/bin/jupyter-book").write_text(BUILDER)
    (tmp_path / ".venv/bin/jupyter-book").chmod(0o755)
    return tmp_path


def make(project: Path, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        ["make", "book", "PLAYGROUND=", "UV="],  # neither is needed, and both ask a registry
        cwd=project,
        env={k: v for k, v in os.environ.items() if "MAKE" not in k} | environment,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


def builds(project: Path) -> int:
    return len((project / "builds").read_text().splitlines())


def test_two_at_once_build_one_whole_book(project):
    both = [make(project), make(project)]
    assert [each.wait(60) for each in both] == [0, 0]
    assert builds(project) == 1
    assert (project / "book/_build/html/last.html").exists()


def test_a_build_that_was_killed_is_made_again(project):
    killed = make(project, SECONDS_TO_BUILD="60")
    while not (project / "book/_build/html/.buildinfo").exists():
        time.sleep(0.05)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait(60)
    assert make(project).wait(60) == 0
    assert builds(project) == 2
    assert (project / "book/_build/html/last.html").exists()
    assert make(project).wait(60) == 0 and builds(project) == 2
