"""What make builds and what it tests.

Building the book twice at once, and after a build that was killed: if one of these failed, a half
of a book could pass for the whole. Leaving tests out: if it failed, a part of the proof could pass
for the whole.
"""

import os
import re
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
    for name in ("Makefile", "CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, tmp_path)
    for folder in ("book", "corefeval", "data", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("requirements.lock", "pyproject.toml", ".venv/stamp"):
        (tmp_path / name).touch()
    (tmp_path / ".venv/bin/jupyter-book").write_text(BUILDER)
    (tmp_path / ".venv/bin/jupyter-book").chmod(0o755)
    return tmp_path


def without_make(**environment: str) -> dict[str, str]:
    """The environment of a make that no other make started, and that proves no more than asked."""
    ours = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return {name: value for name, value in ours.items() if name != "CI"} | environment


def make(project: Path, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        ["make", "book", "PLAYGROUND=", "UV="],  # neither is needed, and both ask a registry
        cwd=project,
        env=without_make(**environment),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


def ran(project: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments, "PLAYGROUND="],
        cwd=project, env=without_make(**environment), capture_output=True, text=True,
    )  # fmt: skip


def builds(project: Path) -> int:
    return len((project / "builds").read_text().splitlines())


@pytest.mark.proof
def test_two_at_once_build_one_whole_book(project):
    both = [make(project), make(project)]
    assert [each.wait(60) for each in both] == [0, 0]
    assert builds(project) == 1
    assert (project / "book/_build/html/last.html").exists()


@pytest.mark.proof
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


@pytest.mark.parametrize(("given", "port"), [([], "8000"), (["PORT=8123"], "8123")])
def test_a_built_book_says_its_address(project, given, port):
    (project / "book/_build/html").mkdir(parents=True)
    said = steps_of(project, "serve", *given)
    (told,) = [line for line in said if "The book is in" in line]
    (served,) = [line for line in said if "http.server" in line]
    assert told.rstrip('"').endswith(f"make serve, then http://127.0.0.1:{port}")
    assert served.endswith(f"html {port}") and "--bind 127.0.0.1" in served


def test_others_reach_servers_that_let_them_in(project):
    """A class on the same network, or whoever started a container."""
    (served,) = [x for x in steps_of(project, "serve", "HOST=0.0.0.0") if "http.server" in x]
    assert "--bind 0.0.0.0" in served
    for given, host in ((["HOST=0.0.0.0"], "0.0.0.0"), ([], "127.0.0.1")):
        assert f"--ip {host}" in " ".join(steps_of(project, "lab", *given))


@pytest.mark.parametrize(("user", "allowed"), [("0", True), ("1000", False)])
def test_root_may_open_the_lab(project, user, allowed):
    """In a container one is root, which Jupyter refuses unless it is told."""
    (project / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (project / "id").chmod(0o755)
    steps = " ".join(steps_of(project, "lab", PATH=f"{project}:{os.environ['PATH']}"))
    assert ("--allow-root" in steps) == allowed


def steps_of(project: Path, *arguments: str, **environment: str) -> list[str]:
    """The commands that make would run."""
    found = ran(project, "--dry-run", *arguments, "UV=", **environment)
    assert not found.returncode, found.stderr
    return found.stdout.splitlines()


def pytest_lines(project: Path, goal: str, **environment: str) -> list[str]:
    """The commands with which make would test."""
    return [line for line in steps_of(project, goal, **environment) if "bin/pytest" in line]


BY_DAY = {f"book/{name}.ipynb" for name in ("muc", "b-cubed", "ceaf", "blanc")}


@pytest.mark.proof
def test_a_proof_leaves_out_what_releases_want(project):
    quick = pytest_lines(project, "test")
    proof = pytest_lines(project, "test", CI="true")
    release = pytest_lines(project, "release-proof")
    assert len(quick) == 2
    assert [line.split() for line in pytest_lines(project, "proof")] == [x.split() for x in proof]
    assert release == [line.replace('-m "not release"', '-m ""') for line in proof] != proof
    for by_day, everything in zip(quick, proof, strict=True):
        assert not {"-m", "-k"} & {*by_day.split()}
        left = {*everything.replace('-m "not release"', "").split()} ^ {*by_day.split()}
        assert left in (set(), BY_DAY | {"book/corefbook", "book"})


def test_library_and_book_precede_what_needs_both(project):
    """And a line says how far it is."""
    steps = steps_of(project, "test")
    first, second, third, everything = (
        next(n for n, line in enumerate(steps) if word in line)
        for word in ("1 of 3", "2 of 3", "3 of 3", "tests/book")
    )
    assert "ruff" in steps[first + 1] and third < everything
    beside = "\n".join(steps[second:third])
    assert all(word in beside for word in ("jobs=2", "mypy", "tests/library", "_build/stamp"))


def showing(
    project: Path, command: str, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What a command prints that knows the Makefile's variables."""
    (project / "show.mk").write_text(f"include Makefile\nshow:\n\t{command}\n")
    return ran(project, "--silent", "-f", "show.mk", "show", *arguments, **environment)


def python_found(project: Path, *there: str, **environment: str) -> str:
    """The Python that make takes, or its refusal, where only these commands exist and suit."""
    folder = project / "commands"
    folder.mkdir()
    for name in ("python3", *there):
        suits = name in there
        # It runs no code, but says whether its version suits, as the Makefile asks.
        answer = f'[ "$1" = --version ] && echo Python of {name} || exit {int(not suits)}'
        script = f"#!/bin/sh\n{answer}\n"
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    for tool in ("make", "sh", "sed", "find", "sort", "echo", "awk"):
        (folder / tool).symlink_to(shutil.which(tool))
    shown = "@$(CHECK_PYTHON)\n\t@echo $(PYTHON)"
    done = showing(project, shown, "UV=", **environment, PATH=str(folder))
    assert bool(done.returncode) == bool(done.stderr), done.stderr
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize(
    ("there", "taken"),
    [
        (["python3", "python3.13"], "python3"),
        (["python3.11", "python3.13"], "python3.13"),
        (["python3.12", "python3.11"], "python3.12"),
        (["python3.11"], "python3.11"),
        (["python3.10"], "The book and its tests need Python 3.11 or a later one, and python3 is"),
    ],
)
def test_the_first_python_that_suits_is_taken(project, there, taken):
    found = python_found(project, *there)
    assert found == taken or (" " in taken and found.startswith(taken))


def test_the_python_that_is_named_is_taken(project):
    assert "python3.9 is not there" in python_found(project, "python3.13", PYTHON="python3.9")


def test_every_folder_with_tests_is_tested(project):
    named = " ".join(pytest_lines(project, "proof")).split()
    assert {"corefeval", "book"} < {*named}
    assert {f"tests/{file.parent.name}" for file in ROOT.glob("tests/*/test_*.py")} < {*named}
    assert not [*ROOT.glob("tests/test_*.py")], "a test that is in no folder"


@pytest.mark.parametrize(
    ("version", "taken"), [("0.7.22", False), ("0.8.0", True), ("0.13.8", True), ("1.0.0", True)]
)
def test_a_new_enough_uv_is_taken(project, version, taken):
    uv = project / "uv"
    uv.write_text(f"#!/bin/sh\necho 'uv {version} (linux)'\n")
    uv.chmod(0o755)
    said = showing(project, "@echo $(UV)", PATH=f"{project}:{os.environ['PATH']}")
    assert said.stdout.strip() == (str(uv) if taken else ".tools/bin/uv")


def test_the_installer_is_installed_by_its_hash():
    pin, *hashes = (ROOT / "book/tools/uv.txt").read_text("utf-8").replace("\\\n", "").split()
    assert re.fullmatch(r"uv==[\d.]+", pin)
    assert hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
    assert "--require-hashes --requirement book/tools/uv.txt" in (ROOT / "Makefile").read_text(
        "utf-8"
    )


def test_changed_scripts_and_styles_reach_the_book(project):
    for name in ("book/playground/page.js", "book/playground/compile.mjs",
                 "book/playground/worker.mjs",
                 "book/_static/custom.css", "book/corefbook/looks/colours.css"):  # fmt: skip
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("new")
    refused = ran(project, "playground")
    assert refused.returncode and "make book" in refused.stderr
    static = project / "book/_build/html/_static"
    (static / "playground").mkdir(parents=True)
    (static / "custom.css").write_text("old")
    assert not ran(project, "playground").returncode
    new = {path.relative_to(static).as_posix() for path in static.rglob("*.*")}
    assert new == {"playground/page.js", "playground/worker.mjs", "custom.css", "colours.css"}
    assert all((static / name).read_text() == "new" for name in new)
    # What is tested is built: the stamp of a book is its build's alone.
    assert not (project / "book/_build/stamp").exists()
