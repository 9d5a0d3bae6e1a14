"""The book that is tested is there, and it is that of these sources."""

import os
import shutil

import built
import pytest


def test_the_book_is_built_from_these_sources():
    if fault := built.fault():
        reason = f"{fault}; its tests were left out"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@pytest.fixture
def project(tmp_path):
    """The files that make compares."""
    shutil.copy(built.ROOT / "Makefile", tmp_path)
    names = ("CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md", "requirements.lock",
             "pyproject.toml",
             "book/playground/page.js", "book/a.md", "corefeval/a.py", "data/a.toml", ".venv/stamp",
             "book/_build/stamp")  # fmt: skip
    for second, name in enumerate(names):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (second, second))
    return tmp_path


def test_a_book_newer_than_its_sources_is_taken(project):
    assert built.fault(project) == ""


def test_a_missing_book_is_named(project):
    (project / "book/_build/stamp").unlink()
    assert built.fault(project) == "the book is missing: run `make book`"


@pytest.mark.parametrize("source", ["book/a.md", "corefeval/a.py", "data/a.toml", "CHANGELOG.md"])
def test_a_book_older_than_a_source_is_named(project, source):
    (project / source).touch()
    assert built.fault(project) == "the book is older than its sources: run `make book`"


def test_the_book_may_come_from_any_environment(project):
    (project / ".venv/stamp").unlink()
    assert built.fault(project) == ""
    (project / "book/a.md").touch()
    assert built.fault(project) == "the book is older than its sources: run `make book`"
