"""The page that shows errors in the text: what stands in it, and what a reader does with it."""

import json
import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from corefeval import anatomy, from_labels
from corefeval.cli import main
from corefeval.dissect.viewer import IN_NOTEBOOK

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
HARM = "</script><script>document.title='harm'</script>"
KINDS = ("missed", "invented", "split", "merged", "boundary")

# Key {0 1 2} {4}, response {0 1} {2 4} {5}, with a word that would be markup.
ROWS = [("Ann", "(1)", "(1)"), (HARM, "(1)", "(1)"), ('"&quot;', "(1)", "(2)"), ("sees", "-", "-"),
        ("her", "(2)", "(2)"), ("cat", "-", "(3)"), ("dog", "(2)", "-")]  # fmt: skip


def conll(side, name="(d); part 000"):
    lines = [f"d\t0\t{i}\t{row[0]}\t-\t{row[side]}" for i, row in enumerate(ROWS)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


@pytest.fixture
def pair(tmp_path):
    folder = tmp_path / "<b>folder"
    folder.mkdir()
    paths = folder / "key.conll", folder / "response.conll"
    for side, path in enumerate(paths, 1):
        path.write_text(conll(side, "(<i>d</i>); part 000"))
    return paths


def data(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(text)


def errors(document):
    """The words of each mention with its errors."""
    return {
        " ".join(document["words"][first : last + 1]): each["errors"]
        for each in document["mentions"]
        for first, last in each["at"]
        if each["errors"]
    }


def test_the_data_are_the_text_its_mentions_and_errors(pair):
    (document,) = data(anatomy(*pair).to_html())["documents"]
    assert document["words"] == [row[0] for row in ROWS]
    assert errors(document) == {
        '"&quot;': ["split"],
        "her": ["merged"],
        "cat": ["invented"],
        "dog": ["missed"],
    }
    key, response = document["entities"]
    assert [each["id"] for each in key] == ["1", "2"]
    assert key[0]["parts"] == [[0, 2], [1, 1]] and response[2]["told"] == "invented"


def test_names_words_and_paths_are_no_markup(pair, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["anatomy", *map(str, pair), "--html", str(page)]) == 0
    text = page.read_text("utf-8")
    assert text.count("<script") == 2 and text.count("</script>") == 2
    assert "<i>" not in text and "<b>" not in text
    assert data(text)["documents"][0]["name"] == "<i>d</i>; part 000"
    assert "&lt;b&gt;folder" in text


def test_the_page_asks_for_nothing(pair):
    text = anatomy(*pair).to_html()
    assert "default-src 'none'" in text
    assert not re.search(r"https?:|src=|@import|url\(", text.partition('id="data"')[0])


def test_a_notebook_has_the_totals_and_the_page(pair):
    shown = anatomy(*pair)._repr_html_()
    assert shown.startswith("<details><summary>Totals</summary><pre>found: 0")
    (content,) = re.findall(r'srcdoc="([^"]*)"', shown)
    assert len(data(unescape(content))["documents"]) == 1


def test_a_notebook_has_no_more_documents_than_it_can_hold():
    words = IN_NOTEBOOK // 60
    sides = {name: [[(i, i) for i in range(words)]] for name in "abc"}
    content = data(unescape(anatomy(sides, sides, "b3")._repr_html_()))
    assert len(content["documents"]) < 3
    assert content["leftOut"] == 3 - len(content["documents"])


def test_the_words_of_files_in_two_formats(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.jsonl"
    key.write_text(conll(1))
    content = {"doc_key": "d", "sentences": [[row[0] for row in ROWS]], "clusters": [[[0, 0]]]}
    response.write_text(json.dumps(content))
    (document,) = data(anatomy(key, response, offsets="inclusive").to_html())["documents"]
    assert document["words"] == [row[0] for row in ROWS]


def test_places_where_there_are_no_words():
    (document,) = data(anatomy({"d": [[(0, 1), (5, 9)]]}, {"d": [[(0, 1)]]}).to_html())["documents"]
    assert document["words"] == ["0", "1", "…", "5", "…", "9"]
    assert [each["at"] for each in document["mentions"]] == [[[0, 1]], [[3, 5]]]


def test_mentions_where_there_are_no_places():
    (document,) = data(anatomy({"d": "{a b}"}, {"d": "{a c}"}).to_html())["documents"]
    assert document["words"] == ["a", "b", "c"]
    assert errors(document) == {"b": ["missed"], "c": ["invented"]}


def test_labels_have_entities_alone():
    (document,) = data(anatomy(from_labels([1, 1, 2], [1, 2, 2])).to_html())["documents"]
    assert document["mentions"] == [] and len(document["entities"][0]) == 2


def test_a_mention_with_a_gap_has_two_runs():
    folder = Path(__file__).parent / "corefud" / "noncontig_mentions"
    key = next(path for path in sorted(folder.iterdir()) if "[1/2]" in path.read_text("utf-8"))
    documents = data(anatomy(key, key).to_html())["documents"]
    assert any(len(each["at"]) > 1 for document in documents for each in document["mentions"])


def test_a_file_that_cannot_be_written(pair, capsys):
    assert main(["anatomy", *map(str, pair), "--html", "/nowhere/page.html"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "/nowhere/page.html: cannot write it" in captured.err


# In a browser


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("no Chromium")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of an anatomy; whatever goes wrong in it, or is asked of others, fails."""
    faults, tabs = [], []

    def open_page(found):
        path = tmp_path / "page.html"
        path.write_text(found.to_html("Errors"), "utf-8")
        tab = browser.new_page()
        tabs.append(tab)
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("request", lambda request: faults.append(request.url)
               if not request.url.startswith("file:") else None)  # fmt: skip
        tab.goto(path.as_uri())
        return tab

    yield open_page
    for tab in tabs:
        tab.close()
    assert faults == []


@pytest.mark.proof
def test_keys_go_from_error_to_error_and_along_an_entity(opened, pair):
    tab = opened(anatomy(*pair))
    assert tab.title() == "Errors"
    assert tab.locator("#error-number").text_content() == "4 errors"
    tab.keyboard.press("n")
    assert tab.locator("#said").text_content() == '“"&quot;”: split'
    assert tab.locator("#mention-number").text_content() == "3 of 3"
    assert tab.locator(".followed").count() == 3
    tab.keyboard.press("f")
    assert tab.locator("#said").text_content() == "“Ann”: right"
    tab.keyboard.press("b")
    tab.keyboard.press("o")
    assert tab.locator("#entity h2").text_content() == "R2, of the response: 2 mentions"
    tab.keyboard.press("p")
    assert tab.locator("#said").text_content() == "“dog”: missed"
    tab.keyboard.press("Escape")
    assert tab.locator(".followed, .here").count() == 0


@pytest.mark.proof
def test_a_kind_that_is_not_wanted_is_passed_over(opened, pair):
    tab = opened(anatomy(*pair))
    for kind in ("split", "merged", "boundary"):
        tab.get_by_label(re.compile(kind)).uncheck()
    assert tab.locator("#error-number").text_content() == "2 errors"
    tab.keyboard.press("n")
    assert tab.locator("#said").text_content() == "“cat”: invented"


@pytest.mark.proof
def test_a_click_follows_the_key_then_the_response(opened, pair):
    tab = opened(anatomy(*pair))
    her = tab.locator(".m", has_text="her")
    her.click()
    assert tab.locator("#entity h2").text_content() == "K2, of the key: 2 mentions"
    her.click()
    assert tab.locator("#entity h2").text_content() == "R2, of the response: 2 mentions"


@pytest.mark.proof
def test_every_mention_of_the_story_has_its_words(opened):
    paths = (EXAMPLES / f"sredni-vashtar.{name}.conll" for name in ("key", "own-mentions"))
    found = anatomy(*paths, "b3")
    tab = opened(found)
    (document,) = data(found.to_html())["documents"]
    shown = tab.evaluate("shown.mentions.map((_, n) => words(n))")
    words = document["words"]
    assert shown == [
        " … ".join(" ".join(words[first : last + 1]) for first, last in each["at"])
        for each in document["mentions"]
    ]
    # The text is there once, in its order, whatever the mentions cut it into.
    text = tab.evaluate(
        "(() => { const copy = get('text').cloneNode(true);"
        "copy.querySelectorAll('sub, sup, .sign').forEach((each) => each.remove());"
        "return [...copy.children].map((each) => each.textContent).join(' '); })()"
    )
    assert text == " ".join(words)


@pytest.mark.proof
def test_another_document_is_shown_when_it_is_chosen(opened):
    tab = opened(anatomy({"a": "{x y}", "b": "{u v}"}, {"a": "{x y}", "b": "{u}"}))
    assert tab.locator("main").text_content() == "xK1R1 yK1R1"
    tab.get_by_label("Document").select_option("b")
    assert tab.locator("#error-number").text_content() == "1 error"
