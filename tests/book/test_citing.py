"""How to cite, and previews: from CITATION.cff alone, with addresses and without."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import lxml.html
import pytest
import yaml
from page_citation import PICTURE, tags
from project_pages import Project
from rows import every_row
from test_book import HTML, PAGES, ROOT, parsed, words

from corefeval.registry import MEASURES

CONFIG = {"copyright": "2026 The corefeval authors"}
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
BARE: dict[str, Any] = {
    "title": "corefeval: a & b",
    "authors": [{"name": "The corefeval authors"}],
    "version": "0.1.0",
}
FULL: dict[str, Any] = BARE | {
    "authors": [{"given-names": "Ada", "family-names": "Byron"}, {"name": "A group"}],
    "date-released": "2027-02-03",
    "url": "https://example.org/book/",
    "repository-code": "https://example.org/code",
    "identifiers": [{"type": "other", "value": "x"}, {"type": "doi", "value": "10.5281/zenodo.1"}],
}


def test_without_addresses_nothing_is_left_open():
    project = Project.of(BARE, CONFIG)
    entry = project.bibtex("software", "corefeval")
    assert "url" not in entry and "doi" not in entry and "year    = {2026}" in entry
    assert project.sentence().endswith("2026.")
    assert project.of_page("B³", "b-cubed").endswith("2026.")
    shown = tags(project, "b-cubed", "B³", "What is B³?")
    assert "og:image" not in shown and "og:url" not in shown and "http" not in shown
    assert "og:title" in shown and "og:description" in shown


def test_with_addresses_all_of_them_are_told():
    project = Project.of(FULL, CONFIG)
    entry = project.bibtex("software", "corefeval")
    assert "author  = {{Ada Byron} and {A group}}" in entry
    assert "doi     = {10.5281/zenodo.1}" in entry and "year    = {2027}" in entry
    assert "url     = {https://example.org/book}" in entry
    assert project.sentence().endswith("<https://doi.org/10.5281/zenodo.1>")
    assert project.of_page("B³", "b-cubed").endswith(" https://example.org/book/b-cubed.html")
    shown = tags(project, "b-cubed", "B³", 'What "is" B³?')
    assert f'og:image" content="https://example.org/book/{PICTURE}"' in shown
    assert 'og:url" content="https://example.org/book/b-cubed.html"' in shown
    assert "What &quot;is&quot; B³?" in shown


def test_the_first_address_that_lasts_is_the_link():
    without = {name: FULL[name] for name in FULL if name != "identifiers"}
    assert Project.of(without, CONFIG).link == "https://example.org/book"
    assert Project.of(without | {"doi": "10.1/2"}, CONFIG).link == "https://doi.org/10.1/2"
    del without["url"]
    assert Project.of(without, CONFIG).link == "https://example.org/code"


def test_the_page_says_what_the_citation_file_says():
    said = words(parsed("cite.html").xpath("//article")[0])
    assert said.count(CITATION["title"]) == 3  # a sentence, and BibTeX of library and book
    assert said.count(CITATION["version"]) >= 3
    assert all(author["name"] in said for author in CITATION["authors"])
    for field in ("url", "repository-code", "doi"):
        assert CITATION.get(field, "") in said
    for name, field in (("Repository:", "repository-code"), ("Archive:", "doi"), ("Book:", "url")):
        assert (name in said) == (field in CITATION)


def test_each_page_names_its_licences():
    for page in PAGES:
        (line,) = parsed(page).xpath("//footer//p[@class='copyright']")
        assert "CC BY 4.0" in words(line) and "Code: MIT" in words(line)
        (more,) = line.xpath("a[not(@rel)]/@href")
        other = "" if page == "cite.html" else "../" * page.count("/") + "cite.html"
        assert more == f"{other}#licences"


def test_what_sets_the_formulas_brings_its_licence():
    text = (HTML / "_static/mathjax/LICENSE.txt").read_text("utf-8")
    assert "Apache License" in text and "Version 2.0, January 2004" in text
    # The hash of https://www.apache.org/licenses/LICENSE-2.0.txt
    assert sha256(text.encode()).hexdigest().startswith("cfc7749b96f6")
    (link,) = parsed("cite.html").xpath("//article//a[contains(@href, 'mathjax/')]")
    assert link.get("href") == "_static/mathjax/LICENSE.txt" and "Apache" in words(link)


def bib(key: str) -> str:
    text = (ROOT / "book" / "references.bib").read_text("utf-8")
    (entry,) = [each for each in text.split("\n\n") if re.match(rf"@\w+{{{key},", each)]
    return entry.strip()


@pytest.mark.parametrize("name", MEASURES)
def test_a_measures_paper_can_be_copied(name):
    blocks = [each.text_content().strip() for each in parsed("cite.html").xpath("//article//pre")]
    assert bib(MEASURES[name].cite) in blocks


def test_blanc_of_predicted_mentions_cites_both_papers():
    page = parsed("cite.html").xpath("//article")[0]
    blocks = [each.text_content().strip() for each in page.xpath(".//pre")]
    assert {bib("recasens-hovy-2011"), bib("luo-2014")} <= {*blocks}
    (section,) = parsed("measures.html").xpath(
        "//section[@id='measure-blanc' or span[@id='measure-blanc']]"
    )
    source = words(section.xpath("p")[0])
    assert "Recasens and Hovy" in source and "Luo et al." in source


@pytest.mark.parametrize("page", ["b-cubed.html", "measures.html", "ledger.html"])
def test_the_foot_of_a_page_says_its_citation(page):
    (line,) = parsed(page).xpath("//p[@class='cite-page']")
    title = words(parsed(page).xpath("//article//h1")[0]).rstrip("#")
    assert f'"{re.sub(r"^[0-9]+[.] ", "", title)}"' in words(line)
    assert CITATION["title"] in words(line) and CITATION["version"] in words(line)
    assert not parsed(page).xpath("//article//*[@class='cite-page']")
    assert line.xpath("a/@href") == ["../" * page.count("/") + "cite.html"]


UNWRITTEN = {"search", "genindex", "404"}
WRITTEN = [page for page in PAGES if page.removesuffix(".html") not in UNWRITTEN]


@every_row("page", WRITTEN)
def test_a_link_to_a_page_has_a_preview(page):
    head = parsed(page).find("head")
    said = {meta.get("property"): meta.get("content") for meta in head.iter("meta")}
    assert said["og:title"] and said["og:site_name"] == "corefeval"
    (text,) = head.xpath("meta[@name='description']/@content")
    assert said["og:description"] == text and 60 < len(text) <= 202
    assert "<" not in said["og:title"]


def test_the_picture_of_a_preview_is_there():
    assert (HTML / PICTURE).is_file() and Path(PICTURE).suffix == ".png"


def test_previews_tell_the_pages_apart():
    def told(page: str) -> str:
        return parsed(page).xpath("//head/meta[@name='description']/@content")[0]

    assert len({told(page) for page in WRITTEN}) > 0.9 * len(WRITTEN)


def test_tags_are_well_formed():
    shown = tags(Project.of(FULL, CONFIG), "x", "a &amp; b", "c & <d>")
    contents = lxml.html.fragment_fromstring(shown, create_parent="div").xpath(".//meta/@content")
    assert "a & b" in contents and "c & <d>" in contents
