"""`make transcripts` rewrites what pages show of a run: nothing has changed."""

import re
from pathlib import Path

import pytest
import transcripts

ROOT = Path(__file__).parents[2]

PAGE = """A score:

```console
$ corefeval score both.jsonl --metric muc --format csv | head -1
document,measure,recall
$ corefeval score nowhere.conll --metric muc
corefeval: error: nowhere.conll: whatever
```

```python
>>> from corefeval import metric
>>> score = metric("muc")("{a b} {c}",
...                       "{a} {b c}")
>>> score
recall 0/1, precision 1/7, f1 0
```

```python
>>> score.recall
>>> print("one\\n\\nthree")
one
```
"""


@pytest.fixture
def folder(tmp_path):
    transcripts.write_files(tmp_path)
    return tmp_path


def test_every_page_that_shows_a_run_is_rewritten():
    shows = re.compile(r"^\$ corefeval |^>>> ", re.MULTILINE)
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "book").glob("*.md")]
    assert {p for p in pages if shows.search(p.read_text("utf-8"))} == {*transcripts.PAGES}


# Recipes are run one by one in test_recipes.py.
@pytest.mark.parametrize("page", transcripts.PAGES[:-1], ids=lambda page: page.name)
def test_a_page_shows_what_is_printed(page, folder):
    _, different = transcripts.of_page(page, folder)
    assert different == []


def test_what_is_shown_becomes_what_is_printed(folder):
    text, different = transcripts.rewritten(PAGE, folder)
    assert len(different) == 5 and not any(each.refused for each in different)
    assert "document,measure,recall,precision,f1,value" in text
    assert "whatever" not in text and "nowhere.conll: cannot read it" in text
    assert ">>> score\nrecall 0, precision 0, f1 0\n" in text
    assert ">>> score.recall\n0.0\n>>> print" in text
    assert "one\n<BLANKLINE>\nthree\n```" in text
    assert transcripts.rewritten(text, folder) == (text, [])


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (
            "```console\n$ corefeval score nowhere.conll\nmeasure\n```\n",
            "exit code 2: corefeval: e",
        ),
        ("```console\n$ corefeval --version\ncorefeval: error\n```\n", "exit code 0: "),
        ("```console\n$ rm both.jsonl\n```\n", "rm is not run"),
        ("```python\n>>> 1 / 0\n0\n```\n", "ZeroDivisionError: division by zero"),
    ],
)
def test_what_no_longer_runs_is_only_named(block, reason, folder):
    text, different = transcripts.rewritten(block, folder)
    assert text == block
    assert reason in different[0].refused
    assert (folder / "both.jsonl").exists()
