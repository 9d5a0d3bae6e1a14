"""Citations in the chapters: links that any notebook shows, with an entry's author and year."""

import re

import pytest
from pybtex.database import parse_file
from rows import every_row
from stored import BOOK, CHAPTERS

ENTRIES = parse_file(str(BOOK / "references.bib")).entries
LINK = re.compile(r"\[((?:[^][]|\[[^][]*\])*)\]\(bibliography\.md#([\w-]+)\)")
ROLE = re.compile(r"\{cite\b")


def labels(key: str) -> set[str]:
    """What a link may say: “Luo [2005]” in a sentence, “Luo, 2005” in brackets."""
    entry = ENTRIES[key]
    names = ["".join(map(str, person.rich_last_names)) for person in entry.persons["author"]]
    who = " and ".join(names) if len(names) < 3 else f"{names[0]} *et al.*"
    return {f"{who} [{entry.fields['year']}]", f"{who}, {entry.fields['year']}"}


def wrong(text: str) -> list[str]:
    """Roles, and links to the bibliography without an entry or with words that are not its own."""
    links = LINK.findall(text)
    missed = ["not read"] * (text.count("bibliography.md#") - len(links))
    false = [key for said, key in links if key not in ENTRIES or said not in labels(key)]
    return ROLE.findall(text) + missed + false


@every_row("path", CHAPTERS)
def test_citations_are_links_with_author_and_year(path):
    assert wrong(path.read_text("utf-8")) == []


def test_links_are_read():
    assert sum(len(LINK.findall(path.read_text("utf-8"))) for path in CHAPTERS) > 50
    assert labels("luo-2005") == {"Luo [2005]", "Luo, 2005"}
    assert labels("cai-strube-2010") == {"Cai and Strube [2010]", "Cai and Strube, 2010"}
    assert "Søgaard" in min(labels("aralikatte-2020"))
    assert wrong("[Bugert *et al.* [2021]](bibliography.md#bugert-2021), as others") == []
    assert wrong("[[Luo, 2005](bibliography.md#luo-2005), [x](a.md)]") == []


@pytest.mark.parametrize(
    "text",
    [
        "{cite:t}`luo-2005`",
        "[Luo [2005]](bibliography.md#luo-2006)",
        "[Luo [2006]](bibliography.md#luo-2005)",
        "[Lou, 2005](bibliography.md#luo-2005)",
        "[Bugert and Reimers, 2021](bibliography.md#bugert-2021)",
        "[Luo *et al.*, 2005](bibliography.md#luo-2005)",
        "[[Luo] 2005]](bibliography.md#)",
    ],
)
def test_a_wrong_citation_is_noticed(text):
    assert wrong(text)
