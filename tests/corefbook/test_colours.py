"""One language of colours: pages, drawings and charts take theirs from one file, and all read."""

import re
from itertools import combinations
from pathlib import Path

from corefbook.colours import DAY, MARKS, NIGHT, SERIES

import corefeval

ROOT = Path(__file__).parents[2]
PLACES = ["book/_static", "book/_ext", "book/_templates", "book/corefbook", "book/playground"]
ENDS = {".css", ".js", ".py", ".html", ".svg", ".mjs"}
GROUNDS = {"paper", "ink", "link-on-tint"}
"""What is no mark on a page: the page, its text, and a link on a tint."""
WHITE, BLACK = "#ffffff", "#121212"


def channels(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    shares = [c / 255 for c in channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_day_colour_has_a_night_colour():
    assert [*DAY] == [*NIGHT] and {"key", "response", "agreement", "loss"} < {*DAY}


def test_colours_are_seen_on_their_pages():
    for name in {*DAY} - GROUNDS:
        assert contrast(DAY[name], WHITE) >= 4.5, name  # the text on it is white
        assert all(contrast(DAY[name], page) >= 3 for page in (BLACK, "#14181e", "#1c1c1c")), name
        assert all(contrast(NIGHT[name], page) >= 4.5 for page in (BLACK, NIGHT["paper"])), name


def test_colours_differ_and_series_are_greyer():
    meant = ["key", "response", "agreement", "loss", "below", "above"]
    for of in (DAY, NIGHT):
        assert all(of[one] != of[other] for one, other in combinations([*meant, "neutral"], 2))
    spread = {name: max(channels(c)) - min(channels(c)) for name, c in DAY.items()}
    greyest = min(spread[name] for name in meant)
    assert all(
        max(channels(c)) - min(channels(c)) < greyest for c in (*SERIES, *map(DAY.get, MARKS))
    )


def test_every_colour_is_in_the_file():
    known = {*DAY.values(), *NIGHT.values()}
    triples = {tuple(map(int, channels(colour))) for colour in known}
    seen = 0
    for place in PLACES:
        for path in (ROOT / place).rglob("*"):
            inside = path.relative_to(ROOT).as_posix()
            if path.suffix not in ENDS or "node_modules" in inside or path.name == "colours.css":
                continue
            text = path.read_text(encoding="utf-8")
            for colour in re.findall(r"""[ "'(]#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b["'; ,)]""", text):
                assert f"#{colour}" in known, f"{inside}: #{colour} is not in colours.css"
                seen += 1
            for three in re.findall(r"\b(?:rgb|hsl)a?\((\d+),? +(\d+),? +(\d+)", text):
                assert tuple(map(int, three)) in triples, f"{inside}: {three} is not in colours.css"
                seen += 1
    assert seen  # the icons have some


def test_the_page_of_errors_has_the_same_colours():
    page = corefeval.anatomy({"d": "{a b} {c}"}, {"d": "{a} {b c}"}).to_html()
    in_page = {*re.findall(r"#[0-9a-f]{3,6}\b", page)}
    assert in_page == {colours[side] for colours in (DAY, NIGHT) for side in ("key", "response")}
