"""The row checker's page in a browser: what it says of printed, changed and unreadable rows."""

from urllib.parse import parse_qs, urldefrag, urlencode, urlsplit

import pytest
from browsing import RunningPage
from companion.pages.row_check import shown
from companion.papers.published_tables import rows_of
from playwright.sync_api import expect


class Checker(RunningPage):
    """The page, and how it is typed into."""

    def state(self) -> dict:
        """What the cells and the choices say, as Python takes it."""
        return self.view.evaluate("""() => {
            const value = name => document.getElementById(`row-checker-${name}`).value;
            const rows = [...document.querySelectorAll('#row-checker-measures tr')];
            const measures = rows.map(row => ({
                name: row.querySelector('[data-name]').value,
                cells: [...row.querySelectorAll('[data-cell]')].map(input => input.value),
            }));
            const [average, rule, whole] = ['average', 'rule', 'whole'].map(value);
            return {measures, average, rule, whole};
        }""")

    def cell(self, name: str):
        return self.view.get_by_label(name, exact=True)

    def paste(self, cell: str, text: str) -> None:
        """Paste, and wait until what was read is shown."""
        self.cell(cell).evaluate(
            """(input, text) => {
                const data = new DataTransfer();
                data.setData('text', text);
                input.dispatchEvent(new ClipboardEvent('paste',
                    {clipboardData: data, bubbles: true, cancelable: true}));
            }""",
            text,
        )
        self.view.locator("#row-checker-status", has_text="how the row is to be read").wait_for()

    def wait_for_verdict(self) -> dict:
        """Until the page shows what Python says of this state; what it says."""
        found = shown(**self.state())
        self.view.wait_for_function(
            """verdict => !document.getElementById('row-checker-result').hidden
                && document.getElementById('row-checker-verdict').textContent === verdict""",
            arg=found["headline"],
        )
        return found

    def told(self) -> list[str]:
        return self.view.locator("#row-checker-cells li").all_inner_texts()

    def doubted(self) -> list[str]:
        cells = self.view.locator("input.row-checker-doubted").all()
        return [cell.get_attribute("aria-label") or "average" for cell in cells]


@pytest.fixture(scope="module")
def opened(site, browser):
    """The page once the first verdict is there; the tests below use it one after another."""
    with Checker(browser, f"{site}row-checker.html") as page:
        page.wait_for_verdict()
        yield page


@pytest.mark.by_day
def test_it_begins_with_a_printed_row(opened):
    row = rows_of("lee2018")[-1].given
    state = opened.state()
    assert [measure["cells"] for measure in state["measures"]] == [
        [row[f"{m}.{part}"] for part in ("recall", "precision", "f1")]
        for m in ("muc", "b3", "ceafe")
    ]
    assert state["average"] == row["average"]
    found = opened.wait_for_verdict()
    assert found["possible"] and opened.told() == []
    reasons = opened.view.locator("#row-checker-reasons tr")
    assert reasons.count() == len(found["reasons"]) == 4
    assert "80.350 to 80.450" in reasons.first.inner_text()


def test_a_changed_cell_is_found_and_marked(opened):
    opened.cell("B³ F1").fill("71.8")
    found = opened.wait_for_verdict()
    assert not found["possible"] and opened.doubted() == ["B³ F1"]
    [told] = opened.told()
    [wrong] = found["wrong"]
    assert told.startswith("B³ F1 would have to be between") and wrong["prints"][0] in told


def test_a_missing_cell_gets_its_interval(opened):
    opened.cell("B³ F1").fill("")
    found = opened.wait_for_verdict()
    assert found["possible"] and opened.doubted() == []
    [told] = opened.told()
    assert told.startswith("B³ F1 is between") and "printed as 70.8" in told


def test_a_cell_that_cannot_be_read_is_named_and_marked(opened):
    opened.cell("MUC recall").fill("high")
    opened.view.locator("#row-checker-error", has_text="MUC recall: 'high' is no number").wait_for()
    expect(opened.view.locator("#row-checker-result")).to_be_hidden()
    expect(opened.cell("MUC recall")).to_have_attribute("aria-invalid", "true")
    expect(opened.view.locator("#row-checker-status")).to_have_text("")
    opened.cell("MUC recall").fill("79,5 %")
    opened.wait_for_verdict()
    expect(opened.view.locator("#row-checker-error")).to_have_text("")


def test_a_row_that_is_pasted_fills_the_cells(opened):
    numbers = "65.83 & 75.91 & 70.51 & 51.55 & 65.19 & 57.58 & 50.82 & 57.28 & 53.86 & 60.65"
    opened.paste("Name of measure 1", f"fernandes 2012 & {numbers}")
    expect(opened.view.locator("#row-checker-result")).to_be_hidden()
    opened.view.get_by_role("button", name="Check this row").click()
    state = opened.state()
    row = rows_of("shared_task_2012")[0].given
    assert state["measures"][1]["cells"] == [row["b3.recall"], row["b3.precision"], row["b3.f1"]]
    assert state["average"] == row["average"]
    assert opened.wait_for_verdict()["possible"]


