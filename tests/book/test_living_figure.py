"""The moving figure, opened as a file: by mouse, by keys, by touch, without scripts."""

import re

import pytest
from browsing import NARROW, Page, too_wide
from corefbook.pages import living
from playwright.sync_api import expect
from stored import BOOK
from test_book import HTML, parsed
from test_chapters import notebook_text, numbers

TABLE = living.figure_data()["responses"]
VIEWS = {
    "index": ("muc", "Links."),
    "muc": ("muc", "Links."),
    "b-cubed": ("b3", "Credits."),
    "ceaf": ("ceafm", "Alignment."),
    "blanc": ("blanc", "Pairs."),
    "lea": ("lea", "Links."),
}
"""On each page that has the figure: the measure it begins with, and its picture's first word."""
WORDS = dict(VIEWS.values()) | {"ceafe": "Alignment.", "conll": "F1."}


def address(name: str) -> str:
    return (HTML / f"{name}.html").as_uri()


def expect_f1s(page, of: list[str]) -> None:
    """Wait until the table has these."""
    expect(page.locator(".living td.f1")).to_have_text(of)


def expect_picture(page, word: str) -> None:
    """Wait until the picture begins with this word, and has more."""
    picture = page.locator(".living .view svg")
    expect(picture).to_be_visible()
    expect(picture).to_have_attribute("aria-label", re.compile(rf"^{word}.{{40}}"))


def f1s(response: str, page: str = "index") -> list[str]:
    """The F1 of a response by the measures that a page's reader has met."""
    measure = "" if page == "index" else VIEWS[page][0]
    return [TABLE[response]["scores"][name]["f1"] for name in living.met(measure)]


def test_a_chapter_shows_the_measures_met_so_far():
    met = {name: len(f1s("0100", name)) for name in VIEWS}
    assert met == {"index": 7, "muc": 1, "b-cubed": 2, "ceaf": 4, "blanc": 5, "lea": 6}


def test_no_other_page_has_it():
    pages = {path.stem: path.read_text("utf-8") for path in HTML.glob("*.html")}
    assert {name for name, page in pages.items() if '<div class="living"' in page} == {*VIEWS}


@pytest.mark.parametrize("name", VIEWS)
def test_a_walk_by_keys_and_by_mouse(name, browser):
    """It begins as the still drawing, in its chapter's view, and goes through all places."""
    measure, word = VIEWS[name]
    with Page(browser, address(name), reduced_motion="reduce") as opened:
        view = opened.view
        his = view.locator(".living [data-mention='2']")
        expect_f1s(view, f1s("0100", name))
        for still in view.locator(".living figure").all():
            expect(still).to_be_hidden()
        chosen = view.locator(".living [aria-pressed=true]")
        expect(chosen).to_have_attribute("data-name", measure)
        expect_picture(view, word)
        expect(view.locator(".living .says")).to_contain_text(living.SAYS[measure])
        if name != "index":
            seen = numbers(view.locator(".living").inner_text())
            stored = notebook_text(BOOK / f"{name}.ipynb") + living.picture(measure).description
            assert {*f1s("0100", name)} < seen <= numbers(stored)

        for place in ("0110", "0120", "01-0", "0100"):
            his.press("ArrowRight")
            expect_f1s(view, f1s(place, name))
            expect(his).to_be_focused()
        his.press("ArrowLeft")
        expect_f1s(view, f1s("01-0", name))
        expect(view.locator(".living [aria-live]")).to_contain_text("his is left out. ")
        view.get_by_role("button", name="Start again").click()
        expect_f1s(view, f1s("0100", name))
        his.drag_to(view.locator(".living [data-entity='1']"))
        expect_f1s(view, f1s("0110", name))
        assert {*f1s("0110", name)} == {"1.0000"}
        view.get_by_role("button", name="Start again").click()
        expect_f1s(view, f1s("0100", name))


