"""The built book, page by page: links, images, headings, and the pages that the build writes.

What a browser says of it is in test_browser.py.
"""

import csv
import gzip
import json
import os
import platform
import re
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
from corefbook import ledger
from corefbook.studies import suites
from docutils.nodes import make_id
from rows import every_row

import corefeval
from corefeval.conventions import CHOICES, OF_FILES

ROOT = Path(__file__).parents[2]
HTML = ROOT / "book" / "_build" / "html"
MOVED = {path for path in HTML.glob("*.html") if 'rel="canonical"' in path.read_text("utf-8")}
"""Old addresses, which lead on to where their content is."""
PAGES = sorted(
    p.relative_to(HTML).as_posix()
    for p in {*HTML.rglob("*.html")} - MOVED
    if "_static" not in p.parts
)

every_page = every_row("page", PAGES)


@cache
def parsed(page: str) -> lxml.html.HtmlElement:
    return lxml.html.parse(HTML / page, lxml.html.HTMLParser(encoding="utf-8")).getroot()


@cache
def anchors(page: str) -> set[str]:
    return {*parsed(page).xpath("//@id"), *parsed(page).xpath("//a/@name")}


@every_page
def test_no_two_elements_have_one_id(page):
    counted = Counter(parsed(page).xpath("//@id"))
    theirs = {"exercise-content", "solution-content"}  # given to each exercise by its extension
    assert {name for name, times in counted.items() if times > 1} <= theirs


FORMS = ("playground.html", "practice.html")


def is_elsewhere(address: str) -> bool:
    return bool(re.match(r"(?!data:)[a-z][a-z0-9+.-]*:|//", address))


def broken(page: str, address: str) -> bool:
    """Whether a relative address leads to no file or to no anchor."""
    url = urlsplit(address)
    target = (HTML / page).parent / unquote(url.path) if url.path else HTML / page
    if not target.is_file():
        return True
    name = target.resolve().relative_to(HTML.resolve()).as_posix()
    # What a form is asked: test_drawn_examples.py and test_forms.py read it.
    if "=" in url.fragment:
        return name not in FORMS
    return bool(
        url.fragment and name.endswith(".html") and unquote(url.fragment) not in anchors(name)
    )


@every_page
def test_internal_links_and_images_resolve(page):
    addresses = {*parsed(page).xpath("//a/@href | //link/@href | //*/@src | //object/@data")}
    inside = [
        a for a in addresses if not is_elsewhere(a) and not a.startswith("data:") and a != "#"
    ]
    assert [a for a in inside if broken(page, a)] == []


def test_an_old_address_leads_to_a_heading():
    assert {path.stem for path in MOVED} == {
        "paper-tables",
        "teach",
        "what-it-costs",
        "five-measures",
    }
    for path in MOVED:
        (page,) = parsed(path.name).xpath("//link[@rel='canonical']/@href")
        (address,) = parsed(path.name).xpath("//main//a/@href")
        assert address.startswith(f"{page}#") and not broken(path.name, address)


@every_page
def test_no_page_takes_anything_from_another_site(page):
    resources = parsed(page).xpath("//link/@href | //*/@src | //*/@srcset | //object/@data")
    assert [a for a in resources if is_elsewhere(a)] == []


@pytest.mark.parametrize("sheet", sorted(HTML.rglob("*.css")), ids=lambda path: path.name)
def test_no_style_sheet_takes_anything_from_another_site(sheet):
    text = sheet.read_text("utf-8")
    assert re.findall(r"""(?:url\(|@import)\s*["']?(?:https?:)?//[^)"']*""", text) == []


@every_page
def test_every_image_has_an_alternative_text(page):
    assert [
        image.get("src")
        for image in parsed(page).iter("img")
        # Where there is none, docutils writes the path of the image.
        if (image.get("alt") or "").strip() in ("", image.get("src"))
    ] == []


@every_page
def test_one_main_heading_and_one_title(page):
    # The theme repeats the heading for paper, where it hides the other.
    headings = parsed(page).xpath("//h1[not(ancestor::*[@id='jb-print-docs-body'])]")
    assert len(headings) == 1
    assert "corefeval" in parsed(page).findtext(".//title")


# The pages that the build writes from the library, the data and the project's files


