"""The page that shows errors in the text: what stands in it, and what a reader does with it."""

import json
import re
import shutil
from html import unescape
from pathlib import Path

import lxml.html
import pytest
from test_anatomy_command import PAIR

from corefeval import anatomy, from_labels
from corefeval.analysis.dissect.viewer import IN_NOTEBOOK
from corefeval.analysis.dissect.words import as_written
from corefeval.cli import main
from corefeval.readers.texts import Text

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HARM = "</script><script>document.title='harm'</script>"

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
    assert key[0]["parts"] == [[0, 2], [1, 1]] and response[2]["kind"] == "invented"
    assert [each["name"] for each in key] == ["Ann", "dog"]  # and not "her"


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


def test_a_notebook_has_the_page_and_below_it_what_needs_no_trust(pair):
    found = anatomy(*pair)
    shown = found._repr_html_()
    (content,) = re.findall(r'srcdoc="([^"]*)"', shown)
    (document,) = data(unescape(content))["documents"]
    # JupyterLab takes an iframe out of a notebook that it does not trust.
    left = lxml.html.fromstring(re.sub("<iframe.*?</iframe>", "", shown, flags=re.DOTALL))
    assert left.xpath(".//pre")[0].text.startswith("entities equal on both sides: 0")
    rows = [[cell.text for cell in row] for row in left.xpath(".//tr")][1:]
    first = found.costliest("b3")[0]
    entities = document["entities"][("key", "response").index(first.side)]
    (name,) = [each["name"] for each in entities if each["id"] == first.id]
    assert rows[0][:2] == [name, first.side]
    assert rows[0][-1] == f"{100 * float(first.cost['b3']):.2f}"


def test_where_nothing_costs_there_is_no_table(pair):
    key, _ = pair
    assert "<table" not in anatomy(key, key)._repr_html_().partition("</iframe>")[2]


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


def test_the_words_of_a_response_that_writes_the_part_otherwise(tmp_path):
    content = {"doc_key": "d", "clusters": [[[0, 0]]]}
    words = {"sentences": [[row[0] for row in ROWS]], "part_id": 0}
    for name, each in (("key", content), ("response", content | words)):
        (tmp_path / name).write_text(json.dumps(each))
    found = anatomy(tmp_path / "key", tmp_path / "response", offsets="inclusive")
    (document,) = data(found.to_html())["documents"]
    assert document["words"] == [row[0] for row in ROWS]


@pytest.mark.filterwarnings("ignore:.*other tokens", "ignore:.*words")
def test_the_words_are_the_keys_where_both_sides_have_some(pair):
    key, response = pair
    response.write_text(response.read_text().replace("\tsees\t", "\tSAW\t"))
    (document,) = data(anatomy(key, response).to_html())["documents"]
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


def test_words_are_joined_as_the_file_says_or_as_english_is_written(tmp_path):
    told = "".join(
        f"{n}\t{form}\t_\tNOUN\t_\t_\t0\t_\t_\t{misc}\n"
        for n, (form, misc) in enumerate([("cats", "Entity=(e1)|SpaceAfter=No"), ("dogs", "_")], 1)
    )
    path = tmp_path / "key.conllu"
    path.write_text(f"# newdoc id = d\n# global.Entity = eid\n{told}\n")
    (document,) = data(anatomy(path, path).to_html())["documents"]
    assert document["joined"] == [1]
    text = Text(["Ann", ",", "who", "is", "n't", "-LRB-", "北", "京", "-RRB-", "'s", "``", "cat"])
    words, joined = as_written(text)
    assert words[5] == "(" and words[-2] == "“"
    assert joined == [1, 4, 6, 7, 8, 9, 11]


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


def heading(tab):
    return tab.locator("#entity h2").text_content()


