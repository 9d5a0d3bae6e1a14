"""Pictures that carry an argument: five panels, dots beside a zero, torn strips."""

import re
from itertools import combinations
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest
from corefbook import draw
from corefbook.colours import DAY

from corefeval import CorefError, metric

KEY, RESPONSE = "{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}"
LEAD = draw.Axis.of("lead", [-20, 0, 20])
SVG = "{http://www.w3.org/2000/svg}"


def elements(svg: str, tag: str, **having: str) -> list[dict[str, str]]:
    attributes = (each.attrib for each in ElementTree.fromstring(svg).iter(f"{SVG}{tag}"))
    return [each for each in attributes if having.items() <= each.items()]


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_five_panels_have_the_f1_of_their_measures():
    picture = draw.five(KEY, RESPONSE, title="One response.")
    for svg in (picture.svg, picture.narrow):
        said = [text for text in texts(svg) if text.startswith("F1")]
        names = ("muc", "b3", "ceafe", "blanc", "lea")
        assert said == [f"F1 {float(metric(name)(KEY, RESPONSE).f1):.2f}" for name in names]
        assert texts(svg).count("the doctor") == 3  # in the panels that show mentions


def test_a_panels_links_are_those_muc_counts():
    svg = draw.five(KEY, RESPONSE).svg
    dashed = elements(svg, "line", **{"stroke-dasharray": "6 4"})
    muc = metric("muc")(KEY, RESPONSE).counts
    missed, wrong = muc.recall.total - muc.recall.hits, muc.precision.total - muc.precision.hits
    assert [each["stroke"] for each in dashed].count(DAY["key"]) == missed == 1
    assert [each["stroke"] for each in dashed].count(DAY["response"]) == wrong == 1


def test_files_of_pages_are_what_is_drawn():
    static, picture = Path(__file__).parents[2] / "book" / "_static", draw.five(KEY, RESPONSE)
    for name, svg in (("", picture.svg), ("-narrow", picture.narrow)):
        assert (static / f"five-measures{name}.svg").read_text("utf-8") == svg


NINE = draw.five("{a b c} {d e f g}", "{a b} {c d} {f g h i}")


@pytest.mark.parametrize("picture", [draw.five(KEY, RESPONSE), NINE], ids=["words", "letters"])
def test_no_link_runs_through_a_letter(picture):
    muc = next(ElementTree.fromstring(picture.svg).iter(f"{SVG}g"))
    names = [each for each in muc.iter(f"{SVG}text") if "paint-order" in each.attrib]
    links = [each for each in muc if each.tag in (f"{SVG}line", f"{SVG}path")]
    assert len(names) in (4, 9) and len(links) in (3, 8)
    for x, y in (spot for link in links for spot in along(link.attrib)):
        for name in names:
            left, foot = float(name.attrib["x"]), float(name.attrib["y"])
            wide = 3.5 * len(name.text or "")
            assert not (abs(x - left) < wide and foot - 10 < y < foot + 3), name.text


def along(link: dict[str, str]) -> list[tuple[float, float]]:
    """Points of a straight link, or of one that bends once."""
    if "d" in link:
        (a, b), (c, d), (e, f) = re.findall(r"([\d.-]+),([\d.-]+)", link["d"])
    else:
        a, b, e, f = (link[name] for name in ("x1", "y1", "x2", "y2"))
        c, d = (float(a) + float(e)) / 2, (float(b) + float(f)) / 2

    def at(share: float, start: object, bend: object, end: object) -> float:
        first, second, third = float(str(start)), float(str(bend)), float(str(end))
        rest = 1 - share
        return rest * rest * first + 2 * rest * share * second + share * share * third

    return [(at(step / 50, a, c, e), at(step / 50, b, d, f)) for step in range(51)]


def test_the_names_of_pairs_keep_to_their_panel():
    blanc = list(ElementTree.fromstring(draw.five(KEY, RESPONSE).svg).iter(f"{SVG}g"))[3]
    names = [each for each in blanc.iter(f"{SVG}text") if each.attrib["text-anchor"] == "end"]
    assert len(names) == 4
    assert all(float(each.attrib["x"]) - 7.5 * len(each.text or "") > 0 for each in names)


def test_dots_stand_on_their_side_of_zero():
    values = [-10.8, -6.5, -6.4, 0.7, 0.8, 2.0]
    picture = draw.dots({"FCC": {"one": values}, "": {"other": [5]}}, LEAD)
    for svg in (picture.svg, picture.narrow):
        circles = elements(svg, "circle", r="6.5")
        zero = float(re.findall(r'd="M([\d.]+) [^"]*" stroke="[^"]*" stroke-width="2"', svg)[0])
        for value, circle in zip([*values, 5], circles, strict=True):
            assert (float(circle["cx"]) > zero) == (value > 0), value
            assert circle["fill"] == DAY["above" if value > 0 else "below"], value
        spots = [(float(each["cx"]), float(each["cy"])) for each in circles]
        assert min(dist(*two) for two in combinations(spots, 2)) >= 13


def test_a_line_joins_each_runs_dots():
    rows = {"MUC": [15, 16, 15.2], "B³": [-10.8, -6.5, 2]}
    picture = draw.dots({"within": rows, "across": rows}, LEAD, joined=True)
    for svg in (picture.svg, picture.narrow):
        spots = [(each["cx"], each["cy"]) for each in elements(svg, "circle", r="6.5")]
        lines = [each["d"] for each in elements(svg, "path", **{"stroke-opacity": ".55"})]
        ends = [tuple(tuple(end.split()) for end in path[1:].split("L")) for path in lines]
        assert ends == [(spots[n], spots[n + 3]) for n in (0, 1, 2, 6, 7, 8)]


def test_only_the_marked_run_is_coloured():
    rows = {"MUC": [15, 15.2, 16], "B³": [-10.8, -10.7, 2]}
    picture = draw.dots({"": rows}, LEAD, joined=True, marked=1)
    for svg in (picture.svg, picture.narrow):
        circles = elements(svg, "circle", r="6.5")
        assert [each["fill"] for each in circles].count(DAY["above"]) == len(rows)
        assert len({each["cy"] for each in circles}) == len(rows)
        assert len(elements(svg, "path", **{"stroke-width": "3"})) == 1


def test_a_strip_is_torn_by_mentions():
    picture = draw.torn("{a b c d e f} {g}", "{a b} {c d e} {g}")
    assert picture.description.endswith(
        "K1: {c d e} in R2, {a b} in R1, {f} missing; K2: {g} in R3."
    )
    many = draw.torn([range(30)], [range(20)])
    assert many.description.endswith("K1: 20 in R1, 10 missing.") and not many.examples
    for svg in (picture.svg, picture.narrow):
        pieces = elements(svg, "path", **{"stroke-width": "2"})
        lengths = []
        for piece in pieces:
            across = [float(x) for x in re.findall(r"[ML]([\d.]+)", piece["d"])]
            lengths.append((across[5] + across[6]) / 2 - (across[0] + across[1]) / 2)
        assert lengths[0] == pytest.approx(1.5 * lengths[1], rel=0.1)
        assert [each["stroke"] for each in pieces] == [
            DAY["key"], DAY["key"], DAY["loss"], DAY["key"]
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (lambda: draw.five("{a b c d e f g h i j k l m}", "{a}"), "more than twelve mentions"),
        (lambda: draw.dots({"": {"one": [30]}}, LEAD), "30 is outside of the axis"),
    ],
)
def test_what_cannot_be_drawn_is_said(drawn, message: str):
    with pytest.raises(CorefError, match=message):
        drawn()
