"""Every block of the quick start gives what the page shows."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
import transcripts

import corefeval
from corefeval.cli import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "data" / "examples"
PAGE = (ROOT / "book" / "quick-start.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.DOTALL)
SENTENCES = 6
"""So many of the story's sentences are a part."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_a_command_prints_what_the_page_shows(command, shown, folder, capsys):
    typed, _, rest = command.partition(" | head -")
    program, *arguments = shlex.split(typed)
    assert program == "corefeval" and main(arguments) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[: int(rest) if rest else None] == shown.splitlines()


def test_the_python_blocks():
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(blocks, {}, "quick start", "quick-start.md", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted and not result.failed


def test_the_methods_sentence_is_the_commands(folder, capsys):
    assert main(["score", "key.conll", "a.conll", "--metric", "conll"]) == 0
    signature = capsys.readouterr().out.splitlines()[-1]
    assert f"`{signature}`" in PAGE
    assert f"corefeval {corefeval.__version__} " in PAGE


def test_the_choices_are_the_librarys():
    from corefeval.conventions import CHOICES

    told = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", PAGE, re.MULTILINE))
    assert told and told == {name: next(iter(CHOICES[name])) for name in told}


@pytest.mark.parametrize("system", transcripts.STORY.values())
def test_the_parts_are_the_story(system):
    """Sentence by sentence, and six to a part."""

    def sentences(name: str) -> list[list[tuple[str, str]]]:
        text = (EXAMPLES / f"{name}.{system}.conll").read_text(encoding="utf-8")
        lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
        found: list[list[tuple[str, str]]] = [[]]
        for line in lines:
            if line:
                found[-1].append((line[3], line[-1]))
            elif found[-1]:
                found.append([])
        return [each for each in found if each]

    story, parts = sentences("sredni-vashtar"), sentences("sredni-vashtar-in-parts")
    assert parts == story
    text = (EXAMPLES / f"sredni-vashtar-in-parts.{system}.conll").read_text(encoding="utf-8")
    documents = text.split("#begin document")[1:]
    counts = [each.partition("#end document")[0].count("\n\n") for each in documents]
    assert counts[:-1] == [SENTENCES] * (len(counts) - 1) and counts[-1] <= SENTENCES
