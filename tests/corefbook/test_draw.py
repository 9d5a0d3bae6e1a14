"""The drawings: what an outline encloses, and what can be read and by whom."""

import os
import re
import subprocess
import sys
from fractions import Fraction
from html import unescape
from itertools import combinations

import pytest
from corefbook import draw
from corefbook.draw import (
    Drawing,
    alignment,
    credits,
    links,
    overlap,
    relative_partition,
    row,
)
from corefbook.draw.grids import Half
from corefbook.draw.shapes import Line, Loop, Outline, Pill
from corefbook.ledger import Example
from corefbook.papers.baldwin1998 import credit
from hypothesis import given
from rows import every_row
from strategies import Pair, pairs

from corefeval import CorefError, metric
from corefeval.overlap.partition import as_partition

EXAMPLES = {
    "vilain-1995, first complex example": (
        "{B C D E G H J}",
        "{A B C} {D E F} {G H I}",
    ),
    "vilain-1995, Figure 1": ("{A B C} {D E F G}", "{A B} {C D} {F G H}"),
    "bagga-baldwin-1998, first response": (
        "{1 2 3 4 5} {6 7} {8 9 A B C}",
        "{1 2 3 4 5} {6 7 8 9 A B C}",
    ),
    "bagga-baldwin-1998, second response": (
        "{1 2 3 4 5} {6 7} {8 9 A B C}",
        "{1 2 3 4 5 8 9 A B C} {6 7}",
    ),
    "popescu-belis-1999, guidebook": (
        "{1 2} {3 4 5} {6 7 8 9 10 11 12} {13 14 15 16 17}",
        "{1 2 6 7 8 9 10} {3 4 5 11 12 13 14 15 16} {17}",
    ),
    "pradhan-2014": ("{a b c} {d e f g}", "{a b} {c d} {f g h i}"),
    "every entity across every other": ("{a b c} {d e f} {g h i}", "{a d g} {b e h} {c f i}"),
    "bands that pass by": ("{a p} {b q} {c r} {P} {Q} {R}", "{a b c} {p P} {q Q} {r R}"),
    "bands that pass by, turned": ("{a b c} {p P} {q Q} {r R}", "{a p} {b q} {c r} {P} {Q} {R}"),
    "long names": ("{<Bill> he Mr.&Clinton} {Hillary she}", "{<Bill> he Hillary} {she her}"),
    "many singletons": (" ".join(f"{{{n}}}" for n in range(20)), "{0 1} {2} {20 21}"),
}
every_example = pytest.mark.parametrize(("key", "response"), EXAMPLES.values(), ids=list(EXAMPLES))


def within(inner, outer) -> bool:
    """A box inside another, 1 px or more from its edge; the corners of both are rounded alike."""
    return (
        outer[0] + 1 <= inner[0]
        and outer[1] + 1 <= inner[1]
        and inner[2] <= outer[2] - 1
        and inner[3] <= outer[3] - 1
    )


def apart(one, other, by=0.0) -> bool:
    return (
        one[2] + by <= other[0]
        or other[2] + by <= one[0]
        or one[3] + by <= other[1]
        or other[3] + by <= one[1]
    )


def of(kind: type, drawing: Drawing) -> list:
    """The shapes of one kind."""
    return [shape for shape in drawing.shapes if isinstance(shape, kind)]


def assert_apart(shapes, by=2.0) -> None:
    for one, other in combinations(shapes, 2):
        assert apart(one.box, other.box, by=by), (one, other)


