"""Charts and heat maps: marks stand where their numbers say, and colours never hide a text."""

import math
import re
from fractions import Fraction
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from corefbook import colours, draw
from corefbook.colours import DAY, NAMES, SERIES, tint
from corefbook.draw.heat import DEEPEST, Heat
from corefbook.draw.pieces import MARKS, NARROW, SHAPES, WIDE
from corefbook.tables import Table
from lxml import html
from test_colours import channels, contrast

from corefeval import CorefError

SHARE = draw.Axis.of("share", [0, 0.5, 1])
TENFOLD = draw.Axis.of("cost", [1, 10, 100], log=True)
CHARTS = {
    "lines": draw.lines({"A": [(0, 0.25), (1, 1)], "<B>": [(0, 0), (1, 0.5)]}, SHARE, SHARE),
    "crossing": draw.lines(
        {n: [(0, n == "C"), (1, 0.5 * (n == "A"))] for n in "ABC"}, SHARE, SHARE
    ),
    "strip": draw.strip({"A": {"one": 1, "two": 10}, "<B>": {"two": 100}}, TENFOLD, rule=10),
    "spans": draw.spans(
        {"A": {"one": (0, 0.5, 0.25), "two": (0.5, 1)}, "<B>": {"two": (0.5, 0.5)}}, SHARE, rule=0.5
    ),
    "bars": draw.bars({"first": 100, "second": 10, "last": 1}, draw.Axis.of("cost", [0, 100])),
    "ladder": draw.ladder({"first": 1000, "second": 10, "third": 10, "last": 4}),
    "spots": draw.spots({(0, 0): ["a"], (0.5, 1): ["b", "c"], (1, 0.5): ["<d>"]}, SHARE, SHARE),
}
SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{tag}"))


def marks(svg: str, mark: str) -> list[tuple[float, float]]:
    drawn = [path for path in shapes(svg, "path") if path.get("d") == mark]
    places = " ".join(path.get("transform") or "" for path in drawn)
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", places)]


def test_a_line_rises_as_its_numbers_do():
    (x0, y0), (x1, y1) = marks(CHARTS["lines"].svg, MARKS[0])
    (_, low), (_, middle) = marks(CHARTS["lines"].svg, MARKS[1])
    assert x0 < x1 and y1 < y0 < low
    # From 0 to 0.25, to 0.5 and to 1 the heights are as 1 to 2 to 4.
    heights = [low - y for y in (y0, middle, y1)]
    assert heights == pytest.approx([heights[0], 2 * heights[0], 4 * heights[0]], abs=0.3)


def test_logarithmic_axes_have_equal_steps_for_factors():
    # The first mark of each kind stands in the legend.
    _, (one, _) = marks(CHARTS["strip"].svg, MARKS[0])
    _, (ten, _), (hundred, _) = marks(CHARTS["strip"].svg, MARKS[1])
    assert ten - one == pytest.approx(hundred - ten, abs=0.2)
    widths = [float(bar.get("width") or 0) for bar in shapes(CHARTS["bars"].svg, "rect")]
    assert widths == pytest.approx([widths[0], widths[0] / 10, widths[0] / 100], abs=0.1)


def test_a_rung_shows_what_is_left():
    for svg in (CHARTS["ladder"].svg, CHARTS["ladder"].narrow):
        widths = [float(bar.get("width") or 0) for bar in shapes(svg, "rect")]
        above, left = widths[::2], widths[1::2]
        assert len({*above}) == 1
        assert left == pytest.approx([share * above[0] for share in (1, 0.01, 1, 0.4)], abs=0.1)
        assert [text.text for text in shapes(svg, "text") if (text.text or "")[:1] == "÷"] == [
            "÷100",
            "÷2.5",
        ]


def test_a_bar_reaches_its_ends_and_mark():
    svg = CHARTS["spans"].svg
    bars = [each for each in shapes(svg, "path") if each.get("stroke-width") == "5"]
    ends = [tuple(map(float, re.findall(r"[ML]([\d.]+)", str(bar.get("d"))))) for bar in bars]
    (one, two, point) = ends
    assert one[1] == two[0] and one[1] - one[0] == pytest.approx(two[1] - two[0], abs=0.2)
    assert point == (two[0], pytest.approx(two[0] + 1))  # an interval of one value is still seen
    _, (marked, _) = marks(svg, MARKS[0])
    assert marked == pytest.approx((one[0] + one[1]) / 2, abs=0.2)
    heights = {y for _, y in marks(svg, MARKS[1])}
    assert len(heights) == 3


