"""What many tests of the library begin with: an empty folder to be in, the command to run."""

import pytest

from corefeval.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Messages name files as they were given: a file name alone is short to test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([*map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
