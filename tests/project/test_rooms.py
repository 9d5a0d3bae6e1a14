"""Three rooms: the book imports the companion, the companion the library, never the other way."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPERS = "|".join(path.stem for path in (ROOT / "data").glob("*.toml"))
BOOKS = {
    "the companion": r"\bcompanion\b",
    "a folder of data": r"""["'/]data["'/]""",
    "a file of data": rf"\b({PAPERS})\.toml\b",
    "the ledger": r"\bledger\b",
    "a page": r"\b[\w-]+\.(ipynb|html)\b",
}
LIBRARY = sorted((ROOT / "corefeval").rglob("*.py"))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_library_knows_nothing_of_the_book(path):
    text = path.read_text("utf-8")
    assert [name for name, pattern in BOOKS.items() if re.search(pattern, text)] == []


@pytest.mark.parametrize(
    "line",
    [
        "from companion import ledger",
        'DATA = Path(__file__).parent / "data"',
        '"""See vilain1995.toml."""',
        "# as the ledger shows",
        "# see b-cubed.ipynb",
    ],
)
def test_what_the_library_may_not_say_is_noticed(line):
    assert any(re.search(pattern, line) for pattern in BOOKS.values())
