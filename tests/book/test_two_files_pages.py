"""The pages that take two files: scores, and which scorer printed a number."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import RunningPage
from companion.pages import two_files, which_scorer
from companion.pages.costliest import costliest
from companion.pages.differences import differences
from companion.pages.playground import scores
from companion.pages.which_scorer import answers
from playwright.sync_api import expect
from test_book import ROOT

import corefeval
from corefeval.cli import main
from corefeval.display import percent
from corefeval.registry import MEASURES

FILES = ROOT / "data" / "examples"
KEY, RESPONSE = (FILES / "parts" / name for name in ("key.conll", "a.conll"))


class Files(RunningPage):
    """A page that takes two files."""

    def locator(self, name: str):
        return self.view.locator(f"#files-{name}")

    def text(self, name: str) -> str:
        return self.locator(name).inner_text()

    def drop(self, *paths: Path) -> None:
        self.view.evaluate(
            """files => {
                const data = new DataTransfer();
                for (const [name, text] of files) data.items.add(new File([text], name));
                document.body.dispatchEvent(new DragEvent('drop',
                    {dataTransfer: data, bubbles: true, cancelable: true}));
            }""",
            [[path.name, path.read_text("utf-8")] for path in paths],
        )


def opened(site, browser, name: str):
    with Files(browser, f"{site}{name}.html") as page:
        yield page


@pytest.fixture(scope="module")
def scored(site, browser):
    yield from opened(site, browser, "score-files")


@pytest.fixture(scope="module")
def named(site, browser):
    yield from opened(site, browser, "which-scorer")


# Score two files


def wait_for_scores(page: Files, **chosen: str) -> None:
    """Until the page shows what the library says of the two files."""
    report = corefeval.evaluate(KEY, RESPONSE, **chosen)
    expect(page.locator("signature")).to_contain_text(report.short_signature)
    cells = [
        cell
        for name, score in report.total.items()
        for cell in (MEASURES[name].title, *(percent(part) for part in score.exact[:3]))
    ]
    expect(page.view.locator("#files-total tr > *")).to_have_text(cells)
    expect(page.locator("result")).to_be_visible()


def score_the_sample(page: Files) -> None:
    """Ask for the book's own files, whose scores may stand there already."""
    page.view.evaluate("document.querySelector('#files-status').textContent = 'asked'")
    page.locator("sample").click()
    expect(page.locator("status")).to_contain_text("Scored 14 documents")
    wait_for_scores(page)


@pytest.mark.by_day
def test_two_files_dropped_in_any_order_are_scored(scored):
    scored.drop(RESPONSE, KEY)
    wait_for_scores(scored)
    assert scored.view.locator("#files-documents tr").count() == 14
    assert "Scored 14 documents" in scored.text("status")
    scored.view.context.grant_permissions(["clipboard-read", "clipboard-write"])
    scored.locator("copy").click()
    expect(scored.locator("copied")).to_have_text("Copied.")
    copied = scored.view.evaluate("navigator.clipboard.readText()")
    assert "over 14 documents" in copied and "Signature: corefeval=" in copied


def test_a_document_opens_in_the_playground(scored):
    score_the_sample(scored)
    scored.view.evaluate("document.querySelector('#files-result details').open = true")
    link = scored.view.locator("#files-documents a").first
    url = urlsplit(link.get_attribute("href"))
    state = parse_qs(url.fragment)
    assert url.path == "playground.html"
    found = scores(state["key"][0], state["response"][0])["measures"]
    f1 = [row["f1"]["percent"] for row in found if row["name"] == "b3"]
    cells = scored.view.locator("#files-documents tr").first.inner_text().split("\t")
    assert f1 == [cells[4]]  # behind the name, the CoNLL score, mentions and MUC


def test_files_follow_the_conventions(scored):
    score_the_sample(scored)
    scored.view.evaluate("document.querySelector('.playground-conventions').open = true")
    scored.view.select_option("#playground-singletons", "drop")
    wait_for_scores(scored, singletons="drop")
    assert "but for singletons=drop" in scored.text("methods")
    link = scored.view.locator("#files-documents a").first
    assert "singletons=drop" in link.get_attribute("href")
    scored.view.select_option("#playground-singletons", "keep")
    wait_for_scores(scored)


