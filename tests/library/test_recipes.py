"""The recipes of the book lead from what other programs write to their scores.

If one of these failed, the book would tell people to run lines that do not work.
"""

import doctest
import pickle
import re
import traceback
import warnings
from pathlib import Path

import pytest

from corefeval import CorefError, anatomy, evaluate, explain
from corefeval.cli import main
from corefeval.readers.recipes import recipes

PAGE = Path(__file__).parents[2].joinpath("book", "recipes.md").read_text(encoding="utf-8")
SAMPLES = dict(re.findall(r"```{code-block} \w+\n:caption: (\S+)\n(.*?)```", PAGE, re.DOTALL))
RECIPES = {
    "s2e",
    "Stanza",
    "CoreNLP",
    "xCoRe",
    "The lists of Hugging Face's coval",
    "BookNLP",
    "brat",
}
KEYS_OF_PAGE = [[(0, 0), (2, 2), (7, 7)], [(2, 3), (5, 5)]]
SCORE = "recall 2/3, precision 1, f1 4/5"
"""By hand: the key needs 2 + 1 links, the response makes 1 + 1, all of which are right."""


def blocks(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the examples before have defined; the files beside them."""
    monkeypatch.chdir(tmp_path)
    for name, text in SAMPLES.items():
        Path(name).write_text(text, encoding="utf-8")
    return {}


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # lines to read, not to run for long
def test_every_recipe_gives_the_score(names):
    start, *sections = re.split(r"^## (.*)\n", PAGE, flags=re.MULTILINE)
    sections = {"start": start, **dict(zip(sections[::2], sections[1::2], strict=True))}
    assert set(sections) == RECIPES | {"start"}
    for title, text in sections.items():
        typed = "".join(blocks(text))
        examples = doctest.DocTestParser().get_doctest(typed, names, title, title, 0)
        runner = doctest.DocTestRunner()
        assert examples.examples[-1].want == f"{SCORE}\n", title
        assert runner.run(examples, clear_globs=False).failed == 0, title
        if title == "start":  # a recipe is copied alone: it may not need what another imports
            names.update(examples.globs)


def test_a_recipe_is_a_few_lines():
    """Those that lead from the file to lists: what is imported, and what is scored, apart."""
    for block in blocks(PAGE):
        lines = [line for line in block.split("\n") if line.startswith((">>> ", "... "))]
        own = [
            line for line in lines if not re.match(r">>> (from|import|evaluate|topic|char)", line)
        ]
        assert len(own) <= 6, block


REFUSED = {
    "s2e": "preds.jsonl",
    "CoreNLP": "d.txt.json",
    "xCoRe, across documents": "cross.json",
    "Hugging Face's coval": "predictions.json",
    "BookNLP": "d.entities",
    "brat": "d.ann",
    "LitBank, for brat": "d_brat.ann",
}
KEYS = {
    "cross.json": {"cross": [[(0, 0, 0), (0, 2, 2), (1, 2, 2)], [(0, 2, 3), (1, 0, 0)]]},
    "d.ann": {"d": [["0 3", "9 12", "27 30"], ["9 16", "19 21"]]},
    "d_brat.ann": {"d_brat": [["0 3", "9 12", "27 30"], ["9 16", "19 21"]]},
}
"""The keys that count otherwise than the page's."""


@pytest.mark.parametrize("program", REFUSED)
def test_a_file_for_which_there_is_a_recipe_is_refused_with_its_lines(program, names, capsys):
    """What is printed can be typed, and gives the page's score; the page has the same lines."""
    file = REFUSED[program]
    assert set(REFUSED) == set(recipes())
    assert main(["score", file, file]) == 2
    told, *lines = capsys.readouterr().err.splitlines()
    assert told == (
        f"corefeval: error: {file}: it looks like a file of {program}, which is not read as it "
        "is; these lines of Python make a response of it, for corefeval.evaluate(key, response):"
    )
    name = file.partition(".")[0]
    key = KEYS.get(file, {"d" if program == "s2e" else name: KEYS_OF_PAGE})
    scope: dict = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # lines to read, not to run for long
        exec("\n".join(lines), scope)
    assert str(evaluate(key, scope["response"], "muc").total["muc"]) == SCORE
    on_page = {line[4:] for block in blocks(PAGE) for line in block.split("\n")}
    for line in lines:
        shown = line.replace(repr(file), f'"{file}"').replace(
            repr(f"{file}.conll"), f'"{file}.conll"'
        )
        shown = shown.replace(f"({name})", "(d)").replace(repr(name), '"d"')
        assert shown in on_page, line


@pytest.mark.parametrize("door", [evaluate, explain, anatomy], ids=lambda door: door.__name__)
def test_every_door_refuses_with_the_lines(door, names):
    for program, file in REFUSED.items():
        with pytest.raises(CorefError, match=f"looks like a file of {program}") as raised:
            door(file, file)
        assert "response = " in str(raised.value)
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
        assert "".join(traceback.format_exception(raised.value)).count("Traceback") == 1


def test_a_folder_of_such_files_is_refused_with_the_lines_for_the_first(names):
    Path("folder").mkdir()
    for name in "ba":
        Path("folder", f"{name}.entities").write_text(SAMPLES["d.entities"])
    with pytest.raises(CorefError, match=r"a\.entities: it looks like a file of BookNLP"):
        evaluate("folder", "folder")


def test_a_file_that_only_begins_alike_is_refused_as_ever(tmp_path):
    path = tmp_path / "a"
    for text, told in [
        ("COREF is a token\t(0)\n", "begins no document"),
        ("T1 is a token\t(0)\n", "begins no document"),
        ('{"d": [[[1, 1]]]}\n{"e": 5}', "no entities"),
    ]:
        path.write_text(text)
        with pytest.raises(CorefError, match=told):
            evaluate(path, path)