def straight(text: str) -> str:
    """The text with straight quotation marks, single blanks, and no brackets of MathJax."""
    return " ".join(re.sub(r"\\[()]", "", text).translate(STRAIGHT).split())


STRAIGHT = str.maketrans("‘’“”", "''\"\"")


def words(element: lxml.html.HtmlElement) -> str:
    return straight(element.text_content())


def section(page: str, name: str) -> lxml.html.HtmlElement:
    """The section with that label."""
    name = name.replace("_", "-")  # as docutils makes an id of a label
    (place,) = parsed(page).xpath(f"//section[@id='{name}' or span[@id='{name}']]")
    return place


KIND = {name: ledger.load(name).source for name in ledger.papers()}


def rows_in_order() -> list[ledger.Row]:
    """Refuted sentences and misprints first, and then by kind of source."""

    def place(row: ledger.Row) -> tuple[bool, int]:
        first = row.verdict in ("refuted", "misprint")
        return not first, list(ledger.SOURCES).index(KIND[row.paper])

    return sorted(ledger.rows(), key=place)


def test_no_mark_of_a_template_is_left():
    for page in PAGES:
        said = words(parsed(page).xpath("//article")[0]) if parsed(page).xpath("//article") else ""
        assert not re.search(r"\{%|\{\{ \w|<!-- generated", said), page


def test_the_ledgers_table_has_every_figure():
    shown = [
        [words(cell) for cell in row.xpath("td")]
        for row in parsed("ledger.html").xpath("//table[@id='figures']//tr[td]")
    ]
    expected = [
        [row.place, row.example, row.label, row.printed, row.computed] for row in rows_in_order()
    ]
    assert [row[:5] for row in shown] == [[straight(cell) for cell in row] for row in expected]
    for row, (*_, verdict) in zip(rows_in_order(), shown, strict=True):
        assert (
            verdict.startswith(row.verdict) and straight(row.explained).rstrip(".")[1:] in verdict
        )
        assert ("perhaps our copy" in verdict) >= bool(row.copy)


def test_a_row_leads_to_its_derivation():
    shown_rows = parsed("ledger.html").xpath("//table[@id='figures']//tr[td]")
    assert [row.get("id") for row in shown_rows] == [row.id for row in rows_in_order()]
    for row, shown in zip(rows_in_order(), shown_rows, strict=True):
        place = urlsplit(shown.xpath("td[1]/a/@href")[0])
        assert place.path == f"{row.chapter}.html" and (place.fragment or not row.section)
        if row.cell:
            assert place.fragment == f"cell-{make_id(row.cell)}"
        assert shown.xpath("td[6]/a[.='#']/@href") == [f"#{row.id}"]


def test_every_row_of_the_ledger_keeps_its_address():
    """Where a label or a place is worded anew, ``known_as`` or ``address`` keep the old words."""
    rows = (Path(__file__).parent / "old_rows.txt").read_text("utf-8").split()
    assert len(rows) > 1000
    assert {*rows} - {row.id for row in ledger.rows()} == set()


def test_the_summary_counts_every_figure():
    table = parsed("ledger.html").xpath("//table[contains(@class, 'counts')]")[0]
    head = [words(cell) for cell in table.xpath(".//thead//th")]
    lines = table.xpath(".//tbody/tr[td]")
    assert len(lines) == len(ledger.papers())
    counted = Counter()
    for line in lines:
        numbers = [int(words(cell).replace("–", "0")) for cell in line.xpath("td")]
        assert sum(numbers[:-1]) == numbers[-1]
        counted.update(dict(zip(head, numbers, strict=True)))
    assert counted.pop("all") == len(ledger.rows())
    assert counted == Counter(row.group for row in ledger.rows())


def test_no_number_adds_up_kinds_of_sources():
    # Unlike things have no sum: neither all rows nor all that is reproduced is ever printed.
    reproduced = sum(row.verdict == "reproduced" for row in ledger.rows())
    equal = sum(row.group == "equal" for row in ledger.rows())
    for page in ("index.html", "ledger.html", "errata.html"):
        telling = parsed(page).xpath(
            "//article//*[self::p or self::dd] | //table[@id!='figures']//td"
        )
        said = " ".join(map(words, telling))
        assert not re.search(rf"\b({len(ledger.rows())}|{reproduced}|{equal})\b", said), page
    assert {*KIND.values()} == {*ledger.SOURCES}


