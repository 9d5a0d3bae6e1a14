"""The anatomy of a response's errors: what became of entities, and parts of a loss that add up."""

import json
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from rows import every_row

import corefeval
from corefeval import Contingency, CorefError, Partition, anatomy, evaluate, from_labels
from corefeval.analysis.dissect.costs import ATTRIBUTABLE
from corefeval.analysis.dissect.output import what_became_of
from corefeval.analysis.dissect.repairs import REPAIRS
from corefeval.conventions import CHOICES
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


def corpora(seed, many):
    rng = random.Random(seed)
    return [corpus(rng) for _ in range(many)]


def parts(found, measure, side):
    """The costs of a side's entities, and of the singletons that conventions made there."""
    for document in found.documents.values():
        for entity in getattr(document, side):
            yield entity.cost[measure] if measure in entity.cost else Fraction(0)
        for made in document.made:
            if made.side == side:
                yield made.cost.get(measure, Fraction(0))


def adds_up(*sides, **chosen):
    found = anatomy(*sides, metrics=ATTRIBUTABLE.keys(), **chosen)
    scores = evaluate(*sides, metrics=[*ATTRIBUTABLE], **chosen).total
    assert [*found.costs] == [*found.losses] == [*scores]
    for measure, costs in found.costs.items():
        lost = 1 - scores[measure].exact.recall, 1 - scores[measure].exact.precision
        assert found.losses[measure] == lost
        for number, name in enumerate(("key", "response")):
            attributed = sum(parts(found, measure, name)) + costs.undefined(number)
            assert attributed == lost[number], (measure, sides, chosen)


POLICIES_TRIED = [
    *({"twinless": policy} for policy in POLICIES),
    *({"repeated": choice} for choice in CHOICES["repeated"] if choice != "error"),
]
"""Of mentions that one side lacks, and of mentions that are given twice."""


def add_up_often(policies, times):
    rng = random.Random(str(policies))
    tried = 0
    while tried < times:
        chosen = rng.choice(policies)
        chosen = chosen | {name: rng.choice([*CHOICES[name]]) for name in ("zero", "singletons")}
        key, response = corpus(rng, repeats="repeated" in chosen)
        try:
            evaluate(key, response, [*ATTRIBUTABLE], **chosen)
        except CorefError:
            assert chosen["repeated"] == "reference", "it scores no key that repeats mentions"
            continue
        adds_up(key, response, **chosen)
        tried += 1


@pytest.mark.parametrize("policy", POLICIES_TRIED, ids=str)
def test_parts_add_up_to_what_is_lost(policy):
    add_up_often([policy], 60)


@pytest.mark.proof
def test_parts_add_up_on_many_random_tables():
    add_up_often(POLICIES_TRIED, 10_000)


def test_parts_add_up_where_an_entity_has_hits_and_no_total():
    """It gives its one mention twice: a link that is found, of a key without any other."""
    adds_up({"d": [["a", "a"]]}, {"d": "{a}"}, repeated="each")


def test_parts_add_up_for_labels():
    rng = random.Random(5)
    for _ in range(50):
        labels = [[rng.choice([-1, 0, 1, 2, 3]) for _ in range(12)] for _ in ("key", "response")]
        adds_up(from_labels(*labels))


def test_what_became_of_each_entity():
    found = anatomy({"d": KEY}, {"d": RESPONSE})
    document = found.documents["d"]
    kinds = {entity.id: entity.kinds for entity in document.key}
    assert kinds == {"1": ("split",), "2": ("whole",), "3": ("missed",), "4": ("equal", "whole")}
    kinds = {entity.id: entity.kinds for entity in document.response}
    assert kinds == {
        "1": ("pure",),
        "2": ("merged",),
        "3": ("equal", "pure"),
        "4": ("invented",),
        "5": ("invented",),
    }
    assert document.key[0].parts == {"1": 2, "2": 2}
    assert document.key[2].alone_mentions == ["g"]
    totals = found.totals._asdict()
    assert totals == {
        "equal": 1,
        "whole": 2,
        "partial": 0,
        "split": 1,
        "missed": 1,
        "pure": 2,
        "padded": 0,
        "merged": 1,
        "invented": 2,
        "missed_mentions": 1,
        "invented_mentions": 3,
        "boundary": None,
    }


