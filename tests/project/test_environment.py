"""The lock is the truth; everything that names a version must agree with it, and install."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rows import every_row

import corefeval

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def lines(name: str) -> list[str]:
    """Logical lines of a requirements file."""
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    return [
        " ".join(line.split()) for line in text.splitlines() if line and not line.startswith("#")
    ]


LOCK = lines("requirements.lock")
PINS = [re.sub(r" --hash=\S+", "", line) for line in LOCK]


BESIDE = ("spark",)
"""Groups that are in no lock: `make spark` installs them beside the environment."""


def direct_requirements() -> list[Requirement]:
    project = PYPROJECT["project"]
    extras, groups = project["optional-dependencies"], PYPROJECT["dependency-groups"]
    groups = {name: group for name, group in groups.items() if name not in BESIDE}
    lists = [
        project["dependencies"],
        PYPROJECT["build-system"]["requires"],
        *extras.values(),
        *groups.values(),
    ]
    return [Requirement(text) for texts in lists for text in texts]


def installed_version(name: str, python: str) -> str | None:
    """The version that the lock gives to one version of Python on Linux."""
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": "linux",
    }
    for pin in map(Requirement, PINS):
        if pin.name.lower() == name.lower() and (
            not pin.marker or pin.marker.evaluate(environment)
        ):
            return str(pin.specifier).removeprefix("==")
    return None


def test_lines_of_the_lock_have_version_and_hashes():
    for line in LOCK:
        assert re.match(r"[\w.-]+==[\w.+!]+( ; .+?)?( --hash=sha256:[0-9a-f]{64})+$", line), line


def test_requirements_txt_is_the_lock_without_hashes():
    assert lines("book/requirements.txt") == PINS


@every_row("python", PYTHONS)
@every_row("requirement", direct_requirements())
def test_the_lock_satisfies_pyproject(requirement, python):
    version = installed_version(requirement.name, python)
    assert version and requirement.specifier.contains(version)


def test_the_environment_is_the_locks():
    from importlib.metadata import version

    for requirement in direct_requirements():
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        assert version(requirement.name) == installed_version(requirement.name, python)


@pytest.mark.parametrize(
    "name", ["requirements.lock", "book/requirements.txt", "environment.yml", "pyproject.toml"]
)
def test_no_address_of_a_registry(name):
    assert "://" not in (ROOT / name).read_text("utf-8")


def conda_environment() -> dict:
    return yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))


def test_conda_gives_python_and_pip_the_rest():
    environment = conda_environment()
    python, pip, section = environment.pop("dependencies")
    assert environment == {"name": "corefeval", "channels": ["conda-forge"]}
    assert python == f"python {PYPROJECT['project']['requires-python']}"
    assert pip == "pip"
    assert section == {"pip": ["-r book/requirements.txt", "-e ."]}


def test_every_supported_python_is_declared():
    supported = SpecifierSet(PYPROJECT["project"]["requires-python"])
    declared = [
        c
        for c in PYPROJECT["project"]["classifiers"]
        if c.startswith("Programming Language :: Python :: 3.")
    ]
    assert declared == [f"Programming Language :: Python :: {python}" for python in PYTHONS]
    assert all(f"{python}.0" in supported for python in PYTHONS)
    assert "3.10.0" not in supported
    # Neither the library nor the checkout's environment has an upper bound.
    assert "3.20.0" in supported
    assert "sys.exit(sys.version_info < (3, 11))" in (ROOT / "Makefile").read_text("utf-8")


def texts(*names: str) -> dict[str, dict]:
    return {name: {"type": "string", "minLength": 1} for name in names}


ADDRESS = {"type": "string", "pattern": "^https?://[^ ]+$"}
DOI = {"type": "string", "pattern": r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$"}

# The Citation File Format 1.2.0 in those fields that this project has or will have.
CFF = {
    "type": "object",
    "required": ["cff-version", "message", "title", "authors", "type", "version", "license"],
    "additionalProperties": False,
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "type": {"enum": ["software", "dataset"]},
        "license": {"const": "MIT"},
        "authors": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "anyOf": [{"required": ["name"]}, {"required": ["family-names", "given-names"]}],
                "additionalProperties": False,
                "properties": {
                    **texts("name", "family-names", "given-names", "affiliation", "email"),
                    "orcid": {
                        "type": "string",
                        "pattern": r"^https://orcid\.org/(\d{4}-){3}\d{3}[\dX]$",
                    },
                },
            },
        },
        "keywords": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
        "doi": DOI,
        "url": ADDRESS,
        "repository-code": ADDRESS,
        "date-released": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
        **texts("message", "title", "abstract", "version"),
    },
}


def citation_file() -> dict:
    """What CITATION.cff says; a date as the text that it is there."""
    return yaml.load((ROOT / "CITATION.cff").read_text("utf-8"), yaml.BaseLoader)


def test_the_citation_file_is_valid_and_current():
    citation = citation_file()
    jsonschema.validate(citation, CFF)
    assert citation["version"] == corefeval.__version__


CHANGES = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
RELEASED = re.compile(r"(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)")


def test_the_version_tells_releases_from_later_states():
    """A release is the first heading of the changelog, with its date."""
    first, citation = CHANGES[0], citation_file()
    if first == "Unreleased":
        assert re.fullmatch(r"\d+\.\d+\.\d+(rc\d+)?(\.dev\d+)?", corefeval.__version__)
        assert re.search("rc|dev", corefeval.__version__)
        assert "date-released" not in citation
    else:
        assert RELEASED.fullmatch(first), first
        assert RELEASED.fullmatch(first).groups() == (
            corefeval.__version__,
            citation["date-released"],
        )
    assert all(RELEASED.fullmatch(heading) for heading in CHANGES[1:])


def test_the_chapters_open_in_jupyter_lab():
    book = [Requirement(text).name for text in PYPROJECT["dependency-groups"]["book"]]
    assert "jupyterlab" in book


def test_jupyter_lab_finds_the_pictures_of_pages():
    """It looks for those of Markdown beside the page, and for those of HTML nowhere."""
    pages = {page.name: page.read_text("utf-8") for page in (ROOT / "book").glob("*.md")}
    assert [name for name, text in pages.items() if re.search(r'<img[^>]* src="_', text)] == []
    assert "](_static/five-measures.svg)" in pages["index.md"]


def run(*command: object, cwd: Path) -> str:
    """What a command prints, in an environment that knows nothing of this checkout."""
    env = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV", "CI"}}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    return next(folder.glob("*.whl"))


def files_below(name: str) -> set[str]:
    """All but recipes, which are for those who change the library."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "README.md"
    }


