"""The sheet on paper, and the checklist."""

import re
from urllib.parse import parse_qsl

import lxml.html
from browsing import visit
from corefbook.pages import practice
from playwright.sync_api import expect
from test_book import parsed, words
from test_on_paper import printed, solid

from corefeval import evaluate, metric
from corefeval.conventions import CHOICES, FIRST_CHOICES, OF_FILES
from corefeval.registry import MEASURES
from corefeval.signature import parsed as parsed_signature

# The sheet


def test_the_sheet_fits_one_page_of_paper(site, tab):
    view = tab()
    visit(view, f"{site}one-page.html")
    expect(view.locator(".sheet")).to_be_visible()
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", view.pdf(format="A4", prefer_css_page_size=True))
    assert len(pages) == 1


def test_each_card_has_definition_picture_and_range():
    (sheet,) = parsed("one-page.html").xpath("//*[contains(@class, 'sheet')]")
    *measures, conll = sheet.xpath(".//*[contains(@class, 'sd-card-body')]")
    assert len(measures) == 6
    for card in measures:
        said = words(card)
        assert card.xpath(".//figure//img/@alt") and "range [" in said
        assert all(f"{role}:" in said for role in ("Counts", "Misses", "Use"))
    assert "Use:" in words(conll)


# The checklist


def test_a_shared_task_can_adopt_the_section():
    (cell,) = parsed("which-measure.html").xpath("//*[@id='cell-decided-beforehand']")
    text = cell.xpath(".//*[contains(@class, 'cell_output')]")[0].text_content().strip()
    real = evaluate({"d": "{a b}"}, {"d": "{a b}"}).signature
    adopted = parsed_signature(f"{real.split()[0]} {text.splitlines()[-1]}")
    assert len(adopted) > 1 and adopted.items() <= parsed_signature(real).items()
    decided = [f"- {name}: {FIRST_CHOICES[name]} (" for name in (*CHOICES, *OF_FILES)]
    assert re.findall(r"- \w+: \w+ \(", text) == decided
    assert max(map(len, text.splitlines())) <= 72


# The page for who teaches


def minutes(row: lxml.html.HtmlElement) -> list[int]:
    return [int(words(cell) or 0) for cell in row.xpath("td[position() > 1]")]


def test_a_lesson_takes_as_long_as_it_says():
    (plan,) = parsed("practice.html").xpath("//section[@id='teach-with-it']//table")
    lengths = [int(words(head)) for head in plan.xpath(".//th")[1:]]
    columns = zip(*map(minutes, plan.xpath(".//tbody/tr")), strict=True)
    assert [sum(column) for column in columns] == lengths == [45, 90, 180]


def test_ten_links_lead_to_ten_exercises():
    links = parsed("practice.html").xpath(
        "//section[@id='teach-with-it']//ol//a[starts-with(@href, 'practice.html#')]"
    )
    for link in links:
        asked = dict(parse_qsl(link.get("href").partition("#")[2]))
        answer = practice.exercise(**asked)
        title = MEASURES[asked["measure"]].title
        assert answer.state == "said" and words(link) == f"{title}, {asked['size']} mentions"
    assert len(links) == 10 and len({link.get("href") for link in links}) == 10
    measures = {re.search(r"measure=(\w+)", link.get("href"))[1] for link in links}
    assert measures == {*practice.OFFERED}


def test_a_sheet_has_thirty_exercises_with_their_key():
    sheets = [lxml.html.fromstring(practice.sheet(seed).html) for seed in ("1", "2")]
    drawn = []
    for sheet in sheets:
        asked = [[words(code) for code in item.xpath("code")] for item in sheet.xpath("//li")]
        answers = sheet.xpath("//tbody/tr")
        assert len(asked) == len(answers) == 30
        for (key, response), row in zip(asked, answers, strict=True):
            title, *cells = map(words, row.xpath("td"))
            (name,) = [name for name in practice.OFFERED if MEASURES[name].title == title]
            exact = metric(name)(key, response).exact
            assert cells == [str(each) for each in exact[:3]]
            given = dict(parse_qsl(row.xpath(".//a/@href")[0].lstrip("#")))
            assert [
                str(s) for s in practice.drawn_sides(int(given["size"]), name, int(given["seed"]))
            ] == [
                key,
                response,
            ]
        drawn.append({tuple(each) for each in asked})
    assert len(drawn[0]) == len(drawn[1]) == 30 and drawn[0] != drawn[1]
    assert practice.sheet("x").state == "refused"


def test_the_sheet_is_printed_alone(site, tab, tmp_path):
    view = tab(f"{site}practice.html")
    view.wait_for_load_state("networkidle")
    view.locator("#sheet > summary").click()
    view.emulate_media(media="print")
    expect(view.locator("#sheet li")).to_have_count(30)
    expect(view.locator("#sheet li").first).to_be_visible()
    expect(view.get_by_label("Recall")).to_be_hidden()
    expect(view.locator("article h1")).to_be_hidden()
    *sheets, key = view.locator("#sheet tbody tr").all_inner_texts()[-2:]
    text = printed(view, tmp_path / "sheet.pdf")
    assert "Exercises,seed1" in text and all(solid(each) in text for each in (*sheets, key))
    assert "Practisebyhand" not in text


def beginning(paragraph: lxml.html.HtmlElement) -> str:
    """Formulas are drawn on paper, and are no text there: none stands so early."""
    return solid(words(paragraph))[:12]


def test_a_chapter_is_printed_without_its_solutions(site, tab, tmp_path):
    """On paper itself: the theme can open what is folded when a page is about to be printed."""
    view = tab()
    visit(view, f"{site}muc.html")
    page = parsed("muc.html")
    asked, answered = (
        page.xpath(f"//div[contains(@class, '{kind} ')]//p[not(@*)]")
        for kind in ("exercise", "solution")
    )
    text = printed(view, tmp_path / "muc.pdf")
    assert {beginning(each) in text for each in asked} == {True}
    assert {beginning(each) in text for each in answered} == {False}


def test_the_first_page_leads_teachers_here():
    assert "practice.html#teach-with-it" in parsed("index.html").xpath("//article//a/@href")
