"""The anatomy of a response's errors: what became of entities, and parts of a loss that add up."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import corefeval
from corefeval import CorefError, anatomy, evaluate, from_labels
from corefeval.conventions import CHOICES
from corefeval.dissect.costs import PRICED
from corefeval.twinless import POLICIES

pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")

KEY = "{a b c d} {e f} {g} {h i}"
RESPONSE = "{a b} {c d e f} {h i} {x y} {z}"


def side(rng, mentions, repeats=False):
    entities = {}
    for mention in range(mentions):
        if rng.random() < 0.75:
            entities.setdefault(rng.randrange(4), []).append((mention, mention))
        if repeats and rng.random() < 0.2:
            entities.setdefault(rng.randrange(4), []).append((mention, mention))
    return list(entities.values())


def corpus(rng, repeats=False):
    names = range(rng.randrange(1, 4))
    key, response = (
        {name: side(rng, rng.randrange(7), repeats) for name in names} for _ in ("key", "response")
    )
    return key, response


def parts(found, measure, side):
    """The costs of a side's entities, and of the singletons that conventions made there."""
    for document in found.documents.values():
        for entity in getattr(document, side):
            yield entity.cost[measure] if measure in entity.cost else Fraction(0)
        for made in document.made:
            if made.side == side:
                yield made.cost.get(measure, Fraction(0))


def adds_up(key, response, **chosen):
    found = anatomy(key, response, **chosen)
    scores = evaluate(key, response, [*PRICED], **chosen).total
    for measure, costs in found.costs.items():
        of_key = sum(parts(found, measure, "key")) + costs.undefined(0)
        of_response = sum(parts(found, measure, "response")) + costs.undefined(1)
        assert of_key == 1 - scores[measure].recall, (measure, key, response, chosen)
        assert of_response == 1 - scores[measure].precision, (measure, key, response, chosen)


@pytest.mark.parametrize("twinless", POLICIES)
def test_parts_add_up_to_what_is_lost(twinless):
    rng = random.Random(twinless)
    for _ in range(60):
        chosen = {name: rng.choice([*CHOICES[name]]) for name in ("zero", "singletons")}
        adds_up(*corpus(rng), twinless=twinless, **chosen)


@pytest.mark.parametrize(
    "repeated", [choice for choice in CHOICES["repeated"] if choice != "error"]
)
def test_parts_add_up_with_repeated_mentions(repeated):
    rng = random.Random(repeated)
    tried = 0
    for _ in range(80):
        key, response = corpus(rng, repeats=True)
        chosen = {"repeated": repeated, "singletons": rng.choice([*CHOICES["singletons"]])}
        try:
            evaluate(key, response, [*PRICED], **chosen)
        except CorefError:  # repeated="reference" scores no key that repeats mentions
            continue
        adds_up(key, response, **chosen)
        tried += 1
    assert tried >= 5


def test_parts_add_up_for_labels():
    rng = random.Random(5)
    for _ in range(50):
        labels = [[rng.choice([-1, 0, 1, 2, 3]) for _ in range(12)] for _ in ("key", "response")]
        found = anatomy(from_labels(*labels))
        scores = evaluate(from_labels(*labels), metrics=[*PRICED]).total
        for measure, lost in found.lost.items():
            assert lost == (1 - scores[measure].recall, 1 - scores[measure].precision)
            for side, entities in enumerate(("key", "response")):
                undefined = found.costs[measure].undefined(side)
                assert sum(parts(found, measure, entities)) + undefined == lost[side]


def test_what_became_of_each_entity():
    found = anatomy({"d": KEY}, {"d": RESPONSE})
    document = found.documents["d"]
    kinds = {entity.id: entity.kinds for entity in document.key}
    assert kinds == {"1": ("split",), "2": ("whole",), "3": ("missed",), "4": ("found", "whole")}
    kinds = {entity.id: entity.kinds for entity in document.response}
    assert kinds == {
        "1": ("pure",),
        "2": ("merged",),
        "3": ("found", "pure"),
        "4": ("invented",),
        "5": ("invented",),
    }
    assert document.key[0].parts == {"1": 2, "2": 2}
    assert document.key[2].alone_mentions == ["g"]
    totals = found.totals._asdict()
    assert totals == {
        "found": 1,
        "whole": 2,
        "split": 1,
        "missed": 1,
        "pure": 2,
        "merged": 1,
        "invented": 2,
        "missed_mentions": 1,
        "invented_mentions": 3,
        "boundary": None,
    }