def test_three_f1_and_their_average_are_never_taken_for_recall_and_precision(opened):
    before = opened.state()
    opened.paste("MUC recall", "80.4 70.8 67.6 73.0")
    assert opened.state() == before
    chosen = opened.view.locator("#row-checker-layout option:checked")
    expect(chosen).to_have_text("F1 of 3 measures, and their average")
    shown = opened.view.locator("#row-checker-preview-rows tr").all_inner_texts()
    assert shown[0] == "MUC\t–\t–\t80.4" and shown[-1] == "Average\t–\t–\t73.0"
    expect(opened.view.locator("#row-checker-result")).to_be_hidden()
    opened.view.locator("#row-checker-fill").click()
    assert opened.wait_for_verdict()["possible"]
    cells = [measure["cells"] for measure in opened.state()["measures"]]
    assert cells == [["", "", "80.4"], ["", "", "70.8"], ["", "", "67.6"]]
    opened.paste("MUC recall", "65.83 75.91 70.51")  # of one measure, or F1 of three: who knows
    expect(opened.view.locator("#row-checker-fill")).to_be_disabled()
    opened.view.locator("#row-checker-cancel").click()
    assert [measure["cells"] for measure in opened.state()["measures"]] == cells
    opened.view.select_option("#row-checker-example", "shared_task_2012/Fernandes et al.")
    opened.wait_for_verdict()


def test_the_link_carries_the_row(opened, browser):
    opened.cell("B³ precision").fill("60.19")
    opened.view.select_option("#row-checker-rule", "cut off")
    opened.view.wait_for_function("location.hash.includes('rule=cut+off')")
    address = opened.address()
    parts = parse_qs(urlsplit(address).fragment)
    assert parts["measure"] == ["MUC", "B³", "CEAFₑ"] and parts["precision"][1] == "60.19"
    with Checker(browser, address) as other:
        assert other.state() == opened.state()
        assert not other.wait_for_verdict()["possible"]
        # Another link, which is opened on the page: of the row as it was printed.
        parts["precision"][1] = rows_of("shared_task_2012")[0].given["b3.precision"]
        del parts["rule"]
        other.view.goto(f"{urldefrag(address).url}#{urlencode(parts, doseq=True)}")
        expect(other.cell("B³ precision")).to_have_value(parts["precision"][1])
        assert other.wait_for_verdict()["possible"]


def test_it_works_by_keyboard(opened):
    opened.view.locator("#row-checker-clear").focus()
    opened.view.keyboard.press("Enter")
    opened.view.locator("#row-checker-status", has_text="at least one printed number").wait_for()
    for text in ("79.2", "73.6", "77.3"):  # the first cell has the focus
        opened.view.keyboard.type(text)
        opened.view.keyboard.press("Tab")
    found = opened.wait_for_verdict()
    assert [each["cell"] for each in found["wrong"]] == ["MUC recall", "MUC precision", "MUC F1"]
    assert len(opened.doubted()) == len(opened.told()) == 3
    opened.view.keyboard.press("Enter")  # the button that removes MUC
    assert len(opened.state()["measures"]) == 2
    opened.view.locator("#row-checker-add").focus()
    opened.view.keyboard.press("Enter")
    opened.view.keyboard.type("LEA")
    assert [measure["name"] for measure in opened.state()["measures"]][-1] == "LEA"
    expect(opened.cell("LEA recall")).to_be_visible()


def test_two_measures_of_one_name_are_told_apart(opened, site):
    state = [("measure", "MUC"), ("recall", "50"), ("precision", "50"), ("f1", "50")]
    wrong = [*state[:3], ("f1", "60")]
    opened.view.goto(f"{site}row-checker.html#{urlencode([*state, *wrong])}")
    found = opened.wait_for_verdict()
    assert [each["cell"] for each in found["wrong"]][-1] == "MUC (2) F1"
    assert opened.view.locator("tr:nth-child(2) input.row-checker-doubted").count() == 3
    assert opened.view.locator("tr:nth-child(1) input.row-checker-doubted").count() == 0


def test_scores_up_to_one_and_a_narrow_screen(opened):
    opened.view.select_option("#row-checker-example", "lee2018/+ second-order inference")
    opened.wait_for_verdict()
    opened.view.select_option("#row-checker-whole", "1")
    opened.view.locator("#row-checker-error", has_text="no number from 0 to 1").wait_for()
    opened.assert_fits()
