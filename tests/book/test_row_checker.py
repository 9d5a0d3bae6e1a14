"""The row checker in a browser: printed, changed, pasted and unreadable rows."""

from urllib.parse import urlencode

import playground
import pytest
from browsing import Form
from corefbook.pages.row import verdict
from corefbook.papers.published_tables import rows_of
from playwright.sync_api import expect

PRINTED = "MUC 79.5 81.4 80.4\nB³ 69.5 72.2 70.8\nCEAFₑ 67.1 68.2 67.6\naverage 73.0"
PASTED = "fernandes 2012 & 65.83 & 75.91 & 70.51 & 51.55 & 65.19 & 57.58 & 50.82 & 57.28 & 53.86"


@pytest.fixture(scope="module")
def opened(site, browser):
    with Form(browser, f"{site}row-checker.html") as opened:
        yield opened


@pytest.fixture
def page(opened):
    """The page as it begins; Python is started once for all tests."""
    opened.begin_again()
    return opened


def test_it_begins_with_a_printed_row(page):
    expect(page.field("row")).to_have_value(playground.printed_row(rows_of("lee2018")[-1]))
    expect(page.field("row")).to_have_value(PRINTED)
    expect(page.status).to_contain_text("Possible")
    expect(page.place("verdict")).to_contain_text("80.350 to 80.450")


def test_changed_and_missing_cells_are_marked(page):
    page.field("row").fill(PRINTED.replace("70.8", "71.8"))
    expect(page.status).to_contain_text("it is B³ F1")
    expect(page.place("verdict").locator("mark")).to_have_text(["≠ 71.8"])
    expect(page.place("verdict").locator("li")).to_contain_text("B³ F1 would have to be between")
    page.field("row").fill(PRINTED.replace("70.8", "–"))
    expect(page.place("verdict").locator("li")).to_contain_text("printed as 70.8")
    expect(page.status).to_contain_text("Possible")


def test_an_unreadable_line_is_named(page):
    page.field("row").fill(PRINTED.replace("79.5", "high"))
    expect(page.status).to_contain_text("line 1, 'MUC high 81.4 80.4': 2 numbers, expected 3")
    expect(page.place("verdict")).to_be_empty()
    page.field("row").fill("")
    expect(page.status).to_contain_text("at least one printed number")
    page.field("row").fill(PRINTED)
    expect(page.status).to_contain_text("Possible")


def test_a_row_of_a_table_is_pasted(page):
    page.view.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.view.evaluate("text => navigator.clipboard.writeText(text)", f"{PASTED} & 60.65")
    page.field("row").focus()
    page.view.keyboard.press("ControlOrMeta+A")
    page.view.keyboard.press("ControlOrMeta+V")
    rows = page.place("verdict").locator("table").first.locator("tbody tr")
    expect(rows).to_contain_text(["measure 1", "51.5565.1957.58", "measure 3", "60.65"])
    expect(page.status).to_contain_text("Possible")
    expect(page.field("example")).to_have_value("")


def test_three_f1_are_not_recall_and_precision(page):
    page.field("row").fill("80.4 70.8 67.6 73.0")
    rows = page.place("verdict").locator("table").first.locator("tbody tr")
    expect(rows).to_have_text(
        ["measure 1––80.4", "measure 2––70.8", "measure 3––67.6", "average73.0"]
    )
    page.field("row").fill("65.83 75.91 70.51")  # of one measure, or F1 of three: who knows
    expect(page.status).to_contain_text("choose what they are")
    page.field("order").select_option("recall, precision, F1")
    expect(rows).to_have_text(["measure 165.8375.9170.51"])


def test_a_whole_table_is_checked_by_rows(page):
    table = (
        "& MUC P & R & F1 \\\\\nours & 76.2 & 69.3 & 72.6 \\\\\ntheirs & 76.2 & 69.3 & 73.6 \\\\"
    )
    page.field("row").fill(table)
    expect(page.status).to_contain_text("1 of 2 rows has a number that cannot be so")
    expect(page.place("verdict").locator("mark")).to_have_text(["≠ 73.6"])
    expect(page.place("verdict")).to_contain_text("never found")
    page.place("verdict").locator("summary").click()
    expect(page.place("verdict").locator("pre")).to_be_visible()
    expect(page.place("verdict").locator("pre")).to_contain_text(
        "- theirs: MUC F1 73.6 does not fit"
    )
    page.field("row").fill(table.replace("MUC P & R & F1", "a & b & c"))
    expect(page.place("verdict")).to_be_empty()
    page.field("columns").fill("MUC P, MUC R, MUC F1")
    page.field("columns").press("Tab")
    expect(page.status).to_contain_text("1 of 2 rows has a number that cannot be so")


def test_an_example_and_a_link_bring_their_choices(page, site):
    page.field("rule").select_option("cut off")
    page.shows("verdict", verdict(row=PRINTED, rule="cut off"))
    page.field("example").select_option("shared_task_2012/Fernandes et al.")
    row = playground.printed_row(rows_of("shared_task_2012")[0])
    expect(page.field("row")).to_have_value(row)
    expect(page.field("rule")).to_have_value("rounded")
    page.shows("verdict", verdict(row=row))
    state = {"row": "MUC 0.792 0.736 1.2", "rule": "cut off", "whole": "1"}
    page.view.goto(f"{site}row-checker.html#{urlencode(state)}")
    expect(page.field("whole")).to_have_value("1")
    page.shows("verdict", verdict(**state))
    page.field("whole").select_option("100")
    page.shows("verdict", verdict(**state | {"whole": "100"}))