def test_the_errors_open_by_key_and_lead_to_their_entities_in_the_theme(scored):
    score_the_sample(scored)
    scored.view.evaluate("document.documentElement.dataset.theme = 'dark'")
    scored.locator("errors").locator("summary").press("Enter")
    frame = scored.view.locator("iframe[title='Errors in the text']")
    frame.wait_for()
    assert frame.get_attribute("sandbox") == "allow-same-origin"  # no script runs
    frame.scroll_into_view_if_needed()
    inside = scored.view.frame_locator("iframe[title='Errors in the text']")
    inside.locator("a.error").first.click()
    expect(inside.locator("tr:target")).to_be_in_viewport()
    expect(inside.locator("body")).to_have_css("color-scheme", "dark")
    scored.assert_fits()
    scored.view.set_viewport_size({"width": 1200, "height": 900})


def test_a_file_that_cannot_be_read_is_named_with_its_line(scored, tmp_path):
    path = tmp_path / "mine.conll"
    path.write_text("#begin document (d); part 000\nAnn\t(0\n#end document\n", "utf-8")
    scored.view.set_input_files("#files-response", path)
    expect(scored.locator("result")).to_be_hidden()
    alert = scored.view.get_by_role("alert")
    expect(alert).to_contain_text("mine.conll, line 2: document 'd; part 000'")
    # The other file stayed, and may belong to another pair.
    expect(alert).to_contain_text(f"still {KEY.name}: choose that anew")
    expect(scored.locator("response-name")).to_have_text("mine.conll")
    scored.locator("exchange").click()
    expect(scored.locator("key-name")).to_have_text("mine.conll")
    scored.view.wait_for_function(
        "document.getElementById('files-key').files[0].name === 'mine.conll'"
    )


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_table_is_refused_with_the_command_that_reads_it(scored, tmp_path, ending):
    for side in ("key", "response"):
        path = tmp_path / f"{side}.{ending}"
        path.write_text("document,mention,entity\na,1,x\na,2,x\n", "utf-8")
        scored.view.set_input_files(f"#files-{side}", path)
    alert = scored.view.get_by_role("alert")
    expect(alert).to_contain_text(f"corefeval score key.{ending} response.{ending} --columns")
    assert "Python failed" not in scored.text("status")


