"""Charts and heat maps: marks stand where their numbers say, and colours never hide a text."""

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from companion import draw
from companion.draw.heat import DEEPEST, WARNING, WELCOME, Heat
from companion.draw.plots import INKS, MARKS, WIDE
from companion.studies import scorers, story
from companion.tables import Table
from lxml import html

from corefeval import CorefError

SHARE = draw.Axis.of("share", [0, 0.5, 1])
TENFOLD = draw.Axis.of("cost", [1, 10, 100], log=True)
CHARTS = {
    "lines": draw.lines({"A": [(0, 0.25), (1, 1)], "<B>": [(0, 0), (1, 0.5)]}, SHARE, SHARE),
    "strip": draw.strip({"A": {"one": 1, "two": 10}, "<B>": {"two": 100}}, TENFOLD, rule=10),
    "spans": draw.spans(
        {"A": {"one": (0, 0.5, 0.25), "two": (0.5, 1)}, "<B>": {"two": (0.5, 0.5)}}, SHARE, rule=0.5
    ),
    "bars": draw.bars({"first": 100, "second": 10, "last": 1}, TENFOLD),
    "histogram": draw.histogram(
        [0.1, 0.1, 0.1, 0.9, 1], SHARE, {"seen": [0.5], "<ends>": [0, 1]}, bins=2
    ),
    "spots": draw.spots({(0, 0): ["a"], (0.5, 1): ["b", "c"], (1, 0.5): ["<d>"]}, SHARE, SHARE),
}
SVG = "{http://www.w3.org/2000/svg}"


def shapes(chart: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(CHARTS[chart].svg).iter(f"{SVG}{tag}"))


def marks(chart: str, mark: str) -> list[tuple[float, float]]:
    found = [each for each in shapes(chart, "text") if each.text == mark]
    return [(float(each.get("x") or 0), float(each.get("y") or 0)) for each in found]


def test_a_line_rises_as_its_numbers_do():
    (x0, y0), (x1, y1) = marks("lines", MARKS[0])
    (_, low), (_, middle) = marks("lines", MARKS[1])
    assert x0 < x1 and y1 < y0 < low
    # From 0 to 0.25, to 0.5 and to 1 the heights are as 1 to 2 to 4.
    heights = [low - y for y in (y0, middle, y1)]
    assert heights == pytest.approx([heights[0], 2 * heights[0], 4 * heights[0]], abs=0.3)


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors():
    ((one, _),) = marks("strip", MARKS[0])
    ten, hundred = sorted(x for x, _ in marks("strip", MARKS[1]))
    assert ten - one == pytest.approx(hundred - ten, abs=0.2)
    widths = [float(bar.get("width") or 0) for bar in shapes("bars", "rect")]
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.2) and 0 < widths[2] < widths[1] / 10


def test_a_bar_of_a_histogram_is_as_high_as_its_count_and_lines_stand_at_their_values():
    low, high = shapes("histogram", "rect")
    assert float(low.get("height") or 0) == pytest.approx(
        1.5 * float(high.get("height") or 0), 0.01
    )
    assert float(low.get("width") or 0) == float(high.get("width") or 0)
    ((seen, _),) = marks("histogram", MARKS[0])
    start, end = sorted(x for x, _ in marks("histogram", MARKS[1]))
    assert seen == pytest.approx((start + end) / 2, abs=0.2)
    assert (start, seen) == pytest.approx(
        [float(bar.get("x") or 0) for bar in (low, high)], abs=0.2
    )


def test_a_bar_reaches_from_end_to_end_and_its_mark_stands_on_its_value():
    bars = [each for each in shapes("spans", "path") if each.get("stroke-width") == "4"]
    ends = [tuple(map(float, re.findall(r"[ML]([\d.]+)", str(bar.get("d"))))) for bar in bars]
    (one, two, point) = ends
    assert one[1] == two[0] and one[1] - one[0] == pytest.approx(two[1] - two[0], abs=0.2)
    assert point == (two[0], pytest.approx(two[0] + 1))  # an interval of one value is still seen
    ((marked, _),) = marks("spans", MARKS[0])
    assert marked == pytest.approx((one[0] + one[1]) / 2, abs=0.2)
    heights = {y for _, y in marks("spans", MARKS[1])}
    assert len(heights) == 2


def test_a_disc_is_larger_where_more_stand_and_says_how_many():
    radii = [float(disc.get("r") or 0) for disc in shapes("spots", "circle")]
    assert radii[1] > radii[0] == radii[2]
    said = {each.text for each in shapes("spots", "text")}
    assert {"a", "2 responses", "<d>"} <= said


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_tells_all_its_numbers_and_fits_a_phone(chart):
    picture = CHARTS[chart]
    root = ElementTree.fromstring(picture.svg)
    assert root.get("width") == str(WIDE) and WIDE < 500
    for text in shapes(chart, "text"):
        if text.get("x"):
            length = 6.2 * len(text.text or "")  # a letter of 13 pixels is about as wide
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor") or ""]
            left = float(text.get("x") or 0) - before * length
            assert left > -4 and left + length < WIDE + 4, text.text
    assert repr(picture.captioned("See.")).startswith("See.\n")
    assert f'alt="{picture.description.replace("<", "&lt;").replace(">", "&gt;")}"' in (
        picture._repr_html_()
    )


