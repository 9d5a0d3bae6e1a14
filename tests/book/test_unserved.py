"""Pages that run code, where they cannot: opened as files and without scripts they say why."""

import pytest
from browsing import RunningPage, need
from playwright.sync_api import expect
from test_book import HTML


@pytest.mark.parametrize(
    ("name", "place", "text"),
    [
        ("muc", "#run-chapter", "make serve"),
        ("playground", "form [role=status]", "make serve"),
        ("practice", "form [role=status]", "make serve"),
        ("row-checker", "form [role=status]", "make serve"),
        ("score-files", "form [role=status]", "corefeval score"),
    ],
)
def test_a_page_opened_as_a_file_explains_itself(name, place, text, browser):
    with RunningPage(browser, (HTML / f"{name}.html").as_uri()) as page:
        for said in ("make serve", text):
            expect(page.view.locator(place)).to_contain_text(said)
        expect(page.view.locator(f"{place} button:visible")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "place", "text"),
    [
        ("muc", "#run-chapter", "With JavaScript"),
        ("row-checker", "form noscript", "needs JavaScript"),
    ],
)
def test_without_scripts_a_page_says_so(name, place, text, site, tab):
    need()
    view = tab(f"{site}{name}.html", java_script_enabled=False)
    expect(view.locator(place)).to_contain_text(text, use_inner_text=True)
    expect(view.locator(f"{place} button:visible")).to_have_count(0)