def test_marks_and_names_do_not_cover_each_other():
    """Six values on one spot, six lines through one point."""
    close = {f"kind {n}": 0.5 + n / 1000 for n in range(6)}
    through = {f"line {n}": [(0, n / 10), (1, 0.5)] for n in range(6)}
    strip, lines = draw.strip({"a": close}, SHARE), draw.lines(through, SHARE, SHARE)
    for svg in (strip.svg, strip.narrow):
        spots = [spot for mark in MARKS for spot in marks(svg, mark)]
        assert len(spots) == 12
        assert min(math.dist(one, other) for one, other in combinations(spots, 2)) >= 11.9
    for chart in (strip, lines):
        for svg in (chart.svg, chart.narrow):
            names = [each for each in shapes(svg, "text") if each.get("font-weight")]
            heights = sorted(float(each.get("y") or 0) for each in names)
            assert all(b - a >= 15 for a, b in pairwise(heights))


def test_marks_of_lines_keep_their_places():
    for svg in (CHARTS["crossing"].svg, CHARTS["crossing"].narrow):
        spots = [spot for mark in MARKS for spot in marks(svg, mark)]
        assert len(spots) == 6 and len({x for x, _ in spots}) == 2 and len({*spots}) == 4


def test_a_name_beside_a_point_has_a_ground():
    grounds = [each.text for each in shapes(CHARTS["spots"].svg, "text") if each.get("stroke")]
    assert grounds == ["a", "2 responses", "<d>"]


def test_a_measure_looks_alike_in_every_chart():
    first = draw.lines({"LEA": [(0, 1)], "MUC": [(0, 0)]}, SHARE, SHARE).svg
    second = draw.strip({"a": {"FCC": 0, "MUC": 0.5, "LEA": 1}}, SHARE).svg
    for svg in (first, second):
        for name, mark in (("muc", MARKS[0]), ("lea", MARKS[5])):
            assert (mark, DAY[name]) in {(e.get("d"), e.get("fill")) for e in shapes(svg, "path")}
    looks = [(DAY[name], shape) for name, shape in colours.MARKS.items()]
    assert len({*looks}) == len(looks) == len(NAMES) and {*colours.MARKS.values()} == {*SHAPES}


def test_only_sides_have_their_colours():
    svg = draw.lines({"seeds": [(0, 0)], "key": [(0, 1)]}, SHARE, SHARE).svg
    inks = [
        each.get("fill") for mark in MARKS for each in shapes(svg, "path") if each.get("d") == mark
    ]
    assert inks == [SERIES[0], DAY["key"]]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_fits_its_column_and_phones(chart):
    for svg, width in ((CHARTS[chart].svg, WIDE), (CHARTS[chart].narrow, NARROW)):
        root = ElementTree.fromstring(svg)
        assert root.get("width") == str(int(width)) and float(root.get("font-size") or 0) >= 12
        for text in shapes(svg, "text"):
            length = 7 * len(text.text or "")  # a letter of 13.5 pixels is about as wide
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor") or ""]
            left = float(text.get("x") or 0) - before * length
            assert left > -4 and left + length < width + 4, text.text


def test_a_chart_tells_its_title_and_its_numbers():
    chart = draw.strip({"A": {"<one>": 0.5}}, SHARE, title="A < B.").captioned("See.")
    assert repr(chart) == "A < B.\nSee.\nshare. A: <one> 0.50."
    page = chart._repr_html_()
    assert "<strong>A &lt; B.</strong>" in page
    assert page.count("<img") == 2 and 'alt="share. A: &lt;one&gt; 0.50."' in page
    assert page.count(' width="0" height="0"') == 1


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


@pytest.mark.parametrize("name", ["below", "above"])
@pytest.mark.parametrize(("page", "text"), [("#ffffff", "#323232"), ("#121212", "#ced6dd")])
def test_text_is_read_on_the_deepest_tone(name, page, text):
    both = zip(channels(DAY[name]), channels(page), strict=True)
    cell = [round(DEEPEST * c + (1 - DEEPEST) * ground) for c, ground in both]
    assert contrast("#" + "".join(f"{c:02x}" for c in cell), text) > 4.5


def test_a_heat_map_is_its_table_with_colours():
    table = Table(["", "a", "b"], [["x", "falls", "rises"], ["y", "same", Fraction(1, 2)]], "See.")
    heat = draw.coloured(table, {"falls": -1, "rises": 1})
    assert isinstance(heat, Heat) and repr(heat) == repr(table)
    html = heat._repr_html_()
    assert re.sub(r"background-color: rgba\([^)]*\); ", "", html) == table._repr_html_()
    cells = re.findall(r'<td style="(.*?)">(.*?)</td>', html)
    style_of = {text: style for style, text in cells}
    assert tint("below", DEEPEST) in style_of["falls"]
    assert tint("above", DEEPEST) in style_of["rises"]
    assert "background" not in style_of["same"] + style_of["0.5000 (1/2)"]


def test_a_guide_is_a_list_in_order():
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
