"""Scores by kind: if one of these failed, parts would not add up, or be those of other entities."""

import csv
import io
import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from test_cli import document

from corefeval import CorefError, anatomy
from corefeval.analysis.dissect.costs import ATTRIBUTABLE
from corefeval.analysis.dissect.groups import ADDED, SIZES, size_name
from corefeval.contingency import KEY, RESPONSE
from corefeval.measures.blanc import LinkClasses

MEASURES = list(ATTRIBUTABLE)


def drawn(number: random.Random, first: str) -> list[set[str]]:
    """Entities of up to 12 mentions, of which the other side lacks some."""
    entities: dict[int, set[str]] = {}
    for mention in range(12):
        if number.random() < 0.85:
            entities.setdefault(number.randrange(number.choice([1, 3, 9])), set()).add(
                f"{first}{mention}"
            )
    return list(entities.values())


def links(mentions):
    return {frozenset(pair) for pair in combinations(sorted(mentions), 2)}


def hits_and_totals(measure, entity, side, others):
    """What an entity brings to its side, from the sets themselves."""
    parts = [entity & other for other in others if entity & other]
    shared = sum(map(len, parts))
    if measure == "mentions":
        return [(shared, len(entity))]
    if measure == "muc":
        return [(shared - len(parts), len(entity) - 1)]
    if measure == "b3":
        return [(Fraction(sum(len(part) ** 2 for part in parts), len(entity)), len(entity))]
    within = [part for part in parts if len(part) > 1]
    found = sum(len(links(part)) for part in within)
    if measure == "pairwise":
        return [(found, len(links(entity)))]
    if measure == "lea":
        if len(entity) == 1:
            return [(int(entity in others), 1)]
        return [(Fraction(len(entity) * found, len(links(entity))), len(entity))]
    assert measure == "blanc"
    every, there = set().union(*side), set().union(*others)
    same = set().union(*map(links, others))
    leaving = [frozenset((a, b)) for a in entity for b in every - entity]
    right = [link for link in leaving if link <= there and link not in same]
    return [
        (found, len(links(entity))),
        (Fraction(len(right), 2), Fraction(len(leaving), 2)),
    ]


def sums(rows):
    """The sums of hits and of totals, class by class."""
    return [tuple(map(sum, zip(*of_class, strict=True))) for of_class in zip(*rows, strict=True)]


def check(case: int) -> None:
    number = random.Random(case)
    documents = {name: (drawn(number, name), drawn(number, name)) for name in "de"}
    key, response = ({name: of[side] for name, of in documents.items()} for side in (0, 1))
    taken_apart = anatomy(key, response, MEASURES)
    report, found = taken_apart.report, taken_apart.by("size").parts
    for measure in MEASURES:
        counts = report[measure].counts
        classes = list(counts) if isinstance(counts, LinkClasses) else [counts]
        for side, ratio in (
            (KEY, report[measure].exact.recall),
            (RESPONSE, report[measure].exact.precision),
        ):
            of_side = {name: both[side] for name, both in found[measure].items()}
            where = case, measure, side
            whole = sums([each.tallies for each in of_side.values() if each.tallies])
            assert whole == [tuple(of_class[side]) for of_class in classes], where
            if all(of_class[side].total for of_class in classes):  # else some ratio is 0/0
                assert sum(each.loss for each in of_side.values()) == 1 - ratio, where
            if measure.startswith("ceaf"):
                continue  # an alignment may be one of several
            expected: dict[str, list] = {}
            for of in documents.values():
                for entity in of[side]:
                    row = hits_and_totals(measure, entity, of[side], of[1 - side])
                    expected.setdefault(size_name(len(entity)), []).append(row)
            for name, rows in expected.items():
                assert of_side[name].entities == len(rows), where
                assert [tuple(each) for each in of_side[name].tallies] == sums(rows), where


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("many", [200, pytest.param(10_000, marks=pytest.mark.proof)])
def test_groups_are_those_of_the_sets_and_add_up(many):
    for case in range(many):
        check(case)


KEYS, RESPONSES = {"d": "{a b c} {d e} {x}"}, {"d": "{a b} {c d e} {y z}"}


