"""The page of what scorers print says what is stored of them, and tells computed scores apart."""

import subprocess
import sys
import tomllib
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import pytest
from corefbook.ledger import DATA
from corefbook.studies import behaviours
from strategies import read
from test_book import HTML, parsed, words

from corefeval.registry import MEASURES

PAGE = "scorers.html"
STORED = {}
for file in ("values", "later"):
    STORED |= tomllib.loads((DATA / "public_scorers" / f"{file}.toml").read_text("utf-8"))


def section(name: str):
    (place,) = parsed(PAGE).xpath(f"//section[@id='input-{name}' or span[@id='input-{name}']]")
    return place


def rows_of(name: str, kind: str):
    """The measure, the score and the words behind it of each row of a kind."""
    for row in section(name).xpath(f".//tr[@class='is-{kind}']"):
        yield [words(cell) for cell in row]


def test_the_suite_is_downloaded_whole_and_runs(tmp_path):
    (link,) = parsed(PAGE).xpath("//a[@download and contains(@href, 'conformance')]")
    with ZipFile(HTML / link.get("href")) as packed:
        packed.extractall(tmp_path)
    folder = DATA / "conformance"
    names = {path.name for path in folder.iterdir() if path.is_file()}
    assert {path.name for path in (tmp_path / "conformance").iterdir()} == names
    command = [sys.executable, "-S", "conformance/run.py", "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "--python" in done.stdout


INPUTS = [each.name for each in behaviours.opened()]
BY_TITLE = {measure.title: name.removesuffix("_both") for name, measure in MEASURES.items()}


@pytest.mark.parametrize("name", INPUTS)
def test_printed_scores_are_stored_of_those_scorers(name):
    printed = [*rows_of(name, "printed")]
    assert printed
    for title, score, whose in printed:
        stored = STORED[name][BY_TITLE[title]][score].split()
        assert whose == f"printed by {', '.join(stored)}"


def test_computed_scores_were_printed_by_no_scorer():
    checked = 0
    for name in INPUTS:
        for title, _, whose in rows_of(name, "computed"):
            by = whose.removeprefix("computed by the rules for ").split(", ")
            values = STORED[name].get(BY_TITLE[title], {}).values()
            assert {*by}.isdisjoint({scorer for each in values for scorer in each.split()})
            checked += 1
    assert checked
    assert {e.getparent().getparent().get("class") for e in parsed(PAGE).xpath("//td/em")} == {
        "is-computed"
    }


@pytest.mark.parametrize("scorer", behaviours.scorers())
def test_a_cell_opens_an_input_scored_otherwise(scorer):
    row = parsed(PAGE).xpath(f"//tr[@id='scorer-{scorer}']")[0]
    where = [words(head) for head in row.xpath("ancestor::table/thead//th")][1:]
    cells = row.xpath("td")
    assert len(cells) == len(where)
    for link in row.xpath(".//a"):
        equal, asked = words(link).split(" of ")
        assert int(equal) < int(asked)
        name = link.get("href").removeprefix("#input-")
        assert where[cells.index(link.getparent())] in words(section(name))
        by = [
            whose.removeprefix("printed by ").split(", ") for *_, whose in rows_of(name, "printed")
        ]
        assert scorer in {each for scorers in by for each in scorers}


def test_equal_means_equal_to_the_printed_digits():
    case = {"measure": "b3", "recall": "5/12", "precision": "1/2", "f1": "5/11"}
    assert behaviours.is_equal(case, "0.416667 0.500000 0.454545")
    assert behaviours.is_equal(case, "0.4166 0.5000 0.4545")
    assert behaviours.is_equal(case, "0.5000 0.4166 0.4545") is False
    assert behaviours.is_equal(case, "refused") is None


@pytest.mark.proof
def test_an_input_opens_in_the_playground():
    opened = 0
    for name in INPUTS:
        for address in section(name).xpath(".//a[starts-with(@href, 'playground.html')]/@href"):
            state = parse_qs(urlsplit(address).fragment)
            (case,) = [each.case for each in behaviours.opened() if each.name == name]
            for side in ("key", "response"):
                ((document, entities),) = case[side].items()
                assert {*read(state[side][0])} == {*map(frozenset, entities)}, document
            opened += 1
    assert opened > 5