def test_the_wheel_holds_the_typed_library_alone(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert "corefeval/py.typed" in names
    assert names == files_below("corefeval")


def test_the_wheels_licence_covers_all_it_holds(wheel):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    said = archive.read(metadata).decode("utf-8").partition("\n\n")[0].splitlines()
    assert "License-Expression: MIT" in said
    files = [each.removeprefix("License-File: ") for each in said if each.startswith("License-F")]
    assert files == ["LICENSE", "book/LICENSE-CC-BY-4.0.md"]
    assert (ROOT / files[0]).read_text("utf-8").startswith("MIT License")


def test_the_licences_of_what_others_made_are_listed(source):
    listed = (source / "book/LICENSE-CC-BY-4.0.md").read_text("utf-8")
    said = dict(re.findall(r"^\| `(\S+)` \|.*\| (.+) \|$", listed, re.M))
    assert all((source / folder).is_dir() for folder in said)
    suites = tomllib.loads((source / "data/peer_suites/suites.toml").read_text("utf-8"))
    licence = r"(?:CC BY(?:-SA)?|CC0|GPL|Apache|MPL)[- ][\d.]+(?:-or-later)?|MIT"
    stored = [each["licence"] for each in suites.values() if not each["licence"].startswith("none")]
    texts = {"data/real": (source / "data/real/README.md").read_text("utf-8"),
             "data/real/gerdracor": (source / "data/real/gerdracor/README.md").read_text("utf-8"),
             "data/peer_suites": "; ".join(stored)}  # fmt: skip
    for folder, text in texts.items():
        rows = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
        named = re.findall(licence, rows or text)
        assert named and {*named} <= {*re.findall(licence, said[folder])}, folder


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("source")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        # Early releases of Python 3.11 have no filters.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    (unpacked,) = (path for path in folder.iterdir() if path.is_dir())
    return unpacked


def test_the_source_distribution_makes_the_same_wheel(wheel, source, tmp_path):
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=source)
    (built,) = tmp_path.glob("*.whl")
    assert zipfile.ZipFile(built).namelist() == zipfile.ZipFile(wheel).namelist()


@pytest.mark.proof
@pytest.mark.parametrize(
    "tests",
    [
        ["tests/project/test_rooms.py"],
        pytest.param(
            ["tests/measures", "tests/library", "tests/corefbook"], marks=pytest.mark.release
        ),
    ],
    ids=["some", "most"],
)
def test_the_tests_run_from_the_source_distribution(source, tests):
    # Its own modules come first: python -m puts the folder before what is installed.
    where = "import corefeval; print(corefeval.__file__)"
    assert run(sys.executable, "-c", where, cwd=source).startswith(str(source))
    told = run(sys.executable, "-m", "pytest", "-q", "-n", "0", *tests, cwd=source)
    assert " passed" in told and "failed" not in told