def test_what_conventions_make_is_a_group_of_its_own():
    found = anatomy(KEYS, RESPONSES, "b3", twinless="complete").by(lambda entity: entity.side)
    assert {name: (k.entities, r.entities) for name, (k, r) in found.parts["b3"].items()} == {
        ADDED: (2, 1),
        "key": (3, 0),
        "response": (0, 3),
    }
    sizes = anatomy(KEYS, RESPONSES, "b3", twinless="complete").by("size").parts["b3"]
    assert sizes["1"][KEY].entities == 3


def test_what_cannot_be_split_is_refused():
    with pytest.raises(CorefError, match=r"'conll' cannot be attributed .* try -m muc"):
        anatomy(KEYS, RESPONSES, "conll").by()
    with pytest.raises(CorefError, match="does not add up documents' counts"):
        anatomy(KEYS, RESPONSES, "muc", average="mean").by()
    for what in ("colour", "type", {"b": "one"}, ["x"], None, 3):
        with pytest.raises(CorefError, match="expected 'size', 'etype' or a function"):
            anatomy(KEYS, RESPONSES).by(what)


def test_the_command_splits_by_size(folder, run):
    Path("key.conll").write_text(document("(1) (1) (2)"))
    Path("response.conll").write_text(document("(1) (1) (1)"))
    files = ["score", "key.conll", "response.conll", "--metric", "b3", "--by", "size"]
    assert run(*files)[1].splitlines()[1:4] == [
        "b3       1       1  100.00  0.00         0          —   0.00",
        "b3       2       1  100.00  0.00         0          —   0.00",
        "b3       3–5     0       —  0.00         1      55.56  44.44",
    ]
    told = json.loads(run(*files, "--format", "json")[1])
    assert told["metrics"]["b3"]["3–5"]["precision"] == pytest.approx(5 / 9)
    rows = list(csv.DictReader(io.StringIO(run(*files, "--format", "csv")[1])))
    assert [each["size"] for each in rows] == list(SIZES[:3])
    assert run(*files, "--format", "markdown")[1].startswith("| measure")
    assert "leave out --resamples" in run(*files, "--resamples", "100")[2]
    assert list(anatomy(KEYS, RESPONSES).by().to_frame().columns)[1] == "size"


def typed(name, *marks):
    """A document of CorefUD: of each word what stands in ``Entity=``."""
    row = "{}\tw" + "\t_" * 7 + "\tEntity={}"
    rows = "\n".join(row.format(n, mark) for n, mark in enumerate(marks, 1))
    return f"# newdoc id = {name}\n# global.Entity = eid-etype-head\n{rows}\n\n"


def test_types_of_corefud(tmp_path, run):
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(
        typed("d", "(e1-person-1)", "(e1-person-1)", "(e2-place-1)(e3--1)")
        # The first type of an entity is its type.
        + typed("e", "(e1-place-1)", "(e1-place-1)", "(e1-thing-1)"),
        "utf-8",
    )
    response.write_text(
        typed("d", "(x-place-1)", "(x-place-1)", "(x-place-1)")
        + typed("e", "(y-place-1)", "(y-place-1)", "(z-place-1)"),
        "utf-8",
    )
    with pytest.raises(CorefError, match="no entity has a type"):
        anatomy(KEYS, RESPONSES).by("etype")
    with pytest.raises(CorefError, match="document 'd' the key has mentions in two entities"):
        anatomy(key, response, "muc", repeated="first").by("etype")
    found = anatomy(key, response, "muc", repeated="once_each").by("etype").parts["muc"]
    tallies = {n: (k.tallies, r.tallies) for n, (k, r) in found.items()}
    assert tallies == {
        "other": (((0, 0),), ()),
        "person": (((1, 1),), ()),
        "place": (((1, 2),), ((2, 3),)),
    }
    command = ["score", key, response, "--by", "etype", "--metric", "muc"]
    assert run(*command, "--repeated", "once_each")[1].splitlines()[:3:2] == [
        "measure  etype   key  recall   lost  response  precision   lost",
        "muc      person    1  100.00   0.00         0          —   0.00",
    ]