@pytest.mark.proof
def test_keys_go_from_error_to_error_and_along_an_entity(opened, pair):
    tab = opened(anatomy(*pair))
    assert tab.title() == "Errors"
    assert tab.locator("#error-number").text_content() == "4 errors"
    tab.keyboard.press("n")
    assert tab.locator("#said").text_content() == '“"&quot;”: split'
    assert tab.locator("#along p").text_content() == "Ann in the key, 3 of 3"
    assert tab.locator(".in-key").count() == 3 and tab.locator(".in-response").count() == 2
    tab.keyboard.press("f")
    assert tab.locator("#said").text_content() == "“Ann”: right"
    tab.keyboard.press("b")
    tab.keyboard.press("o")
    assert heading(tab) == '"&quot;, in the response: 2 mentions, merged from 2'
    tab.keyboard.press("p")
    assert tab.locator("#said").text_content() == "“dog”: missed"
    tab.keyboard.press("Escape")
    assert tab.locator(".in-key, .in-response, .here").count() == 0


@pytest.mark.proof
@pytest.mark.parametrize("width", [360, 700, 1300])
def test_the_bar_keeps_its_height_however_long_the_words_are(width, opened, pair):
    tab = opened(anatomy(*pair))
    tab.set_viewport_size({"width": width, "height": 700})
    said, heights = set(), set()
    for key in ("n", "f", "f", "b", "o", "n", "n", "Escape"):
        tab.keyboard.press(key)
        said.add(tab.locator("#said").text_content())
        heights.add(tab.locator("header").bounding_box()["height"])
    assert f"“{HARM}”: right" in said and len(heights) == 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    right = [each.bounding_box() for each in tab.locator("header :is(p, button, select)").all()]
    assert all(box["x"] + box["width"] <= width for box in right if box)


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
    assert heading(tab) == "dog, in the key: 2 mentions, in part, 1 missed"
    her.click()
    assert heading(tab) == '"&quot;, in the response: 2 mentions, merged from 2'


@pytest.mark.proof
def test_every_mention_of_the_story_has_its_words(opened):
    found = anatomy(*PAIR, "b3")
    tab = opened(found)
    (document,) = data(found.to_html())["documents"]
    shown = tab.evaluate("shown.mentions.map((_, n) => words(n))")
    words, joined = document["words"], {*document["joined"]}

    def written(first, last):
        spaced = ((" " if n > first and n not in joined else "") + words[n]
                  for n in range(first, last + 1))  # fmt: skip
        return "".join(spaced)

    assert shown == [
        " … ".join(written(*run) for run in each["at"]) for each in document["mentions"]
    ]
    # The text is there once, in its order, whatever the mentions cut it into.
    text = tab.evaluate(
        "(() => { const copy = get('text').cloneNode(true);"
        "copy.querySelectorAll('sub, sup, .sign').forEach((each) => each.remove());"
        "return [...copy.children].map((each) => each.textContent).join(' '); })()"
    )
    assert text == written(0, len(words) - 1)
    assert text.startswith("Conradin was ten years old, and the doctor")
    assert tab.locator("#costliest li").first.text_content().startswith("Conradin: 12.9 points, ")


@pytest.mark.proof
def test_another_document_is_shown_when_it_is_chosen(opened):
    tab = opened(anatomy({"a": "{x y}", "b": "{u v}"}, {"a": "{x y}", "b": "{u}"}))
    assert tab.locator("main").text_content() == "x y"
    tab.get_by_label("Document").select_option("b")
    assert tab.locator("#error-number").text_content() == "1 error"


@pytest.mark.proof
def test_pointing_at_a_mention_shows_its_entities_and_leaving_it_hides_them(opened, pair):
    tab = opened(anatomy(*pair))
    assert tab.locator(".in-key, .in-response").count() == 0
    tab.locator(".m", has_text="her").hover()
    assert tab.locator(".in-key").all_inner_texts() == ["∪her", "−dog"]
    assert tab.locator(".in-response").all_inner_texts() == ['÷"&quot;', "∪her"]
    tab.locator("header").hover()
    assert tab.locator(".in-key, .in-response").count() == 0


@pytest.mark.proof
def test_on_a_phone_the_text_comes_first_and_the_list_is_folded(opened, pair):
    tab = opened(anatomy(*pair))
    assert tab.locator("#costliest").is_visible()
    tab.set_viewport_size({"width": 360, "height": 640})
    tab.locator("#costliest").wait_for(state="hidden")
    assert tab.locator("main").bounding_box()["height"] > 400
    tab.get_by_text("Entities and kinds of errors").click()
    assert tab.locator("#costliest").is_visible()