def test_key_and_response_exchanged_exchange_their_errors():
    rng = random.Random(3)
    for _ in range(100):
        key, response = corpus(rng)
        here, there = anatomy(key, response).totals, anatomy(response, key).totals
        assert (here.whole, here.split, here.missed) == (there.pure, there.merged, there.invented)
        assert (here.pure, here.merged, here.invented) == (there.whole, there.split, there.missed)
        assert here.missed_mentions == there.invented_mentions
        assert (here.found, here.boundary) == (there.found, there.boundary)


def test_each_planted_error_is_found_and_priced():
    key = {"d": "{a b c d} {e f}"}
    errors = {
        "split": "{a b} {c d} {e f}",
        "merged": "{a b c d e f}",
        "missed": "{a b c d}",
        "invented": "{a b c d} {e f} {x}",
    }
    for error, response in errors.items():
        found = anatomy(key, {"d": response})
        assert getattr(found.totals, error) == 1
        assert found.costliest("b3")[0].kinds[-1] == error or error == "split"
    assert [str(e.cost["muc"]) for e in anatomy(key, {"d": errors["split"]}).costliest("muc")] == [
        "1/4"
    ]


def test_boundaries_are_mentions_that_overlap_without_a_twin():
    found = anatomy({"d": [[(0, 3), (7, 9)]]}, {"d": [[(2, 3), (3, 4)], [(20, 21)]]})
    assert found.totals.boundary == 3
    assert anatomy({"d": [[(0, 3)]]}, {"d": [[(0, 3)]]}).totals.boundary == 0


def test_a_conventions_singletons_have_parts_of_their_own():
    found = anatomy({"d": "{a b c}"}, {"d": "{a b x}"}, ["lea"], twinless="complete")
    made = found.documents["d"].made
    assert {(each.side, each.entity) for each in made} == {("key", "1"), ("response", "1")}
    adds_up({"d": "{a b c}"}, {"d": "{a b x}"}, twinless="complete")


@pytest.mark.parametrize("measure", ["conll", "kappa", "h", "xc"])
def test_other_measures_are_refused(measure):
    with pytest.raises(CorefError, match=f"{measure}.* cannot be attributed.*expected mentions"):
        anatomy({"d": KEY}, {"d": RESPONSE}, measure)


def test_an_average_is_refused():
    with pytest.raises(CorefError, match="average='mean' does not add up"):
        anatomy({"d": KEY}, {"d": RESPONSE}, average="mean")


def test_it_is_json():
    content = json.loads(json.dumps(anatomy({"d": KEY}, {"d": RESPONSE}).to_dict()))
    (first, *_) = content["documents"]["d"]["key"]
    assert first["kinds"] == ["split"] and first["parts"] == {"1": 2, "2": 2}
    assert set(first["cost"]) == set(PRICED)


def test_the_door_stays_a_function():
    """A folder of its name would take its place as soon as it is imported."""
    code = (
        "import corefeval; d = {'d': '{a b}'}; corefeval.anatomy(d, d);"
        "import corefeval.dissect.anatomy; corefeval.anatomy(d, d);"
        "print(callable(corefeval.anatomy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr
    assert callable(corefeval.anatomy)


def test_files_keep_the_names_of_their_entities():
    examples = Path(__file__).parents[2] / "data" / "examples"
    found = anatomy(
        examples / "guidebook.key.conll", examples / "guidebook.response.conll", like="reference"
    )
    (document,) = found.documents.values()
    assert all(entity.id for entity in (*document.key, *document.response))
    assert document.totals.missed_mentions == document.totals.invented_mentions == 0