def test_the_ledger_says_what_was_not_seen():
    said = words(parsed("ledger.html").xpath("//article")[0])
    for paper in ("Luo 2005", "Recasens & Hovy 2011", "Moosavi & Strube 2016", "Passonneau"):
        assert paper in said


def test_the_ledger_says_what_was_left_out():
    said = words(section("ledger.html", "what-was-left-out"))
    for name in ledger.papers():
        for each in ledger.load(name).left_out:
            assert all(straight(text) in said for text in each.values())


def test_the_downloads_are_the_ledger():
    expected = [asdict(row) for row in ledger.rows()]
    with (HTML / "ledger.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [
            {name: str(value) for name, value in row.items()} for row in expected
        ]
    assert json.loads((HTML / "ledger.json").read_text("utf-8")) == expected


def test_the_ledger_stays_light():
    assert len(gzip.compress((HTML / "ledger.html").read_bytes())) < 60 * len(ledger.rows())


def errata(part: lxml.html.HtmlElement) -> dict[str, lxml.html.HtmlElement]:
    """The entries of a part of the errata by their addresses, in its order."""
    return {
        entry.xpath(".//p[@class='proof']/a/@href[starts-with(., '#')]")[0][1:]: entry
        for entry in part.xpath("descendant-or-self::section[h4]")
    }


def test_the_errata_have_every_error_with_its_proof():
    entries = errata(parsed("errata.html"))
    listed = [row for row in ledger.rows() if row.erratum]
    assert sorted(entries) == sorted(row.erratum for row in listed)
    for row in listed:
        entry = entries[row.erratum]
        assert row.erratum in entry.xpath("@id | span/@id | preceding-sibling::span[1]/@id")
        said = words(entry)
        assert ("Should read." in said) == (row.verdict in ("misprint", "refuted")), row
        for part in (row.quote or row.printed, row.right, row.note, row.copy):
            assert straight(part) in said, (row, part)
        assert entry.xpath(f".//a[starts-with(@href, '{row.chapter}.html')]")
        assert entry.xpath(f".//a[@href='ledger.html#{row.id}']")


def test_the_errata_open_with_a_table():
    wrong, remarks, copies, _ = parsed("errata.html").xpath("//section[h2]")
    in_table = wrong.xpath(".//table[contains(@class, 'errata')]/tbody/tr/th/a/@href")
    (drop,) = [row for row in ledger.rows() if row.printed == "the precision drops to 0.333"]
    assert in_table[0] == f"#{drop.erratum}"
    assert in_table == [f"#{erratum}" for erratum in errata(wrong)]
    of_formulas = wrong.xpath("p[starts-with(., 'Whoever programs')]/a/@href")
    assert {*of_formulas} == {f"#{row.erratum}" for row in ledger.rows() if row.formula}
    for part, verdicts in (
        (wrong, ("misprint", "refuted")), (remarks, ("remark",)), (copies, ("copy",))
    ):  # fmt: skip
        assert {*errata(part)} == {r.erratum for r in ledger.rows() if r.verdict in verdicts}


def test_counts_of_misprints_name_slips_of_our_copy():
    for page in ("index.html", "ledger.html", "errata.html"):
        said = words(parsed(page).xpath("//article")[0])
        counts = re.findall(r"\d+ misprints?\b(.{0,12})", said)
        assert counts or page != "errata.html", page
        assert all(re.match(r" \((\d+|none) may", after) for after in counts), (page, counts)


def test_only_papers_are_shown_as_published():
    for heading in parsed("errata.html").xpath("//section/h3"):
        said = words(heading)
        assert ("Popescu-Belis" in said) == ("manuscript" in said)
        assert ("ummary" in said) == ("anonymous" in said)
        if "anonymous" in said:
            assert not heading.getparent().xpath("./p/a[contains(@href, 'bibliography')]")


def test_every_choice_of_every_convention_is_explained():
    for convention, choices in (CHOICES | OF_FILES).items():
        entry = section("measures.html", f"convention-{convention}")
        first = [words(row.find("td")) for row in entry.xpath(".//tbody/tr")]
        assert first == list(choices)