@pytest.mark.proof
def test_the_wheel_scores_without_another_package(wheel, tmp_path):
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python, command = tmp_path / "venv/bin/python", tmp_path / "venv/bin/corefeval"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=tmp_path)
    (tmp_path / "a.jsonl").write_text('{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}\n')
    told = run(command, "score", "a.jsonl", "a.jsonl", "--metric", "muc", cwd=tmp_path)
    assert "muc" in told and "100.00" in told


def test_readme_outside_a_checkout_links_into_none(wheel):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    text = archive.read(metadata).decode("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "](book/muc.ipynb), MUC recall" in readme and "[CITATION.cff](CITATION.cff)" in readme
    assert "| Vilain et al. 1995, MUC recall |" in text
    assert "make book" in text and "project: CITATION.cff" in text
    assert not re.findall(r"\]\((?!https?:)", text)


def test_every_extra_brings_what_the_library_can_use():
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "corefeval").rglob("*.py"))
    for name, requirements in PYPROJECT["project"]["optional-dependencies"].items():
        for requirement in map(Requirement, requirements):
            assert re.search(rf"^ +(import|from) {requirement.name}\b", sources, re.M), name


@pytest.fixture(scope="module")
def stranger(tmp_path_factory) -> Path:
    """A fresh clone with an environment by pip, as environment.yml has it."""
    folder = tmp_path_factory.mktemp("stranger")
    run("git", "clone", "--quiet", ROOT, folder / "checkout", cwd=folder)
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    section = " ".join(conda_environment()["dependencies"][-1]["pip"]).split()
    run(folder / "venv/bin/python", "-m", "pip", "install", "--quiet", "--no-compile", *section,
        cwd=folder / "checkout")  # fmt: skip
    return folder


# What somebody types first. The kernel of a chapter is the environment's, not the machine's.
PLAIN = (
    ("pytest", "-q"),
    ("pytest", "-q", "--nbval", "book/muc.ipynb"),
    ("jupyter-book", "build", "--quiet", "book"),
    ("python", "-m", "build"),
    # It needs the book and the sources of the commands before it.
    ("python", "book/tools/release.py"),
)


@pytest.mark.release
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="it needs a git checkout")
def test_plain_commands_work_in_a_fresh_clone(stranger):
    for command, *arguments in PLAIN:
        run(stranger / "venv/bin" / command, *arguments, cwd=stranger / "checkout")
    dist = stranger / "checkout/dist"
    files = {path.name.replace(corefeval.__version__, "V") for path in dist.iterdir()}
    (scripts,) = {
        name for name in files if re.fullmatch(r"corefeval-provenance-\w{7}.tar.gz", name)
    }
    assert files - {scripts} == {
        "corefeval-V-py3-none-any.whl",
        "corefeval-V.tar.gz",
        "corefeval-book-V.tar.gz",
        "reproduced.json",
        "SHA256SUMS",
    }
    run("sha256sum", "--check", "SHA256SUMS", cwd=dist)


def test_no_two_test_modules_have_one_name():
    """A second one stops the collection; tests/book is collected with a built book alone."""
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py"]
    assert sorted(names) == sorted({*names})


@pytest.mark.release
@pytest.mark.parametrize("name", ["pytest", "pytest --nbval"])
def test_the_whole_tree_is_collected_from_the_root(name):
    """With a built book and without one; no two modules stop the collection."""
    options = name.split()[1:]
    told = run(sys.executable, "-m", "pytest", "-q", "--collect-only", *options, cwd=ROOT)
    (collected,) = re.findall(r"(\d+)(?:/\d+)? tests collected", told)
    assert int(collected) > 2000


@pytest.mark.release
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="it needs a git checkout")
def test_the_wheel_installs_in_a_plain_environment(wheel, stranger, tmp_path):
    python, command = stranger / "venv/bin/python", stranger / "venv/bin/corefeval"
    where = "import corefeval; print(corefeval.__file__)"

    assert corefeval.__version__ in run(command, "--version", cwd=tmp_path)
    assert run(python, "-c", where, cwd=tmp_path).startswith(str(stranger / "checkout"))

    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "corefeval", cwd=tmp_path)
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=tmp_path)
    assert corefeval.__version__ in run(command, "--version", cwd=tmp_path)
    package = Path(run(python, "-c", where, cwd=tmp_path)).parent
    assert package.is_relative_to(stranger / "venv")
    assert {path.name for path in package.iterdir()} >= {"measures", "cli.py", "py.typed"}
    assert not (package / "data").exists()
    run(python, "-m", "pip", "check", cwd=tmp_path)
