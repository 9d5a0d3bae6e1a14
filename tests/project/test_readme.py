"""What the README shows is what its reader will see."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
import readme_papers

from corefeval.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def test_python_example():
    example = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(example, {}, "README", "README.md", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted and not result.failed


@pytest.mark.parametrize("block", CONSOLE)
def test_command_line_example(block, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    command, _, shown = block.partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "corefeval"
    assert main(arguments) == 0
    assert capsys.readouterr().out == shown


PAGES = [ROOT / "README.md", *(ROOT / "book").glob("*.md"), *(ROOT / "book").glob("*.ipynb")]
COMMAND = re.compile(r"corefeval (score|compare)\b([^`\n]*)")
OPTIONS = [
    (page.name, command, option)
    for page in PAGES
    for command, arguments in COMMAND.findall(page.read_text(encoding="utf-8"))
    for option in re.findall(r"(?<= )--[a-z-]+", arguments)
]


@pytest.mark.parametrize(("page", "command", "option"), OPTIONS)
def test_options_named_in_prose_exist(page, command, option, capsys):
    assert main([command, "--help"]) == 0
    assert re.search(rf"{option}\b(?!-)", capsys.readouterr().out)


def test_the_table_of_papers_is_the_ledgers():
    assert readme_papers.BETWEEN.search(README)
    assert readme_papers.renewed(README) == README, "stale: run `make transcripts`"


def test_there_is_a_command_line_example():
    assert CONSOLE


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"])
def test_links_lead_to_files(name):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / name).read_text("utf-8"))
    assert targets
    for target in targets:
        assert (ROOT / name).parent.joinpath(target).exists(), target
