"""Every drawing of a key and a response has its link into the playground, and the right one."""

import re
from base64 import b64decode
from copy import deepcopy
from urllib.parse import parse_qs, urlsplit

import drawn_examples
import lxml.etree
import lxml.html
import playground
import pytest
from browsing import need
from corefbook import draw, ledger
from corefbook.draw.pieces import WIDE
from corefbook.pages.playground import every_score
from corefbook.picture import Drawn
from test_book import PAGES, ROOT, every_page, parsed

from corefeval.registry import MEASURES

WITHOUT = {
    # a key alone
    "Two people, K1 and K2.",
    "The 16 ways to write one entity of four mentions as three links. The faint lines are links "
    "that nobody drew.",
    "Three people, eight mentions.",
    # what is no drawing of mentions
    "The measures by year; a line leads to the earlier measure whose fault a paper names.",
    "What to report, and what to say with it.",
}
"""The captions of pictures that show no key with its response; charts are not asked for one."""


def pictures(page: lxml.html.HtmlElement) -> list[lxml.html.HtmlElement]:
    return page.xpath("//figure[contains(@class, 'drawing')]")


def caption(picture: lxml.html.HtmlElement) -> str:
    return "".join(picture.xpath("figcaption/text()")).strip()


def states(picture: lxml.html.HtmlElement) -> list[dict[str, list[str]]]:
    """What a picture's links open."""
    links = [urlsplit(href) for href in picture.xpath(".//*[@class='to-playground']//a/@href")]
    assert all(link.path.removeprefix("../") == "playground.html" for link in links)
    return [parse_qs(link.fragment, keep_blank_values=True) for link in links]


def is_chart(picture: lxml.html.HtmlElement) -> bool:
    """Whether it is drawn twice, as rows of drawings are, too, and in the width of charts."""
    if picture.xpath(".//source"):
        return True
    if not picture.xpath(".//img[@width='0']"):
        return False
    address = picture.xpath(".//img/@src")[0]
    svg = lxml.etree.fromstring(b64decode(address.partition(",")[2]))
    return svg.get("width") in (f"{WIDE:g}", f"{0.75 * WIDE:g}pt")


def drawings(page: lxml.html.HtmlElement) -> list[lxml.html.HtmlElement]:
    """The pictures that are no charts."""
    return [each for each in pictures(page) if not is_chart(each)]


def unlinked(page: lxml.html.HtmlElement) -> set[str]:
    return {caption(each) for each in drawings(page) if not states(each)}


def wrong(page: lxml.html.HtmlElement) -> list[str]:
    """The captions of pictures with a link to mentions that they do not show."""

    def shows(picture: lxml.html.HtmlElement, state: dict[str, list[str]]) -> bool:
        text = " ".join([*picture.xpath(".//img/@alt"), picture.text_content()])
        text = text.replace("_", " ")
        sides = (re.findall(r"[^{} ]+", state[side][0]) for side in ("key", "response"))
        return any(all(m.replace("_", " ") in text for m in side) for side in sides)

    return [caption(p) for p in pictures(page) if not all(shows(p, each) for each in states(p))]


def test_every_drawing_of_two_sides_has_its_link():
    unlinked_of = {page: unlinked(parsed(page)) for page in PAGES}
    assert set().union(*unlinked_of.values()) == WITHOUT
    assert sum(len(states(each)) for page in PAGES for each in pictures(parsed(page))) > 50


@every_page
def test_links_open_what_is_drawn(page):
    assert wrong(parsed(page)) == []
    for each in pictures(parsed(page)):
        for state in states(each):
            assert every_score(state["key"][0], state["response"][0]).state == "said"
            assert {*state.get("why", [])} <= {*MEASURES}


def test_a_link_to_something_else_is_found():
    planted = deepcopy(parsed("ceaf.html"))
    link = pictures(planted)[0].xpath(".//*[@class='to-playground']/a")[0]
    link.set("href", "playground.html#key=%7Bz+y%7D&response=%7Bz%7D+%7By%7D")
    assert wrong(planted) == [caption(pictures(planted)[0])]


def test_the_chapter_on_a_measure_opens_its_terms():
    for page, name in {"muc": "muc", "ceaf": "ceafm", "lea": "lea"}.items():
        drawings = pictures(parsed(f"{page}.html"))
        asked = [state["why"] for drawing in drawings for state in states(drawing)]
        assert asked and all(why == [name] for why in asked)


def test_the_playground_lists_what_the_chapters_draw():
    links = parsed("playground.html").xpath("//*[@class='drawn-examples']//a/@href")
    listed = [parse_qs(urlsplit(link).fragment) for link in links]
    chapters = [*drawn_examples.chapters(ROOT / "book")]
    drawn = {
        (state["key"][0], state["response"][0])
        for chapter in chapters
        for each in pictures(parsed(f"{chapter}.html"))
        for state in states(each)
    }
    assert {(state["key"][0], state["response"][0]) for state in listed} == drawn
    assert len(drawn) > 25


def test_each_picture_of_a_row_has_a_link():
    two = draw.row([draw.overlap("{a}", "{a}"), draw.overlap("{a b}", "{a}")], ["A", "<B>"])
    html = drawn_examples.with_links(two._repr_html_(), "muc")
    links = lxml.html.fromstring(html).xpath("figcaption/span/a")
    assert [link.text for link in links] == ["A", "<B>"]
    assert links[1].get("aria-label") == "Open <B> in the playground"
    assert parse_qs(urlsplit(links[1].get("href")).fragment) == {
        "key": ["{a b}"], "response": ["{a}"], "why": ["muc"]
    }  # fmt: skip


@pytest.mark.parametrize("key", ["{a b}", [["two words"]], [[1], ["1"]], [["{"]]])
def test_mentions_beyond_the_notation_give_no_link(key):
    picture = draw.overlap(key, key)
    assert picture.examples == ((Drawn("{a b}", "{a b}"),) if key == "{a b}" else ())
    assert picture.captioned("x").examples == picture.examples


def test_too_many_mentions_give_no_link():
    many = "{" + " ".join(map(str, range(200))) + "}"
    assert "to-playground" not in drawn_examples.with_links(draw.overlap(many, many)._repr_html_())


# The ledger's rows


def test_the_ledgers_examples_open_in_the_playground():
    need()
    options = {*parsed("playground.html").xpath("//select//option/@value")}
    rows = {row.id: row for row in ledger.rows()}
    linked = 0
    for row in parsed("ledger.html").xpath("//table[@id='figures']//tr[@id]"):
        figure = rows[row.get("id")]
        paper = ledger.load(figure.paper)
        example = paper.examples.get(figure.example)
        links = row.xpath("td[2]/a/@href")
        assert len(links) == (example is not None and playground.can_be_shown(example)), figure
        for link in links:
            linked += 1
            state = parse_qs(urlsplit(link).fragment)
            assert state["example"] == [f"{paper.examples_of}/{figure.example}"]
            assert {*state["example"]} <= options
            if figure.measure.partition(".")[0] in MEASURES:
                assert state["why"] == [figure.measure.partition(".")[0]]
    assert linked > 300
