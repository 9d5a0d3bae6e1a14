"""The page of exercises in a browser, the sheet on paper, and the checklist."""

import re

import pytest
from browsing import NARROW, RunningPage
from companion.pages.practice import exercise, solution
from page_rules import inaccessible
from playwright.sync_api import expect
from test_book import parsed, words

from corefeval import evaluate
from corefeval.conventions import CHOICES, FIRST_CHOICES, OF_FILES
from corefeval.signature import parsed as parsed_signature


@pytest.fixture(scope="module")
def practice(site, browser):
    """The page, opened by an address; the tests below use it one after another."""
    with RunningPage(browser, f"{site}practice.html#size=6&measure=b3&seed=7") as page:
        page.view.locator("#practice-key").wait_for()
        yield page.view


@pytest.mark.by_day
def test_the_address_chooses_the_exercise_and_hides_its_answers(practice):
    found = exercise(6, "b3", 7)
    expect(practice.locator("#practice-key")).to_have_text(found["key"])
    expect(practice.locator("#practice-response")).to_have_text(found["response"])
    assert practice.locator("#practice-drawing svg").count() == 1
    assert not practice.locator("#practice-solution").is_visible()
    assert "4/9" not in practice.inner_text("article")


def test_answers_are_judged_one_by_one(practice):
    practice.get_by_label("Recall").fill("4/9")
    practice.get_by_label("Precision").fill("0.6")
    practice.get_by_role("button", name="Check").click()
    expect(practice.locator("#practice-recall-verdict")).to_have_text("✓ right")
    expect(practice.locator("#practice-precision-verdict")).to_have_text("give two digits at least")
    practice.get_by_label("Precision").fill("0.61")
    practice.keyboard.press("Enter")
    expect(practice.locator("#practice-precision-verdict")).to_have_text("✓ right")


def test_what_was_typed_and_the_formula_are_there_again(practice):
    practice.reload()
    expect(practice.get_by_label("Recall")).to_have_value("4/9")
    practice.locator("#practice-formula-fold summary").click()
    expect(practice.locator("#practice-formula")).to_be_visible()
    expect(practice.locator("#practice-formula")).to_contain_text("over")


def test_the_terms_are_shown_when_asked_for(practice):
    practice.get_by_role("button", name="Show the terms").click()
    expect(practice.locator("#practice-solution")).to_contain_text(solution(6, "b3", 7)["score"])
    assert practice.locator("#practice-solution table").count() > 1
    assert inaccessible(practice) == []


def test_another_one_is_another_and_stands_in_the_address(practice):
    practice.get_by_role("button", name="Another one").click()
    practice.wait_for_function("!location.hash.endsWith('seed=7')")
    expect(practice.locator("#practice-solution")).to_be_hidden()
    assert re.search(r"#size=6&measure=b3&seed=\d+$", practice.evaluate("location.hash"))
    practice.evaluate("location.hash = 'size=6&measure=b3&seed=7'")
    expect(practice.locator("#practice-key")).to_have_text(exercise(6, "b3", 7)["key"])
    practice.set_viewport_size(NARROW)
    assert practice.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    drawing = practice.locator("#practice-drawing")
    assert drawing.evaluate("each => each.scrollWidth <= each.clientWidth")


# The sheet


def test_the_sheet_fits_one_page_of_paper(site, tab):
    view = tab(f"{site}one-page.html")
    view.wait_for_load_state("networkidle")
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", view.pdf(format="A4", prefer_css_page_size=True))
    assert len(pages) == 1


def test_each_card_of_the_sheet_has_definition_picture_and_range():
    (sheet,) = parsed("one-page.html").xpath("//*[contains(@class, 'sheet')]")
    *measures, conll = sheet.xpath(".//*[contains(@class, 'sd-card-body')]")
    assert len(measures) == 6
    for card in measures:
        said = words(card)
        assert card.xpath(".//figure//img/@alt") and "range [" in said
        assert all(f"{role}:" in said for role in ("Counts", "Misses", "Use"))
    assert "Use:" in words(conll)


# The checklist


def test_a_shared_task_can_adopt_the_section_with_its_signature():
    (block,) = parsed("checklist.html").xpath("//article//pre")
    text = block.text_content()
    signature = " ".join(text.partition("it reads:")[2].split())
    real = evaluate({"d": "{a b}"}, {"d": "{a b}"}).signature
    adopted = parsed_signature(f"{real.split()[0]} {signature}")
    assert adopted.items() <= parsed_signature(real).items()
    decided = [f"- {name}: {FIRST_CHOICES[name]} (" for name in (*CHOICES, *OF_FILES)]
    assert re.findall(r"- \w+: \w+ \(", text) == decided
    assert max(map(len, text.splitlines())) <= 72