def assert_well_drawn(drawing: Drawing) -> None:
    """What must hold of every picture of sets, whatever the sets."""
    outlines, pills = of(Outline, drawing), of(Pill, drawing)
    mentions = [pill for pill in pills if pill.role == "mention"]
    for outline in outlines:
        held = {str(m) for m in outline.mentions}
        x0, y0, x1, y1 = outline.box
        # A pill is the points within its radius of a segment, and so is what a rounded outline
        # leaves of itself: with this, a pill in the box is also clear of the rounded corners.
        assert outline.radius <= min(x1 - x0, y1 - y0) / 2 + 0.1
        for pill in mentions:
            if pill.text in held:
                assert within(pill.box, outline.box), (pill, outline)
                slack = min(pill.box[0] - x0, x1 - pill.box[2], pill.box[1] - y0, y1 - pill.box[3])
                assert outline.radius <= 15 + slack + 0.1  # concentric corners, or closer ones
            else:
                assert apart(pill.box, outline.box, by=4), (pill, outline)
    assert_apart(pills)
    for role in {outline.role for outline in outlines}:
        assert_apart([outline for outline in outlines if outline.role == role], by=4)


def assert_labels_on_their_bands(drawing: Drawing) -> None:
    """A label touches one outline, its own."""
    for pill in of(Pill, drawing):
        if pill.role in ("key", "response"):
            touched = [
                outline for outline in of(Outline, drawing) if not apart(pill.box, outline.box)
            ]
            assert [outline.role for outline in touched] == [pill.role], pill


@every_example
def test_an_outline_encloses_its_mentions_alone(key: str, response: str) -> None:
    whole = overlap(key, response)
    for role, text in (("key", key), ("response", response)):
        expected = [frozenset(entity) for entity in as_partition(text)]
        assert [o.mentions for o in of(Outline, whole) if o.role == role] == expected
    for drawing in (
        whole,
        overlap(key),
        relative_partition(key, response),
        relative_partition(key, response, "response"),
    ):
        assert_well_drawn(drawing)
        assert_labels_on_their_bands(drawing)


@given(pairs())
def test_so_it_is_for_any_key_and_response(pair: Pair) -> None:
    key, response = (sorted(map(sorted, entities)) for entities in pair)
    if key or response:
        assert_well_drawn(overlap(key, response))
        assert_labels_on_their_bands(overlap(key, response))
    for side, entities in (("key", key), ("response", response)):
        if entities:
            assert_well_drawn(relative_partition(key, response, side))


@every_example
def test_the_svg_has_what_the_drawing_has(key: str, response: str) -> None:
    drawing = overlap(key, response)
    svg = drawing.svg
    texts = [unescape(text) for text in re.findall("<text[^>]*>([^<]*)</text>", svg)]
    k, r = as_partition(key), as_partition(response)
    labels = [f"K{n + 1}" for n in range(len(k))] + [f"R{n + 1}" for n in range(len(r))]
    assert sorted(texts) == sorted([*map(str, k.mentions | r.mentions), *labels])
    assert svg.count("<rect") == len(drawing.shapes)
    assert f"<title>{drawing.description}</title>" in unescape(svg)
    assert 'role="img"' in svg
    width, height = map(float, re.findall(r'<svg[^>]* width="(\d+)" height="(\d+)"', svg)[0])
    assert width <= 6.8 * 96
    number = r'="([\d.]+)"'
    rectangle = f"<rect x{number} y{number} width{number} height{number}"
    for x, y, w, h in re.findall(rectangle, svg):
        assert float(x) + float(w) <= width
        assert float(y) + float(h) <= height


@every_example
def test_the_parts_stay_where_the_whole_has_them(key: str, response: str) -> None:
    """Figures 1 to 3 of the MUC paper are compared by eye: a mention must not move."""

    def spots(drawing: Drawing) -> dict[str, tuple[float, ...]]:
        return {s.text: s.box for s in drawing.shapes if getattr(s, "role", "") == "mention"}

    whole = spots(overlap(key, response))
    for side in ("key", "response"):
        part = relative_partition(key, response, side)
        assert spots(part).items() <= whole.items()