@pytest.mark.parametrize("name", VIEWS)
def test_a_finger_drags_a_mention_on_a_phone(name, tab):
    view = tab(address(name), viewport=NARROW, has_touch=True, reduced_motion="reduce")
    view.locator(".living .entities").scroll_into_view_if_needed()
    his, doctors = (
        view.locator(f".living {part}").bounding_box()
        for part in ("[data-mention='2']", "[data-entity='1']")
    )
    finger = view.context.new_cdp_session(view)
    start = {"x": his["x"] + 10, "y": his["y"] + 10}
    end = {"x": doctors["x"] + 20, "y": doctors["y"] + 40}
    for kind, points in (("Start", [start]), ("Move", [end]), ("End", [])):
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    expect_f1s(view, f1s("0110", name))
    assert too_wide(view) == []


def test_a_phone_moves_mentions_by_two_taps(tab):
    view = tab(address("index"), viewport=NARROW, has_touch=True)
    his = view.locator(".living [data-mention='2']")
    his.tap()
    expect(his).to_have_attribute("aria-pressed", "true")
    his.press("Escape")
    expect(his).to_have_attribute("aria-pressed", "false")
    expect_f1s(view, f1s("0100"))
    his.tap()
    expect(his).to_have_attribute("aria-pressed", "true")
    view.locator(".living [data-entity='1'] .title").tap()
    expect_f1s(view, f1s("0110"))
    for button in view.locator(".living tbody button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24


def test_a_tapped_mention_stands_for_its_entity(tab):
    view = tab(address("index"), viewport=NARROW, has_touch=True)
    his, boy, doctor = (view.locator(f".living [data-mention='{n}']") for n in (2, 3, 1))
    his.tap()
    expect(view.locator(".living .entity.target")).to_have_count(3)
    boy.tap()  # in the same entity: it is chosen instead
    expect(boy).to_have_attribute("aria-pressed", "true")
    his.tap()
    doctor.tap()
    expect_f1s(view, f1s("0110"))
    expect(view.locator(".living .entity.target")).to_have_count(0)


def test_the_first_page_asks_for_a_guess(tab):
    view = tab(address("index"))
    bet = view.locator(".living .bet")
    assert len(bet.get_by_role("button").all()) == len(living.MEASURES)
    bet.get_by_role("button", name="B³").click()
    expect_f1s(view, f1s("0000"))
    before, after = (map(float, f1s(response)) for response in ("0100", "0000"))
    both = zip(living.MEASURES.values(), before, after, strict=True)
    falls = {measure: first - then for measure, first, then in both}
    expect(bet).to_contain_text(
        f"Not B³: {max(falls, key=falls.get)} falls most, from 0.73 to 0.44."
    )
    expect(bet).to_contain_text(f"{min(falls, key=falls.get)} even rises, from 0.50 to 0.80.")
    expect(bet).to_be_focused()


def test_a_chapter_and_a_first_move_ask_nothing(tab):
    assert not tab(address("muc")).locator(".living .bet").count()
    view = tab(address("index"))
    view.locator(".living [data-mention='2']").press("ArrowRight")
    expect(view.locator(".living .bet")).to_have_count(0)


@pytest.mark.by_day
def test_each_measure_has_its_picture_with_words(tab):
    view = tab(address("index"))
    # The first that is chosen stands there already: it comes last, too.
    for measure in [*living.MEASURES, *living.MEASURES][1:]:
        view.locator(f".living button[data-name={measure}]").click()
        chosen = view.locator(".living [aria-pressed=true]")
        expect(chosen).to_have_attribute("data-name", measure)
        expect(view.locator(".living .says")).to_contain_text(living.SAYS[measure])
        expect_picture(view, WORDS[measure])


@pytest.mark.parametrize("name", VIEWS)
def test_without_scripts_the_drawing_and_its_table_stand(name, tab):
    view = tab(address(name), java_script_enabled=False)
    for still in view.locator(".living figure").all():
        expect(still).to_be_visible()
        assert still.locator("figcaption").inner_text()
    table = view.locator(".living table").inner_text()
    for f1 in f1s("0100", name):
        assert f1 in table


@pytest.mark.parametrize("name", [name for name in VIEWS if name != "index"])
def test_the_chapters_picture_stands_below_the_sentence(name):
    _, picture = parsed(f"{name}.html").xpath("//*[@class='living']/figure")
    assert picture.xpath("string(figcaption)").startswith(living.SAYS[VIEWS[name][0]])
    assert len(picture.xpath("string(.//img/@alt)")) > 40
