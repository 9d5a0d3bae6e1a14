"""The page of exercises in a browser."""

import pytest
from browsing import Form
from corefbook.pages.practice import drawn_sides, exercise, judge
from page_rules import inaccessible
from playwright.sync_api import expect

ASKED = ("6", "b3", "7")


ADDRESS = "practice.html#size=6&measure=b3&seed=7"


@pytest.fixture(scope="module")
def opened(site, browser):
    with Form(browser, site + ADDRESS) as opened:
        yield opened


@pytest.fixture
def page(opened):
    """The page, opened by an address; Python is started once for all tests."""
    opened.begin_again()
    opened.shows("exercise", exercise(*ASKED))
    return opened


def test_the_address_chooses_the_exercise(page):
    key, response = map(str, drawn_sides(6, "b3", 7))
    expect(page.place("exercise").locator("p > code")).to_have_text([key, response])
    expect(page.place("exercise").locator("svg").first).to_be_visible()
    expect(page.place("exercise").get_by_text("recall 4/9")).to_be_hidden()
    page.view.get_by_text("Show the terms").click()
    expect(page.place("exercise").get_by_text("recall 4/9")).to_be_visible()
    assert inaccessible(page.view) == []
    page.assert_fits()


def test_judged_answers_stay_out_of_the_address(page):
    page.view.get_by_label("Recall").fill("4/9")
    page.view.get_by_label("Precision").fill("0.99")
    page.view.get_by_role("button", name="Check").click()
    expect(page.status).to_have_text(judge(*ASKED, "4/9", "0.99").told)
    expect(page.status).to_have_class("wrong")
    page.view.get_by_label("Precision").fill("0.61")
    expect(page.status).to_have_text("")
    page.view.keyboard.press("Enter")
    expect(page.status).to_have_text("Recall: ✓ right. Precision: ✓ right.")
    expect(page.status).to_have_class("right")
    page.field("measure").select_option("lea")
    page.view.wait_for_function("location.hash === '#measure=lea&size=6&seed=7'")


def test_another_one_is_another_whose_terms_are_folded(page):
    page.view.get_by_label("Recall").fill("4/9")
    expect(page.view.get_by_label("Recall")).to_have_value("4/9")
    page.view.get_by_text("The formula").click()
    page.view.get_by_text("Show the terms").click()
    expect(page.place("exercise").locator("details").last).to_have_attribute("open", "")
    page.view.get_by_role("link", name="Another one").click()
    page.shows("exercise", exercise("6", "b3", "8"))
    expect(page.field("seed")).to_have_value("8")
    expect(page.view.get_by_label("Recall")).to_have_value("")
    expect(page.place("exercise").locator("details").last).not_to_have_attribute("open", "")
    expect(page.place("exercise").locator("#formula")).to_have_attribute("open", "")
    page.field("measure").select_option("lea")
    page.shows("exercise", exercise("6", "lea", "8"))
    page.view.wait_for_function("location.hash.includes('measure=lea')")


def test_an_exercise_opens_in_the_playground(site, browser):
    with Form(browser, site + ADDRESS) as page:
        page.view.get_by_role("link", name="Open in the playground").click()
        page.view.wait_for_url("**/playground.html#*")
        expect(page.field("key")).to_have_value(str(drawn_sides(6, "b3", 7)[0]))