def test_chosen_subsets_alone_are_marked() -> None:
    drawing = relative_partition("{a b c} {d}", "{a b} {c d}", chosen=[{"b", "a"}, "d"])
    marked = [o.mentions for o in of(Outline, drawing) if o.role == "chosen"]
    assert marked == [{"a", "b"}, {"d"}]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("{a b c} {d e f g}", "{a b} {c d} {f g h i}"),
        ("{a b} {c d}", "{a c} {b d}"),  # lines that cross
        ("{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}"),
    ],
)
def test_no_similarity_covers_another_or_an_entity(key: str, response: str) -> None:
    drawing = alignment(key, response, lambda n, k, r: Fraction(2 * n, k + r))
    weights = [pill for pill in of(Pill, drawing) if pill.role == "caption"]
    assert len(weights) >= 3
    for one, other in combinations(of(Pill, drawing), 2):
        assert apart(one.box, other.box, by=0), (one, other)


def test_links_are_drawn_once_each() -> None:
    drawing = links("ABCD", "A-B C-D", missing=[("B", "D")], side="response")
    assert [line.role for line in of(Line, drawing)] == ["possible"] * 3 + ["response"] * 2 + [
        "missing"
    ]
    assert drawing.svg.count("stroke-dasharray") == 1
    assert_apart(of(Pill, drawing))


def test_a_link_to_itself_is_a_loop() -> None:
    drawing = links("AB", [("A", "A")], missing=[("B", "B")])
    loops = of(Loop, drawing)
    assert [loop.role for loop in loops] == ["key", "missing"]
    assert all(within(loop.box, drawing.box) for loop in loops)
    assert drawing.description.endswith("linked in the key: A–A; missing: B–B.")


def test_on_a_phone_a_row_is_a_column() -> None:
    drawings = [overlap("{a b} {c}", "{a b c}"), overlap("{a b c d}", "{a b c} {d}")] * 2
    drawing = row(drawings, ["one", "two", "three", "four"])
    wide, narrow = (re.findall(r">([^<>\n]+)</text>", svg) for svg in (drawing.svg, drawing.narrow))
    assert sorted(wide) == sorted(narrow) and {"one", "four"} < {*narrow}
    # At 390 pixels, labels of 13.5 pixels are shown with 11 at least.
    width, high = map(float, re.findall(r' width="(\S+)" height="(\S+)"', drawing.narrow)[0])
    assert 13.5 * 358 / width >= 11 and high > width
    assert row(drawings[:1]).narrow == ""


def test_on_a_phone_wide_sets_are_stacked() -> None:
    parts = "{a b c d} {e f g h} {i j k l} {m n}"
    sets = overlap(parts, parts)
    (width,) = map(float, re.findall(r'<svg[^>]* width="(\S+)"', sets.narrow))
    assert sets.width > 500 and 13.5 * 358 / width >= 10
    assert sets.narrow.count("<text") == sets.svg.count("<text")
    # One part has nothing to be stacked: what is as wide as the page allows scrolls, readable.
    lined = alignment("{1 2 3 4 5 6 7 8}", "{1 2 3 4 5 6 7 8 9 10}", lambda n, k, r: n)
    assert lined.width > 500 and lined.narrow == ""
    assert lined.least >= 10 * lined.width / 13.5
    assert 'class="scrolling"' in lined.image and "scrolling" not in sets.image
    assert overlap("{a b}", "{a b}").least == 0


def test_each_pair_of_a_grid_has_two_halves() -> None:
    drawing = draw.pairs(["a", "b", "his"], "{a b} {his}", "{a b his}")
    halves = of(Half, drawing)
    assert [(half.role, half.linked) for half in halves] == [
        ("key", True), ("response", True),
        ("key", False), ("response", True),
        ("key", False), ("response", True),
    ]  # fmt: skip
    words = [pill for pill in of(Pill, drawing) if pill.text == "link"]
    assert len(words) == 4
    assert all(any(within(word.box, half.box) for half in halves) for word in words)
    assert_apart(of(Pill, drawing))


def test_a_grid_omits_halves_of_missing_mentions() -> None:
    drawing = draw.pairs("ab", "{a b}", "{a}")
    assert [half.role for half in of(Half, drawing)] == ["key"]
    assert drawing.description == "Pairs, key and response: a–b link, missing."


