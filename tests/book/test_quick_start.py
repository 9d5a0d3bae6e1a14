"""What the quick start says is so; test_transcripts.py holds what it shows of a run."""

import re
from pathlib import Path

import pytest
import transcripts

import corefeval
from corefeval.cli import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "data" / "examples"
PAGE = (ROOT / "book" / "quick-start.md").read_text(encoding="utf-8")
SENTENCES = 6
"""So many of the story's sentences are a part."""


def test_the_methods_sentence_is_the_commands(tmp_path, monkeypatch, capsys):
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["score", "key.conll", "a.conll", "--metric", "conll"]) == 0
    signature = capsys.readouterr().out.splitlines()[-1]
    assert f"`{signature}`" in PAGE
    assert f"corefeval {corefeval.__version__} " in PAGE


def test_the_choices_are_the_librarys():
    from corefeval.conventions import FIRST_CHOICES

    told = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", PAGE, re.MULTILINE))
    assert told and told == {name: FIRST_CHOICES[name] for name in told}


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