RETURNED = {
    "corefeval.scoring.Metric",
    "corefeval.chance.results.Bootstrap",
    "corefeval.chance.results.Comparison",
    "corefeval.chance.results.Difference",
    "corefeval.analysis.anatomy.Anatomy",
    "corefeval.analysis.entities.Entity",
    "corefeval.analysis.explain.Explanation",
    "corefeval.analysis.explain.Hit",
    "corefeval.chance.leads.Leads",
    "corefeval.chance.leads.Rule",
}
"""The classes of what public functions return, and of what these have."""
BESIDE = {
    "corefeval.registry.MEASURES",
    "corefeval.conventions.CHOICES",
    "corefeval.conventions.OF_FILES",
    "corefeval.signature.parsed",
    "corefeval.measures.link_score",
}


def test_the_reference_has_the_public_names_alone():
    defined = set(parsed("api.html").xpath("//dl[not(ancestor::dl)]/dt[@id]/@id"))
    public = {f"corefeval.{name}" for name in corefeval.__all__}
    assert defined == public | RETURNED | BESIDE


@pytest.mark.parametrize("name", corefeval.__all__)
def test_a_public_name_has_an_example(name):
    if name != "CorefError":  # whose message is its content
        assert ">>> " in getattr(corefeval, name).__doc__


@pytest.mark.parametrize(
    "name", ["evaluate", "Scorer", "from_labels", "compare", "explain", "anatomy"]
)
def test_a_docstring_is_read_at_a_glance(name):
    assert len(getattr(corefeval, name).__doc__.splitlines()) <= 25


@pytest.mark.parametrize("page", ["errata.html", "ledger.html"])
def test_the_ways_in_are_linked(page):
    way = "cite.html#report-an-error-or-contest-an-entry-of-the-errata"
    assert way in parsed(page).xpath("//article//a/@href")
    said = words(parsed("cite.html").xpath("//article")[0])
    assert "contest an entry of the errata" in said and "Report a vulnerability" in said


def test_no_docstring_is_shown_with_its_markup():
    body = parsed("api.html").xpath("//article")[0]
    prose = " ".join(p.text_content() for p in body.iter("p"))
    assert not re.search(r"``|\\\|", prose)


def test_the_page_to_cite_names_what_runs():
    said = words(section("cite.html", "versions-and-machine"))
    assert f"corefeval {corefeval.__version__}" in said
    for package in ("numpy", "scipy", "sphinx", "jupyter-book"):
        assert f"{package} {version(package)}" in said
    assert platform.python_version() in said
    assert platform.node() not in said and str(ROOT) not in said


def test_the_changelog_is_whole():
    said = words(parsed("cite.html").xpath("//section[@id='changelog']")[0])
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert all(heading in said for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE))


def test_no_term_of_the_glossary_is_there_twice():
    terms = [words(term) for term in parsed("glossary.html").xpath("//dl/dt")]
    assert len(terms) == len(set(terms)) > 50


@pytest.mark.release
def test_a_fresh_build_has_the_same_bytes(tmp_path):
    book, made = ROOT / "book", tmp_path / "_build" / "html"
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1767225600", "PYTHONHASHSEED": "0"}
    command = [
        Path(sys.executable).parent / "jupyter-book",
        "build",
        "--path-output",
        tmp_path,
        book,
    ]
    run = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert run.returncode == 0, run.stderr
    first, second = contents(HTML), contents(made)
    assert [name for name in first | second if first.get(name) != second.get(name)] == []


def contents(folder: Path) -> dict[str, bytes]:
    # .buildinfo alone depends on where the checkout lies, and `make book` removes it.
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".buildinfo"
    }


def test_a_fold_has_one_triangle():
    lines = parsed("muc.html").xpath("//details/summary/p[contains(@class, 'collapsed')]")
    said = [words(line) for line in lines]
    assert "code" in said and not re.search("[`▸▶]", " ".join(said))
    assert any(line.startswith("Evidence: ") for line in said)


def test_the_ledger_counts_equal_tests_of_scorers():
    said = words(section("ledger.html", "other-scorers-own-tests-scored-here"))
    assert "assert 1,755 triples" in said
    assert "some 520 of them different ones. 1,507 are equal here. The other 248 cannot" in said
    rows = section("ledger.html", "other-scorers-own-tests-scored-here").xpath(".//tr[td]")
    assert len(rows) == len(suites.suites())
    equal = [int(words(row.xpath("td")[4])) for row in rows]
    assert equal == [suites.equal(name) for name in suites.suites()]
