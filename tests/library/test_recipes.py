"""The recipes of the book lead from what other programs write to their scores.

If one of these failed, the book would tell people to run lines that do not work.
"""

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2].joinpath("book", "recipes.md").read_text(encoding="utf-8")
SAMPLES = dict(re.findall(r"```{code-block} \w+\n:caption: (\S+)\n(.*?)```", PAGE, re.DOTALL))
RECIPES = {"s2e", "CoreNLP", "xCoRe", "The lists of Hugging Face's coval", "BookNLP", "brat"}
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