@every_example
@every_row("side", ["key", "response"])
def test_credits_can_be_counted_and_add_up(key: str, response: str, side: str) -> None:
    """Below each mention its credit and its weight; the sums at the right are those of B³."""
    example = Example("", {"key": key, "response": response})
    entities = example.key if side == "key" else example.response
    drawing = credits(entities, lambda mention: credit(example, mention, side), side=side)
    outlines, pills = of(Outline, drawing), of(Pill, drawing)
    assert [outline.mentions for outline in outlines] == [frozenset(e) for e in entities]
    assert_well_drawn(drawing)
    sums = [pill for pill in pills if pill.text[:2] in ("= ", "Σ ")]
    assert_labels_on_their_bands(Drawing(tuple(s for s in drawing.shapes if s not in sums), ""))
    weight, together = Fraction(1, len(entities.mentions)), dict.fromkeys(outlines, Fraction(0))
    for mention in (pill for pill in pills if pill.role == "mention"):
        (outline,) = (o for o in outlines if within(mention.box, o.box))
        x, y = (mention.box[0] + mention.box[2]) / 2, mention.box[3]
        below = sorted(
            (p for p in pills if p.box[1] > y and p.box[0] < x < p.box[2]), key=lambda p: p.box[1]
        )[:2]
        assert all(within(pill.box, outline.box) for pill in below)
        assert below[1].text == f"× {weight}"
        together[outline] += Fraction(below[0].text) * weight
    assert [Fraction(pill.text[2:]) for pill in sums[:-1]] == list(together.values())
    score = metric("b3")(key, response)
    total = score.exact.recall if side == "key" else score.exact.precision
    assert sums[-1].text == f"Σ = {total}"
    assert len({round(pill.box[0], 3) for pill in sums}) == 1
    assert drawing.description.endswith(f"Sum: {total}.")


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (lambda: links("AB", "A-C"), "has the mention 'C', which is not among 'A', 'B'"),
        (lambda: links("AB", missing=[("D", "A")]), "has the mention 'D'"),
        (lambda: links("AB", side="truth"), "side='truth': expected 'key' or 'response'"),
        (lambda: relative_partition("{a}", "{a}", "both"), "side='both'"),
        (lambda: relative_partition("{a b}", "{a b}", chosen=["a"]), "chosen=['a']: expected"),
        (lambda: credits("{a}", lambda m: Fraction(1), side="b"), "side='b'"),
        (lambda: row([links("AB")], ["a", "b"]), "2 captions for 1 drawings"),
    ],
)
def test_errors_say_what_was_wrong(drawn, message: str) -> None:
    with pytest.raises(CorefError, match=re.escape(message)):
        drawn()


@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        (links(""), "no mention"),
        (draw.pairs("a", "{a}", "{a}"), "a pair takes two mentions"),
        (overlap("", ""), "neither the key nor the response"),
        (overlap(""), "neither the key nor the response"),
        (relative_partition("", "{a}"), "the key"),
        (relative_partition("{a}", "", "response"), "the response"),
        (row([]), "no drawing"),
        (credits("", lambda m: Fraction(1)), "no mention"),
        (draw.alignment("", "{a}", lambda n, k, r: n), "a side"),
        (draw.five("", "{a}", title="Five."), "a side"),
        (draw.five("{a}", ""), "a side"),
        (draw.torn("", "{a}"), "the key"),
    ],
)
def test_an_empty_side_is_drawn_as_a_sentence(drawn, why: str) -> None:
    assert why in repr(drawn)
    assert why in drawn.svg


def test_an_empty_set_is_no_subset_to_mark() -> None:
    drawing = relative_partition("{a b}", "", chosen=[frozenset()])
    assert "Chosen" not in drawing.description


def in_another_process(scorer: str, seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", scorer],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout.decode()


def test_the_playground_draws_without_matplotlib() -> None:
    scorer = """
import sys
from corefbook import draw
draw.overlap("{a b}", "{a} {b}").svg
assert "matplotlib" not in sys.modules and "numpy" not in sys.modules
"""
    in_another_process(scorer, "1")
