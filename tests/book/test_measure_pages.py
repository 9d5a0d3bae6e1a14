"""Each measure has a page, which says what the library and the chapters say."""

import inspect
import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from urllib.parse import urlsplit

import formulas
import measure_data
import pytest
from companion.enumeration import pairs_up_to
from docutils.nodes import make_id
from sphinx.errors import ExtensionError
from strategies import read
from test_book import ROOT, parsed, words

from corefeval import metric
from corefeval.registry import MEASURES

every_measure = pytest.mark.parametrize("name", MEASURES)


def page(name: str) -> str:
    return f"measures/{name}.html"


def part(name: str, heading: str) -> Any:
    (found,) = parsed(page(name)).xpath(f"//article//section[h2[starts-with(., '{heading}')]]")
    return found


@every_measure
def test_a_measure_has_its_page(name):
    body = parsed(page(name)).xpath("//article")[0]
    assert MEASURES[name].title in words(body.xpath(".//h1")[0])
    if not measure_data.of(name).formula:
        formula = inspect.getdoc(MEASURES[name].formula).splitlines()[0].strip("`")
        assert "".join(formula.replace("`", "").split())[:40] in "".join(words(body).split())
    addresses = body.xpath(".//a/@href")
    assert any(address.startswith("../bibliography.html#") for address in addresses)
    assert any((ROOT / "book" / f"{urlsplit(a).path[3:-5]}.ipynb").is_file() for a in addresses)
    assert "@measure(" in words(body.xpath(".//details")[0])
    assert body.xpath(".//figure[@class='drawing']/img/@alt")


@every_measure
@pytest.mark.parametrize(
    "heading",
    ["Definition", "Example", "What changes it", "When to report it", "Who proposed it", "To cite"],
)
def test_a_page_answers_every_question(name, heading):
    said = [words(each) for each in part(name, heading).xpath(".//p | .//pre | .//dd | .//li")]
    assert any(said)


@every_measure
def test_a_page_says_what_the_measure_lets_pass(name):
    headings = [words(each) for each in parsed(page(name)).xpath("//article//h2")]
    (heading,) = [each for each in headings if "it misses" in each]
    # A sentence that announces the next cell of its chapter would hang in the air.
    assert not any(
        words(each).rstrip("#").endswith(":") for each in part(name, heading[:10]).xpath(".//li")
    )


@every_measure
def test_the_index_leads_to_the_page_and_the_old_address_still_does(name):
    (row,) = parsed("measures.html").xpath(f"//*[@id='{make_id(f'measure-{name}')}']")
    assert row.xpath(".//a/@href") == [page(name)]
    assert words(row.xpath("td")[0]) == name


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
    for name, measure in MEASURES.items():
        written = inspect.getdoc(measure.formula).split("\n\n")[0]
        if not re.search("Σ|over| / |½", written):
            continue
        said = formulas.IN_WORDS.sub("", written)
        typeset = signs(measure_data.of(name).formula)
        assert typeset == signs(said), f"{name}: the front matter has another formula"
        assert parsed(page(name)).xpath("//article//div[contains(@class, 'math')]"), name
        assert parsed("measures.html").xpath(
            f"//*[@id='{make_id(f'measure-{name}')}']//span[contains(@class, 'math')]"
        ), name


def test_latex_that_papers_print_is_typeset_in_the_ledger():
    latex = "contains(., '\\frac') or contains(., '\\sum')"
    cells = parsed("ledger.html").xpath(f"//table[@id='figures']//td[{latex}]")
    assert len(cells) > 3
    for cell in cells:
        (formula,) = cell.xpath("span[contains(@class, 'math')]")
        assert formula.text.startswith("\\(") and not formula.xpath("*")


# The data of a measure


def test_front_matter_is_read():
    data = measure_data.parsed("---\nderived_in: lea#ties\n---\n## When to report it\n", "x.md")
    assert (data.chapter, data.section, data.own_judgement) == ("lea", "ties", True)
    assert measure_data.of("blanc").extended_by.cite == "luo-2014"
    assert measure_data.judged() == ["muc", "b3", "ceafm", "ceafe", "blanc", "lea"]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            "<!-- generated: measure lea -->\n",
            r"x\.md: expected front matter with derived_in, found none",
        ),
        ("---\nformula: x\n---\n", r"x\.md: .* derived_in, found formula"),
        ("---\nderived_in: lea\nsymbol: L\n---\n", r"x\.md: symbol is unknown; .* or extended_by"),
    ],
)
def test_front_matter_with_a_fault_is_told(page, message):
    with pytest.raises(ExtensionError, match=message):
        measure_data.parsed(page, "x.md")


