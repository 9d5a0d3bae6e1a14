"""What a front end gets that does not trust the notebook: an image with its words."""

import json
import re
from base64 import b64decode
from html import unescape

import pytest
from corefbook import draw
from corefbook.picture import Picture
from test_draw import in_another_process

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><title>a &amp; b</title></svg>\n'


def test_the_image_holds_the_svg_and_its_words():
    html = Picture(SVG, 'a & "b"', "See a < b.")._repr_html_()
    address = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert b64decode(address[1]).decode() == SVG
    assert 'alt="a &amp; &quot;b&quot;"' in html
    assert "<figcaption>See a &lt; b.</figcaption>" in html
    assert "<svg" not in html


def test_plain_text_is_the_caption_and_the_description():
    assert repr(Picture(SVG, "words", "caption")) == "caption\nwords"
    assert repr(Picture(SVG, "words")) == "words"


def test_a_drawing_keeps_its_shapes_under_a_caption():
    drawing = draw.overlap("{a b}")
    assert drawing.captioned("c").shapes == drawing.shapes
    assert "<figcaption>c</figcaption>" in drawing.captioned("c")._repr_html_()
    assert "<figcaption>" not in drawing._repr_html_()


@pytest.mark.proof
def test_matplotlibs_chart_has_the_same_bytes_and_text():
    scorer = """
from corefbook import draw

made = draw.histogram([0, 1, 1], "share", {"recall": [1], "F1": [0, 1]}, title="They meet.")
print(made.svg, made.narrow)
"""
    made = [in_another_process(scorer, seed) for seed in "12"]
    assert made[0] == made[1] and made[0].startswith("<svg") and made[0].count("<svg") == 2
    assert made[0].count(">recall</text>") == 2 and "<dc:date>" not in made[0]
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", made[0])]
    assert sizes and min(sizes) * 4 / 3 >= 12  # units are points, of which three are four pixels
    assert "DejaVu Sans'" not in made[0].replace("'DejaVu Sans', sans-serif", "")


def test_a_gallery_has_every_picture_and_example():
    cut, whole = draw.overlap("{a b}", "{a} {b}"), draw.overlap("{a b}", "{a b}")
    html = draw.Gallery({"cut": cut, "a < b": whole}, "See.")._repr_html_()
    places = [html.index(part) for part in (">cut<", cut.image, ">a &lt; b<", whole.image)]
    assert places == sorted(places) and html.count("<figure") == 1
    assert "<figcaption>See.</figcaption>" in html
    (examples,) = re.findall(r'data-drawn="([^"]*)"', html)
    assert json.loads(unescape(examples)) == [
        ["{a b}", "{a} {b}", "cut"],
        ["{a b}", "{a b}", "a < b"],
    ]