def test_the_command_for_tables_is_one_that_reads_them(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = b"document,mention,entity\na,1,x\na,2,x\n"
    for name in ("key.csv", "response.csv"):
        Path(name).write_bytes(table)
    monkeypatch.setattr(two_files.corefeval, "evaluate", without_duckdb)
    told = two_files.scores(table, table, "key.csv", "response.csv")["error"]
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall("“corefeval (.*?)”", told)
    assert main(command.replace("LABELS", "entity").split()) == 0
    assert "100.00" in capsys.readouterr().out


def without_duckdb(*given, **chosen):
    raise ModuleNotFoundError("duckdb")


def test_the_verdict_stands_beside_the_form_and_all_else_over_the_full_width(scored):
    scored.view.set_viewport_size({"width": 1440, "height": 900})
    score_the_sample(scored)
    places = {name: scored.view.locator(name).bounding_box() for name in PARTS}
    form, verdict, rest = places.values()
    assert form["x"] + form["width"] < verdict["x"] and abs(form["y"] - verdict["y"]) < 40
    assert rest["y"] >= verdict["y"] + verdict["height"] and rest["x"] == form["x"]
    assert rest["width"] > 900 and rest["width"] > form["width"] + verdict["width"]


PARTS = (".files-drop", "#files-result", "#files-more")


def test_the_books_story_is_a_click_away_and_other_scorers_print_other_numbers(scored):
    score_the_sample(scored)
    expect(scored.view.locator("#files-head th").nth(1)).to_have_text("CoNLL score")
    expect(scored.locator("methods")).to_contain_text("CoNLL score is 83.94")
    scored.locator("costliest").locator("summary").press("Enter")
    costly = scored.view.locator("#files-costs tr").first
    costly.wait_for()
    told = costliest(KEY.read_bytes(), RESPONSE.read_bytes())["measures"]
    (rows,) = [each["rows"] for each in told if each["name"] == "b3"]
    assert costly.inner_text().split("\t") == rows[0]
    scored.locator("differences").locator("summary").press("Enter")
    row = scored.view.locator("#files-differences-page tr", has_text="s2e")
    expect(row).to_contain_text("−24.35")  # 59.59, as in the quick start, less 83.94
    scored.locator("printed").fill("59.59")
    expect(scored.locator("printed-by")).to_contain_text("CoNLL score F1 59.59: ")


def test_one_document_is_one_document(scored, tmp_path):
    for side in ("key", "response"):
        path = tmp_path / f"{side}.conll"
        path.write_text("#begin document (d); part 000\nAnn\t(0)\n#end document\n", "utf-8")
        scored.view.set_input_files(f"#files-{side}", path)
    expect(scored.locator("status")).to_contain_text("Scored 1 document in")


def test_a_third_file_is_said_to_be_ignored(scored, tmp_path):
    third = tmp_path / "third.conll"
    third.write_text("nothing", "utf-8")
    scored.drop(KEY, RESPONSE, third)
    expect(scored.locator("ignored")).to_have_text(
        "This page takes two files. Ignored: third.conll."
    )
    wait_for_scores(scored)


# Which scorer


def answered(page: Files, number: str) -> dict:
    """Until the page shows what the companion says; what it says."""
    page.locator("printed").fill(number)
    found = answers(KEY.read_bytes(), RESPONSE.read_bytes(), number, KEY.name, RESPONSE.name)
    expected = [
        [each["what"], ", ".join(each["scorers"]), each["rule"], each["instead"]]
        for each in found.get("found", ())
    ]
    if not any(instead for *_, instead in expected):  # then the page leaves the column out
        expected = [row[:-1] for row in expected]
    page.view.wait_for_function(
        """rows => JSON.stringify([...document.querySelectorAll('#files-found tr')].map(
            row => [...row.children].map(cell => cell.textContent))) === rows""",
        arg=json.dumps(expected, separators=(",", ":"), ensure_ascii=False),
    )
    return found


def test_the_scorer_is_named_with_its_rule_and_what_to_write_instead(named):
    named.drop(KEY, RESPONSE)
    expect(named.locator("status")).to_have_text("Now the printed number.")
    answered(named, "59.59")
    # As typed in the quick start: e2e prints 59.59, and the reference scorer's rules give 83.94.
    (row,) = named.locator("found").locator("tr", has_text="CoNLL").all()
    text = row.inner_text()
    assert "e2e" in text and "singletons" in text and "83.94" in text and "--like e2e" in text
    assert "scorers tried" in named.text("status")


def test_a_number_of_ours_has_nothing_instead_and_what_the_reference_scorer_prints(named):
    found = answered(named, "83,30 %")["found"]
    assert found[0]["what"] == "B³ recall 83.30"
    expect(named.locator("instead")).to_be_hidden()
    expect(named.locator("more")).to_contain_text("print B³ recall 83.29: they cut decimals off")
    answered(named, "59.59")
    expect(named.locator("instead")).to_be_visible()
    expect(named.locator("more")).to_be_hidden()


def test_a_number_that_nobody_prints_leads_to_the_row_checker(named):
    assert answered(named, "12.34")["found"] == []
    expect(named.locator("none")).to_be_visible()
    expect(named.locator("more").locator("li")).to_have_count(3)
    expect(named.locator("more")).to_contain_text("Near it, and not equal:")
    assert named.locator("none").locator("a").get_attribute("href") == "row-checker.html"
    assert "83.94" in named.text("scores")


def test_an_old_answer_never_stands_beside_a_new_number(named):
    answered(named, "59.59")
    seen = named.view.evaluate(
        """() => {
            const field = document.getElementById('files-printed');
            field.value = '83.94';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            return [document.getElementById('files-result').hidden,
                    document.getElementById('files-status').textContent];
        }"""
    )
    assert seen == [True, "Looking it up …"]
    answered(named, "83.94")


def test_scorers_are_scored_once_for_a_pair_of_files(monkeypatch):
    scored = []
    scores_of = which_scorer.explain
    monkeypatch.setattr(
        which_scorer, "explain", lambda *given: scored.append(given) or scores_of(*given)
    )
    which_scorer.explained.cache_clear()
    key, response = KEY.read_bytes(), RESPONSE.read_bytes()
    for number in ("59.59", "83.94", "12"):
        answers(key, response, number)
    assert differences(key, response)["head"][0] == "CoNLL score"
    assert len(scored) == 1
    answers(response, key, "59.59")
    assert len(scored) == 2
    which_scorer.explained.cache_clear()


def test_what_is_no_number_is_told(named):
    named.locator("printed").fill("two")
    expect(named.locator("status")).to_contain_text("'two' is no number like 83.33")
    expect(named.locator("result")).to_be_hidden()


def test_the_page_fits_a_phone(named):
    answered(named, "59.59")
    named.assert_fits()