def test_entities_keep_their_names_where_singletons_are_dropped():
    key, response = {"d": "{a} {b c} {d e}"}, {"d": "{b} {a x} {c} {d e}"}
    document = anatomy(key, response, "b3", singletons="drop").documents["d"]
    assert [(each.id, [*each.mentions]) for each in document.key] == [
        ("2", ["b", "c"]), ("3", ["d", "e"])
    ]  # fmt: skip
    assert [(each.id, dict(each.parts)) for each in document.response] == [
        ("2", {}), ("4", {"3": 2})
    ]  # fmt: skip


def test_an_entity_of_which_the_other_side_has_a_part_alone():
    """Of {a b c} the response has {a b}; {d e x} has mentions of the key's {d e}, and one more."""
    found = anatomy({"d": "{a b c} {d e} {f}"}, {"d": "{a b} {d e x} {y}"}, ["b3"])
    document = found.documents["d"]
    assert [entity.kinds for entity in document.key] == [("partial",), ("whole",), ("missed",)]
    assert [entity.kinds for entity in document.response] == [("pure",), ("padded",), ("invented",)]
    assert found.totals[:9] == (0, 1, 1, 0, 1, 1, 1, 0, 1)
    assert what_became_of(document.key[0]) == "partial: 2 in 1, 1 missed"
    frame = found.to_frame()
    assert [*frame.kinds] == ["partial", "whole", "missed", "pure", "padded", "invented"]
    assert found.to_dict()["totals"]["partial"] == found.to_dict()["totals"]["padded"] == 1


@pytest.mark.parametrize("repeated", ["error", "each", "once_each"])
def test_the_kinds_of_entities_add_up(repeated):
    for key, response in corpora(7, 100):
        if repeated != "error":
            key = {name: [*entities, ["a", "b"]] for name, entities in key.items()}
        found = anatomy(key, response, ["b3"], repeated=repeated)
        t, documents = found.totals, found.documents.values()
        assert t.whole + t.partial + t.split + t.missed == sum(len(d.key) for d in documents)
        assert t.pure + t.padded + t.merged + t.invented == sum(len(d.response) for d in documents)
        of_entities = [
            kind for d in documents for side in d.entities for e in side for kind in e.kinds
        ]
        assert (of_entities.count("partial"), of_entities.count("padded")) == (t.partial, t.padded)


def test_key_and_response_exchanged_exchange_their_errors():
    for key, response in corpora(3, 100):
        here, there = anatomy(key, response).totals, anatomy(response, key).totals
        assert (here.whole, here.split, here.missed) == (there.pure, there.merged, there.invented)
        assert (here.pure, here.merged, here.invented) == (there.whole, there.split, there.missed)
        assert (here.partial, here.padded) == (there.padded, there.partial)
        assert here.missed_mentions == there.invented_mentions
        assert (here.equal, here.boundary) == (there.equal, there.boundary)


def test_boundaries_are_mentions_that_overlap_without_a_twin():
    found = anatomy({"d": [[(0, 3), (7, 9)]]}, {"d": [[(2, 3), (3, 4)], [(20, 21)]]})
    assert found.totals.boundary == 3
    assert anatomy({"d": [[(0, 3)]]}, {"d": [[(0, 3)]]}).totals.boundary == 0
    # One that reaches far does not lend its end to one that ends before the other begins.
    assert anatomy({"d": [[(0, 9), (1, 2)]]}, {"d": [[(5, 6)]]}).totals.boundary == 2


def test_a_conventions_singletons_have_parts_of_their_own():
    found = anatomy({"d": "{a b c}"}, {"d": "{a b x}"}, ["lea"], twinless="complete")
    made = found.documents["d"].made
    assert {(each.side, each.entity) for each in made} == {("key", "1"), ("response", "1")}


@pytest.mark.parametrize("measure", ["conll", "kappa", "h", "xc"])
def test_other_measures_are_refused(measure):
    with pytest.raises(CorefError, match=f"{measure}.* cannot be attributed.*expected mentions"):
        anatomy({"d": KEY}, {"d": RESPONSE}, measure)


@pytest.mark.parametrize("scorer", ["reference", "corefud_official", "neleval", "e2e", "bbn"])
def test_parts_add_up_as_another_scorer_scores(scorer):
    for sides in corpora(scorer, 30):
        adds_up(*sides, like=scorer)