def test_a_measure_without_a_page_is_told_what_to_write():
    with pytest.raises(ExtensionError, match=r"write book/measures/none\.md as corefeval/"):
        measure_data.of("none")


# What changes it


def changed_by(name: str) -> set[str]:
    (fact,) = parsed(page(name)).xpath("//article//dt[.='Changed by']")
    return set(fact.getnext().xpath(".//a//code/span/text() | .//a/span/text()"))


def test_what_changes_a_measure_is_what_the_papers_say():
    assert "singletons" not in changed_by("muc") | changed_by("c")  # Popescu-Belis, PROP.13
    assert "singletons" in changed_by("b3")
    assert all("repeated" in changed_by(name) for name in MEASURES)


@every_measure
def test_the_pair_that_is_0_over_0_is(name):
    for fact in parsed(page(name)).xpath("//article//dt[.='0/0']"):
        key, response = re.findall(r"\{.*?\}(?: \{.*?\})*", words(fact.getnext()))
        assert metric(name, zero="zero")(key, response) != metric(name, zero="one")(key, response)


# From sets


def both_ways(function: Callable[..., Any]) -> Callable[[str, str], list[Any]]:
    return lambda key, response: [function(key, response), function(response, key)]


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
"""How the functions that a page shows are called."""


SAME_MENTIONS = ("kappa", "c", "xc", "h", "dmt")
"""The manuscript defines its measures for two sides of the same mentions, and its page says so."""


def tally(found: Any) -> Fraction:
    return Fraction(found.hits, found.total)


@pytest.mark.parametrize(
    ("most", "least"), [(4, 50), pytest.param(5, 100, marks=pytest.mark.proof)]
)
@pytest.mark.parametrize("name", CALLS)
def test_the_lines_from_sets_run_by_themselves_and_give_the_librarys_score(name, most, least):
    shown = part(name, "From sets")
    assert ("of the same mentions" in words(shown)) == (name in SAME_MENTIONS)
    code = shown.xpath(".//pre")[0].text_content()
    of: dict[str, Any] = {}
    exec(code, of)
    call = CALLS[name](of)
    tried = 0
    for key, response in pairs_up_to(most):
        if name in SAME_MENTIONS and key.mentions != response.mentions:
            continue
        try:
            found = call(str(key), str(response))
        except ZeroDivisionError:
            continue
        if not found:  # BLANC has no class for a key without pairs
            continue
        # 0/0 stops the lines of these, or they make it 1, as the manuscript does.
        zero = "one" if name in ("muc", "pairwise", "c", "xc", "h", "dmt") else "zero"
        score = metric(name, zero=zero)(key, response)
        expected = [score.value] if len(found) == 1 else [score.recall, score.precision]
        assert [float(x) for x in found] == pytest.approx([float(x) for x in expected])
        tried += 1
    assert tried > least


def test_the_lines_from_sets_import_nothing_that_they_bind_themselves():
    for name in CALLS:
        code = part(name, "From sets").xpath(".//pre")[0].text_content()
        assert "companion" not in code
        for imported in re.findall(r"^from \S+ import (\w+)$", code, re.MULTILINE):
            bound = rf"^ +[\w, ]*\b{imported}\b[\w, ]* = "
            assert not re.search(bound, code, re.MULTILINE), f"{name}: {imported}"


def test_every_measure_that_a_chapter_derives_shows_its_lines():
    shown = {
        name
        for name in MEASURES
        if parsed(page(name)).xpath("//section/h2[starts-with(., 'From sets')]")
    }
    assert shown == set(CALLS)


# What the pages say in words of their own


def test_what_the_pages_say_of_a_measure_is_so():
    crossed = "{a b} {c d}", "{a c} {b d}"
    alone = "{a b} {c d}", "{a} {b} {c} {d}"
    assert metric("mentions")(*crossed).exact.f1 == 1
    assert metric("h")(*alone).exact.precision == 1 and metric("h")(*alone).recall > 0.4
    assert metric("dmt")(*crossed).exact.value == 1
    assert metric("xc")(*crossed).exact.f1 == Fraction(1, 2)
    assert metric("kappa")(*crossed).value < -1
    for name in ("kappa", "xc", "h"):
        whole = metric(name)("{a b} {c d} {e}", "{a b c} {d} {e}")
        assert metric(name)("{a b} {c d} {e}", "{a b c} {d}") == whole
    nearly = "{a b c} {d e f}", "{a b} {d e}"
    assert metric("ceaf1")(*nearly).exact.f1 == 0 and metric("ceaf2")(*nearly).exact.f1 == 1
