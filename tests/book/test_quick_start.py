"""What the quick start says is so; test_transcripts.py holds what it shows of a run."""

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


def test_the_methods_sentence_is_the_commands(monkeypatch, capsys):
    monkeypatch.chdir(transcripts.STORY)
    assert main(["score", "key.conll", "a.conll", "--metric", "conll"]) == 0
    signature = capsys.readouterr().out.splitlines()[-1]
    assert f"`{signature}`" in PAGE
    assert f"corefeval {corefeval.__version__} " in PAGE


@pytest.mark.parametrize(("part", "system"), [("key", "key"), ("a", "nearest"), ("b", "same-head")])
def test_the_parts_are_the_story(part, system):
    """Sentence by sentence, and six to a part."""

    def sentences(name: str) -> list[list[tuple[str, str]]]:
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
        by_sentence: list[list[tuple[str, str]]] = [[]]
        for line in lines:
            if line:
                by_sentence[-1].append((line[3], line[-1]))
            elif by_sentence[-1]:
                by_sentence.append([])
        return [each for each in by_sentence if each]

    in_parts = f"parts/{part}.conll"
    assert sentences(in_parts) == sentences(f"sredni-vashtar.{system}.conll")
    text = (EXAMPLES / in_parts).read_text(encoding="utf-8")
    documents = text.split("#begin document")[1:]
    counts = [each.partition("#end document")[0].count("\n\n") for each in documents]
    assert counts[:-1] == [SENTENCES] * (len(counts) - 1) and counts[-1] <= SENTENCES
