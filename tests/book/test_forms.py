"""What each form that asks Python holds, in a browser."""

import re
from importlib import import_module
from typing import NamedTuple, get_args

import playground
import pytest
from browsing import Form, Still
from corefbook.pages import answers
from page_rules import inaccessible
from playwright.sync_api import expect
from stored import some_by_day


class Case(NamedTuple):
    """A field of a form, what is typed into it, and which function's answer then changes."""

    module: str
    field: str
    typed: str
    answer: str


CASES = {
    "playground": Case("playground", "key", "{a b c d}", "every_score"),
    "practice": Case("practice", "seed", "41", "exercise"),
    "row-checker": Case("row", "row", "MUC 79.2 73.6 77.3", "verdict"),
    "score-files": Case("two_files", "metric", "muc,b3", "file_scores"),
}
every_form = pytest.mark.parametrize("name", CASES)
MARKUP = "<img/src=x/onerror=document.title='taken'><script>document.title='taken'</script>"


def python(name: str, values: dict[str, str]):
    """What Python answers here."""
    case = CASES[name]
    files = playground.sample() if name == "score-files" else {}
    return getattr(import_module(f"corefbook.pages.{case.module}"), case.answer)(**values, **files)


@every_form
def test_an_example_is_answered_before_python_is_there(name, site, browser):
    with Still(browser, f"{site}{name}.html") as page:
        page.shows(CASES[name].answer, python(name, page.values()))


@pytest.mark.by_day
@some_by_day("name", CASES, ["playground"])
def test_a_form_is_used_by_keyboard(name, site, browser):
    case = CASES[name]
    with Form(browser, f"{site}{name}.html") as page:
        expect(page.view.locator(".tool-input .waits")).to_contain_text("Loading Python")
        for fold in page.view.locator(".tool-input summary").all():
            fold.press("Enter")
        page.field(case.field).focus()
        page.view.keyboard.press("ControlOrMeta+A")
        page.view.keyboard.type(case.typed)
        page.view.keyboard.press("Tab")
        answer = python(name, page.values() | {case.field: case.typed})
        page.shows(case.answer, answer)
        assert answer.told
        expect(page.status).to_have_class(answer.state)
        expect(page.view.locator(".tool-input .waits")).to_be_hidden()
        expect(page.view.locator("form [role=group]").first).to_have_attribute("tabindex", "0")


COLOUR = """state => {
    const status = document.querySelector('form [role=status]');
    status.className = state;
    return getComputedStyle(status).borderLeftColor;
}"""


def test_right_wrong_and_values_differ_in_colour(site, browser):
    with Still(browser, f"{site}practice.html") as page:
        said, right, wrong, refused = [
            page.view.evaluate(COLOUR, state) for state in get_args(answers.State)
        ]
        assert len({said, right, wrong}) == 3 and wrong == refused


@every_form
def test_an_old_answer_leaves_with_its_question(name, site, browser):
    case = CASES[name]
    with Still(browser, f"{site}{name}.html") as page:
        seen = page.view.evaluate(
            """([field, answer, typed]) => {
                const place = document.querySelector(`[data-answer=${answer}]`);
                const seen = [getComputedStyle(place).visibility];
                const input = document.querySelector(`form [name=${field}]`);
                input.value = typed;
                input.dispatchEvent(new Event('input', {bubbles: true}));
                const said = document.querySelector('form [role=status]').textContent;
                return [...seen, getComputedStyle(place).visibility, said];
            }""",
            [case.field, case.answer, case.typed],
        )
        assert seen == ["visible", "hidden", ""]


@every_form
def test_a_link_carries_a_question_as_text(name, site, browser):
    """Both in one visit, since Python takes three seconds to start."""
    case = CASES[name]
    with Still(browser, f"{site}{name}.html") as page:
        for fold in page.view.locator(".tool-input summary").all():
            fold.press("Enter")
        page.field(case.field).fill(case.typed)
        page.keeps(**{case.field: case.typed})
        values, address = page.values(), page.address()
    with Form(browser, address) as other:
        other.has(values)
        other.shows(case.answer, python(name, values))
        assert_markup_stays_text(other, case)


def assert_markup_stays_text(page: Form, case: Case) -> None:
    page.view.locator(".tool-input details").evaluate_all("all => all.map(e => e.open = true)")
    line = page.view.locator("form textarea, form input:not([type])").first
    typed = f"{MARKUP} {case.typed}"
    line.fill(typed)
    line.blur()
    expect(line).to_have_value(typed)
    expect(page.status).to_have_text(re.compile("."))  # it was emptied as this was typed
    expect(page.view.locator(".tool-input .waits")).to_be_hidden()
    expect(page.view.locator("form img, form script")).to_have_count(0)
    expect(page.view).not_to_have_title("taken")


@every_form
def test_a_form_fits_a_phone_and_is_accessible(name, site, browser):
    with Still(browser, f"{site}{name}.html") as page:
        assert inaccessible(page.view) == []
        page.assert_fits()