PRICES = {
    # By hand, for the key {a b c d} {e f}: MUC has 3 + 1 links, B³ 6 mentions, LEA 4 · 1 + 2 · 1.
    "split": ("{a b} {c d} {e f}", "key", {"muc": "1/4", "b3": "1/3", "lea": "4/9"}),
    "merged": ("{a b c d e f}", "response", {"muc": "1/5", "b3": "4/9", "lea": "8/15"}),
    "missed": ("{a b c d}", "key", {"mentions": "1/3", "muc": "1/4", "b3": "1/3", "lea": "1/3"}),
    "invented": ("{a b c d} {e f} {x}", "response", {"mentions": "1/7", "muc": "0", "b3": "1/7"}),
}


@pytest.mark.parametrize("error", PRICES)
def test_each_planted_error_has_its_price(error):
    response, side, prices = PRICES[error]
    found = anatomy({"d": "{a b c d} {e f}"}, {"d": response})
    assert getattr(found.totals, error) == 1
    (entity,) = [each for each in getattr(found.documents["d"], side) if error in each.kinds]
    assert {name: str(entity.cost[name]) for name in prices} == prices
    assert found.costliest("b3")[0].kinds[-1] == error or error == "split"
    expected = [] if prices["muc"] == "0" else [prices["muc"]]
    assert [str(each.cost["muc"]) for each in found.costliest("muc")] == expected


@every_row("twinless", POLICIES)
@every_row("measure", ["b3", "ceafm"])
def test_costs_of_mentions_are_those_of_their_entities(twinless, measure):
    rng = random.Random(f"{twinless} {measure}")
    for _ in range(30):
        key, response = corpus(rng)
        singletons = rng.choice([*CHOICES["singletons"]])
        found = anatomy(key, response, measure, twinless=twinless, singletons=singletons)
        of_entity, of_side = Counter(), Counter()
        for each in found.mention_costs(measure):
            of_entity[each.document, each.side, each.entity] += each.cost
            of_side[each.side] += each.cost
        for name, document in found.documents.items():
            for each in (*document.key, *document.response):
                assert of_entity[name, each.side, each.id] == each.cost[measure]
        for number, side in enumerate(("key", "response")):
            undefined = found.costs[measure].undefined(number)
            assert of_side[side] + undefined == found.losses[measure][number]


def test_costs_of_mentions_by_hand():
    found = anatomy({"d": "{a b c}"}, {"d": "{a b} {c x}"}, ["b3", "ceafm", "muc"])
    of_key = {each.mention: str(each.cost) for each in found.mention_costs("b3")[:3]}
    assert of_key == {"a": "1/9", "b": "1/9", "c": "2/9"}  # (1 - 2/3) / 3, (1 - 1/3) / 3
    costs = {(m.side, m.mention): str(m.cost) for m in found.mention_costs("ceafm") if m.cost}
    assert costs == {("key", "c"): "1/3", ("response", "c"): "1/4", ("response", "x"): "1/4"}
    with pytest.raises(CorefError, match="'muc' does not count mentions; expected b3 or ceafm"):
        found.mention_costs("muc")
    with pytest.raises(CorefError, match="no costs by 'lea'; expected b3, ceafm, muc"):
        found.mention_costs("lea")


def test_costs_of_mentions_need_mentions_given_once():
    found = anatomy({"d": [["a"], ["a"]]}, {"d": "{a}"}, "b3", repeated="each")
    with pytest.raises(CorefError, match="given once; choose repeated="):
        found.mention_costs("b3")
    with pytest.raises(CorefError, match="does not name its mentions"):
        anatomy(from_labels([1, 1], [1, 2]), metrics="b3").mention_costs("b3")


# Repairs


@pytest.mark.parametrize("twinless", POLICIES)
def test_after_all_repairs_the_response_is_the_key(twinless):
    rng = random.Random(twinless)
    for _ in range(15):
        key, response = corpus(rng)
        singletons = rng.choice([*CHOICES["singletons"]])
        chosen = {"twinless": twinless, "singletons": singletons}
        last = anatomy(key, response, **chosen).repairs("standard").steps[-1]
        perfect = evaluate(key, key, "standard", **chosen).total
        assert {name: score.exact.parts for name, score in last.so_far.items()} == {
            name: score.exact.parts for name, score in perfect.items()
        }


