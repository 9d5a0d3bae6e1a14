"""The page of measures says what the library and the chapters say."""

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import from_sets
import measures
import pytest
from corefbook.enumeration import pairs_up_to
from ledger_pages import cells
from pages import unlinked
from sphinx.errors import ExtensionError
from strategies import read
from test_book import ROOT, parsed, words

from corefeval import evaluate, metric
from corefeval.registry import MEASURES

BOOK = ROOT / "book"
every_measure = pytest.mark.parametrize("name", MEASURES)


def part(name: str) -> Any:
    """The section of a measure."""
    at = measures.of(name).id
    (place,) = parsed("measures.html").xpath(f"//article//section[@id='{at}' or span[@id='{at}']]")
    return place


@every_measure
def test_a_measure_leads_to_its_chapter_and_source(name):
    body = part(name)
    assert MEASURES[name].title in words(body.xpath("h2")[0])
    addresses = body.xpath(".//a/@href")
    assert any(address.startswith("bibliography.html#") for address in addresses)
    assert measures.of(name).place in addresses
    assert ">>> metric(" in words(body.xpath(".//pre")[-1]) or ">>> score" in words(body)


@every_measure
@pytest.mark.parametrize("question", ["Counts.", "Misses.", "Use.", "Who proposed it, and"])
def test_a_section_answers_every_question(name, question):
    (said,) = [words(p) for p in part(name).iter("p") if words(p).startswith(question)]
    assert len(said) > len(question) + 20 and said[-1] in '.)?"'


@every_measure
def test_the_index_leads_to_the_section(name):
    rows = parsed("measures.html").xpath("//article//table")[0].xpath(".//tr[td]")
    (row,) = [row for row in rows if words(row.xpath("td")[1]) == name]
    assert row.xpath(".//a/@href")[0] == f"#{measures.of(name).id}"


SIGNS = {"Σ": "sum", "∩": "cap", "·": "cdot", "≠": "neq", "∅": "varnothing", "κ": "kappa"}
SIGNS |= {"φ": "varphi", "½": "12", "ₑ": "e", "−": "-"}


def signs(formula: str) -> str:
    """A formula's letters, digits and operations, without what only says where they stand."""
    text = re.sub(r"\\sum(_\{[^}]*\}|_\w)?", "Σ", formula)
    text = re.sub(r"\\(t?frac|text|operatorname|bigl|bigr|q?quad|,)", "", text)
    text = unicodedata.normalize("NFKC", text.replace("½", "12").replace("Σⱼ", "Σ"))
    text = re.sub(r"\bover\b|[,/]", "", "".join(SIGNS.get(letter, letter) for letter in text))
    return re.sub(r"[\s\\{}()_^]", "", text)


def test_formulas_are_typeset_as_the_docstrings_write_them():
    for name in MEASURES:
        described = measures.of(name)
        said = measures.IN_WORDS.sub("", described.plain_formula)
        assert signs(described.formula) == signs(said), f"{name}: measures.toml has another formula"
        assert part(name).xpath("div[contains(@class, 'math')]"), name
        assert described.in_words in words(part(name))


def test_printed_latex_is_typeset_in_the_ledger():
    latex = "contains(., '\\frac') or contains(., '\\sum')"
    cells = parsed("ledger.html").xpath(f"//table[@id='figures']//td[{latex}]")
    assert len(cells) > 3
    for cell in cells:
        (formula,) = cell.xpath("span[contains(@class, 'math')]")
        assert formula.text.startswith("\\(") and not formula.xpath("*")


# What the book says of a measure


CHAPTERS = {"muc": "muc", "b3": "b-cubed", "blanc": "blanc", "lea": "lea"}


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_measure_is_judged_in_its_chapters_words(name):
    prose = "\n".join(s for kind, s in cells(BOOK, CHAPTERS[name]) if kind == "markdown")
    last = prose.rpartition("## What you now know")[2]
    described = measures.of(name)
    for said in (described.counts, described.misses, described.use):
        assert unlinked(said).casefold() in unlinked(last).replace("**", "").casefold()


def test_what_is_written_of_a_measure_is_read():
    blanc = measures.of("blanc")
    assert (blanc.chapter, blanc.place, blanc.range) == ("blanc", "blanc.html", "[0, 1]")
    assert blanc.extended_by == {"cite": "luo-2014", "purpose": "for missing and spurious mentions"}
    assert measures.of("h").place == "framework.html#h-information"
    sheet = [each.measure.name for each in measures.measures() if each.picture]
    assert sheet == ["muc", "b3", "ceafm", "ceafe", "blanc", "lea"]
    assert [*map(measures.derived, ("ceaf", "framework"))] == ["ceafm", ""]


@pytest.mark.parametrize(
    ("words_of_it", "message"),
    [
        ({}, r"measures\.toml: lea: .* missing .* 'derived_in'"),
        ({"symbol": "L"}, r"measures\.toml: lea has symbol, which is unknown"),
    ],
)
def test_words_with_a_fault_are_told(words_of_it, message):
    with pytest.raises(ExtensionError, match=message):
        measures.described(MEASURES["lea"], words_of_it)


# From sets


def both_ways(function: Callable[..., Any]) -> Callable[[str, str], list[Any]]:
    return lambda key, response: [function(key, response), function(response, key)]