def test_the_descriptions_are_the_numbers():
    assert CHARTS["lines"].description == ("share by share. A: 0 0.25, 1 1; <B>: 0 0, 1 0.50.")
    assert CHARTS["spans"].description == (
        "share. A: one 0 to 0.50, marked 0.25, two 0.50 to 1; <B>: two 0.50 to 0.50."
    )
    assert CHARTS["strip"].description == "cost. A: one 1, two 10; <B>: two 100."
    assert CHARTS["spots"].description == "share by share. 0, 0: a; 0.50, 1: b, c; 1, 0.50: <d>."


@pytest.mark.parametrize("value", [-0.1, 1.2])
def test_a_value_that_the_axis_lacks_is_named(value):
    with pytest.raises(CorefError, match=rf"{value} is outside of the axis 'share'"):
        draw.strip({"A": {"one": value}}, SHARE)


# Colours


def luminance(colour: tuple[float, ...]) -> float:
    parts = [c / 255 for c in colour]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


@pytest.mark.parametrize("ink", INKS)
def test_ink_is_seen_on_a_white_and_on_a_dark_page(ink):
    assert contrast(rgb(ink), (255, 255, 255)) > 4.5
    assert contrast(rgb(ink), rgb("#121212")) > 3


@pytest.mark.parametrize("tint", [WARNING, WELCOME])
@pytest.mark.parametrize(("page", "text"), [("#ffffff", "#323232"), ("#121212", "#ced6dd")])
def test_text_is_read_on_the_deepest_tone(tint, page, text):
    cell = tuple(
        DEEPEST * c + (1 - DEEPEST) * ground for c, ground in zip(tint, rgb(page), strict=True)
    )
    assert contrast(cell, rgb(text)) > 4.5


def test_a_heat_map_is_its_table_with_colours():
    table = Table(["", "a", "b"], [["x", "falls", "rises"], ["y", "same", Fraction(1, 2)]], "See.")
    found = draw.coloured(table, {"falls": -1, "rises": 1})
    assert isinstance(found, Heat) and repr(found) == repr(table)
    html = found._repr_html_()
    assert re.sub(r"background-color: rgba\([^)]*\); ", "", html) == table._repr_html_()
    cells = re.findall(r'<td style="(.*?)">(.*?)</td>', html)
    told = {text: style for style, text in cells}
    assert str(WARNING)[1:-1] in told["falls"] and str(WELCOME)[1:-1] in told["rises"]
    assert "background" not in told["same"] + told["0.5000 (1/2)"]


# What two studies draw with them


def test_the_programs_differences_are_counted():
    table = scorers.differences()
    rows = {name: row for names, *row in table.rows for name in names.split(", ")}
    assert len(rows) == len(scorers.load("public_scorers").content["programs"]) == 38
    assert {*rows["reference"][:5]} == {"0"}
    # From a second count of data/public_scorers/values.toml.
    assert rows["e2e"][:2] == ["4", "15"] and rows["coval"][2] == "29"
    assert rows["java"] == ["0", *["–"] * 5, "7"] and rows["bbn"][-1] == "28"


def test_the_storys_errors_are_signed():
    text, _ = story.load()
    nearest = repr(story.Judged(story.nearest(text), count=2))
    assert nearest.startswith(
        "[Conradin] was ten years old, and [the doctor] had pronounced [[his]✓"
    )
    one = repr(story.Judged(story.one_entity(text), count=1))
    assert "[the doctor]✗" in one and "[Conradin] was" in one
    none = repr(story.Judged(story.singletons(text), count=1))
    assert "[the boy]?" in none and "✓" not in none and "✗" not in none


def test_a_guide_is_a_list_that_is_read_in_its_order():
    guide = draw.Guide({"A?": {"<yes>": "go", "no": "stay"}, "B?": {"maybe": "wait"}}, "See.")
    page = html.fromstring(guide._repr_html_())
    words = [each.strip() for each in page.itertext() if each.strip()]
    assert words == ["A?", "<yes>", "→ go", "no", "→ stay", "B?", "maybe", "→ wait", "See."]
    assert [len(ul.findall("li")) for ul in page.iter("ul")] == [2, 1]
    assert {each.tag for each in page.iter()} == {
        "figure", "ol", "li", "div", "ul", "span", "figcaption",
    }  # fmt: skip
    assert repr(guide).splitlines() == [
        "See.", "A?", "├ <yes> → go", "└ no → stay", "B?", "└ maybe → wait",
    ]  # fmt: skip
