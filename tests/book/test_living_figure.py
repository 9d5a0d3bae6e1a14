"""The moving figure on the first page, opened as a file: by mouse, by keys, without scripts."""

import pytest
import test_book
from companion.pages import living
from playwright.sync_api import expect
from test_book import HTML

browser = test_book.browser  # a fixture
TABLE = living.table()["responses"]
FIRST_PAGE = (HTML / "index.html").as_uri()


@pytest.fixture
def page(browser):
    tab = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(FIRST_PAGE)
    yield tab
    tab.close()
    assert faults == []


def shown(page) -> list[str]:
    return page.locator(".living td.f1").all_text_contents()


def f1s(name: str) -> list[str]:
    return [scores["f1"] for scores in TABLE[name]["scores"].values()]


def test_it_begins_with_the_response_of_the_still_drawing(page):
    assert shown(page) == f1s("0100")
    expect(page.locator(".living figure")).to_be_hidden()


def test_arrow_keys_move_a_mention_through_all_places_and_back(page):
    for name in ("0110", "0120", "01-0", "0100"):
        page.locator(".living [data-mention='2']").press("ArrowRight")
        assert shown(page) == f1s(name)
        expect(page.locator(".living [data-mention='2']")).to_be_focused()
    page.locator(".living [data-mention='2']").press("ArrowLeft")
    assert shown(page) == f1s("01-0")
    expect(page.locator(".living [aria-live]")).to_contain_text("his is left out. MUC F1")


def test_a_mention_is_dragged_and_the_start_comes_back(page):
    his = page.locator(".living [data-mention='2']")
    his.drag_to(page.locator(".living [data-entity='1']"))
    assert shown(page) == f1s("0110")
    assert set(shown(page)) == {"1.0000"}
    page.get_by_role("button", name="Start again").click()
    assert shown(page) == f1s("0100")


@pytest.mark.parametrize("measure", list(living.MEASURES)[:-1])
def test_each_measure_has_its_picture_with_words(page, measure):
    page.locator(f".living button[data-name={measure}]").click()
    picture = page.locator(".living .view svg")
    expect(picture).to_be_visible()
    assert len(picture.get_attribute("aria-label")) > 40


def test_without_scripts_the_drawing_and_its_table_stand(browser):
    tab = browser.new_page(java_script_enabled=False)
    tab.goto(FIRST_PAGE)
    expect(tab.locator(".living figure")).to_be_visible()
    table = tab.locator(".living table").inner_text()
    for f1 in f1s("0100"):
        assert f1.rstrip("0") in table
    tab.close()
