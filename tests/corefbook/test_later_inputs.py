"""The inputs that were drawn after our choices for other scorers were made, and what they show."""

import random

import pytest
from corefbook import ledger
from corefbook.ledger import load
from corefbook.studies import scorers
from rows import every_row

from corefeval.scorers.bundles import bundles

CONTENT = load(scorers.LATER).content
PAIRS = [(name, m) for name, each in CONTENT["choices"].items() for m in each["measures"]]


def drawn(seed=2026, number=16):
    """The inputs as they were drawn: key and response of one to three documents each.

    No document is on one side only. So what a scorer does with such documents, its `extra`,
    changes none of the values.
    """
    chance = random.Random(seed)
    inputs = {}
    for n in range(1, number + 1):
        key, response = {}, {}
        for d in range(1, chance.randint(1, 3) + 1):
            twice = n > number - 4 and d == 1
            key[f"d{d}"], response[f"d{d}"] = drawn_document(chance, twice)
        inputs[f"drawn-{n}"] = (key, response)
    return inputs


def drawn_document(chance, twice):
    """A key of six to eleven mentions, and a response that errs in some of them."""
    letters = "abcdefghijkl"
    mentions = sorted(chance.sample(letters, chance.randint(6, 11)))
    entities = chance.randint(2, 5)
    in_key = {mention: chance.randrange(entities) for mention in mentions}
    in_response = {}
    for m in letters:
        if m in in_key and chance.random() < 0.85:
            right = chance.random() < 0.7
            in_response[m] = in_key[m] if right else chance.randrange(entities + 1)
        elif m not in in_key and chance.random() < 0.4:
            in_response[m] = chance.randrange(entities + 1)
    key, response = grouped(in_key), grouped(in_response)
    if twice:
        mention = chance.choice(sorted(in_response))
        if others := [entity for entity in response if mention not in entity]:
            chance.choice(others).append(mention)
    return key, response


def grouped(entity_of):
    """Entities as lists of mentions, in the order of their labels."""
    labels = sorted(set(entity_of.values()))
    return [[m for m, entity in entity_of.items() if entity == label] for label in labels]


def test_the_inputs_are_all_that_were_drawn():
    stored = {name: (each.key, each.response) for name, each in scorers.later_inputs().items()}
    assert stored == drawn()


def test_the_first_inputs_are_no_inputs_drawn_later():
    assert not {*scorers.inputs()} & {*scorers.later_inputs()}


@pytest.mark.parametrize("scorer", CONTENT["choices"])
def test_the_choices_are_older_than_the_runs(scorer):
    # Choices that were changed since were made with the output in view: they want new inputs, or
    # must touch none of these.
    then, now = CONTENT["choices"][scorer], bundles()[scorer]
    changed = CONTENT["changed"].get(scorer, {"measures": {}})
    assert then["version"] == now.version
    assert then["conventions"] == now.conventions
    assert then["measures"] | changed["measures"] == now.measures
    assert then.get("documents", "") == now.documents


@every_row("scorer", CONTENT["changed"])
def test_later_choices_touch_no_value(scorer):
    now = bundles()[scorer]
    then = now._replace(measures=CONTENT["choices"][scorer]["measures"])
    names, choice = [*CONTENT["changed"][scorer]["measures"]], now.choice({})
    assert then.metrics(names, choice) != now.metrics(names, choice)
    for given in scorers.later_inputs().values():
        for document, key in given.key.items():
            sides = key, given.response[document]
            scores = [[m(*sides) for m in each.metrics(names, choice)] for each in (then, now)]
            assert scores[0] == scores[1]


@every_row("scorer, measure", PAIRS)
def test_every_input_has_a_value_or_reason(scorer, measure):
    for name in scorers.later_inputs():
        value = scorers.printed(name, measure)[scorer]
        assert scorers.numbers(value) or value == "one document at a time"


def test_only_the_last_inputs_repeat_mentions():
    once, twice = scorers.kinds_of_later_inputs().values()
    assert [*once, *twice] == [*scorers.later_inputs()] and len(twice) == 4


def later():
    return [*load(scorers.LATER).rows()]


def test_every_row_but_the_named_is_reproduced():
    missed = {row.place for row in later() if row.verdict == "missed"}
    assert missed == {"neleval, a mention twice", "scorch_functions, a mention twice"}
    assert {row.verdict for row in later()} == {"reproduced", "missed"}


def test_a_value_that_was_not_printed_fails(monkeypatch):
    # Each printed triple in turn is another: the row that counts it fails.
    printed, changed = scorers.printed, {}

    def spoiled(name, measure):
        values = printed(name, measure)
        if name == changed["name"]:
            shifted = {
                scorer: " ".join(f"{abs(x - 0.25):.6f}" for x in scorers.numbers(value))
                for scorer, value in values.items()
                if scorers.numbers(value)
            }
            return values | shifted
        return values

    monkeypatch.setattr(scorers, "printed", spoiled)
    for name in scorers.later_inputs():
        changed["name"] = name
        verdicts = {row.verdict for row in later()}
        assert ledger.FAILED in verdicts, name
    once, _ = scorers.kinds_of_later_inputs().values()
    changed["name"] = once[0]
    assert all(r.verdict == ledger.FAILED for r in later() if r.place.endswith("once"))


def test_another_choice_fails(monkeypatch):
    e2e = bundles()["e2e"]
    other = e2e._replace(measures={measure: {} for measure in e2e.measures})
    monkeypatch.setitem(bundles(), "e2e", other)
    monkeypatch.setattr(scorers, "_ours", scorers._ours.__wrapped__)  # nothing is kept
    rows = load(scorers.LATER).rows(places=("e2e, each",))
    failed = {row.label for row in rows if row.verdict == ledger.FAILED}
    assert failed == {"B³", "CEAFₑ", "LEA"}
