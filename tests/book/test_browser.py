"""What a browser says of the built book: on narrow and wide screens, by day, at night, on paper."""

import re
from unicodedata import normalize

import pytest
from browsing import NARROW, settled, visit
from corefbook import ledger
from playwright.sync_api import expect
from test_book import parsed


@pytest.fixture
def view(tab):
    return tab(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")


# Tables, figures and formulas


def test_a_small_table_has_a_wider_caption(site, view):
    for width, lines in ((1280, 1), (360, 2)):
        view.set_viewport_size({"width": width, "height": 740})
        visit(view, site + "coreference.html")
        caption = view.locator("caption", has_text="The overlap table")
        height = caption.evaluate("each => parseFloat(getComputedStyle(each).lineHeight)")
        assert caption.bounding_box()["height"] < (lines + 0.6) * height
        table = view.locator("table", has=caption)
        assert table.bounding_box()["width"] < 250
        assert table.evaluate("each => each.parentElement.scrollWidth") <= width


def test_formulas_are_stacked_on_a_phone(site, view):
    for width, rows in ((1280, 1), (360, 2)):
        view.set_viewport_size({"width": width, "height": 740})
        visit(view, site + "b-cubed.html")
        fractions = view.locator("div.math").first.locator("mjx-math > mjx-mfrac")
        tops = {round(each.bounding_box()["y"]) for each in fractions.all()}
        assert fractions.count() == 2 and len(tops) == rows


def test_f1_is_in_sight_on_a_phone(site, view):
    view.set_viewport_size(NARROW)
    visit(view, site + "b-cubed.html")
    heads = view.locator("thead tr:visible", has_text="recall").get_by_text("F1", exact=True)
    boxes = [each.bounding_box() for each in heads.all()]
    assert boxes
    assert max(box["x"] + box["width"] for box in boxes) <= NARROW["width"]


def test_an_opened_fold_keeps_its_name(site, view):
    visit(view, site + "muc.html")
    fold = view.locator("details.hide:has(.cell_output)").last
    table, code = fold.locator("table").last, fold.locator(".cell_input")
    name = fold.locator("summary").inner_text()
    assert name.startswith("Evidence")
    expect(code).to_be_hidden()
    fold.evaluate("each => { each.open = true; }")
    expect(code).to_be_visible()
    expect(fold.locator("summary")).to_have_text(name, use_inner_text=True)
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
        visit(view, site + page)
        assert view.locator("code .pre", has_text="--").count() > 5
        assert view.evaluate(BROKEN) == []


# The ledger's search and filter


def figures(view):
    """The rows of the ledger that are shown."""
    return view.locator("#figures tr:visible:has(td)")


def announced(view):
    """What the page says of them."""
    return view.locator("#ledger-tools output")


def having(*asked: str) -> list:
    """The ledger's rows that have these words, in themselves or in the head of their paper."""
    rows_having = []
    for body in parsed("ledger.html").xpath("//table[@id='figures']/tbody"):
        head, *rows = body
        for row in rows:
            text = f"{row.text_content()} {row.get('id')} {head.text_content()}"
            if all(word in normalize("NFKC", text).lower() for word in asked):
                rows_having.append(row)
    return rows_having


@pytest.mark.by_day
def test_the_ledger_is_searched_with_the_keyboard(site, view):
    view.goto(site + "ledger.html")
    every = len(having())
    whole = f"{every} of {every} figures, the first 50 shown"
    expect(figures(view)).to_have_count(50)
    expect(announced(view)).to_have_text(whole)

    view.locator("#ledger-tools input").focus()
    view.keyboard.type("b³ PRECISION")
    rows = having("b3", "precision")
    assert 50 < len(rows) < every
    expect(announced(view)).to_have_text(f"{len(rows)} of {every} figures, the first 50 shown")
    view.wait_for_function("location.search.includes('text=b')")

    view.keyboard.press("Tab")
    view.keyboard.type("Pradhan")
    expect(view.locator("#ledger-tools select").first).to_have_value("pradhan2014")
    view.keyboard.press("Tab")
    view.keyboard.type("refuted")
    verdict = "string(.//*[contains(@class, 'verdict')])"
    papers = [row for row in rows if row.getparent().get("data-paper") == "pradhan2014"]
    left = [row for row in papers if row.xpath(verdict) == "refuted"]
    assert any("7/12" in row.text_content() for row in left)
    expect(announced(view)).to_have_text(f"{len(left)} of {every} figures")
    expect(figures(view)).to_have_text([re.compile("B³.*refuted")] * len(left))

    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    expect(announced(view)).to_have_text(whole)
    expect(figures(view)).to_have_count(50)


def test_the_figures_begin_with_search_and_faults(site, view):
    view.goto(site + "ledger.html#all-figures")
    expect(view.locator("#ledger-tools")).to_be_in_viewport()
    expect(figures(view)).to_have_count(50)
    wrong = [row.verdict for row in ledger.rows() if row.verdict in ("refuted", "misprint")]
    assert 10 < len(wrong) < 50
    seen = view.locator("#figures tr:visible b.verdict").all_text_contents()
    assert sorted(seen[: len(wrong)]) == sorted(wrong)


def test_the_button_shows_more_of_the_ledger(site, view):
    view.goto(site + "ledger.html?paper=vilain1995")
    every = sum(row.paper == "vilain1995" for row in ledger.rows())
    assert 50 < every < 100
    expect(figures(view)).to_have_count(50)
    view.get_by_role("button", name=f"Show {every - 50} more").click()
    expect(figures(view)).to_have_count(every)
    expect(announced(view)).to_have_text(f"{every} of {len(ledger.rows())} figures")
    expect(view.locator("#ledger-more")).to_be_hidden()


def test_the_ledger_is_short_on_a_phone(site, tab):
    view = tab(site + "ledger.html", viewport=NARROW)
    most = 32 * NARROW["height"]
    high = f"[document.documentElement.scrollHeight].filter(each => each >= {most})"
    assert settled(view, high) == []


@pytest.mark.parametrize(
    ("paper", "verdict"), [("popescubelis", "misprint"), ("pradhan2014", "differs")]
)
def test_a_verdict_or_a_group_has_a_link(paper, verdict, site, view):
    view.goto(site + f"ledger.html?paper={paper}&verdict={verdict}#all-figures")
    expect(view.locator("#ledger-tools")).to_be_in_viewport()
    expect(view.locator("#ledger-tools select").first).to_have_value(paper)
    rows = [row for row in ledger.rows() if row.paper == paper]
    wanted = sum(verdict in (row.verdict, row.group) for row in rows)
    assert wanted > 0
    expect(figures(view)).to_have_count(wanted)


@pytest.mark.parametrize("asked", ["", "?paper=luo2005"])
def test_the_address_of_a_row_shows_it(asked, site, view):
    last = ledger.rows()[-1]
    for row in (next(row for row in ledger.rows() if row.verdict == "misprint"), last):
        view.goto(site + f"ledger.html{asked}#{row.id}")
        expect(view.locator(f"tr[id='{row.id}']")).to_be_in_viewport()
        shown = "document.querySelectorAll('#figures tr[id]:not([hidden])').length"
        assert settled(view, f"{shown} > 51", False) is False


def test_the_place_of_a_figure_opens_its_fold(site, view):
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
    announcement = re.compile(f"^{len(having('b3', 'precision'))} of {len(having())} figures")
    for written in ("b³", "b3"):
        view.goto(f"{site}ledger.html?text={written} precision")
        expect(announced(view)).to_have_text(announcement)


def test_without_scripts_the_whole_ledger_is_there(site, tab):
    view = tab(site + "ledger.html", java_script_enabled=False)
    every = parsed("ledger.html").xpath("//table[@id='figures']//tr[td]")
    expect(figures(view)).to_have_count(len(every))
    expect(view.locator("#ledger-tools")).to_be_hidden()


# Download, paper


def test_a_chapter_is_downloaded_on_a_narrow_screen(site, view):
    view.set_viewport_size(NARROW)
    visit(view, site + "b-cubed.html")
    view.get_by_role("button", name="Download this page").click()
    with view.expect_download() as download:
        view.locator(".btn-download-source-button").click()
    assert download.value.suggested_filename == "b-cubed.ipynb"


def test_paper_has_no_bars_and_folds_stay_closed(site, view):
    visit(view, site + "muc.html")
    bars = [view.locator(bar) for bar in (".bd-sidebar-primary", ".bd-header-article")]
    for bar in bars:
        expect(bar).to_be_visible()
    view.emulate_media(media="print")
    for bar in bars:
        expect(bar).to_be_hidden()
    expect(view.locator("details .highlight").first).to_be_hidden()

    view.emulate_media(media="screen")
    fold = view.locator("details.hide:not([open]):not(:has(.cell_output))").first
    expect(fold).to_be_visible()
    view.emulate_media(media="print")
    expect(fold).to_be_hidden()
    expect(view.locator("#jb-print-toc")).to_be_hidden()


@pytest.mark.parametrize(
    "page", ["b-cubed.html", pytest.param("ledger.html", marks=pytest.mark.proof)]
)
def test_a_dark_page_prints_as_a_light_one(page, site, view):
    visit(view, site + page)
    theme = "document.documentElement.dataset.theme"
    watch = f"seen = ''; addEventListener('beforeprint', () => seen = {theme})"
    view.evaluate(f"{theme} = 'dark'; {watch}")
    assert view.pdf().startswith(b"%PDF")
    assert settled(view, "seen", "light") == "light"
    # The browser says "afterprint" when it has time to.
    view.wait_for_function(f"{theme} === 'dark'")


@pytest.mark.parametrize(
    "address", ["measures.html#measure-b3", "scorers.html#input-pradhan", "recipes.html#brat"]
)
def test_a_link_to_a_section_opens_folds(address, site, view):
    view.goto(site + address)
    expect(view.locator("details.entry[open]")).to_have_count(1)
    opened = view.locator("section:has(> details.entry[open])")
    expect(opened.locator("pre, table").last).to_be_visible()
    expect(opened.locator("h2, h3").first).to_be_in_viewport()


def test_a_link_to_a_method_opens_its_class(site, view):
    view.goto(site + "api.html#corefeval.Report.total")
    expect(view.locator("[id='corefeval.Report.total']")).to_be_in_viewport()
