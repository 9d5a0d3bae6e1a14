"""What a browser says of the built book: on narrow and wide screens, by day, at night, on paper."""

import re

import pytest
from browsing import NARROW, visit
from companion import ledger
from playwright.sync_api import expect
from test_book import parsed


@pytest.fixture
def view(tab):
    return tab(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")


# Tables, figures and formulas


def test_a_small_tables_caption_is_wider_than_the_table(site, view):
    for width, lines in ((1280, 1), (360, 2)):
        view.set_viewport_size({"width": width, "height": 740})
        visit(view, site + "coreference.html")
        caption = view.locator("caption", has_text="The overlap table")
        height = caption.evaluate("each => parseFloat(getComputedStyle(each).lineHeight)")
        assert caption.bounding_box()["height"] < (lines + 0.6) * height
        table = view.locator("table", has=caption)
        assert table.bounding_box()["width"] < 250
        assert table.evaluate("each => each.parentElement.scrollWidth") <= width


def test_formulas_side_by_side_are_stacked_on_a_phone(site, view):
    for width, rows in ((1280, 1), (360, 2)):
        view.set_viewport_size({"width": width, "height": 740})
        visit(view, site + "b-cubed.html")
        fractions = view.locator("div.math").first.locator("mjx-math > mjx-mfrac")
        tops = {round(each.bounding_box()["y"]) for each in fractions.all()}
        assert fractions.count() == 2 and len(tops) == rows


def test_f1_is_in_sight_on_a_phone(site, view):
    view.set_viewport_size(NARROW)
    visit(view, site + "b-cubed.html")
    for heads in view.locator("thead tr:visible", has_text="recall").all():
        f1 = heads.get_by_text("F1", exact=True)
        if f1.count():
            box = f1.bounding_box()
            assert box["x"] + box["width"] <= 360


def test_an_opened_fold_keeps_its_name_and_begins_with_its_table(site, view):
    visit(view, site + "muc.html")
    fold = view.locator("details.hide:has(.cell_output)").last
    name = fold.locator("summary").inner_text()
    assert name.startswith("Evidence")
    fold.evaluate("each => { each.open = true; }")
    assert fold.locator("summary").inner_text() == name
    table, code = fold.locator("table").last, fold.locator(".cell_input")
    assert table.bounding_box()["y"] < code.bounding_box()["y"]


BROKEN = """() => [...document.querySelectorAll('code .pre')].filter(word => {
  const range = document.createRange();
  range.selectNodeContents(word);
  return new Set([...range.getClientRects()].map(each => Math.round(each.top))).size > 1;
}).map(word => word.textContent).filter(text => text.startsWith('--'))"""


@pytest.mark.parametrize("width", [360, 900, 1440])
def test_no_line_ends_within_an_option(site, view, width):
    view.set_viewport_size({"width": width, "height": 900})
    for page in ("recipes.html", "command-line.html"):
        view.goto(site + page)
        assert view.locator("code .pre", has_text="--").count() > 5
        assert view.evaluate(BROKEN) == []


# The ledger's search and filter


def figures(view):
    """The rows of the ledger that are shown."""
    return view.locator("#figures tr:visible:has(td)")


def announced(view):
    """What the page says of them."""
    return view.locator("#ledger-tools output")


@pytest.mark.by_day
def test_the_ledger_is_searched_and_filtered_with_the_keyboard(site, view):
    view.goto(site + "ledger.html")
    every = len(parsed("ledger.html").xpath("//table[@id='figures']//tr[td]"))
    whole = f"{every} of {every} figures, the first 50 shown"
    expect(figures(view)).to_have_count(50)
    expect(announced(view)).to_have_text(whole)

    view.locator("#ledger-tools input").focus()
    view.keyboard.type("b³ PRECISION")
    expect(announced(view)).not_to_have_text(whole)
    expect(announced(view)).to_have_text(re.compile(rf"^\d+ of {every} figures, the"))
    assert 50 < int(announced(view).inner_text().split()[0]) < every
    view.wait_for_function("location.search.includes('text=b')")

    view.keyboard.press("Tab")
    view.keyboard.type("Pradhan")
    view.keyboard.press("Tab")
    view.keyboard.type("refuted")
    few = re.compile(rf"^\d of {every} figures$")
    expect(announced(view)).to_have_text(few)
    left = figures(view).all_inner_texts()
    assert 0 < len(left) < 50 and any("7/12" in row for row in left)
    assert all("refuted" in row and "B³" in row for row in left)

    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    expect(announced(view)).to_have_text(whole)
    expect(figures(view)).to_have_count(50)


def test_the_ledger_opens_with_its_search_and_what_is_refuted_or_misprinted(site, view):
    view.goto(site + "ledger.html")
    expect(view.locator("#ledger-tools")).to_be_in_viewport()
    wrong = [row for row in ledger.rows() if row.verdict in ("refuted", "misprint")]
    seen = view.locator("#figures tr:visible b.verdict").all_text_contents()
    assert 10 < len(wrong) < 50
    assert sorted(seen[: len(wrong)]) == sorted(row.verdict for row in wrong)


def test_more_of_the_ledger_is_shown_by_the_button(site, view):
    view.goto(site + "ledger.html?paper=vilain1995")
    every = sum(row.paper == "vilain1995" for row in ledger.rows())
    assert 50 < every < 100
    expect(figures(view)).to_have_count(50)
    view.get_by_role("button", name=f"Show {every - 50} more").click()
    expect(figures(view)).to_have_count(every)
    expect(announced(view)).to_have_text(f"{every} of {len(ledger.rows())} figures")
    expect(view.locator("#ledger-more")).to_be_hidden()


def test_the_ledger_is_no_long_way_on_a_phone(site, tab):
    view = tab(site + "ledger.html", viewport=NARROW)
    assert view.evaluate("document.documentElement.scrollHeight") < 32 * NARROW["height"]


@pytest.mark.parametrize(
    ("paper", "verdict"), [("popescubelis", "misprint"), ("vilain1995", "differs")]
)
def test_a_verdict_or_a_group_of_them_can_be_linked_to(paper, verdict, site, view):
    view.goto(site + f"ledger.html?paper={paper}&verdict={verdict}#all-figures")
    expect(view.locator("#ledger-tools")).to_be_in_viewport()
    assert view.locator("#ledger-tools select").first.input_value() == paper
    rows = [row for row in ledger.rows() if row.paper == paper]
    wanted = sum(verdict in (row.verdict, row.group) for row in rows)
    assert wanted > 0
    expect(figures(view)).to_have_count(wanted)


@pytest.mark.parametrize("asked", ["", "?paper=luo2005"])
def test_the_address_of_a_row_shows_it_whatever_else_is_shown(asked, site, view):
    last = ledger.rows()[-1]
    for row in (next(row for row in ledger.rows() if row.verdict == "misprint"), last):
        view.goto(site + f"ledger.html{asked}#{row.id}")
        expect(view.locator(f"tr[id='{row.id}']")).to_be_in_viewport()
        assert figures(view).count() <= 51


def test_the_place_of_a_figure_opens_its_fold_and_shows_its_row(site, view):
    row = next(row for row in ledger.rows() if "-problem-2-recall-by-the-formula" in row.id)
    view.goto(site + f"ledger.html?paper=vilain1995#{row.id}")
    view.locator(f"tr[id='{row.id}'] td:first-child a").click()
    view.wait_for_url(f"**/{row.chapter}.html?*")
    shown = view.locator("article tr[style*='outline']")
    expect(shown).to_be_in_viewport()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("text=Moosavi", "Moosavi & Strube 2016 was not seen"),
        ("text=qwertz", "no figure has “qwertz”"),
        ("paper=luo2005&verdict=misprint", "none of Luo 2005, misprint"),
    ],
)
def test_nothing_found_says_why(asked, reason, site, view):
    view.goto(site + "ledger.html?" + asked)
    expect(figures(view)).to_have_count(0)
    expect(announced(view)).to_contain_text(reason)