def test_a_repair_leaves_no_error_of_its_kind():
    kinds = dict(
        zip(REPAIRS, ("missed_mentions", "invented_mentions", "merged", "split"), strict=True)
    )
    for key, response in corpora(8, 100):
        for document, partition in key.items():
            table = Contingency.of(Partition(partition), Partition(response[document]))
            for name, kind in kinds.items():
                (left,) = anatomy(REPAIRS[name](table), metrics=[]).documents.values()
                assert getattr(left.totals, kind) == 0


def test_repairs_by_hand():
    """The key {a b c} {d e} and the response {a b} {c d x}, by MUC."""
    found = anatomy({"d": "{a b c} {d e}"}, {"d": "{a b} {c d x}"}, "muc").repairs()
    # Recall 1/3 and precision 1/3; the links of {c d x} go with x to 1/2, or are cut with it to 1.
    assert str(found.before["muc"]) == "recall 1/3, precision 1/3, f1 1/3"
    assert [str(step.alone["muc"]) for step in found.steps] == [
        "recall 1/3, precision 1/3, f1 1/3",
        "recall 1/3, precision 1/2, f1 2/5",
        "recall 1/3, precision 1, f1 1/2",
        "recall 2/3, precision 1/2, f1 4/7",
    ]
    frame = found.to_frame()
    assert list(frame.columns) == ["repair", "how", "measure", "recall", "precision", "f1"]
    assert len(frame) == 9
    assert ">F1 in percent after repairs" in found._repr_html_()


def test_what_is_invented_in_a_merged_entity_stays_together():
    """{a b} {c d} and {a b c d x y}: cut, the response has {a b} {c d} {x y}, of three links."""
    found = anatomy({"d": "{a b} {c d}"}, {"d": "{a b c d x y}"}, "muc").repairs()
    (cut,) = [step.alone["muc"] for step in found.steps if step.name == "merges cut"]
    assert str(cut) == "recall 1, precision 2/3, f1 4/5"


def test_repairs_score_like_a_scorer():
    found = anatomy({"d": "{a b} {c}"}, {"d": "{a b} {c}"}, "ceafe", like="e2e").repairs()
    assert (
        str(found.before["ceafe"].exact.recall) == "1/2"
    )  # it leaves out the response's singletons


def test_repairs_need_mentions_given_once():
    found = anatomy({"d": [["a"], ["a"]]}, {"d": "{a}"}, "b3", repeated="each")
    with pytest.raises(CorefError, match="repairs need mentions that are given once"):
        found.repairs()


def test_each_corefud_file_without_names_has_its_own_words(tmp_path):
    for word in ("Ann", "Bob"):
        row = f"1\t{word}\t_\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-1)"
        (tmp_path / word).write_text(f"# global.Entity = eid-head\n{row}\n\n")
    texts = anatomy(tmp_path, tmp_path).texts
    assert {name: text.words for name, text in texts.items()} == {"1": ["Ann"], "2": ["Bob"]}


# Other shapes


def test_a_frame_has_a_row_for_each_entity():
    frame = anatomy({"d": KEY}, {"d": RESPONSE}, ["muc", "b3"]).to_frame()
    assert list(frame.columns[-2:]) == ["muc", "b3"]
    assert list(frame.side) == ["key"] * 4 + ["response"] * 5
    assert frame.loc[0, ["entity", "kinds", "parts"]].tolist() == ["1", "split", 2]


def test_it_is_json():
    content = json.loads(json.dumps(anatomy({"d": KEY}, {"d": RESPONSE}).to_dict()))
    (first, *_) = content["documents"]["d"]["key"]
    assert first["kinds"] == ["split"] and first["parts"] == {"1": 2, "2": 2}
    assert content["documents"]["d"]["key"][2]["missed"] == ["g"]
    assert set(first["cost"]) == set(ATTRIBUTABLE) - {"pairwise"}  # which the standard suite lacks


def test_the_door_stays_a_function():
    """A folder of its name would take its place as soon as it is imported."""
    code = (
        "import corefeval; d = {'d': '{a b}'}; corefeval.anatomy(d, d);"
        "import corefeval.analysis.dissect.anatomy; corefeval.anatomy(d, d);"
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
