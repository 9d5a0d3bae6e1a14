"""The paper on the software: its numbers, what it cites, and what is left to the owner."""

import re
from pathlib import Path

import pytest
from corefbook.checks import says
from corefbook.studies import people, real, verdicts
from pybtex.database import parse_file

from corefeval import metric
from corefeval.scorers.bundles import bundles

ROOT = Path(__file__).parents[2]
PAPER = (ROOT / "book" / "publishing" / "paper.md").read_text("utf-8")
_, META, BODY = PAPER.split("---\n", 2)


def test_it_cites_what_the_bibliography_has():
    entries = parse_file(str(ROOT / "book" / "references.bib")).entries
    cited = set(re.findall(r"@([\w-]+)", BODY))
    assert cited and cited <= set(entries)


def test_authors_impact_and_disclosure_are_the_owners():
    assert META.count("BY THE OWNER") == 3
    assert BODY.count("TO BE WRITTEN BY THE OWNER") == 3


@pytest.fixture(scope="module")
def values():
    key, response = "{a b c} {d e f g}", "{a b} {c d} {f g h i}"
    six = [metric(m)(key, response).value for m in real.ORDER if m != "conll"]
    fcc = [run["b3"] for run in verdicts.seeds("fcc")]
    without = [run["b3"] for run in verdicts.seeds("fcc", "singletons=drop")]
    agree = people.agreement(*people.annotated_sides("sara-3", "A", "B"))
    return {
        "six measures give F1 from 0.28 to 0.53": [min(six), max(six)],
        "behind a lemma baseline with three of them": [sum(x < 0 for x in fcc)],
        "it is ahead with all five": [sum(x > 0 for x in without)],
        "by an F1 of 78 in MUC, 64 in B³ and 26 in CEAFₑ": [
            round(agree[measure]) for measure in ("muc", "b3", "ceafe")
        ],
        "38 versions and modes of public scorers, from 26 repositories": [
            len(bundles()),
            len({re.split("[ ,]", bundle.scorer)[0] for bundle in bundles().values()}),
        ],
    }


def test_its_numbers_are_computed(values):
    text = " ".join(BODY.split())
    for sentence, each in values.items():
        assert sentence in text, sentence
        assert says(sentence, each), (sentence, each)
