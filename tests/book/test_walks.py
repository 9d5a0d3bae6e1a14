"""Every page of the book in a browser: one visit, in which all rules for pages are asked.

The rules are in page_rules.py. Each page is a test of its own, which the workers take in turn.
"""

import pytest
from browsing import settled, visit
from page_rules import LOOK, WITHOUT_A_LINE, Walk, by_axe, pale
from stored import some_by_day
from test_book import PAGES


@pytest.fixture(scope="module")
def walker(browser):
    """A tab for all pages, one after another: a new one for each would cost a third more."""
    view = browser.new_page(reduced_motion="reduce")
    yield view
    view.close()


@pytest.mark.by_day
@some_by_day("page", PAGES, ["lea.html"])
def test_a_page_keeps_all_rules(page, site, walker):
    assert Walk(walker, site, page).faults() == {}


# Each rule that looks at more than one number sees what is planted


@pytest.fixture(scope="module")
def clean(site, browser):
    """A page without faults."""
    view = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    visit(view, site + "cite.html")
    assert by_axe(view) == pale(view, "dark") == settled(view, f"({LOOK}).lost()") == []
    yield view
    view.close()


@pytest.fixture
def view(clean):
    """The same page for each test, which plants a fault."""
    yield clean
    clean.evaluate("document.getElementById('planted')?.remove()")


def put_in(view, html: str) -> None:
    planted = f'<div id="planted">{html}</div>'
    view.evaluate(
        "html => document.querySelector('article').insertAdjacentHTML('beforeend', html)", planted
    )


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ('<div role="list"><p role="doc-biblioentry">a</p></div>', "aria-required"),
        ('<img src="_static/logo.svg">', "image-alt"),
    ],
)
def test_planted_html_is_refused_by_axe(planted, fault, view):
    put_in(view, planted)
    assert any(fault in rule for rule in by_axe(view))


@pytest.mark.parametrize(
    ("theme", "style", "is_pale"),
    [
        ("dark", "color: #333", True),
        ("dark", "color: #eee", False),
        ("light", "color: #999", True),
        ("light", "color: #999; font-size: 30px", True),
        ("light", "color: #888; font-size: 30px", False),
        ("light", "color: #000; opacity: 0.3", True),
        ("light", "color: #fff; background: rgba(0, 0, 0, 0.2)", True),
        ("light", "color: #fff; background: rgba(0, 0, 0, 0.9)", False),
    ],
)
def test_planted_pale_text_is_noticed(theme, style, is_pale, view):
    put_in(view, f'<p style="{style}">planted text</p>')
    assert any("planted text" in each for each in pale(view, theme)) == is_pale


def test_a_link_that_has_no_line_is_seen(view):
    assert view.evaluate(WITHOUT_A_LINE) == []
    put_in(view, '<p>Some words and <a href="#" style="text-decoration: none">a link</a>.</p>')
    assert view.evaluate(WITHOUT_A_LINE) == ["a link"]


PLANTED = {
    "cut": '<div style="width: 90px; overflow: hidden"><p style="width: 900px">{}</p></div>',
    "cut beyond the screen": '<p style="margin-left: 2000px">{}</p>',
    "goes on without a sign": (
        '<div style="overflow: auto"><table style="width: 3000px"><tr><td>{}</table></div>'
    ),
    "goes on without a sign, where no table is": (
        '<div style="overflow: auto"><p style="width: 3000px">{}</p></div>'
    ),
    "broken": (
        '<table><tr><td><div style="width: 3em; overflow-wrap: anywhere">counterexample</table>'
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_planted_text_that_is_lost_is_seen(fault, view):
    put_in(view, PLANTED[fault].format("many words " * 9))
    (lost,) = {each.partition(":")[0] for each in view.evaluate(f"({LOOK}).lost()")}
    assert fault.startswith(lost)