FROM_SETS = {
    "muc": "sets muc",
    "b3": "b3",
    "b3_class": "b3_by_entity",
    "ceafm": "phi3 ceaf",
    "ceafe": "phi4 ceaf",
    "blanc": "blanc",
    "pairwise": "pairwise",
    "lea": "lea_recall",
    "kappa": "sets chance_and_kappa counts",
    "c": "sets c_measure",
    "xc": "sets xc",
    "h": "sets h",
    "dmt": "sets dmt",
}
"""The functions of its chapter that define a measure."""
CALLS: dict[str, Callable[[dict[str, Any]], Callable[[str, str], Any]]] = {
    "muc": lambda of: lambda k, r: [tally(x) for x in of["muc"](read(k), read(r))],
    "b3": lambda of: of["b3"],
    "b3_class": lambda of: of["b3_by_entity"],
    "ceafm": lambda of: lambda k, r: of["ceaf"](k, r, of["phi3"]),
    "ceafe": lambda of: lambda k, r: of["ceaf"](k, r, of["phi4"]),
    "blanc": lambda of: lambda k, r: of["blanc"](read(k), read(r))[:2],
    "pairwise": lambda of: lambda k, r: of["pairwise"](read(k), read(r)),
    "lea": lambda of: both_ways(of["lea_recall"]),
    "kappa": lambda of: lambda k, r: [of["chance_and_kappa"](*of["counts"](read(k), read(r)))[-1]],
    "c": lambda of: both_ways(lambda k, r: tally(of["c_measure"](read(k), read(r)))),
    "xc": lambda of: lambda k, r: [tally(x) for x in of["xc"](read(k), read(r))],
    "h": lambda of: both_ways(lambda k, r: of["h"](read(k), read(r))),
    "dmt": lambda of: lambda k, r: [of["dmt"](read(k), read(r))],
}
"""How the functions of a chapter are called."""


SAME_MENTIONS = ("kappa", "c", "xc", "h", "dmt")
"""The manuscript defines its measures for two sides of the same mentions."""


def tally(counts: Any) -> Fraction:
    return Fraction(counts.hits, counts.total)


@pytest.mark.parametrize(
    ("most", "least"), [(4, 50), pytest.param(5, 100, marks=pytest.mark.proof)]
)
@pytest.mark.parametrize("name", CALLS)
def test_lines_from_sets_give_the_librarys_score(name, most, least):
    namespace: dict[str, Any] = {}
    exec(from_sets.lines(BOOK, measures.of(name).chapter, FROM_SETS[name]), namespace)
    call = CALLS[name](namespace)
    tried = 0
    for key, response in pairs_up_to(most):
        if name in SAME_MENTIONS and key.mentions != response.mentions:
            continue
        try:
            values = call(str(key), str(response))
        except ZeroDivisionError:
            continue
        if not values:  # BLANC has no class for a key without pairs
            continue
        # 0/0 stops the lines of these, or they make it 1, as the manuscript does.
        zero = "one" if name in ("muc", "pairwise", "c", "xc", "h", "dmt") else "zero"
        score = metric(name, zero=zero)(key, response)
        expected = [score.value] if len(values) == 1 else [score.recall, score.precision]
        assert [float(x) for x in values] == pytest.approx([float(x) for x in expected])
        tried += 1
    assert tried > least


# What the pages say in words of their own


def test_statements_about_measures_are_true():
    crossed = "{a b} {c d}", "{a c} {b d}"
    alone = "{a b} {c d}", "{a} {b} {c} {d}"
    assert metric("mentions")(*crossed).exact.f1 == 1
    assert metric("h")(*alone).exact.precision == 1 and metric("h")(*alone).recall > 0.4
    assert metric("dmt")(*crossed).exact.value == 1
    assert metric("xc")(*crossed).exact.f1 == Fraction(1, 2)
    assert metric("kappa")(*crossed).value < -1
    for name in ("kappa", "xc", "h"):
        whole = metric(name)("{a b} {c d} {e}", "{a b c} {d} {e}")
        assert metric(name)("{a b} {c d} {e}", "{a b c} {d}").exact == whole.exact
    nearly = "{a b c} {d e f}", "{a b} {d e}"
    assert metric("ceaf1")(*nearly).exact.f1 == 0 and metric("ceaf2")(*nearly).exact.f1 == 1


def test_pairwise_gives_the_index_of_fowlkes_and_mallows():
    assert "Fowlkes–Mallows" in words(parsed("measures.html").xpath("//article")[0])
    assert "the geometric mean of the recall and the precision of pairwise" in words(
        parsed("measures.html").xpath("//article")[0]
    )
    for key, response in pairs_up_to(4):
        if key.mentions != response.mentions:
            continue
        links = [
            {frozenset(pair) for entity in side.entities for pair in combinations(entity, 2)}
            for side in (key, response)
        ]
        if not all(links):
            continue
        hits = len(links[0] & links[1])
        recall, precision, _ = metric("pairwise")(key, response).exact[:3]
        assert recall * precision == Fraction(hits**2, len(links[0]) * len(links[1]))


def test_links_between_windows_count_nowhere():
    """What the page of recipes says of books: two windows of one entity have no link to miss."""
    whole = evaluate({"book": "{a b c d}"}, {"book": "{a b} {c d}"}, "muc").total["muc"]
    sides = {"window 1": "{a b}", "window 2": "{c d}"}
    assert whole.exact.f1 < 1 == evaluate(sides, sides, "muc").total["muc"].exact.f1