def test_a_superscript_is_found_as_a_digit(site, view):
    view.goto(site + "ledger.html?text=b³ precision")
    expect(figures(view)).not_to_have_count(0)
    written = announced(view).inner_text()
    view.goto(site + "ledger.html?text=b3 precision")
    expect(announced(view)).to_have_text(written)


def test_without_scripts_the_whole_ledger_is_there_and_no_tools(site, tab):
    view = tab(site + "ledger.html", java_script_enabled=False)
    every = parsed("ledger.html").xpath("//table[@id='figures']//tr[td]")
    expect(figures(view)).to_have_count(len(every))
    assert not view.locator("#ledger-tools").is_visible()


# Download, paper


def test_a_chapter_can_be_downloaded_on_a_narrow_screen(site, view):
    view.set_viewport_size(NARROW)
    visit(view, site + "b-cubed.html")
    view.get_by_role("button", name="Download this page").click()
    with view.expect_download() as download:
        view.locator(".btn-download-source-button").click()
    assert download.value.suggested_filename == "b-cubed.ipynb"


def test_paper_has_no_bars_and_folds_stay_closed(site, view):
    visit(view, site + "measures/b3.html")
    code = view.locator("details .highlight").first
    view.emulate_media(media="print")
    assert not code.is_visible()
    assert not view.locator(".bd-sidebar-primary").is_visible()
    assert not view.locator(".bd-header-article").is_visible()
    visit(view, site + "b-cubed.html")
    assert not view.locator("details.hide:not([open]):not(:has(.cell_output))").first.is_visible()
    assert not view.locator("#jb-print-toc").is_visible()


@pytest.mark.parametrize(
    "page", ["b-cubed.html", pytest.param("ledger.html", marks=pytest.mark.proof)]
)
def test_a_dark_page_prints_as_a_light_one(page, site, view):
    visit(view, site + page)
    theme = "document.documentElement.dataset.theme"
    view.evaluate(f"{theme} = 'dark'; addEventListener('beforeprint', () => seen = {theme})")
    assert view.pdf().startswith(b"%PDF")
    assert view.evaluate("seen") == "light"
    # The browser says "afterprint" when it has time to.
    view.wait_for_function(f"{theme} === 'dark'")
