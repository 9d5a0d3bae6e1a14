"""The page that takes two files, in a browser: their scores, errors, and other scorers."""

import re

import playground
import pytest
from browsing import Form
from corefbook.ledger import DATA
from corefbook.pages import two_files
from page_rules import inaccessible
from playwright.sync_api import expect

FILES = DATA / "examples" / "parts"
KEY, RESPONSE = (FILES / name for name in playground.SAMPLES)
OTHER = FILES / "b.conll"
WINNER = "would-another-scorer-name-another-winner"
WHICH = "which-scorer-printed-this-number"


class Files(Form):
    """The page, and how files get there."""

    def choose(self, key=None, response=None) -> None:
        for side, path in (("key", key), ("response", response)):
            if path:
                self.field(side).set_input_files(path)

    def drop(self, *paths) -> None:
        self.view.evaluate(
            """files => {
                const data = new DataTransfer();
                for (const [name, text] of files) data.items.add(new File([text], name));
                document.body.dispatchEvent(new DragEvent('drop',
                    {dataTransfer: data, bubbles: true, cancelable: true}));
            }""",
            [[path.name, path.read_text("utf-8")] for path in paths],
        )

    def fold(self, name: str):
        return self.view.locator("details", has=self.place(name)).locator("summary")


def given(key, response, **more: str) -> dict:
    return {
        "key": key.read_bytes(),
        "response": response.read_bytes(),
        "key_name": key.name,
        "response_name": response.name,
        **more,
    }


@pytest.fixture(scope="module")
def opened(site, browser):
    with Files(browser, f"{site}score-files.html") as opened:
        yield opened


@pytest.fixture
def page(opened):
    """The page as it begins; Python is started once for all tests."""
    opened.begin_again()
    return opened


def test_an_example_stands_there_scored_with_its_command(page):
    expect(page.status).to_have_text("Scored 14 documents.")
    command = "$ corefeval score key.conll a.conll"
    expect(page.place("file_scores").locator("pre")).to_have_text(command)
    expect(page.place("file_scores")).to_contain_text("The CoNLL score is 83.94")
    assert inaccessible(page.view) == []


def test_two_files_dropped_in_any_order_are_scored(page):
    page.drop(OTHER, KEY)
    page.shows("file_scores", two_files.file_scores(**given(KEY, OTHER)))
    command = "$ corefeval score key.conll b.conll"
    expect(page.place("file_scores").locator("pre")).to_have_text(command)
    page.drop(KEY, RESPONSE, OTHER)
    expect(page.status).to_contain_text("Drop two files")
    expect(page.place("file_scores")).to_be_hidden()
    page.drop(KEY, RESPONSE)
    page.shows("file_scores", two_files.file_scores(**given(KEY, RESPONSE)))


def test_one_file_waits_for_the_other(page):
    page.choose(response=OTHER)
    expect(page.status).to_have_text("Now the other file.")
    expect(page.place("file_scores")).to_be_hidden()
    page.choose(key=KEY)
    page.shows("file_scores", two_files.file_scores(**given(KEY, OTHER)))


def test_options_are_those_of_the_command(page):
    page.view.get_by_text("Options of the command").press("Enter")
    page.field("singletons").select_option("drop")
    answer = two_files.file_scores(**given(KEY, RESPONSE, singletons="drop"))
    page.shows("file_scores", answer)
    expect(page.place("file_scores").locator("pre")).to_contain_text("--singletons drop")
    resamples = page.view.get_by_label("--resamples, in a terminal alone")
    expect(resamples).to_be_disabled()
    expect(
        page.view.get_by_text("score KEY RESPONSE --resamples 10000", exact=False)
    ).to_have_count(2)


def test_an_unreadable_file_is_named_with_its_line(page, tmp_path):
    path = tmp_path / "mine.conll"
    path.write_text("#begin document (d); part 000\nAnn\t(0\n#end document\n", "utf-8")
    page.choose(KEY, path)
    expect(page.status).to_contain_text("mine.conll, line 2: document 'd; part 000'")
    # The other file may belong to another pair.
    expect(page.place("file_scores")).to_have_text("$ corefeval score key.conll mine.conll")
    for side, name in (("key", "key.csv"), ("response", "response.csv")):
        table = tmp_path / name
        table.write_text("document,mention,entity\na,1,x\na,2,x\n", "utf-8")
        page.choose(**{side: table})
    expect(page.status).to_contain_text("corefeval score key.csv response.csv --columns")


