"""The first page's four doors, and the page of the papers' tables behind one of them."""

import re
from collections import Counter

import changed_key
import pytest
import start_page
from browsing import need, too_wide
from companion import ledger
from companion.checks import STRICT
from companion.studies import real, verdicts
from playwright.sync_api import expect
from test_book import HTML, ROOT, parsed, words
from test_browser import figures

import playground

NAMES = [
    "Learn the measures",
    "The papers’ tables, recomputed",
    "Score two files",
    "Which scorer printed this number?",
]


@pytest.mark.parametrize("size", [(1440, 900), (360, 740)])
@pytest.mark.parametrize("as_file", [False, True])
def test_four_doors_stand_in_the_first_screen(size, as_file, site, tab):
    address = (HTML / "index.html").as_uri() if as_file else site
    view = tab(address, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    doors = view.locator(".doors strong")
    expect(doors).to_have_text(NAMES)
    for door in doors.all():
        expect(door).to_be_in_viewport(ratio=1)
    assert too_wide(view, size[0]) == []


def test_heads_and_what_is_behind_doors_stand_in_one_line(site, tab):
    view = tab(site, viewport={"width": 1440, "height": 900})
    for part in ("strong", "a:first-child > span"):
        tops = [each.bounding_box()["y"] for each in view.locator(f".doors {part}").all()]
        assert len(tops) == 4 and len({*map(round, tops)}) == 1


def test_the_figure_begins_in_the_first_screen_of_a_wide_page(site, tab):
    view = tab(site, viewport={"width": 1440, "height": 900})
    expect(view.locator(".living .entities")).to_be_in_viewport(ratio=1)
    expect(view.locator(".living td.f1").first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("as_file", [False, True])
def test_only_as_a_file_a_door_that_runs_code_says_what_to_type(as_file, site, tab):
    need()
    view = tab((HTML / "index.html").as_uri() if as_file else site)
    commands = [playground.SCORE, playground.EXPLAIN] if as_file else []
    told = [re.compile(f"make serve.*{re.escape(each)}", re.DOTALL) for each in commands]
    expect(view.locator(".doors p:visible")).to_have_text(told)
    if as_file:
        table, command = (view.locator(f".doors li:last-child > {e}") for e in ("a.other", "p"))
        above, below = table.bounding_box(), command.bounding_box()
        assert above["y"] + above["height"] <= below["y"]


def test_without_npm_a_door_that_runs_code_says_so(tmp_path):
    (tmp_path / "book").mkdir()  # beside it is no interpreter
    cards = re.findall(r"<li>.*?</li>", start_page.doors(tmp_path / "book"))
    assert len(cards) == len(NAMES)
    for card, command in zip(cards, ["", "", playground.SCORE, playground.EXPLAIN], strict=True):
        assert ("without npm" in card) == bool(command) and "hidden" not in card
        assert command in card


def test_with_a_table_and_no_files_the_row_checker_is_reached_by_the_last_door():
    (card,) = parsed("index.html").xpath("//*[@class='doors']//li[4]")
    assert card.xpath(".//a/@href") == ["which-scorer.html", "row-checker.html"]
    for page, other in (("which-scorer", "row-checker"), ("row-checker", "which-scorer")):
        first = parsed(f"{page}.html").xpath("//article//p[1]/..//a/@href")
        assert f"{other}.html" in first


def test_the_first_page_says_in_one_line_what_came_of_the_papers():
    found = [row for row in ledger.rows() if ledger.load(row.paper).source == "published"]
    counted = Counter(row.group for row in found)
    said = [words(each) for each in parsed("index.html").xpath("//article//p")]
    (line,) = [text for text in said if "We recomputed" in text]
    counts = [counted[group] for group in ("equal", "possible", "cannot be checked", "differs")]
    assert [*map(int, re.findall(r"\d+", line))][:4] == counts
    manuscript = [row for row in ledger.rows() if ledger.load(row.paper).source == "manuscript"]
    groups = Counter(row.group for row in manuscript)
    missed = sum(row.verdict == "missed" for row in manuscript)
    told = f"{groups['equal']} agree and {groups['differs']} differ; {missed} of these"
    assert told in line and "Baldwin et al., " in line


# The papers' tables


def lines() -> list[list[str]]:
    rows = parsed("paper-tables.html").xpath("//table[contains(@class, 'paper-tables')]/tbody/tr")
    return [[words(cell) for cell in row] for row in rows]


def test_every_figure_of_a_paper_is_counted_in_one_line():
    counted: Counter[str] = Counter()
    for paper, _, came, _ in lines():
        came = re.sub(r"\([^)]*\)", "", came)
        counted[paper] += sum(map(int, re.findall(r"\d+", came)))
    kinds = {
        "published": "", "table": "", "secondary": ", as quoted", "summary": ", anonymous",
        "manuscript": ", manuscript",
    }  # fmt: skip
    papers = [ledger.load(name) for name in ledger.papers()]
    assert counted == {
        paper.content["paper"]["short"] + kinds[paper.source]: sum(
            row.paper == paper.name for row in ledger.rows()
        )
        for paper in papers
        if paper.source in kinds
    }


def test_a_table_has_a_line_that_leads_to_its_derivation():
    tables = {(paper, table): came for paper, table, came, _ in lines()}
    assert tables["Vilain et al. 1995", "Table 1"] == "10 equal"
    assert {("Popescu-Belis, manuscript", f"Table {n}") for n in range(1, 8)} <= {*tables}
    assert len(tables) == len(lines())
    for link in parsed("paper-tables.html").xpath("//td[4]/a/@href"):
        assert re.fullmatch(r"[\w-]+\.html(#.+)?", link)


def test_a_papers_name_leads_to_its_figures(site, tab):
    view = tab(f"{site}paper-tables.html")
    view.locator(".paper-tables a", has_text="Luo 2005").first.click()
    view.wait_for_url("**/ledger.html?paper=luo2005")
    expect(figures(view)).to_have_count(sum(row.paper == "luo2005" for row in ledger.rows()))


def test_the_papers_tables_take_one_screen(site, tab):
    view = tab(f"{site}paper-tables.html", viewport={"width": 1440, "height": 900})
    box = view.locator(".paper-tables").bounding_box()
    assert box["y"] + box["height"] <= 900


def test_the_first_page_says_what_the_argument_computes():
    of_ecbp = verdicts.turned("ecbp")
    told = f"{of_ecbp.by_e2e} of {of_ecbp.pairs} pairs change places"
    models = f"Put {len(real.configurations())} configurations of one published model in order"
    (thesis,) = (p for p in map(words, parsed("index.html").xpath("//article//p")) if told in p)
    assert models in thesis and [*verdicts.turned("gvc")][1] < of_ecbp.by_e2e


def test_the_first_page_shows_what_a_chapter_lists_after_a_change(monkeypatch):
    """The picture's words are those of the chapter's fold, run again with the changed key."""
    monkeypatch.delenv(STRICT, raising=False)
    found = changed_key.moved(ROOT / "book")
    shown = parsed("index.html").xpath("//article//img[contains(@alt, 'becomes')]")
    assert len(found.moved) > 2 and len(shown) == 2
    for image in shown:
        assert f"{len(found.sentences)} sentences checked" in image.get("alt")
        assert all(sentence in image.get("alt") for sentence in found.moved)
