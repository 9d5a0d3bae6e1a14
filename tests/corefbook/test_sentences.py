"""A text with its mentions marked: who belongs to whom, without colours and styles as well."""

import re
from html import unescape

import pytest
from corefbook.colours import DAY
from corefbook.draw import sentence
from corefbook.draw.sentences import LINES
from corefbook.studies import guidebook

from corefeval import CorefError

TEXT = (
    "[Conradin] was ten years old, and [the doctor] had pronounced [his] professional opinion "
    "that [the boy] would not live another five years."
)
KEY, RESPONSE = "{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}"


def marks(html: str) -> dict[str, dict[str, str]]:
    """The line on each edge of each mention that has no other inside it, by its words."""
    spans = re.findall(r'<span style="([^"]*)"[^>]*>([^<]*)<', html)
    return {words: dict(re.findall(r"border-(\w+): ([^;]+)", style)) for style, words in spans}


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def kinds(drawn: dict[str, str]) -> dict[str, str]:
    """The kind of line on each edge, without its colour."""
    return {edge: line.rpartition(" ")[0] for edge, line in drawn.items()}


def test_equal_lines_are_equal_entities():
    drawn = marks(sentence(TEXT, KEY, RESPONSE)._repr_html_())
    assert drawn["Conradin"] == drawn["the boy"]
    assert drawn["the doctor"]["bottom"] == drawn["his"]["bottom"] != drawn["Conradin"]["bottom"]
    assert drawn["his"]["top"] == drawn["Conradin"]["top"]
    kinds_of = {name: kinds(lines) for name, lines in drawn.items()}
    assert [name for name, line in kinds_of.items() if line["top"] != line["bottom"]] == ["his"]


def test_a_line_has_its_sides_colour():
    drawn = marks(sentence(TEXT, KEY, RESPONSE)._repr_html_()).values()
    assert {lines["bottom"].rpartition(" ")[2] for lines in drawn} == {DAY["key"]}
    assert {lines["top"].rpartition(" ")[2] for lines in drawn} == {DAY["response"]}


def test_the_order_of_entities_changes_no_line():
    swapped = "{the_doctor} {Conradin his the_boy}"
    one, other = (sentence(TEXT, KEY, each)._repr_html_() for each in (RESPONSE, swapped))
    assert marks(one) == marks(other)


def test_words_and_labels_tell_the_same_without_styles():
    html = sentence(TEXT, KEY, RESPONSE)._repr_html_()
    assert "pronounced hisK2R1 professional" in words(html)
    plain = repr(sentence(TEXT, KEY, RESPONSE))
    assert "pronounced [his]K2·R1" in plain
    assert max(map(len, plain.splitlines())) <= 92


def test_a_key_alone_has_lines_below_alone():
    html = sentence(TEXT, KEY)._repr_html_()
    assert "border-top" not in html and html.count("border-bottom") == 4
    assert "R1" not in html and "response" not in html


def test_a_twinless_mention_has_one_line():
    drawn = marks(sentence(TEXT, KEY, "{Conradin the_boy his}")._repr_html_())
    assert "top" not in drawn["the doctor"] and "bottom" in drawn["the doctor"]


def test_mentions_inside_each_other():
    nested = sentence("[[his] doctor] met [him|1]", "{his 1} {his_doctor}")
    assert words(nested._repr_html_()).startswith("hisK1 doctorK2 met him1K1")
    assert "[[his]K1 doctor]K2 met [him]1·K1" in repr(nested)


def test_styles_are_inline_and_text_is_escaped():
    html = sentence("[a<b|x] & c", "{x}")._repr_html_()
    assert "<style" not in html
    assert "a&lt;b" in html and " &amp; c" in html


def test_a_caption_takes_the_place_of_the_legend():
    drawn = sentence(TEXT, KEY).captioned("His & hers.")
    assert "<figcaption>His &amp; hers.</figcaption>" in drawn._repr_html_()
    assert repr(drawn).startswith("His & hers.\n[Conradin]K1 was")


def test_a_mention_that_the_text_lacks_is_told():
    drawn = sentence("[the boy]", "{the_boy boy}", "{the_boy} {he}").captioned("Two lack.")
    assert "Two lack. Not in the text: boy (K1), he (R2).</figcaption>" in drawn._repr_html_()
    assert "Two lack. Not in the text: boy (K1), he (R2).\n" in repr(drawn)


def test_four_entities_have_lines_of_their_own():
    many = " ".join(f"[m{n}]" for n in range(20)), " ".join(f"{{m{n}}}" for n in range(20))
    html = sentence(*many)._repr_html_()
    lines = [line["bottom"] for line in marks(html).values()]
    assert len(set(lines[:4])) == len(LINES) == 4
    assert len(set(re.findall(r"<b>K\d+</b>", html))) == 20


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("[a", "{a}", "a [ without its ]"),
        ("a]", "{a}", "a ] without its ["),
        ("[] b", "{b}", "no words"),
        ("[a] [a]", "{a}", "two mentions of the text have the name 'a'"),
    ],
)
def test_what_cannot_be_marked_is_refused(text: str, key: str, message: str):
    with pytest.raises(CorefError, match=re.escape(message)):
        sentence(text, key)


def test_the_guidebook_marks_seventeen_mentions():
    html = guidebook.load()._repr_html_()
    assert html.count("<span") == 17
    assert "(9,742 ft.), which7K3R1 is, as for it8K3R1, much" in words(html)