def test_what_costs_most_opens_by_key(page):
    page.fold("costliest").press("Enter")
    page.shows("costliest", two_files.costliest(**given(KEY, RESPONSE, measure="b3")))
    page.field("measure").select_option("lea")
    page.shows("costliest", two_files.costliest(**given(KEY, RESPONSE, measure="lea")))
    expect(page.place("file_scores")).to_be_visible()
    page.assert_fits()


def test_the_errors_lead_to_their_entities(page):
    page.view.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.fold("errors").press("Enter")
    frame = page.view.locator("iframe[title='Errors in the text']")
    expect(frame).to_have_attribute("sandbox", "", timeout=90_000)  # no script runs
    inside = page.view.frame_locator("iframe[title='Errors in the text']")
    inside.locator("a.error").first.click()
    expect(inside.locator("tr:target")).to_be_in_viewport()
    expect(inside.locator("body")).to_have_css("color-scheme", "dark")
    expect(page.view.get_by_text("Save this as a page")).to_have_attribute(
        "download", "errors.html"
    )


def test_a_printed_numbers_scorer_and_rule_are_named(page, site):
    page.view.goto(f"{site}score-files.html#{WHICH}")
    number = page.field("printed")
    expect(number).to_be_in_viewport()
    page.shows("others", two_files.others(**given(KEY, RESPONSE)))
    number.fill("59.59")
    # What others print for these files is as before; it is no answer to the number.
    expect(page.place("others")).to_be_visible()
    expect(page.place("hits")).to_be_hidden()
    number.press("Enter")
    row = page.place("hits").locator("tr", has_text="CoNLL score F1 59.59")
    expect(row).to_contain_text("229 singletons")
    expect(row).to_contain_text("83.94")
    page.shows("hits", two_files.hits(**given(KEY, RESPONSE, printed="59.59")))
    number.fill("12.34")
    number.press("Enter")
    expect(page.place("hits").locator("a[href='row-checker.html']")).to_be_visible()


def test_a_second_response_is_compared_by_every_rule(page, site):
    """The browser has no NumPy, and so no p; it says so."""
    page.view.goto(f"{site}score-files.html#{WINNER}")
    winners = page.place("winners")
    expect(winners).to_contain_text("under all seven rules.", timeout=90_000)
    expect(winners.locator("pre")).to_have_text(
        "$ corefeval compare key.conll a.conll b.conll --every-scorer"
    )
    expect(winners).to_contain_text("no p: the swaps take numpy")
    page.choose(KEY, OTHER)
    expect(winners).to_contain_text("Choose a second response", timeout=90_000)
    page.field("second").set_input_files(RESPONSE)
    expect(winners.locator("pre")).to_contain_text("compare key.conll b.conll a.conll")
    expect(winners).to_contain_text("a is ahead of b by 18.26 to 35.46 CoNLL points")
    page.assert_fits()


def test_other_files_forget_earlier_questions(page):
    page.fold("others").press("Enter")
    page.field("printed").fill("59.59")
    page.field("printed").press("Enter")
    expect(page.place("hits")).to_contain_text("Who prints this number.", timeout=90_000)
    page.choose(KEY, OTHER)
    expect(page.field("printed")).to_have_value("")
    expect(page.place("hits")).to_have_text("")
    page.shows("others", two_files.others(**given(KEY, OTHER)))


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_what_is_typed_never_lies_over_the_folds(page, width):
    page.view.set_viewport_size({"width": width, "height": 800})
    page.fold("costliest").press("Enter")
    page.shows("costliest", two_files.costliest(**given(KEY, RESPONSE, measure="b3")))
    page.view.get_by_text("Options of the command").press("Enter")
    overlaps = """() => {
        const box = selector => document.querySelector(selector).getBoundingClientRect();
        scrollBy(0, box('.tool-below').top - 300);
        return box('.tool-input').bottom > box('.tool-below').top + 1;
    }"""
    assert page.view.evaluate(overlaps) is False


def test_a_fold_says_that_it_computes(site, browser):
    with Files(browser, f"{site}score-files.html") as page:
        fold = page.view.locator("details", has=page.place("others"))
        expect(fold.locator(".waits")).to_be_hidden()
        page.fold("others").press("Enter")
        expect(fold.locator(".waits")).to_contain_text(re.compile("Loading Python|Computing"))
        page.shows("others", two_files.others(**given(KEY, RESPONSE)))
        expect(fold.locator(".waits")).to_be_hidden()
